"""Leakage of outputs that favour sets with a fixed number of symbols: subset selection."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.local.all_subsets import ordered_pairs
from pdp_widgets.leakage.local.two_level import LARGE, two_level

__all__ = ["subsets_of_size", "top_symbols"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BLOCK = 1 << 18
_GROWTH = 1e-15
#: Of a leakage: more than sums in another order differ by, so that equal pairs are not sorted one by one.
_ROUNDING = 1e-14
_MOST_ROUNDS = 100


def subsets_of_size(rows: Floats, size: int, log_rho: float) -> tuple[float, int, int]:
    """Return the largest log ratio over sets of exactly ``size`` symbols, and the two rows that reach it.

    Parameters
    ----------
    rows
        P(source symbol | secret value), symbols that were never seen included: they fill up a set.
    size
        Number of symbols in a set.
    log_rho
        ln rho, 0 to infinity.

    Notes
    -----
    Dinkelbach's iteration: for a ratio h the best set of a pair holds the ``size`` largest entries of
    G[x] - h G[x']. The first symbols in the order of G[x] / G[x'] are not the best set. Only pairs are sorted
    whose upper bound says that they can have more than the best found so far.

    Examples
    --------
    >>> rows = np.array([[0.02, 0.6, 0.38], [0.001, 0.3, 0.699]])
    >>> round(subsets_of_size(rows, 1, 1.0)[0], 6)
    0.292778
    """
    m, t = rows.shape
    if m < 2 or size >= t or log_rho == 0:
        return 0.0, 0, 0
    without_floor = log_rho > LARGE
    best = _excluded(rows, size, log_rho) if without_floor else (0.0, 0, 0)
    if best[0] > 0:
        # Probabilities are no powers of exp(-700): nothing else comes near.
        return best
    search = _Search(rows, size, log_rho)
    first, second = ordered_pairs(m)
    pairs = first * m + second
    if pairs.size > search.step:
        # A good guess spares most pairs of a large table a closer look.
        search.improve(_extremes(rows))
    while pairs.size:
        bounds = search.bounds(pairs)
        alive = search.can_win(bounds)
        pairs = pairs[alive][np.argsort(-bounds[alive], kind="stable")]
        done = 0
        while done < pairs.size:
            # Of equal pairs the first is taken.
            block = np.sort(pairs[done : done + search.step])
            done += block.size
            if search.improve(block):
                # What is known now bounds the others more closely.
                break
        pairs = np.sort(pairs[done:])
    return search.best


def _extremes(rows: Floats) -> Ints:
    """Return the pairs of rows between which single symbols differ most, as x * m + x'."""
    x, other = rows.argmax(axis=0), rows.argmin(axis=0)
    return np.unique((x * len(rows) + other)[x != other])


class _Search:
    """The best of the pairs looked at, and what its ratio says about others."""

    def __init__(self, rows: Floats, size: int, log_rho: float) -> None:
        self.rows, self.size, self.log_rho = rows, size, log_rho
        self.step = max(1, _BLOCK // rows.shape[1])
        self.best = 0.0, 0, 0
        self.without_floor = log_rho > LARGE
        self.gain = 1.0 if self.without_floor else float(np.expm1(log_rho))
        # At h = 1 a set has more than nothing where it is likelier under one value than under the other.
        self.h, self.scaled = 1.0, rows
        self.level = 0.0
        self.reached = 0.0

    def differences(self, pairs: Ints) -> Floats:
        """Return G[x] - h G[x'], one row for each pair x * m + x'."""
        x, other = np.divmod(pairs, len(self.rows))
        found: Floats = self.rows[x]
        found -= self.scaled[other]
        return found

    def bounds(self, pairs: Ints) -> Floats:
        """Return what no sum of ``size`` entries of the differences exceeds; pairs are in order.

        For any level c a sum is at most ``size`` times c and all that is above c, and just that where c is
        the last entry that counts. That of the best pair is near those of its rivals.
        """
        m = len(self.rows)
        starts = np.searchsorted(pairs, np.arange(m + 1) * m).tolist()
        found = np.empty(len(pairs))
        room = np.empty_like(self.rows)
        for x in range(m):
            part = slice(starts[x], starts[x + 1])
            if part.start == part.stop:
                continue
            made = room[: part.stop - part.start]
            np.take(self.scaled, pairs[part] - x * m, axis=0, out=made, mode="clip")
            np.subtract(self.rows[x] - self.level, made, out=made)
            found[part] = np.maximum(made, 0.0, out=made).sum(axis=1)
        return found + self.size * self.level

    def can_win(self, bounds: Floats) -> NDArray[np.bool_]:
        """Tell which pairs can have more than the best, by more than rounding."""
        if self.without_floor:
            return np.asarray(bounds > _ROUNDING * self.reached)
        return np.asarray(bounds * self.gain > np.expm1(self.best[0]) * (1 + _ROUNDING))

    def improve(self, pairs: Ints) -> bool:
        """Take the best of these pairs where it has more; tell whether it has."""
        t, improved = self.rows.shape[1], False
        if not pairs.size:
            return improved
        for _ in range(_MOST_ROUNDS):
            differences = self.differences(pairs)
            # Rows of few records have many equal entries: a partition can then take many times as long.
            differences.sort(axis=1)
            place = int(differences[:, t - self.size :].sum(axis=1).argmax())
            x, other = divmod(int(pairs[place]), len(self.rows))
            chosen = np.argpartition(self.scaled[other] - self.rows[x], self.size - 1)[: self.size]
            a, b = self.rows[x, chosen].sum(), self.rows[other, chosen].sum()
            found = float(two_level(a, b, self.log_rho))
            if found <= self.best[0] * (1 + _GROWTH):
                break
            self.best, improved = (found, x, other), True
            self.reached = float(a)
            self.h = float(a / b) if self.without_floor else float(np.exp(found))
            self.scaled = self.h * self.rows
            last = self.rows[x] - self.scaled[other]
            self.level = float(np.partition(last, t - self.size)[t - self.size])
        return improved


def top_symbols(upper: Floats, lower: Floats, size: int, value: float) -> Ints:
    """Return the positions of the best set for a leakage: the largest entries of upper - exp(value) lower.

    Of equal entries the first are taken. Where exp(value) is next to infinity or beyond the floats, those
    come first that the second row rules out.

    Examples
    --------
    >>> top_symbols(np.array([0.4, 0.4, 0.2]), np.array([0.2, 0.2, 0.6]), 1, 0.1).tolist()
    [0]
    """
    if value > LARGE:
        order = np.lexsort((-upper, lower > 0))
    else:
        order = np.argsort(np.exp(value) * lower - upper, kind="stable")
    return np.sort(order[:size])


def _excluded(rows: Floats, size: int, log_rho: float) -> tuple[float, int, int]:
    """Return what leaks by sets that cannot hold the source, for the one secret value of a pair."""
    best = 0.0, 0, 0
    for other, lower in enumerate(rows):
        zero = np.flatnonzero(lower == 0)
        if len(zero) < size:
            continue
        inside = np.sort(rows[:, zero], axis=1)[:, len(zero) - size :].sum(axis=1)
        value = two_level(inside, 0.0, log_rho)
        x = int(value.argmax())
        if value[x] > best[0]:
            best = float(value[x]), x, other
    return best
