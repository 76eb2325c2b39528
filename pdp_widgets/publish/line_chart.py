"""Line charts for notebooks: a few curves a panel, panels in a grid, every number in a table below."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.given_numbers import refuse_masked
from pdp_widgets.models.labels import short
from pdp_widgets.publish.formatting import tick
from pdp_widgets.publish.labels import clean, fit, width
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.palette import SERIES
from pdp_widgets.publish.scene import WIDTH, Page, computed_on
from pdp_widgets.publish.snapshot import Snapshot, table
from pdp_widgets.publish.svg import Svg, polyline

__all__ = ["Chart", "Line", "chart_panel", "line_charts"]

Floats = NDArray[np.float64]

# More curves in one panel cannot be told apart. The first is a full line: dashes stand for bounds.
_STYLES = (SERIES[1], SERIES[0], *SERIES[2:], ("ink", ""), ("promise", "6 2 1.5 2"))
_LEFT, _GAP, _TALL = 46.0, 40.0, 190.0
_MOST_ROWS = 16


@dataclass(frozen=True, eq=False)
class Line:
    """One curve.

    Parameters
    ----------
    name
        What the curve is, in a few words; it stands in the key and heads a column of the table.
    x, y
        Points, shape (m,) both, x ascending. NaN in y breaks the curve.
    low, high
        A band around the curve, same shape, or None.
    marks
        Draw a disc at every point.
    joined
        Draw the curve; without it the points alone, as discs: nothing is said about what lies between them.
    style
        Colour and dashes, of the palette; without it those of its place among the curves.

    Raises
    ------
    TableError
        The points do not fit together, or x is not finite and ascending.
    """

    name: str
    x: Any
    y: Any
    low: Any = None
    high: Any = None
    marks: bool = False
    joined: bool = True
    style: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        x = self._sealed("x", self.x)
        if x.ndim != 1 or x.size == 0 or not np.isfinite(x).all() or (np.diff(x) < 0).any():
            raise TableError(
                f"Line {short(self.name)}: x is one row of finite numbers in ascending order.",
                Where("parameter", name="x"),
            )
        if (self.low is None) != (self.high is None):
            raise TableError(
                f"Line {short(self.name)}: a band has a low and a high end.", Where("parameter", name="low")
            )
        for name in ("y", "low", "high"):
            given = getattr(self, name)
            if given is not None and self._sealed(name, given).shape != x.shape:
                raise TableError(
                    f"Line {short(self.name)}: {name} has shape {np.shape(given)}; x has {x.shape}.",
                    Where("parameter", name=name),
                )

    def _sealed(self, name: str, values: Any) -> Floats:
        refuse_masked(values, f"{name} of line {short(self.name)}")
        try:
            array = np.array(values, dtype=np.float64)
        except (TypeError, ValueError):
            raise TableError(
                f"Line {short(self.name)}: {name} holds something that is no number.",
                Where("parameter", name=name),
            ) from None
        array.flags.writeable = False
        object.__setattr__(self, name, array)
        return array


@dataclass(frozen=True, eq=False)
class Chart:
    """One panel.

    Parameters
    ----------
    title
        Heading of the panel.
    lines
        At most six curves.
    x_label, y_label
        What the axes show, with the unit.
    level
        A dashed horizontal line, ``(name, y)``, for a promise or a bound.
    y_range
        Ends of the vertical axis; without it the curves decide. What lies outside is cut off.

    Raises
    ------
    DomainError
        There is no curve, or there are more than six.
    """

    title: str
    lines: Sequence[Line]
    x_label: str
    y_label: str
    level: tuple[str, float] | None = None
    y_range: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(self.lines))
        if not 1 <= len(self.lines) <= len(_STYLES):
            raise DomainError(
                f"Chart {short(self.title)} has {len(self.lines)} curves; 1 to {len(_STYLES)} can be "
                "told apart.",
                Where("parameter", name="lines"),
            )

    @property
    def x_ends(self) -> tuple[float, float]:
        """Ends of the horizontal axis."""
        low = min(float(line.x[0]) for line in self.lines)
        high = max(float(line.x[-1]) for line in self.lines)
        return (low, high) if high > low else (low - 0.5, high + 0.5)

    @property
    def y_ends(self) -> tuple[float, float]:
        """Ends of the vertical axis."""
        if self.y_range is not None:
            return self.y_range
        parts = [v for line in self.lines for v in (line.y, line.low, line.high) if v is not None]
        values = np.concatenate(parts)
        seen = values[np.isfinite(values)].tolist() + ([self.level[1]] if self.level else [])
        low, high = (min(seen), max(seen)) if seen else (0.0, 1.0)
        room = (high - low) or max(abs(high), 1.0)
        # Zero is part of the picture when it is near: heights are then compared by eye.
        if 0 < low < 0.5 * high:
            low = 0.0
        return low - (0.04 * room if low != 0 else 0.0), high + 0.04 * room


def line_charts(
    charts: Chart | Iterable[Chart], *, title: str = "", columns: int = 2, day: date | None = None
) -> Snapshot:
    """Draw line charts side by side as one static picture.

    Parameters
    ----------
    charts
        One panel or several.
    title
        Heading of the whole, and the picture's name for screen readers.
    columns
        Panels in a row, 1 to 4.
    day
        Date stated below; today without it.

    Returns
    -------
    Snapshot
        Shown by a notebook as it is; ``.svg``, ``.html`` and ``.text``.

    Raises
    ------
    DomainError
        There is no panel, or the number of columns is not 1 to 4.

    Examples
    --------
    >>> line = Line("half", [0, 1], [0, 0.5])
    >>> shown = line_charts(Chart("Halves", [line], "x", "y"), title="One line")
    >>> print(shown.text)
    One line. Halves: half 0 to 0.5.
    """
    panels = [charts] if isinstance(charts, Chart) else list(charts)
    if not panels:
        raise DomainError(
            "There is nothing to draw; give at least one chart.", Where("parameter", name="charts")
        )
    if isinstance(columns, bool) or columns not in (1, 2, 3, 4):
        raise DomainError(f"columns is {columns!r}; it is 1, 2, 3 or 4.", Where("parameter", name="columns"))
    across = min(columns, len(panels))
    page = Page(WIDTH if across > 1 else 620.0)
    if title:
        page.svg.text(0, 22, fit(title, page.room, 14, True), weight=600, size=14)
        page.y = 38
    room = (page.room - (across - 1) * _GAP) / across
    for row in range(0, len(panels), across):
        taken = 0.0
        for k, chart in enumerate(panels[row : row + across]):
            piece = page.piece()
            taken = max(taken, chart_panel(piece, chart, room))
            page.svg.put(piece, k * (room + _GAP), page.y)
        page.y += taken + 18
    caption = computed_on(day)
    page.y -= 14
    page.lines(caption, page.room)
    named = [f"{chart.title}: {'; '.join(_said(line) for line in chart.lines)}." for chart in panels]
    text = " ".join(([f"{title}."] if title else []) + named)
    svg = page.finish(title or panels[0].title)
    return Snapshot(svg, text, caption, "", "".join(_table(chart) for chart in panels))


def _said(line: Line) -> str:
    seen = line.y[np.isfinite(line.y)]
    ends = f" {_short(seen[0])} to {_short(seen[-1])}" if seen.size else ", undefined"
    return f"{clean(_minus(line.name))}{ends}"


def _minus(text: str) -> str:
    """Give numbers in a name the sign that the axes have; a hyphen between words stays one."""
    return re.sub(r"(?<![\w-])-(?=\.?\d)", "\u2212", text)


def _places(chart: Chart, low: float, high: float, most: int) -> list[float]:
    """Return where the horizontal axis has numbers: whole ones where all points lie at whole ones."""
    if all((line.x == np.round(line.x)).all() for line in chart.lines):
        for tried in sorted(range(1, 2 * most + 1), key=lambda n: abs(n - most)):
            found = ticks(low, high, tried)
            if len(found) > 1 and all(value == round(value) for value in found):
                return found
        return [low, high] if low == round(low) else [round((low + high) / 2)]
    return ticks(low, high, most)


def _short(value: float) -> str:
    """Write a number with four significant digits."""
    return tick(float(f"{value:.4g}"))


def _table(chart: Chart) -> str:
    """Return the numbers at no more than 16 places."""
    places = np.unique(np.concatenate([line.x for line in chart.lines]))
    if places.size > _MOST_ROWS:
        places = places[np.linspace(0, places.size - 1, _MOST_ROWS).round().astype(int)]
    rows = []
    for x in places.tolist():
        cells = []
        for line in chart.lines:
            at = int(np.searchsorted(line.x, x))
            inside = at < line.x.size and line.x[at] == x and math.isfinite(line.y[at])
            cells.append(_short(line.y[at]) if inside else "")
        rows.append([_short(x), *cells])
    return table(
        f"{chart.title} ({chart.y_label})",
        [chart.x_label, *(_minus(line.name) for line in chart.lines)],
        rows,
    )


def chart_panel(svg: Svg, chart: Chart, room: float) -> float:
    """Draw one panel with its key; return the height taken."""
    svg.line(0, 0, room, 0, stroke="line2")
    svg.text(0, 18, fit(chart.title, room, 12, True), weight=600)
    top = _key(svg, chart, room, 38.0) + 34
    (x0, x1), (y0, y1) = chart.x_ends, chart.y_ends

    def across(x: Floats | float) -> Floats:
        return _LEFT + (np.asarray(x, dtype=np.float64) - x0) / (x1 - x0) * (room - _LEFT - 4)

    def up(y: Floats | float) -> Floats:
        return top + _TALL * (1 - (np.asarray(y, dtype=np.float64) - y0) / (y1 - y0))

    svg.text(0, top - 14, fit(chart.y_label, room), fill="ink2")
    for value in ticks(y0, y1, 5):
        at = float(up(value))
        svg.line(_LEFT, at, room, at, stroke="line2" if value == 0 else "line")
        svg.text(_LEFT - 6, at + 4, tick(value), anchor="end", fill="ink2")
    foot = top + _TALL
    svg.line(_LEFT, foot, room, foot, stroke="line2")
    for value in _places(chart, x0, x1, max(3, int(room / 80))):
        at = float(across(value))
        svg.line(at, foot, at, foot + 4, stroke="line2")
        # The last number must not run over the edge.
        middle = min(at, room - width(tick(value)) / 2)
        svg.text(middle, foot + 17, tick(value), anchor="middle", fill="ink2")
    svg.text(room, foot + 34, fit(chart.x_label, room), anchor="end", fill="ink2")
    if chart.level is not None and y0 <= chart.level[1] <= y1:
        at = float(up(chart.level[1]))
        svg.line(_LEFT, at, room, at, stroke="promise", stroke_width=1.5, stroke_dasharray="4 3")
        halo: dict[str, str | float] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}
        svg.text(room, at - 5, fit(chart.level[0], room / 2), anchor="end", fill="promise", **halo)
    for line, (colour, dashes) in _styled(chart):
        if line.low is not None:
            for low, high, x in _pieces(line.x, line.low, line.high, ends=(y0, y1)):
                edge = [
                    *zip(across(x), up(high), strict=True),
                    *zip(across(x)[::-1], up(low)[::-1], strict=True),
                ]
                svg.path(polyline(edge, close=True), fill=colour, fill_opacity=0.15)
        for y, x in _pieces(line.x, line.y, ends=(y0, y1)):
            style: dict[str, str | float] = {"stroke": colour, "stroke_width": 2}
            if line.joined:
                svg.path(
                    polyline(list(zip(across(x).tolist(), up(y).tolist(), strict=True))),
                    **style | ({"stroke_dasharray": dashes} if dashes else {}),
                )
            if line.marks or x.size == 1 or not line.joined:
                for px, py in zip(across(x), up(y), strict=True):
                    svg.circle(float(px), float(py), 3, fill=colour)
    return foot + 40


def _styled(chart: Chart) -> list[tuple[Line, tuple[str, str]]]:
    return [(line, line.style or own) for line, own in zip(chart.lines, _STYLES, strict=False)]


def _pieces(x: Floats, *curves: Floats, ends: tuple[float, float]) -> list[tuple[Floats, ...]]:
    """Return the stretches in which all curves are numbers, cut to the axis, x last."""
    whole = np.all([np.isfinite(curve) for curve in curves], axis=0)
    cuts = np.flatnonzero(np.diff(whole.astype(int))) + 1
    stretches = np.split(np.arange(x.size), cuts)
    return [
        (*(np.clip(curve[at], *ends) for curve in curves), x[at])
        for at in stretches
        if at.size and whole[at[0]]
    ]


def _key(svg: Svg, chart: Chart, room: float, y: float) -> float:
    """Name the curves in as many rows as they need; return the last baseline."""
    x = 0.0
    for line, (colour, dashes) in _styled(chart):
        words = fit(_minus(line.name), room - 34)
        wide = 34 + width(words) + 12
        if x > 0 and x + wide - 12 > room:
            x, y = 0.0, y + 18
        style: dict[str, str | float] = {"stroke": colour, "stroke_width": 2}
        if line.joined:
            svg.path(f"M{x:g} {y - 4:g}h26", **style | ({"stroke_dasharray": dashes} if dashes else {}))
        else:
            svg.circle(x + 13, y - 4, 3, fill=colour)
        svg.text(x + 32, y, words)
        x += wide
    return y
