"""A step that cannot be computed, handed on or shown is refused as a whole; the next good one works."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pdp_widgets import (
    CovarianceEditor,
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    JointTable,
    PdpError,
    PriorExplorer,
)
from pdp_widgets.widgets import gaussian_explorer, gaussian_state, prior_explorer, prior_state
from pdp_widgets.widgets.wire import float_bytes, json_safe
from tests.conftest import few

from .conftest import Ask
from .test_explorer_late import wait
from .test_large_gaussian import Held


def sent(values: Any) -> memoryview:
    return memoryview(float_bytes(np.asarray(values, dtype=float)))


COV = np.array([[2.0, 0.5, 0.25], [0.5, 1.0, 0.0], [0.25, 0.0, 3.0]])


def state(explorer: GaussianExplorer) -> tuple[Any, ...]:
    names = ("value", "weights", "scale", "max_change", "query", "target", "known", "threshold")
    return tuple(getattr(explorer, name) for name in names)


def together(explorer: GaussianExplorer) -> None:
    """The explorer and its parts show the same, and the results belong to it."""
    editor, graph, results = explorer.editor, explorer.graph, explorer.results
    assert editor.value == explorer.value == results.model
    assert editor.weights == explorer.weights == results.weights
    assert (explorer.scale, explorer.max_change) == (results.scale, results.max_change)
    assert graph.value is explorer._core.view.graph
    assert (graph.target, graph.known, graph.threshold) == (
        explorer.target,
        explorer.known,
        explorer.threshold,
    )
    shown = explorer._view
    assert (shown["scale"], shown["max_change"]) == (explorer.scale, explorer.max_change)
    assert (explorer.current, explorer.busy) == (True, False)


EDITS: dict[str, dict[str, Any]] = {
    "matrix": {"value": GaussianModel(None, COV + np.eye(3))},
    "weights": {"weights": (1.0, -2.0, 0.5)},
    "scale": {"scale": 3.0},
    "change": {"max_change": 0.25},
    "adversary": {"target": "x3", "known": ("x1",)},
    "threshold": {"threshold": 2.0},
}


def from_browser(patch: dict[str, Any]) -> dict[str, Any]:
    """The same edit as the browser sends it."""
    request = dict(patch)
    if "value" in request:
        request["cov"] = sent(request.pop("value").cov)
    if "weights" in request:
        request |= {"weights": sent(request["weights"]), "query": "weights"}
    if "target" in request:
        request |= {"target": 2, "known": [0]}
    return request


@settings(few(), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edits=st.lists(
        st.tuples(
            st.sampled_from(sorted(EDITS)),
            st.booleans(),
            st.sampled_from(["", "", "the explorer", "the editor", "the graph", "the values"]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_what_cannot_be_shown_is_refused_with_all_that_hangs_on_it(
    ask: Ask, edits: list[tuple[str, bool, str]]
) -> None:
    explorer = GaussianExplorer(GaussianModel(None, COV))
    explorer._report = lambda *_: None  # type: ignore[method-assign]
    together(explorer)
    parts = {"the explorer": explorer, "the editor": explorer.editor, "the graph": explorer.graph}
    for name, by_hand, broken in edits:
        before = state(explorer)
        with pytest.MonkeyPatch.context() as patched:
            if broken == "the values":
                _break(patched, explorer, "_values")
            elif broken:
                _break(patched, parts[broken], "_shown")
            if by_hand:
                ask(explorer, **from_browser(EDITS[name]))
            else:
                try:
                    explorer._edit(EDITS[name])
                except OverflowError:
                    assert broken
        # A part that does not change is not shown anew, and cannot fail.
        if explorer.error is None and state(explorer) != before:
            assert broken in ("", "the editor", "the graph")
        elif by_hand and explorer.error is not None:
            assert state(explorer) == before
            assert "no number that can be sent" in explorer.error
        together(explorer)
    ask(explorer, scale=5.0)
    assert (explorer.scale, explorer.error) == (5.0, None)
    together(explorer)


def _break(patched: pytest.MonkeyPatch, widget: Any, name: str) -> None:
    """Let a widget show no other state than the one it is in."""
    then, real = dict(vars(widget._core)), getattr(widget, name)
    parts = [part for part in ("solved", "graph", "model", "target", "threshold") if part in then]
    asked = then.get("asked")

    def only_then() -> Any:
        now = vars(widget._core)
        if any(now[part] is not then[part] for part in parts) or now.get("asked") != asked:
            raise OverflowError("no number that can be sent")
        return real()

    patched.setattr(widget, name, only_then)


@pytest.mark.parametrize("part", ["explorer", "table", "graph"])
def test_a_table_that_cannot_be_shown_is_refused(
    joint: JointDistribution, ask: Ask, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(joint)
    explorer._report = lambda *_: None  # type: ignore[method-assign]
    table, graph, before = explorer.table, explorer.graph, explorer.results
    widget = explorer if part == "explorer" else getattr(explorer, part)
    other = np.full(8, 1 / 8)
    with monkeypatch.context() as broken:
        shown = widget._shown

        def fails() -> Any:
            if explorer.results is not before:
                raise OverflowError("no number that can be sent")
            return shown()

        broken.setattr(widget, "_shown", fails)
        ask(explorer, entries=other)
        assert explorer.error is not None
        assert "no number that can be sent" in explorer.error
        with pytest.raises(OverflowError):
            explorer.value = JointDistribution(other.reshape(2, 2, 2), names=joint.names)
    assert explorer.results is before
    assert table.value == explorer.value == joint
    assert graph._core.analysis is before
    ask(explorer, entries=other)
    assert explorer.error is None
    assert table.value == explorer.value == explorer.results.distribution != joint


@pytest.mark.parametrize("make", [JointTable, CovarianceEditor], ids=lambda m: m.__name__)
def test_an_editor_alone_stays_with_what_it_shows(
    make: Any, joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = joint if make is JointTable else GaussianModel(None, COV)
    widget = make(first)
    widget._report = lambda *_: None
    edit = (lambda: widget.independent()) if make is JointTable else lambda: widget.set_cell(0, 1, 0.1)
    with monkeypatch.context() as broken:
        shown = widget._shown
        first_model = widget.value
        broken.setattr(
            widget,
            "_shown",
            lambda: shown() if widget._values()["value"] == first_model else 1 / 0,
        )
        with pytest.raises(ZeroDivisionError):
            edit()
    assert widget.value == first
    assert widget.error is None
    edit()
    assert widget.value != first


# While a computation runs


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Every computation in a browser is a long one and waits."""
    made = Held()
    monkeypatch.setattr(gaussian_state, "LONG", -1.0)
    monkeypatch.setattr(gaussian_explorer, "results_for", made)
    yield made
    made.go_on.set()


