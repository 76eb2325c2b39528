"""Callbacks of the user's that fail: shown and raised, and nothing of the step is undone by them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from traitlets import link

from pdp_widgets import (
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    LimitError,
    PriorExplorer,
    QueryError,
    TableError,
)
from pdp_widgets.widgets import prior_state
from tests.conftest import few

from .conftest import Ask
from .test_explorer_late import say, wait


class MineError(Exception):
    """What a callback of the user's raises."""


def bad(change: Any) -> None:
    raise MineError("my bug")


def uniform(joint: JointDistribution) -> JointDistribution:
    return JointDistribution(np.full((2, 2, 2), 1 / 8), names=joint.names, title=joint.title)


def together(explorer: PriorExplorer) -> None:
    """The explorer and its parts show the same, and its results belong to it."""
    table, graph = explorer.table, explorer.graph
    assert table.value == explorer.value == explorer.results.distribution
    assert graph._core.analysis is explorer.results
    assert (graph.target, graph.known, graph.threshold) == (
        explorer.target,
        explorer.known,
        explorer.threshold,
    )
    assert explorer.current
    assert not explorer.busy


Edit = Callable[[PriorExplorer], None]
EDITS: dict[str, Edit] = {
    "value": lambda e: setattr(e, "value", uniform(e.value)),
    "scale": lambda e: setattr(e, "scale", 2.0),
    "target": lambda e: setattr(e, "target", "Bob" if e.target == "Cy" else "Cy"),
    "threshold": lambda e: setattr(e, "threshold", 1.25),
    "cell": lambda e: e.table.set_cell([0, 0, 0], 0.5),
    "known in the graph": lambda e: setattr(e.graph, "known", [k for k in ("Ann",) if k != e.graph.target]),
    "level in the graph": lambda e: setattr(e.graph, "threshold", 0.75),
}


