"""The stream simulator under a person's hands: it plays, it waits, it can be read."""

from __future__ import annotations

import re
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
    before = bridge.sent(stream)
    play(bridge, view, 2000)
    # A busy machine draws less often, and no step is left out.
    assert 60 < stream.position - 44 <= 400
    assert at(view) == stream.position
    assert not stream.playing
    assert stream.results.steps == stream.position
    assert bridge.sent(stream) - before < 30
    bridge.page.wait_for_timeout(300)
    assert at(view) == stream.position
    assert pixels(view)[1] > 5000


def test_an_edit_while_it_plays_counts_from_the_next_step(bridge: Bridge) -> None:
    stream = simulator()
    view = shown(bridge, stream)
    bridge.latency(80)
    button(view, "Play").click()
    bridge.page.wait_for_timeout(500)
    view.root.get_by_label("Budget ε as a number").fill("1.5")
    bridge.page.keyboard.press("Enter")
    bridge.page.wait_for_timeout(1500)
    button(view, "Pause").click()
    bridge.latency(0)
    bridge.settle()
    (change,) = stream._view["changes"]
    assert change["before"] == "ε 0.5"
    assert change["after"] == "ε 1.5"
    first = change["step"]
    assert 44 < first <= stream.position
    promise = stream.results.record().promise
    assert promise[: first - 1].max() == 0.5
    assert promise[first - 1 :].min() == 1.5


def test_w12_under_latency_it_never_goes_back(bridge: Bridge) -> None:
    stream = simulator()
    stream.speed = 50.0
    view = shown(bridge, stream)
    bridge.latency(300)
    button(view, "Play").click()
    seen = []
    for _ in range(25):
        bridge.page.wait_for_timeout(80)
        seen.append(at(view))
    assert seen == sorted(seen)
    assert seen[-1] > 60
    button(view, "Pause").click()
    bridge.settle()
    assert at(view) == stream.position >= seen[-1]


@pytest.mark.parametrize("way", ["scrolled away", "hidden", "removed", "detached"])
def test_it_stops_where_nobody_sees_it(bridge: Bridge, way: str) -> None:
    stream = simulator()
    box = bridge.container("height: 900px")
    view = shown(bridge, stream, box)
    bridge.container("height: 4000px")
    button(view, "Play").click()
    bridge.page.wait_for_timeout(300)
    if way == "scrolled away":
        bridge.page.evaluate("() => window.scrollTo(0, 3000)")
    elif way == "hidden":
        bridge.restyle(box, "display: none")
    elif way == "removed":
        view.remove()
    else:
        view.el.evaluate("el => el.remove()")
    bridge.page.wait_for_timeout(400)
    bridge.settle()
    assert not stream.playing or way == "detached"
    stopped = stream.position
    bridge.page.wait_for_timeout(400)
    assert stream.position == stopped


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


def test_w11_w17_two_views_show_the_same_step_and_settle(bridge: Bridge) -> None:
    stream = simulator(lanes="grr")
    one = shown(bridge, stream)
    two = shown(bridge, stream)
    play(bridge, one, 700)
    expect(two.root.locator(".sx-at")).to_have_text(f"step {stream.position}")
    quiet = bridge.sent(stream)
    bridge.page.wait_for_timeout(300)
    assert bridge.sent(stream) == quiet
    button(two, "One step").click()
    bridge.settle()
    assert at(one) == at(two) == stream.position


def test_python_runs_on_and_back_and_the_page_follows(bridge: Bridge) -> None:
    stream = simulator()
    view = shown(bridge, stream)
    stream.run(3000)
    bridge.settle()
    assert at(view) == 3044
    stream.position = 20
    bridge.settle()
    assert at(view) == 20
    button(view, "Back to the start").click()
    bridge.settle()
    assert stream.position == 0
    expect(view.root.locator(".sx-empty")).to_be_visible()
    assert view.root.evaluate(LAYOUT) == []
    play(bridge, view, 600)
    assert stream.position > 0


