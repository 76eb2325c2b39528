"""The panel of the chosen adversary: its number on one axis with promise, estimate and bound."""

from __future__ import annotations

from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.publish.curves_picture import released
from pdp_widgets.publish.formatting import bound, leakage, probability
from pdp_widgets.publish.labels import fit, width, wrap
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.numline_picture import numline
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.wording import Case, above, heading

__all__ = ["facts_panel"]


def facts_panel(svg: Svg, analysis: PriorAnalysis, nodes: Nodes, case: Case, w: float) -> float:
    """Write what leaks to the chosen adversary; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    analysis
        The analysis.
    nodes
        All adversaries.
    case
        The chosen adversary in words.
    w
        Room in px.
    """
    svg.line(0, 0.5, w, 0.5, stroke="line2")
    y = 3.0
    for line in wrap(heading(case), w - 4, 13.5, most=3):
        y += 17
        svg.text(0, y, line, size=13, weight=600)
    chosen, promise = nodes.chosen, nodes.promise
    shown = nodes.number(chosen)
    y += 36
    svg.spans(0, y, [(shown, {"size": 26, "weight": 600}), (" nats", {"fill": "ink2"})])
    right = max(132.0, width(shown, 26, True) + 52)
    mark(svg, "exact", right, y - 18, 4)
    svg.text(right + 10, y - 14, "exact, determined" if chosen.determined else "exact")
    if above(chosen.value, promise):
        mark(svg, "over", right, y - 2, 4.5)
        svg.text(right + 10, y + 2, f"{leakage(chosen.value - promise)} over", fill="over")
    else:
        svg.text(right + 10, y + 2, "the promise holds", fill="ink2")
    group = float(analysis.group_bounds[case.target, column(nodes.n, case.target, case.known)])
    numline(svg, 2, y + 24, w, promise=promise, exact=chosen.value, bound=group, paper=chosen.paper)
    return _facts(svg, analysis, nodes, case, group, w, y + 68)


def _facts(
    svg: Svg, analysis: PriorAnalysis, nodes: Nodes, case: Case, group: float, w: float, y: float
) -> float:
    chosen, promise = nodes.chosen, nodes.promise
    rows: list[tuple[str, str, str, bool]] = [("Promise", leakage(promise), "", False)]
    if chosen.paper is not None:
        apart = abs(chosen.paper - chosen.value)
        words = {-1: f"{leakage(apart)} too low", 0: "agrees", 1: f"{leakage(apart)} too high"}[
            chosen.differs
        ]
        rows.append(("Paper’s estimate", leakage(chosen.paper, promise), words, chosen.differs < 0))
    rows.append(("Group bound", bound(group), "for any table", False))
    adversary = analysis.adversary(case.target, case.known)
    attained = adversary.leakage.attained
    if attained is not None:
        more, less = (fit(label, 44) for label in attained.pair)
        rows.append(("Attained", released(attained), f"{more} against {less}", False))
    if case.known:
        agree = adversary.records
        words = "" if agree is None else f"{agree:,} of {analysis.distribution.records or 0:,} records"
        rows.append(("Chance of this", probability(adversary.support), words, False))
    for name, value, note, over in rows:
        svg.text(0, y, name, fill="ink2")
        svg.text(142, y, value, anchor="end")
        if note:
            svg.text(150, y, fit(note, w - 150), fill="over" if over else "ink2")
        y += 20
    return y
