"""What results about a k-anonymous table depend on: the table, what is published beside it, the adversary."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.slack import Events
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses, anonymise
from pdp_widgets.mechanisms.anonymity.mondrian import Anonymiser, mondrian
from pdp_widgets.models.labels import short, shown
from pdp_widgets.models.microdata import Microdata

#: What the adversary knows beside the size of groups: nothing, dependence, values, both.
Level: TypeAlias = Literal["I", "II", "III", "IV"]
LEVELS: tuple[Level, ...] = ("I", "II", "III", "IV")
#: Whether the target's value changes, or its record is there or not.
Neighbour: TypeAlias = Literal["value", "presence"]
NEIGHBOUR_KINDS: tuple[Neighbour, ...] = ("value", "presence")

ReleaseKind: TypeAlias = Literal["count", "suppressed", "records", "sum"]
_COUNTS: tuple[ReleaseKind, ...] = ("count", "suppressed", "records")
#: Different values of a column of numbers up to which they are counted like labels.
_MOST_COUNTED = 12
_T1 = ("t1:statement", "t1:proof", "t1:final", "t1:garbled")
_T4 = ("t4:sum_of_powers", "t4:power_of_sum")
_SUMS: dict[str, tuple[str, ...]] = {
    "I": _T4,
    "II": ("t5:statement", "t5:proof"),
    "III": _T4,
    "IV": ("t7:statement", "t7:mixed", "t7:proof"),
}


@dataclass(frozen=True)
class AnonymityInputs:
    """A k-anonymous table, a release beside it, and an adversary; nothing is checked before it is computed.

    Parameters
    ----------
    data
        The records.
    quasi
        Positions of the quasi-identifiers.
    secret
        Position of the secret, or None.
    k
        Least size of a class.
    release
        Its key, see `releases_of`.
    n
        Records that it is of; None for those of the table.
    neighbour, level, known, neighbours, shift, group_change
        As for `AnonymityAnalysis`.
    epsilon
        The factor on the odds, in nats.
    events
        What the bound by Berry and Esseen is about.
    delta1
        The slack of the normal step in the paper's style; None for one over the root of the number unknown.
    printed
        Whether a theorem as printed has a curve.
    reading
        Which, see `readings_of`.
    drawn
        Positions of the one or two quasi-identifiers of the map; None for the first two.
    anonymiser
        What makes the classes.

    Examples
    --------
    >>> from pdp_widgets.models.surveys import clinic
    >>> here = AnonymityInputs(clinic(), (0, 1), 2, 5, "count:yes", level="III", known=0.3)
    >>> here.grouped == AnonymityInputs(clinic(), (0, 1), None, 5, "sum:age").grouped
    True
    """

    data: Microdata
    quasi: tuple[int, ...]
    secret: int | None
    k: int
    release: str
    neighbour: Neighbour = "value"
    level: Level = "I"
    known: float = 0.0
    neighbours: int = 1
    epsilon: float = 1.0
    events: Events = "halfline"
    delta1: float | None = None
    group_change: float = 1.0
    shift: float | None = None
    printed: bool = False
    reading: str = ""
    n: int | None = None
    drawn: tuple[int, int | None] | None = None
    anonymiser: Anonymiser = mondrian

    @property
    def grouped(self) -> tuple[Any, ...]:
        """What classes, and changes without a record, depend on."""
        return self.data, self.quasi, self.k, self.anonymiser


@dataclass(frozen=True)
class Released:
    """What is published beside the classes.

    Parameters
    ----------
    key
        As it was chosen.
    kind
        ``"count"``, ``"suppressed"`` (a count, none below k), ``"records"`` or ``"sum"``.
    column
        Position of the column.
    value
        The value that is counted; None for a sum.

    Examples
    --------
    >>> from pdp_widgets.models.surveys import clinic
    >>> released(clinic(), 2, "count:yes")
    Released(key='count:yes', kind='count', column=2, value=1.0)
    """

    key: str
    kind: ReleaseKind
    column: int
    value: float | None

    @property
    def counted(self) -> bool:
        """Whether a count is published, withheld below k or not."""
        return self.kind in ("count", "suppressed")


def releases_of(data: Microdata, quasi: tuple[int, ...], secret: int | None) -> tuple[str, ...]:
    """Return the keys of all that can be published beside the classes, in the order of a menu."""
    return tuple(one.key for one in _releases(data, secret))


def default_release(data: Microdata, quasi: tuple[int, ...], secret: int | None) -> str:
    """Return the key of the count of the secret's rarest value, else of a sum; "" where there is neither."""
    offered = _releases(data, secret)
    counts = [one for one in offered if one.kind == "count"]
    if counts:
        # A value that only records with a missing quasi-identifier have is in no class; its count is 0.
        published = ~np.isnan([data.by_row[place].values for place in quasi]).any(axis=0)
        values = data.by_row[counts[0].column].values
        often = [data.runs.total(published & (values == one.value)) for one in counts]
        return counts[int(np.argmin([count or math.inf for count in often]))].key
    sums = {one.column: one.key for one in offered}
    first = next((sums[place] for place in quasi if place in sums), None)
    return first or (offered[0].key if offered else "")


