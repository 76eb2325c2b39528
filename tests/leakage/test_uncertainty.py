"""Leakage of a table estimated from counts: drawn tables, intervals for one adversary and for all."""

import copy
import math
import pickle
import re
import time

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
    PriorAnalysis,
    QueryError,
    TableError,
    exact_all,
    lsat6,
    prior_leakage,
)
from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.leakage.drawn_tables import drawn_tables
from pdp_widgets.leakage.prior.leakage_intervals import leakage_intervals
from pdp_widgets.leakage.prior.uncertainty import DrawnLeakage, leakage_interval
from pdp_widgets.prior import PriorAdversary
from tests.conftest import few
from tests.leakage.prior_reference import known_sets, models

ITEMS = lsat6().marginal(["item 1", "item 2", "item 5"])
SUM = LaplaceMechanism(LinearQuery.sum(ITEMS), 1.0)
DIAGONAL = JointDistribution.from_counts([[5, 0], [0, 5]])


@given(models(max_tuples=4), st.data())
def test_leakage_of_many_tables_is_that_of_each(model, data):
    joint, mechanism, row = model
    n = joint.n_tuples
    i = data.draw(st.integers(0, n - 1))
    known = {k: row[k] for k in data.draw(st.sampled_from(list(known_sets(n, i))))}
    method = data.draw(st.sampled_from(["dirichlet", "bootstrap"]))
    prior = data.draw(st.sampled_from(["bounded", "jeffreys", "uniform", 0.05]))
    zeros = data.draw(st.sampled_from(["possible", "structural"]))
    tables = drawn_tables(joint, method=method, prior=prior, zeros=zeros, draws=7, rng=5)
    kernel = DrawnLeakage(mechanism.query.contributions, mechanism.scale, i, known)
    found, occurs = kernel.leakages(tables)
    at = {k: joint.domains[k][p] for k, p in known.items()}
    for table, value, seen in zip(tables, found, occurs, strict=True):
        one = JointDistribution.normalised(table, joint.domains)
        if seen:
            expected = PriorAdversary(one, mechanism, i, at).leakage.value
            assert value == pytest.approx(expected, abs=1e-10, rel=1e-10)
        else:
            with pytest.raises(AdversaryError, match="probability 0"):
                PriorAdversary(one, mechanism, i, at)


@pytest.mark.parametrize("scale", [1.0, 1e-3])
def test_large_leakages_and_tiny_probabilities_do_not_underflow(scale):
    joint = JointDistribution.from_counts([[3, 0, 1], [0, 2, 0]])
    mechanism = LaplaceMechanism(LinearQuery([[0, 1], [0, 1, 5]]), scale)
    tables = drawn_tables(joint, prior=1e-3, draws=50, rng=0)
    found, _ = DrawnLeakage(mechanism.query.contributions, scale, 0, {}).leakages(tables)
    for table, value in zip(tables, found, strict=True):
        one = JointDistribution.normalised(table)
        assert value == pytest.approx(float(prior_leakage(one, mechanism, 0)), rel=1e-9, abs=1e-9)


def test_the_interval_is_made_of_quantiles_of_drawn_leakages():
    found = leakage_interval(ITEMS, SUM, "item 1", {"item 5": 1}, level=0.8, draws=300, rng=11)
    tables = drawn_tables(ITEMS, draws=300, rng=11)
    each = [
        PriorAdversary(JointDistribution.normalised(t, names=ITEMS.names), SUM, "item 1", {"item 5": 1})
        for t in tables
    ]
    low, high = np.quantile([float(a.leakage) for a in each], [0.1, 0.9])
    assert found.interval == pytest.approx((low, high), abs=1e-12)
    assert found.value == float(prior_leakage(ITEMS, SUM, "item 1", {"item 5": 1}))
    assert (found.status, found.convention) == ("estimate", "instance")
    assert str(found.about) == "item 1, knowing item 5 = 1"
    # The tuple counts itself: independent data leak 1, which an interval may well hold.
    assert found.source.endswith("80 % interval from 300 tables drawn by Dirichlet(counts + 0.5) (jeffreys)")


