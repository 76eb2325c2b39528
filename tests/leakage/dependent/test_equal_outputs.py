"""Outputs that differ by rounding are one, everywhere by one rule."""

import numpy as np
import pytest

from pdp_widgets import SparseJoint, dependent_leakage
from pdp_widgets.dependent import least_scale, worst_adversary
from pdp_widgets.leakage.dependent.conditional_outputs import SAME, equal_outputs
from pdp_widgets.leakage.dependent.dependence_results import DependenceInputs, dependence_results
from pdp_widgets.leakage.dependent.small_delta import scalar_mixtures
from pdp_widgets.mechanisms.joint_query import as_joint_query

#: Both rows have 0.3 as output on paper, and 0.1 + 0.2 is more than 0.3 in floats.
ROUNDED = SparseJoint([[1, 1, 0], [0, 0, 1]], [0.5, 0.5])
WEIGHTS = [0.1, 0.2, 0.3]


def test_sums_that_are_equal_on_paper_say_nothing():
    outputs = as_joint_query(WEIGHTS, ROUNDED).outputs(ROUNDED)
    assert outputs[0, 0] != outputs[1, 0]
    found = least_scale(ROUNDED, WEIGHTS, 1.0)
    assert (found.noiseless, found.scale, found.with_floor) == (0.0, 0.0, pytest.approx(0.3))
    assert [float(one) for one in dependent_leakage(ROUNDED, WEIGHTS, 1e-18)] == [0, 0, 0]
    assert scalar_mixtures(ROUNDED, WEIGHTS, 0).points.tolist() == [0.3]
    inputs = DependenceInputs(ROUNDED, as_joint_query(WEIGHTS, ROUNDED), 1.0, "calibrated")
    points, chances, _ = dependence_results(inputs).law_of_outputs(0)
    assert (points.tolist(), chances.tolist()) == ([0.3], [[1.0], [1.0]])


@pytest.mark.parametrize("factor", [1e-300, 1e-9, 1.0, 1e9, 1e290])
def test_the_rule_is_relative_to_the_largest_output(factor):
    column = factor * np.array([0.1 + 0.2, 0.3, -1.0, -1.0 + SAME / 2, 0.0, 2 * SAME])
    values, index = equal_outputs(column)
    assert len(values) == 4
    assert index.tolist() == [3, 3, 0, 0, 1, 2]
    assert np.abs(values[index] - column).max() <= SAME * factor


def test_what_differs_by_more_than_rounding_is_told_apart():
    # One part in 10^13 is little of the output, and all of the second tuple.
    joint = SparseJoint([[0, 0], [0, 1], [1, 0], [1, 1]], [0.25] * 4)
    found = dependent_leakage(joint, [1e13, 1.0], 1.0)
    assert [float(one) for one in found] == pytest.approx([1e13 + 0.0, 1.0], rel=1e-9)
    assert [len(equal_outputs(np.array(some))[0]) for some in ([], [0.0, -0.0], [5.0])] == [0, 1, 1]


@pytest.mark.parametrize("base", [2.0**47, 1e15, 2.0**52 - 2])
def test_whole_numbers_are_told_apart_however_large(base):
    # Moments in microseconds, say: sums of whole numbers are not rounded.
    assert len(equal_outputs(np.array([base, base + 1, -base]))[0]) == 3
    joint = SparseJoint([[base], [base + 1]], [0.5, 0.5])
    for query in ("sum", "identity"):
        assert float(dependent_leakage(joint, query, 1.0)[0]) == 1.0
    assert float(worst_adversary(joint, "sum", 0.5)) == 2.0
    assert least_scale(joint, "sum", 1.0).scale == pytest.approx(1.0)


def test_beyond_what_floats_count_neighbours_are_one():
    # From 2^52 on every float is a whole number, rounded or not.
    assert len(equal_outputs(np.array([2.0**52 + 1, 2.0**52 + 2]))[0]) == 1
    assert len(equal_outputs(np.array([1e15, 1e15 + 0.5]))[0]) == 1
