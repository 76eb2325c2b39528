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
#: Up to here a whole number is one of its own accord: floats have fractions beside it.
_COUNTED = 2.0**52


def equal_outputs(outputs: Floats) -> tuple[Floats, Integers]:
    """Return the different outputs in ascending order, and which of them each one is.

    Neighbours that differ by 2^-47 of the largest or less are one, and the lowest of them stands for all: 0.1
    + 0.2 and 0.3 are the same output, and whoever sees it learns nothing from the digits. Whole numbers up to
    2^52 are not rounded, and never one.

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
    largest = max(abs(float(values[0])), abs(float(values[-1])))
    begins[1:] = np.diff(values) > SAME * largest
    if begins.all() or (largest <= _COUNTED and (values == np.floor(values)).all()):
        return values, places
    return values[begins], (np.cumsum(begins) - 1)[places]
