"""Budgets per step, windows, plans for a target, and what two states and Laplace noise leak exactly."""

import math
from itertools import pairwise, product

import numpy as np
import pytest

from pdp_widgets import MarkovChain
from pdp_widgets.errors import BudgetError, ChainError, LimitError, QueryError
from pdp_widgets.leakage.sequence.temporal_budgets import temporal_budgets
from pdp_widgets.leakage.sequence.temporal_exact import laplace_stream_leakage, two_state_leakage
from pdp_widgets.leakage.sequence.temporal_leakage import carried_leakage, temporal_leakage

MOVES = [[0.8, 0.2], [0.3, 0.7]]
LISTS = [MOVES, [[0.6, 0.4], [0.1, 0.9]], MOVES]


def random_moves(rng, n):
    return rng.dirichlet(np.ones(n), size=n) * 0.98 + 0.02 / n


def test_budgets_that_are_alike_are_one_budget():
    one, each = temporal_leakage(MOVES, 0.5, 4), temporal_leakage(MOVES, [0.5] * 4)
    assert one == each
    assert one.epsilon == 0.5
    several = temporal_leakage(LISTS, [0.1, 0.4, 0.0, 0.3], backward=LISTS)
    assert several.epsilon == 0.4
    assert several.to_dataframe()["budget"].tolist() == [0.1, 0.4, 0.0, 0.3]


def test_windows_grow_to_the_sum_of_all_budgets():
    budgets = [0.3, 0.1, 0.5, 0.2, 0.4]
    found = temporal_leakage(MOVES, budgets)
    assert found.windows(1) == pytest.approx(found.total)
    largest = [found.window(width).value for width in range(1, 7)]
    assert largest == sorted(largest)
    assert largest[4] == largest[5] == pytest.approx(sum(budgets))
    assert temporal_leakage(MOVES, [math.inf, 0.1, 0.1]).windows(2)[0] == math.inf


def test_plans_keep_the_target_at_every_step():
    rng = np.random.default_rng(1)
    for _ in range(4):
        ahead, back = random_moves(rng, 3), random_moves(rng, 3)
        for steps in (1, 2, 5):
            plan = temporal_budgets(ahead, 0.7, steps, backward=back)
            assert temporal_leakage(ahead, plan.budgets, backward=back).total == pytest.approx(0.7, abs=1e-10)
        for width in (1, 2, 4):
            plan = temporal_budgets(ahead, 0.7, width=width, backward=back)
            many = temporal_leakage(ahead, plan.constant, 60, back).window(width).value
            assert many <= 0.7 + 1e-9
            more = temporal_leakage(ahead, plan.constant * 1.001, 200, back).window(width).value
            assert more > 0.7


def test_independent_steps_spend_the_target_each():
    assert temporal_budgets([[0.5, 0.5]] * 2, 1.0).constant == pytest.approx(1.0)
    assert temporal_budgets(MOVES, 1.5, 4, width=9).budgets == pytest.approx([0.375] * 4)
    assert temporal_budgets(MOVES, 1.5).first is None


def sequences_of(start, moves, steps):
    for row in product(range(len(start)), repeat=steps):
        yield row, start[row[0]] * math.prod(moves[a][b] for a, b in pairwise(row))


def enumerated(start, moves, steps, densities):
    """Largest log ratio about each step over all outputs, from the law of all sequences."""
    outputs, found = range(len(densities[0])), np.zeros(steps)
    for seen in product(outputs, repeat=steps):
        joint = np.zeros((steps, len(start)))
        for row, chance in sequences_of(start, moves, steps):
            weight = chance * math.prod(densities[x][y] for x, y in zip(row, seen, strict=True))
            for t, x in enumerate(row):
                joint[t, x] += weight
        for t in range(steps):
            law = np.array(
                [
                    sum(c for row, c in sequences_of(start, moves, steps) if row[t] == x)
                    for x in range(len(start))
                ]
            )
            ratios = np.log(joint[t] / law)
            found[t] = max(found[t], ratios.max() - ratios.min())
    return found


@pytest.mark.parametrize("moves", [MOVES, [[0.1, 0.9], [0.6, 0.4]]])
def test_two_states_are_exact(moves):
    chain, keep = MarkovChain(moves), 1 / (1 + math.exp(-0.6))
    wanted = enumerated(chain.start, moves, 4, [[keep, 1 - keep], [1 - keep, keep]])
    found = two_state_leakage(moves, 0.6, 4)
    assert found.exact == pytest.approx(wanted)
    assert (found.exact <= temporal_leakage(moves, 0.6, 4).total + 1e-12).all()
    assert found.largest.status == "exact"


def test_numbers_with_laplace_noise_are_exact():
    chain, width = MarkovChain([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]], states=[0, 1, 3]), 1.5
    values = np.array([0.0, 1.0, 3.0])
    dense = np.exp(-np.abs(values[:, None] - values[None, :]) / width)
    assert laplace_stream_leakage(chain, width, 3).exact == pytest.approx(
        enumerated(chain.start, chain.transitions, 3, dense)
    )
    bits = MarkovChain(MOVES)
    assert laplace_stream_leakage(bits, 2.0, 5).exact == pytest.approx(two_state_leakage(bits, 0.5, 5).exact)


def test_a_start_in_one_state():
    chain = MarkovChain(MOVES, start=[1, 0])
    assert laplace_stream_leakage(chain, 1.0, 3).exact[0] == 0.0
    assert two_state_leakage(chain, 1.0, 3).exact.shape == (3,)


def test_carried_leakages_of_several_levels():
    rng = np.random.default_rng(3)
    rows, levels = random_moves(rng, 5), [0.0, 0.1, 1.0, 30.0, 800.0, 1e6]
    assert carried_leakage(rows, levels) == pytest.approx([carried_leakage(rows, level) for level in levels])
    assert carried_leakage([[0.6, 0.4], [0, 1]], [800.0])[0] == pytest.approx(800 - math.log(1 / 0.6))


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: temporal_leakage(MOVES, 0.5), ChainError, "number of steps"),
        (lambda: temporal_leakage(MOVES, [0.5, 0.5], 3), ChainError, "for 3 steps"),
        (lambda: temporal_leakage(MOVES, [0.5, -0.5]), BudgetError, "-0.5"),
        (lambda: temporal_leakage(LISTS, 0.5, 4), ChainError, "give backward"),
        (lambda: temporal_leakage(LISTS, 0.5, 3, MOVES), ChainError, "3 matrices for 3 steps"),
        (lambda: temporal_leakage(MOVES, 0.5, 3).windows(0), ChainError, "width"),
        (
            lambda: temporal_budgets(np.eye(2), 1.0, backward=np.eye(2)),
            BudgetError,
            "No positive budget lasts",
        ),
        (lambda: temporal_budgets(MOVES, 0.0), BudgetError, "target"),
        (lambda: two_state_leakage(np.full((3, 3), 1 / 3), 1.0, 2), ChainError, "3 states"),
        (lambda: two_state_leakage(MOVES, math.inf, 2), ChainError, "A budget is inf"),
        (lambda: laplace_stream_leakage(MarkovChain(MOVES), 1.0, 30), LimitError, "200,000"),
        (lambda: laplace_stream_leakage(MarkovChain(MOVES, states=["a", "b"]), 1.0, 3), QueryError, "text"),
        (
            lambda: laplace_stream_leakage(MarkovChain(np.full((2, 2, 2), 0.5)), 1.0, 3),
            ChainError,
            "second order",
        ),
    ],
)
def test_refused_with_the_culprit(call, kind, words):
    with pytest.raises(kind) as fault:
        call()
    assert words in str(fault.value)
