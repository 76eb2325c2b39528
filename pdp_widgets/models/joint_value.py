"""The numbers of a joint distribution: checked, read-only, comparable, and how many records are behind them.

A table with more cells than records is mostly empty. Its exact leakages are those of the sample: where the
few records that agree with the known values have one label, the others read as impossible, and the largest of
many leakages is the one on which chance fell hardest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import NOT_NEGATIVE
from pdp_widgets.errors import TableError
from pdp_widgets.models.labels import Domain, Label, as_title, short
from pdp_widgets.models.names import NamedAxes
from pdp_widgets.models.table_checks import check_described, check_sum

__all__ = ["CountedTable", "JointValue", "few_records", "pulled_to_independence"]

Floats = NDArray[np.float64]
#: More cells than these are told by their order of magnitude.
_COUNTED = 10**12


class CountedTable(NamedAxes):
    """Probabilities with the counts behind them, when there are any."""

    __slots__ = ("_counts", "_table")

    _table: Floats
    _counts: NDArray[np.int64] | None

    @property
    def table(self) -> Floats:
        """Probabilities, float64, read-only, one axis for each tuple."""
        return self._table

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of labels of every tuple."""
        return self._table.shape

    @property
    def counts(self) -> NDArray[np.int64] | None:
        """Counts behind the table (read-only), or None when it was not made from counts."""
        return self._counts

    @property
    def records(self) -> int | None:
        """Number of records behind the table, or None when it was not made from counts."""
        return None if self._counts is None else int(self._counts.sum())

    @property
    def records_per_cell(self) -> float | None:
        """Records divided by cells, or None when the table was not made from counts."""
        return None if self.records is None else self.records / self._table.size

    @property
    def sparse(self) -> bool:
        """Whether the table was made from fewer records than it has cells."""
        return self.records is not None and self.records < self._table.size

    @property
    def caution(self) -> str:
        """What to know before leakages of a sparse table are believed; empty for any other table.

        Examples
        --------
        >>> from pdp_widgets import JointDistribution
        >>> JointDistribution.from_counts([[1, 0], [1, 1]]).caution
        '3 records in 4 cells: 1 cell is empty; the largest leakages are mostly chance'
        >>> JointDistribution.from_counts([[2, 1], [1, 2]]).caution
        ''
        """
        if self._counts is None:
            return ""
        return few_records(int(self._counts.sum()), self._table.size, int(np.count_nonzero(self._counts)))


def few_records(records: int, cells: int, filled: int) -> str:
    """Say that there are fewer records than cells: the one rule of what is too few; empty where it is not."""
    if records >= cells:
        return ""
    empty = cells - filled
    found = f"{records:,} {'record' if records == 1 else 'records'} in {_number(cells)} cells"
    gone = "1 cell is" if empty == 1 else f"{empty:,} cells are" if cells < _COUNTED else "nearly all are"
    return f"{found}: {gone} empty; the largest leakages are mostly chance"


def _number(cells: int) -> str:
    return f"{cells:,}" if cells < _COUNTED else f"about 10^{round(math.log10(cells))}"


def pulled_to_independence(counts: NDArray[np.int64], pseudo_records: Any = None) -> Floats:
    """Return counts and pseudo-records added up, any total; see `JointDistribution.smoothed`."""
    records = float(counts.sum())
    independent: Floats = np.ones(())
    for j in range(counts.ndim):
        others = tuple(k for k in range(counts.ndim) if k != j)
        independent = np.multiply.outer(independent, counts.sum(axis=others) / records)
    if pseudo_records is None:
        shares = counts / records
        away = float(((shares - independent) ** 2).sum())
        spread = 1.0 - float((shares**2).sum())
        # Counts that are independent but for rounding have nothing to lose.
        pseudo_records = spread / away if away > spread * 1e-12 else None
        return counts + pseudo_records * independent if pseudo_records is not None else independent
    number = NOT_NEGATIVE.take(pseudo_records, "pseudo_records", TableError, "The number of pseudo-records")
    return counts + number * independent


class JointValue(CountedTable):
    """Table, labels, names, title and counts; see `JointDistribution`, which is this with what it can do."""

    __slots__ = ("_title",)

    _title: str

    def _set(
        self,
        numbers: NDArray[np.float64],
        domains: Iterable[Iterable[Any]] | None,
        names: Iterable[str] | None,
        title: str | None,
        counts: NDArray[np.int64] | None,
    ) -> None:
        checked_domains, checked_names = check_described(numbers, domains, names, "probability")
        check_sum(numbers)
        numbers = numbers + 0.0  # a copy of our own, in which -0.0 has become 0.0
        numbers.flags.writeable = False
        if counts is not None:
            counts.flags.writeable = False
        self._set_axes(checked_names, checked_domains)
        for slot, value in (("_table", numbers), ("_title", as_title(title)), ("_counts", counts)):
            object.__setattr__(self, slot, value)

    @classmethod
    def _build(
        cls,
        numbers: NDArray[np.float64],
        domains: Iterable[Iterable[Any]] | None,
        names: Iterable[str] | None,
        title: str | None,
        counts: NDArray[np.int64] | None,
    ) -> Self:
        made = cls.__new__(cls)
        made._set(numbers, domains, names, title, counts)
        return made

    @property
    def title(self) -> str:
        """Short text for pictures."""
        return self._title

    def probability(self, row: Sequence[Any]) -> float:
        """Return the probability of a row of labels."""
        return float(self._table[self.position(row)])

    def most_probable(self) -> tuple[Label, ...]:
        """Return the most probable row; among equally probable ones the first in table order."""
        index = np.unravel_index(int(np.argmax(self._table)), self.shape)
        return tuple(domain[int(p)] for domain, p in zip(self._domains, index, strict=True))

    def marginals(self) -> tuple[NDArray[np.float64], ...]:
        """Return the probabilities of the labels of every tuple."""
        n = self.n_tuples
        return tuple(self._table.sum(axis=tuple(k for k in range(n) if k != j)) for j in range(n))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JointValue):
            return NotImplemented
        if self is other:
            return True
        same_counts = (self._counts is None) == (other._counts is None) and (
            self._counts is None or other._counts is None or np.array_equal(self._counts, other._counts)
        )
        return (
            self._names == other._names
            and self._domains == other._domains
            and self._title == other._title
            and same_counts
            and bool(np.array_equal(self._table, other._table))
        )

    def __hash__(self) -> int:
        return hash((self._names, self._domains, self._title, self._table.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restored, (self._table, self._domains, self._names, self._title, self._counts)

    def __repr__(self) -> str:
        tuples = ", ".join(
            f"{short(name)}: {len(domain)} label{'s'[: len(domain) != 1]}"
            for name, domain in zip(self._names, self._domains, strict=True)
        )
        title = f"{short(self._title)!r}, " if self._title else ""
        source = "" if self._counts is None else f", records={self.records}"
        source += ", sparse" if self.sparse else ""
        return f"{type(self).__name__}({title}{tuples}{source})"

    @classmethod
    def _restored(
        cls,
        table: NDArray[np.float64],
        domains: tuple[Domain, ...],
        names: tuple[str, ...],
        title: str | None,
        counts: NDArray[np.int64] | None,
    ) -> Self:
        return cls._build(table, domains, names, title, None if counts is None else counts.copy())
