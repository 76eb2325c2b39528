"""Keep the symbol, or publish a fresh draw from the belief: the closed form as printed, and its repair."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.mechanisms.sequence.belief_checks import as_belief
from pdp_widgets.mechanisms.sequence.common_part import Values, is_rare, kept, shared
from pdp_widgets.mechanisms.sequence.draw_response import DrawResponse, largest_keep

__all__ = ["ConditionalResponse", "ShrunkResponse"]


@dataclass(frozen=True)
class ConditionalResponse(DrawResponse):
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

    def _parts(self, beliefs: Values) -> tuple[Values, Values]:
        return beliefs, np.full(len(beliefs), kept(self.epsilon))


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
        return float(self._weights(self._parts(as_belief(belief)[None])[1])[0])

    def valid(self, belief: ArrayLike) -> bool:
        """Tell whether the bound holds at a belief: always."""
        as_belief(belief)
        return True

    def _parts(self, beliefs: Values) -> tuple[Values, Values]:
        least = np.min(np.where(beliefs > 0, beliefs, np.inf), axis=1)
        alone = least == 1
        keep = largest_keep(np.where(alone, 0.5, least), self.epsilon)
        return beliefs, np.where(alone, kept(self.epsilon), keep)
