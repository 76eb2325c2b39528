"""Batches of a first-order chain as the symbols of a stream; the last batch may be shorter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.sequence.about import StreamUnit
from pdp_widgets.leakage.sequence.stream_source import FirstOrderSource, StreamSource

__all__ = ["BatchSource"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A batch has at most so many patterns.
MOST_PATTERNS = 4096


class BatchSource(StreamSource):
    """Batches of a first-order chain as symbols: the state is the batch.

    The index of a batch is lexicographic, its first step most significant.

    Parameters
    ----------
    source
        The chain.
    size
        Number of steps of a batch.
    steps
        Number of steps in all, where the last batch may be shorter; without it all batches have one size.

    Examples
    --------
    >>> chain = FirstOrderSource(np.array([0.1, 0.9]), np.array([[0.9, 0.1], [0.1, 0.9]]))
    >>> source = BatchSource(chain, 2, steps=3)
    >>> source.start.round(3)
    array([0.09, 0.01, 0.09, 0.81])
    >>> source.batches, source.count(0), source.count(1)
    (2, 4, 2)
    """

    unit: StreamUnit = "batch"

    def __init__(self, source: FirstOrderSource, size: int, steps: int | None = None) -> None:
        # One batch of all steps, where there are fewer than a batch has.
        size = size if steps is None else min(size, max(1, steps))
        if source.n**size > MOST_PATTERNS:
            raise LimitError(
                f"A batch of {size} steps with {source.n} symbols has {source.n**size:,} patterns "
                f"(limit {MOST_PATTERNS:,}); take shorter batches.",
                Where("parameter", name="size"),
            )
        self._source, self.size, self._steps = source, size, steps
        #: Number of symbols of one step.
        self.step_symbols = source.n
        self.n = source.n**size
        self._tails = {1: np.ones((source.n, 1))}
        for many in range(2, size + 1):
            tail = source.transitions[:, :, None] * self._tails[many - 1][None]
            self._tails[many] = tail.reshape(source.n, -1)
        self.start = (source.start[:, None] * self._tails[size]).ravel()
        #: The last symbol of every whole batch.
        self.last = np.tile(np.arange(source.n), self.n // source.n)
        self._laws: dict[int, Floats] = {}

    @property
    def batches(self) -> int | None:
        """Number of batches, or None where it is left open."""
        return None if self._steps is None else -(-self._steps // self.size)

    def size_of(self, batch: int) -> int:
        """Return the number of steps of a batch; the first batch is 0."""
        return self.size if self._steps is None else min(self.size, self._steps - batch * self.size)

    def count(self, step: int) -> int:
        """Return the number of patterns of a batch."""
        return int(self.step_symbols ** self.size_of(step))

    @property
    def strict(self) -> bool:
        """Whether every batch may follow every other one."""
        return self._source.strict

    def symbols(self, step: int) -> Ints:
        """Return the batch of every state."""
        return np.arange(self.count(step))

    def push(self, values: Floats, step: int) -> Floats:
        """Return the laws one batch on."""
        last = np.zeros((len(values), self._source.n))
        np.add.at(last.T, self.last, values.T)
        return last @ self._law(step + 1)

    def best(self, values: Floats, step: int) -> Floats:
        """Return the largest value from which each batch can be reached."""
        last = np.full((len(values), self._source.n), -np.inf)
        np.maximum.at(last.T, self.last, values.T)
        allowed = self._law(step + 1) > 0
        reached = [np.where(allowed[s], last[:, s, None], -np.inf) for s in range(self._source.n)]
        return np.asarray(np.max(reached, axis=0))

    def successors(self, step: int) -> tuple[Ints, Floats]:
        """Return next states and their chances."""
        law = self._law(step + 1)[self.last]
        return np.broadcast_to(np.arange(law.shape[1]), law.shape), law

    def _law(self, batch: int) -> Floats:
        """Return the laws of a batch given the last symbol before it, shape (n, patterns)."""
        size = self.size_of(batch)
        if size not in self._laws:
            law = self._source.transitions[:, :, None] * self._tails[size][None]
            self._laws[size] = law.reshape(self._source.n, -1)
        return self._laws[size]
