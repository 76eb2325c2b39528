"""One adversary of Gaussian data: exact leakage, where it comes from, densities and log ratios."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import SHARE
from pdp_widgets.core.checks import number_or_nan
from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import AdversaryError, DomainError, InstanceError, QueryError, Where
from pdp_widgets.leakage.adversary import Adversary
from pdp_widgets.leakage.gaussian.exact_all import ExpectedRelease
from pdp_widgets.leakage.gaussian.release import LaplaceNormal, WeightedRelease
from pdp_widgets.leakage.value import About, Leakage
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.labels import short, shown

__all__ = ["SOURCE", "GaussianAdversary", "adversary_of", "gaussian_leakage"]

Floats = NDArray[np.float64]
Known = Mapping[Any, Any] | Sequence[Any] | None

#: Where the closed form is from.
SOURCE = "Li, Ren, Yang and Yang, Theorem 6"


def adversary_of(model: GaussianModel, target: str | int, known: Iterable[str | int]) -> Adversary:
    """Return the adversary whose tuples are given by name or position, see `Adversary.of`."""
    if isinstance(known, Mapping):
        raise AdversaryError(
            "Leakage from Gaussian data depends on which tuples are known, not on their values; "
            "name the tuples without values.",
            Where("parameter", name="known"),
        )
    return Adversary.of(model, target, known)


class GaussianAdversary(ExpectedRelease):
    """One adversary who knows some tuples of Gaussian data and attacks another one.

    Parameters
    ----------
    model
        Mean and covariance, which the adversary knows too.
    target
        Name or position of the attacked tuple.
    known
        Names or positions of the known tuples.
    weights
        The release is the sum of ``weights[j] * x[j]`` with Laplace noise; without it the plain sum.
    scale
        The noise scale lambda.
    max_change
        Two values of the target that differ by at most this much, M, are to be hidden from each other.

    Raises
    ------
    AdversaryError
        A tuple does not exist, is known twice or both attacked and known.
    QueryError
        The weights do not fit the model, or the largest change is negative or not finite.
    ScaleError
        The scale is not a positive finite number.

    Notes
    -----
    Li, Ren, Yang and Yang, Theorem 6, for any weights. Given the target x_i and the known x_K, the weighted
    sum of the unknown tuples is normal with mean ``mu00 + mu0i x_i + mu0k x_K`` and standard deviation
    ``sigma0``; the leakage is abs(a_i + mu0i) M / lambda. It does not depend on the known values or the mean.

    Examples
    --------
    >>> model = GaussianModel(None, [[1, 0.5], [0.5, 1]], names=["Ann", "Bob"])
    >>> weak = GaussianAdversary(model, "Ann")
    >>> print(weak.leakage)
    1.5 nats (exact): Ann, knowing none
    >>> weak.own, weak.through
    (1.0, {'Bob': 0.5})
    >>> weak.log_ratio(1.0, 0.0, [0.0, 5.0, 20.0]).round(4).tolist()
    [-0.6537, 1.4998, 1.5]
    """

    def __init__(
        self,
        model: GaussianModel,
        target: str | int,
        known: Iterable[str | int] = (),
        *,
        weights: Sequence[float] | None = None,
        scale: float = 1.0,
        max_change: float = 1.0,
    ) -> None:
        release = WeightedRelease.of(model, weights, scale, max_change)
        self._prepare(model, release, adversary_of(model, target, known))

    @property
    def is_limit(self) -> bool:
        """Whether the leakage is a limit for r to infinity that no release attains."""
        return self.leakage.limit

    @cached_property
    def leakage(self) -> Leakage:
        """Exact leakage to this adversary (Theorem 6), for all known values at once."""
        about = About(self.target, tuple((name, None) for name in self.known))
        if self.determined:
            return Leakage(0.0, "exact", about, "sup", source=SOURCE, determined=True)
        value = abs(self.coefficient) * self.release.factor
        return Leakage(value, "exact", about, "sup", source=SOURCE, limit=value > 0 and self.sigma0 > 0)

    def scale_for(self, level: float) -> float:
        """Return the least noise scale with which this adversary learns at most ``level`` nats.

        With it they learn exactly so many. It is 0.0 where any scale will do: where nothing leaks, as when
        the known tuples determine the target, and with level ``math.inf``.

        Raises
        ------
        ScaleError
            The level is not positive, or the scale would be beyond what numbers can hold.
        """
        return self.release.scale_for(level, self.leakage.value)

    def _values(self, known_values: Known) -> Floats:
        """Return how far the known tuples are from their means; without values they are at them."""
        axes = list(self.adversary.known)
        if known_values is None:
            return np.zeros(len(axes))
        try:
            return self.model.deviations(axes, self._listed(known_values), self._known_regression)
        except (DomainError, InstanceError) as fault:
            raise AdversaryError(str(fault), fault.where) from None

    def _listed(self, known_values: Mapping[Any, Any] | Sequence[Any]) -> list[Any]:
        """Return one value for each known tuple, in order."""
        axes = list(self.adversary.known)
        if isinstance(known_values, Mapping):
            by_axis = {self.model.axis(t): value for t, value in known_values.items()}
            if sorted(by_axis) != axes or len(by_axis) != len(known_values):
                raise AdversaryError(
                    f"Give one value for each known tuple: {', '.join(map(short, self.known)) or 'none'}.",
                    Where("parameter", name="known_values"),
                )
            return [by_axis[k] for k in axes]
        listed = list(known_values)
        if len(listed) != len(axes):
            raise AdversaryError(
                f"There are {len(listed)} known values for {len(axes)} known tuples; give one for each.",
                Where("parameter", name="known_values"),
            )
        return listed

    def centre(self, x: float, known_values: Known = None) -> float:
        """Return the mean of the release when the target is x.

        Parameters
        ----------
        x
            Value of the target.
        known_values
            ``{tuple: value}``, or one value for each tuple of ``known``; without it their means.

        Raises
        ------
        AdversaryError
            The target is determined by the known tuples, x is no finite number, or the known values are not
            one finite number for each known tuple, or cannot occur together.
        """
        if self.determined:
            raise AdversaryError(
                f"{short(self.target)} is determined by the known tuples: it has no two values to compare.",
                Where("axis", axis=self.adversary.target),
            )
        value = _finite(x, self.target, self.adversary.target)
        deviations = self._values(known_values)
        mean, weights = self.model.mean, self.release.array
        known = list(self.adversary.known)
        start = float(weights @ mean) + float((weights[known] + self.mu0k) @ deviations)
        centre = start + self.coefficient * (value - float(mean[self.adversary.target]))
        if not math.isfinite(centre):
            raise DomainError(
                f"The value {value:.6g} is too far from the mean for a float.", Where("parameter", name="x")
            )
        return centre

    @property
    def noise(self) -> LaplaceNormal:
        """Distribution of the release around its mean, given the target and the known tuples."""
        return LaplaceNormal(self.sigma0, self.release.scale)

    def density(self, x: float, r: ArrayLike, known_values: Known = None) -> Floats:
        """Return p(r | x, known values) at every r, in the shape of r."""
        return np.asarray(np.exp(self.noise.log_density(_releases(r) - self.centre(x, known_values))))

    def log_ratio(self, x: float, other: float, r: ArrayLike, known_values: Known = None) -> Floats:
        """Return log p(r | x) - log p(r | other) at every r, in nats; infinite r gives the limits."""
        at = _releases(r)
        middle = (self.centre(x, known_values) + self.centre(other, known_values)) / 2
        # From the midpoint, so that a large mean does not take digits from the distance of the two centres.
        half = self.coefficient * (float(x) - float(other)) / 2
        return self.noise.log_ratio(at - middle, half, -half)

    def limits(self, x: float, other: float) -> tuple[float, float]:
        """Return the limits of the log ratio of x over other for r to minus and to plus infinity."""
        self.centre(x), self.centre(other)
        limit = self.coefficient * (float(x) - float(other)) / self.release.scale
        return -limit + 0.0, limit + 0.0

    def reaches(
        self, level: float, x: float, other: float, known_values: Known = None
    ) -> tuple[float, float] | None:
        """Return the releases at and beyond which the log ratio of x and other is at least ``level`` in size.

        Parameters
        ----------
        level
            In nats, for example `promise`.
        x, other
            Two values of the target.
        known_values
            As for `centre`.

        Returns
        -------
        tuple of float, or None
            The log ratio is ``level`` or more in size for every r up to the first and from the second number
            on. None when no release reaches it: the limit itself is not attained.
        """
        number = _finite(level, "level", None)
        middle = (self.centre(x, known_values) + self.centre(other, known_values)) / 2
        distance = abs(self.coefficient * (float(x) - float(other)))
        found = self.noise.reaches(number, distance)
        return None if found is None else (middle - found, middle + found)

    def share_reached(
        self, share: float, x: float, other: float, known_values: Known = None
    ) -> tuple[float, float] | None:
        """Return the releases at and beyond which the log ratio has a share of its limit, see `reaches`.

        Raises
        ------
        QueryError
            The share is not a number from 0 to 1.
        """
        number = SHARE.take(share, "share", QueryError, "The share")
        return self.reaches(number * abs(self.limits(x, other)[1]), x, other, known_values)

    def prior(self, x: ArrayLike, known_values: Known = None) -> Floats:
        """Return the density of the target at every x, given the known values.

        Raises
        ------
        AdversaryError
            A value is no number, or as for `centre`.
        """
        mean = self._expected(known_values)
        standard = (self._targets(x) - mean) / self.spread
        return np.asarray(np.exp(-(standard**2) / 2) / math.sqrt(2 * math.pi * self._variance))

    def posterior(self, x: ArrayLike, r: float, known_values: Known = None) -> Floats:
        """Return the density of the target at every x after seeing one release r; errors as for `prior`."""
        mean = self._expected(known_values)
        release = _finite(r, "r", None)
        at = self.centre(mean, known_values)
        total = math.hypot(self.sigma0, self.coefficient * self.spread)
        shifted = release - at - self.coefficient * (self._targets(x) - mean)
        marginal = LaplaceNormal(total, self.release.scale).log_density(release - at)
        return np.asarray(self.prior(x, known_values) * np.exp(self.noise.log_density(shifted) - marginal))

    def _targets(self, x: ArrayLike) -> Floats:
        values = _numbers(x)
        if values is None:
            raise AdversaryError(
                f"The values of {short(self.target)} are {shown(x)}; give numbers.",
                Where("axis", axis=self.adversary.target),
            )
        return values

    def _expected(self, known_values: Known) -> float:
        i = self.adversary.target
        self.centre(0.0, known_values)
        slopes = self._known_regression.coefficients[i]
        return float(self.model.mean[i] + slopes @ self._values(known_values))

    def __reduce__(self) -> tuple[Any, ...]:
        # Made again, so that a copy is as read-only as this one.
        return type(self)._at, (self.model, self.release, self.adversary)

    def __repr__(self) -> str:
        known = ", ".join(short(name) for name in self.known) or "none"
        return f"GaussianAdversary({short(self.target)}, knowing {known})"


def _finite(value: Any, what: str, axis: int | None) -> float:
    number = number_or_nan(value)
    if math.isfinite(number):
        return number
    if axis is None:
        raise AdversaryError(
            f"The {'released number' if what == 'r' else what} is {shown(value)}; give a finite number.",
            Where("parameter", name=what),
        )
    raise AdversaryError(
        f"The value of {short(what)} is {shown(value)}; give a finite number.", Where("axis", axis=axis)
    )


def _numbers(values: Any) -> Floats | None:
    """Return numbers as an array, None where one of them is none."""
    refuse_masked(values, "values")
    try:
        numbers = plain_numbers(values)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if np.isnan(numbers).any() else numbers


def _releases(r: ArrayLike) -> Floats:
    at = _numbers(r)
    if at is None:
        raise QueryError(
            f"The released numbers are {shown(r)}; give real numbers, or infinity for the limits.",
            Where("parameter", name="r"),
        )
    return at


def gaussian_leakage(
    model: GaussianModel,
    target: str | int,
    known: Iterable[str | int] = (),
    *,
    weights: Sequence[float] | None = None,
    scale: float = 1.0,
    max_change: float = 1.0,
) -> Leakage:
    """Return the exact leakage of one adversary of Gaussian data, in nats.

    Parameters
    ----------
    model, target, known, weights, scale, max_change
        As for `GaussianAdversary`.

    Notes
    -----
    Li, Ren, Yang and Yang, Theorem 6. The value holds for all known values, hence the convention ``"sup"``.
    It is a limit: no release attains it when unknown tuples add spread of their own.

    Examples
    --------
    >>> model = GaussianModel(None, [[1, 0.5], [0.5, 1]])
    >>> float(gaussian_leakage(model, "x1", scale=2)), float(gaussian_leakage(model, "x1", ["x2"], scale=2))
    (0.75, 0.5)
    """
    return GaussianAdversary(
        model, target, known, weights=weights, scale=scale, max_change=max_change
    ).leakage
