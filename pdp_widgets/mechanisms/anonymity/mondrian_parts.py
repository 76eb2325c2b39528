"""Strict Mondrian on many parts at once: all of one depth are split together.

The parts may be those of one table or of many that overlap, such as a table without each of its rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Parts", "RankedRows", "split_parts"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: Rows and ranks: there are as many as a table has rows, times the tables.
Places = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class RankedRows:
    """A table with the rank of every value within its column.

    Parameters
    ----------
    values
        Finite numbers, shape (n, d).
    ranks
        Positions among the different values of the column, shape (n, d).
    orders
        Rows by ascending value, one array of shape (n,) for each column.
    """

    values: Floats
    ranks: Places
    orders: tuple[Places, ...]

    @classmethod
    def of(cls, rows: Floats) -> RankedRows:
        """Return the ranks of a table.

        Examples
        --------
        >>> RankedRows.of(np.array([[3.0], [1.0], [3.0]])).ranks.tolist()
        [[1], [0], [1]]
        """
        ranks = np.empty(rows.shape, np.int32)
        for c in range(rows.shape[1]):
            ranks[:, c] = np.unique(rows[:, c], return_inverse=True)[1]
        largest = np.abs(rows).max(axis=0, initial=0.0)
        # A difference of two such numbers may be infinite; a quarter of them has the same ratios.
        values = np.where(largest > 2.0**1000, rows / 4, rows)
        orders = [np.argsort(ranks[:, c], kind="stable").astype(np.int32) for c in range(rows.shape[1])]
        return cls(values, ranks, tuple(orders))


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of one depth.

    Parameters
    ----------
    rows
        For every column the rows of all parts, part by part, each by ascending value.
    sizes
        Rows of every part, shape (parts,).
    spans
        Of every part the differences of largest and smallest value in the whole table it is of, shape
        (parts, d).
    """

    rows: tuple[Places, ...]
    sizes: Integers
    spans: Floats

    @property
    def starts(self) -> Integers:
        """Where each part begins, shape (parts,)."""
        return np.cumsum(self.sizes) - self.sizes

    def keep(self, chosen: NDArray[np.bool_]) -> Parts:
        """Return some of the parts."""
        entries = np.repeat(chosen, self.sizes)
        return Parts(tuple(rows[entries] for rows in self.rows), self.sizes[chosen], self.spans[chosen])

    def listed(self) -> Iterator[Places]:
        """Give the rows of every part in ascending order."""
        for start, size in zip(self.starts.tolist(), self.sizes.tolist(), strict=True):
            yield np.sort(self.rows[0][start : start + size])


def split_parts(table: RankedRows, parts: Parts, k: int) -> tuple[NDArray[np.bool_], Parts]:
    """Split every part that can be: at the median of its relatively widest column that leaves k on each side.

    Parameters
    ----------
    table
        The table.
    parts
        Parts of it.
    k
        Least size of a part.

    Returns
    -------
    split, halves
        Which parts are split, shape (parts,); of these first all lower halves, then all upper ones.

    Notes
    -----
    Values below the median of a part go left. The rows below the median and those below the upper of the two
    middle values are the same.

    Examples
    --------
    >>> table = RankedRows.of(np.array([[1.0], [2.0], [3.0], [4.0]]))
    >>> split, halves = split_parts(table, Parts(table.orders, np.array([4]), np.array([[3.0]])), 2)
    >>> split.tolist(), [part.tolist() for part in halves.listed()]
    ([True], [[0, 1], [2, 3]])
    """
    sizes, starts, d = parts.sizes, parts.starts, len(parts.rows)
    widths = np.full((len(sizes), d), -1.0)
    lower = np.zeros((len(sizes), d), np.int64)
    middle = np.zeros((len(sizes), d), np.int32)
    for c, rows in enumerate(parts.rows):
        ranks = table.ranks[:, c]
        middle[:, c] = ranks[rows[starts + sizes // 2]]
        lower[:, c] = _below(ranks, rows, starts, sizes // 2, middle[:, c])
        wide = (lower[:, c] >= k) & (sizes - lower[:, c] >= k) & (parts.spans[:, c] > 0)
        values = table.values[:, c]
        low, high = values[rows[starts[wide]]], values[rows[(starts + sizes)[wide] - 1]]
        widths[wide, c] = (high - low) / parts.spans[wide, c]
    # The first of equally wide columns.
    chosen = widths.argmax(axis=1)
    every = np.arange(len(sizes))
    split = widths[every, chosen] >= 0
    kept = parts if split.all() else parts.keep(split)
    chosen, every = chosen[split], every[split]
    flat = table.ranks.ravel()
    columns = np.repeat(chosen, kept.sizes)
    limits = np.repeat(middle[every, chosen], kept.sizes)
    left, right = [], []
    for rows in kept.rows:
        below = flat[rows.astype(np.int64) * d + columns] < limits
        left.append(rows[below])
        right.append(rows[~below])
    lefts = lower[every, chosen]
    return split, Parts(
        tuple(np.concatenate(pair) for pair in zip(left, right, strict=True)),
        np.concatenate([lefts, kept.sizes - lefts]),
        np.concatenate([kept.spans, kept.spans]),
    )


def _below(ranks: Places, rows: Places, starts: Integers, most: Integers, limits: Places) -> Integers:
    """Return how many rows of every part have a rank below its limit, at most so many."""
    low, high = np.zeros_like(most), most.copy()
    while (low < high).any():
        between = (low + high) // 2
        less = ranks[rows[starts + between]] < limits
        open_ = low < high
        low = np.where(open_ & less, between + 1, low)
        high = np.where(open_ & ~less, between, high)
    return low
