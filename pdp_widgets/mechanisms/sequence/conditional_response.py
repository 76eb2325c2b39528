"""Keep the symbol, or publish a fresh draw from the belief: the closed form as printed, and its repair."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.mechanisms.sequence.belief_checks import as_belief
from pdp_widgets.mechanisms.sequence.common_part import (
    Values,
    hold_above_zero,
    is_rare,
    kept,
    lowest_lift,
    shared,
    with_common_part,
)
from pdp_widgets.mechanisms.sequence.inverse_cdf import drawn
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism

__all__ = ["ConditionalResponse", "ShrunkResponse"]


def _least(beliefs: Values) -> tuple[Values, NDArray[np.bool_]]:
    """Return the smallest positive belief of each user, and whether only one symbol is possible."""
    least = np.min(np.where(beliefs > 0, beliefs, np.inf), axis=1)
    return least, np.count_nonzero(beliefs, axis=1) == 1


@dataclass(frozen=True)
class ConditionalResponse(SequenceMechanism):
    """Keep the symbol with probability 1 - exp(-epsilon); otherwise publish a fresh draw from the belief.

    It **breaks its own bound** where a possible symbol is less likely than 1 / (1 + exp(epsilon)); `valid`
    tells. `BalancedResponse` equals it where it is valid and keeps the bound everywhere.

    Parameters
    ----------
    epsilon
        The budget of one step in nats, 0 to infinity.

    Notes
    -----
    Theorem 4 and Algorithm 1 of the paper. The theorem as typeset has the belief of the true symbol
    off the diagonal, and its rows do not sum to 1 (`printed_row_sums`); the algorithm is meant. Where it is
    valid it is optimal for every distance that obeys the triangle inequality.

    Examples
    --------
    >>> mechanism = ConditionalResponse(1.0)
    >>> mechanism.channel([0.5, 0.5]).matrix.round(4).tolist()
    [[0.8161, 0.1839], [0.1839, 0.8161]]
    >>> mechanism.valid([0.5, 0.5]), mechanism.valid([0.9, 0.1]), round(mechanism.threshold, 4)
    (True, False, 0.2689)
    """

    name: ClassVar[str] = "crr"
    label: ClassVar[str] = "Conditional response, as printed"
    private: ClassVar[bool] = False

    @property
    def threshold(self) -> float:
        """The least belief of a possible symbol for which the bound holds, 1 / (1 + exp(epsilon))."""
        weight = exp(-self.epsilon)
        return weight / (1 + weight)

    def valid(self, belief: ArrayLike) -> bool:
        """Tell whether the bound holds at a belief."""
        checked = as_belief(belief)
        alone = np.count_nonzero(checked) == 1
        return bool(alone or self.epsilon == 0 or not is_rare(checked, self.epsilon).any())

    def printed_row_sums(self, belief: ArrayLike) -> NDArray[np.float64]:
        """Return what the rows of the matrix sum to in the theorem as typeset; 1 would be right.

        Examples
        --------
        >>> ConditionalResponse(1.0).printed_row_sums([0.95, 0.05]).round(3).tolist()
        [1.331, 0.669]
        """
        checked = as_belief(belief)
        sums: NDArray[np.float64] = 1 + (len(checked) * checked - 1) * shared(self.epsilon)
        return sums

    def _weights(self, beliefs: Values) -> Values:
        """Return how likely a fresh draw is for each user."""
        return np.full(len(beliefs), shared(self.epsilon))

    def _kept(self, beliefs: Values) -> Values:
        return np.full(len(beliefs), kept(self.epsilon))

    def _matrices(self, beliefs: Values) -> Values:
        identity = np.eye(beliefs.shape[1])
        channel = np.where((beliefs > 0)[:, :, None], identity, beliefs[:, None, :])
        return with_common_part(beliefs, channel, self.epsilon)

    def _rows(self, symbols: NDArray[np.int64], beliefs: Values) -> Values:
        users = np.arange(len(symbols))
        possible = beliefs[users, symbols] > 0
        rows = self._weights(beliefs)[:, None] * beliefs
        rows[users, symbols] += self._kept(beliefs)
        rows = np.where(possible[:, None], rows, beliefs)
        return hold_above_zero(rows[:, None, :], beliefs, self.epsilon)[:, 0]

    def _release(self, symbols: NDArray[np.int64], beliefs: Values, uniforms: Values) -> NDArray[np.int64]:
        possible = beliefs[np.arange(len(symbols)), symbols] > 0
        keep = np.where(possible, self._kept(beliefs), 0.0)
        stays = uniforms < keep
        fresh = np.flatnonzero(~stays)
        released = symbols.copy()
        # What is left of the uniform number decides the draw.
        rest = (uniforms[fresh] - keep[fresh]) / (1 - keep[fresh])
        released[fresh] = drawn(beliefs[fresh], np.minimum(rest, np.nextafter(1, 0)))
        return released

    def _likelihoods(self, released: NDArray[np.int64], beliefs: Values) -> Values:
        users = np.arange(len(released))
        share = beliefs[users, released]
        column = np.where(beliefs > 0, (self._weights(beliefs) * share)[:, None], share[:, None])
        column[users, released] += np.where(share > 0, self._kept(beliefs), 0.0)
        return hold_above_zero(column[:, :, None], share[:, None], self.epsilon)[:, :, 0]

    def _lifts(self, beliefs: Values) -> Values:
        least, alone = _least(beliefs)
        # ln(w + (1 - w) / least), without cancellation for small budgets.
        high = np.log1p(kept(self.epsilon) * (1 - least) / least)
        return np.where(
            alone, 0.0, np.maximum(lowest_lift(beliefs, shared(self.epsilon), self.epsilon), high)
        )


@dataclass(frozen=True)
class ShrunkResponse(ConditionalResponse):
    """Conditional response that keeps the symbol so seldom that the bound holds.

    Parameters
    ----------
    epsilon
        The budget of one step in nats, 0 to infinity.

    Notes
    -----
    The least repair in one line; poor where one symbol is very rare, since that one decides for all.

    Examples
    --------
    >>> mechanism = ShrunkResponse(1.0)
    >>> step = mechanism.channel([0.95, 0.05])
    >>> round(step.leakage, 12), round(step.cost, 4), round(mechanism.draw_weight([0.95, 0.05]), 4)
    (1.0, 0.0864, 0.9096)
    """

    name: ClassVar[str] = "crr_shrunk"
    label: ClassVar[str] = "Conditional response, shrunk"
    private: ClassVar[bool] = True

    def draw_weight(self, belief: ArrayLike) -> float:
        """Return how likely the release is a fresh draw from the belief."""
        return float(self._weights(as_belief(belief)[None])[0])

    def valid(self, belief: ArrayLike) -> bool:
        """Tell whether the bound holds at a belief: always."""
        as_belief(belief)
        return True

    def _kept(self, beliefs: Values) -> Values:
        least, alone = _least(beliefs)
        weight = shared(self.epsilon)
        # 1 - (1 - least e^eps) / (1 - least), which is least (e^eps - 1) / (1 - least), where it is smaller.
        if weight == 0:
            return np.full(len(beliefs), kept(self.epsilon))
        with np.errstate(divide="ignore", over="ignore"):
            repaired = kept(self.epsilon) * (least / weight) / np.where(alone, 1.0, 1 - least)
        return np.where(alone, kept(self.epsilon), np.minimum(kept(self.epsilon), repaired))

    def _weights(self, beliefs: Values) -> Values:
        weights = 1 - self._kept(beliefs)
        # Where nothing is repaired the weight is known without subtracting.
        return np.maximum(weights, shared(self.epsilon))

    def _matrices(self, beliefs: Values) -> Values:
        n = beliefs.shape[1]
        mixed = self._weights(beliefs)[:, None, None] * beliefs[:, None, :]
        mixed = mixed + self._kept(beliefs)[:, None, None] * np.eye(n)
        mixed = np.where((beliefs > 0)[:, :, None], mixed, beliefs[:, None, :])
        return hold_above_zero(mixed, beliefs, self.epsilon)

    def _lifts(self, beliefs: Values) -> Values:
        least, alone = _least(beliefs)
        weights = self._weights(beliefs)
        low = lowest_lift(beliefs, weights, self.epsilon)
        high = np.log1p(self._kept(beliefs) * (1 - least) / least)
        return np.where(alone, 0.0, np.maximum(low, high))
