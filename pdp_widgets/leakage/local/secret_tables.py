"""What several attributes of a record say about a secret: P(sources | secret value), counted once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.local.conditionals import Conditionals
from pdp_widgets.leakage.local.pair_tables import PairTables, as_numbers
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.pair_counts import count_pairs

__all__ = ["MOST_CELLS", "CompleteRecords", "SecretTables", "tables_of_all"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Combinations of codes up to which one whole number stands for one of them.
_MOST_NUMBERS = 1 << 62


class CompleteRecords:
    """The different records among those that have all of some attributes, with how often each occurs."""

    def __init__(self, data: AttributeTable, attributes: Sequence[int]) -> None:
        places = list(attributes)
        self.names = tuple(data.names[a] for a in places)
        self.sizes = tuple(data.sizes[a] for a in places)
        columns = [data.codes[:, a] for a in places]
        if data.missing[places].any():
            complete = np.logical_and.reduce([column >= 0 for column in columns])
            columns = [column[complete] for column in columns]
        self.records = len(columns[0])
        self._complete = columns
        first, counts = _different(_combined(_numbers(columns, self.sizes)))
        self.codes: NDArray[np.signedinteger[Any]] = np.stack([c[first] for c in columns], axis=1)
        self.counts: Floats = counts.astype(np.float64)

    @cached_property
    def _parts(self) -> list[Ints]:
        return _numbers([self.codes[:, a] for a in range(len(self.sizes))], self.sizes)

    @cached_property
    def _ranks(self) -> list[Ints]:
        return [_rank(part) for part in self._parts]

    def but_for(self, attribute: int) -> Ints:
        """Return whole numbers, equal where two of the different records differ in one attribute alone."""
        for place, group in enumerate(_groups(self.sizes)):
            if attribute in group:
                stride = prod(self.sizes[a] for a in group if a > attribute)
                part = self._parts[place] - self.codes[:, attribute].astype(np.int64) * stride
                others = self._ranks[:place] + self._ranks[place + 1 :] if len(self._parts) > 1 else []
                return _combined([part, *others])
        raise IndexError(attribute)

    @cached_property
    def table(self) -> Floats:
        """How many records have each combination, one axis for each attribute; for few of them."""
        flat = np.zeros(len(self.codes), np.int64)
        for axis, size in enumerate(self.sizes):
            flat = flat * size + self.codes[:, axis]
        found = np.bincount(flat, weights=self.counts, minlength=prod(self.sizes))
        return np.asarray(found.reshape(self.sizes), dtype=np.float64)

    @cached_property
    def pairs(self) -> Floats:
        """How many records have each pair of labels, all labels of all attributes on both axes."""
        columns = np.stack(self._complete, axis=1)
        return count_pairs(columns, self.sizes).table.astype(np.float64)

    def pair(self, first: int, second: int) -> Floats:
        """Return how many records have each pair of labels of two attributes."""
        starts = np.cumsum((0, *self.sizes))
        rows, columns = (slice(int(starts[a]), int(starts[a + 1])) for a in (first, second))
        return self.pairs[rows, columns]


def _groups(sizes: Sequence[int]) -> list[list[int]]:
    """Return runs of attributes whose combinations have one whole number each."""
    found: list[list[int]] = [[]]
    many = 1
    for axis, size in enumerate(sizes):
        if found[-1] and many * size > _MOST_NUMBERS:
            found.append([])
            many = 1
        found[-1].append(axis)
        many *= size
    return found


def _numbers(columns: Sequence[NDArray[Any]], sizes: Sequence[int]) -> list[Ints]:
    """Return the number of every record's combination of codes, for one run of attributes after another."""
    found = []
    for group in _groups(sizes):
        number = np.zeros(len(columns[0]), np.int64)
        for axis in group:
            number *= sizes[axis]
            number += columns[axis]
        found.append(number)
    return found


