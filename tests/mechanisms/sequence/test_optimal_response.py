"""The optimum: never dearer than any other, within the budget, equal to closed forms."""

import math

import numpy as np
import pytest

from pdp_widgets import BudgetError, DomainError, LimitError, OptimalResponse, QueryError, TableError
from pdp_widgets.mechanisms.sequence import linear_program
from pdp_widgets.mechanisms.sequence.distances import batch_distance, distance_matrix, is_pseudometric
from pdp_widgets.mechanisms.sequence.linear_program import expected_seconds, solve
from pdp_widgets.mechanisms.sequence.optimal_response import (
    constant_cost,
    uniform_batch_channel,
    uniform_batch_cost,
    uniform_batch_shape,
)
from tests.mechanisms.sequence.stream_cases import BUDGETS, beliefs, named


def chain_belief(length, first=0.9, stay=0.9):
    """The law of a batch of a symmetric chain of two symbols."""
    belief = np.array([1 - first, first])
    steps = np.array([[stay, 1 - stay], [1 - stay, stay]])
    for _ in range(length - 1):
        belief = (belief[:, None] * steps[np.arange(len(belief)) % 2]).reshape(-1)
    return belief


def some_distances(n, seed):
    """The named distances, and one that obeys nothing."""
    return ["hamming", "absolute", "squared", np.random.default_rng(seed).random((n, n)) * 100]


@pytest.mark.parametrize("epsilon", BUDGETS)
def test_it_keeps_the_budget_and_costs_least(epsilon):
    for turn, belief in enumerate(beliefs(6, seed=21)):
        n = len(belief)
        for distance in some_distances(n, turn):
            matrix = distance_matrix(distance, n)
            for robust in (True, False):
                step = OptimalResponse(epsilon, distance, robust).channel(belief)
                assert step.valid
                assert step.matrix.sum(axis=1) == pytest.approx(1, abs=1e-12)
                assert step.cost <= constant_cost(step.belief, matrix) * (1 + 1e-12) + 1e-15
                for key in ("crr_balanced", "crr_trimmed", "crr_shrunk", "grr"):
                    other = named(key, epsilon, n).channel(belief, distance).cost
                    assert step.cost <= other + 1e-9 * max(1, other), (belief, distance, key)
            fewer = OptimalResponse(epsilon, distance, outputs=2).channel(belief)
            assert fewer.valid
            assert np.count_nonzero(fewer.output) <= 2
            assert fewer.cost >= step.cost - 1e-9 * max(1, step.cost)


def test_it_equals_the_direct_program():
    from scipy.optimize import linprog

    for turn, belief in enumerate(beliefs(6, seed=31)):
        n = len(belief)
        for distance in some_distances(n, turn):
            for epsilon in (0.3, 1.0, 3.0):
                costs = distance_matrix(distance, n)
                inequalities, support = [], np.flatnonzero(belief)
                for x in support:
                    for y in range(n):
                        likelihood, output = np.zeros((n, n)), np.zeros((n, n))
                        likelihood[x, y], output[:, y] = 1, belief
                        inequalities.append((likelihood - math.exp(epsilon) * output).ravel())
                        inequalities.append((math.exp(-epsilon) * output - likelihood).ravel())
                direct = linprog(
                    (belief[:, None] * costs).ravel(),
                    A_ub=np.array(inequalities),
                    b_ub=np.zeros(len(inequalities)),
                    A_eq=np.kron(np.eye(n), np.ones(n)),
                    b_eq=np.ones(n),
                )
                found = OptimalResponse(epsilon, distance).channel(belief).cost
                assert found == pytest.approx(direct.fun, abs=1e-7 * max(1.0, costs.max()))


