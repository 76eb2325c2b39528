"""Mixtures of Laplace densities on lines of their own: one line of outputs for each group of rows.

Where known values shift the output, a grid for all of them would be long, and each line is short.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["GroupedLines"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Exponentials that are held at once; beyond, and where they would vanish, steps along the line are taken.
_MOST_PAIRS = 1 << 21
_WIDE, _NARROW = 0.5, 600.0


class GroupedLines:
    """The outputs of every group of rows in ascending order, padded to one length with the last.

    Parameters
    ----------
    groups
        Group of every row: 0, 1, ...
    outputs
        Output of every row.
    most
        Rows of the largest group.

    Examples
    --------
    >>> lines = GroupedLines(np.array([0, 0, 1]), np.array([3.0, 1.0, 7.0]), 2)
    >>> lines.at.tolist()
    [[1.0, 3.0], [7.0, 7.0]]
    """

    __slots__ = ("_column", "_row", "_rows", "at")

    def __init__(self, groups: Integers, outputs: Floats, most: int) -> None:
        order = np.lexsort((outputs, groups))
        counts = np.bincount(groups)
        starts = np.cumsum(counts) - counts
        self._rows = order
        self._row = groups[order]
        self._column = np.arange(len(order)) - starts[self._row]
        last = outputs[order][starts + counts - 1]
        self.at: Floats = np.repeat(last[:, None], most, axis=1)
        self.at[self._row, self._column] = outputs[order]

    def log_densities(self, chances: Floats, columns: Sequence[Integers], size: int, scale: float) -> Floats:
        """Return log densities at the outputs of the own group, up to a constant.

        Parameters
        ----------
        chances
            Probability of every row.
        columns
            For every tuple the positions of its values by row.
        size
            Number of values of each tuple.
        scale
            Of the noise.

        Returns
        -------
        logs
            Shape (tuples, groups, values, outputs); minus infinity for a value that is not possible.

        Examples
        --------
        >>> lines = GroupedLines(np.array([0, 0]), np.array([0.0, 1.0]), 2)
        >>> lines.log_densities(np.array([0.5, 0.5]), [np.array([0, 1])], 2, 1.0).tolist()
        [[[[0.0, -1.0], [-1.0, 0.0]]]]
        """
        groups, most = self.at.shape
        weights = np.zeros((groups, len(columns) * size, most))
        for k, codes in enumerate(columns):
            weights[self._row, k * size + codes[self._rows], self._column] = chances[self._rows]
        sums = weights.sum(axis=2, keepdims=True)
        np.divide(weights, sums, out=weights, where=sums > 0)
        reach = float((self.at[:, -1] - self.at[:, 0]).max()) / scale
        if reach < _NARROW and groups * most * most <= _MOST_PAIRS:
            steps = -np.abs(self.at[:, :, None] - self.at[:, None, :]) / scale
            with np.errstate(divide="ignore"):
                if reach < _WIDE:
                    logs = np.log1p(weights @ np.expm1(steps))
                    logs[sums[:, :, 0] == 0] = -np.inf
                else:
                    logs = np.log(weights @ np.exp(steps))
        else:
            logs = self._stepped(weights, scale)
        return np.asarray(logs.reshape(groups, len(columns), size, most).swapaxes(0, 1))

    def _stepped(self, weights: Floats, scale: float) -> Floats:
        """Let log weights spread along every line, one step after the other in both directions."""
        with np.errstate(divide="ignore"):
            left = np.moveaxis(np.log(weights), 2, 0).copy()
        right, gaps = left.copy(), np.diff(self.at, axis=1).T[:, :, None] / scale
        for k, gap in enumerate(gaps):
            np.logaddexp(left[k + 1], left[k] - gap, out=left[k + 1])
        for k in range(len(gaps) - 1, -1, -1):
            np.logaddexp(right[k], right[k + 1] - gaps[k], out=right[k])
        # The own weight is in both passes: take the right one from the next output.
        left[:-1] = np.logaddexp(left[:-1], right[1:] - gaps)
        return np.moveaxis(left, 0, 2)
