"""The best guess of a noisy histogram for somebody who knows how common the symbols are."""

from __future__ import annotations

from itertools import pairwise
from math import exp, inf, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import LimitError, TableError, Where
from pdp_widgets.mechanisms.local.attack import gauss_legendre
from pdp_widgets.mechanisms.local.parameters import as_epsilon
from pdp_widgets.models.given_numbers import plain_numbers, refuse_masked

__all__ = ["as_prior", "attack_with_prior"]

#: More symbols take longer than ten seconds.
_MOST_SYMBOLS = 128
#: Relative difference of scores that counts as none.
_TIE = 1e-12


def as_prior(prior: ArrayLike) -> NDArray[np.float64]:
    """Return probabilities of symbols, or raise TableError."""
    where = Where("parameter", name="prior")
    refuse_masked(prior, "prior")
    try:
        found = plain_numbers(prior)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            "The prior is no list of numbers; give a probability for each symbol.", where
        ) from None
    if found.ndim != 1 or not found.size:
        raise TableError("The prior must be a list with a probability for each symbol.", where)
    wrong = ~(np.isfinite(found) & (found >= 0))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise TableError(f"The prior of symbol {at} is {found[at]:.12g}; it must be a probability.", where)
    if abs(float(found.sum()) - 1) > 1e-9:
        raise TableError(f"The prior sums to {found.sum():.12g}; it must sum to 1.", where)
    return found


def _pieces(breaks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return cuts between break points, close to each of them and ever further apart away from them."""
    cuts = [breaks]
    for low, high in pairwise(breaks):
        step = 4.0
        while step < (high - low) / 2:
            cuts.append(np.array([low + step, high - step]))
            step *= 2
    return np.unique(np.concatenate(cuts))


def _left_out_products(factors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each row the product of all other rows; dividing would fail where a factor is 0."""
    before, after = np.ones_like(factors), np.ones_like(factors)
    np.cumprod(factors[:-1], axis=0, out=before[1:])
    after[:-1] = np.cumprod(factors[:0:-1], axis=0)[::-1]
    return before * after


def _won(
    below: NDArray[np.float64],
    tied: NDArray[np.float64],
    own: NDArray[np.float64],
    own_tied: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return how often nobody is above an atom, shared among those who are level with it.

    ``below`` and ``tied`` are about symbols that are not the true one, ``own`` and ``own_tied`` about each of
    them in turn as the true one.
    """
    nodes, weights = gauss_legendre()
    factors = below[:, None] + tied[:, None] * nodes
    return np.asarray(_left_out_products(factors) * (own[:, None] + own_tied[:, None] * nodes) @ weights)


def attack_with_prior(epsilon: float, prior: ArrayLike) -> NDArray[np.float64]:
    """Return P(guess w | true symbol v), shape (k, k), for noise of scale 2 / epsilon on a histogram of one.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.
    prior
        Probability of each symbol before the report.

    Raises
    ------
    LimitError
        There are more than 128 symbols.

    Notes
    -----
    The score of symbol u is ln prior(u) + (epsilon / 2) z(u), where z(u) is the reported number folded into
    [-1, 1]; the largest wins, and ties are broken at random. Given the score of w the other symbols are
    independent, which leaves an integral over that score and its two atoms.

    Examples
    --------
    >>> attack_with_prior(1.0, [0.5, 0.5]).round(6).tolist()
    [[0.620918, 0.379082], [0.379082, 0.620918]]
    """
    pi = as_prior(prior)
    a, k = as_epsilon(epsilon) / 2, pi.size
    if k > _MOST_SYMBOLS:
        raise LimitError(
            f"The prior is about {k} symbols; the attack with a prior is computed for at most "
            f"{_MOST_SYMBOLS}.",
            Where("parameter", name="prior"),
        )
    if a == inf:
        return np.eye(k)
    if a == 0:
        best = pi == pi.max()
        return np.tile(best / best.sum(), (k, 1))
    matrix = np.zeros((k, k))
    centres = np.array([log(x) if x > 0 else -inf for x in pi])
    possible = centres >= centres.max() - 2 * a * (1 + _TIE)
    kept = np.flatnonzero(possible)
    for w in kept:
        rest = kept[kept != w]
        found, never = _guesses_of(int(w), rest, centres, a)
        matrix[kept, w] = found
        matrix[~possible, w] = never
    return matrix


def _guesses_of(
    w: int, rest: NDArray[np.int64], centres: NDArray[np.float64], a: float
) -> tuple[NDArray[np.float64], float]:
    """Return P(guess w | v) for v = w or in ``rest``, in ascending order, and for any other v."""
    centre, others = centres[w], centres[rest]
    low = exp(-a)
    # Below the lowest score of the most probable symbol w cannot win; the density changes at the other ends.
    lowest = max(centre, float(others.max(initial=-inf))) - a
    inner = np.unique(np.clip(np.append(others + a, (lowest, centre + a)), lowest, centre + a))
    cuts = _pieces(inner)
    nodes, weights = gauss_legendre(32)
    length = np.diff(cuts)
    s = (cuts[:-1, None] + length[:, None] * nodes).ravel()
    mass = (length[:, None] * weights).ravel()
    below, own = _distribution(s, others, a)
    left_out = _left_out_products(below)
    nobody = below.prod(axis=0)
    as_other = np.exp(-(s - (centre - a)) / 2) / 4 * mass
    as_true = np.exp(-(centre + a - s) / 2) / 4 * mass
    when_true, when_never = float(nobody @ as_true), float(nobody @ as_other)
    when_rest = (left_out * own) @ as_other
    nodes, weights = gauss_legendre()
    for score, true_mass, other_mass in ((centre + a, 0.5, low / 2), (centre - a, low / 2, 0.5)):
        at, tied, own_at, own_tied = _atoms(score, others, a)
        alone = at[:, None] + tied[:, None] * nodes
        shared = float(alone.prod(axis=0) @ weights)
        when_true += true_mass * shared
        when_never += other_mass * shared
        when_rest = when_rest + other_mass * _won(at, tied, own_at, own_tied)
    place = int(np.searchsorted(rest, w))
    return np.insert(when_rest, place, when_true), when_never


def _distribution(
    s: NDArray[np.float64], centres: NDArray[np.float64], a: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return P(score < s) of symbols that are not the true one, and of each as it; shape (k, points)."""
    up = s - (centres[:, None] - a)
    down = (centres[:, None] + a) - s
    inside = (up > 0) & (down >= 0)
    other = np.where(inside, 1 - np.exp(-np.maximum(up, 0) / 2) / 2, (down < 0).astype(np.float64))
    true = np.where(inside, np.exp(-np.maximum(down, 0) / 2) / 2, (down < 0).astype(np.float64))
    return other, true


def _atoms(
    score: float, centres: NDArray[np.float64], a: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return P(below) and P(level) with a score, of symbols that are not the true one, and of each as it."""
    near = _TIE * (1 + a + np.abs(centres))
    top, bottom = np.abs(score - (centres + a)) <= near, np.abs(score - (centres - a)) <= near
    below, own = (x[:, 0] for x in _distribution(np.array([score]), centres, a))
    low = exp(-a)
    below = np.where(top, 1 - low / 2, np.where(bottom, 0.0, below))
    own = np.where(top, 0.5, np.where(bottom, 0.0, own))
    tied = np.where(top, low / 2, np.where(bottom, 0.5, 0.0))
    own_tied = np.where(top, 0.5, np.where(bottom, low / 2, 0.0))
    return below, tied, own, own_tied
