"""Edges of the graph of dependent tuples: as thick as the exact coefficient, numbers at the chosen tuple."""

from __future__ import annotations

from math import ceil, hypot
from typing import Any

from pdp_widgets.publish.dependence_label_places import ALONG, COLUMN, Box, place_label
from pdp_widgets.publish.dependence_layout import CARD, Card, GraphLayout
from pdp_widgets.publish.dependence_shown import KINDS, ShownDependence
from pdp_widgets.publish.formatting import leakage
from pdp_widgets.publish.labels import width
from pdp_widgets.publish.svg import Svg, joined

__all__ = ["draw_edges", "edges_of"]

#: Blocks up to this size have room for three numbers at an edge, and for one at every other edge.
_ROOMY, _PLAIN = 5, 4
#: Blocks above this size have more edges than can be told apart: those of others stand back.
_CLEAR = 6
_HEIGHT, _SHORT = 50.0, 18.0

Edge = tuple[Card, Card]


def edges_of(shown: ShownDependence, layout: GraphLayout) -> tuple[list[Edge], list[Edge]]:
    """Return the edges of the chosen tuple, which lead away from it, and all others within blocks."""
    block_of = {j: k for k, block in enumerate(shown.solved.analysis.blocks) for j in block}
    mine: list[Edge] = []
    plain: list[Edge] = []
    for k, a in enumerate(layout.cards):
        for b in layout.cards[k + 1 :]:
            if block_of[a.tuple] != block_of[b.tuple]:
                continue
            if shown.target in (a.tuple, b.tuple):
                mine.append((a, b) if a.tuple == shown.target else (b, a))
            elif not layout.near:
                plain.append((a, b))
    return mine, plain


def draw_edges(svg: Svg, shown: ShownDependence, layout: GraphLayout) -> list[Box]:
    """Draw all edges with their numbers; return where the numbers stand.

    Parameters
    ----------
    svg
        Where to draw.
    shown
        The results with a chosen tuple.
    layout
        Where cards stand.
    """
    mine, plain = edges_of(shown, layout)
    block_of = {j: block for block in shown.blocks for j in block}
    exact = shown.coefficients["exact"]
    for a, b in plain:
        many = len(block_of[a.tuple])
        if many > _CLEAR and svg.sheet.detail < 2:
            continue
        rho = float(max(exact[a.tuple, b.tuple], exact[b.tuple, a.tuple]))
        # Beside thick lines that cross, the numbers of the chosen tuple would be lost.
        tone, thick = ("line2", 2.0) if many > _CLEAR else ("ink2", 8.0)
        svg.line(a.x, a.y, b.x, b.y, stroke=tone, **_stroke(rho, thick))
    for a, b in mine:
        _arrow(svg, shown, a, b, 8.0 if len(block_of[shown.target]) <= _CLEAR or layout.near else 3.0)
    taken = [
        Box(c.x - CARD[0] / 2 - 4, c.y - CARD[1] / 2 - 4, CARD[0] + 8, CARD[1] + 8) for c in layout.cards
    ]
    lines = {edge: ((edge[0].x, edge[0].y), (edge[1].x, edge[1].y)) for edge in [*mine, *plain]}
    full = len(mine) < _ROOMY or layout.roomy
    long = max(76.0, ceil(width("exact", 11, True) + width("0.000", 11, True)) + 20.0)
    found: list[Box] = []

    def place(edge: Edge, size: tuple[float, float], along: tuple[float, ...]) -> Box:
        others = [line for one, line in lines.items() if one != edge]
        box = place_label(lines[edge], size, along, taken, others)
        taken.append(box)
        found.append(box)
        return box

    for edge in mine:
        size = (long, _HEIGHT) if full else (_room(shown, edge[1].tuple), _SHORT)
        _numbers(svg, shown, edge[1].tuple, place(edge, size, COLUMN if layout.near else ALONG), full)
    for edge in plain:
        a, b = edge
        if len(block_of[a.tuple]) > _PLAIN:
            continue
        text = leakage(float(max(exact[a.tuple, b.tuple], exact[b.tuple, a.tuple])))
        box = place(edge, (width(text, 11) + 6, 16.0), ALONG)
        svg.rect(box.x, box.y, box.width, box.height, fill="bg")
        svg.text(box.x + box.width / 2, box.y + 12, text, anchor="middle", fill="ink2", size=11)
    return found


def _stroke(rho: float, thick: float) -> dict[str, Any]:
    return {
        "stroke_width": round(1 + thick * rho) if rho else 1.5,
        "stroke_dasharray": "none" if rho else "5 4",
    }


def _room(shown: ShownDependence, far: int) -> float:
    """Return how wide the one number of an edge is."""
    return max(26.0, width(leakage(float(shown.coefficients[shown.kind][shown.target, far])), 11, True) + 10)


def _arrow(svg: Svg, shown: ShownDependence, a: Card, b: Card, thick: float) -> None:
    rho = float(shown.coefficients["exact"][a.tuple, b.tuple])
    long = hypot(b.x - a.x, b.y - a.y)
    ux, uy = (b.x - a.x) / long, (b.y - a.y) / long
    # The tip touches the card at whichever side the line comes to; a thick line has a large head.
    back = min(
        (CARD[0] / 2 + 2) / abs(ux) if ux else long,
        (CARD[1] / 2 + 2) / abs(uy) if uy else long,
    )
    half = max(4.5, (1 + thick * rho) / 2 + 3)
    tall = 1.7 * half
    x, y = b.x - ux * back, b.y - uy * back
    svg.line(a.x, a.y, x - ux * (tall - 1), y - uy * (tall - 1), stroke="ink", **_stroke(rho, thick))
    left = x - tall * ux - half * uy, y - tall * uy + half * ux
    right = x - tall * ux + half * uy, y - tall * uy - half * ux
    svg.path(f"M{joined(x, y)}L{joined(*left)}L{joined(*right)}z", fill="ink")


def _numbers(svg: Svg, shown: ShownDependence, far: int, box: Box, full: bool) -> None:
    """Write the coefficients of an edge on it, the one in use in bold."""
    ring = far == shown.other
    stroke, thick = ("brand", 2) if ring else ("line2", 1)
    svg.rect(box.x, box.y, box.width, box.height, 3, fill="bg", stroke=stroke, stroke_width=thick)
    for k, kind in enumerate(KINDS if full else (shown.kind,)):
        at = box.y + 14 + 15 * k if full else box.y + 13
        used = kind == shown.kind
        text = leakage(float(shown.coefficients[kind][shown.target, far]))
        if full:
            svg.text(
                box.x + 6, at, kind, size=11, weight=600 if used else 400, fill="ink" if used else "ink2"
            )
            svg.text(box.x + box.width - 6, at, text, size=11, weight=600 if used else 400, anchor="end")
        else:
            svg.text(box.x + box.width / 2, at, text, size=11, weight=600, anchor="middle")
