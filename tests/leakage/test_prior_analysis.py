"""All results of one release: the numbers of the first notebook."""

import copy
import pickle

import numpy as np
import pytest

from pdp_widgets import (
    AdversaryError,
    DomainError,
    InstanceError,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    QueryError,
    lsat6,
)
from pdp_widgets.leakage.adversary import column


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
    assert list(frame.columns) == ["target", "known", "layer", "exact", "determined", "group_bound", "paper"]
    assert len(frame) == 12
    row = frame[(frame.target == "item 5") & (frame.known == "item 1")].iloc[0]
    assert row.exact == pytest.approx(1.397631, abs=1e-6)
    assert row.layer == 2
    assert row.group_bound == 2
    assert "paper" not in three.to_dataframe()


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
    assert analysis.too_high == 2


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
    assert "instance=(0, 1, 0)" in repr(three)


def test_plots_are_bqplot_figures(three):
    import bqplot

    assert isinstance(three.plot(show_paper=True), bqplot.Figure)
    assert isinstance(three.plot("item 5", ["item 1"]), bqplot.Figure)


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
