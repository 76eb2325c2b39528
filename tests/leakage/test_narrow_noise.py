"""Leakages under noise that is narrow beside the range of the query, against densities of 60 digits."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    PriorAnalysis,
    calibrate,
    exact_all,
)
from pdp_widgets.leakage.prior.exact_all import check_work
from pdp_widgets.leakage.prior.exact_node import prior_leakage
from tests.leakage.test_wide_noise import with_reference

RNG = np.random.default_rng(17)
TABLES = {
    "pair": JointDistribution(np.full((2, 2), 0.25), [[0, 1e-10], [0, 1e6]]),
    "correlated": JointDistribution([[0.4, 0.1], [0.1, 0.4]], [[0, 1e-13], [0, 1.0]]),
    "three": JointDistribution(
        RNG.dirichlet(np.ones(12)).reshape(2, 3, 2), [[0, 1e-10], [0, 3e-10, 2.5], [1e6, 5.0]]
    ),
    "zeros": JointDistribution(
        [[[0.5, 0.0], [0.1, 0.1]], [[0.0, 0.2], [0.0, 0.1]]], [[0, 1e-9], [0, 2], [0, 7]]
    ),
}


@pytest.mark.parametrize("scale", [1e-13, 3e-10, 1e-4])
@pytest.mark.parametrize("made", TABLES)
@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_every_adversary_has_all_digits(made: str, scale: float, convention: str) -> None:
    joint = TABLES[made]
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), scale)
    # Exponents of decimals end, at 1e18.
    scale = max(scale, 1e-16 * float(mechanism.query.local_sensitivities.max()))
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), scale)
    analysis = PriorAnalysis(joint, mechanism, convention=convention)
    # Up to there sums of floats do.
    lost = 4e-15 * min(1e6, float(mechanism.query.local_sensitivities.sum()) / scale)
    instance = joint.position(joint.most_probable())
    for target, known, expected, got in with_reference(analysis):
        assert got == pytest.approx(expected, rel=1e-11, abs=lost)
        if convention == "instance":
            values = {joint.names[k]: joint.domains[k][instance[k]] for k in known}
            assert prior_leakage(joint, mechanism, target, values).value == pytest.approx(got, rel=1e-12)


def test_calibration_finds_the_noise_that_a_small_contribution_needs() -> None:
    joint = JointDistribution(np.full((2, 2), 0.25), [[0, 1e-13], [0, 1.0]])
    found = calibrate(joint, LinearQuery.sum(joint), 0.5, adversaries=("x1", ()))
    assert found.status == "least scale"
    assert found.scale == pytest.approx(2e-13, rel=1e-9)


def test_sums_that_rounding_tells_apart_are_one_value() -> None:
    # 0.1 + 0.2 is no float 0.3: nobody meant a gap there, however narrow the noise is.
    joint = JointDistribution([[0.2, 0.1, 0.1], [0.2, 0.3, 0.1]], [[0, 0.1], [0.2, 0.1 + 0.2, 0.4]])
    assert prior_leakage(joint, LaplaceMechanism(LinearQuery.sum(joint), 1e-18), "x1").value < math.inf
    plain = JointDistribution(joint.table, [[0, 1], [2, 3, 4]])
    value = prior_leakage(plain, LaplaceMechanism(LinearQuery.sum(plain), 1e-17), "x1").value
    assert prior_leakage(joint, LaplaceMechanism(LinearQuery.sum(joint), 1e-18), "x1").value == pytest.approx(
        value
    )


def test_what_would_take_too_long_is_refused_with_an_estimate() -> None:
    joint = JointDistribution.independent([[0.5, 0.5]] * 16, domains=[[0, 1e-12]] + [[0, 1]] * 15)
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1e-12)
    with pytest.raises(LimitError, match=r"looked at alone: about [\d,]+ s") as caught:
        PriorAnalysis(joint, mechanism).exact  # noqa: B018
    assert caught.value.plain.endswith("The limit is 60 s.")
    assert caught.value.cost


@pytest.mark.parametrize("convention", ["instance", "sup"])
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-9])
@pytest.mark.parametrize("shape", [(3,) * 4, (9, 9), (2,) * 7])
def test_no_path_takes_far_longer_than_its_estimate(
    shape: tuple[int, ...], scale: float, convention: str
) -> None:
    table = RNG.dirichlet(np.ones(math.prod(shape))).reshape(shape)
    joint = JointDistribution(table)
    steps = RNG.random(len(shape))
    for query in (LinearQuery.sum(joint), LinearQuery.weighted(joint, steps)):
        mechanism = LaplaceMechanism(query, scale)
        seconds = check_work(joint, mechanism, convention, math.inf)
        if seconds > 3:
            continue
        began = time.process_time()
        exact_all(joint, mechanism, convention=convention)
        assert time.process_time() - began < 5 * seconds + 0.5
