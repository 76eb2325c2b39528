"""Charts of what one adversary learns: the best tests, the slack by budget, and beliefs before and after."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Chart, Level, Series, curve, nats
from pdp_widgets.leakage.meaning.information import leakage_bounds, slack_bound

__all__ = ["Beliefs", "budgets", "guesses_chart", "profile_chart", "tests_chart"]

Floats = NDArray[np.float64]

_POINTS = 121
#: The least slack that is drawn, as a power of ten.
_LEAST = -4.0
#: Of a leakage that never ends so many nats are drawn.
_ENDLESS = 4.0
#: How far rows of the two series of `guesses_chart` are moved apart.
_APART = 0.12

#: False alarms at which tests are asked for.
ALARMS: Floats = np.linspace(0.0, 1.0, _POINTS)


@dataclass(frozen=True)
class Beliefs:
    """The chance of something before the release, its mean after it, and between which chances it may end."""

    name: str
    before: float
    after: float
    low: float = math.nan
    high: float = math.nan


def budgets(leakage: float, promise: float | None) -> Floats:
    """Return the budgets at which slacks are asked for, nats: to a little beyond leakage and promise."""
    ends = [one for one in (leakage, promise or 0.0) if math.isfinite(one)]
    most = max([*ends, _ENDLESS if leakage == math.inf else 0.0])
    # Where a slack ends its curve falls straight down: ever closer to that it is asked for more often.
    near = 1 - np.append(np.geomspace(0.1, 1e-6, 16), 0.0)
    return np.unique(
        np.concatenate([np.linspace(0.0, 1.08 * most or 1.0, _POINTS), *(one * near for one in ends)])
    )


def tests_chart(missed: Floats, promise: float | None, note: str) -> Chart:
    """Return what the best tests find at `ALARMS`, beside the most that a promise allows."""
    series = [curve("a blind guess", [0.0, 1.0], [0.0, 1.0], "ink2", "dotted")]
    if promise is not None:
        allowed = leakage_bounds(promise, [0.5, 0.5]).missed(ALARMS)
        series.append(curve("the most that the promise allows", ALARMS, 1 - allowed, "promise", "dashed"))
    series.append(curve("exact", ALARMS, 1 - missed, "ink"))
    return Chart(
        "What the best test finds",
        series,
        Axis("false alarms, share", 0.0, 1.0),
        Axis("found, share", 0.0, 1.0),
        note=note,
    )


def profile_chart(at: Floats, slacks: Floats, leakage: float, promise: float | None, note: str) -> Chart:
    """Return the slack at every budget, on a logarithmic scale, beside the most that a promise allows."""
    series = []
    if promise is not None:
        allowed = _powers(slack_bound(promise, at))
        series.append(curve("the most that the promise allows", at, allowed, "promise", "dashed"))
    series.append(curve("exact", at, _powers(slacks), "ink"))
    ends = [Level(f"leakage {nats(leakage, 4)}", leakage, "x", "ink2")] if math.isfinite(leakage) else []
    return Chart(
        "How much lies beyond a budget",
        series,
        Axis("budget ε, nats", 0.0, float(at[-1])),
        Axis("slack δ", _LEAST, 0.0, powers=True),
        ends,
        note,
    )


def guesses_chart(rows: Sequence[Beliefs], note: str) -> Chart:
    """Return beliefs before and after a release, a row for each."""
    names = [one.name for one in rows]
    places = np.arange(float(len(rows)))
    before, after, low, high = (
        np.array([getattr(one, part) for one in rows]) for part in ("before", "after", "low", "high")
    )
    # An interval needs both ends; rows without one have only their dot.
    ends = np.where(np.isnan(low), after, low), np.where(np.isnan(high), after, high)
    known = Series("before the release", before, places - _APART, "dots", colour="a", shape="ring")
    then = Series(
        "after it, with its range",
        *(after, places + _APART, "dots", *ends),
        colour="ink",
        shape="disc",
    )
    return Chart(
        "Beliefs before and after",
        [known.telling(y=places), then.telling(y=places)],
        Axis("chance", 0.0, 1.0),
        Axis("", -0.5, len(rows) - 0.5, names=names),
        note=note,
    )


def _powers(slacks: Floats) -> Floats:
    """Return slacks as powers of ten; a curve ends where it meets the ground."""
    powers: Floats = np.log10(np.maximum(slacks, 10.0**_LEAST))
    # Slacks never rise.
    powers[int((powers > _LEAST).sum()) + 1 :] = np.nan
    return powers
