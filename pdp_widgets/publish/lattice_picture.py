"""The lattices of the weighted hierarchical graph, up to seven tuples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pdp_widgets.publish.formatting import leakage, signed
from pdp_widgets.publish.labels import fit, width
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.nodes import Node, Nodes, fill, ink
from pdp_widgets.publish.svg import Svg, number

__all__ = ["enlarged", "side_by_side"]

_GUTTER = 70


@dataclass(frozen=True)
class _Card:
    """Sizes of cards, gaps and text in one lattice, px."""

    w: float
    h: float
    across: float
    down: float
    words: bool
    small: float = 11.5
    large: float = 14


@dataclass(frozen=True)
class _Place:
    """Where a node stands: middle, top and bottom, px."""

    x: float
    top: float
    bottom: float
    node: Node


def _known_text(nodes: Nodes, node: Node, card: _Card) -> str:
    short, _ = nodes.short
    if not node.known:
        return "none"
    names = [short[j] for j in node.known]
    room = card.w - 5
    options = [f"knows {', '.join(names)}"] if card.words else []
    options += [", ".join(names), " ".join(names), f"knows {len(names)}"]
    return next(
        (text for text in options if width(text, card.small) <= room), fit(options[-2], room, card.small)
    )


def _card(svg: Svg, nodes: Nodes, node: Node, x: float, y: float, card: _Card) -> None:
    """Draw one adversary: known items, exact value, the paper's estimate where it differs."""
    level = nodes.level(node.value)
    chosen, largest = node == nodes.chosen, node == nodes.most
    if chosen:
        svg.rect(x - 4, y - 4, card.w + 8, card.h + 8, 6, fill="none", stroke="brand", stroke_width=2)
    if node.determined:
        svg.rect(x, y, card.w, card.h, 3, fill="bg", stroke="ink2", stroke_dasharray="3 2")
        tone: str | tuple[str, str] = "ink"
    else:
        svg.rect(x, y, card.w, card.h, 3, fill=fill(level))
        tone = ink(level)
    middle, top = x + card.w / 2, y + (card.h - 45) / 2
    if node.differs == 0:
        top += 5
    style = {"anchor": "middle", "fill": tone}
    svg.text(middle, top + 13, _known_text(nodes, node, card), size=card.small, **style)
    shown = nodes.number(node)
    svg.text(middle, top + 28, shown, size=card.large, weight=600, **style)
    if node.determined:
        svg.text(middle, top + 41, "determined", size=min(11.0, card.w / 5.6), **style)
    elif node.differs and node.paper is not None:
        svg.text(middle, top + 42, leakage(node.paper, nodes.promise), size=card.small, **style)
        mark(svg, "low" if node.differs < 0 else "high", x + card.w - 1, y + 1, 6.5)
    if largest:
        _tag(svg, x - 4, y - 15)


def _tag(svg: Svg, x: float, y: float) -> None:
    svg.rect(x, y, 30, 14, 2, fill="ink")
    svg.text(x + 15, y + 10.5, "max", size=11, weight=600, anchor="middle", fill="bg")


def _without(node: Node, j: int) -> int:
    """Return the column of the adversary who does not know tuple `j` any more."""
    return node.column & ~(1 << (j - (j > node.target)))


def _edges(svg: Svg, nodes: Nodes, places: dict[int, _Place]) -> None:
    """Draw the edges of one lattice as hairlines, those of the chosen card in ink."""
    plain: list[str] = []
    hot: list[str] = []
    chosen = nodes.chosen
    for place in places.values():
        for j in place.node.known:
            weaker = places[_without(place.node, j)]
            start = f"M{number(weaker.x)} {number(weaker.bottom)}"
            step = f"l{number(place.x - weaker.x)} {number(place.top - weaker.bottom)}"
            own = chosen in (place.node, weaker.node)
            (hot if own else plain).append(start + step)
    svg.path("".join(plain), stroke="line2")
    svg.path("".join(hot), stroke="ink", stroke_width=1.5)


def _increments(svg: Svg, nodes: Nodes, places: dict[int, _Place]) -> None:
    """Write the increments of the chosen card's edges on them."""
    if nodes.increments is None:
        return
    chosen = nodes.chosen
    for place in places.values():
        for j in place.node.known:
            weaker = places[_without(place.node, j)]
            value = float(nodes.increments[place.node.target, weaker.node.column, j])
            if chosen in (place.node, weaker.node) and not np.isnan(value):
                mx, my = (place.x + weaker.x) / 2, (place.top + weaker.bottom) / 2
                svg.rect(mx - 21, my - 8, 42, 15, fill="bg")
                svg.text(mx, my + 4, signed(value), size=11.5, anchor="middle")


def _lattice(svg: Svg, nodes: Nodes, target: int, cx: float, top: float, card: _Card) -> None:
    places: dict[int, _Place] = {}
    for k, row in enumerate(nodes.layers(target)):
        y = top + k * (card.h + card.down)
        for m, node in enumerate(row):
            x = cx + (m - (len(row) - 1) / 2) * (card.w + card.across)
            places[node.column] = _Place(x, y, y + card.h, node)
    _edges(svg, nodes, places)
    for place in places.values():
        _card(svg, nodes, place.node, place.x - card.w / 2, place.top, card)
    if card.words and target == nodes.target:
        _increments(svg, nodes, places)


