"""Declarations of charts and cells: what is given is taken as what it is, or refused by name."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pdp_widgets.core.chart import Axis, Cells, Chart, Level, Series, curves
from pdp_widgets.errors import DomainError, PdpError, TableError

SERIES = {"name": "s", "x": [0, 1], "y": [1, 2]}
CHART = {"title": "t", "series": [Series(**SERIES)], "x": Axis("x"), "y": Axis("y")}
CELLS = {"title": "t", "rows": ["a"], "columns": ["b", "c"], "values": [[1, 2]]}
BOXES = {**SERIES, "mark": "boxes"}

#: What is wrong, of what, and what the error says is accepted.
WRONG: list[tuple[type, dict[str, Any], str, Any, str]] = [
    (Axis, {}, "label", 3, "a text"),
    (Axis, {"label": "x"}, "low", "a", "a number or None"),
    (Axis, {"label": "x"}, "high", [1, 2], "a number or None"),
    (Axis, {"label": "x"}, "high", True, "a number or None"),
    (Axis, {"label": "x"}, "names", "abc", "a list of texts"),
    (Axis, {"label": "x"}, "names", [None], "a list of texts"),
    (Axis, {"label": "x"}, "names", None, "a list of texts"),
    (Axis, {"label": "x"}, "powers", "no", "True or False"),
    (Axis, {"label": "x"}, "whole", 2, "True or False"),
    (Series, SERIES, "name", None, "a text"),
    (Series, SERIES, "y", None, "1 values of y for 2 points"),
    (Series, SERIES, "x", ["1", "2"], "no number"),
    (Series, SERIES, "y", [[1], [1, 2]], "unequal length"),
    (Series, SERIES, "low", [10**400, 0], "no number"),
    (Series, SERIES, "mark", "bars", "'line', 'dots', 'boxes'"),
    (Series, SERIES, "colour", "red", "'a', 'b', 'c', 'd', 'ink', .*'est'"),
    (Series, SERIES, "dashes", "dash_dotted", "'solid', 'dashed', 'dotted' or None"),
    (Series, SERIES, "shape", np.array(["disc", "ring"]), "'disc', .*'cross' or None"),
    (Series, SERIES, "labels", "ab", "a list of texts"),
    (Series, SERIES, "labels", [None, None], "a list of texts"),
    (Series, SERIES, "labels", ["a"], "1 labels for 2 points"),
    (Series, SERIES, "corners", ([1, 2], [3, 4]), "boxes have corners"),
    (Series, SERIES, "amounts", ("records", [1]), "1 values of amounts for 2 points"),
    (Series, SERIES, "amounts", [1, 2], "a pair: words, and a number for each point"),
    (Series, SERIES, "amounts", 5, "a pair"),
    (Series, BOXES, "corners", None, "boxes have corners"),
    (Series, BOXES, "corners", ([1, 2],), "a pair: x and y of the opposite corners"),
    (Series, BOXES, "corners", 5, "a pair"),
    (Series, BOXES, "corners", ([1, 2], [1]), "1 values of corners for 2 points"),
    (Level, {"name": "l", "at": 1}, "name", 1, "a text"),
    (Level, {"name": "l"}, "at", "high", "a number"),
    (Level, {"name": "l"}, "at", None, "a number"),
    (Level, {"name": "l"}, "at", 10**400, "a number"),
    (Level, {"name": "l", "at": 1}, "along", "z", "'x', 'y'"),
    (Level, {"name": "l", "at": 1}, "colour", None, "'a', 'b'"),
    (Chart, CHART, "title", 1, "a text"),
    (Chart, CHART, "series", [], "1 or more are needed"),
    (Chart, CHART, "series", [Series(**SERIES)] * 7, "of those without a colour 6 can be told apart"),
    (Chart, CHART, "series", Series(**SERIES), "a list of Series"),
    (Chart, CHART, "series", [[0, 1]], "a list of Series"),
    (Chart, CHART, "x", "x", "an Axis"),
    (Chart, CHART, "levels", [1.0], "a list of Level"),
    (Chart, CHART, "levels", Level("l", 1), "a list of Level"),
    (Chart, CHART, "note", None, "a text"),
    (Chart, CHART, "equal", None, "True or False"),
    (Cells, CELLS, "rows", "a", "a list of texts"),
    (Cells, CELLS, "columns", {"b", "c"}, "a list of texts"),
    (Cells, CELLS, "values", [["x", "y"]], "no number"),
    (Cells, CELLS, "values", [[1, 2], [3]], "unequal length"),
    (Cells, CELLS, "values", [1, 2], "shape"),
    (Cells, CELLS, "values", np.ma.array([[1.0, 2.0]], mask=[[False, True]]), "masked"),
    (Cells, CELLS, "values", [np.ma.array([1.0, 2.0], mask=[False, True])], "masked"),
    (Cells, CELLS, "texts", [["one"]], "a list of texts for each row, one for each cell"),
    (Cells, CELLS, "texts", [["one", "two"]] * 2, "a list of texts for each row"),
    (Cells, CELLS, "texts", ["ab"], "a list of texts for each row"),
    (Cells, CELLS, "texts", 5, "a list of texts for each row"),
    (Cells, CELLS, "signed", "yes", "True or False"),
    (Cells, CELLS, "top", "most", "a number or None"),
    (Cells, CELLS, "key", 1, "a text"),
    # What numpy would read as a number, or as a part of one.
    *((Series, SERIES, "x", one, "no number") for one in (pd.Series(["1", "2"]), np.array([1 + 2j, 2], "O"))),
    (Series, SERIES, "x", np.array([np.complex128(1 + 2j), b"2"], dtype=object), "no number"),
    *((Level, {"name": "l"}, "at", one, "a number") for one in (np.complex128(1j), np.array("3"))),
    (Series, SERIES, "told", "s", "a Series or None"),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("kind", "right", "name", "value", "accepted"), WRONG)
def test_what_is_wrong_is_named_when_it_is_declared(
    kind: type, right: dict[str, Any], name: str, value: Any, accepted: str
) -> None:
    with pytest.raises((DomainError, TableError), match=accepted) as refused:
        kind(**{**right, name: value})
    assert refused.value.where is not None
    assert refused.value.where.name == name
    assert len(str(refused.value)) < 200
    assert "\n" not in str(refused.value)


def test_arrays_stay_read_only_in_copies() -> None:
    boxes = Series("s", [0, 1], [2, 3], "boxes", corners=([1, 2], [3, 4]), amounts=("n", [1, 2]))
    cells = Cells("t", ["a"], ["b"], [[1.0]])
    for again in (copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        made = again(boxes.telling(x=[5, 6]))
        assert made.told.x.tolist() == [5, 6]
        for array in (made.x, *made.corners, made.amounts[1], made.told.x, again(cells).values):
            assert not array.flags.writeable


def test_an_error_shows_little_of_what_is_large() -> None:
    class Loud:
        def __repr__(self) -> str:
            raise RuntimeError

    for value in (np.zeros((200, 200)), "x" * 10**6, Loud(), 10**4000):
        with pytest.raises(PdpError) as refused:
            Axis("x", names=value)
        assert len(str(refused.value)) < 200


def test_numbers_and_texts_of_numpy_are_plain_ones() -> None:
    drawn = [Series(np.str_("s"), np.arange(2), [np.float32(0.5), 1], "dots", labels=np.array(["p", "q"]))]
    across = Axis("x", np.int64(0), np.float32(2.5), names=np.array(["a", "b"]), whole=np.bool_(True))
    chart = Chart("t", drawn, across, Axis("y"), [Level("l", np.int64(3))], wide=np.bool_(False))
    told = json.loads(json.dumps(chart.declared()))
    assert (told["x"]["low"], told["x"]["high"], told["x"]["names"]) == (0.0, 2.5, ["a", "b"])
    assert (told["series"][0]["labels"], told["levels"][0]["at"]) == (["p", "q"], 3.0)
    cells = Cells("t", [1, np.int64(2)], np.array([0.5]), np.ones((2, 1)), texts=np.array([["p"], ["q"]]))
    told = json.loads(json.dumps(cells.declared()))
    assert (told["rows"], told["columns"], told["texts"]) == (["1", "2"], ["0.5"], [["p"], ["q"]])


def test_half_a_character_is_shown_as_one_that_cannot_be_read() -> None:
    half, seen = "a\ud800b", "a\ufffdb"
    series = Series(half, [0], [0], "dots", labels=[half])
    chart = Chart(half, [series], Axis(half, names=[half]), Axis("y"), [Level(half, 0)], note=half)
    cells = Cells(half, [half], [half], [[1]], texts=[[half]], key=half)
    for one in (chart, cells):
        json.dumps(one.declared(), ensure_ascii=False).encode()
    assert (series.name, series.labels, chart.x.names, cells.texts) == (seen, (seen,), (seen,), ((seen,),))


def test_twelve_curves_are_told_apart_and_no_more() -> None:
    values = {f"s{k}": [k, k] for k in range(12)}
    drawn = curves([0, 1], values.items())
    assert len({(one.colour, one.dashes) for one in drawn}) == 12
    assert len(Chart("t", drawn, Axis("x"), Axis("y")).series) == 12
    with pytest.raises(DomainError, match="13 curves cannot be told apart; 12 can"):
        curves([0, 1], [*values.items(), ("more", [0, 0])])
    # A curve keeps its look where others went.
    assert curves([0, 1], [("s", [0, 1])], [14])[0].dashes == drawn[2].dashes
    with pytest.raises(DomainError, match="2 curves cannot be told apart"):
        curves([0, 1], [("s", [0, 1]), ("r", [1, 2])], [2, 14])
