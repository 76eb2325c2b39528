"""Releases that look back: whole batches as one symbol each, or the last true symbols by any rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON, as_size
from pdp_widgets.core.converters import (
    array_of,
    as_sizes,
    as_whole_numbers,
    plain_numbers,
    refuse_masked,
)
from pdp_widgets.errors import BudgetError, ChainError, LimitError, TableError, Where
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size
from pdp_widgets.mechanisms.sequence.belief_checks import as_belief
from pdp_widgets.mechanisms.sequence.distances import Distance, batch_distance, distance_matrix
from pdp_widgets.mechanisms.sequence.optimal_response import OptimalResponse
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism, StepChannel
from pdp_widgets.models.batches import batch_index, batch_patterns, pattern_count
from pdp_widgets.models.labels import shown

__all__ = ["BatchRelease", "MemoryRelease"]

#: Patterns of a batch for which a matrix is made; more are refused.
_MOST_PATTERNS = 2048


@dataclass(frozen=True, init=False)
class BatchRelease:
    """A mechanism that releases batches of steps, each batch at once.

    The guarantee is for a batch as a whole: inside, a single symbol can leak up to the budget of the batch.

    Parameters
    ----------
    mechanism
        What each batch is released by. Its budget is that of one step; a batch has it as many times as it has
        steps.
    size
        Steps in a batch; the last one of a stream may have fewer.
    n
        Number of symbols of one step.
    distance
        Between symbols; summed over the steps of a batch. None for the number of wrong symbols, or for the
        distance of an `OptimalResponse`.

    Notes
    -----
    Batches are numbered with the first step as the most significant digit. For an `OptimalResponse` up to 128
    patterns are solved; ``outputs=32`` there allows 512, and the balanced response more.

    Examples
    --------
    >>> from pdp_widgets import OptimalResponse
    >>> batches = BatchRelease(OptimalResponse(1.0), size=2, n=2)
    >>> step = batches.channel([0.25, 0.25, 0.25, 0.25])
    >>> step.epsilon, round(step.cost, 4), step.valid
    (2.0, 0.1353, True)
    >>> batches.release([[0, 1]], [[0.25, 0.25, 0.25, 0.25]], [0.5]).tolist()
    [[0, 1]]
    """

    mechanism: SequenceMechanism
    size: int
    n: int
    distance: Any = None

    def __init__(self, mechanism: SequenceMechanism, size: int, n: int, distance: Any = None) -> None:
        if not isinstance(mechanism, SequenceMechanism) or mechanism.previous_is is not None:
            raise BudgetError(
                "Batches need a mechanism that looks at nothing but the belief, such as BalancedResponse.",
                Where("parameter", name="mechanism"),
            )
        object.__setattr__(self, "mechanism", mechanism)
        object.__setattr__(self, "size", as_size(size, "size", 1))
        object.__setattr__(self, "n", as_alphabet_size(n))
        self._check_patterns(1)
        if distance is None and isinstance(mechanism, OptimalResponse):
            distance = mechanism.distance
        if isinstance(distance, str):
            distance = Distance(distance)
        elif distance is not None and not isinstance(distance, Distance):
            distance = tuple(tuple(row) for row in distance_matrix(distance, self.n).tolist())
        object.__setattr__(self, "distance", distance)
        # A distance of the wrong size is found here, not at the first release.
        distance_matrix(distance, self.n)

    @property
    def label(self) -> str:
        """The name of the mechanism and the size of its batches, in words."""
        return f"{self.mechanism.label}, batches of {self.size}"

    def budget(self, length: int | None = None) -> float:
        """Return the budget of a batch in nats, by its length; without it that of a whole batch."""
        return self._length(length) * self.mechanism.epsilon

    def at_length(self, length: int | None = None) -> SequenceMechanism:
        """Return the mechanism for the patterns of a batch of this length; without it of a whole batch."""
        return _at_length(self, self._length(length))

    def distances(self, length: int | None = None) -> NDArray[np.float64]:
        """Return the distances between batches, shape (N, N) for N patterns."""
        many = self._length(length)
        self._check_patterns(many)
        return batch_distance(self.distance, self.n, many)

    def channel(self, belief: ArrayLike, length: int | None = None) -> StepChannel:
        """Return the release of one batch, and what it achieves.

        Parameters
        ----------
        belief
            Probability of each pattern, shape (N,).
        length
            Steps in the batch, if it is not a whole one.

        Raises
        ------
        LimitError
            There are too many patterns for a matrix.
        """
        checked = as_belief(belief)
        self._check_belief(checked, length)
        return self.at_length(length).channel(checked, self.distances(length))

    def lifts(self, beliefs: ArrayLike, length: int | None = None) -> NDArray[np.float64]:
        """Return what is leaked at each belief at most, in nats, shape (users,), for beliefs (users, N)."""
        self._check_belief(array_of(beliefs), length)
        return self.at_length(length).lifts(beliefs)

    def release(self, batches: ArrayLike, beliefs: ArrayLike, uniforms: ArrayLike) -> NDArray[np.int64]:
        """Return the released batch of each user, shape (users, length).

        Parameters
        ----------
        batches
            The true symbols, shape (users, length).
        beliefs
            What the adversary believes about the pattern of each, shape (users, N).
        uniforms
            Numbers in [0, 1), one for each user.
        """
        symbols = array_of(batches)
        if symbols.ndim != 2:
            raise TableError(
                f"The batches have the shape {symbols.shape}; give one row of symbols for each user.",
                Where("parameter", name="batches"),
            )
        length = symbols.shape[1]
        self._check_belief(array_of(beliefs), length)
        released = self.at_length(length).release(batch_index(symbols, self.n), beliefs, uniforms)
        return batch_patterns(self.n, length)[released]

    def _length(self, length: int | None) -> int:
        return self.size if length is None else as_size(length, "length", 1, self.size)

    def _check_patterns(self, length: int) -> None:
        patterns = pattern_count(self.n, length)
        if patterns > _MOST_PATTERNS:
            raise LimitError(
                f"A batch of {length} has {patterns:,} patterns, and matrices are made for at most "
                f"{_MOST_PATTERNS:,}; take smaller batches or fewer symbols.",
                Where("parameter", name="size"),
            )

    def _check_belief(self, belief: NDArray[Any], length: int | None) -> None:
        many = self._length(length)
        patterns = pattern_count(self.n, many)
        if belief.ndim == 0 or belief.shape[-1] != patterns:
            found = belief.shape[-1] if belief.ndim else 0
            raise TableError(
                f"The belief has {found:,} entries, and a batch of {many} has {patterns:,} patterns; "
                "give one probability for each.",
                Where("parameter", name="belief"),
            )


@lru_cache(maxsize=32)
def _at_length(batches: BatchRelease, length: int) -> SequenceMechanism:
    longer = batches.mechanism.with_epsilon(length * batches.mechanism.epsilon)
    if isinstance(longer, OptimalResponse):
        return replace(longer, distance=batches.distances(length))
    return longer


Floats = NDArray[np.float64]
#: From the law of the last symbols to the law of the release for each of them, one axis more.
Rule = Callable[[Floats], ArrayLike]

_LONGEST = 20


@dataclass(frozen=True, init=False)
class MemoryRelease:
    """A release that depends on the last true symbols, and through beliefs on what was released.

    Parameters
    ----------
    rule
        Called at every step with what the adversary believes of the last symbols, an array with one axis for
        each, the current symbol last; returns the law of the release for each of them, an array with one axis
        more. The first steps have fewer symbols behind them, and fewer axes. Or a list of such arrays, by the
        number of symbols, for releases that do not depend on what was released before.
    memory
        How many symbols, the current one included: 1 or more.
    size
        Steps that are released together: with 2 or more, "symbol" above means batch.
    epsilon
        The budget of a step or a batch in nats, where one is promised.
    label
        The rule in words.

    Notes
    -----
    Jiang, Li and Tandon, Section V and Theorem 5: what such a release leaks of the whole past is what it
    leaks of the symbols it looks at. For the error of one step a memory gains nothing; see
    `OptimalResponse`.

    Examples
    --------
    Publish the majority of the last three symbols, and a fair bit now and then:

    >>> tables = []
    >>> for symbols in (1, 2, 3):
    ...     ones = np.indices((2,) * symbols).sum(axis=0)
    ...     most = np.where(2 * ones > symbols, 0.9, np.where(2 * ones < symbols, 0.1, 0.5))
    ...     tables.append(np.stack([1 - most, most], axis=-1))
    >>> from pdp_widgets import MarkovChain, sequence_leakage
    >>> release = MemoryRelease(tables, 3, label="majority")
    >>> print(sequence_leakage(MarkovChain.symmetric(0.7), release, 5).leakage)
    9.58678 nats (exact): all 5 steps
    """

    rule: Any
    memory: int
    size: int
    budget: float | None
    label: str

    def __init__(
        self,
        rule: Rule | Sequence[ArrayLike],
        memory: int,
        *,
        size: int = 1,
        epsilon: float | None = None,
        label: str = "",
    ) -> None:
        object.__setattr__(self, "memory", as_size(memory, "memory", 1, _LONGEST))
        object.__setattr__(self, "size", as_size(size, "size", 1))
        object.__setattr__(self, "budget", None if epsilon is None else EPSILON.take(epsilon, "epsilon"))
        object.__setattr__(self, "label", label if isinstance(label, str) and label else "rule with memory")
        object.__setattr__(self, "rule", rule if callable(rule) else self._tables(rule))

    @property
    def epsilon(self) -> float:
        """The budget in nats, NaN where none is promised."""
        return math.nan if self.budget is None else self.budget

    def _tables(self, given: Any) -> tuple[Any, ...]:
        where = Where("parameter", name="rule")
        if not isinstance(given, list | tuple) or len(given) != self.memory:
            raise BudgetError(
                f"The rule is {shown(given)}; give a function of a belief, or a list of {self.memory} "
                "arrays: for one symbol, for two, and so on.",
                where,
            )
        refuse_masked(given, "rule")
        try:
            return tuple(_nested(plain_numbers(table).tolist()) for table in given)
        except (TypeError, ValueError, OverflowError):
            raise BudgetError("The rule holds something that is no array of numbers.", where) from None

    def of_patterns(self) -> MemoryRelease:
        """Return the same rule with patterns of batches as its symbols."""
        return MemoryRelease(self.rule, self.memory, epsilon=self.budget, label=self.label)

    def channels(self, beliefs: ArrayLike, counts: Sequence[int]) -> Floats:
        """Return the channels at many beliefs, shape (beliefs, windows, symbols).

        Parameters
        ----------
        beliefs
            Laws of the last symbols, shape (beliefs, windows); the earliest symbol leads.
        counts
            How many symbols there are at each of the last steps, the current one last.

        Raises
        ------
        ChainError
            The rule returns something that is no law for each window.

        Examples
        --------
        >>> flip = [[[0.75, 0.25], [0.25, 0.75]], np.full((2, 2, 2), 0.5)]
        >>> MemoryRelease(flip, 2).channels([[0.5, 0.5]], [2]).tolist()
        [[[0.75, 0.25], [0.25, 0.75]]]
        """
        shape = tuple(as_whole_numbers(counts, "counts", ChainError, 1).tolist())
        laws = as_sizes(beliefs, "beliefs", ChainError, 0.0, 1.0)
        if not 0 < len(shape) <= self.memory or laws.ndim != 2 or laws.shape[1] != math.prod(shape):
            raise ChainError(
                f"The beliefs have the shape {laws.shape} and the counts are {shape}; give 1 to "
                f"{self.memory} counts, and one probability for each combination of their symbols.",
                Where("parameter", name="beliefs"),
            )
        found = np.empty((len(laws), laws.shape[1], shape[-1]))
        if not callable(self.rule):
            found[:] = self._checked(self.rule[len(shape) - 1], shape)
            return found
        for place, law in enumerate(laws):
            belief = law.reshape(shape)
            belief.flags.writeable = False
            found[place] = self._checked(self.rule(belief), shape)
        return found

    def _checked(self, given: Any, shape: tuple[int, ...]) -> Floats:
        where = Where("parameter", name="mechanism")
        refuse_masked(given, "answer of the rule")
        try:
            made = plain_numbers(given)
        except (TypeError, ValueError, OverflowError):
            raise ChainError(f"The rule returned {shown(given)}; give an array of numbers.", where) from None
        if made.shape != (*shape, shape[-1]):
            raise ChainError(
                f"The rule returned an array of shape {made.shape} for a belief of shape {shape}; it must be "
                f"{(*shape, shape[-1])}.",
                where,
            )
        if not (made >= 0).all() or not (abs(made.sum(axis=-1) - 1) <= 1e-8).all():
            raise ChainError(
                "The rule returned a row that is no law; entries are 0 or more and sum to 1.", where
            )
        return made.reshape(-1, shape[-1])


def _nested(values: Any) -> Any:
    return tuple(_nested(one) for one in values) if isinstance(values, list) else values
