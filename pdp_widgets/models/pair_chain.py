"""A chain of second order as one of first order on pairs of neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.chain_checks import check_size

__all__ = ["on_pairs", "rows_of"]

Floats = NDArray[np.float64]


def rows_of(joint: Floats) -> Floats:
    """Return the conditional laws of a joint law; rows that cannot occur are uniform.

    Examples
    --------
    >>> rows_of(np.array([[0.25, 0.75], [0.0, 0.0]])).tolist()
    [[0.25, 0.75], [0.5, 0.5]]
    """
    sums = joint.sum(axis=1, keepdims=True)
    rows = np.full(joint.shape, 1 / joint.shape[1])
    np.divide(joint, sums, out=rows, where=sums > 0)
    return rows


def on_pairs(moves: Floats) -> Floats:
    """Return transitions of second order as transitions between pairs, (i, j) at position ``i * n + j``.

    Examples
    --------
    >>> on_pairs(np.full((2, 2, 2), 0.5)).tolist()[1]
    [0.0, 0.0, 0.5, 0.5]
    """
    n = len(moves)
    check_size(n**4, "The chain of pairs")
    matrix = np.zeros((n, n, n, n))
    middle = np.arange(n)
    matrix[:, middle, middle, :] = moves
    return matrix.reshape(n * n, n * n)
