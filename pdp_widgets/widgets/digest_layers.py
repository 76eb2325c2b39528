"""The layers of a large weighted hierarchical graph in a few numbers each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.publish.layer_counts import LayerOrder

__all__ = ["BINS", "Layer", "layers_of"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Bins of the common axis.
BINS = 80
_QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True, eq=False)
class Layer:
    """The adversaries who do not know a certain number of tuples.

    Parameters
    ----------
    unknown
        That number, the attacked tuple included.
    count
        How many there are, the determined ones included.
    determined
        How many have nothing to learn; they are left out of what follows.
    counts
        How many fall into each bin of the axis.
    quartiles
        Of their leakage in nats; empty when all are determined.
    lows, highs
        Extremes by attacked tuple in nats; inf and -inf where all are determined.
    target, column
        The one who learns most; among equals the first.
    """

    unknown: int
    count: int
    determined: int
    counts: Integers
    quartiles: tuple[float, ...]
    lows: Floats
    highs: Floats
    target: int
    column: int

    def times(self, factor: float) -> Layer:
        """Return the layer of a graph in which every leakage is `factor` times what it is here."""
        quartiles = tuple(value * factor for value in self.quartiles)
        # Where all are determined the extremes are infinite, for a factor of 0 as well.
        lows = np.where(np.isfinite(self.lows), self.lows * factor if factor else 0.0, self.lows)
        highs = np.where(np.isfinite(self.highs), self.highs * factor if factor else 0.0, self.highs)
        return replace(self, quartiles=quartiles, lows=lows, highs=highs)


def layers_of(
    graph: WeightedHierarchicalGraph, domain: tuple[float, float], order: LayerOrder
) -> tuple[Layer, ...]:
    """Return the layers of a graph, the weakest adversaries first.

    Parameters
    ----------
    graph
        Leakage of every adversary.
    domain
        Ends of the common axis in nats.
    order
        Of as many tuples.
    """
    n, exact = graph.n_tuples, graph.exact
    fixed = graph.determined if graph.determined.any() else None
    low, high = domain
    counts = np.zeros((n, BINS), dtype=np.int64)
    lows, highs = np.empty((n, n)), np.empty((n, n))
    best = np.full(n, -np.inf)
    where = np.zeros((n, 2), dtype=np.int64)
    for i in range(n):
        at = order.bins(exact[i], low, BINS / (high - low), BINS)
        ordered = exact[i].take(order.columns)
        smallest = ordered
        if fixed is not None:
            at = at[~fixed[i]]
            closed = fixed[i].take(order.columns)
            smallest, ordered = np.where(closed, np.inf, ordered), np.where(closed, -np.inf, ordered)
        counts += np.bincount(at, minlength=n * BINS).reshape(n, BINS)
        lows[:, i] = np.minimum.reduceat(smallest, order.starts)
        highs[:, i] = np.maximum.reduceat(ordered, order.starts)
        for k in np.flatnonzero(highs[:, i] > best).tolist():
            best[k] = highs[k, i]
            part = ordered[order.starts[k] : order.ends[k]]
            where[k] = i, order.columns[order.starts[k] + int(np.argmax(part))]
    sizes = (n * (order.ends - order.starts)).tolist()
    return tuple(
        Layer(
            n - k,
            sizes[k],
            sizes[k] - int(counts[k].sum()),
            counts[k],
            _quartiles(exact, fixed, order.columns[order.starts[k] : order.ends[k]]),
            lows[k],
            highs[k],
            int(where[k, 0]),
            int(where[k, 1]),
        )
        for k in range(n)
    )


def _quartiles(
    exact: Floats, fixed: NDArray[np.bool_] | None, columns: NDArray[np.int32]
) -> tuple[float, ...]:
    values = exact.take(columns, axis=1).ravel()
    if fixed is not None:
        values = values[~fixed.take(columns, axis=1).ravel()]
    if not values.size:
        return ()
    return tuple(np.quantile(values, _QUARTERS, overwrite_input=True).tolist())
