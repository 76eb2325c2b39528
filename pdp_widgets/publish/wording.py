"""The sentences of the prior-knowledge explorer, the same here as in the browser.

The browser's sentences are tested against ``tests/data/lead-cases.json``, which is tested against these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pdp_widgets.publish.formatting import bound, count, fixed, leakage, listed, parameter
from pdp_widgets.publish.labels import isolate, shorten

__all__ = ["Case", "audit", "excess", "heading", "knowing", "lead", "plain"]

Part = tuple[str, str]


@dataclass(frozen=True)
class Case:
    """One adversary in words: who is attacked, what is known, what leaks.

    Parameters
    ----------
    names
        Names of all tuples.
    values
        Text of the actual value of every tuple.
    target
        Position of the attacked tuple.
    known
        Positions of the known tuples, increasing.
    leakage
        Nats.
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    target: int
    known: tuple[int, ...]
    leakage: float

    def name(self, j: int) -> str:
        """Name of tuple `j`, at most 24 characters."""
        return isolate(shorten(self.names[j]))

    def value(self, j: int) -> str:
        """Text of the actual value of tuple `j`, at most 24 characters."""
        return isolate(shorten(self.values[j]))


def knowing(case: Case) -> str:
    """Say what the adversary knows, to follow "someone who knows".

    Examples
    --------
    >>> knowing(Case(("item 1", "item 2"), ("0", "1"), 0, (1,), 1.0))
    'that item 2 is 1'
    """
    known = case.known
    if not known:
        return "nothing else" if len(case.names) == 1 else "none of the others"
    if len(known) <= 3:
        return "that " + listed([f"{case.name(j)} is {case.value(j)}" for j in known])
    if len(known) == len(case.names) - 1:
        return "all the others"
    return f"{len(known)} of the others"


def excess(value: float, promise: float) -> str:
    """Say how far a leakage above the promise is from it.

    Examples
    --------
    >>> excess(1.398, 1.0), excess(3.6, 1.0), excess(1.002, 1.0)
    ('40 % more than promised', '3.6 times what is promised', 'less than 1 % more than promised')
    """
    ratio = value / promise if promise > 0 else math.inf
    if ratio >= 3:
        return f"{fixed(ratio, 0 if ratio >= 100 else 1)} times what is promised"
    percent = math.floor(100 * (ratio - 1) + 0.5)
    return f"{percent} % more than promised" if percent else "less than 1 % more than promised"


def _shortfall(value: float, promise: float) -> str:
    percent = math.floor(100 * (1 - value / promise) + 0.5)
    if percent == 0:
        return "just below the promise"
    return f"{percent} % less than promised" if percent < 100 else "under 1 % of the promise"


def lead(noun: str, scale: float, promise: float, largest: Case) -> list[Part]:
    """Say promise and truth in two sentences, as parts (text, role).

    Roles name what the part is drawn as: ``scale``, ``promise``, ``over`` (above the promise), ``value``
    (not above it), or nothing.

    Parameters
    ----------
    noun
        What is released: "sum", "weighted sum", the name of a query.
    scale
        Scale of the Laplace noise.
    promise
        Largest sensitivity over scale, in nats.
    largest
        The adversary that learns most.

    Examples
    --------
    >>> case = Case(("item 1", "item 5"), ("0", "1"), 1, (0,), 1.398)
    >>> plain(lead("sum", 1.0, 1.0, case)).partition(". ")[2]
    'Someone who knows that item 1 is 0 learns up to 1.398 about item 5: 40 % more than promised.'
    """
    value = largest.leakage
    limit = leakage(promise)
    parts: list[Part] = [
        (f"A noisy {isolate(shorten(noun))} with Laplace noise of scale ", ""),
        (parameter(scale), "scale"),
        (" promises that no tuple leaks more than ", ""),
        (f"{limit} nats", "promise"),
    ]
    shown = leakage(value, promise)
    if value == 0:
        about = largest.name(0) if len(largest.names) == 1 else "any of them"
        parts.append((f". Here nobody learns anything about {about}.", ""))
    elif abs(value - promise) <= 1e-9 * promise:
        others = "" if len(largest.names) == 1 else ", whatever they know of the others"
        parts.append((f". Nobody learns more{others}.", ""))
    elif value > promise:
        parts += [
            (f". Someone who knows {knowing(largest)} learns up to ", ""),
            (shown, "over"),
            (f" about {largest.name(largest.target)}: {excess(value, promise)}.", ""),
        ]
    else:
        parts += [
            (". Here nobody learns more than ", ""),
            (shown, "value"),
            (f": {_shortfall(value, promise)}.", ""),
        ]
    return parts


def plain(parts: Sequence[Part]) -> str:
    """Return the sentences without roles."""
    return "".join(text for text, _ in parts)


def heading(case: Case) -> str:
    """Return the heading of the chosen case.

    Examples
    --------
    >>> heading(Case(("item 1", "item 2"), ("0", "1"), 0, (1,), 1.0))
    'About item 1, knowing item 2 is 1'
    """
    about = f"About {case.name(case.target)}"
    if len(case.names) == 1:
        return about
    return f"{about}, knowing {knowing(case).removeprefix('that ')}"


def audit(
    promise: float,
    largest: Case,
    group: float,
    paper: float | None = None,
    too_low: int = 0,
    too_high: int = 0,
    adversaries: int = 0,
) -> str:
    """Return the audit strip as sentences: promise, exact, as printed, bound.

    Parameters
    ----------
    promise, group
        Nats.
    largest
        The adversary that learns most.
    paper
        Largest chain-rule estimate in nats, when it was asked for.
    too_low, too_high
        Number of adversaries for which the estimate is below or above the exact value.
    adversaries
        Number of all adversaries.

    Examples
    --------
    >>> audit(1.0, Case(("item 1",), ("0",), 0, (), 1.0), 1.0)
    'Promise 1.000 nats per tuple. Exact worst 1.000 (item 1). Group bound 1.000, safe for any table.'
    """
    sentences = [
        f"Promise {leakage(promise)} nats per tuple.",
        f"Exact worst {leakage(largest.leakage, promise)} ({short_case(largest)}).",
    ]
    if paper is not None:
        of = count(adversaries, "adversary", "adversaries")
        counts = f"too low at {too_low:,}, too high at {too_high:,} of {of}"
        sentences.append(f"Paper’s estimate {leakage(paper, promise)}: {counts}.")
    sentences.append(f"Group bound {bound(group)}, safe for any table.")
    return " ".join(sentences)


def short_case(case: Case) -> str:
    """Name an adversary in few words: the attacked tuple and the names of the known ones.

    Examples
    --------
    >>> short_case(Case(("item 1", "item 2"), ("0", "1"), 0, (), 1.0))
    'item 1, knowing nothing'
    """
    who = case.name(case.target)
    if len(case.names) == 1:
        return who
    if len(case.known) == len(case.names) - 1 > 3:
        return f"{who}, knowing all others"
    if len(case.known) > 3:
        return f"{who}, knowing {len(case.known)} others"
    return f"{who}, knowing {', '.join(case.name(j) for j in case.known) or 'nothing'}"
