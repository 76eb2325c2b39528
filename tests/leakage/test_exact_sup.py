"""All adversaries in the convention ``sup``, against enumeration of the known values and of the rows."""

import math
import threading
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    AdversaryError,
    InstanceError,
    JointDistribution,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    exact_all,
    prior_leakage,
)
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior import exact_sup, releases
from pdp_widgets.prior import PriorAdversary
from tests.leakage.prior_reference import known_sets, leakage, models


@st.composite
def wide_models(draw):
    """A model whose domains have 1 to 4 labels, of at most 48 rows."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4).filter(lambda s: math.prod(s) <= 48))
    return draw(models(sizes=sizes))


def largest(model, target, known):
    """Leakage over all known values that can occur, and whether the target is determined by all of them."""
    joint, mechanism, _ = model
    found = []
    for values in product(*(range(joint.shape[k]) for k in known)):
        where = [slice(None)] * joint.n_tuples
        for k, p in zip(known, values, strict=True):
            where[k] = p
        if joint.table[tuple(where)].any():
            labels = dict(zip(known, values, strict=True))
            found.append(leakage(joint.table, mechanism.query.contributions, mechanism.scale, target, labels))
    return max(value for value, _ in found), all(fixed for _, fixed in found)


@given(wide_models())
def test_every_node_equals_the_definition(model):
    joint, mechanism, _ = model
    values, determined = exact_all(joint, mechanism, convention="sup")
    n = joint.n_tuples
    assert values.shape == determined.shape == (n, 2 ** (n - 1))
    for i in range(n):
        for known in known_sets(n, i):
            c = column(n, i, known)
            expected, fixed = largest(model, i, known)
            assert values[i, c] == pytest.approx(expected, abs=1e-11, rel=1e-11)
            assert determined[i, c] == fixed


@given(wide_models())
def test_every_node_equals_one_adversary_at_a_time(model):
    joint, mechanism, _ = model
    values, determined = exact_all(joint, mechanism, convention="sup")
    n = joint.n_tuples
    for i in range(n):
        for known in known_sets(n, i):
            c = column(n, i, known)
            one = prior_leakage(joint, mechanism, i, known, convention="sup")
            assert values[i, c] == pytest.approx(float(one), abs=1e-11, rel=1e-11)
            assert determined[i, c] == one.determined


@given(wide_models())
def test_never_below_any_row(model):
    """The worst case is the largest over all rows that can occur; a determined node is so in every row."""
    joint, mechanism, _ = model
    values, determined = exact_all(joint, mechanism, convention="sup")
    rows = [exact_all(joint, mechanism, labels(joint, row)) for row in np.argwhere(joint.table > 0)]
    np.testing.assert_allclose(values, np.max([v for v, _ in rows], axis=0), atol=1e-11, rtol=1e-11)
    np.testing.assert_array_equal(determined, np.all([d for _, d in rows], axis=0))


def labels(joint, row):
    return tuple(d[p] for d, p in zip(joint.domains, row, strict=True))


def random_table(shape, seed, zeros=0.0):
    rng = np.random.default_rng(seed)
    weights = rng.random(shape)
    weights[rng.random(shape) < zeros] = 0
    return JointDistribution.normalised(weights)


@pytest.mark.parametrize("zeros", [0.0, 0.4])
@pytest.mark.parametrize("shape", [(2,) * 7, (3, 2, 2, 1, 2, 4), (2, 5, 2, 3)])
@pytest.mark.parametrize(("attacked", "row"), [(3, 3), (9, 9), (27, 3)])
def test_any_split_of_the_work(monkeypatch, zeros, shape, attacked, row):
    """Groups, outer tuples and blocks of releases that only large tables need, on small ones."""
    monkeypatch.setattr(exact_sup, "_ALL_STATES", 0)
    monkeypatch.setattr(exact_sup, "_ATTACKED_STATES", attacked)
    monkeypatch.setattr(exact_sup, "_ROW_STATES", row)
    monkeypatch.setattr(exact_sup, "_LEAF_NUMBERS", 500)
    joint = random_table(shape, 7, zeros)
    rng = np.random.default_rng(8)
    mechanism = LaplaceMechanism(LinearQuery([rng.integers(-2, 3, size=d) for d in shape]), 1.5)
    values, determined = exact_all(joint, mechanism, convention="sup")
    rows = [exact_all(joint, mechanism, labels(joint, row)) for row in np.argwhere(joint.table > 0)]
    np.testing.assert_allclose(values, np.max([v for v, _ in rows], axis=0), atol=1e-12)
    np.testing.assert_array_equal(determined, np.all([d for _, d in rows], axis=0))


def test_the_groups_of_a_large_table_cover_every_tuple_once():
    for shape in [(2,) * 11, (2,) * 15, (4, 2, 9, 2, 2, 30, 5), (400, 3, 400)]:
        groups = exact_sup._groups(shape)
        assert len(groups) > 1
        assert [j for group in groups for j in group.targets] == list(range(len(shape)))
        for group in groups:
            assert sorted(group.targets + group.low + group.high) == list(range(len(shape)))


def test_eleven_tuples():
    # Two groups, outer tuples and a shared sum as shipped; a tuple in each place, known sets of every size.
    joint = random_table((2,) * 11, 1, 0.2)
    mechanism = LaplaceMechanism(LinearQuery([[0, 1 + j % 3] for j in range(11)]), 2.0)
    values, determined = exact_all(joint, mechanism, convention="sup")
    rng = np.random.default_rng(2)
    for i in range(11):
        known = sorted(rng.choice([j for j in range(11) if j != i], size=i % 6, replace=False).tolist())
        one = prior_leakage(joint, mechanism, i, known, convention="sup")
        assert values[i, column(11, i, known)] == pytest.approx(float(one), abs=1e-12)
        assert determined[i, column(11, i, known)] == one.determined


@given(wide_models())
def test_logarithms_and_products_agree_where_both_work(model):
    joint, mechanism, _ = model
    args = joint.table, mechanism.query.contributions, mechanism.scale
    plain = exact_sup.all_adversaries(*args)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(releases, "needs_logarithms", lambda *_: True)
        logs = exact_sup.all_adversaries(*args)
    np.testing.assert_allclose(logs[0], plain[0], atol=1e-11)
    np.testing.assert_array_equal(logs[1], plain[1])


@pytest.mark.parametrize("scale", [1e-3, 1e-6, 1e-12])
def test_underflow_goes_through_logarithms(scale):
    joint = JointDistribution([[0.5, 0], [0.25, 0.25]])
    values, determined = exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), scale), convention="sup")
    expected = 2 / scale + math.log((1 + math.exp(-1 / scale)) / 2)
    assert values[0, 0] == pytest.approx(expected, rel=1e-12)
    assert values[0, 1] == pytest.approx(1 / scale, rel=1e-12)
    assert not determined.any()


def test_tiny_entries_are_exact():
    tiny = 1e-300
    joint = JointDistribution([[1.0, 0.0], [tiny, tiny]])
    values, determined = exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0), convention="sup")
    assert values[0, 0] == pytest.approx(1 + math.log((1 + math.e) / 2), rel=1e-14)
    assert values[:, 1] == pytest.approx([1.0, 1.0], rel=1e-14)
    assert not determined.any()


def test_determined_means_by_all_known_values():
    # x2 = 1 leaves x1 open, x2 = 0 does not; in the other table both determine x1.
    open_ = JointDistribution([[0.5, 0.25], [0.0, 0.25]])
    values, determined = exact_all(open_, LaplaceMechanism(LinearQuery.sum(open_), 1.0), [0, 0], "sup")
    assert not determined.any()
    assert values[0, 1] == pytest.approx(1.0)
    closed = JointDistribution([[0.5, 0], [0, 0.5]])
    values, determined = exact_all(closed, LaplaceMechanism(LinearQuery.sum(closed), 1.0), [0, 0], "sup")
    assert determined.tolist() == [[False, True], [False, True]]
    assert values.tolist() == [[pytest.approx(2.0), 0.0], [pytest.approx(2.0), 0.0]]


def test_open_targets_that_leak_nothing_are_not_determined():
    joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    values, determined = exact_all(
        joint, LaplaceMechanism(LinearQuery([[2, 2], [0, 0]]), 1.0), convention="sup"
    )
    np.testing.assert_allclose(values, 0, atol=1e-15)
    assert not determined.any()


def test_the_row_does_not_matter_but_must_be_one():
    joint = random_table((2, 3, 2), 4)
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    first = exact_all(joint, mechanism, [0, 0, 0], "sup")[0]
    np.testing.assert_array_equal(first, exact_all(joint, mechanism, [1, 2, 1], "sup")[0])
    with pytest.raises(InstanceError, match="5 is not a label"):
        exact_all(joint, mechanism, [0, 5, 0], "sup")


@pytest.mark.parametrize("convention", ["average", "SUP", "", None, 1, ["sup"], np.array(["sup", "sup"])])
def test_there_are_two_conventions(convention):
    joint = JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    with pytest.raises(AdversaryError, match="it is 'instance' or 'sup'") as caught:
        exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0), convention=convention)
    assert caught.value.where.name == "convention"


@given(wide_models(), st.data())
def test_the_worst_known_values_reach_the_largest_leakage(model, data):
    joint, mechanism, _ = model
    i = data.draw(st.integers(0, joint.n_tuples - 1))
    known = data.draw(st.sampled_from(list(known_sets(joint.n_tuples, i))))
    args = joint.table, mechanism.query.contributions, mechanism.scale
    positions = exact_sup.worst_known(*args, i, known)
    there, fixed = leakage(*args, i, dict(zip(known, positions, strict=True)))
    expected, always = largest(model, i, known)
    assert there == pytest.approx(expected, abs=1e-11, rel=1e-11)
    assert fixed == always


class TestLimits:
    def test_sixteen_tuples_are_refused_with_memory_and_time(self):
        joint = random_table((2,) * 16, 1)
        mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
        told = r"16 tuples takes about \d+ s and [\d,]+ MB.* 15 tuples"
        with pytest.raises(LimitError, match=told) as caught:
            exact_all(joint, mechanism, convention="sup")
        assert caught.value.where.name == "distribution"
        assert "limit=math.inf" in str(caught.value)

    def test_too_long_a_time_is_refused(self):
        joint = random_table((2,) * 12, 1)
        rng = np.random.default_rng(3)
        mechanism = LaplaceMechanism(LinearQuery([[0, w] for w in rng.random(12)]), 1.0)
        with pytest.raises(LimitError, match=r"about [\d,]+ s .*4,096 values.*The limit is 60 s") as caught:
            exact_all(joint, mechanism, convention="sup")
        assert caught.value.where.name == "mechanism"

    def test_a_limit_of_the_caller(self):
        joint = random_table((2,) * 6, 1)
        mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
        with pytest.raises(LimitError, match="The limit is 1e-06 s"):
            exact_all(joint, mechanism, convention="sup", limit=1e-6)
        without, _ = exact_all(joint, mechanism, convention="sup", limit=math.inf)
        np.testing.assert_array_equal(without, exact_all(joint, mechanism, convention="sup")[0])

    def test_no_limit_goes_beyond_fifteen_tuples(self):
        # All but two tuples have one label: 16 tuples, but hardly any work.
        joint = random_table((1,) * 7 + (2,) + (1,) * 7 + (2,), 1)
        mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
        with pytest.raises(LimitError, match="16 tuples"):
            exact_all(joint, mechanism, convention="sup")
        values, determined = exact_all(joint, mechanism, convention="sup", limit=math.inf)
        small = JointDistribution(joint.table.reshape(2, 2))
        expected, _ = exact_all(small, LaplaceMechanism(LinearQuery.sum(small), 1.0), convention="sup")
        assert values[7, 0] == pytest.approx(expected[0, 0])
        assert values[15, -1] == pytest.approx(expected[1, 1])
        assert determined.all(axis=1).tolist() == [d == 1 for d in joint.shape]

    def test_more_work_costs_more(self):
        for logarithms in (False, True):
            costs = [exact_sup.work((2,) * n, n + 1, logarithms) for n in range(1, 18)]
            assert all(a.seconds < b.seconds for a, b in pairwise(costs))
            assert all(0 < cost.megabytes < 400 for cost in costs)
        assert exact_sup.work((2,) * 20, 21, False).megabytes > 94
        assert exact_sup.work((2,) * 12, 13, True).seconds > exact_sup.work((2,) * 12, 13, False).seconds


PATHS = [
    pytest.param((2,) * 9, [1.0] * 9, 1.0, "sup", id="sup"),
    pytest.param((2,) * 11, [1.0] * 11, 1.0, "sup", id="sup in groups"),
    pytest.param((2,) * 5, [1.0] * 5, 0.005, "sup", id="sup in logarithms"),
    pytest.param((2,) * 12, [1.0] * 12, 1.0, "instance", id="lattice"),
    pytest.param((2,) * 8, [2**0.5, 1, 3**0.5, 1, 1, 1, 1, 1], 1.0, "instance", id="no lattice"),
    pytest.param((2,) * 8, [40, 30, 1, 1, 1, 1, 1, 1], 1.0, "instance", id="long lattice"),
    pytest.param((3,) * 5, [1.0] * 5, 1.0, "instance", id="direct"),
]


def problem(shape, weights):
    joint = random_table(shape, 1)
    return joint, LinearQuery([w * np.arange(d) for w, d in zip(weights, shape, strict=True)])


class Cancelled(Exception):
    pass


@pytest.mark.parametrize(("shape", "weights", "scale", "convention"), PATHS)
class TestProgress:
    def test_grows_and_ends_at_one(self, shape, weights, scale, convention):
        joint, query = problem(shape, weights)
        told = []
        mechanism = LaplaceMechanism(query, scale)
        values, determined = exact_all(joint, mechanism, convention=convention, progress=told.append)
        assert told[-1] == 1.0
        assert told.count(1.0) == 1
        assert len(told) <= 101
        assert all(0 < a < b for a, b in pairwise(told))
        plain = exact_all(joint, mechanism, convention=convention)
        np.testing.assert_array_equal(values, plain[0])
        np.testing.assert_array_equal(determined, plain[1])

    def test_cancelling_leaves_nothing_behind(self, shape, weights, scale, convention):
        joint, query = problem(shape, weights)
        mechanism = LaplaceMechanism(query, scale)
        expected = exact_all(joint, mechanism, convention=convention)[0]
        buffer, errors = np.getbufsize(), np.geterr()
        shares = []

        def hook(share):
            shares.append(share)
            if len(shares) == 2 or share == 1.0:
                raise Cancelled

        with pytest.raises(Cancelled):
            exact_all(joint, mechanism, convention=convention, progress=hook)
        assert (np.getbufsize(), np.geterr()) == (buffer, errors)
        np.testing.assert_array_equal(exact_all(joint, mechanism, convention=convention)[0], expected)

    def test_the_hook_may_compute_and_divide(self, shape, weights, scale, convention):
        """A hook that answers messages may ask for another computation, with numpy as the caller set it."""
        joint, query = problem(shape, weights)
        mechanism = LaplaceMechanism(query, scale)
        expected = exact_all(joint, mechanism, convention=convention)[0]
        other = LaplaceMechanism(query, 2 * scale)
        wanted = exact_all(joint, other, convention=convention)[0]
        outside = np.geterr(), np.getbufsize()
        within = []

        def hook(share):
            assert (np.geterr(), np.getbufsize()) == outside
            if len(within) < 3:
                within.append(exact_all(joint, other, convention=convention)[0])

        values, _ = exact_all(joint, mechanism, convention=convention, progress=hook)
        np.testing.assert_array_equal(values, expected)
        assert within
        for found in within:
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(("tuples", "convention"), [(11, "sup"), (15, "instance")])
def test_long_work_is_told_in_many_steps(tuples, convention):
    joint, query = problem((2,) * tuples, [1.0] * tuples)
    told = []
    exact_all(joint, LaplaceMechanism(query, 1.0), convention=convention, progress=told.append)
    assert len(told) > 10
    assert max(np.diff([0.0, *told])) < 0.2


def test_two_threads_do_not_disturb_each_other():
    joint, query = problem((2,) * 8, [1.0] * 8)
    scales = [1.0, 0.5]
    expected = [exact_all(joint, LaplaceMechanism(query, s), convention="sup")[0] for s in scales]
    found = {}

    def run(k):
        for _ in range(3):
            found[k] = exact_all(joint, LaplaceMechanism(query, scales[k]), convention="sup")[0]

    threads = [threading.Thread(target=run, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(2):
        np.testing.assert_array_equal(found[k], expected[k])


def test_one_adversary_at_the_worst_known_values():
    joint = random_table((2, 3, 2), 9, 0.2)
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    values, _ = exact_all(joint, mechanism, convention="sup")
    for i, known in [(0, (1, 2)), (1, (0,)), (2, ())]:
        positions = exact_sup.worst_known(
            joint.table, mechanism.query.contributions, mechanism.scale, i, known
        )
        at = {k: joint.domains[k][p] for k, p in zip(known, positions, strict=True)}
        one = PriorAdversary(joint, mechanism, i, at)
        assert float(one.leakage) == pytest.approx(values[i, column(3, i, known)], abs=1e-12)
