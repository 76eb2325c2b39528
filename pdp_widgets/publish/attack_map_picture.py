"""Maps of beliefs for the picture of inferred places: cells, marks and the key that all maps share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.inference.inference_attack import InferenceAttack
from pdp_widgets.publish.attack_wording import km
from pdp_widgets.publish.formatting import fixed, tick
from pdp_widgets.publish.labels import width
from pdp_widgets.publish.palette import hexadecimal, viridis
from pdp_widgets.publish.svg import Style, Svg, number, polyline, strokes

__all__ = ["CAPTION", "ESTIMATE", "RIM", "Frame", "belief_map", "map_frame", "map_key", "scale_end"]

Floats = NDArray[np.float64]
Point = tuple[float, float]

#: Colour of estimates and of what is noisy.
ESTIMATE = ("#8f4682", "#d9a0cf")
#: Ends of the colour scale.
_TOPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
#: Shades by detail, cells a side that are drawn one by one in the lowest, and friends that are marked.
_SHADES, _COARSE, _FRIENDS = (5, 8, 14), 16, (8, 16, 40)
#: A map is drawn true to scale between these shapes, height by width.
_FLATTEST, _TALLEST = 0.4, 1.3
#: Nearer than this the guess needs no line to the truth, px.
_NEAR = 18.0
_HALO: dict[str, Style] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}
#: Height above a map for what it shows: the marks of places at the rim reach out of the map.
CAPTION = 28.0
#: How far the mark of the truth reaches.
RIM = 14.0


@dataclass(frozen=True)
class Frame:
    """A map of one city, px: x grows to the east, y to the south.

    Parameters
    ----------
    width, height
        Of the map.
    grid
        Cells a side.

    Examples
    --------
    >>> Frame(260.0, 240.0, 20).place((0.5, 0.25))
    (65.0, 120.0)
    """

    width: float
    height: float
    grid: int

    def place(self, point: Sequence[float] | Floats) -> Point:
        """Return px of a place in the unit square, to the north and to the east."""
        return float(point[1]) * self.width, (1 - float(point[0])) * self.height

    def middle(self, cell: int) -> Point:
        """Return px of the middle of a cell."""
        return self.place(((cell // self.grid + 0.5) / self.grid, (cell % self.grid + 0.5) / self.grid))


def map_frame(attack: InferenceAttack, room: float) -> Frame:
    """Return a map that is true to scale where the city is not too long for that."""
    north, east = attack.network.size_km
    shape = max(_FLATTEST, north / east if north > 0 and east > 0 else 1.0)
    tall = round(room * min(_TALLEST, shape))
    return Frame(round(min(room, max(tall / shape, room * _FLATTEST))), tall, attack.grid)


def scale_end(attack: InferenceAttack) -> float:
    """Return where the colours of all maps end: the least round end not below the largest probability.

    Examples
    --------
    >>> from pdp_widgets import synthetic_network
    >>> scale_end(InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4, epsilon=0.1))
    0.1
    """
    both = (attack.attack_1, attack.attack_2)
    most = max(float(max(one.prior.max(), one.posterior.max())) for one in both)
    return next((end for end in _TOPS if most <= end * (1 + 1e-9)), 1.0)


def belief_map(svg: Svg, attack: InferenceAttack, which: int, after: bool, room: float) -> float:
    """Draw what one attack believes before or after the release, with its marks; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    attack
        The attack.
    which
        1 or 2.
    after
        After the release, or before it.
    room
        Width in px.
    """
    result = attack.attack_1 if which == 1 else attack.attack_2
    frame = map_frame(attack, room)
    known = fixed(result.score.after_bits if after else result.score.before_bits, 2)
    svg.text(
        0, 12, f"{'after the release' if after else 'before: prior'}, H = {known} bits", size=11, **_HALO
    )
    piece = Svg(svg.sheet)
    belief = result.posterior if after else result.prior
    _cells(piece, belief, result.prior, frame, scale_end(attack))
    w, h = number(frame.width - 1), number(frame.height - 1)
    piece.path(f"M.5 .5h{w}v{h}H.5z", stroke="line2")
    cell = result.cell if after else result.cell_before
    _marks(piece, attack, which, after, cell, frame)
    _error(piece, attack, which, after, cell, frame)
    _scale_bar(piece, attack.network.size_km[1], frame)
    svg.put(piece, 0, CAPTION)
    return CAPTION + frame.height


def _cells(svg: Svg, belief: Floats, prior: Floats, frame: Frame, end: float) -> None:
    """Draw cells row by row; neighbours of one shade are one stroke. A cell without prior stays blank."""
    detail, side = svg.sheet.detail, frame.grid
    shades = _SHADES[detail]
    values, there = belief.reshape(side, side), (prior > 0).reshape(side, side)
    block = -(-side // _COARSE) if detail == 0 else 1
    edges = np.arange(0, side, block)
    if block > 1:
        sums = [np.add.reduceat(np.add.reduceat(one, edges, 0), edges, 1) for one in (values, there * 1.0)]
        there = sums[1] > 0
        values = np.divide(sums[0], sums[1], out=np.zeros_like(sums[0]), where=there)
    steps = np.where(there, np.rint(np.sqrt(np.clip(values / end, 0, 1)) * shades), -1).astype(int)
    wide, tall = frame.width / side, frame.height / side
    runs: dict[int, tuple[list[Point], list[float]]] = {}
    ends = [*edges.tolist(), side]
    for row in reversed(range(len(edges))):
        middle = frame.height - tall * (ends[row] + ends[row + 1]) / 2
        line = steps[row].tolist()
        begin = 0
        for column in range(1, len(line) + 1):
            if column < len(line) and line[column] == line[begin]:
                continue
            if line[begin] >= 0:
                starts, lengths = runs.setdefault(line[begin], ([], []))
                starts.append((wide * ends[begin], middle))
                lengths.append(wide * (ends[column] - ends[begin]))
            begin = column
    for step, (starts, lengths) in sorted(runs.items()):
        colour = (
            hexadecimal(viridis(step / shades, False)),
            hexadecimal(viridis(step / shades, True)),
        )
        svg.path(strokes(starts, "h", lengths), stroke=colour, stroke_width=tall * block)
    if detail > 0 and min(wide, tall) >= 5:
        # Dashes of a broad stroke are all lines at once.
        lines: list[tuple[str, float, float]] = [
            (f"M{number(wide - 0.5)} {number(frame.height / 2)}H{number(frame.width)}", frame.height, wide),
            (f"M{number(frame.width / 2)} {number(tall - 0.5)}V{number(frame.height)}", frame.width, tall),
        ]
        for data, broad, gap in lines:
            svg.path(data, stroke="bg", stroke_width=broad, stroke_dasharray=f"1 {gap - 1:.4g}")


def _friends(attack: InferenceAttack, detail: int) -> list[Floats]:
    """Return places of known friends that are marked, those nearest to the victim."""
    points = attack.network.points
    friends = points[np.searchsorted(attack.network.users, attack.known_friends)]
    far = ((friends - points[attack.position]) ** 2).sum(axis=1)
    return list(friends[np.argsort(far, kind="stable")[: _FRIENDS[detail]]])


def _marks(svg: Svg, attack: InferenceAttack, which: int, after: bool, cell: int, frame: Frame) -> None:
    if which == 2:
        friends = [frame.place(one) for one in _friends(attack, svg.sheet.detail)]
        if not after:
            for at in friends:
                _reach(svg, at, attack.radius, frame)
        for x, y in friends:
            data = f"M{round(x)} {round(y - 5)}l5 8h-10z"
            svg.shape(data, fill="bg", stroke="ink", stroke_width=1.5, stroke_linejoin="round")
    if after:
        centres = [_within(frame.place(one), frame) for one in np.clip(attack.centroids, -9, 9)]
        pluses = "".join(f"M{round(x - 4)} {round(y)}h8m-4-4v8" for x, y in centres)
        svg.path(pluses, stroke="bg", stroke_width=4)
        svg.path(pluses, stroke=ESTIMATE, stroke_width=2)
    truth_mark(svg, *frame.place(attack.network.points[attack.position]))
    guess_mark(svg, *frame.middle(cell))


def _within(at: Point, frame: Frame) -> Point:
    """Return a place on the map; what is outside stands at the rim."""
    return min(frame.width - 5, max(5.0, at[0])), min(frame.height - 5, max(5.0, at[1]))


def _reach(svg: Svg, at: Point, radius: float, frame: Frame) -> None:
    """Draw how far a friend makes cells likelier, as far as that is on the map."""
    (x, y), across, down = at, radius * frame.width, radius * frame.height
    style: dict[str, Style] = {"stroke": "ink2", "stroke_dasharray": "1 3", "stroke_linecap": "round"}
    inside = across <= x <= frame.width - across and down <= y <= frame.height - down
    if inside:
        # An arc whose ends meet but for a tenth of a pixel is a whole ellipse.
        arc = f"a{number(across)} {number(down)} 0 1 1 .1 0z"
        svg.shape(f"M{round(x)} {number(y + down)}{arc}", **style)
        return
    run: list[Point] = []
    for k in range(49):
        turn = math.tau * k / 48
        px, py = x + across * math.cos(turn), y + down * math.sin(turn)
        if 0 <= px <= frame.width and 0 <= py <= frame.height:
            run.append((px, py))
        elif run:
            svg.shape(polyline(run), **style)
            run = []
    if run:
        svg.shape(polyline(run), **style)


def truth_mark(svg: Svg, x: float, y: float, size: float = 1) -> None:
    """Draw a cross-hair ring."""
    r, arm = 9 * size, number(8 * size)
    out = r + 4 * size
    svg.circle(x, y, r, fill="none", stroke="bg", stroke_width=4 * size)
    svg.circle(x, y, r, fill="none", stroke="ink", stroke_width=2)
    data = f"M{number(x - out)} {number(y)}h{arm}M{number(x + out)} {number(y)}h-{arm}"
    data += f"M{number(x)} {number(y - out)}v{arm}M{number(x)} {number(y + out)}v-{arm}"
    svg.path(data, stroke="ink", stroke_width=2)


def guess_mark(svg: Svg, x: float, y: float, side: float = 16) -> None:
    """Draw a square in the colour of the host."""
    data = f"M{number(x - side / 2)} {number(y - side / 2)}h{number(side)}v{number(side)}h{number(-side)}z"
    svg.path(data, stroke="bg", stroke_width=5)
    svg.path(data, stroke="brand", stroke_width=2.5)


def _error(svg: Svg, attack: InferenceAttack, which: int, after: bool, cell: int, frame: Frame) -> None:
    """Join guess and truth, and write how far apart they are where it covers least."""
    result = attack.attack_1 if which == 1 else attack.attack_2
    truth, guess = frame.place(attack.network.points[attack.position]), frame.middle(cell)
    apart = math.dist(truth, guess)
    if apart > _NEAR:
        a, b = (
            (p[0] + (q[0] - p[0]) * r / apart, p[1] + (q[1] - p[1]) * r / apart)
            for p, q, r in ((truth, guess, 9.0), (guess, truth, 8.0))
        )
        svg.line(*a, *b, stroke="bg", stroke_width=4)
        svg.line(*a, *b, stroke="ink", stroke_width=1.5, stroke_dasharray="5 3")
    words = f"{km(result.error_km if after else result.error_before_km)} km"
    room = width(words, 12, True)
    taken = [truth, guess]
    if which == 2:
        taken += [frame.place(one) for one in _friends(attack, svg.sheet.detail)]
    x, y = _free_place(truth, guess, room, taken, frame)
    svg.text(x, y, words, weight=600, **_HALO)


def _free_place(truth: Point, guess: Point, room: float, taken: Iterable[Point], frame: Frame) -> Point:
    """Return where a text of some width begins so that it covers as few marks as can be."""
    middle = ((truth[0] + guess[0]) / 2, (truth[1] + guess[1]) / 2)
    places = [(middle[0] + 10, middle[1] + 4), (middle[0] - 10 - room, middle[1] + 4)]
    places += [(middle[0] - room / 2, middle[1] + up) for up in (18, -10, 34, -26)]
    for x, y in (truth, guess):
        places += [(x + 16, y + 4), (x - 16 - room, y + 4), (x - room / 2, y + 28), (x - room / 2, y - 18)]
    marks = list(taken)

    def cost(place: Point) -> tuple[int, int]:
        x, y = place
        outside = x < 3 or x + room > frame.width - 3 or y < 14 or y > frame.height - 4
        foot = x < 100 and y > frame.height - 32
        covered = sum(x - 12 < px < x + room + 12 and y - 22 < py < y + 12 for px, py in marks)
        return covered + 20 * outside + 2 * foot, places.index(place)

    return min(places, key=cost)


def _scale_bar(svg: Svg, east: float, frame: Frame) -> None:
    """Draw a round length in kilometres."""
    if not east > 0:
        return
    wanted = east * 0.3
    power = 10.0 ** math.floor(math.log10(wanted))
    length = next((step for step in (5, 2, 1) if step * power <= wanted * (1 + 1e-9)), 1) * power
    px, y = length / east * frame.width, frame.height - 11
    words = f"{tick(length)} km" if length >= 1 else f"{round(length * 1000)} m"
    data = f"M10 {number(y - 4)}v4h{number(px)}v-4"
    svg.path(data, stroke="bg", stroke_width=4)
    svg.path(data, stroke="ink2", stroke_width=1.5)
    svg.text(10 + px / 2, y - 7, words, size=11, anchor="middle", **_HALO)


def map_key(svg: Svg, attack: InferenceAttack, w: float) -> float:
    """Draw the colours on their square-root scale, and what the marks mean; return the height taken."""
    end, bar = scale_end(attack), min(186.0, w / 2 - 12)
    stops = [(hexadecimal(viridis(k / 8, False)), hexadecimal(viridis(k / 8, True))) for k in range(9)]
    svg.gradient(0, 2, bar, 8, stops)
    for share in (0, 0.05, 0.25, 0.5, 1):
        x = bar * math.sqrt(share)
        svg.line(x, 10, x, 14, stroke="line2")
        anchor = "start" if share == 0 else "end" if share == 1 else "middle"
        svg.text(x, 26, tick(share * end), size=11, fill="ink2", anchor=anchor)
    beside = w >= bar + 340
    x, y = (bar + 38, 8.0) if beside else (16.0, 44.0)
    truth_mark(svg, x, y, 0.6)
    svg.text(x + 13, y + 4, "truth", size=11)
    guess_mark(svg, x + 62, y, 10)
    svg.text(x + 73, y + 4, "guess", size=11)
    svg.path(f"M{number(x + 125)} {number(y - 4)}l4.8 8.4h-9.6z", fill="bg", stroke="ink", stroke_width=1.5)
    svg.text(x + 135, y + 4, "friend, near it", size=11)
    svg.path(f"M{number(x + 224)} {number(y)}h8m-4-4v8", stroke=ESTIMATE, stroke_width=2)
    svg.text(x + 237, y + 4, "noisy centre", size=11)
    blank = bool((attack.attack_1.prior == 0).any())
    inside = "; the victim is in one" if attack.attack_1.impossible else ""
    notes = [f"Blank: nobody known there, never inferred{inside}."] if blank else []
    block = -(-attack.grid // _COARSE) if svg.sheet.detail == 0 else 1
    if block > 1:
        notes.append(f"Drawn in blocks of {block} × {block} cells.")
    left, y = (bar + 26, y + 22) if beside else (0.0, y + 24)
    for k, note in enumerate(notes):
        svg.text(left, y + 15 * k, note, size=11, fill="ink2")
    return y + 15 * max(0, len(notes) - 1)
