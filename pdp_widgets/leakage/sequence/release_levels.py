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

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.converters import plain_numbers
from pdp_widgets.core.progress import Progress, ProgressHook, timed
from pdp_widgets.errors import ChainError, LimitError, Where
from pdp_widgets.leakage.sequence.batched_stream import memory_of
from pdp_widgets.leakage.sequence.step_leakage import as_steps
from pdp_widgets.leakage.sequence.stream_source import StreamSource
from pdp_widgets.mechanisms.sequence.batch_release import MemoryRelease
from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST
from pdp_widgets.mechanisms.sequence.log_lift import log_sum, logs_of
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.models.labels import shown

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Most release histories of one step, and most entries of their channels.
MOST_HISTORIES = 1 << 17
_MOST_ENTRIES = 1 << 23
#: Channels are asked for so many beliefs at a time, so that progress can be told and cancel.
_AT_ONCE = 256
#: Bits behind the point in which the logarithms of two beliefs agree that are taken for one.
_SAME_BITS = 38


class StepMechanism(Protocol):
    """What is needed of a mechanism: the channels for many beliefs."""

    def matrices(self, beliefs: Floats) -> Floats:
        """Return channels of shape (beliefs, n, n) for beliefs of shape (beliefs, n)."""


Step = StepMechanism | MemoryRelease | Callable[[Floats], Any]


@dataclass(frozen=True, eq=False)
class Level:
    """All release histories before one step."""

    # m histories, s states of the source, n releases, c continuations, and r rows of the channels: symbols,
    # or for a mechanism that looks at symbols before too, all of them.
    step: int  # counted from 0
    chance: Floats  # of each history, (m,)
    states: Floats  # laws of the states given the history, (m, s)
    beliefs: Floats  # laws of the rows given the history, (m, r)
    matrices: Floats  # the channels, (m, r, n)
    law: Floats  # of the release given the history, (m, n)
    #: Log of channel over law, (m, r, n); 0 for releases of probability 0. They are right too where
    #: probabilities are too small for a float, and stand as 0 above.
    ratios: Floats
    possible: Bools  # which rows are possible, (m, r)
    live: Bools  # which releases are possible, (m, n)
    symbols: Ints  # of every state, (s,)
    rows: Ints  # the row of every state, (s,)
    row_symbols: Ints  # symbol of every row, (r,)
    parent: Ints  # history of each continuation of positive probability, (c,)
    output: Ints  # its release, (c,)
    into: Ints  # the history of the next level that it becomes, (c,)

    @cached_property
    def lifts(self) -> tuple[Floats, Floats]:
        """Largest log ratio, and largest minus it, of possible symbols, (m, n); -inf where never released."""
        out = ~(self.possible[:, :, None] & self.live[:, None, :])
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
    """Return values of continuations joined by the history they become."""
    order = np.argsort(into, kind="stable")
    first = np.flatnonzero(np.diff(into[order], prepend=-1))
    return np.asarray(join.reduceat(values[order], first, axis=0))


