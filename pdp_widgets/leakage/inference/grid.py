"""Cells of the unit square: where a point is, and the centre that stands for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import DomainError, NetworkError, Where

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_MOST = 100


def as_cells_a_side(grid: Any) -> int:
    """Return a number of cells a side, 1 to 100, or raise DomainError."""
    return as_size(grid, "grid", 1, _MOST, DomainError)


def as_unit_points(points: Any, name: str = "points") -> Floats:
    """Return points of the unit square, shape (n, 2), or raise NetworkError."""
    where = Where("parameter", name=name)
    refuse_masked(points, name)
    try:
        found = plain_numbers(points)
    except (TypeError, ValueError, OverflowError):
        raise NetworkError(f"The {name} hold something that is no number.", where) from None
    if found.ndim != 2 or found.shape[1] != 2:
        raise NetworkError(f"The {name} have shape {found.shape}; a point has two coordinates.", where)
    wrong = ~((found >= 0) & (found <= 1)).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise NetworkError(
            f"Point {row} of the {name} is {found[row].tolist()}; both coordinates are from 0 to 1.", where
        )
    return found


def cells_of(points: Any, grid: int, regions: Any = None) -> Integers:
    """Return the cell of every point: rows by the first coordinate, columns by the second."""
    side, found = as_cells_a_side(grid), as_unit_points(points)
    row, column = np.minimum(side - 1, np.floor(found * side).astype(np.int64)).T
    cells: Integers = row * side + column
    # Cells of regions stand side by side.
    return cells if regions is None else cells + np.asarray(regions, dtype=np.int64) * side**2


def cell_centres(grid: int) -> Floats:
    """Return the centres of all cells, shape (grid**2, 2)."""
    side = as_cells_a_side(grid)
    middle = (np.arange(side) + 0.5) / side
    return np.stack([np.repeat(middle, side), np.tile(middle, side)], axis=1)
