"""The picture of a bqplot figure: what stands in a saved notebook and in a page, where no bqplot runs."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import numpy as np

from pdp_widgets.publish.bqplot_marks import Place, can_draw, draw_mark, line_style, mark_shape
from pdp_widgets.publish.formatting import tick
from pdp_widgets.publish.labels import clean, fit, width
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.scene import Page, computed_on
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.svg import Svg

__all__ = ["bqplot_snapshot"]

_ROOM = 720.0
_TALL = 320.0
_MOST_ROWS = 16
#: Least distance of two lines of text, px.
_LINE = 12.0


def bqplot_snapshot(figure: Any, *, day: date | None = None) -> Snapshot:
    """Draw a bqplot figure as a static picture with its numbers.

    Lines, points, heat maps and texts are drawn where the scales of the figure put them; the key stands
    above. Marks of another kind are named below the picture, and left out.

    Parameters
    ----------
    figure
        A ``bqplot.Figure`` with linear or ordinal scales, as those that results plot.
    day
        Date stated below; today without it.

    Returns
    -------
    Snapshot
        Shown by a notebook as it is; ``.svg``, ``.html`` and ``.text``.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
    >>> joint = lsat6()
    >>> figure = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)).plot()
    >>> print(bqplot_snapshot(figure).text[:45])
    What every adversary learns. promise GS/λ: 1.
    """
    drawn = [mark for mark in figure.marks if can_draw(mark)]
    page = Page(_ROOM)
    page.svg.text(0, 18, fit(figure.title, page.room, 14, True), weight=600, size=14)
    page.y = _key(page.svg, drawn, 40.0)
    _plot(page, figure, drawn)
    left_out = sorted({type(mark).__name__ for mark in figure.marks if mark.visible and mark not in drawn})
    caption = computed_on(day)
    if left_out:
        caption = f"Not in this picture, only in the live figure: {', '.join(left_out)}. {caption}"
    page.lines(caption, page.room)
    said = "; ".join(_said(mark) for mark in drawn if _name(mark))
    text = f"{clean(figure.title)}. {said}." if said else f"{clean(figure.title)}."
    numbers = "".join(_table(mark, figure) for mark in drawn)
    return Snapshot(page.finish(figure.title), text, caption, "", numbers)


def _name(mark: Any) -> str:
    labels = getattr(mark, "labels", None)
    return labels[0] if getattr(mark, "display_legend", False) and labels else ""


def _sides(mark: Any) -> tuple[str, str]:
    return ("column", "row") if type(mark).__name__ == "GridHeatMap" else ("x", "y")


def _key(svg: Svg, marks: list[Any], y: float) -> float:
    """Name the marks in as many rows as they need; return the last baseline."""
    x, named = 0.0, [mark for mark in marks if _name(mark)]
    for mark in named:
        words = fit(_name(mark), _ROOM - 34)
        wide = 34 + width(words) + 14
        if x > 0 and x + wide - 14 > _ROOM:
            x, y = 0.0, y + 18
        if type(mark).__name__ == "Scatter":
            mark_shape(svg, mark, [(x + 13, y - 4)])
        else:
            svg.path(f"M{x:g} {y - 4:g}h26", **line_style(mark))
        svg.text(x + 32, y, words)
        x += wide
    return y if named else 18.0


def _plot(page: Page, figure: Any, marks: list[Any]) -> None:
    """Draw axes and marks below what is there."""
    height = re.match(r"[\d.]+(?=px)", str(figure.layout.height))
    margin = figure.fig_margin
    used = [mark.scales[side] for mark in marks for side in _sides(mark)]
    axes = [axis for axis in figure.axes if any(axis.scale is scale for scale in used)]
    upright = [axis for axis in axes if axis.orientation == "vertical"]
    flat = [axis for axis in axes if axis.orientation != "vertical"]
    top = page.y + (34 if any(axis.label for axis in upright) else 14)
    tall = (float(height[0]) if height else _TALL) - margin["top"] - min(margin["bottom"], 48)
    foot = top + max(80.0, tall)
    left, right = float(margin["left"]), _ROOM - max(8.0, float(margin["right"]))
    if not any(axis.side == "right" for axis in upright):
        right = _ROOM - 12.0

    def place(scale: Any, vertical: bool) -> Place:
        values = [
            getattr(mark, side) for mark in marks for side in _sides(mark) if mark.scales.get(side) is scale
        ]
        return Place(scale, values, *((foot, top) if vertical else (left, right)))

    for axis in flat:
        _flat_axis(page.svg, axis, place(axis.scale, False), foot)
    for axis in upright:
        _upright_axis(page.svg, axis, place(axis.scale, True), left, right)
    on_colours = any(type(mark).__name__ == "GridHeatMap" for mark in marks)
    for mark in marks:
        across, up = _sides(mark)
        places = place(mark.scales[across], False), place(mark.scales[up], True)
        draw_mark(page.svg, mark, *places, room=_ROOM, on_colours=on_colours)
    page.y = foot + (44 if any(axis.label for axis in axes) else 26)


def _places(axis: Any, place: Place, most: int) -> list[tuple[float, str]]:
    """Return where an axis is marked, px, and how."""
    if place.names is not None:
        return [(float(at), str(name)) for name, at in zip(place.names, place.at(place.names), strict=True)]
    low, high = place.ends
    given = axis.tick_values
    values = ticks(low, high, most) if given is None or not len(given) else [float(v) for v in given]
    slack = 1e-9 * (high - low)
    kept = [value for value in values if low - slack <= value <= high + slack]
    named = _named_ticks(axis)
    return [(float(place.at([value])[0]), named.get(value, _number(value))) for value in kept]


def _named_ticks(axis: Any) -> dict[float, str]:
    """Return the words that an axis has for some of its numbers."""
    return {float(at): str(words) for at, words in (getattr(axis, "tick_labels", None) or {}).items()}


def _apart(found: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """Leave out numbers that would stand on others; those at the ends come first."""
    kept: list[tuple[float, str]] = []
    for one in [*found[:1], *found[-1:], *found[1:-1]]:
        if all(abs(one[0] - other[0]) >= _LINE for other in kept):
            kept.append(one)
    return kept


def _number(value: float) -> str:
    return tick(float(f"{value:.3g}")) if abs(value) < 1e3 else tick(value)


def _flat_axis(svg: Svg, axis: Any, place: Place, foot: float) -> None:
    svg.line(place.start, foot, place.end, foot, stroke="line2")
    names, found = place.names is not None, _places(axis, place, 7)
    room = place.step if names else (place.end - place.start) / max(1, len(found))
    for at, text in found:
        svg.line(at, foot, at, foot + 4, stroke="line2")
        words = fit(text, room - 6) if names or _named_ticks(axis) else text
        svg.text(at, foot + 17, words, anchor="middle", fill="ink2")
    if axis.label:
        svg.text(place.end, foot + 34, fit(axis.label, place.end / 2), anchor="end", fill="ink2")


def _upright_axis(svg: Svg, axis: Any, place: Place, left: float, right: float) -> None:
    beside = axis.side == "right"
    x, out, anchor = (right, 6, "start") if beside else (left, -6, "end")
    svg.line(x, place.start, x, place.end, stroke="line2")
    for at, text in _apart(_places(axis, place, 5)):
        svg.line(x, at, x + (4 if beside else -4), at, stroke="line2")
        svg.text(x + out, at + 4, fit(text, left - 10), anchor=anchor, fill="ink2")
    if not axis.label:
        return
    if beside:
        # Curves run everywhere along it: below the plot the label meets none.
        svg.text(0, place.start + 34, fit(f"right: {axis.label}", _ROOM / 2), fill="ink2")
    else:
        svg.text(0, place.end - 14, fit(axis.label, _ROOM / 2), fill="ink2")


def _said(mark: Any) -> str:
    up = np.asarray(mark.y, dtype=np.float64).ravel()
    seen = up[np.isfinite(up)]
    if not seen.size:
        return f"{clean(_name(mark))}: nothing"
    low, high = _short(seen.min()), _short(seen.max())
    return f"{clean(_name(mark))}: {low}" if low == high else f"{clean(_name(mark))}: {low} to {high}"


def _short(value: float) -> str:
    return tick(float(f"{value:.4g}")) if np.isfinite(value) else "–"


def _axis_label(figure: Any, scale: Any, otherwise: str) -> str:
    return next((axis.label for axis in figure.axes if axis.scale is scale and axis.label), otherwise)


def _table(mark: Any, figure: Any) -> str:
    """Return the numbers of a mark: those of a heat map all, of others no more than 16 rows."""
    across, up = _sides(mark)
    x_label = _axis_label(figure, mark.scales[across], "across")
    y_label = _axis_label(figure, mark.scales[up], "up")
    if type(mark).__name__ == "GridHeatMap":
        rows = [
            [str(name), *(_short(value) for value in row)]
            for name, row in zip(mark.row, np.asarray(mark.color, dtype=np.float64), strict=True)
        ]
        return table(f"{y_label} by {x_label}", [y_label, *map(str, mark.column)], rows)
    if type(mark).__name__ == "Label":
        if any(type(other).__name__ == "GridHeatMap" for other in figure.marks):
            # The numbers in the cells of the map, which has a table.
            return ""
        places = [
            [str(text), _short(float(x)), _short(float(y))]
            for text, x, y in zip(mark.text, mark.x, mark.y, strict=True)
        ]
        return table("Labels", ["label", x_label, y_label], places)
    if not _name(mark) and type(mark).__name__ == "Lines":
        # Pieces of a curve, and the other end of a level that has a name.
        return ""
    x, y = np.asarray(mark.x), np.asarray(mark.y, dtype=np.float64).ravel()
    kept = np.unique(np.linspace(0, x.size - 1, min(_MOST_ROWS, x.size)).round().astype(int))
    words = next((_named_ticks(axis) for axis in figure.axes if axis.scale is mark.scales[across]), {})
    rows = (
        [[words.get(float(x[k]), _short(float(x[k]))), _short(float(y[k]))] for k in kept] if x.size else []
    )
    name = _name(mark) or figure.title
    more = f", {len(kept)} of {x.size}" if x.size > len(kept) else ""
    return table(f"{name}{more}", [x_label, y_label], rows) if rows else ""
