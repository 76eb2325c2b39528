"""Live sources: values come when they are wanted, what is wrong ends them in plain words, none is lost."""

from __future__ import annotations

import asyncio
import gc
import itertools
import weakref
from collections.abc import AsyncIterator, Iterator
from typing import Any

import numpy as np
import pytest

from pdp_widgets import LimitError, MarkovChain, StreamError, StreamSimulator
from pdp_widgets.leakage.sequence import stream_script
from pdp_widgets.streams import StreamRun
from pdp_widgets.widgets import stream_feed

from .conftest import Ask
from .own_loop import no_loop, run

CHAIN = MarkovChain.symmetric(0.9, ["dry", "wet"])
VALUES = ["dry", "wet", "wet", "dry", "dry", "wet"]


@pytest.fixture
def sim() -> StreamSimulator:
    return StreamSimulator(CHAIN, 0.5, rng=10)


async def slowly(values: list[str], taken: list[str] | None = None) -> AsyncIterator[str]:
    for value in values:
        await asyncio.sleep(0)
        if taken is not None:
            taken.append(value)
        yield value


def endless(taken: list[int]) -> Iterator[str]:
    for k in itertools.count():
        taken.append(k)
        yield "dry"


async def until(done: Any, seconds: float = 20.0) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not done():
        assert loop.time() < end, "it takes too long"
        await asyncio.sleep(0.01)


def at(sim: StreamSimulator, position: int) -> None:
    content = {"at": {"run": sim._core.number, "position": position}}
    sim.comm.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


def steps(sim: StreamSimulator, first: int, count: int = 60) -> None:
    content = {"steps": {"run": sim._core.number, "from": first, "count": count}}
    sim.comm.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


@pytest.mark.parametrize(
    "source",
    [
        lambda: slowly(VALUES),
        lambda: VALUES,
        lambda: iter(VALUES),
        lambda: np.array(VALUES),
        lambda: tuple(VALUES),
    ],
    ids=["async", "list", "iterator", "array", "tuple"],
)
def test_without_a_view_values_are_released_as_they_come(sim: StreamSimulator, source: Any) -> None:
    async def main() -> int:
        return await sim.feed(source(), text="door sensor")

    assert run(main()) == 6
    assert sim.position == sim.results.steps == 6
    assert [CHAIN.states[k] for k in sim.results.record().symbols] == VALUES
    source = {"kind": "data", "text": "door sensor", "note": "", "steps": 6, "waiting": None}
    assert sim._view["source"] == source
    assert not sim.playing
    assert sim.error is None
    # What is released is what the same data release when they are there at once.
    whole = StreamSimulator(CHAIN, 0.5, data=VALUES, rng=10)
    assert sim.to_dataframe().equals(whole.to_dataframe())


def test_while_it_runs_the_view_says_that_it_is_live(sim: StreamSimulator) -> None:
    async def main() -> None:
        queue: asyncio.Queue[str] = asyncio.Queue()

        async def values() -> AsyncIterator[str]:
            while True:
                yield await queue.get()

        task = sim.feed(values())
        assert sim._view["source"]["kind"] == "live"
        assert sim._view["source"]["steps"] is None
        assert sim._view["most"] == 100_000
        assert (sim.playing, sim.position) == (True, 0)
        for value in VALUES[:3]:
            queue.put_nowait(value)
        await until(lambda: sim.position == 3)
        assert not task.done()
        # The law and the budget can be edited meanwhile.
        sim.epsilon = 1.0
        queue.put_nowait("wet")
        await until(lambda: sim.position == 4)
        assert sim.results.promises().tolist() == [0.5, 0.5, 0.5, 1.0]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main())
    assert sim.position == 4
    assert sim._view["source"]["kind"] == "data"
    assert sim.error is None


