"""What the browser shows of results: the graph, and one adversary in full."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import column, others
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.widgets.wire import flag_bytes, float_bytes, label_texts

__all__ = [
    "FULL_LATTICES",
    "MOST_CELLS_EXPLORED",
    "MOST_TUPLES",
    "chosen_edges",
    "chosen_state",
    "graph_state",
    "results_state",
]

#: Up to here all edges are drawn, and their increments travel with the graph.
FULL_LATTICES = 7
#: All leakages of this many tuples take 41 kB.
MOST_TUPLES = 10
#: Beside its cells an explorer sends the densities of one adversary: one centre and weight for each cell.
MOST_CELLS_EXPLORED = 1024


def graph_state(graph: WeightedHierarchicalGraph, show_paper: bool) -> dict[str, Any]:
    """Return a graph as the browser draws it."""
    n = graph.n_tuples
    top = graph.largest
    with_edges = show_paper and graph.increments is not None and n <= FULL_LATTICES
    # Without a bound of its own the graph has Eq. 17, which holds for every table.
    bound = n * graph.promise if graph.group_bound is None else graph.group_bound
    return {
        "names": label_texts(graph.names),
        "promise": graph.promise,
        "exact": float_bytes(graph.exact),
        "paper": float_bytes(graph.paper) if show_paper and graph.paper is not None else None,
        "determined": flag_bytes(graph.determined) if graph.determined.any() else None,
        "increments": float_bytes(graph.increments) if with_edges and graph.increments is not None else None,
        "largest": {"target": top.target, "known": top.known, "value": top.exact},
        "group_bound": bound,
    }


def chosen_state(
    analysis: PriorAnalysis, target: int, known: tuple[int, ...], show_paper: bool
) -> dict[str, Any]:
    """Return one adversary as the browser draws it: facts, densities and the edges of its node."""
    distribution = analysis.distribution
    n = distribution.n_tuples
    c = column(n, target, known)
    adversary = analysis.adversary(target, known)
    found = adversary.leakage
    mixtures = adversary.mixtures()
    attained = None
    if found.attained is not None and not found.determined:
        pair = [distribution.label_position(target, label) for label in found.attained.pair]
        attained = {"r": found.attained.r, "side": found.attained.side, "pair": pair}
    return {
        "target": target,
        "known": known,
        "instance": known_row(analysis, target, known),
        "value": float(analysis.exact[target, c]),
        "determined": found.determined,
        "paper": float(analysis.paper[target, c]) if show_paper else None,
        "group_bound": float(analysis.group_bounds[target, c]),
        "promise": analysis.promise,
        "attained": attained,
        "prior": adversary.prior.tolist(),
        "mixtures": [
            {"label": text, "centres": mixture.centres.tolist(), "weights": mixture.weights.tolist()}
            for text, mixture in zip(label_texts(mixtures), mixtures.values(), strict=True)
        ],
        "edges": chosen_edges(analysis.increments, target, known) if show_paper else [],
        "support": adversary.support,
    }


def known_row(analysis: PriorAnalysis, target: int, known: tuple[int, ...]) -> tuple[int, ...]:
    """Return the instance as positions, in the worst case with the values that one adversary knows."""
    if analysis.convention == "instance":
        return analysis.instance_positions
    distribution = analysis.distribution
    row = list(analysis.instance_positions)
    for name, label in analysis.adversary(target, known).known.items():
        axis = distribution.axis(name)
        row[axis] = distribution.label_position(axis, label)
    return tuple(row)


def chosen_edges(
    increments: NDArray[np.float64], target: int, known: tuple[int, ...]
) -> list[dict[str, Any]]:
    """Return the increments (nats) of all edges at one adversary, to stronger and to weaker ones.

    Parameters
    ----------
    increments
        Of all edges, shape (n, 2**(n-1), n), NaN where undefined.
    target, known
        The adversary.
    """
    n = len(increments)
    edges = []
    for j in others(n, target):
        weaker = tuple(k for k in known if k != j)
        value = float(increments[target, column(n, target, weaker), j])
        edges.append({"known": weaker, "removed": j, "increment": None if np.isnan(value) else value})
    return edges


def results_state(
    analysis: PriorAnalysis, target: int, known: tuple[int, ...], show_paper: bool
) -> dict[str, Any]:
    """Return all results of one analysis as the browser shows them."""
    graph = analysis.graph(with_paper=show_paper)
    top = graph.largest
    return {
        "scale": analysis.mechanism.scale,
        "convention": analysis.convention,
        "instance": analysis.instance_positions,
        "largest_instance": known_row(analysis, top.target, top.known),
        "sensitivities": analysis.mechanism.query.local_sensitivities.tolist(),
        "graph": graph_state(graph, show_paper),
        "chosen": chosen_state(analysis, target, known, show_paper),
        "above_promise": analysis.above_promise,
        "too_low": analysis.too_low if show_paper else None,
        "too_high": analysis.too_high if show_paper else None,
        "paper_largest": float(analysis.paper.max()) if show_paper else None,
    }
