"""The joint distribution of n discrete tuples: how the data are correlated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.chart import Cells
from pdp_widgets.core.results import Figures, Result, drawer
from pdp_widgets.errors import DomainError, InstanceError, PdpError, TableError, Where
from pdp_widgets.models.joint_value import JointValue, pulled_to_independence
from pdp_widgets.models.labels import short
from pdp_widgets.models.table_checks import (
    as_counts,
    as_numbers,
    check_described,
    product_of,
    refuse_records,
)
from pdp_widgets.models.tabulation import described, tabulate

__all__ = ["JointDistribution"]

#: A picture of more cells shows so many of the most likely rows; columns side by side, at most.
_MOST_CELLS, _MOST_ROWS, _MOST_ACROSS = 256, 20, 8


class JointDistribution(JointValue, Result):
    """A table of probabilities over n tuples with named axes and typed labels.

    The object is immutable. Axis ``j`` of the table belongs to tuple ``j`` and is indexed in the order in
    which its domain is given.

    Parameters
    ----------
    table
        Array of n axes, shape ``(len(domains[0]), ..., len(domains[n-1]))``; entries are probabilities that
        sum to 1 within 1e-9. It is copied and kept as it is: nothing is rescaled.
    domains
        One list of distinct labels for each tuple (integers, reals, booleans or text). Without it the labels
        are 0, 1, 2, ...
    names
        One distinct name for each tuple; without it ``x1``, ``x2``, ...
    title
        A short text for pictures.

    Raises
    ------
    TableError
        The table has a wrong shape, an entry that is negative or not finite, or a sum other than 1.
    DomainError
        A domain is empty or has two equal labels; a name is missing or used twice.

    Notes
    -----
    The table is the parameter theta of Li, Ren, Yang and Yang, "Impact of Prior Knowledge and Data
    Correlation on Privacy Leakage: A Unified Analysis", Section III.

    Examples
    --------
    >>> from pdp_widgets import JointDistribution
    >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["Ann", "Bob"])
    >>> joint.probability([1, 1])
    0.3
    >>> joint.axis("Bob")
    1
    """

    __slots__ = ()

    def __init__(
        self,
        table: ArrayLike,
        domains: Iterable[Iterable[Any]] | None = None,
        names: Iterable[str] | None = None,
        *,
        title: str | None = "",
    ) -> None:
        self._begin()
        table, domains, names = described(table, domains, names)
        try:
            numbers = as_numbers(table, "table")
            self._set(numbers, domains, names, title, None)
        except PdpError:
            refuse_records(table)
            raise

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike,
        domains: Iterable[Iterable[Any]] | None = None,
        names: Iterable[str] | None = None,
        title: str | None = "",
    ) -> JointDistribution:
        """Return the empirical distribution of a contingency table of whole numbers.

        Parameters
        ----------
        counts
            Array with one axis for each tuple; whole numbers, not negative, not all 0. A crosstab of pandas,
            or a series of counts by label, has its own labels and names; so has a frame of any library whose
            first column has the labels of its rows.
        domains, names, title
            As for the class.

        Raises
        ------
        TableError
            A count is negative, not whole or not finite, or all are 0.

        Examples
        --------
        >>> JointDistribution.from_counts([[3, 2], [2, 3]]).records
        10
        """
        counts, domains, names = described(counts, domains, names)
        refuse_records(counts)
        numbers = as_numbers(counts, "table of counts")
        checked_domains, checked_names = check_described(numbers, domains, names, "count")
        whole = as_counts(numbers, checked_domains, checked_names)
        return cls._build(numbers / numbers.sum(), checked_domains, checked_names, title, whole)

    @classmethod
    def normalised(
        cls,
        weights: ArrayLike,
        domains: Iterable[Iterable[Any]] | None = None,
        names: Iterable[str] | None = None,
        title: str | None = "",
    ) -> JointDistribution:
        """Return the distribution proportional to weights that are not negative.

        Raises
        ------
        TableError
            A weight is negative or not finite, or all are 0.

        Examples
        --------
        >>> JointDistribution.normalised([[1, 1], [1, 1]]).probability([0, 0])
        0.25
        """
        weights, domains, names = described(weights, domains, names)
        refuse_records(weights)
        numbers = as_numbers(weights, "table of weights")
        checked_domains, checked_names = check_described(numbers, domains, names, "weight")
        largest = float(numbers.max())
        if largest == 0:
            raise TableError("All weights are 0; at least one must be positive.", Where("table"))
        # Divide by the largest first: the sum of weights near the largest float would overflow.
        numbers = numbers / largest
        return cls._build(numbers / numbers.sum(), checked_domains, checked_names, title, None)

    @classmethod
    def independent(
        cls,
        marginals: Iterable[ArrayLike],
        domains: Iterable[Iterable[Any]] | None = None,
        names: Iterable[str] | None = None,
        title: str | None = "",
    ) -> JointDistribution:
        """Return the distribution of independent tuples with the given marginals.

        Parameters
        ----------
        marginals
            One list of probabilities for each tuple, each with sum 1.
        domains, names, title
            As for the class.

        Examples
        --------
        >>> JointDistribution.independent([[0.5, 0.5], [0.25, 0.75]]).probability([1, 0])
        0.125
        """
        numbers = product_of(marginals)
        # n factors may each be off by 1e-9: bring the product back to 1.
        return cls._build(numbers / numbers.sum(), domains, names, title, None)

    @classmethod
    def from_dataframe(
        cls,
        frame: Any,
        columns: Sequence[str] | None = None,
        weight: str | None = None,
        domains: Mapping[str, Iterable[Any]] | None = None,
        title: str | None = "",
        unused: bool | None = None,
    ) -> JointDistribution:
        """Return the empirical distribution of the rows of a data frame of any library.

        Parameters
        ----------
        frame
            One record a row, or one combination of labels a row with a column of counts: a pandas, polars or
            arrow table, or a dict of lists. A lazy frame (polars, duckdb, dask, Spark, Ibis) is counted where
            it lies, and only the counts are fetched. A crosstab of pandas whose sides are both named, and a
            series such as ``frame.value_counts()``, are counts already. The path of a file, or a pattern such
            as ``"data/*.parquet"``, is counted where it lies, see `count_table`.
        columns
            Columns that become tuples, in this order; without it all but the column of counts.
        weight
            Name of the column of counts or of other weights; without it every row counts once. Weights that
            are not whole give shares alone: then the distribution has no counts.
        domains
            Labels by column name, where the order matters or a label does not occur; without it those that
            the column declares in an order (an ordered categorical, an Enum), or else the labels that occur,
            in ascending order (text in order of appearance, but no before yes and false before true). Dates,
            times, periods and intervals are text in their order; other text of a lazy frame is sorted.
        title
            A short text for pictures.
        unused
            Whether categories that nobody has are labels. Without it those of ordered columns are; with True
            those of unordered columns of pandas and arrow too, which then stand in the order of their
            categories.

        Raises
        ------
        DomainError
            A column does not exist, has missing values, or holds a label outside its domain.
        TableError
            A weight is negative, infinite or missing, or a file is damaged.
        LimitError
            A file takes more than a minute, a column has more than 1,000 labels that are not given in
            ``domains``, or the table would have more than 1,048,576 cells.

        Warns
        -----
        CountColumnWarning
            A column looks like counts and becomes a tuple; name it as ``weight``, or give ``columns``.
        DataRemark
            Weights are neither whole nor probabilities: how many records there are is not known.

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"smokes": ["no", "no", "yes"], "ill": [0, 0, 1]})
        >>> JointDistribution.from_dataframe(frame).counts.tolist()
        [[2, 0], [0, 1]]
        """
        table, found, names = tabulate(frame, columns, weight, domains, unused)
        made = cls.from_counts if table.dtype == np.int64 else cls.normalised
        return made(table, found, names, title)

    def marginal(self, tuples: Iterable[str | int]) -> JointDistribution:
        """Return the joint distribution of some tuples, in the given order.

        Examples
        --------
        >>> from pdp_widgets import lsat6
        >>> lsat6().marginal(["item 1", "item 2", "item 5"]).counts.tolist()
        [[[9, 22], [3, 42]], [[42, 218], [76, 588]]]
        """
        axes = self.axes(tuples)
        gone = tuple(j for j in range(self.n_tuples) if j not in axes)
        kept = sorted(axes)
        order = [kept.index(j) for j in axes]
        numbers = np.ascontiguousarray(self._table.sum(axis=gone).transpose(order))
        counts = (
            None
            if self._counts is None
            else np.ascontiguousarray(self._counts.sum(axis=gone).transpose(order))
        )
        return self._build(
            numbers, [self._domains[j] for j in axes], [self._names[j] for j in axes], self._title, counts
        )

    def reorder(self, tuples: Iterable[str | int]) -> JointDistribution:
        """Return the same distribution with its tuples in another order.

        Examples
        --------
        >>> JointDistribution([[0.3, 0.2], [0.1, 0.4]]).reorder(["x2", "x1"]).table.tolist()
        [[0.3, 0.1], [0.2, 0.4]]
        """
        axes = self.axes(tuples)
        if len(axes) != self.n_tuples:
            raise DomainError(
                f"Name all {self.n_tuples} tuples to reorder them.", Where("parameter", name="tuples")
            )
        return self.marginal(axes)

    def condition(self, known: Mapping[Any, Any]) -> JointDistribution:
        """Return the joint distribution of the other tuples, given the labels of some.

        Parameters
        ----------
        known
            Labels by tuple name or position.

        Raises
        ------
        InstanceError
            A label is not in its domain, or the given labels have probability 0.
        DomainError
            No tuple would remain.

        Examples
        --------
        >>> joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
        >>> joint.condition({"x2": 1}).table.tolist()
        [0.4, 0.6]
        """
        given = self.by_axis(known, "known")
        rest = [j for j in range(self.n_tuples) if j not in given]
        if not rest:
            raise DomainError(
                "No tuple is left; give labels for fewer tuples.", Where("parameter", name="known")
            )
        where = tuple(
            self.label_position(j, given[j]) if j in given else slice(None) for j in range(self.n_tuples)
        )
        weights = self._table[where]
        if not weights.any():
            text = ", ".join(f"{short(self._names[j])} = {short(label)}" for j, label in given.items())
            raise InstanceError(
                f"The known values {text} have probability 0; give values that can occur.", Where("row")
            )
        domains, names = [self._domains[j] for j in rest], [self._names[j] for j in rest]
        if self._counts is not None:
            return self.from_counts(self._counts[where], domains, names, self._title)
        return self.normalised(weights, domains, names, self._title)

    def smoothed(self, pseudo_records: float | None = None) -> JointDistribution:
        """Return the table with pseudo-records added that lie as if the tuples were independent.

        A sparse table (see `sparse`) reads every combination without records as impossible and every chance
        agreement of a few records as dependence. Pseudo-records with the same marginals pull it towards
        independence, the more the fewer records there are. They do not replace records: the surest cure is a
        `marginal` of fewer tuples, or fewer labels.

        Parameters
        ----------
        pseudo_records
            How many, for all cells together. Without it the number that the counts suggest, (1 - sum of p^2)
            / (sum of (p - q)^2) with the shares p of the cells and those q under independence: large where
            the tuples look independent, small where they do not.

        Returns
        -------
        distribution
            Without counts: what is left open by the sample is asked of this distribution, see
            `leakage_interval`.

        Raises
        ------
        TableError
            The distribution does not come from counts, or the number is negative or not finite.

        Notes
        -----
        S. E. Fienberg and P. W. Holland, "Simultaneous estimation of multinomial cell probabilities", Journal
        of the American Statistical Association 68 (1973). A combination that cannot occur for a reason of its
        own becomes possible: do not smooth such a table.

        Examples
        --------
        >>> joint = JointDistribution.from_counts([[3, 0], [1, 2]])
        >>> joint.smoothed(6).table.round(4).tolist()
        [[0.4167, 0.0833], [0.25, 0.25]]
        """
        if self._counts is None:
            raise TableError(
                "The distribution does not come from counts, so there are no records to add any to; make it "
                "with JointDistribution.from_counts, from_dataframe or read_counts.",
                Where("table"),
            )
        numbers = pulled_to_independence(self._counts, pseudo_records)
        return self.normalised(numbers, self._domains, self._names, self._title)

    def to_dataframe(self) -> Any:
        """Return a pandas data frame: one row a cell, in table order, with labels and ``probability``.

        A distribution made from counts has a column ``count`` as well.
        """
        from pdp_widgets.models.pandas_frames import cells

        return cells(self._table, self._domains, self._names, self._counts)

    def to_latex(
        self,
        columns: Iterable[str | int] | None = None,
        *,
        most: int | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        r"""Return the table for LaTeX: pivoted with its sums, or its most likely rows.

        Parameters
        ----------
        columns
            The tuples whose labels stand across; without it as many of the last as make at most 8 columns.
        most
            List so many most likely rows in place of the pivoted table; beyond 256 cells 20 are listed.
        caption, label
            Make it a floating table. The caption is LaTeX and goes in as it is.

        Raises
        ------
        DomainError
            A tuple does not exist, or all tuples are to stand across; ``most`` is no number of rows.

        Examples
        --------
        >>> made = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["Ann", "Bob"]).to_latex()
        >>> made.splitlines()[7]
        '0 & 0.300 & 0.200 & 0.500 \\\\'
        """
        return str(drawer("latex").table(self, columns, most=most, caption=caption, label=label))

    def cells(self) -> Cells:
        """Return the table as a picture declares it, see `pdp_widgets.core.chart.Cells`.

        Pivoted, with as many of the last tuples across as make at most 8 columns; of more than 256 cells the
        20 most likely rows.

        Examples
        --------
        >>> made = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["Ann", "Bob"]).cells()
        >>> made.rows, made.columns, made.across
        (('0', '1'), ('0', '1'), 'Bob')
        """
        shape, n = self.shape, self.n_tuples
        title = f"Joint distribution: {self._title}" if self._title else "Joint distribution"
        if self._table.size > _MOST_CELLS:
            order = np.argsort(-self._table.ravel(), kind="stable")[:_MOST_ROWS]
            rows = [self._told(range(n), np.unravel_index(flat, shape)) for flat in order.tolist()]
            chances = self._table.ravel()[order][:, None]
            note = f"The {len(rows)} most likely of {self._table.size:,} rows."
            return Cells(title, rows, ["probability"], chances, texts=_told_chances(chances), note=note)
        first = n - 1
        while first > 1 and prod(shape[first - 1 :]) <= _MOST_ACROSS:
            first -= 1
        down, across = range(first), range(first, n)
        table = self._table.reshape(prod(shape[:first]), -1)
        rows = [self._told(down, place) for place in np.ndindex(*shape[:first])]
        columns = [self._told(across, place) for place in np.ndindex(*shape[first:])]
        return Cells(
            title,
            rows,
            columns,
            table,
            ", ".join(self._names[j] for j in down),
            ", ".join(self._names[j] for j in across),
            texts=_told_chances(table),
            key="probability",
        )

    def _told(self, axes: Iterable[int], place: Iterable[int]) -> str:
        """Return labels in one line."""
        return ", ".join(str(self._domains[j][k]) for j, k in zip(axes, place, strict=True))

    def _figures(self) -> Figures:
        return {"table": self.cells}


def _told_chances(table: NDArray[np.float64]) -> list[list[str]]:
    def told(p: float) -> str:
        return "0" if p == 0 else f"{p:.3f}" if p >= 0.0005 else f"{p:.1e}"

    return [[told(p) for p in row] for row in table.tolist()]
