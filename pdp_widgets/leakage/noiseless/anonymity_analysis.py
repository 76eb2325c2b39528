"""One k-anonymous table and a release beside it: what the classes show, and how well the others hide one."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from concurrent.futures import Executor
from functools import cached_property
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import COUNT, INNER, NEIGHBOURS, POSITIVE, SHARE, SHIFT, Whole
from pdp_widgets.core.converters import array_of, check_many, refuse_masked
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.core.results import Figures, Reported, Result
from pdp_widgets.errors import BudgetError, DomainError, Where
from pdp_widgets.leakage.meaning.laws import ChannelLaws
from pdp_widgets.leakage.meaning.meaning import Meaning
from pdp_widgets.leakage.noiseless.anonymity_bounds import (
    all_events_bound,
    axis_of,
    least_normal_slack,
    normal_law,
    printed_slack,
    why_no_bound,
)
from pdp_widgets.leakage.noiseless.anonymity_figures import analysis_figures
from pdp_widgets.leakage.noiseless.anonymity_inputs import (
    LEVELS,
    NEIGHBOUR_KINDS,
    Level,
    Neighbour,
    Released,
    classes_for,
    default_release,
    readings_of,
    release_law,
    released,
    theorem_at,
    theorem_of,
)
from pdp_widgets.leakage.noiseless.events import as_events
from pdp_widgets.leakage.noiseless.hidden_release import (
    HiddenRelease,
    find_laws,
    hidden_release,
    unknown_records,
)
from pdp_widgets.leakage.noiseless.known_curve import KnownCurve
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.slack import (
    PAPER,
    Events,
    LeastEpsilon,
    Slack,
    SlackCurve,
    epsilons_of,
    told,
)
from pdp_widgets.leakage.noiseless.sum_bounds import SlackRecipe, normal_recipe
from pdp_widgets.leakage.noiseless.syntactic_measures import (
    DIVERSITY_KINDS,
    DiversityKind,
    LDiversity,
    TCloseness,
    is_known,
    l_diversity,
    t_closeness,
)
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import (
    SyntacticSensitivity,
    Volume,
    left_out,
)
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.leakage.value import AboutAll
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.mechanisms.anonymity.mondrian import Anonymiser, as_anonymiser, mondrian
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import as_choice, how_many, short, shown
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.runs import MOST_RECORDS

__all__ = ["AnonymityAnalysis"]

Epsilons = Sequence[float] | NDArray[Any]

#: Points of a curve by the share of records that are known: each is a law of its own.
_MOST_SHARES = 2_000


class AnonymityAnalysis(Immutable, Result, NumberTable, Reported):
    """A table made k-anonymous, and how well unknown records hide one where a count or a sum is published.

    Parameters
    ----------
    data
        The records, as `Microdata.of` takes them.
    quasi
        Names of the quasi-identifiers.
    secret
        Name of the secret; without it only sums are published, and nothing is said about classes.
    k
        Least size of a class.
    release
        ``"count:LABEL"`` of a value of the secret, ``"suppressed:LABEL"``, the count if it is k or more,
        ``"records:LABEL"``, the records that have it, k or more, or ``"sum:COLUMN"``. Known records count
        towards k: as many of them as can have the value, which is the worst case. Without it the count of
        the rarest value; without a secret the sum of the first quasi-identifier of numbers.
    n
        How many records the release is of, k or more: to ask about a larger or smaller release of the same
        law. Without it those of the table that are published; of a sum those that have a value.
    neighbour
        What is compared: ``"value"``, the target's value from one extreme to the other; ``"presence"``, the
        target's record is there or not.
    level
        What the adversary knows: ``"I"`` the size of classes, ``"II"`` that records depend, ``"III"`` values
        of records, ``"IV"`` both. Without it what `known` and `neighbours` say.
    known
        Share of the records whose values are known, 0 to 1, at levels III and IV; at others nothing is known.
    neighbours
        Records that are equal, the target counted, at levels II and IV; at others records are independent.
    shift
        By how much the target's value changes what is published, in its units; without it by the range of the
        values of all records that move together. Of no meaning for ``"presence"``.
    group_change
        The syntactic sensitivity s in theorems as printed, in records.
    anonymiser
        Any function (rows, k) -> groups of rows.

    Raises
    ------
    DomainError
        A column or a release does not exist, or the secret is a quasi-identifier too.
    TableError
        There are fewer than k complete records, or the anonymiser makes no classes of at least k.
    BudgetError
        A number is outside its range, or a word is none.

    Notes
    -----
    Zhao, Jiang, Wang and Huang, "Non-asymptotic bound on the performance of k-anonymity against inference
    attacks". The records are random to the adversary: each has the law of all records of the table, its value
    drawn from them. The exact slack, proved bounds and the theorems as printed are told apart.

    Figures: ``"curves"``, the slack by epsilon; ``"map"``, all classes; ``"table"``, two classes with their
    records; ``"known"``, the slack at epsilon = 1 nat by what is known.

    Examples
    --------
    >>> from pdp_widgets.models.surveys import clinic
    >>> found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", level="III", known=0.3)
    >>> found.achieved, len(found.classes), found.diversity.single, found.unknown
    (5, 14, 8, 69)
    >>> print(found.slack(1.0))
    delta = 0.00979634 at epsilon = 1 nat (exact, any event): count of diabetes = yes, 69 unknown others
    >>> round(found.bound(1.0).delta, 3), round(found.bound(1.0, "all").delta, 3)
    (0.493, 0.173)
    >>> round(found.printed(1.0).delta, 3), found.printed(1.0, "t4:sum_of_powers").state
    (0.133, 'vacuous')
    """

    __slots__ = (
        "__dict__",
        "_anonymiser",
        "_classes",
        "_group_change",
        "_known",
        "_level",
        "_n",
        "_neighbour",
        "_neighbours",
        "_released",
        "_secret",
        "_shift",
    )

    _classes: EquivalenceClasses
    _secret: int | None
    _released: Released
    _neighbour: Neighbour
    _level: Level
    _known: float
    _neighbours: int
    _shift: float | None
    _group_change: float
    _anonymiser: Anonymiser
    _n: int | None

    def __init__(
        self,
        data: Any,
        quasi: Any,
        secret: str | int | None = None,
        k: int = 5,
        *,
        release: str | None = None,
        n: int | None = None,
        neighbour: Neighbour = "value",
        level: Level | None = None,
        known: float = 0.0,
        neighbours: int = 1,
        shift: float | None = None,
        group_change: float = 1,
        anonymiser: Anonymiser = mondrian,
    ) -> None:
        self._begin()
        records = Microdata.of(data)
        size, maker = COUNT.take(k, "k"), as_anonymiser(anonymiser)
        places = records.places(quasi)
        place = None if secret is None else records.place(secret, "secret")
        if place in places:
            raise DomainError(
                f"Column {short(records.names[places[places.index(place)]])} is both a quasi-identifier and "
                "the secret; choose one.",
                Where("parameter", name="secret"),
            )
        chosen = default_release(records, places, place) if release is None else release
        for slot, value in (
            ("_secret", place),
            ("_released", released(records, place, chosen)),
            ("_neighbour", as_choice(neighbour, "neighbour", NEIGHBOUR_KINDS, BudgetError)),
            ("_level", None if level is None else as_choice(level, "level", LEVELS, BudgetError)),
            ("_shift", SHIFT.maybe(shift, "shift")),
            ("_known", SHARE.take(known, "known")),
            ("_neighbours", NEIGHBOURS.take(neighbours, "neighbours")),
            ("_group_change", POSITIVE.take(group_change, "group_change")),
            ("_anonymiser", maker),
        ):
            object.__setattr__(self, slot, value)
        if level is None:
            # Who says what is known, or which records depend on each other, means an adversary who knows it.
            object.__setattr__(self, "_level", LEVELS[2 * (self._known > 0) + (self._neighbours > 1)])
        object.__setattr__(self, "_classes", classes_for(records, places, size, maker))
        object.__setattr__(self, "_n", None if n is None else _as_many(n, size))
        # What cannot be computed is named now, not when a number is asked for.
        release_law(self._classes, self._released)

    def _made(self) -> bool:
        return hasattr(self, "_n")

    @property
    def data(self) -> Microdata:
        """The records."""
        return self._classes.data

    @property
    def classes(self) -> EquivalenceClasses:
        """The classes that are published."""
        return self._classes

    @property
    def achieved(self) -> int:
        """Least size of the classes there are."""
        return self._classes.achieved

    @property
    def quasi(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return self._classes.quasi

    @property
    def secret(self) -> str | None:
        """Name of the secret."""
        return None if self._secret is None else self.data.names[self._secret]

    @property
    def k(self) -> int:
        """Least size of a class that was asked for."""
        return self._classes.k

    @property
    def release(self) -> str:
        """The key of what is published beside the classes."""
        return self._released.key

    @property
    def released(self) -> Released:
        """What is published beside the classes."""
        return self._released

    @property
    def n(self) -> int:
        """How many records the release is of: as given, else those published; of a sum those with a value."""
        if self._n is not None:
            return self._n
        records, one = self._classes.published, self._released
        if one.value is not None:
            return records
        # Who has no value adds nothing to the sum, and hides nobody in it.
        missing = self.data.by_row[one.column].missing
        return records - self.data.runs.total(missing & (self._classes.row_number >= 0))

    @property
    def given_n(self) -> int | None:
        """The number of records as it was given; None for those of the table."""
        return self._n

    @property
    def neighbour(self) -> Neighbour:
        """What is compared."""
        return self._neighbour

    @property
    def level(self) -> Level:
        """What the adversary knows."""
        return self._level

    @property
    def known(self) -> float:
        """Share of the records whose values are known: 0 at levels I and II."""
        return self._known if self._level in ("III", "IV") else 0.0

    @property
    def neighbours(self) -> int:
        """Records that are equal: 1 at levels I and III."""
        return self._neighbours if self._level in ("II", "IV") else 1

    @property
    def given_shift(self) -> float | None:
        """The change of what is published as it was given; None for the range of values."""
        return self._shift

    @property
    def anonymiser(self) -> Anonymiser:
        """What made the classes."""
        return self._anonymiser

    @property
    def group_change(self) -> float:
        """The syntactic sensitivity in theorems as printed, in records."""
        return self._group_change

    @cached_property
    def law(self) -> RecordLaw:
        """The law of one record's contribution to what is published."""
        return release_law(self._classes, self._released)

    @property
    def share(self) -> float | None:
        """Share of the records that have the counted value; None for a sum."""
        return None if self._released.value is None else self.law.raw(1)

    @cached_property
    def hidden(self) -> HiddenRelease:
        """What is published, and what hides one record in it."""
        return self.hidden_at(self.known)

    def hidden_at(self, known: float) -> HiddenRelease:
        """Return the same for another share of known records, whatever the level.

        Parameters
        ----------
        known
            The share, 0 to 1.
        """
        records, one = self.n, self._released
        others, block, targets = unknown_records(records, known, self.neighbours)
        wide = 1.0 if one.value is not None else self.law.range
        counted = 0
        if one.kind in ("suppressed", "records"):
            counted = min(records - others - targets, math.floor(self.law.raw(1) * records + 0.5))
        return hidden_release(
            one.kind, self.law, wide, self.k, others, block, self._neighbour, self._shift, targets, counted
        )

    @property
    def unknown(self) -> int:
        """Unknown records other than those that move with the target."""
        return self.hidden.others

    @property
    def shift(self) -> float:
        """By how much the target changes what is published at most, in its units."""
        return self.hidden.moved

    @property
    def readings(self) -> tuple[str, ...]:
        """Keys of the theorems as printed that fit."""
        return readings_of(self._released.key, self._level)

    @property
    def about(self) -> str:
        """What is published, and by how many it is hidden, in words."""
        one, column = self._released, self.data.by_row[self._released.column]
        if one.value is None:
            what = f"sum of {short(column.name)}"
        else:
            value = f"{short(column.name)} = {short(column.written(one.value))}"
            what = f"{'records' if one.kind == 'records' else 'count'} of {value}"
            what += "" if one.kind == "count" else f", withheld below {self.k:,}"
        there = ", the record there or not" if self._neighbour == "presence" else ""
        of = "" if self._n is None else f", {how_many(self._n, 'record')} assumed"
        return f"{what}{of}, {how_many(self.unknown, 'unknown other')}{there}"

    # What hides one record: slacks and bounds

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
        check_many(0 if shares is None else array_of(shares).size, _MOST_SHARES, "shares", 1e-3)
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

    # What the classes give away

    def sensitivity(
        self,
        volume: Volume = "record",
        additions: Any = (),
        *,
        sample: int | None = None,
        limit: float = 60.0,
        progress: ProgressHook | None = None,
        executor: Executor | None = None,
    ) -> SyntacticSensitivity:
        """Return how the classes change without each published record; see `syntactic_sensitivity`.

        Parameters
        ----------
        volume, additions, sample, limit, progress, executor
            As there.

        Returns
        -------
        SyntacticSensitivity
            With one change for every record of the table, NaN for suppressed ones.

        Examples
        --------
        >>> from pdp_widgets.models.surveys import clinic
        >>> print(AnonymityAnalysis(clinic(), ["age", "weight"]).sensitivity().largest)
        8.0
        """
        rows = np.flatnonzero(self._classes.row_number >= 0)
        found = left_out(
            self.data.row_values(self.quasi)[rows],
            self.data.runs.take(rows),
            self.k,
            volume,
            additions,
            self._anonymiser,
            sample=sample,
            limit=limit,
            progress=progress,
            executor=executor,
        )
        by_run, lengths = found.over(self.data.runs, rows)
        published = self._classes.published
        return SyntacticSensitivity(found.k, found.volume, by_run, found.added, published, lengths)

    @cached_property
    def diversity(self) -> LDiversity | None:
        """Distinct l-diversity of the secret; None without one, or where no published record has a value."""
        return self.diversity_of("distinct")

    def diversity_of(self, kind: DiversityKind) -> LDiversity | None:
        """Return ``"distinct"`` or ``"entropy"`` l-diversity of the secret; None as for `diversity`."""
        chosen = as_choice(kind, "kind", DIVERSITY_KINDS, BudgetError)
        if self._secret is None or not is_known(self._classes, self._secret):
            return None
        return l_diversity(self._classes, self._secret, chosen)

    @cached_property
    def closeness(self) -> TCloseness | None:
        """t-closeness of the secret; None without one, or where no published record has a value."""
        if self._secret is None or not is_known(self._classes, self._secret):
            return None
        return t_closeness(self._classes, self._secret)

    def meaning(self, prior: Sequence[float] | None = None) -> Meaning:
        """Return what the published number says about the state of the hidden record, in every measure.

        Parameters
        ----------
        prior
            How likely both states are: the record changed (or there), and as it is (or not there). Without it
            only what does not depend on that is computed.

        Raises
        ------
        PdpError
            Nothing exact is computed for this release; the message says why.

        Examples
        --------
        >>> from pdp_widgets import AnonymityAnalysis, anes96_records
        >>> hidden = AnonymityAnalysis(
        ...     anes96_records(), ["age", "education"], "vote", k=5, level="III", known=0.9
        ... )
        >>> print(hidden.meaning().measure("advantage"))
        advantage 0.0834536 chance (exact): count of vote = Dole, 93 unknown others, from all releases
        """
        changed, same = self.hidden.laws
        return Meaning(ChannelLaws([changed, same], prior, ("changed", "as it is")), AboutAll(self.about))

    def to_dataframe(self) -> Any:
        """Return the classes as a pandas data frame: letter, size, published ranges, diversity, closeness.

        Examples
        --------
        >>> from pdp_widgets.models.surveys import clinic
        >>> frame = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes").to_dataframe()
        >>> print(frame.head(2).round(3))
          class  records    age weight  distinct secrets  distance
        0     A        9  18–42  46–59                 1       0.1
        1     B       13  21–46  70–80                 1       0.1
        """
        return super().to_dataframe()

    def _figures(self) -> Figures:
        return analysis_figures(self)

    def _numbers(self) -> Numbers:
        classes = self.classes
        columns: dict[str, Any] = {"class": list(classes.letters), "records": classes.sizes}
        written: dict[str, Any] = {"class": "text", "records": "count"}
        for j, name in enumerate(classes.quasi):
            one = _free(name, columns)
            columns[one], written[one] = [ranges[j] for ranges in classes.ranges], "text"
        status = {"records": "exact"}
        if self.diversity is not None and self.closeness is not None:
            distinct = self.diversity.by_class
            whole = not np.isnan(distinct).any()
            for name, values, how in (
                ("distinct secrets", distinct.astype(np.int64) if whole else distinct, "count"),
                ("distance", self.closeness.by_class, "probability"),
            ):
                one = _free(name, columns)
                columns[one], written[one], status[one] = values, how, "exact"
        return Numbers(
            columns,
            written,
            {"unit": "records", "source": PAPER, "status": status, "k": self.k, "secret": self.secret},
            (f"k = {self.k:,}, {classes.lost:,} records suppressed",),
        )

    # A value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AnonymityAnalysis):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (
            self._classes,
            self._secret,
            self._released,
            self._neighbour,
            self._level,
            self._known,
            self._neighbours,
            self._shift,
            self._group_change,
            self._anonymiser,
            self._n,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restored, self._key()

    def __repr__(self) -> str:
        how = f"{self.n:,} records, " if self._n is not None else ""
        how += f"level {self._level}"
        how += f", {100 * self.known:.6g} % known" if self.known else ""
        how += f", {self.neighbours:,} equal" if self.neighbours > 1 else ""
        return f"{type(self).__name__}({self._classes!r}, {self._released.key!r}, {self._neighbour}, {how})"

    @classmethod
    def _restored(cls, classes: EquivalenceClasses, secret: int | None, *rest: Any) -> Self:
        made = cls.__new__(cls)
        slots = (
            "_released",
            "_neighbour",
            "_level",
            "_known",
            "_neighbours",
            "_shift",
            "_group_change",
            "_anonymiser",
            "_n",
        )
        for slot, value in zip(("_classes", "_secret", *slots), (classes, secret, *rest), strict=True):
            object.__setattr__(made, slot, value)
        return made


def _as_many(n: Any, k: int) -> int:
    """Return a number of records of which classes of k can be made."""
    sizes = f"from k = {k:,} to {MOST_RECORDS:,}"
    accepted = f"give a whole number of records {sizes}, or None for those of the table"
    return Whole(accepted, k, MOST_RECORDS).take(n, "n")


def _free(name: str, taken: Container[str]) -> str:
    """Return a name of a column that no other has."""
    while name in taken:
        name += "_"
    return name
