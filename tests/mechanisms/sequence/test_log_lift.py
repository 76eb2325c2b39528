"""Leakage of a matrix at a belief: both sides, zeros, many at once."""

import math

import numpy as np
import pytest

from pdp_widgets import TableError
from pdp_widgets.streams import log_lift
from tests.mechanisms.sequence.stream_cases import beliefs


def enumerated(matrix, belief):
    """The same, entry by entry."""
    output = belief @ matrix
    upper = lower = 0.0
    for x in np.flatnonzero(belief):
        for y in np.flatnonzero(output):
            if matrix[x, y] == 0:
                lower = math.inf
            else:
                ratio = math.log(matrix[x, y] / output[y])
                upper, lower = max(upper, ratio), max(lower, -ratio)
    return max(upper, lower), upper, lower


def test_it_equals_the_enumeration():
    rng = np.random.default_rng(0)
    for belief in beliefs(200, seed=1):
        matrix = rng.dirichlet(np.full(4, 0.3), len(belief))
        matrix[rng.random(matrix.shape) < 0.1] = 0
        matrix[matrix.sum(axis=1) == 0] = 0.25
        matrix /= matrix.sum(axis=1, keepdims=True)
        lift = log_lift(matrix, belief)
        assert (lift.leakage, lift.upper, lift.lower) == pytest.approx(enumerated(matrix, belief), abs=1e-12)


def test_many_at_once_and_one_matrix_for_all():
    rng = np.random.default_rng(1)
    matrices, many = rng.dirichlet(np.ones(3), (5, 2, 3)), rng.dirichlet(np.ones(3), (5, 2))
    lift = log_lift(matrices, many)
    assert lift.leakage.shape == lift.upper.shape == lift.lower.shape == (5, 2)
    assert lift.leakage[3, 1] == log_lift(matrices[3, 1], many[3, 1]).leakage
    shared = log_lift(matrices[0, 0], many[:, 0])
    assert shared.leakage[2] == log_lift(matrices[0, 0], many[2, 0]).leakage


def test_zeros():
    # An impossible symbol and an impossible output are skipped.
    assert log_lift([[0.6, 0.4, 0], [0.2, 0.8, 0]], [0.4, 0.6]).leakage < math.inf
    assert log_lift([[0.5, 0.5], [0.0, 1.0]], [1.0, 0.0]).leakage == 0
    excluded = log_lift([[1.0, 0.0], [0.3, 0.7]], [0.5, 0.5])
    assert (excluded.leakage, excluded.lower) == (math.inf, math.inf)
    assert excluded.upper == pytest.approx(math.log(2))


def test_digits_are_kept_for_tiny_numbers():
    lift = log_lift([[1 - 1e-250, 1e-250], [0.5, 0.5]], [1.0 - 1e-16, 1e-16])
    assert lift.lower == pytest.approx(math.log(0.5e-16) + 250 * math.log(10), rel=1e-6)
    same = log_lift([[1 - 1e-300, 1e-300]] * 2, [0.5, 0.5])
    assert same.leakage == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    ("matrix", "belief", "message"),
    [
        ([[0.5, 0.5]], [0.5, 0.5], "the matrix needs one row for each symbol"),
        ([0.5, 0.5], [0.5, 0.5], "the matrix needs one row for each symbol"),
        ("x", [1.0], "no matrix of numbers"),
        ([[0.5, 0.4], [0.5, 0.5]], [0.5, 0.5], "rows of the channel must be probabilities"),
        ([[1.5, -0.5], [0.5, 0.5]], [0.5, 0.5], "rows of the channel must be probabilities"),
        ([[math.nan, 0.5], [0.5, 0.5]], [0.5, 0.5], "rows of the channel must be probabilities"),
        (np.full((3, 2, 2), 0.5), np.full((2, 2), 0.5), "one matrix for each belief, or one for all"),
        ([[0.5, 0.5]] * 2, [0.5, 0.6], r"The belief sums to 1\.1"),
    ],
)
def test_wrong_input(matrix, belief, message):
    with pytest.raises(TableError, match=message):
        log_lift(matrix, belief)
