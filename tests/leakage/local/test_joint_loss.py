"""All reports of a record together: against every tuple of outputs, and against known values."""

import math

import numpy as np
import pytest

from pdp_widgets.errors import DomainError, LimitError
from pdp_widgets.leakage.local.joint_contraction import joint_log_ratios
from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.mechanism_reading import Reading
from pdp_widgets.leakage.local.secret_tables import SecretTables
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism, Channel
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.mechanisms.local.randomised_response import GRR, SS
from pdp_widgets.mechanisms.local.unary_encoding import RAPPOR
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.counts import titanic
from pdp_widgets.models.joint_distribution import JointDistribution
from tests.leakage.local import brute_force

XOR = np.array([[[0.25, 0.0], [0.0, 0.25]], [[0.0, 0.25], [0.25, 0.0]]])


def random_joint(rng, shape, zeros=0.0):
    joint = rng.dirichlet(np.full(math.prod(shape), 0.5)).reshape(shape)
    joint[rng.random(shape) < zeros] = 0
    return joint / joint.sum()


MIXES = [
    [mechanism_named("GRR", 1.0), mechanism_named("OUE", 0.7), mechanism_named("EXP", 1.5)],
    [mechanism_named("SUE", 2.0), mechanism_named("SS", 1.0, omega=2), mechanism_named("BLH", 0.5)],
    [RAPPOR(0.5, 0.5, 0.75), mechanism_named("GRR", 3.0), mechanism_named("SS", 2.0, omega=1)],
    [Channel([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]]), mechanism_named("GRR", 1.0), mechanism_named("OUE", 1.0)],
    [mechanism_named("GRR", 1.0), Channel([[0.5, 0.5, 0], [0.2, 0.4, 0.4], [0.1, 0.9, 0]]), GRR(0.4)],
]


@pytest.mark.parametrize("mechanisms", MIXES, ids=lambda m: "-".join(one.name for one in m))
@pytest.mark.parametrize("zeros", [0.0, 0.3])
@pytest.mark.parametrize("target", [0, 1, 2])
def test_against_every_tuple_of_outputs(mechanisms, zeros, target):
    rng = np.random.default_rng(1)
    shape = (2, 3, 3)
    for _ in range(3):
        joint = random_joint(rng, shape, zeros)
        channels = [one.channel(k) for one, k in zip(mechanisms, shape, strict=True)]
        others, everything = brute_force.of_records(joint, target, channels)
        found = joint_privacy_loss(joint, target, mechanisms)
        assert float(found.others) == others or float(found.others) == pytest.approx(others, abs=1e-12)
        assert float(found.exact) == everything or float(found.exact) == pytest.approx(everything, abs=1e-12)


@pytest.mark.parametrize("names", [("GRR", "OUE", "SS"), ("SHE", "SUE", "OLH")])
def test_guesses_against_every_tuple_of_guesses(names):
    rng = np.random.default_rng(2)
    shape = (3, 2, 4)
    joint = random_joint(rng, shape)
    mechanisms = [mechanism_named(name, 1.3) for name in names]
    channels = [one.inferred(k).matrix() for one, k in zip(mechanisms, shape, strict=True)]
    others, everything = brute_force.of_records(joint, 0, channels)
    found = joint_privacy_loss(joint, 0, mechanisms, "inferred")
    assert (float(found.others), float(found.exact)) == pytest.approx((others, everything), abs=1e-12)
    assert found.exact.about.output == "inferred"


@pytest.mark.parametrize("epsilon", [1e-9, 0.5, 1.0, 3.0])
def test_exclusive_or_has_a_closed_form(epsilon):
    found = joint_privacy_loss(XOR, 0, GRR(epsilon))
    assert float(found.others) == pytest.approx(math.log(math.cosh(epsilon)), rel=1e-6, abs=1e-16)
    assert [float(one) for one in found.pairwise] == [0, 0]
    assert float(found.pairwise_sum) == epsilon
    if epsilon >= 0.5:
        assert not found.sum_holds


@pytest.mark.parametrize("bits", [2, 3, 4])
def test_parity_has_a_closed_form(bits):
    joint = np.zeros((2,) * (bits + 1))
    for values in np.ndindex(*(2,) * bits):
        joint[(sum(values) % 2, *values)] = 0.5**bits
    level = math.tanh(0.5) ** bits
    found = joint_privacy_loss(joint, 0, GRR(1.0))
    assert float(found.others) == pytest.approx(math.log((1 + level) / (1 - level)), abs=1e-13)


