"""One bit for every symbol, each set on its own: unary encodings, THE, RAPPOR, L-OSUE."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from math import exp, expm1, inf, log, log1p, tanh
from typing import ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import FACTOR, INNER, PROBABILITY
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.mechanisms.local.attack import SubsetFamily, SymmetricChannel, mean_inverse
from pdp_widgets.mechanisms.local.frequency_estimation import SupportRates
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism, check_outputs
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size
from pdp_widgets.mechanisms.local.reports import BitReports, check_room, row_blocks

__all__ = ["LOSUE", "OUE", "RAPPOR", "SUE", "THE", "BitRates", "UnaryEncoding"]


@dataclass(frozen=True)
class BitRates:
    """How often the bit of the true symbol and the bit of another symbol are reported as set.

    Parameters
    ----------
    p, q
        Probabilities of 1 for the true symbol and for another one; p >= q.
    lost
        1 - p, given apart because subtracting cancels.
    difference
        p - q, likewise.
    log_lost, log_q
        Logarithms of 1 - p and q, where these may be too small for a float.
    """

    p: float
    q: float
    lost: float
    difference: float
    log_lost: float
    log_q: float


class UnaryEncoding(LocalMechanism):
    """Report one bit for every symbol; only the distribution of the true symbol's bit differs."""

    @abstractmethod
    def rates(self) -> BitRates:
        """Return the probabilities of the bits."""

    def family(self, k: int) -> SubsetFamily:
        """Return all sets: the bits that are set can be any."""
        as_alphabet_size(k)
        return SubsetFamily("all")

    def support(self, k: int) -> SupportRates:
        """Return how often the true symbol's bit and how often another one is set."""
        as_alphabet_size(k)
        rates = self.rates()
        return SupportRates(rates.p, rates.q, rates.difference)

    def channel(self, k: int) -> NDArray[np.float64]:
        """Return the exact matrix, shape (k, 2^k): bit vectors in lexicographic order, first bit first."""
        k = as_alphabet_size(k)
        check_outputs(k, 2.0 ** min(k, 1000), self.name)
        rates = self.rates()
        bits = (np.arange(2**k)[:, None] >> np.arange(k - 1, -1, -1)) & 1
        others = bits.sum(axis=1, keepdims=True) - bits
        own = np.where(bits, rates.p, rates.lost)
        return np.ascontiguousarray((own * rates.q**others * (1 - rates.q) ** (k - 1 - others)).T)

    def inferred(self, k: int) -> SymmetricChannel:
        """Return the channel to a symbol drawn from the bits that are set; from all if none is."""
        k = as_alphabet_size(k)
        if k == 1:
            return SymmetricChannel.of(1, 1.0, 0.0)
        rates = self.rates()
        none = rates.lost * (1 - rates.q) ** (k - 1) / k
        single = mean_inverse(1, k - 2, rates.q)
        keep = rates.p * mean_inverse(1, k - 1, rates.q) + none
        other = rates.q * (rates.p * mean_inverse(2, k - 2, rates.q) + rates.lost * single) + none
        log_other = None
        if other < 1e-100:
            # As a multiple of the larger of q and 1 - p, either of which may be too small for a float.
            most = max(rates.log_lost, rates.log_q)
            if most > -inf:
                set_bit = rates.p * mean_inverse(2, k - 2, rates.q) + rates.lost * single
                log_other = most + log(exp(rates.log_q - most) * set_bit + exp(rates.log_lost - most) / k)
        return SymmetricChannel.of(k, keep, other, rates.difference * single, log_other)

    def _chances(self, k: int, favoured: int) -> tuple[float, float]:
        rates = self.rates()
        rest = rates.q ** (favoured - 1) * (1 - rates.q) ** (k - favoured - 1)
        return rates.p * rest * (1 - rates.q), rates.lost * rest * rates.q

    def _release(self, codes: NDArray[np.int64], k: int, rng: np.random.Generator) -> BitReports:
        rates = self.rates()
        check_room(len(codes), k, 1)
        bits = np.empty((len(codes), k), np.bool_)
        for rows in row_blocks(len(codes), k):
            np.less(rng.random(bits[rows].shape), rates.q, out=bits[rows])
        bits[np.arange(len(codes)), codes] = rng.random(len(codes)) < rates.p
        return BitReports(bits, k)


@dataclass(frozen=True)
class OUE(UnaryEncoding):
    """Optimised unary encoding: the true bit is kept with 1/2, another is set with 1 / (exp(epsilon) + 1).

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.

    Notes
    -----
    Wang, Blocki, Li and Jha, "Locally differentially private protocols for frequency estimation" (2017).

    Examples
    --------
    >>> OUE(1.0).channel(2).round(6)[0].tolist()
    [0.365529, 0.134471, 0.365529, 0.134471]
    >>> round(OUE(1.0).inferred(2).keep, 6)
    0.615529
    """

    name: ClassVar[str] = "OUE"
    title: ClassVar[str] = "optimised unary encoding"

    def rates(self) -> BitRates:
        """Return the probabilities of the bits."""
        small = exp(-self.epsilon)
        log_q = -self.epsilon - log1p(small)
        return BitRates(0.5, small / (1 + small), 0.5, tanh(self.epsilon / 2) / 2, -log(2), log_q)

    def _log_ratio(self, k: int) -> float:
        return self.epsilon


