"""Leakage of outputs that favour one symbol: randomised response, and every guess of the symbol."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.leakage.local.conditionals import Best, Conditionals
from pdp_widgets.leakage.local.two_level import two_level

__all__ = ["column_extremes", "singletons"]

Floats = NDArray[np.float64]


def column_extremes(given: Conditionals) -> tuple[Floats, Floats]:
    """Return the largest and the smallest entry of every column among the secret values that count."""
    rows = given.rows
    if given.complete:
        return rows.max(axis=0), rows.min(axis=0)
    high = rows.max(axis=0)
    low = np.where(given.column_present, rows, np.inf).min(axis=0)
    return high, np.minimum(low, high)


def singletons(given: Conditionals, log_rho: ArrayLike) -> Best:
    """Return the leakage of every source whose outputs favour one symbol each.

    Parameters
    ----------
    given
        Rows of the sources.
    log_rho
        ln rho, one for each source or one for all.

    Notes
    -----
    For one symbol the worst pair of secret values is the one with the largest against the one with the
    smallest probability of it: the columns' extremes are all that counts.

    Examples
    --------
    >>> found = singletons(Conditionals.of([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]]), 1.0)
    >>> found.value.round(6).tolist(), found.first.tolist(), found.second.tolist()
    ([0.32472], [0], [1])
    """
    levels = np.broadcast_to(np.asarray(log_rho, dtype=np.float64), given.sizes.shape)
    high, low = column_extremes(given)
    by_column = two_level(high, low, np.repeat(levels, given.sizes))
    value = np.maximum.reduceat(by_column, given.starts)
    hits = np.flatnonzero(by_column == np.repeat(value, given.sizes))
    # The first column of every source that reaches its value.
    column = hits[np.searchsorted(hits, given.starts)]
    return Best(value, given.rows[:, column].argmax(axis=0), given.divisors[:, column].argmin(axis=0))
