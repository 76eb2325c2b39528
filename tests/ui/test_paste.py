"""Blocks from and for a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import expect

from pdp_widgets import JointTable, PriorExplorer
from tests.ui.bridge import Bridge
from tests.ui.hands import cell, entries, expect_said, expect_silence, menu, pair, sums_to_one, three

FIRST = "item 1 = 0, item 2 = 0, item 3 = 0"


@pytest.fixture
def bridge(open_bridge: Callable[..., Bridge]) -> Bridge:
    """A page that may use the clipboard."""
    return open_bridge(permissions=["clipboard-read", "clipboard-write"])


def clip(bridge: Bridge, text: str) -> None:
    bridge.page.evaluate("text => navigator.clipboard.writeText(text)", text)


def paste(bridge: Bridge) -> None:
    bridge.page.keyboard.press("Control+v")
    bridge.settle()


def test_w22_a_pasted_block_is_one_step_and_a_copied_one_has_every_digit_and_comes_back(
    bridge: Bridge,
) -> None:
    table = JointTable(three())
    view = bridge.show(table)
    cell(view, FIRST).click()
    clip(bridge, "0.1\t0.05\r\n0,1\t0.05\r\n0.2\t0.1\r\n0.3\t0.1\r\n")
    paste(bridge)
    assert np.allclose(table.value.table.ravel(), [0.1, 0.05, 0.1, 0.05, 0.2, 0.1, 0.3, 0.1], atol=1e-15)
    bridge.page.keyboard.press("Control+z")
    bridge.settle()
    assert table.value == three()
    expect(view.root.get_by_role("button", name="Undo")).to_be_disabled()
    view.root.get_by_role("button", name="Independent").click()
    bridge.settle()
    before = table.value.table.copy()
    cell(view, FIRST).click()
    bridge.page.keyboard.press("Control+a")
    bridge.page.keyboard.press("Control+c")
    text = bridge.page.evaluate("() => navigator.clipboard.readText()")
    rows = [[float(t) for t in line.split("\t")] for line in text.splitlines()]
    assert np.array_equal(np.array(rows).ravel(), before.ravel())
    bridge.page.keyboard.press("Control+z")
    bridge.settle()
    cell(view, FIRST).click()
    paste(bridge)
    assert np.array_equal(table.value.table, before)


def test_w22_w24_part_of_a_table_keeps_the_sum_and_counts_are_scaled(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    cell(view, FIRST).click()
    clip(bridge, "0,25\t0,05\n")
    paste(bridge)
    assert explorer.value.probability((0, 0, 0)) == 0.25
    assert explorer.value.probability((0, 0, 1)) == 0.05
    assert sums_to_one(explorer.value.table)
    view.root.get_by_role("button", name="Undo").click()
    bridge.settle()
    assert explorer.value == three()
    menu(bridge, view, "Set from counts…")
    view.root.get_by_role("textbox", name="Paste 4 × 2").fill("10 20\n30 40\n50 60\n70 80")
    view.root.get_by_role("button", name="Set table").click()
    bridge.settle()
    assert np.allclose(explorer.value.table.ravel(), np.arange(10, 90, 10) / 360, atol=1e-15)
    assert sums_to_one(explorer.value.table)
    assert explorer.results.distribution == explorer.value
    view.root.get_by_role("button", name="Undo").click()
    bridge.settle()
    assert explorer.value == three()


def test_w22_a_table_is_copied_by_menu_and_a_block_that_is_wrong_or_too_large_is_refused(
    bridge: Bridge,
) -> None:
    table = JointTable(pair())
    view = bridge.show(table)
    menu(bridge, view, "Copy table")
    expect_said(view, "Copied")
    assert bridge.page.evaluate("() => navigator.clipboard.readText()").splitlines() == [
        "0.4\t0.1",
        "0.1\t0.4",
    ]
    # A bad cell is marked, and one undo takes all back.
    cell(view, "Ann = 0, Bob = 0").click()
    clip(bridge, "0.1\tx\n0.2\t0.3\n")
    paste(bridge)
    assert table.value == pair()
    expect(view.root.locator("[aria-invalid=true]")).to_have_count(1)
    expect(cell(view, "Ann = 0, Bob = 1")).to_have_attribute("aria-invalid", "true")
    bridge.page.keyboard.press("Control+z")
    bridge.settle()
    expect_silence(view)
    assert np.array_equal(entries(table), pair().table)
    # What is too large says what fits.
    cell(view, "Ann = 1, Bob = 0").click()
    clip(bridge, "0.1\t0.2\t0.3\n0.1\t0.2\t0.1\n")
    paste(bridge)
    expect_said(view, "3")
    assert table.value == pair()
