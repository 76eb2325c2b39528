"""Where the tuples of a network are drawn: a line, layers, or what springs make of it."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from pdp_widgets.models.networks.bayesian_network import BayesianNetwork
from pdp_widgets.models.networks.network import Network

__all__ = ["edges_of", "network_layout"]

#: Tuples of one layer, and sweeps that put each near those it is joined to.
_WIDEST, _SWEEPS = 24, 8


def edges_of(network: Network) -> list[list[int]]:
    """Return the pairs of tuples that are joined: parent and child, or two neighbours."""
    if isinstance(network, BayesianNetwork):
        return [[p, j] for j, above in enumerate(network.parent_positions) for p in above]
    return [[j, k] for j, around in enumerate(network.graph) for k in sorted(around) if j < k]


def network_layout(network: Network) -> dict[str, Any]:
    """Return the kind of a drawing and a place for each tuple; 1 is the distance of two in a layer.

    A line has its tuples at whole numbers: who draws it breaks it where it is too long.
    """
    n = network.n_tuples
    if network.is_path:
        return {"kind": "line", "x": list(range(n)), "y": [0] * n}
    layers = _layers(network)
    if max(map(len, layers)) <= _WIDEST:
        x, y = _spread(network, layers)
        return {"kind": "layers", "x": x, "y": y}
    import networkx as nx

    graph: Any = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges_of(network))
    found = nx.spring_layout(graph, seed=1, iterations=100)
    places = np.array([found[j] for j in range(n)]) * np.sqrt(n)
    return {"kind": "free", "x": places[:, 0].round(3).tolist(), "y": places[:, 1].round(3).tolist()}


def _layers(network: Network) -> list[list[int]]:
    """Return the tuples by their level: one below the lowest parent, or the distance from a first tuple."""
    n = network.n_tuples
    level = [0] * n
    if isinstance(network, BayesianNetwork):
        left = [len(above) for above in network.parent_positions]
        below: list[list[int]] = [[] for _ in range(n)]
        for p, j in edges_of(network):
            below[p].append(j)
        ready = deque(j for j in range(n) if left[j] == 0)
        while ready:
            p = ready.popleft()
            for j in below[p]:
                level[j] = max(level[j], level[p] + 1)
                left[j] -= 1
                if left[j] == 0:
                    ready.append(j)
    else:
        for members in network.components:
            seen = {members[0]}
            ready = deque([members[0]])
            while ready:
                p = ready.popleft()
                for j in sorted(network.graph[p] - seen):
                    seen.add(j)
                    level[j] = level[p] + 1
                    ready.append(j)
    found: list[list[int]] = [[] for _ in range(max(level) + 1)]
    for j, at in enumerate(level):
        found[at].append(j)
    return found


def _spread(network: Network, layers: list[list[int]]) -> tuple[list[float], list[int]]:
    """Return places in layers: each tuple near the mean of its neighbours, at least 1 from the next."""
    x, y = np.zeros(network.n_tuples), [0] * network.n_tuples
    for at, layer in enumerate(layers):
        for k, j in enumerate(layer):
            x[j], y[j] = k - (len(layer) - 1) / 2, at
    for sweep in range(_SWEEPS):
        for layer in layers if sweep % 2 == 0 else layers[::-1]:
            wanted = {j: float(np.mean([x[k] for k in network.graph[j]] or [x[j]])) for j in layer}
            layer.sort(key=lambda j, wanted=wanted: wanted[j])  # type: ignore[misc]
            means = np.array([wanted[j] for j in layer])
            slots = np.arange(len(layer))
            # The least shift to the right that keeps them apart, and then the same from the left: the middle.
            right = np.maximum.accumulate(means - slots) + slots
            left = np.minimum.accumulate((means - slots)[::-1])[::-1] + slots
            x[layer] = (right + left) / 2
    return (x - x.min()).round(3).tolist(), y
