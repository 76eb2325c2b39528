"""The run of a stream simulator: how far it is shown, how it goes on, and what is computed beside."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.sequence.stream_menu import MOST_LANES, STREAM_MENU
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.stream_script import BLOCK, StreamScript
from pdp_widgets.mechanisms.sequence.distances import Distance
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.widgets.computed_beside import LONG, Awaited, Awaiting
from pdp_widgets.widgets.late import new_number

#: Seconds after which a run looks whether it is still wanted.
_LOOK = 0.1


@dataclass(frozen=True, eq=False)
class RunInputs:
    """What a run is made from, where it has to be made anew."""

    script: StreamScript
    lanes: tuple[str, ...]
    steps: int
    known: StreamRun | None = None
    chain: MarkovChain | None = None
    goal: int | None = None
    told: bool = False
    #: As far as the run is made: who goes on with it need not begin again.
    _begun: list[StreamRun] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        held = self._reused
        steps = 0 if held is None else held.steps
        cost = {key: STREAM_MENU[key].cost(self.script.n) for key in self.lanes}
        fresh = [key for key in self.lanes if held is None or key not in held.mechanisms]
        return steps * sum(cost[key] for key in fresh) + max(0, self.steps - steps) * sum(cost.values())

    def further(self, goal: int) -> RunInputs:
        """Return the same run as far as another position; what is made of it stays."""
        return replace(self, steps=goal, goal=goal, told=True)

    @property
    def _reused(self) -> StreamRun | None:
        known = self.known
        return known if known is not None and known.script is self.script else None


def run_for(inputs: RunInputs, progress: ProgressHook | None = None) -> StreamRun:
    """Return the run of these inputs."""
    makes = {key: STREAM_MENU[key].make for key in inputs.lanes}
    begun, known = inputs._begun, inputs._reused
    if begun:
        run = begun[0]
    elif known is not None:
        run = known.with_lanes(makes, progress, limit=math.inf)
    else:
        run = StreamRun(inputs.script, makes)
    first = run.steps
    cost = sum(STREAM_MENU[key].cost(inputs.script.n) for key in inputs.lanes)
    # Between two looks at whether it is still wanted.
    count = max(1, min(BLOCK, int(_LOOK / cost)))
    while run.steps < inputs.steps:
        run = run.extended(min(inputs.steps, run.steps + count), limit=math.inf)
        begun[:] = [run]
        if progress is not None:
            progress((run.steps - first) / (inputs.steps - first))
    return run


#: Values of a source that there is room for at first.
_BUFFER = 1024


class HeldRun(Awaiting[RunInputs]):
    """A run, the position up to which it is shown, and a run that is awaited in its place."""

    # What is edited counts from the next step on. Where the position goes back, the chain and the budget that
    # hold now stay: a later step is not released by what held there before.

    def __init__(
        self, chain: MarkovChain, script: StreamScript, lanes: tuple[str, ...], position: int
    ) -> None:
        self.chain = self.loaded = chain
        self.distance: Distance | None = script.distance
        self.live = self.playing = False
        self._shown_run: tuple[StreamRun, StreamRun] | None = None
        self.position = position
        self.run = run_for(RunInputs(script, lanes, position))
        self.number, self.same = new_number(), 0
        self.lines = kept_lines({}, lanes)

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
    def wanted(self) -> RunInputs:
        """What the run is to be made from once nothing is awaited any more."""
        if self.running is not None:
            return self.running.inputs
        return RunInputs(self.script, self.lanes, self.position, self.run)

    @property
    def told(self) -> RunInputs | None:
        """What Python has set and is not there yet, or None."""
        now = self.running
        return now.inputs if now is not None and now.inputs.told else None

    # Changes

    def _set_chain(self, chain: MarkovChain) -> None:
        now = self.script.segment(self.position + 1).chain
        # The start counts for the first step alone: another one waits for a reset.
        if not (_goes_on_alike(now, chain) if self.position else now == chain):
            self._branch(chain=chain)
        self.chain = chain

    def _branch(self, *, chain: MarkovChain | None = None, epsilon: float | None = None) -> None:
        """Go on from here with another chain or budget, in what is awaited too."""
        script = self.script.changed(self.position, chain=chain, epsilon=epsilon)
        self.run = self.run.cut(self.position).changed(script)
        self.number, self.same = new_number(), self.position
        now = self.running
        self.awaited = None
        if now is None:
            return
        inputs = now.inputs
        if inputs.known is not None:
            again = replace(inputs, script=script, known=self.run, _begun=[])
        else:
            law = chain if inputs.chain is None else None
            changed = inputs.script.changed(self.position, chain=law, epsilon=epsilon)
            again = replace(inputs, script=changed, _begun=[])
        self.awaited = Awaited(new_number(), again)

    def _make(self, wanted: RunInputs) -> None:
        """Make a run, at once or beside."""
        if wanted.script is self.script and wanted.lanes == self.lanes and wanted.goal is None:
            self.awaited = None
        elif wanted.seconds <= LONG:
            self._put(run_for(wanted), wanted)
        else:
            # What a hand sets in a browser stops the clock until it is there.
            self.playing &= wanted.told
            self.awaited = Awaited(new_number(), wanted)

    def _put(self, run: StreamRun, inputs: RunInputs) -> None:
        same = run.script is self.script and inputs.lanes == self.lanes
        data = self.script.data
        if self.live and data is not run.script.data:
            # Values have come meanwhile.
            run = run.changed(replace(run.script, data=data))
        position = self.position if inputs.goal is None else inputs.goal
        # Steps that were released meanwhile are not taken back.
        self.run, self.awaited = run.extended(min(position, run.script.steps), limit=math.inf), None
        self.position = min(position, self.run.steps)
        self.lines = kept_lines(self.lines, self.lanes)
        self.distance = self.run.script.distance
        if inputs.chain is not None:
            self.chain = self.loaded = inputs.chain
            self._forget_entries()
        if not same:
            self.number, self.same = new_number(), 0

    def _forget_entries(self) -> None:
        """Forget entries for a chain of other states."""

    # Time

    def _go_to(self, position: int, *, beside: bool = False) -> None:
        if position == 0:
            self.restart()
            return
        now = self.running
        if position < self.position:
            # A view that plays is further by now: another number tells it to go back.
            self._go_back(position)
            self.run = self.run.cut(position)
            self.number, self.same = new_number(), position
        elif beside and (now is not None and now.inputs.told):
            self.awaited = Awaited(new_number(), now.inputs.further(position))
            return
        elif beside:
            further = replace(self.wanted, steps=position, goal=position, told=True)
            if now is not None or further.seconds > LONG:
                self.awaited = Awaited(new_number(), further)
                return
            self.run = self.run.extended(position, limit=math.inf)
        else:
            self.run = self.run.extended(position, limit=math.inf)
        self.position = position
        now = self.running
        if now is not None and now.inputs.goal is not None:
            self._make(replace(now.inputs, steps=position, goal=None))

    def _go_back(self, position: int) -> None:
        """Stand at an earlier step, with the chain and the budget that hold now."""
        epsilon, chain = self.epsilon, self.script.segment(self.position + 1).chain
        self.position = position
        if self.script.segments[-1].first > position + 1:
            self._branch(chain=chain, epsilon=epsilon)

    @property
    def most_steps(self) -> int:
        """How many more steps may be asked for: those that a simulation has left; of data any number."""
        left = self.script.steps - self.position
        return 2**53 if self.script.data is not None else left

    def advance(self, steps: int) -> None:
        """Release more steps, as many as there are."""
        self._go_to(min(self.position + steps, self.script.steps) or 0)

    def restart(self) -> None:
        """Go back to the first step with the chain and the budget that hold now."""
        self._begin(self.script.data)

    def _begin(self, data: NDArray[np.int64] | None) -> None:
        """Begin with the first step again, with all that was asked for last."""
        wanted = self.wanted
        epsilon = wanted.script.segment(self.position + 1).epsilon
        if wanted.chain is not None:
            self.chain = self.loaded = wanted.chain
            self._forget_entries()
        self.distance, self.awaited = wanted.script.distance, None
        script = StreamScript.of(self.chain, epsilon, wanted.script.seed, self.distance, data)
        self.run, self.position = run_for(RunInputs(script, wanted.lanes, 0)), 0
        self.lines = kept_lines(self.lines, self.lanes)
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
            self.run = self.run.extended(min(wanted, self.run.steps + most), limit=math.inf)
        return max(0, min(wanted, self.run.steps) - first)

    # Values of a source

    def _open(self) -> None:
        """Begin with the first step again; what is released comes value by value."""
        self._buffer = np.empty(_BUFFER, dtype=np.int64)
        self._begin(self._values(0))
        self.live = self.playing = True

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

    # What was awaited

    def take(self, number: int, run: StreamRun) -> None:
        """Take an awaited run, unless another one is awaited by now."""
        now = self.expected(number)
        if now is not None:
            self._put(run, now.inputs)

    def stop(self, number: int, reason: str | PdpError = "Cancelled.") -> None:
        """Give an awaited run up: the last one stays."""
        now = self.expected(number)
        if now is not None:
            self.awaited = replace(now, stopped=str(reason))

    def resume(self) -> None:
        """Ask again for what was given up."""
        if self.awaited is not None and self.awaited.stopped:
            self.awaited = Awaited(new_number(), self.awaited.inputs)


def kept_lines(before: Mapping[str, int], lanes: tuple[str, ...]) -> dict[str, int]:
    """Return a line for each mechanism: its own, or the first that is free."""
    kept = {before[key] for key in lanes if key in before}
    free = iter(place for place in range(MOST_LANES) if place not in kept)
    return {key: before[key] if key in before else next(free) for key in lanes}


def _goes_on_alike(one: MarkovChain, other: MarkovChain) -> bool:
    """Tell whether two chains of the same states differ in their first symbol alone."""
    early = one.early is other.early or np.array_equal(one.early, other.early)  # type: ignore[arg-type]
    return early and np.array_equal(one.transitions, other.transitions)
