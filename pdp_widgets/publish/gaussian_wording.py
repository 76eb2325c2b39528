"""The sentences of the Gaussian explorer: what is promised, what shows, and that it is a limit."""

from __future__ import annotations

from dataclasses import dataclass

from pdp_widgets.publish.formatting import leakage, parameter
from pdp_widgets.publish.labels import isolate, shorten
from pdp_widgets.publish.wording import Case, Part, above, agreement, excess, knowledge, short_case, subject

__all__ = [
    "GaussianCase",
    "amount",
    "audit",
    "lead",
    "moved",
    "promise_name",
    "release_name",
    "someone",
]


@dataclass(frozen=True)
class GaussianCase:
    """One adversary of Gaussian data in words.

    Parameters
    ----------
    case
        Who is attacked, what is known, what leaks; known tuples have no values here.
    limit
        The leakage is a limit that no release attains.
    determined
        The known tuples leave the attacked one no variance.
    """

    case: Case
    limit: bool
    determined: bool = False

    @classmethod
    def of(
        cls,
        names: tuple[str, ...],
        target: int,
        known: tuple[int, ...],
        value: float,
        limit: bool,
        noun: str = "tuple",
        determined: bool = False,
    ) -> GaussianCase:
        """Return the case of an adversary with a leakage in nats."""
        return cls(Case(names, (), target, known, value, noun), limit, determined)


def release_name(weights: tuple[float, ...]) -> str:
    """Return what a weighted sum is called.

    Examples
    --------
    >>> release_name((1.0, 1.0)), release_name((0.5, 0.5)), release_name((1.0, -1.0))
    ('sum', 'mean', 'weighted sum')
    """
    if set(weights) == {1.0}:
        return "sum"
    return "mean" if set(weights) == {1 / len(weights)} else "weighted sum"


def promise_name(weights: tuple[float, ...]) -> str:
    """Return what the promise is, with the largest weight where that is not 1.

    Examples
    --------
    >>> promise_name((1.0, -1.0)), promise_name((0.5, 0.5))
    ('Promise M/λ', 'Promise |a|M/λ')
    """
    return "Promise M/λ" if max(map(abs, weights)) == 1 else "Promise |a|M/λ"


def amount(value: float, unit: str, most: int = 24) -> str:
    """Return a setting with its unit, of at most so many characters, if it has one.

    Examples
    --------
    >>> amount(1.0, "kWh"), amount(1.0, "")
    ('1.00 kWh', '1.00')
    """
    name = isolate(shorten(unit, most))
    return f"{parameter(value)} {name}" if name else parameter(value)


def moved(max_change: float, unit: str) -> str:
    """Say which move of a tuple the promise is for.

    Examples
    --------
    >>> moved(1.0, "kWh"), moved(0.25, "kWh"), moved(1.0, "")
    ('nats per kWh moved', 'nats for 0.25 kWh', 'nats for a change of 1')
    """
    shown = parameter(max_change).removesuffix(".00")
    name = isolate(shorten(unit, 24))
    if not name:
        return f"nats for a change of {shown}"
    return f"nats per {name} moved" if max_change == 1 else f"nats for {shown} {name}"


def someone(case: Case) -> str:
    """Return who looks.

    Examples
    --------
    >>> someone(Case(("flat A", "flat B"), (), 0, (1,), 1.0, "flat"))
    'someone who knows flat B'
    >>> someone(Case(("flat A",), (), 0, (), 1.0, "flat"))
    'anyone'
    """
    return f"someone {knowledge(case)}" if case.others else "anyone"


def lead(
    release: str, scale: float, max_change: float, unit: str, promise: float, chosen: GaussianCase
) -> list[Part]:
    """Say promise and truth in two sentences, as parts (text, role), see `wording.lead`.

    Parameters
    ----------
    release
        What is released: "sum", "mean", "weighted sum".
    scale
        Scale of the Laplace noise.
    max_change, unit
        What is to be hidden.
    promise
        Nats.
    chosen
        The chosen adversary.

    Examples
    --------
    >>> from pdp_widgets.publish.wording import plain
    >>> case = GaussianCase.of(("flat A", "solar"), 0, (1,), 1.932, True, "flat")
    >>> plain(lead("sum", 1.0, 1.0, "kWh", 1.0, case)).partition(" promises ")[2][:54]
    'that 1.00 kWh in one flat shows by at most 1.000 nats.'
    >>> plain(lead("sum", 1.0, 1.0, "kWh", 1.0, case)).partition("nats. ")[2]
    'For someone who knows solar, flat A shows by up to 1.932, a limit never quite reached.'
    """
    case = chosen.case
    who = f"For {someone(case)}, {case.told(case.target)}"
    first: list[Part] = [
        (f"{subject(release)} with Laplace noise of scale ", ""),
        (parameter(scale), "scale"),
        (f" promises that {'' if unit.strip() else 'a change of '}", ""),
        (amount(max_change, unit, 40), "scale"),
        (f" in one {case.noun} shows by at most ", ""),
        (f"{leakage(promise)} nats", "promise"),
    ]
    if chosen.determined:
        return [*first, (f". {who} is determined: nothing is left to learn.", "")]
    value = case.leakage
    over = above(value, promise)
    limit = ", a limit never quite reached" if chosen.limit else ""
    verdict = f": {excess(value, promise) if over else 'the promise holds'}"
    return [
        *first,
        (f". {who} shows by up to ", ""),
        (leakage(value, promise), "over" if over else "value"),
        (f"{limit}{'' if limit and over else verdict}.", ""),
    ]


def audit(
    weights: tuple[float, ...],
    promise: float,
    max_change: float,
    unit: str,
    largest: GaussianCase,
    count: int,
) -> str:
    """Return the audit strip as sentences: promise, exact, as printed, bound.

    Parameters
    ----------
    weights
        Of the sum.
    promise
        Nats.
    max_change, unit
        What is to be hidden.
    largest
        The adversary that learns most.
    count
        Number of adversaries.

    Examples
    --------
    >>> case = GaussianCase.of(("flat A",), 0, (), 1.0, False)
    >>> audit((1.0,), 1.0, 1.0, "kWh", case, 1).partition(". Paper")[0]
    'Promise M/λ 1.000 nats per kWh moved. Exact worst 1.000 (flat A)'
    """
    shown = leakage(largest.case.leakage, promise)
    limit = ", a limit" if largest.limit else ""
    return (
        f"{promise_name(weights)} {leakage(promise)} {moved(max_change, unit)}. "
        f"Exact worst {shown}{limit} ({short_case(largest.case)}). "
        f"Paper’s Theorem 6 {shown}: {agreement(0, 0, count)}. "
        "Bound for any matrix ∞: leakage grows with the others’ spread."
    )
