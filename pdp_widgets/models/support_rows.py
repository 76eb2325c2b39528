"""Rows of values of several tuples, their probabilities or counts, and the domains they are positions in."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import plain_number
from pdp_widgets.core.converters import refuse_masked
from pdp_widgets.errors import (
    DomainError,
    FewRecordsWarning,
    InstanceError,
    LimitError,
    TableError,
    Where,
    warn_caller,
)
from pdp_widgets.models.distinct_rows import MOST_ROWS, distinct_rows
from pdp_widgets.models.file_counts import counted
from pdp_widgets.models.frame_remarks import remark_of_layout, remark_of_weights, warn_of_tuples
from pdp_widgets.models.frames import tuples_of
from pdp_widgets.models.joint_value import few_records
from pdp_widgets.models.labels import Label, as_label, as_names, refuse_set, short, shown
from pdp_widgets.models.table_checks import SUM_TOLERANCE, as_numbers, check_cells

__all__ = [
    "MOST_ROWS",
    "Value",
    "as_probabilities",
    "as_value",
    "as_weights",
    "check_rows",
    "coded_rows",
    "counted_rows",
    "diameter_of",
    "pair_tables_of",
    "points_of",
    "sorted_values",
    "sums_of",
    "value_domain",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def sums_of(index: Integers, weights: Floats, size: int) -> Floats:
    """Return the sums of weights by index, 0, 1, ... below a size."""
    return np.asarray(np.bincount(index, weights, size), dtype=np.float64)


def as_weights(given: Any, rows: int, what: str) -> Floats:
    """Return one number for each row, 0 or more and not all 0, or raise TableError."""
    numbers = as_numbers(given, what)
    where = Where("table")
    if numbers.shape != (rows,):
        raise TableError(
            f"There are {rows:,} rows and the {what} have the shape {numbers.shape}; give one number for "
            "each row.",
            where,
        )
    for bad, demand in (
        (~np.isfinite(numbers), "must be a finite number"),
        (numbers < 0, "must not be negative"),
    ):
        if bad.any():
            row = int(np.argmax(bad))
            raise TableError(
                f"In the {what} that of row {row} is {numbers[row]:.12g}; it {demand}.",
                Where("cell", index=(row,)),
            )
    if not numbers.any():
        raise TableError(f"The {what} are all 0; at least one must be positive.", where)
    return numbers + 0.0


def as_probabilities(given: Any, rows: int) -> Floats:
    """Return one probability for each row, or raise TableError unless they sum to 1 within 1e-9."""
    numbers = as_weights(given, rows, "probabilities")
    with np.errstate(over="ignore"):
        total = float(numbers.sum())
    if not abs(total - 1) <= SUM_TOLERANCE:
        raise TableError(
            f"The probabilities sum to {total:.12g}; they must sum to 1 within {SUM_TOLERANCE:g}.",
            Where("table"),
        )
    return numbers


def diameter_of(points: Floats) -> float:
    """Return the largest L1 distance of two points."""
    if points.shape[1] == 1:
        return float(np.ptp(points))
    if points.shape[1] <= 8:
        # The L1 diameter is the largest range among the sums of coordinates with signs.
        m = points.shape[1]
        signs = 1 - 2 * (np.arange(1 << (m - 1))[:, None] >> np.arange(m) & 1)
        return float(np.ptp(points @ signs.T, axis=0).max())
    return max(float(np.abs(points - point).sum(axis=1).max()) for point in points)


def pair_tables_of(codes: Integers, probabilities: Floats, offsets: Integers) -> Floats:
    """Return the joint probabilities of all pairs of values of all pairs of tuples."""
    # Codes are positions of values, shape (rows, n); offsets, (n + 1,), say where the values of every tuple
    # begin among all of them.
    n, width = codes.shape[1], int(offsets[-1])
    check_cells((width, width), "The table of all pairs of values")
    found = np.zeros((width, width))
    placed = codes + offsets[:-1]
    for i in range(n):
        # One pass for all later tuples; the earlier ones are the transpose.
        size, later = len(range(offsets[i], offsets[i + 1])), width - int(offsets[i])
        index = codes[:, i, None] * later + (placed[:, i:] - offsets[i])
        weights = np.broadcast_to(probabilities[:, None], index.shape)
        table = sums_of(index.ravel(), weights.ravel(), size * later).reshape(size, later)
        found[offsets[i] : offsets[i + 1], offsets[i] :] = table
        found[offsets[i] :, offsets[i] : offsets[i + 1]] = table.T
    return found


#: A label, or the numbers of a value with several coordinates.
Value: TypeAlias = Label | tuple[float, ...]


def as_value(value: Any, axis: int, name: str) -> Value:
    """Return one value of a tuple: a label as it is, a list of finite numbers as a tuple of floats."""
    if not isinstance(value, list | tuple) and not (isinstance(value, np.ndarray) and value.ndim):
        if isinstance(value, np.ndarray) and value is not np.ma.masked:
            value = value.item()
        label = as_label(value, axis, name)
        # -0.0 and 0.0 are one number; only one of them is kept.
        return label + 0.0 if isinstance(label, float) else label
    try:
        parts = tuple(plain_number(part) + 0.0 for part in value)
    except (TypeError, ValueError, OverflowError):
        parts = ()
    if not parts or not all(map(math.isfinite, parts)):
        raise DomainError(
            f"A value of {short(name)} is {shown(value)}; a value is a number, text, true or false, or a "
            "list of finite numbers.",
            Where("axis", axis=axis),
        )
    return parts


def sorted_values(values: Iterable[Value]) -> tuple[Value, ...]:
    """Return numbers and lists of numbers in ascending order, anything else in the order given."""
    listed = list(values)
    if not any(isinstance(value, str) for value in listed):
        listed.sort()
    return tuple(listed)


def value_domain(values: Iterable[Any], axis: int, name: str) -> tuple[Value, ...]:
    """Return the checked domain of one tuple, in the order given."""
    where = Where("axis", axis=axis)
    refuse_set(values, f"The values of {short(name)}", axis=axis)
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise DomainError(f"The domain of {short(name)} is {shown(values)}; give a list of values.", where)
    domain = tuple(as_value(value, axis, name) for value in values)
    if not domain:
        raise DomainError(f"The domain of {short(name)} is empty; it needs at least one value.", where)
    check_kinds(domain, axis, name)
    if len(set(domain)) != len(domain):
        twice = next(value for value, many in Counter(domain).items() if many > 1)
        raise DomainError(f"The domain of {short(name)} has {shown(twice)} twice; values must differ.", where)
    return domain


def check_kinds(values: Sequence[Value], axis: int, name: str) -> None:
    """Raise DomainError where lists and scalars, or numbers and truth values that equal them, are mixed."""
    where = Where("axis", axis=axis)
    lengths = {len(value) if isinstance(value, tuple) else 0 for value in values}
    if len(lengths) > 1:
        raise DomainError(
            f"The values of {short(name)} have {sorted(lengths)} coordinates (0: a single label); all values "
            "of one tuple have the same number.",
            where,
        )
    kinds = {type(value) for value in values}
    if bool in kinds and kinds & {int, float}:
        raise DomainError(
            f"{short(name)} has numbers beside true or false, and true equals 1 and false equals 0; make "
            "them values of one kind.",
            where,
        )


def points_of(domain: Sequence[Value], axis: int, name: str) -> Floats:
    """Return the values of a domain as points, shape (values, coordinates)."""
    for value in domain:
        if isinstance(value, str) or (isinstance(value, int | float) and not _is_finite(value)):
            raise DomainError(
                f"The value {short(value)} of {short(name)} is no finite number, and distances are due; "
                "give numbers, or a query with an output for each row (TableQuery).",
                Where("axis", axis=axis),
            )
    rows = [value if isinstance(value, tuple) else (float(value),) for value in domain]
    return np.array(rows, dtype=np.float64)


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(float(number))
    except OverflowError:
        return False


def coded_rows(
    support: Any, tuples: Iterable[str] | None, domains: Iterable[Any] | None
) -> tuple[Integers, tuple[tuple[Value, ...], ...], tuple[str, ...]]:
    """Return rows as positions in domains, shape (rows, tuples), with the domains and the names."""
    # An array of three axes has values with coordinates.
    refuse_masked(support, "support")
    columns = _columns(support)
    names = as_names(tuples, len(columns))
    given = _given_domains(domains, len(columns))
    codes: list[Integers] = []
    found: list[tuple[Value, ...]] = []
    for axis, (column, name) in enumerate(zip(columns, names, strict=True)):
        wanted = None if given[axis] is None else value_domain(given[axis], axis, name)
        code, domain = _coded_column(column, wanted, axis, name)
        codes.append(code)
        found.append(domain)
    return np.stack(codes, axis=1), tuple(found), names


def _columns(support: Any) -> list[Any]:
    where = Where("table")
    wanted = "give a list of rows, each with one value for each tuple"
    if isinstance(support, np.ndarray) and support.dtype.kind in "biuf":
        if support.ndim not in (2, 3) or 0 in support.shape:
            raise TableError(f"The support has the shape {support.shape}; {wanted}.", where)
        check_rows(len(support))
        return [support[:, axis] for axis in range(support.shape[1])]
    refuse_set(support, "The rows of the support", "support")
    if isinstance(support, str | bytes | dict) or not isinstance(support, Iterable):
        raise TableError(f"The support is {shown(support)}; {wanted}.", where)
    rows = list(support)
    check_rows(len(rows))
    if not rows:
        raise TableError(f"The support has no rows; {wanted}.", where)
    for k, row in enumerate(rows):
        if not isinstance(row, list | tuple | np.ndarray) or not len(row):
            raise TableError(f"Row {k} of the support is {shown(row)}; {wanted}.", where)
        if len(row) != len(rows[0]):
            raise TableError(
                f"Row {k} of the support has {len(row)} values and row 0 has {len(rows[0])}; {wanted}.", where
            )
    return [list(column) for column in zip(*rows, strict=True)]


def check_rows(rows: int) -> None:
    """Raise LimitError where there are too many rows."""
    if rows > MOST_ROWS:
        raise LimitError(
            f"The support has {rows:,} rows; at most {MOST_ROWS:,} are taken.",
            Where("parameter", name="support"),
        )


def _given_domains(domains: Any, n: int) -> list[Any]:
    if domains is None:
        return [None] * n
    refuse_set(domains, "The domains", "domains")
    if isinstance(domains, str | bytes) or not isinstance(domains, Iterable):
        raise DomainError(
            f"The domains are {shown(domains)}; give one list of values, or None, for each tuple.",
            Where("parameter", name="domains"),
        )
    given = list(domains)
    if len(given) != n:
        raise DomainError(
            f"There are {len(given)} domains for {n} tuples; give one list of values, or None, for each.",
            Where("parameter", name="domains"),
        )
    return given


def _coded_column(
    column: Any, wanted: tuple[Value, ...] | None, axis: int, name: str
) -> tuple[Integers, tuple[Value, ...]]:
    if isinstance(column, np.ndarray):
        vectors = column.ndim == 2
        distinct, code = np.unique(column, axis=0 if vectors else None, return_inverse=True)
        seen = [as_value(value, axis, name) for value in (list(distinct) if vectors else distinct.tolist())]
        code = code.reshape(-1)
    else:
        values = [as_value(value, axis, name) for value in column]
        index: dict[Value, int] = {}
        code = np.fromiter((index.setdefault(v, len(index)) for v in values), np.int64, len(values))
        check_kinds(list({(type(v), v): v for v in values}.values()), axis, name)
        seen = list(index)
    domain = sorted_values(seen) if wanted is None else wanted
    position = {value: k for k, value in enumerate(domain)}
    missing = next((value for value in seen if value not in position), None)
    if missing is not None:
        raise InstanceError(
            f"{shown(missing)} is not in the domain of {short(name)}: {', '.join(map(shown, domain[:12]))}"
            f"{', ...' if len(domain) > 12 else ''}.",
            Where("axis", axis=axis),
        )
    check_kinds([*domain, *seen], axis, name)
    return np.array([position[value] for value in seen], dtype=np.int64)[code], domain


def counted_rows(
    frame: Any,
    columns: Sequence[str] | None,
    weight: str | None,
    domains: Mapping[str, Iterable[Any]] | None,
) -> tuple[Integers, Floats, tuple[tuple[Value, ...], ...], tuple[str, ...]]:
    """Return the different rows of a data frame: positions of values, shares, domains and names."""
    frame = counted(frame, columns, weight)
    remark_of_layout(frame, columns, weight)
    names, given, weight = tuples_of(frame, columns, weight, domains)
    rows = distinct_rows(frame, names, weight)
    if not len(rows.records):
        raise TableError("The data frame has no rows; it needs at least one record.", Where("table"))
    rows.refuse_missing()
    if columns is None and weight is None:
        warn_of_tuples(rows.columns)
    checked = as_names(names, len(names))
    found: list[tuple[Value, ...]] = []
    placed: list[Integers] = []
    for axis, (name, column) in enumerate(zip(names, rows.columns, strict=True)):
        wanted = given.get(name, column.order)
        domain = None if wanted is None else value_domain(wanted, axis, name)
        code, domain = _coded_column(column.values, domain, axis, name)
        placed.append(code[column.codes])
        found.append(domain)
    codes = np.stack(placed, axis=1)
    weights = rows.weights.astype(np.float64)
    if not weights.any():
        raise TableError(
            f"The weights of column {short(weight)} are all 0; at least one must be positive.", Where("table")
        )
    distinct, index = np.unique(codes, axis=0, return_inverse=True)
    sums = sums_of(index.reshape(-1), weights / weights.max(), len(distinct))
    # Weights that are not whole are no counts: how many records there are is not known.
    if rows.weights.dtype.kind == "f":
        remark_of_weights(rows.weights, str(weight), [one.codes for one in rows.columns])
    elif weight is None or weights.sum() > 1:
        possible = int(np.count_nonzero(sums))
        caution = few_records(int(weights.sum()), prod(len(domain) for domain in found), possible)
        if caution:
            warn_caller(
                f"{caution}. Take more records, or fewer tuples or values. A distribution that is known, not "
                "counted, is given by its rows: SparseJoint(rows, probabilities).",
                FewRecordsWarning,
            )
    return distinct, sums / sums.sum(), tuple(found), checked
