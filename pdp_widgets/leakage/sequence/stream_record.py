"""Consecutive steps of a run as arrays: what was promised, and what each mechanism released and leaked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.lane_steps import NOTHING, LaneBlock, LaneTotals, sums
from pdp_widgets.leakage.sequence.stream_script import StreamScript
from pdp_widgets.mechanisms.sequence.distances import distance_matrix

__all__ = ["LaneRecord", "StreamRecord", "lane_record"]

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
