"""A noisy weighted sum of Gaussian tuples, and the change of one tuple that is to be hidden.

To an adversary the release is the sum of a normal and a Laplace variable. With z the distance from the centre
and b the normal's standard deviation, both in noise scales,

    log density + log(2 lambda) = b^2/2 + log[ e^z (1 - Phi(z/b + b)) + e^-z Phi(z/b - b) ].

The exponentials cancel: for wide normals b^2/2 alone has lost all digits of the result. Written with the
scaled complementary error function the leading part of each regime stands alone. The function is even in z.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sized
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import MAX_CHANGE, SCALE
from pdp_widgets.core.checks import plain_number
from pdp_widgets.core.converters import refuse_masked
from pdp_widgets.errors import QueryError, ScaleError, Where
from pdp_widgets.leakage.target_leakage import as_target, scale_for
from pdp_widgets.models.covariance_matrix import TOLERANCE
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.labels import short, shown

__all__ = ["LaplaceNormal", "WeightedRelease"]

Floats = NDArray[np.float64]

# Beyond, a few factors more make numbers infinite.
_LARGEST, _FARTHEST = 2.0**1000, 2.0**1020


@dataclass(frozen=True)
class WeightedRelease:
    """Release the sum of a_j x_j with Laplace noise; two values of a tuple differ by at most ``max_change``.

    Parameters
    ----------
    weights
        The weights a_j, one for each tuple.
    scale
        The noise scale lambda.
    max_change
        The largest change M of one tuple that is to be hidden, in units of the tuples.
    """

    weights: tuple[float, ...]
    scale: float
    max_change: float

    @classmethod
    def of(cls, model: GaussianModel, weights: Any, scale: Any, max_change: Any) -> WeightedRelease:
        """Return the release after checking it against a model; weights None stand for 1.

        Raises
        ------
        QueryError
            A weight is not finite, their number is not that of the tuples, or the largest change is negative
            or not finite.
        ScaleError
            The scale is not a positive finite number, or so small or large that leakages are no numbers.
        """
        if not isinstance(model, GaussianModel):
            raise TypeError(f"The model is a {type(model).__name__}; give a GaussianModel.")
        release = cls(
            _as_weights(weights, model.names),
            SCALE.take(scale, "scale"),
            MAX_CHANGE.take(max_change, "max_change"),
        )
        release._check_reach(model)
        return release

    def _check_reach(self, model: GaussianModel) -> None:
        """Raise where numbers that leakages and pictures are made of would not be finite."""
        deviations = model.standard_deviations
        moving = deviations[deviations > 0]
        sizes = np.abs(self.array)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            spread, centre = float(sizes @ deviations), float(sizes @ np.abs(model.mean))
            # No adversary sees more of a target: the deviation of the query over the least one that is left.
            most = spread / (moving.min() * math.sqrt(TOLERANCE)) if moving.size else 0.0
            factor, top = self.max_change / self.scale, max(float(sizes.max()), float(most))
            # Far out, the densities of two centres part at a distance of spread**2 / scale.
            apart = max(spread / self.scale, spread / self.scale * spread)
            shares = sizes * np.maximum(deviations, np.abs(model.mean))
        if not max(top, centre, spread * spread) <= _LARGEST:
            axis = int(np.argmax(shares))
            raise QueryError(
                f"The weight of {short(model.names[axis])} is {self.weights[axis]:.12g}: with it the "
                "weighted sum has no finite mean and variance; give a smaller one.",
                Where("axis", axis=axis),
            )
        if not top * self.max_change <= _LARGEST:
            raise QueryError(
                f"The largest change is {self.max_change:.12g}: what the sum moves with it is no finite "
                "number; give a smaller one.",
                Where("parameter", name="max_change"),
            )
        # Densities are as high as one over the scale.
        if not (max(factor, top * factor, 1 / self.scale) <= _LARGEST and apart <= _FARTHEST):
            raise ScaleError(
                f"The scale {self.scale:.12g} is too small: leakages over it are not finite numbers.",
                Where("parameter", name="scale"),
            )
        if self.scale > _LARGEST:
            raise ScaleError(
                f"The scale {self.scale:.12g} is too large: scales that are enough beside it are no finite "
                "numbers; give at most 1e301.",
                Where("parameter", name="scale"),
            )

    @property
    def array(self) -> Floats:
        """The weights as an array."""
        return np.array(self.weights)

    @property
    def factor(self) -> float:
        """M / lambda: nats for each unit by which the mean of the release moves per unit of the target."""
        return self.max_change / self.scale

    @property
    def promise(self) -> float:
        """What differential privacy promises for one tuple: the largest abs(a_j) M / lambda, in nats."""
        return float(np.abs(self.array).max()) * self.factor

    def scale_for(self, level: Any, leakage: float, name: str = "level") -> float:
        """Return the scale that brings a leakage to a level: they are inversely proportional.

        Parameters
        ----------
        level
            Positive, in nats; ``math.inf`` for no limit.
        leakage
            With this release, in nats.
        name
            Name of the parameter that the level was given as, for messages.

        Returns
        -------
        float
            0.0 where any scale will do.

        Raises
        ------
        ScaleError
            The level is not positive, or the scale would be beyond what numbers can hold.
        """
        return scale_for(leakage * self.scale, as_target(level, name), name)


def _as_weights(values: Any, names: tuple[str, ...]) -> tuple[float, ...]:
    if values is None:
        return (1.0,) * len(names)
    refuse_masked(values, "weights")
    try:
        if isinstance(values, str | bytes | Mapping | set | frozenset):
            raise TypeError
        # One more than there are tuples says that there are too many.
        numbers = tuple(plain_number(v) for v in islice(values, len(names) + 1))
    except (TypeError, ValueError, OverflowError):
        raise QueryError(
            f"The weights are {shown(values)}; give one number for each tuple.",
            Where("parameter", name="weights"),
        ) from None
    if len(numbers) != len(names):
        many = len(values) if isinstance(values, Sized) else "other"
        raise QueryError(
            f"There are {many} weights for {len(names)} tuples; give one weight for each tuple.",
            Where("parameter", name="weights"),
        )
    for axis, number in enumerate(numbers):
        if not math.isfinite(number):
            raise QueryError(
                f"The weight of {short(names[axis])} is {number}; it must be finite.",
                Where("axis", axis=axis),
            )
    return numbers


_ROOT_2 = math.sqrt(2.0)


@dataclass(frozen=True)
class LaplaceNormal:
    """Distribution of a normal variable plus independent Laplace noise.

    Parameters
    ----------
    deviation
        Standard deviation of the normal part, 0 or more.
    scale
        Scale of the Laplace part, positive.

    Notes
    -----
    Li, Ren, Yang and Yang, proof of Theorem 6. The log density is concave and its slope stays within
    1 / scale, which it approaches at both ends: the log ratio of two copies is monotone and its supremum is
    their distance over the scale, never attained when the deviation is positive.

    Examples
    --------
    >>> noise = LaplaceNormal(0.0, 1.0)
    >>> noise.log_density([0.0, 2.0]).round(6).tolist()
    [-0.693147, -2.693147]
    >>> LaplaceNormal(2.0, 1.0).log_ratio([0.0, 50.0, np.inf], 1.0, 0.0).round(6).tolist()
    [-0.093071, 1.0, 1.0]
    """

    deviation: float
    scale: float

    def log_density(self, t: ArrayLike) -> Floats:
        """Return the log density at a distance t from the centre, per unit of t."""
        distance = np.abs(np.asarray(t, dtype=np.float64))
        excess, rest = self._parts(distance)
        with np.errstate(over="ignore", invalid="ignore"):
            leading = -distance / self.scale
            if self.deviation > 0:
                b, u = self._width, distance / self.deviation
                # b^2/2 - z: neither of the two need be a number when their difference is one.
                outer = b * (b / 2 - u) if b > 1 else b**2 / 2 + leading
                leading = np.where(excess > 0, -(u**2) / 2, outer)
        return np.asarray(leading + rest - math.log(2) - math.log(self.scale))

    @property
    def _width(self) -> float:
        return self.deviation / self.scale

    def _parts(self, distance: Floats) -> tuple[Floats, Floats]:
        """Return e = max(0, b - z/b), how far z is inside the normal's own region, and the rest log h."""
        # log density + log(2 lambda) = -(z/b)^2/2 + log h where e > 0, and b^2/2 - z + log h elsewhere; the
        # two leading parts differ by e^2/2.
        if self.deviation == 0:
            return np.zeros_like(distance), np.zeros_like(distance)
        from scipy.special import erfcx, ndtr

        b = self._width
        with np.errstate(over="ignore", under="ignore"):
            u = distance / self.deviation
            outside = u - b
            inside = np.maximum(0.0, -outside)
            beyond = np.maximum(0.0, outside)
            far = erfcx((u + b) / _ROOT_2) / 2
            near = erfcx(inside / _ROOT_2) / 2
            tail = np.where(outside >= 0, ndtr(beyond) + np.exp(-(beyond**2) / 2) * far, near + far)
        return inside, np.log(tail)

    def log_ratio(self, r: ArrayLike, a: float, b: float) -> Floats:
        """Return log p(r - a) - log p(r - b), exact also far out and at infinite r.

        Parameters
        ----------
        r
            Released numbers.
        a, b
            The two centres.
        """
        at = np.asarray(r, dtype=np.float64)
        first, second = np.abs(at - a), np.abs(at - b)
        # Beyond both centres the difference of the distances is that of the centres: r must not swallow it.
        outside = np.where(at >= max(a, b), b - a, a - b)
        with np.errstate(invalid="ignore"):
            apart = np.where((at > min(a, b)) & (at < max(a, b)), first - second, outside)
        inside_a, rest_a = self._parts(first)
        inside_b, rest_b = self._parts(second)
        with np.errstate(over="ignore", invalid="ignore"):
            # One of the two is 0 here, or the next line takes over: squares of large numbers would cancel.
            leading = -apart / self.scale - (inside_a - inside_b) * (inside_a + inside_b) / 2
            if self.deviation > 0:
                sum_of_both = (first / 2 + second / 2) / self.deviation
                parabola = -(apart / self.deviation) * sum_of_both
                leading = np.where((inside_a > 0) & (inside_b > 0), parabola, leading)
        return np.asarray(leading + rest_a - rest_b)

    def reaches(self, level: float, distance: float) -> float | None:
        """Return how far from the midpoint of two copies their log ratio reaches a level, or None if never.

        Parameters
        ----------
        level
            In nats.
        distance
            Distance of the centres, 0 or more.

        Examples
        --------
        >>> LaplaceNormal(0.0, 1.0).reaches(0.5, 1.0)
        0.25
        >>> LaplaceNormal(1.0, 1.0).reaches(1.0, 1.0) is None
        True
        """
        half = distance / 2
        limit = distance / self.scale
        if level <= 0:
            return 0.0
        if self.deviation == 0:
            return level * self.scale / 2 if level <= limit else None
        if level >= limit:
            return None

        def short_of(t: float) -> float:
            # As a share: products of the least levels would be 0, and the search would not end.
            return float(self.log_ratio(t, half, -half)) / level - 1

        from scipy.optimize import brentq

        end = half + self._width * self.deviation + 10 * self.deviation
        # Where the normal part is wide the level may be reached long before the end: about where it says.
        high = min(end, max(half + 2 * level * (self.deviation / distance) * self.deviation, 1e-300))
        while high < end and short_of(high) < 0:
            high = min(2 * high, end)
        # Rounding decides whether a level just below the limit is reached at all.
        if short_of(high) < 0:
            return None
        return float(brentq(short_of, 0.0, high, xtol=1e-12 * max(high, 1e-300), rtol=1e-14))
