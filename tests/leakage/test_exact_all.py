"""All adversaries at once, against enumeration from the definition and against one adversary at a time."""

import math

import numpy as np
import pytest
from hypothesis import given

from pdp_widgets import (
    InstanceError,
    JointDistribution,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    QueryError,
    exact_all,
)
from pdp_widgets.leakage.adversary import column, known_of, layer, layers
from pdp_widgets.leakage.prior import direct, releases
from pdp_widgets.prior import PriorAdversary
from tests.leakage.prior_reference import known_sets, leakage, models


@given(models())
def test_every_node_equals_the_definition(model):
    joint, mechanism, row = model
    values, determined = exact_all(joint, mechanism, row)
    n = joint.n_tuples
    assert values.shape == determined.shape == (n, 2 ** (n - 1))
    for i in range(n):
        for known in known_sets(n, i):
            labels = {k: row[k] for k in known}
            expected, fixed = leakage(joint.table, mechanism.query.contributions, mechanism.scale, i, labels)
            c = column(n, i, known)
            assert values[i, c] == pytest.approx(expected, abs=1e-11, rel=1e-11)
            assert determined[i, c] == fixed
            one = PriorAdversary(joint, mechanism, i, labels)
            assert float(one.leakage) == pytest.approx(expected, abs=1e-11, rel=1e-11)
            assert one.leakage.determined == fixed


@given(models(max_tuples=3))
def test_logarithms_and_products_agree_where_both_work(model):
    joint, mechanism, row = model
    table, contributions = joint.table, mechanism.query.contributions
    plain = direct.all_adversaries(table, contributions, mechanism.scale, row)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(releases, "needs_logarithms", lambda *_: True)
        logs = direct.all_adversaries(table, contributions, mechanism.scale, row)
    np.testing.assert_allclose(logs[0], plain[0], atol=1e-11)
    np.testing.assert_array_equal(logs[1], plain[1])


@pytest.mark.parametrize("scale", [1e-3, 1e-6, 1e-12])
def test_underflow_goes_through_logarithms(scale):
    # The one-tail table: x1 = 0 is at 0, x1 = 1 at 1 or 2 with equal weight. At r = 2 the gap is 2 / scale.
    joint = JointDistribution([[0.5, 0], [0.25, 0.25]])
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), scale)
    values, _ = exact_all(joint, mechanism, [1, 1])
    expected = 2 / scale + math.log((1 + math.exp(-1 / scale)) / 2)
    assert values[0, 0] == pytest.approx(expected, rel=1e-12)
    assert float(PriorAdversary(joint, mechanism, 0).leakage) == pytest.approx(expected, rel=1e-12)


def test_tiny_entries_are_exact():
    # Given x1 = 1 the release is centred at 1 or 2 with equal weight, however rare x1 = 1 is.
    tiny = 1e-300
    joint = JointDistribution([[1.0, 0.0], [tiny, tiny]])
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    values, determined = exact_all(joint, mechanism, [0, 0])
    assert values[0, 0] == pytest.approx(1 + math.log((1 + math.e) / 2), rel=1e-14)
    assert values[0, 1] == pytest.approx(1.0, rel=1e-14)
    assert determined.tolist() == [[False, False], [False, True]]


def test_a_long_range_with_a_rare_row_is_not_rounded_away():
    # Range / scale of 590 alone looks harmless; with an entry of 1e-60 the product underflows.
    joint = JointDistribution([[1.0 - 1e-60, 0.0], [0.0, 1e-60]], domains=[[0, 1], [0, 589]])
    values, _ = exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0), [0, 0])
    assert values[0, 0] == pytest.approx(590.0, rel=1e-14)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6, 1e150, 1e300])
def test_all_scales(scale):
    joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    values, _ = exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), scale))
    expected, _ = leakage(joint.table, [[0, 1], [0, 1]], scale, 0, {})
    assert np.isfinite(values).all()
    assert values[0, 0] == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_offset_does_not_cost_digits():
    joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    near = exact_all(joint, LaplaceMechanism(LinearQuery([[0, 1], [0, 1]]), 1.0))[0]
    far = exact_all(joint, LaplaceMechanism(LinearQuery([[1e15, 1e15 + 1], [0, 1]]), 1.0))[0]
    np.testing.assert_allclose(far, near, atol=1e-14)
    one = PriorAdversary(joint, LaplaceMechanism(LinearQuery([[1e15, 1e15 + 1], [0, 1]]), 1.0), 0)
    assert float(one.leakage) == pytest.approx(near[0, 0], abs=1e-14)


def test_tenths_merge_into_one_list_of_releases():
    from pdp_widgets.leakage.prior.releases import candidates, query_values

    y = [np.array([0, v]) for v in (0.1, 0.2, 0.3) for _ in range(4)]
    values = query_values(y)
    assert len(np.unique(values)) > 25
    found = candidates(values)
    assert len(found) == 25
    np.testing.assert_allclose(found, np.arange(25) / 10, atol=1e-12)


