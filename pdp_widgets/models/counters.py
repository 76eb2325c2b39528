"""Counters of records that come batch by batch, from any engine and in any order: what models are made of.

Each has ``update(batch)``, which adds a data frame, and ``merge(other)``, which adds what another counter has
seen. Both return the counter. Counters can be pickled, so that workers may send theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import DataRemark, DomainError, LimitError, PdpError, TableError, Where, warn_caller
from pdp_widgets.models.attribute_codes import whole_weights
from pdp_widgets.models.coded_column import coded_column
from pdp_widgets.models.distinct_rows import distinct_rows, free_name
from pdp_widgets.models.frame_values import is_missing
from pdp_widgets.models.frames import (
    check_lengths,
    columns_of,
    found_domain,
    number_array,
    number_columns,
    refuse_mixed_truth,
    tuples_of,
)
from pdp_widgets.models.gaussian_model import GaussianModel, fitted
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Domain, as_label, how_many, short, shown
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.pair_counts import PairCounts, count_packed, count_pairs, laid_out, packed_labels
from pdp_widgets.models.stream_facts import as_order
from pdp_widgets.models.sums import MomentSums, RowAdder, RowSums
from pdp_widgets.models.table import Column, OrderedTexts, Table
from pdp_widgets.models.transition_counts import TransitionCounts, merged_transitions, transition_counts

__all__ = ["CellCounter", "MomentCounter", "PairCounter", "TransitionCounter"]

Integers = NDArray[np.int64]

#: Different values of a column that are counted in pairs.
_MOST_LABELS = 1000


class _Values:
    """The values of a column that differ, as they come, and the order that all batches declare."""

    def __init__(self, name: str, axis: int) -> None:
        self.name, self.axis = name, axis
        self._place: dict[Any, int] = {}
        self._orders: set[tuple[Any, ...]] = set()
        self._lacks = False

    def __len__(self) -> int:
        return len(self._place)

    def checked(self, values: Iterable[Any], came: str, most: float = math.inf) -> list[Any]:
        """Return values as they are kept, a missing one as None, or raise before any of them is."""
        listed = [None if is_missing(value) else as_label(value, self.axis, self.name) for value in values]
        refuse_mixed_truth([*self._place, *listed], self.name, self.axis)
        self._refuse_another_kind(listed, came)
        if len({*self._place, *listed}) > most:
            raise LimitError(
                f"Column {short(self.name)} has more than {most:,} different values; put numbers into bins, "
                "and leave out columns that number the records.",
                Where("axis", axis=self.axis, name=self.name),
            )
        return listed

    def _refuse_another_kind(self, listed: Sequence[Any], came: str) -> None:
        """Raise DomainError where texts come after numbers, or the other way around: 1 is not '1'."""
        before = {isinstance(value, str) for value in self._place if value is not None}
        other = next(
            (one for one in listed if one is not None and before == {not isinstance(one, str)}), None
        )
        if other is not None:
            known = next(value for value in self._place if value is not None)
            raise DomainError(
                f"Column {short(self.name)} was {_kind(known)}, and in {came} it has {shown(other)}; make "
                "it one of both in all batches.",
                Where("axis", axis=self.axis, name=self.name),
                call=f"Readers take types={{{self.name!r}: 'text'}}.",
            )

    def tell_missing(self, many: int, came: str) -> None:
        """Say once that values are missing, which not all models take."""
        if many and not self._lacks:
            self._lacks = True
            warn_caller(
                f"Column {short(self.name)} has {how_many(many, 'missing value')} in {came}: joint() refuses "
                "them, and table() keeps them, for an AttributeTable or Microdata. For a joint distribution "
                "drop those rows, or give them a label of their own.",
                DataRemark,
            )

    def places(self, listed: Iterable[Any], order: Sequence[Any] | None = None) -> Integers:
        """Return where checked values stand, those that are new at the end."""
        if order is not None:
            self._orders.add(tuple(order))
        return np.array([self._place.setdefault(value, len(self._place)) for value in listed], dtype=np.int64)

    def merged(self, other: _Values) -> Integers:
        """Take the checked values of another counter, and return where they stand."""
        self._orders |= other._orders
        return self.places(other._place)

    @property
    def values(self) -> list[Any]:
        """The values in the order of their places."""
        return list(self._place)

    def domain(self) -> Domain:
        """Return the labels in an order that does not depend on which batch came first."""
        known = [value for value in self._place if value is not None]
        for order in self._orders if len(self._orders) == 1 else ():
            if set(known) <= set(order):
                return tuple(order)
        texts = sorted(value for value in known if isinstance(value, str))
        return found_domain(
            [*(value for value in known if not isinstance(value, str)), *texts], self.name, self.axis
        )


def _kind(value: Any) -> str:
    return "text" if isinstance(value, str) else "true or false" if isinstance(value, bool) else "numbers"


class _OfColumns:
    """A counter of some columns, which the first batch names where they are not given."""

    def __init__(self, columns: Sequence[str] | None = None, weight: str | None = None) -> None:
        self._columns, self._weight = columns, weight
        self._of: tuple[str, ...] = ()
        self._values: list[_Values] = []
        self._batches = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns that are counted; empty before the first batch."""
        return self._of

    @property
    def _came(self) -> str:
        """The batch that is being added, in words."""
        return f"batch {self._batches:,}"

    def _named(self, batch: Any, noun: str = "tuple") -> tuple[list[str], str | None]:
        """Return the columns of a batch that are counted, and its weight."""
        wanted = list(self._of) or self._columns
        self._batches += 1
        names, _, weight = tuples_of(batch, wanted, self._weight, None, noun=noun)
        self._begin(names)
        return names, weight

    def update(self, batch: Any) -> Self:
        """Add the rows of a data frame of any library, or of a `Table`."""
        fresh = not self._of
        try:
            self._take(batch)
        except PdpError:
            # What is refused names no columns for those that come.
            if fresh:
                self._of, self._values = (), []
            raise
        return self

    def _take(self, batch: Any) -> None:
        """Add a batch, or raise and have counted nothing of it."""
        raise NotImplementedError

    def _begin(self, names: Sequence[str]) -> None:
        if not self._of:
            self._of = tuple(names)
            self._values = [_Values(name, axis) for axis, name in enumerate(names)]

    def _joins(self, other: Any) -> bool:
        """Tell whether another counter has something to add; raise DomainError where it cannot be added."""
        kind = type(self).__name__
        if type(other) is not type(self):
            raise DomainError(
                f"A {kind} cannot be merged with {shown(other)}; give another {kind}.",
                Where("parameter", name="other"),
            )
        if not other._of:
            return False
        if not self._of:
            self._begin(other._of)
        if self._of != other._of:
            raise DomainError(
                f"The counters are of other columns: {', '.join(map(short, self._of[:8]))}, and "
                f"{', '.join(map(short, other._of[:8]))}; count the same columns in the same order.",
                Where("parameter", name="other"),
            )
        return True

    def _merged(self, other: Any) -> list[Integers]:
        """Return where the values of another counter stand among these."""
        both = list(zip(self._values, other._values, strict=True))
        for mine, theirs in both:
            mine.checked(theirs.values, "the other counter")
            mine._lacks |= theirs._lacks
        return [mine.merged(theirs) for mine, theirs in both]

    def _refuse_nothing(self) -> None:
        if not self._of:
            raise TableError("Nothing is counted yet; update the counter with a batch.", Where("table"))


