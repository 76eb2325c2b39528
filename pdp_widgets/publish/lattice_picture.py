"""The lattices of the weighted hierarchical graph, up to seven tuples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from pdp_widgets.publish.formatting import change, leakage
from pdp_widgets.publish.labels import fit, width
from pdp_widgets.publish.marks import Mark, mark
from pdp_widgets.publish.nodes import Node, Nodes, fill, ink
from pdp_widgets.publish.svg import Svg, joined, number, polyline, strokes

__all__ = [
    "Card",
    "CardPlace",
    "draw_badges",
    "draw_blocks",
    "draw_card",
    "draw_edges",
    "draw_increments",
    "enlarged",
    "in_one_form",
    "known_text",
    "layer_labels",
    "placed_cards",
    "side_by_side",
    "small_multiples",
]

_GUTTER = 76


@dataclass(frozen=True)
class Card:
    """Sizes of cards, gaps and text in one lattice, px."""

    w: float
    h: float
    across: float
    down: float
    words: bool
    small: float = 12
    large: float = 14
    #: Which form the known tuples have on every card, see `_known_forms`; None for the best on each.
    form: int | None = None


@dataclass(frozen=True)
class CardPlace:
    """Where a node stands: middle, top and bottom, px."""

    x: float
    top: float
    bottom: float
    node: Node

    @property
    def middle(self) -> float:
        """Height of the middle, px."""
        return (self.top + self.bottom) / 2


def _known_forms(nodes: Nodes, node: Node, words: bool) -> list[str]:
    """Return ways to write the known tuples, from long to short."""
    short, _ = nodes.short
    names = [short[j] for j in node.known]
    options = [f"knows {', '.join(names)}"] if words else []
    return [*options, ", ".join(names), " ".join(names), f"knows {len(names)}"]


def in_one_form(nodes: Nodes, targets: Iterable[int], card: Card) -> Card:
    """Return the card with the longest form that fits the known tuples of all adversaries, if any does."""
    told = [node for i in targets for row in nodes.layers(i) for node in row if node.known]
    forms = [_known_forms(nodes, node, card.words) for node in told]
    fitting = (
        k
        for k in range(3 if card.words else 2)
        if all(width(options[k], card.small) <= card.w - 5 for options in forms)
    )
    return replace(card, form=next(fitting, None))


def known_text(nodes: Nodes, node: Node, card: Card) -> str:
    """Return the known tuples of an adversary in the longest form that fits the card."""
    if not node.known:
        return "none"
    room = card.w - 5
    options = _known_forms(nodes, node, card.words)
    if card.form is not None:
        return options[card.form]
    return next(
        (text for text in options if width(text, card.small) <= room), fit(options[-2], room, card.small)
    )


def draw_card(svg: Svg, nodes: Nodes, node: Node, x: float, y: float, card: Card) -> None:
    """Draw one adversary: known items, exact value, the paper's estimate where it differs."""
    level = nodes.level(node.value)
    chosen, largest = node == nodes.chosen, node == nodes.most
    if chosen:
        svg.rect(x - 4, y - 4, card.w + 8, card.h + 8, 6, fill="none", stroke="brand", stroke_width=2)
    if node.determined:
        svg.rect(x, y, card.w, card.h, 3, fill="bg", stroke="ink2", stroke_dasharray="3 2")
        tone: str | tuple[str, str] = "ink"
    else:
        # The line rounds the corners; cards of one colour are one path.
        box = f"M{joined(x + 2, y + 2)}h{number(card.w - 4)}v{number(card.h - 4)}h{number(4 - card.w)}z"
        svg.shape(box, fill=fill(level), stroke=fill(level), stroke_width=4, stroke_linejoin="round")
        tone = ink(level)
    middle, top = x + card.w / 2, y + (card.h - 45) / 2
    if node.differs == 0:
        top += 5
    style = {"anchor": "middle", "fill": tone}
    svg.text(middle, top + 13, known_text(nodes, node, card), size=card.small, **style)
    shown = nodes.number(node)
    svg.text(middle, top + 28, shown, size=card.large, weight=600, **style)
    if node.determined:
        svg.text(middle, top + 41, "determined", size=11, **style)
    elif node.differs and node.paper is not None:
        svg.text(middle, top + 42, leakage(node.paper, nodes.promise), size=card.small, **style)
    if largest:
        _tag(svg, x - 4, y - 15)


