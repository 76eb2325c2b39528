"""A bqplot figure of dependent tuples: what was promised about each, what leaks, and what the paper says."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
from pdp_widgets.models.labels import short
from pdp_widgets.widgets.bqplot_parts import LABELS, NEUTRAL, OVER, PROMISE, axes_of, figure_of

__all__ = ["plot_dependence"]

#: Tuples that have room for a name; of more those are shown that leak most.
_MOST = 24


def plot_dependence(analysis: DependenceAnalysis) -> Any:
    """Return a figure with a bar for every tuple: its exact leakage, beside the promise.

    Parameters
    ----------
    analysis
        The results. Of more than 24 tuples those that leak most are shown.

    Returns
    -------
    bqplot.Figure
        Bars, in another colour and named apart where they are above the promise, which is the dashed line;
        diamonds for the paper's estimate, squares for the bound with mean distances.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import covered_shift
    >>> figure = plot_dependence(DependenceAnalysis(covered_shift()))
    >>> [mark.labels[0] for mark in figure.marks]
    ['exact', 'exact, above the promise', 'promise', "paper's estimate", 'mean bound']
    """
    import bqplot

    exact = np.array([float(one) for one in analysis.per_tuple])
    shown = np.sort(np.argsort(-exact, kind="stable")[:_MOST])
    names = [short(analysis.joint.tuples[k]) for k in shown]
    printed = np.array([float(analysis.paper_estimates[k]) for k in shown])
    bound = np.array([float(analysis.mean_bounds[k]) for k in shown])
    exact = exact[shown]
    over = exact > analysis.epsilon * (1 + 1e-9)
    top = max(float(np.max([exact.max(), printed.max(), bound.max()])), analysis.epsilon) * 1.12
    x, y = bqplot.LinearScale(min=-0.6, max=len(names) - 0.4), bqplot.LinearScale(min=0.0, max=top)
    at = np.arange(len(names), dtype=np.float64)
    marks: list[Any] = []
    for chosen, colour, name in ((~over, LABELS[0], "exact"), (over, OVER, "exact, above the promise")):
        if chosen.any():
            marks.append(_bars(x, y, at[chosen], exact[chosen], colour, name))
    marks.append(
        bqplot.Lines(
            x=[-0.6, len(names) - 0.4],
            y=[analysis.epsilon, analysis.epsilon],
            scales={"x": x, "y": y},
            colors=[PROMISE],
            line_style="dashed",
            stroke_width=1.5,
            labels=["promise"],
            display_legend=True,
        )
    )
    proved = analysis.mean_bounds[0].status == "bound"
    for values, marker, name in (
        (printed, "diamond", "paper's estimate"),
        (bound, "square", "mean bound" if proved else "mean distances, no bound here"),
    ):
        marks.append(
            bqplot.Scatter(
                x=at,
                y=values,
                scales={"x": x, "y": y},
                marker=marker,
                colors=[NEUTRAL],
                fill=False,
                stroke_width=2,
                default_size=40,
                labels=[name],
                display_legend=True,
            )
        )
    axes = axes_of(x, y, "tuple", "leakage (nats)")
    axes[0].tick_values = at
    axes[0].tick_labels = {f"{k:g}": name for k, name in zip(at, names, strict=True)}
    kept = "" if len(shown) == analysis.joint.n else f"; {len(shown)} of {analysis.joint.n} tuples"
    return figure_of(f"{analysis.mechanism_label}{kept}", marks, axes, "top-right")


def _bars(x: Any, y: Any, at: Any, values: Any, colour: str, name: str) -> Any:
    """Return bars as thick lines: those of bqplot would share the width of all groups."""
    import bqplot

    half = 0.32
    across = [[k - half, k - half, k + half, k + half] for k in at.tolist()]
    up = [[0.0, value, value, 0.0] for value in values.tolist()]
    return bqplot.Lines(
        x=across,
        y=up,
        scales={"x": x, "y": y},
        colors=[colour],
        fill="inside",
        fill_colors=[colour],
        fill_opacities=[0.75] * len(up),
        stroke_width=1.0,
        labels=[name, *[""] * (len(up) - 1)],
        display_legend=True,
    )
