"""How well unknown records hide one: exact slacks of a release, bounds, and the theorems as printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import INNER, SHARE
from pdp_widgets.core.converters import check_many, refuse_masked
from pdp_widgets.errors import BudgetError, DomainError, Where
from pdp_widgets.leakage.noiseless.anonymity_inputs import Level, theorem_at, theorem_of
from pdp_widgets.leakage.noiseless.anonymity_setting import AnonymitySetting, axis_of
from pdp_widgets.leakage.noiseless.count_slack import count_bound, count_printed
from pdp_widgets.leakage.noiseless.dependent_bounds import dependent_distance, dependent_printed
from pdp_widgets.leakage.noiseless.events import as_events
from pdp_widgets.leakage.noiseless.hidden_release import HiddenRelease, find_laws, unknown_others
from pdp_widgets.leakage.noiseless.known_curve import KnownCurve
from pdp_widgets.leakage.noiseless.slack import (
    PAPER,
    Events,
    LeastEpsilon,
    Slack,
    SlackCurve,
    epsilons_of,
    told,
)
from pdp_widgets.leakage.noiseless.sum_bounds import (
    BERRY_ESSEEN,
    SlackRecipe,
    normal_bound,
    normal_recipe,
    sum_printed,
)
from pdp_widgets.models.labels import as_choice, shown

Floats = NDArray[np.float64]


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


Epsilons = Sequence[float] | NDArray[Any]

#: Points of a curve by the share of records that are known: each is a law of its own.
_MOST_SHARES = 2_000


class AnonymitySlacks(AnonymitySetting):
    """What follows from the setting of an `AnonymityAnalysis` for the release beside the table."""

    __slots__ = ()

    @overload
    def slack(self, epsilon: float) -> Slack: ...

    @overload
    def slack(self, epsilon: Epsilons) -> SlackCurve: ...

    def slack(self, epsilon: Any) -> Any:
        """Return the exact slack for any event.

        Parameters
        ----------
        epsilon
            Nats, 0 to infinity; a number, or several.

        Returns
        -------
        Slack or SlackCurve
            One slack for a number, a curve for several.

        Raises
        ------
        DomainError
            The values have no common step, the change is no multiple of it, or published records depend.
        LimitError
            The sum has more than 200,000 values.

        Examples
        --------
        >>> from pdp_widgets import AnonymityAnalysis, clinic
        >>> found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", level="III", known=0.3)
        >>> found.slack([0.0, 2.5]).delta.round(6).tolist()
        [0.157042, 0.000696]
        """
        found = self.hidden.slack(epsilons_of(epsilon))
        return told(epsilon, found, "exact", "all", self.about, f"{PAPER}, Def. 2")

    def epsilon(self, delta: float) -> LeastEpsilon:
        """Return the least epsilon at which the exact slack is at most delta.

        Parameters
        ----------
        delta
            The slack, strictly between 0 and 1.

        Examples
        --------
        >>> from pdp_widgets import AnonymityAnalysis, clinic
        >>> found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", level="III", known=0.3)
        >>> round(found.epsilon(0.01).epsilon, 6)
        0.987505
        """
        slack = INNER.take(delta, "delta")
        found = self.hidden.least_epsilon(slack)
        return LeastEpsilon(found, "exact", "all", slack, self.about, f"{PAPER}, Def. 2")

    @overload
    def bound(self, epsilon: float, events: str = ...) -> Slack: ...

    @overload
    def bound(self, epsilon: Epsilons, events: str = ...) -> SlackCurve: ...

    def bound(self, epsilon: Any, events: str = "halfline") -> Any:
        """Return a proved bound on the slack.

        For any event of counts of independent records that is Theorem 1 corrected. For thresholds and
        intervals, and for any event of other counts, it is Theorem 4, 5, 6 or 7 corrected, by level: the
        least that follows, as what holds at an epsilon holds at larger ones too.

        Parameters
        ----------
        epsilon
            Nats, 0 to infinity; a number, or several.
        events
            ``"all"``, ``"interval"`` or ``"halfline"`` (threshold tests).

        Raises
        ------
        DomainError
            No bound holds for these events, or for published records.
        """
        levels, chosen = epsilons_of(epsilon), as_events(events)
        best = all_events_bound(self.hidden, self._level, levels) if chosen == "all" else None
        if best is not None:
            return told(epsilon, best, "bound", "all", self.about, f"{PAPER}, Theorem 1, corrected")
        self._refuse_bound(chosen)
        found = least_normal_slack(self.hidden, self._level, levels, chosen)
        source = f"{PAPER}, {theorem_at(self._level)}, corrected"
        return told(epsilon, found, "bound", chosen, self.about, source)

    def recipe(self, delta1: float | None = None, events: str = "halfline") -> SlackRecipe:
        """Return an epsilon and a slack that hold together, as the paper finds them: delta1 is chosen first.

        The paper takes one over the root of the number of unknown records for delta1, the slack of the normal
        step, which is far too large for privacy: the slack is never below it. Corrected, any delta1 is sound.

        Parameters
        ----------
        delta1
            A probability strictly between 0 and 1; without it the paper's.
        events
            As for `bound`.

        Raises
        ------
        BudgetError
            delta1 is no probability.
        DomainError
            No bound holds for these events, or for published records.

        Examples
        --------
        >>> from pdp_widgets import AnonymityAnalysis, clinic
        >>> found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", level="III", known=0.3)
        >>> print(found.recipe().slack)
        delta = 0.646256 at epsilon = 0.619709 nats (bound, threshold tests): count of diabetes = yes, 69 \
