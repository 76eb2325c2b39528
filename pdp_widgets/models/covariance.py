"""Covariances: from and to correlations, and what one entry may be."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.covariance_checks import (
    LARGEST,
    as_covariance,
    as_symmetric,
    as_vector,
    first_cell,
    is_positive_semidefinite,
    pair_of,
    smallest_eigenvalue,
)
from pdp_widgets.models.given_numbers import is_whole
from pdp_widgets.models.labels import as_names, short, shown
from pdp_widgets.models.regression import TOLERANCE, Regression

__all__ = ["equicorrelation", "from_correlation", "to_correlation", "valid_range"]

Floats = NDArray[np.float64]


def to_correlation(cov: ArrayLike) -> tuple[Floats, Floats]:
    """Return correlations and standard deviations of a covariance matrix.

    The correlations of a tuple of variance 0 are not defined; they are returned as 0, with 1 on the diagonal.

    Examples
    --------
    >>> correlation, deviations = to_correlation([[4, 1], [1, 1]])
    >>> correlation.tolist(), deviations.tolist()
    ([[1.0, 0.5], [0.5, 1.0]], [2.0, 1.0])
    """
    numbers = np.asarray(cov, dtype=np.float64)
    deviations = np.sqrt(np.maximum(np.diag(numbers), 0.0))
    scales = np.divide(1.0, deviations, out=np.zeros_like(deviations), where=deviations > 0)
    correlation = numbers * scales * scales[:, None]
    np.fill_diagonal(correlation, 1.0)
    return correlation, deviations


def from_correlation(
    correlation: Any, standard_deviations: Any = 1.0, names: Iterable[str] | None = None
) -> Floats:
    """Return the covariance matrix of correlations and standard deviations, read-only.

    Parameters
    ----------
    correlation
        Shape (n, n), 1 on the diagonal.
    standard_deviations
        One number, or one for each tuple; 0 or more.
    names
        Names of the n tuples, for messages.

    Raises
    ------
    TableError
        An entry of the diagonal is not 1, or the matrix is none of correlations.
    DomainError
        A standard deviation is negative or not finite, or their number is not that of the tuples.

    Examples
    --------
    >>> from_correlation([[1, 0.5], [0.5, 1]], [2, 1]).tolist()
    [[4.0, 1.0], [1.0, 1.0]]
    """
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
    """Return the correlation matrix of n tuples, every two with correlation rho.

    Raises
    ------
    DomainError
        rho is not from -1 / (n - 1) to 1: such correlations do not exist.

    Examples
    --------
    >>> equicorrelation(2, -0.5).tolist()
    [[1.0, -0.5], [-0.5, 1.0]]
    """
    if not is_whole(n) or n < 1:
        raise DomainError(
            f"The number of tuples is {shown(n)}; it is a whole number, 1 or more.",
            Where("parameter", name="n"),
        )
    least = -1.0 / (n - 1) if n > 1 else -1.0
    number = float(as_vector(rho, ["all tuples"], "correlation")[0])
    if not least - 1e-12 <= number <= 1:
        raise DomainError(
            f"The correlation is {number:.12g}; equal correlations of {n} tuples are from {least:.6g} "
            "(-1 / (n - 1)) to 1.",
            Where("parameter", name="rho"),
        )
    matrix = np.full((int(n), int(n)), number)
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
