"""Batches: budgets, distances, the effect of their size, and what is refused."""

import math
import pickle

import numpy as np
import pytest

from pdp_widgets import (
    BalancedResponse,
    BudgetError,
    ConditionalResponse,
    DomainError,
    LimitError,
    OptimalResponse,
    QueryError,
    TableError,
)
from pdp_widgets.mechanisms.sequence.optimal_response import uniform_batch_cost
from pdp_widgets.streams import BatchRelease, BinaryOptimum, RandomisedSymbols, SafeTemporalResponse, log_lift


def test_a_batch_has_the_budget_and_the_distance_of_its_steps():
    batches = BatchRelease(OptimalResponse(0.5, "absolute"), 3, 3)
    assert batches.budget() == 1.5
    assert batches.budget(2) == 1.0
    assert batches.at_length(2).epsilon == 1.0
    distances = batches.distances()
    # 0 1 2 and 2 1 0 as digits to base 3.
    assert distances[5, 21] == 4
    assert distances.shape == (27, 27)
    rng = np.random.default_rng(4)
    belief = rng.dirichlet(np.ones(9))
    step = batches.channel(belief, length=2)
    assert (step.epsilon, step.valid) == (1.0, True)
    assert step.leakage == log_lift(step.matrix, belief).leakage
    assert step.cost == pytest.approx(belief @ (step.matrix * batches.distances(2)).sum(axis=1))
    assert batches.lifts([belief], length=2) == pytest.approx([step.leakage], abs=1e-9)


def test_larger_batches_are_wrong_less_often():
    # Fair coins at half a nat each: the budget of a batch buys more than those of its steps.
    costs = []
    for size in (1, 2, 3, 4, 5):
        patterns = 2**size
        step = BatchRelease(OptimalResponse(0.5), size, 2).channel(np.full(patterns, 1 / patterns))
        assert step.valid
        assert step.cost == pytest.approx(uniform_batch_cost(2, size, 0.5 * size), abs=1e-9)
        costs.append(step.cost / size)
    assert costs == pytest.approx(sorted(costs, reverse=True))
    assert costs[:4] == pytest.approx([0.303, 0.206, 0.193, 0.171], abs=6e-4)


@pytest.mark.parametrize("mechanism", [OptimalResponse(0.7), BalancedResponse(0.7), RandomisedSymbols(0.7)])
def test_releases_follow_the_matrix(mechanism):
    batches = BatchRelease(mechanism, 2, 2)
    belief = np.array([0.6, 0.1, 0.05, 0.25])
    matrix = batches.channel(belief).matrix
    uniforms = np.linspace(0, 1, 4001, endpoint=False)
    for pattern, symbols in enumerate(([0, 0], [0, 1], [1, 0], [1, 1])):
        released = batches.release(np.tile(symbols, (4001, 1)), np.tile(belief, (4001, 1)), uniforms)
        assert released.shape == (4001, 2)
        shares = np.bincount(released @ [2, 1], minlength=4) / 4001
        assert shares == pytest.approx(matrix[pattern], abs=1e-3)


def test_restricted_outputs_allow_more_patterns():
    rng = np.random.default_rng(9)
    belief = rng.dirichlet(np.full(256, 0.1))
    with pytest.raises(LimitError, match=r"Take fewer outputs, or the balanced response\. Give outputs=32"):
        BatchRelease(OptimalResponse(0.5), 8, 2).channel(belief)
    few = BatchRelease(OptimalResponse(0.5, outputs=8), 8, 2).channel(belief)
    balanced = BatchRelease(BalancedResponse(0.5), 8, 2).channel(belief)
    assert few.valid
    assert balanced.valid
    assert np.count_nonzero(few.output) <= 8
    assert balanced.output == pytest.approx(belief, abs=1e-12)


def test_what_is_refused():
    batches = BatchRelease(ConditionalResponse(1.0), 2, 2)
    with pytest.raises(TableError, match="The belief has 2 entries, and a batch of 2 has 4 patterns"):
        batches.channel([0.5, 0.5])
    with pytest.raises(BudgetError, match="length is 3; it must be a whole number, 1 to 2"):
        batches.channel([0.5, 0.5], length=3)
    with pytest.raises(TableError, match=r"The batches have the shape \(2,\); give one row"):
        batches.release([0, 1], [[0.25] * 4], [0.5])
    with pytest.raises(BudgetError, match="looks at nothing but the belief"):
        BatchRelease(SafeTemporalResponse(1.0, [[1.0]]), 2, 1)
    with pytest.raises(BudgetError, match="size is 0; it must be a whole number, 1 or more"):
        BatchRelease(ConditionalResponse(1.0), 0, 2)
    with pytest.raises(DomainError, match="number of symbols k is 0"):
        BatchRelease(ConditionalResponse(1.0), 2, 0)
    with pytest.raises(QueryError, match="no distance 'far'"):
        BatchRelease(ConditionalResponse(1.0), 2, 2, "far")
    with pytest.raises(TableError, match=r"has the shape \(2, 2\); it must be \(3, 3\)"):
        BatchRelease(ConditionalResponse(1.0), 2, 3, [[0, 1], [1, 0]])
    with pytest.raises(LimitError, match="4,096 patterns, and matrices are made for at most 2,048"):
        BatchRelease(BalancedResponse(1.0), 12, 2).channel(np.full(4096, 1 / 4096))
    with pytest.raises(DomainError, match="for 2 symbols, and the belief has 4"):
        BatchRelease(BinaryOptimum(1.0), 2, 2).channel([0.25] * 4)


def test_batches_are_values():
    batches = BatchRelease(OptimalResponse(1.0), 2, 2, "hamming")
    assert pickle.loads(pickle.dumps(batches)) == batches
    assert batches == BatchRelease(OptimalResponse(1.0), 2, 2, "hamming")
    assert batches != BatchRelease(OptimalResponse(1.0), 3, 2, "hamming")
    assert batches.label == "Optimum, batches of 2"
    assert BatchRelease(BalancedResponse(math.inf), 2, 2).channel([0.25] * 4).cost == 0


@pytest.mark.parametrize("n", [2049, 10**7, 2**53])
def test_symbols_that_no_matrix_is_made_for_are_refused_at_once(n):
    with pytest.raises(LimitError, match="patterns"):
        BatchRelease(BalancedResponse(1.0), 1, n)
