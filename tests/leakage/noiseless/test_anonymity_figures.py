"""What is declared of a table in classes: the numbers of its results, with what is promised and how sure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pdp_widgets import AnonymityAnalysis, EquivalenceClasses, anonymise, clinic
from pdp_widgets.anonymity import l_diversity, syntactic_sensitivity, t_closeness

CLINIC = {"data": clinic(), "quasi": "age", "secret": "diabetes"}
HOSTILE = '<b onload="x">&\u202e</b>'


def hostile() -> EquivalenceClasses:
    n = 30
    data = {
        HOSTILE: [f"{HOSTILE}{i % 3}" for i in range(n)],
        "class": [None if i == 4 else float(i % 7) for i in range(n)],
        "ill": [None if i % 5 == 0 else f"<i>{i % 2}" for i in range(n)],
    }
    return anonymise(data, [HOSTILE, "class"], 3)


TABLES: dict[str, Any] = {
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
def test_a_map_has_a_box_for_every_class_around_its_records(name: str) -> None:
    classes = TABLES[name]()
    chart = classes._figures()["map"]()
    *boxes, dots = chart.series
    assert sum(len(one.x) for one in boxes) == min(len(classes), 200)
    assert sorted(letter for one in boxes for letter in one.labels) == sorted(classes.letters[:200])
    assert len(dots.x) == classes.published
    assert ("the first 200 classes" in chart.note) == (len(classes) > 200)
    where = {row: (dots.x[k], dots.y[k]) for k, row in enumerate(np.sort(classes.rows).tolist())}
    for one in boxes:
        assert one.corners is not None
        sides = zip(one.labels, one.x, one.y, *one.corners, strict=True)
        for letter, west, south, east, north in sides:
            assert west < east
            assert south < north
            for row in classes.groups[classes.letters.index(letter)]:
                x, y = where[row]
                assert west <= x <= east
                assert south <= y <= north


def test_boxes_of_numbers_are_the_published_ranges_and_labels_have_names() -> None:
    classes = TABLES["clinic"]()
    found = {}
    for one in classes._figures()["map"]().series[:-1]:
        sides = zip(one.x, one.corners[0], one.y, one.corners[1], strict=True)
        found |= dict(zip(one.labels, sides, strict=True))
    for letter, low, high in zip(classes.letters, classes.low, classes.high, strict=True):
        assert found[letter] == (low[0], high[0], low[1], high[1])
    assert TABLES["labels alone"]()._figures()["map"]().x.names == ("a", "b")


def test_a_map_of_many_records_says_how_many_are_drawn() -> None:
    chart = anonymise({"age": np.arange(5001.0)}, "age", 500)._figures()["map"]()
    assert len(chart.series[-1].x) == 1667
    assert chart.note == "Drawn: 1,667 of 5,001 records."


@pytest.mark.parametrize("volume", ["record", "largest", "smallest", "mean"])
def test_a_histogram_of_changes_counts_every_record_once(volume: Any) -> None:
    rows = clinic().values(["age", "weight"])
    found = syntactic_sensitivity(rows, 5, volume, additions=[[40, 70], [41, 80]])
    chart = found._figures()["changes"]()
    assert [line.name for line in chart.series] == ["left out", "added"]
    assert [line.y[1:-1:2].sum() for line in chart.series] == [100, 2]
    assert chart.title == f"What one record changes: s = {found.largest:.6g}, exact"
    assert ("mean size" in chart.x.label) == (volume == "mean")


def test_a_sample_of_one_record_and_no_change_at_all_are_drawn() -> None:
    found = syntactic_sensitivity([[1.0]] * 6, 2, sample=1)
    chart = found._figures()["changes"]()
    assert chart.series[0].x.tolist()[:4] == [0.5, 0.5, 1.5, 1.5]
    assert chart.series[0].y.tolist() == [0.0, 1.0, 1.0, *[0.0] * 9]
    assert chart.title.endswith("lower bound")


def test_what_decides_is_marked_among_classes() -> None:
    classes = TABLES["clinic"]()
    for found, name, worst in (
        (t_closeness(classes, "diabetes"), "t = 0.525", 0.525),
        (l_diversity(classes, "diabetes"), "l = 1", 1.0),
    ):
        chart = found._figures()["classes"]()
        assert [level.name for level in chart.levels] == [name]
        assert chart.levels[0].at == pytest.approx(worst, abs=5e-4)
        assert chart.series[0].name == "classes, exact"
        assert chart.series[0].y.tolist() == sorted(found.by_class.tolist())


def test_an_analysis_declares_its_curves_as_they_are() -> None:
    found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", level="III", known=0.3, shift=1)
    chart = found._figures()["curves"]()
    for line, curve in zip(chart.series, found.curves(), strict=True):
        assert line.name.startswith(f"{curve.status}, ")
        shown = curve.drawn > 0
        assert (10 ** line.y[shown]).tolist() == pytest.approx(curve.drawn[shown].tolist())
    assert [line.dashes for line in chart.series] == ["solid", "dashed", "dashed", "dotted"]
    assert chart.levels[-1].name == "promises nothing"
    known = found._figures()["known"]()
    assert 10 ** known.series[0].y[12] == pytest.approx(found.slack(1.0).delta)
    assert known.levels[0].at == 0.3


def test_a_map_and_a_table_mark_who_has_what_is_counted() -> None:
    data = {
        "age": [20 + k for k in range(24)],
        "town": [("Aachen", "Bonn", "Ulm")[k % 3] for k in range(24)],
        "ill": [("flu", "cancer", "none")[k // 2 % 3] for k in range(24)],
    }
    found = AnonymityAnalysis(data, ["age", "town"], "ill", 6, release="count:flu")
    *_, others, flu = found._figures()["map"]().series
    assert (flu.name, len(flu.x), len(others.x)) == ("ill = flu", 8, 16)
    table = found._figures()["table"]()
    assert table.columns == ("age", "town", "ill")
    assert table.texts is not None
    for name, texts, values in zip(table.rows, table.texts, table.values, strict=True):
        assert (values[-1] == 1) == (name.startswith("record") and texts[-1] == "flu")
    assert [name for name in table.rows if "records" in name] == ["A, 6 records", "B, 6 records"]
    assert table.note == "Coloured: ill = flu. Not in the table: 2 more classes of 12 records."


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"data": {"age": np.sqrt(np.arange(6.0))}, "quasi": "age", "k": 2}, "no common step"),
        ({"data": {"age": [30.0]}, "quasi": "age", "k": 1}, ""),
        (CLINIC | {"release": "records:yes", "neighbours": 2}, "without dependence only"),
        (CLINIC | {"level": "III", "known": 1.0}, ""),
    ],
)
def test_an_analysis_with_few_curves_or_none_says_why(given: dict[str, Any], words: str) -> None:
    figures = AnonymityAnalysis(**given)._figures()
    assert list(figures) == ["curves", "map", "table", "known"]
    for name, make in figures.items():
        made = make()
        assert made.declared()["title"]
        if name in ("curves", "known"):
            assert words in made.note
            assert ("not computed" in made.note) == bool(words)
