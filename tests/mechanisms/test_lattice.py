"""The common step of contributions: one finder for tables, networks and slacks of all adversaries."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import JointDistribution, LinearQuery
from pdp_widgets.leakage.meaning import all_adversaries
from pdp_widgets.leakage.networks import laws
from pdp_widgets.leakage.prior.grouped_lattice import find_lattice
from pdp_widgets.mechanisms.lattice import common_multiples

WEIGHTS = {
    "thirds": ([1 / 3, 2 / 3, 1], [1, 2, 3]),
    "tenths": ([0.1, 0.2, 0.1 + 0.2], [1, 2, 3]),
    "whole": ([4, 6, 0], [2, 3, 0]),
    "none": ([0, 0, 0], [0, 0, 0]),
    "sevenths": ([5 / 7, 1, 22 / 7], [5, 7, 22]),
    "enormous": ([1e290, 5e289, 0], [2, 1, 0]),
    "the smallest": ([5e-324, 1.5e-323, 1e-323], [1, 3, 2]),
}


@pytest.mark.parametrize("unit", [1.0, 0.1, 1 / 3])
@pytest.mark.parametrize("name", WEIGHTS)
def test_every_user_finds_the_same_step(name, unit):
    weights, steps = WEIGHTS[name]
    if min((w for w in weights if w), default=1.0) > 1e-300:
        weights = [unit * w for w in weights]
    query = LinearQuery([[0, w] for w in weights])
    joint = JointDistribution.normalised(np.ones((2, 2, 2)))
    ones = all_adversaries.Lattice.of(joint, query, (0, 0, 0), True)
    assert [int(y.max()) for y in ones.steps] == steps
    assert [int(y.max()) for y in laws.Lattice.of(query).powers] == steps
    assert list(find_lattice(tuple(weights)).multiples) == steps


@given(st.lists(st.integers(0, 400), min_size=1, max_size=6), st.floats(1e-3, 1e3))
def test_multiples_are_those_of_the_divisor(steps, unit):
    found = common_multiples([np.array([unit * k]) for k in steps])
    divisor = math.gcd(*steps) or 1
    assert [int(k[0]) for k in found.counts] == [k // divisor for k in steps]
    assert found.error <= 1e-12 * unit * max(steps)


def test_how_far_multiples_are_is_told():
    near = common_multiples([np.array([1.0, 0.5 + 1e-10])])
    assert near.counts[0].tolist() == [2, 1]
    assert near.error == pytest.approx(1e-10, rel=1e-5)
    assert int(common_multiples([np.array([1.0, math.pi])]).counts[0].max()) > 10_000
