"""What every mechanism of local privacy has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from math import exp, inf
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON
from pdp_widgets.core.converters import as_generator
from pdp_widgets.errors import BudgetError, LimitError, Where
from pdp_widgets.mechanisms.local.frequency_estimation import SupportRates, as_frequencies, counted
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size, as_codes

if TYPE_CHECKING:
    from pdp_widgets.mechanisms.local.attack import SubsetFamily, SymmetricChannel
    from pdp_widgets.mechanisms.local.reports import Reports

__all__ = ["MOST_CELLS", "LocalMechanism", "check_outputs"]

#: Cells of an exact matrix; more are refused.
MOST_CELLS = 1 << 22


def check_outputs(k: int, outputs: float, name: str) -> None:
    """Raise LimitError if an exact matrix of k rows and so many columns would be too large."""
    if k * outputs > MOST_CELLS:
        raise LimitError(
            f"The exact matrix of {name} for {k:,} symbols has {outputs:.3g} outputs, and at most "
            f"{MOST_CELLS:,} cells are made; its leakage needs no matrix.",
            Where("parameter", name="k"),
        )


@dataclass(frozen=True)
class LocalMechanism(ABC):
    """A randomised report of one attribute, made by its owner.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.

    Attributes
    ----------
    name
        Short name, as in `mechanism_named`.
    title
        The name in words.
    keeps_unseen
        Whether symbols that were never seen change what is leaked about another attribute.
    two_level
        Whether the likelihoods of every output have two levels, so that ``family`` and ``ratio`` say all.

    Notes
    -----
    Symbols are numbers from 0; a mechanism is the same for any number k of them. An output that makes the
    symbols of a set exp(promise) times as likely as all others is what can be learnt at most.

    Examples
    --------
    >>> from pdp_widgets import OUE
    >>> mechanism = OUE(epsilon=2.0)
    >>> isinstance(mechanism, LocalMechanism), mechanism.promise(k=4), mechanism.family(k=4).count(4)
    (True, 2.0, 14)
    >>> reports = mechanism.release([0, 3, 3, 1], k=4, rng=1)
    >>> mechanism.frequencies(reports).shape
    (4,)
    """

    name: ClassVar[str]
    title: ClassVar[str]
    keeps_unseen: ClassVar[bool] = False
    two_level: ClassVar[bool] = True

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", EPSILON.take(self.epsilon, "epsilon"))

    def with_epsilon(self, epsilon: float) -> Self:
        """Return the same mechanism with another budget.

        Raises
        ------
        BudgetError
            The budget is negative or no number, or is not a parameter of this mechanism.

        Examples
        --------
        >>> from pdp_widgets import OLH
        >>> OLH(1.0, g=4).with_epsilon(2.0)
        OLH(epsilon=2.0, g=4)
        """
        return replace(self, epsilon=epsilon)

    def for_labels(self, labels: Sequence[Any], name: str) -> LocalMechanism:
        """Return the mechanism for an attribute's labels in their order; most are the same for all.

        Parameters
        ----------
        labels
            Labels of the attribute, whose positions are the symbols.
        name
            Of the attribute.

        Raises
        ------
        DomainError
            The mechanism names other symbols; only a `Channel` made of a data frame names some.

        Examples
        --------
        >>> from pdp_widgets import GRR
        >>> GRR(1.0).for_labels(["no", "yes"], "smokes")
        GRR(epsilon=1.0)
        """
        return self

    @property
    def label(self) -> str:
        """The mechanism in a few words, with the parameters that are set.

        Examples
        --------
        >>> from pdp_widgets import RAPPOR, SS
        >>> SS(1.0, omega=2).label, RAPPOR(0.5, 0.5, 0.75).label
        ('SS, omega 2', 'RAPPOR, f 0.5, p 0.5, q 0.75')
        """
        named = "Any mechanism" if self.name == "generic" else self.name
        given = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "epsilon"}
        numbers = {name: value for name, value in given.items() if isinstance(value, int | float) and value}
        return ", ".join([named, *(f"{name} {value:g}" for name, value in numbers.items())])

    def same_but_for_budget(self, other: LocalMechanism) -> bool:
        """Tell whether both are the same mechanism, whatever their budgets.

        Examples
        --------
        >>> from pdp_widgets import OLH
        >>> OLH(1.0, g=2).same_but_for_budget(OLH(3.0, g=2)), OLH(1.0).same_but_for_budget(OLH(1.0, g=50))
        (True, False)
        """
        if type(self) is not type(other):
            return False
        try:
            return self.with_epsilon(1.0) == other.with_epsilon(1.0)
        except BudgetError:
            return self == other

    def promise(self, k: int) -> float:
        """Return what is promised for the attribute itself, in nats: ln of the largest ratio of likelihoods.

        Parameters
        ----------
        k
            Number of symbols; with one symbol there is nothing to learn.

        Examples
        --------
        >>> from pdp_widgets import EXP
        >>> EXP(1.0).promise(4)
        0.5
        """
        return 0.0 if as_alphabet_size(k) == 1 else self._log_ratio(int(k))

    def ratio(self, k: int) -> float:
        """Return the largest ratio of the likelihoods of two symbols, 1 to infinity.

        It is infinite also where it is merely too large for a float; ``promise`` is not.

        Examples
        --------
        >>> from pdp_widgets import GRR
        >>> round(GRR(1.0).ratio(4), 6), GRR(1000.0).ratio(4)
        (2.718282, inf)
        """
        promise = self.promise(k)
        return exp(promise) if promise < 709.7 else inf

    @abstractmethod
    def _log_ratio(self, k: int) -> float:
        """Return ln rho for k >= 2 symbols."""

    @abstractmethod
    def family(self, k: int) -> SubsetFamily:
        """Return the sets of symbols that outputs can favour.

        Examples
        --------
        >>> from pdp_widgets import GRR, OUE
        >>> GRR(1.0).family(4).count(4), OUE(1.0).family(4).count(4)
        (4, 14)
        """

    @abstractmethod
    def channel(self, k: int) -> NDArray[np.float64]:
        """Return the exact matrix, one row for each of k symbols and one column for each output.

        Raises
        ------
        LimitError
            The matrix would be too large.

        Examples
        --------
        >>> from pdp_widgets import GRR
        >>> GRR(1.0).channel(2).round(4).tolist()
        [[0.7311, 0.2689], [0.2689, 0.7311]]
        """

    @abstractmethod
    def inferred(self, k: int) -> SymmetricChannel:
        """Return the channel from a symbol to the one that the best guess of it names.

        The guess sees one report and no prior; it is drawn at random among equally likely symbols.

        Examples
        --------
        >>> from pdp_widgets import OUE
        >>> round(OUE(1.0).inferred(4).error01, 4)
        0.6191
        """

    def release(self, codes: ArrayLike, k: int, rng: np.random.Generator | int | None = None) -> Reports:
        """Return one report for each code.

        Parameters
        ----------
        codes
            Symbols of n people, shape (n,), each 0 to k - 1.
        k
            Number of symbols.
        rng
            Generator or seed; without it fresh randomness.

        Raises
        ------
        DomainError
            A code is missing or no symbol.
        LimitError
            The reports would take more than 4 GB.

        Examples
        --------
        >>> from pdp_widgets import OUE
        >>> OUE(1.0).release([0, 3, 3, 1], k=4, rng=1).n
        4
        """
        size = as_alphabet_size(k)
        return self._release(as_codes(codes, size), size, as_generator(rng))

    @abstractmethod
    def _release(self, codes: NDArray[np.int64], k: int, rng: np.random.Generator) -> Reports:
        """Return one report for each checked code."""

    def _chances(self, k: int, favoured: int) -> tuple[float, float] | None:
        """Return how likely the worst report is for each of so many favoured symbols, and for another."""
        return None

    @abstractmethod
    def support(self, k: int) -> SupportRates:
        """Return how often a report supports the true symbol and how often a wrong one.

        Examples
        --------
        >>> from pdp_widgets import OUE
        >>> rates = OUE(1.0).support(4)
        >>> rates.p, round(rates.q, 4)
        (0.5, 0.2689)
        """

    def frequencies(
        self, reports: Reports | ArrayLike, k: int | None = None, n: int | None = None
    ) -> NDArray[np.float64]:
        """Return unbiased estimates of the share of each symbol, shape (k,); some may be negative.

        Parameters
        ----------
        reports
            What ``release`` returned, or how many of n reports support each symbol.
        k, n
            Number of symbols and of reports; only for counts.

        Examples
        --------
        >>> from pdp_widgets import GRR
        >>> GRR(1.0).frequencies([60, 40], k=2, n=100).round(4).tolist()
        [0.7164, 0.2836]
        """
        counts, size, people = counted(reports, k, n)
        return self.support(size).estimate(counts, people)

    def variance(self, frequencies: ArrayLike, k: int, n: int) -> NDArray[np.float64]:
        """Return the variances of the estimates for n people with these true shares, shape (k,).

        Examples
        --------
        >>> from pdp_widgets import GRR
        >>> GRR(1.0).variance([0.5, 0.5], k=2, n=100).round(5).tolist()
        [0.00921, 0.00921]
        """
        return self.support(k).variance(as_frequencies(frequencies, k), n)
