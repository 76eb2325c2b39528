"""What a stream is made from: chains and budgets by step, a seed, and the true symbols that follow."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.amounts import EPSILON, as_size
from pdp_widgets.errors import ChainError, LimitError, StreamError, Where
from pdp_widgets.mechanisms.sequence.distances import Distance, distance_matrix
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import shown
from pdp_widgets.models.markov_chain import MarkovChain, as_chain

#: Steps that are computed and kept together.
BLOCK = 64
#: What one simulation may last.
MOST_STEPS = 100_000
#: Beliefs that are kept of one mechanism at most, 32 MB: with more than 40 states there are fewer steps.
_MOST_NUMBERS = 4_000_000

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Segment:
    """Steps with one chain and one budget.

    Parameters
    ----------
    first
        The first of them, from 1.
    chain
        The law of the symbols, which the adversary knows.
    epsilon
        What is promised for each step, in nats.
    """

    first: int
    chain: MarkovChain
    epsilon: float


@dataclass(frozen=True)
class ScriptChange:
    """What was edited while a stream ran."""

    step: int  # the first one it counts for
    before: str  # in few words, such as "stay 0.6"
    after: str


@dataclass(frozen=True, eq=False)
class StreamScript(ReadOnlyArrays):
    """All that decides what happens: the same script always gives the same symbols.

    Parameters
    ----------
    segments
        Chains and budgets, in the order of their first steps; the first begins at step 1. All chains have
        the same states and the same order.
    seed
        Every step takes two numbers from it, one for the true symbol and one that all mechanisms share.
    distance
        What errors are counted in, as for `SequenceMechanism.channel`.
    data
        Symbols that are released in place of drawn ones; there are no steps beyond them.

    Examples
    --------
    >>> from pdp_widgets import MarkovChain
    >>> script = StreamScript.of(MarkovChain.symmetric(0.9), 1.0, seed=3)
    >>> script.symbols(0, 6).tolist()
    [0, 0, 0, 0, 0, 0]
    >>> later = script.changed(4, chain=MarkovChain.symmetric(0.1))
    >>> later.symbols(0, 6).tolist()
    [0, 0, 0, 0, 1, 0]
    """

    segments: tuple[Segment, ...]
    seed: int
    distance: Any = None
    data: Integers | None = None

    def __post_init__(self) -> None:
        # Without a seed every look at the numbers of a step would draw others.
        seed = as_size(self.seed, "seed", 0, error=StreamError, subject="The seed")
        object.__setattr__(self, "seed", seed)
        super().__post_init__()

    @classmethod
    def of(
        cls, chain: MarkovChain, epsilon: float, seed: int, distance: Any = None, data: Integers | None = None
    ) -> StreamScript:
        """Return the script with one segment."""
        distance_matrix(distance, as_chain(chain).n)
        named = Distance(distance) if isinstance(distance, str) else distance
        return cls((Segment(1, chain, EPSILON.take(epsilon, "epsilon")),), seed, named, data)

    @property
    def n(self) -> int:
        """Number of states."""
        return self.segments[0].chain.n

    @property
    def steps(self) -> int:
        """Steps that there are at most."""
        most = min(MOST_STEPS, _MOST_NUMBERS // self.n)
        return most if self.data is None else min(len(self.data), most)

    def segment(self, step: int) -> Segment:
        """Return what holds at a step, from 1."""
        return self.segments[bisect_right(self.segments, step, key=lambda each: each.first) - 1]

    def changed(
        self, after: int, *, chain: MarkovChain | None = None, epsilon: float | None = None
    ) -> StreamScript:
        """Return the script in which a chain or a budget is another one after some steps.

        What was to come after these steps is forgotten, and nothing before is touched.

        Parameters
        ----------
        after
            How many steps stay as they are.
        chain, epsilon
            What is new; None for what holds there.

        Raises
        ------
        ChainError
            The chain has other states or another order.
        """
        after = as_size(after, "after", 0)
        held = self.segment(after + 1)
        new = Segment(
            after + 1,
            held.chain if chain is None else chain,
            held.epsilon if epsilon is None else EPSILON.take(epsilon, "epsilon"),
        )
        if new.chain.states != held.chain.states or new.chain.order != held.chain.order:
            raise ChainError(
                "A stream that has begun keeps its states and its order; this chain has others.",
                Where("parameter", name="chain"),
            )
        kept = tuple(each for each in self.segments if each.first <= after)
        # What is set back is no change any more.
        if kept and kept[-1].chain == new.chain and kept[-1].epsilon == new.epsilon:
            return replace(self, segments=kept)
        return replace(self, segments=(*kept, new))

    def kept(self, steps: int) -> StreamScript:
        """Return the script without what begins after some steps and the one to come."""
        return replace(self, segments=tuple(each for each in self.segments if each.first <= steps + 1))

    def uniforms(self, first: int, count: int) -> Floats:
        """Return the random numbers of consecutive steps, shape (count, 2).

        Parameters
        ----------
        first
            Steps before them.
        count
            How many steps.
        """
        bits = np.random.PCG64(self.seed)
        bits.advance(2 * first)
        return np.random.Generator(bits).random((count, 2))

    def symbols(self, first: int, count: int, last: tuple[int, ...] = ()) -> Integers:
        """Return the true symbols of consecutive steps, as positions.

        Parameters
        ----------
        first
            Steps before them.
        count
            How many steps.
        last
            The true symbols of the two steps before them.

        Raises
        ------
        LimitError, StreamError
            There are no so many steps.
        """
        first, count = as_size(first, "first", 0), as_size(count, "count", 0)
        end = first + count
        if end > self.steps:
            self.refuse(end)
        if self.data is not None:
            return self.data[first:end]
        if count and len(last) < min(first, self.segment(first + 1).chain.order):
            raise StreamError(
                f"The last symbols are {shown(last)}, and {first:,} steps come before; give those of two.",
                Where("parameter", name="last"),
            )
        found = np.empty(count, dtype=np.int64)
        numbers = self.uniforms(first, count)[:, 0]
        for k in range(count):
            law = _law(self.segment(first + k + 1).chain, first + k, last)
            symbol = _drawn(law, numbers[k])
            found[k] = symbol
            last = (*last[-1:], symbol)
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StreamScript):
            return NotImplemented
        return (
            (self.segments, self.seed) == (other.segments, other.seed)
            and _same(self.distance, other.distance)
            and _same(self.data, other.data)
        )

    def __hash__(self) -> int:
        return hash((self.segments, self.seed))

    def refuse(self, end: int) -> NoReturn:
        """Raise LimitError, or StreamError where the data end before a step."""
        if self.data is None or len(self.data) > self.steps:
            states = f"{self.n} state{'s'[: self.n != 1]}"
            raise LimitError(
                f"Step {shown(end)} is asked for; a simulation of {states} has at most {self.steps:,} steps.",
                Where("parameter", name="steps"),
            )
        raise StreamError(
            f"Step {shown(end)} is asked for; the data have {len(self.data):,} steps.",
            Where("parameter", name="steps"),
        )


def _same(one: Any, other: Any) -> bool:
    """Say whether two parts are the same where they may be arrays."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and bool(np.array_equal(one, other))
    return bool(one == other)


