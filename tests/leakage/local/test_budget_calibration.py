"""Budgets that keep all reports together within a limit."""

import math

import numpy as np
import pytest

from pdp_widgets.errors import BudgetError, LimitError
from pdp_widgets.leakage.local.budget_calibration import calibrate_budget
from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.printed_algorithm import printed_calibration
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism, Channel
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.mechanisms.local.randomised_response import EXP, GRR, SS, DeltaGRR
from pdp_widgets.mechanisms.local.unary_encoding import RAPPOR
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.counts import titanic

XOR = np.array([[[0.25, 0.0], [0.0, 0.25]], [[0.0, 0.25], [0.25, 0.0]]])
COPIES = np.array([[[0.5, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.5]]])


def random_joint(seed, shape=(2, 3, 2)):
    return np.random.default_rng(seed).dirichlet(np.full(math.prod(shape), 0.5)).reshape(shape)


def counted(joint, epsilon, mechanism, output="raw"):
    """F of the joint method: e and the exact leakage of the other reports, for the worst attribute."""
    made = mechanism.with_epsilon(epsilon)
    return max(epsilon + float(joint_privacy_loss(joint, k, made, output).others) for k in range(joint.ndim))


@pytest.mark.parametrize("name", ["GRR", "EXP", "OUE", "SHE"])
@pytest.mark.parametrize("budget", [1e-6, 0.5, 2.0, 20.0])
def test_the_joint_budget_is_kept_and_no_larger_one_is(name, budget):
    for seed in range(3):
        joint, mechanism = random_joint(seed), mechanism_named(name, 1.0)
        found = calibrate_budget(joint, budget, mechanism)
        assert found.method == "joint"
        assert found.safe
        assert counted(joint, found.epsilon, mechanism) <= budget * (1 + 1e-12)
        assert float(found.leakage) <= budget
        assert budget / 3 * (1 - 1e-12) <= found.epsilon <= budget
        if found.epsilon < budget:
            assert counted(joint, found.epsilon + 1e-6 * budget, mechanism) > budget


@pytest.mark.parametrize("name", ["generic", "GRR", "SUE"])
@pytest.mark.parametrize("budget", [1e-6, 1.0, 5.0])
def test_the_pairwise_budget_solves_the_papers_equation(name, budget):
    for seed in range(3):
        joint = random_joint(seed)
        mechanism = mechanism_named(name, 1.0)
        found = calibrate_budget(joint, budget, mechanism, method="pairwise")

        def largest(epsilon, joint=joint, name=name):
            return float((epsilon + LocalAnalysis(joint, name, epsilon).matrix.sum(axis=0)).max())

        assert largest(found.epsilon) <= budget * (1 + 1e-14)
        assert found.epsilon == budget or largest(found.epsilon + 1e-6 * budget) > budget
        assert found.leakage.status == "as printed"
        assert not found.safe


def test_guesses_allow_larger_budgets():
    joint = random_joint(4)
    oue = mechanism_named("OUE", 1.0)
    raw, inferred = (calibrate_budget(joint, 2.0, oue, output=read) for read in ("raw", "inferred"))
    assert raw.epsilon < inferred.epsilon
    assert counted(joint, inferred.epsilon, mechanism_named("OUE", 1.0), "inferred") <= 2 * (1 + 1e-12)


def test_exclusive_or():
    assert calibrate_budget(XOR, 1.0, GRR(1.0)).epsilon == pytest.approx(0.7449400628223749, abs=1e-10)
    unsafe = calibrate_budget(XOR, 1.0, method="pairwise")
    assert (unsafe.epsilon, unsafe.gain) == (1.0, 3.0)
    assert float(joint_privacy_loss(XOR, 0, GRR(unsafe.epsilon)).exact) == pytest.approx(1.43378, abs=1e-5)


def test_the_bound_is_safe_and_smaller():
    joint = random_joint(5)
    bound, exact = (calibrate_budget(joint, 1.0, GRR(1.0), method=m) for m in ("joint bound", "joint"))
    assert bound.epsilon <= exact.epsilon
    assert counted(joint, bound.epsilon, GRR(1.0)) <= 1
    few = calibrate_budget(joint, 1.0, mechanism_named("OUE", 1.0), most_outputs=3)
    assert (few.method, few.epsilon) == ("joint bound", bound.epsilon)
    assert few.leakage.status == "bound"


def test_statuses_say_what_is_counted():
    joint = random_joint(6)
    statuses = [
        calibrate_budget(joint, 1.0, mechanism, method=method).leakage.status
        for mechanism, method in ((GRR(1.0), "joint"), (EXP(1.0), "joint"), (GRR(1.0), "spl"))
    ]
    assert statuses == ["exact", "bound", "bound"]


def test_records_of_many_attributes():
    rng = np.random.default_rng(7)
    table = AttributeTable(rng.integers(0, 6, (200, 10)), [6] * 10)
    found = calibrate_budget(table, 2.0, GRR(1.0))
    assert found.method == "joint bound"
    assert 0.2 <= found.epsilon <= 2.0
    analysis = LocalAnalysis(table, "GRR", found.epsilon)
    worst = max(float(analysis.joint(k).joint_bound) for k in range(10))
    assert worst <= 2.0 * (1 + 1e-12)


