"""Records with numbers and labels, from frames of all kinds and from files."""

import gzip
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pdp_widgets.errors import DataRemark, DomainError, LimitError, PdpError, TableError
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.coded_column import CodedColumn
from pdp_widgets.models.microdata import Microdata, read_microdata
from pdp_widgets.models.surveys import clinic

COLUMNS = {"age": [31, 45, 52], "ill": ["yes", "no", "no"], "pulse": [60.5, None, 71.0]}


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_all_kinds_of_frames_are_read_alike(make):
    data = Microdata.of(make(COLUMNS))
    assert data == Microdata(COLUMNS)
    assert data.names == ("age", "ill", "pulse")
    assert data.column("ill").labels == ("no", "yes")
    assert data.column("ill").values.tolist() == [1.0, 0.0, 0.0]
    assert data.column("pulse").missing.tolist() == [False, True, False]
    assert Microdata.of(data) is data


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(pd.Categorical(["b", "a", None], ["a", "x", "b"], ordered=True)),
        pl.Series(["b", "a", None], dtype=pl.Enum(["a", "x", "b"])),
        pa.DictionaryArray.from_arrays([2, 0, None], ["a", "x", "b"], ordered=True),
    ],
)
def test_an_order_that_a_column_declares_is_kept(column):
    found = Microdata({"grade": column}).column("grade")
    assert found.labels == ("a", "x", "b")
    assert found.ordered
    assert found.values[:2].tolist() == [2.0, 0.0]
    assert np.isnan(found.values[2])


def test_an_order_that_is_given_goes_before_all():
    data = Microdata({"pain": ["low", "high"], "n": [1, 2]}, orders={"pain": ["high", "low"], "n": [2, 1]})
    assert data.column("pain").values.tolist() == [1.0, 0.0]
    assert data.column("n").labels == (2, 1)
    assert not Microdata({"pain": ["low", "high"]}).column("pain").ordered


def test_attribute_tables_keep_labels_and_their_numbers():
    table = AttributeTable([[0, 1], [1, -1]], domains=[[20, 30], ["no", "yes"]], names=["age", "ill"])
    data = Microdata.of(table)
    assert data.column("age").values.tolist() == [20.0, 30.0]
    assert data.column("ill").labels == ("no", "yes")
    assert data.column("ill").missing.tolist() == [False, True]
    with pytest.raises(DomainError, match="has its orders already"):
        Microdata.of(table, orders={"ill": ["yes", "no"]})


def test_true_and_false_are_labels_and_numbers_beside_words_too():
    assert Microdata({"ill": [True, False]}).column("ill").labels == (False, True)
    assert Microdata({"ill": np.array([True, False])}).column("ill").labels == (False, True)
    assert Microdata({"rooms": [1, "many", 2]}).column("rooms").labels == (1, "many", 2)
    with pytest.raises(DomainError, match="true equals 1"):
        Microdata({"ill": [True, 1, 0]})


@pytest.mark.parametrize(
    ("frame", "given", "error", "culprit"),
    [
        ({}, {}, DomainError, "No column"),
        ({"age": []}, {}, TableError, "no records"),
        ({"age": [1, 2], "ill": [1]}, {}, TableError, "ill has 1"),
        ({"age": [1, float("inf")]}, {}, DomainError, "age, row 1 is inf"),
        ({"age": [None, float("nan")]}, {}, DomainError, "age has no value"),
        ({"age": [1, [2]]}, {}, DomainError, "age is of type list"),
        ({"": [1]}, {}, DomainError, "empty name"),
        ({1.5: [1]}, {}, DomainError, "named 1.5"),
        ({"age": [1]}, {"columns": ["weight"]}, DomainError, "no column weight"),
        ({"ill": ["no"]}, {"orders": {"ill": ["yes"]}}, DomainError, "row 0: no is not in the given order"),
        ({"ill": ["no"]}, {"orders": {"age": ["yes"]}}, DomainError, "age, which is no column"),
        ({"ill": ["no"]}, {"orders": ["no"]}, DomainError, "The orders are"),
        ({"ill": ["no"]}, {"orders": {"ill": ["no", "no"]}}, DomainError, "twice"),
        ({"ill": ["no"]}, {"title": 3}, DomainError, "title"),
        ({"name": [f"p{j}" for j in range(1001)]}, {}, LimitError, "name has 1,001 different labels"),
        ([1, 2], {}, DomainError, "give a pandas, polars or arrow table"),
        (None, {}, DomainError, "give a pandas, polars or arrow table"),
        ("age", {}, DomainError, "give a pandas, polars or arrow table"),
        ("people.csv", {}, DomainError, "A file is read by read_microdata"),
        (Path("people.csv"), {}, DomainError, "A file is read by read_microdata"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), {}, DomainError, "two columns named a"),
        ({"day": [pd.Timestamp("2020-01-01"), "x"]}, {}, DomainError, "day is of type"),
    ],
)
def test_wrong_frames_are_named(frame, given, error, culprit):
    with pytest.raises(error, match=culprit):
        Microdata(frame, **given)


