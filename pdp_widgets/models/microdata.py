"""Records of people with numbers and labels, from memory or a file: what is made k-anonymous."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import array_of
from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.attribute_codes import whole_weights
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.crosstabs import long_form
from pdp_widgets.models.frame_remarks import warn_of_counts
from pdp_widgets.models.frames import check_lengths, columns_of, is_frame, tuples_of
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.labels import as_title, how_many, short, shown
from pdp_widgets.models.microdata_columns import MicrodataColumn, microdata_column
from pdp_widgets.models.pandas_frames import labels_of, pandas_frame
from pdp_widgets.models.read_table import HowToRead, read_table
from pdp_widgets.models.runs import Runs, counted_runs, merged_runs

__all__ = ["Microdata", "read_microdata"]


class Microdata(Immutable):
    """Records with named columns, each of numbers or of labels in an order.

    Parameters
    ----------
    frame
        One record a row, or one kind of records a row with a column of counts: a pandas, polars or arrow
        table, a dict of lists, or a lazy frame, whose columns are collected. None and NaN are missing values.
        Columns of numbers stay numbers; true and false, text, dates and intervals become labels.
    columns
        Those wanted, in this order; without it all.
    orders
        Labels in their order by column, {column: [label, ...]}; without it the order that a column declares
        (an ordered categorical, an Enum), else that in which labels occur (but no before yes).
    title
        Short text for pictures.
    weight
        Name of the column of counts; without it every row counts once. Counted records are not listed: all
        that is computed costs as much as the rows, however many records they stand for.

    Raises
    ------
    DomainError
        A column does not exist, or has a value that is infinite, no number and no label, or not in its order.
    TableError
        There is no record, columns differ in length, or a count is negative, not whole or missing: a class
        is a number of people, which sampling weights do not say.
    LimitError
        A column has more than 1,000 different labels in no given order, or there are more than 10^12 records.

    Notes
    -----
    Record i of counted data is that of the table in which every row stands as often as it is counted: the
    records of the first row come first. What is by record (`columns`, `column`, `values`, `to_dataframe`)
    lists up to 100,000,000 values, and refuses more; `by_row` and `runs` say the same of the rows.

    Examples
    --------
    >>> data = Microdata({"age": [31, 45, None], "smokes": ["no", "often", "no"]})
    >>> data
    Microdata(3 records, age: numbers, smokes: 2 labels, 1 value missing)
    >>> data.column("smokes").values.tolist()
    [0.0, 1.0, 0.0]
    >>> Microdata({"pain": ["high", "low"]}, orders={"pain": ["low", "high"]}).column("pain").values.tolist()
    [1.0, 0.0]
    >>> counted = Microdata({"age": [31, 45], "n": [2, 60_000_000]}, weight="n")
    >>> counted, counted.by_row[0].values.tolist(), counted.runs.counts.tolist()
    (Microdata(60,000,002 records, age: numbers), [31.0, 45.0], [2, 60000000])
    """

    __slots__ = ("_columns", "_hash", "_runs", "_title")

    _columns: tuple[MicrodataColumn, ...]
    _hash: int
    _runs: Runs
    _title: str

    def __init__(
        self,
        frame: Any,
        columns: Sequence[str] | None = None,
        orders: Mapping[str, Iterable[Any]] | None = None,
        title: str | None = "",
        weight: str | None = None,
    ) -> None:
        self._begin()
        frame = long_form(frame)
        if not is_frame(frame):
            raise DomainError(
                f"The data are {shown(frame)}; give a pandas, polars or arrow table, a dict of lists, or "
                f"Microdata.{_of_file(frame)}",
                Where("parameter", name="data"),
            )
        names, _, weight = tuples_of(frame, columns, weight, None, noun="column")
        if "" in names:
            raise DomainError("A column has an empty name; rename it.", Where("axis", axis=names.index("")))
        chosen = _orders(orders, names)
        read = columns_of(frame, names if weight is None else [*names, weight])
        counts = None if weight is None else whole_weights(read.pop(), weight, _PEOPLE)
        made = tuple(
            microdata_column(column, name, j, chosen.get(name))
            for j, (name, column) in enumerate(zip(names, read, strict=True))
        )
        lengths: list[Any] = [one.values for one in made]
        if counts is None:
            check_lengths(names, lengths)
            if columns is None:
                warn_of_counts(
                    [(one.name, one.values if one.labels is None else -1 - one.values) for one in made],
                    "a column of values",
                    "weight={!r}",
                    "name the columns: Microdata(frame, columns=[...])",
                )
            runs = Runs(len(lengths[0]))
        else:
            check_lengths([*names, str(weight)], [*lengths, counts])
            there = np.flatnonzero(counts)
            made, runs = tuple(one.take(there) for one in made), counted_runs(counts[there], "weight")
        self._keep(made, as_title(title), runs)

    def _keep(self, columns: tuple[MicrodataColumn, ...], title: str, runs: Runs) -> None:
        check_lengths([one.name for one in columns], [one.values for one in columns])
        if not runs.many:
            raise TableError("The data have no records; give at least one.", Where("table"))
        for slot, value in (("_columns", columns), ("_title", title), ("_runs", runs)):
            object.__setattr__(self, slot, value)

    @classmethod
    def from_dataframe(
        cls, frame: Any, orders: Mapping[str, Iterable[Any]] | None = None, weight: str | None = None
    ) -> Microdata:
        """Return the rows of a data frame: the same as ``Microdata(frame)``.

        Parameters
        ----------
        frame
            One row for each record, or for each kind of records.
        orders, weight
            As for the class.

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"age": [31, 46], "ill": ["no", "yes"], "people": [7_000_000, 300]})
        >>> Microdata.from_dataframe(frame, weight="people")
        Microdata(7,000,300 records, age: numbers, ill: 2 labels)
        """
        return cls(frame, orders=orders, weight=weight)

    @classmethod
    def of(cls, data: Any, orders: Mapping[str, Iterable[Any]] | None = None) -> Microdata:
        """Return records from whatever has them: Microdata, an AttributeTable, a data frame, a dict of lists.

        Parameters
        ----------
        data
            The records; those of an `AttributeTable` keep its order of labels, numbers become numbers.
        orders
            Labels in their order by column, as for the class; Microdata and an `AttributeTable` have theirs.

        Examples
        --------
        >>> Microdata.of(AttributeTable([[0, 1], [1, -1]], domains=[[20, 30], ["no", "yes"]]))
        Microdata(2 records, x1: numbers, x2: 2 labels, 1 value missing)
        """
        if isinstance(data, Microdata | AttributeTable):
            if orders is not None:
                raise DomainError(
                    f"A {type(data).__name__} has its orders already; leave orders out.",
                    Where("parameter", name="orders"),
                )
            return data if isinstance(data, Microdata) else _of_attributes(cls, data)
        return cls(data, orders=orders)

    @classmethod
    def _build(
        cls, columns: tuple[MicrodataColumn, ...], title: str, counts: NDArray[np.int64] | None = None
    ) -> Microdata:
        made = cls.__new__(cls)
        made._keep(columns, title, Runs(len(columns[0].values), counts))
        return made

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(one.name for one in self._columns)

    @property
    def columns(self) -> tuple[MicrodataColumn, ...]:
        """The columns, a value for each record."""
        return self.listed()._columns

    @property
    def by_row(self) -> tuple[MicrodataColumn, ...]:
        """The columns, a value for each row: for each record, where none are counted."""
        return self._columns

    @property
    def runs(self) -> Runs:
        """How many records each row stands for."""
        return self._runs

    @property
    def records(self) -> int:
        """Number of records n."""
        return self._runs.records

    def listed(self) -> Microdata:
        """Return the same records, each a row.

        Raises
        ------
        LimitError
            They have more than 100,000,000 values.

        Examples
        --------
        >>> Microdata({"age": [31, 45], "n": [2, 1]}, weight="n").listed().by_row[0].values.tolist()
        [31.0, 31.0, 45.0]
        """
        runs = self._runs
        if runs.counts is None:
            return self
        runs.refuse_listing(runs.records, len(self._columns))
        return self._build(
            tuple(one.take(runs.each(np.arange(runs.many))) for one in self._columns), self._title
        )

    @property
    def title(self) -> str:
        """Short text for pictures."""
        return self._title

    def place(self, name: Any, parameter: str = "column") -> int:
        """Return the position of a column from its name or position.

        Parameters
        ----------
        name
            Of the column, or its position.
        parameter
            Where it was given, for messages.

        Raises
        ------
        DomainError
            There is no such column.

        Examples
        --------
        >>> Microdata({"age": [1], "ill": ["no"]}).place("ill")
        1
        """
        names = self.names
        if isinstance(name, str) and name in names:
            return names.index(name)
        if is_whole(name) and 0 <= name < len(names):
            return int(name)
        listing = ", ".join(short(one) for one in names[:12])
        raise DomainError(
            f"There is no column {short(name)}; the columns are {listing}.",
            Where("parameter", name=parameter),
        )

    def places(self, names: Any, parameter: str = "quasi") -> tuple[int, ...]:
        """Return positions of columns that are named once each; one name is a list of one.

        Examples
        --------
        >>> Microdata({"age": [1], "ill": ["no"]}).places("age")
        (0,)
        """
        listed = [names] if isinstance(names, str) or is_whole(names) else names
        if isinstance(listed, set | frozenset | Mapping) or not isinstance(listed, Iterable):
            raise DomainError(
                f"The {parameter} is {shown(names)}; give a list of names of columns.",
                Where("parameter", name=parameter),
            )
        found = tuple(self.place(one, parameter) for one in listed)
        if not found:
            raise DomainError(
                f"The {parameter} names no column; name at least one.", Where("parameter", name=parameter)
            )
        for j, one in enumerate(found):
            if one in found[:j]:
                raise DomainError(
                    f"Column {short(self.names[one])} is named twice in {parameter}; name each once.",
                    Where("parameter", name=parameter),
                )
        return found

    def column(self, name: str | int) -> MicrodataColumn:
        """Return a column by name or position, a value for each record."""
        one = self._columns[self.place(name)]
        runs = self._runs
        return one if runs.counts is None else one.take(runs.each(np.arange(runs.many)))

    def values(self, names: Any) -> NDArray[np.float64]:
        """Return numbers and positions of labels of some columns, shape (n, columns); NaN where missing.

        Examples
        --------
        >>> Microdata({"age": [31, 45], "ill": ["no", "yes"]}).values(["ill", "age"]).tolist()
        [[0.0, 31.0], [1.0, 45.0]]
        """
        return self._runs.each(self.row_values(names))

    def row_values(self, names: Any) -> NDArray[np.float64]:
        """Return the same for each row, shape (rows, columns).

        Examples
        --------
        >>> Microdata({"age": [31, 45], "n": [2, 1]}, weight="n").row_values("age").tolist()
        [[31.0], [45.0]]
        """
        return np.column_stack([self._columns[place].values for place in self.places(names, "columns")])

    def take(self, rows: ArrayLike) -> Microdata:
        """Return some records, in the given order.

        Raises
        ------
        DomainError
            A row is no position of a record.

        Examples
        --------
        >>> Microdata({"age": [31, 45, 52]}).take([2, 0]).column("age").values.tolist()
        [52.0, 31.0]
        """
        chosen = array_of(rows)
        if chosen.dtype == np.bool_ and chosen.shape == (self.records,):
            chosen = np.flatnonzero(chosen)
        good = chosen.ndim == 1 and (chosen.dtype.kind in "iu" or not chosen.size)
        if not good or (chosen.size and not 0 <= chosen.min() <= chosen.max() < self.records):
            raise DomainError(
                f"The rows are {shown(rows)}; give positions from 0 to {self.records - 1:,}.",
                Where("parameter", name="rows"),
            )
        places = self._runs.of(chosen.astype(np.int64))
        return self._build(
            tuple(one.take(places) for one in self._columns),
            self._title,
        )

    def without(self, row: int) -> Microdata:
        """Return all records but one.

        Raises
        ------
        DomainError
            There is no such record.
        TableError
            No record would be left.

        Examples
        --------
        >>> Microdata({"age": [31, 45, 52]}).without(1).column("age").values.tolist()
        [31.0, 52.0]
        """
        if not is_whole(row) or not 0 <= row < self.records:
            raise DomainError(
                f"The row is {shown(row)}; give a position from 0 to {self.records - 1:,}.",
                Where("parameter", name="row"),
            )
        runs, place = self._runs, int(self._runs.of(np.array([row]))[0])
        if runs.counts is not None and runs.counts[place] > 1:
            left = runs.counts - (np.arange(runs.many) == place)
            return self._build(self._columns, self._title, left)
        kept = np.delete(np.arange(runs.many), place)
        columns = tuple(one.take(kept) for one in self._columns)
        return self._build(columns, self._title, runs.take(kept).counts)

    def to_dataframe(self) -> Any:
        """Return the records as a pandas data frame: numbers, labels as they were given, None where missing.

        Examples
        --------
        >>> Microdata({"age": [31, 45], "ill": ["no", None]}).to_dataframe()["ill"].isna().tolist()
        [False, True]
        """
        found: dict[str, Any] = {}
        for one in self.columns:
            if one.labels is None:
                whole = bool(np.all(one.values == np.floor(one.values)) and np.all(abs(one.values) < 2**53))
                found[one.name] = one.values.astype(np.int64) if whole else one.values.copy()
            else:
                codes = np.where(one.missing, -1, one.values).astype(np.int64)
                found[one.name] = labels_of(codes, one.labels)
        return pandas_frame(found).infer_objects()

    def __len__(self) -> int:
        return self.records

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Microdata):
            return NotImplemented
        if self is other:
            return True
        if self._title != other._title or self._runs.records != other._runs.records:
            return False
        if self._runs.counts is None and other._runs.counts is None:
            return self._columns == other._columns
        (own, counts), (others, as_many) = self._merged(), other._merged()
        return own == others and np.array_equal(counts, as_many)

    def __hash__(self) -> int:
        # Millions of numbers: results that are kept are looked up by it.
        if not hasattr(self, "_hash"):
            columns, counts = self._merged()
            object.__setattr__(self, "_hash", hash((self._title, columns, counts.tobytes())))
        return self._hash

    def _merged(self) -> tuple[tuple[MicrodataColumn, ...], NDArray[np.int64]]:
        """Return what tables of the same records have in common: rows unlike the one before, and counts."""
        firsts, runs = merged_runs([one.values for one in self._columns], self._runs)
        single = np.empty(0, np.int64) if runs.counts is None else runs.counts
        return tuple(one.take(firsts) for one in self._columns), single

    def __reduce__(self) -> tuple[Any, ...]:
        return Microdata._build, (self._columns, self._title, self._runs.counts)

    def __repr__(self) -> str:
        listed = [
            f"{short(one.name)}: {'numbers' if one.labels is None else how_many(len(one.labels), 'label')}"
            for one in self._columns
        ]
        if len(listed) > 8:
            listed = [*listed[:8], f"and {len(listed) - 8} more"]
        gone = sum(self._runs.total(one.missing) for one in self._columns)
        title = f"{short(self._title)!r}, " if self._title else ""
        lost = f", {how_many(gone, 'value')} missing" if gone else ""
        return f"Microdata({title}{how_many(self.records, 'record')}, {', '.join(listed)}{lost})"


#: Why weights that are no counts are refused.
_PEOPLE = (
    "A class is a number of people, which sampling weights do not say; give whole counts. "
    "JointDistribution.from_dataframe takes such weights."
)


def _of_file(given: Any) -> str:
    """Say how a file is read to somebody who gives its name."""
    return " A file is read by read_microdata." if isinstance(given, str | PathLike) else ""


def _orders(orders: Any, names: Sequence[str]) -> Mapping[str, Iterable[Any]]:
    if orders is None:
        return {}
    if not isinstance(orders, Mapping):
        raise DomainError(
            f"The orders are {shown(orders)}; give lists of labels by column, {{column: [label, ...]}}.",
            Where("parameter", name="orders"),
        )
    for name in orders:
        if name not in names:
            listing = ", ".join(short(one) for one in names[:12])
            raise DomainError(
                f"There is an order for {short(name)}, which is no column; the columns are {listing}.",
                Where("parameter", name="orders"),
            )
    return orders


def _of_attributes(cls: type[Microdata], table: AttributeTable) -> Microdata:
    made = []
    for place, (name, domain) in enumerate(zip(table.names, table.domains, strict=True)):
        codes = table.codes[:, place].astype(np.int64)
        numbers = all(not isinstance(label, str | bool) for label in domain)
        if numbers and domain and np.isfinite(np.array(domain, dtype=np.float64)).all():
            own = np.append(np.array(domain, dtype=np.float64), np.nan)
            made.append(MicrodataColumn(name, own[codes] + 0.0))
        else:
            made.append(MicrodataColumn(name, np.where(codes < 0, np.nan, codes), domain))
    return cls._build(tuple(made), table.title)


def read_microdata(
    path: str | PathLike[str],
    orders: Mapping[str, Iterable[Any]] | None = None,
    columns: Sequence[str] | None = None,
    title: str | None = None,
    weight: str | None = None,
    **how: Unpack[HowToRead],
) -> Microdata:
    r"""Read records from a file whose first line names the columns.

    Parameters
    ----------
    path
        Of the file, of any kind that `read_table` takes.
    orders, columns
        As for `Microdata`. Labels of a column with an order are text.
    title
        Short text for pictures; without it the name of the file.
    weight
        As for `Microdata`.
    **how
        ``types``, ``delimiter``, ``decimal``, ``encoding`` and ``missing``, as for `read_table`.

    Raises
    ------
    TableError
        It is no path of a file, has no header or no records, or a line has another number of fields; the
        message names the line.
    DomainError
        A column does not exist, has no value, or has one that is not in its order.
    LimitError
        A column has more than 1,000 different labels in no given order.

    Warns
    -----
    DataRemark
        Something was guessed or looks wrong, as for `read_table`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "visits.csv")
    >>> _ = file.write_text("age,ill\n31,no\n?,yes\n")
    >>> read_microdata(file)
    Microdata('visits', 2 records, age: numbers, ill: 2 labels, 1 value missing)
    >>> _ = file.write_text("age,people\n31,7000\n45,3\n")
    >>> read_microdata(file, weight="people")
    Microdata('visits', 7,003 records, age: numbers)
    """
    ordered = dict.fromkeys(orders, "text") if isinstance(orders, Mapping) else {}
    how["types"] = {**ordered, **(how.get("types") or {})}
    wanted = columns if columns is None or weight is None else [*columns, weight]
    table = read_table(path, wanted, **how)
    return Microdata(table, columns, orders, table.title if title is None else title, weight)
