"""True and released symbols, the adversary's belief and what leaked, step by step for each mechanism."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.lane_steps import NOTHING
from pdp_widgets.leakage.sequence.stream_record import LaneRecord
from pdp_widgets.publish.formatting import leakage, probability, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, width
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.palette import hexadecimal, viridis
from pdp_widgets.publish.stream_edits import edits
from pdp_widgets.publish.stream_window import LAST, LINES, StreamWindow, runs
from pdp_widgets.publish.stream_wording import LaneCase, status_words
from pdp_widgets.publish.svg import Svg, joined, number, polyline, strokes

__all__ = ["lanes_panel"]

_STRIP, _BELIEF, _LEAK, _BETWEEN = 8.0, 44.0, 44.0, 16.0
#: Keeps text readable where a line passes behind it.
_HALO: dict[str, str | float] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}
#: States whose beliefs are shown one by one, and shades that are told apart.
_MOST_ROWS, _SHADES = 8, 6


def lanes_panel(svg: Svg, shown: StreamWindow, w: float) -> float:
    """Draw the last steps of all mechanisms; return the height taken."""
    many = len(shown.lanes)
    note = "achieved, exact" + ("; all lanes see the same symbols and random numbers" if many > 1 else "")
    wide = w >= 480
    y = panel(svg, w, "What leaks", note if wide else "", f"step {shown.run.steps:,}") + 14
    top = y
    _edit_words(svg, shown, w, y - 2)
    y += 8
    states = shown.run.script.segments[0].chain.states
    svg.text(0, y + 9, "true")
    _symbols(svg, shown, shown.record.symbols, None, w, y)
    if wide and len(states) == 2:
        end = shown.ends(w)[1] + 8
        svg.text(end, y + 9, fit(f"filled is {clean(states[1])}", w - end), fill="ink2")
    y += _strip(shown) + 16
    for k, lane in enumerate(shown.lanes):
        y = _lane(svg, shown, k, lane, w, y) + 14
    bottom = y - 10
    svg.path(
        "".join(f"M{number(shown.x(step, w))} {number(top + 2)}V{number(bottom)}" for step in shown.edits),
        stroke="ink",
        stroke_dasharray="2 3",
    )
    if shown.steps:
        x = shown.x(shown.run.steps + 1, w)
        svg.line(x, top + 2, x, bottom, stroke="brand", stroke_width=2)
    return bottom


def _strip(shown: StreamWindow) -> float:
    """Return the height of a row of symbols, px."""
    return _STRIP if shown.run.script.n <= 2 else 22.0


def _edit_words(svg: Svg, shown: StreamWindow, w: float, y: float) -> None:
    """Name the last edit on both sides of its line."""
    if not shown.edits or w < 480:
        return
    last = edits(shown.run.script, shown.run.steps + 1)[-1]
    x = shown.x(last.step, w)
    left = shown.ends(w)[0]
    after = f"{last.after} from step {last.step:,}"
    # Where one side has no room for its words, the other takes them all.
    if x - left < width(last.before) + 6:
        svg.text(x + 5, y, fit(after, w - x - 5, 12, True), weight=600)
    elif w - x < width(after, 12, True) + 6:
        svg.spans(
            x - 5,
            y,
            [
                (f"{last.before}, then ", {"fill": "ink2"}),
                (fit(after, x - left - 140, 12, True), {"weight": 600}),
            ],
            anchor="end",
        )
    else:
        svg.text(x - 5, y, fit(last.before, x - left), anchor="end", fill="ink2")
        svg.text(x + 5, y, fit(after, w - x - 5, 12, True), weight=600)


def _symbols(
    svg: Svg,
    shown: StreamWindow,
    symbols: NDArray[np.int64],
    truth: NDArray[np.int64] | None,
    w: float,
    y: float,
) -> None:
    """Draw one row: squares for two states, strokes at their places for more; wrong ones are underlined."""
    pitch, n = shown.pitch(w), shown.run.script.n
    size = min(_STRIP, pitch - 1.2)
    # Whole numbers are short.
    size = math.floor(size) if size > 5 else size
    there = np.flatnonzero(symbols != NOTHING)
    if not there.size:
        return
    at = {int(k): shown.x(shown.first + int(k) + 1, w) for k in there}
    if n <= 2:
        middle = y + _STRIP / 2
        last = at[int(there[-1])] + size
        dashes = f"{number(size)} {number(pitch - size)}"
        svg.path(
            f"M{joined(at[int(there[0])], middle)}H{number(last)}",
            stroke="ink2",
            stroke_width=size,
            stroke_dasharray=f"{size:.2f} {pitch - size:.2f}" if pitch % 1 else dashes,
        )
        empty = [(at[int(k)] + 1, middle) for k in there if symbols[k] == 0]
        svg.path(strokes(empty, "h", size - 2), stroke="bg", stroke_width=size - 2)
    else:
        tall = _strip(shown)
        place = tall / n

        def height(state: int) -> float:
            return round(y + tall - (state + 0.5) * place)

        if truth is not None and svg.sheet.detail:
            missed = [(at[int(k)], height(int(truth[k]))) for k in there if symbols[k] != truth[k]]
            svg.path(
                strokes(missed, "h", size),
                stroke="ink2",
                stroke_width=max(1.5, place - 1),
                stroke_opacity=0.35,
            )
        drawn = [(at[int(k)], height(int(symbols[k]))) for k in there]
        svg.path(strokes(drawn, "h", size), stroke="ink", stroke_width=max(1.5, place - 1))
    if truth is not None:
        wrong = [(at[int(k)], y + _strip(shown) + 3) for k in there if symbols[k] != truth[k]]
        svg.path(strokes(wrong, "h", size), stroke="ink", stroke_width=2)


def _lane(svg: Svg, shown: StreamWindow, k: int, lane: LaneRecord, w: float, y: float) -> float:
    case = shown.case.lanes[k]
    svg.line(0, y + 0.5, w, y + 0.5, stroke="line")
    y += 18
    x1 = shown.ends(w)[1]
    wide = w >= 480
    colour, dashes = LINES[case.line % len(LINES)]
    svg.path(
        f"M0 {number(y - 4)}h18",
        stroke=colour,
        stroke_width=2.5,
        **({"stroke_dasharray": dashes} if dashes else {}),
    )
    said = fit(status_words(case, shown.run.steps), 300 if wide else 190, 12, True)
    broke = case.first_over is not None
    place = x1 - width(said, 12, broke) if wide else w - width(said, 12, broke)
    name = case.label if wide else case.short
    svg.text(26, y, fit(name, place - 50, 12, True), weight=600, **_HALO)
    if broke:
        mark(svg, "over", place - 10, y - 4, 4.5)
        svg.text(place, y, said, fill="over", weight=600, **_HALO)
    else:
        svg.text(place, y, said, fill="ink2", **_HALO)
    y += 10
    foot = y + _strip(shown) + 14 + _BELIEF + _BETWEEN + _LEAK
    if case.first_over is not None and shown.steps:
        start = shown.x(max(case.first_over, shown.first + 1), w)
        stop = shown.x(shown.run.steps + 1, w)
        if stop > start:
            svg.rect(start, y - 4, stop - start, foot - y + 6, fill="overtint")
    svg.text(0, y + 9, "released")
    _symbols(svg, shown, lane.released, shown.record.symbols, w, y)
    if wide and shown.steps:
        svg.text(x1 + 8, y + 9, _wrong(shown, case), fill="ink2")
    y += _strip(shown) + 14
    _belief(svg, shown, k, lane, w, y)
    y += _BELIEF + _BETWEEN
    _leakage(svg, shown, case, lane, w, y)
    return y + _LEAK


def _wrong(shown: StreamWindow, case: LaneCase) -> str:
    if shown.case.distance == "hamming":
        return f"{round(case.error * shown.run.steps):,} of {shown.run.steps:,} wrong"
    return f"mean error {case.error:.3f}"


def _caption(svg: Svg, y: float, one: str, two: str) -> None:
    svg.text(0, y, one)
    if two:
        svg.text(0, y + 13, two, fill="ink2", size=11)


def _belief(svg: Svg, shown: StreamWindow, k: int, lane: LaneRecord, w: float, y: float) -> None:
    chain = shown.run.script.segments[0].chain
    x0, x1 = shown.ends(w)
    if chain.n > 2 and chain.n <= _MOST_ROWS and svg.sheet.detail == 2:
        _rows(svg, shown, lane, w, y)
        return
    foot = y + _BELIEF
    two = chain.n == 2
    _caption(
        svg,
        y + 20,
        "belief",
        fit(f"next is {clean(chain.states[1])}" if two else "in the true", x0 - 12, 11),
    )
    values = lane.belief[:, 1] if two else lane.belief[np.arange(shown.steps), shown.record.symbols]
    if two and shown.keys[k] == "crr" and shown.steps:
        _valid(svg, shown, values, w, y)
    svg.line(x0, foot, x1, foot, stroke="line2")
    svg.text(x0 - 6, foot + 4, "0", anchor="end", fill="ink2")
    most = 1.0 if two else _scale(values)
    svg.text(x0 - 6, y + 5, tick(most), anchor="end", fill="ink2")
    _steps(svg, shown, values, ~lane.over, w, foot, _BELIEF / most, "ink", 1.5)
    _steps(svg, shown, values, lane.over, w, foot, _BELIEF / most, "over", 3)
    if shown.steps and math.isfinite(values[-1]):
        _value(
            svg,
            shown,
            w,
            foot - float(values[-1]) * _BELIEF / most + 4,
            probability(float(values[-1])),
            bool(lane.over[-1]),
        )


def _scale(values: NDArray[np.float64]) -> float:
    """Return the end of an axis of beliefs: 1, or a round number where all are smaller."""
    largest = float(np.nanmax(values, initial=0.0)) if np.isfinite(values).any() else 1.0
    ends = [1.0, *(digit * 10.0**-k for k in range(1, 6) for digit in (5, 2, 1))]
    return min(end for end in ends if end >= largest * (1 - 1e-9))


def _valid(svg: Svg, shown: StreamWindow, values: NDArray[np.float64], w: float, y: float) -> None:
    """Draw where beliefs let a conditional response keep its promise."""
    bounds = [shown.first + 1, *shown.edits, shown.run.steps + 1]
    last = None
    for start, stop in pairwise(bounds):
        epsilon = shown.run.script.segment(start).epsilon
        if stop <= start or not 0 < epsilon < 700:
            continue
        edge = 1 / (1 + math.exp(epsilon))
        x, end = shown.x(start, w), shown.x(stop, w)
        high, low = y + _BELIEF * edge, y + _BELIEF * (1 - edge)
        svg.rect(x, high, end - x, low - high, fill="promise", fill_opacity=0.1)
        for at in (high, low):
            svg.line(x, at, end, at, stroke="promise", stroke_dasharray="2 2")
        last = edge, low
    if last is None or w < 480:
        return
    words = f"valid between {probability(last[0])} and {probability(1 - last[0])}"
    at = min(last[1] + 12, y + _BELIEF - 3)
    # Where the line of beliefs runs through the words, they stand beside the mechanisms alone.
    beside = values[: int(width(words, 11) / shown.pitch(w)) + 2]
    if not (np.abs(y + _BELIEF * (1 - beside) - (at - 4)) < 9).any():
        svg.text(shown.ends(w)[0] + 4, at, words, fill="promise", size=11, **_HALO)


def _steps(
    svg: Svg,
    shown: StreamWindow,
    values: NDArray[np.float64],
    only: NDArray[np.bool_],
    w: float,
    foot: float,
    tall: float,
    colour: str,
    thick: float,
) -> None:
    """Draw a line of steps, of some: each begins where the step before it was."""
    points: list[tuple[float, float]] = []
    parts: list[str] = []
    last: float | None = None
    for k in range(len(values) + 1):
        value = float(values[k]) if k < len(values) else math.nan
        y = _rounded(svg, foot - value * tall)
        if not math.isfinite(value) or not only[k]:
            parts.append(polyline(points))
            points = []
        else:
            x = shown.x(shown.first + k + 1, w)
            if not points and last is not None:
                points.append((x, last))
            points += [(x, y), (x + shown.pitch(w), y)]
        last = y if math.isfinite(value) else None
    svg.path("".join(parts), stroke=colour, stroke_width=thick)


def _rounded(svg: Svg, value: float) -> float:
    """Return a length in whole pixels where a picture has less detail, since these are shorter to write."""
    return value if svg.sheet.detail == 2 or not math.isfinite(value) else float(round(value))


def _rows(svg: Svg, shown: StreamWindow, lane: LaneRecord, w: float, y: float) -> None:
    """Draw the belief in each state as a row, darker where it is larger; the first state lies lowest."""
    states = shown.run.script.segments[0].chain.states
    n, pitch = len(states), shown.pitch(w)
    x0, _ = shown.ends(w)
    row = _BELIEF / n
    _caption(svg, y + 20, "belief", "")
    for state, label in enumerate(states):
        if row >= 10 or state in (0, n - 1):
            middle = y + _BELIEF - (state + 0.5) * row
            svg.text(x0 - 6, middle + 4, fit(clean(label), 32, 11), anchor="end", fill="ink2", size=11)
    levels = np.where(np.isfinite(lane.belief), np.ceil(lane.belief * _SHADES), 0).astype(int)
    for level in range(1, _SHADES + 1):
        shade = (level - 0.5) / _SHADES
        drawn = [
            (shown.x(start, w), y + _BELIEF - (state + 0.5) * row, (stop - start + 1) * pitch)
            for state in range(n)
            for start, stop in runs(levels[:, state] == level, shown.first)
        ]
        svg.path(
            strokes([(x, at) for x, at, _ in drawn], "h", [wide for *_, wide in drawn]),
            stroke=(hexadecimal(viridis(shade, False)), hexadecimal(viridis(shade, True))),
            stroke_width=row - 0.5,
        )
    if shown.steps:
        truth = int(shown.record.symbols[-1])
        value = float(lane.belief[-1, truth])
        if math.isfinite(value):
            _value(svg, shown, w, y + 20, probability(value), bool(lane.over[-1]))
            if w >= 480:
                svg.text(shown.x(shown.run.steps + 1, w) + 6, y + 33, "in the true one", fill="ink2", size=11)


def _leakage(svg: Svg, shown: StreamWindow, case: LaneCase, lane: LaneRecord, w: float, y: float) -> None:
    x0, x1 = shown.ends(w)
    foot, top = y + _LEAK, min(shown.top * 1.12, sys.float_info.max)
    _caption(svg, y + 20, "leakage", "nats")
    pitch = shown.pitch(w)
    thick = pitch - min(1.5, pitch / 4)

    def height(value: float) -> float:
        return _rounded(svg, _LEAK * (min(value, top) / top))

    bars, beyond = [], []
    for k in range(shown.steps):
        leaks, promise = float(lane.leakage[k]), float(shown.record.promise[k])
        if math.isnan(leaks):
            continue
        x = shown.x(shown.first + k + 1, w) + pitch / 2
        within = max(height(min(leaks, promise)), 1.5)
        bars.append((x, foot, -within))
        if lane.over[k]:
            beyond.append((x, foot - height(promise), -max(2.0, height(leaks) - height(promise))))
    svg.path(
        strokes([b[:2] for b in bars], "v", [b[2] for b in bars]),
        stroke="promise",
        stroke_opacity=0.42,
        stroke_width=thick,
    )
    svg.path(strokes([b[:2] for b in beyond], "v", [b[2] for b in beyond]), stroke="over", stroke_width=thick)
    svg.line(x0, foot, x1, foot, stroke="line2")
    svg.text(x0 - 6, foot + 4, "0", anchor="end", fill="ink2")
    now = shown.case.epsilon
    marked = math.isfinite(now) and height(now) > 13
    if marked:
        svg.text(
            x0 - 6,
            foot - height(now) + 4,
            tick(min(float(f"{now:.3g}"), sys.float_info.max)),
            anchor="end",
            fill="promise",
        )
    if not marked or _LEAK - height(now) > 12:
        svg.text(x0 - 6, y + 5, tick(min(float(f"{top:.2g}"), sys.float_info.max)), anchor="end", fill="ink2")
    _promise(svg, shown, w, foot, height)
    if shown.steps and not math.isnan(case.last):
        text = leakage(case.last, shown.case.promise if math.isfinite(shown.case.promise) else None)
        _value(svg, shown, w, foot - height(case.last) + 4, text, bool(lane.over[-1]))


def _promise(svg: Svg, shown: StreamWindow, w: float, foot: float, height: Callable[[float], float]) -> None:
    """Draw what was promised for each step, and what is for those to come."""
    bounds = [shown.first + 1, *shown.edits, shown.first + LAST + 1]
    data = ""
    for start, stop in pairwise(bounds):
        epsilon = shown.run.script.segment(start).epsilon
        if math.isfinite(epsilon) and stop > start:
            data += f"M{joined(shown.x(start, w), foot - height(epsilon))}H{number(shown.x(stop, w))}"
    svg.path(data, stroke="promise", stroke_width=1.5, stroke_dasharray="4 3")


def _value(svg: Svg, shown: StreamWindow, w: float, y: float, text: str, over: bool) -> None:
    """Write the number of the last step beside it."""
    x = shown.x(shown.run.steps + 1, w) + 6
    svg.text(min(x, w - width(text, 12, True)), y, text, weight=600, fill="over" if over else "ink", **_HALO)
