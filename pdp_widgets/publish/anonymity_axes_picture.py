"""A logarithmic axis of slacks above one of ε or of shares; its labels avoid lines and each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.publish.formatting import scientific, tick
from pdp_widgets.publish.labels import width
from pdp_widgets.publish.svg import Style, Svg

__all__ = ["BAND", "HALO", "LogAxes"]

Floats = NDArray[np.float64]

#: Height of the band of slacks that promise nothing, px.
BAND = 22.0
#: Labels stand out from lines behind them.
HALO: dict[str, Style] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}


@dataclass
class LogAxes:
    """ε or a share across, δ up on a logarithmic axis from a power of ten to 1.

    Parameters
    ----------
    left, right, top, foot
        Edges, px.
    end
        Right end of the axis across.
    powers
        How many powers of ten there are below 1.
    """

    left: float
    right: float
    top: float
    foot: float
    end: float
    powers: int
    boxes: list[tuple[float, float, float, float]] = field(default_factory=list)
    lines: list[list[tuple[float, float]]] = field(default_factory=list)

    @property
    def least(self) -> float:
        """The slack at the foot."""
        return 10.0**-self.powers

    def x(self, value: float) -> float:
        """Return where a value across lies, px."""
        return self.left + (self.right - self.left) * min(1.0, value / self.end)

    def y(self, delta: float) -> float:
        """Return where a slack lies, px; at the edges what is beyond them."""
        share = -math.log10(min(1.0, max(self.least, delta))) / self.powers
        return self.top + (self.foot - self.top) * share

    def points(self, across: Floats, deltas: Floats) -> list[list[tuple[float, float]]]:
        """Return the pieces of a curve that lie above the foot; each ends where it meets it."""
        pieces: list[list[tuple[float, float]]] = [[]]
        last: tuple[float, float] | None = None
        for at, delta in zip(across.tolist(), deltas.tolist(), strict=True):
            if math.isnan(delta):
                pieces.append([])
                last = None
                continue
            if delta < self.least:
                if pieces[-1] and last is not None:
                    pieces[-1].append(self._foot(last, (at, delta)))
                    pieces.append([])
            else:
                if not pieces[-1] and last is not None:
                    pieces[-1].append(self._foot((at, delta), last))
                pieces[-1].append((self.x(at), self.y(delta)))
            last = (at, delta)
        return [piece for piece in pieces if piece]

    def _foot(self, above: tuple[float, float], below: tuple[float, float]) -> tuple[float, float]:
        """Return where a curve meets the foot between two points."""
        high, low = math.log10(above[1]), math.log10(max(below[1], 1e-300))
        share = (high + self.powers) / (high - low) if high > low else 1.0
        return self.x(above[0] + (below[0] - above[0]) * share), self.foot

    def grid(self, svg: Svg) -> None:
        """Draw the powers of ten with short ticks at 2 and 5."""
        every = 1 if self.powers <= 6 else 2 if self.powers <= 10 else 3
        for power in range(0, self.powers + 1):
            value = 10.0**-power
            edge = power in (0, self.powers)
            if power % every and not edge:
                continue
            svg.line(self.left, self.y(value), self.right, self.y(value), stroke="line2" if edge else "line")
            svg.text(self.left - 6, self.y(value) + 4, _power(power), anchor="end", size=11, fill="ink2")
            if every == 1 and power < self.powers:
                for part in (2, 5):
                    y = self.y(value * part / 10)
                    svg.line(self.left - 3, y, self.left, y, stroke="line2")

    def put(
        self, svg: Svg, text: str, spots: list[tuple[float, float, str]], above: float = 0.0, **style: Style
    ) -> tuple[float, float] | None:
        """Write a label at the first of some spots where it meets no line and no other label.

        Parameters
        ----------
        svg
            Where to draw.
        text
            The label.
        spots
            Where it may stand, and its anchor.
        above
            Room above the label that is kept free too, px.
        **style
            As for `Svg.text`.

        Returns
        -------
        tuple of float or None
            Its right end and its base line; None where it stands nowhere.
        """
        bold = style.get("weight") == 600
        size = float(style.get("size", 12))  # type: ignore[arg-type]
        wide = width(text, size, bold)
        best: tuple[float, tuple[float, float, str]] | None = None
        for rank, (x, y, anchor) in enumerate(spots):
            left = x - wide if anchor == "end" else x - wide / 2 if anchor == "middle" else x
            box = (left, y - size + 1 - above, left + wide, y + 3)
            if left < self.left or left + wide > self.right + 2 or box[1] < self.top - BAND:
                continue
            cost = 40.0 * sum(_meet(box, other) for other in self.boxes)
            cost += sum(10 * _crosses(box, line) for line in self.lines) + 0.1 * rank
            cost += 60 * (y > self.foot - 2)
            if best is None or cost < best[0]:
                best = cost, (x, y, anchor)
            if cost < 10:
                break
        if best is None:
            return None
        x, y, anchor = best[1]
        left = x - wide if anchor == "end" else x - wide / 2 if anchor == "middle" else x
        self.boxes.append((left, y - size + 1 - above, left + wide, y + 3))
        svg.text(x, y, text, anchor=anchor, **HALO, **style)
        return left + wide, y


def _power(power: int) -> str:
    return "1" if power == 0 else tick(10.0**-power) if power <= 3 else scientific(10.0**-power, 0)


def _meet(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _crosses(box: tuple[float, float, float, float], line: list[tuple[float, float]]) -> bool:
    """Tell whether a curve passes through a box."""
    for (x0, y0), (x1, y1) in pairwise(line):
        if max(x0, x1) < box[0] or min(x0, x1) > box[2]:
            continue
        steps = 4
        for k in range(steps + 1):
            x, y = x0 + (x1 - x0) * k / steps, y0 + (y1 - y0) * k / steps
            if box[0] - 2 <= x <= box[2] + 2 and box[1] <= y <= box[3]:
                return True
        # A steep piece may pass between two looked at.
        if x0 == x1 and box[0] - 2 <= x0 <= box[2] + 2 and min(y0, y1) < box[3] and max(y0, y1) > box[1]:
            return True
    return False