class CellCounter(_OfColumns):
    """How many records have each combination of values of some columns.

    Parameters
    ----------
    columns
        Those that are counted, in this order; without it all but the weight.
    weight
        Name of the column of counts or weights; without it every row counts once.

    Notes
    -----
    Text is sorted in the models, unless all batches declare the same order. A column is text in all batches
    or in none: 1 is not ``"1"``. `read_batches` takes ``types`` for it.

    Examples
    --------
    >>> monday = CellCounter().update({"smokes": ["no", "yes"], "ill": [0, 1]})
    >>> tuesday = CellCounter().update({"smokes": ["no"], "ill": [0]})
    >>> monday.merge(tuesday).joint().counts.tolist()
    [[2, 0], [0, 1]]
    >>> monday.class_sizes.tolist()
    [2, 1]
    """

    def __init__(self, columns: Sequence[str] | None = None, weight: str | None = None) -> None:
        super().__init__(columns, weight)
        self._adder, self._seen = RowAdder(), 0

    def update(self, batch: Any) -> Self:
        """Add the rows of a data frame of any library, a lazy one too, or of a `Table`.

        Raises
        ------
        DomainError
            A column does not exist, or is text after it was numbers, or the other way around.

        Warns
        -----
        DataRemark
            A column has missing values, which ``joint`` refuses.
        """
        return super().update(batch)

    def _take(self, batch: Any) -> None:
        names, weight = self._named(batch)
        rows = distinct_rows(batch, names, weight)
        if len(rows.records):
            both = list(zip(self._values, rows.columns, strict=True))
            checked = [values.checked(column.values, self._came) for values, column in both]
            for values, column in both:
                values.tell_missing(int(rows.records[column.missing[column.codes]].sum()), self._came)
            codes = [
                values.places(listed, column.order)[column.codes]
                for (values, column), listed in zip(both, checked, strict=True)
            ]
            self._add(codes, rows.records, rows.weights)

    def merge(self, other: CellCounter) -> Self:
        """Add what another counter of the same columns has seen."""
        if self._joins(other) and (sums := other._adder.total()) is not None:
            places = self._merged(other)
            codes = [place[column] for place, column in zip(places, sums.codes.T, strict=True)]
            self._add(codes, sums.records, sums.weights)
        return self

    def _add(self, codes: Sequence[Integers], records: Integers, weights: NDArray[Any]) -> None:
        first = np.arange(self._seen, self._seen + len(records))
        self._seen += len(records)
        self._adder.add(RowSums.of_groups(codes, records, first, weights))

    def _sums(self) -> RowSums:
        self._refuse_nothing()
        sums = self._adder.total()
        if sums is None:
            raise TableError("The batches have no rows; there is nothing to count.", Where("table"))
        return sums

    @property
    def records(self) -> int:
        """Number of rows that were seen."""
        return int(self._sums().records.sum())

    @property
    def class_sizes(self) -> Integers:
        """How many records each combination has, the largest first: the classes that k-anonymity is about."""
        return np.sort(self._sums().records)[::-1]

    def table(self) -> Table:
        """Return the combinations with their counts: a table that every model takes as a data frame."""
        sums = self._sums()
        cells: dict[str, Column] = {}
        for values, codes in zip(self._values, sums.codes.T, strict=True):
            listed = values.values
            column: Any = [listed[code] for code in codes.tolist()]
            order = [label for label in values.domain() if isinstance(label, str)]
            texts = len(order) == len(values.domain())
            cells[values.name] = OrderedTexts(column, order) if texts else column
        weight = self._weight or free_name(cells, "count")
        return Table({**cells, weight: sums.weights}, weight=weight, records=sums.records)

    def joint(
        self, domains: Mapping[str, Iterable[Any]] | None = None, title: str | None = ""
    ) -> JointDistribution:
        """Return the joint distribution of the columns; parameters and errors of its ``from_dataframe``."""
        return JointDistribution.from_dataframe(self.table(), domains=domains, title=title)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(short, self._of[:8])) or 'nothing yet'})"


