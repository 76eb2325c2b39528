"""What the best guess of one report is worth, and which sets of symbols a report can favour."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb, exp, expm1, inf, log, log1p
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.converters import check_many
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size
from pdp_widgets.models.labels import shown

__all__ = ["SubsetFamily", "SymmetricChannel", "gauss_legendre", "mean_inverse"]


@cache
def gauss_legendre(points: int = 64) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return nodes and weights of Gauss-Legendre quadrature on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    nodes, weights = (nodes + 1) / 2, weights / 2
    nodes.setflags(write=False)
    weights.setflags(write=False)
    return nodes, weights


def mean_inverse(j: int, n: int, c: float) -> float:
    """Return E[1 / (j + B)] with B binomial of n trials of probability c, for j = 1 or 2."""
    # The integral of x^(j-1) (1 - c + c x)^n over [0, 1]. Its closed form for j = 2 cancels where n c is
    # small, and the quadrature is too coarse where n c is large.
    if c >= 1:
        return 1 / (j + n)
    if n * c > 50:
        first, second = (-expm1((n + i) * log1p(-c)) / (n + i) for i in (1, 2))
        return first / c if j == 1 else (second - (1 - c) * first) / c**2
    nodes, weights = gauss_legendre()
    return float(np.sum(weights * nodes ** (j - 1) * np.exp(n * np.log1p(-c * (1 - nodes)))))


@dataclass(frozen=True)
class SymmetricChannel:
    """From a symbol to the guessed one: right with one probability, each wrong symbol with another.

    Parameters
    ----------
    k
        Number of symbols.
    keep
        Probability of the right symbol.
    other
        Probability of each of the k - 1 wrong symbols.
    log_ratio
        ln(keep / other) in nats; apart because ``other`` can be too small for a float. 0 for one symbol.

    Examples
    --------
    >>> SymmetricChannel.of(4, 0.4, 0.2).matrix()[0].tolist()
    [0.4, 0.2, 0.2, 0.2]
    """

    k: int
    keep: float
    other: float
    log_ratio: float

    @classmethod
    def of(
        cls,
        k: int,
        keep: float,
        other: float,
        difference: float | None = None,
        log_other: float | None = None,
    ) -> SymmetricChannel:
        """Return the channel, with the logarithm of the ratio from what cancels least.

        Parameters
        ----------
        k, keep, other
            As for the class.
        difference
            keep - other, where it is known without subtracting.
        log_other
            ln(other), where it is known without a float that is too small.
        """
        if k == 1:
            return cls(1, 1.0, 0.0, 0.0)
        if other > 0 and difference is not None and difference < other:
            found = log1p(difference / other)
        elif log_other is not None:
            found = log(keep) - log_other
        else:
            found = log(keep) - log(other) if other > 0 else inf
        return cls(k, keep, other, max(found, 0.0))

    @property
    def ratio(self) -> float:
        """How much likelier the right symbol is than a given wrong one, 1 to infinity."""
        return exp(self.log_ratio) if self.log_ratio < 709.7 else inf

    @property
    def error01(self) -> float:
        """Probability that the guess is wrong."""
        return (self.k - 1) * self.other

    def matrix(self) -> NDArray[np.float64]:
        """Return the probabilities, one row for each symbol and one column for each guess, shape (k, k)."""
        table = np.full((self.k, self.k), self.other)
        np.fill_diagonal(table, self.keep)
        return table


#: The count has this many bits; larger ones take too long.
_MOST_SYMBOLS = 1 << 20
_KINDS = ("all", "singletons", "exactly")


@dataclass(frozen=True)
class SubsetFamily:
    """The sets S of a mechanism whose likelihoods have two levels: rho on S and 1 elsewhere.

    Parameters
    ----------
    kind
        ``"all"`` for every set, ``"singletons"`` for sets of one symbol, ``"exactly"`` for sets of ``size``.
    size
        Number of symbols of every set; only for ``"exactly"``.

    Raises
    ------
    BudgetError
        There is no such kind, or the size does not go with it.

    Notes
    -----
    An output matters only by the direction of its likelihoods over the symbols of the source: what it leaks
    about another attribute is a maximum over these sets.

    Examples
    --------
    >>> SubsetFamily("exactly", 2).count(4)
    6
    >>> SubsetFamily("all").count(4)
    14
    """

    kind: Literal["all", "singletons", "exactly"]
    size: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in _KINDS:
            raise BudgetError(
                f"The kind of sets is {shown(self.kind)}; give 'all', 'singletons' or 'exactly'.",
                Where("parameter", name="kind"),
            )
        if self.kind != "exactly":
            if self.size is not None:
                raise BudgetError(
                    f"Sets of kind {self.kind!r} have no size of their own, but {shown(self.size)} is given.",
                    Where("parameter", name="size"),
                )
        else:
            as_size(self.size, "size", 1, subject="The size of the sets")

    def count(self, k: int) -> int:
        """Return how many sets of k symbols tell something: neither none of the symbols nor all of them."""
        k = as_alphabet_size(k)
        if self.kind == "all":
            check_many(k, _MOST_SYMBOLS, "k")
            return max((1 << k) - 2, 0)
        size = 1 if self.size is None else self.size
        return comb(k, size) if size < k else 0
