"""Tables of pandas that are pivoted already: crosstabs, and series of counts by label."""

from __future__ import annotations

import sys
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.checks import is_whole, short, shown
from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.frame_values import in_words
from pdp_widgets.models.table_checks import check_cells

__all__ = ["Counted", "is_of_pandas", "long_form", "sides_of"]


class Counted(dict[str, Any]):
    """Columns by name, one cell of a table a row, with the name of the column of counts."""

    weight: str


def sides_of(table: Any) -> tuple[NDArray[Any], list[list[Any]], list[Any]] | None:
    """Return the numbers of a table of pandas, one axis for each name at its sides, labels and names."""
    if not is_of_pandas(table) or (type(table.index).__name__ == "RangeIndex" and table.index.name is None):
        return None
    sides = [table.index, *([table.columns] if hasattr(table, "columns") else [])]
    found: list[list[Any]] = []
    places: list[NDArray[np.int64]] = []
    for side in sides:
        keys = [key if side.nlevels > 1 else (key,) for key in side.tolist()]
        codes: list[list[int]] = []
        sizes: list[int] = []
        for level in range(side.nlevels):
            values = in_words([key[level] for key in keys], None)[0]
            position = {label: place for place, label in enumerate(dict.fromkeys(values))}
            codes.append([position[value] for value in values])
            sizes.append(len(position))
            found.append(list(position))
        check_cells(sizes, "The table")
        places.append(np.ravel_multi_index([np.array(code, np.int64) for code in codes], sizes))
        if len(set(places[-1].tolist())) < len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise TableError(
                f"The table has the label {shown(twice[0] if len(twice) == 1 else twice)} twice on one side; "
                "labels must differ.",
                Where("table"),
            )
    shape = [len(labels) for labels in found]
    check_cells(shape, "The table")
    numbers = np.asarray(table)
    across = prod(shape[table.index.nlevels :])
    whole = np.zeros((prod(shape) // max(across, 1), across), dtype=numbers.dtype)
    whole[np.ix_(places[0], places[1] if len(places) > 1 else np.zeros(1, np.int64))] = numbers.reshape(
        len(places[0]), -1
    )
    cells = whole.reshape(shape)
    _refuse_margins(cells, found)
    return cells, found, [name for side in sides for name in side.names]


def is_of_pandas(table: Any) -> bool:
    """Tell whether a value is a data frame or a series of pandas."""
    # Who gives a frame of pandas has imported it.
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(table, pandas.DataFrame | pandas.Series)


def _refuse_margins(cells: NDArray[Any], labels: list[list[Any]]) -> None:
    """Raise TableError where the last row or column is the sum of the others: records would count twice."""
    if cells.dtype.kind not in "iuf":
        return
    for axis, domain in enumerate(labels):
        parts = np.moveaxis(cells, axis, 0)
        last = len(domain) > 2 and domain[-1] == "All"
        if last and np.allclose(parts[:-1].sum(axis=0), parts[-1]):
            raise TableError(
                "The label All stands for the sum of all others, and records would count twice; leave the "
                "margins out.",
                Where("axis", axis=axis),
                call="Make it with margins=False.",
            )


def long_form(frame: Any) -> Any:
    """Return a crosstab or a series of counts with one cell a row, anything else as it is."""
    # Pivoted tables name both of their sides; frames of records do not.
    if isinstance(frame, dict) or not is_of_pandas(frame):
        return frame
    names = [*frame.index.names, *(frame.columns.names if hasattr(frame, "columns") else ())]
    if any(name is None for name in names) or (found := sides_of(frame)) is None:
        return frame
    numbers, labels, names = found
    grid = np.indices(numbers.shape).reshape(numbers.ndim, -1).tolist()
    made = Counted()
    for name, domain, places in zip(names, labels, grid, strict=True):
        title = str(int(name)) if is_whole(name) else name
        if title in made:
            raise TableError(f"Two sides of the table are named {short(title)}; rename one.", Where("table"))
        made[title] = [domain[place] for place in places]
    made.weight = "count"
    while made.weight in made:
        made.weight += "_"
    made[made.weight] = numbers.ravel()
    return made
