"""Bounds and printed theorems for what is published beside the classes of a k-anonymous table."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.noiseless.anonymity_inputs import Level
from pdp_widgets.leakage.noiseless.anonymity_parts import axis_of
from pdp_widgets.leakage.noiseless.count_bounds import count_bound
from pdp_widgets.leakage.noiseless.count_printed import count_printed
from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_distance
from pdp_widgets.leakage.noiseless.dependent_printed import dependent_printed
from pdp_widgets.leakage.noiseless.hidden_release import HiddenRelease, unknown_others
from pdp_widgets.leakage.noiseless.normal_distance import BERRY_ESSEEN
from pdp_widgets.leakage.noiseless.slack import Events
from pdp_widgets.leakage.noiseless.sum_bounds import normal_bound
from pdp_widgets.leakage.noiseless.sum_printed import sum_printed

__all__ = [
    "NormalLaw",
    "all_events_bound",
    "least_normal_slack",
    "normal_law",
    "normal_slack",
    "printed_slack",
    "why_no_bound",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NormalLaw:
    """How close the sum of the unknown records is to a normal law.

    Parameters
    ----------
    spread
        Standard deviation of the sum, in units of the values.
    ratio
        Lyapunov's ratio; None for a sum that is certain.
    distance
        Largest difference of the distribution functions, at most; NaN for a sum that is certain.
    """

    spread: float
    ratio: float | None
    distance: float


def normal_law(one: HiddenRelease, level: Level) -> NormalLaw:
    """Return the distance to a normal law by Berry and Esseen, or by Stein's method where records depend.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.record_law import RecordLaw
    >>> one = HiddenRelease("count", RecordLaw.bernoulli(0.5), 1.0, 5, 100)
    >>> normal_law(one, "I").spread, normal_law(one, "I").ratio
    (5.0, 0.1)
    """
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
    """Return why a distance to the normal law bounds nothing here; None where it does.

    For any event it does where the ratio of the probabilities rises with the count: a count that is shifted
    by whole blocks.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.record_law import RecordLaw
    >>> why_no_bound(HiddenRelease("sum", RecordLaw([0, 2], [0.5, 0.5]), 2.0, 5, 100), "all")
    'it holds for thresholds and intervals only'
    """
    if one.kind == "records":
        return "it bounds sums and counts, not published records"
    if events != "all":
        return None
    blocks = one.moved / one.block
    monotone = one.kind != "sum" and abs(blocks - round(blocks)) <= 1e-9 * max(1.0, blocks)
    return None if monotone else "it holds for thresholds and intervals only"


def normal_slack(one: HiddenRelease, level: Level, epsilons: Floats, events: Events) -> Floats:
    """Return the corrected bound of Theorem 4, 5, 6 or 7 at every epsilon.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.record_law import RecordLaw
    >>> one = HiddenRelease("count", RecordLaw.bernoulli(0.5), 1.0, 5, 100)
    >>> normal_slack(one, "I", np.array([0.5]), "halfline").round(6).tolist()
    [0.148603]
    """
    law = normal_law(one, level)
    return normal_bound(
        epsilons, law.distance, one.moved, law.spread, "halfline" if events == "all" else events
    )


def least_normal_slack(one: HiddenRelease, level: Level, epsilons: Floats, events: Events) -> Floats:
    """Return the least corrected bound that follows at every epsilon: what holds at a smaller one holds too.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.record_law import RecordLaw
    >>> one = HiddenRelease("count", RecordLaw.bernoulli(0.1), 1.0, 5, 69)
    >>> normal_slack(one, "III", np.array([1.0]), "halfline").round(3).tolist()
    [0.685]
    >>> least_normal_slack(one, "III", np.array([1.0]), "halfline").round(3).tolist()
    [0.493]
    """
    finite = epsilons[np.isfinite(epsilons)]
    tried = np.union1d(axis_of(float(finite.max(initial=0.0))), epsilons)
    least = np.minimum.accumulate(normal_slack(one, level, tried, events))
    found: Floats = least[np.searchsorted(tried, epsilons)]
    return found


def all_events_bound(one: HiddenRelease, level: Level, epsilons: Floats) -> Floats | None:
    """Return the corrected bound of Theorem 1, which is about counts of independent records; else None.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.record_law import RecordLaw
    >>> one = HiddenRelease("count", RecordLaw.bernoulli(0.1), 1.0, 5, 69)
    >>> all_events_bound(one, "III", np.array([1.0])).round(3).tolist()
    [0.173]
    """
    share = one.law.raw(1) if one.kind in ("count", "suppressed") else 0.0
    fits = level in ("I", "III") and one.neighbour == "value" and one.others > 0 and one.moved == 1
    return count_bound(one.others, share, epsilons).delta if fits and 0 < share < 1 else None


def printed_slack(
    reading: str, one: HiddenRelease, epsilons: Floats, group_change: float, known: float
) -> Floats:
    """Return a theorem as printed at every epsilon; NaN where it says nothing.

    Parameters
    ----------
    reading
        Its key, see `readings_of`.
    one
        What is published.
    epsilons
        Nats, shape (m,).
    group_change
        The syntactic sensitivity s, which the paper takes for the change of the sum.
    known
        The share of records that are known.

    Examples
    --------
    >>> from pdp_widgets.leakage.noiseless.record_law import RecordLaw
    >>> one = HiddenRelease("count", RecordLaw.bernoulli(0.1), 1.0, 5, 69)
    >>> printed_slack("t1:statement", one, np.array([1.0]), 1.0, 0.3).round(3).tolist()
    [0.133]
    >>> printed_slack("t4:sum_of_powers", one, np.array([1.0]), 1.0, 0.3).round(3).tolist()
    [9.88]
    """
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
        found = sum_printed(unknown_others(law, unknown, 1), group_change, one.k, None, form)
        return np.where(epsilons >= found.epsilon, found.delta, math.nan)
    spread = math.sqrt(unknown_others(law, unknown, one.block).variance)
    third, root = unknown * law.raw(3), math.sqrt(unknown * law.raw(4))
    name = f"{theorem.upper()}-{form}"
    curve = dependent_printed(one.block, third, root, spread, unknown, epsilons, name, known)
    return np.asarray(curve.delta)
