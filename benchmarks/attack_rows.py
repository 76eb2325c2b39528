"""The attack on places: all users of a large network, and one user while a slider is dragged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from benchmarks.timing import Row, measure
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.models.social_network import SocialNetwork
from pdp_widgets.models.synthetic_network import synthetic_network

__all__ = ["attack_rows"]


class DraggedExplorer:
    """A budget that is dragged in a browser: requests in, views out; the messages are not counted."""

    def __init__(self, network: SocialNetwork) -> None:
        from pdp_widgets.widgets.attack_explorer import AttackExplorer

        self.explorer = AttackExplorer(network)
        self.explorer.wait()
        self.number = 0

    def step(self) -> None:
        """Move the budget, and make sure that the answer is the one to this move; means run beside."""
        self.number += 1
        request = {"origin": "benchmark", "seq": self.number, "epsilon": 30.0 + self.number / 97}
        self.explorer.set_state({"_request": request})
        view = self.explorer._view
        if view["results"]["epsilon"] != request["epsilon"]:
            raise SystemExit(f"The explorer did not take the budget: {view['fault']}")

    def close(self) -> None:
        """End what runs beside."""
        self.explorer.close()


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
    dragged = DraggedExplorer(city)
    first, warm = measure(dragged.step)
    dragged.close()
    yield Row("  a step of the budget in the explorer, to its view", f"n = {city.n}", warm, first, most=0.1)
