"""What several rules ask for, and what adversaries learn at the scale of each."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given

from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
from pdp_widgets.leakage.adversary import column, layers
from pdp_widgets.leakage.prior.calibration import calibrate
from pdp_widgets.leakage.prior.chain_rule import lasting_scale, least_scale
from pdp_widgets.leakage.prior.noise_comparison import compare_noise
from tests.conftest import few
from tests.leakage.prior_reference import models
from tests.leakage.test_calibration import ALL_EQUAL, POSITIVE, TARGETS, labels_of, largest_by_enumeration


def test_compared_rules_on_example_2():
    table = compare_noise(POSITIVE, LinearQuery.sum(POSITIVE), 1.0)
    assert [row.name for row in table.rows] == ["plain DP", "group DP", "chain rule", "exact"]
    assert [row.holds for row in table.rows] == [False, True, True, True]
    assert (table["plain DP"].scale, table["group DP"].scale) == (1.0, 2.0)
    assert table["plain DP"].leakage.value == pytest.approx(1.185376, abs=1e-6)
    # For two binary tuples the chain rule is the left end, which is exact here.
    assert table["chain rule"].scale == pytest.approx(table["exact"].scale, rel=1e-8)
    assert table["exact"].scale == calibrate(POSITIVE, LinearQuery.sum(POSITIVE), 1.0).scale
    frame = table.to_dataframe()
    assert frame["scale"].tolist() == [row.scale for row in table.rows]
    assert frame["expected_absolute_error"].tolist() == frame["scale"].tolist()
    assert frame["expected_squared_error"].tolist() == [2 * row.scale**2 for row in table.rows]
    lines = repr(table).splitlines()
    assert lines[0] == "Noise for a leakage of at most 1 nat: all 4 adversaries (convention instance)"
    assert lines[2].split()[:5] == ["plain", "DP", "1", "1.185", "no"]
    assert lines[5].split()[:4] == ["exact", "1.19", "1", "yes"]
    assert pickle.loads(pickle.dumps(table)) == table
    with pytest.raises(KeyError, match="plain DP"):
        table["Gaussian"]


def test_compared_rules_on_equal_tuples():
    # all-equal of the reference cases: exact 3 / scale, chain rule 2 / scale, promise 1 / scale.
    table = compare_noise(ALL_EQUAL, LinearQuery.sum(ALL_EQUAL), 0.5, instance=[1, 1, 1])
    assert [row.scale for row in table.rows] == pytest.approx([2.0, 6.0, 4.0, 6.0], rel=1e-9)
    assert [row.leakage.value for row in table.rows] == pytest.approx([1.5, 0.5, 0.75, 0.5], rel=1e-9)
    assert [row.holds for row in table.rows] == [False, True, False, True]


@given(models(min_tuples=2, max_tuples=3), TARGETS)
@few()
def test_compared_rules_hold_what_they_say(model, target):
    joint, mechanism, row = model
    query, at = mechanism.query, labels_of(joint, row)
    table = compare_noise(joint, query, target, instance=at)
    sensitivities = query.local_sensitivities
    assert table["plain DP"].scale == pytest.approx(sensitivities.max() / target, rel=1e-12)
    assert table["group DP"].scale == pytest.approx(sensitivities.sum() / target, rel=1e-12)
    assert table["group DP"].holds
    assert table["exact"].scale <= table["group DP"].scale * (1 + 1e-12)
    chain = table["chain rule"].scale
    for line in table.rows:
        assert line.holds == (line.leakage.value <= target + 1e-9 * max(1.0, target))
        if line.scale:
            again = largest_by_enumeration(joint, query, line.scale, row)
            assert line.leakage.value == pytest.approx(again, abs=1e-9, rel=1e-9)
    if chain:
        assert PriorAnalysis(joint, LaplaceMechanism(query, chain), at).paper.max() <= target + 1e-9
        # No scale of a grid below does it.
        for factor in (0.999, 0.9, 0.5, 0.2, 0.05):
            below = PriorAnalysis(joint, LaplaceMechanism(query, chain * factor), at)
            assert below.paper.max() > target


def test_the_chain_rule_of_one_adversary_matches_that_of_all():
    rng = np.random.default_rng(3)
    joint = JointDistribution.normalised(rng.dirichlet(np.ones(24)).reshape(2, 3, 2, 2))
    query = LinearQuery([[0, 1], [0, 1, 2], [0, 3], [0, -1]])
    for target, known in ((0, []), (1, [3]), (3, [0, 2])):
        one = compare_noise(joint, query, 0.7, adversaries=(target, known))["chain rule"]
        analysis = PriorAnalysis(joint, LaplaceMechanism(query, one.scale))
        assert float(analysis.paper_node(target, known)) == pytest.approx(0.7, abs=1e-7)
    layer = compare_noise(joint, query, 0.7, adversaries=4)["chain rule"]
    analysis = PriorAnalysis(joint, LaplaceMechanism(query, layer.scale))
    assert analysis.paper[:, layers(4) == 4].max() == pytest.approx(0.7, abs=1e-7)


def test_an_estimate_that_rises_again_is_searched_without_gaps():
    # In 1 / scale: above 1 but for a dip of width 0.02 at 7.5, and above 1 again from 2 to 4.
    def wave(inverse):
        dip = max(0.0, 1.0 - abs(inverse - 7.5) / 0.02)
        return np.array([1.5 * min(inverse / 2.0, 1.0) - 0.75 * dip])

    found = least_scale(wave, np.array([40.0]), 1.0, 0.1, 12.0)
    assert 1 / found == pytest.approx(7.5 + 0.02 / 3, abs=2e-3)
    assert wave(1 / found)[0] <= 1.0
    lasting = lasting_scale(wave, np.array([40.0]), 1.0, 0.1, 1 / found)
    assert 1 / lasting == pytest.approx(4 / 3, rel=1e-6)
    # Small enough at once: no noise asked for.
    assert least_scale(lambda inverse: np.array([0.5]), np.array([1.0]), 1.0, 0.1, 50.0) == 0.0
    # Never small enough before the bound.
    assert least_scale(lambda inverse: np.array([1.0 + inverse]), np.array([1.0]), 1.0, 0.1, 50.0) == 10.0


def test_a_target_without_limit_and_the_worst_case():
    unlimited = compare_noise(POSITIVE, LinearQuery.sum(POSITIVE), math.inf)
    assert [row.scale for row in unlimited.rows] == [0.0] * 4
    assert all(row.leakage.value == math.inf and row.holds for row in unlimited.rows)
    worst = compare_noise(
        POSITIVE, LinearQuery.sum(POSITIVE), 1.0, adversaries=("x1", ["x2"]), convention="sup"
    )
    assert [(row.name, row.scale) for row in worst.rows] == [
        ("plain DP", 1.0),
        ("group DP", 1.0),
        ("chain rule", pytest.approx(1.0)),
        ("exact", 1.0),
    ]
    assert worst.left_out == ()


@pytest.mark.parametrize("adversaries", ["all", 3, [("x3", ["x1"]), (0, [1, 3])]])
def test_the_chain_rule_in_the_worst_case(adversaries):
    rng = np.random.default_rng(8)
    table = rng.dirichlet(np.ones(24)).reshape(2, 3, 2, 2)
    table[0, 1] = 0
    joint = JointDistribution.normalised(table)
    query = LinearQuery([[0, 1], [0, 1, 2], [0, 3], [0, -1]])
    table = compare_noise(joint, query, 0.7, adversaries=adversaries, convention="sup")
    row = table["chain rule"]

    def estimate(scale):
        paper = PriorAnalysis(joint, LaplaceMechanism(query, scale), convention="sup").paper
        if isinstance(adversaries, list):
            return max(paper[2, column(4, 2, [0])], paper[0, column(4, 0, [1, 3])])
        return paper.max() if adversaries == "all" else paper[:, layers(4) == adversaries].max()

    assert estimate(row.scale) == pytest.approx(0.7, abs=1e-7)
    # No scale of a grid below does it.
    assert all(estimate(row.scale * factor) > 0.7 for factor in (0.999, 0.9, 0.5, 0.2, 0.05))
    assert row.leakage.convention == "sup"
    exact = calibrate(joint, query, 0.7, adversaries=adversaries, convention="sup")
    assert row.holds == (row.scale >= exact.scale * (1 - 1e-8))


def test_a_rule_that_takes_too_long_is_left_out_with_the_reason():
    joint = JointDistribution.normalised(np.ones((2,) * 10))
    table = compare_noise(joint, LinearQuery.sum(joint), 1.0, adversaries=(0, [1]), convention="sup", limit=3)
    assert [row.name for row in table.rows] == ["plain DP", "group DP", "exact"]
    assert "chain rule: left out. Its estimates for all known values of 10 tuples" in table.left_out[0]
    assert repr(table).splitlines()[-1] == table.left_out[0]
    with pytest.raises(KeyError, match="the rules are plain DP, group DP, exact"):
        table["chain rule"]


@pytest.mark.parametrize("target", [1e-15, 1e-18, 1e-100])
def test_scales_for_tiny_targets_are_multiples_of_those_for_small_ones(target):
    joint = lsat6()
    query = LinearQuery.sum(joint)
    near, far = (compare_noise(joint, query, t).rows for t in (1e-6, target))
    for one, other in zip(near, far, strict=True):
        assert other.name == one.name
        assert other.scale * target == pytest.approx(one.scale * 1e-6, rel=1e-4)
        assert other.holds == one.holds
