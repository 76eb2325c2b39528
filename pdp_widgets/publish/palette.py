"""Colour means amount: the same numbers as in the browser (js/src/ui/palette.ts, tokens.css)."""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = ["SERIES", "TOKENS", "Rgb", "hexadecimal", "ink_on", "magnitude_domain", "viridis"]

Rgb = tuple[int, int, int]

_STOPS = ("440154", "472d7b", "3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725")
# A shorter scale has places for its colours no longer; from so many steps on they are not told apart.
_SHORTEST = 2.0**-1000
_MOST_STEPS = 2.0**40
_VIRIDIS = tuple(tuple(int(stop[k : k + 2], 16) for k in (0, 2, 4)) for stop in _STOPS)

#: Colour by name: (on a light background, on a dark one).
TOKENS: dict[str, tuple[str, str]] = {
    "bg": ("#fff", "#111"),
    "ink": ("#212121", "#e2e2e2"),
    "ink2": ("#616161", "#a8a8a8"),
    "line": ("#e0e0e0", "#383838"),
    "line2": ("#bdbdbd", "#616161"),
    "brand": ("#1976d2", "#64b5f6"),
    "share": ("#98c2ec", "#35618a"),
    "tint": ("#f6f6f6", "#1c1c1c"),
    "sel": ("#e3effa", "#17324a"),
    "promise": ("#46607c", "#a3bbd6"),
    "paper": ("#8a5a00", "#e3b04b"),
    "over": ("#b54708", "#ff9a6b"),
    "overtint": ("#fbe3d3", "#4a2615"),
    "a": ("#0072b2", "#56b4e9"),
    "b": ("#c77700", "#f0b040"),
    "c": ("#00785a", "#2fbf96"),
    "d": ("#a34f82", "#e39cc6"),
}

#: Labels of a tuple in order: colour and dash pattern.
SERIES: tuple[tuple[str, str], ...] = (("a", "5 2.5"), ("b", ""), ("c", "1.5 2.5"), ("d", "8 2 2 2"))


def viridis(t: float, dark: bool) -> Rgb:
    """Return viridis at `t` in [0, 1]; large values lie farthest from the background.

    Parameters
    ----------
    t
        Share of the colour scale; clipped, NaN counts as 0.
    dark
        Whether the background is dark.

    Examples
    --------
    >>> viridis(1.0, dark=False), viridis(1.0, dark=True)
    ((68, 1, 84), (253, 231, 37))
    """
    clipped = min(1.0, max(0.0, t)) if math.isfinite(t) else 0.0
    x = (clipped if dark else 1 - clipped) * (len(_VIRIDIS) - 1)
    i = min(len(_VIRIDIS) - 2, math.floor(x))
    low, high = _VIRIDIS[i], _VIRIDIS[i + 1]
    mixed = [math.floor(a + (b - a) * (x - i) + 0.5) for a, b in zip(low, high, strict=True)]
    return mixed[0], mixed[1], mixed[2]


def hexadecimal(colour: Rgb) -> str:
    """Return the colour as SVG reads it.

    Examples
    --------
    >>> hexadecimal((68, 1, 84))
    '#440154'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _luminance(colour: Rgb) -> float:
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(colour: Rgb) -> str:
    """Return black or white, whichever stands out more on the colour.

    Examples
    --------
    >>> ink_on((68, 1, 84)), ink_on((253, 231, 37))
    ('#fff', '#000')
    """
    return "#000" if _luminance(colour) > 0.179 else "#fff"


def magnitude_domain(values: Iterable[float], promise: float) -> tuple[float, float]:
    """Return the ends of the colour scale in nats: multiples of half the promise around the data.

    So colours stay put while a number is dragged.

    Parameters
    ----------
    values
        Leakages in nats; NaN is left out.
    promise
        The promise in nats; where it is not positive and finite, steps of 0.5 nats are used.

    Examples
    --------
    >>> magnitude_domain([0.97, 1.398], promise=1.0)
    (0.5, 1.5)
    """
    finite = [float(v) for v in values if not math.isnan(v)]
    step = max(promise / 2, _SHORTEST) if promise > 0 and math.isfinite(promise) else 0.5
    if not finite:
        return 0.0, step
    least, most = min(finite), max(finite)
    if not most / step < _MOST_STEPS:
        return 0.0, most
    low = max(0.0, math.floor(least / step - 1e-9) * step)
    high = math.ceil(most / step + 1e-9) * step
    if not math.isfinite(high):
        return 0.0, most
    return low, high if high > low else low + step
