"""A small builder of compact SVG: every text escaped, every style stated once, light and dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextvars import ContextVar
from itertools import pairwise
from xml.sax.saxutils import escape

from pdp_widgets.publish.palette import TOKENS

__all__ = ["TOLERANCE", "Sheet", "Svg", "joined", "number", "polyline", "strokes"]

Colour = str | tuple[str, str]
Style = Colour | float
Span = tuple[str, dict[str, Style]]
_COLOURED = ("fill", "stroke", "stop_color", "color")
_FONT = '-apple-system,"Segoe UI",Helvetica,Arial,sans-serif'
#: How far a straight line may pass from the points it replaces, px: what a screen does not show.
TOLERANCE: ContextVar[float] = ContextVar("TOLERANCE", default=0.45)
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


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


def polyline(points: Sequence[tuple[float, float]], close: bool = False) -> str:
    """Return path data through the points in steps of 0.1 px, without those a straight line comes close to.

    Examples
    --------
    >>> polyline([(0, 0), (5, 0), (10, 0), (10, 4)])
    'M0 0l10 0 0 4'
    """
    kept = [(round(10 * x), round(10 * y)) for x, y in _thinned(points)]
    if not kept:
        return ""
    parts = [f"M{number(kept[0][0] / 10)} {number(kept[0][1] / 10)}"]
    for k, (p, q) in enumerate(pairwise(kept)):
        step = joined((q[0] - p[0]) / 10, (q[1] - p[1]) / 10)
        parts.append(f"{'l' if k == 0 else '' if step.startswith('-') else ' '}{step}")
    return "".join(parts) + ("z" if close else "")


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Leave out points that a straight line passes within the tolerance (Douglas and Peucker)."""
    if not points:
        return []
    keep = {0, len(points) - 1}
    pending = [(0, len(points) - 1)]
    while pending:
        a, b = pending.pop()
        (ax, ay), (bx, by) = points[a], points[b]
        length = math.hypot(bx - ax, by - ay)
        worst, at = TOLERANCE.get(), -1
        for k in range(a + 1, b):
            x, y = points[k]
            off = (
                abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length
                if length
                else math.hypot(x - ax, y - ay)
            )
            if off > worst:
                worst, at = off, k
        if at > 0:
            keep.add(at)
            pending += [(a, at), (at, b)]
    return [points[k] for k in sorted(keep)]


def joined(x: float, y: float) -> str:
    """Return two coordinates, without a blank where the second begins with a sign.

    Examples
    --------
    >>> joined(1.0, -2.0), joined(1.0, 2.0)
    ('1-2', '1 2')
    """
    second = number(y)
    return f"{number(x)}{'' if second.startswith('-') else ' '}{second}"


def strokes(starts: Sequence[tuple[float, float]], run: str, length: float | Sequence[float]) -> str:
    """Return path data of many short strokes, each begun relative to the end of the one before.

    Parameters
    ----------
    starts
        Where the strokes begin.
    run
        ``h`` for strokes to the right, ``v`` for strokes downwards.
    length
        Length of all strokes or of each, px.

    Examples
    --------
    >>> strokes([(0, 0), (10, 0)], "h", 4)
    'M0 0h4m6 0h4'
    """
    lengths = [length] * len(starts) if isinstance(length, int | float) else length
    parts: list[str] = []
    at = (0.0, 0.0)
    for (x, y), long in zip(starts, lengths, strict=True):
        x, y, long = round(x, 1), round(y, 1), round(long, 1)
        parts.append(f"{'m' if parts else 'M'}{joined(x - at[0], y - at[1])}{run}{number(long)}")
        at = (x + long, y) if run == "h" else (x, y + long)
    return "".join(parts)


