"""The panel "Covariance matrix": cells filled by the signed amount, weights, means, correlations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.publish.formatting import count, fixed, scientific, signed
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, width
from pdp_widgets.publish.palette import Rgb, hexadecimal, ink_on
from pdp_widgets.publish.snapshot import table
from pdp_widgets.publish.svg import Svg, joined, number

__all__ = ["entry", "matrix_panel", "matrix_room", "matrix_tables", "signed_colour", "signed_domain"]

_LIGHT = ("2166ac", "67a9cf", "d1e5f0", "ffffff", "fddbc7", "ef8a62", "b2182b")
_DARK = ("2166ac", "3e78aa", "244262", "1c1c1c", "683026", "c45c42", "b2182b")
_STOPS = tuple(
    tuple(tuple(int(stop[k : k + 2], 16) for k in (0, 2, 4)) for stop in stops) for stops in (_LIGHT, _DARK)
)
_ROUND = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)

_ROW = 26.0
_CELL = 58.0
#: Above this many tuples the cells are too small for numbers.
_READ = 12
_SMALL = 18.0
#: Shades on either side of 0: as many as an eye tells apart, so that cells can share a style.
_SHADES = 24
_PAIRS = 6
_FULL_TABLE = 20


def signed_colour(t: float, dark: bool) -> Rgb:
    """Return the colour of a signed amount in [-1, 1]: blue to red through the background.

    Parameters
    ----------
    t
        Share of the scale; clipped, NaN counts as 0.
    dark
        Whether the background is dark.

    Examples
    --------
    >>> signed_colour(-1.0, dark=False), signed_colour(0.0, dark=False)
    ((33, 102, 172), (255, 255, 255))
    """
    stops = _STOPS[dark]
    x = (min(1.0, max(-1.0, 0.0 if math.isnan(t) else t)) + 1) * 3
    i = min(5, math.floor(x))
    mixed = [math.floor(a + (b - a) * (x - i) + 0.5) for a, b in zip(stops[i], stops[i + 1], strict=True)]
    return mixed[0], mixed[1], mixed[2]


def signed_domain(values: NDArray[np.float64]) -> float:
    """Return where the signed scale ends: the largest entry in size, rounded up.

    Examples
    --------
    >>> signed_domain(np.array([1.44, -1.96])), signed_domain(np.zeros(2))
    (2.0, 1.0)
    """
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    if largest == 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    step = next((s for s in _ROUND if s * power >= largest * (1 - 1e-9)), 10)
    return float(f"{step * power:.12g}")


def entry(value: float, decimals: int) -> str:
    """Return one number of a matrix: exact zero is `0`, what the decimals do not show is written 3e−5.

    Examples
    --------
    >>> entry(0.6, 2), entry(0.0, 2), entry(0.00003, 2)
    ('0.60', '0', '3e−5')
    """
    if value == 0:
        return "0"
    size = abs(value)
    return scientific(value, 0) if size < 0.5 * 10.0**-decimals or size >= 1e6 else fixed(value, decimals)


def decimals_for(largest: float) -> int:
    """Return the decimals that give the largest number three digits, at most six.

    Examples
    --------
    >>> decimals_for(1.96), decimals_for(0.02), decimals_for(350.0)
    (2, 4, 0)
    """
    if not (largest > 0 and math.isfinite(largest)):
        return 2
    return max(0, min(6, 2 - math.floor(math.log10(largest) + 1e-9)))


def _heads(model: GaussianModel) -> float:
    longest = max(width(clean(text)) for text in [*model.names, "weight a", "spread"])
    return min(max(52.0, longest + 10), 140.0)


def matrix_room(model: GaussianModel) -> float:
    """Return the width that the panel asks for, px."""
    n = len(model.names)
    return min(1000.0, max(420.0, _heads(model) + n * (_CELL if n <= _READ else _SMALL)))


def matrix_panel(svg: Svg, model: GaussianModel, w: float, weights: Sequence[float] | None = None) -> float:
    """Draw the matrix, weights, means and spreads, the strongest correlations; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    model
        Means and covariances.
    w
        Room in px.
    weights
        One for each tuple, shown above the matrix.
    """
    n = len(model.names)
    unit = clean(model.unit)
    right = f"{unit}²" if unit and " " not in unit else f"({unit})²" if unit else ""
    y = panel(svg, w, "Covariance matrix", right=fit(right, w / 2))
    heads = _heads(model)
    cell = min(_CELL, (w - heads) / n) if n <= _READ else min(_SMALL, (w - heads) / n)
    y = _cells(svg, model, y, heads, cell, weights)
    return _correlations(svg, model, w, y + 24)


def _cells(
    svg: Svg, model: GaussianModel, y: float, heads: float, cell: float, weights: Sequence[float] | None
) -> float:
    n, cov = len(model.names), model.cov
    read = n <= _READ
    height = _ROW if read else cell
    domain = signed_domain(cov)
    decimals = decimals_for(domain)
    names = [clean(name) for name in model.names]

    def right(j: int) -> float:
        return heads + (j + 1) * cell - 6

    def line(title: str, texts: list[str]) -> None:
        nonlocal y
        svg.text(0, y + 17, title, fill="ink2")
        for j, text in enumerate(texts):
            svg.text(right(j), y + 17, text, anchor="end")
        y += 24

    if read:
        for j, name in enumerate(names):
            svg.text(right(j), y + 14, fit(name, cell - 8), anchor="end")
        y += 22
        if weights is not None:
            line("weight a", [_plain(v) for v in weights])
    shades = _SHADES if read else (4, 8, _SHADES)[svg.sheet.detail]
    for i in range(n):
        svg.text(0, y + height - (9 if read else 5), fit(names[i], heads - 8), size=12 if read else 11)
        t = np.round(cov[i] / domain * shades) / shades
        _fills(svg, t, heads, y, cell, height)
        if read:
            for j in range(n):
                weight = {"weight": 600} if i == j else {}
                ink = (ink_on(signed_colour(t[j], False)), ink_on(signed_colour(t[j], True)))
                svg.text(
                    right(j), y + 17, entry(float(cov[i, j]), decimals), anchor="end", fill=ink, **weight
                )
        y += height
    if read:
        line("mean", [_plain(v) for v in model.mean])
        spreads = np.sqrt(np.diag(cov))
        most = decimals_for(float(spreads.max(initial=0.0)))
        line("spread", [entry(float(v), most) for v in spreads])
    return y


def _fills(svg: Svg, t: NDArray[np.float64], left: float, y: float, cell: float, height: float) -> None:
    """Draw the cells of a row; neighbours of one shade are one stroke, and what is 0 is the background."""
    j = 0
    while j < len(t):
        run = 1
        while j + run < len(t) and t[j + run] == t[j]:
            run += 1
        if t[j]:
            shade = (hexadecimal(signed_colour(t[j], False)), hexadecimal(signed_colour(t[j], True)))
            line = f"M{joined(left + j * cell, y + height / 2)}h{number(run * cell - 1)}"
            svg.shape(line, stroke=shade, stroke_width=height - 1)
        j += run


def _plain(value: float) -> str:
    """Return a mean or a weight with as many decimals as it needs, two at most."""
    value = float(value)
    if value != 0 and not 1e-3 <= abs(value) < 1e6:
        return scientific(value, 1)
    decimals = next((d for d in (0, 1) if abs(round(value, d) - value) <= 1e-9 * abs(value)), 2)
    return fixed(value, decimals)


def _pairs(model: GaussianModel) -> list[tuple[int, int, float]]:
    """Return pairs with their correlation, the strongest first."""
    spread = np.sqrt(np.diag(model.cov))
    found = [
        (i, j, float(model.cov[i, j] / (spread[i] * spread[j])))
        for i, j in combinations(range(len(spread)), 2)
        if spread[i] * spread[j] > 0
    ]
    return sorted(found, key=lambda pair: -abs(pair[2]))


def _correlations(svg: Svg, model: GaussianModel, w: float, y: float) -> float:
    pairs = _pairs(model)
    if not pairs:
        return y - 12
    shown = pairs[:_PAIRS]
    end = next((limit for limit in (0.1, 0.25, 0.5) if all(abs(r) <= limit for *_, r in shown)), 1.0)
    names = [clean(name) for name in model.names]
    svg.text(0, y, f"correlation, axis ±{end:g}", fill="ink2")
    room = min(w, 420.0)
    for i, j, rho in shown:
        y += 18
        svg.text(0, y, fit(f"{names[i]}, {names[j]}", room - 170))
        middle = room - 110
        svg.line(middle - 40, y - 4, middle + 40, y - 4, stroke="line2")
        svg.line(middle, y - 4, middle + 40 * rho / end, y - 4, stroke="b", stroke_width=5)
        svg.text(room, y, signed(rho, 2), anchor="end")
    if len(pairs) > len(shown):
        y += 18
        svg.text(0, y, f"{len(shown)} largest of {count(len(pairs), 'pair')}", fill="ink2")
    return y + 8


def matrix_tables(model: GaussianModel) -> str:
    """Return covariances as an HTML table, up to 20 tuples, else the strongest correlations."""
    names = [fit(name, 160) for name in model.names]
    decimals = decimals_for(signed_domain(model.cov)) + 1
    if len(names) > _FULL_TABLE:
        rows = [[f"{names[i]}, {names[j]}", signed(rho, 3)] for i, j, rho in _pairs(model)[:_FULL_TABLE]]
        return table(f"The {len(rows)} largest correlations", ["pair", "correlation"], rows)
    body = [
        [name, *(entry(float(v), decimals) for v in row)] for name, row in zip(names, model.cov, strict=True)
    ]
    return table("Covariances", ["", *names], body)
