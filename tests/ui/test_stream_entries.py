"""What is wrong with a number of a stream is said beside it, and a mechanism keeps its colour."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pdp_widgets import MarkovChain, StreamSimulator
from tests.ui.bridge import Bridge

WRONG = [
    ("Seed of all random numbers", "12345678901234567890x", "Enter a whole number from 0 on."),
    ("Seed of all random numbers", "1.5", "Enter a whole number from 0 on."),
    ("δ of the advanced composition", "7", "Enter a number from 0 to below 1."),
    ("Budget ε of a step", "-3", "Enter 0 or more nats"),
]


@pytest.mark.parametrize("width", [420, 1100])
def test_what_is_wrong_with_a_number_stands_below_its_field(bridge: Bridge, width: int) -> None:
    bridge.page.set_viewport_size({"width": width, "height": 900})
    view = bridge.show(StreamSimulator(MarkovChain.symmetric(0.6), 0.5, rng=10, steps=44))
    bridge.settle()
    for name, typed, said in WRONG:
        view.root.get_by_role("spinbutton", name=name).focus()
        bridge.page.keyboard.press("Enter")
        bridge.page.keyboard.type(typed)
        bridge.page.keyboard.press("Enter")
        bridge.settle()
        field = view.root.locator(".drag-number-entry").bounding_box()
        reason = view.root.locator(".drag-number-reason")
        box = reason.bounding_box()
        assert said in reason.inner_text(), typed
        assert field is not None, typed
        assert box is not None, typed
        assert box["y"] >= field["y"] + field["height"], typed
        assert 0 <= box["x"] < box["x"] + box["width"] <= width, typed
        # All of it stands on the ground of its box.
        assert reason.evaluate(
            "one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight"
        ), typed
        bridge.page.keyboard.press("Escape")
        expect(reason).to_have_count(0)


def test_a_lane_keeps_its_colour_when_another_one_goes(bridge: Bridge) -> None:
    stream = StreamSimulator(MarkovChain.symmetric(0.6), 0.5, ["crr", "optimum", "grr"], rng=10, steps=44)
    view = bridge.show(stream)
    bridge.settle()

    def colours() -> list[list[str]]:
        places = (".sx-chip .sx-sample path", ".sx-lane-head .sx-sample path")
        return [
            view.root.locator(place).evaluate_all("all => all.map(one => one.getAttribute('stroke'))")
            for place in places
        ]

    assert colours() == [["var(--b)", "var(--a)", "var(--c)"]] * 2
    view.root.get_by_role("button", name="Take Optimum away").click()
    bridge.settle()
    assert stream.lanes == ("crr", "grr")
    assert colours() == [["var(--b)", "var(--c)"]] * 2
    view.root.get_by_role("button", name="Balanced", exact=True).click()
    bridge.settle()
    assert colours() == [["var(--b)", "var(--c)", "var(--a)"]] * 2
