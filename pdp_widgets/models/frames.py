"""From data frames to columns: their names, values and declared orders, and the faults that they can have.

Frames are read through narwhals (pandas, polars, arrow, modin; lazy ones of polars, duckdb, dask and others),
dicts of lists as they are. None of these libraries is loaded for anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole, plain_number
from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.crosstabs import long_form
from pdp_widgets.models.frame_values import in_words, is_missing
from pdp_widgets.models.labels import Domain, Label, as_domain, is_text, refuse_set, short, shown

__all__ = [
    "check_lengths",
    "checked_columns",
    "column_names",
    "column_values",
    "columns_of",
    "declared_categories",
    "found_domain",
    "is_frame",
    "is_lazy",
    "labelled_values",
    "named_by",
    "number_array",
    "number_columns",
    "opened",
    "refuse_mixed_truth",
    "tuples_of",
    "without_points",
]


def declared_categories(column: Any, loose: bool = False) -> list[Any] | None:
    """Return the ordered categories of a column, or None where it declares no order."""
    # An ordered categorical of pandas, an ``Enum`` of polars and an ordered dictionary of arrow declare one.
    # An unordered categorical does not, unless those are wanted (loose): its categories stand as found.
    kind: Any = getattr(column, "dtype", None)
    if type(kind).__name__ == "Enum" or getattr(kind, "ordered", False) is True:
        return list(kind.categories)
    column = column.to_native() if hasattr(column, "to_native") else column
    kind = getattr(column, "dtype", None)
    if loose and type(kind).__name__ == "CategoricalDtype":
        return list(kind.categories)
    ordered = getattr(getattr(column, "type", None), "ordered", None)
    if ordered is None or not (ordered or loose):
        return None
    # Chunks of one column of arrow may have their own dictionaries.
    whole = column.unify_dictionaries() if hasattr(column, "unify_dictionaries") else column
    if hasattr(whole, "chunks"):
        whole = whole.chunk(0) if whole.num_chunks else None
    found = getattr(whole, "dictionary", None)
    return None if found is None else list(found.to_pylist())


#: Answers with an order of their own, which is that of the alphabet: the one that denies comes first.
_PAIRS = ({"no", "yes"}, {"false", "true"})


def _fault(message: str, column: str, axis: int | None = None) -> DomainError:
    return DomainError(
        message,
        Where("axis", axis=axis, name=column) if axis is not None else Where("parameter", name=column),
    )


def is_frame(value: Any) -> bool:
    """Tell whether a value is a data frame: one of those that narwhals reads, or a dict of lists."""
    # A lazy frame finds its columns at a cost.
    if isinstance(value, Mapping) or hasattr(value, "collect_schema"):
        return True
    named = (getattr(value, name, None) for name in ("column_names", "columns"))
    return any(found is not None and not callable(found) for found in named)


def _own_names(frame: Any) -> list[Any]:
    """Return the names of the columns as the frame has them."""
    frame = long_form(frame)
    if isinstance(frame, Mapping):
        return list(frame)
    if hasattr(frame, "collect_schema"):
        return list(frame.collect_schema().names())
    found = getattr(frame, "column_names", None) or getattr(frame, "columns", None)
    if found is None or callable(found):
        of_file = " pdp.read_table reads a file." if isinstance(frame, str | PathLike) else ""
        raise DomainError(
            f"A {type(frame).__name__} is not a data frame; give a pandas, polars or arrow table.{of_file}",
            Where("parameter", name="frame"),
        )
    return list(found)


def named_by(frame: Any, what: str, given: Any) -> Any:
    """Return the column of weights, times or ids: the one that a caller names, or that a `Table` knows."""
    # Frames of other libraries have columns as attributes, and methods.
    frame = long_form(frame)
    known = getattr(frame, what, None) if given is None and isinstance(frame, Mapping) else None
    return known if isinstance(known, str) else given


def _as_name(name: Any) -> Any:
    """Return a whole number as text, and anything else as it is."""
    return str(int(name)) if is_whole(name) else name


def column_names(frame: Any) -> list[str]:
    """Return the names of the columns of a data frame; whole numbers are taken as text."""
    names = [_as_name(name) for name in _own_names(frame)]
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


def opened(frame: Any, names: Sequence[str]) -> Any:
    """Return some columns of a frame: a mapping, or a frame of narwhals, which may be lazy."""
    frame = long_form(frame)
    own = dict(zip(column_names(frame), _own_names(frame), strict=True))
    if isinstance(frame, Mapping):
        return {name: frame[own[name]] for name in names}
    # Late: who has no frames needs no narwhals.
    import narwhals.stable.v2 as nw

    if list(own.values()) != list(names) and hasattr(frame, "iloc"):
        # Other columns of pandas may have one name twice, and numbers for names.
        frame = frame[[own[name] for name in names]].rename(columns={own[name]: name for name in names})
    try:
        found = nw.from_native(frame)
    except TypeError:
        # Arrow's batches of records.
        return {name: frame[name] for name in names}
    # Columns of pandas are copied by a choice.
    return found if not is_lazy(found) and found.columns == list(names) else found.select(*names)


def without_points(frame: Any, names: Sequence[str]) -> tuple[Any, list[str]]:
    """Return a frame and what it calls some columns: those of DuckDB whose names have a point get others."""
    # What stands before the point would be taken for a table.
    if type(frame).__name__ != "DuckDBPyRelation" or not any("." in name for name in names):
        return frame, list(names)
    aliases = [f"c{place}" for place in range(len(names))]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    chosen = ", ".join(f"{name} AS {alias}" for name, alias in zip(quoted, aliases, strict=True))
    return frame.project(chosen), aliases


def is_lazy(frame: Any) -> bool:
    """Tell whether an opened frame is one whose rows lie elsewhere."""
    return not isinstance(frame, Mapping) and not hasattr(frame, "get_column")


def columns_of(frame: Any, names: Sequence[str]) -> list[Any]:
    """Return columns: series of narwhals, or what a mapping has; those of a lazy frame are collected."""
    frame, own = without_points(frame, names)
    chosen = opened(frame, own)
    if is_lazy(chosen):
        chosen = chosen.collect()
    return [chosen[name] for name in own]


def column_values(column: Any, name: str) -> list[Any]:
    """Return a column as a list of Python values."""
    fault = f"Column {short(name)} is {{}}; a column is a list of labels."
    if isinstance(column, str | bytes) or not (isinstance(column, Iterable) or hasattr(column, "to_pylist")):
        raise _fault(fault.format(shown(column)), name)
    refuse_set(column, f"The labels of column {short(name)}", name)
    if getattr(getattr(column, "dtype", None), "kind", None) in ("M", "m"):
        # Times in nanoseconds become whole numbers otherwise.
        column = np.asarray(column).astype(f"{column.dtype.kind}8[us]")
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            column = getattr(column, method)()
            break
    if isinstance(column, str | bytes) or not isinstance(column, Iterable):
        # An array without axes gives the one value that it holds.
        raise _fault(fault.format(shown(column)), name)
    return [None if _is_gap(value) else value for value in column]


def labelled_values(column: Any, name: str) -> tuple[list[Any], list[Any] | None]:
    """Return the values of a column and the order that it declares; dates and the like become text."""
    return in_words(column_values(column, name), declared_categories(column))


def number_array(column: Any) -> NDArray[Any] | None:
    """Return a column of plain numbers or of true and false as an array, None for anything else."""
    if hasattr(column, "to_native"):
        # Whole numbers beside a missing value would become floats, and large ones others.
        kind = column.dtype
        plain = kind.is_float() or ((kind.is_integer() or str(kind) == "Boolean") and not column.null_count())
        found = np.asarray(column.to_numpy()) if plain else np.empty(0, dtype=object)
    elif isinstance(column, np.ndarray) and not isinstance(column, np.ma.MaskedArray):
        found = column
    else:
        # A masked array has None where it is masked, as a list.
        return None
    return found if found.ndim == 1 and found.dtype.kind in "iufb" else None


def _is_gap(value: Any) -> bool:
    # A decimal that is no number and says so loudly can neither be compared nor looked up.
    return value is np.ma.masked or (isinstance(value, Decimal) and value.is_snan())


def refuse_mixed_truth(values: Sequence[Any], name: str, axis: int) -> None:
    """Raise DomainError where true and 1, or false and 0, stand in one column: for Python they are equal."""
    if bool not in (kinds := set(map(type, values))) or len(kinds) == 1:
        return
    truths = {value for value in values if isinstance(value, bool)}
    if any(isinstance(v, int | float) and not isinstance(v, bool) and v in truths for v in values):
        raise _fault(
            f"Column {short(name)} has numbers beside true or false, and true equals 1 and false equals 0; "
            "make them labels of one kind.",
            name,
            axis,
        )


def found_domain(distinct: list[Label], name: str, axis: int) -> Domain:
    """Return labels that were found in a column in the order in which they stand in a table."""
    numbers = [label for label in distinct if not isinstance(label, str)]
    texts = [label for label in distinct if isinstance(label, str)]
    if len(numbers) == len(distinct):
        return as_domain(sorted(numbers), axis, name)
    if {text.lower() for text in texts} in _PAIRS and len(distinct) == 2:
        return as_domain(sorted(texts, key=str.lower), axis, name)
    return as_domain(distinct, axis, name)


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
    weight = _as_name(weight)
    refuse_set(columns, f"The {parameter}", parameter)
    if columns is not None and not isinstance(columns, Iterable):
        raise DomainError(f"The {parameter} are {shown(columns)}; give a list of names of columns.", where)
    if domains is not None and not isinstance(domains, Mapping):
        raise DomainError(
            f"The domains are {shown(domains)}; give lists of labels by column, {{column: [label, ...]}}.",
            Where("parameter", name="domains"),
        )
    domains = {_as_name(name): labels for name, labels in (domains or {}).items()}
    names = [name for name in available if name != weight] if columns is None else [*map(_as_name, columns)]
    for name in [*names, *([] if weight is None else [weight]), *domains]:
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
    return names, domains


def tuples_of(
    frame: Any, columns: Any, weight: Any, domains: Any, *, noun: str = "tuple", parameter: str = "columns"
) -> tuple[list[str], Mapping[str, Iterable[Any]], str | None]:
    """Return the columns that become tuples, the given domains, and the column of weights."""
    weight = _as_name(named_by(frame, "weight", weight))
    available = column_names(frame)
    if columns is None:
        apart = {weight, named_by(frame, "time", None), named_by(frame, "id", None)}
        columns = [name for name in available if name not in apart]
    names, given = checked_columns(available, columns, weight, domains, noun=noun, parameter=parameter)
    return names, given, weight


def check_lengths(names: Sequence[str], columns: Sequence[Any]) -> None:
    """Raise TableError unless all columns have the same number of rows."""
    for name, column in zip(names, columns, strict=True):
        if len(column) != len(columns[0]):
            raise TableError(
                f"Column {short(names[0])} has {len(columns[0])} rows and column {short(name)} has "
                f"{len(column)}; every column needs the same number.",
                Where("parameter", name=name),
            )


def number_columns(
    frame: Any, columns: Sequence[str] | None, weight: str | None = None
) -> tuple[NDArray[np.float64], list[str]]:
    """Return the numbers of a data frame, one record a row, and the names of the columns but the weight."""
    available = column_names(frame)
    if columns is None and weight is not None:
        columns = [name for name in available if name != weight]
    names, _ = checked_columns(available, columns, weight, None)
    listed: list[Any] = []
    for name, column in zip(names, columns_of(frame, names), strict=True):
        array = number_array(column)
        listed.append(column_values(column, name) if array is None else array)
    check_lengths(names, listed)
    numbers = [
        _numbers(values, name, axis) for axis, (name, values) in enumerate(zip(names, listed, strict=True))
    ]
    return np.column_stack(numbers), names


def _numbers(values: Any, name: str, axis: int) -> NDArray[np.float64]:
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf" and np.isfinite(values).all():
        return values.astype(np.float64)
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
