"""Where a signed mixture of shifted kernels is positive, and how much of it: the kernel of every measure.

Coefficients have shape (R, B): one row for each centre, ascending, one column for each mixture. The kernels
are totally positive, so that a mixture changes sign at most as often as its coefficients do (Karlin, "Total
Positivity", 1968). For Laplace noise the positive part has a closed form with at most one zero between two
centres; for normal noise the zeros are bracketed on a grid and refined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.gaussian.release import LaplaceNormal
from pdp_widgets.mechanisms.noise import GaussianNoise, LaplaceNoise, Noise, SmoothNoise, log_sum_exp

__all__ = [
    "FAR",
    "NEAR",
    "NormalLaplaceNoise",
    "Runs",
    "grid_of",
    "log_mixture",
    "positive_part",
    "refined",
    "spread_noise",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: How far from the centres signs are looked at, in standard deviations: enough for a positive part that is
#: right to 1e-18, and for every place where densities are no denormal numbers.
NEAR, FAR = 9.0, 38.0
_TIE = 1e-13
_NARROW = 1e-8
# How near 0 a log ratio is brought.
_EXACT, _ENOUGH = 1e-13, 1e-9
_MOST_POINTS = 4096
_AT_ONCE = 1 << 20
# From this spacing on, in standard deviations, down to the finest.
_SPACINGS = (0.5, 1 / 16, 1 / 64)


@dataclass(frozen=True)
class NormalLaplaceNoise(SmoothNoise):
    """Laplace noise and the spread of normal unknown tuples: the sum of both.

    Parameters
    ----------
    scale
        Of the Laplace noise.
    spread
        Standard deviation of the normal part, positive.
    """

    spread: float
    name: ClassVar[str] = "normal_laplace"

    @property
    def variance(self) -> float:
        """The sum of both variances."""
        return 2 * self.scale**2 + self.spread**2

    def log_density(self, z: object) -> Floats:
        """Return the logarithm of the density at every z."""
        at = np.asarray(z, dtype=np.float64)
        return np.asarray(LaplaceNormal(self.spread, self.scale).log_density(at))

    def log_cdf(self, z: Floats) -> Floats:
        """Return the logarithm of the distribution function at every z."""
        from scipy.special import log_ndtr

        low = -np.abs(z)
        b, y = self.spread / self.scale, low / self.scale
        with np.errstate(invalid="ignore", divide="ignore"):
            middle = log_ndtr(y / b)
            rising = b * b / 2 + y + log_ndtr(-(y / b + b)) - math.log(2)
            falling = b * b / 2 - y + log_ndtr(y / b - b) - math.log(2)
            # Far below the centre the last two terms are as good as one: none of them is negative.
            log_tail = np.logaddexp(middle, rising)
            log_tail = log_tail + np.log1p(-np.exp(np.minimum(falling - log_tail, 0.0)))
        log_tail = np.where(np.isneginf(y), -np.inf, log_tail)
        return np.asarray(np.where(z > 0, np.log1p(-np.exp(log_tail)), log_tail))


def spread_noise(noise: Noise, spread: float) -> SmoothNoise:
    """Return Laplace or normal noise together with the normal spread of unknown tuples."""
    if isinstance(noise, GaussianNoise):
        return GaussianNoise(math.hypot(noise.scale, spread))
    # Narrower spreads change a Laplace density by less than rounding.
    narrow = spread <= _NARROW * noise.scale
    return LaplaceNoise(noise.scale) if narrow else NormalLaplaceNoise(noise.scale, spread)


@dataclass(frozen=True, eq=False)
class Runs:
    """The intervals on which mixtures are positive, ascending for every mixture."""

    #: Which mixture an interval belongs to.
    row: Integers
    low: Floats
    high: Floats

    @property
    def zeros(self) -> Floats:
        """All places where a mixture changes its sign, in no order."""
        ends = np.concatenate([self.low, self.high])
        return np.asarray(ends[np.isfinite(ends)])


def log_mixture(noise: SmoothNoise, centres: Floats, log_weights: Floats, r: Floats) -> Floats:
    """Return the log density of several mixtures, weights of shape (m, R), at every r: shape (m, len(r))."""
    found = np.empty((len(log_weights), len(r)))
    for part in _blocks(len(r), len(centres)):
        kernel = noise.log_density(np.subtract.outer(r[part], centres))
        for row, logs in zip(found, log_weights, strict=True):
            kept = np.isfinite(logs)
            row[part] = log_sum_exp(kernel[:, kept] + logs[kept])
    return found


def _blocks(many: int, width: int) -> Iterator[slice]:
    """Give slices of so many rows that their kernels are not too large to be held."""
    step = max(1, _AT_ONCE // width)
    return (slice(start, start + step) for start in range(0, many, step))


def positive_part(
    noise: SmoothNoise,
    centres: Floats,
    c: Floats,
    bases: Floats | None = None,
    size: Floats | None = None,
    reach: float = NEAR,
    with_runs: bool = False,
) -> tuple[Floats, Floats, Runs | None]:
    """Return the positive parts of signed mixtures, and what other mixtures weigh where they are positive.

    Parameters
    ----------
    noise
        A smooth kernel.
    centres
        Ascending, shape (R,).
    c
        Coefficients, shape (R, B).
    bases
        Coefficients of the other mixtures, shape (R, 1, m) or (R, B, m).
    size
        What the coefficients are differences of, shape (R, B): what is 0 but for rounding is a tie.
    reach
        How far beyond the centres zeros of smooth kernels are looked for, in standard deviations.
    with_runs
        Return the intervals too.

    Returns
    -------
    positive, masses, runs
        Shapes (B,) and (B, m); intervals or None.
    """
    if bases is None:
        bases = np.empty((len(centres), 1, 0))
    if size is not None:
        ties = (np.abs(c) <= _TIE * size).all(axis=0)
        c = np.where(ties, 0.0, c)
    if isinstance(noise, LaplaceNoise):
        return _laplace(noise.scale, centres, c, bases, size, with_runs)
    # An error in a zero counts in the second order only, unless the zero itself is asked for.
    runs = _smooth_runs(noise, centres, c, reach, _EXACT if with_runs else _ENOUGH)
    mass = noise.mass(runs.low[:, None] - centres, runs.high[:, None] - centres)
    many = c.shape[1]
    inside = (mass * c.T[runs.row]).sum(axis=1)
    positive = np.bincount(runs.row, inside, many)
    shared = bases.shape[1] == 1
    masses = np.empty((many, bases.shape[2]))
    for k in range(bases.shape[2]):
        weights = mass @ bases[:, 0, k] if shared else (mass * bases[:, :, k].T[runs.row]).sum(axis=1)
        masses[:, k] = np.bincount(runs.row, weights, many)
    return np.maximum(positive, 0.0), masses, runs


# Laplace noise


def _recursions(c: Floats, shrink: Floats) -> tuple[Floats, Floats]:
    """Return what lies at or below every centre, and at or above it, in units of the density there."""
    a, b = c.copy(), c.copy()
    for k in range(1, len(c)):
        a[k] += a[k - 1] * shrink[k - 1]
        b[-k - 1] += b[-k] * shrink[-k]
    return a, b


def _laplace(
    scale: float, centres: Floats, c: Floats, bases: Floats, size: Floats | None, with_runs: bool
) -> tuple[Floats, Floats, Runs | None]:
    """Return `positive_part` for Laplace noise, in closed form cell by cell."""
    gaps = np.diff(centres) / scale
    shrink = np.exp(-gaps)
    a, b = _recursions(c, shrink)
    if size is not None:
        all_a, all_b = _recursions(size, shrink)
        a = np.where(np.abs(a) <= _TIE * all_a, 0.0, a)
        b = np.where(np.abs(b) <= _TIE * all_b, 0.0, b)
    left, right = a[:-1], b[1:]
    # A zero lies x scales right of the left centre, where a falls and b rises: a exp(-x) = -b exp(x - gap).
    cell, row = np.nonzero((left > 0) & (right < 0) | (left < 0) & (right > 0))
    x = (gaps[cell] - np.log(-right[cell, row] / left[cell, row])) / 2
    slack = _TIE if size is not None else 0.0
    inner = (x > slack) & (gaps[cell] - x > slack)
    cell, row, x = cell[inner], row[inner], x[inner]
    before, after = np.exp(-x), np.exp(x - gaps[cell])
    falls = left[cell, row] > 0
    one = -np.expm1(-gaps)[:, None]
    whole = np.maximum(left + right, 0.0) * one
    whole[cell, row] = np.where(
        falls, left[cell, row] * np.expm1(-x) ** 2, right[cell, row] * np.expm1(x - gaps[cell]) ** 2
    )
    positive = (whole.sum(axis=0) + np.maximum(b[0], 0.0) + np.maximum(a[-1], 0.0)) / 2

    masses = np.zeros((c.shape[1], bases.shape[2]))
    if bases.shape[2]:
        whole_cells = left + right > 0
        whole_cells[cell, row] = False
        for k in range(bases.shape[2]):
            base_a, base_b = _recursions(bases[:, :, k], shrink)
            found = (whole_cells * ((base_a[:-1] + base_b[1:]) * one)).sum(axis=0)
            found += np.where(b[0] > 0, base_b[0], 0.0) + np.where(a[-1] > 0, base_a[-1], 0.0)
            at = row if bases.shape[1] > 1 else 0
            here_a, here_b = base_a[cell, at], base_b[cell + 1, at]
            below = here_a * (1 - before) + here_b * (after - shrink[cell])
            above = here_a * (before - shrink[cell]) + here_b * (1 - after)
            found += np.bincount(row, np.where(falls, below, above), len(found))
            masses[:, k] = found / 2
    runs = None
    if with_runs:
        runs = _laplace_runs(scale, centres, a, b, cell, row, x)
    return positive, masses, runs


def _laplace_runs(
    scale: float, centres: Floats, a: Floats, b: Floats, cell: Integers, row: Integers, x: Floats
) -> Runs:
    """Return where Laplace mixtures are positive: tails, and cells that a zero may cut in two."""
    many = a.shape[1]
    cells = len(centres) - 1
    signs = np.zeros((2 * cells + 2, many))
    begins = np.empty_like(signs)
    signs[0], begins[0] = b[0], -np.inf
    signs[-1], begins[-1] = a[-1], centres[-1]
    signs[1:-1:2] = signs[2:-1:2] = a[:-1] + b[1:]
    begins[1:-1:2] = begins[2:-1:2] = centres[:-1, None]
    signs[2 * cell + 1, row], signs[2 * cell + 2, row] = a[cell, row], b[cell + 1, row]
    begins[2 * cell + 2, row] = centres[cell] + scale * x
    ends = np.vstack([begins[1:], np.full((1, many), np.inf)])
    return _runs_of(signs > 0, begins, ends)


def _runs_of(positive: NDArray[np.bool_], begins: Floats, ends: Floats) -> Runs:
    """Return the runs of positive pieces; pieces that meet in a point are one interval."""
    edge = np.zeros((1, positive.shape[1]), dtype=bool)
    first = positive & ~np.vstack([edge, positive[:-1]])
    last = positive & ~np.vstack([positive[1:], edge])
    # By mixture, then ascending: the k-th beginning belongs to the k-th end.
    row, start = np.nonzero(first.T)
    _, stop = np.nonzero(last.T)
    return Runs(row, begins[start, row], ends[stop, row])


# Smooth kernels


def _step(noise: SmoothNoise) -> tuple[float, float]:
    """Return the standard deviation that grids are made of, and how far from the centres the far end is."""
    if isinstance(noise, NormalLaplaceNoise):
        # One shift has one zero at most: a coarse grid finds it.
        far = noise.spread**2 / noise.scale + FAR * noise.spread + noise.scale
        return far / FAR, far
    return noise.scale, FAR * noise.scale


@lru_cache(maxsize=4)
def _kernel(noise: SmoothNoise, at: bytes, centres: bytes) -> Floats:
    """Return densities at places of a grid, in units of the largest at each: signs do not depend on it."""
    # Kept for the next call: whoever looks for a threshold asks for the same grid many times.
    logs = noise.log_density(np.subtract.outer(np.frombuffer(at), np.frombuffer(centres)))
    return np.asarray(np.exp(logs - logs.max(axis=1, keepdims=True)))


@lru_cache(maxsize=8)
def _grid(step: float, reach: float, spacing: float, centres: bytes) -> Floats:
    at = np.frombuffer(centres)
    margin, width = reach * step, spacing * step
    many = (at[-1] - at[0] + 2 * margin) / width
    if many <= _MOST_POINTS or len(at) * 2 * margin / width > many:
        return np.linspace(at[0] - margin, at[-1] + margin, int(many) + 2)
    # Between centres far apart there is at most one zero, which the two nearest points bracket.
    around = np.linspace(-margin, margin, int(2 * margin / width) + 2)
    return np.unique(np.add.outer(at, around))


def grid_of(noise: SmoothNoise, centres: Floats, reach: float, spacing: float = _SPACINGS[0]) -> Floats:
    """Return a grid over the centres and so many standard deviations beyond them."""
    return _grid(_step(noise)[0], reach, spacing, centres.tobytes())


def _sign_changes(c: Floats) -> Integers:
    """Return how often the coefficients of every mixture change sign, zeros left out."""
    signs = np.sign(c)
    last, changes = signs[0].copy(), np.zeros(c.shape[1], dtype=np.int64)
    for row in signs[1:]:
        changes += (row * last < 0).astype(np.int64)
        last = np.where(row != 0, row, last)
    return changes


def _smooth_runs(noise: SmoothNoise, centres: Floats, c: Floats, reach: float, tolerance: float) -> Runs:
    """Return where mixtures of a smooth kernel are positive; a finer grid for those with zeros missing."""
    due = _sign_changes(c)
    waiting = np.arange(c.shape[1])
    parts: list[Runs] = []
    for spacing in _SPACINGS:
        grid = grid_of(noise, centres, reach, spacing)
        positive = np.empty((len(grid), len(waiting)), dtype=bool)
        for part in _blocks(len(grid), len(centres)):
            positive[part] = _kernel(noise, grid[part].tobytes(), centres.tobytes()) @ c[:, waiting] > 0
        found = (positive[1:] != positive[:-1]).sum(axis=0)
        done = (found >= due[waiting]) | (spacing == _SPACINGS[-1]) | (due[waiting] < 2)
        parts.append(_refined_runs(noise, centres, c, waiting[done], grid, positive[:, done], tolerance))
        waiting = waiting[~done]
        if not len(waiting):
            break
    if len(parts) == 1:
        return parts[0]
    row = np.concatenate([part.row for part in parts])
    order = np.argsort(row, kind="stable")
    low, high = (np.concatenate([getattr(part, end) for part in parts]) for end in ("low", "high"))
    return Runs(row[order], low[order], high[order])


def _refined_runs(
    noise: SmoothNoise,
    centres: Floats,
    c: Floats,
    columns: Integers,
    grid: Floats,
    positive: NDArray[np.bool_],
    tolerance: float,
) -> Runs:
    """Return the positive intervals of some mixtures, from their signs on a grid."""
    place, cell = np.nonzero((positive[1:] != positive[:-1]).T)
    chosen = c.T[columns[place]]
    above, below = np.maximum(chosen, 0.0), np.maximum(-chosen, 0.0)

    def log_ratio(r: Floats, kept: Integers) -> Floats:
        whole = len(kept) == len(above)
        up, down = (above, below) if whole else (above[kept], below[kept])
        logs = noise.log_density(r[:, None] - centres)
        terms = np.exp(logs - logs.max(axis=1, keepdims=True))
        # Where the nearest centres have no weight and all others vanish beside them.
        parts = [np.einsum("nk,nk->n", part, terms) for part in (up, down)]
        lost = parts[0] + parts[1] == 0
        if lost.any():
            far = np.where((up + down)[lost] > 0, logs[lost], -np.inf)
            terms = np.exp(far - far.max(axis=1, keepdims=True))
            for found, part in zip(parts, (up, down), strict=True):
                found[lost] = np.einsum("nk,nk->n", part[lost], terms)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(parts[0]) - np.log(parts[1]))

    zero = refined(log_ratio, grid[cell], grid[cell + 1], tolerance)
    rises = positive[cell + 1, place]
    first, last = np.flatnonzero(positive[0]), np.flatnonzero(positive[-1])
    # By mixture and ascending: the k-th beginning belongs to the k-th end.
    row = np.concatenate([first, place[rises]])
    low = np.concatenate([np.full(len(first), -np.inf), zero[rises]])
    order = np.argsort(row, kind="stable")
    ending = np.argsort(np.concatenate([place[~rises], last]), kind="stable")
    high = np.concatenate([zero[~rises], np.full(len(last), np.inf)])
    return Runs(columns[row[order]], low[order], high[ending])


def refined(
    function: Callable[[Floats, Integers], Floats], low: Floats, high: Floats, tolerance: float = _EXACT
) -> Floats:
    """Return a zero of every function in its bracket, by secants that are kept inside (Illinois).

    The function takes places and the numbers of the brackets they belong to.
    """
    every = np.arange(len(low))
    low, high = low.copy(), high.copy()
    at_low, at_high = function(low, every), function(high, every)
    best = (low + high) / 2
    kept = every
    for step in range(100):
        if not len(kept):
            break
        lo, hi, f_lo, f_hi = low[kept], high[kept], at_low[kept], at_high[kept]
        with np.errstate(invalid="ignore", divide="ignore"):
            x = (lo * f_hi - hi * f_lo) / (f_hi - f_lo)
        # Halves now and then: secants of a function with a corner may be slow.
        wild = ~((x > lo) & (x < hi)) | (step % 8 == 7)
        x = np.where(wild, (lo + hi) / 2, x)
        f = function(x, kept)
        best[kept] = x
        same_as_high = (f > 0) == (f_hi > 0)
        high[kept], low[kept] = np.where(same_as_high, x, hi), np.where(same_as_high, lo, x)
        at_high[kept] = np.where(same_as_high, f, f_hi / 2)
        at_low[kept] = np.where(same_as_high, f_lo / 2, f)
        kept = kept[(np.abs(f) > tolerance) & (high[kept] - low[kept] > 4e-16 * np.abs(x))]
    return best
