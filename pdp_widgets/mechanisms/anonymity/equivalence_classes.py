"""Records put into classes that look alike, as they are published."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import COUNT
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.results import Figures, Result, TableResult
from pdp_widgets.errors import DomainError, LimitError, TableError, Where
from pdp_widgets.mechanisms.anonymity.class_map import class_map
from pdp_widgets.mechanisms.anonymity.mondrian import (
    Anonymiser,
    as_anonymiser,
    as_given,
    checked_groups,
    counts_rows,
    grouped_rows,
    mondrian,
)
from pdp_widgets.models.amount import Amount
from pdp_widgets.models.immutable import Immutable, read_only
from pdp_widgets.models.labels import Label, how_many, short, shown
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.microdata_columns import MicrodataColumn
from pdp_widgets.models.runs import merged_runs

__all__ = ["EquivalenceClasses", "anonymise", "classes_as_given", "letters_of", "range_words"]


@lru_cache(maxsize=8)
def letters_of(many: int) -> tuple[str, ...]:
    """Return so many names of classes."""
    found = []
    for place in range(many):
        name, left = "", place + 1
        while left:
            left, digit = divmod(left - 1, 26)
            name = chr(65 + digit) + name
        found.append(name)
    return tuple(found)


def range_words(column: MicrodataColumn, values: NDArray[np.float64], low: float, high: float) -> str:
    """Return what is published of one column of a class."""
    if low == high:
        return column.written(low)
    if column.labels is None:
        return f"{column.written(low)}{'–' if low >= 0 else ' to '}{column.written(high)}"
    if column.ordered:
        # A label may have "to" in it, as "$3k to $5k".
        return f"{column.written(low)} – {column.written(high)}"
    # Labels without a declared order: those that occur.
    return ", ".join(column.written(value) for value in np.unique(values).tolist())


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_RISK = "Sweeney, k-anonymity: a guess among the records of a class"
#: Cells of a table of classes by secret.
_MOST_CELLS = 1 << 24


class EquivalenceClasses(Immutable, Result, TableResult):
    """Records in classes of at least k that are published with the same values.

    Classes stand in the order of the lower ends of their ranges, then of their first record.

    Parameters
    ----------
    data
        The records, as `Microdata.of` takes them.
    quasi
        Names of the quasi-identifiers: columns that an adversary may know of a person, and that are published
        as ranges.
    k
        Least size of a class.
    groups
        Positions of records by class. Records with a missing quasi-identifier are in none: they are
        suppressed.

    Raises
    ------
    DomainError
        A column does not exist.
    BudgetError
        k is no whole number, 1 or more.
    TableError
        A record is in no group or in two, a group is smaller than k, or a group has a record with a missing
        quasi-identifier.

    Notes
    -----
    Records of counted data are numbered as in `Microdata`. What lists them (`number`, `rows`, `groups`,
    `members`, `suppressed`, `secret_values`, `to_dataframe`) refuses more than 100,000,000; the rest costs as
    much as the rows. Given groups name records, so the data are listed for them.

    Figures: ``"map"``, the first 200 classes and their records by the first two quasi-identifiers.

    Examples
    --------
    >>> data = Microdata({"age": [25, 64, 31, 58, None], "ill": ["no", "no", "yes", "no", "no"]})
    >>> found = EquivalenceClasses(data, "age", 2, [[1, 3], [0, 2]])
    >>> found
    EquivalenceClasses(2 classes of 2 or more, k = 2, by age, 1 record suppressed)
    >>> found.letters, found.groups, found.ranges
    (('A', 'B'), ((0, 2), (1, 3)), (('25–31',), ('58–64',)))
    """

    __slots__ = ("__dict__", "_data", "_k", "_number", "_quasi")

    _data: Microdata
    _quasi: tuple[int, ...]
    _k: int
    _number: Integers

    def __init__(self, data: Any, quasi: Any, k: int, groups: Any) -> None:
        self._begin()
        records, size = Microdata.of(data).listed(), COUNT.take(k, "k")
        places = records.places(quasi)
        complete = np.flatnonzero(~np.isnan(records.row_values(places)).any(axis=1))
        number = checked_groups(groups, records.records, size, complete)
        self._keep(records, places, size, complete, number[complete])

    @classmethod
    def _of(
        cls, data: Microdata, quasi: tuple[int, ...], k: int, complete: Integers, number: Integers
    ) -> EquivalenceClasses:
        """Return classes of complete rows from the checked number of the group of each."""
        made = cls.__new__(cls)
        made._keep(data, quasi, k, complete, number)
        return made

    def _keep(self, data: Microdata, quasi: tuple[int, ...], k: int, complete: Any, number: Integers) -> None:
        values = data.row_values(quasi)[complete]
        many = int(number.max()) + 1
        low = np.full((many, len(quasi)), np.inf)
        np.minimum.at(low, number, values)
        first = np.full(many, len(number))
        np.minimum.at(first, number, np.arange(len(number)))
        # The last key counts first.
        order = np.lexsort([first, *low.T[::-1]])
        place = np.empty(many, np.int64)
        place[order] = np.arange(many)
        whole = np.full(data.runs.many, -1, np.int64)
        whole[complete] = place[number]
        for slot, value in (
            ("_data", data),
            ("_quasi", quasi),
            ("_k", k),
            ("_number", read_only(whole)),
        ):
            object.__setattr__(self, slot, value)

    def _made(self) -> bool:
        return hasattr(self, "_data")

    @property
    def data(self) -> Microdata:
        """The records."""
        return self._data

    @property
    def quasi(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return tuple(self._data.names[place] for place in self._quasi)

    @property
    def k(self) -> int:
        """Least size of a class that was asked for."""
        return self._k

    @property
    def row_number(self) -> Integers:
        """Position of the class of every row of the data, -1 for a suppressed one, shape (rows,)."""
        return self._number

    @cached_property
    def number(self) -> Integers:
        """Position of the class of every record, -1 for a suppressed one, shape (n,)."""
        return np.asarray(read_only(self._data.runs.each(self._number)))

    @cached_property
    def _by_class(self) -> tuple[Integers, Integers]:
        """All published rows, class by class, and where each class begins among them."""
        order = np.argsort(self._number, kind="stable")[int((self._number < 0).sum()) :]
        return order, np.searchsorted(self._number[order], np.arange(len(self)))

    @cached_property
    def rows(self) -> Integers:
        """All published records, class by class, each in ascending order."""
        return np.asarray(read_only(self._data.runs.places(self._by_class[0])))

    @cached_property
    def sizes(self) -> Integers:
        """Number of records of every class, shape (classes,)."""
        there = self._number >= 0
        size = int(self._number.max()) + 1
        return np.asarray(read_only(self._data.runs.sums(self._number[there], size, there)))

    @cached_property
    def starts(self) -> Integers:
        """Where each class begins in `rows`, shape (classes,)."""
        return np.asarray(read_only(np.cumsum(self.sizes) - self.sizes))

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Positions of records by class."""
        rows, ends = self.rows.tolist(), np.cumsum(self.sizes).tolist()
        return tuple(tuple(rows[a:b]) for a, b in zip([0, *ends[:-1]], ends, strict=True))

    @property
    def achieved(self) -> int:
        """Least size of the classes there are."""
        return int(self.sizes.min())

    @property
    def unique(self) -> Integers:
        """Positions of records alone in their class: who knows the quasi-identifiers finds them."""
        return self.below(2)

    def below(self, k: int) -> Integers:
        """Return the positions of published records whose class has fewer than k.

        Raises
        ------
        BudgetError
            k is no whole number, 1 or more.

        Examples
        --------
        >>> classes_as_given({"age": [20, 40, 20, 30]}, "age").below(2).tolist()
        [1, 3]
        """
        small = self.sizes < COUNT.take(k, "k")
        return self._data.runs.places(np.flatnonzero((self._number >= 0) & small[self._number]))

    @property
    def highest_risk(self) -> Amount:
        """The largest probability to find a record: of one who knows that a person is in the table.

        One over the size of the smallest class, which is who guesses right among those that look alike.
        """
        return Amount(1 / self.achieved, "probability", "exact", _RISK)

    @property
    def average_risk(self) -> Amount:
        """The same probability, averaged over all published records: classes over records."""
        return Amount(len(self) / self.published, "probability", "exact", _RISK)

    @property
    def letters(self) -> tuple[str, ...]:
        """A, B, ..., Z, AA, ... of the classes."""
        return letters_of(len(self))

    @cached_property
    def published(self) -> int:
        """Number of records that are published."""
        return int(self.sizes.sum())

    @property
    def suppressed(self) -> Integers:
        """Positions of records with a missing quasi-identifier, which are not published."""
        return self._data.runs.places(np.flatnonzero(self._number < 0))

    @property
    def lost(self) -> int:
        """Number of records that are not published."""
        return self._data.records - self.published

    @cached_property
    def low(self) -> Floats:
        """Lower ends of the ranges, shape (classes, quasi-identifiers): numbers or positions of labels."""
        order, starts = self._by_class
        return np.asarray(read_only(np.minimum.reduceat(self._data.row_values(self._quasi)[order], starts)))

    @cached_property
    def high(self) -> Floats:
        """Upper ends of the ranges, shape (classes, quasi-identifiers)."""
        order, starts = self._by_class
        return np.asarray(read_only(np.maximum.reduceat(self._data.row_values(self._quasi)[order], starts)))

    @cached_property
    def ranges(self) -> tuple[tuple[str, ...], ...]:
        """What is published of the quasi-identifiers, by class, as text."""
        return tuple(self.ranges_of(place) for place in range(len(self)))

    def ranges_of(self, place: int) -> tuple[str, ...]:
        """Return what is published of the quasi-identifiers of one class, as text.

        Examples
        --------
        >>> data = Microdata({"age": [25, 31], "town": ["Ulm", "Bonn"]})
        >>> EquivalenceClasses(data, ["age", "town"], 2, [[0, 1]]).ranges_of(0)
        ('25–31', 'Ulm, Bonn')
        """
        rows = self.member_rows(place)
        return tuple(
            range_words(column, column.values[rows], self.low[place, j], self.high[place, j])
            for j, column in enumerate(self._data.by_row[one] for one in self._quasi)
        )

    def members(self, place: int, most: int | None = None) -> Integers:
        """Return the positions of the records of one class, or the first so many of them.

        Examples
        --------
        >>> EquivalenceClasses({"age": [25, 64, 31, 58]}, "age", 2, [[1, 3], [0, 2]]).members(1, 1).tolist()
        [1]
        """
        many = None if most is None else COUNT.take(most, "most")
        return self._data.runs.places(self.member_rows(place), many)

    def member_rows(self, place: int) -> Integers:
        """Return the positions of the rows of one class in the data."""
        if not is_whole(place) or not 0 <= place < len(self):
            raise DomainError(
                f"The class is {shown(place)}; give a position from 0 to {len(self) - 1:,}.",
                Where("parameter", name="place"),
            )
        order, starts = self._by_class
        return order[starts[place] : starts[place + 1] if place + 1 < len(self) else None]

    def of(self, row: int) -> int | None:
        """Return the position of the class of a record; None for a suppressed one.

        Examples
        --------
        >>> EquivalenceClasses({"age": [25, 64, 31, 58]}, "age", 2, [[1, 3], [0, 2]]).of(3)
        1
        """
        if not is_whole(row) or not 0 <= row < self._data.records:
            raise DomainError(
                f"The record is {shown(row)}; give a position from 0 to {self._data.records - 1:,}.",
                Where("parameter", name="row"),
            )
        place = int(self._number[self._data.runs.of(np.array([row]))[0]])
        return None if place < 0 else place

    def secret_values(self, name: str | int) -> tuple[tuple[Label, ...], Integers]:
        """Return the values that a column has, and the position of that of every record, -1 where missing.

        Examples
        --------
        >>> classes = EquivalenceClasses({"age": [25, 64], "visits": [3, 1]}, "age", 1, [[0], [1]])
        >>> values, places = classes.secret_values("visits")
        >>> values, places.tolist()
        ((1, 3), [1, 0])
        """
        values, places = self.row_secrets(name)
        return values, self._data.runs.each(places)

    def row_secrets(self, name: str | int) -> tuple[tuple[Label, ...], Integers]:
        """Return the values that a column has, and the position of that of every row, -1 where missing."""
        column: MicrodataColumn = self._data.by_row[self._data.place(name)]
        if column.labels is not None:
            return column.labels, np.where(column.missing, -1, column.values).astype(np.int64)
        there = ~column.missing
        different, place = np.unique(column.values[there], return_inverse=True)
        found = np.full(len(there), -1, np.int64)
        found[there] = place
        labels = [column.label(value) for value in different.tolist()]
        return tuple(label for label in labels if label is not None), found

    def secret_counts(self, name: str | int) -> Integers:
        """Return how many records of every class have each value of a column, shape (classes, values).

        Raises
        ------
        LimitError
            There would be more than 16,777,216 counts.

        Examples
        --------
        >>> data = Microdata({"age": [25, 64, 31, 58], "ill": ["no", "no", "yes", "no"]})
        >>> EquivalenceClasses(data, "age", 2, [[1, 3], [0, 2]]).secret_counts("ill").tolist()
        [[1, 1], [2, 0]]
        """
        values, places = self.row_secrets(name)
        if len(self) * len(values) > _MOST_CELLS:
            column = self._data.names[self._data.place(name)]
            raise LimitError(
                f"Column {short(column)} has {len(values):,} different values in {len(self):,} classes, more "
                f"than {_MOST_CELLS:,} counts; choose a column with fewer values.",
                Where("parameter", name="name"),
            )
        there = (self._number >= 0) & (places >= 0)
        flat = self._number[there] * len(values) + places[there]
        counts = self._data.runs.sums(flat, len(self) * len(values), there)
        return counts.reshape(len(self), len(values))

    def to_dataframe(self) -> Any:
        """Return the released table, one published record a row: its class, ranges, and the other columns.

        Examples
        --------
        >>> data = Microdata({"age": [25, 64, 31, 58], "ill": ["no", "no", "yes", "no"]})
        >>> print(EquivalenceClasses(data, "age", 2, [[1, 3], [0, 2]]).to_dataframe())
          class    age  ill
        0     A  25–31   no
        2     A  25–31  yes
        1     B  58–64   no
        3     B  58–64   no
        """
        frame = self._data.to_dataframe().iloc[self.rows]
        index = self.number[self.rows]
        letters = np.array(self.letters, dtype=object)
        for j, name in enumerate(self.quasi):
            frame[name] = np.array([one[j] for one in self.ranges], dtype=object)[index]
        name = "class"
        while name in frame.columns:
            name += "_"
        frame.insert(0, name, letters[index])
        return frame

    def _figures(self) -> Figures:
        return {"map": lambda: class_map(self)}

    def __len__(self) -> int:
        return len(self.sizes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EquivalenceClasses):
            return NotImplemented
        if (self._quasi, self._k, self._data) != (other._quasi, other._k, other._data):
            return False
        # Rows of the same records may be cut otherwise.
        (own, runs), (others, as_many) = (merged_runs([one._number], one._data.runs) for one in (self, other))
        return runs == as_many and np.array_equal(self._number[own], other._number[others])

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # The same for records that are counted and that are listed.
        return hash((self._data, self._quasi, self._k, self.sizes.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._data, self._quasi, self._k, np.asarray(self._number))

    def __repr__(self) -> str:
        gone = self.lost
        names = ", ".join(map(short, self.quasi[:6])) + (", ..." if len(self.quasi) > 6 else "")
        lost = f", {how_many(gone, 'record')} suppressed" if gone else ""
        classes = f"{how_many(len(self), 'class')} of {self.achieved:,} or more"
        return f"EquivalenceClasses({classes}, k = {self._k:,}, by {names}{lost})"


def _restore(data: Microdata, quasi: tuple[int, ...], k: int, number: Integers) -> EquivalenceClasses:
    complete = np.flatnonzero(number >= 0)
    return EquivalenceClasses._of(data, quasi, k, complete, number[complete])


def anonymise(data: Any, quasi: Any, k: int, anonymiser: Anonymiser = mondrian) -> EquivalenceClasses:
    """Put records into classes of at least k that look alike.

    Records with a missing quasi-identifier are suppressed.

    Parameters
    ----------
    data
        The records, as `Microdata.of` takes them.
    quasi
        Names of the quasi-identifiers. Labels take the positions of their order.
    k
        Least size of a class.
    anonymiser
        Any function that takes the quasi-identifiers of complete records, shape (n, d), and k, and returns
        groups of positions of rows. It may tell equal records apart: counted data are listed for it.

    Raises
    ------
    DomainError
        A column does not exist.
    BudgetError
        k is no whole number, 1 or more, or the anonymiser cannot be called.
    TableError
        There are fewer than k complete records, or what the anonymiser returned is no partition of the rows
        into groups of at least k.

    Examples
    --------
    >>> from pdp_widgets.models.surveys import clinic
    >>> anonymise(clinic(), ["age", "weight"], 5)
    EquivalenceClasses(14 classes of 5 or more, k = 5, by age, weight)
    """
    records, size = Microdata.of(data), COUNT.take(k, "k")
    places, made = records.places(quasi), as_anonymiser(anonymiser)
    records = records if counts_rows(made) else records.listed()
    values = records.row_values(places)
    complete = np.flatnonzero(~np.isnan(values).any(axis=1))
    runs = records.runs.take(complete)
    left = runs.records
    if left < size:
        gone = records.records - left
        have = "has" if gone == 1 else "have"
        lost = f" with all quasi-identifiers ({gone:,} {have} a missing one)" if gone else ""
        many = "is 1 record" if left == 1 else f"are {left:,} records"
        raise TableError(
            f"There {many}{lost}, fewer than k = {size:,}; choose a smaller k.",
            Where("parameter", name="k"),
        )
    number = grouped_rows(made, values[complete], runs, size)
    return EquivalenceClasses._of(records, places, size, complete, number)


def classes_as_given(data: Any, quasi: Any) -> EquivalenceClasses:
    """Return the classes that a table has already: records with the same quasi-identifiers.

    For tables that are published in ranges, whose k, diversity and closeness are asked about as they are.
    Nothing is regrouped; records with a missing quasi-identifier are suppressed.

    Parameters
    ----------
    data
        The records, as `Microdata.of` takes them.
    quasi
        Names of the quasi-identifiers.

    Returns
    -------
    EquivalenceClasses
        With ``k`` the size of the smallest class.

    Raises
    ------
    DomainError
        A column does not exist.
    TableError
        No record has all quasi-identifiers.

    Examples
    --------
    >>> published = {"age": ["20-29", "30-39", "20-29", "30-39", "20-29"], "ill": ["no"] * 4 + ["yes"]}
    >>> classes = classes_as_given(published, "age")
    >>> classes
    EquivalenceClasses(2 classes of 2 or more, k = 2, by age)
    >>> classes.highest_risk, print(classes.average_risk)
    0.4 probability (exact)
    (0.5, None)
    """
    found = anonymise(data, quasi, 1, as_given)
    records = found.data
    return _restore(records, records.places(quasi), found.achieved, np.asarray(found.row_number))
