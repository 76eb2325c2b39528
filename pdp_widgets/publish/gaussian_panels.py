"""Panels of the Gaussian picture: the controls as text, the chosen adversary's facts, the audit strip."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.gaussian.comparison import Comparison
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.publish.formatting import count, leakage, parameter, tick
from pdp_widgets.publish.gaussian_wording import (
    GaussianCase,
    amount,
    moved,
    promise_name,
    release_name,
)
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, isolate, shorten, width, wrap
from pdp_widgets.publish.marks import Mark, mark
from pdp_widgets.publish.nodes import Nodes
from pdp_widgets.publish.numline_picture import nice_step, ticks
from pdp_widgets.publish.svg import Svg
from pdp_widgets.publish.wording import above, heading, short_case

__all__ = ["adversary_facts", "controls", "enough", "facts", "strip", "sufficient"]

_STRIP = 82.0
_MOST_TUPLES = 12
#: Scales beyond are not accepted.
_FARTHEST = 1e301
#: Above this many tuples a picture in the lowest detail names the known ones in a line.
_LISTED = 7


def sufficient(scale: float | None) -> str:
    """Return a scale that is enough as text: three digits, the last one rounded up; None is any.

    Examples
    --------
    >>> sufficient(1.9317), sufficient(2.17), sufficient(None)
    ('1.94', '2.17', 'any')
    """
    if scale is None:
        return "any"
    rounded = float(f"{scale:.3g}")
    # What the computation leaves open is no reason for another digit.
    if rounded < scale * (1 - 1e-9):
        rounded = float(f"{rounded + 10.0 ** (math.floor(math.log10(rounded)) - 2):.3g}")
    return parameter(rounded)


def enough(analysis: GaussianAnalysis, value: float, goal: float) -> str:
    """Return the least scale at which a leakage of the analysis is no more than the goal, as text."""
    if not value > 0:
        return sufficient(None)
    # Leakage is inversely proportional to the scale.
    scale = max(value * analysis.scale / goal, 1 / _FARTHEST)
    return sufficient(scale) if scale <= _FARTHEST else "–"


def controls(svg: Svg, analysis: GaussianAnalysis, goal: float, case: GaussianCase, w: float) -> float:
    """Write query, scale, change, promise and what the adversary knows; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    analysis
        The analysis.
    goal
        What all adversaries may learn at most, nats.
    case
        The chosen adversary.
    w
        Room in px.
    """
    unit = analysis.model.unit
    y = panel(svg, w, "Release") + 12
    named = release_name(analysis.weights)
    for name, shown in (
        ("Query", named[:1].upper() + named[1:]),
        ("Laplace noise, scale λ", parameter(analysis.scale)),
        ("Change to hide, M", amount(analysis.max_change, unit)),
    ):
        svg.text(0, y, name, fill="ink2")
        svg.text(w, y, fit(shown, w - width(name) - 6, 12, True), anchor="end", weight=600)
        y += 21
    mark(svg, "promise", 4, y - 4, 4)
    svg.text(13, y, promise_name(analysis.weights), fill="ink2")
    svg.spans(w, y, [(leakage(analysis.promise), {"weight": 600}), (" nats", {})], anchor="end")
    y += 21
    svg.text(0, y, "λ for at most", fill="ink2")
    svg.spans(w, y, [(parameter(goal), {"weight": 600}), (" nats", {})], anchor="end")
    y += 21
    svg.text(0, y, "for all", fill="ink2")
    svg.text(w, y, enough(analysis, float(analysis.exact.max()), goal), anchor="end", weight=600)
    return _adversary(svg, case, w, y + 22)


def _adversary(svg: Svg, case: GaussianCase, w: float, y: float) -> float:
    piece = Svg(svg.sheet)
    line = panel(piece, w, "Adversary") + 12
    names = case.case.names
    if len(names) > _LISTED and svg.sheet.detail == 0:
        for text in wrap(_in_a_line(case), w, 12, most=6):
            piece.text(0, line, text)
            line += 16
        svg.put(piece, 0, y)
        return y + line
    shown = range(min(len(names), _MOST_TUPLES))
    for j in shown:
        word = "attacked" if j == case.case.target else "known" if j in case.case.known else "not known"
        strong = word != "not known"
        _icon(piece, word, 6, line - 4)
        piece.text(18, line, fit(names[j], w - 96, 12, strong), weight=600 if strong else 400)
        piece.text(w, line, word, anchor="end", fill="ink" if strong else "ink2")
        line += 22
    if len(names) > len(shown):
        piece.text(18, line, f"and {count(len(names) - len(shown), 'tuple')} more", fill="ink2")
        line += 22
    if len(names) > 1:
        for text in wrap("Which values it knows matters, what they are does not.", w, 12, most=3):
            piece.text(0, line, text, fill="ink2")
            line += 16
    svg.put(piece, 0, y)
    return y + line - 8


def _in_a_line(case: GaussianCase) -> str:
    who = case.case
    known = [who.told(j, 16) for j in who.known]
    rest = who.others - len(known)
    return (
        f"{who.told(who.target, 24)} attacked. Known: {', '.join(known) or 'none'}. "
        f"Not known: {rest if rest else 'none'}{' others' if rest > 1 else ' other' if rest else ''}."
    )


def _icon(svg: Svg, word: str, x: float, y: float) -> None:
    if word == "attacked":
        svg.circle(x, y, 5, fill="none", stroke="ink", stroke_width=1.5)
        svg.circle(x, y, 1.8, fill="ink")
    elif word == "known":
        svg.rect(x - 5, y - 5, 10, 10, fill="sel", stroke="brand", stroke_width=1.5)
        svg.path(f"M{x - 2.5:g} {y:g}l2 2.2 3.2-4.4", stroke="ink", stroke_width=1.5)
    else:
        svg.rect(x - 5, y - 5, 10, 10, fill="none", stroke="ink2", stroke_dasharray="2 2")


def _axis(
    svg: Svg, x0: float, y: float, w: float, promise: float, marks: Sequence[tuple[Mark, float]]
) -> list[float]:
    """Draw an axis from 0 to a round number with its marks; return where the marks stand."""
    largest = max([promise, *(value for _, value in marks)])
    top = largest if largest > 0 else 1.0
    step = nice_step(top, 4)
    end = math.ceil(top / step - 1e-9) * step

    def x(value: float) -> float:
        return x0 + w * value / end

    svg.line(x0, y, x(end), y, stroke="line2", stroke_width=1.5)
    found = ticks(0.0, end, 4)
    for value in found:
        svg.line(x(value), y, x(value), y + 5, stroke="line2")
        last = value == found[-1]
        anchor = "start" if value == 0 else "end" if last else "middle"
        svg.text(x(value), y + 19, tick(value) + (" nats" if last else ""), anchor=anchor, fill="ink2")
    exact = marks[-1][1]
    if above(exact, promise):
        svg.line(x(promise), y, x(exact), y, stroke="over", stroke_width=4)
    mark(svg, "promise", x(promise), y, 6)
    for kind, value in marks:
        mark(svg, kind, x(value), y, 6 if kind == "paper" else 4.5)
    return [x(promise), *(x(value) for _, value in marks)]


def adversary_facts(
    analysis: GaussianAnalysis, adversary: GaussianAdversary, value: float, goal: float
) -> list[tuple[str, str, str]]:
    """Return what is said of one adversary: name, number, and a note."""
    promise = analysis.promise
    rows = [("Promise", leakage(promise), "nats")]
    if adversary.determined:
        rows.append(("Left of its spread", "0", "the known tuples fix it"))
        return rows
    rows.append(("Theorem 6", leakage(value, promise), "it is exact"))
    seen = Comparison(adversary)
    if seen.over is not None:
        rows.append(("Over from", f"r ≥ {_number(seen.over[1])}", f"or r ≤ {_number(seen.over[0])}"))
    if seen.nearly is not None and adversary.is_limit:
        rows.append(("99 % reached", f"r ≥ {_number(seen.nearly[1])}", "never 100 %"))
    elif seen.limit > 0:
        reached = seen.reached(seen.limit)
        if reached is not None:
            rows.append(("All reached", f"r ≥ {_number(reached[1])}", f"or r ≤ {_number(reached[0])}"))
    rows.append(("Hidden by others", f"σ {_number(adversary.sigma0)}", _hiders(adversary)))
    rows.append((f"λ for {parameter(goal)} nats", enough(analysis, value, goal), ""))
    return rows


def _number(value: float) -> str:
    """Return a release or a spread with three digits or two decimals."""
    size = abs(value)
    return tick(float(f"{value:.3g}")) if 0 < size < 1 or size >= 1e6 else tick(round(value, 2))


def _hiders(adversary: GaussianAdversary) -> str:
    names = adversary.unknown
    if not names:
        return "none is left unknown"
    return f"from {count(len(names), 'tuple')}" if len(names) > 1 else f"from {isolate(shorten(names[0]))}"


def facts(
    svg: Svg,
    analysis: GaussianAnalysis,
    nodes: Nodes,
    case: GaussianCase,
    adversary: GaussianAdversary,
    goal: float,
    w: float,
) -> float:
    """Write what leaks to the chosen adversary; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    analysis
        The analysis.
    nodes
        All adversaries.
    case, adversary
        The chosen adversary.
    goal
        What all adversaries may learn at most, nats.
    w
        Room in px.
    """
    svg.line(0, 0.5, w, 0.5, stroke="line2")
    y = 3.0
    for line in wrap(heading(case.case), w - 4, 13.5, most=3):
        y += 17
        svg.text(0, y, line, size=13, weight=600)
    promise, value = analysis.promise, case.case.leakage
    shown = nodes.number(nodes.chosen)
    y += 36
    svg.spans(0, y, [(shown, {"size": 26, "weight": 600}), (" nats", {"fill": "ink2"})])
    right = max(132.0, width(shown, 26, True) + 52)
    kind: Mark = "limit" if case.limit else "exact"
    mark(svg, kind, right, y - 18, 4)
    words = "exact, determined" if adversary.determined else "exact, a limit" if case.limit else "exact"
    svg.text(right + 10, y - 14, words)
    if above(value, promise):
        mark(svg, "over", right, y - 2, 4.5)
        svg.text(right + 10, y + 2, f"{leakage(value - promise)} over", fill="over")
    else:
        svg.text(right + 10, y + 2, "the promise holds", fill="ink2")
    _axis(svg, 4, y + 24, w - 16, promise, [(kind, value)])
    y += 68
    for name, number, note in adversary_facts(analysis, adversary, value, goal):
        svg.text(0, y, name, fill="ink2")
        end = max(156.0, width(name) + 8 + width(number))
        svg.text(end, y, number, anchor="end")
        if note:
            svg.text(end + 8, y, fit(note, w - end - 8), fill="ink2")
        y += 20
    return y


def strip(svg: Svg, analysis: GaussianAnalysis, largest: GaussianCase, w: float) -> float:
    """Draw what is promised, what is true, what was printed and what always holds; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    analysis
        The analysis.
    largest
        The adversary that learns most.
    w
        Room in px.
    """
    promise, value = analysis.promise, largest.case.leakage
    svg.rect(0, 0, w, _STRIP, fill="tint")
    svg.path(f"M0 .5H{w:g}M0 {_STRIP - 0.5:g}H{w:g}", stroke="line2")
    kind: Mark = "limit" if largest.limit else "exact"
    shown = leakage(value, promise)
    note = moved(analysis.max_change, analysis.model.unit)
    cells: list[tuple[Mark, str, str, str, str, float]] = [
        ("promise", promise_name(analysis.weights), leakage(promise), "ink", note, 150),
        (
            kind,
            "Exact worst, a limit" if largest.limit else "Exact worst",
            shown,
            "over" if above(value, promise) else "ink",
            short_case(largest.case),
            180,
        ),
        ("paper", "Paper’s Theorem 6", shown, "paper", "exact for everyone", 120),
        ("bound", "Bound for any matrix", "∞", "ink", "grows with the others’ spread", 170),
    ]
    x = 12.0
    for drawn, name, number, tone, note, room in cells:
        mark(svg, drawn, x + 5, 17, 4)
        svg.text(x + 15, 21, name, fill="ink2")
        svg.text(x, 47, number, size=20, weight=600, fill=tone)
        svg.text(x, 68, fit(note, room), fill="ink2")
        x += min(room, max(width(note), width(name) + 16, width(number, 20, True))) + 24
    left, end = x + 8, w - 20
    at, _, exact = _axis(svg, left, 48, end - left, promise, [("paper", value), (kind, value)])
    if exact - at > 60:
        svg.text(at, 32, "promise", anchor="middle" if at > left + 20 else "start", fill="promise")
        late = exact > end - 70
        words = {"anchor": "end" if late else "middle", "weight": 600}
        svg.text(end if late else exact, 32, "exact = Theorem 6", **words)
    else:
        svg.text(left, 32, "exact = Theorem 6", weight=600)
    return _STRIP
