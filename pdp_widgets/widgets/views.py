"""What the browser shows of results: the graph, and one adversary in full."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import column, known_of, others
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.leakage.prior.group_bound import group_bound
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.models.amount import at_most
from pdp_widgets.widgets.graph_digest import GraphDigest, bound_of, digest_state, measure_state, paper_error
from pdp_widgets.widgets.graph_search import Search
from pdp_widgets.widgets.histogram_results import Analysis, histogram_chosen_state
from pdp_widgets.widgets.wire import flag_bytes, float_bytes, label_texts

#: Up to so many tuples the edges of the chosen adversary travel with every view.
MOST_LINKED = 10


def edge_state(analysis: PriorAnalysis, target: int, known: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return IC, IR and correlation of all edges at one adversary; none beyond `MOST_LINKED` tuples."""
    n = analysis.distribution.n_tuples
    if n > MOST_LINKED:
        return []
    edges = []
    for j in others(n, target):
        weaker = tuple(k for k in known if k != j)
        weight = analysis.edge(target, j, weaker)
        edges.append(
            {
                "known": weaker,
                "removed": j,
                "ic": weight.ic_range,
                "ir": weight.ir_range,
                "rho": weight.rho,
            }
        )
    return edges


#: Components of all densities together on the wire: about 45 kB.
MOST_COMPONENTS = 1024

Floats = NDArray[np.float64]