@dataclass(frozen=True)
class SUE(UnaryEncoding):
    """Symmetric unary encoding: every bit is flipped with the same probability, 1 / (exp(epsilon / 2) + 1).

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.

    Notes
    -----
    Also called one-time RAPPOR: Erlingsson, Pihur and Korolova, "RAPPOR: randomized aggregatable
    privacy-preserving ordinal response" (2014).

    Examples
    --------
    >>> round(SUE(1.0).inferred(2).log_ratio, 12)
    0.5
    """

    name: ClassVar[str] = "SUE"
    title: ClassVar[str] = "symmetric unary encoding"

    def rates(self) -> BitRates:
        """Return the probabilities of the bits."""
        half = self.epsilon / 2
        small = exp(-half)
        q = small / (1 + small)
        log_q = -half - log1p(small)
        return BitRates(1 / (1 + small), q, q, tanh(half / 2), log_q, log_q)

    def _log_ratio(self, k: int) -> float:
        return self.epsilon


@dataclass(frozen=True)
class THE(UnaryEncoding):
    """Thresholding with histogram encoding: a bit for every number of `SHE` that is above a threshold.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity: what the noisy numbers themselves promise.
    theta
        The threshold, between 0 and 1; without it the one whose estimates have the least variance.

    Raises
    ------
    BudgetError
        The budget is negative, or the threshold does not lie between 0 and 1.

    Notes
    -----
    Wang, Blocki, Li and Jha, "Locally differentially private protocols for frequency estimation" (2017). The
    noise has scale 2 / epsilon, so that the bit of the true symbol is set with
    1 - exp(epsilon (theta - 1) / 2) / 2 and another with exp(-epsilon theta / 2) / 2. The bits say less than
    the numbers they are made of: they leak less than the budget.

    Examples
    --------
    >>> one = THE(1.0)
    >>> round(one.threshold, 6), round(one.promise(4), 6)
    (0.618553, 0.895989)
    >>> THE(1.0, theta=0.5).channel(2).round(6)[0].tolist()
    [0.237768, 0.151633, 0.372832, 0.237768]
    """

    name: ClassVar[str] = "THE"
    title: ClassVar[str] = "thresholding with histogram encoding"

    theta: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.theta is not None:
            object.__setattr__(self, "theta", INNER.take(self.theta, "theta"))

    @property
    def threshold(self) -> float:
        """The threshold in use."""
        return self._parts()[0]

    def _parts(self) -> tuple[float, float, float]:
        """Return the threshold, and how far it lies below 1 and above 0 in scales of the noise."""
        half = self.epsilon / 2
        if self.theta is not None:
            return self.theta, half * (1 - self.theta), half * self.theta
        # Where the slope of q (1 - q) / (p - q)^2 is 0. In scales below 1 it is at most ln 1.5, so that no
        # digit is lost to a threshold near 1.
        low, high = 0.0, min(half / 2, 0.5)
        while low < (middle := (low + high) / 2) < high:
            lost, q = -expm1(-middle), -expm1(middle - half)
            rises = (q - lost) * (1 + q) >= q * (lost + q)
            low, high = (middle, high) if rises else (low, middle)
        return 1 - low / half if half > 0 else 0.5, low, half - low

    def rates(self) -> BitRates:
        """Return the probabilities of the bits."""
        _, below, above = self._parts()
        log_lost, log_q = -below - log(2), -above - log(2)
        difference = -(expm1(-below) + expm1(-above)) / 2
        return BitRates(1 - exp(log_lost), exp(log_q), exp(log_lost), difference, log_lost, log_q)

    def _log_ratio(self, k: int) -> float:
        rates = self.rates()
        if self.epsilon < 1:
            return log1p(rates.difference / rates.q) + log1p(rates.difference / rates.lost)
        return inf if rates.p == 1 else log(rates.p) - rates.log_lost + log1p(-rates.q) - rates.log_q


