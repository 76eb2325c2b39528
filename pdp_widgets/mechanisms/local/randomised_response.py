"""Randomised response and subset selection: reports that favour the true value."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb, exp, expm1, floor, inf, log1p
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import COUNT, DELTA
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.mechanisms.local.attack import SubsetFamily, SymmetricChannel
from pdp_widgets.mechanisms.local.frequency_estimation import SupportRates
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism, check_outputs
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size
from pdp_widgets.mechanisms.local.reports import SetReports, SymbolReports, check_room, row_blocks

__all__ = ["EXP", "GRR", "SS", "DeltaGRR", "RandomisedResponse"]

#: More sets are not counted as a float.
_MOST_SETS = 1e290


class RandomisedResponse(LocalMechanism):
    """Report the true symbol with one probability and each other symbol with another, smaller one."""

    def family(self, k: int) -> SubsetFamily:
        """Return the sets of one symbol: a report favours the symbol it names."""
        as_alphabet_size(k)
        return SubsetFamily("singletons")

    def support(self, k: int) -> SupportRates:
        """Return how often a report is the true symbol and how often a given wrong one."""
        promise = self.promise(k)
        low = exp(-promise)
        total = 1 + (k - 1) * low
        return SupportRates(1 / total, low / total, -expm1(-promise) / total)

    def inferred(self, k: int) -> SymmetricChannel:
        """Return the channel itself: the report is the best guess."""
        rates = self.support(k)
        return SymmetricChannel(k, rates.p, rates.q if k > 1 else 0.0, self.promise(k))

    def channel(self, k: int) -> NDArray[np.float64]:
        """Return the exact matrix, shape (k, k)."""
        k = as_alphabet_size(k)
        check_outputs(k, k, self.name)
        return self.inferred(k).matrix()

    def _chances(self, k: int, favoured: int) -> tuple[float, float]:
        guess = self.inferred(k)
        return guess.keep, guess.other

    def _release(self, codes: NDArray[np.int64], k: int, rng: np.random.Generator) -> SymbolReports:
        if k == 1:
            return SymbolReports(np.zeros(len(codes), np.int64), k)
        kept = rng.random(len(codes)) < self.support(k).p
        shifted = (codes + rng.integers(1, k, len(codes))) % k
        return SymbolReports(np.where(kept, codes, shifted), k)


@dataclass(frozen=True)
class GRR(RandomisedResponse):
    """Generalised (k-ary) randomised response: the truth is exp(epsilon) times as likely as any other symbol.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.

    Notes
    -----
    Warner, "Randomized response" (1965), for two symbols; Kairouz, Bonawitz and Ramage, "Discrete
    distribution estimation under local privacy" (2016), for more.

    Examples
    --------
    >>> import math
    >>> GRR(math.log(3)).channel(3).round(3).tolist()
    [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]]
    >>> reports = GRR(1.0).release([0, 1, 2, 2], k=3, rng=1)
    >>> len(reports)
    4
    """

    name: ClassVar[str] = "GRR"
    title: ClassVar[str] = "generalised randomised response"

    def _log_ratio(self, k: int) -> float:
        return self.epsilon


@dataclass(frozen=True)
class EXP(RandomisedResponse):
    """The exponential mechanism whose utility is 1 for the true symbol and 0 for the others.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity; half of it is not used.

    Notes
    -----
    McSherry and Talwar, "Mechanism design via differential privacy" (2007). With this utility it is
    generalised randomised response at epsilon / 2, which is all that it promises.

    Examples
    --------
    >>> EXP(2.0).promise(4)
    1.0
    >>> bool((EXP(2.0).channel(4) == GRR(1.0).channel(4)).all())
    True
    """

    name: ClassVar[str] = "EXP"
    title: ClassVar[str] = "exponential mechanism, indicator utility"

    def _log_ratio(self, k: int) -> float:
        return self.epsilon / 2


@dataclass(frozen=True)
class DeltaGRR(RandomisedResponse):
    """Generalised randomised response that says the truth once more with probability delta.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.
    delta
        Probability of telling the truth outright; at least 0, below 1.

    Notes
    -----
    It is (epsilon, delta)-private. The ratio of likelihoods, which `promise` states, is larger than
    exp(epsilon) and grows with the number of symbols.

    Examples
    --------
    >>> DeltaGRR(1.0, 0.05).channel(3).round(6)[0].tolist()
    [0.597311, 0.201344, 0.201344]
    >>> DeltaGRR(1.0, 0.0).promise(3)
    1.0
    """

    name: ClassVar[str] = "DGRR"
    title: ClassVar[str] = "randomised response with a delta"

    delta: float

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "delta", DELTA.take(self.delta, "delta"))

    def _log_ratio(self, k: int) -> float:
        if self.epsilon == inf:
            return inf
        odds = self.delta / (1 - self.delta)
        return self.epsilon + log1p(odds * (1 + (k - 1) * exp(-self.epsilon)))


@dataclass(frozen=True)
class SS(LocalMechanism):
    """Report a set of omega symbols: one with the truth is exp(epsilon) times as likely as one without it.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.
    omega
        Size of the sets, 1 to k; without it k / (exp(epsilon) + 1) rounded down, at least 1.

    Notes
    -----
    Ye and Barg, "Optimal schemes for discrete distribution estimation under locally differential privacy"
    (2018). The default size jumps with the budget, so that what leaks about another attribute can fall where
    the budget grows. With omega = k every report is the same and tells nothing.

    Examples
    --------
    >>> SS(1.0).subset_size(16), SS(1.0).nearest_subset_size(7), SS(1.0).subset_size(7)
    (4, 2, 1)
    >>> SS(0.5, omega=2).channel(4).round(4)[0].tolist()
    [0.2075, 0.2075, 0.2075, 0.1258, 0.1258, 0.1258]
    """

    name: ClassVar[str] = "SS"
    title: ClassVar[str] = "subset selection"
    keeps_unseen: ClassVar[bool] = True

    omega: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.omega is not None:
            object.__setattr__(self, "omega", COUNT.take(self.omega, "omega"))

    def _share(self, k: int) -> float:
        return k / (exp(self.epsilon) + 1) if self.epsilon < 709 else 0.0

    def subset_size(self, k: int) -> int:
        """Return the size of the sets for k symbols.

        Raises
        ------
        BudgetError
            A given omega is above k.
        """
        k = as_alphabet_size(k)
        if self.omega is None:
            return max(1, floor(self._share(k)))
        if self.omega > k:
            raise BudgetError(
                f"omega is {self.omega} and there are k = {k} symbols; it must be 1 to {k}.",
                Where("parameter", name="omega"),
            )
        return self.omega

    def nearest_subset_size(self, k: int) -> int:
        """Return the size that the usual libraries take for k symbols: the nearest whole number."""
        return max(1, round(self._share(as_alphabet_size(k))))

    def _log_ratio(self, k: int) -> float:
        return self.epsilon if self.subset_size(k) < k else 0.0

    def family(self, k: int) -> SubsetFamily:
        """Return the sets that are reported."""
        return SubsetFamily("exactly", self.subset_size(k))

    def support(self, k: int) -> SupportRates:
        """Return how often the set holds the true symbol and how often a given wrong one."""
        size = self.subset_size(k)
        low = exp(-self.epsilon)
        total = size + (k - size) * low
        p = size / total
        if k == 1:
            return SupportRates(1.0, 0.0, 1.0)
        wrong = (size * (size - 1) + (k - size) * size * low) / (total * (k - 1))
        return SupportRates(p, wrong, size * (k - size) * -expm1(-self.epsilon) / (total * (k - 1)))

    def channel(self, k: int) -> NDArray[np.float64]:
        """Return the exact matrix, shape (k, C(k, omega)): sets in lexicographic order."""
        size = self.subset_size(k)
        sets = comb(k, size)
        check_outputs(k, float(sets) if sets < 1e300 else inf, self.name)
        member = np.zeros((k, sets), np.bool_)
        listed = np.array(list(combinations(range(k), size)))
        member[listed.T, np.arange(sets)] = True
        low = exp(-self.epsilon)
        each = 1 / (comb(k - 1, size - 1) + low * comb(k - 1, size))
        return np.where(member, each, low * each)

    def inferred(self, k: int) -> SymmetricChannel:
        """Return the channel to a symbol drawn from the reported set."""
        size = self.subset_size(k)
        if k == 1:
            return SymmetricChannel.of(1, 1.0, 0.0)
        low = exp(-self.epsilon)
        total = size + (k - size) * low
        keep = 1 / total
        if size == 1:
            return SymmetricChannel(k, keep, low * keep, self.promise(k))
        weight = size - 1 + (k - size) * low
        more = log1p((k - size) * -expm1(-self.epsilon) / weight)
        return SymmetricChannel(k, keep, weight / ((k - 1) * total), more)

    def _chances(self, k: int, favoured: int) -> tuple[float, float] | None:
        low = exp(-self.epsilon)
        with_it, without = comb(k - 1, favoured - 1), comb(k - 1, favoured)
        if max(with_it, without) > _MOST_SETS:
            return None
        each = 1 / (with_it + low * without)
        return each, low * each

    def _release(self, codes: NDArray[np.int64], k: int, rng: np.random.Generator) -> SetReports:
        size = self.subset_size(k)
        # A report is drawn among all symbols.
        check_room(1, k, 16)
        check_room(len(codes), size, 8)
        holds = rng.random(len(codes)) < self.support(k).p
        sets = np.empty((len(codes), size), np.int64)
        for rows in row_blocks(len(codes), k):
            # The symbols with the smallest keys are a random set; the true one's key puts it first or last.
            keys = rng.random((rows.stop - rows.start, k))
            keys[np.arange(len(keys)), codes[rows]] = np.where(holds[rows], -1.0, 2.0)
            chosen = (
                np.argpartition(keys, size - 1, axis=1)[:, :size] if size < k else np.argsort(keys, axis=1)
            )
            sets[rows] = np.sort(chosen, axis=1)
        return SetReports(sets, k)
