"""The release in the page: the query by name, its weights, and the scale that is enough for all."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from pdp_widgets import JointDistribution, LinearQuery, PriorExplorer, lsat6
from tests.browser import PATIENCE
from tests.ui.bridge import Bridge, View
from tests.ui.hands import expect_said, expect_silence, lead, type_into, type_scale, until


def three() -> JointDistribution:
    return lsat6().marginal(["item 1", "item 2", "item 5"])


def pick(bridge: Bridge, view: View, label: str) -> None:
    view.root.get_by_role("combobox", name="Query").select_option(label)
    bridge.settle()


def type_weight(bridge: Bridge, view: View, name: str, text: str) -> None:
    field = view.root.get_by_label(f"Weight of {name}")
    field.click()
    bridge.page.keyboard.press("Control+A")
    bridge.page.keyboard.type(text)
    bridge.page.keyboard.press("Enter")
    bridge.settle()


def undo(bridge: Bridge, view: View) -> None:
    view.root.get_by_role("button", name="Undo (Ctrl Z)").click()
    bridge.settle()


def late(bridge: Bridge, explorer: PriorExplorer, part: str) -> None:
    """Wait until a late number of the present view has come, and stands in the page."""
    until(bridge, lambda: explorer._late.get(part, {}).get("of") == explorer._view["late"][part])


def enough(view: View) -> Locator:
    return view.root.locator(".px-goal button")


def test_a_query_is_picked_by_name_weighed_undone_and_set_in_python(bridge: Bridge) -> None:
    explorer = PriorExplorer(three(), noun="answer")
    view = bridge.show(explorer)
    pick(bridge, view, "Mean")
    assert explorer.query == LinearQuery.mean(explorer.value)
    expect(view.root.locator(".px-query")).to_have_text("Mean of 3 answers")
    expect(view.root.locator(".px-promise dd").first).to_have_text("0.333 nats")
    assert lead(view).startswith("A noisy mean")
    pick(bridge, view, "Count of label 1")
    expect(view.root.locator(".px-query")).to_have_text("Count of label 1 among 3 answers")
    undo(bridge, view)
    undo(bridge, view)
    assert explorer.query == LinearQuery.sum(explorer.value)
    expect(view.root.get_by_role("combobox", name="Query")).to_have_value("Sum")
    # Weights are typed under the names, and undone one by one.
    expect(view.root.get_by_label("Weight of item 2")).to_have_count(0)
    pick(bridge, view, "Weighted sum")
    type_weight(bridge, view, "item 2", "-2,5")
    assert explorer.query == LinearQuery.weighted(explorer.value, [1, -2.5, 1])
    expect(view.root.locator(".px-promise dd").first).to_have_text("2.500 nats")
    type_weight(bridge, view, "item 1", "two")
    expect_said(view, "The weight stays 1.")
    assert explorer.query == LinearQuery.weighted(explorer.value, [1, -2.5, 1])
    type_weight(bridge, view, "item 1", "0")
    expect_silence(view)
    undo(bridge, view)
    assert explorer.query == LinearQuery.weighted(explorer.value, [1, -2.5, 1])
    undo(bridge, view)
    expect(view.root.get_by_label("Weight of item 2")).to_have_value("1")
    undo(bridge, view)
    assert explorer.query == LinearQuery.sum(explorer.value)
    # What Python sets is shown.
    explorer.query = [1, 0, 2]
    bridge.settle()
    expect(view.root.get_by_label("Weight of item 5")).to_have_value("2")
    explorer.query = LinearQuery([[0, 1], [0, 1], [0, 3]], name="score <b>")
    bridge.settle()
    expect(view.root.get_by_role("combobox", name="Query")).to_have_value("Score <b> (given)")


def goal(view: View) -> Locator:
    return view.root.locator(".px-goal input")


def test_the_scale_that_is_enough_is_set_by_a_click_and_the_goal_is_reached_typed_undone_and_set(
    bridge: Bridge,
) -> None:
    explorer = PriorExplorer(three(), instance=[0, 1, 0])
    view = bridge.show(explorer)
    reached = view.root.locator(".px-reached")
    late(bridge, explorer, "enough")
    expect(enough(view)).to_have_text("1.41")
    expect(reached).to_be_hidden()
    assert goal(view).input_value() == "1.00"
    enough(view).focus()
    bridge.page.keyboard.press("Enter")
    bridge.settle()
    assert explorer.scale == 1.41
    assert explorer.results.exact.max() <= 1
    # The goal does not move on: it is reached, now and when all numbers have come.
    for part in ("enough", "sample"):
        expect(reached).to_be_visible()
        expect(enough(view)).to_be_disabled()
        expect(enough(view)).to_have_text("1.41")
        assert goal(view).input_value() == "1.00"
        late(bridge, explorer, part)
    undo(bridge, view)
    assert explorer.scale == 1
    expect(reached).to_be_hidden()
    # Another goal, from Python and typed.
    explorer.goal = 0.75
    bridge.settle()
    late(bridge, explorer, "enough")
    assert goal(view).input_value() == "0.75"
    first = float(enough(view).inner_text())
    goal(view).fill("0,5")
    bridge.page.keyboard.press("Enter")
    bridge.settle()
    assert explorer.goal == 0.5
    late(bridge, explorer, "enough")
    second = float(enough(view).inner_text())
    assert second > first
    # The present scale does not matter to it.
    type_scale(bridge, view, "3")
    expect(enough(view)).to_have_text(str(second))
    goal(view).fill("none")
    bridge.page.keyboard.press("Enter")
    expect_said(view, "The goal stays 0.50.")
    bridge.page.keyboard.press("Escape")
    expect_silence(view)
    undo(bridge, view)
    undo(bridge, view)
    assert (explorer.goal, explorer.scale) == (0.75, 1)
    explorer.goal = 2
    bridge.settle()
    assert goal(view).input_value() == "2.00"


def test_a_sample_shows_its_interval_until_it_is_edited(bridge: Bridge) -> None:
    explorer = PriorExplorer(three(), instance=[0, 1, 0], target="item 5", known=["item 1"])
    view = bridge.show(explorer)
    late(bridge, explorer, "sample")
    facts = view.root.locator(".px-facts")
    expect(facts).to_contain_text(re.compile(r"As a sample, 95 %\s*1\.\d\d\s*to 1\.\d\d, 76 records"))
    line = view.root.locator(".px-fact .numline svg")
    expect(line).to_have_attribute("aria-label", re.compile(r"as a sample 1\.\d\d to 1\.\d\d with 95 %"))
    type_into(bridge, view, "item 1 = 0, item 2 = 0, item 5 = 0", "0.1")
    expect(facts).not_to_contain_text("As a sample")
    expect(view.root.locator(".numline-whisker")).to_have_count(0)
    undo(bridge, view)
    expect(facts).to_contain_text("As a sample")


def test_late_numbers_hold_no_edit_up(bridge: Bridge, monkeypatch: pytest.MonkeyPatch) -> None:
    from pdp_widgets.widgets import late as module

    begun, go_on = threading.Event(), threading.Event()
    real = module.enough_scale

    def slow(*question: Any) -> Any:
        begun.set()
        assert go_on.wait(PATIENCE / 1000)
        return real(*question)

    monkeypatch.setattr(module, "enough_scale", slow)
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    until(bridge, begun.is_set)
    type_scale(bridge, view, "2")
    assert explorer.scale == 2
    expect(view.root.locator(".px-promise dd").first).to_have_text("0.500 nats")
    goal(view).fill("0.5")
    bridge.page.keyboard.press("Enter")
    bridge.settle()
    expect(enough(view)).to_have_text("…")
    go_on.set()
    late(bridge, explorer, "enough")
    expect(enough(view)).not_to_have_text("…")
    # The answer is that of the second goal: half the leakage takes twice the noise.
    assert explorer._late["enough"]["scale"] > 2


def test_a_whole_histogram_is_picked_without_curves_and_edges_open_by_key_and_follow(bridge: Bridge) -> None:
    explorer = PriorExplorer(lsat6(), noun="answer")
    view = bridge.show(explorer)
    bridge.settle()
    view.root.get_by_label("Query").select_option("Whole histogram")
    bridge.settle()
    assert len(explorer.query) == 2
    expect(view.root.locator(".px-lead")).to_contain_text("2.000 nats")
    expect(view.root.locator(".px-big")).to_contain_text(f"{explorer.results.largest.value:.3f}")
    densities = view.root.get_by_role("region", name="Densities")
    expect(densities).to_contain_text("2 numbers released together: no curve over one r can show")
    expect(densities.locator(".density-svg")).to_be_hidden()
    view.root.get_by_label("Query").select_option("Sum")
    bridge.settle()
    expect(densities.locator(".density-svg")).to_be_visible()
    # The edges of another adversary.
    explorer.target, explorer.known = "item 1", ("item 2",)
    bridge.settle()
    summary = view.root.locator("details.px-edges > summary")
    summary.focus()
    bridge.page.keyboard.press("Enter")
    table = view.root.locator(".px-edges-table")
    weight = explorer.results.edge("item 1", "item 2")
    row = table.locator("tbody tr").first
    expect(row).to_contain_text("without item 2")
    shown = [f"+{weight.ic_range[0]:.3f}", f"+{weight.ir_range[0]:.3f}", f"{weight.rho:.3f}"]
    expect(row.locator("td")).to_have_text(shown)
    explorer.known = ("item 2", "item 3")
    bridge.settle()
    expect(table.locator("tbody tr").nth(1)).to_contain_text("without item 3")
    expect(view.root.locator("details.px-edges")).to_have_attribute("open", "")
