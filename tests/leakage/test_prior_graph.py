"""The weighted hierarchical graph as a value and as a networkx graph."""

import pickle

import networkx as nx
import numpy as np
import pytest

from pdp_widgets import (
    AdversaryError,
    DomainError,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    PriorAnalysis,
    TableError,
    WeightedHierarchicalGraph,
    lsat6,
)
from pdp_widgets.leakage.prior.graph import counts


@pytest.fixture(scope="module")
def graph():
    joint = lsat6().marginal([0, 1, 4])
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1)
    return PriorAnalysis(joint, mechanism, [0, 1, 0]).graph(with_paper=True)


@pytest.mark.parametrize(
    ("n", "nodes", "edges", "sizes"),
    [(1, 1, 0, (1,)), (2, 4, 2, (2, 2)), (3, 12, 12, (3, 6, 3)), (15, 245_760, 1_720_320, None)],
)
def test_counts(n, nodes, edges, sizes):
    found = counts(n)
    assert (found.nodes, found.edges) == (nodes, edges)
    assert sum(found.layer_sizes) == nodes
    assert sizes is None or found.layer_sizes == sizes


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "3"])
def test_counts_of_no_number_of_tuples(n):
    with pytest.raises(DomainError, match="number of tuples is"):
        counts(n)


def test_nodes(graph):
    nodes = list(graph.nodes())
    assert len(nodes) == 12
    assert nodes[0].known == ()
    assert {node.layer for node in nodes} == {1, 2, 3}
    for node in nodes:
        again = graph.node(graph.names[node.target], [graph.names[k] for k in node.known])
        assert again == node
    assert graph.node(2, [0]).exact == pytest.approx(1.397631, abs=1e-6)
    assert graph.node(2, [0]).paper == pytest.approx(1.36384, abs=1e-5)
    assert graph.largest == graph.node("item 5", ["item 1"])
    assert graph.group_bound == 3


def test_largest_among_equals_is_the_first_who_knows_least():
    flat = WeightedHierarchicalGraph(["a", "b", "c"], np.ones((3, 4)), 1)
    assert (flat.largest.target, flat.largest.known) == (0, ())
    tied = WeightedHierarchicalGraph(["a", "b"], [[0.5, 1 + 1e-15], [1, 1]], 1)
    assert (tied.largest.target, tied.largest.known) == (0, (1,))


def test_networkx_and_back(graph):
    made = graph.to_networkx()
    assert isinstance(made, nx.DiGraph)
    assert (made.number_of_nodes(), made.number_of_edges()) == (12, 12)
    assert made.graph["names"] == graph.names
    node = made.nodes[(2, (0,))]
    assert (node["target_name"], node["known_names"], node["layer"]) == ("item 5", ("item 1",), 2)
    edge = made.edges[(2, (0, 1)), (2, (0,))]
    assert edge["removed_name"] == "item 2"
    assert edge["increment"] == pytest.approx(0.3638, abs=5e-5)
    assert WeightedHierarchicalGraph.from_networkx(made) == graph
    # Every edge leads one layer up, and the pieces are one lattice a target.
    assert all(made.nodes[b]["layer"] == made.nodes[a]["layer"] + 1 for a, b in made.edges)
    assert nx.number_weakly_connected_components(made) == 3


def test_networkx_without_estimates():
    plain = WeightedHierarchicalGraph(["a", "b"], [[1.5, 0], [1, 1]], 1, [[False, True], [False, False]])
    made = plain.to_networkx()
    assert "paper" not in made.nodes[(0, ())]
    assert "increment" not in made.edges[(0, (1,)), (0, ())]
    assert made.nodes[(0, (1,))]["determined"] is True
    assert WeightedHierarchicalGraph.from_networkx(made) == plain


def test_undefined_increments_survive():
    increments = np.full((2, 2, 2), np.nan)
    increments[0, 0, 1] = -0.5
    graph = WeightedHierarchicalGraph(
        ["a", "b"], [[1, 1], [1, 1]], 1, paper=np.ones((2, 2)), increments=increments
    )
    made = graph.to_networkx()
    assert made.edges[(1, (0,)), (1, ())]["increment"] is None
    assert WeightedHierarchicalGraph.from_networkx(made) == graph


def test_one_target(graph):
    part = graph.to_networkx("item 2")
    assert set(part.nodes) == {(1, ()), (1, (0,)), (1, (2,)), (1, (0, 2))}
    assert part.number_of_edges() == 4


def test_large_graphs_are_refused_whole():
    large = WeightedHierarchicalGraph([f"t{k}" for k in range(11)], np.ones((11, 1024)), 1)
    with pytest.raises(LimitError, match="11,264 nodes and 56,320 edges"):
        large.to_networkx()
    assert large.to_networkx(3).number_of_nodes() == 1024


def test_one_tuple():
    single = WeightedHierarchicalGraph(["only"], [[2.0]], 2)
    assert single.largest.known == ()
    assert WeightedHierarchicalGraph.from_networkx(single.to_networkx()) == single


