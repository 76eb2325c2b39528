"""The sentences of the stream simulator: what a release promises, who broke it, what all steps add up to."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from pdp_widgets.mechanisms.sequence.step_channel import within
from pdp_widgets.publish.formatting import bound, count, fixed, leakage, listed, scientific
from pdp_widgets.publish.labels import clean, isolate, shorten
from pdp_widgets.publish.wording import Part

__all__ = [
    "ChangeWords",
    "LaneCase",
    "StreamCase",
    "audit",
    "chance",
    "delta_words",
    "errors_name",
    "exceeds",
    "kept_words",
    "lead",
    "status_words",
    "void_words",
]

_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


@dataclass(frozen=True)
class LaneCase:
    """One mechanism on the stream so far.

    Parameters
    ----------
    label, short
        Its name in words, and in few.
    last
        What it leaked in the last step, in nats; NaN where it has ended.
    largest
        The largest leakage it achieved in one step.
    over, first_over
        In how many steps it broke its promise, and the first of them from 1; None without one.
    total
        Sum of its achieved leakages, in nats.
    error, expected
        Mean distance of released from true symbols so far, and what was to be expected of it.
    ended
        Why it releases nothing any more; empty while it does.
    line
        Which colour and dashes its line has, of four.
    """

    label: str
    short: str
    last: float
    largest: float
    over: int
    first_over: int | None
    total: float
    error: float
    expected: float
    ended: str = ""
    line: int = 0


@dataclass(frozen=True)
class ChangeWords:
    """What was edited while the stream ran.

    Parameters
    ----------
    step
        The first step it counts for.
    before, after
        In few words, such as "stay 0.6" and "stay 0.9".
    """

    step: int
    before: str
    after: str


@dataclass(frozen=True)
class StreamCase:
    """A stream in words.

    Parameters
    ----------
    epsilon
        What the next step promises, in nats.
    promise
        What the last step promised.
    steady
        Whether all steps so far promised that.
    states
        How many there are.
    stay
        The chance to stay in a state, where it is the same for both of two; otherwise None.
    steps
        How many were released.
    linear, advanced
        What all steps leak at most if every promise is kept, in nats: their sum, and advanced composition.
    delta
        Of the advanced composition.
    distance
        What errors are counted in, by name.
    lanes
        The mechanisms.
    change
        The last edit, or None.
    """

    epsilon: float
    promise: float
    steady: bool
    states: int
    stay: float | None
    steps: int
    linear: float
    advanced: float
    delta: float
    distance: str
    lanes: tuple[LaneCase, ...]
    change: ChangeWords | None = None

    @property
    def broken(self) -> list[LaneCase]:
        """Mechanisms that broke their promise, the first to do so first."""
        found = [lane for lane in self.lanes if lane.first_over is not None]
        return sorted(found, key=lambda lane: lane.first_over or 0)


def _name(text: str) -> str:
    return isolate(shorten(clean(text), 60))


def chance(value: float) -> str:
    """Return a probability of the chain as it stands in a field: every digit, but at least two.

    Examples
    --------
    >>> chance(0.6), chance(0.125), chance(1 / 3), chance(0.00002)
    ('0.60', '0.125', '0.3333', '2.00e−5')
    """
    if value != 0 and abs(value) < 1e-4:
        return scientific(value, 2)
    for decimals in (2, 3):
        if abs(round(value, decimals) - value) < 1e-12:
            return fixed(value, decimals)
    return fixed(value, 4)


def lead(case: StreamCase) -> list[Part]:
    """Say promise and truth, as parts (text, role), see `wording.lead`.

    Examples
    --------
    >>> from pdp_widgets.publish.wording import plain
    >>> printed = LaneCase("Printed", "CRR as printed", 0.954393, 0.954393, 6, 45, 27.0, 0.22, 0.291)
    >>> change = ChangeWords(45, "stay 0.6", "stay 0.9")
    >>> case = StreamCase(0.5, 0.5, True, 2, 0.9, 50, 25.0, 23.1, 1e-5, "hamming", (printed,), change)
    >>> plain(lead(case)).partition(". ")[2]
    'The chance to stay in a state rose from 0.60 to 0.90. At step 45 CRR as printed broke its promise; it \
leaks 0.954 in step 50.'
    """
    found: list[Part] = [
        ("Each release promises to leak at most ", ""),
        (f"{leakage(case.epsilon)} nats", "promise"),
        (". ", ""),
    ]
    return found + _chain(case) + (_broken(case) if case.broken else _kept(case))


def _chain(case: StreamCase) -> list[Part]:
    change = case.change
    if case.stay is not None:
        before, after = (
            (None, None)
            if change is None
            else tuple(re.fullmatch(r"stay ([\d.e+-]+)", words) for words in (change.before, change.after))
        )
        said = "is"
        if before and after:
            rose = float(after[1]) > float(before[1])
            said = f"{'rose' if rose else 'fell'} from {chance(float(before[1]))} to"
        return [(f"The chance to stay in a state {said} ", ""), (chance(case.stay), "scale"), (". ", "")]
    if change is not None:
        return [(f"From step {change.step:,} on: {change.after}. ", "")]
    if case.states > 2:
        return [(f"The stream has {_number(case.states)} states. ", "")]
    return []


def _number(n: int) -> str:
    return _WORDS[n] if n < len(_WORDS) else f"{n:,}"


def _kept(case: StreamCase) -> list[Part]:
    if not case.steps:
        return [("Nothing has been released yet.", "")]
    steps = "the first step" if case.steps == 1 else f"{case.steps:,} steps"
    who = _name(case.lanes[0].short) if len(case.lanes) == 1 else "every mechanism"
    largest = max(lane.largest for lane in case.lanes)
    return [
        (f"In {steps} {who} kept its promise; the most that leaked in one step is ", ""),
        (leakage(largest, _finite(case.promise)), "value"),
        (".", ""),
    ]


def _broken(case: StreamCase) -> list[Part]:
    first, *others = case.broken
    names = [_name(lane.short) for lane in others]
    also = (
        f", then {listed(names) if len(names) <= 2 else f'{_number(len(names))} mechanisms'}" if names else ""
    )
    if math.isnan(first.last):
        # It has ended.
        begun = f"At step {first.first_over:,} {_name(first.short)} broke its promise{also}; the most that "
        return [
            (f"{begun}it leaked in one step is ", ""),
            (leakage(first.largest, _finite(case.promise)), "over"),
            (".", ""),
        ]
    still = exceeds(first.last, case.promise)
    who = "the first" if also else "it"
    return [
        (
            f"At step {first.first_over:,} {_name(first.short)} broke its promise{also}; {who} leaks "
            f"{'only ' if exceeds(case.promise, first.last) else ''}",
            "",
        ),
        (leakage(first.last, _finite(case.promise)), "over" if still else "value"),
        (f" in step {case.steps:,}.", ""),
    ]


def exceeds(value: float, promise: float) -> bool:
    """Say whether a leakage is above a promise by more than rounding.

    Examples
    --------
    >>> exceeds(0.5 + 1e-12, 0.5), exceeds(0.501, 0.5), exceeds(3.7e-10, 1e-10)
    (False, True, True)
    """
    return not within(value, promise)


def _finite(promise: float) -> float | None:
    return promise if math.isfinite(promise) else None


def status_words(lane: LaneCase, steps: int) -> str:
    """Say whether a mechanism keeps its promise.

    Examples
    --------
    >>> status_words(LaneCase("CRR", "CRR", 0.9, 0.9, 6, 45, 27.0, 0.2, 0.3), 50)
    'over its promise since step 45'
    """
    if lane.first_over is None:
        if lane.ended:
            return f"ended: {lane.ended}"
        return "within its promise" if steps else "nothing released"
    if lane.over == steps - lane.first_over + 1:
        return f"over its promise since step {lane.first_over:,}"
    return f"over its promise at {count(lane.over, 'step')}, first at step {lane.first_over:,}"


def kept_words(lane: LaneCase, steps: int) -> str:
    """Say how often a mechanism broke its promise.

    Examples
    --------
    >>> kept_words(LaneCase("CRR", "CRR", 0.9, 0.9, 6, 45, 27.0, 0.2, 0.3), 50)
    'over at 6 of 50'
    """
    return f"over at {lane.over:,} of {steps:,}" if lane.over else "never over"


def void_words(case: StreamCase) -> str:
    """Say for whom the bounds of composition do not hold; empty where they hold for all.

    Examples
    --------
    >>> printed = LaneCase("Printed", "CRR", 0.9, 0.9, 6, 45, 27.0, 0.2, 0.3)
    >>> void_words(StreamCase(0.5, 0.5, True, 2, 0.9, 50, 25.0, 23.1, 1e-5, "hamming", (printed,)))
    'void for CRR since step 45'
    """
    said = [f"{_name(lane.short)} since step {lane.first_over:,}" for lane in case.broken]
    return f"void for {listed(said)}" if said else ""


def errors_name(distance: str) -> str:
    """Name the mean error of a distance.

    Examples
    --------
    >>> errors_name("hamming"), errors_name("absolute")
    ('Wrong symbols so far', 'Mean error so far')
    """
    return "Wrong symbols so far" if distance == "hamming" else "Mean error so far"


def audit(case: StreamCase) -> str:
    """Return the audit strip as sentences: promise, largest steps, composition, errors.

    Examples
    --------
    >>> printed = LaneCase("Printed", "CRR", 0.954393, 0.954393, 6, 45, 26.96, 0.22, 0.291)
    >>> case = StreamCase(0.5, 0.5, True, 2, 0.9, 50, 25.0, 23.0917, 1e-5, "hamming", (printed,))
    >>> audit(case).partition(". ")[2]
    'CRR: largest step 0.954, over at 6 of 50; 26.96 in all. Composition of 50 steps: linear 25.00, advanced \
23.10 with δ = 1e−5, void for CRR since step 45. Wrong symbols so far. CRR: 0.220, expected 0.291.'
    """
    found = [f"Promise {leakage(case.promise)} nats per step."]
    if not case.steps:
        return " ".join([*found, "Nothing has been released yet."])
    found += [
        f"{_name(lane.short)}: largest step {leakage(lane.largest, _finite(case.promise))}, "
        f"{kept_words(lane, case.steps)}; {leakage(lane.total)} in all."
        for lane in case.lanes
    ]
    void = void_words(case)
    found.append(
        f"Composition of {count(case.steps, 'step')}: linear {bound(case.linear)}, advanced "
        f"{bound(case.advanced)} with δ = {delta_words(case.delta)}{f', {void}' if void else ''}."
    )
    said = [
        f"{_name(lane.short)}: {fixed(lane.error, 3)}, expected {fixed(lane.expected, 3)}"
        for lane in case.lanes
    ]
    found.append(f"{errors_name(case.distance)}. {'; '.join(said)}.")
    return " ".join(found)


def delta_words(delta: float) -> str:
    """Return a small probability as text.

    Examples
    --------
    >>> delta_words(1e-5), delta_words(0.05), delta_words(0.0)
    ('1e−5', '0.05', '0')
    """
    if delta == 0 or delta >= 0.001:
        return f"{delta:.4g}"
    digits = 0 if abs(delta / 10.0 ** round(math.log10(delta)) - 1) < 1e-9 else 1
    return scientific(delta, digits)
