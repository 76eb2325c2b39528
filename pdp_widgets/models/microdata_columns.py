"""One column of records: numbers, or positions of labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import plain_number
from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.models.coded_column import CodedColumn, coded_column
from pdp_widgets.models.frames import found_domain, number_array
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import Domain, Label, as_domain, how_many, short, shown

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
    read = coded_column(column, name, axis)
    given = read.order if order is None else as_domain(order, axis, name)
    if given is None:
        numbers = _numbers(column, read, where)
        if numbers is not None:
            return MicrodataColumn(name, numbers)
    labels = read.labels()
    if given is None:
        if len(labels) > _MOST_LABELS:
            raise LimitError(
                f"Column {short(name)} has {len(labels):,} different labels in {len(read.codes):,} rows "
                f"(limit {_MOST_LABELS:,}). Leave out columns that name the records; if all are wanted, give "
                "their order in orders.",
                where,
            )
        domain: Domain = found_domain(labels, name, axis) if labels else ()
    else:
        domain = as_domain(given, axis, name)
    places = read.positions(domain, "order")
    return MicrodataColumn(name, np.where(places < 0, np.nan, places), domain, given is not None)


def _is_exactly(value: Any, found: np.float64) -> bool:
    """Tell whether a whole number is that of a float."""
    return not np.isinf(found) and int(found) == int(value)


def _numbers(column: Any, read: CodedColumn, where: Where) -> Floats | None:
    """Return a column of numbers, NaN where missing; None where it has anything else."""
    name = read.name
    array = number_array(column)
    if array is not None and array.dtype.kind == "f":
        found = array.astype(np.float64)
    else:
        different = np.full(len(read.values), np.nan)
        for place in np.flatnonzero(~read.missing).tolist():
            value = read.values[place]
            if isinstance(value, bool | np.bool_):
                return None
            try:
                different[place] = plain_number(value)
            except OverflowError:
                different[place] = np.inf
            except (TypeError, ValueError):
                return None
            whole = isinstance(value, int | np.integer)
            if whole and abs(different[place]) >= _EXACT and not _is_exactly(value, different[place]):
                # Records are told apart by it, and two whole numbers would be one.
                raise DomainError(
                    f"Column {short(name)}, row {read.first(place):,} is {shown(int(value))}; whole numbers "
                    f"beyond {_EXACT:,} are not told apart. Give the column as text, or leave it out.",
                    where,
                )
        found = different[read.codes]
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
