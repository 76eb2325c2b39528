"""Errors by the size of batches: the table of the specification, and exact values where there are some."""

import math

import numpy as np
import pytest

from pdp_widgets.errors import BudgetError, LimitError
from pdp_widgets.leakage.sequence.batch_belief import batch_errors
from pdp_widgets.leakage.sequence.step_leakages import expected_errors
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.optimal_response import BinaryOptimum, uniform_batch_cost
from pdp_widgets.models.markov_chain import MarkovChain


@pytest.mark.parametrize(
    ("epsilon", "errors"),
    [
        (0.5, [0.303, 0.206, 0.193, 0.170]),
        (1.0, [0.184, 0.068, 0.025, 0.009]),
        (2.0, [0.0677, 0.0092, 0.0012, 0.0002]),
    ],
)
def test_independent_bits(epsilon, errors):
    # Every batch is like the first: nothing is left to chance.
    found = batch_errors(MarkovChain.symmetric(0.5), epsilon, steps=12, users=2, rng=1)
    assert found.errors == pytest.approx(errors, abs=6e-4)
    assert found.errors == pytest.approx([uniform_batch_cost(2, w, w * epsilon) / w for w in range(1, 5)])
    assert found.standard_errors == pytest.approx(0, abs=1e-9)
    assert found.leakages == pytest.approx(epsilon * np.arange(1, 5))


@pytest.mark.parametrize(
    ("epsilon", "errors"), [(1.0, [0.166, 0.057, 0.025]), (2.0, [0.0350, 0.0081, 0.0010])]
)
def test_strongly_correlated_bits(epsilon, errors):
    chain = MarkovChain.symmetric(0.9, start=[0.1, 0.9])
    found = batch_errors(chain, epsilon, [1, 2, 3], steps=90, users=5, rng=2)
    assert (np.abs(found.errors - errors) < 4 * found.standard_errors + 1e-3).all()
    assert (found.leakages <= epsilon * np.array([1, 2, 3]) + 1e-7).all()


def test_batches_of_one_are_the_errors_of_steps():
    chain = MarkovChain.symmetric(0.8, 2, [0.3, 0.7])
    exact = expected_errors(chain, BinaryOptimum(0.7), 10).mean()
    found = batch_errors(
        chain, 0.7, [1], steps=10, users=4000, mechanism=lambda e, d: BinaryOptimum(e), rng=3
    )
    assert abs(found.errors[0] - exact) < 4 * found.standard_errors[0]


def test_the_last_batch_is_shorter_and_has_less_budget():
    asked = []

    def make(epsilon, distances):
        asked.append((epsilon, distances.shape))
        return BalancedResponse(epsilon)

    batch_errors(MarkovChain.symmetric(0.8, 3), 0.5, [3, 9], steps=4, users=2, mechanism=make, rng=1)
    assert asked == [(1.5, (27, 27)), (0.5, (3, 3)), (2.0, (81, 81))]


def test_a_frame_and_one_person():
    found = batch_errors(MarkovChain.symmetric(0.8), 1.0, [1, 2], steps=6, users=1, rng=1)
    assert np.isnan(found.standard_errors).all()
    assert found.to_dataframe()["budget"].tolist() == [1.0, 2.0]
    assert math.isfinite(found.errors.sum())


def test_refusals():
    chain = MarkovChain.symmetric(0.8)
    with pytest.raises(BudgetError, match="no size"):
        batch_errors(chain, 1.0, [])
    with pytest.raises(BudgetError, match="size is 0"):
        batch_errors(chain, 1.0, [0])
    with pytest.raises(LimitError, match="patterns"):
        batch_errors(chain, 1.0, [30])
