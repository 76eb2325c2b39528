"""Panels of the picture of dependent tuples: the release as text, one tuple in full, the audit strip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.target_leakage import rounded_up
from pdp_widgets.publish.dependence_shown import MECHANISM_NAMES, ShownDependence
from pdp_widgets.publish.dependence_wording import knowing, paper_words, told
from pdp_widgets.publish.formatting import bound, leakage, listed, parameter, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, width, wrap
from pdp_widgets.publish.marks import Mark, mark
from pdp_widgets.publish.numline_picture import numline
from pdp_widgets.publish.palette import SERIES
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.wording import above

__all__ = ["audit_strip", "facts", "facts_panel", "outputs_of", "release_panel"]

Floats = NDArray[np.float64]

_STRIP = 82.0
#: Outputs that have bars, and values of the tuple that each has one for.
_OUTPUTS, _VALUES = 8, 4


def release_panel(svg: Svg, shown: ShownDependence, query: str, w: float) -> float:
    """Write query, mechanism, budget and noise, and who receives the release; return the height taken."""
    y = panel(svg, w, "Release") + 12
    analysis, inputs = shown.solved.analysis, shown.solved.inputs
    enough = "σ that keeps it for all" if inputs.knowing == "nobody" else "Least σ, nobody known"
    rows = [
        ("Query", query, True),
        ("Mechanism", MECHANISM_NAMES[inputs.mechanism], True),
        ("Budget ε, nats", parameter(inputs.epsilon), True),
        ("Changes by one", parameter(float(analysis.sensitivities.max())), False),
        ("Dependent sensitivity", leakage(analysis.dependent_sensitivity), False),
        ("Noise scale σ", leakage(analysis.scale), False),
        (enough, rounded_up(shown.solved.enough, 3), False),
    ]
    if analysis.outputs > 1:
        rows.append(("Numbers released", f"{analysis.outputs:,}", False))
    y = _pairs(svg, rows, w, y)
    piece = Svg(svg.sheet)
    at = panel(piece, w, "Adversary") + 12
    who = {"nobody": "nobody", "worst": "the worst set of others"}.get(inputs.knowing)
    names = [shown.names[k] for k in inputs.seen]
    knows = who or (
        listed([told(name, 24) for name in names[:6]]) if len(names) <= 6 else f"{len(names):,} tuples"
    )
    piece.text(0, at, "Knows the joint table and", fill="ink2")
    for line in wrap(knows or "nobody", w, 12, most=3):
        at += 18
        piece.text(0, at, fit(line, w, 12, True), weight=600)
    svg.put(piece, 0, y + 2)
    return y + 8 + at


def _pairs(svg: Svg, rows: Sequence[tuple[str, str, bool]], w: float, y: float) -> float:
    for name, value, strong in rows:
        room = max(w - width(name) - 8, 60)
        lines = wrap(value, room, 12, most=2)
        svg.text(0, y, fit(name, w - 50), fill="ink2")
        for k, line in enumerate(lines):
            style: dict[str, Any] = {"weight": 600} if strong else {}
            svg.text(w, y + 16 * k, line, anchor="end", **style)
        y += 21 + 16 * (len(lines) - 1)
    return y


def facts(shown: ShownDependence) -> list[tuple[str, str, str, bool]]:
    """Return what leaks about the chosen tuple: name, number, note, and whether the note is a warning."""
    solved, j = shown.solved, shown.target
    exact, epsilon = float(shown.exact[j]), shown.epsilon
    rows = [("Promise", leakage(epsilon), "", False)]
    if shown.paper:
        printed = float(shown.printed[j])
        words = paper_words(exact, printed, epsilon) or "agrees"
        rows.append(("Paper’s estimate", leakage(printed, epsilon), words, shown.error(j) < 0))
    if shown.means is not None:
        to_whom = "block of any size" if solved.inputs.knowing == "nobody" else "if nobody is known"
        rows.append(("Mean bound", bound(float(shown.means[j])), to_whom, False))
    loss = float(solved.analysis.dp_losses[j])
    rows.append(("Plain DP loss", leakage(loss, epsilon), "knowing all others", False))
    if solved.worst is not None:
        worst = solved.worst[j]
        value = float(worst)
        rows.append(("Worst adversary", leakage(value, epsilon), _knows(worst), above(value, epsilon)))
    where: Any = solved.per_tuple[j].attained
    if where is not None:
        more, less = (fit(_value(shown, j, value), 60) for value in where.pair)
        place = ", ".join(tick(round(r, 6)) for r in where.output[:2])
        place = f"r {_SIDES[where.side]} {place}" + (", …" if len(where.output) > 2 else "")
        rows.append(("Attained", place, f"{more} against {less}", False))
    return rows


_SIDES = {"<=": "≤", ">=": "≥", "=": "="}


def _value(shown: ShownDependence, tuple_: int, value: Any) -> str:
    return shown.value(tuple_, shown.solved.inputs.joint.domains[tuple_].index(value))


def _knows(worst: Any) -> str:
    told_values = () if worst.attained is None else worst.attained.known
    if not told_values:
        return "knows nobody"
    if len(told_values) > 2:
        return f"knows {len(told_values)} others"
    return "knows " + " and ".join(f"{told(name, 14)} is {value}" for name, value in told_values)


def outputs_of(shown: ShownDependence) -> tuple[Floats, Floats] | None:
    """Return the outputs before noise, and their chances for every value of the chosen tuple.

    None where the query has several outputs, or too many to draw.
    """
    found = shown.solved.law_of_outputs(shown.target)
    if found is None or len(found[0]) > _OUTPUTS or not 1 < len(found[1]) <= _VALUES:
        return None
    return found


def facts_panel(svg: Svg, shown: ShownDependence, w: float) -> float:
    """Write what leaks about the chosen tuple, and draw the outputs that tell; return the height taken."""
    j, epsilon = shown.target, shown.epsilon
    exact = float(shown.exact[j])
    svg.line(0, 0.5, w, 0.5, stroke="line2")
    y = 3.0
    who = f"About {told(shown.names[j], 40)}, {_knowing(shown)}"
    for line in wrap(who, w - 4, 13.5, most=2):
        y += 17
        svg.text(0, y, line, size=13, weight=600)
    y += 36
    number = leakage(exact, epsilon)
    svg.spans(0, y, [(number, {"size": 26, "weight": 600}), (" nats", {"fill": "ink2"})])
    right = max(124.0, width(number, 26, True) + 48)
    mark(svg, "exact", right, y - 18, 4)
    svg.text(right + 10, y - 14, "exact")
    if shown.is_over(j):
        mark(svg, "over", right, y - 2, 4.5)
        svg.text(right + 10, y + 2, f"{leakage(exact - epsilon)} over the promise", fill="over")
    else:
        svg.text(right + 10, y + 2, "the promise holds", fill="ink2")
    high = float(shown.solved.groups[j]) if shown.means is None else float(shown.means[j])
    paper = float(shown.printed[j]) if shown.paper else None
    numline(svg, 2, y + 24, w, promise=epsilon, exact=exact, bound=high, paper=paper)
    y += 66
    for name, value, note, warns in facts(shown):
        svg.text(0, y, name, fill="ink2")
        svg.text(138, y, value, anchor="end")
        if note:
            svg.text(146, y, fit(note, w - 146), fill="over" if warns else "ink2")
        y += 20
    return _bars(svg, shown, w, y + 4)


def _knowing(shown: ShownDependence) -> str:
    """Say what the adversary knows who learns most about the chosen tuple."""
    solved = shown.solved
    if solved.inputs.knowing == "worst":
        where: Any = solved.per_tuple[shown.target].attained
        names = [] if where is None else [f"{told(name, 14)} is {value}" for name, value in where.known]
        if 0 < len(names) <= 2:
            return f"knowing {' and '.join(names)}"
        return f"knowing {len(names)} others" if names else f"knowing no other {shown.case.noun}"
    return knowing(shown.case_about(shown.target))


def _bars(svg: Svg, shown: ShownDependence, w: float, y: float) -> float:
    """Draw the chance of every output before noise, a bar for each value of the chosen tuple."""
    found = outputs_of(shown)
    if found is None:
        return y
    points, weights = found
    values = [k for k in range(len(weights)) if weights[k].sum() > 0]
    y += 10
    svg.text(0, y, "Whole query before noise", weight=600)
    x = width("Whole query before noise", 12, True) + 14
    for k in values:
        text = fit(shown.value(shown.target, k), 52, 11)
        if x + 14 + width(text, 11) > w:
            break
        _bar(svg, k, x, y - 9, 9, 9)
        svg.text(x + 13, y, text, fill="ink2", size=11)
        x += width(text, 11) + 26
    foot, tall, most = y + 92, 62.0, float(weights.max())
    pitch = min(66.0, w / len(points))
    bar = min(27.0, (pitch - 6) / len(values))
    for at, point in enumerate(points.tolist()):
        left = 2 + at * pitch
        for place, k in enumerate(values):
            p = float(weights[k, at])
            high = max(1.0, tall * p / most)
            _bar(svg, k, left + place * (bar + 1), foot - high, bar, high)
            if bar >= 20 or (svg.sheet.detail and bar >= 14):
                text = tick(round(p, 3))
                svg.text(left + place * (bar + 1) + bar / 2, foot - high - 4, text, anchor="middle", size=10)
        svg.text(
            left + len(values) * (bar + 1) / 2, foot + 14, tick(round(point, 4)), anchor="middle", fill="ink2"
        )
    svg.line(0, foot + 0.5, w, foot + 0.5, stroke="line2")
    return foot + 20


def _bar(svg: Svg, k: int, x: float, y: float, w: float, h: float) -> None:
    tone, _ = SERIES[k % len(SERIES)]
    svg.rect(x, y, w, h, fill="bg" if k % 2 == 0 else tone, stroke=tone, stroke_width=1.5)


def audit_strip(svg: Svg, shown: ShownDependence, w: float) -> float:
    """Draw what is promised, what is true, what was printed, and what always holds; return the height."""
    svg.rect(0, 0, w, _STRIP, fill="tint")
    svg.path(f"M0 .5H{w:g}M0 {_STRIP - 0.5:g}H{w:g}", stroke="line2")
    case = shown.case
    over = f"{shown.over:,} of {shown.n:,} over" if shown.over else "none over"
    cells: list[tuple[Mark, str, str, str, str, float]] = [
        ("promise", "Promise ε", leakage(case.epsilon), "ink", f"nats per {fit(case.noun, 60)}", 110),
        (
            "exact",
            "Exact worst",
            case.number,
            "over" if case.over else "ink",
            f"{told(case.name, 16)}; {over}",
            190,
        ),
    ]
    if shown.paper:
        value, low, high = shown.off
        off = [f"{side} at {many:,}" for side, many in (("low", low), ("high", high)) if many]
        words = paper_words(case.value, value, case.epsilon)
        note = "; ".join(
            filter(None, [words, f"{', '.join(off)} of {shown.n:,}" if off else "exact for all"])
        )
        cells.append(("paper", "Paper’s estimate", leakage(value, case.value), "paper", note, 200))
    if shown.mean is not None:
        holds = "any block, linear query" if case.knowing == "nobody" else "if nobody is known"
        cells.append(("bound", "Mean bound", bound(shown.mean), "ink", holds, 150))
    else:
        cells.append(("bound", "Group bound", bound(shown.group), "ink", "any table", 110))
    x = 12.0
    for drawn, name, number, tone, note, room in cells:
        mark(svg, drawn, x + 5, 17, 4)
        svg.text(x + 15, 21, name, fill="ink2")
        svg.text(x, 47, number, size=20 if len(number) < 10 else 14, weight=600, fill=tone)
        svg.text(x, 68, fit(note, room), fill="ink2")
        x += min(room, max(width(note), width(name) + 16, width(number, 20, True))) + 22
    values = [case.epsilon, case.value, shown.group]
    if all(math.isfinite(value) for value in values) and w - x > 140:
        numline(
            svg,
            x + 8,
            48,
            w - x - 30,
            promise=case.epsilon,
            exact=case.value,
            bound=shown.group,
            paper=shown.off[0] if shown.paper else None,
            words=True,
        )
    return _STRIP
