"""The lead sentence, set in lines with its numbers marked."""

from __future__ import annotations

from collections.abc import Sequence

from pdp_widgets.publish.labels import width
from pdp_widgets.publish.svg import Style, Svg
from pdp_widgets.publish.wording import Part

__all__ = ["lead_lines"]

_SIZE, _LEADING = 18.0, 26.0
_ROLES: dict[str, dict[str, Style]] = {
    "": {},
    "scale": {"weight": 600},
    "promise": {"weight": 600, "fill": "promise"},
    "over": {"weight": 600, "fill": "over"},
    "paper": {"weight": 600, "fill": "paper"},
    "value": {"weight": 600},
}


def lead_lines(svg: Svg, parts: Sequence[Part], y: float, room: float) -> float:
    """Write the lead in lines no wider than `room`; return where it ends.

    Parameters
    ----------
    svg
        Where to draw.
    parts
        Text and role of every part.
    y
        Upper edge, px.
    room
        Width in px.
    """
    lines: list[list[tuple[str, str]]] = [[]]
    used = 0.0
    for text, role in parts:
        for k, word in enumerate(text.split(" ")):
            # A part that begins without a space goes on in the word before it.
            glued = k == 0
            piece = word if glued else f" {word}"
            wide = width(piece, _SIZE, role != "")
            if used + wide > room and not glued:
                lines.append([])
                used, piece = 0.0, word
            lines[-1].append((piece, role))
            used += wide
    for line in lines:
        y += _LEADING
        merged: list[tuple[str, dict[str, Style]]] = []
        last = None
        for piece, role in line:
            if role == last:
                merged[-1] = (merged[-1][0] + piece, merged[-1][1])
            else:
                merged.append((piece, _ROLES[role]))
            last = role
        svg.spans(0, y - 6, merged, size=_SIZE)
    return y
