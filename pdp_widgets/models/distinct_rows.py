"""The rows of a data frame that differ, with how often each is there: what joint distributions are made of.

Frames count by their own ``group_by``, lazy ones where they lie, so that only rows that differ reach Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import plain_number, short, shown
from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.coded_column import CodedColumn, coded_column
from pdp_widgets.models.frame_values import is_missing
from pdp_widgets.models.frames import (
    check_lengths,
    column_values,
    declared_categories,
    is_lazy,
    number_array,
    opened,
    without_points,
)
from pdp_widgets.models.sums import MOST_ROWS, numbered, refuse_many_rows
from pdp_widgets.models.table import Table

__all__ = [
    "MOST_ROWS",
    "DistinctRows",
    "as_given_weights",
    "distinct_rows",
    "free_name",
]

Integers = NDArray[np.int64]
_MOST_COUNT = 1 << 53


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Rows that differ: values by column, how many rows of the frame each stands for, and their weight."""

    columns: Sequence[CodedColumn]
    records: Integers
    #: Whole numbers are counts of records; others are not.
    weights: NDArray[Any]
    #: Where each row stands first; None where rows have no places.
    first: Integers | None

    def refuse_missing(self) -> None:
        """Raise DomainError where a column has missing values, with the row of the first."""
        for column in self.columns:
            lost = column.missing[column.codes]
            if lost.any():
                many = int(self.records[lost].sum())
                place = "" if self.first is None else f", first in row {self.first[lost].min()}"
                raise DomainError(
                    f"Column {short(column.name)} has {many:,} missing value{'s'[: many > 1]}{place}; drop "
                    "those rows or give them a label of their own.",
                    Where("axis", axis=column.axis, name=column.name),
                )

    def positions(self, axis: int, domain: Sequence[Any]) -> Integers:
        """Return the position of every row's value in a domain, or raise DomainError."""
        first = self.first
        return self.columns[axis].positions(
            domain, where=lambda row: "" if first is None else f", row {first[row]}"
        )


def distinct_rows(frame: Any, names: Sequence[str], weight: str | None, loose: bool = False) -> DistinctRows:
    """Return the rows of a frame that differ in some columns; without a weight every row counts once."""
    wanted = [*names, *([] if weight is None else [weight])]
    frame, own = without_points(frame, wanted)
    chosen = opened(frame, own)
    if isinstance(chosen, Mapping):
        # Counted rows have no places of their own.
        counted = frame.records if isinstance(frame, Table) else None
        rows = _of_lists(chosen, names, weight, loose, counted)
        return rows if counted is None else replace(rows, first=None)
    if is_lazy(chosen):
        return _of_lazy(chosen, names, weight, dict(zip(wanted, own, strict=True)))
    if all(_is_plain(chosen[name].dtype) for name in wanted) and len(chosen):
        return _of_frame(chosen, names, weight, loose)
    # Columns of Python's own objects are compared as Python compares them.
    return _of_lists({name: chosen[name] for name in wanted}, names, weight, loose)


def _is_plain(kind: Any) -> bool:
    """Tell whether a library groups values of a type as Python compares them."""
    return kind.is_numeric() or kind.is_temporal() or str(kind).split("(")[0] in _PLAIN


_PLAIN = frozenset(("Boolean", "String", "Categorical", "Enum"))


def _of_frame(frame: Any, names: Sequence[str], weight: str | None, loose: bool) -> DistinctRows:
    import narwhals.stable.v2 as nw

    orders = [declared_categories(frame[name], loose) for name in names]
    count, total, first = (free_name(frame.columns, name) for name in ("count", "total", "first"))
    counted = [nw.len().alias(count), nw.col(first).min()]
    if weight is not None:
        given = as_given_weights(frame[weight], weight)
        if given.sum(dtype=np.float64) >= _MOST_COUNT:
            # Their sums may be larger than what a library counts with.
            return _of_lists({name: frame[name] for name in [*names, weight]}, names, weight, loose)
        frame = frame.with_columns(nw.new_series(weight, given, backend=frame.implementation))
        counted.append(nw.col(weight).sum().alias(total))
    if frame.implementation.is_pyarrow():
        # Arrow groups positions of text in a third of the time.
        frame = frame.with_columns(
            nw.col(name).cast(nw.Categorical) for name in names if frame[name].dtype == nw.String
        )
    found = frame.with_row_index(first).group_by(*names, drop_null_keys=False).agg(*counted)
    if not found[first].is_sorted():
        found = found.sort(first)
    records = found[count].to_numpy().astype(np.int64)
    weights = records if weight is None else found[total].to_numpy()
    columns = [
        coded_column(found[name], name, axis, order)
        for axis, (name, order) in enumerate(zip(names, orders, strict=True))
    ]
    return DistinctRows(columns, records, weights, found[first].to_numpy().astype(np.int64))


