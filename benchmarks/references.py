"""What the library is measured against."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import networkx as nx
import numpy as np

__all__ = ["axis_passes", "bare_additions", "bare_leaves", "literal_chain_rule"]

BLOCK = 1 << 14


def axis_passes(n: int) -> int:
    """Count the axis passes of the leave-one-out recursion.

    Examples
    --------
    >>> [axis_passes(n) for n in (10, 12, 15)]
    [34, 44, 59]
    """
    return 0 if n == 1 else n + axis_passes(n // 2) + axis_passes(n - n // 2)


def _time_of(calls: int, kind: str) -> float:
    block = np.random.default_rng(0).random(BLOCK) + 1.0
    first, second = block[: BLOCK // 2], block[BLOCK // 2 :]
    extremes = np.ones((2, BLOCK // 2))
    times = []
    for _ in range(9):
        start = perf_counter()
        for _ in range(calls):
            if kind == "additions":
                np.add(first, second, out=first)
            else:
                np.divide(first, second, out=first)
                np.maximum(extremes[0], first, out=extremes[0])
                np.minimum(extremes[1], first, out=extremes[1])
        times.append(perf_counter() - start)
        block[: BLOCK // 2] = 1.0
    return sorted(times)[4] / (calls * (BLOCK // 2))


def bare_additions(n: int) -> float:
    """Return the time of the additions for all adversaries at unit weights, as bare ``a += b`` in cache."""
    return (n + 1) * axis_passes(n) * 2 ** (n - 1) * _time_of(200, "additions")


def bare_leaves(n: int) -> float:
    """Return the time of one division, one maximum and one minimum for every node and output."""
    return (n + 1) * n * 2 ** (n - 1) * _time_of(100, "leaves")


def literal_chain_rule(
    table: np.ndarray, contributions: Sequence[np.ndarray], scale: float, instance: Sequence[int]
) -> tuple[nx.DiGraph, dict[tuple[int, frozenset[int]], float]]:
    """Run Algorithm 1 as printed, on a networkx graph, for binary tuples with positive probabilities.

    Every edge weight is taken from the table by slicing, when it is needed.
    """
    n = table.ndim
    graph = nx.DiGraph()
    values: dict[tuple[int, frozenset[int]], float] = {}
    for i in range(n):
        layer = {(i, frozenset(range(n)) - {i})}
        for node in layer:
            values[node] = float(np.ptp(contributions[i])) / scale
            graph.add_node(node)
        while layer:
            weaker: dict[tuple[int, frozenset[int]], float] = {}
            for _, known in layer:
                for j in known:
                    rest = known - {j}
                    where = tuple(instance[k] if k in rest else slice(None) for k in range(n))
                    unknown = [k for k in range(n) if k not in rest]
                    sliced = np.moveaxis(table[where], (unknown.index(i), unknown.index(j)), (0, 1))
                    pair = sliced.reshape(2, 2, -1).sum(axis=2)
                    g = np.log(pair @ np.exp(-contributions[j] / scale) / pair.sum(axis=1))
                    order = np.argsort(contributions[i], kind="stable")
                    gamma = float(g[order[0]] - g[order[1]])
                    graph.add_edge((i, known), (i, rest), increment=gamma)
                    offer = abs(values[i, known] + gamma)
                    weaker[i, rest] = min(offer, weaker.get((i, rest), np.inf))
            values.update(weaker)
            layer = set(weaker)
    nx.set_node_attributes(graph, values, "value")
    return graph, values
