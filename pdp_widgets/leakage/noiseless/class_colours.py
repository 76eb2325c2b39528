"""Which of four colours a class has in a map: near classes differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

__all__ = ["COLOURS", "class_colours"]

#: Corners in the plane of two quasi-identifiers: x from, x to, y from, y to.
Box: TypeAlias = tuple[float, float, float, float]

COLOURS = 4
#: Boxes are near that are no farther apart than this share of all, in both directions.
_NEAR = 0.06


def class_colours(boxes: Sequence[Box | None], most: int | None = None) -> list[int]:
    """Return a colour 0 to 3 for every class, one after the other.

    Class number k takes the first of k, k + 1, k + 2 and k + 3 (modulo 4) that no earlier class near it has;
    where none is free, k modulo 4.

    Parameters
    ----------
    boxes
        Corners of the classes, in their order; None for one that is not drawn.
    most
        Return those of the first so many; without it of all.

    Examples
    --------
    >>> class_colours([(0, 1, 0, 1), (2, 3, 0, 1), (0, 1, 1, 2), (8, 9, 0, 1), (0, 1, 4, 5)])
    [0, 1, 2, 3, 0]
    >>> class_colours([None, (0, 1, 0, 1)])
    [0, 1]
    """
    corners = np.array([(np.nan,) * 4 if box is None else box for box in boxes], dtype=np.float64)
    corners = corners.reshape(-1, 4)
    drawn = corners[~np.isnan(corners[:, 0])]
    if len(drawn):
        room_x = _NEAR * (drawn[:, 1].max() - drawn[:, 0].min())
        room_y = _NEAR * (drawn[:, 3].max() - drawn[:, 2].min())
    found: list[int] = []
    for k, box in enumerate(corners[:most]):
        if np.isnan(box[0]):
            found.append(k % COLOURS)
            continue
        others = corners[:k]
        near = (
            (others[:, 0] <= box[1] + room_x)
            & (box[0] <= others[:, 1] + room_x)
            & (others[:, 2] <= box[3] + room_y)
            & (box[2] <= others[:, 3] + room_y)
        )
        taken = {found[j] for j in np.flatnonzero(near).tolist()}
        free = ((k + step) % COLOURS for step in range(COLOURS))
        found.append(next((colour for colour in free if colour not in taken), k % COLOURS))
    return found
