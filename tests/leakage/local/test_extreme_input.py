"""Input at the ends of what numbers can be: each gives a result or an error that names the culprit."""

import math
import warnings

import numpy as np
import pytest

from pdp_widgets import (
    GRR,
    AttributeTable,
    JointDistribution,
    LocalAnalysis,
    LocalExplorer,
    PdpError,
    titanic,
)
from pdp_widgets.errors import DomainError, LimitError, ReplicatedRecordsWarning
from pdp_widgets.leakage.local.all_reports import all_reports
from pdp_widgets.leakage.local.budget_calibration import calibrate_budget
from pdp_widgets.leakage.local.comparison_plane import comparison_plane
from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss
from pdp_widgets.leakage.local.statistical import simulated_leakage, statistical_leakage
from pdp_widgets.leakage.local.surrogate_test import pair_interval
from pdp_widgets.leakage.local.utility import compare_utility
from pdp_widgets.local import surrogate_test
from pdp_widgets.mechanisms.local.finite_channel import Channel

SMALL = [[9, 3], [4, 8]]


@pytest.mark.parametrize("mechanism", [None, GRR(1.0)])
def test_more_records_than_tables_are_drawn_for_are_refused(mechanism):
    most = [[1 << 28, 1 << 28], [1 << 28, 1 << 28]]
    assert 0 < surrogate_test(most, mechanism, surrogates=5, rng=1).p_value <= 1
    most[0][0] += 1
    with pytest.raises(LimitError, match="counts have 1,073,741,825 records"):
        surrogate_test(most, mechanism, surrogates=5, rng=1)


def test_repeats_count_among_the_records_drawn_for():
    with pytest.warns(ReplicatedRecordsWarning), pytest.raises(LimitError, match="repeats"):
        surrogate_test(SMALL, GRR(1.0), unit="replicate", repeats=1 << 30, surrogates=5, rng=1)


@pytest.mark.parametrize("many", [10**7 + 1, 2**63, 10**400])
def test_too_many_surrogates_are_refused(many):
    with pytest.raises(LimitError, match="number of surrogates"):
        surrogate_test(SMALL, GRR(1.0), surrogates=many, rng=1)


def test_an_interval_of_leakages_that_can_be_infinite():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = pair_interval(
            JointDistribution.from_counts([[5, 0], [0, 1]]),
            GRR(math.inf),
            method="bootstrap",
            draws=200,
            rng=1,
        )
        assert found.interval == (0.0, math.inf)
        mixed = pair_interval(
            JointDistribution.from_counts([[50, 0], [3, 60]]),
            GRR(math.inf),
            method="bootstrap",
            draws=41,
            rng=1,
        )
    low, high = mixed.interval
    assert 0 <= low <= high


