"""Dependent tuples beside scales and leakages: information, delta, many answers, friends, examples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.timing import Row, measure
from pdp_widgets.leakage.dependent.counterexamples import counterexample, counterexamples
from pdp_widgets.leakage.dependent.friend_scale import friend_scale
from pdp_widgets.leakage.dependent.mutual_information import information_in
from pdp_widgets.leakage.dependent.small_delta import ScalarMixtures, delta_of
from pdp_widgets.models.friend_model import FriendModel
from pdp_widgets.models.friendship_graph import FriendshipGraph

__all__ = ["dependent_release_rows"]


def dependent_release_rows(largest: int) -> Iterator[Row]:
    """Measure what is computed of one noisy number, of friends on a grid, and of a network."""
    points = 100_000 if largest >= 10 else 2_000
    rng = np.random.default_rng(points)
    law = np.full(10, 0.1)
    laws = rng.dirichlet(np.ones(points), 10)
    mixtures = ScalarMixtures(tuple(range(10)), law, np.sort(rng.random(points)), laws)
    what, size = f"one of ten values, {points:,} answers", "q = 1"
    first, warm = measure(partial(information_in, mixtures, 1.0))
    yield Row(f"{what}: information", size, warm, first)
    first, warm = measure(partial(delta_of, mixtures, 1.0, [0.01]))
    yield Row(f"{what}: delta", size, warm, first)
    first, warm = measure(partial(counterexample, "sequential"))
    yield Row("100 equal answers, three rows", "n = 2", warm, first, most=0.1)
    first, warm = measure(counterexamples)
    yield Row("all examples of rules that fail", "", warm, first)
    side = 20 if largest >= 10 else 8
    middle = (np.arange(side) + 0.5) / side
    cells = [[x, y] for x in middle.tolist() for y in middle.tolist()]
    graph = FriendshipGraph(200, np.column_stack(rng.integers(0, 100, (2, 600)) + np.array([[0], [100]])))
    first, warm = measure(partial(friend_scale, FriendModel(), cells, graph))
    yield Row(f"scale by friends, {side} x {side} cells", "n = 200", warm, first)
    users = 7_000 if largest >= 20 else 500
    places = np.column_stack([rng.uniform(40.5, 41, users), rng.uniform(-74.3, -73.7, users)])
    pairs = rng.integers(0, users, (7 * users, 2))
    friends = FriendshipGraph(users, pairs[pairs[:, 0] != pairs[:, 1]])
    first, warm = measure(partial(FriendModel.from_network, places, friends, "miles"))
    yield Row("friend model fitted to a network", f"n = {users}", warm, first)
