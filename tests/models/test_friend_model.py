"""Places of friends: laws in both directions, forests, and constants found again from drawn friendships."""

import itertools
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import DomainError, LimitError, NetworkError
from pdp_widgets.models.friend_model import FriendModel
from pdp_widgets.models.friendship_graph import FriendshipGraph
from pdp_widgets.models.friendships import Friendships

positive = st.floats(0.05, 5)
LINE = [0, 0.25, 0.5, 0.75, 1]


@given(positive, positive, positive, st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 3))
def test_weights_are_the_formula_and_laws_are_weights_over_their_sum(a, b, c, seed, k, m):
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(k, m)).tolist(), rng.normal(size=(k + 1, m)).tolist()
    model = FriendModel(a, b, c)
    by_hand = [[a * (np.abs(np.subtract(x, y)).sum() + b) ** -c for y in second] for x in first]
    assert model.weights(first, second) == pytest.approx(np.array(by_hand), rel=1e-9)
    found = model.conditional(first, second)
    assert found.sum(axis=1) == pytest.approx(np.ones(k))
    assert found * model.raw_row_sums(first, second)[:, None] == pytest.approx(np.array(by_hand), rel=1e-9)
    # The first constant cancels.
    assert found == pytest.approx(FriendModel(7 * a, b, c).conditional(first, second))


@given(positive, positive, st.integers(2, 6))
def test_with_the_prior_of_row_sums_the_law_is_the_same_in_both_directions(b, c, k):
    model, places = FriendModel(1, b, c), list(range(k))
    both = model.pair(places)
    for i, j in ((0, 1), (1, 0)):
        assert both.conditional(i, j) == pytest.approx(model.conditional(places))
    assert both.law(0) == pytest.approx(model.row_sum_prior(places))
    uniform = model.pair(places, np.full(k, 1 / k))
    assert uniform.conditional(0, 1) == pytest.approx(model.conditional(places))
    assert uniform.law(0) == pytest.approx(np.full(k, 1 / k))


def test_the_printed_sums_of_the_specification():
    def cells(g):
        middle = (np.arange(g) + 0.5) / g
        return np.array(list(itertools.product(middle, middle))).tolist()

    for g, low, high in ((10, 0.22, 0.32), (20, 0.80, 1.25)):
        sums = FriendModel().raw_row_sums(cells(g))
        assert (sums.min(), sums.max()) == (pytest.approx(low, abs=6e-3), pytest.approx(high, abs=6e-3))


def test_a_forest_is_a_product_over_friendships():
    model, places = FriendModel(1, 0.05, 3), [0, 1 / 3, 2 / 3, 1]
    graph = FriendshipGraph(4, [(0, 2), (2, 1)])
    joint = model.forest(places, graph)
    start, moves = model.row_sum_prior(places), model.conditional(places)
    for row, chance in zip(joint.codes.tolist(), joint.probabilities.tolist(), strict=True):
        x, y, z, alone = row
        assert chance == pytest.approx(start[x] * moves[x, z] * moves[z, y] * start[alone])
    for user in range(4):
        assert joint.law(user) == pytest.approx(start)


def test_extreme_constants_are_no_overflow():
    found = FriendModel(1e-300, 1e-9, 300).conditional([0, 1, 2])
    assert found == pytest.approx(np.eye(3))
    assert FriendModel(1, 1e300, 1).conditional([0, 1]) == pytest.approx(np.full((2, 2), 0.5))


def test_constants_are_found_again_from_a_network():
    rng = np.random.default_rng(5)
    places = rng.uniform(0, 30, (350, 1))
    model = FriendModel(0.6, 0.8, 1.3)
    first, second = np.triu_indices(350, 1)
    chance = np.minimum(0.6 * (np.abs(places[first, 0] - places[second, 0]) + 0.8) ** -1.3, 1)
    linked = rng.random(first.size) < chance
    graph = FriendshipGraph(350, np.column_stack([first[linked], second[linked]]))
    found = FriendModel.from_network(places, graph)
    at = np.array([[0.1], [1.0], [10.0]])
    assert found.weights([0.0], at.ravel()) == pytest.approx(model.weights([0.0], at.ravel()), rel=0.2)
    # The unit of length is the caller's: the fit follows it.
    wider = FriendModel.from_network(places * 1000, graph)
    assert (wider.b, wider.c) == (pytest.approx(1000 * found.b, rel=0.05), pytest.approx(found.c, rel=0.02))


