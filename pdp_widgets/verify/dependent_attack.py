"""Cases on inferred places: patterns, distances, clusters, beliefs and what they leak."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.inference.attack_score import attack_score, entropies
from pdp_widgets.leakage.inference.estimated_centroids import expected_means
from pdp_widgets.leakage.inference.known_others import KnownOthers
from pdp_widgets.leakage.inference.location_prior import (
    cell_counts,
    independent_priors,
    near_friends,
    weighted_priors,
)
from pdp_widgets.leakage.inference.posterior import log_likelihoods, log_posteriors
from pdp_widgets.mechanisms.applications.lloyd import k_means, lloyd
from pdp_widgets.models.check_ins import CheckIns
from pdp_widgets.models.great_circle import pattern_distance
from pdp_widgets.models.location_patterns import location_patterns, min_max
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds

__all__ = ["CALLS", "KINDS"]


def _attack(data: Input) -> dict[str, Any]:
    points, grid, victim = np.array(data["points"], dtype=float), data["grid"], [data["victim"]]
    chosen = np.zeros(len(points), dtype=bool)
    chosen[data.get("known", list(range(len(points))))] = True
    known = KnownOthers(chosen)
    clusters = lloyd(points, data["init"])
    edges = np.array([[victim[0], friend] for friend in data["friends"]], dtype=np.int64).reshape(-1, 2)
    counts = cell_counts(points, grid, known, victim)
    near = near_friends(points, edges, grid, known, victim, data["radius"])
    expected = expected_means(points, clusters, known, victim)
    logs = log_likelihoods(expected, data["noisy"], data["sigma"], grid)
    found: dict[str, Any] = {"assign": clusters.assign.tolist(), "centroids": clusters.centroids.tolist()}
    priors = {
        "independent": independent_priors(counts),
        "weighted": weighted_priors(counts, near, data["w_in"]),
    }
    for name, prior in priors.items():
        posterior = np.exp(log_posteriors(prior, logs))
        score = attack_score(priors["independent"][0], prior[0], posterior[0])
        found |= {
            f"prior_{name}": prior[0].tolist(),
            f"posterior_{name}": posterior[0].tolist(),
            f"map_{name}": int(posterior[0].argmax()),
            f"leaked_{name}_bits": score.leaked_bits,
            f"incremental_{name}_bits": score.incremental_bits,
            "h0_bits": score.h0_bits,
            "prior_gap_bits": score.prior_gap_bits,
        }
    return found


def _patterns(data: Input) -> dict[str, Any]:
    found = location_patterns(CheckIns(data["checkins"]), data["q"], data.get("pad", "first"), data["users"])
    rows = zip(found.users.tolist(), found.places.tolist(), strict=True)
    return {"patterns": [list(row) for row in rows], "dropped_users": list(found.dropped_users)}


def _distance(data: Input) -> dict[str, Any]:
    return {"km": pattern_distance(data["a"], data["b"])}


def _lloyd(data: Input) -> dict[str, Any]:
    found = lloyd(data["points"], data["init"])
    return {
        "centroids": found.centroids.tolist(),
        "assign": found.assign.tolist(),
        "inertia": found.inertia,
    }


def _entropy(data: Input) -> dict[str, Any]:
    score = attack_score(data["prior0"], data["prior"], data["posterior"])
    return {
        "h0_bits": score.h0_bits,
        "leaked_bits": score.leaked_bits,
        "leaked_nats": score.leaked,
        "incremental_bits": score.incremental_bits,
        "prior_gap_bits": score.prior_gap_bits,
        "h0_nats": float(entropies(np.array(data["prior0"], dtype=float))),
    }


def _min_max(data: Input) -> dict[str, Any]:
    return {"rows": min_max(data["rows"]).tolist()}


def _k_means(data: Input) -> Any:
    return k_means(data["points"], data["k"], 0).centroids.tolist()


#: What cases of faulty input call.
CALLS = {"kmeans": _k_means}

KINDS: Kinds = {
    ("attack", None): _attack,
    ("location_pattern", None): _patterns,
    ("dist", None): _distance,
    ("lloyd", None): _lloyd,
    ("entropy", None): _entropy,
    ("minmax", None): _min_max,
}
