"""The chance of guessing right before and after a release: vulnerability, gains, guesses, pointwise leakage.

All of these are sums over pieces of outputs on which the order of a few mixtures of the laws does not change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import LARGEST, as_sizes
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.leakage.meaning.laws import Laws
from pdp_widgets.mechanisms.noise import log_sum_exp

__all__ = [
    "Gain",
    "Vulnerability",
    "bayes_capacity",
    "gain_vulnerability",
    "largest_pointwise_leakage",
    "pointwise_leakage",
    "pointwise_tail",
    "posterior_range",
    "vulnerability",
    "worst_advantage",
]

Floats = NDArray[np.float64]

_LEVEL = 1e-12


@dataclass(frozen=True)
class Gain:
    """What is expected of the best guess before and after the release.

    Parameters
    ----------
    prior, posterior
        Expected gain before and after; with the gain 1 for a right guess, the chance of one.

    Examples
    --------
    >>> from pdp_widgets.meaning import Meaning, channel_laws
    >>> found = Meaning(channel_laws([[0.75, 0.25], [0.25, 0.75]], [0.3, 0.7])).gain([[1, -1], [-1, 1]])
    >>> round(found.prior, 6), round(found.posterior, 6), round(found.additive, 6)
    (0.4, 0.5, 0.1)
    """

    prior: float
    posterior: float

    @property
    def additive(self) -> float:
        """What the release adds, never below 0."""
        return max(0.0, self.posterior - self.prior)

    @property
    def multiplicative(self) -> float | None:
        """By what factor the release raises it; None unless it is positive before."""
        return self.posterior / self.prior if self.prior > 0 else None


@dataclass(frozen=True)
class Vulnerability(Gain):
    """The chance of guessing the label right, with the guesses it takes.

    Parameters
    ----------
    guesses_before, guesses_after
        Expected number of guesses in the best order.

    Examples
    --------
    >>> Vulnerability(0.5, 0.75, 1.5, 1.25).multiplicative
    1.5
    """

    guesses_before: float
    guesses_after: float

    @property
    def min_entropy_leakage_bits(self) -> float:
        """Min-entropy leakage in bits: log2 of the factor."""
        return math.log2(self.posterior / self.prior)

    @property
    def bayes_security(self) -> float | None:
        """Chance of a wrong guess after the release, as a share of that before; None where it was 0."""
        return (1 - self.posterior) / (1 - self.prior) if self.prior < 1 else None


def _differences(rows: Floats) -> Floats:
    """Return the differences of every two rows: where one overtakes another."""
    first, second = np.triu_indices(len(rows), 1)
    return np.asarray(rows[first] - rows[second])


def vulnerability(laws: Laws) -> Vulnerability:
    """Return the chance of guessing right and the number of guesses, before and after."""
    prior = laws.prior
    before = float(prior.max())
    order = np.arange(1, laws.many + 1)
    expected = float(order @ np.sort(prior)[::-1])
    if laws.determined:
        return Vulnerability(1.0, 1.0, 1.0, 1.0)
    masses = prior[:, None] * laws.pieces(_differences(np.diag(prior)))
    after = min(1.0, max(before, float(masses.max(axis=0).sum())))
    guesses = float(order @ np.sort(masses, axis=0)[::-1].sum(axis=1))
    return Vulnerability(before, after, expected, min(expected, guesses))


def bayes_capacity(laws: Laws) -> float:
    """Return the largest factor by which the chance of a right guess rises, over all priors."""
    if laws.determined:
        return 1.0
    return max(1.0, float(laws.pieces(_differences(np.eye(laws.many))).max(axis=0).sum()))


def worst_advantage(laws: Laws) -> float:
    """Return the largest total variation between two laws."""
    zero = np.zeros(1)
    pairs = [(v, w) for v, w in laws.ordered_pairs if v < w]
    return max((float(laws.delta(v, w, zero)[0]) for v, w in pairs), default=0.0)


def gain_vulnerability(laws: Laws, gain: ArrayLike) -> Gain:
    """Return the expected gain of the best guess, for a gain matrix with a row for each guess."""
    given = as_sizes(gain, "gain", DomainError, -LARGEST, LARGEST)
    if given.ndim != 2 or given.shape[1] != laws.size or not len(given):
        raise DomainError(
            f"The gain has the shape {given.shape}; give one row for each guess and one column for each of "
            f"the {laws.size} labels.",
            Where("parameter", name="gain"),
        )
    weighted = given[:, laws.places] * laws.prior
    before = float(weighted.sum(axis=1).max())
    if laws.determined:
        return Gain(before, before)
    masses = weighted @ laws.pieces(_differences(weighted)) if len(weighted) > 1 else weighted.sum(axis=1)
    after = float(masses.max(axis=0).sum()) if len(weighted) > 1 else before
    return Gain(before, max(before, after))


def pointwise_leakage(laws: Laws, at: ArrayLike) -> Floats:
    """Return the pointwise maximal leakage of released numbers, in nats."""
    logs = laws.log_densities(at)
    mixed = log_sum_exp(logs + np.log(laws.prior)[:, None], axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(logs.max(axis=0) - mixed)


def largest_pointwise_leakage(laws: Laws) -> float:
    """Return the supremum of the pointwise maximal leakage over all releases, in nats."""
    if laws.determined:
        return 0.0
    unit = np.eye(laws.many)
    return max(laws.largest_log(row, laws.prior)[0] for row in unit)


def pointwise_tail(laws: Laws, levels: Floats) -> Floats:
    """Return the chance of a release whose pointwise maximal leakage is above every level."""
    prior = laws.prior
    if laws.determined:
        return np.where(levels < 0, 1.0, 0.0)
    found = []
    for level in levels:
        # The level is to be exceeded by more than rounding.
        above = np.eye(laws.many) - math.exp(level) * (1 + _LEVEL) * prior
        masses = laws.pieces(above)
        mixed = prior @ masses
        passed = ((above @ masses) > _LEVEL * mixed).any(axis=0)
        found.append(float(mixed[passed].sum()))
    return np.minimum(found, 1.0)


def posterior_range(laws: Laws, row: int) -> tuple[float, float]:
    """Return the smallest and the largest chance that a label can have after a release."""
    prior = laws.prior
    if laws.determined:
        return 1.0, 1.0
    rest = prior.copy()
    rest[row] = 0.0
    own = np.zeros(laws.many)
    own[row] = prior[row]
    up, down = laws.largest_log(own, rest)[0], laws.largest_log(rest, own)[0]
    return _chance(-down), _chance(up)


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds)) if log_odds > -700 else math.exp(max(log_odds, -745.0))