@pytest.mark.parametrize("name", ["GRR", "OUE", "SS", "generic"])
@pytest.mark.parametrize("output", ["raw", "inferred"])
@pytest.mark.parametrize("epsilon", [0.0, 1e-9, 250.0, 700.0, 710.0, 1000.0, math.inf])
def test_every_budget_has_a_loss(name, output, epsilon):
    if name == "generic" and output == "inferred":
        return
    joint = random_joint(np.random.default_rng(3), (2, 3, 2), 0.2)
    found = joint_privacy_loss(joint, 0, mechanism_named(name, epsilon), output)
    values = [float(part) for part in (found.lower, found.exact, found.joint_bound, found.composition)]
    assert not any(map(math.isnan, values))
    assert values == sorted(values) or values == pytest.approx(sorted(values), rel=1e-12)


def test_large_budgets_agree_with_those_that_need_no_logarithms(monkeypatch):
    joint = random_joint(np.random.default_rng(4), (3, 3, 4), 0.2)
    for name in ("GRR", "OUE", "SS"):
        usual = joint_privacy_loss(joint, 0, mechanism_named(name, 5.0))
        monkeypatch.setattr("pdp_widgets.leakage.local.joint_contraction._LARGEST", 0.0)
        assert float(joint_privacy_loss(joint, 0, mechanism_named(name, 5.0)).exact) == pytest.approx(
            float(usual.exact), abs=1e-13
        )
        monkeypatch.undo()


def test_outputs_in_blocks_are_all_outputs(monkeypatch):
    joint = random_joint(np.random.default_rng(5), (2, 3, 4))
    wanted = joint_privacy_loss(joint, 0, mechanism_named("OUE", 1.0))
    monkeypatch.setattr("pdp_widgets.leakage.local.joint_contraction._BLOCK", 4)
    assert float(joint_privacy_loss(joint, 0, mechanism_named("OUE", 1.0)).exact) == float(wanted.exact)


def test_a_target_without_a_choice():
    joint = np.zeros((3, 2, 2))
    joint[1] = 0.25
    found = joint_privacy_loss(joint, 0, GRR(2.0))
    assert (float(found.others), float(found.exact)) == (0.0, 2.0)
    alone = joint_privacy_loss(np.full((1, 2), 0.5), 0, GRR(2.0))
    assert float(alone.exact) == 0.0
    only = joint_privacy_loss([3, 4], 0, GRR(2.0))
    assert (float(only.exact), float(only.lower), float(only.composition)) == (2.0, 2.0, 2.0)


def test_one_symbol_sources_change_nothing():
    joint = random_joint(np.random.default_rng(6), (2, 3))
    wider = joint[:, :, None]
    both = [joint_privacy_loss(table, 0, GRR(1.0)) for table in (joint, wider)]
    assert float(both[0].exact) == float(both[1].exact)


def test_subset_selection_keeps_unseen_symbols():
    joint = np.zeros((2, 3, 2))
    joint[:, :2] = random_joint(np.random.default_rng(7), (2, 2, 2))
    mechanisms = [GRR(1.0), SS(1.0, omega=2), GRR(1.0)]
    channels = [one.channel(k) for one, k in zip(mechanisms, joint.shape, strict=True)]
    others, _ = brute_force.of_records(joint, 0, channels)
    assert float(joint_privacy_loss(joint, 0, mechanisms).others) == pytest.approx(others, abs=1e-13)


def test_a_matrix_as_the_target_pairs_up_both_reports():
    """The sum of the own and the other reports' worst ratios is a bound that need not be reached."""
    rng = np.random.default_rng(8)
    smaller = 0
    for _ in range(20):
        joint = random_joint(rng, (3, 3))
        channel = Channel(rng.dirichlet(np.ones(4), 3))
        found = joint_privacy_loss(joint, 0, [channel, GRR(1.0)])
        assert float(found.exact) <= found.dpl + float(found.others) + 1e-12
        smaller += float(found.exact) < found.dpl + float(found.others) - 1e-9
    assert smaller > 5


