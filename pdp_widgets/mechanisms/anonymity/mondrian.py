"""Groups of at least k records: by Mondrian, as a table has them, or by an own anonymiser, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import COUNT
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.models.runs import Runs, as_runs

__all__ = [
    "Anonymiser",
    "Parts",
    "RankedRows",
    "as_anonymiser",
    "as_given",
    "as_quasi_rows",
    "checked_groups",
    "counts_rows",
    "grouped_rows",
    "mondrian",
    "split_parts",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: Rows and ranks: there are as many as a table has rows, times the tables.
Places = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class RankedRows:
    """The different rows of a table, with the rank of every value within its column."""

    values: Floats  # finite numbers, shape (rows, d)
    ranks: Places  # positions among the different values of the column, shape (rows, d)
    orders: tuple[Places, ...]  # rows by ascending value, one array of shape (rows,) for each column
    runs: Runs  # how many records each row stands for

    @classmethod
    def of(cls, rows: Floats, runs: Runs) -> tuple[RankedRows, Integers]:
        """Return the different rows of a table, and which of them each row is."""
        ranks = np.empty(rows.shape, np.int32)
        for c in range(rows.shape[1]):
            ranks[:, c] = np.unique(rows[:, c], return_inverse=True)[1]
        first, place = _different(ranks)
        if len(first) < len(rows):
            rows, ranks = rows[first], ranks[first]
            runs = Runs(len(first), runs.sums(place, len(first)))
        largest = np.abs(rows).max(axis=0, initial=0.0)
        # A difference of two such numbers may be infinite; a quarter of them has the same ratios.
        values = np.where(largest > 2.0**1000, rows / 4, rows)
        orders = [np.argsort(ranks[:, c], kind="stable").astype(np.int32) for c in range(rows.shape[1])]
        return cls(values, ranks, tuple(orders), runs), place


def _different(ranks: Places) -> tuple[Integers, Integers]:
    """Return where rows of ranks stand first, in this order, and which of these each row is."""
    key, size = ranks[:, 0].astype(np.int64), int(ranks[:, 0].max()) + 1
    for column in ranks.T[1:]:
        many = int(column.max()) + 1
        if size * many >= 1 << 62:
            key = np.unique(key, return_inverse=True)[1]
            size = len(key)
        key, size = key * many + column, size * many
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(first), np.int64)
    number[order] = np.arange(len(first))
    return first[order], number[place]


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of one depth."""

    rows: tuple[Places, ...]  # for every column the rows of all parts, part by part, by ascending value
    sizes: Integers  # rows of every part, shape (parts,)
    spans: Floats  # largest less smallest value in the whole table of a part, shape (parts, d)
    short: Integers  # the row of every part that is one record short; -1 for none, shape (parts,)

    @property
    def starts(self) -> Integers:
        """Where each part begins, shape (parts,)."""
        return np.cumsum(self.sizes) - self.sizes

    def keep(self, chosen: NDArray[np.bool_]) -> Parts:
        """Return some of the parts."""
        entries = np.repeat(chosen, self.sizes)
        rows = tuple(rows[entries] for rows in self.rows)
        return Parts(rows, self.sizes[chosen], self.spans[chosen], self.short[chosen])

    def reached(self, runs: Runs, column: int = 0) -> Integers:
        """Return how many records stand before each row and behind the last, by a column's order."""
        rows = self.rows[column]
        if runs.counts is None:
            return np.arange(len(rows) + 1)
        counts = runs.counts[rows]
        if (self.short >= 0).any():
            counts = counts - (rows == np.repeat(self.short, self.sizes))
        return np.concatenate([[0], np.cumsum(counts)])

    def records(self, runs: Runs) -> Integers:
        """Return how many records every part has, shape (parts,)."""
        reached, starts = self.reached(runs), self.starts
        return np.asarray(reached[starts + self.sizes] - reached[starts])


