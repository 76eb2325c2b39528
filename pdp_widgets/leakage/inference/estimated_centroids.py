"""The centroids an adversary expects for every cell the victim may be in.

The known others keep the clusters found on the full data. Their means are computed anew, a cluster without
any keeps its centroid, and the candidate, the centre of a cell, joins the nearest mean and moves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.inference.known_others import KnownOthers
from pdp_widgets.mechanisms.applications.lloyd import Clusters
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["ExpectedMeans", "expected_means", "joined_clusters"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: Cells of all victims that are looked at together.
_AT_ONCE = 1_000_000


@dataclass(frozen=True, eq=False)
class ExpectedMeans(ReadOnlyArrays):
    """Means of the clusters without the victim.

    Parameters
    ----------
    means
        Shape (victims, k, 2).
    sizes
        Known others in each cluster, shape (victims, k).

    Examples
    --------
    >>> ExpectedMeans(np.array([[[0.5, 0.5]]]), np.array([[2.0]])).chosen([0]).sizes.tolist()
    [[2.0]]
    """

    means: Floats
    sizes: Floats

    def chosen(self, rows: Any) -> ExpectedMeans:
        """Return some of the victims."""
        return ExpectedMeans(self.means[rows], self.sizes[rows])

    def parts(self, cells: int) -> Iterator[tuple[slice, ExpectedMeans]]:
        """Yield victims by the thousand, so that working arrays stay in the cache."""
        step = max(1, _AT_ONCE // cells)
        for begin in range(0, len(self.means), step):
            rows = slice(begin, begin + step)
            yield rows, ExpectedMeans(self.means[rows], self.sizes[rows])


def expected_means(points: Floats, clusters: Clusters, known: KnownOthers, victims: Any) -> ExpectedMeans:
    """Return the means of the clusters of the known others, for every victim.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.applications.lloyd import lloyd
    >>> points = np.array([[0.0, 0.0], [0.0, 0.5], [1.0, 1.0]])
    >>> clusters = lloyd(points, [[0, 0], [1, 1]])
    >>> found = expected_means(points, clusters, KnownOthers(np.array([True, True, True])), [0])
    >>> found.means.tolist(), found.sizes.tolist()
    ([[[0.0, 0.5], [1.0, 1.0]]], [[1.0, 1.0]])
    """
    at, k = np.asarray(victims, dtype=np.int64), clusters.k
    inside = clusters.assign[known.chosen]
    columns = points[known.chosen].T
    # Of nobody the sums would be integers.
    sums = np.stack([np.bincount(inside, column, k) for column in columns], axis=1).astype(np.float64)
    sizes = np.bincount(inside, minlength=k).astype(np.float64)
    all_sums, all_sizes = np.tile(sums, (len(at), 1, 1)), np.tile(sizes, (len(at), 1))
    row = np.flatnonzero(known.chosen[at])
    all_sums[row, clusters.assign[at[row]]] -= points[at[row]]
    all_sizes[row, clusters.assign[at[row]]] -= 1
    if known.spare >= 0:
        all_sums[row, clusters.assign[known.spare]] += points[known.spare]
        all_sizes[row, clusters.assign[known.spare]] += 1
    occupied = all_sizes[:, :, None] > 0
    means = np.where(occupied, all_sums / np.maximum(all_sizes, 1)[:, :, None], clusters.centroids)
    return ExpectedMeans(means, all_sizes)


def joined_clusters(expected: ExpectedMeans, middle: Floats) -> NDArray[np.int32]:
    """Return the cluster that a candidate in each cell joins, shape (victims, cells), ties to the first.

    Parameters
    ----------
    expected
        Means by victim.
    middle
        Centres of the cells along one side.

    Examples
    --------
    >>> means = np.array([[[0.0, 0.0], [1.0, 1.0]]])
    >>> joined_clusters(ExpectedMeans(means, np.ones((1, 2))), np.array([0.25, 0.75])).tolist()
    [[0, 0, 0, 1]]
    """
    victims, k = expected.sizes.shape
    squares = (expected.means[:, :, :, None] - middle) ** 2
    best = np.full((victims, len(middle), len(middle)), np.inf)
    found = np.zeros(best.shape, dtype=np.int32)
    for j in range(k):
        distance = squares[:, j, 0, :, None] + squares[:, j, 1, None, :]
        nearer = distance < best
        np.copyto(best, distance, where=nearer)
        np.copyto(found, j, where=nearer)
    return found.reshape(victims, -1)
