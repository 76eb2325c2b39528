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
from pdp_widgets.leakage.noiseless.convolutions import Placed, Powers, added, stretched
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["LARGEST_LATTICE", "LatticeLaw", "Records", "common_step", "decimal_numbers", "sum_law"]

Floats = NDArray[np.float64]
#: Laws, and how many independent records have each.
Records: TypeAlias = Sequence[tuple[RecordLaw, int]]

#: Sums of more points are refused.
LARGEST_LATTICE = 200_000
#: Values have at most so many decimal places.
_DECIMALS = 6


@dataclass(frozen=True, eq=False)
class LatticeLaw(EqualByFields, ReadOnlyArrays):
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


def sum_law(records: Records, powers: Powers | None = None) -> LatticeLaw:
    """Return the law of the sum of independent records.

    Parameters
    ----------
    records
        Laws, and how many records have each; none at all make the sum 0.
    powers
        What remembers laws of fewer equal records, where sums of more and more are found, and is told of
        every step.

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
            f"{8 * LARGEST_LATTICE / 1e6:.1f} MB. Give coarser values or fewer records.",
            Where("parameter", name="records"),
        )
    least = sum(int(values[0]) * count for values, (_, count) in zip(whole, kept, strict=True))
    known = Powers() if powers is None else powers
    parts: list[Placed] = []
    for values, (law, count) in zip(whole, kept, strict=True):
        # Its own step first: blocks of equal records are as narrow as one record.
        step = int(np.gcd.reduce(np.diff(values))) if len(values) > 1 else unit
        at = (values - values[0]) // step
        one = np.zeros(int(at[-1]) + 1)
        one[at] = law.probabilities
        parts.append(stretched(known.of(one, count), step // unit))
    while len(parts) > 1:
        pairs = [added(a, b, known.step) for a, b in zip(parts[::2], parts[1::2], strict=False)]
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
