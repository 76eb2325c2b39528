"""One column of a frame as positions among the values that differ: what labels are made of in every model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import short
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.frame_values import in_words, is_missing
from pdp_widgets.models.frames import column_values, declared_categories, number_array, refuse_mixed_truth
from pdp_widgets.models.labels import Label, as_label

__all__ = ["CodedColumn", "coded_column"]

Integers = NDArray[np.int64]

#: Whole numbers between the smallest and the largest.
_FEW = 1 << 16


def _row(row: int) -> str:
    return f", row {row:,}"


@dataclass(frozen=True)
class CodedColumn:
    """Values of a column: for each row the position among those that differ, missing ones with them."""

    name: str
    axis: int
    codes: Integers
    #: Numbers ascend, all else stands as it appears.
    values: list[Any]
    #: The order of values that the column declares.
    order: list[Any] | None

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which of the different values stand for a missing one."""
        return np.fromiter(map(is_missing, self.values), np.bool_, len(self.values))

    @property
    def known(self) -> list[Any]:
        """The different values but missing ones."""
        return [value for value in self.values if not is_missing(value)]

    def labels(self) -> list[Label]:
        """Return the different labels, or raise DomainError where a value is none."""
        return [as_label(value, self.axis, self.name) for value in self.known]

    def chosen_order(self, unused: bool | None) -> list[Any] | None:
        """Return the order that the column declares; without values that nobody has if unused is False."""
        if self.order is None or unused is not False:
            return self.order
        known = set(self.known)
        return [value for value in self.order if value in known]

    def first(self, place: int) -> int:
        """Return the first row that has one of the different values."""
        return int(np.argmax(self.codes == place))

    def positions(
        self, domain: Sequence[Any], noun: str = "domain", where: Callable[[int], str] = _row
    ) -> Integers:
        """Return the position of every row's value in a domain, -1 where it is missing."""
        position = {label: place for place, label in enumerate(domain)}
        table = np.full(len(self.values), -1, dtype=np.int64)
        for place in np.flatnonzero(~self.missing).tolist():
            value = self.values[place]
            if value not in position:
                stands = f"Column {short(self.name)}{where(self.first(place))}"
                raise DomainError(
                    f"{stands}: {short(value)} is not in the given {noun}.",
                    Where("axis", axis=self.axis, name=self.name),
                )
            table[place] = position[value]
        return np.asarray(table[self.codes])

    def take(self, rows: Integers) -> CodedColumn:
        """Return some rows, with all values that differ."""
        return replace(self, codes=self.codes[rows])


def coded_column(
    column: Any, name: str, axis: int, order: list[Any] | None = None, loose: bool = False
) -> CodedColumn:
    """Return a column by the values that differ; an order is what it declares elsewhere."""
    if order is None:
        order = declared_categories(column, loose)
    codes, values = _coded(column, name, axis)
    told, order = in_words(values, order)
    return CodedColumn(name, axis, codes, told, order)


def _coded(column: Any, name: str, axis: int) -> tuple[Integers, list[Any]]:
    array = number_array(column)
    if array is not None:
        return _of_numbers(array)
    if hasattr(column, "to_native") and str(column.dtype) in ("String", "Categorical"):
        return _of_text(column)
    values = column_values(column, name)
    refuse_mixed_truth(values, name, axis)
    try:
        place = {value: number for number, value in enumerate(dict.fromkeys(values))}
    except TypeError:
        # Values that cannot be looked up: lists of numbers, or what is no label.
        return np.arange(len(values)), values
    return np.fromiter(map(place.__getitem__, values), np.int64, len(values)), list(place)


def _of_numbers(array: NDArray[Any]) -> tuple[Integers, list[Any]]:
    """Return numbers as positions among those that differ; few whole ones are not sorted."""
    low, high = (
        (int(array.min()), int(array.max())) if array.dtype.kind in "iub" and len(array) else (0, _FEW)
    )
    if high - low >= _FEW or max(-low, high) >= 1 << 62:
        distinct, codes = np.unique(array, return_inverse=True)
        return codes.astype(np.int64), distinct.tolist()
    moved = np.subtract(array, low, dtype=np.int64)
    there = np.zeros(high - low + 1, dtype=np.bool_)
    there[moved] = True
    values = (np.flatnonzero(there) + low).astype(array.dtype).tolist()
    return moved if there.all() else np.asarray(np.cumsum(there) - 1)[moved], values


def _of_text(column: Any) -> tuple[Integers, list[Any]]:
    """Return text as positions, found by its own library."""
    import narwhals.stable.v2 as nw

    if hasattr(column.to_native(), "factorize"):
        codes, different = column.to_native().factorize(use_na_sentinel=False)
        return codes.astype(np.int64), list(different)
    text = column.cast(nw.String)
    values = text.unique(maintain_order=True).to_list()
    codes = text.replace_strict(values, list(range(len(values))), return_dtype=nw.Int64).to_numpy()
    return codes.astype(np.int64), values
