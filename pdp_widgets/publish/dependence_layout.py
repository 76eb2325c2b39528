"""Where the cards of the dependence graph stand, by the rule of js/src/dependence/graph-layout.ts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, cos, floor, pi, sin

__all__ = ["CARD", "MOST_CARDS", "Card", "Frame", "GraphLayout", "lay_out_blocks", "lay_out_neighbours"]

#: Width and height of a card, px.
CARD = (64.0, 56.0)
#: More tuples than this: only the neighbours of the chosen one.
MOST_CARDS = 12
_GAP = 8.0
_TALL, _TALL_OF_FOUR = 288.0, 330.0
#: Width of a block of three or four: the least, and the most where there is room.
_WIDE, _WIDEST = 270.0, 320.0
_ALONE = (80.0, 106.0)
#: Neighbours with a card when there are many, and the distance of their centres.
_NEIGHBOURS, _PITCH, _NEAR = 8, 68.0, 470.0

Place = tuple[float, float]


@dataclass(frozen=True)
class Card:
    """Where a tuple stands: its position among all, and the centre of its card, px."""

    tuple: int
    x: float
    y: float


@dataclass(frozen=True)
class Frame:
    """A frame around a block, px."""

    x: float
    y: float
    width: float
    height: float
    label: str


@dataclass(frozen=True)
class GraphLayout:
    """All cards and frames.

    Parameters
    ----------
    cards, frames
        Where they stand.
    height
        Of all, px.
    left
        Neighbours that found no place.
    near, roomy
        One tuple and its neighbours alone; in a frame that has room for words at the edges.
    """

    cards: tuple[Card, ...]
    frames: tuple[Frame, ...]
    height: float
    left: int = 0
    near: bool = False
    roomy: bool = False


@dataclass(frozen=True)
class _Shape:
    width: float
    height: float
    places: tuple[Place, ...]


def _shape(count: int, room: float, wanted: float = _WIDE) -> _Shape:
    """Return the size of a frame, and the centres of its cards within it."""
    wide = min(wanted, room)
    if count == 1:
        return _Shape(*_ALONE, ((40, 64),))
    if count == 2:
        return _Shape(96, _TALL, ((48, 62), (48, 234)))
    if count == 3:
        return _Shape(wide, _TALL, ((46, 148), (wide - 52, 62), (wide - 52, 234)))
    if count == 4:
        # Tall enough that the numbers of one diagonal stand clear of the other.
        foot = _TALL_OF_FOUR - 54
        return _Shape(wide, _TALL_OF_FOUR, ((46, 62), (wide - 46, 62), (wide - 46, foot), (46, foot)))
    # Words of three lines stand at the edges of five, one number at those of more.
    radius = 180.0 if count > 8 else 150.0
    across = min(190.0 if count == 5 else 165.0, (room - CARD[0] - 24) / 2)
    width = 2 * across + CARD[0] + 24
    angles = [-pi / 2 + 2 * pi * k / count for k in range(count)]
    places = tuple((width / 2 + across * cos(one), 58 + radius + radius * sin(one)) for one in angles)
    near = any(
        abs(x - u) < CARD[0] + 6 and abs(y - v) < CARD[1] + 6
        for k, (x, y) in enumerate(places)
        for u, v in places[k + 1 :]
    )
    found = _columns(count, width) if near else places
    return _Shape(width, max(y for _, y in found) + CARD[1] / 2 + 14, found)


def _columns(count: int, width: float) -> tuple[Place, ...]:
    """Return two columns, where a ring has no room: down on the right, up on the left."""
    right = ceil(count / 2)
    return tuple(
        (width - 46, 58 + k * _PITCH) if k < right else (46, 58 + (count - 1 - k) * _PITCH)
        for k in range(count)
    )


def _label(count: int) -> str:
    return {1: "alone", 2: "pair"}.get(count, f"block of {count}")


def _width_of_blocks(sizes: Sequence[int], width: float) -> float:
    """Return the width of blocks of three and four: what frames in one line leave free goes to them."""
    alone = ceil(sizes.count(1) / 2)
    widths = [_shape(size, width).width for size in sizes if size > 1] + [_ALONE[0]] * alone
    used = sum(one + _GAP for one in widths) - _GAP
    wide = sizes.count(3) + sizes.count(4)
    # Beside which nothing fits, it has the line for itself.
    if width < _WIDE + _GAP + _ALONE[0]:
        return min(_WIDEST, width)
    return _WIDE if used > width or not wide else min(_WIDEST, floor(_WIDE + (width - used) / wide))


def lay_out_blocks(blocks: Sequence[Sequence[int]], width: float) -> GraphLayout:
    """Return frames from left to right, in as many lines as the width asks for; single tuples share columns.

    Parameters
    ----------
    blocks
        Positions of the tuples by block.
    width
        Room in px.

    Examples
    --------
    >>> found = lay_out_blocks([(0, 1), (2,)], 300.0)
    >>> [(card.tuple, card.x, card.y) for card in found.cards]
    [(0, 106.0, 62.0), (1, 106.0, 234.0), (2, 202.0, 155.0)]
    """
    groups = sorted((sorted(block) for block in blocks), key=lambda block: (-len(block), block[0]))
    singles = [block for block in groups if len(block) == 1]
    cards: list[Card] = []
    frames: list[Frame] = []
    x = y = high = widest = 0.0

    def stand(tuples: Sequence[int], shape: _Shape, at: Place) -> None:
        frames.append(Frame(*at, shape.width, shape.height, _label(len(tuples))))
        for one, (cx, cy) in zip(tuples, shape.places, strict=True):
            cards.append(Card(one, at[0] + cx, at[1] + cy))

    def column(across: float, down: float) -> Place:
        """Take a column of this size; a new line begins where it does not fit."""
        nonlocal x, y, high, widest
        if x > 0 and x + across > width:
            x, y, high = 0.0, y + high + _GAP, 0.0
        at = (x, y)
        x += across + _GAP
        high, widest = max(high, down), max(widest, x - _GAP)
        return at

    wide = _width_of_blocks([len(block) for block in groups], width)
    for tuples in groups[: len(groups) - len(singles)]:
        shape = _shape(len(tuples), width, wide)
        stand(tuples, shape, column(shape.width, shape.height))
    shape = _shape(1, width)
    while singles:
        # Beside a block they stand above each other, in the middle of its height; among themselves in a line.
        beside = x > 0 and x + shape.width <= width and high > shape.height
        most = floor((high + _GAP) / (shape.height + _GAP)) if beside else 1
        these, singles = singles[:most], singles[most:]
        used = len(these) * (shape.height + _GAP) - _GAP
        left, top = column(shape.width, shape.height)
        first = top + (floor((high - used) / 2) if beside else 0)
        for k, block in enumerate(these):
            stand(block, shape, (left, first + k * (shape.height + _GAP)))
    return _centred(GraphLayout(tuple(cards), tuple(frames), y + high), width, widest)


def lay_out_neighbours(tuple_: int, neighbours: Sequence[int], width: float, size: int) -> GraphLayout:
    """Return one tuple at the left, and its neighbours in a column, in the order given.

    Parameters
    ----------
    tuple_
        The chosen one.
    neighbours
        The closest first; those beyond eight find no place.
    width
        Room in px.
    size
        Of the block.

    Examples
    --------
    >>> found = lay_out_neighbours(3, [0, 1, 2, 4, 5, 6, 7, 8, 9], 496.0, 10)
    >>> len(found.cards), found.left, found.frames[0].label
    (9, 1, 'block of 10')
    """
    shown = neighbours[:_NEIGHBOURS]
    height = max(_TALL, 30 + len(shown) * _PITCH)
    wide = min(width, _NEAR)
    middle = 24 + (height - 30) / 2
    top = middle - (len(shown) - 1) * _PITCH / 2
    cards = [Card(tuple_, 52, middle)]
    cards += [Card(one, wide - 56, top + k * _PITCH) for k, one in enumerate(shown)]
    frame = Frame(0, 0, wide, height, _label(size))
    layout = GraphLayout(tuple(cards), (frame,), height, len(neighbours) - len(shown), True, wide == _NEAR)
    return _centred(layout, width, wide)


def _centred(layout: GraphLayout, width: float, used: float) -> GraphLayout:
    """Put what leaves room on both sides in the middle."""
    shift = max(0, floor((width - used) / 2))
    cards = tuple(replace(card, x=card.x + shift) for card in layout.cards)
    return replace(
        layout, cards=cards, frames=tuple(replace(frame, x=frame.x + shift) for frame in layout.frames)
    )
