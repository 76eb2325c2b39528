"""Conditional response: a symbol is kept or another is drawn from a law, shrunk or trimmed."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import exp, log
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.mechanisms.sequence.belief_checks import as_belief, drawn
from pdp_widgets.mechanisms.sequence.log_lift import (
    Values,
    hold_above_zero,
    is_rare,
    log_edge,
    log_kept,
    logs_of,
    shared,
)
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism

__all__ = ["ConditionalResponse", "Draw", "DrawResponse", "ShrunkResponse", "TrimmedResponse", "largest_keep"]


def largest_keep(log_least: Values, epsilon: float) -> tuple[Values, Values]:
    """Return the logs of how likely a symbol may be kept, and of the rest, by that of the rarest one."""
    # The smaller of 1 - exp(-epsilon), from the low side, and least (exp(epsilon) - 1) / (1 - least), from
    # the high side. Both numbers are found without subtracting one from 1.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        others = np.log1p(-np.exp(log_least))
        keep = np.minimum(log_kept(epsilon), log_kept(epsilon) + (log_least + epsilon) - others)
        draw = np.maximum(-epsilon, np.log1p(-np.exp(log_least + epsilon)) - others)
    high = log_least < log_edge(epsilon)
    return np.where(high, keep, log_kept(epsilon)), np.where(high, draw, -epsilon)


@dataclass(frozen=True, eq=False)
class Draw:
    """What each user's release is: kept, or a draw from a law; probabilities and their logarithms."""

    law: Values  # shape (users, n), and so are the logs
    log_law: Values
    log_keep: Values  # shape (users,)
    log_weight: Values

    @property
    def keep(self) -> Values:
        """How likely a symbol is kept."""
        return np.exp(self.log_keep)

    @property
    def weight(self) -> Values:
        """How likely the release is a draw: never 1 less the other, which would be rounded."""
        return np.exp(self.log_weight)


