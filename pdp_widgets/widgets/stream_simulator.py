"""Release a correlated stream symbol by symbol, and see what each step leaks, and their sum so far."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from traitlets import Any as AnyValue
from traitlets import Bool, Float, Int, Tuple, Unicode

from pdp_widgets.core.amounts import SEED
from pdp_widgets.core.converters import as_generator
from pdp_widgets.core.results import Figures, plotted
from pdp_widgets.errors import PdpError, StreamError, Where
from pdp_widgets.leakage.sequence.run_frame import run_figures, sums_chart
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.mechanisms.sequence.distances import Distance
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.models.stream_data import StreamData
from pdp_widgets.widgets.computed_beside import Awaited, ComputedBeside
from pdp_widgets.widgets.running import Work
from pdp_widgets.widgets.steps import LOCK
from pdp_widgets.widgets.stream_feed import StreamFeed, as_values, check_loop
from pdp_widgets.widgets.stream_held_run import RunInputs, run_for
from pdp_widgets.widgets.stream_input import as_lag, as_position, as_words, chain_and_data
from pdp_widgets.widgets.stream_state import StreamState
from pdp_widgets.widgets.stream_views import chunk_parts, stream_embedded, stream_view
from pdp_widgets.widgets.wire import is_stamp

__all__ = ["StreamSimulator"]

#: Steps that are sent at once.
_MOST_SENT = 2000


class StreamSimulator(ComputedBeside):
    """A stream of correlated symbols, up to four mechanisms that release it, and what each of them leaks.

    It plays where it is displayed. What is edited meanwhile counts from the next step on.

    Parameters
    ----------
    value
        The law of the stream, which the adversary knows: a `MarkovChain` of at most 100 states, or a
        transition matrix. `StreamData` of one stream are released themselves, and their frequencies, which
        ``smoothing`` smooths by default, are the law: the guarantee does not cover that, and the view says
        so.
    epsilon
        What is promised for each step, in nats, 0 to infinity.
    lanes
        One to four mechanisms by key, see `sequence_mechanism_named`: ``"crr"``, ``"optimum"``,
        ``"crr_balanced"``, ``"crr_trimmed"``, ``"crr_shrunk"``, ``"grr"``, ``"grr2"``, ``"temporal_safe"``,
        ``"mip"``. All see the same symbols and random numbers. Without it the printed one beside one that
        keeps its promise.
    steps
        How many steps are released when it opens. Without it up to 60: it opens at the last of them at which
        a mechanism leaks more than it promises, if there is one. Of data the first 60, or all.
    delta
        Probability with which advanced composition may be passed.
    distance
        What errors are counted in: a `Distance`, or its name.
    data
        States that are released one after the other in place of drawn ones, or `StreamData` of one stream.
    smoothing
        With `StreamData` as value, how its frequencies are smoothed, see `MarkovChain.from_streams`.
    rng
        A seed, or a generator that a seed is drawn from; without it a fresh one.
    disabled, layout
        As for every widget.

    Attributes
    ----------
    value, epsilon, lanes, delta, distance, seed
        The last inputs that made sense; assign to change them. A chain with the same states, and a budget,
        count from the next step on; a seed, a distance and lanes run the whole stream again, a long one
        beside what the kernel does, see `wait`.
    position
        How many steps have been released; assign to go on, or back. The chain and the budget stay.
    playing, speed
        Whether it plays, and steps a second.
    current
        Whether the run belongs to what stands in the controls.

    Raises
    ------
    PdpError
        An input is wrong; the message names it and says what is accepted.

    Notes
    -----
    Jiang, Li and Tandon. The leakage of a step is achieved, computed from the matrix that releases it, and
    never the budget alone. The page holds the last steps, Python the whole record.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> stream = StreamSimulator(MarkovChain.symmetric(0.6), 0.5, rng=10, steps=44)
    >>> stream.value = MarkovChain.symmetric(0.9)
    >>> stream.run(6)
    >>> print(stream.results.largest("crr"))
    0.954393 nats (exact): step 50, after the releases so far
    """

    _module = "stream_simulator"
    _panels: ClassVar = {
        "lanes": "What leaks",
    }
    _picture_name = "stream.svg"

    _set_afterwards = MappingProxyType({"rng": "seed", "steps": "position"})

    _core: StreamState
    value = AnyValue()
    epsilon = Float(1.0)
    lanes = Tuple()
    delta = Float(1e-5)
    distance = Unicode("hamming")
    seed = Int(0)
    position = Int(0)
    playing = Bool(False)
    speed = Float(10.0)

    def __init__(
        self,
        value: MarkovChain | StreamData | Any,
        epsilon: float = 1.0,
        lanes: str | Iterable[str] | None = None,
        steps: int | None = None,
        delta: float = 1e-5,
        distance: str | Distance = "hamming",
        data: Any = None,
        *,
        smoothing: str | float | None = None,
        rng: np.random.Generator | int | None = None,
        disabled: bool = False,
        layout: Any = None,
    ) -> None:
        seed = _seed_of(rng)
        chain, states, text, note = chain_and_data(value, data, smoothing)
        self._core = StreamState(chain, epsilon, lanes, steps, delta, distance, seed, states, text, note)
        self._feed: StreamFeed | None = None
        super().__init__(disabled=disabled, layout=layout)

    def _work(self, now: Awaited[RunInputs]) -> Work:
        return partial(run_for, now.inputs)

    def _subject(self) -> Any:
        return self._core.chain.states, self._core.chain.order

    def _values(self) -> dict[str, Any]:
        core, told = self._core, self._core.told
        chain, lanes, distance, seed, position = (
            (core.chain, core.lanes, core.distance, core.seed, None)
            if told is None
            # What was set reads back, though its run is not there yet.
            else (told.chain or core.chain, told.lanes, told.script.distance, told.script.seed, told.goal)
        )
        return {
            "value": chain,
            "epsilon": core.epsilon,
            "lanes": lanes,
            "delta": core.delta,
            "distance": "hamming" if distance is None else distance.name,
            "seed": seed,
            "position": core.position if position is None else position,
            "playing": core.playing,
            "speed": core.speed,
            "busy": core.running is not None,
        }

    def _shown(self) -> dict[str, Any]:
        return stream_view(self._core)

    def _input_fault(self) -> PdpError | None:
        return self._core.fault or self._core.source_fault

    def _embedded(self) -> dict[str, Any]:
        return stream_embedded(self._core)

    def _handle_custom_msg(self, content: Any, buffers: Any) -> None:
        super()._handle_custom_msg(content, buffers)
        if not isinstance(content, dict) or self._closed:
            return
        with LOCK:
            self._hear_steps(content.get("steps"))
            self._hear_at(content.get("at"))

    def _hear_steps(self, wanted: Any) -> None:
        """Send steps to the views that lack them."""
        core = self._core
        if not isinstance(wanted, dict) or wanted.get("run") != core.number:
            return
        if self._feed is not None:
            self._feed.heard()
        asked = wanted.get("from"), wanted.get("count")
        if not all(is_stamp(part) for part in asked):
            return
        first, count = (int(part) for part in asked if part is not None)
        if first > core.run.steps:
            return
        count = min(count, _MOST_SENT)
        # Where nothing can be edited, nothing is released either.
        there = (
            max(0, min(first + count, core.position) - first)
            if self.disabled
            else core.prepared(first, count)
        )
        record = core.run.record(first, there, delta=core.delta)
        head = {"run": core.number, "from": first, "count": there, "lanes": len(core.lanes)}
        self.send({"steps": head}, chunk_parts(record, core.chain.n))

    def _hear_at(self, at: Any) -> None:
        """Take how far a view has shown the run."""
        if not isinstance(at, dict) or at.get("run") != self._core.number or self.disabled:
            return
        self._move(lambda: self._core.shown_elsewhere(at.get("run"), at.get("position")))
        if self._feed is not None:
            self._feed.heard()

    def _move(self, change: Callable[[], object]) -> None:
        """Let the run be shown further; tell observers and views how far, where that is news."""
        before = self._core.position
        # Not a whole view: it comes several times a second.
        self._show(change, view=False)
        if self._core.position == before:
            return
        self.send({"at": {"run": self._core.number, "position": self._core.position}})
        self._picture.changed()

    def _taken(self) -> None:
        super()._taken()
        if self._feed is not None:
            self._feed.tell()

    def _dispose(self) -> None:
        feed = self.__dict__.get("_feed")
        if feed is not None:
            feed.end()
        super()._dispose()

    # Time

    def run(self, steps: int) -> None:
        """Release more steps at once.

        Parameters
        ----------
        steps
            How many. Data may end before; then as many as there are.

        Raises
        ------
        LimitError
            A simulation has not so many steps left; nothing is released then.
        """
        more = as_position(steps, self._core.most_steps)
        self._step(lambda: self._busily(lambda: self._core.advance(more)))

    def reset(self) -> None:
        """Go back to the beginning, with the chain and the budget that hold now."""
        self._step(self._core.restart)

    def play(self) -> None:
        """Let the page play it, where it is displayed."""
        self.playing = True

    def pause(self) -> None:
        """Let the page stop playing it."""
        self.playing = False

    def feed(self, source: Any, *, lag: int = 20, text: str = "live") -> asyncio.Task[int]:
        """Release the values of a live source, such as a sensor or a socket, one by one as they come.

        The stream begins anew, and plays; the law of the stream, budget and mechanisms stay. The next value
        is asked for when the last ones were released: at once, or, where a view plays the stream, when it
        has shown all but ``lag`` of them. While the stream is paused nothing is asked for.

        Parameters
        ----------
        source
            An asynchronous iterator of states, or an ordinary one, which is read on a thread of its own.
        lag
            How many values may wait to be shown.
        text
            What the source is, in words.

        Returns
        -------
        asyncio.Task
            Ends with the source, and returns how many values came; cancel it to end it earlier. What was
            released stays. It fails with what ends the source too early, and the view shows that.

        Raises
        ------
        StreamError
            There is no such source, or another one is read.
        RuntimeError
            No event loop runs, as in a script without ``asyncio.run``.

        Notes
        -----
        From a queue, and from lines of a socket::

            async def values(queue):
                while (value := await queue.get()) is not None:
                    yield value

            async def lines(host, port):
                reader, writer = await asyncio.open_connection(host, port)
                async for line in reader:
                    yield line.decode().strip()

            task = simulator.feed(values(queue), text="door sensor")

        Examples
        --------
        >>> import asyncio
        >>> from pdp_widgets import MarkovChain
        >>> stream = StreamSimulator(MarkovChain.symmetric(0.9, ["dry", "wet"]), 0.5, rng=10)
        >>> async def released():
        ...     return await stream.feed(iter(["dry", "dry", "wet"]))
        >>> asyncio.run(released()), stream.position
        (3, 3)
        """
        self._check_open("feed")
        if self._feed is not None:
            raise StreamError(
                "A source is read already; cancel its task first.", Where("parameter", name="source")
            )
        most, words = as_lag(lag), as_words(text)
        check_loop()
        values = as_values(source)
        # A callback of the user's that fails meanwhile is shown; the source is read all the same.
        refused = self._step(lambda: self._core.open_source(words), browser=True)
        if refused is not None:
            raise refused
        self._feed = StreamFeed(self, values, max(1, most))
        return self._feed.task

    # Results

    def _figures(self, core: Any) -> Figures:
        found = run_figures(core.results, core.delta)
        # The lanes are those on the screen.
        return {name: made for name, made in found.items() if name not in self._panels}

    @property
    def results(self) -> StreamRun:
        """All steps that have been released; what Python has set is waited for, see `wait`."""
        core: StreamState = self._state()
        return core.results

    def _state(self) -> Any:
        """Return the state as it is between two steps, with what Python has set."""
        if self._core.told is not None:
            self.wait()
        return super()._state()

    def to_dataframe(self) -> Any:
        """Return one row for each step and mechanism, see `StreamRun.to_dataframe`."""
        core = self._state()
        return core.results.to_dataframe(core.delta)

    def to_networkx(self) -> Any:
        """Return a ``networkx.DiGraph`` of the chain, with the probability of each transition."""
        return self._state().chain.to_networkx()

    def plot(self) -> Any:
        """Return a bqplot figure: the sum of step leakages, a bound, against what was promised."""
        core = self._state()
        return plotted(sums_chart(core.results, core.delta, core.lines))


def _seed_of(rng: Any) -> int:
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool):
        return SEED.take(rng, "seed")
    return int(as_generator(rng).integers(2**31))
