"""Generalised randomised response on every symbol of a stream, whatever was released before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, log1p
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST
from pdp_widgets.mechanisms.sequence.log_lift import Values
from pdp_widgets.mechanisms.sequence.sequence_mechanism import SequenceMechanism

__all__ = ["RandomisedSymbols", "RandomisedSymbolsTwice", "held_rates", "log_rates"]


# Asked at every step of a stream.
@lru_cache(maxsize=256)
def log_rates(epsilon: float, n: int) -> tuple[float, float]:
    """Return the logs of how likely the true symbol of n and each other one are, as of `GRR`."""
    if n == 1:
        return 0.0, -inf
    total = log1p((n - 1) * exp(-epsilon))
    return 0.0 - total, -epsilon - total


def held_rates(keep: float, other: float) -> tuple[float, float]:
    """Return probabilities from their logs; what is positive stays so, if too small for a float."""
    return exp(keep), max(exp(other), SMALLEST) if other > -inf else 0.0


@dataclass(frozen=True)
class RandomisedSymbols(SequenceMechanism):
    """Local privacy as usual: the truth is exp(epsilon) times as likely as any other symbol.

    Parameters
    ----------
    epsilon
        The budget of one step in nats, 0 to infinity.

    Notes
    -----
    The same for every belief. It keeps the budget for every prior: the output law is a mean of rows.

    Examples
    --------
    >>> step = RandomisedSymbols(1.0).channel([0.9, 0.1])
    >>> step.matrix.round(4).tolist(), round(step.leakage, 4)
    ([[0.7311, 0.2689], [0.2689, 0.7311]], 0.9347)
    """

    name: ClassVar[str] = "grr"
    label: ClassVar[str] = "Randomised response"
    private: ClassVar[bool] = True
    factor: ClassVar[int] = 1

    def _keep_and_other(self, n: int) -> tuple[float, float]:
        """Return the probability of the true symbol and that of each other one."""
        return held_rates(*self._log_rates(n))

    def _log_rates(self, n: int) -> tuple[float, float]:
        return log_rates(self.factor * self.epsilon, n)

    def _one(self, belief: Values, distances: Values) -> tuple[Values, str | None]:
        return self._matrix(len(belief)), None

    def _matrices(self, beliefs: Values) -> Values:
        users, n = beliefs.shape
        return np.broadcast_to(self._matrix(n), (users, n, n)).copy()

    def _matrix(self, n: int) -> Values:
        return _symmetric(n, *self._keep_and_other(n))

    def _log_matrices(self, beliefs: Values, logs: Values) -> Values:
        users, n = beliefs.shape
        return np.broadcast_to(_symmetric(n, *self._log_rates(n)), (users, n, n)).copy()

    def _rows(self, symbols: NDArray[np.int64], beliefs: Values) -> Values:
        return self._matrix(beliefs.shape[1])[symbols]

    def _release(self, symbols: NDArray[np.int64], beliefs: Values, uniforms: Values) -> NDArray[np.int64]:
        n = beliefs.shape[1]
        keep, _ = self._keep_and_other(n)
        if keep == 1 or n == 1:
            return symbols.copy()
        # Which of the others it is follows from what is left of the uniform number.
        rest = np.maximum(uniforms - keep, 0.0) / (1 - keep)
        shift = 1 + np.minimum((rest * (n - 1)).astype(np.int64), n - 2)
        return np.where(uniforms < keep, symbols, (symbols + shift) % n)

    def _likelihoods(self, released: NDArray[np.int64], beliefs: Values) -> Values:
        # The matrix is symmetric.
        return self._matrix(beliefs.shape[1])[released]

    def _lifts(self, beliefs: Values) -> Values:
        rates = self._log_rates(beliefs.shape[1])
        inside = beliefs > 0
        with np.errstate(divide="ignore"):
            output = np.logaddexp(rates[0] + np.log(beliefs), rates[1] + np.log1p(-beliefs))
        # Each output is made by its own symbol, and by others unless that is the only possible one.
        others = np.count_nonzero(inside, axis=1)[:, None] - inside > 0
        most = np.where(inside, *rates)
        least = np.where(others, *rates[::-1])
        # Outputs that are impossible, with an infinite budget, say nothing.
        with np.errstate(invalid="ignore"):
            sides = np.where(output > -inf, np.maximum(most - output, output - least), 0.0)
        leakage: Values = np.max(sides, axis=1, initial=0.0)
        return leakage


def _symmetric(n: int, own: float, other: float) -> Values:
    matrix = np.full((n, n), other)
    np.fill_diagonal(matrix, own)
    return matrix


@dataclass(frozen=True)
class RandomisedSymbolsTwice(RandomisedSymbols):
    """Randomised response at twice the budget, to compare with: a bound on the leakage implies no more.

    Parameters
    ----------
    epsilon
        The budget of one step in nats; the truth is exp(2 epsilon) times as likely as any other symbol.

    Notes
    -----
    A mechanism that leaks at most epsilon is locally private at 2 epsilon, on the symbols that are possible.
    This one has that, and leaks more than epsilon.

    Examples
    --------
    >>> step = RandomisedSymbolsTwice(1.0).channel([0.9, 0.1])
    >>> round(step.cost, 4), round(step.leakage, 4), step.valid
    (0.1192, 1.9096, False)
    """

    name: ClassVar[str] = "grr2"
    label: ClassVar[str] = "Randomised response at twice the budget"
    private: ClassVar[bool] = False
    factor: ClassVar[int] = 2
