"""What every picture shares: the page it is drawn on, date and version, and the line that says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from pdp_widgets.models.labels import Label
from pdp_widgets.publish.labels import clean, fit, isolate, shorten, wrap
from pdp_widgets.publish.svg import Sheet, Svg
from pdp_widgets.version import __version__

__all__ = ["WIDTH", "Page", "computed_on", "listing", "texts", "within_limit"]

#: Width of an explorer's picture, px.
WIDTH = 1000.0


#: A picture beyond this many bytes is drawn with less detail: notebooks hold many of them.
LIMIT = 20 * 1024


def within_limit(draw: Callable[[int], str], most: int = LIMIT) -> str:
    """Return the picture in the highest detail that keeps it within 20 kB, else in the lowest.

    Parameters
    ----------
    draw
        Draws in a detail from 0 to 2.
    most
        Another limit, bytes.
    """
    svg = ""
    for detail in (2, 1, 0):
        svg = draw(detail)
        if len(svg.encode()) <= most:
            break
    return svg


def computed_on(day: date | None) -> str:
    """Return date and version as the picture states them.

    Examples
    --------
    >>> computed_on(date(2026, 11, 28)).partition(", pdp")[0]
    'Computed 28 November 2026'
    """
    months = "January February March April May June July August September October November December"
    day = day or date.today()
    return f"Computed {day.day} {months.split()[day.month - 1]} {day.year}, pdp_widgets {__version__}."


def texts(labels: Sequence[Label]) -> tuple[str, ...]:
    """Return labels as text."""
    return tuple(clean(label) for label in labels)


def listing(names: Sequence[str], values: Sequence[str] | None = None, most: int = 12) -> str:
    """Return names, with their values if there are any, in one line.

    Examples
    --------
    >>> listing(["Ann", "Bob"], ["0", "1"])
    'Ann = 0, Bob = 1'
    >>> listing(["Ann", "Bob"])
    'Ann, Bob'
    """
    pairs = [isolate(shorten(name)) for name in names]
    if values is not None:
        pairs = [f"{name} = {isolate(shorten(value))}" for name, value in zip(pairs, values, strict=True)]
    return ", ".join(pairs[:most]) + (f" and {len(pairs) - most} more" if len(pairs) > most else "")


class Page:
    """A picture under construction: pieces are put below each other.

    Parameters
    ----------
    room
        Width of the content in px.
    detail
        See `Sheet`.
    """

    def __init__(self, room: float = WIDTH, detail: int = 2) -> None:
        self.room = room
        self.sheet = Sheet(detail)
        self.svg = Svg(self.sheet)
        self.y = 0.0

    def piece(self) -> Svg:
        """Return an empty piece that shares the styles."""
        return Svg(self.sheet)

    def header(self, kind: str, title: str) -> None:
        """Write what is shown and the title of the table."""
        self.svg.spans(
            0,
            22,
            [
                (kind, {"weight": 600}),
                (f"  {fit(title, self.room - (200 if kind else 0), 14)}", {"fill": "ink2"}),
            ],
            size=14,
        )
        self.y = 34

    def lines(self, text: str, room: float, most: int = 3, size: float = 12) -> None:
        """Write muted text below what is there."""
        for line in wrap(text, room, size, most):
            self.y += size + 5
            self.svg.text(0, self.y, line, fill="ink2", size=size)

    def finish(self, title: str) -> str:
        """Return the SVG with a margin all around and the background below everything."""
        margin = 12.0
        whole = Svg(self.sheet)
        width, height = self.room + 2 * margin, self.y + 2 * margin
        whole.rect(0, 0, width, height, fill="bg")
        whole.put(self.svg, margin, margin)
        return whole.document(width, height, title)
