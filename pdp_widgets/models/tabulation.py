"""From data frames to tables of counts or weights: one axis for each column, or as they stand there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import DomainError, LimitError, TableError, Where
from pdp_widgets.models.crosstabs import sides_of
from pdp_widgets.models.distinct_rows import distinct_rows
from pdp_widgets.models.file_counts import counted
from pdp_widgets.models.frame_remarks import (
    labels_down,
    remark_of_layout,
    remark_of_weights,
    warn_of_tuples,
)
from pdp_widgets.models.frames import (
    column_names,
    columns_of,
    found_domain,
    is_frame,
    number_array,
    tuples_of,
)
from pdp_widgets.models.labels import Domain, as_domain, place, short
from pdp_widgets.models.table import Table
from pdp_widgets.models.table_checks import MOST_AXES

__all__ = ["counted_pairs", "described", "tabulate"]

#: Labels of one column, and cells of the table: more come from measured numbers, or from keys of records.
_MOST_LABELS = 1000
_MOST_CELLS = 1 << 20
_GROUP = (
    "Group numbers (pandas.cut), leave out columns that number the records, choose fewer columns, or "
    "describe numbers by a GaussianModel."
)


def tabulate(
    frame: Any,
    columns: Sequence[str] | None,
    weight: str | None,
    domains: Mapping[str, Iterable[Any]] | None,
    unused: bool | None = None,
) -> tuple[NDArray[Any], tuple[Domain, ...], list[str]]:
    """Return counts (int64) or weights (float64), domains and names of the tuples found in a data frame."""
    frame = counted(frame, columns, weight)
    remark_of_layout(frame, columns, weight)
    names, domains, weight = tuples_of(frame, columns, weight, domains)
    wanted = None if unused is None else as_flag(unused, "unused")
    rows = distinct_rows(frame, names, weight, wanted is True)
    if not len(rows.records):
        raise TableError("The data frame has no rows; it needs at least one record.", Where("table"))
    rows.refuse_missing()
    found: list[Domain] = []
    for axis, (name, column) in enumerate(zip(names, rows.columns, strict=True)):
        distinct = column.labels()
        given = domains.get(name, column.chosen_order(wanted))
        found.append(found_domain(distinct, name, axis) if given is None else as_domain(given, axis, name))
    shape = tuple(len(domain) for domain in found)
    many = int(rows.records.sum())
    _check_size(shape, names, [domains.get(name) is not None for name in names], many)
    index = tuple(rows.positions(axis, domain) for axis, domain in enumerate(found))
    if columns is None and weight is None:
        warn_of_tuples(rows.columns)
    table = np.zeros(shape, dtype=rows.weights.dtype)
    np.add.at(table, index, rows.weights)
    if rows.weights.dtype.kind == "f":
        remark_of_weights(rows.weights, str(weight), index)
        return table, tuple(found), names
    largest = int(table.max())
    if largest > 2**53:
        cell = tuple(int(p) for p in np.unravel_index(int(np.argmax(table)), shape))
        raise TableError(
            f"The counts of ({place(names, found, cell)}) sum to {largest:,}; a count is at most 2^53.",
            Where("cell", index=cell),
        )
    return table.astype(np.int64), tuple(found), names


def counted_pairs(
    frame: Any, columns: Any, weight: str | None, states: Iterable[Any] | None
) -> tuple[NDArray[Any], Domain]:
    """Return how often one state follows another, and the states."""
    frame = counted(frame, columns, weight)
    names, _, weight = tuples_of(frame, columns, weight, None, noun="column of states")
    if len(names) != 2:
        raise DomainError(
            f"There are {len(names)} columns of states ({', '.join(map(short, names[:8]))}); name two: the "
            "states and those that follow. Counts are named by weight.",
            Where("parameter", name="columns"),
        )
    rows = distinct_rows(frame, names, weight)
    if not len(rows.records):
        raise TableError("The data frame has no rows; it needs at least one transition.", Where("table"))
    rows.refuse_missing()
    before, after = rows.columns
    order = states if states is not None or before.order != after.order else before.order
    distinct = list(dict.fromkeys([*before.labels(), *after.labels()]))
    named = found_domain(distinct, "the chain", 0) if order is None else as_domain(order, 0, "the chain")
    _check_size((len(named), len(named)), names, [states is not None] * 2, int(rows.records.sum()))
    lost = next((label for label in distinct if label not in named), None)
    if lost is not None:
        raise DomainError(f"{short(lost)} is none of the given states.", Where("parameter", name="states"))
    pairs = np.zeros((len(named), len(named)), dtype=rows.weights.dtype)
    index = tuple(rows.positions(axis, named) for axis in range(2))
    np.add.at(pairs, index, rows.weights)
    return pairs, named


def _check_size(shape: Sequence[int], names: Sequence[str], given: Sequence[bool], rows: int) -> None:
    if len(shape) > MOST_AXES:
        raise LimitError(
            f"There are {len(shape)} columns; a table has at most {MOST_AXES} tuples. Choose fewer columns.",
            Where("parameter", name="columns"),
        )
    size = prod(shape)
    widest = max(range(len(shape)), key=lambda axis: shape[axis])
    if shape[widest] > _MOST_LABELS and not given[widest]:
        raise LimitError(
            f"Column {short(names[widest])} has {shape[widest]:,} different labels in {rows:,} rows (limit "
            f"{_MOST_LABELS:,}). {_GROUP} If all are wanted, list them in domains.",
            Where("axis", axis=widest, name=names[widest]),
        )
    if size > _MOST_CELLS:
        raise LimitError(
            f"The table would have {size:,} cells, and at most {_MOST_CELLS:,} are made; column "
            f"{short(names[widest])} has {shape[widest]:,} labels. {_GROUP}",
            Where("axis", axis=widest, name=names[widest]),
        )


def described(table: Any, domains: Any, names: Any) -> tuple[Any, Any, Any]:
    """Return a table with its labels and names: those given, or those that stand at its sides."""
    found = sides_of(table)
    of_values = isinstance(table, Mapping | np.ndarray | list | tuple) and not isinstance(table, Table)
    if found is None and not of_values and is_frame(table):
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
    found = None if any(one is None for one in numbers) else labels_down(names, columns)
    if found is None:
        return None
    across = getattr(frame.columns, "name", None) if hasattr(frame, "iloc") else None
    table = np.column_stack([one for one in numbers if one is not None])
    return table, [found[1], names[1:]], [names[0], across]
