"""Keep the symbol, or publish a fresh draw from the output law: the family of conditional response."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.mechanisms.sequence.common_part import (
    Values,
    hold_above_zero,
    kept,
    lowest_lift,
    shared,
)
from pdp_widgets.mechanisms.sequence.inverse_cdf import drawn
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism

__all__ = ["DrawResponse", "largest_keep"]


def largest_keep(least: Values, epsilon: float) -> Values:
    """Return how likely a symbol may be kept, if the rarest one has this probability and others are possible.

    Notes
    -----
    The smaller of 1 - exp(-epsilon), from the low side, and least (exp(epsilon) - 1) / (1 - least), from
    the high side.

    Examples
    --------
    >>> largest_keep(np.array([0.5, 0.05]), 1.0).round(4).tolist()
    [0.6321, 0.0904]
    """
    most, weight = kept(epsilon), shared(epsilon)
    if weight == 0:
        return np.full(np.shape(least), most)
    with np.errstate(divide="ignore", over="ignore"):
        return np.minimum(most, most * (least / weight) / (1 - least))


class DrawResponse(SequenceMechanism):
    """Keep the symbol with one probability; otherwise publish a fresh draw from the output law.

    A symbol that the output law does not have is always answered with a draw.
    """

    @abstractmethod
    def _parts(self, beliefs: Values) -> tuple[Values, Values]:
        """Return the output law of each user, shape (users, n), and how likely a symbol is kept, (users,)."""

    def _weights(self, keep: Values) -> Values:
        # Where the full probability is kept, the weight of the draw is known without subtracting.
        return np.maximum(1 - keep, shared(self.epsilon))

    def _matrices(self, beliefs: Values) -> Values:
        law, keep = self._parts(beliefs)
        mixed = self._weights(keep)[:, None, None] * law[:, None, :]
        mixed = mixed + keep[:, None, None] * np.eye(law.shape[1])
        mixed = np.where((law > 0)[:, :, None], mixed, law[:, None, :])
        return hold_above_zero(mixed, law, self.epsilon)

    def _rows(self, symbols: NDArray[np.int64], beliefs: Values) -> Values:
        law, keep = self._parts(beliefs)
        users = np.arange(len(symbols))
        rows = self._weights(keep)[:, None] * law
        rows[users, symbols] += keep
        rows = np.where((law[users, symbols] > 0)[:, None], rows, law)
        return hold_above_zero(rows[:, None, :], law, self.epsilon)[:, 0]

    def _release(self, symbols: NDArray[np.int64], beliefs: Values, uniforms: Values) -> NDArray[np.int64]:
        law, keep = self._parts(beliefs)
        keep = np.where(law[np.arange(len(symbols)), symbols] > 0, keep, 0.0)
        fresh = np.flatnonzero(uniforms >= keep)
        released = symbols.copy()
        # What is left of the uniform number decides the draw.
        rest = (uniforms[fresh] - keep[fresh]) / (1 - keep[fresh])
        released[fresh] = drawn(law[fresh], np.minimum(rest, np.nextafter(1, 0)))
        return released

    def _likelihoods(self, released: NDArray[np.int64], beliefs: Values) -> Values:
        law, keep = self._parts(beliefs)
        users = np.arange(len(released))
        share = law[users, released]
        column = np.where(law > 0, (self._weights(keep) * share)[:, None], share[:, None])
        column[users, released] += np.where(share > 0, keep, 0.0)
        return hold_above_zero(column[:, :, None], share[:, None], self.epsilon)[:, :, 0]

    def _lifts(self, beliefs: Values) -> Values:
        law, keep = self._parts(beliefs)
        least = np.min(np.where(law > 0, law, np.inf), axis=1)
        low = lowest_lift(law, self._weights(keep), self.epsilon)
        # ln(1 - keep + keep / least), without cancellation for small budgets.
        high = np.log1p(keep * (1 - least) / least)
        return np.where(np.count_nonzero(beliefs, axis=1) == 1, 0.0, np.maximum(low, high))
