"""A stand-in for ToPS: local publication of streams of numbers with a threshold ("ToPL-style")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.mechanisms.local.parameters import as_size
from pdp_widgets.mechanisms.sequence.numeric_reports import HybridReport, SquareWave, as_budget
from pdp_widgets.models.given_numbers import as_generator, plain_numbers, refuse_masked

__all__ = ["TruncatedRelease", "TruncatedReports"]

Values = NDArray[np.float64]

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
        object.__setattr__(self, "epsilon", as_budget(self.epsilon))
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
        """Return the shares of 64 bins of values that make reports of a square wave most likely."""
        wave = SquareWave(self.epsilon)
        table = wave.transition(_BINS)
        width = (1 + 2 * wave.half_width) / _BINS
        places = ((np.asarray(reports, dtype=np.float64) + wave.half_width) / width).astype(np.int64)
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
        """
        shares = np.asarray(histogram, dtype=np.float64)
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
