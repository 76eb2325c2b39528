"""A whole histogram: one count for every bin, all of them released."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import check_many
from pdp_widgets.errors import QueryError, Where
from pdp_widgets.mechanisms.label_conditions import distinct_labels
from pdp_widgets.mechanisms.linear_query import LinearQuery, as_linear
from pdp_widgets.models.immutable import Immutable
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import is_text, short, shown

__all__ = ["HistogramQuery", "as_queries", "is_histogram", "joint_sensitivities"]

#: Contributions of all bins: how often counts differ takes a pass over them for every label.
_MOST_NUMBERS = 1 << 22


def as_queries(queries: Any) -> tuple[LinearQuery, ...]:
    """Return queries over the same labels, at least one."""
    if isinstance(queries, LinearQuery):
        return (queries,)
    if isinstance(queries, str | bytes | set | frozenset) or not isinstance(queries, Iterable):
        raise TypeError(
            f"The queries are {shown(queries)}; give a HistogramQuery, such as "
            "HistogramQuery.of_labels(model), or a list of LinearQuery."
        )
    listed = tuple(as_linear(query, f"Query {place}") for place, query in enumerate(queries))
    if not listed:
        raise QueryError("There are no queries; give at least one.", Where("parameter", name="queries"))
    sizes = [[y.size for y in query.contributions] for query in listed]
    for place, size in enumerate(sizes):
        if size != sizes[0]:
            raise QueryError(
                f"Query {place} ({short(listed[place].name)}) has contributions for {size} labels and "
                f"query 0 for {sizes[0]}; all queries must be about the same tuples and labels.",
                Where("parameter", name="queries"),
            )
    return listed


def is_histogram(queries: Sequence[LinearQuery]) -> bool:
    """Tell whether queries are bins: counts, with every label of a tuple in at most one of them."""
    for columns in zip(*(query.contributions for query in queries), strict=True):
        stacked = np.stack(columns)
        if not np.isin(stacked, (0.0, 1.0)).all() or stacked.sum(axis=0).max() > 1:
            return False
    return True


def _check_bins(bins: int, distribution: JointDistribution, name: str) -> None:
    """Raise LimitError where all bins, with a number for each label of each tuple, would take too long."""
    labels = sum(distribution.shape)
    check_many(bins, max(1, _MOST_NUMBERS // labels), name, 1e-6 * labels)


def joint_sensitivities(queries: Sequence[LinearQuery]) -> NDArray[np.float64]:
    """Return the largest sum of changes of all queries when one tuple changes, shape (n,)."""
    found = []
    for columns in zip(*(query.contributions for query in queries), strict=True):
        labels = np.unique(np.stack(columns), axis=1).T
        found.append(max(float(np.abs(labels - one).sum(axis=1).max()) for one in labels))
    return np.array(found)


class HistogramQuery(Immutable):
    """All bins of a histogram, each a count; released with noise of their own, independent of each other.

    Parameters
    ----------
    bins
        One count for each bin. A label of a tuple may be in one bin or in none.
    name
        Short text for pictures.

    Raises
    ------
    QueryError
        A query is not a count, a label is in two bins, or the bins are about different labels.

    Notes
    -----
    A tuple that changes leaves one bin and enters another, so two counts change by 1. Bins of correlated
    tuples can leak more together than the sum of what each leaks: see `joint_leakage`.

    Examples
    --------
    >>> joint = JointDistribution([[0.2, 0.1, 0.1], [0.1, 0.4, 0.1]], [[20, 50], [20, 35, 50]])
    >>> histogram = HistogramQuery.of_edges(joint, [20, 30, 40, 50])
    >>> [query.name for query in histogram]
    ['count in [20, 30)', 'count in [30, 40)', 'count in [40, 50]']
    >>> histogram.local_sensitivities.tolist()
    [2.0, 2.0]
    """

    __slots__ = ("_bins", "_name")

    _bins: tuple[LinearQuery, ...]
    _name: str

    def __init__(self, bins: Iterable[LinearQuery], *, name: str = "histogram") -> None:
        self._begin()
        if not is_text(name):
            raise QueryError(
                f"The name of the histogram is {shown(name)}; give text.", Where("parameter", name="name")
            )
        listed = as_queries(bins)
        for axis, columns in enumerate(zip(*(query.contributions for query in listed), strict=True)):
            stacked = np.stack(columns)
            if not np.isin(stacked, (0.0, 1.0)).all():
                at = int(np.argmax(~np.isin(stacked, (0.0, 1.0)).all(axis=1)))
                raise QueryError(
                    f"Bin {at} ({short(listed[at].name)}) is no count: a contribution of tuple {axis} is "
                    "neither 0 nor 1.",
                    Where("axis", axis=axis),
                )
            if stacked.sum(axis=0).max() > 1:
                label = int(np.argmax(stacked.sum(axis=0)))
                raise QueryError(
                    f"Label {label} of tuple {axis} is in two bins; a label is in one bin or in none.",
                    Where("axis", axis=axis),
                )
        object.__setattr__(self, "_bins", listed)
        object.__setattr__(self, "_name", str(name))

    @classmethod
    def of_labels(
        cls, distribution: JointDistribution, groups: Iterable[Any] | None = None, *, name: str = "histogram"
    ) -> HistogramQuery:
        """Return a histogram with one bin for each label, or for each group of labels.

        Parameters
        ----------
        distribution
            Gives the labels.
        groups
            What each bin counts, as in `LinearQuery.count`; without it one bin for each label.
        name
            Short text for pictures.

        Raises
        ------
        QueryError
            A label is not one of the table, or is in two bins.

        Examples
        --------
        >>> joint = JointDistribution([0.25, 0.25, 0.5], [["no", "maybe", "yes"]])
        >>> [query.name for query in HistogramQuery.of_labels(joint, [["no", "maybe"], "yes"])]
        ['count of no and maybe', 'count of yes']
        """
        if not isinstance(distribution, JointDistribution):
            raise TypeError(f"The distribution is a {type(distribution).__name__}; give a JointDistribution.")
        if groups is None:
            groups = distinct_labels(distribution)
        if isinstance(groups, str | bytes) or not isinstance(groups, Iterable):
            raise QueryError(
                f"The groups are {shown(groups)}; give a list with a label or a list of labels for each bin.",
                Where("parameter", name="groups"),
            )
        listed = list(groups)
        _check_bins(len(listed), distribution, "groups")
        return cls([LinearQuery.count(distribution, group) for group in listed], name=name)

    @classmethod
    def of_edges(
        cls, distribution: JointDistribution, edges: Iterable[float], *, name: str = "histogram"
    ) -> HistogramQuery:
        """Return a histogram of numbers with the bins [e0, e1), [e1, e2), ..., the last one closed.

        As numpy's histogram: labels below the first or above the last edge are in no bin.

        Raises
        ------
        QueryError
            There are fewer than two edges, they do not increase, or a label is text.
        """
        if not isinstance(distribution, JointDistribution):
            raise TypeError(f"The distribution is a {type(distribution).__name__}; give a JointDistribution.")
        plain = isinstance(edges, str | bytes | set | frozenset) or not isinstance(edges, Iterable)
        listed = [] if plain else list(edges)
        if len(listed) < 2:
            raise QueryError(
                f"The edges are {shown(edges)}; give at least two numbers in ascending order.",
                Where("parameter", name="edges"),
            )
        _check_bins(len(listed) - 1, distribution, "edges")
        last = len(listed) - 2
        made = [
            LinearQuery.bin(distribution, low, high, closed=place == last)
            for place, (low, high) in enumerate(pairwise(listed))
        ]
        return cls(made, name=name)

    @property
    def bins(self) -> tuple[LinearQuery, ...]:
        """The count of every bin."""
        return self._bins

    @property
    def name(self) -> str:
        """Short text for pictures."""
        return self._name

    @property
    def local_sensitivities(self) -> NDArray[np.float64]:
        """Largest sum of the changes of all bins when one tuple changes, shape (n,); at most 2."""
        return joint_sensitivities(self._bins)

    @property
    def global_sensitivity(self) -> float:
        """Largest local sensitivity."""
        return float(self.local_sensitivities.max())

    def check_fits(self, distribution: JointDistribution) -> None:
        """Raise QueryError unless there is one contribution for each label of a distribution."""
        self._bins[0].check_fits(distribution)

    def __iter__(self) -> Iterator[LinearQuery]:
        return iter(self._bins)

    def __len__(self) -> int:
        return len(self._bins)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HistogramQuery):
            return NotImplemented
        return self._name == other._name and self._bins == other._bins

    def __hash__(self) -> int:
        return hash((self._name, self._bins))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._bins, self._name)

    def __repr__(self) -> str:
        listed = ", ".join(short(query.name) for query in self._bins[:6])
        more = ", ..." if len(self._bins) > 6 else ""
        return f"HistogramQuery({len(self._bins)} bins: {listed}{more}; name={self._name!r})"


def _restore(bins: tuple[LinearQuery, ...], name: str) -> HistogramQuery:
    return HistogramQuery(bins, name=name)
