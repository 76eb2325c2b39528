"""The release as one adversary of Gaussian data expects it: what moves its mean, and what spreads it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.gaussian.exact_all import taking_up
from pdp_widgets.leakage.gaussian.release import WeightedRelease
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.immutable import ReadOnlyMapping
from pdp_widgets.models.regression import TOLERANCE, Regression

__all__ = ["ExpectedRelease"]

Floats = NDArray[np.float64]


class ExpectedRelease:
    """Distribution of the weighted sum given the target and the known tuples, see `GaussianAdversary`.

    Attributes
    ----------
    model, release
        What is released, of which data.
    adversary
        Who looks, by positions.

    Notes
    -----
    Li, Ren, Yang and Yang, Theorem 6: given the target x_i and the known x_K, the weighted sum of the unknown
    tuples is normal with mean ``mu00 + mu0i x_i + mu0k x_K`` and standard deviation ``sigma0``.
    """

    model: GaussianModel
    release: WeightedRelease
    adversary: Adversary

    def _prepare(self, model: GaussianModel, release: WeightedRelease, adversary: Adversary) -> None:
        self.model = model
        self.release = release
        self.adversary = adversary
        i, known = adversary.target, list(adversary.known)
        self._unknown = [j for j in range(model.n_tuples) if j != i and j not in known]
        self._known_regression = Regression(model.cov, known, taking_up(known))
        left = self._known_regression.residual
        self._variance = float(left[i, i])
        self._determined = self._variance <= TOLERANCE * float(model.cov[i, i])
        n = model.n_tuples
        self._slopes: Floats = np.zeros(n) if self._determined else left[:, i] / self._variance

    @classmethod
    def _at(cls, model: GaussianModel, release: WeightedRelease, adversary: Adversary) -> Self:
        made = cls.__new__(cls)
        made._prepare(model, release, adversary)
        return made

    @property
    def target(self) -> str:
        """Name of the attacked tuple."""
        return self.model.names[self.adversary.target]

    @property
    def known(self) -> tuple[str, ...]:
        """Names of the known tuples."""
        return tuple(self.model.names[k] for k in self.adversary.known)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names of the tuples that are neither attacked nor known."""
        return tuple(self.model.names[u] for u in self._unknown)

    @property
    def determined(self) -> bool:
        """Whether the known tuples leave the target no variance (at most 1e-9 of its own)."""
        return self._determined

    @property
    def spread(self) -> float:
        """Standard deviation of the target, given the known tuples; 0 when they determine it."""
        return 0.0 if self._determined else math.sqrt(self._variance)

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple: the largest abs(weight) M / scale, in nats."""
        return self.release.promise

    @property
    def own(self) -> float:
        """The target's own weight a_i: its part of the coefficient."""
        return self.release.weights[self.adversary.target]

    @cached_property
    def through(self) -> Mapping[str, float]:
        """What one more unit of the target shows through every unknown tuple: a_u times its slope, by name.

        With the target determined its slopes are taken as 0: it cannot move.
        """
        weights, slopes = self.release.weights, self._slopes
        return ReadOnlyMapping({self.model.names[u]: float(weights[u] * slopes[u]) for u in self._unknown})

    @property
    def mu0i(self) -> float:
        """Slope of the mean of the unknown sum in the target."""
        return math.fsum(self.through.values())

    @property
    def coefficient(self) -> float:
        """By how much the mean of the release moves per unit of the target: a_i + mu0i."""
        return math.fsum([self.own, *self.through.values()])

    @cached_property
    def mu0k(self) -> Floats:
        """Slopes of the mean of the unknown sum in the known tuples, in the order of ``known``."""
        given = self._known_regression.coefficients
        partial = given - np.outer(self._slopes, given[self.adversary.target])
        found = np.asarray(self.release.array[self._unknown] @ partial[self._unknown])
        found.flags.writeable = False
        return found

    @cached_property
    def mu00(self) -> float:
        """Mean of the unknown sum with the target and all known tuples at 0."""
        mean, u = self.model.mean, self._unknown
        start = float(self.release.array[u] @ mean[u])
        known = float(self.mu0k @ mean[list(self.adversary.known)])
        return start - self.mu0i * float(mean[self.adversary.target]) - known

    @cached_property
    def sigma0(self) -> float:
        """Standard deviation of the unknown sum, given the target and the known tuples."""
        u, i = self._unknown, self.adversary.target
        left = self._known_regression.residual
        partial = left - np.outer(self._slopes, left[i])
        weights = self.release.array[u]
        found = float(weights @ partial[np.ix_(u, u)] @ weights)
        # What rounding leaves of a variance that is 0.
        floor = 1e-14 * float(np.abs(weights) @ self.model.standard_deviations[u]) ** 2
        return math.sqrt(found) if found > floor else 0.0
