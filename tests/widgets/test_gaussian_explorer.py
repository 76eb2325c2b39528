"""The Gaussian explorer and its parts, without a screen."""

from __future__ import annotations

import gc
import json
import math
import re
import weakref
from typing import Any

import numpy as np
import pytest
from traitlets import TraitError, link

from pdp_widgets import (
    AdversaryError,
    CovarianceEditor,
    DomainError,
    GaussianAnalysis,
    GaussianModel,
    LimitError,
    PriorExplorer,
    QueryError,
    ScaleError,
    WHGGraph,
)
from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer
from pdp_widgets.widgets.wire import float_bytes, number

from .conftest import Ask, picture_sent

NAMES = ["flat A", "flat B", "flat C", "solar"]
COV = np.array(
    [
        [1.44, 0.6, 0.32, -0.59],
        [0.6, 1.0, 0.36, -0.21],
        [0.32, 0.36, 0.81, 0.13],
        [-0.59, -0.21, 0.13, 1.96],
    ]
)
WEIGHTS = (1.0, 1.0, 1.0, -1.0)


@pytest.fixture
def house() -> GaussianModel:
    return GaussianModel([5, 4, 3, 6], COV, NAMES, title="House", unit="kWh")


def many(n: int) -> GaussianModel:
    root = np.random.default_rng(n).normal(size=(n, n + 3))
    return GaussianModel(None, root @ root.T / n)


def changed(i: int, j: int, value: float) -> np.ndarray[Any, Any]:
    matrix = COV.copy()
    matrix[i, j] = matrix[j, i] = value
    return matrix


def sent(values: Any) -> memoryview:
    return memoryview(float_bytes(np.asarray(values, dtype=float)))


def chosen(explorer: GaussianExplorer) -> dict[str, Any]:
    return explorer._view["results"]["chosen"]


# The numbers of the sketch


def test_the_house_of_the_sketch(house: GaussianModel) -> None:
    explorer = GaussianExplorer(house, WEIGHTS, target="flat B", known=["solar"], threshold=1.5, noun="flat")
    results = explorer._view["results"]
    assert results["promise"] == 1
    assert (results["adversaries"], results["above_promise"]) == (32, 23)
    assert results["largest"] == {"target": 1, "known": [], "value": pytest.approx(2.17), "limit": True}
    assert explorer._view["goal"] == explorer.goal == 1
    found = chosen(explorer)
    assert found["value"] == explorer.results.exact[1, column(4, 1, [3])] == pytest.approx(1.931677, abs=5e-7)
    assert (found["limit"], found["determined"], found["own"]) == (True, False, 1)
    assert [part["tuple"] for part in found["through"]] == [0, 2]
    assert [part["value"] for part in found["through"]] == pytest.approx([0.549141, 0.382536], abs=5e-7)
    assert found["coefficient"] == pytest.approx(1.931677, abs=5e-7)
    assert found["sigma"] == pytest.approx(1.390521, abs=5e-7)
    assert (found["expected"], found["centre"], found["pair"]) == (4, 6, [4, 5])
    assert found["spread"] == pytest.approx(math.sqrt(1 - 0.21**2 / 1.96))
    assert found["over"] == pytest.approx([5.26, 8.67], abs=5e-3)
    assert found["nearly"][1] == pytest.approx(12.368, abs=1e-3)
    assert np.array_equal(np.frombuffer(results["graph"]["exact"]), explorer.results.exact.ravel())
    assert results["digest"] is None
    view = explorer._view
    assert (view["query"], view["subject"], view["noun"]) == ("weights", "A noisy weighted sum", "flat")
    assert (view["threshold"], view["current"], view["fault"]) == (1.5, True, None)
    assert view["matrix"]["unit"] == "kWh"


def test_it_opens_on_the_adversary_who_learns_most(house: GaussianModel) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    assert (explorer.target, explorer.known) == ("flat B", ())
    only = GaussianExplorer(house, WEIGHTS, target="solar")
    best = int(np.argmax(only.results.exact[3]))
    assert only._core.known == known_of(4, 3, best)
    with pytest.raises(AdversaryError, match="without a target"):
        GaussianExplorer(house, known=["solar"])


def test_no_number_bounds_every_matrix_and_the_wire_can_say_so(house: GaussianModel) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    assert number(explorer._view["results"]["graph"]["group_bound"]) == math.inf
    # n times the promise would not hold: what is unknown may move by any multiple.
    wide = GaussianModel(None, [[1, 90], [90, 10_000]])
    assert float(GaussianExplorer(wide).results.largest) == pytest.approx(91)