def test_the_end_of_the_data_is_the_end(bridge: Bridge) -> None:
    stream = StreamSimulator(chain(2), 0.5, data=[0, 1] * 30, rng=1, steps=50)
    stream.speed = 100.0
    view = shown(bridge, stream)
    button(view, "Play").click()
    expect(button(view, "Play")).to_have_attribute("aria-disabled", "true", timeout=5000)
    bridge.settle()
    assert (stream.position, stream.playing) == (60, False)


def test_nothing_jumps_while_it_plays(bridge: Bridge) -> None:
    stream = simulator(steps=5)
    stream.speed = 60.0
    view = shown(bridge, stream)
    parts = ".sx-plot, .sx-audit, .sx-release, .sx-transport, .sx-heading-step"
    script = """(root, parts) => {
        const tops = [...root.querySelectorAll(parts)].map((el) => el.getBoundingClientRect().top);
        return tops.map(Math.round);
    }"""
    button(view, "Play").click()
    bridge.page.wait_for_timeout(200)
    tops = view.root.evaluate(script, parts)
    for _ in range(12):
        bridge.page.wait_for_timeout(150)
        assert view.root.evaluate(script, parts) == tops
    button(view, "Pause").click()


@pytest.mark.parametrize("speed", [10.0, 200.0])
def test_all_parts_of_a_frame_show_one_step(bridge: Bridge, speed: float) -> None:
    stream = StreamSimulator(MarkovChain.symmetric(0.9), 0.5, ("grr", "crr"), rng=10, steps=30)
    stream.speed = speed
    view = shown(bridge, stream)
    button(view, "Play").click()
    bridge.page.wait_for_timeout(200)
    frames = bridge.page.evaluate(ONE_STEP, [view.root.element_handle(), 60])
    button(view, "Pause").click()
    bridge.settle()
    assert len(frames) > 30
    assert [frame for frame in frames if len(set(frame["steps"])) > 1 or not frame["picture"]] == []
    # Heading, cursor, table, audit strip and the two lanes, and now and then the sentence.
    assert min(len(frame["steps"]) for frame in frames) >= 6
    assert any(frame["told"] for frame in frames)
    assert len({frame["steps"][0] for frame in frames}) > 3


# Edits


def test_a_wrong_entry_is_marked_stops_the_stream_and_stays(bridge: Bridge) -> None:
    stream = simulator(3)
    view = shown(bridge, stream)
    button(view, "Play").click()
    bridge.page.wait_for_timeout(200)
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


def test_w22_w23_a_pasted_block_is_one_step_back(bridge: Bridge) -> None:
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


def test_the_dotted_chance_to_stay_is_dragged_in_the_sentence(bridge: Bridge) -> None:
    stream = simulator()
    view = shown(bridge, stream)
    drag(bridge, view.root.get_by_role("spinbutton", name="Chance to stay in a state"), 20)
    bridge.settle()
    stay = stream.value.transitions[0, 0]
    assert 0.7 < stay < 0.9
    assert stream.value.transitions[1, 1] == stay
    # What a drag passed on its way leaves no line in time.
    assert len(stream._view["changes"]) == 1
    assert "rose from 0.60 to" in lead(view)
    press(bridge, "Control+z")
    assert stream.value.transitions[0, 0] == 0.6


def test_budgets_without_end_and_of_nothing(bridge: Bridge) -> None:
    stream = simulator()
    view = shown(bridge, stream)
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
    bridge.page.wait_for_timeout(400)
    bridge.page.keyboard.press("Space")
    bridge.settle()
    assert stream.position > 45
    expect(view.root.locator(".sx-heading-step")).to_have_text(f"step 43 of {stream.position}")


# Reading


def test_w32_without_a_kernel_the_last_steps_can_be_read(bridge: Bridge) -> None:
    stream = simulator(lanes=ALL_OVER)
    view = shown(bridge, stream)
    button(view, "Play").click()
    bridge.page.wait_for_timeout(300)
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
    bridge.settle()


def test_the_cursor_reads_where_it_is_pointed(bridge: Bridge) -> None:
    stream = simulator()
    view = shown(bridge, stream)
    plot = view.root.locator(".sx-plot")
    box = plot.bounding_box()
    assert box is not None
    plot.click(position={"x": 86 + 100, "y": 200})
    heading = view.root.locator(".sx-heading-step")
    expect(heading).to_have_text(re.compile("^step 1?[0-9] of 44$"))
    plot.dblclick(position={"x": 86 + 100, "y": 200})
    expect(heading).to_have_text("step 44")
    assert stream.position == 44


