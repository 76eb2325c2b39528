"""Finite mixtures of Laplace densities, and the largest ratio of two of them.

Given a label and the known values, the released number follows such a mixture: a centre for every value the
query can still take. The ratio of two mixtures of one scale is monotone between neighbouring centres and
constant outside all of them, so its supremum is attained at a centre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.leakage.wide_noise import WIDE, falls, log_shares

__all__ = [
    "LaplaceMixture",
    "Peak",
    "ends",
    "largest_log_ratio",
    "log_ratio",
    "passes",
    "peak_of",
    "rescaled",
]

Floats = NDArray[np.float64]

_BLOCK = 1 << 20
_TIE = 1e-12
# Up to this many pairs of a point and a centre, the matrix of all pairs is quicker than a pass of Python.
_ALL_PAIRS = 1 << 16
# Beyond, wide noise is treated as any other.
_MOST_FALLS = 1 << 27


def _log_sum_exp(terms: Floats) -> Floats:
    """Return log of the sum of exponentials along the last axis; at least one term is finite."""
    top = terms.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(terms - top).sum(axis=-1)) + top[..., 0])


class LaplaceMixture:
    """A mixture of Laplace densities of one scale.

    Parameters
    ----------
    centres
        Finite numbers.
    weights
        Positive or zero, at least one positive; divided by their sum. Entries of zero weight are dropped and
        equal centres joined.
    scale
        Positive.

    Examples
    --------
    >>> LaplaceMixture([0, 2], [1, 1], 1.0).log_density([1.0]).round(6).tolist()
    [-1.693147]
    """

    __slots__ = ("centres", "log_weights", "scale")

    def __init__(self, centres: ArrayLike, weights: ArrayLike, scale: float) -> None:
        at = np.asarray(centres, dtype=np.float64).ravel()
        mass = np.asarray(weights, dtype=np.float64).ravel()
        at, mass = at[mass > 0], mass[mass > 0]
        distinct, index = np.unique(at, return_inverse=True)
        # Divide by the largest first: weights may be as small as the smallest float.
        mass = mass / mass.max()
        joined = np.bincount(index, weights=mass, minlength=distinct.size)
        self.centres: Floats = distinct
        self.log_weights: Floats = np.log(joined) - np.log(joined.sum())
        self.scale = float(scale)

    @property
    def weights(self) -> Floats:
        """Weights, parallel to the centres, with sum 1."""
        return np.asarray(np.exp(self.log_weights))

    def log_density(self, r: ArrayLike) -> Floats:
        """Return the logarithm of the density at every r, in the shape of r."""
        at = np.asarray(r, dtype=np.float64)
        flat = at.ravel()
        found = np.empty(flat.size)
        step = max(1, _BLOCK // self.centres.size)
        for start in range(0, flat.size, step):
            part = flat[start : start + step, np.newaxis]
            found[start : start + step] = _log_sum_exp(
                self.log_weights - np.abs(part - self.centres) / self.scale
            )
        # log 2 and log scale apart: twice a large scale may overflow.
        return np.asarray((found - np.log(2.0) - np.log(self.scale)).reshape(at.shape))

    def log_moment(self, sign: int, origin: float) -> float:
        """Return log E exp(sign (centre - origin) / scale)."""
        return float(_log_sum_exp(self.log_weights + sign * (self.centres - origin) / self.scale))


def rescaled(mixture: LaplaceMixture, scale: float) -> LaplaceMixture:
    """Return the same mixture with noise of another scale."""
    made = LaplaceMixture.__new__(LaplaceMixture)
    made.centres, made.log_weights, made.scale = mixture.centres, mixture.log_weights, scale
    return made


@dataclass(frozen=True)
class Peak:
    """The largest log ratio among mixtures: its value, the place and the positions of the two mixtures."""

    value: float
    r: float
    side: Literal["<=", ">=", "="]
    more: int
    less: int


def ends(first: LaplaceMixture, second: LaplaceMixture) -> tuple[float, float]:
    """Return the limits of log(first / second) for r to minus and to plus infinity."""
    low = min(first.centres[0], second.centres[0])
    high = max(first.centres[-1], second.centres[-1])
    if 0 < (high - low) / first.scale < WIDE:
        left, right = log_ratio(first, second, [low, high]).tolist()
        return left, right
    origin = float(first.centres[0])
    return (
        first.log_moment(-1, origin) - second.log_moment(-1, origin),
        first.log_moment(+1, origin) - second.log_moment(+1, origin),
    )


def _log_densities_at(points: Floats, mixture: LaplaceMixture) -> Floats:
    """Return log densities, up to a constant, at sorted points among which are all centres."""
    if points.size * mixture.centres.size <= _ALL_PAIRS:
        return _log_sum_exp(
            mixture.log_weights - np.abs(points[:, np.newaxis] - mixture.centres) / mixture.scale
        )
    own = np.full(points.size, -np.inf)
    own[np.searchsorted(points, mixture.centres)] = mixture.log_weights
    return passes(own, np.diff(points) / mixture.scale)


def passes(own: Floats, gaps: Floats) -> Floats:
    """Return log densities, up to a constant, at places of some log weights, from the gaps between them."""

    def one_way(weights: Floats, steps: Floats) -> Floats:
        reached = np.empty(weights.size)
        level = -np.inf
        for k, weight in enumerate(weights.tolist()):
            level = float(np.logaddexp(level - (steps[k - 1] if k else 0.0), weight))
            reached[k] = level
        return reached

    left = one_way(own, gaps)
    right = one_way(own[::-1], gaps[::-1])[::-1]
    # The point's own weight is in both passes: take it from the left one and shift the right one by its gap.
    later = np.append(right[1:] - gaps, -np.inf)
    return np.asarray(np.logaddexp(left, later))


def log_ratio(first: LaplaceMixture, second: LaplaceMixture, r: ArrayLike) -> Floats:
    """Return log(first / second) at every r between the outermost centres of both, in the shape of r."""
    at = np.asarray(r, dtype=np.float64)
    ends = [m.centres[k] for m in (first, second) for k in (0, -1)]
    span = float(max(ends) - min(ends))
    reach = span / first.scale
    if not 0 < reach < WIDE:
        return np.asarray(first.log_density(at) - second.log_density(at))
    one, other = (_log_shares_at(at.ravel(), m, reach, span) for m in (first, second))
    return np.asarray(((one - other) * reach).reshape(at.shape))


def _log_shares_at(points: Floats, mixture: LaplaceMixture, reach: float, span: float) -> Floats:
    """Return log densities at some points, over `reach` and up to a constant, where the noise is wide."""
    if points.size == 0:
        return points
    step = max(1, _BLOCK // mixture.centres.size)
    blocks = (points[start : start + step, np.newaxis] for start in range(0, points.size, step))
    means = [falls(np.abs(block - mixture.centres) / span, reach) @ mixture.weights for block in blocks]
    return log_shares(np.concatenate(means), reach)


def largest_log_ratio(mixtures: Sequence[LaplaceMixture]) -> Peak:
    """Return the largest log ratio of two of the mixtures, over every release and both orders."""
    # Among equal places (to 1e-12) the left end is named before the right end, and an end before a single
    # point.
    points = np.unique(np.concatenate([m.centres for m in mixtures]))
    reach = float(points[-1] - points[0]) / mixtures[0].scale
    wide = 0 < reach < WIDE and points.size * max(m.centres.size for m in mixtures) <= _MOST_FALLS
    if wide:
        span = float(points[-1] - points[0])
        logs = np.stack([_log_shares_at(points, m, reach, span) for m in mixtures])
    else:
        logs = np.stack([_log_densities_at(points, m) for m in mixtures])
    peak = peak_of(points, logs, wide)
    return replace(peak, value=peak.value * reach) if wide else peak


def peak_of(points: Floats, logs: Floats, wide: bool = False) -> Peak:
    """Return the largest difference of log densities, shape (mixtures, points), and where it is."""
    gains = logs.max(axis=0) - logs.min(axis=0)
    largest = float(gains.max())
    enough = largest - _TIE * (largest if wide else max(1.0, largest))
    if gains[0] >= enough:
        k, side = 0, "<="
    elif gains[-1] >= enough:
        k, side = points.size - 1, ">="
    else:
        k, side = int(np.argmax(gains)), "="
    more, less = int(np.argmax(logs[:, k])), int(np.argmin(logs[:, k]))
    if more == less:
        less = 1 - more if more < 2 else 0
    return Peak(max(largest, 0.0), float(points[k]), side, more, less)  # type: ignore[arg-type]