def test_a_view_that_plays_bounds_how_much_is_asked_for(sim: StreamSimulator) -> None:
    taken: list[int] = []

    async def main() -> None:
        task = sim.feed(slowly(["dry"] * 1000, taken), lag=5)
        # A view asks for steps before any value has come.
        steps(sim, 0)
        await until(lambda: sim._core.waiting == 5)
        steps(sim, 0)
        await asyncio.sleep(0.1)
        assert (len(taken), sim.position) == (5, 0)
        at(sim, 3)
        await until(lambda: len(taken) == 8)
        await asyncio.sleep(0.05)
        assert (len(taken), sim.position, sim._core.waiting) == (8, 3, 5)
        # It is told now and then how many wait.
        sim._show()
        assert sim._view["source"]["waiting"] == 5
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main())
    # What has come and was not shown can still be released.
    assert sim._view["most"] == 8
    sim.run(100)
    assert sim.position == 8


def test_a_view_that_is_gone_holds_nothing_up(sim: StreamSimulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_feed, "_SILENCE", 0.3)

    async def main() -> int:
        task = sim.feed(slowly(["dry"] * 50), lag=5)
        steps(sim, 0)
        return await task

    assert run(main()) == 50
    assert sim.position == 50


def test_a_view_that_plays_slowly_is_waited_for(sim: StreamSimulator) -> None:
    taken: list[str] = []
    sim.speed = 0.5

    async def main() -> None:
        task = sim.feed(slowly(["dry"] * 50, taken), lag=2)
        steps(sim, 0)
        await until(lambda: len(taken) == 2)
        await asyncio.sleep(2.6)
        assert (len(taken), sim.position) == (2, 0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main())


def test_a_paused_stream_asks_for_nothing(sim: StreamSimulator) -> None:
    taken: list[int] = []

    async def main() -> None:
        task = sim.feed(endless(taken))
        await until(lambda: sim.position > 5)
        sim.pause()
        await asyncio.sleep(0.1)
        held = len(taken)
        await asyncio.sleep(0.4)
        assert len(taken) == held
        sim.play()
        await until(lambda: len(taken) > held + 3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main())
    assert sim.position in (len(taken) - 1, len(taken))


@pytest.mark.parametrize(
    ("values", "words", "kept"),
    [
        (["dry", "fog", "wet"], "Value 2 of the source is 'fog', which is no state of the chain", 1),
        (["dry", "dry", ["wet"]], "Value 3 of the source is", 2),
        ([None], "Value 1 of the source is None", 0),
    ],
)
def test_an_unknown_state_is_refused_by_name_and_step(
    sim: StreamSimulator, values: list[Any], words: str, kept: int
) -> None:
    async def main() -> None:
        await sim.feed(values)

    with pytest.raises(StreamError, match=words):
        run(main())
    assert words in (sim.error or "")
    assert sim.position == kept
    assert not sim.playing
    # The next source begins anew, and the message goes.
    run(feeding(sim, VALUES))
    assert sim.error is None
    assert sim.position == 6


async def feeding(sim: StreamSimulator, source: Any) -> int:
    return await sim.feed(source)


def test_a_page_that_tells_where_it_stands_does_not_hide_the_message(sim: StreamSimulator, ask: Ask) -> None:
    with pytest.raises(StreamError, match="'fog'"):
        run(feeding(sim, ["dry", "fog"]))
    ask(sim, position=1, playing=False)
    assert "'fog'" in (sim.error or "")
    assert sim.current
    ask(sim, epsilon=0.7)
    assert sim.error is None


