"""bqplot figures of dependent tuples by budget: errors, separations, and coefficients that are too small."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.dependent.accuracy_curve import AccuracyCurve, BudgetCurve
from pdp_widgets.leakage.dependent.promise_report import PromiseReport
from pdp_widgets.leakage.dependent.separation import PAIR_QUERIES, SeparationCurve
from pdp_widgets.leakage.dependent.underestimated import UnderestimationCurve
from pdp_widgets.publish.figure_dependence import promise_chart
from pdp_widgets.widgets.bqplot_parts import LABELS, OVER, axes_of, figure_of
from pdp_widgets.widgets.bqplot_scatter import ScatterGroup, scatter_figure

__all__ = ["plot_accuracy", "plot_budgets", "plot_promises", "plot_separation", "plot_underestimation"]

_STYLES = ("solid", "dashed", "dotted", "dash_dotted")


def plot_accuracy(curve: AccuracyCurve) -> Any:
    """Return a figure of the chances of an error by budget, a curve for each mechanism.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.accuracy_curve import accuracy_curve
    >>> figure = plot_accuracy(accuracy_curve({"lpm": 1.0, "baseline": 3.0}, [0.5, 1.0], alpha=2.0))
    >>> [mark.labels[0] for mark in figure.marks]
    ['lpm', 'baseline']
    """
    rows = list(zip(curve.names, curve.chances, strict=True))
    title = f"Chance of an error of {curve.alpha:.6g} or more"
    return _by_budget(title, curve.epsilons, rows, "probability", (0.0, 1.0), "top-right")


def plot_budgets(curve: BudgetCurve) -> Any:
    """Return a figure of the budgets for a chance of an error, a curve for each mechanism.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.accuracy_curve import budget_curve
    >>> len(plot_budgets(budget_curve({"lpm": 1.0, "baseline": 3.0}, alpha=2.0)).marks)
    2
    """
    rows = list(zip(curve.names, curve.epsilons, strict=True))
    title = f"Budget for an error of {curve.alpha:.6g} or more"
    top = max(float(curve.epsilons.max()), 1e-12)
    across = f"chance of an error of {curve.alpha:.6g} or more"
    return _curves(title, curve.chances, rows, (across, "budget ε (nats)"), (0.0, top * 1.05), "top-right")


def plot_promises(report: PromiseReport) -> Any:
    """Return a figure of mechanisms: the scale of the noise across, the largest leakage up.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.promise_report import promise_report
    >>> from pdp_widgets.models.dependent_examples import agreeing_bits
    >>> figure = plot_promises(promise_report(agreeing_bits(0.9), "sum", 1.0))
    >>> [mark.labels[0] for mark in figure.marks[:3]]
    ['promise', 'keeps the promise', 'leaks more']
    """
    chart = promise_chart(report)
    looks = {"keeps the promise": (LABELS[0], "circle"), "leaks more": (OVER, "triangle-up")}
    groups: list[ScatterGroup] = [
        (dots.name, *looks[dots.name], [(point.name, point.x, point.y) for point in dots.points])
        for dots in chart.groups
    ]
    return scatter_figure(groups, chart.title, chart.x_label, "largest leakage (nats)", chart.level)


def plot_separation(curve: SeparationCurve) -> Any:
    """Return a figure of the separations by budget: with dependence, and thin lines without it.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.separation import separation_curve
    >>> len(plot_separation(separation_curve([0.5, 1.0])).marks)
    6
    """
    rows: list[tuple[str, Any]] = list(zip(PAIR_QUERIES, curve.dependent, strict=True))
    rows += [
        (f"{query}, independent", values)
        for query, values in zip(PAIR_QUERIES, curve.independent, strict=True)
    ]
    top = max(float(curve.dependent.max()), float(curve.independent.max()))
    title = f"Separation for D_j = {curve.c:.4g} D_i + {1 - curve.c:.4g} X"
    return _by_budget(title, curve.epsilons, rows, "separation (nats)", (0.0, top * 1.05), "top-left", 3)


def plot_underestimation(curve: UnderestimationCurve) -> Any:
    """Return a figure of what leaks over what is promised, by budget, a curve for each factor.

    Examples
    --------
    >>> from pdp_widgets.leakage.dependent.underestimated import underestimation_curve
    >>> from pdp_widgets.models.dependent_examples import identical_tuples
    >>> figure = plot_underestimation(underestimation_curve(identical_tuples(3), "sum", [0.5, 1.0]))
    >>> [mark.labels[0] for mark in figure.marks]
    ['coefficients times 0.8', 'coefficients times 0.9', 'coefficients times 1']
    """
    shares = curve.leakages / curve.epsilons
    rows = [
        (f"coefficients times {factor:.4g}", values)
        for factor, values in zip(curve.factors.tolist(), shares, strict=True)
    ]
    low, high = float(shares.min()), float(shares.max())
    room = max(0.05, 0.25 * (high - low))
    return _by_budget(
        "Coefficients that are too small",
        curve.epsilons,
        rows,
        "leakage over promise",
        (low - room, high + 2 * room),
        "top-left",
    )


def _by_budget(
    title: str,
    epsilons: Any,
    rows: list[tuple[str, Any]],
    up: str,
    ends: tuple[float, float],
    legend: str,
    thick: int | None = None,
) -> Any:
    # Static pictures of bqplot figures have linear scales alone.
    if float(epsilons[-1]) >= 20 * float(epsilons[0]):
        at, across = np.log10(epsilons), "log10 of the budget ε (nats)"
    else:
        at, across = epsilons, "budget ε (nats)"
    return _curves(title, at, rows, (across, up), ends, legend, thick)


def _curves(
    title: str,
    at: Any,
    rows: list[tuple[str, Any]],
    labels: tuple[str, str],
    ends: tuple[float, float],
    legend: str,
    thick: int | None = None,
) -> Any:
    import bqplot

    low, high = float(at[0]), float(at[-1])
    if low == high:
        low, high = low - 0.5, high + 0.5
    x = bqplot.LinearScale(min=low, max=high)
    y = bqplot.LinearScale(min=ends[0], max=ends[1])
    marks = [
        bqplot.Lines(
            x=at,
            y=np.asarray(values),
            scales={"x": x, "y": y},
            colors=[LABELS[(k % (thick or len(rows))) % len(LABELS)]],
            line_style=_STYLES[(k % (thick or len(rows))) % len(_STYLES)],
            stroke_width=2.5 if thick is None or k < thick else 1.0,
            labels=[name],
            display_legend=True,
        )
        for k, (name, values) in enumerate(rows)
    ]
    return figure_of(title, marks, axes_of(x, y, *labels), legend, height=360)
