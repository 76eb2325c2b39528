"""What all bqplot figures of results share: colours, axes, levels, points.

bqplot takes almost half a second to import; it is imported when a figure is made. Colours stand on a light
and on a dark background alike, and no cue is colour alone: dashes and marker shapes differ too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.publish.line_chart import Chart
from pdp_widgets.widgets.pictured_figure import pictured_figure

__all__ = [
    "DASHES",
    "LABELS",
    "NEUTRAL",
    "OVER",
    "PROMISE",
    "axes_of",
    "axis_style",
    "chart_figure",
    "dots_of",
    "figure_of",
    "level_line",
    "lines_of",
]

# Mid tones that reach 3:1 on white and on JupyterLab's dark background.
LABELS = ("#2a86c8", "#c47a12", "#1d9a76", "#b8609c")
DASHES = ("solid", "dashed", "dotted", "dash_dotted")
NEUTRAL = "#8a8a8a"
PROMISE = "#7189a3"
OVER = "#d2622a"


def axis_style() -> dict[str, Any]:
    """Return how an axis looks."""
    return {"color": NEUTRAL, "label_color": NEUTRAL, "grid_color": NEUTRAL, "grid_lines": "none"}


def axes_of(x: Any, y: Any, x_label: str, y_label: str) -> list[Any]:
    """Return the axes of two scales, with their labels."""
    import bqplot

    return [
        bqplot.Axis(scale=x, label=x_label, label_offset="2.6em", **axis_style()),
        bqplot.Axis(scale=y, label=y_label, orientation="vertical", label_offset="3.2em", **axis_style()),
    ]


def figure_of(title: str, marks: list[Any], axes: list[Any], legend: str, height: int = 320) -> Any:
    """Return a figure with its marks, axes and legend; a saved notebook keeps its picture."""
    return pictured_figure(
        marks=marks,
        axes=axes,
        title=title,
        title_style={"font-size": "14px", "fill": NEUTRAL},
        legend_location=legend,
        legend_style={"stroke": "none", "fill": "none"},
        legend_text={"font-size": "12px", "fill": NEUTRAL},
        background_style={"fill": "none"},
        fig_margin={"top": 44, "bottom": 48, "left": 64, "right": 64},
        layout={"height": f"{height}px", "width": "100%", "max_width": "720px"},
        animation_duration=0,
    )


def level_line(
    x: Any,
    y: Any,
    ends: tuple[float, float],
    value: float,
    colour: str,
    name: str,
    style: str = "dashed",
) -> Any:
    """Return a straight line at one height, across from one end to the other."""
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


def dots_of(
    x: Any,
    y: Any,
    at: NDArray[np.float64],
    values: NDArray[np.float64],
    marker: str,
    colour: str,
    name: str,
    fill: bool = True,
) -> Any:
    """Return points of one kind."""
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


def lines_of(
    curves: list[tuple[str, Any, str, str, float]],
    at: Any,
    title: str,
    across: str,
    up: str,
    highest: float = 0.0,
) -> Any:
    """Return a figure of curves over one axis.

    Parameters
    ----------
    curves
        Name, values, colour, line style and width of each; what is not finite is left out, and said so.
    at
        Where the values lie on the axis.
    title, across, up
        Words of the figure and its axes.
    highest
        Least upper end of the vertical axis.
    """
    import bqplot

    finite = [values[np.isfinite(values)] for _, values, *_ in curves]
    top = max([highest, 1e-12, *(float(values.max(initial=0.0)) for values in finite)])
    low = min([0.0, *(float(values.min(initial=0.0)) for values in finite)])
    ends = (float(at.min()), float(at.max())) if at.size else (0.0, 1.0)
    room = 0.5 if ends[0] == ends[1] else 0.0
    x = bqplot.LinearScale(min=ends[0] - room, max=ends[1] + room)
    # Room above the curves for their names.
    y = bqplot.LinearScale(min=low, max=low + (top - low) * (1.08 + 0.09 * len(curves)))
    marks = [
        bqplot.Lines(
            x=at[np.isfinite(values)],
            y=values[np.isfinite(values)],
            scales={"x": x, "y": y},
            colors=[colour],
            line_style=style,
            stroke_width=width,
            labels=[name if np.isfinite(values).all() else f"{name} (infinite where not drawn)"],
            display_legend=True,
        )
        for name, values, colour, style, width in curves
    ]
    axes = axes_of(x, y, across, up)
    if across == "step" and at.size and at[-1] <= 16:
        axes[0].tick_values = at
        axes[0].tick_format = "d"
    figure = figure_of(title, marks, axes, "top-left", height=360)
    figure.legend_style = {"stroke": "none", "fill": "none"}
    figure.title_style = {"font-size": "14px", "fill": NEUTRAL}
    return figure


def chart_figure(chart: Chart) -> Any:
    """Return what a figure for a paper draws, with the same words.

    Examples
    --------
    >>> from pdp_widgets.publish.line_chart import Line
    >>> chart_figure(Chart("Half", [Line("y", [0, 1], [0, 0.5])], "x", "y")).axes[0].label
    'x'
    """
    import bqplot

    (left, right), (low, high) = chart.x_ends, chart.y_ends
    x, y = bqplot.LinearScale(min=left, max=right), bqplot.LinearScale(min=low, max=high)
    marks = []
    for k, line in enumerate(chart.lines):
        if not line.joined:
            marks.append(dots_of(x, y, line.x, line.y, "circle", LABELS[k], line.name))
            continue
        marks.append(
            bqplot.Lines(
                x=line.x,
                y=line.y,
                scales={"x": x, "y": y},
                colors=[LABELS[k]],
                line_style=DASHES[k],
                stroke_width=2.0,
                labels=[line.name],
                display_legend=True,
            )
        )
    if chart.level is not None:
        marks.append(level_line(x, y, (left, right), chart.level[1], PROMISE, chart.level[0]))
    return figure_of(chart.title, marks, axes_of(x, y, chart.x_label, chart.y_label), "top-right")
