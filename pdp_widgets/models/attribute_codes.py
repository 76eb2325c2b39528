"""Checked codes of attributes, the labels they stand for, and records drawn from a joint distribution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_generator, refuse_masked
from pdp_widgets.errors import DomainError, LimitError, TableError, Where
from pdp_widgets.models.distinct_rows import as_given_weights
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Domain, Label, as_domain, listed_domains, refuse_set, short, shown

__all__ = [
    "as_attribute_codes",
    "as_attribute_domains",
    "as_attribute_names",
    "codes_drawn",
    "codes_of_cells",
    "codes_of_counts",
    "label_for_missing",
    "repeated_rows",
    "smallest_type",
    "whole_weights",
]

#: Labels of one attribute.
_MOST_LABELS = 1 << 20
#: Beyond it int64 or float64 may not hold a code.
_LARGEST_CODE = 1 << 53


def smallest_type(size: int) -> Any:
    """Return the smallest signed type that holds the codes of so many labels."""
    return np.int8 if size <= 1 << 7 else np.int16 if size <= 1 << 15 else np.int32


def codes_of_cells(cells: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.signedinteger[Any]]:
    """Return the codes of cells, given by position in a table's flat order, in as few bytes as possible."""
    codes = np.empty((len(cells), len(shape)), smallest_type(max(shape)), order="F")
    for axis in reversed(range(len(shape))):
        cells, codes[:, axis] = np.divmod(cells, shape[axis])
    return codes


def label_for_missing(domain: Domain) -> Label:
    """Return a label for missing values that a domain does not have yet."""
    label = "missing"
    while label in domain:
        label = f"({label})"
    return label


def as_attribute_codes(codes: ArrayLike) -> NDArray[np.signedinteger[Any]]:
    """Return whole numbers, one record a row, none below -1, or raise TableError."""
    refuse_masked(codes, "codes")
    try:
        found = np.asarray(codes)
    except (ValueError, OverflowError):
        found = np.empty(0, object)
    if found.ndim != 2 or found.shape[1] == 0:
        raise TableError(
            f"The codes have the shape {found.shape}; give one record a row, with one whole number for each "
            "attribute.",
            Where("table"),
        )
    if found.dtype.kind in "uf" and (found > np.float64(_LARGEST_CODE)).any():
        row, column = (int(x) for x in np.argwhere(found > _LARGEST_CODE)[0])
        raise DomainError(
            f"The code in row {row:,}, column {column} is {found[row, column]:,}; a code is a whole number "
            f"below {_MOST_LABELS:,}, or -1 for a missing value.",
            Where("axis", axis=column),
        )
    if found.dtype.kind == "O" and all(map(is_whole, found.ravel())):
        found = found.astype(object if np.abs(found).max(initial=0) > _LARGEST_CODE else np.int64)
    if found.dtype.kind == "f" and np.array_equal(found, np.floor(found)):
        found = found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise TableError(
            f"The codes are {found.dtype} values; give whole numbers from 0, and -1 for missing values. "
            "Labels are read by AttributeTable.from_dataframe.",
            Where("table"),
        )
    # There is no unsigned -1 for what is missing.
    found = found.astype(np.int64) if found.dtype.kind == "u" else found
    wrong = found < -1
    if wrong.any():
        row, column = (int(x) for x in np.argwhere(wrong)[0])
        raise DomainError(
            f"The code in row {row:,}, column {column} is {int(found[row, column])}; a code is 0 or more, or "
            "-1 for a missing value.",
            Where("axis", axis=column),
        )
    return found


def as_attribute_names(names: Iterable[str] | None, n: int) -> tuple[str, ...]:
    """Return checked names of n attributes; without any, x1, x2, ..."""
    if names is None:
        return tuple(f"x{j + 1}" for j in range(n))
    where = Where("parameter", name="names")
    refuse_set(names, "The names", "names")
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise DomainError(f"The names are {shown(names)}; give a list of {n} names.", where)
    given = tuple(names)
    if len(given) != n:
        raise DomainError(f"There are {len(given)} names for {n} attributes; give one for each.", where)
    for axis, name in enumerate(given):
        try:
            fine = isinstance(name, str) and name != "" and name.encode("utf-8") is not None
        except UnicodeEncodeError:
            fine = False
        if not fine:
            raise DomainError(
                f"The name of attribute {axis} is {shown(name)}; a name is non-empty text.",
                Where("axis", axis=axis),
            )
        if given.index(name) != axis:
            raise DomainError(
                f"Two attributes have the name {short(name)}; names must differ.", Where("axis", axis=axis)
            )
    return tuple(str(name) for name in given)


def _as_sizes(sizes: Any, n: int) -> list[int]:
    where = Where("parameter", name="sizes")
    refuse_set(sizes, "The sizes", "sizes")
    if isinstance(sizes, str | bytes) or not isinstance(sizes, Iterable):
        raise DomainError(f"The sizes are {shown(sizes)}; give a list of {n} whole numbers.", where)
    found = []
    for axis, size in enumerate(sizes):
        number = int(size) if is_whole(size) else 0
        if not 1 <= number <= _MOST_LABELS:
            raise DomainError(
                f"The size of attribute {axis} is {shown(size)}; it must be a whole number from 1 to "
                f"{_MOST_LABELS:,}. Labels are given as domains.",
                Where("axis", axis=axis),
            )
        found.append(number)
    return found


