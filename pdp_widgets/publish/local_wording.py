"""The sentences of the local explorer: what a report promises, what one leaks, what all leak together."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pdp_widgets.leakage.value import Output
from pdp_widgets.publish.formatting import bound, count, leakage, parameter
from pdp_widgets.publish.labels import clean, in_quotes, isolate, shorten
from pdp_widgets.publish.wording import Part

__all__ = [
    "LocalCase",
    "audit",
    "budget",
    "everything",
    "exceeds",
    "heading",
    "lead",
    "leaks_heading",
    "reports",
    "told",
    "told_apart",
    "verdict",
]

_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
#: Two numbers that differ by rounding alone are equal.
_SAME = 1e-9


@dataclass(frozen=True)
class LocalCase:
    """One pair of attributes and its secret in words.

    Parameters
    ----------
    source, secret
        Names, or empty for a single attribute.
    value, mirror
        What the report of the one says about the other, and the other way round, in nats.
    epsilon, promise
        The budget, and the largest promise of a report.
    output
        ``"raw"`` or ``"inferred"``.
    attributes
        How many are released.
    exact
        All reports about the secret, in nats; None where it is not known.
    pairwise_sum, joint_bound
        The paper's sum for the secret, and the joint bound.
    has_budget
        Whether the mechanism has a budget to set.
    complete
        How many records have every attribute, where not all have: what all reports say is about these alone.
    """

    source: str
    secret: str
    value: float
    mirror: float
    epsilon: float
    promise: float
    output: Output
    attributes: int
    exact: float | None = None
    pairwise_sum: float | None = None
    joint_bound: float | None = None
    has_budget: bool = True
    complete: int | None = None

    @property
    def among(self) -> str:
        """Which records all reports together are about, where it is not all of them."""
        return "" if self.complete is None else count(self.complete, "complete record")

    @property
    def thing(self) -> str:
        """What is seen: a report, or a guess from it."""
        return "report" if self.output == "raw" else "guess"


def budget(epsilon: float) -> str:
    """Return a budget as text.

    Examples
    --------
    >>> budget(1.0), budget(float("inf"))
    ('1.00', '∞')
    """
    return "∞" if math.isinf(epsilon) else parameter(epsilon)


def reports(case: LocalCase) -> str:
    """Name all reports together.

    Examples
    --------
    >>> reports(LocalCase("a", "b", 0.1, 0.2, 1.0, 1.0, "raw", 4))
    'All four reports'
    >>> reports(LocalCase("a", "b", 0.1, 0.2, 1.0, 1.0, "inferred", 2))
    'Guesses from both reports'
    """
    if case.attributes == 1:
        return "The report" if case.output == "raw" else "The guess"
    who = "Both reports" if case.attributes == 2 else f"All {_number(case.attributes)} reports"
    return who if case.output == "raw" else f"Guesses from {who[0].lower()}{who[1:]}"


def everything(case: LocalCase) -> str:
    """Name all that was seen of a record, shorter than `reports`.

    Examples
    --------
    >>> everything(LocalCase("a", "b", 0.1, 0.2, 1.0, 1.0, "raw", 4))
    'all four reports'
    >>> everything(LocalCase("a", "b", 0.1, 0.2, 1.0, 1.0, "inferred", 2))
    'both guesses'
    """
    if case.attributes == 1:
        return f"its {case.thing}"
    who = "both" if case.attributes == 2 else f"all {_number(case.attributes)}"
    return f"{who} {'reports' if case.output == 'raw' else 'guesses'}"


def _number(n: int) -> str:
    return _WORDS[n] if n < len(_WORDS) else f"{n:,}"


def exceeds(value: float, promise: float) -> bool:
    """Say whether a leakage is above a promise by more than rounding, which logarithms of channels bring.

    Examples
    --------
    >>> exceeds(1.0000000001, 1.0), exceeds(1.001, 1.0)
    (False, True)
    """
    return value > promise + _SAME * max(1.0, abs(promise))


def verdict(exact: float, pairwise_sum: float) -> int:
    """Say whether the sum is below (-1), equal to (0) or above (1) the exact value.

    Examples
    --------
    >>> verdict(1.834, 1.808), verdict(1.0, 1.0)
    (-1, 0)
    """
    if math.isinf(exact) or math.isinf(pairwise_sum):
        return (pairwise_sum > exact) - (pairwise_sum < exact)
    room = _SAME * max(1.0, abs(exact))
    return (pairwise_sum > exact + room) - (pairwise_sum < exact - room)


def told(text: object, most: int = 60, empty: str = "(no name)") -> str:
    """Return a name or a label within a sentence, in quotation marks where it has several words.

    Examples
    --------
    >>> told("class"), told("highest degree"), told("")
    ('class', '“highest degree”', '(no name)')
    """
    return in_quotes(clean(text), isolate(shorten(text, most))) or empty


def _together(case: LocalCase) -> str:
    """Begin the sentence on all reports: "All four reports together leak "."""
    who = reports(case)
    if case.among:
        who = f"Among the {case.among}, {who[0].lower()}{who[1:]}"
    return f" {who} together leak "


def lead(case: LocalCase) -> list[Part]:
    """Say promise and truth, as parts (text, role), see `wording.lead`.

    Examples
    --------
    >>> from pdp_widgets.publish.wording import plain
    >>> case = LocalCase("class", "survived", 0.268, 0.384, 1.0, 1.0, "raw", 4, 1.834, 1.808, 2.9)
    >>> plain(lead(case)).partition(" All ")[0]
    'Each report promises to leak at most 1.000 nats about its own attribute, at ε = 1.00. Class alone leaks \
0.268 about survived.'
    >>> plain(lead(case)).partition("All ")[2]
    'four reports together leak 1.834, more than the published sum of 1.808.'
    """
    found: list[Part] = [
        ("Each report promises to leak at most ", ""),
        (f"{leakage(case.promise)} nats", "promise"),
        (" about its own attribute", ""),
    ]
    if case.has_budget:
        found += [(", at ε = ", ""), (budget(case.epsilon), "scale")]
    found.append((". ", ""))
    if not case.source:
        return [*found, ("One attribute has no other to leak about.", "")]
    name = told(case.source)
    at = int(name.startswith("“"))
    start = name[:at] + name[at : at + 1].upper() + name[at + 1 :]
    if case.output == "inferred":
        start = f"What is guessed from {name}"
    over = exceeds(case.value, case.promise)
    beside = case.promise if math.isfinite(case.promise) else None
    found += [
        (f"{start} alone leaks ", ""),
        (leakage(case.value, beside), "over" if over else "value"),
        (f" about {told(case.secret)}.", ""),
    ]
    if case.exact is not None and case.pairwise_sum is not None:
        side = verdict(case.exact, case.pairwise_sum)
        exact, printed = (
            (leakage(case.exact, case.pairwise_sum), leakage(case.pairwise_sum, case.exact))
            if side
            else (leakage(case.exact), leakage(case.pairwise_sum))
        )
        words = {-1: "more than", 0: "as much as", 1: "less than"}[side]
        found += [
            (_together(case), ""),
            (exact, "over" if exceeds(case.exact, case.promise) else "value"),
            (f", {words} the published sum of {printed}.", ""),
        ]
    elif case.joint_bound is not None and math.isinf(case.joint_bound):
        found += [(_together(case), ""), ("∞", "promise"), (": nothing bounds it.", "")]
    elif case.joint_bound is not None:
        found += [
            (f"{_together(case)}at most ", ""),
            (bound(case.joint_bound), "promise"),
            ("; the exact number is too large to compute.", ""),
        ]
    return found


def heading(case: LocalCase) -> str:
    """Return the heading of the chosen pair.

    Examples
    --------
    >>> heading(LocalCase("class", "survived", 0.2, 0.3, 1.0, 1.0, "raw", 4))
    'Report of class, secret survived'
    """
    thing = case.thing.capitalize()
    return f"{thing} of {told(case.source, 40)}, secret {told(case.secret, 40)}"


def leaks_heading(output: Output) -> tuple[str, str]:
    """Return what the table of pairs is about, and how its numbers are to be taken.

    Examples
    --------
    >>> leaks_heading("raw")
    ('What one report leaks about another attribute', 'exact, nats')
    >>> leaks_heading("inferred")
    ('What a guess from one report says about another attribute', 'a lower bound, nats')
    """
    if output == "raw":
        return "What one report leaks about another attribute", "exact, nats"
    return "What a guess from one report says about another attribute", "a lower bound, nats"


def told_apart(exact: float, pairwise_sum: float) -> str:
    """Say how far the paper's sum is off.

    Examples
    --------
    >>> told_apart(1.834, 1.808), told_apart(1.0, 1.0)
    ('too low by 0.026', 'equal here')
    """
    side = verdict(exact, pairwise_sum)
    if side == 0:
        return "equal here"
    return f"too {'low' if side < 0 else 'high'} by {leakage(abs(exact - pairwise_sum))}"


def audit(case: LocalCase, too_low: int, too_high: int) -> str:
    """Return the audit strip as sentences: promise, exact, as printed, bound.

    Parameters
    ----------
    case
        The pair with what all reports say about its secret.
    too_low, too_high
        Of how many secrets the paper's sum is below and above the exact value.

    Examples
    --------
    >>> case = LocalCase("class", "survived", 0.268, 0.384, 1.0, 1.0, "raw", 4, 1.834, 1.808, 2.8811)
    >>> audit(case, 1, 3).partition("sum ")[2]
    '1.808 (Eq. 6, not a bound): too low for 1, too high for 3 of 4. Joint bound 2.882, never too low.'
    """
    found = [f"Promise {leakage(case.promise)} nats, own report."]
    if case.pairwise_sum is None or case.joint_bound is None:
        return " ".join(found)
    everyone = everything(case)
    about = f", about {told(case.secret)}" if case.secret else ""
    about += f", among {case.among}" if case.among else ""
    if case.exact is None:
        found.append(f"Exact, {everyone}{about}: not computed.")
    else:
        found.append(f"Exact, {everyone}{about}: {leakage(case.exact, case.pairwise_sum)}.")
    off = ", ".join(
        f"too {side} for {number}" for side, number in (("low", too_low), ("high", too_high)) if number
    )
    words = f"{off} of {case.attributes:,}" if off else "equal for all"
    printed = leakage(case.pairwise_sum, case.exact)
    compared = "" if case.exact is None else f": {words}"
    found.append(f"Paper’s pairwise sum {printed} (Eq. 6, not a bound){compared}.")
    found.append(f"Joint bound {bound(case.joint_bound)}, never too low.")
    return " ".join(found)
