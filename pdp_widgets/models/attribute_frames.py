"""From the columns of a data frame to the codes of attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import (
    DomainError,
    FewRecordsWarning,
    LimitError,
    PdpError,
    TableError,
    Where,
    warn_caller,
)
from pdp_widgets.models.attribute_codes import repeated_rows
from pdp_widgets.models.binning import Bins
from pdp_widgets.models.coded_column import CodedColumn, coded_column
from pdp_widgets.models.file_counts import counted
from pdp_widgets.models.frame_remarks import numbers_of, remark_of_layout, warn_of_counts
from pdp_widgets.models.frame_values import is_missing
from pdp_widgets.models.frames import (
    check_lengths,
    column_values,
    columns_of,
    found_domain,
    number_array,
    tuples_of,
)
from pdp_widgets.models.labels import Domain, as_domain, short, shown
from pdp_widgets.models.pandas_frames import labels_of, pandas_frame

__all__ = ["GivenBins", "coded_columns", "labelled_frame"]

#: Bins, how many of equal width, edges, "quantiles", or ("quantiles", how many).
GivenBins: TypeAlias = Bins | int | Iterable[float] | str | tuple[str, int]

#: Different values of a column without bins: more are measured numbers, or keys of records.
_MOST_LABELS = 1000
#: Bins that "quantiles" alone makes.
_QUANTILES = 4
#: A column of numbers with more labels than this, and fewer records a label than that, is worth a warning.
_FEW_LABELS, _RECORDS_EACH = 20, 10


def coded_columns(
    frame: Any,
    attributes: Sequence[str] | None,
    bins: Mapping[str, GivenBins] | int | str | tuple[str, int] | None,
    domains: Mapping[str, Iterable[Any]] | None,
    missing: Any = "drop",
    weight: str | None = None,
    unused: bool | None = None,
) -> tuple[NDArray[np.int32], tuple[Domain, ...], tuple[str, ...]]:
    """Return codes, labels and names; parameters are those of `AttributeTable.from_dataframe`."""
    frame = counted(frame, attributes, weight)
    remark_of_layout(frame, attributes, weight)
    names, given, weight = tuples_of(
        frame, attributes, weight, domains, noun="attribute", parameter="attributes"
    )
    unused = None if unused is None else as_flag(unused, "unused")
    every = _for_every_column(bins)
    if "" in names:
        raise DomainError(
            "A column has an empty name; a name of an attribute is non-empty text. Rename the column.",
            Where("axis", axis=names.index("")),
        )
    binned = dict(bins) if isinstance(bins, Mapping) else {}
    for name in binned:
        if name not in names:
            listing = ", ".join(short(a) for a in names[:12])
            raise DomainError(
                f"There are bins for {short(name)}, which is no attribute; the attributes are {listing}.",
                Where("parameter", name="bins"),
            )
        if name in given:
            raise DomainError(
                f"Column {short(name)} has both bins and a domain; give one of them.",
                Where("parameter", name="bins"),
            )
    wanted = names if weight is None else [*names, weight]
    read = columns_of(frame, wanted)
    rows = None if weight is None else repeated_rows(read.pop(), weight, len(names))
    columns: list[Any] = []
    for axis, (name, column) in enumerate(zip(names, read, strict=True)):
        found_column = None if name in binned else coded_column(column, name, axis, loose=unused is True)
        if found_column is not None:
            found_column = replace(found_column, order=found_column.chosen_order(unused))
        if found_column is not None and name not in given:
            _check_order(found_column)
            if every is not None and found_column.order is None and _numbers_in(found_column) > every[1]:
                binned[name] = every[0]
        columns.append(_values(column, name) if name in binned else found_column)
    check_lengths(names, [c.codes if isinstance(c, CodedColumn) else c for c in columns])
    if rows is None and attributes is None and all(isinstance(one, CodedColumn) for one in columns):
        warn_of_counts(
            [(one.name, numbers_of(one)) for one in columns],
            "an attribute",
            "AttributeTable.from_dataframe(frame, weight={!r})",
            "name the attributes: from_dataframe(frame, attributes=[...])",
        )
    if rows is None:
        first = columns[0]
        rows = np.arange(len(first.codes if isinstance(first, CodedColumn) else first))
    codes = np.empty((len(rows), len(names)), np.int32, order="F")
    found: list[Domain] = []
    # A column without any value has one label then: that of missing values, which its caller adds.
    may_lack = isinstance(missing, str) and missing == "category"
    many: list[tuple[str, int, int]] = []
    for axis, (name, column) in enumerate(zip(names, columns, strict=True)):
        if name in binned:
            codes[:, axis], domain = _binned(_repeated(column, rows), binned[name], name, axis)
        else:
            once, domain = _coded(column, given.get(name), may_lack)
            codes[:, axis] = once[rows]
            if name not in given and column.order is None:
                records = int((codes[:, axis] >= 0).sum())
                if _few_records(domain, records):
                    many.append((name, len(domain), records))
        found.append(domain)
    if many:
        _warn_of_few_records(many)
    return codes, tuple(found), tuple(names)


def _repeated(column: Any, rows: NDArray[np.int64]) -> Any:
    return column[rows] if isinstance(column, np.ndarray) else [column[row] for row in rows.tolist()]


def _values(column: Any, name: str) -> Any:
    """Return numbers as an array, anything else as a list."""
    array = number_array(column)
    return column_values(column, name) if array is None else array


def _check_order(column: CodedColumn) -> None:
    if column.order is not None and len(column.order) > _MOST_LABELS:
        raise LimitError(
            f"Column {short(column.name)} declares {len(column.order):,} categories (limit "
            f"{_MOST_LABELS:,}). Declare fewer; if all are wanted, list them in domains.",
            Where("axis", axis=column.axis, name=column.name),
        )


def _for_every_column(bins: Any) -> tuple[Any, int] | None:
    """Return bins that are meant for every column of numbers, and how many at most; None for others."""
    if bins is None or isinstance(bins, Mapping):
        return None
    if is_whole(bins) and bins >= 1:
        return int(bins), int(bins)
    if isinstance(bins, str) and bins == "quantiles":
        return bins, 4
    if isinstance(bins, tuple) and len(bins) == 2 and bins[0] == "quantiles" and is_whole(bins[1]):
        return bins, int(bins[1])
    raise DomainError(
        f"The bins are {shown(bins)}; give a number or ('quantiles', 5) for all columns of numbers, or bins "
        "by column, {column: number, edges or 'quantiles'}.",
        Where("parameter", name="bins"),
    )


def _numbers_in(column: CodedColumn) -> int:
    """Return how many different numbers a column of numbers has, 0 for any other column."""
    kinds = (int, float, np.integer, np.floating)
    numbers = all(isinstance(value, kinds) and not isinstance(value, bool) for value in column.known)
    return len(column.known) if numbers else 0


def _few_records(domain: Domain, records: int) -> bool:
    numbers = not any(isinstance(label, str | bool) for label in domain)
    return numbers and len(domain) > max(_FEW_LABELS, records / _RECORDS_EACH)


def _warn_of_few_records(many: Sequence[tuple[str, int, int]]) -> None:
    """Warn of columns of numbers, given by name, labels and records: once, however many there are."""
    if len(many) > 1:
        listed = ", ".join(short(name) for name, *_ in many[:6]) + (", ..." if len(many) > 6 else "")
        warn_caller(
            f"{len(many)} columns have many different numbers, and each is a label of its own: {listed}. So "
            "few records of a label decide what leaks. Put all columns of numbers into bins: "
            "AttributeTable.from_dataframe(frame, bins=5), or each with edges of its own, "
            f"bins={{{many[0][0]!r}: [edges], ...}}.",
            FewRecordsWarning,
        )
        return
    name, labels, records = many[0]
    warn_caller(
        f"Column {short(name)} has {labels:,} different numbers in {records:,} records, and each is a "
        "label of its own: so few records of a label decide what leaks. Put them into bins: "
        f"AttributeTable.from_dataframe(frame, bins={{{name!r}: 5}}), or edges or ('quantiles', 5) in "
        "place of the number.",
        FewRecordsWarning,
    )


def _too_many(name: str, many: int, rows: int, axis: int) -> LimitError:
    return LimitError(
        f"Column {short(name)} has {many:,} different values in {rows:,} rows (limit {_MOST_LABELS:,}). Put "
        "numbers into bins, and leave out columns that number the records. If all values are wanted, list "
        "them in domains.",
        Where("axis", axis=axis, name=name),
    )


def _coded(column: CodedColumn, given: Any, may_lack: bool) -> tuple[NDArray[np.int64], Domain]:
    """Return the positions of labels and the labels, in the order in which they are given or found."""
    name, axis = column.name, column.axis
    given = column.order if given is None else given
    if given is None and len(column.known) > _MOST_LABELS:
        raise _too_many(name, len(column.known), len(column.codes), axis)
    labels = column.labels()
    if given is not None:
        domain = as_domain(given, axis, name)
    elif labels:
        domain = found_domain(labels, name, axis)
    elif may_lack and len(column.codes):
        domain = ()
    else:
        raise TableError(
            f"Column {short(name)} has no value; leave it out.", Where("axis", axis=axis, name=name)
        )
    return column.positions(domain), domain


def _binned(column: Any, bins: GivenBins, name: str, axis: int) -> tuple[NDArray[np.int64], Domain]:
    """Return the bin of every row and the bins in words."""
    where = Where("axis", axis=axis, name=name)
    if not isinstance(column, np.ndarray):
        known = [np.nan if is_missing(value) else value for value in column]
        wrong = next((v for v in known if isinstance(v, str | bytes | bool)), None)
        if wrong is not None:
            raise DomainError(
                f"Column {short(name)} has the value {shown(wrong)} and cannot be put into bins; bins are "
                "for numbers.",
                where,
            )
        column = known
    try:
        found = _as_bins(bins, column, name)
        return found.codes(column), found.labels
    except PdpError as error:
        raise DomainError(f"Column {short(name)}: {error}", where) from None


def _as_bins(bins: Any, column: Any, name: str) -> Bins:
    """Return bins as `AttributeTable.from_dataframe` takes them."""
    if isinstance(bins, Bins):
        return bins
    if is_whole(bins):
        return Bins.equal_width(column, bins)
    listed: list[Any] = [bins] if isinstance(bins, str) else []
    if isinstance(bins, tuple | list):
        listed = list(bins)
    if any(isinstance(part, str) for part in listed):
        if listed[0] == "quantiles" and len(listed) <= 2:
            return Bins.quantiles(column, listed[1] if len(listed) == 2 else _QUANTILES)
        raise DomainError(
            f"The bins are {shown(bins)}; give a number of bins, edges, ('quantiles', 4), or what "
            f"Bins.quantiles(frame[{name!r}], 4) makes.",
            Where("parameter", name="bins"),
        )
    return Bins(bins)


def labelled_frame(
    codes: NDArray[np.signedinteger[Any]], domains: Sequence[Domain], names: Sequence[str]
) -> Any:
    """Return records with their labels as a pandas data frame; None where missing."""
    columns = {
        name: labels_of(codes[:, place], domain)
        for place, (name, domain) in enumerate(zip(names, domains, strict=True))
    }
    return pandas_frame(columns).infer_objects()
