"""The prior explorer and its graph, without a screen."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from ipywidgets import HTML
from traitlets import link

from pdp_widgets import (
    AdversaryError,
    InstanceError,
    JointDistribution,
    JointTable,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
    QueryError,
    ScaleError,
    TableError,
    WHGGraph,
    calibrate,
    lsat6,
)

from .conftest import Ask


def analysis(joint: JointDistribution, scale: float = 1.0, instance: Any = None) -> PriorAnalysis:
    return PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), scale), instance)


def test_it_opens_on_the_adversary_who_learns_most() -> None:
    explorer = PriorExplorer(lsat6())
    assert explorer.instance == lsat6().most_probable()
    assert float(explorer.results.largest) == pytest.approx(1.493, abs=5e-4)
    assert (explorer.target, explorer.known) == ("item 1", ())
    chosen = explorer._view["results"]["chosen"]
    assert chosen["value"] == float(explorer.results.largest)
    assert chosen["attained"] == {"r": 0.0, "side": "<=", "pair": [0, 1]}
    assert explorer._view["results"]["graph"]["paper"] is None


def test_python_sees_new_results_at_once(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint)
    explorer.scale = 2
    assert explorer.results == analysis(joint, 2)
    explorer.instance = (0, 1, 0)
    assert explorer.results == analysis(joint, 2, [0, 1, 0])
    other = JointDistribution(joint.table[::-1], names=joint.names)
    explorer.value = other
    assert explorer.results == analysis(other, 2, [0, 1, 0])
    assert explorer._view["results"]["scale"] == 2
    assert explorer._view["results"]["instance"] == [0, 1, 0]


@pytest.mark.parametrize(
    ("name", "value", "error", "text"),
    [
        ("scale", 0, ScaleError, "The scale is 0"),
        ("scale", "big", ScaleError, "The scale is 'big'"),
        ("instance", (0, 0, 9), InstanceError, "9 is not a label of Cy"),
        ("instance", (0, 0), InstanceError, "3 labels"),
        ("target", "Dan", AdversaryError, "no tuple named Dan"),
        ("known", ["Ann", "Ann"], AdversaryError, "Ann is named twice"),
        ("threshold", -1, AdversaryError, "threshold is -1"),
        ("value", 3, TypeError, "The value is a int"),
    ],
)
def test_a_wrong_input_raises_and_changes_nothing(
    joint: JointDistribution, name: str, value: Any, error: type[Exception], text: str
) -> None:
    explorer = PriorExplorer(joint, target="Cy", known=["Bob"])
    before, revision = explorer.results, explorer._view["revision"]
    with pytest.raises(error, match=text):
        setattr(explorer, name, value)
    assert explorer.results is before
    assert (explorer.target, explorer.known, explorer.error) == ("Cy", ("Bob",), None)
    assert explorer._view["revision"] == revision


def test_the_attacked_tuple_is_no_longer_known(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, target="Ann", known=["Bob", "Cy"])
    explorer.target = "Cy"
    assert (explorer.target, explorer.known) == ("Cy", ("Bob",))
    with pytest.raises(AdversaryError, match="attacked and known at once"):
        explorer.known = ["Cy"]
    explorer.known = [0]
    assert explorer.known == ("Ann",)
    assert explorer._view["known"] == [0]


# Rows of probability 0


@pytest.fixture
def holes() -> JointDistribution:
    return JointDistribution([[0.5, 0.0], [0.2, 0.3]], names=["Ann", "Bob"])


def test_an_impossible_row_from_python_raises(holes: JointDistribution) -> None:
    explorer = PriorExplorer(holes)
    with pytest.raises(InstanceError, match="probability 0"):
        explorer.instance = (0, 1)
    assert explorer.instance == (0, 0)


def test_an_impossible_row_from_the_browser_is_named_and_the_last_results_stay(
    holes: JointDistribution, ask: Ask
) -> None:
    explorer = PriorExplorer(holes)
    before = explorer.results
    ask(explorer, instance=[0, 1])
    assert explorer.error == "The row Ann = 0, Bob = 1 has probability 0; choose other known values."
    assert explorer._view["fault"]["where"] == {"kind": "row", "index": [0, 1]}
    assert explorer._view["instance"] == [0, 1]
    assert explorer._view["current"] is False
    assert explorer.results is before
    assert explorer.instance == (0, 0)
    ask(explorer, instance=[1, 1])
    assert explorer.error is None
    assert explorer.instance == (1, 1)


def test_an_edit_that_makes_the_row_impossible_names_it(holes: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(holes)
    before = explorer.results
    ask(explorer, entries=[0.0, 0.5, 0.2, 0.3])
    assert "Ann = 0, Bob = 0 has probability 0" in explorer.error
    assert explorer.value.probability([0, 1]) == 0.5
    assert explorer.results is before
    assert not explorer.current
    # The scale still acts on the last results.
    ask(explorer, scale=2.0)
    assert explorer.results == analysis(holes, 2, [0, 0])
    assert not explorer.current
    ask(explorer, instance=[0, 1])
    assert explorer.current
    assert explorer.results == analysis(explorer.value, 2, [0, 1])


@pytest.mark.parametrize("beside", [{}, {"scale": 2.0}, {"convention": "instance"}])
def test_from_python_another_table_takes_its_most_probable_row(
    holes: JointDistribution, beside: dict[str, Any]
) -> None:
    explorer = PriorExplorer(holes)
    rows: list[Any] = []
    explorer.observe(lambda change: rows.append(change.new), "instance")
    other = JointDistribution([[0.0, 0.5], [0.2, 0.3]], names=["Ann", "Bob"])
    explorer._edit({"value": other, **beside})
    assert (explorer.current, explorer.error, explorer.instance, rows) == (True, None, (0, 1), [(0, 1)])
    assert explorer.results == analysis(other, explorer.scale, [0, 1])
    # Where the row can occur it stays, and one that is given is taken or refused.
    explorer.value = JointDistribution([[0.1, 0.1], [0.1, 0.7]], names=["Ann", "Bob"])
    assert explorer.instance == (0, 1)
    with pytest.raises(InstanceError, match="probability 0"):
        explorer._edit({"value": holes, "instance": (0, 1)})
    assert (explorer.instance, explorer.current) == ((0, 1), True)


def test_from_python_the_way_back_from_the_worst_case_takes_a_row_that_occurs(
    holes: JointDistribution, ask: Ask
) -> None:
    explorer = PriorExplorer(holes, convention="sup")
    ask(explorer, entries=[0.0, 0.5, 0.2, 0.3])
    explorer.convention = "instance"
    assert (explorer.convention, explorer.instance, explorer.current) == ("instance", (0, 1), True)
    assert explorer.results == analysis(explorer.value, 1, [0, 1])


def test_an_edit_in_the_table_of_its_own_names_the_row_and_loses_nothing(
    holes: JointDistribution, ask: Ask
) -> None:
    explorer = PriorExplorer(holes)
    before = explorer.results
    ask(explorer.table, entries=[0.0, 0.5, 0.2, 0.3])
    assert explorer.table.value.probability([0, 1]) == explorer.value.probability([0, 1]) == 0.5
    assert "Ann = 0, Bob = 0 has probability 0" in explorer.error
    assert (explorer.results, explorer.current) == (before, False)
    ask(explorer.table, entries=holes.table)
    assert (explorer.error, explorer.current, explorer.instance) == (None, True, (0, 0))


@pytest.mark.parametrize("wrong", ["worst", "", None, 1])
def test_a_wrong_convention_is_one_kind_of_error_everywhere(joint: JointDistribution, wrong: Any) -> None:
    query = LinearQuery.sum(joint)
    explorer = PriorExplorer(joint)
    attempts = (
        lambda: PriorExplorer(joint, convention=wrong),
        lambda: setattr(explorer, "convention", wrong),
        lambda: PriorAnalysis(joint, LaplaceMechanism(query, 1), convention=wrong),
        lambda: calibrate(joint, query, 1.0, convention=wrong),
    )
    for attempt in attempts:
        with pytest.raises(AdversaryError, match=r"The convention is .*; it is 'instance' or 'sup'"):
            attempt()


def test_a_sum_that_is_off_keeps_the_last_valid_table(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    entries = joint.table.ravel().copy()
    entries[0] += 0.1
    ask(explorer, entries=entries, keep_sum=False, scale=2.0)
    assert explorer.value == joint
    assert explorer.results == analysis(joint, 2)
    assert explorer._view["current"] is False
    assert "1.1" in explorer.error
    ask(explorer, entries=joint.table)
    assert explorer.current


def test_another_distribution_starts_afresh(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, target="Cy", known=["Ann", "Bob"])
    pair = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["p", "q"])
    explorer.value = pair
    assert explorer.results == analysis(pair)
    top = explorer.results.graph().largest
    assert (explorer._view["target"], explorer._view["known"]) == (top.target, list(top.known))


def test_queries(joint: JointDistribution) -> None:
    assert PriorExplorer(joint, query=[1, 0, -2]).results.promise == 2
    query = LinearQuery([[0, 1], [0, 1], [0, 3]], name="score")
    explorer = PriorExplorer(joint, query)
    assert explorer.query == query
    assert {name: explorer._view["query"][name] for name in ("subject", "text", "noun", "key")} == {
        "subject": "A noisy score",
        "text": "Score of 3 tuples",
        "noun": "tuple",
        "key": "given",
    }
    named = PriorExplorer(joint, query, noun="answer")
    assert named._view["query"]["noun"] == "answer"
    assert "no answer leaks more" in named.snapshot().text
    with pytest.raises(QueryError, match="The noun is ''"):
        PriorExplorer(joint, noun="")
    with pytest.raises(
        QueryError, match=r"'sum', a list of weights or a LinearQuery.*mean, count:0, count:1"
    ):
        PriorExplorer(joint, query="average")
    letters = JointDistribution([[0.5, 0.5]], [["a"], ["b", "c"]])
    assert PriorExplorer(letters).query == LinearQuery.count(letters, "c")
    with pytest.raises(QueryError, match='query="count:c"'):
        PriorExplorer(letters, query="sum")


def test_the_papers_estimate_comes_on_demand(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    assert "_chain" not in vars(explorer.results)
    ask(explorer, show_paper=True)
    results = explorer._view["results"]
    assert np.array_equal(np.frombuffer(results["graph"]["paper"]), explorer.results.paper.ravel())
    assert results["chosen"]["paper"] is not None
    assert results["paper_largest"] == explorer.results.paper.max()
    increments = np.frombuffer(results["graph"]["increments"]).reshape(3, 4, 3)
    assert np.array_equal(increments, explorer.results.increments, equal_nan=True)
    assert len(results["chosen"]["edges"]) == 2
    assert "paper" in explorer.to_dataframe().columns


def test_everything_on_screen_can_be_had_without_one(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint)
    assert len(explorer.to_dataframe()) == 12
    assert explorer.to_networkx().number_of_edges() == 12
    shown = explorer.snapshot()
    assert "promise" in shown.text
    assert shown.svg.startswith("<svg")


# W21: a request made before a change of Python arrives after it


@pytest.mark.parametrize(
    ("name", "value", "sent"),
    [
        ("scale", 3.0, {"known": []}),
        ("known", ("Bob",), {"scale": 3.0}),
        ("target", "Cy", {"show_paper": True}),
        ("instance", (0, 0, 0), {"scale": 3.0}),
        ("show_paper", True, {"threshold": 0.5}),
        ("threshold", 0.75, {"instance": [0, 1, 0]}),
        ("value", "independent", {"scale": 3.0, "known": []}),
    ],
)
def test_w21_a_late_request_undoes_nothing_that_its_hand_did_not_set(
    joint: JointDistribution, ask: Ask, name: str, value: Any, sent: dict[str, Any]
) -> None:
    explorer = PriorExplorer(joint, target="Ann", known=["Cy"])
    base = explorer._view["revision"]
    if name == "value":
        value = JointDistribution.independent(joint.marginals(), names=joint.names)
    setattr(explorer, name, value)
    ask(explorer, base=base, **sent)
    assert getattr(explorer, name) == value
    for other, wished in sent.items():
        assert explorer._view[other] == wished
    assert explorer.results == analysis(explorer.value, explorer.scale, explorer.instance)


def test_w21_what_the_hand_did_set_wins_when_it_arrives_last(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    base = explorer._view["revision"]
    explorer.scale = 3
    ask(explorer, base=base, scale=2.0)
    assert explorer.scale == 2


def test_w21_a_request_for_another_table_is_not_taken_for_the_present_one(
    joint: JointDistribution, ask: Ask
) -> None:
    other = JointDistribution(joint.table, [["a", "b"], [0, 1], [0, 1]], ["Dan", "Eve", "Flo"])
    explorer = PriorExplorer(joint, query=LinearQuery([[0, 1]] * 3))
    base = explorer._view["revision"]
    explorer.value = other
    ask(explorer, base=base, entries=np.full(8, 1 / 8), instance=[1, 1, 0], target=2, known=[0], seq=7)
    assert explorer.value == other
    assert explorer.results == PriorAnalysis(other, LaplaceMechanism(explorer.query, 1))
    assert explorer._view["ack"] == {"origin": "page", "seq": 7}
    ask(explorer, entries=np.full(8, 1 / 8), seq=8)
    assert explorer.value.probability(["a", 0, 0]) == 1 / 8


def test_w21_the_same_for_a_table_and_a_graph(joint: JointDistribution, ask: Ask) -> None:
    table = JointTable(joint)
    base = table._view["revision"]
    table.independent()
    edited = table.value
    ask(table, base=base, rows=[0], columns=[1, 2], keep_sum=False)
    assert table.value == edited
    assert (table._view["table"]["rows"], table.keep_sum) == ([0], False)
    table.value = JointDistribution(joint.table, names=["p", "q", "r"])
    ask(table, base=base, entries=np.full(8, 1 / 8))
    assert table.value.table[1, 1, 1] == joint.table[1, 1, 1]

    graph = WHGGraph(analysis(joint), target="Ann")
    base = graph._view["revision"]
    graph.threshold = 0.5
    ask(graph, base=base, target=1, known=[])
    assert (graph.target, graph.threshold) == ("Bob", 0.5)
    graph.value = analysis(JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["p", "q"]))
    chosen = graph.target, graph.known
    ask(graph, base=base, target=1, known=[0])
    assert (graph.target, graph.known) == chosen


# W11


def test_w11_two_explorers_linked_both_ways_settle(joint: JointDistribution, ask: Ask) -> None:
    first, second = PriorExplorer(joint), PriorExplorer(joint)
    for name in ("value", "scale", "instance", "target", "known"):
        link((first, name), (second, name))
    before = len(first.comm.messages), len(second.comm.messages)
    weights = np.arange(1.0, 9)
    ask(first, entries=weights / weights.sum(), scale=2.0)
    assert second.results == first.results
    # One answer to the hand and one echo for each linked trait at most, then silence.
    assert len(first.comm.messages) - before[0] <= 3
    assert len(second.comm.messages) - before[1] <= 3
    second.instance = (0, 0, 0)
    assert first.instance == (0, 0, 0)
    pair = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["p", "q"])
    first.value = pair
    assert second.value == pair
    assert second.results == first.results
    assert (second.target, second.known) == (first.target, first.known)


def test_a_trait_links_to_any_widget(joint: JointDistribution) -> None:
    explorer, text = PriorExplorer(joint), HTML()
    link((explorer, "target"), (text, "value"))
    explorer.target = "Bob"
    assert text.value == "Bob"


# The graph


def test_an_explorers_graph_and_the_explorer_follow_each_other(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    graph = explorer.graph
    ask(graph, target=1, known=[0], threshold=1.25)
    assert (explorer.target, explorer.known, explorer.threshold) == ("Bob", ("Ann",), 1.25)
    explorer.scale = 4
    assert graph.value == explorer.results.graph()
    ask(graph, show_paper=True)
    assert explorer.show_paper
    assert graph.value == explorer.results.graph(with_paper=True)
    explorer.value = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["p", "q"])
    assert graph.value.names == ("p", "q")


def test_a_graph_takes_an_analysis_a_graph_or_networkx(joint: JointDistribution) -> None:
    results = analysis(joint)
    whole = results.graph(with_paper=True)
    for value in (results, whole, results.to_networkx(with_paper=True)):
        shown = WHGGraph(value, show_paper=True)
        assert shown.value == whole
        assert (shown.target, shown.known) == ("Cy", ()) or shown.target in joint.names
        assert shown.to_networkx().number_of_nodes() == 12
    with pytest.raises(TypeError, match="give a WeightedHierarchicalGraph"):
        WHGGraph(joint)


def test_a_graph_without_the_papers_estimate_says_so(joint: JointDistribution, ask: Ask) -> None:
    with pytest.raises(TableError, match="carries no paper's estimate"):
        WHGGraph(analysis(joint).graph(), show_paper=True)
    graph = WHGGraph(analysis(joint).graph())
    ask(graph, show_paper=True)
    assert "carries no paper's estimate" in graph.error
    assert graph.show_paper is False
    ask(graph, show_paper=False)
    assert graph.error is None


@pytest.mark.parametrize("n", [7, 8])
def test_the_increments_beside_the_chosen_adversary_travel_where_all_are_too_many(n: int, ask: Ask) -> None:
    weights = np.random.default_rng(n).gamma(0.5, size=(2,) * n)
    results = analysis(JointDistribution.normalised(weights))
    graph = WHGGraph(results, target=2, known=[0, 5])
    assert graph._view["edges"] is None
    ask(graph, show_paper=True)
    if n == 7:
        assert graph._view["edges"] is None
        assert graph._view["graph"]["increments"] is not None
        return
    ask(graph, target=3, known=[0])
    edges = graph._view["edges"]
    assert [edge["removed"] for edge in edges] == [0, 1, 2, 4, 5, 6, 7]
    assert edges[0]["known"] == []
    assert edges[1]["known"] == [0]
    assert edges[0]["increment"] == results.increments[3, 0, 0]
    assert edges[1]["increment"] == results.increments[3, 1, 1]
    # The explorer's view says the same.
    explorer = PriorExplorer(results.distribution, target=3, known=[0], show_paper=True)
    assert explorer._view["results"]["chosen"]["edges"] == edges


# W34


def test_w34_two_threads_leave_no_corrupt_state(joint: JointDistribution, ask: Ask) -> None:
    first, second = PriorExplorer(joint), PriorExplorer(joint)
    link((first, "scale"), (second, "scale"))
    broken: list[str] = []

    def look(explorer: PriorExplorer) -> None:
        view = explorer._view
        if view["results"]["scale"] != view["scale"]:
            broken.append(f"view of scale {view['scale']} with results of {view['results']['scale']}")

    def hand() -> None:
        for k in range(1, 120):
            ask(first, origin="hand", seq=k, scale=1 + k / 100)
            look(first)

    def cell() -> None:
        for k in range(1, 120):
            second.scale = 10 + k / 100
            second.known = ["Bob"] if k % 2 and second.target != "Bob" else []
            look(second)

    def edits() -> None:
        for k in range(1, 60):
            first.table.set_cell([0, 0, 0], 0.1 + k / 1000)

    failures: list[BaseException] = []

    def guarded(work: Any) -> Any:
        def run() -> None:
            try:
                work()
            except BaseException as error:
                failures.append(error)

        return run

    threads = [threading.Thread(target=guarded(work), daemon=True) for work in (hand, cell, edits)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert not failures
    assert not broken
    assert first.error is None
    assert first.scale == second.scale == first.results.mechanism.scale
    assert first.results == analysis(first.value, first.scale, first.instance)
    revisions = [view["revision"] for view in first.comm.views]
    assert revisions == sorted(set(revisions))


def test_the_graph_shows_another_measure_and_all_else_stays_in_nats(ask: Ask) -> None:
    explorer = PriorExplorer(lsat6(), measure="delta", measure_epsilon=0.5, threshold=0.2)
    shown = explorer._view["results"]
    assert shown["graph"]["measure"] == {"name": "delta", "epsilon": 0.5}
    assert shown["graph"]["promise"] == pytest.approx(0.287649, abs=1e-6)
    assert shown["largest"]["value"] == pytest.approx(1.493, abs=5e-4)
    assert explorer.graph.value == explorer.results.graph(measure="delta", epsilon=0.5)
    assert explorer.graph._sentence(explorer.graph._core).startswith("Exact delta at 0.5 of 80 adversaries")
    # A threshold has the unit of what is shown.
    ask(explorer, measure="advantage")
    assert (explorer.measure, explorer.threshold) == ("advantage", None)
    assert explorer.graph.value.measure.name == "advantage"
    ask(explorer, measure="delta", measure_epsilon=None, threshold=0.01)
    assert explorer._view["results"]["graph"]["measure"]["epsilon"] == explorer.results.promise
    assert explorer.threshold == 0.01
    # The linked graph has no estimate, and that is no wish to leave it out.
    explorer.show_paper = True
    explorer.graph.target = "item 3"
    assert (explorer.target, explorer.show_paper, explorer.graph.show_paper) == ("item 3", True, False)
    explorer.measure = "leakage"
    assert explorer.graph.show_paper
    assert explorer._view["results"]["graph"]["paper"] is not None
    with pytest.raises(LimitError, match="one released number"):
        PriorExplorer(lsat6(), query="histogram", measure="delta")
    ask(explorer, measure="delta", query="histogram")
    assert explorer.measure == "leakage"
    assert "whole histogram" in explorer._view["fault"]["text"]


def test_a_saved_explorer_and_its_picture_keep_the_measure(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, measure="delta", measure_epsilon=0.25)
    bundle = explorer.saved_outputs()
    assert "δ at ε = 0.250" in bundle["text/html"]
    assert "promise allows" in bundle["text/html"]
