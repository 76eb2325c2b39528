"""The sentences of the anonymity explorer, the same here as in the browser (js/src/anonymity/lead.ts).

The browser's sentences are tested against ``tests/data/anonymity-lead-cases.json``, which is tested against
these.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pdp_widgets.publish.anonymity_numbers import budget_text, factor_text, percent, slack_text
from pdp_widgets.publish.labels import clean, in_quotes, isolate, shorten
from pdp_widgets.publish.wording import Part, plural

__all__ = ["AnonymityCase", "knows", "lead", "released", "told"]

#: What rounding alone makes of a slack of 1.
_WHOLE = 1e-12


@dataclass(frozen=True)
class AnonymityCase:
    """A table in classes and what is published beside it, in words.

    Parameters
    ----------
    noun
        What one record is called.
    k, achieved
        Least size asked for, and least size of the classes there are.
    classes, single
        How many classes there are, and in how many all have one secret.
    secret
        Name of the secret, or None.
    only
        The one value that all those classes share; None where they differ, or not all are known.
    release
        Key of what is published: ``"count:yes"``, ``"suppressed:yes"``, ``"records:yes"``, ``"sum:weight"``.
    neighbour
        ``"value"`` or ``"presence"``.
    level, known, neighbours
        The adversary: ``"I"`` to ``"IV"``, the share of the records known, the largest neighbourhood.
    unknown
        Unknown records other than the target.
    epsilon
        Nats.
    delta
        Exact slack; None where it is not computed.
    bound
        The best bound of the slack, or None.
    events
        Which events that bound holds for: ``"all"``, ``"interval"`` or ``"halfline"``.
    suppressed
        Records that are in no class, as a quasi-identifier is missing.

    Examples
    --------
    >>> AnonymityCase("patient", 5, 5, 14, 8, "diabetes", "no", "count:yes", delta=0.0098).better
    True
    """

    noun: str
    k: int
    achieved: int
    classes: int
    single: int
    secret: str | None
    only: str | None
    release: str
    neighbour: str = "value"
    level: str = "III"
    known: float = 0.3
    neighbours: int = 1
    unknown: int = 69
    epsilon: float = 1.0
    delta: float | None = None
    bound: float | None = None
    events: str = "halfline"
    suppressed: int = 0

    @property
    def hidden(self) -> bool:
        """Whether the release hides anything that a number promises."""
        value = self.bound if self.delta is None else self.delta
        return value is not None and value < 1 - _WHOLE

    @property
    def better(self) -> bool:
        """Whether the classes give a secret away, and the release next to never does."""
        return self.single > 0 and self.delta is not None and self.delta < 0.1

    @property
    def presence(self) -> bool:
        """Whether the question is if somebody is in the data at all."""
        return self.neighbour == "presence" or self.release.startswith("records:")


def told(text: object, most: int = 40) -> str:
    """Return a name within a sentence, in quotation marks where it has several words.

    Examples
    --------
    >>> told("diabetes"), told("blood pressure at rest"), told("")
    ('diabetes', '“blood pressure at rest”', '(no name)')
    """
    return in_quotes(clean(text), isolate(shorten(text, most))) or "(no name)"


def released(release: str, k: int = 0) -> str:
    """Return what is published, to begin a clause.

    Examples
    --------
    >>> released("count:yes"), released("suppressed:yes", 5), released("sum:weight")
    ('the published count', 'the count, withheld below 5,', 'the published sum of weight')
    """
    kind, _, name = release.partition(":")
    if kind == "suppressed":
        return f"the count, withheld below {k},"
    if kind == "sum":
        return f"the published sum of {told(name)}"
    return "the published records" if kind == "records" else "the published count"


def knows(case: AnonymityCase) -> list[Part]:
    """Say what the adversary knows, to follow "someone who".

    Examples
    --------
    >>> from pdp_widgets.publish.wording import plain
    >>> case = AnonymityCase("patient", 5, 5, 14, 8, "diabetes", "no", "count:yes")
    >>> plain(knows(case))
    'knows 30 % of the records'
    """
    shares, depends = case.level in ("III", "IV"), case.level in ("II", "IV")
    found: list[Part] = [("knows ", "")]
    if shares:
        found += [(percent(case.known), "known"), (" of the records", "")]
    if depends:
        found += [
            (f"{' and ' if shares else ''}groups of up to ", ""),
            (f"{case.neighbours:,}", "neighbours"),
            (" records that move together" if case.neighbours > 1 else " record, each on its own", ""),
        ]
    if not shares and not depends:
        found.append(("no record", ""))
    return found


def lead(case: AnonymityCase) -> list[Part]:
    """Say what the classes give away and how far the release hides one record, as parts (text, role).

    Roles name what a part is drawn as, and which number can be dragged: ``k``, ``known``, ``neighbours``,
    ``epsilon``; ``over`` for classes with one value, ``value`` for the slack, or nothing.

    Examples
    --------
    >>> from pdp_widgets.publish.wording import plain
    >>> case = AnonymityCase("patient", 5, 5, 14, 8, "diabetes", "no", "count:yes", delta=0.009761)
    >>> first, second, _ = plain(lead(case)).replace(": ", ". ").split(". ", 2)
    >>> first.partition(", yet ")[2], second
    ('in 8 of 14 classes nobody has diabetes, so being in the class says it all', 'The published count does \
better')
    """
    return [*_classes(case), *_release(case)]


def _classes(case: AnonymityCase) -> list[Part]:
    others = case.achieved - 1
    if others > 0:
        found: list[Part] = [
            (f"Every {'published ' * (case.suppressed > 0)}{case.noun} shares a class with at least ", ""),
            (f"{others:,}", "k"),
            (" other" + "s"[: others != 1], ""),
        ]
    else:
        found = [
            ("With k = ", ""),
            (f"{case.k:,}", "k"),
            (f" some {plural(case.noun)} may be alone in a class", ""),
        ]
    if case.secret is None:
        return [*found, (". ", "")]
    secret = told(case.secret)
    if not case.single:
        return [*found, (f", and in no class all have the same {secret}. ", "")]
    if case.classes == 1:
        found += [(", yet ", ""), ("in the only class", "over"), (" ", "")]
    else:
        found += [
            (", yet in ", ""),
            (f"{case.single:,} of {case.classes:,}", "over"),
            (" classes ", ""),
        ]
    return [*found, (f"{_share(case.only, secret)}, so being in the class says it all. ", "")]


def _share(only: str | None, secret: str) -> str:
    if only is not None and only.strip().casefold() in ("no", "yes"):
        return f"{'nobody' if only.strip().casefold() == 'no' else 'everybody'} has {secret}"
    return f"all have the same {secret}"


def _release(case: AnonymityCase) -> list[Part]:
    subject, who = released(case.release, case.k), [("to someone who ", ""), *knows(case)]
    several = case.release.startswith("records:")
    if case.better:
        begin = f"{subject[:1].upper()}{subject[1:]} {'do' if several else 'does'} better: "
        return [(begin, ""), *who, (" they" if several else " it", ""), *_odds(case, several)]
    who[0] = ("To someone who ", "")
    # A count that is withheld whatever the last record is hides it from all others too.
    if case.unknown == 0 and not case.hidden:
        what = f"whether the last {case.noun} is in it" if case.presence else f"the last {case.noun}’s value"
        told_ = (
            f" {subject} hide{'' if several else 's'} nobody: {'they tell' if several else 'it tells'} {what}"
        )
        return [*who, (told_, ""), *_nothing(case)]
    if case.delta is None and not case.hidden:
        return [
            *who,
            (f" {subject} {'have' if several else 'has'} no bound that promises anything (ε = ", ""),
            (budget_text(case.epsilon), "epsilon"),
            ("); the exact slack is not computed.", ""),
        ]
    return [*who, (f" {subject}", ""), *_odds(case, several)]


def _nothing(case: AnonymityCase) -> list[Part]:
    """End a sentence about what hides nobody."""
    return [
        (" (ε = ", ""),
        (budget_text(case.epsilon), "epsilon"),
        (", slack δ = ", ""),
        ("1", "value"),
        (").", ""),
    ]


_BELOW: list[Part] = [("), up to a slack δ below ", ""), ("1e−270", "value")]


def _odds(case: AnonymityCase, several: bool) -> list[Part]:
    """Say how far the odds move, and with which slack."""
    about = "that anyone else is in the data" if case.presence else "on anyone else"
    moves = f" {'move' if several else 'moves'} the odds {about} by"
    if not case.hidden:
        return [(f"{moves} any factor", ""), *_nothing(case)]
    factor = (
        "a finite factor" if math.isinf(case.epsilon) else f"at most a factor of {factor_text(case.epsilon)}"
    )
    found: list[Part] = [
        (f"{moves} {factor} (ε = ", ""),
        (budget_text(case.epsilon), "epsilon"),
    ]
    if case.delta is None:
        where = {"halfline": " for threshold tests", "interval": " for tests of an interval"}
        tests = where.get(case.events, "")
        below = (
            _BELOW
            if not case.bound
            else [("), up to a slack δ of at most ", ""), (slack_text(case.bound, up=True), "value")]
        )
        return [*found, *below, (f"{tests}; the exact slack is not computed.", "")]
    if case.delta == 0:
        # With unknown records 0 is what is too small for a number of a computer.
        nothing: list[Part] = [("), without ", ""), ("any slack", "value")]
        return [*found, *(_BELOW if case.unknown else nothing), (".", "")]
    return [*found, ("), up to a slack δ of ", ""), (slack_text(case.delta), "value"), (".", "")]
