"""The weighted hierarchical graph in a column or across a page, its cards sized to the room."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import comb

import numpy as np

from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.graph import WeightedHierarchicalGraph
from pdp_widgets.publish import graph_picture
from pdp_widgets.publish import lattice_picture as lattice
from pdp_widgets.publish.figure_strips import strips_figure
from pdp_widgets.publish.formatting import leakage
from pdp_widgets.publish.labels import fit, width, wrap
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.strip_picture import key_strip
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.wording import Case, short_case

__all__ = ["graph_figure", "graph_least", "nodes_of"]

#: Room that the graph needs, and the most that long numbers may ask for, px.
_LEAST, _MOST_ASKED = 360.0, 480.0
_GUTTER = 34.0
#: Narrowest and widest card, px; between cards of a lattice, and between lattices.
_NARROW, _WIDE, _BETWEEN, _APART = 52.0, 72.0, 6.0, 10.0
#: Width of the word "determined" on a card, px.
_WORD = 60.0
_SHOWN = 7
#: So many adversaries have a disc each in the key, and so high a stack of them has room above it, px.
_DISCS, _STACK = 12, 56.0
_INCREMENTS_SHOWN = 5
#: Lines that the names of seven tuples, and the signs, may take.
_KEY_LINES = 12
#: Increments stand on edges with three decimals.
_LEAST_INCREMENT = 5e-4


def nodes_of(
    graph: WeightedHierarchicalGraph,
    target: str | int | None = None,
    known: Iterable[str | int] | None = None,
    *,
    show_paper: bool = False,
    threshold: float | None = None,
) -> Nodes:
    """Return what a graph is drawn from, with one adversary chosen.

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

    Examples
    --------
    >>> graph = WeightedHierarchicalGraph(["a", "b"], [[1.5, 1.0], [1.2, 1.0]], promise=1.0)
    >>> nodes_of(graph, "b").chosen.value
    1.2
    """
    most = graph.largest
    chosen = most if target is None else graph.node(target, known or ())
    paper = graph.paper if show_paper else None
    increments = graph.increments if paper is not None and graph.n_tuples <= _INCREMENTS_SHOWN else None
    if increments is not None and not np.nanmax(np.abs(increments), initial=0.0) >= _LEAST_INCREMENT:
        increments = None
    return Nodes(
        names=graph.names,
        promise=graph.promise,
        exact=graph.exact,
        target=chosen.target,
        known=chosen.known,
        largest=(most.target, column(graph.n_tuples, most.target, most.known)),
        paper=paper,
        determined=graph.determined if graph.determined.any() else None,
        increments=increments,
        threshold=threshold,
    )


def graph_least(nodes: Nodes) -> float:
    """Return the room that a graph needs, px: its numbers stand on cards.

    Examples
    --------
    >>> graph = WeightedHierarchicalGraph(["a", "b"], [[1.5, 1.0], [1.2, 1.0]], promise=1.0)
    >>> graph_least(nodes_of(graph))
    360.0
    """
    n = nodes.n
    if n > _INCREMENTS_SHOWN:
        return _LEAST
    lattices, most = n if n < 4 else 1, _most(n)
    cards = lattices * (most * _longest(nodes) + (most - 1) * _BETWEEN)
    return min(_MOST_ASKED, max(_LEAST, _GUTTER + 8 + (lattices - 1) * _APART + cards))


def _longest(nodes: Nodes) -> float:
    """Return the width of a card that holds every number, px."""
    numbers = {nodes.number(node) for i in range(nodes.n) for row in nodes.layers(i) for node in row}
    return max(_NARROW, 3 + max(width(number, 14, True) for number in numbers))


def graph_figure(svg: Svg, nodes: Nodes, w: float) -> float:
    """Draw the graph, what its signs mean, and its key; return the height taken.

    All lattices with cards where they fit side by side, else the attacked tuple's lattice below all of them
    in small; from eight tuples on a strip of dots for each layer.

    Parameters
    ----------
    svg
        Where to draw.
    nodes
        The adversaries.
    w
        Room in px, at least `graph_least`.
    """
    y = graph_picture.panel(svg, w, "What leaks", "exact, nats, for every adversary")
    piece = Svg(svg.sheet)
    wide = _card_width(nodes, w, nodes.n)
    if nodes.n > _SHOWN:
        tall = strips_figure(piece, nodes, w)
    elif wide >= (_NARROW if nodes.n < 4 else _longest(nodes)):
        tall = _side_by_side(piece, nodes, w, min(wide, max(_WIDE, _longest(nodes))))
    else:
        tall = _enlarged(piece, nodes, w)
    svg.put(piece, 0, y)
    y += tall
    key = graph_picture.graph_caption(nodes, w, longest=2 * w, most=_KEY_LINES)
    for line in [*key, *_framed(nodes, w)]:
        y += 17
        svg.text(0, y, line, fill="ink2")
    piece = Svg(svg.sheet)
    # A disc at an end of the scale is whole.
    edge = 5.0 if nodes.n <= _SHOWN else 0.0
    tall = key_strip(piece, nodes, w - 2 * edge)
    y += 12 + max(0.0, _stacked(nodes, w) - _STACK)
    svg.put(piece, edge, y)
    return y + tall


def _framed(nodes: Nodes, w: float) -> list[str]:
    """Say who is framed in the lattice of one tuple, whose name stands nowhere else."""
    if not 3 < nodes.n <= _SHOWN:
        return []
    at, values = nodes.chosen, ("",) * nodes.n
    words = short_case(Case(nodes.names, values, at.target, at.known, at.value), whole=True)
    return wrap(f"Frame: {words}, {nodes.number(at)}.", w, 12, most=4)


def _stacked(nodes: Nodes, w: float) -> float:
    """Return the height of the tallest stack of discs in the key of a few adversaries, px."""
    if nodes.count > _DISCS:
        return 0.0
    low, high = nodes.domain
    places = np.rint((nodes.exact - low) / (high - low) * w / 8)
    return 8.0 * int(np.unique(places, return_counts=True)[1].max())


def _most(n: int) -> int:
    """Return the number of cards in the longest row of a lattice."""
    return comb(n - 1, (n - 1) // 2)


def _card_width(nodes: Nodes, w: float, lattices: int) -> float:
    """Return the width of a card where so many lattices stand side by side, px."""
    most = _most(nodes.n)
    each = (w - _GUTTER - 8 - (lattices - 1) * _APART) / lattices
    return float((each - (most - 1) * _BETWEEN) // most)


def _down(nodes: Nodes) -> float:
    """Return the room between two rows: edges, and the increments on them."""
    return 36.0 if nodes.increments is not None else 24.0


def _side_by_side(svg: Svg, nodes: Nodes, w: float, wide: float) -> float:
    n, most = nodes.n, _most(nodes.n)
    card = lattice.Card(wide, 52, _BETWEEN, _down(nodes), words=True)
    card = lattice.in_one_form(nodes, range(n), card)
    widest = most * wide + (most - 1) * _BETWEEN
    apart = min(60.0, (w - _GUTTER - 8 - n * widest) / max(1, n - 1))
    # One or two tuples leave the first row as wide as a card: the words beside it need their room.
    gutter = max(_GUTTER, 58 - (widest - wide) / 2)
    left = gutter + max(0.0, (w - gutter - 4 - n * widest - (n - 1) * apart) / 2)
    top = 36.0
    placed, room = [], widest + apart - 50
    fitting = n == 1 or all(width(name, 12, True) <= room for name in nodes.names)
    for i, name in enumerate(nodes.names if fitting else nodes.short[0]):
        middle = round(left + widest / 2 + i * (widest + apart))
        svg.text(middle, 12, f"about {fit(name, room, 12, True)}", weight=600, anchor="middle")
        placed.append(lattice.placed_cards(nodes, i, middle, top, card))
    for k in range(n):
        at = top + k * (card.h + card.down) + card.h / 2
        svg.text(0, at + (-2 if k == 0 else 4), str(n - k), size=14, weight=600)
        if k == 0:
            svg.text(0, at + 13, "unknown", fill="ink2")
    _lattices(svg, nodes, placed, card)
    lattice.draw_increments(svg, nodes, placed[nodes.target])
    return top + n * card.h + (n - 1) * card.down + 8


def _enlarged(svg: Svg, nodes: Nodes, w: float) -> float:
    n = nodes.n
    named, stacked = _named_to_fit(nodes, w)
    top = lattice.small_multiples(svg, named, w, stacked=stacked) + 20
    if n > _INCREMENTS_SHOWN:
        return _squares(svg, nodes, w, top)
    wide = min(max(_WIDE, _longest(nodes)), _card_width(nodes, w, 1))
    card = lattice.Card(wide, 50, min(20.0, (w - _GUTTER - 6) / _most(n) - wide), _down(nodes), words=n < 5)
    card = lattice.in_one_form(nodes, [nodes.target], card)
    lattice.layer_labels(svg, n, top, card.h + card.down, card.h, words=False)
    middle = round(_GUTTER + (w - _GUTTER - 8) / 2)
    placed = lattice.placed_cards(nodes, nodes.target, middle, top, card)
    _lattices(svg, nodes, [placed], card)
    lattice.draw_increments(svg, nodes, placed)
    return top + n * card.h + (n - 1) * card.down + 8


def _lattices(svg: Svg, nodes: Nodes, placed: list[dict[int, lattice.CardPlace]], card: lattice.Card) -> None:
    """Draw lattices: all edges below all cards, badges above them."""
    for places in placed:
        lattice.draw_edges(svg, nodes, places)
    cards = [place for places in placed for place in places.values()]
    for place in cards:
        x = place.x - card.w / 2
        if place.node.determined and card.w < _WORD:
            _determined(svg, nodes, place, card)
        else:
            lattice.draw_card(svg, nodes, place.node, x, place.top, card)
    lattice.draw_badges(svg, cards, card)


def _determined(svg: Svg, nodes: Nodes, place: lattice.CardPlace, card: lattice.Card) -> None:
    """Draw an adversary whose target has one possible label on a card that is narrow for the word."""
    x, y = place.x - card.w / 2, place.top
    if place.node == nodes.chosen:
        svg.rect(x - 4, y - 4, card.w + 8, card.h + 8, 6, fill="none", stroke="brand", stroke_width=2)
    svg.rect(x, y, card.w, card.h, 3, fill="bg", stroke="ink2", stroke_dasharray="3 2")
    middle = {"anchor": "middle"}
    svg.text(place.x, y + 16, lattice.known_text(nodes, place.node, card), size=card.small, **middle)
    svg.text(place.x, y + 31, "0", size=card.large, weight=600, **middle)
    svg.text(place.x, y + 44, "determined", size=10, **middle)


def _named_to_fit(nodes: Nodes, w: float) -> tuple[Nodes, bool]:
    """Return the nodes, under short names where whole ones do not fit above small lattices by themselves.

    And whether a name stands above its number: where both on one line would not fit.
    """
    numbers = (leakage(float(row.max()), nodes.promise) for row in nodes.exact)
    room = (w - 26) / nodes.n - 8
    number = max(width(f" {number}", 12, True) for number in numbers)
    name = max(width(name, 12, True) for name in nodes.names)
    if nodes.n > 5 or name > room:
        return replace(nodes, names=nodes.short[0]), False
    return nodes, name + number > room


def _squares(svg: Svg, nodes: Nodes, w: float, top: float) -> float:
    """Draw the attacked tuple's lattice as squares that fill the room; chosen and largest are cards."""
    n, told = nodes.n, (nodes.chosen, nodes.most)
    card = lattice.Card(60, 48, 0, 30, words=False)
    rows = list(nodes.layers(nodes.target))
    room = w - _GUTTER - 4
    pitch = min(38.0, *((room - (card.w + 8) * sum(m in told for m in row)) / len(row) for row in rows))
    side = min(24.0, round(0.76 * pitch))
    places: dict[int, lattice.CardPlace] = {}
    tones: dict[int, list[tuple[float, float]]] = {}
    for k, row in enumerate(rows):
        middle = top + k * (side + card.down) + side / 2
        across = [card.w + 8 if node in told else side for node in row]
        x = _GUTTER + (room - sum(across) - (pitch - side) * (len(row) - 1)) / 2
        for node, wide in zip(row, across, strict=True):
            half = card.h / 2 if node in told else side / 2
            places[node.column] = lattice.CardPlace(x + wide / 2, middle - half, middle + half, node)
            if node not in told:
                level = -1 if node.determined else nodes.level(node.value)
                tones.setdefault(level, []).append((x, middle))
            x += wide + pitch - side
    lattice.draw_edges(svg, nodes, places)
    lattice.draw_blocks(svg, tones, side)
    cards = [place for place in places.values() if place.node in told]
    for place in cards:
        lattice.draw_card(svg, nodes, place.node, place.x - card.w / 2, place.top, card)
    lattice.draw_badges(svg, cards, card)
    lattice.layer_labels(svg, n, top, side + card.down, side, words=False)
    return top + n * side + (n - 1) * card.down + 14