def test_edge_values_over_and_nearly_are_those_of_the_adversary(house: GaussianModel) -> None:
    explorer = GaussianExplorer(house, WEIGHTS, scale=0.7, max_change=1.3)
    for i in range(4):
        for c in range(8):
            known = known_of(4, i, c)
            explorer._edit({"target": i, "known": known})
            found, adversary = chosen(explorer), explorer.results.adversary(i, known)
            low, high = found["pair"]
            if found["over"] is None:
                assert found["value"] <= explorer.results.promise * (1 + 1e-9)
            else:
                at = adversary.log_ratio(high, low, found["over"])
                np.testing.assert_allclose(np.abs(at), explorer.results.promise, rtol=1e-9)
            at = adversary.log_ratio(high, low, found["nearly"])
            np.testing.assert_allclose(np.abs(at), 0.99 * found["value"], rtol=1e-9)
            assert found["limit"] == (len(known) < 3)


def test_the_goal_is_the_promise_at_opening_and_stays(house: GaussianModel, ask: Ask) -> None:
    explorer = GaussianExplorer(house, WEIGHTS, scale=0.8, max_change=1.5)
    promised = explorer.results.promise
    assert explorer.goal == explorer._view["goal"] == promised == 1.875
    least = explorer.results.scale_for(promised)
    ask(explorer, scale=least)
    assert explorer.results.exact.max() == pytest.approx(promised, rel=1e-12)
    ask(explorer, max_change=3.0, weights=sent([1, 1, 1, 1]))
    assert explorer.goal == explorer._view["goal"] == promised
    ask(explorer, goal=0.25)
    assert explorer.goal == explorer._view["goal"] == 0.25
    explorer.goal = 2
    assert explorer.goal == explorer._view["goal"] == 2
    explorer.goal = None
    assert explorer.goal == promised
    assert GaussianExplorer(house, goal=0.5)._view["goal"] == 0.5


@pytest.mark.parametrize("goal", [0, -1, float("inf"), float("nan"), "1", True, [1]])
def test_a_goal_that_is_none_is_refused_and_the_last_one_stays(
    house: GaussianModel, ask: Ask, goal: Any
) -> None:
    with pytest.raises(ScaleError, match="The goal is"):
        GaussianExplorer(house, goal=goal)
    explorer = GaussianExplorer(house, goal=0.75)
    # Typed traits refuse text before they are asked.
    with pytest.raises((ScaleError, TraitError)):
        explorer.goal = goal
    assert explorer.goal == 0.75
    if isinstance(goal, int | float):
        ask(explorer, goal=goal)
        assert explorer.goal == explorer._view["goal"] == 0.75
        # The results are as good as before.
        assert explorer._view["current"]


@pytest.mark.parametrize("nothing", [{"max_change": 0}, {"weights": [0, 0, 0, 0]}])
def test_what_promises_nothing_has_a_goal_of_one(house: GaussianModel, nothing: dict[str, Any]) -> None:
    assert GaussianExplorer(house, **nothing).goal == 1


# Inputs from Python


def test_python_sees_new_results_at_once(house: GaussianModel) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    explorer.scale = 2
    explorer.max_change = 0.5
    assert explorer.results == GaussianAnalysis(house, WEIGHTS, 2, 0.5)
    explorer.weights = [2, 0, 0, 1]
    other = GaussianModel(None, changed(0, 1, 0.1), NAMES)
    explorer.value = other
    assert explorer.results == GaussianAnalysis(other, [2, 0, 0, 1], 2, 0.5)
    assert explorer._view["results"]["weights"] == [2, 0, 0, 1]
    assert explorer.current
    before = explorer.results
    explorer.threshold = 0.3
    explorer.show_correlation = True
    assert explorer.results is before
    assert explorer._view["correlation"] is True


