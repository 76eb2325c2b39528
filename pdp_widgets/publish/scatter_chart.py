"""Points in a plane, each with its name: labels cover neither points nor one another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.labels import short
from pdp_widgets.publish.formatting import tick
from pdp_widgets.publish.labels import fit, shorten, width, wrap
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.svg import Style, Svg

__all__ = ["Dots", "NamedPoint", "ScatterChart", "scatter_panel"]

_LEFT, _TALL = 46.0, 230.0
_SIZE, _LINE = 11.0, 12.0
#: Points nearer than this share one label, px.
_SAME = 8.0
#: Points so near crowd each other, px.
_CROWD = 60.0
#: Half the size of a point, and how far beyond it a label stands, px: first beside it, then at a line's end.
_HALF, _NEAR = 4.0, (8.0, 20.0, 34.0, 50.0)
#: Sides of a point in the order they are tried.
_SIDES = ((1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1))
_HALO: dict[str, Style] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}

#: Left, top, right, bottom, px.
_Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class NamedPoint:
    """One point.

    Parameters
    ----------
    name
        What stands beside it.
    x, y
        Where it is, both 0 or more; a point that is not finite is named below the chart.
    """

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Dots:
    """Points of one kind.

    Parameters
    ----------
    name
        What they have in common, for the key; empty where there is one kind alone.
    points
        The points.
    """

    name: str
    points: Sequence[NamedPoint]


@dataclass(frozen=True)
class ScatterChart:
    """Points in a plane whose axes begin at 0.

    Parameters
    ----------
    title
        Heading.
    groups
        One or two kinds of points: discs and diamonds.
    x_label, y_label
        What the axes show, with the unit.
    notes
        What the numbers hold for, below the chart.
    level
        A dashed horizontal line, ``(name, y)``, for a promise.

    Raises
    ------
    DomainError
        There is no group, or there are more than two; or no point has a place.
    """

    title: str
    groups: Sequence[Dots]
    x_label: str
    y_label: str
    notes: str = ""
    level: tuple[str, float] | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.groups) <= 2:
            raise DomainError(
                f"Chart {short(self.title)} has {len(self.groups)} kinds of points; 1 or 2 can be told "
                "apart.",
                Where("parameter", name="groups"),
            )
        if not any(_finite(point) for group in self.groups for point in group.points):
            raise DomainError(
                f"Chart {short(self.title)}: no point has two finite numbers, so there is nothing to draw.",
                Where("parameter", name="groups"),
            )

    @property
    def ends(self) -> tuple[float, float]:
        """Right end of the horizontal axis and upper end of the vertical one."""
        drawn = [point for group in self.groups for point in group.points if _finite(point)]
        right, top = max(point.x for point in drawn), max(point.y for point in drawn)
        if self.level is not None:
            top = max(top, self.level[1])
        return (1.08 * right or 1.0), (1.08 * top or 1.0)


def scatter_panel(svg: Svg, chart: ScatterChart, room: float) -> float:
    """Draw the points with their names; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    chart
        The points.
    room
        Width in px.
    """
    svg.line(0, 0, room, 0, stroke="line2")
    svg.text(0, 18, fit(chart.title, room, 12, True), weight=600)
    top = _key(svg, chart, 38.0) + 34
    foot, (right_end, top_end) = top + _TALL, chart.ends
    edge = room - 8

    def across(x: float) -> float:
        return _LEFT + x / right_end * (edge - _LEFT)

    def up(y: float) -> float:
        return foot - y / top_end * _TALL

    svg.text(0, top - 14, fit(chart.y_label, room), fill="ink2")
    for value in ticks(0.0, top_end, 5):
        svg.line(_LEFT, up(value), edge, up(value), stroke="line2" if value == 0 else "line")
        svg.text(_LEFT - 8, up(value) + 4, tick(value), anchor="end", fill="ink2")
    svg.line(_LEFT, top, _LEFT, foot, stroke="line2")
    for value in ticks(0.0, right_end, max(3, int(room / 80))):
        at = across(value)
        svg.line(at, foot, at, foot + 4, stroke="line2")
        svg.text(min(at, room - width(tick(value)) / 2), foot + 18, tick(value), anchor="middle", fill="ink2")
    svg.text(room, foot + 35, fit(chart.x_label, room), anchor="end", fill="ink2")
    taken = [] if chart.level is None else _level(svg, chart.level[0], up(chart.level[1]), edge)
    places: list[tuple[float, float]] = []
    names: list[list[str]] = []
    for k, group in enumerate(chart.groups):
        for point in filter(_finite, group.points):
            x, y = across(point.x), up(point.y)
            _dot(svg, k, x, y)
            near = [i for i, (a, b) in enumerate(places) if np.hypot(a - x, b - y) < _SAME]
            if near:
                names[near[0]] += [point.name] if point.name not in names[near[0]] else []
            else:
                places.append((x, y))
                names.append([point.name])
    within = (_LEFT, top, edge, foot)
    _labels(svg, places, [[shorten(name, 28) for name in each] for each in names], within, taken)
    y = foot + 40
    missing = [point.name for group in chart.groups for point in group.points if not _finite(point)]
    left_out = f"Without a place here: {', '.join(dict.fromkeys(missing))}." if missing else ""
    for line in wrap(" ".join(filter(None, (chart.notes, left_out))), room, 12, most=6):
        y += 16
        svg.text(0, y, line, fill="ink2")
    return y + 6


def _finite(point: NamedPoint) -> bool:
    return bool(np.isfinite([point.x, point.y]).all())


def _dot(svg: Svg, kind: int, x: float, y: float) -> None:
    if kind == 0:
        svg.circle(x, y, _HALF, fill="b", stroke="bg")
    else:
        d = _HALF + 1.5
        svg.path(
            f"M{x:g} {y - d:g}l{d:g} {d:g}-{d:g} {d:g}-{d:g}-{d:g}z", fill="bg", stroke="a", stroke_width=2
        )


def _key(svg: Svg, chart: ScatterChart, y: float) -> float:
    x, named = 0.0, [(k, group.name) for k, group in enumerate(chart.groups) if group.name]
    for kind, name in named:
        _dot(svg, kind, x + 6, y - 4)
        svg.text(x + 16, y, name)
        x += 16 + width(name) + 18
    return y if named else y - 18


def _level(svg: Svg, name: str, at: float, edge: float) -> list[_Box]:
    """Draw a line across with its name above its end; return what they cover."""
    svg.line(_LEFT, at, edge, at, stroke="promise", stroke_width=2, stroke_dasharray="4 3")
    named = fit(name, edge - _LEFT)
    svg.text(edge, at - 5, named, anchor="end", size=_SIZE, fill="ink2", **_HALO)
    return [(_LEFT, at - 2, edge, at + 2), (edge - width(named, _SIZE), at - 5 - _LINE, edge, at)]


def _labels(
    svg: Svg, places: list[tuple[float, float]], names: list[list[str]], within: _Box, taken: Iterable[_Box]
) -> None:
    """Write each label where it covers nothing and is nearest to its own point, the crowded ones first."""
    taken = [*taken, *((x - _HALF - 1, y - _HALF - 1, x + _HALF + 1, y + _HALF + 1) for x, y in places)]
    crowd = [sum(np.hypot(a - x, b - y) < _CROWD for a, b in places) for x, y in places]
    for i in sorted(range(len(places)), key=lambda k: (-crowd[k], places[k])):
        at = places[i]
        wide, tall = max(width(name, _SIZE) for name in names[i]), _LINE * len(names[i])
        others = places[:i] + places[i + 1 :]
        tried: list[tuple[float, int, bool, _Box]] = []
        for far, (dx, dy) in product(_NEAR, _SIDES):
            box = _beside(at, wide, tall, far, dx, dy)
            if _inside(box, within) and not any(_meet(box, other) for other in taken):
                own = _distance(at, box)
                unclear = any(_distance(other, box) < own + 4 for other in others)
                tried.append((far + 60 * unclear, len(tried), unclear, box))
        # Better over something than not at all.
        _, _, unclear, box = min(
            tried, default=(0.0, 0, True, _kept(_beside(at, wide, tall, 8, 1, 0), within))
        )
        taken.append(box)
        _label(svg, at, names[i], box, unclear or _distance(at, box) > 12)


def _label(svg: Svg, at: tuple[float, float], names: list[str], box: _Box, led: bool) -> None:
    """Write the lines of one label into its box, with a line to the point where that is not plain."""
    (x, y), middle = at, (box[0] + box[2]) / 2
    if led:
        svg.line(x, y, min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3]), stroke="ink2")
    anchor = "start" if middle > x + 1 else "end" if middle < x - 1 else "middle"
    left = box[0] + 1 if anchor == "start" else box[2] - 1 if anchor == "end" else middle
    for k, name in enumerate(names):
        svg.text(left, box[1] + _LINE * (k + 1) - 3, name, anchor=anchor, size=_SIZE, **_HALO)


def _beside(at: tuple[float, float], wide: float, tall: float, far: float, dx: int, dy: int) -> _Box:
    """Return the box of a label on one side of its point."""
    (x, y), off = at, far * (0.8 if dx else 1.0)
    left = x + dx * far - (wide if dx < 0 else wide / 2 if dx == 0 else 0)
    # Sideways the middle of the text is level with the point, else it begins above or below it.
    upper = y - tall / 2 if dy == 0 else y + off if dy > 0 else y - off - tall
    return left - 1, upper, left + wide + 1, upper + tall


def _distance(at: tuple[float, float], box: _Box) -> float:
    (x, y), (left, top, right, bottom) = at, box
    return float(np.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)))


def _kept(box: _Box, within: _Box) -> _Box:
    """Return a box moved into another."""
    left = max(within[0], min(box[0], within[2] - (box[2] - box[0])))
    top = max(within[1], min(box[1], within[3] - (box[3] - box[1])))
    return left, top, left + box[2] - box[0], top + box[3] - box[1]


def _inside(box: _Box, within: _Box) -> bool:
    return box[0] >= within[0] and box[1] >= within[1] and box[2] <= within[2] and box[3] <= within[3]


def _meet(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
