"""Figures of streams for papers: all steps so far beside the bounds, each step, and errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.number_table import epsilon_words
from pdp_widgets.leakage.sequence.batch_errors import BatchErrors
from pdp_widgets.leakage.sequence.composition import best_bounds
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
from pdp_widgets.leakage.sequence.two_points import TwoPointsCurve
from pdp_widgets.publish.line_chart import Chart, Line

__all__ = ["batch_charts", "conditions", "sequence_charts", "two_points_charts"]


def conditions(analysis: SequenceAnalysis) -> str:
    """Say what the numbers of an analysis hold for, in one sentence.

    Examples
    --------
    >>> chain = ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> conditions(SequenceAnalysis(chain, "crr", 6, epsilon=0.5))
    'Leakage in nats of 6 steps: Conditional response, as printed, ε = 0.5; for the stated law of the stream.'
    """
    count = f"{analysis.n_steps:,} step{'s' if analysis.n_steps != 1 else ''}"
    return f"Leakage in nats of {count}: {analysis.mechanism_label}; for the stated law of the stream."


def sequence_charts(analysis: SequenceAnalysis) -> dict[str, Chart]:
    """Return the charts of a stream by name: ``total``, ``steps`` and ``errors``.

    Raises
    ------
    DomainError
        There is no step.

    Examples
    --------
    >>> chain = ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> found = sequence_charts(SequenceAnalysis(chain, "crr", 6, epsilon=0.5))
    >>> {name: len(chart.lines) for name, chart in found.items()}
    {'total': 3, 'steps': 3, 'errors': 1}
    """
    if not analysis.n_steps:
        raise DomainError("There is no step to draw; give 1 or more.", Where("parameter", name="steps"))
    named = analysis.mechanism_label
    at = np.arange(1, analysis.n_steps + 1)
    result, steps = analysis.result, analysis.steps
    total = [
        Line("exact", at, _seen(result.so_far)),
        Line("sum along the worst releases", at, _seen(result.composed_so_far)),
    ]
    each = [
        Line("after the worst releases", at, _seen(steps.worst), marks=True),
        Line("on average", at, _seen(steps.expected)),
    ]
    if np.isfinite(analysis.budgets).all():
        bounds = best_bounds(analysis.budgets, analysis.delta)
        total.append(Line("promise", at, bounds["linear"]))
        if (bounds["best"] < bounds["linear"] - 1e-12).any():
            total.append(Line(f"promise but for delta {analysis.delta:.3g}", at, bounds["best"]))
        each.append(Line("budget", at, steps.promised))
    return {
        "total": Chart(f"All steps so far: {named}", total, "step", "leakage, nats"),
        "steps": Chart(f"Each step: {named}", each, "step", "leakage, nats"),
        "errors": Chart(f"Errors: {named}", [Line("mean distance", at, steps.error)], "step", "distance"),
    }


def batch_charts(found: BatchErrors) -> tuple[Chart, ...]:
    """Return the charts of batches: the error of a symbol, and what a batch leaks, by size.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain, batch_errors
    >>> charts = batch_charts(batch_errors(MarkovChain.symmetric(0.5), 1.0, [1, 2], steps=4, users=1))
    >>> [(chart.title, [line.name for line in chart.lines]) for chart in charts]
    [('Error of a symbol', ['mean of drawn releases']), ('What a batch leaks', ['largest seen', 'budget'])]
    """
    order = np.argsort(found.sizes, kind="stable")
    sizes = np.array(found.sizes, dtype=np.float64)[order]
    across = f"steps in a batch, {epsilon_words(found.epsilon)} nats a step"
    budgets = found.epsilon * sizes
    return (
        Chart(
            "Error of a symbol",
            [Line("mean of drawn releases", sizes, _seen(found.errors[order]), marks=True)],
            across,
            "mean distance, a step",
        ),
        Chart(
            "What a batch leaks",
            [
                Line("largest seen", sizes, _seen(found.leakages[order]), marks=True),
                Line("budget", sizes, _seen(budgets), marks=True),
            ],
            across,
            "leakage, nats",
        ),
    )


def two_points_charts(curve: TwoPointsCurve) -> tuple[Chart, ...]:
    """Return the charts of the two-point example: correlation, information and noise of the errors.

    Examples
    --------
    >>> from pdp_widgets.leakage.sequence.two_points import two_points_curve
    >>> [chart.title for chart in two_points_charts(two_points_curve(0.5))][0]
    'How errors hang together'
    """
    across = curve.values("data_correlation")
    order = np.argsort(across)[: int(np.isfinite(across).sum())]
    if not order.size:
        raise DomainError(
            "The first answer is certain: there is no correlation to draw.", Where("parameter", name="p1")
        )
    drawn = (
        ("noise_correlation", "How errors hang together", "correlation of the errors"),
        ("noise_information", "What one error says about the other", "mutual information, nats"),
        ("noise_2", "How often the second release is wrong", "probability"),
    )
    first = curve.points[0]
    named = getattr(first.kind(first.epsilon_2), "label", "exact")
    return tuple(
        Chart(title, [Line(named, across[order], curve.values(name)[order])], "correlation of the data", up)
        for name, title, up in drawn
    )


def _seen(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values to draw: what is infinite leaves a gap."""
    return np.where(np.isfinite(values), values, np.nan)