def released(data: Microdata, secret: int | None, key: Any) -> Released:
    """Return what a key stands for."""
    offered = _releases(data, secret)
    for one in offered:
        if isinstance(key, str) and one.key == key:
            return one
    where = Where("parameter", name="release")
    if not offered:
        raise DomainError(
            "There is nothing to count and no column of numbers to add up; name a secret.", where
        )
    listing = ", ".join(shown(one.key) for one in offered[:12])
    raise DomainError(f"There is no release {short(shown(key))}; the releases are {listing}.", where)


def _releases(data: Microdata, secret: int | None) -> list[Released]:
    found: list[Released] = []
    if secret is not None:
        column = data.by_row[secret]
        values = np.unique(column.values[~column.missing]).tolist()
        if column.labels is not None or len(values) <= _MOST_COUNTED:
            written = [column.written(one) for one in values]
            # Values that are written alike have one key: none of them can be asked for.
            if len(set(written)) == len(written):
                for kind in _COUNTS:
                    found += [
                        Released(f"{kind}:{text}", kind, secret, one)
                        for one, text in zip(values, written, strict=True)
                    ]
    found += [
        Released(f"sum:{column.name}", "sum", place, None)
        for place, column in enumerate(data.by_row)
        if column.labels is None
    ]
    return found


@lru_cache(maxsize=8)
def _classes(data: Microdata, quasi: tuple[int, ...], k: int, anonymiser: Anonymiser) -> EquivalenceClasses:
    return anonymise(data, quasi, k, anonymiser)


def classes_for(
    data: Microdata, quasi: tuple[int, ...], k: int, anonymiser: Anonymiser
) -> EquivalenceClasses:
    """Return the classes of a table; the last ones are kept."""
    try:
        hash(anonymiser)
    except TypeError:
        return anonymise(data, quasi, k, anonymiser)
    return _classes(data, quasi, k, anonymiser)


@lru_cache(maxsize=32)
def release_law(classes: EquivalenceClasses, one: Released) -> RecordLaw:
    """Return the law of one published record's contribution to a release."""
    data = classes.data
    column, published = data.by_row[one.column], classes.row_number >= 0
    if one.value is not None:
        return RecordLaw.bernoulli(
            data.runs.total(published & (column.values == one.value)) / classes.published
        )
    there = published & ~column.missing
    if not there.any():
        raise TableError(
            f"No published record has a value of {short(column.name)}; choose another release.",
            Where("parameter", name="release"),
        )
    return RecordLaw.empirical(column.values[there], data.runs.take(there).counts)


def readings_of(release: str, level: str) -> tuple[str, ...]:
    """Return the keys of the theorems as printed that fit a release and a level, the usual one first."""
    kind = release.partition(":")[0]
    if kind == "records":
        return ()
    return _SUMS[level] if kind == "sum" else (*_T1, *_SUMS[level])


_READINGS = {
    "t1:statement": "statement",
    "t1:proof": "proof",
    "t1:final": "last line of the proof",
    "t1:garbled": "exponent as typeset",
    "t4:sum_of_powers": "sum of powers",
    "t4:power_of_sum": "power of the sum",
    "t5:statement": "statement",
    "t5:proof": "proof",
    "t7:statement": "statement",
    "t7:mixed": "mixed",
    "t7:proof": "proof",
}
_THEOREMS: dict[str, str] = {"I": "Theorem 4", "II": "Theorem 5", "III": "Theorem 6", "IV": "Theorem 7"}
_EVENTS: dict[str, str] = {"all": "all events", "interval": "intervals", "halfline": "thresholds"}


def theorem_at(level: str) -> str:
    """Return the theorem about sums at a level."""
    return _THEOREMS[level]


def theorem_of(reading: str, level: str) -> str:
    """Return the theorem that a reading is of; Theorem 4 is called 6 where values are known."""
    return "Theorem 1" if reading.startswith("t1:") else theorem_at(level)


def reading_label(reading: str, level: str) -> str:
    """Return what a reading is called."""
    return f"{theorem_of(reading, level)}, {_READINGS[reading]}"


def events_label(events: str) -> str:
    """Return which events a bound holds for, after "bound"."""
    return _EVENTS[events]


def bound_label(level: Level, events: Events) -> str:
    """Return what the bound by a distance to the normal law is called."""
    return f"{theorem_at(level)} corrected, {events_label(events)}"
