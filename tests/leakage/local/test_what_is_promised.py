"""What results say of themselves holds: safe budgets, records behind a number, deltas, brackets."""

import math

import numpy as np
import pytest

from pdp_widgets.errors import BudgetError, DomainError, LimitError, TableError
from pdp_widgets.leakage.local.all_reports import all_reports
from pdp_widgets.leakage.local.budget_calibration import calibrate_budget
from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.pair_tables import PairTables
from pdp_widgets.leakage.local.printed_algorithm import printed_calibration
from pdp_widgets.leakage.local.statistical import simulated_leakage
from pdp_widgets.leakage.local.surrogate_test import surrogate_test
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism, Channel
from pdp_widgets.mechanisms.local.local_hashing import OLH
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.mechanisms.local.randomised_response import GRR, SS, DeltaGRR
from pdp_widgets.mechanisms.local.unary_encoding import OUE, RAPPOR
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.counts import titanic
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.joint_examples import identical_attributes, parity
from tests.leakage.local import brute_force

CALIBRATED = ("GRR", "EXP", "OUE", "SUE", "BLH", "SHE", "OLH", "generic")


def random_joint(seed, shape=(2, 3, 2)):
    return np.random.default_rng(seed).dirichlet(np.full(math.prod(shape), 0.5)).reshape(shape)


@pytest.mark.parametrize("name", CALIBRATED)
@pytest.mark.parametrize("output", ["raw", "inferred"])
@pytest.mark.parametrize("method", ["spl", "pairwise", "joint", "joint bound"])
def test_a_safe_budget_keeps_what_is_released_within_the_goal(name, output, method):
    leaking = []
    for joint in (identical_attributes().table, parity().table, random_joint(1), random_joint(2, (3, 3, 2))):
        try:
            found = calibrate_budget(joint, 1.0, mechanism_named(name, 1.0), method=method, output=output)
        except BudgetError:
            assert output == "inferred"
            assert name in ("OLH", "generic")
            return
        assert found.output == output
        # OUE is the hardest of all with this budget, and its matrix can be listed.
        raw = OUE(found.epsilon) if name == "generic" else found.released
        most = max(float(joint_privacy_loss(joint, k, raw).exact) for k in range(3))
        leaking.append(most > 1 + 1e-9)
        assert not (found.safe and most > 1 + 1e-9)
        assert output in str(found)
        if not found.safe:
            assert "can leak more" in str(found)
    # Only what can leak more is called so.
    if method in ("spl", "joint bound") or output == "raw" or name in ("GRR", "EXP"):
        assert found.safe == (method != "pairwise")
    else:
        assert not found.safe
        assert any(leaking) or method == "pairwise"


def test_guesses_of_three_copies_hide_what_their_reports_say():
    found = calibrate_budget(identical_attributes(), 1.0, OUE(1.0), output="inferred")
    assert found.epsilon == pytest.approx(0.503937, abs=1e-6)
    assert not found.safe
    assert float(joint_privacy_loss(identical_attributes(), 0, found.released).exact) == pytest.approx(
        1.511811, abs=1e-5
    )
    assert str(found).startswith("epsilon 0.503937 each (joint, inferred): holds for the guesses only")


def not_at_random():
    """Records of three attributes; the third is missing most often where the others disagree."""
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 2, (4000, 3))
    codes[:, 2] = np.where(rng.random(4000) < 0.8, codes[:, 0], codes[:, 2])
    unlike = codes[:, 0] != codes[:, 1]
    codes[unlike & (rng.random(4000) < 0.95), 2] = -1
    return AttributeTable(codes)


@pytest.mark.parametrize("name", ["GRR", "OUE"])
def test_missing_values_leave_out_the_same_records_everywhere(name):
    table = not_at_random()
    complete = AttributeTable(table.codes[(table.codes >= 0).all(axis=1)], [2, 2, 2])
    found, whole = (all_reports(LocalAnalysis(data, name, 1.0)) for data in (table, complete))
    assert found.records == whole.records == len(complete)
    np.testing.assert_allclose(found.exact, whole.exact, rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.pairwise_sum, whole.pairwise_sum, rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.bound, whole.bound, rtol=0, atol=1e-13)
    assert found.too_low.tolist() == whole.too_low.tolist()
    for k in range(3):
        loss = LocalAnalysis(table, name, 1.0).joint(k)
        assert loss.records == len(complete)
        assert loss.pairwise_sum.value == pytest.approx(found.pairwise_sum[k], abs=1e-13)
        assert loss.exact.value == pytest.approx(found.exact[k], abs=1e-13)
    analysis = LocalAnalysis(table, name, 1.0)
    np.testing.assert_array_equal(analysis.pairwise_sum, found.pairwise_sum)
    # A sum over other records would have accused the paper, or not, of what is no fault of its own.
    assert np.abs(analysis.dpl + analysis.matrix.sum(axis=0) - found.pairwise_sum).max() > 0.1


