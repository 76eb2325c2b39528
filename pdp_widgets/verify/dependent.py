"""Cases on dependent tuples: coefficients, leakages, promises, inferred places and applications."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.dependent.accuracy import laplace_accuracy
from pdp_widgets.leakage.dependent.budget import laplace_scale
from pdp_widgets.leakage.dependent.coefficients import dependence_coefficients
from pdp_widgets.leakage.dependent.correlated_sensitivity import correlated_sensitivity, graph_sensitivity
from pdp_widgets.leakage.dependent.dependent_scale import least_scale
from pdp_widgets.leakage.dependent.friend_scale import FRIEND_COEFFICIENTS, friend_kappa
from pdp_widgets.leakage.dependent.mutual_information import tuple_information
from pdp_widgets.leakage.dependent.promise_report import promise_report
from pdp_widgets.leakage.dependent.separation import separation
from pdp_widgets.leakage.dependent.small_delta import small_delta
from pdp_widgets.leakage.dependent.stacked_releases import stacked_leakage
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage, worst_adversary
from pdp_widgets.leakage.dependent.underestimated import underestimated
from pdp_widgets.leakage.inference.attack_score import attack_score, entropies
from pdp_widgets.leakage.inference.location_prior import (
    KnownOthers,
    cell_counts,
    independent_priors,
    near_friends,
    weighted_priors,
)
from pdp_widgets.leakage.inference.posterior import expected_means, log_likelihoods, log_posteriors
from pdp_widgets.mechanisms.applications.clustering import (
    affinity_graph,
    clustering_accuracy,
    k_means,
    lloyd,
    similarities,
)
from pdp_widgets.mechanisms.applications.private_classifier import classifier_scale, expected_noise
from pdp_widgets.mechanisms.applications.private_degrees import degree_histogram, degree_scale
from pdp_widgets.mechanisms.joint_query import IdentityQuery, TableQuery
from pdp_widgets.models.adult import parse_adult_records
from pdp_widgets.models.check_ins import CheckIns, parse_check_ins
from pdp_widgets.models.friend_model import FriendModel
from pdp_widgets.models.friendship_graph import FriendshipGraph
from pdp_widgets.models.friendships import parse_friendships
from pdp_widgets.models.great_circle import pattern_distance
from pdp_widgets.models.labels import shown
from pdp_widgets.models.location_patterns import location_patterns, min_max
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.synthetic_network import synthetic_network
from pdp_widgets.verify.compare import InBand
from pdp_widgets.verify.formats import Input, Kinds, VectorError, numbers, refusing


def _joint_of(data: Input) -> SparseJoint:
    """Return the joint distribution of a case."""
    described = data["joint"]
    return SparseJoint(described["support"], described["prob"])


def _query_of(described: Any) -> Any:
    """Return a query of a case: one weight for each tuple, all values, or an output for each row."""
    kind = described.get("type") if isinstance(described, dict) else None
    if kind == "linear":
        return list(described["coef"])
    if kind == "identity":
        return IdentityQuery()
    if kind == "table":
        return TableQuery(described["outputs"])
    raise VectorError("a query is an object with type linear, identity or table")


def _pair_of(data: Input) -> SparseJoint:
    """Return two tuples with given conditionals of the second; values of the first that can occur, alike."""
    rows = np.asarray(data["conditional"], dtype=float)
    prior = rows.any(axis=1) / rows.any(axis=1).sum()
    support = [[a, value] for a in range(len(rows)) for value in data["values"]]
    return SparseJoint(support, (prior[:, None] * rows).ravel())


def _coefficients(data: Input) -> dict[str, Any]:
    joint, scale = _pair_of(data), data["sigma"]
    span = float(joint.diameters[1])
    found = {
        f"rho_{kind}": float(dependence_coefficients(joint, scale, kind)[0, 1])
        for kind in ("exact", "mean", "eq18", "eq18_per_term")
    }
    return found | {"delta_d": span, "r": found["rho_exact"] * span / scale}


def _leakage(data: Input) -> dict[str, Any]:
    found = dependent_leakage(_joint_of(data), _query_of(data["query"]), data["sigma"], data.get("known", ()))
    values = [float(one) for one in found]
    return {"per_tuple": values, "max": max(values)}


def _largest(data: Input) -> float:
    return float(_leakage(data)["max"])


def _worst(data: Input) -> dict[str, Any]:
    return {"max": float(worst_adversary(_joint_of(data), _query_of(data["query"]), data["sigma"]))}


def _report(data: Input) -> dict[str, Any]:
    joint, epsilon = _joint_of(data), data["epsilon"]
    # All tuples are one block here, and L is given apart.
    everyone = [tuple(range(joint.n))]
    if data["L"] != joint.n:
        raise VectorError(f"L is {data['L']}; all {joint.n} tuples are one block in these cases")
    keys = ("lpm", "baseline", "dpm_exact", "dpm_eq18", "dpm_mean")
    found = promise_report(joint, _query_of(data["query"]), epsilon, keys, everyone)
    return {
        "delta_q": numbers(found.sensitivities),
        "sigma": dict(zip(keys, numbers(found.scales), strict=True)),
        "leakage": dict(zip(keys, numbers(found.largest), strict=True)),
        "lpm_leakage_per_tuple": numbers(found.of("lpm")),
    }


def _calibrate(data: Input) -> dict[str, Any]:
    found = least_scale(_joint_of(data), _query_of(data["query"]), data["epsilon"])
    return {"sigma_exact": found.scale, "sigma_with_floor": found.with_floor}


def _separation(data: Input) -> dict[str, Any]:
    found = separation(data["query"], data["epsilon"], data.get("c", 0.5), data["dependent"])
    return {"separation": float(found)}


def _accuracy(data: Input) -> dict[str, Any]:
    found = laplace_accuracy(data["alpha"], data["scale"], data["dim"])
    return {"beta_scalar": found.one_output, "beta_l1": found.sum, "beta_linf": found.largest}


def _model(data: Input) -> FriendModel:
    return FriendModel(data["a"], data["b"], data["c"])


def _friend_model(data: Input) -> dict[str, Any]:
    model, places = _model(data), (data["values_i"], data["values_j"])
    return {
        "raw_row_sums": numbers(model.raw_row_sums(*places)),
        "conditional": numbers(model.conditional(*places)),
    }


def _friend_kappa(data: Input) -> dict[str, Any]:
    model, values, degree = _model(data), data["values"], data["max_degree"]
    return {
        "kappa": {
            kind: friend_kappa(model, values, degree, data["epsilon"], kind) for kind in FRIEND_COEFFICIENTS
        }
    }


def _delta(data: Input) -> dict[str, Any]:
    query, tuples = _query_of(data["query"]), [data["tuple"]]
    return {"delta": small_delta(_joint_of(data), query, data["sigma"], data["epsilon"], tuples).delta}


def _underestimation(data: Input) -> dict[str, Any]:
    found = underestimated(_joint_of(data), _query_of(data["query"]), data["epsilon"], data["factor"])
    return {
        "rho": numbers(found.coefficients),
        "sigma_true": found.scale_true,
        "sigma_under": found.scale_under,
        "leakage": float(found.largest),
        "delta": found.delta,
    }


def _information(data: Input) -> dict[str, Any]:
    found = tuple_information(_joint_of(data), _query_of(data["query"]), data["sigma"], data["tuple"])
    return {"nats": found.nats, "bits": found.bits}


def _composition(data: Input) -> dict[str, Any]:
    queries = [_query_of(query) for query in data["queries"]]
    found = stacked_leakage(_joint_of(data), queries, data["sigmas"])
    return {
        "each": [float(one) for one in found.each],
        "sum_of_each": float(found.sum_of_each),
        "max_of_each": float(found.largest_of_each),
        "together": float(found.together),
        "exceeds_sum": found.exceeds_sum,
        "exceeds_max": found.exceeds_largest,
    }


def _zhu(data: Input) -> dict[str, Any]:
    found = correlated_sensitivity(data["delta"], data["dq"], data["threshold"], data["epsilon"])
    return {"cs": found.sensitivity, "sigma": found.scale}


def _graph_sensitivity(data: Input) -> dict[str, Any]:
    graph = FriendshipGraph(data["n"], np.array(data["edges"], dtype=np.int64).reshape(-1, 2))
    found = graph_sensitivity(graph, data["rho"], data["dq"], data["epsilon"])
    return {
        "rows": numbers(found.rows),
        "ds": found.sensitivity,
        "sigma": found.scale,
        "sigma_lpm": found.scale_lpm,
        "largest_component": found.largest_component,
    }


def _chance(data: Input) -> float:
    return laplace_accuracy(data["alpha"], data["scale"]).one_output


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


#: Any seed has statistics inside the bands; these are drawn.
_SEEDS = range(3)


def _load(data: Input) -> dict[str, Any]:
    lines = data["text"].splitlines(keepends=True)
    if data["format"] == "checkins":
        visits = parse_check_ins(lines)
        return {"rows": [list(row) for row in visits], "dropped": visits.dropped}
    if data["format"] == "edges":
        friends = parse_friendships(lines)
        return {"rows": friends.edges.tolist(), "dropped": friends.dropped}
    if data["format"] == "adult":
        records = parse_adult_records(lines)
        return {"rows": [list(row) for row in records.rows], "dropped": records.dropped}
    raise VectorError(f"the format is {shown(data['format'])}; it is checkins, edges or adult")


def _affinity(data: Input) -> dict[str, Any]:
    rows, threshold = data["rows"], data["threshold"]
    found: dict[str, Any] = {}
    for kind in ("cosine", "printed"):
        found[kind] = similarities(rows, kind).tolist()
        found[f"edges_{kind}"] = affinity_graph(rows, threshold, kind).edges.tolist()
    return found


def _degrees(data: Input) -> dict[str, Any]:
    histogram = degree_histogram(data["edges"], data["n"], data.get("max_degree"))
    sigma = degree_scale(data["epsilon"], data["kappa"])
    return {
        "histogram": histogram.tolist(),
        "sigma": sigma,
        "expected_l1_error": len(histogram) * sigma,
    }


def _classifier(data: Input) -> dict[str, Any]:
    scale = classifier_scale(data["n"], data["reg"], data["epsilon"], data["kappa"])
    return {"scale": scale, "expected_norm": expected_noise(data["dim"], scale)}


def _clustering(data: Input) -> dict[str, Any]:
    return {"accuracy": clustering_accuracy(data["clean"], data["noisy"], data["test"])}


def _statistics(data: Input) -> dict[str, Any]:
    made = [synthetic_network(data["n_users"], data["mean_degree"], rng=seed).statistics for seed in _SEEDS]
    return {"bands": {name: InBand(tuple(one[name] for one in made)) for name in made[0]}}


#: What cases at the edge call.
_CALLS = {
    "leakage": _largest,
    "lpm_sigma": lambda data: laplace_scale(data["delta_q"], data["epsilon"]),
    "dpm_sigma": lambda data: laplace_scale(data["ds"], data["epsilon"]),
    "beta_scalar": _chance,
    "kmeans": _k_means,
}


def _edge(data: Input) -> dict[str, Any]:
    call = _CALLS.get(data["call"]) if isinstance(data["call"], str) else None
    if call is None:
        raise VectorError(f"there is no call {shown(data['call'])}")
    return {"value": call(data["args"])}


KINDS: Kinds = {
    ("rho", None): _coefficients,
    ("leakage", None): _leakage,
    ("worst_adversary", None): _worst,
    ("report", None): _report,
    ("calibrate", None): _calibrate,
    ("separation", None): _separation,
    ("accuracy", None): _accuracy,
    ("friend_model", None): _friend_model,
    ("friend_kappa", None): _friend_kappa,
    ("delta", None): _delta,
    ("underestimation", None): _underestimation,
    ("mutual_information", None): _information,
    ("composition", None): _composition,
    ("zhu", None): _zhu,
    ("graph_sensitivity", None): _graph_sensitivity,
    ("attack", None): _attack,
    ("location_pattern", None): _patterns,
    ("dist", None): _distance,
    ("lloyd", None): _lloyd,
    ("entropy", None): _entropy,
    ("minmax", None): _min_max,
    ("load", None): _load,
    ("affinity", None): _affinity,
    ("degree_histogram", None): _degrees,
    ("svm_scale", None): _classifier,
    ("clustering_accuracy", None): _clustering,
    ("synthetic_statistics", None): _statistics,
    ("edge_case", None): refusing(_edge),
}
