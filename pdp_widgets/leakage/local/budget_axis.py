"""Where an axis of budgets ends."""

from __future__ import annotations

import math
import sys

__all__ = ["budget_end"]


def budget_end(epsilon: float) -> float:
    """Return where an axis of budgets ends that marks one: at 4, or a round number above a larger one.

    Examples
    --------
    >>> [budget_end(epsilon) for epsilon in (0.0, 1.0, 6.0, 15.0, float("inf"))]
    [4.0, 4.0, 8.0, 20.0, 10.0]
    """
    if not math.isfinite(epsilon):
        return 10.0
    if epsilon <= 3.8:
        return 4.0
    # Divided first: the largest floats must not overflow.
    power = 10.0 ** math.floor(math.log10(epsilon) + math.log10(1.05))
    least = epsilon / power * 1.05
    end = next((step * power for step in (1.0, 2.0, 4.0, 5.0, 8.0, 10.0) if step >= least), 10.0 * power)
    return min(end, sys.float_info.max)
