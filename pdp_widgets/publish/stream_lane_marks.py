"""Pieces of the lanes of a stream: captions, numbers beside a line, rows of symbols, lines of steps."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.lane_steps import NOTHING
from pdp_widgets.publish.labels import width
from pdp_widgets.publish.stream_window import StreamWindow
from pdp_widgets.publish.svg import Svg, joined, number, polyline, strokes

__all__ = [
    "HALO",
    "caption",
    "has_squares",
    "rounded",
    "steps_line",
    "strip_height",
    "symbols_row",
    "value_beside",
]

_STRIP = 8.0
#: Keeps text readable where a line passes behind it.
HALO: dict[str, str | float] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}


def strip_height(shown: StreamWindow) -> float:
    """Return the height of a row of symbols, px."""
    return _STRIP if shown.run.script.n <= 2 else 22.0


def has_squares(shown: StreamWindow, w: float) -> bool:
    """Say whether symbols are filled or empty squares: where these are too small, heights are told apart."""
    return shown.run.script.n <= 2 and shown.pitch(w) - 1.2 >= 5


def symbols_row(
    svg: Svg,
    shown: StreamWindow,
    symbols: NDArray[np.int64],
    truth: NDArray[np.int64] | None,
    w: float,
    y: float,
) -> None:
    """Draw one row: squares for two states, strokes at their places else; wrong ones are underlined."""
    pitch, n = shown.pitch(w), shown.run.script.n
    size = min(_STRIP, pitch - 1.2)
    # Whole numbers are short.
    size = math.floor(size) if size > 5 else size
    there = np.flatnonzero(symbols != NOTHING)
    if not there.size:
        return
    at = {int(k): shown.x(shown.first + int(k) + 1, w) for k in there}
    if has_squares(shown, w):
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
        tall = strip_height(shown)
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
        wrong = [(at[int(k)], y + strip_height(shown) + 3) for k in there if symbols[k] != truth[k]]
        svg.path(strokes(wrong, "h", size), stroke="ink", stroke_width=2)


def caption(svg: Svg, y: float, one: str, two: str) -> None:
    """Write what a row is, in one line or two."""
    svg.text(0, y, one)
    if two:
        svg.text(0, y + 13, two, fill="ink2", size=11)


def steps_line(
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
        y = rounded(svg, foot - value * tall)
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


def rounded(svg: Svg, value: float) -> float:
    """Return a length in whole pixels where a picture has less detail, since these are shorter to write."""
    return value if svg.sheet.detail == 2 or not math.isfinite(value) else float(round(value))


def value_beside(svg: Svg, shown: StreamWindow, w: float, y: float, text: str, over: bool) -> None:
    """Write the number of the last step beside it."""
    x = shown.x(shown.run.steps + 1, w) + 6
    svg.text(min(x, w - width(text, 12, True)), y, text, weight=600, fill="over" if over else "ink", **HALO)
