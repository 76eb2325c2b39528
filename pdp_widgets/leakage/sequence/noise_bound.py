"""The smallest budget of the second of two releases whose noise stays within a bound."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.sequence.two_points import TwoPoints
from pdp_widgets.mechanisms.local.parameters import as_probability
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse

__all__ = ["NoiseBound", "noise_bound"]

Floats = NDArray[np.float64]
_LARGEST = 700.0


@dataclass(frozen=True)
class NoiseBound:
    """Least budgets of the second release, in nats, for errors with probability eta at most.

    The first release is conditional response with its budget. The paper draws the curve and defines it
    nowhere; this is the definition used here.

    Parameters
    ----------
    epsilon_1
        The budget of the first release.
    eta
        The largest probability of an error of the second release.
    correlated_printed
        With the belief after the first release, by conditional response as printed.
    correlated_private
        The same by the least noise that keeps its budget.
    independent_printed
        For someone who does not use the first release, by conditional response as printed.
    independent_private
        The same by the least noise that keeps its budget.
    printed_keeps
        Whether conditional response keeps the budget ``correlated_printed`` after either first release.

    Examples
    --------
    >>> found = noise_bound(0.5, 0.02, 1.0, 0.12)
    >>> round(found.correlated_printed, 3), round(found.correlated_private, 3), found.printed_keeps
    (0.968, 1.224, False)
    """

    epsilon_1: float
    eta: float
    correlated_printed: float
    correlated_private: float
    independent_printed: float
    independent_private: float
    printed_keeps: bool

    @property
    def total_correlated(self) -> float:
        """Both budgets, with the belief after the first release, as printed."""
        return self.epsilon_1 + self.correlated_printed

    @property
    def total_independent(self) -> float:
        """Both budgets, without using the first release, as printed."""
        return self.epsilon_1 + self.independent_printed


def noise_bound(p1: float, phi: float, epsilon_1: float, eta: float) -> NoiseBound:
    """Return the least budgets of the second release.

    Parameters
    ----------
    p1, phi, epsilon_1
        As for `TwoPoints`.
    eta
        The largest probability of an error of the second release.

    Examples
    --------
    >>> from pdp_widgets import noise_bound
    >>> round(noise_bound(0.5, 0.1, 1.0, 0.1).total_correlated, 4)
    2.3141
    """
    most = as_probability(eta, "eta")
    example = TwoPoints(p1, phi, epsilon_1, 0.0)
    possible = ~np.isnan(example.beliefs[:, 0])
    weights = example.joint.sum(axis=(0, 2, 3))[possible]
    after = example.beliefs[possible, 1]
    alone = np.array([float(example.source.start @ example.source.transitions[:, 1])])
    printed = _printed(weights, after, most)
    mechanism = ConditionalResponse(printed)
    return NoiseBound(
        example.epsilon_1,
        most,
        printed,
        _private(weights, after, most),
        _printed(np.ones(1), alone, most),
        _private(np.ones(1), alone, most),
        all(mechanism.valid([1 - belief, belief]) for belief in after.tolist()),
    )


def _printed(weights: Floats, beliefs: Floats, most: float) -> float:
    """Return the budget at which conditional response errs with the given probability at most."""
    noise = float(weights @ (2 * beliefs * (1 - beliefs)))
    if noise <= most:
        return 0.0
    return log(noise / most) if most > 0 else inf


def _private(weights: Floats, beliefs: Floats, most: float) -> float:
    """Return the budget at which the best private release errs with the given probability at most."""

    def noise(epsilon: float) -> float:
        return float(sum(w * _least_noise(b, epsilon) for w, b in zip(weights, beliefs, strict=True)))

    if noise(0.0) <= most:
        return 0.0
    if noise(_LARGEST) > most:
        return inf
    low, high = 0.0, 1.0
    while noise(high) > most:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if noise(middle) <= most else (middle, high)
    return high


def _least_noise(belief: float, epsilon: float) -> float:
    """Return the least probability of an error for two symbols.

    Written out: bisection asks for thousands of budgets at the same beliefs.
    """
    minor, weight = min(belief, 1 - belief), exp(-epsilon)
    if minor <= weight / 2:
        return minor
    if minor < weight / (1 + weight):
        return (weight - minor * (1 - weight)) / (1 + weight)
    return 2 * minor * (1 - minor) * weight
