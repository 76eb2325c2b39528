"""Numbers of a local explorer that take longer: curves by budget, all reports together, comparisons."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import ProgressHook, part
from pdp_widgets.errors import BudgetError, PdpError
from pdp_widgets.leakage.local.all_reports import (
    AllReports,
    ReportsCurve,
    all_reports,
    exact_seconds,
    reports_curve,
    reports_curve_seconds,
    reports_seconds,
)
from pdp_widgets.leakage.local.budget_calibration import calibrate_budget
from pdp_widgets.leakage.local.hull import Fronts
from pdp_widgets.leakage.local.joint_contraction import MOST_OUTPUTS
from pdp_widgets.leakage.local.leakage_curve import budget_end
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.mechanism_reading import best_of, read
from pdp_widgets.leakage.local.utility import UtilityComparison, compare_utility
from pdp_widgets.widgets.local_results import LocalInputs, LocalResults
from pdp_widgets.widgets.wire import plainly

Floats = NDArray[np.float64]

#: Cells of the table of a pair up to which the browser draws curves by itself.
MOST_CELLS = 10_000
#: Budgets of a curve, and of a coarse one.
_BUDGETS, _FEW = 41, 9
#: Seconds that a curve may take at once, and beside everything else before it becomes a coarse one.
_AT_ONCE, _LONGEST = 0.3, 10.0
#: Seconds for each product of labels (secret, secret, source): sorted once, or searched at one budget.
_SORTED, _SEARCHED, _OF_ONE_SIZE = 1.2e-7, 5e-9, 3e-9


@dataclass(frozen=True, eq=False)
class PairCurve:
    """What leaks of a pair, in both directions, at several budgets."""

    source: int
    secret: int
    epsilons: Floats
    pair: Floats
    mirror: Floats
    coarse: bool
    #: Points of both directions, where they decide at every budget and by every mechanism of their kind.
    fronts: tuple[Fronts, Fronts] | None = field(default=None, repr=False)


def _each(analysis: LocalAnalysis, source: int) -> tuple[str, float]:
    """Return which outputs decide, and about how many seconds a whole curve takes for each product."""
    if analysis.output == "inferred":
        return "singletons", 0.0
    kind = analysis.mechanisms[source].family(int(analysis.tables.sizes[source])).kind
    return kind, {"all": _SORTED, "exactly": _OF_ONE_SIZE * _BUDGETS}.get(kind, 0.0)


def _products(analysis: LocalAnalysis, source: int, secret: int) -> float:
    m, t = (float(analysis.tables.sizes[place]) for place in (secret, source))
    return m * t * (m + t)


def has_curve(analysis: LocalAnalysis, source: int, secret: int) -> bool:
    """Tell whether a pair needs a curve from here, and its mechanism has budgets to draw one over."""
    sizes = analysis.tables.sizes
    if sizes[source] * sizes[secret] <= MOST_CELLS:
        return False
    try:
        for place in (source, secret):
            analysis.mechanisms[place].with_epsilon(1.0)
    except BudgetError:
        return False
    return True


def curve_seconds(analysis: LocalAnalysis, source: int, secret: int, last: PairCurve | None = None) -> float:
    """Return about how long `pair_curve` takes; nothing is computed."""
    kind, each = _each(analysis, source)
    if kind == "all" and _known(last, source, secret) is not None:
        return 0.0
    products = _products(analysis, source, secret)
    if each * products <= _LONGEST:
        return each * products
    return products * _FEW * (_SEARCHED if kind == "all" else _OF_ONE_SIZE)


def late_curve_seconds(analysis: LocalAnalysis, source: int, secret: int) -> float:
    """Return the same of a curve that takes longer than a moment, and 0 for all others."""
    seconds = curve_seconds(analysis, source, secret) if has_curve(analysis, source, secret) else 0.0
    return seconds if seconds > _AT_ONCE else 0.0


def pair_curve(
    analysis: LocalAnalysis,
    source: int,
    secret: int,
    progress: ProgressHook | None = None,
    last: PairCurve | None = None,
) -> PairCurve:
    """Return the leakages of a pair by budget."""
    kind, each = _each(analysis, source)
    fronts = _known(last, source, secret)
    coarse = each * _products(analysis, source, secret) > _LONGEST and (kind != "all" or fronts is None)
    epsilon = analysis.mechanisms[source].epsilon
    end = max(4.0, 1.5 * epsilon) if np.isfinite(epsilon) else 10.0
    levels = np.linspace(0.0, end, _FEW if coarse else _BUDGETS)
    ways = ((source, secret, part(progress, 0.0, 0.5)), (secret, source, part(progress, 0.5, 1.0)))
    if kind == "all" and not coarse:
        if fronts is None:
            one, other = (
                Fronts.all_subsets([analysis.tables.pair(j, k, analysis.min_count).given.source(0)], hook)
                for j, k, hook in ways
            )
            fronts = one, other
        values = [front.values(levels) for front in fronts]
    else:
        values = [_searched(analysis, j, k, levels, hook) for j, k, hook in ways]
    return PairCurve(source, secret, levels, values[0], values[1], coarse, fronts)


def _known(last: PairCurve | None, source: int, secret: int) -> tuple[Fronts, Fronts] | None:
    return last.fronts if last is not None and (last.source, last.secret) == (source, secret) else None


def _searched(
    analysis: LocalAnalysis, source: int, secret: int, levels: Floats, progress: ProgressHook | None
) -> Floats:
    """Return the leakages at each budget, found by itself."""
    pair, mechanism = analysis.tables.pair(source, secret, analysis.min_count), analysis.mechanisms[source]
    found = np.zeros(len(levels))
    for place, level in enumerate(levels.tolist()):
        reading = read(mechanism.with_epsilon(level), pair.k, analysis.output)
        found[place] = best_of(pair.given, [reading]).value[0]
        if progress is not None:
            progress((place + 1) / len(levels))
    return found


#: Budgets of the curve, and seconds that their exact values may take; beyond, they are bounds.
_REPORT_BUDGETS, _REPORT_SECONDS = 25, 1.0


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
    """Return the budgets of the curve where ``epsilon`` is set."""
    # The largest floats may overflow on the way.
    with np.errstate(over="ignore"):
        return np.linspace(0.0, budget_end(epsilon), _REPORT_BUDGETS)


def late_reports_seconds(analysis: LocalAnalysis, secret: int) -> float:
    """Return about how long `late_reports` takes. Nothing is computed."""
    return reports_curve_seconds(analysis, secret, _REPORT_BUDGETS, _REPORT_SECONDS)


def late_reports(
    analysis: LocalAnalysis, secret: int, progress: ProgressHook | None = None
) -> ReportsCurve | None:
    """Return what all reports together say about an attribute by budget; None where that takes long."""
    levels = reports_levels(analysis.mechanisms[0].epsilon)
    return reports_curve(analysis, secret, levels, _REPORT_SECONDS, progress)


#: Seconds that exact values of all reports may take by themselves.
LONGEST = 4.0
#: A calibration asks for all reports about as often.
_TRIED = 18


@dataclass(frozen=True, eq=False)
class LateInputs:
    """What the numbers that take longer depend on."""

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
    """A budget for every attribute, found by one method."""

    key: str
    epsilon: float
    leak: float
    exact: bool
    safe: bool
    error: float


@dataclass(frozen=True, eq=False)
class LateNumbers:
    """All reports together, mechanisms compared, and a calibration."""

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
    """Return the numbers that take longer."""
    analysis = results.analysis
    high = 0.9 if wanted.curve is None else 0.6
    if last is not None and last.inputs.inputs.same(wanted.inputs):
        totals, why = last.totals, last.why
    else:
        totals = all_reports(analysis, LONGEST, part(progress, 0.0, 0.4), limit=math.inf)
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
    return compare_utility(analysis, results.inputs.mechanism.epsilon)


def _calibrated(
    results: LocalResults, budget: float | None, progress: ProgressHook | None
) -> tuple[tuple[CalibratedBudget, ...], str | None]:
    """Return budgets by method, and why some are missing."""
    if budget is None:
        return (), None
    analysis = results.analysis
    mechanism, n = results.inputs.mechanism, len(analysis.names)
    try:
        mechanism.with_epsilon(1.0)
    except BudgetError as fault:
        return (), plainly(fault)
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
                limit=math.inf,
                progress=part(progress, low, low + 0.35),
            )
            found.append(_at(analysis, key, made.epsilon, made.safe, part(progress, low + 0.35, low + 0.45)))
    except PdpError as fault:
        refused = plainly(fault)
    return tuple(found), refused


def _at(
    analysis: LocalAnalysis, key: str, epsilon: float, safe: bool, progress: ProgressHook | None
) -> CalibratedBudget:
    """Return a budget with what leaks there and how often guesses are wrong."""
    mechanism = analysis.mechanisms[0].with_epsilon(epsilon)
    output = analysis.output
    again = analysis.read_as("raw").released_by(mechanism).read_as(output)
    totals = all_reports(again, LONGEST, progress, limit=math.inf)
    exact = totals.exact_only
    leak = float(np.where(np.isnan(exact), totals.bound, exact).max())
    try:
        error = float(np.mean([mechanism.inferred(k).error01 for k in analysis.tables.sizes.tolist()]))
    except BudgetError:
        error = float("nan")
    return CalibratedBudget(key, epsilon, leak, bool((exact == leak).any()), safe, error)
