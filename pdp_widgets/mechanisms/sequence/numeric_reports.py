"""Local reports of numbers, such as square wave and rounding, and streams of them with a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, inf, tanh
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import Kind, as_size
from pdp_widgets.core.converters import as_generator, as_sizes, plain_numbers, refuse_masked
from pdp_widgets.errors import TableError, Where

__all__ = [
    "HybridReport",
    "PiecewiseReport",
    "RoundedReport",
    "SquareWave",
    "TruncatedRelease",
    "TruncatedReports",
]

Values = NDArray[np.float64]

# Above this budget the hybrid uses the piecewise mechanism at all.
_SWITCH = 0.61
# Reports of numbers have neither limit, 0 or infinity.
_BUDGET = Kind("reports of numbers need a budget from 1e-6 to 300 nats", 1e-6, 300)


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
    """A number in [0, 1] is reported near itself, within a half-width, more often than elsewhere."""

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _BUDGET.take(self.epsilon, "epsilon"))

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
        """Return the chances of bins of reports by the middles of bins of values; (reports, values)."""
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
    """A number in [-1, 1] is reported as one of two values, unbiased."""

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _BUDGET.take(self.epsilon, "epsilon"))

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
    """A number in [-1, 1] is reported in a wider interval, most often near itself, unbiased."""

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _BUDGET.take(self.epsilon, "epsilon"))

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
    """The piecewise mechanism or stochastic rounding, at random: better than either for large budgets."""

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _BUDGET.take(self.epsilon, "epsilon"))

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


_BINS = 64
_ROUNDS = 500


@dataclass(frozen=True)
class TruncatedRelease:
    """What `TruncatedReports` released of streams.

    Parameters
    ----------
    threshold
        Values above it were cut down to it.
    histogram
        The estimated shares of 64 bins of values, from the first steps, shape (64,).
    released
        The published values of the later steps, shape (users, steps - first).
    first
        How many steps were spent on the threshold.

    Examples
    --------
    >>> release = TruncatedReports(2.0, first=2).release([[1, 2, 3, 1]] * 50, largest=4, rng=1)
    >>> release.released.shape, release.first
    ((50, 2), 2)
    """

    threshold: float
    histogram: Values
    released: Values
    first: int


@dataclass(frozen=True)
class TruncatedReports:
    """Local reports of a stream of numbers, cut at a threshold that the first steps choose.

    **A stand-in** for ToPS, in the manner of ToPL: the paper's comparator cannot be reconstructed. It
    describes the central ToPS (noisy threshold, hierarchy of noisy counts, smoothing) and calls it local, as
    its other version ToPL is; it does not say how the budget is split, how many values choose the threshold,
    or how symbols become numbers. No curve of this class is a curve of the paper.

    Parameters
    ----------
    epsilon
        The budget of one step in nats.
    first
        Steps that are reported by a square wave and spent on the threshold.

    Notes
    -----
    A histogram of 64 bins is estimated from the first reports by expectation-maximisation; the threshold
    balances the noise of later reports, which grows with it, against what is cut off. Later values are
    truncated, reported by the hybrid mechanism, cut to the range and rounded. ToPS and ToPL: Wang et al., CCS
    2021.

    Examples
    --------
    >>> import numpy as np
    >>> streams = np.random.default_rng(0).binomial(10, 0.2, (300, 8))
    >>> release = TruncatedReports(1.0, first=4).release(streams, largest=10, rng=1)
    >>> 0 < release.threshold <= 10, float(release.released.max()) <= 10
    (True, True)
    """

    name: ClassVar[str] = "topl"
    label: ClassVar[str] = "Truncated reports (ToPL-style, a stand-in for ToPS)"

    epsilon: float
    first: int = 10

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _BUDGET.take(self.epsilon, "epsilon"))
        object.__setattr__(self, "first", as_size(self.first, "first", 1))

    def release(self, streams: ArrayLike, largest: float, rng: Any = None) -> TruncatedRelease:
        """Return what is published of streams of numbers.

        Parameters
        ----------
        streams
            Values from 0 to ``largest``, shape (users, steps), with more steps than ``first``.
        largest
            The largest value there can be; public, not that of the data.
        rng
            Generator or seed; without it fresh randomness.

        Raises
        ------
        TableError
            The streams are too short, or a value is outside its range.
        """
        values, top = _streams(streams, largest, self.first)
        generator = as_generator(rng)
        early = values[:, : self.first].ravel() / top
        reports = SquareWave(self.epsilon).release(early, generator.random(early.shape))
        histogram = self.histogram(reports)
        threshold = self.threshold(histogram) * top
        later = np.minimum(values[:, self.first :], threshold)
        noisy = HybridReport(self.epsilon).release(2 * later / threshold - 1, generator)
        released = np.rint(np.clip((noisy + 1) / 2 * threshold, 0, threshold))
        return TruncatedRelease(threshold, histogram, np.minimum(released, top), self.first)

    def histogram(self, reports: ArrayLike) -> Values:
        """Return the shares of 64 bins of values that make reports of a square wave most likely.

        Raises
        ------
        TableError
            A report is none of a square wave: those lie between minus its half-width and one more.
        """
        wave = SquareWave(self.epsilon)
        # What rounding adds at the ends is nobody's fault.
        reach = wave.half_width + 1e-9
        given = as_sizes(reports, "reports", TableError, -reach, 1 + reach)
        table = wave.transition(_BINS)
        width = (1 + 2 * wave.half_width) / _BINS
        places = ((given.ravel() + wave.half_width) / width).astype(np.int64)
        counts = np.bincount(np.clip(places, 0, _BINS - 1), minlength=_BINS)
        shares = np.full(_BINS, 1 / _BINS)
        for _ in range(_ROUNDS):
            expected = table @ shares
            better = shares * (table.T @ (counts / expected))
            better /= better.sum()
            done = float(np.abs(better - shares).sum()) < 1e-6
            shares = better
            if done:
                break
        return shares

    def threshold(self, histogram: ArrayLike) -> float:
        """Return the right end of the bin that balances noise and truncation, as a share of the range.

        The noise of a report is counted as a third of its variance times the square of the threshold.

        Raises
        ------
        TableError
            They are not 64 shares that sum to 1.
        """
        shares = as_sizes(histogram, "histogram", TableError, 0.0, 1.0)
        if shares.shape != (_BINS,) or not abs(float(shares.sum()) - 1) <= 1e-8:
            raise TableError(
                f"The histogram has the shape {shares.shape} and the sum {float(shares.sum()):.12g}; give "
                f"{_BINS} shares that sum to 1.",
                Where("parameter", name="histogram"),
            )
        middles, ends = (np.arange(_BINS) + 0.5) / _BINS, np.arange(1, _BINS + 1) / _BINS
        lost = np.maximum(middles[None, :] - ends[:, None], 0.0) @ shares
        error = HybridReport(self.epsilon).worst_variance * ends**2 / 3 + lost**2
        return float(ends[int(np.argmin(error))])


def _streams(streams: ArrayLike, largest: Any, first: int) -> tuple[Values, float]:
    where = Where("parameter", name="streams")
    refuse_masked(streams, "streams")
    try:
        values, top = plain_numbers(streams), float(plain_numbers(largest))
    except (TypeError, ValueError, OverflowError):
        raise TableError("The streams and their largest value must be numbers.", where) from None
    if not 0 < top < np.inf:
        raise TableError(
            f"The largest value is {top:g}; it must be a finite number above 0.",
            Where("parameter", name="largest"),
        )
    if values.ndim != 2 or values.shape[1] <= first or not len(values):
        raise TableError(
            f"The streams have the shape {values.shape}; give a row for each person, with more than "
            f"{first} steps.",
            where,
        )
    if not bool(((values >= 0) & (values <= top)).all()):
        raise TableError(f"The values must be numbers from 0 to {top:g}.", where)
    return values, top
