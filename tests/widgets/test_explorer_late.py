"""Numbers that come after the view: the scale that reaches the goal for all, the interval of a sample."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from traitlets import TraitError

from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    PriorAnalysis,
    PriorExplorer,
    ScaleError,
    lsat6,
)
from pdp_widgets.publish.page_state import VIEW_TYPE
from pdp_widgets.widgets import late

from .conftest import Ask, picture_sent


def three() -> JointDistribution:
    return lsat6().marginal(["item 1", "item 2", "item 5"])


def say(explorer: PriorExplorer, content: Any) -> None:
    message = {"method": "custom", "content": content}
    explorer.comm.handle_msg({"content": {"data": message}, "buffers": []})


def wait(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.01)


def came(explorer: PriorExplorer) -> bool:
    wanted = explorer._view["late"]
    found = {part: explorer._late.get(part, {}).get("of") for part in ("enough", "sample")}
    return all(wanted[part] in (None, found[part]) for part in wanted)


def test_nothing_is_computed_before_the_page_asks() -> None:
    explorer = PriorExplorer(three())
    explorer.scale = 2
    assert explorer._late == {}
    say(explorer, {"late": "1/1"})
    wait(lambda: came(explorer))


def test_the_scale_that_is_enough_reaches_the_goal_for_all() -> None:
    explorer = PriorExplorer(three(), instance=[0, 1, 0])
    say(explorer, {"late": ""})
    wait(lambda: came(explorer))
    scale = explorer._late["enough"]["scale"]
    assert scale == pytest.approx(1.4056, abs=5e-5)
    at = PriorAnalysis(explorer.value, LaplaceMechanism(explorer.query, scale), explorer.instance)
    assert at.exact.max() == pytest.approx(explorer.results.promise, abs=1e-9)


def test_a_query_that_says_nothing_needs_no_noise(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, query=[0, 0, 0])
    say(explorer, {"late": ""})
    wait(lambda: came(explorer))
    assert explorer._late["enough"] == {"of": explorer._view["late"]["enough"], "scale": None, "why": None}


def test_the_interval_is_that_of_the_chosen_adversary_and_the_same_every_time() -> None:
    explorer = PriorExplorer(three(), instance=[0, 1, 0], target="item 5", known=["item 1"])
    say(explorer, {"late": ""})
    wait(lambda: came(explorer))
    first = explorer._late["sample"]
    assert first["low"] < float(explorer.results.node("item 5", ["item 1"])) < first["high"]
    assert first["level"] == 0.95
    # Fewer records, a wider interval; another adversary, another one; and back it is the first again.
    explorer.known = []
    enough = explorer._late["enough"]
    say(explorer, {"late": ""})
    wait(lambda: came(explorer))
    second = explorer._late["sample"]
    assert second["high"] - second["low"] < first["high"] - first["low"]
    assert explorer._late["enough"] is enough or explorer._late["enough"] == enough
    explorer.known = ["item 1"]
    say(explorer, {"late": ""})
    wait(lambda: came(explorer))
    assert {**explorer._late["sample"], "of": 0} == {**first, "of": 0}


def test_a_table_edited_by_hand_is_no_sample(ask: Ask) -> None:
    explorer = PriorExplorer(three())
    assert explorer._view["late"]["sample"] is not None
    counts = explorer.value
    ask(explorer, entries=np.full(8, 1 / 8))
    assert explorer._view["late"]["sample"] is None
    # Back at the counts it is one again.
    ask(explorer, entries=counts.table)
    assert explorer._view["late"]["sample"] is not None


def test_a_view_without_new_inputs_keeps_its_late_numbers(joint: JointDistribution, ask: Ask) -> None:
    explorer = PriorExplorer(joint)
    before = explorer._view["late"]
    ask(explorer, show_paper=True, threshold=1.5)
    assert explorer._view["late"] == before
    # The scale that is enough does not depend on the present one; the interval does.
    ask(explorer, scale=2.0)
    assert explorer._view["late"]["enough"] == before["enough"]
    ask(explorer, query="weights", weights=[1, 2, 3])
    assert explorer._view["late"]["enough"] != before["enough"]


@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_the_goal_is_the_promise_at_opening_and_stays(ask: Ask, convention: str) -> None:
    """Setting the scale that is enough does not move the goal on: it is reached."""
    explorer = PriorExplorer(three(), scale=2, convention=convention)
    assert explorer.goal == explorer._view["goal"] == 0.5
    say(explorer, {"late": ""})
    wait(lambda: came(explorer))
    found = explorer._late["enough"]
    ask(explorer, scale=found["scale"])
    assert explorer.goal == explorer._view["goal"] == 0.5
    assert explorer.results.exact.max() == pytest.approx(0.5, abs=1e-8)
    assert explorer._view["late"]["enough"] == found["of"]
    # Another goal is another question.
    ask(explorer, goal=0.25)
    assert explorer.goal == explorer._view["goal"] == 0.25
    say(explorer, {"late": ""})
    wait(lambda: came(explorer))
    assert explorer._late["enough"]["scale"] > found["scale"]
    assert explorer.results.promise == pytest.approx(1 / found["scale"])
    explorer.goal = None
    assert explorer.goal == 0.5


@pytest.mark.parametrize("goal", [0, -1, float("inf"), float("nan"), "1", True, [1]])
def test_a_goal_that_is_none_is_refused_and_the_last_one_stays(ask: Ask, goal: Any) -> None:
    with pytest.raises(ScaleError, match="give a number of nats above 0, or None"):
        PriorExplorer(three(), goal=goal)
    explorer = PriorExplorer(three(), goal=0.75)
    before = explorer._view["late"]
    with pytest.raises((ScaleError, TraitError)):
        explorer.goal = goal
    assert explorer.goal == 0.75
    if isinstance(goal, int | float):
        ask(explorer, goal=goal)
        assert explorer.goal == explorer._view["goal"] == 0.75
    assert explorer._view["late"] == before


def test_what_promises_nothing_has_a_goal_of_one(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint, query=[0, 0, 0])
    assert explorer.goal == 1


def test_edits_go_on_while_it_computes_and_only_the_newest_question_is_answered(
    joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    scales: list[float] = []

    def slow(results: PriorAnalysis, goal: float, progress: Any) -> dict[str, Any]:
        scales.append(goal)
        begun.set()
        assert go_on.wait(10)
        return {"scale": goal, "why": None}

    monkeypatch.setattr(late, "enough_scale", slow)
    explorer = PriorExplorer(joint)
    say(explorer, {"late": ""})
    assert begun.wait(10)
    for goal in (2.0, 3.0, 4.0):
        ask(explorer, goal=goal, scale=goal)
        assert explorer._view["results"]["scale"] == goal
        say(explorer, {"late": ""})
    go_on.set()
    wait(lambda: came(explorer))
    assert explorer._late["enough"]["scale"] == 4
    assert scales == [1, 4]
    # The same question again is not computed again.
    say(explorer, {"late": ""})
    time.sleep(0.05)
    assert scales == [1, 4]


@pytest.mark.parametrize(
    ("part", "function"),
    [("enough", "enough_scale"), ("sample", "sample_interval")],
    ids=["enough", "sample"],
)
def test_a_part_that_fails_says_why_and_the_other_one_comes(
    part: str, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[str] = []
    monkeypatch.setattr(
        PriorExplorer, "_report", lambda self, error, what: reported.append(f"{what}: {error}")
    )
    explorer = PriorExplorer(three())

    def fails(*_: Any) -> dict[str, Any]:
        raise ValueError("no root")

    with monkeypatch.context() as broken:
        broken.setattr(late, function, fails)
        say(explorer, {"late": ""})
        wait(lambda: came(explorer))
    assert reported == ["a number that comes late: no root"]
    none = {"enough": {"scale": None}, "sample": {"low": None, "high": None, "level": 0.95}}[part]
    why = "Something went wrong: ValueError: no root."
    assert explorer._late[part] == {"of": explorer._view["late"][part], **none, "why": why}
    other = explorer._late["sample" if part == "enough" else "enough"]
    assert (other["why"], None in other.values()) == (None, True)
    assert other.get("scale") or other.get("low")
    # The next question is answered.
    explorer.scale, explorer.goal = 2, 0.7
    say(explorer, {"late": ""})
    wait(lambda: came(explorer))
    assert explorer._late[part]["why"] is None


@pytest.mark.parametrize("nonsense", [3, {}, {"of": 1}, {"enough": 3}, {"enough": {"scale": 9.0}}, []])
def test_the_page_does_not_write_what_python_computes(joint: JointDistribution, nonsense: Any) -> None:
    explorer = PriorExplorer(joint)
    view = explorer._view
    for name in ("_late", "_progress", "_view", "_esm", "_model_name"):
        before = getattr(explorer, name)
        explorer.set_state({name: nonsense})
        assert getattr(explorer, name) is before
    assert explorer._view is view
    # Even were it there, the next late message is answered.
    if isinstance(nonsense, dict):
        explorer.set_trait("_late", nonsense)
    say(explorer, {"late": ""})
    wait(lambda: isinstance(explorer._late.get("enough"), dict) and came(explorer))
    assert explorer._late["enough"]["scale"] > 0
    explorer.set_state({"_dom_classes": ["mine"]})
    assert explorer._dom_classes == ("mine",)


def test_a_closed_explorer_is_left_alone(joint: JointDistribution, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(results: PriorAnalysis, goal: float, progress: Any) -> dict[str, Any]:
        begun.set()
        assert go_on.wait(10)
        return {"scale": 1.0, "why": None}

    monkeypatch.setattr(late, "enough_scale", slow)
    explorer = PriorExplorer(joint)
    say(explorer, {"late": ""})
    assert begun.wait(10)
    explorer.close()
    go_on.set()
    wait(lambda: not any(t.name == "pdp-widgets-late" for t in threading.enumerate()))
    assert explorer._late == {}


# Saved where no page was open


@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_what_is_saved_without_a_browser_has_the_interval_of_the_sample(convention: str) -> None:
    explorer = PriorExplorer(three(), convention=convention)
    saved = explorer.saved_outputs()[VIEW_TYPE]["traits"]
    assert saved["_late"]["sample"]["of"] == saved["_view"]["late"]["sample"]
    say(explorer, {"late": ""})
    wait(lambda: came(explorer))
    asked: dict[str, Any] = explorer._late["sample"]
    assert saved["_late"]["sample"] == asked
    assert asked["low"] < asked["high"]
    explorer.scale = 3
    again = explorer.saved_outputs()[VIEW_TYPE]["traits"]
    assert again["_late"]["sample"]["of"] == again["_view"]["late"]["sample"] != asked["of"]
    assert again["_late"]["sample"]["low"] != asked["low"]


def test_a_table_that_is_no_sample_is_saved_without_an_interval(joint: JointDistribution) -> None:
    assert "sample" not in PriorExplorer(joint).saved_outputs()[VIEW_TYPE]["traits"]["_late"]


def test_an_interval_that_takes_long_does_not_hold_the_saving_up() -> None:
    counts = np.random.default_rng(0).integers(0, 5, (2,) * 12)
    explorer = PriorExplorer(
        JointDistribution.from_counts(counts), convention="sup", target=0, known=tuple(range(1, 12))
    )
    assert "sample" not in explorer.saved_outputs()[VIEW_TYPE]["traits"]["_late"]


# The picture


def test_the_picture_is_sent_to_the_view_that_asked(joint: JointDistribution) -> None:
    explorer = PriorExplorer(joint)
    say(explorer, {"picture": "view 1"})
    sent = picture_sent(explorer)
    assert sent["asked"] == "view 1"
    assert sent["svg"] == explorer.snapshot().svg
    assert sent["name"].endswith(".svg")


@pytest.mark.parametrize("content", [{"picture": 3}, {"picture": None}, {"picture": []}, "late", None, 7])
def test_messages_of_another_kind_do_no_harm(joint: JointDistribution, content: Any) -> None:
    explorer = PriorExplorer(joint)
    say(explorer, content)
    assert explorer.error is None
    assert not [m for m in explorer.comm.messages if m["data"].get("method") == "custom"]


def test_a_picture_that_fails_says_why(joint: JointDistribution, monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = PriorExplorer(joint)
    reported: list[str] = []
    monkeypatch.setattr(type(explorer), "_report", lambda self, error, what: reported.append(what))

    def fails(self: Any) -> Any:
        raise ValueError("The font is gone.")

    monkeypatch.setattr(type(explorer), "_drawn", fails)
    say(explorer, {"picture": "view 1"})
    assert picture_sent(explorer) == {"asked": "view 1", "fault": "The font is gone."}
    assert reported == ["the picture"]
