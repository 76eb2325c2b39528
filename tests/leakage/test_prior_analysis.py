"""All results of one release: the numbers of the first notebook."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from pdp_widgets import (
    AdversaryError,
    DomainError,
    HistogramQuery,
    InstanceError,
    JointDistribution,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    PriorAnalysis,
    QueryError,
    calibrate,
    compare_noise,
    exact_all,
    lsat6,
    prior_leakage,
)
from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.leakage.prior.chain_rule import chain_all, chain_path
from pdp_widgets.leakage.prior.path_search import complete_path_minimum, fast_search
from pdp_widgets.prior import joint_leakage, leakage_intervals
from tests.leakage.prior_reference import models


def analyse(joint, instance=None, scale=1.0):
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale), instance)


@pytest.fixture(scope="module")
def three():
    return analyse(lsat6().marginal(["item 1", "item 2", "item 5"]), [0, 1, 0])


def test_three_answers(three):
    assert float(three.largest) == pytest.approx(1.397631, abs=1e-6)
    assert str(three.largest.about) == "item 5, knowing item 1 = 0"
    assert (three.largest.attained.r, three.largest.attained.side) == (2.0, ">=")
    assert three.largest.attained.pair == (1, 0)
    assert three.promise == 1
    assert three.exact[0, 0] == pytest.approx(1.234144, abs=1e-6)
    assert three.paper[2, column(3, 2, [0])] == pytest.approx(1.36384, abs=1e-5)
    assert three.increments[2, column(3, 2, [0]), 1] == pytest.approx(0.3638, abs=5e-5)
    assert three.increments[2, 0, 0] == pytest.approx(0.0282, abs=5e-5)
    assert (three.above_promise, three.too_low, three.too_high) == (7, 6, 1)
    assert three.adversary("item 5", ["item 1"]).records == 76
    assert not three.determined.any()


def test_five_answers():
    five = analyse(lsat6(), [1, 1, 0, 1, 1])
    assert float(five.largest) == pytest.approx(1.493111, abs=1e-6)
    assert str(five.largest.about) == "item 1, knowing none"
    assert float(five.paper.max()) == pytest.approx(1.315186, abs=1e-6)
    assert (five.too_low, five.too_high) == (49, 8)


def test_the_instance_is_the_most_probable_row_by_default():
    five = analyse(lsat6())
    assert five.instance == (1, 1, 1, 1, 1)
    assert five.instance_positions == (1, 1, 1, 1, 1)


def test_nodes_carry_what_they_are(three):
    node = three.node("item 5", [0])
    assert (node.status, node.convention, node.unit) == ("exact", "instance", "nats")
    assert node.value == three.exact[2, 1]
    printed = three.paper_node("item 5", [0])
    assert (printed.status, printed.attained) == ("as printed", None)
    assert printed.value == three.paper[2, 1]
    assert "Algorithm 1" in printed.source


def test_chain_path(three):
    path = three.chain_path("item 5", ["item 2", "item 1"])
    assert path.values[1] == pytest.approx(1.36384, abs=1e-5)
    assert len(path.values) == 3
    assert [float(one) for one in path.leakages] == list(path.values)
    assert [str(one.about) for one in path.leakages] == [
        "item 5, knowing item 1 = 0, item 2 = 1",
        "item 5, knowing item 1 = 0",
        "item 5, knowing none",
    ]
    assert {(one.status, one.unit, one.convention) for one in path.leakages} == {
        ("as printed", "nats", "instance")
    }
    with pytest.raises(AdversaryError, match="attacked and known"):
        three.chain_path("item 5", ["item 5"])
    with pytest.raises(AdversaryError, match="named twice"):
        three.chain_path("item 5", [0, 0])


def test_arrays_are_read_only(three):
    for array in (three.exact, three.paper, three.determined, three.increments, three.group_bounds):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


def test_results_do_not_share_memory():
    first = analyse(lsat6(), scale=1.0)
    before = first.exact.copy()
    analyse(lsat6(), scale=0.3)
    np.testing.assert_array_equal(first.exact, before)


def test_data_frame(three):
    frame = three.to_dataframe(with_paper=True)
    named = ["target", "known", "layer", "exact", "determined", "group_bound", "convention", "paper"]
    assert list(frame.columns) == named
    assert set(frame.convention) == {"instance"}
    assert len(frame) == 12
    row = frame[(frame.target == "item 5") & (frame.known == "item 1")].iloc[0]
    assert row.exact == pytest.approx(1.397631, abs=1e-6)
    assert row.layer == 2
    assert row.group_bound == 2
    assert frame.attrs["unit"] == "nats"
    assert "Eq. 16" in frame.attrs["source"]
    assert frame.attrs["status"] == {"exact": "exact", "group_bound": "bound", "paper": "as printed"}
    assert "paper" not in three.to_dataframe()
    assert "paper" not in three.to_dataframe().attrs["status"]


def test_networkx(three):
    whole = three.to_networkx(with_paper=True)
    assert whole.nodes[(2, (0,))]["paper"] == pytest.approx(1.36384, abs=1e-5)
    assert "paper" not in three.to_networkx(2).nodes[(2, (0,))]


def test_determined_targets():
    joint = JointDistribution([[0.5, 0], [0, 0.5]])
    analysis = analyse(joint, [1, 1])
    assert analysis.determined.tolist() == [[False, True], [False, True]]
    assert analysis.node(0, [1]).determined
    assert float(analysis.node(0, [1])) == 0
    assert analysis.paper[0, 1] == 1  # layer 1 of the chain rule stays LS / scale
    # Nothing is estimated wrongly about a target that the known values give away.
    assert analysis.too_high == analysis.too_low == 0


def test_faults():
    joint = JointDistribution([[0.5, 0], [0, 0.5]])
    with pytest.raises(InstanceError, match="probability 0"):
        analyse(joint, [0, 1])
    with pytest.raises(QueryError, match="contributions"):
        PriorAnalysis(joint, LaplaceMechanism(LinearQuery([[0, 1]]), 1))
    with pytest.raises(AdversaryError, match="no tuple"):
        analyse(joint).node("x9")
    with pytest.raises(DomainError, match="Name the target"):
        analyse(joint).plot(known=[1])


def test_the_largest_leakage_of_a_sparse_table_comes_with_a_caution(three):
    sparse = analyse(JointDistribution.from_counts([[[1, 0], [0, 2]], [[0, 1], [1, 0]]]))
    assert "5 records in 8 cells: 4 cells are empty" in sparse.caution
    assert sparse.largest.source.endswith(sparse.caution)
    assert str(sparse).splitlines()[1:] == [f"Largest: {sparse.largest}", f"Caution: {sparse.caution}."]
    assert three.caution == ""
    assert str(three).splitlines() == [repr(three), f"Largest: {three.largest}"]


def test_values_of_known_tuples_are_not_thrown_away(three):
    for values in ({"item 2": "banana"}, {"item 2": 1}):
        for ask in (three.node, three.group_bound, three.intervals(draws=2).node):
            with pytest.raises(
                AdversaryError, match=r"come with values.*Name the tuples alone, \['item 2'\]"
            ):
                ask("item 1", values)
    assert three.node("item 1", {}) == three.node("item 1")


def test_text_labels_with_contributions():
    joint = JointDistribution([[0.4, 0.1], [0.1, 0.4]], [["no", "yes"], ["no", "yes"]], ["ill", "old"])
    analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery([[0, 1], [0, 1]]), 1), ["yes", "yes"])
    assert analysis.largest.attained.pair in {("no", "yes"), ("yes", "no")}
    assert analysis.instance == ("yes", "yes")


def test_value(three):
    same = analyse(lsat6().marginal(["item 1", "item 2", "item 5"]), [0, 1, 0])
    assert (three == same) is True
    assert hash(three) == hash(same)
    assert three != analyse(three.distribution, [1, 1, 1])
    assert three != 1
    assert repr(three).endswith("instance=(0, 1, 0)): largest 1.39763 nats")


def test_plots_are_bqplot_figures(three):
    import bqplot

    assert isinstance(three.plot(show_paper=True), bqplot.Figure)
    assert len(three.plot("item 5", ["item 1"]).children) == 2


def test_no_copy_can_be_written_to(three):
    for made in (copy.copy(three), copy.deepcopy(three), pickle.loads(pickle.dumps(three))):
        assert made == three
        assert made.largest == three.largest
        np.testing.assert_array_equal(made.paper, three.paper)
        for array in (made.exact, made.determined, made.paper, made.increments, made.group_bounds):
            assert not array.flags.writeable


def test_no_copy_of_an_adversary_can_be_written_to(three):
    adversary = three.adversary("item 5", ["item 1"])
    for made in (copy.copy(adversary), copy.deepcopy(adversary), pickle.loads(pickle.dumps(adversary))):
        assert made.leakage == adversary.leakage
        assert made.known == adversary.known
        assert not made.prior.flags.writeable


def test_the_group_bound_of_an_adversary_by_name(three):
    bound = three.group_bound("item 5", ["item 1"])
    assert (float(bound), bound.status) == (2, "bound")
    assert str(bound.about) == "item 5, knowing item 1"
    assert float(three.group_bound("item 5", "item 1", loose=True)) == 2
    assert float(bound) == three.group_bounds[2, 1]
    with pytest.raises(AdversaryError, match="no tuple"):
        three.group_bound("item 9")


class TestFurtherQuestions:
    """The methods ask the functions of the package about this query, row and convention."""

    @pytest.fixture(scope="class", params=["instance", "sup"])
    def analysis(self, request):
        joint = lsat6().marginal(["item 1", "item 2", "item 5"])
        mechanism = LaplaceMechanism(LinearQuery.weighted(joint, [1, 2, 1]), 2.0)
        return PriorAnalysis(joint, mechanism, [0, 1, 0], request.param)

    def test_noise(self, analysis):
        model = analysis.distribution, analysis.mechanism.query, 0.8
        how = {"adversaries": 2, "instance": [0, 1, 0], "convention": analysis.convention}
        assert analysis.calibrate(0.8, adversaries=2, rtol=1e-8) == calibrate(*model, rtol=1e-8, **how)
        table = analysis.compare_noise(0.8, adversaries=2)
        assert table == compare_noise(*model, **how)
        assert [row.name for row in table.rows] == ["plain DP", "group DP", "chain rule", "exact"]
        if analysis.convention == "sup":
            for ask in (analysis.calibrate, analysis.compare_noise):
                with pytest.raises(LimitError, match="The limit is 0 s"):
                    ask(0.8, limit=0)

    def test_intervals(self, analysis):
        options = {"method": "bootstrap", "level": 0.8, "draws": 40, "rng": 5}
        every = analysis.intervals(**options)
        assert every == leakage_intervals(
            analysis.distribution, analysis.mechanism, [0, 1, 0], analysis.convention, **options
        )
        one = analysis.interval("item 5", ["item 2"], **options)
        assert replace(one, attained=None) == every.node("item 5", ["item 2"])
        assert one.about == analysis.node("item 5", ["item 2"]).about

    def test_the_paper(self, analysis):
        args = analysis.distribution.table, analysis.mechanism.query.contributions, 2.0, (0, 1, 0)
        fast, plain = analysis.fast_search(), fast_search(*args, analysis.convention)
        assert (fast.layer_max, fast.kept) == (plain.layer_max, plain.kept)
        assert float(fast) == float(plain)
        assert (fast.status, fast.leakage.status, fast.unit) == ("as printed", "as printed", "nats")
        assert fast.leakage.convention == analysis.convention
        assert fast.leakage.about.target in analysis.distribution.names
        found = analysis.complete_path_minimum("item 5", ["item 1"])
        assert float(found) == complete_path_minimum(*args, 2, [0], analysis.convention)
        assert (found.status, found.convention, found.attained) == (
            "as printed",
            analysis.convention,
            None,
        )
        assert found.about == analysis.paper_node("item 5", ["item 1"]).about
        assert float(found) <= float(analysis.paper_node("item 5", ["item 1"])) + 1e-12
        with pytest.raises(AdversaryError, match="attacked and known"):
            analysis.complete_path_minimum("item 5", "item 5")

    def test_a_histogram(self, analysis):
        queries = HistogramQuery.of_labels(analysis.distribution)
        found = analysis.joint_leakage(queries, "item 5", "item 1")
        known = {"item 1": 0} if analysis.convention == "instance" else ["item 1"]
        assert found == joint_leakage(
            analysis.distribution, queries, 2.0, "item 5", known, convention=analysis.convention
        )


class TestWorstCase:
    @pytest.fixture(scope="class")
    def worst(self):
        joint = lsat6().marginal(["item 1", "item 2", "item 5"])
        return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [1, 1, 1], convention="sup")

    def test_convention_is_stated(self, worst, three):
        assert (worst.convention, three.convention) == ("sup", "instance")
        node = worst.node("item 5", ["item 1"])
        assert (node.convention, node.status, node.about.known) == ("sup", "exact", (("item 1", None),))
        assert worst.paper_node("item 5", ["item 1"]).convention == "sup"
        assert worst.paper_node("item 5", ["item 1"]).about == node.about
        assert set(worst.to_dataframe().convention) == {"sup"}
        assert "instance=(1, 1, 1), convention='sup'): largest " in repr(worst)

    def test_never_below_a_row(self, worst, three):
        assert (worst.exact >= three.exact - 1e-12).all()
        assert float(worst.largest) == pytest.approx(1.397631, abs=1e-6)
        assert worst.largest.attained.known == (("item 1", 0),)
        assert worst.largest.convention == "sup"

    def test_the_adversary_is_the_one_with_the_worst_known_values(self, worst):
        adversary = worst.adversary("item 5", ["item 1"])
        assert adversary.known == {"item 1": 0}
        assert float(adversary.leakage) == pytest.approx(float(worst.node("item 5", ["item 1"])), abs=1e-12)

    def test_the_estimate_has_the_same_convention(self, worst):
        args = worst.distribution.table, worst.mechanism.query.contributions, 1.0, (1, 1, 1)
        np.testing.assert_array_equal(worst.paper, chain_all(*args, convention="sup").values)
        np.testing.assert_array_equal(worst.increments, chain_all(*args, convention="sup").increments)
        found = worst.chain_path("item 5", ["item 2", "item 1"])
        plain = chain_path(*args, 2, [1, 0], convention="sup")
        assert (found.values, found.edge_values) == (plain.values, plain.edge_values)
        assert str(found.leakages[0].about) == "item 5, knowing item 1, item 2"
        assert {one.convention for one in (*found.leakages, *plain.leakages)} == {"sup"}
        assert (worst.paper != chain_all(*args).values).any()

    def test_values_of_different_conventions_differ(self, worst):
        same = PriorAnalysis(worst.distribution, worst.mechanism, worst.instance, "sup")
        assert (worst == same) is True
        assert hash(worst) == hash(same)
        assert worst != PriorAnalysis(worst.distribution, worst.mechanism, worst.instance)

    def test_no_copy_can_be_written_to(self, worst):
        for made in (copy.copy(worst), copy.deepcopy(worst), pickle.loads(pickle.dumps(worst))):
            assert made == worst
            assert made.convention == "sup"
            assert made.largest == worst.largest
            np.testing.assert_array_equal(made.exact, worst.exact)
            np.testing.assert_array_equal(made.paper, worst.paper)
            for array in (made.exact, made.determined, made.paper, made.understated, made.overstated):
                assert not array.flags.writeable

    def test_plots_show_the_worst_case(self, worst):
        import bqplot

        assert isinstance(worst.plot(show_paper=True), bqplot.Figure)
        assert len(worst.plot("item 5", ["item 1"]).children) == 2

    def test_determined_by_every_value(self):
        joint = JointDistribution([[0.5, 0.25], [0, 0.25]])
        mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1)
        assert PriorAnalysis(joint, mechanism, [0, 0]).node(0, [1]).determined
        node = PriorAnalysis(joint, mechanism, [0, 0], "sup").node(0, [1])
        assert not node.determined
        assert (node.value, node.attained.known) == (pytest.approx(1.0), (("x2", 1),))
        equal = JointDistribution([[0.5, 0], [0, 0.5]])
        node = PriorAnalysis(equal, LaplaceMechanism(LinearQuery.sum(equal), 1), convention="sup").node(
            0, [1]
        )
        assert (node.value, node.determined, node.attained) == (0.0, True, None)

    def test_faults(self):
        joint = JointDistribution([[0.5, 0], [0, 0.5]])
        mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1)
        with pytest.raises(AdversaryError, match="'mean'; it is 'instance' or 'sup'"):
            PriorAnalysis(joint, mechanism, convention="mean")
        with pytest.raises(InstanceError, match="probability 0"):
            PriorAnalysis(joint, mechanism, [0, 1], "sup")
        many = JointDistribution.normalised(np.ones((2,) * 16))
        with pytest.raises(LimitError, match="15 tuples"):
            PriorAnalysis(many, LaplaceMechanism(LinearQuery.sum(many), 1), convention="sup")


@given(models(max_tuples=3))
def test_every_node_of_the_worst_case_equals_one_adversary(model):
    joint, mechanism, row = model
    labels = [d[p] for d, p in zip(joint.domains, row, strict=True)]
    analysis = PriorAnalysis(joint, mechanism, labels, "sup")
    for i in range(joint.n_tuples):
        for c in range(analysis.exact.shape[1]):
            known = known_of(joint.n_tuples, i, c)
            node, one = analysis.node(i, known), prior_leakage(joint, mechanism, i, known, convention="sup")
            assert float(node) == pytest.approx(float(one), abs=1e-11, rel=1e-11)
            assert (node.determined, node.about, node.convention) == (one.determined, one.about, "sup")
            assert node.determined == analysis.determined[i, c]
            if not node.determined:
                adversary = analysis.adversary(i, known)
                assert tuple(adversary.known.items()) == node.attained.known
                gain = adversary.log_ratio(*node.attained.pair, node.attained.r)
                assert float(gain) == pytest.approx(float(node), abs=1e-9)


@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_where_the_estimate_is_wrong(convention):
    joint = lsat6()
    analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), [1, 1, 0, 1, 1], convention)
    gap = analysis.paper - analysis.exact
    assert not (analysis.understated & analysis.overstated).any()
    assert (gap[analysis.understated] < 0).all()
    assert (gap[analysis.overstated] > 0).all()
    np.testing.assert_allclose(gap[~analysis.understated & ~analysis.overstated], 0, atol=1e-8)
    assert analysis.too_low == analysis.understated.sum() > 0
    assert analysis.too_high == analysis.overstated.sum() > 0
    for array in (analysis.understated, analysis.overstated):
        assert array.shape == analysis.exact.shape
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = True


@pytest.mark.parametrize("convention", ["instance", "sup"])
@pytest.mark.parametrize("scale", [1e9, 1e30, 1e200])
def test_wide_noise_changes_no_verdict(convention, scale):
    joint = lsat6()

    def at(scale):
        release = LaplaceMechanism(LinearQuery.sum(joint), scale)
        return PriorAnalysis(joint, release, convention=convention)

    # From here on leakages are multiples of 1 / scale, but for 1e-7 of them.
    near, far = at(1e7), at(scale)
    np.testing.assert_allclose(far.paper * scale, near.paper * 1e7, rtol=1e-6)
    np.testing.assert_allclose(far.increments * scale, near.increments * 1e7, rtol=1e-6, atol=1e-6)
    assert far.too_high == near.too_high > 0
    assert far.above_promise == near.above_promise > 0
    if convention == "instance":
        assert far.too_low == near.too_low > 0
    edge = far.edge("item 1", removed="item 3", known=["item 2"])
    assert edge.ir[0] == pytest.approx(
        near.edge("item 1", removed="item 3", known=["item 2"]).ir[0], rel=1e-6
    )
    path = far.chain_path("item 1", ["item 3", "item 2"])
    expected = near.chain_path("item 1", ["item 3", "item 2"])
    np.testing.assert_allclose(np.array(path.values) * scale, np.array(expected.values) * 1e7, rtol=1e-6)


def test_progress_and_limit_are_handed_on():
    joint = JointDistribution.normalised(np.arange(1.0, 65.0).reshape((2,) * 6))
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1)
    told = []
    analysis = PriorAnalysis(joint, mechanism, convention="sup", progress=told.append)
    assert told[-1] == 1.0
    np.testing.assert_array_equal(analysis.exact, exact_all(joint, mechanism, convention="sup")[0])
    with pytest.raises(LimitError, match="The limit is 1e-09 s"):
        PriorAnalysis(joint, mechanism, convention="sup", limit=1e-9)


def test_labels_that_read_alike_have_a_curve_and_a_name_each():
    joint = JointDistribution([[0.3, 0.2], [0.1, 0.4]], domains=[[1, "1"], [0, 1]])
    seen = PriorAnalysis(joint, LaplaceMechanism(LinearQuery([[0, 1], [0, 1]]), 1))
    target = joint.names[0]
    densities, ratio = seen._figures(target)["curves"]()
    assert [one.name for one in densities.series] == [f"if {target} is 1", f"if {target} is '1'"]
    assert "'1'" in ratio.title
    assert seen._figures(target)["belief"]().y.names == ("1", "'1'")
