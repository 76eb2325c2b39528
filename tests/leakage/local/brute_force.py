"""Leakages by listing what the library never lists: all sets of symbols, all outputs and tuples of them."""

from __future__ import annotations

import math
from decimal import Decimal, getcontext
from itertools import combinations, product

import numpy as np

getcontext().prec = 60


def log_ratio(a, b, epsilon):
    """ln (1 + (e^eps - 1) a) / (1 + (e^eps - 1) b) with 60 digits."""
    if math.isinf(epsilon):
        if a == 0:
            return 0.0
        return math.inf if b == 0 else max(0.0, math.log(a) - math.log(b))
    gain = Decimal(epsilon).exp() - 1
    value = (1 + gain * Decimal(float(a))).ln() - (1 + gain * Decimal(float(b))).ln()
    return float(max(Decimal(0), value))


def subsets(t, sizes=None):
    for size in range(1, t) if sizes is None else sizes:
        yield from (list(chosen) for chosen in combinations(range(t), size))


def of_sets(rows, epsilon, sets):
    best = 0.0
    for chosen in sets:
        mass = rows[:, chosen].sum(axis=1)
        for a, b in product(mass, mass):
            if a > b:
                best = max(best, log_ratio(a, b, epsilon))
    return best


def of_channel(rows, channel):
    """Eq. 3, output by output and pair by pair."""
    best = 0.0
    for output in range(channel.shape[1]):
        likelihoods = rows @ channel[:, output]
        for a, b in product(likelihoods, likelihoods):
            if a > 0:
                best = max(best, math.inf if b == 0 else math.log(a) - math.log(b))
    return best


def root(rows, epsilon):
    """The leakage of all sets as a root: a decreasing function of h, bisected."""
    gain = math.expm1(epsilon)

    def miss(h):
        excess = np.maximum(rows[:, None] - h * rows[None], 0).sum(axis=2).max()
        return 1 - h + gain * excess

    low, high = 1.0, math.exp(epsilon)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if miss(middle) > 0 else (low, middle)
    return math.log(low)


def of_records(joint, target, channels):
    """Joint leakage of the other attributes, and of all of them, by every tuple of outputs."""
    moved = np.moveaxis(np.asarray(joint, dtype=float), target, 0)
    order = [target, *(a for a in range(moved.ndim) if a != target)]
    own, others = channels[target], [channels[a] for a in order[1:]]
    likelihoods = []
    for x in range(len(moved)):
        total = moved[x].sum()
        if total > 0:
            found = moved[x] / total
            for channel in others:
                # The first axis goes, the outputs come last.
                found = np.tensordot(found, channel, axes=([0], [0]))
            likelihoods.append((x, np.asarray(found).ravel()))
    best_others = best_all = 0.0
    for (x, a), (other, b) in product(likelihoods, likelihoods):
        if x == other:
            continue
        seen = a > 0
        ratio = max((math.inf if q == 0 else math.log(p / q)) for p, q in zip(a[seen], b[seen], strict=True))
        mine = of_pair(own[x], own[other])
        best_others, best_all = max(best_others, ratio), max(best_all, ratio + mine)
    return best_others, best_all


def of_pair(upper, lower):
    return max(math.inf if q == 0 else math.log(p / q) for p, q in zip(upper, lower, strict=True) if p > 0)


def random_rows(rng, m, t, zeros=0.0):
    rows = rng.dirichlet(np.full(t, 0.7), m)
    rows[rng.random((m, t)) < zeros] = 0.0
    rows[rows.sum(axis=1) == 0, 0] = 1.0
    return rows / rows.sum(axis=1, keepdims=True)
