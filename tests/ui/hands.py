"""What a person's hands and eyes do with a widget in the page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Locator, expect

from pdp_widgets import JointDistribution, lsat6
from tests.browser import PATIENCE
from tests.ui.bridge import Bridge, View

#: Returns the texts of an element that meet, leave it, or are cut although a name is short.
LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
#: What stands for a number that is still being computed.
WAITING = "…"


def until(bridge: Bridge, done: Callable[[], bool]) -> None:
    """Deliver what other threads write until something is so, however busy the machine is."""
    end = time.monotonic() + PATIENCE / 1000
    while not done():
        assert time.monotonic() < end, "it never came"
        bridge.page.wait_for_timeout(20)
        bridge.flush()
    bridge.settle()


def three() -> JointDistribution:
    """Three answers of the test takers: every row is possible."""
    return lsat6().marginal(["item 1", "item 2", "item 3"])


def pair() -> JointDistribution:
    """Two tuples with round numbers."""
    return JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"])


def cell(view: View, row: str) -> Locator:
    """Return the cell of a row of labels such as ``"Ann = 0, Bob = 1"``."""
    return view.root.get_by_role("gridcell", name=re.compile(f"^{re.escape(row)}: ")).first


def type_into(bridge: Bridge, view: View, row: str, text: str, key: str = "Enter") -> None:
    """Click a cell, type over what is there and leave it."""
    cell(view, row).click()
    bridge.page.keyboard.type(text)
    bridge.page.keyboard.press(key)
    bridge.settle()


def type_scale(bridge: Bridge, view: View, text: str) -> None:
    """Type the scale into its field."""
    field = view.root.get_by_label("Scale λ as a number")
    field.click()
    bridge.page.keyboard.press("Control+A")
    bridge.page.keyboard.type(text)
    bridge.page.keyboard.press("Enter")
    bridge.settle()


def menu(bridge: Bridge, view: View, item: str) -> None:
    """Choose an item of the menu "More" of the table."""
    view.root.get_by_role("button", name="More").click()
    view.root.locator(".menu").get_by_text(item, exact=True).click()
    bridge.settle()


def said(view: View) -> str:
    """Return the messages that stand in the widget."""
    return " ".join(view.root.locator(".line:visible").all_inner_texts())


def expect_said(view: View, text: str | re.Pattern[str]) -> None:
    """Wait for a message."""
    expect(view.root.locator(".line:visible").first).to_contain_text(text)


def expect_silence(view: View) -> None:
    """Wait until no message stands."""
    expect(view.root.locator(".line:visible")).to_have_count(0)


def lead(view: View) -> str:
    """Return the sentence at the top of an explorer."""
    return view.root.locator(".px-lead").inner_text()


def entries(widget: Any) -> np.ndarray[Any, Any]:
    """Return what stands in the cells of a table or an explorer, valid or not."""
    core = widget._core
    return np.array(getattr(core, "edits", core).entries)


def sums_to_one(numbers: Iterable[float]) -> bool:
    """Whether numbers sum to 1 within 1e-12."""
    return abs(float(np.sum(np.asarray(numbers))) - 1) <= 1e-12


def drag(bridge: Bridge, at: Locator, dx: float, *, steps: int = 8, release: bool = True) -> None:
    """Press in the middle of an element and move sideways."""
    box = at.bounding_box()
    assert box is not None, "nothing to drag"
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = bridge.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + dx, y, steps=steps)
    if release:
        mouse.up()
        bridge.settle()


def slack_text(value: float) -> str:
    """Return a slack as the screen writes it: three decimals, four below 0.01, powers of ten below 0.001."""
    if value < 0.000995:
        tenths, _, power = f"{value:.1e}".partition("e-")
        return f"{tenths}e−{int(power)}"
    return f"{value:.{4 if value < 0.01 else 3}f}"
