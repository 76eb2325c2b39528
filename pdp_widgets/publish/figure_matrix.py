"""A covariance matrix as a heat map: numbers where they fit, else a key, and signs that are seen in grey."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.publish.formatting import fixed, scientific, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, short_names, width, wrap
from pdp_widgets.publish.matrix_picture import decimals_for, entry, signed_colour, signed_domain
from pdp_widgets.publish.palette import hexadecimal, ink_on
from pdp_widgets.publish.svg import Svg, joined, number

__all__ = ["matrix_figure", "matrix_least"]

#: Widest column of names, widest and tallest cell with a number, largest cell without, px.
_NAMES, _CELL, _ROW, _BARE = 130.0, 64.0, 26.0, 18.0
#: More tuples than this have no room for numbers.
_READ = 12
#: Smallest cell whose row can be named; smaller ones are named in steps.
_NAMED = 12.0
_SHADES = 24
_SMALLEST = 4.0
#: Cells of numbers give room to long names down to this width, px.
_NUMBER = 50.0
#: A row whose name stands on two lines, px.
_TALL = 34.0


def _written(value: float, decimals: int) -> str:
    """Return one entry; exact zero is `0`, what the decimals do not show is `0.0`."""
    return "0" if value == 0 else scientific(value, 0) if abs(value) >= 1e6 else fixed(value, decimals)


def _texts(model: GaussianModel, w: float) -> list[list[str]] | None:
    """Return the entries with three digits, or else two, as the cells have room; None without room."""
    n = model.n_tuples
    if n > _READ:
        return None
    most = decimals_for(signed_domain(model.cov))
    for decimals in (most, most - 1) if most > 1 else (most,):
        texts = [[_written(float(value), decimals) for value in row] for row in model.cov]
        if _needed(texts) <= (w - _heads(model)) / n:
            return texts
    return None


def _needed(texts: list[list[str]]) -> float:
    """Return the width of a cell that holds every entry, px."""
    return 4 + max(width(text, 12, i == j) for i, row in enumerate(texts) for j, text in enumerate(row))


def _heads(model: GaussianModel) -> float:
    longest = max(width(clean(text)) for text in [*model.names, "spread"])
    return min(longest + 8, _NAMES)


def matrix_least(model: GaussianModel) -> float:
    """Return the room that the heat map needs, px.

    Examples
    --------
    >>> matrix_least(GaussianModel(None, [[1.0, 0.5], [0.5, 1.0]]))
    240.0
    """
    return max(240.0, _heads(model) + model.n_tuples * _SMALLEST)


def matrix_figure(svg: Svg, model: GaussianModel, w: float, weights: Sequence[float] | None = None) -> float:
    """Draw the heat map with means and spreads below; return the height taken.

    Every entry is a number where there is room, up to 12 tuples. Elsewhere cells below zero carry a stroke,
    so that blue and red are told apart in grey, and a key says the amounts.

    Parameters
    ----------
    svg
        Where to draw.
    model
        Means and covariances.
    w
        Room in px, at least `matrix_least`.
    weights
        One for each tuple, shown below the matrix.
    """
    unit = clean(model.unit)
    squared = f"{unit}²" if unit and " " not in unit else f"({unit})²" if unit else ""
    y = panel(svg, w, "Covariance matrix", right=fit(squared, w / 2))
    heads, n = _heads(model), model.n_tuples
    texts = _texts(model, w)
    if texts is not None:
        longest = max(width(f"{n} {clean(name)}") for name in model.names) + 8
        heads = max(heads, min(longest, w - n * max(_NUMBER, _needed(texts))))
        cell = min(_CELL, (w - heads) / n)
        y = _with_numbers(svg, model, texts, y, heads, cell)
        return _below(svg, model, y, heads, cell, weights)
    cell = min(_BARE, (w - heads) / n)
    y = _without_numbers(svg, model, y, heads, cell)
    return _key(svg, signed_domain(model.cov), y + 8, heads, min(n * cell, w - heads))


def _shade(t: float) -> tuple[str, str]:
    return hexadecimal(signed_colour(t, False)), hexadecimal(signed_colour(t, True))


def _with_numbers(
    svg: Svg, model: GaussianModel, texts: list[list[str]], y: float, heads: float, cell: float
) -> float:
    shares = np.round(model.cov / signed_domain(model.cov) * _SHADES) / _SHADES
    rows, columns = _names(model, cell - 5)
    for j, name in enumerate(columns):
        svg.text(heads + (j + 1) * cell - 4, y + 12, fit(name, cell - 5), anchor="end")
    y += 19
    tall = _ROW if all(width(name) <= heads - 6 for name in rows) else _TALL
    for i, (name, row) in enumerate(zip(rows, texts, strict=True)):
        lines = wrap(name, heads - 6, 12, most=2) if tall > _ROW else [name]
        for k, line in enumerate(lines):
            svg.text(0, y + tall / 2 + 4 + 14 * (k - (len(lines) - 1) / 2), line)
        _cells(svg, shares[i], heads, y, cell, tall)
        for j, text in enumerate(row):
            t = float(shares[i, j])
            ink = (ink_on(signed_colour(t, False)), ink_on(signed_colour(t, True)))
            weight = {"weight": 600} if i == j else {}
            svg.text(heads + (j + 1) * cell - 4, y + tall / 2 + 4, text, anchor="end", fill=ink, **weight)
        y += tall
    return y


def _names(model: GaussianModel, room: float) -> tuple[list[str], list[str]]:
    """Return what rows and columns are called: columns by short names where the names do not fit."""
    names = [clean(name) for name in model.names]
    if all(width(name) <= room for name in names):
        return names, names
    columns, positions = short_names(model.names)
    rows = [f"{k} {name}" for k, name in zip(columns, names, strict=True)] if positions else names
    return rows, list(columns)


def _cells(svg: Svg, shares: NDArray[np.float64], left: float, y: float, cell: float, tall: float) -> None:
    """Draw a row of cells, each a thick stroke; what is 0 is the paper."""
    for j, t in enumerate(shares.tolist()):
        if t:
            line = f"M{joined(left + j * cell, y + tall / 2)}h{number(cell - 0.8)}"
            svg.shape(line, stroke=_shade(t), stroke_width=tall - 0.8)


def _below(
    svg: Svg, model: GaussianModel, y: float, heads: float, cell: float, weights: Sequence[float] | None
) -> float:
    spreads = model.standard_deviations
    most = decimals_for(float(spreads.max(initial=0.0)))
    lines = [("spread", [entry(float(v), most) for v in spreads])]
    if np.any(model.mean):
        lines.insert(0, ("mean", [_plain(float(v)) for v in model.mean]))
    if weights is not None:
        lines.insert(0, ("weight", [_plain(float(v)) for v in weights]))
    y += 3
    for title, texts in lines:
        if any(width(text) > cell - 3 for text in texts):
            continue
        y += 17
        svg.text(0, y, title, fill="ink2")
        for j, text in enumerate(texts):
            svg.text(heads + (j + 1) * cell - 4, y, text, anchor="end", fill="ink2")
    return y + 6


def _plain(value: float) -> str:
    return tick(float(f"{value:.3g}"))


def _without_numbers(svg: Svg, model: GaussianModel, y: float, heads: float, cell: float) -> float:
    shares = np.round(model.cov / signed_domain(model.cov) * _SHADES) / _SHADES
    step = max(1, -int(-_NAMED // cell))
    minus: list[str] = []
    for i, name in enumerate(model.names):
        if i % step == 0:
            svg.text(0, y + cell / 2 + 4, fit(name, heads - 6))
        _cells(svg, shares[i], heads, y, cell, cell)
        for j in np.flatnonzero(shares[i] < 0).tolist():
            x = heads + j * cell + cell / 2 - 0.4
            minus.append(f"M{joined(x - cell * 0.2, y + cell / 2)}h{number(cell * 0.4)}")
        y += cell
    # A halo in the paper's colour, so that the stroke is seen on every shade.
    if minus:
        svg.path("".join(minus), stroke="bg", stroke_width=2.4)
        svg.path("".join(minus), stroke="ink", stroke_width=1)
    return y


def _key(svg: Svg, domain: float, y: float, left: float, room: float) -> float:
    """Draw the scale of the colours, negative amounts with their stroke."""
    swatch = min(40.0, room / 7)
    for k, t in enumerate((-1, -2 / 3, -1 / 3, 0, 1 / 3, 2 / 3, 1)):
        x = left + k * swatch
        if t:
            svg.shape(f"M{joined(x, y + 5)}h{number(swatch)}", stroke=_shade(t), stroke_width=10)
        if t < 0:
            middle = f"M{joined(x + swatch / 2 - 3, y + 5)}h6"
            svg.path(middle, stroke="bg", stroke_width=2.4)
            svg.path(middle, stroke="ink", stroke_width=1)
    svg.path(f"M{joined(left, y)}h{number(7 * swatch)}v10h{number(-7 * swatch)}z", stroke="line2")
    for at, value, anchor in ((0.0, -domain, "start"), (3.5, 0.0, "middle"), (7.0, domain, "end")):
        svg.text(left + at * swatch, y + 24, tick(value), anchor=anchor, fill="ink2")
    return y + 30
