"""Panels of a stream's picture: the law of the stream, the release as text, the audit strip."""

from __future__ import annotations

import math

import numpy as np

from pdp_widgets.models.markov_chain import MarkovChain
from pdp_widgets.publish.formatting import bound, count, fixed, leakage, parameter, probability
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, width, wrap
from pdp_widgets.publish.marks import Mark, mark
from pdp_widgets.publish.stream_window import LINES, StreamWindow
from pdp_widgets.publish.stream_wording import (
    StreamCase,
    chance,
    delta_words,
    errors_name,
    kept_words,
    void_words,
)
from pdp_widgets.publish.svg import Svg

__all__ = ["audit_strip", "model_panel", "release_panel", "transition_panel"]

#: More states have no grid of their transitions in a picture.
MOST_GRID = 7
_ROW, _STRIP = 24.0, 82.0


def model_panel(svg: Svg, shown: StreamWindow, source: tuple[str, str], w: float) -> float:
    """Draw the law of the stream, and say what is released if not drawn symbols; return the height taken."""
    chain = shown.run.script.segment(shown.run.steps + 1).chain
    y = transition_panel(svg, chain, w)
    change = shown.case.change
    said = []
    if change is not None:
        said.append(f"Changed after step {change.step - 1:,}: was {change.before}.")
    text, note = source
    if text:
        said.append(f"Released: {text}.")
    if note:
        said.append(note)
    for sentence in said:
        for line in wrap(sentence, w, 12, most=4):
            svg.text(0, y + 8, line, fill="ink2")
            y += 16
        y += 4
    return y


def transition_panel(svg: Svg, chain: MarkovChain, w: float) -> float:
    """Draw transition probabilities and the law of the first symbol; return the height taken."""
    y = panel(svg, w, "Model", right="transition probabilities") + 8
    if chain.order == 2 or chain.n > MOST_GRID:
        order = "second" if chain.order == 2 else "first"
        rows = chain.n**chain.order
        said = (
            f"{count(chain.n, 'state')}, {order} order: {count(rows, 'row')} of transitions, see the tables."
        )
        for line in wrap(said, w, 12, most=3):
            svg.text(0, y + 4, line, fill="ink2")
            y += 16
    else:
        y = _grid(svg, chain, w, y)
    if chain.n == 2:
        name = fit(f"Start, P(first is {clean(chain.states[1])})", w - 50)
        svg.text(0, y + 8, name, fill="ink2")
        svg.text(w, y + 8, chance(float(chain.start[1])), anchor="end")
        return y + 22
    likely = np.argsort(-chain.start, kind="stable")[:3]
    words = ", ".join(
        f"{fit(clean(chain.states[int(k)]), 60)} {chance(float(chain.start[k]))}" for k in likely
    )
    more = "" if chain.n <= 3 else f" and {chain.n - 3} more"
    for line in wrap(f"Start: {words}{more}", w, 12, most=2):
        svg.text(0, y + 8, line, fill="ink2")
        y += 16
    return y + 6


def _grid(svg: Svg, chain: MarkovChain, w: float, y: float) -> float:
    n = chain.n
    head = min(72.0, max(40.0, max(width(clean(s)) for s in chain.states) + 6))
    cell = (w - head) / n
    size = 12 if cell >= 38 else 10
    svg.text(0, y + 4, "from, to", fill="ink2", size=11 if head < 50 else 12)
    for k, state in enumerate(chain.states):
        svg.text(head + (k + 1) * cell - 6, y + 4, fit(clean(state), cell - 8), anchor="end", fill="ink2")
    y += 12
    svg.line(0, y, w, y, stroke="ink2")
    decimals = 2 if n > 4 else 3
    for j, state in enumerate(chain.states):
        svg.text(0, y + 16, fit(clean(state), head - 6))
        for k in range(n):
            value = float(chain.transitions[j, k])
            text = chance(value) if n <= 3 else probability(value, decimals)
            svg.text(head + (k + 1) * cell - 6, y + 16, text, anchor="end", size=size)
        y += _ROW
        svg.line(0, y, w, y, stroke="line")
    return y + 10


