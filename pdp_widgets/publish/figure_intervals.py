"""Leakages with their intervals, one adversary a row."""

from __future__ import annotations

import math

import numpy as np

from pdp_widgets.leakage.adversary import known_of
from pdp_widgets.leakage.prior.leakage_intervals import LeakageIntervals
from pdp_widgets.publish.formatting import leakage, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, short_names, shorten, width, wrap
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.svg import Style, Svg

__all__ = ["LEAST", "intervals_figure"]

#: Room that names, bars and numbers need, px.
LEAST = 380.0
#: Adversaries that are drawn: those who may learn most.
_MOST = 24
_ROW = 20.0
_HALO: dict[str, Style] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}


def intervals_figure(svg: Svg, found: LeakageIntervals, w: float) -> float:
    """Draw the estimates of the adversaries who may learn most, with their intervals; return the height.

    Parameters
    ----------
    svg
        Where to draw.
    found
        Leakages of all adversaries.
    w
        Room in px, at least `LEAST`.
    """
    y = panel(svg, w, "Leakage as an estimate", "nats")
    order = np.argsort(-np.where(np.isnan(found.high), found.value, found.high).ravel(), kind="stable")
    drawn = order[:_MOST].tolist()
    values, lows, highs = (array.ravel() for array in (found.value, found.low, found.high))
    seen = np.concatenate([array[drawn] for array in (values, lows, highs)])
    seen = seen[np.isfinite(seen)]
    end = float(seen.max(initial=1e-12))
    # Positions on an axis, not bars: it may begin where the first of them is.
    begin = 0.9 * float(seen.min(initial=end))
    begin = begin if begin > 0.4 * end else 0.0
    names, positions = short_names(found.names)
    told = [_told(values[k], lows[k], highs[k]) for k in drawn]
    right = w - max([width(words) for words in told]) - 12
    said = [_said(found, flat, names) for flat in drawn]
    left = min(max([width(name) + width(known) for name, known in said]) + 12, right - 110)

    def x(value: float) -> float:
        return left + (right - left) * min(1.0, max(0.0, (value - begin) / (end - begin)))

    top, foot = y, y + _ROW * len(drawn)
    for value in ticks(begin, end, 4):
        svg.line(x(value), top, x(value), foot + 4, stroke="line" if value else "line2")
        svg.text(x(value), foot + 17, tick(value), anchor="middle", fill="ink2")
    for flat, (name, known), numbers in zip(drawn, said, told, strict=True):
        value, low, high = (float(array[flat]) for array in (values, lows, highs))
        middle = y + _ROW / 2
        # What is known stays readable however long the name of the attacked tuple is.
        words = f"{fit(name, max(40.0, left - 10 - width(known)))}{known}"
        svg.text(0, middle + 4, fit(words, left - 10), **_HALO)
        if not math.isnan(low):
            svg.line(x(low), middle, x(high), middle, stroke="b", stroke_width=3)
            for place in (low, high):
                svg.line(x(place), middle - 4, x(place), middle + 4, stroke="b", stroke_width=1.5)
        svg.circle(x(value), middle, 3.5, fill="ink")
        svg.text(w, middle + 4, numbers, anchor="end")
        y += _ROW
    notes = [f"Discs: from the table of counts. Bars: {found.how}."]
    if positions:
        listed = ", ".join(f"{k + 1} {shorten(name)}" for k, name in enumerate(found.names))
        notes.append(f"Known tuples by position: {listed}.")
    if len(drawn) < order.size:
        notes.append(f"The {len(drawn)} of {order.size:,} adversaries who may learn most.")
    if found.instance is not None:
        pairs = zip(found.names, found.instance, strict=True)
        notes.append(f"Known values: the row {', '.join(f'{shorten(a)} = {shorten(b)}' for a, b in pairs)}.")
    else:
        notes.append("Known values: the worst that can occur.")
    y = foot + 24
    for line in wrap(" ".join(notes), w, 12, most=8):
        y += 16
        svg.text(0, y, line, fill="ink2")
    return y + 6


def _said(found: LeakageIntervals, flat: int, names: tuple[str, ...]) -> tuple[str, str]:
    """Name an adversary: the attacked tuple, and what is known."""
    n, wide = found.value.shape
    target, column = divmod(flat, wide)
    known = ", ".join(names[k] for k in known_of(n, target, column)) or "none"
    return shorten(found.names[target]), f", knowing {known}"


def _told(value: float, low: float, high: float) -> str:
    interval = "" if math.isnan(low) else f"  ({leakage(low)} to {leakage(high)})"
    return f"{leakage(value)}{interval}"
