"""The exact slack of what is published beside the classes, and why there is none where it is not computed."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.errors import DomainError, LimitError, PdpError, Where
from pdp_widgets.leakage.noiseless.anonymity_inputs import Neighbour, ReleaseKind
from pdp_widgets.leakage.noiseless.convolutions import Powers, growing_work
from pdp_widgets.leakage.noiseless.events import least_epsilon
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.record_sum import LARGEST_LATTICE, LatticeLaw, RecordSum, common_step
from pdp_widgets.leakage.noiseless.sampled_groups import LARGEST_SET, set_release_slack
from pdp_widgets.leakage.noiseless.slack import Events
from pdp_widgets.leakage.noiseless.sum_slack import presence_laws, shifted_laws, slack_of_sums

Floats = NDArray[np.float64]

_WHOLE = 1e-9
#: Probabilities of a law sum to 1 but for this: laws that never meet are told apart with certainty.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class HiddenRelease:
    """A count, a sum or records, hidden by other records that the adversary does not know.

    Parameters
    ----------
    kind
        What is published, see `Released`.
    law
        That of one record: 0 and 1 for a count.
    range
        Its largest value minus its smallest, in units of the values; 1 for a count.
    k
        Below it counts and records are withheld; records that the adversary knows count too.
    others
        Unknown records other than those that move with the target.
    block
        Records that move together, 1 or more.
    neighbour
        ``"value"`` or ``"presence"``.
    shift
        Change of what is published with the target's value; None for the block's range.
    targets
        Unknown records that move together with the target, itself counted: the block, or fewer where fewer
        are unknown; 0 where everybody is known.
    counted
        How many of the known records may have the value that is counted, at most.

    Notes
    -----
    To an adversary who knows that c records have the value, less than k - c of the others are withheld. What
    is withheld below a number can be made from what is withheld below a smaller one: the slack for any event
    is largest for the largest c.

    Examples
    --------
    >>> one = HiddenRelease("count", RecordLaw.bernoulli(0.1), 1.0, 5, 69)
    >>> round(float(one.slack(np.array([1.0]))[0]), 7)
    0.0097963
    """

    kind: ReleaseKind
    law: RecordLaw
    range: float
    k: int
    others: int
    block: int = 1
    neighbour: Neighbour = "value"
    shift: float | None = None
    targets: int = 1
    counted: int = 0

    @property
    def least_shown(self) -> int:
        """The least number of unknown records with the value that is published, 1 or more.

        Of those who know that `counted` records have it: for them least is withheld.
        """
        return max(1, self.k - self.counted)

    @property
    def unknown(self) -> int:
        """Number of unknown records, the target's counted."""
        return self.others + self.targets

    @property
    def moved(self) -> float:
        """The largest change of the sum, in units of the values.

        A record that is there or not adds its whole value: the largest of these, not their range, counts.
        """
        if self.neighbour == "presence":
            largest = max(abs(self.law.least), abs(self.law.most))
            return self.block * (largest if self.kind == "sum" else self.range)
        return self.block * self.range if self.shift is None else abs(self.shift)

    @cached_property
    def fault(self) -> PdpError | None:
        """Why nothing exact is computed; None where something is."""
        where = Where("parameter", name="release")
        if self.kind == "records":
            if self.others >= LARGEST_SET:
                return LimitError("too many records are unknown", where)
            if self.block == 1:
                return None
            return DomainError(
                "published records are computed for records without dependence only",
                Where("parameter", name="neighbours"),
            )
        points = law_points(self.law)
        if points is None:
            return DomainError("values have no common step", where)
        present = self.block if self.neighbour == "presence" else 0
        if (points - 1) * (self.others + present) + 1 > LARGEST_LATTICE:
            return LimitError("the sum has too many values", where)
        step = common_step([self.law])
        if self.neighbour == "value" and not _is_whole(self.moved / step):
            return DomainError(
                "the change in the sum is no multiple of the step of the values",
                Where("parameter", name="shift"),
            )
        return None

    @cached_property
    def laws(self) -> tuple[Floats, Floats]:
        """The laws of what is published if the target changed, or is there, and if not, on common outcomes.

        Raises
        ------
        PdpError
            See `fault`.
        """
        self._refuse()
        others = unknown_others(self.law, self.others, self.block)
        if self.kind == "suppressed":
            return self._suppressed(others.law)
        if self.neighbour == "presence":
            if not _is_whole(self.block * self.law.least / common_step([self.law])):
                # The sums with and without the target have no value in common.
                return np.array([1.0, 0.0]), np.array([0.0, 1.0])
            return presence_laws(others, self.law.scaled(self.block))
        same, changed = shifted_laws(others.law, self.moved)
        return changed, same

    def _suppressed(self, law: LatticeLaw) -> tuple[Floats, Floats]:
        """Return the laws of a count whose values that are withheld are one outcome."""
        counts = np.round(law.values, 9)
        # Beyond all counts it does not matter how far.
        steps = min(self.moved, LARGEST_LATTICE + float(self.k))
        moved = np.round(counts + (self.block if self.neighbour == "presence" else steps), 9)
        outcomes = np.union1d(counts, moved)
        without, with_ = np.zeros((2, len(outcomes)))
        without[np.searchsorted(outcomes, counts)] = law.probabilities
        with_[np.searchsorted(outcomes, moved)] = law.probabilities
        if self.neighbour == "presence":
            share = self.law.raw(1)
            with_ = share * with_ + (1 - share) * without
        withheld = int((outcomes < self.least_shown).sum())
        return _merged(with_, withheld), _merged(without, withheld)

    def slack(self, epsilons: Floats, events: Events = "all") -> Floats:
        """Return the least delta at every epsilon, shape (m,).

        Raises
        ------
        PdpError
            See `fault`.
        """
        if self.kind != "records":
            found = slack_of_sums(*self.laws, epsilons, events)
            return np.where(found >= 1 - _ROUNDING, 1.0, found)
        self._refuse()
        share, least = self.law.raw(1), self.least_shown
        if not 0 < share < 1 or least > self.others + 1:
            always = share == 1 and least <= self.others + 1
            return np.full(len(epsilons), 1.0 if always else 0.0)
        return set_release_slack(self.others + 1, least, share, epsilons).delta

    @property
    def found(self) -> bool:
        """Whether the law of the others is there, which takes longest."""
        return self.kind == "records" or unknown_others(self.law, self.others, self.block).found

    def slack_once(self, epsilon: float) -> float:
        """Return the least delta at one epsilon; the laws are not kept: many take much memory."""
        return float(replace(self).slack(np.array([epsilon]))[0])

    def _refuse(self) -> None:
        if self.fault is None:
            return
        found: PdpError = self.fault
        if self.kind == "records":
            many = isinstance(found, LimitError)
            instead = f"at most {LARGEST_SET:,} are" if many else "choose level I or III, or 1 neighbour"
        elif isinstance(found, LimitError):
            instead = f"at most {LARGEST_LATTICE:,} are added up. Ask for a bound, or round the values"
        else:
            instead = "ask for a bound"
        # Anew each time: an error keeps where it was raised.
        raise type(found)(f"The exact slack is not computed: {found}; {instead}.", found.where)

    def least_epsilon(self, delta: float) -> float:
        """Return the least epsilon with a slack of at most delta, in nats; infinite where there is none."""
        if self.kind != "records":
            return least_epsilon(*self.laws, delta)
        return _bisected(self, delta)


