"""How much the groups of an anonymiser change when one record comes or goes (Definition 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import COUNT, Whole
from pdp_widgets.core.chart import Axis, Chart, Series, number
from pdp_widgets.core.converters import as_generator, plain_numbers, refuse_masked
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.progress import Progress, ProgressHook, timed
from pdp_widgets.leakage.sweeps import as_executor, in_parts, swept
from pdp_widgets.mechanisms.anonymity.mondrian import (
    Anonymiser,
    Parts,
    RankedRows,
    as_anonymiser,
    as_quasi_rows,
    checked_groups,
    mondrian,
    split_parts,
)
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import as_choice, shown

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


def without_each(
    rows: Floats, k: int, removed: Integers, own_sizes: Integers, progress: Progress
) -> Regrouped:
    """Return what becomes of the groups without each of the rows ``removed``, one table for each."""
    # How a part is split depends on its rows and on the spans of its whole table alone. So parts that several
    # tables share are split once, and the results are put together from the smallest parts up.
    table = RankedRows.of(rows)
    names = np.random.default_rng(0).integers(0, 2**64, len(rows), dtype=np.uint64)
    found, size = [], max(1, _TOGETHER // len(rows))
    for start in range(0, len(removed), size):
        some = removed[start : start + size]
        found.append(_regrouped_together(table, k, some, own_sizes, names))
        for _ in range(len(some)):
            progress.step()
    return Regrouped.joined(found)


def _regrouped_together(
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


#: What is compared: for every record that stays the size of its own group; the largest, the smallest and the
#: mean size of all groups.
Volume: TypeAlias = Literal["record", "largest", "smallest", "mean"]
VOLUMES: tuple[Volume, ...] = ("record", "largest", "smallest", "mean")

#: Bars of a histogram of changes that are no whole numbers or reach far; the fewest of whole numbers.
_BARS, _FEWEST = 40, 5
_SOURCE = "Zhao, Jiang, Wang and Huang, Definition 1"


@dataclass(frozen=True, eq=False, repr=False)
class SyntacticSensitivity(EqualByFields, ReadOnlyArrays, Result, NumberTable):
    """The largest change of groups when one record comes or goes, and that of every record.

    Parameters
    ----------
    k
        Least size of a group.
    volume
        What is compared: ``"record"``, ``"largest"``, ``"smallest"`` or ``"mean"``.
    changes
        Change without each record, in records, shape (n,); NaN for those that were not left out.
    added
        Change with each of the records that might come, in records, shape (m,).
    published
        How many records are in groups at all; None for all of them.

    Notes
    -----
    Figures: ``"changes"``, how many records change the groups by how much.

    Examples
    --------
    >>> found = syntactic_sensitivity([[25], [27], [31], [58], [60], [64]], 3)
    >>> print(found)
    s = 2 records (exact): size of the group of a record, k = 3, 6 records left out, one at a time
    >>> found.changes.tolist(), found.worst
    ([2.0, 2.0, 2.0, 2.0, 2.0, 2.0], 0)
    """

    k: int
    volume: Volume
    changes: Floats
    added: Floats
    published: int | None = None

    @property
    def tested(self) -> int:
        """How many records were left out, one at a time."""
        return int((~np.isnan(self.changes)).sum())

    @property
    def status(self) -> Literal["exact", "lower bound"]:
        """``"exact"`` for all records and the ones that might come, ``"lower bound"`` for a sample."""
        published = len(self.changes) if self.published is None else self.published
        return "exact" if self.tested == published else "lower bound"

    @property
    def largest(self) -> float:
        """The sensitivity s, in records."""
        return float(np.nanmax(np.concatenate([self.changes, self.added])))

    @property
    def worst(self) -> int | None:
        """Position of the first record whose leaving changes most; None where one that comes changes more."""
        found = np.nan_to_num(self.changes, nan=-1.0)
        place = int(found.argmax())
        return place if found[place] >= self.largest else None

    @property
    def unit(self) -> str:
        """What changes are in: records."""
        return "records"

    @property
    def source(self) -> str:
        """The paper and its definition."""
        return _SOURCE

    def __float__(self) -> float:
        return self.largest

    def __str__(self) -> str:
        return f"s = {self._amount} ({self.status}): {self._about}"

    @property
    def _amount(self) -> str:
        return f"{self.largest:.6g} record{'s' * (self.largest != 1)}"

    @property
    def compared(self) -> str:
        """What is compared, in words."""
        return {
            "record": "size of the group of a record",
            "largest": "size of the largest group",
            "smallest": "size of the smallest group",
            "mean": "mean size of groups",
        }[self.volume]

    @property
    def _about(self) -> str:
        one = "s" * (self.tested != 1)
        came = f", {len(self.added):,} added" if len(self.added) else ""
        return f"{self.compared}, k = {self.k:,}, {self.tested:,} record{one} left out{came}, one at a time"

    def _figures(self) -> Figures:
        return {"changes": self._chart}

    def _chart(self) -> Chart:
        """Return a histogram of the changes, as its outline."""
        values = np.concatenate([self.changes[~np.isnan(self.changes)], self.added])
        low, high = float(values.min()), float(values.max())
        whole = bool(np.array_equal(values, np.rint(values)))
        if whole and high - low < _BARS:
            # An axis of fewer bars would have ticks between whole records.
            edges = np.arange(low - 0.5, max(high, low + _FEWEST - 1) + 1.0)
        elif high > low:
            edges = np.linspace(low, high, _BARS + 1)
        else:
            edges = np.array([low - 0.5, low + 0.5])
        series = []
        for name, some in (("left out", self.changes[~np.isnan(self.changes)]), ("added", self.added)):
            if len(some):
                heights = np.repeat(np.histogram(some, edges)[0].astype(np.float64), 2)
                outline = np.concatenate([[0.0], heights, [0.0]])
                found, records = np.unique(some, return_counts=True)
                told = Series(name, found, records)
                series.append(Series(name, np.repeat(edges, 2), outline, told=told))
        return Chart(
            f"What one record changes: s = {number(self.largest)}, {self.status}",
            series,
            Axis(f"change of the {self.compared}, records", whole=whole),
            Axis("records", low=0.0, whole=True),
            note=f"Compared: {self._about}.",
        )

    def _numbers(self) -> Numbers:
        left, came = np.arange(len(self.changes)), np.arange(len(self.added))
        tested = ~np.isnan(self.changes)
        return Numbers(
            {
                "record": np.concatenate([left[tested], came]),
                "how": ["left out"] * self.tested + ["added"] * len(came),
                "change": np.concatenate([self.changes[tested], self.added]),
            },
            {"record": "count", "how": "text", "change": "number" if self.volume == "mean" else "count"},
            {"unit": "records", "source": _SOURCE, "status": {"change": "exact"}, "largest": self.status},
            (f"s = {number(self.largest)}, {self.status}", self._about),
        )

    def __repr__(self) -> str:
        return f"SyntacticSensitivity({self._amount}, {self.status}, {self._about})"


def syntactic_volumes(volume: float, neighbours: ArrayLike) -> float:
    """Return the largest difference of a volume to those of neighbouring data sets: max |v - w_j|."""
    try:
        own, others = plain_numbers([volume]), plain_numbers(neighbours)
    except (TypeError, ValueError, OverflowError):
        own, others = np.array([np.nan]), np.empty(0)
    if others.ndim != 1 or not others.size or not np.isfinite([*own, *others]).all():
        raise TableError(
            f"The volumes are {shown(volume)} and {shown(neighbours)}; give a finite number, and a list of "
            "at least one.",
            Where("parameter", name="neighbours"),
        )
    return float(np.abs(others - own[0]).max())


def syntactic_sensitivity(
    rows: ArrayLike,
    k: int,
    volume: Volume = "record",
    additions: Iterable[ArrayLike] = (),
    anonymiser: Anonymiser = mondrian,
    *,
    sample: int | None = None,
    rng: np.random.Generator | int | None = 0,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> SyntacticSensitivity:
    """Anonymise a table again without each of its rows, and with each of some others.

    Parameters
    ----------
    rows
        Finite numbers, one record a row, shape (n, d).
    k
        Least size of a group, at most n - 1.
    volume
        What is compared.
    additions
        Rows that might come, shape (m, d).
    anonymiser
        Any function (rows, k) -> groups of rows.
    sample
        Leave out only so many rows, chosen at random: the result is a lower bound. Without it all.
    rng
        Generator or seed of this choice.
    limit
        Seconds, after which it is ended; ``math.inf`` for no limit.
    progress
        Told the share done; what it raises cancels.
    executor
        Whose workers leave rows out, as for `pdp_widgets.prior.leakage_intervals`; an anonymiser of one's own
        must be one that can be sent to them.

    Raises
    ------
    TableError
        The rows are no table of finite numbers, or there are k or fewer; an addition does not fit; what the
        anonymiser returns is no partition into groups of at least k.
    BudgetError
        k, the volume or the sample is none.
    LimitError
        It takes longer than the limit.

    Notes
    -----
    Definition 1 of Zhao, Jiang, Wang and Huang, "Non-asymptotic bound on the performance of k-anonymity
    against inference attacks", where it is not said which group is meant. With ``"record"`` it is that of
    every record which is in both data sets. The reference anonymiser takes a second for 2,000 rows; one of
    your own is called n times.

    Examples
    --------
    Two groups of k of 2k different numbers become one of 2k - 1, whoever leaves:

    >>> syntactic_sensitivity([[1], [2], [3], [4], [5], [6]], 3).largest
    2.0
    >>> syntactic_sensitivity([[1]] * 3 + [[5]] * 9, 3).largest
    8.0
    """
    table, size = as_quasi_rows(rows), COUNT.take(k, "k")
    what, made, n = as_choice(volume, "volume", VOLUMES, BudgetError), as_anonymiser(anonymiser), len(table)
    if n <= size:
        raise TableError(
            f"There are {n:,} rows; without one of them there are fewer than k = {size:,}. Give more rows or "
            "a smaller k.",
            Where("parameter", name="k"),
        )
    more, workers = _additions(additions, table.shape[1]), as_executor(executor)
    removed = _removed(n, sample, rng)
    hook = timed(progress, limit, f"The table without each of {len(removed):,} rows", "Give a sample.")
    counted = Progress(hook, len(removed) + len(more))
    # A copy: an anonymiser may sort or scale what it is given.
    number = checked_groups(made(table.copy(), size), n, size)
    sizes = np.bincount(number)
    own = sizes[number]
    without = partial(_without, made, table, size, own)
    left = Regrouped.joined(swept(without, in_parts(removed, workers), workers, counted))
    came = [_regrouped(made, size, own, np.vstack([table, row]), None) for row in _counted(more, counted)]
    changes = np.full(n, np.nan)
    changes[removed] = _changes(what, left, sizes, n, n - 1)
    added = _changes(what, Regrouped.joined(came), sizes, n, n + 1) if came else np.empty(0)
    counted.finish()
    return SyntacticSensitivity(size, what, changes, added)


def _without(
    made: Anonymiser,
    table: Floats,
    k: int,
    own: Integers,
    removed: Integers,
    told: Progress,
) -> Regrouped:
    """Return what becomes of the groups without each of some rows."""
    if made is mondrian:
        return without_each(table, k, removed, own, told)
    again = partial(_regrouped, made, k, own)
    return _each((np.delete(table, row, axis=0) for row in removed), removed, again, told)


def _changes(volume: str, found: Regrouped, sizes: Integers, n: int, other: int) -> Floats:
    if volume == "record":
        return found.change.astype(np.float64)
    if volume == "mean":
        # Differences of fractions with whole numbers, divided once.
        top = np.abs(n * found.groups - other * len(sizes))
        return (top / (found.groups * len(sizes))).astype(np.float64)
    then = found.largest if volume == "largest" else found.smallest
    now = sizes.max() if volume == "largest" else sizes.min()
    found_changes: Floats = np.abs(then - now).astype(np.float64)
    return found_changes


def _regrouped(anonymiser: Anonymiser, k: int, own: Integers, rows: Floats, removed: int | None) -> Regrouped:
    """Return what becomes of the groups in another table; of an added row its own group is not compared."""
    number = checked_groups(anonymiser(rows, k), len(rows), k)
    sizes = np.bincount(number)
    kept = own if removed is None else np.delete(own, removed)
    change = int(np.abs(sizes[number][: len(kept)] - kept).max())
    whole = (change, int(sizes.max()), int(sizes.min()), len(sizes))
    return Regrouped(*(np.array([value], np.int64) for value in whole))


def _each(
    tables: Iterable[Floats],
    removed: Integers,
    again: Callable[[Floats, int], Regrouped],
    progress: Progress,
) -> Regrouped:
    found = []
    for table, row in zip(tables, removed.tolist(), strict=True):
        found.append(again(table, row))
        progress.step()
    return Regrouped.joined(found)


def _counted(rows: Floats, progress: Progress) -> Iterable[Floats]:
    for row in rows:
        yield row
        progress.step()


def _removed(n: int, sample: Any, rng: Any) -> Integers:
    if sample is None:
        return np.arange(n)
    accepted = "give a number of rows, 1 or more, or None for all"
    many = Whole(accepted, 1).take(sample, "sample", subject="The sample")
    if many >= n:
        return np.arange(n)
    return np.sort(as_generator(rng).choice(n, many, replace=False))


def _additions(additions: Any, d: int) -> Floats:
    refuse_masked(additions, "additions")
    listed = list(additions) if isinstance(additions, Iterable) and not isinstance(additions, str) else None
    if listed is not None and not listed:
        return np.empty((0, d))
    rows = as_quasi_rows(additions if listed is None else listed, "additions")
    if rows.shape[1] != d:
        raise TableError(
            f"The additions have {rows.shape[1]:,} columns and the rows {d:,}; give as many.",
            Where("parameter", name="additions"),
        )
    return rows
