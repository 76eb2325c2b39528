"""What a leakage about dependent tuples is about, and which tuples are known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.adversary import refuse_values
from pdp_widgets.leakage.value import About, Attained, Leakage, Status
from pdp_widgets.models.labels import shown
from pdp_widgets.models.sparse_joint import SparseJoint

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
    """Return a leakage about one tuple."""
    about = About(target, tuple(known))
    return Leakage(float(value), status, about, "sup", attained=attained, source=source)


def determined_leakage(target: str, known: Iterable[tuple[str, Any]] = ()) -> Leakage:
    """Return the leakage about a tuple that has only one possible value."""
    return Leakage(0.0, "exact", About(target, tuple(known)), "sup", source=SOURCE, determined=True)


def known_tuples(joint: SparseJoint, known: Any) -> tuple[int, ...]:
    """Return the positions of known tuples in ascending order; none for None or an empty list."""
    refuse_values(known)
    if known is None or (isinstance(known, list | tuple) and not known):
        return ()
    try:
        return tuple(sorted(joint.axes(known)))
    except DomainError as error:
        raise DomainError(str(error), Where("parameter", name="known")) from None
