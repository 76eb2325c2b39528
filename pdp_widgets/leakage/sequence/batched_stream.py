"""Streams released batch by batch, and steps released by a window of symbols, as sources of histories."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import ChainError, LimitError, Where
from pdp_widgets.leakage.sequence.step_leakage import StreamUnit
from pdp_widgets.leakage.sequence.stream_source import (
    FirstOrderSource,
    HistoryStates,
    SecondOrderSource,
    StreamSource,
)
from pdp_widgets.mechanisms.sequence.batch_release import BatchRelease, MemoryRelease
from pdp_widgets.mechanisms.sequence.distances import batch_distance, distance_matrix

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A batch has at most so many patterns.
MOST_PATTERNS = 4096
#: Most chances of a batch after all ends of the one before it: those of 8 bytes each fill 128 MB.
_MOST_CHANCES = 1 << 24


class BatchSource(StreamSource):
    """Batches of a chain as symbols: the state is the batch; with ``steps`` the last one may be shorter."""

    # The index of a batch is lexicographic, its first step most significant. Of a chain of second order the
    # last two symbols of a batch decide about the next one; batches of one step have the states of the chain.
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


#: Most pairs of a state and a next symbol.
_MOST_MOVES = 1 << 20


@dataclass(frozen=True, eq=False)
class _States:
    """The states of one step: that of the source, and the last symbols, the earliest first."""

    base: Ints
    past: Ints


@dataclass(frozen=True, eq=False)
class _Moves:
    """The states of a step, and where they lead: successors and chances, both (states, symbols)."""

    states: _States
    target: Ints
    chance: Floats
    following: _States


class WindowSource(StreamSource):
    """Any source with the last ``length`` symbols, the current one included, as part of the state."""

    def __init__(self, source: StreamSource, length: int) -> None:
        self.source, self.length = source, length
        self.n, self.start, self.unit = source.n, source.start, source.unit
        symbols = source.symbols(0)
        self._states = [_States(np.arange(len(symbols)), symbols[:, None])]
        self._moves: list[_Moves] = []

    def count(self, step: int) -> int:
        """Return the number of symbols of a step."""
        return self.source.count(step)

    def symbols(self, step: int) -> Ints:
        """Return the symbol of every state."""
        return np.asarray(self._at(step).past[:, -1])

    def windows(self, step: int, length: int) -> Ints:
        """Return the number of the last symbols of every state, the earliest one leading."""
        if length > self.length:
            return super().windows(step, length)
        past = self._at(step).past
        found = np.zeros(len(past), dtype=np.int64)
        for back in range(min(length, past.shape[1]), 0, -1):
            found = found * self.count(step + 1 - back) + past[:, -back]
        return found

    def push(self, values: Floats, step: int) -> Floats:
        """Return the laws one step on."""
        moves = self._move(step)
        out = np.zeros((len(values), len(moves.following.base)))
        for symbol in range(moves.target.shape[1]):
            np.add.at(out.T, moves.target[:, symbol], (values * moves.chance[:, symbol]).T)
        return out

    def successors(self, step: int) -> tuple[Ints, Floats]:
        """Return next states and their chances."""
        moves = self._move(step)
        return moves.target, moves.chance

    def _at(self, step: int) -> _States:
        return self._states[0] if step == 0 else self._move(step - 1).following

    def _move(self, step: int) -> _Moves:
        while len(self._moves) <= step:
            self._moves.append(self._moved(len(self._moves)))
        return self._moves[step]

    def _moved(self, step: int) -> _Moves:
        states = self._at(step)
        targets, chances = self.source.successors(step)
        many = targets.shape[1]
        if len(states.base) * many > _MOST_MOVES:
            raise LimitError(
                f"Windows of {self.length} out of {self.n:,} symbols have too many states before step "
                f"{step + 2} ({len(states.base):,}); take a shorter memory or fewer symbols.",
                Where("parameter", name="mechanism"),
            )
        target, chance = targets[states.base], chances[states.base]
        symbol = np.broadcast_to(np.arange(many), target.shape)
        kept = states.past[:, -(self.length - 1) :] if self.length > 1 else states.past[:, :0]
        past = np.column_stack([np.repeat(kept, many, axis=0), symbol.ravel()])
        # Windows first: states in the order of their windows.
        rows, into = np.unique(np.column_stack([past, target.ravel()]), axis=0, return_inverse=True)
        following = _States(rows[:, -1], rows[:, :-1])
        if self._moves:
            last = self._moves[-1]
            if np.array_equal(last.following.past, following.past) and np.array_equal(
                last.following.base, following.base
            ):
                # Long streams have the same states at every step.
                following = last.following
        return _Moves(states, np.asarray(into).reshape(target.shape), chance, following)

    @cached_property
    def strict(self) -> bool:
        """Windows overlap: not every one follows every other one."""
        return self.length == 1 and self.source.strict


def memory_of(mechanism: Any) -> int:
    """Return how many true symbols a mechanism looks at, the current one included."""
    found = getattr(mechanism, "memory", None)
    if found is not None:
        return int(found)
    return 2 if getattr(mechanism, "previous_is", None) == "true" else 1


def with_memory(source: StreamSource, mechanism: Any) -> StreamSource:
    """Return a source whose states tell all true symbols that a mechanism, or one of several, looks at."""
    given = mechanism if isinstance(mechanism, list | tuple) else [mechanism]
    most = max((memory_of(one) for one in given), default=1)
    if most == 1 or isinstance(source, HistoryStates):
        return source
    if most == 2 and isinstance(source, SecondOrderSource):
        return source
    if isinstance(source, WindowSource) and source.length >= most:
        return source
    return WindowSource(source, most)


def as_released(source: StreamSource, mechanism: Any, steps: int) -> tuple[StreamSource, Any, int]:
    """Return source, mechanism and number of releases: of batches and windows where a mechanism asks."""
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
    """Return what tells the distances of symbols at a step; of batches they are sums over their steps."""
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
    """Return the symbols of batches, one after the other."""
    pairs = zip(batches, sizes, strict=True)
    return tuple(batch // n ** (size - 1 - k) % n for batch, size in pairs for k in range(size))
