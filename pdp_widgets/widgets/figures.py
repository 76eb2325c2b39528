"""bqplot figures of results, to compose in a notebook: leakage by layer, and one adversary in full.

bqplot takes almost half a second to import; it is imported when a figure is made. Colours stand on a light
and on a dark background alike, and no cue is colour alone: dashes and marker shapes differ too.
"""

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
from pdp_widgets.models.labels import short
from pdp_widgets.widgets.pictured_figure import pictured_figure

__all__ = ["plot_adversary", "plot_gaussian_adversary", "plot_layers"]

# Mid tones that reach 3:1 on white and on JupyterLab's dark background.
_LABELS = ("#2a86c8", "#c47a12", "#1d9a76", "#b8609c")
_DASHES = ("solid", "dashed", "dotted", "dash_dotted")
_NEUTRAL = "#8a8a8a"
_PROMISE = "#7189a3"
_OVER = "#d2622a"
_POINTS = 401
_SPREAD = 0.6
#: Heights of the lower half and of the room for the legend, in heights of the densities.
_HALF = 1.15
_HEAD = 0.6


def _axis_style() -> dict[str, Any]:
    return {"color": _NEUTRAL, "label_color": _NEUTRAL, "grid_color": _NEUTRAL, "grid_lines": "none"}


def _axes(x: Any, y: Any, x_label: str, y_label: str) -> list[Any]:
    import bqplot

    return [
        bqplot.Axis(scale=x, label=x_label, label_offset="2.6em", **_axis_style()),
        bqplot.Axis(scale=y, label=y_label, orientation="vertical", label_offset="3.2em", **_axis_style()),
    ]


def _figure(title: str, marks: list[Any], axes: list[Any], legend: str, height: int = 320) -> Any:
    return pictured_figure(
        marks=marks,
        axes=axes,
        title=title,
        title_style={"font-size": "14px", "fill": _NEUTRAL},
        legend_location=legend,
        legend_style={"stroke": "none", "fill": "none"},
        legend_text={"font-size": "12px", "fill": _NEUTRAL},
        background_style={"fill": "none"},
        fig_margin={"top": 44, "bottom": 48, "left": 64, "right": 64},
        layout={"height": f"{height}px", "width": "100%", "max_width": "720px"},
        animation_duration=0,
    )


def _level(
    x: Any,
    y: Any,
    ends: tuple[float, float],
    value: float,
    colour: str,
    name: str,
    style: str = "dashed",
) -> Any:
    import bqplot

    return bqplot.Lines(
        x=np.array(ends),
        y=np.array([value, value]),
        scales={"x": x, "y": y},
        colors=[colour],
        line_style=style,
        stroke_width=1.5,
        labels=[name],
        display_legend=bool(name),
    )


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
        _level(x, y, (1 - _SPREAD, n + _SPREAD), analysis.promise, _PROMISE, promised),
        _dots(x, y, x_at[~over], exact[~over], "circle", _LABELS[0], "exact"),
        _dots(x, y, x_at[over], exact[over], "triangle-up", _OVER, "exact, above the promise"),
    ]
    if paper is not None:
        marks.append(_dots(x, y, x_at, paper.ravel(), "diamond", _LABELS[1], "paper's estimate", False))
    axes = _axes(x, y, "tuples not known, the attacked one included", "leakage (nats)")
    axes[0].tick_values = np.arange(1, n + 1)
    axes[0].tick_format = "d"
    return _figure("What every adversary learns", marks, axes, "bottom-left")


def _side_by_side(n: int, width: int) -> NDArray[np.float64]:
    if n == 1:
        return np.zeros(width)
    step = _SPREAD / n
    return np.repeat((np.arange(n) - (n - 1) / 2) * step, width)


def _dots(
    x: Any,
    y: Any,
    at: NDArray[np.float64],
    values: NDArray[np.float64],
    marker: str,
    colour: str,
    name: str,
    fill: bool = True,
) -> Any:
    import bqplot

    return bqplot.Scatter(
        x=at,
        y=values,
        scales={"x": x, "y": y},
        marker=marker,
        colors=[colour],
        fill=fill,
        stroke=colour,
        default_size=36,
        labels=[name],
        display_legend=bool(values.size),
    )


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
    return _figure(title, marks, axes, "top-left", height=460 if leaks else 320)


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
        axes = _axes(*scales, "released number r", "density of r")
        return _figure(f"{title}: determined, nothing is left to learn", [], axes, "top-left")
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
        _level(x, y, ends, adversary.promise, _PROMISE, "promise ±M/λ"),
        _level(x, y, ends, -adversary.promise, _PROMISE, ""),
        *_segments(x, y, r, ratio, adversary.promise),
        _level(x, y, ends, -seen.limit, _NEUTRAL, "", "dash_dotted"),
        _level(x, y, ends, seen.limit, _NEUTRAL, f"limit ±{seen.limit:.4g} nats, {attained}", "dash_dotted"),
    ]
    return _figure(title, marks, [*axes, axis], "top-left", height=460)


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
            colors=[_LABELS[k % len(_LABELS)]],
            line_style=_DASHES[k % len(_DASHES)],
            labels=[name],
            display_legend=True,
        )
        for k, (name, values) in enumerate(densities.items())
    ]
    axes = _axes(x, y, "released number r", "density of r")
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
        _level(x, y, ends, promise, _PROMISE, "promise ±GS/λ"),
        _level(x, y, ends, -promise, _PROMISE, ""),
        *_segments(x, y, r, ratio, promise),
        _dots(x, y, np.array([attained.r]), np.array([found.value]), "circle", _NEUTRAL, at),
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
        **_axis_style(),
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
                colors=[_OVER if thick else _NEUTRAL],
                stroke_width=3.5 if thick else 2.0,
            )
        )
    return pieces
