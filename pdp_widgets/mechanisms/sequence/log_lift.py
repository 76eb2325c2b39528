"""Lifts in logarithms, and channels mixed with an independent draw: how private matrices are built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, expm1, inf, log, log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.converters import plain_numbers, refuse_masked
from pdp_widgets.errors import TableError, Where
from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST, as_beliefs
from pdp_widgets.models.amount import Amount, Status

__all__ = [
    "LOCAL_LEVEL",
    "ONE_STEP",
    "Lift",
    "Values",
    "hold_above_zero",
    "is_rare",
    "kept",
    "lift_of",
    "log_edge",
    "log_kept",
    "log_lift",
    "log_ratio",
    "log_sum",
    "logs_of",
    "shared",
    "with_common_part",
]

#: Whose definitions they are: what one step leaks, and its level of local privacy.
ONE_STEP = "Jiang, Li and Tandon, Definition 1, for one step"
LOCAL_LEVEL = "local differential privacy: the largest log ratio of a column"

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Lift:
    """The largest |ln(a[x, y] / p[y])|, and its two sides.

    Parameters
    ----------
    leakage
        The larger of the two sides, in nats.
    upper
        The largest ln(a[x, y] / p[y]): how much likelier an output makes a symbol.
    lower
        The largest ln(p[y] / a[x, y]): how much less likely; infinite where an output excludes a symbol.

    Notes
    -----
    Amounts for one matrix, arrays for many; all are exact, and ``unit``, ``status`` and ``source`` say so.

    Examples
    --------
    >>> Lift(1.0, 0.5, 1.0).leakage
    1.0
    """

    leakage: Any
    upper: Any
    lower: Any

    @property
    def unit(self) -> str:
        """What the numbers are in."""
        return "nats"

    @property
    def status(self) -> Status:
        """How far they can be trusted."""
        return "exact"

    @property
    def source(self) -> str:
        """Paper and definition."""
        return ONE_STEP


def lift_of(
    channel: Values, belief: Values, logs: Callable[[], Values] | None = None
) -> tuple[Values, Values, Values]:
    """Return leakage, upper and lower side of checked arrays, each with the shape of the leading axes."""
    output = np.matmul(belief[..., None, :], channel)[..., 0, :]
    seen = output > 0
    inside = (belief > 0)[..., :, None]
    high = np.max(np.where(inside, channel, 0.0), axis=-2)
    low = np.min(np.where(inside, channel, np.inf), axis=-2)
    up = np.where(seen, log_ratio(high, output), 0.0)
    down = np.where(seen, log_ratio(output, low), 0.0)
    # Asked for only where entries of the channel are too small for a float.
    if logs is not None and (small := seen & (low <= SMALLEST)).any():
        exact = np.where(inside, logs(), np.nan)
        law = log_sum(logs_of(belief)[..., :, None] + np.where(inside, exact, -np.inf), (-2,))
        with np.errstate(invalid="ignore"):
            up = np.where(small, np.fmax.reduce(exact, axis=-2) - law, up)
            down = np.where(small, law - np.fmin.reduce(exact, axis=-2), down)
        # Outputs that are impossible in truth say nothing.
        up, down = (np.where(small & ~(law > -np.inf), 0.0, side) for side in (up, down))
    # Rounding can leave either side of a constant row just below zero.
    upper = np.maximum(up.max(axis=-1), 0.0)
    lower = np.maximum(down.max(axis=-1), 0.0)
    return np.maximum(upper, lower), upper, lower


def log_ratio(above: Values, below: Values) -> Values:
    """Return ln(above / below); nan where both are 0, inf where ``below`` is."""
    with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
        ratio = above / below
        # A quotient keeps more digits than a difference of logarithms, but may be no float.
        apart = np.log(above) - np.log(below)
        found: Values = np.where((ratio > SMALLEST) & (ratio < np.inf), np.log(ratio), apart)
    return found


def logs_of(numbers: Values) -> Values:
    """Return natural logarithms, minus infinity for 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(numbers))


def log_sum(logs: Values, axes: tuple[int, ...]) -> Values:
    """Return log of sum of exp along axes; minus infinity where everything is."""
    most = logs.max(axis=axes, keepdims=True)
    # What is impossible throughout stays so: minus infinity less itself would be no number.
    base = np.where(np.isfinite(most), most, 0.0)
    sums = logs_of(np.exp(logs - base).sum(axis=axes, keepdims=True)) + base
    return np.asarray(sums.squeeze(axis=axes))


