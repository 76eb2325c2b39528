"""Batches of a chain of first or second order as the symbols of a stream; the last batch may be shorter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.sequence.about import StreamUnit
from pdp_widgets.leakage.sequence.stream_source import FirstOrderSource, SecondOrderSource, StreamSource

__all__ = ["BatchSource"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A batch has at most so many patterns.
MOST_PATTERNS = 4096
#: Most chances of a batch after all ends of the one before it: those of 8 bytes each fill 128 MB.
_MOST_CHANCES = 1 << 24


class BatchSource(StreamSource):
    """Batches of a chain as symbols: the state is the batch.

    The index of a batch is lexicographic, its first step most significant. Of a chain of second order the
    last two symbols of a batch decide about the next one; batches of one step have the states of the chain.

    Parameters
    ----------
    source
        The chain.
    size
        Number of steps of a batch.
    steps
        Number of steps in all, where the last batch may be shorter; without it all batches have one size.

    Raises
    ------
    LimitError
        There are too many patterns, or too many chances of patterns after what came before.

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

    def __init__(
        self, source: FirstOrderSource | SecondOrderSource, size: int, steps: int | None = None
    ) -> None:
        # One batch of all steps, where there are fewer than a batch has.
        size = size if steps is None else min(size, max(1, steps))
        n = source.n
        if n**size > MOST_PATTERNS:
            raise LimitError(
                f"A batch of {size} steps with {n} symbols has {n**size:,} patterns "
                f"(limit {MOST_PATTERNS:,}); take shorter batches.",
                Where("parameter", name="size"),
            )
        second = isinstance(source, SecondOrderSource)
        #: Number of states that decide about the next batch.
        self._ends = n**2 if second else n
        if self._ends * n**size > _MOST_CHANCES:
            raise LimitError(
                f"A batch of {size} step{'s'[: size != 1]} after {self._ends:,} pairs of {n} symbols has "
                f"{self._ends * n**size:,} chances (limit {_MOST_CHANCES:,}); take shorter batches.",
                Where("parameter", name="size"),
            )
        self._source, self.size, self._steps = source, size, steps
        #: Number of symbols of one step.
        self.step_symbols = n
        self.n = n**size
        #: A chain of second order whose batches do not tell the last two symbols.
        self._alone = source if second and size == 1 else None
        #: The end after each end and each symbol: the symbol, or the one before it and the symbol.
        self._after = np.arange(self._ends).reshape(-1, n)[np.arange(self._ends) % (self._ends // n)]
        #: By number of steps the law of what comes after each end, shape (ends, patterns).
        self._laws: dict[int, Floats] = {0: np.ones((self._ends, 1))}
        if not isinstance(source, SecondOrderSource):
            first, told = source.start, 1
        else:
            first, told = (source.start[:, None] * source.early).ravel(), 2
        if self._alone is None:
            self.start = (first[:, None] * self._law_of(size - told)).ravel()
            #: How every whole batch ends: with which symbol, or with which two.
            self.last = np.tile(np.arange(self._ends), self.n // self._ends)
        else:
            self.start, self.last = source.start, np.arange(n)

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
        if self._alone is not None:
            return self._alone.symbols(step)
        return np.arange(self.count(step))

    def push(self, values: Floats, step: int) -> Floats:
        """Return the laws one batch on."""
        if self._alone is not None:
            return self._alone.push(values, step)
        last = np.zeros((len(values), self._ends))
        np.add.at(last.T, self.last, values.T)
        return last @ self._law(step + 1)

    def best(self, values: Floats, step: int) -> Floats:
        """Return the largest value from which each batch can be reached."""
        if self._alone is not None:
            return self._alone.best(values, step)
        last = np.full((len(values), self._ends), -np.inf)
        np.maximum.at(last.T, self.last, values.T)
        allowed = self._law(step + 1) > 0
        found = np.full((len(values), allowed.shape[1]), -np.inf)
        for end in range(self._ends):
            np.maximum(found, np.where(allowed[end], last[:, end, None], -np.inf), out=found)
        return found

    def successors(self, step: int) -> tuple[Ints, Floats]:
        """Return next states and their chances."""
        if self._alone is not None:
            return self._alone.successors(step)
        law = self._law(step + 1)[self.last]
        return np.broadcast_to(np.arange(law.shape[1]), law.shape), law

    def _law(self, batch: int) -> Floats:
        """Return the laws of a batch given how the one before it ended, shape (ends, patterns)."""
        return self._law_of(self.size_of(batch))

    def _law_of(self, steps: int) -> Floats:
        """Return the laws of some steps to come, shape (ends, patterns)."""
        if steps not in self._laws:
            rest = self._law_of(steps - 1)
            moves = self._source.transitions.reshape(self._ends, self.step_symbols)
            after = rest[self._after]
            self._laws[steps] = (moves[:, :, None] * after).reshape(self._ends, -1)
        return self._laws[steps]
