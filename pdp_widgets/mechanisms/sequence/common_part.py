"""Mixing a channel with an independent draw from its output law: how private matrices are built."""

from __future__ import annotations

from math import exp, expm1, inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.mechanisms.sequence.belief_checks import SMALLEST

__all__ = ["Values", "hold_above_zero", "is_rare", "kept", "lowest_lift", "shared", "with_common_part"]

Values = NDArray[np.float64]


def shared(epsilon: float) -> float:
    """Return exp(-epsilon), the weight of the independent draw: 0 for an infinite budget."""
    return exp(-epsilon)


def kept(epsilon: float) -> float:
    """Return 1 - exp(-epsilon), the weight of the channel, without cancellation."""
    return -expm1(-epsilon)


def is_rare(belief: Values, epsilon: float) -> NDArray[np.bool_]:
    """Tell which symbols are possible, but less likely than 1 / (1 + exp(epsilon)).

    Examples
    --------
    >>> is_rare(np.array([0.7, 0.2, 0.1, 0.0]), 1.0).tolist()
    [False, True, True, False]
    """
    weight = shared(epsilon)
    # Relative: an absolute margin would let everything pass for large budgets.
    return (belief > 0) & (belief * (1 + weight) < weight * (1 - 1e-9))


def hold_above_zero(matrix: Values, output: Values, epsilon: float) -> Values:
    """Raise entries that are too small for a float, and positive in truth, to the smallest that is not.

    Beyond a budget of about 700 nats an output would otherwise exclude symbols, and leak infinitely much.
    """
    if epsilon == inf:
        return matrix
    result: Values = np.maximum(matrix, np.minimum(output, SMALLEST)[..., None, :])
    return result


def lowest_lift(output: Values, weight: ArrayLike, epsilon: float) -> Values:
    """Return the low side of outputs that some symbol makes only by an independent draw of this weight.

    Parameters
    ----------
    output
        The output law, shape (users, n).
    weight
        How likely the draw is, a number or one for each user.
    epsilon
        The budget in nats; unless it is infinite, no entry of a matrix is zero (`hold_above_zero`).
    """
    floor = SMALLEST / output.max(axis=1) if epsilon < inf else 0.0
    with np.errstate(divide="ignore"):
        low: Values = np.broadcast_to(-np.log(np.maximum(weight, floor)), len(output))
    # The logarithm of exp(-epsilon) is a little off.
    return np.where(weight == shared(epsilon), np.where(low < 700, epsilon, low), low)


def with_common_part(output: Values, channel: Values, epsilon: float) -> Values:
    """Return the matrix that publishes a draw from the output law with probability exp(-epsilon).

    Parameters
    ----------
    output
        The output law p of the channel, shape (..., m).
    channel
        What is used otherwise, z[x, y], shape (..., n, m), with output law p.
    epsilon
        The budget in nats.

    Notes
    -----
    The result leaks at most epsilon exactly if z[x, y] <= (1 + exp(epsilon)) p[y] for all possible x.

    Examples
    --------
    >>> with_common_part(np.array([0.5, 0.5]), np.eye(2), 1.0).round(4).tolist()
    [[0.8161, 0.1839], [0.1839, 0.8161]]
    """
    mixed: Values = shared(epsilon) * output[..., None, :] + kept(epsilon) * channel
    return hold_above_zero(mixed, output, epsilon)
