"""Cases on exact leakage: one adversary and all of them, what one sees, edges, and the group bound."""

from __future__ import annotations

from typing import Any

from pdp_widgets.errors import LimitError
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.edge_weights import edge
from pdp_widgets.leakage.prior.exact_all import exact_all
from pdp_widgets.leakage.prior.exact_node import PriorAdversary, prior_leakage
from pdp_widgets.leakage.prior.graph_size import counts
from pdp_widgets.leakage.prior.group_bound import group_bound
from pdp_widgets.leakage.prior.joint_release import joint_leakage
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.labels import shown
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import all_nodes, distribution_of, known_labels, mechanism_of, numbers

__all__ = ["KINDS"]

# A graph of 1,000 tuples has a number of nodes of 300 digits.
_MOST_TUPLES = 1000


def _adversary(data: Input) -> PriorAdversary:
    distribution = distribution_of(data)
    known = data["known"]
    if len(set(known)) != len(known):
        # A dict of known values cannot hold a tuple twice: let the library see the list as it is.
        prior_leakage(distribution, mechanism_of(data, distribution), data["target"], known, convention="sup")
    return PriorAdversary(distribution, mechanism_of(data, distribution), data["target"], known_labels(data))


def _exact_node(data: Input) -> dict[str, Any]:
    if data["convention"] == "sup":
        distribution = distribution_of(data)
        mechanism = mechanism_of(data, distribution)
        found = prior_leakage(distribution, mechanism, data["target"], data["known"], convention="sup")
    else:
        found = _adversary(data).leakage
    return {"leakage": float(found), "determined": found.determined}


def _exact_all(data: Input) -> dict[str, Any]:
    distribution = distribution_of(data)
    values, _ = exact_all(
        distribution, mechanism_of(data, distribution), data["instance"], data["convention"]
    )
    return all_nodes(values)


def _exact_nodes(data: Input) -> dict[str, Any]:
    distribution = distribution_of(data)
    values, _ = exact_all(
        distribution, mechanism_of(data, distribution), data["instance"], data["convention"]
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
    distribution = distribution_of(data)
    found = edge(
        distribution, mechanism_of(data, distribution), data["target"], data["removed"], known_labels(data)
    )
    return {"gamma": [list(row) for row in found.gamma], "ir": list(found.ir), "rho": found.rho}


def _group_bound(data: Input) -> dict[str, Any]:
    distribution = distribution_of(data)
    mechanism = mechanism_of(data, distribution)
    return {
        "ls": numbers(mechanism.query.local_sensitivities),
        "gs": mechanism.query.global_sensitivity,
        "bound": float(group_bound(mechanism, data["target"], data["known"])),
        "loose_bound": float(group_bound(mechanism, data["target"], data["known"], loose=True)),
    }


def _exact_vector(data: Input) -> dict[str, Any]:
    queries = [LinearQuery(contributions) for contributions in data["contribs"]]
    found = joint_leakage(distribution_of(data), queries, data["lam"], data["target"], known_labels(data))
    return {"leakage": float(found), "per_coordinate": [float(one) for one in found.per_coordinate]}


def _counts(data: Input) -> dict[str, Any]:
    n = data["n"]
    if isinstance(n, int) and n > _MOST_TUPLES:
        raise LimitError(f"The number of tuples is {shown(n)}; cases have at most {_MOST_TUPLES:,}.")
    size = counts(n)
    return {"nodes": size.nodes, "edges": size.edges, "layer_sizes": list(size.layer_sizes)}


KINDS: Kinds = {
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
}