def test_a_network_is_fitted_as_its_pairs_are():
    rng = np.random.default_rng(2)
    places = rng.uniform(0, 5, (60, 2))
    graph = FriendshipGraph(60, rng.permutation(np.column_stack(np.triu_indices(60, 1)))[:200])
    first, second = np.triu_indices(60, 1)
    linked = np.isin(first * 60 + second, graph.edges @ [60, 1])
    apart = np.abs(places[first] - places[second]).sum(axis=1)
    found, pairs = FriendModel.from_network(places, graph), FriendModel.from_distances(apart, linked)
    # Classes of distances are not cut at the same places.
    assert found.weights([0.0], [0.5, 3.0]) == pytest.approx(pairs.weights([0.0], [0.5, 3.0]), rel=1e-3)
    with pytest.raises(LimitError, match="Take some users"):
        FriendModel.from_network(np.zeros((30_000, 1)), FriendshipGraph(30_000, [(0, 1)]))
    with pytest.raises(NetworkError, match="0 of 1 pairs"):
        FriendModel.from_network([[0.0], [1.0]], FriendshipGraph(2))
    with pytest.raises(NetworkError, match="at one distance"):
        FriendModel.from_network(np.zeros((3, 1)), FriendshipGraph(3, [(0, 1)]))


def test_miles_and_kilometres_go_along_the_earth():
    rng = np.random.default_rng(1)
    places = np.column_stack([rng.uniform(40, 41, 80), rng.uniform(-74, -73, 80)])
    graph = FriendshipGraph(80, rng.permutation(np.column_stack(np.triu_indices(80, 1)))[:300])
    km, miles = (FriendModel.from_network(places, graph, unit) for unit in ("km", "miles"))
    assert km.weights([0.0], [1.609344 * 5]) == pytest.approx(miles.weights([0.0], [5.0]), rel=1e-3)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: FriendModel(a=0), NetworkError, "a is 0; it must be a positive finite number"),
        (lambda: FriendModel(b=-1), NetworkError, "b is -1"),
        (lambda: FriendModel(c=float("nan")), NetworkError, "c is nan"),
        (lambda: FriendModel().weights([]), DomainError, "is empty"),
        (lambda: FriendModel().weights(["home"]), DomainError, "no finite number"),
        (lambda: FriendModel().weights([0, 0]), DomainError, "twice"),
        (lambda: FriendModel().weights([0], [[0, 1]]), NetworkError, "1 coordinates and places of j have 2"),
        (lambda: FriendModel().pair([0, 1], [1, 1]), NetworkError, "prior sums to 2"),
        (lambda: FriendModel().pair([0, 1], [1]), NetworkError, "no law of 2 places"),
        (lambda: FriendModel().forest([0, 1], FriendshipGraph.complete(3)), NetworkError, "in a circle"),
        (lambda: FriendModel().forest([0, 1], FriendshipGraph(40)), LimitError, "take fewer users"),
        (lambda: FriendModel.from_distances([1, 2], [True, True]), NetworkError, "2 of 2 pairs are friends"),
        (lambda: FriendModel.from_distances([1, 1], [True, False]), NetworkError, "at one distance"),
        (lambda: FriendModel.from_distances([1, -1], [True, False]), NetworkError, "distances holds -1"),
        (lambda: FriendModel.from_distances([1, 2], [1.0, 0.0]), NetworkError, "true and false"),
        (lambda: FriendModel.from_distances([1, np.inf], [1, 0]), NetworkError, "infinite"),
        (lambda: FriendModel.from_network([[0]], FriendshipGraph(2)), NetworkError, "each of 2 users"),
        (lambda: FriendModel.from_network([[0]], FriendshipGraph(1), "m"), NetworkError, "unit is 'm'"),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.floats(0, 0.4))
