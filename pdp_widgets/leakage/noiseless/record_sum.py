"""The sum of the records that the adversary does not know: what hides the target's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pdp_widgets.errors import TableError, Where
from pdp_widgets.leakage.noiseless.convolutions import Powers
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.sum_law import LatticeLaw, sum_law
from pdp_widgets.mechanisms.anonymity.parameters import LARGEST_COUNT
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.models.labels import shown

__all__ = ["RecordSum", "as_record_sum", "shifted_words"]


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
            law, count = RecordLaw.of(pair[0]), as_size(pair[1], "count", 0, LARGEST_COUNT)
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
            as_size(size, "size", 0, LARGEST_COUNT),
            as_size(neighbours, "neighbours", 1, LARGEST_COUNT),
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
    """Say that a sum is compared with the same sum that is higher by a shift.

    Examples
    --------
    >>> shifted_words(RecordSum.equal({0: 0.5, 1: 0.5}, 100), 2.0)
    'sum of 100 unknown records, against the sum 2 higher'
    """
    return f"sum of {others.size:,} unknown records, against the sum {shift:.6g} higher"


def as_record_sum(records: Any) -> RecordSum:
    """Return a sum from one, or from pairs of a law and a number of records.

    Examples
    --------
    >>> as_record_sum([({0: 0.5, 1: 0.5}, 100)]).size
    100
    """
    return records if isinstance(records, RecordSum) else RecordSum(records)


def _no_records(given: object) -> TableError:
    return TableError(
        f"The records are {shown(given)}; give pairs of a law and a number of records, such as "
        "({0: 0.9, 1: 0.1}, 60).",
        Where("parameter", name="records"),
    )