def test_a_source_that_fails_is_told_in_plain_words(sim: StreamSimulator) -> None:
    def broken() -> Iterator[str]:
        yield "dry"
        yield "wet"
        raise OSError("the cable is cut")

    with pytest.raises(StreamError, match="failed after 2 values: OSError: the cable is cut"):
        run(feeding(sim, broken()))
    assert "the cable is cut" in (sim.error or "")
    assert sim.position == 2
    sim.epsilon = 1.0
    assert sim.error is None


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("live", [False, True], ids=["ordinary", "asynchronous"])
def test_a_source_that_wants_to_end_the_program_ends_itself(
    sim: StreamSimulator, kind: type[BaseException], live: bool
) -> None:
    def ordinary() -> Iterator[str]:
        yield "dry"
        raise kind("enough")

    async def asynchronous() -> AsyncIterator[str]:
        yield "dry"
        raise kind("enough")

    async def main() -> None:
        task = sim.feed(asynchronous() if live else ordinary())
        with pytest.raises(StreamError, match=f"failed after 1 value: {kind.__name__}: enough"):
            await task
        # The loop still runs: another source can be read.
        assert "enough" in (sim.error or "")
        assert await sim.feed(VALUES) == 6

    run(main())


class Closing:
    """A source of given values whose end can be made to fail."""

    def __init__(self, values: list[str], fault: BaseException | None, waits: bool) -> None:
        self.values, self.fault, self.waits = iter(values), fault, waits

    def __aiter__(self) -> Closing:
        return self

    async def __anext__(self) -> str:
        for value in self.values:
            return value
        raise StopAsyncIteration

    def aclose(self) -> Any:
        if self.waits:
            return self.later()
        if self.fault:
            raise self.fault
        return None

    async def later(self) -> None:
        if self.fault:
            raise self.fault


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("fault", [OSError("port gone"), SystemExit("port gone")])
def test_a_source_that_cannot_be_closed_hides_no_other_fault(
    sim: StreamSimulator, fault: BaseException, waits: bool
) -> None:
    with pytest.raises(StreamError, match="'fog'"):
        run(feeding(sim, Closing(["dry", "fog"], fault, waits)))
    assert "'fog'" in (sim.error or "")
    with pytest.raises(StreamError, match=r"failed when it was closed: .*port gone"):
        run(feeding(sim, Closing(VALUES, fault, waits)))
    assert "port gone" in (sim.error or "")
    assert sim.position == 6


def test_a_source_may_be_closed_without_waiting(sim: StreamSimulator) -> None:
    assert run(feeding(sim, Closing(VALUES, None, False))) == 6
    assert sim.error is None


@pytest.mark.parametrize("lag", [-1, 1.5, True, "five", 10**7])
def test_a_wrong_lag_is_named(sim: StreamSimulator, lag: Any) -> None:
    async def main() -> None:
        with pytest.raises(StreamError, match=r"The lag is .*; give a whole number of values, 0 to"):
            sim.feed(VALUES, lag=lag)

    run(main())
    assert sim._view["source"]["kind"] == "chain"


@pytest.mark.parametrize("text", [None, 7, b"door", ["door"], True])
def test_a_text_that_is_none_is_named(sim: StreamSimulator, text: Any) -> None:
    async def main() -> None:
        with pytest.raises(StreamError, match=r"The text is .*; say in words what the source is"):
            sim.feed(VALUES, text=text)

    run(main())
    assert sim._view["source"]["kind"] == "chain"


@pytest.mark.parametrize("source", [None, 7, "dry", b"dry", {"dry": 1}, object()])
def test_what_is_no_source_is_refused_and_nothing_changes(sim: StreamSimulator, source: Any) -> None:
    frame = sim.to_dataframe()
    with pytest.raises(StreamError, match="give an asynchronous iterator of states"):
        run(feeding(sim, source))
    assert sim.to_dataframe().equals(frame)
    assert sim._view["source"]["kind"] == "chain"


def test_two_sources_at_once_are_refused(sim: StreamSimulator) -> None:
    async def main() -> None:
        task = sim.feed(endless([]))
        with pytest.raises(StreamError, match="read already"):
            sim.feed(VALUES)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await sim.feed(VALUES) == 6

    run(main())


def test_without_a_loop_there_is_a_clear_error(sim: StreamSimulator) -> None:
    with (
        no_loop(),
        pytest.raises(
            RuntimeError, match=r"no running event loop.*await simulator.feed.*asyncio.run\(main\(\)\)"
        ),
    ):
        sim.feed(VALUES)
    assert sim._view["source"]["kind"] == "chain"


