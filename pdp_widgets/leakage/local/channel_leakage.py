"""Leakage of a mechanism given by its matrix: Algorithm 1, over outputs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["finite_channel", "log_extremes"]

Floats = NDArray[np.float64]


def finite_channel(rows: Floats, channel: Floats) -> tuple[float, int, int, int]:
    """Return the largest log ratio over outputs, the two rows that reach it, and the output.

    Parameters
    ----------
    rows
        P(source symbol | secret value).
    channel
        P(output | source symbol); an output is a column.

    Notes
    -----
    An output that no secret value leads to is skipped. The printed loop of Algorithm 1 takes rows of the
    channel where columns are due, which is harmless for symmetric channels alone.

    Examples
    --------
    >>> channel = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.25, 0.25, 0.5]])
    >>> value, x, other, output = finite_channel(np.array([[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]]), channel)
    >>> round(value, 6), x, other, output
    (0.693147, 1, 0, 2)
    """
    if len(rows) < 2:
        return 0.0, 0, 0, 0
    # Only ratios within a column count, and products of the smallest floats would lose their digits.
    most = channel.max(axis=0)
    likelihoods = rows @ (channel / np.where(most > 0, most, 1.0))
    value = log_extremes(likelihoods)
    output = int(value.argmax())
    column = likelihoods[:, output]
    return float(value[output]), int(column.argmax()), int(column.argmin()), output


def log_extremes(likelihoods: Floats) -> Floats:
    """Return ln (largest / smallest) of every column: 0 where all are 0, infinity where only some are."""
    high, low = likelihoods.max(axis=0), likelihoods.min(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.log(high) - np.log(low)
    return np.where(high > 0, np.maximum(value, 0.0), 0.0)
