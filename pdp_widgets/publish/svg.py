"""A small builder of compact SVG: every text escaped, every style stated once, light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from pdp_widgets.publish.palette import TOKENS

__all__ = ["Sheet", "Svg", "number", "polyline"]

Colour = str | tuple[str, str]
Style = Colour | float
_COLOURED = ("fill", "stroke")
_FONT = 'system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif'
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def number(value: float) -> str:
    """Return a coordinate with one decimal at most.

    Examples
    --------
    >>> number(12.0), number(0.25), number(-0.5)
    ('12', '.2', '-.5')
    """
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def polyline(points: Iterable[tuple[float, float]], close: bool = False) -> str:
    """Return path data through the points in steps of 0.1 px; points on a straight line are left out.

    Examples
    --------
    >>> polyline([(0, 0), (5, 0), (10, 0), (10, 4)])
    'M0 0l10 0 0 4'
    """
    kept: list[tuple[int, int]] = []
    for x, y in points:
        p = (round(10 * x), round(10 * y))
        if kept and p == kept[-1]:
            continue
        if len(kept) > 1:
            (ax, ay), (bx, by) = kept[-2], kept[-1]
            off = abs((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax))
            ahead = (bx - ax) * (p[0] - bx) + (by - ay) * (p[1] - by) > 0
            if ahead and off <= 0.5 * max(abs(p[0] - ax), abs(p[1] - ay)):
                kept.pop()
        kept.append(p)
    if not kept:
        return ""
    parts = [f"M{number(kept[0][0] / 10)} {number(kept[0][1] / 10)}"]
    for k, (p, q) in enumerate(pairwise(kept)):
        dx, dy = number((q[0] - p[0]) / 10), number((q[1] - p[1]) / 10)
        lead = "l" if k == 0 else "" if dx.startswith("-") else " "
        parts.append(f"{lead}{dx}{'' if dy.startswith('-') else ' '}{dy}")
    return "".join(parts) + ("z" if close else "")


class Sheet:
    """The styles of one picture, each stated once and named by one or two letters.

    Examples
    --------
    >>> sheet = Sheet()
    >>> sheet.name(fill="over"), sheet.name(fill="over"), sheet.name(fill="ink")
    ('a', 'a', 'b')
    """

    def __init__(self) -> None:
        self._names: dict[tuple[tuple[str, object], ...], str] = {}

    def name(self, **declarations: Style) -> str:
        """Return the class of these declarations: `_` for `-`, colours by the names of tokens."""
        key = tuple(sorted(declarations.items()))
        if key not in self._names:
            k = len(self._names)
            head = "" if k < 26 else _LETTERS[k // 26 - 1]
            self._names[key] = head + _LETTERS[k % 26]
        return self._names[key]

    def css(self) -> str:
        """Return all styles as CSS: light first, then what differs on a dark screen."""
        light, dark = [], []
        for key, name in self._names.items():
            day, night = [], []
            for prop, value in key:
                css = prop.replace("_", "-")
                if prop in _COLOURED and value != "none":
                    pair = TOKENS[value] if isinstance(value, str) else value
                    assert isinstance(pair, tuple)
                    day.append(f"{css}:{pair[0]}")
                    night.append(f"{css}:{pair[1]}")
                else:
                    text = number(value) if isinstance(value, float | int) else str(value)
                    day.append(f"{css}:{text}{'px' if prop == 'font_size' else ''}")
            light.append(f".{name}{{{';'.join(day)}}}")
            if night:
                dark.append(f".{name}{{{';'.join(night)}}}")
        ink = TOKENS["ink"]
        base = f"text{{font:12px {_FONT};font-variant-numeric:tabular-nums;fill:{ink[0]}}}path{{fill:none}}"
        scheme = f"@media screen and (prefers-color-scheme:dark){{text{{fill:{ink[1]}}}{''.join(dark)}}}"
        return base + "".join(light) + scheme


class Svg:
    """A piece of a picture, drawn from its own origin.

    Parameters
    ----------
    sheet
        The styles, shared by all pieces of one picture.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._parts: list[str] = []

    def __str__(self) -> str:
        return "".join(self._parts)

    def _class(self, declarations: dict[str, Style]) -> str:
        return f' class="{self.sheet.name(**declarations)}"' if declarations else ""

    def text(self, x: float, y: float, content: str, **style: Style) -> None:
        """Write text from (x, y); `anchor`, `size` and `weight` are short for the CSS properties."""
        self.spans(x, y, [(content, {})], **style)

    def spans(
        self,
        x: float,
        y: float,
        parts: Sequence[tuple[str, dict[str, Style]]],
        **style: Style,
    ) -> None:
        """Write one line of text in several styles."""
        body = "".join(
            f"<tspan{self._class(_spelled(own))}>{escape(part)}</tspan>" if own else escape(part)
            for part, own in parts
        )
        self._parts.append(
            f'<text x="{number(x)}" y="{number(y)}"{self._class(_spelled(style))}>{body}</text>'
        )

    def path(self, data: str, **style: Style) -> None:
        """Draw a path; without a fill it is not filled."""
        if data:
            self._parts.append(f'<path d="{data}"{self._class(style)}/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, **style: Style) -> None:
        """Draw a straight line."""
        to = f"H{number(x2)}" if y1 == y2 else f"V{number(y2)}" if x1 == x2 else f"L{number(x2)} {number(y2)}"
        self.path(f"M{number(x1)} {number(y1)}{to}", **style)

    def rect(self, x: float, y: float, w: float, h: float, r: float = 0, **style: Style) -> None:
        """Draw a rectangle, with round corners where `r` is given."""
        corner = f' rx="{number(r)}"' if r else ""
        size = f'x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
        self._parts.append(f"<rect {size}{corner}{self._class(style)}/>")

    def circle(self, x: float, y: float, r: float, **style: Style) -> None:
        """Draw a disc or ring."""
        self._parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}"{self._class(style)}/>')

    def put(self, piece: Svg, x: float, y: float) -> None:
        """Put another piece with its origin at (x, y)."""
        self._parts.append(f'<g transform="translate({number(x)} {number(y)})">{piece}</g>')

    def document(self, width: float, height: float, title: str) -> str:
        """Return the finished picture: one XML document without scripts or references to anything outside."""
        box = f"0 0 {number(width)} {number(height)}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{number(width)}" '
            f'height="{number(height)}" role="img" aria-label={quoteattr(title)}>'
            f"<title>{escape(title)}</title><style>{escape(self.sheet.css())}</style>{self}</svg>"
        )


def _spelled(style: dict[str, Style]) -> dict[str, Style]:
    long = {"anchor": "text_anchor", "size": "font_size", "weight": "font_weight"}
    return {long.get(key, key): value for key, value in style.items()}
