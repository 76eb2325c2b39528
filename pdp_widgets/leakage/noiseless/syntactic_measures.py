"""Syntactic measures of a published table: diversity, closeness, and pairs of secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Chart, Level, Series, number
from pdp_widgets.core.results import Figures, Result
from pdp_widgets.errors import BudgetError, DomainError, TableError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable, Written
from pdp_widgets.mechanisms.anonymity.equivalence_classes import EquivalenceClasses
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import as_choice, how_many, short, shown

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SecretPairs:
    """How often classes and values occur together: pairs by class, then by value."""

    classes: int  # how many there are
    values: int  # how many published records have
    class_: Integers  # of every pair, shape (pairs,)
    value: Integers  # of every pair
    count: Integers  # records of every pair
    known: Integers  # records of every class with a value, shape (classes,)


def is_known(classes: EquivalenceClasses, secret: int) -> bool:
    """Return whether any published record has a value of a column."""
    return not classes.data.by_row[secret].missing[classes.row_number >= 0].all()


def secret_pairs(classes: EquivalenceClasses, secret: str | int) -> SecretPairs:
    """Return the pairs of a column; missing values are in none."""
    given: object = classes
    if not isinstance(given, EquivalenceClasses):
        raise DomainError(
            f"The classes are {shown(given)}; give EquivalenceClasses, such as anonymise makes.",
            Where("parameter", name="classes"),
        )
    _, places = classes.row_secrets(secret)
    there = (classes.row_number >= 0) & (places >= 0)
    if not there.any():
        name = classes.data.names[classes.data.place(secret)]
        raise TableError(
            f"No published record has a value of {short(name)}; choose another secret.",
            Where("parameter", name="secret"),
        )
    # Labels that no published record has do not count.
    different, value = np.unique(places[there], return_inverse=True)
    flat = classes.row_number[there] * len(different) + value
    pairs, place = np.unique(flat, return_inverse=True)
    count = classes.data.runs.sums(place, len(pairs), there)
    class_ = pairs // len(different)
    known = np.bincount(class_, weights=count, minlength=len(classes)).astype(np.int64)
    return SecretPairs(len(classes), len(different), class_, pairs % len(different), count, known)


Floats = NDArray[np.float64]


class SyntacticMeasure(EqualByFields, ReadOnlyArrays, Result, NumberTable):
    """Base of `LDiversity` and `TCloseness`: frozen dataclasses with a number for every class."""

    #: The letter of the papers, the heading of the column and of the axis, how it is printed, its unit, and
    #: where it is from.
    _letter: ClassVar[str]
    _heading: ClassVar[str]
    _axis: ClassVar[str]
    _written: ClassVar[Written]
    _unit: ClassVar[str]
    _source: ClassVar[str]

    secret: str
    by_class: Floats
    letters: tuple[str, ...]

    @property
    def _worst(self) -> float:
        """The number of the class that shows most, of those with a value."""
        raise NotImplementedError

    @property
    def _about(self) -> str:
        """Of what the number is, in words."""
        raise NotImplementedError

    @property
    def _title(self) -> str:
        """Heading of the figure."""
        raise NotImplementedError

    @property
    def _further(self) -> dict[str, Any]:
        """What the data frame says of itself beside unit, source and status."""
        return {}

    @property
    def status(self) -> Literal["exact"]:
        """How far the numbers can be trusted."""
        return "exact"

    @property
    def unit(self) -> str:
        """What the numbers are."""
        return self._unit

    @property
    def source(self) -> str:
        """The paper, and where in it."""
        return self._source

    def _figures(self) -> Figures:
        return {"classes": self._chart}

    def _chart(self) -> Chart:
        values = np.sort(self.by_class[~np.isnan(self.by_class)])
        return Chart(
            self._title,
            [Series("classes, exact", np.arange(1.0, len(values) + 1), values, mark="dots")],
            Axis("classes, in ascending order", whole=True),
            Axis(self._axis, low=0.0),
            [Level(f"{self._letter} = {number(self._worst)}", self._worst)],
            note=f"Of every class: {self._about}.",
        )

    def _numbers(self) -> Numbers:
        # Of no values there is no number.
        there = np.flatnonzero(~np.isnan(self.by_class))
        name = self._heading
        return Numbers(
            {"class": [self.letters[place] for place in there], name: self.by_class[there]},
            {"class": "text", name: self._written},
            {"unit": self._unit, "source": self._source, "status": {name: "exact"}, **self._further},
            (self._about,),
        )

    def __float__(self) -> float:
        return self._worst

    def _told(self) -> str:
        """Return the worst number, with its unit where it is none of 0 to 1."""
        unit = self._unit.removesuffix("s") if self._worst == 1 else self._unit
        return f"{self._worst:.6g}" + (f" {unit}" if unit != "probability" else "")

    def __str__(self) -> str:
        return f"{self._letter} = {self._told()} (exact): {self._about}"

    def __repr__(self) -> str:
        classes = len(self.by_class)
        return f"{type(self).__name__}({self._told()}, {self._about}, {how_many(classes, 'class')})"


DiversityKind: TypeAlias = Literal["distinct", "entropy"]
DIVERSITY_KINDS: tuple[DiversityKind, ...] = ("distinct", "entropy")


@dataclass(frozen=True, eq=False, repr=False)
class LDiversity(SyntacticMeasure):
    """The diversity of the secret in every class, and the least of them.

    Parameters
    ----------
    secret
        Name of the column.
    kind
        ``"distinct"``, the number of different values; ``"entropy"``, the exponential of their entropy.
    by_class
        Diversity of every class, a number of values, shape (classes,); NaN where no member has a value.
    letters
        Names of the classes.

    Examples
    --------
    >>> data = {"age": [1, 2, 3, 4], "ill": ["no", "yes", "no", "no"]}
    >>> classes = EquivalenceClasses(data, "age", 2, [[0, 1], [2, 3]])
    >>> print(l_diversity(classes, "ill"))
    l = 1 value (exact): distinct values of ill in a class
    >>> l_diversity(classes, "ill", "entropy").by_class.round(6).tolist()
    [2.0, 1.0]
    """

    _letter = "l"
    _heading = "diversity"
    _axis = "diversity, values"
    _written = "number"
    _unit = "values"
    _source = "Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, l-diversity, Definitions 4 and 5"

    secret: str
    kind: DiversityKind
    by_class: Floats
    letters: tuple[str, ...]

    @property
    def least(self) -> float:
        """The diversity of the least diverse class of those with a value, in values."""
        return float(np.nanmin(self.by_class))

    @property
    def single(self) -> int:
        """In how many classes all known secrets are the same; a missing one may be another."""
        return int((self.by_class == 1).sum())

    @property
    def _worst(self) -> float:
        return self.least

    @property
    def _about(self) -> str:
        what = "distinct values" if self.kind == "distinct" else "exponential of the entropy of the values"
        return f"{what} of {short(self.secret)} in a class"

    @property
    def _title(self) -> str:
        return f"Different secrets in a class: {self.secret}, {self.kind}"

    @property
    def _further(self) -> dict[str, Any]:
        return {"kind": self.kind}


def l_diversity(
    classes: EquivalenceClasses, secret: str | int, kind: DiversityKind = "distinct"
) -> LDiversity:
    """Return how diverse the secret is in every class.

    Parameters
    ----------
    classes
        The classes, see `anonymise`.
    secret
        A column; missing values are not counted.
    kind
        ``"distinct"`` or ``"entropy"``.

    Raises
    ------
    DomainError
        There is no such column.
    TableError
        No published record has a value.
    BudgetError
        The kind is none.

    Notes
    -----
    Machanavajjhala et al., "l-Diversity: Privacy beyond k-Anonymity" (TKDD 2007). A table has entropy
    l-diversity if the entropy of the secret is at least ln l in every class; the largest such l is given.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.anonymity.equivalence_classes import anonymise
    >>> from pdp_widgets.models.surveys import clinic
    >>> found = l_diversity(anonymise(clinic(), ["age", "weight"], 5), "diabetes")
    >>> found.least, found.single
    (1.0, 8)
    """
    chosen = as_choice(kind, "kind", DIVERSITY_KINDS, BudgetError)
    pairs = secret_pairs(classes, secret)
    if chosen == "distinct":
        found = np.bincount(pairs.class_, minlength=pairs.classes).astype(np.float64)
    else:
        shares = pairs.count / pairs.known[pairs.class_]
        found = np.exp(np.bincount(pairs.class_, -shares * np.log(shares), pairs.classes))
    found[pairs.known == 0] = np.nan
    name = classes.data.names[classes.data.place(secret)]
    return LDiversity(name, chosen, found, classes.letters)


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
    _axis = "distance, 0 to 1"
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
    def _title(self) -> str:
        return f"How far the secrets of a class are from all: {self.secret}"

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
    >>> from pdp_widgets.mechanisms.anonymity.equivalence_classes import anonymise
    >>> from pdp_widgets.models.surveys import clinic
    >>> print(t_closeness(anonymise(clinic(), ["age", "weight"], 5), "diabetes"))
    t = 0.525 (exact): earth mover's distance of diabetes, all values equally far
    """
    pairs = secret_pairs(classes, secret)
    column = classes.data.by_row[classes.data.place(secret)]
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
