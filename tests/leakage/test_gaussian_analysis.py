"""All results of one release of Gaussian data."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

from pdp_widgets import AdversaryError, LimitError, QueryError, ScaleError
from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.models.gaussian_model import GaussianModel
from tests.leakage.gaussian_reference import nearly_singular, theorem_6

NAMES = ["flat A", "flat B", "flat C", "solar"]
COV = [[1.44, 0.6, 0.32, -0.59], [0.6, 1, 0.36, -0.21], [0.32, 0.36, 0.81, 0.13], [-0.59, -0.21, 0.13, 1.96]]


@pytest.fixture(scope="module")
def house():
    return GaussianAnalysis(GaussianModel([5, 4, 3, 6], COV, NAMES), [1, 1, 1, -1])


@pytest.mark.parametrize("change", [1e160, 1e200, 1e-200])
def test_a_change_as_large_as_the_units(change):
    model = GaussianModel(None, [[1e300, 1e299, 0], [1e299, 1e300, 0], [0, 0, 0]])
    analysis = GaussianAnalysis(model, max_change=change)
    assert analysis.graph().exact.tolist() == analysis.exact.tolist()
    np.testing.assert_allclose(analysis.exact[:2] / change, [[1.1, 1, 1.1, 1], [1.1, 1, 1.1, 1]], rtol=1e-12)
    assert analysis.exact[2].tolist() == [0.0] * 4
    assert analysis.above_promise == 4


def test_the_numbers_of_the_house(house):
    assert (house.promise, house.scale, house.max_change, house.weights) == (1, 1, 1, (1, 1, 1, -1))
    assert str(house.largest) == "2.17 nats (exact): flat B, knowing none"
    assert float(house.node("flat B", ["solar"])) == pytest.approx(
        theorem_6(np.array(COV), np.array([1, 1, 1, -1.0]), 1, [3])
    )
    # Corollary 2, by hand: (0.6 + 1 + 0.36 + 0.21) / 1 for flat B.
    expected = np.abs(np.array(COV) @ house.weights) / np.diag(COV)
    np.testing.assert_allclose(house.exact[:, 0], expected, rtol=1e-12)
    assert house.exact.max(axis=1).round(3).tolist() == [2.049, 2.17, 1.915, 1.469]
    assert house.above_promise == 23
    assert house.exact.max() == float(house.largest)
    assert not house.determined.any()


def test_a_node_is_the_array_and_the_adversary(house):
    for i in range(4):
        for c in range(8):
            known = known_of(4, i, c)
            node = house.node(i, known)
            assert float(node) == house.exact[i, c]
            assert (node.status, node.convention) == ("exact", "sup")
            assert float(house.adversary(i, known).leakage) == pytest.approx(float(node), rel=1e-12)
            assert node.about.known == tuple((NAMES[k], None) for k in known)


def test_increments_are_differences_along_the_edges(house):
    edges = house.increments
    assert edges.shape == (4, 8, 4)
    for i in range(4):
        for c in range(8):
            known = known_of(4, i, c)
            for j in range(4):
                if j == i or j in known:
                    assert math.isnan(edges[i, c, j])
                else:
                    stronger = house.exact[i, column(4, i, [*known, j])]
                    assert edges[i, c, j] == house.exact[i, c] - stronger
    assert not edges.flags.writeable


def test_graph(house):
    graph = house.graph()
    assert isinstance(graph, WeightedHierarchicalGraph)
    assert (graph.names, graph.promise, graph.paper, graph.increments) == (tuple(NAMES), 1, None, None)
    assert np.array_equal(graph.exact, house.exact)
    assert np.array_equal(house.graph(with_increments=True).increments, house.increments, equal_nan=True)


def test_networkx(house):
    graph = house.to_networkx("flat B", with_increments=True)
    assert graph.nodes[1, (3,)]["exact"] == house.exact[1, column(4, 1, [3])]
    weaker = house.exact[1, 0]
    assert graph.edges[(1, (3,)), (1, ())]["increment"] == weaker - house.exact[1, column(4, 1, [3])]


def test_data_frame(house):
    frame = house.to_dataframe()
    assert list(frame.columns) == ["target", "known", "layer", "exact", "determined", "convention"]
    assert set(frame.convention) == {"sup"}
    assert (frame.attrs["unit"], frame.attrs["status"]) == ("nats", {"exact": "exact"})
    assert "Theorem 6" in frame.attrs["source"]
    assert len(frame) == 32
    row = frame[(frame.target == "flat B") & (frame.known == "flat A, solar")].iloc[0]
    assert (row.layer, row.exact) == (2, house.exact[1, column(4, 1, [0, 3])])


def test_the_scale_that_keeps_a_level(house):
    scale = house.scale_for(0.25)
    again = GaussianAnalysis(house.model, house.weights, scale)
    assert float(again.largest) == pytest.approx(0.25, rel=1e-12)
    for level in (0, -1, math.nan, "x", None, True):
        with pytest.raises(ScaleError, match="The level is"):
            house.scale_for(level)
    with pytest.raises(ScaleError, match="beyond what numbers can hold"):
        house.scale_for(1e-320)
    assert house.scale_for(Fraction(1, 4)) == scale


def test_any_scale_will_do(house):
    """One rule for all: the scale is 0, the release without noise."""
    silent = GaussianAnalysis(house.model, house.weights, max_change=0)
    assert (silent.scale_for(0.1), silent.keeping_scale(), house.keeping_scale(0.0)) == (0.0, 0.0, 0.0)
    assert house.scale_for(math.inf) == 0.0
    assert [row.scale for row in house.compare_noise(math.inf).rows] == [0.0, 0.0]
    assert [row.leakage.value for row in house.compare_noise(math.inf).rows] == [math.inf, math.inf]
    rows = silent.compare_noise(0.1).rows
    assert [(row.scale, row.leakage.value, row.holds) for row in rows] == [(0.0, 0.0, True)] * 2
    assert rows[1].guarantee == "exact: no noise needed"


def test_the_scale_that_brings_a_leakage_to_the_promise(house):
    assert house.keeping_scale() == pytest.approx(2.17)
    assert house.keeping_scale(house.node("solar")) == pytest.approx(float(house.node("solar")))
    for leakage in ("x", math.nan, math.inf, -1, True):
        with pytest.raises(ScaleError, match=r"The leakage is .*; it must be a finite number") as caught:
            house.keeping_scale(leakage)
        assert caught.value.where.name == "leakage"
    with pytest.raises(ScaleError, match="The promise is 0; it must be a positive number of nats"):
        GaussianAnalysis(house.model, house.weights, max_change=0).keeping_scale(0.5)


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_noise_of_two_rules(house, scale):
    table = GaussianAnalysis(house.model, [2, 2, 2, -2], scale, 1.5).compare_noise(0.7)
    assert (table.target_leakage, table.adversaries, table.convention) == (0.7, "all 32 adversaries", "sup")
    plain, exact = table.rows
    assert (plain.name, plain.scale) == ("plain DP", pytest.approx(3 / 0.7))
    assert (exact.name, exact.scale) == ("exact", pytest.approx(2.17 * 3 / 0.7))
    assert [row.holds for row in table.rows] == [False, True]
    for row in table.rows:
        again = GaussianAnalysis(house.model, [2, 2, 2, -2], row.scale, 1.5)
        assert row.leakage.value == pytest.approx(float(again.largest))
        assert (row.leakage.status, row.leakage.about.target) == ("exact", "flat B")
        assert row.expected_absolute_error == row.scale
    assert exact.leakage.value <= 0.7
    assert "No scale is enough for every covariance matrix" in table.left_out[0]
    assert "plain DP" in repr(table)
    assert table.to_dataframe()["holds"].tolist() == [False, True]
    with pytest.raises(ScaleError, match="The target leakage is -1"):
        house.compare_noise(-1)


def test_another_scale_is_a_multiple(house):
    def check(analysis, scale, change):
        fresh = GaussianAnalysis(house.model, house.weights, scale, change)
        assert analysis == fresh
        np.testing.assert_allclose(analysis.exact, fresh.exact, rtol=1e-15)
        assert np.array_equal(analysis.determined, fresh.determined)
        assert not analysis.exact.flags.writeable

    check(house.with_scale(3.0), 3.0, 1.0)
    check(house.with_scale(0.1, 0.0), 0.1, 0.0)
    # Back from nothing, and far: no digit is lost on the way.
    far = house
    for step in range(50):
        far = far.with_scale(1.1**step, [0.0, 1e-3, 7.0][step % 3])
    check(far.with_scale(1e-3, 2.0), 1e-3, 2.0)
    check(GaussianAnalysis(house.model, house.weights, max_change=0).with_scale(2.0, 1.0), 2.0, 1.0)
    check(pickle.loads(pickle.dumps(house.with_scale(3.0))).with_scale(5.0), 5.0, 1.0)
    with pytest.raises(ScaleError, match="The scale is 0"):
        house.with_scale(0)
    with pytest.raises(QueryError, match="largest change is -1"):
        house.with_scale(1, -1)


def test_a_node_agrees_with_its_adversary_next_to_a_singular_matrix():
    for share in (10**-8.5, 1e-7):
        model, weights = nearly_singular(np.random.default_rng(3), 6, 2, share)
        analysis = GaussianAnalysis(model, weights)
        for i in range(6):
            for c in range(32):
                known = known_of(6, i, c)
                node, alone = analysis.node(i, known), analysis.adversary(i, known).leakage
                assert node.determined == alone.determined
                assert float(node) == pytest.approx(float(alone), rel=1e-14 / share, abs=1e-14 / share)


def test_promise_is_that_of_the_largest_weight():
    analysis = GaussianAnalysis(GaussianModel(None, np.eye(2)), [1, -3], 2.0, 4.0)
    assert (analysis.promise, analysis.above_promise) == (6.0, 0)


def test_arrays_are_read_only(house):
    for array in (house.exact, house.determined):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))])
def test_copies(house, again):
    other = again(house)
    assert other == house
    assert hash(other) == hash(house)
    assert not other.exact.flags.writeable
    assert not other.determined.flags.writeable
    assert float(other.largest) == float(house.largest)


def test_equality(house):
    assert house == GaussianAnalysis(GaussianModel([5, 4, 3, 6], COV, NAMES), [1.0, 1, 1, -1])
    assert house != GaussianAnalysis(house.model, house.weights, 2.0)
    assert house != GaussianAnalysis(house.model)
    assert house != 3
    assert repr(house).startswith("GaussianAnalysis(GaussianModel(flat A: 5 ± 1.2, ")


def test_determined_nodes_say_so():
    analysis = GaussianAnalysis(GaussianModel(None, np.ones((2, 2))))
    found = analysis.node(0, [1])
    assert (float(found), found.determined) == (0.0, True)
    assert str(found) == "0 nats (exact, determined): x1, knowing x2"


def test_faulty_input(house):
    with pytest.raises(QueryError, match="3 weights for 4 tuples"):
        GaussianAnalysis(house.model, [1, 1, 1])
    with pytest.raises(AdversaryError, match="target: There is no tuple named roof"):
        house.node("roof")
    with pytest.raises(AdversaryError, match="not on their values"):
        house.adversary("flat A", {"solar": 3.0})
    with pytest.raises(LimitError, match="21 tuples"):
        GaussianAnalysis(GaussianModel(None, np.eye(21)))
    with pytest.raises(LimitError, match=r"17 tuples have 8,912,896 edges: .* up to 16 tuples"):
        _ = GaussianAnalysis(GaussianModel(None, np.eye(17))).increments
