"""Tables of numbers with labels at their sides: those of pandas, and wide frames of any library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pdp_widgets.models.coded_column import coded_column
from pdp_widgets.models.crosstabs import sides_of
from pdp_widgets.models.frames import column_names, columns_of, is_frame, number_array

__all__ = ["described"]


def described(table: Any, domains: Any, names: Any) -> tuple[Any, Any, Any]:
    """Return a table with its labels and names: those given, or those that stand at its sides."""
    found = sides_of(table)
    if found is None and not isinstance(table, Mapping | np.ndarray | list | tuple) and is_frame(table):
        found = _wide(table)
    if found is None:
        return table, domains, names
    numbers, labels, sides = found
    if names is None:
        names = [f"x{j + 1}" if name is None else str(name) for j, name in enumerate(sides)]
    return numbers, labels if domains is None else domains, names


def _wide(frame: Any) -> tuple[Any, list[list[Any]], list[Any]] | None:
    """Return the numbers of a frame whose first column has the labels of the rows; None for any other."""
    names = column_names(frame)
    columns = columns_of(frame, names) if len(set(names)) == len(names) > 2 else []
    numbers = [number_array(column) for column in columns[1:]]
    if not columns or number_array(columns[0]) is not None or any(one is None for one in numbers):
        return None
    rows = coded_column(columns[0], names[0], 0)
    if len(rows.values) < len(rows.codes) or rows.missing.any():
        # A label that stands twice makes records of the rows.
        return None
    across = getattr(frame.columns, "name", None) if hasattr(frame, "iloc") else None
    table = np.column_stack([one for one in numbers if one is not None])[np.argsort(rows.codes)]
    return table, [rows.labels(), names[1:]], [names[0], across]
