"""The explorer of inferred locations under a person's hands."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from pdp_widgets import AttackExplorer, SocialNetwork, synthetic_network
from tests.ui.bridge import Bridge, View
from tests.ui.hands import expect_said, expect_silence, lead, until
from tests.ui.test_accessibility import press, tab_to
from tests.ui.test_themes import faint


def city(users: int = 150) -> SocialNetwork:
    return synthetic_network(users, rng=1).city("New York")


def small(**more: object) -> AttackExplorer:
    """Return an explorer whose means over all users are quickly there."""
    return AttackExplorer(city(), grid=10, clusters=4, **more)  # type: ignore[arg-type]


def shown(bridge: Bridge, explorer: AttackExplorer) -> View:
    """Show it with everything that is computed beside."""
    explorer.wait()
    view = bridge.show(explorer)
    bridge.settle()
    return view


def entry(view: View, label: str) -> Locator:
    return view.root.get_by_role("textbox", name=label)


def type_into(bridge: Bridge, view: View, label: str, text: str) -> None:
    entry(view, label).fill(text)
    press(bridge, "Enter")


def test_the_story_in_one_look_and_below_521_px_a_switch_for_the_attack(bridge: Bridge) -> None:
    explorer = small()
    view = shown(bridge, explorer)
    two = explorer.results.attack_2
    assert lead(view).startswith(
        f"The guess of attack 2 is off by {two.error_km:.2f} km. "
        f"With ε = 40 and friends weighted 10 times it scores {two.leaked_bits:.3f} bits."
    )
    expect(view.root.locator(".ax-map")).to_have_count(4)
    score = view.root.locator(".ax-score")
    for number in (two.leaked_bits, two.incremental_bits, two.prior_gap_bits):
        expect(score).to_contain_text(f"{number:.3f}")
    expect(view.root.locator(".px-audit")).to_contain_text("57.71")
    expect(view.root.locator(".px-audit")).to_contain_text("(95 % over draws)")
    # Wherever bits stand, they are called so.
    for part in (".ax-score h3", ".ax-by-panel h3", ".ax-curve-panel >> nth=0", ".px-audit"):
        expect(view.root.locator(part).first).to_contain_text("bits")
    expect(view.root.locator(".ax-attack-switch")).to_be_hidden()
    bridge.page.set_viewport_size({"width": 480, "height": 900})
    bridge.settle()
    expect(view.root.locator(".ax-map:visible")).to_have_count(2)
    expect(view.root.get_by_text("cells near friends weighted")).to_be_visible()
    view.root.get_by_role("radio", name="Attack 1").check(force=True)
    expect(view.root.get_by_text("cells near friends weighted")).to_be_hidden()
    expect(view.root.locator(".ax-map:visible")).to_have_count(2)


def test_the_score_moves_while_the_budget_is_dragged_and_what_python_sets_is_shown(bridge: Bridge) -> None:
    explorer = small()
    view = shown(bridge, explorer)
    curve = view.root.locator(".ax-curve").first
    curve.scroll_into_view_if_needed()
    box = curve.bounding_box()
    assert box is not None
    bridge.page.mouse.move(box["x"] + 90, box["y"] + 60)
    bridge.page.mouse.down()
    seen = set()
    for k in range(4):
        bridge.page.mouse.move(box["x"] + 100 + 45 * k, box["y"] + 60)
        bridge.settle()
        seen.add(view.root.locator(".ax-score .ax-total").inner_text())
    bridge.page.mouse.up()
    bridge.settle()
    assert len(seen) >= 3
    until(bridge, lambda: explorer.epsilon != 40)
    # One drag is one step.
    press(bridge, "Control+z")
    until(bridge, lambda: explorer.epsilon == 40)
    press(bridge, "Control+Shift+z")
    until(bridge, lambda: explorer.epsilon != 40)
    # What Python sets is shown, and a wrong value changes nothing.
    explorer.epsilon = 7.5
    explorer.mechanism = "dpm"
    bridge.settle()
    assert entry(view, "Budget ε as a number").input_value() == "7.5"
    expect(view.root.get_by_role("radio", name="DPM")).to_be_checked()
    with pytest.raises(Exception, match="epsilon"):
        explorer.epsilon = -1.0
    bridge.settle()
    assert entry(view, "Budget ε as a number").input_value() == "7.5"


def test_one_budget_stands_in_the_slider_the_field_both_curves_and_the_sentence(bridge: Bridge) -> None:
    explorer = small()
    view = shown(bridge, explorer)
    for text in ("0", "-1", "inf", "lots"):
        type_into(bridge, view, "Budget ε as a number", text)
        expect_said(view, "The budget stays 40.")
        assert explorer.epsilon == 40, text
        bridge.page.keyboard.press("Escape")
        expect_silence(view)
    type_into(bridge, view, "Budget ε as a number", "12,5")
    until(bridge, lambda: explorer.epsilon == 12.5)
    sliders = view.root.get_by_role("slider", name=re.compile("^Budget ε"))
    expect(sliders).to_have_count(3)
    for k in range(3):
        expect(sliders.nth(k)).to_have_attribute("aria-valuenow", "12.5")
    sliders.nth(1).focus()
    press(bridge, "End")
    until(bridge, lambda: explorer.epsilon == 400)
    sliders.nth(0).focus()
    press(bridge, "Home")
    until(bridge, lambda: explorer.epsilon == 0.1)
    number = view.root.get_by_role("spinbutton", name="Budget ε")
    number.focus()
    press(bridge, "Enter")
    bridge.page.keyboard.type("25")
    press(bridge, "Enter")
    until(bridge, lambda: explorer.epsilon == 25)
    weight = view.root.get_by_role("spinbutton", name="Friends’ weight")
    weight.focus()
    press(bridge, "Shift+ArrowUp")
    until(bridge, lambda: explorer.weight == 11)


def test_the_sensitivity_says_which_is_a_guarantee(bridge: Bridge) -> None:
    explorer = small()
    view = shown(bridge, explorer)
    menu = view.root.get_by_role("combobox", name="Sensitivity")
    words = menu.locator("option").all_inner_texts()
    assert [("a guarantee" in word, "no guarantee" in word) for word in words] == [
        (False, True),
        (False, True),
        (False, True),
        (True, False),
    ]
    menu.select_option(index=3)
    bridge.settle()
    until(bridge, lambda: explorer.sensitivity == "worst_case")
    said = view.root.locator(".ax-guarantee")
    expect(said).to_have_text("Holds for every data set.")
    explorer.known = 0.5
    bridge.settle()
    expect(said).to_have_text("No guarantee here: it needs all others known, or baseline.")
    expect(menu.locator("option").nth(3)).to_have_text("worst case, no guarantee")
    explorer.mechanism = "baseline"
    bridge.settle()
    expect(said).to_have_text("Holds for every data set.")
    expect(menu.locator("option").nth(3)).to_have_text("worst case, a guarantee")
    explorer.mechanism, explorer.known = "lpm", 1.0
    bridge.settle()
    menu.focus()
    press(bridge, "Control+z")
    until(bridge, lambda: explorer.sensitivity == "local")


def test_every_input_is_a_step_of_undo(bridge: Bridge) -> None:
    explorer = small()
    view = shown(bridge, explorer)

    def inputs() -> tuple[object, ...]:
        names = ("mechanism", "epsilon", "sensitivity", "victim", "weight", "known", "draw")
        return tuple(getattr(explorer, name) for name in names)

    before = [inputs()]
    view.root.get_by_role("radio", name="baseline").check(force=True)
    until(bridge, lambda: explorer.mechanism == "baseline")
    before.append(inputs())
    type_into(bridge, view, "Friends’ weight as a number", "3")
    until(bridge, lambda: explorer.weight == 3)
    before.append(inputs())
    type_into(bridge, view, "Share known in per cent", "50 %")
    until(bridge, lambda: explorer.known == 0.5)
    before.append(inputs())
    view.root.get_by_role("button", name="New noise").click()
    until(bridge, lambda: explorer.draw == 2)
    for wanted in reversed(before):
        press(bridge, "Control+z")
        until(bridge, lambda wanted=wanted: inputs() == wanted)  # type: ignore[misc]
    expect(view.root.get_by_role("button", name="Undo (Ctrl Z)")).to_be_disabled()


def test_a_victim_is_found_by_typing_and_without_a_mouse(bridge: Bridge) -> None:
    explorer = small()
    view = shown(bridge, explorer)
    users = [int(user) for user in explorer.value.users if user != explorer.victim]
    tab_to(bridge, view, "Victim", "combobox")
    bridge.page.keyboard.type(str(users[3]))
    field = view.root.get_by_role("combobox", name="Victim")
    expect(field).to_have_attribute("aria-expanded", "true")
    press(bridge, "Enter")
    until(bridge, lambda: explorer.victim == users[3])
    expect(field).to_have_value(re.compile(f"^User {users[3]}, "))
    field.fill("nobody at all")
    press(bridge, "Enter")
    expect_said(view, "No user is called")
    press(bridge, "Escape")
    expect_silence(view)
    until(bridge, lambda: explorer.victim == users[3])
    field.click()
    view.root.get_by_role("listbox", name="Users").get_by_role("option").first.click()
    bridge.settle()
    until(bridge, lambda: explorer.victim == explorer.value.users[0])


def test_a_map_is_read_with_the_pointer_and_the_arrow_keys_in_each_view_for_itself(bridge: Bridge) -> None:
    explorer = small()
    view = shown(bridge, explorer)
    tab_to(bridge, view, re.compile("^Attack 2, after the release: the guess is cell"), "group", most=60)
    press(bridge, "Home", "PageDown")
    result = explorer.results
    said = view.root.locator(".ax-readout")
    expect(said).to_contain_text("Cell 1 east, 1 north")
    cell = result.attack_2.cell
    press(bridge, *["ArrowRight"] * (cell % 10), *["ArrowUp"] * (cell // 10))
    expect(said).to_contain_text(f"→ {result.attack_2.posterior[cell]:.3f}")
    expect(view.root.locator(".ax-cursor rect")).to_have_count(8)
    press(bridge, "Escape")
    expect(view.root.locator(".ax-cursor rect")).to_have_count(0)
    view.root.locator(".ax-map").first.hover()
    expect(said).to_contain_text("attack 1")
    # A second view holds the same state and maps of its own.
    bridge.page.mouse.move(2, 2)
    first, second = view, shown(bridge, explorer)
    type_into(bridge, first, "Budget ε as a number", "9")
    assert entry(second, "Budget ε as a number").input_value() == "9"
    assert lead(first) == lead(second)
    first.root.locator(".ax-map").first.hover()
    expect(first.root.locator(".ax-cursor rect")).to_have_count(8)
    expect(second.root.locator(".ax-cursor rect")).to_have_count(0)
    ids = bridge.page.locator("[id]").evaluate_all("all => all.map((el) => el.id)")
    assert len(ids) == len(set(ids))


def test_curves_that_are_awaited_move_nothing_when_they_come(bridge: Bridge) -> None:
    view = bridge.show(small(disabled=True))
    foot = view.root.locator(".px-audit")
    first = foot.bounding_box()
    expect(view.root.locator(".ax-curve").first).to_be_visible()
    bridge.settle()
    last = foot.bounding_box()
    assert first is not None
    assert last is not None
    assert abs(first["y"] - last["y"]) <= 4


def test_old_curves_are_pale_and_read_and_without_a_kernel_nothing_is_set(bridge: Bridge) -> None:
    explorer = small()
    view = shown(bridge, explorer)
    curve = view.root.locator(".ax-curve").first
    with bridge.held():
        entry(view, "Friends’ weight as a number").fill("30")
        bridge.page.keyboard.press("Enter")
        expect(curve).to_have_attribute("data-old", "")
        expect(curve).to_contain_text("prior gap …")
        expect(view.root.locator(".ax-score")).to_contain_text("… as printed")
        assert faint(bridge) == []
        line = curve.locator("path").first
        assert float(line.evaluate("el => getComputedStyle(el).opacity")) < 1
    bridge.settle()
    explorer.wait()
    bridge.settle()
    expect(curve).not_to_have_attribute("data-old", "")
    until(bridge, lambda: explorer.weight == 30)
    said = lead(view)
    bridge.kill(explorer)
    expect_said(view, "No kernel.")
    assert lead(view) == said
    for control in view.root.locator(".ax-left :is(input, select, button)").all():
        expect(control).to_be_disabled()


def test_in_forced_colours_the_amount_is_the_length_of_a_bar(bridge: Bridge) -> None:
    bridge.theme(forced_colors=True)
    view = shown(bridge, small())
    bars = view.root.locator(".ax-cell-bars")
    assert bars.first.evaluate("el => getComputedStyle(el).display") != "none"
    lengths = bars.last.evaluate(
        "el => el.getAttribute('d').match(/h[\\d.]+/g).map((h) => Number(h.slice(1)))"
    )
    assert max(lengths) > 2 * min(lengths)
