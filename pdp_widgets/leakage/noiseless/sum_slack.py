"""The exact slack of a published sum: the target's value changes, or its record is there or not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import FINITE, INNER
from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.noiseless.events import as_events, event_slack, least_epsilon
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.record_sum import (
    LARGEST_LATTICE,
    LatticeLaw,
    RecordSum,
    as_record_sum,
    decimal_numbers,
    shifted_words,
)
from pdp_widgets.leakage.noiseless.slack import (
    PAPER,
    Events,
    LeastEpsilon,
    Slack,
    SlackCurve,
    epsilons_of,
    told,
)

Floats = NDArray[np.float64]
Epsilons = Sequence[float] | NDArray[Any]

_SOURCE = f"{PAPER}, Def. 2 for a sum of independent records"
#: Slacks below it are not told from 0: laws end at 1e-280, and have at most 200,000 points.
_LEAST = 1e-270


@overload
def sum_slack(records: Any, shift: float, epsilon: float, events: str = ...) -> Slack: ...


@overload
def sum_slack(records: Any, shift: float, epsilon: Epsilons, events: str = ...) -> SlackCurve: ...


def sum_slack(records: Any, shift: float, epsilon: Any, events: str = "all") -> Any:
    """Return the exact slack of a sum when the target's contribution changes.

    Parameters
    ----------
    records
        The unknown records other than the target's: a RecordSum, or pairs of a law and a number of records.
    shift
        By how much the contribution changes, in units of the values; the sign does not matter.
    epsilon
        Nats, 0 to infinity; a number, or several.
    events
        ``"all"``, ``"interval"`` or ``"halfline"``.

    Returns
    -------
    Slack or SlackCurve
        One slack for a number, a curve for several.

    Raises
    ------
    DomainError
        The values have no common step.
    LimitError
        The sum has more than 200,000 points.
    BudgetError, TableError
        A parameter is outside its range.

    Notes
    -----
    Records whose values the adversary knows add a constant and drop out. A shift that is no multiple of the
    step of the values is told from every sum: at any epsilon the slack for all events is 1.

    Examples
    --------
    >>> fair = RecordSum.equal({0: 0.5, 1: 0.5}, 100)
    >>> float(f"{sum_slack(fair, 1, 0.5).delta:.6g}")
    0.000569856
    >>> sum_slack(RecordSum.equal({0: 0.5, 2: 0.5}, 400), 1, 0.1).delta
    1.0
    """
    others, chosen = as_record_sum(records), as_events(events)
    moved = abs(FINITE.take(shift, "shift"))
    found = slack_of_sums(*shifted_laws(others.law, moved), epsilons_of(epsilon), chosen)
    return told(epsilon, found, "exact", chosen, shifted_words(others, moved), _SOURCE)


def sum_epsilon(records: Any, shift: float, delta: float, events: str = "all") -> LeastEpsilon:
    """Return the smallest epsilon at which a sum keeps a slack when the target's contribution changes.

    Parameters
    ----------
    records, shift, events
        As for `sum_slack`.
    delta
        The slack, strictly between 0 and 1.

    Examples
    --------
    >>> round(sum_epsilon(RecordSum.equal({0: 0.5, 1: 0.5}, 99), 1, 0.01).epsilon, 6)
    0.266397
    """
    others, chosen, slack = as_record_sum(records), as_events(events), INNER.take(delta, "delta")
    moved = abs(FINITE.take(shift, "shift"))
    found = least_epsilon(*shifted_laws(others.law, moved), slack, chosen)
    return LeastEpsilon(found, "exact", chosen, slack, shifted_words(others, moved), _SOURCE)


@overload
def presence_slack(
    records: Any, target: RecordLaw | Mapping[Any, float], epsilon: float, events: str = ...
) -> Slack: ...


@overload
def presence_slack(
    records: Any, target: RecordLaw | Mapping[Any, float], epsilon: Epsilons, events: str = ...
) -> SlackCurve: ...


def presence_slack(records: Any, target: Any, epsilon: Any, events: str = "all") -> Any:
    """Return the exact slack of a sum with the target's record against the sum without it.

    Parameters
    ----------
    records, epsilon, events
        As for `sum_slack`.
    target
        The law of the target's value: a RecordLaw, or probabilities by value.

    Notes
    -----
    Never more than the largest slack of a shift by one of the target's values.

    Examples
    --------
    >>> rare = RecordLaw.bernoulli(0.3)
    >>> round(presence_slack(RecordSum.equal(rare, 25), rare, 0.1).delta, 9)
    0.020167595
    """
    others, chosen, law = as_record_sum(records), as_events(events), RecordLaw.of(target)
    found = slack_of_sums(*presence_laws(others, law), epsilons_of(epsilon), chosen)
    return told(epsilon, found, "exact", chosen, _present(others), _SOURCE)


def presence_epsilon(
    records: Any, target: RecordLaw | Mapping[Any, float], delta: float, events: str = "all"
) -> LeastEpsilon:
    """Return the smallest epsilon at which a sum with the target's record keeps a slack against that without.

    Parameters
    ----------
    records, target, events
        As for `presence_slack`.
    delta
        The slack, strictly between 0 and 1.

    Examples
    --------
    >>> rare = RecordLaw.bernoulli(0.3)
    >>> presence_epsilon(RecordSum.equal(rare, 25), rare, 0.9).epsilon
    0.0
    """
    others, chosen, slack = as_record_sum(records), as_events(events), INNER.take(delta, "delta")
    found = least_epsilon(*presence_laws(others, RecordLaw.of(target)), slack, chosen)
    return LeastEpsilon(found, "exact", chosen, slack, _present(others), _SOURCE)


def slack_of_sums(with_target: Floats, without: Floats, epsilons: Floats, events: Events = "all") -> Floats:
    """Return the slack of two laws of sums at every epsilon, shape (m,)."""
    found = event_slack(with_target, without, epsilons, events)
    # Laws end where probabilities are below 1e-280: a slack that small is one of the ends, not of the sums.
    return np.where(found < _LEAST, 0.0, found)


def shifted_laws(law: LatticeLaw, shift: float) -> tuple[Floats, Floats]:
    """Return the laws of a sum and of the sum moved by a shift, on the ascending points of both."""
    given = law.probabilities
    ratio = shift / law.step
    # Beyond the end of the law nothing changes any more.
    ratio = math.copysign(min(abs(ratio), float(len(given))), ratio)
    steps, between = math.floor(ratio), 1
    # A difference of large values has their rounding.
    rounding = min(4e-16 * abs(law.origin) / law.step, 1e-3)
    if abs(ratio - round(ratio)) <= 1e-9 * max(1.0, abs(ratio)) + rounding:
        steps, between = round(ratio), 0
    lattice = 1 + between
    # Position of the first point of the sum and of the moved sum; where the two do not meet they alternate.
    low, other = 0, lattice * steps + between
    first = min(low, other)
    size = max(low, other) - first + lattice * (len(given) - 1) + 1
    found = np.zeros(size), np.zeros(size)
    for part, start in zip(found, (low - first, other - first), strict=True):
        part[start : start + lattice * (len(given) - 1) + 1 : lattice] = given
    return found


def presence_laws(others: RecordSum, target: RecordLaw) -> tuple[Floats, Floats]:
    """Return the laws of a sum with a target's record and without it, on the ascending points of both."""
    law = others.law
    (step, *values), scale = decimal_numbers([law.step, *target.values.tolist()])
    many = len(law.probabilities)
    # A sum that is certain has no step.
    unit = int(np.gcd.reduce([step, *values] if many > 1 else values)) or 1
    every = max(1, step // unit)
    wide = (many - 1) * every
    moves = _closer([value // unit for value in values], wide)
    low, high = min(0, *moves), max(0, *moves)
    size = wide + high - low + 1
    points = wide + max(moves) - min(moves) + 1
    if points > LARGEST_LATTICE:
        raise LimitError(
            f"The sum with the target has {points:,} points, {unit / scale:.6g} apart; at most "
            f"{LARGEST_LATTICE:,} are computed. Give coarser values or fewer records.",
            Where("parameter", name="target"),
        )
    lattice = np.zeros(wide + 1)
    lattice[::every] = law.probabilities
    present, absent = np.zeros(size), np.zeros(size)
    absent[-low : wide + 1 - low] = lattice
    for move, probability in zip(moves, target.probabilities, strict=True):
        present[move - low : move - low + wide + 1] += probability * lattice
    return present, absent


def _closer(moves: list[int], wide: int) -> list[int]:
    """Return moves without what lies between two laws that do not meet: it holds no outcome."""
    least, most = min(moves), max(moves)
    if least > wide + 1:
        return [move - least + wide + 1 for move in moves]
    if most < -wide - 1:
        return [move - most - wide - 1 for move in moves]
    return moves


def _present(others: RecordSum) -> str:
    return f"sum of {others.size:,} unknown records with the target's record, against that without it"