def _rank(numbers: Ints) -> Ints:
    return np.unique(numbers, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _combined(parts: Sequence[Ints]) -> Ints:
    """Return one whole number for each record, equal where all parts are."""
    found = parts[0]
    for part in parts[1:]:
        # Ranks are below the number of records, and so the square of it holds every two of them.
        found = _rank(found) * len(found) + _rank(part)
    return found


def _different(numbers: Ints) -> tuple[Ints, Ints]:
    """Return where each different number first stands in a sorted order, and how often it occurs."""
    _, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    return first, counts


#: Cells of a table of all attributes; with more, only combinations that occur are listed.
MOST_CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class SecretTables:
    """Rows P(sources | secret value), one for each secret value that counts."""

    #: The secret, then the sources.
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    #: Positions of the secret values that count.
    kept: Ints
    #: One column for each combination of source symbols; without `dense` only for those that occur,
    #: where those that occur with one secret value alone stand together: what leaks is the same.
    rows: Floats
    #: The same with one axis for each source; None where that would have too many cells.
    dense: Floats | None
    #: How many have the secret and all sources; None for probabilities.
    records: int | None
    _by_source: Callable[[], Sequence[Floats]] = field(repr=False)

    @classmethod
    def of(
        cls,
        data: AttributeTable | JointDistribution | PairTables | ArrayLike,
        attributes: Sequence[int],
        min_count: float = 0,
    ) -> SecretTables:
        """Return the tables of attributes by position, the secret first, of records that have them all."""
        if isinstance(data, AttributeTable):
            return cls._of_records(CompleteRecords(data, attributes), 0, min_count)
        numbers, names, counted = _numbers_of(data)
        rest = tuple(a for a in range(numbers.ndim) if a not in attributes)
        left = sorted(attributes)
        table = numbers.sum(axis=rest).transpose([left.index(a) for a in attributes])
        records = int(table.sum()) if counted else None
        return cls._of_table([names[a] for a in attributes], table, min_count, records)

    @classmethod
    def _of_records(cls, data: CompleteRecords, secret: int, min_count: float) -> SecretTables:
        order = [secret, *(a for a in range(len(data.sizes)) if a != secret)]
        names, sizes = tuple(data.names[a] for a in order), tuple(data.sizes[a] for a in order)
        if prod(sizes) <= MOST_CELLS:
            return cls._of_table(names, data.table.transpose(order), min_count, data.records)
        codes = data.codes[:, secret]
        totals = np.zeros(sizes[0])
        np.add.at(totals, codes, data.counts)
        kept = _counting(totals, min_count)
        rows = _merged_columns(data, secret, kept) / totals[kept, None]

        def by_source() -> list[Floats]:
            return [data.pair(secret, source)[kept] / totals[kept, None] for source in order[1:]]

        return cls(names, sizes, kept, rows, None, data.records, by_source)

    @classmethod
    def _of_table(
        cls, names: Sequence[str], table: NDArray[Any], min_count: float, records: int | None
    ) -> SecretTables:
        totals = table.sum(axis=tuple(range(1, table.ndim)), dtype=np.float64)
        kept = _counting(totals, min_count)
        dense = np.ascontiguousarray(table[kept] / totals[kept].reshape(-1, *(1,) * (table.ndim - 1)))
        rows = dense.reshape(len(kept), prod(table.shape[1:]))
        return cls(tuple(names), table.shape, kept, rows, dense, records, partial(_single, dense))

    @cached_property
    def alone(self) -> Conditionals:
        """What every source says by itself, side by side."""
        found = self._by_source()
        sizes = np.array([rows.shape[1] for rows in found], dtype=np.int64)
        rows = np.concatenate([np.zeros((len(self.kept), 0)), *found], axis=1)
        return Conditionals(rows, sizes, np.ones((len(self.kept), len(found)), dtype=np.bool_))

    @cached_property
    def observed(self) -> Floats:
        """The rows without combinations that never occur; those of one secret value stand together."""
        # A report that favours one combination of a single secret value leaks most where it favours all.
        values = (self.rows > 0).sum(axis=0)
        shared = self.rows[:, values > 1]
        single = self.rows[:, values == 1]
        together = np.diag(single.sum(axis=1))
        return np.concatenate((together[:, together.any(axis=0)], shared), axis=1)


def tables_of_all(
    data: AttributeTable | JointDistribution | PairTables | ArrayLike, min_count: float = 0
) -> Iterator[SecretTables]:
    """Yield the tables of every attribute as the secret and all others as sources; records are read once."""
    if isinstance(data, AttributeTable):
        complete = CompleteRecords(data, range(data.n_attributes))
        for secret in range(data.n_attributes):
            yield SecretTables._of_records(complete, secret, min_count)
        return
    n = _numbers_of(data)[0].ndim
    for secret in range(n):
        yield SecretTables.of(data, [secret, *(a for a in range(n) if a != secret)], min_count)


def _numbers_of(data: Any) -> tuple[NDArray[Any], tuple[str, ...], bool]:
    if isinstance(data, PairTables):
        raise LimitError(
            "Tables of pairs do not say how more than two attributes are correlated; give records.",
            Where("parameter", name="data"),
        )
    return as_numbers(data)


def _counting(totals: Floats, min_count: float) -> Ints:
    """Return the positions of the secret values that count."""
    return np.flatnonzero((totals > 0) & (totals >= min_count))


def _single(dense: Floats) -> list[Floats]:
    axes = range(1, dense.ndim)
    return [dense.sum(axis=tuple(a for a in axes if a != axis)) for axis in axes]


def _merged_columns(data: CompleteRecords, secret: int, kept: Ints) -> Floats:
    """Return counts of the kept secret values with each combination of the others that occurs."""
    # Combinations that occur with one secret value alone have one column for each such value, the first ones.
    m = len(kept)
    place = np.full(data.sizes[secret], -1)
    place[kept] = np.arange(m)
    value = place[data.codes[:, secret]]
    number, counts = data.but_for(secret), data.counts
    if (value < 0).any():
        counting = value >= 0
        value, number, counts = value[counting], number[counting], counts[counting]
    order = np.argsort(number)
    sorted_ = number[order]
    first = np.ones(len(order), np.bool_)
    first[1:] = sorted_[1:] != sorted_[:-1]
    group = np.cumsum(first) - 1
    # No two of the different records have the same secret value and the same others.
    several = np.bincount(group, minlength=1) > 1
    column = (m - 1 + np.cumsum(several))[group]
    value = value[order]
    column = np.where(several[group], column, value)
    width = m + int(several.sum())
    flat = np.bincount(value * width + column, weights=counts[order], minlength=m * width)
    found = np.asarray(flat.reshape(m, width), dtype=np.float64)
    return found[:, found.any(axis=0)]
