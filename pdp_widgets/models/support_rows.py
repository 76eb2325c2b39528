"""Rows of values of several tuples as positions in domains: scalars, labels, or lists of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, InstanceError, LimitError, TableError, Where
from pdp_widgets.models.given_numbers import plain_number, refuse_masked
from pdp_widgets.models.labels import Label, as_label, as_names, refuse_set, short, shown

__all__ = [
    "MOST_ROWS",
    "Value",
    "as_value",
    "check_rows",
    "coded_rows",
    "points_of",
    "sorted_values",
    "value_domain",
]

#: A label, or the numbers of a value with several coordinates.
Value: TypeAlias = Label | tuple[float, ...]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_ROWS = 2_000_000


def as_value(value: Any, axis: int, name: str) -> Value:
    """Return one value of a tuple: a label as it is, a list of finite numbers as a tuple of floats.

    Raises
    ------
    DomainError
        It is neither.

    Examples
    --------
    >>> as_value([0, 0.5], 0, "place"), as_value(np.int64(3), 0, "age"), as_value("yes", 0, "smokes")
    ((0.0, 0.5), 3, 'yes')
    """
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
    """Return numbers and lists of numbers in ascending order, anything else in the order given.

    Examples
    --------
    >>> sorted_values([3, 1.5]), sorted_values(["yes", "no"])
    ((1.5, 3), ('yes', 'no'))
    """
    listed = list(values)
    if not any(isinstance(value, str) for value in listed):
        listed.sort()
    return tuple(listed)


def value_domain(values: Iterable[Any], axis: int, name: str) -> tuple[Value, ...]:
    """Return the checked domain of one tuple, in the order given.

    Raises
    ------
    DomainError
        There is no value, two are equal, or they are of different kinds.

    Examples
    --------
    >>> value_domain([[0, 0], [0, 1]], 0, "place")
    ((0.0, 0.0), (0.0, 1.0))
    """
    where = Where("axis", axis=axis)
    refuse_set(values, f"The values of {short(name)}", axis=axis)
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise DomainError(f"The domain of {short(name)} is {shown(values)}; give a list of values.", where)
    domain = tuple(as_value(value, axis, name) for value in values)
    if not domain:
        raise DomainError(f"The domain of {short(name)} is empty; it needs at least one value.", where)
    check_kinds(domain, axis, name)
    if len(set(domain)) != len(domain):
        twice = next(value for k, value in enumerate(domain) if value in domain[:k])
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
    """Return the values of a domain as points, shape (values, coordinates).

    Raises
    ------
    DomainError
        A value is text or infinite: it has no place and no distance to others.

    Examples
    --------
    >>> points_of([False, True], 0, "smokes").tolist()
    [[0.0], [1.0]]
    """
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
    """Return rows as positions in domains, shape (rows, tuples), with the domains and the names.

    Parameters
    ----------
    support
        Rows of values, one for each tuple. An array of three axes has values with coordinates.
    tuples
        Names.
    domains
        One list of values for each tuple, or None where it is what the rows show.

    Raises
    ------
    TableError, DomainError, InstanceError, LimitError
        The rows are none, are too many, or do not fit the domains.

    Examples
    --------
    >>> coded_rows([[0, "no"], [1, "yes"]], ["x", "y"], None)[1]
    ((0, 1), ('no', 'yes'))
    """
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