def test_closing_ends_the_source_and_frees_the_simulator(sim: StreamSimulator) -> None:
    ended: list[str] = []

    async def values() -> AsyncIterator[str]:
        try:
            while True:
                await asyncio.sleep(0.01)
                yield "dry"
        finally:
            ended.append("closed")

    async def main() -> Any:
        other = StreamSimulator(CHAIN, 0.5, rng=10)
        alive = weakref.ref(other)
        task = other.feed(values())
        await until(lambda: alive().position > 2)
        other.close()
        del other
        with pytest.raises(asyncio.CancelledError):
            await task
        return alive

    alive = run(main())
    gc.collect()
    assert alive() is None
    assert ended == ["closed"]


def test_a_simulator_that_nobody_holds_ends_its_source() -> None:
    async def main() -> None:
        task = StreamSimulator(CHAIN, 0.5, rng=10).feed(slowly(["dry"] * 10**6))
        await asyncio.sleep(0.05)
        gc.collect()
        await asyncio.wait([task], timeout=5)
        assert task.done()

    run(main())


def test_lanes_that_take_long_lose_no_value(ask: Ask) -> None:
    sim = StreamSimulator(MarkovChain(np.full((3, 3), 1 / 3)), 0.7, "crr", rng=0)

    async def main() -> None:
        queue: asyncio.Queue[int] = asyncio.Queue()

        async def values() -> AsyncIterator[int]:
            while (value := await queue.get()) >= 0:
                yield value

        task = sim.feed(values())
        for k in range(200):
            queue.put_nowait(k % 3)
        await until(lambda: sim.position == 200)
        ask(sim, lanes=["optimum", "crr"], playing=True)
        assert sim.busy
        for k in range(20):
            queue.put_nowait(k % 3)
        await until(lambda: not sim.busy)
        sim.play()
        queue.put_nowait(-1)
        assert await task == 220

    run(main())
    assert sim.lanes == ("optimum", "crr")
    assert sim.results.steps == 220
    assert np.array_equal(sim.results.record().symbols[200:], np.arange(20) % 3)


def test_a_reset_plays_again_what_has_come(sim: StreamSimulator) -> None:
    async def main() -> None:
        queue: asyncio.Queue[str | None] = asyncio.Queue()

        async def values() -> AsyncIterator[str]:
            while (value := await queue.get()) is not None:
                yield value

        task = sim.feed(values())
        for value in VALUES:
            queue.put_nowait(value)
        await until(lambda: sim.position == 6)
        sim.reset()
        await until(lambda: sim.position == 6)
        queue.put_nowait("wet")
        queue.put_nowait(None)
        assert await task == 7

    run(main())
    assert [CHAIN.states[k] for k in sim.results.record().symbols] == [*VALUES, "wet"]


def test_a_full_simulation_ends_the_source(sim: StreamSimulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_script, "MOST_STEPS", 30)
    with pytest.raises(LimitError, match="full after 30 values"):
        run(feeding(sim, ["dry"] * 40))
    assert sim.position == 30
    assert "full after 30 values" in (sim.error or "")


def test_a_failing_observer_does_not_end_the_source(sim: StreamSimulator) -> None:
    def fails(_: Any) -> None:
        raise RuntimeError("no room")

    sim.observe(fails, "position")
    assert run(feeding(sim, VALUES)) == 6
    assert sim.position == 6


def test_many_values_are_kept_compactly(sim: StreamSimulator) -> None:
    assert run(feeding(sim, ["dry", "wet"] * 700)) == 1400
    expected = StreamRun.of(CHAIN, 0.5, None, 0, seed=10)
    assert sim.results.mechanisms.keys() == expected.mechanisms.keys()
    assert len(sim.results._symbols) < 1400 / 30
    whole = StreamSimulator(CHAIN, 0.5, data=["dry", "wet"] * 700, steps=1400, rng=10)
    assert sim.to_dataframe().equals(whole.to_dataframe())
