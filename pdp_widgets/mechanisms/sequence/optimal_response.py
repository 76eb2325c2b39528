"""The release of one step, or one batch, that costs least within the budget."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.binary_optimum import BinaryOptimum
from pdp_widgets.mechanisms.sequence.closed_forms import uniform_batch_channel, uniform_batch_shape
from pdp_widgets.mechanisms.sequence.common_part import Values
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
from pdp_widgets.mechanisms.sequence.distances import Distance, distance_matrix, is_pseudometric
from pdp_widgets.mechanisms.sequence.linear_program import expected_seconds, solve
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism
from pdp_widgets.mechanisms.sequence.step_channel import StepChannel
from pdp_widgets.models.given_numbers import as_flag

__all__ = ["OptimalResponse"]

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
