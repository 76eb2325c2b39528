"""Promise against truth, a row for each dependent tuple; the accuracy curve with its table of mechanisms."""

from __future__ import annotations

import math

import numpy as np

from pdp_widgets.leakage.dependent.accuracy import laplace_accuracy
from pdp_widgets.leakage.dependent.dependence_results import COMPARED
from pdp_widgets.leakage.dependent.dependent_scale import Mechanism
from pdp_widgets.publish.dependence_shown import MECHANISM_NAMES, ShownDependence
from pdp_widgets.publish.formatting import bound, leakage, probability, tick
from pdp_widgets.publish.graph_picture import panel
from pdp_widgets.publish.labels import fit, width
from pdp_widgets.publish.marks import mark
from pdp_widgets.publish.numline_picture import nice_step, ticks
from pdp_widgets.publish.svg import Style, Svg, polyline
from pdp_widgets.publish.wording import above

__all__ = ["accuracy_panel", "chance", "rows_panel", "scale_words"]

#: Rows that are drawn; of more tuples those that leak most.
_MOST = 12
_NUMBER = 62.0
#: Curves by mechanism: colour, dashes, width. Others stand in the table alone.
_CURVES: dict[Mechanism, tuple[str, str, float]] = {
    "lpm": ("ink2", "2 3", 1.5),
    "dpm_mean": ("b", "5 2.5", 2),
    "baseline": ("promise", "8 3", 2),
    "dpm_exact": ("a", "none", 2.5),
    "dpm_eq18": ("c", "1.5 2.5", 2),
    "calibrated": ("d", "8 2 2 2", 2),
}
_ALWAYS: tuple[Mechanism, ...] = ("lpm", "dpm_mean", "baseline", "dpm_exact")


def rows_panel(svg: Svg, shown: ShownDependence, w: float) -> float:
    """Draw one row a tuple with promise, exact number, estimate and bound; return the height taken."""
    top = panel(svg, w, "Promise against truth", f"per {fit(shown.case.noun, 100)}, nats", "exact") + 16
    order = np.argsort(-shown.exact, kind="stable")[:_MOST].tolist()
    if shown.target not in order:
        order[-1] = shown.target
    drawn = sorted(order)
    tall = 26.0 if len(drawn) <= 8 else 21.0
    means = shown.means
    ends = [float(shown.exact[drawn].max()), shown.epsilon]
    ends += [float(shown.printed[drawn].max())] if shown.paper else []
    ends += [] if means is None else [float(means[drawn].max())]
    end = max(ends) or 1.0
    step = nice_step(end, 4)
    end = math.ceil(end / step - 1e-9) * step
    left = min(110.0, max(width(fit(shown.names[j], 100), 12, True) for j in drawn) + 10)
    right = w - _NUMBER - 34
    foot = top + tall * len(drawn)

    def x(value: float) -> float:
        return left + (right - left) * (value / end)

    for j, y in ((j, top + tall * row) for row, j in enumerate(drawn)):
        if j == shown.target:
            svg.rect(0, y, w, tall, 2, fill="sel")
    for value in ticks(0.0, end, 4):
        svg.line(x(value), top, x(value), foot, stroke="line" if value else "line2")
        unit = " nats" if value == ticks(0.0, end, 4)[-1] else ""
        svg.text(x(value), foot + 16, tick(value) + unit, anchor="middle", fill="ink2", size=11)
    svg.line(
        x(shown.epsilon),
        top - 6,
        x(shown.epsilon),
        foot,
        stroke="promise",
        stroke_width=2,
        stroke_dasharray="4 3",
    )
    promise = f"promise {leakage(shown.epsilon)}"
    near = x(shown.epsilon) + width(promise, 11) / 2 > right + 20
    svg.text(x(shown.epsilon), top - 10, promise, anchor="end" if near else "middle", fill="promise", size=11)
    for row, j in enumerate(drawn):
        y = top + tall * (row + 0.5)
        exact = float(shown.exact[j])
        over = shown.is_over(j)
        svg.text(4, y + 4, fit(shown.names[j], left - 8), weight=600 if j == shown.target else 400)
        ends_at = max(exact, 0.0 if means is None else float(means[j]))
        svg.line(x(0), y, x(ends_at), y, stroke="line2")
        if over:
            svg.line(x(shown.epsilon), y, x(exact), y, stroke="over", stroke_width=4)
        if means is not None:
            mark(svg, "bound", x(float(means[j])), y, 5)
        mark(svg, "exact", x(exact), y, 4.5)
        if shown.paper:
            mark(svg, "paper", x(float(shown.printed[j])), y, 3)
        number = leakage(exact, shown.epsilon)
        svg.text(w - 4, y + 4, number, anchor="end", size=13, weight=600, fill="over" if over else "ink")
        if over:
            at = w - 10 - width(number, 13, True)
            svg.text(at, y + 4, "over", anchor="end", fill="over", size=11)
            mark(svg, "over", at - 32, y, 4)
    y = foot + 38
    at = 6.0
    mean = "mean bound" if shown.case.knowing == "nobody" else "mean bound if nobody is known"
    words = [("exact", "exact")]
    words += [("paper", "paper’s estimate, pairs summed")] if shown.paper else []
    words += [] if means is None else [("bound", mean)]
    for kind, text in words:
        if at + 10 + width(text, 11) > w:
            at, y = 6.0, y + 17
        mark(svg, kind, at, y - 4, 4)  # type: ignore[arg-type]
        svg.text(at + 10, y, text, fill="ink2", size=11)
        at += width(text, 11) + 30
    if shown.n > len(drawn):
        y += 17
        svg.text(
            0, y, f"{shown.n - len(drawn):,} tuples that leak no more are not drawn.", fill="ink2", size=11
        )
    return y + 6


