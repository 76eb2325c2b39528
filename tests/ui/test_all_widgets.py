"""What holds of every widget: the tools stay in view, and assistive technology finds nothing wrong."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.every_widget import CELLS, setup
from tests.ui.bridge import Bridge, View
from tests.ui.test_accessibility import audit

#: Longer than a phone is wide, in words and without a place to break it.
TITLES = ("Answers to a question of the survey of every household in town in 2019", "x" * 90)


def test_tools_stay_in_view_under_a_long_title_and_axe_finds_nothing(bridge: Bridge) -> None:
    names = setup()
    bridge.page.set_viewport_size({"width": 390, "height": 800})
    for module, cell in CELLS.items():
        view = bridge.show(eval(cell.source, names))
        bridge.settle()
        assert audit(bridge) == [], module
        assert_tools_stay_in_view(bridge, view, module)
        view.remove()


def assert_tools_stay_in_view(bridge: Bridge, view: View, module: str) -> None:
    title = view.root.locator(".px-title")
    for words in TITLES if title.count() else ():
        # The title is a text of the data: what is asked is the room that it leaves to what stands beside it.
        title.evaluate("(el, words) => { el.textContent = words }", words)
        for name in ("Redo", "Save the picture", "What is this?"):
            button = view.root.get_by_role("button", name=name).first
            expect(button, module).to_be_in_viewport(ratio=1)
    across = bridge.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert across <= 0 or not title.count(), module
    hint = view.root.locator(".px-hint")
    if hint.count():
        close = hint.get_by_role("button", name="Got it").bounding_box()
        assert close is not None, module
        assert close["height"] <= 24 >= hint.evaluate("el => el.scrollHeight - el.clientHeight"), module
