"""Cases on the paper's estimates: chain rule, complete paths, fast search, graphs with given edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.adversary import known_of
from pdp_widgets.leakage.prior.chain_rule import chain_all, chain_path
from pdp_widgets.leakage.prior.complete_paths import complete_path_minimum
from pdp_widgets.leakage.prior.exact_all import instance_positions
from pdp_widgets.leakage.prior.fast_search import fast_search
from pdp_widgets.leakage.prior.given_edges import GivenEdges
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import all_nodes, distribution_of, mechanism_of

__all__ = ["KINDS"]


def _chain_problem(data: Input) -> tuple[Any, Any, float, tuple[int, ...] | None, str]:
    """Return the arguments that all estimates of the paper share: the first four and the convention."""
    distribution = distribution_of(data)
    mechanism = mechanism_of(data, distribution)
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
    return {**all_nodes(values), "edges": edges}


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
        **all_nodes(graph.chain()),
        "fast_layer_max": list(fast.layer_max),
        "fast_leakage": float(fast.leakage),
        "full_path_min_top": [[i, [], float(graph.complete_path_minimum(i))] for i in range(graph.n_tuples)],
    }


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
}