class Sheet:
    """The styles of one picture, each stated once and named by one or two letters.

    Parameters
    ----------
    detail
        2 for all, 1 and 0 for less of what is only decoration or said elsewhere too.

    Examples
    --------
    >>> sheet = Sheet()
    >>> sheet.name(fill="over"), sheet.name(fill="over"), sheet.name(fill="ink")
    ('a', 'a', 'b')
    """

    def __init__(self, detail: int = 2) -> None:
        self.detail = detail
        self._names: dict[tuple[tuple[str, object], ...], str] = {}

    def name(self, **declarations: Style) -> str:
        """Return the class of these declarations: `_` for `-`, colours by the names of tokens."""
        key = tuple(sorted(declarations.items()))
        if key not in self._names:
            k = len(self._names)
            head = "" if k < 52 else _LETTERS[k // 52 - 1]
            self._names[key] = head + _LETTERS[k % 52]
        return self._names[key]

    def css(self) -> str:
        """Return all styles as CSS: every declaration once, then what differs on a dark screen."""
        users: dict[tuple[str, str], list[str]] = {}
        night: dict[tuple[str, str], str] = {}
        for key, name in self._names.items():
            own = dict(key)
            if "fill" in own and own["fill"] == own.get("stroke") != "none":
                # One colour for both, stated once.
                own |= {"color": own["fill"], "fill": "currentColor", "stroke": "currentColor"}
            for prop, value in own.items():
                css = prop.replace("_", "-")
                if prop in _COLOURED and value not in ("none", "currentColor"):
                    pair = TOKENS[value] if isinstance(value, str) else value
                    assert isinstance(pair, tuple)
                    # Two colours may agree by day only: the night one keeps them apart.
                    declaration = (f"{css}:{pair[0]}", pair[1])
                    night[declaration] = f"{css}:{pair[1]}"
                else:
                    text = number(value) if isinstance(value, float | int) else str(value)
                    declaration = (f"{css}:{text}{'px' if prop == 'font_size' else ''}", "")
                users.setdefault(declaration, []).append(f".{name}")
        light = "".join(f"{','.join(names)}{{{d[0]}}}" for d, names in users.items())
        dark = "".join(f"{','.join(users[d])}{{{text}}}" for d, text in night.items() if text != d[0])
        ink = TOKENS["ink"]
        base = f"svg{{font:12px {_FONT};font-variant-numeric:tabular-nums;fill:{ink[0]}}}path{{fill:none}}"
        return f"{base}{light}@media screen and (prefers-color-scheme:dark){{svg{{fill:{ink[1]}}}{dark}}}"


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
        self._lines: dict[str, int] = {}
        #: Texts by class, then by line.
        self._texts: dict[str, dict[int, list[tuple[int, str]]]] = {}

    def __str__(self) -> str:
        return "".join(self._parts) + "".join(_written(name, lines) for name, lines in self._texts.items())

    def _class(self, declarations: dict[str, Style]) -> str:
        return f' class="{self.sheet.name(**declarations)}"' if declarations else ""

    def text(self, x: float, y: float, content: str, **style: Style) -> None:
        """Write text from (x, y); `anchor`, `size` and `weight` are short for the CSS properties."""
        self.spans(x, y, [(content, {})], **style)

    def spans(self, x: float, y: float, parts: Sequence[Span], **style: Style) -> None:
        """Write one line of text in several styles. Texts lie above all else of their piece."""
        body = "".join(
            f"<tspan{self._class(_spelled(own))}>{escape(part)}</tspan>" if own else escape(part)
            for part, own in parts
            if part
        )
        lines = self._texts.setdefault(self._class(_spelled(style)), {})
        lines.setdefault(round(y), []).append((round(x), body))

    def path(self, data: str, **style: Style) -> None:
        """Draw a path; without a fill it is not filled."""
        if data:
            self._parts.append(f'<path d="{data}"{self._class(style)}/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, **style: Style) -> None:
        """Draw a straight line; all lines of one style lie where the first of them does."""
        to = f"H{number(x2)}" if y1 == y2 else f"V{number(y2)}" if x1 == x2 else f"L{joined(x2, y2)}"
        self.shape(f"M{joined(x1, y1)}{to}", **style)

    def shape(self, data: str, **style: Style) -> None:
        """Draw a path in one with all others of its style, where the first of them lies."""
        name = self._class(style)
        if name in self._lines:
            at = self._lines[name]
            self._parts[at] = self._parts[at].replace('"' + name, f'{data}"{name}', 1)
        else:
            self._lines[name] = len(self._parts)
            self._parts.append(f'<path d="{data}"{name}/>')

    def rect(self, x: float, y: float, w: float, h: float, r: float = 0, **style: Style) -> None:
        """Draw a rectangle, with round corners where `r` is given."""
        corner = f' rx="{number(r)}"' if r else ""
        size = f'x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
        self._parts.append(f"<rect {size}{corner}{self._class(style)}/>")

    def circle(self, x: float, y: float, r: float, **style: Style) -> None:
        """Draw a disc or ring."""
        self._parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}"{self._class(style)}/>')

    def gradient(self, x: float, y: float, w: float, h: float, stops: Sequence[tuple[str, str]]) -> None:
        """Draw a bar whose colour runs evenly through the stops (light, dark) from left to right."""
        inner = "".join(
            f'<stop offset="{number(k / (len(stops) - 1) * 100)}%"{self._class({"stop_color": stop})}/>'
            for k, stop in enumerate(stops)
        )
        box = f'x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
        self._parts.append(f'<linearGradient id="m">{inner}</linearGradient><rect {box} fill="url(#m)"/>')

    def put(self, piece: Svg, x: float, y: float) -> None:
        """Put another piece with its origin at (x, y)."""
        self._parts.append(f'<g transform="translate({number(x)} {number(y)})">{piece}</g>')

    def document(self, width: float, height: float, title: str) -> str:
        """Return the finished picture: one XML document without scripts or references to anything outside."""
        box = f"0 0 {number(width)} {number(height)}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{number(width)}" '
            f'height="{number(height)}" role="img">'
            f"<title>{escape(title)}</title><style>{escape(self.sheet.css())}</style>{self}</svg>"
        )


def _written(name: str, lines: dict[int, list[tuple[int, str]]]) -> str:
    """Return all texts of one class; those on one line share an element, each at its own place."""
    texts = []
    for y, those in lines.items():
        # Single characters can share a list of places.
        single = [(str(x), body) for x, body in those if len(body) == 1]
        rest = [(str(x), body) for x, body in those if len(body) != 1]
        if single:
            rest.insert(0, (" ".join(x for x, _ in single), "".join(body for _, body in single)))
        (x, first), *rest = rest
        more = "".join(f'<tspan x="{at}">{body}</tspan>' for at, body in rest)
        texts.append(f'x="{x}" y="{y}">{first}{more}</text>')
    if len(texts) == 1:
        return f"<text{name} {texts[0]}"
    inner = "".join(f"<text {text}" for text in texts)
    return f"<g{name}>{inner}</g>" if name else inner


def _spelled(style: dict[str, Style]) -> dict[str, Style]:
    long = {"anchor": "text_anchor", "size": "font_size", "weight": "font_weight"}
    return {long.get(key, key): value for key, value in style.items()}
