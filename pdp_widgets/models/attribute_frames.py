"""From the columns of a data frame to the codes of attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole
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
from pdp_widgets.models.frame_values import is_missing
from pdp_widgets.models.frames import (
    check_lengths,
    columns_of,
    found_domain,
    labelled_values,
    number_array,
    refuse_mixed_truth,
    tuples_of,
)
from pdp_widgets.models.labels import Domain, as_domain, as_label, short, shown

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
) -> tuple[NDArray[np.int32], tuple[Domain, ...], tuple[str, ...]]:
    """Return codes, labels and names; parameters are those of `AttributeTable.from_dataframe`."""
    names, given, weight = tuples_of(
        frame, attributes, weight, domains, noun="attribute", parameter="attributes"
    )
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
    columns: list[Any] = []
    labels: dict[str, Any] = dict(given)
    wanted = names if weight is None else [*names, weight]
    read = columns_of(frame, wanted)
    rows = None if weight is None else repeated_rows(read.pop(), weight, len(names))
    for axis, (name, column) in enumerate(zip(names, read, strict=True)):
        values: Any = number_array(column)
        order = None
        if values is None:
            values, order = labelled_values(column, name)
        if name not in given and name not in binned:
            labels[name] = _checked_order(order, name, axis)
        columns.append(values)
        if every is not None and labels.get(name) is None and _different_numbers(columns[-1]) > every[1]:
            binned[name] = every[0]
    check_lengths(names, columns)
    if rows is None:
        rows = np.arange(len(columns[0]))
    codes = np.empty((len(rows), len(names)), np.int32, order="F")
    found: list[Domain] = []
    # A column without any value has one label then: that of missing values, which its caller adds.
    may_lack = isinstance(missing, str) and missing == "category"
    many: list[tuple[str, int, int]] = []
    for axis, (name, column) in enumerate(zip(names, columns, strict=True)):
        if name in binned:
            codes[:, axis], domain = _binned(_repeated(column, rows), binned[name], name, axis)
        else:
            once, domain = _coded(column, labels[name], name, axis, may_lack)
            codes[:, axis] = once[rows]
            if labels[name] is None:
                records = int((codes[:, axis] >= 0).sum())
                if _few_records(domain, records):
                    many.append((name, len(domain), records))
        found.append(domain)
    if many:
        _warn_of_few_records(many)
    return codes, tuple(found), tuple(names)


def _repeated(column: Any, rows: NDArray[np.int64]) -> Any:
    return column[rows] if isinstance(column, np.ndarray) else [column[row] for row in rows.tolist()]


def _checked_order(found: list[Any] | None, name: str, axis: int) -> list[Any] | None:
    if found is not None and len(found) > _MOST_LABELS:
        raise LimitError(
            f"Column {short(name)} declares {len(found):,} categories (limit {_MOST_LABELS:,}). Declare "
            "fewer; if all are wanted, list them in domains.",
            Where("axis", axis=axis, name=name),
        )
    return found


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


def _different_numbers(column: Any) -> int:
    """Return how many different numbers a column of numbers has, 0 for any other column."""
    if isinstance(column, np.ndarray):
        return 0 if column.dtype.kind == "b" else len(np.unique(column[~np.isnan(column)]))
    known = [value for value in column if not is_missing(value)]
    kinds = (int, float, np.integer, np.floating)
    numbers = all(isinstance(value, kinds) and not isinstance(value, bool) for value in known)
    return len(set(known)) if numbers else 0


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


def _coded(column: Any, given: Any, name: str, axis: int, may_lack: bool) -> tuple[NDArray[np.int64], Domain]:
    """Return the positions of labels and the labels, in the order in which they are given or found."""
    if isinstance(column, np.ndarray):
        values, inverse = np.unique(column, return_inverse=True)
        lost = np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.size, bool)
        distinct = values[~lost].tolist()
        places = np.full(values.size, -1)
        if given is None:
            places[~lost] = np.arange(len(distinct))
    else:
        distinct, inverse, lost = _distinct(column, name, axis)
        places = np.full(lost.size, -1)
    if given is None and len(distinct) > _MOST_LABELS:
        raise _too_many(name, len(distinct), len(column), axis)
    labels = [as_label(value, axis, name) for value in distinct]
    if given is not None:
        domain = as_domain(given, axis, name)
    elif labels:
        domain = found_domain(labels, name, axis)
    elif may_lack and len(column):
        domain = ()
    else:
        raise TableError(
            f"Column {short(name)} has no value; leave it out.", Where("axis", axis=axis, name=name)
        )
    position = {label: p for p, label in enumerate(domain)}
    for at, label in zip(np.flatnonzero(~lost), labels, strict=True):
        if label not in position:
            row = int(np.argmax(inverse == at))
            raise DomainError(
                f"Column {short(name)}, row {row:,}: {short(label)} is not in the given domain.",
                Where("axis", axis=axis, name=name),
            )
        places[at] = position[label]
    return np.asarray(places[inverse]), domain


def _distinct(
    column: list[Any], name: str, axis: int
) -> tuple[list[Any], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the different values but missing ones, the place of every row's value, and which are missing."""
    refuse_mixed_truth(column, name, axis)
    try:
        place = {value: p for p, value in enumerate(dict.fromkeys(column))}
    except TypeError:
        for value in column:
            if not is_missing(value):
                as_label(value, axis, name)
        raise
    inverse = np.fromiter((place[value] for value in column), np.int64, len(column))
    lost = np.fromiter((is_missing(value) for value in place), np.bool_, len(place))
    return [value for value, gone in zip(place, lost, strict=True) if not gone], inverse, lost


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
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("A data frame needs pandas: pip install pandas.") from None
    columns = {}
    for place, (name, domain) in enumerate(zip(names, domains, strict=True)):
        # The code -1 of a missing value is the last place.
        labels = np.empty(len(domain) + 1, dtype=object)
        labels[:-1] = domain
        columns[name] = labels[codes[:, place]]
    return pd.DataFrame(columns).infer_objects()
