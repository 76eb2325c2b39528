"""The release of one step: its matrix, and what it achieves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.mechanisms.sequence.log_lift import lift_of
from pdp_widgets.models.rounding_rule import NOTHING, SHARE, at_most

__all__ = ["StepChannel", "within"]


def within(leakage: Any, epsilon: Any) -> Any:
    """Tell whether a leakage keeps a budget, but for rounding; for arrays, entry by entry.

    Rounding is a share of the budget, however small that is, see `at_most`: twice the share by which a belief
    may be too small, and the leakage itself is the logarithm of a quotient of floats.

    Examples
    --------
    >>> bool(within(1.0 + 1e-13, 1.0)), bool(within(1.001, 1.0)), bool(within(1.1e-11, 1e-11))
    (True, False, False)
    """
    return leakage <= at_most(epsilon, 2 * SHARE, NOTHING)


@dataclass(frozen=True, eq=False)
class StepChannel:
    """One symbol is released: how, and what that leaks and costs.

    Parameters
    ----------
    name
        Key of the mechanism.
    epsilon
        The budget of the step in nats.
    belief
        What the adversary believed before, shape (n,).
    matrix
        Probability of each released symbol, one row for each true symbol, shape (n, n).
    output
        Probability of each released symbol, shape (n,).
    leakage, upper, lower
        What is achieved, computed from the matrix: the largest log ratio, and its two sides, in nats.
    valid
        Whether the leakage keeps the budget.
    cost
        Mean distance of the released symbol from the true one.
    regime
        Which case of the mechanism applies, if it has cases.

    Notes
    -----
    ``epsilon`` is what was asked for, ``leakage`` what is so. Arrays are read-only.

    Examples
    --------
    >>> from pdp_widgets import ConditionalResponse
    >>> step = ConditionalResponse(1.0).channel([0.95, 0.05])
    >>> round(step.leakage, 4), step.valid, round(step.cost, 4)
    (2.5657, False, 0.0349)
    """

    name: str
    epsilon: float
    belief: NDArray[np.float64]
    matrix: NDArray[np.float64]
    output: NDArray[np.float64]
    leakage: float
    upper: float
    lower: float
    valid: bool
    cost: float
    regime: str | None = None

    def __post_init__(self) -> None:
        for array in (self.belief, self.matrix, self.output):
            array.setflags(write=False)

    @classmethod
    def of(
        cls,
        name: str,
        epsilon: float,
        belief: NDArray[np.float64],
        matrix: NDArray[np.float64],
        distances: NDArray[np.float64],
        regime: str | None = None,
    ) -> StepChannel:
        """Return the channel with everything that follows from belief and matrix, which are kept."""
        leakage, upper, lower = (float(part) for part in lift_of(matrix, belief))
        cost = float(belief @ np.sum(matrix * distances, axis=1))
        valid = bool(within(leakage, epsilon))
        return cls(name, epsilon, belief, matrix, belief @ matrix, leakage, upper, lower, valid, cost, regime)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StepChannel):
            return NotImplemented
        pairs = ((getattr(self, field.name), getattr(other, field.name)) for field in fields(self))
        return all(
            np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
            for mine, theirs in pairs
        )

    def __hash__(self) -> int:
        return hash((self.name, self.epsilon, self.belief.tobytes(), self.matrix.tobytes()))

    def __reduce__(self) -> tuple[Callable[..., StepChannel], tuple[Any, ...]]:
        # Arrays that are unpickled as attributes could be written to.
        return type(self), tuple(getattr(self, field.name) for field in fields(self))