def test_rows_of_impossible_symbols_keep_the_bounds_too():
    for belief in beliefs(40, seed=41):
        for epsilon in (0.5, 2.0):
            step = OptimalResponse(epsilon, "absolute").channel(belief)
            seen = step.output > 0
            if step.regime == "program":
                ratio = step.matrix[:, seen] / step.output[seen]
                assert ratio.max() <= math.exp(epsilon) * (1 + 1e-9)
                assert ratio.min() >= math.exp(-epsilon) * (1 - 1e-9)
            plain = OptimalResponse(epsilon, "absolute", robust=False).channel(belief)
            assert plain.cost == pytest.approx(step.cost, rel=1e-9)
            if plain.regime == "program" and (belief == 0).any():
                assert plain.matrix[belief == 0] == pytest.approx(
                    np.tile(plain.output, ((belief == 0).sum(), 1)), abs=1e-12
                )


def test_uniform_beliefs_have_a_closed_form():
    for n in (2, 3, 5, 9, 16):
        for epsilon in (0.3, 1.0, 2.5):
            belief = np.full(n, 1 / n)
            cost = uniform_batch_cost(n, 1, epsilon)
            weight = math.exp(-epsilon)
            wide = n > 1 + math.exp(epsilon)
            known = 1 - math.exp(epsilon) / n if wide else weight * (1 - 1 / n)
            assert cost == pytest.approx(known, abs=1e-12)
            assert 1 - np.diag(uniform_batch_channel(n, 1, epsilon))[0] == pytest.approx(cost, abs=1e-12)
            program = solve(belief, 1 - np.eye(n), epsilon)
            assert 1 - belief @ np.diag(program) == pytest.approx(cost, abs=1e-8)


@pytest.mark.parametrize(("n", "length"), [(2, 2), (2, 3), (2, 4), (3, 2)])
def test_batches_of_an_independent_uniform_source_have_a_closed_form(n, length):
    belief, distances = np.full(n**length, n**-length), batch_distance("hamming", n, length)
    for epsilon in (0.4, 1.5, 3.0, 6.0, math.inf):
        step = OptimalResponse(epsilon, distances).channel(belief)
        assert step.cost == pytest.approx(uniform_batch_cost(n, length, epsilon), abs=1e-12)
        assert step.valid
        if epsilon < math.inf:
            program = solve(step.belief, distances, epsilon)
            assert belief @ (program * distances).sum(axis=1) == pytest.approx(step.cost, abs=1e-8)
    assert uniform_batch_shape(belief, distances) == (n, length)
    assert uniform_batch_shape(belief, 2 * distances) is None
    assert uniform_batch_shape(chain_belief(2), batch_distance("hamming", 2, 2)) is None


def test_the_best_step_is_not_the_best_plan():
    # The best plan for two steps is cheaper than the best first step followed by the best second one.
    stay, epsilon, first = 0.95, 0.5, np.array([0.7, 0.3])
    steps = np.array([[stay, 1 - stay], [1 - stay, stay]])

    def two_steps(matrix):
        total = float(first @ (1 - np.diag(matrix)))
        for y, p in enumerate(first @ matrix):
            if p > 0:
                after = (first * matrix[:, y] / p) @ steps
                total += p * OptimalResponse(epsilon).channel(after).cost
        return total

    weight = math.exp(-epsilon)
    capped = np.array(
        [
            [1 - (weight - 0.3) / ((1 + weight) * 0.7), (weight - 0.3) / ((1 + weight) * 0.7)],
            [1 - 1 / (1 + weight), 1 / (1 + weight)],
        ]
    )
    greedy = OptimalResponse(epsilon).channel(first).matrix
    assert two_steps(greedy) == pytest.approx(0.5992, abs=5e-4)
    assert two_steps(capped) == pytest.approx(0.5516, abs=5e-4)


def test_extreme_budgets():
    belief = [0.1, 0.2, 0.4, 0.3]
    none = OptimalResponse(0.0, "absolute").channel(belief)
    assert (none.regime, none.leakage) == ("constant", 0)
    assert none.output.tolist() == [0, 0, 1, 0]
    everything = OptimalResponse(math.inf, "absolute").channel(belief)
    assert (everything.regime, everything.cost, everything.leakage) == ("nearest", 0, math.inf)
    assert OptimalResponse(0.0).channel([0.5, 0.5]).matrix.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    two = OptimalResponse(math.inf, "absolute", outputs=2).channel(belief)
    assert two.matrix.argmax(axis=1).tolist() == [2, 2, 2, 3]


