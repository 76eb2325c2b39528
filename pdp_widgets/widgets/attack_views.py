"""What an explorer of inferred locations tells the browser; see js/src/attack/protocol.ts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pdp_widgets.leakage.inference.attack_result import AttackResult
from pdp_widgets.leakage.inference.attack_results import AttackInputs, AttackResults
from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.widgets.wire import float_bytes, label_texts

if TYPE_CHECKING:
    from pdp_widgets.widgets.attack_state import AttackState


#: What a page computes: users, friendships, users times cells times clusters; tests/data/page-limits.json.
_PAGE_USERS, _PAGE_FRIENDSHIPS, _PAGE_WORK = 2000, 16_000, 20_000_000


def attack_embedded(attack: InferenceAttack, inputs: AttackInputs) -> dict[str, Any]:
    """Return what a page without a kernel needs to answer for any victim; nothing of a large network."""
    # Draws of the noise begin at ``seed``, as digits: noise ``d`` is Laplace noise of scale 1, one row for
    # each centroid, of ``numpy.random.default_rng([seed, 1, d])``. ``order`` says who is known first; the
    # known share of all others but one is the beginning of it, and the next one stands in for a victim among
    # them. Positions have two bytes each: friendships are most of what a page carries.
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


#: Labels by key.
MECHANISMS = {"lpm": "LPM", "dpm": "DPM", "baseline": "baseline"}
#: Labels by key, and whether it holds for every data set; the page says whom the promise holds against.
SENSITIVITIES = {
    "unit": ("1, as printed", False),
    "local": ("local", False),
    "fixed_bound": ("fixed clusters", False),
    "worst_case": ("worst case", True),
}
#: Known friends of one user that are drawn, the first by number.
_FRIENDS = 400


def attack_state(core: AttackState) -> dict[str, Any]:
    """Return the view, without what every widget adds."""
    wanted = core.wanted
    return {
        **core.controls,
        "title": label_texts([core.network.title])[0],
        "city": _city(core),
        "mechanisms": [{"key": key, "label": label, "why": None} for key, label in MECHANISMS.items()],
        "sensitivities": [
            {"key": key, "label": label, "formal": formal, "why": None}
            for key, (label, formal) in SENSITIVITIES.items()
        ],
        "victim": core.listed.index(core.position),
        "draw": wanted.draw,
        **core.wait_state,
        "current": core.present,
        "results": results_state(core.solved),
    }


def _city(core: AttackState) -> dict[str, Any]:
    network, attack = core.network, core.attack
    listed = list(core.listed)
    north, east = network.size_km
    many = f"{network.n:,} user{'s'[: network.n != 1]}"
    title = label_texts([network.title])[0]
    return {
        "text": f"{title}, {many}" if title else many,
        "users": network.n,
        "size": [east, north],
        "victims": [
            {"label": str(user), "friends": friends}
            for user, friends in zip(
                network.users[listed].tolist(), network.degrees[listed].tolist(), strict=True
            )
        ],
        "grid": attack.grid,
        "clusters": attack.clusters.k,
        "radius": attack.radius,
        "smoothing": attack.smoothing,
    }


def results_state(solved: AttackResults) -> dict[str, Any]:
    """Return the results as the browser shows them."""
    attack, points = solved.attack, solved.attack.network.points
    friends = np.searchsorted(attack.network.users, attack.known_friends[:_FRIENDS])
    drawn = None if solved.drawn is None else solved.drawn.mean_error_km.tolist()
    return {
        "epsilon": attack.epsilon,
        "sensitivity": attack.delta_q,
        "scale": attack.scale,
        "factor": attack.factor,
        "entropy": attack.attack_1.score.h0,
        "truth": _places(points[[attack.position]])[0],
        "friends": _places(points[friends]),
        "centres": _places(attack.centroids),
        "attacks": [
            _attack(
                result,
                None
                if drawn is None or solved.drawn is None
                else {"error": drawn[place], "count": solved.drawn.draws},
            )
            for place, result in enumerate((attack.attack_1, attack.attack_2))
        ],
        "curves": _curves(solved),
        "mean": _means(solved),
    }


def _places(points: Any) -> list[list[float]]:
    """Return points to the east and to the north."""
    found: list[list[float]] = np.asarray(points)[:, ::-1].tolist()
    return found


def _attack(result: AttackResult, draws: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "prior": float_bytes(result.prior),
        "posterior": float_bytes(result.posterior),
        "before": result.cell_before,
        "after": result.cell,
        "entropy": [result.entropy_before, result.entropy],
        "error": [result.error_before_km, result.error_km],
        "draws": draws,
        "mass": [result.mass_before, result.mass],
        "equal": [result.equal_before, result.equal],
        "gap": result.prior_gap,
        "adds": result.incremental,
        "printed": result.leaked,
    }


def _curves(solved: AttackResults) -> dict[str, Any] | None:
    curves = solved.curves
    if curves is None:
        return None
    return {
        "epsilon": float_bytes(curves.epsilons),
        "printed": float_bytes(curves.leaked[1]),
        "adds": [float_bytes(row) for row in curves.incremental],
        "error": [float_bytes(row) for row in curves.error_km],
        "gap": float(curves.prior_gap[1]),
        "users": curves.users,
    }


def _means(solved: AttackResults) -> dict[str, Any] | None:
    means = solved.means
    if means is None:
        return None
    return {
        "printed": float(means.leaked[1]),
        "gap": float(means.prior_gap[1]),
        "adds": float(means.incremental[1]),
        "half": None if np.isnan(means.half_width[1]) else float(means.half_width[1]),
        "adds_1": float(means.incremental[0]),
        "error": means.error_km.tolist(),
        "users": means.users,
    }
