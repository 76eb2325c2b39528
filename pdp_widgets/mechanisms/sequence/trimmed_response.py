"""Conditional response on the likeliest symbols alone, never publishing the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.mechanisms.sequence.belief_checks import as_belief
from pdp_widgets.mechanisms.sequence.common_part import Values
from pdp_widgets.mechanisms.sequence.draw_response import DrawResponse, largest_keep

__all__ = ["TrimmedResponse"]


@dataclass(frozen=True)
class TrimmedResponse(DrawResponse):
    """Publish only the likeliest symbols, as many as make the release right most often.

    Parameters
    ----------
    epsilon
        The budget of one step in nats, 0 to infinity.

    Notes
    -----
    Made for the distance of 0 or 1. Near the optimum for one step on skewed beliefs. Along a chain it can
    lose: it often publishes a constant, which tells nothing, and the belief flattens.

    Examples
    --------
    >>> mechanism = TrimmedResponse(1.0)
    >>> step = mechanism.channel([0.5, 0.3, 0.15, 0.05])
    >>> round(step.cost, 4), step.leakage, mechanism.outputs([0.5, 0.3, 0.15, 0.05])
    (0.338, 1.0, 2)
    """

    name: ClassVar[str] = "crr_trimmed"
    label: ClassVar[str] = "Conditional response, trimmed"
    private: ClassVar[bool] = True

    def outputs(self, belief: ArrayLike) -> int:
        """Return how many symbols are published at a belief."""
        return int(self._trimmed(as_belief(belief)[None])[0][0])

    def draw_weight(self, belief: ArrayLike) -> float:
        """Return how likely the release of a published symbol is a fresh draw."""
        return float(self._weights(self._parts(as_belief(belief)[None])[1])[0])

    def _trimmed(self, beliefs: Values) -> tuple[NDArray[np.int64], NDArray[np.int64], Values]:
        """Return how many symbols are published, all in order of belief, and the probability to keep."""
        order = np.argsort(-_rounded(beliefs), axis=1, kind="stable")
        ordered = np.take_along_axis(beliefs, order, axis=1)
        mass = np.cumsum(ordered, axis=1)
        least = ordered / mass
        keep = np.zeros_like(mass)
        keep[:, 1:] = largest_keep(least[:, 1:], self.epsilon)
        hits = keep * mass + (1 - keep) * np.cumsum(ordered**2, axis=1) / mass
        hits[ordered == 0] = -1.0
        # The first that is the largest, but for rounding.
        best = np.argmax(hits > hits.max(axis=1, keepdims=True) - 1e-12, axis=1)
        return best + 1, order, keep[np.arange(len(beliefs)), best]

    def _parts(self, beliefs: Values) -> tuple[Values, Values]:
        count, order, keep = self._trimmed(beliefs)
        places = np.empty_like(order)
        np.put_along_axis(places, order, np.arange(order.shape[1])[None, :], axis=1)
        law = np.where(places < count[:, None], beliefs, 0.0)
        return law / law.sum(axis=1, keepdims=True), keep

    def _one(self, belief: Values, distances: Values) -> tuple[Values, str | None]:
        count = self.outputs(belief)
        words = "a constant" if count == 1 else f"the likeliest {count} of {np.count_nonzero(belief)}"
        return self._matrices(belief[None])[0], words


def _rounded(beliefs: Values) -> Values:
    """Return beliefs with 36 of their 53 bits: rounding must not decide which of equal ones comes first."""
    shifted = beliefs * (2.0**17 + 1)
    rounded: Values = shifted - (shifted - beliefs)
    return rounded