@given(
    st.lists(st.tuples(st.sampled_from(["explorer", "table", "graph"]), st.integers(0, 9)), max_size=3),
    st.lists(st.sampled_from(sorted(EDITS)), min_size=1, max_size=3),
)
@settings(few(), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_callback_fails_where_the_parts_stay_together(
    joint: JointDistribution, watched: list[tuple[str, int]], edits: list[str]
) -> None:
    explorer = PriorExplorer(joint)
    widgets = {"explorer": explorer, "table": explorer.table, "graph": explorer.graph}
    plain = PriorExplorer(joint)
    for part, which in watched:
        names = sorted(widgets[part]._values())
        widgets[part].observe(bad, names[which % len(names)])
    for name in edits:
        EDITS[name](plain)
        with contextlib.suppress(MineError):
            EDITS[name](explorer)
        together(explorer)
        # What fails beside an edit takes nothing of it away.
        assert (explorer.value, explorer.scale, explorer.target, explorer.known, explorer.threshold) == (
            plain.value,
            plain.scale,
            plain.target,
            plain.known,
            plain.threshold,
        )
    for widget in widgets.values():
        widget.unobserve_all()
    explorer.scale = 7.0
    assert explorer.error is None


def test_a_failure_in_a_part_is_raised_shown_and_forgotten(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    explorer.table.observe(bad, "value")
    other = uniform(joint)
    with pytest.raises(MineError, match="my bug"):
        explorer.value = other
    assert explorer.value == explorer.table.value == other
    assert "Your callback on 'value' of the linked JointTable failed: MineError: my bug" in explorer.error
    assert "Your callback on 'value' failed: MineError: my bug" in explorer.table.error
    # The next edit in the browser is taken.
    ask(explorer, scale=2.0)
    assert (explorer.scale, explorer.error) == (2.0, None)


@pytest.mark.parametrize(("part", "name"), [("table", "value"), ("graph", "target"), ("graph", "value")])
def test_from_the_browser_it_is_reported_once_and_nothing_is_raised(
    joint: JointDistribution, ask: Ask, part: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[str] = []
    monkeypatch.setattr(
        PriorExplorer, "_report", lambda self, error, what: reported.append(f"{what}: {error}")
    )
    explorer = PriorExplorer(joint, target="Cy")
    together(explorer)
    getattr(explorer, part).observe(bad, name)
    ask(explorer, entries=np.full(8, 1 / 8), target=1)
    together(explorer)
    assert (explorer.target, explorer.value.table.tolist()) == ("Bob", uniform(joint).table.tolist())
    assert len(reported) == 1
    assert f"a callback on '{name}' of the linked" in reported[0]
    assert "failed: MineError: my bug" in explorer.error


def test_an_edit_in_a_part_is_kept_when_the_explorer_s_callback_fails(
    joint: JointDistribution, ask: Ask
) -> None:
    explorer = PriorExplorer(joint)
    explorer.observe(bad, ["value", "target", "threshold"])
    with pytest.raises(MineError):
        explorer.table.independent()
    together(explorer)
    assert explorer.table.value != joint
    assert "'value' of the linked PriorExplorer" in explorer.table.error
    ask(explorer.graph, threshold=0.5)
    together(explorer)
    assert explorer.threshold == 0.5
    assert "'threshold' of the linked PriorExplorer" in explorer.graph.error


def test_a_gaussian_explorer_and_its_parts() -> None:
    explorer = GaussianExplorer(GaussianModel([5.0, 4.0], [[1.44, 0.6], [0.6, 1.0]], names=["a", "b"]))
    editor, graph = explorer.editor, explorer.graph
    for part in (editor, graph, explorer):
        part.observe(bad, "value")
    other = GaussianModel([5.0, 4.0], [[1.44, -0.6], [-0.6, 1.0]], names=["a", "b"])
    with pytest.raises(MineError):
        explorer.value = other
    assert explorer.value == editor.value == explorer.results.model == other
    assert graph.value is explorer._core.view.graph
    with pytest.raises(MineError):
        editor.set_cell("a", "b", 0.3)
    assert explorer.value == editor.value == explorer.results.model
    assert explorer.value.cov[0, 1] == 0.3


# A refusal is something else


def test_a_part_that_follows_is_taken_back_when_another_refuses(
    joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(joint)
    together(explorer)
    monkeypatch.setattr(explorer.graph, "_follow", _refusing(explorer.results, explorer.graph._follow))
    with pytest.raises(LimitError, match="not this one"):
        explorer.value = uniform(joint)
    assert explorer.error is None
    together(explorer)
    ask(explorer, entries=np.full(8, 1 / 8))
    assert explorer.error == "not this one"
    together(explorer)
    assert explorer.value == joint


def _refusing(accepted: Any, real: Any) -> Any:
    def follow(wanted: Any) -> None:
        if wanted["value"] is not accepted:
            raise LimitError("not this one")
        real(wanted)

    return follow


def test_what_the_explorer_refuses_a_part_refuses(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, query="sum")
    together(explorer)
    words = JointDistribution(joint.table, [["a", "b"]] * 3, joint.names)
    with pytest.raises(QueryError):
        explorer.table.value = words
    together(explorer)
    assert explorer.value == joint
    with pytest.raises(TableError):
        explorer.table.set_cell([0, 0, 0], 2.0)


def test_a_callback_that_edits_another_widget_hears_its_own_errors(joint: JointDistribution) -> None:
    first, second = PriorExplorer(joint), PriorExplorer(joint)
    heard: list[Any] = []
    second.observe(bad, "scale")

    def passes_on(change: Any) -> None:
        try:
            second.scale = change.new
        except Exception as error:
            heard.append(type(error))

    first.observe(passes_on, "scale")
    first.table.observe(lambda change: passes_on(type("C", (), {"new": 5.0})), "value")
    first.scale = 2.0
    first.value = uniform(joint)
    assert (heard, second.scale, first.error) == ([MineError, MineError], 5.0, None)


def test_linked_traits_are_callbacks_too(joint: JointDistribution) -> None:
    first, second = PriorExplorer(joint), PriorExplorer(joint)
    link((first, "scale"), (second, "scale"))
    second.observe(bad, "scale")
    with pytest.raises(MineError):
        first.scale = 2.0
    assert first.scale == second.scale == 2.0


def test_a_callback_on_the_error_itself(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    explorer.observe(bad, ["error", "scale", "busy"])
    ask(explorer, scale=2.0)
    assert explorer.scale == 2.0
    assert "failed: MineError: my bug" in explorer.error
    ask(explorer, scale="NaN")
    assert "The scale is nan" in explorer.error
    explorer.unobserve_all()
    ask(explorer, scale=3.0)
    assert (explorer.scale, explorer.error) == (3.0, None)


# Beside a computation on a thread of its own


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every edit in a browser is computed beside; what is reported is listed."""
    reported: list[str] = []
    monkeypatch.setattr(prior_state, "LONG", -1.0)
    monkeypatch.setattr(PriorExplorer, "_report", lambda self, error, what: reported.append(what))
    return reported


@pytest.mark.parametrize("part", ["explorer", "table", "graph"])
def test_results_that_came_are_taken_whatever_a_callback_does(
    joint: JointDistribution, ask: Ask, part: str, beside: list[str]
) -> None:
    explorer = PriorExplorer(joint)
    together(explorer)
    widget = explorer if part == "explorer" else getattr(explorer, part)
    widget.observe(bad, "value")
    ask(explorer, entries=np.full(8, 1 / 8), scale=2.0)
    wait(lambda: not explorer.busy)
    together(explorer)
    assert explorer.results.promise == 0.5
    ask(explorer, scale=3.0)
    wait(lambda: not explorer.busy)
    assert explorer.results.promise == pytest.approx(1 / 3)


def test_results_that_a_part_refuses_are_not_waited_for(
    joint: JointDistribution, ask: Ask, beside: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(joint)
    together(explorer)
    before = explorer.results
    with monkeypatch.context() as broken:
        broken.setattr(explorer.graph, "_follow", _refusing(before, explorer.graph._follow))
        ask(explorer, scale=2.0)
        wait(lambda: not explorer.busy)
    assert (explorer.error, explorer.current, explorer.results) == ("not this one", False, before)
    assert explorer._view["running"] is None
    ask(explorer, scale=3.0)
    wait(lambda: not explorer.busy)
    together(explorer)
    assert explorer.results.promise == pytest.approx(1 / 3)


@pytest.mark.parametrize("message", ["cancel", "resume"])
def test_what_the_page_asks_beside_its_edits_raises_nothing(
    joint: JointDistribution, ask: Ask, beside: list[str], monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    monkeypatch.setattr(prior_state, "LONG", -1.0)
    explorer = PriorExplorer(joint)
    monkeypatch.setattr(explorer._runner, "start", lambda *_: None)
    ask(explorer, scale=2.0)
    number = explorer._view["running"]["number"]
    if message == "resume":
        explorer.cancel()
        assert explorer._view["stopped"]
    explorer.observe(bad, "busy")
    say(explorer, {message: number})
    assert (explorer._view["running"] is None) == (message == "cancel")
    assert beside == ["a callback on 'busy'"]
    assert "Your callback on 'busy' failed" in explorer.error


def test_busy_does_not_flicker_while_python_sets_things(
    joint: JointDistribution, ask: Ask, beside: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(joint)
    start = explorer._runner.start
    monkeypatch.setattr(explorer._runner, "start", lambda *_: None)
    heard: list[bool] = []
    explorer.observe(lambda change: heard.append(change.new), "busy")
    ask(explorer, scale=2.0)
    explorer.threshold = 1.5
    explorer.target = "Bob"
    with pytest.raises(ValueError, match="The threshold is"):
        explorer.threshold = -1
    ask(explorer, known=[0])
    assert heard == [True]
    monkeypatch.setattr(explorer._runner, "start", start)
    explorer.scale = 3.0
    assert heard == [True, False]
    explorer.scale = 4.0
    assert heard == [True, False, True, False]
    with pytest.raises(ValueError, match="The scale is"):
        explorer.scale = -1
    assert not explorer.busy