def test_records_are_values():
    data = Microdata(COLUMNS, title="Ward")
    again = pickle.loads(pickle.dumps(data))
    assert again == data
    assert hash(again) == hash(data)
    assert (
        repr(data)
        == "Microdata('Ward', 3 records, age: numbers, ill: 2 labels, pulse: numbers, 1 value missing)"
    )
    with pytest.raises(ValueError, match="read-only"):
        again.column("age").values[0] = 3
    with pytest.raises(AttributeError, match="cannot be changed"):
        data.names = ()
    assert data != Microdata(COLUMNS)
    assert Microdata.of(data.to_dataframe()) == Microdata(COLUMNS)
    assert data.to_dataframe()["age"].dtype.kind == "i"


def test_given_arrays_may_change_afterwards():
    ages = np.array([1.0, 2.0])
    data = Microdata({"age": ages})
    ages[0] = 9
    assert data.column("age").values.tolist() == [1.0, 2.0]


def test_records_are_taken_and_left_out():
    data = Microdata(COLUMNS)
    assert data.without(0) == data.take([1, 2]) == data.take(np.array([False, True, True]))
    assert data.without(0).column("ill").labels == ("no", "yes")
    for rows in ([3], [-1], [0.5], "a", [[0]]):
        with pytest.raises(DomainError, match="The rows are"):
            data.take(rows)
    for row in (3, -1, 0.5, None, True):
        with pytest.raises(DomainError, match="The row is"):
            data.without(row)
    with pytest.raises(TableError, match="no records"):
        data.take([])


def test_files_are_read(tmp_path):
    plain = tmp_path / "ward.csv"
    plain.write_text('\ufeffage, ill,"home, town"\n31,no,Ulm\n?,yes,NA\n\n52.5,no,Bonn\n', encoding="utf-8")
    data = read_microdata(plain, orders={"ill": ["no", "yes"]})
    assert data.names == ("age", "ill", "home, town")
    assert data.column("age").values[[0, 2]].tolist() == [31.0, 52.5]
    assert data.column("home, town").labels == ("Ulm", "Bonn")
    assert data.column("ill").ordered
    assert data.title == "ward"
    packed = tmp_path / "ward.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_microdata(packed, orders={"ill": ["no", "yes"]}) == data
    assert read_microdata(plain, columns=["ill"]).names == ("ill",)
    assert read_microdata(plain, missing=["31"], columns=["age"]).column("age").values[2] == 52.5


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("", "is empty"),
        ("age ill\n31 no\n", "one column, age ill: it looks separated by blanks"),
        ("age,ill\n", "has no rows"),
        ("age,ill\n31\n", "line 2: 1 field where there are 2 columns"),
        ("age,age\n31,2\n", "two columns of the same name, age"),
        ("age,ill\n31,\n", "ill has no value"),
        (",ill\n31,2\n31,3\n", "column 1 has no name"),
    ],
)
def test_wrong_files_are_named(tmp_path, text, culprit):
    file = tmp_path / "ward.csv"
    file.write_text(text)
    with pytest.raises(PdpError, match=culprit):
        read_microdata(file)


def test_a_file_that_is_none_is_named(tmp_path):
    with pytest.raises(TableError, match="is a folder"):
        read_microdata(tmp_path)
    with pytest.raises(TableError, match="The path is 3"):
        read_microdata(3)
    file = tmp_path / "a.csv"
    file.write_text("a\n1\n")
    with pytest.raises(DomainError, match="missing values are 3"):
        read_microdata(file, missing=3)


def test_the_clinic_is_that_of_the_design():
    data = clinic()
    assert data.records == 100
    assert data.take([0]).values(["age", "weight"]).tolist() == [[36.0, 60.0]]
    assert data.column("diabetes").labels == ("no", "yes")
    assert np.flatnonzero(data.column("diabetes").values).tolist() == [13, 30, 51, 59, 61, 67, 68, 72, 78, 92]


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1, 2**63 - 1, 10**400])
def test_whole_numbers_that_are_not_exact_are_refused_and_not_rounded(value):
    """Two names of records would be one, and a released table would hold others than the given."""
    columns = [[5, value]]
    if abs(value) < 2**63:
        columns += [np.array([5, value]), pd.Series([5, value]), pd.array([5, value], dtype="Int64")]
    for column in columns:
        with pytest.raises(DomainError, match=r"Column name, row 1 is .*; whole numbers beyond"):
            Microdata({"name": column})
    kept = Microdata({"name": [2**53, 2**60, -(2**53)]})
    assert kept.column("name").values.tolist() == [2**53, 2**60, -(2**53)]
    assert Microdata({"name": [str(value), "5"]}).column("name").labels == (str(value), "5")


def test_names_of_many_digits_in_a_file_stay_names(tmp_path):
    file = tmp_path / "people.csv"
    file.write_text("name,size\n9007199254740993,1e300\n9007199254740992,2\n", encoding="utf-8")
    with pytest.warns(DataRemark, match="column name has more digits than a number keeps"):
        data = read_microdata(file)
    assert data.column("name").labels == ("9007199254740993", "9007199254740992")
    assert data.column("size").values.tolist() == [1e300, 2.0]


def test_where_a_number_stands_is_looked_for_only_where_it_is_refused(monkeypatch):
    """To look for each of many different numbers takes as long as their number squared."""
    monkeypatch.setattr(CodedColumn, "first", lambda column, place: pytest.fail("looked for"))
    assert Microdata({"income": np.arange(1000)}).column("income").values.sum() == 499_500
    assert Microdata({"income": list(range(1000))}).column("income").values.sum() == 499_500
    with pytest.raises(pytest.fail.Exception, match="looked for"):
        Microdata({"income": [2**53 + 1]})
