"""What one adversary sees: densities of the release, their log ratio, beliefs before and after."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.leakage.value import Attained
from pdp_widgets.models.labels import Label
from pdp_widgets.publish.formatting import fixed, leakage, probability, scientific, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import clean, fit, in_quotes, isolate, shorten, width, wrap
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.palette import SERIES
from pdp_widgets.publish.snapshot import table
from pdp_widgets.publish.svg import Svg, polyline

__all__ = ["Curves", "curves_panel", "curves_tables", "posterior_panel", "released"]

Floats = NDArray[np.float64]
#: Keeps text readable where a line passes behind it.
_HALO: dict[str, str | float] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}
_MOST_LABELS = 4
_FARTHEST = sys.float_info.max / 4
_MOST_CENTRES = 120


def released(attained: Attained) -> str:
    """Return the releases at which the largest log ratio is reached, as text.

    Examples
    --------
    >>> released(Attained(2.0, ">=", (1, 0)))
    'r ≥ 2'
    """
    return f"r {'≤' if attained.side == '<=' else '≥' if attained.side == '>=' else '='} {tick(attained.r)}"


@dataclass(frozen=True, eq=False)
class Curves:
    """The curves of one adversary over a range of releases.

    Parameters
    ----------
    adversary
        Who looks.
    promise
        Nats.
    """

    adversary: PriorAdversary
    promise: float

    @cached_property
    def centres(self) -> Floats:
        """Values that the query can have for this adversary, increasing."""
        return np.unique(np.concatenate([m.centres for m in self.adversary.mixtures().values()]))

    @cached_property
    def range(self) -> tuple[float, float]:
        """Ends of the axis of releases."""
        low, high = float(self.centres[0]), float(self.centres[-1])
        scale = self.adversary.mechanism.scale
        pad = min(2 * scale, high - low) if high > low else 2 * scale
        # An axis needs a length, as a number: noise may be lost beside the centres, or be beyond them all.
        pad = max(pad, 0.12 * (high - low), 1e-9 * max(abs(low), abs(high)))
        return max(low - pad, -_FARTHEST), min(high + pad, _FARTHEST)

    @cached_property
    def r(self) -> Floats:
        """Releases at which the curves are drawn: evenly, and at every kink."""
        even = np.linspace(*self.range, 121)
        kinks = self.centres if len(self.centres) <= _MOST_CENTRES else self.centres[:0]
        return np.unique(np.concatenate([even, kinks]))

    @cached_property
    def pair(self) -> tuple[Label, Label] | None:
        """Labels whose log ratio is largest, the later one first; None when the tuple is determined."""
        attained = self.adversary.leakage.attained
        if attained is None:
            return None
        later, earlier = sorted(attained.pair, key=self.adversary.labels.index, reverse=True)
        return later, earlier

    @cached_property
    def labels(self) -> list[Label]:
        """Labels that are drawn: at most four, the pair among them, in the order of the domain."""
        feasible = list(self.adversary.feasible)
        if len(feasible) <= _MOST_LABELS:
            return feasible
        prior = dict(zip(self.adversary.labels, self.adversary.prior.tolist(), strict=True))
        pair = list(self.pair or ())
        others = sorted((v for v in feasible if v not in pair), key=lambda v: -prior[v])
        kept = pair + others[: _MOST_LABELS - len(pair)]
        return [v for v in feasible if v in kept]

    def style(self, label: Label) -> dict[str, str | float]:
        """Return the stroke of a label's curve."""
        colour, dashes = SERIES[self.labels.index(label) % len(SERIES)]
        style: dict[str, str | float] = {"stroke": colour, "stroke_width": 2}
        return style | ({"stroke_dasharray": dashes} if dashes else {})


def _legend(svg: Svg, curves: Curves, x: float, y: float, room: float) -> float:
    """Name the curves: line sample and label, side by side; return the height of what stands above.

    The labels are alike: each with the name of their tuple, or all under a line with that name.
    """
    labels, target = curves.labels, curves.adversary.target
    each = room / len(labels)
    name, above = in_quotes(clean(target), isolate(shorten(target, 60))), 0.0
    words = [f"if {name} is {in_quotes(clean(label), isolate(shorten(label)))}" for label in labels]
    if any(width(text, 12, True) > each - 36 for text in words):
        words = [str(label) for label in labels]
        lines = wrap(f"if {name} is", room, 12, most=2)
        for k, line in enumerate(lines):
            svg.text(x, y + 16 * k, line, fill="ink2")
        above = 16.0 * len(lines) + 2
    for k, (label, text) in enumerate(zip(labels, words, strict=True)):
        at = x + k * each
        svg.path(f"M{at:g} {y + above - 4:g}h22", **curves.style(label))
        svg.text(at + 28, y + above, fit(text, each - 36), weight=600)
    return above


