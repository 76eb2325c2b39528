"""What all reports together say about the chosen secret by budget, for the curves of a local explorer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError
from pdp_widgets.leakage.local.budget_axis import budget_end
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.reports_curve import ReportsCurve, reports_curve, reports_curve_seconds
from pdp_widgets.leakage.progress import ProgressHook

__all__ = ["has_reports", "late_reports", "late_reports_seconds", "reports_levels"]

#: Budgets of the curve, and seconds that their exact values may take; beyond, they are bounds.
_BUDGETS, _LONGEST = 25, 1.0


def has_reports(analysis: LocalAnalysis) -> bool:
    """Tell whether there are several reports, and budgets to draw them over."""
    if len(analysis.names) < 2:
        return False
    try:
        analysis.at(1.0)
    except BudgetError:
        return False
    return True


def reports_levels(epsilon: float) -> NDArray[np.float64]:
    """Return the budgets of the curve where ``epsilon`` is set.

    Examples
    --------
    >>> reports_levels(1.0)[[0, 6, 24]].tolist()
    [0.0, 1.0, 4.0]
    """
    # The largest floats may overflow on the way.
    with np.errstate(over="ignore"):
        return np.linspace(0.0, budget_end(epsilon), _BUDGETS)


def late_reports_seconds(analysis: LocalAnalysis, secret: int) -> float:
    """Return about how long `late_reports` takes. Nothing is computed."""
    return reports_curve_seconds(analysis, secret, _BUDGETS, _LONGEST)


def late_reports(
    analysis: LocalAnalysis, secret: int, progress: ProgressHook | None = None
) -> ReportsCurve | None:
    """Return what all reports together say about an attribute by budget; None where that takes long.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> found = late_reports(LocalAnalysis(titanic(), "GRR", 1.0), 3)
    >>> found.secret, found.exact, round(float(found.values[6]), 3)
    ('survived', True, 1.834)
    """
    levels = reports_levels(analysis.mechanisms[0].epsilon)
    return reports_curve(analysis, secret, levels, _LONGEST, progress)
