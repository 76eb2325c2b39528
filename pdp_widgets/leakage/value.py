"""A leakage as a value: the number with what it is about and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pdp_widgets.errors import AdversaryError
from pdp_widgets.models.amount import Status
from pdp_widgets.models.labels import Label, as_choice, short, shown

__all__ = [
    "CONVENTIONS",
    "About",
    "AboutAll",
    "AboutSecret",
    "Attained",
    "Convention",
    "Leakage",
    "Output",
    "Status",
    "Unit",
    "check_convention",
]

_LONGEST_BITS = 3000
#: Whether the known values are those of one row, or all that can occur.
Convention: TypeAlias = Literal["instance", "sup"]
CONVENTIONS: tuple[Convention, ...] = ("instance", "sup")
Unit: TypeAlias = Literal["nats"]
#: Local reports as they are released, or what is guessed from each of them.
Output: TypeAlias = Literal["raw", "inferred"]


def check_convention(convention: object) -> None:
    """Raise AdversaryError unless a convention for the known values is one of the two."""
    as_choice(convention, "convention", CONVENTIONS, AdversaryError)


def _written(value: object) -> str:
    """Return what repr does, but for integers of thousands of digits, which Python does not write."""
    if isinstance(value, tuple):
        parts = [_written(part) for part in value]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    huge = isinstance(value, int) and value.bit_length() > _LONGEST_BITS
    return f"<{shown(value)}>" if huge else repr(value)


@dataclass(frozen=True)
class About:
    """The adversary a leakage is about.

    Parameters
    ----------
    target
        Name of the attacked tuple.
    known
        Names of the known tuples with their labels; a label is None where every value is considered.

    Examples
    --------
    >>> print(About("Ann", (("Bob", 1), ("Eve", None))))
    Ann, knowing Bob = 1, Eve
    """

    target: str
    known: tuple[tuple[str, Label | None], ...] = ()

    @classmethod
    def numbered(cls, target: int, known: Iterable[int] = ()) -> About:
        """Return an adversary of tuples that have positions and no names: x1, x2 and so on.

        Examples
        --------
        >>> print(About.numbered(0, [2]))
        x1, knowing x3
        """
        return cls(f"x{target + 1}", tuple((f"x{k + 1}", None) for k in known))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(target={self.target!r}, known={_written(self.known)})"

    def __str__(self) -> str:
        if not self.known:
            return f"{short(self.target)}, knowing none"
        listed = ", ".join(
            short(name) if label is None else f"{short(name)} = {short(label)}" for name, label in self.known
        )
        return f"{short(self.target)}, knowing {listed}"


@dataclass(frozen=True)
class AboutAll(About):
    """What is learned from all that is released, by whoever knows how it comes about.

    Examples
    --------
    >>> print(AboutAll("step 1"))
    step 1, from all releases
    """

    def __str__(self) -> str:
        return f"{short(self.target)}, from all releases"


@dataclass(frozen=True)
class AboutSecret(About):
    """The attribute a leakage of local reports is about, and the reports it is learned from.

    Parameters
    ----------
    target
        Name of the attacked attribute, the secret.
    known
        Nothing: the adversary knows the joint distribution and sees reports alone.
    sources
        Names of the reported attributes.
    output
        ``"raw"``: the reports as they are released. ``"inferred"``: the symbol guessed from each of them.
    delta
        The leakage is a promise that may fail with this probability; 0 where it holds for every report.
    randomised
        False: the sources themselves are seen, not reports of them.

    Examples
    --------
    >>> print(AboutSecret("vote", sources=("party",)))
    vote, from the report of party
    >>> print(AboutSecret("vote", sources=("party",), delta=0.01))
    vote, from the report of party, but for delta 0.01
    >>> print(AboutSecret("vote", sources=("party", "age"), output="inferred"))
    vote, from the guesses of party, age
    >>> print(AboutSecret("vote", sources=("party",), randomised=False))
    vote, from party itself
    """

    sources: tuple[str, ...] = ()
    output: Output = "raw"
    delta: float = 0.0
    randomised: bool = True

    def __str__(self) -> str:
        if not self.randomised:
            itself = "itself" if len(self.sources) == 1 else "themselves"
            return f"{short(self.target)}, from {', '.join(map(short, self.sources))} {itself}"
        what = "report" if self.output == "raw" else "guess"
        plural = ("es" if what == "guess" else "s") * (len(self.sources) != 1)
        listed = ", ".join(map(short, self.sources)) or "none"
        failing = f", but for delta {self.delta:.6g}" if self.delta else ""
        return f"{short(self.target)}, from the {what}{plural} of {listed}{failing}"


@dataclass(frozen=True)
class Attained:
    """Where the largest log ratio is reached.

    Parameters
    ----------
    r
        Released number.
    side
        ``"<="``: for every release at or below r; ``">="``: at or above r; ``"="``: at r.
    pair
        Labels of the attacked tuple: the one made more likely, the one made less likely.
    known
        With convention ``"sup"``, the known values at which it is reached.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, prior_leakage
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    >>> prior_leakage(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), "x1").attained
    Attained(r=0.0, side='<=', pair=(0, 1), known=())
    """

    r: float
    side: Literal["<=", ">=", "="]
    pair: tuple[Label, Label]
    known: tuple[tuple[str, Label | None], ...] = ()

    def __repr__(self) -> str:
        pair, known = _written(self.pair), _written(self.known)
        return f"{type(self).__name__}(r={self.r!r}, side={self.side!r}, pair={pair}, known={known})"


@dataclass(frozen=True)
class Leakage:
    """What an adversary learns, in nats.

    Parameters
    ----------
    value
        The number; ``float(leakage)`` returns it.
    status
        ``"exact"``, ``"bound"`` (never below the truth), ``"lower bound"`` (never above it), ``"estimate"``
        or ``"as printed"`` (the paper's formula, right or wrong).
    about
        The adversary.
    convention
        ``"instance"``: the known values are those of one row. ``"sup"``: the largest over all known values.
    unit
        Always ``"nats"``.
    attained
        Where it is reached; None when the target is determined or the status has no such place.
    source
        Paper and equation.
    determined
        The known values leave one possible label: nothing is left to learn.
    interval
        For estimates.
    limit
        No release attains it: it is approached for releases far out.

    Examples
    --------
    >>> float(Leakage(1.5, "exact", About("Ann"), "instance"))
    1.5
    """

    value: float
    status: Status
    about: About
    convention: Convention
    unit: Unit = "nats"
    attained: Attained | None = None
    source: str = field(default="")
    determined: bool = False
    interval: tuple[float, float] | None = None
    limit: bool = False

    def __float__(self) -> float:
        return float(self.value)

    def __str__(self) -> str:
        tail = ", determined" if self.determined else ""
        if self.interval is not None:
            low, high = self.interval
            tail += f", {low:.6g} to {high:.6g}"
            if not low <= self.value <= high:
                tail += ", which leaves it out"
        value = f"{self.value:.6g}"
        unit = self.unit.removesuffix("s") if value == "1" else self.unit
        return f"{value} {unit} ({self.status}{tail}): {self.about}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show at the end of a cell what is printed; ``repr`` has all parts."""
        printer.text(str(self))
