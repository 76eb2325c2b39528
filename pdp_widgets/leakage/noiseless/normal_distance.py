"""How far a standardised sum is from the normal law: exact, by Berry and Esseen, and as printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pdp_widgets.leakage.noiseless.record_sum import as_record_sum
from pdp_widgets.leakage.noiseless.slack import PAPER
from pdp_widgets.mechanisms.anonymity.parameters import as_number

__all__ = ["BERRY_ESSEEN", "NormalDistance", "normal_distance"]

#: Constant of the theorem of Berry and Esseen for summands that need not be alike.
BERRY_ESSEEN = 0.5591


@dataclass(frozen=True)
class NormalDistance:
    """Distances of distribution functions: of a centred, standardised sum and of the normal law.

    Parameters
    ----------
    exact
        The largest difference, a probability; None for a sum that is certain.
    bound
        The bound of Berry and Esseen; None likewise.
    printed
        The right side of Lemma 3 as printed, which depends on units; None likewise.
    source
        Paper and lemma.

    Examples
    --------
    >>> found = normal_distance([({-1: 0.5, 1: 0.5}, 100)], 0.1)
    >>> round(found.exact, 6), round(found.bound, 6), found.printed_holds
    (0.039795, 0.05591, False)
    """

    exact: float | None
    bound: float | None
    printed: float | None
    source: str = f"{PAPER}, Lemma 3"

    @property
    def printed_holds(self) -> bool | None:
        """Whether the printed number is not below the exact one; None where there is none."""
        return None if self.exact is None or self.printed is None else self.printed >= self.exact


def normal_distance(records: Any, scale: float = 1.0) -> NormalDistance:
    """Return how far the sum of records is from the normal law.

    Parameters
    ----------
    records
        A RecordSum, or pairs of a law and a number of records.
    scale
        A unit by which all values are multiplied; it should not matter.

    Raises
    ------
    DomainError, LimitError
        The law of the sum cannot be computed.

    Notes
    -----
    The bound is 0.5591 times the sum of absolute third central moments over the cubed standard deviation.
    Printed is the sum of their squares over the variance.

    Examples
    --------
    >>> normal_distance([({3: 1.0}, 10)]).bound is None
    True
    """
    from scipy.special import ndtr

    found, unit = as_record_sum(records), abs(as_number(scale, "scale"))
    ratio, spread = found.ratio, found.variance**0.5
    if ratio is None or unit == 0:
        return NormalDistance(None, None, None)
    law = found.law
    below = np.cumsum(law.probabilities)
    normal = ndtr((law.values - found.mean) / spread)
    ends = np.abs(below - normal).max(), np.abs(below - law.probabilities - normal).max()
    squares = sum(count * law.absolute_third**2 for law, count in found.records)
    printed = BERRY_ESSEEN * squares * (unit * unit) * (unit * unit) / spread**2
    return NormalDistance(float(max(ends)), BERRY_ESSEEN * ratio, printed)
