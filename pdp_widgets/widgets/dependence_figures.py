"""A bqplot figure of dependent tuples: what was promised about each, what leaks, and what the paper says."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
from pdp_widgets.models.labels import short
from pdp_widgets.models.rounding_rule import at_most
from pdp_widgets.widgets.bqplot_parts import (
    LABELS,
    NEUTRAL,
    OVER,
    PROMISE,
    axes_of,
    dots_of,
    figure_of,
    level_line,
)

__all__ = ["plot_dependence"]

#: Tuples that have room for a name; of more those are shown that leak most.
_MOST = 24


def plot_dependence(analysis: DependenceAnalysis) -> Any:
    """Return a figure of the exact leakage about every tuple, beside the promise.

    Parameters
    ----------
    analysis
        The results. Of more than 24 tuples those that leak most are shown.

    Returns
    -------
    bqplot.Figure
        A disc for each tuple, a triangle where it is above the promise, which is the dashed line; diamonds
        for the paper's estimate, squares for the bound with mean distances.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import covered_shift
    >>> figure = plot_dependence(DependenceAnalysis(covered_shift()))
    >>> [mark.labels[0] for mark in figure.marks]
    ['promise', "paper's estimate", 'mean bound', 'exact', 'exact, above the promise']
    """
    import bqplot

    exact = np.array([float(one) for one in analysis.per_tuple])
    shown = np.sort(np.argsort(-exact, kind="stable")[:_MOST])
    names = [short(analysis.joint.tuples[k]) for k in shown]
    printed = np.array([float(analysis.paper_estimates[k]) for k in shown])
    bound = np.array([float(analysis.mean_bounds[k]) for k in shown])
    exact = exact[shown]
    over = exact > at_most(analysis.epsilon)
    at = np.arange(len(names), dtype=np.float64)
    ends = (-0.5, len(names) - 0.5)
    largest = max(float(values.max()) for values in (exact, printed, bound))
    # Room above for the names of the marks.
    top = max(largest, analysis.epsilon) * 1.5
    x, y = bqplot.LinearScale(min=ends[0], max=ends[1]), bqplot.LinearScale(min=0.0, max=top)
    marks = [
        level_line(x, y, ends, analysis.epsilon, PROMISE, "promise"),
        dots_of(x, y, at, printed, "diamond", LABELS[1], "paper's estimate", fill=False),
        dots_of(
            x,
            y,
            at,
            bound,
            "square",
            NEUTRAL,
            "mean distances, no bound" if analysis.unproved else "mean bound",
            fill=False,
        ),
        dots_of(x, y, at[~over], exact[~over], "circle", LABELS[0], "exact"),
        dots_of(x, y, at[over], exact[over], "triangle-up", OVER, "exact, above the promise"),
    ]
    axes = axes_of(x, y, "tuple", "leakage (nats)")
    axes[0].tick_values = at
    axes[0].tick_labels = {f"{k:g}": name for k, name in zip(at.tolist(), names, strict=True)}
    few = "" if len(shown) == analysis.joint.n else f"; {len(shown)} of {analysis.joint.n} tuples"
    drawn = [mark for mark in marks if len(mark.x)]
    whom = "; to the worst adversary of each tuple" if analysis.worst else ""
    return figure_of(f"{analysis.mechanism_label}{few}{whom}", drawn, axes, "top-left")
