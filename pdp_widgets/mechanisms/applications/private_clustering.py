"""Clusters whose centroids are released with noise: how many points still find theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import ScaleError, TableError, Where
from pdp_widgets.mechanisms.applications.lloyd import as_points, k_means, nearest
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.models.given_numbers import as_generator
from pdp_widgets.models.given_sizes import as_not_negative
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["PrivateClustering", "clustering_accuracy", "private_clustering"]

Floats = NDArray[np.float64]


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
    sigma, many = as_not_negative(scale, "scale", ScaleError), as_size(repeats, "repeats", 1)
    order = generator.permutation(len(rows))
    fitted = len(rows) * 4 // 5
    found, test = k_means(rows[order[:fitted]], clusters, generator), rows[order[fitted:]]
    own = nearest(test, found.centroids)
    noise = sigma * generator.laplace(size=(many, *found.centroids.shape))
    accuracies = np.array([(own == nearest(test, found.centroids + one)).mean() for one in noise])
    return PrivateClustering(found.centroids, sigma, accuracies, float(np.bincount(own).max() / len(own)))
