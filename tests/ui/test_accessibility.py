"""Without a mouse, and for a screen reader."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from pdp_widgets import JointTable, PriorExplorer, WHGGraph, lsat6
from tests.ui.bridge import Bridge, View
from tests.ui.hands import expect_said, lead, sums_to_one, three


def make(name: str) -> Any:
    return {
        "table": lambda: JointTable(three()),
        "graph of 3": lambda: WHGGraph(PriorExplorer(three()).results, show_paper=True),
        "graph of 5": lambda: WHGGraph(PriorExplorer(lsat6()).results, show_paper=True),
        "explorer": lambda: PriorExplorer(lsat6(), show_paper=True, known=["item 2"], target="item 1"),
    }[name]()


# Every task without a mouse


def tab_to(bridge: Bridge, view: View, name: str | re.Pattern[str], role: Any, most: int = 40) -> None:
    """Press Tab until a control of this role and name has the focus."""
    # Found once: what has a name is looked for among everything.
    view.root.get_by_role(role, name=name).evaluate_all("all => { window.wanted = all }")
    for _ in range(most):
        bridge.page.keyboard.press("Tab")
        if bridge.page.evaluate("() => window.wanted.includes(document.activeElement)"):
            return
    raise AssertionError(f"Tab does not reach {role} {name!r}")


def start(bridge: Bridge, explorer: Any) -> View:
    view = bridge.show(explorer)
    bridge.settle()
    bridge.page.evaluate("() => document.activeElement?.blur()")
    return view


def press(bridge: Bridge, *keys: str) -> None:
    for key in keys:
        bridge.page.keyboard.press(key)
    bridge.settle()


def test_w25_every_task_of_the_table_by_keyboard(bridge: Bridge) -> None:
    table = JointTable(three())
    view = start(bridge, table)
    tab_to(bridge, view, re.compile("^item 1 = 0, item 2 = 0, item 3 = 0"), "gridcell")
    press(bridge, "ArrowRight", "ArrowDown")
    bridge.page.keyboard.type("0.1")
    press(bridge, "Enter")
    assert table.value.probability((0, 1, 1)) == 0.1
    press(bridge, "ArrowUp", "Alt+l")
    assert table.locks[0, 1, 1]
    press(bridge, "Home")
    bridge.page.keyboard.type("0.2")
    press(bridge, "Tab")
    assert table.value.probability((0, 1, 0)) == 0.2
    assert table.value.probability((0, 1, 1)) == 0.1
    press(bridge, "Alt+ArrowDown")
    expect(view.root.get_by_role("menu")).to_be_visible()
    press(bridge, "Enter")
    assert not table.locks.any()
    tab_to(bridge, view, "More", "button")
    press(bridge, "Enter", "k", "Enter")
    assert table.keep_sum is False
    bridge.page.evaluate("() => document.activeElement?.blur()")
    tab_to(bridge, view, re.compile("^item 1 = 0, item 2 = 1, item 3 = 1"), "gridcell")
    bridge.page.keyboard.type("0.5")
    press(bridge, "Enter")
    expect_said(view, "sums to")
    tab_to(bridge, view, "Normalise", "button")
    press(bridge, "Enter")
    assert sums_to_one(table.value.table)
    bridge.page.evaluate("() => document.activeElement?.blur()")
    tab_to(bridge, view, "item 2, on rows", "button")
    press(bridge, "Enter", "Enter")
    expect(view.root.get_by_role("button", name="item 2, on columns")).to_be_focused()
    tab_to(bridge, view, re.compile("^item 1 = "), "gridcell")
    press(bridge, *["Control+z"] * 8)
    assert table.value == three()


def test_w25_every_task_of_the_explorer_by_keyboard(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = start(bridge, explorer)
    tab_to(bridge, view, "Laplace noise, scale", "spinbutton")
    press(bridge, "Enter")
    bridge.page.keyboard.type("2")
    press(bridge, "Enter")
    assert explorer.scale == 2
    tab_to(bridge, view, "Laplace noise, scale λ", "slider")
    press(bridge, "ArrowLeft")
    assert 1.8 < explorer.scale < 2
    tab_to(bridge, view, "Attacked tuple", "combobox")
    press(bridge, "ArrowDown")
    assert explorer.target == "item 2"
    tab_to(bridge, view, re.compile("^item [13], known"), "button")
    press(bridge, "Space")
    assert explorer.known == ("item 1",)
    press(bridge, "ArrowDown", "a")
    assert explorer.target == "item 3"
    bridge.page.evaluate("() => document.activeElement?.blur()")
    tab_to(bridge, view, re.compile("^Value of item 1"), "combobox")
    press(bridge, "ArrowUp")
    assert explorer.instance[0] == 0
    tab_to(bridge, view, "paper’s estimate", "checkbox")
    press(bridge, "Space")
    assert explorer.show_paper
    tab_to(bridge, view, re.compile("[aA]bout item 3, knows item 1:"), "button")
    press(bridge, "ArrowUp", "Enter")
    assert (explorer.target, explorer.known) == ("item 3", ())
    press(bridge, "ArrowDown", "ArrowDown", "Enter")
    assert explorer.known == ("item 1", "item 2")
    tab_to(bridge, view, "Threshold", "slider")
    press(bridge, "ArrowRight")
    assert explorer.threshold is not None
    press(bridge, "Delete")
    assert explorer.threshold is None
    tab_to(bridge, view, "Published value r", "slider")
    handle = view.root.get_by_role("slider", name="Published value r")
    before = handle.get_attribute("aria-valuenow")
    press(bridge, "Shift+ArrowRight")
    assert handle.get_attribute("aria-valuenow") != before
    scale = explorer.scale
    press(bridge, "Control+z")
    assert explorer.scale == 2 != scale
    press(bridge, "Control+y")
    assert explorer.scale == scale
    assert "nats" in lead(view)


def test_w25_the_focus_is_visible_everywhere(bridge: Bridge) -> None:
    for name in ("table", "graph of 5", "explorer"):
        view = start(bridge, make(name))
        assert stops_that_are_seen(bridge, view) >= 6, name
        view.remove()


def stops_that_are_seen(bridge: Bridge, view: View, most: int = 60) -> int:
    """Press Tab through the view, wherever it begins, look at every stop and return how many there are."""
    root = view.root.element_handle()
    for stops in range(most):
        bridge.page.keyboard.press("Tab")
        said = bridge.page.evaluate(FOCUS, root)
        if said == "outside":
            return stops
        assert said is None, said
    return most


# Compares what is drawn around the focused element with and without the focus.
FOCUS = """(root) => {
    const el = document.activeElement;
    if (!root.contains(el)) return "outside";
    const parts = [el, ...el.querySelectorAll("*")].slice(0, 12);
    if (el.parentElement) parts.push(el.parentElement);
    const names = ["outlineStyle", "outlineWidth", "outlineColor", "boxShadow", "borderColor",
        "backgroundColor", "stroke", "strokeWidth", "textDecorationLine"];
    const look = () => parts.map((p) => names.map((n) => getComputedStyle(p)[n]).join()).join("|");
    const on = look();
    el.blur();
    const off = look();
    el.focus();
    const box = el.getBoundingClientRect();
    if (on === off) return `no sign of focus: ${el.outerHTML.slice(0, 200)}`;
    if (box.width < 1 || box.height < 1) return `focus on nothing to see: ${el.outerHTML.slice(0, 200)}`;
    return null;
}"""