@pytest.mark.parametrize(
    ("name", "value", "error", "text"),
    [
        ("scale", 0, ScaleError, "The scale is 0"),
        ("scale", math.nan, ScaleError, "The scale is nan"),
        ("scale", "big", ScaleError, "The scale is 'big'"),
        ("scale", 1e-320, ScaleError, "too small"),
        ("max_change", -1, QueryError, "largest change is -1"),
        ("max_change", math.inf, QueryError, "largest change is inf"),
        ("weights", [1, 2], QueryError, "2 weights for 4 tuples"),
        ("weights", [1, 1, math.nan, 1], QueryError, "Weight 2 is nan"),
        ("query", "median", QueryError, "'sum', 'mean', or 'weights'"),
        ("target", "flat D", AdversaryError, "no tuple named flat D"),
        ("known", ["solar", "solar"], AdversaryError, "solar is named twice"),
        ("known", ["flat C"], AdversaryError, "attacked and known at once"),
        ("threshold", -1, AdversaryError, "threshold is -1"),
        ("value", 3, TypeError, "give a GaussianModel"),
        ("value", many(21), LimitError, "21 tuples and 22,020,096 adversaries.* s and .* MB"),
        ("show_correlation", "no", DomainError, "True or False"),
    ],
)
def test_a_wrong_input_raises_and_changes_nothing(
    house: GaussianModel, name: str, value: Any, error: type[Exception], text: str
) -> None:
    explorer = GaussianExplorer(house, WEIGHTS, target="flat C", known=["flat A"])
    before, revision = explorer.results, explorer._view["revision"]
    with pytest.raises(error, match=text):
        setattr(explorer, name, value)
    assert explorer.results is before
    assert (explorer.target, explorer.known, explorer.error) == ("flat C", ("flat A",), None)
    assert (explorer.weights, explorer.query) == (WEIGHTS, "weights")
    assert explorer._view["revision"] == revision


def test_keywords_of_another_explorer_are_refused_by_name(house: GaussianModel) -> None:
    for name in ("instance", "convention", "show_paper"):
        with pytest.raises(TypeError, match=rf"no keyword '{name}'; accepted are value, weights, scale"):
            GaussianExplorer(house, **{name: None})
    with pytest.raises(QueryError, match="The noun is ''"):
        GaussianExplorer(house, noun="")
    with pytest.raises(LimitError, match="at most 20 tuples"):
        GaussianExplorer(many(21))


def test_queries(house: GaussianModel, ask: Ask) -> None:
    explorer = GaussianExplorer(house)
    assert (explorer.query, explorer.weights) == ("sum", (1, 1, 1, 1))
    explorer.query = "mean"
    assert explorer.weights == (0.25,) * 4
    assert explorer._view["subject"] == "A noisy mean"
    assert explorer.results == GaussianAnalysis(house, [0.25] * 4)
    explorer.query = "weights"
    assert explorer.weights == (0.25,) * 4
    explorer.weights = WEIGHTS
    assert explorer.query == "weights"
    explorer.weights = [1, 1, 1, 1]
    assert explorer.query == "sum"
    ask(explorer, weights=sent(WEIGHTS))
    assert (explorer.query, explorer.weights) == ("weights", WEIGHTS)
    # In the browser weights that happen to be those of a sum are still weights.
    ask(explorer, weights=sent([1, 1, 1, 1]))
    assert explorer.query == "weights"
    ask(explorer, query="mean", weights=sent([0.25] * 4))
    assert (explorer.query, explorer.weights) == ("mean", (0.25,) * 4)
    ask(explorer, query="sum")
    assert (explorer.query, explorer.weights) == ("sum", (1,) * 4)
    ask(explorer, query="sum", weights=sent(WEIGHTS))
    assert (explorer.query, explorer.weights) == ("weights", WEIGHTS)
    assert GaussianExplorer(house, [0.25] * 4).query == "mean"
    assert GaussianExplorer(house, query="mean").weights == (0.25,) * 4
    assert GaussianExplorer(house, [1] * 4, query="weights").query == "weights"
    with pytest.raises(QueryError, match="there are other weights"):
        GaussianExplorer(house, WEIGHTS, query="sum")
    ask(explorer, query="median")
    assert "not understood" in explorer.error
    assert explorer.query == "weights"


# Section 13: what has to be defined


def test_a_determined_tuple_says_so() -> None:
    explorer = GaussianExplorer(GaussianModel([1, 2], [[1, 1], [1, 1]]), target=0, known=[1])
    found = chosen(explorer)
    assert (found["value"], found["determined"], found["limit"]) == (0, True, False)
    assert (found["pair"], found["over"], found["nearly"]) == (None, None, None)
    assert (found["spread"], found["centre"]) == (0, 3)
    assert any(explorer._view["results"]["graph"]["determined"])
    explorer.known = []
    assert chosen(explorer)["value"] == 2
    assert chosen(explorer)["limit"] is False
    explorer.value = GaussianModel([1, 2], [[1, -1], [-1, 1]])
    assert float(explorer.results.node(0)) == 0
    # Nobody learns anything: any scale is enough.
    assert "λ for 1.00 nats: <b>any" in explorer.snapshot().html
    assert "determined" in explorer.snapshot().html


