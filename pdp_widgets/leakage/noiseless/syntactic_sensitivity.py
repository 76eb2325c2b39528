"""How much the groups of an anonymiser change when one record comes or goes (Definition 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.leakage.noiseless.removed_rows import Regrouped, without_each
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.progress import Progress, ProgressHook
from pdp_widgets.mechanisms.anonymity.checked_groups import Anonymiser, as_anonymiser, checked_groups
from pdp_widgets.mechanisms.anonymity.mondrian import as_class_size, as_quasi_rows, mondrian
from pdp_widgets.mechanisms.anonymity.parameters import as_choice
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.figure_file import FigureFile
from pdp_widgets.models.given_numbers import as_generator, is_whole, plain_numbers, refuse_masked
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown

__all__ = ["VOLUMES", "SyntacticSensitivity", "Volume", "syntactic_sensitivity", "syntactic_volumes"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: What is compared: for every record that stays the size of its own group; the largest, the smallest and the
#: mean size of all groups.
Volume: TypeAlias = Literal["record", "largest", "smallest", "mean"]
VOLUMES: tuple[Volume, ...] = ("record", "largest", "smallest", "mean")

_SOURCE = "Zhao, Jiang, Wang and Huang, Definition 1"


@dataclass(frozen=True, eq=False, repr=False)
class SyntacticSensitivity(EqualByFields, ReadOnlyArrays, FigureFile, NumberTable):
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

    def plot(self) -> Any:
        """Return a bqplot figure: how many records change the groups by how much."""
        from pdp_widgets.widgets.class_figures import plot_changes

        return plot_changes(self)

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
            (f"s = {self.largest:.6g}, {self.status}", self._about),
        )

    def __repr__(self) -> str:
        return f"SyntacticSensitivity({self._amount}, {self.status}, {self._about})"


def syntactic_volumes(volume: float, neighbours: ArrayLike) -> float:
    """Return the largest difference of a volume to those of neighbouring data sets: max |v - w_j|.

    Parameters
    ----------
    volume
        Records in one group.
    neighbours
        The same of all neighbouring data sets, at least one.

    Raises
    ------
    TableError
        A volume is no finite number, or there is no neighbour.

    Examples
    --------
    >>> syntactic_volumes(10, [10, 10, 13])
    3.0
    """
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
    progress: ProgressHook | None = None,
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
    progress
        Told the share done; what it raises cancels.

    Raises
    ------
    TableError
        The rows are no table of finite numbers, or there are k or fewer; an addition does not fit; what the
        anonymiser returns is no partition into groups of at least k.
    BudgetError
        k, the volume or the sample is none.

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
    table, size = as_quasi_rows(rows), as_class_size(k)
    what, made, n = as_choice(volume, "volume", VOLUMES), as_anonymiser(anonymiser), len(table)
    if n <= size:
        raise TableError(
            f"There are {n:,} rows; without one of them there are fewer than k = {size:,}. Give more rows or "
            "a smaller k.",
            Where("parameter", name="k"),
        )
    more = _additions(additions, table.shape[1])
    removed = _removed(n, sample, rng)
    counted = Progress(progress, len(removed) + len(more))
    # A copy: an anonymiser may sort or scale what it is given.
    number = checked_groups(made(table.copy(), size), n, size)
    sizes = np.bincount(number)
    own = sizes[number]
    if made is mondrian:
        left = without_each(table, size, removed, own, counted)
    else:
        again = partial(_regrouped, made, size, own)
        left = _each((np.delete(table, row, axis=0) for row in removed), removed, again, counted)
    came = [_regrouped(made, size, own, np.vstack([table, row]), None) for row in _counted(more, counted)]
    changes = np.full(n, np.nan)
    changes[removed] = _changes(what, left, sizes, n, n - 1)
    added = _changes(what, Regrouped.joined(came), sizes, n, n + 1) if came else np.empty(0)
    counted.finish()
    return SyntacticSensitivity(size, what, changes, added)  # type: ignore[arg-type]


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
    if not is_whole(sample) or sample < 1:
        raise BudgetError(
            f"The sample is {shown(sample)}; give a number of rows, 1 or more, or None for all.",
            Where("parameter", name="sample"),
        )
    if sample >= n:
        return np.arange(n)
    return np.sort(as_generator(rng).choice(n, int(sample), replace=False))


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
