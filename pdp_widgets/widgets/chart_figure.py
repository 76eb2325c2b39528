"""bqplot figures of declared charts and cells, and the picture that they leave in a saved notebook.

bqplot takes almost half a second to import; it is imported when a figure is made. Colours stand on a light
and on a dark background alike, and no cue is colour alone: dashes and shapes of dots differ too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.core.chart import Axis, Cells, Chart, Drawn, Level, Series
from pdp_widgets.errors import DomainError, Where
from pdp_widgets.models.labels import shown
from pdp_widgets.publish.formatting import cell, short
from pdp_widgets.publish.labels import shorten
from pdp_widgets.widgets.chart_layout import NEUTRAL, WIDE, Plot, Text, ends_of, equal, framed, placed
from pdp_widgets.widgets.pictured_figure import pictured_column, pictured_figure

Floats: TypeAlias = NDArray[np.float64]

#: Mid tones that reach 3:1 on white and on JupyterLab's dark background.
_COLOURS = {
    "a": "#2a86c8",
    "b": "#c47a12",
    "c": "#1d9a76",
    "d": "#b8609c",
    "ink": "#7a7a7a",
    "ink2": "#8f8f8f",
    "promise": "#7189a3",
    "paper": "#a8822c",
    "over": "#d2622a",
    "est": "#b25fa6",
}
#: From next to nothing to the most, and with what is below 0; dark figures stand out on all of them.
_HEAT = ["#eef3f8", "#b5d2e8", "#6fabd8"]
_SIGNED = ["#e8a56f", "#f4f4f4", "#6fabd8"]
_INK = "#1b2733"

#: bqplot writes a legend inside the plot, 16 px for each name. Larger dots would hide the others.
_LEGEND_LINE, _LARGEST_DOT = 16.0, 40.0
#: Labels that a reader takes in, and those of a series on hover, which a saved notebook keeps; rows of cells
#: that have room for numbers, and for names.
_MOST_LABELS, _MOST_HOVERED, _MOST_NUMBERED, _MOST_NAMED = 40, 200, 14, 45


class _Style(NamedTuple):
    """How a series is drawn: a colour of the palette, dashes and the shape of its dots."""

    colour: str
    dashes: str
    shape: str


#: What series that do not say it are drawn with, in the order of the front end (js/src/scene/marks.ts).
_NEXT = {
    "colour": ("a", "b", "c", "d"),
    "dashes": ("solid", "dashed", "dotted", "dash_dotted"),
    "shape": ("disc", "ring", "diamond", "triangle", "cross"),
}
_MARKERS = {"disc": "circle", "ring": "circle", "triangle": "triangle-up"}


def chart_figure(drawn: Drawn, **settings: Any) -> Any:
    """Return a bqplot figure of a declared chart or table of cells, or several below each other."""
    # Settings are those of ``bqplot.Figure``. The figure is displayed as two outputs, see `pictured_figure`;
    # ``.declaration`` is what it was made of and ``.snapshot()`` the picture. Values that are not finite are
    # left out, and the legend says so where they are infinite; a level beyond the axis is in it with its
    # value. The first 200 labels of dots are shown on hover, and beside their points all of a chart that has
    # 40 or fewer. The legend has room above the data, where the vertical axis has no numbers.
    listed = _listed(drawn)
    _check_settings(settings)
    if len(listed) > 1:
        return pictured_column(listed, [chart_figure(each, **settings) for each in listed])
    one = listed[0]
    # What is not finite and what overflows is left out, without a warning.
    with np.errstate(all="ignore"):
        made = _of_cells(one) if isinstance(one, Cells) else _of_chart(one)
    look: dict[str, Any] = {
        "title": shorten(one.title, 90),
        "title_style": {"font-size": "14px", "fill": NEUTRAL},
        # At the right bqplot would give a name 16 px a letter, and begin beside the plot.
        "legend_location": "top-left",
        "legend_style": {"stroke": "none", "fill": "none"},
        "legend_text": {"font-size": "12px", "fill": NEUTRAL},
        "background_style": {"fill": "none"},
        "animation_duration": 0,
    }
    return pictured_figure(one, **{**look, **made, **settings})


def _check_settings(settings: dict[str, Any]) -> None:
    import bqplot

    machinery = {"comm", "keys", "log"}
    known = [name for name in bqplot.Figure.class_trait_names() if name[0] != "_" and name not in machinery]
    for name in settings:
        if name not in known:
            raise DomainError(
                f"bqplot.Figure has no setting {name!r}; it has {', '.join(sorted(known))}.",
                Where("parameter", name=name),
            )


def _listed(drawn: Drawn) -> list[Chart | Cells]:
    """Return the declarations that a figure can be made of."""
    listed = list(drawn) if isinstance(drawn, Sequence) else [drawn]
    charts = [one for one in listed if isinstance(one, Chart | Cells)]
    if charts and len(charts) == len(listed):
        return charts
    raise DomainError(
        f"There is no bqplot figure of {shown(drawn)}; a chart or a table of cells has one. Name a part of "
        "the result that is one, or .save() the picture.",
        Where("parameter", name="drawn"),
    )


# Charts


def _of_chart(chart: Chart) -> dict[str, Any]:
    """Return what makes the figure of a chart: marks, axes, margins and size."""
    import bqplot

    tight = all(one.mark == "line" for one in chart.series)
    x_ends = ends_of(chart.x, _values(chart, "x"), _levels(chart, "x"), tight=tight)
    y_ends = ends_of(chart.y, _values(chart, "y"), _levels(chart, "y"), zero=not chart.equal)
    plot = Plot(x_ends, y_ends, rows=bool(chart.y.names))
    plot = equal(plot) if chart.equal else plot
    plot = replace(plot, scales={name: bqplot.LinearScale() for name in ("x", "y")})
    marks = [mark for level in chart.levels for mark in _level(plot, level)]
    styled = list(zip(chart.series, _styles(chart), strict=True))
    for series, style in styled:
        marks += _marks(plot, series, style, chart.y.powers)
    marks += _labels(plot, styled)
    entries = sum(len(mark.labels) for mark in marks if mark.display_legend)
    room = _LEGEND_LINE * (entries + 1) if entries else 0.0
    low, high = plot.y_ends
    scales = plot.scales
    scales["x"].min, scales["x"].max = plot.x_ends
    above = (high - low) * room / plot.tall
    # The first name stands on top, as in the picture.
    scales["y"].reverse = plot.rows
    scales["y"].min, scales["y"].max = (low - above, high) if plot.rows else (low, high + above)
    made = framed(replace(plot, tall=plot.tall + room), chart.x, chart.y)
    if chart.equal:
        wide = plot.wide + made["fig_margin"]["left"] + made["fig_margin"]["right"]
        made["layout"]["max_width"] = f"{wide:.0f}px"
        ratio = wide / float(made["layout"]["height"].removesuffix("px"))
        made |= {"min_aspect_ratio": ratio, "max_aspect_ratio": ratio}
    return {"marks": marks, **made}


def _marks(plot: Plot, series: Series, style: _Style, powers: bool) -> list[Any]:
    """Return the marks of a series; none where it has nothing to show or to say."""
    # The logarithm of 0 is no infinite value.
    infinite = bool(np.isposinf(series.y).any() or (np.isneginf(series.y).any() and not powers))
    name = series.name
    if infinite and name:
        name = f"{shorten(name, 30)} (infinite where not drawn)"
    drawn = bool((np.isfinite(series.x) & np.isfinite(series.y)).any())
    if drawn or series.mark == "boxes" or (infinite and name):
        return _DRAWN[series.mark](plot, series, style, name)
    return []


def _values(chart: Chart, along: str) -> Floats:
    """Return what an axis has to show."""
    parts = [getattr(one, along) for one in chart.series]
    between = "x" if chart.y.names else "y"
    parts += [one.corners["xy".index(along)] for one in chart.series if one.corners is not None]
    if along == between:
        parts += [part for one in chart.series for part in (one.low, one.high) if part is not None]
    return np.concatenate(parts)


def _levels(chart: Chart, along: str) -> list[float]:
    return [level.at for level in chart.levels if level.along == along]


def _styles(chart: Chart) -> list[_Style]:
    """Say of every series how it is drawn: what it does not say is the next of its kind that nobody has."""

    def free(part: str) -> Iterator[Any]:
        said = {getattr(one, part) for one in chart.series}
        return cycle([kind for kind in _NEXT[part] if kind not in said] or _NEXT[part])

    colours, dashes, shapes = (free(part) for part in _NEXT)
    found = []
    for one in chart.series:
        dashed = one.dashes or ("dashed" if one.colour == "promise" else "")
        if not dashed and one.mark != "dots":
            dashed = next(dashes)
        shape = str(one.shape or (next(shapes) if one.mark == "dots" else "disc"))
        found.append(_Style(_COLOURS[one.colour or next(colours)], dashed or "solid", shape))
    return found


def _level(plot: Plot, level: Level) -> list[Any]:
    """Return the line of a level; where it lies outside the plot the legend says so."""
    (low, high), across = (plot.y_ends, plot.x_ends) if level.along == "y" else (plot.x_ends, plot.y_ends)
    name, at, ends = level.name, level.at, list(across)
    if not low <= at <= high:
        if math.isnan(at) or not name:
            return []
        where = f"beyond the axis, {short(at)}" if math.isfinite(at) else "infinite"
        # A line of one point is not seen, but has its name in the legend.
        name, at, ends = f"{shorten(name, 30)} ({where})", low, ends[:1]
    x, y = (ends, [at] * len(ends)) if level.along == "y" else ([at] * len(ends), ends)
    return [_line(plot, x, y, _COLOURS[level.colour], name, line_style="dashed", stroke_width=1.5)]


def _range(series: Series, plot: Plot) -> tuple[Floats, Floats] | None:
    """Return what a band or intervals lie between: where one side is not said it is the value itself."""
    if series.low is None and series.high is None:
        return None
    value = series.x if plot.rows and series.mark == "dots" else series.y
    low, high = (value if end is None else end for end in (series.low, series.high))
    return low, high


def _line(plot: Plot, x: Any, y: Any, colour: str, name: str = "", **more: Any) -> Any:
    import bqplot

    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    # bqplot looks for the place of a name at the end of a line, and finds none in a gap.
    seen = np.flatnonzero(np.isfinite(x) & np.isfinite(y).any(axis=tuple(range(y.ndim - 1))))
    last = seen[-1] + 1 if seen.size else 0
    return bqplot.Lines(
        x=x[:last],
        y=y[..., :last],
        scales=plot.scales,
        colors=[colour],
        **_entry(name),
        **more,
    )


def _entry(name: str) -> dict[str, Any]:
    """Return what puts a name into the legend."""
    return {"labels": [shorten(name, 60)] if name else [], "display_legend": bool(name)}


def _curve(plot: Plot, series: Series, style: _Style, name: str) -> list[Any]:
    """Return a line and the band around it; a point alone, of which no line is to be seen, has a dot."""
    marks = []
    if between := _range(series, plot):
        edges = _clipped(plot.y_ends, *between)
        band: dict[str, Any] = {"fill": "between", "fill_opacities": [0.18, 0.0], "opacities": [0.0, 0.0]}
        if np.isfinite(edges + series.x).any():
            edges = np.where(np.isfinite(edges + series.x).all(axis=0), edges, np.nan)
            marks.append(_line(plot, series.x, edges, style.colour, fill_colors=[style.colour] * 2, **band))
    x, y = _cut(series.x, series.y, plot.y_ends)
    if np.isnan(y).all():
        # Nothing to see but its name in the legend, which a line without points has not.
        x, y = np.array([[plot.x_ends[0]], [plot.y_ends[0]]])
    marks.append(_line(plot, x, y, style.colour, name, line_style=style.dashes, stroke_width=2.5))
    gap = np.concatenate([[True], np.isnan(y), [True]])
    alone = ~gap[1:-1] & gap[:-2] & gap[2:]
    if alone.any():
        marks += _dots(plot, Series("", x[alone], y[alone], "dots"), style, "")
    return marks


def _clipped(ends: tuple[float, float], low: Floats, high: Floats) -> Any:
    """Return the ends of intervals within the axis; of those outside of it they are NaN."""
    return np.where((low <= ends[1]) & (high >= ends[0]), np.clip([low, high], *ends), np.nan)


def _cut(x: Floats, y: Floats, ends: tuple[float, float]) -> tuple[Floats, Floats]:
    """Cut a line off where it leaves the axis, above which the legend stands."""
    y = np.where(np.isfinite(x) & np.isfinite(y), y, np.nan)
    for end in ends:
        at = np.flatnonzero(np.sign(y[:-1] - end) * np.sign(y[1:] - end) < 0)
        share = (end - y[at]) / (y[at + 1] - y[at])
        x = np.insert(x, at + 1, x[at] + share * (x[at + 1] - x[at]))
        y = np.insert(y, at + 1, end)
    return x, np.where((y >= ends[0]) & (y <= ends[1]), y, np.nan)


def _dots(plot: Plot, series: Series, style: _Style, name: str) -> list[Any]:
    """Return intervals, as one line with gaps, and dots."""
    import bqplot

    marks, seen = [], plot.inside(series.x, series.y)
    if between := _range(series, plot):
        along, ends = (plot.x_ends, plot.y_ends) if plot.rows else (plot.y_ends, plot.x_ends)
        across = series.y if plot.rows else series.x
        kept = (across >= ends[0]) & (across <= ends[1])
        bars = np.vstack([_clipped(along, *between), np.full(series.x.size, np.nan)])[:, kept]
        if np.isfinite(bars).any():
            beside = np.repeat(across[kept], 3)
            places = (bars.T.ravel(), beside) if plot.rows else (beside, bars.T.ravel())
            marks.append(_line(plot, *places, style.colour, stroke_width=1.5))
    more: dict[str, Any] = {"default_size": 40, "scales": plot.scales}
    if series.sizes is not None:
        seen = seen & (series.sizes > 0) & np.isfinite(series.sizes)
        area = math.pi * np.minimum(series.sizes[seen], _LARGEST_DOT) ** 2
        most = float(area.max(initial=1.0))
        size = bqplot.LinearScale(min=0.0, max=most)
        more = {"size": area, "default_size": round(most), "scales": {**plot.scales, "size": size}}
    if series.labels:
        # Of dots that are called alike bqplot would else draw one.
        more |= {"display_names": False, "names_unique": False}
        texts = [*series.labels[:_MOST_HOVERED], *[""] * (series.x.size - _MOST_HOVERED)]
        more["names"] = [shorten(texts[k], 120) for k in np.flatnonzero(seen).tolist()]
        more["tooltip"] = bqplot.Tooltip(fields=["name"], show_labels=False)
    dots = bqplot.Scatter(
        x=series.x[seen],
        y=series.y[seen],
        marker=_MARKERS.get(style.shape, style.shape),
        colors=[style.colour],
        stroke=style.colour,
        fill=style.shape != "ring",
        **_entry(name),
        **more,
    )
    return [*marks, dots]


def _boxes(plot: Plot, series: Series, style: _Style, name: str) -> list[Any]:
    """Return rectangles, as one line with gaps."""
    sides = []
    for one, other, ends in zip(
        (series.x, series.y), series.corners or (), (plot.x_ends, plot.y_ends), strict=True
    ):
        both = np.sort([one, other], axis=0)
        sides.append(np.where((both[0] <= ends[1]) & (both[1] >= ends[0]), np.clip(both, *ends), np.nan))
    seen = np.isfinite(sides).all(axis=(0, 1))
    if not seen.any():
        return []
    (x0, x1), (y0, y1) = (side[:, seen] for side in sides)
    gap = np.full(x0.size, np.nan)
    x, y = np.vstack([x0, x1, x1, x0, x0, gap]), np.vstack([y0, y0, y1, y1, y0, gap])
    more = {"line_style": style.dashes, "stroke_width": 1.5, "fill": "inside", "fill_opacities": [0.12]}
    return [_line(plot, x.T.ravel(), y.T.ravel(), style.colour, name, **more)]


_DRAWN = {"line": _curve, "dots": _dots, "boxes": _boxes}


def _labels(plot: Plot, styled: list[tuple[Series, _Style]]) -> list[Any]:
    """Return the labels of points where they are few enough to be read."""
    texts, points = [], []
    for series, style in styled:
        x, y = series.x, series.y
        if series.corners is not None:
            x, y = (x + series.corners[0]) / 2, (y + series.corners[1]) / 2
        seen = np.flatnonzero(plot.inside(x, y))
        places = plot.pixels(x[seen], y[seen])
        points += places if series.mark == "dots" else []
        for k, pixels in zip(seen.tolist() if series.labels else [], places, strict=False):
            if text := shorten(series.labels[k], 40):
                texts.append(Text(text, style.colour, (x[k], y[k]), pixels, series.mark == "boxes"))
    if len(texts) > _MOST_LABELS:
        return []
    return [
        _text(
            np.array([one.at for one in group]),
            [one.text for one in group],
            plot.scales,
            colour,
            align=place.align,
            x_offset=place.right,
            y_offset=place.down,
        )
        for (colour, place), group in placed(texts, points, (plot.wide, plot.tall), NEUTRAL).items()
    ]


def _text(at: Any, texts: list[str], scales: dict[str, Any], colour: str, **more: Any) -> Any:
    import bqplot

    # At the right a label may stand out into the margin.
    own = {"default_size": 12, "font_weight": "normal", "apply_clip": False}
    return bqplot.Label(x=at[:, 0], y=at[:, 1], text=texts, scales=scales, colors=[colour], **own, **more)


# Cells


def _of_cells(cells: Cells) -> dict[str, Any]:
    """Return what makes the figure of a table of cells: a heat map, its numbers and its axes."""
    import bqplot

    many = len(cells.rows), len(cells.columns)
    numbered = max(many) <= _MOST_NUMBERED
    tall = min(900.0, max(90.0, (30 if numbered else 16) * many[0]))
    # The first row is the uppermost.
    ends = [(-0.5, max(count, 1) - 0.5) for count in many]
    down, across = (bqplot.LinearScale(min=low, max=high, allow_padding=False) for low, high in ends)
    down.reverse = True
    plot = Plot(ends[1], ends[0], WIDE, tall, scales={"x": across, "y": down})
    finite = cells.values[np.isfinite(cells.values)]
    low, high = float(finite.min(initial=0.0)), float(finite.max(initial=0.0))
    top = max(-low, high) if cells.signed else high
    top = cells.top if cells.top is not None and 0 < cells.top < math.inf else top
    top = top or (0.0 if low else 1.0)
    # From the least value, or 0, to the strongest; of signed values as far to both sides.
    low = -top if cells.signed else low
    heat = bqplot.ColorScale(colors=_SIGNED if cells.signed else _HEAT, min=low, mid=(low + top) / 2, max=top)
    none = np.isnan(cells.values)
    marks = []
    if none.size:
        # bqplot would take a single row for a list: another one lies out of sight.
        values = np.where(none, 0.0, np.clip(cells.values, low, top))
        values = np.pad(values, [(0, count == 1) for count in many])
        row, column = (np.arange(count + 1) - 0.5 for count in values.shape)
        scales = {"row": down, "column": across, "color": heat}
        marks.append(
            bqplot.GridHeatMap(row=row, column=column, color=values, scales=scales, stroke="#ffffff")
        )
    # Where there is no room for numbers, a dash still says that there is none.
    where = np.argwhere(none | numbered)
    if len(where):
        said = [_cell(cells, j, k) if numbered else "–" for j, k in where.tolist()]
        marks.append(_text(where[:, ::-1].astype(np.float64), said, plot.scales, _INK, align="middle"))
    # bqplot has no good key of colours; the axis says what they mean.
    told = f"colours: {cells.key}, {short(low)} to {short(top)}" if cells.key else ""
    across_axis = Axis("; ".join(filter(None, (cells.across, told))), names=tuple(cells.columns) or ("",))
    down_axis = Axis(cells.down, names=tuple(cells.rows) or ("",))
    return {"marks": marks, **framed(plot, across_axis, down_axis, _MOST_NAMED)}


def _cell(cells: Cells, row: int, column: int) -> str:
    if cells.texts is not None:
        return shorten(cells.texts[row][column], 12)
    return cell(float(cells.values[row, column]), cells.signed)
