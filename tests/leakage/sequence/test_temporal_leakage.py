"""Temporal privacy leakage: the step against all subsets, the recursion against exact event leakages."""

import math
from decimal import Decimal, localcontext
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, ChainError
from pdp_widgets.leakage.sequence.temporal_leakage import carried_leakage, temporal_leakage, temporal_limit
from pdp_widgets.models.markov_chain import MarkovChain
from tests.conftest import few

seeds = st.integers(0, 2**32 - 1)


def brute_step(rows, alpha):
    """The largest log ratio over all weights in {1, e^alpha}^n."""
    best = 0.0
    for weights in product([1.0, math.exp(alpha)], repeat=rows.shape[1]):
        means = rows @ np.array(weights)
        best = max(best, math.log(means.max() / means.min()))
    return best


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


BUDGETS = [1e-6, 0.5, 12.0, 37.42, 300.0, 708.0, 720.0, 1e4]


@pytest.mark.parametrize("epsilon", BUDGETS)
def test_large_and_small_budgets_against_sixty_digits(epsilon):
    for rows in ([[0.8, 0.2], [0.0, 1.0]], [[0.8, 0.2], [0.2, 0.8]], [[1 - 1e-9, 1e-9], [1e-300, 1.0]]):
        with localcontext(prec=400, Emax=10**9, Emin=-(10**9)):
            level = Decimal(epsilon)
            expected = [level]
            for _ in range(2):
                factor = expected[-1].exp() - 1
                exact = [[Decimal(p) / sum(map(Decimal, row)) for p in row] for row in rows]
                # Sets of one of two symbols; the whole one carries nothing.
                ratios = [
                    (q[i] * factor + 1) / (d[i] * factor + 1) for q in exact for d in exact for i in (0, 1)
                ]
                expected.append(max(ratios).ln() + level)
        found = temporal_leakage(rows, epsilon, 3, rows)
        assert found.backward == pytest.approx([float(one) for one in expected], rel=1e-12)
        assert found.forward == pytest.approx(found.backward[::-1])


def test_the_issue_of_seven_hundred_and_twenty_nats():
    moves = [[0.8, 0.2], [0.0, 1.0]]
    assert temporal_leakage(moves, 720.0, 2, moves).total == pytest.approx([1439.7768564486, 1439.7768564486])


@few()
@given(seeds, st.integers(2, 4), st.floats(1e-3, 6.0), st.sampled_from([0.0, 0.3]))
def test_the_limit_is_what_many_steps_come_to(seed, n, epsilon, zeros):
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.ones(n), n)
    rows = np.where((rng.random((n, n)) < zeros) & (rows < rows.max(axis=1, keepdims=True)), 0.0, rows)
    rows /= rows.sum(axis=1, keepdims=True)
    limit = temporal_limit(rows, epsilon, rows)
    many = temporal_leakage(rows, epsilon, 121, rows).total.max()
    assert many <= limit.value * (1 + 1e-12)
    if math.isinf(limit.value):
        assert many > temporal_leakage(rows, epsilon, 61, rows).total.max() + 1e-6 or many > 120 * epsilon
    else:
        half = limit.value / 2 + epsilon / 2
        assert carried_leakage(rows, half) + epsilon == pytest.approx(half, rel=1e-9)


def test_limits_that_are_known():
    assert temporal_limit([[0.3, 0.7], [0.3, 0.7]], 1.0).value == pytest.approx(1.0, abs=1e-14)
    assert temporal_limit(np.eye(2), 1.0, np.eye(2)).value == math.inf
    assert temporal_limit([[0.8, 0.2], [0.2, 0.8]], 0.0).value == 0
    assert temporal_limit([[0.8, 0.2], [0.2, 0.8]], math.inf).value == math.inf
    # Below ln(1 / Q) even a row without an entry has a limit.
    assert temporal_limit([[0.5, 0.5], [0.0, 1.0]], 0.5, [[0.5, 0.5], [0.0, 1.0]]).value < 3
    assert temporal_limit([[0.8, 0.2], [0.2, 0.8]], 1e4).value == pytest.approx(1e4 + 2 * math.log(4))
    with pytest.raises(ChainError, match="stationary"):
        temporal_limit(MarkovChain([[0.8, 0.2], [0.4, 0.6]], [0.5, 0.5]), 1.0)


def test_refusals():
    with pytest.raises(ChainError, match="square"):
        temporal_leakage([[0.5, 0.5]], 1.0, 3)
    with pytest.raises(ChainError, match="no law"):
        temporal_leakage([[0.5, 0.6], [0.5, 0.5]], 1.0, 3)
    with pytest.raises(ChainError, match="second order"):
        temporal_leakage(MarkovChain(np.full((2, 2, 2), 0.5)), 1.0, 3)
    with pytest.raises(BudgetError, match="epsilon"):
        temporal_leakage([[0.8, 0.2], [0.2, 0.8]], -1, 3)
