"""How often a stream leaks more than a threshold: exact tails of the pointwise leakage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pdp_widgets.errors import BudgetError, Where
from pdp_widgets.leakage.sequence.pointwise import PointwiseLeakages, pointwise_leakages
from pdp_widgets.leakage.sequence.release_levels import Step
from pdp_widgets.models.given_numbers import plain_number
from pdp_widgets.models.labels import shown

__all__ = ["Tail", "pointwise_tail", "tail_of"]

#: Rounding of a threshold that is a leakage itself.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Tail:
    """Probabilities that the pointwise leakage passes a threshold.

    Parameters
    ----------
    threshold
        In nats; it has to be passed, not reached.
    joint
        Either sign, data and releases drawn together.
    worst_one_sided
        The log ratio itself, for the worst data sequence of positive probability, over the releases.
    worst_two_sided
        The same for its size.
    worst_data
        The data sequence that reaches ``worst_one_sided``.

    Examples
    --------
    >>> flip = lambda belief: np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> found = pointwise_tail(([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]), flip, 2, 0.5)
    >>> round(found.worst_one_sided, 4), round(found.joint, 4)
    (0.5625, 0.625)
    """

    threshold: float
    joint: float
    worst_one_sided: float
    worst_two_sided: float
    worst_data: tuple[int, ...]


def pointwise_tail(chain: Any, mechanism: Step | Sequence[Step], steps: int, threshold: float) -> Tail:
    """Return how often a stream leaks more than a threshold, by enumeration.

    Parameters
    ----------
    chain, mechanism, steps
        As for `pointwise_leakages`.
    threshold
        In nats, 0 or more.

    Examples
    --------
    >>> from pdp_widgets import BinaryOptimum, MarkovChain, pointwise_tail
    >>> found = pointwise_tail(MarkovChain.symmetric(0.8), BinaryOptimum(0.3), 6, 1.1)
    >>> round(found.worst_one_sided, 4)
    0.0785
    """
    return tail_of(pointwise_leakages(chain, mechanism, steps), threshold)


def tail_of(found: PointwiseLeakages, threshold: float) -> Tail:
    """Return how often pointwise leakages that are known already pass a threshold.

    Raises
    ------
    BudgetError
        The threshold is negative or no number.
    """
    try:
        limit = plain_number(threshold)
    except (TypeError, ValueError, OverflowError):
        limit = np.nan
    if not limit >= 0:
        raise BudgetError(
            f"The threshold is {shown(threshold)}; it is a number of nats, 0 or more.",
            Where("parameter", name="threshold"),
        )
    passed = limit + _ROUNDING * max(1.0, limit if np.isfinite(limit) else 1.0)
    above = (found.given * (found.leakage > passed)).sum(axis=1)
    either = (found.given * (np.abs(found.leakage) > passed)).sum(axis=1)
    worst = int(above.argmax())
    return Tail(
        limit,
        float(found.data_chance @ either),
        float(above[worst]),
        float(either.max()),
        tuple(found.data[worst].tolist()),
    )
