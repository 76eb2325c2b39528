"""A page computes leakages under very wide and very narrow noise with the digits that Python has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis, PriorExplorer
from pdp_widgets.widgets.late import enough_scale
from tests.leakage.test_narrow_noise import TABLES as NARROW
from tests.publish.browser_numbers import about_adversary, answers

RNG = np.random.default_rng(3)
TABLES = [
    JointDistribution(RNG.dirichlet(np.ones(18)).reshape(3, 2, 3), [[0, 1, 3], [2, 0], [0, 0.5, 2]]),
    JointDistribution([[[0.5, 0.0], [0.1, 0.1]], [[0.0, 0.2], [0.0, 0.1]]]),
    JointDistribution(RNG.dirichlet(np.ones(32)).reshape((2,) * 5)),
]


def _answered(
    tables: Iterable[JointDistribution], scales: Sequence[float]
) -> Iterator[tuple[PriorAnalysis, Any]]:
    """Yield analyses of tables in both conventions, with what a page answers about them."""
    analyses = [
        PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale), convention=convention)
        for joint in tables
        for scale in scales
        for convention in ("instance", "sup")
    ]
    return zip(analyses, answers([about_adversary(each, 1, [0]) for each in analyses]), strict=True)


def test_every_adversary_has_all_digits() -> None:
    for analysis, answer in _answered(TABLES, (1e5, 1e6, 1e10, 1e18, 1e300)):
        assert answer["exact"] == pytest.approx(analysis.exact.ravel(), rel=1e-11, abs=0)
        chain = answer["chain"]["values"], answer["chain"]["increments"]
        for found, expected in zip(chain, (analysis.paper, analysis.increments), strict=True):
            numbers = np.array(found, dtype=np.float64) * analysis.mechanism.scale
            wanted = expected.ravel() * analysis.mechanism.scale
            np.testing.assert_allclose(numbers, wanted, rtol=1e-10, atol=1e-11)
        assert answer["node"]["value"] == pytest.approx(float(analysis.node(1, [0])), rel=1e-11, abs=0)


def test_narrow_noise_tells_small_contributions_in_a_page_too() -> None:
    for analysis, answer in _answered(NARROW.values(), (1e-300, 1e-13, 1e-10, 1e-8, 1e-4)):
        lost = 4e-15 * min(1e6, analysis.promise)
        assert answer["exact"] == pytest.approx(analysis.exact.ravel(), rel=1e-11, abs=lost)
        assert answer["node"]["value"] == pytest.approx(float(analysis.node(1, [0])), rel=1e-11, abs=lost)


@pytest.mark.parametrize("goal", [1e-9, 1e-18, 1e-100])
def test_the_scale_for_a_tiny_goal_is_the_least(goal: float) -> None:
    explorers = [
        PriorExplorer(joint, convention=c, goal=goal) for joint in TABLES for c in ("instance", "sup")
    ]
    found = answers([["enough", dict(explorer._view)] for explorer in explorers])
    for explorer, answer in zip(explorers, found, strict=True):
        expected = enough_scale(explorer.results, goal)["scale"]
        assert answer["scale"] == pytest.approx(expected, rel=1e-9)
        release = LaplaceMechanism(LinearQuery.sum(explorer.value), answer["scale"])
        analysis = PriorAnalysis(explorer.value, release, convention=explorer.convention)
        assert float(analysis.exact.max()) == pytest.approx(goal, rel=1e-6)
