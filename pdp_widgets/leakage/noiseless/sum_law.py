"""The law of a sum of independent records on a lattice: a tree of direct convolutions.

A convolution by Fourier transform is off by about 1e-16 everywhere, which is more than the tails that decide
here; terms of a direct one are all positive, so that every probability is right to many digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DomainError, LimitError, Where
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.mechanisms.anonymity.binomial_law import binomial_law
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["LARGEST_LATTICE", "LatticeLaw", "Records", "common_step", "decimal_numbers", "sum_law"]

Floats = NDArray[np.float64]
#: Laws, and how many independent records have each.
Records: TypeAlias = Sequence[tuple[RecordLaw, int]]

#: Sums of more points are refused.
LARGEST_LATTICE = 200_000
#: Values have at most so many decimal places.
_DECIMALS = 6
#: End entries below this are dropped: numbers near the smallest float are slow.
_DROPPED = 1e-280
#: The product of two smaller probabilities is dropped; raised by the factor, that with any other is no
# denormal.
_END, _RAISED = 1e-140, 2.0**400
#: A law with fewer positive entries than one in so many is added shifted, entry by entry.
_SPARSE = 32


@dataclass(frozen=True, eq=False)
class LatticeLaw(ReadOnlyArrays):
    """Probabilities of equally spaced values.

    Parameters
    ----------
    start
        Position of the first value, in steps from ``origin``.
    probabilities
        Shape (m,); ends below 1e-280 are left out.
    step
        Distance of neighbouring values, in units of the values.
    origin
        The value at position 0.

    Examples
    --------
    >>> found = sum_law([(RecordLaw.bernoulli(0.5), 2)])
    >>> found.values.tolist(), found.probabilities.tolist()
    ([0.0, 1.0, 2.0], [0.25, 0.5, 0.25])
    """

    start: int
    probabilities: Floats
    step: float
    origin: float = 0.0

    @property
    def values(self) -> Floats:
        """The values, ascending, shape (m,)."""
        return np.asarray(
            self.origin + self.step * (self.start + np.arange(len(self.probabilities))), dtype=np.float64
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LatticeLaw):
            return NotImplemented
        mine, theirs = (self.start, self.step, self.origin), (other.start, other.step, other.origin)
        return mine == theirs and np.array_equal(self.probabilities, other.probabilities)

    def __hash__(self) -> int:
        return hash((self.start, self.step, self.origin, self.probabilities.tobytes()))

    def __repr__(self) -> str:
        low, high = self.values[0], self.values[-1]
        points = f"{len(self.probabilities):,} values from {low:.6g} to {high:.6g}"
        return f"LatticeLaw({points}, step {self.step:.6g})"


def common_step(laws: Sequence[RecordLaw]) -> float:
    """Return the largest step such that values of each law differ by multiples of it.

    Raises
    ------
    DomainError
        A value has more than six decimal places: the values have no common step.

    Examples
    --------
    >>> common_step([RecordLaw([0, 5], [0.5, 0.5]), RecordLaw([1, 16], [0.5, 0.5])])
    5.0
    >>> common_step([RecordLaw([0.1, 0.4, 0.8], [0.5, 0.25, 0.25])])
    0.1
    """
    found, scale = _whole(laws)
    gaps = [np.diff(values) for values in found if len(values) > 1]
    return (int(np.gcd.reduce(np.concatenate(gaps))) if gaps else scale) / scale


def sum_law(records: Records) -> LatticeLaw:
    """Return the law of the sum of independent records.

    Parameters
    ----------
    records
        Laws, and how many records have each; none at all make the sum 0.

    Raises
    ------
    DomainError
        The values have no common step.
    LimitError
        The sum has more than 200,000 points.

    Examples
    --------
    >>> fair = RecordLaw.bernoulli(0.5)
    >>> sum_law([(fair, 3), (RecordLaw([0, 10], [0.5, 0.5]), 1)])
    LatticeLaw(14 values from 0 to 13, step 1)
    """
    kept = [(law, count) for law, count in records if count]
    whole, scale = _whole([law for law, _ in kept])
    gaps = [np.diff(values) for values in whole if len(values) > 1]
    unit = int(np.gcd.reduce(np.concatenate(gaps))) if gaps else scale
    points = 1 + sum(
        (int(values[-1]) - int(values[0])) // unit * count
        for values, (_, count) in zip(whole, kept, strict=True)
    )
    if points > LARGEST_LATTICE:
        raise LimitError(
            f"The sum has {points:,} points; at most {LARGEST_LATTICE:,} are computed, of which a law takes "
            f"{8 * LARGEST_LATTICE / 1e6:.1f} MB and about a second. Give coarser values or fewer records.",
            Where("parameter", name="records"),
        )
    least = sum(int(values[0]) * count for values, (_, count) in zip(whole, kept, strict=True))
    parts: list[tuple[int, Floats]] = []
    for values, (law, count) in zip(whole, kept, strict=True):
        at = (values - values[0]) // unit
        one = np.zeros(int(at[-1]) + 1)
        one[at] = law.probabilities
        parts.append(_power((0, one), count))
    while len(parts) > 1:
        pairs = [_added(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + parts[len(parts) // 2 * 2 :]
    start, probabilities = parts[0] if parts else (0, np.ones(1))
    return LatticeLaw(start, probabilities, unit / scale, least / scale)


def decimal_numbers(values: Sequence[float]) -> tuple[list[int], int]:
    """Return values as whole numbers of a common decimal unit, and how many of these make 1.

    Raises
    ------
    DomainError
        One has more than six decimal places.
    LimitError
        One is too large to be exact.

    Examples
    --------
    >>> decimal_numbers([0.1, 2.25])
    ([10, 225], 100)
    """
    together = np.asarray(values, dtype=np.float64)
    for decimals in range(_DECIMALS + 1):
        scale = 10**decimals
        near = np.rint(together * scale)
        size = np.abs(near)
        # Rounding of a decimal number is forgiven, and a little of what arithmetic adds; never a part of a
        # unit.
        if (np.abs(together * scale - near) <= 1e-9 * np.clip(size, 1.0, 1e3) + 4e-16 * size).all():
            break
    else:
        raise DomainError(
            f"The values have no common step: some have more than {_DECIMALS} decimal places. Round them to "
            "compute the exact law of their sum.",
            Where("parameter", name="records"),
        )
    largest = float(np.abs(near).max(initial=0.0))
    if largest >= 2.0**53:
        raise LimitError(
            f"The values reach {largest / scale:.6g}, in steps of 1/{scale:,}; whole numbers are exact below "
            "9e15 steps only.",
            Where("parameter", name="records"),
        )
    return near.astype(np.int64).tolist(), scale


def _whole(laws: Sequence[RecordLaw]) -> tuple[list[NDArray[np.int64]], int]:
    """Return the values of laws as whole numbers of a common decimal unit, and how many make 1."""
    if not laws:
        return [], 1
    found, scale = decimal_numbers(np.concatenate([law.values for law in laws]).tolist())
    ends = np.cumsum([len(law.values) for law in laws])[:-1]
    whole = list(np.split(np.asarray(found, dtype=np.int64), ends))
    if any((np.diff(values) == 0).any() for values in whole):
        raise DomainError(
            "The values have no common step: some differ by less than the last decimal place that counts.",
            Where("parameter", name="records"),
        )
    return whole, scale


def _power(law: tuple[int, Floats], count: int) -> tuple[int, Floats]:
    """Return the law of a sum of equal records, by repeated squaring; of two values it is binomial."""
    places = np.flatnonzero(law[1])
    if len(places) == 2 and count > 1:
        low, high = law[1][places]
        one = np.zeros((len(law[1]) - 1) * count + 1)
        total = float(low + high)
        share, rest = float(high) / total, float(low) / total
        one[places[0] * count :: places[1] - places[0]] = binomial_law(count, share, q=rest)
        return _without_ends(law[0] * count, one)
    found: tuple[int, Floats] | None = None
    while True:
        if count & 1:
            found = law if found is None else _added(found, law)
        count >>= 1
        if not count:
            assert found is not None
            return found
        law = _added(law, law)


def _added(first: tuple[int, Floats], second: tuple[int, Floats]) -> tuple[int, Floats]:
    """Return the law of a sum of two, without the ends that are next to nothing."""
    (start, long), (other, short) = sorted((first, second), key=lambda law: -len(law[1]))
    places = np.flatnonzero(short)
    if len(places) * _SPARSE < len(short):
        made = np.zeros(len(long) + len(short) - 1)
        for place in places:
            made[place : place + len(long)] += short[place] * long
    else:
        made = _convolved(long, short)
    return _without_ends(start + other, made)


def _convolved(first: Floats, second: Floats) -> Floats:
    """Return a convolution without products near the smallest float, which are slow.

    The ends of each law are multiplied up before they meet the middle of the other; what two ends make is
    below what is dropped anyway.
    """
    (low, high), (start, stop) = _middle(first), _middle(second)
    made = np.zeros(len(first) + len(second) - 1)
    made[low + start : high + stop - 1] = np.convolve(first[low:high], second[start:stop])
    for (law, ends), (other, begin, end) in (
        ((first, ((0, low), (high, len(first)))), (second, start, stop)),
        ((second, ((0, start), (stop, len(second)))), (first, low, high)),
    ):
        for left, right in ends:
            if right > left:
                part = np.convolve(law[left:right] * _RAISED, other[begin:end])
                made[left + begin : right + end - 1] += part / _RAISED
    return made


def _middle(law: Floats) -> tuple[int, int]:
    """Return the ends of the stretch outside which all probabilities are next to nothing."""
    kept = np.flatnonzero(law >= _END)
    return int(kept[0]), int(kept[-1]) + 1


def _without_ends(start: int, made: Floats) -> tuple[int, Floats]:
    kept = np.flatnonzero(made >= _DROPPED)
    low, high = (int(kept[0]), int(kept[-1]) + 1) if len(kept) else (0, len(made))
    return start + low, made[low:high]
