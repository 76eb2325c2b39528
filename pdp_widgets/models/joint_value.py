"""The numbers of a joint distribution: checked, read-only, comparable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.counted_table import CountedTable
from pdp_widgets.models.labels import Domain, Label, as_title, short
from pdp_widgets.models.table_checks import check_described, check_sum

__all__ = ["JointValue"]


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