def log_lift(channel: Any, belief: Any) -> Lift:
    """Return the leakage of a matrix at a belief.

    Parameters
    ----------
    channel
        a[x, y], the probability of output y for symbol x, shape (..., n, m).
    belief
        What the adversary believes about the symbol, shape (..., n).

    Returns
    -------
    Lift
        Amounts, or arrays with the shape of the leading axes.

    Raises
    ------
    TableError
        Rows or beliefs are no probabilities, or do not fit each other.

    Notes
    -----
    Symbols of belief 0 and outputs of probability 0 are skipped. An output that is possible, but not for some
    symbol of positive belief, excludes that symbol: the lower side is infinite, the upper side is not.

    Examples
    --------
    >>> lift = log_lift([[0.8, 0.2], [0.2, 0.8]], [0.5, 0.5])
    >>> round(lift.leakage, 4), round(lift.upper, 4)
    (0.9163, 0.47)
    >>> log_lift([[1.0, 0.0], [0.3, 0.7]], [0.5, 0.5]).lower
    inf
    """
    where = Where("parameter", name="channel")
    refuse_masked(channel, "channel")
    try:
        matrix = plain_numbers(channel)
    except (TypeError, ValueError, OverflowError):
        raise TableError("The channel is no matrix of numbers; give a row for each symbol.", where) from None
    beliefs = as_beliefs(belief)
    if matrix.ndim < 2 or matrix.shape[-2] != beliefs.shape[-1]:
        raise TableError(
            f"The channel has the shape {matrix.shape} and the belief {beliefs.shape[-1]} symbols; "
            "the matrix needs one row for each symbol.",
            where,
        )
    try:
        np.broadcast_shapes(matrix.shape[:-2], beliefs.shape[:-1])
    except ValueError:
        raise TableError(
            f"The leading axes of the channel, {matrix.shape[:-2]}, and of the belief, "
            f"{beliefs.shape[:-1]}, do not fit; give one matrix for each belief, or one for all.",
            where,
        ) from None
    if not bool(((matrix >= 0) & (matrix <= 2)).all()) or not bool(
        (np.abs(matrix.sum(axis=-1) - 1) <= 1e-8).all()
    ):
        raise TableError("The rows of the channel must be probabilities that sum to 1.", where)
    parts = lift_of(matrix, beliefs)
    if parts[0].ndim == 0:
        return Lift(*(Amount(float(part), "nats", "exact", ONE_STEP) for part in parts))
    return Lift(*parts)


def shared(epsilon: float) -> float:
    """Return exp(-epsilon), the weight of the independent draw: 0 for an infinite budget."""
    return exp(-epsilon)


def kept(epsilon: float) -> float:
    """Return 1 - exp(-epsilon), the weight of the channel, without cancellation."""
    return -expm1(-epsilon)


def is_rare(belief: Values, epsilon: float) -> NDArray[np.bool_]:
    """Tell which symbols are possible, but less likely than 1 / (1 + exp(epsilon))."""
    weight = shared(epsilon)
    # Relative: an absolute margin would let everything pass for large budgets.
    return (belief > 0) & (belief * (1 + weight) < weight * (1 - 1e-9))


def hold_above_zero(matrix: Values, output: Values, epsilon: float) -> Values:
    """Raise entries that are too small for a float, and positive in truth, to the smallest that is not."""
    # Beyond a budget of about 700 nats a release would otherwise have no belief after it. What is leaked is
    # computed from logarithms.
    if epsilon == inf:
        return matrix
    result: Values = np.maximum(matrix, np.minimum(output, SMALLEST)[..., None, :])
    return result


def log_kept(epsilon: float) -> float:
    """Return the logarithm of 1 - exp(-epsilon), the weight of the channel."""
    return log(kept(epsilon)) if epsilon > 0 else -inf


def log_edge(epsilon: float) -> float:
    """Return the logarithm of 1 / (1 + exp(epsilon)), the least belief of a symbol that is not rare."""
    return -epsilon - log1p(shared(epsilon))


def with_common_part(output: Values, channel: Values, epsilon: float) -> Values:
    """Return the matrix that publishes a draw from the output law with probability exp(-epsilon)."""
    # It leaks at most epsilon exactly if z[x, y] <= (1 + exp(epsilon)) p[y] for all possible x, where z is
    # the channel, shape (..., n, m), and p its output law, shape (..., m).
    mixed: Values = shared(epsilon) * output[..., None, :] + kept(epsilon) * channel
    return hold_above_zero(mixed, output, epsilon)
