"""What all reports of a record together say about every attribute, and about one budget by budget."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import SECONDS
from pdp_widgets.core.progress import Progress, ProgressHook, part, timed
from pdp_widgets.errors import BudgetError, DomainError
from pdp_widgets.leakage.local.hull import Fronts
from pdp_widgets.leakage.local.joint_contraction import MOST_OUTPUTS, as_one_source, joint_outputs, together
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.mechanism_reading import PAPER, Reading
from pdp_widgets.leakage.local.pair_leakage import delta_of
from pdp_widgets.leakage.local.secret_tables import MOST_CELLS, SecretTables, tables_of_all
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.sweeps import as_executor, swept
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import how_many

__all__ = [
    "AllReports",
    "ReportsCurve",
    "all_reports",
    "exact_seconds",
    "reports_curve",
    "reports_curve_seconds",
    "reports_seconds",
]

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
        Exact values; NaN where they were not computed. Of an attribute of which one value counts nothing can
        be learned; there it is what the own report promises, a bound.
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
    constant
        Positions of attributes of which one value counts.

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
    constant: tuple[int, ...] = ()

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
                "source": f"{PAPER}, Eq. 5 and 6",
                "status": {
                    # Of a column with a bound in it no more can be said.
                    "exact": "bound" if self.constant else "exact",
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
    def exact_only(self) -> Floats:
        """The exact values; NaN also where what stands for one is a bound."""
        found = np.array(self.exact)
        found[list(self.constant)] = np.nan
        return found

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
    analysis: LocalAnalysis,
    longest: float = float("inf"),
    progress: ProgressHook | None = None,
    *,
    limit: float = 60.0,
    executor: Executor | None = None,
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
    limit
        Seconds, after which all of it is ended; ``math.inf`` for no limit.
    executor
        Whose workers take one attribute each, as for `pdp_widgets.prior.leakage_intervals`.

    Notes
    -----
    See `joint_privacy_loss`. Missing values: all numbers are about the records that have every attribute,
    also the pairwise sum; the leakages of pairs, `LocalAnalysis.matrix`, count more of them.

    Raises
    ------
    LimitError
        The analysis was made from tables of pairs, or it takes longer than the limit.
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
    if not isinstance(analysis, LocalAnalysis):
        raise TypeError(
            f"The analysis is a {type(analysis).__name__}; give a LocalAnalysis, which says how attributes "
            'are released: all_reports(LocalAnalysis(data, "GRR", 1.0)).'
        )
    seconds = SECONDS.take(longest, "longest", DomainError, "longest")
    work = f"What all reports say of {how_many(len(analysis.names), 'attribute')}"
    told, workers = Progress(timed(progress, limit, work, "Take fewer attributes.")), as_executor(executor)
    # Beyond the largest float sums of budgets are infinite, and mean so.
    with np.errstate(over="ignore"):
        return _all_reports(analysis.of_complete_records(), seconds, workers, told)


def _all_reports(
    analysis: LocalAnalysis, longest: float, workers: Executor | None, told: Progress
) -> AllReports:
    n = len(analysis.names)
    told.expect(n)
    outputs = [_outputs_at_most(analysis, k) for k in range(n)]
    wanted, own = exact_seconds(analysis) <= longest, analysis.dpl
    records, constant = None, []

    def parts() -> Iterator[list[_Secret]]:
        nonlocal records
        for k, tables in enumerate(tables_of_all(analysis.data, analysis.min_count)):
            records, order = tables.records, [k, *(j for j in range(n) if j != k)]
            if len(tables.kept) < 2:
                constant.append(k)
            readings = [analysis.readings[j] for j in order] if wanted and outputs[k] <= MOST_OUTPUTS else []
            yield [(tables, readings, float(own[k]), float(sum(own[j] for j in order[1:])))]

    exact, bound = np.array(swept(_of_secret, parts(), workers, told)).T
    bound = own + bound
    told.finish()
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
        tuple(constant),
    )


#: A secret with its tables, readings where the exact value is wanted, its own budget and that of the others.
_Secret: TypeAlias = tuple[SecretTables, list[Reading], float, float]


def _of_secret(secrets: list[_Secret], told: Progress) -> tuple[float, float]:
    """Return what all reports say of one secret, NaN where it is not wanted, and a bound on the others."""
    ((tables, readings, own, others),) = secrets
    exact = together(tables, readings, own)[0] if readings and tables.dense is not None else np.nan
    # A worker has its own settings of numpy.
    with np.errstate(over="ignore"):
        bound = as_one_source(tables, others)
    told.step()
    return exact, bound


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


#: Seconds for one likelihood of one combination of outputs, for one sorted likelihood, and for one record.
_CURVE_SECONDS, _SORTED, _RECORD = 8e-8, 1.2e-7, 3e-7
#: Secret values, squared, times combinations of the sources that are sorted for a bound.
_MOST_SORTED = 4e6


@dataclass(frozen=True, eq=False)
class ReportsCurve(ReadOnlyArrays):
    """What all reports together say about one attribute at several budgets of each report."""

    secret: str
    epsilons: Floats
    values: Floats
    #: Otherwise these are joint bounds, as they are for an attribute of which one value counts.
    exact: bool


def reports_curve(
    analysis: LocalAnalysis,
    secret: int,
    epsilons: ArrayLike,
    longest: float = float("inf"),
    progress: ProgressHook | None = None,
) -> ReportsCurve | None:
    """Return what all reports of complete records say about an attribute, for every budget of each report."""
    # ``longest`` is how many seconds exact values may take by their estimate; beyond, bounds are computed.
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
    return ReportsCurve(whole.names[secret], levels, values, exact and len(tables.kept) > 1)


def reports_curve_seconds(analysis: LocalAnalysis, secret: int, budgets: int, longest: float) -> float:
    """Return about how long `reports_curve` takes. Nothing is computed."""
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
        total += _CURVE_SECONDS * outputs * sizes[secret]
    return total


def _sorted_most(analysis: LocalAnalysis, secret: int) -> float:
    """Return how many likelihoods are sorted for a bound, at most."""
    sizes = analysis.tables.sizes.tolist()
    columns = prod(size for j, size in enumerate(sizes) if j != secret)
    if isinstance(analysis.data, AttributeTable):
        columns = min(columns, len(analysis.data))
    return float(sizes[secret] ** 2 * columns)
