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
    Dinkelbach's iteration over all pairs at once: for a ratio h the best set of a pair holds the ``size``
    largest entries of G[x] - h G[x']. The first symbols in the order of G[x] / G[x'] are not the best set.

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
    first, second = ordered_pairs(m)
    gain = 1.0 if without_floor else float(np.expm1(log_rho))
    h, value = 0.0 if without_floor else 1.0, 0.0
    for _ in range(_MOST_ROUNDS):
        bounds = _positive_sums(rows, h, first, second)
        place = _largest_top_sum(rows, h, first, second, size, bounds)
        x, other = int(first[place]), int(second[place])
        chosen = top_symbols(rows[x], rows[other], size, h)
        a, b = rows[x, chosen].sum(), rows[other, chosen].sum()
        found = float(two_level(a, b, log_rho))
        if found <= value * (1 + _GROWTH):
            break
        value, best = found, (found, x, other)
        h = float(a / b) if without_floor else float(np.exp(value))
        alive = bounds > 0 if without_floor else bounds * gain >= np.expm1(value)
        first, second = first[alive], second[alive]
        if not first.size:
            break
    return best


def top_symbols(upper: Floats, lower: Floats, size: int, h: float) -> Ints:
    """Return the positions of the largest entries of the difference of two rows, the second times h."""
    difference = upper - h * lower
    return np.sort(np.argpartition(-difference, size - 1)[:size])


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


def _positive_sums(rows: Floats, h: float, first: Ints, second: Ints) -> Floats:
    """Return the sum of all positive entries of G[x] - h G[x'] for pairs: no set of any size has more."""
    found = np.empty(len(first))
    scaled = h * rows
    step = max(1, _BLOCK // rows.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        difference = rows[first[part]] - scaled[second[part]]
        found[part] = np.maximum(difference, 0.0, out=difference).sum(axis=1)
    return found


def _largest_top_sum(rows: Floats, h: float, first: Ints, second: Ints, size: int, bounds: Floats) -> int:
    """Return the first pair with the largest sum of ``size`` entries of G[x] - h G[x']."""
    t = rows.shape[1]
    scaled = h * rows
    order = np.argsort(-bounds, kind="stable")
    step = max(1, _BLOCK // t)
    best, place = -np.inf, 0
    for start in range(0, len(order), step):
        part = order[start : start + step]
        # Of equal pairs the first comes first in this order too.
        if bounds[part[0]] <= best:
            break
        difference = rows[first[part]] - scaled[second[part]]
        # Rows of few records have many equal entries: a partition can then take many times as long.
        difference.sort(axis=1)
        sums = difference[:, t - size :].sum(axis=1)
        top = float(sums.max())
        if top >= best:
            hit = int(part[sums == top].min())
            place = hit if top > best else min(place, hit)
            best = top
    return place
