"""Where the numbers of an edge stand: on it, clear of cards, of other numbers, and of other edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, hypot

__all__ = ["ALONG", "COLUMN", "Box", "inside", "place_label"]

Point = tuple[float, float]
Segment = tuple[Point, Point]

#: Where along an edge numbers may stand, the best first; beside neighbours in a column they have their own.
ALONG = (0.5, 0.56, 0.44, 0.62, 0.38, 0.68, 0.32, 0.75, 0.25)
COLUMN = (0.76,)
#: How far beside the edge, px.
_BESIDE = (0, 14, -14, 26, -26, 38, -38, 52, -52)
#: What a px of another edge, of the way beside the own one, and 1 px^2 of a card or other numbers count.
_OVER, _ASIDE, _COVERED = 1.0, 2.0, 100.0


@dataclass(frozen=True)
class Box:
    """A rectangle, px."""

    x: float
    y: float
    width: float
    height: float

    def overlap(self, other: Box) -> float:
        """Return the area that two rectangles share.

        Examples
        --------
        >>> Box(0, 0, 4, 4).overlap(Box(2, 3, 9, 9))
        2.0
        """
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return float(max(0, across) * max(0, down))


def inside(box: Box, edge: Segment) -> float:
    """Return the length of an edge within a rectangle.

    Examples
    --------
    >>> inside(Box(0, 0, 4, 4), ((-1, 2), (9, 2))), inside(Box(0, 0, 4, 4), ((5, 0), (5, 9)))
    (4.0, 0.0)
    """
    (x, y), (u, v) = edge
    first, last = 0.0, 1.0
    for start, step, low, high in (
        (x, u - x, box.x, box.x + box.width),
        (y, v - y, box.y, box.y + box.height),
    ):
        if step == 0:
            if not low <= start <= high:
                return 0.0
            continue
        ends = sorted(((low - start) / step, (high - start) / step))
        first, last = max(first, ends[0]), min(last, ends[1])
    return max(0.0, last - first) * hypot(u - x, v - y)


def place_label(
    edge: Segment,
    size: tuple[float, float],
    along: Sequence[float],
    taken: Sequence[Box],
    others: Sequence[Segment],
) -> Box:
    """Return a rectangle along an edge that covers nothing, or the least.

    Parameters
    ----------
    edge
        From centre to centre.
    size
        Width and height.
    along
        Where it may stand, as shares of the way.
    taken
        Cards, and numbers that have their places.
    others
        All other edges.

    Examples
    --------
    >>> place_label(((0, 0), (100, 0)), (20, 10), ALONG, [], [])
    Box(x=40.0, y=-5.0, width=20, height=10)
    >>> place_label(((0, 0), (100, 0)), (20, 10), ALONG, [], [((50, -9), (50, 9))]).x
    52.0
    """
    (x, y), (u, v) = edge
    dx, dy = u - x, v - y
    long = hypot(dx, dy) or 1.0
    wide, tall = size
    best: tuple[float, Box] | None = None
    for beside in _BESIDE:
        if best is not None and best[0] <= _ASIDE * abs(beside):
            # Farther away nothing can be better.
            break
        for share in along:
            at = x + dx * share - dy / long * beside, y + dy * share + dx / long * beside
            box = Box(floor(at[0] - wide / 2 + 0.5) + 0.0, floor(at[1] - tall / 2 + 0.5) + 0.0, wide, tall)
            cost = _COVERED * sum(box.overlap(one) for one in taken) + _ASIDE * abs(beside)
            if best is not None and cost >= best[0]:
                continue
            cost += _OVER * sum(inside(box, one) for one in others)
            if best is None or cost < best[0]:
                best = cost, box
            if cost == 0:
                return box
    assert best is not None
    return best[1]
