"""All results of one release of Gaussian data."""

import copy
import math
import pickle

import numpy as np
import pytest

from pdp_widgets import AdversaryError, LimitError, QueryError, ScaleError
from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.models.gaussian_model import GaussianModel
from tests.leakage.gaussian_reference import theorem_6

NAMES = ["flat A", "flat B", "flat C", "solar"]
COV = [[1.44, 0.6, 0.32, -0.59], [0.6, 1, 0.36, -0.21], [0.32, 0.36, 0.81, 0.13], [-0.59, -0.21, 0.13, 1.96]]


@pytest.fixture(scope="module")
def house():
    return GaussianAnalysis(GaussianModel([5, 4, 3, 6], COV, NAMES), [1, 1, 1, -1])


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
    assert list(frame.columns) == ["target", "known", "layer", "exact", "determined"]
    assert len(frame) == 32
    row = frame[(frame.target == "flat B") & (frame.known == "flat A, solar")].iloc[0]
    assert (row.layer, row.exact) == (2, house.exact[1, column(4, 1, [0, 3])])


def test_the_scale_that_keeps_a_level(house):
    scale = house.scale_for(0.25)
    again = GaussianAnalysis(house.model, house.weights, scale)
    assert float(again.largest) == pytest.approx(0.25, rel=1e-12)
    with pytest.raises(ScaleError, match="The level is 0"):
        house.scale_for(0)


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
