"""bqplot figures of streams: what all steps so far leak, beside the bounds, and what each step leaks."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.sequence.batch_errors import BatchErrors
from pdp_widgets.leakage.sequence.composition import best_bounds
from pdp_widgets.leakage.sequence.sequence_analysis import SequenceAnalysis
from pdp_widgets.leakage.sequence.two_points import TwoPointsCurve
from pdp_widgets.mechanisms.sequence.step_channel import within
from pdp_widgets.models.labels import shown
from pdp_widgets.widgets.bqplot_parts import (
    LABELS,
    OVER,
    PROMISE,
    dots_of,
    lines_of,
)

__all__ = ["plot_batch_errors", "plot_sequence", "plot_two_points"]


def plot_sequence(analysis: SequenceAnalysis, part: str = "total") -> Any:
    """Return a figure of a stream by step.

    Parameters
    ----------
    analysis
        The results.
    part
        ``"total"`` or ``"steps"``.

    Examples
    --------
    >>> chain = ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> figure = plot_sequence(SequenceAnalysis(chain, "crr", 6, epsilon=0.5))
    >>> [mark.labels[0] for mark in figure.marks][:2]
    ['leaks so far, exact', 'sum along the worst releases']
    """
    if not isinstance(part, str) or part not in ("total", "steps"):
        raise DomainError(
            f"The part is {shown(part)}; it is 'total' or 'steps'.", Where("parameter", name="part")
        )
    return _total(analysis) if part == "total" else _steps(analysis)


def _total(analysis: SequenceAnalysis) -> Any:
    result = analysis.result
    at = np.arange(1, analysis.n_steps + 1, dtype=np.float64)
    budgets = analysis.budgets
    curves = [
        ("leaks so far, exact", result.so_far, LABELS[0], "solid", 2.5),
        ("sum along the worst releases", result.composed_so_far, LABELS[1], "dotted", 2.0),
    ]
    if np.isfinite(budgets).all():
        bounds = best_bounds(budgets, analysis.delta)
        curves.append(("promise, sum of budgets", bounds["linear"], PROMISE, "dashed", 1.5))
        if (bounds["best"] < bounds["linear"] - 1e-12).any():
            name = f"promise but for delta {analysis.delta:.3g}"
            curves.append((name, bounds["best"], LABELS[2], "dash_dotted", 1.5))
    return lines_of(curves, at, f"{analysis.mechanism_label}: all steps so far", "step", "leakage (nats)")


def _steps(analysis: SequenceAnalysis) -> Any:
    steps = analysis.steps
    at = np.arange(1, analysis.n_steps + 1, dtype=np.float64)
    curves = [("on average", steps.expected, LABELS[1], "dotted", 2.0)]
    if np.isfinite(steps.promised).any():
        curves.append(("budget", steps.promised, PROMISE, "dashed", 1.5))
    figure = lines_of(
        curves,
        at,
        f"{analysis.mechanism_label}: each step",
        "step",
        "leakage of the step (nats)",
        highest=float(np.max(steps.worst, where=np.isfinite(steps.worst), initial=0.0)),
    )
    x, y = figure.axes[0].scale, figure.axes[1].scale
    over = np.isfinite(steps.promised) & ~within(steps.worst, steps.promised)
    seen = np.isfinite(steps.worst)
    kinds = (
        (seen & ~over, "circle", LABELS[0], "after the worst releases"),
        (seen & over, "triangle-up", OVER, "after the worst releases, above the budget"),
    )
    figure.marks = [
        *figure.marks,
        *(
            dots_of(x, y, at[chosen], steps.worst[chosen], marker, colour, name)
            for chosen, marker, colour, name in kinds
            if chosen.any()
        ),
    ]
    return figure


def plot_two_points(curve: TwoPointsCurve, value: str = "noise_correlation") -> Any:
    """Return a figure of the two-point example: the correlation of the data across, another number up.

    Parameters
    ----------
    curve
        The results.
    value
        ``"noise_correlation"``, ``"noise_information"``, ``"noise_2"`` or ``"leakage"``.

    Examples
    --------
    >>> from pdp_widgets.leakage.sequence.two_points import two_points_curve
    >>> plot_two_points(two_points_curve(0.5)).axes[0].label
    'correlation of the data'
    """
    names = {
        "noise_correlation": "correlation of the errors",
        "noise_information": "mutual information of the errors (nats)",
        "noise_2": "chance that the second release is wrong",
        "leakage": "leakage of both releases (nats)",
    }
    if not isinstance(value, str) or value not in names:
        raise DomainError(
            f"The value is {shown(value)}; it is one of {', '.join(names)}.",
            Where("parameter", name="value"),
        )
    across = curve.values("data_correlation")
    order = np.argsort(across)[: int(np.isfinite(across).sum())]
    if not order.size:
        raise DomainError(
            "The first answer is certain: there is no correlation to draw.", Where("parameter", name="p1")
        )
    first = curve.points[0]
    named = str(getattr(first.kind(first.epsilon_2), "label", "exact"))
    curves = [(named, curve.values(value)[order], LABELS[0], "solid", 2.5)]
    return lines_of(curves, across[order], "Two correlated answers", "correlation of the data", names[value])


def plot_batch_errors(found: BatchErrors, value: str = "errors") -> Any:
    """Return a figure of batches: their size across, the error of a symbol or what a batch leaks up.

    Parameters
    ----------
    found
        The results.
    value
        ``"errors"`` or ``"leakages"``.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain, batch_errors
    >>> found = batch_errors(MarkovChain.symmetric(0.5), 1.0, [1, 2], steps=4, users=1)
    >>> plot_batch_errors(found, "leakages").axes[1].label
    'leakage of a batch (nats)'
    """
    if not isinstance(value, str) or value not in ("errors", "leakages"):
        raise DomainError(
            f"The value is {shown(value)}; it is 'errors' or 'leakages'.", Where("parameter", name="value")
        )
    order = np.argsort(found.sizes, kind="stable")
    sizes = np.array(found.sizes, dtype=np.float64)[order]
    if value == "errors":
        curves = [("mean of drawn releases", found.errors[order], LABELS[0], "solid", 2.5)]
        title, up = "Error of a symbol", "mean distance, a step"
    else:
        curves = [
            ("largest seen", found.leakages[order], LABELS[0], "solid", 2.5),
            ("budget", found.epsilon * sizes, PROMISE, "dashed", 1.5),
        ]
        title, up = "What a batch leaks", "leakage of a batch (nats)"
    return lines_of(curves, sizes, title, "steps in a batch", up)
