"""Kinds of noise that are added to the answer of a query: their densities, tails and variance.

A smooth kind has a density on the real line, a kind on the integers a mass at every integer. Upper tails are
taken by symmetry, so that no digits are lost to 1 - F.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import SCALE
from pdp_widgets.errors import DomainError, LimitError, QueryError, ScaleError, Where
from pdp_widgets.models.labels import as_choice, shown

__all__ = [
    "NOISES",
    "DiscreteGaussianNoise",
    "DiscreteLaplaceNoise",
    "GaussianNoise",
    "IntegerNoise",
    "LaplaceNoise",
    "NoNoise",
    "Noise",
    "SmoothNoise",
    "check_noise",
    "log_sum_exp",
    "noise_named",
]

Floats = NDArray[np.float64]

_WHOLE = 1e-9
#: Beyond so many standard deviations, masses are below the smallest float.
FARTHEST = 38.6
# From this scale on sums over the integers are integrals: the first term of the theta series left out is
# exp(-2 (pi scale)**2).
_SMOOTH = 4.0
_MOST_MASSES = 20_000_000
#: Scales of normal noise between which squares are numbers, with room for what they are multiplied by.
_SQUARED = 1e-100, 1e100


def log_sum_exp(logs: Floats, axis: int = -1) -> Floats:
    """Return the logarithm of a sum of exponentials; minus infinity where all terms are."""
    top = logs.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(logs - top).sum(axis=axis)) + np.squeeze(top, axis))


@dataclass(frozen=True)
class Noise(ABC):
    """Noise that is added to the answer of a query.

    Parameters
    ----------
    scale
        In units of the query: lambda of Laplace noise, the standard deviation of normal noise; positive and
        finite. The integer kinds have densities of the same shape on the integers.

    Raises
    ------
    ScaleError
        The scale is not a positive finite number.
    """

    scale: float
    name: ClassVar[str] = ""
    #: Whether it is smooth, or lives on the integers.
    is_integer: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", SCALE.take(self.scale, "scale"))

    @property
    @abstractmethod
    def variance(self) -> float:
        """Variance, in squared units of the query."""

    @abstractmethod
    def log_density(self, z: ArrayLike) -> Floats:
        """Return the logarithm of the density, or of the mass on integers, at every z."""


class SmoothNoise(Noise):
    """Noise with a symmetric density on the real line."""

    @abstractmethod
    def log_cdf(self, z: Floats) -> Floats:
        """Return the logarithm of the distribution function, with all digits far below the centre."""

    def log_mass(self, low: Floats, high: Floats) -> Floats:
        """Return the logarithm of the probability between two places, the lower one first."""
        # Both ends below the centre: by symmetry nothing is taken from 1.
        mirrored = low > 0
        below, above = np.where(mirrored, -high, low), np.where(mirrored, -low, high)
        first, second = self.log_cdf(below), self.log_cdf(above)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = second + np.log1p(-np.exp(np.minimum(first - second, 0.0)))
        return np.asarray(np.where(np.isfinite(second), found, -np.inf))

    def mass(self, low: Floats, high: Floats) -> Floats:
        """Return the probability between two places, the lower one first."""
        return np.asarray(np.exp(self.log_mass(low, high)))


class LaplaceNoise(SmoothNoise):
    """Laplace noise of density exp(-abs(z) / scale) / (2 scale).

    Notes
    -----
    Dwork, McSherry, Nissim and Smith, "Calibrating noise to sensitivity in private data analysis" (2006).

    Examples
    --------
    >>> LaplaceNoise(2.0).variance
    8.0
    """

    name: ClassVar[str] = "laplace"

    @property
    def variance(self) -> float:
        """Twice the square of the scale."""
        return 2 * self.scale**2

    def log_density(self, z: ArrayLike) -> Floats:
        """Return the logarithm of the density at every z."""
        return np.asarray(-np.abs(z) / self.scale - math.log(2) - math.log(self.scale))

    def log_cdf(self, z: Floats) -> Floats:
        """Return the logarithm of the distribution function at every z."""
        half = -np.abs(z) / self.scale - math.log(2)
        return np.asarray(np.where(z < 0, half, np.log1p(-np.exp(half))))


def _check_squared(scale: float) -> None:
    """Raise ScaleError for a scale whose square is no number."""
    if not _SQUARED[0] <= scale <= _SQUARED[1]:
        raise ScaleError(
            f"The scale is {scale:g}; for normal noise it must be {_SQUARED[0]:g} to {_SQUARED[1]:g}.",
            Where("parameter", name="scale"),
        )


class GaussianNoise(SmoothNoise):
    """Normal noise; the scale is its standard deviation.

    Notes
    -----
    Balle and Wang, "Improving the Gaussian mechanism for differential privacy" (2018).

    Examples
    --------
    >>> GaussianNoise(2.0).variance
    4.0
    """

    name: ClassVar[str] = "gaussian"

    def __post_init__(self) -> None:
        """Refuse scales whose squares are no numbers."""
        super().__post_init__()
        _check_squared(self.scale)

    @property
    def variance(self) -> float:
        """The square of the scale."""
        return self.scale**2

    def log_density(self, z: ArrayLike) -> Floats:
        """Return the logarithm of the density at every z."""
        standard = np.asarray(z) / self.scale
        return np.asarray(-(standard**2) / 2 - math.log(2 * math.pi) / 2 - math.log(self.scale))

    def log_cdf(self, z: Floats) -> Floats:
        """Return the logarithm of the distribution function at every z."""
        from scipy.special import log_ndtr

        return np.asarray(log_ndtr(z / self.scale))

    def mass(self, low: Floats, high: Floats) -> Floats:
        """Return the probability between two places, the lower one first."""
        from scipy.special import ndtr

        mirrored = low > 0
        below, above = np.where(mirrored, -high, low), np.where(mirrored, -low, high)
        return np.asarray(ndtr(above / self.scale) - ndtr(below / self.scale))


class IntegerNoise(Noise):
    """Noise on the integers, for queries whose values are whole."""

    is_integer: ClassVar[bool] = True

    def pmf(self, at: ArrayLike) -> Floats:
        """Return the probability of every integer; 0 elsewhere.

        Examples
        --------
        >>> DiscreteLaplaceNoise(2.0).pmf([0, 1, 0.5]).round(4).tolist()
        [0.2449, 0.1486, 0.0]
        """
        places = np.asarray(at, dtype=np.float64)
        return np.where(places == np.round(places), np.exp(self.log_density(places)), 0.0)

    @staticmethod
    def whole(values: Floats) -> Floats:
        """Return the values of a query as whole numbers, or raise QueryError."""
        rounded = np.round(values)
        if (np.abs(values - rounded) > _WHOLE).any():
            culprit = float(values[np.abs(values - rounded) > _WHOLE][0])
            raise QueryError(
                f"The query takes the value {culprit:.12g}; noise on the integers needs whole values.",
                Where("parameter", name="noise"),
            )
        return rounded

    @abstractmethod
    def columns(self, centres: Floats) -> tuple[Floats, Floats]:
        """Return the released numbers that count, and log masses of shape (centres, columns)."""


class DiscreteLaplaceNoise(IntegerNoise):
    """Laplace noise on the integers: Pr(j) = tanh(1 / (2 scale)) exp(-abs(j) / scale).

    Notes
    -----
    Also called the geometric mechanism; Ghosh, Roughgarden and Sundararajan (2009). With q = exp(-1 / scale)
    its variance is 2 q / (1 - q)**2.

    Examples
    --------
    >>> round(DiscreteLaplaceNoise(2.0).variance, 6)
    7.835396
    """

    name: ClassVar[str] = "discrete_laplace"

    @property
    def variance(self) -> float:
        """Variance, a little below twice the square of the scale."""
        return 2 * math.exp(-1 / self.scale) / math.expm1(-1 / self.scale) ** 2

    def log_density(self, z: ArrayLike) -> Floats:
        """Return the logarithm of the mass at every integer."""
        return np.asarray(math.log(math.tanh(0.5 / self.scale)) - np.abs(z) / self.scale)

    def columns(self, centres: Floats) -> tuple[Floats, Floats]:
        """Return the values from the least to the largest centre; each end stands for all beyond it too."""
        low, high = float(centres.min()), float(centres.max())
        at = np.arange(low, high + 1)
        if low == high:
            return at, np.zeros((len(centres), 1))
        logs = self.log_density(at - centres[:, None])
        both = math.log1p(math.exp(-1 / self.scale))
        logs[:, 0] = (low - centres) / self.scale - both
        logs[:, -1] = (centres - high) / self.scale - both
        return at, logs


class DiscreteGaussianNoise(IntegerNoise):
    """Normal noise on the integers: Pr(j) proportional to exp(-j**2 / (2 scale**2)).

    Notes
    -----
    Canonne, Kamath and Steinke, "The discrete Gaussian for differential privacy" (2020). Its variance is
    below the square of the scale, and equal to it but for rounding from a scale of about 1.2.

    Examples
    --------
    >>> round(DiscreteGaussianNoise(0.5).variance, 4)
    0.215
    """

    name: ClassVar[str] = "discrete_gaussian"

    def __post_init__(self) -> None:
        """Refuse scales whose squares are no numbers."""
        super().__post_init__()
        _check_squared(self.scale)

    @property
    def _reach(self) -> float:
        return math.floor(FARTHEST * self.scale + 2)

    @property
    def _log_total(self) -> float:
        if self.scale > _SMOOTH:
            return math.log(self.scale) + math.log(2 * math.pi) / 2
        j = np.arange(-self._reach, self._reach + 1)
        return float(log_sum_exp(-((j / self.scale) ** 2) / 2))

    @property
    def variance(self) -> float:
        """Variance, at most the square of the scale."""
        if self.scale > _SMOOTH:
            return self.scale**2
        j = np.arange(-self._reach, self._reach + 1)
        return float((j**2 * self.pmf(j)).sum())

    def log_density(self, z: ArrayLike) -> Floats:
        """Return the logarithm of the mass at every integer."""
        return np.asarray(-((np.asarray(z) / self.scale) ** 2) / 2 - self._log_total)

    def columns(self, centres: Floats) -> tuple[Floats, Floats]:
        """Return all integers that are near enough to a centre for a mass that is no denormal number.

        Raises LimitError where they are too many to be held.
        """
        many = (float(centres.max() - centres.min()) + 2 * self._reach + 1) * len(centres)
        if many > _MOST_MASSES:
            raise LimitError(
                f"Normal noise of scale {self.scale:g} on the integers asks for {many:.3g} masses at "
                f"{len(centres):,} values of the query (limit {_MOST_MASSES:,}); take "
                "GaussianNoise, which differs little at such a scale.",
                Where("parameter", name="noise"),
            )
        at = np.arange(centres.min() - self._reach, centres.max() + self._reach + 1)
        return at, self.log_density(at - centres[:, None])


@dataclass(frozen=True)
class NoNoise(Noise):
    """No noise: the answer itself is released.

    Examples
    --------
    >>> NoNoise().variance
    0.0
    """

    scale: float = field(default=0.0, init=False)
    name: ClassVar[str] = "none"

    def __post_init__(self) -> None:
        """Have no scale to check."""

    @property
    def variance(self) -> float:
        """0."""
        return 0.0

    def log_density(self, z: ArrayLike) -> Floats:
        """Return 0 at 0 and minus infinity elsewhere."""
        return np.where(np.asarray(z) == 0, 0.0, -np.inf)


#: The kinds of noise by name.
NOISES: dict[str, type[Noise]] = {
    kind.name: kind
    for kind in (LaplaceNoise, GaussianNoise, DiscreteLaplaceNoise, DiscreteGaussianNoise, NoNoise)
}


def check_noise(noise: Any) -> Noise:
    """Return noise, or raise TypeError with what would be accepted."""
    if not isinstance(noise, Noise):
        raise TypeError(
            f"The noise is {shown(noise)}; give one such as GaussianNoise(1.0), or noise_named('gaussian', "
            "1.0)."
        )
    return noise


def noise_named(noise: Any, scale: Any = None) -> Noise:
    """Return noise that is given by its name and scale; noise itself is returned as it is.

    Parameters
    ----------
    noise
        ``"laplace"``, ``"gaussian"``, ``"discrete_laplace"``, ``"discrete_gaussian"`` or ``"none"``; or a
        `Noise`.
    scale
        Its scale; not for ``"none"``, nor where noise itself is given.

    Raises
    ------
    DomainError
        There is no such noise.
    ScaleError
        The scale is not a positive finite number.

    Examples
    --------
    >>> noise_named("gaussian", 2)
    GaussianNoise(scale=2.0)
    """
    if isinstance(noise, Noise):
        return noise
    kind = NOISES[as_choice(noise, "noise", tuple(NOISES), DomainError)]
    return NoNoise() if kind is NoNoise else kind(scale)
