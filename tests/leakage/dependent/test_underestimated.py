"""Noise from coefficients that are too small: what it leaks, and where the promise fails with delta only."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, ScaleError
from pdp_widgets.leakage.dependent.dependent_scale import dependent_scale
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage
from pdp_widgets.leakage.dependent.underestimated import underestimated, underestimation_curve
from pdp_widgets.models.dependence import product
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.joint_examples import agreeing_bits, coupled_uniform, identical_tuples, xor_bits
from pdp_widgets.models.sparse_joint import SparseJoint


def test_numbers_of_the_specification():
    # Example 1, of the first number: half of its change passes on to the second, whatever the scale.
    found = coupled_uniform(0.5, 5)
    for factor, leaks in ((0.8, 1.0714), (0.9, 1.0345)):
        scale = 1 + factor * 0.5
        assert float(dependent_leakage(found, "sum", scale)[0]) == pytest.approx(leaks, abs=5e-5)
    for factor, leaks in ((0.8, 1.1905), (0.9, 1.0870)):
        assert float(underestimated(identical_tuples(5), "sum", 1.0, factor).largest) == pytest.approx(
            leaks, abs=5e-5
        )


@given(st.integers(0, 2**32 - 1), st.floats(0.3, 3), st.floats(0.05, 1))
def test_the_scale_lies_between_plain_noise_and_the_true_one(seed, epsilon, factor):
    rng = np.random.default_rng(seed)
    joint = SparseJoint.from_joint(JointDistribution(rng.dirichlet(np.ones(4)).reshape(2, 2)))
    weights = rng.uniform(0.3, 2, 2).tolist()
    found = underestimated(joint, weights, epsilon, factor)
    plain = dependent_scale(joint, weights, epsilon, "lpm")
    assert plain * (1 - 1e-12) <= found.scale_under <= found.scale_true * (1 + 1e-9)
    assert found.scale_true == dependent_scale(joint, weights, epsilon, "dpm_exact")
    assert found.largest.value <= float(max(map(float, dependent_leakage(joint, weights, plain)))) + 1e-9
    # Two tuples: the exact coefficients keep the promise, and then there is nothing for delta.
    if factor == 1:
        assert float(found.largest) <= epsilon * (1 + 1e-9)
    by_hand = [
        weights[i] + factor * sum(found.coefficients[i, j] * weights[j] for j in range(2) if j != i)
        for i in range(2)
    ]
    assert found.scale_under == pytest.approx(max(by_hand) / epsilon)
    if float(found.largest) > epsilon + 0.01:
        assert found.delta > 0
    elif float(found.largest) <= epsilon:
        assert found.delta <= 1e-12


def test_the_whole_coefficient_is_the_true_scale():
    for joint in (agreeing_bits(0.9), identical_tuples(3), agreeing_bits(0.2)):
        found = underestimated(joint, "sum", 1.0, 1.0)
        assert found.scale_under == pytest.approx(found.scale_true, rel=1e-9)
        assert found.delta == pytest.approx(0.0, abs=1e-9)


def test_between_blocks_there_is_nothing():
    one, other = agreeing_bits(0.9), SparseJoint([[0], [1]], [0.5, 0.5], ["alone"])
    found = underestimated(product(one, other), "sum", 1.0, 0.8)
    assert found.coefficients[2].tolist() == [0.0, 0.0, 1.0]
    assert found.coefficients[0, 1] == pytest.approx(0.79254138, abs=1e-8)
    assert found.coefficients[0, 2] == 0.0


def test_the_loss_of_copies_is_below_the_factor():
    found = underestimation_curve(identical_tuples(4), "sum", [0.5, 2.0], [0.5, 0.8, 1.0])
    assert (found.leakages <= found.epsilons / found.factors[:, None] + 1e-9).all()
    frame = found.to_dataframe()
    assert frame.factor.tolist() == [0.5, 0.5, 0.8, 0.8, 1.0, 1.0]
    assert frame.leakage.tolist() == found.leakages.ravel().tolist()
    assert frame.attrs["status"] == {"leakage": "exact"}
    assert "leakage, exact (nats)" in found.to_latex()
    alone = underestimated(identical_tuples(4), "sum", 2.0, 0.8)
    assert float(alone.largest) == found.leakages[1, 1]


def test_answers_of_several_numbers_have_no_delta_here():
    found = underestimated(agreeing_bits(0.9), "identity", 1.0, 0.8)
    assert (found.delta, found.small_delta) == (None, None)
    assert float(found.largest) > 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: underestimated(identical_tuples(2), "sum", 1.0, 0), BudgetError, "factor is 0"),
        (
            lambda: underestimated(identical_tuples(2), "sum", 1.0, 1.2),
            BudgetError,
            "factor is 1.2; it must be a number",
        ),
        (lambda: underestimated(identical_tuples(2), "sum", 0, 0.8), BudgetError, "epsilon is 0"),
        (
            lambda: underestimated(SparseJoint([[1, 2]], [1.0]), "sum"),
            ScaleError,
            "No tuple changes the answer",
        ),
        (
            lambda: underestimation_curve(identical_tuples(2), "sum", []),
            BudgetError,
            r"^epsilons is \[\]; give a row",
        ),
        (
            lambda: underestimation_curve(identical_tuples(2), "sum", [1.0], [[0.8]]),
            BudgetError,
            r"^factors is \[\[",
        ),
        (lambda: underestimation_curve(xor_bits(), [0, 0, 0], [1.0]), ScaleError, "No tuple changes"),
        (lambda: underestimation_curve(identical_tuples(2), "sum", [1.0], [2.0]), BudgetError, "factor is 2"),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_curves_are_drawn():
    found = underestimation_curve(agreeing_bits(0.9), "sum", [0.5, 1.0, 2.0])
    chart = found._figures()["curves"]()
    assert chart.title == "Coefficients that are too small"
    assert chart.series[0].name == "coefficients times 0.8"
    assert np.array_equal([one.y for one in chart.series], found.leakages / found.epsilons)
    assert [(one.name, one.at) for one in chart.levels] == [("promise", 1.0)]
    alone = underestimated(agreeing_bits(0.9), "sum", 1.0, 0.8)
    assert alone.to_dataframe().delta.tolist() == list(alone.small_delta.per_tuple)
    assert "coefficients times 0.8" in alone.to_latex()


def test_factors_that_nearly_agree_have_a_curve_each():
    found = underestimation_curve(agreeing_bits(0.9), "sum", [0.5, 1.0], [0.90001, 0.90002, 1.0])
    names = [series.name for series in found._figures()["curves"]().series]
    assert names == [f"coefficients times {text}" for text in ("0.90001", "0.90002", "1")]