def _law(chain: MarkovChain, before: int, last: tuple[int, ...]) -> Floats:
    law: Floats
    if before == 0:
        law = chain.start
    elif chain.order == 1:
        law = chain.transitions[last[-1]]
    elif before == 1:
        assert chain.early is not None
        law = chain.early[last[-1]]
    else:
        law = chain.transitions[last[-2], last[-1]]
    return law


def _drawn(law: Floats, uniform: float) -> int:
    # As in many_users: what has no probability is never drawn.
    sums = np.cumsum(law)
    return int(np.count_nonzero(sums[:-1] <= uniform * sums[-1]))


def edits(script: StreamScript, last: int) -> list[ScriptChange]:
    """Return what was edited while the stream ran, up to a step, in order."""
    segments = [each for each in script.segments if each.first <= last]
    return [ScriptChange(after.first, *change_words(before, after)) for before, after in pairwise(segments)]


def change_words(before: Segment, after: Segment) -> tuple[str, str]:
    """Return what is another one from one segment to the next, in few words."""
    was, now = [], []
    if before.chain != after.chain:
        one, two = _chain_words(before.chain, after.chain)
        was.append(one)
        now.append(two)
    if before.epsilon != after.epsilon:
        was.append(_budget(before.epsilon))
        now.append(_budget(after.epsilon))
    return ", ".join(was), ", ".join(now)


def _chain_words(before: MarkovChain, after: MarkovChain) -> tuple[str, str]:
    if before.order == 2 or before.n > 2:
        changed = int(np.any(before.transitions != after.transitions, axis=-1).sum())
        return "the old chain", f"a chain with {changed or 'no'} other row{'' if changed == 1 else 's'}"
    old, new = np.diag(before.transitions), np.diag(after.transitions)
    if old[0] == old[1] and new[0] == new[1]:
        # A browser reads the numbers: "rose from 0.60 to 0.90".
        return f"stay {old[0]:.4g}", f"stay {new[0]:.4g}"
    moved = [k for k in (0, 1) if old[k] != new[k]]
    names = [_stay_at(str(before.states[k])) for k in moved]
    return tuple(  # type: ignore[return-value]
        ", ".join(f"{name} {values[k]:.4g}" for name, k in zip(names, moved, strict=True))
        for values in (old, new)
    )


def _stay_at(state: str) -> str:
    # "Stay at 0 0.7" would be two numbers side by side.
    return f"stay at state {state}:" if state[-1:] in tuple("0123456789") else f"stay at {state}"


def _budget(epsilon: float) -> str:
    return "ε ∞" if epsilon == np.inf else f"ε {epsilon:.4g}"
