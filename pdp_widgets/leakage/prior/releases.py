"""Candidate releases: the values of the query at one of which the supremum is attained, and their distances.

For one number these releases are the values of the query; for several, with independent noise, all
combinations of a value of each query, because the ratio of two densities is monotone between neighbouring
values in each coordinate alone.

Where noise is narrow beside the range of the query, gaps between its values are exact. A sum of contributions
such as 1e6 and 1e-10 has lost the second, and noise of 1e-10 tells it. Contributions are taken as the decimal
numbers that they are written as, values of the query as whole numbers of a common unit; only gaps between
neighbouring values become floats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.leakage.laplace_mixture import Peak, passes, peak_of
from pdp_widgets.leakage.wide_noise import WIDE, falls

__all__ = [
    "LARGEST_EXPONENT",
    "MERGE",
    "Centres",
    "NarrowMixtures",
    "candidates",
    "centres_of",
    "is_narrow",
    "joint_centres",
    "needs_logarithms",
    "number_of_values",
    "query_values",
    "smallest_gap",
    "snapped",
]

Floats = NDArray[np.float64]

# Sums of contributions such as 0.1, 0.2, 0.3 differ in the last digit with the order of summation.
MERGE = 1e-12
#: Exponents up to this size, probabilities included, stay far from underflow (section 3.6).
LARGEST_EXPONENT = 600.0


def query_values(contributions: Sequence[Floats]) -> Floats:
    """Return f(x) for every row, measured from the sum of the smallest contributions."""
    # A common offset never matters to leakage and would only cost digits.
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
    """Return how many values the query can take, without building the table of all rows."""
    # Tuple by tuple: on a common lattice the list stays short however many rows there are.
    values = np.zeros(1)
    for y in contributions:
        values = candidates(np.add.outer(values, y - y.min()).ravel())
    return int(values.size)


class Centres:
    """Candidate releases and their distances from the rows of a table, in scales of the noise."""

    # The coordinates are the values of each query for every row, in the shape of the table. Rows that cannot
    # occur are no centres. Logarithms are for products of probabilities and densities that could underflow.

    def __init__(
        self, coordinates: Sequence[Floats], table: Floats, scale: float, *, logarithms: bool
    ) -> None:
        self._coordinates = coordinates
        self._points = [candidates(values[table > 0]) for values in coordinates]
        self._scale = scale
        self._range = sum(float(np.ptp(points)) if points.size else 0.0 for points in self._points)
        #: How far apart rows that can occur are at most, in scales of the noise.
        self.reach = self._range / scale
        self.logarithms = logarithms
        #: Whether leakages are too small for logarithms of densities, see `pdp_widgets.leakage.wide_noise`.
        self.wide = 0 < self.reach < WIDE and not logarithms

    @property
    def releases(self) -> int:
        """Number of candidate releases."""
        return prod(points.size for points in self._points)

    def distances(self, start: int, stop: int) -> Floats:
        """Return the distances of some releases, one after the other, from every row: (releases, *rows)."""
        return self._distances(start, stop, self._scale)

    def falls(self, start: int, stop: int) -> Floats:
        """Return by how much densities fall at these distances, see `pdp_widgets.leakage.wide_noise`."""
        return falls(self._distances(start, stop, self._range), self.reach)

    def _distances(self, start: int, stop: int, unit: float) -> Floats:
        chosen = np.arange(start, min(stop, self.releases))
        places = np.unravel_index(chosen, [points.size for points in self._points])
        total: Floats | None = None
        for values, points, place in zip(self._coordinates, self._points, places, strict=True):
            r = points[place].reshape(-1, *([1] * values.ndim))
            distance = np.abs(r - values[np.newaxis]) / unit
            total = distance if total is None else np.add(total, distance, out=total)
        assert total is not None  # there is at least one query
        return total


def centres_of(table: Floats, contributions: Sequence[Floats], scale: float) -> Centres:
    """Return the centres of one number."""
    logarithms = needs_logarithms(table, contributions, scale)
    return Centres([query_values(contributions)], table, scale, logarithms=logarithms)


def joint_centres(table: Floats, queries: Sequence[Sequence[Floats]], scale: float) -> Centres:
    """Return the centres of several numbers with independent noise; contributions of each of them."""
    # Together they reach as far as one query of all these tuples side by side.
    every = [values for contributions in queries for values in contributions]
    logarithms = needs_logarithms(table, every, scale)
    return Centres([query_values(one) for one in queries], table, scale, logarithms=logarithms)


Ints = NDArray[np.int64]

#: Range of the query over the scale: below, floats lose nothing that noise tells; above, they always may.
_LEAST, _MOST = 1e3, 1e9
#: Rows looked at for values that floats take for one; and rows so few that no digit need be lost.
_ROWS, _FEW_ROWS, _MOST_OF_FEW = 1 << 14, 1 << 8, 1e6
_EPSILON = float(np.finfo(np.float64).eps)
_LARGEST = float(np.finfo(np.float64).max)


def is_narrow(contributions: Sequence[Floats], scale: float) -> bool:
    """Tell whether noise is so narrow that sums of floats may lose what it tells."""
    reach = sum(float(np.ptp(y)) / scale for y in contributions)
    rows = math.prod(map(len, contributions))
    most = _MOST_OF_FEW if rows <= _FEW_ROWS else _MOST
    if not _LEAST < reach <= most:
        return reach > most
    if rows > _ROWS:
        return False
    gaps = np.diff(np.unique(query_values(contributions))) / scale
    rounding = 4 * len(contributions) * _EPSILON * reach
    return bool(((gaps > rounding) & (gaps <= MERGE * reach)).any())


def _exact_values(contributions: Sequence[Floats]) -> tuple[Ints, Floats]:
    """Return which value of the query each row has, in the shape of the table, and the gaps between them."""
    # Rows whose values differ by no more than their contributions are rounded have one value.
    decimals = [[Fraction(repr(v)) for v in np.asarray(y, dtype=np.float64).tolist()] for y in contributions]
    unit = math.lcm(*(v.denominator for y in decimals for v in y))
    steps = [np.array([int((v - min(y)) * unit) for v in y], dtype=object) for y in decimals]
    values = np.asarray(reduce(np.add.outer, steps))
    flat = values.ravel().tolist()
    order = np.array(sorted(range(len(flat)), key=flat.__getitem__))
    between = [flat[b] - flat[a] for a, b in pairwise(order.tolist())]
    gaps = np.array([min(Fraction(gap, unit), Fraction(_LARGEST)) for gap in between], dtype=np.float64)
    rounded = np.zeros(len(gaps))
    for labels, y in zip(np.indices(values.shape).reshape(values.ndim, -1), contributions, strict=True):
        size = np.abs(y)[labels[order]]
        rounded += np.where(np.diff(labels[order]) != 0, size[1:] + size[:-1], 0.0)
    new = gaps > 2 * _EPSILON * rounded
    places = np.empty(len(flat), dtype=np.int64)
    places[order] = np.concatenate([[0], np.cumsum(new)])
    return places.reshape(values.shape), gaps[new]


def smallest_gap(contributions: Sequence[Floats]) -> float:
    """Return the smallest gap between two values of the query; infinity where it has one."""
    if math.prod(map(len, contributions)) <= _ROWS:
        return float(_exact_values(contributions)[1].min(initial=np.inf))
    # Tuple by tuple: on a common lattice the list stays short however many rows there are.
    values = np.zeros(1)
    for y in contributions:
        values = candidates(np.add.outer(values, y - y.min()).ravel())
    return float(np.diff(values).min(initial=np.inf))


@dataclass(frozen=True, eq=False)
class NarrowMixtures:
    """What is released for each label that can occur, by values of the query."""

    #: Log probability of each value for each label, shape (labels, values).
    log_weights: Floats
    #: Between neighbouring values, in units of the query.
    gaps: Floats

    @classmethod
    def of(cls, contributions: Sequence[Floats], weights: Floats, target: int) -> NarrowMixtures:
        """Return the mixtures of the labels of one tuple, from the probabilities of all rows."""
        places, gaps = _exact_values(contributions)
        rows = np.moveaxis(weights, target, 0).reshape(weights.shape[target], -1)
        at = np.moveaxis(places, target, 0).reshape(rows.shape)
        found = []
        for row, place in zip(rows, at, strict=True):
            if row.any():
                mass = np.bincount(place, row / row.max(), len(gaps) + 1)
                with np.errstate(divide="ignore"):
                    found.append(np.log(mass) - np.log(mass.sum()))
        logs = np.array(found)
        # Values that no row has are passed over: what lies between is one gap.
        seen = np.flatnonzero((logs > -np.inf).any(axis=0))
        joined = [float(math.fsum(gaps[a:b])) for a, b in pairwise(seen.tolist())]
        return cls(logs[:, seen], np.array(joined))

    def largest(self, scale: float) -> Peak:
        """Return the largest log ratio of two labels; ``r`` is the number of the value that reaches it."""
        with np.errstate(over="ignore"):
            steps = np.minimum(self.gaps / scale, _LARGEST / (4 * self.gaps.size + 4))
        logs = np.stack([passes(own, steps) for own in self.log_weights])
        return peak_of(np.arange(logs.shape[1], dtype=np.float64), logs)
