"""The correlated sensitivity of Zhu et al.: noise by correlation degrees, for comparison; no guarantee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import DomainError, TableError, Where
from pdp_widgets.leakage.dependent.budget import as_budget, laplace_scale
from pdp_widgets.leakage.number_table import Numbers, NumberTable, epsilon_words
from pdp_widgets.models.equal_fields import EqualByFields
from pdp_widgets.models.given_joint import as_sparse_joint
from pdp_widgets.models.given_numbers import plain_numbers, refuse_masked
from pdp_widgets.models.given_sizes import as_not_negative, as_sizes
from pdp_widgets.models.immutable import ReadOnlyArrays
from pdp_widgets.models.labels import short

__all__ = ["CorrelatedSensitivity", "correlated_sensitivity", "pearson_degrees"]

Floats = NDArray[np.float64]

#: A correlation of records is computed, and may pass 1 by a rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class CorrelatedSensitivity(EqualByFields, ReadOnlyArrays, NumberTable):
    """Sensitivities that add up correlated tuples, weighted by how strongly they are correlated.

    Parameters
    ----------
    rows
        Of every tuple, shape (n,).
    threshold
        Weaker correlations count as none.
    epsilon
        The budget in nats.

    Notes
    -----
    Nothing is promised by it: tuples can depend on each other without any correlation, and a correlation of 1
    can hide a change of any size. It is a part of the comparisons of the paper.

    Examples
    --------
    >>> found = correlated_sensitivity([[1, 0.6], [0.6, 1]], [1, 2], epsilon=0.5)
    >>> found.rows.tolist(), found.sensitivity, found.scale
    ([2.2, 2.6], 2.6, 5.2)
    """

    rows: Floats
    threshold: float
    epsilon: float

    @property
    def sensitivity(self) -> float:
        """The largest row."""
        return float(self.rows.max())

    @property
    def scale(self) -> float:
        """Of the noise: the sensitivity over the budget."""
        return laplace_scale(self.sensitivity, self.epsilon)

    def _numbers(self) -> Numbers:
        return Numbers(
            {"tuple": np.arange(1, len(self.rows) + 1), "sensitivity": self.rows},
            {"tuple": "count", "sensitivity": "number"},
            {"epsilon": self.epsilon, "threshold": self.threshold, "scale": self.scale},
            (f"scale {self.scale:.6g} for {epsilon_words(self.epsilon)}; no guarantee",),
        )


def correlated_sensitivity(
    degrees: ArrayLike, sensitivities: ArrayLike, threshold: float = 0.0, epsilon: float = 1.0
) -> CorrelatedSensitivity:
    """Return the correlated sensitivity of Zhu, Xiong, Li and Zhou.

    Parameters
    ----------
    degrees
        Correlation degrees of all pairs, from -1 to 1, shape (n, n): Pearson's correlations, or others. What
        stands on the diagonal is not read.
    sensitivities
        What a change of each tuple alone changes in the answer at most, shape (n,).
    threshold
        Pairs with a smaller degree, in size, count as independent.
    epsilon
        The budget in nats, positive and finite.

    Raises
    ------
    TableError
        The degrees are no square table of numbers from -1 to 1, or of another size.
    BudgetError
        Another number is not what it must be.

    Examples
    --------
    >>> degrees = [[1, 0.6, -0.3], [0.6, 1, 0.05], [-0.3, 0.05, 1]]
    >>> found = correlated_sensitivity(degrees, [1, 2, 1], threshold=0.1, epsilon=0.5)
    >>> found.rows.tolist(), found.scale
    ([2.5, 2.6, 1.3], 5.2)
    """
    table = _as_degrees(degrees)
    reach = as_sizes(sensitivities, "sensitivities")
    if reach.shape != (len(table),) or not np.isfinite(reach).all():
        raise TableError(
            f"sensitivities has the shape {reach.shape}; give one finite number for each of the {len(table)} "
            "tuples.",
            Where("parameter", name="sensitivities"),
        )
    least = as_not_negative(threshold, "threshold")
    weights = np.abs(table)
    weights[weights < least] = 0.0
    np.fill_diagonal(weights, 0.0)
    return CorrelatedSensitivity(reach + weights @ reach, least, as_budget(epsilon))


def pearson_degrees(joint: Any) -> Floats:
    """Return the correlations of all pairs of tuples of single numbers; 0 with one that does not vary.

    Examples
    --------
    >>> from pdp_widgets.models.sparse_joint import SparseJoint
    >>> folded = SparseJoint([[-1, 2], [0, 0], [1, 2]], [0.25, 0.5, 0.25])
    >>> pearson_degrees(folded).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    rows = as_sparse_joint(joint)
    for axis, points in enumerate(rows.points):
        if points.shape[1] != 1:
            raise DomainError(
                f"The values of {short(rows.tuples[axis])} have {points.shape[1]} coordinates; a correlation "
                "is one of single numbers.",
                Where("axis", axis=axis),
            )
    values = np.column_stack([points[rows.codes[:, j], 0] for j, points in enumerate(rows.points)])
    chances = rows.probabilities / rows.probabilities.sum()
    centred = values - chances @ values
    covariance = (chances[:, None] * centred).T @ centred
    # A mean is rounded: what does not vary would seem to, a little.
    varies = np.ptp(values[rows.probabilities > 0], axis=0) > 0
    spread = np.sqrt(np.diag(covariance)) * varies
    size = np.outer(spread, spread)
    found = np.divide(covariance, size, out=np.zeros_like(covariance), where=size > 0)
    np.fill_diagonal(found, 1.0)
    return np.asarray(found.clip(-1.0, 1.0))


def _as_degrees(degrees: Any) -> Floats:
    where = Where("parameter", name="degrees")
    refuse_masked(degrees, "degrees")
    try:
        table = plain_numbers(degrees)
    except (TypeError, ValueError, OverflowError):
        raise TableError("degrees is no table of numbers; give one row for each tuple.", where) from None
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:
        raise TableError(
            f"degrees has the shape {table.shape}; give one row and one column for each tuple.", where
        )
    wrong = ~(np.abs(table) <= 1 + _ROUNDING)
    np.fill_diagonal(wrong, False)
    if wrong.any():
        i, j = (int(k) for k in np.argwhere(wrong)[0])
        raise TableError(
            f"The degree of tuples {i} and {j} is {table[i, j]:.12g}; it must be a number from -1 to 1.",
            Where("cell", index=(i, j)),
        )
    return table
