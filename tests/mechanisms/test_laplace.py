"""The Laplace mechanism."""

import pickle

import numpy as np
import pytest

from pdp_widgets import (
    InstanceError,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    QueryError,
    ScaleError,
)

QUERY = LinearQuery([[0, 1], [0, 5]])
JOINT = JointDistribution([[0.25, 0.25], [0.25, 0.25]], [["n", "y"], [0, 5]])


def test_promise():
    assert LaplaceMechanism(QUERY, 2).promise == 2.5
    assert LaplaceMechanism(LinearQuery([[3, 3]]), 2).promise == 0


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), "1", None, True, [1], 10**400])
def test_scale_must_be_positive_and_finite(scale):
    with pytest.raises(ScaleError, match=r"The scale is .* positive") as caught:
        LaplaceMechanism(QUERY, scale)
    assert caught.value.where.name == "scale"


def test_scale_too_small_for_the_range():
    with pytest.raises(ScaleError, match="too small"):
        LaplaceMechanism(QUERY, 1e-308)
    assert np.isfinite(LaplaceMechanism(QUERY, 1e-300).promise)
    assert LaplaceMechanism(QUERY, 1.7e308).promise > 0


def test_query_must_be_a_query():
    with pytest.raises(TypeError, match="give a LinearQuery"):
        LaplaceMechanism([[0, 1]], 1)


def test_density_integrates_to_one():
    mechanism = LaplaceMechanism(QUERY, 0.7)
    r = np.linspace(-30, 30, 200_001)
    assert np.trapezoid(mechanism.density(r, 1.5), r) == pytest.approx(1, abs=1e-6)
    assert mechanism.density(1.5, 1.5) == pytest.approx(1 / 1.4)


def test_releases_follow_the_density():
    mechanism = LaplaceMechanism(QUERY, 2.0)
    rng = np.random.default_rng(7)
    drawn = np.array([mechanism.release(JOINT, ["y", 5], rng) for _ in range(20_000)])
    assert np.mean(drawn) == pytest.approx(6, abs=0.08)
    assert np.mean(np.abs(drawn - 6)) == pytest.approx(2, abs=0.06)


def test_seeds_repeat():
    mechanism = LaplaceMechanism(QUERY, 2.0)
    assert mechanism.release(JOINT, ["y", 5], 3) == mechanism.release(JOINT, ["y", 5], 3)
    assert mechanism.release(JOINT, ["y", 5]) != mechanism.release(JOINT, ["y", 5])


def test_release_of_what_does_not_fit():
    with pytest.raises(InstanceError, match="'x' is not a label of x1"):
        LaplaceMechanism(QUERY, 1).release(JOINT, ["x", 5])
    with pytest.raises(QueryError, match="contributions for 1 tuples"):
        LaplaceMechanism(LinearQuery([[0, 1]]), 1).release(JOINT, ["y", 5])


def test_value():
    mechanism = LaplaceMechanism(QUERY, 2)
    assert mechanism == LaplaceMechanism(QUERY, 2.0)
    assert mechanism != LaplaceMechanism(QUERY, 3)
    assert hash(mechanism) == hash(LaplaceMechanism(QUERY, 2.0))
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    with pytest.raises(AttributeError):
        mechanism.scale = 3