def draw_badges(svg: Svg, places: Iterable[CardPlace], card: Card) -> None:
    """Mark the cards on which the paper's estimate is too low or too high."""
    for place in places:
        if place.node.differs and not place.node.determined:
            kind: Mark = "low" if place.node.differs < 0 else "high"
            mark(svg, kind, place.x + card.w / 2 - 1, place.top + 1, 6.5)


def _tag(svg: Svg, x: float, y: float) -> None:
    svg.rect(x, y, 30, 14, 2, fill="ink")
    svg.text(x + 15, y + 10.5, "max", size=11, weight=600, anchor="middle", fill="bg")


def _without(node: Node, j: int) -> int:
    """Return the column of the adversary who does not know tuple `j` any more."""
    return node.column & ~(1 << (j - (j > node.target)))


def draw_edges(svg: Svg, nodes: Nodes, places: dict[int, CardPlace]) -> None:
    """Draw the edges of one lattice as hairlines, those of the chosen card in ink."""
    chosen = nodes.chosen
    plain: dict[int, set[int]] = {at: set() for at in places}
    hot: list[str] = []
    for place in places.values():
        for j in place.node.known:
            weaker = places[_without(place.node, j)]
            if chosen in (place.node, weaker.node):
                step = joined(place.x - weaker.x, place.middle - weaker.middle)
                hot.append(f"M{joined(weaker.x, weaker.middle)}l{step}")
            else:
                plain[place.node.column].add(weaker.node.column)
                plain[weaker.node.column].add(place.node.column)
    if nodes.n < 6 or svg.sheet.detail > 1:
        svg.path("".join(_trails(plain, places)), stroke="line2")
    svg.path("".join(hot), stroke="ink", stroke_width=1.5)


def _trails(left: dict[int, set[int]], places: dict[int, CardPlace]) -> list[str]:
    """Draw all edges in few strokes, from middle to middle; the cards cover the ends."""
    strokes = []
    for start in left:
        while left[start]:
            at, points = start, [(places[start].x, places[start].middle)]
            while left[at]:
                to = min(left[at])
                left[at].discard(to)
                left[to].discard(at)
                points.append((places[to].x, places[to].middle))
                at = to
            strokes.append(polyline(points))
    return strokes


def draw_increments(svg: Svg, nodes: Nodes, places: dict[int, CardPlace]) -> None:
    """Write the increments of the chosen card's edges on them."""
    if nodes.increments is None:
        return
    chosen = nodes.chosen
    for place in places.values():
        for j in place.node.known:
            weaker = places[_without(place.node, j)]
            value = float(nodes.increments[place.node.target, weaker.node.column, j])
            if chosen in (place.node, weaker.node) and not np.isnan(value):
                # Towards the far end, where two edges of one card stand apart.
                near, far = (place, weaker) if place.node == chosen else (weaker, place)
                mx, my = near.x + 0.85 * (far.x - near.x), (place.top + weaker.bottom) / 2
                svg.rect(mx - 21, my - 8, 42, 15, fill="bg")
                svg.text(mx, my + 4, change(value), size=12, anchor="middle")


def placed_cards(nodes: Nodes, target: int, cx: float, top: float, card: Card) -> dict[int, CardPlace]:
    """Place the cards of one lattice, the weakest adversary on top."""
    places: dict[int, CardPlace] = {}
    for k, row in enumerate(nodes.layers(target)):
        y = top + k * (card.h + card.down)
        for m, node in enumerate(row):
            x = cx + (m - (len(row) - 1) / 2) * (card.w + card.across)
            places[node.column] = CardPlace(x, y, y + card.h, node)
    return places


