"""What a secret says about sources: rows P(source | secret value), several sources side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import MIN_COUNT
from pdp_widgets.core.converters import as_flag, plain_numbers, refuse_masked
from pdp_widgets.errors import TableError, Where
from pdp_widgets.leakage.local.records import ACCEPTED

__all__ = ["Best", "Conditionals", "as_table", "conditional_rows"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Best:
    """The largest log ratio for every source, and the two secret values that reach it."""

    #: In nats, one for each source.
    value: Floats
    #: The secret values made more and less likely, by position.
    first: Ints
    second: Ints

    @classmethod
    def nothing(cls, sources: int) -> Best:
        """Return what leaks where nothing does."""
        return cls(np.zeros(sources), np.zeros(sources, dtype=np.int64), np.zeros(sources, dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence[Best]) -> Best:
        """Return the leakages of several groups of sources, one group behind the other."""
        return cls(
            np.concatenate([part.value for part in parts]),
            np.concatenate([part.first for part in parts]),
            np.concatenate([part.second for part in parts]),
        )


@dataclass(frozen=True, eq=False)
class Conditionals:
    """P(source symbol | secret value) for one secret and several sources, their symbols side by side."""

    #: Secret values down, symbols of all sources across; 0 in a source where the secret value is left out.
    rows: Floats
    #: Number of symbols of every source.
    sizes: Ints
    #: Which secret values count, one column for each source.
    present: Flags

    @classmethod
    def of(cls, rows: ArrayLike) -> Conditionals:
        """Return the conditionals of one source, given as a matrix with rows that sum to 1."""
        matrix = np.asarray(rows, dtype=np.float64)
        return cls(matrix, np.array([matrix.shape[1]]), np.ones((len(matrix), 1), dtype=np.bool_))

    @classmethod
    def from_counts(cls, counts: Floats, sizes: Sequence[int] | Ints, min_count: float = 0) -> Conditionals:
        """Return the conditionals of tables of counts or probabilities that stand side by side."""
        widths = np.asarray(sizes, dtype=np.int64)
        starts = np.cumsum(widths) - widths
        totals = np.add.reduceat(counts, starts, axis=1, dtype=np.float64)
        present = (totals > 0) & (totals >= min_count)
        divisors = np.where(present, totals, np.inf)
        return cls(counts / np.repeat(divisors, widths, axis=1), widths, present)

    @property
    def values(self) -> int:
        """Number of secret values, those left out included."""
        return len(self.rows)

    @property
    def sources(self) -> int:
        """Number of sources."""
        return len(self.sizes)

    @cached_property
    def starts(self) -> Ints:
        """First column of every source."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def complete(self) -> bool:
        """Whether no secret value is left out."""
        return bool(self.present.all())

    @cached_property
    def column_present(self) -> Flags:
        """Which secret values count, for every column."""
        return np.repeat(self.present, self.sizes, axis=1)

    @cached_property
    def divisors(self) -> Floats:
        """The rows as what is divided by: infinite where a secret value is left out."""
        return self.rows if self.complete else np.where(self.column_present, self.rows, np.inf)

    def source(self, j: int) -> Floats:
        """Return the matrix of one source, with the secret values left out."""
        start = int(self.starts[j])
        return self.rows[self.present[:, j], start : start + int(self.sizes[j])]

    def kept(self, j: int) -> Ints:
        """Return the positions of the secret values that count for one source."""
        return np.flatnonzero(self.present[:, j])

    def take(self, sources: Iterable[int]) -> Conditionals:
        """Return the conditionals of some of the sources."""
        chosen = np.asarray(list(sources), dtype=np.int64)
        if len(chosen) == self.sources and (chosen == np.arange(self.sources)).all():
            return self
        columns = np.concatenate([np.arange(self.starts[j], self.starts[j] + self.sizes[j]) for j in chosen])
        return Conditionals(self.rows[:, columns], self.sizes[chosen], self.present[:, chosen])


def as_table(table: Any, name: str = "table", axes: int | None = None) -> Floats:
    """Return an array of probabilities or counts, or raise TableError: finite, not negative, not all 0."""
    where = Where("parameter", name=name)
    refuse_masked(table, name)
    try:
        found = plain_numbers(table)
    except (TypeError, ValueError, OverflowError):
        raise TableError(f"The {name} is no array of numbers; give {ACCEPTED}.", where) from None
    if axes is not None and found.ndim != axes:
        raise TableError(f"The {name} has {found.ndim} axes; it must have {axes}.", where)
    if not found.size:
        raise TableError(f"The {name} is empty; it needs at least one row and one column.", where)
    wrong = ~(np.isfinite(found) & (found >= 0))
    if wrong.any():
        at = tuple(int(p) for p in np.unravel_index(int(np.argmax(wrong)), found.shape))
        raise TableError(
            f"Entry {at} of the {name} is {found[at]:.6g}; entries are finite and not negative.",
            Where("cell", index=at, name=name),
        )
    if not found.any():
        raise TableError(f"All entries of the {name} are 0; at least one must be positive.", where)
    # Sums of numbers near the largest float would overflow.
    largest = float(found.max())
    return found / largest if largest > 1e290 else found


def conditional_rows(
    table: ArrayLike, *, conditional: bool = False, min_count: float = 0, name: str = "table"
) -> Conditionals:
    """Return the rows P(source | secret value) of a table; secret values of probability 0 are left out."""
    rows = as_flag(conditional, "conditional")
    least = MIN_COUNT.take(min_count, "min_count")
    found = as_table(table, name, 2)
    if rows:
        sums = found.sum(axis=1)
        wrong = np.abs(sums - 1) > _TOLERANCE
        if wrong.any():
            row = int(np.argmax(wrong))
            raise TableError(
                f"Row {row} of the {name} sums to {sums[row]:.12g}; each row of conditional probabilities "
                "sums to 1.",
                Where("row", index=(row,), name=name),
            )
        return Conditionals.of(found)
    return Conditionals.from_counts(found, [found.shape[1]], least)
