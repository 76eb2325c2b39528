"""The adversary's belief, step by step, for one mechanism: a line for two states, rows for a few."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.stream_record import LaneRecord
from pdp_widgets.publish.formatting import probability, tick
from pdp_widgets.publish.labels import clean, fit, width
from pdp_widgets.publish.palette import hexadecimal, viridis
from pdp_widgets.publish.stream_lane_marks import HALO, caption, steps_line, value_beside
from pdp_widgets.publish.stream_window import StreamWindow, runs
from pdp_widgets.publish.svg import Svg, strokes

__all__ = ["BELIEF", "SHADES", "belief_picture", "has_rows", "valid_beliefs"]

#: Height of the beliefs, px, and shades that are told apart.
BELIEF, SHADES = 44.0, 6
#: States whose beliefs are shown one by one.
_MOST_ROWS = 8


def has_rows(svg: Svg, shown: StreamWindow) -> bool:
    """Say whether the belief in each state is a row of its own."""
    return 2 < shown.run.script.n <= _MOST_ROWS and svg.sheet.detail == 2


def belief_picture(svg: Svg, shown: StreamWindow, k: int, lane: LaneRecord, w: float, y: float) -> None:
    """Draw the belief of a mechanism's adversary before each step."""
    chain = shown.run.script.segments[0].chain
    x0, x1 = shown.ends(w)
    if has_rows(svg, shown):
        _rows(svg, shown, lane, w, y)
        return
    foot = y + BELIEF
    two = chain.n == 2
    caption(
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
    steps_line(svg, shown, values, ~lane.over, w, foot, BELIEF / most, "ink", 1.5)
    steps_line(svg, shown, values, lane.over, w, foot, BELIEF / most, "over", 3)
    if shown.steps and math.isfinite(values[-1]):
        value_beside(
            svg,
            shown,
            w,
            foot - float(values[-1]) * BELIEF / most + 4,
            probability(float(values[-1])),
            bool(lane.over[-1]),
        )


def _scale(values: NDArray[np.float64]) -> float:
    """Return the end of an axis of beliefs: 1, or a round number where all are smaller."""
    largest = float(np.nanmax(values, initial=0.0)) if np.isfinite(values).any() else 1.0
    ends = [1.0, *(digit * 10.0**-k for k in range(1, 6) for digit in (5, 2, 1))]
    return min(end for end in ends if end >= largest * (1 - 1e-9))


def valid_beliefs(shown: StreamWindow) -> list[tuple[int, int, float]]:
    """Return from which step to before which a conditional response keeps a promise, and the least belief."""
    bounds = [shown.first + 1, *shown.edits, shown.run.steps + 1]
    found = []
    for start, stop in pairwise(bounds):
        epsilon = shown.run.script.segment(start).epsilon
        if start < stop and 0 < epsilon < 700:
            found.append((start, stop, 1 / (1 + math.exp(epsilon))))
    return found


def _valid(svg: Svg, shown: StreamWindow, values: NDArray[np.float64], w: float, y: float) -> None:
    """Draw where beliefs let a conditional response keep its promise."""
    last = None
    for start, stop, edge in valid_beliefs(shown):
        x, end = shown.x(start, w), shown.x(stop, w)
        high, low = y + BELIEF * edge, y + BELIEF * (1 - edge)
        svg.rect(x, high, end - x, low - high, fill="promise", fill_opacity=0.1)
        for at in (high, low):
            svg.line(x, at, end, at, stroke="promise", stroke_dasharray="2 2")
        last = edge, low
    if last is None or w < 480:
        return
    words = f"valid between {probability(last[0])} and {probability(1 - last[0])}"
    at = min(last[1] + 12, y + BELIEF - 3)
    # Where the line of beliefs runs through the words, they stand beside the mechanisms alone.
    beside = values[: int(width(words, 11) / shown.pitch(w)) + 2]
    if not (np.abs(y + BELIEF * (1 - beside) - (at - 4)) < 9).any():
        svg.text(shown.ends(w)[0] + 4, at, words, fill="promise", size=11, **HALO)


def _rows(svg: Svg, shown: StreamWindow, lane: LaneRecord, w: float, y: float) -> None:
    """Draw the belief in each state as a row, darker where it is larger; the first state lies lowest."""
    states = shown.run.script.segments[0].chain.states
    n, pitch = len(states), shown.pitch(w)
    x0, _ = shown.ends(w)
    row = BELIEF / n
    caption(svg, y + 20, "belief", "")
    for state, label in enumerate(states):
        if row >= 10 or state in (0, n - 1):
            middle = y + BELIEF - (state + 0.5) * row
            svg.text(x0 - 6, middle + 4, fit(clean(label), 32, 11), anchor="end", fill="ink2", size=11)
    levels = np.where(np.isfinite(lane.belief), np.ceil(lane.belief * SHADES), 0).astype(int)
    for level in range(1, SHADES + 1):
        shade = (level - 0.5) / SHADES
        drawn = [
            (shown.x(start, w), y + BELIEF - (state + 0.5) * row, (stop - start + 1) * pitch)
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
            value_beside(svg, shown, w, y + 20, probability(value), bool(lane.over[-1]))
            if w >= 480:
                svg.text(shown.x(shown.run.steps + 1, w) + 6, y + 33, "in the true one", fill="ink2", size=11)