def test_known_tuples_that_repeat_each_other() -> None:
    # x3 repeats x2: knowing both is knowing one, and x1 is not determined.
    cov = [[1, 0.5, 0.5, 0.2], [0.5, 1, 1, 0.3], [0.5, 1, 1, 0.3], [0.2, 0.3, 0.3, 1]]
    explorer = GaussianExplorer(GaussianModel(None, cov), target=0, known=[1, 2])
    one = GaussianAnalysis(GaussianModel(None, np.delete(np.delete(cov, 2, 0), 2, 1)))
    assert chosen(explorer)["value"] == pytest.approx(float(one.node(0, [1])), abs=1e-12)
    assert chosen(explorer)["determined"] is False


@pytest.mark.parametrize(
    ("changes", "promise", "largest"),
    [
        ({"max_change": 0}, 0.0, 0.0),
        ({"weights": [0, 0, 0, 0]}, 0.0, 0.0),
        ({"weights": [-2, 0, 0.5, 0]}, 2.0, None),
        ({"value": GaussianModel(None, np.zeros((4, 4)))}, 1.0, 0.0),
        ({"value": GaussianModel(None, [[4.0]])}, 1.0, 1.0),
    ],
)
def test_extreme_inputs_have_numbers(
    house: GaussianModel, changes: dict[str, Any], promise: float, largest: float | None
) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    for name, value in changes.items():
        setattr(explorer, name, value)
    results = explorer._view["results"]
    assert results["promise"] == promise
    if largest is not None:
        assert results["largest"]["value"] == largest
        assert results["largest"]["limit"] is False
        assert (re.search("<b>any|determined", explorer.snapshot().html) is not None) == (largest == 0)
    assert explorer.snapshot().svg.startswith("<svg")
    explorer.max_change = 1
    explorer.query = "sum"
    assert explorer.error is None


# A matrix that is not valid


def test_an_invalid_matrix_keeps_the_results_of_the_last_valid_one(house: GaussianModel, ask: Ask) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    before = explorer.results
    ask(explorer, cov=sent(changed(0, 1, 1.4)))
    assert not explorer.current
    assert explorer._view["current"] is False
    assert "flat A" in explorer.error
    assert "last valid matrix" in explorer.error
    assert explorer._view["fault"]["where"] is not None
    assert explorer._view["matrix"]["valid"] is False
    assert np.frombuffer(explorer._view["matrix"]["cov"])[1] == 1.4
    assert explorer.results is before
    assert explorer.value is house
    # Scale and weights still act on the last results.
    ask(explorer, scale=2.0, weights=sent([1, 1, 1, 1]))
    assert explorer.results == GaussianAnalysis(house, None, 2)
    explorer.max_change = 3
    assert explorer.results == GaussianAnalysis(house, None, 2, 3)
    assert not explorer.current
    ask(explorer, command="nearest")
    assert explorer.current
    assert explorer.error is None
    assert explorer.results.model == explorer.value != house
    ask(explorer, cov=sent(changed(2, 3, math.nan)))
    assert "covariance of flat C and solar is nan" in explorer.error
    explorer.value = house
    assert explorer.current
    assert explorer.results.model == house


def test_wrong_numbers_of_the_browser_are_named_and_kept(house: GaussianModel, ask: Ask) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    before = explorer.results
    ask(explorer, scale=0.0)
    assert "The scale is 0" in explorer.error
    assert (explorer._view["scale"], explorer.scale) == (0, 1)
    ask(explorer, max_change=-1.0)
    assert explorer._view["max_change"] == -1
    ask(explorer, scale=1.0)
    assert "largest change is -1" in explorer.error
    ask(explorer, max_change=1.0, weights=sent([1, math.inf, 1, 1]))
    assert "weight of flat B is inf" in explorer.error
    assert explorer.weights == WEIGHTS
    ask(explorer, weights=sent(WEIGHTS), scale=1e-320)
    assert "too small" in explorer.error
    ask(explorer, scale="Infinity")
    assert "The scale is inf" in explorer.error
    assert explorer.results is before
    ask(explorer, scale=1.0, threshold="NaN")
    assert explorer.error is None
    assert explorer.threshold is None
    for wish in ({"known": "all"}, {"target": 1.5}, {"cov": memoryview(b"1234")}, {"search": 3}):
        ask(explorer, **wish)
        assert "reload the page" in explorer.error
        assert explorer.results is before
    ask(explorer, target=9, known=[0, 1])
    assert explorer.target == "flat B"


