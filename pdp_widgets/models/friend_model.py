"""Places of friends: how the place of one user depends on that of a friend, by their distance (Eq. 26)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import POSITIVE
from pdp_widgets.core.converters import as_sizes, refuse_masked
from pdp_widgets.errors import LimitError, NetworkError, Where
from pdp_widgets.models.friendship_graph import FriendshipGraph, check_graph
from pdp_widgets.models.great_circle import EARTH_RADIUS_KM, great_circle_km
from pdp_widgets.models.labels import as_choice
from pdp_widgets.models.sparse_joint import SparseJoint, restored
from pdp_widgets.models.support_rows import Value, points_of, value_domain
from pdp_widgets.models.table_checks import SUM_TOLERANCE, as_numbers, check_cells

__all__ = ["FriendModel", "fitted_to_distances", "fitted_to_network"]

Floats = NDArray[np.float64]

#: Distances are joined into so many classes: of 1 % width over nine powers of ten.
_CLASSES = 2000
#: Ten millions take about two seconds.
_MOST_FITTED = 50_000_000
#: Pairs looked at together.
_BLOCK = 1 << 20
_KM_OF_A_MILE = 1.609344
_UNITS = ("as given", "miles", "km")
#: Logarithm of a chance; a certain friendship would be refuted by one pair.
_LARGEST = -1e-9
#: Logarithms of constants stay within these: one class of distances alone says nothing of b and c.
_WIDEST = 20.0


def fitted_to_distances(distances: ArrayLike, friends: ArrayLike) -> tuple[float, float, float]:
    """Return a, b and c for which the friendships are most likely."""
    where = Where("parameter", name="friends")
    lengths = as_sizes(distances, "distances", NetworkError)
    refuse_masked(friends, "friends")
    linked = np.asarray(friends)
    if lengths.ndim != 1 or linked.shape != lengths.shape or linked.dtype.kind not in "biu":
        raise NetworkError("friends and distances differ; give one of true and false for each pair.", where)
    if not np.isfinite(lengths).all():
        raise NetworkError(
            "A distance is infinite; give finite distances.", Where("parameter", name="distances")
        )
    yes = linked.astype(bool)
    _check_some(int(yes.sum()), yes.size)
    found = _Classes(float(lengths.max()))
    return _most_likely(*found.of(found.counted(lengths), found.counted(lengths[yes])))


def fitted_to_network(places: ArrayLike, graph: FriendshipGraph, unit: str) -> tuple[float, float, float]:
    """Return a, b and c for which the friendships of users at known places are most likely."""
    if not isinstance(graph, FriendshipGraph):
        raise NetworkError(
            f"The graph is a {type(graph).__name__}; give a FriendshipGraph.",
            Where("parameter", name="graph"),
        )
    as_choice(unit, "unit", _UNITS, NetworkError)
    points, where = as_numbers(places, "places"), Where("parameter", name="places")
    if points.ndim != 2 or len(points) != graph.n or not np.isfinite(points).all():
        raise NetworkError(
            f"places has the shape {points.shape}; give finite coordinates of each of {graph.n:,} users.",
            where,
        )
    n = graph.n
    if n * (n - 1) // 2 > _MOST_FITTED:
        raise LimitError(
            f"{n:,} users are {n * (n - 1) // 2:,} pairs; at most {_MOST_PAIRS:,} are fitted. "
            "Take some users.",
            where,
        )
    _check_some(len(graph.edges), n * (n - 1) // 2)
    u, v = graph.edges.T
    span = np.ptp(points, axis=0).sum() if unit == "as given" else np.pi * EARTH_RADIUS_KM
    found, step = _Classes(float(span)), max(1, _BLOCK // n)
    pairs = np.zeros((2, _CLASSES + 1))
    for start in range(0, n, step):
        rows = np.arange(start, min(n, start + step))
        lengths = _lengths(points[rows, None], points[None, :], unit)
        pairs += found.counted(lengths[rows[:, None] < np.arange(n)])
    return _most_likely(*found.of(pairs, found.counted(_lengths(points[u], points[v], unit))))


def _lengths(one: Floats, other: Floats, unit: str) -> Floats:
    if unit == "as given":
        return np.asarray(np.abs(one - other).sum(axis=-1))
    return great_circle_km(one, other) / (_KM_OF_A_MILE if unit == "miles" else 1.0)


def _check_some(friends: int, pairs: int) -> None:
    if not 0 < friends < pairs:
        raise NetworkError(
            f"{friends:,} of {pairs:,} pairs are friends; a fit needs some who are and some who are not.",
            Where("parameter", name="friends"),
        )


class _Classes:
    """Classes of distances, each 1 % wide, over nine powers of ten."""

    def __init__(self, largest: float) -> None:
        self._edges = (
            np.geomspace(largest * 1e-9, largest, _CLASSES) if largest > 1e-290 else np.zeros(_CLASSES)
        )

    def counted(self, lengths: Floats) -> Floats:
        """Return how many distances each class has, and their sum, shape (2, classes + 1)."""
        index = np.searchsorted(self._edges, lengths)
        many = np.bincount(index, minlength=_CLASSES + 1)
        return np.stack([many, np.bincount(index, lengths, _CLASSES + 1)])

    def of(self, pairs: Floats, friends: Floats) -> tuple[Floats, Floats, Floats]:
        """Return mean distance, number of pairs and number of friends of every class that has some."""
        used = pairs[0] > 0
        if used.sum() < 2:
            raise NetworkError(
                "All pairs are at one distance; a fit needs several.", Where("parameter", name="distances")
            )
        return pairs[1, used] / pairs[0, used], pairs[0, used], friends[0, used]


def _most_likely(at: Floats, pairs: Floats, friends: Floats) -> tuple[float, float, float]:
    from scipy.optimize import minimize

    # In units of a typical distance, so that the search has one scale whatever the unit is.
    unit = float(np.average(at, weights=pairs))
    scaled, total = at / unit, float(friends.sum())

    # The first number is the chance at that distance: nearly the same whatever b and c are.
    def cost(logs: Any) -> tuple[float, Floats]:
        b, c = np.exp(logs[1:])
        fall = np.log(scaled + b) - np.log1p(b)
        free = logs[0] - c * fall
        logarithm = np.minimum(free, _LARGEST)
        other = -np.expm1(logarithm)
        value = friends @ logarithm + (pairs - friends) @ np.log(other)
        slope = np.where(free < _LARGEST, friends - (pairs - friends) * (1 - other) / other, 0.0)
        by_b = -c * (b / (scaled + b) - b / (1 + b))
        return -float(value) / total, -np.array([slope.sum(), slope @ by_b, slope @ (-c * fall)]) / total

    share = float(np.log(total / float(pairs.sum())))
    bounds = [(share - _WIDEST, share + _WIDEST), (-_WIDEST, _WIDEST / 4), (-_WIDEST, _WIDEST / 4)]
    starts = [[share, np.log(b), np.log(c)] for b, c in ((0.003, 0.7), (0.1, 1.0), (1.0, 2.0))]
    found = min(
        (minimize(cost, start, jac=True, method="L-BFGS-B", bounds=bounds) for start in starts),
        key=lambda result: float(result.fun),
    )
    b, c = (float(value) for value in np.exp(found.x[1:]))
    return float(np.exp(found.x[0] + c * np.log1p(b) + c * np.log(unit))), b * unit, c


#: Combinations of places of all users of a forest.
_MOST_ROWS = 200_000
#: Tables as large are made three or four times on the way.
_MOST_PAIRS = 1 << 25


@dataclass(frozen=True)
class FriendModel:
    """The weight ``a (distance + b) ** -c`` of two places, and the law of a friend's place that it gives.

    Parameters
    ----------
    a
        Positive; it cancels in every law.
    b
        Positive, in the unit of the coordinates: how near is as good as the same place.
    c
        Positive: how fast the weight falls.

    Raises
    ------
    NetworkError
        A number is not positive and finite.

    Notes
    -----
    Liu, Chakraborty and Mittal, Eq. 26. As printed the weights are taken for probabilities; they sum to
    something else, so they are divided by their sum here. The numbers without any given come from a fit of
    the chance of *friendship* by distance in miles; distances here are L1, in the unit of the coordinates.

    Eq. 26 gives the law of one place given the other. It holds in both directions only where the first place
    has the law of `row_sum_prior`, which `pair` takes unless another one is given.

    Examples
    --------
    >>> from pdp_widgets.models.friend_model import FriendModel
    >>> model = FriendModel()
    >>> model.conditional([0, 0.5, 1]).round(3).tolist()
    [[0.707, 0.187, 0.106], [0.173, 0.654, 0.173], [0.106, 0.187, 0.707]]
    >>> model.pair([0, 0.5, 1])
    SparseJoint(user 1: 3 values, user 2: 3 values, rows=9)
    """

    a: float = 0.0019
    b: float = 0.196
    c: float = 1.05

    def __post_init__(self) -> None:
        for name in ("a", "b", "c"):
            object.__setattr__(self, name, POSITIVE.take(getattr(self, name), name, NetworkError))

    @classmethod
    def from_distances(cls, distances: ArrayLike, friends: ArrayLike) -> FriendModel:
        """Return the most likely model of which pairs of users are friends, by their distance.

        Parameters
        ----------
        distances
            Of pairs of users, 0 or more, shape (pairs,).
        friends
            Whether each pair are friends, shape (pairs,).

        Notes
        -----
        Each pair are friends with probability ``a (distance + b) ** -c``, at most 1, whatever the others are.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> distances = rng.uniform(0, 50, 200_000)
        >>> friends = rng.random(200_000) < 0.5 * (distances + 1.0) ** -1.2
        >>> found = FriendModel.from_distances(distances, friends)
        >>> round(found.a, 1), round(found.b), round(found.c, 1)
        (0.5, 1, 1.2)
        """
        return cls(*fitted_to_distances(distances, friends))

    @classmethod
    def from_network(cls, places: ArrayLike, graph: FriendshipGraph, unit: str = "as given") -> FriendModel:
        """Return the most likely model of the friendships of users whose places are known.

        Parameters
        ----------
        places
            One for each user, shape (users, coordinates).
        graph
            Their friendships.
        unit
            ``"as given"``: L1 distances of the coordinates. ``"miles"`` or ``"km"``: places are latitude and
            longitude in degrees, distances go along great circles.

        Examples
        --------
        >>> places = [[0.0], [0.1], [0.2], [5.0], [5.1], [9.0]]
        >>> graph = FriendshipGraph(6, [(0, 1), (1, 2), (3, 4), (0, 3)])
        >>> FriendModel.from_network(places, graph).b > 0
        True
        """
        return cls(*fitted_to_network(places, graph, unit))

    def weights(self, values_i: Any, values_j: Any = None) -> Floats:
        """Return the weight of every pair of places as printed, shape (places of i, places of j).

        Parameters
        ----------
        values_i, values_j
            Places: numbers, or lists of as many coordinates. Without the second they are the same.

        Examples
        --------
        >>> FriendModel(1, 1, 2).weights([0, 1]).tolist()
        [[1.0, 0.25], [0.25, 1.0]]
        >>> FriendModel(1, 1, 2).weights([[0, 0]], [[1, 2]]).tolist()
        [[0.0625]]
        """
        return np.asarray(self.a * np.exp(self._log_weights(values_i, values_j)))

    def raw_row_sums(self, values_i: Any, values_j: Any = None) -> Floats:
        """Return the sums that the weights as printed have, where probabilities would have 1.

        Examples
        --------
        >>> FriendModel().raw_row_sums([0, 0.25, 0.5, 0.75, 1]).round(4).tolist()
        [0.0213, 0.0242, 0.0249, 0.0242, 0.0213]
        """
        return np.asarray(self.weights(values_i, values_j).sum(axis=1))

    def conditional(self, values_i: Any, values_j: Any = None) -> Floats:
        """Return the law of a friend's place given each place, shape (places of i, places of j).

        Examples
        --------
        >>> FriendModel().conditional([0.2], [0.7]).tolist()
        [[1.0]]
        """
        logs = self._log_weights(values_i, values_j)
        found = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def row_sum_prior(self, values: Any) -> Floats:
        """Return the law of a place with which Eq. 26 holds in both directions.

        Examples
        --------
        >>> FriendModel(1, 1, 2).row_sum_prior([0, 1, 2]).round(4).tolist()
        [0.3224, 0.3553, 0.3224]
        """
        logs = self._log_weights(values, None)
        sums = np.exp(logs - logs.max()).sum(axis=1)
        return np.asarray(sums / sums.sum())

    def pair(self, values: Any, prior: ArrayLike | None = None) -> SparseJoint:
        """Return the joint distribution of the places of two friends.

        Parameters
        ----------
        values
            Places, the same for both.
        prior
            Law of the first place; without it that of `row_sum_prior`. With another one the law of the first
            place given the second follows by Bayes and is not Eq. 26.

        Examples
        --------
        >>> model = FriendModel()
        >>> both = model.pair([0, 0.5, 1])
        >>> np.allclose(both.conditional(0, 1), model.conditional([0, 0.5, 1]))
        True
        >>> np.allclose(both.conditional(1, 0), model.conditional([0, 0.5, 1]))
        True
        >>> uniform = model.pair([0, 0.5, 1], [1 / 3] * 3)
        >>> np.allclose(uniform.conditional(1, 0), model.conditional([0, 0.5, 1]))
        False
        """
        return self.forest(values, FriendshipGraph.path(2), prior)

    def forest(self, values: Any, graph: FriendshipGraph, prior: ArrayLike | None = None) -> SparseJoint:
        """Return the joint distribution of the places of all users where no friends go round in a circle.

        Parameters
        ----------
        values
            Places, the same for all users.
        graph
            Friendships without a cycle: each user's place depends on that of one friend nearer to the first
            user of the component, by Eq. 26.
        prior
            Law of the place of the first user of every component; without it that of `row_sum_prior`, with
            which all places have it.

        Raises
        ------
        NetworkError
            There is a cycle: Eq. 26 says nothing of two friends together.
        LimitError
            There are too many combinations of places.

        Examples
        --------
        >>> joint = FriendModel().forest([0, 1], FriendshipGraph.path(3))
        >>> joint.tuples, round(float(joint.probabilities.sum()), 12)
        (('user 1', 'user 2', 'user 3'), 1.0)
        """
        check_graph(graph)
        places = value_domain(values, 0, "the places")
        n, k = graph.n, len(places)
        order = _from_first_users(graph)
        if n * np.log(k) > np.log(_MOST_ROWS):
            raise LimitError(
                f"{n:,} users with {k:,} places each have more than {_MOST_ROWS:,} combinations; take fewer "
                "users or places.",
                Where("parameter", name="values"),
            )
        first = self.row_sum_prior(places) if prior is None else _as_prior(prior, k)
        moves = self.conditional(places)
        codes = np.ascontiguousarray(np.indices((k,) * n, dtype=np.int64).reshape(n, -1).T)
        chances = np.ones(len(codes))
        for user, friend in order:
            chances *= first[codes[:, user]] if friend is None else moves[codes[:, friend], codes[:, user]]
        names = tuple(f"user {user + 1}" for user in range(n))
        return restored(codes, chances / chances.sum(), (places,) * n, names, "")

    def _log_weights(self, values_i: Any, values_j: Any) -> Floats:
        """Return the logarithms of the weights, without that of a."""
        first = _as_points(values_i, "values_i")
        second = first if values_j is None else _as_points(values_j, "values_j")
        check_cells((len(first), len(second)), "The table of all pairs of places", _MOST_PAIRS)
        if first.shape[1] != second.shape[1]:
            raise NetworkError(
                f"Places of i have {first.shape[1]} coordinates and places of j have {second.shape[1]}; "
                "distances need the same number.",
                Where("parameter", name="values_j"),
            )
        distance = np.zeros((len(first), len(second)))
        for one, other in zip(first.T, second.T, strict=True):
            distance += np.abs(one[:, None] - other)
        return np.asarray(-self.c * np.log(distance + self.b))


def _as_points(values: Any, name: str) -> Floats:
    places: tuple[Value, ...] = value_domain(values, 0, f"the places ({name})")
    return points_of(places, 0, f"the places ({name})")


def _as_prior(prior: Any, k: int) -> Floats:
    law, where = as_numbers(prior, "prior"), Where("parameter", name="prior")
    if law.shape != (k,) or not np.isfinite(law).all() or (law < 0).any():
        raise NetworkError(f"The prior is no law of {k:,} places; give one probability for each.", where)
    if not abs(float(law.sum()) - 1) <= SUM_TOLERANCE:
        raise NetworkError(f"The prior sums to {float(law.sum()):.12g}; it must sum to 1.", where)
    return law


def _from_first_users(graph: FriendshipGraph) -> list[tuple[int, int | None]]:
    """Return users with the friend each depends on, friends before; None for the first of a component."""
    if len(graph.edges) != graph.n - len(graph.components):
        raise NetworkError(
            f"{len(graph.edges):,} friendships of {graph.n:,} users go round in a circle somewhere; "
            "Eq. 26 gives the joint law of a forest only.",
            Where("parameter", name="graph"),
        )
    found: list[tuple[int, int | None]] = []
    for component in graph.components:
        waiting: list[tuple[int, int | None]] = [(component[0], None)]
        while waiting:
            user, before = waiting.pop()
            found.append((user, before))
            waiting += [(friend, user) for friend in graph.friends(user).tolist() if friend != before]
    return found
