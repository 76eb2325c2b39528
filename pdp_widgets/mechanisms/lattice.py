"""The step that all contributions of an additive query are whole multiples of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Multiples", "common_multiples"]

Floats = NDArray[np.float64]

#: Share of the largest number that counts as none.
_NOTHING = 1e-9


@dataclass(frozen=True, eq=False)
class Multiples:
    """Numbers as whole multiples of one step.

    Parameters
    ----------
    step
        In units of the query; 1 where all numbers are 0.
    counts
        The multiples, in arrays like those given.
    error
        Largest distance of a number from its multiple, in units of the query.

    Examples
    --------
    >>> found = common_multiples([np.array([0, 1 / 3]), np.array([0, 2 / 3, 1])])
    >>> [counts.tolist() for counts in found.counts], round(found.step, 4)
    ([[0, 1], [0, 2, 3]], 0.3333)
    """

    step: float
    counts: tuple[NDArray[np.int64], ...]
    error: float


def common_multiples(numbers: Sequence[Floats]) -> Multiples:
    """Return numbers of 0 or more as multiples of their greatest common divisor, which may be tiny.

    Parameters
    ----------
    numbers
        Arrays of finite numbers, 0 or more.

    Notes
    -----
    By Euclid; a rest below 1e-9 of the largest number counts as none. How near the multiples are is for the
    caller to judge, and whether there are too many.

    Examples
    --------
    >>> found = common_multiples([np.array([4.0, 6.0])])
    >>> found.step, found.error
    (2.0, 0.0)
    """
    distinct = np.unique(np.concatenate([one.ravel() for one in numbers]))
    largest = float(distinct[-1])
    if largest == 0.0:
        return Multiples(1.0, tuple(np.zeros(one.shape, dtype=np.int64) for one in numbers), 0.0)
    # In shares of the largest, so that numbers near the ends of the floats are as good as others.
    divisor = 0.0
    for share in (distinct / largest).tolist():
        divisor = _divisor(divisor, share)
    # The step is as exact as the largest number.
    most = round(1.0 / divisor)
    step = largest / most
    counts = tuple(np.rint(one / largest * most).astype(np.int64) for one in numbers)
    error = max(float(np.abs(one - k * step).max()) for one, k in zip(numbers, counts, strict=True))
    return Multiples(step, counts, error)


def _divisor(a: float, b: float) -> float:
    """Return the greatest common divisor of two shares."""
    while b > _NOTHING:
        a, b = b, abs(a - b * round(a / b))
    return a
