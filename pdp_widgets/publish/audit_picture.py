"""The audit strip: what is promised, what is true, what was printed, what always holds."""

from __future__ import annotations

from pdp_widgets.publish.formatting import bound, leakage
from pdp_widgets.publish.labels import fit, width
from pdp_widgets.publish.marks import Mark, mark
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.numline_picture import numline
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.wording import Case, above, agreement, short_case

__all__ = ["audit_strip"]

_HEIGHT = 82.0


def audit_strip(svg: Svg, nodes: Nodes, largest: Case, group: float, paper: float | None, w: float) -> float:
    """Draw the strip; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    nodes
        All adversaries.
    largest
        The adversary that learns most, in words.
    group
        Bound that holds for every adversary, nats.
    paper
        Largest estimate of the paper in nats, when it is shown.
    w
        Room in px.
    """
    promise = nodes.promise
    svg.rect(0, 0, w, _HEIGHT, fill="tint")
    svg.path(f"M0 .5H{w:g}M0 {_HEIGHT - 0.5:g}H{w:g}", stroke="line2")
    exceeded = above(largest.leakage, promise)
    cells: list[tuple[Mark, str, str, str, str, float]] = [
        ("promise", "Promise GS/λ", leakage(promise), "ink", f"nats per {largest.noun}", 110),
        (
            "exact",
            "Exact worst",
            leakage(largest.leakage, promise),
            "over" if exceeded else "ink",
            short_case(largest),
            180,
        ),
    ]
    if paper is not None:
        low, high = nodes.differing()
        words = agreement(low, high, nodes.count)
        cells.append(("paper", "Paper’s estimate", leakage(paper, promise), "paper", words, 236))
    cells.append(("bound", "Group bound", bound(group), "ink", "safe for any table", 120))
    x = 12.0
    for kind, name, value, tone, note, room in cells:
        mark(svg, kind, x + 5, 17, 4)
        svg.text(x + 15, 21, name, fill="ink2")
        svg.text(x, 47, value, size=20, weight=600, fill=tone)
        svg.text(x, 68, fit(note, room), fill="ink2")
        x += min(room, max(width(note), width(name) + 16, width(value, 20, True))) + 26
    numline(
        svg,
        x + 8,
        48,
        w - x - 20,
        promise=promise,
        exact=largest.leakage,
        bound=group,
        paper=paper,
        words=True,
    )
    return _HEIGHT
