"""Live sources that raise, never end, cannot be stopped or closed, or deliver when nobody listens."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from pdp_widgets import MarkovChain, StreamError, StreamSimulator
from pdp_widgets.widgets import stream_feed

from .own_loop import run

CHAIN = MarkovChain.symmetric(0.9, ["dry", "wet"])


@pytest.fixture
def sim(monkeypatch: pytest.MonkeyPatch) -> StreamSimulator:
    monkeypatch.setattr(stream_feed, "_PATIENCE", 0.1)
    return StreamSimulator(CHAIN, 0.5, rng=10, steps=0)


class Source:
    """An asynchronous iterator, as the user may write one."""

    def __aiter__(self) -> AsyncIterator[Any]:
        return self  # type: ignore[return-value]


class Stubborn(Source):
    """It goes on when it is cancelled, for as long as the test runs."""

    def __init__(self) -> None:
        self.stopped = asyncio.Event()

    async def __anext__(self) -> str:
        while not self.stopped.is_set():
            try:
                await self.stopped.wait()
            except asyncio.CancelledError:
                continue
        return "wet"


class Delivering(Source):
    """It answers a cancellation with a value."""

    def __init__(self) -> None:
        self.closed = False
        self.asked = 0

    async def __anext__(self) -> str:
        self.asked += 1
        if self.asked == 1:
            return "dry"
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return "wet"

    async def aclose(self) -> None:
        self.closed = True


class Unclosable(Source):
    """It has a wrong value, and closing it takes for ever."""

    async def __anext__(self) -> str:
        return "hail"

    async def aclose(self) -> None:
        await asyncio.Event().wait()


class Unbegun:
    def __aiter__(self) -> Any:
        raise RuntimeError("the cable is not plugged in")


async def until(done: Any) -> None:
    async with asyncio.timeout(20):
        while not done():
            await asyncio.sleep(0.005)


def test_a_source_that_goes_on_when_it_is_to_end_is_left_alone(sim: StreamSimulator) -> None:
    async def main() -> None:
        source = Stubborn()
        task = sim.feed(source)
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 20)
        assert not sim._core.live
        # Another one can be read, though the first delivers meanwhile.
        source.stopped.set()
        assert await sim.feed(iter(["dry", "dry"])) == 2

    run(main())
    assert sim.position == 2
    assert sim.error is None


def test_what_comes_after_the_end_is_not_released(sim: StreamSimulator) -> None:
    async def main() -> Delivering:
        source = Delivering()
        task = sim.feed(source)
        await until(lambda: sim.position == 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.02)
        return source

    source = run(main())
    assert (source.closed, source.asked, sim.position) == (True, 2, 1)


def test_a_simulator_that_is_closed_takes_nothing_more(sim: StreamSimulator) -> None:
    async def main() -> None:
        source = Delivering()
        task = sim.feed(source)
        await until(lambda: sim.position == 1)
        sim.close()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 20)
        assert source.closed

    run(main())
    assert sim.results.steps == 1


def test_a_source_that_cannot_be_closed_hides_no_wrong_value(sim: StreamSimulator) -> None:
    async def main() -> None:
        with pytest.raises(StreamError, match="Value 1 of the source is 'hail'"):
            await asyncio.wait_for(sim.feed(Unclosable()), 20)

    run(main())
    assert "hail" in (sim.error or "")
    assert not sim._core.live


def test_a_source_that_is_never_closed_is_told(sim: StreamSimulator) -> None:
    class Short(Unclosable):
        async def __anext__(self) -> str:
            raise StopAsyncIteration

    async def main() -> None:
        with pytest.raises(StreamError, match="failed when it was closed: TimeoutError: it does not end"):
            await asyncio.wait_for(sim.feed(Short()), 20)

    run(main())


def test_a_source_that_cannot_begin_changes_nothing(sim: StreamSimulator) -> None:
    sim.run(5)

    async def main() -> None:
        with pytest.raises(StreamError, match="failed before its first value: RuntimeError: the cable"):
            sim.feed(Unbegun())

    run(main())
    assert sim.position == 5
    assert sim._view["source"]["kind"] == "chain"


def test_a_setting_while_values_come_loses_none(sim: StreamSimulator) -> None:
    async def values() -> AsyncIterator[str]:
        for _ in range(20):
            await asyncio.sleep(0.002)
            yield "wet"

    async def main() -> int:
        task = sim.feed(values())
        await until(lambda: sim.position >= 3)
        sim.seed, sim.lanes, sim.epsilon = 6, ["grr", "crr_balanced"], 1.0
        return await asyncio.wait_for(task, 20)

    assert run(main()) == sim.position == sim.results.steps == 20
    assert (sim.seed, sim.lanes, sim.results.script.seed) == (6, ("grr", "crr_balanced"), 6)
    assert set(sim.results.record().symbols.tolist()) == {1}
