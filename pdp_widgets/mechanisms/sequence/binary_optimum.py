"""The best private release of one of two symbols, in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST
from pdp_widgets.mechanisms.sequence.common_part import Values, shared
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism

__all__ = ["BinaryOptimum"]


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

    def _errors(self, beliefs: Values) -> tuple[NDArray[np.bool_], Values, Values]:
        """Return whether symbol 1 is the rarer one, and how likely the rarer and the likelier one change."""
        weight = shared(self.epsilon)
        second = beliefs[:, 1] <= beliefs[:, 0]
        m = np.where(second, beliefs[:, 1], beliefs[:, 0])
        regime = self._regimes(m)
        rare_changed = np.where(regime == 0, weight * (1 - m), weight / (1 + weight))
        likely_changed = np.where(regime == 0, weight * m, (weight - m) / ((1 + weight) * (1 - m)))
        if self.epsilon < np.inf:
            # A probability that is too small for a float would exclude a symbol.
            rare_changed = np.maximum(rare_changed, SMALLEST)
            likely_changed = np.maximum(likely_changed, np.minimum(m, SMALLEST))
        return second, np.where(regime == 2, 1.0, rare_changed), np.where(regime == 2, 0.0, likely_changed)

    def _regimes(self, m: Values) -> NDArray[np.int64]:
        """Return 0, 1, 2 for the conditional response, the capped regime, a constant."""
        weight = shared(self.epsilon)
        found: NDArray[np.int64] = np.where(m >= weight / (1 + weight), 0, np.where(m > weight / 2, 1, 2))
        return np.where(m == 0, 2, found)

    def _matrices(self, beliefs: Values) -> Values:
        if beliefs.shape[1] == 1:
            return np.ones((len(beliefs), 1, 1))
        second, rare, likely = self._errors(beliefs)
        zero_changed, one_changed = np.where(second, likely, rare), np.where(second, rare, likely)
        result = np.empty((len(beliefs), 2, 2))
        result[:, 0, 0], result[:, 0, 1] = 1 - zero_changed, zero_changed
        result[:, 1, 0], result[:, 1, 1] = one_changed, 1 - one_changed
        return result

    def _one(self, belief: Values, distances: Values) -> tuple[Values, str | None]:
        if len(belief) == 1:
            return np.ones((1, 1)), "crr"
        names = ("crr", "capped", "constant")
        return self._matrices(belief[None])[0], names[self._regimes(belief.min(keepdims=True))[0]]

    def _rows(self, symbols: NDArray[np.int64], beliefs: Values) -> Values:
        return self._matrices(beliefs)[np.arange(len(symbols)), symbols]

    def _lifts(self, beliefs: Values) -> Values:
        if beliefs.shape[1] == 1:
            return np.zeros(len(beliefs))
        regime = self._regimes(beliefs.min(axis=1))
        # Where a probability was raised to the smallest float, less is leaked.
        reachable = (
            np.log(np.maximum(beliefs.max(axis=1), 0.5) / SMALLEST) if self.epsilon < np.inf else np.inf
        )
        return np.where(regime == 2, 0.0, np.minimum(self.epsilon, reachable))
