"""The noise that several rules ask for, as bars, with what leaks at each of these scales."""

from __future__ import annotations

import math

from pdp_widgets.leakage.prior.noise_comparison import NoiseComparison, NoiseRow
from pdp_widgets.leakage.target_leakage import rounded_up
from pdp_widgets.publish.formatting import leakage, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import isolate, shorten, width, wrap
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.svg import Svg

__all__ = ["LEAST", "given_words", "noise_figure"]

#: Room that the bars need, px.
LEAST = 340.0
_LEAKS, _ROW, _LINE = 118.0, 44.0, 15.0
#: Tuples whose values are listed.
_NAMED = 12
#: Lines that a rule's name and guarantee may take.
_LINES = 3


def given_words(comparison: NoiseComparison) -> str:
    """Say for which known values a comparison holds, to follow the adversaries.

    Parameters
    ----------
    comparison
        Rules with their scales.

    Examples
    --------
    >>> given_words(NoiseComparison(1.0, "all", "instance", (), (), (("smoker", "no"), ("partner", "yes"))))
    ', given the row smoker no, partner yes'
    >>> given_words(NoiseComparison(1.0, "all", "sup", ()))
    ', worst case over all known values'
    """
    if comparison.convention == "sup":
        return ", worst case over all known values"
    if not comparison.given:
        return ""
    pairs = [
        f"{isolate(shorten(name, 60))} {isolate(shorten(label, 60))}" for name, label in comparison.given
    ]
    more = f" and {len(pairs) - _NAMED} more" if len(pairs) > _NAMED else ""
    return f", given the row {', '.join(pairs[:_NAMED])}{more}"


def noise_figure(svg: Svg, comparison: NoiseComparison, w: float) -> float:
    """Draw one bar a rule and the leakage beside it; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    comparison
        Rules with their scales.
    w
        Room in px, at least `LEAST`.
    """
    target = leakage(comparison.target_leakage)
    y = panel(svg, w, "Noise", f"for at most {target} nats")
    room = w - _LEAKS
    svg.text(0, y + 8, "scale of the Laplace noise", fill="ink2")
    svg.text(w, y + 8, "leaks, nats", anchor="end", fill="ink2")
    y += 16
    scales = [row.scale for row in comparison.rows]
    largest = max(scales, default=0.0)
    marks = ticks(0.0, largest, 4) if largest > 0 else [0.0]
    end = largest if largest > 0 else 1.0
    notes = [_note(row, w - 8) for row in comparison.rows]
    top, foot = y, y + sum(_ROW + _LINE * (len(note) - 1) for note in notes)

    def x(scale: float) -> float:
        # The number of the longest bar stands to the right of it.
        return (room - 46) * scale / end

    for value in marks:
        svg.line(x(value), top, x(value), foot + 4, stroke="line" if value else "line2")
        anchor = "middle" if value else "start"
        svg.text(x(value), foot + 17, tick(value), anchor=anchor, fill="ink2")
    for row, (first, *more) in zip(comparison.rows, notes, strict=True):
        svg.spans(4, y + 16, [(row.name, {"weight": 600}), (first, {"fill": "ink2"})], **_HALO)
        for line in more:
            y += _LINE
            svg.text(4, y + 16, line, fill="ink2", **_HALO)
        svg.rect(0, y + 22, max(1.0, x(row.scale)), 11, fill="b" if row.holds else "share")
        if not row.holds:
            svg.path(f"M0 {y + 22:g}h{max(1.0, x(row.scale)):g}v11H0z", stroke="ink", stroke_dasharray="3 2")
        svg.text(max(1.0, x(row.scale)) + 6, y + 32, rounded_up(row.scale, 4), **_HALO)
        _leak(svg, row, comparison.target_leakage, w, y + 27)
        y += _ROW
    y = foot + 24
    who = f"{comparison.adversaries}{given_words(comparison)}"
    words = [f"{who[:1].upper()}{who[1:]}."]
    if not all(row.holds for row in comparison.rows):
        words.append("Dashed bars and triangles: more leaks than the target.")
    for line in wrap(" ".join([*words, *comparison.left_out]), w, 12, most=8):
        y += 16
        svg.text(0, y, line, fill="ink2")
    return y + 6


#: Keeps text readable where a line passes behind it.
_HALO: dict[str, str | float] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}


def _note(row: NoiseRow, room: float) -> list[str]:
    """Return what a rule promises in lines, the first of them to stand behind its name."""
    words = row.guarantee.removeprefix(f"{row.name}: ")
    # The name is bold, and two spaces stand behind it.
    wide = room - width(row.name, 12) * 0.07 - 4
    first, *more = wrap(f"{row.name} {words}", wide, 12, most=_LINES)
    return [f"  {first.removeprefix(row.name).strip()}", *more]


def _leak(svg: Svg, row: NoiseRow, target: float, w: float, y: float) -> None:
    value = row.leakage.value
    shown = "∞" if math.isinf(value) else leakage(value, target)
    # What holds within rounding reads as the target.
    shown = leakage(target) if row.holds and abs(value - target) <= 1e-6 * max(1.0, target) else shown
    left = w - width(shown, 12, True) - 14
    mark(svg, "exact" if row.holds else "over", left, y, 4)
    svg.text(w, y + 4, shown, anchor="end", weight=600, fill="ink" if row.holds else "over")
