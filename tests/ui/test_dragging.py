"""Numbers as people drag them: with a slow kernel, fast hands, and changes from elsewhere meanwhile."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from pdp_widgets import JointTable, PriorAnalysis, PriorExplorer
from pdp_widgets.widgets import prior_results
from tests.ui.bridge import Bridge, View
from tests.ui.hands import cell, drag, entries, lead, pair, sums_to_one, three, type_into

# Follows an element through the frames of a gesture.
WATCH = """([selector, attribute]) => {
    const seen = (window.seen = []);
    const el = document.querySelector(selector);
    const look = () => {
        const now = Number(el.getAttribute(attribute));
        if (seen[seen.length - 1] !== now) seen.push(now);
        window.watching = requestAnimationFrame(look);
    };
    look();
}"""
SLIDER = ".slider-thumb"


def watch(bridge: Bridge, selector: str, attribute: str = "aria-valuenow") -> None:
    bridge.page.evaluate(WATCH, [selector, attribute])


def seen(bridge: Bridge) -> list[float]:
    """Return the values that were on screen, in order."""
    values: list[float] = bridge.page.evaluate("() => { cancelAnimationFrame(watching); return seen }")
    return values


def test_w12_with_a_slow_kernel_the_handle_never_snaps_back(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    bridge.latency(150)
    watch(bridge, SLIDER)
    thumb = view.root.locator(SLIDER)
    box = thumb.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    bridge.page.mouse.move(x, y)
    bridge.page.mouse.down()
    for k in range(1, 17):
        bridge.page.mouse.move(x + 3 * k, y)
        bridge.page.wait_for_timeout(30)
    asked = float(thumb.get_attribute("aria-valuenow") or "nan")
    bridge.page.mouse.up()
    bridge.settle()
    bridge.page.wait_for_timeout(100)
    values = seen(bridge)
    assert values == sorted(values)
    assert len(values) > 8
    assert explorer.scale == asked == values[-1]
    assert f"{1 / asked:.3f}"[:4] in lead(view)


def test_w12_the_cell_and_the_number_in_the_sentence_do_not_snap_back(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    bridge.latency(150)
    watch(bridge, ".drag-number")
    drag(bridge, view.root.locator(".drag-number"), 48, steps=12)
    values = seen(bridge)
    assert values == sorted(values)
    assert explorer.scale == values[-1] > 1.9
    drag(bridge, cell(view, "item 1 = 0, item 2 = 0, item 3 = 0"), 40, steps=10)
    assert explorer.value.probability((0, 0, 0)) == pytest.approx(0.122)
    assert sums_to_one(explorer.value.table)


def test_w13_two_hundred_moves_in_a_second_are_few_computations(
    bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[float] = []

    class Counted(PriorAnalysis):
        def __init__(self, distribution: Any, mechanism: Any, *rest: Any, **more: Any) -> None:
            computed.append(mechanism.scale)
            super().__init__(distribution, mechanism, *rest, **more)

    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    monkeypatch.setattr(prior_results, "PriorAnalysis", Counted)
    bridge.latency(20)
    view.root.locator(SLIDER).hover()
    bridge.page.evaluate(
        """async (selector) => {
            const thumb = document.querySelector(selector);
            const track = thumb.parentElement;
            const box = track.getBoundingClientRect();
            const at = (share) => ({
                bubbles: true, pointerId: 1, button: 0, buttons: 1, isPrimary: true,
                clientX: box.left + share * box.width, clientY: box.top + box.height / 2,
            });
            track.setPointerCapture = () => {};
            track.dispatchEvent(new PointerEvent("pointerdown", at(0.5)));
            const started = performance.now();
            for (let k = 1; k <= 200; k++) {
                const due = started + 5 * k;
                while (performance.now() < due) await new Promise((done) => setTimeout(done));
                track.dispatchEvent(new PointerEvent("pointermove", at(0.5 + k / 500)));
            }
            track.dispatchEvent(new PointerEvent("pointerup", at(0.9)));
        }""",
        SLIDER,
    )
    bridge.settle()
    asked = float(view.root.locator(SLIDER).get_attribute("aria-valuenow") or "nan")
    assert asked == pytest.approx(10**0.8, rel=0.01)
    assert explorer.scale == explorer.results.mechanism.scale == asked
    assert f"scale {asked:.2f} promises" in lead(view).replace("\n", " ")
    # At most one computation for each round trip of 40 ms, never one for each move.
    assert 1 <= len(computed) <= 60
    assert computed == sorted(computed)
    assert bridge.sent(explorer) <= 60


def test_w13_no_stale_result_is_drawn_while_numbers_are_awaited(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    with bridge.held():
        view.root.locator(SLIDER).focus()
        bridge.page.keyboard.press("End")
        expect(view.root.locator(".px-lead")).to_contain_text("learns up to …")
        # The promise is arithmetic on the scale: it follows the hand.
        assert "0.100 nats" in lead(view)
        bridge.page.keyboard.press("Home")
        assert "10.000 nats" in lead(view) or "10.00 nats" in lead(view)
        assert "1.309" not in lead(view)
    expect(view.root.locator(".px-lead")).not_to_contain_text("…")
    bridge.settle()
    assert explorer.scale == 0.1


def test_a_cell_is_dragged_in_clean_steps_and_escape_takes_it_back(bridge: Bridge) -> None:
    table = JointTable(pair())
    view = bridge.show(table)
    at = cell(view, "Ann = 0, Bob = 1")
    before = table.value
    drag(bridge, at, 40, release=False)
    bridge.settle()
    assert table.value.probability((0, 1)) == 0.2
    bridge.page.keyboard.press("Escape")
    bridge.settle()
    bridge.page.mouse.up()
    bridge.settle()
    assert np.array_equal(table.value.table, before.table)
    assert view.root.get_by_role("button", name="Undo").is_disabled()
    drag(bridge, at, -400)
    assert table.value.probability((0, 1)) == 0
    drag(bridge, at, 800)
    assert table.value.probability((0, 1)) == 1
    assert sums_to_one(table.value.table)


def test_dragging_a_cell_moves_every_number(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    weakest = view.root.get_by_role("button", name=re.compile("knows none of the others"))
    before = [node.get_attribute("aria-label") for node in weakest.all()]
    sentence = lead(view)
    drag(bridge, cell(view, "item 1 = 0, item 2 = 0, item 3 = 1"), 80)
    after = [node.get_attribute("aria-label") for node in weakest.all()]
    assert len(before) == 3
    assert all(a != b for a, b in zip(before, after, strict=True))
    assert lead(view) != sentence
    assert numbers_agree(view, explorer)


def numbers_agree(view: View, explorer: PriorExplorer) -> bool:
    """Whether the largest leakage on screen is Python's."""
    return f"{float(explorer.results.largest):.3f}"[:5] in lead(view)


