"""Saving the picture, and bringing out where the paper's estimate is too low or too high."""

from __future__ import annotations

import threading
from pathlib import Path

from playwright.sync_api import expect

from pdp_widgets import PriorExplorer, lsat6
from tests.ui.bridge import Bridge, View

SAVE = "Save the picture (SVG)"


def save(bridge: Bridge, view: View) -> None:
    """Press the button, and hand over what is drawn on a thread of its own."""
    view.root.get_by_role("button", name=SAVE).click()
    for thread in threading.enumerate():
        if thread.name == "picture":
            thread.join(60)
    bridge.flush()


def test_the_picture_is_saved_as_python_draws_it(bridge: Bridge) -> None:
    explorer = PriorExplorer(lsat6())
    view = bridge.show(explorer)
    other = bridge.show(explorer)
    bridge.settle()
    before = explorer.snapshot().svg
    with bridge.page.expect_download() as saving:
        save(bridge, view)
    file = saving.value
    assert file.suggested_filename == "prior-knowledge.svg"
    assert Path(file.path()).read_text(encoding="utf-8") in (before, explorer.snapshot().svg)
    # What is computed late may have come meanwhile. The other view of the same explorer saves nothing.
    bridge.page.wait_for_timeout(100)
    expect(other.root.get_by_role("button", name=SAVE)).to_be_enabled()
    # What is disabled can still be saved, what has no kernel cannot and says so.
    explorer.disabled = True
    bridge.settle()
    with bridge.page.expect_download():
        save(bridge, view)
    other.remove()
    bridge.kill(explorer)
    button = view.root.get_by_role("button", name=f"{SAVE}: off, it needs a running kernel")
    expect(button).to_have_attribute("aria-disabled", "true")
    bridge.revive(explorer)
    expect(view.root.get_by_role("button", name=SAVE, exact=True)).to_be_visible()


def test_the_counts_of_the_audit_strip_are_switches(bridge: Bridge) -> None:
    joint = lsat6().marginal(["item 1", "item 2", "item 5"])
    explorer = PriorExplorer(joint, instance=[0, 1, 0], show_paper=True)
    view = bridge.show(explorer)
    low = view.root.get_by_role("button", name="too low at 6")
    high = view.root.get_by_role("button", name="too high at 1")
    low.focus()
    bridge.page.keyboard.press("Enter")
    expect(low).to_have_attribute("aria-pressed", "true")
    back = view.root.get_by_role("button", name="left out by the filter")
    expect(back).to_have_count(12 - 6)
    high.click()
    expect(back).to_have_count(12 - 1)
    expect(low).to_have_attribute("aria-pressed", "false")
    expect(high).to_have_attribute("aria-pressed", "true")
    view.root.get_by_role("checkbox", name="paper’s estimate").uncheck()
    bridge.settle()
    view.root.get_by_role("checkbox", name="paper’s estimate").check()
    bridge.settle()
    expect(high).to_have_attribute("aria-pressed", "false")
    expect(back).to_have_count(0)
