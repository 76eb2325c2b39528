"""Consecutive steps of a run as arrays: what was promised, and what each mechanism released and leaked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.lanes import NOTHING, LaneBlock, LaneTotals, sums
from pdp_widgets.leakage.sequence.stream_script import Segment, StreamScript
from pdp_widgets.mechanisms.sequence.distances import distance_matrix

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LaneRecord:
    """What one mechanism released in consecutive steps; every array has one entry for each of them.

    Parameters
    ----------
    released
        Released symbols, as positions; `NOTHING` where the mechanism had ended, and NaN in the others.
    belief
        What the adversary believed before each release, shape (steps, n).
    least
        The smallest positive entry of it: what decides whether a conditional response keeps its promise.
    leakage
        Achieved, from the matrix of the step, in nats.
    over
        Whether the step breaks its promise.
    total
        Sum of the achieved leakages of all steps from the first of the stream to this one.
    error, expected
        Mean distance of released from true symbols of all these steps, and what was to be expected of it.
    """

    released: NDArray[np.int64]
    belief: Floats
    least: Floats
    leakage: Floats
    over: NDArray[np.bool_]
    total: Floats
    error: Floats
    expected: Floats


@dataclass(frozen=True, eq=False)
class StreamRecord:
    """Consecutive steps of a run.

    Parameters
    ----------
    first
        Steps before them.
    symbols
        The true symbols, as positions.
    promise
        What each step promises, in nats.
    linear, advanced
        What all steps up to each leak at most if every promise is kept: the sum, and advanced composition.
    lanes
        By key.
    """

    first: int
    symbols: NDArray[np.int64]
    promise: Floats
    linear: Floats
    advanced: Floats
    lanes: Mapping[str, LaneRecord]


def lane_record(
    script: StreamScript,
    before: LaneTotals,
    blocks: tuple[LaneBlock, ...],
    symbols: NDArray[np.int64],
    begun: int,
    at: slice,
) -> LaneRecord:
    """Return some steps of whole blocks, with the sums that begin before them."""
    if not blocks:
        none = np.empty(0)
        flags, numbers = np.empty(0, dtype=np.bool_), np.empty(0, dtype=np.int64)
        return LaneRecord(numbers, np.empty((0, script.n)), none, none, flags, none, none, none)
    released, belief, leakage, over, cost = (
        np.concatenate(parts) for parts in zip(*(block.arrays for block in blocks), strict=True)
    )
    distances = distance_matrix(script.distance, script.n)
    there = released != NOTHING
    errors = np.where(there, distances[symbols, released], np.nan)
    count = np.arange(begun + 1, begun + len(released) + 1)
    seen = belief[at]
    least = np.where(there[at], np.where(seen > 0, seen, np.inf).min(axis=1), np.nan)
    return LaneRecord(
        released[at].astype(np.int64),
        seen,
        least,
        leakage[at],
        over[at],
        sums(before.leakage, leakage)[at],
        (sums(before.error, errors) / count)[at],
        (sums(before.expected, cost) / count)[at],
    )


def run_record(
    script: StreamScript,
    blocks_of_symbols: Sequence[NDArray[np.int64]],
    blocks_of_lanes: Mapping[str, tuple[LaneBlock, ...]],
    ends: tuple[int, int],
    delta: float,
) -> StreamRecord:
    """Return consecutive steps of a run."""
    first, end = ends
    sizes = [len(block) for block in blocks_of_symbols]
    starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    low = int(np.searchsorted(starts, first, side="right")) - 1 if sizes else 0
    high = int(np.searchsorted(starts, end, side="left")) if sizes else 0
    offset = first - int(starts[low]) if sizes else 0
    length = end - first

    def joined(arrays: Iterable[Any], empty: Any) -> Any:
        parts = list(arrays)
        return np.concatenate(parts)[offset : offset + length] if parts else empty

    symbols = joined(blocks_of_symbols[low:high], np.empty(0, dtype=np.int64))
    promise, linear, advanced = running_bounds(script.segments, first, end, delta)
    lanes = {}
    for key, blocks in blocks_of_lanes.items():
        before = blocks[low - 1].end.totals if low and blocks else LaneTotals()
        chosen = blocks[low:high]
        true = np.concatenate(blocks_of_symbols[low:high]) if chosen else symbols
        begun = int(starts[low]) if sizes else 0
        at = slice(offset, offset + length)
        lanes[key] = lane_record(script, before, chosen, true, begun, at)
    return StreamRecord(first, symbols, promise, linear, advanced, lanes)


# Beyond the largest floats a bound is infinite.
@np.errstate(over="ignore")
def running_bounds(
    segments: tuple[Segment, ...], first: int, end: int, delta: float
) -> tuple[Floats, Floats, Floats]:
    """Return promise, linear and advanced composition of consecutive steps, as `best_bounds` has them."""
    # A budget that stays is multiplied by its steps, not summed again.
    promise, linear, drift, length = np.empty((4, end - first))
    root = math.sqrt(2 * math.log(1 / delta)) if delta else math.inf
    # What the segments before add up to: budgets, drifts, and the root of the sum of squares.
    before, before_length = (0.0, 0.0), 0.0
    firsts = [each.first for each in segments]
    for segment, (low, following) in zip(segments, pairwise([*firsts, end + 1]), strict=True):
        last = min(following - 1, end)
        if last < low:
            break
        epsilon = float(segment.epsilon)
        each = (epsilon, epsilon * math.tanh(epsilon / 2))
        start = max(first, low - 1)
        if last > start:
            count = np.arange(start - low + 2, last - low + 2, dtype=np.float64)
            at = slice(start - first, last - first)
            promise[at] = epsilon
            for array, sums, one in zip((linear, drift), before, each, strict=True):
                array[at] = sums + count * one
            # Not by squares: those of tiny budgets are 0.
            length[at] = np.hypot(before_length, epsilon * np.sqrt(count))
        many = last - low + 1
        before = (before[0] + many * each[0], before[1] + many * each[1])
        before_length = math.hypot(before_length, epsilon * math.sqrt(many))
    spread = np.zeros_like(length)
    some = length > 0
    # Nothing is passed where nothing leaks, whatever delta is.
    spread[some] = root * length[some]
    return promise, linear, drift + spread
