"""What all reports of a record together say about every attribute: exactly where it can be, and bounded."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.local.delta import delta_of
from pdp_widgets.leakage.local.joint_contraction import MOST_OUTPUTS, joint_outputs
from pdp_widgets.leakage.local.reports_together import as_one_source, together
from pdp_widgets.leakage.local.secret_tables import MOST_CELLS, tables_of_all
from pdp_widgets.leakage.local.threshold_checks import as_limit
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.immutable import ReadOnlyArrays

if TYPE_CHECKING:
    from pdp_widgets.leakage.local.local_analysis import LocalAnalysis

__all__ = ["AllReports", "all_reports", "exact_seconds", "reports_seconds"]

Floats = NDArray[np.float64]

#: Seconds for one likelihood of one combination of outputs.
_SECONDS = 8e-8
#: Seconds for one record that is sorted, and for one combination of all labels, for each secret.
_RECORD_SECONDS, _CELL_SECONDS = 1.5e-7, 6e-8


@dataclass(frozen=True, eq=False)
class AllReports(ReadOnlyArrays, NumberTable):
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
    records
        How many records have all attributes: all numbers are about these. None for probabilities.
    delta
        Probability with which these promises may fail: the sum of the deltas of all reports, at most 1.
    names
        Of the attributes.

    Examples
    --------
    >>> from pdp_widgets import LocalAnalysis, titanic
    >>> found = all_reports(LocalAnalysis(titanic(), "GRR", 1.0))
    >>> found.exact.round(3).tolist()
    [2.022, 2.079, 1.968, 1.834]
    >>> found.too_low.tolist()
    [False, False, False, True]
    >>> print(found)
    pairwise sum (Eq. 6, an estimate): too low for 1, too high for 3 of 4 attributes
    """

    exact: Floats
    pairwise_sum: Floats
    bound: Floats
    composition: float
    outputs: tuple[float, ...]
    records: int | None = None
    delta: float = 0.0
    names: tuple[str, ...] = ()

    def _numbers(self) -> Numbers:
        columns = {
            "attribute": self.names or tuple(f"{k + 1}" for k in range(len(self.exact))),
            "exact": self.exact,
            "pairwise sum": self.pairwise_sum,
            "joint bound": self.bound,
            "composition": self.composition,
            "outputs": self.outputs,
        }
        records = () if self.records is None else (f"{self.records:,} records have all attributes",)
        return Numbers(
            columns,
            {
                "attribute": "text",
                "exact": "nats",
                "pairwise sum": "nats",
                "joint bound": "bound",
                "composition": "bound",
            },
            {
                "unit": "nats",
                "status": {
                    "exact": "exact",
                    "pairwise sum": "estimate",
                    "joint bound": "bound",
                    "composition": "bound",
                },
                "records": self.records,
                "delta": self.delta,
            },
            ("what all reports say about each attribute", *records),
        )

    @property
    def complete(self) -> bool:
        """Whether every exact value was computed."""
        return not bool(np.isnan(self.exact).any())

    @property
    def too_low(self) -> NDArray[np.bool_]:
        """Where the pairwise sum is below the exact value; False where that was not computed."""
        return np.asarray(self.pairwise_sum < self.exact * (1 - 1e-12))

    @property
    def too_high(self) -> NDArray[np.bool_]:
        """Where the pairwise sum is above the exact value; False where that was not computed."""
        with np.errstate(over="ignore"):
            return np.asarray(self.pairwise_sum > self.exact * (1 + 1e-12))

    def __str__(self) -> str:
        low, high = int(self.too_low.sum()), int(self.too_high.sum())
        missing = int(np.isnan(self.exact).sum())
        found = (
            f"too low for {low}, too high for {high} of" if missing < len(self.exact) else "not compared for"
        )
        said = f"pairwise sum (Eq. 6, an estimate): {found} {len(self.exact)} attributes"
        if missing:
            said += f"; exact values not computed: {missing}, too large to compute in the time given"
        return said


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
    See `joint_privacy_loss`. Missing values: all numbers are about the records that have every attribute,
    also the pairwise sum; the leakages of pairs, `LocalAnalysis.matrix`, count more of them.

    Raises
    ------
    LimitError
        The analysis was made from tables of pairs.
    DomainError
        ``longest`` is no number of seconds.
    TypeError
        It is no analysis.

    Examples
    --------
    >>> from pdp_widgets import LocalAnalysis, titanic
    >>> found = all_reports(LocalAnalysis(titanic(), "OUE", 1.0))
    >>> found.exact.round(3).tolist(), found.pairwise_sum.round(3).tolist()
    ([2.022, 2.079, 2.002, 1.927], [2.086, 2.132, 2.045, 1.827])
    """
    from pdp_widgets.leakage.local.local_analysis import LocalAnalysis

    if not isinstance(analysis, LocalAnalysis):
        raise TypeError(
            f"The analysis is a {type(analysis).__name__}; give a LocalAnalysis, which says how attributes "
            'are released: all_reports(LocalAnalysis(data, "GRR", 1.0)).'
        )
    seconds = as_limit(longest, "longest", "a number of seconds")
    # Beyond the largest float sums of budgets are infinite, and mean so.
    with np.errstate(over="ignore"):
        return _all_reports(analysis.of_complete_records(), seconds, progress)


def _all_reports(analysis: LocalAnalysis, longest: float, progress: ProgressHook | None) -> AllReports:
    n = len(analysis.names)
    exact, bound = np.full(n, np.nan), np.empty(n)
    outputs = [_outputs_at_most(analysis, k) for k in range(n)]
    wanted = exact_seconds(analysis) <= longest
    own, records = analysis.dpl, None
    for k, tables in enumerate(tables_of_all(analysis.data, analysis.min_count)):
        order = [k, *(j for j in range(n) if j != k)]
        records = tables.records
        if wanted and outputs[k] <= MOST_OUTPUTS and tables.dense is not None:
            exact[k] = together(tables, [analysis.readings[j] for j in order], float(own[k]))[0]
        bound[k] = own[k] + as_one_source(tables, float(sum(own[j] for j in order[1:])))
        if progress is not None:
            progress((k + 1) / n)
    # Rounding must not turn the order of exact value and bounds around.
    bound = np.minimum(bound, analysis.composition)
    bound = np.where(np.isnan(exact), bound, np.maximum(bound, exact))
    delta = min(1.0, sum(map(delta_of, analysis.mechanisms)))
    return AllReports(
        exact,
        analysis.pairwise_sum,
        bound,
        analysis.composition,
        tuple(outputs),
        records,
        delta,
        tuple(analysis.names),
    )


def reports_seconds(analysis: LocalAnalysis, longest: float) -> float:
    """Return about how long `all_reports` takes. Nothing is computed."""
    n, data = len(analysis.names), analysis.data
    exact = exact_seconds(analysis)
    cells = prod(analysis.tables.sizes.tolist())
    records = len(data) if isinstance(data, AttributeTable) else 0
    # Few combinations are listed all; of many those that occur are sorted, once for each secret.
    by_record = _RECORD_SECONDS * records
    by_secret = _CELL_SECONDS * cells if cells <= MOST_CELLS else _RECORD_SECONDS * records
    by_record += n * by_secret
    return float((exact if exact <= longest else 0.0) + by_record)


def exact_seconds(analysis: LocalAnalysis) -> float:
    """Return about how long the exact values take that are not refused anyway."""
    sizes = analysis.tables.sizes.tolist()
    counts = [_outputs_at_most(analysis, k) for k in range(len(sizes))]
    pairs = zip(counts, sizes, strict=True)
    return float(_SECONDS * sum(count * size for count, size in pairs if count <= MOST_OUTPUTS))


def _outputs_at_most(analysis: LocalAnalysis, secret: int) -> float:
    """Return the number of combinations of outputs of the others, as if every symbol occurred."""
    found, readings = 1.0, analysis.readings
    for j, size in enumerate(analysis.tables.sizes.tolist()):
        if j != secret and size > 1:
            if readings[j].kind == "all" and size > 40:
                return float("inf")
            found *= max(1, joint_outputs(np.ones((1, size)), [readings[j]]))
    return found
