"""The paper's two planes: stated against exact leakages, and leakage against usefulness."""

import math

import numpy as np
import pytest

from pdp_widgets.errors import BudgetError, DomainError, TableError
from pdp_widgets.leakage.local.comparison_plane import (
    compare_estimates,
    comparison_plane,
    nmse_of_leakages,
    threshold_estimate,
)
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.utility import compare_utility
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.mechanisms.local.unary_encoding import RAPPOR
from pdp_widgets.models.counts import titanic


def test_regions():
    exact = [[0, 0.4], [0.2, 0]]
    stated = {
        "P1": exact,
        "R1": [[0, 0.3], [0.2, 0]],
        "R2": [[0, 0.4], [0.5, 0]],
        "R3": [[0, 0.3], [0.5, 0]],
    }
    for region, estimate in stated.items():
        point = compare_estimates("x", estimate, exact, 2.0)
        assert point.region == region
        error = np.abs(np.array(estimate) - exact).sum() / 2 / 2.0
        assert point.under + point.over == pytest.approx(error)
    assert compare_estimates("x", [[7, 0.4], [0.2, 7]], exact, 1.0).region == "P1"
    assert compare_estimates("x", [[0, 0.4 + 1e-10], [0.2, 0]], exact, 1.0).region == "P1"


def test_graphs_of_correlations():
    chain = np.array([[0, 0.5, 0.0, 0.0], [0.5, 0, -0.4, 0], [0, -0.4, 0, 0.1], [0, 0, 0.1, 0]])
    edges = threshold_estimate(chain, 0.4, 2.0, "edge")
    assert edges.tolist() == [[0, 2, 0, 0], [2, 0, 2, 0], [0, 2, 0, 0], [0, 0, 0, 0]]
    parts = threshold_estimate(chain, 0.4, 2.0)
    assert parts.tolist() == [[0, 2, 2, 0], [2, 0, 2, 0], [2, 2, 0, 0], [0, 0, 0, 0]]
    with pytest.raises(DomainError, match="mode is 'star'"):
        threshold_estimate(chain, 0.4, 2.0, "star")


def test_long_chains_are_one_component():
    n = 30
    chain = np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    order = np.random.default_rng(1).permutation(n)
    found = threshold_estimate(chain[order][:, order], 0.5, 1.0)
    assert (found == 1 - np.eye(n)).all()


def test_published_ways_beside_the_exact_leakages():
    analysis = LocalAnalysis(titanic(), "OUE", 3.0, output="inferred")
    plane = comparison_plane(analysis, 1.0)
    names = [point.name for point in plane.points]
    assert names[:4] == ["GRR-ANL (= ITS)", "EXP-ANL", "SPL-ANL", "symmetrised GRR"]
    assert names[4:] == [f"GRF({t}, {m})" for t in ("0.2", "0.4") for m in ("component", "edge")]
    assert (plane.reference == LocalAnalysis(titanic(), "generic", 1.0).matrix).all()
    regions = {point.name: point.region for point in plane.points}
    assert (regions["GRR-ANL (= ITS)"], regions["EXP-ANL"], regions["SPL-ANL"]) == ("R1", "R1", "R2")
    assert (plane.estimates["GRR-ANL (= ITS)"] <= plane.reference + 1e-12).all()
    frame = plane.to_dataframe()
    assert list(frame) == ["name", "under", "over", "region"]
    assert len(frame) == 8
    assert not any("CBP" in name for name in names)
    # What is taken to be symmetric is never more than GRR-ANL, and less wherever a direction leaks more.
    symmetric, randomised = plane.estimates["symmetrised GRR"], plane.estimates["GRR-ANL (= ITS)"]
    assert (symmetric == symmetric.T).all()
    assert (np.maximum(symmetric, symmetric.T) == np.minimum(randomised, randomised.T)).all()
    under = {point.name: point.under for point in plane.points}
    assert regions["symmetrised GRR"] == "R1"
    assert under["symmetrised GRR"] > under["GRR-ANL (= ITS)"]


def test_randomised_response_understates_unary_encoding():
    """Raw OUE leaks what the worst mechanism does: an analysis by GRR is too low, never too high."""
    oue = LocalAnalysis(titanic(), "OUE", 1.0)
    grr = oue.released_by("GRR", 1.0).matrix
    assert compare_estimates("GRR", grr, oue.matrix, 1.0).region == "R1"
    assert compare_estimates("GRR", grr, oue.read_as("inferred").matrix, 1.0).region == "R2"