@pytest.mark.parametrize("method", ["spl", "pairwise", "joint", "joint bound"])
def test_a_budget_is_found_from_complete_records_whatever_the_method(method):
    table = not_at_random()
    complete = table.with_missing("listwise")
    found, whole = (calibrate_budget(data, 1.5, "OUE", method=method) for data in (table, complete))
    assert (found.epsilon, float(found.leakage)) == (whole.epsilon, float(whole.leakage))
    assert float(found) == found.epsilon
    assert (found.records, found.left_out) == (len(complete), len(table) - len(complete))
    assert (whole.records, whole.left_out) == (len(complete), 0)
    analysis = LocalAnalysis(table, "OUE", found.epsilon)
    if method == "pairwise":
        assert analysis.pairwise_sum.max() == pytest.approx(1.5, abs=1e-9)
    elif method == "joint":
        assert all_reports(analysis).exact.max() == pytest.approx(1.5, abs=1e-9)
    frame = found.to_dataframe()
    assert frame[["records", "left out"]].values.tolist() == [[found.records, found.left_out]]


def test_only_a_budget_that_is_split_holds_always():
    table = not_at_random()
    said = {m: str(calibrate_budget(table, 1.5, "OUE", method=m)) for m in ("spl", "joint", "joint bound")}
    assert ": holds always;" in said["spl"]
    counted = ": holds for the 2,063 complete records, not for the 1,937 with missing values;"
    for method in ("joint", "joint bound"):
        assert counted in said[method]
    assert ": holds for this table;" in str(calibrate_budget(titanic(), 1.0, "GRR"))
    assert "an estimate that can leak more" in str(calibrate_budget(titanic(), 1.0, "GRR", method="pairwise"))
    # The same budget lets another table leak more, where the split one does not.
    independent = JointDistribution(np.full((2, 2, 2), 1 / 8))
    for method, keeps in (("spl", True), ("joint", False), ("joint bound", False)):
        found = calibrate_budget(independent, 1.0, "GRR", method=method)
        assert found.safe
        assert found.always == keeps
        elsewhere = all_reports(LocalAnalysis(identical_attributes(), "GRR", found.epsilon)).exact.max()
        assert (elsewhere <= 1.0 + 1e-12) == keeps


def test_the_algorithm_as_printed_counts_the_same_records():
    table = not_at_random()
    found, whole = (printed_calibration(data, 1.5) for data in (table, table.with_missing("listwise")))
    assert found.epsilon == whole.epsilon
    assert found.leakage.value == whole.leakage.value
    # One step beyond what it is compared with.
    kept = calibrate_budget(table, 1.5, method="pairwise").epsilon
    assert kept < found.epsilon < kept + 0.03


def test_the_number_of_records_behind_a_budget():
    assert calibrate_budget(titanic(), 1.0, "GRR").records == 2201
    assert calibrate_budget(parity(), 1.0, "GRR").records is None
    assert LocalAnalysis(not_at_random(), "GRR", 1.0).calibrate(1.0).records == 2063


def test_records_are_counted_where_there_are_any():
    assert all_reports(LocalAnalysis(titanic(), "GRR", 1.0)).records == 2201
    assert LocalAnalysis(titanic(), "GRR", 1.0).joint("age", ["sex"]).records == 2201
    assert all_reports(LocalAnalysis(parity(), "GRR", 1.0)).records is None
    assert joint_privacy_loss(random_joint(1), 0, GRR(1.0)).records is None
    table = not_at_random()
    assert LocalAnalysis(table, "GRR", 1.0).joint(0, [1]).records == 4000


CHANNELS = [
    Channel([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.25, 0.25, 0.5]]),
    Channel([[0.5, 0.5, 0.0], [0.2, 0.4, 0.4], [0.1, 0.9, 0.0]]),
    Channel(np.random.default_rng(8).dirichlet(np.ones(4), 3)),
]


