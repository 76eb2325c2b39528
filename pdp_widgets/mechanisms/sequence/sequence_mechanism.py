"""What all mechanisms for streams offer, and the channel that they are at one step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON, MOST_EXACT, as_size
from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.mechanisms.sequence.belief_checks import (
    as_belief,
    as_beliefs,
    as_symbols,
    as_uniforms,
    drawn,
)
from pdp_widgets.mechanisms.sequence.distances import distance_matrix
from pdp_widgets.mechanisms.sequence.log_lift import ONE_STEP, lift_of, logs_of
from pdp_widgets.models.amount import NOTHING, SHARE, Amount, at_most

__all__ = ["SequenceMechanism", "StepChannel", "within"]


def within(leakage: Any, epsilon: Any) -> Any:
    """Tell whether a leakage keeps a budget, but for rounding; for arrays, entry by entry."""
    # Rounding is a share of the budget, however small that is, see `at_most`: twice the share by which a
    # belief may be too small, and the leakage itself is the logarithm of a quotient of floats.
    return leakage <= at_most(epsilon, 2 * SHARE, NOTHING)


@dataclass(frozen=True, eq=False)
class StepChannel:
    """One symbol is released: how, and what that leaks and costs.

    Parameters
    ----------
    name
        Key of the mechanism.
    epsilon
        The budget of the step in nats.
    belief
        What the adversary believed before, shape (n,).
    matrix
        Probability of each released symbol, one row for each true symbol, shape (n, n).
    output
        Probability of each released symbol, shape (n,).
    leakage, upper, lower
        What is achieved, computed from the matrix: the largest log ratio, and its two sides, exact, in nats.
    valid
        Whether the leakage keeps the budget.
    cost
        Mean distance of the released symbol from the true one.
    regime
        Which case of the mechanism applies, if it has cases.

    Notes
    -----
    ``epsilon`` is what was asked for, ``leakage`` what is so. Arrays are read-only. Entries of the matrix
    that are too small for a float stand as the smallest one; the leakage is that of the true ones.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse
    >>> step = ConditionalResponse(1.0).channel([0.95, 0.05])
    >>> round(step.leakage, 4), step.valid, round(step.cost, 4)
    (2.5657, False, 0.0349)
    """

    name: str
    epsilon: float
    belief: NDArray[np.float64]
    matrix: NDArray[np.float64]
    output: NDArray[np.float64]
    leakage: Amount
    upper: Amount
    lower: Amount
    valid: bool
    cost: float
    regime: str | None = None

    def __post_init__(self) -> None:
        for array in (self.belief, self.matrix, self.output):
            array.setflags(write=False)

    @classmethod
    def of(
        cls,
        name: str,
        epsilon: float,
        belief: NDArray[np.float64],
        matrix: NDArray[np.float64],
        distances: NDArray[np.float64],
        regime: str | None = None,
        *,
        logs: Callable[[], NDArray[np.float64]] | None = None,
    ) -> StepChannel:
        """Return the channel with everything that follows from belief and matrix, which are kept.

        ``logs`` gives the logarithms of the matrix, where entries are too small for a float.
        """
        leakage, upper, lower = (
            Amount(float(part), "nats", "exact", ONE_STEP) for part in lift_of(matrix, belief, logs)
        )
        cost = float(belief @ np.sum(matrix * distances, axis=1))
        valid = bool(within(leakage, epsilon))
        return cls(name, epsilon, belief, matrix, belief @ matrix, leakage, upper, lower, valid, cost, regime)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StepChannel):
            return NotImplemented
        pairs = ((getattr(self, field.name), getattr(other, field.name)) for field in fields(self))
        return all(
            np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
            for mine, theirs in pairs
        )

    def __hash__(self) -> int:
        return hash((self.name, self.epsilon, self.belief.tobytes(), self.matrix.tobytes()))

    def __reduce__(self) -> tuple[Callable[..., StepChannel], tuple[Any, ...]]:
        # Arrays that are unpickled as attributes could be written to.
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


# Entries of the matrices that are made at once.
_BLOCK = 1 << 20


@dataclass(frozen=True)
class SequenceMechanism(ABC):
    """A rule that says, for each belief of the adversary, how the next symbol is randomised.

    Parameters
    ----------
    epsilon
        The budget of one step in nats, 0 to infinity.

    Attributes
    ----------
    name
        Key, as in `sequence_mechanism_named`.
    label
        The name in words.
    private
        Whether the budget is kept for every belief.
    symbols
        The number of symbols that it is made for; None for any.
    previous_is
        Which symbol before the release depends on, if any: the true one, or the one that was released.

    Notes
    -----
    Symbols are numbers from 0. A belief holds the probability of each, given all releases so far; it follows
    from public things alone. A symbol of belief 0 is answered with a draw from the output law, where nothing
    else is stated.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse
    >>> mechanism = ConditionalResponse(1.0)
    >>> isinstance(mechanism, SequenceMechanism), mechanism.private
    (True, False)
    >>> mechanism.lifts([[0.5, 0.5], [0.95, 0.05]]).round(4).tolist()
    [1.0, 2.5657]
    >>> mechanism.release([0, 1], [[0.5, 0.5], [0.95, 0.05]], uniforms=[0.1, 0.2]).tolist()
    [0, 1]
    """

    name: ClassVar[str]
    label: ClassVar[str]
    private: ClassVar[bool]
    symbols: ClassVar[int | None] = None
    previous_is: ClassVar[Literal["true", "released"] | None] = None
    #: Whether a matrix takes far longer to find than to read.
    found_slowly: ClassVar[bool] = False

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", EPSILON.take(self.epsilon, "epsilon"))

    def with_epsilon(self, epsilon: float) -> Self:
        """Return the same mechanism with another budget, or raise BudgetError."""
        return replace(self, epsilon=epsilon)

    def channel(self, belief: ArrayLike, distance: Any = None) -> StepChannel:
        """Return the release at one belief, and what it achieves.

        Parameters
        ----------
        belief
            Probability of each symbol, shape (n,).
        distance
            What its cost is counted in: a `Distance`, its name, a matrix, or None for 0 or 1.

        Raises
        ------
        TableError
            The belief is none.
        """
        checked = as_belief(belief)
        self._check_symbols(len(checked))
        distances = distance_matrix(distance, len(checked))
        matrix, regime = self._one(checked, distances)
        return StepChannel.of(
            self.name,
            self.epsilon,
            checked,
            matrix,
            distances,
            regime,
            logs=lambda: self._log_one(checked, distances),
        )

    def expected_seconds(self, n: int) -> float:
        """Return about how long a release of n symbols takes at most, on one core; 0 for next to nothing.

        Parameters
        ----------
        n
            Number of symbols.

        Examples
        --------
        >>> from pdp_widgets import ConditionalResponse
        >>> ConditionalResponse(1.0).expected_seconds(64)
        0.0
        """
        as_size(n, "n", 1, MOST_EXACT)
        return 0.0

    def matrices(self, beliefs: ArrayLike) -> NDArray[np.float64]:
        """Return the matrix at each of many beliefs, shape (users, n, n), for beliefs of shape (users, n)."""
        return self._matrices(self._many(beliefs))

    def release(self, symbols: ArrayLike, beliefs: ArrayLike, uniforms: ArrayLike) -> NDArray[np.int64]:
        """Return the released symbol of each user, shape (users,).

        Parameters
        ----------
        symbols
            The true symbols, shape (users,).
        beliefs
            What the adversary believes about each, shape (users, n).
        uniforms
            Numbers in [0, 1), one for each user; they alone decide.
        """
        many = self._many(beliefs)
        users, n = many.shape
        return self._release(as_symbols(symbols, users, n), many, as_uniforms(uniforms, users))

    def likelihoods(self, released: ArrayLike, beliefs: ArrayLike) -> NDArray[np.float64]:
        """Return how likely each true symbol makes what was released, a column for each user: (users, n).

        Parameters
        ----------
        released
            The released symbols, shape (users,).
        beliefs
            What the adversary believed before, shape (users, n).
        """
        many = self._many(beliefs)
        return self._likelihoods(as_symbols(released, many.shape[0], many.shape[1], "released symbols"), many)

    def lifts(self, beliefs: ArrayLike) -> NDArray[np.float64]:
        """Return what is leaked at each belief at most, in nats, shape (users,), for beliefs (users, n)."""
        return self._lifts(self._many(beliefs))

    def release_with_lifts(
        self, symbols: ArrayLike, beliefs: ArrayLike, uniforms: ArrayLike
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Return releases, their `likelihoods`, and `lifts`, with each matrix found once.

        Parameters
        ----------
        symbols
            The true symbols, shape (users,).
        beliefs
            What the adversary believes about each, shape (users, n).
        uniforms
            Numbers in [0, 1), one for each user; they alone decide.

        Examples
        --------
        >>> from pdp_widgets import OptimalResponse
        >>> found = OptimalResponse(1.0).release_with_lifts([2], [[0.2, 0.3, 0.5]], [0.9])
        >>> [part.round(4).tolist() for part in found]
        [[2], [[0.1839, 0.1839, 0.8161]], [1.0]]
        """
        many = self._many(beliefs)
        users, n = many.shape
        matrices, each = self._matrices(many), np.arange(users)
        released = drawn(matrices[each, as_symbols(symbols, users, n)], as_uniforms(uniforms, users))
        lifts = lift_of(matrices, many, lambda: self._log_matrices(many, logs_of(many)))
        return released, matrices[each, :, released], lifts[0]

    @abstractmethod
    def _matrices(self, beliefs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the matrices at checked beliefs."""

    def _log_matrices(self, beliefs: NDArray[np.float64], logs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithms of the matrices; of beliefs too small for a float they are known."""
        # Whoever makes entries that may be too small for a float says here what they are.
        return logs_of(self._matrices(beliefs))

    def _log_one(self, belief: NDArray[np.float64], distances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithms of what `_one` returns."""
        found: NDArray[np.float64] = self._log_matrices(belief[None], logs_of(belief)[None])[0]
        return found

    def _one(
        self, belief: NDArray[np.float64], distances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], str | None]:
        """Return the matrix at one checked belief, and the case that applies."""
        return self._matrices(belief[None])[0], None

    def _after_release(
        self, belief: NDArray[np.float64], distances: NDArray[np.float64], released: int | None
    ) -> NDArray[np.float64]:
        """Return the matrix at one checked belief, after the symbol that was released before."""
        return self._one(belief, distances)[0]

    def _log_after_release(
        self, belief: NDArray[np.float64], distances: NDArray[np.float64], released: int | None
    ) -> NDArray[np.float64]:
        """Return the logarithms of what `_after_release` returns."""
        return self._log_one(belief, distances)

    def _rows(self, symbols: NDArray[np.int64], beliefs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what may be released for the true symbol of each user, shape (users, n)."""
        rows = [
            self._matrices(beliefs[block])[np.arange(len(symbols[block])), symbols[block]]
            for block in _blocks(beliefs)
        ]
        return np.concatenate(rows) if rows else np.empty(beliefs.shape)

    def _release(
        self, symbols: NDArray[np.int64], beliefs: NDArray[np.float64], uniforms: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        return drawn(self._rows(symbols, beliefs), uniforms)

    def _likelihoods(self, released: NDArray[np.int64], beliefs: NDArray[np.float64]) -> NDArray[np.float64]:
        columns = [
            self._matrices(beliefs[block])[np.arange(len(released[block])), :, released[block]]
            for block in _blocks(beliefs)
        ]
        return np.concatenate(columns) if columns else np.empty(beliefs.shape)

    def _lifts(self, beliefs: NDArray[np.float64]) -> NDArray[np.float64]:
        parts = [self._block_lifts(beliefs[block]) for block in _blocks(beliefs)]
        return np.concatenate(parts) if parts else np.empty(0)

    def _block_lifts(self, beliefs: NDArray[np.float64]) -> NDArray[np.float64]:
        logs = logs_of(beliefs)
        lifts = lift_of(self._matrices(beliefs), beliefs, lambda: self._log_matrices(beliefs, logs))
        return lifts[0]

    def _many(self, beliefs: ArrayLike) -> NDArray[np.float64]:
        many = as_beliefs(beliefs)
        if many.ndim != 2:
            raise TableError(
                f"The beliefs have the shape {many.shape}; give one row for each user.",
                Where("parameter", name="beliefs"),
            )
        self._check_symbols(many.shape[1])
        return many

    def _check_symbols(self, n: int) -> None:
        # One symbol is always fine: there is nothing to choose.
        if self.symbols is not None and n not in (1, self.symbols):
            raise DomainError(
                f"{self.label} is for {self.symbols} symbols, and the belief has {n}.",
                Where("parameter", name="belief"),
            )


def _blocks(beliefs: NDArray[np.float64]) -> Iterator[slice]:
    users, n = beliefs.shape
    step = max(1, _BLOCK // (n * n))
    for first in range(0, users, step):
        yield slice(first, min(first + step, users))