def _lattices(svg: Svg, nodes: Nodes, lattices: list[dict[int, CardPlace]], card: Card) -> None:
    """Draw lattices: all edges below all cards, badges above them."""
    for places in lattices:
        draw_edges(svg, nodes, places)
    cards = [place for places in lattices for place in places.values()]
    for place in cards:
        draw_card(svg, nodes, place.node, place.x - card.w / 2, place.top, card)
    draw_badges(svg, cards, card)


def layer_labels(svg: Svg, n: int, top: float, pitch: float, height: float, words: bool) -> None:
    """Write how many tuples are unknown beside each layer."""
    for k in range(n):
        y, unknown = top + k * pitch + height / 2, n - k
        if words:
            svg.text(0, y - 2, f"{unknown} unknown", weight=600)
            side = ("weakest" if k == 0 else "strongest" if k == n - 1 else "") if n > 1 else ""
            if side:
                svg.text(0, y + 13, side, fill="ink2")
        else:
            svg.text(0, y + 4, str(unknown), size=14, weight=600)
            if k == 0:
                svg.text(14, y + 4, "unknown", fill="ink2")


def side_by_side(svg: Svg, nodes: Nodes, w: float) -> float:
    """Draw all lattices of up to three tuples and return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    nodes
        The adversaries.
    w
        Room in px.
    """
    n = nodes.n
    card = Card(62, 52, 7, 36, words=True)
    widest = card.w if n < 3 else 2 * card.w + card.across
    room = w - 8 - _GUTTER
    gap = min(40.0, (room - n * widest) / max(1, n - 1))
    top = 34
    lattices: list[dict[int, CardPlace]] = []
    layer_labels(svg, n, top, card.h + card.down, card.h, words=True)
    for i in range(n):
        cx = _GUTTER + widest / 2 + i * (widest + gap) + (8 if n < 3 else 0)
        name = fit(nodes.names[i], (widest if n > 2 else 104) - 36, 12, True)
        svg.text(cx, 12, f"about {name}", weight=600, anchor="middle")
        lattices.append(placed_cards(nodes, i, round(cx), top, card))
    _lattices(svg, nodes, lattices, card)
    draw_increments(svg, nodes, lattices[nodes.target])
    return top + n * card.h + (n - 1) * card.down + 8


