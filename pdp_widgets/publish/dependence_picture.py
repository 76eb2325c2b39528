"""Bars of dependent tuples: what leaks about each, beside the promise, the paper's estimate and the bound."""

from __future__ import annotations

import numpy as np

from pdp_widgets.leakage.dependent.dependence_analysis import DependenceAnalysis
from pdp_widgets.leakage.target_leakage import rounded_up
from pdp_widgets.models.rounding_rule import at_most
from pdp_widgets.publish.formatting import leakage, parameter, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, shorten, width, wrap
from pdp_widgets.publish.marks import Mark, mark
from pdp_widgets.publish.numline_picture import ticks
from pdp_widgets.publish.svg import Svg

__all__ = ["LEAST", "dependence_about", "dependence_figure"]

#: Room that the bars need, px.
LEAST = 320.0
_ROW, _NUMBER, _NAME = 22.0, 62.0, 110.0
#: Known tuples that are named; more are counted.
_NAMED = 2
#: Tuples that have a bar; of more those that leak most.
_MOST = 24


def dependence_about(analysis: DependenceAnalysis) -> str:
    """Say what the numbers hold for, in one sentence.

    Examples
    --------
    >>> from pdp_widgets.models.dependent_examples import agreeing_bits
    >>> dependence_about(DependenceAnalysis(agreeing_bits(), "sum", scale=2.0))
    'Exact leakage in nats of a noisy sum with Laplace noise of scale 2.00, to one who knows no tuple.'
    """
    known = ", ".join(map(shorten, analysis.known)) or "no tuple"
    whom = (
        "to whoever knows the most telling others of each tuple"
        if analysis.worst
        else f"to one who knows {known}"
    )
    return (
        f"Exact leakage in nats of a noisy {shorten(analysis.query.name)} with Laplace noise of scale "
        f"{parameter(analysis.scale)}, {whom}."
    )


def dependence_figure(svg: Svg, analysis: DependenceAnalysis, w: float) -> float:
    """Draw one bar a tuple; return the height taken.

    Parameters
    ----------
    svg
        Where to draw.
    analysis
        The results.
    w
        Room in px, at least `LEAST`.
    """
    exact = np.array([float(one) for one in analysis.per_tuple])
    shown = np.sort(np.argsort(-exact, kind="stable")[:_MOST]).tolist()
    printed = [float(analysis.paper_estimates[k]) for k in shown]
    bound = [float(analysis.mean_bounds[k]) for k in shown]
    promise = analysis.epsilon
    y = panel(svg, w, "What leaks about each tuple", f"promised {leakage(promise)} nats")
    names = [shorten(analysis.joint.tuples[k]) for k in shown]
    left = min(_NAME, max(width(name, 12) for name in names) + 8)
    room = w - left - _NUMBER
    end = max(float(exact.max()), promise, *printed, *bound) * 1.02
    top, foot = y + 4, y + 4 + _ROW * len(shown)

    def x(value: float) -> float:
        return left + room * value / end

    for value in ticks(0.0, end, 4):
        svg.line(x(value), top, x(value), foot + 4, stroke="line" if value else "line2")
        svg.text(x(value), foot + 18, tick(value), anchor="middle", fill="ink2")
    for row, (k, name) in enumerate(zip(shown, names, strict=True)):
        at = top + row * _ROW + _ROW / 2
        over = exact[k] > at_most(promise)
        long = max(1.0, x(float(exact[k])) - left)
        svg.text(0, at + 4, fit(name, left - 6))
        svg.rect(left, at - 6, long, 12, fill="b" if over else "share")
        if over:
            svg.path(f"M{left:g} {at - 6:g}h{long:g}v12H{left:g}z", stroke="ink", stroke_dasharray="3 2")
        mark(svg, "paper", x(printed[row]), at, 4)
        mark(svg, "bound", x(bound[row]), at, 4)
        number = leakage(float(exact[k]), promise)
        mark(svg, "over" if over else "exact", w - width(number, 12, True) - 14, at, 4)
        svg.text(w, at + 4, number, anchor="end", weight=600, fill="over" if over else "ink")
    svg.line(x(promise), top - 2, x(promise), foot, stroke="promise", stroke_width=2, stroke_dasharray="4 3")
    y = foot + 34
    for kind, words in _key(analysis, bool((exact[shown] > at_most(promise)).any())):
        mark(svg, kind, 6, y - 4, 4)
        for line in wrap(words, w - 18, 12, most=2):
            svg.text(18, y, line, fill="ink2")
            y += 16
    if analysis.worst:
        for line in wrap(_adversaries(analysis, shown), w, 12, most=6):
            svg.text(0, y + 2, line, fill="ink2")
            y += 16
    left_out = analysis.joint.n - len(shown)
    words = f"Scale {rounded_up(analysis.scale, 6)}; {analysis.mechanism_label}."
    if left_out:
        words += f" {left_out:,} tuples that leak less are left out."
    for line in wrap(words, w, 12, most=3):
        svg.text(0, y + 2, line, fill="ink2")
        y += 16
    return y - 4


def _adversaries(analysis: DependenceAnalysis, shown: list[int]) -> str:
    """Say what is known by whoever learns most about each tuple."""
    alike: dict[str, list[str]] = {}
    for k in shown:
        names = [shorten(name, 24) for name, _ in analysis.per_tuple[k].about.known]
        many = f"{len(names):,} others" if len(names) > _NAMED else " and ".join(names)
        alike.setdefault(many or "nobody", []).append(shorten(analysis.joint.tuples[k], 24))
    listed = "; ".join(f"{', '.join(about)}: {known}" for known, about in alike.items())
    return f"Most is learned by whoever knows, about {listed}."


def _key(analysis: DependenceAnalysis, over: bool) -> list[tuple[Mark, str]]:
    key: list[tuple[Mark, str]] = [
        ("paper", "Paper’s estimate: exact coefficients of pairs, added up"),
        (
            "bound",
            f"Mean distances: {analysis.unproved}" if analysis.unproved else "Bound with mean distances",
        ),
    ]
    return [("over", "Dashed: more leaks than promised"), *key] if over else key
