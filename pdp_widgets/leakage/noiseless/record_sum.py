"""The law of a sum of independent records, and of the same sum around a target.

Laws are added by a tree of direct convolutions. One by Fourier transform is off by about 1e-16 everywhere,
which is more than the tails that decide here; terms of a direct one are all positive, so that every
probability is right to many digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import MOST_EXACT, as_size
from pdp_widgets.errors import DomainError, LimitError, TableError, Where
from pdp_widgets.leakage.noiseless.convolutions import Placed, Powers, added, stretched
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import shown

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
    """Return the largest step such that values of each law differ by multiples of it."""
    found, scale = _whole(laws)
    gaps = [np.diff(values) for values in found if len(values) > 1]
    return (int(np.gcd.reduce(np.concatenate(gaps))) if gaps else scale) / scale


def sum_law(records: Records, powers: Powers | None = None) -> LatticeLaw:
    """Return the law of the sum of independent records."""
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
    """Return values as whole numbers of a common decimal unit, and how many of these make 1."""
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


@dataclass(frozen=True)
class RecordSum:
    """The sum of independent records, the target's left out.

    Parameters
    ----------
    records
        Pairs of a law and the number of records that have it, 0 or more.

    Raises
    ------
    TableError
        A pair is none.
    BudgetError
        A number of records is not whole, or negative.

    Examples
    --------
    >>> others = RecordSum.equal(RecordLaw.bernoulli(0.5), 100)
    >>> others.size, others.mean, others.variance, others.ratio
    (100, 50.0, 25.0, 0.1)
    """

    records: tuple[tuple[RecordLaw, int], ...] = ()

    def __post_init__(self) -> None:
        given: Any = self.records
        if isinstance(given, Mapping | str) or not isinstance(given, Iterable):
            raise _no_records(given)
        found: dict[RecordLaw, int] = {}
        for pair in given:
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise _no_records(pair)
            law, count = RecordLaw.of(pair[0]), as_size(pair[1], "count", 0, MOST_EXACT)
            if count:
                found[law] = found.get(law, 0) + count
        object.__setattr__(self, "records", tuple(found.items()))

    @classmethod
    def equal(cls, law: RecordLaw | Mapping[Any, float], size: int) -> RecordSum:
        """Return the sum of records that all have one law.

        Examples
        --------
        >>> RecordSum.equal({0: 0.9, 5: 0.1}, 60).mean
        30.0
        """
        return cls(((RecordLaw.of(law), size),))

    @classmethod
    def blocks(cls, law: RecordLaw | Mapping[Any, float], size: int, neighbours: int) -> RecordSum:
        """Return the sum of records that are equal in blocks, and independent between them.

        Parameters
        ----------
        law
            That of one record.
        size
            Number of records; those that fill no block form a smaller one.
        neighbours
            Records of a block, 1 or more.

        Examples
        --------
        >>> RecordSum.blocks(RecordLaw.bernoulli(0.5), 7, 3).records
        ((RecordLaw([0.0, 3.0], [0.5, 0.5]), 2), (RecordLaw([0.0, 1.0], [0.5, 0.5]), 1))
        """
        one = RecordLaw.of(law)
        most, block = (
            as_size(size, "size", 0, MOST_EXACT),
            as_size(neighbours, "neighbours", 1, MOST_EXACT),
        )
        whole, left = divmod(most, block)
        return cls(((one.scaled(block), whole), (one.scaled(left), 1 if left else 0)))

    @property
    def size(self) -> int:
        """The number of independent terms."""
        return sum(count for _, count in self.records)

    @property
    def mean(self) -> float:
        """The mean of the sum, in units of the values."""
        return float(sum(count * law.mean for law, count in self.records))

    @property
    def variance(self) -> float:
        """The variance of the sum, in squared units."""
        return float(sum(count * law.variance for law, count in self.records))

    @property
    def absolute_third(self) -> float:
        """The sum of the means of cubed distances from the mean, in cubed units."""
        return float(sum(count * law.absolute_third for law, count in self.records))

    @property
    def fourth(self) -> float:
        """The sum of the fourth central moments of the records."""
        return float(sum(count * law.central(4) for law, count in self.records))

    @property
    def ratio(self) -> float | None:
        """Lyapunov's ratio: `absolute_third` over the cubed standard deviation; None where that is 0.

        It does not depend on units, and is at least one over the root of the number of records.
        """
        spread = self.variance**0.5
        return self.absolute_third / spread**3 if spread > 0 else None

    @cached_property
    def law(self) -> LatticeLaw:
        """The law of the sum.

        Raises
        ------
        DomainError
            The values have no common step.
        LimitError
            The sum has more than 200,000 points.
        """
        return sum_law(self.records)

    def find(self, powers: Powers) -> None:
        """Find the law in steps, of which the powers are told; what they raise ends that.

        Parameters
        ----------
        powers
            What remembers laws of fewer of the same records.
        """
        if "law" not in self.__dict__:
            self.__dict__["law"] = sum_law(self.records, powers)

    @property
    def found(self) -> bool:
        """Whether the law is there."""
        return "law" in self.__dict__

    def __repr__(self) -> str:
        if len(self.records) == 1:
            return f"RecordSum.equal({self.records[0][0]!r}, {self.records[0][1]})"
        return f"RecordSum({self.size:,} records of {len(self.records):,} laws)"


def shifted_words(others: RecordSum, shift: float) -> str:
    """Say that a sum is compared with the same sum that is higher by a shift."""
    return f"sum of {others.size:,} unknown records, against the sum {shift:.6g} higher"


def as_record_sum(records: Any) -> RecordSum:
    """Return a sum from one, or from pairs of a law and a number of records."""
    return records if isinstance(records, RecordSum) else RecordSum(records)


def _no_records(given: object) -> TableError:
    return TableError(
        f"The records are {shown(given)}; give pairs of a law and a number of records, such as "
        "({0: 0.9, 1: 0.1}, 60).",
        Where("parameter", name="records"),
    )
