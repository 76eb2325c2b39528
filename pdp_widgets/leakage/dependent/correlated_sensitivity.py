"""Sensitivities that are enlarged by correlation: by degrees, and by a graph of friends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import BUDGET, NOT_NEGATIVE, PROBABILITY
from pdp_widgets.core.converters import as_sizes, plain_numbers, refuse_masked
from pdp_widgets.errors import DomainError, NetworkError, TableError, Where
from pdp_widgets.leakage.dependent.budget import laplace_scale
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.models.friendship_graph import FriendshipGraph, check_graph
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.labels import short
from pdp_widgets.models.sparse_joint import as_sparse_joint

Floats = NDArray[np.float64]

#: A correlation of records is computed, and may pass 1 by a rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class CorrelatedSensitivity(EqualByFields, ReadOnlyArrays, NumberTable):
    """Sensitivities that add up correlated tuples, weighted by how strongly they are correlated.

    Parameters
    ----------
    rows
        Of every tuple, shape (n,).
    threshold
        Weaker correlations count as none.
    epsilon
        The budget in nats.

    Notes
    -----
    Nothing is promised by it: tuples can depend on each other without any correlation, and a correlation of 1
    can hide a change of any size. It is a part of the comparisons of the paper.

    Examples
    --------
    >>> found = correlated_sensitivity([[1, 0.6], [0.6, 1]], [1, 2], epsilon=0.5)
    >>> found.rows.tolist(), found.sensitivity, found.scale
    ([2.2, 2.6], 2.6, 5.2)
    """

    rows: Floats
    threshold: float
    epsilon: float

    @property
    def sensitivity(self) -> float:
        """The largest row."""
        return float(self.rows.max())

    @property
    def scale(self) -> float:
        """Of the noise: the sensitivity over the budget."""
        return laplace_scale(self.sensitivity, self.epsilon)

    def _numbers(self) -> Numbers:
        return Numbers(
            {"tuple": np.arange(1, len(self.rows) + 1), "sensitivity": self.rows},
            {"tuple": "count", "sensitivity": "number"},
            {
                "unit": "units of the query",
                "source": "Zhu, Xiong, Li and Zhou, correlated sensitivity",
                "status": {"sensitivity": "as printed"},
                "epsilon": self.epsilon,
                "threshold": self.threshold,
                "scale": self.scale,
            },
            (f"scale {self.scale:.6g} for {epsilon_words(self.epsilon)}; no guarantee",),
        )


def correlated_sensitivity(
    degrees: ArrayLike, sensitivities: ArrayLike, threshold: float = 0.0, epsilon: float = 1.0
) -> CorrelatedSensitivity:
    """Return the correlated sensitivity of Zhu, Xiong, Li and Zhou.

    Parameters
    ----------
    degrees
        Correlation degrees of all pairs, from -1 to 1, shape (n, n): Pearson's correlations, or others. What
        stands on the diagonal is not read.
    sensitivities
        What a change of each tuple alone changes in the answer at most, shape (n,).
    threshold
        Pairs with a smaller degree, in size, count as independent.
    epsilon
        The budget in nats, positive and finite.

    Raises
    ------
    TableError
        The degrees are no square table of numbers from -1 to 1, or of another size.
    BudgetError
        Another number is not what it must be.

    Examples
    --------
    >>> degrees = [[1, 0.6, -0.3], [0.6, 1, 0.05], [-0.3, 0.05, 1]]
    >>> found = correlated_sensitivity(degrees, [1, 2, 1], threshold=0.1, epsilon=0.5)
    >>> found.rows.tolist(), found.scale
    ([2.5, 2.6, 1.3], 5.2)
    """
    table = _as_degrees(degrees)
    reach = as_sizes(sensitivities, "sensitivities")
    if reach.shape != (len(table),) or not np.isfinite(reach).all():
        raise TableError(
            f"sensitivities has the shape {reach.shape}; give one finite number for each of the {len(table)} "
            "tuples.",
            Where("parameter", name="sensitivities"),
        )
    least = NOT_NEGATIVE.take(threshold, "threshold")
    weights = np.abs(table)
    weights[weights < least] = 0.0
    np.fill_diagonal(weights, 0.0)
    return CorrelatedSensitivity(reach + weights @ reach, least, BUDGET.take(epsilon, "epsilon"))


def pearson_degrees(joint: Any) -> Floats:
    """Return the correlations of all pairs of tuples of single numbers; 0 with one that does not vary.

    Examples
    --------
    >>> from pdp_widgets.models.sparse_joint import SparseJoint
    >>> folded = SparseJoint([[-1, 2], [0, 0], [1, 2]], [0.25, 0.5, 0.25])
    >>> pearson_degrees(folded).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    rows = as_sparse_joint(joint)
    for axis, points in enumerate(rows.points):
        if points.shape[1] != 1:
            raise DomainError(
                f"The values of {short(rows.tuples[axis])} have {points.shape[1]} coordinates; a correlation "
                "is one of single numbers.",
                Where("axis", axis=axis),
            )
    values = np.column_stack([points[rows.codes[:, j], 0] for j, points in enumerate(rows.points)])
    chances = rows.probabilities / rows.probabilities.sum()
    centred = values - chances @ values
    covariance = (chances[:, None] * centred).T @ centred
    # A mean is rounded: what does not vary would seem to, a little.
    varies = np.ptp(values[rows.probabilities > 0], axis=0) > 0
    spread = np.sqrt(np.diag(covariance)) * varies
    size = np.outer(spread, spread)
    found = np.divide(covariance, size, out=np.zeros_like(covariance), where=size > 0)
    np.fill_diagonal(found, 1.0)
    return np.asarray(found.clip(-1.0, 1.0))


