"""Dot strips in a figure: every adversary of eight tuples and more, a row for each layer."""

from __future__ import annotations

from pdp_widgets.publish import strip_picture as strip
from pdp_widgets.publish.formatting import count, leakage
from pdp_widgets.publish.labels import wrap
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.svg import Svg

__all__ = ["strips_figure"]

#: Where the axis of the key below begins and ends, px from the sides.
_LEFT, _RIGHT = 86.0, 68.0
_PITCH = 5.0
#: Height of a row, px: so many rows as fit on half a page, and no fewer dots than three above each other.
_TALL, _LOW, _ALL = 36.0, 26.0, 330.0


def strips_figure(svg: Svg, nodes: Nodes, w: float) -> float:
    """Draw the strips with the largest leakage of each layer; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    nodes
        The adversaries.
    w
        Room in px.
    """
    n, top = nodes.n, 24.0
    row = min(_TALL, max(_LOW, _ALL // n))
    low, high = nodes.domain

    def x(value: float) -> float:
        return _LEFT + (value - low) / (high - low) * (w - _LEFT - _RIGHT)

    columns = [strip.dot_columns(counts) for counts in nodes.by_layer(x(low), x(high), _PITCH)]
    highs = nodes.extremes[1].max(axis=1).tolist()
    most = max(max(found.values()) for found in columns)
    per_dot = max(1, -(-most // int((row - 10) / (0.85 * _PITCH))))
    svg.text(0, 12, "unknown", fill="ink2")
    svg.text(w, 12, "largest", anchor="end", fill="ink2")
    for k, (most_here, found) in enumerate(zip(highs, columns, strict=True)):
        foot = _foot(top, row, k)
        svg.line(_LEFT, foot + 4, w - _RIGHT + 10, foot + 4, stroke="line")
        svg.text(0, foot, str(n - k), weight=600, size=13)
        word = "weakest" if k == 0 else "strongest" if k == n - 1 else ""
        svg.text(22, foot, word, fill="ink2")
        svg.text(w, foot, leakage(most_here, nodes.promise), anchor="end", weight=600)
        strip.draw_dots(svg, found, _PITCH, foot, per_dot, "ink2")
    bottom = top + n * row
    promise = x(nodes.promise)
    if low <= nodes.promise <= high:
        dashes: dict[str, str | float] = {"stroke": "promise", "stroke_width": 2, "stroke_dasharray": "4 3"}
        svg.line(promise, top, promise, bottom, **dashes)
    chosen, largest = nodes.chosen, nodes.most
    at = _foot(top, row, len(largest.known)) - 1
    svg.circle(x(largest.value), at, 3.5, fill="ink")
    words = [f"One dot: {count(per_dot, 'adversary', 'adversaries')}{' at most' if per_dot > 1 else ''}."]
    words.append("Full dot: the largest of all.")
    if chosen != largest:
        at = _foot(top, row, len(chosen.known)) - 1
        svg.circle(x(chosen.value), at, 6, fill="none", stroke="brand", stroke_width=2.5)
        knows = f"knowing {len(chosen.known)} of {n - 1}" if chosen.known else "knowing none"
        shown = nodes.number(chosen)
        words.append(f"Ring: about {nodes.names[chosen.target]}, {knows}: {shown}.")
    for line in wrap(" ".join(words), w, 12, most=3):
        bottom += 16
        svg.text(0, bottom, line, fill="ink2")
    return bottom + 6


def _foot(top: float, row: float, k: int) -> float:
    """Return the height at which the dots of row `k` stand, px."""
    return top + (k + 1) * row - 6
