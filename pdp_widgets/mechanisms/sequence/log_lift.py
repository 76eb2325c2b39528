"""What one release says at most about a symbol: the largest log ratio of likelihood and output law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.errors import TableError, Where
from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST, as_beliefs
from pdp_widgets.models.given_numbers import plain_numbers, refuse_masked

__all__ = ["Lift", "lift_of", "log_lift", "log_ratio"]

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
    Numbers for one matrix, arrays for many.

    Examples
    --------
    >>> Lift(1.0, 0.5, 1.0).leakage
    1.0
    """

    leakage: Any
    upper: Any
    lower: Any


def lift_of(channel: Values, belief: Values) -> tuple[Values, Values, Values]:
    """Return leakage, upper and lower side of checked arrays, each with the shape of the leading axes."""
    output = np.matmul(belief[..., None, :], channel)[..., 0, :]
    seen = output > 0
    inside = (belief > 0)[..., :, None]
    high = np.max(np.where(inside, channel, 0.0), axis=-2)
    low = np.min(np.where(inside, channel, np.inf), axis=-2)
    up = np.where(seen, log_ratio(high, output), 0.0)
    down = np.where(seen, log_ratio(output, low), 0.0)
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
        Numbers, or arrays with the shape of the leading axes.

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
    if not bool((matrix >= 0).all()) or not bool((np.abs(matrix.sum(axis=-1) - 1) <= 1e-8).all()):
        raise TableError("The rows of the channel must be probabilities that sum to 1.", where)
    parts = lift_of(matrix, beliefs)
    if parts[0].ndim == 0:
        return Lift(*(float(part) for part in parts))
    return Lift(*parts)
