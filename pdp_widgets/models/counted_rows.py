"""Records of a data frame as rows of values with their shares, and what to know before they are believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import FewRecordsWarning, TableError, Where
from pdp_widgets.models.caller_warning import warn_caller
from pdp_widgets.models.count_columns import warn_of_counts
from pdp_widgets.models.counted_table import few_records
from pdp_widgets.models.frames import check_lengths, checked_columns, column_names, column_values, is_missing
from pdp_widgets.models.labels import short
from pdp_widgets.models.support_numbers import as_weights, sums_of
from pdp_widgets.models.support_rows import Value, coded_rows

__all__ = ["counted_rows"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def counted_rows(
    frame: Any,
    columns: Sequence[str] | None,
    weight: str | None,
    domains: Mapping[str, Iterable[Any]] | None,
) -> tuple[Integers, Floats, tuple[tuple[Value, ...], ...], tuple[str, ...]]:
    """Return the different rows of a data frame: positions of values, shares, domains and names.

    Parameters are those of `SparseJoint.from_dataframe`, and so are the warnings.

    Examples
    --------
    >>> codes, shares, domains, names = counted_rows({"Ann": [0, 0, 1], "n": [1, 2, 1]}, None, "n", None)
    >>> codes.tolist(), shares.tolist(), domains, names
    ([[0], [1]], [0.75, 0.25], ((0, 1),), ('Ann',))
    """
    names, given = checked_columns(column_names(frame), columns, weight, domains)
    values = [column_values(frame, name) for name in names]
    check_lengths(names, values)
    if not values[0]:
        raise TableError("The data frame has no rows; it needs at least one record.", Where("table"))
    if columns is None and weight is None:
        warn_of_counts(names, values, "weight")
    rows = list(zip(*values, strict=True))
    codes, found, checked = coded_rows(rows, names, [given.get(name) for name in names])
    if weight is None:
        weights = np.ones(len(rows))
    else:
        column = column_values(frame, weight)
        for row, value in enumerate(column):
            if is_missing(value):
                raise TableError(
                    f"Column {short(weight)}, row {row} is missing; fill it, or drop the row.",
                    Where("row", index=(row,)),
                )
        weights = as_weights(column, len(rows), f"column {short(weight)}")
    distinct, index = np.unique(codes, axis=0, return_inverse=True)
    sums = sums_of(index.reshape(-1), weights / weights.max(), len(distinct))
    # Weights that are not whole, or add up to 1, are no counts: how many records there are is not known.
    if weight is None or ((weights == np.floor(weights)).all() and weights.sum() > 1):
        possible = int(np.count_nonzero(sums))
        caution = few_records(int(weights.sum()), prod(len(domain) for domain in found), possible)
        if caution:
            warn_caller(
                f"{caution}. Take more records, or fewer tuples or values. A distribution that is known, not "
                "counted, is given by its rows: SparseJoint(rows, probabilities).",
                FewRecordsWarning,
            )
    return distinct, sums / sums.sum(), found, checked
