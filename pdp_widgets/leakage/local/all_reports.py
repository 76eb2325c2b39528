"""What all reports of a record together say about every attribute: exactly where it can be, and bounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.local.joint_contraction import (
    MOST_OUTPUTS,
    joint_outputs,
    largest_joint_log_ratio,
)
from pdp_widgets.leakage.local.joint_of_records import dense_joint, observed_rows
from pdp_widgets.leakage.local.joint_privacy_loss import as_one_source
from pdp_widgets.leakage.local.reading import Reading, read_all
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution

if TYPE_CHECKING:
    from pdp_widgets.leakage.local.local_analysis import LocalAnalysis

__all__ = ["AllReports", "all_reports", "exact_seconds", "reports_seconds"]

Floats = NDArray[np.float64]

#: Seconds for one likelihood of one combination of outputs, and for one value of one record of one secret.
_SECONDS, _RECORD_SECONDS = 8e-8, 4e-9


@dataclass(frozen=True, eq=False)
class AllReports:
    """All reports together about each attribute, in nats, one number for each.

    Parameters
    ----------
    exact
        Exact values; NaN where they were not computed.
    pairwise_sum
        The own report and the sum of the others (Eq. 6), an estimate.
    bound
        The own report, and all others as one attribute with the sum of their budgets: never less than exact.
    composition
        Sum of all budgets.
    outputs
        Combinations of outputs behind each exact value.

    Examples
    --------
    >>> from pdp_widgets import LocalAnalysis, titanic
    >>> found = all_reports(LocalAnalysis(titanic(), "GRR", 1.0))
    >>> found.exact.round(3).tolist()
    [2.022, 2.079, 1.968, 1.834]
    >>> found.too_low.tolist()
    [False, False, False, True]
    """

    exact: Floats
    pairwise_sum: Floats
    bound: Floats
    composition: float
    outputs: tuple[float, ...]

    @property
    def complete(self) -> bool:
        """Whether every exact value was computed."""
        return not bool(np.isnan(self.exact).any())

    @property
    def too_low(self) -> NDArray[np.bool_]:
        """Where the pairwise sum is below the exact value."""
        return np.asarray(self.pairwise_sum < self.exact * (1 - 1e-12))

    @property
    def too_high(self) -> NDArray[np.bool_]:
        """Where the pairwise sum is above the exact value."""
        return np.asarray(self.pairwise_sum > self.exact * (1 + 1e-12))


def all_reports(
    analysis: LocalAnalysis, longest: float = float("inf"), progress: ProgressHook | None = None
) -> AllReports:
    """Return what all reports together say about every attribute.

    Parameters
    ----------
    analysis
        Whose attributes are released by mechanisms with two levels of likelihood.
    longest
        Seconds that the exact values may take by their estimate; beyond, the bounds alone are computed.
    progress
        Called with the share done. What it raises cancels.

    Notes
    -----
    See `joint_privacy_loss`. Missing values: records that have all attributes count here.
    """
    n = len(analysis.names)
    sizes = analysis.tables.sizes.tolist()
    readings = read_all(analysis.mechanisms, sizes, analysis.output)
    exact, bound = np.full(n, np.nan), np.empty(n)
    outputs = [_outputs_at_most(analysis, readings, k) for k in range(n)]
    wanted = exact_seconds(analysis) <= longest
    own = analysis.dpl
    for k in range(n):
        order = [k, *(j for j in range(n) if j != k)]
        rest = float(sum(own[j] for j in order[1:]))
        given = _given(analysis, order)
        if given is None:
            assert isinstance(analysis.data, AttributeTable)
            rows = observed_rows(analysis.data, order, analysis.min_count)
        else:
            rows = given.reshape(len(given), prod(given.shape[1:]))
            if wanted and outputs[k] <= MOST_OUTPUTS:
                exact[k] = own[k] + largest_joint_log_ratio(given, [readings[j] for j in order[1:]])
        bound[k] = min(own[k] + as_one_source(rows, rest), analysis.composition)
        if progress is not None:
            progress((k + 1) / n)
    # Rounding must not turn the order of exact value and bound around.
    bound = np.where(np.isnan(exact), bound, np.maximum(bound, exact))
    return AllReports(exact, analysis.pairwise_sum, bound, analysis.composition, tuple(outputs))


def reports_seconds(analysis: LocalAnalysis, longest: float) -> float:
    """Return about how long `all_reports` takes. Nothing is computed."""
    n, data = len(analysis.names), analysis.data
    exact = exact_seconds(analysis)
    cells = prod(analysis.tables.sizes.tolist())
    records = len(data) if isinstance(data, AttributeTable) else 0
    by_cell = min(cells, records) if records else cells
    values = sum(analysis.tables.sizes.tolist())
    by_record = _RECORD_SECONDS * (records * n * n * 4 + by_cell * values * n)
    return float((exact if exact <= longest else 0.0) + by_record)


def exact_seconds(analysis: LocalAnalysis) -> float:
    """Return about how long the exact values take that are not refused anyway."""
    sizes = analysis.tables.sizes.tolist()
    readings = read_all(analysis.mechanisms, sizes, analysis.output)
    counts = [_outputs_at_most(analysis, readings, k) for k in range(len(sizes))]
    pairs = zip(counts, sizes, strict=True)
    return float(_SECONDS * sum(count * size for count, size in pairs if count <= MOST_OUTPUTS))


def _outputs_at_most(analysis: LocalAnalysis, readings: Sequence[Reading], secret: int) -> float:
    """Return the number of combinations of outputs of the others, as if every symbol occurred."""
    found = 1.0
    for j, size in enumerate(analysis.tables.sizes.tolist()):
        if j != secret and size > 1:
            if readings[j].kind == "all" and size > 40:
                return float("inf")
            found *= max(1, joint_outputs(np.ones((1, size)), [readings[j]]))
    return found


def _given(analysis: LocalAnalysis, order: list[int]) -> Floats | None:
    """Return P(others | secret), or None where the table would be too large."""
    data: Any = analysis.data
    if not isinstance(data, AttributeTable | JointDistribution):
        data = np.asarray(data, dtype=np.float64)
    table = dense_joint(data, order, analysis.min_count)
    if table is None:
        return None
    totals = table.reshape(len(table), -1).sum(axis=1)
    kept = totals > 0
    found: Floats = table[kept] / totals[kept].reshape(-1, *(1,) * (table.ndim - 1))
    return found