def test_a_graph_agrees_with_networkx(seed, n, share):
    known = nx.gnp_random_graph(n, share, seed=seed % 1000)
    graph = FriendshipGraph.from_networkx(known)
    assert graph.degrees.tolist() == [known.degree(node) for node in range(n)]
    components = {frozenset(part) for part in nx.connected_components(known)}
    assert {frozenset(part) for part in graph.components} == components
    assert graph.largest_component == max(map(len, components))
    assert graph.mutual == all(nx.density(known.subgraph(part)) == 1 for part in components if len(part) > 1)
    assert [part[0] for part in graph.components] == sorted(map(min, components))
    assert nx.utils.graphs_equal(graph.to_networkx(), nx.Graph(known))
    assert graph.sums_over_friends(np.ones(n)).tolist() == graph.degrees.tolist()
    assert [graph.friends(k).tolist() for k in range(n)] == [sorted(known[k]) for k in range(n)]


def test_graphs_are_values():
    graph = FriendshipGraph(4, [(2, 1), (1, 2), (0, 3)])
    assert graph == FriendshipGraph(4, np.array([[0, 3], [1, 2]])) == pickle.loads(pickle.dumps(graph))
    assert hash(graph) == hash(FriendshipGraph(4, [(0, 3), (1, 2)]))
    assert graph != FriendshipGraph(5, graph.edges)
    assert repr(graph) == "FriendshipGraph(4 users, 2 friendships)"
    with pytest.raises(AttributeError, match="cannot be changed"):
        graph.n = 3
    with pytest.raises(ValueError, match="read-only"):
        graph.edges[0, 0] = 2
    assert FriendshipGraph.among(Friendships([(5, 9), (9, 7)]), [9, 5]).edges.tolist() == [[0, 1]]
    alone = FriendshipGraph(3)
    assert (alone.largest_degree, alone.largest_component, alone.mutual) == (0, 1, True)


@pytest.mark.parametrize(
    ("n", "edges", "message"),
    [
        (0, [], "number of users is 0"),
        (2.0, [], "number of users is 2.0"),
        (2, [(0, 2)], "An edge joins 0 and 2"),
        (2, [(1, 1)], "An edge joins 1 and 1"),
        (2, [(0,)], "no list of pairs"),
        (2, [(0.5, 1)], "no list of pairs"),
        (2, 7, "no list of pairs"),
    ],
)
def test_graphs_that_are_none(n, edges, message):
    with pytest.raises(NetworkError, match=message):
        FriendshipGraph(n, edges)
    with pytest.raises(NetworkError, match="users are 0 to 1"):
        FriendshipGraph(2).friends(2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: FriendshipGraph.path(10**400), LimitError, "an integer of about 401 digits; at most"),
        (lambda: FriendshipGraph.complete(10_000), LimitError, "at most 5,000"),
        (lambda: FriendshipGraph.path("x"), NetworkError, "number of users is 'x'"),
        (lambda: FriendshipGraph.from_networkx([(0, 1)]), NetworkError, "give a graph of networkx"),
        (lambda: FriendshipGraph.among([(0, 1)], [0]), NetworkError, "give Friendships"),
        (lambda: FriendshipGraph.among(Friendships([(0, 1)]), "ab"), NetworkError, "The users are 'ab'"),
        (lambda: FriendshipGraph(2).sums_over_friends([1]), NetworkError, "each of 2 users"),
        (lambda: FriendModel().forest([0, 1], [(0, 1)]), NetworkError, "graph is a list"),
        (lambda: FriendModel.from_network([[0.0]], "g"), NetworkError, "graph is a str"),
    ],
)
def test_other_things_are_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()
