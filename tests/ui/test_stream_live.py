"""A live source before a browser: what is on screen says how far it is, and the source waits for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

from playwright.sync_api import expect

from pdp_widgets import MarkovChain, StreamSimulator
from tests.ui.bridge import Bridge
from tests.ui.hands import until

CHAIN = MarkovChain.symmetric(0.9, ["dry", "wet"])


async def sensor(taken: list[int], pause: float) -> AsyncIterator[str]:
    while True:
        await asyncio.sleep(pause)
        taken.append(len(taken))
        yield "wet" if len(taken) % 7 < 3 else "dry"


def ended(bridge: Bridge, task: asyncio.Task[Any]) -> None:
    """Wait until a source is no longer read."""
    until(bridge, task.done)


def test_a_fast_source_waits_for_what_is_on_screen(bridge: Bridge) -> None:
    stream = StreamSimulator(CHAIN, 0.5, rng=10, steps=0)
    stream.speed = 20.0
    view = bridge.show(stream)
    bridge.settle()
    taken: list[int] = []
    task = stream.feed(sensor(taken, 0.001), lag=10, text="door sensor")
    # Until the view is heard, values are released as they come.
    bridge.page.wait_for_timeout(1000)
    begun, before = time.monotonic(), stream.position
    bridge.page.wait_for_timeout(1000)
    # Of hundreds of values a second no more than 20 are shown from then on, and a few wait.
    assert 10 <= stream.position <= before + 20 * (time.monotonic() - begun) + 11
    assert len(taken) - stream.position <= 11
    expect(view.root.locator(".sx-source")).to_contain_text("Released as it comes: door sensor.")
    held = len(taken)
    view.root.get_by_role("button", name="Pause", exact=True).click()
    bridge.page.wait_for_timeout(400)
    paused = len(taken)
    assert paused - held <= 25
    bridge.page.wait_for_timeout(400)
    assert len(taken) == paused
    view.root.get_by_role("button", name="Play", exact=True).click()
    until(bridge, lambda: len(taken) > paused + 20)
    task.cancel()
    ended(bridge, task)
    assert task.cancelled()
    bridge.settle()
    expect(view.root.locator(".sx-source")).to_contain_text("Released: door sensor.")
    expect(view.root.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_slow_source_is_waited_for_in_words(bridge: Bridge) -> None:
    stream = StreamSimulator(CHAIN, 0.5, rng=10, steps=0)
    stream.speed = 100.0
    view = bridge.show(stream)
    bridge.settle()
    taken: list[int] = []
    task = stream.feed(sensor(taken, 0.6), text="door sensor")
    # What Python says reaches the page while the page is waited for here, and not while it is looked at.
    seen = False
    for _ in range(160):
        bridge.page.wait_for_timeout(50)
        seen = seen or "Waiting for the source." in view.root.inner_text()
        if seen and stream.position >= 2:
            break
    assert seen
    assert stream.position >= 2
    assert len(taken) - stream.position <= 1
    task.cancel()
    ended(bridge, task)
    bridge.settle()
    expect(view.root).not_to_contain_text("Waiting for the source.")


def test_a_source_that_fails_is_told_on_screen(bridge: Bridge) -> None:
    stream = StreamSimulator(CHAIN, 0.5, rng=10, steps=0)
    view = bridge.show(stream)
    bridge.settle()

    async def broken() -> AsyncIterator[str]:
        yield "dry"
        yield "fog"

    task = stream.feed(broken())
    ended(bridge, task)
    bridge.settle()
    assert task.done()
    # What the page answers to the end of the source does not hide what it was.
    bridge.page.wait_for_timeout(500)
    bridge.settle()
    expect(view.root).to_contain_text("Value 2 of the source is 'fog'")
    assert stream.position <= 1
