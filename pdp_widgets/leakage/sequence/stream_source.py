"""Laws of streams as walks over states, so that one computation serves all of them.

A state is what the next symbol depends on: the last symbol, the last two, the whole history, or the last
batch. Every state has one successor for each next symbol.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import ChainError, Where
from pdp_widgets.leakage.sequence.step_leakage import StreamUnit
from pdp_widgets.mechanisms.sequence.log_lift import logs_of
from pdp_widgets.models.labels import shown
from pdp_widgets.models.stream_input import with_reader

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A product of two probabilities above this is a float.
_SMALL = 1e-150
#: Logarithms added at a time.
_AT_ONCE = 1 << 20


class StreamSource(ABC):
    """The law of a stream, by states."""

    # Arrays over states have the axes (nodes, states): a node is what was released so far.

    #: Number of symbols.
    n: int
    #: The law of the first state, which is the first symbol.
    start: Floats
    #: What one symbol stands for.
    unit: StreamUnit = "step"

    @property
    def strict(self) -> bool:
        """Whether every symbol may follow every state: the next step then decides by itself."""
        return False

    @abstractmethod
    def symbols(self, step: int) -> Ints:
        """Return the symbol of every state of a step; the first step is 0."""

    def count(self, step: int) -> int:
        """Return the number of symbols of a step."""
        return self.n

    def windows(self, step: int, length: int) -> Ints:
        """Return the number of the last symbols of every state, the earliest one leading; (states,)."""
        # The length has the symbol of the step in it; the first steps have fewer.
        if length == 1:
            return self.symbols(step)
        raise ChainError(
            "The mechanism looks at true symbols before, which the states of this source do not tell.",
            Where("parameter", name="mechanism"),
        )

    def previous(self, step: int) -> Ints | None:
        """Return the symbol before that of every state, or None at the first step."""
        return None if step == 0 else self.windows(step, 2) // self.count(step)

    @abstractmethod
    def push(self, values: Floats, step: int) -> Floats:
        """Return the laws of the states after this step from those at it."""

    @abstractmethod
    def successors(self, step: int) -> tuple[Ints, Floats]:
        """Return the state that follows each state with each symbol, and how likely; (states, n) both."""

    def best(self, values: Floats, step: int) -> Floats:
        """Return the largest value from which each state of the next step can be reached."""
        target, chance = self.successors(step)
        out = np.full((len(values), int(target.max()) + 1), -np.inf)
        for symbol in range(self.count(step + 1)):
            allowed = np.flatnonzero(chance[:, symbol] > 0)
            np.maximum.at(out.T, target[allowed, symbol], values[:, allowed].T)
        return out

    def log_push(self, logs: Floats, step: int) -> Floats:
        """Return the logarithms of the laws after this step from those at it, however small they are."""
        target, chance = self.successors(step)
        most = logs.max(axis=1, keepdims=True)
        laws = np.exp(logs - most)
        moved = logs_of(self.push(laws, step)) + most
        # A product of two that are small may be no float: then logarithms are added.
        small = _is_small(chance) | ((logs > -np.inf) & (laws < _SMALL)).any(axis=1)
        nodes, at_once = np.flatnonzero(small), max(1, _AT_ONCE // chance.size)
        for start in range(0, len(nodes), at_once):
            block = nodes[start : start + at_once]
            each = (logs[block][:, :, None] + logs_of(chance)).reshape(len(block), -1)
            moved[block] = _log_gathered(each, target.ravel(), moved.shape[1])
        return np.asarray(moved)

    def log_window_law(self, logs: Floats, step: int, length: int) -> Floats:
        """Return the logarithms of the laws of the last symbols from those of the states."""
        windows, many = self._all_windows(step, length)
        return logs if len(windows) == many else _log_gathered(logs, windows, many)

    def _all_windows(self, step: int, length: int) -> tuple[Ints, int]:
        many = math.prod(self.count(step - k) for k in range(min(length, step + 1)))
        return self.windows(step, length), many


def _is_small(probabilities: Floats) -> bool:
    """Tell whether some possible probability is so small that it times another one may be no float."""
    return bool(((probabilities > 0) & (probabilities < _SMALL)).any())


def _log_gathered(logs: Floats, target: Ints, many: int) -> Floats:
    """Return the logarithms of sums of probabilities by where they belong, shape (nodes, many)."""
    most = np.full((len(logs), many), -np.inf)
    np.maximum.at(most.T, target, logs.T)
    base = np.where(np.isfinite(most), most, 0.0)
    sums = np.zeros_like(base)
    np.add.at(sums.T, target, np.exp(logs - base[:, target]).T)
    return logs_of(sums) + base


class FirstOrderSource(StreamSource):
    """A first-order chain: the state is the symbol."""

    def __init__(self, start: Floats, transitions: Floats) -> None:
        self.start, self.transitions = start, transitions
        self.n = len(start)
        self._states = np.arange(self.n)
        self._open = transitions > 0
        self._strict = bool((start > 0).all() and (transitions > 0).all())

    @property
    def strict(self) -> bool:
        """Whether every symbol may follow every other one."""
        return self._strict

    def symbols(self, step: int) -> Ints:
        """Return the symbol of every state."""
        return self._states

    def push(self, values: Floats, step: int) -> Floats:
        """Return the laws one step on."""
        return values @ self.transitions

    def best(self, values: Floats, step: int) -> Floats:
        """Return the largest value from which each symbol can be reached."""
        if self._strict:
            return np.repeat(values.max(axis=1, keepdims=True), self.n, axis=1)
        return np.asarray(np.where(self._open, values[:, :, None], -np.inf).max(axis=1))

    def successors(self, step: int) -> tuple[Ints, Floats]:
        """Return next states and their chances."""
        return np.broadcast_to(self._states, (self.n, self.n)), self.transitions


class SecondOrderSource(StreamSource):
    """A second-order chain: the state is the first symbol, then the last two."""

    def __init__(self, start: Floats, early: Floats, transitions: Floats) -> None:
        self.start, self.early, self.transitions = start, early, transitions
        self.n = len(start)

    def symbols(self, step: int) -> Ints:
        """Return the last symbol of every state."""
        return np.arange(self.n) if step == 0 else np.tile(np.arange(self.n), self.n)

    def windows(self, step: int, length: int) -> Ints:
        """Return the number of the last two symbols of every state, or of one."""
        if length > 2:
            return super().windows(step, length)
        return np.arange(self.n**2) if step > 0 and length == 2 else self.symbols(step)

    def push(self, values: Floats, step: int) -> Floats:
        """Return the laws one step on."""
        n = self.n
        if step == 0:
            return np.asarray((values[:, :, None] * self.early).reshape(len(values), n * n))
        pairs = values.reshape(-1, n, n)
        return np.asarray(np.einsum("mij,ijk->mjk", pairs, self.transitions).reshape(len(values), n * n))

    def successors(self, step: int) -> tuple[Ints, Floats]:
        """Return next states and their chances."""
        n = self.n
        if step == 0:
            return np.arange(n * n).reshape(n, n), self.early
        last = np.tile(np.arange(n), n)
        return last[:, None] * n + np.arange(n), self.transitions.reshape(n * n, n)


class HistoryStates(StreamSource):
    """Any law, given by the probability of every history: the state is the whole history."""

    def __init__(self, laws: list[Floats]) -> None:
        # For each step the law of the symbol given the history before it, shape (n ** step, n).
        self._laws = laws
        self.start = laws[0][0]
        self.n = len(self.start)

    @property
    def steps(self) -> int:
        """The number of steps the law is given for."""
        return len(self._laws)

    def _law(self, step: int) -> Floats:
        if step + 1 >= len(self._laws):
            raise ChainError(
                f"The source is given for {len(self._laws)} steps; ask for no more.",
                Where("parameter", name="steps"),
            )
        return self._laws[step + 1]

    def symbols(self, step: int) -> Ints:
        """Return the last symbol of every history."""
        return np.tile(np.arange(self.n), self.n**step)

    def windows(self, step: int, length: int) -> Ints:
        """Return the number of the last symbols of every history."""
        return np.asarray(np.arange(self.n ** (step + 1)) % self.n ** min(length, step + 1))

    def push(self, values: Floats, step: int) -> Floats:
        """Return the laws one step on."""
        return np.asarray((values[:, :, None] * self._law(step)).reshape(len(values), -1))

    def successors(self, step: int) -> tuple[Ints, Floats]:
        """Return next states and their chances."""
        law = self._law(step)
        return np.arange(law.size).reshape(law.shape), law


def first_order(start: Any, transitions: Any) -> FirstOrderSource:
    """Return the source of a start law and a transition matrix, checked."""
    law, matrix = _laws(start, "start"), _laws(transitions, "transitions")
    if law.ndim != 1 or matrix.shape != (len(law), len(law)):
        raise ChainError(
            f"The start law has shape {law.shape} and the transitions {matrix.shape}; they are (n,) and "
            "(n, n).",
            Where("parameter", name="transitions"),
        )
    return FirstOrderSource(law, matrix)


def source_of(chain: Any) -> StreamSource:
    """Return a source: of a chain, a history source, or a pair of a start law and transitions."""
    if isinstance(chain, StreamSource):
        return chain
    if isinstance(chain, tuple) and len(chain) == 2:
        return first_order(*chain)
    if hasattr(chain, "transitions") and hasattr(chain, "start"):
        start = np.asarray(chain.start, dtype=np.float64)
        matrix = np.asarray(chain.transitions, dtype=np.float64)
        if chain.order == 1:
            return FirstOrderSource(start, matrix)
        return SecondOrderSource(start, np.asarray(chain.early, dtype=np.float64), matrix)
    if hasattr(chain, "probabilities"):
        return _of_probabilities(np.asarray(chain.probabilities, dtype=np.float64))
    words = (
        f"The source is {shown(chain)}; give a MarkovChain, a HistorySource, or a pair of a start law and a "
        "transition matrix."
    )
    raise TypeError(with_reader(words, chain))


def _of_probabilities(table: Floats) -> HistoryStates:
    """Return the conditional laws of a table over whole sequences, uniform after an impossible history."""
    n, laws = table.shape[0], []
    for step in range(table.ndim):
        joint = table.sum(axis=tuple(range(step + 1, table.ndim))).reshape(-1, n)
        before = joint.sum(axis=1, keepdims=True)
        laws.append(np.where(before > 0, joint / np.where(before > 0, before, 1.0), 1.0 / n))
    return HistoryStates(laws)


def _laws(values: Any, name: str) -> Floats:
    where = Where("parameter", name=name)
    refuse_masked(values, name)
    try:
        found = plain_numbers(values)
    except (TypeError, ValueError, OverflowError):
        raise ChainError(f"{name} is no array of numbers.", where) from None
    if found.ndim == 0 or found.size == 0 or not np.isfinite(found).all() or (found < 0).any():
        raise ChainError(f"{name} has an entry that is no probability; give numbers of 0 or more.", where)
    totals = found.sum(axis=-1, keepdims=True)
    if (abs(totals - 1) > 1e-8).any():
        row = int(np.argmax(abs(totals - 1)))
        at = f"Row {row + 1} of {name}" if found.ndim > 1 else f"The law {name}"
        raise ChainError(f"{at} sums to {float(totals.ravel()[row]):.12g}; it must sum to 1.", where)
    return np.asarray(found / totals)
