"""Budgets for the releases of a stream that keep what is learned about events below a target."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import BUDGET, MOST_EXACT, as_size
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import BudgetError, ChainError, Where
from pdp_widgets.leakage.sequence.step_leakage import as_steps
from pdp_widgets.leakage.sequence.temporal_leakage import both_ways, carried_for_ever, carried_leakage
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays

__all__ = ["TemporalBudgets", "temporal_budgets"]

Floats = NDArray[np.float64]

#: A budget below this share of the target is none.
_NOTHING = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class TemporalBudgets(EqualByFields, ReadOnlyArrays):
    """Budgets in nats that keep a target; made by `temporal_budgets`.

    Parameters
    ----------
    target
        What may be learned about a window at most, in nats.
    width
        Steps of a window; 1 for single events.
    constant
        The largest budget that keeps the target at every step of a stream of any length; 0 where no positive
        one does.
    budgets
        One budget for each step of the stream; empty where it has no end.

    Examples
    --------
    >>> plan = temporal_budgets([[0.8, 0.2], [0.2, 0.8]], 1.0, 5)
    >>> round(plan.constant, 4), plan.budgets.round(4).tolist()
    (0.2598, [0.6299, 0.2598, 0.2598, 0.2598, 0.6299])
    """

    target: float
    width: int
    constant: float
    budgets: Floats

    @property
    def first(self) -> float | None:
        """Budget of the first step; None without an end."""
        return float(self.budgets[0]) if len(self.budgets) else None

    @property
    def last(self) -> float | None:
        """Budget of the last step; None without an end."""
        return float(self.budgets[-1]) if len(self.budgets) else None


def temporal_budgets(
    forward: ArrayLike,
    target: float,
    steps: int | None = None,
    *,
    width: int = 1,
    backward: ArrayLike | None = None,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> TemporalBudgets:
    """Return budgets that keep what all releases say about an event, or a window of events, below a target.

    Parameters
    ----------
    forward
        Transition matrix, or a first-order `MarkovChain` in its stationary law.
    target
        What may be learned at most, in nats.
    steps
        Length of the stream; without it the plan is one budget for a stream without an end.
    width
        Steps of a window, whose labels the adversary is after together; 1 for single events. Where it is not
        below ``steps``, all of the stream.
    backward
        Pr(X_{t-1} | X_t); without it that of the chain in its stationary law.
    limit, progress
        As for `temporal_leakage`.

    Returns
    -------
    TemporalBudgets
        For single events of a stream of known length each step leaks exactly the target, as a bound for every
        mechanism: the first and the last have more to spend. For all of the stream, equal parts.

    Raises
    ------
    BudgetError
        The stream has no end, and no positive budget lasts: one step determines the next.
    ChainError
        A matrix is no law.

    Notes
    -----
    Cao, Yoshikawa, Xiao and Xiong, "Quantifying Differential Privacy under Temporal Correlations" (2017),
    Algorithms 2 and 3, with windows added: the constant is where the limits of both sides, less what they
    count twice, reach the target.

    Examples
    --------
    >>> temporal_budgets([[0.8, 0.2], [0.2, 0.8]], 1.0, 2, width=2).budgets.tolist()
    [0.5, 0.5]
    """
    goal = BUDGET.take(target, "target")
    wide = as_size(width, "width", 1, MOST_EXACT, ChainError)
    length = None if steps is None else as_steps(steps)
    aheads, backs = both_ways(forward, backward, 2)
    ahead, back = aheads[0], next(backs)
    told = Progress(timed(progress, limit, "The budgets", "Take fewer symbols."), 240 * len(ahead))

    def lasting(budget: float) -> float:
        both = sum(carried_for_ever(rows, budget, told) for rows in (back, ahead))
        return math.inf if math.isinf(both) else both + (wide - 2) * budget

    constant = _root(lasting, goal)
    constant = 0.0 if constant <= _NOTHING * goal else constant
    if length is None:
        if not constant:
            raise BudgetError(
                "No positive budget lasts for a stream without an end, since one step determines the next; "
                "give the number of steps.",
                Where("parameter", name="steps"),
            )
        told.finish()
        return TemporalBudgets(goal, wide, constant, np.empty(0))
    plan = np.full(length, constant if 1 < wide < length and constant else goal / max(length, 1))
    if wide == 1 and length > 1:
        plan = _of_events(ahead, back, goal, length)
    told.finish()
    return TemporalBudgets(goal, wide, constant, plan)


def _of_events(ahead: Floats, back: Floats, goal: float, length: int) -> Floats:
    """Return the budgets with which each step leaks the target: the first, those between, the last."""

    def total(first: float) -> float:
        return first + carried_leakage(ahead, goal - carried_leakage(back, first))

    first = _root(total, goal)
    carried = carried_leakage(back, first)
    if first - carried <= _NOTHING * goal:
        return np.full(length, goal / length)
    return np.array([first, *[first - carried] * (length - 2), goal - carried])


def _root(rising: Callable[[float], Any], goal: float) -> float:
    """Return the largest number up to the goal at which a function that rises is not above the goal."""
    low, high = 0.0, goal
    if rising(high) <= goal:
        return high
    while True:
        middle = (low + high) / 2
        if not low < middle < high or high <= _NOTHING * _NOTHING * goal:
            return low
        if rising(middle) <= goal:
            low = middle
        else:
            high = middle