def test_the_same_seed_gives_the_same_interval():
    first, second, other = (leakage_interval(ITEMS, SUM, 0, rng=seed) for seed in (1, 1, 2))
    assert first == second
    assert first.interval != other.interval
    generator = leakage_interval(ITEMS, SUM, 0, rng=np.random.default_rng(1))
    assert generator == first
    assert leakage_interval(ITEMS, SUM, 0).interval != leakage_interval(ITEMS, SUM, 0).interval


def test_tables_do_not_depend_on_how_many_are_drawn_at_once(monkeypatch):
    whole = drawn_tables(ITEMS, draws=20, rng=4), drawn_tables(ITEMS, method="bootstrap", draws=20, rng=4)
    monkeypatch.setattr("pdp_widgets.leakage.drawn_tables._BLOCK", 24)
    for expected, method in zip(whole, ("dirichlet", "bootstrap"), strict=True):
        assert np.array_equal(drawn_tables(ITEMS, method=method, draws=20, rng=4), expected)


def test_drawn_tables_have_the_moments_of_their_law():
    joint = JointDistribution.from_counts([[8, 0], [3, 9]])
    tables = drawn_tables(joint, draws=20_000, prior="uniform", rng=0)
    alpha = joint.counts + 1.0
    mean = alpha / alpha.sum()
    assert tables.sum(axis=(1, 2)) == pytest.approx(1.0)
    assert tables.mean(axis=0) == pytest.approx(mean, abs=3e-3)
    assert tables.var(axis=0) == pytest.approx(mean * (1 - mean) / (alpha.sum() + 1), abs=5e-4)
    again = drawn_tables(joint, method="bootstrap", draws=20_000, rng=0)
    assert np.array_equal(again * 20, np.round(again * 20))
    assert again.mean(axis=0) == pytest.approx(joint.table, abs=3e-3)
    assert again.var(axis=0) == pytest.approx(joint.table * (1 - joint.table) / 20, abs=5e-4)
    assert not again[:, 0, 1].any()
    kept = drawn_tables(joint, zeros="structural", draws=100, rng=0)
    assert not kept[:, 0, 1].any()
    assert (np.delete(kept.reshape(100, 4), 1, axis=1) > 0).all()


@pytest.mark.parametrize("method", ["dirichlet", "bootstrap"])
def test_about_as_many_intervals_hold_the_true_leakage_as_their_level_says(method):
    true = JointDistribution([[0.35, 0.15], [0.2, 0.3]])
    mechanism = LaplaceMechanism(LinearQuery.sum(true), 1.0)
    leakage = float(prior_leakage(true, mechanism, 0))
    rng = np.random.default_rng(2024)
    held = 0
    for _ in range(200):
        sample = JointDistribution.from_counts(rng.multinomial(500, true.table.ravel()).reshape(2, 2))
        low, high = leakage_interval(
            sample, mechanism, 0, method=method, level=0.9, draws=400, rng=rng
        ).interval
        held += low <= leakage <= high
    # 180 expected, standard deviation 4.2.
    assert 165 <= held <= 195


@pytest.mark.parametrize("method", ["dirichlet", "bootstrap"])
@pytest.mark.parametrize("edge", ["independent", "copies"])
def test_a_truth_on_the_edge_is_never_held_and_that_is_said(method, edge):
    true = np.full((2, 2), 0.25) if edge == "independent" else np.eye(2) / 2
    mechanism = LaplaceMechanism(LinearQuery([[0, 1], [0, 1]]), 1.0)
    leakage = 2.0
    rng = np.random.default_rng(7)
    for _ in range(20):
        counts = rng.multinomial(500, true.ravel()).reshape(2, 2)
        sample = JointDistribution.from_counts(counts)
        asked = {"method": method, "draws": 200, "rng": rng}
        if edge == "independent":
            # Only the other tuple is counted: what leaks of the first is its dependence alone.
            other = LaplaceMechanism(LinearQuery([[0, 0], [0, 1]]), 1.0)
            found = leakage_interval(sample, other, 0, **asked)
            assert found.interval[0] > 0
            assert "it never contains 0, the leakage of independent data" in found.source
            continue
        found = leakage_interval(sample, mechanism, 0, **asked)
        held = found.interval[0] <= leakage <= found.interval[1]
        assert held == (method == "bootstrap")
        assert held or found.source.endswith("it lies below the estimate")
        structural = leakage_interval(sample, mechanism, 0, zeros="structural", **asked)
        assert structural.interval == pytest.approx((leakage, leakage))


