"""Which outputs are one: sums that are equal on paper may differ in the last digits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["SAME", "equal_outputs"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Share of the largest output by which neighbours differ at most that are one: tens of roundings.
#: js/src/compute/dependence-outputs.ts has the same number.
SAME = 2.0**-47


def equal_outputs(outputs: Floats) -> tuple[Floats, Integers]:
    """Return the different outputs in ascending order, and which of them each one is.

    Neighbours that differ by 2^-47 of the largest or less are one, and the lowest of them stands for all: 0.1
    + 0.2 and 0.3 are the same output, and whoever sees it learns nothing from the digits.

    Parameters
    ----------
    outputs
        Shape (rows,).

    Examples
    --------
    >>> values, index = equal_outputs(np.array([0.3, 0.1 + 0.2, 0.1, 1.0]))
    >>> values.tolist(), index.tolist()
    ([0.1, 0.3, 1.0], [1, 1, 0, 2])
    """
    values, index = np.unique(outputs, return_inverse=True)
    places = index.reshape(-1)
    if len(values) < 2:
        return values, places
    begins = np.ones(len(values), dtype=np.bool_)
    begins[1:] = np.diff(values) > SAME * max(abs(float(values[0])), abs(float(values[-1])))
    if begins.all():
        return values, places
    return values[begins], (np.cumsum(begins) - 1)[places]
