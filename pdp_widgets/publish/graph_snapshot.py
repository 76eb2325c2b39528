"""The static picture of a weighted hierarchical graph."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.publish import wording
from pdp_widgets.publish.formatting import count, leakage
from pdp_widgets.publish.graph_picture import graph_panel, graph_tables
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.scene import Page, computed_on
from pdp_widgets.publish.snapshot import Snapshot, table

__all__ = ["graph_snapshot"]

_ROOM = 720.0
_INCREMENTS_SHOWN = 5


def graph_snapshot(
    graph: WeightedHierarchicalGraph,
    target: str | int | None = None,
    known: Iterable[str | int] | None = None,
    *,
    show_paper: bool = False,
    threshold: float | None = None,
    day: date | None = None,
) -> Snapshot:
    """Return the static picture of a graph with one adversary chosen.

    Parameters
    ----------
    graph
        Leakage of every adversary.
    target, known
        The chosen adversary, by name or position. Without a target the one that learns most.
    show_paper
        Whether the paper's estimate is shown, where the graph has it.
    threshold
        A line in nats to compare with.
    day
        Date of computation; without it today.

    Raises
    ------
    AdversaryError
        The target or a known tuple does not exist, or the target is among the known.

    Examples
    --------
    >>> graph = WeightedHierarchicalGraph(["A", "B"], [[1.185, 1.0], [1.185, 1.0]], promise=1.0)
    >>> graph_snapshot(graph).text
    'Exact leakage of 4 adversaries, 2 above the promise of 1.000 nats. Largest: 1.185 (A, knowing nothing).'
    """
    most = graph.largest
    chosen = most if target is None else graph.node(target, known or ())
    n = graph.n_tuples
    paper = graph.paper if show_paper else None
    nodes = Nodes(
        names=graph.names,
        promise=graph.promise,
        exact=graph.exact,
        target=chosen.target,
        known=chosen.known,
        largest=(most.target, column(n, most.target, most.known)),
        paper=paper,
        determined=graph.determined if graph.determined.any() else None,
        increments=graph.increments if paper is not None and n <= _INCREMENTS_SHOWN else None,
        threshold=threshold,
        group_bound=graph.group_bound,
    )
    values = ("",) * n
    largest = wording.short_case(wording.Case(graph.names, values, most.target, most.known, most.exact))
    above = nodes.above(graph.promise)
    text = (
        f"Exact leakage of {count(nodes.count, 'adversary', 'adversaries')}, {above:,} above the promise of "
        f"{leakage(graph.promise)} nats. Largest: {nodes.number(nodes.most)} ({largest})."
    )
    foot = computed_on(day)
    page = Page(_ROOM)
    page.header("Weighted hierarchical graph", "")
    page.lines(text, _ROOM, most=3, size=14)
    page.y += 14
    piece = page.piece()
    tall = graph_panel(piece, nodes, _ROOM)
    page.svg.put(piece, 0, page.y)
    page.y += tall + 6
    page.lines(foot, _ROOM)
    rows = [["Promise", leakage(graph.promise), "per tuple"], ["Largest", nodes.number(nodes.most), largest]]
    summary = table("Leakage, nats", ["what", "nats", "where"], rows)
    return Snapshot(
        page.finish("Weighted hierarchical graph"), text, foot, summary, graph_tables(nodes, values)
    )
