"""The stream simulator in a page without a kernel: it plays, takes edits, and releases as Python does."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from playwright.sync_api import expect

from pdp_widgets import MarkovChain, StreamSimulator
from tests.ui.test_page import Opened, opened

__all__ = ["opened"]

VIEW = "() => { const { window: _, ...rest } = window.views.at(-1); return rest; }"


def view(page: Opened) -> dict[str, Any]:
    """Return the last view that the page computed, without its arrays."""
    return dict(page.page.evaluate(VIEW))


def same_window(page: Opened, simulator: StreamSimulator, keys: tuple[str, ...]) -> None:
    """Compare the last steps on the page with those of Python, which has taken the same edits."""
    shown = view(page)
    assert shown["position"] == simulator.position
    assert [lane["key"] for lane in shown["lanes"]] == list(keys)
    first = max(0, simulator.position - 120)
    record = simulator.results.record(first, simulator.position - first, delta=simulator.delta)
    for name in ("promise", "linear", "advanced"):
        np.testing.assert_allclose(page.numbers("window", name), getattr(record, name), rtol=1e-9)
    for k, key in enumerate(keys):
        lane = record.lanes[key]
        for name in ("leakage", "error", "expected"):
            found = page.numbers("window", "lanes", str(k), name)
            np.testing.assert_allclose(found, getattr(lane, name), rtol=1e-9, atol=1e-12)
        sums = page.numbers("window", "lanes", str(k), "sum")
        np.testing.assert_allclose(sums, lane.total, rtol=1e-9, atol=1e-12)


def shown_step(page: Opened) -> int:
    """Return the step that the heading names."""
    text = page.root().locator(".sx-heading-step").inner_text()
    found = re.search(r"step ([\d,]+)", text)
    assert found, text
    return int(found[1].replace(",", ""))


def test_a_published_stream_plays_on_and_takes_edits(opened):
    simulator = StreamSimulator(MarkovChain.symmetric(0.9), 0.5, rng=10, steps=44)
    page = opened(simulator)
    root = page.root()
    expect(root.locator(".sx-heading-step")).to_have_text("step 44")
    root.get_by_role("button", name="Play", exact=True).click()
    page.page.wait_for_function("() => window.views.at(-1)?.playing === true")
    expect(root.locator(".sx-heading-step")).to_have_text(re.compile(r"step (4[6-9]|[5-9]\d)"))
    root.get_by_role("button", name="Pause").click()
    page.page.wait_for_function("() => window.views.at(-1)?.playing === false")
    simulator.position = view(page)["position"]
    assert simulator.position > 45
    same_window(page, simulator, ("crr", "optimum"))

    # An edit counts from the next step on.
    field = root.get_by_label("Budget ε as a number")
    field.fill("1.25")
    field.press("Enter")
    page.page.wait_for_function("() => window.views.at(-1)?.epsilon === 1.25")
    simulator.epsilon = 1.25
    for _ in range(3):
        root.get_by_role("button", name="One step").click()
    expect(root.locator(".sx-heading-step")).to_have_text(f"step {simulator.position + 3}")
    root.get_by_label("Seed of all random numbers").press("Enter")
    page.page.keyboard.press("Control+A")
    page.page.keyboard.type("11")
    page.page.keyboard.press("Enter")
    page.page.wait_for_function("() => window.views.at(-1)?.seed === 11")
    simulator.run(3)
    simulator.seed = 11
    same_window(page, simulator, ("crr", "optimum"))

    root.get_by_role("button", name="Back to the start").click()
    page.page.wait_for_function("() => window.views.at(-1)?.position === 0")
    expect(root.locator(".sx-heading-step")).to_have_text("step 0")
    assert view(page)["changes"] == []
    root.get_by_role("button", name="One step").click()
    expect(root.locator(".sx-heading-step")).to_have_text("step 1")


def test_lanes_that_need_a_solver_show_what_was_saved(opened):
    simulator = StreamSimulator(MarkovChain.symmetric(0.8, 4), 1.0, ("crr", "optimum"), rng=3, steps=30)
    page = opened(simulator)
    expect(page.slot().locator(".pdp-note").first).to_contain_text("solves a linear program at every step")
    root = page.root()
    assert shown_step(page) == 30
    expect(root.get_by_role("button", name="Play", exact=True)).to_have_attribute("aria-disabled", "true")
    expect(root.locator(".px-audit")).to_contain_text("30")


def test_a_page_says_which_lanes_it_cannot_compute(opened):
    chain = MarkovChain.symmetric(0.8, 4)
    simulator = StreamSimulator(chain, 1.0, ("crr", "crr_balanced"), rng=3, steps=5)
    page = opened(simulator)
    root = page.root()
    root.get_by_role("button", name="One step").click()
    expect(root.locator(".sx-heading-step")).to_have_text("step 6")
    root.get_by_role("button", name="more").click()
    solver = root.get_by_role("menuitem", name=re.compile("Optimum"))
    expect(solver).to_be_disabled()
    expect(solver).to_contain_text("which a page without a kernel does not")
    root.get_by_role("menuitem", name="Randomised response among what can follow").click()
    page.page.wait_for_function("() => window.views.at(-1)?.lanes?.length === 3")
    simulator.run(1)
    simulator.lanes = ("crr", "crr_balanced", "temporal_safe")
    same_window(page, simulator, ("crr", "crr_balanced", "temporal_safe"))


def test_frames_are_drawn_while_a_page_computes(opened):
    lanes = ("crr", "crr_balanced", "crr_trimmed", "grr")
    page = opened(StreamSimulator(MarkovChain.symmetric(0.8, 40), 1.0, lanes, rng=3, steps=30))
    root = page.root()
    root.get_by_label("Speed").press("End")
    root.get_by_role("button", name="Play", exact=True).click()
    expect(root.locator(".sx-heading-step")).to_have_text(re.compile(r"step [2-9]\d\d"))
    count = """() => new Promise((done) => {
        let frames = 0;
        const began = performance.now();
        const next = () => {
            if (performance.now() - began > 1000) return done(frames);
            frames++;
            requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
    })"""
    before = shown_step(page)
    # Thirty in a second on a machine of one's own; tests share theirs, and a second may be a bad one.
    assert any(page.page.evaluate(count) >= 8 for _ in range(3))
    assert shown_step(page) > before
