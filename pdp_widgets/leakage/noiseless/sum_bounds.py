"""Bounds on the slack of a sum by its distance from a normal law, corrected and as printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import FINITE, INNER, NOT_NEGATIVE, POSITIVE
from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.noiseless.events import as_events
from pdp_widgets.leakage.noiseless.gaussian_step import gaussian_delta, multiplier_of, step_epsilon
from pdp_widgets.leakage.noiseless.record_sum import as_record_sum, shifted_words
from pdp_widgets.leakage.noiseless.slack import PAPER, Events, Slack, SlackCurve, epsilons_of, told
from pdp_widgets.models.labels import as_choice

#: Constant of the theorem of Berry and Esseen for summands that need not be alike.
BERRY_ESSEEN = 0.5591


@dataclass(frozen=True)
class NormalDistance:
    """Distances of distribution functions: of a centred, standardised sum and of the normal law.

    Parameters
    ----------
    exact
        The largest difference, a probability; None for a sum that is certain.
    bound
        The bound of Berry and Esseen; None likewise.
    printed
        The right side of Lemma 3 as printed, which depends on units; None likewise.
    source
        Paper and lemma.

    Examples
    --------
    >>> found = normal_distance([({-1: 0.5, 1: 0.5}, 100)], 0.1)
    >>> round(found.exact, 6), round(found.bound, 6), found.printed_holds
    (0.039795, 0.05591, False)
    """

    exact: float | None
    bound: float | None
    printed: float | None
    source: str = f"{PAPER}, Lemma 3"

    @property
    def printed_holds(self) -> bool | None:
        """Whether the printed number is not below the exact one; None where there is none."""
        return None if self.exact is None or self.printed is None else self.printed >= self.exact


def normal_distance(records: Any, scale: float = 1.0) -> NormalDistance:
    """Return how far the sum of records is from the normal law.

    Parameters
    ----------
    records
        A RecordSum, or pairs of a law and a number of records.
    scale
        A unit by which all values are multiplied; it should not matter.

    Raises
    ------
    DomainError, LimitError
        The law of the sum cannot be computed.

    Notes
    -----
    The bound is 0.5591 times the sum of absolute third central moments over the cubed standard deviation.
    Printed is the sum of their squares over the variance.

    Examples
    --------
    >>> normal_distance([({3: 1.0}, 10)]).bound is None
    True
    """
    from scipy.special import ndtr

    found, unit = as_record_sum(records), abs(FINITE.take(scale, "scale"))
    ratio, spread = found.ratio, found.variance**0.5
    if ratio is None or unit == 0:
        return NormalDistance(None, None, None)
    law = found.law
    below = np.cumsum(law.probabilities)
    normal = ndtr((law.values - found.mean) / spread)
    ends = np.abs(below - normal).max(), np.abs(below - law.probabilities - normal).max()
    squares = sum(count * law.absolute_third**2 for law, count in found.records)
    printed = BERRY_ESSEEN * squares * (unit * unit) * (unit * unit) / spread**2
    return NormalDistance(float(max(ends)), BERRY_ESSEEN * ratio, printed)


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
    moved, levels = abs(FINITE.take(shift, "shift")), epsilons_of(epsilon)
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
    moved = abs(FINITE.take(shift, "shift"))
    if delta1 is not None:
        step: float | None = INNER.take(delta1, "delta1")
    else:
        step = others.size**-0.5 if others.size else None
    about, source, ratio = shifted_words(others, moved), _SOURCE, others.ratio
    distance = math.nan if ratio is None else BERRY_ESSEEN * ratio
    epsilon, delta = normal_recipe(step, distance, moved, others.variance**0.5, chosen)
    return SlackRecipe(Slack(delta, "bound", chosen, epsilon, about, source), ratio, step)


def bounded_events(events: Any) -> Events:
    """Return a class of events that a distance of distribution functions bounds, or raise BudgetError."""
    chosen = as_events(events)
    if chosen == "all":
        raise BudgetError(
            "The events are 'all'; a distance of distribution functions bounds 'halfline' and 'interval' "
            "only.",
            Where("parameter", name="events"),
        )
    return chosen


def kappa(events: Events) -> int:
    """Return how many distribution functions an event is made of."""
    return 1 if events == "halfline" else 2


def normal_recipe(
    step: float | None, distance: float, moved: float, spread: float, events: Events
) -> tuple[float, float]:
    """Return the epsilon and the slack that follow from a chosen slack of the normal step."""
    if moved == 0:
        return 0.0, 0.0
    if step is None or spread == 0:
        return math.inf, 1.0
    epsilon = step_epsilon(step, moved, moved / spread)
    with np.errstate(over="ignore"):
        factor = 1 + float(np.exp(epsilon))
    return epsilon, kappa(events) * factor * distance + step


def normal_bound(levels: Floats, distance: float, moved: float, spread: float, events: Events) -> Floats:
    """Return the bound that follows from a distance to the normal law, at every epsilon of ``levels``."""
    if moved == 0:
        return np.zeros(len(levels))
    if spread == 0:
        return np.ones(len(levels))
    with np.errstate(over="ignore"):
        apart = kappa(events) * (1 + np.exp(levels)) * distance
    found: Floats = apart + gaussian_delta(levels, moved, spread)
    return found


#: The sum of powers of variances, as typeset, or the power of their sum.
DENOMINATORS = ("sum_of_powers", "power_of_sum")

_PRINTED_SOURCE = f"{PAPER}, Theorems 4 and 6"


@dataclass(frozen=True)
class PrintedSlack(Slack):
    """An epsilon and a slack as a theorem prints them, with the multiplier they are made of.

    Parameters
    ----------
    delta, status, events, epsilon, about, source
        As for `Slack`; epsilon is that of the theorem, NaN where it has no value.
    multiplier
        The multiplier c', NaN where it has no value.
    most_multiplier
        The root of the logarithm of the number of records, NaN below one record.

    Examples
    --------
    >>> found = sum_printed([({0: 0.1, 1: 0.9}, 101)], 1)
    >>> round(found.delta, 2), found.state
    (-8.96, 'negative')
    """

    multiplier: float = math.nan
    most_multiplier: float = math.nan

    @property
    def covers(self) -> bool:
        """Whether the theorem's factor for exp(epsilon) is at least that, which it assumes without saying."""
        return bool(self.multiplier <= self.most_multiplier)


