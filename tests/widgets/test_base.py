"""What all widgets share: keywords, the protocol, faults, notifications, the end."""

from __future__ import annotations

import gc
import json
import logging
import math
import threading
import weakref
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import comm
import numpy as np
import pytest
import traitlets.log
from ipywidgets import Layout, Widget

from pdp_widgets import (
    JointDistribution,
    JointTable,
    PriorExplorer,
    WeightedHierarchicalGraph,
    WHGGraph,
)
from pdp_widgets.models.amount import Amount
from pdp_widgets.widgets import base
from pdp_widgets.widgets.wire import json_safe, number

from .conftest import Ask


def make(kind: type, joint: JointDistribution) -> Any:
    return WHGGraph(PriorExplorer(joint).results) if kind is WHGGraph else kind(joint)


KINDS = [JointTable, WHGGraph, PriorExplorer]


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_keyword_is_refused_and_the_accepted_ones_are_named(
    kind: type, joint: JointDistribution
) -> None:
    value = PriorExplorer(joint).results if kind is WHGGraph else joint
    with pytest.raises(TypeError, match=r"no keyword 'colour'; accepted are value, .*disabled, layout"):
        kind(value, colour="red")


@pytest.mark.parametrize("kind", [JointTable, PriorExplorer])
def test_a_value_of_another_kind_is_refused(kind: type) -> None:
    with pytest.raises(TypeError, match="The value is a list; give a JointDistribution"):
        kind([[0.5, 0], [0, 0.5]])


def test_without_a_front_end_the_message_says_how_to_build_it(
    joint: JointDistribution, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "_STATIC", Path("nowhere"))
    with pytest.raises(RuntimeError, match=r"joint_table\.js is missing.*npm run build:widgets"):
        JointTable(joint)


def test_wrong_input_to_the_constructor_leaves_no_comm(joint: JointDistribution, comms: list[Any]) -> None:
    with pytest.raises(ValueError, match="The scale is -1"):
        PriorExplorer(joint, scale=-1)
    assert not comms


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_message_has_the_whole_view(kind: type, joint: JointDistribution, comms: list[Any]) -> None:
    widget = make(kind, joint)
    opened = next(c for c in comms if c.comm_id == widget.model_id)
    state = opened.messages[0]["data"]["state"]
    assert state["_view"]["revision"] == 1
    assert state["_view"]["fault"] is None
    assert len(opened.messages) == 1