class PairCounter(_OfColumns):
    """How many records have each pair of values, for all pairs of columns; a missing value is in no pair.

    Parameters
    ----------
    columns
        Those that are counted, in this order; without it all.

    Notes
    -----
    `LocalAnalysis` takes a counter in place of records, for all that pairs tell.

    Examples
    --------
    >>> counter = PairCounter().update({"a": [0, 1, 1], "b": ["x", "x", "y"]})
    >>> counter.names, counter.domains
    (('a', 'b'), ((0, 1), ('x', 'y')))
    >>> counter.pair_counts().counts(0, 1).tolist()
    [[1, 0], [1, 1]]
    """

    def __init__(self, columns: Sequence[str] | None = None) -> None:
        super().__init__(columns)
        self._records = 0
        self._sizes: list[int] = []
        self._table = np.zeros((0, 0), np.int64)

    def update(self, batch: Any) -> Self:
        """Add the rows of a data frame of any library, or of a `Table`; a lazy one is collected.

        Raises
        ------
        DomainError
            As for `CellCounter.update`; or the rows have counts, which pairs are not counted by.
        """
        return super().update(batch)

    def _take(self, batch: Any) -> None:
        names, weight = self._named(batch, "attribute")
        if weight is not None:
            raise DomainError(
                f"Each row stands for as many records as column {short(weight)} says, and pairs are counted "
                "of records one by one. Count the combinations with a CellCounter, or give the records.",
                Where("parameter", name="batch"),
            )
        read = columns_of(batch, names)
        packed = packed_labels(list(map(number_array, read)), [values.values for values in self._values])
        if packed is not None:
            self._table += count_packed(packed, self._sizes, len(read[0]))
            self._records += len(read[0])
            return
        columns = [
            coded_column(column, name, axis)
            for axis, (name, column) in enumerate(zip(names, read, strict=True))
        ]
        check_lengths(names, [column.codes for column in columns])
        codes = np.empty((len(columns[0].codes), len(columns)), np.int16, order="F")
        both = list(zip(self._values, columns, strict=True))
        checked = [values.checked(column.known, self._came, _MOST_LABELS) for values, column in both]
        for axis, (values, column) in enumerate(both):
            # A missing value has no place.
            places = np.full(len(column.values), -1, dtype=np.int64)
            places[~column.missing] = values.places(checked[axis], column.order)
            codes[:, axis] = places[column.codes]
        self._grow()
        if len(codes):
            self._table += count_pairs(codes, self._sizes).table
            self._records += len(codes)

    def _grow(self) -> None:
        """Make room for new values behind those of their column."""
        sizes = [len(values) for values in self._values]
        if sizes != self._sizes:
            before = [np.arange(size) for size in self._sizes or [0] * len(sizes)]
            self._table = laid_out(self._table, before, sizes)
            self._sizes = sizes

    def merge(self, other: PairCounter) -> Self:
        """Add what another counter of the same columns has seen."""
        if self._joins(other):
            places = self._merged(other)
            self._grow()
            self._table += laid_out(other._table, places, self._sizes)
            self._records += other._records
        return self

    @property
    def records(self) -> int:
        """Number of rows that were seen."""
        return self._records

    @property
    def domains(self) -> tuple[Domain, ...]:
        """Labels of every column in their order."""
        self._refuse_nothing()
        return tuple(values.domain() for values in self._values)

    def pair_counts(self) -> PairCounts:
        """Return the contingency tables of all pairs, labels in the order of ``domains``."""
        domains = self.domains
        places = [
            np.array([domain.index(value) for value in values.values], dtype=np.int64)
            for domain, values in zip(domains, self._values, strict=True)
        ]
        sizes = [len(domain) for domain in domains]
        return PairCounts(laid_out(self._table, places, sizes), sizes)