def test_errors_of_leakages():
    assert nmse_of_leakages([[0, 1.0], [0.5, 0]], [[0, 1.0], [1.0, 0]]) == 0.125
    assert math.isnan(nmse_of_leakages(np.zeros((2, 2)), np.zeros((2, 2))))
    with pytest.raises(TableError, match="both are matrices"):
        nmse_of_leakages(np.zeros((2, 2)), np.zeros((3, 3)))
    for epsilon in (0.0, math.inf):
        with pytest.raises(BudgetError, match="positive and finite"):
            compare_estimates("x", np.zeros((2, 2)), np.zeros((2, 2)), epsilon)


def test_mechanisms_by_leakage_and_usefulness():
    found = compare_utility(titanic(), 1.0)
    raw = {p.mechanism.name: p for p in found.points if p.output == "raw"}
    guessed = {p.mechanism.name: p for p in found.points if p.output == "inferred"}
    assert set(raw) == {"GRR", "EXP", "OUE", "SUE", "RAPPOR", "BLH", "OLH", "SHE", "SS"} == set(guessed)
    # The paper's parameters have a budget of their own, whatever that of the others is.
    assert raw["RAPPOR"].mechanism == RAPPOR(0.5, 0.5, 0.75)
    assert compare_utility(titanic(), 3.0, "RAPPOR").points[0].total == raw["RAPPOR"].total
    for name, point in raw.items():
        assert 0 < guessed[name].normalised <= point.normalised * (1 + 1e-12) <= 1 + 1e-11
        if name in ("OUE", "SUE", "BLH", "OLH", "SHE"):
            assert point.normalised == pytest.approx(1, rel=1e-12)
            assert point.leakage_nmse == pytest.approx(0, abs=1e-24)
        analysis = LocalAnalysis(titanic(), point.mechanism)
        assert point.total == pytest.approx(analysis.total, rel=1e-12)
        errors = [analysis.mechanisms[0].inferred(k).error01 for k in (4, 2, 2, 2)]
        assert point.error01 == pytest.approx(np.mean(errors))
    # The ranking reverses: by what is released randomised response leaks least of these, by guesses most.
    assert raw["GRR"].normalised < raw["OUE"].normalised
    assert guessed["GRR"].normalised > guessed["OUE"].normalised
    assert len(found.to_dataframe()) == 18


def test_frequency_errors_are_those_of_the_estimator():
    joint = titanic()
    shares = list(joint.marginals())
    mechanism = mechanism_named("OUE", 1.0)
    wanted = sum(mechanism.variance(f, len(f), 2201).sum() for f in shares) / sum(
        (f**2).sum() for f in shares
    )
    assert compare_utility(joint, 1.0, [mechanism]).points[0].frequency_nmse == pytest.approx(wanted)
    assert math.isnan(compare_utility(joint.table, 1.0, ["OUE"]).points[0].frequency_nmse)
    by_hand = compare_utility(joint.table, 1.0, ["OUE"], records=2201).points[0]
    assert by_hand.frequency_nmse == pytest.approx(wanted)
    assert math.isnan(compare_utility(joint, 0.0, ["GRR"]).points[0].frequency_nmse)
    assert math.isnan(compare_utility(joint, 0.0, ["GRR"]).points[0].normalised)


def test_mechanisms_keep_a_budget_of_their_own():
    found = compare_utility(titanic(), 1.0, [RAPPOR(0.5, 0.5, 0.75), "generic"])
    assert [(p.mechanism.name, p.output) for p in found.points] == [
        ("RAPPOR", "raw"),
        ("RAPPOR", "inferred"),
        ("generic", "raw"),
    ]
    assert found.points[0].total == pytest.approx(LocalAnalysis(titanic(), RAPPOR(0.5, 0.5, 0.75)).total)
    assert found.points[2].normalised == 1
    assert math.isnan(found.points[2].error01)
    with pytest.raises(TableError, match="records is 0"):
        compare_utility(titanic(), 1.0, records=0)


def test_where_nothing_leaks_no_number_of_records_is_asked_for():
    with pytest.raises(DomainError, match="Nothing leaks with ε = 0, so") as found:
        compare_utility(titanic(), 0.0).plot()
    assert "number of records" not in str(found.value)
