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
    NEUTRAL,
    PROMISE,
    axes_of,
    axis_style,
    figure_of,
    level_line,
)

__all__ = ["plot_comparison_plane", "plot_leakage_curve", "plot_leakage_matrix", "plot_utility"]

# From next to nothing to the whole budget; dark figures stand out on all of them.
_HEAT = ["#eef3f8", "#b5d2e8", "#6fabd8"]
_INK = "#1b2733"
# Numbers in cells have room for that many attributes.
_MOST_NUMBERED = 14
#: Points nearer than this share of an axis have one label.
_NEAR = 0.03

# About how many pixels the largest values span, and how far below its point a label may stand.
_WIDTH, _HEIGHT = 430, 210
_OFFSETS = (4, -8, 16, -20, 28)

#: Name, across, up.
_Point = tuple[str, float, float]
#: Name in the legend, colour, marker and points.
_Group = tuple[str, str, str, list[_Point]]


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
    groups: list[_Group] = [("", LABELS[0], "circle", found)]
    return _scatter(groups, title, "too low (share of ε)", "too high (share of ε)")


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
    groups: list[_Group] = []
    for output, colour, marker in (("raw", LABELS[0], "circle"), ("inferred", LABELS[1], "diamond")):
        found = [
            (point.mechanism.name, point.normalised, getattr(point, value))
            for point in comparison.points
            if point.output == output
        ]
        groups.append((output, colour, marker, found))
    up = "expected frequency NMSE" if error == "frequency" else "expected 0-1 error"
    title = f"Leakage and error, ε = {comparison.epsilon:g}"
    return _scatter(groups, title, "normalised total leakage", up)


def _scatter(groups: list[_Group], title: str, across: str, up: str) -> Any:
    import bqplot

    drawn = [
        (name, colour, marker, [p for p in points if np.isfinite(p[1]) and np.isfinite(p[2])])
        for name, colour, marker, points in groups
    ]
    every = [point for *_, points in drawn for point in points]
    right = max([1e-12, *(point[1] for point in every)])
    top = max([1e-12, *(point[2] for point in every)])
    # Room for labels right of the last point, and for a legend above.
    x = bqplot.LinearScale(min=-0.02 * right, max=right * 1.35)
    y = bqplot.LinearScale(min=-0.08 * top, max=top * 1.25)
    marks = [
        bqplot.Scatter(
            x=[point[1] for point in points],
            y=[point[2] for point in points],
            scales={"x": x, "y": y},
            colors=[colour],
            marker=marker,
            default_size=64,
            labels=[name],
            display_legend=bool(name),
        )
        for name, colour, marker, points in drawn
        if points
    ]
    taken = _boxes(every, right, top)
    for (colour, offset), labels in _placed(_labels(drawn, right, top), right, top, taken).items():
        marks.append(
            bqplot.Label(
                x=[label[1] for label in labels],
                y=[label[2] for label in labels],
                text=[label[0] for label in labels],
                scales={"x": x, "y": y},
                colors=[colour],
                default_size=12,
                font_weight="normal",
                align="start",
                x_offset=8,
                y_offset=offset,
            )
        )
    return figure_of(title, marks, axes_of(x, y, across, up), "top-right", 380)


def _labels(groups: list[_Group], right: float, top: float) -> dict[str, list[_Point]]:
    """Return labels at points by their colour; points that lie too near to each other share one.

    A name that has a point of each group in one place stands there once, in the colour of neither.
    """

    def near(one: _Point, other: _Point) -> bool:
        return abs(one[1] - other[1]) < _NEAR * right and abs(one[2] - other[2]) < 2 * _NEAR * top

    places: list[tuple[_Point, str]] = []
    for _, colour, _, points in groups:
        for point in points:
            same = [k for k, (other, _) in enumerate(places) if other[0] == point[0] and near(point, other)]
            if same:
                places[same[0]] = places[same[0]][0], NEUTRAL
            else:
                places.append((point, colour))
    labels: dict[str, list[_Point]] = {}
    for point, colour in sorted(places, key=lambda place: place[0][1:]):
        found = labels.setdefault(colour, [])
        for k, (names, x, y) in enumerate(found):
            if near(point, (names, x, y)):
                found[k] = f"{names}, {point[0]}", x, y
                break
        else:
            found.append(point)
    return labels


def _boxes(points: list[_Point], right: float, top: float) -> list[tuple[float, float, float, float]]:
    """Return what points cover, in pixels: left, right, upper and lower edge."""
    places = [(x / right * _WIDTH, -y / top * _HEIGHT) for _, x, y in points]
    return [(x - 4, x + 4, y - 4, y + 4) for x, y in places]


def _placed(
    labels: dict[str, list[_Point]],
    right: float,
    top: float,
    taken: list[tuple[float, float, float, float]],
) -> dict[tuple[str, int], list[_Point]]:
    """Return labels by colour and by how far below their point they stand, so that they cover nothing."""
    found: dict[tuple[str, int], list[_Point]] = {}
    for colour, label in [(colour, label) for colour, some in labels.items() for label in some]:
        x, y = label[1] / right * _WIDTH + 8, -label[2] / top * _HEIGHT
        boxes = {offset: (x, x + 6.5 * len(label[0]), y + offset - 8, y + offset + 4) for offset in _OFFSETS}
        free = [
            offset
            for offset, (a, b, c, d) in boxes.items()
            if not any(a < right_ and left < b and c < low and high < d for left, right_, high, low in taken)
        ]
        chosen = free[0] if free else _OFFSETS[0]
        taken.append(boxes[chosen])
        found.setdefault((colour, chosen), []).append(label)
    return found
