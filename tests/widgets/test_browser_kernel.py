"""Where the kernel runs in a browser, as its platform says, the event loop stands in for threads."""

from __future__ import annotations

import asyncio
import sys
import threading
import types

import pytest

import pdp_widgets as pdp
from pdp_widgets.widgets import browser_kernel, lifetime, running, static_picture
from pdp_widgets.widgets.browser_kernel import NONE_KEY


def in_a_loop(work):
    """Run in an event loop of its own, also where a browser test has left one running."""
    running_already = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        asyncio.run(work)
    finally:
        asyncio._set_running_loop(running_already)


@pytest.fixture
def browser(monkeypatch):
    """Python as it is in a browser: no thread starts."""

    def refuse(*_, **__):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(threading.Thread, "start", refuse)


def test_a_long_computation_runs_after_the_message_at_work_and_only_the_newest(browser):
    done = []

    async def two_edits():
        runner = running.Runner(lambda *_: None, lambda *told: done.append(told), lambda *_: None)
        runner.start(1, lambda _hook: "old")
        runner.start(2, lambda _hook: "new")
        assert done == []
        await asyncio.sleep(0.01)
        runner.start(3, lambda _hook: "later")
        await asyncio.sleep(0.01)

    in_a_loop(two_edits())
    assert done == [(2, "new"), (3, "later")]


def test_the_picture_is_drawn_once_things_are_quiet(browser, monkeypatch):
    monkeypatch.setattr(static_picture, "QUIET", 0.02)
    shown = []
    monkeypatch.setattr(static_picture, "display", lambda bundle, **_: None)
    monkeypatch.setattr(static_picture, "update_display", lambda bundle, **_: shown.append(bundle))
    states = iter([{"text/plain": "first"}, {"text/plain": "second"}])
    picture = static_picture.StaticPicture(lambda: next(states), lambda error: pytest.fail(str(error)))

    async def edits():
        picture.show(None, "cell")
        picture.changed()
        picture.changed()
        assert shown == []
        await asyncio.sleep(0.1)

    in_a_loop(edits())
    assert shown == [{"text/plain": "second"}]


def test_a_closed_picture_is_not_drawn_again(browser, monkeypatch):
    monkeypatch.setattr(static_picture, "QUIET", 0.01)
    monkeypatch.setattr(static_picture, "display", lambda bundle, **_: None)
    drawn = []

    def bundle():
        drawn.append(1)
        return {"text/plain": str(len(drawn))}

    async def edit_and_close():
        picture = static_picture.StaticPicture(bundle, lambda error: pytest.fail(str(error)))
        picture.show(None, "cell")
        picture.changed()
        picture.close()
        await asyncio.sleep(0.05)

    in_a_loop(edit_and_close())
    assert drawn == [1]


def test_what_is_none_is_named_beside_the_rest(browser):
    explorer = pdp.PriorExplorer(pdp.lsat6())
    try:
        sent = explorer.get_state(["_view"])["_view"]
        assert {"stopped", "running", "fault"} <= set(sent[NONE_KEY])
        assert sent["results"]["chosen"][NONE_KEY]
        assert NONE_KEY not in explorer._view
    finally:
        explorer.close()


def test_on_other_hosts_the_view_is_sent_as_it_is():
    explorer = pdp.PriorExplorer(pdp.lsat6())
    try:
        assert explorer.get_state(["_view"])["_view"] == explorer._view
    finally:
        explorer.close()
    assert not browser_kernel.in_browser()


def test_a_kernel_with_a_single_channel_is_asked_without_naming_one(monkeypatch):
    message = {"metadata": {"cellId": "abc"}, "header": {"msg_id": "1"}}
    shell = types.SimpleNamespace(kernel=types.SimpleNamespace(get_parent=lambda: message))
    monkeypatch.setattr(lifetime, "get_ipython", lambda: shell)
    assert lifetime.current_cell() == "abc"
