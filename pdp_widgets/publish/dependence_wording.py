"""The sentences of the dependence explorer: what a release promises about each tuple, and what it leaks."""

from __future__ import annotations

from dataclasses import dataclass

from pdp_widgets.publish.formatting import bound, leakage, listed, parameter
from pdp_widgets.publish.labels import clean, in_quotes, isolate, shorten
from pdp_widgets.publish.wording import Part, above, excess, plural

__all__ = ["DependenceCase", "audit", "knowing", "lead", "paper_words", "told"]

#: More known tuples than this are counted, not listed.
_LISTED = 4


@dataclass(frozen=True)
class DependenceCase:
    """A release and the tuple that leaks most, in words.

    Parameters
    ----------
    subject
        What is released, to begin a clause: "the noisy sum".
    epsilon
        The promise in nats.
    name
        The tuple that leaks most.
    value
        What leaks about it, in nats.
    tuples
        How many there are.
    noun
        What one of them is called.
    knowing
        ``"nobody"``, ``"chosen"`` or ``"worst"``.
    known
        Names of the other tuples that the chosen adversary knows.
    apart
        It is independent of every other tuple, pair by pair, and not of all together.

    Examples
    --------
    >>> DependenceCase("the noisy sum", 1.0, "Ann", 1.1268, 6, "person").over
    True
    """

    subject: str
    epsilon: float
    name: str
    value: float
    tuples: int
    noun: str = "tuple"
    knowing: str = "nobody"
    known: tuple[str, ...] = ()
    apart: bool = False

    @property
    def over(self) -> bool:
        """Whether more leaks than was promised."""
        return above(self.value, self.epsilon)

    @property
    def number(self) -> str:
        """What leaks, told apart from the promise where it differs."""
        differs = self.over or above(self.epsilon, self.value)
        return leakage(self.value, self.epsilon if differs else None)


def told(text: object, most: int = 60) -> str:
    """Return a name within a sentence, in quotation marks where it has several words.

    Examples
    --------
    >>> told("Ann"), told("first flat on the left"), told("")
    ('Ann', '“first flat on the left”', '(no name)')
    """
    return in_quotes(clean(text), isolate(shorten(text, most))) or "(no name)"


def lead(case: DependenceCase) -> list[Part]:
    """Say promise and truth, as parts (text, role), see `wording.lead`.

    Examples
    --------
    >>> from pdp_widgets.publish.wording import plain
    >>> case = DependenceCase("the noisy sum", 1.0, "Ann", 1.1268, 6, "person", apart=True)
    >>> plain(lead(case)).partition(". ")[0]
    'With ε = 1.00 the noisy sum promises that no person leaks more than 1.000 nats'
    >>> print(plain(lead(case)).partition("nats. ")[2])
    Ann is independent of every other person, pair by pair, so all exact coefficients of Ann are 0. Yet the \
noisy sum leaks 1.127 about Ann: 13 % more than promised.
    """
    name = told(case.name)
    verdict = excess(case.value, case.epsilon) if case.over else "the promise holds"
    found: list[Part] = [
        ("With ε = ", ""),
        (parameter(case.epsilon), "scale"),
        (f" {case.subject} promises that no {case.noun} leaks more than ", ""),
        (f"{leakage(case.epsilon)} nats", "promise"),
        (f". {_truth(case, name)} ", ""),
        (case.number, "over" if case.over else "value"),
    ]
    return [*found, (f" about {name}: {verdict}.", "")]


def _truth(case: DependenceCase, name: str) -> str:
    """Begin the sentence on what leaks."""
    if case.knowing == "worst":
        return "Whoever knows the most telling others learns up to"
    if case.knowing == "chosen" and case.known:
        return f"Someone who knows {_known(case)} learns up to"
    subject = case.subject[:1].upper() + case.subject[1:]
    if not case.apart:
        return f"{subject} leaks up to"
    begin = name if name.startswith("“") else name[:1].upper() + name[1:]
    yet = "Yet " if case.over else ""
    return (
        f"{begin} is independent of every other {case.noun}, pair by pair, so all exact coefficients "
        f"of {name} are 0. {yet}{case.subject if yet else subject} leaks"
    )


def _known(case: DependenceCase) -> str:
    many, others = len(case.known), case.tuples - 1
    if many <= _LISTED:
        return listed([told(name, 40) for name in case.known])
    if many == others:
        return f"all {many} other {plural(case.noun)}"
    return f"{many} of the other {others} {plural(case.noun)}"


def knowing(case: DependenceCase) -> str:
    """Say who is assumed, to follow a name.

    Examples
    --------
    >>> knowing(DependenceCase("the noisy sum", 1.0, "Ann", 1.1268, 6, "person"))
    'knowing no other person'
    >>> knowing(DependenceCase("the noisy sum", 1.0, "Ann", 1.5, 6, "person", "chosen", ("Ben",)))
    'knowing Ben'
    """
    if case.knowing == "worst":
        return "knowing the most telling others"
    if case.knowing == "chosen" and case.known:
        return f"knowing {_known(case)}"
    return f"knowing no other {case.noun}"


def paper_words(exact: float, paper: float, epsilon: float) -> str:
    """Say how far the paper's estimate is off; nothing where it agrees.

    Examples
    --------
    >>> paper_words(1.1268, 0.8408, 1.0), paper_words(1.0, 1.0, 1.0)
    ('0.286 too low', '')
    """
    if not (above(exact, paper) or above(paper, exact)):
        return ""
    return f"{leakage(abs(exact - paper))} too {'low' if exact > paper else 'high'}"


def audit(
    case: DependenceCase,
    over: int,
    paper: tuple[float, int, int] | None,
    mean: float | None,
    group: float,
) -> str:
    r"""Return the audit strip as sentences: promise, exact, as printed, bounds.

    Parameters
    ----------
    case
        The tuple that leaks most.
    over
        About how many tuples more leaks than was promised.
    paper
        The paper's estimate for the same tuple, and for how many tuples it is too low and too high; None
        where it is not shown.
    mean, group
        The largest bounds: of means (None where the query has none), of whole blocks.

    Examples
    --------
    >>> case = DependenceCase("the noisy sum", 1.0, "Ann", 1.1268, 6, "person")
    >>> print(audit(case, 1, (0.8408, 3, 0), 1.8413, 2.5223).replace(". ", ".\n"))
    Promise 1.000 nats per person.
    Exact worst 1.127 (Ann, knowing no other person): 1 of 6 over.
    Paper’s estimate 0.841: too low at 3 of 6.
    Mean bound 1.842, any block and linear query.
    Group bound 2.523, any table.
    """
    said = f"{over:,} of {case.tuples:,} over" if over else "none over"
    found = [
        f"Promise {leakage(case.epsilon)} nats per {case.noun}.",
        f"Exact worst {case.number} ({told(case.name, 40)}, {knowing(case)}): {said}.",
    ]
    if paper is not None:
        value, low, high = paper
        off = [f"too {side} at {many:,}" for side, many in (("low", low), ("high", high)) if many]
        words = f"{', '.join(off)} of {case.tuples:,}" if off else "exact for all"
        found.append(f"Paper’s estimate {leakage(value, case.epsilon)}: {words}.")
    if mean is not None:
        # Who knows some tuples may learn more about others than that.
        holds = "any block and linear query" if case.knowing == "nobody" else "if nobody is known"
        found.append(f"Mean bound {bound(mean)}, {holds}.")
    found.append(f"Group bound {bound(group)}, any table.")
    return " ".join(found)
