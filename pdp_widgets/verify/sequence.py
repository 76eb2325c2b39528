"""Cases on streams: releases, mechanisms, leakages and what they are when followed step by step."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.leakage.sequence.batch_belief import BatchBelief
from pdp_widgets.leakage.sequence.belief import StreamBelief
from pdp_widgets.leakage.sequence.composition import compose
from pdp_widgets.leakage.sequence.local_level import (
    compare_levels,
    crr_valid_threshold,
    local_level,
    mismatched_prior,
)
from pdp_widgets.leakage.sequence.pointwise import pointwise_tail, violation_share
from pdp_widgets.leakage.sequence.sequence_leakage import METHODS, sequence_leakage
from pdp_widgets.leakage.sequence.step_leakages import expected_errors, sequence_mutual_information
from pdp_widgets.leakage.sequence.temporal_leakage import temporal_leakage
from pdp_widgets.leakage.sequence.two_points import TwoPoints, noise_bound
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.conditional_response import (
    ConditionalResponse,
    ShrunkResponse,
    TrimmedResponse,
)
from pdp_widgets.mechanisms.sequence.distances import Distance, distance_matrix, expected_distance
from pdp_widgets.mechanisms.sequence.log_lift import log_lift
from pdp_widgets.mechanisms.sequence.numeric_reports import (
    HybridReport,
    PiecewiseReport,
    RoundedReport,
    SquareWave,
)
from pdp_widgets.mechanisms.sequence.optimal_response import (
    BinaryOptimum,
    MutualInformationChannel,
    OptimalResponse,
    constant_cost,
)
from pdp_widgets.mechanisms.sequence.randomised_symbols import RandomisedSymbols
from pdp_widgets.mechanisms.sequence.sequence_by_name import sequence_mechanism_named
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.models.batches import batch_partition
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.public_grid import grid_cells, grid_centres
from pdp_widgets.models.stream_data import StreamData
from pdp_widgets.models.stream_files import parse_click_streams
from pdp_widgets.models.transition_counts import transition_counts
from pdp_widgets.verify.formats import Input, Kinds, VectorError, numbers


def _chain_of(data: Input) -> MarkovChain:
    """Return the chain of a case: first order, or second order with a law of the second symbol."""
    if "M2" in data:
        return MarkovChain(data["M2"], data["P1"], early=data["M1"])
    return MarkovChain(data["M"], data["P1"])


def _sequence_mechanism(described: Any) -> SequenceMechanism:
    """Return the mechanism of a case from its name and budget."""
    if not isinstance(described, dict) or not {"name", "eps"} <= described.keys():
        raise VectorError("a mechanism is an object with name and eps")
    if described["name"] == "identity":
        return sequence_mechanism_named("identity")
    return sequence_mechanism_named(described["name"], described["eps"])


def _belief_filter(data: Input) -> dict[str, Any]:
    mechanism = _sequence_mechanism(data["mechanism"])
    belief = StreamBelief.before(_chain_of(data))
    predictive, posterior = [numbers(belief.predictive)], []
    for released in data["y"]:
        belief = belief.after(mechanism.channel(belief.predictive), released)
        predictive.append(numbers(belief.predictive))
        posterior.append(numbers(belief.posterior))
    return {"predictive": predictive, "posterior": posterior, "log_prob_y": belief.log_probability}


def _batch_belief(data: Input) -> dict[str, Any]:
    mechanism = _sequence_mechanism(data["mechanism"])
    belief = BatchBelief.before(_chain_of(data), data["w"])
    for released in data["released"]:
        belief = belief.after(mechanism.channel(belief.predictive), released)
    return {"belief": numbers(belief.predictive)}


def _estimate(data: Input) -> dict[str, Any]:
    streams = StreamData(data["streams"], states=range(data["n"]))
    smoothing = float(data["alpha"])
    first = transition_counts(streams).chain(smoothing)
    found = {"P1": numbers(first.start), "M": numbers(first.transitions)}
    if data["order"] == 2:
        found["M2"] = numbers(transition_counts(streams, order=2).chain(smoothing).transitions)
    return found


def _clicks(data: Input) -> dict[str, Any]:
    streams = parse_click_streams(data["text"].splitlines())
    facts = streams.facts
    return {
        "streams": [list(streams.labels(user)) for user in range(len(streams))],
        "n_streams": facts.streams,
        "n_events": facts.events,
        "n_symbols": facts.symbols,
        "min_len": facts.shortest,
        "max_len": facts.longest,
        "malformed_lines": facts.malformed,
        "streams_with_repeats": facts.with_repeats,
        "pairs_seen_in_both_orders": facts.pairs_in_both_orders,
    }


def _grid(data: Input) -> dict[str, Any]:
    cells = grid_cells(data["xy"], (data["low"], data["high"]), data["G"])[0]
    return {"cell": numbers(cells), "centre": numbers(grid_centres(data["G"])[cells])}


def _partition(data: Input) -> dict[str, Any]:
    found = batch_partition(data["T"], data["w"], data["eps_per_step"])
    return {"sizes": list(found.sizes), "budgets": list(found.budgets), "total": found.total}


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


def _optimum(data: Input) -> dict[str, Any]:
    belief, distance, epsilon = data["b"], data["D"], data["eps"]
    step = OptimalResponse(epsilon, distance).channel(belief)
    if not step.valid:
        raise VectorError(f"the optimum leaks {step.leakage}, more than {epsilon}")
    printed = ConditionalResponse(epsilon)
    found = {
        "cost": step.cost,
        "crr_cost": printed.channel(belief, distance).cost,
        "crr_is_valid": printed.valid(belief),
        "constant_cost": constant_cost(np.array(belief), distance_matrix(distance, len(belief))),
    }
    return found | ({"per_symbol_cost": step.cost / data["w"]} if "w" in data else {})


def _uniform(data: Input) -> dict[str, Any]:
    n, epsilon = data["n"], data["eps"]
    belief = [1 / n] * n
    printed = ConditionalResponse(epsilon).channel(belief)
    return {
        "cost": OptimalResponse(epsilon).channel(belief).cost,
        "crr_cost": printed.cost,
        "crr_leakage": printed.leakage,
    }


def _primitives(data: Input) -> dict[str, Any]:
    epsilon, value = data["eps"], data["v"]
    wave, rounded, pieces = SquareWave(epsilon), RoundedReport(epsilon), PiecewiseReport(epsilon)
    return {
        "sw_half_width": float(wave.half_width),
        "sw_p": float(wave.near),
        "sw_q": float(wave.far),
        "sr_value": float(rounded.value),
        "sr_prob_plus": float(rounded.chance(value)),
        "pm_bound": float(pieces.bound),
        "pm_density_high": float(pieces.high),
        "pm_interval": [float(end) for end in pieces.interval(value)],
        "hybrid_alpha": float(HybridReport(epsilon).piecewise_share),
    }


_SAME = 1e-9


def _sequence(data: Input) -> dict[str, Any]:
    chain, mechanism = _chain_of(data), _sequence_mechanism(data["mechanism"])
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
    mechanism = _sequence_mechanism(data["mechanism"])
    found = pointwise_tail(_chain_of(data), mechanism, data["T"], data["threshold"])
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
    return {"share": violation_share(_chain_of(data), data["eps"], data["T"]).share}


def _information(data: Input) -> dict[str, Any]:
    mechanism = _sequence_mechanism(data["mechanism"])
    return {"mi_nats": sequence_mutual_information(_chain_of(data), mechanism, data["T"]).total}


def _one_symbol(data: Input) -> dict[str, Any]:
    chain, mechanism = _chain_of(data), _sequence_mechanism(data["mechanism"])
    return {
        "sil": float(sequence_leakage(chain, mechanism, data["T"])),
        "cost": float(expected_errors(chain, mechanism, data["T"]).max()),
        "a": numbers(mechanism.channel(chain.start).matrix),
    }


KINDS: Kinds = {
    ("belief_filter", None): _belief_filter,
    ("belief_filter_order2", None): _belief_filter,
    ("batch_belief", None): _batch_belief,
    ("estimate_transitions", None): _estimate,
    ("parse_clickstream", None): _clicks,
    ("grid_quantise", None): _grid,
    ("batch_partition", None): _partition,
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
    ("lp_optimum", None): _optimum,
    ("batch_optimum", None): _optimum,
    ("uniform_hamming_optimum", None): _uniform,
    ("stream_ldp_primitives", None): _primitives,
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
