"""The smallest slack of two laws for a class of events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.leakage.noiseless.slack import PAPER, Events, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.models.labels import as_choice, shown

Floats = NDArray[np.float64]

EVENTS: tuple[Events, ...] = ("all", "interval", "halfline")

#: The largest factor that is multiplied; above it logs are added.
_PLAIN = 700.0
#: Numbers in one piece of work.
_PIECE = 1 << 20
#: Probabilities sum to 1 within this.
_TOTAL = 1e-12


def as_events(events: Any) -> Events:
    """Return a class of events, or raise BudgetError."""
    return as_choice(events, "events", EVENTS, BudgetError)


@overload
def slack_between(first: ArrayLike, second: ArrayLike, epsilon: float, events: str = ...) -> Slack: ...


@overload
def slack_between(
    first: ArrayLike, second: ArrayLike, epsilon: Sequence[float] | NDArray[Any], events: str = ...
) -> SlackCurve: ...


def slack_between(first: ArrayLike, second: ArrayLike, epsilon: Any, events: str = "all") -> Any:
    """Return the smallest delta for which two laws are within a factor exp(epsilon), in both directions.

    Parameters
    ----------
    first, second
        Probabilities of the same outcomes, shape (m,) both. For ``"interval"`` and ``"halfline"`` the
        outcomes are in ascending order.
    epsilon
        Nats, 0 to infinity; a number, or several.
    events
        The events that are compared: ``"all"``, ``"interval"`` (stretches of neighbouring outcomes) or
        ``"halfline"`` (all outcomes up to one, or from one on).

    Returns
    -------
    Slack or SlackCurve
        Exact; one slack for a number, a curve for several.

    Raises
    ------
    TableError
        The laws are no probabilities of the same outcomes.
    BudgetError
        An epsilon is negative or the events are unknown.

    Notes
    -----
    Definition 2 of the paper for events that are sets of outcomes: with g = P - exp(epsilon) Q, the sum of
    the positive g, the largest sum of a stretch, or that of a stretch at one end; then the larger direction.

    Examples
    --------
    >>> slack_between([0.5, 0.5, 0.0], [0.0, 0.5, 0.5], 1.0).delta
    0.5
    >>> slack_between([0.4, 0.1, 0.5], [0.1, 0.4, 0.5], [0.0, 1.0], "halfline").delta.round(4).tolist()
    [0.3, 0.1282]
    """
    laws = _as_law(first, "first"), _as_law(second, "second")
    if len(laws[0]) != len(laws[1]):
        raise TableError(
            f"The first law has {len(laws[0]):,} outcomes and the second {len(laws[1]):,}; give both on "
            "the same outcomes, 0 where one cannot occur.",
            Where("table"),
        )
    levels, chosen = epsilons_of(epsilon), as_events(events)
    found = event_slack(*laws, levels, chosen)
    return told(epsilon, found, "exact", chosen, f"two laws on {len(laws[0]):,} outcomes", f"{PAPER}, Def. 2")


def _as_law(given: ArrayLike, name: str) -> Floats:
    where = Where("parameter", name=name)
    refuse_masked(given, f"{name} law")
    try:
        law = plain_numbers(given)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The {name} law is {shown(given)}; give one probability for each outcome.", where
        ) from None
    if law.ndim != 1 or not law.size:
        raise TableError(
            f"The {name} law has the shape {law.shape}; give one probability for each outcome.", where
        )
    wrong = ~((law >= 0) & np.isfinite(law))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise TableError(
            f"In the {name} law the probability of outcome {at:,} is {law[at]:.12g}; it must be 0 or more.",
            where,
        )
    with np.errstate(over="ignore"):
        total = float(law.sum())
    if abs(total - 1) > _TOTAL:
        raise TableError(
            f"The {name} law sums to {total:.15g}; probabilities sum to 1 within {_TOTAL:g}.",
            where,
        )
    return law


def event_slack(first: Floats, second: Floats, epsilons: Floats, events: Events = "all") -> Floats:
    """Return the smallest delta of two checked laws at every epsilon, shape (m,)."""
    way = _WAYS[events]
    found = np.maximum(way(first, second, epsilons), way(second, first, epsilons))
    # A probability that rounding took above 1 is 1.
    return np.minimum(found, 1.0)


def least_epsilon(first: Floats, second: Floats, delta: float, events: Events = "all") -> float:
    """Return the smallest epsilon at which two checked laws keep a slack; infinite without one."""

    def kept(epsilon: float) -> bool:
        return bool(event_slack(first, second, np.array([epsilon]), events)[0] <= delta)

    if kept(0.0):
        return 0.0
    if not kept(np.inf):
        return np.inf
    low, high = 0.0, 12.0
    while not kept(high):
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if not low < middle < high or high - low <= 1e-15 * high:
            return high
        low, high = (low, middle) if kept(middle) else (middle, high)


def _times(second: Floats, epsilon: float) -> Floats:
    """Return exp(epsilon) times a law; 0 stays 0 at any epsilon."""
    if epsilon <= _PLAIN:
        return np.asarray(np.exp(epsilon) * second)
    found = np.zeros(len(second))
    possible = second > 0
    with np.errstate(over="ignore"):
        found[possible] = np.exp(epsilon + np.log(second[possible]))
    return found


def _any(first: Floats, second: Floats, epsilons: Floats) -> Floats:
    possible = first > 0
    first, second = first[possible], second[possible]
    found = np.empty(len(epsilons))
    plain = np.flatnonzero(epsilons <= _PLAIN)
    step = max(1, _PIECE // max(1, len(first)))
    for start in range(0, len(plain), step):
        at = plain[start : start + step]
        gaps = np.exp(epsilons[at])[:, None] * second
        np.subtract(first, gaps, out=gaps)
        found[at] = np.maximum(gaps, 0.0, out=gaps).sum(axis=1)
    for i in np.flatnonzero(epsilons > _PLAIN):
        found[i] = np.maximum(first - _times(second, epsilons[i]), 0.0).sum()
    return found


def _halfline(first: Floats, second: Floats, epsilons: Floats) -> Floats:
    found = np.empty(len(epsilons))
    for i, epsilon in enumerate(epsilons):
        gaps = first - _times(second, float(epsilon))
        # Sums from either end: a difference of two long sums would lose a small tail.
        ends = np.cumsum(gaps).max(), np.cumsum(gaps[::-1]).max()
        found[i] = max(0.0, *ends)
    return found


def _interval(first: Floats, second: Floats, epsilons: Floats) -> Floats:
    found = np.empty(len(epsilons))
    for i, epsilon in enumerate(epsilons):
        gaps = first - _times(second, float(epsilon))
        starts = np.flatnonzero(np.diff(gaps > 0, prepend=~(gaps[:1] > 0)))
        best = running = 0.0
        for part in np.add.reduceat(gaps, starts).tolist():
            running = max(running, 0.0) + part
            best = max(best, running)
        found[i] = best
    return found


_WAYS: dict[Events, Callable[[Floats, Floats, Floats], Floats]] = {
    "all": _any,
    "interval": _interval,
    "halfline": _halfline,
}
