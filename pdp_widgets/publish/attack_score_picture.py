"""What one draw of the noise told about one victim: split bars, numbers, and the mass on the true cell."""

from __future__ import annotations

import math
from collections.abc import Callable

from pdp_widgets.leakage.inference.attack_results import AttackResults
from pdp_widgets.publish.attack_wording import bits, km
from pdp_widgets.publish.formatting import probability, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import width, wrap
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.numline_picture import nice_step, ticks
from pdp_widgets.publish.svg import Span, Style, Svg, number

__all__ = ["BITS_SAY", "draws_in_words", "equal_in_words", "mass_panel", "score_panel"]

BITS_SAY = "Bits say how certain the guess is, not whether it is right."
#: Less than this, bits, is nothing.
_NOTHING = 5e-7
_ROW = 56.0


def draws_in_words(solved: AttackResults) -> str:
    """Say what many draws tell that one does not; nothing where they are not computed."""
    if solved.drawn is None:
        return ""
    one, two = solved.drawn.mean_error_km.tolist()
    many = f"One draw is chance: over {solved.drawn.draws:,} draws"
    if abs(one - two) <= 0.1 * max(one, two):
        return f"{many} the two attacks err by about the same."
    return f"{many} attack {2 if two < one else 1} errs less."


def equal_in_words(one: int, two: int) -> str:
    """Say how many cells are as likely as the guesses before the release; nothing where they stand alone.

    Examples
    --------
    >>> equal_in_words(400, 400)
    'Before the release 400 cells are equally likely: the guess is the first of them.'
    >>> equal_in_words(3, 1)
    'Before the release 3 cells are equally likely to attack 1: its guess is the first of them.'
    """

    def begin(many: int) -> str:
        return f"Before the release {many:,} cells are equally likely"

    if one == two == 1:
        return ""
    if one == two:
        return f"{begin(one)}: the guess is the first of them."
    if min(one, two) == 1:
        return f"{begin(max(one, two))} to attack {1 if one > 1 else 2}: its guess is the first of them."
    return f"{begin(one)} to attack 1 and {two:,} to attack 2: each guess is the first of them."


def score_panel(svg: Svg, solved: AttackResults, w: float) -> float:
    """Draw the printed scores, taken apart, and the errors beside them; return the height taken."""
    both = (solved.attack.attack_1, solved.attack.attack_2)
    y = panel(svg, w, "Score", "bits", right="this victim, this draw")
    values = [0.0, *(number for one in both for number in (one.prior_gap_bits, one.leaked_bits))]
    low, high = min(values), max(values)
    step = nice_step(max(high, 1e-3) - min(low, 0.0), 4)
    low, high = math.floor(low / step + 1e-9) * step, math.ceil(max(high, step / 2) / step - 1e-9) * step
    left, right = (6.0 if low < 0 else 0.0), w - 6

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    for k, one in enumerate(both):
        _bar(svg, k, one.prior_gap_bits, one.incremental_bits, one.leaked_bits, x, y, w)
        y += _ROW
    y += 8
    svg.line(x(low), y, x(high), y, stroke="line2")
    marks = ticks(low, high, 4)
    for value in marks:
        last = value == marks[-1]
        svg.line(x(value), y, x(value), y + 4, stroke="line2")
        anchor = "start" if value == marks[0] else "end" if last else "middle"
        words = tick(value) + (" bits" if last else "")
        svg.text(x(value) + (6 if last else 0), y + 16, words, size=11, fill="ink2", anchor=anchor)
    return _numbers(svg, solved, y + 42, w)


def _bar(
    svg: Svg, k: int, gap: float, adds: float, printed: float, x: Callable[[float], float], y: float, w: float
) -> None:
    svg.text(0, y + 10, f"Attack {k + 1}", weight=600)
    svg.text(w, y + 10, f"{bits(printed)} as printed", anchor="end", fill="paper")
    top, tall = y + 17, 15.0
    known = abs(gap) > _NOTHING
    if known:
        a, b = sorted((x(0.0), x(gap)))
        data = f"M{number(a)} {number(top)}h{number(b - a)}v{number(tall)}H{number(a)}z"
        hatch = "".join(
            f"M{number(at)} {number(top + tall)}l{number(min(tall, b - at))} {number(-min(tall, b - at))}"
            for at in _stripes(a, b)
        )
        svg.path(data + hatch, stroke="ink2")
    a, b = sorted((x(gap), x(printed)))
    thin = adds < 0
    svg.rect(a, top + (4 if thin else 0), max(b - a, 0.5), 7 if thin else tall, fill="ink")
    mark(svg, "paper", x(printed), top + tall / 2, 4.5)
    at = top + tall + 14
    if not known:
        svg.text(max(0.0, x(0.0)), at, f"from the release {bits(adds)}", size=11, weight=600)
        return
    first, second = f"gap {bits(gap)}", f"release {bits(adds)}"
    svg.text(0, at, first, size=11, fill="ink2")
    begin = max(width(first, 11) + 10, x(gap) + 6)
    svg.text(min(begin, w - width(second, 11, True)), at, second, size=11, weight=600)


