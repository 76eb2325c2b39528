"""The sentences of the prior-knowledge explorer, the same here as in the browser.

The browser's sentences are tested against ``tests/data/lead-cases.json``, which is tested against these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pdp_widgets.publish.formatting import bound, fixed, leakage, listed, parameter
from pdp_widgets.publish.labels import in_quotes, isolate, shorten
from pdp_widgets.publish.rounding import beyond

__all__ = [
    "Case",
    "above",
    "agreement",
    "audit",
    "excess",
    "heading",
    "knowledge",
    "lead",
    "plain",
    "plural",
    "short_case",
    "someone",
    "subject",
]

Part = tuple[str, str]
#: More known values than this are counted, not listed.
_LISTED = 4


@dataclass(frozen=True)
class Case:
    """One adversary in words: who is attacked, what is known, what leaks.

    Parameters
    ----------
    names
        Names of all tuples.
    values
        Text of the actual value of every tuple; empty where it is not said.
    target
        Position of the attacked tuple.
    known
        Positions of the known tuples, increasing.
    leakage
        Nats.
    noun
        What one tuple is called in a sentence, such as "answer".
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    target: int
    known: tuple[int, ...]
    leakage: float
    noun: str = "tuple"

    def name(self, j: int, most: int = 60) -> str:
        """Return the name of tuple `j`, at most so many characters."""
        return isolate(shorten(self.names[j], most)) or "(no name)"

    def told(self, j: int, most: int = 60) -> str:
        """Return the name within a sentence: in quotation marks where it has more words than one.

        A word and a number or a letter need none: "item 1", "flat A".

        Examples
        --------
        >>> case = Case(("item 1", "share location"), ("0", "1"), 0, (), 1.0)
        >>> case.told(0), case.told(1)
        ('item 1', '“share location”')
        """
        return in_quotes(self.names[j], self.name(j, most))

    def value(self, j: int, most: int = 40) -> str:
        """Return the text of the actual value of tuple `j`, at most so many characters."""
        return isolate(shorten(self.values[j], most)) or "(empty)"

    @property
    def others(self) -> int:
        """Number of tuples that are not attacked."""
        return len(self.names) - 1

    def known_values(self, most: int = 60) -> list[str]:
        """Return every known tuple with its value, where values are said; names of so many characters."""
        if not self.values:
            return [self.told(j, most) for j in self.known]
        return [f"{self.told(j, most)} is {in_quotes(self.values[j], self.value(j))}" for j in self.known]


def plural(noun: str) -> str:
    """Return the plural of a noun by the rules of spelling.

    Examples
    --------
    >>> plural("answer"), plural("entry"), plural("box")
    ('answers', 'entries', 'boxes')
    """
    if noun == "person":
        return "people"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def someone(case: Case) -> str:
    """Return the subject of the lead's second sentence.

    Examples
    --------
    >>> someone(Case(("item 1", "item 2"), ("0", "1"), 0, (1,), 1.0))
    'Someone who knows that item 2 is 1'
    """
    return f"Someone {knowledge(case)}".rstrip()


def knowledge(case: Case) -> str:
    """Return what an adversary knows, to follow the adversary; nothing where there is no other tuple.

    Examples
    --------
    >>> knowledge(Case(("flat A", "flat B"), (), 0, (1,), 1.0, "flat"))
    'who knows flat B'
    >>> knowledge(Case(("flat A", "flat B"), (), 0, (), 1.0, "flat"))
    'who does not know the other flat'
    """
    known = len(case.known)
    if case.others == 0:
        return ""
    if known == 0:
        return (
            f"who does not know the other {case.noun}"
            if case.others == 1
            else f"who knows none of the other {plural(case.noun)}"
        )
    if known <= _LISTED:
        said = listed(case.known_values(60 if case.values else 40))
        return f"who knows that {said}" if case.values else f"who knows {said}"
    if known == case.others:
        return f"who knows all {known} other {plural(case.noun)}"
    return f"who knows {known} of the other {case.others} {plural(case.noun)}"


def above(value: float, limit: float) -> bool:
    """Say whether a leakage is above a limit by more than rounding, however small both are.

    Examples
    --------
    >>> above(1.0000000001, 1.0), above(1.001, 1.0), above(1.001e-18, 1e-18)
    (False, True, True)
    """
    return value > beyond(limit)


