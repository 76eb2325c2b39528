"""The explorer of Gaussian data under a person's hands."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer
from tests.ui.bridge import Bridge, View
from tests.ui.hands import drag, expect_said, expect_silence, lead
from tests.ui.test_accessibility import press, tab_to
from tests.ui.test_covariance_editor import PAIR, house, random_model, status, type_into

#: Where old numbers stand, and say that they are.
OLD_SAY_SO = (".px-fact", ".px-audit", "[aria-label=Densities]", ".px-leak")


def flats() -> GaussianExplorer:
    return GaussianExplorer(house(), [1, 1, 1, -1], target="flat B", known=["solar"], noun="flat")


def field(view: View, name: str) -> Locator:
    return view.root.get_by_label(f"{name} as a number")


def type_number(bridge: Bridge, view: View, name: str, text: str) -> None:
    field(view, name).click()
    bridge.page.keyboard.type(text)
    press(bridge, "Enter")


def big(view: View) -> Locator:
    return view.root.locator(".px-big")


def shown(view: View) -> list[str]:
    """Return all numbers that depend on the release, as they stand."""
    return view.root.locator(
        ".px-lead, .px-fact, .px-promise, .px-audit, .gx-why, .lg-graph svg, .density-svg"
    ).all_text_contents()


def enough(view: View) -> Locator:
    return view.root.locator(".px-enough button")


def goal(view: View) -> Locator:
    return view.root.locator(".px-goal input")


def fact(view: View, term: str) -> str:
    return view.root.locator(f".px-facts dt:text-is('{term}') + dd").inner_text()


def test_the_story_in_one_sentence_r_is_moved_and_another_adversary_is_chosen(bridge: Bridge) -> None:
    explorer = flats()
    view = bridge.show(explorer)
    bridge.settle()
    assert lead(view) == (
        "A noisy weighted sum with Laplace noise of scale 1.00 promises that 1.00 kWh in one flat shows by "
        "at most 1.000 nats. For someone who knows none of the other flats, flat B shows by up to 2.170, a "
        "limit never quite reached. The chosen adversary learns up to 1.932 about flat B."
    )
    expect(view.root.locator(".px-status")).to_contain_text("exact, a limit")
    assert fact(view, "Over from") == "r ≥ 8.67"
    assert fact(view, "99 % reached") == "r ≥ 12.4"
    assert fact(view, "λ for 1.00 nats") == "1.94"
    expect(view.root.locator(".gx-why")).to_contain_text("Knowing flat A too would take 0.636 nats off.")
    strip = view.root.locator(".px-audit")
    expect(strip).to_contain_text("Exact worst, a limit")
    expect(strip).to_contain_text("exact for everyone")
    expect(strip).to_contain_text("∞")
    # The change when that value becomes known stands on the edges.
    assert view.root.locator(".lg-increments text:visible").all_text_contents() == [
        "−0.238",
        "−0.636",
        "−0.472",
    ]
    # The published value is moved with keys and dragged.
    handle = view.root.get_by_role("slider", name="Published value r")
    before = float(handle.get_attribute("aria-valuenow") or "nan")
    handle.focus()
    press(bridge, "ArrowRight")
    assert float(handle.get_attribute("aria-valuenow") or "nan") > before
    press(bridge, "End")
    expect(view.root.locator(".density-svg")).to_contain_text("1.93")
    drag(bridge, view.root.locator(".density-svg .density-grip"), -150)
    assert float(handle.get_attribute("aria-valuenow") or "nan") < before + 5
    # Another adversary, by chip.
    view.root.get_by_role("button", name="flat A, known").click()
    bridge.settle()
    assert explorer.known == ("flat A", "solar")
    expect(big(view)).to_contain_text("1.295")
    assert view.root.locator(".chip-row select:visible").count() == 1  # no menus of values
    view.root.get_by_role("button", name="flat C, known").click()
    bridge.settle()
    # Nobody is unknown: the value is attained, no limit is drawn.
    expect(view.root.locator(".px-status")).to_have_text(re.compile("^ ?exactexactly the promise$"))
    expect(view.root.locator(".gx-limit")).to_have_count(0)
    expect(view.root.locator(".density-svg")).to_contain_text("1.000 attained, r ≥ 7 kWh")


def test_scale_and_change_move_every_number_before_python_answers(bridge: Bridge) -> None:
    explorer = flats()
    view = bridge.show(explorer)
    bridge.settle()
    with bridge.held():
        field(view, "Scale λ").click()
        bridge.page.keyboard.type("2")
        bridge.page.keyboard.press("Enter")
        field(view, "Change M").click()
        bridge.page.keyboard.type("3")
        bridge.page.keyboard.press("Enter")
        expect(big(view)).to_contain_text("2.898")
        ahead = shown(view)
        # Also when the answer takes its time: nothing is replaced by dots.
        bridge.page.wait_for_timeout(150)
        assert shown(view) == ahead
    bridge.settle()
    assert (explorer.scale, explorer.max_change) == (2.0, 3.0)
    assert shown(view) == ahead
    assert float(explorer.results.node("flat B", ["solar"])) == pytest.approx(2.898, abs=5e-4)
    press(bridge, "Control+z", "Control+z")
    assert (explorer.scale, explorer.max_change) == (1.0, 1.0)
    press(bridge, "Control+Shift+z")
    assert (explorer.scale, explorer.max_change) == (2.0, 1.0)


def test_the_scale_that_is_enough_is_set_by_a_click_and_the_goal_is_reached_typed_undone_and_set(
    bridge: Bridge,
) -> None:
    explorer = flats()
    view = bridge.show(explorer)
    bridge.settle()
    reached = view.root.locator(".px-reached")
    expect(enough(view)).to_have_text("2.17")
    expect(reached).to_be_hidden()
    assert goal(view).input_value() == "1.00"
    enough(view).focus()
    press(bridge, "Enter")
    assert explorer.scale == 2.17
    assert float(explorer.results.exact.max()) <= 1
    # The goal does not move on: it is reached.
    expect(reached).to_be_visible()
    expect(enough(view)).to_be_disabled()
    expect(enough(view)).to_have_text("2.17")
    assert (goal(view).input_value(), explorer.goal) == ("1.00", 1)
    assert fact(view, "λ for 1.00 nats") == "1.94"
    press(bridge, "Control+z")
    assert explorer.scale == 1
    expect(reached).to_be_hidden()
    # Another goal, from Python and typed.
    explorer.goal = 0.75
    bridge.settle()
    assert goal(view).input_value() == "0.75"
    expect(enough(view)).to_have_text("2.90")
    goal(view).fill("0,5")
    with bridge.held():
        bridge.page.keyboard.press("Enter")
        # Nobody is asked: leakage is inversely proportional to the scale.
        expect(enough(view)).to_have_text("4.34")
    bridge.settle()
    assert explorer.goal == 0.5
    # The present scale does not matter to it.
    type_number(bridge, view, "Scale λ", "3")
    expect(enough(view)).to_have_text("4.34")
    goal(view).fill("none")
    bridge.page.keyboard.press("Enter")
    expect_said(view, "The goal stays 0.50.")
    bridge.page.keyboard.press("Escape")
    expect_silence(view)
    for _ in range(2):
        view.root.get_by_role("button", name="Undo (Ctrl Z)").click()
        bridge.settle()
    assert (explorer.goal, explorer.scale) == (0.75, 1)
    explorer.goal = 2
    bridge.settle()
    assert goal(view).input_value() == "2.00"
    explorer.goal = None
    bridge.settle()
    assert goal(view).input_value() == "1.00"


def test_a_weight_in_the_matrix_makes_a_weighted_sum_and_what_is_determined_leaves_nothing_to_draw(
    bridge: Bridge,
) -> None:
    explorer = GaussianExplorer(house())
    view = bridge.show(explorer)
    bridge.settle()
    query = view.root.get_by_role("combobox", name="Query")
    assert query.input_value() == "Sum"
    type_into(bridge, view, "weight of solar", "-2")
    assert explorer.weights == (1, 1, 1, -2)
    assert query.input_value() == "Weighted sum"
    expect(view.root.locator(".px-query")).to_contain_text("A + B + C − 2 solar")
    expect(view.root.locator(".px-promise").first).to_contain_text("2.000 nats")
    query.select_option("Mean")
    bridge.settle()
    assert explorer.weights == (0.25,) * 4
    press(bridge, "Control+z")
    assert (explorer.query, explorer.weights) == ("weights", (1, 1, 1, -2))
    explorer.value = GaussianModel([1, 2, 3], [[1, 1, 0.5], [1, 1, 0.5], [0.5, 0.5, 2]], ["a", "b", "c"])
    explorer.query = "sum"
    explorer.target, explorer.known = "a", ("b",)
    bridge.settle()
    assert lead(view).endswith("The chosen adversary learns nothing about a.")
    expect(view.root.locator(".density-svg")).to_be_hidden()
    expect(view.root.locator(".density-empty")).to_contain_text("no two values to compare")
    expect(view.root.locator(".gx-graph-note")).to_contain_text(
        "Dashed: determined, nothing is left to learn (4)."
    )


def test_an_invalid_matrix_keeps_the_results_and_says_which_cell(bridge: Bridge) -> None:
    explorer = flats()
    view = bridge.show(explorer)
    bridge.settle()
    type_into(bridge, view, PAIR, "1.4")
    expect_said(view, "flat A, flat B too large.")
    expect_said(view, "last valid matrix")
    expect(big(view)).to_contain_text("1.932")
    for part in OLD_SAY_SO:
        expect(view.root.locator(f"{part} .px-stale")).to_have_text(
            "Results belong to the last valid matrix."
        )
        expect(view.root.locator(f"{part} .px-stale svg")).to_be_visible()
    expect(enough(view)).to_have_text("…")
    # The release goes on.
    type_number(bridge, view, "Scale λ", "2")
    expect(big(view)).to_contain_text("0.966")
    view.root.get_by_role("button", name="Nearest valid").click()
    bridge.settle()
    assert explorer.current
    expect_silence(view)
    expect(status(view)).to_contain_text("Valid")
    for _ in range(3):
        view.root.get_by_role("button", name="Undo (Ctrl Z)").click()
        bridge.settle()
    assert explorer.value == house()
    assert explorer.scale == 1.0


def test_a_drag_in_the_lead_under_latency_stays_under_the_hand_and_without_a_kernel_all_stays(
    bridge: Bridge,
) -> None:
    explorer = flats()
    view = bridge.show(explorer)
    bridge.settle()
    bridge.latency(100)
    number = view.root.get_by_role("spinbutton", name="Change to hide")
    drag(bridge, number, 80, steps=6, release=False)
    at = big(view).inner_text()
    bridge.page.wait_for_timeout(250)
    assert big(view).inner_text() == at
    bridge.page.mouse.up()
    bridge.settle(timeout=10_000)
    assert explorer.max_change == pytest.approx(10**0.5, abs=0.01)
    assert big(view).inner_text() == at
    press(bridge, "Control+z")
    bridge.settle(timeout=10_000)
    assert explorer.max_change == 1
    bridge.latency(0)
    bridge.kill(explorer)
    expect_said(view, "No kernel.")
    expect(big(view)).to_contain_text("1.932")
    expect(field(view, "Scale λ")).to_be_disabled()
    expect(view.root.get_by_role("combobox", name="Query")).to_be_disabled()
    expect(view.root.get_by_role("button", name="Import…")).to_be_disabled()
    bridge.revive(explorer)
    expect_silence(view)
    type_number(bridge, view, "Scale λ", "2")
    assert explorer.scale == 2


def test_a_large_graph_follows_the_scale_and_the_chips(bridge: Bridge) -> None:
    explorer = GaussianExplorer(random_model(12))
    view = bridge.show(explorer)
    bridge.settle()
    largest = float(np.max(explorer.results.exact))
    expect(view.root.locator(".px-audit")).to_contain_text(f"{largest:.3f}")
    type_number(bridge, view, "Scale λ", "4")
    expect(view.root.locator(".px-audit")).to_contain_text(f"{largest / 4:.3f}")
    expect(view.root.locator(".lg-graph")).to_contain_text(f"{largest / 4:.3f}")
    knew = "item 1" in explorer.known
    view.root.get_by_role("button", name="item 1, known").click()
    bridge.settle()
    assert ("item 1" in explorer.known) is not knew


def test_w25_every_control_by_keyboard(bridge: Bridge) -> None:
    explorer = flats()
    view = bridge.show(explorer)
    bridge.settle()
    tab_to(bridge, view, "Laplace noise, scale", "spinbutton")
    press(bridge, "ArrowUp")
    assert explorer.scale == 1.01
    tab_to(bridge, view, "Change to hide", "spinbutton")
    bridge.page.keyboard.type("2")
    press(bridge, "Enter")
    assert explorer.max_change == 2
    tab_to(bridge, view, re.compile("Change to hide, M"), "slider")
    press(bridge, "Home")
    assert explorer.max_change == 0.1
    tab_to(bridge, view, re.compile("^flat A, known"), "button")
    press(bridge, "Space")
    assert explorer.known == ("flat A", "solar")
