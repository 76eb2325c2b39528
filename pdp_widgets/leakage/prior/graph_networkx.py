"""The weighted hierarchical graph as a networkx graph, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from pdp_widgets.errors import DomainError, LimitError, TableError, Where
from pdp_widgets.leakage.adversary import column, known_of, others
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.prior.graph_size import counts
from pdp_widgets.models.labels import short

__all__ = ["from_networkx", "to_networkx"]

_WHOLE_GRAPH = 10


def to_networkx(graph: WeightedHierarchicalGraph, target: int | None) -> Any:
    """Return a ``networkx.DiGraph``, see `WeightedHierarchicalGraph.to_networkx`."""
    import networkx as nx

    n, names = graph.n_tuples, graph.names
    if target is None and n > _WHOLE_GRAPH:
        size = counts(n)
        raise LimitError(
            f"The graph of {n} tuples has {size.nodes:,} nodes and {size.edges:,} edges; as networkx objects "
            f"they would take about {size.edges * 0.6e-3:,.0f} MB. Ask for one target, to_networkx(target).",
            Where("parameter", name="target"),
        )
    made = nx.DiGraph(names=names, promise=graph.promise, group_bound=graph.group_bound)
    for i in range(n) if target is None else [target]:
        for node in graph.lattice(i):
            attributes: dict[str, Any] = {
                "target_name": names[i],
                "known_names": tuple(names[k] for k in node.known),
                "layer": node.layer,
                "exact": node.exact,
                "determined": node.determined,
            }
            if node.paper is not None:
                attributes["paper"] = node.paper
            made.add_node((i, node.known), **attributes)
        _add_edges(made, graph, i)
    return made


def _add_edges(made: Any, graph: WeightedHierarchicalGraph, target: int) -> None:
    n, names, increments = graph.n_tuples, graph.names, graph.increments
    for c in range(1 << (n - 1)):
        known = known_of(n, target, c)
        for p, j in enumerate(others(n, target)):
            if c >> p & 1:
                weaker = c ^ (1 << p)
                edge: dict[str, Any] = {"removed": j, "removed_name": names[j]}
                if increments is not None:
                    value = float(increments[target, weaker, j])
                    edge["increment"] = None if np.isnan(value) else value
                made.add_edge((target, known), (target, known_of(n, target, weaker)), **edge)


def from_networkx(graph: Any) -> WeightedHierarchicalGraph:
    """Return the graph behind a whole networkx graph, see `WeightedHierarchicalGraph.from_networkx`."""
    for key in ("names", "promise"):
        if key not in graph.graph:
            raise DomainError(
                f"The graph has no attribute {key!r}; it must carry names and promise.",
                Where("parameter", name=key),
            )
    where = Where("parameter", name="graph")
    names = tuple(graph.graph["names"])
    n = len(names)
    if not 1 <= n <= _WHOLE_GRAPH:
        raise LimitError(f"The graph is of {n} tuples; from 1 to {_WHOLE_GRAPH} are read.", where)
    exact = np.empty((n, 1 << (n - 1)))
    determined = np.zeros(exact.shape, dtype=bool)
    paper = np.empty(exact.shape)
    increments = np.full((*exact.shape, n), np.nan)
    with_paper = any("paper" in data for _, data in graph.nodes(data=True))
    with_edges = any("increment" in data for _, _, data in graph.edges(data=True))
    for i in range(n):
        for c in range(exact.shape[1]):
            known = known_of(n, i, c)
            text = (
                f"attacking {short(names[i])}, knowing {', '.join(short(names[k]) for k in known) or 'none'}"
            )
            if (i, known) not in graph.nodes:
                raise TableError(f"The node {text} is missing.", where)
            data = graph.nodes[(i, known)]
            for key in ("exact", "paper") if with_paper else ("exact",):
                if key not in data:
                    raise TableError(f"The node {text} has no value {key!r}.", where)
            exact[i, c] = data["exact"]
            determined[i, c] = data.get("determined", False)
            if with_paper:
                paper[i, c] = data["paper"]
            for j in known:
                weaker = (i, tuple(k for k in known if k != j))
                if not graph.has_edge((i, known), weaker):
                    raise TableError(
                        f"The edge from the node {text} that forgets {short(names[j])} is missing.", where
                    )
                value = graph.edges[(i, known), weaker].get("increment")
                if value is not None:
                    increments[i, column(n, i, weaker[1]), j] = value
    return WeightedHierarchicalGraph(
        names,
        exact,
        graph.graph["promise"],
        determined,
        paper if with_paper else None,
        increments if with_edges else None,
        graph.graph.get("group_bound"),
    )