@pytest.mark.parametrize("channel", CHANNELS, ids=["three", "zeros", "four"])
@pytest.mark.parametrize("target", [0, 1, 2])
def test_a_channel_is_bracketed_and_exact_in_both_ways(channel, target):
    for seed in range(5):
        joint = random_joint(seed, (3, 3, 3))
        mechanisms = [channel, CHANNELS[0], GRR(0.8)]
        analysis = LocalAnalysis(joint, mechanisms)
        channels = [one.channel(3) for one in mechanisms]
        expected = brute_force.of_records(joint, target, channels)[1]
        together, loss = all_reports(analysis), analysis.joint(target)
        assert together.exact[target] == expected or together.exact[target] == pytest.approx(
            expected, abs=1e-12
        )
        assert together.exact[target] == loss.exact.value
        assert loss.lower.value <= loss.exact.value * (1 + 1e-12)
        assert loss.exact.value <= loss.joint_bound.value * (1 + 1e-12)
        assert analysis.joint(target, exact=False).lower.value <= loss.exact.value * (1 + 1e-12)


def test_reports_that_fit_no_int64_are_refused():
    counts = [[2**40, 2**39], [2**39, 2**40]]
    with pytest.raises(TableError, match="repeats") as caught:
        simulated_leakage(counts, GRR(1.0), repeats=2**30, rng=1)
    assert caught.value.where.name == "repeats"
    with pytest.raises(TableError, match="repeats"), pytest.warns(match="not independent"):
        surrogate_test(counts, GRR(1.0), unit="replicate", repeats=2**24, surrogates=2, rng=1)
    assert simulated_leakage(counts, GRR(1.0), repeats=2**11, rng=1).counts.sum() == 3 * 2**40 * 2**11
    with pytest.raises(TableError, match="records"):
        simulated_leakage(np.full((3, 3), 2**52), GRR(1.0), rng=1)


@pytest.mark.parametrize("rng", [-1, 1.5, "seed", True, np.timedelta64(3, "s")])
def test_seeds_are_checked_as_everywhere(rng):
    for call in (
        lambda: simulated_leakage([[3, 1], [1, 3]], GRR(1.0), rng=rng),
        lambda: surrogate_test([[3, 1], [1, 3]], GRR(1.0), surrogates=2, rng=rng),
    ):
        with pytest.raises(DomainError, match="rng is"):
            call()


def test_a_span_of_time_is_no_number():
    second = np.timedelta64(3, "s")
    with pytest.raises(TableError, match="repeats"):
        simulated_leakage([[3, 1], [1, 3]], GRR(1.0), repeats=second)
    with pytest.raises(TableError, match="surrogates"):
        surrogate_test([[3, 1], [1, 3]], GRR(1.0), surrogates=second)
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    for wrong in (second, True, 9):
        with pytest.raises(DomainError):
            analysis.pair(wrong, 1)
        with pytest.raises(DomainError):
            joint_privacy_loss(random_joint(1), wrong, GRR(1.0))


ROWS = [[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]]


def test_a_delta_is_carried_and_printed():
    found = pair_leakage(ROWS, AnyMechanism(1.0, 0.01), conditional=True)
    assert found.leakage.about.delta == found.delta_tight == pytest.approx(0.0022327, abs=1e-7)
    assert "delta 0.00223" in str(found)
    assert "delta" not in str(pair_leakage(ROWS, AnyMechanism(1.0), conditional=True))
    joint = random_joint(3)
    deltas = [AnyMechanism(1.0, 0.1), AnyMechanism(0.5, 0.02), GRR(1.0)]
    loss = joint_privacy_loss(joint, 0, deltas)
    assert loss.delta == pytest.approx(0.12)
    assert loss.others.about.delta == pytest.approx(0.02)
    for one in (loss.exact, loss.joint_bound, loss.composition, loss.pairwise_sum):
        assert one.about.delta == loss.delta
    alone = pair_leakage(joint.sum(axis=2), AnyMechanism(0.5, 0.02))
    assert loss.pairwise[0].about.delta == pytest.approx(alone.delta_tight, rel=1e-12)
    assert "delta 0.12" in str(loss)
    assert joint_privacy_loss(joint, 0, AnyMechanism(1.0)).delta == 0
    assert "delta" not in str(joint_privacy_loss(joint, 0, AnyMechanism(1.0)))
    analysis = LocalAnalysis(joint, deltas)
    assert all_reports(analysis).delta == pytest.approx(0.12)
    assert analysis.joint(0).delta == loss.delta
    frame = analysis.to_dataframe()
    row = frame[(frame.source == "x2") & (frame.secret == "x1")]
    assert row.delta.item() == pytest.approx(alone.delta_tight, rel=1e-12)
    assert "delta" not in LocalAnalysis(joint, "GRR", 1.0).to_dataframe()


