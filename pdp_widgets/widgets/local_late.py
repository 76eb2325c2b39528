"""The numbers of a local explorer that take longer: all reports together, a comparison, budgets, a curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pdp_widgets.errors import BudgetError, PdpError
from pdp_widgets.leakage.local.all_reports import (
    AllReports,
    all_reports,
    exact_seconds,
    reports_seconds,
)
from pdp_widgets.leakage.local.budget_calibration import calibrate_budget
from pdp_widgets.leakage.local.joint_contraction import MOST_OUTPUTS
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.reports_curve import ReportsCurve
from pdp_widgets.leakage.local.utility import UtilityComparison, compare_utility
from pdp_widgets.leakage.progress import ProgressHook, part
from pdp_widgets.widgets.local_curve import PairCurve, curve_seconds, pair_curve
from pdp_widgets.widgets.local_late_reports import late_reports, late_reports_seconds, reports_levels
from pdp_widgets.widgets.local_results import LocalInputs, LocalResults

__all__ = ["CalibratedBudget", "LateInputs", "LateNumbers", "late_for", "late_seconds"]

#: Seconds that exact values of all reports may take by themselves.
LONGEST = 4.0
#: A calibration asks for all reports about as often.
_TRIED = 18


@dataclass(frozen=True, eq=False)
class LateInputs:
    """What the numbers that take longer depend on.

    Parameters
    ----------
    inputs
        As for the others.
    budget
        Goal of a calibration in nats, or None.
    curve
        Positions of source and secret among the released attributes whose curve takes longer than a moment,
        or None.
    secret
        Position among the released attributes of the one whose curve of all reports is drawn, or None.
    """

    inputs: LocalInputs
    budget: float | None
    curve: tuple[int, int] | None = None
    secret: int | None = None

    def same(self, other: LateInputs) -> bool:
        """Whether all is the same."""
        return self.budget == other.budget and self.secret == other.secret and self.same_curve(other)

    def same_curve(self, other: LateInputs) -> bool:
        """Whether the curve is the same."""
        return self.curve == other.curve and self.inputs.same(other.inputs)

    def same_calibration(self, other: LateInputs) -> bool:
        """Whether the calibrated budgets are the same: the present budget does not matter."""
        return self.budget == other.budget and self._same_but_for_epsilon(other)

    def same_reports(self, other: LateInputs) -> bool:
        """Whether the curve of all reports is the same: the present budget matters to its end alone."""
        mine, theirs = (reports_levels(one.inputs.mechanism.epsilon)[-1] for one in (self, other))
        return self.secret == other.secret and mine == theirs and self._same_but_for_epsilon(other)

    def _same_but_for_epsilon(self, other: LateInputs) -> bool:
        mine, theirs = self.inputs, other.inputs
        return (
            mine.same_table(theirs)
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
        Whether what is released keeps the goal: whatever the data with ``"spl"``, else for the records that
        were counted, those that have every attribute.
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
    curve
        That of the chosen pair, where it takes longer than a moment; None otherwise.
    reports
        All reports together about the chosen secret, by budget; None where there are no budgets, or it takes
        too long.
    """

    inputs: LateInputs
    totals: AllReports
    why: str | None
    comparison: UtilityComparison | None
    calibration: tuple[CalibratedBudget, ...]
    refused: str | None
    curve: PairCurve | None = None
    reports: ReportsCurve | None = None


def late_seconds(results: LocalResults, wanted: LateInputs, last: LateNumbers | None) -> float:
    """Return about how long `late_for` takes. Nothing is computed."""
    analysis = results.analysis
    reports = reports_seconds(analysis, LONGEST)
    seconds = 0.0 if last is not None and last.inputs.inputs.same(wanted.inputs) else reports
    if last is None or not last.inputs.same_comparison(wanted):
        seconds += _comparison_seconds(analysis)
    if wanted.budget is not None and (last is None or not last.inputs.same_calibration(wanted)):
        # Where all reports are counted anew at each budget, records are read once for the search.
        seconds += _calibration_seconds(analysis, reports)
    if wanted.curve is not None and (last is None or not last.inputs.same_curve(wanted)):
        seconds += curve_seconds(analysis, *wanted.curve, results.kept.get("curve"))
    if wanted.secret is not None and (last is None or not last.inputs.same_reports(wanted)):
        seconds += late_reports_seconds(analysis, wanted.secret)
    return seconds


def _calibration_seconds(analysis: LocalAnalysis, reports: float) -> float:
    exact = exact_seconds(analysis)
    searched = _TRIED * exact if _TRIED * exact <= 4 * LONGEST else 0.0
    return 4 * reports + searched + _TRIED * _pairs_seconds(analysis)


def _comparison_seconds(analysis: LocalAnalysis) -> float:
    # Of ten mechanisms eight favour sets of symbols, each read in two ways.
    sizes = analysis.tables.sizes.astype(np.float64)
    return float(8 * _pairs_seconds(analysis) + 18 * (2e-4 + 5e-8 * len(sizes) * sizes.sum()))


def _pairs_seconds(analysis: LocalAnalysis) -> float:
    """Return about how long the leakages of all pairs take at another budget."""
    return 5e-9 * analysis.matrix_values.points_work + 2e-5 * len(analysis.names) ** 2


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
    high = 0.9 if wanted.curve is None else 0.6
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
        calibration, refused = _calibrated(results, wanted.budget, part(progress, 0.4, high))
    curve = last.curve if last is not None and last.inputs.same_curve(wanted) else None
    if wanted.curve is not None and curve is None:
        curve = pair_curve(analysis, *wanted.curve, part(progress, high, 0.9), results.kept.get("curve"))
        results.kept["curve"] = curve
    reports = last.reports if last is not None and last.inputs.same_reports(wanted) else None
    if wanted.secret is not None and reports is None:
        reports = late_reports(analysis, wanted.secret, part(progress, 0.9, 1.0))
    return LateNumbers(wanted, totals, why, comparison, calibration, refused, curve, reports)


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
    if _comparison_seconds(analysis) > LONGEST:
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
    found = [_at(analysis, "spl", budget / n, True, part(progress, 0.0, 0.1))]
    refused = None
    quick = exact_seconds(analysis) * _TRIED <= 4 * LONGEST
    try:
        for low, key, method in (
            (0.1, "pairwise", "pairwise"),
            (0.55, "joint", "joint" if quick else "joint bound"),
        ):
            made = calibrate_budget(
                analysis,
                budget,
                mechanism,
                method=method,
                output=analysis.output,
                progress=part(progress, low, low + 0.35),
            )
            found.append(_at(analysis, key, made.epsilon, made.safe, part(progress, low + 0.35, low + 0.45)))
    except PdpError as fault:
        refused = str(fault)
    return tuple(found), refused


def _at(
    analysis: LocalAnalysis, key: str, epsilon: float, safe: bool, progress: ProgressHook | None
) -> CalibratedBudget:
    """Return a budget with what leaks there and how often guesses are wrong."""
    mechanism = analysis.mechanisms[0].with_epsilon(epsilon)
    output = analysis.output
    again = analysis.read_as("raw").released_by(mechanism).read_as(output)
    totals = all_reports(again, LONGEST, progress)
    leaks = np.where(np.isnan(totals.exact), totals.bound, totals.exact)
    worst = int(leaks.argmax())
    try:
        error = float(np.mean([mechanism.inferred(k).error01 for k in analysis.tables.sizes.tolist()]))
    except BudgetError:
        error = float("nan")
    return CalibratedBudget(key, epsilon, float(leaks[worst]), totals.complete, safe, error)
