"""Clusters of points: Lloyd, an affinity graph of friends, and private clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import NOT_NEGATIVE, Whole, as_size
from pdp_widgets.core.converters import as_generator, plain_numbers, refuse_masked
from pdp_widgets.errors import DomainError, LimitError, ScaleError, TableError, Where
from pdp_widgets.models.friendships import Friendships
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import as_choice

__all__ = [
    "Clusters",
    "PrivateClustering",
    "affinity_graph",
    "as_points",
    "clustering_accuracy",
    "k_means",
    "lloyd",
    "nearest",
    "private_clustering",
    "similarities",
    "starting_points",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_MOST_ROUNDS = 100
#: Sums and differences of as many points as fit are still finite.
_LARGEST = 1e300


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
    """Return points as rows of finite numbers, one or more, or raise TableError."""
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
    wrong = ~(np.abs(found) <= _LARGEST).all(axis=1)
    if wrong.any():
        raise TableError(
            f"Row {int(np.argmax(wrong))} of the {name} has a number that is not finite, or is too large.",
            where,
        )
    return found


def nearest(points: Floats, centroids: Floats) -> Integers:
    """Return the nearest centroid of every point, the first of several as near."""
    found: Integers = _distances(points, centroids).argmin(axis=1).astype(np.int64)
    return found


def _distances(points: Floats, centroids: Floats) -> Floats:
    """Return squared distances; from differences, for ties must be ties."""
    # Squares would overflow: measure in units of the largest number.
    top = max(float(np.abs(points).max()), float(np.abs(centroids).max()))
    if top > 1e150:
        points, centroids = points / top, centroids / top
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
    with np.errstate(over="ignore"):
        inertia = float(((rows - centroids[assign]) ** 2).sum())
    return Clusters(centroids, assign, inertia, rounds)


def _check_count(k: Any, points: int) -> None:
    accepted = f"it is a whole number from 1 to {points:,}, the number of points"
    Whole(accepted, 1, points).take(k, "clusters", DomainError, "The number of clusters")


def _means(points: Floats, assign: Integers, centroids: Floats) -> Floats:
    k = len(centroids)
    sizes = np.bincount(assign, minlength=k)
    sums = np.stack([np.bincount(assign, column, k) for column in points.T], axis=1)
    return np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], centroids)


def starting_points(points: Any, k: int, rng: np.random.Generator | int | None = None) -> Floats:
    """Return starting centroids drawn as in k-means++: far points are likelier."""
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


_MOST = 10_000


def similarities(rows: Any, kind: Literal["cosine", "printed"] = "cosine") -> Floats:
    """Return the similarity of every pair of records."""
    found = as_points(rows, "rows")
    if len(found) > _MOST:
        raise LimitError(
            f"There are {len(found):,} records; similarities of at most {_MOST:,} are computed.",
            Where("parameter", name="rows"),
        )
    # Lengths are products of records: their largest number must not overflow.
    found = found / max(float(np.abs(found).max()), np.finfo(float).tiny)
    if as_choice(kind, "kind", ("cosine", "printed"), noun="similarity") == "cosine":
        lengths = np.sqrt((found**2).sum(axis=1))
    else:
        lengths = np.abs(found).sum(axis=1)
    # A record of zeros is like none, itself included.
    scaled = found / np.where(lengths > 0, lengths, 1.0)[:, None]
    return np.abs(scaled @ scaled.T)


def affinity_graph(
    rows: Any, threshold: float = 0.8, kind: Literal["cosine", "printed"] = "cosine"
) -> Friendships:
    """Return the pairs of records whose similarity is above a threshold.

    Parameters
    ----------
    rows, kind
        As for `similarities`.
    threshold
        Pairs above it, not at it, are joined.

    Examples
    --------
    >>> affinity_graph([[1, 1], [2, 2], [1, -1]]).edges.tolist()
    [[0, 1]]
    """
    level = NOT_NEGATIVE.take(threshold, "threshold")
    above = np.triu(similarities(rows, kind) > level, 1)
    return Friendships(np.argwhere(above))


@dataclass(frozen=True, eq=False)
class PrivateClustering(ReadOnlyArrays):
    """How well noisy centroids serve points that were not used to find them.

    Parameters
    ----------
    centroids
        Without noise, from four fifths of the points (read-only).
    scale
        Of the Laplace noise of every coordinate.
    accuracies
        For each draw of noise the share of the other points whose nearest noisy centroid is that of the
        nearest one without noise (read-only).
    chance
        The largest share of the other points in one cluster: about what is reached without looking.

    Examples
    --------
    >>> points = [[x, 0.0] for x in (0, 0.1, 0.2, 0.3, 0.4, 5, 5.1, 5.2, 5.3, 5.4)]
    >>> private_clustering(points, 2, scale=0.01, rng=1).accuracy
    1.0
    """

    centroids: Floats
    scale: float
    accuracies: Floats
    chance: float

    @property
    def accuracy(self) -> float:
        """The mean share over draws of noise."""
        return float(self.accuracies.mean())

    @property
    def standard_error(self) -> float:
        """Standard error of the mean over draws of noise; NaN for one draw."""
        n = len(self.accuracies)
        return float(self.accuracies.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrivateClustering):
            return NotImplemented
        return (
            self.scale == other.scale
            and self.chance == other.chance
            and np.array_equal(self.centroids, other.centroids)
            and np.array_equal(self.accuracies, other.accuracies)
        )

    def __hash__(self) -> int:
        return hash((self.scale, self.chance, self.accuracies.tobytes()))


def clustering_accuracy(clean: Any, noisy: Any, test: Any) -> float:
    """Return the share of points whose nearest noisy centroid has the place of the nearest clean one.

    Parameters
    ----------
    clean, noisy
        As many centroids, in the same order.
    test
        Points; of centroids as near the first counts.

    Examples
    --------
    >>> clustering_accuracy([[0.0], [1.0]], [[0.4], [1.0]], [[0.0], [0.6], [1.0]])
    0.6666666666666666
    """
    one, other, rows = as_points(clean, "centroids"), as_points(noisy, "centroids"), as_points(test)
    if one.shape != other.shape or one.shape[1] != rows.shape[1]:
        raise TableError(
            f"Centroids of shape {one.shape} and {other.shape} and points of shape {rows.shape} do not fit "
            "together.",
            Where("parameter", name="noisy"),
        )
    return float((nearest(rows, one) == nearest(rows, other)).mean())


def private_clustering(
    points: Any,
    clusters: int,
    scale: float,
    repeats: int = 50,
    rng: np.random.Generator | int | None = None,
) -> PrivateClustering:
    """Return how well noisy centroids serve points that were not used to find them.

    Parameters
    ----------
    points
        Rows of coordinates, five or more.
    clusters
        Number of centroids.
    scale
        Of the Laplace noise of every coordinate: that of the mechanism, such as the sensitivity of the
        centroids over the budget.
    repeats
        Draws of noise.
    rng
        Generator or seed: of the split, the clusters and the noise. Without it fresh randomness.

    Examples
    --------
    >>> rng = np.random.default_rng(5)
    >>> points = np.concatenate([rng.normal(at, 0.05, (50, 2)) for at in (0.2, 0.8)])
    >>> found = [private_clustering(points, 2, scale, rng=1).accuracy for scale in (0.02, 5.0)]
    >>> found[0] > 0.99 > found[1]
    True
    """
    rows, generator = as_points(points), as_generator(rng)
    if len(rows) < 5:
        raise TableError(
            f"There are {len(rows)} points; four fifths and a rest need five.",
            Where("parameter", name="points"),
        )
    sigma, many = NOT_NEGATIVE.take(scale, "scale", ScaleError), as_size(repeats, "repeats", 1, 100_000)
    order = generator.permutation(len(rows))
    fitted = len(rows) * 4 // 5
    found, test = k_means(rows[order[:fitted]], clusters, generator), rows[order[fitted:]]
    own = nearest(test, found.centroids)
    # Beyond this the noise alone decides, and sums would overflow.
    noise = min(sigma, 1e290) * generator.laplace(size=(many, *found.centroids.shape))
    accuracies = np.array([(own == nearest(test, found.centroids + one)).mean() for one in noise])
    return PrivateClustering(found.centroids, sigma, accuracies, float(np.bincount(own).max() / len(own)))