def _of_lazy(frame: Any, names: Sequence[str], weight: str | None, own: Mapping[str, str]) -> DistinctRows:
    import narwhals.stable.v2 as nw

    schema = frame.collect_schema()
    # A lazy frame has no rows in an order, and each engine gives its groups in another one.
    orders = [list(getattr(schema[own[name]], "categories", None) or ()) or None for name in names]
    count, total, least, lost, part = (
        free_name(schema, name) for name in ("count", "total", "least", "lost", "part")
    )
    counted = [nw.len().alias(count)]
    if weight is not None:
        if not schema[own[weight]].is_numeric():
            raise TableError(
                f"Column {short(weight)} has no numbers; the weights of rows are numbers, 0 or more.",
                Where("parameter", name="weight"),
            )
        number = nw.col(own[weight]).cast(nw.Float64)
        gone, broken = number.is_null().cast(nw.Int64), (number % 1 != 0).cast(nw.Int64)
        frame = frame.with_columns(
            number.alias(total), number.alias(least), gone.alias(lost), broken.alias(part)
        )
        counted += [nw.col(total).sum(), nw.col(least).min(), nw.col(lost).max(), nw.col(part).max()]
    found = (
        frame.group_by(*(own[name] for name in names), drop_null_keys=False)
        .agg(*counted)
        .head(MOST_ROWS + 1)
        .collect()
    )
    refuse_many_rows(len(found))
    records = found[count].to_numpy().astype(np.int64)
    weights = records
    if weight is not None:
        weights = found[total].to_numpy().astype(np.float64)
        lowest, gone = found[least].to_numpy(), found[lost].to_numpy()
        if gone.any() or not np.isfinite(weights).all() or (lowest < 0).any():
            raise TableError(
                f"Column {short(weight)} has a weight that is missing, negative or infinite; a weight is a "
                "number, 0 or more.",
                Where("parameter", name="weight"),
            )
        if not found[part].to_numpy().any() and weights.sum() <= _MOST_COUNT:
            weights = weights.astype(np.int64)
    columns = [
        _sorted(coded_column(found[own[name]], name, axis, order))
        for axis, (name, order) in enumerate(zip(names, orders, strict=True))
    ]
    return DistinctRows(columns, records, weights, None)


def _sorted(column: CodedColumn) -> CodedColumn:
    """Return a column of text with its labels in the order of the alphabet, where it declares none."""
    known = column.known
    if column.order is not None or not known or not all(isinstance(value, str) for value in known):
        return column
    return replace(column, order=sorted(known))


def _of_lists(
    frame: Mapping[str, Any],
    names: Sequence[str],
    weight: str | None,
    loose: bool,
    counted: Integers | None = None,
) -> DistinctRows:
    columns = [coded_column(frame[name], name, axis, loose=loose) for axis, name in enumerate(names)]
    checked = list(names)
    lengths: list[Any] = [column.codes for column in columns]
    weights: Any = None
    if weight is not None:
        weights = as_given_weights(frame[weight], weight)
        checked.append(weight)
        lengths.append(weights)
    check_lengths(checked, lengths)
    index, first = numbered([one.codes for one in columns], [len(one.values) for one in columns])
    records = np.bincount(index, counted, len(first)).astype(np.int64)
    if weights is None:
        sums = records
    elif weights.dtype.kind == "i" and weights.sum(dtype=np.float64) >= _MOST_COUNT:
        # Whole numbers of any size are added exactly.
        sums = np.zeros(len(first), dtype=object)
        np.add.at(sums, index, weights.astype(object))
    else:
        sums = np.bincount(index, weights, len(first)).astype(weights.dtype)
    return DistinctRows([column.take(first) for column in columns], records, sums, first)


def free_name(taken: Any, name: str) -> str:
    """Return a name that no column has."""
    while name in taken:
        name += "_"
    return name


def as_given_weights(column: Any, name: str, place: Callable[[int], str] = "row {}".format) -> NDArray[Any]:
    """Return counts (int64) or other weights (float64), or raise TableError with the row of a wrong one."""
    array = number_array(column)
    values: Any = column_values(column, name) if array is None else array
    if array is None:
        array = np.fromiter(map(_as_weight, values), np.float64, len(values))
    wrong = ~((array >= 0) & (array < np.inf))
    numbers = array.astype(np.float64)
    if wrong.any():
        row = int(np.argmax(wrong))
        value = values[row].item() if isinstance(values, np.ndarray) else values[row]
        fault = " is missing" if is_missing(value) else f": the count is {shown(value)}"
        raise TableError(
            f"Column {short(name)}, {place(row)}{fault}; counts and weights are finite numbers, 0 or more.",
            Where("parameter", name=name),
        )
    if bool((numbers == np.floor(numbers)).all() and (array <= _MOST_COUNT).all()):
        return numbers.astype(np.int64)
    with np.errstate(over="ignore"):
        return numbers if np.isfinite(numbers.sum()) else numbers / numbers.max()


def _as_weight(value: Any) -> float:
    """Return a number, the next one beyond 2^53 for a whole number that is larger; NaN where it is none."""
    try:
        number = plain_number(float(value) if isinstance(value, bool) else value)
    except (TypeError, ValueError, OverflowError):
        return np.nan
    return float(np.nextafter(number, np.inf)) if number == _MOST_COUNT and value > _MOST_COUNT else number
