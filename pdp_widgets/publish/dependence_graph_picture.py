"""The graph of dependent tuples: a card each, frames around independent blocks, coefficients on the edges."""

from __future__ import annotations

from pdp_widgets.publish.dependence_edges_picture import draw_edges
from pdp_widgets.publish.dependence_key_picture import key_below
from pdp_widgets.publish.dependence_layout import (
    CARD,
    MOST_CARDS,
    Card,
    GraphLayout,
    lay_out_blocks,
    lay_out_neighbours,
)
from pdp_widgets.publish.dependence_shown import ShownDependence
from pdp_widgets.publish.formatting import leakage
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, width, wrap
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.palette import hexadecimal, ink_on, magnitude_domain, viridis
from pdp_widgets.publish.svg import Svg

__all__ = ["graph_layout", "graph_panel"]


def graph_layout(shown: ShownDependence, w: float) -> GraphLayout:
    """Return where cards and frames stand: those of all, or of many the chosen tuple and those closest to it.

    Parameters
    ----------
    shown
        The results with a chosen tuple.
    w
        Room in px.
    """
    if shown.n <= MOST_CARDS:
        return lay_out_blocks(shown.blocks, w)
    tie = shown.coefficients[shown.kind] + 1e-6 * shown.coefficients["mean"]
    near = [j for j in shown.blocks[0] if j != shown.target]
    near.sort(key=lambda j: (-float(tie[shown.target, j]), j))
    return lay_out_neighbours(shown.target, near, w, len(near) + 1)


def graph_panel(svg: Svg, shown: ShownDependence, w: float) -> float:
    """Draw the graph, its caption and its key; return the height taken."""
    top = panel(svg, w, "What leaks", "exact, nats; arrows carry ρ of the chosen tuple")
    piece = Svg(svg.sheet)
    layout = graph_layout(shown, w)
    for frame in layout.frames:
        piece.rect(
            frame.x + 1,
            frame.y + 1,
            frame.width - 2,
            frame.height - 2,
            8,
            fill="none",
            stroke="line2",
            stroke_dasharray="1 3",
            stroke_linecap="round",
        )
        piece.text(frame.x + 8, frame.y + 15, fit(frame.label, frame.width - 12, 11), fill="ink2", size=11)
    draw_edges(piece, shown, layout)
    low, high = magnitude_domain(shown.exact.tolist(), shown.epsilon)
    for cell in layout.cards:
        _card(piece, shown, cell, (float(shown.exact[cell.tuple]) - low) / (high - low))
    svg.put(piece, 0, top)
    y = top + layout.height + 4
    for line in wrap(_caption(shown, layout), w, 11, most=4):
        y += 16
        svg.text(0, y, line, fill="ink2", size=11)
    piece = Svg(svg.sheet)
    tall = key_below(piece, shown, w, low, high)
    svg.put(piece, 0, y + 8)
    return y + 8 + tall


def _caption(shown: ShownDependence, layout: GraphLayout) -> str:
    said = ["Frames are blocks, independent of each other."] if len(shown.blocks) > 1 else []
    errors = [shown.error(cell.tuple) for cell in layout.cards]
    if shown.paper and any(errors):
        badges = [f"badge {side}: too {what}" for side, what, sign in _BADGES if sign in errors]
        said.append(f"Second number: the paper’s estimate DS/σ where it differs; {', '.join(badges)}.")
    drawn = [cell.tuple for cell in layout.cards]
    exact = shown.coefficients["exact"]
    if any(exact[shown.target, j] == 0 for j in drawn if j != shown.target and j in shown.blocks[0]):
        said.append("Dashed: ρ exact is 0.")
    out = shown.n - len(layout.cards)
    if out:
        said.append(f"{out:,} more {'tuple is' if out == 1 else 'tuples are'} not drawn.")
    return " ".join(said)


_BADGES = (("down", "low", -1), ("up", "high", 1))


def _card(svg: Svg, shown: ShownDependence, cell: Card, share: float) -> None:
    j = cell.tuple
    step = round(share * 48) / 48
    day, night = viridis(step, False), viridis(step, True)
    fill = hexadecimal(day), hexadecimal(night)
    ink = ink_on(day), ink_on(night)
    wide, tall = CARD
    left, top = cell.x - wide / 2, cell.y - tall / 2
    if j == shown.target:
        svg.rect(left - 4, top - 4, wide + 8, tall + 8, 6, fill="bg", stroke="brand", stroke_width=2)
    svg.rect(left, top, wide, tall, 3, fill=fill)
    error = shown.error(j) if shown.paper else 0
    svg.text(
        cell.x,
        top + (15 if error else 19),
        fit(shown.names[j], wide - 6, 11, True),
        anchor="middle",
        size=11,
        weight=600,
        fill=ink,
    )
    value = leakage(float(shown.exact[j]), shown.epsilon)
    size = 14 if width(value, 14, True) <= wide - 4 else 11
    svg.text(cell.x, top + (33 if error else 39), value, anchor="middle", size=size, weight=600, fill=ink)
    if error:
        printed = leakage(float(shown.printed[j]), float(shown.exact[j]))
        svg.text(cell.x, top + 48, fit(printed, wide - 4, 11), anchor="middle", size=11, fill=ink)
        mark(svg, "low" if error < 0 else "high", left + wide - 1, top + 1, 7)
    if j == shown.most and shown.n > 1:
        svg.rect(left - 4, top - 17, 28, 13, 2, fill="ink")
        svg.text(left + 10, top - 7, "max", anchor="middle", size=10, weight=600, fill="bg")
