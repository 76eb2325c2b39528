"""A page computes leakages under very wide noise with the digits that Python has."""

from __future__ import annotations

import numpy as np
import pytest

from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis
from tests.publish.browser_numbers import answers

RNG = np.random.default_rng(3)
TABLES = [
    JointDistribution(RNG.dirichlet(np.ones(18)).reshape(3, 2, 3), [[0, 1, 3], [2, 0], [0, 0.5, 2]]),
    JointDistribution([[[0.5, 0.0], [0.1, 0.1]], [[0.0, 0.2], [0.0, 0.1]]]),
    JointDistribution(RNG.dirichlet(np.ones(32)).reshape((2,) * 5)),
]


def test_every_adversary_has_all_digits():
    analyses = [
        PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale), convention=convention)
        for joint in TABLES
        for scale in (1e5, 1e6, 1e10, 1e18, 1e300)
        for convention in ("instance", "sup")
    ]
    questions = []
    for analysis in analyses:
        joint, mechanism = analysis.distribution, analysis.mechanism
        model = {
            "shape": joint.shape,
            "entries": joint.table.ravel(),
            "contributions": mechanism.query.contributions,
            "scale": mechanism.scale,
        }
        row = analysis.instance_positions if analysis.convention == "instance" else None
        questions.append(["prior", model, row, 1, [0]])
    for analysis, answer in zip(analyses, answers(questions), strict=True):
        assert answer["exact"] == pytest.approx(analysis.exact.ravel(), rel=1e-11, abs=0)
        assert answer["node"]["value"] == pytest.approx(float(analysis.node(1, [0])), rel=1e-11, abs=0)
