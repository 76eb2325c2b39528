"""Values of a live source: the next is asked for when the last ones have been released and shown."""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pdp_widgets.errors import LimitError, PdpError, StreamError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.widgets.browser_kernel import in_browser
from pdp_widgets.widgets.steps import LOCK
from pdp_widgets.widgets.stream_input import as_symbol

if TYPE_CHECKING:
    from pdp_widgets.widgets.stream_simulator import StreamSimulator


_END = object()
#: A view that plays is heard several times a second. After so many seconds of silence, and more where it
#: plays slowly, there is none.
_SILENCE = 2.0
#: Seconds between two looks at what may have changed without a word, and between two whole views.
_LOOK, _SHOW = 0.25, 1.0
#: Seconds that a source has to end, and to be closed.
_PATIENCE = 3.0


class StreamFeed:
    """Takes values from a source for as long as the simulator lives."""

    def __init__(self, simulator: StreamSimulator, values: AsyncIterator[Any], lag: int) -> None:
        self._simulator = weakref.ref(simulator)
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._lag = lag
        self._values = values
        self._came = 0
        self._heard = -math.inf
        self._shown = self._looked = time.monotonic()
        self.task = self._loop.create_task(self._run(), name="pdp-widgets-feed")
        self.task.add_done_callback(self._ended)

    def heard(self) -> None:
        """A view has said how far it is, or has asked for steps."""
        self._heard = time.monotonic()
        self.tell()

    def tell(self) -> None:
        """Something has changed that the source may have waited for; called from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._news.set)

    def end(self) -> None:
        """Take no more; called from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.task.cancel)

    def _ended(self, task: asyncio.Task[int]) -> None:
        # What went wrong is on screen: nobody has to ask the task for it.
        if not task.cancelled():
            task.exception()
        # A task that is cancelled before it has begun runs nothing of its own.
        self._close(None)

    async def _run(self) -> int:
        fault: PdpError | None = None
        left: PdpError | None = None
        pending: asyncio.Task[Any] | None = None
        try:
            while True:
                # Views are heard on this very loop: values that are always there must not keep it busy.
                self._news.clear()
                await asyncio.sleep(0)
                wanted = self._look()
                if wanted is None:
                    break
                if wanted and pending is None:
                    pending = self._loop.create_task(self._next())
                await self._news_or(pending)
                if pending is not None and pending.done():
                    done, pending = pending, None
                    value = done.result()
                    if value is _END or not self._take(value):
                        break
        except PdpError as error:
            fault = error
            raise
        finally:
            try:
                left = await self._leave(pending)
            finally:
                # What ended the source matters more than that it could not be closed.
                self._close(fault or left)
        if left is not None:
            raise left
        return self._came

    async def _next(self) -> Any:
        try:
            return await anext(self._values)
        except StopAsyncIteration:
            return _END
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as error:
            # A task that lets SystemExit or KeyboardInterrupt through ends the loop, and with it the kernel.
            came = "1 value" if self._came == 1 else f"{self._came:,} values"
            raise _failed(f"after {came}", error) from error

    async def _news_or(self, pending: asyncio.Task[Any] | None) -> None:
        """Wait for a value, for something that has changed, or a moment."""
        if pending is not None:
            # Most values are there at once.
            await asyncio.sleep(0)
            if pending.done():
                return
        news = self._loop.create_task(self._news.wait())
        try:
            both = {news} if pending is None else {news, pending}
            await asyncio.wait(both, timeout=_LOOK, return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()

    async def _leave(self, pending: asyncio.Task[Any] | None) -> PdpError | None:
        """End what is waited for, and the source; return what went wrong when it was closed."""
        if pending is not None:
            pending.cancel()
            await asyncio.wait({pending}, timeout=_PATIENCE)
            if not pending.done():
                return _failed("when it was to end", TimeoutError("it goes on; it is left alone"))
            if not pending.cancelled():
                pending.exception()
        close = getattr(self._values, "aclose", None)
        if close is None:
            return None
        ending = self._loop.create_task(_closed(close))
        try:
            await asyncio.wait({ending}, timeout=_PATIENCE)
        finally:
            # One that does not end is left alone.
            ending.cancel()
        error = await ending if ending.done() else TimeoutError("it does not end")
        return None if error is None else _failed("when it was closed", error)

    def _look(self) -> bool | None:
        """Release what nobody plays; tell whether a value is wanted, None where the simulator is gone."""
        simulator = self._simulator()
        if simulator is None or simulator._closed:
            return None
        with LOCK:
            core, watched = simulator._core, self._watched()
            if core.playing and not watched:
                self._release(simulator)
            self._show_now_and_then(simulator)
            return bool(core.playing and (watched is False or core.waiting < self._lag))

    def _watched(self) -> bool:
        """Tell whether a view plays what comes."""
        now = time.monotonic()
        # While the loop stood still nobody could be heard.
        still = now - self._looked
        if still > 2 * _LOOK:
            self._heard += still
        self._looked = now
        simulator = self._simulator()
        # A slow clock has little to tell.
        pace = 1.0 if simulator is None else simulator._core.speed
        return now - self._heard < max(_SILENCE, 1.0 + 2.0 / pace)

    def _take(self, value: Any) -> bool:
        simulator = self._simulator()
        if simulator is None or simulator._closed:
            return False
        with LOCK:
            core = simulator._core
            if core.script.steps >= core.most:
                raise LimitError(
                    f"The simulation is full after {core.most:,} values.", Where("parameter", name="source")
                )
            positions = {state: position for position, state in enumerate(core.chain.states)}
            self._came += 1
            core.put_value(as_symbol(value, positions, f"Value {self._came:,} of the source"))
            if core.playing and not self._watched():
                self._release(simulator)
        return True

    def _release(self, simulator: StreamSimulator) -> None:
        """Release what has come: nobody plays it."""
        if simulator._core.waiting:
            simulator._move(lambda: simulator._core.advance(simulator._core.waiting))

    def _show_now_and_then(self, simulator: StreamSimulator) -> None:
        now = time.monotonic()
        if now - self._shown >= _SHOW:
            self._shown = now
            simulator._show()

    def _close(self, fault: PdpError | None) -> None:
        simulator = self._simulator()
        if simulator is None or simulator._closed or simulator._feed is not self:
            return
        with LOCK:
            simulator._feed = None

            def close() -> None:
                core = simulator._core
                if core.playing and core.waiting and not self._watched():
                    core.advance(core.waiting)
                core.close_source(fault)

            simulator._step(close, browser=True)


async def _closed(close: Callable[[], Any]) -> BaseException | None:
    """Close a source; return what goes wrong."""
    try:
        closing = close()
        if inspect.isawaitable(closing):
            await closing
    except (asyncio.CancelledError, GeneratorExit):
        raise
    except BaseException as error:
        # A task that lets SystemExit or KeyboardInterrupt through ends the loop, and with it the kernel.
        return error
    return None


def _failed(when: str, error: BaseException) -> StreamError:
    words = str(error).strip()
    return StreamError(
        f"The source failed {when}: {type(error).__name__}{': ' if words else ''}{words}",
        Where("parameter", name="source"),
    )


async def _in_thread(values: Iterator[Any]) -> Any:
    """Return the next value of an iterator that may block, or raise StopAsyncIteration."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if not found.done():
            if error is None:
                found.set_result(value)
            else:
                found.set_exception(error)

    def read() -> None:
        value: Any = None
        error: BaseException | None = None
        try:
            value = next(values)
        except StopIteration:
            error = StopAsyncIteration()
        except BaseException as raised:
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, value, error)

    # Python does not wait for such a thread when it ends: a socket may stay silent for ever.
    threading.Thread(target=read, name="pdp-widgets-source", daemon=True).start()
    return await found


async def _from_iterable(source: Iterable[Any]) -> AsyncIterator[Any]:
    values = iter(source)
    # These never block; and in a browser there are no threads.
    at_once = in_browser() or isinstance(source, Sequence | np.ndarray)
    while True:
        try:
            value = next(values) if at_once else await _in_thread(values)
        except (StopIteration, StopAsyncIteration):
            return
        yield value


def check_loop() -> None:
    """Raise RuntimeError where nothing would read a source."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(
            "There is no running event loop, which reads the source. In a notebook: await "
            "simulator.feed(source). In a script: call it in a coroutine, such as async def main(): return "
            "await simulator.feed(source), and give that to asyncio.run(main())."
        ) from None


def as_values(source: Any) -> AsyncIterator[Any]:
    """Return an asynchronous iterator over a source, or raise StreamError."""
    if hasattr(source, "__aiter__"):
        try:
            return aiter(source)
        except Exception as error:
            raise _failed("before its first value", error) from error
    if isinstance(source, str | bytes | dict) or not isinstance(source, Iterable):
        raise StreamError(
            f"The source is {shown(source)}; give an asynchronous iterator of states, or an ordinary one.",
            Where("parameter", name="source"),
        )
    return _from_iterable(source)
