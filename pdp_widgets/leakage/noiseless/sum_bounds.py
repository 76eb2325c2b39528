"""Proved bounds for a sum of independent records: Theorems 4 and 6 without what does not hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.events import as_events
from pdp_widgets.leakage.noiseless.gaussian_step import gaussian_delta, step_epsilon
from pdp_widgets.leakage.noiseless.normal_distance import BERRY_ESSEEN
from pdp_widgets.leakage.noiseless.record_sum import as_record_sum, shifted_words
from pdp_widgets.leakage.noiseless.slack import PAPER, Events, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.mechanisms.anonymity.parameters import as_inner, as_number

__all__ = ["SlackRecipe", "sum_bound", "sum_recipe"]

Floats = NDArray[np.float64]

_SOURCE = f"{PAPER}, Theorems 4 and 6, corrected"


@overload
def sum_bound(records: Any, shift: float, epsilon: float, events: str = ...) -> Slack: ...


@overload
def sum_bound(
    records: Any, shift: float, epsilon: Sequence[float] | NDArray[Any], events: str = ...
) -> SlackCurve: ...


def sum_bound(records: Any, shift: float, epsilon: Any, events: str = "halfline") -> Any:
    """Return a bound on the slack of a sum when the target's contribution changes, for one class of events.

    Parameters
    ----------
    records
        The unknown records other than the target's: a RecordSum, or pairs of a law and a number of records.
    shift
        By how much the contribution changes, in units of the values; the sign does not matter.
    epsilon
        Nats, 0 to infinity; a number, or several.
    events
        ``"halfline"`` (threshold tests) or ``"interval"``. A distance of distribution functions says nothing
        about other events.

    Returns
    -------
    Slack or SlackCurve
        A bound. It rises again at large epsilon; `SlackCurve.drawn` keeps the least so far.

    Raises
    ------
    BudgetError
        A number is outside its range, or the events are ``"all"``.

    Notes
    -----
    ``kappa (1 + exp(eps)) 0.5591 L + delta_G(eps; shift/B)`` with kappa 1 for half-lines and 2 for intervals,
    the standard deviation B of the sum, Lyapunov's ratio L, and the slack delta_G of a normal law.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.record_sum import RecordSum
    >>> fair = RecordSum.equal({0: 0.5, 1: 0.5}, 100)
    >>> round(sum_bound(fair, 1, 0.5).delta, 6), round(sum_bound(fair, 1, 0.5, "interval").delta, 6)
    (0.148603, 0.296693)
    """
    others, chosen = as_record_sum(records), bounded_events(events)
    moved, levels = abs(as_number(shift, "shift")), epsilons_of(epsilon)
    ratio = others.ratio
    distance = math.nan if ratio is None else BERRY_ESSEEN * ratio
    found = normal_bound(levels, distance, moved, others.variance**0.5, chosen)
    return told(epsilon, found, "bound", chosen, shifted_words(others, moved), _SOURCE)


@dataclass(frozen=True)
class SlackRecipe:
    """An epsilon and a slack that hold together, where the slack of the normal step is chosen.

    Parameters
    ----------
    slack
        The bound at its epsilon.
    ratio
        Lyapunov's ratio of the unknown records; None for a sum that is certain.
    delta1
        The slack of the normal step, a probability; None where none was chosen and none is needed.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.record_sum import RecordSum
    >>> print(sum_recipe(RecordSum.equal({0: 0.5, 1: 0.5}, 100), 1))
    delta = 0.23186 at epsilon = 0.306331 nats (bound, threshold tests): sum of 100 unknown records, \
against the sum 1 higher, delta1 = 0.1
    """

    slack: Slack
    ratio: float | None
    delta1: float | None

    def __str__(self) -> str:
        return str(self.slack) + ("" if self.delta1 is None else f", delta1 = {self.delta1:.6g}")


def sum_recipe(
    records: Any, shift: float, delta1: float | None = None, events: str = "halfline"
) -> SlackRecipe:
    """Return an epsilon and a slack that a sum keeps, for a chosen slack of the normal step.

    Parameters
    ----------
    records, shift, events
        As for `sum_bound`.
    delta1
        The slack of the normal step, strictly between 0 and 1; without it one over the root of the number of
        records, as in the paper.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.record_sum import RecordSum
    >>> found = sum_recipe(RecordSum.equal({0: 0.5, 1: 0.5}, 100), 1).slack
    >>> round(found.epsilon, 6), round(found.delta, 6)
    (0.306331, 0.23186)
    """
    others, chosen = as_record_sum(records), bounded_events(events)
    moved = abs(as_number(shift, "shift"))
    if delta1 is not None:
        step: float | None = as_inner(delta1, "delta1")
    else:
        step = others.size**-0.5 if others.size else None
    about, source, ratio = shifted_words(others, moved), _SOURCE, others.ratio
    distance = math.nan if ratio is None else BERRY_ESSEEN * ratio
    epsilon, delta = normal_recipe(step, distance, moved, others.variance**0.5, chosen)
    return SlackRecipe(Slack(delta, "bound", chosen, epsilon, about, source), ratio, step)


def bounded_events(events: Any) -> Events:
    """Return a class of events that a distance of distribution functions bounds, or raise BudgetError.

    Examples
    --------
    >>> bounded_events("interval")
    'interval'
    """
    chosen = as_events(events)
    if chosen == "all":
        raise BudgetError(
            "The events are 'all'; a distance of distribution functions bounds 'halfline' and 'interval' "
            "only.",
            Where("parameter", name="events"),
        )
    return chosen


def kappa(events: Events) -> int:
    """Return how many distribution functions an event is made of.

    Examples
    --------
    >>> kappa("halfline"), kappa("interval")
    (1, 2)
    """
    return 1 if events == "halfline" else 2


def normal_recipe(
    step: float | None, distance: float, moved: float, spread: float, events: Events
) -> tuple[float, float]:
    """Return the epsilon and the slack that follow from a chosen slack of the normal step.

    Parameters
    ----------
    step
        The chosen one; None where there is nobody unknown to choose it by.
    distance, moved, spread, events
        As for `normal_bound`.

    Examples
    --------
    >>> [round(one, 3) for one in normal_recipe(0.1, 0.05591, 1.0, 5.0, "halfline")]
    [0.306, 0.232]
    """
    if moved == 0:
        return 0.0, 0.0
    if step is None or spread == 0:
        return math.inf, 1.0
    epsilon = step_epsilon(step, moved, moved / spread)
    with np.errstate(over="ignore"):
        factor = 1 + float(np.exp(epsilon))
    return epsilon, kappa(events) * factor * distance + step


def normal_bound(levels: Floats, distance: float, moved: float, spread: float, events: Events) -> Floats:
    """Return the bound that follows from a distance to the normal law, for every epsilon.

    Parameters
    ----------
    levels
        Epsilons, shape (m,).
    distance
        Largest difference of the distribution functions; not used where the spread is 0.
    moved, spread
        The shift, 0 or more, and the standard deviation of the sum.
    events
        ``"halfline"`` or ``"interval"``.

    Examples
    --------
    >>> normal_bound(np.array([0.0]), 0.1, 1.0, 0.0, "halfline").tolist()
    [1.0]
    """
    if moved == 0:
        return np.zeros(len(levels))
    if spread == 0:
        return np.ones(len(levels))
    with np.errstate(over="ignore"):
        apart = kappa(events) * (1 + np.exp(levels)) * distance
    found: Floats = apart + gaussian_delta(levels, moved, spread)
    return found