def _layer_labels(svg: Svg, n: int, top: float, pitch: float, height: float, words: bool) -> None:
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
    card = _Card(64, 52, 7, 36, words=True)
    widest = card.w if n < 3 else 2 * card.w + card.across
    room = w - 8 - _GUTTER
    gap = min(40.0, (room - n * widest) / max(1, n - 1))
    top = 34
    _layer_labels(svg, n, top, card.h + card.down, card.h, words=True)
    for i in range(n):
        cx = _GUTTER + widest / 2 + i * (widest + gap) + (8 if n < 3 else 0)
        name = fit(nodes.names[i], widest - 36, 12, True)
        svg.text(cx, 12, f"about {name}", weight=600, anchor="middle")
        _lattice(svg, nodes, i, cx, top, card)
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
    top = _small_multiples(svg, nodes, w) + 18
    if n <= 5:
        room = w - gutter - 6
        most = 6 if n == 5 else 3
        card = _Card(min(72, (room - 8 * (most - 1)) / most), 48, 8 if n == 5 else 20, 24, words=n < 5)
        _layer_labels(svg, n, top, card.h + card.down, card.h, words=False)
        _lattice(svg, nodes, nodes.target, gutter + room / 2, top, card)
        return top + n * card.h + (n - 1) * card.down + 8
    return _squares(svg, nodes, w, gutter, top)


def _squares(svg: Svg, nodes: Nodes, w: float, gutter: float, top: float) -> float:
    """Draw the enlarged lattice as squares; the chosen and the largest are cards with text."""
    n = nodes.n
    side, gap = (24, 13) if n == 6 else (13, 4)
    card = _Card(62, 48, gap, 30, words=False)
    places: dict[int, _Place] = {}
    tones: dict[int, list[str]] = {}
    told = (nodes.chosen, nodes.most)
    for k, row in enumerate(nodes.layers(nodes.target)):
        middle = top + k * (side + card.down) + side / 2
        wide = [card.w + 4 if node in told else side for node in row]
        x = gutter + (w - gutter - sum(wide) - gap * (len(row) - 1)) / 2
        for node, across in zip(row, wide, strict=True):
            half = card.h / 2 if node in told else side / 2
            places[node.column] = _Place(x + across / 2, middle - half, middle + half, node)
            if node not in told:
                data = f"M{number(x)} {number(middle)}h{number(side)}"
                tones.setdefault(-1 if node.determined else nodes.level(node.value), []).append(data)
            x += across + gap
    _edges(svg, nodes, places)
    _blocks(svg, tones, side)
    for place in places.values():
        if place.node in told:
            _card(svg, nodes, place.node, place.x - card.w / 2, place.top, card)
    _layer_labels(svg, n, top, side + card.down, side, words=False)
    return top + n * side + (n - 1) * card.down + 8


def _blocks(svg: Svg, tones: dict[int, list[str]], side: float) -> None:
    """Draw squares as short thick strokes, all of one colour in one path."""
    for level, data in sorted(tones.items()):
        if level < 0:
            svg.path("".join(data), stroke="line2", stroke_width=side)
        else:
            svg.path("".join(data), stroke=fill(level), stroke_width=side)


def _small_multiples(svg: Svg, nodes: Nodes, w: float) -> float:
    n, gutter = nodes.n, 26
    room = (w - gutter) / n
    widest = max(len(row) for row in nodes.layers(0))
    pitch = min(10.0, (room - 10) / widest)
    side = pitch * 0.8
    down = max(6.0, pitch)
    height = 26 + n * down
    short, _ = nodes.short
    tones: dict[int, list[str]] = {}
    for i in range(n):
        cx = gutter + room * (i + 0.5)
        best = max(float(v) for v in nodes.exact[i])
        shown = leakage(best, nodes.promise)
        name = fit(nodes.names[i], room - 8 - width(f" {shown}", 12, True), 12, True) if n < 6 else short[i]
        if i == nodes.target:
            svg.rect(cx - room / 2 + 1, 0.5, room - 2, height, 3, fill="sel", stroke="brand")
        svg.text(cx, 15, f"{name} {shown}", anchor="middle", weight=600 if i == nodes.target else 400)
        for k, row in enumerate(nodes.layers(i)):
            y = 26 + k * down + side / 2
            for m, node in enumerate(row):
                x = cx + (m - (len(row) - 1) / 2) * pitch - side / 2
                tones.setdefault(-1 if node.determined else nodes.level(node.value), []).append(
                    f"M{number(x)} {number(y)}h{number(side)}"
                )
                if node == nodes.chosen and n < 6:
                    svg.rect(
                        x - 1.5,
                        y - side / 2 - 1.5,
                        side + 3,
                        side + 3,
                        2,
                        fill="none",
                        stroke="brand",
                        stroke_width=2,
                    )
    _blocks(svg, tones, side)
    return height
