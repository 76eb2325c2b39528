"""How the leakages of all adversaries are spread, layer by layer: one attacked tuple at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import layers

__all__ = ["LayerOrder"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class LayerOrder:
    """Columns of node arrays in order of how many tuples are known, the weakest adversaries first.

    Parameters
    ----------
    n
        Number of tuples.

    Attributes
    ----------
    known
        How many tuples are known, by column.
    columns
        Columns by that number; among equals in their own order.
    starts, ends
        Where each number 0 to n - 1 begins and ends in ``columns``.

    Examples
    --------
    >>> order = LayerOrder(3)
    >>> order.known.tolist(), order.columns.tolist(), order.starts.tolist(), order.ends.tolist()
    ([0, 1, 1, 2], [0, 1, 2, 3], [0, 1, 3], [1, 3, 4])
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.known = (n - layers(n)).astype(np.uint8)
        self.columns = np.argsort(self.known, kind="stable").astype(np.int32)
        self.starts = np.searchsorted(self.known[self.columns], np.arange(n))
        self.ends = np.append(self.starts[1:], self.known.size)

    def bins(self, row: Floats, low: float, per_nat: float, most: int, first: float = 0.0) -> Integers:
        """Return the bin of each value of one attacked tuple, counted through all layers.

        Parameters
        ----------
        row
            Leakages of one attacked tuple, nats.
        low, first
            The value `low` lies at the place `first`, in bins.
        per_nat
            Bins for each nat.
        most
            Bins of a layer; what is beyond the last lies in it.
        """
        at = np.minimum(((row - low) * per_nat + first).astype(np.int32), most - 1)
        at += self.known.astype(np.int32) * most
        return np.asarray(at)

    def counts(self, exact: Floats, low: float, per_nat: float, most: int, first: float = 0.0) -> Integers:
        """Return how many adversaries fall into each bin, shape (n, most), see `bins`.

        Examples
        --------
        >>> LayerOrder(2).counts(np.array([[1.5, 1.0], [1.2, 1.0]]), 1.0, 2.0, 2).tolist()
        [[1, 1], [2, 0]]
        """
        found = np.zeros(self.n * most, dtype=np.int64)
        for row in exact:
            found += np.bincount(self.bins(row, low, per_nat, most, first), minlength=found.size)
        return found.reshape(self.n, most)

    def highs(self, exact: Floats) -> Floats:
        """Return the largest value of each layer by attacked tuple, shape (n, targets)."""
        return np.stack([np.maximum.reduceat(row.take(self.columns), self.starts) for row in exact], axis=1)

    def lows(self, exact: Floats) -> Floats:
        """Return the smallest value of each layer by attacked tuple, shape (n, targets)."""
        return np.stack([np.minimum.reduceat(row.take(self.columns), self.starts) for row in exact], axis=1)
