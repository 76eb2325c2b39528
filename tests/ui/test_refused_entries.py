"""What is refused stays in its cell and goes nowhere else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from pdp_widgets import JointTable, PriorExplorer
from tests.ui.bridge import Bridge
from tests.ui.hands import cell, entries, expect_said, expect_silence, pair, type_into

FIRST = "Ann = 0, Bob = 0"


@pytest.mark.parametrize("make", [JointTable, PriorExplorer])
def test_the_actions_build_on_probabilities_alone_and_escape_brings_the_last_good_value(
    bridge: Bridge, make: Any
) -> None:
    widget = make(pair())
    view = bridge.show(widget)
    before = widget.value
    for text in ("60", "-0.1", "abc"):
        type_into(bridge, view, FIRST, text)
        typed = entries(widget)
        expect(view.root.get_by_role("button", name="Normalise").first).to_be_disabled()
        view.root.get_by_role("button", name="Independent").first.click()
        bridge.settle()
        expect_said(view, "Correct the marked cells first")
        assert np.array_equal(entries(widget), typed, equal_nan=True), text
        assert widget.value == before, text
        cell(view, "Ann = 0, Bob = 1").focus()
        bridge.page.keyboard.press("Control+z")
        bridge.settle()
        assert widget.value == before, text
        assert np.array_equal(entries(widget), before.table), text
        expect_silence(view)
    type_into(bridge, view, FIRST, "60")
    expect(cell(view, FIRST)).to_have_attribute("aria-invalid", "true")
    cell(view, FIRST).click()
    bridge.page.keyboard.press("Escape")
    bridge.settle()
    expect_silence(view)
    assert np.array_equal(entries(widget), before.table)
    assert widget.value == before
    assert widget.error is None
