"""Hash the symbols into a few groups and report one group: binary and optimised local hashing."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import exp, expm1, inf, log
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import GROUPS
from pdp_widgets.mechanisms.local.attack import SubsetFamily, SymmetricChannel, mean_inverse
from pdp_widgets.mechanisms.local.frequency_estimation import SupportRates
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism, check_outputs
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size
from pdp_widgets.mechanisms.local.reports import HashedReports, hashed

__all__ = ["BLH", "OLH", "LocalHashing"]


class LocalHashing(LocalMechanism):
    """Report a random hash function and the group of the true symbol, after randomised response on groups."""

    # The hash functions are drawn from all functions, so that the groups of different symbols are
    # independent. With a family that is universal and no more, guesses have other probabilities.

    @property
    @abstractmethod
    def groups(self) -> int | float:
        """Number of groups g; infinite where it is too large for a float."""

    def wrong_weight(self) -> float:
        """Return (g - 1) exp(-epsilon): the weight of all wrong groups beside the true one."""
        return (self.groups - 1) * exp(-self.epsilon)

    def _log_ratio(self, k: int) -> float:
        return self.epsilon

    def family(self, k: int) -> SubsetFamily:
        """Return all sets: over all functions, any set of symbols is a group."""
        as_alphabet_size(k)
        return SubsetFamily("all")

    def support(self, k: int) -> SupportRates:
        """Return how often the reported group holds the true symbol and how often a given wrong one."""
        as_alphabet_size(k)
        wrong, c = self.wrong_weight(), 1 / self.groups
        return SupportRates(1 / (1 + wrong), c, (1 - c) * -expm1(-self.epsilon) / (1 + wrong))

    def channel(self, k: int) -> NDArray[np.float64]:
        """Return the exact matrix, shape (k, g^(k+1)).

        An output is a function and a group. Functions are in lexicographic order of the groups of the symbols
        0 to k - 1, and the reported group runs fastest.
        """
        k = as_alphabet_size(k)
        too_many = (k + 1) * log(self.groups) > 60
        check_outputs(k, inf if too_many else float(self.groups) ** (k + 1), self.name)
        g = int(self.groups)
        functions = np.indices((g,) * k).reshape(k, -1)
        p = 1 / (1 + self.wrong_weight())
        hit = functions[:, :, None] == np.arange(g)
        wrong = exp(-self.epsilon) / (1 + self.wrong_weight())
        return np.asarray(np.where(hit, p, wrong).reshape(k, -1) / float(g) ** k)

    def inferred(self, k: int) -> SymmetricChannel:
        """Return the channel to a symbol drawn from the reported group; from all if it is empty."""
        k = as_alphabet_size(k)
        if k == 1:
            return SymmetricChannel.of(1, 1.0, 0.0)
        rates, wrong = self.support(k), self.wrong_weight()
        p, c, lost = rates.p, rates.q, wrong / (1 + wrong)
        single = mean_inverse(1, k - 2, c)
        empty = lost * (1 - c) ** (k - 1) / k
        keep = p * mean_inverse(1, k - 1, c) + empty
        other = c * (p * mean_inverse(2, k - 2, c) + lost * single) + empty
        return SymmetricChannel.of(k, keep, other, rates.difference * single)

    def _chances(self, k: int, favoured: int) -> tuple[float, float]:
        if self.groups == inf:
            return 1.0, 0.0
        total = 1 + self.wrong_weight()
        return 1 / total, exp(-self.epsilon) / total

    def _release(self, codes: NDArray[np.int64], k: int, rng: np.random.Generator) -> HashedReports:
        # With more groups two symbols hardly ever meet in one.
        g = int(min(self.groups, GROUPS.most))
        seeds = rng.integers(0, 1 << 64, len(codes), dtype=np.uint64)
        true = hashed(seeds, codes, g)
        kept = rng.random(len(codes)) < 1 / (1 + self.wrong_weight())
        reported = np.where(kept, true, (true + rng.integers(1, g, len(codes))) % g)
        return HashedReports(reported, k, seeds, g)


@dataclass(frozen=True)
class BLH(LocalHashing):
    """Binary local hashing: two groups.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.

    Notes
    -----
    Bassily and Smith, "Local, private, efficient protocols for succinct histograms" (2015); Wang, Blocki, Li
    and Jha, "Locally differentially private protocols for frequency estimation" (2017).

    Examples
    --------
    >>> round(BLH(1.0).inferred(2).keep, 6)
    0.615529
    """

    name: ClassVar[str] = "BLH"
    title: ClassVar[str] = "binary local hashing"

    @property
    def groups(self) -> int:
        """Number of groups: two."""
        return 2


@dataclass(frozen=True)
class OLH(LocalHashing):
    """Optimised local hashing: about exp(epsilon) + 1 groups.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.
    g
        Number of groups, 2 or more; without it exp(epsilon) rounded, plus 1.

    Notes
    -----
    Wang, Blocki, Li and Jha, "Locally differentially private protocols for frequency estimation" (2017). The
    number of groups jumps with the budget, and what is guessed from a report jumps with it.

    Examples
    --------
    >>> [OLH(epsilon).groups for epsilon in (0.5, 1.0, 2.0, 3.0, 5.0)]
    [3, 4, 8, 21, 149]
    >>> OLH(1.0, g=2).inferred(5) == BLH(1.0).inferred(5)
    True
    """

    name: ClassVar[str] = "OLH"
    title: ClassVar[str] = "optimised local hashing"

    g: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.g is not None:
            object.__setattr__(self, "g", GROUPS.take(self.g, "g"))

    @property
    def groups(self) -> int | float:
        """Number of groups; infinite where exp(epsilon) is too large for a float."""
        if self.g is not None:
            return self.g
        return max(2, round(exp(self.epsilon)) + 1) if self.epsilon < 709.7 else inf

    def wrong_weight(self) -> float:
        """Return (g - 1) exp(-epsilon): the weight of all wrong groups beside the true one."""
        # By default g - 1 is exp(epsilon) but for rounding.
        return 1.0 if self.g is None and self.epsilon > 40 else super().wrong_weight()
