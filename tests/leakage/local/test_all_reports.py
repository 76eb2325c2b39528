"""All reports together, the points of all pairs, and how probable the worst report is."""

from __future__ import annotations

import numpy as np
import pytest

from pdp_widgets import AttributeTable, JointDistribution, LocalAnalysis, anes96, titanic
from pdp_widgets.leakage.local.all_reports import all_reports, exact_seconds, reports_seconds
from pdp_widgets.leakage.local.curve_points import curve_points
from pdp_widgets.leakage.local.hull import two_level
from pdp_widgets.leakage.local.joint_contraction import joint_log_ratios, largest_joint_log_ratio
from pdp_widgets.leakage.local.mechanism_reading import Reading
from pdp_widgets.leakage.local.pair_leakage import worst_report_chances
from pdp_widgets.local import mechanism_named
from pdp_widgets.models.joint_examples import parity

NAMES = ("GRR", "EXP", "OUE", "SUE", "BLH", "OLH", "SHE", "SS")


@pytest.mark.parametrize("name", [*NAMES, "generic"])
def test_all_reports_are_what_joint_says_secret_by_secret(name: str) -> None:
    analysis = LocalAnalysis(titanic(), name, 1.5)
    found = all_reports(analysis)
    for k in range(4):
        loss = analysis.joint(k)
        assert loss.exact is not None
        assert found.exact[k] == pytest.approx(loss.exact.value, abs=1e-12)
        assert found.bound[k] == pytest.approx(loss.joint_bound.value, abs=1e-12)
        assert found.pairwise_sum[k] == pytest.approx(loss.pairwise_sum.value, abs=1e-12)
        assert loss.lower.value <= found.exact[k] + 1e-12
        assert found.exact[k] <= found.bound[k] <= found.composition + 1e-12


def test_exclusive_or_shows_that_the_sum_is_no_bound() -> None:
    found = all_reports(LocalAnalysis(parity(), "GRR", 1.0))
    assert found.exact.round(6).tolist() == [1.433781] * 3
    assert found.pairwise_sum.tolist() == [1.0] * 3
    assert found.too_low.all()
    assert not found.too_high.any()


def test_what_takes_too_long_is_bounded_and_not_computed() -> None:
    analysis = LocalAnalysis(anes96(), "GRR", 1.0)
    assert exact_seconds(analysis) > 0.01
    found = all_reports(analysis, longest=0.01)
    assert np.isnan(found.exact).all()
    assert not found.complete
    assert (found.bound <= 7).all()
    assert (found.bound > 6).all()
    assert reports_seconds(analysis, 0.01) < reports_seconds(analysis, 100.0)


def test_records_and_their_table_give_the_same() -> None:
    table = AttributeTable.from_counts(titanic())
    for least in (0, 300):
        first = all_reports(LocalAnalysis(table, "GRR", 1.0, min_count=least))
        second = all_reports(LocalAnalysis(titanic(), "GRR", 1.0, min_count=least))
        np.testing.assert_allclose(first.exact, second.exact, rtol=0, atol=1e-12)


def test_rare_values_of_the_secret_are_left_out_of_the_joint_loss() -> None:
    # Ages of fewer than 300: children are left out, and a single value tells nothing.
    analysis = LocalAnalysis(titanic(), "GRR", 1.0, min_count=300)
    loss = analysis.joint("age")
    assert loss.exact is not None
    assert loss.exact.value == 1.0
    assert all_reports(analysis).exact[2] == 1.0
    assert LocalAnalysis(titanic(), "GRR", 1.0).joint("age").exact.value > 1.9  # type: ignore[union-attr]


def test_no_record_has_all_attributes() -> None:
    table = AttributeTable([[0, 0, -1], [1, 1, -1], [-1, 0, 0], [-1, 1, 1]])
    analysis = LocalAnalysis(table, "GRR", 1.0)
    found = all_reports(analysis)
    assert found.exact.tolist() == [1.0, 1.0, 1.0]
    assert analysis.joint(0).exact.value == 1.0  # type: ignore[union-attr]


