"""The most likely constants of the chance of a friendship by distance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import LimitError, NetworkError, Where
from pdp_widgets.models.friendship_graph import FriendshipGraph
from pdp_widgets.models.given_numbers import refuse_masked
from pdp_widgets.models.given_sizes import as_sizes
from pdp_widgets.models.great_circle import EARTH_RADIUS_KM, great_circle_km
from pdp_widgets.models.labels import shown
from pdp_widgets.models.table_checks import as_numbers

__all__ = ["fitted_to_distances", "fitted_to_network"]

Floats = NDArray[np.float64]

#: Distances are joined into so many classes: of 1 % width over nine powers of ten.
_CLASSES = 2000
#: Ten millions take about two seconds.
_MOST_PAIRS = 50_000_000
#: Pairs looked at together.
_BLOCK = 1 << 20
_KM_OF_A_MILE = 1.609344
_UNITS = ("as given", "miles", "km")
#: Logarithm of a chance; a certain friendship would be refuted by one pair.
_LARGEST = -1e-9
#: Logarithms of constants stay within these: one class of distances alone says nothing of b and c.
_WIDEST = 20.0


def fitted_to_distances(distances: ArrayLike, friends: ArrayLike) -> tuple[float, float, float]:
    """Return a, b and c for which the friendships are most likely.

    Raises
    ------
    NetworkError
        There are no two distances, or nobody or everybody are friends.
    """
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
    if not isinstance(unit, str) or unit not in _UNITS:
        raise NetworkError(
            f"The unit is {shown(unit)}; it is one of {', '.join(map(repr, _UNITS))}.",
            Where("parameter", name="unit"),
        )
    points, where = as_numbers(places, "places"), Where("parameter", name="places")
    if points.ndim != 2 or len(points) != graph.n or not np.isfinite(points).all():
        raise NetworkError(
            f"places has the shape {points.shape}; give finite coordinates of each of {graph.n:,} users.",
            where,
        )
    n = graph.n
    if n * (n - 1) // 2 > _MOST_PAIRS:
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
        self._edges = np.geomspace(largest * 1e-9, largest, _CLASSES) if largest > 0 else np.zeros(_CLASSES)

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
