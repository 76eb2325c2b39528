"""The law of one record's value, as the adversary sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import FINITE, PROBABILITY, as_size
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import shown
from pdp_widgets.models.runs import as_runs

Floats = NDArray[np.float64]

#: The fourth power of values up to this, and the sum of many, are finite.
_LARGEST = 1e60
_MOST_POWER = 4
#: Probabilities sum to 1 within this.
_TOTAL = 1e-12


class RecordLaw(Immutable):
    """What values a record may have, and how likely they are.

    Parameters
    ----------
    values
        The values, shape (m,); the same value twice counts once, with both probabilities.
    probabilities
        Their probabilities, same shape; they sum to 1 within 1e-12.

    Raises
    ------
    TableError
        A value is not finite, a probability is negative, or they do not sum to 1.

    Examples
    --------
    >>> law = RecordLaw([0, 5], [0.9, 0.1])
    >>> law, law.mean, round(law.variance, 12)
    (RecordLaw([0.0, 5.0], [0.9, 0.1]), 0.5, 2.25)
    >>> RecordLaw.of({0: 0.9, 5: 0.1}) == law
    True
    """

    __slots__ = ("_probabilities", "_values")
    _probabilities: Floats
    _values: Floats

    def __init__(self, values: ArrayLike, probabilities: ArrayLike) -> None:
        self._begin()
        given = _numbers(values, "values"), _numbers(probabilities, "probabilities")
        if given[0].shape != given[1].shape or given[0].ndim != 1 or not given[0].size:
            raise TableError(
                f"The values have the shape {given[0].shape} and the probabilities {given[1].shape}; give "
                "one probability for each value, and at least one value.",
                Where("table"),
            )
        _check(*given)
        kept = given[1] > 0
        found, at = np.unique(given[0][kept] + 0.0, return_inverse=True)
        weights = np.bincount(at.ravel(), given[1][kept], len(found)).astype(np.float64)
        for name, part in (("_values", found), ("_probabilities", weights)):
            part.setflags(write=False)
            object.__setattr__(self, name, part)

    @classmethod
    def of(cls, law: RecordLaw | Mapping[Any, float]) -> RecordLaw:
        """Return a law from one, or from probabilities by value.

        Raises
        ------
        TableError
            It is neither.

        Examples
        --------
        >>> RecordLaw.of({-1: 0.5, 1: 0.5}).range
        2.0
        """
        if isinstance(law, RecordLaw):
            return law
        if not isinstance(law, Mapping):
            raise TableError(
                f"The law is {shown(law)}; give a RecordLaw, or probabilities by value such as "
                f"{{0: 0.9, 1: 0.1}}.",
                Where("parameter", name="law"),
            )
        return cls(list(law.keys()), list(law.values()))

    @classmethod
    def bernoulli(cls, share: float) -> RecordLaw:
        """Return the law of a record that counts, 1, with a probability, and else does not, 0.

        Parameters
        ----------
        share
            The probability, 0 to 1.

        Examples
        --------
        >>> RecordLaw.bernoulli(0.25)
        RecordLaw([0.0, 1.0], [0.75, 0.25])
        """
        number = PROBABILITY.take(share, "share", TableError)
        return cls([0.0, 1.0], [1 - number, number])

    @classmethod
    def empirical(cls, values: ArrayLike, counts: ArrayLike | None = None) -> RecordLaw:
        """Return the law of a value drawn from a list, every entry alike.

        Parameters
        ----------
        values
            The entries, shape (n,).
        counts
            How many records each entry stands for, 1 or more, shape (n,); without it one.

        Raises
        ------
        TableError
            There is no entry, one is not finite, or the counts are no whole numbers, one for each.

        Examples
        --------
        >>> RecordLaw.empirical([3, 1, 3, 3])
        RecordLaw([1.0, 3.0], [0.25, 0.75])
        >>> RecordLaw.empirical([3, 1], [30_000_000, 10_000_000])
        RecordLaw([1.0, 3.0], [0.25, 0.75])
        """
        given = _numbers(values, "values")
        if given.ndim != 1 or not given.size:
            raise TableError(
                f"The values have the shape {given.shape}; give a list with at least one.", Where("table")
            )
        if not np.isfinite(given).all():
            _check(given, np.full(given.shape, 1 / given.size))
        runs = as_runs(counts, len(given))
        found, place = np.unique(given + 0.0, return_inverse=True)
        return cls(found, runs.sums(place, len(found)) / runs.records)

    @property
    def values(self) -> Floats:
        """The values that can occur, ascending, shape (m,), read-only."""
        return self._values

    @property
    def probabilities(self) -> Floats:
        """Their probabilities, shape (m,), read-only."""
        return self._probabilities

    @property
    def least(self) -> float:
        """The smallest value."""
        return float(self._values[0])

    @property
    def most(self) -> float:
        """The largest value."""
        return float(self._values[-1])

    @property
    def range(self) -> float:
        """The largest value minus the smallest, in units of the values."""
        return self.most - self.least

    @property
    def mean(self) -> float:
        """The mean, in units of the values."""
        return float(self._values @ self._probabilities)

    @property
    def _apart(self) -> Floats:
        """Signed distances from the mean, shape (m,); from the least value on, which loses no digits."""
        above: Floats = self._values - self._values[0]
        return above - above @ self._probabilities

    @property
    def variance(self) -> float:
        """The variance, in squared units."""
        return self.central(2)

    @property
    def absolute_third(self) -> float:
        """The mean of the cubed distance from the mean, never negative, in cubed units."""
        return float(np.abs(self._apart) ** 3 @ self._probabilities)

    def central(self, power: int) -> float:
        """Return the mean of a power of the signed distance from the mean.

        Examples
        --------
        >>> round(RecordLaw.bernoulli(0.9).central(3), 12)
        -0.072
        """
        return float(self._apart ** as_size(power, "power", 0, _MOST_POWER) @ self._probabilities)

    def raw(self, power: int) -> float:
        """Return the mean of a power of the value.

        Examples
        --------
        >>> RecordLaw([-1, 1], [0.5, 0.5]).raw(4)
        1.0
        """
        return float(self._values ** as_size(power, "power", 0, _MOST_POWER) @ self._probabilities)

    def scaled(self, factor: float) -> RecordLaw:
        """Return the law of a multiple of the value.

        Examples
        --------
        >>> RecordLaw.bernoulli(0.5).scaled(10)
        RecordLaw([0.0, 10.0], [0.5, 0.5])
        """
        return RecordLaw(self._values * FINITE.take(factor, "factor"), self._probabilities)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecordLaw):
            return NotImplemented
        return np.array_equal(self._values, other._values) and np.array_equal(
            self._probabilities, other._probabilities
        )

    def __hash__(self) -> int:
        return hash((self._values.tobytes(), self._probabilities.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._values, self._probabilities)

    def __repr__(self) -> str:
        if len(self._values) > 6:
            return f"RecordLaw({len(self._values):,} values from {self.least:.6g} to {self.most:.6g})"
        return f"RecordLaw({self._values.tolist()}, {self._probabilities.tolist()})"


def _numbers(given: ArrayLike, name: str) -> Floats:
    refuse_masked(given, name)
    try:
        return plain_numbers(given)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The {name} are {shown(given)}; give a list of numbers.", Where("parameter", name=name)
        ) from None


def _check(values: Floats, probabilities: Floats) -> None:
    for name, numbers, good, demand in (
        ("values", values, np.abs(values) <= _LARGEST, f"it must be a finite number up to {_LARGEST:g}"),
        ("probabilities", probabilities, probabilities >= 0, "it must be 0 or more"),
    ):
        if not good.all():
            at = int(np.argmin(good))
            raise TableError(
                f"Entry {at:,} of the {name} is {numbers[at]:.12g}; {demand}.", Where("cell", index=(at,))
            )
    with np.errstate(over="ignore"):
        total = float(probabilities.sum())
    if not abs(total - 1) <= _TOTAL:
        raise TableError(
            f"The probabilities sum to {total:.15g}; they must sum to 1 within {_TOTAL:g}.", Where("table")
        )
