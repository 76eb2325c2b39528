"""By how much one user can move released cluster centroids, in four readings; the paper gives none."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.inference.estimated_centroids import ExpectedMeans, joined_clusters
from pdp_widgets.leakage.inference.grid import as_cells_a_side
from pdp_widgets.models.labels import shown

__all__ = ["Sensitivity", "as_sensitivity", "fixed_bound", "local_sensitivity", "worst_case"]

Floats = NDArray[np.float64]
#: Only the last is a guarantee for every data set.
Sensitivity: TypeAlias = Literal["unit", "local", "fixed_bound", "worst_case"]


def as_sensitivity(value: Any) -> Sensitivity:
    """Return the name of a reading, or raise DomainError.

    Examples
    --------
    >>> as_sensitivity("local")
    'local'
    """
    for name in get_args(Sensitivity):
        if isinstance(value, str) and value == name:
            found: Sensitivity = name
            return found
    raise DomainError(
        f"The sensitivity is {shown(value)}; it is 'unit', 'local', 'fixed_bound' or 'worst_case'.",
        Where("parameter", name="sensitivity"),
    )


def worst_case(k: int, q: int = 1) -> float:
    """Return the sensitivity that holds for every data set: every centroid may cross the whole square.

    Parameters
    ----------
    k
        Number of centroids.
    q
        Places of a user; a centroid has 2q coordinates from 0 to 1.

    Examples
    --------
    >>> worst_case(8)
    16.0
    """
    return float(2 * q * k)


def fixed_bound(sizes: Any, q: int = 1) -> float:
    """Return 2q (1/(n1 + 1) + 1/(n2 + 1)) with n1 and n2 the sizes of the two smallest clusters.

    It depends on the data and is no guarantee: a victim in a small cluster leaves fewer others than its size
    says, and can move the centroids by more.

    Parameters
    ----------
    sizes
        Users of every cluster. A single cluster counts once.
    q
        Places of a user.

    Examples
    --------
    >>> fixed_bound([4, 9, 3])
    0.9
    """
    smallest = np.sort(np.asarray(sizes, dtype=float))[:2]
    return float(2 * q * (1 / (smallest + 1)).sum())


def local_sensitivity(expected: ExpectedMeans, grid: int) -> Floats:
    """Return by how much the centroids differ at most between two cells a victim may be in, by victim.

    The distance is L1 over all coordinates of the centroids that the adversary expects. It depends on the
    data and is no guarantee.

    Parameters
    ----------
    expected
        Means of the known others by victim.
    grid
        Cells a side.

    Examples
    --------
    >>> expected = ExpectedMeans(np.array([[[0.5, 0.5]]]), np.array([[1.0]]))
    >>> local_sensitivity(expected, 2).tolist()
    [0.5]
    """
    side = as_cells_a_side(grid)
    middle = (np.arange(side) + 0.5) / side
    found = np.zeros(len(expected.means))
    for rows, part in expected.parts(side**2):
        found[rows] = _part(part, middle)
    return found


def _part(expected: ExpectedMeans, middle: Floats) -> Floats:
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
