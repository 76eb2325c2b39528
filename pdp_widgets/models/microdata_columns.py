"""One column of records: numbers, or positions of labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import plain_number
from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.models.frame_values import is_missing
from pdp_widgets.models.frames import (
    found_domain,
    labelled_values,
    number_array,
    refuse_mixed_truth,
)
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import Domain, Label, as_domain, as_label, how_many, short, shown

__all__ = ["MicrodataColumn", "microdata_column"]

Floats = NDArray[np.float64]

#: Whole numbers below are exact as floats.
_EXACT = 1 << 53
#: Labels of a column of words: more come from keys of records.
_MOST_LABELS = 1000


@dataclass(frozen=True, eq=False, repr=False)
class MicrodataColumn(ReadOnlyArrays):
    """One column of `Microdata`.

    Parameters
    ----------
    name
        Name of the column.
    values
        Numbers, or positions of labels, shape (n,), read-only; NaN where missing.
    labels
        Labels in their order; None for numbers.
    ordered
        Whether the order means something: always so for numbers, else where it was given or declared.

    Examples
    --------
    >>> from pdp_widgets.models.microdata import Microdata
    >>> Microdata.of({"age": [20, None], "ill": ["yes", "no"]}).column("ill")
    MicrodataColumn('ill', 2 records, 2 labels)
    """

    name: str
    values: Floats
    labels: Domain | None = None
    ordered: bool = field(default=True)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Where no value is there, shape (n,)."""
        return np.isnan(self.values)

    def take(self, rows: NDArray[np.int64]) -> MicrodataColumn:
        """Return the values of some records, in the given order.

        Examples
        --------
        >>> MicrodataColumn("age", np.array([31.0, 45.0])).take(np.array([1, 1, 0])).values.tolist()
        [45.0, 45.0, 31.0]
        """
        return MicrodataColumn(self.name, self.values[rows], self.labels, self.ordered)

    def label(self, value: float) -> Label | None:
        """Return a value as it was given; None for a missing one.

        Examples
        --------
        >>> MicrodataColumn("ill", np.array([0.0, 1.0]), ("no", "yes")).label(1.0)
        'yes'
        """
        if np.isnan(value):
            return None
        if self.labels is not None:
            return self.labels[int(value)]
        return int(value) if value == int(value) and abs(value) < _EXACT else float(value)

    def written(self, value: float) -> str:
        """Return a value as text: "52.5", "yes"; "missing" for a missing one.

        Examples
        --------
        >>> MicrodataColumn("age", np.array([52.5])).written(52.5)
        '52.5'
        """
        found = self.label(value)
        if found is None:
            return "missing"
        return str(found) if self.labels is not None else f"{found:.10g}".replace("-", "−", 1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MicrodataColumn):
            return NotImplemented
        return (self.name, self.labels, self.ordered) == (other.name, other.labels, other.ordered) and bool(
            np.array_equal(self.values, other.values, equal_nan=True)
        )

    def __hash__(self) -> int:
        return hash((self.name, self.labels, self.ordered, self.values.tobytes()))

    def __repr__(self) -> str:
        what = "numbers" if self.labels is None else how_many(len(self.labels), "label")
        records = how_many(len(self.values), "record")
        return f"MicrodataColumn({short(self.name)!r}, {records}, {what})"


def microdata_column(column: Any, name: str, axis: int, order: Iterable[Any] | None) -> MicrodataColumn:
    """Return a column of a data frame."""
    # Without an order labels stand as the column declares, else as numbers do or as they are found.
    where = Where("axis", axis=axis, name=name)
    array = number_array(column)
    values, declared = ([], None) if array is not None else labelled_values(column, name)
    given = declared if order is None else as_domain(order, axis, name)
    if given is None:
        numbers = _numbers(values if array is None else array, name, where)
        if numbers is not None:
            return MicrodataColumn(name, numbers)
    if array is not None:
        values = array.tolist()
    refuse_mixed_truth([value for value in values if _is_plain(value)], name, axis)
    try:
        distinct = [value for value in dict.fromkeys(values) if not is_missing(value)]
    except TypeError:
        # What cannot be looked up is no label either: it is named.
        for value in values:
            if not is_missing(value):
                as_label(value, axis, name)
        raise
    labels = [as_label(value, axis, name) for value in distinct]
    if given is None:
        if len(labels) > _MOST_LABELS:
            raise LimitError(
                f"Column {short(name)} has {len(labels):,} different labels in {len(values):,} rows (limit "
                f"{_MOST_LABELS:,}). Leave out columns that name the records; if all are wanted, give their "
                "order in orders.",
                where,
            )
        domain: Domain = found_domain(labels, name, axis) if labels else ()
    else:
        domain = as_domain(given, axis, name)
    position = {label: float(place) for place, label in enumerate(domain)}
    codes = {value: position.get(label) for value, label in zip(distinct, labels, strict=True)}
    for value, code in codes.items():
        if code is None:
            row = values.index(value)
            raise DomainError(
                f"Column {short(name)}, row {row:,}: {shown(value)} is not one of the labels in the given "
                "order.",
                where,
            )
    found = np.array([np.nan if is_missing(value) else codes[value] for value in values], dtype=np.float64)
    return MicrodataColumn(name, found, domain, given is not None)


def _refuse_inexact(value: int, found: float, name: str, row: int, where: Where) -> None:
    """Refuse a whole number that two of them would be: records are told apart by it."""
    if abs(found) >= _EXACT and (np.isinf(found) or int(found) != value):
        raise DomainError(
            f"Column {short(name)}, row {row:,} is {shown(value)}; whole numbers beyond {_EXACT:,} are not "
            "told apart. Give the column as text, or leave it out.",
            where,
        )


def _is_plain(value: Any) -> bool:
    return isinstance(value, bool | int | float)


def _numbers(values: Any, name: str, where: Where) -> Floats | None:
    """Return a column of numbers, NaN where missing; None where it has anything else."""
    if isinstance(values, np.ndarray):
        if values.dtype.kind == "b":
            return None
        found = values.astype(np.float64)
        if values.dtype.kind in ("i", "u"):
            # Few are that large: each is compared as the whole number that it is.
            for row in np.flatnonzero(np.abs(found) >= _EXACT).tolist():
                _refuse_inexact(int(values[row]), float(found[row]), name, row, where)
    else:
        found = np.empty(len(values))
        for row, value in enumerate(values):
            if is_missing(value):
                found[row] = np.nan
            elif isinstance(value, bool | np.bool_):
                return None
            else:
                try:
                    found[row] = plain_number(value)
                except OverflowError:
                    found[row] = np.inf
                except (TypeError, ValueError):
                    return None
                if isinstance(value, int | np.integer):
                    _refuse_inexact(int(value), float(found[row]), name, row, where)
        if len(values) and np.isnan(found).all():
            raise DomainError(f"Column {short(name)} has no value; leave it out.", where)
    if np.isinf(found).any():
        row = int(np.argmax(np.isinf(found)))
        raise DomainError(
            f"Column {short(name)}, row {row:,} is {found[row]:g}; give finite numbers, or leave the value "
            "out (None).",
            where,
        )
    if len(found) and np.isnan(found).all():
        raise DomainError(f"Column {short(name)} has no value; leave it out.", where)
    # Zero and minus zero are one value.
    return found + 0.0
