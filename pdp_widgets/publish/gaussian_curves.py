"""What one adversary of Gaussian data sees: densities, their log ratio, and where the leakage comes from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.gaussian.comparison import Comparison
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.publish.formatting import MINUS, fixed, leakage, parameter, scientific, signed, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, in_quotes, isolate, shorten, width, wrap
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.palette import SERIES
from pdp_widgets.publish.snapshot import table
from pdp_widgets.publish.svg import Svg, polyline

__all__ = ["curves", "curves_tables", "sources", "sources_table"]

Floats = NDArray[np.float64]

#: Keeps text readable where a line passes behind it.
_HALO: dict[str, str | float] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}
_POINTS = 161
_PARTS = 5
# On a narrower axis, relative to what lies in its middle, all releases would read the same.
_APART = 1e-9


def curves(svg: Svg, adversary: GaussianAdversary, w: float) -> float:
    """Draw the densities of the release and their log ratio with its limits; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    adversary
        Who looks.
    w
        Room in px.
    """
    top = panel(svg, w, "Density of the published number r", right=fit(adversary.model.unit, w / 3))
    name = in_quotes(adversary.target, isolate(shorten(adversary.target, 60)))
    if adversary.determined:
        y = top
        words = f"What is known leaves {name} no two values to tell apart."
        for line in wrap(words, w, 12):
            y += 17
            svg.text(0, y, line)
        return y + 8
    seen = Comparison(adversary)
    beside = np.linspace(-seen.half, seen.half, _POINTS)
    left, right, tall = 46.0, w - 2, 92.0
    xs = np.linspace(left, right, _POINTS).tolist()
    densities = seen.densities_beside(beside)
    each = (w - left) / 2
    legend = [f"if {name} is {_value(value)}" for value in seen.pair]
    if any(width(text, 12, True) > each - 36 for text in legend):
        # The name once, above both values.
        for line in wrap(f"if {name} is", w - left, 12, most=2):
            svg.text(left, top + 8, line, fill="ink2")
            top += 16
        top, legend = top + 2, [_value(value) for value in seen.pair]
    for k, text in enumerate(legend):
        x, style = left + k * each, _style(k)
        svg.path(f"M{x:g} {top + 4:g}h22", **style)
        svg.text(x + 28, top + 8, fit(text, each - 36, 12, True), weight=600)
    y0, peak = top + 22, float(densities.max())
    ceiling = max(peak * 1.04, ticks(0.0, peak, 2)[-1])
    for value in ticks(0.0, peak, 2):
        y = y0 + tall * (1 - value / ceiling)
        svg.line(left, y, right, y, stroke="line" if value else "line2")
        svg.text(left - 6, y + 4, tick(value), anchor="end", fill="ink2")
    for k, density in enumerate(densities):
        ys = (y0 + tall * (1 - density / ceiling)).tolist()
        svg.path(polyline(list(zip(xs, ys, strict=True))), **_style(k))
    return _log_ratio(svg, seen, beside, xs, (left, right), y0 + tall + 26)


def _origin(seen: Comparison) -> float:
    """Return what is taken off the releases on an axis: they may be too large to be told apart otherwise."""
    return 0.0 if seen.half > _APART * abs(seen.middle) else seen.middle


def _released(origin: float) -> str:
    if not origin:
        return "r"
    return f"r {'+' if origin < 0 else MINUS} {parameter(abs(origin))}"


def _style(k: int) -> dict[str, str | float]:
    colour, dashes = SERIES[k]
    style: dict[str, str | float] = {"stroke": colour, "stroke_width": 2}
    return style | ({"stroke_dasharray": dashes} if dashes else {})


def _value(value: float) -> str:
    """Return a value of the attacked tuple: as many decimals as it needs, three digits at most beyond."""
    return tick(float(f"{value:.6g}"))


def _log_ratio(
    svg: Svg, seen: Comparison, beside: Floats, xs: list[float], sides: tuple[float, float], y: float
) -> float:
    """Draw the log ratio between its two limits, with the promise as a band."""
    left, right = sides
    promise, limit = seen.adversary.promise, seen.limit
    low, high = (_value(value) for value in seen.pair)
    svg.text(left, y, f"log ratio, {high} over {low}, nats", weight=600)
    top, tall = y + 10, 130.0
    end = max(limit, promise, 1e-300) * 1.3

    def at(nats: float) -> float:
        return top + tall * (0.5 - nats / (2 * end))

    ratio = seen.log_ratio_beside(beside)
    points = list(zip(xs, ratio.tolist(), strict=True))
    svg.rect(left, at(promise), right - left, at(-promise) - at(promise), fill="tint")
    for sign in (1, -1):
        outside = [(x, at(v)) for x, v in points if sign * v > promise * (1 + 1e-9)]
        if len(outside) > 1:
            edge = at(sign * promise)
            shape = [(outside[0][0], edge), *outside, (outside[-1][0], edge)]
            svg.path(polyline(shape, close=True), fill="overtint")
    for nats in ticks(-end, end, 5):
        svg.line(left, at(nats), right, at(nats), stroke="line" if nats else "line2")
        svg.text(left - 6, at(nats) + 4, tick(nats), anchor="end", fill="ink2")
    for sign in (1, -1):
        svg.line(
            left,
            at(sign * promise),
            right,
            at(sign * promise),
            stroke="promise",
            stroke_width=1.5,
            stroke_dasharray="4 3",
        )
    if limit > 0 and seen.adversary.is_limit:
        for sign in (1, -1):
            dots: dict[str, str | float] = {"stroke_dasharray": "1 4", "stroke_linecap": "round"}
            svg.line(left, at(sign * limit), right, at(sign * limit), stroke="ink", stroke_width=1.5, **dots)
    svg.path(polyline([(x, at(v)) for x, v in points]), stroke="ink", stroke_width=2)
    rising = seen.shift > 0
    corner, anchor = (right - 4, "end") if rising else (left + 4, "start")
    svg.text(corner, at(-promise) - 5, f"promise ±{leakage(promise)}", anchor=anchor, fill="promise", **_HALO)
    if limit > 0:
        words = "limit, never attained" if seen.adversary.is_limit else "attained"
        number = leakage(limit, promise)
        svg.text(corner, at(limit) - 6, f"{number}, {words}", anchor=anchor, weight=600, **_HALO)
    _nearly(svg, seen, (left, right), at)
    foot = top + tall
    svg.line(left, foot, right, foot, stroke="line2")
    origin = _origin(seen)
    middle = seen.middle - origin
    for value in ticks(middle - seen.half, middle + seen.half, 8):
        x = left + ((value - middle) / seen.half + 1) / 2 * (right - left)
        svg.line(x, foot, x, foot + 4, stroke="line2")
        svg.text(x, foot + 17, tick(value), anchor="middle", fill="ink2")
    if not origin:
        svg.text(left - 24, foot + 17, "r", anchor="end", fill="ink2")
        return foot + 22
    svg.text(right, foot + 33, _released(origin), anchor="end", fill="ink2")
    return foot + 38


def _nearly(svg: Svg, seen: Comparison, sides: tuple[float, float], at: object) -> None:
    """Mark where 99 % of the limit is reached, when that is on the axis."""
    beside = seen.nearly_beside
    if beside is None or not seen.adversary.is_limit or not callable(at) or not beside < seen.half:
        return
    share = beside / seen.half if seen.shift > 0 else -beside / seen.half
    x = sides[0] + (share + 1) / 2 * (sides[1] - sides[0])
    y = at(0.99 * seen.limit)
    svg.line(x, y - 6, x, y + 6, stroke="ink", stroke_width=2)
    room = width("99 % of the limit") / 2
    x = min(max(x, sides[0] + room), sides[1] - room)
    svg.text(x, y + 20, "99 % of the limit", anchor="middle", **_HALO)


def _parts(adversary: GaussianAdversary) -> list[tuple[str, float]]:
    """Return what one unit more of the target shows through whom: the largest parts, then the rest."""
    found = sorted(adversary.through.items(), key=lambda part: -abs(part[1]))
    rest = found[_PARTS:] if len(found) > _PARTS + 1 else []
    shown = found[: len(found) - len(rest)]
    parts = [("own weight", adversary.own), *((f"through {name}", value) for name, value in shown)]
    if rest:
        parts.append((f"through {len(rest)} others", sum(value for _, value in rest)))
    return parts


def sources(svg: Svg, adversary: GaussianAdversary, w: float) -> float:
    """Draw where the leakage comes from, one bar a tuple; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    adversary
        Who looks.
    w
        Room in px.
    """
    unit = adversary.model.unit
    name = in_quotes(adversary.target, isolate(shorten(adversary.target, 60)))
    right = "in r" if not unit else f"{unit} in r"
    one = f"1 {isolate(shorten(unit, 12))}" if unit.strip() else "1"
    top = panel(svg, w, fit(f"{one} more in {name}", w - 70, 13, True), right=fit(right, 66))
    parts = _parts(adversary)
    ends = np.cumsum([0.0, *(value for _, value in parts)])
    low, high = float(ends.min()), float(ends.max())
    high = high if high > low else low + 1.0
    own = max(abs(a) for a in adversary.release.weights)
    high, low = max(high, own if adversary.coefficient >= 0 else high), min(low, 0.0)
    pad = 1.0

    def x(value: float) -> float:
        return pad + (value - low) / (high - low) * (w - 2 * pad)

    y = top
    foot = top + 30 * (len(parts) + 1)
    svg.line(x(0), top, x(0), foot, stroke="line2")
    for k, (label, value) in enumerate(parts):
        svg.text(0, y + 11, fit(label, w - 62), **_HALO)
        svg.text(w, y + 11, fixed(value, 3) if k == 0 else signed(value), anchor="end", **_HALO)
        a, b = sorted((x(float(ends[k])), x(float(ends[k + 1]))))
        svg.rect(a, y + 15, max(b - a, 1.0), 9, fill="ink2" if k == 0 else "b")
        y += 30
    svg.text(0, y + 11, "together", weight=600, **_HALO)
    svg.text(w, y + 11, fixed(adversary.coefficient, 3), anchor="end", weight=600, **_HALO)
    a, b = sorted((x(0.0), x(adversary.coefficient)))
    svg.rect(a, y + 15, max(b - a, 1.0), 9, fill="ink")
    y += 34
    if adversary.determined:
        return y
    factor = adversary.release.factor
    words = f"times M/λ = {parameter(factor)}: {leakage(adversary.leakage.value, adversary.promise)} nats"
    for line in wrap(words, w, 12):
        y += 16
        svg.text(0, y, line, fill="ink2")
    return y + 4


def sources_table(adversary: GaussianAdversary) -> str:
    """Return the parts of the leakage as an HTML table, all of them."""
    rows = [["own weight", fixed(adversary.own, 4)]]
    rows += [[f"through {fit(name, 160)}", signed(value, 4)] for name, value in adversary.through.items()]
    rows.append(["together", fixed(adversary.coefficient, 4)])
    caption = f"What one unit more of {fit(adversary.target, 160)} adds to the release"
    return table(caption, ["part", "units of r"], rows)


def curves_tables(adversary: GaussianAdversary) -> str:
    """Return densities and log ratio at round releases as an HTML table; empty when determined."""
    if adversary.determined:
        return ""
    seen = Comparison(adversary)
    origin = _origin(seen)
    middle = seen.middle - origin
    r = np.array(ticks(middle - seen.half, middle + seen.half, 16))
    low, high = (_value(value) for value in seen.pair)
    lower, upper = seen.densities_beside(r - middle)
    ratio = seen.log_ratio_beside(r - middle)
    rows = [
        [tick(at), _density(p), _density(q), leakage(v, seen.adversary.promise)]
        for at, p, q, v in zip(r.tolist(), lower.tolist(), upper.tolist(), ratio.tolist(), strict=True)
    ]
    bounds = [leakage(value, seen.adversary.promise) for value in adversary.limits(*reversed(seen.pair))]
    rows = [["−∞", "0", "0", bounds[0]], *rows, ["∞", "0", "0", bounds[1]]]
    head = [
        _released(origin),
        f"density if {low}",
        f"density if {high}",
        f"log ratio, {high} over {low}, nats",
    ]
    return table(f"What is published, by {fit(adversary.target, 160)}", head, rows)


def _density(value: float) -> str:
    return fixed(value, 4) if value == 0 or value >= 5e-5 else scientific(value)