def step_mechanisms(mechanism: Step | Sequence[Step], steps: int) -> list[Step]:
    """Return the mechanism of every step: one for all, or one for each."""
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
    limit: float = math.inf,
    progress: ProgressHook | None = None,
) -> Iterator[Level]:
    """Go through all release histories of a stream."""
    length, most = as_steps(steps), as_size(most, "most", 1)
    given = step_mechanisms(mechanism, length)
    # Laws are followed as logarithms: a product of two probabilities may be too small for a float.
    logs, chance = logs_of(source.start[None]), np.ones(1)
    # What was released last, where a mechanism asks for it.
    last: Ints | None = None
    asks = any(_previous(one) == "released" for one in given[1:])
    hook = timed(
        progress, limit, f"The walk over {length} steps of {source.n:,} symbols", "Take fewer steps."
    )
    told = Progress(hook, max(1, min(most, source.n ** min(length, 64)) // _AT_ONCE))
    for step in range(length):
        now: Any = given[step]
        memory, many = memory_of(now), source.count(step)
        counts = [source.count(past) for past in range(max(0, step + 1 - memory), step + 1)]
        width = max(len(source.symbols(step)), math.prod(counts) * many)
        _check(len(logs), width, source, step, length, most)
        symbols = source.symbols(step)
        if isinstance(now, MemoryRelease):
            log_beliefs, rows = source.log_window_law(logs, step, memory), source.windows(step, memory)
            row_symbols = np.arange(log_beliefs.shape[1]) % many
            log_matrices = logs_of(_by_window(now, _probabilities(log_beliefs), counts, told))
        elif _previous(now) == "true":
            log_beliefs, rows, row_symbols = logs, np.arange(len(symbols)), symbols
            log_matrices = _by_state(_log_given(now), source, step, len(logs))
            told.step()
        else:
            log_beliefs, rows, row_symbols = source.log_window_law(logs, step, 1), symbols, np.arange(many)
            log_matrices = _log_channels(now, log_beliefs, told, last)
        possible = log_beliefs > -np.inf
        total = log_sum(log_beliefs[:, :, None] + log_matrices, (1,))
        # A mean is never beyond what it is taken of: a constant release leaks 0, whatever rounding says.
        least = np.where(possible[:, :, None], log_matrices, np.inf).min(axis=1)
        log_law = np.clip(total, least, np.where(possible[:, :, None], log_matrices, -np.inf).max(axis=1))
        live = log_law > -np.inf
        with np.errstate(invalid="ignore"):
            ratios = log_matrices - log_law[:, None, :]
        ratios[np.broadcast_to(~live[:, None, :], ratios.shape)] = 0.0
        parent, output = np.nonzero(live)
        into = np.arange(len(parent))
        following: Floats | None = None
        if step + 1 < length:
            # What is merged is held for a moment.
            room = source.n * most if merge else most
            _check(len(parent), len(source.symbols(step + 1)), source, step + 1, length, room)
            posterior = logs[parent] + log_matrices[parent[:, None], rows[None], output[:, None]]
            following = source.log_push(posterior, step)
            following -= log_sum(following, (1,))[:, None]
            if merge:
                following, into = _merged(following, output if asks else None)
            if asks:
                last = np.zeros(len(following), dtype=np.int64)
                last[into] = output
        law = np.exp(log_law)
        yield Level(
            step,
            chance,
            _probabilities(logs),
            _probabilities(log_beliefs),
            np.exp(log_matrices),
            law,
            ratios,
            possible,
            live,
            symbols,
            rows,
            row_symbols,
            parent,
            output,
            into,
        )
        told.wait()
        if following is None:
            break
        chance = joined((chance[:, None] * law)[parent, output], into)
        logs = following
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


def _log_given(mechanism: Any) -> Callable[[int | None], Floats]:
    """Return what gives the logarithms of the matrix after a symbol, of anybody's mechanism."""
    return getattr(mechanism, "log_given", lambda previous: logs_of(_numbers(mechanism.given(previous))))


def _probabilities(logs: Floats) -> Floats:
    """Return laws from their logarithms; what is too small for a float is 0."""
    laws = np.exp(logs)
    laws[laws < SMALLEST] = 0.0
    return np.asarray(laws / laws.sum(axis=1, keepdims=True))


def _by_state(
    given: Callable[[int | None], Floats], source: StreamSource, step: int, histories: int
) -> Floats:
    """Return the rows of a mechanism that looks at the true symbol before: one for each state."""
    before = source.previous(step)
    if before is None:
        rows = given(None)[source.symbols(step)]
    else:
        pairs = zip(before.tolist(), source.symbols(step).tolist(), strict=True)
        after = {previous: given(previous) for previous in set(before.tolist())}
        rows = np.stack([after[previous][symbol] for previous, symbol in pairs])
    return np.broadcast_to(rows, (histories, *rows.shape))


def _by_window(mechanism: Any, beliefs: Floats, counts: list[int], told: Progress) -> Floats:
    """Return the rows of a mechanism with a memory: one for each window."""
    parts = []
    for start in range(0, len(beliefs), _AT_ONCE):
        parts.append(mechanism.channels(beliefs[start : start + _AT_ONCE], counts))
        told.step()
    return np.concatenate(parts)


def _log_channels(mechanism: Any, log_beliefs: Floats, told: Progress, last: Ints | None) -> Floats:
    """Return the logarithms of the channels for all beliefs."""
    if last is not None and _previous(mechanism) == "released":
        after = {previous: _log_given(mechanism)(previous) for previous in set(last.tolist())}
        told.step()
        return np.stack([after[previous] for previous in last.tolist()])
    beliefs = _probabilities(log_beliefs)
    parts = []
    for start in range(0, len(beliefs), _AT_ONCE):
        block = slice(start, start + _AT_ONCE)
        part = beliefs[block]
        if isinstance(mechanism, SequenceMechanism):
            parts.append(mechanism._log_matrices(mechanism._many(part), log_beliefs[block]))
        elif hasattr(mechanism, "matrices"):
            parts.append(_numbers(mechanism.matrices(part)))
        else:
            parts.append(_numbers([_numbers(mechanism(belief)) for belief in part]))
        told.step()
    found = np.concatenate(parts)
    return found if isinstance(mechanism, SequenceMechanism) else logs_of(_checked(found, *beliefs.shape))


def _checked(found: Floats, m: int, n: int) -> Floats:
    """Return what somebody's own mechanism made for m beliefs, or raise ChainError."""
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


def _merged(logs: Floats, apart: Ints | None) -> tuple[Floats, Ints]:
    """Return the different laws, and which of them each one is; those with other marks stay apart."""
    keys = np.round(logs * 2.0**_SAME_BITS)
    if apart is not None:
        keys = np.column_stack([keys, apart])
    _, first, into = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return logs[first], np.asarray(into).reshape(-1)
