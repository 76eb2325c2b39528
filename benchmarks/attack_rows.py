"""The attack on places: all users of a large network, and one user while a slider is dragged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from benchmarks.timing import Row, measure
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.models.synthetic_network import synthetic_network

__all__ = ["attack_rows"]


def attack_rows(largest: int) -> Iterator[Row]:
    """Measure beliefs of all users and of one; a small network only where sizes are limited."""
    users = 300 if largest < 20 else 7000
    network = synthetic_network(users, 13.57, rng=1)
    size = f"n = {users}"
    what = f"both attacks on all users, {len(network.edges):,} friendships"
    attack = InferenceAttack(network, epsilon=40.0)
    first, warm = measure(lambda: attack.all_users(posteriors=True))
    yield Row(what, size, warm, first, most=1.5)
    first, made = measure(lambda: InferenceAttack(network, epsilon=40.0).delta_q)
    yield Row("  before any: clusters, local sensitivity", size, made, first)
    city = network.city("New York")
    one = InferenceAttack(city, epsilon=40.0, mechanism="dpm")
    # Budgets that were not asked for before: the factor of friends is found anew.
    budgets = cycle(1.0 + k / 97 for k in range(10_000))

    def drag() -> float:
        moved = one.at(epsilon=next(budgets))
        return moved.attack_1.leaked + moved.attack_2.leaked

    first, warm = measure(drag)
    yield Row("  one user, another budget, DPM", f"n = {city.n}", warm, first, most=0.1)
    shares = cycle(k / 997 for k in range(997))
    first, warm = measure(lambda: one.at(known=next(shares)).attack_2.leaked)
    yield Row("  one user, other users known", f"n = {city.n}", warm, first)
