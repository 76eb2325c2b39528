"""What JupyterLab asks of a kernel: tabs, what is in data frames and files, and documents made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pdp_widgets as pdp
from pdp_widgets.errors import PdpError
from pdp_widgets.widgets.document import document_text, opened
from pdp_widgets.widgets.in_jupyterlab import (
    close_tab,
    described,
    exported,
    file_described,
    frames,
    made,
    made_of_file,
    open_tab,
)

FRAME = pd.DataFrame(
    {
        "age": [31, 45, 31, 60] * 10,
        "ill": ["no", "yes", "no", None] * 10,
        "dose": np.linspace(0, 1, 40),
        "weight": np.linspace(50, 80, 40) ** 2,
        "notes": [["a"]] * 40,
    }
)


def test_a_tab_has_its_explorer_until_it_is_closed():
    explorer = pdp.PriorExplorer(pdp.lsat6(), scale=2.0)
    model = open_tab(document_text(explorer))
    close_tab(model)
    close_tab(model)


def test_the_data_frames_of_a_notebook_are_listed_and_nothing_else():
    table = pdp.prior.Table({"a": np.array([1, 2])})
    names = {
        "people": FRAME,
        "table": table,
        "_": FRAME,
        "kind": pd.DataFrame,
        "pandas": pd,
        "plain": {"a": [1]},
        "column": FRAME["age"],
        "explorer": pdp.JointTable(pdp.lsat6()),
        "number": 3,
    }
    assert frames(names).data == [
        {"name": "people", "rows": 40, "columns": 5},
        {"name": "table", "rows": 2, "columns": 1},
    ]


def test_columns_are_described_by_type_labels_and_gaps():
    found = described(FRAME).data
    assert found["rows"] == 40
    assert [tuple(column.values()) for column in found["columns"][:3]] == [
        ("age", "numbers", 3, ["31", "60"], 0),
        ("ill", "texts", 2, ["no", "yes"], 10),
        ("dose", "numbers", 40, ["0", "1"], 0),
    ]
    assert found["columns"][4]["type"] == "other"
    # What IPython sends.
    assert described(FRAME)._repr_json_() == found


OPENED: dict[str, tuple[list[str], Any]] = {
    "PriorExplorer": (["age"], lambda one: one.value.names),
    "GaussianExplorer": (["dose", "weight"], lambda one: one.value.names),
    "LocalExplorer": (["age", "ill"], lambda one: one.value.names),
    "DependenceExplorer": (["age"], lambda one: one.value.tuples),
    "AnonymityExplorer": (["age", "ill"], lambda one: tuple(column.name for column in one.value.columns)),
    "StreamSimulator": (["age"], None),
}


@pytest.mark.parametrize("name", OPENED)
def test_each_explorer_opens_on_the_columns_that_are_chosen(name):
    columns, names_of = OPENED[name]
    explorer = opened(made(name, FRAME, columns, "People").data["text"])
    assert type(explorer).__name__ == name
    assert name == "StreamSimulator" or explorer.value.title == "People"
    if names_of is None:
        assert set(explorer.value.states) == set(FRAME["age"])
    else:
        assert list(names_of(explorer)) == columns


@pytest.mark.parametrize(
    ("name", "columns", "said"),
    [
        (
            "AttackExplorer",
            ["age"],
            "The explorer is 'AttackExplorer'; on a table opens one of PriorExplorer",
        ),
        ("PriorExplorer", [], "No column is chosen"),
        ("PriorExplorer", ["ill"], "Column ill has 10 missing values"),
        ("PriorExplorer", ["size"], "size"),
    ],
)
def test_what_cannot_be_opened_is_said(name, columns, said):
    with pytest.raises(PdpError, match=said):
        made(name, FRAME, columns, "People")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_is_read_as_read_table_reads_it(tmp_path, ending):
    path = tmp_path / f"people.{ending}"
    people = FRAME[["age", "dose"]]
    if ending == "csv":
        people.to_csv(path, index=False, sep=";", decimal=",")
    else:
        people.to_parquet(path)
    found = file_described(str(path)).data
    assert [column["name"] for column in found["columns"]] == ["age", "dose"]
    assert [column["type"] for column in found["columns"]] == ["numbers", "numbers"]
    assert bool(found["remarks"]) == (ending == "csv")
    explorer = opened(made_of_file("PriorExplorer", str(path), ["age"]).data["text"])
    assert explorer.value.title == "people"


@pytest.mark.parametrize(
    ("ending", "begin"), [("html", "<!doctype html>"), ("svg", "<svg"), ("tex", "\\begin{tabular}")]
)
def test_a_document_is_written_as_another_file(ending, begin):
    text = document_text(pdp.PriorExplorer(pdp.lsat6(), scale=2.0))
    found = exported(text, ending).data["text"]
    assert begin in found[:400].replace("DOCTYPE", "doctype")
    assert "0.73" in found
