"""Algorithm 3 as it is printed: a scan that ends beyond the budget it looks for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pdp_widgets.core.amounts import EPSILON
from pdp_widgets.errors import BudgetError, LimitError, Where
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.value import AboutSecret, Leakage
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["PrintedCalibration", "printed_calibration"]

_SOURCE = "Jayawardana, Ulukus, Ding and Thilakarathna, Algorithm 3"
_MOST_STEPS = 100_000
# Equality with the budget ends the scan, though sums are rounded.
_EQUAL = 1e-12


class PrintedCalibration(NamedTuple):
    """What the scan of Algorithm 3 ends with.

    Parameters
    ----------
    epsilon
        The budget of every attribute, in nats.
    leakage
        What the algorithm's own sum is there: more than it was to be.
    """

    epsilon: float
    leakage: Leakage


def printed_calibration(
    data: AttributeTable | JointDistribution | LocalAnalysis | ArrayLike, budget: float, step: float = 0.01
) -> PrintedCalibration:
    """Return the budget per attribute that Algorithm 3 returns, and what its own sum (Eq. 6) is there.

    Parameters
    ----------
    data
        Records, a joint distribution, an array, or an analysis of one of them.
    budget
        What the sum is compared with, in nats; positive and finite.
    step
        Of the scan.

    Returns
    -------
    calibration
        With ``epsilon`` and ``leakage``, which has the status ``"as printed"`` and lies above the budget: the
        scan starts at budget / n, ends at the first point that reaches the budget, and takes one more step.

    Raises
    ------
    BudgetError
        The budget or the step is not positive and finite.
    LimitError
        The scan would have more than 100,000 steps.

    Notes
    -----
    Use `calibrate_budget`, which returns the largest budget that is kept. Both count the records that have
    every attribute.

    Examples
    --------
    >>> copies = [[[0.5, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.5]]]
    >>> found = printed_calibration(copies, 1.0)
    >>> round(found.epsilon, 6), round(float(found.leakage), 6)
    (0.343333, 1.03)
    """
    total, width = EPSILON.take(budget, "budget"), EPSILON.take(step, "step")
    for name, value in (("budget", total), ("step", width)):
        if not 0 < value < np.inf:
            raise BudgetError(
                f"The {name} is {value:g}; a scan needs one that is positive and finite.",
                Where("parameter", name=name),
            )
    if total / width > _MOST_STEPS:
        raise LimitError(
            f"The scan would have up to {total / width:,.0f} steps (limit {_MOST_STEPS:,}); give a larger "
            "step, or use calibrate_budget.",
            Where("parameter", name="step"),
        )
    given = data if isinstance(data, LocalAnalysis) else LocalAnalysis(data, "generic", 1.0)
    analysis = given.of_complete_records().read_as("raw").released_by("generic", 1.0)
    constant = np.array([np.count_nonzero(analysis.tables.marginal(a)) < 2 for a in range(analysis.tables.n)])

    def sums(epsilon: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        # An attribute's "leakage" about itself is its own report's; the sum loses it for a constant one.
        with np.errstate(over="ignore"):
            return np.asarray(np.where(constant, 0.0, epsilon) + analysis.at(epsilon).matrix.sum(axis=0))

    start, taken = total / analysis.tables.n, 0
    while taken * width <= total and sums(start + taken * width).max() < total * (1 - _EQUAL):
        taken += 1
    epsilon = start + (taken + 1) * width
    found = sums(epsilon)
    worst = int(found.argmax())
    others = tuple(name for name in analysis.names if name != analysis.names[worst])
    about = AboutSecret(analysis.names[worst], sources=(analysis.names[worst], *others))
    leakage = Leakage(float(found[worst]), "as printed", about, "sup", source=_SOURCE)
    return PrintedCalibration(epsilon, leakage)
