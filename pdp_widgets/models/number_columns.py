"""Columns of numbers from data frames: pandas, polars, arrow tables and plain dicts of lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.frames import (
    check_lengths,
    checked_columns,
    column_names,
    column_values,
    is_missing,
)
from pdp_widgets.models.given_numbers import plain_number
from pdp_widgets.models.labels import short, shown

__all__ = ["number_columns"]


def number_columns(frame: Any, columns: Sequence[str] | None) -> tuple[NDArray[np.float64], list[str]]:
    """Return the numbers of a data frame, one record a row, and the names of the columns.

    Parameters
    ----------
    frame
        Anything with column names and columns that can be listed.
    columns
        The columns wanted, in this order; without it all.

    Raises
    ------
    DomainError
        A column does not exist, or has a value that is missing or no finite number.
    TableError
        Columns have different lengths.
    """
    names, _ = checked_columns(column_names(frame), columns, None, None)
    listed = [column_values(frame, name) for name in names]
    check_lengths(names, listed)
    numbers = [
        _numbers(values, name, axis) for axis, (name, values) in enumerate(zip(names, listed, strict=True))
    ]
    return np.column_stack(numbers), names


def _numbers(values: list[Any], name: str, axis: int) -> NDArray[np.float64]:
    found = np.empty(len(values))
    for row, value in enumerate(values):
        wrong = "missing" if is_missing(value) else ""
        if not wrong:
            try:
                found[row] = plain_number(value)
            except (TypeError, ValueError, OverflowError):
                wrong = shown(value)
            else:
                wrong = "" if np.isfinite(found[row]) else f"{found[row]:g}"
        if wrong:
            raise DomainError(
                f"Column {short(name)}, row {row} is {wrong}; a mean and a covariance need finite numbers. "
                "Drop the row, or name the columns of numbers.",
                Where("axis", axis=axis, name=name),
            )
    return found