def test_refused_sizes_and_targets():
    joint = random_joint(np.random.default_rng(9), (2, 4, 4))
    with pytest.raises(LimitError, match="196 combinations of outputs"):
        joint_privacy_loss(joint, 0, mechanism_named("OUE", 1.0), most_outputs=100)
    bounds = joint_privacy_loss(joint, 0, mechanism_named("OUE", 1.0), exact=False)
    assert (bounds.exact, bounds.others, bounds.sum_holds) == (None, None, None)
    assert bounds.safe is bounds.joint_bound
    assert "not computed" in str(bounds)
    with pytest.raises(DomainError, match="The secret is 3; give a position from 0 to 2"):
        joint_privacy_loss(joint, 3, GRR(1.0))
    with pytest.raises(DomainError, match="2 mechanisms for 3 attributes"):
        joint_privacy_loss(joint, 0, [GRR(1.0), GRR(1.0)])
    assert joint_log_ratios(np.ones((1, 2)) / 2, [Reading("singletons", 1.0)]).tolist() == [[0.0]]


def test_records_whose_joint_table_is_too_large_have_bounds():
    rng = np.random.default_rng(10)
    codes = np.column_stack([rng.integers(0, 8, 60) for _ in range(9)])
    codes[3, 4] = -1
    table = AttributeTable(codes, [8] * 9)
    analysis = LocalAnalysis(table, "GRR", 0.2)
    found = analysis.joint(2)
    assert found.exact is None
    assert (
        0.2 < float(found.lower) < float(found.joint_bound) <= float(found.composition) == pytest.approx(1.8)
    )
    with pytest.raises(LimitError, match="9 attributes has 1"):
        analysis.joint(2, exact=True)
    small = analysis.joint(2, sources=[0, 1])
    assert small.exact is not None
    assert small.exact.about.sources == ("x3", "x1", "x2")
    # By records or by the table: the same bound.
    rows = SecretTables.of(table, [2, 0, 1]).observed
    assert rows.sum(axis=1) == pytest.approx(np.ones(8))
    joint = table.marginal([2, 0, 1])
    assert float(joint_privacy_loss(joint, 0, GRR(0.2), exact=False).joint_bound) == pytest.approx(
        float(small.joint_bound), abs=1e-13
    )


def test_an_analysis_asks_for_several_reports_by_name():
    analysis = LocalAnalysis(titanic(), "GRR", 1.0)
    found = analysis.joint("survived", ["class", "sex"])
    wanted = joint_privacy_loss(titanic().marginal(["survived", "class", "sex"]), 0, GRR(1.0))
    assert float(found.exact) == pytest.approx(float(wanted.exact), abs=1e-14)
    assert str(found.exact.about) == "survived, from the reports of survived, class, sex"
    assert analysis.joint("survived", exact=False).exact is None
    generic = LocalAnalysis(JointDistribution.normalised(XOR), AnyMechanism(1.0)).joint("x1")
    assert float(generic.exact) == pytest.approx(1.433781, abs=1e-6)


def test_a_joint_loss_says_how_many_records_count():
    table = AttributeTable([[0, 1], [1, 1], [1, 0], [0, -1]])
    assert str(LocalAnalysis(table, "GRR", 1.0).joint(0)).endswith(
        "from 3 records that have all of the attributes"
    )
    one = AttributeTable([[0, 1], [0, -1]], [2, 2])
    assert str(LocalAnalysis(one, "GRR", 1.0).joint(0)).endswith(
        "from 1 record that has all of the attributes"
    )
    assert "record" not in str(joint_privacy_loss([[0.25, 0.25], [0.25, 0.25]], 0, GRR(1.0)))


@pytest.mark.parametrize("exact", [True, False])
def test_a_joint_loss_as_a_frame(exact):
    found = LocalAnalysis(titanic(), "GRR", 1.0).joint("survived", exact=exact)
    frame = found.to_dataframe()
    by = frame.groupby("measure")["leakage"].apply(list).to_dict()
    assert by["pairwise sum"] == [found.pairwise_sum.value]
    assert by["lower bound"] == [found.lower.value]
    assert by["composition"] == [4.0]
    assert by["one report"] == [one.value for one in found.pairwise]
    assert by.get("exact") == ([found.exact.value] if exact else None)
    assert frame[frame.measure == "one report"]["reports of"].tolist() == ["class", "sex", "age"]
    assert frame.attrs["secret"] == "survived"
    assert frame.attrs["records"] == 2201


def test_a_secret_that_does_not_exist_is_answered_with_those_that_do():
    for data in (titanic(), AttributeTable.from_counts(titanic())):
        with pytest.raises(DomainError, match="'deck'; give a position from 0 to 3, or one of 'class', "):
            joint_privacy_loss(data, "deck", "GRR", epsilon=1.0)