def scale_words(mechanism: Mechanism, scale: float) -> str:
    """Write the noise of a mechanism: the least that keeps the promise is rounded up, as in the browser.

    Examples
    --------
    >>> scale_words("calibrated", 1.76712), scale_words("dpm_exact", 1.76712)
    ('1.768', '1.767')
    """
    return bound(scale) if mechanism == "calibrated" else leakage(scale)


def chance(scale: float, alpha: float, outputs: int) -> float:
    """Return the chance that some output is off by more than alpha.

    Examples
    --------
    >>> round(chance(1.0, 3.0, 1), 3), chance(0.0, 3.0, 1)
    (0.05, 0.0)
    """
    if not scale:
        return 0.0
    return float(laplace_accuracy(alpha, scale, outputs).largest)


def accuracy_panel(svg: Svg, shown: ShownDependence, w: float) -> float:
    """Draw the chances of errors by size, and the table of mechanisms; return the height taken."""
    solved = shown.solved
    outputs = solved.analysis.outputs
    note = "P(|error| > α)" if outputs == 1 else "P(largest |error| > α)"
    top = panel(svg, w, "Accuracy", note) + 10
    scales = dict(zip(COMPARED, solved.scales, strict=True))
    used = solved.inputs.mechanism
    drawn = [key for key in _CURVES if key in _ALWAYS or key == used]
    # What is too large for an axis lies at its end.
    span = min(max(max(scales.values()) * 2.7, min(shown.alpha, 1e300) * 1.05), 1e300) or 1.0
    step = nice_step(span, 4)
    end = math.ceil(span / step - 1e-9) * step or 1.0
    left, foot = 30.0, top + 124

    def x(alpha: float) -> float:
        return left + (w - left - 4) * min(1.0, alpha / end)

    def up(p: float) -> float:
        return foot - (foot - top) * p

    for p in (0.0, 0.5, 1.0):
        svg.line(left, up(p), w - 4, up(p), stroke="line" if p else "line2")
        svg.text(left - 5, up(p) + 4, tick(p), anchor="end", fill="ink2", size=11)
    found = ticks(0.0, end, 4)
    for value in found:
        last = value == found[-1]
        text = f"α = {tick(value)}" if last else tick(value)
        svg.text(x(value), foot + 16, text, anchor="end" if last else "middle", fill="ink2", size=11)
    levels = np.linspace(0.0, end, 65 if svg.sheet.detail else 33).tolist()
    for key in drawn:
        tone, dash, wide = _CURVES[key]
        points = [(x(alpha), up(chance(scales[key], alpha, outputs))) for alpha in levels]
        style: dict[str, Style] = {} if dash == "none" else {"stroke_dasharray": dash}
        svg.path(polyline(points), stroke=tone, stroke_width=wide + (0.5 if key == used else 0), **style)
    svg.line(x(shown.alpha), top, x(shown.alpha), foot, stroke="brand", stroke_width=1.5)
    for key in drawn:
        svg.circle(x(shown.alpha), up(chance(scales[key], shown.alpha, outputs)), 3.5, fill=_CURVES[key][0])
    return _mechanisms(svg, shown, w, foot + 38, drawn)


def _mechanisms(svg: Svg, shown: ShownDependence, w: float, y: float, drawn: list[Mechanism]) -> float:
    solved = shown.solved
    places = (w - 124, w - 64, w - 2)
    svg.text(4, y, "mechanism", fill="ink2", size=11)
    alpha = tick(shown.alpha) if shown.alpha == 0 or 1e-3 <= shown.alpha < 1e5 else f"{shown.alpha:.1e}"
    for at, text in zip(places, ("σ", "worst leak", f"at α = {fit(alpha, 30)}"), strict=True):
        svg.text(at, y, text, anchor="end", fill="ink2", size=11)
    svg.line(0, y + 5.5, w, y + 5.5, stroke="line2")
    for place, key in enumerate(COMPARED):
        y += 20
        chosen = key == solved.inputs.mechanism
        if chosen:
            svg.rect(0, y - 14, w, 19, fill="sel")
        if key in drawn:
            tone, dash, wide = _CURVES[key]
            style: dict[str, Style] = {} if dash == "none" else {"stroke_dasharray": dash}
            svg.path(f"M4 {y - 4:g}h28", stroke=tone, stroke_width=wide, **style)
        weight = 600 if chosen else 400
        svg.text(38, y, MECHANISM_NAMES[key], weight=weight)
        scale, worst = solved.scales[place], solved.largest[place]
        over = above(worst, shown.epsilon)
        number = leakage(worst, shown.epsilon)
        svg.text(places[0], y, scale_words(key, scale), anchor="end", weight=weight)
        svg.text(places[1], y, number, anchor="end", weight=weight, fill="over" if over else "ink")
        if over:
            mark(svg, "over", places[1] - width(number, 12, chosen) - 8, y - 4, 4)
        text = probability(chance(scale, shown.alpha, solved.analysis.outputs))
        svg.text(places[2], y, text, anchor="end", weight=weight)
    return y + 8
