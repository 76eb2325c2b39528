"""Curves by epsilon, printed theorems and shares known, as an explorer of a k-anonymous table shows them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.noiseless.anonymity_bounds import (
    all_events_bound,
    axis_of,
    least_normal_slack,
    normal_slack,
    printed_slack,
    why_no_bound,
)
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs, Level, bound_label, reading_label
from pdp_widgets.leakage.noiseless.events import as_events
from pdp_widgets.leakage.noiseless.hidden_release import HiddenRelease, find_laws, laws_work
from pdp_widgets.leakage.noiseless.slack import Events, SlackState, slack_state
from pdp_widgets.models.immutable import read_only

if TYPE_CHECKING:
    from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis

Floats = NDArray[np.float64]
Kind: TypeAlias = Literal["exact", "bound", "printed"]

#: Relative distance by which the exact slack is above a printed one.
_ABOVE = 1e-9
#: Chances below it at the ends of two laws, no power of a round one, which rounding would put on either side;
#: and how many outcomes are told apart one by one.
_RARE, _OUTCOMES = 3.7e-18, 1024
#: Shares of known records; multiplications that all their laws together may take.
_SHARES, MOST_WORK = 41, 3e8


@dataclass(frozen=True, eq=False)
class ShownCurve:
    """A slack by epsilon.

    Parameters
    ----------
    key, label
        Which it is, and what it is called.
    kind
        ``"exact"``, ``"bound"`` or ``"printed"``.
    events
        The events it holds for.
    delta
        Slacks at the points of the axis, probabilities, NaN where undefined.
    drawn
        The least of these at smaller epsilon.
    at
        The slack at the chosen epsilon, of a bound the least that follows there; None where undefined.
    status
        What becomes of that.
    violated
        Stretches of the axis, from and to, where the exact slack is above a printed one.
    why
        Why there is no curve; None where there is one.
    """

    key: str
    label: str
    kind: Kind
    events: Events
    delta: Floats
    drawn: Floats
    at: float | None
    status: SlackState
    violated: tuple[tuple[float, float], ...] = ()
    why: str | None = None


@dataclass(frozen=True)
class PrintedNumber:
    """A theorem as printed at the chosen epsilon.

    Parameters
    ----------
    key, label
        Which reading it is, and what it is called.
    delta
        The slack; None where it has no value.
    status
        What becomes of it.
    holds
        Whether the exact slack is not above it; None where one of them is missing.
    """

    key: str
    label: str
    delta: float | None
    status: SlackState
    holds: bool | None


@dataclass(frozen=True, eq=False)
class KnownShares:
    """Exact slacks by the share of records known; NaN where they take too long.

    Parameters
    ----------
    share, delta
        Shape (41,).
    """

    share: Floats
    delta: Floats


def nothing_known_slack(analysis: AnonymityAnalysis, epsilon: float) -> float | None:
    """Return the exact slack with nothing known; None where there is none, or its law alone takes long."""
    one = analysis.hidden_at(0.0)
    # A law that takes long is not found only for this.
    if one.fault is not None or not (one == analysis.hidden or one.found or laws_work([one]) <= MOST_WORK):
        return None
    return float(one.slack(np.array([epsilon]))[0])


@lru_cache(maxsize=64)
def _exact_on(one: HiddenRelease, axis: float) -> Floats:
    return _kept(one.slack(axis_of(axis)))


@lru_cache(maxsize=64)
def _normal_on(one: HiddenRelease, level: Level, events: Events, axis: float) -> Floats:
    return _kept(normal_slack(one, level, axis_of(axis), events))


def _kept(values: Floats) -> Floats:
    found: Floats = read_only(np.asarray(values, dtype=np.float64))
    return found


def _curve(key: str, label: str, kind: Kind, events: Events, delta: Floats, at: float) -> ShownCurve:
    drawn = np.fmin.accumulate(delta)
    value = None if math.isnan(at) else at
    return ShownCurve(key, label, kind, events, _kept(delta), _kept(drawn), value, slack_state(at))


def _no_curve(key: str, label: str, kind: Kind, events: Events, why: str) -> ShownCurve:
    none = np.full(len(axis_of(0.0)), math.nan)
    return replace(_curve(key, label, kind, events, none, math.nan), why=why)


def shown_curves(
    analysis: AnonymityAnalysis,
    inputs: AnonymityInputs,
    epsilon: float,
    axis: Floats,
    missing: str | None = None,
) -> tuple[ShownCurve, ...]:
    """Return the exact slack, the bounds and the chosen theorem as printed; missing: why nothing is exact."""
    one, level, events = analysis.hidden, analysis.level, as_events(inputs.events)
    end, here = float(axis[-1]), np.array([epsilon])
    label = "exact, any event"
    why = missing if one.fault is None else str(one.fault)
    if why is not None:
        found = [_no_curve("exact", label, "exact", "all", why)]
    else:
        found = [_curve("exact", label, "exact", "all", _exact_on(one, end), float(one.slack(here)[0]))]
    label = bound_label(level, events)
    why = why_no_bound(one, events)
    if why is not None:
        found.append(_no_curve("bound-events", label, "bound", events, why))
    else:
        at = float(least_normal_slack(one, level, here, events)[0])
        found.append(_curve("bound-events", label, "bound", events, _normal_on(one, level, events, end), at))
    any_event = all_events_bound(one, level, np.append(axis, epsilon))
    if any_event is not None:
        label = "Theorem 1 corrected, all events"
        found.append(_curve("bound-all", label, "bound", "all", any_event[:-1], float(any_event[-1])))
    if inputs.printed and inputs.reading in analysis.readings:
        found.append(_printed_curve(analysis, inputs.reading, epsilon, axis, found[0]))
    return tuple(found)


def outcomes_apart(one: HiddenRelease) -> tuple[Floats, Floats] | None:
    """Return the laws of what is published in the two states of a record; None with too many outcomes.

    What only one state can cause is one outcome, and at both ends what hardly ever happens is.
    """
    if one.kind == "records" or one.fault is not None:
        return None
    first, second = one.laws
    both = (first > 0) & (second > 0)
    alone = [(first[~both].sum(), 0.0), (0.0, second[~both].sum())]
    pairs = np.column_stack([first[both], second[both]])
    often = np.flatnonzero((pairs >= _RARE).any(axis=1))
    low, high = (int(often[0]), int(often[-1]) + 1) if len(often) else (0, 0)
    if high - low > _OUTCOMES:
        return None
    ends = [part.sum(axis=0) for part in (pairs[:low], pairs[high:])]
    columns = np.vstack([*alone, ends[0], pairs[low:high], ends[1]])
    found = columns[columns.any(axis=1)].T
    return _kept(found[0]), _kept(found[1])


def _printed_curve(
    analysis: AnonymityAnalysis, reading: str, epsilon: float, axis: Floats, exact: ShownCurve
) -> ShownCurve:
    values = printed_slack(
        reading, analysis.hidden, np.append(axis, epsilon), analysis.group_change, analysis.known
    )
    made = _curve(
        reading, reading_label(reading, analysis.level), "printed", "all", values[:-1], float(values[-1])
    )
    above = exact.delta > made.delta + _ABOVE * np.abs(made.delta)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], above, [False]]).astype(np.int8)))
    stretches = tuple(
        (float(axis[low]), float(axis[high - 1])) for low, high in zip(edges[::2], edges[1::2], strict=True)
    )
    return replace(made, violated=stretches)


def printed_numbers(
    analysis: AnonymityAnalysis, inputs: AnonymityInputs, epsilon: float, exact: float | None
) -> tuple[PrintedNumber, ...]:
    """Return one reading of every theorem that fits: the chosen one, or the first."""
    fitting: dict[str, str] = {}
    for key in analysis.readings:
        theorem = key[:2]
        if theorem not in fitting or key == inputs.reading:
            fitting[theorem] = key
    found = []
    for key in fitting.values():
        values = printed_slack(
            key, analysis.hidden, np.array([epsilon]), analysis.group_change, analysis.known
        )
        delta = float(values[0])
        value = None if math.isnan(delta) else delta
        holds = None if value is None or exact is None else not exact > value + _ABOVE * abs(value)
        found.append(PrintedNumber(key, reading_label(key, analysis.level), value, slack_state(delta), holds))
    return tuple(found)


def releases_by_share(analysis: AnonymityAnalysis) -> list[HiddenRelease]:
    """Return what hides one record for every share known of the curve, 0 to 1."""
    return [analysis.hidden_at(share / (_SHARES - 1)) for share in range(_SHARES)]


def known_shares(analysis: AnonymityAnalysis, epsilon: float | None) -> KnownShares:
    """Return the exact slack by the share known, where the laws are there or found quickly."""
    shares = np.arange(_SHARES) / (_SHARES - 1)
    delta = np.full(_SHARES, math.nan)
    releases = releases_by_share(analysis)
    if epsilon is not None and (
        laws_work(releases) <= MOST_WORK or all(one.found for one in releases if one.fault is None)
    ):
        find_laws(releases)
        for place, one in enumerate(releases):
            if one.fault is None:
                delta[place] = one.slack_once(epsilon)
    return KnownShares(_kept(shares), _kept(delta))