def as_attribute_domains(
    codes: NDArray[np.signedinteger[Any]],
    sizes: Sequence[int] | None,
    domains: Iterable[Iterable[Any]] | None,
    names: Iterable[str] | None,
) -> tuple[tuple[Domain, ...], tuple[str, ...]]:
    """Return the labels and names of all attributes, which hold every code, or raise DomainError."""
    n = codes.shape[1]
    checked = as_attribute_names(names, n)
    largest = codes.max(axis=0, initial=-1)
    if sizes is not None and domains is not None:
        raise DomainError(
            "Both sizes and domains are given; give one of them.", Where("parameter", name="domains")
        )
    if domains is None:
        if sizes is None:
            sizes = [max(int(top) + 1, 1) for top in largest]
        listed: list[Iterable[Any]] = [range(size) for size in _as_sizes(sizes, n)]
    else:
        listed = listed_domains(domains)
    if len(listed) != n:
        what = "sizes" if domains is None else "domains"
        raise DomainError(
            f"There are {len(listed)} {what} for {n} attributes; give one for each.",
            Where("parameter", name=what),
        )
    found = tuple(as_domain(labels, axis, checked[axis]) for axis, labels in enumerate(listed))
    for axis, (domain, top) in enumerate(zip(found, largest, strict=True)):
        if top >= len(domain):
            row = int(np.argmax(codes[:, axis] >= len(domain)))
            raise DomainError(
                f"The code of {short(checked[axis])} in row {row:,} is {int(codes[row, axis])}, and the "
                f"attribute has {len(domain)} labels; a code is at most {len(domain) - 1}.",
                Where("axis", axis=axis),
            )
    return found, checked


#: Records made at once: more would fill the memory.
_MOST_RECORDS = 100_000_000
#: Values of all their attributes together, each a byte or a few.
_MOST_VALUES = 500_000_000


def codes_of_counts(joint: Any) -> NDArray[np.signedinteger[Any]]:
    """Return one row of codes for each record that was counted, in table order."""
    if not isinstance(joint, JointDistribution):
        raise TypeError(f"The counts are a {type(joint).__name__}; give a JointDistribution.")
    if joint.counts is None:
        raise TableError(
            "The distribution has probabilities and no counts of records; draw records from it instead "
            "(AttributeTable.drawn).",
            Where("table"),
        )
    counts = joint.counts.ravel()
    # Added up as Python's integers: those of numpy turn around beyond 9e18.
    _check_records(sum(counts[counts > 0].tolist()), len(joint.names))
    seen = np.flatnonzero(counts)
    return np.repeat(codes_of_cells(seen, joint.counts.shape), counts[seen], axis=0)


def repeated_rows(column: Any, name: str, attributes: int) -> NDArray[np.int64]:
    """Return the position of each row of a frame as often as its weight says that there are records of it."""
    counts = whole_weights(
        column, name, "JointDistribution.from_dataframe takes such weights, and LocalAnalysis what it makes."
    )
    _check_records(sum(counts.tolist()), attributes)
    return np.repeat(np.arange(len(counts)), counts)


def whole_weights(column: Any, name: str, instead: str) -> NDArray[np.int64]:
    """Return counts of records, or raise TableError where a weight is no whole number up to 2^53."""
    counts = as_given_weights(column, name)
    if counts.dtype.kind == "f":
        whole = counts == np.floor(counts)
        row = int(np.argmax(counts) if whole.all() else np.argmin(whole))
        raise TableError(
            f"Column {short(name)}, row {row}: the weight is {counts[row]:.12g}, and there are only whole "
            f"records. {instead}",
            Where("parameter", name="weight"),
        )
    return counts


def codes_drawn(joint: Any, records: Any, rng: Any) -> NDArray[np.signedinteger[Any]]:
    """Return one row of codes for each record, drawn independently."""
    if not isinstance(joint, JointDistribution):
        raise TypeError(f"The joint distribution is a {type(joint).__name__}; give a JointDistribution.")
    many = as_size(records, "records", 1, error=TableError, subject="The number of records")
    _check_records(many, len(joint.names))
    reached = np.cumsum(joint.table.ravel())
    drawn = as_generator(rng).random(many) * reached[-1]
    return codes_of_cells(np.searchsorted(reached, drawn, side="right"), joint.table.shape)


def _check_records(records: int, attributes: int) -> None:
    if records > _MOST_RECORDS or records * attributes > _MOST_VALUES:
        many = f"{records:,}" if records < 10**18 else shown(records)
        raise LimitError(
            f"The number of records is {many}, of {attributes} attribute{'s' * (attributes != 1)}; at most "
            f"{_MOST_RECORDS:,} records and {_MOST_VALUES:,} values are listed. LocalAnalysis and the "
            "explorers take the joint distribution itself.",
            Where("parameter", name="records"),
        )
