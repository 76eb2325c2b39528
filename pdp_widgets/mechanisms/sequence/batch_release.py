"""Releasing several steps at once: a batch is one symbol of a larger alphabet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, LimitError, TableError, Where
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size, as_size
from pdp_widgets.mechanisms.sequence.belief_checks import as_belief
from pdp_widgets.mechanisms.sequence.distances import Distance, batch_distance, distance_matrix
from pdp_widgets.mechanisms.sequence.optimal_response import OptimalResponse
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.mechanisms.sequence.step_channel import StepChannel
from pdp_widgets.models.batches import batch_index, batch_patterns, pattern_count

__all__ = ["BatchRelease"]

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
        self._check_belief(np.asarray(beliefs), length)
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
        symbols = np.asarray(batches)
        if symbols.ndim != 2:
            raise TableError(
                f"The batches have the shape {symbols.shape}; give one row of symbols for each user.",
                Where("parameter", name="batches"),
            )
        length = symbols.shape[1]
        self._check_belief(np.asarray(beliefs), length)
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
