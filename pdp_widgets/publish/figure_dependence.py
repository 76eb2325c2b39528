"""Figures of dependent tuples for papers: errors, separations, and coefficients that are too small."""

from __future__ import annotations

from pdp_widgets.leakage.dependent.accuracy_curve import AccuracyCurve, BudgetCurve
from pdp_widgets.leakage.dependent.promise_report import PromiseReport
from pdp_widgets.leakage.dependent.separation import PAIR_QUERIES, SeparationCurve
from pdp_widgets.leakage.dependent.underestimated import UnderestimationCurve
from pdp_widgets.publish.formatting import parameter
from pdp_widgets.publish.line_chart import Chart, Line
from pdp_widgets.publish.scatter_chart import Dots, NamedPoint, ScatterChart

__all__ = ["accuracy_chart", "budget_chart", "promise_chart", "separation_charts", "underestimation_chart"]


def accuracy_chart(curve: AccuracyCurve) -> Chart:
    """Return the chances of an error by budget, a curve for each mechanism.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.accuracy_curve import accuracy_curve
    >>> accuracy_chart(accuracy_curve({"lpm": 1.0, "baseline": 3.0}, [0.5, 1.0], alpha=2.0)).title
    'Chance of an error of 2 or more'
    """
    lines = [
        Line(name, curve.epsilons, chances, marks=len(curve.epsilons) == 1)
        for name, chances in zip(curve.names, curve.chances, strict=True)
    ]
    return Chart(
        f"Chance of an error of {curve.alpha:.6g} or more",
        lines,
        "budget ε, nats",
        "probability",
        y_range=(0.0, 1.0),
    )


def budget_chart(curve: BudgetCurve) -> Chart:
    """Return the budgets for a chance of an error, a curve for each mechanism.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.accuracy_curve import budget_curve
    >>> budget_chart(budget_curve({"lpm": 1.0}, alpha=2.0)).title
    'Budget for an error of 2 or more'
    """
    lines = [
        Line(name, curve.chances, row, marks=len(curve.chances) == 1)
        for name, row in zip(curve.names, curve.epsilons, strict=True)
    ]
    return Chart(f"Budget for an error of {curve.alpha:.6g} or more", lines, "its chance", "budget ε, nats")


def promise_chart(report: PromiseReport) -> ScatterChart:
    """Return mechanisms by the noise they add and by what they leak, those that keep the promise apart.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.promise_report import promise_report
    >>> from pdp_widgets.models.dependent_examples import agreeing_bits
    >>> chart = promise_chart(promise_report(agreeing_bits(0.9), "sum", 1.0, ["lpm", "baseline"]))
    >>> [(dots.name, [point.name for point in dots.points]) for dots in chart.groups]
    [('keeps the promise', ['baseline']), ('leaks more', ['lpm'])]
    """
    scales, leaks = report.scales.tolist(), report.largest.tolist()
    points = [NamedPoint(*of) for of in zip(report.mechanisms, scales, leaks, strict=True)]
    kinds = (("keeps the promise", True), ("leaks more", False))
    groups = [
        Dots(name, [point for point, kept in zip(points, report.kept, strict=True) if kept == wanted])
        for name, wanted in kinds
    ]
    return ScatterChart(
        f"Noise and leakage, ε = {parameter(report.epsilon)}",
        [dots for dots in groups if dots.points],
        "scale of the noise",
        "largest leakage about a tuple, nats",
        "Leakages are exact for this table, to one who knows no tuple.",
        ("promise", report.epsilon),
    )


def separation_charts(curve: SeparationCurve) -> tuple[Chart, ...]:
    """Return the separations by budget, a chart with dependence and one without.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.separation import separation_curve
    >>> [chart.title for chart in separation_charts(separation_curve([0.5, 1.0]))]
    ['D_j = 0.5 D_i + 0.5 X', 'D_j independent of D_i']
    """
    top = max(float(curve.dependent.max()), float(curve.independent.max()))
    titles = (f"D_j = {curve.c:.4g} D_i + {1 - curve.c:.4g} X", "D_j independent of D_i")
    return tuple(
        Chart(
            title,
            [Line(query, curve.epsilons, row) for query, row in zip(PAIR_QUERIES, values, strict=True)],
            "budget ε, nats",
            "separation, nats",
            y_range=(0.0, top),
        )
        for title, values in zip(titles, (curve.dependent, curve.independent), strict=True)
    )


def underestimation_chart(curve: UnderestimationCurve) -> Chart:
    """Return what leaks over what is promised, by budget, a curve for each factor.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.underestimated import underestimation_curve
    >>> from pdp_widgets.models.dependent_examples import identical_tuples
    >>> len(underestimation_chart(underestimation_curve(identical_tuples(3), "sum", [0.5, 1.0])).lines)
    3
    """
    lines = [
        Line(f"times {factor:.4g}", curve.epsilons, leaks / curve.epsilons, marks=len(curve.epsilons) == 1)
        for factor, leaks in zip(curve.factors.tolist(), curve.leakages, strict=True)
    ]
    return Chart("Coefficients that are too small", lines, "budget ε, nats", "leakage over promise")
