"""The marks of a number's status: shape first, colour second (the same as js/src/ui/marks.ts)."""

from __future__ import annotations

from typing import Literal

from pdp_widgets.publish.svg import Svg, joined, number

__all__ = ["Mark", "mark"]

Mark = Literal["exact", "limit", "promise", "bound", "paper", "low", "high", "over"]


def mark(svg: Svg, kind: Mark, x: float, y: float, r: float = 5) -> None:
    """Draw one mark centred at (x, y).

    Parameters
    ----------
    svg
        Where to draw.
    kind
        ``exact`` disc, ``limit`` ring, ``promise`` dashed stroke, ``bound`` bracket, ``paper`` open diamond,
        ``low`` and ``high`` round badges, ``over`` triangle.
    x, y
        Centre in px.
    r
        Half the size in px.
    """
    at = f"M{number(x)} {number(y - r - 1)}"
    if kind == "exact":
        svg.circle(x, y, r, fill="ink")
    elif kind == "limit":
        svg.circle(x, y, r, fill="bg", stroke="ink", stroke_width=2)
    elif kind == "promise":
        svg.path(f"{at}v{number(2 * r + 2)}", stroke="promise", stroke_width=2, stroke_dasharray="2.8 1.8")
    elif kind == "bound":
        svg.path(
            f"M{number(x - r)} {number(y)}h{number(r)}{at}v{number(2 * r + 2)}",
            stroke="promise",
            stroke_width=2,
        )
    elif kind == "paper":
        d = number(r + 1)
        svg.path(f"{at}l{d} {d}-{d} {d}-{d}-{d}z", fill="bg", stroke="paper", stroke_width=2)
    elif kind == "over":
        svg.path(f"M{number(x)} {number(y - r)}l{number(r)} {number(2 * r)}h{number(-2 * r)}z", fill="over")
    else:
        # Discs as round dots, so that all badges of one kind are two paths.
        low = kind == "low"
        tip, sign, dot = round(r * 5 / 7), 1 if low else -1, f"M{joined(x, y)}h.1"
        half = round(tip / 1.4)
        svg.shape(dot, stroke="over" if low else "promise", stroke_width=2 * r - 1.5, stroke_linecap="round")
        corner = joined(round(x - half), round(y - sign * tip * 0.4))
        svg.shape(
            f"M{corner}h{number(2 * half)}l{joined(-half, sign * tip)}z",
            fill="bg",
            stroke_width=0 if low else 0.1,
        )
