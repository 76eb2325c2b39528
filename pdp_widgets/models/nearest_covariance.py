"""The nearest valid covariance matrix of one that is not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.models.covariance import to_correlation
from pdp_widgets.models.covariance_checks import (
    LARGEST,
    SMALLEST,
    as_covariance,
    as_symmetric,
    is_positive_semidefinite,
    unit_of,
)
from pdp_widgets.models.labels import as_names, short

__all__ = ["nearest_covariance"]

Floats = NDArray[np.float64]

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
    found = found * deviations * deviations[:, None]
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