# Other tuples


def test_other_tuples_start_afresh(house: GaussianModel, ask: Ask) -> None:
    explorer = GaussianExplorer(house, WEIGHTS, target="solar", known=["flat A"])
    since = explorer._view["since"]
    pair = [[1.0, 0.5], [0.5, 2.0]]
    ask(explorer, command="import", names=["p", "q"], target=0, known=[1], **{"import": sent(pair)})
    assert explorer.value == GaussianModel(None, pair, ["p", "q"])
    assert (explorer.query, explorer.weights) == ("sum", (1, 1))
    assert (explorer.target, explorer.known) == ("p", ())
    assert explorer._view["since"] > since
    explorer.query = "mean"
    explorer.value = house
    assert (explorer.query, explorer.weights) == ("mean", (0.25,) * 4)
    # With as many tuples, weights stay.
    explorer.weights = WEIGHTS
    explorer.value = GaussianModel(None, COV, ["a", "b", "c", "d"])
    assert explorer.weights == WEIGHTS
    assert explorer.target == "b"


def test_an_invalid_matrix_of_other_tuples_waits_until_it_is_valid(house: GaussianModel, ask: Ask) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    editor = explorer.editor
    invalid = np.full((3, 3), -1.0) + 2 * np.eye(3)
    ask(explorer, command="import", names=[], **{"import": sent(invalid)})
    assert explorer._view["matrix"]["names"] == ["x1", "x2", "x3"]
    assert not explorer.current
    assert explorer.results == GaussianAnalysis(house, WEIGHTS)
    assert (explorer.weights, explorer.value, editor.value) == (WEIGHTS, house, house)
    # Numbers about the flats would stand beside the names of the others.
    view = explorer._view
    assert (view["results"], view["target"], view["known"]) == (None, 0, [])
    ask(explorer, scale=2.0, target=2, known=[0])
    assert (explorer.target, explorer.known) == ("flat B", ())
    assert explorer.results == GaussianAnalysis(house, WEIGHTS, 2)
    ask(explorer, command="nearest")
    assert explorer.current
    assert explorer.value.names == ("x1", "x2", "x3") == editor.value.names
    assert explorer._view["results"]["graph"]["names"] == ["x1", "x2", "x3"]
    assert explorer.weights == (1, 1, 1)
    assert explorer.results.scale == 2
    # The same in the linked editor: what is brought in there waits there.
    ask(editor, command="import", names=["p", "q"], **{"import": sent([[1, 2], [2, 1]])})
    assert editor.error is not None
    assert explorer.value.names == ("x1", "x2", "x3")
    explorer.scale = 3
    assert editor._view["matrix"]["names"] == ["p", "q"]
    editor.nearest_valid()
    assert explorer.value.names == ("p", "q")


def test_too_many_tuples_brought_in_change_nothing(house: GaussianModel, ask: Ask) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    before = explorer.results
    ask(explorer, command="import", names=[], **{"import": sent(np.eye(21))})
    assert "21 tuples" in explorer.error
    assert "MB" in explorer.error
    ask(explorer.editor, command="import", names=[], **{"import": sent(np.eye(21))})
    assert "21 tuples" in explorer.editor.error
    assert explorer.editor.value == house
    assert explorer.results is before
    ask(explorer, scale=1.5)
    assert explorer.error is None


# Linked parts