unknown others
        >>> round(found.recipe(0.01).slack.epsilon, 3)
        1.034
        """
        chosen = as_events(events)
        step = None if delta1 is None else INNER.take(delta1, "delta1")
        self._refuse_bound(chosen)
        one, law = self.hidden, normal_law(self.hidden, self._level)
        if step is None and one.others:
            step = one.others**-0.5
        # Where the ratio of the probabilities rises, no event is worse than a threshold.
        worst: Events = "halfline" if chosen == "all" else chosen
        epsilon, delta = normal_recipe(step, law.distance, one.moved, law.spread, worst)
        source = f"{PAPER}, {theorem_at(self._level)}, corrected"
        return SlackRecipe(Slack(delta, "bound", chosen, epsilon, self.about, source), law.ratio, step)

    def _refuse_bound(self, events: Events) -> None:
        why = why_no_bound(self.hidden, events)
        if why is not None:
            raise DomainError(
                f"There is no bound for {shown(self.release)} and events {shown(events)}: {why}.",
                Where("parameter", name="events"),
            )

    @overload
    def printed(self, epsilon: float, reading: str | None = ...) -> Slack: ...

    @overload
    def printed(self, epsilon: Epsilons, reading: str | None = ...) -> SlackCurve: ...

    def printed(self, epsilon: Any, reading: str | None = None) -> Any:
        """Return a theorem as printed, right or wrong; NaN where it says nothing.

        Parameters
        ----------
        epsilon
            Nats, 0 to infinity; a number, or several.
        reading
            One of `readings`; without it the first.

        Raises
        ------
        BudgetError
            There is no such reading for this release and level.
        """
        if not self.readings:
            raise BudgetError(
                f"No theorem of the paper is about {shown(self.release)}; choose a count or a sum.",
                Where("parameter", name="reading"),
            )
        chosen = (
            self.readings[0] if reading is None else as_choice(reading, "reading", self.readings, BudgetError)
        )
        levels = epsilons_of(epsilon)
        found = printed_slack(chosen, self.hidden, levels, self._group_change, self.known)
        source = f"{PAPER}, {theorem_of(chosen, self._level)}, reading {chosen.partition(':')[2]}"
        return told(epsilon, found, "as printed", "all", self.about, source)

    def curves(self, epsilons: Epsilons | None = None) -> tuple[SlackCurve, ...]:
        """Return the exact slack, the bounds and the first theorem as printed, as far as they exist.

        Parameters
        ----------
        epsilons
            Nats; without them 101 from 0 to 2.5.

        Examples
        --------
        >>> from pdp_widgets import AnonymityAnalysis, clinic
        >>> found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes")
        >>> [(one.status, one.events) for one in found.curves()]
        [('exact', 'all'), ('bound', 'halfline'), ('bound', 'all'), ('as printed', 'all')]
        """
        axis = axis_of(2.5) if epsilons is None else epsilons_of(epsilons, "epsilons")
        found: list[SlackCurve] = []
        if self.hidden.fault is None:
            found.append(self.slack(axis))
        if why_no_bound(self.hidden, "halfline") is None:
            found.append(self.bound(axis))
        if all_events_bound(self.hidden, self._level, axis) is not None:
            found.append(self.bound(axis, "all"))
        if self.readings:
            found.append(self.printed(axis))
        return tuple(found)

    def known_curve(self, epsilon: float, shares: Sequence[float] | None = None) -> KnownCurve:
        """Return the exact slack by the share of the records that are known, whatever the level.

        Parameters
        ----------
        epsilon
            Nats, 0 to infinity.
        shares
            From 0 to 1; without them 0, 0.025, ..., 1.

        Examples
        --------
        >>> from pdp_widgets import AnonymityAnalysis, clinic
        >>> found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes")
        >>> found.known_curve(1.0, [0, 0.3, 1]).delta.round(4).tolist()
        [0.0027, 0.0098, 1.0]
        """
        level = epsilons_of(epsilon)
        if len(level) != 1:
            raise BudgetError(
                f"epsilon is {shown(epsilon)}; give one number of nats.", Where("parameter", name="epsilon")
            )
        refuse_masked(shares, "shares")
        check_many(0 if shares is None else np.size(shares), _MOST_SHARES, "shares", 1e-3)
        given = np.arange(41) / 40 if shares is None else np.atleast_1d(np.asarray(shares, dtype=object))
        if given.ndim != 1 or not given.size:
            raise BudgetError(
                f"shares are {shown(shares)}; give a list of at least one share, 0 to 1.",
                Where("parameter", name="shares"),
            )
        axis = np.array([SHARE.take(one, "shares") for one in given])
        releases = [self.hidden_at(float(share)) for share in axis]
        find_laws(releases)
        found = [one.slack_once(float(level[0])) for one in releases]
        return KnownCurve(axis, np.array(found), float(level[0]), self._named, f"{PAPER}, Def. 2")

    @property
    def _named(self) -> str:
        return self.about.partition(f", {self.unknown:,} unknown")[0]
