"""The reference cases of releases: matrices, costs, regimes, closed forms."""

import numpy as np
import pytest

from pdp_widgets import ConditionalResponse, OptimalResponse
from pdp_widgets.mechanisms.sequence.linear_program import solve
from pdp_widgets.mechanisms.sequence.numeric_reports import (
    HybridReport,
    PiecewiseReport,
    RoundedReport,
    SquareWave,
)
from pdp_widgets.mechanisms.sequence.optimal_response import constant_cost, uniform_batch_cost
from pdp_widgets.streams import (
    Distance,
    MutualInformationChannel,
    RandomisedSymbols,
    expected_distance,
    sequence_mechanism_named,
)
from tests.mechanisms.sequence.stream_cases import cases

RELEASES = ("crr", "crr_shrunk", "crr_trimmed", "crr_balanced", "binary_optimum")


def each(*kinds):
    return [pytest.param(case, id=case["id"]) for kind in kinds for case in cases(kind)]


@pytest.mark.parametrize("case", each(*RELEASES))
def test_releases(case):
    given, expected, tol = case["input"], case["expected"], case["tol"]
    belief = given.get("b") or [1 - given["b1"], given["b1"]]
    mechanism = sequence_mechanism_named(case["kind"], given["eps"])
    step = mechanism.channel(belief)
    assert step.matrix == pytest.approx(np.array(expected["a"]), abs=tol)
    assert step.leakage == pytest.approx(expected["leakage"], abs=tol, rel=tol)
    assert step.cost == pytest.approx(expected.get("cost", expected.get("hamming_cost")), abs=tol)
    if "regime" in expected:
        assert step.regime == expected["regime"]
    if "marginal" in expected:
        assert step.output == pytest.approx(expected["marginal"], abs=tol)
    if "is_eps_private" in expected:
        assert (step.valid, mechanism.valid(belief)) == (expected["is_eps_private"],) * 2
    if "k" in expected:
        assert mechanism.outputs(belief) == expected["k"]
    if "lambda_used" in expected:
        assert mechanism.draw_weight(belief) == pytest.approx(expected["lambda_used"], abs=tol)
    if "lp_cost" in expected:
        assert OptimalResponse(given["eps"]).channel(belief).cost == pytest.approx(
            expected["lp_cost"], abs=tol
        )


@pytest.mark.parametrize("case", each("lp_optimum", "batch_optimum"))
def test_optima(case):
    given, expected, tol = case["input"], case["expected"], case["tol"]
    belief, distances = np.array(given["b"]), np.array(given["D"])
    step = OptimalResponse(given["eps"]).channel(belief, distances)
    assert step.cost == pytest.approx(expected["cost"], abs=tol, rel=tol)
    assert step.valid
    # Where a closed form was taken, the program finds the same.
    program = solve(belief, distances, given["eps"])
    assert belief @ (program * distances).sum(axis=1) == pytest.approx(expected["cost"], abs=tol, rel=tol)
    printed = ConditionalResponse(given["eps"])
    assert printed.channel(belief, distances).cost == pytest.approx(expected["crr_cost"], abs=tol, rel=tol)
    assert printed.valid(belief) == expected["crr_is_valid"]
    assert constant_cost(belief, distances) == pytest.approx(expected["constant_cost"], abs=tol, rel=tol)


@pytest.mark.parametrize("case", each("uniform_hamming_optimum"))
def test_uniform_beliefs(case):
    n, epsilon = case["input"]["n"], case["input"]["eps"]
    expected, belief = case["expected"], np.full(n, 1 / n)
    assert uniform_batch_cost(n, 1, epsilon) == pytest.approx(expected["cost"], abs=case["tol"])
    assert OptimalResponse(epsilon).channel(belief).cost == pytest.approx(expected["cost"], abs=case["tol"])
    printed = ConditionalResponse(epsilon).channel(belief)
    assert printed.cost == pytest.approx(expected["crr_cost"], abs=case["tol"])
    assert printed.leakage == pytest.approx(expected["crr_leakage"], abs=case["tol"])


@pytest.mark.parametrize("case", each("theorem4_printed_row_sums"))
def test_the_theorem_as_typeset_is_no_channel(case):
    sums = ConditionalResponse(case["input"]["eps"]).printed_row_sums(case["input"]["b"])
    assert sums == pytest.approx(case["expected"]["row_sums"], abs=case["tol"])


@pytest.mark.parametrize("case", each("grr"))
def test_randomised_response(case):
    given, expected = case["input"], case["expected"]
    step = RandomisedSymbols(given["eps"]).channel(given["b"])
    assert step.matrix[0, 0] == pytest.approx(expected["p_keep"], abs=case["tol"])
    assert step.matrix[0, 1] == pytest.approx(expected["p_other"], abs=case["tol"])
    assert step.cost == pytest.approx(expected["hamming_cost"], abs=case["tol"])
    assert step.leakage == pytest.approx(expected["sip"], abs=case["tol"])
    assert np.log(step.matrix[0, 0] / step.matrix[0, 1]) == pytest.approx(expected["ldp"], abs=case["tol"])


@pytest.mark.parametrize("case", each("mip_binary"))
def test_bounded_information(case):
    given, expected, tol = case["input"], case["expected"], case["tol"]
    mechanism = MutualInformationChannel(given["eps"])
    belief = [1 - given["b1"], given["b1"]]
    step = mechanism.channel(belief)
    assert step.matrix == pytest.approx(np.array(expected["a"]), abs=tol)
    assert step.cost == pytest.approx(expected["cost"], abs=tol)
    assert step.leakage == pytest.approx(expected["lip_leakage"], rel=tol)
    assert mechanism.information(belief) == pytest.approx(expected["mi_nats"], abs=tol)


@pytest.mark.parametrize("case", each("stream_ldp_primitives"))
def test_reports_of_numbers(case):
    epsilon, value = case["input"]["eps"], case["input"]["v"]
    wave, rounded, piecewise = SquareWave(epsilon), RoundedReport(epsilon), PiecewiseReport(epsilon)
    found = {
        "sw_half_width": wave.half_width,
        "sw_p": wave.near,
        "sw_q": wave.far,
        "sr_value": rounded.value,
        "sr_prob_plus": float(rounded.chance(value)),
        "pm_bound": piecewise.bound,
        "pm_density_high": piecewise.high,
        "hybrid_alpha": HybridReport(epsilon).piecewise_share,
    }
    expected = dict(case["expected"])
    interval = [float(end) for end in piecewise.interval(value)]
    assert interval == pytest.approx(expected.pop("pm_interval"), abs=case["tol"])
    assert found == pytest.approx(expected, abs=case["tol"])


@pytest.mark.parametrize("case", each("expected_distance"))
def test_expected_distances(case):
    given = case["input"]
    for name in given["kinds"]:
        found = expected_distance(given["a"], given["b"], Distance(name, given["Q"]))
        assert found == pytest.approx(case["expected"][name], abs=case["tol"])
