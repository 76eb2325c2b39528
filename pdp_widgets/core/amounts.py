"""The kinds of numbers that are taken: which values, and in what words another one is refused.

A page checks what a hand sets by the same table, ``js/src/compute/amounts.json``; this module prints it:

    python -m pdp_widgets.core.amounts > js/src/compute/amounts.json
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from typing import Any

from pdp_widgets.core.checks import is_whole, plain_number, shown
from pdp_widgets.errors import (
    AdversaryError,
    BudgetError,
    DomainError,
    LimitError,
    PdpError,
    QueryError,
    ScaleError,
    StreamError,
    TableError,
    Where,
)

__all__ = ["KINDS", "MOST_EXACT", "Kind", "Whole", "as_size", "exported"]


@dataclass(frozen=True)
class Kind:
    """A kind of number: its range, and in what words another one is refused."""

    #: What is accepted, as the end of a message.
    accepted: str
    least: float = -math.inf
    most: float = math.inf
    #: Whether the least and the most are refused themselves.
    above: bool = False
    below: bool = False
    infinite: bool = False
    #: Whether None may stand in its place, see `maybe`.
    optional: bool = False
    #: What the message calls it; the name of the parameter otherwise.
    subject: str = ""
    error: type[PdpError] = BudgetError

    def take(self, value: Any, name: str, error: type[PdpError] | None = None, subject: str = "") -> float:
        """Return a number of this kind, or raise an error that names the parameter."""
        try:
            number, written = self._read(value)
        except (TypeError, ValueError, OverflowError):
            number, written = math.nan, shown(value)
        if self._holds(number):
            return number
        text = f"{subject or self.subject or name} is {written}; {self.accepted}."
        raise (error or self.error)(text, Where("parameter", name=name))

    def maybe(self, value: Any, name: str) -> float | None:
        """Return a number of this kind, or None as it is."""
        return None if value is None and self.optional else self.take(value, name)

    def _holds(self, number: float) -> bool:
        low = number > self.least if self.above else number >= self.least
        high = number < self.most if self.below else number <= self.most
        return low and high and (self.infinite or abs(number) < math.inf)

    def _read(self, value: Any) -> tuple[float, str]:
        """Return a number, and how it is written where it is refused."""
        number = plain_number(value) + 0.0
        return number, shown(int(value) if is_whole(value) else number).removesuffix(".0")


@dataclass(frozen=True)
class Whole(Kind):
    """A kind of whole number."""

    def take(self, value: Any, name: str, error: type[PdpError] | None = None, subject: str = "") -> int:
        """Return a whole number of this kind, or raise an error that names the parameter."""
        return int(super().take(value, name, error, subject))

    def _read(self, value: Any) -> tuple[float, str]:
        if is_whole(value):
            return int(value), shown(int(value))
        return math.nan, shown(plain_number(value))


def as_size(
    value: Any,
    name: str,
    least: int,
    most: float = math.inf,
    error: type[PdpError] = BudgetError,
    subject: str = "",
) -> int:
    """Return a whole number from ``least`` to ``most``, or raise an error that names the parameter."""
    upto = f"{least:,} or more" if most == math.inf else f"{least:,} to {most:,}"
    return Whole(f"it must be a whole number, {upto}", least, most).take(value, name, error, subject)


#: Counts up to this are exact as floats.
MOST_EXACT = 1 << 53

FINITE = Kind("it must be a finite number")
NOT_NEGATIVE = Kind("it must be a finite number, 0 or more", 0)
POSITIVE = Kind("it must be a positive finite number", 0, above=True)
#: A share of what can be had, 0 for none.
SHARE = Kind("it is a share, 0 to 1", 0, 1)
PROBABILITY = Kind("it must be a probability, 0 to 1", 0, 1)
INNER = Kind("it must lie between 0 and 1, and be neither", 0, 1, above=True, below=True)
FACTOR = Kind("it must be a number above 0 and at most 1", 0, 1, above=True)
LIMIT = Kind("it must be a number, 0 or more; infinity is allowed", 0, infinite=True, error=DomainError)
COUNT = Whole("it must be a whole number, 1 or more", 1)

#: Of privacy: infinity promises nothing.
EPSILON = Kind("it must be a number of nats, 0 or more; infinity is allowed", 0, infinite=True)
#: Of which a scale of noise is made.
BUDGET = Kind("it must be a positive, finite number of nats", 0, above=True)
DELTA = Kind("it must be a number, at least 0 and below 1", 0, 1, below=True)
DELTA1 = Kind(
    "it must lie between 0 and 1, and be neither; or be None", 0, 1, above=True, below=True, optional=True
)
GOAL = Kind(
    "give a number of nats above 0, or None for what was promised when the explorer was opened",
    0,
    above=True,
    optional=True,
    subject="The goal",
    error=ScaleError,
)
THRESHOLD = Kind(
    "give a number of nats, 0 or more, or None",
    0,
    optional=True,
    subject="The threshold",
    error=AdversaryError,
)

MEASURE_EPSILON = Kind(
    "give a number of nats, 0 or more, or None for the promise",
    0,
    optional=True,
    subject="The epsilon of delta",
)

SCALE = Kind("it must be positive and finite", 0, above=True, subject="The scale", error=ScaleError)
MAX_CHANGE = Kind("it must be finite, 0 or more", 0, subject="The largest change", error=QueryError)
SHIFT = Kind("it must be a finite number, or None", optional=True)

KNOWN = Kind("it is the share of the other users whose places are known, 0 to 1", 0, 1, error=AdversaryError)
#: Records that move together with one.
NEIGHBOURS = Whole(f"it must be a whole number, 1 to {MOST_EXACT:,}", 1, MOST_EXACT)
MIN_COUNT = Kind("it is a number of records, 0 or more", 0, error=TableError)
#: Groups that symbols are hashed into.
GROUPS = Whole(f"it must be a whole number, 2 to {1 << 62:,}", 2, 1 << 62)

SEED = Whole(
    f"give a whole number from 0 to {MOST_EXACT:,}", 0, MOST_EXACT, subject="The seed", error=StreamError
)
SPEED = Kind("give 0.1 to 1,000 steps a second", 0.1, 1000, subject="The speed", error=StreamError)
SECONDS = Kind(
    "give a number of seconds, 0 or more, or infinity for any time",
    0,
    infinite=True,
    subject="The limit",
    error=LimitError,
)

#: All kinds above, by their names.
KINDS = {name.lower(): kind for name, kind in tuple(globals().items()) if isinstance(kind, Kind)}


def exported() -> str:
    """Return the table of kinds as JSON; what is as usual is left out."""
    rows = []
    for name, kind in KINDS.items():
        row = {one.name: getattr(kind, one.name) for one in fields(kind) if one.name != "error"}
        usual = {one.name: one.default for one in fields(kind)}
        row = {part: value for part, value in row.items() if value != usual[part]}
        rows.append(f'  "{name}": {json.dumps(row | {"whole": True} if isinstance(kind, Whole) else row)}')
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    print(exported(), end="")
