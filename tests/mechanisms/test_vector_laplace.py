"""Several numbers with Laplace noise of their own."""

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
from pdp_widgets.mechanisms.histogram_query import HistogramQuery
from pdp_widgets.mechanisms.laplace import VectorLaplaceMechanism

JOINT = JointDistribution(np.full((2, 2), 1 / 4), [["no", "yes"]] * 2)
HISTOGRAM = HistogramQuery.of_labels(JOINT)


def test_promise():
    assert VectorLaplaceMechanism(HISTOGRAM, 0.5).promise == 4
    assert (
        VectorLaplaceMechanism([LinearQuery([[0, 3], [0, 1]]), LinearQuery([[2, 0], [0, 1]])], 2).promise
        == 2.5
    )


def test_releases_are_independent_and_centred():
    mechanism = VectorLaplaceMechanism(HISTOGRAM, 2.0)
    rng = np.random.default_rng(7)
    drawn = np.array([mechanism.release(JOINT, ["yes", "yes"], rng) for _ in range(5_000)])
    np.testing.assert_allclose(drawn.mean(axis=0), [0, 2], atol=0.15)
    np.testing.assert_allclose(np.abs(drawn - [0, 2]).mean(axis=0), [2, 2], atol=0.12)
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 0.05


def test_seeds_repeat():
    mechanism = VectorLaplaceMechanism(HISTOGRAM, 2.0)
    row = ["no", "yes"]
    assert mechanism.release(JOINT, row, 3).tolist() == mechanism.release(JOINT, row, 3).tolist()
    assert mechanism.release(JOINT, row).tolist() != mechanism.release(JOINT, row).tolist()
    noise = mechanism.release(JOINT, row, 3) - 1
    assert noise[0] != noise[1]


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: VectorLaplaceMechanism([], 1), QueryError),
        (lambda: VectorLaplaceMechanism(HISTOGRAM, 0), ScaleError),
        (lambda: VectorLaplaceMechanism(HISTOGRAM, float("nan")), ScaleError),
        (lambda: VectorLaplaceMechanism("histogram", 1), TypeError),
        (lambda: VectorLaplaceMechanism(HISTOGRAM, 1).release(JOINT, ["never", "yes"]), InstanceError),
    ],
)
def test_faults(make, error):
    with pytest.raises(error):
        make()


def test_value():
    mechanism = VectorLaplaceMechanism(HISTOGRAM, 2)
    assert mechanism == VectorLaplaceMechanism(list(HISTOGRAM), 2.0)
    assert mechanism != VectorLaplaceMechanism(HISTOGRAM, 3)
    assert hash(mechanism) == hash(VectorLaplaceMechanism(HISTOGRAM, 2.0))
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    assert mechanism.queries == HISTOGRAM.bins
    assert mechanism.coordinates[0] == LaplaceMechanism(HISTOGRAM.bins[0], 2)
    with pytest.raises(AttributeError):
        mechanism.coordinates = ()
    with pytest.raises(AttributeError, match="cannot be changed"):
        mechanism.__init__(HISTOGRAM, 9)
