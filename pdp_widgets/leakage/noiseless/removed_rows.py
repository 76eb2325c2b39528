"""Strict Mondrian on a table without each of many rows: most parts of these tables are the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.progress import Progress
from pdp_widgets.mechanisms.anonymity.mondrian_parts import Parts, RankedRows, split_parts

__all__ = ["Regrouped", "without_each"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Rows of all tables that are split together.
_TOGETHER = 400_000


@dataclass(frozen=True, eq=False)
class Regrouped:
    """What becomes of the groups in each of several tables, shape (tables,).

    Parameters
    ----------
    change
        Largest change of the size of the group of a row that stays.
    largest, smallest
        Size of the largest and of the smallest group.
    groups
        How many groups there are.
    """

    change: Integers
    largest: Integers
    smallest: Integers
    groups: Integers

    @classmethod
    def joined(cls, several: list[Regrouped]) -> Regrouped:
        """Return those of all tables, in order."""
        parts = [[getattr(one, name) for one in several] for name in cls.__dataclass_fields__]
        return cls(*map(np.concatenate, parts))


def without_each(
    rows: Floats, k: int, removed: Integers, own_sizes: Integers, progress: Progress
) -> Regrouped:
    """Return what becomes of the groups without each of some rows.

    Parameters
    ----------
    rows
        Finite numbers, shape (n, d).
    k
        Least size of a group, at most n - 1.
    removed
        Rows that are left out, one for each table.
    own_sizes
        Size of the group of every row in the whole table, shape (n,).
    progress
        Counts the tables.

    Notes
    -----
    How a part is split depends on its rows and on the spans of its whole table alone. So parts that several
    tables share are split once, and the results are put together from the smallest parts up.

    Examples
    --------
    >>> rows = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> without_each(rows, 2, np.arange(4), np.full(4, 2), Progress(None)).change.tolist()
    [1, 1, 1, 1]
    """
    table = RankedRows.of(rows)
    names = np.random.default_rng(0).integers(0, 2**64, len(rows), dtype=np.uint64)
    found, size = [], max(1, _TOGETHER // len(rows))
    for start in range(0, len(removed), size):
        some = removed[start : start + size]
        found.append(_regrouped(table, k, some, own_sizes, names))
        for _ in range(len(some)):
            progress.step()
    return Regrouped.joined(found)


def _regrouped(
    table: RankedRows, k: int, removed: Integers, own: Integers, names: NDArray[np.uint64]
) -> Regrouped:
    n, many = len(names), len(removed)
    lists = []
    spans = np.empty((many, len(table.orders)))
    for c, order in enumerate(table.orders):
        stays = order[np.newaxis] != removed[:, np.newaxis]
        lists.append(np.broadcast_to(order, (many, n))[stays])
        values = table.values[order, c]
        low = np.where(removed == order[0], values[1], values[0])
        high = np.where(removed == order[-1], values[-2], values[-1])
        spans[:, c] = high - low
    different, kind = np.unique(spans, axis=0, return_inverse=True)
    # What tells parts apart: a sum of random numbers of their rows, and of the spans of their table.
    kinds = np.random.default_rng(1).integers(0, 2**64, len(different), dtype=np.uint64)[kind.ravel()]
    parts, roots = _distinct(Parts(tuple(lists), np.full(many, n - 1), spans), kinds, names)
    levels: list[tuple[NDArray[np.bool_], Integers, Regrouped]] = []
    kinds, places = kinds[_first(roots)], roots
    while len(parts.sizes):
        split, halves = split_parts(table, parts, k)
        whole = _of_leaves(parts.keep(~split), own)
        kinds = np.tile(kinds[split], 2)
        parts, places = _distinct(halves, kinds, names)
        kinds = kinds[_first(places)]
        levels.append((split, places, whole))
    return _taken(_gathered(levels), roots)


def _distinct(parts: Parts, kinds: NDArray[np.uint64], names: NDArray[np.uint64]) -> tuple[Parts, Integers]:
    """Return the parts that differ, and for every part which of them it is."""
    if not len(parts.sizes):
        return parts, np.empty(0, np.int64)
    marks = np.add.reduceat(names[parts.rows[0]], parts.starts) + kinds
    _, first, place = np.unique(marks, return_index=True, return_inverse=True)
    chosen = np.zeros(len(marks), np.bool_)
    chosen[first] = True
    kept = parts if chosen.all() else parts.keep(chosen)
    return kept, (np.cumsum(chosen) - 1)[first][place]


def _first(places: Integers) -> Integers:
    """Return where each of the different parts stands first."""
    return np.unique(places, return_index=True)[1]


def _of_leaves(leaves: Parts, own: Integers) -> Regrouped:
    sizes = leaves.sizes
    if not len(sizes):
        none = np.empty(0, np.int64)
        return Regrouped(none, none, none, none)
    before = own[leaves.rows[0]]
    low = np.minimum.reduceat(before, leaves.starts)
    high = np.maximum.reduceat(before, leaves.starts)
    change = np.maximum(abs(sizes - low), abs(sizes - high))
    return Regrouped(change, sizes, sizes, np.ones_like(sizes))


def _gathered(levels: list[tuple[NDArray[np.bool_], Integers, Regrouped]]) -> Regrouped:
    """Return what holds for the parts of the first depth, from the deepest up."""
    none = np.empty(0, np.int64)
    below = Regrouped(none, none, none, none)
    for split, places, leaves in reversed(levels):
        half = int(split.sum())
        left, right = _taken(below, places[:half]), _taken(below, places[half:])
        joined = Regrouped(
            np.maximum(left.change, right.change),
            np.maximum(left.largest, right.largest),
            np.minimum(left.smallest, right.smallest),
            left.groups + right.groups,
        )
        below = _merged(split, joined, leaves)
    return below


def _merged(split: NDArray[np.bool_], joined: Regrouped, leaves: Regrouped) -> Regrouped:
    found = []
    for name in Regrouped.__dataclass_fields__:
        values = np.empty(len(split), np.int64)
        values[split] = getattr(joined, name)
        values[~split] = getattr(leaves, name)
        found.append(values)
    return Regrouped(*found)


def _taken(one: Regrouped, places: Integers) -> Regrouped:
    return Regrouped(*(getattr(one, name)[places] for name in Regrouped.__dataclass_fields__))
