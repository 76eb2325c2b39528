"""Figures for papers: what a result declares, or a widget shows, as SVG, PDF or PNG of a column or a page."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np

from pdp_widgets.core.amounts import Kind
from pdp_widgets.core.chart import Cells, Chart, Drawn, Series, Shown, number, told_apart
from pdp_widgets.core.checks import number_or_nan
from pdp_widgets.core.results import drawer
from pdp_widgets.errors import DomainError, PdpError, Where
from pdp_widgets.models.labels import as_choice, shown
from pdp_widgets.publish.files import check_place, figure_path, write_whole
from pdp_widgets.publish.formatting import count
from pdp_widgets.publish.labels import clean
from pdp_widgets.publish.render import (
    Drawing,
    Panel,
    Picture,
    Theme,
    charts_picture,
    in_tags,
    picture,
)
from pdp_widgets.publish.sheet import TOKENS, Piece
from pdp_widgets.publish.snapshot import Snapshot, computed_on, snapshot_of_picture

__all__ = ["Figure", "Live", "charts_snapshot", "figure", "notebook_html", "numbers_of", "save"]

#: Widths by name, mm: one column and both of the usual two-column pages.
WIDTHS = {"column": 86.0, "page": 178.0}
_NARROWEST, _WIDEST = 30.0, 1000.0
THEMES = ("light", "print")
_LEAST_DPI, _MOST_DPI = 50, 2400
#: A picture takes four bytes a dot while it is drawn: about a gigabyte.
_MOST_DOTS = 250_000_000
_POINTS = 72 / 25.4
#: Points in a pixel of the drawings: text of 12 px comes out at 7.2 pt, and shrinks to 6 pt where a drawing
#: needs more room than the width has.
_FULL, _LEAST = 0.6, 0.5
#: Between drawings beside and below each other, px; a chart that has less room stands below the one before.
_APART, _BELOW, _CHART = 24.0, 12.0, 320.0
#: A chart in a notebook, px: alone, and beside another one.
_WIDE, _NARROW = 620.0, 484.0
#: Around every drawing the renderer leaves so much for what stands out, px.
_EDGE = 10.0
#: Text and ground by theme; drawings bring their own.
_PAPER = {
    "light": tuple(TOKENS[name][0] for name in ("bg", "ink", "ink2")),
    "print": ("#fff", "#000", "#3d3d3d"),
}
#: Numbers that stand in the place of a drawing, of each series.
_MOST_NUMBERS = 60
_FONT = "Helvetica,Arial,'Liberation Sans',sans-serif"


@dataclass(frozen=True)
class Live:
    """A panel of a widget, drawn as it is on the screen."""

    state: Mapping[str, Any]
    panel: str


@dataclass(frozen=True)
class Figure:
    """A finished figure."""

    body: str
    across: float
    down: float
    width: float
    title: str
    about: str = ""

    @property
    def height(self) -> float:
        """Height on paper, mm."""
        return self.down * self.width / self.across

    @property
    def svg(self) -> str:
        """One SVG document of the size on paper, without scripts or references to anything outside."""
        return self._document(f"{self.width:.2f}mm", f"{self.height:.2f}mm")

    @property
    def in_points(self) -> str:
        """The same for programs that count the units of an SVG as points."""
        return self._document(f"{self.width * _POINTS:.2f}", f"{self.height * _POINTS:.2f}")

    def _document(self, width: str, height: str) -> str:
        box = f"0 0 {self.across:.6g} {self.down:.6g}"
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width}" height="{height}"'
        told = f"<desc>{escape(clean(self.about))}</desc>" if self.about else ""
        return f'{head} role="img"><title>{escape(clean(self.title))}</title>{told}{self.body}</svg>\n'


def figure(
    figures: Mapping[str, Callable[[], Drawn | Live]],
    part: str | None = None,
    *,
    width: str | float = "column",
    theme: str = "print",
) -> Figure:
    """Return a figure: the picture that `save` writes, with its width and height in millimetres."""
    size, colours = _as_width(width), as_choice(theme, "theme", THEMES)
    room = size * _POINTS / _FULL
    drawn: dict[int, Picture] = {}
    panels = [
        panel for name in _chosen(figures, part) for panel in _panels(figures[name](), room, colours, drawn)
    ]
    if not panels:
        raise DomainError(
            "There is nothing to draw yet: the widget does not show that part now.",
            Where("parameter", name="part"),
        )
    across = max([room, *(_needed(panel) for panel in panels)])
    title = "; ".join(panel.title for panel in panels)
    if size * _POINTS / across < _LEAST:
        needed = math.ceil(across * _LEAST / _POINTS)
        raise DomainError(
            f"{title}: {size:g} mm are too narrow, text would be smaller than {12 * _LEAST:g} pt. Give a "
            f"width of at least {needed} mm.",
            Where("parameter", name="width"),
        )
    piece = _page(panels, across)
    ground, ink, quiet = _PAPER[colours]
    body = in_tags("".join(piece.parts), lambda tag: tag.replace("var(--ink2)", quiet))
    down = piece.y + 4
    paper = f'<rect width="{across:.6g}" height="{down:.6g}" fill="{ground}"/>'
    return Figure(
        f'{paper}<g font-family="{_FONT}" font-size="12" fill="{ink}">{body}</g>',
        across,
        down,
        size,
        title,
        next((words for panel in panels for words in panel.words), ""),
    )


def save(
    figures: Mapping[str, Callable[[], Drawn | Live]],
    path: str | os.PathLike[str],
    part: str | None = None,
    *,
    width: str | float = "column",
    theme: str = "print",
    dpi: float = 300,
) -> Path:
    """Write a figure for a paper; the ``.save()`` of every result and widget ends here."""
    # Of the figures by name, as a result declares them, ``part`` is one, or ``"all"``; without it the first.
    # SVG has the same bytes for the same input. A file appears as a whole or not at all. PDF and PNG are
    # drawn by vl-convert-python (BSD-3-Clause), which brings its fonts along: Liberation Sans for labels in
    # Latin, Greek and Cyrillic; for others the fonts of the machine.
    place = figure_path(path)
    ending = place.suffix.lower()
    dots = _as_dpi(dpi)
    # Before anything is computed: what cannot be written in the end.
    check_place(place)
    converter = None if ending == ".svg" else _converter(ending)
    drawn = figure(figures, part, width=width, theme=theme)
    if converter is None:
        content = drawn.svg.encode()
    elif ending == ".pdf":
        content = converter.svg_to_pdf(drawn.in_points)
    else:
        _check_dots(drawn.width, drawn.height, dots)
        content = converter.svg_to_png(drawn.in_points, ppi=dots)
    write_whole(place, content)
    return place


def charts_snapshot(
    charts: Chart | Cells | Iterable[Chart | Cells], *, title: str = "", day: date | None = None
) -> Snapshot:
    """Return charts side by side as one static picture with their numbers.

    Parameters
    ----------
    charts
        One or several.
    title
        Heading of the whole; without it their own are enough.
    day
        Date stated below; today without it.

    Returns
    -------
    Snapshot
        Shown by a notebook as it is; ``.svg``, ``.html`` and ``.text``.

    Notes
    -----
    Results declare their own charts: `PriorAnalysis` and its like have ``.plot()`` and ``.save()``.

    Examples
    --------
    >>> from pdp_widgets.core.chart import Axis, Chart, Series
    >>> halves = Chart("Halves", [Series("half", [0, 1], [0, 0.5])], Axis("x"), Axis("y"))
    >>> print(charts_snapshot(halves).text)
    Halves: half 0 to 0.5.
    """
    listed = [charts] if isinstance(charts, Chart | Cells) else list(charts)
    if not listed:
        raise DomainError(
            "There is no chart to draw; give one or several.", Where("parameter", name="charts")
        )
    told = " ".join(f"{one.title}: {_said(one)}." for one in listed)
    heading = f"{title}. " if title else ""
    return snapshot_of_picture(
        lambda: charts_picture([one.declared() for one in listed], _WIDE if len(listed) == 1 else _NARROW),
        lambda: f"{heading}{told}",
        computed_on(day),
        title,
        numbers_of(listed),
    )


def notebook_html(figures: Mapping[str, Callable[[], Drawn]], said: str) -> str | None:
    """Return the first figure with its numbers for a notebook; None where there is none."""
    try:
        drawn = next(iter(figures.values()))()
    except PdpError:
        return None
    listed = drawn if isinstance(drawn, Sequence) else [drawn]
    declared = [one for one in listed if not isinstance(one, Shown)]
    made = snapshot_of_picture(
        lambda: Picture("", said, "", tuple(_panels(drawn, _WIDE, "screen"))),
        lambda: said,
        computed_on(None),
        numbers=numbers_of(declared),
    )
    return made.html


def _said(one: Chart | Cells) -> str:
    """Say between what values each series lies, or the cells of a table."""
    if isinstance(one, Cells):
        return _range("", one.values)
    # Places on a map and corners of boxes are no amounts.
    placed = one.equal or any(series.mark == "boxes" for series in one.series)
    return "; ".join(
        f"{series.name}: {count(series.x.size, 'place')}"
        if placed and series.amounts is None
        else _range(series.name, _amounts(one, series))
        for series in map(_told, one.series)
        if series.name or len(one.series) == 1
    )


def _told(series: Series) -> Series:
    return series if series.told is None else series.told


def _amounts(chart: Chart, series: Series) -> Any:
    """Return what a series says: along x where names stand down the side, of powers of ten the numbers."""
    if series.amounts is not None:
        return series.amounts[1]
    values, axis = (series.x, chart.x) if chart.y.names else (series.y, chart.y)
    with np.errstate(over="ignore"):
        return 10.0**values if axis.powers else values


def _range(name: str, values: Any) -> str:
    seen = values[~(values != values)]
    ends = f"{number(seen.min(), 4)} to {number(seen.max(), 4)}" if seen.size else "no number"
    return f"{name} {ends}".strip()


def numbers_of(listed: Iterable[Chart | Cells]) -> Iterator[tuple[str, str]]:
    """Name the numbers of declarations, for where nothing can be drawn."""
    for one in listed:
        if isinstance(one, Cells):
            for place in islice(np.ndindex(*one.values.shape), _MOST_NUMBERS):
                name = f"{one.title}: {one.rows[place[0]]}, {one.columns[place[1]]}"
                yield name, number(one.values[place], 4)
            continue
        for series in map(_told, one.series):
            amounts, places = _amounts(one, series), series.y if one.y.names else series.x
            names = one.y.names or one.x.names
            points = zip(amounts.tolist(), places.tolist(), series.y.tolist(), strict=True)
            # What breaks a line is no point.
            seen = (point for point in points if not (math.isnan(point[0]) and math.isnan(point[1])))
            some = list(islice(seen, _MOST_NUMBERS))
            stands = told_apart([place for _, place, _ in some], 4)
            for (amount, place, up), where in zip(some, stands, strict=True):
                named = 0 <= place < len(names) and place.is_integer()
                beside = f", {number(up, 4)}" if series.amounts is not None else ""
                at = names[int(place)] if named else f"at {where}{beside}"
                yield f"{series.name or one.title}, {at}", number(amount, 4)


def _chosen(figures: Mapping[str, Any], part: Any) -> Sequence[str]:
    names = list(figures)
    if part is None:
        return names[:1]
    if part == "all":
        return names
    if isinstance(part, str) and part in figures:
        return [part]
    listed = ", ".join(f'"{name}"' for name in names)
    raise DomainError(
        f'There is no part {shown(part)}; there is {listed}, and "all".', Where("parameter", name="part")
    )


def _panels(
    drawn: Drawn | Live, room: float, theme: str, before: dict[int, Picture] | None = None
) -> Sequence[Panel]:
    """Draw one part: its panels, each with a heading, drawings and words; a widget is drawn once."""
    colours = cast(Theme, theme)
    if isinstance(drawn, Shown):
        graphs = _panels(drawer("editor").graph_panel(drawn), room, theme)
        words = (drawn.note,) if drawn.note else ()
        return [Panel(drawn.title, (), words, graph.drawings, graph.tables) for graph in graphs]
    if isinstance(drawn, Live):
        pictures = {} if before is None else before
        if id(drawn.state) not in pictures:
            pictures[id(drawn.state)] = picture(drawn.state, room - 2 * _EDGE, colours)
        panel = pictures[id(drawn.state)].named(drawn.panel)
        return [] if panel is None else [panel]
    listed = [drawn] if isinstance(drawn, Chart | Cells) else list(drawn)
    wide = any(isinstance(one, Chart) and one.wide for one in listed)
    across = 1 if wide else max(1, min(len(listed), int((room + _APART) / (_CHART + _APART))))
    each = (room - (across - 1) * _APART) / across
    return charts_picture([one.declared() for one in listed], each, colours).panels


def _needed(panel: Panel) -> float:
    return max((drawing.width for drawing in panel.drawings), default=0.0)


def _page(panels: Sequence[Panel], across: float) -> Piece:
    """Set panels in rows: beside each other as long as there is room."""
    page = Piece(across)
    x = tall = 0.0
    for k, panel in enumerate(panels):
        beside = all(2 * drawing.width <= across for drawing in panel.drawings[:-1])
        room = sum(drawing.width for drawing in panel.drawings) if beside else _needed(panel)
        wide = min(across, max(room, _CHART / 2))
        if x > 0 and x + wide > across + 0.5:
            page.y += tall + _BELOW
            x = tall = 0.0
        piece = Piece(wide, left=_EDGE)
        if panel.title:
            piece.lines(panel.title, 13, 2, bold=True)
        _put(piece, panel.drawings, f"p{k}d", beside)
        # What several say one below the other is said once.
        for words in panel.words if k == 0 or panel.words != panels[k - 1].words else ():
            piece.lines(words, 11, quiet=True)
        page.parts.append(f'<g transform="translate({x:.6g} {page.y:.6g})">{"".join(piece.parts)}</g>')
        x += wide + _APART
        tall = max(tall, piece.y)
    page.y += tall
    return page


def _put(piece: Piece, drawings: Sequence[Drawing], letter: str, beside: bool) -> None:
    """Put drawings below each other or, where they are narrow, in rows."""
    left, top, tall = 0.0, piece.y, 0.0
    for j, drawing in enumerate(drawings):
        if left > 0 and (not beside or left + drawing.width > piece.room + 0.5):
            left, top, tall = 0.0, top + tall, 0.0
        one = Piece(drawing.width)
        one.drawing(_fixed(drawing), f"{letter}{j}")
        piece.parts.append(f'<g transform="translate({left:.6g} {top:.6g})">{"".join(one.parts)}</g>')
        left += drawing.width
        tall = max(tall, drawing.height)
    piece.y = top + tall


_TOKEN = re.compile(r"(--[\w-]+):([^;}]+);")
_MIX = re.compile(r"color-mix\(in srgb, ?#([\da-f]+) ([\d.]+)%, ?#([\da-f]+)\)")


def _fixed(drawing: Drawing) -> Drawing:
    """Return a drawing with its colours in place of their names: programs for print compute none."""
    head, end, marks = drawing.svg.partition("</style>")
    values = dict(_TOKEN.findall(head))

    def fixed(text: str) -> str:
        plain = re.sub(r"var\((--[\w-]+)\)", lambda found: values.get(found[1], "#000"), text)
        return _MIX.sub(_mixed, plain)

    # The page says which letters, and has a ground of its own.
    rules = re.sub(r"background:[^;}]*;?|font-family:[^;}]*;?", "", fixed(_TOKEN.sub("", head)))
    plain = f"{rules}{end}{in_tags(marks, fixed)}"
    return Drawing(drawing.name, drawing.title, plain, drawing.width, drawing.height)


def _mixed(found: re.Match[str]) -> str:
    one, other = (
        np.frombuffer(bytes.fromhex(part if len(part) == 6 else "".join(sign * 2 for sign in part)), np.uint8)
        for part in (found[1], found[3])
    )
    share = float(found[2]) / 100
    return f"#{np.rint(share * one + (1 - share) * other).astype(np.uint8).tobytes().hex()}"


# What is given


def _as_width(width: Any) -> float:
    if isinstance(width, str) and width in WIDTHS:
        return WIDTHS[width]
    if _NARROWEST <= (size := number_or_nan(width)) <= _WIDEST:
        return size
    raise DomainError(
        f'The width is {shown(width)}; it is "column" ({WIDTHS["column"]:g} mm), "page" '
        f"({WIDTHS['page']:g} mm) or millimetres from {_NARROWEST:g} to {_WIDEST:g}.",
        Where("parameter", name="width"),
    )


def _as_dpi(dpi: Any) -> float:
    accepted = f"it is a number from {_LEAST_DPI} to {_MOST_DPI}"
    return Kind(accepted, _LEAST_DPI, _MOST_DPI).take(dpi, "dpi", DomainError)


def _check_dots(width: float, height: float, dpi: float) -> None:
    """Raise DomainError for a PNG of more dots than a machine holds at once."""
    area = width * height / 25.4**2
    if area * dpi**2 > _MOST_DOTS:
        raise DomainError(
            f"A PNG of {width:.0f} by {height:.0f} mm has {area * dpi**2 / 1e6:,.0f} million dots at {dpi:g} "
            f"dpi, more than {_MOST_DOTS // 1_000_000} million. Give at most "
            f"{int(math.sqrt(_MOST_DOTS / area))} dpi or a smaller width; PDF and SVG have no dots.",
            Where("parameter", name="dpi"),
        )


def _converter(ending: str) -> Any:
    try:
        return import_module("vl_convert")
    except ImportError:
        raise ImportError(
            f"Figures in {ending[1:].upper()} need vl-convert-python: pip install '.[figures]' in the folder "
            "of the project, or pip install 'pdp-widgets[figures]' from an index. SVG needs nothing else."
        ) from None
