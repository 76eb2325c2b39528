"""Editing a table of probabilities cell by cell, so that it stays one, and its name after an edit.

These functions work on raw entries (any shape) and return new arrays: what stands in an editor may not be a
valid table yet, so no `JointDistribution` is involved.
"""

from __future__ import annotations

from math import fsum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.labels import shown

__all__ = ["edited_title", "independent", "is_edited", "normalise", "set_cell"]

Floats = NDArray[np.float64]

_SUM = 1e-12


def _entries(entries: ArrayLike) -> Floats:
    array = np.array(entries, dtype=np.float64)
    if array.ndim == 0 or array.size == 0:
        raise TableError("The table has no cells; it needs at least one.", Where("table"))
    for bad, demand in (
        (~np.isfinite(array), "must be a finite number"),
        (array < 0, "must not be negative"),
    ):
        if bad.any():
            index = _index(array, int(np.argmax(bad)))
            raise TableError(
                f"The entry of cell {index} is {array[index]:.12g}; it {demand}.", Where("cell", index=index)
            )
    return array


def _index(array: Floats, flat: int) -> tuple[int, ...]:
    return tuple(int(p) for p in np.unravel_index(flat, array.shape))


def _whole(position: Any) -> int:
    if not is_whole(position):
        raise TypeError
    return int(position)


def _locks(locked: ArrayLike | None, array: Floats) -> NDArray[np.bool_]:
    if locked is None:
        return np.zeros(array.shape, dtype=bool)
    locks = np.array(locked, dtype=bool)
    if locks.size != array.size:
        raise TableError(f"There are {locks.size} locks for {array.size} cells.", Where("table"))
    return locks.reshape(array.shape)


def _close(array: Floats, free: NDArray[np.bool_]) -> Floats:
    """Put what rounding left over into the largest free cell: the sum is then 1 within 1e-12."""
    if free.any():
        largest = int(np.argmax(np.where(free, array, -1.0)))
        rest = 1.0 - fsum(array.ravel().tolist())
        array.flat[largest] = max(0.0, float(array.flat[largest]) + rest)
    return array


def _share(array: Floats, free: NDArray[np.bool_], room: float) -> None:
    """Give the free cells a total of ``room`` in their present proportion; equally if all are 0."""
    if room <= 0:
        array[free] = 0.0
        return
    largest = float(array[free].max())
    if largest == 0:
        array[free] = room / np.count_nonzero(free)
        return
    # Divide by the largest first: entries may be as small as the smallest float, or huge.
    shares = array[free] / largest
    array[free] = shares / fsum(shares.tolist()) * room


def set_cell(
    entries: ArrayLike, index: int | tuple[int, ...], p: float, locked: ArrayLike | None = None
) -> Floats:
    """Return the table in which one cell is p and the other unlocked cells are rescaled to a sum of 1."""
    array = _entries(entries)
    locks = _locks(locked, array)
    try:
        listed = (index,) if isinstance(index, int) else index
        at = _index(array, index) if is_whole(index) else tuple(_whole(k) for k in listed)
        array[at]
    except (TypeError, ValueError, IndexError):
        raise TableError(
            f"There is no cell {shown(index)} in a table of shape {array.shape}.", Where("table")
        ) from None
    if len(at) != array.ndim or min(at) < 0:
        raise TableError(f"There is no cell {index} in a table of shape {array.shape}.", Where("table"))
    where = Where("cell", index=at)
    value = float(p)
    if not 0 <= value <= 1:
        raise TableError(f"The entry of cell {at} is {value:.12g}; a probability is between 0 and 1.", where)
    if locks[at] and value != array[at]:
        raise TableError(f"Cell {at} is locked; unlock it to change it.", where)
    locks[at] = False
    free = ~locks
    free[at] = False
    held = fsum(array[locks].tolist())
    room = 1.0 - held
    if room < -_SUM:
        raise TableError(f"The locked cells hold {held:.12g}, more than 1; unlock some of them.", where)
    room = max(room, 0.0)
    if value > room + _SUM:
        raise TableError(
            f"The locked cells hold {held:.12g}: at most {room:.12g} is left for cell {at}.",
            where,
        )
    value = min(value, room)
    if not free.any():
        if abs(value - room) > _SUM:
            raise TableError(f"All other cells are locked: cell {at} can only be {room:.12g}.", where)
        array[at] = room
        return array
    array[at] = value
    _share(array, free, room - value)
    return _close(array, free)


def normalise(entries: ArrayLike, locked: ArrayLike | None = None) -> Floats:
    """Return the table in which the unlocked cells are rescaled so that the sum is 1."""
    array = _entries(entries)
    locks = _locks(locked, array)
    free = ~locks
    room = 1.0 - fsum(array[locks].tolist())
    if room < -_SUM:
        raise TableError(
            f"The locked cells hold {1 - room:.12g}, more than 1; unlock some of them.", Where("table")
        )
    if not free.any() or array[free].max() == 0:
        if room <= _SUM:
            return array
        kind = "unlocked entries" if locks.any() else "entries"
        raise TableError(f"All {kind} are 0; at least one must be positive to normalise.", Where("table"))
    _share(array, free, max(room, 0.0))
    return _close(array, free)


def independent(entries: ArrayLike) -> Floats:
    """Return the table of independent tuples with the same marginals, normalised."""
    array = normalise(entries)
    n = array.ndim
    made = np.ones(())
    for j in range(n):
        made = np.multiply.outer(made, array.sum(axis=tuple(k for k in range(n) if k != j)))
    return normalise(made)


#: In front: the end of a long name is cut.
_MARK = "Edited from "


def edited_title(title: str) -> str:
    """Return what edited data are called; data without a name keep none."""
    return title if not title or is_edited(title) else _MARK + title


def is_edited(title: str) -> bool:
    """Return whether a name is one that an edit left."""
    return title.startswith(_MARK)
