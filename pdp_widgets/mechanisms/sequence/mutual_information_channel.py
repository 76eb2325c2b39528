"""The release of one of two symbols with the least error for a bound on its mutual information."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.mechanisms.sequence.belief_checks import as_belief
from pdp_widgets.mechanisms.sequence.common_part import Values
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism

__all__ = ["MutualInformationChannel"]

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
