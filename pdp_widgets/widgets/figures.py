"""bqplot figures of results, to compose in a notebook: leakage by layer, and one adversary in full."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.adversary import layers
from pdp_widgets.leakage.gaussian.analysis import GaussianAnalysis
from pdp_widgets.leakage.gaussian.comparison import Comparison
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.leakage.prior.exact_node import PriorAdversary
from pdp_widgets.leakage.prior.histogram_analysis import HistogramAnalysis
from pdp_widgets.leakage.prior.leakage_intervals import LeakageIntervals
from pdp_widgets.models.labels import short
from pdp_widgets.widgets.bqplot_parts import (
    DASHES,
    LABELS,
    NEUTRAL,
    OVER,
    PROMISE,
    axes_of,
    axis_style,
    dots_of,
    figure_of,
    level_line,
)

__all__ = ["plot_adversary", "plot_gaussian_adversary", "plot_intervals", "plot_layers"]

_POINTS = 401
_SPREAD = 0.6
#: Heights of the lower half and of the room for the legend, in heights of the densities.
_HALF = 1.15
_HEAD = 0.6


def plot_layers(
    analysis: PriorAnalysis | GaussianAnalysis | HistogramAnalysis, *, show_paper: bool = False
) -> Any:
    """Return a figure of every adversary's leakage by how much the adversary does not know.

    Parameters
    ----------
    analysis
        The results.
    show_paper
        Draw the paper's chain-rule estimate beside the exact values; there is none for Gaussian data and
        for a histogram.

    Returns
    -------
    bqplot.Figure
        One disc for each adversary (x: number of unknown tuples, the attacked one included; y: nats),
        triangles for those above the promise, which is the dashed line; diamonds for the paper's estimate.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAnalysis, lsat6
    >>> joint = lsat6()
    >>> figure = plot_layers(PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)))
    >>> figure.axes[1].label
    'leakage (nats)'
    """
    import bqplot

    gaussian = isinstance(analysis, GaussianAnalysis)
    n = analysis.exact.shape[0]
    paper = analysis.paper if show_paper and isinstance(analysis, PriorAnalysis) else None
    layer = np.tile(layers(n), n).astype(np.float64)
    exact = analysis.exact.ravel()
    # Adversaries of one layer stand side by side, in the order of the tuple they attack.
    x_at = layer + _side_by_side(n, analysis.exact.shape[1])
    top = float(exact.max())
    if paper is not None:
        top = max(top, float(paper.max()))
    x = bqplot.LinearScale(min=1 - _SPREAD, max=n + _SPREAD)
    y = bqplot.LinearScale(min=0.0, max=max(top, analysis.promise, 1e-12) * 1.08)
    over = exact > analysis.promise * (1 + 1e-9)
    promised = "promise M/λ" if gaussian else "promise GS/λ"
    marks = [
        level_line(x, y, (1 - _SPREAD, n + _SPREAD), analysis.promise, PROMISE, promised),
        dots_of(x, y, x_at[~over], exact[~over], "circle", LABELS[0], "exact"),
        dots_of(x, y, x_at[over], exact[over], "triangle-up", OVER, "exact, above the promise"),
    ]
    if paper is not None:
        marks.append(dots_of(x, y, x_at, paper.ravel(), "diamond", LABELS[1], "paper's estimate", False))
    axes = axes_of(x, y, "tuples not known, the attacked one included", "leakage (nats)")
    axes[0].tick_values = np.arange(1, n + 1)
    axes[0].tick_format = "d"
    return figure_of("What every adversary learns", marks, axes, "bottom-left")


def _side_by_side(n: int, width: int) -> NDArray[np.float64]:
    if n == 1:
        return np.zeros(width)
    step = _SPREAD / n
    return np.repeat((np.arange(n) - (n - 1) / 2) * step, width)


def plot_intervals(found: LeakageIntervals) -> Any:
    """Return a figure of every adversary's estimate with its interval, by how much is not known.

    Parameters
    ----------
    found
        The results.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery, leakage_intervals, lsat6
    >>> joint = lsat6().marginal(["item 1", "item 5"])
    >>> made = plot_intervals(leakage_intervals(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), rng=1))
    >>> [mark.labels[0] for mark in made.marks]
    ['95 % interval', 'estimate']
    """
    import bqplot

    n, width = found.value.shape
    at = np.tile(layers(n), n).astype(np.float64) + _side_by_side(n, width)
    value, low, high = (array.ravel() for array in (found.value, found.low, found.high))
    top = max([1e-12, *(float(part[np.isfinite(part)].max(initial=0.0)) for part in (value, high))])
    x = bqplot.LinearScale(min=1 - _SPREAD, max=n + _SPREAD)
    y = bqplot.LinearScale(min=0.0, max=top * 1.08)
    # One line with gaps: an interval at each place.
    gap = np.full(at.size, np.nan)
    bars = bqplot.Lines(
        x=np.column_stack([at, at, at]).ravel(),
        y=np.column_stack([low, high, gap]).ravel(),
        scales={"x": x, "y": y},
        colors=[LABELS[1]],
        stroke_width=2,
        labels=[f"{100 * found.level:.6g} % interval"],
        display_legend=True,
    )
    marks = [bars, dots_of(x, y, at, value, "circle", LABELS[0], "estimate")]
    axes = axes_of(x, y, "tuples not known, the attacked one included", "leakage (nats)")
    axes[0].tick_values = np.arange(1, n + 1)
    axes[0].tick_format = "d"
    return figure_of("What every adversary learns, as an estimate", marks, axes, "bottom-left")


def plot_adversary(adversary: PriorAdversary) -> Any:
    """Return a figure of what one adversary sees: densities above, log ratio below, over one axis.

    Parameters
    ----------
    adversary
        The adversary; the labels that can occur each have a density.

    Returns
    -------
    bqplot.Figure
        Upper half, left axis: the density of the released number r given each label of the attacked tuple.
        Lower half, right axis: the log ratio (nats) of the pair that leaks most, thick beyond plus and minus
        the promise (dashed), with the attained maximum marked. Where the target is determined there is no
        lower half.

    Examples
    --------
    >>> from pdp_widgets import LaplaceMechanism, LinearQuery, PriorAdversary, lsat6
    >>> joint = lsat6()
    >>> adversary = PriorAdversary(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), "item 1")
    >>> [axis.label for axis in plot_adversary(adversary).axes]
    ['released number r', 'density of r', 'log ratio, 0 over 1 (nats)']
    """
    import bqplot

    r = _releases(adversary)
    x = bqplot.LinearScale(min=float(r[0]), max=float(r[-1]))
    known = ", ".join(f"{short(name)} = {short(label)}" for name, label in adversary.known.items()) or "none"
    title = f"About {short(adversary.target)}, knowing {known}"
    name = short(adversary.target)
    densities = {f"if {name} is {short(label)}": adversary.density(label, r) for label in adversary.feasible}
    leaks = adversary.leakage.attained is not None
    marks, axes = _densities(x, r, densities, leaks)
    if leaks:
        more, axis = _ratio(adversary, r, x)
        marks += more
        axes.append(axis)
    return figure_of(title, marks, axes, "top-left", height=460 if leaks else 320)


def plot_gaussian_adversary(adversary: GaussianAdversary) -> Any:
    """Return a figure of what one adversary of Gaussian data sees: densities above, log ratio below.

    Parameters
    ----------
    adversary
        The adversary; the known tuples are at their means.

    Returns
    -------
    bqplot.Figure
        Upper half, left axis: the density of the released number r when the attacked tuple is as expected,
        and when it is M more. Lower half, right axis: their log ratio (nats), thick beyond plus and minus
        the promise (dashed), between its two limits (dash-dotted). Where unknown tuples hide it, no release
        attains them. Where the target is determined there is nothing to draw but a title that says so.

    Examples
    --------
    >>> from pdp_widgets import GaussianAdversary, GaussianModel
    >>> adversary = GaussianAdversary(GaussianModel([1.0, 2.0], [[1, 0.5], [0.5, 1]]), "x1")
    >>> plot_gaussian_adversary(adversary).marks[-1].labels
    ['limit ±1.5 nats, never attained']
    """
    import bqplot

    name = short(adversary.target)
    title = f"About {name}, knowing {', '.join(map(short, adversary.known)) or 'none'}"
    if adversary.determined:
        scales = bqplot.LinearScale(min=0.0, max=1.0), bqplot.LinearScale(min=0.0, max=1.0)
        axes = axes_of(*scales, "released number r", "density of r")
        return figure_of(f"{title}: determined, nothing is left to learn", [], axes, "top-left")
    seen = Comparison(adversary)
    r = np.linspace(*seen.ends, _POINTS)
    x = bqplot.LinearScale(min=float(r[0]), max=float(r[-1]))
    low, high = (f"{value:.6g}" for value in seen.pair)
    drawn = dict(zip((f"if {name} is {low}", f"if {name} is {high}"), seen.densities(r), strict=True))
    # With nothing to hide the two values are one.
    marks, axes = _densities(x, r, drawn, True)
    ratio = seen.log_ratio(r)
    y, axis = _ratio_axis(
        f"log ratio, {high} over {low} (nats)", max(seen.limit, adversary.promise, 1e-12), adversary.promise
    )
    attained = "never attained" if adversary.is_limit else "attained"
    ends = (float(r[0]), float(r[-1]))
    marks += [
        level_line(x, y, ends, adversary.promise, PROMISE, "promise ±M/λ"),
        level_line(x, y, ends, -adversary.promise, PROMISE, ""),
        *_segments(x, y, r, ratio, adversary.promise),
        level_line(x, y, ends, -seen.limit, NEUTRAL, "", "dash_dotted"),
        level_line(
            x, y, ends, seen.limit, NEUTRAL, f"limit ±{seen.limit:.4g} nats, {attained}", "dash_dotted"
        ),
    ]
    return figure_of(title, marks, [*axes, axis], "top-left", height=460)


def _densities(
    x: Any, r: NDArray[np.float64], densities: dict[str, NDArray[np.float64]], halved: bool
) -> tuple[list[Any], list[Any]]:
    """Return the marks and axes of densities by name, with room for another half below where asked."""
    import bqplot

    top = max(float(values.max()) for values in densities.values())
    y = bqplot.LinearScale(min=-_HALF * top if halved else 0.0, max=top * (1 + _HEAD))
    marks = [
        bqplot.Lines(
            x=r,
            y=values,
            scales={"x": x, "y": y},
            colors=[LABELS[k % len(LABELS)]],
            line_style=DASHES[k % len(DASHES)],
            labels=[name],
            display_legend=True,
        )
        for k, (name, values) in enumerate(densities.items())
    ]
    axes = axes_of(x, y, "released number r", "density of r")
    axes[1].tick_values = np.array([0.0, top / 2, top])
    axes[1].tick_format = ".2~g"
    axes[1].label_location = "end"
    return marks, axes


def _releases(adversary: PriorAdversary) -> NDArray[np.float64]:
    """Return releases around all centres, the centres among them."""
    centres = np.unique(np.concatenate([m.centres for m in adversary.mixtures().values()]))
    reach = 2.5 * adversary.mechanism.scale
    even = np.linspace(centres[0] - reach, centres[-1] + reach, _POINTS)
    return np.unique(np.concatenate([even, centres]))


def _ratio(adversary: PriorAdversary, r: NDArray[np.float64], x: Any) -> tuple[list[Any], Any]:
    """Return the marks and the axis of the lower half."""
    found = adversary.leakage
    attained = found.attained
    assert attained is not None
    more, less = attained.pair
    ratio = adversary.log_ratio(more, less, r)
    promise = adversary.mechanism.promise
    largest = max(found.value, float(np.abs(ratio).max()), promise, 1e-12)
    y, axis = _ratio_axis(f"log ratio, {short(more)} over {short(less)} (nats)", largest, promise)
    ends = (float(r[0]), float(r[-1]))
    at = f"{found.value:.4g} nats attained, r {_SIDES[attained.side]} {attained.r:.6g}"
    marks = [
        level_line(x, y, ends, promise, PROMISE, "promise ±GS/λ"),
        level_line(x, y, ends, -promise, PROMISE, ""),
        *_segments(x, y, r, ratio, promise),
        dots_of(x, y, np.array([attained.r]), np.array([found.value]), "circle", NEUTRAL, at),
    ]
    return marks, axis


def _ratio_axis(label: str, largest: float, promise: float) -> tuple[Any, Any]:
    """Return scale and axis of the lower half, for log ratios up to the largest in size."""
    import bqplot

    # The curve fills the lower half but for a small gap below the densities.
    bottom = -largest * 1.04
    height = 2 * -bottom / 0.97 * (_HALF + 1 + _HEAD) / _HALF
    y = bqplot.LinearScale(min=bottom, max=bottom + height)
    axis = bqplot.Axis(
        scale=y,
        label=label,
        orientation="vertical",
        side="right",
        label_location="start",
        label_offset="3.2em",
        tick_values=np.unique([-largest, -promise, 0.0, promise, largest]),
        tick_format=".3~g",
        **axis_style(),
    )
    return y, axis


_SIDES = {"<=": "≤", ">=": "≥", "=": "="}


def _segments(
    x: Any, y: Any, r: NDArray[np.float64], ratio: NDArray[np.float64], promise: float
) -> list[Any]:
    """Return the curve in pieces: beyond the promise it is thick."""
    import bqplot

    over = np.abs(ratio) > promise * (1 + 1e-9)
    cuts = [0, *(int(k) + 1 for k in np.flatnonzero(over[1:] != over[:-1])), r.size]
    pieces = []
    for start, end in pairwise(cuts):
        # One point of the next piece closes the gap between them.
        part = slice(start, min(end + 1, r.size))
        thick = bool(over[start])
        pieces.append(
            bqplot.Lines(
                x=r[part],
                y=ratio[part],
                scales={"x": x, "y": y},
                colors=[OVER if thick else NEUTRAL],
                stroke_width=3.5 if thick else 2.0,
            )
        )
    return pieces
