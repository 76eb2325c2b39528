"""The optimum where it has a closed form: beliefs that are uniform, on one symbol or on a batch."""

from __future__ import annotations

from math import comb, exp, inf

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.mechanisms.local.parameters import as_alphabet_size, as_epsilon, as_size
from pdp_widgets.mechanisms.sequence.common_part import Values, kept, shared, with_common_part
from pdp_widgets.mechanisms.sequence.distances import batch_distance

__all__ = [
    "constant_cost",
    "uniform_batch_channel",
    "uniform_batch_cost",
    "uniform_batch_shape",
]


def constant_cost(belief: Values, distances: Values) -> float:
    """Return the mean distance of the best constant release.

    Examples
    --------
    >>> round(constant_cost(np.array([0.6, 0.4]), 1 - np.eye(2)), 12)
    0.4
    """
    return float(np.min(belief @ distances))


def uniform_batch_cost(n: int, length: int, epsilon: float) -> float:
    """Return how many symbols of a batch the optimum gets wrong on average, for a uniform independent source.

    Parameters
    ----------
    n
        Number of symbols.
    length
        Symbols in a batch.
    epsilon
        The budget of the batch in nats.

    Examples
    --------
    >>> round(uniform_batch_cost(2, 2, 2.0), 6), round(uniform_batch_cost(2, 3, 1.5), 6)
    (0.135335, 0.579245)
    """
    budget = as_epsilon(epsilon)
    size, many = as_alphabet_size(n), as_size(length, "length", 1)
    shells = _shells(size, many, budget)
    spread = sum(
        d * share * float(comb(many, d) * (size - 1) ** d) for d, share in enumerate(shells) if share > 0
    )
    return shared(budget) * many * (1 - 1 / size) + kept(budget) * spread


def _shells(n: int, length: int, epsilon: float) -> list[float]:
    """Return the probability of each pattern at every distance: as near as the cap allows."""
    patterns = n**length
    cap = inf if epsilon > 700 else (1 + exp(epsilon)) / patterns
    left, shares = 1.0, []
    for d in range(length + 1):
        size = float(comb(length, d) * (n - 1) ** d)
        share = min(cap, left / size) if size else 0.0
        shares.append(share)
        left = max(left - share * size, 0.0)
    return shares


def uniform_batch_channel(n: int, length: int, epsilon: float) -> NDArray[np.float64]:
    """Return the optimal matrix between batches of a uniform independent source.

    Examples
    --------
    >>> uniform_batch_channel(4, 1, 1.0)[0].round(4).tolist()
    [0.6796, 0.1068, 0.1068, 0.1068]
    """
    budget = as_epsilon(epsilon)
    shells = np.array(_shells(as_alphabet_size(n), as_size(length, "length", 1), budget))
    places = batch_distance("hamming", n, length).astype(np.int64)
    channel = shells[places]
    channel /= channel.sum(axis=1, keepdims=True)
    return with_common_part(np.full(len(channel), 1 / len(channel)), channel, budget)


def uniform_batch_shape(belief: Values, distances: Values) -> tuple[int, int] | None:
    """Return symbols and length of the batches, if a uniform belief and the number of changes are given.

    Examples
    --------
    >>> uniform_batch_shape(np.full(8, 1 / 8), batch_distance("hamming", 2, 3))
    (2, 3)
    >>> uniform_batch_shape(np.full(8, 1 / 8), 1 - np.eye(8))
    (8, 1)
    """
    size = len(belief)
    if size < 2 or float(np.ptp(belief)) > 1e-13:
        return None
    largest = float(distances.max())
    for length in range(1, size.bit_length()):
        n = round(size ** (1 / length))
        if n**length == size and n > 1 and largest == length:
            same = np.array_equal(distances, batch_distance("hamming", n, length))
            return (n, length) if same else None
    return None
