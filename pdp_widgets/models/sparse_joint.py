"""A joint distribution given by its rows: n copies of a bit have two of them, not 2^n cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import as_title, short, shown
from pdp_widgets.models.names import NamedTuples
from pdp_widgets.models.pandas_frames import pandas_frame
from pdp_widgets.models.support_rows import (
    Value,
    as_probabilities,
    check_rows,
    coded_rows,
    diameter_of,
    pair_tables_of,
    points_of,
    sums_of,
)
from pdp_widgets.models.table_checks import check_cells

__all__ = ["JointRows", "SparseJoint", "as_sparse_joint", "restored"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class JointRows(NamedTuples):
    """Rows of values of n tuples with their probabilities; see `SparseJoint`, which makes them."""

    __slots__ = ("__dict__", "_codes", "_domains", "_probabilities", "_title")

    _codes: Integers
    _domains: tuple[tuple[Value, ...], ...]
    _probabilities: Floats
    _title: str

    def _made(self) -> bool:
        # The __dict__ is always there: what is found late is kept in it.
        return hasattr(self, "_codes")

    @property
    def tuples(self) -> tuple[str, ...]:
        """Name of every tuple."""
        return self._names

    @property
    def n(self) -> int:
        """Number of tuples."""
        return len(self._names)

    @property
    def title(self) -> str:
        """Short text for pictures."""
        return self._title

    @property
    def domains(self) -> tuple[tuple[Value, ...], ...]:
        """Values of every tuple, those that only rows of probability 0 have among them."""
        return self._domains

    @property
    def codes(self) -> Integers:
        """Positions of the values in their domains, shape (rows, n) (read-only)."""
        return self._codes

    @property
    def probabilities(self) -> Floats:
        """Probability of every row (read-only)."""
        return self._probabilities

    @property
    def support(self) -> list[list[Value]]:
        """The rows as values."""
        return [[d[k] for d, k in zip(self._domains, row, strict=True)] for row in self._codes.tolist()]

    @cached_property
    def points(self) -> tuple[Floats, ...]:
        """Values of every tuple as points, shape (values, coordinates) (read-only).

        Raises
        ------
        DomainError
            A value is text.

        Examples
        --------
        >>> from pdp_widgets import SparseJoint
        >>> SparseJoint([[[0, 1], 5], [[2, 3], 6]], [0.5, 0.5]).points[0].tolist()
        [[0.0, 1.0], [2.0, 3.0]]
        """
        found = tuple(
            points_of(domain, axis, name)
            for axis, (domain, name) in enumerate(zip(self._domains, self._names, strict=True))
        )
        for points in found:
            points.flags.writeable = False
        return found

    @cached_property
    def diameters(self) -> Floats:
        """Largest L1 distance of two values of every tuple, DD_j (read-only).

        Examples
        --------
        >>> from pdp_widgets import SparseJoint
        >>> SparseJoint([[0, 1], [5, 1]], [0.5, 0.5]).diameters.tolist()
        [5.0, 0.0]
        """
        found = np.array([diameter_of(points) for points in self.points])
        found.flags.writeable = False
        return found

    def diameter(self, tuple_: str | int) -> float:
        """Return the largest L1 distance of two values of one tuple; others may be text."""
        axis = self.axis(tuple_)
        return diameter_of(points_of(self._domains[axis], axis, self._names[axis]))

    @cached_property
    def offsets(self) -> Integers:
        """Where the values of every tuple begin when all domains are put in one row, shape (n + 1,)."""
        found = np.cumsum([0, *(len(domain) for domain in self._domains)])
        found.flags.writeable = False
        return np.asarray(found)

    @cached_property
    def pair_tables(self) -> Floats:
        """Joint probabilities of all pairs of values of all pairs of tuples (read-only).

        The table of tuples i and j is ``pair_tables[o[i] : o[i + 1], o[j] : o[j + 1]]`` with `offsets` o.

        Examples
        --------
        >>> from pdp_widgets import SparseJoint
        >>> SparseJoint([[0, 0], [1, 1]], [0.5, 0.5]).pair_tables[:2, 2:].tolist()
        [[0.5, 0.0], [0.0, 0.5]]
        """
        found = pair_tables_of(self._codes, self._probabilities, self.offsets)
        found.flags.writeable = False
        return found

    def law(self, tuple_: str | int) -> Floats:
        """Return the probabilities of the values of one tuple.

        Examples
        --------
        >>> from pdp_widgets import SparseJoint
        >>> SparseJoint([["a"], ["b"]], [0.25, 0.75]).law(0).tolist()
        [0.25, 0.75]
        """
        axis = self.axis(tuple_)
        return sums_of(self._codes[:, axis], self._probabilities, len(self._domains[axis]))

    def pair(self, i: str | int, j: str | int) -> Floats:
        """Return the joint probabilities of two tuples, one row for each value of the first."""
        a, b = self.axis(i), self.axis(j)
        shape = len(self._domains[a]), len(self._domains[b])
        index = self._codes[:, a] * shape[1] + self._codes[:, b]
        return sums_of(index, self._probabilities, shape[0] * shape[1]).reshape(shape)

    def conditional(self, i: str | int, j: str | int) -> Floats:
        """Return P(D_j | D_i = a), one row for each value a of the first; 0 where a cannot occur.

        Examples
        --------
        >>> from pdp_widgets import SparseJoint
        >>> joint = SparseJoint([[0, 0], [0, 1], [1, 1]], [0.25, 0.25, 0.5], ["Ann", "Bob"])
        >>> joint.conditional("Ann", "Bob").tolist()
        [[0.5, 0.5], [0.0, 1.0]]
        """
        table = self.pair(i, j)
        sums = table.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(table, sums, out=np.zeros_like(table), where=sums > 0))


class SparseJoint(JointRows):
    """A joint distribution of n tuples given by rows of values and their probabilities.

    The object is immutable. A value is a number, text, true or false, or a list of numbers, which is a point
    with several coordinates; distances are L1.

    Parameters
    ----------
    support
        Rows, each with one value for each tuple; no two rows are equal. A row may have probability 0: its
        values belong to the domains all the same.
    probabilities
        One number for each row, 0 or more, with sum 1 within 1e-9. Nothing is rescaled.
    tuples
        One distinct name for each tuple; without it ``x1``, ``x2``, ...
    title
        A short text for pictures.
    domains
        One list of values for each tuple, or None for those that the rows show: numbers in ascending order,
        text in order of appearance. Needed where a value can be changed to that occurs in no row.

    Raises
    ------
    TableError
        Rows have different lengths or are repeated, a probability is negative or not finite, or the sum is
        not 1.
    DomainError
        A value is of no kind that is taken, or kinds are mixed.

    Notes
    -----
    The database of Liu, Chakraborty and Mittal, "Dependence Makes You Vulnerable: Differential Privacy Under
    Dependent Tuples" (NDSS 2016), Section II, as a random vector.

    Examples
    --------
    >>> from pdp_widgets import SparseJoint
    >>> copies = SparseJoint([[0] * 20, [1] * 20], [0.5, 0.5])
    >>> copies.n, copies.probabilities.tolist(), copies.domains[19]
    (20, [0.5, 0.5], (0, 1))
    >>> SparseJoint([[[0, 0], "near"], [[3, 4], "far"]], [0.5, 0.5], ["place", "word"]).diameter("place")
    7.0
    """

    __slots__ = ()

    def __init__(
        self,
        support: Any,
        probabilities: ArrayLike,
        tuples: Iterable[str] | None = None,
        title: str | None = None,
        *,
        domains: Iterable[Any] | None = None,
    ) -> None:
        self._begin()
        codes, found, names = coded_rows(support, tuples, domains)
        numbers = as_probabilities(probabilities, len(codes))
        _, first = np.unique(codes, axis=0, return_index=True)
        if len(first) < len(codes):
            again = int(np.setdiff1d(np.arange(len(codes)), first)[0])
            same = int(np.flatnonzero((codes == codes[again]).all(axis=1))[0])
            raise TableError(
                f"Row {again} of the support repeats row {same}; list each row once, with the sum of its "
                "probabilities.",
                Where("table"),
            )
        self._keep(codes, numbers, found, names, as_title(title))

    def _keep(
        self,
        codes: Integers,
        probabilities: Floats,
        domains: tuple[tuple[Value, ...], ...],
        names: tuple[str, ...],
        title: str,
    ) -> None:
        codes.flags.writeable = probabilities.flags.writeable = False
        for slot, value in (
            ("_codes", codes),
            ("_probabilities", probabilities),
            ("_domains", domains),
            ("_names", names),
            ("_title", title),
        ):
            object.__setattr__(self, slot, value)

    @classmethod
    def from_joint(cls, joint: JointDistribution) -> SparseJoint:
        """Return a table as rows, one for each cell in table order, those of probability 0 too.

        Examples
        --------
        >>> SparseJoint.from_joint(JointDistribution([[0.5, 0], [0, 0.5]])).codes.tolist()
        [[0, 0], [0, 1], [1, 0], [1, 1]]
        """
        if not isinstance(joint, JointDistribution):
            raise TableError(f"The joint is {shown(joint)}; give a JointDistribution.", Where("table"))
        codes = np.indices(joint.shape, dtype=np.int64).reshape(joint.n_tuples, -1).T
        return restored(
            np.ascontiguousarray(codes), joint.table.ravel().copy(), joint.domains, joint.names, joint.title
        )

    @classmethod
    def from_dataframe(
        cls,
        frame: Any,
        columns: Sequence[str] | None = None,
        weight: str | None = None,
        domains: Mapping[str, Iterable[Any]] | None = None,
        title: str | None = None,
    ) -> SparseJoint:
        """Return the empirical distribution of the rows of a data frame of any library.

        Parameters
        ----------
        frame
            One record a row, or one combination of values a row with a column of weights: a pandas, polars or
            arrow table, or a dict of lists. A lazy frame (polars, duckdb, dask, Spark, Ibis) is counted where
            it lies, and only the counts are fetched, and so is the path of files, see `count_table`.
        columns
            Columns that become tuples, in this order; without it all but the column of weights.
        weight
            Name of the column of weights (counts or probabilities); without it every row counts once.
        domains
            Values by column name, where one does not occur or the order matters; without it as for
            `JointDistribution.from_dataframe`.
        title
            A short text for pictures.

        Warns
        -----
        FewRecordsWarning
            There are fewer records than combinations of values, see `JointDistribution.caution`.
        CountColumnWarning
            A column looks like counts and becomes a tuple; name it as ``weight``, or give ``columns``.
        DataRemark
            Weights are neither whole nor probabilities: how many records there are is not known.

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"Ann": [0, 0, 1, 1], "Bob": [0, 0, 1, 0]})
        >>> SparseJoint.from_dataframe(frame).probabilities.tolist()
        [0.5, 0.25, 0.25]
        """
        from pdp_widgets.models.support_rows import counted_rows

        return restored(*counted_rows(frame, columns, weight, domains), as_title(title))

    def marginal(self, tuples: Iterable[str | int]) -> SparseJoint:
        """Return the joint distribution of some tuples, in the given order.

        Examples
        --------
        >>> SparseJoint([[0, 0, 0], [0, 0, 1]], [0.5, 0.5]).marginal([1, 0])
        SparseJoint(x2: 1 value, x1: 1 value, rows=1)
        """
        axes = self.axes(tuples)
        codes, index = np.unique(self._codes[:, axes], axis=0, return_inverse=True)
        sums = sums_of(index.reshape(-1), self._probabilities, len(codes))
        return restored(
            codes,
            sums,
            tuple(self._domains[j] for j in axes),
            tuple(self._names[j] for j in axes),
            self._title,
        )

    def with_all_rows(self) -> SparseJoint:
        """Return the same distribution with a row for every combination of values, most with probability 0.

        Outputs of a `TableQuery` and its sensitivities are about these.

        Raises
        ------
        LimitError
            There are too many combinations.

        Examples
        --------
        >>> SparseJoint([[0, 0], [1, 1]], [0.5, 0.5]).with_all_rows().probabilities.tolist()
        [0.5, 0.0, 0.0, 0.5]
        """
        shape = tuple(len(domain) for domain in self._domains)
        check_rows(prod(shape))
        index = np.ravel_multi_index(tuple(self._codes.T), shape)
        codes = np.stack(np.unravel_index(np.arange(prod(shape)), shape), axis=1).astype(np.int64)
        numbers = sums_of(index, self._probabilities, prod(shape))
        return restored(codes, numbers, self._domains, self._names, self._title)

    def to_joint(self) -> JointDistribution:
        """Return the table with one cell for each combination of values.

        Raises
        ------
        DomainError
            Values have coordinates: a table has single labels.
        LimitError
            It would have too many cells.

        Examples
        --------
        >>> SparseJoint([[0, 0], [1, 1]], [0.5, 0.5]).to_joint().table.tolist()
        [[0.5, 0.0], [0.0, 0.5]]
        """
        for axis, (name, domain) in enumerate(zip(self._names, self._domains, strict=True)):
            if isinstance(domain[0], tuple):
                raise DomainError(
                    f"The values of {short(name)} have coordinates; the labels of a table are single numbers "
                    "or texts.",
                    Where("axis", axis=axis),
                )
        shape = tuple(len(domain) for domain in self._domains)
        check_cells(shape, "The table")
        table = np.zeros(shape)
        table[tuple(self._codes.T)] = self._probabilities
        domains: Any = self._domains
        return JointDistribution(table, domains, self._names, title=self._title)

    def to_dataframe(self) -> Any:
        """Return a pandas data frame: one row of the support a row, with ``probability``."""
        if "probability" in self._names:
            raise DomainError(
                "A tuple is named probability, which is the name of a result column; rename it.",
                Where("parameter", name="tuples"),
            )
        columns: dict[str, Any] = {
            name: [domain[k] for k in codes]
            for name, domain, codes in zip(self._names, self._domains, self._codes.T.tolist(), strict=True)
        }
        return pandas_frame(columns | {"probability": self._probabilities})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SparseJoint):
            return NotImplemented
        return (
            self._names == other._names
            and self._title == other._title
            and self._domains == other._domains
            and bool(np.array_equal(self._codes, other._codes))
            and bool(np.array_equal(self._probabilities, other._probabilities))
        )

    def __hash__(self) -> int:
        return hash((self._names, self._domains, self._codes.tobytes(), self._probabilities.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self._codes, self._probabilities, self._domains, self._names, self._title)

    def __repr__(self) -> str:
        shown_ = [
            f"{short(name)}: {len(domain)} value{'s'[: len(domain) != 1]}"
            for name, domain in zip(self._names[:8], self._domains, strict=False)
        ]
        more = f", {self.n - 8} more" if self.n > 8 else ""
        title = f"{short(self._title)!r}, " if self._title else ""
        return f"SparseJoint({title}{', '.join(shown_)}{more}, rows={len(self._codes)})"


def restored(
    codes: Integers, probabilities: Floats, domains: tuple[Any, ...], names: tuple[str, ...], title: str
) -> SparseJoint:
    """Return a distribution of checked parts, the arrays of which become read-only."""
    made = SparseJoint.__new__(SparseJoint)
    made._keep(codes, probabilities, domains, names, title)
    return made


def as_sparse_joint(value: Any) -> SparseJoint:
    """Return a `SparseJoint` as it is and a `JointDistribution` as its rows, or raise TableError."""
    if isinstance(value, SparseJoint):
        return value
    if isinstance(value, JointDistribution):
        return SparseJoint.from_joint(value)
    raise TableError(
        f"The joint distribution is {shown(value)}; give a SparseJoint or a JointDistribution.",
        Where("parameter", name="joint"),
    )
