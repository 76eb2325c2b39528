"""What a page without a kernel needs to look for any user of a network: places, friendships, clusters."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.inference.attack_results import AttackInputs
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.widgets.wire import float_bytes

__all__ = ["attack_embedded"]

#: What a page computes: users, friendships, users times cells times clusters; tests/data/page-limits.json.
_PAGE_USERS, _PAGE_FRIENDSHIPS, _PAGE_WORK = 2000, 16_000, 20_000_000


def attack_embedded(attack: InferenceAttack, inputs: AttackInputs) -> dict[str, Any]:
    """Return what a page without a kernel needs to answer for any victim; nothing of a large network.

    Draws of the noise begin at ``seed``, as digits: noise ``d`` is Laplace noise of scale 1, one row for each
    centroid, of ``numpy.random.default_rng([seed, 1, d])``. ``order`` says who is known first; the known
    share of all others but one is the beginning of it, and the next one stands in for a victim among them.
    Positions have two bytes each: friendships are most of what a page carries.

    Parameters
    ----------
    attack
        The attack.
    inputs
        What it belongs to: the view has what stands in the controls, sound or not.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> attack = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4, rng=5)
    >>> made = attack_embedded(attack, AttackInputs(1, "lpm", 1.0, "local", 19, 10.0, 1.0, 1))
    >>> len(made["places"]) // 16, len(made["order"]) // 2, len(made["centroids"]) // 16
    (19, 19, 4)
    """
    network, setting, clusters = attack.network, attack.setting, attack.clusters
    work = network.n * attack.grid**2 * clusters.k
    if network.n > _PAGE_USERS or len(network.edges) > _PAGE_FRIENDSHIPS or work > _PAGE_WORK:
        return {}
    return {
        "places": float_bytes(network.places),
        "box": float_bytes(network.box),
        "edges": network.edges.astype("<u2").tobytes(),
        "largest_component": network.largest_component,
        # A page would look at every user and cell for it, while a hand waits.
        "local": float(setting.local_sensitivities.max()),
        "assign": clusters.assign.astype("<u2").tobytes(),
        "centroids": float_bytes(clusters.centroids),
        "order": setting.order.astype("<u2").tobytes(),
        "seed": str(setting.seed),
        "weight": inputs.weight,
        "known": inputs.known,
    }
