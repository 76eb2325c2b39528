"""Answers about large graphs against plain enumeration, and the widget that asks for them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import JointDistribution, LaplaceMechanism, LinearQuery, PriorAnalysis, WHGGraph
from pdp_widgets.errors import AdversaryError, LimitError
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.graph import Node, WeightedHierarchicalGraph
from pdp_widgets.widgets import histogram_results
from pdp_widgets.widgets.graph_digest import BINS, GraphDigest, digest_state
from pdp_widgets.widgets.graph_search import PAGE, Search, asked_search
from pdp_widgets.widgets.whg_graph import check_shown
from tests.widgets.conftest import Ask

SAME = 5e-7


def made(n: int, seed: int, *, ties: bool = False, determined: bool = False, paper: bool = True) -> Any:
    """Return a graph of n tuples; with ties most values occur many times."""
    rng = np.random.default_rng(seed)
    shape = (n, 1 << (n - 1))
    exact = rng.integers(1, 5, shape) / 4 if ties else rng.gamma(9, 1 / 9, shape)
    fixed = rng.random(shape) < 0.2 if determined else np.zeros(shape, dtype=bool)
    exact = np.where(fixed, 0.0, exact)
    estimate = np.abs(exact + rng.choice([0, 0, 1e-9, -0.1, 0.1], shape)) if paper else None
    return WeightedHierarchicalGraph([f"q{k + 1}" for k in range(n)], exact, 1.0, fixed, estimate)


graphs = st.builds(
    made,
    st.integers(2, 8),
    st.integers(0, 10_000),
    ties=st.booleans(),
    determined=st.booleans(),
    paper=st.booleans(),
)


@st.composite
def searches(draw: Any) -> tuple[Any, Search, float]:
    graph = draw(graphs)
    n = graph.n_tuples
    roles = draw(st.lists(st.sampled_from(["any", "any", "any", "known", "not"]), min_size=n, max_size=n))
    search = Search(
        by=draw(st.sampled_from(["value", "difference", "about", "known"])),
        down=draw(st.booleans()),
        first=draw(st.sampled_from([0, 0, PAGE, 3 * PAGE, 7, 10_000])),
        about=draw(st.none() | st.integers(0, n - 1)),
        unknown=draw(st.none() | st.integers(1, n)),
        knows=tuple(k for k in range(n) if roles[k] == "known"),
        lacks=tuple(k for k in range(n) if roles[k] == "not"),
        above=draw(st.booleans()),
        only=draw(st.sampled_from(["all", "low", "high"])),
    )
    return graph, search, draw(st.sampled_from([0.25, 0.8, 1.0, 9.0]))


def error_of(node: Node) -> float:
    if node.paper is None or node.determined or abs(node.paper - node.exact) <= SAME:
        return 0.0
    return node.paper - node.exact


def enumerated(graph: Any, search: Search, line: float) -> list[int]:
    """Return all flat numbers that fit, in order, by looking at every adversary."""
    found = []
    for flat, node in enumerate(graph.nodes()):
        error = error_of(node)
        if (
            search.about in (None, node.target)
            and search.unknown in (None, node.layer)
            and set(search.knows) <= set(node.known)
            and not set(search.lacks) & set(node.known)
            and (not search.above or node.exact > line + 1e-9 * max(1, line))
            and (
                search.only == "all"
                or graph.paper is None
                or (error < 0 if search.only == "low" else error > 0)
            )
        ):
            by = search.by
            if by == "difference" and graph.paper is None:
                by = "value"
            key = {
                "value": node.exact,
                "difference": abs(error),
                "about": node.target,
                "known": len(node.known),
            }[by]
            found.append((-key if search.down else key, flat))
    return [flat for _, flat in sorted(found)]


@given(searches())
def test_a_page_is_the_slice_of_the_full_order(asked: tuple[Any, Search, float]) -> None:
    graph, search, line = asked
    digest = GraphDigest(graph)
    order = enumerated(graph, search, line)
    page = digest.page(search, line)
    assert page.count == len(order)
    assert page.first == min(search.first, max(0, len(order) - 1) // PAGE * PAGE)
    assert list(page.flats) == order[page.first : page.first + PAGE]
    for flat in range(0, graph.exact.size, max(1, graph.exact.size // 7)):
        assert digest.place(search, flat, line) == (order.index(flat) if flat in order else None)


@given(graphs)
def test_layers_hold_every_adversary_once(graph: Any) -> None:
    digest = GraphDigest(graph)
    low, high = digest.domain
    nodes = list(graph.nodes())
    edges = np.linspace(low, high, BINS + 1)
    for layer in digest.layers:
        mine = [node for node in nodes if node.layer == layer.unknown]
        free = np.array([node.exact for node in mine if not node.determined])
        assert (layer.count, layer.determined) == (len(mine), len(mine) - free.size)
        assert layer.counts.sum() == free.size
        for k in range(BINS):
            width = 1e-9 * (high - low)
            inner = np.count_nonzero((free > edges[k] + width) & (free < edges[k + 1] - width))
            outer = np.count_nonzero((free >= edges[k] - width) & (free <= edges[k + 1] + width))
            assert inner <= layer.counts[k] <= outer
        if not free.size:
            assert layer.quartiles == ()
            continue
        assert layer.quartiles == pytest.approx(np.quantile(free, [0.25, 0.5, 0.75]).tolist(), rel=1e-12)
        assert layer.highs.max() == free.max()
        assert layer.lows.min() == free.min()
        top = min(
            (-node.exact, node.target, column(digest.n, node.target, node.known))
            for node in mine
            if not node.determined
        )
        assert (layer.target, layer.column) == top[1:]
        for i in range(digest.n):
            own = [node.exact for node in mine if node.target == i and not node.determined]
            assert (layer.lows[i], layer.highs[i]) == ((min(own), max(own)) if own else (np.inf, -np.inf))


@given(graphs, st.sampled_from([0.0, 0.5, 1.0, 1.25, 40.0]))
def test_counts_and_the_largest_agree_with_the_graph(graph: Any, line: float) -> None:
    digest = GraphDigest(graph)
    nodes = list(graph.nodes())
    assert digest.above(line) == sum(node.exact > line + 1e-9 * max(1, line) for node in nodes)
    top = graph.largest
    assert digest.largest == (top.target, column(graph.n_tuples, top.target, top.known))
    errors = [error_of(node) for node in nodes]
    expected = None if graph.paper is None else (sum(e < 0 for e in errors), sum(e > 0 for e in errors))
    assert digest.apart == expected


@given(graphs, st.data())
def test_the_state_has_the_chosen_its_neighbours_and_the_page(graph: Any, data: Any) -> None:
    n = graph.n_tuples
    node = data.draw(st.sampled_from(list(graph.nodes())))
    state = digest_state(GraphDigest(graph), node.target, node.known, Search(), None)
    sent = dict(zip(state["values"]["flats"], state["values"]["exact"], strict=True))
    for j in range(n):
        if j != node.target:
            other = graph.node(node.target, set(node.known) ^ {j})
            assert sent[node.target * (1 << (n - 1)) + column(n, node.target, other.known)] == other.exact
    order = enumerated(graph, Search(), 1.0)
    assert list(state["rows"]) == order[:PAGE]
    assert [sent[flat] for flat in state["rows"]] == [
        float(graph.exact.ravel()[flat]) for flat in order[:PAGE]
    ]
    chosen = node.target * (1 << (n - 1)) + column(n, node.target, node.known)
    assert state["chosen"]["rank"] == state["place"] == order.index(chosen)
    assert state["values"]["determined"] == [
        f for f in state["values"]["flats"] if graph.determined.ravel()[f]
    ]


def test_equal_values_are_paged_without_loss_at_any_depth() -> None:
    n = 9
    graph = WeightedHierarchicalGraph([f"q{k}" for k in range(n)], np.ones((n, 1 << (n - 1))), 1.0)
    digest = GraphDigest(graph)
    seen = [
        flat for first in range(0, graph.exact.size, PAGE) for flat in digest.page(Search(first=first)).flats
    ]
    assert seen == list(range(graph.exact.size))


def test_who_attacks_a_tuple_does_not_know_it() -> None:
    digest = GraphDigest(made(5, 1))
    assert digest.page(Search(about=2, knows=(2,))).count == 0
    assert digest.page(Search(about=2, knows=(0, 1))).count == 2 ** (4 - 2)
    assert digest.page(Search(about=2, lacks=(2,))).count == 2**4


@pytest.mark.parametrize(
    "sent",
    ["value", {"by": "size"}, {"down": 1}, {"knows": "q1"}, {"first": 1.5}, {"only": None}, {"about": "q1"}],
)
def test_a_search_no_browser_sends_is_refused(sent: Any) -> None:
    with pytest.raises(ValueError, match="reload the page"):
        asked_search({"search": sent}, Search(), 5)


def test_positions_that_name_no_tuple_are_left_out_of_a_search() -> None:
    sent = {"knows": [3, 1, 9], "lacks": [1, 2, -4], "about": 12, "unknown": 0, "first": -3}
    assert asked_search({"search": sent}, Search(), 5) == Search(knows=(1, 3), lacks=(2,))
    assert asked_search({}, Search(by="known"), 5) == Search(by="known")


# The widget


def correlated(n: int) -> PriorAnalysis:
    rng = np.random.default_rng(n)
    joint = JointDistribution(
        rng.dirichlet(np.ones(2**n)).reshape((2,) * n), names=[f"q{k + 1}" for k in range(n)]
    )
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0))


def test_a_graph_of_twelve_sends_answers_not_values(ask: Ask, comms: Any) -> None:
    results = correlated(12)
    graph = WHGGraph(results)
    top = results.graph().largest
    assert (graph.target, graph.known) == (f"q{top.target + 1}", tuple(f"q{k + 1}" for k in top.known))
    assert graph._view["graph"] is None
    assert len(json.dumps(graph._view)) < 20_000
    ask(graph, search={"by": "value", "knows": [1, 3], "above": True}, threshold=1.1)
    digest = graph._view["digest"]
    order = enumerated(results.graph(), Search(knows=(1, 3), above=True), 1.1)
    assert (digest["count"], list(digest["rows"])) == (len(order), order[:PAGE])
    assert digest["above"] == np.count_nonzero(results.exact > 1.1)
    ask(graph, target=4, known=[1, 3])
    digest = graph._view["digest"]
    assert (graph.target, graph.known) == ("q5", ("q2", "q4"))
    assert digest["search"]["knows"] == [1, 3]
    ask(graph, show_paper=True)
    digest, edges = graph._view["digest"], graph._view["edges"]
    assert digest["apart"] == [results.too_low, results.too_high]
    assert [edge["removed"] for edge in edges] == [k for k in range(12) if k != 4]
    ask(graph, search={"only": "high", "by": "difference"})
    order = enumerated(graph.value, Search(only="high", by="difference"), 1.1)
    assert list(graph._view["digest"]["rows"]) == order[:PAGE]
    assert max(message["size"] for message in comms[-1].messages) < 200_000


def test_an_estimate_that_would_hold_the_kernel_up_is_refused_with_the_call(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = correlated(5)
    monkeypatch.setattr(histogram_results, "estimate_seconds", lambda *_: 1.4)
    graph = WHGGraph(results)
    ask(graph, show_paper=True)
    assert "takes about 1.4 s" in graph.error
    # What to write in Python is said to who calls, never on the screen.
    assert "WHGGraph" not in graph.error
    assert (graph.show_paper, graph._view["show_paper"], results.has_paper) == (False, False, False)
    ask(graph, known=[0])
    assert graph.error is None
    # From Python it takes as long as it takes; what is there costs nothing.
    graph.show_paper = True
    assert results.has_paper
    other = WHGGraph(results)
    ask(other, show_paper=True)
    assert (other.show_paper, other.error) == (True, None)


def test_known_tuples_without_a_target_are_refused() -> None:
    with pytest.raises(AdversaryError, match="without a target"):
        WHGGraph(made(3, 0), known=["q1"])


def test_a_strange_search_is_an_error_and_the_last_page_stays(ask: Ask) -> None:
    graph = WHGGraph(correlated(11))
    ask(graph, search={"by": "known", "down": False})
    rows = graph._view["digest"]["rows"]
    ask(graph, search={"by": "colour"})
    assert "reload the page" in graph.error
    assert graph._view["digest"]["rows"] == rows


def test_new_names_end_a_search_and_up_to_ten_tuples_all_values_travel(ask: Ask) -> None:
    graph = WHGGraph(correlated(11))
    ask(graph, search={"knows": [10]})
    graph.value = correlated(12)
    assert graph._view["digest"]["search"]["knows"] == []
    graph.value = correlated(10)
    assert graph._view["digest"] is None
    assert graph._view["graph"] is not None


@pytest.mark.parametrize("equal", [True, False])
def test_the_state_of_twenty_tuples_is_small(equal: bool) -> None:
    rng = np.random.default_rng(20)
    exact = np.ones((20, 1 << 19)) if equal else rng.random((20, 1 << 19))
    graph = WeightedHierarchicalGraph([f"q{k + 1}" for k in range(20)], exact, 1.0)
    state = digest_state(GraphDigest(graph), 3, (0, 5), Search(first=2_000_000, knows=(1,)), None)
    assert state["count"] == 19 << 18
    assert len(state["rows"]) == PAGE
    assert len(json.dumps(state)) < 40_000


def test_more_tuples_and_estimates_that_take_long_are_refused_with_memory_and_time(ask: Ask) -> None:
    for n in (21, 30):
        with pytest.raises(LimitError, match=r"at most 20 tuples are shown.* s and .* MB"):
            check_shown(n)
    check_shown(20)
    results = correlated(17)
    graph = WHGGraph(results)
    ask(graph, show_paper=True)
    assert "takes about" in graph.error
    assert "MB" in graph.error
    assert graph.show_paper is False
    assert graph._view["digest"]["count"] == results.exact.size
    ask(graph, target=1)
    assert (graph.error, graph.target) == (None, "q2")
