"""What a leakage of dependent tuples is about, and where it is attained."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pdp_widgets.leakage.value import About, Attained, Leakage, Status
from pdp_widgets.models.labels import shown

__all__ = ["SOURCE", "AttainedAt", "determined_leakage", "tuple_leakage"]

#: Whose definition it is, read as an average over the tuples that are not known.
SOURCE = "Liu, Chakraborty and Mittal, Definition 4"


@dataclass(frozen=True, repr=False)
class AttainedAt(Attained):
    """Where the largest log ratio is reached, by an output of one or more numbers.

    Parameters
    ----------
    r, side, pair, known
        As for `Attained`; r is the first number of the output.
    output
        All of them.
    """

    output: tuple[float, ...] = ()

    def __repr__(self) -> str:
        place = f"output={self.output!r}, side={self.side!r}"
        return f"AttainedAt({place}, pair={self.pair!r}, known={self.known!r})"

    def __str__(self) -> str:
        listed = ", ".join(f"{x:.6g}" for x in self.output)
        place = listed if len(self.output) == 1 else f"({listed})"
        more, less = map(shown, self.pair)
        return f"output {self.side} {place}, {more} against {less}"


def tuple_leakage(
    value: float,
    target: str,
    known: Iterable[tuple[str, Any]] = (),
    attained: AttainedAt | None = None,
    status: Status = "exact",
    source: str = SOURCE,
) -> Leakage:
    """Return a leakage about one tuple.

    Parameters
    ----------
    value
        In nats.
    target
        Name of the tuple.
    known
        Names of the known tuples with their values; None where every value is considered.
    attained
        Where it is reached.
    status
        As for `Leakage`.
    source
        Paper and equation.

    Examples
    --------
    >>> print(tuple_leakage(1.5, "Ann", [("Ben", None)]))
    1.5 nats (exact): Ann, knowing Ben
    """
    about = About(target, tuple(known))
    return Leakage(float(value), status, about, "sup", attained=attained, source=source)


def determined_leakage(target: str, known: Iterable[tuple[str, Any]] = ()) -> Leakage:
    """Return the leakage about a tuple that has only one possible value.

    Examples
    --------
    >>> print(determined_leakage("Ann"))
    0 nats (exact, determined): Ann, knowing none
    """
    return Leakage(0.0, "exact", About(target, tuple(known)), "sup", source=SOURCE, determined=True)
