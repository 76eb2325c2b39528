"""Below the graph of dependent tuples: the colour key, one dot a tuple, and the promise."""

from __future__ import annotations

from pdp_widgets.publish.dependence_shown import ShownDependence
from pdp_widgets.publish.formatting import leakage, tick
from pdp_widgets.publish.labels import width
from pdp_widgets.publish.palette import hexadecimal, viridis
from pdp_widgets.publish.svg import Svg

__all__ = ["key_below"]


def key_below(svg: Svg, shown: ShownDependence, w: float, low: float, high: float) -> float:
    """Draw colour key, one dot a tuple, and the promise; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    shown
        The results.
    w
        Room in px.
    low, high
        Ends of the colour scale, nats.
    """
    bar = 34.0

    def x(value: float) -> float:
        return (value - low) / (high - low) * w

    stops = [(hexadecimal(viridis(k / 8, False)), hexadecimal(viridis(k / 8, True))) for k in range(9)]
    svg.gradient(0, bar, w, 8, stops)
    heights: dict[int, int] = {}
    dots: list[float] = []
    for j in sorted(range(shown.n), key=lambda j: j != shown.target)[:80]:
        column = round(x(float(shown.exact[j])) / 8)
        level = heights[column] = heights.get(column, 0) + 1
        if level > 3:
            continue
        dots.append(x(float(shown.exact[j])))
        ring = "brand" if j == shown.target else "ink"
        svg.circle(
            round(x(float(shown.exact[j]))),
            bar + 3 - 8 * level,
            3.5,
            fill="bg",
            stroke=ring,
            stroke_width=2 if j == shown.target else 1,
        )
    promise = x(shown.epsilon)
    svg.line(promise, 2, promise, bar + 8, stroke="promise", stroke_width=2, stroke_dasharray="4 3")
    above = f"promise {leakage(shown.epsilon)}, {shown.over} of {shown.n} above"
    left = promise > width(above) + 12
    svg.text(promise + (-8 if left else 8), 11, above, anchor="end" if left else "start", fill="promise")
    most = float(shown.exact[shown.most])
    words = f"largest {leakage(most, shown.epsilon)}"
    long = width(words, 12, True)
    at = x(most)
    start = at + 8 if at + 10 + long <= w else at - 8 - long
    if all(dot + 5 < start or dot - 5 > start + long for dot in dots):
        svg.text(start, bar - 4, words, weight=600)
    elif (promise - 8 - width(above) if left else w - promise - 8 - width(above)) > long + 10:
        # Where other dots stand there, it takes the free end of the line of words.
        svg.text(0 if left else w, 11, words, anchor="start" if left else "end", weight=600)
    for value, anchor in ((low, "start"), ((low + high) / 2, "middle"), (high, "end")):
        svg.text(
            x(value), bar + 22, tick(value) + (" nats" if value == high else ""), anchor=anchor, fill="ink2"
        )
    return bar + 28
