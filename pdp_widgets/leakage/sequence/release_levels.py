"""All release histories of a stream, level by level: the beliefs they lead to and the channels they call for.

The adversary sees releases alone, so that beliefs, channels and leakages of a step are functions of what was
released before. A level holds all such histories of one step at once. Histories that lead to the same belief
are one from then on, unless they are kept apart on request: a source without memory has one belief at every
step, however long the stream.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import ChainError, LimitError, Where
from pdp_widgets.leakage.progress import Progress, ProgressHook
from pdp_widgets.leakage.sequence.about import as_steps
from pdp_widgets.leakage.sequence.stream_source import StreamSource
from pdp_widgets.leakage.sequence.window_source import memory_of
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST
from pdp_widgets.mechanisms.sequence.memory_release import MemoryRelease
from pdp_widgets.models.given_numbers import plain_numbers
from pdp_widgets.models.labels import shown

__all__ = [
    "MOST_HISTORIES",
    "Level",
    "Step",
    "StepMechanism",
    "joined",
    "release_levels",
    "step_mechanisms",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Most release histories of one step, and most entries of their channels.
MOST_HISTORIES = 1 << 17
_MOST_ENTRIES = 1 << 23
#: Channels are asked for so many beliefs at a time, so that progress can be told and cancel.
_AT_ONCE = 256
#: Bits in which two beliefs agree that are taken for one.
_SAME_BITS = 42


class StepMechanism(Protocol):
    """What is needed of a mechanism: the channels for many beliefs."""

    def matrices(self, beliefs: Floats) -> Floats:
        """Return channels of shape (beliefs, n, n) for beliefs of shape (beliefs, n)."""


Step = StepMechanism | MemoryRelease | Callable[[Floats], Any]


@dataclass(frozen=True, eq=False)
class Level:
    """All release histories before one step.

    Parameters
    ----------
    step
        The step, counted from 0.
    chance
        Probability of each history, shape (m,).
    states
        Laws of the states of the source given the history, shape (m, s).
    beliefs
        Laws of what the release depends on given the history, shape (m, r): of the symbol, or for a mechanism
        that looks at symbols before too, of all of them.
    matrices
        The channels, shape (m, r, n).
    law
        Laws of the release given the history, shape (m, n).
    ratios
        Log of channel over law, shape (m, r, n); 0 for releases of probability 0.
    symbols, rows
        Symbol of every state, and its row in the channels, shape (s,).
    row_symbols
        Symbol of every row of the channels, shape (r,).
    parent, output
        History and release of each continuation of positive probability, shape (c,).
    into
        The history of the next level that a continuation becomes, shape (c,).
    """

    step: int
    chance: Floats
    states: Floats
    beliefs: Floats
    matrices: Floats
    law: Floats
    ratios: Floats
    symbols: Ints
    rows: Ints
    row_symbols: Ints
    parent: Ints
    output: Ints
    into: Ints

    @cached_property
    def lifts(self) -> tuple[Floats, Floats]:
        """Largest log ratio, and largest minus it, per history and release, over symbols that can occur.

        Both have shape (m, n) and are minus infinity for a release of probability 0.
        """
        out = (self.beliefs <= 0)[:, :, None] | (self.law <= 0)[:, None, :]
        upper = np.where(out, -np.inf, self.ratios).max(axis=1)
        lower = np.where(out, -np.inf, -self.ratios).max(axis=1)
        return upper, lower

    @cached_property
    def leakage(self) -> Floats:
        """What the step leaks after each history (IIL), shape (m,)."""
        upper, lower = self.lifts
        return np.asarray(np.maximum(np.maximum(upper, lower).max(axis=1), 0.0))

    @property
    def local_level(self) -> Floats:
        """The level of local privacy of each channel on the symbols that can occur, shape (m,)."""
        upper, lower = self.lifts
        return np.asarray(np.maximum((upper + lower).max(axis=1), 0.0))


def joined(values: Floats, into: Ints, join: np.ufunc = np.add) -> Floats:
    """Return values of continuations joined by the history they become.

    Examples
    --------
    >>> joined(np.array([1.0, 2.0, 4.0]), np.array([1, 0, 1])).tolist()
    [2.0, 5.0]
    """
    order = np.argsort(into, kind="stable")
    first = np.flatnonzero(np.diff(into[order], prepend=-1))
    return np.asarray(join.reduceat(values[order], first, axis=0))


def step_mechanisms(mechanism: Step | Sequence[Step], steps: int) -> list[Step]:
    """Return the mechanism of every step: one for all, or one for each.

    Raises
    ------
    ChainError
        There are more or fewer mechanisms than steps.
    TypeError
        Something is no mechanism.
    """
    given: list[Any]
    given = list(mechanism) if isinstance(mechanism, list | tuple) else [mechanism] * steps
    if len(given) != steps:
        raise ChainError(
            f"There are {len(given)} mechanisms for {steps} steps; give one, or one for each step.",
            Where("parameter", name="mechanism"),
        )
    for one in given:
        if not callable(one) and not hasattr(one, "matrices") and not isinstance(one, MemoryRelease):
            raise TypeError(
                f"The mechanism is {shown(one)}; give one such as BalancedResponse(1.0), or a function from "
                "a belief to a matrix."
            )
    return given


def release_levels(
    source: StreamSource,
    mechanism: Step | Sequence[Step],
    steps: int,
    *,
    merge: bool = True,
    most: int = MOST_HISTORIES,
    progress: ProgressHook | None = None,
) -> Iterator[Level]:
    """Go through all release histories of a stream.

    Parameters
    ----------
    source
        The law of the stream.
    mechanism
        A mechanism, a function from a belief to a matrix, or one of them for each step.
    steps
        Number of steps.
    merge
        Go on with histories that lead to one belief as one.
    most
        Refuse more histories at one step.
    progress
        Told the share done; what it raises cancels.

    Raises
    ------
    LimitError
        There are too many histories.

    Examples
    --------
    >>> from pdp_widgets.leakage.sequence.stream_source import first_order
    >>> source = first_order([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]])
    >>> flip = lambda belief: np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> [len(level.chance) for level in release_levels(source, flip, 4)]
    [1, 2, 4, 8]
    >>> fair = first_order([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]])
    >>> [len(level.chance) for level in release_levels(fair, flip, 4)]
    [1, 1, 1, 1]
    """
    length, most = as_steps(steps), as_size(most, "most", 1)
    given = step_mechanisms(mechanism, length)
    states, chance = source.start[None], np.ones(1)
    # What was released last, where a mechanism asks for it.
    last: Ints | None = None
    asks = any(_previous(one) == "released" for one in given[1:])
    told = Progress(progress, max(1, min(most, source.n ** min(length, 64)) // _AT_ONCE))
    for step in range(length):
        memory, many = memory_of(given[step]), source.count(step)
        counts = [source.count(past) for past in range(max(0, step + 1 - memory), step + 1)]
        width = max(len(source.symbols(step)), math.prod(counts) * many)
        _check(len(states), width, source, step, length, most)
        symbols = source.symbols(step)
        if isinstance(given[step], MemoryRelease):
            beliefs, rows = source.window_law(states, step, memory), source.windows(step, memory)
            row_symbols = np.arange(beliefs.shape[1]) % many
            matrices = _by_window(given[step], beliefs, counts, told)
        elif _previous(given[step]) == "true":
            beliefs, rows, row_symbols = states, np.arange(len(symbols)), symbols
            matrices = _by_state(given[step], source, step, len(states))
            told.step()
        else:
            beliefs, rows, row_symbols = source.symbol_law(states, step), symbols, np.arange(many)
            matrices = _channels(given[step], beliefs, told, last)
        law = np.einsum("mx,mxy->my", beliefs, matrices)
        live = law > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.log(matrices) - np.log(law)[:, None, :]
        ratios[np.broadcast_to(~live[:, None, :], ratios.shape)] = 0.0
        parent, output = np.nonzero(live)
        following: Floats | None = None
        into = np.arange(len(parent))
        if step + 1 < length:
            # What is merged is held for a moment.
            room = source.n * most if merge else most
            _check(len(parent), len(source.symbols(step + 1)), source, step + 1, length, room)
            posterior = states[parent] * matrices[parent[:, None], rows[None], output[:, None]]
            posterior /= posterior.sum(axis=1, keepdims=True)
            following = source.push(posterior, step)
            following /= following.sum(axis=1, keepdims=True)
            following[following < SMALLEST] = 0.0
            if merge:
                following, into = _merged(following, output if asks else None)
            if asks:
                last = np.zeros(len(following), dtype=np.int64)
                last[into] = output
        level = Level(
            step,
            chance,
            states,
            beliefs,
            matrices,
            law,
            ratios,
            symbols,
            rows,
            row_symbols,
            parent,
            output,
            into,
        )
        yield level
        if following is None:
            break
        chance = joined((chance[:, None] * law)[parent, output], into)
        states = following
    told.finish()


def _check(histories: int, width: int, source: StreamSource, step: int, steps: int, most: int) -> None:
    """Raise LimitError for more histories than can be held."""
    allowed = min(most, _MOST_ENTRIES // width)
    if histories > allowed:
        raise LimitError(
            f"{steps} steps with {source.n:,} symbols have {histories:,} release histories before step "
            f"{step + 1} (limit {allowed:,}); take fewer steps.",
            Where("parameter", name="steps"),
        )


def _previous(mechanism: Step) -> Any:
    return getattr(mechanism, "previous_is", None)


def _by_state(mechanism: Any, source: StreamSource, step: int, histories: int) -> Floats:
    """Return the rows of a mechanism that looks at the true symbol before: one for each state."""
    before = source.previous(step)
    if before is None:
        rows = mechanism.given(None)[source.symbols(step)]
    else:
        pairs = zip(before.tolist(), source.symbols(step).tolist(), strict=True)
        after = {previous: mechanism.given(previous) for previous in set(before.tolist())}
        rows = np.stack([after[previous][symbol] for previous, symbol in pairs])
    return np.broadcast_to(rows, (histories, *rows.shape))


def _by_window(mechanism: Any, beliefs: Floats, counts: list[int], told: Progress) -> Floats:
    """Return the rows of a mechanism with a memory: one for each window."""
    parts = []
    for start in range(0, len(beliefs), _AT_ONCE):
        parts.append(mechanism.channels(beliefs[start : start + _AT_ONCE], counts))
        told.step()
    return np.concatenate(parts)


def _channels(mechanism: Any, beliefs: Floats, told: Progress, last: Ints | None) -> Floats:
    if last is not None and _previous(mechanism) == "released":
        after = {previous: mechanism.given(previous) for previous in set(last.tolist())}
        told.step()
        return np.stack([after[previous] for previous in last.tolist()])
    parts = []
    for start in range(0, len(beliefs), _AT_ONCE):
        part = beliefs[start : start + _AT_ONCE]
        if hasattr(mechanism, "matrices"):
            parts.append(_numbers(mechanism.matrices(part)))
        else:
            parts.append(_numbers([_numbers(mechanism(belief)) for belief in part]))
        told.step()
    found = np.concatenate(parts)
    m, n = beliefs.shape
    if found.shape != (m, n, n):
        raise ChainError(
            f"The mechanism returned channels of shape {found.shape[1:]}; the stream has {n} symbols, and "
            f"they must be ({n}, {n}).",
            Where("parameter", name="mechanism"),
        )
    sums = found.sum(axis=2)
    if not (found >= 0).all() or (abs(sums - 1) > 1e-8).any():
        raise ChainError(
            "The mechanism returned a row that is no law; entries are 0 or more and sum to 1.",
            Where("parameter", name="mechanism"),
        )
    return found


def _numbers(given: Any) -> Floats:
    try:
        return np.asarray(plain_numbers(given))
    except (TypeError, ValueError, OverflowError):
        raise ChainError(
            f"The mechanism returned {shown(given)}; it must return a matrix, with a row for each symbol.",
            Where("parameter", name="mechanism"),
        ) from None


def _merged(states: Floats, apart: Ints | None) -> tuple[Floats, Ints]:
    """Return the different laws, and which of them each one is; those with other marks stay apart."""
    mantissa, exponent = np.frexp(states)
    keys = np.ldexp(np.round(mantissa * 2.0**_SAME_BITS), exponent - _SAME_BITS)
    if apart is not None:
        keys = np.column_stack([keys, apart])
    _, first, into = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return states[first], np.asarray(into).reshape(-1)
