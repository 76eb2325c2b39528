"""A histogram of one person with Laplace noise on every count, and guesses from it by a prior."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import exp, expm1, inf, log, log1p
from typing import ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON
from pdp_widgets.core.converters import check_many, plain_numbers, refuse_masked
from pdp_widgets.errors import BudgetError, LimitError, TableError, Where
from pdp_widgets.mechanisms.local.attack import SubsetFamily, SymmetricChannel, gauss_legendre, mean_inverse
from pdp_widgets.mechanisms.local.frequency_estimation import as_frequencies, counted
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size, as_count
from pdp_widgets.mechanisms.local.reports import NoisyReports, Reports, check_room

__all__ = ["SHE", "as_prior", "attack_with_prior"]

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
    with np.errstate(over="ignore"):
        total = float(found.sum())
    if abs(total - 1) > 1e-9:
        raise TableError(f"The prior sums to {total:.12g}; it must sum to 1.", where)
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
    """Return how often nobody is above an atom, shared among those who are level with it."""
    # ``below`` and ``tied`` are about symbols that are not the true one, ``own`` and ``own_tied`` about each
    # of them in turn as the true one.
    nodes, weights = gauss_legendre()
    factors = below[:, None] + tied[:, None] * nodes
    return np.asarray(_left_out_products(factors) * (own[:, None] + own_tied[:, None] * nodes) @ weights)


def attack_with_prior(epsilon: float, prior: ArrayLike) -> NDArray[np.float64]:
    """Return P(guess w | true symbol v), shape (k, k), for a histogram of one person with Laplace noise."""
    # The noise has the scale 2 / epsilon. The score of symbol u is ln prior(u) + (epsilon / 2) z(u), where
    # z(u) is the reported number folded into [-1, 1]; the largest wins, and ties are broken at random. Given
    # the score of w the other symbols are independent, which leaves an integral over that score and its two
    # atoms.
    pi = as_prior(prior)
    a, k = EPSILON.take(epsilon, "epsilon") / 2, pi.size
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


#: Symbols whose sum takes some ten seconds, and of which one block takes 8 MB.
_MOST_TERMS, _BLOCK = 1 << 28, 1 << 20


@dataclass(frozen=True)
class SHE(LocalMechanism):
    """Report 1 for the true symbol and 0 for the others, each with Laplace noise of scale 2 / epsilon.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity; 0 is infinite noise.

    Notes
    -----
    Wang, Blocki, Li and Jha, "Locally differentially private protocols for frequency estimation" (2017).
    Numbers above 1 say the same as 1, numbers below 0 the same as 0, so that several symbols can be equally
    good guesses.

    Examples
    --------
    >>> round(SHE(1.0).inferred(2).keep, 6)
    0.620918
    >>> SHE(2.0).variance([0.5, 0.5], k=2, n=1000).tolist()
    [0.002, 0.002]
    """

    name: ClassVar[str] = "SHE"
    title: ClassVar[str] = "summation with histogram encoding"

    @property
    def scale(self) -> float:
        """Scale of the Laplace noise on each number: 2 / epsilon."""
        return 2 / self.epsilon if self.epsilon > 0 else inf

    def _log_ratio(self, k: int) -> float:
        return self.epsilon

    def family(self, k: int) -> SubsetFamily:
        """Return all sets: any symbols can have numbers above 1 while the others have numbers below 0."""
        as_alphabet_size(k)
        return SubsetFamily("all")

    def channel(self, k: int) -> NoReturn:
        """Refuse: the reports are real numbers, and no matrix lists them."""
        as_alphabet_size(k)
        raise LimitError(
            "SHE reports real numbers: there is no matrix of finitely many outputs. Use family and ratio for "
            "the leakage, or inferred for the guesses.",
            Where("parameter", name="mechanism"),
        )

    def inferred(self, k: int) -> SymmetricChannel:
        """Return the channel to the symbol with the largest number."""
        k = as_alphabet_size(k)
        if k == 1:
            return SymmetricChannel.of(1, 1.0, 0.0)
        a, n = self.epsilon / 2, k - 2
        if a == inf:
            return SymmetricChannel.of(k, 1.0, 0.0)
        low = exp(-a)
        w0 = low / 2
        # What is added to the sum falls below every float before 750 / w0.
        terms = n if n * w0 <= 750 else int(750 / w0)
        check_many(terms, _MOST_TERMS, "k", 3e-8)
        tail = a
        for start in range(1, terms + 1, _BLOCK):
            i = np.arange(start, min(start + _BLOCK, terms + 1))
            tail -= float(np.sum((np.exp(i * log1p(-w0)) - 0.5**i) / i))
        over_low = 2.0 ** -min(k, 1000) / k + tail / 4
        if n * w0 <= 5:
            nodes, weights = gauss_legendre()
            over_low += float(np.sum(weights * np.exp(n * np.log1p(-w0 * nodes)) * (1 - nodes / 2))) / 2
            other = low * over_low
        else:
            first, second = (-expm1((n + j) * log1p(-w0)) / (n + j) for j in (1, 2))
            other = low * over_low + first - (first - second) / low
            over_low = other / low
        difference = None if a > 0.5 else _difference(a, k)
        keep = 1 - (k - 1) * other if difference is None else other + difference
        return SymmetricChannel.of(k, keep, other, difference, log(over_low) - a)

    def attack_with_prior(self, prior: ArrayLike) -> NDArray[np.float64]:
        """Return the channel to the most probable symbol for somebody with a prior, shape (k, k).

        Parameters
        ----------
        prior
            Probability of each of k symbols before the report.

        Notes
        -----
        One row for each true symbol and one column for each guess. It is not symmetric, and a symbol that is
        too improbable is never guessed.

        Examples
        --------
        >>> SHE(1.0).attack_with_prior([0.7, 0.3]).round(6).tolist()
        [[0.893154, 0.106846], [0.712553, 0.287447]]
        """
        return attack_with_prior(self.epsilon, prior)

    def support(self, k: int) -> NoReturn:
        """Refuse: reports are numbers, and none of them supports a symbol or does not."""
        as_alphabet_size(k)
        raise BudgetError(
            "SHE reports a number for every symbol and has no rates of support; use frequencies and "
            "variance.",
            Where("parameter", name="mechanism"),
        )

    def frequencies(
        self, reports: Reports | ArrayLike, k: int | None = None, n: int | None = None
    ) -> NDArray[np.float64]:
        """Return the mean number of each symbol, shape (k,): an unbiased estimate of its share.

        Parameters
        ----------
        reports
            What ``release`` returned, or the sum of n reports for each symbol.
        k, n
            Number of symbols and of reports; only for sums.
        """
        if self.scale == inf:
            size = reports.k if isinstance(reports, Reports) else np.size(reports)
            return np.full(size, np.nan)
        sums, _, people = counted(reports, k, n)
        return sums / people

    def variance(self, frequencies: ArrayLike, k: int, n: int) -> NDArray[np.float64]:
        """Return the variances of the estimates, 8 / (n epsilon^2) whatever the shares, shape (k,)."""
        found = as_frequencies(frequencies, k)
        if self.epsilon == 0:
            return np.full(found.shape, np.nan)
        # One division at a time: the square of a tiny budget may be too small for a float.
        with np.errstate(over="ignore"):
            return np.full(found.shape, 8 / np.float64(self.epsilon) / as_count(n) / self.epsilon)

    def _release(self, codes: NDArray[np.int64], k: int, rng: np.random.Generator) -> NoisyReports:
        shape = (len(codes), k)
        check_room(*shape, 8)
        if self.scale == inf:
            return NoisyReports(np.where(rng.random(shape) < 0.5, -np.inf, np.inf), k)
        values = rng.laplace(0.0, self.scale, shape) if self.epsilon < inf else np.zeros(shape)
        values[np.arange(len(codes)), codes] += 1
        return NoisyReports(values, k)


def _difference(a: float, k: int) -> float:
    """Return keep - other without subtracting: the gain of the true symbol over one other, given the rest."""
    # An integral over the number of one symbol, of its probability to beat the k - 2 others times how much
    # likelier the true symbol is to beat one more.
    low = exp(-a)
    nodes, weights = gauss_legendre()
    s = low - expm1(-a) * nodes
    inside = float(np.sum(weights * np.exp((k - 2) * np.log1p(-s / 2)) * (1 - s) / s**2))
    atom = -expm1(-a) / 2 * mean_inverse(1, k - 2, low / 2)
    return atom + low / 2 * inside * -expm1(-a)
