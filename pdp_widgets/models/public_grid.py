"""Numbers and points as symbols: cells of a grid with public bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import plain_number
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import StreamError, Where
from pdp_widgets.models.chain_checks import as_count
from pdp_widgets.models.labels import shown
from pdp_widgets.models.stream_data import StreamData

__all__ = ["grid_cells", "grid_centres", "quantised"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_MOST_CELLS = 10_000


def quantised(values: Any, low: float, high: float, cells: int, title: str | None = "") -> StreamData:
    """Return series of numbers as streams of equal intervals.

    Parameters
    ----------
    values
        One series, or several: a list of series, or a two-dimensional array with a user a row. A number that
        is missing (NaN or None) ends a stream, and a new one begins behind it.
    low, high
        Bounds that are public: those of a user's own data would tell of them. What lies outside counts to the
        first or the last interval.
    cells
        Number of intervals.
    title
        Short text for pictures.

    Raises
    ------
    StreamError
        An entry is no number, all are missing, or the bounds are none.

    Examples
    --------
    >>> data = quantised([0.1, 4.9, 12, float("nan"), 2.5], 0, 5, 2)
    >>> data.states, [codes.tolist() for codes in data]
    (('0 to 2.5', '2.5 to 5'), [[0, 1, 1], [1]])
    """
    many = as_count(cells, "intervals", 1)
    if many > _MOST_CELLS:
        raise StreamError(
            f"The number of intervals is {many:,}; at most {_MOST_CELLS:,} are taken.",
            Where("parameter", name="cells"),
        )
    ends = _bound(low, "low"), _bound(high, "high")
    _check_bounds(*ends, "low")
    series = _series(values, 1)
    codes = [_cell(numbers[:, 0], *ends, many) for numbers in series]
    edges = [f"{edge:.6g}" for edge in np.linspace(*ends, many + 1)]
    labels: Any = [f"{edges[k]} to {edges[k + 1]}" for k in range(many)]
    return _cut(series, codes, labels if len(set(labels)) == many else range(many), title)


def grid_cells(
    points: Any, bounds: Sequence[Sequence[float]], cells: int, title: str | None = ""
) -> StreamData:
    """Return tracks of points, such as where an eye looks, as streams of cells of a square grid.

    Parameters
    ----------
    points
        One track, shape (steps, 2), or several: a list of tracks, or an array with a user in front. A point
        with a number that is missing ends a stream, and a new one begins behind it.
    bounds
        The lower corner and the upper corner, ``((x, y), (x, y))``, both public. What lies outside counts to
        the cells at the border.
    cells
        Cells of a side; the symbol of a cell is its column times this plus its row. Up to 10 are of use: with
        more the belief is spread so thin that no private release can be near the truth.
    title
        Short text for pictures.

    Raises
    ------
    StreamError
        An entry is no point, all are missing, or the bounds are none.

    Examples
    --------
    >>> data = grid_cells([[0, 0], [1, 1], [0.5, 0.25], [1.2, -0.3]], ((0, 0), (1, 1)), 4)
    >>> data[0].tolist(), data.n, data.states[9]
    ([0, 15, 9, 12], 16, 'column 2, row 1')
    """
    side = as_count(cells, "cells of a side", 1)
    if side * side > _MOST_CELLS:
        whole = f"{side * side:,}" if side < 1 << 26 else "far more"
        raise StreamError(
            f"A grid with {shown(side)} cells a side has {whole} cells; at most {_MOST_CELLS:,} are taken.",
            Where("parameter", name="cells"),
        )
    refuse_masked(bounds, "bounds")
    try:
        corners = plain_numbers(bounds)
    except (TypeError, ValueError, OverflowError):
        corners = np.empty(0)
    if corners.shape != (2, 2):
        raise StreamError(
            f"The bounds are {shown(bounds)}; give the lower and the upper corner, ((x, y), (x, y)).",
            Where("parameter", name="bounds"),
        )
    for axis in range(2):
        _check_bounds(float(corners[0, axis]), float(corners[1, axis]), "bounds")
    tracks = _series(points, 2)
    codes = [
        _cell(track[:, 0], corners[0, 0], corners[1, 0], side) * side
        + _cell(track[:, 1], corners[0, 1], corners[1, 1], side)
        for track in tracks
    ]
    labels = [f"column {column}, row {row}" for column in range(side) for row in range(side)]
    return _cut(tracks, codes, labels, title)


def grid_centres(cells: int) -> Floats:
    """Return the centres of the cells of a square grid on [0, 1] x [0, 1], shape (cells squared, 2).

    Examples
    --------
    >>> grid_centres(2).tolist()
    [[0.25, 0.25], [0.25, 0.75], [0.75, 0.25], [0.75, 0.75]]
    """
    side = as_count(cells, "cells of a side", 1, math.isqrt(_MOST_CELLS))
    column, row = np.divmod(np.arange(side * side), side)
    return np.column_stack([(column + 0.5) / side, (row + 0.5) / side])


def _cell(numbers: Floats, low: float, high: float, cells: int) -> Integers:
    """Return the interval of each number; of what is missing the first, which nobody looks at."""
    if low == high:
        share = np.zeros(len(numbers))
    else:
        with np.errstate(over="ignore"):
            share = np.clip((np.nan_to_num(numbers, nan=low) - low) / (high - low), 0, 1)
    return np.minimum(np.floor(share * cells), cells - 1).astype(np.int64)


def _bound(value: Any, name: str) -> float:
    try:
        return plain_number(value)
    except (TypeError, ValueError, OverflowError):
        raise StreamError(
            f"{name} is {shown(value)}; it is a number.", Where("parameter", name=name)
        ) from None


def _check_bounds(low: float, high: float, name: str) -> None:
    if not (math.isfinite(low) and math.isfinite(high) and low <= high and math.isfinite(high - low)):
        raise StreamError(
            f"The bounds are {low:.6g} and {high:.6g}; they are finite, the lower one first.",
            Where("parameter", name=name),
        )


def _series(values: Any, width: int) -> list[Floats]:
    """Return every series as an array (steps, width); NaN stands for what is missing."""
    what = "a number" if width == 1 else "a point (x, y)"
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    values = _without_masks(values)
    if isinstance(values, str | bytes | dict | set | frozenset) or not hasattr(values, "__iter__"):
        raise StreamError(
            f"The values are {shown(values)}; give a series, or a list of them.",
            Where("parameter", name="values"),
        )
    listed: list[Any] = list(values)
    # A point is a list itself.
    if _depth(values) <= width:
        listed = [listed]
    found = []
    for user, series in enumerate(map(_without_masks, listed)):
        rows = series if isinstance(series, np.ndarray) else [_without_none(entry) for entry in series]
        try:
            numbers = plain_numbers(rows) if len(rows) else np.empty((0, width))
            found.append(numbers[:, None] if width == numbers.ndim == 1 else numbers)
        except (TypeError, ValueError, OverflowError):
            found.append(np.empty((0, 0)))
        if found[-1].ndim != 2 or found[-1].shape[1] != width:
            raise StreamError(f"Series {user} has an entry that is not {what}.", Where("row", index=(user,)))
    return found


def _without_masks(values: Any) -> Any:
    masked = isinstance(values, np.ma.MaskedArray)
    return np.ma.filled(values.astype(np.float64), np.nan) if masked else values


def _without_none(entry: Any) -> Any:
    if isinstance(entry, list | tuple):
        return list(map(_without_none, entry))
    return math.nan if entry is None or entry is np.ma.masked else entry


def _depth(entry: Any) -> int:
    """Return how many lists are around a number; what comes first decides."""
    if isinstance(entry, np.ndarray):
        return entry.ndim
    if isinstance(entry, str | bytes) or not hasattr(entry, "__iter__"):
        return 0
    for part in entry:
        inner = _depth(part)
        # An empty list says nothing.
        if inner != 1 or len(part):
            return 1 + inner
    return 1


def _cut(series: list[Floats], codes: list[Integers], states: Any, title: str | None) -> StreamData:
    """Return the streams between what is missing."""
    streams: list[Integers] = []
    for numbers, cells in zip(series, codes, strict=True):
        there = np.logical_not(np.isnan(numbers).any(axis=1, keepdims=True))[:, 0]
        for run in np.split(np.arange(len(cells)), np.flatnonzero(np.diff(there)) + 1):
            if len(run) and there[run[0]]:
                streams.append(cells[run])
    if not streams:
        raise StreamError(
            "There is no value, or all are missing; give at least one number.",
            Where("parameter", name="values"),
        )
    offsets = np.concatenate([[0], np.cumsum([len(stream) for stream in streams])])
    return StreamData.from_codes(np.concatenate(streams), offsets, states, title)
