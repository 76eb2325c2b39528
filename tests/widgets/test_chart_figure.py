"""bqplot figures of declarations: the numbers in them are the declared ones, whatever is declared."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import bqplot
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import DomainError
from pdp_widgets.core.chart import Axis, Cells, Chart, Level, Series, Shown
from pdp_widgets.core.results import plotted
from pdp_widgets.publish.render import charts_picture
from pdp_widgets.widgets.chart_figure import chart_figure
from pdp_widgets.widgets.chart_layout import Text, ends_of, placed, ticks_of
from tests.conftest import few

X, Y = Axis("x"), Axis("y, nats")
HOSTILE = [
    "<b>bold</b>",
    "a & b",
    "",
    " ",
    "\x00\ud800",
    "\u202eback",
    "constructor",
    "x" * 500,
    "item 1",
    "item 1",
]
#: All that a float can be, and what charts mostly hold.
NUMBERS = st.one_of(st.floats(), st.floats(-10, 10), st.sampled_from([0.0, 1.0, 5e-324, 1e308, -1e308]))
TEXTS = st.sampled_from(HOSTILE)


def marks(figure: Any, kind: str) -> list[Any]:
    return [mark for mark in figure.marks if type(mark).__name__ == kind]


def legend(figure: Any) -> list[str]:
    return [name for mark in figure.marks if mark.display_legend for name in mark.labels]


def named_ticks(axis: Any) -> list[str]:
    return [axis.tick_labels[f"{at:g}"] for at in axis.tick_values.tolist()]


@st.composite
def axes(draw: st.DrawFn) -> Axis:
    kind = draw(st.sampled_from(["plain", "ends", "names", "powers", "whole"]))
    if kind == "ends":
        return Axis(draw(TEXTS), low=draw(st.none() | NUMBERS), high=draw(st.none() | NUMBERS))
    names = tuple(draw(st.lists(TEXTS, min_size=1, max_size=60))) if kind == "names" else ()
    return Axis(draw(TEXTS), names=names, powers=kind == "powers", whole=kind == "whole")


@st.composite
def all_series(draw: st.DrawFn) -> Series:
    size = draw(st.integers(0, 5))

    def some() -> Any:
        return draw(st.lists(NUMBERS, min_size=size, max_size=size))

    mark = draw(st.sampled_from(["line", "dots", "boxes"]))
    band = mark != "boxes" and draw(st.booleans())
    return Series(
        draw(TEXTS),
        some(),
        some(),
        mark,
        low=some() if band and draw(st.booleans()) else None,
        high=some() if band else None,
        corners=(some(), some()) if mark == "boxes" else None,
        labels=draw(st.lists(TEXTS, min_size=size, max_size=size)) if draw(st.booleans()) else (),
        sizes=some() if draw(st.booleans()) else None,
        colour=draw(st.none() | st.sampled_from(["a", "ink2", "over", "paper", "est"])),
        dashes=draw(st.none() | st.sampled_from(["solid", "dotted"])),
        shape=draw(st.none() | st.sampled_from(["disc", "ring", "diamond", "triangle", "cross"])),
    )


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    levels = st.builds(Level, TEXTS, NUMBERS, st.sampled_from(["x", "y"]))
    return Chart(
        draw(TEXTS),
        draw(st.lists(all_series(), min_size=1, max_size=6)),
        draw(axes()),
        draw(axes()),
        draw(st.lists(levels, max_size=3)),
        equal=draw(st.booleans()),
    )


@few()
@given(charts())
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_any_chart_has_a_figure_within_its_axes(chart: Chart) -> None:
    figure = chart_figure(chart)
    x, y = (axis.scale for axis in figure.axes)
    assert np.isfinite([x.min, x.max, y.min, y.max]).all()
    assert x.min < x.max
    assert y.min < y.max
    for mark in figure.marks:
        assert mark.scales["x"] is x
        assert mark.scales["y"] is y
        up = np.asarray(mark.y, dtype=np.float64)
        seen = up[np.isfinite(up)]
        assert (seen >= y.min).all()
        assert (seen <= y.max).all()
        if isinstance(mark, bqplot.Lines):
            assert np.isfinite(up[..., -1:]).any(), "bqplot looks for the end of a line"
        else:
            assert np.isfinite(mark.x).all()
            assert np.isfinite(mark.y).all()
    for axis in figure.axes:
        at = [] if axis.tick_values is None else axis.tick_values
        assert len(at) <= 61
        assert not axis.tick_labels or len(axis.tick_labels) == len(at)


@given(st.integers(0, 17), st.integers(0, 17), st.booleans(), st.none() | NUMBERS, st.data())
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_any_table_of_cells_has_a_figure(rows: int, columns: int, signed: bool, top: Any, data: Any) -> None:
    values = np.array(data.draw(st.lists(NUMBERS, min_size=9, max_size=9)))
    names = [HOSTILE[k % len(HOSTILE)] for k in range(17)]
    cells = np.resize(values, (rows, columns))
    figure = chart_figure(
        Cells("t", names[:rows], names[:columns], cells, key="nats", signed=signed, top=top)
    )
    for found in marks(figure, "GridHeatMap"):
        assert found.color.shape == (max(rows, 2), max(columns, 2))
        assert np.isfinite(found.color).all()
    for found in marks(figure, "Label"):
        assert len(found.text) == len(found.x)


def test_series_are_told_apart_by_more_than_colour() -> None:
    figure = chart_figure(Chart("t", [Series(f"s{k}", [0, 1], [0, k]) for k in range(4)], X, Y))
    assert legend(figure) == ["s0", "s1", "s2", "s3"]
    assert len({mark.line_style for mark in figure.marks}) == 4
    assert len({mark.colors[0] for mark in figure.marks}) == 4
    dots = chart_figure(Chart("t", [Series(f"s{k}", [0, 1], [0, k], "dots") for k in range(4)], X, Y))
    assert len({(mark.marker, mark.fill) for mark in dots.marks}) == 4


def test_what_is_said_of_a_series_is_how_it_is_drawn() -> None:
    drawn = [
        Series("promised", [0, 1], [1, 2], dashes="dotted", colour="promise"),
        Series("above", [0], [3], "dots", colour="over"),
        Series("bound", [0], [2], "dots", shape="ring", colour="b"),
    ]
    line, above, bound = chart_figure(Chart("t", drawn, X, Y)).marks
    assert (line.line_style, above.marker, bound.marker) == ("dotted", "circle", "circle")
    assert (above.fill, bound.fill) == (True, False)
    assert len({mark.colors[0] for mark in (line, above, bound)}) == 3


def test_what_is_not_said_is_what_no_other_series_has() -> None:
    drawn = [
        Series("next", [0, 1], [0, 1]),
        Series("first", [0, 1], [1, 2], colour="a", dashes="solid"),
        Series("promise", [0, 1], [2, 2], colour="promise"),
        Series("dots", [0, 1], [3, 4], "dots"),
        Series("discs", [0, 1], [3, 4], "dots", shape="disc"),
    ]
    figure = chart_figure(Chart("t", drawn, X, Y))
    assert [mark.line_style for mark in marks(figure, "Lines")] == ["dashed", "solid", "dashed"]
    assert [mark.fill for mark in marks(figure, "Scatter")] == [False, True]
    assert len({mark.colors[0] for mark in figure.marks}) == 5


def test_a_series_without_a_name_is_not_in_the_legend() -> None:
    figure = chart_figure(Chart("t", [Series("", [0, 1], [0, 1])], X, Y, [Level("", 0.5)]))
    assert legend(figure) == []
    # Nothing needs room above the data.
    assert figure.axes[1].scale.max == pytest.approx(1.04)


def test_a_line_breaks_where_there_is_no_number_and_the_legend_tells_of_infinite_ones() -> None:
    (line,) = chart_figure(Chart("t", [Series("s", range(5), [0, 1, np.nan, 1, 2])], X, Y)).marks
    assert np.array_equal(line.y, [0, 1, np.nan, 1, 2], equal_nan=True)
    assert line.labels == ["s"]
    (endless,) = chart_figure(Chart("t", [Series("s", range(4), [0, 1, np.inf, np.inf])], X, Y)).marks
    assert endless.y.tolist() == [0, 1]
    assert endless.labels == ["s (infinite where not drawn)"]
    # The logarithm of 0 is a small number.
    powers = Chart("t", [Series("s", range(3), [0, -1, -np.inf])], X, Axis("δ", powers=True))
    assert legend(chart_figure(powers)) == ["s"]


def test_a_series_that_is_infinite_everywhere_is_said_to_be() -> None:
    for mark in ("line", "dots"):
        chart = Chart("t", [Series("s", [0, 1], [np.inf, np.inf], mark), Series("r", [0, 1], [0, 1])], X, Y)
        assert legend(chart_figure(chart)) == ["s (infinite where not drawn)", "r"]
    nothing = Chart("t", [Series("s", [0], [np.nan]), Series("none", [], [])], X, Y)
    assert chart_figure(nothing).marks == []


def test_one_point_of_a_line_is_a_dot() -> None:
    chart = Chart("t", [Series("s", range(4), [1, np.nan, 2, 3])], X, Y)
    line, dot = chart_figure(chart).marks
    assert legend(chart_figure(chart)) == ["s"]
    assert (dot.x.tolist(), dot.y.tolist()) == ([0], [1])
    assert len(line.x) == 4


def test_what_lies_outside_an_axis_is_cut_off_where_it_leaves_it() -> None:
    axis = Axis("p", low=0, high=1)
    figure = chart_figure(Chart("t", [Series("s", [0, 1, 2], [-1, 1, 3])], X, axis))
    (line,) = figure.marks
    kept = np.isfinite(line.y)
    assert (line.x[kept].tolist(), line.y[kept].tolist()) == ([0.5, 1], [0, 1])
    assert figure.axes[1].tick_values.max() == 1
    points = Chart("t", [Series("s", [0, 1, 2], [-1, 1, 3], "dots", [-2, 0, 2.5], [0.5, 9, 4])], X, axis)
    bars, dots = chart_figure(points).marks
    assert dots.y.tolist() == [1]
    assert np.array_equal(bars.y, [0, 0.5, np.nan, 0, 1], equal_nan=True)
    boxes = Series("b", [0, 0], [0.5, 5], "boxes", corners=([1, 1], [7, 8]))
    (box,) = chart_figure(Chart("t", [boxes], X, axis)).marks
    assert box.y.tolist() == [0.5, 0.5, 1, 1, 0.5]


def test_an_interval_stands_through_each_dot_and_a_band_around_a_line() -> None:
    bars, dots = chart_figure(
        Chart("t", [Series("s", [1, 2], [3, 4], "dots", [2, 3], [5, np.inf])], X, Y)
    ).marks
    assert bars.x.tolist() == [1, 1, 1, 2, 2]
    top = bars.y[4]
    assert np.array_equal(bars.y, [2, 5, np.nan, 3, top], equal_nan=True)
    assert top >= 5
    assert (bars.display_legend, dots.labels) == (False, ["s"])
    band, line = chart_figure(Chart("t", [Series("s", [1, 2], [3, 4], "line", [2, 3], [5, 6])], X, Y)).marks
    assert band.y.tolist() == [[2, 3], [5, 6]]
    assert (band.fill, band.display_legend, line.labels) == ("between", False, ["s"])


@pytest.mark.parametrize("mark", ["line", "dots"])
def test_a_side_that_is_not_said_is_the_value_itself(mark: Any) -> None:
    def edges(axis: Axis, **sides: Any) -> Any:
        drawn = Series("s", [1, 2], [3, 4], mark, **sides)
        first = chart_figure(Chart("t", [drawn], X, axis)).marks[0]
        if mark == "line":
            return first.y.tolist()
        along = first.x if axis.names else first.y
        return along[np.isfinite(first.x + first.y)].reshape(2, 2).T.tolist()

    assert edges(Y, low=[2, 3]) == [[2, 3], [3, 4]]
    assert edges(Y, high=[5, 6]) == [[3, 4], [5, 6]]
    if mark == "dots":
        assert edges(Axis("", names=tuple("abcde")), low=[0, 1]) == [[0, 1], [1, 2]]


def test_boxes_are_one_line_with_gaps() -> None:
    drawn = Series("classes", [0, 5], [0, 6], "boxes", corners=([2, 4], [1, 7]), labels=["A", "B"])
    box, letters = chart_figure(Chart("t", [drawn], X, Y)).marks
    gap = np.nan
    assert np.array_equal(box.x, [0, 2, 2, 0, 0, gap, 4, 5, 5, 4, 4], equal_nan=True)
    assert np.array_equal(box.y, [0, 0, 1, 1, 0, gap, 6, 6, 7, 7, 6], equal_nan=True)
    assert (letters.x.tolist(), letters.text.tolist(), letters.align) == ([1, 4.5], ["A", "B"], "middle")


def test_levels_are_dashed_and_named() -> None:
    levels = [Level("promise", 2.0), Level("here", 0.5, "x", "over"), Level("endless", np.inf)]
    figure = chart_figure(Chart("t", [Series("s", [0, 1], [0, 1])], X, Y, levels))
    promise, here, *_ = figure.marks
    assert (promise.x.tolist(), promise.y.tolist(), promise.line_style) == ([0, 1], [2, 2], "dashed")
    assert here.x.tolist() == [0.5, 0.5]
    assert legend(figure) == ["promise", "here", "endless (infinite)", "s"]


@pytest.mark.parametrize(
    ("at", "axis", "seen", "said"),
    [
        (4.0, Y, True, "promise"),
        (4.1, Y, False, "promise (beyond the axis, 4.1)"),
        (90.0, Y, False, "promise (beyond the axis, 90)"),
        (-1234567.0, Y, False, "promise (beyond the axis, −1,234,567)"),
        (2.0, Axis("y", high=1), False, "promise (beyond the axis, 2)"),
        (-np.inf, Y, False, "promise (infinite)"),
        (np.nan, Y, False, ""),
    ],
)
def test_a_level_stretches_an_axis_to_four_times_the_values_and_is_else_named(
    at: float, axis: Axis, seen: bool, said: str
) -> None:
    """As in the picture: js/src/scene/axis.ts, endsOf."""
    drawn = [Series("s", [0, 1], [0, 1])]
    figure = chart_figure(Chart("t", drawn, X, axis, [Level("promise", at)]))
    assert legend(figure) == [*filter(None, [said]), "s"]
    levels = [mark for mark in figure.marks if mark.line_style == "dashed" and len(mark.x) > 1]
    assert [mark.y.tolist() for mark in levels] == ([[at, at]] if seen else [])
    # Two that are far from the values do not bring each other near, and one without a name is never told.
    both = chart_figure(Chart("t", drawn, X, axis, [Level("", at), Level("", 3 * at)]))
    assert legend(both) == ["s"]


def test_levels_alone_are_an_axis() -> None:
    assert ends_of(X, np.array([np.nan]), [4.0, 90.0], tight=True) == (4, 90)


def test_a_legend_has_room_above_the_data() -> None:
    """bqplot writes names inside the plot, 16 px each from 8 px below its top."""
    for many in (1, 3, 6):
        drawn = [Series(f"s{k}", [0, 1], [k, 1]) for k in range(many)]
        figure = chart_figure(Chart("t", drawn, X, Y))
        scale, margin = figure.axes[1].scale, figure.fig_margin
        plot = float(figure.layout.height[:-2]) - margin["top"] - margin["bottom"]
        highest = max(float(np.nanmax(mark.y)) for mark in figure.marks)
        assert (scale.max - highest) / (scale.max - scale.min) * plot >= 16 * many + 8
        assert figure.axes[1].tick_values.max() <= highest * 1.05


def test_names_stand_in_place_of_numbers() -> None:
    names = ("GRR", "<b>OUE</b>", "GRR")
    figure = chart_figure(
        Chart("t", [Series("s", [0, 1, 2], [1, 2, 3], "dots")], Axis("rule", names=names), Y)
    )
    across = figure.axes[0]
    assert named_ticks(across) == list(names)
    assert (across.scale.min, across.scale.max) == (-0.5, 2.5)
    assert across.tick_rotate == 0
    long = tuple(f"the rule with the number {k}" for k in range(9))
    slanted = chart_figure(Chart("t", [Series("s", [0], [1], "dots")], Axis("rule", names=long), Y))
    assert slanted.axes[0].tick_rotate == -35
    assert len(set(named_ticks(slanted.axes[0]))) == 9
    assert slanted.fig_margin["bottom"] > figure.fig_margin["bottom"]


@pytest.mark.parametrize(
    ("axis", "ends", "texts"),
    [
        (Axis("δ", powers=True), (-10, 0), ["10⁻¹⁰", "10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]),
        (Axis("ε", powers=True), (-2, 2), ["0.01", "0.1", "1", "10", "100"]),
        (Axis("ε", powers=True), (0.1, 0.9), ["2", "5"]),
        (Axis("rule", names=("a", "b", "c", "d")), (-0.5, 3.5), ["a", "b", "c", "d"]),
        (Axis("rule", names=("a", "b", "c", "d")), (0.5, 2.5), ["b", "c"]),
    ],
)
def test_texts_of_ticks(axis: Axis, ends: tuple[float, float], texts: list[str]) -> None:
    assert list(ticks_of(axis, ends, 5, 9).named.values()) == texts


def test_whole_numbers_alone_are_marked() -> None:
    assert ticks_of(Axis("step", whole=True), (0.6, 3.4), 7, 9).at == (1, 2, 3)
    assert ticks_of(Axis("x"), (0.6, 1.4), 4, 9).at == (0.6, 0.8, 1.0, 1.2, 1.4)


def test_ends_of_an_axis() -> None:
    values = np.array([2.0, 10.0, np.nan, np.inf])
    assert ends_of(X, values, tight=True) == (2, 10)
    assert ends_of(X, values, zero=True) == (0, pytest.approx(10.32))
    assert ends_of(Axis("x", low=4), values, tight=True) == (4, 10)
    assert ends_of(Axis("x", low=40), values)[0] == 40
    assert ends_of(Axis("x", high=-3), values)[1] == -3
    assert ends_of(X, np.array([])) == (-0.04, 1.04)
    low, high = ends_of(X, np.array([5.0]))
    assert low < 5 < high


def test_a_unit_is_as_long_in_both_directions() -> None:
    for tall in (0.1, 1, 30):
        drawn = Series("s", [0, 4, 4], [0, 0, tall], "dots")
        figure = chart_figure(Chart("t", [drawn], X, Y, equal=True))
        x, y, margin = figure.axes[0].scale, figure.axes[1].scale, figure.fig_margin
        height = float(figure.layout.height[:-2])
        assert figure.min_aspect_ratio == figure.max_aspect_ratio
        wide = height * figure.max_aspect_ratio - margin["left"] - margin["right"]
        unit = wide / (x.max - x.min)
        assert (height - margin["top"] - margin["bottom"]) / (y.max - y.min) == pytest.approx(unit, rel=0.02)


def test_dots_have_their_sizes() -> None:
    (dots,) = chart_figure(Chart("t", [Series("s", [0, 1], [0, 1], "dots", sizes=[2, 4])], X, Y)).marks
    radii = np.sqrt(dots.size / dots.scales["size"].max * dots.default_size / np.pi)
    np.testing.assert_allclose(radii, [2, 4], rtol=0.01)


def test_few_labels_stand_beside_their_points_and_all_on_hover() -> None:
    for many, shown in ((40, True), (41, False), (230, False)):
        at = np.arange(many)
        drawn = Series("s", at, at % 7, "dots", labels=[f"p{k}" for k in at])
        figure = chart_figure(Chart("t", [drawn], X, Y))
        texts = [text for mark in marks(figure, "Label") for text in mark.text]
        assert sorted(texts) == (sorted(drawn.labels) if shown else [])
        (dots,) = marks(figure, "Scatter")
        assert dots.names.tolist() == [*drawn.labels[:200], *[""] * (many - 200)]
        assert dots.tooltip.fields == ["name"]
        assert not dots.names_unique


def test_points_in_one_place_share_a_label() -> None:
    here = [
        Text("a", "blue", (0, 0), (9, 9)),
        Text("b", "red", (0, 0), (10, 9)),
        Text("a", "red", (0, 0), (9, 8)),
    ]
    ((colour, _), group), *others = placed(here, [(9, 9)], (100, 100), "grey").items()
    assert not others
    assert (colour, [one.text for one in group]) == ("grey", ["a, b"])


def test_labels_cover_no_dot_and_no_other_label() -> None:
    points = [(20.0, 50.0), (32.0, 50.0), (20.0, 62.0), (150.0, 50.0)]
    texts = [Text(f"label {k}", "blue", (0, 0), point) for k, point in enumerate(points)]
    taken = []
    for (_, place), group in placed(texts, points, (300, 100), "grey").items():
        for one in group:
            wide = 6 * len(one.text)
            left = one.pixels[0] + place.right - {"start": 0, "middle": wide / 2, "end": wide}[place.align]
            middle = one.pixels[1] + place.down
            taken.append((left, middle - 6, left + wide, middle + 6))
    assert len(taken) == 4
    for k, (a, b, c, d) in enumerate(taken):
        assert not any(a < x < c and b < y < d for x, y in points)
        assert not any(a < c2 and a2 < c and b < d2 and b2 < d for a2, b2, c2, d2 in taken[:k])


def test_a_hostile_label_is_text() -> None:
    drawn = Series("<i>s</i>", range(len(HOSTILE)), range(len(HOSTILE)), "dots", labels=HOSTILE)
    figure = chart_figure(Chart("<script>", [drawn], Axis("<b>x</b>"), Y))
    texts = [text for mark in marks(figure, "Label") for text in mark.text]
    assert "<b>bold</b>" in texts
    assert max(map(len, texts)) <= 40
    assert not any("\u202e" in text or "\x00" in text for text in texts)
    assert (figure.title, legend(figure), figure.axes[0].label) == ("<script>", ["<i>s</i>"], "<b>x</b>")


def test_cells_are_a_heat_map_with_numbers() -> None:
    values = [[np.nan, 0.25], [np.inf, -0.5]]
    cells = Cells("t", ["a", "b"], ["c", "d"], values, "source", "secret", key="leakage, nats", signed=True)
    figure = chart_figure(cells)
    found, numbers = figure.marks
    assert found.color.tolist() == [[0, 0.25], [0.5, -0.5]]
    assert numbers.text.tolist() == ["–", "+0.250", "+∞", "−0.500"]
    assert (numbers.x.tolist(), numbers.y.tolist()) == ([0, 1, 0, 1], [0, 0, 1, 1])
    across, down = figure.axes
    assert (named_ticks(across), named_ticks(down)) == (["c", "d"], ["a", "b"])
    assert across.label == "secret; colours: leakage, nats, −0.5 to 0.5"
    # The first row is the uppermost.
    assert (down.label, down.scale.reverse) == ("source", True)


@pytest.mark.parametrize(
    ("values", "more", "ends"),
    [
        ([-1, 3], {}, (-1, 3)),
        ([1, 3], {}, (0, 3)),
        ([-3, -1], {}, (-3, 0)),
        ([-1, 3], {"top": 2}, (-1, 2)),
        ([-3, 1], {"signed": True}, (-3, 3)),
        ([0, 0], {}, (0, 1)),
        ([0, np.nan], {"signed": True, "top": 0.0}, (-1, 1)),
    ],
)
def test_colours_reach_from_the_least_value_or_0(
    values: list[float], more: dict[str, Any], ends: tuple[float, float]
) -> None:
    figure = chart_figure(Cells("t", ["a"], ["b", "c"], [values], key="nats", **more))
    (found,) = marks(figure, "GridHeatMap")
    assert (found.scales["color"].min, found.scales["color"].max) == ends
    assert figure.axes[0].label == f"colours: nats, {ends[0]} to {ends[1]}".replace("-", "−")
    assert found.color[0].tolist() == np.clip(np.nan_to_num(values), *ends).tolist()


def test_cells_say_their_texts_and_many_only_where_there_is_none() -> None:
    said = Cells("t", ["a"], ["b", "c"], [[1, 2]], texts=[["one", "two"]])
    assert chart_figure(said).marks[1].text.tolist() == ["one", "two"]
    many = np.ones((15, 15))
    many[3, 4] = np.nan
    names = [str(k) for k in range(15)]
    (_, dash) = chart_figure(Cells("t", names, names, many)).marks
    assert (dash.text.tolist(), dash.x.tolist(), dash.y.tolist()) == (["–"], [4], [3])


def test_several_stand_below_each_other() -> None:
    one = Chart("one", [Series("s", [0], [1])], X, Y)
    two = Cells("two", ["a"], ["b"], [[1]])
    column = plotted([one, two])
    assert [figure.title for figure in column.children] == ["one", "two"]
    assert column.declaration == (one, two)
    assert plotted((two,)).declaration is two


@pytest.mark.parametrize("drawn", [[], Shown("A lattice", 1), "chart", None, [Shown("A lattice", 1)]])
def test_what_has_no_figure_is_named(drawn: Any) -> None:
    with pytest.raises(
        DomainError, match=r"There is no bqplot figure of .*; a chart or a table of cells has one"
    ):
        chart_figure(drawn)


def test_settings_of_a_figure_are_its_own() -> None:
    chart = Chart("t", [Series("s", [0], [1])], X, Y)
    figure = chart_figure(chart, title="mine", legend_location="bottom-right")
    assert (figure.title, figure.legend_location) == ("mine", "bottom-right")


@pytest.mark.parametrize(
    "drawn", [Chart("t", [Series("s", [0], [1])], X, Y), Cells("t", ["a"], ["b"], [[1]])]
)
@pytest.mark.parametrize("name", ["tittle", "width", "comm", "_view_name"])
def test_a_setting_that_a_figure_has_not_is_named(drawn: Any, name: str) -> None:
    said = rf"no setting '{name}'; it has .*legend_location.*title"
    for listed in (drawn, [drawn, drawn]):
        with pytest.raises(DomainError, match=said) as refused:
            chart_figure(listed, **{name: 1})
        assert refused.value.where.name == name


@pytest.mark.filterwarnings("error")
def test_a_figure_is_made_without_a_warning() -> None:
    figure = chart_figure(Chart("t", [Series("s", [0, 1], [0, 1])], X, Y))
    assert [axis.orientation for axis in figure.axes] == ["horizontal", "vertical"]


def test_bqplot_is_imported_when_a_figure_is_made() -> None:
    code = "import sys, pdp_widgets.widgets.chart_figure; print('bqplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("signed", [False, True])
def test_cells_say_what_they_say_in_the_picture(signed: bool) -> None:
    values = [
        [1.8e-4, -1.8e-4, 0.0, np.nan],
        [0.25, 12.3456, 123456.789, np.inf],
        [3.0, -7e15, 1e-300, 2e-17],
    ]
    cells = Cells("t", ["a", "b", "c"], ["d", "e", "f", "g"], values, key="nats", signed=signed)
    (panel,) = charts_picture([cells.declared()]).panels
    ((_, (_, *rows)),) = panel.tables
    (label,) = [mark for mark in chart_figure(cells).marks if type(mark).__name__ == "Label"]
    assert label.text.tolist() == [text for row in rows for text, _, _ in row[1:]]