def _wide(n, records=5000, seed=0):
    """Return a table of n answers that share a cause, and one of its records."""
    rng = np.random.default_rng(seed)
    answers = (0.7 * rng.normal(size=(records, 1)) + rng.normal(size=(records, n)) > 0.3).astype(int)
    counts = np.zeros((2,) * n, dtype=np.int64)
    np.add.at(counts, tuple(answers.T), 1)
    return JointDistribution.from_counts(counts), answers[7].tolist()


@pytest.mark.parametrize("n", [12, 15])
@pytest.mark.parametrize("method", ["dirichlet", "bootstrap"])
def test_intervals_hold_their_estimate_with_more_cells_than_records(n, method):
    joint, record = _wide(n)
    mechanism = _sum(joint)
    for row in (joint.most_probable(), record):
        for many in (0, 3, 6, 9, n - 1):
            known = {j: row[j] for j in range(1, many + 1)}
            found = leakage_interval(joint, mechanism, 0, known, method=method, rng=1)
            low, high = found.interval
            # Records of one label alone are no estimate of the other's.
            records = PriorAdversary(joint, mechanism, 0, known).feasible
            if len(records) > 1:
                assert low <= found.value <= high
            assert ("the estimate" in found.source) == (not low <= found.value <= high)
    if method == "dirichlet":
        jeffreys = leakage_interval(joint, mechanism, 0, prior="jeffreys", rng=1)
        assert jeffreys.interval[1] < jeffreys.value
        assert "it lies below the estimate" in jeffreys.source


def test_what_is_added_to_the_counts():
    wide, _ = _wide(15)
    for joint, options, words in (
        (ITEMS, {}, "counts + 0.5) (jeffreys)"),
        (ITEMS, {"prior": "jeffreys"}, "counts + 0.5) (jeffreys)"),
        (wide, {}, "counts + 0.002158) (bounded)"),
        (wide, {"prior": "jeffreys"}, "counts + 0.5) (jeffreys)"),
        # Cells that stay at 0 get nothing, the others share it.
        (DIAGONAL, {"zeros": "structural"}, "counts + 0.5) (jeffreys), cells without records kept at 0"),
    ):
        found = leakage_interval(joint, _sum(joint), 0, draws=2, rng=0, **options)
        assert f"Dirichlet({words}" in found.source


@pytest.mark.parametrize("convention", ["instance", "sup"])
@pytest.mark.parametrize(
    "options", [{}, {"zeros": "structural"}, {"method": "bootstrap"}, {"prior": "uniform"}]
)
def test_joined_draws_have_the_law_of_whole_tables(monkeypatch, convention, options):
    joint = JointDistribution.from_counts([[[3, 0, 1], [2, 2, 4]], [[0, 1, 1], [6, 0, 2]]])
    mechanism = LaplaceMechanism(LinearQuery([[0, 1], [0, 2], [0, 0.3, -1]]), 0.7)
    known = [1] if convention == "sup" else {1: 1}

    def ends():
        found = leakage_interval(
            joint, mechanism, 0, known, convention=convention, draws=20_000, level=0.5, rng=3, **options
        )
        return found.interval

    whole = ends()
    monkeypatch.setattr("pdp_widgets.leakage.prior.uncertainty._MOST_WHOLE", 0)
    assert ends() == pytest.approx(whole, rel=0.02, abs=0.01)
    assert ends() != whole


def test_the_work_for_one_interval_is_limited():
    joint, _ = _wide(12)
    with pytest.raises(LimitError, match=r"2,048 combinations of known values.*The limit is 1 s"):
        leakage_interval(joint, _sum(joint), 0, range(1, 12), convention="sup", limit=1)
    scattered = LaplaceMechanism(LinearQuery([[0, 2.0**-j] for j in range(12)]), 1.0)
    with pytest.raises(LimitError, match=r"values of the query"):
        leakage_interval(joint, scattered, 0, limit=0.5)


