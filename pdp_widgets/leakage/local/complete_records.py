"""The different records that have all attributes, and which of them differ in one attribute alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.pair_counts import count_pairs

__all__ = ["CompleteRecords"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Combinations of codes up to which one whole number stands for one of them.
_MOST_NUMBERS = 1 << 62


class CompleteRecords:
    """The different records among those that have all of some attributes, with how often each occurs.

    Parameters
    ----------
    data
        The records.
    attributes
        Positions of the attributes, in the order in which they count here.

    Attributes
    ----------
    names, sizes
        Of these attributes.
    records
        How many records have all of them.
    codes
        The different ones, one a row.
    counts
        How often each occurs.

    Examples
    --------
    >>> table = AttributeTable([[0, 1], [1, 1], [0, 1], [1, -1]])
    >>> found = CompleteRecords(table, [0, 1])
    >>> found.records, found.codes.tolist(), found.counts.tolist()
    (3, [[0, 1], [1, 1]], [2.0, 1.0])
    """

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
        """Return whole numbers, equal where two of the different records differ in one attribute alone.

        Examples
        --------
        >>> table = AttributeTable([[0, 1], [1, 1], [0, 0]])
        >>> first, second, third = CompleteRecords(table, [0, 1]).but_for(0).tolist()
        >>> second == third, first == second
        (True, False)
        """
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