def _bisected(one: HiddenRelease, delta: float) -> float:
    def over(epsilon: float) -> bool:
        return bool(one.slack(np.array([epsilon]))[0] > delta)

    if not over(0.0):
        return 0.0
    if over(float("inf")):
        return float("inf")
    low, high = 0.0, 1.0
    while over(high):
        low, high = high, 2 * high
    while high - low > 1e-12 * max(1.0, high):
        middle = (low + high) / 2
        low, high = (middle, high) if over(middle) else (low, middle)
    return high


def _is_whole(number: float) -> bool:
    if not math.isfinite(number):
        return False
    near = round(number)
    # A little is not nothing.
    return abs(number - near) <= _WHOLE * max(1.0, abs(number)) and (near != 0 or number == 0)


def _merged(law: Floats, withheld: int) -> Floats:
    return np.concatenate([[law[:withheld].sum()], law[withheld:]]) if withheld else law


_ASKED = Lock()


def _unlocked() -> None:
    """Let a forked process ask, whatever was asked for when it began."""
    global _ASKED
    _ASKED = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlocked)


def unknown_others(law: RecordLaw, others: int, block: int) -> RecordSum:
    """Return the sum of the others, in blocks of equal records; its law is found once, for all threads."""
    with _ASKED:
        return _others(law, others, block)


@lru_cache(maxsize=128)
def _others(law: RecordLaw, others: int, block: int) -> RecordSum:
    return RecordSum.blocks(law, others, block)


@lru_cache(maxsize=128)
def law_points(law: RecordLaw) -> int | None:
    """Return how many points of its lattice a law reaches over; None where values have no common step."""
    try:
        return 1 + round(law.range / common_step([law]))
    except PdpError:
        return None


def laws_work(releases: Iterable[HiddenRelease]) -> float:
    """Return about how many multiplications the laws take of releases that differ in who is unknown."""
    # Laws of more records are made from those of fewer. Releases with a fault have no law.
    counts: dict[RecordLaw, list[int]] = {}
    for one in releases:
        if one.fault is None and one.kind != "records":
            counts.setdefault(one.law, []).append(one.others // one.block)
    return sum(growing_work(law_points(law) or 0, many) for law, many in counts.items())


def find_laws(releases: Iterable[HiddenRelease], progress: ProgressHook | None = None) -> None:
    """Find the laws of releases that differ in who is unknown, those of fewer records first."""
    listed = sorted((one for one in releases if one.fault is None), key=lambda one: one.others // one.block)
    powers = Powers(progress, laws_work(listed))
    for one in listed:
        if one.kind != "records":
            unknown_others(one.law, one.others, one.block).find(powers)


def unknown_records(records: int, known: float, neighbours: int) -> tuple[int, int, int]:
    """Return how many others are unknown, how many records a block has, and how many move with the target."""
    unknown = records - math.floor(known * records + 0.5)
    targets = min(neighbours, unknown)
    return unknown - targets, max(1, targets), targets


@lru_cache(maxsize=256)
def hidden_release(*parts: Any) -> HiddenRelease:
    """Return a release with what hides one record in it; its laws are found once."""
    return HiddenRelease(*parts)
