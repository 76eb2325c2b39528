"""One mechanism on one stream: what it releases step by step, and what the adversary believes and learns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.progress import Progress
from pdp_widgets.errors import BudgetError, ModelMismatch, Where
from pdp_widgets.leakage.sequence.belief import filtered
from pdp_widgets.leakage.sequence.stream_script import Segment, StreamScript
from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST
from pdp_widgets.mechanisms.sequence.distances import distance_matrix
from pdp_widgets.mechanisms.sequence.log_lift import lift_of
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism, within
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown
from pdp_widgets.models.markov_chain import MarkovChain

#: Stands for a symbol in steps that a lane that has ended does not reach.
NOTHING = -1

Floats = NDArray[np.float64]
#: Makes the mechanism of some steps from their budget and the law of the stream.
Make = Callable[[float, MarkovChain], SequenceMechanism]


@dataclass(frozen=True)
class MadeOf:
    """Makes mechanisms of one kind: unlike a function written in place it is compared and pickled."""

    kind: Callable[..., SequenceMechanism]
    needs_chain: bool = False

    def __call__(self, epsilon: float, chain: MarkovChain) -> SequenceMechanism:
        """Return the mechanism of a budget and a law of the stream."""
        return self.kind(epsilon, chain.transitions) if self.needs_chain else self.kind(epsilon)


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
class LaneState(ReadOnlyArrays):
    """A mechanism between two steps."""

    totals: LaneTotals = LaneTotals()
    belief: Floats | None = None  # law of the last symbol before its release; None before the first step
    pairs: Floats | None = None  # second order: law of that symbol and the one before it
    likelihood: Floats | None = None  # how likely each symbol made the last release
    released: int = NOTHING
    ended: str = ""  # why nothing more is released; empty while something is


@dataclass(frozen=True, eq=False)
class LaneBlock(ReadOnlyArrays):
    """Consecutive steps of one mechanism; every array has one entry for each of them."""

    # What follows from these is computed when it is asked for: a long record is kept small.
    released: NDArray[np.int16]  # `NOTHING` where the mechanism had ended
    belief: Floats  # before each release, shape (steps, n)
    leakage: Floats  # achieved, from the matrix of the step, in nats
    over: NDArray[np.bool_]  # whether the step breaks its promise
    cost: Floats  # the mean distance that was to be expected of the release
    end: LaneState

    @property
    def arrays(self) -> tuple[Any, Any, Any, Any, Any]:
        """All arrays in order."""
        return self.released, self.belief, self.leakage, self.over, self.cost

    def followed(self, later: LaneBlock) -> LaneBlock:
        """Return these steps and the ones after them as one block."""
        both = zip(self.arrays, later.arrays, strict=True)
        released, belief, leakage, over, cost = (np.concatenate(arrays) for arrays in both)
        return LaneBlock(released, belief, leakage, over, cost, later.end)


def release_on(
    script: StreamScript,
    make: Make,
    state: LaneState,
    first: int,
    symbols: NDArray[np.int64],
    told: Progress | None = None,
) -> LaneBlock:
    """Return what a mechanism makes of the next symbols; each is a step of the progress."""
    told = told or Progress(None)
    count, n = len(symbols), script.n
    released = np.full(count, NOTHING, dtype=np.int16)
    beliefs = np.full((count, n), np.nan)
    matrices = np.empty((count, n, n))
    # Leakages of steps with probabilities that are too small for a float.
    exact: dict[int, Any] = {}
    distances = distance_matrix(script.distance, n)
    numbers = script.uniforms(first, count)[:, 1]
    done, segment = 0, None
    # A state for each step would take longer than the step.
    belief, pairs, likelihood = state.belief, state.pairs, state.likelihood
    symbol, ended = state.released, state.ended
    for k in range(count):
        if ended:
            break
        now = script.segment(first + k + 1)
        if now is not segment:
            segment, mechanism = now, _mechanism(make, now)
            counted = _counted(mechanism, script, distances)
        try:
            if belief is None or likelihood is None:
                belief = now.chain.start
            else:
                # The law of the next symbol, whose chain may be another one than that of the last.
                belief, _, pairs, _ = filtered(now.chain, belief, pairs, likelihood, 1, first + k, symbol)
        except ModelMismatch as fault:
            ended = str(fault)
            break
        # As checked beliefs are.
        seen = np.where(belief < SMALLEST, 0.0, belief)
        last = None if symbol == NOTHING else symbol
        matrix = mechanism._after_release(seen, counted, last)
        if (matrix <= SMALLEST).any():
            wide = partial(mechanism._log_after_release, seen, counted, last)
            exact[k] = lift_of(matrix, seen, wide)[0]
        # Proportions do: what has no probability is never drawn.
        ways = np.cumsum(matrix[symbols[k]])
        ways /= ways[-1]
        symbol = int(np.searchsorted(ways[:-1], numbers[k], side="right"))
        likelihood = matrix[:, symbol]
        released[k], beliefs[k], matrices[k] = symbol, belief, matrix
        done += 1
        told.step()
    told.step(count - done)
    leakage, cost = np.full(count, np.nan), np.full(count, np.nan)
    over = np.zeros(count, dtype=np.bool_)
    if done:
        checked = np.where(beliefs[:done] < SMALLEST, 0.0, beliefs[:done])
        leakage[:done] = lift_of(matrices[:done], checked)[0]
        leakage[list(exact)] = list(exact.values())
        cost[:done] = np.einsum("kx,kxy,xy->k", checked, matrices[:done], distances)
        promises = np.array([script.segment(first + k + 1).epsilon for k in range(done)])
        over[:done] = ~within(leakage[:done], promises)
    totals = _totals(state.totals, first, symbols, released, leakage, over, cost, distances)
    # A column of a whole matrix would keep the matrix.
    column = None if likelihood is None else likelihood.copy()
    return LaneBlock(
        released, beliefs, leakage, over, cost, LaneState(totals, belief, pairs, column, symbol, ended)
    )


def whole_lane(
    script: StreamScript,
    make: Make,
    symbols: Sequence[NDArray[np.int64]],
    told: Progress,
) -> tuple[LaneBlock, ...]:
    """Return all blocks of a mechanism from the first step on."""
    blocks: list[LaneBlock] = []
    first = 0
    for block in symbols:
        state = blocks[-1].end if blocks else LaneState()
        blocks.append(release_on(script, make, state, first, block, told))
        first += len(block)
    return tuple(blocks)


def shortened(
    script: StreamScript,
    make: Make,
    block: LaneBlock,
    state: LaneState,
    first: int,
    symbols: NDArray[np.int64],
) -> LaneBlock:
    """Return the first steps of a block, as many as there are symbols."""
    count = len(symbols)
    if not count or script.segments[0].chain.order == 2:
        return release_on(script, make, state, first, symbols)
    released, beliefs, leakage, over, cost = (array[:count].copy() for array in block.arrays)
    kept = LaneBlock(released, beliefs, leakage, over, cost, block.end)
    if kept.released[-1] == NOTHING:
        return kept
    # One matrix is made again, and no more: some take a linear program each.
    segment = script.segment(first + count)
    distances = distance_matrix(script.distance, script.n)
    mechanism = _mechanism(make, segment)
    belief, symbol = kept.belief[-1], int(kept.released[-1])
    last = int(kept.released[-2]) if count > 1 else state.released
    matrix = mechanism._after_release(
        np.where(belief < SMALLEST, 0.0, belief),
        _counted(mechanism, script, distances),
        None if last == NOTHING else last,
    )
    totals = _totals(
        state.totals, first, symbols, kept.released, kept.leakage, kept.over, kept.cost, distances
    )
    return replace(kept, end=LaneState(totals, belief, None, matrix[:, symbol].copy(), symbol))


def _mechanism(make: Make, segment: Segment) -> SequenceMechanism:
    """Return the mechanism of some steps; what it does at each belief is not checked again."""
    made = make(segment.epsilon, segment.chain)
    if not isinstance(made, SequenceMechanism) or made.previous_is == "true":
        raise BudgetError(
            f"A lane is released by {shown(made)}; give a SequenceMechanism that depends on the current "
            "symbol, and on released ones at most.",
            Where("parameter", name="mechanisms"),
        )
    made._check_symbols(segment.chain.n)
    return made


def _counted(mechanism: SequenceMechanism, script: StreamScript, distances: Floats) -> Floats:
    """Return the distances that a mechanism goes by: those of the script, unless it alone names some."""
    own = getattr(mechanism, "distance", None)
    return distances if own is None or script.distance is not None else distance_matrix(own, script.n)


def sums(start: float, values: Floats) -> Floats:
    """Return what a start and the values so far add up to, for each of them; the same in parts as at once."""
    with np.errstate(over="ignore"):
        return np.cumsum(np.concatenate([[start], values]))[1:]


def _totals(
    before: LaneTotals,
    first: int,
    symbols: NDArray[np.int64],
    released: NDArray[np.int16],
    leakage: Floats,
    over: NDArray[np.bool_],
    cost: Floats,
    distances: Floats,
) -> LaneTotals:
    done = int(np.count_nonzero(released != NOTHING))
    if not done:
        return before
    breaks = np.flatnonzero(over[:done])
    first_over = before.first_over
    if first_over is None and len(breaks):
        first_over = first + int(breaks[0]) + 1
    return LaneTotals(
        before.steps + done,
        float(sums(before.leakage, leakage[:done])[-1]),
        max(before.largest, float(leakage[:done].max())),
        before.over + len(breaks),
        first_over,
        float(sums(before.error, distances[symbols[:done], released[:done]])[-1]),
        float(sums(before.expected, cost[:done])[-1]),
    )
