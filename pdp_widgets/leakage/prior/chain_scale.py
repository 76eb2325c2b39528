"""The least scale at which estimates that need not fall with the scale are small enough, found without gaps.

An estimate of the chain rule is no monotone function of the scale. It is made of sums, absolute values,
maxima and minima of log E exp(-y / scale), so as a function of 1 / scale it changes at most as fast as the
sum of sensitivities (Eq. 16). Where it exceeds the target by d, so it does at every 1 / scale nearer than d /
that sum.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np
from numpy.typing import NDArray

__all__ = ["NARROW", "lasting_scale", "least_scale"]

Floats = NDArray[np.float64]

#: Part of a scale that is not looked into: a change of sign within it is taken for the only one.
NARROW = 1e-4


def least_scale(
    estimates: Callable[[float], Floats], reaches: Floats, target: float, enough: float, most: float
) -> float:
    """Return the least scale at which all estimates are at most the target; 0 if they are at the first one.

    Parameters
    ----------
    estimates
        The estimates as a function of 1 / scale.
    reaches
        How fast each may change with 1 / scale, at most.
    target
        What they may be at most.
    enough
        1 / scale of a scale that is enough.
    most
        Largest 1 / scale to look at: if the estimates are small enough there, the answer is 0.

    Examples
    --------
    An estimate that rises and falls: from 1 / scale = 2 down, the first place within 1 is 1.5.

    >>> wave = lambda inverse: np.array([1.0 + np.cos(np.pi * (inverse - 2.0))])
    >>> round(1 / least_scale(wave, np.array([4.0]), 1.0, 0.25, 2.0), 6)
    1.5
    """
    excess = _excess(estimates, reaches, target)
    at = most
    over, step = excess(at)
    if over <= 0:
        return 0.0
    for steps in count():
        # A place many times nearer to 0 would be rounded on the scale of this one.
        step = min(step, at / 2)
        if at - step <= enough:
            return 1.0 / enough
        narrow = _narrow(steps) * at
        if step >= narrow:
            at -= step
            over, step = excess(at)
            if over <= 0:
                return 1.0 / at
            continue
        # Close by: look a little further down, and halve the bracket if there is a change of sign.
        low = max(enough, at - 2 * narrow)
        over, step = excess(low)
        if over <= 0:
            return 1.0 / _halved(excess, low, at)
        at = low
    raise AssertionError  # the steps end at enough


def lasting_scale(
    estimates: Callable[[float], Floats], reaches: Floats, target: float, enough: float, most: float
) -> float:
    """Return the least scale from which on all estimates are at most the target, at least 1 / most."""
    excess = _excess(estimates, reaches, target)
    at = enough
    for steps in count():
        _, step = excess(at)
        ahead = max(-step, 2 * _narrow(steps) * at)
        if at + ahead >= most:
            return 1.0 / most
        if -step < ahead and excess(at + ahead)[0] > 0:
            return 1.0 / _halved(excess, at, at + ahead)
        at += ahead
    raise AssertionError  # the steps end at most


def _narrow(steps: int) -> float:
    """Return the part of a scale that is not looked into; larger if the search takes long."""
    return NARROW * 2.0 ** (max(0, steps - 1500) // 500)


def _excess(
    estimates: Callable[[float], Floats], reaches: Floats, target: float
) -> Callable[[float], tuple[float, float]]:
    """Return a function of 1 / scale: largest excess, and distance to the next zero at least."""
    # Where nothing moves the query the estimate is 0 at every scale.
    moving = reaches > 0

    def excess(inverse: float) -> tuple[float, float]:
        over = estimates(inverse)[moving] - target
        return float(over.max()), float((over / reaches[moving]).max())

    return excess


def _halved(excess: Callable[[float], tuple[float, float]], low: float, high: float) -> float:
    """Return where the excess changes sign between two values of 1 / scale, on the side of the lower one."""
    for _ in range(30):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if excess(middle)[0] <= 0:
            low = middle
        else:
            high = middle
    return low
