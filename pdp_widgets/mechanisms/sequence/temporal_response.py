"""Randomised response among the symbols that can follow the one before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import DomainError, Where
from pdp_widgets.mechanisms.local.finite_channel import as_stochastic
from pdp_widgets.mechanisms.local.randomised_response import GRR
from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST, as_belief, as_symbols, as_uniforms
from pdp_widgets.mechanisms.sequence.common_part import Values
from pdp_widgets.mechanisms.sequence.distances import distance_matrix
from pdp_widgets.mechanisms.sequence.inverse_cdf import drawn
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.mechanisms.sequence.step_channel import StepChannel

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
    def local_level(self) -> float:
        """The largest log ratio of the probabilities of one output, in nats; infinite if it excludes data."""
        return _largest_ratio(self._tables()[self.reachable])

    def given(self, previous: int | None) -> Values:
        """Return the matrix of one step after this symbol, shape (n, n); None for the first step."""
        if previous is None:
            return self._among(np.ones(len(self.transitions), dtype=bool))
        before = as_symbols([previous], 1, len(self.transitions), "previous symbols")
        return self._among(self.reachable[before[0]])

    def _among(self, inside: NDArray[np.bool_]) -> Values:
        """Return randomised response among these symbols, and a uniform draw from them for the others."""
        size = int(inside.sum())
        rates = GRR(self.epsilon).support(size)
        other = max(rates.q, SMALLEST) if self.epsilon < np.inf else rates.q
        keep, other = (1.0, 0.0) if size == 1 else (rates.p, other)
        among = np.where(np.eye(len(inside), dtype=bool), keep, other)
        return np.where(inside[:, None], np.where(inside, among, 0.0), np.where(inside, 1 / size, 0.0))

    def _tables(self) -> Values:
        """Return the matrices after each symbol, shape (n, n, n)."""
        return np.stack([self._among(inside) for inside in self.reachable])

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
        return StepChannel.of(self.name, self.epsilon, checked, self.given(previous), distances)

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

    def _check_symbols(self, n: int) -> None:
        if n != len(self.transitions):
            raise DomainError(
                f"The belief has {n} symbols and the transitions {len(self.transitions)}; they must agree.",
                Where("parameter", name="belief"),
            )


def _largest_ratio(rows: Values) -> float:
    """Return the largest log ratio within a column of a matrix; columns of zeros say nothing."""
    most, least = rows.max(axis=0), rows.min(axis=0)
    with np.errstate(divide="ignore"):
        spread = np.where(most > 0, np.log(np.where(most > 0, most, 1.0)) - np.log(least), 0.0)
    return float(spread.max())


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
    def local_level(self) -> float:
        """The largest log ratio of the probabilities of one output, in nats, given the release before."""
        tables = [*self._tables(), self.given(None)]
        return max(_largest_ratio(table) for table in tables)

    def _after_release(self, belief: Values, distances: Values, released: int | None) -> Values:
        return self.given(released)
