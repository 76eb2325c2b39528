"""The most likely constants of the chance of a friendship by distance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import LimitError, NetworkError, Where
from pdp_widgets.models.friendship_graph import FriendshipGraph
from pdp_widgets.models.given_sizes import as_sizes
from pdp_widgets.models.great_circle import great_circle_km
from pdp_widgets.models.labels import shown
from pdp_widgets.models.table_checks import as_numbers

__all__ = ["fitted_to_distances", "fitted_to_network"]

Floats = NDArray[np.float64]

#: Distances are joined into so many classes: of 1 % width over nine powers of ten.
_CLASSES = 2000
#: Pairs whose distances are computed at once.
_MOST_PAIRS = 30_000_000
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
    linked = np.asarray(friends)
    if lengths.ndim != 1 or linked.shape != lengths.shape or linked.dtype.kind not in "biu":
        raise NetworkError("friends and distances differ; give one of true and false for each pair.", where)
    if not np.isfinite(lengths).all():
        raise NetworkError(
            "A distance is infinite; give finite distances.", Where("parameter", name="distances")
        )
    yes = linked.astype(bool)
    if not yes.any() or yes.all():
        raise NetworkError(
            f"{int(yes.sum()):,} of {yes.size:,} pairs are friends; a fit needs some who are "
            "and some who are not.",
            where,
        )
    return _most_likely(*_classes(lengths, yes))


def fitted_to_network(places: ArrayLike, graph: FriendshipGraph, unit: str) -> tuple[float, float, float]:
    """Return a, b and c for which the friendships of users at known places are most likely."""
    if unit not in _UNITS:
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
    first, second = np.triu_indices(n, 1)
    if unit == "as given":
        lengths = np.abs(points[first] - points[second]).sum(axis=1)
    else:
        lengths = great_circle_km(points[first], points[second])
        lengths = lengths / _KM_OF_A_MILE if unit == "miles" else lengths
    linked = np.zeros(first.size, dtype=bool)
    u, v = graph.edges.T
    linked[u * n - u * (u + 1) // 2 + v - u - 1] = True
    return fitted_to_distances(lengths, linked)


def _classes(lengths: Floats, yes: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """Return mean distance, number of pairs and number of friends of every class of distances."""
    distinct, index = np.unique(lengths, return_inverse=True)
    if distinct.size < 2:
        raise NetworkError(
            "All pairs are at one distance; a fit needs several.", Where("parameter", name="distances")
        )
    if distinct.size > _CLASSES:
        low = max(float(distinct[distinct > 0][0]), float(distinct[-1]) * 1e-9)
        edges = np.geomspace(low, float(distinct[-1]), _CLASSES)
        index = np.searchsorted(edges, lengths)
    pairs = np.bincount(index)
    used = pairs > 0
    at = np.bincount(index, lengths)[used] / pairs[used]
    linked: Floats = np.bincount(index, yes.astype(np.float64)).astype(np.float64)
    return at, pairs[used].astype(np.float64), linked[used]


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