class MomentCounter(_OfColumns):
    """Mean and covariance of columns of numbers.

    Parameters
    ----------
    columns
        Those wanted, in this order; without it all.

    Notes
    -----
    Batches are merged without loss of digits to large means; in another order the last digits may differ.

    Examples
    --------
    >>> counter = MomentCounter().update({"a": [1, 2], "b": [2, 4]}).update({"a": [3], "b": [6]})
    >>> counter.model().cov.tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    """

    def __init__(self, columns: Sequence[str] | None = None) -> None:
        super().__init__(columns)
        self._sums: MomentSums | None = None

    def update(self, batch: Any) -> Self:
        """Add the rows of a data frame of any library, or of a `Table`; a lazy one is collected.

        A column that the table names as its weight says how many records each row stands for.
        """
        return super().update(batch)

    def _take(self, batch: Any) -> None:
        names, weight = self._named(batch)
        numbers, _ = number_columns(batch, names)
        counts = None
        if weight is not None:
            counts = whole_weights(columns_of(batch, [weight])[0], weight, "Give whole counts.")
            check_lengths([names[0], weight], [numbers, counts])
        self._add(MomentSums.of(numbers, counts))

    def merge(self, other: MomentCounter) -> Self:
        """Add what another counter of the same columns has seen."""
        if self._joins(other) and other._sums is not None:
            self._add(other._sums)
        return self

    def _add(self, sums: MomentSums) -> None:
        self._sums = sums if self._sums is None else self._sums.merged(sums)

    @property
    def records(self) -> int:
        """Number of rows that were seen."""
        return 0 if self._sums is None else self._sums.records

    def model(self, title: str | None = "", unit: str | None = "") -> GaussianModel:
        """Return the model with the sample mean and covariance, see `GaussianModel.from_dataframe`."""
        self._refuse_nothing()
        assert self._sums is not None
        return fitted(self._sums, self._of, title, unit)


