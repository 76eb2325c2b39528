"""The switch between known values of one row and the worst of all."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from pdp_widgets import PriorExplorer, lsat6
from tests.ui.bridge import Bridge
from tests.ui.hands import lead


def test_the_switch_and_python_change_every_number_and_all_parts_say_so(bridge: Bridge) -> None:
    joint = lsat6().marginal(["item 1", "item 2", "item 5"])
    explorer = PriorExplorer(joint, instance=[1, 1, 1], target="item 5", known=["item 1"])
    view = bridge.show(explorer)
    bridge.settle()
    assert "In the worst case" not in lead(view)
    switch = view.root.get_by_role("radiogroup", name="Known values")
    switch.get_by_role("radio", name="as set above").focus()
    bridge.page.keyboard.press("ArrowRight")
    bridge.settle()
    assert explorer.convention == "sup"
    assert f"{float(explorer.results.largest):.3f}" in lead(view)
    assert "In the worst case, someone who knows that item 1 is 0" in lead(view).replace("\n", " ")
    facts = view.root.get_by_role("region", name="Chosen adversary")
    expect(facts.get_by_role("heading")).to_have_text("About item 5, at worst knowing item 1 is 0")
    expect(facts).to_contain_text(re.compile(r"Worst values\s*item 1 is 0"))
    expect(view.root.locator(".px-audit")).to_contain_text("item 5, at worst knowing item 1")
    menus = view.root.get_by_label(re.compile("^Value of .* worst case over all values$"))
    expect(menus).to_have_count(3)
    for menu in menus.all():
        expect(menu).to_be_disabled()
    # Back at the row, which was kept.
    bridge.page.keyboard.press("ArrowLeft")
    bridge.settle()
    assert (explorer.convention, explorer.instance) == ("instance", (1, 1, 1))
    expect(view.root.get_by_label(re.compile("^Value of item 1"))).to_be_enabled()
    expect(facts.get_by_role("heading")).to_have_text("About item 5, knowing item 1 is 1")
    # Set in Python.
    for convention, shown in (("sup", "worst case"), ("instance", "as set above")):
        explorer.convention = convention
        bridge.settle()
        expect(view.root.get_by_role("radio", name=shown)).to_be_checked()


def test_the_chosen_adversary_follows_until_one_is_chosen_by_hand(bridge: Bridge) -> None:
    explorer = PriorExplorer(lsat6().marginal(["item 1", "item 2", "item 5"]), instance=[1, 1, 1])
    view = bridge.show(explorer)
    bridge.settle()
    heading = view.root.get_by_role("region", name="Chosen adversary").get_by_role("heading")
    expect(heading).to_have_text("About item 1, knowing no other tuple")
    view.root.get_by_role("radio", name="as set above").focus()
    bridge.page.keyboard.press("ArrowRight")
    bridge.settle()
    expect(heading).to_have_text("About item 5, at worst knowing item 1 is 0")
    expect(view.root.get_by_role("button", name="item 1, known")).to_have_attribute("aria-pressed", "true")
    bridge.page.keyboard.press("ArrowLeft")
    bridge.settle()
    expect(heading).to_have_text("About item 1, knowing no other tuple")
    # By hand, and from then on it stays.
    view.root.get_by_role("button", name="item 2, known").click()
    bridge.settle()
    expect(heading).to_have_text("About item 1, knowing item 2 is 1")
    view.root.get_by_role("radio", name="as set above").focus()
    bridge.page.keyboard.press("ArrowRight")
    bridge.settle()
    expect(heading).to_have_text("About item 1, at worst knowing item 2 is 0")
