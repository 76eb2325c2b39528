"""The Wasserstein mechanism: noise by how far apart the laws of a query are given two labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import BUDGET
from pdp_widgets.core.converters import LARGEST, as_flag, as_sizes
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import TableError, Where
from pdp_widgets.leakage.networks.laws import (
    Lattice,
)
from pdp_widgets.leakage.networks.scales import KnowingNone
from pdp_widgets.leakage.number_table import Numbers, NumberTable
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays
from pdp_widgets.models.networks.network import Network

__all__ = [
    "WassersteinMechanism",
    "as_class",
    "wasserstein_distances",
    "wasserstein_infinity",
    "wasserstein_mechanism",
]

Floats = NDArray[np.float64]

#: Relative tolerance where two distribution functions are compared.
_TOLERANCE = 1e-9
_SOURCE = "Song, Wang and Chaudhuri, Pufferfish mechanisms for correlated data, Wasserstein mechanism"


def wasserstein_infinity(one: Iterable[tuple[float, float]], other: Iterable[tuple[float, float]]) -> float:
    """Return the infinite Wasserstein distance of two laws on the line.

    Parameters
    ----------
    one, other
        Pairs of a value and its probability.

    Returns
    -------
    float
        The longest way that mass must go at least: the largest distance of the two quantile functions. Every
        mass counts, however small.

    Raises
    ------
    TableError
        A value is not finite, or the probabilities are not those of a law.

    Examples
    --------
    >>> wasserstein_infinity([(0, 0.5), (1, 0.5)], [(0, 0.25), (3, 0.75)])
    3.0
    """
    laws = [
        as_sizes(given, name, TableError, -inf, LARGEST) for given, name in ((one, "one"), (other, "other"))
    ]
    for law in laws:
        pairs = law.ndim == 2 and law.shape[1] == 2 and len(law) > 0
        if not pairs or (law[:, 1] < 0).any() or (law[:, 1] > 2).any() or abs(law[:, 1].sum() - 1) > 1e-8:
            raise TableError(
                "A law is a list of pairs of a finite value and its probability, with sum 1.", Where("table")
            )
    values = np.unique(np.concatenate([law[law[:, 1] > 0, 0] for law in laws]))
    rows = []
    for law in laws:
        row = np.zeros(len(values))
        np.add.at(row, np.searchsorted(values, law[law[:, 1] > 0, 0]), law[law[:, 1] > 0, 1])
        with np.errstate(divide="ignore"):
            rows.append(np.log(row))
    return _distance(values, rows[0], rows[1])


def longest_arrow(values: Floats, one: Floats, other: Floats) -> tuple[float, float, float]:
    """Return the distance of two laws, given as logarithms at ascending values, and from where to where.

    That is the longest way which mass of the first must go when it is moved, in order, to the second.
    """
    there, back = _way(values, one, other), _way(values, other, one)
    return there if there[0] >= back[0] else (back[0], back[2], back[1])


def _distance(values: Floats, one: Floats, other: Floats) -> float:
    return longest_arrow(values, one, other)[0]


def _way(values: Floats, one: Floats, other: Floats) -> tuple[float, float, float]:
    """Return how far down the mass of one law lies below the other at most, and from where to where."""
    # The least y for each x of the first law with F(x) <= G(y): by the tail that is accurate there.
    at = np.flatnonzero(one > -inf)
    below, above = _tails(one)
    other_below, other_above = _tails(other)
    slack = np.log1p(_TOLERANCE)
    half = int(np.searchsorted(other_below, np.log(0.5), side="right"))
    low = np.searchsorted(other_below + slack, below[at], side="left")
    high = np.searchsorted(-other_above, -(above[at] + slack), side="left")
    last = len(values) - 1
    place = np.where(low < half, low, np.maximum(half, high))
    reached = values[np.minimum(place, last)]
    if not len(at):
        return 0.0, 0.0, 0.0
    k = int(np.argmax(reached - values[at]))
    moved = float(reached[k] - values[at[k]])
    return max(moved, 0.0), float(values[at[k]]), float(reached[k])


def _tails(law: Floats) -> tuple[Floats, Floats]:
    """Return logarithms of the mass up to each value, and of that above it."""
    above = np.logaddexp.accumulate(law[::-1])[::-1]
    return np.logaddexp.accumulate(law), np.append(above[1:], -inf)


def wasserstein_distances(none: KnowingNone) -> Floats:
    """Return for each target the largest distance of the laws of the query given two possible labels."""
    steps = np.arange(none.lattice.reach + 1.0)
    found = []
    for rows in none.exact_rows():
        assert rows.reached is not None
        logs = np.where(rows.reached, rows.logs, -inf)[rows.feasible]
        pairs = ((a, b) for k, a in enumerate(logs) for b in logs[k + 1 :])
        found.append(none.lattice.step * max((_distance(steps, a, b) for a, b in pairs), default=0.0))
    return np.array(found)


def as_class(networks: Any) -> list[Network]:
    """Return the models of a class: one network, or several about the same tuples."""
    listed = [networks] if isinstance(networks, Network) else list(networks)
    if not listed or not all(isinstance(one, Network) for one in listed):
        raise TypeError(
            "The model is no network; give a BayesianNetwork, a MarkovNetwork, or a list of them."
        )
    if any(one.shape != listed[0].shape for one in listed):
        raise TableError(
            "The networks of a class have the same number of tuples, with the same numbers of labels.",
            Where("parameter", name="networks"),
        )
    return listed


@dataclass(frozen=True, eq=False, repr=False)
class WassersteinMechanism(EqualByFields, ReadOnlyArrays, NumberTable):
    """The Wasserstein mechanism for a network: Laplace noise by how far apart two labels of a tuple can be.

    Made by `wasserstein_mechanism`.

    Parameters
    ----------
    names
        The tuples.
    distances
        W_i, the largest infinite Wasserstein distance of the laws of the query given two possible labels of
        each tuple, in units of the query, shape (n,).
    epsilon
        The promise in nats.
    floor
        What plain differential privacy asks for, max LS / epsilon, below which the scale does not go; 0
        without a floor.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery
    >>> from pdp_widgets.networks import BayesianNetwork
    >>> opposite = BayesianNetwork([("a", "b")], {"a": [0.5, 0.5], "b": [[0, 1], [1, 0]]})
    >>> query = LinearQuery.sum(opposite)
    >>> wasserstein_mechanism(opposite, query, 1.0).scale
    1.0
    >>> wasserstein_mechanism(opposite, query, 1.0, floor=False).scale
    0.0
    """

    names: tuple[str, ...]
    distances: Floats
    epsilon: float
    floor: float

    @property
    def scale(self) -> float:
        """Scale of the Laplace noise; it keeps epsilon against those who know nothing, and the model."""
        return max(float(self.distances.max()) / self.epsilon, self.floor)

    def _numbers(self) -> Numbers:
        columns = {"tuple": np.array(self.names), "distance": self.distances}
        note = (
            f"scale {self.scale:.6g} keeps {self.epsilon:g} nats against those who know nothing; who knows "
            "other tuples may learn more",
        )
        return Numbers(
            columns,
            {"tuple": "text", "distance": "number"},
            {"unit": "units of the query", "status": {"distance": "exact"}, "source": _SOURCE},
            note,
        )


def wasserstein_mechanism(
    networks: Network | Iterable[Network],
    query: LinearQuery,
    epsilon: float,
    *,
    floor: bool = True,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
) -> WassersteinMechanism:
    """Return the scale of the Wasserstein mechanism for a network, or for a class of them.

    Parameters
    ----------
    networks
        The model, or all models that a class has; the largest distance counts.
    query
        An additive query.
    epsilon
        The promise in nats.
    floor
        Whether the scale is at least that of plain differential privacy. Without it two opposite bits are
        published exactly, since their sum says nothing as long as the model is exactly right.
    limit, progress
        As for `NetworkAnalysis`.

    Notes
    -----
    Song, Wang and Chaudhuri (2017), Algorithm 1. Distances are discontinuous: a mass of 1e-300 counts. They
    are exact here, and not to be estimated from samples.

    Examples
    --------
    >>> from pdp_widgets import LinearQuery
    >>> from pdp_widgets.networks import BayesianNetwork
    >>> net = BayesianNetwork.chain([[0.8, 0.2], [0.2, 0.8]], 6)
    >>> found = wasserstein_mechanism(net, LinearQuery.sum(net), 1.0)
    >>> found.scale, found.distances.tolist()
    (4.0, [3.0, 4.0, 4.0, 4.0, 4.0, 3.0])
    """
    level, models = BUDGET.take(epsilon, "epsilon"), as_class(networks)
    hook = timed(progress, limit, "The distances", "Take fewer tuples.")
    told = Progress(hook, len(models) * models[0].n_tuples)
    largest = np.zeros(models[0].n_tuples)
    for one in models:
        query.check_fits(one)
        none = KnowingNone(one, Lattice.of(query), range(one.n_tuples), told)
        largest = np.maximum(largest, wasserstein_distances(none))
    told.finish()
    least = query.global_sensitivity / level if as_flag(floor, "floor") else 0.0
    return WassersteinMechanism(models[0].names, largest, level, least)
