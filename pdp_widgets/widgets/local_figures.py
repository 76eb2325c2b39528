"""bqplot figures of local privacy: leakages of all pairs, one pair by budget, and the paper's two planes."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.local.comparison_plane import ComparisonPlane
from pdp_widgets.leakage.local.leakage_curve import LeakageCurve
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.utility import UtilityComparison
from pdp_widgets.models.labels import short, shown
from pdp_widgets.widgets.bqplot_parts import (
    LABELS,
    PROMISE,
    axes_of,
    axis_style,
    figure_of,
    level_line,
)
from pdp_widgets.widgets.bqplot_scatter import ScatterGroup, scatter_figure

__all__ = ["plot_comparison_plane", "plot_leakage_curve", "plot_leakage_matrix", "plot_utility"]

# From next to nothing to the whole budget; dark figures stand out on all of them.
_HEAT = ["#eef3f8", "#b5d2e8", "#6fabd8"]
_INK = "#1b2733"
# Numbers in cells have room for that many attributes.
_MOST_NUMBERED = 14


def plot_leakage_matrix(analysis: LocalAnalysis) -> Any:
    """Return a heat map of the leakages of all pairs: sources down, secrets across.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> plot_leakage_matrix(LocalAnalysis(titanic(), "GRR", 1.0)).axes[0].label
    'secret'
    """
    import bqplot

    names = [short(name) for name in analysis.names]
    n = len(names)
    finite = analysis.matrix[np.isfinite(analysis.matrix)]
    across, down = bqplot.OrdinalScale(domain=names), bqplot.OrdinalScale(domain=names, reverse=True)
    top = max(float(finite.max(initial=0.0)), 1e-12)
    colour = bqplot.ColorScale(colors=_HEAT, min=0.0, max=top)
    values = np.minimum(analysis.matrix, top)
    map_of_all = bqplot.GridHeatMap(
        row=names,
        column=names,
        color=values,
        scales={"row": down, "column": across, "color": colour},
        stroke="#ffffff",
    )
    marks = [map_of_all]
    if n <= _MOST_NUMBERED:
        source, secret = (place.ravel() for place in np.indices((n, n)))
        marks.append(
            bqplot.Label(
                x=[names[k] for k in secret],
                y=[names[j] for j in source],
                # What a report says about its own attribute is no leakage between attributes.
                text=[
                    f"{analysis.matrix[j, k]:.2f}" if j != k else "–"
                    for j, k in zip(source, secret, strict=True)
                ],
                scales={"x": across, "y": down},
                colors=[_INK],
                default_size=12,
                font_weight="normal",
                align="middle",
            )
        )
    longest = max(len(name) for name in names)
    axes = [
        bqplot.Axis(
            scale=across,
            label="secret",
            label_offset=f"{1.8 + 0.3 * longest:.1f}em",
            tick_rotate=-35,
            tick_style={"text-anchor": "end"},
            **axis_style(),
        ),
        bqplot.Axis(
            scale=down,
            label="source",
            orientation="vertical",
            label_offset=f"{2 + 0.5 * longest:.1f}em",
            **axis_style(),
        ),
    ]
    title = f"Leakage in nats, {analysis.output}: what a report says about another attribute"
    figure = figure_of(title, marks, axes, "top-left", 180 + 30 * n)
    figure.fig_margin = {"top": 44, "bottom": 60 + 5 * longest, "left": 60 + 7 * longest, "right": 24}
    return figure


def plot_leakage_curve(curve: LeakageCurve) -> Any:
    """Return a figure of one pair's leakage by budget, with what a report says about its own attribute.

    Examples
    --------
    >>> from pdp_widgets.leakage.local.leakage_curve import leakage_curve
    >>> from pdp_widgets.mechanisms.local.randomised_response import GRR
    >>> plot_leakage_curve(leakage_curve([[0.5, 0.5], [0.1, 0.9]], GRR(1.0))).axes[0].label
    'budget ε (nats)'
    """
    import bqplot

    kept = np.isfinite(curve.epsilons) & np.isfinite(curve.values)
    levels, values = curve.epsilons[kept], curve.values[kept]
    right = float(levels.max(initial=1e-12))
    saturation = curve.saturation
    top = float(values.max(initial=1e-12))
    if np.isfinite(saturation) and saturation < 1.5 * max(right, top):
        top = max(top, saturation)
    x = bqplot.LinearScale(min=0.0, max=right)
    y = bqplot.LinearScale(min=0.0, max=top * 1.12)
    secret, source = curve.pair.names
    marks = [
        bqplot.Lines(
            x=levels,
            y=values,
            scales={"x": x, "y": y},
            colors=[LABELS[0]],
            stroke_width=2.5,
            labels=[f"about {short(secret)} ({curve.output})"],
            display_legend=True,
        ),
        bqplot.Lines(
            x=[0.0, min(right, top * 1.12)],
            y=[0.0, min(right, top * 1.12)],
            scales={"x": x, "y": y},
            colors=[PROMISE],
            line_style="dashed",
            stroke_width=1.5,
            labels=["the budget itself"],
            display_legend=True,
        ),
    ]
    if np.isfinite(saturation) and saturation <= top:
        marks.append(level_line(x, y, (0.0, right), saturation, LABELS[1], "saturation", "dotted"))
    title = f"Report of {short(source)}: {curve.mechanism.name}"
    return figure_of(title, marks, axes_of(x, y, "budget ε (nats)", "leakage (nats)"), "bottom-right")


def plot_comparison_plane(plane: ComparisonPlane) -> Any:
    """Return a figure of ways to state leakages: how far they are too low (across) and too high (up).

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> from pdp_widgets.leakage.local.comparison_plane import comparison_plane
    >>> len(plot_comparison_plane(comparison_plane(titanic(), 1.0)).marks)
    2
    """
    found = [(point.name, point.under, point.over) for point in plane.points]
    title = f"Stated against exact leakages, ε = {plane.epsilon:g}"
    groups: list[ScatterGroup] = [("", LABELS[0], "circle", found)]
    return scatter_figure(groups, title, "too low (share of ε)", "too high (share of ε)")


def plot_utility(comparison: UtilityComparison, error: str = "frequency") -> Any:
    """Return a figure of mechanisms: leakage across, error up; raw and inferred apart.

    Parameters
    ----------
    comparison
        The results.
    error
        ``"frequency"`` or ``"0-1"``.

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> from pdp_widgets.leakage.local.utility import compare_utility
    >>> plot_utility(compare_utility(titanic(), 1.0, ["GRR"])).axes[0].label
    'normalised total leakage'
    """
    if not isinstance(error, str) or error not in ("frequency", "0-1"):
        raise DomainError(
            f"The error is {shown(error)}; it is 'frequency' or '0-1'.", Where("parameter", name="error")
        )
    value = "frequency_nmse" if error == "frequency" else "error01"
    groups: list[ScatterGroup] = []
    for output, colour, marker in (("raw", LABELS[0], "circle"), ("inferred", LABELS[1], "diamond")):
        found = [
            (point.mechanism.name, point.normalised, getattr(point, value))
            for point in comparison.points
            if point.output == output
        ]
        groups.append((output, colour, marker, found))
    up = "expected frequency NMSE" if error == "frequency" else "expected 0-1 error"
    title = f"Leakage and error, ε = {comparison.epsilon:g}"
    return scatter_figure(groups, title, "normalised total leakage", up)
