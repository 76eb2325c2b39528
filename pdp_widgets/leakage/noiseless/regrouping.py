"""What becomes of the groups of a table when a record leaves or comes: strict Mondrian for many at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress
from pdp_widgets.mechanisms.anonymity.mondrian import Anonymiser, Parts, RankedRows, grouped_rows, split_parts
from pdp_widgets.models.runs import Runs

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Rows of all tables that are split together.
_TOGETHER = 400_000


@dataclass(frozen=True, eq=False)
class Regrouped:
    """What becomes of the groups in each of several tables, shape (tables,)."""

    change: Integers  # largest change of the size of the group of a row that stays
    largest: Integers  # size of the largest group
    smallest: Integers  # size of the smallest
    groups: Integers  # how many there are

    @classmethod
    def joined(cls, several: list[Regrouped]) -> Regrouped:
        """Return those of all tables, in order."""
        parts = [[getattr(one, name) for one in several] for name in cls.__dataclass_fields__]
        return cls(*map(np.concatenate, parts))


def halved_without_each(
    table: RankedRows, k: int, own: Integers, removed: Integers, progress: Progress | None = None
) -> Regrouped:
    """Return what becomes of the groups of strict Mondrian without a record of each row ``removed``."""
    # How a part is split depends on its rows and on the spans of its whole table alone. So parts that several
    # tables share are split once, and the results are put together from the smallest parts up.
    many = table.runs.many
    names = np.random.default_rng(0).integers(0, 2**64, (2, many), dtype=np.uint64)
    found, size, told = [], max(1, _TOGETHER // many), progress or Progress(None)
    for start in range(0, len(removed), size):
        some = removed[start : start + size]
        found.append(_regrouped_together(table, k, some, own, names))
        for _ in some:
            told.step()
    return Regrouped.joined(found)


def _regrouped_together(
    table: RankedRows, k: int, removed: Integers, own: Integers, names: NDArray[np.uint64]
) -> Regrouped:
    n, many = len(own), len(removed)
    lists = []
    spans = np.empty((many, len(table.orders)))
    # A row of several records stays, and is one short.
    counts = table.runs.counts
    gone = np.ones(many, np.bool_) if counts is None else counts[removed] == 1
    left_out = np.where(gone, removed, -1)
    for c, order in enumerate(table.orders):
        stays = order[np.newaxis] != left_out[:, np.newaxis]
        lists.append(np.broadcast_to(order, (many, n))[stays])
        values = table.values[order, c]
        low = np.where(left_out == order[0], values[min(1, n - 1)], values[0])
        high = np.where(left_out == order[-1], values[max(-2, -n)], values[-1])
        spans[:, c] = high - low
    different, kind = np.unique(spans, axis=0, return_inverse=True)
    # What tells parts apart: a sum of random numbers of their rows, and of the spans of their table.
    kinds = np.random.default_rng(1).integers(0, 2**64, len(different), dtype=np.uint64)[kind.ravel()]
    whole_tables = Parts(tuple(lists), n - gone.astype(np.int64), spans, np.where(gone, -1, removed))
    parts, roots = _distinct(whole_tables, kinds, names)
    levels: list[tuple[NDArray[np.bool_], Integers, Regrouped]] = []
    kinds, places = kinds[_first(roots)], roots
    while len(parts.sizes):
        split, halves = split_parts(table, parts, k)
        whole = _of_leaves(parts.keep(~split), own, table.runs)
        kinds = np.tile(kinds[split], 2)
        parts, places = _distinct(halves, kinds, names)
        kinds = kinds[_first(places)]
        levels.append((split, places, whole))
    return _taken(_gathered(levels), roots)


def _distinct(parts: Parts, kinds: NDArray[np.uint64], names: NDArray[np.uint64]) -> tuple[Parts, Integers]:
    """Return the parts that differ, and for every part which of them it is."""
    if not len(parts.sizes):
        return parts, np.empty(0, np.int64)
    marks = np.add.reduceat(names[0][parts.rows[0]], parts.starts) + kinds
    if (parts.short >= 0).any():
        # A part without the row that is one short is that of any other table.
        has = np.logical_or.reduceat(parts.rows[0] == np.repeat(parts.short, parts.sizes), parts.starts)
        parts = replace(parts, short=np.where(has, parts.short, -1))
        marks = marks + np.where(has, names[1][parts.short], np.uint64(0))
    _, first, place = np.unique(marks, return_index=True, return_inverse=True)
    chosen = np.zeros(len(marks), np.bool_)
    chosen[first] = True
    kept = parts if chosen.all() else parts.keep(chosen)
    return kept, (np.cumsum(chosen) - 1)[first][place]


def _first(places: Integers) -> Integers:
    """Return where each of the different parts stands first."""
    return np.unique(places, return_index=True)[1]


def _of_leaves(leaves: Parts, own: Integers, runs: Runs) -> Regrouped:
    if not len(leaves.sizes):
        none = np.empty(0, np.int64)
        return Regrouped(none, none, none, none)
    sizes = leaves.records(runs)
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


def without_each(
    made: Anonymiser,
    rows: Floats,
    runs: Runs,
    k: int,
    own: Integers,
    removed: Integers,
    progress: Progress | None = None,
) -> Regrouped:
    """Return what becomes of the groups of any anonymiser without a record of each row ``removed``."""
    found, told = [], progress or Progress(None)
    for row in removed.tolist():
        if runs.counts is None or runs.counts[row] == 1:
            kept = np.delete(np.arange(runs.many), row)
            found.append(regrouped(made, k, own[kept], rows[kept], runs.take(kept)))
        else:
            left = Runs(runs.many, runs.counts - (np.arange(runs.many) == row))
            found.append(regrouped(made, k, own, rows, left))
        told.step()
    return Regrouped.joined(found)


def regrouped(made: Anonymiser, k: int, own: Integers, rows: Floats, runs: Runs) -> Regrouped:
    """Return what becomes of the groups in another table; of an added row its own group is not compared."""
    number = grouped_rows(made, rows, runs, k)
    sizes = runs.sums(number, int(number.max()) + 1)
    change = int(np.abs(sizes[number][: len(own)] - own).max())
    whole = (change, int(sizes.max()), int(sizes.min()), len(sizes))
    return Regrouped(*(np.array([value], np.int64) for value in whole))
