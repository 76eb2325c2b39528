"""Points with their names as a bqplot figure: labels cover neither points nor one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.widgets.bqplot_parts import NEUTRAL, PROMISE, axes_of, figure_of, level_line

__all__ = ["ScatterGroup", "scatter_figure"]

#: Points nearer than this share of an axis have one label.
_NEAR = 0.03

# About how many pixels the largest values span, and how far below its point a label may stand.
_WIDTH, _HEIGHT = 430, 210
_OFFSETS = (4, -8, 16, -20, 28)

#: Name, across, up.
_Point = tuple[str, float, float]
#: Name in the legend, colour, marker and points.
ScatterGroup = tuple[str, str, str, list[_Point]]


def scatter_figure(
    groups: list[ScatterGroup], title: str, across: str, up: str, level: tuple[str, float] | None = None
) -> Any:
    """Return a figure of points with their names.

    Parameters
    ----------
    groups
        Points of one kind each; those that are not finite are left out.
    title, across, up
        Words of the figure and its axes.
    level
        A dashed line, its name and its height.

    Examples
    --------
    >>> points = [("lpm", 1.0, 3.0), ("baseline", 3.0, 1.0)]
    >>> groups = [("", "#2a86c8", "circle", points)]
    >>> figure = scatter_figure(groups, "Noise", "scale", "nats", ("promise", 1.0))
    >>> [type(mark).__name__ for mark in figure.marks]
    ['Lines', 'Scatter', 'Label']
    """
    import bqplot

    drawn = [
        (name, colour, marker, [p for p in points if np.isfinite(p[1]) and np.isfinite(p[2])])
        for name, colour, marker, points in groups
    ]
    every = [point for *_, points in drawn for point in points]
    right = max([1e-12, *(point[1] for point in every)])
    top = max([1e-12, *(point[2] for point in every), *([] if level is None else [level[1]])])
    # Room for labels right of the last point, and for a legend above.
    x = bqplot.LinearScale(min=-0.02 * right, max=right * 1.35)
    y = bqplot.LinearScale(min=-0.08 * top, max=top * 1.25)
    marks = [] if level is None else [level_line(x, y, (0.0, right * 1.35), level[1], PROMISE, level[0])]
    marks += [
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


def _labels(groups: list[ScatterGroup], right: float, top: float) -> dict[str, list[_Point]]:
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
