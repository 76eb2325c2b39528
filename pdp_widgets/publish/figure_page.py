"""The page of a figure for a paper: its width in millimetres, its type size, its colours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.publish.figure_options import as_number
from pdp_widgets.publish.labels import clean
from pdp_widgets.publish.palette import TOKENS
from pdp_widgets.publish.svg import TOLERANCE, Sheet, Style, Svg, number

__all__ = ["FULL", "THEMES", "WIDTHS", "Figure", "FigureSheet", "as_theme", "as_width", "render"]

#: Widths by name, mm: one column and both of the usual two-column pages.
WIDTHS = {"column": 86.0, "page": 178.0}
_NARROWEST, _WIDEST = 30.0, 1000.0
_POINTS = 72 / 25.4

#: Points in a pixel of the pictures: text of 12 px comes out at 7.2 pt.
FULL = 0.6
#: Where a picture needs more room than the width has at full size, its text may shrink to 6 pt.
_LEAST = 0.5
#: How far a curve may be off its points, px.
_FINE = 0.06

#: Colours that differ from those on a screen: text and lines dark enough for paper, and the two colours that
#: would be one grey moved apart.
_PRINTED = {
    "ink": "#000",
    "ink2": "#3d3d3d",
    "line": "#c4c4c4",
    "line2": "#8a8a8a",
    "brand": "#000",
    "share": "#7d9dbd",
    "tint": "#f0f0f0",
    "sel": "#ededed",
    "promise": "#2f4a66",
    "paper": "#6b4500",
    "over": "#9c3a00",
    "overtint": "#f6cfb4",
    "a": "#00487a",
    "b": "#cf7d00",
    "c": "#005a43",
    "d": "#b0588f",
}
#: Themes by name: colours by token.
THEMES: dict[str, dict[str, str]] = {
    "light": {token: day for token, (day, _) in TOKENS.items()},
    "print": {token: _PRINTED.get(token, day) for token, (day, _) in TOKENS.items()},
}
_FONT = 'Helvetica,Arial,"Liberation Sans",sans-serif'
_COLOURED = ("fill", "stroke", "stop_color")


def as_width(width: Any) -> float:
    """Return a width in millimetres.

    Raises
    ------
    DomainError
        It is neither ``"column"`` nor ``"page"`` nor a number from 30 to 1000.

    Examples
    --------
    >>> as_width("column"), as_width(120)
    (86.0, 120.0)
    """
    if isinstance(width, str) and width in WIDTHS:
        return WIDTHS[width]
    if _NARROWEST <= (size := as_number(width)) <= _WIDEST:
        return size
    raise DomainError(
        f'The width is {shown(width)}; it is "column" ({WIDTHS["column"]:g} mm), "page" '
        f"({WIDTHS['page']:g} mm) or millimetres from {_NARROWEST:g} to {_WIDEST:g}.",
        Where("parameter", name="width"),
    )


def as_theme(theme: Any) -> str:
    """Return the name of a theme, or raise DomainError.

    Examples
    --------
    >>> as_theme("print")
    'print'
    """
    if isinstance(theme, str) and theme in THEMES:
        return theme
    listed = " or ".join(f'"{name}"' for name in THEMES)
    raise DomainError(f"The theme is {shown(theme)}; it is {listed}.", Where("parameter", name="theme"))


class FigureSheet(Sheet):
    """Styles of a figure: one theme, whatever the screen, and fonts that every program has.

    Parameters
    ----------
    theme
        A key of `THEMES`.

    Examples
    --------
    >>> sheet = FigureSheet("print")
    >>> _ = sheet.name(fill="ink2")
    >>> sheet.css().rpartition("}.")[2]
    'a{fill:#3d3d3d}'
    """

    def __init__(self, theme: str) -> None:
        super().__init__()
        self._colours = THEMES[theme]

    def name(self, **declarations: Style) -> str:
        """Return the class of these declarations in the colours of the theme."""
        return super().name(**{prop: self._fixed(prop, value) for prop, value in declarations.items()})

    def _fixed(self, prop: str, value: Style) -> Style:
        if prop not in _COLOURED or isinstance(value, float | int) or value == "none":
            return value
        colour = self._colours[value] if isinstance(value, str) else value[0]
        return colour, colour

    def css(self) -> str:
        """Return all styles as CSS."""
        # Day and night agree in every colour: what the screen's rules begin and end with is left out.
        own = super().css().partition("path{fill:none}")[2].partition("@media")[0]
        ink = self._colours["ink"]
        return f"svg{{font-family:{_FONT};font-size:12px;fill:{ink}}}path{{fill:none}}{own}"


@dataclass(frozen=True)
class Figure:
    """A finished figure.

    Parameters
    ----------
    body
        Styles and shapes, SVG without its root.
    across, down
        Size of the drawing, px.
    width
        Width on paper, mm.
    title, about
        What it shows, and what the numbers hold for, for those who do not see it.
    """

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
        box = f"0 0 {number(self.across)} {number(self.down)}"
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width}" height="{height}"'
        told = f"<desc>{escape(clean(self.about))}</desc>" if self.about else ""
        return f'{head} role="img"><title>{escape(clean(self.title))}</title>{told}{self.body}</svg>\n'


def render(
    draw: Callable[[Svg, float], float], least: float, width: float, theme: str, title: str, about: str = ""
) -> Figure:
    """Return a figure of some width; its type is as large as the width allows.

    Parameters
    ----------
    draw
        Draws into a room of some px and returns the height taken.
    least
        Room that the picture needs, px.
    width
        On paper, mm.
    theme
        A key of `THEMES`.
    title, about
        What the figure shows, and what its numbers hold for.

    Raises
    ------
    DomainError
        Text would be smaller than 6 pt.
    """
    points = width * _POINTS
    scale = min(FULL, points / least)
    if scale < _LEAST:
        needed = -(-least * _LEAST // _POINTS)
        raise DomainError(
            f"{title}: {width:g} mm are too narrow, text would be smaller than {12 * _LEAST:g} pt. Give a "
            f"width of at least {needed:g} mm.",
            Where("parameter", name="width"),
        )
    across = points / scale
    sheet = FigureSheet(theme)
    piece = Svg(sheet)
    # Strokes at the edge are whole, and letters that hang below the last line.
    edge = 1.5
    # Paper shows corners of a curve that a screen does not.
    screen = TOLERANCE.set(_FINE)
    try:
        down = draw(piece, across - 2 * edge) + 2 * edge + 3
    finally:
        TOLERANCE.reset(screen)
    whole = Svg(sheet)
    whole.rect(0, 0, across, down, fill="bg")
    whole.put(piece, edge, edge)
    return Figure(f"<style>{escape(sheet.css())}</style>{whole}", across, down, width, title, about)
