"""Local reports of numbers: square wave, stochastic rounding, piecewise mechanism, and the hybrid of both."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, inf, tanh
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import BudgetError, TableError, Where
from pdp_widgets.mechanisms.local.parameters import as_epsilon
from pdp_widgets.models.given_numbers import plain_numbers, refuse_masked

__all__ = ["HybridReport", "PiecewiseReport", "RoundedReport", "SquareWave", "as_budget"]

Values = NDArray[np.float64]

# Above this budget the hybrid uses the piecewise mechanism at all.
_SWITCH = 0.61


def as_budget(epsilon: Any) -> float:
    """Return a budget above 0 and below infinity; reports of numbers have neither limit."""
    number = as_epsilon(epsilon)
    if not 1e-6 <= number <= 300:
        raise BudgetError(
            f"epsilon is {number:.12g}; reports of numbers need a budget from 1e-6 to 300 nats.",
            Where("parameter", name="epsilon"),
        )
    return number


def _inside(values: ArrayLike, low: float, high: float) -> Values:
    where = Where("parameter", name="values")
    refuse_masked(values, "values")
    try:
        found = plain_numbers(values)
    except (TypeError, ValueError, OverflowError):
        found = np.full(1, np.nan)
    if not bool(((found >= low) & (found <= high)).all()):
        raise TableError(f"The values must be numbers from {low:g} to {high:g}.", where)
    return found


@dataclass(frozen=True)
class SquareWave:
    """A number in [0, 1] is reported near itself, within a half-width, more often than elsewhere.

    Parameters
    ----------
    epsilon
        The budget in nats.

    Attributes
    ----------
    half_width
        How far reports are that count as near; they lie between minus that and one more.
    near, far
        The densities of near and of far reports.

    Examples
    --------
    >>> wave = SquareWave(1.0)
    >>> round(wave.half_width, 6), round(wave.near, 6), round(wave.far, 6)
    (0.256083, 1.136305, 0.418023)
    """

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", as_budget(self.epsilon))

    @property
    def half_width(self) -> float:
        """How far reports are that count as near."""
        e = self.epsilon
        if e < 1e-3:
            # Series of what follows, which cancels.
            return 0.5 - e / 3 + e * e / 9
        return (e - 1 + exp(-e)) / (2 * (expm1(e) - e))

    @property
    def far(self) -> float:
        """The density of far reports."""
        return 1 / (2 * self.half_width * exp(self.epsilon) + 1)

    @property
    def near(self) -> float:
        """The density of near reports."""
        return 1 / (2 * self.half_width + exp(-self.epsilon))

    def release(self, values: ArrayLike, uniforms: ArrayLike) -> Values:
        """Return reports of values in [0, 1], one uniform number each."""
        found, u = _inside(values, 0, 1), _inside(uniforms, 0, 1)
        # In order along the axis: far below, near, far above.
        below = found * self.far
        middle = 2 * self.half_width * self.near
        left = -self.half_width + u / self.far
        inner = found - self.half_width + (u - below) / self.near
        right = found + self.half_width + (u - below - middle) / self.far
        return np.where(u < below, left, np.where(u < below + middle, inner, right))

    def transition(self, bins: int) -> Values:
        """Return the probability of each of as many bins of reports, for the middle of each bin of values.

        Shape (bins of reports, bins of values).
        """
        edges = np.linspace(-self.half_width, 1 + self.half_width, bins + 1)
        middles = (np.arange(bins) + 0.5) / bins
        reach = np.clip(edges[:, None], middles - self.half_width, middles + self.half_width)
        near = np.diff(reach, axis=0)
        far = np.diff(edges)[:, None] - near
        table = near * self.near + far * self.far
        result: Values = table / table.sum(axis=0)
        return result


@dataclass(frozen=True)
class RoundedReport:
    """A number in [-1, 1] is reported as one of two values, unbiased.

    Parameters
    ----------
    epsilon
        The budget in nats.

    Examples
    --------
    >>> report = RoundedReport(1.0)
    >>> round(report.value, 6), round(float(report.chance(0.4)), 6)
    (2.163953, 0.592423)
    """

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", as_budget(self.epsilon))

    @property
    def value(self) -> float:
        """The reported value; the other one is its negative."""
        return 1 / tanh(self.epsilon / 2)

    def chance(self, values: ArrayLike) -> Values:
        """Return the probability of the positive report."""
        return 0.5 + _inside(values, -1, 1) * tanh(self.epsilon / 2) / 2

    def release(self, values: ArrayLike, uniforms: ArrayLike) -> Values:
        """Return reports of values in [-1, 1], one uniform number each."""
        return np.where(_inside(uniforms, 0, 1) < self.chance(values), self.value, -self.value)

    def variance(self, values: ArrayLike) -> Values:
        """Return the variances of the reports."""
        result: Values = self.value**2 - _inside(values, -1, 1) ** 2
        return result


@dataclass(frozen=True)
class PiecewiseReport:
    """A number in [-1, 1] is reported in a wider interval, most often near itself, unbiased.

    Parameters
    ----------
    epsilon
        The budget in nats.

    Examples
    --------
    >>> report = PiecewiseReport(1.0)
    >>> round(report.bound, 6), round(report.high, 6)
    (4.082988, 0.201901)
    >>> [round(float(end), 6) for end in report.interval(0.4)]
    [-0.524896, 2.558092]
    """

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", as_budget(self.epsilon))

    @property
    def bound(self) -> float:
        """Reports lie between minus that and that."""
        return 1 / tanh(self.epsilon / 4)

    @property
    def high(self) -> float:
        """The density of reports near the value."""
        half = exp(self.epsilon / 2)
        return half * expm1(self.epsilon / 2) / (2 * half + 2)

    @property
    def low(self) -> float:
        """The density of the other reports."""
        return self.high * exp(-self.epsilon)

    def interval(self, values: ArrayLike) -> tuple[Values, Values]:
        """Return the ends of the interval of high density for each value."""
        found = _inside(values, -1, 1)
        start = (self.bound + 1) / 2 * found - (self.bound - 1) / 2
        return start, start + self.bound - 1

    def release(self, values: ArrayLike, uniforms: ArrayLike) -> Values:
        """Return reports of values in [-1, 1], one uniform number each."""
        start, end = self.interval(values)
        u = _inside(uniforms, 0, 1)
        below = (start + self.bound) * self.low
        middle = (end - start) * self.high
        left = -self.bound + u / self.low
        inner = start + (u - below) / self.high
        right = end + (u - below - middle) / self.low
        return np.where(u < below, left, np.where(u < below + middle, inner, right))

    def variance(self, values: ArrayLike) -> Values:
        """Return the variances of the reports."""
        half = expm1(self.epsilon / 2)
        spread = (half + 4) / (3 * half**2)
        result: Values = _inside(values, -1, 1) ** 2 / half + spread
        return result


@dataclass(frozen=True)
class HybridReport:
    """The piecewise mechanism or stochastic rounding, at random: better than either for large budgets.

    Parameters
    ----------
    epsilon
        The budget in nats.

    Examples
    --------
    >>> round(HybridReport(1.0).piecewise_share, 6), HybridReport(0.5).piecewise_share
    (0.393469, 0.0)
    """

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", as_budget(self.epsilon))

    @property
    def piecewise_share(self) -> float:
        """How likely the piecewise mechanism is used."""
        return -expm1(-self.epsilon / 2) if self.epsilon > _SWITCH else 0.0

    def release(self, values: ArrayLike, rng: np.random.Generator) -> Values:
        """Return reports of values in [-1, 1]."""
        found = _inside(values, -1, 1)
        piecewise = rng.random(found.shape) < self.piecewise_share
        uniforms = rng.random(found.shape)
        smooth = PiecewiseReport(self.epsilon).release(found, uniforms)
        return np.where(piecewise, smooth, RoundedReport(self.epsilon).release(found, uniforms))

    @property
    def worst_variance(self) -> float:
        """The largest variance of a report."""
        share, worst = self.piecewise_share, -inf
        for value in (0.0, 1.0):
            smooth = float(PiecewiseReport(self.epsilon).variance(value))
            rounded = float(RoundedReport(self.epsilon).variance(value))
            worst = max(worst, share * smooth + (1 - share) * rounded)
        return worst
