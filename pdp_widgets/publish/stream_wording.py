"""The sentences of the stream simulator: what a release promises, who broke it, what all steps add up to."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pdp_widgets.publish.formatting import bound, count, fixed, leakage, listed, scientific
from pdp_widgets.publish.labels import clean, isolate, shorten
from pdp_widgets.publish.wording import Part

__all__ = [
    "ChangeWords",
    "LaneCase",
    "StreamCase",
    "audit",
    "delta_words",
    "errors_name",
    "kept_words",
    "lead",
    "void_words",
]

_WORDS = ("no", "one", "two", "three", "four")


@dataclass(frozen=True)
class LaneCase:
    """One mechanism on the stream so far.

    Parameters
    ----------
    label, short
        Its name in words, and in few.
    largest
        The largest leakage it achieved in one step, in nats.
    over, first_over
        In how many steps it broke its promise, and the first of them from 1; None without one.
    total
        Sum of its achieved leakages, in nats.
    error, expected
        Mean distance of released from true symbols so far, and what was to be expected of it.
    ended
        Why it releases nothing any more; empty while it does.
    """

    label: str
    short: str
    largest: float
    over: int
    first_over: int | None
    total: float
    error: float
    expected: float
    ended: str = ""


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
    promise
        What the last step promises, or the next where there is none, in nats.
    varied
        Whether other steps promised something else.
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

    promise: float
    varied: bool
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


def _beside(text: str) -> str:
    """Return a name in a sentence: one that holds a comma, as "CRR, as printed", ends with one."""
    name = _name(text)
    return f"{name}," if "," in name else name


def _limit(value: float) -> str:
    return "∞" if value == math.inf else f"{leakage(value)} nats"


def lead(case: StreamCase) -> list[Part]:
    """Say promise and truth, as parts (text, role), see `wording.lead`.

    Examples
    --------
    >>> from pdp_widgets.publish.wording import plain
    >>> printed = LaneCase("CRR, as printed", "CRR", 0.954393, 6, 45, 27.0, 0.22, 0.291)
    >>> optimum = LaneCase("Optimum", "Optimum", 0.5, 0, None, 24.0, 0.24, 0.3)
    >>> change = ChangeWords(45, "stay 0.6", "stay 0.9")
    >>> case = StreamCase(0.5, False, 50, 25.0, 23.1, 1e-5, "hamming", (printed, optimum), change)
    >>> plain(lead(case)).partition(". ")[2]
    'At step 45, stay 0.6 gave way to stay 0.9. CRR, as printed, broke its promise at step 45; its largest \
step leaked 0.954. Optimum kept its promise.'
    """
    now = " now" if case.varied else ""
    begun = (
        f"Nothing is{now} promised: the budget is "
        if math.isinf(case.promise)
        else f"Each release{now} promises to leak at most "
    )
    found: list[Part] = [(begun, ""), (_limit(case.promise), "promise"), (".", "")]
    change = case.change
    if change is not None:
        found += [
            (f" At step {change.step:,}, {change.before} gave way to ", ""),
            (change.after, "scale"),
            (".", ""),
        ]
    if not case.steps:
        return [*found, (" Nothing has been released yet.", "")]
    broken = case.broken
    if not broken:
        return found + _all_kept(case)
    first = broken[0]
    when = f"at step {first.first_over:,}"
    found += [
        (f" {_beside(first.label)} broke its promise {when}; its largest step leaked ", ""),
        (leakage(first.largest, case.promise), "over"),
        (".", ""),
    ]
    if len(broken) > 1:
        others = listed([f"{_beside(lane.short)} at step {lane.first_over:,}" for lane in broken[1:]])
        found.append((f" So did {others}.", ""))
    kept = [lane.short for lane in case.lanes if lane.first_over is None]
    if kept:
        who = _beside(kept[0]) if len(kept) == 1 else listed([_name(name) for name in kept])
        found.append((f" {who} kept {'its promise' if len(kept) == 1 else 'theirs'}.", ""))
    return found


def _all_kept(case: StreamCase) -> list[Part]:
    many = len(case.lanes)
    who = {1: _beside(case.lanes[0].label), 2: "Both mechanisms"}.get(
        many, f"All {_WORDS[min(many, 4)]} mechanisms"
    )
    kept = "every step" if case.steps > 1 else "the one step"
    its = "its" if many == 1 else "their"
    said = (
        "The largest step so far leaked "
        if math.isinf(case.promise)
        else f"{who} kept {its} promise in {kept} so far; the largest leaked "
    )
    largest = max(lane.largest for lane in case.lanes)
    return [(f" {said}", ""), (leakage(largest, case.promise), "value"), (".", "")]


def kept_words(lane: LaneCase, steps: int) -> str:
    """Say how often a mechanism broke its promise.

    Examples
    --------
    >>> kept_words(LaneCase("CRR", "CRR", 0.9, 6, 45, 27.0, 0.2, 0.3), 50)
    'over at 6 of 50'
    """
    return f"over at {lane.over:,} of {steps:,}" if lane.over else "never over"


def void_words(case: StreamCase) -> str:
    """Say for whom the bounds of composition do not hold; empty where they hold for all.

    Examples
    --------
    >>> printed = LaneCase("CRR, as printed", "CRR", 0.9, 6, 45, 27.0, 0.2, 0.3)
    >>> void_words(StreamCase(0.5, False, 50, 25.0, 23.1, 1e-5, "hamming", (printed,)))
    'void for CRR since step 45'
    """
    said = [f"{_beside(lane.short)} since step {lane.first_over:,}" for lane in case.broken]
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
    >>> printed = LaneCase("CRR, as printed", "CRR", 0.954393, 6, 45, 26.96, 0.22, 0.291)
    >>> audit(StreamCase(0.5, False, 50, 25.0, 23.0917, 1e-5, "hamming", (printed,))).partition(". ")[2]
    'CRR: largest step 0.954, over at 6 of 50; 26.96 in all. Composition of 50 steps: linear 25.00, advanced \
23.10 with δ = 1e−5, void for CRR since step 45. Wrong symbols so far. CRR: 0.220, expected 0.291.'
    """
    found = [f"Promise {_limit(case.promise)} per step."]
    if not case.steps:
        return " ".join([*found, "Nothing has been released yet."])
    found += [
        f"{_name(lane.short)}: largest step {leakage(lane.largest, case.promise)}, "
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
