"""Figures of a table in classes: the same numbers in a notebook and on paper, any labels, any size."""

import re

import numpy as np
import pytest

from pdp_widgets import AnonymityAnalysis, anonymise, clinic, l_diversity, syntactic_sensitivity, t_closeness
from pdp_widgets.errors import DomainError
from pdp_widgets.publish.bqplot_marks import can_draw
from pdp_widgets.publish.class_parts import by_class_chart, changes_chart

HOSTILE = '<b onload="x">&\u202e</b>'


def hostile():
    n = 30
    data = {
        HOSTILE: [f"{HOSTILE}{i % 3}" for i in range(n)],
        "class": [None if i == 4 else float(i % 7) for i in range(n)],
        "ill": [None if i % 5 == 0 else f"<i>{i % 2}" for i in range(n)],
    }
    return anonymise(data, [HOSTILE, "class"], 3)


TABLES = {
    "clinic": lambda: anonymise(clinic(), ["age", "weight"], 5),
    "hostile": hostile,
    "one record": lambda: anonymise({"age": [30.0], "ill": ["no"]}, "age", 1),
    "equal records": lambda: anonymise({"age": [30.0] * 9, "ill": ["no"] * 9}, "age", 2),
    "labels alone": lambda: anonymise({"town": ["a", "b"] * 4, "ill": ["x"] * 8}, "town", 2),
    "many classes": lambda: anonymise(
        {"age": np.arange(900.0), "pay": np.arange(900.0) % 7, "ill": ["x", "y"] * 450}, ["age", "pay"], 3
    ),
    "far apart": lambda: anonymise({"age": [1e-300, 1e300, -1e300, 0.0], "ill": ["x", "y"] * 2}, "age", 2),
}


@pytest.mark.parametrize("name", TABLES)
def test_classes_and_their_secrets_are_drawn_and_handed_on(name, tmp_path):
    classes = TABLES[name]()
    secret = classes.data.names[-1]
    for found in (classes, l_diversity(classes, secret), t_closeness(classes, secret)):
        svg = found.save(tmp_path / "figure.svg").read_text(encoding="utf-8")
        assert "<b onload" not in svg
        assert "NaN" not in svg
        assert "nan" not in svg
        marks = [mark for mark in found.plot().marks if len(mark.x)]
        assert marks
        assert all(can_draw(mark) for mark in marks)
        assert len(found.to_dataframe())
        assert found.to_latex(most=3).count(r"\\") >= 2


def test_a_map_has_a_box_for_every_class_and_a_dot_for_every_published_record():
    classes = TABLES["clinic"]()
    figure = classes.plot()
    boxes, (dots,) = figure.marks[:-1], figure.marks[-1:]
    assert len(boxes) == len(classes)
    assert len(dots.x) == 100
    for box, low, high in zip(boxes, classes.low, classes.high, strict=True):
        assert (min(box.x), max(box.x), min(box.y), max(box.y)) == (low[0], high[0], low[1], high[1])


@pytest.mark.parametrize("volume", ["record", "largest", "smallest", "mean"])
def test_a_histogram_of_changes_counts_every_record_once(volume, tmp_path):
    rows = clinic().values(["age", "weight"])
    found = syntactic_sensitivity(rows, 5, volume, additions=[[40, 70], [41, 80]])
    chart = changes_chart(found)
    for line, many in zip(chart.lines, (100, 2), strict=True):
        assert line.y[1:-1:2].sum() == many
    assert found.plot().title == chart.title
    assert "mean size" in chart.x_label or volume != "mean"
    assert "s = " in found.save(tmp_path / "changes.svg").read_text(encoding="utf-8")


def test_a_sample_of_one_record_and_no_change_at_all_are_drawn():
    found = syntactic_sensitivity([[1.0]] * 6, 2, sample=1)
    assert changes_chart(found).lines[0].x.tolist()[:4] == [0.5, 0.5, 1.5, 1.5]
    assert changes_chart(found).lines[0].y.tolist() == [0.0, 1.0, 1.0, *[0.0] * 9]
    assert "lower bound" in found.plot().title


def test_changes_of_few_different_sizes_have_an_axis_of_whole_records(tmp_path):
    found = syntactic_sensitivity([[1.0]] * 6, 2)
    drawn = found.save(tmp_path / "changes.svg").read_text(encoding="utf-8")
    # Texts of one line stand in one element, with a place for each sign.
    assert re.findall(r'<text[^>]* x="[\d ]+" y="\d+">([^<]+)<', drawn)[-1] == "12345"


def test_what_decides_is_marked_among_classes():
    classes = TABLES["clinic"]()
    closeness = t_closeness(classes, "diabetes")
    chart = by_class_chart(closeness)
    assert chart.level == ("t = 0.525", closeness.largest)
    assert chart.lines[0].y.tolist() == sorted(closeness.by_class.tolist())


def test_an_analysis_is_drawn_part_by_part(tmp_path):
    found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", level="III", known=0.3, shift=1)
    for part in ("curves", "map", "table", "known", "all"):
        assert found.save(tmp_path / f"{part}.svg", part, width="page").read_text().startswith("<svg")
    figure = found.plot()
    exact = figure.marks[0]
    assert (10 ** np.array(exact.y)).tolist() == pytest.approx(found.slack(exact.x).delta.tolist())
    assert [mark.line_style for mark in figure.marks] == ["solid", "dashed", "dashed", "dotted"]
    with pytest.raises(DomainError, match="removals"):
        found.save(tmp_path / "x.svg", "removals")


@pytest.mark.parametrize(
    "given",
    [
        {"data": {"age": np.sqrt(np.arange(6.0))}, "quasi": "age", "k": 2},
        {"data": {"age": [30.0]}, "quasi": "age", "k": 1},
        {"data": clinic(), "quasi": "age", "secret": "diabetes", "release": "records:yes", "level": "III"},
        {"data": clinic(), "quasi": "age", "secret": "diabetes", "level": "III", "known": 1.0},
    ],
)
def test_an_analysis_with_few_curves_or_none_is_drawn(given, tmp_path):
    found = AnonymityAnalysis(**given)
    assert found.save(tmp_path / "all.svg", "all").read_text().startswith("<svg")
    assert all(can_draw(mark) for mark in found.plot().marks)


def test_a_missing_value_on_paper_is_no_label_of_that_name():
    classes = anonymise({"age": [1.0, 2.0, 3.0, 4.0], "ill": ["none", None, "flu", None]}, "age", 2)
    cells = [line.split(" & ")[-1] for line in classes.to_latex().splitlines() if line.endswith(r"\\")]
    assert cells[1:5] == [r"none \\", r"-- \\", r"flu \\", r"-- \\"]