def excess(value: float, promise: float) -> str:
    """Say how far a leakage is above the promise.

    Examples
    --------
    >>> excess(1.398, 1.0), excess(12.0, 1.0), excess(1.002, 1.0)
    ('40 % more than promised', '12 times what is promised', '0.2 % more than promised')
    """
    if promise == 0:
        return "although nothing may leak"
    percent = (value / promise - 1) * 100
    if percent >= 1000:
        return f"{fixed(value / promise, 0)} times what is promised"
    if percent >= 0.95:
        return f"{fixed(percent, 0)} % more than promised"
    if percent >= 0.1:
        return f"{fixed(percent, 1)} % more than promised"
    return "slightly more than promised"


def lead(query: str, scale: float, promise: float, largest: Case) -> list[Part]:
    """Say promise and truth in two sentences, as parts (text, role).

    Roles name what the part is drawn as: ``scale``, ``promise``, ``over`` (above the promise), ``value``
    (not above it), or nothing.

    Parameters
    ----------
    query
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
    over = above(value, promise)
    verdict = excess(value, promise) if over else "the promise holds"
    return [
        (f"{subject(query)} with Laplace noise of scale ", ""),
        (parameter(scale), "scale"),
        (f" promises that no {largest.noun} leaks more than ", ""),
        (f"{leakage(promise)} nats", "promise"),
        (f". {someone(largest)} learns up to ", ""),
        (
            leakage(value, promise) if over or above(promise, value) else leakage(value),
            "over" if over else "value",
        ),
        (f" about {largest.told(largest.target)}: {verdict}.", ""),
    ]


def subject(query: str) -> str:
    """Return what is released as the subject of a sentence.

    Examples
    --------
    >>> subject("sum"), subject("test score")
    ('A noisy sum', 'A noisy test score')
    """
    return f"A noisy {isolate(shorten(query, 60)) or 'release'}"


def plain(parts: Sequence[Part]) -> str:
    """Return the sentences without roles."""
    return "".join(text for text, _ in parts)


def heading(case: Case) -> str:
    """Return the heading of the chosen case.

    Examples
    --------
    >>> heading(Case(("item 1", "item 2"), ("0", "1"), 0, (1,), 1.0))
    'About item 1, knowing item 2 is 1'
    >>> heading(Case(("flat A", "solar"), (), 0, (1,), 1.0))
    'About flat A, knowing solar'
    """
    head, known = f"About {case.told(case.target)}", len(case.known)
    if case.others == 0:
        return head
    if known == 0:
        return f"{head}, knowing no other {case.noun}"
    if known <= _LISTED:
        return f"{head}, knowing {', '.join(case.known_values())}"
    if known == case.others:
        return f"{head}, knowing all {known} others"
    return f"{head}, knowing {known} of {case.others} others"


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
        f"Promise {leakage(promise)} nats per {largest.noun}.",
        f"Exact worst {leakage(largest.leakage, promise)} ({short_case(largest)}).",
    ]
    if paper is not None:
        sentences.append(
            f"Paper’s estimate {leakage(paper, promise)}: {agreement(too_low, too_high, adversaries)}."
        )
    sentences.append(f"Group bound {bound(group)}, safe for any table.")
    return " ".join(sentences)


def agreement(too_low: int, too_high: int, adversaries: int) -> str:
    """Say for how many adversaries the paper's estimate is off.

    Examples
    --------
    >>> agreement(6, 1, 12), agreement(0, 0, 4)
    ('too low at 6, too high at 1 of 12', 'exact for every adversary')
    """
    parts = [f"too low at {too_low:,}"] if too_low else []
    parts += [f"too high at {too_high:,}"] if too_high else []
    return f"{', '.join(parts)} of {adversaries:,}" if parts else "exact for every adversary"


def short_case(case: Case, whole: bool = False) -> str:
    """Name an adversary in few words: the attacked tuple and the names of the known ones.

    Parameters
    ----------
    case
        The adversary.
    whole
        Whether there is room for long names.

    Examples
    --------
    >>> short_case(Case(("item 1", "item 2"), ("0", "1"), 0, (), 1.0))
    'item 1, knowing nothing'
    """
    head, known = case.told(case.target, 60 if whole else 24), len(case.known)
    if case.others == 0:
        return head
    if known == 0:
        return f"{head}, knowing nothing"
    if known <= 2:
        return f"{head}, knowing {', '.join(case.told(j, 60 if whole else 16) for j in case.known)}"
    return f"{head}, knowing {known} others"