def test_the_linked_editor_both_ways(house: GaussianModel, ask: Ask) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    editor = explorer.editor
    assert isinstance(editor, CovarianceEditor)
    assert explorer.editor is editor
    assert (editor.value, editor.weights) == (house, WEIGHTS)
    editor.set_cell("flat A", "flat B", 0.1)
    assert explorer.results.model.cov[0, 1] == 0.1
    ask(editor, weights=sent([2, 1, 1, -1]), correlation=True)
    assert explorer.weights == (2, 1, 1, -1)
    assert explorer.show_correlation is True
    ask(explorer, cov=sent(changed(0, 1, 0.2)), query="mean")
    assert editor.value.cov[0, 1] == 0.2
    assert editor.weights == (0.25,) * 4
    explorer.value = GaussianModel(None, np.eye(2), ["p", "q"])
    assert editor.value == explorer.value
    assert editor.weights == (0.5, 0.5)
    explorer.value = house
    # What is typed and not valid stays where it is typed.
    ask(editor, cov=sent(changed(0, 1, 1.4)))
    assert explorer.current
    explorer.scale = 2
    explorer.weights = WEIGHTS
    assert editor.entries[0, 1] == 1.4
    assert editor.weights == WEIGHTS
    ask(explorer, cov=sent(changed(0, 1, 1.4)))
    assert not explorer.current
    assert editor.value == house
    editor.independent()
    assert explorer.current
    assert np.array_equal(explorer.value.cov, np.diag(np.diag(COV)))
    with pytest.raises(TypeError, match="give a GaussianModel"):
        editor.value = None
    assert editor.value == explorer.value


def test_the_linked_graph_both_ways(house: GaussianModel, ask: Ask) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    graph = explorer.graph
    assert isinstance(graph, WHGGraph)
    assert np.array_equal(graph.value.exact, explorer.results.exact)
    ask(graph, target=3, known=[0, 1], threshold=1.2)
    assert (explorer.target, explorer.known, explorer.threshold) == ("solar", ("flat A", "flat B"), 1.2)
    ask(explorer, target=2, known=[], scale=2.0)
    assert (graph.target, graph.known) == ("flat C", ())
    assert np.array_equal(graph.value.exact, explorer.results.exact)
    explorer.threshold = None
    assert graph.threshold is None
    explorer.value = GaussianModel(None, np.eye(2), ["p", "q"])
    assert (graph.target, graph.known) == (explorer.target, explorer.known)
    before = len(graph.comm.messages)
    explorer.show_correlation = True
    assert len(graph.comm.messages) == before


def test_w11_two_explorers_linked_both_ways_settle(house: GaussianModel, ask: Ask) -> None:
    first, second = GaussianExplorer(house), GaussianExplorer(house)
    for name in ("value", "query", "weights", "scale", "max_change", "target", "known"):
        link((first, name), (second, name))
    before = len(first.comm.messages), len(second.comm.messages)
    ask(first, cov=sent(changed(0, 1, 0.2)), query="mean", weights=sent([0.25] * 4), scale=2.0)
    assert second.results == first.results
    assert (first.query, second.query) == ("mean", "mean")
    assert len(first.comm.messages) - before[0] <= 3
    assert len(second.comm.messages) - before[1] <= 6
    second.query = "weights"
    second.weights = WEIGHTS
    assert (first.query, first.weights) == ("weights", WEIGHTS)
    first.value = GaussianModel(None, np.eye(2), ["p", "q"])
    assert second.results == first.results


# Requests: the latest wins


@pytest.mark.parametrize(
    ("name", "value", "wish"),
    [
        ("scale", 3.0, {"known": []}),
        ("weights", (2.0, 1.0, 1.0, 1.0), {"scale": 3.0}),
        ("query", "mean", {"max_change": 3.0}),
        ("known", ("flat C",), {"scale": 3.0}),
        ("max_change", 2.0, {"threshold": 0.5}),
    ],
)
def test_w21_a_late_request_undoes_nothing_that_its_hand_did_not_set(
    house: GaussianModel, ask: Ask, name: str, value: Any, wish: dict[str, Any]
) -> None:
    explorer = GaussianExplorer(house, WEIGHTS, target="flat A", known=["solar"])
    base = explorer._view["revision"]
    setattr(explorer, name, value)
    ask(explorer, base=base, **wish)
    assert getattr(explorer, name) == value
    for other, wished in wish.items():
        assert explorer._view[other] == wished


def test_w13_the_latest_request_wins_and_stale_ones_change_nothing(house: GaussianModel, ask: Ask) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    base = explorer._view["revision"]
    ask(explorer, seq=7, scale=3.0)
    ask(explorer, seq=5, scale=9.0)
    assert (explorer.scale, explorer._view["ack"]) == (3, {"origin": "page", "seq": 7})
    explorer.value = other = GaussianModel(None, COV, ["a", "b", "c", "d"])
    ask(explorer, seq=8, base=base, cov=sent(np.eye(4)), target=0, known=[1])
    assert explorer.value == other
    assert explorer._view["ack"]["seq"] == 8