def test_an_analysis_calibrates_its_own_mechanism():
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    found = analysis.calibrate(1.0)
    assert found.released == GRR(found.epsilon)
    assert found.epsilon == calibrate_budget(titanic(), 1.0, GRR(7.0)).epsilon
    mixed = LocalAnalysis(titanic(), ["GRR", "OUE", "GRR", "GRR"], 1.0)
    with pytest.raises(BudgetError, match="different mechanisms"):
        mixed.calibrate(1.0)


def test_ends_of_the_range():
    assert calibrate_budget(COPIES, 0.0, GRR(1.0)).epsilon == 0
    assert calibrate_budget(COPIES, math.inf, GRR(1.0)).epsilon == math.inf
    assert calibrate_budget(COPIES, 0.0, GRR(1.0)).gain == 1
    assert calibrate_budget(np.full((2, 2), 0.25), 3.0, GRR(1.0)).epsilon == 3.0
    assert calibrate_budget([5, 6], 3.0, GRR(1.0)).epsilon == 3.0
    for budget in (1e-9, 1.0, 300.0, 900.0):
        found = calibrate_budget(COPIES, budget, GRR(1.0))
        assert found.epsilon == pytest.approx(budget / 3, rel=1e-12)
        assert counted(COPIES, found.epsilon, GRR(1.0)) <= budget * (1 + 1e-14)


@pytest.mark.parametrize(
    ("mechanism", "output", "message"),
    [
        (SS(1.0), "raw", "SS leaks does not grow evenly"),
        (DeltaGRR(1.0, 0.1), "raw", "DGRR has a delta of 0.1"),
        (AnyMechanism(1.0, 0.1), "raw", "generic has a delta of 0.1"),
        (mechanism_named("OLH", 1.0), "inferred", "OLH leaks"),
        (RAPPOR(0.5, 0.5, 0.75), "raw", "no budget to set"),
        (Channel(np.eye(2)), "raw", "no budget to set"),
    ],
)
def test_what_jumps_is_refused(mechanism, output, message):
    with pytest.raises(BudgetError, match=message):
        calibrate_budget(COPIES, 1.0, mechanism, output=output)


def test_wrong_parameters_are_named():
    with pytest.raises(BudgetError, match="budget is -1"):
        calibrate_budget(COPIES, -1.0)
    with pytest.raises(BudgetError, match="method is 'best'"):
        calibrate_budget(COPIES, 1.0, method="best")
    with pytest.raises(BudgetError, match="The budget is inf"):
        printed_calibration(COPIES, math.inf)
    with pytest.raises(BudgetError, match="The step is 0"):
        printed_calibration(COPIES, 1.0, 0.0)
    with pytest.raises(LimitError, match="up to 1,000,000 steps"):
        printed_calibration(COPIES, 1.0, 1e-6)


def test_the_printed_algorithm_overshoots():
    for seed in range(4):
        joint = random_joint(seed)
        printed, leakage = printed_calibration(joint, 1.0, 0.01)
        best = calibrate_budget(joint, 1.0, method="pairwise").epsilon
        assert best < printed <= best + 0.02 + 1e-9
        assert float(leakage) > 1.0
        assert leakage.status == "as printed"


@pytest.mark.parametrize("method", ["joint", "pairwise"])
def test_a_mechanism_by_name_needs_no_budget(method):
    for name in ("GRR", "oue", "generic"):
        got = calibrate_budget(titanic(), 1.0, name, method=method)
        wanted = calibrate_budget(titanic(), 1.0, mechanism_named(name, 3.0), method=method)
        assert (got.epsilon, got.leakage, got.released) == (wanted.epsilon, wanted.leakage, wanted.released)
    with pytest.raises(BudgetError, match="no mechanism 'grass'"):
        calibrate_budget(titanic(), 1.0, "grass")


def test_calibrations_as_rows_of_a_frame():
    for method in ("spl", "pairwise", "joint", "joint bound"):
        found = calibrate_budget(titanic(), 1.0, "GRR", method=method)
        (row,) = found.to_dataframe().to_dict("records")
        assert (row["method"], row["epsilon"], row["safe"]) == (method, found.epsilon, found.safe)
        assert row["secret"] in titanic().names
        assert row["leakage"] <= 1.0


@pytest.mark.parametrize("method", ["pairwise", "joint", "joint bound"])
def test_a_search_tells_how_far_it_is_and_ends_when_told(method):
    told: list[float] = []
    found = calibrate_budget(titanic(), 1.0, "OUE", method=method, progress=told.append)
    assert found.epsilon == calibrate_budget(titanic(), 1.0, "OUE", method=method).epsilon
    assert told == sorted(told)
    assert 0 < told[0] < 0.2
    assert told[-1] == 1

    class Enough(Exception):
        pass

    def enough(share: float) -> None:
        if share > 0.1:
            raise Enough

    with pytest.raises(Enough):
        calibrate_budget(titanic(), 1.0, "OUE", method=method, progress=enough)