def test_many_deltas_promise_nothing_beyond_one():
    joint = np.full((2, 2, 2), 1 / 8)
    assert joint_privacy_loss(joint, 0, AnyMechanism(1.0, 0.6)).delta == 1.0


@pytest.mark.parametrize("delta", [0.01, 0.3])
def test_the_ratio_of_a_matrix_with_a_delta_holds_without_one(delta):
    # Its own ratio holds the delta already: every output of the exact matrix keeps the value alone.
    joint, one = random_joint(6, (3, 3, 2)), DeltaGRR(0.7, delta)
    loss = joint_privacy_loss(joint, 0, one)
    everything = brute_force.of_records(joint, 0, [one.channel(k) for k in joint.shape])[1]
    assert loss.exact.value == pytest.approx(everything, abs=1e-12)
    assert loss.delta == 0
    assert pair_leakage(joint.sum(axis=2), one).leakage.about.delta == 0


@pytest.mark.parametrize(
    ("mechanism", "output", "advice"),
    [
        (AnyMechanism(1.0, 0.1), "raw", "AnyMechanism"),
        (DeltaGRR(1.0, 0.1), "raw", "GRR"),
        (SS(1.0), "raw", "generic"),
        (SS(1.0), "inferred", "output='raw'"),
        (OLH(1.0), "inferred", "output='raw'"),
    ],
)
def test_what_is_advised_can_be_calibrated(mechanism, output, advice):
    with pytest.raises(BudgetError) as caught:
        calibrate_budget(identical_attributes(), 1.0, mechanism, output=output)
    assert advice in str(caught.value)
    assert ("'generic'" in str(caught.value)) == (mechanism == SS(1.0))
    instead = {"AnyMechanism": AnyMechanism(1.0), "GRR": GRR(1.0), "generic": AnyMechanism(1.0)}
    assert calibrate_budget(identical_attributes(), 1.0, instead.get(advice, OLH(1.0))).safe


def test_an_analysis_calibrates_one_mechanism_apart_from_its_budget():
    joint = titanic()
    unlike = [OLH(1.0, g=2), OLH(1.0, g=50), OLH(1.0, g=2), OLH(1.0, g=2)]
    with pytest.raises(BudgetError, match="different mechanisms"):
        LocalAnalysis(joint, unlike).calibrate(1.0)
    budgets = [OLH(0.3, g=5), OLH(1.0, g=5), OLH(2.0, g=5), OLH(0.0, g=5)]
    found = LocalAnalysis(joint, budgets).calibrate(1.0)
    assert found.released == OLH(found.epsilon, g=5)
    matrices = [RAPPOR(0.5, 0.5, 0.75), RAPPOR(0.2, 0.5, 0.75)] * 2
    with pytest.raises(BudgetError, match="different mechanisms"):
        LocalAnalysis(joint, matrices).calibrate(1.0)


def test_tables_of_pairs_say_what_they_cannot_answer():
    analysis = LocalAnalysis(PairTables.of(titanic()), "GRR", 1.0)
    for ask in (
        lambda: analysis.joint(0),
        lambda: analysis.calibrate(1.0),
        lambda: analysis.calibrate(1.0, "joint bound"),
        lambda: all_reports(analysis),
    ):
        with pytest.raises(LimitError, match="give records"):
            ask()
    assert (
        analysis.calibrate(1.0, "pairwise").epsilon
        == LocalAnalysis(titanic(), "GRR", 1.0).calibrate(1.0, "pairwise").epsilon
    )


def test_equal_mechanisms_are_read_once(monkeypatch):
    from pdp_widgets.leakage.local import mechanism_reading as reading

    made = []
    whole = reading.read
    monkeypatch.setattr(reading, "read", lambda *args: made.append(args) or whole(*args))
    found = reading.read_all([GRR(1.0) for _ in range(5)], [2, 2, 3, 2, 3], "raw")
    assert len(found) == 5
    assert len(made) == 2
