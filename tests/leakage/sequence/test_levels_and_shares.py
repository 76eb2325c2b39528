"""Levels of local privacy, wrong beliefs, and how often the printed closed form breaks its promise."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, DomainError, LimitError, TableError
from pdp_widgets.leakage.sequence.batched_stream import BatchSource
from pdp_widgets.leakage.sequence.local_level import (
    compare_levels,
    crr_valid_threshold,
    local_level,
    mismatched_prior,
)
from pdp_widgets.leakage.sequence.pointwise import simulated_violation_share, violation_share
from pdp_widgets.leakage.sequence.release_levels import release_levels
from pdp_widgets.leakage.sequence.stream_source import first_order
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.log_lift import log_lift

seeds = st.integers(0, 2**32 - 1)


@given(seeds, st.integers(1, 5), st.sampled_from([0.0, 0.4]))
def test_a_leakage_lies_between_half_a_level_and_a_level(seed, n, zeros):
    rng = np.random.default_rng(seed)
    matrix, belief = rng.dirichlet(np.ones(n), n), rng.dirichlet(np.ones(n))
    belief = np.where((rng.random(n) < zeros) & (belief < belief.max()), 0.0, belief)
    belief /= belief.sum()
    found = compare_levels(matrix, belief)
    assert found.implies_leakage
    assert found.within_twice
    assert found.on_support <= found.all_rows
    support = matrix[belief > 0]
    pairs = [np.log(a / b).max() for a in support for b in support]
    assert found.on_support == pytest.approx(max(pairs))


@given(seeds, st.integers(2, 4))
def test_no_belief_of_an_adversary_passes_the_ceiling(seed, n):
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.ones(n), n)
    found = mismatched_prior(matrix, rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n) * 0.2))
    assert max(found.designed, found.adversary) <= found.ceiling + 1e-9
    # It is approached by a belief that all but knows the symbol that an output makes least likely.
    column = int(np.argmax(np.log(matrix.max(axis=0) / matrix.min(axis=0))))
    least = int(matrix[:, column].argmin())
    # So little for the others that the output keeps its probability for that symbol.
    sure = np.full(n, 1e-6 * matrix[least, column] / n)
    sure[least] = 1 - sure[:-1].sum()
    assert log_lift(matrix, sure).leakage == pytest.approx(found.ceiling, abs=1e-5)


def test_numbers_of_the_specification():
    step = ConditionalResponse(1.0).channel([0.5, 0.5])
    assert [mismatched_prior(step.matrix, step.belief, [b, 1 - b]).adversary for b in (0.9, 0.99)] == (
        pytest.approx([1.409, 1.482], abs=5e-4)
    )
    at_threshold = 1 / (1 + math.e)
    step = ConditionalResponse(1.0).channel([1 - at_threshold, at_threshold])
    assert compare_levels(step.matrix, step.belief).on_support == pytest.approx(2.0)
    assert local_level([[1.0, 0.0], [1.0, 0.0]]) == 0.0
    assert local_level([[1.0, 0.0], [0.5, 0.5]], [1.0, 0.0]) == 0.0


def test_refused_matrices():
    with pytest.raises(TableError, match="sum to 1"):
        local_level([[0.5, 0.6], [0.5, 0.5]])
    with pytest.raises(TableError, match="shape"):
        local_level([0.5, 0.5])
    with pytest.raises(TableError, match="no number"):
        local_level([["a", "b"]])
    with pytest.raises(TableError, match="3 symbols and the matrix 2 rows"):
        local_level(np.eye(2), [0.2, 0.3, 0.5])


@pytest.mark.parametrize(
    ("stay", "least"), [(0.8, 1.0986), (0.9, 2.0794), (0.95, 2.8904), (0.1, 2.0794), (0.5, 0)]
)
def test_threshold_of_a_symmetric_chain(stay, least):
    found = crr_valid_threshold(stay)
    assert found == pytest.approx(least, abs=5e-5)
    chain = ([0.5, 0.5], [[stay, 1 - stay], [1 - stay, stay]])
    assert violation_share(chain, found + 1e-6, 12).share == 0.0
    if found:
        assert violation_share(chain, found - 0.05, 14).share > 0.0


@given(st.floats(0.5, 0.99), st.floats(0.1, 3), st.floats(0.05, 0.5))
def test_beliefs_never_fall_below_the_least_one(stay, epsilon, start):
    source = first_order([start, 1 - start], [[stay, 1 - stay], [1 - stay, stay]])
    least = min(level.beliefs.min() for level in release_levels(source, ConditionalResponse(epsilon), 10))
    belief, lam = np.array([0.5, 0.5]), math.exp(-epsilon)
    bound = (1 - stay) / (1 - lam * (2 * stay - 1))
    assert least >= min(start, bound) - 1e-12
    # It is approached by releasing one symbol again and again.
    for _ in range(3000):
        belief = (lam * belief + np.array([0.0, 1 - lam])) @ source.transitions
    assert min(0.5, bound) == pytest.approx(min(0.5, belief[0]), abs=1e-6)


def test_ends_of_thresholds():
    assert crr_valid_threshold(2 / 3) == 0.0
    assert crr_valid_threshold(1.0) == crr_valid_threshold(0.0) == math.inf
    with pytest.raises(BudgetError, match="stay"):
        crr_valid_threshold(1.1)


@pytest.mark.parametrize(("epsilon", "share"), [(0.5, 0.8439), (1.0, 0.8556), (2.0, 0.8257)])
def test_expected_shares_of_the_first_ten_steps(epsilon, share):
    chain = ([0.95, 0.05], [[0.9, 0.1], [0.1, 0.9]])
    found = violation_share(chain, epsilon, 10)
    assert found.share == pytest.approx(share, abs=5e-5)
    drawn = simulated_violation_share(chain, epsilon, 10, users=20_000, rng=3)
    assert abs(drawn.share - found.share) < 4 * drawn.error
    assert drawn.leakage == pytest.approx(found.leakage, abs=0.05)
    assert (found.status, drawn.status) == ("exact", "estimate")


@pytest.mark.parametrize(
    ("epsilon", "share", "leakage"),
    [
        (0.2, 0.723, 0.254),
        (0.5, 0.780, 0.748),
        (1, 0.814, 1.417),
        (1.5, 0.857, 1.811),
        (2, 0.779, 2.046),
        (3, 0, 3),
    ],
)
def test_long_runs_of_the_strongly_correlated_chain(epsilon, share, leakage):
    chain = ([0.9, 0.1], [[0.9, 0.1], [0.1, 0.9]])
    found = simulated_violation_share(chain, epsilon, 1000, users=300, rng=1)
    assert found.share == pytest.approx(share, abs=0.004)
    assert found.leakage.mean() == pytest.approx(leakage, abs=0.01)


def test_no_promise_is_broken_without_a_budget_or_without_a_choice():
    chain = ([0.05, 0.95], [[0.9, 0.1], [0.1, 0.9]])
    assert violation_share(chain, 0.0, 5).share == 0.0
    assert violation_share(([1.0, 0.0], [[1.0, 0.0], [0.5, 0.5]]), 1.0, 5).share == 0.0
    assert violation_share(chain, 1.0, 0).share == 0.0
    assert math.isnan(simulated_violation_share(chain, 1.0, 3, users=1, rng=1).error)


def test_refused_shares():
    chain = ([0.05, 0.95], [[0.9, 0.1], [0.1, 0.9]])
    with pytest.raises(LimitError, match="40 steps"):
        violation_share(chain, 1.0, 40)
    with pytest.raises(BudgetError, match="users"):
        simulated_violation_share(chain, 1.0, 40, users=0)
    batches = BatchSource(first_order(*chain), 2)
    with pytest.raises(DomainError, match="first order"):
        simulated_violation_share(batches, 1.0, 4)
