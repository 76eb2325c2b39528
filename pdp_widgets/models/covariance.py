"""Covariances: from and to correlations, what one entry may be, and the nearest valid matrix."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.amounts import as_size
from pdp_widgets.core.checks import is_whole
from pdp_widgets.core.converters import as_flag, check_many
from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.covariance_matrix import (
    LARGEST,
    SMALLEST,
    TOLERANCE,
    Regression,
    as_covariance,
    as_symmetric,
    as_vector,
    first_cell,
    is_positive_semidefinite,
    pair_of,
    smallest_eigenvalue,
    unit_of,
)
from pdp_widgets.models.labels import as_names, short, shown

__all__ = ["equicorrelation", "from_correlation", "nearest_covariance", "to_correlation", "valid_range"]

Floats = NDArray[np.float64]

#: Entries of a matrix that is made from few numbers: half a gigabyte.
_MOST_ENTRIES = 1 << 26


def to_correlation(cov: ArrayLike) -> tuple[Floats, Floats]:
    """Return correlations and standard deviations of a covariance matrix."""
    # The correlations of a tuple of variance 0 are not defined; they are returned as 0, with 1 on the
    # diagonal.
    numbers = np.asarray(cov, dtype=np.float64)
    deviations = np.sqrt(np.maximum(np.diag(numbers), 0.0))
    scales = np.divide(1.0, deviations, out=np.zeros_like(deviations), where=deviations > 0)
    correlation = numbers * scales * scales[:, None]
    np.fill_diagonal(correlation, 1.0)
    return correlation, deviations


def from_correlation(
    correlation: Any, standard_deviations: Any = 1.0, names: Iterable[str] | None = None
) -> Floats:
    """Return the covariance matrix of correlations and standard deviations, read-only."""
    numbers = as_symmetric(correlation, names, "correlation")
    n = numbers.shape[0]
    listed = as_names(names, n)
    odd = ~(np.abs(np.diag(numbers) - 1) <= TOLERANCE)
    if odd.any():
        i = int(np.argmax(odd))
        raise TableError(
            f"The correlation of {short(listed[i])} with itself is {numbers[i, i]:.12g}; it must be 1.",
            Where("cell", index=(i, i)),
        )
    np.fill_diagonal(numbers, 1.0)
    deviations = as_vector(standard_deviations, listed, "standard deviation", least=0.0)
    if not is_positive_semidefinite(numbers):
        outside = np.abs(numbers) > 1 + TOLERANCE
        i, j = first_cell(outside)
        raise TableError(
            f"The correlation of {pair_of(listed, i, j)} is {numbers[i, j]:.12g}; it must be from -1 to 1."
            if outside.any()
            else "The correlation matrix is not positive semi-definite: its smallest eigenvalue is "
            f"{smallest_eigenvalue(numbers):.6g}, it must be 0 or more. "
            "nearest_covariance(matrix) gives the nearest valid matrix.",
            Where("cell", index=(i, j)) if outside.any() else Where("table"),
        )
    return as_covariance(numbers * deviations * deviations[:, None], listed)


def equicorrelation(n: int, rho: float) -> Floats:
    """Return the correlation matrix of n tuples, every two with correlation rho."""
    n = as_size(n, "n", 1, error=DomainError, subject="The number of tuples")
    check_many(n * n, _MOST_ENTRIES, "n")
    least = -1.0 / (n - 1) if n > 1 else -1.0
    number = float(as_vector(rho, ["all tuples"], "correlation")[0])
    if not least - 1e-12 <= number <= 1:
        raise DomainError(
            f"The correlation is {number:.12g}; equal correlations of {n} tuples are from {least:.6g} "
            "(-1 / (n - 1)) to 1.",
            Where("parameter", name="rho"),
        )
    matrix = np.full((n, n), number)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def valid_range(cov: ArrayLike, i: int, j: int) -> tuple[float, float] | None:
    """Return the smallest and the largest value of one entry that keep the matrix valid, the others fixed.

    Parameters
    ----------
    cov
        Symmetric matrix, shape (n, n); the entry (i, j) itself may have any value.
    i, j
        Row and column; its symmetric partner moves with it. The largest variance (i = j) is infinity.

    Returns
    -------
    tuple of float, or None
        None when no value of the entry makes the matrix valid, because of the other entries.

    Raises
    ------
    TableError
        The matrix is not square, not finite or not symmetric.
    DomainError
        There is no such entry.

    Notes
    -----
    With K all other tuples the matrix stays positive semi-definite exactly as long as the Schur complement
    of K does: the partial covariance of i and j given K lies within the root of the product of their partial
    variances. A singular block K is inverted on its range.

    Examples
    --------
    >>> valid_range([[4, 0], [0, 1]], 0, 1)
    (-2.0, 2.0)
    >>> low, high = valid_range([[1, 0.8, 0], [0.8, 1, 0.8], [0, 0.8, 1]], 0, 2)
    >>> round(low, 12), round(high, 12)
    (0.28, 1.0)
    """
    numbers = as_symmetric(cov)
    n = numbers.shape[0]
    for position in (i, j):
        if not is_whole(position) or not 0 <= position < n:
            raise DomainError(
                f"There is no entry in row or column {shown(position)}; positions are 0 to {n - 1}.",
                Where("parameter", name="i" if position is i else "j"),
            )
    rest = [k for k in range(n) if k not in (i, j)]
    if not _valid(numbers, rest):
        return None
    numbers[i, j] = numbers[j, i] = 0.0
    if i != j and not (_valid(numbers, [*rest, i]) and _valid(numbers, [*rest, j])):
        return None
    # With i = j nothing bounds the covariances: what they ask for may be more than a number can hold.
    with np.errstate(over="ignore", invalid="ignore"):
        partial = Regression(numbers, rest).residual
    if not np.isfinite(partial).all():
        return None
    if i == j:
        least = max(-float(partial[i, i]), 0.0) + 0.0
        # Tried with a variance of the size that the others ask for: a larger one would hide a misfit.
        deviations = [math.sqrt(float(numbers[k, k])) for k in rest]
        each = [abs(float(numbers[i, k])) / s for k, s in zip(rest, deviations, strict=True) if s > 0]
        numbers[i, i] = min(2 * max([least, *(share * share for share in each)]), LARGEST) or 1.0
        return (least, math.inf) if least <= LARGEST and _valid(numbers, range(n)) else None
    middle = -float(partial[i, j])
    half = math.sqrt(max(float(partial[i, i]), 0.0)) * math.sqrt(max(float(partial[j, j]), 0.0))
    return middle - half + 0.0, middle + half + 0.0


def _valid(numbers: Floats, positions: Iterable[int]) -> bool:
    block = list(positions)
    if not block:
        return True
    part = numbers[np.ix_(block, block)]
    return bool((np.diag(part) >= 0).all()) and is_positive_semidefinite(part)


_STILL = 1e-12
_MOST_PROJECTIONS = 2_000
# From larger correlations the projections do not return within their digits; the same in the browser.
_LARGEST_CORRELATION = 1e6


def nearest_covariance(
    matrix: Any, *, keep_variances: bool = True, names: Iterable[str] | None = None
) -> Floats:
    """Return the nearest valid covariance matrix, read-only; a valid one comes back as it is.

    Parameters
    ----------
    matrix
        Symmetric matrix, shape (n, n).
    keep_variances
        Leave the diagonal as it is and measure the distance between correlations. Otherwise variances may
        change, and the distance is that between the entries.
    names
        Names of the n tuples, for messages.

    Raises
    ------
    TableError
        The matrix is not square, not finite or not symmetric; or its variances are to be kept and one is
        negative.

    Notes
    -----
    Distances are Frobenius norms. With the variances kept: the nearest correlation matrix by alternating
    projections with Dykstra's correction, N. J. Higham, "Computing the nearest correlation matrix - a problem
    from finance", IMA Journal of Numerical Analysis 22 (2002), Algorithm 3.3. Otherwise the negative
    eigenvalues are set to 0, N. J. Higham, "Computing a nearest symmetric positive semidefinite matrix",
    Linear Algebra and its Applications 103 (1988). The result is on the border of the valid matrices: its
    smallest eigenvalue is 0. Correlations beyond a million count as a million.

    Examples
    --------
    >>> nearest_covariance([[1, 2], [2, 4]]).tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    >>> nearest_covariance([[1, 3], [3, 4]]).round(9).tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    """
    numbers = as_symmetric(matrix, names)
    keep_variances = as_flag(keep_variances, "keep_variances")
    if not keep_variances:
        numbers = _without_tiny(numbers)
    variances = np.diag(numbers).copy()
    negative = variances < 0
    if not negative.any() and is_positive_semidefinite(numbers):
        return as_covariance(numbers, names)
    if not keep_variances:
        found = _without_tiny(_without_negative(numbers))
        if is_positive_semidefinite(found):
            return as_covariance(found, names)
        # A variance far below the others is left with rounding of theirs: bring the correlations in order.
        numbers, variances = found, np.maximum(np.diag(found), 0.0)
        negative = variances < 0
    if negative.any():
        i = int(np.argmax(negative))
        name = short(as_names(names, len(variances))[i])
        raise TableError(
            f"The variance of {name} is {variances[i]:.12g} and cannot be kept; a variance is 0 or more.",
            Where("cell", index=(i, i)),
        )
    deviations = np.sqrt(variances)
    moving = np.flatnonzero(deviations > 0)
    with np.errstate(over="ignore"):
        correlation, _ = to_correlation(numbers[np.ix_(moving, moving)])
    found = np.zeros_like(numbers)
    bounded = np.clip(correlation, -_LARGEST_CORRELATION, _LARGEST_CORRELATION)
    found[np.ix_(moving, moving)] = _nearest_correlation(bounded)
    # The product of two roots may be an ulp beyond the largest entry there may be.
    found = np.clip(found * deviations * deviations[:, None], -LARGEST, LARGEST)
    np.fill_diagonal(found, variances)
    return as_covariance(found, names)


def _without_tiny(symmetric: Floats) -> Floats:
    """Return a copy in which variances too small to be some are none."""
    found = symmetric.copy()
    tiny = (np.diag(found) > 0) & (np.diag(found) < SMALLEST)
    found[tiny, :] = found[:, tiny] = 0.0
    return found


def _without_negative(symmetric: Floats) -> Floats:
    """Return the nearest positive semi-definite matrix in the Frobenius norm."""
    unit = unit_of(symmetric)
    values, vectors = np.linalg.eigh(symmetric / unit)
    found = (vectors * np.maximum(values, 0.0)) @ vectors.T
    return np.asarray(np.clip((found / 2 + found.T / 2) * unit, -LARGEST, LARGEST))


def _nearest_correlation(symmetric: Floats) -> Floats:
    unit = symmetric
    correction = np.zeros_like(symmetric)
    for _ in range(_MOST_PROJECTIONS):
        shifted = unit - correction
        valid = _without_negative(shifted)
        correction = valid - shifted
        before, unit = unit, valid.copy()
        np.fill_diagonal(unit, 1.0)
        size = float(np.linalg.norm(unit))
        if max(np.linalg.norm(unit - valid), np.linalg.norm(unit - before)) <= _STILL * size:
            break
    # The last projection left the cone of valid matrices by its tolerance; scaling returns into it.
    scales = 1.0 / np.sqrt(np.diag(valid))
    found = valid * scales * scales[:, None]
    np.fill_diagonal(found, 1.0)
    return np.asarray(found / 2 + found.T / 2)
