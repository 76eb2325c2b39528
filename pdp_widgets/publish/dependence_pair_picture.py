"""The table of a pair of dependent tuples, and the coefficients of pairs around it."""

from __future__ import annotations

import numpy as np

from pdp_widgets.publish.dependence_shown import KINDS, ShownDependence
from pdp_widgets.publish.formatting import leakage, probability, probability_decimals
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, width, wrap
from pdp_widgets.publish.svg import Svg

__all__ = ["coefficient_pairs", "pair_panel"]

_ROW = 22.0
#: Values of a tuple that a table has room for.
_ROWS, _COLUMNS = 7, 4
#: Pairs in the list of coefficients.
_PAIRS = 7


def pair_panel(svg: Svg, shown: ShownDependence, w: float) -> float:
    """Draw the joint table of the chosen pair and the coefficients around it; return the height taken."""
    y = panel(svg, w, "Joint distribution", right="probabilities") + 8
    y = _law(svg, shown, w, y) if shown.other is None else _table(svg, shown, shown.other, w, y)
    if shown.n > 1:
        y = _coefficients(svg, shown, w, y + 10)
    return y


def _kept(shares: np.ndarray, most: int) -> list[int]:
    """Return positions of the most probable values, in their order."""
    return sorted(np.argsort(-shares, kind="stable")[:most].tolist())


def _law(svg: Svg, shown: ShownDependence, w: float, y: float) -> float:
    law = shown.solved.inputs.joint.law(shown.target)
    kept = _kept(law, 2 * _ROWS)
    digits = probability_decimals(law)
    svg.text(0, y + 4, fit(shown.names[shown.target], w, 12, True), weight=600)
    y += 8
    for k in kept:
        y += _ROW
        svg.text(0, y - 6, fit(shown.value(shown.target, k), w - 90))
        svg.text(w, y - 6, probability(float(law[k]), digits), anchor="end")
    return _left_out(svg, len(law) - len(kept), 0, w, y)


def _table(svg: Svg, shown: ShownDependence, other: int, w: float, y: float) -> float:
    joint = shown.solved.inputs.joint
    pair = joint.pair(shown.target, other)
    rows, columns = _kept(pair.sum(axis=1), _ROWS), _kept(pair.sum(axis=0), _COLUMNS)
    digits = probability_decimals(pair[np.ix_(rows, columns)])
    head = min(76.0, max(width(shown.value(shown.target, k)) for k in rows) + 10)
    head = max(head, min(76.0, width(shown.names[shown.target]) + 10))
    cell = (w - head) / (len(columns) + 1)
    top = y + 4
    middle = head + cell * len(columns) / 2
    svg.text(middle, top, fit(shown.names[other], cell * len(columns)), anchor="middle", fill="ink2")
    y = top + 20
    svg.text(0, y, fit(shown.names[shown.target], head - 6), fill="ink2")
    for at, k in enumerate(columns):
        svg.text(head + cell * (at + 1) - 6, y, fit(shown.value(other, k), cell - 8), anchor="end")
    svg.text(w, y, "sum", anchor="end", fill="ink2")
    svg.line(0, y + 6.5, w, y + 6.5, stroke="line2")
    most = float(pair.max()) or 1.0
    first = y + 6
    for k in rows:
        y += _ROW
        svg.text(0, y, fit(shown.value(shown.target, k), head - 6))
        for at, c in enumerate(columns):
            p = float(pair[k, c])
            svg.text(head + cell * (at + 1) - 6, y, probability(p, digits), anchor="end")
            if p > 0:
                svg.rect(head + cell * at + 2, y + 3, (cell - 8) * p / most, 3, fill="share")
        svg.text(w, y, probability(float(pair[k].sum()), digits), anchor="end", fill="ink2")
    svg.line(head - 4, first, head - 4, y + 6, stroke="line")
    svg.line(0, y + 7.5, w, y + 7.5, stroke="line2")
    y += _ROW
    svg.text(0, y, "sum", fill="ink2")
    for at, c in enumerate(columns):
        share = probability(float(pair[:, c].sum()), digits)
        svg.text(head + cell * (at + 1) - 6, y, share, anchor="end", fill="ink2")
    svg.text(w, y, "1", anchor="end", fill="ink2")
    return _left_out(svg, pair.shape[0] - len(rows), pair.shape[1] - len(columns), w, y)


def _left_out(svg: Svg, rows: int, columns: int, w: float, y: float) -> float:
    said = [f"{k:,} {what}" for k, what in ((rows, "rows"), (columns, "columns")) if k]
    if said:
        for line in wrap(f"{' and '.join(said)} of less probable values are not drawn.", w, 11):
            y += 16
            svg.text(0, y + 2, line, fill="ink2", size=11)
    return y


def coefficient_pairs(shown: ShownDependence, most: int = _PAIRS) -> list[tuple[int, int]]:
    """Return pairs within blocks: the chosen one first, then those from the chosen tuple and from the other.

    Parameters
    ----------
    shown
        The results with a chosen pair.
    most
        How many.
    """
    first, second = shown.target, shown.other
    assert second is not None
    found = [(first, second)]
    for block in shown.blocks:
        starts = sorted(block, key=lambda j: (j != first, j != second))
        found += [(a, b) for a in starts for b in block if a != b]
    return list(dict.fromkeys(found))[:most]


def _coefficients(svg: Svg, shown: ShownDependence, w: float, y: float) -> float:
    scale = shown.solved.analysis.scale
    pairs = coefficient_pairs(shown)
    y += 14
    svg.text(0, y, f"Coefficient ρ of the second given the first, σ {leakage(scale)}", fill="ink2", size=11)
    y += 20
    places = (w - 96, w - 48, w)
    svg.text(0, y, "pair", fill="ink2", size=11)
    for x, word in zip(places, KINDS, strict=True):
        svg.text(x, y, word, anchor="end", fill="ink2", size=11)
    svg.line(0, y + 5.5, w, y + 5.5, stroke="line2")
    for a, b in pairs:
        y += 20
        chosen = (a, b) == (shown.target, shown.other)
        if chosen:
            svg.rect(0, y - 14, w, 19, fill="sel")
        own = (w - 134) / 2 - 10
        name = f"{fit(shown.names[a], own)} → {fit(shown.names[b], own)}"
        weight = 600 if chosen else 400
        svg.text(4, y, name, weight=weight)
        numbers = [leakage(float(shown.coefficients[kind][a, b])) for kind in KINDS]
        for x, text in zip(places, numbers, strict=True):
            svg.text(x, y, text, anchor="end", weight=weight)
    total = sum(len(block) * (len(block) - 1) for block in shown.blocks)
    # So it is for every tuple that changes the output at all.
    changes = (shown.solved.analysis.sensitivities > 0).all()
    note = (
        "mean and eq18 never fall below 0.5 within a block, not even for an independent pair."
        if changes
        else ""
    )
    if total > len(pairs):
        note = f"{len(pairs)} of {total:,} pairs within blocks. {note}"
    for line in wrap(note, w, 11, most=3):
        y += 17
        svg.text(0, y + 2, line, fill="ink2", size=11)
    return y + 4
