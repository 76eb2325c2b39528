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
from pdp_widgets.widgets.figures import _LABELS, _PROMISE, _axes, _axis_style, _figure, _level

__all__ = ["plot_comparison_plane", "plot_leakage_curve", "plot_leakage_matrix", "plot_utility"]

# From next to nothing to the whole budget, readable on a light and on a dark background.
_HEAT = ["#e8eef4", "#7fb1d6", "#2a86c8", "#17476b"]
_MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "rectangle", "ellipse")


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
    across, down = bqplot.OrdinalScale(domain=names), bqplot.OrdinalScale(domain=names, reverse=True)
    colour = bqplot.ColorScale(colors=_HEAT, min=0.0, max=max(float(analysis.dpl.max()), 1e-12))
    values = np.where(np.eye(len(names), dtype=bool), np.nan, analysis.matrix)
    map_of_all = bqplot.GridHeatMap(
        row=names,
        column=names,
        color=values,
        scales={"row": down, "column": across, "color": colour},
        null_color="#8a8a8a22",
    )
    axes = [
        bqplot.Axis(scale=across, label="secret", label_offset="2.6em", **_axis_style()),
        bqplot.Axis(scale=down, label="source", orientation="vertical", label_offset="5em", **_axis_style()),
        bqplot.ColorAxis(scale=colour, label="leakage (nats)", orientation="vertical", side="right"),
    ]
    figure = _figure(
        f"What a report says about another attribute ({analysis.output})", [map_of_all], axes, "top-left"
    )
    figure.fig_margin = {"top": 44, "bottom": 48, "left": 110, "right": 90}
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
            colors=[_LABELS[0]],
            stroke_width=2.5,
            labels=[f"about {short(secret)} ({curve.output})"],
            display_legend=True,
        ),
        bqplot.Lines(
            x=[0.0, min(right, top * 1.12)],
            y=[0.0, min(right, top * 1.12)],
            scales={"x": x, "y": y},
            colors=[_PROMISE],
            line_style="dashed",
            stroke_width=1.5,
            labels=["the budget itself"],
            display_legend=True,
        ),
    ]
    if np.isfinite(saturation) and saturation <= top:
        marks.append(_level(x, y, (0.0, right), saturation, _LABELS[1], "saturation", "dotted"))
    title = f"Report of {short(source)}: {curve.mechanism.name}"
    return _figure(title, marks, _axes(x, y, "budget ε (nats)", "leakage (nats)"), "top-left")


def plot_comparison_plane(plane: ComparisonPlane) -> Any:
    """Return a figure of ways to state leakages: how far they are too low (across) and too high (up).

    Examples
    --------
    >>> from pdp_widgets import titanic
    >>> from pdp_widgets.leakage.local.comparison_plane import comparison_plane
    >>> len(plot_comparison_plane(comparison_plane(titanic(), 1.0)).marks)
    7
    """
    found = [(point.name, point.under, point.over) for point in plane.points]
    return _scatter(found, "Stated against exact leakages", "too low (share of ε)", "too high (share of ε)")


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
    if error not in ("frequency", "0-1"):
        raise DomainError(
            f"The error is {shown(error)}; it is 'frequency' or '0-1'.", Where("parameter", name="error")
        )
    found = [
        (
            f"{point.mechanism.name}, {point.output}",
            point.normalised,
            point.frequency_nmse if error == "frequency" else point.error01,
        )
        for point in comparison.points
    ]
    up = "expected frequency NMSE" if error == "frequency" else "expected 0-1 error"
    return _scatter(found, f"Leakage and error at ε = {comparison.epsilon:g}", "normalised total leakage", up)


def _scatter(points: list[tuple[str, float, float]], title: str, across: str, up: str) -> Any:
    import bqplot

    shown_points = [point for point in points if np.isfinite(point[1]) and np.isfinite(point[2])]
    x = bqplot.LinearScale(min=0.0, max=max([1e-12, *(p[1] for p in shown_points)]) * 1.1)
    y = bqplot.LinearScale(min=0.0, max=max([1e-12, *(p[2] for p in shown_points)]) * 1.1)
    marks = [
        bqplot.Scatter(
            x=[right],
            y=[top],
            scales={"x": x, "y": y},
            colors=[_LABELS[place % len(_LABELS)]],
            marker=_MARKERS[place % len(_MARKERS)],
            default_size=72,
            labels=[name],
            display_legend=True,
        )
        for place, (name, right, top) in enumerate(shown_points)
    ]
    figure = _figure(title, marks, _axes(x, y, across, up), "right")
    figure.fig_margin = {"top": 44, "bottom": 48, "left": 72, "right": 190}
    figure.max_aspect_ratio = 3.0
    return figure
