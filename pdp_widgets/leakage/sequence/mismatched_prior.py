"""An adversary whose belief is another than the one a release was made for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pdp_widgets.leakage.sequence.local_level import local_level
from pdp_widgets.mechanisms.sequence.belief_checks import as_belief
from pdp_widgets.mechanisms.sequence.log_lift import log_lift

__all__ = ["MismatchedPrior", "mismatched_prior"]


@dataclass(frozen=True)
class MismatchedPrior:
    """What one matrix leaks to the adversary it was made for, and to another one, in nats.

    Parameters
    ----------
    designed
        With the belief it was made for.
    adversary
        With the adversary's own belief. The paper says that a mismatched adversary learns less; by this
        measure it can be more.
    ceiling
        The level of local privacy on symbols that either of them thinks possible: no belief about those
        symbols leaks more.

    Examples
    --------
    >>> from pdp_widgets import mismatched_prior
    >>> found = mismatched_prior([[0.8, 0.2], [0.2, 0.8]], [0.5, 0.5], [0.9, 0.1])
    >>> found.adversary > found.designed, found.adversary <= found.ceiling
    (True, True)
    """

    designed: float
    adversary: float
    ceiling: float


def mismatched_prior(matrix: ArrayLike, designed: ArrayLike, adversary: ArrayLike) -> MismatchedPrior:
    """Return what a matrix leaks at two beliefs.

    Parameters
    ----------
    matrix
        a[x, y], the probability of output y for symbol x.
    designed
        The belief that the matrix was made for.
    adversary
        Another one.

    Examples
    --------
    >>> from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse
    >>> step = ConditionalResponse(1.0).channel([0.5, 0.5])
    >>> found = mismatched_prior(step.matrix, step.belief, [0.9, 0.1])
    >>> round(found.designed, 3), round(found.adversary, 3), round(found.ceiling, 3)
    (1.0, 1.409, 1.49)
    """
    mine, other = log_lift(matrix, designed).leakage, log_lift(matrix, adversary).leakage
    either = (as_belief(designed) > 0) | (as_belief(adversary) > 0)
    return MismatchedPrior(mine, other, local_level(np.asarray(matrix, dtype=np.float64)[either]))
