"""What makes a matrix one of covariances, its faults, and what some tuples say about the others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.models.labels import as_names, short, shown
from pdp_widgets.models.table_checks import as_numbers

__all__ = [
    "LARGEST",
    "SMALLEST",
    "TOLERANCE",
    "Regression",
    "as_covariance",
    "as_symmetric",
    "as_vector",
    "first_cell",
    "is_positive_semidefinite",
    "pair_of",
    "smallest_eigenvalue",
    "unit_of",
    "units_of",
]

Floats = NDArray[np.float64]

#: A variance left after conditioning counts as none up to this part of the variance before.
TOLERANCE = 1e-9


def units_of(cov: Floats) -> Floats:
    """Return powers of two near the standard deviations: units that bring all tuples to one size exactly."""
    deviations = np.sqrt(np.maximum(np.diag(cov), 0.0))
    return np.asarray(np.exp2(np.round(np.log2(np.where(deviations > 0, deviations, 1.0)))))


class Regression:
    """Best linear prediction of all tuples from some of them; their block may be singular."""

    # ``coefficients`` has shape (n, k), row j predicts tuple j; ``residual``, (n, n), has the covariances of
    # what is left. A given tuple of which those before leave at most 1e-9 of its variance tells nothing more:
    # its coefficients are 0, but for its own. So the order matters where one is fixed by others.

    __slots__ = ("_correlation", "_scales", "coefficients", "residual")

    def __init__(self, cov: Floats, given: Sequence[int], order: Sequence[int] | None = None) -> None:
        known = list(given)
        deviations = np.sqrt(np.maximum(np.diag(cov)[known], 0.0))
        self._scales = np.divide(1.0, deviations, out=np.zeros_like(deviations), where=deviations > 0)
        self._correlation = cov[np.ix_(known, known)] * self._scales * self._scales[:, None]
        units = units_of(cov)
        left = cov / units / units[:, None]
        floors = TOLERANCE * np.diag(left)
        found = np.zeros((len(cov), len(known)))
        for k in known if order is None else order:
            if left[k, k] > floors[k]:
                place, column = known.index(k), left[:, k]
                ratios = column * (1.0 / left[k, k])
                found -= np.outer(ratios, found[k])
                found[:, place] = ratios
                left = left - np.outer(ratios, column)
        found *= units[:, None] / units[known]
        found[known] = np.eye(len(known))
        left = left * units * units[:, None]
        left = left / 2 + left.T / 2
        left[known, :] = 0.0
        left[:, known] = 0.0
        self.coefficients: Floats = found
        self.residual: Floats = left

    def can_occur(self, deviations: Floats) -> bool:
        """Tell whether deviations of the given tuples from their means are possible together."""
        if not self._scales.size:
            return True
        values, vectors = np.linalg.eigh(self._correlation)
        cutoff = TOLERANCE * float(values.max(initial=0.0))
        basis = vectors[:, values > cutoff]
        fixed = self._scales == 0
        scaled = deviations * self._scales
        beside = scaled - basis @ (basis.T @ scaled)
        # A direction that counts as fixed may still have a deviation of the root of the cutoff: allow ten.
        reach = 10 * math.sqrt(cutoff) + TOLERANCE * float(np.linalg.norm(scaled))
        return not deviations[fixed].any() and bool(np.linalg.norm(beside) <= reach)


# What rounding leaves of entries of the size of the larger variance, for each tuple; the same in the browser.
_ROUNDING = 2e-15
# Beyond, on the scale of correlations, it is no rounding however far apart two variances are.
_MOST_ROUNDING = 1e-6
#: What rounding leaves of an eigenvalue of 0, as a part of the largest one; the same in the browser.
_ZERO = 1e-13
#: Beyond, sums of a few variances are no longer finite numbers.
LARGEST = 2.0**1000
#: Of a mean or standard deviation: its square is a number too.
_LARGEST_OF_ONE = 2.0**500
#: Below, a variance and what it is multiplied with lose their digits; it is that or 0.
SMALLEST = 2.0**-1000


def as_symmetric(matrix: Any, names: Iterable[str] | None = None, what: str = "covariance") -> Floats:
    """Return a copy of a symmetric matrix of finite numbers, exactly symmetric."""
    numbers = as_numbers(matrix, f"{what} matrix")
    if numbers.ndim != 2 or numbers.shape[0] != numbers.shape[1] or numbers.size == 0:
        raise TableError(
            f"The {what} matrix has shape {numbers.shape}; it has one row and one column for each tuple.",
            Where("table"),
        )
    n = numbers.shape[0]
    listed = as_names(names, n)
    bad = ~(np.abs(numbers) <= LARGEST)
    if bad.any():
        i, j = first_cell(bad)
        raise TableError(
            f"The {what} of {pair_of(listed, i, j)} is {numbers[i, j]:.12g}; it must be a finite number"
            f"{', at most 1e301 in size' if math.isfinite(numbers[i, j]) else ''}.",
            Where("cell", index=(i, j)),
        )
    deviations = np.sqrt(np.abs(np.diag(numbers)))
    size = np.maximum(np.maximum(np.abs(numbers), np.abs(numbers.T)), np.outer(deviations, deviations))
    odd = np.abs(numbers - numbers.T) > TOLERANCE * size
    if odd.any():
        i, j = first_cell(odd)
        raise TableError(
            f"The {what} matrix is not symmetric: {pair_of(listed, i, j)} has {numbers[i, j]:.12g} and "
            f"{pair_of(listed, j, i)} has {numbers[j, i]:.12g}; the two must be equal.",
            Where("cell", index=(i, j)),
        )
    return np.asarray(np.where(numbers == numbers.T, numbers, numbers / 2 + numbers.T / 2)) + 0.0


def first_cell(where: NDArray[np.bool_]) -> tuple[int, int]:
    """Return row and column of the first true entry."""
    i, j = np.unravel_index(int(np.argmax(where)), where.shape)
    return int(i), int(j)


def pair_of(names: Sequence[str], i: int, j: int) -> str:
    """Name the two tuples of an entry."""
    return f"{short(names[i])} and {short(names[j])}" if i != j else f"{short(names[i])} with itself"


def unit_of(matrix: Floats) -> float:
    """Return a power of two of the size of the largest entry: LAPACK does not converge for some huge ones."""
    size = float(np.abs(matrix).max(initial=0.0))
    return 2.0 ** round(math.log2(size)) if size > 0 else 1.0


def _eigenvalues(matrix: Floats) -> Floats:
    unit = unit_of(matrix)
    return np.asarray(np.linalg.eigvalsh(matrix / unit) * unit)


def smallest_eigenvalue(matrix: ArrayLike) -> float:
    """Return the smallest eigenvalue of a symmetric matrix; 0 where rounding alone parts it from 0."""
    values = _eigenvalues(np.asarray(matrix, dtype=np.float64))
    least = float(values[0])
    return 0.0 if abs(least) <= _ZERO * float(values[-1]) else least


def is_positive_semidefinite(matrix: Floats) -> bool:
    """Tell whether a symmetric matrix is positive semi-definite within the tolerance."""
    # The eigenvalues must be at least -1e-9 times the largest one, those of the matrix as it is and those on
    # the scale of correlations: otherwise a tuple in large units would hide what is wrong among the others.
    # On that scale rounding of an entry is worth more the farther apart the two variances are.
    values = _eigenvalues(matrix)
    if values[0] < -TOLERANCE * values[-1]:
        return False
    variances = np.diag(matrix)
    if (variances < -_ROUNDING * len(matrix) * max(float(variances.max()), 0.0)).any():
        return False
    if _beyond_variances(matrix).any():
        return False
    moving = np.flatnonzero(variances > 0)
    if not moving.size:
        return True
    deviations = np.sqrt(variances[moving])
    scaled = matrix[np.ix_(moving, moving)] / deviations / deviations[:, None]
    rounding = _rounding(deviations, len(matrix))
    rounding[scaled == 0] = 0.0
    np.fill_diagonal(scaled, 1.0)
    np.fill_diagonal(rounding, 0.0)
    values = _eigenvalues(scaled)
    return bool(values[0] >= -TOLERANCE * values[-1] - float(rounding.sum(axis=1).max()))


def _rounding(deviations: Floats, n: int) -> Floats:
    """Return what rounding of covariances is worth on the scale of correlations; deviations are positive."""
    with np.errstate(over="ignore"):
        apart = np.maximum.outer(deviations, deviations) / np.minimum.outer(deviations, deviations)
    return np.minimum(_ROUNDING * n * apart, _MOST_ROUNDING)


def _beyond_variances(matrix: Floats) -> NDArray[np.bool_]:
    """Mark the covariances that are larger than their two variances allow."""
    n = len(matrix)
    variances = np.maximum(np.diag(matrix), 0.0)
    deviations = np.sqrt(variances)
    # Next to a tuple without variance what is left is measured by the other one.
    limits = _ROUNDING * n * np.maximum.outer(variances, variances)
    moving = np.flatnonzero(variances > 0)
    some = deviations[moving]
    limits[np.ix_(moving, moving)] = np.outer(some, some) * (1 + TOLERANCE + _rounding(some, n))
    beyond = np.abs(matrix) > limits
    np.fill_diagonal(beyond, False)
    return np.asarray(beyond)


def as_covariance(matrix: Any, names: Iterable[str] | None = None) -> Floats:
    """Return a checked covariance matrix, read-only."""
    numbers = as_symmetric(matrix, names)
    n = numbers.shape[0]
    listed = as_names(names, n)
    variances = np.diag(numbers).copy()
    negative = variances < -_ROUNDING * n * max(float(variances.max()), 0.0)
    if negative.any():
        i = int(np.argmax(negative))
        raise TableError(
            f"The variance of {short(listed[i])} is {variances[i]:.12g}; a variance is 0 or more.",
            Where("cell", index=(i, i)),
        )
    tiny = (variances > 0) & (variances < SMALLEST)
    if tiny.any():
        i = int(np.argmax(tiny))
        raise TableError(
            f"The variance of {short(listed[i])} is {variances[i]:.12g}; it must be 0, or at least 1e-301.",
            Where("cell", index=(i, i)),
        )
    np.fill_diagonal(numbers, np.maximum(variances, 0.0))
    if not is_positive_semidefinite(numbers):
        raise _indefinite(numbers, listed)
    numbers.flags.writeable = False
    return numbers


def _indefinite(numbers: Floats, names: Sequence[str]) -> TableError:
    """Name the cell that no two variances allow, or else the smallest eigenvalue."""
    remedy = "nearest_covariance(matrix) gives the nearest valid matrix."
    beyond = _beyond_variances(numbers)
    if beyond.any():
        i, j = first_cell(beyond)
        first, second = numbers[i, i], numbers[j, j]
        limit = math.sqrt(first) * math.sqrt(second)
        size = "large" if numbers[i, j] > 0 else "small"
        return TableError(
            f"The covariance of {pair_of(names, i, j)} is too {size}. It is {numbers[i, j]:.12g}; with "
            f"variances {first:.12g} and {second:.12g} it must be from {-limit:.12g} to {limit:.12g}. "
            f"{remedy}",
            Where("cell", index=(i, j)),
        )
    least, whose = smallest_eigenvalue(numbers), "its"
    if not least < 0:
        # A tuple in large units hides it among the covariances.
        deviations = np.sqrt(np.diag(numbers))
        moving = np.flatnonzero(deviations > 0)
        some = deviations[moving]
        least = smallest_eigenvalue(numbers[np.ix_(moving, moving)] / some / some[:, None])
        whose = "as correlations its"
    return TableError(
        f"The covariance matrix is not positive semi-definite: {whose} smallest eigenvalue is "
        f"{least:.6g}, it must be 0 or more. {remedy}",
        Where("table"),
    )


def as_vector(values: Any, names: Sequence[str], what: str, least: float = -math.inf) -> Floats:
    """Return one finite number for each tuple, or raise DomainError; one number stands for all."""
    n = len(names)
    refuse_masked(values, what)
    try:
        numbers = plain_numbers(values)
    except (TypeError, ValueError, OverflowError):
        raise DomainError(
            f"The {what} is {shown(values)}; give one number for each of the {n} tuples.",
            Where("parameter", name=what),
        ) from None
    if numbers.ndim == 0:
        numbers = np.full(n, float(numbers))
    if numbers.shape != (n,):
        raise DomainError(
            f"The {what} has shape {numbers.shape} for {n} tuples; give one number for each.",
            Where("parameter", name=what),
        )
    bad = ~(np.abs(numbers) <= _LARGEST_OF_ONE) | (numbers < least)
    if bad.any():
        axis = int(np.argmax(bad))
        demand = "a finite number" if least == -math.inf else f"a finite number, {least:g} or more"
        if _LARGEST_OF_ONE < abs(numbers[axis]) < math.inf:
            demand += ", at most 3e150 in size"
        raise DomainError(
            f"The {what} of {short(names[axis])} is {numbers[axis]:.12g}; it must be {demand}.",
            Where("axis", axis=axis),
        )
    return numbers + 0.0