class DrawResponse(SequenceMechanism):
    """Keep the symbol with one probability; otherwise publish a fresh draw from the output law."""

    # A symbol that the output law does not have is always answered with a draw.
    @abstractmethod
    def _parts(self, beliefs: Values, logs: Values) -> Draw:
        """Return what is kept and drawn at beliefs and their logarithms, both of shape (users, n)."""

    def _of(self, beliefs: Values) -> Draw:
        return self._parts(beliefs, logs_of(beliefs))

    def _matrices(self, beliefs: Values) -> Values:
        draw = self._of(beliefs)
        law = draw.law
        mixed = draw.weight[:, None, None] * law[:, None, :]
        mixed = mixed + draw.keep[:, None, None] * np.eye(law.shape[1])
        mixed = np.where((law > 0)[:, :, None], mixed, law[:, None, :])
        return hold_above_zero(mixed, law, self.epsilon)

    def _log_matrices(self, beliefs: Values, logs: Values) -> Values:
        draw = self._parts(beliefs, logs)
        law = draw.log_law[:, None, :]
        mixed = draw.log_weight[:, None, None] + law
        own = np.logaddexp(mixed, draw.log_keep[:, None, None])
        mixed = np.where(np.eye(law.shape[2], dtype=bool), own, mixed)
        return np.where((draw.log_law > -np.inf)[:, :, None], mixed, law)

    def _rows(self, symbols: NDArray[np.int64], beliefs: Values) -> Values:
        draw = self._of(beliefs)
        law, users = draw.law, np.arange(len(symbols))
        rows = draw.weight[:, None] * law
        rows[users, symbols] += draw.keep
        rows = np.where((law[users, symbols] > 0)[:, None], rows, law)
        return hold_above_zero(rows[:, None, :], law, self.epsilon)[:, 0]

    def _release(self, symbols: NDArray[np.int64], beliefs: Values, uniforms: Values) -> NDArray[np.int64]:
        draw = self._of(beliefs)
        law, keep = draw.law, draw.keep
        keep = np.where(law[np.arange(len(symbols)), symbols] > 0, keep, 0.0)
        fresh = np.flatnonzero(uniforms >= keep)
        released = symbols.copy()
        # What is left of the uniform number decides the draw.
        rest = (uniforms[fresh] - keep[fresh]) / (1 - keep[fresh])
        released[fresh] = drawn(law[fresh], np.minimum(rest, np.nextafter(1, 0)))
        return released

    def _likelihoods(self, released: NDArray[np.int64], beliefs: Values) -> Values:
        draw = self._of(beliefs)
        law, users = draw.law, np.arange(len(released))
        share = law[users, released]
        column = np.where(law > 0, (draw.weight * share)[:, None], share[:, None])
        column[users, released] += np.where(share > 0, draw.keep, 0.0)
        return hold_above_zero(column[:, :, None], share[:, None], self.epsilon)[:, :, 0]

    def _lifts(self, beliefs: Values) -> Values:
        draw = self._of(beliefs)
        least = np.min(np.where(draw.law > 0, draw.log_law, 0.0), axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            # ln(1 - keep + keep / least), without cancellation for small budgets.
            high = np.logaddexp(0.0, draw.log_keep + np.log1p(-np.exp(least)) - least)
        return np.where(np.count_nonzero(beliefs, axis=1) == 1, 0.0, np.maximum(-draw.log_weight, high))


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

    def _parts(self, beliefs: Values, logs: Values) -> Draw:
        many = len(beliefs)
        return Draw(beliefs, logs, np.full(many, log_kept(self.epsilon)), np.full(many, -self.epsilon))


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
        return float(self._of(as_belief(belief)[None]).weight[0])

    def valid(self, belief: ArrayLike) -> bool:
        """Tell whether the bound holds at a belief: always."""
        as_belief(belief)
        return True

    def _parts(self, beliefs: Values, logs: Values) -> Draw:
        alone = np.count_nonzero(logs > -np.inf, axis=1) == 1
        least = np.min(np.where(logs > -np.inf, logs, 0.0), axis=1)
        keep, weight = largest_keep(np.where(alone, -log(2), least), self.epsilon)
        keep = np.where(alone, log_kept(self.epsilon), keep)
        return Draw(beliefs, logs, keep, np.where(alone, -self.epsilon, weight))


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
        checked = as_belief(belief)[None]
        return int(self._trimmed(checked, logs_of(checked))[0][0])

    def draw_weight(self, belief: ArrayLike) -> float:
        """Return how likely the release of a published symbol is a fresh draw."""
        return float(self._of(as_belief(belief)[None]).weight[0])

    def _trimmed(
        self, beliefs: Values, logs: Values
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], Values, Values]:
        """Return how many symbols are published, all in order, and the logs of keeping and of drawing."""
        order = np.argsort(-_rounded(beliefs), axis=1, kind="stable")
        ordered = np.take_along_axis(beliefs, order, axis=1)
        mass = np.cumsum(ordered, axis=1)
        keep, weight = largest_keep(np.take_along_axis(logs, order, axis=1) - np.log(mass), self.epsilon)
        keep[:, 0], weight[:, 0] = -np.inf, 0.0
        hits = np.exp(keep) * mass + np.exp(weight) * np.cumsum(ordered**2, axis=1) / mass
        hits[ordered == 0] = -1.0
        # The first that is the largest, but for rounding.
        best = np.argmax(hits > hits.max(axis=1, keepdims=True) - 1e-12, axis=1)
        users = np.arange(len(beliefs))
        return best + 1, order, keep[users, best], weight[users, best]

    def _parts(self, beliefs: Values, logs: Values) -> Draw:
        count, order, keep, weight = self._trimmed(beliefs, logs)
        places = np.empty_like(order)
        np.put_along_axis(places, order, np.arange(order.shape[1])[None, :], axis=1)
        inside = places < count[:, None]
        law = np.where(inside, beliefs, 0.0)
        mass = law.sum(axis=1, keepdims=True)
        return Draw(law / mass, np.where(inside, logs, -np.inf) - np.log(mass), keep, weight)

    def _one(self, belief: Values, distances: Values) -> tuple[Values, str | None]:
        count = self.outputs(belief)
        words = "a constant" if count == 1 else f"the likeliest {count} of {np.count_nonzero(belief)}"
        return self._matrices(belief[None])[0], words


def _rounded(beliefs: Values) -> Values:
    """Return beliefs with 36 of their 53 bits: rounding must not decide which of equal ones comes first."""
    shifted = beliefs * (2.0**17 + 1)
    rounded: Values = shifted - (shifted - beliefs)
    return rounded