class TestFaultyNetworks:
    def test_no_names(self, graph):
        made = graph.to_networkx()
        del made.graph["names"]
        with pytest.raises(DomainError, match="no attribute 'names'"):
            WeightedHierarchicalGraph.from_networkx(made)

    def test_missing_node(self, graph):
        made = graph.to_networkx()
        made.remove_node((2, (0,)))
        with pytest.raises(TableError, match="attacking item 5, knowing item 1 is missing"):
            WeightedHierarchicalGraph.from_networkx(made)

    def test_missing_value(self, graph):
        made = graph.to_networkx()
        del made.nodes[(2, (0,))]["exact"]
        with pytest.raises(TableError, match="has no value 'exact'"):
            WeightedHierarchicalGraph.from_networkx(made)

    def test_missing_edge(self, graph):
        made = graph.to_networkx()
        made.remove_edge((2, (0, 1)), (2, (0,)))
        with pytest.raises(TableError, match="knowing item 1, item 2 that forgets item 2 is missing"):
            WeightedHierarchicalGraph.from_networkx(made)

    def test_too_many_tuples(self):
        made = nx.DiGraph(names=[f"t{k}" for k in range(30)], promise=1.0)
        with pytest.raises(LimitError, match="of 30 tuples"):
            WeightedHierarchicalGraph.from_networkx(made)


class TestValidation:
    @pytest.mark.parametrize("bad", [float("nan"), float("inf"), -0.1])
    def test_values(self, bad):
        with pytest.raises(TableError, match=r"exact holds .*; its numbers must be 0 or more and finite"):
            WeightedHierarchicalGraph(["a", "b"], [[bad, 1], [1, 1]], 1)
        with pytest.raises(TableError, match="paper holds"):
            WeightedHierarchicalGraph(["a", "b"], np.ones((2, 2)), 1, paper=[[bad, 1], [1, 1]])
        with pytest.raises(TableError, match="promise is"):
            WeightedHierarchicalGraph(["a", "b"], np.ones((2, 2)), bad)

    def test_shapes(self):
        with pytest.raises(TableError, match=r"exact has shape \(2, 4\); it must be \(2, 2\)"):
            WeightedHierarchicalGraph(["a", "b"], np.ones((2, 4)), 1)
        with pytest.raises(TableError, match="determined has shape"):
            WeightedHierarchicalGraph(["a", "b"], np.ones((2, 2)), 1, determined=[True])
        with pytest.raises(TableError, match="increments has shape"):
            WeightedHierarchicalGraph(["a", "b"], np.ones((2, 2)), 1, increments=np.ones((2, 2)))
        with pytest.raises(TableError, match="increment is infinite"):
            WeightedHierarchicalGraph(["a"], [[1]], 1, increments=[[[np.inf]]])

    def test_names(self):
        with pytest.raises(DomainError, match="at least one tuple"):
            WeightedHierarchicalGraph([], np.ones((0, 1)), 1)
        with pytest.raises(DomainError, match="Two tuples have the name a"):
            WeightedHierarchicalGraph(["a", "a"], np.ones((2, 2)), 1)

    def test_adversaries(self, graph):
        for target, known in [("item 9", ()), (3, ()), (0, (5,)), (True, ())]:
            with pytest.raises(AdversaryError, match="There is no tuple"):
                graph.node(target, known)
        with pytest.raises(AdversaryError, match="attacked and known"):
            graph.node(0, (0,))


def test_value(graph):
    assert (graph == pickle.loads(pickle.dumps(graph))) is True
    assert hash(graph) == hash(pickle.loads(pickle.dumps(graph)))
    assert graph != 1
    other = WeightedHierarchicalGraph(graph.names, graph.exact, graph.promise)
    assert (graph == other) is False
    assert repr(graph).endswith("largest=1.39763 nats attacking item 5 knowing item 1)")
    for array in (graph.exact, graph.paper, graph.determined, graph.increments):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    with pytest.raises(AttributeError, match="read-only"):
        graph.promise = 3
    with pytest.raises(AttributeError):
        del graph.promise


@pytest.mark.parametrize("name", ["promise", "group_bound"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -1, "2", True, [1]])
def test_a_number_that_is_none_is_named(name, value):
    if name == "group_bound" and value == np.inf:
        # There may be no bound, as for Gaussian data.
        assert WeightedHierarchicalGraph(["a"], [[1]], 1, group_bound=value).group_bound == np.inf
        return
    with pytest.raises(TableError, match=f"{name} is .*; it must be a (finite )?number, 0 or more"):
        WeightedHierarchicalGraph(["a"], [[1]], **{"promise": 1, name: value})


def test_a_graph_is_made_once(graph):
    with pytest.raises(AttributeError, match="cannot be changed"):
        graph.__init__(["a"], [[1]], 1)
    assert graph.names == ("item 1", "item 2", "item 5")
