"""Bounds on the slack of a release that unknown records hide, and the theorems as printed, by epsilon."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.noiseless.anonymity_inputs import Level
from pdp_widgets.leakage.noiseless.count_slack import count_bound, count_printed
from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_distance, dependent_printed
from pdp_widgets.leakage.noiseless.hidden_release import HiddenRelease, unknown_others
from pdp_widgets.leakage.noiseless.slack import Events
from pdp_widgets.leakage.noiseless.sum_bounds import BERRY_ESSEEN, normal_bound, sum_printed

Floats = NDArray[np.float64]

#: Points of the axis of epsilon.
_POINTS = 101
#: The end of the axis of epsilon, where that is enough.
_END = 2.5


@lru_cache(maxsize=32)
def axis_of(epsilon: float) -> Floats:
    """Return the axis of epsilon, 101 points: up to 2.5, or to the next of 5, 10, 25, 50, ... nats."""
    end = _END
    if math.isfinite(epsilon):
        steps = (2.5, 5.0, 10.0)
        power = 1.0
        while end < epsilon:
            end = next((step * power for step in steps if step * power >= epsilon), end)
            power *= 10
            if power > 1e300:
                end = float(np.finfo(np.float64).max)
    # The product of a large one would be infinite.
    parts = range(_POINTS)
    found = np.array([end * k / (_POINTS - 1) if end < 1e300 else end * (k / (_POINTS - 1)) for k in parts])
    found.setflags(write=False)
    return found


@dataclass(frozen=True)
class NormalLaw:
    """How close the sum of the unknown records is to a normal law."""

    spread: float  # standard deviation of the sum, in units of the values
    ratio: float | None  # Lyapunov's; None for a sum that is certain
    distance: float  # bound on the difference of the distribution functions; NaN for a certain sum


def normal_law(one: HiddenRelease, level: Level) -> NormalLaw:
    """Return the distance to a normal law by Berry and Esseen, or by Stein's method where records depend."""
    law, m = one.law, one.others
    others = unknown_others(law, m, one.block)
    spread = math.sqrt(others.variance)
    if not spread > 0:
        return NormalLaw(0.0, None, math.nan)
    third, fourth = m * law.absolute_third, m * law.central(4)
    ratio = third / spread**3
    if level in ("I", "III"):
        return NormalLaw(spread, ratio, BERRY_ESSEEN * ratio)
    distance = dependent_distance(one.block, third, fourth, spread)
    return NormalLaw(spread, ratio, math.nan if distance is None else distance)


def why_no_bound(one: HiddenRelease, events: Events) -> str | None:
    """Return why a distance to the normal law bounds nothing here; None where it does."""
    if one.kind == "records":
        return "it bounds sums and counts, not published records"
    if events != "all":
        return None
    # The ratio of the probabilities must rise with the count, as it does where whole blocks shift it.
    blocks = one.moved / one.block
    monotone = one.kind != "sum" and abs(blocks - round(blocks)) <= 1e-9 * max(1.0, blocks)
    return None if monotone else "it holds for thresholds and intervals only"


def normal_slack(one: HiddenRelease, level: Level, epsilons: Floats, events: Events) -> Floats:
    """Return the corrected bound of Theorem 4, 5, 6 or 7 at every epsilon."""
    law = normal_law(one, level)
    return normal_bound(
        epsilons, law.distance, one.moved, law.spread, "halfline" if events == "all" else events
    )


def least_normal_slack(one: HiddenRelease, level: Level, epsilons: Floats, events: Events) -> Floats:
    """Return the least corrected bound at every epsilon: what holds at a smaller one holds too."""
    finite = epsilons[np.isfinite(epsilons)]
    tried = np.union1d(axis_of(float(finite.max(initial=0.0))), epsilons)
    least = np.minimum.accumulate(normal_slack(one, level, tried, events))
    found: Floats = least[np.searchsorted(tried, epsilons)]
    return found


def all_events_bound(one: HiddenRelease, level: Level, epsilons: Floats) -> Floats | None:
    """Return the corrected bound of Theorem 1, which is about counts of independent records; else None."""
    share = one.law.raw(1) if one.kind in ("count", "suppressed") else 0.0
    fits = level in ("I", "III") and one.neighbour == "value" and one.others > 0 and one.moved == 1
    return count_bound(one.others, share, epsilons).delta if fits and 0 < share < 1 else None


def printed_slack(
    reading: str, one: HiddenRelease, epsilons: Floats, group_change: float, known: float
) -> Floats:
    """Return a theorem as printed at every epsilon, by its key of `readings_of`; NaN where silent."""
    theorem, _, form = reading.partition(":")
    law, nothing = one.law, np.full(len(epsilons), math.nan)
    if theorem == "t1":
        share = law.raw(1)
        if not (one.others >= 1 and one.k <= one.others and 0 < share < 1):
            return nothing
        return count_printed(one.others, one.k, share, epsilons, form).delta
    # With everybody known no record is unknown, not even the target's.
    unknown = one.unknown
    if unknown < 1:
        return nothing
    if theorem == "t4":
        # The paper takes the syntactic sensitivity for the change of the sum.
        found = sum_printed(unknown_others(law, unknown, 1), group_change, one.k, None, form)
        return np.where(epsilons >= found.epsilon, found.delta, math.nan)
    spread = math.sqrt(unknown_others(law, unknown, one.block).variance)
    third, root = unknown * law.raw(3), math.sqrt(unknown * law.raw(4))
    name = f"{theorem.upper()}-{form}"
    curve = dependent_printed(one.block, third, root, spread, unknown, epsilons, name, known)
    return np.asarray(curve.delta)
