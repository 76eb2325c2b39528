"""All that a widget draws on one sheet: the picture that is copied, downloaded and saved as a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from pdp_widgets.publish.labels import clean, fit, width, wrap
from pdp_widgets.publish.render import Drawing, Panel, Picture, Row, in_tags

__all__ = ["TOKENS", "Piece", "columns", "open_tables", "sheet", "without_blanks"]

#: Colour by name: (on a light background, on a dark one). As in js/src/ui/tokens.css.
TOKENS: dict[str, tuple[str, str]] = {
    "bg": ("#fff", "#111"),
    "ink": ("#212121", "#e2e2e2"),
    "ink2": ("#616161", "#a8a8a8"),
    "line": ("#e0e0e0", "#383838"),
    "line2": ("#bdbdbd", "#616161"),
    "tint": ("#f6f6f6", "#1c1c1c"),
    "sel": ("#e3effa", "#17324a"),
    "paper": ("#8a5a00", "#e3b04b"),
    "over": ("#b54708", "#ff9a6b"),
    "a": ("#0072b2", "#56b4e9"),
}
#: Room, margin and the gaps between parts, px.
_ROOM, _MARGIN, _GAP, _BELOW = 1140.0, 12.0, 32.0, 20.0
_LEAST, _MOST = 284.0, 560.0
_LINE = 17.0
_CELL = 150.0
#: Lines that a sentence may take: it is never cut, for what is left might say something else.
_WHOLE = 100
#: How much wider than usual a viewer's font may be.
_WIDER = 1.12
#: A table of more rows, or beside a drawing that is higher and says its numbers, is folded away.
_MOST_ROWS, _HIGH = 14, 200.0


def open_tables(panel: Panel) -> list[tuple[str, tuple[Row, ...]]]:
    """Return the tables of a part that are shown at once: short ones that no drawing says."""
    high = max((drawing.height for drawing in panel.drawings), default=0.0)
    return [one for one in panel.tables if high < _HIGH and len(one[1]) <= _MOST_ROWS]


def columns(panels: Sequence[Panel]) -> list[list[Panel]]:
    """Return parts by the column that they stand in: those without a drawing share one."""
    found: list[list[Panel]] = []
    for panel in panels:
        if panel.drawings or not found or found[-1][0].drawings:
            found.append([panel])
        else:
            found[-1].append(panel)
    return found


def without_blanks(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a table without the columns in which nobody wrote: those of bars and controls."""
    if any(span > 1 for row in rows for *_, span in row):
        return list(rows)
    wide = max((len(row) for row in rows), default=0)
    kept = [k for k in range(wide) if any(k < len(row) and row[k][0] for row in rows)]
    return [tuple(row[k] for k in kept if k < len(row)) for row in rows]