def test_a_request_is_answered_with_its_stamp(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    ask(explorer, origin="a", seq=3, scale=2.0)
    assert explorer._view["ack"] == {"origin": "a", "seq": 3}
    assert explorer.scale == 2
    assert explorer.results.promise == 0.5


def test_w13_a_request_that_a_newer_one_overtook_is_not_computed(
    joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(joint)
    ask(explorer, origin="a", seq=9, scale=9.0)
    revision = explorer._view["revision"]
    ask(explorer, origin="a", seq=8, scale=8.0)
    assert explorer.scale == 9
    assert explorer._view["revision"] == revision
    # Another view counts on its own.
    ask(explorer, origin="b", seq=1, scale=1.5)
    assert explorer.scale == 1.5
    assert explorer._view["ack"] == {"origin": "b", "seq": 1}


def test_w13_requests_that_wait_for_a_computation_collapse_into_the_last(
    joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(joint)
    computed: list[float] = []
    real = base.PdpWidget._busily

    def counted(self: Any, work: Any) -> None:
        real(self, work)
        computed.append(self._core.asked["scale"])

    monkeypatch.setattr(base.PdpWidget, "_busily", counted)
    threads = [
        threading.Thread(target=ask, args=(explorer,), kwargs={"seq": k, "scale": 1 + k / 100})
        for k in range(1, 201)
    ]
    with base.LOCK:
        for thread in threads:
            thread.start()
        for _ in range(200):
            if explorer._newest.get("page") == 200:
                break
            threading.Event().wait(0.01)
    for thread in threads:
        thread.join()
    assert computed == [3.0]
    assert explorer.scale == 3.0


@pytest.mark.parametrize("kind", KINDS)
def test_the_echo_of_ipywidgets_is_not_sent_for_requests(
    kind: type, joint: JointDistribution, ask: Ask
) -> None:
    widget = make(kind, joint)
    ask(widget)
    assert all(m["data"].get("method") != "echo_update" for m in widget.comm.messages)
    assert widget._request == {}


def test_a_disabled_widget_takes_nothing_from_the_browser(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint, disabled=True)
    ask(explorer, seq=1, scale=5.0)
    assert explorer.scale == 1
    assert explorer._view["ack"] == {"origin": "page", "seq": 1}
    explorer.scale = 5
    explorer.disabled = False
    assert explorer._view["disabled"] is False
    assert explorer._view["table"]["disabled"] is False
    ask(explorer, seq=2, scale=6.0)
    assert explorer.scale == 6


# W08


def test_w08_nan_and_infinities_are_words_in_valid_json() -> None:
    state = json_safe({"a": [math.nan, math.inf, -math.inf, np.float64(0.5)], "b": np.int64(3), "c": (True,)})
    assert state == {"a": ["NaN", "Infinity", "-Infinity", 0.5], "b": 3, "c": [True]}
    json.dumps(state, allow_nan=False)
    assert [number(v) for v in state["a"][1:]] == [math.inf, -math.inf, 0.5]
    assert math.isnan(number("NaN"))
    # Encoders differ in what they make of a number with a class of its own.
    kinds = json_safe([Amount(2, "nats", "exact", "here"), IntEnum("Kind", "FIRST")(1), np.float64(0.5)])
    assert [type(one) for one in kinds] == [float, int, float]


def test_w08_a_scale_that_is_no_number_survives_the_round_trip(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    for word, shown in (("NaN", "nan"), ("Infinity", "inf")):
        ask(explorer, scale=word)
        assert explorer._view["scale"] == word
        assert f"The scale is {shown}" in explorer._view["fault"]["text"]
        assert explorer.scale == 1
    ask(explorer, scale=1e-8)
    assert explorer.error is None
    assert explorer.results.promise == 1e8


# W10


def test_w10_two_equal_assignments_notify_once(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint)
    seen: list[Any] = []
    explorer.observe(lambda change: seen.append(change["new"]), "value")
    other = JointDistribution(np.full((2, 2, 2), 1 / 8), names=joint.names)
    explorer.value = other
    explorer.value = JointDistribution(np.full((2, 2, 2), 1 / 8), names=joint.names)
    assert seen == [other]


def test_w10_values_cannot_be_changed_in_place(joint: JointDistribution) -> None:
    table = JointTable(joint)
    with pytest.raises(ValueError, match="read-only"):
        table.value.table[0, 0, 0] = 1
    entries = table.entries
    entries[0, 0, 0] = 7
    assert table.entries[0, 0, 0] == joint.table[0, 0, 0]


# W14


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    logger = traitlets.log.get_logger()
    logger.addHandler(caplog.handler)
    caplog.set_level(logging.WARNING)
    yield caplog
    logger.removeHandler(caplog.handler)


def test_w14_a_callback_that_raises_is_shown_and_cleared(
    joint: JointDistribution, ask: Ask, log: pytest.LogCaptureFixture
) -> None:
    explorer = PriorExplorer(joint)

    def fail(change: Any) -> None:
        if change["new"] == 2:
            raise ZeroDivisionError("division by my zero")

    explorer.observe(fail, "scale")
    ask(explorer, scale=2.0)
    fault = explorer._view["fault"]["text"]
    assert "Your callback on 'scale' failed: ZeroDivisionError: division by my zero" in fault
    assert explorer.error == fault
    assert explorer.scale == 2
    assert explorer.current
    assert any(record.exc_info and "my zero" in str(record.exc_info[1]) for record in log.records)
    ask(explorer, scale=3.0)
    assert explorer.error is None
    assert explorer._view["fault"] is None


def test_w14_from_python_a_callback_raises_to_the_caller_too(joint: JointDistribution) -> None:
    table = JointTable(joint)
    table.observe(lambda change: 1 / 0, "value")
    with pytest.raises(ZeroDivisionError):
        table.independent()
    assert table.value != joint
    assert "ZeroDivisionError" in table.error
    table.unobserve_all()
    table.value = joint
    assert table.error is None


def test_w14_our_own_failure_is_shown_and_the_last_state_stays(
    joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch, log: pytest.LogCaptureFixture
) -> None:
    from pdp_widgets.widgets import prior_results

    explorer = PriorExplorer(joint)
    before = explorer.results
    with monkeypatch.context() as broken:

        def fail(*_: Any, **more: Any) -> None:
            raise RuntimeError("a bug of ours")

        broken.setattr(prior_results, "PriorAnalysis", fail)
        ask(explorer, scale=2.0)
    assert "Something went wrong in this widget: RuntimeError: a bug of ours" in explorer.error
    assert explorer.results is before
    assert explorer.scale == 1
    assert log.records
    ask(explorer, scale=2.0)
    assert explorer.error is None
    assert explorer.scale == 2


def test_w14_one_callback_that_raises_does_not_undo_the_edit_of_another_trait(
    joint: JointDistribution, ask: Ask
) -> None:
    explorer = PriorExplorer(joint)
    heard: list[str] = []
    explorer.observe(lambda change: 1 / 0, "scale")
    explorer.observe(lambda change: heard.append(change["name"]), ["value", "target", "threshold"])
    ask(explorer, scale=2.0, threshold=1.25)
    assert heard == ["threshold"]


# The static picture


@pytest.mark.parametrize("kind", KINDS)
def test_drawing_the_static_picture_holds_no_edit_up(
    kind: type, joint: JointDistribution, monkeypatch: pytest.MonkeyPatch
) -> None:
    widget = make(kind, joint)
    edited = threading.Event()

    def edit() -> None:
        widget.disabled = True
        edited.set()

    def slow(*_: Any, **__: Any) -> Any:
        threading.Thread(target=edit, daemon=True).start()
        assert edited.wait(10), "an edit waited for the picture"
        return SimpleNamespace(to_html=str, text="drawn")

    monkeypatch.setattr(base, "snapshot_of", slow)
    assert widget.saved_outputs()["text/plain"] == "drawn"


def test_the_picture_of_a_graph_shows_what_the_graph_shows(joint: JointDistribution) -> None:
    results = PriorExplorer(joint).results
    given: dict[str, Any] = {"target": "Bob", "known": ["Ann"], "show_paper": True, "threshold": 0.123}
    graph = WHGGraph(results, **given)
    chosen = graph.snapshot()
    plain = WHGGraph(results).snapshot()
    # Each input alone changes it.
    for other in ({"target": "Cy"}, {"known": []}, {"show_paper": False}, {"threshold": 0.5}):
        assert WHGGraph(results, **given | other).snapshot().body != chosen.body, other
    graph.show_paper, graph.threshold = False, None
    top = results.graph().largest
    graph.target, graph.known = top.target, top.known
    assert graph.snapshot().svg == plain.svg


# W15


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("parts", [False, True])
def test_w15_a_closed_widget_is_collectable_and_its_comms_are_gone(
    kind: type, parts: bool, joint: JointDistribution, comms: list[Any]
) -> None:
    widget = make(kind, joint)
    if parts and kind is PriorExplorer:
        assert widget.table.value == widget.value
        assert widget.graph.target == widget.target
    widget.observe(lambda change, mine=widget: mine, "value")
    dead = weakref.ref(widget)
    widget.close()
    widget.close()
    del widget
    gc.collect()
    assert dead() is None
    assert all(c._closed for c in comms)
    closed = comm.get_comm_manager().comms
    assert not any(c.comm_id in closed for c in comms)


def test_w15_a_dropped_widget_is_closed_without_being_asked(
    joint: JointDistribution, comms: list[Any]
) -> None:
    explorer = PriorExplorer(joint)
    dead = weakref.ref(explorer)
    del explorer
    assert dead() is None
    assert len(comms) == 2
    assert all(c._closed for c in comms)


def test_w15_a_layout_of_the_user_stays(joint: JointDistribution) -> None:
    layout = Layout(width="400px")
    first, second = JointTable(joint, layout=layout), JointTable(joint, layout=layout)
    first.close()
    assert layout.comm is not None
    assert second.layout is layout


def test_a_closed_widget_answers_no_more(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    channel = explorer.comm
    explorer.close()
    sent = len(channel.messages)
    explorer._receive({"origin": "late", "seq": 1})
    explorer.scale = 3
    assert explorer.results.promise == pytest.approx(1 / 3)
    assert len(channel.messages) == sent


def test_ipywidgets_still_finds_a_living_widget(joint: JointDistribution) -> None:
    table = JointTable(joint)
    state = Widget.get_manager_state()["state"]
    assert state[table.model_id]["state"]["_view"]["revision"] == 1
    model_id = table.model_id
    table.close()
    assert model_id not in Widget.get_manager_state()["state"]


@pytest.mark.parametrize("n", [3, 7, 10])
def test_the_state_shared_with_a_browser_is_small(n: int, comms: list[Any]) -> None:
    rng = np.random.default_rng(n)
    weights = rng.gamma(0.5, size=(2,) * n)
    explorer = PriorExplorer(JointDistribution(weights / weights.sum()), show_paper=True)
    explorer.scale = 2
    channel = next(c for c in comms if c.comm_id == explorer.model_id)
    assert channel.messages[-1]["size"] < 200_000


def test_the_graph_of_a_plain_value_needs_no_analysis() -> None:
    graph = WHGGraph(WeightedHierarchicalGraph(["a", "b"], [[1.5, 1.0], [1.2, 1.0]], promise=1.0))
    assert graph._view["graph"]["largest"] == {"target": 0, "known": [], "value": 1.5}
    assert graph._view["graph"]["group_bound"] == 2


def test_closing_all_widgets_closes_an_explorer_with_its_parts(
    joint: JointDistribution, comms: list[Any]
) -> None:
    explorer = PriorExplorer(joint)
    assert explorer.table.value == joint
    del explorer
    Widget.close_all()
    assert all(c._closed for c in comms)


def test_a_view_that_shows_an_older_state_is_sent_the_present_one(
    joint: JointDistribution, comms: list[Any]
) -> None:
    widget = PriorExplorer(joint)
    shown = widget._view["revision"]
    comm = widget.comm
    widget._handle_custom_msg({"shows": shown}, [])
    before = len(comm.views)
    widget.scale = 3.0
    for content in ({"shows": shown}, {"shows": None}, {"shows": widget._view["revision"]}, "shows", None):
        widget._handle_custom_msg(content, [])
    # One for the change, one for the view that was behind.
    assert [view["scale"] for view in comm.views[before:]] == [3.0, 3.0]
    assert comm.views[-1]["revision"] == widget._view["revision"]