@dataclass(frozen=True)
class LOSUE(OUE):
    """Longitudinal unary encoding in two rounds: bits of `OUE` are memoised, and flipped in every report.

    Parameters
    ----------
    epsilon
        The budget of one report in nats, 0 to infinity.
    alpha
        The share of what the memoised bits promise that one report may use, above 0 and at most 1.

    Raises
    ------
    BudgetError
        The budget is negative, or the share is not above 0 and at most 1.

    Notes
    -----
    Arcolezi, Couchot, Al Bouna and Xiao, "Improving the utility of locally differentially private
    protocols for longitudinal and multidimensional frequency estimates" (2022). The memoised
    bits are those of `OUE` with ``permanent_epsilon``; each report keeps a bit with ``kept`` and flips it
    otherwise. The bit of the true symbol is then set with 1/2, as before, so that **one report has the
    channel of OUE with its own budget**.

    Examples
    --------
    >>> one = LOSUE(1.0, alpha=0.5)
    >>> one.permanent_epsilon, round(one.kept, 6)
    (2.0, 0.803388)
    >>> one.channel(3).tolist() == OUE(1.0).channel(3).tolist()
    True
    """

    name: ClassVar[str] = "LOSUE"
    title: ClassVar[str] = "longitudinal unary encoding, one report"

    alpha: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "alpha", FACTOR.take(self.alpha, "alpha"))

    @property
    def permanent_epsilon(self) -> float:
        """What the memoised bits promise however often they are reported, in nats."""
        return self.epsilon / self.alpha

    @property
    def kept(self) -> float:
        """Probability that a report shows a memoised bit as it is."""
        most = tanh(self.permanent_epsilon / 2)
        return 0.5 + tanh(self.epsilon / 2) / (2 * most) if most > 0 else (1 + self.alpha) / 2


@dataclass(frozen=True)
class RAPPOR(UnaryEncoding):
    """One report of RAPPOR: bits that are memoised with noise f, and reported with noise p and q.

    Parameters
    ----------
    f
        A memoised bit is drawn anew with this probability, 0 to 1.
    p, q
        Probabilities of reporting 1 for a memoised 0 and for a memoised 1; p is at most q.

    Attributes
    ----------
    epsilon
        What one report promises; it follows from f, p and q.

    Raises
    ------
    BudgetError
        A parameter is no probability, or q is below p.

    Notes
    -----
    Erlingsson, Pihur and Korolova, "RAPPOR: randomized aggregatable privacy-preserving ordinal response"
    (2014). Many reports of one person reveal the memoised bits, which promise ``permanent_epsilon``.

    Examples
    --------
    >>> one = RAPPOR(f=0.5, p=0.5, q=0.75)
    >>> one.p_star, one.q_star, round(one.epsilon, 6)
    (0.6875, 0.5625, 0.537143)
    >>> round(one.permanent_epsilon, 6), round(one.most_epsilon, 6)
    (2.197225, 1.098612)
    """

    name: ClassVar[str] = "RAPPOR"
    title: ClassVar[str] = "RAPPOR, one report"

    epsilon: float = field(init=False, repr=False, compare=False)
    f: float
    p: float
    q: float

    def __post_init__(self) -> None:
        for name in ("f", "p", "q"):
            object.__setattr__(self, name, PROBABILITY.take(getattr(self, name), name))
        if self.q < self.p:
            raise BudgetError(
                f"q is {self.q:.12g} and below p = {self.p:.12g}; a memoised 1 must be reported as 1 at "
                "least as often as a memoised 0.",
                Where("parameter", name="q"),
            )
        object.__setattr__(self, "epsilon", self._one_report(self.f))

    def _bits(self, f: float) -> tuple[float, float, float, float]:
        """Return the probabilities of 1 and of 0 for the true symbol, and of 1 and of 0 for another."""
        kept, drawn = 1 - f / 2, f / 2
        return (
            kept * self.q + drawn * self.p,
            kept * (1 - self.q) + drawn * (1 - self.p),
            drawn * self.q + kept * self.p,
            drawn * (1 - self.q) + kept * (1 - self.p),
        )

    def _one_report(self, f: float) -> float:
        _, lost, q, _ = self._bits(f)
        difference = (1 - f) * (self.q - self.p)
        if difference == 0:
            return 0.0
        return inf if q == 0 or lost == 0 else log1p(difference / q) + log1p(difference / lost)

    def with_epsilon(self, epsilon: float) -> NoReturn:
        """Refuse: the budget follows from f, p and q."""
        raise BudgetError(
            f"RAPPOR has no budget to set: epsilon = {self.epsilon:.6g} follows from f, p and q. Give other "
            "f, p or q, or use SUE, which is the same encoding with a budget.",
            Where("parameter", name="epsilon"),
        )

    @property
    def p_star(self) -> float:
        """Probability that the bit of the true symbol is reported as 1."""
        return self._bits(self.f)[0]

    @property
    def q_star(self) -> float:
        """Probability that the bit of another symbol is reported as 1."""
        return self._bits(self.f)[2]

    @property
    def permanent_epsilon(self) -> float:
        """What the memoised bits promise however often they are reported, in nats."""
        return 2 * (log1p(-self.f / 2) - log(self.f / 2)) if self.f > 0 else inf

    @property
    def most_epsilon(self) -> float:
        """The most that one report with these p and q can use, at f = 0, in nats."""
        return self._one_report(0.0)

    def rates(self) -> BitRates:
        """Return the probabilities of the bits."""
        p, lost, q, _ = self._bits(self.f)
        logs = (log(x) if x > 0 else -inf for x in (lost, q))
        return BitRates(p, q, lost, (1 - self.f) * (self.q - self.p), *logs)

    def _log_ratio(self, k: int) -> float:
        return self.epsilon
