"""Points with names: every name is there, within the frame, and covers no other name and no point."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdp_widgets import compare_utility, comparison_plane, titanic
from pdp_widgets.errors import DomainError
from pdp_widgets.publish import figure
from pdp_widgets.publish.figure_local import plane_chart, utility_charts
from pdp_widgets.publish.figure_page import FigureSheet
from pdp_widgets.publish.labels import width
from pdp_widgets.publish.scatter_chart import Dots, NamedPoint, ScatterChart, scatter_panel
from pdp_widgets.publish.svg import Svg

PIECES = re.compile(r'<g class="(\w+)">(.*?)</g>|<text class="(\w+)"([^>]*)>(.*?)</text>', re.S)
TEXT = re.compile(r"<text([^>]*)>(.*?)</text>", re.S)


def chart(points, **given):
    return ScatterChart("Points", [Dots("", [NamedPoint(*point) for point in points])], "x", "y", **given)


def drawn(of, room=400.0):
    piece = Svg(FigureSheet("print"))
    height = scatter_panel(piece, of, room)
    return piece, height


def labels(piece, names):
    """Return the boxes of the names that are written: left, top, right, bottom."""
    rules = re.findall(r"((?:\.\w+,?)+)\{text-anchor:(\w+)\}", piece.sheet.css())
    anchors = {name: anchor for listed, anchor in rules for name in re.findall(r"\w+", listed)}
    found = []
    for part in PIECES.finditer(str(piece)):
        name = part[1] or part[3]
        texts = TEXT.findall(part[2]) if part[1] else [(part[4], part[5])]
        for attributes, body in texts:
            x, y = (float(re.search(rf'\b{side}="([-\d. ]+)"', attributes)[1].split()[0]) for side in "xy")
            pieces = [(x, re.split("<tspan", body)[0])]
            pieces += [(float(a), b) for a, b in re.findall(r'<tspan x="([-\d.]+)">(.*?)</tspan>', body)]
            for at, words in pieces:
                if words in names:
                    wide = width(words, 11)
                    left = at - {"end": wide, "middle": wide / 2}.get(anchors.get(name), 0)
                    found.append((words, (left, y - 9, left + wide, y + 2)))
    return found


def meet(one, other):
    return one[0] < other[2] - 1 and other[0] < one[2] - 1 and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("room", [300.0, 403.0, 840.0])
@pytest.mark.parametrize("which", ["plane", "frequency", "0-1"])
def test_no_name_covers_another(which, room):
    planes = {"plane": plane_chart(comparison_plane(titanic(), 1.0))}
    of = (planes | utility_charts(compare_utility(titanic())))[which]
    names = {point.name for group in of.groups for point in group.points}
    piece, _ = drawn(of, room)
    found = labels(piece, names)
    assert {name for name, _ in found} == names
    boxes = [box for _, box in found]
    assert not [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if meet(a, b)]
    assert all(box[0] >= 40 and box[2] <= room for box in boxes)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1e300), st.floats(0, 1e300)), min_size=1, max_size=12))
def test_any_points_are_drawn_with_all_their_names(places):
    names = [f"way {k}" for k in range(len(places))]
    piece, height = drawn(chart([(name, x, y) for name, (x, y) in zip(names, places, strict=True)]))
    assert {name for name, _ in labels(piece, set(names))} == set(names)
    assert np.isfinite(height)
    assert "nan" not in str(piece)


def test_what_has_no_place_is_named_below():
    piece, _ = drawn(chart([("GRR", 0.5, 0.1), ("mystery", np.nan, 0.2), ("endless", np.inf, 0.1)]))
    assert "Without a place here: mystery, endless." in str(piece)
    with pytest.raises(DomainError, match="no point has two finite numbers"):
        chart([("mystery", np.nan, 0.2)])


def test_three_kinds_cannot_be_told_apart():
    group = Dots("a", [NamedPoint("x", 0.0, 0.0)])
    with pytest.raises(DomainError, match="has 3 kinds of points; 1 or 2"):
        ScatterChart("t", [group] * 3, "x", "y")


def test_names_are_text_and_long_ones_are_cut():
    long = "Partly cloudy with showers in the afternoon"
    piece, _ = drawn(chart([("<b>&</b>", 0.2, 0.1), (long, 0.9, 0.8)]))
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in str(piece)
    assert "<b>" not in str(piece)
    assert long not in str(piece)
    assert "Partly cloudy with" in str(piece)


def test_figures_say_what_their_numbers_are():
    made = figure(comparison_plane(titanic(), 1.0)).svg
    assert "<title>Stated against exact leakages, ε = 1.00</title>" in made
    assert "at 0, 0 stands what is exact" in made
    made = figure(compare_utility(titanic(), 1.0, ["GRR", "OUE"]), "all", width="page").svg
    assert "exact for this table" in made
    with pytest.raises(
        DomainError, match='There is no part \'nmse\'; there is "frequency", "0-1", and "all"'
    ):
        figure(compare_utility(titanic(), 1.0, ["GRR"]), "nmse")
