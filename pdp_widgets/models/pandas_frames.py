"""Data frames of pandas that models and results are handed out as."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.labels import Domain

__all__ = ["cells", "labels_of", "pandas_frame", "square"]


def pandas_frame(values: Any, /, **how: Any) -> Any:
    """Return a data frame of pandas, or raise ImportError where there is none."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("A data frame needs pandas: pip install pandas.") from None
    return pd.DataFrame(values, **how)


def labels_of(codes: NDArray[np.integer[Any]], domain: Sequence[Any]) -> NDArray[np.object_]:
    """Return the labels that stand at codes; None for the code -1 of a missing value."""
    labels = np.empty(len(domain) + 1, dtype=object)
    labels[:-1] = domain
    return np.asarray(labels[codes])


def cells(
    table: NDArray[np.float64],
    domains: Sequence[Domain],
    names: Sequence[str],
    counts: NDArray[np.int64] | None,
) -> Any:
    """Return a pandas data frame with one row for each cell of a table, in table order."""
    taken = [name for name in ("probability", "count") if name in names]
    if taken:
        raise DomainError(
            f"A tuple is named {taken[0]}, which is the name of a result column; rename it.",
            Where("parameter", name="names"),
        )
    grid = np.indices(table.shape).reshape(table.ndim, -1)
    columns: dict[str, Any] = {
        name: [domain[p] for p in positions]
        for name, domain, positions in zip(names, domains, grid, strict=True)
    }
    columns["probability"] = table.ravel()
    if counts is not None:
        columns["count"] = counts.ravel()
    return pandas_frame(columns)


def square(values: NDArray[np.float64], names: Sequence[str], **attrs: Any) -> Any:
    """Return a pandas data frame of a square matrix, names down and across."""
    frame = pandas_frame(values.copy(), index=list(names), columns=list(names))
    frame.attrs.update(attrs)
    return frame