def test_many_attributes_are_bounded_by_observed_records() -> None:
    codes = np.random.default_rng(2).integers(0, 2, (400, 30))
    codes[:, 1] = codes[:, 0]
    found = all_reports(LocalAnalysis(AttributeTable(codes), "GRR", 0.05))
    assert np.isnan(found.exact).all()
    assert (found.bound <= found.composition).all()
    # Two equal attributes: the bound cannot be below what both reports say.
    assert found.bound[0] > 0.0999


@pytest.mark.parametrize("kinds", ["singletons", "all", "exactly"])
def test_the_largest_ratio_is_the_largest_of_all(kinds: str) -> None:
    rng = np.random.default_rng(5)
    for level in (1e-9, 0.3, 2.0, 40.0, 900.0, np.inf):
        table = rng.dirichlet(np.full(24, 0.4), 3).reshape(3, 4, 3, 2)
        readings = [
            Reading(kinds if size > 2 else "singletons", level, 2 if kinds == "exactly" else 0)  # type: ignore[arg-type]
            for size in (4, 3, 2)
        ]
        whole = joint_log_ratios(table, readings)
        assert largest_joint_log_ratio(table, readings) == pytest.approx(whole.max(), rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("output", ["raw", "inferred"])
def test_points_give_every_leakage_at_every_budget(name: str, output: str) -> None:
    analysis = LocalAnalysis(anes96(), name, 1.0, output=output)  # type: ignore[arg-type]
    points = curve_points(analysis)
    if name == "SS" and output == "raw":
        assert points is None
        return
    assert points is not None
    n = len(analysis.names)
    for epsilon in (1e-9, 0.4, 1.0, 3.0, 30.0):
        again = analysis.at(epsilon)
        for j in range(n):
            level = again.readings[j].log_rho
            for k in range(n):
                part = slice(points.starts[j * n + k], points.starts[j * n + k + 1])
                best = two_level(points.a[part], points.b[part], level).max(initial=0.0)
                assert best == pytest.approx(again.matrix[j, k], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", ["GRR", "EXP", "OUE", "SUE", "SS"])
def test_the_worst_report_is_as_probable_as_the_matrix_says(name: str) -> None:
    rows = np.random.default_rng(3).dirichlet(np.ones(4), 3)
    joint = JointDistribution(rows / 3)
    mechanism = mechanism_named(name, 1.2)
    analysis = LocalAnalysis(joint, mechanism)
    found = analysis.pair(1, 0)
    chances = worst_report_chances(found, 4)
    assert chances is not None
    assert found.pair is not None
    assert np.log(chances[0] / chances[1]) == pytest.approx(found.value, rel=1e-12)
    outputs = rows @ mechanism.channel(4)
    pair = outputs[[found.pair[0], found.pair[1]]]
    distance = np.abs(pair - np.array(chances)[:, None]).sum(axis=0)
    assert distance.min() < 1e-15


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("output", ["raw", "inferred"])
def test_chances_have_the_ratio_of_the_leakage(name: str, output: str) -> None:
    found = LocalAnalysis(titanic(), name, 2.0, output=output).pair("class", "survived")  # type: ignore[arg-type]
    chances = worst_report_chances(found, 4)
    if name == "SHE" and output == "raw":
        assert chances is None
    else:
        assert chances is not None
        assert np.log(chances[0] / chances[1]) == pytest.approx(found.value, rel=1e-12)


@pytest.mark.parametrize("data", [titanic(), AttributeTable.from_counts(titanic()), None])
def test_data_without_a_mechanism_are_no_analysis(data):
    with pytest.raises(TypeError, match=f"is a {type(data).__name__}; give a LocalAnalysis"):
        all_reports(data)


def test_what_was_not_computed_is_counted_and_given_a_reason() -> None:
    analysis = LocalAnalysis(anes96(), "OUE", 1.0)
    found = all_reports(analysis, longest=0.0)
    assert not found.too_low.any()
    assert not found.too_high.any()
    assert str(found) == (
        "pairwise sum (Eq. 6, an estimate): not compared for 7 attributes; "
        "exact values not computed: 7, too large to compute in the time given"
    )
    loss = analysis.joint("party")
    assert loss.exact is None
    assert "<= too large to compute (exact) <=" in str(loss)
    assert "<= not computed (exact) <=" in str(analysis.joint("party", exact=False))
