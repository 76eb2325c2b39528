"""What an adversary believes before the release: who is known, cells of others, and friends nearby."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import NOT_NEGATIVE, POSITIVE, Kind
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_generator
from pdp_widgets.errors import AdversaryError, Where
from pdp_widgets.leakage.inference.attack_score import entropies
from pdp_widgets.leakage.inference.grid import as_cells_a_side, as_unit_points, cells_of
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class KnownOthers(ReadOnlyArrays):
    """Known users: the same for every victim but for one, who stands in for a victim among them."""

    chosen: Flags  # whether a user is known
    spare: int = -1  # position of who is known in place of a victim who is chosen; -1 for nobody

    def of(self, victim: int) -> Integers:
        """Return the positions of the users known beside a victim, ascending."""
        mask = self.chosen.copy()
        mask[victim] = False
        if self.chosen[victim] and self.spare >= 0:
            mask[self.spare] = True
        return np.flatnonzero(mask)

    @property
    def full(self) -> bool:
        """Whether all others are known."""
        return int(self.chosen.sum()) == len(self.chosen) - (self.spare >= 0)


def are_listed(known: Any) -> bool:
    """Tell whether users are listed one by one; an array without axes is a share."""
    single = isinstance(known, str | bytes) or (isinstance(known, np.ndarray) and known.ndim == 0)
    return isinstance(known, Iterable) and not single


def known_others(n: int, known: Any, rng: np.random.Generator | int | None = None) -> KnownOthers:
    """Return the users known by share, drawn at random, or as listed."""
    order = as_generator(rng).permutation(n)
    if are_listed(known):
        return _listed(n, list(known))
    share = _KNOWN.take(known, "known", AdversaryError)
    many = round(share * (n - 1))
    chosen = np.zeros(n, dtype=bool)
    chosen[order[:many]] = True
    return KnownOthers(chosen, int(order[many]))


def _listed(n: int, listed: list[Any]) -> KnownOthers:
    for user in listed:
        if not is_whole(user) or not 0 <= user < n:
            raise AdversaryError(
                f"A known user is {shown(user)}; give positions from 0 to {n - 1}.",
                Where("parameter", name="known"),
            )
    chosen = np.zeros(n, dtype=bool)
    chosen[np.array(listed, dtype=np.int64)] = True
    return KnownOthers(chosen)


Floats = NDArray[np.float64]
#: From here on weights are taken by their ratio, and more is not smoothed.
_HUGE = 1e100
# More makes no difference to any belief, and sums of it would be no numbers.
_SMOOTHING = Kind(f"it must be a number, 0 to {_HUGE:g}", 0, _HUGE)
_KNOWN = Kind("it is the share of the other users, from 0 to 1, or a list of users", 0, 1)


def cell_counts(points: Any, grid: int, known: KnownOthers, victims: Any) -> Floats:
    """Return how many known users are in each cell, one row for each victim."""
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
    """Tell for each victim and cell whether its centre is within the radius of a known friend."""
    side, where = as_cells_a_side(grid), as_unit_points(points)
    reach, at = NOT_NEGATIVE.take(radius, "radius"), np.asarray(victims, dtype=np.int64)
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
    """Return what is added to every count, or raise BudgetError."""
    return _SMOOTHING.take(smoothing, "smoothing")


def independent_priors(counts: Floats, smoothing: float = 0.0) -> Floats:
    """Return beliefs from how many known users are in each cell (Eq. 8); without any all cells are alike."""
    return _normalised(counts + as_smoothing(smoothing), np.ones_like(counts))


def weighted_priors(counts: Floats, near: Flags, weight: float = 10.0, smoothing: float = 0.0) -> Floats:
    """Return beliefs in which cells near a friend count more (Eq. 9)."""
    heavy = POSITIVE.take(weight, "weight")
    # Only the ratio counts, and sums of huge weights would be no numbers.
    weights = np.where(near, heavy, 1.0) if heavy < _HUGE else np.where(near, 1.0, 1.0 / heavy)
    return _normalised(weights * (counts + as_smoothing(smoothing)), weights)


def _normalised(values: Floats, otherwise: Floats) -> Floats:
    totals = values.sum(axis=1, keepdims=True)
    empty = totals == 0
    chosen = np.where(empty, otherwise, values)
    found: Floats = chosen / np.where(empty, otherwise.sum(axis=1, keepdims=True), totals)
    return found


@dataclass(frozen=True, eq=False)
class PriorBelief(ReadOnlyArrays):
    """Beliefs about some victims before a release; one release after another is judged by them."""

    prior: Floats  # one row for each victim
    logs: Floats  # their logarithms
    entropy: Floats  # in nats
    cell: Integers  # the likeliest, the first of several
    equal: Integers  # how many cells are as likely


def prior_belief(prior: Floats) -> PriorBelief:
    """Return beliefs before a release with what follows from them."""
    alike = prior == prior.max(axis=1, keepdims=True)
    # A cell with probability 0 has logarithm minus infinity.
    with np.errstate(divide="ignore"):
        logs = np.log(prior)
    return PriorBelief(prior, logs, entropies(prior), alike.argmax(axis=1), alike.sum(axis=1))