def test_the_step_that_is_read_meets_no_tick_and_no_word(bridge: Bridge) -> None:
    view = shown(bridge, simulator(steps=58))
    view.root.get_by_role("slider", name="Step that is read").focus()
    # Texts of the canvas with where they stand, from the last drawing.
    bridge.page.evaluate(
        """() => {
            const canvas = CanvasRenderingContext2D.prototype;
            const { fillText, clearRect } = canvas;
            window.__written = [];
            canvas.clearRect = function (...place) {
                if (this.canvas.isConnected) window.__written = [];
                return clearRect.apply(this, place);
            };
            canvas.fillText = function (text, x, y) {
                const width = this.measureText(text).width;
                const before = { center: width / 2, end: width }[this.textAlign] ?? 0;
                const left = x - before;
                window.__written.push({ text, left, right: left + width, top: y - 8, bottom: y });
                return fillText.call(this, text, x, y);
            };
        }"""
    )
    meetings = """root => {
        const plot = root.querySelector(".sx-plot").getBoundingClientRect();
        const at = root.querySelector(".sx-at");
        const box = at.getBoundingClientRect();
        const label = { text: at.textContent, left: box.left - plot.left, right: box.right - plot.left };
        const lines = { top: box.top - plot.top + 4, bottom: box.bottom - plot.top - 4 };
        const all = [...window.__written, { ...label, ...lines }];
        if (all.length < 30) return ["nothing is written"];
        return all.flatMap((s, k) => all.slice(k + 1).filter((t) => s.left < t.right && t.left < s.right
            && s.top < t.bottom && t.top < s.bottom).map((t) => `${s.text} | ${t.text}`));
    }"""
    for _ in range(20):
        bridge.page.keyboard.press("ArrowLeft")
        bridge.page.wait_for_timeout(40)
        assert view.root.evaluate(meetings) == []


def test_the_picture_follows_the_theme(bridge: Bridge) -> None:
    stream = simulator(3)
    view = shown(bridge, stream)
    read = """canvas => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const seen = new Set();
        for (let k = 0; k < data.length; k += 4) {
            if (data[k + 3] === 255) seen.add(data.slice(k, k + 3).join());
        }
        return [...seen];
    }"""
    light = set(view.root.locator("canvas").evaluate(read))
    bridge.theme(dark=True)
    bridge.settle()
    dark = set(view.root.locator("canvas").evaluate(read))
    # What is above the promise, in its two shades.
    assert "181,71,8" in light - dark
    assert "255,154,107" in dark - light


def test_w26_forced_colours_have_no_colours_of_their_own(bridge: Bridge) -> None:
    bridge.theme(forced_colors=True)
    view = shown(bridge, simulator(3, lanes=ALL_OVER))
    # Beliefs by state are colours of a map; here they are a line.
    coloured = view.root.locator("canvas").evaluate(
        """canvas => {
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            let seen = 0;
            for (let k = 0; k < data.length; k += 4) {
                const [r, g, b, alpha] = data.slice(k, k + 4);
                if (alpha === 255 && g > r + 40 && g > b + 40) seen += 1;
            }
            return seen;
        }"""
    )
    assert coloured == 0
    bridge.theme()
    bridge.settle()


def test_w36_labels_are_text(bridge: Bridge) -> None:
    names = ["<img src=x onerror=alert(1)>", "שלום", "👩‍👩‍👧‍👦" * 40]
    stream = StreamSimulator(MarkovChain(np.full((3, 3), 1 / 3), None, names), 0.5, rng=1, steps=20)
    view = shown(bridge, stream)
    assert view.root.locator("img").count() == 0
    assert "<img src=x" in view.root.inner_text()


def test_w15_nothing_is_left_of_a_view_that_is_closed(bridge: Bridge) -> None:
    stream = simulator()
    shown(bridge, stream)
    model = stream.model_id
    stream.close()
    assert bridge.listeners(model) == 0