def test_one_tuple():
    joint = JointDistribution([0.2, 0.5, 0.3], domains=[["a", "b", "c"]])
    values, determined = exact_all(joint, LaplaceMechanism(LinearQuery([[0, 4, 1]]), 2.0), ["c"])
    assert values.tolist() == [[pytest.approx(2.0)]]
    assert not determined.any()


def test_one_tuple_whose_extreme_label_cannot_occur():
    joint = JointDistribution([0.5, 0.0, 0.5])
    values, _ = exact_all(joint, LaplaceMechanism(LinearQuery([[0, 4, 1]]), 2.0), [0])
    assert values.tolist() == [[pytest.approx(0.5)]]


def test_domain_of_one_label_leaks_nothing_and_changes_nothing():
    joint = JointDistribution([[[0.3], [0.2]], [[0.2], [0.3]]], domains=[[0, 1], [0, 1], [7]])
    values, determined = exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0))
    assert determined[2].all()
    assert not values[2].any()
    plain = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    without, _ = exact_all(plain, LaplaceMechanism(LinearQuery.sum(plain), 1.0))
    for i in range(2):
        for c in range(4):
            known = [k for k in known_of(3, i, c) if k != 2]
            assert values[i, c] == pytest.approx(without[i, column(2, i, known)], abs=1e-14)


def test_all_contributions_equal_leak_nothing():
    joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    values, determined = exact_all(joint, LaplaceMechanism(LinearQuery([[2, 2], [0, 0]]), 1.0))
    np.testing.assert_allclose(values, 0, atol=1e-15)
    assert not determined.any()


def test_the_row_is_the_most_probable_one_by_default():
    joint = JointDistribution([[0.1, 0.2], [0.3, 0.4]])
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    np.testing.assert_array_equal(exact_all(joint, mechanism)[0], exact_all(joint, mechanism, [1, 1])[0])


def test_row_of_probability_zero_is_named():
    joint = JointDistribution([[0.5, 0], [0, 0.5]], domains=[["no", "yes"], [0, 1]], names=["ill", "old"])
    mechanism = LaplaceMechanism(LinearQuery([[0, 1], [0, 1]]), 1.0)
    with pytest.raises(InstanceError, match=r"ill = no, old = 1.* probability 0") as caught:
        exact_all(joint, mechanism, ["no", 1])
    assert caught.value.where.kind == "row"
    assert caught.value.where.index == (0, 1)


def test_label_outside_its_domain_is_named():
    joint = JointDistribution([[0.5, 0], [0, 0.5]])
    with pytest.raises(InstanceError, match="3 is not a label of x2; its labels: 0, 1") as caught:
        exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0), [0, 3])
    assert caught.value.where.axis == 1


def test_contributions_must_fit():
    joint = JointDistribution([[0.5, 0], [0, 0.5]])
    with pytest.raises(QueryError, match="x2 has 2 labels and 3 contributions") as caught:
        exact_all(joint, LaplaceMechanism(LinearQuery([[0, 1], [0, 1, 2]]), 1.0))
    assert caught.value.where.axis == 1
    with pytest.raises(QueryError, match="contributions for 1 tuples"):
        exact_all(joint, LaplaceMechanism(LinearQuery([[0, 1]]), 1.0))


def test_too_many_tuples_are_refused_with_their_size():
    table = np.zeros((2,) * 21)
    table[(0,) * 21] = 1.0
    joint = JointDistribution(table)
    with pytest.raises(
        LimitError, match=r"21 tuples have 22,020,096 adversaries: 198 MB of results, about \d+ s"
    ) as caught:
        exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0))
    assert caught.value.where.name == "distribution"


def test_too_many_values_of_the_query_are_refused_with_the_time():
    rng = np.random.default_rng(5)
    joint = JointDistribution.normalised(rng.random((2,) * 16))
    mechanism = LaplaceMechanism(LinearQuery([[0, w] for w in rng.random(16)]), 1.0)
    with pytest.raises(LimitError, match=r"65,536 values on 65,536 cells: about [\d,]+ s"):
        exact_all(joint, mechanism)


def test_numbering_of_nodes():
    assert column(4, 2, (0, 3)) == 0b101
    assert known_of(4, 2, 0b101) == (0, 3)
    for n in range(1, 6):
        for i in range(n):
            for c in range(2 ** (n - 1)):
                assert column(n, i, known_of(n, i, c)) == c
                assert layer(n, c) == n - len(known_of(n, i, c)) == layers(n)[c]


def test_a_table_wider_than_one_block_of_work():
    # 6^4 cells and 21 releases: several blocks, labels of more than two kinds, checked by sampling nodes.
    rng = np.random.default_rng(3)
    joint = JointDistribution.normalised(rng.random((6, 6, 6, 6)))
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 2.0)
    values, _ = exact_all(joint, mechanism, [1, 2, 3, 4])
    for i, known in [(0, ()), (1, (0, 3)), (3, (0, 1, 2)), (2, (1,))]:
        labels = {k: (1, 2, 3, 4)[k] for k in known}
        expected = float(PriorAdversary(joint, mechanism, i, labels).leakage)
        assert values[i, column(4, i, known)] == pytest.approx(expected, abs=1e-13)
