"""Optimal channels under a budget: in closed form, by a linear program, and for mutual information."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, exp, inf, log
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import EPSILON, MOST_EXACT, as_size
from pdp_widgets.core.converters import as_flag
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST, as_belief
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.distances import (
    Distance,
    batch_distance,
    distance_matrix,
    is_pseudometric,
)
from pdp_widgets.mechanisms.sequence.linear_program import expected_seconds, solve
from pdp_widgets.mechanisms.sequence.log_lift import Values, kept, log_edge, logs_of, shared, with_common_part
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism, StepChannel

__all__ = [
    "BinaryOptimum",
    "MutualInformationChannel",
    "OptimalResponse",
    "constant_cost",
    "uniform_batch_channel",
    "uniform_batch_cost",
    "uniform_batch_shape",
]


def constant_cost(belief: Values, distances: Values) -> float:
    """Return the mean distance of the best constant release."""
    return float(np.min(belief @ distances))


def uniform_batch_cost(n: int, length: int, epsilon: float) -> float:
    """Return how many symbols of a batch the optimum gets wrong on average, for a uniform source."""
    budget = EPSILON.take(epsilon, "epsilon")
    size, many = as_alphabet_size(n), as_size(length, "length", 1)
    shells = _shells(size, many, budget)
    spread = sum(
        d * share * float(comb(many, d) * (size - 1) ** d) for d, share in enumerate(shells) if share > 0
    )
    return shared(budget) * many * (1 - 1 / size) + kept(budget) * spread


def _shells(n: int, length: int, epsilon: float) -> list[float]:
    """Return the probability of each pattern at every distance: as near as the cap allows."""
    patterns = n**length
    cap = inf if epsilon > 700 else (1 + exp(epsilon)) / patterns
    left, shares = 1.0, []
    for d in range(length + 1):
        size = float(comb(length, d) * (n - 1) ** d)
        share = min(cap, left / size) if size else 0.0
        shares.append(share)
        left = max(left - share * size, 0.0)
    return shares


def uniform_batch_channel(n: int, length: int, epsilon: float) -> NDArray[np.float64]:
    """Return the optimal matrix between batches of a uniform independent source."""
    budget = EPSILON.take(epsilon, "epsilon")
    shells = np.array(_shells(as_alphabet_size(n), as_size(length, "length", 1), budget))
    places = batch_distance("hamming", n, length).astype(np.int64)
    channel = shells[places]
    channel /= channel.sum(axis=1, keepdims=True)
    return with_common_part(np.full(len(channel), 1 / len(channel)), channel, budget)


def uniform_batch_shape(belief: Values, distances: Values) -> tuple[int, int] | None:
    """Return symbols and length of the batches, if a uniform belief and the number of changes are given."""
    size = len(belief)
    if size < 2 or float(np.ptp(belief)) > 1e-13:
        return None
    largest = float(distances.max())
    for length in range(1, size.bit_length()):
        n = round(size ** (1 / length))
        if n**length == size and n > 1 and largest == length:
            same = np.array_equal(distances, batch_distance("hamming", n, length))
            return (n, length) if same else None
    return None


@dataclass(frozen=True)
class BinaryOptimum(SequenceMechanism):
    """The release of one of two symbols that is wrong least often within the budget.

    Parameters
    ----------
    epsilon
        The budget of one step in nats, 0 to infinity.

    Notes
    -----
    Optimal for one step, for every distance that is the same both ways; not for the sum over steps. With m
    the smaller belief and w = exp(-epsilon) there are three regimes: ``"crr"``, the conditional response,
    for m >= w / (1 + w); ``"capped"`` below it; ``"constant"``, always the likelier symbol, for m <= w / 2.

    Examples
    --------
    >>> mechanism = BinaryOptimum(1.0)
    >>> [mechanism.channel([1 - m, m]).regime for m in (0.4, 0.22, 0.05)]
    ['crr', 'capped', 'constant']
    >>> mechanism.channel([0.78, 0.22]).matrix.round(4).tolist()
    [[0.8614, 0.1386], [0.2689, 0.7311]]
    """

    name: ClassVar[str] = "binary_optimum"
    label: ClassVar[str] = "Optimum for two symbols"
    private: ClassVar[bool] = True
    symbols: ClassVar[int | None] = 2

    def _log_errors(self, logs: Values) -> tuple[NDArray[np.bool_], Values, Values, NDArray[np.int64]]:
        """Return what decides how each symbol changes, belief by belief."""
        # Four arrays: whether symbol 1 is the rarer one; the log of how likely the rarer symbol changes; that
        # of the likelier one; the regime: 0 the conditional response, 1 the capped regime, 2 a constant.
        second = logs[:, 1] <= logs[:, 0]
        rarer, likelier = np.where(second, logs[:, ::-1].T, logs.T)
        edge = log_edge(self.epsilon)
        regime = self._regimes(rarer)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            # ln(w - m) less ln(1 - m); at the edge nothing but rounding is left of the first.
            left = np.maximum(np.log1p(-np.exp(rarer + self.epsilon)), edge) - self.epsilon
            capped = left - np.log1p(shared(self.epsilon)) - likelier
        rare = np.where(regime == 0, likelier - self.epsilon, np.where(regime == 1, edge, 0.0))
        likely = np.where(regime == 0, rarer - self.epsilon, np.where(regime == 1, capped, -inf))
        return second, rare, likely, regime

    def _regimes(self, rarer: Values) -> NDArray[np.int64]:
        """Return the regimes by the logarithm of the smaller belief."""
        # Both compared as floats of ordinary size: ties are frequent.
        scale = max(0.0, self.epsilon - 700) if self.epsilon < inf else 0.0
        weight = shared(self.epsilon - scale)
        with np.errstate(over="ignore"):
            m = np.exp(rarer + scale)
        found: NDArray[np.int64] = np.where(m >= weight / (1 + weight), 0, np.where(m > weight / 2, 1, 2))
        return np.where(rarer == -inf, 2, found)

    def _log_matrices(self, beliefs: Values, logs: Values) -> Values:
        if beliefs.shape[1] == 1:
            return np.zeros((len(beliefs), 1, 1))
        second, rare, likely, _ = self._log_errors(logs)
        zero_changed, one_changed = np.where(second, likely, rare), np.where(second, rare, likely)
        result = np.empty((len(beliefs), 2, 2))
        with np.errstate(divide="ignore"):
            result[:, 0, 0], result[:, 0, 1] = np.log1p(-np.exp(zero_changed)), zero_changed
            result[:, 1, 0], result[:, 1, 1] = one_changed, np.log1p(-np.exp(one_changed))
        return result

    def _matrices(self, beliefs: Values) -> Values:
        if beliefs.shape[1] == 1:
            return np.ones((len(beliefs), 1, 1))
        second, rare, likely, regime = self._log_errors(logs_of(beliefs))
        rare, likely = np.exp(rare), np.exp(likely)
        if self.epsilon < inf:
            # A probability that is too small for a float would exclude a symbol.
            rare = np.maximum(rare, SMALLEST)
            likely = np.where(regime == 2, 0.0, np.maximum(likely, np.minimum(beliefs.min(axis=1), SMALLEST)))
        zero_changed, one_changed = np.where(second, likely, rare), np.where(second, rare, likely)
        result = np.empty((len(beliefs), 2, 2))
        result[:, 0, 0], result[:, 0, 1] = 1 - zero_changed, zero_changed
        result[:, 1, 0], result[:, 1, 1] = one_changed, 1 - one_changed
        return result

    def _one(self, belief: Values, distances: Values) -> tuple[Values, str | None]:
        if len(belief) == 1:
            return np.ones((1, 1)), "crr"
        names = ("crr", "capped", "constant")
        return self._matrices(belief[None])[0], names[self._regimes(logs_of(belief.min(keepdims=True)))[0]]

    def _rows(self, symbols: NDArray[np.int64], beliefs: Values) -> Values:
        return self._matrices(beliefs)[np.arange(len(symbols)), symbols]

    def _lifts(self, beliefs: Values) -> Values:
        if beliefs.shape[1] == 1:
            return np.zeros(len(beliefs))
        regime = self._regimes(logs_of(beliefs.min(axis=1)))
        return np.where(regime == 2, 0.0, self.epsilon)


_HALVINGS = 80


def _entropy(p: Values) -> Values:
    """Return the entropy of a bit in nats."""
    q = 1 - p
    result: Values = -p * np.log(np.where(p > 0, p, 1.0)) - q * np.log(np.where(q > 0, q, 1.0))
    return result


@dataclass(frozen=True)
class MutualInformationChannel(SequenceMechanism):
    """The release of one of two symbols that is wrong least often, within a bound on mutual information.

    Parameters
    ----------
    epsilon
        The bound on the mutual information of one step in nats. It is a mean, and bounds no worst case:
        the leakage can be far above it.

    Examples
    --------
    >>> mechanism = MutualInformationChannel(0.1)
    >>> step = mechanism.channel([0.8, 0.2])
    >>> round(step.cost, 4), round(step.leakage, 3), round(mechanism.information([0.8, 0.2]), 9)
    (0.1375, 1.761, 0.1)
    """

    name: ClassVar[str] = "mip"
    label: ClassVar[str] = "Bounded mutual information"
    private: ClassVar[bool] = False
    symbols: ClassVar[int | None] = 2

    def information(self, belief: ArrayLike) -> float:
        """Return the mutual information of the true and the released symbol in nats."""
        checked = as_belief(belief)
        self._check_symbols(len(checked))
        matrix = self._matrices(checked[None])[0]
        output = checked @ matrix
        joint = checked[:, None] * matrix
        ratio = np.where(joint > 0, matrix / np.where(output > 0, output, 1.0), 1.0)
        return max(float(np.sum(joint * np.log(ratio))), 0.0)

    def _matrices(self, beliefs: Values) -> Values:
        if beliefs.shape[1] == 1:
            return np.ones((len(beliefs), 1, 1))
        second = beliefs[:, 1] <= beliefs[:, 0]
        m = np.where(second, beliefs[:, 1], beliefs[:, 0])
        error = self._error(m)
        even = 1 - 2 * error
        published = np.where(even > 0, (m - error) / np.where(even > 0, even, 1.0), 0.0)
        published = np.where(m == 0.5, 0.5, np.clip(published, 0.0, None))
        rare = np.where(m > 0, published * (1 - error) / np.where(m > 0, m, 1.0), 0.0)
        rare, likely = np.clip(rare, 0.0, 1.0), published * error / (1 - m)
        zero = np.where(second, likely, 1 - rare)
        one = np.where(second, rare, 1 - likely)
        return np.stack([np.stack([1 - zero, zero], axis=-1), np.stack([1 - one, one], axis=-1)], axis=1)

    def _error(self, m: Values) -> Values:
        """Return how often the release is wrong: the d in [0, m] whose entropy is that of m less epsilon."""
        if self.epsilon == 0:
            # Nothing is said then; an error that is a little off m would single out whoever it touches.
            return m
        goal = _entropy(m) - self.epsilon
        low, high = np.zeros_like(m), m.copy()
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            above = _entropy(middle) > goal
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return np.where(goal <= 0, 0.0, high)

    def _rows(self, symbols: NDArray[np.int64], beliefs: Values) -> Values:
        return self._matrices(beliefs)[np.arange(len(symbols)), symbols]


# The solver stops a billionth short of the optimum; beyond this budget a closed form can be nearer.
_LARGE = 10.0


@dataclass(frozen=True)
class OptimalResponse(SequenceMechanism):
    """The release with the least mean distance of all that leak at most the budget.

    It is the best for one step, not for the sum over steps: a release changes the belief of the next one.

    Parameters
    ----------
    epsilon
        The budget of one step, or of one batch, in nats, 0 to infinity.
    distance
        What the cost is counted in: a `Distance`, its name, a matrix, or None for 0 or 1.
    robust
        Whether the rows of impossible symbols keep the bounds too, which guards against a wrong belief.
    outputs
        How many of the likeliest symbols may be published at most; without it, all. It saves time; the budget
        is kept, and the cost is that of the optimum or more.

    Notes
    -----
    Regimes say how it was found: the cases of two symbols; ``"crr"``, where conditional response is valid and
    the triangle inequality holds; ``"uniform"``, a closed form; ``"program"``, a linear program. It takes
    3 ms for 10 symbols, under 1 s for 64 and a few seconds for 128; more need ``outputs``. The matrix is
    often one of many with the same cost.

    Examples
    --------
    >>> step = OptimalResponse(1.5, "absolute").channel([0.1, 0.2, 0.4, 0.2, 0.1])
    >>> round(step.cost, 6), step.valid, step.regime
    (0.387429, True, 'program')
    """

    name: ClassVar[str] = "optimum"
    label: ClassVar[str] = "Optimum"
    private: ClassVar[bool] = True
    found_slowly: ClassVar[bool] = True

    distance: Any = None
    robust: bool = True
    outputs: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "robust", as_flag(self.robust, "robust"))
        if self.outputs is not None:
            object.__setattr__(self, "outputs", as_size(self.outputs, "outputs", 1))
        if isinstance(self.distance, str):
            object.__setattr__(self, "distance", Distance(self.distance))
        elif self.distance is not None and not isinstance(self.distance, Distance):
            try:
                many = len(np.atleast_1d(np.asarray(self.distance)))
            except (ValueError, OverflowError):
                many = 0
            rows = distance_matrix(self.distance, many)
            object.__setattr__(self, "distance", tuple(tuple(row) for row in rows.tolist()))

    def channel(self, belief: ArrayLike, distance: Any = None) -> StepChannel:
        """Return the release at one belief, and what it achieves.

        Parameters
        ----------
        belief
            Probability of each symbol, shape (n,).
        distance
            Another distance than that of the mechanism.

        Raises
        ------
        LimitError
            There are too many symbols for the linear program.
        """
        return super().channel(belief, self.distance if distance is None else distance)

    def expected_seconds(self, n: int) -> float:
        """Return about how long a release of n symbols takes at most, on one core; it cannot be stopped.

        Examples
        --------
        >>> OptimalResponse(1.0).expected_seconds(64) < 1 < OptimalResponse(1.0).expected_seconds(128)
        True
        """
        n = as_size(n, "n", 1, MOST_EXACT)
        return expected_seconds(n, n if self.outputs is None else min(n, self.outputs))

    def _matrices(self, beliefs: Values) -> Values:
        n = beliefs.shape[1]
        distances = distance_matrix(self.distance, n)
        if not len(beliefs):
            return np.empty((0, n, n))
        # Users who released the same so far share a belief, and a solution.
        different, place = np.unique(beliefs, axis=0, return_inverse=True)
        found = np.stack([self._one(belief, distances)[0] for belief in different])
        return found[place.reshape(-1)]

    def _rows(self, symbols: NDArray[np.int64], beliefs: Values) -> Values:
        matrices = self._matrices(beliefs)
        return matrices[np.arange(len(symbols)), symbols]

    def _one(self, belief: Values, distances: Values) -> tuple[Values, str | None]:
        n = len(belief)
        limited = self.outputs is not None and self.outputs < n
        if self.epsilon == 0 or self.epsilon == inf or n == 1:
            return self._extreme(belief, distances)
        if not limited:
            closed = self._closed(belief, distances)
            if closed is not None:
                return closed
        matrix = solve(belief, distances, self.epsilon, self.robust, self.outputs)
        others = [self._constant(belief, distances)]
        if not limited and self.epsilon > _LARGE:
            others.append(BalancedResponse(self.epsilon).matrices(belief[None])[0])
        costs = [float(belief @ np.sum(one * distances, axis=1)) for one in (matrix, *others)]
        best = int(np.argmin(np.array(costs) + np.array([0.0] + [1e-15] * len(others))))
        return (matrix, *others)[best], "constant" if best == 1 else "program"

    def _log_matrices(self, beliefs: Values, logs: Values) -> Values:
        n = beliefs.shape[1]
        distances = distance_matrix(self.distance, n)
        if self._is_binary(distances):
            return BinaryOptimum(self.epsilon)._log_matrices(beliefs, logs)
        if not len(beliefs):
            return np.empty((0, n, n))
        return np.stack([self._log_one(belief, distances) for belief in beliefs])

    def _is_binary(self, distances: Values) -> bool:
        """Tell whether two symbols are released at a finite budget, for which there is a closed form."""
        limited = self.outputs is not None and self.outputs < len(distances)
        return len(distances) == 2 and not limited and self.epsilon < inf and _is_plain(distances)

    def _log_one(self, belief: Values, distances: Values) -> Values:
        if self._is_binary(distances):
            return BinaryOptimum(self.epsilon)._log_one(belief, distances)
        matrix, _ = self._one(belief, distances)
        # What is too small for a float, and no zero, is made by the independent draw alone.
        small = (matrix > 0) & (matrix <= SMALLEST)
        return np.where(small, logs_of(belief @ matrix) - self.epsilon, logs_of(matrix))

    def _published(self, belief: Values) -> NDArray[np.int64]:
        most = len(belief) if self.outputs is None else self.outputs
        return np.sort(np.argsort(-belief, kind="stable")[:most])

    def _constant(self, belief: Values, distances: Values) -> Values:
        published = self._published(belief)
        best = published[int(np.argmin((belief @ distances)[published]))]
        matrix = np.zeros_like(distances)
        matrix[:, best] = 1.0
        return matrix

    def _extreme(self, belief: Values, distances: Values) -> tuple[Values, str | None]:
        """Return the release without any budget, or with an infinite one."""
        n = len(belief)
        if self.epsilon == 0 or n == 1:
            if n == 2 and self.outputs is None and _is_plain(distances):
                return BinaryOptimum(0.0)._one(belief, distances)
            return self._constant(belief, distances), "constant"
        published = self._published(belief)
        nearest = published[np.argmin(distances[:, published], axis=1)]
        matrix = np.zeros((n, n))
        matrix[np.arange(n), nearest] = 1.0
        return matrix, "nearest"

    def _closed(self, belief: Values, distances: Values) -> tuple[Values, str | None] | None:
        if len(belief) == 2 and _is_plain(distances):
            return BinaryOptimum(self.epsilon)._one(belief, distances)
        # Below ln 2 conditional response is valid for one or two symbols only; others may be published.
        printed = ConditionalResponse(self.epsilon)
        if self.epsilon >= log(2) and printed.valid(belief) and is_pseudometric(distances):
            return printed.matrices(belief[None])[0], "crr"
        shape = uniform_batch_shape(belief, distances)
        if shape is not None:
            return uniform_batch_channel(*shape, self.epsilon), "uniform"
        return None


def _is_plain(distances: Values) -> bool:
    """Tell whether the distance of two symbols is the same both ways, and 0 from each to itself."""
    return bool(distances[0, 1] == distances[1, 0] and distances[0, 0] == distances[1, 1] == 0)
