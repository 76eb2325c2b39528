"""What an adversary believes about a place after noisy centroids were released."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.inference.estimated_centroids import ExpectedMeans, joined_clusters
from pdp_widgets.leakage.inference.grid import as_cells_a_side
from pdp_widgets.models.given_sizes import as_not_negative

__all__ = ["log_likelihoods", "log_posteriors", "normalised_logs"]

Floats = NDArray[np.float64]
Joined = NDArray[np.integer[Any]]
#: Scales below it count as this one.
_LEAST = 1e-290


def log_likelihoods(
    expected: ExpectedMeans, noisy: Any, scale: float, grid: int, joined: Joined | None = None
) -> Floats:
    """Return the log likelihood of released centroids for every cell the victim may be in (Eq. 6).

    Parameters
    ----------
    expected
        Means of the known others by victim.
    noisy
        The released centroids, shape (k, 2); or one release for each row of ``expected``.
    scale
        Of the Laplace noise of every coordinate. At 0 no cell moves anything, and all are alike.
    grid
        Cells a side.
    joined
        What `joined_clusters` returns, where it is known: it is the same for every release.

    Returns
    -------
    array
        Shape (victims, cells); a constant that is common to all cells of a victim is left out.

    Examples
    --------
    >>> expected = ExpectedMeans(np.array([[[0.5, 0.5]]]), np.array([[1.0]]))
    >>> log_likelihoods(expected, [[0.5, 0.5]], 0.25, 2).tolist()
    [[-1.0, -1.0, -1.0, -1.0]]
    """
    side, given = as_cells_a_side(grid), np.asarray(noisy, dtype=np.float64)
    due = expected.means.shape
    if given.shape not in (due, due[1:]) or not np.isfinite(given).all():
        raise DomainError(
            f"The centroids have shape {given.shape}; {due[1:]} is due, all numbers finite.",
            Where("parameter", name="noisy"),
        )
    released = np.broadcast_to(given, due)
    sigma = as_not_negative(scale, "scale")
    found = np.zeros((len(expected.means), side**2))
    if sigma == 0:
        return found
    middle = (np.arange(side) + 0.5) / side
    for rows, part in expected.parts(side**2):
        # So small a scale is the limit of none: quotients stay finite.
        into = joined_clusters(part, middle) if joined is None else joined[rows]
        found[rows] = _part(part, released[rows], middle, into) / -max(sigma, _LEAST)
    return found


def _part(expected: ExpectedMeans, noisy: Floats, middle: Floats, joined: Joined) -> Floats:
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
    """Return logarithms of the beliefs after the release, one row for each victim.

    A cell with prior probability 0 keeps it, as minus infinity.

    Examples
    --------
    >>> found = log_posteriors(np.array([[0.5, 0.5, 0.0]]), np.array([[0.0, -np.log(3), 0.0]]))
    >>> np.exp(found).round(2).tolist()
    [[0.75, 0.25, 0.0]]
    """
    with np.errstate(divide="ignore"):
        return normalised_logs(np.log(priors), likelihoods)


def normalised_logs(logs: Floats, likelihoods: Floats) -> Floats:
    """Return what `log_posteriors` does, from logarithms of the priors.

    Examples
    --------
    >>> np.exp(normalised_logs(np.log([[0.5, 0.5]]), np.log([[0.2, 0.6]]))).round(2).tolist()
    [[0.25, 0.75]]
    """
    found = logs + likelihoods
    found -= found.max(axis=1, keepdims=True)
    found -= np.log(np.exp(found).sum(axis=1, keepdims=True))
    return found
