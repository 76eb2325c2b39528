"""What all reports together say about the secret at every budget, below the curve of a pair."""

from __future__ import annotations

import math
import sys

import numpy as np

from pdp_widgets.errors import LimitError
from pdp_widgets.leakage.local.budget_axis import budget_end
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.reports_curve import ReportsCurve, reports_curve
from pdp_widgets.publish.formatting import tick
from pdp_widgets.publish.labels import fit, width
from pdp_widgets.publish.local_wording import LocalCase, reports, told
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.svg import Style, Svg, polyline

__all__ = ["reports_fitting", "reports_strip"]

#: Budgets, and seconds that exact values may take; beyond, they are bounds.
_POINTS, _LONGEST = 25, 0.5
_TALL = 84.0


def reports_fitting(analysis: LocalAnalysis, secret: int) -> ReportsCurve | None:
    """Return all reports together about an attribute by budget, where that takes a moment; None elsewhere.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> reports_fitting(LocalAnalysis(titanic(), "GRR", 1.0), 3).exact
    True
    """
    with np.errstate(over="ignore"):
        levels = np.linspace(0.0, budget_end(analysis.mechanisms[0].epsilon), _POINTS)
    try:
        return reports_curve(analysis, secret, levels, _LONGEST)
    except LimitError:
        # Tables of pairs do not say it.
        return None


def reports_strip(
    svg: Svg, curve: ReportsCurve, case: LocalCase, sides: tuple[float, float], end: float, y: float
) -> float:
    """Draw the curve below what is drawn already, over the same budgets; return the height taken.

    Parameters
    ----------
    svg
        Where it is drawn.
    curve
        What is drawn.
    case
        The pair in words, with the present budget.
    sides
        Left and right end of the axis of budgets.
    end
        The budget at its right end.
    y
        Where it begins.
    """
    left, right = sides
    kind = ", exact" if curve.exact else ", joint bound"
    who = f"{reports(case)} about "
    room = right + 50 - width(who + kind, 12, True)
    # The name gives way, not what kind of number it is.
    heading = (
        f"{who}{fit(told(curve.secret), room, 12, True)}{kind}" if svg.sheet.detail else reports(case) + kind
    )
    svg.text(0, y + 12, heading, weight=600)
    top, foot = y + 22, y + 22 + _TALL
    shown = [
        (e, v)
        for e, v in list(zip(curve.epsilons.tolist(), curve.values.tolist(), strict=True))[::2]
        if e <= end and math.isfinite(v)
    ]
    ceiling = min(max([end, *(v for _, v in shown)]) * 1.04, sys.float_info.max)

    def x(e: float) -> float:
        # Divided first: the largest floats must not overflow.
        return left + (right - left) * (e / end)

    def up(v: float) -> float:
        return float(foot - (foot - top) * (v / ceiling))

    for value in ticks(0.0, ceiling, 2):
        svg.line(left, up(value), right, up(value), stroke="line" if value else "line2")
        svg.text(left - 6, up(value) + 4, tick(value), anchor="end", fill="ink2", size=11)
    # The axis above has the same budgets.
    for value in ticks(0.0, end, 4) if svg.sheet.detail else ():
        svg.text(x(value), foot + 16, tick(value), anchor="middle", fill="ink2", size=11)
    promise: dict[str, Style] = {"stroke": "promise", "stroke_width": 1.5, "stroke_dasharray": "4 3"}
    svg.path(polyline([(x(0), up(0)), (x(end), up(end))]), **promise)
    dashes: dict[str, Style] = {} if curve.exact else {"stroke_dasharray": "7 3 1.5 3"}
    svg.path(polyline([(x(e), up(v)) for e, v in shown]), stroke="ink", stroke_width=2, **dashes)
    if math.isfinite(case.epsilon) and case.epsilon <= end:
        svg.line(x(case.epsilon), top, x(case.epsilon), foot, stroke="brand", stroke_width=1.5)
        at = case.exact if curve.exact else case.joint_bound
        if at is not None and at <= ceiling and svg.sheet.detail:
            svg.circle(x(case.epsilon), up(at), 4, fill="ink")
    return foot + 24