def test_large_batches():
    belief, distances = chain_belief(6), batch_distance("hamming", 2, 6)
    full = OptimalResponse(3.0, distances).channel(belief)
    fewer = OptimalResponse(3.0, distances, outputs=32).channel(belief)
    assert full.valid
    assert fewer.valid
    assert full.cost <= fewer.cost <= full.cost * 1.01


def test_too_large_a_program_names_the_alternative():
    belief = chain_belief(8)
    with pytest.raises(
        LimitError, match=r"256 symbols with 256 outputs takes about 48 s.*balanced.*outputs=32"
    ):
        OptimalResponse(1.0).channel(belief)
    assert OptimalResponse(6.0, outputs=16).channel(belief).valid
    assert expected_seconds(256, 32) < 1


def test_a_solution_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(linear_program, "TIME_LIMIT", 0.0)
    with pytest.raises(LimitError, match="64 symbols with 64 outputs was not found in 0 s"):
        OptimalResponse(0.77, "absolute").channel(chain_belief(6, first=0.77))


def test_solutions_are_repaired():
    # Interior solutions leave outputs whose ratios are noise; the matrix keeps the bounds all the same.
    for belief in (chain_belief(5, 0.5, 0.6), chain_belief(5), np.full(32, 1 / 32)):
        distances = batch_distance("hamming", 2, 5)
        for method in ("highs-ds", "highs-ipm"):
            linear_program._solution.cache_clear()
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(linear_program, "_method", lambda *_, method=method: method)
                matrix = solve(belief, distances, 1.0)
            output = belief @ matrix
            ratios = matrix[:, output > 0] / output[output > 0]
            assert np.abs(np.log(ratios)).max() <= 1 + 1e-12
            other = OptimalResponse(1.0, distances).channel(belief).cost
            assert belief @ (matrix * distances).sum(axis=1) == pytest.approx(other, rel=1e-8)


def test_parameters():
    assert OptimalResponse(1.0, "absolute") == OptimalResponse(1.0, "absolute")
    assert hash(OptimalResponse(1.0, [[0, 1], [1, 0]])) == hash(
        OptimalResponse(1.0, np.array([[0, 1], [1, 0]]))
    )
    with pytest.raises(QueryError, match="There is no distance 'far'; give one of hamming, absolute"):
        OptimalResponse(1.0, "far")
    with pytest.raises(TableError, match=r"matrix of distances has the shape \(1, 2\)"):
        OptimalResponse(1.0, [[0, 1]])
    with pytest.raises(TableError, match=r"The distance from 0 to 1 is -1"):
        OptimalResponse(1.0, [[0, -1], [1, 0]])
    with pytest.raises(BudgetError, match="outputs is 0; it must be a whole number, 1 or more"):
        OptimalResponse(1.0, outputs=0)
    with pytest.raises(DomainError, match="robust is 'yes'; give True or False"):
        OptimalResponse(1.0, robust="yes")


def test_which_distances_obey_the_triangle_inequality():
    for name in ("hamming", "absolute", "histogram", "euclidean"):
        assert is_pseudometric(distance_matrix(name, 4))
    assert not is_pseudometric(distance_matrix("squared", 3))
    assert not is_pseudometric(np.array([[0.0, 1.0], [2.0, 0.0]]))
    assert not is_pseudometric(np.array([[1.0, 1.0], [1.0, 0.0]]))


@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.5, math.inf])
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_a_release_with_its_leakage_is_what_the_single_questions_give(n, epsilon):
    rng = np.random.default_rng(n)
    beliefs = rng.dirichlet(np.full(n, 0.5), size=7)
    symbols, uniforms = rng.integers(n, size=7), rng.random(7)
    mechanism = OptimalResponse(epsilon)
    released, likelihoods, lifts = mechanism.release_with_lifts(symbols, beliefs, uniforms)
    assert released.tolist() == mechanism.release(symbols, beliefs, uniforms).tolist()
    assert likelihoods.tolist() == mechanism.likelihoods(released, beliefs).tolist()
    assert lifts.tolist() == mechanism.lifts(beliefs).tolist()