BAD_HANDS: list[dict[str, Any]] = [
    {"scale": -1.0},
    {"scale": "NaN"},
    {"max_change": -1.0},
    {"weights": sent([1, math.nan, 1]), "query": "weights"},
    {"mean": sent([0, math.inf, 0])},
    {"scale": 1e-320},
    {"cov": sent([[1, 5, 0], [5, 1, 0], [0, 0, 1]])},
]


@pytest.mark.parametrize("wrong", BAD_HANDS, ids=lambda r: "-".join(r))
def test_a_wrong_entry_leaves_what_is_computed(ask: Ask, held: Held, wrong: dict[str, Any]) -> None:
    explorer = GaussianExplorer(GaussianModel(None, COV))
    edited = COV + np.eye(3)
    ask(explorer, cov=sent(edited))
    number = explorer._view["running"]["number"]
    wait(lambda: bool(held.begun))
    ask(explorer, **wrong)
    assert explorer.error is not None
    assert explorer._view["running"] == {"number": number, "paper": False}
    assert (explorer.busy, explorer._runner.number) == (True, number)
    held.go_on.set()
    wait(lambda: not explorer.busy)
    assert (explorer.results.model.cov == edited).all()
    assert len(held.begun) == 1
    assert (explorer.error is not None, explorer.current) == (True, False)
    # The wrong entry stands until another takes its place.
    ask(explorer, scale=2.0, max_change=1.0, weights=sent([1, 1, 1]), mean=sent([0, 0, 0]), cov=sent(edited))
    wait(lambda: not explorer.busy)
    together(explorer)
    assert (explorer.error, explorer.scale) == (None, 2.0)


BAD_STEPS: list[dict[str, Any]] = [
    {"scale": -1.0},
    {"scale": 1e-320},
    {"max_change": math.inf},
    {"weights": [1, math.nan, 1]},
    {"weights": [1.0, 2.0]},
    {"value": "no model"},
    {"target": "nobody"},
    {"known": ["x1", "x1"]},
    {"threshold": -1.0},
    {"query": "product"},
    {"disabled": "no"},
]


@pytest.mark.parametrize("wrong", BAD_STEPS, ids=lambda r: "-".join(map(str, [*r, *r.values()])))
def test_busy_stays_true_when_python_is_refused(ask: Ask, held: Held, wrong: dict[str, Any]) -> None:
    explorer = GaussianExplorer(GaussianModel(None, COV))
    parts = explorer.editor, explorer.graph
    edited = COV + np.eye(3)
    ask(explorer, cov=sent(edited))
    number = explorer._view["running"]["number"]
    heard: list[bool] = []
    explorer.observe(lambda change: heard.append(change.new), "busy")
    with pytest.raises((PdpError, TypeError)):
        explorer._edit(wrong)
    assert (explorer.busy, heard, explorer._runner.number) == (True, [], number)
    held.go_on.set()
    wait(lambda: heard == [False])
    together(explorer)
    assert (parts[0].value.cov == edited).all()


