"""What the steps so far leak together if every promise is kept, in the time that the asked steps take."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.stream_script import Segment

__all__ = ["running_bounds"]

Floats = NDArray[np.float64]


# Beyond the largest floats a bound is infinite.
@np.errstate(over="ignore")
def running_bounds(
    segments: tuple[Segment, ...], first: int, end: int, delta: float
) -> tuple[Floats, Floats, Floats]:
    """Return promise, linear and advanced composition of consecutive steps.

    They are those of `best_bounds`, of steps after the first ones: a budget that stays is not summed again.

    Parameters
    ----------
    segments
        Budgets in the order of their first steps.
    first, end
        Steps before the asked ones, and up to the last of them.
    delta
        Of the advanced composition, from 0 on, below 1.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> chain = MarkovChain.symmetric(0.9)
    >>> segments = Segment(1, chain, 0.5), Segment(3, chain, 1.0)
    >>> promise, linear, advanced = running_bounds(segments, 1, 4, 1e-5)
    >>> promise.tolist(), linear.tolist(), advanced.round(3).tolist()
    ([0.5, 1.0, 1.0], [1.0, 2.0, 3.0], [3.638, 6.584, 8.756])
    """
    promise, linear, drift, length = np.empty((4, end - first))
    root = math.sqrt(2 * math.log(1 / delta)) if delta else math.inf
    # What the segments before add up to: budgets, drifts, and the root of the sum of squares.
    before, before_length = (0.0, 0.0), 0.0
    firsts = [each.first for each in segments]
    for segment, (low, following) in zip(segments, pairwise([*firsts, end + 1]), strict=True):
        last = min(following - 1, end)
        if last < low:
            break
        epsilon = float(segment.epsilon)
        each = (epsilon, epsilon * math.tanh(epsilon / 2))
        start = max(first, low - 1)
        if last > start:
            count = np.arange(start - low + 2, last - low + 2, dtype=np.float64)
            at = slice(start - first, last - first)
            promise[at] = epsilon
            for array, sums, one in zip((linear, drift), before, each, strict=True):
                array[at] = sums + count * one
            # Not by squares: those of tiny budgets are 0.
            length[at] = np.hypot(before_length, epsilon * np.sqrt(count))
        many = last - low + 1
        before = (before[0] + many * each[0], before[1] + many * each[1])
        before_length = math.hypot(before_length, epsilon * math.sqrt(many))
    spread = np.zeros_like(length)
    some = length > 0
    # Nothing is passed where nothing leaks, whatever delta is.
    spread[some] = root * length[some]
    return promise, linear, drift + spread
