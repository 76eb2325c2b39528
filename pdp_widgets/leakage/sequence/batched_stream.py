"""Streams that are released batch by batch, as streams of patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import ChainError, Where
from pdp_widgets.leakage.sequence.batch_source import BatchSource
from pdp_widgets.leakage.sequence.stream_source import FirstOrderSource, SecondOrderSource, StreamSource
from pdp_widgets.leakage.sequence.window_source import WindowSource, with_memory
from pdp_widgets.mechanisms.sequence.batch_release import BatchRelease
from pdp_widgets.mechanisms.sequence.distances import batch_distance, distance_matrix
from pdp_widgets.mechanisms.sequence.memory_release import MemoryRelease

__all__ = ["as_released", "digits_of", "distances_by_step"]


def as_released(source: StreamSource, mechanism: Any, steps: int) -> tuple[StreamSource, Any, int]:
    """Return source, mechanism and number of releases: of batches and of windows where a mechanism asks.

    Parameters
    ----------
    source
        The law of the steps.
    mechanism
        A `BatchRelease`, a `MemoryRelease`, or anything else.
    steps
        Number of steps; of batches the last one may be shorter.

    Raises
    ------
    ChainError
        The source is no chain of first or second order, or has other symbols.

    Examples
    --------
    >>> from pdp_widgets import BalancedResponse, BatchRelease
    >>> from pdp_widgets.leakage.sequence.stream_source import first_order
    >>> source = first_order([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> batches, release, many = as_released(source, BatchRelease(BalancedResponse(0.5), 2, 2), 5)
    >>> batches.n, [one.epsilon for one in release], many
    (4, [1.0, 1.0, 0.5], 3)
    """
    size = mechanism.size if isinstance(mechanism, BatchRelease | MemoryRelease) else 1
    if size > 1 or isinstance(mechanism, BatchRelease):
        where = Where("parameter", name="mechanism")
        if not isinstance(source, FirstOrderSource | SecondOrderSource):
            raise ChainError("Batches need a chain of first or second order; this source is none.", where)
        if isinstance(mechanism, BatchRelease) and source.n != mechanism.n:
            raise ChainError(
                f"The batches are of {mechanism.n} symbols and the chain has {source.n}; they must agree.",
                where,
            )
        batches = BatchSource(source, size, steps)
        whole, rest = divmod(steps, size)
        if isinstance(mechanism, BatchRelease):
            each = [mechanism.at_length()] * whole if whole else []
            mechanism = [*each, mechanism.at_length(rest)] if rest else each
        else:
            mechanism = mechanism.of_patterns()
        source, steps = batches, whole + bool(rest)
    return with_memory(source, mechanism), mechanism, steps


def distances_by_step(
    source: StreamSource, given: Any, distance: Any
) -> Callable[[int], NDArray[np.float64]]:
    """Return what tells the distances of symbols at a step; of batches they are sums over their steps.

    Parameters
    ----------
    source
        The law of what is released.
    given
        The mechanism as it was given.
    distance
        A `Distance`, its name, a matrix, or None for 0 or 1, or for what a `BatchRelease` goes by.

    Examples
    --------
    >>> from pdp_widgets import BalancedResponse, BatchRelease
    >>> from pdp_widgets.leakage.sequence.stream_source import first_order
    >>> source = first_order([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> given = BatchRelease(BalancedResponse(0.5), 2, 2)
    >>> at = distances_by_step(BatchSource(source, 2, steps=3), given, "hamming")
    >>> at(0)[0].tolist(), at(1)[0].tolist()
    ([0.0, 1.0, 1.0, 2.0], [0.0, 1.0])
    """
    batches = source.source if isinstance(source, WindowSource) else source
    if not isinstance(batches, BatchSource):
        one = distance_matrix(distance, source.n)
        return lambda step: one
    if distance is None and isinstance(given, BatchRelease):
        distance = given.distance
    n = batches.step_symbols
    whole = batches.n > n and np.shape(distance) == (batches.n, batches.n)
    found: dict[int, NDArray[np.float64]] = {}

    def at(step: int) -> NDArray[np.float64]:
        size = batches.size_of(step)
        if size not in found:
            if whole and size < batches.size:
                raise ChainError(
                    f"The distances are those of batches of {batches.size}, and the last batch has {size}; "
                    "give distances of symbols.",
                    Where("parameter", name="distance"),
                )
            found[size] = distance_matrix(distance, batches.n) if whole else batch_distance(distance, n, size)
        return found[size]

    # What is wrong with them is said before a long computation.
    at(0)
    return at


def digits_of(batches: Iterable[int], n: int, sizes: Iterable[int]) -> tuple[int, ...]:
    """Return the symbols of batches, one after the other.

    Examples
    --------
    >>> digits_of([1, 2, 1], 2, [2, 2, 1])
    (0, 1, 1, 0, 1)
    """
    pairs = zip(batches, sizes, strict=True)
    return tuple(batch // n ** (size - 1 - k) % n for batch, size in pairs for k in range(size))
