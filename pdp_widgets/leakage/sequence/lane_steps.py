"""One mechanism on one stream: what it releases step by step, and what the adversary believes and learns."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import ModelMismatch
from pdp_widgets.leakage.sequence.belief import StreamBelief
from pdp_widgets.leakage.sequence.stream_script import Segment, StreamScript
from pdp_widgets.mechanisms.sequence.distances import distance_matrix
from pdp_widgets.mechanisms.sequence.inverse_cdf import drawn
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.mechanisms.sequence.step_channel import StepChannel
from pdp_widgets.mechanisms.sequence.temporal_response import SafeTemporalResponse
from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["NOTHING", "LaneBlock", "LaneState", "LaneTotals", "lane_steps"]

#: Stands for a symbol in steps that a lane that has ended does not reach.
NOTHING = -1

Floats = NDArray[np.float64]
#: Makes the mechanism of some steps from their budget and the law of the stream.
Make = Callable[[float, MarkovChain], SequenceMechanism]


@dataclass(frozen=True)
class LaneTotals:
    """Sums over all steps so far.

    Parameters
    ----------
    steps
        How many there were: a mechanism that has ended has fewer than the stream.
    leakage
        Sum of the achieved leakages, in nats: a bound on what the whole sequence leaks.
    largest
        The largest of them.
    over, first_over
        How many steps broke their promise, and the first of them; None without one.
    error, expected
        Sum of the distances between released and true symbols, and what was to be expected of it.
    """

    steps: int = 0
    leakage: float = 0.0
    largest: float = 0.0
    over: int = 0
    first_over: int | None = None
    error: float = 0.0
    expected: float = 0.0


@dataclass(frozen=True, eq=False)
class LaneState:
    """A mechanism between two steps.

    Parameters
    ----------
    totals
        Sums over the steps so far.
    belief
        Before the last step; None before the first step.
    channel, released
        The last step.
    ended
        Why nothing more is released; empty while something is.
    """

    totals: LaneTotals = LaneTotals()
    belief: StreamBelief | None = None
    channel: StepChannel | None = None
    released: int = NOTHING
    ended: str = ""


@dataclass(frozen=True, eq=False)
class LaneBlock:
    """Consecutive steps of one mechanism; every array has one entry for each of them.

    Parameters
    ----------
    released
        Released symbols; `NOTHING` where the mechanism had ended.
    belief
        What the adversary believed before each release, shape (steps, n).
    least
        The smallest positive entry of it: what decides whether a conditional response keeps its promise.
    leakage
        Achieved, from the matrix of the step, in nats.
    over
        Whether the step breaks its promise.
    total
        Sum of the achieved leakages up to the step.
    error, expected
        Mean distance of released from true symbols up to the step, and what was to be expected of it.
    end
        The state after the last step.
    """

    released: NDArray[np.int64]
    belief: Floats
    least: Floats
    leakage: Floats
    over: NDArray[np.bool_]
    total: Floats
    error: Floats
    expected: Floats
    end: LaneState

    def followed(self, later: LaneBlock) -> LaneBlock:
        """Return these steps and the ones after them as one block."""
        joined = {
            each.name: np.concatenate([getattr(self, each.name), getattr(later, each.name)])
            for each in fields(self)
            if each.name != "end"
        }
        return LaneBlock(**joined, end=later.end)


def lane_steps(
    script: StreamScript, make: Make, state: LaneState, first: int, symbols: NDArray[np.int64]
) -> LaneBlock:
    """Return what a mechanism makes of the next symbols.

    Parameters
    ----------
    script
        Chains, budgets and random numbers.
    make
        Returns the mechanism of a budget and a law of the stream.
    state
        Where it stands after the steps before.
    first
        How many steps there were before.
    symbols
        The true symbols, as positions.
    """
    count, n = len(symbols), script.n
    block = LaneBlock(
        np.full(count, NOTHING, dtype=np.int64),
        np.full((count, n), math.nan),
        np.full(count, math.nan),
        np.full(count, math.nan),
        np.zeros(count, dtype=np.bool_),
        np.full(count, math.nan),
        np.full(count, math.nan),
        np.full(count, math.nan),
        state,
    )
    distances = distance_matrix(script.distance, n)
    uniforms = script.uniforms(first, count)[:, 1]
    segment: Segment | None = None
    for k in range(count):
        if state.ended:
            break
        step = first + k + 1
        if segment is None or segment is not script.segment(step):
            segment = script.segment(step)
            mechanism = make(segment.epsilon, segment.chain)
        try:
            belief = _before(state, segment.chain)
        except ModelMismatch as fault:
            state = replace(state, ended=str(fault))
            break
        channel = _channel(mechanism, belief, script.distance, state.released)
        released = int(drawn(channel.matrix[symbols[k]][None], uniforms[k : k + 1])[0])
        totals = _added(state.totals, step, channel, float(distances[symbols[k], released]))
        state = LaneState(totals, belief, channel, released)
        block.released[k] = released
        block.belief[k] = belief.predictive
        block.least[k] = belief.predictive[belief.predictive > 0].min()
        block.leakage[k] = channel.leakage
        block.over[k] = not channel.valid
        block.total[k] = totals.leakage
        block.error[k] = totals.error / step
        block.expected[k] = totals.expected / step
    return replace(block, end=state)


def _channel(mechanism: SequenceMechanism, belief: StreamBelief, distance: Any, last: int) -> StepChannel:
    if isinstance(mechanism, SafeTemporalResponse):
        return mechanism.channel(belief.predictive, distance, None if last == NOTHING else last)
    return mechanism.channel(belief.predictive, distance)


def _before(state: LaneState, chain: Any) -> StreamBelief:
    """Return the belief before the next step, whose chain may be another one than that of the last."""
    if state.belief is None:
        return StreamBelief.before(chain)
    return replace(state.belief, chain=chain).after(state.channel, state.released)


def _added(totals: LaneTotals, step: int, channel: StepChannel, error: float) -> LaneTotals:
    over = not channel.valid
    return LaneTotals(
        totals.steps + 1,
        totals.leakage + channel.leakage,
        max(totals.largest, channel.leakage),
        totals.over + over,
        step if over and totals.first_over is None else totals.first_over,
        totals.error + error,
        totals.expected + channel.cost,
    )
