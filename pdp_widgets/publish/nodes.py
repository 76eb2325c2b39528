"""What a picture of the weighted hierarchical graph is drawn from: all nodes, one of them chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.publish.formatting import leakage
from pdp_widgets.publish.labels import short_names
from pdp_widgets.publish.layer_counts import LayerOrder
from pdp_widgets.publish.palette import hexadecimal, ink_on, magnitude_domain, viridis
from pdp_widgets.publish.rounding import apart, beyond

__all__ = ["LEVELS", "Node", "Nodes"]

#: Steps of the colour scale in a picture: each used one is stated once.
LEVELS = 24


@dataclass(frozen=True)
class Node:
    """One adversary of a picture.

    Parameters
    ----------
    target
        Position of the attacked tuple.
    column
        Column in node arrays.
    known
        Positions of the known tuples.
    value
        Exact leakage in nats.
    paper
        The paper's estimate in nats, when it is shown.
    determined
        Whether the known values leave one possible label.
    differs
        Whether the paper's estimate is too low (-1), too high (1), or neither: see `publish.rounding`.
    """

    target: int
    column: int
    known: tuple[int, ...]
    value: float
    paper: float | None
    determined: bool
    differs: int = 0


@dataclass(frozen=True, eq=False)
class Nodes:
    """All adversaries of a picture, the chosen one, and what is shown of them.

    Parameters
    ----------
    names
        Names of the tuples.
    promise
        Nats.
    exact
        Node array of shape (n, 2**(n-1)), nats.
    target, known
        The chosen adversary.
    largest
        Target and column of the adversary that learns most.
    paper
        Node array of the paper's estimates, when they are shown.
    determined
        Node array of booleans, when any is true.
    increments
        Array of shape (n, 2**(n-1), n): increments of the paper's edges into a node; NaN where there is none.
    threshold
        A line to compare with, in nats.
    group_bound
        A bound for every adversary in nats, which rounding grows with; without it that of Eq. 17.
    """

    names: tuple[str, ...]
    promise: float
    exact: NDArray[np.float64]
    target: int
    known: tuple[int, ...]
    largest: tuple[int, int]
    paper: NDArray[np.float64] | None = None
    determined: NDArray[np.bool_] | None = None
    increments: NDArray[np.float64] | None = None
    threshold: float | None = None
    group_bound: float | None = None

    @property
    def n(self) -> int:
        """Number of tuples."""
        return len(self.names)

    @property
    def count(self) -> int:
        """Number of adversaries."""
        return int(self.exact.size)

    @cached_property
    def chosen(self) -> Node:
        """The chosen adversary."""
        return self.node(self.target, column(self.n, self.target, self.known))

    @cached_property
    def most(self) -> Node:
        """The adversary that learns most."""
        return self.node(*self.largest)

    @cached_property
    def domain(self) -> tuple[float, float]:
        """Ends of the colour scale in nats."""
        return magnitude_domain((float(self.exact.min()), float(self.exact.max())), self.promise)

    def node(self, target: int, at: int) -> Node:
        """Return the adversary at one place of the node arrays."""
        paper = None if self.paper is None else float(self.paper[target, at])
        determined = self.determined is not None and bool(self.determined[target, at])
        known = known_of(self.n, target, at)
        value = float(self.exact[target, at])
        differs = 0 if paper is None else int(np.sign(apart(paper, value, determined, self._bound)))
        return Node(target, at, known, value, paper, determined, differs)

    @property
    def _bound(self) -> float:
        return self.n * self.promise if self.group_bound is None else self.group_bound

    def layers(self, target: int) -> Iterator[list[Node]]:
        """Yield the layers of one lattice from the weakest adversary to the strongest."""
        by_size: list[list[Node]] = [[] for _ in range(self.n)]
        for at in range(self.exact.shape[1]):
            node = self.node(target, at)
            by_size[len(node.known)].append(node)
        for nodes in by_size:
            yield sorted(nodes, key=lambda node: node.known)

    def number(self, node: Node) -> str:
        """Return the exact value as text."""
        return leakage(node.value, self.promise)

    def level(self, value: float) -> int:
        """Return the step of the colour scale, 0 to ``LEVELS`` - 1."""
        low, high = self.domain
        steps = LEVELS * (value - low)
        share = steps / (high - low) if steps < np.inf else LEVELS * ((value - low) / (high - low))
        return min(LEVELS - 1, max(0, int(share)))

    def above(self, limit: float) -> int:
        """Count the adversaries that learn more than `limit` nats."""
        return int(np.count_nonzero(self.exact > beyond(limit)))

    def differing(self) -> tuple[int, int]:
        """Count for how many the paper's estimate is too low and too high, see `Node.differs`."""
        if self.paper is None:
            return 0, 0
        error = apart(
            self.paper, self.exact, False if self.determined is None else self.determined, self._bound
        )
        return int(np.count_nonzero(error < 0)), int(np.count_nonzero(error > 0))

    @cached_property
    def order(self) -> LayerOrder:
        """Columns of the node arrays by layer, the weakest adversaries first."""
        return LayerOrder(self.n)

    @cached_property
    def extremes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Smallest and largest value by layer and attacked tuple, two arrays (n, n), nats."""
        return self.order.lows(self.exact), self.order.highs(self.exact)

    @cached_property
    def _binned(self) -> dict[tuple[float, float, float], NDArray[np.int64]]:
        return {}

    def by_layer(self, left: float, right: float, pitch: float) -> NDArray[np.int64]:
        """Count the adversaries of each layer by column of dots, shape (n, columns).

        Parameters
        ----------
        left, right
            Where the ends of the colour scale lie, px.
        pitch
            Width of a column, px; the first one begins at 0.
        """
        asked = left, right, pitch
        if asked not in self._binned:
            low, high = self.domain
            most = int(right // pitch) + 1
            per_nat = (right - left) / (high - low) / pitch
            self._binned[asked] = self.order.counts(self.exact, low, per_nat, most, left / pitch)
        return self._binned[asked]

    @cached_property
    def short(self) -> tuple[tuple[str, ...], bool]:
        """Names that fit on a card, and whether they are positions that need a legend."""
        return short_names(self.names)


def fill(level: int) -> tuple[str, str]:
    """Return the colour of a step, on a light and on a dark background."""
    t = (level + 0.5) / LEVELS
    return hexadecimal(viridis(t, False)), hexadecimal(viridis(t, True))


def ink(level: int) -> tuple[str, str]:
    """Return the colour of text on a step, on a light and on a dark background."""
    t = (level + 0.5) / LEVELS
    return ink_on(viridis(t, False)), ink_on(viridis(t, True))
