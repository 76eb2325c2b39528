"""The panel "What leaks": the exact leakage of every adversary."""

from __future__ import annotations

from pdp_widgets.publish.formatting import change, leakage
from pdp_widgets.publish.labels import fit, wrap
from pdp_widgets.publish.lattice_picture import enlarged, side_by_side
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.snapshot import table
from pdp_widgets.publish.strip_picture import key_strip, largest_rows, strips
from pdp_widgets.publish.svg import Svg

__all__ = ["graph_caption", "graph_panel", "graph_tables", "panel"]

_FULL_TABLE = 80


def panel(svg: Svg, w: float, title: str, note: str = "", right: str = "") -> float:
    """Draw the rule and heading of a panel and return where its content begins."""
    svg.line(0, 0.5, w, 0.5, stroke="line2")
    svg.spans(0, 20, [(title, {"weight": 600}), (f"  {note}" if note else "", {"fill": "ink2"})], size=13)
    if right:
        svg.text(w, 20, right, anchor="end", fill="ink2")
    return 34


def graph_panel(svg: Svg, nodes: Nodes, w: float, called: str = "tuples") -> float:
    """Draw the graph, its caption and its key strip; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    nodes
        The adversaries.
    w
        Room in px.
    called
        What the tuples are called, more than one of them.
    """
    top = panel(svg, w, "What leaks", "exact, nats, for every adversary")
    piece = Svg(svg.sheet)
    draw = side_by_side if nodes.n <= 3 else enlarged if nodes.n <= 7 else strips
    height = draw(piece, nodes, w)
    svg.put(piece, 0, top)
    y = top + height
    for line in graph_caption(nodes, w, called=called):
        y += 17
        svg.text(0, y, line, fill="ink2")
    piece = Svg(svg.sheet)
    tall = key_strip(piece, nodes, w)
    svg.put(piece, 0, y + 12)
    return y + 12 + tall


def graph_caption(
    nodes: Nodes, w: float, longest: float = 84, most: int = 4, called: str = "tuples"
) -> list[str]:
    """Return what the cards show in lines; names are no wider than `longest` px."""
    sentences = []
    _, positions = nodes.short
    if 3 < nodes.n <= 7:
        sentences.append(f"First line of a card: known {called}.")
    if positions and 1 < nodes.n <= 7:
        sentences.append(", ".join(f"{j + 1} {fit(nodes.names[j], longest)}" for j in range(nodes.n)) + ".")
    if nodes.paper is not None and nodes.n <= 7:
        sentences.append(
            "Last number: the paper’s estimate where it differs; badge down: too low, up: too high."
        )
    if nodes.n <= 3 and nodes.increments is not None:
        sentences.append("On edges: its increments.")
    return wrap(" ".join(sentences), w, 12, most=most)


def graph_tables(nodes: Nodes, values: tuple[str, ...]) -> str:
    """Return the numbers of the graph as HTML tables.

    All adversaries up to five tuples, beyond that the extremes of every layer.

    Parameters
    ----------
    nodes
        The adversaries.
    values
        Text of the actual value of every tuple.
    """
    if nodes.count > _FULL_TABLE:
        head = ["unknown tuples", "adversaries", "smallest, nats", "largest, nats", "largest for"]
        return table("Exact leakage by layer", head, largest_rows(nodes, values))
    head = ["attacked", "known", "exact, nats"] + (
        ["paper’s estimate, nats"] if nodes.paper is not None else []
    )
    rows = []
    for i in range(nodes.n):
        for row in nodes.layers(i):
            for node in row:
                known = ", ".join(f"{fit(nodes.names[j], 160)} {fit(values[j], 160)}" for j in node.known)
                shown = "0, determined" if node.determined else nodes.number(node)
                cells = [fit(nodes.names[i], 160), known or "none", shown]
                if node.paper is not None:
                    words = {-1: " too low", 0: "", 1: " too high"}[node.differs]
                    cells.append(leakage(node.paper, nodes.promise) + words)
                rows.append(cells)
    found = table("Exact leakage of every adversary", head, rows)
    if nodes.increments is None:
        return found
    edges = []
    for i in range(nodes.n):
        for row in nodes.layers(i):
            for node in row:
                for j in node.known:
                    weaker = node.column & ~(1 << (j - (j > i)))
                    value = float(nodes.increments[i, weaker, j])
                    if value == value and nodes.chosen in (node, nodes.node(i, weaker)):
                        left = ", ".join(fit(nodes.names[k], 160) for k in node.known if k != j)
                        edges.append(
                            [f"without {fit(nodes.names[j], 160)}", left or "nothing", change(value)]
                        )
    head = ["edge of the chosen adversary", "still known", "the paper’s increment, nats"]
    return found + (table("Increments", head, edges) if edges else "")
