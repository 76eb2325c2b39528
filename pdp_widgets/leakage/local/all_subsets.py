"""Leakage of outputs that may favour any set of symbols: the bound over all mechanisms with a budget.

It is also the exact leakage of unary encodings, local hashing and histogram encoding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.leakage.local.conditionals import Best, Conditionals
from pdp_widgets.leakage.local.hull import Front
from pdp_widgets.leakage.local.singletons import singletons
from pdp_widgets.leakage.local.two_level import LARGE, two_level

__all__ = ["all_subsets", "favoured", "reaching"]

Floats = NDArray[np.float64]
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
    """Return the leakage of every source whose outputs favour any set of symbols.

    Parameters
    ----------
    given
        Rows of the sources.
    log_rho
        ln rho, one for each source or one for all.

    Notes
    -----
    The largest ratio h of (1 + lam A) / (1 + lam B) over all pairs of secret values and all sets solves
    max (1 - h + lam sum_u (G[x,u] - h G[x',u])_+) = 0, with lam = rho - 1 and the set of the symbols where
    the difference is positive. Dinkelbach's iteration finds it without sorting. Beyond a budget of 700, where
    rho is too large for a float, sets of symbols that exclude one of the secret values decide, and single
    symbols where there are none; at infinity single symbols do.

    Examples
    --------
    >>> rows = [[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4], [0.25, 0.25, 0.25, 0.25]]
    >>> all_subsets(Conditionals.of(rows), 1.0).value.round(6).tolist()
    [0.373993]
    """
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
    """Return the set of symbols that reaches a leakage, for the two rows of the worst pair.

    Symbols whose own ratio is that of the set change nothing; they are left out while others are left.

    Examples
    --------
    >>> favoured(np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5]), 0.3).tolist()
    [True, False, False]
    """
    above = _above(upper, lower, value, 1 + _EQUAL)
    # At an infinite budget the largest ratio itself is the leakage, reached by equality.
    return above if above.any() else reaching(upper, lower, value)


def reaching(upper: Floats, lower: Floats, value: float) -> NDArray[np.bool_]:
    """Return the same with all symbols whose own ratio is that of the set.

    Examples
    --------
    >>> reaching(np.array([0.5, 0.3, 0.2]), np.array([0.25, 0.25, 0.5]), np.log(2)).tolist()
    [True, False, False]
    """
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