def test_a_step_that_cannot_be_shown_goes_on_with_what_was_computed(
    ask: Ask, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = GaussianExplorer(GaussianModel(None, COV))
    explorer._report = lambda *_: None  # type: ignore[method-assign]
    edited = COV + np.eye(3)
    ask(explorer, cov=sent(edited))
    number = explorer._view["running"]["number"]
    with monkeypatch.context() as broken:
        shown = explorer._shown
        broken.setattr(explorer, "_shown", lambda: 1 / 0 if explorer._core.running is None else shown())
        # Computed at once, and then not to be shown.
        with pytest.raises(ZeroDivisionError):
            explorer.weights = (1.0, 2.0, 3.0)
    assert (explorer.busy, explorer._runner.number) == (True, number)
    assert explorer.weights == (1.0, 1.0, 1.0)
    held.go_on.set()
    wait(lambda: not explorer.busy)
    together(explorer)
    assert (explorer.results.model.cov == edited).all()


@pytest.mark.parametrize("wrong", [{"scale": -1.0}, {"scale": "NaN"}, {"entries": np.full(8, 0.5)}], ids=str)
def test_a_wrong_entry_leaves_what_is_computed_of_a_table(
    joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    monkeypatch.setattr(prior_state, "LONG", -1.0)
    explorer = PriorExplorer(joint)
    start = explorer._runner.start
    monkeypatch.setattr(explorer._runner, "start", lambda number, work: waiting.append((number, work)))
    waiting: list[Any] = []
    ask(explorer, entries=np.full(8, 1 / 8))
    number = explorer._view["running"]["number"]
    # What was started counts as running.
    monkeypatch.setattr(prior_explorer.PriorExplorer, "_taken", lambda self: None)
    ask(explorer, **wrong)
    assert explorer.error is not None
    assert explorer._view["running"]["number"] == number
    assert explorer.busy
    assert [n for n, _ in waiting] == [number]
    start(*waiting[0])
    wait(lambda: not explorer.busy)
    assert (explorer.results.distribution.table == 1 / 8).all()


# Numbers that can hardly be shown


EXTREMES: list[dict[str, Any]] = [
    {"scale": 1e308},
    {"scale": 1e-300},
    {"max_change": 1e300},
    {"max_change": 1e-300},
    {"weights": [1e200, *[1.0] * 10]},
    {"weights": [1e-300] * 11},
    {"threshold": 1e308},
]


@pytest.mark.parametrize("extreme", EXTREMES, ids=lambda r: "-".join(map(str, [*r, *r.values()]))[:20])
@pytest.mark.parametrize("n", [3, 11])
def test_an_extreme_number_is_shown_or_refused_in_words(ask: Ask, n: int, extreme: dict[str, Any]) -> None:
    explorer = GaussianExplorer(GaussianModel.equicorrelated(n, 0.3))
    together(explorer)
    patch = {name: value[:n] if isinstance(value, list) else value for name, value in extreme.items()}
    before = state(explorer)
    try:
        explorer._edit(patch)
    except PdpError:
        assert state(explorer) == before
    together(explorer)
    assert explorer.snapshot().text
    explorer._edit({"scale": 1.0, "max_change": 1.0, "weights": None, "threshold": None})
    assert state(explorer) == before
    hand = {name: sent(value) if isinstance(value, list) else value for name, value in patch.items()}
    ask(explorer, **hand, **({"query": "weights"} if "weights" in hand else {}))
    if explorer.error is not None:
        assert "Something went wrong" not in explorer.error
        # What is picked in the menu stands beside the entry that is refused.
        assert state(explorer) == (*before[:4], explorer.query, *before[5:])
    assert explorer.snapshot().text
    ask(explorer, scale=2.0, max_change=1.0, weights=sent(np.ones(n)), threshold=None, query="sum")
    assert (explorer.error, explorer.scale) == (None, 2.0)
    together(explorer)


# What travels


@given(st.text(st.characters(codec=None), max_size=20))
def test_any_text_can_be_sent_and_is_only_changed_where_it_is_none(text: str) -> None:
    safe = json_safe({text: [text]})
    (key, (value,)) = safe.popitem()
    assert key == value
    value.encode("utf-8")
    assert value == text or any(0xD800 <= ord(ch) < 0xE000 for ch in text)
    assert "".join(ch for ch in value if ch != "\ufffd") == "".join(
        ch for ch in text if ch != "\ufffd" and not 0xD800 <= ord(ch) < 0xE000
    ) or any(0xDC00 <= ord(ch) < 0xE000 for ch in text)


def test_half_a_character_is_replaced_and_a_pair_is_put_together() -> None:
    assert json_safe("a\ud800b") == "a\ufffdb"
    assert json_safe(["\udc00", {"\ud800": 1}]) == ["\ufffd", {"\ufffd": 1}]
    assert json_safe("\ud83d\ude00") == "\U0001f600"


# After the end


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize("name", ["graph", "table", "editor"])
def test_a_closed_explorer_makes_no_part(joint: JointDistribution, name: str, used: bool) -> None:
    makers = [lambda: GaussianExplorer(GaussianModel(None, COV)), lambda: PriorExplorer(joint)]
    for make in makers if name == "graph" else makers[:1] if name == "editor" else makers[1:]:
        explorer = make()
        if used:
            part = getattr(explorer, name)
        explorer.close()
        with pytest.raises(
            RuntimeError, match=f"Explorer is closed and has no {name} any more; make a new one"
        ):
            getattr(explorer, name)
        assert not used or part._closed
        # What needs no browser stays.
        assert float(explorer.results.largest) > 0
        assert explorer.snapshot().text
