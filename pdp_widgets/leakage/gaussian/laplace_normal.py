"""The sum of a normal and a Laplace variable: its density, and the log ratio of two shifted copies.

With z the distance from the centre in noise scales and b the normal's standard deviation in noise scales,

    log density + log(2 lambda) = b^2/2 + log[ e^z (1 - Phi(z/b + b)) + e^-z Phi(z/b - b) ].

The exponentials cancel: for wide normals b^2/2 alone has lost all digits of the result. Written with the
scaled complementary error function the leading part of each regime stands alone. The function is even in z.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["LaplaceNormal"]

Floats = NDArray[np.float64]

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
        """Return how far z is inside the normal's own region, e = max(0, b - z/b), and the rest log h.

        log density + log(2 lambda) = -(z/b)^2/2 + log h where e > 0, and b^2/2 - z + log h elsewhere; the two
        leading parts differ by e^2/2.
        """
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