def release_panel(svg: Svg, shown: StreamWindow, w: float) -> float:
    """Write budget, mechanisms, composition, seed and distance; return the height taken."""
    case, script = shown.case, shown.run.script
    y = panel(svg, w, "Release") + 12
    budget = "∞" if math.isinf(case.epsilon) else parameter(case.epsilon)
    rows = [("Budget ε, nats per step", budget, True)]
    if "crr" in shown.keys and 0 < case.epsilon < 700:
        rows.append(("Valid while beliefs ≥ 1/(1+e^ε)", probability(1 / (1 + math.exp(case.epsilon))), False))
    rows.append(("Composition, δ", delta_words(case.delta), False))
    rows.append(("Seed", str(script.seed), False))
    rows.append(
        ("Errors counted in", "wrong symbols" if case.distance == "hamming" else case.distance, False)
    )
    for name, value, strong in rows:
        svg.text(0, y, name, fill="ink2")
        svg.text(w, y, fit(value, w - width(name) - 6), anchor="end", weight=600 if strong else 400)
        y += 21
    svg.text(0, y, "Mechanisms", fill="ink2")
    for lane in case.lanes:
        colour, dashes = LINES[lane.line % len(LINES)]
        y += 20
        svg.path(
            f"M2 {y - 4:g}h20",
            stroke=colour,
            stroke_width=2.5,
            **({"stroke_dasharray": dashes} if dashes else {}),
        )
        svg.text(30, y, fit(lane.short, w - 30, 12, True), weight=600)
    return y + 8


def audit_strip(svg: Svg, case: StreamCase, w: float) -> float:
    """Draw the promise, the worst step of each mechanism, composition and errors; return the height."""
    svg.rect(0, 0, w, _STRIP, fill="tint")
    svg.path(f"M0 .5H{w:g}M0 {_STRIP - 0.5:g}H{w:g}", stroke="line2")
    none, many = not case.steps, len(case.lanes)
    promise = None if math.isinf(case.promise) else case.promise
    each = (w - 24) / (many + (3.6 if many < 3 else 4.6))
    cells: list[tuple[Mark, str, str, str, str, float]] = [
        (
            "promise",
            "Promise per step",
            leakage(case.promise),
            "ink",
            "nats, every step" if case.steady else "nats, the last step",
            each,
        )
    ]
    for lane in case.lanes:
        over = lane.first_over is not None
        value = "–" if none else leakage(lane.largest, promise)
        note = "" if none else f"largest, {kept_words(lane, case.steps)}"
        cells.append(("exact", lane.short, value, "over" if over else "ink", note, each))
    least = min(case.linear, case.advanced)
    void = f"; {void_words(case)}" if case.broken else ""
    note = "" if none else f"linear {bound(case.linear)}, advanced {bound(case.advanced)}{void}"
    cells.append(
        (
            "bound",
            f"Composition, {count(case.steps, 'step')}",
            "–" if none else bound(least),
            "ink",
            note,
            (1.4 if many < 3 else 1.7) * each,
        )
    )
    errors = " / ".join(fixed(lane.error, 2) for lane in case.lanes)
    expected = " / ".join(fixed(lane.expected, 2) for lane in case.lanes)
    cells.append(
        (
            "limit",
            errors_name(case.distance),
            "–" if none else errors,
            "ink",
            "" if none else f"expected {expected}",
            (1.2 if many < 3 else 1.9) * each,
        )
    )
    x = 12.0
    for drawn, name, number, tone, note, room in cells:
        mark(svg, drawn, x + 5, 17, 4)
        svg.text(x + 15, 21, fit(name, room - 24), fill="ink2")
        size = 20 if width(number, 20, True) < room - 8 else 14
        svg.text(x, 45, fit(number, room - 8, size, True), size=size, weight=600, fill=tone)
        for k, line in enumerate(wrap(note, room - 10, 11, most=2)):
            svg.text(x, 61 + 13 * k, line, fill="ink2", size=11)
        x += room
    return _STRIP
