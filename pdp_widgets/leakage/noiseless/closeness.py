"""How far the secrets of each class are from those of the whole table: t-closeness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.noiseless.secret_pairs import SecretPairs, secret_pairs
from pdp_widgets.leakage.noiseless.syntactic_measure import SyntacticMeasure
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.models.labels import short

__all__ = ["TCloseness", "t_closeness"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class TCloseness(SyntacticMeasure):
    """The distance of the secrets of every class from those of all, and the largest of them.

    Parameters
    ----------
    secret
        Name of the column.
    ordered
        Whether values are as far apart as there are steps between them; else all are equally far.
    by_class
        Earth mover's distance of every class, 0 to 1, shape (classes,); NaN where no member has a value.
    letters
        Names of the classes.

    Examples
    --------
    >>> data = {"age": [1, 2, 3, 4], "ill": ["no", "yes", "no", "no"]}
    >>> classes = EquivalenceClasses(data, "age", 2, [[0, 1], [2, 3]])
    >>> print(t_closeness(classes, "ill"))
    t = 0.25 (exact): earth mover's distance of ill, all values equally far
    """

    _letter = "t"
    _heading = "distance"
    _written = "probability"
    _unit = "probability"
    _source = "Li, Li and Venkatasubramanian, t-closeness, section 4"

    secret: str
    ordered: bool
    by_class: Floats
    letters: tuple[str, ...]

    @property
    def largest(self) -> float:
        """The distance of the class that is farthest from the table."""
        return float(np.nanmax(self.by_class))

    @property
    def _worst(self) -> float:
        return self.largest

    @property
    def _about(self) -> str:
        how = "by steps of the order" if self.ordered else "all values equally far"
        return f"earth mover's distance of {short(self.secret)}, {how}"


def t_closeness(classes: EquivalenceClasses, secret: str | int) -> TCloseness:
    """Return how far the secrets of every class are from those of all published records.

    Numbers, and labels in a declared order, are as far apart as there are different values between them, the
    first and the last by 1. Labels in no order are all 1 apart.

    Parameters
    ----------
    classes
        The classes, see `anonymise`.
    secret
        A column; missing values are not counted.

    Raises
    ------
    DomainError
        There is no such column.
    TableError
        No published record has a value.

    Notes
    -----
    Li, Li and Venkatasubramanian, "t-Closeness: Privacy beyond k-Anonymity and l-Diversity" (ICDE 2007).

    Examples
    --------
    >>> from pdp_widgets.mechanisms.anonymity.anonymised import anonymise
    >>> from pdp_widgets.models.clinic import clinic
    >>> print(t_closeness(anonymise(clinic(), ["age", "weight"], 5), "diabetes"))
    t = 0.525 (exact): earth mover's distance of diabetes, all values equally far
    """
    pairs = secret_pairs(classes, secret)
    column = classes.data.column(secret)
    found = _ordered(pairs) if column.ordered else _equal(pairs)
    found[pairs.known == 0] = np.nan
    return TCloseness(column.name, column.ordered, np.clip(found, 0.0, 1.0), classes.letters)


def _shares(pairs: SecretPairs) -> tuple[Floats, Floats]:
    """Return the share of every pair in its class, and of every value in the table."""
    whole = np.bincount(pairs.value, pairs.count, pairs.values)
    return pairs.count / pairs.known[pairs.class_], whole / whole.sum()


def _equal(pairs: SecretPairs) -> Floats:
    own, whole = _shares(pairs)
    # What a class has too much of some values it has too little of others.
    more = np.maximum(own - whole[pairs.value], 0.0)
    return np.bincount(pairs.class_, more, pairs.classes).astype(np.float64)


def _ordered(pairs: SecretPairs) -> Floats:
    """Return the mean difference of cumulative shares; that of a class is constant between its values."""
    if pairs.values == 1:
        return np.zeros(pairs.classes)
    whole = np.cumsum(np.bincount(pairs.value, pairs.count, pairs.values))
    whole = whole / whole[-1]
    sums = np.concatenate([[0.0], np.cumsum(whole)])
    firsts = np.concatenate([[True], pairs.class_[1:] != pairs.class_[:-1]])
    counts = np.cumsum(pairs.count)
    before = np.maximum.accumulate(np.where(firsts, counts - pairs.count, 0))
    level = (counts - before) / pairs.known[pairs.class_]
    ends = np.where(np.append(firsts[1:], True), pairs.values, np.append(pairs.value[1:], pairs.values))
    turn = np.clip(np.searchsorted(whole, level), pairs.value, ends)
    below = level * (turn - pairs.value) - (sums[turn] - sums[pairs.value])
    above = (sums[ends] - sums[turn]) - level * (ends - turn)
    found = np.bincount(pairs.class_, below + above, pairs.classes)
    # Before the first value of a class its own share is 0.
    found[pairs.class_[firsts]] += sums[pairs.value[firsts]]
    distances: Floats = found / (pairs.values - 1)
    return distances