def enlarged(svg: Svg, nodes: Nodes, w: float) -> float:
    """Draw the attacked tuple's lattice enlarged and the others small; return the height taken.

    Cards up to five tuples; six and seven have squares, with text on the chosen and the largest only.

    Parameters
    ----------
    svg
        Where to draw.
    nodes
        The adversaries.
    w
        Room in px.
    """
    n, gutter = nodes.n, 66
    top = small_multiples(svg, nodes, w) + 18
    if n <= 5:
        room = w - gutter - 6
        most = 6 if n == 5 else 3
        wide = min(72, (room - 8 * (most - 1)) // most)
        card = Card(wide - wide % 2, 48, 8 if n == 5 else 20, 24, words=n < 5)
        layer_labels(svg, n, top, card.h + card.down, card.h, words=False)
        _lattices(svg, nodes, [placed_cards(nodes, nodes.target, round(gutter + room / 2), top, card)], card)
        return top + n * card.h + (n - 1) * card.down + 8
    return _squares(svg, nodes, w, gutter, top)


def _squares(svg: Svg, nodes: Nodes, w: float, gutter: float, top: float) -> float:
    """Draw the enlarged lattice as squares; the chosen and the largest are cards with text."""
    n = nodes.n
    side, gap = (24, 13) if n == 6 else (13, 4)
    card = Card(62, 48, gap, 30, words=False)
    places: dict[int, CardPlace] = {}
    tones: dict[int, list[tuple[float, float]]] = {}
    told = (nodes.chosen, nodes.most)
    for k, row in enumerate(nodes.layers(nodes.target)):
        middle = top + k * (side + card.down) + side / 2
        wide = [card.w + 8 if node in told else side for node in row]
        x = gutter + (w - gutter - sum(wide) - gap * (len(row) - 1)) / 2
        for node, across in zip(row, wide, strict=True):
            half = card.h / 2 if node in told else side / 2
            places[node.column] = CardPlace(x + across / 2, middle - half, middle + half, node)
            if node not in told:
                tones.setdefault(-1 if node.determined else nodes.level(node.value), []).append((x, middle))
            x += across + gap
    draw_edges(svg, nodes, places)
    draw_blocks(svg, tones, side)
    for place in places.values():
        if place.node in told:
            draw_card(svg, nodes, place.node, place.x - card.w / 2, place.top, card)
    draw_badges(svg, [place for place in places.values() if place.node in told], card)
    layer_labels(svg, n, top, side + card.down, side, words=False)
    return top + n * side + (n - 1) * card.down + 8


def draw_blocks(svg: Svg, tones: dict[int, list[tuple[float, float]]], side: float) -> None:
    """Draw squares as short thick strokes, all of one colour in one path."""
    for level, starts in sorted(tones.items()):
        colour = "line2" if level < 0 else fill(level)
        svg.path(strokes(starts, "h", side), fill=colour, stroke=colour, stroke_width=side)


def small_multiples(svg: Svg, nodes: Nodes, w: float, *, stacked: bool = False) -> float:
    """Draw every tuple's lattice small, with its largest leakage; return the height taken.

    Stacked, the name stands above its number.
    """
    n, gutter = nodes.n, 26
    room = (w - gutter) / n
    widest = max(len(row) for row in nodes.layers(0))
    pitch = min(10.0, (room - 10) / widest)
    side = pitch * 0.8
    down = max(6.0, pitch)
    head = 41 if stacked else 26
    height = head + n * down
    short, _ = nodes.short
    tones: dict[int, list[tuple[float, float]]] = {}
    bands: dict[int, list[tuple[float, float, float]]] = {}
    for i in range(n):
        cx = round(gutter + room * (i + 0.5))
        shown = leakage(float(nodes.exact[i].max()), nodes.promise)
        chosen = i == nodes.target
        beside = 0 if stacked else width(f" {shown}", 12, True)
        whole = fit(nodes.names[i], room - 8 - beside, 12, True)
        # A number for a name stands apart from the number that belongs to it.
        name = whole if n < 6 else short[i]
        lines = [name, shown] if stacked else [f"{name}{':' if name.isdecimal() else ''} {shown}"]
        if chosen:
            tall = height if svg.sheet.detail or n < 6 else 22
            svg.rect(cx - room / 2 + 1, 0.5, room - 2, tall, 3, fill="sel", stroke="brand")
        for k, line in enumerate(lines):
            svg.text(cx, 15 + 15 * k, line, anchor="middle", weight=600 if chosen else 400)
        for k, row in enumerate(nodes.layers(i)):
            y = head + k * down + side / 2
            left = cx - (len(row) - 1) / 2 * pitch - side / 2
            levels = [-1 if node.determined else nodes.level(node.value) for node in row]
            if n > 5:
                _runs(bands, sorted(level - level % 3 + 1 for level in levels), left, y, pitch)
                continue
            for m, (node, level) in enumerate(zip(row, levels, strict=True)):
                tones.setdefault(level, []).append((left + m * pitch, y))
                if node == nodes.chosen:
                    _ring(svg, left + m * pitch, y, side)
    draw_blocks(svg, tones, side)
    if svg.sheet.detail == 0 and n > 5:
        return 24
    for level, runs in sorted(bands.items()):
        starts, lengths = [(x, y) for x, y, _ in runs], [long for *_, long in runs]
        svg.path(
            strokes(starts, "h", lengths),
            fill=fill(max(level, 0)),
            stroke=fill(max(level, 0)),
            stroke_width=down * 0.8,
        )
    return height


def _runs(
    bands: dict[int, list[tuple[float, float, float]]], levels: list[int], x: float, y: float, pitch: float
) -> None:
    """Add a layer too small for squares as bars, each as long as its colour is frequent."""
    for level, same in groupby(levels):
        long = len(list(same)) * pitch
        bands.setdefault(level, []).append((x, y, long))
        x += long


def _ring(svg: Svg, x: float, y: float, side: float) -> None:
    size = side + 3
    svg.rect(x - 1.5, y - size / 2, size, size, 2, fill="none", stroke="brand", stroke_width=2)
