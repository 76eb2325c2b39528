"""Undo and redo: every digit comes back, one step for each thing that was done."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

from pdp_widgets import JointTable, PriorExplorer
from tests.ui.bridge import Bridge
from tests.ui.hands import cell, drag, entries, expect_said, menu, pair, three, type_into, type_scale

FIRST = "item 1 = 0, item 2 = 0, item 3 = 0"


def test_w23_undo_and_redo_bring_back_exact_floats_and_the_scale(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    states = [explorer.value.table.copy()]
    for row, text in ((FIRST, "1/3"), ("item 1 = 1, item 2 = 0, item 3 = 1", "0.1"), (FIRST, "1e-8")):
        type_into(bridge, view, row, text)
        states.append(explorer.value.table.copy())
    drag(bridge, cell(view, FIRST), 20, steps=3)
    states.append(explorer.value.table.copy())
    view.root.get_by_role("button", name="Independent").click()
    bridge.settle()
    states.append(explorer.value.table.copy())
    assert len({s.tobytes() for s in states}) == 6
    for state in reversed(states[:-1]):
        view.root.get_by_role("button", name="Undo").click()
        bridge.settle()
        assert np.array_equal(explorer.value.table, state)
    expect(view.root.get_by_role("button", name="Undo")).to_be_disabled()
    # Back at the loaded numbers it is the loaded distribution, counts included.
    assert explorer.value == three()
    for state in states[1:]:
        cell(view, FIRST).focus()
        bridge.page.keyboard.press("Control+Shift+Z")
        bridge.settle()
        assert np.array_equal(explorer.value.table, state)
    # The scale is undone too, and a drag is one step.
    drag(bridge, view.root.locator(".slider-thumb"), 40, steps=3)
    dragged = explorer.scale
    type_scale(bridge, view, "0,3")
    for scale in (dragged, 1.0):
        view.root.get_by_role("button", name="Undo").click()
        bridge.settle()
        assert explorer.scale == scale
    for scale in (dragged, 0.3):
        view.root.get_by_role("button", name="Redo").click()
        bridge.settle()
        assert explorer.scale == scale


def test_w23_a_refused_entry_comes_back_as_typed_and_an_edit_after_undo_forgets(bridge: Bridge) -> None:
    table = JointTable(three())
    view = bridge.show(table)
    type_into(bridge, view, FIRST, "half")
    type_into(bridge, view, FIRST, "0.5")
    bridge.page.keyboard.press("Control+z")
    bridge.settle()
    assert cell(view, FIRST).inner_text().strip() == "half"
    expect_said(view, "half")
    bridge.page.keyboard.press("Control+z")
    bridge.settle()
    assert table.value == three()
    assert np.array_equal(entries(table), three().table)
    expect(view.root.get_by_role("button", name="Redo")).to_be_enabled()
    type_into(bridge, view, FIRST, "0.2")
    expect(view.root.get_by_role("button", name="Redo")).to_be_disabled()
    assert table.value.probability((0, 0, 0)) == 0.2


def test_w23_locks_and_normalising_are_steps(bridge: Bridge) -> None:
    table = JointTable(pair(), keep_sum=False)
    view = bridge.show(table)
    type_into(bridge, view, "Ann = 0, Bob = 0", "0.9")
    off = entries(table)
    view.root.get_by_role("button", name="Normalise", exact=True).first.click()
    bridge.settle()
    menu(bridge, view, "Lock all cells")
    assert table.locks.all()
    for _ in range(2):
        view.root.get_by_role("button", name="Undo").click()
        bridge.settle()
    assert not table.locks.any()
    assert np.array_equal(entries(table), off)
