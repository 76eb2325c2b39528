"""Dot strips: one row for each layer from eight tuples on, and the key strip below every graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pdp_widgets.publish.formatting import count, leakage, parameter, tick
from pdp_widgets.publish.labels import fit
from pdp_widgets.publish.nodes import Node, Nodes, fill
from pdp_widgets.publish.palette import hexadecimal, viridis
from pdp_widgets.publish.svg import Svg, number, strokes
from pdp_widgets.publish.wording import Case, short_case

__all__ = ["dot_columns", "draw_dots", "key_strip", "strips"]

Scale = Callable[[float], float]


def dot_columns(counts: np.ndarray) -> dict[int, int]:
    """Return how many there are by column of dots."""
    return {at: int(counts[at]) for at in np.flatnonzero(counts).tolist()}


def draw_dots(svg: Svg, columns: dict[int, int], pitch: float, foot: float, per_dot: int, tone: str) -> None:
    """Draw columns of dots upwards from `foot`, as strokes of round dashes."""
    step = min(5, round(pitch * 0.85))
    found = sorted(columns.items())
    starts = [(round((at + 0.5) * pitch), foot) for at, _ in found]
    # Every stroke is a little longer than its dots: one of no length shows none in some viewers.
    heights = [(-(-some // per_dot) - 1) * -step - 1 for _, some in found]
    svg.path(
        strokes(starts, "v", heights),
        stroke=tone,
        stroke_width=step - 0.8,
        stroke_linecap="round",
        stroke_dasharray=f"0 {number(step)}",
    )


def strips(svg: Svg, nodes: Nodes, w: float) -> float:
    """Draw one strip of dots for each layer and return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    nodes
        The adversaries.
    w
        Room in px.
    """
    n, gutter, side = nodes.n, 86.0, 58.0
    low, high = nodes.domain
    pitch, row, top = 5.0, 36.0, 26.0

    def x(value: float) -> float:
        return gutter + (value - low) / (high - low) * (w - gutter - side - 10)

    binned = [dot_columns(counts) for counts in nodes.by_layer(x(low), x(high), pitch)]
    highs = nodes.extremes[1].max(axis=1)
    per_dot = max(1, -(-max(max(c.values()) for c in binned) // int((row - 10) / (0.85 * pitch))))
    svg.text(w, 12, "largest", anchor="end", fill="ink2")
    svg.text(0, 12, "unknown tuples", fill="ink2")
    for k, columns in enumerate(binned):
        foot = top + (k + 1) * row - 6
        best = float(highs[k])
        svg.line(gutter, foot + 4, w - side, foot + 4, stroke="line")
        svg.text(0, foot, str(n - k), weight=600, size=13)
        word = "weakest" if k == 0 else "strongest" if k == n - 1 else ""
        if word:
            svg.text(22, foot, word, fill="ink2")
        svg.text(w, foot, leakage(best, nodes.promise), anchor="end", weight=600)
        draw_dots(svg, columns, pitch, foot, per_dot, "ink2")
    bottom = top + n * row
    svg.line(
        x(nodes.promise),
        top,
        x(nodes.promise),
        bottom,
        stroke="promise",
        stroke_width=2,
        stroke_dasharray="4 3",
    )
    for node, tone in ((nodes.most, "ink"), (nodes.chosen, "brand")):
        foot = top + (len(node.known) + 1) * row - 6
        if node == nodes.chosen:
            svg.circle(x(node.value), foot - 1, 6, fill="none", stroke=tone, stroke_width=2.5)
        else:
            svg.circle(x(node.value), foot - 1, 3.5, fill=tone)
    dot = f"One dot: {count(per_dot, 'adversary', 'adversaries')}" + (" at most." if per_dot > 1 else ".")
    svg.text(0, bottom + 14, f"{dot} Ring: the chosen one. Full dot: the largest of all.", fill="ink2")
    return bottom + 22


def _extremes(nodes: Nodes, x: Scale) -> tuple[float, float]:
    return x(nodes.domain[0]), x(nodes.domain[1])


def key_strip(svg: Svg, nodes: Nodes, w: float) -> float:
    """Draw colour key, distribution, promise and threshold in one strip; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    nodes
        The adversaries.
    w
        Room in px.
    """
    low, high = nodes.domain
    strips_above = nodes.n > 7
    left, right = (86.0, w - 68.0) if strips_above else (0.0, w)

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    bar = 20.0 if strips_above else 62.0
    stops = [(hexadecimal(viridis(k / 8, False)), hexadecimal(viridis(k / 8, True))) for k in range(9)]
    svg.gradient(left, bar, right - left, 8, stops)
    # Up to five tuples the dots take less than the picture can spare in any detail.
    if not strips_above and (nodes.n <= 5 or svg.sheet.detail > 0):
        _distribution(svg, nodes, x, bar - 5)
    promise = x(nodes.promise)
    if low <= nodes.promise <= high:
        svg.line(
            promise,
            6 if not strips_above else bar - 18,
            promise,
            bar + 8,
            stroke="promise",
            stroke_width=2,
            stroke_dasharray="4 3",
        )
    above = f"{nodes.above(nodes.promise):,} of {nodes.count:,} above"
    near = promise < left + 140
    place = {"anchor": "start" if near else "end"}
    at = min(max(promise, left), right) + (6 if near else -6)
    words = f"promise {leakage(nodes.promise)}"
    if strips_above:
        svg.spans(at, bar - 6, [(f"{words}, ", {"fill": "promise"}), (above, {"fill": "ink2"})], **place)
    else:
        svg.text(at, 14, words, fill="promise", **place)
        svg.text(at, 29, above, fill="ink2", **place)
        _largest(svg, nodes, x, w)
    for value, anchor in ((low, "start"), ((low + high) / 2, "middle"), (high, "end")):
        unit = " nats" if value == high else ""
        svg.text(x(value), bar + 22, tick(value) + unit, anchor=anchor, fill="ink2")
    height = bar + 28
    if nodes.threshold is not None:
        height += 16
        _threshold(svg, nodes, x, bar, left, right)
    return height


def _distribution(svg: Svg, nodes: Nodes, x: Scale, foot: float) -> None:
    """Draw one dot for each adversary, or for several where they are many."""
    if nodes.count <= 12:
        stacked: dict[int, int] = {}
        for i in range(nodes.n):
            for node in (m for row in nodes.layers(i) for m in row):
                at = round(x(node.value) / 8)
                stacked[at] = stacked.get(at, 0) + 1
                edge = {"stroke": "brand", "stroke_width": 2.0} if node == nodes.chosen else {"stroke": "ink"}
                tone = "bg" if node.determined else fill(nodes.level(node.value))
                svg.circle(x(node.value), foot - (stacked[at] - 1) * 8, 3.5, fill=tone, **edge)
        return
    columns = dot_columns(nodes.by_layer(x(nodes.domain[0]), x(nodes.domain[1]), 8.0).sum(axis=0))
    per_dot = max(1, -(-max(columns.values()) // 8))
    draw_dots(svg, columns, 8.0, foot + 1, per_dot, "ink")


def _largest(svg: Svg, nodes: Nodes, x: Scale, w: float) -> None:
    shown = f"largest {nodes.number(nodes.most)}"
    at = x(nodes.most.value)
    if at > w - 90:
        svg.text(w, 14, shown, weight=600, anchor="end")
    elif at > x(nodes.promise) + 60:
        svg.text(at, 29, shown, weight=600, anchor="middle")
    else:
        svg.text(w, 14, shown, weight=600, anchor="end")


def _threshold(svg: Svg, nodes: Nodes, x: Scale, bar: float, left: float, right: float) -> None:
    assert nodes.threshold is not None
    at = min(max(x(nodes.threshold), left), right)
    svg.line(at, bar - 2, at, bar + 34, stroke="ink", stroke_width=2)
    text = f"threshold {parameter(nodes.threshold)}, {nodes.above(nodes.threshold):,} above"
    near = at < left + 190
    svg.text(at + (6 if near else -6), bar + 37, text, anchor="start" if near else "end")


def largest_rows(nodes: Nodes, values: tuple[str, ...]) -> list[list[str]]:
    """Return the largest adversary of each layer in words, weakest layer first."""
    order, (lows, highs), rows = nodes.order, nodes.extremes, []
    for k in range(nodes.n):
        target = int(np.argmax(highs[k]))
        columns = order.columns[order.starts[k] : order.ends[k]]
        node: Node = nodes.node(target, int(columns[np.argmax(nodes.exact[target, columns])]))
        case = Case(nodes.names, values, node.target, node.known, node.value)
        low, high = leakage(float(lows[k].min()), nodes.promise), nodes.number(node)
        size = f"{nodes.n * columns.size:,}"
        rows.append([str(nodes.n - k), size, low, high, fit(short_case(case), 480)])
    return rows
