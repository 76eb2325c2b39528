"""The graph of dependent tuples: a card each, frames around independent blocks, coefficients on the edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, hypot

from pdp_widgets.publish.dependence_shown import KINDS, ShownDependence
from pdp_widgets.publish.formatting import leakage, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, width, wrap
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.palette import hexadecimal, ink_on, magnitude_domain, viridis
from pdp_widgets.publish.svg import Svg, joined

__all__ = ["CardPlace", "Frame", "graph_panel", "placed"]

_HIGH, _TALL, _PAD = 296.0, 52.0, 10.0
#: More tuples than this are not drawn together: those of the chosen block alone, the closest ones.
_MOST = 12
_ROWS = 3


@dataclass(frozen=True)
class CardPlace:
    """Where a tuple stands: middle of its card, px, and in which column of its block."""

    tuple: int
    x: float
    y: float
    column: int


@dataclass(frozen=True)
class Frame:
    """A frame around a block, px."""

    x: float
    y: float
    w: float
    h: float
    words: str


def _drawn(shown: ShownDependence) -> list[tuple[int, ...]]:
    """Return the blocks that are drawn, the chosen one first."""
    first, *rest = shown.blocks
    if shown.n <= _MOST:
        return [first, *rest]
    near = shown.coefficients["mean"][shown.target] + shown.coefficients["exact"][shown.target]
    others = sorted((j for j in first if j != shown.target), key=lambda j: -float(near[j]))
    return [(shown.target, *sorted(others[: _MOST - 1]))]


def _columns(rest: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """Return the other blocks by column: short ones share one, a long one has several of its own."""
    found: list[list[tuple[int, ...]]] = []
    for block in rest:
        if found and sum(map(len, found[-1])) + len(block) <= _ROWS and len(block) == 1:
            found[-1].append(block)
        else:
            found.append([block])
    return found


def placed(shown: ShownDependence, w: float) -> tuple[list[CardPlace], list[Frame], float, int]:
    """Return places of cards, frames around blocks, the width of a card, and how many tuples are left out.

    Parameters
    ----------
    shown
        The results with a chosen tuple.
    w
        Room in px.
    """
    blocks = _drawn(shown)
    while True:
        first, *rest = blocks
        own = ceil((len(first) - 1) / _ROWS)
        columns = _columns(rest)
        wide = sum(max(ceil(len(block) / _ROWS) for block in column) for column in columns)
        cards = 1 + own + wide
        frames = 1 + len(columns)
        link = 60.0 if own else 0.0
        card = min(66.0, (w - link - frames * 2 * _PAD - (cards - 1) * 8) / cards)
        if card >= 48 or len(blocks) == 1:
            break
        blocks = blocks[:-1]
    spare = w - link - frames * 2 * _PAD - (cards - 1) * 8 - cards * card
    link += min(spare, 70.0) if own else 0.0
    spare = max(0.0, spare - 70.0 if own else spare)
    gap = 8 + min(24.0, spare / max(1, cards + frames))
    cells: list[CardPlace] = []
    found: list[Frame] = []
    # The chosen one stands at the left of its block, the others beside it.
    x = _PAD + card / 2
    cells.append(CardPlace(shown.target, x, _HIGH / 2 + 12, 0))
    others = [j for j in first if j != shown.target]
    if others:
        x += card + link
        x = _stack(cells, others, x, card + gap, 1, 4, _HIGH)
    right = x + card / 2 + _PAD
    found.append(Frame(0, 0, right, _HIGH, _block_words(len(first), len(shown.blocks[0]))))
    for column in columns:
        left = right + 6
        parts = sum(len(block) for block in column)
        y = 0.0
        end = left
        for block in column:
            tall = (
                _HIGH if len(column) == 1 and len(block) > 1 else _HIGH * max(len(block), 1) / max(parts, 2)
            )
            inner = left + _PAD + card / 2
            at = _stack(cells, list(block), inner, card + gap, 0, y + 4, y + tall)
            end = max(end, at + card / 2 + _PAD)
            found.append(Frame(left, y, end - left, tall - 4, _block_words(len(block), len(block))))
            y += tall
        right = end
    # What is left goes between the cards.
    wider = min(1.8, w / right)
    cells = [replace(cell, x=cell.x * wider) for cell in cells]
    found = [replace(frame, x=frame.x * wider, w=frame.w * wider) for frame in found]
    return cells, found, card, shown.n - len(cells)


def _stack(
    cells: list[CardPlace],
    tuples: Sequence[int],
    x: float,
    step: float,
    column: int,
    top: float,
    foot: float,
) -> float:
    """Put cards into columns of three; return the middle of the last column."""
    many = ceil(len(tuples) / _ROWS)
    each = ceil(len(tuples) / many)
    for at in range(many):
        part = tuples[at * each : (at + 1) * each]
        room = (foot - top - 20) / len(part)
        for k, j in enumerate(part):
            cells.append(CardPlace(j, x + at * step, top + 20 + room * (k + 0.5), column + at))
    return x + (many - 1) * step


def _block_words(drawn: int, whole: int) -> str:
    if drawn < whole:
        return f"{drawn} of a block of {whole:,}"
    return {1: "alone", 2: "pair"}.get(whole, f"block of {whole}")


def graph_panel(svg: Svg, shown: ShownDependence, w: float) -> float:
    """Draw the graph, its caption and its key; return the height taken."""
    top = panel(svg, w, "What leaks", "exact, nats; arrows carry ρ of the chosen tuple")
    piece = Svg(svg.sheet)
    cells, frames, card, out = placed(shown, w)
    for frame in frames:
        piece.rect(
            frame.x + 1,
            frame.y + 1,
            frame.w - 2,
            frame.h - 2,
            8,
            fill="none",
            stroke="line2",
            stroke_dasharray="1 3",
            stroke_linecap="round",
        )
        piece.text(frame.x + 8, frame.y + 15, fit(frame.words, frame.w - 12, 11), fill="ink2", size=11)
    _edges(piece, shown, cells, card)
    low, high = magnitude_domain(shown.exact.tolist(), shown.epsilon)
    for cell in cells:
        _card(piece, shown, cell, card, (float(shown.exact[cell.tuple]) - low) / (high - low))
    svg.put(piece, 0, top)
    y = top + _HIGH + 4
    for line in wrap(_caption(shown, cells, out), w, 11, most=4):
        y += 16
        svg.text(0, y, line, fill="ink2", size=11)
    piece = Svg(svg.sheet)
    tall = _key(piece, shown, w, low, high)
    svg.put(piece, 0, y + 8)
    return y + 8 + tall


def _caption(shown: ShownDependence, cells: Sequence[CardPlace], out: int) -> str:
    said = ["Frames are blocks, independent of each other."] if len(shown.blocks) > 1 else []
    errors = [shown.error(cell.tuple) for cell in cells]
    if shown.paper and any(errors):
        badges = [f"badge {side}: too {what}" for side, what, sign in _BADGES if sign in errors]
        said.append(f"Second number: the paper’s estimate DS/σ where it differs; {', '.join(badges)}.")
    drawn = [cell.tuple for cell in cells]
    exact = shown.coefficients["exact"]
    if any(exact[shown.target, j] == 0 for j in drawn if j != shown.target and j in shown.blocks[0]):
        said.append("Dashed: ρ exact is 0.")
    if out:
        said.append(f"{out:,} more {'tuple is' if out == 1 else 'tuples are'} not drawn.")
    return " ".join(said)


_BADGES = (("down", "low", -1), ("up", "high", 1))


def _edges(svg: Svg, shown: ShownDependence, cells: Sequence[CardPlace], card: float) -> None:
    block = set(shown.blocks[0])
    exact = shown.coefficients["exact"]
    start = cells[0]
    labels = len([cell for cell in cells if cell.tuple in block]) <= 4
    for k, a in enumerate(cells):
        for b in cells[k + 1 :]:
            together = any(a.tuple in block and b.tuple in block for block in shown.blocks)
            if a is start or not together or (not labels and svg.sheet.detail < 2):
                continue
            rho = float(max(exact[a.tuple, b.tuple], exact[b.tuple, a.tuple]))
            dash = "5 4" if rho == 0 else "none"
            svg.line(
                a.x,
                a.y,
                b.x,
                b.y,
                stroke="ink2",
                stroke_width=round(1 + 8 * rho if rho else 1.5, 0),
                stroke_dasharray=dash,
            )
            between = any(c.x == a.x and min(a.y, b.y) < c.y < max(a.y, b.y) for c in cells)
            if labels and a.x == b.x and not between and abs(a.y - b.y) > _TALL + 18:
                x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
                text = leakage(rho)
                long = width(text, 11) + 6
                svg.rect(x - long / 2, y - 9, long, 16, fill="bg")
                svg.text(x, y + 3, text, anchor="middle", fill="ink2", size=11)
    for cell in cells[1:]:
        if cell.tuple in block:
            _arrow(svg, shown, start, cell, card, 8 if labels else 2)
    for cell in cells[1:]:
        if cell.tuple in block and cell.column == 1:
            _label(svg, shown, start, cell, card, labels)


def _arrow(svg: Svg, shown: ShownDependence, a: CardPlace, b: CardPlace, card: float, thick: float) -> None:
    rho = float(shown.coefficients["exact"][a.tuple, b.tuple])
    long = hypot(b.x - a.x, b.y - a.y)
    ux, uy = (b.x - a.x) / long, (b.y - a.y) / long
    # The tip touches the card at whichever side the line comes to.
    back = min(
        (card / 2 + 2) / abs(ux) if ux else long,
        (_TALL / 2 + 2) / abs(uy) if uy else long,
    )
    x, y = b.x - ux * back, b.y - uy * back
    svg.line(
        a.x,
        a.y,
        x - ux * 6,
        y - uy * 6,
        stroke="ink",
        stroke_width=round(1 + thick * rho if rho else 1.5, 0),
        stroke_dasharray="5 4" if rho == 0 else "none",
    )
    left, right = (-9 * ux - 4 * uy, -9 * uy + 4 * ux), (-9 * ux + 4 * uy, -9 * uy - 4 * ux)
    svg.path(
        f"M{joined(x, y)}L{joined(x + left[0], y + left[1])}L{joined(x + right[0], y + right[1])}z",
        fill="ink",
    )


def _label(svg: Svg, shown: ShownDependence, a: CardPlace, b: CardPlace, card: float, full: bool) -> None:
    """Write the coefficients of an edge on it, the one in use in bold."""
    kinds = KINDS if full else (shown.kind,)
    wide, tall = (76.0, 50.0) if full else (38.0, 17.0)
    wide = min(wide, b.x - a.x - card - 12)
    if wide < 30:
        return
    # Halfway between the cards.
    x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
    ring = b.tuple == shown.other
    svg.rect(
        x - wide / 2,
        y - tall / 2,
        wide,
        tall,
        3,
        fill="bg",
        stroke="brand" if ring else "line2",
        stroke_width=2 if ring else 1,
    )
    for k, kind in enumerate(kinds):
        at = y - tall / 2 + 14 + 15 * k if full else y + 4
        strong = 600 if kind == shown.kind else 400
        text = leakage(float(shown.coefficients[kind][a.tuple, b.tuple]))
        tone = "ink" if kind == shown.kind else "ink2"
        if full and wide >= 70:
            svg.text(x - wide / 2 + 6, at, kind, size=11, weight=strong, fill=tone)
            svg.text(x + wide / 2 - 6, at, text, size=11, weight=strong, anchor="end")
        else:
            svg.text(x, at, text, size=11, weight=strong, anchor="middle")


def _card(svg: Svg, shown: ShownDependence, cell: CardPlace, card: float, share: float) -> None:
    j = cell.tuple
    step = round(share * 48) / 48
    day, night = viridis(step, False), viridis(step, True)
    fill = hexadecimal(day), hexadecimal(night)
    ink = ink_on(day), ink_on(night)
    left, top = cell.x - card / 2, cell.y - _TALL / 2
    if j == shown.target:
        svg.rect(left - 4, top - 4, card + 8, _TALL + 8, 6, fill="bg", stroke="brand", stroke_width=2)
    svg.rect(left, top, card, _TALL, 3, fill=fill)
    error = shown.error(j) if shown.paper else 0
    svg.text(
        cell.x,
        top + 14,
        fit(shown.names[j], card - 6, 11, True),
        anchor="middle",
        size=11,
        weight=600,
        fill=ink,
    )
    value = leakage(float(shown.exact[j]), shown.epsilon)
    size = 14 if width(value, 14, True) <= card - 4 else 11
    svg.text(cell.x, top + 31, value, anchor="middle", size=size, weight=600, fill=ink)
    if error:
        printed = leakage(float(shown.printed[j]), float(shown.exact[j]))
        svg.text(cell.x, top + 46, fit(printed, card - 4, 11), anchor="middle", size=11, fill=ink)
        mark(svg, "low" if error < 0 else "high", left + card - 1, top + 1, 7)
    if j == shown.most and shown.n > 1:
        svg.rect(left - 4, top - 17, 28, 13, 2, fill="ink")
        svg.text(left + 10, top - 7, "max", anchor="middle", size=10, weight=600, fill="bg")


def _key(svg: Svg, shown: ShownDependence, w: float, low: float, high: float) -> float:
    """Draw colour key, one dot a tuple, and the promise."""
    bar = 34.0

    def x(value: float) -> float:
        return (value - low) / (high - low) * w

    stops = [(hexadecimal(viridis(k / 8, False)), hexadecimal(viridis(k / 8, True))) for k in range(9)]
    svg.gradient(0, bar, w, 8, stops)
    heights: dict[int, int] = {}
    for j in sorted(range(shown.n), key=lambda j: j != shown.target)[:80]:
        column = round(x(float(shown.exact[j])) / 8)
        level = heights[column] = heights.get(column, 0) + 1
        if level > 3:
            continue
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
    at = x(most)
    room = at + 8 + width(words, 12, True) <= w
    svg.text(at + 8 if room else at - 8, bar - 4, words, anchor="start" if room else "end", weight=600)
    for value, anchor in ((low, "start"), ((low + high) / 2, "middle"), (high, "end")):
        svg.text(
            x(value), bar + 22, tick(value) + (" nats" if value == high else ""), anchor=anchor, fill="ink2"
        )
    return bar + 28
