"""What the numbers of a weighted hierarchical graph have to be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.given_numbers import refuse_masked
from pdp_widgets.models.labels import shown

__all__ = ["as_amount", "as_group_bound", "as_node_array"]

Floats = NDArray[np.float64]


def as_amount(value: Any, name: str) -> float:
    """Return a finite number, 0 or more, or raise TableError."""
    if (
        not isinstance(value, bool)
        and isinstance(value, int | float | np.number)
        and np.isfinite(value)
        and value >= 0
    ):
        return float(value)
    raise TableError(
        f"{name} is {shown(value)}; it is a finite number, 0 or more.", Where("parameter", name=name)
    )


def as_group_bound(value: Any) -> float:
    """Return a group bound, which may be infinite, or raise TableError."""
    return np.inf if isinstance(value, float) and value == np.inf else as_amount(value, "group_bound")


def as_node_array(values: ArrayLike, shape: tuple[int, int], name: str) -> Floats:
    """Return a read-only node array of leakages, or raise TableError."""
    refuse_masked(values, name)
    array = np.array(values, dtype=np.float64)
    if array.shape != shape:
        raise TableError(
            f"{name} has shape {array.shape}; it must be {shape}.", Where("parameter", name=name)
        )
    if not np.isfinite(array).all() or (array < 0).any():
        raise TableError(
            f"A value of {name} is negative or not finite; a leakage is a finite number, 0 or more.",
            Where("parameter", name=name),
        )
    array.flags.writeable = False
    return array