@dataclass
class Piece:
    """Lines of text, drawings and tables below each other, as SVG."""

    room: float
    parts: list[str] = field(default_factory=list)
    y: float = 0.0
    left: float = 0.0

    def text(self, x: float, text: str, size: float = 12, *, bold: bool = False, quiet: bool = False) -> None:
        """Write a line at the present height."""
        weight = ' font-weight="600"' if bold else ""
        colour = ' fill="var(--ink2)"' if quiet else ""
        large = f' font-size="{size:g}"' if size != 12 else ""
        self.parts.append(
            f'<text x="{x:g}" y="{self.y:g}"{large}{weight}{colour}>{escape(clean(text))}</text>'
        )

    def lines(
        self, text: str, size: float = 12, most: int = _WHOLE, *, bold: bool = False, quiet: bool = False
    ) -> None:
        """Write a text below what is there, in as many lines as it needs; a heading in at most so many."""
        for line in wrap(text, self.room - self.left, size * _WIDER * (1.07 if bold else 1), most):
            self.y += size * 1.2 + 3
            self.text(self.left, line, size, bold=bold, quiet=quiet)

    def drawing(self, drawing: Drawing, letter: str) -> None:
        """Put a drawing below what is there; the letter makes its names its own."""
        # Names of classes, and those that parts refer to, are one drawing's own.
        head, end, marks = drawing.svg.partition("</style>")
        rules = re.sub(r"(?<=\})\.", f".{letter}", head)
        named = in_tags(marks, lambda tag: re.sub(r'( id="|url\(#|href="#| class=")', rf"\g<1>{letter}", tag))
        self.parts.append(f"{rules}{end}{named}".replace("<svg ", f'<svg y="{self.y:g}" ', 1))
        self.y += drawing.height

    def table(self, caption: str, rows: Sequence[Row]) -> None:
        """Write the rows of a table below what is there."""
        kept = without_blanks(rows)
        if caption:
            self.lines(caption, most=2, bold=True)
        widths: dict[int, float] = {}
        for row in kept:
            at = 0
            for text, head, span in row:
                if span == 1:
                    widths[at] = max(widths.get(at, 0.0), min(_CELL, width(text, 12 * _WIDER, head)) + 16)
                at += span
        for row in kept:
            self.y += _LINE
            x, at = 0.0, 0
            for text, head, span in row:
                self.text(x, fit(text, _CELL * span, 12 * _WIDER, head), bold=head)
                x += sum(widths.get(k, _CELL) for k in range(at, at + span))
                at += span
        self.room = max(self.room, sum(widths.values()))


def sheet(shown: Picture, text: str, caption: str) -> str:
    """Return one SVG with the words of a picture, its leading sentences in lines, and all its drawings."""
    page = Piece(_ROOM)
    if shown.title:
        page.lines(shown.title, 14, 2, bold=True)
    for k, line in enumerate(text.split("\n")):
        page.lines(line, 14 if k == 0 else 12, quiet=k > 0)
    page.y += _BELOW
    x = tall = 0.0
    for k, panels in enumerate(columns(shown.panels)):
        piece = _piece(panels, f"p{k}")
        if x > 0 and x + piece.room > _ROOM:
            page.y += tall + _BELOW
            x = tall = 0.0
        page.parts.append(f'<g transform="translate({x:g} {page.y:g})">{"".join(piece.parts)}</g>')
        x += piece.room + _GAP
        tall = max(tall, piece.y)
    page.y += tall
    page.lines(caption, quiet=True)
    return _document(page)


def _piece(panels: Sequence[Panel], letter: str) -> Piece:
    drawings = [drawing for panel in panels for drawing in panel.drawings]
    piece = Piece(min(_ROOM, max(_LEAST, *(drawing.width for drawing in drawings), 0)))
    for panel in panels:
        piece.y += _BELOW if piece.y > 0 else 0
        if panel.title:
            piece.lines(panel.title, most=2, bold=True)
        if panel.facts:
            piece.lines("; ".join(f"{term}: {value}" for term, value in panel.facts), quiet=True)
        for k, drawing in enumerate(panel.drawings):
            piece.drawing(drawing, f"{letter}{k}")
        for words in panel.words:
            piece.lines(words, quiet=True)
        for caption, rows in open_tables(panel):
            piece.table(caption, rows)
    return piece


def _document(page: Piece) -> str:
    wide, high = _ROOM + 2 * _MARGIN, page.y + 2 * _MARGIN
    day, night = ("".join(f"--{name}:{TOKENS[name][k]};" for name in ("bg", "ink", "ink2")) for k in range(2))
    style = (
        f"svg{{{day}fill:var(--ink);font-family:system-ui,sans-serif}}"
        f"@media(prefers-color-scheme:dark){{svg{{{night}}}}}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" '
        f'height="{high:g}" font-size="12"><style>{style}</style>'
        f'<rect width="{wide:g}" height="{high:g}" fill="var(--bg)"/>'
        f'<g transform="translate({_MARGIN:g} {_MARGIN:g})">{"".join(page.parts)}</g></svg>'
    )
