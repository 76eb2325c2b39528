"""Clusters of points: Lloyd's rounds from given centroids, and starting points drawn as in k-means++."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.given_numbers import as_generator, is_whole, plain_numbers, refuse_masked
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown

__all__ = ["Clusters", "as_points", "k_means", "lloyd", "nearest", "starting_points"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_MOST_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class Clusters(ReadOnlyArrays):
    """Centroids and the cluster of every point.

    Parameters
    ----------
    centroids
        Shape (k, dimensions).
    assign
        Cluster of every point.
    inertia
        Sum of squared distances to the own centroid.
    rounds
        How often the centroids were moved.

    Examples
    --------
    >>> found = lloyd([[0, 0], [0, 0.5], [4, 4]], [[0, 0], [4, 4]])
    >>> found.centroids.tolist(), found.assign.tolist(), found.sizes.tolist()
    ([[0.0, 0.25], [4.0, 4.0]], [0, 0, 1], [2, 1])
    """

    centroids: Floats
    assign: Integers
    inertia: float
    rounds: int

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.centroids)

    @property
    def sizes(self) -> Integers:
        """Points of every cluster."""
        return np.bincount(self.assign, minlength=self.k)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clusters):
            return NotImplemented
        return (
            self.inertia == other.inertia
            and self.rounds == other.rounds
            and np.array_equal(self.assign, other.assign)
            and np.array_equal(self.centroids, other.centroids)
        )

    def __hash__(self) -> int:
        return hash((self.inertia, self.rounds, self.assign.tobytes()))


def as_points(points: Any, name: str = "points") -> Floats:
    """Return points as rows of finite numbers, one or more, or raise TableError.

    Examples
    --------
    >>> as_points([[1, 2]]).tolist()
    [[1.0, 2.0]]
    """
    where = Where("parameter", name=name)
    refuse_masked(points, name)
    try:
        found = plain_numbers(points)
    except (TypeError, ValueError, OverflowError):
        raise TableError(f"The {name} hold something that is no number.", where) from None
    if found.ndim != 2 or not found.size:
        raise TableError(
            f"The {name} have shape {found.shape}; give rows of coordinates, at least one.", where
        )
    if not np.isfinite(found).all():
        row = int(np.argmax(~np.isfinite(found).all(axis=1)))
        raise TableError(f"Row {row} of the {name} has a number that is not finite.", where)
    return found


def nearest(points: Floats, centroids: Floats) -> Integers:
    """Return the nearest centroid of every point, the first of several as near.

    Examples
    --------
    >>> nearest(np.array([[0.5]]), np.array([[1.0], [0.0]])).tolist()
    [0]
    """
    found: Integers = _distances(points, centroids).argmin(axis=1).astype(np.int64)
    return found


def _distances(points: Floats, centroids: Floats) -> Floats:
    """Return squared distances; from differences, for ties must be ties."""
    found = np.empty((len(points), len(centroids)))
    for j, centroid in enumerate(centroids):
        found[:, j] = ((points - centroid) ** 2).sum(axis=1)
    return found


def lloyd(points: Any, init: Any) -> Clusters:
    """Return clusters from given starting centroids.

    Parameters
    ----------
    points
        Rows of coordinates; the same point may occur more than once.
    init
        Starting centroids.

    Raises
    ------
    TableError
        The points or centroids are no rows of finite numbers of equal length.
    DomainError
        There are more centroids than points.

    Notes
    -----
    Squared Euclidean distance; ties go to the first centroid, an empty cluster keeps its centroid. It ends
    when no point changes its cluster, or after 100 rounds.

    Examples
    --------
    >>> lloyd([[0.0], [1.0], [9.0]], [[0.0], [5.0]]).centroids.tolist()
    [[0.5], [9.0]]
    """
    rows, centroids = as_points(points), as_points(init, "centroids")
    if rows.shape[1] != centroids.shape[1]:
        raise TableError(
            f"A centroid has {centroids.shape[1]} coordinates and a point {rows.shape[1]}.",
            Where("parameter", name="init"),
        )
    _check_count(len(centroids), len(rows))
    assign = nearest(rows, centroids)
    rounds = 0
    while rounds < _MOST_ROUNDS:
        centroids = _means(rows, assign, centroids)
        rounds += 1
        again = nearest(rows, centroids)
        if np.array_equal(again, assign):
            break
        assign = again
    inertia = float(((rows - centroids[assign]) ** 2).sum())
    return Clusters(centroids, assign, inertia, rounds)


def _check_count(k: Any, points: int) -> None:
    if not is_whole(k) or not 1 <= k <= points:
        raise DomainError(
            f"The number of clusters is {shown(k)}; it is a whole number from 1 to {points:,}, the number of "
            "points.",
            Where("parameter", name="clusters"),
        )


def _means(points: Floats, assign: Integers, centroids: Floats) -> Floats:
    k = len(centroids)
    sizes = np.bincount(assign, minlength=k)
    sums = np.stack([np.bincount(assign, column, k) for column in points.T], axis=1)
    return np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], centroids)


def starting_points(points: Any, k: int, rng: np.random.Generator | int | None = None) -> Floats:
    """Return starting centroids drawn as in k-means++: far points are likelier.

    Parameters
    ----------
    points
        Rows of coordinates.
    k
        Number of centroids.
    rng
        Generator or seed; without it fresh randomness.

    Examples
    --------
    >>> sorted(starting_points([[0.0], [0.0], [7.0]], 2, rng=1).ravel().tolist())
    [0.0, 7.0]
    """
    rows, generator = as_points(points), as_generator(rng)
    _check_count(k, len(rows))
    chosen = [int(generator.integers(len(rows)))]
    far = _distances(rows, rows[chosen]).ravel()
    while len(chosen) < k:
        total = float(far.sum())
        # With copies of few points there may be no point left that is no centroid.
        weights = far / total if total > 0 else np.full(len(rows), 1 / len(rows))
        chosen.append(int(generator.choice(len(rows), p=weights)))
        far = np.minimum(far, _distances(rows, rows[chosen[-1:]]).ravel())
    return rows[chosen]


def k_means(points: Any, k: int, rng: np.random.Generator | int | None = None) -> Clusters:
    """Return clusters from starting points drawn as in k-means++.

    Parameters
    ----------
    points
        Rows of coordinates.
    k
        Number of clusters, at most the number of points.
    rng
        Generator or seed; without it fresh randomness.

    Raises
    ------
    DomainError
        There are more clusters than points.

    Examples
    --------
    >>> found = k_means([[0.0], [0.2], [5.0], [5.2]], 2, rng=3)
    >>> sorted(found.centroids.ravel().round(1).tolist())
    [0.1, 5.1]
    """
    return lloyd(points, starting_points(points, k, rng))
