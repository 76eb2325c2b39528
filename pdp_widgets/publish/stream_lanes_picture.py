"""True and released symbols, the adversary's belief and what leaked, step by step for each mechanism."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from itertools import pairwise

from pdp_widgets.leakage.sequence.stream_record import LaneRecord
from pdp_widgets.publish.formatting import leakage, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, width
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.stream_belief_picture import BELIEF, belief_picture
from pdp_widgets.publish.stream_edits import edits
from pdp_widgets.publish.stream_lane_marks import (
    HALO,
    caption,
    has_squares,
    rounded,
    strip_height,
    symbols_row,
    value_beside,
)
from pdp_widgets.publish.stream_window import LINES, StreamWindow
from pdp_widgets.publish.stream_wording import LaneCase, status_words
from pdp_widgets.publish.svg import Svg, joined, number, strokes

__all__ = ["lanes_panel"]

_LEAK, _BETWEEN = 44.0, 16.0
#: Room from which on words stand beside the steps, px.
_WIDE = 480.0


def lanes_panel(svg: Svg, shown: StreamWindow, w: float) -> float:
    """Draw the last steps of all mechanisms; return the height taken."""
    many = len(shown.lanes)
    note = "achieved, exact" + ("; all lanes see the same symbols and random numbers" if many > 1 else "")
    wide = w >= _WIDE
    said = f"step {shown.run.steps:,}"
    room = w - width("What leaks  ", 13, True) - width(said) - 16
    if width(note, 13) > room:
        note = "achieved, exact"
    y = panel(svg, w, "What leaks", note, said) + 14
    top = y
    _edit_words(svg, shown, w, y - 2)
    y += 8
    states = shown.run.script.segments[0].chain.states
    svg.text(0, y + 9, "true")
    symbols_row(svg, shown, shown.record.symbols, None, w, y)
    if wide and len(states) == 2:
        end = shown.ends(w)[1] + 8
        signs = "filled" if has_squares(shown, w) else "high"
        svg.text(end, y + 9, fit(f"{signs} is {clean(states[1])}", w - end), fill="ink2")
    y += strip_height(shown) + 16
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


def _edit_words(svg: Svg, shown: StreamWindow, w: float, y: float) -> None:
    """Name the last edit on both sides of its line."""
    if not shown.edits or w < _WIDE:
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


def _lane(svg: Svg, shown: StreamWindow, k: int, lane: LaneRecord, w: float, y: float) -> float:
    case = shown.case.lanes[k]
    svg.line(0, y + 0.5, w, y + 0.5, stroke="line")
    y += 18
    x1 = shown.ends(w)[1]
    wide = w >= _WIDE
    colour, dashes = LINES[case.line % len(LINES)]
    svg.path(
        f"M0 {number(y - 4)}h18",
        stroke=colour,
        stroke_width=2.5,
        **({"stroke_dasharray": dashes} if dashes else {}),
    )
    said, broke = status_words(case, shown.run.steps), case.first_over is not None
    # The status is said in full: the name gives way, then the status has a line of its own.
    place = x1 - width(said, 12, broke)
    room = place - 26 - (28 if broke else 12)
    name = case.label if width(case.label, 12, True) <= room else case.short
    below = width(name, 12, True) > room
    svg.text(26, y, fit(name, (x1 if below else place) - 50, 12, True), weight=600, **HALO)
    if below:
        y += 17
        place = 41.0 if broke else 26.0
        said = fit(said, x1 - place, 12, broke)
    if broke:
        mark(svg, "over", place - 10, y - 4, 4.5)
        svg.text(place, y, said, fill="over", weight=600, **HALO)
    else:
        svg.text(place, y, said, fill="ink2", **HALO)
    y += 10
    foot = y + strip_height(shown) + 14 + BELIEF + _BETWEEN + _LEAK
    if case.first_over is not None and shown.steps:
        start = shown.x(max(case.first_over, shown.first + 1), w)
        stop = shown.x(shown.run.steps + 1, w)
        if stop > start:
            svg.rect(start, y - 4, stop - start, foot - y + 6, fill="overtint")
    svg.text(0, y + 9, "released")
    symbols_row(svg, shown, lane.released, shown.record.symbols, w, y)
    if shown.steps:
        wrong = _wrong(shown, case, wide)
        if wide or width(wrong) <= w - x1 - 8:
            svg.text(x1 + 8, y + 9, wrong, fill="ink2")
    y += strip_height(shown) + 14
    belief_picture(svg, shown, k, lane, w, y)
    y += BELIEF + _BETWEEN
    _leakage(svg, shown, case, lane, w, y)
    return y + _LEAK


def _wrong(shown: StreamWindow, case: LaneCase, wide: bool) -> str:
    if shown.case.distance == "hamming":
        many = f"{round(case.error * shown.run.steps):,}"
        return f"{many} of {shown.run.steps:,} wrong" if wide else f"{many} wrong"
    return f"mean error {case.error:.3f}" if wide else ""


def _leakage(svg: Svg, shown: StreamWindow, case: LaneCase, lane: LaneRecord, w: float, y: float) -> None:
    x0, x1 = shown.ends(w)
    foot, top = y + _LEAK, min(shown.top * 1.12, sys.float_info.max)
    caption(svg, y + 20, "leakage", "nats")
    pitch = shown.pitch(w)
    thick = pitch - min(1.5, pitch / 4)

    def height(value: float) -> float:
        return rounded(svg, _LEAK * (min(value, top) / top))

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
        # Above its height, where what was promised for the steps to come is drawn: often the same number.
        value_beside(svg, shown, w, foot - height(case.last) - 5, text, bool(lane.over[-1]))


def _promise(svg: Svg, shown: StreamWindow, w: float, foot: float, height: Callable[[float], float]) -> None:
    """Draw what was promised for each step, and what is for those to come."""
    bounds = [shown.first + 1, *shown.edits, shown.first + shown.last + 1]
    data = ""
    for start, stop in pairwise(bounds):
        epsilon = shown.run.script.segment(start).epsilon
        if math.isfinite(epsilon) and stop > start:
            data += f"M{joined(shown.x(start, w), foot - height(epsilon))}H{number(shown.x(stop, w))}"
    svg.path(data, stroke="promise", stroke_width=1.5, stroke_dasharray="4 3")
