"""A channel with finitely many outputs, and the worst of all mechanisms with a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import DELTA
from pdp_widgets.core.chart import nats
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import BudgetError, DomainError, TableError, Where
from pdp_widgets.mechanisms.local.attack import SubsetFamily
from pdp_widgets.mechanisms.local.local_mechanism import LocalMechanism
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size
from pdp_widgets.mechanisms.local.reports import SymbolReports
from pdp_widgets.models.labels import Domain, are_numbered, as_domain, axis_names, label_key, short, shown

__all__ = ["AnyMechanism", "Channel", "as_stochastic"]


def as_stochastic(matrix: Any, what: str, name: str) -> NDArray[np.float64]:
    """Return a read-only matrix whose rows are probabilities, or raise TableError naming the row."""
    where = Where("parameter", name=name)
    refuse_masked(matrix, name)
    try:
        found = plain_numbers(matrix)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"{what} is {shown(matrix)}; give rows of probabilities, all of one length.", where
        ) from None
    if found.ndim != 2 or not found.size:
        raise TableError(f"{what} has the shape {found.shape}; give at least one row and one column.", where)
    wrong = ~(np.isfinite(found) & (found >= 0))
    if wrong.any():
        row, column = (int(x) for x in np.argwhere(wrong)[0])
        raise TableError(
            f"{what} has {found[row, column]:.12g} in row {row}, column {column}; "
            "an entry is a probability, 0 or more.",
            Where("cell", index=(row, column), name=name),
        )
    with np.errstate(over="ignore"):
        sums = found.sum(axis=1)
    off = np.abs(sums - 1) > 1e-9
    if off.any():
        row = int(np.argmax(off))
        raise TableError(
            f"{what}: row {row} sums to {sums[row]:.12g}; every row must sum to 1.",
            Where("row", index=(row,), name=name),
        )
    found.setflags(write=False)
    return found


@dataclass(frozen=True, eq=False)
class Channel(LocalMechanism):
    """A mechanism with finitely many outputs, given by the probability of each.

    Parameters
    ----------
    matrix
        One row for each symbol and one column for each output; rows sum to 1. A pandas data frame names its
        rows by its index: they are taken by name where the labels of an attribute are known.

    Attributes
    ----------
    symbols
        The names of the rows; None where they are in the order of the labels.
    epsilon
        What it promises: the largest ln ratio within a column; infinite where 0 is beside a positive entry.

    Raises
    ------
    TableError
        An entry is no probability or a row does not sum to 1.
    DomainError
        Two rows have one name.

    Examples
    --------
    >>> channel = Channel([[0.8, 0.2], [0.2, 0.8]])
    >>> round(channel.promise(2), 6)
    1.386294
    >>> channel == Channel([[0.8, 0.2], [0.2, 0.8]])
    True

    Rows by name, whatever their order:

    >>> import pandas as pd
    >>> named = Channel(pd.DataFrame([[0.9, 0.1], [0.2, 0.8]], index=["male", "female"]))
    >>> named.for_labels(("female", "male"), "sex").matrix.tolist()
    [[0.2, 0.8], [0.9, 0.1]]
    """

    name: ClassVar[str] = "channel"
    title: ClassVar[str] = "a given matrix"
    two_level: ClassVar[bool] = False
    keeps_unseen: ClassVar[bool] = True

    epsilon: float = field(init=False, repr=False)
    matrix: NDArray[np.float64]
    symbols: Domain | None = None

    def __init__(self, matrix: ArrayLike) -> None:
        if "matrix" in self.__dict__:
            raise AttributeError("A Channel cannot be changed: make a new one.")
        found = as_stochastic(matrix, "The matrix of the channel", "matrix")
        named = axis_names(matrix, "DataFrame", "index")
        symbols = None if named is None else as_domain(named, 0, "the rows of the channel")
        object.__setattr__(self, "matrix", found)
        object.__setattr__(self, "symbols", symbols)
        most, least = found.max(axis=0), found.min(axis=0)
        told = most > 0
        with np.errstate(divide="ignore"):
            logs = np.log(most[told]) - np.log(least[told])
        object.__setattr__(self, "epsilon", max(0.0, float(logs.max())))

    def _checked(self, k: int) -> int:
        size = as_alphabet_size(k)
        if size != len(self.matrix):
            raise DomainError(
                f"The channel has rows for {len(self.matrix)} symbols, and k is {size}; they must be equal.",
                Where("parameter", name="k"),
            )
        return size

    def for_labels(self, labels: Sequence[Any], name: str) -> Channel:
        """Return the channel with its rows in the order of an attribute's labels, or raise DomainError."""
        if self.symbols is None:
            return self
        order = list(range(len(self.symbols)))
        if {label_key(one) for one in self.symbols} == {label_key(one) for one in labels}:
            places = {label_key(one): row for row, one in enumerate(self.symbols)}
            order = [places[label_key(one)] for one in labels]
        elif not (are_numbered(self.symbols) and len(self.symbols) == len(labels)):
            raise DomainError(
                f"The rows of the channel are named {shown(list(self.symbols))} and the labels of "
                f"{short(name)} are {shown(list(labels))}; name the rows by the labels, each once.",
                Where("parameter", name="mechanism"),
                call="Or give frame.to_numpy() with the rows in the order of the labels.",
            )
        return Channel(self.matrix[order])

    def with_epsilon(self, epsilon: float) -> NoReturn:
        """Refuse: the budget follows from the matrix."""
        raise BudgetError(
            f"A given channel has no budget to set: it promises {nats(self.epsilon)} by its matrix. "
            "Give another matrix, or a mechanism by name.",
            Where("parameter", name="epsilon"),
        )

    def _log_ratio(self, k: int) -> float:
        self._checked(k)
        return self.epsilon

    def family(self, k: int) -> NoReturn:
        """Refuse: likelihoods can have more than two levels, and the columns of the matrix say all."""
        self._refuse("family of sets; use its columns")

    def channel(self, k: int) -> NDArray[np.float64]:
        """Return the matrix, read-only."""
        self._checked(k)
        return self.matrix

    def inferred(self, k: int) -> NoReturn:
        """Refuse: no guess is defined for outputs without a meaning."""
        self._refuse("guess that is defined; multiply its matrix by that of a guess, and give the product")

    def support(self, k: int) -> NoReturn:
        """Refuse: no estimator is defined for outputs without a meaning."""
        self._refuse("estimator that is defined")

    def _refuse(self, what: str) -> NoReturn:
        raise BudgetError(f"A given channel has no {what}.", Where("parameter", name="mechanism"))

    def _release(self, codes: NDArray[np.int64], k: int, rng: np.random.Generator) -> SymbolReports:
        self._checked(k)
        reached = np.cumsum(self.matrix, axis=1)
        outputs = np.empty(len(codes), np.int64)
        drawn = rng.random(len(codes))
        for symbol in range(k):
            rows = codes == symbol
            # Scaled by the last sum, which differs from 1 by rounding: no draw may lie beyond it.
            edges = reached[symbol] / reached[symbol, -1]
            outputs[rows] = np.searchsorted(edges, drawn[rows], side="right")
        return SymbolReports(outputs, self.matrix.shape[1])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Channel):
            return NotImplemented
        return self.symbols == other.symbols and bool(np.array_equal(self.matrix, other.matrix))

    def __hash__(self) -> int:
        return hash((self.matrix.shape, self.matrix.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.matrix, self.symbols)


def _restored(matrix: NDArray[np.float64], symbols: Domain | None) -> Channel:
    """Return a channel as it was pickled."""
    made = Channel(matrix)
    object.__setattr__(made, "symbols", symbols)
    return made


@dataclass(frozen=True)
class AnyMechanism(LocalMechanism):
    """Any mechanism with the budget epsilon, the one that leaks most about another attribute.

    Parameters
    ----------
    epsilon
        The budget in nats, 0 to infinity.
    delta
        Probability with which the budget may fail; at least 0, below 1.

    Notes
    -----
    OUE, SUE, BLH, OLH and SHE leak exactly this much. It has no reports of its own.

    Examples
    --------
    >>> AnyMechanism(1.0).family(3)
    SubsetFamily(kind='all', size=None)
    """

    name: ClassVar[str] = "generic"
    title: ClassVar[str] = "any mechanism with this budget"

    delta: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "delta", DELTA.take(self.delta, "delta"))

    def _log_ratio(self, k: int) -> float:
        return self.epsilon

    def family(self, k: int) -> SubsetFamily:
        """Return all sets."""
        as_alphabet_size(k)
        return SubsetFamily("all")

    def _refuse(self, what: str) -> NoReturn:
        raise BudgetError(
            f"'generic' stands for every mechanism with this budget and has no {what}; "
            "name one, for example OUE.",
            Where("parameter", name="mechanism"),
        )

    def channel(self, k: int) -> NoReturn:
        """Refuse: there is no one matrix."""
        self._refuse("matrix of its own")

    def inferred(self, k: int) -> NoReturn:
        """Refuse: there is no one attack."""
        self._refuse("guess of its own")

    def support(self, k: int) -> NoReturn:
        """Refuse: there is no one estimator."""
        self._refuse("estimator of its own")

    def _release(self, codes: NDArray[np.int64], k: int, rng: np.random.Generator) -> NoReturn:
        self._refuse("reports of its own")
