"""Randomised response among the symbols that can follow the one before."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.mechanisms.local.finite_channel import as_stochastic
from pdp_widgets.mechanisms.sequence.belief_checks import as_belief, as_symbols, as_uniforms, drawn
from pdp_widgets.mechanisms.sequence.distances import distance_matrix
from pdp_widgets.mechanisms.sequence.log_lift import LOCAL_LEVEL, Values
from pdp_widgets.mechanisms.sequence.randomised_symbols import held_rates, log_rates
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism, StepChannel
from pdp_widgets.models.amount import Amount

__all__ = ["SafeTemporalResponse", "TemporalResponse"]


@dataclass(frozen=True, init=False)
class TemporalResponse(SequenceMechanism):
    """Randomised response among the symbols that can follow the **true** symbol before, as described.

    It leaks through the support: an output that is possible after one symbol, and not after another, excludes
    the other. `SafeTemporalResponse` does not.

    Parameters
    ----------
    epsilon
        The budget of one step in nats, 0 to infinity.
    transitions
        Probabilities of the next symbol, one row for each symbol before, shape (n, n).

    Notes
    -----
    The release depends on the symbol before, ``previous``; without it, as in the first step, all symbols are
    possible. A true symbol that cannot follow is answered with a uniform draw from those that can.

    Examples
    --------
    >>> steps = [[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]]
    >>> mechanism = TemporalResponse(1.0, steps)
    >>> mechanism.given(0).round(4).tolist()
    [[0.7311, 0.2689, 0.0], [0.2689, 0.7311, 0.0], [0.5, 0.5, 0.0]]
    >>> mechanism.local_level
    inf
    """

    name: ClassVar[str] = "temporal"
    label: ClassVar[str] = "Temporal response, as described"
    private: ClassVar[bool] = False
    previous_is: ClassVar[Literal["true", "released"] | None] = "true"

    transitions: tuple[tuple[float, ...], ...]

    def __init__(self, epsilon: float, transitions: Any) -> None:
        matrix = as_stochastic(transitions, "The transitions", "transitions")
        if matrix.shape[0] != matrix.shape[1]:
            raise DomainError(
                f"The transitions have the shape {matrix.shape}; give a row and a column for each symbol.",
                Where("parameter", name="transitions"),
            )
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "transitions", tuple(tuple(float(p) for p in row) for row in matrix))
        self.__post_init__()

    def with_epsilon(self, epsilon: float) -> Self:
        """Return the same mechanism with another budget, or raise BudgetError."""
        return type(self)(epsilon, self.transitions)

    @property
    def reachable(self) -> NDArray[np.bool_]:
        """Which symbols can follow each symbol, shape (n, n)."""
        return np.array(self.transitions) > 0

    @property
    def local_level(self) -> Amount:
        """The largest log ratio of the probabilities of one output, in nats; infinite if it excludes data."""
        return _level(_largest_ratio(self._tables(logs=True)[self.reachable]))

    def given(self, previous: int | None) -> Values:
        """Return the matrix of one step after this symbol, shape (n, n); None for the first step."""
        return self._among(self._following(previous))

    def log_given(self, previous: int | None) -> Values:
        """Return the logarithms of the matrix of one step after this symbol, shape (n, n)."""
        return self._among(self._following(previous), logs=True)

    def _following(self, previous: int | None) -> NDArray[np.bool_]:
        """Return which symbols may follow a symbol; all at the first step."""
        if previous is None:
            return np.ones(len(self.transitions), dtype=bool)
        before = as_symbols([previous], 1, len(self.transitions), "previous symbols")
        return np.asarray(self.reachable[before[0]])

    def _among(self, inside: NDArray[np.bool_], logs: bool = False) -> Values:
        """Return randomised response among these symbols, and a uniform draw from them for the others."""
        size = int(inside.sum())
        rates = log_rates(self.epsilon, size)
        keep, other = rates if logs else held_rates(*rates)
        even, never = (-log(size), -inf) if logs else (1 / size, 0.0)
        among = np.where(np.eye(len(inside), dtype=bool), keep, other)
        return np.where(inside[:, None], np.where(inside, among, never), np.where(inside, even, never))

    def _tables(self, logs: bool = False) -> Values:
        """Return the matrices after each symbol, or their logarithms, shape (n, n, n)."""
        return np.stack([self._among(inside, logs) for inside in self.reachable])

    def channel(self, belief: ArrayLike, distance: Any = None, previous: int | None = None) -> StepChannel:
        """Return the release at one belief after a symbol, and what it achieves.

        Parameters
        ----------
        belief, distance
            As for every mechanism.
        previous
            The symbol before; None for the first step.
        """
        checked = as_belief(belief)
        self._check_symbols(len(checked))
        distances = distance_matrix(distance, len(checked))
        matrix = self.given(previous)
        return StepChannel.of(
            self.name, self.epsilon, checked, matrix, distances, logs=lambda: self.log_given(previous)
        )

    def release(
        self,
        symbols: ArrayLike,
        beliefs: ArrayLike,
        uniforms: ArrayLike,
        previous: ArrayLike | None = None,
    ) -> NDArray[np.int64]:
        """Return the released symbol of each user, shape (users,).

        Parameters
        ----------
        symbols, beliefs, uniforms
            As for every mechanism.
        previous
            The symbol before of each user; None for the first step.
        """
        many = self._many(beliefs)
        users, n = many.shape
        now = as_symbols(symbols, users, n)
        return drawn(self._after(previous, users)[np.arange(users), now], as_uniforms(uniforms, users))

    def likelihoods(
        self, released: ArrayLike, beliefs: ArrayLike, previous: ArrayLike | None = None
    ) -> Values:
        """Return how likely each true symbol makes what was released, a column for each user: (users, n)."""
        many = self._many(beliefs)
        users, n = many.shape
        seen = as_symbols(released, users, n, "released symbols")
        return self._after(previous, users)[np.arange(users), :, seen]

    def _after(self, previous: ArrayLike | None, users: int) -> Values:
        n = len(self.transitions)
        if previous is None:
            return np.broadcast_to(self.given(None), (users, n, n))
        return self._tables()[as_symbols(previous, users, n, "previous symbols")]

    def _matrices(self, beliefs: Values) -> Values:
        return self._after(None, len(beliefs)).copy()

    def _log_matrices(self, beliefs: Values, logs: Values) -> Values:
        return np.broadcast_to(self.log_given(None), (*beliefs.shape, beliefs.shape[1])).copy()

    def _check_symbols(self, n: int) -> None:
        if n != len(self.transitions):
            raise DomainError(
                f"The belief has {n} symbols and the transitions {len(self.transitions)}; they must agree.",
                Where("parameter", name="belief"),
            )


def _largest_ratio(logs: Values) -> float:
    """Return the largest log ratio within a column of a matrix of logs; columns of zeros say nothing."""
    seen = logs[:, logs.max(axis=0) > -inf]
    return float((seen.max(axis=0) - seen.min(axis=0)).max())


def _level(value: float) -> Amount:
    return Amount(value, "nats", "exact", LOCAL_LEVEL)


@dataclass(frozen=True, init=False)
class SafeTemporalResponse(TemporalResponse):
    """Randomised response among the symbols that can follow the **released** symbol before.

    What can follow is public then, and the budget is kept.

    Parameters
    ----------
    epsilon
        The budget of one step in nats, 0 to infinity.
    transitions
        Probabilities of the next symbol, one row for each symbol before, shape (n, n).

    Examples
    --------
    >>> steps = [[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]]
    >>> mechanism = SafeTemporalResponse(1.0, steps)
    >>> round(mechanism.local_level, 12)
    1.0
    >>> round(mechanism.channel([0.2, 0.5, 0.3], previous=0).leakage, 4)
    0.7499
    """

    name: ClassVar[str] = "temporal_safe"
    label: ClassVar[str] = "Temporal response, from released symbols"
    private: ClassVar[bool] = True
    previous_is: ClassVar[Literal["true", "released"] | None] = "released"

    @property
    def local_level(self) -> Amount:
        """The largest log ratio of the probabilities of one output, in nats, given the release before."""
        tables = [*self._tables(logs=True), self.log_given(None)]
        return _level(max(_largest_ratio(table) for table in tables))

    def _after_release(self, belief: Values, distances: Values, released: int | None) -> Values:
        return self.given(released)

    def _log_after_release(self, belief: Values, distances: Values, released: int | None) -> Values:
        return self.log_given(released)
