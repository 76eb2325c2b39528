"""The closed form as printed, where its bound breaks, and its repair."""

import math

import pytest

from pdp_widgets import ConditionalResponse
from pdp_widgets.streams import ShrunkResponse, log_lift


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 0.5, 1.0, 36.0, 50.0])
@pytest.mark.parametrize("kind", [ConditionalResponse, ShrunkResponse])
@pytest.mark.parametrize(
    "belief", [[0.95, 0.05], [0.5, 0.3, 0.2], [0.7, 0.3, 1e-200], [0.5, 0.5, 0], [1.0], [1, 0, 0]]
)
def test_the_stated_leakage_is_that_of_the_matrix(kind, belief, epsilon):
    mechanism = kind(epsilon)
    step = mechanism.channel(belief)
    assert step.matrix.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert step.output == pytest.approx(belief, abs=1e-12)
    assert mechanism.lifts([belief])[0] == pytest.approx(step.leakage, rel=1e-9, abs=1e-15)
    assert step.leakage == log_lift(step.matrix, belief).leakage
    assert step.valid == mechanism.valid(belief)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_the_bound_breaks_exactly_below_the_threshold(epsilon):
    mechanism = ConditionalResponse(epsilon)
    edge = mechanism.threshold
    assert edge == pytest.approx(1 / (1 + math.exp(epsilon)))
    for factor, valid in ((1.0, True), (1.001, True), (0.999, False)):
        step = mechanism.channel([1 - factor * edge, factor * edge])
        assert (step.valid, mechanism.valid(step.belief)) == (valid, valid)
        assert (step.leakage <= epsilon + 1e-9) == valid


def test_infinite_budgets_release_the_data():
    for kind in (ConditionalResponse, ShrunkResponse):
        step = kind(math.inf).channel([0.3, 0.7])
        assert step.matrix.tolist() == [[1, 0], [0, 1]]
        assert (step.leakage, step.cost, step.valid) == (math.inf, 0, True)
        assert kind(math.inf).channel([1.0, 0.0]).leakage == 0


@pytest.mark.parametrize("epsilon", [800.0, 1e300])
def test_budgets_beyond_floats_leave_no_symbol_excluded(epsilon):
    for kind in (ConditionalResponse, ShrunkResponse):
        step = kind(epsilon).channel([0.95, 0.05])
        assert (step.matrix > 0).all()
        assert step.leakage == epsilon
        assert kind(epsilon).lifts([[0.95, 0.05]])[0] == pytest.approx(step.leakage)
