"""The stream simulator without a screen: its inputs, and the run of the last inputs that made sense."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import DELTA, EPSILON, SEED, SPEED
from pdp_widgets.core.converters import as_flag
from pdp_widgets.errors import ChainError, PdpError, Where
from pdp_widgets.leakage.sequence.stream_menu import STREAM_MENU, as_lanes, default_lanes
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.stream_script import StreamScript
from pdp_widgets.mechanisms.sequence.distances import Distance
from pdp_widgets.models.labels import shown
from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.widgets.stream_held_run import HeldRun, RunInputs
from pdp_widgets.widgets.stream_input import as_chain, as_distance, as_position, as_symbols
from pdp_widgets.widgets.wire import floats, number, sent_flag, sent_position, sent_text

#: Steps that are released when nothing is said.
_FIRST = 60
#: Parts of a request that are edits.
_EDITED = {"start", "transitions", "epsilon", "delta", "seed", "distance", "lanes", "speed"}


def _telling(run: StreamRun) -> int:
    """Return the last step at which some mechanism leaks more than it promises; all where none does."""
    over = np.any([lane.over for lane in run.record().lanes.values()], axis=0)
    return int(np.flatnonzero(over)[-1]) + 1 if over.any() else run.steps


class StreamState(HeldRun):
    """Inputs and run of a stream simulator."""

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
        law = as_chain(chain)
        symbols = None if data is None else as_symbols(data, law)
        self.text, self.note = text, note
        self.delta = DELTA.take(delta, "delta")
        measure = as_distance(distance, law.n)
        self.speed = 10.0
        self.fault: PdpError | None = None
        self.source_fault: PdpError | None = None
        self.asked_transitions: NDArray[np.float64] | None = None
        self.asked_start: NDArray[np.float64] | None = None
        keys = default_lanes(law) if lanes is None else as_lanes(lanes, law)
        script = StreamScript.of(law, epsilon, seed, measure, symbols)
        self.asked_epsilon = script.segments[0].epsilon
        self.asked_delta = self.delta
        position = min(_FIRST, script.steps) if steps is None else as_position(steps, script.steps)
        super().__init__(law, script, keys, position)
        if steps is None and symbols is None:
            self.position = _telling(self.run)

    # From Python: what is wrong raises, and the caller puts the old state back.

    def accept(self, patch: Mapping[str, Any]) -> None:
        """Take changed inputs; what takes long is awaited."""
        if "position" in patch:
            self._go_to(as_position(patch["position"], self.script.steps), beside=True)
        if "delta" in patch:
            self.delta = self.asked_delta = DELTA.take(patch["delta"], "delta")
        if "speed" in patch:
            self.speed = SPEED.take(patch["speed"], "speed")
        if "value" in patch:
            self._take_chain(as_chain(patch["value"]))
        if "epsilon" in patch:
            self._set_epsilon(EPSILON.take(patch["epsilon"], "epsilon"))
        remade = {name: patch[name] for name in ("seed", "distance", "lanes") if name in patch}
        if remade:
            self._make(replace(self._remade(remade), told=True))
        if "playing" in patch:
            self.playing = as_flag(patch["playing"], "playing")
        self.fault = self.source_fault = None

    def _take_chain(self, chain: MarkovChain) -> None:
        told = self.told
        if chain.states == self.chain.states and chain.order == self.chain.order:
            if told is not None and told.chain is not None:
                # The states that are shown stay after all.
                self.awaited = None
                self._make(replace(self._remade({"seed": told.script.seed}), told=True))
            self._set_chain(chain)
            return
        if self.script.data is not None:
            raise ChainError(
                "The data that are released have the states "
                f"{shown(self.chain.states)}; a chain of other states cannot be their law.",
                Where("parameter", name="value"),
            )
        wanted = self.wanted
        kept = [key for key in wanted.lanes if STREAM_MENU[key].why_not(chain) is None]
        script = StreamScript.of(chain, self.epsilon, wanted.script.seed, as_distance(None, chain.n))
        lanes = tuple(kept) or default_lanes(chain)
        self._make(RunInputs(script, lanes, wanted.steps, chain=chain, goal=wanted.goal, told=True))

    def _forget_entries(self) -> None:
        self.asked_start = self.asked_transitions = None

    # From the browser: what is wrong becomes the fault, and the last run stays.

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        faults: list[PdpError] = []
        position = min(max(sent_position(request, "position", self.position), 0), self.run.steps)
        if position == 0 and self.position > 0:
            self.restart()
        elif position < self.position:
            self._go_back(position)
        else:
            self.position = position
        if "speed" in request:
            self._try(faults, lambda: setattr(self, "speed", SPEED.take(number(request["speed"]), "speed")))
        if request.get("start") is not None or request.get("transitions") is not None:
            self._ask_chain(request)
        if self.asked_transitions is not None or self.asked_start is not None:
            self._try(faults, self._take_asked_chain)
        if "epsilon" in request:
            self.asked_epsilon = number(request["epsilon"])
        self._try(faults, lambda: self._set_epsilon(EPSILON.take(self.asked_epsilon, "epsilon")))
        if "delta" in request:
            self.asked_delta = number(request["delta"])
        self._try(faults, lambda: setattr(self, "delta", DELTA.take(self.asked_delta, "delta")))
        remade: dict[str, Any] = {}
        if "seed" in request:
            remade["seed"] = request["seed"]
        if "distance" in request:
            remade["distance"] = sent_text(request, "distance", "")
        if "lanes" in request:
            remade["lanes"] = request["lanes"]
        if remade:
            self._try(faults, lambda: self._make(self._remade(remade)))
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
        self._forget_entries()
        super()._set_chain(chain)

    def _set_epsilon(self, epsilon: float) -> None:
        self.asked_epsilon = epsilon
        if epsilon != self.wanted.script.segment(self.position + 1).epsilon:
            self._branch(epsilon=epsilon)

    def _remade(self, patch: Mapping[str, Any]) -> RunInputs:
        """Return what another seed, distance or other lanes make a run from, beside what is awaited."""
        wanted = self.wanted
        chain = self.chain if wanted.chain is None else wanted.chain
        script = wanted.script
        lanes = as_lanes(patch["lanes"], chain) if "lanes" in patch else wanted.lanes
        seed = SEED.take(patch["seed"], "seed") if "seed" in patch else script.seed
        distance = as_distance(patch["distance"], chain.n) if "distance" in patch else script.distance
        if wanted.chain is None and seed == self.seed and distance == self.distance:
            return replace(wanted, script=self.script, lanes=lanes, known=self.run, _begun=[])
        made = replace(script.kept(self.position), seed=seed, distance=distance)
        return replace(wanted, script=made, lanes=lanes, known=None, _begun=[])

    # Values of a source

    def open_source(self, text: str) -> None:
        """Begin with the first step again; what is released comes value by value."""
        self._open()
        self.text, self.note = text, ""
        self.fault = self.source_fault = None

    def close_source(self, fault: PdpError | None = None) -> None:
        """Take no more values; those that have come stay."""
        self.live = self.playing = False
        self.source_fault = fault