# Many tuples


def test_beyond_ten_tuples_python_answers_what_is_asked(ask: Ask) -> None:
    explorer = GaussianExplorer(many(11))
    results = explorer._view["results"]
    assert results["graph"] is None
    digest = results["digest"]
    assert digest["chosen"] == {
        "target": explorer._core.target,
        "known": list(explorer._core.known),
        "rank": 0,
    }
    shown = dict(zip(digest["values"]["flats"], digest["values"]["exact"], strict=True))
    exact = explorer.results.exact.ravel()
    assert all(exact[flat] == value for flat, value in shown.items())
    assert shown[digest["rows"][0]] == exact.max() == results["largest"]["value"]
    search = {"by": "known", "down": True, "first": 0, "about": 2, "unknown": None, "above": False}
    search |= {"knows": [4], "lacks": [0], "only": "all"}
    ask(explorer, search=search)
    digest = explorer._view["results"]["digest"]
    assert digest["count"] == 2**8
    assert all(flat // 1024 == 2 for flat in digest["rows"])
    explorer.value = many(12)
    assert explorer._view["results"]["digest"]["search"]["about"] is None


def test_twenty_tuples_travel_in_less_than_200_kb() -> None:
    model = many(20)
    names = [f"{'very long name ' * 40}{j}" for j in range(20)]
    explorer = GaussianExplorer(GaussianModel(None, model.cov, names))
    sizes = [message["size"] for message in explorer.comm.messages]
    assert max(sizes) < 200_000
    assert explorer._view["results"]["adversaries"] == 20 * 2**19
    chosen_value = chosen(explorer)["value"]
    assert chosen_value == explorer.results.exact.max()
    direct = explorer.results.adversary(explorer.target, explorer.known).leakage
    assert chosen_value == pytest.approx(float(direct), rel=1e-9)


# Everything on screen can be had without one


def test_tables_graphs_and_figures(house: GaussianModel) -> None:
    explorer = GaussianExplorer(house, WEIGHTS, target="flat B", known=["solar"])
    frame = explorer.to_dataframe()
    assert len(frame) == 32
    assert frame["exact"].max() == explorer.results.exact.max()
    made = explorer.to_networkx()
    assert made.number_of_nodes() == 32
    assert made.nodes[1, (3,)]["exact"] == chosen(explorer)["value"]
    assert explorer.plot().children[0].title == "About flat B, knowing solar"
    assert explorer.snapshot().text.startswith("A noisy weighted sum")


def test_the_page_can_save_the_picture(house: GaussianModel) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    message = {"method": "custom", "content": {"picture": "abc"}}
    explorer.comm.handle_msg({"content": {"data": message}, "buffers": []})
    answer = picture_sent(explorer)
    assert answer["asked"] == "abc"
    assert answer["name"] == "gaussian-data.svg"
    assert answer["svg"].startswith("<svg")


def test_w15_a_closed_explorer_leaves_nothing(house: GaussianModel) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    editor, graph = explorer.editor, explorer.graph
    gone = weakref.ref(explorer)
    explorer.close()
    assert editor.comm is None
    assert graph.comm is None
    del explorer, editor, graph
    gc.collect()
    assert gone() is None


def test_the_state_is_json(house: GaussianModel) -> None:
    explorer = GaussianExplorer(house, WEIGHTS)
    json.dumps(explorer._view, allow_nan=False, default=lambda data: len(data))
    explorer.disabled = True
    assert explorer._view["disabled"] is True


# One name for both kinds of data


def test_the_prior_explorer_of_gaussian_data_is_this_one(house: GaussianModel) -> None:
    explorer = PriorExplorer(house, WEIGHTS, 2.0, target="flat B", known=["solar"])
    assert isinstance(explorer, GaussianExplorer)
    assert explorer.results.node("flat B", ["solar"]).value == pytest.approx(1.931677 / 2, abs=5e-7)
    assert isinstance(PriorExplorer(value=house, max_change=0.5), GaussianExplorer)


@pytest.mark.parametrize("word", ["instance", "convention", "show_paper"])
def test_what_gaussian_data_have_not_is_refused_by_name(house: GaussianModel, word: str) -> None:
    with pytest.raises(TypeError, match=rf"no keyword '{word}'; accepted are value, weights"):
        PriorExplorer(house, **{word: "sup"})
