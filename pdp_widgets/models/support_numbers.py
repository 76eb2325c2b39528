"""Numbers of the rows of a joint distribution: checked probabilities, sums, distances, tables of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.table_checks import SUM_TOLERANCE, as_numbers, check_cells

__all__ = ["as_probabilities", "as_weights", "diameter_of", "pair_tables_of", "sums_of"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def sums_of(index: Integers, weights: Floats, size: int) -> Floats:
    """Return the sums of weights by index, 0, 1, ... below a size."""
    return np.asarray(np.bincount(index, weights, size), dtype=np.float64)


def as_weights(given: Any, rows: int, what: str) -> Floats:
    """Return one number for each row, 0 or more and not all 0, or raise TableError.

    Examples
    --------
    >>> as_weights([1, 3], 2, "counts").tolist()
    [1.0, 3.0]
    """
    numbers = as_numbers(given, what)
    where = Where("table")
    if numbers.shape != (rows,):
        raise TableError(
            f"There are {rows:,} rows and the {what} have the shape {numbers.shape}; give one number for "
            "each row.",
            where,
        )
    for bad, demand in (
        (~np.isfinite(numbers), "must be a finite number"),
        (numbers < 0, "must not be negative"),
    ):
        if bad.any():
            row = int(np.argmax(bad))
            raise TableError(
                f"In the {what} that of row {row} is {numbers[row]:.12g}; it {demand}.",
                Where("cell", index=(row,)),
            )
    if not numbers.any():
        raise TableError(f"The {what} are all 0; at least one must be positive.", where)
    return numbers + 0.0


def as_probabilities(given: Any, rows: int) -> Floats:
    """Return one probability for each row, or raise TableError unless they sum to 1 within 1e-9.

    Examples
    --------
    >>> as_probabilities([0.25, 0.75], 2).tolist()
    [0.25, 0.75]
    """
    numbers = as_weights(given, rows, "probabilities")
    with np.errstate(over="ignore"):
        total = float(numbers.sum())
    if not abs(total - 1) <= SUM_TOLERANCE:
        raise TableError(
            f"The probabilities sum to {total:.12g}; they must sum to 1 within {SUM_TOLERANCE:g}.",
            Where("table"),
        )
    return numbers


def diameter_of(points: Floats) -> float:
    """Return the largest L1 distance of two points.

    Examples
    --------
    >>> diameter_of(np.array([[0.0, 0.0], [3.0, 4.0], [1.0, 1.0]]))
    7.0
    """
    if points.shape[1] == 1:
        return float(np.ptp(points))
    if points.shape[1] <= 8:
        # The L1 diameter is the largest range among the sums of coordinates with signs.
        m = points.shape[1]
        signs = 1 - 2 * (np.arange(1 << (m - 1))[:, None] >> np.arange(m) & 1)
        return float(np.ptp(points @ signs.T, axis=0).max())
    return max(float(np.abs(points - point).sum(axis=1).max()) for point in points)


def pair_tables_of(codes: Integers, probabilities: Floats, offsets: Integers) -> Floats:
    """Return the joint probabilities of all pairs of values of all pairs of tuples.

    Parameters
    ----------
    codes
        Positions of values, shape (rows, n).
    probabilities
        Of the rows.
    offsets
        Where the values of every tuple begin among all of them, shape (n + 1,).

    Examples
    --------
    >>> pair_tables_of(np.array([[0, 1], [1, 0]]), np.array([0.5, 0.5]), np.array([0, 2, 4]))[:2, 2:].tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    n, width = codes.shape[1], int(offsets[-1])
    check_cells((width, width), "The table of all pairs of values")
    found = np.zeros((width, width))
    placed = codes + offsets[:-1]
    for i in range(n):
        # One pass for all later tuples; the earlier ones are the transpose.
        size, later = len(range(offsets[i], offsets[i + 1])), width - int(offsets[i])
        index = codes[:, i, None] * later + (placed[:, i:] - offsets[i])
        weights = np.broadcast_to(probabilities[:, None], index.shape)
        table = sums_of(index.ravel(), weights.ravel(), size * later).reshape(size, later)
        found[offsets[i] : offsets[i + 1], offsets[i] :] = table
        found[offsets[i] :, offsets[i] : offsets[i + 1]] = table.T
    return found
