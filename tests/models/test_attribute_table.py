"""Records of attributes: codes, labels, missing values, tables of pairs."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pdp_widgets import (
    AttributeTable,
    DomainError,
    JointDistribution,
    LimitError,
    LocalAnalysis,
    TableError,
    lsat6,
    titanic,
)
from pdp_widgets.errors import FewRecordsWarning
from pdp_widgets.local import Bins

CODES = [[0, 0, 1], [0, 1, 1], [1, -1, 1], [1, 2, -1], [1, 2, 0]]


def test_what_a_table_says():
    table = AttributeTable(CODES, [2, 3, 2], ["a", "b", "c"], "five people")
    assert table.n_records == len(table) == 5
    assert table.n_attributes == 3
    assert table.sizes == (2, 3, 2)
    assert table.domains == ((0, 1), (0, 1, 2), (0, 1))
    assert table.missing.tolist() == [0, 1, 1]
    assert table.counts("b").tolist() == [1, 1, 2]
    assert table.title == "five people"
    assert table.codes.tolist() == CODES
    assert repr(table) == (
        "AttributeTable('five people', 5 records, a: 2 labels, b: 3 labels, c: 2 labels, 2 values missing)"
    )


def test_sizes_labels_and_names_that_are_not_given():
    table = AttributeTable(CODES)
    assert table.sizes == (2, 3, 2)
    assert table.names == ("x1", "x2", "x3")
    assert AttributeTable([[-1, 0]]).sizes == (1, 1)
    assert AttributeTable(np.zeros((0, 2), int), [2, 3]).n_records == 0
    assert AttributeTable([[0], [1]], domains=[["no", "yes"]]).domains == (("no", "yes"),)
    assert AttributeTable([[0.0], [2.0]]).sizes == (3,)


@pytest.mark.parametrize(
    ("size", "kind"), [(128, np.int8), (129, np.int16), (32_768, np.int16), (32_769, np.int32)]
)
def test_codes_are_kept_in_few_bytes_and_whole(size, kind):
    table = AttributeTable([[size - 1], [-1]], [size])
    assert table.codes.dtype == kind
    assert table.codes.tolist() == [[size - 1], [-1]]
    more = table.with_missing("category")
    assert more.codes.tolist() == [[size - 1], [size]]


def test_tables_are_values():
    table = AttributeTable(CODES, names=["a", "b", "c"])
    assert table == AttributeTable(np.array(CODES, np.int8), [2, 3, 2], ["a", "b", "c"])
    assert table != AttributeTable(CODES)
    assert table != AttributeTable(CODES, [2, 3, 3], ["a", "b", "c"])
    assert table != "table"
    again = pickle.loads(pickle.dumps(table))
    assert again == table
    assert hash(again) == hash(table)
    assert again.codes.flags.f_contiguous
    with pytest.raises(AttributeError, match="cannot be changed"):
        table.title = "other"
    with pytest.raises(AttributeError, match="cannot be changed"):
        table.__init__(CODES)
    with pytest.raises(ValueError, match="read-only"):
        again.codes[0, 0] = 1
    given = np.array(CODES)
    kept = AttributeTable(given)
    given[0, 0] = 1
    assert kept.codes[0, 0] == 0


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (([0, 1],), TableError, r"shape \(2,\); give one record a row"),
        (([[]],), TableError, r"shape \(1, 0\)"),
        (([[0], [0, 1]],), TableError, "give one record a row"),
        (([["a"]],), TableError, "U1 values; give whole numbers.*from_dataframe"),
        (([[0.5]],), TableError, "float64 values"),
        (([[float("nan")]],), TableError, "float64 values"),
        (([[True]],), TableError, "bool values"),
        (([[0], [-2]],), DomainError, "row 1, column 0 is -2"),
        (([[0, 3]], [2, 3]), DomainError, "code of x2 in row 0 is 3, and the attribute has 3 labels"),
        (([[0]], [0]), DomainError, "size of attribute 0 is 0"),
        (([[0]], [1.0]), DomainError, "size of attribute 0 is 1.0"),
        (([[0]], [2, 3]), DomainError, "2 sizes for 1 attributes"),
        (([[0]], 2), DomainError, "The sizes are 2"),
        (([[0]], {2}), DomainError, "The sizes are a set"),
        (([[0]], None, ["a", "b"]), DomainError, "2 names for 1 attributes"),
        (([[0]], None, "a"), DomainError, "The names are 'a'"),
        (([[0, 0]], None, ["a", "a"]), DomainError, "Two attributes have the name a"),
        (([[0]], None, [""]), DomainError, "name of attribute 0 is ''"),
        (([[0]], None, ["\ud800"]), DomainError, "name of attribute 0 is"),
        (([[0]], None, None, 5), DomainError, "title is 5"),
    ],
)
def test_wrong_codes_sizes_and_names(arguments, kind, message):
    with pytest.raises(kind, match=message):
        AttributeTable(*arguments)


def test_wrong_labels():
    with pytest.raises(DomainError, match="has the label no twice"):
        AttributeTable([[0]], domains=[["no", "no"]])
    with pytest.raises(DomainError, match="1 domains for 2 attributes"):
        AttributeTable([[0, 0]], domains=[["no"]])
    with pytest.raises(DomainError, match="Both sizes and domains"):
        AttributeTable([[0]], [1], domains=[["no"]])


def test_attributes_by_name_and_position():
    table = AttributeTable(CODES, names=["a", "b", "c"])
    assert table.attribute("b") == table.attribute(1) == table.attribute(np.int64(1)) == 1
    assert table.select(["c", 0]).names == ("c", "a")
    assert table.select(["c", 0]).codes.tolist() == [[row[2], row[0]] for row in CODES]
    assert table.select("b").n_attributes == 1
    for wrong in ("d", 3, -1, True, None, 1.0):
        with pytest.raises(DomainError, match="There is no attribute"):
            table.attribute(wrong)
    for wrong, message in (
        ([], "at least one"),
        (["a", 0], "none twice"),
        ({"a"}, "are a set"),
        (None, "None"),
    ):
        with pytest.raises(DomainError, match=message):
            table.select(wrong)


def test_three_ways_with_missing_values():
    table = AttributeTable(CODES, [2, 3, 2])
    assert table.with_missing("drop") is table
    assert table.with_missing("listwise").codes.tolist() == [CODES[0], CODES[1], CODES[4]]
    more = table.with_missing("category")
    assert more.domains == ((0, 1), (0, 1, 2, "missing"), (0, 1, "missing"))
    assert more.codes.tolist() == [[0, 0, 1], [0, 1, 1], [1, 3, 1], [1, 2, 2], [1, 2, 0]]
    assert AttributeTable([[0], [-1]], domains=[["missing"]]).with_missing("category").domains == (
        ("missing", "(missing)"),
    )
    complete = AttributeTable([[0], [1]])
    assert complete.with_missing("category") is complete
    with pytest.raises(DomainError, match="'drop', 'listwise' or 'category'"):
        table.with_missing("pairwise")


def test_labels_that_no_record_has():
    table = AttributeTable([[0, -1], [2, -1], [-1, -1]], domains=[["a", "b", "c", "d"], [5, 6]])
    found = table.without_unseen()
    assert found.domains == (("a", "c"), (5,))
    assert found.codes.tolist() == [[0, -1], [1, -1], [-1, -1]]


def test_joint_distributions_of_some_attributes():
    table = AttributeTable(CODES, [2, 3, 2], ["a", "b", "c"], "five")
    joint = table.marginal(["b", "a"])
    assert isinstance(joint, JointDistribution)
    assert joint.names == ("b", "a")
    assert joint.counts.tolist() == [[1, 0], [1, 0], [0, 2]]
    assert joint.title == "five"
    assert table.marginal("c").counts.tolist() == [1, 3]
    with pytest.raises(TableError, match="No record has a value of all these attributes: a, b"):
        AttributeTable([[0, -1], [-1, 0]], names=["a", "b"]).marginal(["a", "b"])
    with pytest.raises(LimitError, match="cells"):
        AttributeTable(np.zeros((1, 4), int), [200] * 4).marginal(range(4))


def test_records_behind_counts():
    for joint in (titanic(), lsat6()):
        table = AttributeTable.from_counts(joint)
        assert table.n_records == joint.records
        assert table.marginal(joint.names) == joint
    with pytest.raises(TableError, match="no counts of records"):
        AttributeTable.from_counts(JointDistribution([0.5, 0.5]))
    with pytest.raises(TypeError, match="give a JointDistribution"):
        AttributeTable.from_counts([1, 2])


def test_records_of_counts_are_bounded_before_they_are_made():
    few = AttributeTable.from_counts(JointDistribution.from_counts([[1, 0], [0, 2_000_000]]))
    assert few.n_records == 2_000_001
    assert few.codes.dtype == np.int8
    for counts, words in (
        ([[1, 0], [0, 100_000_000]], "is 100,000,001, of 2 attributes; at most 100,000,000 records"),
        ([[2**52, 2**52], [1, 1]], "is 9,007,199,254,740,994, of"),
    ):
        with pytest.raises(LimitError, match=words):
            AttributeTable.from_counts(JointDistribution.from_counts(counts))
    wide = JointDistribution.from_counts(np.full((2,) * 8, 300_000))
    with pytest.raises(LimitError, match=r"76,800,000, of 8 attributes; .* 500,000,000 values"):
        AttributeTable.from_counts(wide)
    with pytest.raises(LimitError, match="76,800,000, of 8 attributes"):
        AttributeTable.drawn(wide, 76_800_000)
    # The table of counts does without records.
    assert LocalAnalysis(wide, "GRR", 1.0).matrix.max() == 0


def test_drawn_records():
    joint = JointDistribution([[0.5, 0.2, 0.0], [0.0, 0.1, 0.2]], names=["a", "b"])
    table = AttributeTable.drawn(joint, 40_000, rng=4)
    found = table.marginal(["a", "b"])
    assert np.abs(found.table - joint.table).max() < 0.01
    assert (found.table[joint.table == 0] == 0).all()
    assert table == AttributeTable.drawn(joint, 40_000, rng=4)
    for wrong in (0, 1.5, True, None):
        with pytest.raises(TableError, match="number of records"):
            AttributeTable.drawn(joint, wrong)
    with pytest.raises(DomainError, match="rng is 'x'; give a seed"):
        AttributeTable.drawn(joint, 3, "x")


FRAME = {
    "smokes": ["no", "yes", None, "no"],
    "age": [20.0, 40.0, 60.0, float("nan")],
    "children": [2, 0, 1, 0],
    "member": [True, False, True, True],
}


@pytest.mark.parametrize(
    "make",
    [
        dict,
        pd.DataFrame,
        lambda f: pl.DataFrame(f),
        lambda f: pa.table(f),
        lambda f: pd.DataFrame(f).convert_dtypes(),
        lambda f: pd.DataFrame(f).astype({"smokes": "category"}),
    ],
)
def test_data_frames_of_any_kind(make):
    table = AttributeTable.from_dataframe(make(FRAME), bins={"age": [18, 40, 65]}, title="four")
    assert table.names == ("smokes", "age", "children", "member")
    assert table.domains == (("no", "yes"), ("[18, 40]", "(40, 65]"), (0, 1, 2), (False, True))
    assert table.codes.tolist() == [[0, 0, 2, 1], [1, 0, 0, 0], [-1, 1, 1, 1], [0, -1, 0, 1]]
    assert table.title == "four"


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_numbers_with_few_records_each_are_warned_of(make):
    frame = make({"income": [float(x * x) for x in range(799)] + [0.0], "sex": ["m", "f"] * 400})
    with pytest.warns(FewRecordsWarning, match="income.*799 different numbers in 800 records.*bins=") as told:
        table = AttributeTable.from_dataframe(frame)
    assert [w.filename for w in told] == [__file__]
    assert table.sizes == (799, 2)


@pytest.mark.parametrize(
    ("values", "given"),
    [
        (list(range(20)) * 2, {}),
        (list(range(21)) * 10, {}),
        (list(range(800)), {"bins": {"x": 5}}),
        (list(range(800)), {"domains": {"x": range(800)}}),
        ([f"code {i}" for i in range(800)], {}),
        ([True, False] * 3, {}),
    ],
)
def test_no_warning_of_few_labels_or_of_labels_that_were_asked_for(values, given):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        AttributeTable.from_dataframe({"x": values}, **given)


def test_columns_domains_and_missing_of_choice():
    table = AttributeTable.from_dataframe(
        FRAME, ["children", "smokes"], domains={"children": [0, 1, 2, 3]}, missing="listwise"
    )
    assert table.domains == ((0, 1, 2, 3), ("no", "yes"))
    assert table.codes.tolist() == [[2, 0], [0, 1], [0, 0]]
    more = AttributeTable.from_dataframe(FRAME, ["smokes"], missing="category")
    assert more.domains == (("no", "yes", "missing"),)


def test_data_frames_there_and_back():
    table = AttributeTable.from_dataframe(FRAME, bins={"age": Bins([0, 30, 70])})
    frame = table.to_dataframe()
    assert frame["smokes"].tolist()[:2] == ["no", "yes"]
    assert pd.isna(frame["smokes"][2])
    again = AttributeTable.from_dataframe(frame, domains=dict(zip(table.names, table.domains, strict=True)))
    assert again == table
    assert titanic().names == tuple(AttributeTable.from_counts(titanic()).to_dataframe().columns)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        ({"attributes": ["weight"]}, DomainError, "There is no column weight"),
        ({"attributes": []}, DomainError, "No column is left to become an attribute; name at least one"),
        ({"attributes": ["age", "age"]}, DomainError, "A column is named twice; name each attribute once"),
        ({"attributes": 3}, DomainError, "The attributes are 3; give a list of names of columns"),
        ({"attributes": {"age"}}, DomainError, "The attributes are a set"),
        ({"bins": {"weight": 3}}, DomainError, "bins for weight, which is no attribute"),
        ({"bins": "halves"}, DomainError, "or bins by column"),
        (
            {"bins": {"smokes": 3}},
            DomainError,
            "Column smokes has the value 'no' and cannot be put into bins",
        ),
        ({"bins": {"age": [30, 50]}}, DomainError, "Column age: The value of row 0 is 20, outside the bins"),
        ({"bins": {"age": 0}}, DomainError, "Column age: The number of bins is 0"),
        ({"bins": {"age": [1]}}, DomainError, "Column age: There are 1 edges"),
        ({"bins": {"age": 2}, "domains": {"age": [1]}}, DomainError, "both bins and a domain"),
        (
            {"domains": {"children": [0, 1]}},
            DomainError,
            "Column children, row 0: 2 is not in the given domain",
        ),
        ({"missing": "ignore"}, DomainError, "Missing values are to be 'ignore'"),
    ],
)
def test_wrong_calls(call, kind, message):
    with pytest.raises(kind, match=message):
        AttributeTable.from_dataframe(FRAME, **call)


def test_what_is_wrong_with_the_attributes_is_named_by_their_parameter():
    with pytest.raises(DomainError) as caught:
        AttributeTable.from_dataframe(FRAME, attributes=["weight"])
    assert caught.value.where.name == "attributes"


def test_columns_that_are_no_attributes():
    with pytest.raises(LimitError, match=r"Column id has 1,001 different values in 1,001 rows.*bins"):
        AttributeTable.from_dataframe({"id": np.arange(1001)})
    with pytest.raises(LimitError, match="Column id has 1,001 different"):
        AttributeTable.from_dataframe({"id": [str(x) for x in range(1001)]})
    assert AttributeTable.from_dataframe({"id": np.arange(1001)}, domains={"id": range(1001)}).sizes == (
        1001,
    )
    with pytest.raises(TableError, match="Column a has no value"):
        AttributeTable.from_dataframe({"a": [None, None]})
    with pytest.raises(TableError, match="every column needs the same number"):
        AttributeTable.from_dataframe({"a": [1, 2], "b": [1]})
    with pytest.raises(DomainError, match="A label of a is of type list"):
        AttributeTable.from_dataframe({"a": [[1], [2]]})
    with pytest.raises(DomainError, match="is not a data frame"):
        AttributeTable.from_dataframe([[1, 2]])


def test_one_number_of_bins_is_for_all_columns_of_numbers() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "income": rng.normal(size=200),
            "age": rng.integers(18, 90, 200),
            "children": rng.integers(0, 4, 200),
            "ill": rng.random(200) < 0.3,
            "town": rng.choice(["A", "B"], 200),
        }
    )
    frame.loc[3, "income"] = np.nan
    with pytest.warns(FewRecordsWarning, match=r"^2 columns .*: income, age.*bins=5") as told:
        AttributeTable.from_dataframe(frame)
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = AttributeTable.from_dataframe(frame, bins=5)
        assert [len(domain) for domain in table.domains] == [5, 5, 4, 2, 2]
        quarters = AttributeTable.from_dataframe(frame, bins=("quantiles", 4))
        assert [len(domain) for domain in quarters.domains] == [4, 4, 4, 2, 2]
        given = AttributeTable.from_dataframe(frame, bins=5, domains={"age": range(18, 90)})
        assert len(given.domains[1]) == 72
    for kind in (pl.from_pandas, pa.Table.from_pandas, lambda one: one.to_dict("list")):
        again = AttributeTable.from_dataframe(kind(frame), bins=5)
        assert [len(domain) for domain in again.domains] == [5, 5, 4, 2, 2]
    for wrong in (0, True, [0, 10], "halves", 2.5):
        with pytest.raises(DomainError, match=r"The bins are .*for all columns of numbers"):
            AttributeTable.from_dataframe(frame, bins=wrong)  # type: ignore[arg-type]
