"""Parts of a figure: the room each needs, and how several stand beside or below each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.publish.line_chart import Chart, chart_panel
from pdp_widgets.publish.scatter_chart import ScatterChart, scatter_panel
from pdp_widgets.publish.svg import Svg

__all__ = ["Part", "all_parts", "charts_part", "chosen_part", "scatter_part"]

#: Between parts, px.
_APART, _BELOW = 24.0, 18.0


@dataclass(frozen=True)
class Part:
    """One part of a result.

    Parameters
    ----------
    draw
        Draws into a room of some px and returns the height taken.
    least
        Room that it needs, px.
    title
        What it shows.
    most
        Room beyond which nothing is gained, px; None when it fills any.
    beside
        Room that it takes beside another part, px; None for what is left.
    about
        What the numbers hold for.
    """

    draw: Callable[[Svg, float], float]
    least: float
    title: str
    most: float | None = None
    beside: float | None = None
    about: str = ""


def charts_part(charts: tuple[Chart, ...]) -> Part:
    """Return charts as one part: side by side where each has 320 px, else below each other."""
    return Part(lambda svg, w: _grid(svg, charts, w), 260.0, "; ".join(chart.title for chart in charts))


def scatter_part(chart: ScatterChart) -> Part:
    """Return points with their names as one part."""
    return Part(lambda svg, w: scatter_panel(svg, chart, w), 300.0, chart.title, about=chart.notes)


def _grid(svg: Svg, charts: tuple[Chart, ...], w: float) -> float:
    """Draw charts in rows; return the height taken."""
    across = max(1, min(len(charts), int((w + _APART) / (320 + _APART))))
    room, y = (w - (across - 1) * _APART) / across, 0.0
    for row in range(0, len(charts), across):
        taken = 0.0
        for k, chart in enumerate(charts[row : row + across]):
            piece = Svg(svg.sheet)
            taken = max(taken, chart_panel(piece, chart, room))
            svg.put(piece, k * (room + _APART), y)
        y += taken + _BELOW
    return y - _BELOW


def all_parts(found: Iterable[Part]) -> Part:
    """Return parts as one: side by side in the order given where they fit, two in a row, else stacked."""
    listed = list(found)
    title = "; ".join(part.title for part in listed)
    about = next((part.about for part in listed if part.about), "")
    least = max(part.least for part in listed)
    return Part(lambda svg, w: _stacked(svg, listed, w), least, title, about=about)


def _stacked(svg: Svg, listed: list[Part], w: float) -> float:
    y = 0.0
    for row in _rows(listed, w):
        taken, x = 0.0, 0.0
        fixed = sum(part.beside or 0.0 for part in row) + (len(row) - 1) * _APART
        for part in row:
            room = w if len(row) == 1 else part.beside or w - fixed
            piece = Svg(svg.sheet)
            taken = max(taken, part.draw(piece, min(room, part.most or room)))
            svg.put(piece, x, y)
            x += room + _APART
        y += taken + _BELOW
    return y - _BELOW


def _rows(listed: list[Part], w: float) -> list[list[Part]]:
    """Put two parts in a row where one has a width of its own and the other enough of the rest."""
    rows: list[list[Part]] = []
    for part in listed:
        last = rows[-1] if rows else []
        if len(last) == 1 and (last[0].beside is None) != (part.beside is None):
            narrow, wide = (part, last[0]) if part.beside else (last[0], part)
            if (narrow.beside or 0.0) + _APART + wide.least <= w:
                last.append(part)
                continue
        rows.append([part])
    return rows


def chosen_part(found: dict[str, Part], name: Any) -> Part:
    """Return one part by name, ``"all"`` or None for the first.

    Raises
    ------
    DomainError
        There is no such part.
    """
    if name is None:
        return next(iter(found.values()))
    if isinstance(name, str):
        name = "matrix" if name == "heatmap" else name
        if name == "all":
            return all_parts(found.values())
        if name in found:
            return found[name]
    listed = ", ".join(f'"{part}"' for part in found)
    raise DomainError(
        f'There is no part {shown(name)}; there is {listed}, and "all".', Where("parameter", name="part")
    )