def split_parts(table: RankedRows, parts: Parts, k: int) -> tuple[NDArray[np.bool_], Parts]:
    """Split every part that can be: at the median of its widest column that leaves k on each side."""
    # Widths are relative to the whole table. Returned are which parts are split, and all lower halves before
    # all upper ones. Values below the median go left: those below the upper of the two middle values.
    sizes, starts, d = parts.sizes, parts.starts, len(parts.rows)
    widths = np.full((len(sizes), d), -1.0)
    lower = np.zeros((len(sizes), d), np.int64)
    middle = np.zeros((len(sizes), d), np.int32)
    for c, rows in enumerate(parts.rows):
        ranks, reached = table.ranks[:, c], parts.reached(table.runs, c)
        first, behind = reached[starts], reached[starts + sizes]
        halfway = np.searchsorted(reached, first + (behind - first) // 2, side="right") - 1
        middle[:, c] = ranks[rows[halfway]]
        lower[:, c] = _below(ranks, rows, starts, halfway - starts, middle[:, c])
        under = reached[starts + lower[:, c]]
        wide = (under - first >= k) & (behind - under >= k) & (parts.spans[:, c] > 0)
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
        np.concatenate([kept.short, kept.short]),
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


Groups = tuple[tuple[int, ...], ...]


def mondrian(rows: ArrayLike, k: int, counts: ArrayLike | None = None) -> Groups:
    """Return groups of at least k similar rows.

    A part of the table is split at the median of its column with the largest spread, in relation to the
    spread in the whole table, as long as both sides keep k rows; values below the median go to one side.
    Columns are tried from the widest on; of equally wide ones the first. What cannot be split is a group.

    Parameters
    ----------
    rows
        Finite numbers, one record a row, shape (n, d); labels as their positions in an order.
    k
        Least size of a group, in records.
    counts
        How many records each row stands for, shape (n,); without it one.

    Returns
    -------
    groups
        Positions of rows in ascending order, groups by their first row.

    Raises
    ------
    TableError
        The rows are no table of finite numbers, or fewer than k records, or the counts are none of them.
    BudgetError
        k is no whole number, 1 or more.

    Notes
    -----
    LeFevre, DeWitt and Ramakrishnan, "Mondrian Multidimensional K-Anonymity" (ICDE 2006), in its strict form.

    Examples
    --------
    >>> mondrian([[25], [27], [31], [58], [60], [64]], 3)
    ((0, 1, 2), (3, 4, 5))
    >>> mondrian([[25], [27], [31], [58], [60]], 3)
    ((0, 1, 2, 3, 4),)
    >>> mondrian([[25], [31], [60]], 3, counts=[40_000_000, 2, 50_000_000])
    ((0, 1), (2,))
    """
    values, size = as_quasi_rows(rows), COUNT.take(k, "k")
    runs = as_runs(counts, len(values))
    if runs.records < size:
        raise TableError(
            f"There are {runs.records:,} rows, fewer than k = {size:,}; give at least k rows or a smaller k.",
            Where("parameter", name="k"),
        )
    return _groups(_halved(values, runs, size))


def _halved(values: Floats, runs: Runs, k: int) -> Integers:
    """Return the number of the group that strict Mondrian puts every row into."""
    table, place = RankedRows.of(values, runs)
    many = table.runs.many
    number = np.empty(many, np.int64)
    spans = np.ptp(table.values, axis=0)[np.newaxis]
    parts = Parts(table.orders, np.array([many], np.int64), spans, np.array([-1], np.int64))
    found = 0
    while len(parts.sizes):
        split, halves = split_parts(table, parts, k)
        leaves = parts.keep(~split)
        number[leaves.rows[0]] = np.repeat(found + np.arange(len(leaves.sizes)), leaves.sizes)
        found += len(leaves.sizes)
        parts = halves
    return number[place]


def _groups(number: Integers) -> Groups:
    """Return the rows of every group in ascending order, groups by their first row."""
    order = np.argsort(number, kind="stable")
    ends = np.flatnonzero(np.diff(number[order])) + 1
    return tuple(sorted(tuple(group.tolist()) for group in np.split(order, ends)))


def as_given(rows: ArrayLike, k: int) -> Groups:
    """Return the groups of rows that are the same: an anonymiser for tables that are generalised already.

    Parameters
    ----------
    rows
        As for `mondrian`.
    k
        Given by whoever calls an anonymiser, who refuses groups that are smaller; here nothing is regrouped.

    Returns
    -------
    groups
        As for `mondrian`.

    Raises
    ------
    TableError
        The rows are no table of finite numbers.
    BudgetError
        k is no whole number, 1 or more.

    Examples
    --------
    >>> as_given([[20], [40], [20], [40], [20]], 2)
    ((0, 2, 4), (1, 3))
    """
    COUNT.take(k, "k")
    values = as_quasi_rows(rows)
    return _groups(_alike(values, Runs(len(values)), 1))


def _alike(values: Floats, runs: Runs, k: int) -> Integers:
    """Return the number of the group of rows that are the same, by their first row."""
    return RankedRows.of(values, runs)[1]


def as_quasi_rows(rows: Any, name: str = "rows") -> NDArray[np.float64]:
    """Return a table of finite numbers with at least one row and one column."""
    refuse_masked(rows, name)
    try:
        values = plain_numbers(rows)
    except (TypeError, ValueError, OverflowError):
        values = np.empty(0)
    if values.ndim != 2 or not values.size:
        raise TableError(
            f"The {name} are {shown(rows)}; give a table of numbers, one record a row, with at least one "
            "column.",
            Where("parameter", name=name),
        )
    wrong = ~np.isfinite(values)
    if wrong.any():
        row, column = (int(p[0]) for p in np.nonzero(wrong))
        place = f"Row {row:,}" if name == "rows" else f"In the {name} row {row:,}"
        raise TableError(
            f"{place}, column {column} is {values[row, column]:g}; give finite numbers, and leave out "
            "rows with a missing one.",
            Where("cell", index=(row, column)),
        )
    return values + 0.0


#: Takes a table of numbers, shape (n, d), and k; returns groups of positions of rows.
Anonymiser: TypeAlias = Callable[[NDArray[np.float64], int], Iterable[Sequence[int]]]

_WHERE = Where("parameter", name="anonymiser")


@dataclass(frozen=True)
class _Words:
    """How what is wrong is said: of what an anonymiser returned, or of groups that were given."""

    where: Where
    none: str
    outside: str
    often: str
    small: str


_RETURNED = _Words(
    _WHERE,
    "The anonymiser returned {}; it must return lists of positions of rows.",
    "The anonymiser put row {} into a group; rows are 0 to {:,}.",
    "The anonymiser put row {:,} into {}; every row must be in exactly one.",
    "Group {:,} of the anonymiser has {:,} row{}, and k is {:,}; it must have at least k.",
)
_GIVEN = _Words(
    Where("parameter", name="groups"),
    "The groups are {}; give lists of positions of records.",
    "The groups have record {}; records are 0 to {:,}.",
    "The groups have record {:,} in {}; every record with all quasi-identifiers must be in exactly one.",
    "Group {:,} has {:,} record{}, and k is {:,}; it must have at least k.",
)


def as_anonymiser(anonymiser: Any) -> Anonymiser:
    """Return something that can be called, or raise BudgetError."""
    if not callable(anonymiser):
        raise BudgetError(
            f"The anonymiser is {shown(anonymiser)}; give a function (rows, k) -> groups of rows.", _WHERE
        )
    return anonymiser  # type: ignore[no-any-return]


def counts_rows(anonymiser: Anonymiser) -> bool:
    """Tell whether an anonymiser puts rows that are the same into one group, and can count them."""
    return anonymiser is mondrian or anonymiser is as_given


def grouped_rows(anonymiser: Anonymiser, values: Floats, runs: Runs, k: int) -> Integers:
    """Return the number of the group of every row, each group of at least k records; all are checked."""
    if not counts_rows(anonymiser):
        # A copy: an anonymiser may sort or scale what it is given.
        return checked_groups(anonymiser(runs.each(values).copy(), k), runs.records, k)
    number = (_halved if anonymiser is mondrian else _alike)(values, runs, k)
    _refuse_small(runs.sums(number, int(number.max()) + 1), k, _RETURNED)
    return number


def _refuse_small(sizes: Integers, k: int, words: _Words) -> None:
    small = int(sizes.argmin())
    if sizes[small] < k:
        many = int(sizes[small])
        raise TableError(words.small.format(small, many, "s" * (many != 1), k), words.where)


def checked_groups(groups: Any, n: int, k: int, wanted: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Return the number of the group of every row, shape (n,), -1 for those in none."""
    words = _RETURNED if wanted is None else _GIVEN
    refuse_masked(groups, "groups")
    try:
        listed = [[*group] for group in groups]
        flat = [row for group in listed for row in group]
        whole = all(map(is_whole, flat))
    except TypeError:
        listed, flat, whole = [], [], False
    if not whole:
        raise TableError(words.none.format(shown(groups)), words.where)
    wrong = next((row for row in flat if not 0 <= row < n), None)
    if wrong is not None:
        raise TableError(words.outside.format(shown(int(wrong)), n - 1), words.where)
    sizes = np.array([len(group) for group in listed], np.int64)
    rows = np.array(flat, np.int64)
    often = np.bincount(rows, minlength=n)
    once = np.ones(n, np.int64)
    if wanted is not None:
        once[:] = 0
        once[wanted] = 1
    if (often != once).any():
        row = int(np.argmax(often != once))
        if not once[row]:
            raise TableError(
                f"Record {row:,} in a group has a missing quasi-identifier; take it out.", words.where
            )
        what = "no group" if not often[row] else f"{often[row]:,} groups"
        raise TableError(words.often.format(row, what), words.where)
    if not len(sizes):
        raise TableError(words.none.format(shown(groups)), words.where)
    _refuse_small(sizes, k, words)
    found = np.full(n, -1, np.int64)
    found[rows] = np.repeat(np.arange(len(sizes)), sizes)
    return found
