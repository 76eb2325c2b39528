"""What an adversary believes about a place before any release: from all known users, or from friends most."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.inference.grid import as_cells_a_side, as_unit_points, cells_of
from pdp_widgets.leakage.inference.known_others import KnownOthers
from pdp_widgets.models.given_sizes import as_not_negative, as_positive

__all__ = ["as_smoothing", "cell_counts", "independent_priors", "near_friends", "weighted_priors"]

Floats = NDArray[np.float64]
#: From here on weights are taken by their ratio, and more is not smoothed.
_HUGE = 1e100
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def cell_counts(points: Any, grid: int, known: KnownOthers, victims: Any) -> Floats:
    """Return how many known users are in each cell, one row for each victim.

    Examples
    --------
    >>> points = [[0.1, 0.1], [0.2, 0.2], [0.9, 0.9]]
    >>> known = KnownOthers(np.array([True, True, True]))
    >>> cell_counts(points, 2, known, [0, 2]).tolist()
    [[1.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, 0.0]]
    """
    cells, at = cells_of(points, grid), np.asarray(victims, dtype=np.int64)
    common = np.bincount(cells[known.chosen], minlength=grid**2).astype(np.float64)
    found = np.tile(common, (len(at), 1))
    row = np.flatnonzero(known.chosen[at])
    found[row, cells[at[row]]] -= 1
    if known.spare >= 0:
        found[row, cells[known.spare]] += 1
    return found


def near_friends(
    points: Any, edges: Integers, grid: int, known: KnownOthers, victims: Any, radius: float
) -> Flags:
    """Tell for each victim and cell whether the centre of the cell is within reach of a known friend.

    Parameters
    ----------
    points
        Points of the unit square, one for each user.
    edges
        Friendships as positions, shape (m, 2).
    grid
        Cells a side.
    known
        Who is known.
    victims
        Positions.
    radius
        Euclidean distance in the unit square up to which a cell counts as near.

    Examples
    --------
    >>> points = [[0.1, 0.1], [0.2, 0.2], [0.9, 0.9]]
    >>> known = KnownOthers(np.array([True, True, True]))
    >>> near_friends(points, np.array([[0, 1]]), 2, known, [0, 1, 2], 0.1).tolist()
    [[True, False, False, False], [False, False, False, False], [False, False, False, False]]
    """
    side, where = as_cells_a_side(grid), as_unit_points(points)
    reach, at = as_not_negative(radius, "radius"), np.asarray(victims, dtype=np.int64)
    found = np.zeros((len(at), side**2), dtype=bool)
    row_of = np.full(len(where), -1, dtype=np.int64)
    row_of[at] = np.arange(len(at))
    both = np.concatenate([edges, edges[:, ::-1]])
    victim, friend = both[row_of[both[:, 0]] >= 0].T
    seen = known.chosen[friend] | ((friend == known.spare) & known.chosen[victim])
    row, friend = row_of[victim[seen]], friend[seen]
    if not len(row):
        return found
    users, position = np.unique(friend, return_inverse=True)
    middle = (np.arange(side) + 0.5) / side
    squares = (where[users][:, :, None] - middle) ** 2
    near = np.sqrt(squares[:, 0, :, None] + squares[:, 1, None, :]) <= reach
    near = near.reshape(len(users), -1)
    order = np.argsort(row, kind="stable")
    rows, begins = np.unique(row[order], return_index=True)
    found[rows] = np.logical_or.reduceat(near[position[order]], begins, axis=0)
    return found


def as_smoothing(smoothing: Any) -> float:
    """Return what is added to every count, or raise BudgetError.

    Examples
    --------
    >>> as_smoothing(1)
    1.0
    """
    accepted = f"a number, 0 to {_HUGE:g}"
    found = as_not_negative(smoothing, "smoothing", BudgetError, accepted)
    if found > _HUGE:
        # More makes no difference to any belief, and sums of it would be no numbers.
        raise BudgetError(
            f"smoothing is {found:.12g}; it must be {accepted}.", Where("parameter", name="smoothing")
        )
    return found


def independent_priors(counts: Floats, smoothing: float = 0.0) -> Floats:
    """Return beliefs from how many known users are in each cell (Eq. 8); without any all cells are alike.

    Parameters
    ----------
    counts
        One row for each victim.
    smoothing
        Added to every count: a cell without a known user has probability 0 otherwise, and is never inferred.

    Examples
    --------
    >>> independent_priors(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()
    [[0.25, 0.75], [0.5, 0.5]]
    """
    return _normalised(counts + as_smoothing(smoothing), np.ones_like(counts))


def weighted_priors(counts: Floats, near: Flags, weight: float = 10.0, smoothing: float = 0.0) -> Floats:
    """Return beliefs in which cells near a friend count more (Eq. 9).

    Parameters
    ----------
    counts
        How many known users are in each cell, one row for each victim.
    near
        Whether the cell is near a known friend.
    weight
        How often such a cell counts; the paper leaves it open.
    smoothing
        Added to every count.

    Examples
    --------
    >>> weighted_priors(np.array([[1.0, 1.0]]), np.array([[True, False]]), weight=3).tolist()
    [[0.75, 0.25]]
    """
    heavy = as_positive(weight, "weight")
    # Only the ratio counts, and sums of huge weights would be no numbers.
    weights = np.where(near, heavy, 1.0) if heavy < _HUGE else np.where(near, 1.0, 1.0 / heavy)
    return _normalised(weights * (counts + as_smoothing(smoothing)), weights)


def _normalised(values: Floats, otherwise: Floats) -> Floats:
    totals = values.sum(axis=1, keepdims=True)
    empty = totals == 0
    chosen = np.where(empty, otherwise, values)
    found: Floats = chosen / np.where(empty, otherwise.sum(axis=1, keepdims=True), totals)
    return found
