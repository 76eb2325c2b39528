"""What an adversary expects of noisy centroids, and believes after seeing them.

The known others keep the clusters found on the full data. Their means are computed anew, a cluster without
any keeps its centroid, and the candidate, the centre of a cell, joins the nearest mean and moves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import NOT_NEGATIVE
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.inference.grid import as_cells_a_side
from pdp_widgets.leakage.inference.location_prior import KnownOthers
from pdp_widgets.mechanisms.applications.clustering import Clusters
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import as_choice

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: Cells of all victims that are looked at together.
_AT_ONCE = 1_000_000


@dataclass(frozen=True, eq=False)
class ExpectedMeans(ReadOnlyArrays):
    """Means of the clusters without the victim."""

    means: Floats  # shape (victims, k, 2)
    sizes: Floats  # known others in each cluster, shape (victims, k)

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
    """Return the means of the clusters of the known others, for every victim."""
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
    """Return the cluster that a candidate in each cell joins, shape (victims, cells), ties to the first."""
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


#: Only the last is a guarantee for every data set.
Sensitivity: TypeAlias = Literal["unit", "local", "fixed_bound", "worst_case"]


def as_sensitivity(value: Any) -> Sensitivity:
    """Return the name of a reading, or raise DomainError."""
    names: tuple[Sensitivity, ...] = get_args(Sensitivity)
    return as_choice(value, "sensitivity", names)


def worst_case(k: int, q: int = 1) -> float:
    """Return the sensitivity that holds for every data set: every centroid may cross the whole square."""
    return float(2 * q * k)


def fixed_bound(sizes: Any, q: int = 1) -> float:
    """Return 2q (1/(n1 + 1) + 1/(n2 + 1)) with n1 and n2 the sizes of the two smallest clusters."""
    # It depends on the data and is no guarantee: a victim in a small cluster leaves fewer others than its
    # size says, and can move the centroids by more.
    smallest = np.sort(np.asarray(sizes, dtype=float))[:2]
    return float(2 * q * (1 / (smallest + 1)).sum())


def local_sensitivity(expected: ExpectedMeans, grid: int) -> Floats:
    """Return by how much the centroids differ at most between two cells a victim may be in, by victim."""
    # The distance is L1 over all coordinates of the centroids that the adversary expects. It depends on the
    # data and is no guarantee.
    side = as_cells_a_side(grid)
    middle = (np.arange(side) + 0.5) / side
    found = np.zeros(len(expected.means))
    for rows, part in expected.parts(side**2):
        found[rows] = _most_moved(part, middle)
    return found


def _most_moved(expected: ExpectedMeans, middle: Floats) -> Floats:
    cluster = joined_clusters(expected, middle)
    side = len(middle)
    north, east = np.repeat(middle, side), np.tile(middle, side)
    victims, k = expected.sizes.shape
    within, leaving = np.zeros((victims, k)), np.zeros((victims, k))
    away = np.abs(expected.means[:, :, :, None] - middle)
    for j in range(k):
        here = cluster == j
        some = here.any(axis=1)
        # In the plane the L1 diameter is the larger extent along the two diagonals.
        spans = [
            np.where(here, axis, -2.0).max(axis=1) - np.where(here, axis, 2.0).min(axis=1)
            for axis in (north + east, north - east)
        ]
        within[:, j] = np.where(some, np.maximum(*spans), 0.0)
        far = (away[:, j, 0, :, None] + away[:, j, 1, None, :]).reshape(victims, -1)
        leaving[:, j] = np.where(here, far, -np.inf).max(axis=1)
    within /= expected.sizes + 1
    leaving /= expected.sizes + 1
    # Two candidates in different clusters move both; minus infinity where no two clusters have candidates.
    across = np.sort(leaving, axis=1)[:, -2:].sum(axis=1) if k > 1 else np.full(victims, -np.inf)
    found: Floats = np.maximum(within.max(axis=1), across)
    return found


Joined = NDArray[np.integer[Any]]
#: Scales below it count as this one.
_LEAST = 1e-290


def log_likelihoods(
    expected: ExpectedMeans, noisy: Any, scale: float, grid: int, joined: Joined | None = None
) -> Floats:
    """Return the log likelihood of released centroids for every cell the victim may be in (Eq. 6)."""
    side, given = as_cells_a_side(grid), np.asarray(noisy, dtype=np.float64)
    due = expected.means.shape
    if given.shape not in (due, due[1:]) or not np.isfinite(given).all():
        raise DomainError(
            f"The centroids have shape {given.shape}; {due[1:]} is due, all numbers finite.",
            Where("parameter", name="noisy"),
        )
    released = np.broadcast_to(given, due)
    sigma = NOT_NEGATIVE.take(scale, "scale")
    found = np.zeros((len(expected.means), side**2))
    # Without noise no cell moves anything, and all are alike.
    if sigma == 0:
        return found
    middle = (np.arange(side) + 0.5) / side
    for rows, part in expected.parts(side**2):
        # So small a scale is the limit of none: quotients stay finite.
        into = joined_clusters(part, middle) if joined is None else joined[rows]
        found[rows] = _distances(part, released[rows], middle, into) / -max(sigma, _LEAST)
    return found


def _distances(expected: ExpectedMeans, noisy: Floats, middle: Floats, joined: Joined) -> Floats:
    """Return the L1 distance of the released centroids from those expected for every cell."""
    resting = np.abs(expected.means - noisy).sum(axis=2)
    total = resting.sum(axis=1)
    sizes = expected.sizes[:, :, None]
    # The coordinate of a moved mean depends on the same coordinate of the candidate alone.
    moved = [
        np.abs((sizes * expected.means[:, :, axis, None] + middle) / (sizes + 1) - noisy[:, :, axis, None])
        for axis in range(2)
    ]
    side, k = len(middle), expected.sizes.shape[1]
    others = total[:, None] - resting
    # Looked up where each cell's cluster stands: a pass over all cells for each cluster takes far longer.
    place = joined.reshape(-1, side, side) + np.arange(0, resting.size, k)[:, None, None]
    row = place * side
    found: Floats = moved[0].ravel()[row + np.arange(side)[:, None]]
    row += np.arange(side)
    found += moved[1].ravel()[row]
    found += others.ravel()[place]
    return found.reshape(len(total), -1)


def log_posteriors(priors: Floats, likelihoods: Floats) -> Floats:
    """Return logarithms of the beliefs after the release, one row for each victim."""
    # A cell with prior probability 0 keeps it, as minus infinity.
    with np.errstate(divide="ignore"):
        return normalised_logs(np.log(priors), likelihoods)


def normalised_logs(logs: Floats, likelihoods: Floats) -> Floats:
    """Return what `log_posteriors` does, from logarithms of the priors."""
    found = logs + likelihoods
    found -= found.max(axis=1, keepdims=True)
    found -= np.log(np.exp(found).sum(axis=1, keepdims=True))
    return found
