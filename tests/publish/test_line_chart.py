"""Line charts as static pictures."""

from __future__ import annotations

import re
from datetime import date
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Browser

from pdp_widgets import DomainError, TableError
from pdp_widgets.publish import Chart, Line, line_charts
from pdp_widgets.publish.line_chart import _places

DAY = date(2026, 11, 28)
X = np.linspace(-2.0, 4.0, 61)


def chart(n: int = 3, **more: object) -> Chart:
    lines = [Line(f"curve {k}", X, np.tanh(X * (k + 1))) for k in range(n)]
    return Chart("Some curves", lines, "released number r", "nats", **more)


def test_every_curve_has_a_line_a_key_and_numbers() -> None:
    shot = line_charts([chart(), chart(6)], title="All of it", day=DAY)
    root = ElementTree.fromstring(shot.svg)
    words = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    for k in range(6):
        assert f"curve {k}" in " ".join(w or "" for w in words) or f"curve {k}" in shot.svg
    assert shot.text.startswith("All of it. Some curves: curve 0 \u22120.964 to 0.9993")
    assert "<th>curve 5</th>" in shot.details
    assert "Computed 28 November 2026" in shot.caption
    assert "<script" not in shot.html


def test_the_first_curve_is_a_full_line_and_no_other_looks_like_it() -> None:
    svg = line_charts(chart(6), day=DAY).svg
    keys = re.findall(r'h26" class="(.)"', svg)
    dashed = {key for key in keys if re.search(rf"\.{key}{{stroke-dasharray", svg)}
    looks = {(re.search(rf"\.{key}{{stroke:(#......)", svg)[1], key in dashed) for key in keys}
    assert len(looks) == len(keys) == 6
    assert keys[0] not in dashed
    assert dashed


def test_a_break_in_a_curve_is_a_break_in_the_line() -> None:
    y = np.ones(61)
    whole = line_charts(Chart("t", [Line("a", X, y)], "x", "y"), day=DAY).svg
    y[30] = np.nan
    broken = line_charts(Chart("t", [Line("a", X, y)], "x", "y"), day=DAY).svg
    assert broken.count("<path") == whole.count("<path") + 1
    assert "nan" not in broken.lower().replace("name", "")


def test_what_lies_outside_the_axis_is_cut() -> None:
    svg = line_charts(Chart("t", [Line("a", [0, 1], [0, 1e9])], "x", "y", y_range=(0, 1)), day=DAY).svg
    assert max(float(v) for v in ElementTree.fromstring(svg).attrib["viewBox"].split()) < 2000
    assert "e+" not in svg


def test_a_band_and_a_level_are_drawn() -> None:
    line = Line("mean", [1, 2, 3], [1, 2, 3], low=[0, 1, 2], high=[2, 3, 4], marks=True)
    svg = line_charts(Chart("t", [line], "n", "nats", level=("promise 1.000", 1.0)), day=DAY).svg
    assert "fill-opacity" in svg
    assert "promise 1.000" in svg
    assert svg.count("<circle") == 3


def test_points_that_are_not_joined_are_discs_without_a_line() -> None:
    line = Line("apart", [-1, 1], [0, 0], joined=False)
    svg = line_charts(Chart("t", [Line("a", [-1, 1], [1, 1]), line], "x", "y"), day=DAY).svg
    alone = line_charts(Chart("t", [Line("a", [-1, 1], [1, 1])], "x", "y"), day=DAY).svg
    # Two points and the one of the key; no stroke more than without them.
    assert svg.count("<circle") == 3
    assert svg.count("<path") == alone.count("<path")


@pytest.mark.parametrize("top", [1, 2, 3, 8, 15, 16, 20, 31, 200])
def test_counts_have_whole_numbers_on_their_axis(top: int) -> None:
    x = np.unique([1, top])
    panel = Chart("t", [Line("a", x, x)], "tuples", "nats")
    for most in (3, 6, 8, 12):
        found = _places(panel, *panel.x_ends, most)
        assert found
        assert all(panel.x_ends[0] <= place <= panel.x_ends[1] and place % 1 == 0 for place in found)
        assert len(found) <= 2 * most + 1
    # Elsewhere halves stay where they are round.
    halves = Chart("t", [Line("a", [0, 0.5, 1], [0, 1, 2])], "x", "y")
    assert "0.5" in line_charts(halves, day=DAY).svg


def test_numbers_in_names_have_a_true_minus() -> None:
    line = Line("correlation -0.5, A-1 and well-known", [0, 1], [0, 1])
    shot = line_charts(Chart("t", [line], "x", "y"), day=DAY)
    assert "correlation \u22120.5, A-1 and well-known" in shot.text
    assert "<th>correlation \u22120.5, A-1 and well-known</th>" in shot.details
    assert "\u22120.5" in shot.svg


def test_letters_are_as_large_in_one_panel_as_in_two() -> None:
    one, two = (line_charts([chart()] * n, day=DAY) for n in (1, 2))
    width = float(ElementTree.fromstring(one.svg).attrib["viewBox"].split()[2])
    assert f'style="max-width:{width:g}px"' in one.html
    assert "<img" in two.html
    assert "style=" not in two.html.split("<img")[1].split(">")[0]


def test_a_chart_just_drawn_is_not_called_an_old_picture() -> None:
    shot = line_charts(chart(), day=DAY)
    assert "Run the cell again" not in shot.html
    # Beside a live view the picture is what stays when the view is gone.
    assert "Run the cell again" in shot.to_html("abc")


def test_points_are_read_only_copies() -> None:
    y = np.zeros(3)
    line = Line("a", [0, 1, 2], y)
    y[0] = 7
    assert line.y[0] == 0
    assert not line.y.flags.writeable


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: Line("a", [0, 1], [0]), TableError, r"Line a: y has shape \(1,\); x has \(2,\)"),
        (lambda: Line("a", [1, 0], [0, 0]), TableError, "ascending"),
        (lambda: Line("a", [], []), TableError, "ascending"),
        (lambda: Line("a", [0, np.nan], [0, 0]), TableError, "finite"),
        (lambda: Line("a", ["x"], [0]), TableError, "x holds something that is no number"),
        (lambda: Line("a", [0], [0], low=[0]), TableError, "a low and a high end"),
        (lambda: chart(7), DomainError, "has 7 curves; 1 to 6"),
        (lambda: chart(0), DomainError, "has 0 curves"),
        (lambda: line_charts([]), DomainError, "nothing to draw"),
        (lambda: line_charts(chart(), columns=0), DomainError, "columns is 0"),
        (lambda: line_charts(chart(), columns=True), DomainError, "columns is True"),
    ],
)
def test_faults(make, kind, message) -> None:
    with pytest.raises(kind, match=message):
        make()


def test_nothing_runs_over_the_edge_or_into_other_text(chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 1100, "height": 900})
    panels = [chart(5, level=("a promise with a rather long name", 0.5)) for _ in range(3)]
    for columns in (1, 2, 3):
        page.set_content(f"<!doctype html>{line_charts(panels, title='Long ' * 60, columns=columns).svg}")
        found = page.evaluate(
            """() => {
              const room = document.querySelector("svg").getBoundingClientRect();
              return [...document.querySelectorAll("text")].filter(text => {
                const box = text.getBoundingClientRect();
                return box.right > room.right || box.left < room.left || box.bottom > room.bottom;
              }).map(text => text.textContent);
            }"""
        )
        assert found == [], columns
    page.close()