def test_more_records_make_the_interval_narrower():
    widths = []
    for factor in (1, 10, 100):
        joint = JointDistribution.from_counts(ITEMS.counts * factor)
        low, high = leakage_interval(joint, SUM, 0, rng=0).interval
        widths.append(high - low)
    assert widths[0] > 2.5 * widths[1] > 6 * widths[2]


def test_cells_without_records():
    mechanism = LaplaceMechanism(LinearQuery.sum(DIAGONAL), 1.0)
    # The counts leave x1 = 0 alone when x2 = 0 is known; a cell without records may be possible all the same.
    open_ = leakage_interval(DIAGONAL, mechanism, 0, {1: 0}, rng=0)
    assert (open_.value, open_.determined) == (0.0, False)
    assert open_.interval == pytest.approx((1.0, 1.0))
    fixed = leakage_interval(DIAGONAL, mechanism, 0, {1: 0}, zeros="structural", rng=0)
    assert (fixed.value, fixed.determined, fixed.interval) == (0.0, True, (0.0, 0.0))
    assert "cells without records kept at 0" in fixed.source
    again = leakage_interval(DIAGONAL, mechanism, 0, {1: 0}, method="bootstrap", rng=0)
    assert (again.determined, again.interval) == (True, (0.0, 0.0))


def test_tables_without_the_known_values_are_left_out_and_counted():
    joint = JointDistribution.from_counts([[20, 1], [20, 0]])
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    found = leakage_interval(joint, mechanism, 0, {1: 1}, method="bootstrap", draws=2000, rng=3)
    tables = drawn_tables(joint, method="bootstrap", draws=2000, rng=3)
    without = float((tables[:, :, 1].sum(axis=1) == 0).mean())
    # (40/41)**41 = 0.363.
    assert without == pytest.approx(0.363, abs=0.04)
    assert f"the known values do not occur in {100 * without:.3g} % of them" in found.source
    assert found.interval == (0.0, 0.0)
    with pytest.raises(TableError, match="none of the 2 drawn tables"):
        leakage_interval(joint, mechanism, 0, {1: 1}, method="bootstrap", draws=2, rng=_seed_without(joint))


def _seed_without(joint):
    return next(
        seed
        for seed in range(1000)
        if not drawn_tables(joint, method="bootstrap", draws=2, rng=seed)[:, :, 1].any()
    )


def test_a_label_that_no_table_has_is_left_out():
    joint = JointDistribution.from_counts([[4, 2], [3, 5], [0, 0]])
    mechanism = LaplaceMechanism(LinearQuery([[0, 1, 9], [0, 1]]), 1.0)
    two = JointDistribution.from_counts([[4, 2], [3, 5]])
    pair = LaplaceMechanism(LinearQuery([[0, 1], [0, 1]]), 1.0)
    found = leakage_interval(joint, mechanism, 0, method="bootstrap", rng=8)
    expected = leakage_interval(two, pair, 0, method="bootstrap", rng=8)
    assert found.value == pytest.approx(expected.value)
    assert found.interval[1] < 2.5


@few()
@given(models(min_tuples=2, max_tuples=3), st.sampled_from(["dirichlet", "bootstrap"]))
def test_worst_case_is_the_largest_over_known_values_in_every_table(model, method):
    joint, mechanism, _ = model
    known = tuple(range(1, joint.n_tuples))
    found = leakage_interval(
        joint, mechanism, 0, known, method=method, draws=9, level=0.5, rng=1, convention="sup"
    )
    each = [
        float(prior_leakage(JointDistribution.normalised(t), mechanism, 0, known, convention="sup"))
        for t in drawn_tables(joint, method=method, draws=9, rng=1)
    ]
    assert found.interval == pytest.approx(tuple(np.quantile(each, [0.25, 0.75])), abs=1e-9, rel=1e-9)
    assert found.convention == "sup"
    assert all(label is None for _, label in found.about.known)


