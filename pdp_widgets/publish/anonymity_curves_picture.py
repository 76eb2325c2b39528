"""The slack of a release by ε, on a logarithmic axis, and by the share of the records that is known."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.publish.anonymity_axes_picture import BAND, HALO, LogAxes
from pdp_widgets.publish.anonymity_names import event_words
from pdp_widgets.publish.anonymity_numbers import budget_text, slack_text
from pdp_widgets.publish.anonymity_shown import ShownAnonymity, finite
from pdp_widgets.publish.formatting import tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, width, wrap
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.svg import Style, Svg, joined, number, polyline

__all__ = ["curves_panel", "known_panel"]

Floats = NDArray[np.float64]

_LEFT, _RIGHT = 42.0, 6.0
_DASHES = "6 4"
#: The axis of slacks ends here.
_LEAST = -12


def _powers(shown: ShownAnonymity) -> int:
    """Return how many powers of ten the curves need: one more than the exact curve, at most twelve."""
    curves = [shown.exact, *shown.bounds]
    for one in curves:
        if one.why is None and (values := finite(one.drawn)).size:
            lowest = math.floor(math.log10(float(values.min())) + 1e-9)
            return min(-_LEAST, max(2, 1 - lowest))
    return 5


def curves_panel(svg: Svg, shown: ShownAnonymity, w: float) -> float:
    """Draw the slack by ε: exact, bounds, as printed, and where it is violated; return the height taken."""
    results = shown.results
    verb = "hide" if shown.thing == "records" else "hides"
    title = f"How the {shown.thing} {verb} one {fit(shown.noun, 120)}"
    y = panel(svg, w, title, "slack δ for each ε")
    svg.text(0, y + 8, "δ", weight=600)
    axis = np.asarray(results.axis, dtype=np.float64)
    top = y + 4 + BAND
    tall = min(470.0, max(300.0, 0.95 * w))
    axes = LogAxes(_LEFT, w - _RIGHT, top, top + tall, float(axis[-1]) or 1.0, _powers(shown))
    _vacuous(svg, axes)
    axes.grid(svg)
    found = ticks(0.0, axes.end, 5)
    for value in found:
        x, last = axes.x(value), value == found[-1]
        svg.line(x, axes.foot, x, axes.foot + 4, stroke="line2")
        text = f"ε = {tick(value)}" if last else tick(value)
        svg.text(
            w if last else x, axes.foot + 18, text, anchor="end" if last else "middle", fill="ink2", size=11
        )
    if shown.paper is not None and shown.paper.why is None:
        _violated(svg, shown, axes, axis)
    for one in shown.bounds:
        for piece in axes.points(axis, np.asarray(one.drawn)):
            axes.lines.append(piece)
            svg.path(polyline(piece), stroke="promise", stroke_width=2, stroke_dasharray=_DASHES)
            _end(svg, axes, piece[-1])
    if shown.exact.why is None:
        for piece in axes.points(axis, np.asarray(shown.exact.drawn)):
            axes.lines.append(piece)
            svg.path(polyline(piece), stroke="ink", stroke_width=2.5)
            if piece[-1][1] >= axes.foot - 0.5:
                _leaves(svg, piece[-1], "ink")
    if shown.paper is not None and shown.paper.why is None:
        _printed(svg, shown, axes, axis)
    _chosen(svg, shown, axes)
    _names(svg, shown, axes, axis)
    return _key(svg, shown, w, axes.foot + 40)


def _vacuous(svg: Svg, axes: LogAxes) -> None:
    """Hatch the band of slacks from 1 on: they promise nothing."""
    low, high = axes.top, axes.top - BAND
    starts = np.arange(axes.left, axes.right - BAND, 8.0).tolist()
    lines = "".join(f"M{joined(x, low)}l{number(BAND)} {number(high - low)}" for x in starts)
    svg.path(lines, stroke="line2")
    words = "vacuous: promises nothing"
    wide = width(words, 11) + 12
    svg.rect(axes.left + 8, high + 2, wide, BAND - 4, fill="bg")
    svg.text(axes.left + 14, low - 7, words, size=11, fill="ink2")


def _end(svg: Svg, axes: LogAxes, at: tuple[float, float]) -> None:
    """End a bound in a bracket, or in an arrow at the foot."""
    x, y = at
    if y >= axes.foot - 0.5:
        _leaves(svg, at, "promise")
    elif x >= axes.right - 0.5:
        svg.path(f"M{joined(x - 8, y)}h8M{joined(x, y - 7)}v14", stroke="promise", stroke_width=2)


def _leaves(svg: Svg, at: tuple[float, float], tone: str) -> None:
    """Mark where a curve goes on below the axis."""
    svg.path(f"M{joined(at[0] - 6, at[1] - 8)}l6 7 6-7", stroke=tone, stroke_width=2)


def _violated(svg: Svg, shown: ShownAnonymity, axes: LogAxes, axis: Floats) -> None:
    """Tint where the exact slack is above the printed one."""
    exact, printed = np.asarray(shown.exact.drawn), np.asarray(shown.paper.drawn)
    for low, high in shown.paper.violated:
        inside = (axis >= low - 1e-12) & (axis <= high + 1e-12) & ~np.isnan(exact) & ~np.isnan(printed)
        if not inside.any():
            continue
        upper = [(axes.x(e), axes.y(v)) for e, v in zip(axis[inside], exact[inside], strict=True)]
        lower = [(axes.x(e), axes.y(v)) for e, v in zip(axis[inside], printed[inside], strict=True)]
        svg.path(polyline([*upper, *reversed(lower)], close=True), fill="overtint")
        x = axes.x(low)
        svg.line(x, upper[0][1] + 6, x, axes.foot, stroke="over", stroke_dasharray="2 3")


def _printed(svg: Svg, shown: ShownAnonymity, axes: LogAxes, axis: Floats) -> None:
    """Draw the printed formula: a hairline with diamonds, and an arrow where it leaves the axis."""
    drawn = np.asarray(shown.paper.drawn)
    for piece in axes.points(axis, drawn):
        axes.lines.append(piece)
        svg.path(polyline(piece), stroke="paper", stroke_width=1)
        if piece[-1][1] >= axes.foot - 0.5:
            _leaves(svg, piece[-1], "paper")
    for k in range(5, len(axis), 5):
        if axes.least < drawn[k] <= 1:
            mark(svg, "paper", axes.x(float(axis[k])), axes.y(float(drawn[k])), 3)


def _chosen(svg: Svg, shown: ShownAnonymity, axes: LogAxes) -> None:
    """Mark the chosen ε, and every number there."""
    epsilon = shown.results.epsilon
    if not math.isfinite(epsilon) or epsilon > axes.end:
        return
    x = axes.x(epsilon)
    svg.line(x, axes.top - BAND, x, axes.foot + 4, stroke="brand", stroke_width=1.5)
    axes.lines.append([(x, axes.top - BAND), (x, axes.foot)])
    found: list[tuple[float, str, str, bool]] = []
    if shown.value_at is not None:
        found.append((shown.value_at, shown.slack(shown.value_at), "exact", False))
    found += [(float(one.at), shown.slack(float(one.at), up=True), "bound", True) for one in shown.bounds]
    paper = shown.paper
    if paper is not None and paper.at is not None and paper.at > 0:
        found.append((float(paper.at), shown.slack(float(paper.at)), "paper", False))
    said: set[tuple[str, int]] = set()
    for value, text, kind, up in found:
        if math.isnan(value) or value < axes.least or value > 1:
            continue
        y = axes.y(value)
        if kind == "bound":
            svg.circle(x, y, 3.5, fill="promise")
        else:
            mark(svg, "exact" if kind == "exact" else "paper", x, y, 5 if kind == "exact" else 4)
        if (text, round(y)) in said:
            continue
        said.add((text, round(y)))
        above, below = y - 8, y + 17
        first, second = (above, below) if up else (below, above)
        spots = [
            (x - 9, first, "end"),
            (x + 9, first, "start"),
            (x - 9, second, "end"),
            (x + 9, second, "start"),
        ]
        style: dict[str, Style] = {"fill": "paper"} if kind == "paper" else {}
        if kind == "exact":
            style = {"weight": 600}
        axes.put(svg, text, spots, 0.0, **style)


def _names(svg: Svg, shown: ShownAnonymity, axes: LogAxes, axis: Floats) -> None:
    """Write the name of every curve beside it."""
    _name_exact(svg, shown, axes, axis)
    start = shown.violated_from
    if start is not None:
        words = f"{'exact is above, ' if axes.right > 400 else ''}from ε = {budget_text(start)}"
        wide = width(words, 11) + 16
        x = axes.x(min(axes.end, max(start, 0.0)))
        rows = np.arange(axes.foot - 12, axes.top + 20, -9).tolist()
        spots = [(axes.right - 8, y, "end") for y in rows] + [(x + 8, y, "start") for y in rows]
        # Where the exact curve is above it all along.
        edges = axes.left + np.linspace(0.0, 1.0, len(axis)) * (axes.right - axes.left)
        heights = np.array([axes.y(value) if value > 0 else axes.foot for value in shown.exact.drawn])
        inside = []
        for left, y, anchor in spots:
            first = left - wide if anchor == "end" else left
            over = heights[(edges >= first) & (edges <= first + wide)]
            if over.size and float(over.max()) < y - 30:
                inside.append((left, y, anchor))
        spots = inside or spots
        at = axes.put(svg, words, spots, above=17, size=11, fill="over")
        if at is not None:
            style: dict[str, Style] = {"weight": 600, "fill": "over", "size": 12}
            svg.text(at[0], at[1] - 15, "▲ violated here", anchor="end", **HALO, **style)
    named = [(one, f"bound: {event_words(one.events)}", "promise") for one in shown.bounds]
    for one, words, tone in named:
        spots = _beside(axes, axis, np.asarray(one.drawn), (0.97, 0.8, 0.66, 0.52, 0.36, 0.2, 0.1))
        axes.put(svg, words, spots, weight=600, fill=tone)


def _name_exact(svg: Svg, shown: ShownAnonymity, axes: LogAxes, axis: Floats) -> None:
    if shown.exact.why is None:
        spots = _beside(axes, axis, np.asarray(shown.exact.drawn), (0.24, 0.12, 0.6, 0.5, 0.8, 0.95))
        axes.put(svg, "exact", [(x, y, a) for x, y, a in spots if a == "end"] + spots, weight=600, fill="ink")


def _beside(
    axes: LogAxes, axis: Floats, values: Floats, shares: tuple[float, ...]
) -> list[tuple[float, float, str]]:
    """Return spots above and below a curve at some shares of the axis."""
    spots = []
    for share in shares:
        place = round(share * (len(axis) - 1))
        at, value = float(axis[place]), float(values[place])
        if axes.least < value <= 1:
            x, y = axes.x(at), axes.y(value)
            anchor = "end" if share > 0.5 else "start"
            spots += [
                (x, y - 9, anchor),
                (x + 8, y - 14, "start"),
                (x - 8, y + 20, "end"),
                (x, y + 20, anchor),
            ]
    return spots


def _key(svg: Svg, shown: ShownAnonymity, w: float, y: float) -> float:
    """Write what the marks are; return the height taken."""
    found = [] if shown.exact.why else [("exact", "exact, any event")]
    found += [("bound", "bound, corrected")] if shown.bounds else []
    if shown.paper is not None:
        n = shown.results.unknown + (0 if shown.inputs.reading.startswith("t1:") else 1)
        found.append(("paper", f"as printed: {shown.paper.label}, n = {n:,}"))
    x = 0.0
    for kind, words in found:
        text = fit(words, w - 18, 11)
        if x and x + 14 + width(text, 11) > w:
            x, y = 0.0, y + 17
        mark(svg, kind, x + 5, y - 4, 4)  # type: ignore[arg-type]
        svg.text(x + 14, y, text, size=11, fill="ink2")
        x += 30 + width(text, 11)
    for one in (shown.exact, shown.paper):
        if one is not None and one.why is not None:
            name = "Exact" if one is shown.exact else "As printed"
            for line in wrap(f"{name}: {one.why}", w, 11, most=2):
                y += 16
                svg.text(0, y, line, size=11, fill="ink2")
    return y + 6


def known_panel(svg: Svg, shown: ShownAnonymity, w: float) -> float:
    """Draw the exact slack by the share of records known; return the height taken."""
    epsilon = budget_text(shown.results.epsilon)
    y = panel(svg, w, "More known, more leakage", right=f"δ at ε = {epsilon}")
    share = np.asarray(shown.results.known.share, dtype=np.float64)
    delta = np.asarray(shown.results.known.delta, dtype=np.float64)
    values = finite(delta)
    if not values.size:
        for line in wrap(shown.exact.why or "not computed", w, 12, most=3):
            y += 16
            svg.text(0, y, line, fill="ink2")
        return y + 8
    powers = min(-_LEAST, max(1, -math.floor(math.log10(float(values.min())) + 1e-9)))
    axes = LogAxes(_LEFT - 4, w - 14, y + 10, y + 140, 1.0, powers)
    axes.grid(svg)
    for value in (0.0, 0.5, 1.0):
        x = axes.x(value)
        svg.line(x, axes.foot, x, axes.foot + 4, stroke="line2")
        text = f"{tick(100 * value)}{' %' if value == 1 else ''}"
        last = value == 1.0
        svg.text(
            w if last else x, axes.foot + 17, text, anchor="end" if last else "middle", fill="ink2", size=11
        )
    for piece in axes.points(share, delta):
        axes.lines.append(piece)
        svg.path(polyline(piece), stroke="ink", stroke_width=2.5)
    case = shown.case
    own = case.known if case.level in ("III", "IV") else 0.0
    x = axes.x(own)
    svg.line(x, axes.top - 6, x, axes.foot + 4, stroke="brand", stroke_width=1.5)
    axes.lines.append([(x, axes.top), (x, axes.foot)])
    here = shown.value_at
    marked: list[tuple[float, float, bool]] = []
    if here is not None and here > 0:
        marked.append((own, here, True))
    for at in (0.0, 0.9):
        if abs(at - own) > 0.15:
            marked.append((at, float(np.interp(at, share, np.nan_to_num(delta, nan=0.0))), False))
    for at, value, chosen in marked:
        if not axes.least * 0.999 <= value <= 1:
            continue
        px, py = axes.x(at), axes.y(value)
        svg.circle(px, py, 5 if chosen else 3, fill="ink")
        spots = [
            (px + 9, py + 16, "start"),
            (px - 8, py - 6, "end"),
            (px + 9, py - 6, "start"),
            (px + 6, py - 10, "start"),
        ]
        style: dict[str, Style] = {"weight": 600} if chosen else {}
        axes.put(svg, slack_text(value), spots if at < 0.6 else [spots[1], *spots], 0.0, **style)
    return axes.foot + 24
