"""Cases on the release of one symbol: what a matrix leaks and costs, and the mechanisms in closed form."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.sequence.local_level import compare_levels, local_level
from pdp_widgets.leakage.sequence.mismatched_prior import mismatched_prior
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.binary_optimum import BinaryOptimum
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse, ShrunkResponse
from pdp_widgets.mechanisms.sequence.distances import Distance, expected_distance
from pdp_widgets.mechanisms.sequence.log_lift import log_lift
from pdp_widgets.mechanisms.sequence.mutual_information_channel import MutualInformationChannel
from pdp_widgets.mechanisms.sequence.optimal_response import OptimalResponse
from pdp_widgets.mechanisms.sequence.randomised_symbols import RandomisedSymbols
from pdp_widgets.mechanisms.sequence.trimmed_response import TrimmedResponse
from pdp_widgets.verify.documents import Input
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import numbers

__all__ = ["KINDS"]


def _leakage(data: Input) -> dict[str, Any]:
    found = log_lift(data["a"], data["b"])
    return {"leakage": found.leakage, "upper": found.upper, "lower": found.lower}


def _conditional(data: Input) -> dict[str, Any]:
    mechanism = ConditionalResponse(data["eps"])
    step = mechanism.channel(data["b"])
    return {
        "a": numbers(step.matrix),
        "marginal": numbers(step.output),
        "leakage": step.leakage,
        "is_eps_private": mechanism.valid(data["b"]),
        "hamming_cost": step.cost,
    }


def _printed_rows(data: Input) -> dict[str, Any]:
    return {"row_sums": numbers(ConditionalResponse(data["eps"]).printed_row_sums(data["b"]))}


def _binary_optimum(data: Input) -> dict[str, Any]:
    step = BinaryOptimum(data["eps"]).channel([1 - data["b1"], data["b1"]])
    return {"a": numbers(step.matrix), "cost": step.cost, "regime": step.regime, "leakage": step.leakage}


def _shrunk(data: Input) -> dict[str, Any]:
    mechanism = ShrunkResponse(data["eps"])
    step = mechanism.channel(data["b"])
    return {
        "a": numbers(step.matrix),
        "lambda_used": mechanism.draw_weight(data["b"]),
        "leakage": step.leakage,
        "hamming_cost": step.cost,
    }


def _trimmed(data: Input) -> dict[str, Any]:
    mechanism = TrimmedResponse(data["eps"])
    step = mechanism.channel(data["b"])
    return {
        "a": numbers(step.matrix),
        "cost": step.cost,
        "k": mechanism.outputs(data["b"]),
        "lambda_used": mechanism.draw_weight(data["b"]),
        "leakage": step.leakage,
        "lp_cost": _least_cost(data),
    }


def _balanced(data: Input) -> dict[str, Any]:
    step = BalancedResponse(data["eps"]).channel(data["b"])
    return {
        "a": numbers(step.matrix),
        "cost": step.cost,
        "regime": step.regime,
        "leakage": step.leakage,
        "lp_cost": _least_cost(data),
    }


def _least_cost(data: Input) -> float:
    return OptimalResponse(data["eps"]).channel(data["b"]).cost


def _randomised(data: Input) -> dict[str, Any]:
    step = RandomisedSymbols(data["eps"]).channel(data["b"])
    return {
        "p_keep": float(step.matrix[0, 0]),
        "p_other": float(step.matrix[0, 1]),
        "hamming_cost": step.cost,
        "ldp": local_level(step.matrix),
        "sip": step.leakage,
    }


def _least_distortion(data: Input) -> dict[str, Any]:
    mechanism = MutualInformationChannel(data["eps"])
    belief = [1 - data["b1"], data["b1"]]
    step = mechanism.channel(belief)
    return {
        "a": numbers(step.matrix),
        "cost": step.cost,
        "mi_nats": mechanism.information(belief),
        "lip_leakage": step.leakage,
    }


def _levels(data: Input) -> dict[str, Any]:
    found = compare_levels(data["a"], data["b"])
    return {
        "sip": found.leakage,
        "ldp_on_support": found.on_support,
        "ldp_all_rows": found.all_rows,
        "sip_le_ldp": found.implies_leakage,
        "ldp_le_2sip": found.within_twice,
    }


def _mismatched(data: Input) -> dict[str, Any]:
    step = ConditionalResponse(data["eps"]).channel(data["design_belief"])
    found = mismatched_prior(step.matrix, step.belief, data["adversary_belief"])
    return {
        "leakage_design": found.designed,
        "leakage_adversary": found.adversary,
        "ldp_level": found.ceiling,
    }


def _distance(data: Input) -> dict[str, Any]:
    return {
        kind: expected_distance(data["a"], data["b"], Distance(kind, data["Q"])) for kind in data["kinds"]
    }


KINDS: Kinds = {
    ("lip_leakage", None): _leakage,
    ("crr", None): _conditional,
    ("theorem4_printed_row_sums", None): _printed_rows,
    ("binary_optimum", None): _binary_optimum,
    ("crr_shrunk", None): _shrunk,
    ("crr_trimmed", None): _trimmed,
    ("crr_balanced", None): _balanced,
    ("grr", None): _randomised,
    ("mip_binary", None): _least_distortion,
    ("sip_vs_ldp", None): _levels,
    ("mismatched_prior", None): _mismatched,
    ("expected_distance", None): _distance,
}