@pytest.mark.parametrize("convention", ["instance", "sup"])
@pytest.mark.parametrize("method", ["dirichlet", "bootstrap"])
def test_all_adversaries_get_the_interval_of_each(convention, method):
    joint = JointDistribution.from_counts([[[3, 0, 1], [2, 2, 4]], [[0, 1, 1], [6, 0, 2]]])
    mechanism = LaplaceMechanism(LinearQuery([[0, 1], [0, 2], [0, 0.3, -1]]), 0.7)
    row = (1, 1, 0)
    nodes = leakage_intervals(joint, mechanism, row, convention, method=method, draws=60, rng=9)
    assert nodes.value.shape == nodes.low.shape == nodes.high.shape == (3, 4)
    for i in range(3):
        for c in range(4):
            known = known_of(3, i, c)
            given_ = known if convention == "sup" else {k: row[k] for k in known}
            one = leakage_interval(
                joint, mechanism, i, given_, convention=convention, method=method, draws=60, rng=9
            )
            node = nodes.node(i, known)
            assert (node.interval, node.source, node.about) == (one.interval, one.source, one.about)
            assert node.value == one.value
            assert (node.status, node.convention, node.determined) == ("estimate", convention, one.determined)
            assert column(3, i, known) == c
    if convention == "instance":
        assert nodes.value == pytest.approx(exact_all(joint, mechanism, row)[0], abs=1e-12)


def test_intervals_of_all_adversaries_as_a_value():
    nodes = leakage_intervals(ITEMS, SUM, [0, 1, 0], draws=50, level=0.9, rng=1)
    assert (nodes.level, nodes.draws, nodes.method, nodes.convention) == (0.9, 50, "dirichlet", "instance")
    assert (nodes.instance, nodes.names) == ((0, 1, 0), ITEMS.names)
    assert (nodes.low <= nodes.high).all()
    assert not nodes.without.any()
    for twin in (pickle.loads(pickle.dumps(nodes)), copy.deepcopy(nodes)):
        assert twin == nodes
        assert hash(twin) == hash(nodes)
        assert not twin.high.flags.writeable
    assert nodes != leakage_intervals(ITEMS, SUM, [0, 1, 0], draws=50, level=0.9, rng=2)
    assert repr(nodes) == (
        "LeakageIntervals(item 1, item 2, item 5: 90 % interval from 50 tables drawn by "
        "Dirichlet(counts + 0.5) (jeffreys))"
    )
    frame = nodes.to_dataframe()
    assert frame["high"].tolist() == nodes.high.ravel().tolist()
    assert frame.loc[3, ["target", "known", "layer"]].tolist() == ["item 1", "item 2, item 5", 1]
    with pytest.raises(AttributeError):
        nodes.low = 1
    with pytest.raises(AttributeError):
        nodes.__init__(nodes.names, 0, 0, 0, 0, False, None, None)
    with pytest.raises(AdversaryError, match="There is no tuple 'item 9'"):
        nodes.node("item 9")


def test_known_values_that_no_drawn_table_has_give_no_interval():
    joint = JointDistribution.from_counts([[20, 1], [20, 0]])
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    seed = _seed_without(joint)
    nodes = leakage_intervals(joint, mechanism, [0, 1], method="bootstrap", draws=2, rng=seed)
    assert math.isnan(nodes.low[0, 1])
    assert nodes.without[0].tolist() == [0.0, 1.0]
    assert nodes.node(0, [1]).interval is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "jackknife"}, "method is 'jackknife'; it is 'dirichlet' or 'bootstrap'"),
        ({"level": 1.0}, "level is 1; it must lie between 0 and 1"),
        ({"level": math.nan}, "level is nan"),
        ({"level": "95"}, "level is '95'"),
        ({"draws": 1}, "number of draws is 1; it must be a whole number, 2 to 9,007"),
        ({"draws": 10.0}, "number of draws is 10.0"),
        ({"prior": "haldane"}, "prior is 'haldane'; it is 'bounded' .*'jeffreys'"),
        ({"prior": 0}, "prior is 0;"),
        ({"prior": math.inf}, "prior is inf;"),
        ({"zeros": "none"}, "zeros is 'none'; it is 'possible'"),
    ],
)
def test_parameters_that_are_not_offered(options, message):
    for call in (
        lambda: leakage_interval(ITEMS, SUM, 0, **options),
        lambda: leakage_intervals(ITEMS, SUM, **options),
    ):
        with pytest.raises(TableError, match=message) as caught:
            call()
        assert caught.value.where.name == next(iter(options))


