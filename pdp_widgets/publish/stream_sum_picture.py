"""What all steps so far add up to, for each mechanism, beside linear and advanced composition."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.running_bounds import running_bounds
from pdp_widgets.publish.formatting import bound, leakage, tick
from pdp_widgets.publish.labels import fit, width
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.stream_window import LINES, StreamWindow
from pdp_widgets.publish.stream_wording import delta_words
from pdp_widgets.publish.svg import Style, Svg, joined, number, polyline

__all__ = ["smaller_from", "sum_panel"]

_TALL = 130.0
#: Labels at the ends of lines stand no closer, px.
_APART = 14.0
_HALO: dict[str, Style] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}


def smaller_from(shown: StreamWindow) -> int | None:
    """Return the first step from which on advanced composition is the smaller bound to the last; or None."""
    steps = shown.run.steps
    _, linear, advanced = running_bounds(shown.run.script.segments, 0, steps, shown.case.delta)
    larger = np.flatnonzero(~(advanced < linear))
    first = int(larger[-1]) + 2 if larger.size else 1
    return first if first <= steps else None


def sum_panel(svg: Svg, shown: StreamWindow, w: float) -> float:
    """Draw the sums with the axis of steps; return the height taken."""
    case, record = shown.case, shown.record
    x0, x1 = shown.ends(w)
    svg.line(0, 0.5, w, 0.5, stroke="line2")
    svg.text(0, 20, "sum so far", weight=600)
    svg.text(0, 34, "nats", fill="ink2", size=11)
    note = f"advanced composition: δ = {delta_words(case.delta)}"
    if math.isinf(case.linear):
        note = "the sums have no bound"
    elif shown.steps:
        smaller = smaller_from(shown)
        note += (
            ", not the smaller bound" if smaller is None else f", the smaller bound from step {smaller:,} on"
        )
    y, foot = 28.0, 28.0 + _TALL
    lines = [lane.total for lane in shown.lanes] + [record.linear, record.advanced]
    finite = [values[np.isfinite(values)] for values in lines]
    high = max((float(values.max(initial=0.0)) for values in finite), default=0.0) or 1.0
    # A run that has lasted shows how its sums grow, not that they are large.
    lowest = min((float(values.min()) for values in finite if values.size), default=0.0)
    low = 0.0 if shown.first == 0 else max(0.0, lowest - 0.05 * (high - lowest))
    high = min(high + 0.06 * (high - low), sys.float_info.max)

    def at(value: float) -> float:
        # Divided first: the largest floats must not overflow.
        return foot - _TALL * ((value - low) / (high - low))

    for value in ticks(low, high, 4):
        svg.line(x0, at(value), x1, at(value), stroke="line")
        svg.text(x0 - 6, at(value) + 4, tick(value), anchor="end", fill="ink2")
    svg.line(x0, foot, x1, foot, stroke="line2")
    styles = [LINES[lane.line % len(LINES)] for lane in shown.case.lanes]
    styles += [("promise", "6 3"), ("promise", "1.5 2.5")]
    for values, (colour, dashes) in zip(lines, styles, strict=True):
        style: dict[str, Style] = {"stroke": colour, "stroke_width": 1.5 if colour == "promise" else 2.5}
        points = _points(shown, values, w, at)
        svg.path(polyline(points), **style | ({"stroke_dasharray": dashes} if dashes else {}))
    if w >= 480:
        svg.text(x0 + 6, 14, fit(note, x1 - x0), fill="promise", size=11, **_HALO)
    if shown.steps:
        _ends(svg, shown, lines, w, at)
    return _steps_axis(svg, shown, w, foot, y)


def _points(
    shown: StreamWindow, values: NDArray[np.float64], w: float, at: Callable[[float], float]
) -> list[tuple[float, float]]:
    # A sum stands where its step ends.
    return [
        (shown.x(shown.first + k + 2, w), at(float(value)))
        for k, value in enumerate(values)
        if math.isfinite(value)
    ]


def _ends(
    svg: Svg, shown: StreamWindow, lines: list[NDArray[np.float64]], w: float, at: Callable[[float], float]
) -> None:
    """Write the last value of every line beside it; labels move apart, and thin lines lead to them."""
    case = shown.case
    wide = w >= 480
    found: list[tuple[float, str, dict[str, Style]]] = []
    for lane, values in zip(case.lanes, lines, strict=False):
        if math.isnan(values[-1]):
            continue
        tone = "over" if lane.first_over is not None else "ink"
        name = f" {lane.short}" if wide else ""
        found.append((float(values[-1]), leakage(float(values[-1])) + name, {"fill": tone, "weight": 600}))
    for value, name in ((case.linear, " linear"), (case.advanced, " advanced")):
        found.append((value, bound(value) + (name if wide else ""), {"fill": "promise"}))
    found = [each for each in found if math.isfinite(each[0])]
    found.sort(key=lambda each: -each[0])
    x = shown.x(shown.run.steps + 1, w)
    room = w - x - 14
    places = _apart([at(value) for value, *_ in found], 22.0, 28.0 + _TALL)
    leads = ""
    for (value, text, style), y in zip(found, places, strict=True):
        leads += f"M{joined(x + 2, at(value))}L{joined(x + 11, y - 4)}"
        svg.text(x + 13, y, fit(text, max(room, 40), 12, "weight" in style), **style | _HALO)
    svg.path(leads, stroke="line2")


def _apart(wanted: list[float], top: float, bottom: float) -> list[float]:
    """Return baselines near the wanted ones, from top to bottom, that stand apart.

    Examples
    --------
    >>> _apart([30.0, 31.0, 100.0], 22.0, 158.0)
    [34.0, 48.0, 104.0]
    """
    places: list[float] = []
    for y in wanted:
        places.append(max(y + 4, top, places[-1] + _APART if places else top))
    limit = bottom
    for k in reversed(range(len(places))):
        places[k] = min(places[k], limit)
        limit = places[k] - _APART
    return places


def _steps_axis(svg: Svg, shown: StreamWindow, w: float, foot: float, top: float) -> float:
    x0 = shown.ends(w)[0]
    first, last = shown.first + 1, shown.first + shown.last
    svg.text(0, foot + 18, "step", fill="ink2")
    now = shown.run.steps
    marks = [first] + [step for step in range(first + 1, last + 1) if step % 10 == 0]
    said = f"step {now:,}"
    here = shown.x(now + 1, w) if now else x0
    for step in marks:
        x = shown.x(step + 1, w) if step != first else shown.x(step, w)
        if abs(x - here) < width(said, 12, True) / 2 + 18:
            continue
        svg.text(
            min(x, w - 10), foot + 18, f"{step:,}", anchor="start" if step == first else "middle", fill="ink2"
        )
    data = "".join(f"M{number(shown.x(step, w))} {number(top - 6)}V{number(foot)}" for step in shown.edits)
    svg.path(data, stroke="ink", stroke_dasharray="2 3")
    if now:
        svg.line(here, 1, here, foot + 4, stroke="brand", stroke_width=2)
        middle = min(max(here, x0 + 24), w - 24)
        svg.text(middle, foot + 18, said, anchor="middle", weight=600)
    return foot + 24
