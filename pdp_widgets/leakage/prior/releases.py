"""Values of the query as candidate releases: the supremum over r is attained at one of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "LARGEST_EXPONENT",
    "MERGE",
    "candidates",
    "needs_logarithms",
    "number_of_values",
    "query_values",
    "snapped",
]

Floats = NDArray[np.float64]

# Sums of contributions such as 0.1, 0.2, 0.3 differ in the last digit with the order of summation.
MERGE = 1e-12
#: Exponents up to this size, probabilities included, stay far from underflow (section 3.6).
LARGEST_EXPONENT = 600.0


def query_values(contributions: Sequence[Floats]) -> Floats:
    """Return f(x) for every row, measured from the sum of the smallest contributions.

    A common offset never matters to leakage and would only cost digits.
    """
    total = contributions[0] - contributions[0].min()
    for values in contributions[1:]:
        total = np.add.outer(total, values - values.min())
    return np.asarray(total, dtype=np.float64)


def needs_logarithms(table: Floats, contributions: Sequence[ArrayLike], scale: float) -> bool:
    """Tell whether products of probabilities and noise densities could underflow."""
    reach = sum(float(np.ptp(np.asarray(y, dtype=np.float64))) for y in contributions) / scale
    smallest = float(np.min(table, where=table > 0, initial=1.0))
    return bool(reach - np.log(smallest) > LARGEST_EXPONENT)


def candidates(values: Floats) -> Floats:
    """Return the sorted distinct values; values closer than 1e-12 of their range count as one."""
    ordered = np.unique(values)
    if ordered.size < 2:
        return ordered
    keep = np.concatenate(([True], np.diff(ordered) > MERGE * (ordered[-1] - ordered[0])))
    return np.asarray(ordered[keep])


def snapped(values: Floats) -> Floats:
    """Return the values with each moved to the candidate that stands for it, shape kept."""
    places = candidates(values)
    return np.asarray(places[np.searchsorted(places, values, side="right") - 1])


def number_of_values(contributions: Sequence[Floats]) -> int:
    """Return how many values the query can take, without building the table of all rows.

    Tuple by tuple: on a common lattice the list stays short however many rows there are.
    """
    values = np.zeros(1)
    for y in contributions:
        values = candidates(np.add.outer(values, y - y.min()).ravel())
    return int(values.size)