def test_other_faulty_input():
    plain = JointDistribution(ITEMS.table)
    for call in (
        lambda: leakage_interval(plain, SUM, 0),
        lambda: leakage_intervals(plain, SUM),
        lambda: drawn_tables(plain),
    ):
        with pytest.raises(TableError, match=r"does not come from counts.*from_counts"):
            call()
    with pytest.raises(AdversaryError, match="probability 0"):
        leakage_interval(_empty_label(), _sum(_empty_label()), 0, {1: 2})
    with pytest.raises(AdversaryError, match="without values"):
        leakage_interval(ITEMS, SUM, 0, [1])
    with pytest.raises(AdversaryError, match="'all'; it is 'instance' or 'sup'"):
        leakage_intervals(ITEMS, SUM, convention="all")
    with pytest.raises(QueryError, match="contributions for 2 tuples"):
        leakage_interval(ITEMS, _sum(DIAGONAL), 0)
    with pytest.raises(InstanceError, match="probability 0"):
        leakage_intervals(DIAGONAL, _sum(DIAGONAL), [0, 1])
    nine = JointDistribution.from_counts(np.ones((2,) * 9))
    with pytest.raises(LimitError, match="9 tuples have 2,304 adversaries"):
        leakage_intervals(nine, _sum(nine))
    eight = nine.marginal(range(8))
    with pytest.raises(LimitError, match="fewer draws"):
        leakage_intervals(eight, _sum(eight), convention="sup", limit=5)
    with pytest.raises(LimitError, match="1,000,000 tables of 512 cells"):
        drawn_tables(nine, draws=1_000_000)


def _sum(joint):
    return LaplaceMechanism(LinearQuery.sum(joint), 1.0)


def _empty_label():
    return JointDistribution.from_counts([[5, 0, 0], [0, 5, 0]])


class TestWorkIsEstimated:
    """Draws beyond time or memory are refused with both; the limit can be raised."""

    COUNTS = JointDistribution.from_counts([[5, 1], [1, 3]])

    def analysis(self):
        return PriorAnalysis(self.COUNTS, LaplaceMechanism(LinearQuery.sum(self.COUNTS), 1))

    @pytest.mark.parametrize("draws", [10**8, 10**12, 2**53])
    def test_more_than_a_minute_or_a_gigabyte_is_refused_with_both(self, draws):
        with pytest.raises(LimitError, match=r"take about [\d,]+ s and [\d,.]+ GB\. The limit is 60 s"):
            self.analysis().interval("x1", draws=draws)
        with pytest.raises(LimitError, match=r"take about [\d,]+ s and [\d,.]+ GB\."):
            self.analysis().intervals(draws=draws)

    def test_the_limit_can_be_moved(self):
        with pytest.raises(LimitError, match=r"The limit is 0\.001 s .*limit=math\.inf goes ahead"):
            self.analysis().interval("x1", draws=50_000, limit=0.001)
        found = self.analysis().interval("x1", draws=50_000, limit=math.inf, rng=1)
        assert found.interval == self.analysis().interval("x1", draws=50_000, rng=1).interval

    def test_the_time_is_about_what_it_takes(self):
        draws = 100_000
        with pytest.raises(LimitError) as refused:
            self.analysis().interval("x1", draws=1000 * draws, limit=1e-9)
        told = float(re.search(r"about ([\d,]+) s", str(refused.value))[1].replace(",", "")) / 1000
        begun = time.process_time()
        self.analysis().interval("x1", draws=draws, rng=1)
        assert told / 30 < time.process_time() - begun < told * 30

    @pytest.mark.parametrize("draws", [2**53 + 1, 10**400, np.timedelta64(5, "s")])
    def test_numbers_beyond_are_no_numbers_of_draws(self, draws):
        with pytest.raises(TableError, match=r"2 to 9,007,199,254,740,992"):
            self.analysis().interval("x1", draws=draws)
