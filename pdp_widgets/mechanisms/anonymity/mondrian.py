"""The reference anonymiser: strict Mondrian on columns of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.mechanisms.anonymity.mondrian_parts import Parts, RankedRows, split_parts
from pdp_widgets.models.given_numbers import is_whole, plain_numbers, refuse_masked
from pdp_widgets.models.labels import shown

__all__ = ["as_class_size", "as_quasi_rows", "mondrian"]

Groups = tuple[tuple[int, ...], ...]


def mondrian(rows: ArrayLike, k: int) -> Groups:
    """Return groups of at least k similar rows.

    A part of the table is split at the median of its column with the largest spread, in relation to the
    spread in the whole table, as long as both sides keep k rows; values below the median go to one side.
    Columns are tried from the widest on; of equally wide ones the first. What cannot be split is a group.

    Parameters
    ----------
    rows
        Finite numbers, one record a row, shape (n, d); labels as their positions in an order.
    k
        Least size of a group; 1 <= k <= n.

    Returns
    -------
    groups
        Positions of rows in ascending order, groups by their first row.

    Raises
    ------
    TableError
        The rows are no table of finite numbers, or fewer than k.
    BudgetError
        k is no whole number, 1 or more.

    Notes
    -----
    LeFevre, DeWitt and Ramakrishnan, "Mondrian Multidimensional K-Anonymity" (ICDE 2006), in its strict form.

    Examples
    --------
    >>> mondrian([[25], [27], [31], [58], [60], [64]], 3)
    ((0, 1, 2), (3, 4, 5))
    >>> mondrian([[25], [27], [31], [58], [60]], 3)
    ((0, 1, 2, 3, 4),)
    """
    values, size = as_quasi_rows(rows), as_class_size(k)
    n = len(values)
    if n < size:
        raise TableError(
            f"There are {n:,} rows, fewer than k = {size:,}; give at least k rows or a smaller k.",
            Where("parameter", name="k"),
        )
    table = RankedRows.of(values)
    spans = np.ptp(table.values, axis=0)[np.newaxis]
    parts = Parts(table.orders, np.array([n], np.int64), spans)
    found: list[NDArray[np.int32]] = []
    while len(parts.sizes):
        split, halves = split_parts(table, parts, size)
        found.extend(parts.keep(~split).listed())
        parts = halves
    groups = [tuple(group.tolist()) for group in found]
    return tuple(sorted(groups))


def as_quasi_rows(rows: Any, name: str = "rows") -> NDArray[np.float64]:
    """Return a table of finite numbers with at least one row and one column.

    Raises
    ------
    TableError
        It is none; the message names the entry.

    Examples
    --------
    >>> as_quasi_rows([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    refuse_masked(rows, name)
    try:
        values = plain_numbers(rows)
    except (TypeError, ValueError, OverflowError):
        values = np.empty(0)
    if values.ndim != 2 or not values.size:
        raise TableError(
            f"The {name} are {shown(rows)}; give a table of numbers, one record a row, with at least one "
            "column.",
            Where("parameter", name=name),
        )
    wrong = ~np.isfinite(values)
    if wrong.any():
        row, column = (int(p[0]) for p in np.nonzero(wrong))
        place = f"Row {row:,}" if name == "rows" else f"In the {name} row {row:,}"
        raise TableError(
            f"{place}, column {column} is {values[row, column]:g}; give finite numbers, and leave out "
            "rows with a missing one.",
            Where("cell", index=(row, column)),
        )
    return values + 0.0


def as_class_size(k: Any) -> int:
    """Return the least size of a class, a whole number from 1 on.

    Raises
    ------
    BudgetError
        It is none.

    Examples
    --------
    >>> as_class_size(5)
    5
    """
    if not is_whole(k) or k < 1:
        raise BudgetError(f"k is {shown(k)}; give a whole number, 1 or more.", Where("parameter", name="k"))
    return int(k)
