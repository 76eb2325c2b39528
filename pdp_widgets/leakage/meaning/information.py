"""Information and divergences of two laws or of all, what the leakage alone bounds, and channel capacity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import PROBABILITY, Kind, as_size
from pdp_widgets.core.converters import as_sizes
from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.meaning.laws import Laws, as_prior, as_stochastic_rows
from pdp_widgets.leakage.meaning.mixtures import MixtureLaws
from pdp_widgets.leakage.meaning.signed_mixtures import spread_noise
from pdp_widgets.mechanisms.noise import GaussianNoise, Noise, log_sum_exp

__all__ = [
    "NATS_OR_MORE",
    "LeakageBounds",
    "as_orders",
    "chi_squared",
    "expected_posteriors",
    "gaussian_information",
    "leakage_bounds",
    "mutual_information",
    "renyi",
    "shannon_capacity",
    "slack_bound",
    "squared_hellinger",
]

Floats = NDArray[np.float64]

_LARGEST_LOG = 709.0
_CAPACITY = 1e-13
_MOST_STEPS = 1_000_000
#: A leakage, or the promise of one.
NATS_OR_MORE = Kind("it must be a number of nats, 0 or more; infinity is allowed", 0, infinite=True)


def as_orders(orders: Any) -> Floats:
    """Return orders of Renyi divergences, all positive, infinity among them."""
    given = np.atleast_1d(as_sizes(orders, "order", DomainError))
    if not (given > 0).all():
        raise DomainError(
            "A Renyi divergence has the order 0; give positive orders.", Where("parameter", name="order")
        )
    return given


def _kl(weights: Floats, first: Floats, second: Floats) -> float:
    seen = first > -np.inf
    with np.errstate(over="ignore"):
        terms = weights[seen] * np.exp(first[seen]) * (first[seen] - second[seen])
    return max(0.0, float(terms.sum()))


def chi_squared(laws: Laws, v: int, w: int) -> float:
    """Return the chi-squared divergence of row v from row w; the square itself is summed up."""
    weights, logs = laws.nodes(2.0)
    first, second = logs[v], logs[w]
    if (second[first > -np.inf] == -np.inf).any():
        return math.inf
    seen = second > -np.inf
    first, second = first[seen], second[seen]
    top = np.maximum(first, second)
    # Twice the log of the difference, over the second density.
    with np.errstate(divide="ignore"):
        terms = 2 * (top + np.log(np.abs(np.exp(first - top) - np.exp(second - top)))) - second
        total = float(log_sum_exp(terms + np.log(weights[seen])))
    return math.exp(total) if total < _LARGEST_LOG else math.inf


def squared_hellinger(laws: Laws, v: int, w: int) -> float:
    """Return one minus the integral of the geometric mean of two densities."""
    weights, logs = laws.nodes()
    return min(1.0, max(0.0, 1 - float(weights @ np.exp((logs[v] + logs[w]) / 2))))


def renyi(laws: Laws, v: int, w: int, orders: Floats) -> Floats:
    """Return Renyi divergences of row v from row w, in nats; order 1 is that of Kullback and Leibler."""

    def one(order: float) -> float:
        if order == math.inf:
            return float(laws.log_ratios[v, w])
        weights, logs = laws.nodes(order)
        first, second = logs[v], logs[w]
        if order == 1:
            return _kl(weights, first, second)
        both = (first > -np.inf) & (second > -np.inf)
        if order > 1 and (both != (first > -np.inf)).any():
            return math.inf
        if not both.any():
            return math.inf
        terms = order * first[both] + (1 - order) * second[both]
        return max(0.0, float(log_sum_exp(terms + np.log(weights[both]))) / (order - 1))

    return np.array([one(float(order)) for order in orders])


def mutual_information(laws: Laws) -> float:
    """Return the mutual information of label and release, in nats."""
    if laws.determined:
        return 0.0
    weights, logs = laws.nodes()
    prior = laws.prior
    mixed = log_sum_exp(logs + np.log(prior)[:, None], axis=0)
    return float(sum(p * _kl(weights, row, mixed) for p, row in zip(prior, logs, strict=True)))


def gaussian_information(one: GaussianAdversary, noise: Noise) -> float:
    """Return the mutual information of a Gaussian target and the release, in nats."""
    if one.determined:
        return 0.0
    through = one.coefficient * one.spread
    if isinstance(noise, GaussianNoise):
        return math.log1p(through**2 / (one.sigma0**2 + noise.scale**2)) / 2
    return _differential_entropy(math.hypot(one.sigma0, through), noise) - _differential_entropy(
        one.sigma0, noise
    )


def _differential_entropy(spread: float, noise: Noise) -> float:
    """Return the entropy of Laplace noise and a normal spread together, in nats."""
    weights, logs = MixtureLaws(spread_noise(noise, spread), np.zeros(1), np.ones((1, 1))).nodes()
    return -float((weights * np.exp(logs[0])) @ logs[0])


def expected_posteriors(laws: Laws) -> Floats:
    """Return the expected chance of the true label after the release, for every label."""
    if laws.determined:
        return np.ones(1)
    weights, logs = laws.nodes()
    log_prior = np.log(laws.prior)[:, None]
    mixed = log_sum_exp(logs + log_prior, axis=0)
    return np.asarray(np.exp(2 * logs + log_prior - mixed) @ weights)


def shannon_capacity(rows: ArrayLike) -> float:
    """Return the capacity of a channel in nats: the largest mutual information over all priors.

    Parameters
    ----------
    rows
        Probabilities of the outputs, a row for each label.

    Raises
    ------
    TableError
        A row does not sum to 1 or has negative entries.

    Notes
    -----
    The iteration of Blahut and of Arimoto (1972), until the largest divergence of a row from the mixture is
    within 1e-13 of the mutual information.

    Examples
    --------
    >>> round(shannon_capacity([[0.9, 0.1], [0.1, 0.9]]), 6)
    0.368064
    """
    given = as_stochastic_rows(rows, "rows")
    channel = given[:, given.any(axis=0)]
    prior = np.full(len(channel), 1 / len(channel))
    with np.errstate(divide="ignore"):
        logs = np.log(channel)
    information = 0.0
    for _ in range(_MOST_STEPS):
        mixed = prior @ channel
        with np.errstate(invalid="ignore", divide="ignore"):
            terms = np.where(channel > 0, channel * (logs - np.log(mixed)), 0.0)
        apart = terms.sum(axis=1)
        information = float(prior @ apart)
        if apart.max() - information < _CAPACITY:
            break
        prior = prior * np.exp(apart - apart.max())
        prior = prior / prior.sum()
    return max(0.0, information)


@dataclass(frozen=True)
class LeakageBounds:
    """What a leakage alone bounds, at one known value: all are attained by randomised response.

    Parameters
    ----------
    leakage
        Nats.
    advantage, balanced_guess, auc
        Of the best test between two labels.
    kl, chi_squared, squared_hellinger
        Divergences between two labels.
    mutual_information, mutual_information_any
        Nats: at the given prior, and over all priors.
    maximal_leakage, largest_pointwise_leakage
        Nats.
    posterior_vulnerability
        Chance of a right guess.

    Examples
    --------
    >>> leakage_bounds(1.0, [0.5, 0.5]).renyi(2.0).round(6).tolist()
    [0.735326]
    """

    leakage: float
    prior: tuple[float, ...]
    advantage: float
    balanced_guess: float
    auc: float
    kl: float
    chi_squared: float
    squared_hellinger: float
    mutual_information: float
    mutual_information_any: float
    maximal_leakage: float
    posterior_vulnerability: float
    largest_pointwise_leakage: float

    def delta(self, epsilons: Any) -> Floats:
        """Return the bound on the slack at every epsilon."""
        given = np.atleast_1d(as_sizes(epsilons, "epsilon", DomainError, -math.inf))
        return slack_bound(self.leakage, given)

    def missed(self, alphas: Any) -> Floats:
        """Return the bound on the trade-off: no test misses less at every chance of a false alarm."""
        given = np.atleast_1d(as_sizes(alphas, "alpha", DomainError, 0, 1))
        if self.leakage == math.inf:
            # Laws that no release has in common: nothing is missed, even without false alarms.
            return np.zeros(len(given))
        small = math.exp(-self.leakage)
        steep = np.where(given > small, 0.0, 1 - given / small) if small else np.where(given > 0, 0.0, 1.0)
        return np.asarray(np.maximum(steep, small * (1 - given)))

    def renyi(self, orders: Any) -> Floats:
        """Return the bound on Renyi divergences between two labels, in nats."""
        level = self.leakage

        def one(order: float) -> float:
            if math.inf in (level, order):
                return level
            if order == 1:
                return self.kl
            with np.errstate(over="ignore"):
                both = np.logaddexp((order - 1) * level, -order * level) - math.log1p(math.exp(-level))
                return float(both / (order - 1))

        return np.array([one(float(order)) for order in as_orders(orders)])

    def chance(self, before: float) -> tuple[float, float]:
        """Return between which chances a statement of a given one can lie after a release."""
        p = PROBABILITY.take(before, "chance", DomainError)
        small = math.exp(-self.leakage)
        low = p * small / (p * small + 1 - p) if p < 1 else 1.0
        return low, p / (p + (1 - p) * small) if p > 0 else 0.0


def slack_bound(leakage: float, epsilons: Floats) -> Floats:
    """Return the largest slack that a leakage allows at every epsilon: that of randomised response."""
    if leakage == math.inf:
        return np.ones(len(epsilons))
    found = -np.expm1(np.minimum(epsilons - leakage, 0.0)) / (1 + math.exp(-leakage))
    return np.asarray(np.maximum(found, 0.0))


def _entropy(p: float) -> float:
    return 0.0 if p in (0.0, 1.0) else -p * math.log(p) - (1 - p) * math.log1p(-p)


def leakage_bounds(leakage: float, prior: Any, labels: int | None = None) -> LeakageBounds:
    """Return what a leakage alone bounds.

    Parameters
    ----------
    leakage
        Nats, 0 or more, infinity among them: the largest log ratio of one adversary at one known value.
    prior
        How likely the labels are.
    labels
        Their number, 2 or more; without it that of the prior.

    Raises
    ------
    BudgetError
        The leakage is negative.
    TableError
        The prior does not sum to 1 or does not fit the number of labels.

    Notes
    -----
    Two laws whose ratio stays within exp(-L) and exp(L) are made from randomised response by processing
    (Kairouz, Oh and Viswanath, "The composition theorem for differential privacy", 2015): every measure that
    processing cannot raise is at most its value there. A promise of the mechanism bounds none of these when
    data are correlated; put the leakage in its place.

    Examples
    --------
    >>> found = leakage_bounds(1.0, [0.5, 0.5])
    >>> round(found.advantage, 6), found.delta(0.5).round(6).tolist()
    (0.462117, [0.287649])
    """
    level = NATS_OR_MORE.take(leakage, "leakage")
    given = as_prior(prior, None if labels is None else as_size(labels, "labels", 2, error=TableError))
    many = as_size(len(given), "labels", 2, error=TableError)
    small = math.exp(-level)
    keep = 1 / (1 + small)
    q, least = float(given.max()), float(given.min())
    infinite = level == math.inf
    kl = math.inf if infinite else level * math.tanh(level / 2)
    any_prior = math.log(2) - _entropy(keep)
    at_prior = _entropy(q * keep + (1 - q) * (1 - keep)) - _entropy(keep)
    if many > 2:
        any_prior = min(math.log(many), _curve(level))
        seen = given[given > 0]
        weighed = (1 - float((given**2).sum())) * kl if not infinite else math.inf
        at_prior = min(float(-(seen * np.log(seen)).sum()), weighed, any_prior)
    j = np.arange(1, many + 1)
    best = np.cumsum(np.sort(given)[::-1]) / (1 + (j - 1) * small)
    return LeakageBounds(
        leakage=level,
        prior=tuple(given.tolist()),
        advantage=math.tanh(level / 2),
        balanced_guess=keep,
        auc=keep,
        kl=kl,
        chi_squared=4 * math.sinh(level / 2) ** 2 if level < _LARGEST_LOG else math.inf,
        squared_hellinger=1 - 1 / math.cosh(level / 2) if level < _LARGEST_LOG else 1.0,
        mutual_information=at_prior,
        mutual_information_any=any_prior,
        maximal_leakage=math.log(many / (1 + (many - 1) * small)),
        posterior_vulnerability=min(1.0, float(best.max())),
        largest_pointwise_leakage=-math.log(least + (1 - least) * small) if least + small > 0 else math.inf,
    )


def _curve(level: float) -> float:
    """Return the bound on mutual information for any number of labels and any prior."""
    if level == math.inf:
        return math.inf
    if level < 1e-4:
        return level**2 / 8
    x = level / -math.expm1(-level) - 1
    return x - math.log1p(x)
