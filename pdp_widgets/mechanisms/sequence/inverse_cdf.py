"""Drawing one symbol for each user from rows of probabilities, with one uniform number each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["drawn"]


def drawn(rows: NDArray[np.float64], uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the symbol that each uniform number falls on, shape (users,).

    Parameters
    ----------
    rows
        Probabilities of the symbols for each user, shape (users, n); proportions do.
    uniforms
        Numbers in [0, 1), shape (users,).

    Notes
    -----
    A symbol of probability 0 is never drawn: the running sum is divided by its last value, so that it is
    exactly 1 from the last possible symbol on.

    Examples
    --------
    >>> drawn(np.array([[0.5, 0.0, 0.5]] * 2), np.array([0.4999, 0.5])).tolist()
    [0, 2]
    """
    sums = np.cumsum(rows, axis=1)
    sums /= sums[:, -1:]
    # The last column is 1 and never counted.
    counted: NDArray[np.int64] = np.sum(sums[:, :-1] <= uniforms[:, None], axis=1, dtype=np.int64)
    return counted
