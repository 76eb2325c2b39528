"""The panel of one pair's leakage at every budget."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError
from pdp_widgets.leakage.local.budget_axis import budget_end
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.reports_curve import ReportsCurve
from pdp_widgets.publish.formatting import fixed, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import wrap
from pdp_widgets.publish.local_reports_picture import reports_strip
from pdp_widgets.publish.local_wording import LocalCase, budget, told
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.svg import Style, Svg, polyline

__all__ = ["KnownCurve", "crossing", "curve_fits", "curve_numbers", "curve_panel"]

Floats = NDArray[np.float64]

_POINTS = 81
#: Seconds that a curve may take.
_LONGEST = 0.6
_HALO: dict[str, Style] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}
#: Rows of a list of budgets.
_ROWS = 9


@dataclass(frozen=True, eq=False)
class KnownCurve:
    """What leaks of a pair at several budgets, where that took longer than a picture may.

    Parameters
    ----------
    epsilons
        The budgets in nats, finite and ascending.
    pair, mirror
        The leakages in nats, each exact.
    coarse
        Whether there are so few budgets that lines between them need a word.
    """

    epsilons: Floats
    pair: Floats
    mirror: Floats
    coarse: bool = False


def curve_fits(analysis: LocalAnalysis, source: int, secret: int, budgets: int = _POINTS) -> bool:
    """Say whether both directions of a pair are computed at so many budgets within a moment.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> curve_fits(LocalAnalysis(titanic(), "OUE", 1.0), 0, 3)
    True
    """
    if analysis.output == "inferred":
        return True
    sizes = analysis.tables.sizes.tolist()
    m, t = sizes[secret], sizes[source]
    kind = analysis.mechanisms[source].family(t).kind
    # One sort serves all budgets; sets of one size are searched anew at each.
    each = {"all": 1.2e-7, "exactly": 3e-9 * budgets}.get(kind, 0.0)
    return float(each * m * t * (m + t)) <= _LONGEST


def crossing(levels: Floats, first: Floats, second: Floats) -> float | None:
    """Return the budget at which two curves change places, by a straight line between points, or None.

    Examples
    --------
    >>> crossing(np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.2, 1.6]))
    1.3333333333333333
    """
    difference = first - second
    for i in range(1, len(levels) - 1):
        a, b = difference[i], difference[i + 1]
        if a * b < 0:
            return float(levels[i] + (levels[i + 1] - levels[i]) * a / (a - b))
    return None


def curve_numbers(
    analysis: LocalAnalysis, source: int, secret: int, known: KnownCurve | None = None
) -> list[tuple[float, float, float]]:
    """Return some budgets with what leaks there, and the other way round; none where that takes long.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> [round(v, 3) for v in curve_numbers(LocalAnalysis(titanic(), "GRR", 1.0), 0, 3)[3]]
    [1.0, 0.268, 0.384]
    """
    if known is not None:
        every = max(1, (len(known.epsilons) - 1) // (_ROWS - 1))
        taken = (part[::every].tolist() for part in (known.epsilons, known.pair, known.mirror))
        return list(zip(*taken, strict=True))
    if not curve_fits(analysis, source, secret):
        return []
    levels = np.array([0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, np.inf])
    ways = ((source, secret), (secret, source))
    there, back = (analysis.curve(j, k, levels).values.tolist() for j, k in ways)
    return list(zip(levels.tolist(), there, back, strict=True))


def curve_panel(
    svg: Svg,
    analysis: LocalAnalysis,
    case: LocalCase,
    w: float,
    known: KnownCurve | None = None,
    reports: ReportsCurve | None = None,
) -> float:
    """Draw the leakage of the pair, of its mirror and of all reports at every budget; return the height."""
    top = panel(svg, w, "Leakage against ε", right="nats")
    j, k = analysis.tables.position(case.source), analysis.tables.position(case.secret)
    try:
        analysis.mechanisms[j].with_epsilon(1.0)
    except BudgetError as fault:
        y = top
        for line in wrap(str(fault), w, 12, most=5):
            y += 17
            svg.text(0, y, line)
        return y + 8
    if known is None and not curve_fits(analysis, j, k):
        svg.text(0, top + 17, "The attributes have too many labels for a curve here.")
        return top + 30
    if known is None:
        end = budget_end(case.epsilon)
        with np.errstate(over="ignore"):
            levels = np.linspace(0.0, end, _POINTS)
        curves = [analysis.curve(j, k, levels), analysis.curve(k, j, levels)]
        values = [np.asarray(curve.values) for curve in curves]
    else:
        levels, end = known.epsilons, float(known.epsilons[-1])
        values = [known.pair, known.mirror]
    found = (analysis.pair(j, k).saturation, analysis.pair(k, j).saturation)
    limits = [math.inf if limit is None else limit for limit in found]
    peak = max(float(v[np.isfinite(v)].max(initial=0.0)) for v in values)
    highest = max(
        peak, *(limit for limit in limits if math.isfinite(limit) and limit < 1.5 * max(peak, 1e-12)), 1e-12
    )
    tall, left, right = 150.0, 34.0, w - 58
    ceiling = min(highest * 1.12, sys.float_info.max)
    foot = top + tall

    def x(e: float) -> float:
        # Divided first: the largest floats must not overflow.
        return left + (right - left) * (e / end)

    def up(v: float) -> float:
        return foot - tall * (min(v, ceiling) / ceiling)

    for value in ticks(0.0, ceiling, 3):
        svg.line(left, up(value), right, up(value), stroke="line" if value else "line2")
        svg.text(left - 6, up(value) + 4, tick(value), anchor="end", fill="ink2", size=11)
    for value in ticks(0.0, end, 4):
        svg.line(x(value), foot, x(value), foot + 4, stroke="line2")
        svg.text(x(value), foot + 16, tick(value), anchor="middle", fill="ink2", size=11)
    reach = min(end, ceiling)
    svg.path(
        polyline([(x(0), up(0)), (x(reach), up(reach))]),
        stroke="promise",
        stroke_width=1.5,
        stroke_dasharray="4 3",
    )
    early = x(reach) + 60 < right
    at = reach if early else reach * 0.6
    svg.text(
        x(at) + (5 if early else -8),
        up(at) + (10 if early else -2),
        "promise ε",
        anchor="start" if early else "end",
        fill="promise",
        size=11,
        **_HALO,
    )
    styles: list[dict[str, Any]] = [
        {"stroke": "b", "stroke_width": 2.5},
        {"stroke": "a", "stroke_width": 2.5, "stroke_dasharray": "5 2.5"},
    ]
    for v, style in zip(values, styles, strict=True):
        points = [
            (x(e), up(float(value)))
            for e, value in zip(levels.tolist(), v, strict=True)
            if math.isfinite(value)
        ]
        svg.path(polyline(points), **style)
        if known is not None and known.coarse:
            for place in points:
                svg.circle(*place, 2.5, fill=str(style["stroke"]))
    _limits(svg, list(zip(limits, styles, strict=True)), x(end * 0.8), right, up, ceiling)
    if math.isfinite(case.epsilon) and case.epsilon <= end:
        svg.line(x(case.epsilon), top, x(case.epsilon), foot, stroke="brand", stroke_width=1.5)
        for leaks, colour in ((case.value, "b"), (case.mirror, "a")):
            if math.isfinite(leaks):
                svg.circle(x(case.epsilon), up(leaks), 4.5, fill=colour, stroke="bg")
    apart = float(np.abs(values[0] - values[1])[np.isfinite(values[0] - values[1])].max(initial=0.0))
    # Curves that are all but the same have no crossing to speak of.
    meets = crossing(levels, values[0], values[1]) if apart > 0.02 * highest else None
    y = foot + 34
    most = 60 if svg.sheet.detail else 18
    source, secret = told(case.source, most), told(case.secret, most)
    for text, style in (
        (f"{source} about {secret}", styles[0]),
        (f"{secret} about {source}", styles[1]),
    ):
        svg.path(f"M0 {y - 4:g}h26", **style)
        for line in wrap(text, w - 36, 12, most=2 if svg.sheet.detail else 1):
            svg.text(32, y, line)
            y += 17
    if meets is not None:
        svg.text(0, y, f"Equal at ε = {budget(round(meets, 2))}; which leaks more depends on ε.", fill="ink2")
        y += 17
    if known is not None and known.coarse:
        svg.text(0, y, f"Exact at {len(levels)} budgets, straight lines between them.", fill="ink2")
        y += 17
    return y if reports is None else reports_strip(svg, reports, case, (left, right), end, y + 4)


def _limits(
    svg: Svg,
    limits: list[tuple[float, dict[str, Any]]],
    left: float,
    right: float,
    up: Callable[[float], float],
    ceiling: float,
) -> None:
    """Draw what is leaked at an infinite budget, where it is on the axis; equal numbers are written once."""
    lowest, said = -math.inf, ""
    for limit, style in sorted(limits, key=lambda item: -item[0]):
        if not math.isfinite(limit) or limit > ceiling:
            continue
        dots: dict[str, Style] = {"stroke_dasharray": "1 3", "stroke_linecap": "round", "stroke_width": 1.5}
        svg.line(left, up(limit), right, up(limit), stroke=style["stroke"], **dots)
        text = f"limit {fixed(limit, 2)}"
        if text != said:
            at = max(up(limit), lowest + 13)
            svg.text(right + 4, at + 4, text, fill="ink2", size=11)
            lowest, said = at, text
