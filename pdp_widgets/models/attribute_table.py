"""Records of several attributes as whole numbers: what local privacy is computed from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.attribute_codes import (
    as_attribute_codes,
    as_attribute_domains,
    codes_drawn,
    codes_of_counts,
    label_for_missing,
    smallest_type,
)
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import Domain, as_title, short, shown
from pdp_widgets.models.names import NamedAttributes
from pdp_widgets.models.pair_counts import PairCounts, count_pairs
from pdp_widgets.models.table_checks import check_cells

if TYPE_CHECKING:
    from pdp_widgets.models.attribute_frames import GivenBins

__all__ = ["AttributeTable", "AttributeValue", "Missing"]


class AttributeValue(NamedAttributes):
    """Codes, labels, names and title; see `AttributeTable`, which is this with what it can do."""

    __slots__ = ("_codes", "_domains", "_pairs", "_title")

    _codes: NDArray[np.signedinteger[Any]]
    _domains: tuple[Domain, ...]
    _title: str
    _pairs: PairCounts | None

    def _set(
        self,
        codes: NDArray[np.signedinteger[Any]],
        domains: tuple[Domain, ...],
        names: tuple[str, ...],
        title: str,
    ) -> None:
        # One column after the other, in as few bytes as possible: columns are what is compared and counted.
        kind = smallest_type(max((len(domain) for domain in domains), default=1))
        own = np.array(codes, dtype=kind, order="F")
        own.setflags(write=False)
        for slot, value in (
            ("_codes", own),
            ("_domains", domains),
            ("_names", names),
            ("_title", title),
            ("_pairs", None),
        ):
            object.__setattr__(self, slot, value)

    @classmethod
    def _build(
        cls,
        codes: NDArray[np.signedinteger[Any]],
        domains: tuple[Domain, ...],
        names: tuple[str, ...],
        title: str,
    ) -> Self:
        made = cls.__new__(cls)
        made._set(codes, domains, names, title)
        return made

    @property
    def codes(self) -> NDArray[np.signedinteger[Any]]:
        """Positions of labels, -1 where missing, shape (N, n), read-only."""
        return self._codes

    @property
    def domains(self) -> tuple[Domain, ...]:
        """Labels of every attribute."""
        return self._domains

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of labels of every attribute."""
        return tuple(len(domain) for domain in self._domains)

    @property
    def title(self) -> str:
        """Short text for pictures."""
        return self._title

    @property
    def n_records(self) -> int:
        """Number of records N."""
        return len(self._codes)

    @property
    def missing(self) -> NDArray[np.int64]:
        """How many values of every attribute are missing, shape (n,)."""
        return np.asarray((self._codes < 0).sum(axis=0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self._codes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AttributeValue):
            return NotImplemented
        return (
            self._names == other._names
            and self._domains == other._domains
            and self._title == other._title
            and bool(np.array_equal(self._codes, other._codes))
        )

    def __hash__(self) -> int:
        return hash((self._names, self._domains, self._title, self._codes.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._build, (np.asarray(self._codes), self._domains, self._names, self._title)

    def __repr__(self) -> str:
        listed = [
            f"{short(name)}: {size} label{'s' * (size != 1)}"
            for name, size in zip(self._names, self.sizes, strict=True)
        ]
        if len(listed) > 8:
            listed = [*listed[:8], f"and {len(listed) - 8} more"]
        gone = int(self.missing.sum())
        title = f"{short(self._title)!r}, " if self._title else ""
        records = f"{self.n_records:,} record{'s' * (self.n_records != 1)}"
        lost = f", {gone:,} value{'s' * (gone != 1)} missing" if gone else ""
        return f"{type(self).__name__}({title}{records}, {', '.join(listed)}{lost})"


Missing = Literal["drop", "listwise", "category"]


class AttributeTable(AttributeValue):
    """N records of n attributes, each attribute with finitely many labels.

    Parameters
    ----------
    codes
        One record a row, one attribute a column: positions of labels, -1 where the value is missing.
    sizes
        Number of labels of every attribute; without it one more than the largest code.
    names
        Names of the attributes; without it x1, x2, ...
    title
        Short text for pictures.
    domains
        Labels of every attribute, instead of ``sizes``.

    Raises
    ------
    DomainError
        A code is outside its domain, or sizes, labels or names do not fit.
    TableError
        The codes are no table of whole numbers.

    Examples
    --------
    >>> table = AttributeTable([[0, 1], [1, 1], [1, -1]], names=["smokes", "ill"])
    >>> table
    AttributeTable(3 records, smokes: 2 labels, ill: 2 labels, 1 value missing)
    >>> table.counts("smokes").tolist()
    [1, 2]
    >>> table.pair_counts().counts(0, 1).tolist()
    [[0, 1], [0, 1]]
    """

    __slots__ = ()

    def __init__(
        self,
        codes: ArrayLike,
        sizes: Sequence[int] | None = None,
        names: Iterable[str] | None = None,
        title: str | None = "",
        *,
        domains: Iterable[Iterable[Any]] | None = None,
    ) -> None:
        self._begin()
        found = as_attribute_codes(codes)
        checked_domains, checked_names = as_attribute_domains(found, sizes, domains, names)
        self._set(found, checked_domains, checked_names, as_title(title))

    @classmethod
    def from_dataframe(
        cls,
        frame: Any,
        attributes: Sequence[str] | None = None,
        bins: Mapping[str, GivenBins] | int | str | tuple[str, int] | None = None,
        missing: Missing = "drop",
        domains: Mapping[str, Iterable[Any]] | None = None,
        title: str | None = "",
        weight: str | None = None,
        unused: bool | None = None,
    ) -> AttributeTable:
        """Return the attributes of a data frame of any library.

        Parameters
        ----------
        frame
            One record a row, or one kind of records a row with a column of counts: a pandas, polars or arrow
            table, a dict of lists, a lazy frame, whose columns are collected, or the path of files, see
            `count_table`.
        attributes
            Columns that become attributes, in this order; without it all.
        bins
            By column of numbers: a number of bins of equal width, edges, ``("quantiles", 4)`` for
            as many with about equally many values each (``"quantiles"`` alone: four), or `Bins`. A number or
            quantiles in place of the dictionary are for all columns of numbers that have more different
            values and no domain.
        missing
            What becomes of missing values (None, NaN): see ``with_missing``.
        domains
            Labels by column, where the order matters or a label does not occur; without it those that the
            column declares in an order (an ordered categorical, an Enum), or else the labels that occur, in
            ascending order (text in order of appearance, but no before yes and false before true). Dates,
            times, periods and intervals are text in their order.
        title
            Short text for pictures.
        weight
            Name of the column of counts; without it every row counts once.
        unused
            Whether categories that nobody has are labels, see `JointDistribution.from_dataframe`.

        Raises
        ------
        DomainError
            A column does not exist, has a value outside its domain, or cannot be put into bins.
        TableError
            A count is negative, not whole or missing. `JointDistribution.from_dataframe` takes weights that
            are not whole.
        LimitError
            A column has more than 1,000 different values and no bins, or there are too many records, see
            `from_counts`.

        Warns
        -----
        FewRecordsWarning
            A column of numbers without bins has more than 20 labels, and fewer than 10 records a label.

        Examples
        --------
        >>> frame = {"age": [20, 30, 60, None], "ill": ["no", "yes", "yes", "no"]}
        >>> table = AttributeTable.from_dataframe(frame, bins={"age": [18, 40, 65]})
        >>> table.domains
        (('[18, 40]', '(40, 65]'), ('no', 'yes'))
        >>> table.codes.tolist()
        [[0, 0], [0, 1], [1, 1], [-1, 0]]
        """
        from pdp_widgets.models.attribute_frames import coded_columns

        codes, found, names = coded_columns(frame, attributes, bins, domains, missing, weight, unused)
        return cls._build(codes, found, names, as_title(title)).with_missing(missing)

    @classmethod
    def from_counts(cls, joint: JointDistribution) -> AttributeTable:
        """Return the records behind a table of counts, in table order.

        `LocalAnalysis` and the explorers take the table of counts itself, whatever the number of records.

        Raises
        ------
        TableError
            The distribution has no counts.
        LimitError
            There are more than 100,000,000 records, or 500,000,000 values of all attributes together.

        Examples
        --------
        >>> from pdp_widgets import titanic
        >>> AttributeTable.from_counts(titanic()).names
        ('class', 'sex', 'age', 'survived')
        """
        codes = codes_of_counts(joint)
        return cls._build(codes, joint.domains, joint.names, joint.title)

    @classmethod
    def drawn(
        cls, joint: JointDistribution, records: int, rng: np.random.Generator | int | None = None
    ) -> AttributeTable:
        """Return records drawn independently from a joint distribution.

        Parameters
        ----------
        joint
            The distribution of one record; its tuples become attributes.
        records
            How many records.
        rng
            Generator or seed; without it fresh randomness.

        Examples
        --------
        >>> AttributeTable.drawn(JointDistribution([[0.5, 0], [0, 0.5]]), 4, rng=1).n_records
        4
        """
        codes = codes_drawn(joint, records, rng)
        return cls._build(codes, joint.domains, joint.names, joint.title)

    def counts(self, attribute: str | int) -> NDArray[np.int64]:
        """Return how many records have each label of one attribute; missing values are not counted.

        Examples
        --------
        >>> AttributeTable([[0], [1], [1], [-1]]).counts("x1").tolist()
        [1, 2]
        """
        place = self.attribute(attribute)
        column = self._codes[:, place]
        return np.bincount(column[column >= 0], minlength=self.sizes[place]).astype(np.int64)

    def marginal(self, attributes: Iterable[str | int]) -> JointDistribution:
        """Return the joint distribution of some attributes, with counts.

        Records where one of them is missing are left out.

        Raises
        ------
        TableError
            No record has all of them.
        LimitError
            The table would have too many cells.

        Examples
        --------
        >>> table = AttributeTable([[0, 1, 0], [1, 1, 0], [1, -1, 1]])
        >>> table.marginal(["x2", "x1"]).counts.tolist()
        [[0, 0], [1, 1]]
        """
        places = self.attributes(attributes)
        shape = tuple(self.sizes[place] for place in places)
        check_cells(shape, "The joint distribution of these attributes")
        columns = self._codes[:, places]
        complete = columns[(columns >= 0).all(axis=1)]
        if not len(complete):
            listed = ", ".join(short(self._names[place]) for place in places[:12])
            raise TableError(f"No record has a value of all these attributes: {listed}.", Where("table"))
        flat = np.ravel_multi_index(tuple(complete.T.astype(np.int64)), shape)
        counts = np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)
        return JointDistribution.from_counts(
            counts, [self._domains[p] for p in places], [self._names[p] for p in places], self._title
        )

    def pair_counts(self) -> PairCounts:
        """Return the contingency tables of all pairs of attributes; counted once and kept.

        A pair counts the records where neither attribute is missing.

        Examples
        --------
        >>> AttributeTable([[0, 1], [1, -1], [1, 1]]).pair_counts().counts(0, 1).tolist()
        [[0, 1], [0, 1]]
        """
        if self._pairs is None:
            object.__setattr__(self, "_pairs", count_pairs(self._codes, self.sizes))
        assert self._pairs is not None
        return self._pairs

    def select(self, attributes: Iterable[str | int]) -> AttributeTable:
        """Return the table of some attributes, in the given order.

        Examples
        --------
        >>> AttributeTable([[0, 1, 0], [1, 1, 0]]).select(["x3", "x1"]).codes.tolist()
        [[0, 0], [0, 1]]
        """
        places = self.attributes(attributes)
        return self._build(
            self._codes[:, places],
            tuple(self._domains[place] for place in places),
            tuple(self._names[place] for place in places),
            self._title,
        )

    def with_missing(self, missing: Missing) -> AttributeTable:
        """Return the table with missing values treated in one of three ways.

        Parameters
        ----------
        missing
            ``"drop"`` leaves them: every pair of attributes uses the records that have both. ``"listwise"``
            keeps complete records only. ``"category"`` makes them one more label, the last one, of each
            attribute that has any.

        Examples
        --------
        >>> table = AttributeTable([[0, 1], [1, -1]])
        >>> table.with_missing("listwise").n_records
        1
        >>> table.with_missing("category").domains
        ((0, 1), (0, 1, 'missing'))
        """
        if not isinstance(missing, str) or missing not in ("drop", "listwise", "category"):
            raise DomainError(
                f"Missing values are to be {shown(missing)}; give 'drop', 'listwise' or 'category'.",
                Where("parameter", name="missing"),
            )
        gone = self._codes < 0
        if missing == "drop" or not gone.any():
            return self
        if missing == "listwise":
            return self._build(self._codes[~gone.any(axis=1)], self._domains, self._names, self._title)
        domains = tuple(
            (*domain, label_for_missing(domain)) if lost else domain
            for domain, lost in zip(self._domains, self.missing.tolist(), strict=True)
        )
        codes = np.where(gone, np.array(self.sizes), self._codes.astype(np.int64))
        return self._build(codes, domains, self._names, self._title)

    def without_unseen(self) -> AttributeTable:
        """Return the table without the labels that no record has.

        An attribute without any value keeps its first label.

        Examples
        --------
        >>> AttributeTable([[0], [2]], sizes=[4]).without_unseen().domains
        ((0, 2),)
        """
        domains, columns = [], []
        for place, domain in enumerate(self._domains):
            seen = [count > 0 for count in self.counts(place).tolist()]
            seen[0] = seen[0] or not any(seen)
            new = np.cumsum(seen) - 1
            column = self._codes[:, place]
            columns.append(np.where(column < 0, -1, new[column]))
            domains.append(tuple(label for label, kept in zip(domain, seen, strict=True) if kept))
        return self._build(np.column_stack(columns), tuple(domains), self._names, self._title)

    def to_dataframe(self) -> Any:
        """Return the records with their labels as a pandas data frame; None where missing.

        Examples
        --------
        >>> table = AttributeTable([[0], [-1]], domains=[["no", "yes"]], names=["ill"])
        >>> table.to_dataframe()["ill"].isna().tolist()
        [False, True]
        """
        from pdp_widgets.models.attribute_frames import labelled_frame

        return labelled_frame(self._codes, self._domains, self._names)
