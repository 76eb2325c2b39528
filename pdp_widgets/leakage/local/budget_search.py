"""The largest budget at which what leaks stays within a goal, found by a search that can be watched."""

from __future__ import annotations

import math
from collections.abc import Callable

from pdp_widgets.leakage.progress import ProgressHook

__all__ = ["SearchSteps", "largest_budget"]

_XTOL = 1e-13
#: A search asks for the leakages at about as many budgets.
_TRIED = 18


class SearchSteps:
    """Tells about how far a search is whose number of steps is not known."""

    def __init__(self, hook: ProgressHook | None, n: int) -> None:
        self._hook, self._expected, self._done = hook, _TRIED * n, 0

    def count(self, steps: int = 1) -> None:
        """Count steps, one for each attribute at each budget."""
        self._done += steps
        if self._hook is not None:
            self._hook(min(0.99, self._done / self._expected))


def largest_budget(loss: Callable[[float], float], budget: float, n: int) -> float:
    """Return the largest e up to the budget with loss(e) <= budget, for a loss of slope 1 or more."""
    if budget == 0 or n == 1 or math.isinf(budget) or loss(budget) <= budget:
        return budget
    low = budget / n
    if loss(low) < budget:
        from scipy.optimize import brentq

        # In shares of the budget, so that neither the tolerance nor what is too much leaves the floats.
        def excess(share: float) -> float:
            return min(loss(share * budget) / budget, 2.0 * n) - 1

        if excess(low / budget) < 0:
            low = budget * float(brentq(excess, low / budget, 1.0, xtol=_XTOL, rtol=4 * 2**-52))
    # A slope of 1 or more: going down by what is too much is enough, but for rounding.
    for _ in range(50):
        over = loss(low) - budget
        if over <= 0:
            break
        low -= max(over, math.ulp(low))
    return low
