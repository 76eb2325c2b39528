"""Records that stand in runs of equal ones: how long each run is, and where its records are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import as_whole_numbers
from pdp_widgets.errors import LimitError, TableError, Where
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays

__all__ = ["MOST_RECORDS", "Runs", "as_runs", "counted_runs", "merged_runs"]

Integers = NDArray[np.int64]

#: Records that are counted, at most.
MOST_RECORDS = 10**12
#: Records that are listed one by one: more would fill the memory.
_MOST_LISTED = 100_000_000


@dataclass(frozen=True, eq=False)
class Runs(EqualByFields, ReadOnlyArrays):
    """How many records each of several runs has; records are numbered run after run, from 0.

    Parameters
    ----------
    many
        How many runs there are.
    counts
        Records of every run, each 1 or more, shape (runs,), read-only; None where every run is one record.

    Examples
    --------
    >>> runs = Runs(3, np.array([2, 1, 3]))
    >>> runs.records, runs.of(np.array([0, 1, 2, 5])).tolist(), runs.places(np.array([2, 0])).tolist()
    (6, [0, 0, 1, 2], [3, 4, 5, 0, 1])
    """

    many: int
    counts: Integers | None = None

    @cached_property
    def records(self) -> int:
        """How many records there are in all."""
        return self.many if self.counts is None else int(self.counts.sum())

    @cached_property
    def starts(self) -> Integers:
        """Position of the first record of every run, shape (runs,)."""
        if self.counts is None:
            return np.arange(self.many)
        return np.asarray(np.cumsum(self.counts) - self.counts)

    def of(self, records: Integers) -> Integers:
        """Return the run of every given record.

        Examples
        --------
        >>> Runs(2, np.array([2, 1])).of(np.array([2, 0])).tolist()
        [1, 0]
        """
        if self.counts is None:
            return records
        return np.asarray(np.searchsorted(self.starts, records, side="right") - 1)

    def sums(self, index: Integers, size: int, chosen: Any = slice(None)) -> Integers:
        """Return the number of records by an index of each run, or of each chosen one, shape (size,).

        Examples
        --------
        >>> Runs(3, np.array([2, 1, 3])).sums(np.array([0, 1, 0]), 3).tolist()
        [5, 1, 0]
        """
        if self.counts is None:
            return np.bincount(index, minlength=size)
        # Sums of whole numbers below 2^53 are exact as floats.
        return np.bincount(index, self.counts[chosen], size).astype(np.int64)

    def total(self, chosen: NDArray[Any]) -> int:
        """Return how many records the chosen runs have together, by position or by a mask.

        Examples
        --------
        >>> Runs(3, np.array([2, 1, 3])).total(np.array([True, False, True]))
        5
        """
        if self.counts is not None:
            return int(self.counts[chosen].sum())
        return int(np.count_nonzero(chosen)) if chosen.dtype == np.bool_ else len(chosen)

    def each(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return a value of every run for each of its records, shape (records, ...).

        Raises
        ------
        LimitError
            There are more than 100,000,000 records.

        Examples
        --------
        >>> Runs(2, np.array([2, 1])).each(np.array([7.0, 8.0])).tolist()
        [7.0, 7.0, 8.0]
        """
        if self.counts is None:
            return values
        self.refuse_listing(self.records)
        return np.repeat(values, self.counts, axis=0)

    def places(self, chosen: Integers, most: int | None = None) -> Integers:
        """Return the positions of the records of chosen runs, in the order of these; at most so many.

        Raises
        ------
        LimitError
            They are more than 100,000,000.

        Examples
        --------
        >>> Runs(3, np.array([2, 1, 3])).places(np.array([2, 0]), 4).tolist()
        [3, 4, 5, 0]
        """
        if self.counts is None:
            return chosen[:most]
        counts = self.counts[chosen]
        ends = np.cumsum(counts)
        if most is not None:
            chosen = chosen[: int(np.searchsorted(ends, most)) + 1]
            ends = np.minimum(ends[: len(chosen)], most)
            counts = np.diff(ends, prepend=0)
        self.refuse_listing(int(ends[-1]) if len(ends) else 0)
        return np.repeat(self.starts[chosen] - (ends - counts), counts) + np.arange(counts.sum())

    def refuse_listing(self, records: int, columns: int = 1) -> None:
        """Raise LimitError where so many records of so many columns are too many to list."""
        if records * columns > _MOST_LISTED:
            of = f" of {columns:,} columns" if columns > 1 else ""
            raise LimitError(
                f"This lists {records:,} records{of}; at most {_MOST_LISTED:,} values are listed. "
                "Microdata.by_row and Microdata.runs have the rows, and how many records each stands for.",
                Where("parameter", name="records"),
            )

    def take(self, chosen: NDArray[Any]) -> Runs:
        """Return the runs at some positions, or under a mask.

        Examples
        --------
        >>> Runs(3, np.array([2, 1, 3])).take(np.array([2, 0])).records
        5
        """
        if self.counts is None:
            return Runs(self.total(chosen))
        counts = self.counts[chosen]
        return Runs(len(counts), counts)


def counted_runs(counts: Integers, name: str) -> Runs:
    """Return runs of counted records, each 1 or more; refuse more records in all than are computed with."""
    records = sum(counts.tolist())
    if records > MOST_RECORDS:
        raise LimitError(
            f"The counts add up to {records:,} records; at most {MOST_RECORDS:,} are counted.",
            Where("parameter", name=name),
        )
    return Runs(len(counts), None if (counts == 1).all() else counts)


def as_runs(counts: ArrayLike | None, rows: int) -> Runs:
    """Return how many records each of so many rows stands for, or raise TableError."""
    if counts is None:
        return Runs(rows)
    found = as_whole_numbers(counts, "counts", TableError, 1, MOST_RECORDS)
    if found.shape != (rows,):
        raise TableError(
            f"The counts have the shape {found.shape} and there are {rows:,} rows; give one for each.",
            Where("parameter", name="counts"),
        )
    return counted_runs(found, "counts")


def merged_runs(columns: list[NDArray[Any]], runs: Runs) -> tuple[Integers, Runs]:
    """Return where neighbouring runs begin to differ in any column, NaN like NaN, and the runs from there."""
    differ = np.ones(runs.many, np.bool_)
    if runs.many:
        differ[1:] = False
    for values in columns:
        before, here = values[:-1], values[1:]
        differ[1:] |= (before != here) & ~((before != before) & (here != here))
    firsts = np.flatnonzero(differ)
    if len(firsts) == runs.many:
        # One way to say that every run is one record.
        single = runs.counts is None or bool((runs.counts == 1).all())
        return firsts, Runs(runs.many) if single else runs
    return firsts, Runs(len(firsts), np.diff(np.append(runs.starts[firsts], runs.records)))
