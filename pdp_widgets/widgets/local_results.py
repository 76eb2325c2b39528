"""The numbers of a local explorer: what they depend on, which come at once, and which take longer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, LimitError, PdpError, Where
from pdp_widgets.leakage.local.all_reports import (
    AllReports,
    all_reports,
    exact_seconds,
    reports_seconds,
)
from pdp_widgets.leakage.local.budget_calibration import calibrate_budget
from pdp_widgets.leakage.local.curve_points import CurvePoints, curve_points, points_work
from pdp_widgets.leakage.local.joint_contraction import MOST_OUTPUTS
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.utility import UtilityComparison, compare_utility
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.leakage.value import Output
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import short
from pdp_widgets.widgets.computed_beside import part

__all__ = [
    "MOST_ATTRIBUTES",
    "MOST_SYMBOLS",
    "CalibratedBudget",
    "LateInputs",
    "LateNumbers",
    "LocalInputs",
    "LocalResults",
    "LocalValue",
    "check_size",
    "late_for",
    "late_seconds",
    "results_for",
]

LocalValue: TypeAlias = AttributeTable | JointDistribution
Floats = NDArray[np.float64]

#: What a screen has room for.
MOST_ATTRIBUTES, MOST_SYMBOLS = 40, 1000
#: Numbers sorted for the points of all pairs: more are not kept, and every budget is searched anew.
_MOST_SORTED = 2e6
#: Seconds that exact values of all reports may take by themselves.
LONGEST = 4.0
#: A calibration asks for all reports about as often.
_TRIED = 18


def check_size(value: LocalValue) -> None:
    """Raise LimitError for more attributes or symbols than an explorer shows, with what to do instead."""
    sizes = [len(domain) for domain in value.domains]
    where = Where("table")
    if len(sizes) > MOST_ATTRIBUTES:
        raise LimitError(
            f"The table has {len(sizes)} attributes; an explorer shows at most {MOST_ATTRIBUTES}. Take "
            "some of them with table.select([...]), or compute all with LocalAnalysis.",
            where,
        )
    if sum(sizes) > MOST_SYMBOLS:
        largest = value.names[int(np.argmax(sizes))]
        raise LimitError(
            f"The attributes have {sum(sizes):,} labels together; an explorer shows at most "
            f"{MOST_SYMBOLS:,}. {short(largest)} has {max(sizes):,}: put numbers into bins, or take fewer "
            "attributes.",
            where,
        )


def _taken(value: LocalValue, attributes: Sequence[int]) -> LocalValue:
    if tuple(attributes) == tuple(range(len(value.names))):
        return value
    if isinstance(value, AttributeTable):
        return value.select(attributes)
    return value.marginal(list(attributes))


@dataclass(frozen=True, eq=False)
class LocalInputs:
    """What the numbers that come at once depend on.

    Parameters
    ----------
    value
        All attributes.
    attributes
        Positions of those that are released.
    min_count
        Least number of records of a secret value.
    mechanism
        How each of them is released.
    output
        ``"raw"`` or ``"inferred"``.
    """

    value: LocalValue
    attributes: tuple[int, ...]
    min_count: float
    mechanism: LocalMechanism
    output: Output

    def same_table(self, other: LocalInputs) -> bool:
        """Whether both have the same tables of pairs."""
        return (
            self.value is other.value
            and self.attributes == other.attributes
            and self.min_count == other.min_count
        )

    def same(self, other: LocalInputs) -> bool:
        """Whether all is the same."""
        return self.same_table(other) and self.mechanism == other.mechanism and self.output == other.output


@dataclass(frozen=True, eq=False)
class LateInputs:
    """What the numbers that take longer depend on.

    Parameters
    ----------
    inputs
        As for the others.
    budget
        Goal of a calibration in nats, or None.
    """

    inputs: LocalInputs
    budget: float | None

    def same(self, other: LateInputs) -> bool:
        """Whether all is the same."""
        return self.budget == other.budget and self.inputs.same(other.inputs)

    def same_calibration(self, other: LateInputs) -> bool:
        """Whether the calibrated budgets are the same: the present budget does not matter."""
        mine, theirs = self.inputs, other.inputs
        return (
            self.budget == other.budget
            and mine.same_table(theirs)
            and mine.output == theirs.output
            and mine.mechanism.same_but_for_budget(theirs.mechanism)
        )

    def same_comparison(self, other: LateInputs) -> bool:
        """Whether mechanisms compare the same."""
        mine, theirs = self.inputs, other.inputs
        return mine.same_table(theirs) and mine.mechanism.epsilon == theirs.mechanism.epsilon


@dataclass(frozen=True)
class CalibratedBudget:
    """A budget for every attribute, found by one method.

    Parameters
    ----------
    key
        ``"spl"``, ``"pairwise"`` or ``"joint"``.
    epsilon
        For each attribute, in nats.
    leak
        What all reports say about the worst attribute at this budget.
    exact
        Whether that is the exact value; otherwise it is a bound.
    safe
        Whether the method keeps the goal whatever the data.
    error
        Probability that a guess is wrong, mean over the attributes; NaN where no guess is defined.
    """

    key: str
    epsilon: float
    leak: float
    exact: bool
    safe: bool
    error: float


@dataclass(frozen=True, eq=False)
class LateNumbers:
    """All reports together, mechanisms compared, and a calibration.

    Parameters
    ----------
    inputs
        What they belong to.
    totals
        All reports together about each attribute.
    why
        Why exact values are missing, or None.
    comparison
        Mechanisms with the present budget; None where that takes too long.
    calibration
        Budgets by method, none without a goal.
    refused
        Why there is no calibration, or None.
    """

    inputs: LateInputs
    totals: AllReports
    why: str | None
    comparison: UtilityComparison | None
    calibration: tuple[CalibratedBudget, ...]
    refused: str | None


@dataclass(frozen=True, eq=False)
class LocalResults:
    """Results for some inputs.

    Parameters
    ----------
    inputs
        What they belong to.
    analysis
        Leakages of all pairs.
    points
        What decides them at every budget, or None where that is not kept.
    late
        What takes longer; None until it is there.
    """

    inputs: LocalInputs
    analysis: LocalAnalysis
    points: CurvePoints | None
    late: LateNumbers | None = None
    _kept: dict[str, Any] = field(default_factory=dict, repr=False)
    #: What was last asked about a pair, as the browser shows it.
    pairs: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict, repr=False)

    @cached_property
    def associations(self) -> tuple[Floats, Floats]:
        """NMI over the joint entropy, and Pearson's correlation of positions, both shape (n, n)."""
        if "associations" not in self._kept:
            names = self.analysis.names
            found = np.zeros((2, len(names), len(names)))
            places = {name: place for place, name in enumerate(names)}
            for (first, second), one in self.analysis.associations().items():
                a, b = places[first], places[second]
                found[0, a, b] = found[0, b, a] = one.nmi["joint"]
                found[1, a, b] = found[1, b, a] = one.correlation
            self._kept["associations"] = found[0], found[1]
        both: tuple[Floats, Floats] = self._kept["associations"]
        return both


