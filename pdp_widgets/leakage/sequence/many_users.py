"""Streams of many users, released symbol by symbol under one mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import as_flag, as_generator, refuse_masked
from pdp_widgets.core.progress import Progress, ProgressHook, refuse_beyond, timed
from pdp_widgets.errors import BudgetError, LimitError, StreamError, Where
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.leakage.sequence.following import Followed, follow, room_for_beliefs
from pdp_widgets.leakage.sequence.step_leakage import SOURCE
from pdp_widgets.leakage.sweeps import as_executor, swept
from pdp_widgets.mechanisms.sequence.distances import distance_matrix
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism, within
from pdp_widgets.models.chain_checks import as_count
from pdp_widgets.models.immutable import EqualByFields, ReadOnlyArrays, read_only
from pdp_widgets.models.labels import how_many, shown
from pdp_widgets.models.markov_chain import MarkovChain, as_chain
from pdp_widgets.models.stream_data import StreamData

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Numbers of beliefs that are kept: 1 GB.
_MOST_BELIEFS = 1 << 27
_MOST_DRAWN = 1 << 27
#: Beliefs of so many numbers are followed at once: they fit into the cache.
_BLOCK = 1 << 15


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedReleases(EqualByFields, ReadOnlyArrays, NumberTable):
    """What many users had, what was released, and what each release could tell.

    Its tables have one release a row: users one after the other, steps from 1.

    Parameters
    ----------
    chain, mechanism
        The model of the adversary and the rule of every step.
    symbols
        True symbols, shape (users, steps).
    released
        Released symbols, shape (users, steps).
    leakage
        Achieved leakage of every release, given the releases before, in nats, shape (users, steps): the
        largest log ratio over what might be released, and not the nominal budget.
    log_probability
        Log probability of all releases of each user.
    beliefs
        Belief of the adversary before each release, shape (users, steps, n); None where it was not kept.
    last
        Belief about the symbol after the last one, shape (users, n).

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse, MarkovChain
    >>> done = simulate_releases(MarkovChain.symmetric(0.9), ConditionalResponse(1.0), 50, users=20, rng=1)
    >>> done
    SimulatedReleases(crr, epsilon=1, 20 users, 50 steps)
    >>> done.over_budget > 0.5
    True
    """

    chain: MarkovChain
    mechanism: SequenceMechanism
    symbols: Integers
    released: Integers
    leakage: Floats
    log_probability: Floats
    beliefs: Floats | None = field(default=None)
    last: Floats | None = field(default=None)

    @property
    def users(self) -> int:
        """Number of users."""
        return int(self.symbols.shape[0])

    @property
    def steps(self) -> int:
        """Length of every stream."""
        return int(self.symbols.shape[1])

    @cached_property
    def errors(self) -> Floats:
        """1 where the released symbol is not the true one, else 0; shape (users, steps), read-only."""
        found: Floats = read_only(np.asarray(self.released != self.symbols, dtype=np.float64))
        return found

    def distances(self, distance: Any = None) -> Floats:
        """Return how far each released symbol is from the true one, shape (users, steps).

        Parameters
        ----------
        distance
            A `Distance`, its name, or a matrix; without it 0 or 1.
        """
        table = distance_matrix(distance, self.chain.n)
        return np.asarray(table[self.symbols, self.released])

    @property
    def error(self) -> float:
        """Share of released symbols that are not the true ones; 0 without any."""
        return float(self.errors.mean()) if self.errors.size else 0.0

    @property
    def over_budget(self) -> float:
        """Share of steps at which the achieved leakage is larger than the budget."""
        if not self.leakage.size:
            return 0.0
        return float((~within(self.leakage, self.mechanism.epsilon)).mean())

    @cached_property
    def total_leakage(self) -> Floats:
        """Running sum of the achieved leakage of each user, shape (users, steps), read-only."""
        found: Floats = read_only(np.cumsum(self.leakage, axis=1))
        return found

    def _numbers(self) -> Numbers:
        states = np.array(self.chain.states, dtype=object)
        columns: dict[str, Any] = {
            "user": np.repeat(np.arange(self.users), self.steps),
            "step": np.tile(np.arange(1, self.steps + 1), self.users),
            "symbol": states[self.symbols.ravel()],
            "released": states[self.released.ravel()],
            "leakage": self.leakage.ravel(),
            "total leakage": self.total_leakage.ravel(),
        }
        if self.beliefs is not None:
            for place, label in enumerate(self.chain.states):
                columns[f"belief {label}"] = self.beliefs[:, :, place].ravel()
        name, epsilon = self.mechanism.name, self.mechanism.epsilon
        return Numbers(
            columns,
            {
                "user": "count",
                "step": "count",
                "symbol": "text",
                "released": "text",
                "leakage": "nats",
                "total leakage": "nats",
            },
            {
                "mechanism": name,
                "epsilon": epsilon,
                "unit": "nats",
                "source": SOURCE,
                "status": {"leakage": "exact", "total leakage": "bound"},
            },
            (f"{name}, {epsilon_words(epsilon)}",),
        )

    def __repr__(self) -> str:
        users = how_many(self.users, "user")
        steps = how_many(self.steps, "step")
        name, epsilon = self.mechanism.name, self.mechanism.epsilon
        return f"SimulatedReleases({name}, epsilon={epsilon:g}, {users}, {steps})"


def simulate_releases(
    chain: MarkovChain,
    mechanism: SequenceMechanism,
    steps: int | None = None,
    users: int = 1,
    rng: np.random.Generator | int | None = None,
    *,
    streams: Any = None,
    keep_beliefs: bool | None = None,
    limit: float = 60.0,
    progress: ProgressHook | None = None,
    executor: Executor | None = None,
) -> SimulatedReleases:
    """Release streams of many users and follow the belief of the adversary about each.

    Parameters
    ----------
    chain
        What the adversary knows of the streams; they are drawn from it too.
    mechanism
        The rule of every step.
    steps, users
        Length of the streams, without it 20, and how many.
    rng
        Generator or seed; without it fresh randomness. With streams that are given, one seed gives every
        mechanism the same random numbers.
    streams
        True symbols instead of drawn ones: positions, shape (users, steps), or a `StreamData` whose streams
        have one length and whose labels the chain has.
    keep_beliefs
        Whether the record holds all beliefs; without it where they take less than 1 GB.
    limit
        Seconds: refuse what would take longer by an estimate, and end what does; ``math.inf`` for no limit.
    progress
        Called now and then with the share done, at last with 1.0. What it raises cancels.
    executor
        Whose workers follow some of the users, as for `pdp_widgets.prior.leakage_intervals`.

    Raises
    ------
    StreamError
        The streams have different lengths, or a symbol that the chain does not have.
    ModelMismatch
        A release has probability 0 under the chain: such data are not from it.
    LimitError
        There are too many users and steps for the memory, or they take longer than the limit.

    Notes
    -----
    The guarantee of a mechanism is for data from the chain. Given streams may come from elsewhere: then the
    record shows what the adversary believes, and its leakages are those the chain implies.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse, MarkovChain, seattle_weather
    >>> days = seattle_weather()
    >>> chain = MarkovChain.from_streams(days)
    >>> done = simulate_releases(chain, ConditionalResponse(2.0), streams=days, rng=1)
    >>> done.steps, done.released.shape, bool(done.leakage.max() > 2)
    (1461, (1, 1461), True)
    """
    as_chain(chain)
    if not isinstance(mechanism, SequenceMechanism):
        raise BudgetError(
            f"The mechanism is {shown(mechanism)}; give one such as BalancedResponse(1.0).",
            Where("parameter", name="mechanism"),
        )
    generator, workers = as_generator(rng), as_executor(executor)
    if streams is not None:
        symbols = _given(streams, chain, steps, users)
    else:
        length = as_count(20 if steps is None else steps, "steps")
        symbols = chain.simulate(length, users, generator)
    many, length = symbols.shape
    if many * length > _MOST_DRAWN:
        raise LimitError(
            f"{many:,} users with {length:,} steps are {many * length:,} releases; at most {_MOST_DRAWN:,} "
            "are followed at once.",
            Where("parameter", name="users"),
        )
    size = many * length * chain.n
    wanted = None if keep_beliefs is None else as_flag(keep_beliefs, "keep_beliefs")
    if wanted and size > _MOST_BELIEFS:
        raise LimitError(
            f"The beliefs would take {size * 8 / 1e9:,.1f} GB; at most {_MOST_BELIEFS * 8 / 1e9:.1f} GB are "
            "kept. Take fewer users or steps.",
            Where("parameter", name="keep_beliefs"),
            call="keep_beliefs=False keeps none.",
        )
    keeps = size <= _MOST_BELIEFS if wanted is None else wanted
    work = f"{mechanism.label} for {how_many(many, 'user')} and {how_many(length, 'step')}"
    instead = "Take fewer users or steps, or another mechanism."
    hook = timed(progress, limit, work, instead)
    refuse_beyond(limit, _seconds_of_programs(chain, mechanism, length, many), work, instead)
    uniforms = generator.random((length, many))
    released = np.empty((length, many), dtype=np.int64)
    leakage = np.empty((length, many))
    logs = np.zeros(many)
    last = np.empty((many, chain.n))
    beliefs = room_for_beliefs(chain, mechanism, length, many) if keeps else None
    block = max(1, _BLOCK // chain.n)
    # Each part is one block of users. Workers have room of their own for beliefs, and send it.
    blocks = [slice(first, min(first + block, many)) for first in range(0, many, block)]
    parts = [
        [(symbols[some].T, uniforms[:, some], None if beliefs is None or workers else beliefs[:, some])]
        for some in blocks
    ]
    told = Progress(hook, length * len(parts))
    followed = partial(_followed, chain, mechanism, keeps)
    for some, (done, seen) in zip(blocks, swept(followed, parts, workers, told, length), strict=True):
        released[:, some], leakage[:, some] = done.released, done.leakage
        logs[some], last[some] = done.log_probability, done.last
        if beliefs is not None and workers:
            beliefs[:, some] = seen
    if beliefs is not None:
        beliefs = beliefs.transpose(1, 0, 2)
    told.finish()
    return SimulatedReleases(chain, mechanism, symbols, released.T, leakage.T, logs, beliefs, last)


def _followed(
    chain: MarkovChain,
    mechanism: SequenceMechanism,
    keeps: bool,
    part: Sequence[tuple[Integers, Floats, Floats | None]],
    told: Progress,
) -> tuple[Followed, Floats | None]:
    """Release the streams of one block of users; return what happened, and beliefs where they are kept."""
    ((symbols, uniforms, room),) = part
    if keeps and room is None:
        room = room_for_beliefs(chain, mechanism, *symbols.shape)
    columns = np.ascontiguousarray(symbols)
    return follow(chain, mechanism, columns, uniforms, beliefs=room, told=told), room


def _seconds_of_programs(chain: MarkovChain, mechanism: SequenceMechanism, steps: int, users: int) -> float:
    """Return about how long linear programs take; 0 where releases have a closed form."""
    if not mechanism.found_slowly or not steps or not users:
        return 0.0
    # The belief after a symbol that is known: that before the first step has a closed form more often.
    if mechanism.channel(chain.transitions.reshape(-1, chain.n)[0]).regime != "program":
        return 0.0
    # At the first step all users share a belief.
    return mechanism.expected_seconds(chain.n) * (1 + (steps - 1) * users)


def _given(streams: Any, chain: MarkovChain, steps: int | None, users: int) -> Integers:
    where = Where("parameter", name="streams")
    if isinstance(streams, StreamData):
        data = streams.for_states(chain.states)
        lengths = np.diff(data.offsets)
        if len(lengths) and (lengths != lengths[0]).any():
            raise StreamError(
                f"The streams have from {lengths.min():,} to {lengths.max():,} symbols; give streams of one "
                "length.",
                where,
            )
        symbols = (
            data.codes.reshape(len(lengths), -1) if len(data.codes) else np.empty((len(data), 0), np.int64)
        )
    else:
        refuse_masked(streams, "streams")
        try:
            found = np.asarray(streams)
        except (ValueError, OverflowError):
            found = np.empty(0)
        if found.ndim != 2 or (found.size and found.dtype.kind not in "iu"):
            raise StreamError(
                f"The streams are {shown(streams)}; give positions of symbols, one row for each user.", where
            )
        symbols = found.astype(np.int64)
        wrong = (symbols < 0) | (symbols >= chain.n)
        if wrong.any():
            user, step = (int(p) for p in np.argwhere(wrong)[0])
            raise StreamError(
                f"Stream {user}, step {step + 1} is {int(symbols[user, step])}; a symbol is a position from "
                f"0 to {chain.n - 1}.",
                Where("cell", index=(user, step), name="streams"),
            )
    if steps is not None and as_count(steps, "steps") != symbols.shape[1]:
        raise StreamError(
            f"The streams have {symbols.shape[1]:,} steps, and {int(steps):,} are asked for; leave steps "
            "out.",
            where,
        )
    if users not in (1, len(symbols)):
        raise StreamError(
            f"There are {len(symbols):,} streams, and {shown(users)} users are asked for; leave users out.",
            where,
        )
    return np.array(symbols)
