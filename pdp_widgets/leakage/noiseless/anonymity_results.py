"""All that an explorer of a k-anonymous table shows for one set of inputs; fields as in its wire protocol."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.leakage.noiseless.anonymity_bounds import (
    all_events_bound,
    least_normal_slack,
    normal_law,
    normal_slack,
    printed_slack,
    why_no_bound,
)
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs, Level, Released
from pdp_widgets.leakage.noiseless.anonymity_parts import as_amount, axis_of, unknown_records
from pdp_widgets.leakage.noiseless.anonymity_words import bound_label, reading_label
from pdp_widgets.leakage.noiseless.events import as_events
from pdp_widgets.leakage.noiseless.hidden_release import HiddenRelease, law_points, law_work
from pdp_widgets.leakage.noiseless.shown_classes import (
    ShownClass,
    drawn_columns,
    shown_classes,
    single_valued,
)
from pdp_widgets.leakage.noiseless.slack import Events, SlackState, epsilons_of, slack_state
from pdp_widgets.leakage.progress import ProgressHook
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.models.immutable import read_only

__all__ = [
    "AnonymityResults",
    "KnownShares",
    "PrintedNumber",
    "Removals",
    "ShownCurve",
    "anonymity_removals",
    "anonymity_results",
]

Floats = NDArray[np.float64]

#: Relative distance by which the exact slack is above a printed one.
_ABOVE = 1e-9
#: Shares of known records; multiplications that all their laws together may take.
_SHARES, _MOST_WORK = 41, 3e8
#: Of more records so many are left out, chosen at random.
_MOST_REMOVED, _SAMPLE = 2000, 500


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
    kind: Literal["exact", "bound", "printed"]
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


@dataclass(frozen=True, eq=False)
class Removals:
    """How the classes change without each record.

    Parameters
    ----------
    changes
        Largest change of the class of another record, in records, shape (n,); NaN for records that were not
        left out.
    largest
        The largest of these.
    worst
        Position of the first record with it.
    sampled
        How many were left out, where not all were: the largest is a lower bound then; else None.
    """

    changes: Floats
    largest: float
    worst: int
    sampled: int | None


@dataclass(frozen=True, eq=False)
class AnonymityResults:
    """The numbers for one set of inputs.

    Parameters
    ----------
    inputs, analysis
        What they belong to.
    k, epsilon
        As in the inputs.
    achieved, sizes
        Least size of the classes; least and largest.
    classes, classes_in_all
        At most 200 of them, and how many there are.
    suppressed
        Records with a missing quasi-identifier.
    single
        Classes in which everybody has the same secret.
    diversity, closeness
        Distinct l-diversity and t-closeness of the secret; None without one.
    unknown
        Unknown records other than those that move with the target.
    share
        Share of the counted value; None for sums.
    shift
        How much the target moves what is published.
    nothing_known
        Exact slack at epsilon with nothing known; None where it is not computed.
    spread, ratio
        Standard deviation of the unknown sum, and Lyapunov's ratio; None for a sum that is certain.
    axis
        Epsilon of all curves, nats, shape (101,).
    curves
        Exact, bounds, printed.
    printed
        One reading of every theorem that fits, at epsilon.
    known
        Exact slack at epsilon by the share known.
    removals
        Changes without each record; None until they are computed, see `anonymity_removals`.
    """

    inputs: AnonymityInputs
    analysis: AnonymityAnalysis
    k: int
    epsilon: float
    achieved: int
    sizes: tuple[int, int]
    classes: tuple[ShownClass, ...]
    classes_in_all: int
    suppressed: int
    single: int
    diversity: int | None
    closeness: float | None
    unknown: int
    share: float | None
    shift: float
    nothing_known: float | None
    spread: float
    ratio: float | None
    axis: Floats
    curves: tuple[ShownCurve, ...]
    printed: tuple[PrintedNumber, ...]
    known: KnownShares
    removals: Removals | None = None

    def with_removals(self, removals: Removals | None) -> AnonymityResults:
        """Return the same with the changes without each record."""
        return replace(self, removals=removals)

    @property
    def removable(self) -> bool:
        """Whether enough records are left without one."""
        return int(self.analysis.classes.sizes.sum()) > self.k


def anonymity_results(inputs: AnonymityInputs, last: AnonymityResults | None = None) -> AnonymityResults:
    """Return all that is shown but what takes longer, the changes without each record.

    Parameters
    ----------
    inputs
        The table, the release and the adversary.
    last
        Results of earlier inputs: their changes without each record are taken where they are of the same
        classes.

    Raises
    ------
    PdpError
        Something is outside its range; the message names it.

    Examples
    --------
    >>> from pdp_widgets.models.clinic import clinic
    >>> inputs = AnonymityInputs(
    ...     clinic(), (0, 1), 2, 5, "count:yes", level="III", known=0.3, printed=True, reading="t1:statement"
    ... )
    >>> found = anonymity_results(inputs)
    >>> [(one.key, round(one.at, 4), one.violated) for one in found.curves][-1]
    ('t1:statement', 0.1333, ((1.425, 2.5),))
    >>> [(one.label, round(one.delta, 3), one.holds) for one in found.printed]
    [('Theorem 1, statement', 0.133, True), ('Theorem 6, sum of powers', 9.88, True)]
    """
    names = inputs.data.names
    analysis = AnonymityAnalysis(
        inputs.data,
        [names[place] for place in inputs.quasi],
        None if inputs.secret is None else names[inputs.secret],
        inputs.k,
        release=inputs.release,
        neighbour=inputs.neighbour,
        level=inputs.level,
        known=inputs.known,
        neighbours=inputs.neighbours,
        shift=inputs.shift,
        group_change=inputs.group_change,
        anonymiser=inputs.anonymiser,
    )
    epsilon = float(epsilons_of(inputs.epsilon)[0])
    as_events(inputs.events)
    if inputs.slack is not None:
        accepted = "it must lie between 0 and 1, or be None"
        as_amount(inputs.slack, "slack", accepted, 0.0, math.nextafter(1.0, 0.0), above=True)
    classes = analysis.classes
    drawn = drawn_columns(inputs.quasi, inputs.drawn)
    listed, single, diversity, closeness = _of_classes(classes, inputs.secret, analysis.released, drawn)
    one, axis = analysis.hidden, axis_of(epsilon)
    curves = _curves(analysis, inputs, epsilon, axis)
    normal = normal_law(one, analysis.level)
    same = last is not None and last.inputs.grouped == inputs.grouped
    return AnonymityResults(
        inputs,
        analysis,
        analysis.k,
        epsilon,
        classes.achieved,
        (classes.achieved, int(classes.sizes.max())),
        listed,
        len(classes),
        len(classes.suppressed),
        single,
        diversity,
        closeness,
        one.others,
        analysis.share,
        one.moved,
        _nothing_known(analysis, epsilon),
        normal.spread,
        normal.ratio,
        axis,
        curves,
        _printed(analysis, inputs, epsilon, curves[0].at),
        _known(analysis, epsilon),
        last.removals if same and last is not None else None,
    )


def anonymity_removals(inputs: AnonymityInputs, progress: ProgressHook | None = None) -> Removals | None:
    """Return how the classes change without each record; None where too few would be left.

    Of more than 2,000 records 500 are left out, chosen at random, always the same.

    Parameters
    ----------
    inputs
        The table; the release and the adversary do not matter.
    progress
        Told the share done; what it raises cancels.

    Examples
    --------
    >>> from pdp_widgets.models.clinic import clinic
    >>> found = anonymity_removals(AnonymityInputs(clinic(), (0, 1), 2, 5, "count:yes"))
    >>> found.largest, found.worst, found.sampled
    (8.0, 6, None)
    """
    names = inputs.data.names
    analysis = AnonymityAnalysis(
        inputs.data,
        [names[place] for place in inputs.quasi],
        k=inputs.k,
        anonymiser=inputs.anonymiser,
        release=inputs.release if inputs.release.startswith("sum:") else None,
        secret=None if inputs.secret is None else names[inputs.secret],
    )
    published = int(analysis.classes.sizes.sum())
    if published <= analysis.k:
        return None
    sample = _SAMPLE if published > _MOST_REMOVED else None
    found = analysis.sensitivity(sample=sample, progress=progress)
    return Removals(found.changes, found.largest, int(np.nanargmax(found.changes)), sample)


@lru_cache(maxsize=16)
def _of_classes(
    classes: EquivalenceClasses, secret: int | None, one: Released, drawn: tuple[int, int | None]
) -> tuple[tuple[ShownClass, ...], int, int | None, float | None]:
    listed = shown_classes(classes, secret, one, drawn)
    if secret is None:
        return listed, 0, None, None
    from pdp_widgets.leakage.noiseless.closeness import t_closeness
    from pdp_widgets.leakage.noiseless.diversity import l_diversity

    if classes.data.columns[secret].missing[classes.number >= 0].all():
        return listed, 0, None, None
    least = int(l_diversity(classes, secret).least)
    return listed, sum(single_valued(classes, secret)), least, t_closeness(classes, secret).largest


def _points(analysis: AnonymityAnalysis) -> int | None:
    """Return how many points the law of one record reaches over; None without a common step."""
    return 2 if analysis.released.value is not None else law_points(analysis.law)


def _nothing_known(analysis: AnonymityAnalysis, epsilon: float) -> float | None:
    one, points = analysis.hidden_at(0.0), _points(analysis)
    # A law that takes long is not found only for this.
    quick = points is not None and law_work(points, one.others // one.block) <= _MOST_WORK
    if one.fault is not None or not (quick or one == analysis.hidden):
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


def _curve(
    key: str,
    label: str,
    kind: Literal["exact", "bound", "printed"],
    events: Events,
    delta: Floats,
    at: float,
) -> ShownCurve:
    drawn = np.fmin.accumulate(delta)
    value = None if math.isnan(at) else at
    return ShownCurve(key, label, kind, events, _kept(delta), _kept(drawn), value, slack_state(at))


def _no_curve(
    key: str, label: str, kind: Literal["exact", "bound", "printed"], events: Events, why: str
) -> ShownCurve:
    none = _kept(np.full(len(axis_of(0.0)), math.nan))
    return ShownCurve(key, label, kind, events, none, none, None, "undefined", why=why)


def _curves(
    analysis: AnonymityAnalysis, inputs: AnonymityInputs, epsilon: float, axis: Floats
) -> tuple[ShownCurve, ...]:
    one, level, events = analysis.hidden, analysis.level, as_events(inputs.events)
    end, here = float(axis[-1]), np.array([epsilon])
    label = "exact, any event"
    if one.fault is not None:
        found = [_no_curve("exact", label, "exact", "all", str(one.fault))]
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


def _printed(
    analysis: AnonymityAnalysis, inputs: AnonymityInputs, epsilon: float, exact: float | None
) -> tuple[PrintedNumber, ...]:
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


def _known(analysis: AnonymityAnalysis, epsilon: float) -> KnownShares:
    shares = np.arange(_SHARES) / (_SHARES - 1)
    records, d = int(analysis.classes.sizes.sum()), analysis.neighbours
    points = _points(analysis)
    affordable = analysis.released.kind == "records" or (
        points is not None
        and sum(law_work(points, unknown_records(records, share, d)[0] // d) for share in shares.tolist())
        <= _MOST_WORK
    )
    delta = np.full(_SHARES, math.nan)
    if affordable:
        for place, share in enumerate(shares.tolist()):
            one = analysis.hidden_at(share)
            if one.fault is None:
                delta[place] = one.slack(np.array([epsilon]))[0]
    return KnownShares(_kept(shares), _kept(delta))
