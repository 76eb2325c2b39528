"""Streams that are released batch by batch, as streams of patterns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pdp_widgets.errors import ChainError, Where
from pdp_widgets.leakage.sequence.stream_source import BatchSource, FirstOrderSource, StreamSource
from pdp_widgets.mechanisms.sequence.batch_release import BatchRelease

__all__ = ["as_batches", "digits_of"]


def as_batches(source: StreamSource, mechanism: Any, steps: int) -> tuple[StreamSource, Any, int]:
    """Return source, mechanism and number of batches for a `BatchRelease`, and all as they are otherwise.

    Parameters
    ----------
    source
        The law of the steps.
    mechanism
        A `BatchRelease`, or anything else.
    steps
        Number of steps.

    Raises
    ------
    ChainError
        The source is not of first order, has other symbols, or the last batch would be shorter.

    Examples
    --------
    >>> from pdp_widgets import BalancedResponse, BatchRelease
    >>> from pdp_widgets.leakage.sequence.stream_source import first_order
    >>> source = first_order([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> batches, release, many = as_batches(source, BatchRelease(BalancedResponse(0.5), 2, 2), 6)
    >>> batches.n, release.epsilon, many
    (4, 1.0, 3)
    """
    if not isinstance(mechanism, BatchRelease):
        return source, mechanism, steps
    where = Where("parameter", name="mechanism")
    if not isinstance(source, FirstOrderSource):
        raise ChainError("Batches need a first-order chain; this source is none.", where)
    if source.n != mechanism.n:
        raise ChainError(
            f"The batches are of {mechanism.n} symbols and the chain has {source.n}; they must agree.", where
        )
    if steps % mechanism.size:
        raise ChainError(
            f"{steps} steps are no whole number of batches of {mechanism.size}; take a multiple of it.",
            Where("parameter", name="steps"),
        )
    return BatchSource(source, mechanism.size), mechanism.at_length(), steps // mechanism.size


def digits_of(batches: Iterable[int], n: int, size: int) -> tuple[int, ...]:
    """Return the symbols of batches, one after the other.

    Examples
    --------
    >>> digits_of([1, 2], 2, 2)
    (0, 1, 1, 0)
    """
    return tuple(batch // n ** (size - 1 - k) % n for batch in batches for k in range(size))
