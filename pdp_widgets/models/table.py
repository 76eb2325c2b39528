"""A table that was read from a file: columns by name, and what was noticed while reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.immutable import ReadOnlyArrays, ReadOnlyMapping
from pdp_widgets.models.labels import how_many, short

__all__ = ["Column", "Order", "OrderedTexts", "Table"]


@dataclass(frozen=True)
class Order:
    """The labels of a column in their order, found where ordered categories of a data frame are."""

    categories: tuple[str, ...]
    ordered: bool = True


class OrderedTexts(list[str | None]):
    """Texts of a column whose labels have an order."""

    def __init__(self, texts: Sequence[str | None], order: Sequence[str] = ()) -> None:
        super().__init__(texts)
        self.dtype = Order(tuple(order))


Column: TypeAlias = NDArray[Any] | list[str | None]


@dataclass(frozen=True, eq=False, repr=False)
class Table(ReadOnlyArrays, Mapping[str, Column]):
    """Columns by name, as `read_table` reads them: models take it as they take a data frame.

    Parameters
    ----------
    cells
        Columns by name: numbers as an array, NaN where one is missing, or texts as a list, None where one is
        missing.
    title
        Short text for pictures: the name of the file.
    weight
        Name of the column of counts.
    time
        Name of the column that orders the rows.
    id
        Name of the column that says whose row it is.
    remarks
        Sentences on what was guessed or looks wrong.
    lines
        Line of the file in which each row begins, from 1, shape (rows,); None where it has no lines.
    records
        How many rows of a file each row stands for, shape (rows,); None for one.

    Examples
    --------
    >>> table = Table({"age": np.array([31, 45]), "ill": ["no", None]}, "ward")
    >>> table
    Table('ward', 2 rows, age: numbers, ill: texts)
    >>> table["ill"], table.rows
    (['no', None], 2)
    """

    cells: Mapping[str, Column]
    title: str = ""
    weight: str | None = None
    time: str | None = None
    id: str | None = None
    remarks: tuple[str, ...] = ()
    lines: NDArray[np.int64] | None = None
    records: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "cells", ReadOnlyMapping(self.cells))

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.cells.values()), ()))

    def __getitem__(self, name: str) -> Column:
        column = self.cells[name]
        if isinstance(column, OrderedTexts):
            return OrderedTexts(column, column.dtype.categories)
        # A list of its own: nobody changes the table by it.
        return column if isinstance(column, np.ndarray) else list(column)

    def __iter__(self) -> Iterator[str]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self.cells)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._key() == other._key() and all(map(_equal, self.values(), other.values()))

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return tuple(self), self.title, self.weight, self.time, self.id, self.remarks, self.rows

    def __repr__(self) -> str:
        kinds = [
            f"{short(name)}: {'numbers' if isinstance(column, np.ndarray) else 'texts'}"
            for name, column in self.cells.items()
        ]
        listed = [*kinds[:8], f"and {len(kinds) - 8} more"] if len(kinds) > 8 else kinds
        title = f"{short(self.title)!r}, " if self.title else ""
        return f"Table({title}{how_many(self.rows, 'row')}, {', '.join(listed)})"


def _equal(one: Column, other: Column) -> bool:
    if not isinstance(one, np.ndarray) or not isinstance(other, np.ndarray):
        return type(one) is type(other) and one == other
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f"))
