"""Mixtures of Laplace densities on the grid of all their coordinates, where ratios of two are largest.

Between neighbouring coordinates of one axis both densities are ``A exp(-t / scale) + B exp(t / scale)`` with
A and B not negative, so that their ratio is monotone there, and outside of all coordinates it is constant.
The supremum over all outputs is therefore attained on the product of the coordinates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import LimitError, ScaleError, Where

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Points of the largest grid that is made.
MOST_POINTS = 2_000_000

# Up to this many pairs of a grid point and a mixture point, the matrix of all pairs is quicker than filters.
_MOST_PAIRS = 1 << 20
# Below this range over scale, log1p and expm1 keep the digits that log and exp lose.
_WIDE = 0.5
# Beyond, exponentials may vanish.
_NARROW = 600.0
# With so many mixtures to each point of an axis, a step of Python for each point is quickest.
_LONG = 200
# Up to this range over scale, one pass over shifted logarithms loses 1e-12.
_ONE_PASS = 1e4


@dataclass(frozen=True, eq=False)
class ProductGrid:
    """The product of the coordinates of some points; LimitError beyond 2,000,000 grid points."""

    #: Shape (points, axes).
    points: Floats

    def __post_init__(self) -> None:
        shape = tuple(len(axis) for axis in self.axes)
        if prod(shape) > MOST_POINTS:
            sizes = " x ".join(f"{size:,}" for size in shape[:8]) + (" x ..." if len(shape) > 8 else "")
            number = f"{prod(shape):,}" if prod(shape) < 10**15 else f"{float(prod(shape)):.3g}"
            raise LimitError(
                f"The outputs span a grid of {sizes} = {number} points; at most {MOST_POINTS:,} are looked "
                "at. Take fewer tuples or values, or a query with fewer numbers.",
                Where("parameter", name="query"),
            )

    @cached_property
    def axes(self) -> tuple[Floats, ...]:
        """Coordinates of every axis in ascending order."""
        return tuple(np.unique(self.points[:, axis]) for axis in range(self.points.shape[1]))

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Number of coordinates of every axis."""
        return tuple(len(axis) for axis in self.axes)

    @property
    def size(self) -> int:
        """Number of grid points."""
        return prod(self.shape)

    @cached_property
    def index(self) -> Integers:
        """Which grid point each point is."""
        found = np.zeros(len(self.points), dtype=np.int64)
        for axis, coordinates in enumerate(self.axes):
            found = found * len(coordinates) + np.searchsorted(coordinates, self.points[:, axis])
        return found

    @property
    def span(self) -> float:
        """L1 distance of opposite corners."""
        return float(sum(axis[-1] - axis[0] for axis in self.axes))

    def place(self, index: int) -> tuple[float, ...]:
        """Return the coordinates of a grid point."""
        where = np.unravel_index(index, self.shape)
        return tuple(float(axis[k]) for axis, k in zip(self.axes, where, strict=True))

    def log_densities(self, weights: Floats, scale: float) -> Floats:
        """Return log sum_k w_k exp(-||g - p_k||_1 / scale), shape (mixtures, grid points)."""
        # A mixture is a row of weights with sum 1, or 0 where there is none: then the logarithm is minus
        # infinity. The factor (2 scale)^-axes, the same everywhere, is left out.
        values, to_logs = self.densities(weights, scale)
        with np.errstate(divide="ignore"):
            logs = to_logs(values)
        # A mixture that is none has a sum of 0 among differences from 1, too.
        logs[~weights.any(axis=1)] = -np.inf
        return logs

    def densities(self, weights: Floats, scale: float) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return what grows with the densities, and the function from it to their logarithms."""
        # Where only the largest and the smallest of several are needed, few logarithms are. Rows without a
        # mixture are not looked after.
        reach = check_reach(self.span, scale)
        if _WIDE <= reach < _NARROW and sum(self.shape) < len(self.points):
            return self._by_axis(weights, scale), np.log
        if reach < _NARROW and self.size * len(self.points) <= _MOST_PAIRS:
            steps = -self._distances / scale
            return (
                (weights @ np.expm1(steps), np.log1p) if reach < _WIDE else (weights @ np.exp(steps), np.log)
            )
        with np.errstate(divide="ignore"):
            return self._filtered(np.log(weights), scale), np.array

    @cached_property
    def _distances(self) -> Floats:
        """L1 distance of every point to every grid point, shape (points, grid points)."""
        total = np.zeros((len(self.points), 1))
        for axis, coordinates in enumerate(self.axes):
            apart = np.abs(self.points[:, axis, None] - coordinates)
            total = (total[:, :, None] + apart[:, None, :]).reshape(len(self.points), -1)
        return total

    def _by_axis(self, weights: Floats, scale: float) -> Floats:
        """Place weights on the grid and multiply by what falls along one axis after the other."""
        spread = np.zeros((len(weights), self.size))
        spread[:, self.index] = weights
        after = self.size
        for coordinates in self.axes:
            after //= len(coordinates)
            falls = np.exp(-np.abs(coordinates[:, None] - coordinates) / scale)
            spread = falls @ spread.reshape(-1, len(coordinates), after)
        return spread.reshape(len(weights), -1)

    def _filtered(self, logs: Floats, scale: float) -> Floats:
        """Place log weights on the grid and let them spread axis after axis."""
        spread = np.full((len(logs), self.size), -np.inf)
        spread[:, self.index] = logs
        spread = spread.reshape(len(logs), *self.shape)
        for axis, coordinates in enumerate(self.axes):
            if len(coordinates) > 1:
                moved = np.moveaxis(spread, axis + 1, -1)
                spread = np.moveaxis(_spread(moved, (coordinates - coordinates[0]) / scale), -1, axis + 1)
        return np.ascontiguousarray(spread).reshape(len(logs), -1)


def _spread(logs: Floats, at: Floats) -> Floats:
    """Return log sum_l exp(logs_l - |at_k - at_l|) along the last axis."""
    gaps = np.diff(at)
    if logs.size >= _LONG * len(at):
        left = _stepped(logs, gaps)
        right = _stepped(logs[..., ::-1], gaps[::-1])[..., ::-1]
    elif at[-1] <= _ONE_PASS:
        left = np.logaddexp.accumulate(logs + at, axis=-1) - at
        right = np.logaddexp.accumulate((logs - at)[..., ::-1], axis=-1)[..., ::-1] + at
    else:
        left = _doubled(logs, at)
        right = _doubled(logs[..., ::-1], (at[-1] - at)[::-1])[..., ::-1]
    # The point's own weight is in both passes: the right one is that of the next point, one gap away.
    return np.concatenate([np.logaddexp(left[..., :-1], right[..., 1:] - gaps), left[..., -1:]], axis=-1)


def _stepped(logs: Floats, gaps: Floats) -> Floats:
    """Return log sum_{l <= k} exp(logs_l - (at_k - at_l)), point by point."""
    reached = np.array(np.moveaxis(logs, -1, 0), order="C")
    for k, gap in enumerate(gaps.tolist()):
        np.logaddexp(reached[k + 1], reached[k] - gap, out=reached[k + 1])
    return np.moveaxis(reached, 0, -1)


def _doubled(logs: Floats, at: Floats) -> Floats:
    """Return log sum_{l <= k} exp(logs_l - (at_k - at_l)), in passes of doubling step, without cancelling."""
    reached, step = np.array(logs), 1
    while step < len(at):
        reached[..., step:] = np.logaddexp(
            reached[..., step:], reached[..., :-step] - (at[step:] - at[:-step])
        )
        step *= 2
    return reached


def check_reach(span: float, scale: float) -> float:
    """Return a distance in scales of the noise, or raise ScaleError where it is no number."""
    with np.errstate(over="ignore"):
        reach = np.float64(span) / scale
    if not np.isfinite(reach):
        raise ScaleError(
            f"The scale {scale:.6g} is too small beside outputs that are {span:.6g} apart.",
            Where("parameter", name="scale"),
        )
    return float(reach)