def sum_printed(
    records: Any,
    s: float,
    k: int | None = None,
    eps1: float | None = None,
    denominator: str = "sum_of_powers",
) -> PrintedSlack:
    """Return the epsilon and the slack of Theorem 4, or of Theorem 6 without the known records, as printed.

    Parameters
    ----------
    records
        All unknown records, the target's too: a RecordSum, or pairs of a law and a number of records.
    s
        The syntactic sensitivity, which the theorem takes for the change in the sum.
    k
        The group size of the second condition on the multiplier, or None to skip that.
    eps1
        The epsilon in the second condition; None for the one the theorem gives.
    denominator
        ``"sum_of_powers"``, as typeset, or ``"power_of_sum"``.

    Raises
    ------
    BudgetError
        A number is outside its range, or the denominator is unknown.

    Examples
    --------
    >>> found = sum_printed([({-1: 0.5, 1: 0.5}, 401)], 1)
    >>> round(found.epsilon, 6), round(found.delta, 6)
    (0.09963, 0.049938)
    """
    unknown, change = as_record_sum(records), FINITE.take(s, "s")
    chosen = as_choice(denominator, "denominator", DENOMINATORS, BudgetError)
    given = None if eps1 is None else POSITIVE.take(eps1, "eps1")
    if k is not None:
        POSITIVE.take(s, "s")
    about = f"sum of {unknown.size:,} unknown records, s = {change:.6g}"
    if not unknown.size:
        return PrintedSlack(math.nan, "as printed", "all", math.nan, about, _PRINTED_SOURCE)
    third = sum(count * law.central(3) for law, count in unknown.records)
    variance = unknown.variance
    powers = (
        sum(count * law.variance**1.5 for law, count in unknown.records)
        if chosen == "sum_of_powers"
        else variance**1.5
    )
    return _printed(third, powers, variance, change, k, given, float(unknown.size), about)


def sum_printed_aggregate(
    T: float, V: float, B2: float, s: float, k: int | None, eps1: float | None, n_eff: float
) -> PrintedSlack:
    """Return the epsilon and the slack of Theorem 4 or 6 as printed, from sums over the records.

    Parameters
    ----------
    T, V, B2
        Sums of the third central moments, of the powers 3/2 of the variances, and of the variances.
    s, k, eps1
        As for `sum_printed`.
    n_eff
        Number of unknown records, positive; with a share known it need not be whole.

    Examples
    --------
    >>> found = sum_printed_aggregate(1, 100, 2500, 4, 10, 0.1, 10_000)
    >>> round(found.epsilon, 6), round(found.delta, 6)
    (0.205591, 0.035437)
    """
    size, variance = POSITIVE.take(n_eff, "n_eff"), POSITIVE.take(B2, "B2")
    third, powers = FINITE.take(T, "T"), NOT_NEGATIVE.take(V, "V")
    change = FINITE.take(s, "s")
    given = None if eps1 is None else POSITIVE.take(eps1, "eps1")
    about = f"sum of {size:.6g} unknown records, s = {change:.6g}"
    return _printed(third, powers, variance, change, k, given, size, about)


def _printed(
    third: float,
    powers: float,
    variance: float,
    s: float,
    k: Any,
    eps1: float | None,
    n_eff: float,
    about: str,
) -> PrintedSlack:
    spread = math.sqrt(variance)
    c = multiplier_of(n_eff, s, k, eps1, spread).value
    epsilon = c * s / spread if spread > 0 else math.inf
    logs = math.log(n_eff)
    most = math.sqrt(logs) if logs >= 0 else math.nan
    if powers == 0 or spread == 0 or math.isnan(most):
        delta = math.nan
    else:
        with np.errstate(over="ignore"):
            factor = 1 + float(np.exp(s * most / spread))
        delta = 1.1182 * (third / powers) * factor if third else 0.0
        delta += n_eff**-0.5
    return PrintedSlack(delta, "as printed", "all", epsilon, about, _PRINTED_SOURCE, c, most)
