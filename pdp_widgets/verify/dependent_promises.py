"""Cases on dependent tuples beside scales and leakages: accuracy, friends, composition, delta."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.dependent.accuracy import laplace_accuracy
from pdp_widgets.leakage.dependent.correlated_sensitivity import correlated_sensitivity
from pdp_widgets.leakage.dependent.friend_scale import FRIEND_COEFFICIENTS, friend_kappa
from pdp_widgets.leakage.dependent.graph_sensitivity import graph_sensitivity
from pdp_widgets.leakage.dependent.mutual_information import tuple_information
from pdp_widgets.leakage.dependent.separation import separation
from pdp_widgets.leakage.dependent.small_delta import small_delta
from pdp_widgets.leakage.dependent.stacked_releases import stacked_leakage
from pdp_widgets.leakage.dependent.underestimated import underestimated
from pdp_widgets.models.friend_model import FriendModel
from pdp_widgets.models.friendship_graph import FriendshipGraph
from pdp_widgets.verify.dependent_inputs import joint_of, query_of
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import numbers

__all__ = ["CALLS", "KINDS"]


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
    query, tuples = query_of(data["query"]), [data["tuple"]]
    return {"delta": small_delta(joint_of(data), query, data["sigma"], data["epsilon"], tuples).delta}


def _underestimation(data: Input) -> dict[str, Any]:
    found = underestimated(joint_of(data), query_of(data["query"]), data["epsilon"], data["factor"])
    return {
        "rho": numbers(found.coefficients),
        "sigma_true": found.scale_true,
        "sigma_under": found.scale_under,
        "leakage": float(found.largest),
        "delta": found.delta,
    }


def _information(data: Input) -> dict[str, Any]:
    found = tuple_information(joint_of(data), query_of(data["query"]), data["sigma"], data["tuple"])
    return {"nats": found.nats, "bits": found.bits}


def _composition(data: Input) -> dict[str, Any]:
    queries = [query_of(query) for query in data["queries"]]
    found = stacked_leakage(joint_of(data), queries, data["sigmas"])
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


KINDS: Kinds = {
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
}
#: What cases at the edge call.
CALLS = {"beta_scalar": _chance}
