"""A view before its widget is there: it says so, waits for its turn, and a failure offers to try again."""

from __future__ import annotations

from playwright.sync_api import expect

import pdp_widgets as pdp
from tests.ui.bridge import Bridge

#: How often a packed widget is unpacked; while `broken`, it fails.
COUNTED = """() => {
    window.unpacked = 0;
    window.broken = true;
    const Own = DecompressionStream;
    window.DecompressionStream = function (format) {
        window.unpacked += 1;
        if (window.broken) throw new Error('no memory');
        return new Own(format);
    };
}"""


def table() -> pdp.JointTable:
    return pdp.JointTable(pdp.lsat6().marginal(["item 1", "item 2"]))


def test_a_failure_is_told_and_tried_again(bridge: Bridge) -> None:
    bridge.page.evaluate(COUNTED)
    view = bridge.show(table())
    line = view.el.get_by_role("status")
    expect(line).to_contain_text("This widget could not be loaded.")
    # The picture beside it stays.
    expect(view.el).to_have_attribute("data-pdp-apart", "")
    assert bridge.take_errors("no memory")
    bridge.page.evaluate("() => { window.broken = false; }")
    line.get_by_role("button", name="Try again").click()
    expect(view.root.get_by_role("grid")).to_be_visible()
    expect(view.el.locator(".pdp-loading")).to_have_count(0)
    assert view.el.get_attribute("data-pdp-apart") is None


def test_widgets_of_a_kind_are_unpacked_once_a_page(bridge: Bridge) -> None:
    bridge.page.evaluate(COUNTED)
    bridge.page.evaluate("() => { window.broken = false; }")
    for _ in range(3):
        expect(bridge.show(table()).root.get_by_role("grid")).to_be_visible()
    assert bridge.page.evaluate("() => window.unpacked") == 1


def test_views_are_drawn_in_turn_those_on_screen_first_and_closed_ones_never(bridge: Bridge) -> None:
    shown = [table() for _ in range(5)]
    bridge._shown.extend(shown)
    drawn = bridge.page.evaluate(
        """async ids => {
            const rest = window.requestIdleCallback;
            const held = [];
            window.requestIdleCallback = done => held.push(done);
            const page = document.querySelector('#page');
            page.innerHTML = '<div id="seen"></div><div style="height: 3000px"></div>';
            const order = [];
            const waiting = ids.map((id, k) => host.show(id, `v${k}`, { parent: k === 3 ? '#seen' : null }));
            const frame = () => new Promise(requestAnimationFrame);
            while (page.querySelectorAll('.pdp-loading').length < ids.length) await frame();
            host.remove('v1');
            while (document.querySelector('.pdp-loading')) {
                held.splice(0).forEach(done => done());
                await frame();
                for (const { id, el } of host.views.values())
                    if (el.querySelector('.pdp') && !order.includes(id)) order.push(id);
            }
            window.requestIdleCallback = rest;
            await Promise.all(waiting);
            return order;
        }""",
        [widget.model_id for widget in shown],
    )
    assert drawn == ["v3", "v0", "v2", "v4"]
