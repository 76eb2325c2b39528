"""Dependent sensitivities of users whose friends all share one coefficient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import NetworkError, Where
from pdp_widgets.leakage.dependent.budget import as_budget, laplace_scale
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.mechanisms.local.parameters import as_probability
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.friendship_graph import FriendshipGraph, check_graph
from pdp_widgets.models.given_sizes import as_sizes
from pdp_widgets.models.immutable import ReadOnlyArrays

__all__ = ["GraphSensitivity", "graph_sensitivity"]

Floats = NDArray[np.float64]


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
            {"epsilon": self.epsilon},
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
    rows = each + as_probability(coefficient, "coefficient") * graph.sums_over_friends(each)
    return GraphSensitivity(rows, each, as_budget(epsilon), graph.largest_component)