def test_w21_an_update_from_python_does_not_take_the_text_being_typed(bridge: Bridge) -> None:
    for kind in (JointTable, PriorExplorer):
        widget = kind(pair())
        view = bridge.show(widget)
        cell(view, "Ann = 0, Bob = 1").click()
        bridge.page.keyboard.type("0.2")
        widget.value = widget.value.independent(widget.value.marginals(), names=["Ann", "Bob"])
        bridge.settle()
        editor = view.root.locator("input.gr-edit")
        expect(editor).to_have_value("0.2")
        expect(editor).to_be_focused()
        assert "0.25" in cell(view, "Ann = 1, Bob = 1").inner_text()
        bridge.page.keyboard.type("5")
        bridge.page.keyboard.press("Enter")
        bridge.settle()
        assert widget.value.probability((0, 1)) == 0.25
        assert sums_to_one(entries(widget))
        view.remove()


def test_w21_an_update_while_a_cell_is_dragged_leaves_it_under_the_hand(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    drag(bridge, view.root.locator(SLIDER), 30, release=False)
    held = view.root.locator(SLIDER).get_attribute("aria-valuenow")
    explorer.scale = 0.2
    bridge.page.wait_for_timeout(50)
    assert view.root.locator(SLIDER).get_attribute("aria-valuenow") == held
    bridge.page.mouse.up()
    bridge.settle()
    assert explorer.scale == float(held or "nan")
    type_into(bridge, view, "item 1 = 0, item 2 = 0, item 3 = 1", "0.1")
    assert explorer.value.probability((0, 0, 1)) == 0.1
