"""Cases on what whole streams leak: exactly, by composition, in the tails, and in the two-point example."""

from __future__ import annotations

from typing import Any

from pdp_widgets.leakage.sequence.composition import compose
from pdp_widgets.leakage.sequence.mutual_information import sequence_mutual_information
from pdp_widgets.leakage.sequence.noise_bound import noise_bound
from pdp_widgets.leakage.sequence.sequence_leakage import METHODS, sequence_leakage
from pdp_widgets.leakage.sequence.stream_errors import expected_errors
from pdp_widgets.leakage.sequence.tails import pointwise_tail
from pdp_widgets.leakage.sequence.temporal_leakage import temporal_leakage
from pdp_widgets.leakage.sequence.thresholds import crr_valid_threshold
from pdp_widgets.leakage.sequence.two_points import TwoPoints
from pdp_widgets.leakage.sequence.violation_share import violation_share
from pdp_widgets.verify.documents import Input, VectorError
from pdp_widgets.verify.formats import Kinds
from pdp_widgets.verify.inputs import numbers
from pdp_widgets.verify.sequence_inputs import chain_of, sequence_mechanism

__all__ = ["KINDS"]

_SAME = 1e-9


def _sequence(data: Input) -> dict[str, Any]:
    chain, mechanism = chain_of(data), sequence_mechanism(data["mechanism"])
    found = sequence_leakage(chain, mechanism, data["T"])
    other = sequence_leakage(chain, mechanism, data["T"], METHODS[0])
    if not abs(found.upper - other.upper) <= _SAME * max(1.0, found.upper):
        raise VectorError(f"two ways to compute it differ: {found.upper} and {other.upper}")
    return {
        "sil": float(found),
        "upper": found.upper,
        "lower": found.lower,
        "composed": float(found.composed),
        "max_iil_per_step": numbers(found.per_step),
    }


def _composition(data: Input) -> dict[str, Any]:
    found = compose(data["eps"], data["T"], data["delta"])
    return {
        "linear": float(found.linear),
        "advanced": float(found.printed),
        "advanced_tanh": float(found.advanced),
        "batched_as_printed": float(found.printed_batched),
        "best": float(found.best),
    }


def _tail(data: Input) -> dict[str, Any]:
    mechanism = sequence_mechanism(data["mechanism"])
    found = pointwise_tail(chain_of(data), mechanism, data["T"], data["threshold"])
    return {
        "joint_two_sided": found.joint,
        "worst_x_one_sided": found.worst_one_sided,
        "worst_x_two_sided": found.worst_two_sided,
    }


def _two_points(data: Input) -> dict[str, Any]:
    found = TwoPoints(data["P1"], data["phi"], data["eps1"], data["eps2"])
    first, second = found.leakage.per_step.tolist()
    return {
        "rho_x": found.data_correlation,
        "rho_n": found.noise_correlation,
        "mi_n": found.noise_information,
        "p_n1": found.noise_1,
        "p_n2": found.noise_2,
        "p_n1n2": found.both_wrong,
        "sil": float(found.leakage),
        "iil1": first,
        "iil2": second,
        "b_x2_given_y1": numbers(found.beliefs[:, 1]),
    }


def _noise_bound(data: Input) -> dict[str, Any]:
    found = noise_bound(data["P1"], data["phi"], data["eps1"], data["eta"])
    return {
        "eps2_correlated_crr": found.correlated_printed,
        "eps2_independent_crr": found.independent_printed,
        "eps2_correlated_valid": found.correlated_private,
        "eps2_independent_valid": found.independent_private,
        "total_correlated_crr": found.total_correlated,
        "total_independent_crr": found.total_independent,
    }


def _temporal(data: Input) -> dict[str, Any]:
    found = temporal_leakage(data["M_forward"], data["eps"], data["T"], data["M_backward"])
    return {
        "backward": numbers(found.backward),
        "forward": numbers(found.forward),
        "tpl": numbers(found.total),
    }


def _threshold(data: Input) -> dict[str, Any]:
    return {"eps_min": crr_valid_threshold(data["q"])}


def _violation(data: Input) -> dict[str, Any]:
    return {"share": violation_share(chain_of(data), data["eps"], data["T"]).share}


def _information(data: Input) -> dict[str, Any]:
    mechanism = sequence_mechanism(data["mechanism"])
    return {"mi_nats": sequence_mutual_information(chain_of(data), mechanism, data["T"]).total}


def _one_symbol(data: Input) -> dict[str, Any]:
    chain, mechanism = chain_of(data), sequence_mechanism(data["mechanism"])
    return {
        "sil": float(sequence_leakage(chain, mechanism, data["T"])),
        "cost": float(expected_errors(chain, mechanism, data["T"]).max()),
        "a": numbers(mechanism.channel(chain.start).matrix),
    }


KINDS: Kinds = {
    ("sequence_leakage", None): _sequence,
    ("composition", None): _composition,
    ("pointwise_tail", None): _tail,
    ("two_point_example", None): _two_points,
    ("noise_bound", None): _noise_bound,
    ("temporal_privacy_leakage", None): _temporal,
    ("crr_valid_threshold", None): _threshold,
    ("violation_share", None): _violation,
    ("sequence_mutual_information", None): _information,
    ("edge_alphabet_of_one", None): _one_symbol,
}
