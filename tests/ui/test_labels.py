"""Names and labels that are no friends of a page."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from pdp_widgets import JointDistribution, JointTable, LinearQuery, PriorExplorer, WHGGraph
from tests.ui.bridge import Bridge
from tests.ui.hands import sums_to_one

SCRIPT = "<script>window.hit = 1</script>"
IMAGE = "<img src=x onerror='window.hit = 2'>"
QUOTES = '"it\'s" & <b>bold</b> {{x}} \\n `tick`'
EMOJI = "👩‍👩‍👧‍👦🏳️‍🌈"
HEBREW = "מספר 1"
ARABIC = "العمر"
LONG = "long " * 2000


def odd() -> JointDistribution:
    rng = np.random.default_rng(7)
    table = rng.dirichlet(np.ones(3 * 2 * 2 * 2)).reshape(3, 2, 2, 2)
    domains = [[SCRIPT, IMAGE, LONG], [QUOTES, EMOJI], [HEBREW, ARABIC], ["", "\u202eflip"]]
    names = [f"{SCRIPT} {LONG}", f"{EMOJI} {QUOTES}", HEBREW, f"{ARABIC} {LONG}"]
    return JointDistribution(table, domains, names, title=f"{IMAGE}{LONG}")


def explorer() -> PriorExplorer:
    return PriorExplorer(odd(), LinearQuery([[0, 1, 2], [0, 1], [0, 1], [0, 1]]), show_paper=True)


MAKE: dict[str, Any] = {
    "table": lambda: JointTable(odd()),
    "graph": lambda: WHGGraph(explorer().results, show_paper=True),
    "explorer": explorer,
}


def test_w36_labels_are_text_and_stay_in_their_place(bridge: Bridge) -> None:
    for name, make in MAKE.items():
        widget = make()
        view = bridge.show(widget, bridge.container("width: 1000px"))
        bridge.settle()
        root = view.root
        assert bridge.page.evaluate("() => window.hit") is None
        assert root.locator("script, img, b:text-is('bold')").count() == 0
        assert "<script>" in (root.text_content() or "")
        assert EMOJI[0] in (root.text_content() or "")
        # Laid out: nothing wider than the place, nothing a page tall for one name.
        assert root.evaluate("el => el.scrollWidth") <= 1000
        box = root.bounding_box()
        assert box is not None
        assert box["width"] <= 1000
        assert box["height"] < 2200
        # Everything can still be done.
        if name != "graph":
            at = root.locator("td.gr-cell").first
            at.click()
            bridge.page.keyboard.type("0.25")
            bridge.page.keyboard.press("Enter")
            bridge.settle()
            assert 0.25 in widget.value.table
            assert sums_to_one(widget.value.table)
            root.get_by_role("button", name="More").click()
            bridge.page.keyboard.press("Escape")
        if name != "table":
            root.locator(".lg-graph").get_by_role("radio").nth(2).click()
            bridge.settle()
            assert widget.target == HEBREW
            root.locator(".lg-node").nth(2).hover()
            bridge.settle()
            assert bridge.page.evaluate("() => window.hit") is None
        view.remove()


def test_w36_a_wrong_entry_with_markup_is_shown_as_text(bridge: Bridge) -> None:
    table = JointTable(odd())
    view = bridge.show(table)
    view.root.locator("td.gr-cell").first.click()
    bridge.page.keyboard.insert_text(IMAGE)
    bridge.settle()
    bridge.page.evaluate(
        "text => { const i = document.querySelector('.gr-edit'); if (i) i.value = text }", IMAGE
    )
    bridge.page.keyboard.press("Enter")
    bridge.settle()
    assert view.root.locator("img").count() == 0
    assert bridge.page.evaluate("() => window.hit") is None


def test_w36_right_to_left_names_do_not_reorder_their_neighbours(bridge: Bridge) -> None:
    joint = JointDistribution(np.full((2, 2), 0.25), names=[HEBREW, ARABIC])
    view = bridge.show(PriorExplorer(joint))
    bridge.settle()
    # Digits beside such a name stay left to right because the name is isolated.
    assert view.root.locator("bdi", has_text=re.compile(HEBREW)).count() >= 1
    node = view.root.locator(".lg-node").first.get_attribute("aria-label") or ""
    assert "\u2068" in node
    assert node.index("nats") > node.index("\u2069")