def results_for(inputs: LocalInputs, last: LocalResults | None = None) -> LocalResults:
    """Return the numbers that come at once.

    Parameters
    ----------
    inputs
        What they depend on.
    last
        Earlier results: what is counted and sorted there is used again.

    Raises
    ------
    PdpError
        Mechanism, output and table do not go together.
    """
    again = last is not None and last.inputs.same_table(inputs)
    data = last.analysis.data if last is not None and again else _taken(inputs.value, inputs.attributes)
    mechanism, output = inputs.mechanism, inputs.output
    made = LocalAnalysis(data, mechanism, output=output, min_count=inputs.min_count)
    small = points_work(made) <= _MOST_SORTED
    if last is not None and again and small:
        made = last.analysis.read_as("raw").released_by(mechanism).read_as(output)
    points = curve_points(made) if small else None
    # Computed now: what is wrong with them must not be found while they are drawn.
    made.matrix.any()
    return LocalResults(inputs, made, points, _kept=last._kept if last is not None and again else {})


def late_seconds(results: LocalResults, wanted: LateInputs, last: LateNumbers | None) -> float:
    """Return about how long `late_for` takes. Nothing is computed."""
    analysis = results.analysis
    reports = reports_seconds(analysis, LONGEST)
    seconds = 0.0 if last is not None and last.inputs.inputs.same(wanted.inputs) else reports
    if last is None or not last.inputs.same_comparison(wanted):
        seconds += _comparison_seconds(analysis)
    if wanted.budget is not None and (last is None or not last.inputs.same_calibration(wanted)):
        seconds += _TRIED * reports
    return seconds