class TransitionCounter:
    """How often one symbol follows another, in batches of whole streams.

    Parameters
    ----------
    states
        Labels, where streams do not show them all or their order matters; without it text is sorted.
    order
        1, or 2 to count triples too.

    Examples
    --------
    >>> counter = TransitionCounter().update([["dry", "wet", "dry"]]).update([["dry", "dry"]])
    >>> counter.counts().pairs.tolist(), counter.chain("none").start.tolist()
    ([[1, 1], [1, 0]], [1.0, 0.0])
    """

    def __init__(self, states: Iterable[Any] | None = None, order: int = 1) -> None:
        self._order = as_order(order)
        self._counts = None if states is None else transition_counts([], states, order)
        self._states = None if self._counts is None else self._counts.states

    def update(self, batch: Any) -> Self:
        """Add streams: a `StreamData`, or lists of labels, one for each user."""
        if self._states is None and isinstance(batch, list | tuple) and not any(map(np.size, batch)):
            # Nobody did anything: there are no symbols to be found.
            return self
        return self._add(transition_counts(batch, self._states, self._order))

    def merge(self, other: TransitionCounter) -> Self:
        """Add what another counter of the same order has seen."""
        if not isinstance(other, TransitionCounter) or other._order != self._order:
            raise DomainError(
                f"The counter cannot be merged with {shown(other)}; give another TransitionCounter of order "
                f"{self._order}.",
                Where("parameter", name="other"),
            )
        return self if other._counts is None else self._add(other._counts)

    def _add(self, counts: TransitionCounts) -> Self:
        self._counts = counts if self._counts is None else merged_transitions(self._counts, counts)
        return self

    def counts(self) -> TransitionCounts:
        """Return what was counted."""
        if self._counts is None:
            raise TableError("Nothing is counted yet; update the counter with streams.", Where("table"))
        return self._counts if self._states is not None else merged_transitions(self._counts)

    def chain(
        self, smoothing: str | float | None = None, absorbing: Iterable[Any] | None = None
    ) -> MarkovChain:
        """Return the chain with these frequencies, see `TransitionCounts.chain`."""
        return self.counts().chain(smoothing, absorbing)