def curves_panel(svg: Svg, curves: Curves, w: float) -> float:
    """Draw densities and log ratio, one below the other; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    curves
        The adversary's curves.
    w
        Room in px.
    """
    hidden = len(curves.adversary.feasible) - len(curves.labels)
    right = f"{len(curves.labels)} of {len(curves.adversary.feasible)} labels" if hidden else ""
    top = panel(svg, w, "Density of the published number r", right=right)
    left, tall = 46.0, 92.0
    name = isolate(shorten(curves.adversary.target, 16))
    top += _legend(svg, curves, left, top + 8, w - left)
    plot = _Plot(left, w - 2, *curves.range)
    xs = [plot.x(float(r)) for r in curves.r]
    y0 = top + 22
    drawn = {label: curves.adversary.density(label, curves.r) for label in curves.labels}
    peak = max(float(d.max()) for d in drawn.values())
    marks = ticks(0.0, peak, 2)
    ceiling = max(min(peak * 1.04, sys.float_info.max), marks[-1])
    for value in marks:
        y = y0 + tall * (1 - value / ceiling)
        svg.line(left, y, w - 2, y, stroke="line" if value else "line2")
        svg.text(left - 6, y + 4, tick(value), anchor="end", fill="ink2")
    for label, density in drawn.items():
        ys = y0 + tall * (1 - density / ceiling)
        svg.path(polyline(list(zip(xs, ys.tolist(), strict=True))), **curves.style(label))
    y = y0 + tall + 26
    if curves.pair is None:
        only = fit(curves.adversary.feasible[0], 160)
        svg.text(
            left, y, f"No other label fits what is known: {name} is {only}, and nothing is left to learn."
        )
        return y + 8
    return _log_ratio(svg, curves, plot, y)


@dataclass(frozen=True)
class _Plot:
    """The horizontal axis: px from `left` to `right` for releases from `low` to `high`."""

    left: float
    right: float
    low: float
    high: float

    def x(self, r: float) -> float:
        return self.left + (r - self.low) / (self.high - self.low) * (self.right - self.left)


def _log_ratio(svg: Svg, curves: Curves, plot: _Plot, y: float) -> float:
    """Draw the log ratio of the pair with the promise as a band and the attained maximum marked."""
    attained, promise = curves.adversary.leakage.attained, curves.promise
    assert attained is not None
    assert curves.pair is not None
    value = curves.adversary.leakage.value
    later, earlier = (in_quotes(clean(label), isolate(shorten(label, 16))) for label in curves.pair)
    svg.text(plot.left, y, f"log ratio, {later} over {earlier}, nats", weight=600)
    ratio = curves.adversary.log_ratio(*curves.pair, curves.r)
    up = curves.pair == attained.pair
    top, tall = y + 10, 120.0
    # Words stand above the largest value, or below it where it is negative: there the axis is near.
    end = max(value, promise, float(np.abs(ratio).max()), 1e-300) * (1.3 if up else 1.5)

    def at(nats: float) -> float:
        return top + tall * (0.5 - nats / (2 * end))

    svg.rect(plot.left, at(promise), plot.right - plot.left, at(-promise) - at(promise), fill="tint")
    xs = [plot.x(float(r)) for r in curves.r]
    for sign in (1, -1):
        outside = [
            (px, v) for px, v in zip(xs, ratio.tolist(), strict=True) if sign * v > promise * (1 + 1e-9)
        ]
        if outside:
            line = [(px, at(v)) for px, v in outside]
            edge = at(sign * promise)
            svg.path(polyline([(line[0][0], edge), *line, (line[-1][0], edge)], close=True), fill="overtint")
    for nats in ticks(-end, end, 5):
        svg.line(plot.left, at(nats), plot.right, at(nats), stroke="line" if nats else "line2")
        svg.text(plot.left - 6, at(nats) + 4, tick(nats), anchor="end", fill="ink2")
    for sign in (1, -1):
        line_y = at(sign * promise)
        dashes: dict[str, str | float] = {"stroke": "promise", "stroke_width": 1.5, "stroke_dasharray": "4 3"}
        svg.line(plot.left, line_y, plot.right, line_y, **dashes)
    svg.path(
        polyline([(px, at(v)) for px, v in zip(xs, ratio.tolist(), strict=True)]),
        stroke="ink",
        stroke_width=2,
    )
    rising = float(ratio[-1]) > float(ratio[0])
    label = f"promise ±{leakage(promise)}"
    corner, anchor = (plot.right - 4, "end") if rising else (plot.left + 4, "start")
    svg.text(corner, at(-promise) - 5, label, anchor=anchor, fill="promise", **_HALO)
    px, py = plot.x(attained.r), at(value if up else -value)
    mark(svg, "exact", px, py)
    words = f"{leakage(value, promise)} attained, {released(attained)}"
    leftwards = px - width(words, 12, True) - 10 > plot.left
    side, anchor = (px - 10, "end") if leftwards else (px + 10, "start")
    svg.text(side, py - 8 if up else py + 16, words, anchor=anchor, weight=600, **_HALO)
    foot = top + tall
    svg.line(plot.left, foot, plot.right, foot, stroke="line2")
    for r in ticks(plot.low, plot.high, 8):
        svg.line(plot.x(r), foot, plot.x(r), foot + 4, stroke="line2")
        svg.text(plot.x(r), foot + 17, tick(r), anchor="middle", fill="ink2")
    svg.text(plot.left - 24, foot + 17, "r", anchor="end", fill="ink2")
    return foot + 22