def drawn_mixtures(adversary: PriorAdversary) -> dict[str, Any]:
    """Return the densities of one adversary, one Laplace mixture for each label that can occur."""
    # Equal centres are one component, which changes nothing. Where more than `MOST_COMPONENTS` remain, the
    # centres between the outermost ones are grouped: curves drawn from groups are close, not exact, and
    # ``grouped`` says so.
    made = adversary.mixtures()
    parts = [(mixture.centres, mixture.weights) for mixture in made.values()]
    total = sum(centres.size for centres, _ in parts)
    grouped = None
    if total > MOST_COMPONENTS:
        low = min(centres[0] for centres, _ in parts)
        high = max(centres[-1] for centres, _ in parts)
        # The outermost centres of every label stay what they are: beyond them log ratios are constant.
        edges = np.linspace(low, high, max(1, MOST_COMPONENTS // len(parts) - 2) + 1)
        parts = [_grouped(centres, weights, edges) for centres, weights in parts]
        grouped = {"of": total, "drawn": sum(centres.size for centres, _ in parts)}
    return {
        "mixtures": [
            {"label": text, "centres": centres.tolist(), "weights": weights.tolist()}
            for text, (centres, weights) in zip(label_texts(made), parts, strict=True)
        ],
        "grouped": grouped,
    }


def _grouped(centres: Floats, weights: Floats, edges: Floats) -> tuple[Floats, Floats]:
    """Join the inner centres between two edges at their mean; the first and the last one stay alone."""
    if centres.size < 4:
        return centres, weights
    inner = slice(1, -1)
    bins = np.clip(np.searchsorted(edges, centres[inner], side="right") - 1, 0, edges.size - 2)
    mass = np.bincount(bins, weights[inner], edges.size - 1)
    sums = np.bincount(bins, weights[inner] * centres[inner], edges.size - 1)
    full = mass > 0
    return (
        np.concatenate((centres[:1], sums[full] / mass[full], centres[-1:])),
        np.concatenate((weights[:1], mass[full], weights[-1:])),
    )


#: Up to here all edges are drawn, and their increments travel with the graph.
FULL_LATTICES = 7
#: Up to here all leakages travel with the graph: 41 kB. Beyond, Python answers what is asked of it.
MOST_TUPLES = 10
#: Up to here Python answers within a second.
MOST_SHOWN = 20
#: Up to here an explorer sends all cells of its table: 17 kB with locks and what was loaded.
MOST_CELLS_EXPLORED = 1024


def graph_state(graph: WeightedHierarchicalGraph, show_paper: bool) -> dict[str, Any]:
    """Return a graph as the browser draws it."""
    n = graph.n_tuples
    top = graph.largest
    with_edges = show_paper and graph.increments is not None and n <= FULL_LATTICES
    return {
        "names": label_texts(graph.names),
        "promise": graph.promise,
        "exact": float_bytes(graph.exact),
        "paper": float_bytes(graph.paper) if show_paper and graph.paper is not None else None,
        "determined": flag_bytes(graph.determined) if graph.determined.any() else None,
        "increments": float_bytes(graph.increments) if with_edges and graph.increments is not None else None,
        "largest": {"target": top.target, "known": top.known, "value": top.exact},
        "group_bound": bound_of(graph),
        **measure_state(graph),
    }


class GraphView:
    """A graph as a browser shows it: all its values, or beyond `MOST_TUPLES` what is asked about it."""

    def __init__(self, graph: WeightedHierarchicalGraph) -> None:
        self.graph = graph

    @cached_property
    def apart(self) -> tuple[int, int] | None:
        """How often the paper's estimate is too low and too high, rounding aside; None without it."""
        if self.digest is not None or self.graph.paper is None:
            return None if self.digest is None else self.digest.apart
        error = paper_error(self.graph)
        return int(np.count_nonzero(error < 0)), int(np.count_nonzero(error > 0))

    @cached_property
    def paper_largest(self) -> float | None:
        """The largest of the paper's estimates, in nats; None without them."""
        return None if self.graph.paper is None else float(self.graph.paper.max())

    @cached_property
    def above_promise(self) -> int:
        """How many adversaries learn more than the promise, rounding aside."""
        if self.digest is not None:
            return self.digest.above(self.graph.promise)
        return int(np.count_nonzero(self.graph.exact > at_most(self.graph.promise)))

    @cached_property
    def digest(self) -> GraphDigest | None:
        """What answers questions about a graph whose values are too many to send, else None."""
        return None if self.graph.n_tuples <= MOST_TUPLES else GraphDigest(self.graph)

    @cached_property
    def largest(self) -> tuple[int, tuple[int, ...]]:
        """Target and known tuples of the adversary who learns most."""
        if self.digest is None:
            top = self.graph.largest
            return top.target, top.known
        target, c = self.digest.largest
        return target, known_of(self.graph.n_tuples, target, c)

    def times(self, factor: float, graph: WeightedHierarchicalGraph) -> GraphView:
        """Return the view of a graph in which every leakage is `factor` times what it is here."""
        made = GraphView(graph)
        if self.digest is not None:
            made.digest = self.digest.times(factor, graph)
        return made

    def state(
        self,
        target: int,
        known: tuple[int, ...],
        search: Search,
        threshold: float | None,
        *,
        show_paper: bool = False,
    ) -> dict[str, Any]:
        """Return ``graph`` and ``digest``, one of which is None."""
        if self.digest is None:
            return {"graph": graph_state(self.graph, show_paper), "digest": None}
        return {"graph": None, "digest": digest_state(self.digest, target, known, search, threshold)}


def chosen_state(analysis: Analysis, target: int, known: tuple[int, ...], show_paper: bool) -> dict[str, Any]:
    """Return one adversary as the browser draws it: facts, densities and the edges of its node."""
    if isinstance(analysis, HistogramAnalysis):
        return histogram_chosen_state(analysis, target, known)
    distribution = analysis.distribution
    n = distribution.n_tuples
    c = column(n, target, known)
    adversary = analysis.adversary(target, known)
    found = adversary.leakage
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
        "group_bound": group_bound(analysis.mechanism, target, known).value,
        "promise": analysis.promise,
        "attained": attained,
        "prior": adversary.prior.tolist(),
        **drawn_mixtures(adversary),
        "edges": chosen_edges(analysis.increments, target, known) if show_paper else [],
        "links": edge_state(analysis, target, known),
        "support": adversary.support,
    }


def known_row(analysis: Analysis, target: int, known: tuple[int, ...]) -> tuple[int, ...]:
    """Return the instance as positions, in the worst case with the values that one adversary knows."""
    if analysis.convention == "instance":
        return analysis.instance_positions
    row = list(analysis.instance_positions)
    for k, position in analysis.known_positions(target, known).items():
        row[k] = position
    return tuple(row)


def chosen_edges(
    increments: NDArray[np.float64], target: int, known: tuple[int, ...]
) -> list[dict[str, Any]]:
    """Return the increments (nats) of all edges at one adversary, to stronger and to weaker ones."""
    n = len(increments)
    edges = []
    for j in others(n, target):
        weaker = tuple(k for k in known if k != j)
        value = float(increments[target, column(n, target, weaker), j])
        edges.append({"known": weaker, "removed": j, "increment": None if np.isnan(value) else value})
    return edges


def results_state(
    analysis: Analysis,
    view: GraphView,
    coloured: GraphView,
    chosen: dict[str, Any],
    target: int,
    known: tuple[int, ...],
    search: Search,
    threshold: float | None,
    *,
    show_paper: bool,
) -> dict[str, Any]:
    """Return all results of one analysis as the browser shows them."""
    most, knowing = view.largest
    value = float(view.graph.exact[most, column(view.graph.n_tuples, most, knowing)])
    low, high = (view.apart if show_paper else None) or (None, None)
    return {
        "scale": analysis.mechanism.scale,
        "convention": analysis.convention,
        "instance": analysis.instance_positions,
        "promise": analysis.promise,
        "largest": {"target": most, "known": knowing, "value": value},
        "largest_instance": known_row(analysis, most, knowing),
        "group_bound": bound_of(view.graph),
        **coloured.state(target, known, search, threshold, show_paper=show_paper),
        "chosen": chosen,
        "above_promise": view.above_promise,
        "too_low": low,
        "too_high": high,
        "paper_largest": view.paper_largest if show_paper else None,
    }
