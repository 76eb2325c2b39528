"""Cutting a stream into batches: their sizes and budgets, and a batch as one symbol of a large alphabet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON
from pdp_widgets.core.converters import refuse_masked
from pdp_widgets.errors import LimitError, StreamError, Where
from pdp_widgets.models.chain_checks import as_count
from pdp_widgets.models.labels import shown

__all__ = ["BatchPartition", "batch_index", "batch_partition", "batch_patterns", "pattern_count"]

Integers = NDArray[np.int64]

#: Patterns of one batch: what a belief about it may hold.
_MOST_PATTERNS = 1 << 20
_MOST_STEPS = 1 << 27


@dataclass(frozen=True)
class BatchPartition:
    """The batches of a stream.

    Parameters
    ----------
    sizes
        Number of symbols of each batch; the last one may be shorter.
    budgets
        Budget of each batch in nats: that of a step times its size, so that totals are those of a release
        step by step.

    Examples
    --------
    >>> BatchPartition((2, 1), (1.0, 0.5)).total
    1.5
    """

    sizes: tuple[int, ...]
    budgets: tuple[float, ...]

    @property
    def total(self) -> float:
        """Sum of the budgets."""
        return math.fsum(self.budgets) if all(map(math.isfinite, self.budgets)) else math.inf


def batch_partition(steps: int, size: int, epsilon: float = 0.0) -> BatchPartition:
    """Return the consecutive batches of a stream.

    Parameters
    ----------
    steps
        Length of the stream, 0 or more.
    size
        Symbols of a batch, 1 or more; where it is more than the stream has, there is one batch of all.
    epsilon
        Budget of a step in nats, 0 to infinity.

    Examples
    --------
    >>> batch_partition(10, 4, 0.5)
    BatchPartition(sizes=(4, 4, 2), budgets=(2.0, 2.0, 1.0))
    """
    length, most = as_count(steps, "steps", most=_MOST_STEPS), as_count(size, "symbols of a batch", 1)
    budget = EPSILON.take(epsilon, "epsilon")
    sizes = (most,) * (length // most) + ((length % most,) if length % most else ())
    return BatchPartition(sizes, tuple(many * budget for many in sizes))


def pattern_count(n: int, size: int) -> int:
    """Return how many patterns a batch has, n to the power of its size."""
    symbols, many = as_count(n, "symbols", 1), as_count(size, "symbols of a batch", 1)
    if symbols > 1 and many > (math.log(_MOST_PATTERNS) + 1e-9) / math.log(symbols):
        base, power = shown(symbols), shown(many)
        raise LimitError(
            f"A batch of {power} symbols out of {base} has {base}^{power} patterns; at most "
            f"{_MOST_PATTERNS:,} can be followed. Take smaller batches or fewer symbols.",
            Where("parameter", name="size"),
        )
    return int(symbols**many)


def batch_index(symbols: ArrayLike, n: int) -> Any:
    """Return the number of the pattern of a batch: the symbols as digits to base n, the first step leading.

    Parameters
    ----------
    symbols
        Positions of symbols, shape (size,) or (..., size).
    n
        Number of symbols.

    Returns
    -------
    int or array
        With the leading shape.

    Examples
    --------
    >>> batch_index([1, 0, 2], 3), batch_index([[0, 1], [1, 1]], 2).tolist()
    (11, [1, 3])
    """
    where = Where("parameter", name="symbols")
    refuse_masked(symbols, "symbols")
    try:
        digits = np.asarray(symbols)
    except (ValueError, OverflowError):
        digits = np.empty(0)
    if digits.dtype.kind not in "iu" or digits.ndim == 0 or digits.shape[-1] == 0:
        raise StreamError(f"The batch is {shown(symbols)}; give positions of symbols.", where)
    pattern_count(n, digits.shape[-1])
    n = int(n)
    wrong = (digits < 0) | (digits >= n)
    if wrong.any():
        raise StreamError(
            f"The batch has the symbol {int(digits[wrong][0])}; a symbol is a position from 0 to {n - 1}.",
            where,
        )
    powers = np.array([n ** (digits.shape[-1] - 1 - k) for k in range(digits.shape[-1])], dtype=np.int64)
    found = (digits.astype(np.int64) * powers).sum(axis=-1)
    return int(found) if digits.ndim == 1 else found


def batch_patterns(n: int, size: int) -> Integers:
    """Return all patterns of a batch in the order of their numbers, shape (n to the power of size, size).

    Examples
    --------
    >>> batch_patterns(2, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    many = pattern_count(n, size)
    return np.stack(np.unravel_index(np.arange(many), (n,) * size), axis=1).astype(np.int64)
