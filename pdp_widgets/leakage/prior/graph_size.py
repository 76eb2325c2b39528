"""How large a weighted hierarchical graph is."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from pdp_widgets.errors import DomainError, Where

__all__ = ["Counts", "counts"]


@dataclass(frozen=True)
class Counts:
    """Size of a weighted hierarchical graph."""

    nodes: int
    edges: int
    layer_sizes: tuple[int, ...]


def counts(n: int) -> Counts:
    """Return how many nodes and edges the graph of n tuples has, and the nodes of layers 1 to n.

    Examples
    --------
    >>> counts(3)
    Counts(nodes=12, edges=12, layer_sizes=(3, 6, 3))
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise DomainError(
            f"The number of tuples is {n!r}; it is a whole number, 1 or more.", Where("parameter", name="n")
        )
    nodes = n << (n - 1)
    edges = 0 if n == 1 else n * (n - 1) << (n - 2)
    return Counts(nodes, edges, tuple(n * comb(n - 1, layer) for layer in range(n)))
