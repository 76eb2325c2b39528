"""Means over all users by budget: the table of attack 2, leaked information, and inference errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.inference.attack_curves import AttackCurves
from pdp_widgets.leakage.inference.attack_results import AttackResults
from pdp_widgets.publish.attack_wording import amount, bits, km, limit_name
from pdp_widgets.publish.formatting import tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import width, wrap
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.svg import Style, Svg, number, polyline

__all__ = ["budget_rows", "budget_table", "error_panel", "leaked_panel", "scores_in_words"]

Floats = NDArray[np.float64]
#: Budgets that are always listed.
_LISTED = (0.1, 1.0, 10.0, 100.0)
#: Bits no more than these are next to nothing.
_LITTLE = 0.05
_ONE: dict[str, Style] = {"stroke": "a", "stroke_width": 2, "stroke_dasharray": "5 2.5"}
_TWO: dict[str, Style] = {"stroke": "b", "stroke_width": 2}
_PRINTED: dict[str, Style] = {"stroke": "paper", "stroke_width": 1.5, "stroke_dasharray": "2 2"}
_BOUND: dict[str, Style] = {"stroke": "promise", "stroke_width": 1.5, "stroke_dasharray": "4 3"}
_HALO: dict[str, Style] = {"stroke": "bg", "stroke_width": 3, "paint_order": "stroke"}
_LEFT, _TALL = 28.0, 150.0


@dataclass(frozen=True)
class BudgetRow:
    """Attack 2 at one budget: nats, then bits as printed, added and allowed."""

    epsilon: float
    printed: float
    adds: float
    chosen: bool

    @property
    def bound(self) -> float:
        """The budget in bits."""
        return self.epsilon / math.log(2)

    @property
    def above(self) -> bool:
        """Whether the printed score is above the budget in bits."""
        return self.printed > self.bound * (1 + 1e-9)


def budget_rows(solved: AttackResults) -> list[BudgetRow]:
    """Return attack 2 at some budgets and at the chosen one, ascending; none while they are not computed."""
    curves, means = solved.curves, solved.means
    rows: list[BudgetRow] = []
    if curves is not None:
        for k, epsilon in enumerate(curves.epsilons.tolist()):
            same = means is not None and math.isclose(epsilon, means.epsilon)
            if not same and any(math.isclose(epsilon, one) for one in _LISTED):
                rows.append(
                    BudgetRow(
                        epsilon,
                        float(curves.leaked_bits[1, k]),
                        float(curves.incremental_bits[1, k]),
                        False,
                    )
                )
    if means is not None:
        printed, adds = float(means.leaked_bits[1]), float(means.incremental_bits[1])
        rows.append(BudgetRow(means.epsilon, printed, adds, True))
    return sorted(rows, key=lambda row: row.epsilon)


def scores_in_words(rows: Sequence[BudgetRow], limit: str) -> str:
    """Say how scores stand to ε/ln 2; where it is no bound nothing keeps them below it.

    Examples
    --------
    >>> scores_in_words([BudgetRow(1.0, 1.0, 0.5, True)], "budget")
    'The release adds less than the budget at every budget listed.'
    """
    holds = limit == "bound"
    if not holds and any(row.adds > row.bound * (1 + 1e-9) for row in rows):
        return "The release adds more than ε/ln 2 at some budgets: nothing is promised here."
    above = [row for row in rows if row.above]
    if not above:
        return f"The release adds less than the {limit} at every budget listed."
    little = "next to nothing" if all(row.adds < _LITTLE for row in above) else "less"
    broken = ", not a broken promise" if holds else ""
    return (
        f"▲ The printed score is above the {limit} although the release adds {little}. "
        f"It shows the prior gap{broken}."
    )


def budget_table(svg: Svg, solved: AttackResults, w: float) -> float:
    """Write attack 2 by budget; return the height taken."""
    y = panel(svg, w, "Attack 2 by ε", right="bits") + 10
    rows = budget_rows(solved)
    if not rows:
        svg.text(0, y + 4, "not computed", fill="ink2")
        return y + 8
    columns, limit = (94.0, 138.0, w), "bound" if solved.attack.formal else "ε/ln 2"
    svg.text(0, y, "ε", size=11, fill="ink2")
    mark(svg, "paper", columns[0] - 44, y - 4, 4)
    mark(svg, "promise", columns[2] - width(limit, 11) - 7, y - 4, 4)
    for x, name in zip(columns, ("printed", "adds", limit), strict=True):
        svg.text(x, y, name, size=11, fill="ink2", anchor="end")
    svg.line(0, y + 6, w, y + 6, stroke="line2")
    for row in rows:
        y += 20
        if row.chosen:
            svg.rect(0, y - 14, w, 19, fill="sel")
        if row.above:
            mark(svg, "over", 4, y - 4, 4)
        svg.text(12 if row.above else 0, y, amount(row.epsilon))
        svg.text(columns[0], y, bits(row.printed), anchor="end", fill="paper" if row.above else "ink")
        svg.text(columns[1], y, bits(row.adds), anchor="end", weight=600)
        svg.text(columns[2], y, bits(row.bound), anchor="end")
    y += 8
    words = scores_in_words(rows, limit_name(solved.attack))
    for line in wrap(words, w, 11, most=5):
        y += 15
        svg.text(0, y, line, size=11, fill="ink2")
    return y + 4


@dataclass(frozen=True)
class _Axes:
    """Budgets on a logarithmic axis, and numbers from 0 upwards."""

    low: float
    high: float
    top: float
    w: float
    y0: float

    @property
    def foot(self) -> float:
        return self.y0 + _TALL

    def x(self, epsilon: float) -> float:
        share = math.log(epsilon / self.low) / math.log(self.high / self.low)
        return _LEFT + share * (self.w - 6 - _LEFT)

    def y(self, value: float) -> float:
        return self.foot - _TALL * value / self.top

    def points(self, epsilons: Floats, values: Floats) -> list[tuple[float, float]]:
        return [(self.x(e), self.y(v)) for e, v in zip(epsilons.tolist(), values.tolist(), strict=True)]

    def inside(self, epsilon: float) -> bool:
        return self.low * (1 - 1e-9) <= epsilon <= self.high * (1 + 1e-9)


def _axes(svg: Svg, curves: AttackCurves, values: Sequence[Floats], w: float, y0: float) -> _Axes:
    """Draw the frame of a chart."""
    most = max(0.1, *(float(one.max()) for one in values))
    found = ticks(0.0, most * 1.02, 4)
    step = found[1] - found[0] if len(found) > 1 else most
    top = math.ceil(most / step - 1e-9) * step
    epsilons = curves.epsilons.tolist()
    axes = _Axes(epsilons[0], epsilons[-1] if len(epsilons) > 1 else 10 * epsilons[0], top, w, y0)
    for value in ticks(0.0, top, 4):
        svg.line(_LEFT, axes.y(value), w - 6, axes.y(value), stroke="line" if value else "line2")
        svg.text(_LEFT - 6, axes.y(value) + 4, tick(value), anchor="end", size=11, fill="ink2")
    last = f"ε = {tick(axes.high)}"
    svg.text(w, axes.foot + 16, last, anchor="end", size=11, fill="ink2")
    power = 10.0 ** math.ceil(math.log10(axes.low) - 1e-9)
    while power < axes.high * (1 - 1e-9):
        x = axes.x(power)
        svg.line(x, axes.foot, x, axes.foot + 4, stroke="line2")
        if x + 14 < w - width(last, 11) - 8:
            svg.text(x, axes.foot + 16, tick(power), anchor="middle", size=11, fill="ink2")
        power *= 10
    return axes


def _handle(svg: Svg, axes: _Axes, epsilon: float) -> None:
    if axes.inside(epsilon):
        x = axes.x(epsilon)
        svg.line(x, axes.y0 - 6, x, axes.foot, stroke="brand", stroke_width=1.5)


def leaked_panel(svg: Svg, solved: AttackResults, w: float) -> float:
    """Draw leaked information by budget, as printed and as added; return the height taken."""
    curves, means = solved.curves, solved.means
    note = "" if curves is None else f"bits, mean of {curves.users:,} users"
    y = panel(svg, w, "Leaked information", note)
    if curves is None:
        svg.text(0, y + 14, "not computed", fill="ink2")
        return y + 20
    printed, (one, two) = curves.leaked_bits[1], curves.incremental_bits
    axes = _axes(svg, curves, (printed, one, two), w, y + 10)
    upper, lower = axes.points(curves.epsilons, printed), axes.points(curves.epsilons, two)
    svg.path(polyline([*upper, *reversed(lower)], close=True), fill=("#f8eee0", "#2f2716"))
    limit = min(axes.high, axes.top * math.log(2))
    if limit > axes.low:
        along = np.geomspace(axes.low, limit, 41)
        svg.path(polyline(axes.points(along, along / math.log(2))), **_BOUND)
        name = f"{limit_name(solved.attack)} ε/ln 2"
        at = min(axes.x(limit) + 6, w - 6 - width(name, 11))
        svg.text(at, axes.y0 + 8, name, size=11, fill="promise", **_HALO)
    svg.path(polyline(upper), **_PRINTED)
    svg.path(polyline(axes.points(curves.epsilons, one)), **_ONE)
    svg.path(polyline(lower), **_TWO)
    gap = float(curves.prior_gap_bits[1])
    if gap > 0.09 * axes.top:
        # Past the bound, which crosses the band from the left.
        at = axes.x(min(axes.high, max(axes.low, gap * math.log(2)))) + 10
        svg.text(at, axes.y(gap / 2) + 4, f"prior gap {bits(gap)}", size=11, fill="ink2")
    if means is not None and axes.inside(means.epsilon):
        _handle(svg, axes, means.epsilon)
        x = axes.x(means.epsilon)
        first, second = means.incremental_bits.tolist()
        svg.circle(x, axes.y(first), 4, fill="a")
        svg.circle(x, axes.y(second), 4, fill="b")
        mark(svg, "paper", x, axes.y(float(means.leaked_bits[1])), 4)
    y = axes.foot + 36
    x = 0.0
    for style, words in ((_PRINTED, "attack 2, printed"), (_ONE, "attack 1, adds"), (_TWO, "attack 2, adds")):
        svg.path(f"M{number(x)} {number(y - 4)}h22", **style)
        svg.text(x + 27, y, words, size=11)
        x += 40 + width(words, 11)
    return y + 4


def error_panel(svg: Svg, solved: AttackResults, w: float) -> float:
    """Draw the distance of the guess by budget; return the height taken."""
    curves, means = solved.curves, solved.means
    note = "" if curves is None else f"km, mean of {curves.users:,} users"
    y = panel(svg, w, "Inference error", note)
    if curves is None:
        svg.text(0, y + 14, "not computed", fill="ink2")
        return y + 20
    axes = _axes(svg, curves, (curves.error_km[0], curves.error_km[1]), w, y + 10)
    for style, row in ((_ONE, curves.error_km[0]), (_TWO, curves.error_km[1])):
        svg.path(polyline(axes.points(curves.epsilons, row)), **style)
    if means is not None and axes.inside(means.epsilon):
        _handle(svg, axes, means.epsilon)
        x = axes.x(means.epsilon)
        heights = [axes.y(value) for value in means.error_km.tolist()]
        upper = 0 if heights[0] <= heights[1] else 1
        late = x > w - 60
        for k, value in enumerate(means.error_km.tolist()):
            svg.circle(x, heights[k], 4, fill="a" if k == 0 else "b")
            at = heights[k] + (-8 if k == upper else 18)
            side, anchor = (x - 8, "end") if late else (x + 8, "start")
            svg.text(side, at, km(value), weight=600, anchor=anchor, **_HALO)
    y, x = axes.foot + 36, 0.0
    for style, words in ((_ONE, "attack 1: all alike"), (_TWO, "attack 2: friends weighted")):
        svg.path(f"M{number(x)} {number(y - 4)}h22", **style)
        svg.text(x + 27, y, words, size=11)
        x += 40 + width(words, 11)
    return y + 4
