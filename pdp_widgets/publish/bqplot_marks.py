"""The marks of a bqplot figure as parts of a picture: where its scales put them, and in which colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.publish.labels import fit
from pdp_widgets.publish.palette import hexadecimal
from pdp_widgets.publish.svg import Style, Svg, joined, number, polyline

__all__ = ["Place", "can_draw", "colour_of", "draw_mark", "ends_of", "line_style", "mark_shape"]

Floats = NDArray[np.float64]

#: Kinds that a picture can hold, and the scales that place them.
_SCALES = {"Lines": ("x", "y"), "Scatter": ("x", "y"), "GridHeatMap": ("column", "row"), "Label": ("x", "y")}
_PLAIN = ("LinearScale", "OrdinalScale")
#: Dash patterns by the names that bqplot gives them.
_DASHES = {"dashed": "6 4", "dotted": "1.5 3", "dash_dotted": "6 3 1.5 3"}
#: More dots than these cannot be told apart, and would make the picture large.
_MOST_DOTS = 2_000
_WHOLE = ("#8a8a8a", "#8a8a8a")


@dataclass(frozen=True, eq=False)
class Place:
    """Where one scale puts values: numbers between two ends, or names in equal steps.

    Parameters
    ----------
    scale
        A scale of bqplot: linear or ordinal.
    values
        All that is drawn with it; they decide the ends that the scale leaves open.
    start, end
        Where the axis begins and ends, px.
    """

    scale: Any
    values: list[Any]
    start: float
    end: float

    @property
    def names(self) -> list[Any] | None:
        """Names in the order of the axis; None on an axis of numbers."""
        if type(self.scale).__name__ != "OrdinalScale":
            return None
        found = list(self.scale.domain) or list(dict.fromkeys(v for each in self.values for v in each))
        return found[::-1] if self.scale.reverse else found

    @property
    def ends(self) -> tuple[float, float]:
        """The values at both ends of the axis."""
        return ends_of(self.scale, self.values)

    @property
    def step(self) -> float:
        """Room of one name, px."""
        return abs(self.end - self.start) / max(1, len(self.names or ()))

    def at(self, values: Any) -> Floats:
        """Return where values stand, px; NaN for what is not on the axis."""
        names = self.names
        if names is not None:
            known = {name: k for k, name in enumerate(names)}
            share = np.array([(known.get(v, np.nan) + 0.5) / max(1, len(names)) for v in values])
        else:
            low, high = self.ends
            numbers = np.asarray(values, dtype=np.float64)
            # Halves first: ends may be as far apart as floats go.
            share = (numbers / 2 - low / 2) / (high / 2 - low / 2)
            share = 1 - share if self.scale.reverse else share
        found: Floats = self.start + share * (self.end - self.start)
        return found


def ends_of(scale: Any, values: list[Any]) -> tuple[float, float]:
    """Return the ends of a scale of numbers: its own, where it has any, else those of what is drawn."""
    drawn = np.concatenate([np.zeros(0), *(np.asarray(v, dtype=np.float64).ravel() for v in values)])
    seen = drawn[np.isfinite(drawn)]
    low = float(seen.min(initial=np.inf) if scale.min is None else scale.min)
    high = float(seen.max(initial=-np.inf) if scale.max is None else scale.max)
    if not np.isfinite([low, high]).all():
        return 0.0, 1.0
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def can_draw(mark: Any) -> bool:
    """Whether a picture can hold this mark: its kind, its scales and its colours.

    Examples
    --------
    >>> import bqplot
    >>> x, y = bqplot.LinearScale(), bqplot.LogScale()
    >>> can_draw(bqplot.Lines(x=[1, 2], y=[1, 2], scales={"x": x, "y": x}))
    True
    >>> can_draw(bqplot.Lines(x=[1, 2], y=[1, 2], scales={"x": x, "y": y}))
    False
    """
    kind = type(mark).__name__
    if kind not in _SCALES:
        return False
    if not mark.visible or any(type(mark.scales.get(side)).__name__ not in _PLAIN for side in _SCALES[kind]):
        return False
    if kind == "GridHeatMap":
        scale = mark.scales.get("color")
        shades = getattr(scale, "colors", [])
        named = len(mark.row) and len(mark.column) and np.ndim(mark.color) == 2
        return bool(named and len(shades) > 1 and all(re.fullmatch("#[0-9a-fA-F]{6}", one) for one in shades))
    return len(mark.x) > 0 and np.shape(mark.x) == np.shape(mark.y)


def colour_of(mark: Any) -> tuple[str, str]:
    """Return the colour of a mark, the same by day and by night: figures take mid tones."""
    colours = [colour for colour in (mark.colors or ()) if isinstance(colour, str) and _is_plain(colour)]
    return (colours[0], colours[0]) if colours else _WHOLE


def _is_plain(colour: str) -> bool:
    # It stands in a style sheet: a name or a number of a colour, and nothing else.
    return colour.removeprefix("#").isalnum() and colour.isascii()


def draw_mark(svg: Svg, mark: Any, x: Place, y: Place, *, room: float, on_colours: bool = False) -> None:
    """Draw one mark into the picture.

    Parameters
    ----------
    svg
        The piece with the origin of the figure.
    mark
        One for which `can_draw` is true.
    x, y
        Where its scales put values; of a heat map the columns and the rows.
    room
        Width of the picture, px: texts end there.
    on_colours
        Whether texts stand on the coloured cells of a heat map: they keep their own ink.
    """
    draw: dict[str, Callable[[], None]] = {
        "Lines": lambda: _lines(svg, mark, x, y),
        "Scatter": lambda: _dots(svg, mark, x, y),
        "GridHeatMap": lambda: _cells(svg, mark, x, y),
        "Label": lambda: _texts(svg, mark, x, y, room, on_colours),
    }
    draw[type(mark).__name__]()


def line_style(mark: Any) -> dict[str, Style]:
    """Return how a line is drawn."""
    style: dict[str, Style] = {"stroke": colour_of(mark), "stroke_width": float(mark.stroke_width)}
    dashes = _DASHES.get(mark.line_style)
    return style | ({"stroke_dasharray": dashes} if dashes else {})


def _lines(svg: Svg, mark: Any, x: Place, y: Place) -> None:
    for across, up in zip(np.atleast_2d(mark.x), np.atleast_2d(mark.y), strict=True):
        px, py = x.at(across), y.at(up)
        whole = np.isfinite(px) & np.isfinite(py)
        cuts = np.flatnonzero(np.diff(whole.astype(int))) + 1
        for piece in np.split(np.arange(px.size), cuts):
            if piece.size > 1 and whole[piece[0]]:
                svg.path(
                    polyline(list(zip(px[piece].tolist(), py[piece].tolist(), strict=True))),
                    **line_style(mark),
                )


def mark_shape(svg: Svg, mark: Any, at: list[tuple[float, float]], scale: float = 1.0) -> None:
    """Draw the dots of a scatter at their places, px."""
    # The size is an area, as in the browser.
    r = scale * float(np.sqrt(mark.default_size / np.pi))
    colour = colour_of(mark)
    style: dict[str, Style] = {"fill": colour} if mark.fill else {"stroke": colour, "stroke_width": 1.5}
    if "triangle" in mark.marker:
        up = -1 if mark.marker.endswith("up") else 1
        run = f"l{joined(1.2 * r, -up * 2.1 * r)}h{number(-2.4 * r)}z"
        data = "".join(f"M{joined(px, py + up * 1.25 * r)}{run}" for px, py in at)
    elif mark.marker in ("diamond", "square", "rectangle"):
        d = 1.3 * r
        run = f"l{joined(d, d)}l{joined(-d, d)}l{joined(-d, -d)}z"
        data = "".join(f"M{joined(px, py - d)}{run}" for px, py in at)
    else:
        run = f"a{joined(r, r)} 0 1 1{joined(2 * r, 0)}a{joined(r, r)} 0 1 1{joined(-2 * r, 0)}z"
        data = "".join(f"M{joined(px - r, py)}{run}" for px, py in at)
    svg.path(data, **style)


def _dots(svg: Svg, mark: Any, x: Place, y: Place) -> None:
    px, py = x.at(mark.x), y.at(mark.y)
    whole = np.isfinite(px) & np.isfinite(py)
    places = np.column_stack([px[whole], py[whole]])
    grain = 0.1
    while places.shape[0] > _MOST_DOTS:
        # Dots that lie on each other are one.
        grain = max(1.0, grain + 0.5)
        places = np.unique(np.round(places / grain), axis=0) * grain
    mark_shape(svg, mark, [(float(a), float(b)) for a, b in places])


def _cells(svg: Svg, mark: Any, x: Place, y: Place) -> None:
    colour = np.asarray(mark.color, dtype=np.float64)
    shades = [_rgb(shade) for shade in mark.scales["color"].colors]
    low, high = ends_of(mark.scales["color"], [colour])
    wide, tall = x.step, y.step
    for j, top in enumerate(y.at(mark.row)):
        for k, left in enumerate(x.at(mark.column)):
            if np.isfinite(colour[j, k]) and np.isfinite([top, left]).all():
                fill = _mixed(shades, (colour[j, k] - low) / (high - low))
                at = left - wide / 2 + 0.5, top - tall / 2 + 0.5
                svg.rect(*at, wide - 1, tall - 1, fill=(fill, fill))


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))


def _mixed(shades: list[tuple[int, ...]], share: float) -> str:
    at = min(1.0, max(0.0, share)) * (len(shades) - 1)
    k = min(len(shades) - 2, int(at))
    r, g, b = (round(a + (c - a) * (at - k)) for a, c in zip(shades[k], shades[k + 1], strict=True))
    return hexadecimal((r, g, b))


def _texts(svg: Svg, mark: Any, x: Place, y: Place, room: float, on_colours: bool) -> None:
    style: dict[str, Style] = {
        "anchor": mark.align,
        "size": float(mark.default_size),
        "fill": colour_of(mark) if on_colours else "ink2",
    }
    for px, py, text in zip(x.at(mark.x), y.at(mark.y), mark.text, strict=True):
        if np.isfinite([px, py]).all():
            left = float(px + mark.x_offset)
            words = fit(text, room - left) if mark.align == "start" else str(text)
            svg.text(left, float(py + mark.y_offset + 4), words, **style)