def _as_degrees(degrees: Any) -> Floats:
    where = Where("parameter", name="degrees")
    refuse_masked(degrees, "degrees")
    try:
        table = plain_numbers(degrees)
    except (TypeError, ValueError, OverflowError):
        raise TableError("degrees is no table of numbers; give one row for each tuple.", where) from None
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:
        raise TableError(
            f"degrees has the shape {table.shape}; give one row and one column for each tuple.", where
        )
    wrong = ~(np.abs(table) <= 1 + _ROUNDING)
    # A tuple's own degree is not used, but NaN is none.
    np.fill_diagonal(wrong, ~np.isfinite(np.diag(table)))
    if wrong.any():
        i, j = (int(k) for k in np.argwhere(wrong)[0])
        raise TableError(
            f"The degree of tuples {i} and {j} is {table[i, j]:.12g}; it must be a number from -1 to 1.",
            Where("cell", index=(i, j)),
        )
    return table


@dataclass(frozen=True, eq=False)
class GraphSensitivity(EqualByFields, ReadOnlyArrays, NumberTable):
    """Dependent sensitivities of users of whom friends share one coefficient.

    Parameters
    ----------
    rows
        Of every user, shape (n,): the own sensitivity and the coefficient times that of each friend.
    sensitivities
        Of every user alone, shape (n,).
    epsilon
        Budget in nats.
    largest_component
        Size of the largest block that the graph allows.

    Notes
    -----
    The sum runs over friends as in the paper. Users who are reached through friends depend on each other too,
    so the scale keeps the budget only where every component is a set of mutual friends, and with a
    coefficient that holds for blocks of any size.

    Examples
    --------
    >>> found = graph_sensitivity(FriendshipGraph(5, [(0, 1), (1, 2), (2, 3)]), 0.6)
    >>> found.rows.tolist(), found.sensitivity, found.scale, found.scale_lpm, found.largest_component
    ([1.6, 2.2, 2.2, 1.6, 1.0], 2.2, 2.2, 1.0, 4)
    """

    rows: Floats
    sensitivities: Floats
    epsilon: float
    largest_component: int

    @property
    def sensitivity(self) -> float:
        """The largest row, DS."""
        return float(self.rows.max())

    @property
    def scale(self) -> float:
        """Of the noise: the largest row over the budget."""
        return laplace_scale(self.sensitivity, self.epsilon)

    @property
    def scale_lpm(self) -> float:
        """Without any dependence: the largest sensitivity over the budget."""
        return laplace_scale(float(self.sensitivities.max()), self.epsilon)

    def _numbers(self) -> Numbers:
        columns = {
            "user": np.arange(len(self.rows)),
            "own": self.sensitivities,
            "with friends": self.rows,
        }
        return Numbers(
            columns,
            {"user": "count", "own": "number", "with friends": "number"},
            {
                "unit": "units of the query",
                "source": "Liu, Chakraborty and Mittal, Eq. 22 and 23",
                "status": {"with friends": "as printed"},
                "epsilon": self.epsilon,
            },
            (f"scale {self.scale:.6g} for {epsilon_words(self.epsilon)}",),
            tuple(np.argsort(-self.rows, kind="stable").tolist()),
        )


def graph_sensitivity(
    graph: FriendshipGraph, coefficient: float, sensitivities: ArrayLike = 1.0, epsilon: float = 1.0
) -> GraphSensitivity:
    """Return the dependent sensitivities of users of whom friends share one coefficient.

    Parameters
    ----------
    graph
        Friendships.
    coefficient
        Of two friends, 0 to 1.
    sensitivities
        What a change of each user alone changes in the answer at most, shape (n,), or one for all.
    epsilon
        Budget in nats, positive and finite.

    Raises
    ------
    NetworkError
        There is not one sensitivity for each user.

    Examples
    --------
    >>> graph_sensitivity(FriendshipGraph(3), 0.6, [1, 2, 1], epsilon=0.5).scale
    4.0
    """
    check_graph(graph)
    reach = as_sizes(sensitivities, "sensitivities", NetworkError)
    if reach.shape not in ((), (graph.n,)) or not np.isfinite(reach).all():
        raise NetworkError(
            f"sensitivities has the shape {reach.shape}; give one finite number for each of {graph.n:,} "
            "users, or one for all.",
            Where("parameter", name="sensitivities"),
        )
    each = np.broadcast_to(reach, (graph.n,)).copy()
    rows = each + PROBABILITY.take(coefficient, "coefficient") * graph.sums_over_friends(each)
    return GraphSensitivity(rows, each, BUDGET.take(epsilon, "epsilon"), graph.largest_component)
