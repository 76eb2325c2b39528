"""What the library is measured against."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from time import perf_counter

import networkx as nx
import numpy as np

from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["axis_passes", "bare_additions", "bare_leaves", "every_set_at_every_step", "literal_algorithm_1"]

#: Numbers in a block: 128 KB, so that both halves stay in the cache of a core.
BLOCK = 1 << 14

Node = tuple[int, tuple[int, ...]]


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


def literal_algorithm_1(
    table: np.ndarray, contributions: Sequence[np.ndarray], scale: float, instance: Sequence[int]
) -> tuple[nx.DiGraph, float]:
    """Run Algorithm 1 of Li, Ren, Yang and Yang line by line, for binary tuples with positive probabilities.

    The weighted hierarchical graph is a networkx graph. Every edge weight (Eq. 9) is taken from the table
    when it is needed, by one numpy slice and sum: adding up rows in Python would take ten times as long. A
    layer is generated with all its repeated nodes, sorted, and each node retained with its smallest value,
    as the paper's proof of Proposition 1 has it.

    Returns
    -------
    graph, leakage
        Nodes ``(target, known tuples)`` with their ``value``, edges with their ``increment``; the largest
        value.
    """
    n = table.ndim
    everybody = tuple(range(n))
    graph = nx.DiGraph()
    # Lines 1 and 2: the first layer.
    layer: list[tuple[Node, float]] = []
    for i in everybody:
        node = i, tuple(k for k in everybody if k != i)
        layer.append((node, float(np.ptp(contributions[i])) / scale))
        graph.add_node(node, value=layer[-1][1])
    largest = [max(value for _, value in layer)]
    for _ in range(2, n + 1):
        # Lines 4 to 7: from every node, every node with one known tuple less.
        generated: list[tuple[Node, float]] = []
        for (i, known), value in layer:
            for j in known:
                weaker = i, tuple(k for k in known if k != j)
                increment = _increment(table, contributions, scale, instance, i, j, weaker[1])
                generated.append((weaker, abs(value + increment)))
                graph.add_edge((i, known), weaker, increment=increment)
        # Line 8: repeated nodes retain the smallest value. Line 9: the largest of the layer.
        generated.sort()
        layer = [next(same) for _, same in groupby(generated, key=lambda entry: entry[0])]
        for node, value in layer:
            graph.nodes[node]["value"] = value
        largest.append(max(value for _, value in layer))
    # Line 11.
    return graph, max(largest)


def _increment(
    table: np.ndarray,
    contributions: Sequence[np.ndarray],
    scale: float,
    instance: Sequence[int],
    i: int,
    j: int,
    known: tuple[int, ...],
) -> float:
    """Return the increment of the edge of target i that forgets j, by Eq. 9."""
    where = tuple(instance[k] if k in known else slice(None) for k in range(table.ndim))
    unknown = [k for k in range(table.ndim) if k not in known]
    sliced = np.moveaxis(table[where], (unknown.index(i), unknown.index(j)), (0, 1))
    pair = sliced.reshape(2, 2, -1).sum(axis=2)
    g = np.log(pair @ np.exp(-contributions[j] / scale) / pair.sum(axis=1))
    order = np.argsort(contributions[i], kind="stable")
    return float(g[order[0]] - g[order[1]])


def every_set_at_every_step(
    forward: np.ndarray, epsilon: float, steps: int, backward: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return temporal leakages from all pairs of rows, each with all its sets, at every step.

    A matrix alone is taken for a chain that starts from its stationary law.
    """
    law = MarkovChain(forward).start
    past, future = np.full(steps, epsilon), np.full(steps, epsilon)
    for t in range(1, steps):
        pairs = law[:, None] * forward
        law = pairs.sum(axis=0)
        back = (pairs[:, law > 0] / law[law > 0]).T if backward is None else backward
        past[t] = _carried(back, past[t - 1]) + epsilon
        future[steps - 1 - t] = _carried(forward, future[steps - t]) + epsilon
    return past, future


def _carried(rows: np.ndarray, alpha: float) -> float:
    best = 0.0
    for first in rows:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratios = np.where(rows > 0, first / rows, np.where(first > 0, np.inf, 0.0))
        order = np.argsort(-ratios, axis=1, kind="stable")
        more = np.minimum(np.cumsum(first[order], axis=1), 1.0)
        less = np.minimum(np.cumsum(np.take_along_axis(rows, order, axis=1), axis=1), 1.0)
        best = max(best, float((_logarithm(more, alpha) - _logarithm(less, alpha)).max()))
    return min(alpha, best)


def _logarithm(share: np.ndarray, alpha: float) -> np.ndarray:
    """Return the logarithm of share + exp(-alpha) (1 - share)."""
    if alpha < 0.5:
        return np.log1p(share * np.expm1(alpha)) - alpha
    with np.errstate(divide="ignore"):
        return np.logaddexp(np.log(share), np.log1p(-share) - alpha)