def _stripes(a: float, b: float) -> list[float]:
    return [a + 6 * k for k in range(int((b - a) / 6) + 1) if a + 6 * k < b - 1]


def _numbers(svg: Svg, solved: AttackResults, y: float, w: float) -> float:
    """Write both small tables and what they say; return where that ends."""
    one, two = solved.attack.attack_1, solved.attack.attack_2
    h0 = bits(one.score.h0_bits)
    drawn = solved.drawn
    many = (
        ["After, mean of draws", "–", "–"]
        if drawn is None
        else [f"After, {drawn.draws:,} draws", *(km(value) for value in drawn.mean_error_km.tolist())]
    )
    tables = (
        (
            "bits",
            [
                ["Entropy H₀, alike", h0, h0],
                ["Prior gap", bits(one.prior_gap_bits), bits(two.prior_gap_bits)],
                ["Release adds", bits(one.incremental_bits), bits(two.incremental_bits)],
                ["As printed", bits(one.leaked_bits), bits(two.leaked_bits)],
            ],
        ),
        (
            "error, km",
            [
                ["Before", km(one.error_before_km), km(two.error_before_km)],
                ["After", km(one.error_km), km(two.error_km)],
                many,
            ],
        ),
    )
    for head, rows in tables:
        for place, name in ((0.0, head), (w - 52, "attack 1"), (w, "attack 2")):
            svg.text(place, y, name, size=11, fill="ink2", anchor="start" if place == 0 else "end")
        svg.line(0, y + 6, w, y + 6, stroke="line")
        for name, *cells in rows:
            y += 20
            strong = name in ("Release adds", "As printed", "After")
            style: dict[str, Style] = {"weight": 600} if strong else {}
            if name == "As printed":
                svg.line(0, y - 14, w, y - 14, stroke="line2")
                mark(svg, "paper", 6, y - 4, 4)
            # Not every font has a lowered nought.
            head, low, tail = name.partition("₀")
            lowered: list[Span] = [(head, {}), ("0" if low else "", {"size": 9}), (tail, {})]
            svg.spans(15 if name == "As printed" else 0, y, lowered, **style)
            for place, cell in zip((w - 52, w), cells, strict=True):
                svg.text(place, y, cell, anchor="end", **style)
        y += 28
    said = (draws_in_words(solved), equal_in_words(one.equal_before, two.equal_before), BITS_SAY)
    for line in wrap(" ".join(filter(None, said)), w, 11, most=7):
        svg.text(0, y - 6, line, size=11, fill="ink2")
        y += 15
    return y


def mass_panel(svg: Svg, solved: AttackResults, w: float) -> float:
    """Draw the mass on the true cell before and after the release; return the height taken."""
    y = panel(svg, w, "Mass on the true cell")
    before, after, tall = 52.0, min(162.0, w - 54), 92.0
    foot = y + 22 + tall
    for place, name in ((before, "before"), (after, "after")):
        svg.text(place, y + 8, name, size=11, fill="ink2", anchor="middle")
        svg.line(place, y + 14, place, foot + 4, stroke="line2")
    pairs = [(one.mass_before, one.mass) for one in (solved.attack.attack_1, solved.attack.attack_2)]
    most = max(max(pair) for pair in pairs)
    top = most if most > 0 else 1.0
    for side, (place, anchor) in enumerate(((before - 9, "end"), (after + 9, "start"))):
        heights = [foot - tall * pair[side] / top for pair in pairs]
        order = sorted((0, 1), key=lambda k: heights[k])
        gap = heights[order[1]] - heights[order[0]]
        shift = max(0.0, 14 - gap) / 2
        spread = {order[0]: heights[order[0]] - shift, order[1]: heights[order[1]] + shift}
        for k, pair in enumerate(pairs):
            at = spread[k] + 4
            if side == 0:
                svg.text(place, at, probability(pair[0]), anchor=anchor)
            else:
                svg.spans(place, at, [(probability(pair[1]), {"weight": 600}), (f" {k + 1}", {})])
    for k, pair in enumerate(pairs):
        a, b = (foot - tall * value / top for value in pair)
        colour = "a" if k == 0 else "b"
        style: dict[str, Style] = {"stroke": colour, "stroke_width": 2}
        if k == 0:
            style["stroke_dasharray"] = "5 2.5"
        svg.line(before, a, after, b, **style)
        svg.circle(before, a, 4, fill=colour)
        svg.circle(after, b, 4, fill=colour)
    svg.text(0, foot + 22, "dashed: attack 1, full: attack 2", size=11, fill="ink2")
    if not solved.attack.attack_2.impossible:
        return foot + 26
    foot += 22
    for line in wrap("Nobody known is there: 0 before, so 0 whatever is released.", w, 11, most=3):
        foot += 15
        svg.text(0, foot, line, size=11, fill="ink2")
    return foot + 4
