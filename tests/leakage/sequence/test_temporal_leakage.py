"""Temporal privacy leakage: the step against all subsets, the recursion against exact event leakages."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, ChainError
from pdp_widgets.leakage.sequence.temporal_leakage import carried_leakage, temporal_leakage
from pdp_widgets.models.markov_chain import MarkovChain

seeds = st.integers(0, 2**32 - 1)


def brute_step(rows, alpha):
    """The largest log ratio over all weights in {1, e^alpha}^n."""
    best = 0.0
    for weights in product([1.0, math.exp(alpha)], repeat=rows.shape[1]):
        means = rows @ np.array(weights)
        best = max(best, math.log(means.max() / means.min()))
    return best


@settings(max_examples=150, deadline=None)
@given(seeds, st.integers(1, 5), st.floats(1e-6, 8.0), st.sampled_from([0.0, 0.4]))
def test_one_step_against_all_subsets(seed, n, alpha, zeros):
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.ones(n), n)
    rows = np.where((rng.random((n, n)) < zeros) & (rows < rows.max(axis=1, keepdims=True)), 0.0, rows)
    rows /= rows.sum(axis=1, keepdims=True)
    assert carried_leakage(rows, alpha) == pytest.approx(brute_step(rows, alpha), abs=1e-10)
    assert carried_leakage(rows, alpha) <= alpha


def event_leakage(start, moves, epsilon, steps):
    """The largest log ratio of all releases for two values of one event, randomised response, exact."""
    n = len(start)
    keep, other = math.exp(epsilon), 1.0
    found = []
    for t in range(steps):
        best = 0.0
        for y in product(range(n), repeat=steps):
            given_event = np.zeros(n)
            chance = np.zeros(n)
            for x in product(range(n), repeat=steps):
                p = start[x[0]] * math.prod(moves[x[k]][x[k + 1]] for k in range(steps - 1))
                chance[x[t]] += p
                given_event[x[t]] += p * math.prod(
                    keep if a == b else other for a, b in zip(x, y, strict=True)
                )
            law = given_event / chance
            best = max(best, math.log(law.max() / law.min()))
        found.append(best)
    return found


@pytest.mark.parametrize("stay", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 2.0])
def test_symmetric_bits_reach_it(stay, epsilon):
    moves = [[stay, 1 - stay], [1 - stay, stay]]
    found = temporal_leakage(moves, epsilon, 4)
    assert found.total == pytest.approx(event_leakage([0.5, 0.5], moves, epsilon, 4))


@settings(max_examples=25, deadline=None)
@given(seeds, st.integers(2, 3), st.floats(0.1, 2.0))
def test_it_is_a_bound_for_chains_that_start_anywhere(seed, n, epsilon):
    rng = np.random.default_rng(seed)
    start, moves = rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n), n)
    chain = MarkovChain(moves, start)
    found = temporal_leakage(chain, epsilon, 3)
    exact = event_leakage(chain.start, chain.transitions, epsilon, 3)
    assert (found.total >= np.array(exact) - 1e-9).all()


def test_numbers_of_the_specification():
    found = temporal_leakage([[0.8, 0.2], [0.2, 0.8]], 0.5, 4)
    assert found.total.round(4).tolist() == [1.0499, 1.2580, 1.2580, 1.0499]
    assert str(found.largest) == "1.258 nats (bound): all 4 steps"


def test_given_transitions_of_the_reversed_chain_are_used():
    forward, backward = [[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]
    found = temporal_leakage(forward, 0.5, 3, backward)
    first = 0.5 + carried_leakage(backward, 0.5)
    assert found.backward == pytest.approx([0.5, first, 0.5 + carried_leakage(backward, first)])


def test_nothing_is_carried_by_independent_data_and_all_by_constant_ones():
    assert temporal_leakage([[0.3, 0.7], [0.3, 0.7]], 1.0, 5).total == pytest.approx(1.0)
    assert temporal_leakage(np.eye(2), 1.0, 5, np.eye(2)).total == pytest.approx(5.0)


def test_ends_of_the_ranges():
    assert temporal_leakage([[0.8, 0.2], [0.2, 0.8]], 0.0, 3).total == pytest.approx(0)
    assert temporal_leakage([[0.8, 0.2], [0.2, 0.8]], math.inf, 3).total.tolist() == [math.inf] * 3
    assert carried_leakage([[0.8, 0.2], [0.2, 0.8]], math.inf) == pytest.approx(math.log(4))
    assert carried_leakage([[1.0, 0.0], [0.5, 0.5]], math.inf) == math.inf
    assert temporal_leakage([[1.0]], 1.0, 3).total == pytest.approx(1.0)
    assert temporal_leakage([[0.8, 0.2], [0.2, 0.8]], 1.0, 0).total.size == 0
    assert float(temporal_leakage([[0.8, 0.2], [0.2, 0.8]], 800.0, 3).total.max()) < 820


def test_refusals():
    with pytest.raises(ChainError, match="square"):
        temporal_leakage([[0.5, 0.5]], 1.0, 3)
    with pytest.raises(ChainError, match="no law"):
        temporal_leakage([[0.5, 0.6], [0.5, 0.5]], 1.0, 3)
    with pytest.raises(ChainError, match="second order"):
        temporal_leakage(MarkovChain(np.full((2, 2, 2), 0.5)), 1.0, 3)
    with pytest.raises(BudgetError, match="epsilon"):
        temporal_leakage([[0.8, 0.2], [0.2, 0.8]], -1, 3)
