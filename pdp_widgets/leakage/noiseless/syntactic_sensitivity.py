"""How much the groups of an anonymiser change when one record comes or goes (Definition 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import COUNT, Whole
from pdp_widgets.core.chart import Axis, Chart, Series, number
from pdp_widgets.core.converters import as_generator, check_many, plain_numbers, refuse_masked
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.leakage.noiseless.regrouping import Regrouped, halved_without_each, regrouped, without_each
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.sweeps import as_executor, in_parts, swept
from pdp_widgets.mechanisms.anonymity.mondrian import (
    Anonymiser,
    RankedRows,
    as_anonymiser,
    as_quasi_rows,
    counts_rows,
    grouped_rows,
    mondrian,
)
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays, read_only
from pdp_widgets.models.labels import as_choice, shown
from pdp_widgets.models.runs import Runs, as_runs, merged_runs

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Records of which a large sample is chosen by shuffling them all.
_SHUFFLED = 10_000_000


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
    by_run
        Change without a record of each run of records, in records, shape (runs,); NaN for those that were not
        left out.
    added
        Change with each of the records that might come, in records, shape (m,).
    published
        How many records are in groups at all; None for all of them.
    lengths
        How many records each run has, shape (runs,); None where every run is one record. Neighbouring runs
        of one change are made one.

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
    by_run: Floats
    added: Floats
    published: int | None = None
    lengths: Integers | None = None

    def __post_init__(self) -> None:
        """Make neighbouring runs of one change one, so that equal results are equal."""
        firsts, runs = merged_runs([self.by_run], Runs(len(self.by_run), self.lengths))
        object.__setattr__(self, "by_run", self.by_run[firsts])
        object.__setattr__(self, "lengths", runs.counts)
        super().__post_init__()

    @property
    def runs(self) -> Runs:
        """The runs of records that change the groups alike."""
        return Runs(len(self.by_run), self.lengths)

    @cached_property
    def changes(self) -> Floats:
        """Change without each record, in records, shape (n,); NaN for those that were not left out."""
        return np.asarray(read_only(self.runs.each(self.by_run)))

    @property
    def tested(self) -> int:
        """How many records were left out, one at a time; of those of one row one stands for all."""
        return self.runs.total(~np.isnan(self.by_run))

    @property
    def left(self) -> tuple[Integers, Floats]:
        """The records that were left out, ascending, and the change without each, both of shape (tested,)."""
        records = self.runs.places(np.flatnonzero(~np.isnan(self.by_run)))
        return records, self.by_run[self.runs.of(records)]

    @property
    def status(self) -> Literal["exact", "lower bound"]:
        """``"exact"`` for all records and the ones that might come, ``"lower bound"`` for a sample."""
        published = self.runs.records if self.published is None else self.published
        return "exact" if self.tested == published else "lower bound"

    @property
    def largest(self) -> float:
        """The sensitivity s, in records."""
        return float(np.nanmax(np.concatenate([self.by_run, self.added])))

    @property
    def worst(self) -> int | None:
        """Position of the first record whose leaving changes most; None where one that comes changes more."""
        found = np.nan_to_num(self.by_run, nan=-1.0)
        place = int(found.argmax())
        return int(self.runs.starts[place]) if found[place] >= self.largest else None

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
        tested = ~np.isnan(self.by_run)
        values = np.concatenate([self.by_run[tested], self.added])
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
        for name, some, runs in (
            ("left out", self.by_run[tested], self.runs.take(tested)),
            ("added", self.added, Runs(len(self.added))),
        ):
            if len(some):
                heights = np.repeat(np.histogram(some, edges, weights=runs.counts)[0].astype(np.float64), 2)
                outline = np.concatenate([[0.0], heights, [0.0]])
                found, place = np.unique(some, return_inverse=True)
                records = runs.sums(place, len(found))
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
        (left, changes), came = self.left, np.arange(len(self.added))
        return Numbers(
            {
                "record": np.concatenate([left, came]),
                "how": ["left out"] * self.tested + ["added"] * len(came),
                "change": np.concatenate([changes, self.added]),
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
    counts: ArrayLike | None = None,
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
        Least size of a group, less than the number of records.
    volume
        What is compared.
    additions
        Rows that might come, shape (m, d).
    anonymiser
        Any function (rows, k) -> groups of rows.
    counts
        How many records each row stands for, shape (n,); without it one. Of equal rows one is left out for
        all, except by an anonymiser of one's own, which may tell them apart: for it counted rows are listed.
    sample
        Leave out only so many records, chosen at random: the result is a lower bound. Without it all.
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
    table = as_quasi_rows(rows)
    runs = as_runs(counts, len(table))
    found = left_out(
        table,
        runs,
        k,
        volume,
        additions,
        anonymiser,
        sample=sample,
        rng=rng,
        limit=limit,
        progress=progress,
        executor=executor,
    )
    by_run, lengths = found.over(runs, np.arange(len(table)))
    return SyntacticSensitivity(found.k, found.volume, by_run, found.added, None, lengths)


@dataclass(frozen=True, eq=False)
class LeftOut:
    """What changes without a record of each row of a table, and with each that might come."""

    k: int
    volume: Volume
    runs: Runs  # the rows, and how many records each stands for
    by_row: Floats  # NaN for rows of which no record was left out, shape (rows,)
    records: Integers | None  # those left out of a sample, ascending; None for all
    added: Floats

    def over(self, runs: Runs, rows: Integers) -> tuple[Floats, Integers | None]:
        """Return the changes by run of a table of which these are some rows: values, and lengths of runs."""
        if self.runs.many != len(rows):
            # Listed for an anonymiser that tells equal records apart.
            rows, runs = runs.places(rows), Runs(runs.records)
        if self.records is None:
            by_run = np.full(runs.many, np.nan)
            by_run[rows] = self.by_row
            return by_run, runs.counts
        of = self.runs.of(self.records)
        records = runs.starts[rows[of]] + self.records - self.runs.starts[of]
        # Before each record that was left out those that were not.
        ends = np.column_stack([records, records + 1]).ravel()
        lengths = np.diff(ends, prepend=0, append=runs.records)
        by_run = np.full(len(lengths), np.nan)
        by_run[1::2] = self.by_row[of]
        there = lengths > 0
        return by_run[there], lengths[there]


def left_out(
    rows: Floats,
    runs: Runs,
    k: int,
    volume: Volume,
    additions: Iterable[ArrayLike],
    anonymiser: Anonymiser,
    *,
    sample: int | None,
    rng: np.random.Generator | int | None = 0,
    limit: float,
    progress: ProgressHook | None,
    executor: Executor | None = None,
) -> LeftOut:
    """Return what changes without each record; arguments as for `syntactic_sensitivity`."""
    size, what = COUNT.take(k, "k"), as_choice(volume, "volume", VOLUMES, BudgetError)
    made, n = as_anonymiser(anonymiser), runs.records
    if n <= size:
        raise TableError(
            f"There are {n:,} rows; without one of them there are fewer than k = {size:,}. Give more rows or "
            "a smaller k.",
            Where("parameter", name="k"),
        )
    more, workers = _additions(additions, rows.shape[1]), as_executor(executor)
    if not counts_rows(made):
        rows, runs = runs.each(rows), Runs(n)
    records = _removed(n, sample, rng)
    tested = n if records is None else len(records)
    hook = timed(progress, limit, f"The table without each of {tested:,} rows", "Give a sample.")
    number = grouped_rows(made, rows, runs, size)
    sizes = runs.sums(number, int(number.max()) + 1)
    own = sizes[number]
    without, place = _without(made, rows, runs, size, own)
    removed = np.unique(place if records is None else place[runs.of(records)])
    counted = Progress(hook, len(removed) + len(more))
    left = Regrouped.joined(swept(without, in_parts(removed, workers), workers, counted))
    came = []
    for row in more:
        joined = Runs(runs.many + 1, None if runs.counts is None else np.append(runs.counts, 1))
        came.append(regrouped(made, size, own, np.vstack([rows, row]), joined))
        counted.step()
    changes = np.full(int(place.max()) + 1, np.nan)
    changes[removed] = _changes(what, left, sizes, n, n - 1)
    added = _changes(what, Regrouped.joined(came), sizes, n, n + 1) if came else np.empty(0)
    counted.finish()
    return LeftOut(size, what, runs, changes[place], records, added)


def _without(
    made: Anonymiser, rows: Floats, runs: Runs, k: int, own: Integers
) -> tuple[Callable[..., Regrouped], Integers]:
    """Return what leaves records of different rows out, and which of these each row is."""
    if not counts_rows(made):
        return partial(without_each, made, rows, runs, k, own), np.arange(runs.many)
    table, place = RankedRows.of(rows, runs)
    first = np.unique(place, return_index=True)[1]
    if made is mondrian:
        return partial(halved_without_each, table, k, own[first]), place
    return partial(without_each, made, rows[first], table.runs, k, own[first]), place


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


def _removed(n: int, sample: Any, rng: Any) -> Integers | None:
    """Return the positions of the records of a sample; None for all."""
    if sample is None:
        return None
    accepted = "give a number of rows, 1 or more, or None for all"
    many = Whole(accepted, 1).take(sample, "sample", subject="The sample")
    if many >= n:
        return None
    if n > _SHUFFLED:
        # More would shuffle all of them.
        check_many(many, n // 50, "sample")
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
