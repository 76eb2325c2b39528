"""What all reports together say about one attribute, budget by budget."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError
from pdp_widgets.leakage.local.hull import Fronts
from pdp_widgets.leakage.local.joint_contraction import MOST_OUTPUTS, joint_outputs
from pdp_widgets.leakage.local.reports_together import together
from pdp_widgets.leakage.local.secret_tables import MOST_CELLS, SecretTables
from pdp_widgets.leakage.progress import ProgressHook, part
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.immutable import ReadOnlyArrays

if TYPE_CHECKING:
    from pdp_widgets.leakage.local.local_analysis import LocalAnalysis

__all__ = ["ReportsCurve", "reports_curve", "reports_curve_seconds"]

Floats = NDArray[np.float64]

#: Seconds for one likelihood of one combination of outputs, for one sorted likelihood, and for one record.
_SECONDS, _SORTED, _RECORD = 8e-8, 1.2e-7, 3e-7
#: Secret values, squared, times combinations of the sources that are sorted for a bound.
_MOST_SORTED = 4e6


@dataclass(frozen=True, eq=False)
class ReportsCurve(ReadOnlyArrays):
    """What all reports together say about one attribute at several budgets of each report.

    Parameters
    ----------
    secret
        Name of the attribute.
    epsilons
        The budgets in nats.
    values
        The leakages in nats.
    exact
        Whether these are exact; otherwise they are joint bounds, see `AllReports`.
    """

    secret: str
    epsilons: Floats
    values: Floats
    exact: bool


def reports_curve(
    analysis: LocalAnalysis,
    secret: int,
    epsilons: ArrayLike,
    longest: float = float("inf"),
    progress: ProgressHook | None = None,
) -> ReportsCurve | None:
    """Return what all reports together say about an attribute, for every budget of each report.

    Parameters
    ----------
    analysis
        Whose mechanisms have budgets.
    secret
        Position of the attribute.
    epsilons
        Budgets in nats, shape (n,).
    longest
        Seconds that exact values may take by their estimate; beyond, joint bounds are computed.
    progress
        Called with the share done. What it raises cancels.

    Returns
    -------
    ReportsCurve or None
        None without budgets, or where bounds take long too.

    Notes
    -----
    About the records that have all attributes, as `all_reports`.

    Examples
    --------
    >>> from pdp_widgets import LocalAnalysis, titanic
    >>> analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    >>> found = reports_curve(analysis, 3, [0.0, 1.0, 2.0])
    >>> found.exact, found.values.round(3).tolist()
    (True, [0.0, 1.834, 3.88])
    >>> reports_curve(analysis, 3, [1.0], longest=0).exact
    False
    """
    whole = analysis.of_complete_records()
    levels = np.asarray(epsilons, dtype=np.float64)
    try:
        steps = [whole.at(level) for level in levels.tolist()]
    except BudgetError:
        return None
    seconds = _exact_seconds(steps, secret)
    exact = seconds < float("inf") and seconds <= longest
    if not exact and _sorted_most(whole, secret) > _MOST_SORTED:
        return None
    n = len(whole.names)
    order = [secret, *(j for j in range(n) if j != secret)]
    tables = SecretTables.of(whole.data, order, whole.min_count)
    values = np.zeros(len(levels))
    if exact:
        for place, step in enumerate(steps):
            values[place] = together(tables, [step.readings[j] for j in order], float(step.dpl[secret]))[0]
            if progress is not None:
                progress((place + 1) / len(levels))
    else:
        # Sorted once, the combinations serve every budget.
        front = Fronts.all_subsets([tables.observed], part(progress, 0.0, 0.9))
        own = np.array([step.dpl[order] for step in steps]).reshape(len(levels), n)
        # Beyond the largest float sums of budgets are infinite, and mean so.
        with np.errstate(over="ignore"):
            values = np.minimum(own[:, 0] + front.values(own[:, 1:].sum(axis=1)), own.sum(axis=1))
    return ReportsCurve(whole.names[secret], levels, values, exact)


def reports_curve_seconds(analysis: LocalAnalysis, secret: int, budgets: int, longest: float) -> float:
    """Return about how long `reports_curve` takes. Nothing is computed.

    Examples
    --------
    >>> from pdp_widgets import LocalAnalysis, titanic
    >>> reports_curve_seconds(LocalAnalysis(titanic(), "OUE", 1.0), 3, 25, 1.0) < 0.01
    True
    """
    exact = budgets * _exact_seconds([analysis], secret)
    most = _sorted_most(analysis, secret)
    records = _RECORD * (len(analysis.data) if isinstance(analysis.data, AttributeTable) else 0)
    if exact < float("inf") and exact <= longest:
        return exact + records
    return records + _SORTED * most if most <= _MOST_SORTED else 0.0


def _exact_seconds(steps: list[LocalAnalysis], secret: int) -> float:
    """Return the seconds of exact values at all steps; infinity where one of them is refused."""
    sizes = steps[0].tables.sizes.tolist() if steps else []
    if prod(sizes) > MOST_CELLS:
        return float("inf")
    total = 0.0
    for step in steps:
        outputs = 1.0
        for j, size in enumerate(sizes):
            if j == secret or size < 2:
                continue
            if step.readings[j].kind == "all" and size > 40:
                return float("inf")
            outputs *= max(1, joint_outputs(np.ones((1, size)), [step.readings[j]]))
        if outputs > MOST_OUTPUTS:
            return float("inf")
        total += _SECONDS * outputs * sizes[secret]
    return total


def _sorted_most(analysis: LocalAnalysis, secret: int) -> float:
    """Return how many likelihoods are sorted for a bound, at most."""
    sizes = analysis.tables.sizes.tolist()
    columns = prod(size for j, size in enumerate(sizes) if j != secret)
    if isinstance(analysis.data, AttributeTable):
        columns = min(columns, len(analysis.data))
    return float(sizes[secret] ** 2 * columns)
