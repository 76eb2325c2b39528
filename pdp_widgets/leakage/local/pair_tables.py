"""The joint tables of every two attributes, as one matrix with a block for each pair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.local.conditionals import Conditionals, as_table
from pdp_widgets.leakage.local.pair_leakage import Pair
from pdp_widgets.leakage.local.records import as_records
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.counters import PairCounter
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Domain, as_domains, as_names, shown

__all__ = ["PairTables", "as_numbers"]

Numbers = NDArray[Any]

_MOST_CELLS = 1 << 27


@dataclass(frozen=True, eq=False)
class PairTables:
    """Counts or probabilities of every two attributes.

    Parameters
    ----------
    names, domains
        Of the attributes.
    blocks
        Symmetric matrix over all symbols of all attributes; block (a, b) is the table of a and b, and a
        diagonal block holds how often each symbol occurs.
    counted
        Whether the numbers are records.

    Examples
    --------
    >>> from pdp_widgets import lsat6
    >>> tables = PairTables.of(lsat6())
    >>> tables.table("item 1", "item 5").tolist()
    [[12, 64], [118, 806]]
    """

    names: tuple[str, ...]
    domains: tuple[Domain, ...]
    blocks: Numbers
    counted: bool

    @classmethod
    def of(cls, data: Any) -> PairTables:
        """Return the tables of records (a data frame too), counted pairs, a joint distribution, or an array.

        Examples
        --------
        >>> PairTables.of({"smokes": ["yes", "no", "no"], "ill": ["yes", "no", "yes"]}).names
        ('smokes', 'ill')
        """
        data = as_records(data)
        if isinstance(data, PairTables):
            return data
        if isinstance(data, PairCounter):
            return cls(data.names, data.domains, data.pair_counts().table, True)
        if isinstance(data, AttributeTable):
            return cls(data.names, data.domains, data.pair_counts().table, True)
        numbers, names, counted = as_numbers(data)
        domains = data.domains if isinstance(data, JointDistribution) else None
        return cls(names, domains or as_domains(None, numbers.shape, names), _blocks(numbers), counted)

    @property
    def n(self) -> int:
        """Number of attributes."""
        return len(self.names)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of symbols of every attribute."""
        return np.array([len(domain) for domain in self.domains], dtype=np.int64)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """First row (and column) of every attribute."""
        return np.cumsum(self.sizes) - self.sizes

    def position(self, attribute: str | int) -> int:
        """Return the position of an attribute given by name or position, or raise DomainError."""
        if isinstance(attribute, str) and attribute in self.names:
            return self.names.index(attribute)
        if not isinstance(attribute, str) and is_whole(attribute):
            if 0 <= attribute < self.n:
                return int(attribute)
            raise DomainError(
                f"There is no attribute {attribute}; positions go from 0 to {self.n - 1}.",
                Where("parameter", name="attribute"),
            )
        listed = ", ".join(map(shown, self.names[:12])) + (", ..." if self.n > 12 else "")
        raise DomainError(
            f"There is no attribute {shown(attribute)}; there are {listed}.",
            Where("parameter", name="attribute"),
        )

    def table(self, first: str | int, second: str | int) -> Numbers:
        """Return the table of two attributes, the first on axis 0."""
        rows, columns = self._part(self.position(first)), self._part(self.position(second))
        return self.blocks[rows, columns]

    def _part(self, position: int) -> slice:
        start = int(self.starts[position])
        return slice(start, start + int(self.sizes[position]))

    def given(self, secret: int, min_count: float = 0) -> Conditionals:
        """Return what one attribute says about all others, side by side in their order.

        Parameters
        ----------
        secret
            Position of the attribute.
        min_count
            Values of it with fewer records are left out.
        """
        part = self._part(secret)
        rows = self.blocks[part]
        others = np.concatenate((rows[:, : part.start], rows[:, part.stop :]), axis=1)
        return Conditionals.from_counts(others, np.delete(self.sizes, secret), min_count)

    def pair(self, source: int, secret: int, min_count: float = 0) -> Pair:
        """Return a source and a secret as `pair_leakage` takes them."""
        numbers = self.table(secret, source)
        given = Conditionals.from_counts(numbers, [numbers.shape[1]], min_count)
        supports = tuple(int(total) for total in numbers.sum(axis=1)) if self.counted else None
        return Pair(
            (self.names[secret], self.names[source]),
            (self.domains[secret], self.domains[source]),
            given,
            supports,
        )

    def marginal(self, attribute: int) -> NDArray[np.float64]:
        """Return the shares of the symbols of an attribute."""
        part = self._part(attribute)
        numbers = np.diagonal(self.blocks[part, part]).astype(np.float64)
        total = numbers.sum()
        return numbers / total if total > 0 else numbers


def as_numbers(data: JointDistribution | ArrayLike) -> tuple[Numbers, tuple[str, ...], bool]:
    """Return the table of a joint distribution or an array, names, and whether its numbers are records."""
    if isinstance(data, JointDistribution):
        counts = data.counts
        return (data.table, data.names, False) if counts is None else (counts, data.names, True)
    numbers = as_table(data, "joint")
    if numbers.ndim == 0:
        raise DomainError("The joint is one number; give an array.", Where("parameter", name="joint"))
    return numbers, as_names(None, numbers.ndim), bool((numbers == np.floor(numbers)).all())


def _blocks(numbers: Numbers) -> Numbers:
    """Return the matrix of all pairwise marginals of an array."""
    sizes = numbers.shape
    total = sum(sizes)
    if total * total > _MOST_CELLS:
        raise LimitError(
            f"The attributes have {total:,} symbols together: tables of all pairs would take "
            f"{8e-9 * total * total:.1f} GB. Take fewer attributes, or bin them.",
            Where("parameter", name="joint"),
        )
    starts = np.cumsum(sizes) - np.asarray(sizes)
    found = np.zeros((total, total), dtype=numbers.dtype)
    axes = range(numbers.ndim)
    for a in axes:
        rows = slice(starts[a], starts[a] + sizes[a])
        single = numbers.sum(axis=tuple(x for x in axes if x != a))
        found[rows, rows] = np.diag(single)
        for b in range(a + 1, numbers.ndim):
            columns = slice(starts[b], starts[b] + sizes[b])
            both = numbers.sum(axis=tuple(x for x in axes if x not in (a, b)))
            found[rows, columns], found[columns, rows] = both, both.T
    return found
