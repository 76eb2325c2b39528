"""Centres of the noise: how far every row of a table is from every release that may attain the supremum.

For one number these releases are the values of the query; for several, with independent noise, all
combinations of a value of each query, because the ratio of two densities is monotone between neighbouring
values in each coordinate alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.prior.releases import candidates, needs_logarithms, query_values
from pdp_widgets.leakage.wide_noise import WIDE, falls

__all__ = ["Centres", "centres_of", "joint_centres"]

Floats = NDArray[np.float64]


class Centres:
    """Candidate releases and their distances from the rows of a table, in scales of the noise.

    Parameters
    ----------
    coordinates
        The value of each query for every row, all in the shape of the table.
    table
        Probabilities; rows that cannot occur are no centres.
    scale
        Noise scale of every number.
    logarithms
        Whether products of probabilities and noise densities could underflow.

    Examples
    --------
    >>> table, counts = np.array([0.5, 0.5]), [np.array([0.0, 1]), np.array([1.0, 0])]
    >>> Centres(counts, table, 2.0, logarithms=False).distances(0, 4).tolist()
    [[0.5, 0.5], [0.0, 1.0], [1.0, 0.0], [0.5, 0.5]]
    """

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
