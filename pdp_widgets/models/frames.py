"""From data frames to contingency tables and columns of numbers, and back.

Frames are read by what they offer (column names and columns that can be listed), so pandas, polars and arrow
tables all work and none of them is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import plain_number
from pdp_widgets.errors import CountColumnWarning, DomainError, LimitError, TableError, Where, warn_caller
from pdp_widgets.models.labels import (
    Domain,
    Label,
    as_domain,
    as_label,
    is_text,
    place,
    refuse_set,
    short,
    shown,
)
from pdp_widgets.models.table_checks import MOST_AXES

__all__ = [
    "cells",
    "check_lengths",
    "checked_columns",
    "column_names",
    "column_values",
    "declared_categories",
    "found_domain",
    "is_frame",
    "is_missing",
    "number_columns",
    "refuse_missing",
    "refuse_mixed_truth",
    "square",
    "tabulate",
    "warn_of_counts",
]


def declared_categories(column: Any) -> list[Any] | None:
    """Return the ordered categories of a column, or None where it declares no order."""
    # An ordered categorical of pandas, an ``Enum`` of polars and an ordered dictionary of arrow declare one.
    # An unordered categorical does not: its categories stand in the order in which they were found.
    kind = getattr(column, "dtype", None)
    categories = getattr(kind, "categories", None)
    if categories is not None:
        # polars' Categorical has categories too, which it shares with other columns.
        declares = type(kind).__name__ == "Enum" or getattr(kind, "ordered", False) is True
        return (
            list(categories.tolist() if hasattr(categories, "tolist") else categories) if declares else None
        )
    kind = getattr(column, "type", None)
    if getattr(kind, "ordered", False) is not True:
        return None
    # Chunks of one column may have their own dictionaries.
    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if hasattr(whole, "chunks"):
        whole = column.unify_dictionaries().chunk(0) if column.num_chunks else None
    found = getattr(whole, "dictionary", None)
    return None if found is None else list(found.to_pylist())


#: What a column of counts or weights is called most often.
_NAMES = frozenset(("count", "counts", "n", "freq", "frequency", "frequencies", "weight", "weights"))


def warn_of_counts(names: Sequence[str], columns: Sequence[Sequence[Any]]) -> None:
    """Warn of a column of whole numbers that is named like counts, and becomes a tuple like all others."""
    if len(names) < 2:
        return
    for name, column in zip(names, columns, strict=True):
        if name.strip().lower() in _NAMES and _counts(column):
            warn_caller(
                f"Column {short(name)} is taken as a tuple, and looks like counts of rows. If it is, name "
                f"it: from_dataframe(frame, weight={name!r}). If not, name the tuples: "
                "from_dataframe(frame, columns=[...]).",
                CountColumnWarning,
            )
            return


def _counts(column: Sequence[Any]) -> bool:
    """Tell whether values are whole numbers, 0 or more, and not only zeros and ones."""
    kinds = (int, float, np.integer, np.floating)
    if not all(isinstance(value, kinds) and not isinstance(value, bool) for value in column):
        return False
    return all(value >= 0 and value == value // 1 for value in column) and any(value > 1 for value in column)


#: Answers with an order of their own, which is that of the alphabet: the one that denies comes first.
_PAIRS = ({"no", "yes"}, {"false", "true"})
#: Labels of one column, and cells of the table: more come from measured numbers, or from keys of records.
_MOST_LABELS = 1000
_MOST_CELLS = 1 << 20
_GROUP = (
    "Group numbers (pandas.cut), leave out columns that number the records, choose fewer columns, or "
    "describe numbers by a GaussianModel."
)


def _fault(message: str, column: str, axis: int | None = None) -> DomainError:
    return DomainError(
        message,
        Where("axis", axis=axis, name=column) if axis is not None else Where("parameter", name=column),
    )


def is_frame(value: Any) -> bool:
    """Tell whether a value is a data frame: pandas, polars, arrow, or a dict of lists."""
    if hasattr(value, "collect") and hasattr(value, "collect_schema") and not hasattr(value, "iter_rows"):
        raise TypeError("The value is a lazy frame; give frame.collect(), whose values are there.")
    named = (getattr(value, name, None) for name in ("column_names", "columns"))
    return isinstance(value, Mapping) or any(found is not None and not callable(found) for found in named)


def column_names(frame: Any) -> list[str]:
    """Return the names of the columns of a data frame."""
    is_frame(frame)
    if isinstance(frame, Mapping):
        names = list(frame)
    else:
        found = getattr(frame, "column_names", None) or getattr(frame, "columns", None)
        if found is None or callable(found):
            raise DomainError(
                f"A {type(frame).__name__} is not a data frame; give a pandas, polars or arrow table.",
                Where("parameter", name="frame"),
            )
        names = list(found)
    for name in names:
        if not isinstance(name, str):
            raise DomainError(
                f"A column is named {shown(name)}; names of columns must be text. Name them, for example by "
                "frame.columns = frame.columns.astype(str).",
                Where("parameter", name="columns"),
            )
        if not is_text(name):
            raise DomainError(
                f"A column is named {shown(name)}, which has half a character (a lone surrogate); rename it.",
                Where("parameter", name="columns"),
            )
    return names


def column_values(frame: Any, name: str) -> list[Any]:
    """Return a column as a list of Python values."""
    column = frame[name]
    if isinstance(column, str | bytes) or not (isinstance(column, Iterable) or hasattr(column, "to_pylist")):
        raise _fault(f"Column {short(name)} is {shown(column)}; a column is a list of labels.", name)
    refuse_set(column, f"The labels of column {short(name)}", name)
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            column = getattr(column, method)()
            break
    if isinstance(column, str | bytes) or not isinstance(column, Iterable):
        # An array without axes gives the one value that it holds.
        raise _fault(f"Column {short(name)} is {shown(column)}; a column is a list of labels.", name)
    return [None if _is_gap(value) else value for value in column]


def _is_gap(value: Any) -> bool:
    # A decimal that is no number and says so loudly can neither be compared nor looked up.
    return value is np.ma.masked or (isinstance(value, Decimal) and value.is_snan())


def is_missing(value: Any) -> bool:
    """Tell whether a value stands for a missing one."""
    # None, masked, NaN, NaT and pandas' NA: the last one refuses to be compared.
    if value is None or value is np.ma.masked:
        return True
    try:
        return bool(value != value)
    except (TypeError, InvalidOperation):
        return True
    except ValueError:
        # An array of several numbers is compared one by one, and is there.
        return False


def refuse_mixed_truth(values: Iterable[Any], name: str, axis: int) -> None:
    """Raise DomainError where true and 1, or false and 0, stand in one column: for Python they are equal."""
    truths = {value for value in values if isinstance(value, bool)}
    if truths and any(isinstance(v, int | float) and not isinstance(v, bool) and v in truths for v in values):
        raise _fault(
            f"Column {short(name)} has numbers beside true or false, and true equals 1 and false equals 0; "
            "make them labels of one kind.",
            name,
            axis,
        )


def refuse_missing(values: Sequence[Any], name: str, axis: int) -> None:
    """Raise DomainError where a column has missing values, with the row of the first."""
    rows = [row for row, value in enumerate(values) if is_missing(value)]
    if rows:
        raise _fault(
            f"Column {short(name)} has {len(rows)} missing value{'s'[: len(rows) > 1]}, "
            f"first in row {rows[0]}; drop those rows or give them a label of their own.",
            name,
            axis,
        )


def _distinct_labels(values: list[Any], name: str, axis: int) -> list[Label]:
    """Return the labels of a column in order of appearance; none may be missing."""
    refuse_mixed_truth(values, name, axis)
    try:
        distinct = list(dict.fromkeys(values))
    except TypeError:
        # Something that cannot be hashed is no label either: let as_label name it.
        distinct = values
    if any(is_missing(value) for value in distinct):
        refuse_missing(values, name, axis)
    return [as_label(value, axis, name) for value in distinct]


def found_domain(distinct: list[Label], name: str, axis: int) -> Domain:
    """Return labels that were found in a column in the order in which they stand in a table."""
    numbers = [label for label in distinct if not isinstance(label, str)]
    texts = [label for label in distinct if isinstance(label, str)]
    if len(numbers) == len(distinct):
        return as_domain(sorted(numbers), axis, name)
    if {text.lower() for text in texts} in _PAIRS and len(distinct) == 2:
        return as_domain(sorted(texts, key=str.lower), axis, name)
    return as_domain(distinct, axis, name)


def _checked_counts(values: list[Any], name: str) -> list[int]:
    for row, value in enumerate(values):
        wrong = is_missing(value)
        try:
            number = None if wrong else float(value)
        except (TypeError, ValueError, OverflowError):
            number = None
        if (
            number is None
            or not np.isfinite(number)
            or number < 0
            or number != np.floor(number)
            or int(value) > 2**53
        ):
            text = "missing" if wrong else shown(value)
            raise TableError(
                f"Column {short(name)}, row {row}: the count is {text}; it must be whole, 0 to 2^53.",
                Where("parameter", name=name),
            )
    return [int(v) for v in values]


def checked_columns(
    available: list[str],
    columns: Any,
    weight: Any,
    domains: Any,
    *,
    noun: str = "tuple",
    parameter: str = "columns",
) -> tuple[list[str], Mapping[str, Iterable[Any]]]:
    """Return the chosen columns and the given domains, or raise DomainError."""
    where = Where("parameter", name=parameter)
    if isinstance(columns, str):
        columns = [columns]
    refuse_set(columns, f"The {parameter}", parameter)
    if columns is not None and not isinstance(columns, Iterable):
        raise DomainError(f"The {parameter} are {shown(columns)}; give a list of names of columns.", where)
    if domains is not None and not isinstance(domains, Mapping):
        raise DomainError(
            f"The domains are {shown(domains)}; give lists of labels by column, {{column: [label, ...]}}.",
            Where("parameter", name="domains"),
        )
    names = [name for name in available if name != weight] if columns is None else list(columns)
    for name in [*names, *([] if weight is None else [weight]), *(domains or {})]:
        if not isinstance(name, str) or name not in available:
            listing = ", ".join(short(a) for a in available[:12])
            asked = Where("parameter", name="weight") if name == weight and name not in names else where
            raise DomainError(f"There is no column {short(name)}; the columns are {listing}.", asked)
    if not names:
        article = "an" if noun[0] in "aeiou" else "a"
        raise DomainError(f"No column is left to become {article} {noun}; name at least one.", where)
    for name in [*names, *([] if weight is None else [weight])]:
        if available.count(name) > 1:
            raise DomainError(
                f"The data frame has two columns named {short(name)}; rename one of them.", where
            )
    if len(set(names)) != len(names):
        raise DomainError(f"A column is named twice; name each {noun} once.", where)
    if weight in names:
        raise DomainError(
            f"Column {short(weight)} cannot be both a tuple and the counts; leave it out of the columns.",
            Where("parameter", name="weight"),
        )
    return names, domains or {}


def check_lengths(names: Sequence[str], columns: Sequence[list[Any]]) -> None:
    """Raise TableError unless all columns have the same number of rows."""
    for name, column in zip(names, columns, strict=True):
        if len(column) != len(columns[0]):
            raise TableError(
                f"Column {short(names[0])} has {len(columns[0])} rows and column {short(name)} has "
                f"{len(column)}; every column needs the same number.",
                Where("parameter", name=name),
            )


def _check_size(shape: Sequence[int], names: Sequence[str], given: Sequence[bool], rows: int) -> None:
    if len(shape) > MOST_AXES:
        raise LimitError(
            f"There are {len(shape)} columns; a table has at most {MOST_AXES} tuples. Choose fewer columns.",
            Where("parameter", name="columns"),
        )
    size = prod(shape)
    widest = max(range(len(shape)), key=lambda axis: shape[axis])
    if shape[widest] > _MOST_LABELS and not given[widest]:
        raise LimitError(
            f"Column {short(names[widest])} has {shape[widest]:,} different labels in {rows:,} rows (limit "
            f"{_MOST_LABELS:,}). {_GROUP} If all are wanted, list them in domains.",
            Where("axis", axis=widest, name=names[widest]),
        )
    if size > _MOST_CELLS:
        raise LimitError(
            f"The table would have {size:,} cells, and at most {_MOST_CELLS:,} are made; column "
            f"{short(names[widest])} has {shape[widest]:,} labels. {_GROUP}",
            Where("axis", axis=widest, name=names[widest]),
        )


def tabulate(
    frame: Any,
    columns: Sequence[str] | None,
    weight: str | None,
    domains: Mapping[str, Iterable[Any]] | None,
) -> tuple[NDArray[np.int64], tuple[Domain, ...], list[str]]:
    """Return counts, domains and names of the tuples found in a data frame."""
    available = column_names(frame)
    names, domains = checked_columns(available, columns, weight, domains)
    values = [column_values(frame, name) for name in names]
    counted = [] if weight is None else [weight]
    listed = [column_values(frame, name) for name in counted]
    check_lengths([*names, *counted], [*values, *listed])
    rows = len(values[0])
    if rows == 0:
        raise TableError("The data frame has no rows; it needs at least one record.", Where("table"))
    found: list[Domain] = []
    for axis, (name, column) in enumerate(zip(names, values, strict=True)):
        distinct = _distinct_labels(column, name, axis)
        given = domains[name] if name in domains else declared_categories(frame[name])
        found.append(found_domain(distinct, name, axis) if given is None else as_domain(given, axis, name))
    shape = tuple(len(domain) for domain in found)
    _check_size(shape, names, [domains.get(name) is not None for name in names], rows)
    index = np.empty((len(names), rows), dtype=np.int64)
    for axis, (name, domain, column) in enumerate(zip(names, found, values, strict=True)):
        positions = {label: p for p, label in enumerate(domain)}
        index[axis] = np.fromiter((positions.get(value, -1) for value in column), np.int64, rows)
        if (index[axis] < 0).any():
            row = int(np.argmax(index[axis] < 0))
            raise _fault(
                f"Column {short(name)}, row {row}: {short(column[row])} is not in the given domain.",
                name,
                axis,
            )
    if columns is None and weight is None:
        warn_of_counts(names, values)
    weights = [1] * rows if weight is None else _checked_counts(listed[0], weight)
    # Whole numbers of any size are added exactly; as int64 a long column could wrap around.
    total = sum(weights)
    counts = np.zeros(shape, dtype=np.int64 if total < 2**63 else object)
    np.add.at(counts, tuple(index), np.array(weights, dtype=counts.dtype))
    largest = int(counts.max())
    if largest > 2**53:
        cell = tuple(int(p) for p in np.unravel_index(int(np.argmax(counts)), shape))
        raise TableError(
            f"The counts of ({place(names, found, cell)}) sum to {largest:,}; a count is at most 2^53.",
            Where("cell", index=cell),
        )
    return counts.astype(np.int64), tuple(found), names


def cells(
    table: NDArray[np.float64],
    domains: Sequence[Domain],
    names: Sequence[str],
    counts: NDArray[np.int64] | None,
) -> Any:
    """Return a pandas data frame with one row for each cell of a table, in table order."""
    pd = _pandas()
    taken = [name for name in ("probability", "count") if name in names]
    if taken:
        raise DomainError(
            f"A tuple is named {taken[0]}, which is the name of a result column; rename it.",
            Where("parameter", name="names"),
        )
    grid = np.indices(table.shape).reshape(table.ndim, -1)
    columns: dict[str, Any] = {
        name: [domain[p] for p in positions]
        for name, domain, positions in zip(names, domains, grid, strict=True)
    }
    columns["probability"] = table.ravel()
    if counts is not None:
        columns["count"] = counts.ravel()
    return pd.DataFrame(columns)


def square(values: NDArray[np.float64], names: Sequence[str], **attrs: Any) -> Any:
    """Return a pandas data frame of a square matrix, names down and across."""
    frame = _pandas().DataFrame(values.copy(), index=list(names), columns=list(names))
    frame.attrs.update(attrs)
    return frame


def _pandas() -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("A data frame needs pandas: pip install pandas.") from None
    return pd


def number_columns(frame: Any, columns: Sequence[str] | None) -> tuple[NDArray[np.float64], list[str]]:
    """Return the numbers of a data frame, one record a row, and the names of the columns."""
    names, _ = checked_columns(column_names(frame), columns, None, None)
    listed = [column_values(frame, name) for name in names]
    check_lengths(names, listed)
    numbers = [
        _numbers(values, name, axis) for axis, (name, values) in enumerate(zip(names, listed, strict=True))
    ]
    return np.column_stack(numbers), names


def _numbers(values: list[Any], name: str, axis: int) -> NDArray[np.float64]:
    found = np.empty(len(values))
    for row, value in enumerate(values):
        wrong = "missing" if is_missing(value) else ""
        if not wrong:
            try:
                found[row] = plain_number(value)
            except (TypeError, ValueError, OverflowError):
                wrong = shown(value)
            else:
                wrong = "" if np.isfinite(found[row]) else f"{found[row]:g}"
        if wrong:
            raise DomainError(
                f"Column {short(name)}, row {row} is {wrong}; a mean and a covariance need finite numbers. "
                "Drop the row, or name the columns of numbers.",
                Where("axis", axis=axis, name=name),
            )
    return found
