"""The panels "Release" and "Adversary": what the controls are set to, as text."""

from __future__ import annotations

from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.publish.formatting import count, leakage, parameter
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, wrap
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.svg import Svg, joined
from pdp_widgets.publish.wording import Case

__all__ = ["controls_panel"]

_MOST_TUPLES = 12


def controls_panel(svg: Svg, analysis: PriorAnalysis, case: Case, w: float) -> float:
    """Write query, scale, promise and what the adversary knows; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    analysis
        The analysis.
    case
        The chosen adversary.
    w
        Room in px.
    """
    mechanism = analysis.mechanism
    y = panel(svg, w, "Release") + 12
    for name, shown in (
        ("Query", fit(mechanism.query.name, w - 50)),
        ("Laplace noise, scale λ", parameter(mechanism.scale)),
    ):
        svg.text(0, y, name, fill="ink2")
        svg.text(w, y, shown, anchor="end", weight=600)
        y += 21
    mark(svg, "promise", 4, y - 4, 4)
    svg.text(13, y, "Promise GS/λ", fill="ink2")
    svg.spans(w, y, [(leakage(analysis.promise), {"weight": 600}), (" nats", {})], anchor="end")
    return _adversary(svg, case, w, y + 22)


def _adversary(svg: Svg, case: Case, w: float, y: float) -> float:
    piece = Svg(svg.sheet)
    top = panel(piece, w, "Adversary", right="row" if len(case.names) > 1 else "")
    line = top + 12
    shown = range(min(len(case.names), _MOST_TUPLES))
    for j in shown:
        word, strong = "not known", False
        if j == case.target:
            word, strong = "attacked", True
        elif j in case.known:
            word, strong = "known", True
        _icon(piece, word, 6, line - 4)
        piece.text(18, line, fit(case.names[j], 76, 12, strong), weight=600 if strong else 400)
        piece.text(98, line, word, fill="ink" if strong else "ink2")
        piece.text(w, line, fit(case.values[j], 34), anchor="end", fill="ink" if strong else "ink2")
        line += 22
    if len(case.names) > len(shown):
        piece.text(18, line, f"and {count(len(case.names) - len(shown), 'tuple')} more", fill="ink2")
        line += 22
    if len(case.names) > 1:
        note = f"Values of one row. That of {case.name(case.target)} is used when others are attacked."
        for text in wrap(note, w, 12, most=3):
            piece.text(0, line, text, fill="ink2")
            line += 16
    svg.put(piece, 0, y)
    return y + line - 8


def _icon(svg: Svg, word: str, x: float, y: float) -> None:
    if word == "attacked":
        svg.circle(x, y, 5, fill="none", stroke="ink", stroke_width=1.5)
        svg.circle(x, y, 1.8, fill="ink")
        return
    box = f"M{joined(x - 5, y - 5)}h10v10h-10z"
    if word == "known":
        svg.shape(box, fill="sel", stroke="brand", stroke_width=1.5)
        svg.shape(f"M{joined(x - 2.5, y)}l2 2.2 3.2-4.4", stroke="ink", stroke_width=1.5)
    else:
        svg.shape(box, stroke="ink2", stroke_dasharray="2 2")
