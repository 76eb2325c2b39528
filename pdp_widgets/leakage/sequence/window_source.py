"""Streams whose states tell the last true symbols, for mechanisms that look at more than the current one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, Where
from pdp_widgets.leakage.sequence.stream_source import HistoryStates, SecondOrderSource, StreamSource

__all__ = ["WindowSource", "memory_of", "with_memory"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

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
    """Any source with the last symbols as part of the state.

    Parameters
    ----------
    source
        The law of the stream.
    length
        How many symbols, the current one included.

    Examples
    --------
    >>> from pdp_widgets.leakage.sequence.stream_source import first_order
    >>> source = WindowSource(first_order([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]]), 3)
    >>> [len(source.symbols(step)) for step in range(4)]
    [2, 4, 8, 8]
    >>> source.windows(3, 3).tolist(), source.windows(3, 2).tolist()
    ([0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 0, 1, 2, 3])
    """

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
    """Return how many true symbols a mechanism looks at, the current one included.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse, TemporalResponse
    >>> memory_of(ConditionalResponse(1.0)), memory_of(TemporalResponse(1.0, [[0.5, 0.5], [0.2, 0.8]]))
    (1, 2)
    """
    found = getattr(mechanism, "memory", None)
    if found is not None:
        return int(found)
    return 2 if getattr(mechanism, "previous_is", None) == "true" else 1


def with_memory(source: StreamSource, mechanism: Any) -> StreamSource:
    """Return a source whose states tell all true symbols that a mechanism, or one of several, looks at.

    Examples
    --------
    >>> from pdp_widgets.leakage.sequence.stream_source import first_order
    >>> source = first_order([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]])
    >>> with_memory(source, None) is source
    True
    """
    given = mechanism if isinstance(mechanism, list | tuple) else [mechanism]
    most = max((memory_of(one) for one in given), default=1)
    if most == 1 or isinstance(source, HistoryStates):
        return source
    if most == 2 and isinstance(source, SecondOrderSource):
        return source
    if isinstance(source, WindowSource) and source.length >= most:
        return source
    return WindowSource(source, most)
