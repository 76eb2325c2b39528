"""A histogram of one person with Laplace noise on every count: summation with histogram encoding."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, inf, log, log1p
from typing import ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, LimitError, Where
from pdp_widgets.mechanisms.local.attack import SymmetricChannel, gauss_legendre, mean_inverse
from pdp_widgets.mechanisms.local.frequency_estimation import as_frequencies, counted
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size, as_count
from pdp_widgets.mechanisms.local.reports import NoisyReports, Reports, check_room
from pdp_widgets.mechanisms.local.she_prior import attack_with_prior
from pdp_widgets.mechanisms.local.subset_family import SubsetFamily

__all__ = ["SHE"]


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
        if as_alphabet_size(k) == 1:
            return SymmetricChannel.of(1, 1.0, 0.0)
        a, n = self.epsilon / 2, k - 2
        if a == inf:
            return SymmetricChannel.of(k, 1.0, 0.0)
        low = exp(-a)
        w0 = low / 2
        i = np.arange(1, n + 1)
        tail = a - float(np.sum((np.exp(i * log1p(-w0)) - 0.5**i) / i))
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
    """Return keep - other without subtracting: the gain of the true symbol over one other, given the rest.

    An integral over the number of one symbol, of its probability to beat the k - 2 others times how much
    likelier the true symbol is to beat one more.
    """
    low = exp(-a)
    nodes, weights = gauss_legendre()
    s = low - expm1(-a) * nodes
    inside = float(np.sum(weights * np.exp((k - 2) * np.log1p(-s / 2)) * (1 - s) / s**2))
    atom = -expm1(-a) / 2 * mean_inverse(1, k - 2, low / 2)
    return atom + low / 2 * inside * -expm1(-a)
