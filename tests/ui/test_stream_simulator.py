"""The stream simulator under a person's hands: it plays, it waits, it can be read."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pdp_widgets import MarkovChain, StreamSimulator
from tests.ui.bridge import Bridge, View
from tests.ui.hands import LAYOUT, drag, expect_said, expect_silence, lead
from tests.ui.test_accessibility import press, tab_to

ONE_STEP = (Path(__file__).parent / "one-step.js").read_text()
#: The steps that stand at the cursor, frame by frame.
STEPS_SEEN = """async (root, milliseconds) => {
    const end = performance.now() + milliseconds;
    const seen = [];
    while (performance.now() < end) {
        await new Promise(requestAnimationFrame);
        const step = Number(root.querySelector(".sx-at").textContent.replace(/[^0-9]/g, ""));
        if (step !== seen.at(-1)) seen.push(step);
    }
    return seen;
}"""
ALL_OVER = ("crr", "crr_balanced", "grr", "grr2")


def chain(n: int, long: bool = False) -> MarkovChain:
    """Return a chain that likes to stay."""
    if n == 2 and not long:
        return MarkovChain.symmetric(0.6)
    rng = np.random.default_rng(n)
    rows = rng.dirichlet(np.ones(n), size=n) * 0.4 + 0.6 * np.eye(n)
    names = [f"quite a long name of the state number {k + 1}" for k in range(n)] if long else None
    return MarkovChain(rows / rows.sum(axis=1, keepdims=True), None, names)


def simulator(n: int = 2, **more: Any) -> StreamSimulator:
    return StreamSimulator(chain(n), 0.5, **{"rng": 10, "steps": 44, **more})


def shown(bridge: Bridge, stream: StreamSimulator, parent: str | None = None) -> View:
    view = bridge.show(stream, parent)
    bridge.settle()
    return view


def button(view: View, name: str) -> Locator:
    return view.root.get_by_role("button", name=name, exact=True)


def at(view: View) -> int:
    return int((view.root.locator(".sx-at").inner_text()).replace("step", "").replace(",", "").strip() or 0)


def play(bridge: Bridge, view: View, milliseconds: float) -> None:
    button(view, "Play").click()
    bridge.page.wait_for_timeout(milliseconds)
    button(view, "Pause").click()
    bridge.settle()


def pixels(view: View) -> list[int]:
    """Return how many pixels the picture has, and how many of them are drawn on."""
    found = view.root.locator("canvas").evaluate(
        """canvas => {
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            let drawn = 0;
            for (let k = 3; k < data.length; k += 4) if (data[k] > 0) drawn += 1;
            return [canvas.width * canvas.height, drawn];
        }"""
    )
    return [int(number) for number in found]


# Time


def test_it_plays_tells_python_now_and_then_and_stops_where_it_is(bridge: Bridge) -> None:
    stream = simulator()
    stream.speed = 100.0
    view = shown(bridge, stream)
    before, began = bridge.sent(stream), time.monotonic()
    play(bridge, view, 800)
    took = time.monotonic() - began
    # A busy machine draws less often, and no step is left out.
    assert 25 < stream.position - 44 <= 100 * took
    assert at(view) == stream.position
    assert not stream.playing
    assert stream.results.steps == stream.position
    assert bridge.sent(stream) - before < 15 * took
    bridge.page.wait_for_timeout(300)
    assert at(view) == stream.position
    assert pixels(view)[1] > 5000
    # Python runs on and back, and the page follows.
    steps = stream.position
    stream.run(1000)
    bridge.settle()
    assert at(view) == steps + 1000
    stream.position = 20
    bridge.settle()
    assert at(view) == 20
    button(view, "Back to the start").click()
    bridge.settle()
    assert stream.position == 0
    expect(view.root.locator(".sx-empty")).to_be_visible()
    assert view.root.evaluate(LAYOUT) == []
    play(bridge, view, 300)
    assert stream.position > 0


def test_w12_under_latency_it_never_goes_back_and_an_edit_counts_from_the_next_step(bridge: Bridge) -> None:
    stream = simulator()
    stream.speed = 50.0
    view = shown(bridge, stream)
    bridge.latency(200)
    button(view, "Play").click()
    seen = view.root.evaluate(STEPS_SEEN, 1000)
    assert seen[-1] > 60
    view.root.get_by_label("Budget ε as a number").fill("1.5")
    bridge.page.keyboard.press("Enter")
    seen += view.root.evaluate(STEPS_SEEN, 1300)
    assert seen == sorted(seen)
    button(view, "Pause").click()
    bridge.latency(0)
    bridge.settle()
    assert at(view) == stream.position >= seen[-1]
    (change,) = stream._view["changes"]
    assert change["before"] == "ε 0.5"
    assert change["after"] == "ε 1.5"
    first = change["step"]
    assert 44 < first <= stream.position
    promise = stream.results.record().promise
    assert promise[: first - 1].max() == 0.5
    assert promise[first - 1 :].min() == 1.5


def test_it_stops_where_nobody_sees_it(bridge: Bridge) -> None:
    stream = simulator()
    box = bridge.container("height: 900px")
    view = shown(bridge, stream, box)
    bridge.container("height: 4000px")
    for way in ("scrolled away", "hidden", "removed", "detached"):
        before = at(view)
        button(view, "Play").click()
        expect(view.root.locator(".sx-at")).not_to_have_text(f"step {before}")
        if way == "scrolled away":
            bridge.page.evaluate("() => window.scrollTo(0, 3000)")
        elif way == "hidden":
            bridge.restyle(box, "display: none")
        elif way == "removed":
            view.remove()
        else:
            view.el.evaluate("el => el.remove()")
        # Python is told every quarter of a second.
        bridge.page.wait_for_timeout(300)
        bridge.settle()
        assert not stream.playing or way == "detached", way
        stopped = stream.position
        bridge.page.wait_for_timeout(300)
        assert stream.position == stopped, way
        if way == "removed":
            view = shown(bridge, stream, box)
        else:
            bridge.restyle(box, "height: 900px")
            bridge.page.evaluate("() => window.scrollTo(0, 0)")


def test_reduced_motion_starts_paused(bridge: Bridge) -> None:
    bridge.theme(reduced_motion=True)
    stream = simulator()
    stream.play()
    view = shown(bridge, stream)
    assert not stream.playing
    expect(button(view, "Play")).to_be_visible()
    button(view, "One step").click()
    bridge.settle()
    assert stream.position == 45


def test_w11_w17_two_views_show_the_same_step_settle_and_leave_nothing_when_closed(bridge: Bridge) -> None:
    stream = simulator(lanes="grr")
    one = shown(bridge, stream)
    two = shown(bridge, stream)
    play(bridge, one, 400)
    expect(two.root.locator(".sx-at")).to_have_text(f"step {stream.position}")
    quiet = bridge.sent(stream)
    bridge.page.wait_for_timeout(300)
    assert bridge.sent(stream) == quiet
    button(two, "One step").click()
    bridge.settle()
    assert at(one) == at(two) == stream.position
    model = stream.model_id
    stream.close()
    assert bridge.listeners(model) == 0


def test_nothing_jumps_while_it_plays_and_the_end_of_the_data_is_the_end(bridge: Bridge) -> None:
    stream = StreamSimulator(chain(2), 0.5, data=[0, 1] * 60, rng=1, steps=5)
    stream.speed = 100.0
    view = shown(bridge, stream)
    button(view, "Play").click()
    expect(view.root.locator(".sx-at")).not_to_have_text("step 5")
    places = view.root.evaluate(
        """async (root) => {
            const parts = ".sx-plot, .sx-audit, .sx-release, .sx-transport, .sx-heading-step";
            const top = (el) => Math.round(el.getBoundingClientRect().top);
            const places = new Set();
            const at = root.querySelector(".sx-at");
            for (let k = 0; k < 900 && !at.textContent.startsWith("step 12"); k++) {
                places.add([...root.querySelectorAll(parts)].map(top).join());
                await new Promise(requestAnimationFrame);
            }
            return [...places];
        }"""
    )
    assert len(places) == 1, places
    expect(button(view, "Play")).to_have_attribute("aria-disabled", "true")
    bridge.settle()
    assert (stream.position, stream.playing) == (120, False)


def test_all_parts_of_a_frame_show_one_step(bridge: Bridge) -> None:
    stream = StreamSimulator(MarkovChain.symmetric(0.9), 0.5, ("grr", "crr"), rng=10, steps=30)
    view = shown(bridge, stream)
    for speed in (10.0, 200.0):
        stream.speed = speed
        button(view, "Play").click()
        bridge.page.wait_for_timeout(100)
        frames = bridge.page.evaluate(ONE_STEP, [view.root.element_handle(), 45])
        button(view, "Pause").click()
        bridge.settle()
        assert len(frames) > 22, speed
        assert [frame for frame in frames if len(set(frame["steps"])) > 1 or not frame["picture"]] == [], (
            speed
        )
        # Heading, cursor, table, audit strip and the two lanes, and now and then the sentence.
        assert min(len(frame["steps"]) for frame in frames) >= 6
        assert any(frame["told"] for frame in frames)
        assert len({frame["steps"][0] for frame in frames}) > 3


# Edits


def test_w22_w23_a_pasted_block_is_one_step_back_and_a_wrong_entry_stops_the_stream(bridge: Bridge) -> None:
    stream = simulator(3)
    view = shown(bridge, stream)
    before = stream.value.transitions.copy()
    view.root.get_by_role("gridcell", name=re.compile("^from 0 to 0:")).click()
    view.root.locator("table.gr").evaluate(
        """table => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "8\\t1\\t1\\n1\\t8\\t1\\n1\\t1\\t8");
            const how = { clipboardData, bubbles: true, cancelable: true };
            table.dispatchEvent(new ClipboardEvent("paste", how));
        }"""
    )
    bridge.settle()
    np.testing.assert_allclose(stream.value.transitions, np.full((3, 3), 0.1) + 0.7 * np.eye(3), atol=1e-15)
    press(bridge, "Control+z")
    assert np.array_equal(stream.value.transitions, before)
    press(bridge, "Control+Shift+z")
    assert stream.value.transitions[2, 2] == pytest.approx(0.8)
    # A wrong entry while it plays: it is marked and stays, and no step follows.
    button(view, "Play").click()
    expect(view.root.locator(".sx-at")).not_to_have_text("step 44")
    cell = view.root.get_by_role("gridcell", name=re.compile("^from 0 to 1:"))
    cell.click()
    bridge.page.keyboard.type("1,5")
    press(bridge, "Enter")
    expect_said(view, "1,5 is not a probability")
    expect(cell).to_have_attribute("aria-invalid", "true")
    assert not stream.playing
    assert not stream.current
    steps = stream.position
    bridge.page.wait_for_timeout(300)
    assert stream.position == steps
    cell.click()
    bridge.page.keyboard.type("0.2")
    press(bridge, "Enter")
    expect_silence(view)
    assert stream.current
    assert stream.value.transitions[0, 1] == pytest.approx(0.2, abs=1e-15)
    assert stream.value.transitions[0].sum() == pytest.approx(1, abs=1e-12)


def test_the_chance_to_stay_is_dragged_and_budgets_without_end_and_of_nothing_are_taken(
    bridge: Bridge,
) -> None:
    stream = simulator()
    view = shown(bridge, stream)
    # What is dotted in the sentence can be dragged.
    drag(bridge, view.root.get_by_role("spinbutton", name="Chance to stay in a state"), 20)
    stay = stream.value.transitions[0, 0]
    assert 0.7 < stay < 0.9
    assert stream.value.transitions[1, 1] == stay
    # What a drag passed on its way leaves no line in time.
    assert len(stream._view["changes"]) == 1
    assert "rose from 0.60 to" in lead(view)
    press(bridge, "Control+z")
    assert stream.value.transitions[0, 0] == 0.6
    entry = view.root.get_by_label("Budget ε as a number")
    for text, value in (("inf", np.inf), ("0", 0.0), ("1e-8", 1e-8), ("7,5", 7.5)):
        entry.fill(text)
        press(bridge, "Enter")
        assert stream.epsilon == value
        button(view, "One step").click()
        bridge.settle()
        expect_silence(view)
    assert "7.500 nats" in lead(view)


def test_w25_every_task_by_keyboard(bridge: Bridge) -> None:
    stream = simulator()
    view = shown(bridge, stream)
    bridge.page.evaluate("() => document.activeElement?.blur()")
    tab_to(bridge, view, re.compile("^from 0 to 0:"), "gridcell")
    bridge.page.keyboard.type("0.8")
    press(bridge, "Enter")
    assert stream.value.transitions[0, 0] == 0.8
    tab_to(bridge, view, "Stay at 1", "slider")
    press(bridge, "End")
    assert stream.value.transitions[1, 1] == 1.0
    press(bridge, "Control+z", "Control+z")
    assert stream.value == chain(2)
    tab_to(bridge, view, "Take CRR as printed away", "button")
    press(bridge, "Enter")
    assert stream.lanes == ("optimum",)
    tab_to(bridge, view, "more", "button")
    press(bridge, "Enter")
    expect(view.root.get_by_role("menu")).to_be_visible()
    press(bridge, "Enter")
    assert len(stream.lanes) == 2
    tab_to(bridge, view, "One step", "button")
    press(bridge, "Enter")
    assert stream.position == 45
    tab_to(bridge, view, "Step that is read", "slider")
    press(bridge, "ArrowLeft", "ArrowLeft")
    expect(view.root.locator(".sx-heading-step")).to_have_text("step 43 of 45")
    bridge.page.keyboard.press("Space")
    bridge.page.wait_for_timeout(200)
    bridge.page.keyboard.press("Space")
    bridge.settle()
    assert stream.position > 45
    expect(view.root.locator(".sx-heading-step")).to_have_text(f"step 43 of {stream.position}")


# Reading


def test_a_step_is_read_where_it_is_pointed_and_meets_no_tick_and_no_word(bridge: Bridge) -> None:
    stream = simulator(steps=58)
    view = shown(bridge, stream)
    plot, heading = view.root.locator(".sx-plot"), view.root.locator(".sx-heading-step")
    plot.click(position={"x": 86 + 100, "y": 200})
    expect(heading).to_have_text(re.compile("^step 1?[0-9] of 58$"))
    plot.dblclick(position={"x": 86 + 100, "y": 200})
    expect(heading).to_have_text("step 58")
    assert stream.position == 58
    slider = view.root.get_by_role("slider", name="Step that is read")
    # Texts of the canvas with where they stand, from the last drawing, of each step that is read.
    met = slider.evaluate(
        """async (slider) => {
            const root = slider.closest(".pdp");
            const canvas = CanvasRenderingContext2D.prototype;
            const { fillText, clearRect } = canvas;
            let written = [];
            canvas.clearRect = function (...place) {
                if (this.canvas.isConnected) written = [];
                return clearRect.apply(this, place);
            };
            canvas.fillText = function (text, x, y) {
                const width = this.measureText(text).width;
                const before = { center: width / 2, end: width }[this.textAlign] ?? 0;
                const left = x - before;
                written.push({ text, left, right: left + width, top: y - 8, bottom: y });
                return fillText.call(this, text, x, y);
            };
            const meetings = () => {
                const plot = root.querySelector(".sx-plot").getBoundingClientRect();
                const at = root.querySelector(".sx-at");
                const box = at.getBoundingClientRect();
                const across = { left: box.left - plot.left, right: box.right - plot.left };
                const lines = { top: box.top - plot.top + 4, bottom: box.bottom - plot.top - 4 };
                const all = [...written, { text: at.textContent, ...across, ...lines }];
                if (all.length < 30) return ["nothing is written"];
                const meet = (s, t) =>
                    s.left < t.right && t.left < s.right && s.top < t.bottom && t.top < s.bottom;
                return all.flatMap((s, k) =>
                    all.slice(k + 1).filter((t) => meet(s, t)).map((t) => `${s.text} | ${t.text}`));
            };
            const found = [];
            for (let k = 0; k < 20; k++) {
                slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
                for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
                found.push(...meetings());
            }
            Object.assign(canvas, { fillText, clearRect });
            return found;
        }"""
    )
    assert met == []
    expect(heading).to_have_text("step 38 of 58")


def test_w32_without_a_kernel_the_last_steps_can_be_read(bridge: Bridge) -> None:
    stream = simulator(lanes=ALL_OVER)
    view = shown(bridge, stream)
    button(view, "Play").click()
    expect(view.root.locator(".sx-at")).not_to_have_text("step 44")
    bridge.kill(stream)
    expect_said(view, "No kernel")
    seen = at(view)
    bridge.page.wait_for_timeout(300)
    assert at(view) == seen
    for name in ("One step", "Back to the start"):
        expect(button(view, name)).to_have_attribute("aria-disabled", "true")
    slider = view.root.get_by_role("slider", name="Step that is read")
    slider.focus()
    bridge.page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^step 1, true"))
    bridge.revive(stream)


def test_w26_texts_and_picture_follow_light_dark_and_forced_colours(bridge: Bridge) -> None:
    view = shown(bridge, simulator(3, lanes=ALL_OVER))
    picture = view.root.locator("canvas")
    read = """canvas => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const seen = new Set();
        for (let k = 0; k < data.length; k += 4) {
            if (data[k + 3] === 255) seen.add(data.slice(k, k + 3).join());
        }
        return [...seen];
    }"""
    light = set(picture.evaluate(read))
    bridge.theme(dark=True)
    bridge.settle()
    dark = set(picture.evaluate(read))
    # What is above the promise, in its two shades.
    assert "181,71,8" in light - dark
    assert "255,154,107" in dark - light
    # Beliefs by state are colours of a map; in forced colours they are a line.
    bridge.theme(forced_colors=True)
    bridge.settle()
    forced = [[int(part) for part in colour.split(",")] for colour in picture.evaluate(read)]
    assert forced
    assert [(r, g, b) for r, g, b in forced if g > r + 40 and g > b + 40] == []


def test_w36_labels_are_text(bridge: Bridge) -> None:
    names = ["<img src=x onerror=alert(1)>", "שלום", "👩‍👩‍👧‍👦" * 40]
    stream = StreamSimulator(MarkovChain(np.full((3, 3), 1 / 3), None, names), 0.5, rng=1, steps=20)
    view = shown(bridge, stream)
    assert view.root.locator("img").count() == 0
    assert "<img src=x" in view.root.inner_text()


WRONG = [
    ("Seed of all random numbers", "12345678901234567890x", "Enter a whole number from 0 on."),
    ("Seed of all random numbers", "1.5", "Enter a whole number from 0 on."),
    ("δ of the advanced composition", "7", "Enter a number from 0 to below 1."),
    ("Budget ε of a step", "-3", "Enter 0 or more nats"),
]


def test_what_is_wrong_with_a_number_stands_below_its_field(bridge: Bridge) -> None:
    view = shown(bridge, simulator())
    for width in (420, 1100):
        bridge.page.set_viewport_size({"width": width, "height": 900})
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
    stream = simulator(lanes=["crr", "optimum", "grr"])
    view = shown(bridge, stream)

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
