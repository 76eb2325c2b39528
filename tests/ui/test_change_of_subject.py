"""Python shows a table of other tuples while the hand is at work: nothing of the old one gets into it."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from pdp_widgets import JointDistribution, JointTable, PriorExplorer
from tests.ui.bridge import Bridge
from tests.ui.hands import cell, drag, expect_said, pair

FIRST = "Ann = 0, Bob = 0"
OTHERS = {
    "other names": JointDistribution([[0.1, 0.2], [0.3, 0.4]], names=["Cat", "Dan"]),
    "other labels": JointDistribution(
        [[0.1, 0.2], [0.3, 0.4]], domains=[[5, 6], [5, 6]], names=["Ann", "Bob"]
    ),
    "more tuples": JointDistribution(np.full((2, 2, 2), 0.125), names=["Ann", "Bob", "Cy"]),
}

WIDGETS = pytest.mark.parametrize("make", [JointTable, PriorExplorer])


@WIDGETS
def test_a_drag_ends_when_the_table_becomes_another(bridge: Bridge, make: Any) -> None:
    widget = make(pair())
    view = bridge.show(widget)
    # Pressed, and dragging; the explorer has the same table.
    cases = product((2, 30), OTHERS) if make is JointTable else zip((2, 30, 30), OTHERS, strict=True)
    for before, case in cases:
        other = OTHERS[case]
        widget.value = pair()
        bridge.settle()
        box = cell(view, FIRST).bounding_box()
        assert box is not None
        drag(bridge, cell(view, FIRST), before, release=False)
        widget.value = other
        bridge.settle()
        bridge.page.mouse.move(box["x"] + 80, box["y"] + box["height"] / 2, steps=4)
        bridge.settle()
        assert widget.value == other, (before, case)
        bridge.page.mouse.up()
        bridge.settle()
        assert widget.value == other, (before, case)
        bridge.page.keyboard.press("Control+z")
        bridge.settle()
        assert widget.value == other, (before, case)
        # The next gesture is one of the new table.
        drag(bridge, view.root.locator(".gr-cell").first, 30)
        assert widget.value != other, (before, case)
        assert widget.value.names == other.names
        bridge.page.keyboard.press("Control+z")
        bridge.settle()
        assert widget.value == other, (before, case)


@WIDGETS
def test_an_open_editor_closes_and_says_what_was_not_taken(bridge: Bridge, make: Any) -> None:
    widget = make(pair())
    view = bridge.show(widget)
    for case, other in OTHERS.items():
        widget.value = pair()
        bridge.settle()
        cell(view, FIRST).click()
        bridge.page.keyboard.type("0.55")
        widget.value = other
        bridge.settle()
        expect(view.root.locator(".gr-edit")).to_have_count(0)
        expect_said(view, '"0.55" was not taken.')
        bridge.page.keyboard.press("Enter")
        bridge.page.keyboard.press("Escape")
        bridge.settle()
        assert widget.value == other, case


@WIDGETS
def test_undo_does_not_bring_an_old_table_into_another(bridge: Bridge, make: Any) -> None:
    widget = make(pair())
    view = bridge.show(widget)
    drag(bridge, cell(view, FIRST), 30)
    other = OTHERS["other names"]
    widget.value = other
    bridge.settle()
    view.root.locator(".gr-cell").first.click()
    bridge.page.keyboard.press("Control+z")
    bridge.settle()
    assert widget.value == other


def test_a_slider_held_meanwhile_moves_the_scale_alone(bridge: Bridge) -> None:
    explorer = PriorExplorer(pair())
    view = bridge.show(explorer)
    slider = view.root.get_by_role("slider", name="Laplace noise, scale λ")
    drag(bridge, slider, 20, release=False)
    other = OTHERS["other names"]
    explorer.value = other
    bridge.settle()
    box = slider.bounding_box()
    assert box is not None
    bridge.page.mouse.move(box["x"] + 40, box["y"] + 5, steps=3)
    bridge.page.mouse.up()
    bridge.settle()
    assert explorer.value == other
    assert explorer.scale > 1
    bridge.page.keyboard.press("Control+z")
    bridge.settle()
    assert explorer.value == other
