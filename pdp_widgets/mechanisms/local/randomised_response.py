"""Say the truth, or any other symbol: generalised randomised response and its kin."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, inf, log1p
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.mechanisms.local.attack import SymmetricChannel
from pdp_widgets.mechanisms.local.frequency_estimation import SupportRates
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism, check_outputs
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size, as_delta
from pdp_widgets.mechanisms.local.reports import SymbolReports
from pdp_widgets.mechanisms.local.subset_family import SubsetFamily

__all__ = ["EXP", "GRR", "DeltaGRR", "RandomisedResponse"]


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
        check_outputs(as_alphabet_size(k), k, self.name)
        return self.inferred(k).matrix()

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
        object.__setattr__(self, "delta", as_delta(self.delta))

    def _log_ratio(self, k: int) -> float:
        if self.epsilon == inf:
            return inf
        odds = self.delta / (1 - self.delta)
        return self.epsilon + log1p(odds * (1 + (k - 1) * exp(-self.epsilon)))
