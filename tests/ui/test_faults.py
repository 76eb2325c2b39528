"""What goes wrong in code, and the end of a widget: said in plain words, and nothing stays behind."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from playwright.sync_api import expect

from pdp_widgets import JointDistribution, JointTable, PriorExplorer, WHGGraph
from pdp_widgets.widgets import prior_results
from tests.ui.bridge import Bridge
from tests.ui.hands import cell, expect_said, expect_silence, lead, said, three, type_into, type_scale

FIRST = "item 1 = 0, item 2 = 0, item 3 = 0"


def test_w14_what_raises_is_shown_and_the_next_good_edit_or_python_clears_it(
    bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    angry = True

    def callback(_change: object) -> None:
        if angry:
            raise ZeroDivisionError("divided by the wrong thing")

    explorer.observe(callback, "value")
    type_into(bridge, view, FIRST, "0.1")
    expect_said(view, "Your callback on 'value' failed: ZeroDivisionError: divided by the wrong thing")
    assert "The edit itself was taken" in said(view)
    assert explorer.value.probability((0, 0, 0)) == 0.1
    assert "Traceback" not in view.root.inner_text()
    bridge.take_errors("divided by the wrong thing")
    angry = False
    type_into(bridge, view, FIRST, "0.2")
    expect_silence(view)
    assert explorer.error is None
    # A failure of our own code: the last results stay.
    results, sentence = explorer.results, lead(view)

    def fail(*_: object, **__: object) -> None:
        raise MemoryError("too much of it")

    with monkeypatch.context() as patch:
        patch.setattr(prior_results, "PriorAnalysis", fail)
        type_into(bridge, view, FIRST, "0.3")
        expect_said(view, "There is not enough memory for this.")
        bridge.take_errors("too much of it")
        assert explorer.results is results
        assert lead(view) == sentence
    type_into(bridge, view, FIRST, "0.4")
    expect_silence(view)
    assert explorer.results.distribution == explorer.value
    # Python puts errors right as hands do.
    type_into(bridge, view, FIRST, "oops")
    expect_said(view, "oops")
    explorer.value = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["Ann", "Bob"])
    bridge.settle()
    expect_silence(view)
    assert "0.3" in cell(view, "Ann = 0, Bob = 0").inner_text()


@pytest.mark.parametrize("kind", [JointTable, WHGGraph])
def test_w14_the_smaller_widgets_show_it_too(bridge: Bridge, kind: type[Any]) -> None:
    widget = make(kind)
    view = bridge.show(widget)

    def callback(_change: object) -> None:
        raise KeyError("nothing there")

    widget.observe(callback, "value" if kind is JointTable else "known")

    def edit(text: str, known: str) -> None:
        if kind is JointTable:
            type_into(bridge, view, FIRST, text)
        else:
            view.root.get_by_role("button", name=f"about item 1, knows {known}: ").click()
            bridge.settle()

    edit("0.1", "item 2")
    expect_said(view, "KeyError: 'nothing there'")
    bridge.take_errors("nothing there")
    widget.unobserve_all("value" if kind is JointTable else "known")
    edit("0.2", "item 3")
    expect_silence(view)


def make(kind: type[Any]) -> Any:
    return kind(PriorExplorer(three()).results) if kind is WHGGraph else kind(three())


def test_w15_closing_leaves_nothing(bridge: Bridge) -> None:
    for kind in (JointTable, WHGGraph, PriorExplorer):
        widget = make(kind)
        views = [bridge.show(widget), bridge.show(widget)]
        bridge.settle()
        if kind is PriorExplorer:
            type_scale(bridge, views[0], "2")
        model = widget.model_id
        widget.close()
        bridge._shown.clear()
        dead = weakref.ref(widget)
        del widget
        # Playwright looks at the variables of its callers: from here on it sees them without the widget.
        bridge.settle()
        gc.collect()
        assert dead() is None, kind
        assert bridge.live_comms() == 0
        assert bridge.listeners(model) == 0
        assert all(view.el.count() == 0 for view in views)
        # What the widget listened to outside itself hears no more: the page stays quiet.
        bridge.theme(dark=True)
        bridge.page.mouse.click(5, 5)
        bridge.page.set_viewport_size({"width": 700, "height": 700})
        bridge.settle()
        bridge.theme()


def test_w15_listeners_outside_the_view_go_with_it(bridge: Bridge) -> None:
    bridge.page.evaluate(
        """() => {
            window.outside = new Map();
            const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
            // Modules come from blobs; Playwright listens too.
            const far = (at) =>
                (at === document || at === window || at instanceof MediaQueryList) &&
                new Error().stack.includes("blob:");
            EventTarget.prototype.addEventListener = function (type, f, how) {
                if (far(this)) outside.set(f, [...(outside.get(f) ?? []), type]);
                return add.call(this, type, f, how);
            };
            EventTarget.prototype.removeEventListener = function (type, f, how) {
                if (outside.has(f)) outside.set(f, (outside.get(f) ?? []).filter((t) => t !== type));
                return remove.call(this, type, f, how);
            };
        }"""
    )
    left = "() => [...outside.values()].flat()"
    for kind in (JointTable, WHGGraph, PriorExplorer):
        view = bridge.show(make(kind))
        bridge.settle()
        assert len(bridge.page.evaluate(left)) > 0
        if kind is not WHGGraph:
            # Not Playwright's click: it listens to the page itself.
            view.root.get_by_role("button", name="More").evaluate("button => button.click()")
        view.remove()
        assert bridge.page.evaluate(left) == [], kind.__name__


def test_w32_without_a_kernel_it_says_so_and_keeps_what_was_typed(bridge: Bridge) -> None:
    for kind in (JointTable, PriorExplorer):
        widget: Any = kind(three())
        view = bridge.show(widget)
        cell(view, FIRST).click()
        bridge.page.keyboard.type("0.1")
        bridge.kill(widget)
        expect_said(view, "No kernel")
        expect(view.root.locator("input.gr-edit")).to_have_value("0.1")
        expect(view.root.get_by_role("button", name="Independent")).to_be_disabled()
        bridge.revive(widget)
        expect_silence(view)
        bridge.page.keyboard.press("Enter")
        bridge.settle()
        assert widget.value.probability((0, 0, 0)) == 0.1
        view.remove()
