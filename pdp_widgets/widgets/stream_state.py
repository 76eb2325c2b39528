"""The stream simulator without a screen: its inputs, and the run of the last inputs that made sense."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import ChainError, PdpError, Where
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU, as_lanes, default_lanes
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.stream_script import StreamScript
from pdp_widgets.mechanisms.local.parameters import as_delta, as_epsilon
from pdp_widgets.mechanisms.sequence.distances import Distance
from pdp_widgets.models.labels import shown
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.widgets.computed_beside import LONG, Awaited
from pdp_widgets.widgets.late import new_number
from pdp_widgets.widgets.stream_input import as_chain, as_distance, as_position, as_seed, as_speed, as_symbols
from pdp_widgets.widgets.stream_run_inputs import RunInputs, run_for
from pdp_widgets.widgets.wire import as_flag, floats, number, sent_flag, sent_position, sent_text

__all__ = ["StreamState"]

#: Steps that are released when nothing is said.
_FIRST = 60
#: Values of a source that there is room for at first.
_BUFFER = 1024
#: Parts of a request that are edits.
_EDITED = {"start", "transitions", "epsilon", "delta", "seed", "distance", "lanes", "speed"}


class StreamState:
    """Inputs and run of a stream simulator.

    Every input has what was asked for and the last value that made sense; the run is that of the latter.

    Parameters
    ----------
    chain
        The law of the stream.
    epsilon
        What is promised for each step, in nats.
    lanes
        Keys of one to four mechanisms; None for the printed one beside one that keeps its promise.
    steps
        How many are released at first; None for 60, or all of shorter data.
    delta
        Of the advanced composition.
    distance
        What errors are counted in.
    seed
        Of all random numbers.
    data
        Labels that are released in place of drawn ones, or None.
    text, note
        What the data are, in words, and what else is to be said of them.

    Attributes
    ----------
    run
        What has been computed; it may be ahead of what is shown.
    position
        Steps that have been released and shown.
    number, same
        Identity of the run, and how many of its first steps are those of the run before.
    live
        Whether values still come from a source.
    source_fault
        What ended a source, until something is edited.
    awaited
        A run that was asked for in a browser and takes long, or None.
    fault
        What is wrong with the inputs that stand, or None.
    """

    def __init__(
        self,
        chain: MarkovChain,
        epsilon: float,
        lanes: str | Iterable[str] | None,
        steps: int | None,
        delta: float,
        distance: str | Distance | None,
        seed: int,
        data: Any = None,
        text: str = "",
        note: str = "",
    ) -> None:
        self.chain = as_chain(chain)
        self.loaded = self.chain
        symbols = None if data is None else as_symbols(data, self.chain)
        self.text, self.note = text, note
        self.live = False
        self.delta = as_delta(delta)
        self.distance = as_distance(distance, self.chain.n)
        self.speed = 10.0
        self.playing = False
        self.fault: PdpError | None = None
        self.source_fault: PdpError | None = None
        self._shown_run: tuple[StreamRun, StreamRun] | None = None
        self.awaited: Awaited[RunInputs] | None = None
        self.asked_transitions: NDArray[np.float64] | None = None
        self.asked_start: NDArray[np.float64] | None = None
        keys = default_lanes(self.chain) if lanes is None else as_lanes(lanes, self.chain)
        script = StreamScript.of(self.chain, epsilon, seed, self.distance, symbols)
        self.asked_epsilon = script.segments[0].epsilon
        self.asked_delta = self.delta
        self.position = min(_FIRST, script.steps) if steps is None else as_position(steps, script.steps)
        self.run = run_for(RunInputs(script, keys, self.position))
        self.number, self.same = new_number(), 0

    # What there is

    @property
    def script(self) -> StreamScript:
        """Chains and budgets by step, the seed, the distance."""
        return self.run.script

    @property
    def lanes(self) -> tuple[str, ...]:
        """Keys of the mechanisms of the run."""
        return tuple(self.run.mechanisms)

    @property
    def epsilon(self) -> float:
        """What is promised for the next step, in nats."""
        return self.script.segment(self.position + 1).epsilon

    @property
    def seed(self) -> int:
        """Of all random numbers."""
        return self.script.seed

    @property
    def results(self) -> StreamRun:
        """The steps that have been shown."""
        known = self._shown_run
        if known is None or known[0] is not self.run or known[1].steps != self.position:
            known = self._shown_run = self.run, self.run.cut(self.position)
        return known[1]

    @property
    def waiting(self) -> int:
        """Values of a source that have come and were not shown yet."""
        return self.script.steps - self.position if self.live else 0

    @property
    def most(self) -> int:
        """The largest position there can be."""
        return replace(self.script, data=None).steps if self.live else self.script.steps

    @property
    def running(self) -> Awaited[RunInputs] | None:
        """What somebody computes, or None."""
        return self.awaited if self.awaited is not None and not self.awaited.stopped else None

    @property
    def current(self) -> bool:
        """Whether the run belongs to what stands in the controls."""
        return self.fault is None and self.awaited is None

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs."""
        if "position" in patch:
            self._go_to(as_position(patch["position"], self.script.steps))
        if "delta" in patch:
            self.delta = self.asked_delta = as_delta(patch["delta"])
        if "speed" in patch:
            self.speed = as_speed(patch["speed"])
        if "value" in patch:
            self._take_chain(as_chain(patch["value"]))
        if "epsilon" in patch:
            self._set_epsilon(as_epsilon(patch["epsilon"]))
        remade = {name: patch[name] for name in ("seed", "distance", "lanes") if name in patch}
        if remade:
            self._make(self._remade(remade), at_once=True)
        if "playing" in patch:
            self.playing = as_flag(patch["playing"], "playing")
        self.fault = self.source_fault = None

    def _take_chain(self, chain: MarkovChain) -> None:
        if chain.states == self.chain.states and chain.order == self.chain.order:
            self._set_chain(chain)
            return
        if self.script.data is not None:
            raise ChainError(
                "The data that are released have the states "
                f"{shown(self.chain.states)}; a chain of other states cannot be their law.",
                Where("parameter", name="value"),
            )
        kept = [key for key in self.lanes if STREAM_MENU[key].why_not(chain) is None]
        script = StreamScript.of(chain, self.epsilon, self.seed, as_distance(None, chain.n))
        self.chain = self.loaded = chain
        self.distance = script.distance
        self.asked_start = self.asked_transitions = None
        self._make(RunInputs(script, tuple(kept) or default_lanes(chain), self.position), at_once=True)

    # From the browser: what is wrong becomes the fault, and the last run stays.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        faults: list[PdpError] = []
        position = min(max(sent_position(request, "position", self.position), 0), self.run.steps)
        if position == 0 and self.position > 0:
            self.restart()
        else:
            self.position = position
        if "speed" in request:
            self._try(faults, lambda: setattr(self, "speed", as_speed(number(request["speed"]))))
        if request.get("start") is not None or request.get("transitions") is not None:
            self._ask_chain(request)
        if self.asked_transitions is not None or self.asked_start is not None:
            self._try(faults, self._take_asked_chain)
        if "epsilon" in request:
            self.asked_epsilon = number(request["epsilon"])
        self._try(faults, lambda: self._set_epsilon(as_epsilon(self.asked_epsilon)))
        if "delta" in request:
            self.asked_delta = number(request["delta"])
        self._try(faults, lambda: setattr(self, "delta", as_delta(self.asked_delta)))
        remade: dict[str, Any] = {}
        if "seed" in request:
            remade["seed"] = request["seed"]
        if "distance" in request:
            remade["distance"] = sent_text(request, "distance", "")
        if "lanes" in request:
            remade["lanes"] = request["lanes"]
        if remade:
            self._try(faults, lambda: self._make(self._remade(remade), at_once=False))
        self.playing = sent_flag(request, "playing", self.playing)
        # A page that was stopped tells where it stands: that is no edit.
        if self.playing or set(request) & _EDITED:
            self.source_fault = None
        self.fault = faults[0] if faults else None
        if self.fault is not None or (self.position >= self.script.steps and not self.live):
            self.playing = False

    def _try(self, faults: list[PdpError], change: Any) -> None:
        try:
            change()
        except PdpError as fault:
            faults.append(fault)

    def _ask_chain(self, request: Mapping[str, Any]) -> None:
        n = self.chain.n
        if request.get("start") is not None:
            self.asked_start = floats(request["start"], n)
        if request.get("transitions") is not None:
            self.asked_transitions = floats(request["transitions"], n * n).reshape(n, n)

    def _take_asked_chain(self) -> None:
        if self.chain.order != 1:
            raise ChainError("A chain of second order is changed in Python; here it can be read.")
        start = self.chain.start if self.asked_start is None else self.asked_start
        moves = self.chain.transitions if self.asked_transitions is None else self.asked_transitions
        self._set_chain(MarkovChain(moves, start, self.chain.states))

    # Changes

    def _set_chain(self, chain: MarkovChain) -> None:
        self.asked_start = self.asked_transitions = None
        now = self.script.segment(self.position + 1).chain
        # The start counts for the first step alone: another one waits for a reset.
        if not (_goes_on_alike(now, chain) if self.position else now == chain):
            self._branch(self.script.changed(self.position, chain=chain))
        self.chain = chain

    def _set_epsilon(self, epsilon: float) -> None:
        self.asked_epsilon = epsilon
        if epsilon != self.epsilon:
            self._branch(self.script.changed(self.position, epsilon=epsilon))

    def _branch(self, script: StreamScript) -> None:
        """Go on from here by another script."""
        self._drop_awaited()
        self.run = self.run.cut(self.position).changed(script)
        self.number, self.same = new_number(), self.position

    def _remade(self, patch: Mapping[str, Any]) -> RunInputs:
        """Return what a run with another seed, distance or other lanes is made from."""
        script = self.script.kept(self.position)
        lanes = as_lanes(patch["lanes"], self.chain) if "lanes" in patch else self.lanes
        seed = as_seed(patch["seed"]) if "seed" in patch else script.seed
        distance = as_distance(patch["distance"], self.chain.n) if "distance" in patch else self.distance
        if seed == script.seed and distance == self.distance:
            return RunInputs(self.script, lanes, self.position, self.run)
        return RunInputs(replace(script, seed=seed, distance=distance), lanes, self.position)

    def _make(self, wanted: RunInputs, *, at_once: bool) -> None:
        if wanted.script is self.script and wanted.lanes == self.lanes:
            self._drop_awaited()
        elif at_once or wanted.seconds <= LONG:
            self._put(run_for(wanted))
        else:
            self.playing = False
            self.awaited = Awaited(new_number(), wanted)

    def _put(self, run: StreamRun) -> None:
        data = self.script.data
        if self.live and data is not run.script.data:
            # Values have come meanwhile.
            run = run.changed(replace(run.script, data=data))
        # Steps that were released meanwhile are not taken back.
        self.run, self.awaited = run.extended(min(self.position, run.script.steps)), None
        self.position = min(self.position, self.run.steps)
        self.distance = self.run.script.distance
        self.number, self.same = new_number(), 0

    def _drop_awaited(self) -> None:
        self.awaited = None

    def _go_to(self, position: int) -> None:
        if position == 0:
            self.restart()
            return
        if position < self.position:
            # A view that plays is further by now: another number tells it to go back.
            self.run = self.run.cut(position)
            self.number, self.same = new_number(), position
        else:
            self.run = self.run.extended(position)
        self.position = position

    # Time

    def advance(self, steps: int) -> None:
        """Release more steps, as many as there are."""
        self._go_to(min(self.position + steps, self.script.steps) or 0)

    def restart(self) -> None:
        """Go back to the first step with the chain and the budget that hold now."""
        self._drop_awaited()
        script = StreamScript.of(self.chain, self.epsilon, self.seed, self.distance, self.script.data)
        makes = self.run.mechanisms
        self.run, self.position = StreamRun(script, makes), 0
        self.number, self.same = new_number(), 0

    def shown_elsewhere(self, number: Any, position: Any) -> bool:
        """Take how far a browser has shown the run; tell whether that is news."""
        if number != self.number or isinstance(position, bool) or not isinstance(position, int):
            return False
        reached = min(max(position, self.position), self.run.steps)
        news, self.position = reached != self.position, reached
        return news

    def prepared(self, first: int, count: int, seconds: float = LONG / 2) -> int:
        """Compute steps beyond the last one for a browser; return how many of the asked ones there are."""
        cost = sum(STREAM_MENU[key].cost(self.chain.n) for key in self.lanes)
        wanted = min(first + count, self.script.steps)
        if wanted > self.run.steps:
            # Steps that take long come one after the other: other messages are answered in between.
            most = max(1, int(seconds / cost))
            self.run = self.run.extended(min(wanted, self.run.steps + most))
        return max(0, min(wanted, self.run.steps) - first)

    # Values of a source

    def open_source(self, text: str) -> None:
        """Begin with the first step again; what is released comes value by value."""
        self._drop_awaited()
        self._buffer = np.empty(_BUFFER, dtype=np.int64)
        script = StreamScript.of(self.chain, self.epsilon, self.seed, self.distance, self._values(0))
        self.run, self.position = StreamRun(script, self.run.mechanisms), 0
        self.number, self.same = new_number(), 0
        self.live, self.text, self.note, self.playing = True, text, "", True
        self.fault = self.source_fault = None

    def put_value(self, symbol: int) -> None:
        """Take the next value, as a position; it waits to be released."""
        data = self.script.data
        assert data is not None
        count = len(data)
        if count == len(self._buffer):
            self._buffer = np.concatenate([self._buffer, np.empty_like(self._buffer)])
        self._buffer[count] = symbol
        # Earlier scripts see the same numbers: values are added and never changed.
        self.run = self.run.changed(replace(self.script, data=self._values(count + 1)))

    def _values(self, count: int) -> NDArray[np.int64]:
        values = self._buffer[:count]
        values.flags.writeable = False
        return values

    def close_source(self, fault: PdpError | None = None) -> None:
        """Take no more values; those that have come stay."""
        self.live = self.playing = False
        self.source_fault = fault

    # What was awaited

    def take(self, number: int, run: StreamRun) -> None:
        """Take an awaited run, unless another one is awaited by now."""
        now = self.running
        if now is not None and now.number == number:
            self._put(run)

    def stop(self, number: int, reason: str | PdpError = "Cancelled.") -> None:
        """Give an awaited run up: the last one stays."""
        now = self.running
        if now is not None and now.number == number:
            self.awaited = Awaited(now.number, now.inputs, str(reason))

    def resume(self) -> None:
        """Ask again for what was given up."""
        if self.awaited is not None and self.awaited.stopped:
            self.awaited = Awaited(new_number(), self.awaited.inputs)


def _goes_on_alike(one: MarkovChain, other: MarkovChain) -> bool:
    """Tell whether two chains of the same states differ in their first symbol alone."""
    early = one.early is other.early or np.array_equal(one.early, other.early)  # type: ignore[arg-type]
    return early and np.array_equal(one.transitions, other.transitions)
