"""How often each symbol occurs, from reports that support symbols at two rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import TableError, Where
from pdp_widgets.mechanisms.local.parameters import as_alphabet_size, as_count
from pdp_widgets.mechanisms.local.reports import Reports

__all__ = [
    "SupportRates",
    "as_frequencies",
    "clipped_frequencies",
    "counted",
    "expected_nmse",
    "simplex_frequencies",
]


@dataclass(frozen=True)
class SupportRates:
    """How often a report supports the true symbol and how often a wrong one.

    Parameters
    ----------
    p
        Probability of supporting the true symbol.
    q
        Probability of supporting a given wrong symbol.
    difference
        p - q, given apart because subtracting cancels for small budgets.

    Notes
    -----
    With c of n reports for a symbol, (c / n - q) / (p - q) estimates its share without bias: Wang, Blocki, Li
    and Jha, "Locally differentially private protocols for frequency estimation" (2017).

    Examples
    --------
    >>> rates = SupportRates(0.5, 0.25, 0.25)
    >>> rates.estimate([500, 250], 1000).tolist()
    [1.0, 0.0]
    >>> rates.variance([1.0, 0.0], 1000).tolist()
    [0.004, 0.003]
    """

    p: float
    q: float
    difference: float

    def estimate(self, counts: ArrayLike, n: int) -> NDArray[np.float64]:
        """Return the estimated shares; nan where the rates are equal and nothing can be told."""
        found = _numbers(counts, "support counts", "counts")
        if self.difference == 0:
            return np.full(found.shape, np.nan)
        with np.errstate(over="ignore"):
            # A difference next to nothing makes estimates beyond the largest float.
            return np.asarray((found / as_count(n) - self.q) / self.difference)

    def variance(self, frequencies: ArrayLike, n: int) -> NDArray[np.float64]:
        """Return the exact variances for fixed data with these shares; nan where the rates are equal."""
        f = as_frequencies(frequencies)
        size = as_count(n)
        if self.difference == 0:
            return np.full(f.shape, np.nan)
        spread = f * self.p * (1 - self.p) + (1 - f) * self.q * (1 - self.q)
        with np.errstate(over="ignore"):
            # Dividing twice: the square of a tiny difference may be too small for a float.
            return np.asarray(spread / self.difference / (size * self.difference))


def _numbers(values: ArrayLike, what: str, name: str) -> NDArray[np.float64]:
    refuse_masked(values, what)
    try:
        found = plain_numbers(values)
    except (TypeError, ValueError, OverflowError):
        raise TableError(
            f"The {what} are not numbers; give one for each symbol.", Where("parameter", name=name)
        ) from None
    if found.ndim != 1:
        raise TableError(
            f"The {what} have {found.ndim} axes; give a list with one number for each symbol.",
            Where("parameter", name=name),
        )
    return found


def as_frequencies(frequencies: ArrayLike, k: int | None = None) -> NDArray[np.float64]:
    """Return true shares, k of them if given, each from 0 to 1, or raise TableError."""
    where = Where("parameter", name="frequencies")
    found = _numbers(frequencies, "frequencies", "frequencies")
    wrong = ~((found >= 0) & (found <= 1))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise TableError(f"Frequency {at} is {found[at]:.12g}; a frequency is from 0 to 1.", where)
    if k is not None and found.size != as_alphabet_size(k):
        raise TableError(f"There are {found.size} frequencies for k = {k} symbols; give one for each.", where)
    return found


def counted(
    reports: Reports | ArrayLike, k: int | None, n: int | None
) -> tuple[NDArray[np.float64], int, int]:
    """Return the support counts, the number of symbols and the number of reports."""
    k = None if k is None else as_alphabet_size(k)
    n = None if n is None else as_count(n)
    if isinstance(reports, Reports):
        counts, size, people = np.asarray(reports.support_counts(), np.float64), reports.k, reports.n
        if (k is not None and k != size) or (n is not None and n != people):
            raise TableError(
                f"The reports are {people:,} about {size} symbols; leave out k and n, or give these.",
                Where("parameter", name="reports"),
            )
        return counts, size, as_count(people)
    if n is None:
        raise TableError(
            "Support counts need n, the number of reports they come from.", Where("parameter", name="n")
        )
    found = _numbers(reports, "support counts", "reports")
    if not np.isfinite(found).all():
        at = int(np.argmax(~np.isfinite(found)))
        raise TableError(
            f"Support count {at} is {found[at]:g}; a count is a finite number.",
            Where("parameter", name="reports"),
        )
    if k is not None and found.size != as_alphabet_size(k):
        raise TableError(
            f"There are {found.size} support counts for k = {k} symbols; give one for each.",
            Where("parameter", name="reports"),
        )
    return found, as_alphabet_size(found.size), as_count(n)


def expected_nmse(variances: ArrayLike, frequencies: ArrayLike) -> float:
    """Return the expected squared error of all estimates over the sum of the squared shares."""
    f = as_frequencies(frequencies)
    found = _numbers(variances, "variances", "variances")
    if found.shape != f.shape:
        raise TableError(
            f"There are {found.size} variances for {f.size} frequencies; give one for each.",
            Where("parameter", name="variances"),
        )
    square = float((f**2).sum())
    return float(found.sum()) / square if square > 0 else float("nan")


def clipped_frequencies(estimates: ArrayLike) -> NDArray[np.float64]:
    """Return estimates with negative ones set to 0 and those above 1 set to 1; the sum is left as it is.

    Raises
    ------
    TableError
        An estimate is NaN, or no number.

    Examples
    --------
    >>> clipped_frequencies([1.2, -0.1, 0.3]).tolist()
    [1.0, 0.0, 0.3]
    """
    found = _numbers(estimates, "estimates", "estimates")
    if np.isnan(found).any():
        raise TableError(
            f"Estimate {int(np.argmax(np.isnan(found)))} is nan; give numbers (reports with epsilon = 0 tell "
            "nothing, and have no estimates).",
            Where("parameter", name="estimates"),
        )
    return np.clip(found, 0.0, 1.0)


def simplex_frequencies(estimates: ArrayLike) -> NDArray[np.float64]:
    """Return the shares, none negative and with the sum 1, that are nearest to estimates.

    Notes
    -----
    Euclidean projection: subtract one number from all and cut at 0. Duchi, Shalev-Shwartz, Singer and
    Chandra, "Efficient projections onto the l1-ball" (2008).

    Examples
    --------
    >>> simplex_frequencies([0.9, 0.4, -0.2]).round(12).tolist()
    [0.75, 0.25, 0.0]
    """
    found = _numbers(estimates, "estimates", "estimates")
    if not found.size or not np.isfinite(found).all():
        raise TableError(
            "The estimates must be a list of finite numbers, at least one.",
            Where("parameter", name="estimates"),
        )
    # What is more than 1 below the largest gets no share, however far away: its distance may be no float.
    # Shares themselves keep all their digits.
    top = float(found.max())
    with np.errstate(over="ignore"):
        near = np.maximum(found, top - 1.0) if abs(top) < 2 else np.maximum(found - top, -1.0)
    ordered = np.sort(near)[::-1]
    excess = (np.cumsum(ordered) - 1) / np.arange(1, found.size + 1)
    kept = int(np.flatnonzero(ordered > excess)[-1])
    return np.asarray(np.maximum(near - excess[kept], 0.0))
