"""Report a set of symbols, more often one that holds the truth: subset selection."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb, exp, expm1, floor, inf, log1p
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.mechanisms.local.attack import SymmetricChannel
from pdp_widgets.mechanisms.local.frequency_estimation import SupportRates
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism, check_outputs
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size, as_size
from pdp_widgets.mechanisms.local.reports import SetReports, check_room, row_blocks
from pdp_widgets.mechanisms.local.subset_family import SubsetFamily

__all__ = ["SS"]


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
            object.__setattr__(self, "omega", as_size(self.omega, "omega", 1))

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
