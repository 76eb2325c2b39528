"""Consecutive steps of a run as arrays: what was promised, and what each mechanism released and leaked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.lane_steps import NOTHING, LaneBlock, LaneTotals, sums
from pdp_widgets.leakage.sequence.running_bounds import running_bounds
from pdp_widgets.leakage.sequence.stream_script import StreamScript
from pdp_widgets.mechanisms.sequence.distances import distance_matrix

__all__ = ["LaneRecord", "StreamRecord", "lane_record", "run_record"]

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
    """Return some steps of whole blocks, with the sums that begin before them.

    Parameters
    ----------
    script
        What the run is made from.
    before
        Sums of all steps before the blocks.
    blocks
        Consecutive ones.
    symbols
        The true symbols of all their steps.
    begun
        Steps before the blocks.
    at
        Which of their steps are asked for.
    """
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
    """Return consecutive steps of a run.

    Parameters
    ----------
    script
        Chains, budgets, distance.
    blocks_of_symbols, blocks_of_lanes
        The true symbols and what mechanisms made of them, in blocks of the same lengths.
    ends
        Steps before the first of them, and before what follows the last.
    delta
        Of the advanced composition.
    """
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