def posterior_panel(svg: Svg, curves: Curves, w: float) -> float:
    """Draw what is believed before and after the release that tells most; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    curves
        The adversary's curves.
    w
        Room in px.
    """
    leak = curves.adversary.leakage
    attained = leak.attained
    if attained is None:
        return panel(svg, w, "Whatever is published") + _belief(svg, curves, w, 34, None)
    top = panel(svg, w, f"If {released(attained)} is published")
    tall = _belief(svg, curves, w, top, attained.r)
    prior = dict(zip(curves.adversary.labels, curves.adversary.prior.tolist(), strict=True))
    more, less = attained.pair
    odds = prior[more] / prior[less]
    factor = math.exp(min(leak.value, 700.0))
    y = top + tall + 18
    first, second = (in_quotes(clean(label), fit(label, w / 2 - 44)) for label in attained.pair)
    svg.text(0, y, f"odds of {first} against {second}")
    svg.text(0, y + 18, f"{_odds(odds)} → {_odds(min(odds * factor, sys.float_info.max))}")
    shown = leakage(leak.value, curves.promise)
    power = f"that is × {_odds(factor)} = e"
    svg.spans(0, y + 36, [(power, {})])
    svg.text(width(power) * 0.97, y + 31, shown, size=11)
    return y + 44


def _odds(value: float) -> str:
    return fixed(value, 2) if 0.005 <= value < 1e5 else scientific(float(value), 2)


def _belief(svg: Svg, curves: Curves, w: float, top: float, r: float | None) -> float:
    """Draw one line from the prior to the posterior for every label."""
    adversary = curves.adversary
    before = adversary.prior
    after = before if r is None else adversary.posterior(np.array([r]))[0]
    x1, x2, tall = 56.0, 124.0, 110.0
    svg.text(x1, top + 10, "before", anchor="middle", fill="ink2")
    svg.text(x2, top + 10, "after", anchor="middle", fill="ink2")
    foot = top + 24 + tall
    for x in (x1, x2):
        svg.line(x, top + 18, x, foot + 6, stroke="line2")
    rows = []
    for label in curves.labels:
        k = adversary.labels.index(label)
        rows.append((label, float(before[k]), float(after[k])))

    def y(p: float) -> float:
        return foot - tall * p

    for side, x in ((1, x1 - 9), (2, x2 + 9)):
        beliefs = [p if side == 1 else q for _, p, q in rows]
        places = _spread([y(belief) for belief in beliefs], 15.0, foot + 2)
        for (label, *_), belief, at in zip(rows, beliefs, places, strict=True):
            shown = probability(belief)
            if side == 1:
                svg.text(x, at + 4, shown, anchor="end")
            else:
                svg.text(x, at + 4, shown, weight=600)
                svg.text(x + 44, at + 4, fit(label, w - x - 46))
    for label, p, q in rows:
        style = curves.style(label)
        svg.line(x1, y(p), x2, y(q), **style)
        for x, value in ((x1, p), (x2, q)):
            svg.circle(x, y(value), 4, fill=style["stroke"])
    return foot + 6 - top


def _spread(places: list[float], apart: float, foot: float) -> list[float]:
    """Move places apart so that texts on them do not meet, keeping their order."""
    order = sorted(range(len(places)), key=lambda k: places[k])
    moved = list(places)
    for a, b in pairwise(order):
        moved[b] = max(moved[b], moved[a] + apart)
    for b, a in pairwise(reversed(order)):
        limit = foot if b == order[-1] else moved[b]
        moved[b] = min(moved[b], limit)
        moved[a] = min(moved[a], moved[b] - apart)
    return moved


def curves_tables(curves: Curves) -> str:
    """Return the densities, as mixtures, and the log ratio at every kink as HTML tables.

    Parameters
    ----------
    curves
        The adversary's curves.
    """
    adversary = curves.adversary
    labels = curves.labels
    names = [in_quotes(clean(label), fit(label, 160)) for label in labels]
    at = curves.centres if len(curves.centres) <= 24 else curves.centres[:: -(-len(curves.centres) // 24)]
    densities = [adversary.density(label, at) for label in labels]
    head = ["r"] + [f"density if {name}" for name in names]
    columns = list(densities)
    if curves.pair is not None:
        more, less = (in_quotes(clean(label), fit(label, 80)) for label in curves.pair)
        head.append(f"log ratio, {more} over {less}, nats")
        columns.append(adversary.log_ratio(*curves.pair, at))
    rows = []
    for k, r in enumerate(at.tolist()):
        cells = [fixed(float(c[k]), 4) for c in columns[: len(labels)]]
        cells += [leakage(float(c[k]), curves.promise) for c in columns[len(labels) :]]
        rows.append([tick(r), *cells])
    return table("Densities at the values of the query", head, rows)
