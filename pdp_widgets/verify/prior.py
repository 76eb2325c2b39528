"""Cases on joint distributions and on Gaussian data: exact leakage and the paper's estimates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError
from pdp_widgets.leakage.adversary import column, known_of, layers
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.prior.chain_rule import chain_all, chain_path
from pdp_widgets.leakage.prior.edge_graph import GivenEdges
from pdp_widgets.leakage.prior.edge_weights import edge
from pdp_widgets.leakage.prior.exact_all import exact_all, instance_positions
from pdp_widgets.leakage.prior.exact_node import PriorAdversary, prior_leakage
from pdp_widgets.leakage.prior.graph import counts
from pdp_widgets.leakage.prior.group_bound import group_bound
from pdp_widgets.leakage.prior.joint_release import joint_leakage
from pdp_widgets.leakage.prior.path_search import complete_path_minimum, fast_search
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import shown
from pdp_widgets.verify.formats import Input, Kinds, numbers

Floats = NDArray[np.float64]


def _distribution_of(data: Input) -> JointDistribution:
    """Return the joint distribution of a case: a table, counts, or weights by the number of ones."""
    domains = data["domains"]
    if "counts" in data:
        return JointDistribution.from_counts(data["counts"], domains)
    if "row_weight_by_sum" in data:
        ones = np.indices([2] * len(domains)).sum(axis=0)
        return JointDistribution.normalised(np.asarray(data["row_weight_by_sum"], dtype=float)[ones], domains)
    return JointDistribution(data["table"], domains)


def _mechanism_of(data: Input, distribution: JointDistribution) -> LaplaceMechanism:
    """Return the release of a case; without contributions or weights the query is the sum."""
    if "contrib" in data:
        query = LinearQuery(data["contrib"])
    elif "weights" in data:
        query = LinearQuery.weighted(distribution, data["weights"])
    else:
        query = LinearQuery.sum(distribution)
    return LaplaceMechanism(query, data["lam"])


def _known_labels(data: Input) -> dict[int, Any]:
    """Return the known values of a case by tuple."""
    return dict(zip(data["known"], data["known_values"], strict=True))


def _all_nodes(values: Floats) -> dict[str, Any]:
    """Return what cases about all adversaries expect: nodes, the largest of every layer and of all."""
    n, layer_of = len(values), layers(len(values))
    return {
        "nodes": [
            [i, list(known_of(n, i, c)), float(values[i, c])]
            for i in range(n)
            for c in range(values.shape[1])
        ],
        "layer_max": [float(values[:, layer_of == layer].max()) for layer in range(1, n + 1)],
        "leakage": float(values.max()),
    }


def _chain_problem(data: Input) -> tuple[Any, Any, float, tuple[int, ...] | None, str]:
    """Return the arguments that all estimates of the paper share: the first four and the convention."""
    distribution = _distribution_of(data)
    mechanism = _mechanism_of(data, distribution)
    mechanism.query.check_fits(distribution)
    convention = data["convention"]
    row = None if convention == "sup" else instance_positions(distribution, data["instance"])
    return distribution.table, mechanism.query.contributions, mechanism.scale, row, convention


def _chain_path(data: Input) -> dict[str, Any]:
    table, contributions, scale, row, convention = _chain_problem(data)
    found = chain_path(table, contributions, scale, row, data["target"], data["order"], convention)
    return {"values": list(found.values), "edge_values": list(found.edge_values)}


def _chain_all(data: Input) -> dict[str, Any]:
    found = chain_all(*_chain_problem(data))
    values, increments = found.values, found.increments
    n = len(values)
    edges = []
    for i in range(n):
        for c in range(values.shape[1]):
            known = known_of(n, i, c)
            for j in range(n):
                if j != i and j not in known:
                    value = float(increments[i, c, j])
                    edges.append([i, j, list(known), None if np.isnan(value) else value])
    return {**_all_nodes(values), "edges": edges}


def _chain_full_paths(data: Input) -> dict[str, Any]:
    table, contributions, scale, row, convention = _chain_problem(data)
    found = complete_path_minimum(table, contributions, scale, row, data["target"], data["known"], convention)
    return {"value": found}


def _fast(data: Input) -> dict[str, Any]:
    found = fast_search(*_chain_problem(data))
    return {
        "layer_max": list(found.layer_max),
        "leakage": float(found.leakage),
        "kept": [[[i, list(known), value] for i, known, value in nodes] for nodes in found.kept],
    }


def _whg_given(data: Input) -> dict[str, Any]:
    graph = GivenEdges(data["first"], data["edges"])
    fast = graph.fast()
    return {
        **_all_nodes(graph.chain()),
        "fast_layer_max": list(fast.layer_max),
        "fast_leakage": float(fast.leakage),
        "full_path_min_top": [[i, [], float(graph.complete_path_minimum(i))] for i in range(graph.n_tuples)],
    }


# A graph of 1,000 tuples has a number of nodes of 300 digits.
_MOST_TUPLES = 1000


def _adversary(data: Input) -> PriorAdversary:
    distribution = _distribution_of(data)
    mechanism, target, known = _mechanism_of(data, distribution), data["target"], data["known"]
    if len(set(known)) != len(known):
        # A dict of known values cannot hold a tuple twice: let the library see the list as it is.
        prior_leakage(distribution, mechanism, target, known, convention="sup")
    return PriorAdversary(distribution, mechanism, target, _known_labels(data))


def _exact_node(data: Input) -> dict[str, Any]:
    if data["convention"] == "sup":
        distribution = _distribution_of(data)
        mechanism = _mechanism_of(data, distribution)
        found = prior_leakage(distribution, mechanism, data["target"], data["known"], convention="sup")
    else:
        found = _adversary(data).leakage
    return {"leakage": float(found), "determined": found.determined}


def _exact_all(data: Input) -> dict[str, Any]:
    distribution = _distribution_of(data)
    values, _ = exact_all(
        distribution, _mechanism_of(data, distribution), data["instance"], data["convention"]
    )
    return _all_nodes(values)


def _exact_nodes(data: Input) -> dict[str, Any]:
    distribution = _distribution_of(data)
    values, _ = exact_all(
        distribution, _mechanism_of(data, distribution), data["instance"], data["convention"]
    )
    n = distribution.n_tuples
    return {"nodes": [[i, known, float(values[i, column(n, i, known)])] for i, known in data["nodes"]]}


def _log_ratio(data: Input) -> dict[str, Any]:
    adversary = _adversary(data)
    a, b = data["pair"]
    low, high = adversary.ends(a, b)
    return {"log_ratio": numbers(adversary.log_ratio(a, b, data["r"])), "minus_inf": low, "plus_inf": high}


def _density(data: Input) -> dict[str, Any]:
    return {"density": numbers(_adversary(data).density(data["value"], data["r"]))}


def _posterior(data: Input) -> dict[str, Any]:
    adversary = _adversary(data)
    a, b = data["pair"]
    return {
        "prior": numbers(adversary.prior),
        "posterior": numbers(adversary.posterior(data["r"])),
        "gain": numbers(adversary.gain(a, b, data["r"])),
    }


def _edge(data: Input) -> dict[str, Any]:
    distribution = _distribution_of(data)
    found = edge(
        distribution, _mechanism_of(data, distribution), data["target"], data["removed"], _known_labels(data)
    )
    return {"gamma": [list(row) for row in found.gamma], "ir": list(found.ir), "rho": found.rho}


def _group_bound(data: Input) -> dict[str, Any]:
    distribution = _distribution_of(data)
    mechanism = _mechanism_of(data, distribution)
    return {
        "ls": numbers(mechanism.query.local_sensitivities),
        "gs": mechanism.query.global_sensitivity,
        "bound": float(group_bound(mechanism, data["target"], data["known"])),
        "loose_bound": float(group_bound(mechanism, data["target"], data["known"], loose=True)),
    }


def _exact_vector(data: Input) -> dict[str, Any]:
    queries = [LinearQuery(contributions) for contributions in data["contribs"]]
    found = joint_leakage(_distribution_of(data), queries, data["lam"], data["target"], _known_labels(data))
    return {"leakage": float(found), "per_coordinate": [float(one) for one in found.per_coordinate]}


def _counts(data: Input) -> dict[str, Any]:
    n = data["n"]
    if isinstance(n, int) and n > _MOST_TUPLES:
        raise LimitError(f"The number of tuples is {shown(n)}; cases have at most {_MOST_TUPLES:,}.")
    size = counts(n)
    return {"nodes": size.nodes, "edges": size.edges, "layer_sizes": list(size.layer_sizes)}


def _gaussian(data: Input) -> GaussianModel:
    return GaussianModel(data.get("mean"), data["cov"])


def _gaussian_adversary(data: Input) -> GaussianAdversary:
    return GaussianAdversary(
        _gaussian(data),
        data["target"],
        data["known"],
        weights=data.get("weights"),
        scale=data["lam"],
        max_change=data.get("M", 1.0),
    )


def _gaussian_node(data: Input) -> dict[str, Any]:
    adversary = _gaussian_adversary(data)
    return {
        "leakage": float(adversary.leakage),
        "determined": adversary.determined,
        "mu00": adversary.mu00,
        "mu0i": adversary.mu0i,
        "mu0k": numbers(adversary.mu0k),
        "sigma0": adversary.sigma0,
    }


def _gaussian_all(data: Input) -> dict[str, Any]:
    model = _gaussian(data)
    values, _ = gaussian_exact_all(model, data.get("weights"), data["lam"], data["M"])
    return _all_nodes(values)


def _gaussian_log_ratio(data: Input) -> dict[str, Any]:
    x, other = data["pair"]
    found = _gaussian_adversary(data).log_ratio(x, other, data["r"], data["known_values"])
    return {"log_ratio": numbers(found)}


KINDS: Kinds = {
    ("chain_path", "instance"): _chain_path,
    ("chain_path", "sup"): _chain_path,
    ("chain_all", "instance"): _chain_all,
    ("chain_all", "sup"): _chain_all,
    ("chain_full_paths", "instance"): _chain_full_paths,
    ("chain_full_paths", "sup"): _chain_full_paths,
    ("fast", "instance"): _fast,
    ("fast", "sup"): _fast,
    ("whg_given", None): _whg_given,
    ("exact_node", "instance"): _exact_node,
    ("exact_node", "sup"): _exact_node,
    ("exact_all", "instance"): _exact_all,
    ("exact_all", "sup"): _exact_all,
    ("exact_nodes", "instance"): _exact_nodes,
    ("exact_nodes", "sup"): _exact_nodes,
    ("log_ratio", None): _log_ratio,
    ("density", None): _density,
    ("posterior", None): _posterior,
    ("edge", None): _edge,
    ("group_bound", None): _group_bound,
    ("exact_vector", None): _exact_vector,
    ("counts", None): _counts,
    ("gaussian_node", None): _gaussian_node,
    ("gaussian_all", None): _gaussian_all,
    ("gaussian_log_ratio", None): _gaussian_log_ratio,
}