@pytest.mark.parametrize("kind", ["generic", "GRR", "EXP", "OUE", "SUE", "BLH", "SHE"])
@pytest.mark.parametrize("method", ["spl", "pairwise", "joint", "joint bound"])
@pytest.mark.parametrize("budget", [5e-324, 1e-320, 1e-300, 1e300, 1e308])
def test_a_calibration_at_the_ends_of_numbers(kind, method, budget):
    analysis = LocalAnalysis([[3, 1, 0], [1, 2, 4]], kind, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = analysis.calibrate(budget, method)
    assert 0 <= found.epsilon <= budget
    assert found.epsilon >= found.split * (1 - 1e-9) or budget < 1e-300


@pytest.mark.parametrize("alpha", [10**400, 1e308, float("inf"), np.array([1.0, 2.0])])
def test_an_alpha_beyond_all_counts_is_refused(alpha):
    with pytest.raises(PdpError, match="alpha is"):
        statistical_leakage(SMALL, alpha)


def test_repeats_beyond_all_reports_are_refused():
    with pytest.raises(PdpError, match="repeats"):
        simulated_leakage(SMALL, GRR(1.0), repeats=10**400, rng=1)


@pytest.mark.parametrize("value", [b"1", np.True_, True, "1"])
def test_a_least_number_of_records_is_a_number(value):
    with pytest.raises(PdpError, match="min_count"):
        LocalAnalysis(SMALL, "GRR", 1.0, min_count=value)


def test_masked_tables_and_channels_are_refused():
    hidden = [[True, False], [False, False]]
    for make in (
        lambda: LocalAnalysis(np.ma.array(SMALL, mask=hidden), "GRR", 1.0),
        lambda: surrogate_test(np.ma.array(SMALL, mask=hidden), rng=1),
        lambda: Channel(np.ma.array([[0.5, 0.5], [0.2, 0.8]], mask=hidden)),
    ):
        with pytest.raises(PdpError, match=r"entry at \(0, 0\) of the \w+ is masked"):
            make()


def test_tiny_columns_of_a_channel_count_exactly():
    scale = 5e-324
    channel = Channel([[3 * scale, 1.0], [1 * scale, 1.0]])
    rows = [[0.9, 0.1], [0.1, 0.9]]
    found = LocalAnalysis([[0.45, 0.05], [0.05, 0.45]], channel).matrix
    expected = math.log((0.9 * 3 + 0.1) / (0.1 * 3 + 0.9))
    assert found[1, 0] == pytest.approx(expected, rel=1e-12)
    assert rows[0][0] == 0.9


@pytest.mark.parametrize("chosen", [np.array(["raw", "record"]), ["raw"], {}, None, 1])
def test_an_option_that_is_no_name_is_refused(chosen):
    joint = JointDistribution.from_counts(SMALL)
    for make in (
        lambda: LocalAnalysis(SMALL, "GRR", 1.0, output=chosen),
        lambda: LocalAnalysis(SMALL, "GRR", 1.0).calibrate(1.0, chosen),
        lambda: LocalAnalysis(SMALL, chosen, 1.0) if chosen is not None else surrogate_test(SMALL, unit=None),
        lambda: surrogate_test(SMALL, unit=chosen),
        lambda: surrogate_test(SMALL, GRR(1.0), output=chosen),
        lambda: pair_interval(joint, GRR(1.0), method=chosen),
        lambda: pair_interval(joint, GRR(1.0), zeros=chosen),
    ):
        with pytest.raises((PdpError, TypeError)) as caught:
            make()
        assert "ambiguous" not in str(caught.value)
        assert "truth value" not in str(caught.value)


NO_LIMITS = [math.nan, -1, "1", None, True, 1j, 2**2000, np.timedelta64(1, "s"), [1]]


@pytest.mark.parametrize("wrong", NO_LIMITS, ids=lambda value: type(value).__name__ + str(value)[:6])
def test_limits_that_are_no_numbers_are_named(wrong):
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    calls = {
        "longest": lambda: all_reports(analysis, wrong),
        "threshold": lambda: analysis.to_networkx(wrong),
        "most_outputs": lambda: joint_privacy_loss(titanic(), 0, GRR(1.0), most_outputs=wrong),
    }
    units = {"longest": "seconds", "threshold": "nats", "most_outputs": "combinations"}
    for name, call in calls.items():
        accepted = rf"a number of {units[name]}, 0 or more(; infinity is allowed|, or infinity for any time)"
        with pytest.raises(DomainError, match=rf"^{name} is .*; (it must be|give) {accepted}\.$"):
            call()
    with pytest.raises(DomainError, match=r"^threshold is .*; it must be a number, 0 or more"):
        comparison_plane(titanic(), 1.0, thresholds=[wrong])
    with pytest.raises(DomainError, match="most_outputs is"):
        calibrate_budget(titanic(), 1.0, "GRR", most_outputs=wrong)


@pytest.mark.parametrize("epsilon", [1e-320, 1e-300, 1e300, 1e308, 1.7e308])
@pytest.mark.parametrize("name", ["GRR", "OUE", "SHE", "SS", "generic"])
@pytest.mark.filterwarnings("error")
def test_the_ends_of_the_floats_give_no_warnings(name, epsilon):
    analysis = LocalAnalysis(titanic(), name, epsilon)
    assert not math.isnan(analysis.total)
    found = all_reports(analysis)
    assert not np.isnan(found.bound).any()
    assert (found.exact <= found.bound).all()
    assert not np.isnan(analysis.joint("sex").exact.value)
    compared = compare_utility(titanic(), epsilon)
    shares = {p.mechanism.name: p.normalised for p in compared.points if p.output == "raw"}
    assert shares["OUE"] == pytest.approx(1)
    assert not any(math.isnan(p.leakage_nmse) for p in compared.points)
    for point in comparison_plane(titanic(), epsilon).points:
        assert 0 <= point.under <= 1
        assert 0 <= point.over <= 1
    assert LocalExplorer(titanic(), name, epsilon, budget=epsilon).error is None


def test_a_column_without_a_name_is_refused():
    for make in (AttributeTable.from_dataframe, LocalExplorer, LocalAnalysis):
        with pytest.raises(DomainError, match="A column has an empty name"):
            make({"": [0, 1], "b": [1, 0]})


def test_a_lazy_frame_is_read_as_one_with_values():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": [0, 1], "b": [1, 0]})
    assert LocalExplorer(frame.lazy()).value == LocalExplorer(frame).value


def test_finite_leakages_are_no_share_of_infinite_ones():
    copies = np.diag([0.5, 0.5])
    found = {(p.mechanism.name, p.output): p.normalised for p in compare_utility(copies, math.inf).points}
    assert found["BLH", "inferred"] == 0
    assert math.isnan(found["GRR", "raw"])
