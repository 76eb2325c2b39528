"""Leakage of outputs that favour sets of symbols: any set, those of one size, or one symbol.

That of any set is the bound over all mechanisms with a budget, and the exact leakage of unary encodings,
local hashing and histogram encoding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.leakage.local.conditionals import Best, Conditionals
from pdp_widgets.leakage.local.hull import LARGE, Front, two_level

__all__ = [
    "all_subsets",
    "column_extremes",
    "favoured",
    "reaching",
    "singletons",
    "subsets_of_size",
    "top_symbols",
]

Floats = NDArray[np.float64]


def column_extremes(given: Conditionals) -> tuple[Floats, Floats]:
    """Return the largest and the smallest entry of every column among the secret values that count."""
    rows = given.rows
    if given.complete:
        return rows.max(axis=0), rows.min(axis=0)
    high = rows.max(axis=0)
    low = np.where(given.column_present, rows, np.inf).min(axis=0)
    return high, np.minimum(low, high)


def singletons(given: Conditionals, log_rho: ArrayLike) -> Best:
    """Return the leakage of every source whose outputs favour one symbol each."""
    # For one symbol the worst pair of secret values is the one with the largest against the one with the
    # smallest probability of it: the columns' extremes are all that counts.
    levels = np.broadcast_to(np.asarray(log_rho, dtype=np.float64), given.sizes.shape)
    high, low = column_extremes(given)
    by_column = two_level(high, low, np.repeat(levels, given.sizes))
    value = np.maximum.reduceat(by_column, given.starts)
    hits = np.flatnonzero(by_column == np.repeat(value, given.sizes))
    # The first column of every source that reaches its value.
    column = hits[np.searchsorted(hits, given.starts)]
    return Best(value, given.rows[:, column].argmax(axis=0), given.divisors[:, column].argmin(axis=0))


Ints = NDArray[np.int64]

# Numbers in flight: few enough to stay in the cache of the processor.
_BLOCK = 1 << 16
_GROWTH = 1e-15
#: Of a ratio: what rounding changes of it is less.
_EQUAL = 1e-11
# Pairs of secret values, times sources, that are kept at a time: 100 MB.
_MOST_PAIRS = 1 << 23
_TINY = 1e-250
# Dinkelbach's iteration is superlinear: about three rounds at a budget of 1.
_MOST_ROUNDS = 100
_SINGLE_SYMBOLS_FIRST = 2.0


def all_subsets(given: Conditionals, log_rho: ArrayLike) -> Best:
    """Return the leakage of every source whose outputs favour any set of symbols."""
    # The largest ratio h of (1 + lam A) / (1 + lam B) over all pairs of secret values and all sets solves max
    # (1 - h + lam sum_u (G[x,u] - h G[x',u])_+) = 0, with lam = rho - 1 and the set of the symbols where the
    # difference is positive. Dinkelbach's iteration finds it without sorting. Beyond a budget of 700, where
    # rho is too large for a float, sets of symbols that exclude one of the secret values decide, and single
    # symbols where there are none; at infinity single symbols do.
    levels = np.broadcast_to(np.asarray(log_rho, dtype=np.float64), given.sizes.shape)
    held = np.flatnonzero(given.present.any(axis=1))
    if len(held) < given.values:
        # Of values that nobody has there may be far more, and every round looks at all pairs.
        if len(held) < 2:
            return Best.nothing(given.sources)
        found = all_subsets(Conditionals(given.rows[held], given.sizes, given.present[held]), levels)
        leaks = found.value > 0
        return Best(
            found.value, np.where(leaks, held[found.first], 0), np.where(leaks, held[found.second], 0)
        )
    step = max(1, _MOST_PAIRS // max(1, given.values**2))
    if given.sources > step:
        places = np.arange(given.sources)
        groups = [places[start : start + step] for start in range(0, given.sources, step)]
        return Best.joined([all_subsets(given.take(part), levels[part]) for part in groups])
    if levels.max(initial=0.0) <= LARGE:
        return _dinkelbach(given, levels)
    value, first, second = np.zeros(given.sources), *(np.zeros((2, given.sources), dtype=np.int64))
    for part, rule in (
        (levels <= LARGE, _dinkelbach),
        ((levels > LARGE) & np.isfinite(levels), _huge),
        (np.isinf(levels), singletons),
    ):
        at = np.flatnonzero(part)
        if at.size:
            found = rule(given.take(at), levels[at])
            value[at], first[at], second[at] = found.value, found.first, found.second
    return Best(value, first, second)


def favoured(upper: Floats, lower: Floats, value: float) -> NDArray[np.bool_]:
    """Return the set of symbols that reaches a leakage, for the two rows of the worst pair."""
    # Symbols whose own ratio is that of the set change nothing; they are left out while others are left.
    above = _above(upper, lower, value, 1 + _EQUAL)
    # At an infinite budget the largest ratio itself is the leakage, reached by equality.
    return above if above.any() else reaching(upper, lower, value)


def reaching(upper: Floats, lower: Floats, value: float) -> NDArray[np.bool_]:
    """Return the set that reaches a leakage with all symbols whose own ratio is that of the set."""
    return _above(upper, lower, value, 1 - _EQUAL)


def _above(upper: Floats, lower: Floats, value: float, times: float) -> NDArray[np.bool_]:
    with np.errstate(over="ignore"):
        threshold = np.exp(value) * times
    if np.isinf(threshold):
        # Among finite ratios none is larger than 1e308.
        return np.asarray((upper > 0) & (lower == 0))
    return np.asarray((upper > 0) & (upper > threshold * lower))


def _huge(given: Conditionals, levels: Floats) -> Best:
    """Return the same for budgets whose exp(-budget) is 0: sets that cannot hold the source, then symbols."""
    best = singletons(given, levels)
    value, first, second = best.value.copy(), best.first.copy(), best.second.copy()
    for j in range(given.sources):
        rows, kept = given.source(j), given.kept(j)
        if len(rows) < 2:
            continue
        if rows[rows > 0].min() < _TINY:
            # Now a ratio of probabilities may be as large as rho.
            front = Front.of(rows)
            found, place = front.largest(float(levels[j]))
            x, other = front.pair(place)
        else:
            # Without a zero opposite it, no symbol's ratio comes near rho.
            inside = two_level(rows @ (rows == 0).T, 0.0, levels[j])
            x, other = divmod(int(inside.argmax()), len(rows))
            found = float(inside[x, other])
        if found > value[j]:
            value[j], first[j], second[j] = found, kept[x], kept[other]
    return Best(value, first, second)


def _dinkelbach(given: Conditionals, levels: Floats) -> Best:
    best = Best.nothing(given.sources)
    if given.values < 2 or given.sources == 0:
        return best
    gain = np.expm1(levels)
    columns = np.arange(given.rows.shape[1])
    if levels.max() > _SINGLE_SYMBOLS_FIRST:
        # One symbol comes near already, and few pairs can do better.
        best = singletons(given, levels)
    h = np.exp(best.value)
    first, second, excess = _distances(given, h)
    for _ in range(_MOST_ROUNDS):
        place = excess.argmax(axis=0)
        chosen_first, chosen_second = first[place], second[place]
        upper = given.rows[np.repeat(chosen_first, given.sizes), columns]
        lower = given.divisors[np.repeat(chosen_second, given.sizes), columns]
        inside = upper > np.repeat(h, given.sizes) * lower
        a = np.add.reduceat(np.where(inside, upper, 0.0), given.starts)
        b = np.add.reduceat(np.where(inside, lower, 0.0), given.starts)
        value = two_level(a, b, levels)
        grew = value > best.value * (1 + _GROWTH)
        if not grew.any():
            break
        best = Best(
            np.where(grew, value, best.value),
            np.where(grew, chosen_first, best.first),
            np.where(grew, chosen_second, best.second),
        )
        h = np.exp(best.value)
        # A pair whose excess was too small for the value reached has an even smaller one from now on.
        alive = (excess * gain >= np.expm1(best.value)).any(axis=1)
        first, second = first[alive], second[alive]
        if not first.size:
            break
        excess = _excess(given, h, first, second)
    return best


def _distances(given: Conditionals, h: Floats) -> tuple[Ints, Ints, Floats]:
    """Return all ordered pairs with their excess: at h = 1 the distance in variation, the same both ways."""
    if not given.complete or (h > 1).any():
        first, second = ordered_pairs(given.values)
        return first, second, _excess(given, h, first, second)
    low, high = np.triu_indices(given.values, 1)
    excess = _excess(given, h, low, high)
    return np.concatenate((low, high)), np.concatenate((high, low)), np.concatenate((excess, excess))


def ordered_pairs(values: int) -> tuple[Ints, Ints]:
    """Return all ordered pairs of different positions."""
    first, second = np.divmod(np.arange(values * values), values)
    unlike = first != second
    return first[unlike], second[unlike]


def _excess(given: Conditionals, h: Floats, first: Ints, second: Ints) -> Floats:
    """Return sum_u (G[x,u] - h G[x',u])_+ for pairs (x, x') and every source."""
    rows, sizes = given.rows, given.sizes
    scaled = np.repeat(h, sizes) * given.divisors
    found = np.empty((len(first), given.sources))
    step = max(1, _BLOCK // rows.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        difference = rows[first[part]] - scaled[second[part]]
        np.maximum(difference, 0.0, out=difference)
        if given.sources == 1:
            difference.sum(axis=1, out=found[part, 0])
        else:
            np.add.reduceat(difference, given.starts, axis=1, out=found[part])
    return found


_BLOCK_OF_SIZE = 1 << 18
#: Of a leakage: more than sums in another order differ by, so that equal pairs are not sorted one by one.
_ROUNDING = 1e-14


def subsets_of_size(rows: Floats, size: int, log_rho: float) -> tuple[float, int, int]:
    """Return the largest log ratio over sets of exactly ``size`` symbols, and the two rows that reach it."""
    # Dinkelbach's iteration: for a ratio h the best set of a pair holds the ``size`` largest entries of G[x]
    # - h G[x']. The first symbols in the order of G[x] / G[x'] are not the best set. Only pairs are sorted
    # whose upper bound says that they can have more than the best found so far.
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
        self.step = max(1, _BLOCK_OF_SIZE // rows.shape[1])
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
        """Return what no sum of ``size`` entries of the differences exceeds; pairs are in order."""
        # For any level c a sum is at most ``size`` times c and all that is above c, and just that where c is
        # the last entry that counts. That of the best pair is near those of its rivals.
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
    """Return the positions of the largest entries of upper - exp(value) lower; of equal ones the first."""
    # Where exp(value) is next to infinity or beyond the floats, those come first that the second row rules
    # out.
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