def _comparison_seconds(analysis: LocalAnalysis) -> float:
    sizes = analysis.tables.sizes.astype(np.float64)
    return float(16 * (2e-4 + 5e-8 * len(sizes) * sizes.sum()) + 4e-5 * len(sizes) ** 2)


def late_for(
    results: LocalResults,
    wanted: LateInputs,
    last: LateNumbers | None = None,
    progress: ProgressHook | None = None,
) -> LateNumbers:
    """Return the numbers that take longer.

    Parameters
    ----------
    results
        Those that came at once.
    wanted
        What they depend on.
    last
        Earlier ones: what is the same is taken from there.
    progress
        Called with the share done. What it raises cancels.
    """
    analysis = results.analysis
    if last is not None and last.inputs.inputs.same(wanted.inputs):
        totals, why = last.totals, last.why
    else:
        totals = all_reports(analysis, LONGEST, part(progress, 0.0, 0.4))
        why = None if totals.complete else _why(analysis, totals)
    if last is not None and last.inputs.same_comparison(wanted):
        comparison = last.comparison
    else:
        comparison = _compared(results)
    if last is not None and last.inputs.same_calibration(wanted):
        calibration, refused = last.calibration, last.refused
    else:
        calibration, refused = _calibrated(results, wanted.budget, part(progress, 0.5, 1.0))
    return LateNumbers(wanted, totals, why, comparison, calibration, refused)


def _why(analysis: LocalAnalysis, totals: AllReports) -> str:
    if max(totals.outputs) > MOST_OUTPUTS:
        return (
            "Not computed: the reports have too many combinations of outputs "
            f"(more than {MOST_OUTPUTS:,}). The joint bound always holds."
        )
    if exact_seconds(analysis) > LONGEST:
        return (
            f"Not computed by itself, since it takes about {exact_seconds(analysis):,.0f} s. In Python: "
            f"explorer.results.joint({analysis.names[0]!r})."
        )
    return "Not computed: the attributes have too many combinations of labels. The joint bound always holds."


def _compared(results: LocalResults) -> UtilityComparison | None:
    analysis = results.analysis
    if points_work(analysis.read_as("raw").released_by("generic", 1.0)) > _MOST_SORTED:
        return None
    return compare_utility(analysis, analysis.mechanisms[0].epsilon)


def _calibrated(
    results: LocalResults, budget: float | None, progress: ProgressHook | None
) -> tuple[tuple[CalibratedBudget, ...], str | None]:
    """Return budgets by method, and why some are missing."""
    if budget is None:
        return (), None
    analysis = results.analysis
    mechanism, n = analysis.mechanisms[0], len(analysis.names)
    try:
        mechanism.with_epsilon(1.0)
    except BudgetError as fault:
        return (), str(fault)
    at = partial(_at, analysis)
    found = [at("spl", budget / n, True)]
    refused = None
    quick = exact_seconds(analysis) * _TRIED <= 4 * LONGEST
    try:
        for step, (key, method) in enumerate(
            (("pairwise", "pairwise"), ("joint", "joint" if quick else "joint bound"))
        ):
            if progress is not None:
                progress(0.2 + 0.4 * step)
            made = calibrate_budget(analysis, budget, mechanism, method=method, output=analysis.output)
            found.append(at(key, made.epsilon, made.safe))
    except PdpError as fault:
        refused = str(fault)
    return tuple(found), refused


def _at(analysis: LocalAnalysis, key: str, epsilon: float, safe: bool) -> CalibratedBudget:
    """Return a budget with what leaks there and how often guesses are wrong."""
    mechanism = analysis.mechanisms[0].with_epsilon(epsilon)
    output = analysis.output
    again = analysis.read_as("raw").released_by(mechanism).read_as(output)
    totals = all_reports(again, LONGEST)
    leaks = np.where(np.isnan(totals.exact), totals.bound, totals.exact)
    worst = int(leaks.argmax())
    try:
        error = float(np.mean([mechanism.inferred(k).error01 for k in analysis.tables.sizes.tolist()]))
    except BudgetError:
        error = float("nan")
    return CalibratedBudget(key, epsilon, float(leaks[worst]), totals.complete, safe, error)
