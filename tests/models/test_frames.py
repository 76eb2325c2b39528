"""Frames of every library are read alike: pandas, polars, arrow, lazy frames, and dicts of lists."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pdp_widgets import (
    AttributeTable,
    GaussianModel,
    JointDistribution,
    Microdata,
    PdpError,
    SparseJoint,
    StreamData,
)
from pdp_widgets.errors import DataRemark, DomainError, TableError

EAGER = {
    "dict": lambda columns: dict(columns),
    "pandas": pd.DataFrame,
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "arrow": pa.table,
}


def of_duckdb(columns):
    table = pa.table(columns)
    connection = duckdb.connect()
    return connection.from_arrow(table)


def of_dask(columns):
    import dask.dataframe as dd

    return dd.from_pandas(pd.DataFrame(columns), npartitions=2)


LAZY = {
    "polars, lazy": lambda columns: pl.LazyFrame(columns, strict=False),
    "duckdb": of_duckdb,
    "dask": of_dask,
}
# Narwhals says that another package of its own will read dask.
pytestmark = pytest.mark.filterwarnings("ignore:Dask support:FutureWarning")

PEOPLE = {
    "smokes": ["often", "no", "no", "yes", "no", "often"],
    "age": [60, 20, 20, 30, 60, 60],
    "ill": [True, False, False, True, False, True],
    "weight": [1.5, 2.0, 0.0, 3.0, 1.0, 2.5],
    "many": [1, 2, 0, 3, 1, 2],
}


def each(kinds):
    return pytest.mark.parametrize("kind", kinds)


def made(kind, columns=PEOPLE):
    return {**EAGER, **LAZY}[kind](columns)


@each([*EAGER, *LAZY])
@pytest.mark.parametrize("read", [JointDistribution.from_dataframe, SparseJoint.from_dataframe])
def test_a_joint_table_is_the_same_whatever_the_library(kind, read):
    columns = ["age", "ill"]
    assert read(made(kind), columns, "many") == read(PEOPLE, columns, "many")


@each(EAGER)
def test_text_stands_in_order_of_appearance(kind):
    joint = JointDistribution.from_dataframe(made(kind), ["smokes", "age"])
    assert joint.domains == (("often", "no", "yes"), (20, 30, 60))
    assert joint.counts.tolist() == [[0, 0, 2], [2, 0, 1], [0, 1, 0]]


@each(LAZY)
def test_text_of_a_lazy_frame_is_sorted(kind):
    joint = JointDistribution.from_dataframe(made(kind), ["smokes", "age"])
    assert joint.domains == (("no", "often", "yes"), (20, 30, 60))
    assert joint.counts.tolist() == [[2, 0, 1], [0, 0, 2], [0, 1, 0]]


@each([*EAGER, *LAZY])
def test_weights_that_are_not_whole_are_shares_without_records(kind):
    with pytest.warns(DataRemark, match="column weight are not whole numbers"):
        joint = JointDistribution.from_dataframe(made(kind), ["ill"], "weight")
    assert joint.counts is None
    assert joint.table.tolist() == [0.3, 0.7]
    with pytest.warns(DataRemark, match="column weight are not whole numbers"):
        assert SparseJoint.from_dataframe(made(kind), ["ill"], "weight").probabilities.tolist() == [0.3, 0.7]


@each([*EAGER, *LAZY])
def test_whole_weights_are_counts(kind):
    joint = JointDistribution.from_dataframe(made(kind), ["ill"], "many")
    assert joint.counts.tolist() == [3, 6]
    as_floats = made(kind, {**PEOPLE, "many": [float(n) for n in PEOPLE["many"]]})
    assert JointDistribution.from_dataframe(as_floats, ["ill"], "many") == joint


@each([*EAGER, *LAZY])
def test_probabilities_are_taken_without_a_remark(kind):
    frame = made(kind, {"a": [0, 1], "p": [0.25, 0.75]})
    assert JointDistribution.from_dataframe(frame, weight="p").table.tolist() == [0.25, 0.75]


@each([*EAGER, *LAZY])
@pytest.mark.parametrize("wrong", [-1.0, None, float("inf")])
def test_wrong_weights_are_refused(kind, wrong):
    frame = made(kind, {"a": [0, 1, 1], "w": [1.0, wrong, 2.0]})
    with pytest.raises(TableError, match="Column w"):
        JointDistribution.from_dataframe(frame, weight="w")
    with pytest.raises(TableError, match="Column w"):
        SparseJoint.from_dataframe(frame, weight="w")


@each([*EAGER, *LAZY])
@pytest.mark.parametrize("values", [["x", None, "y", None], [1, None, 2, None], [1.5, None, 2.5, None]])
def test_missing_values_are_counted(kind, values):
    frame = made(kind, {"a": values, "b": [1, 2, 3, 3]})
    place = "" if kind in LAZY else ", first in row 1"
    for read in (JointDistribution.from_dataframe, SparseJoint.from_dataframe):
        with pytest.raises(DomainError, match=f"Column a has 2 missing values{place}; drop"):
            read(frame)


@each([*EAGER, *LAZY])
def test_records_of_every_library(kind):
    names = ["smokes", "age", "ill"]
    table = AttributeTable.from_dataframe(made(kind), names, domains={"smokes": ["no", "yes", "often"]})
    wanted = AttributeTable.from_dataframe(PEOPLE, names, domains={"smokes": ["no", "yes", "often"]})
    assert table == wanted
    data = Microdata(made(kind), names, orders={"smokes": ["no", "yes", "often"]})
    assert data == Microdata(PEOPLE, names, orders={"smokes": ["no", "yes", "often"]})
    model = GaussianModel.from_dataframe(made(kind), ["age", "weight"])
    assert model == GaussianModel.from_dataframe(PEOPLE, ["age", "weight"])


@pytest.mark.parametrize("kind", ["dict", "pandas"])
def test_whole_numbers_name_columns(kind):
    frame = made(kind, {0: ["a", "b"], 1: [1, 2], 2: [3, 4]})
    joint = JointDistribution.from_dataframe(frame, [0, "1"], 2, domains={1: [2, 1]})
    assert (joint.names, joint.domains[1]) == (("0", "1"), (2, 1))
    assert joint.counts.tolist() == [[0, 3], [4, 0]]
    assert AttributeTable.from_dataframe(frame, [0]).names == ("0",)
    assert Microdata(frame).names == ("0", "1", "2")
    with pytest.raises(DomainError, match="two columns named 1"):
        JointDistribution.from_dataframe({1: [0], "1": [0]})


DAYS = [date(2020, 3, 1), date(2019, 12, 31), date(2020, 3, 1), date(2020, 10, 5)]
LABELS = ("2019-12-31", "2020-03-01", "2020-10-05")
ORDERED = {
    "days": (DAYS, LABELS),
    "midnights": ([datetime.combine(day, time()) for day in DAYS], LABELS),
    "times": (
        [datetime(2020, 3, 1, 12), datetime(2020, 1, 31), datetime(2020, 3, 1, 12), datetime(2021, 1, 1)],
        ("2020-01-31 00:00:00", "2020-03-01 12:00:00", "2021-01-01 00:00:00"),
    ),
    "spans": (
        [timedelta(days=10), timedelta(hours=3), timedelta(days=10), timedelta(days=11)],
        ("3:00:00", "10 days, 0:00:00", "11 days, 0:00:00"),
    ),
    "hours": ([time(12), time(3), time(12), time(22)], ("03:00:00", "12:00:00", "22:00:00")),
}


@each(EAGER)
@pytest.mark.parametrize("what", ORDERED)
def test_dates_and_times_are_labels_in_their_order(kind, what):
    values, labels = ORDERED[what]
    frame = made(kind, {"when": values, "x": [0, 1, 0, 1]})
    assert JointDistribution.from_dataframe(frame).domains[0] == labels
    assert JointDistribution.from_dataframe(frame).counts.tolist() == [[0, 1], [2, 0], [0, 1]]
    assert AttributeTable.from_dataframe(frame).codes[:, 0].tolist() == [1, 0, 1, 2]
    column = Microdata(frame).column("when")
    assert (column.labels, column.values.tolist(), column.ordered) == (labels, [1, 0, 1, 2], True)
    assert StreamData.from_dataframe(frame, "when").states == labels
    assert SparseJoint.from_dataframe(frame, ["when"]).domains[0] == labels


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns", "D"])
def test_times_of_numpy_are_no_whole_numbers(unit):
    column = np.array(["2020-03-01", "2019-12-31"], dtype=f"M8[{unit}]")
    assert JointDistribution.from_dataframe({"day": column}).domains == (("2019-12-31", "2020-03-01"),)


def test_intervals_of_pandas_stand_in_their_order():
    ages = pd.Series([61, 7, 35, 38, 12])
    for cut in (pd.cut(ages, [0, 9, 10, 40, 100]), pd.cut(ages, [0, 9, 10, 40, 100]).astype(object)):
        frame = pd.DataFrame({"age": cut, "ill": [1, 0, 1, 1, 0]})
        joint = JointDistribution.from_dataframe(frame)
        # What a cut declares and nobody has is a label as well.
        unused = ("(9, 10]",) if cut.dtype == "category" else ()
        assert joint.domains[0] == ("(0, 9]", *unused, "(10, 40]", "(40, 100]")
        assert AttributeTable.from_dataframe(frame).domains[0] == joint.domains[0]
        assert Microdata(frame).column("age").labels == joint.domains[0]
    quarters = pd.qcut(ages, 2)
    assert len(JointDistribution.from_dataframe(pd.DataFrame({"age": quarters})).domains[0]) == 2


@pytest.mark.parametrize("steps", ["M", "Q", "Y", "D", "W"])
def test_periods_of_pandas_stand_in_their_order(steps):
    periods = pd.period_range("2019-11", periods=14, freq=steps)
    frame = pd.DataFrame({"when": periods[::-1], "x": range(14)})
    joint = JointDistribution.from_dataframe(frame)
    assert joint.domains[0] == tuple(map(str, periods))
    assert Microdata(frame).column("when").labels == joint.domains[0]


def test_dates_beside_other_labels_are_refused():
    for values in ([date(2020, 1, 1), 1], [timedelta(1), "x"]):
        with pytest.raises(DomainError, match="of type"):
            JointDistribution.from_dataframe({"a": values})


@each(EAGER)
def test_many_records_of_few_kinds_are_counted_alike(kind):
    rng = np.random.default_rng(4)
    columns = {f"c{j}": rng.integers(0, 2 + j % 3, 20_000).tolist() for j in range(6)}
    columns["word"] = [["no", "yes", "é"][k] for k in rng.integers(0, 3, 20_000)]
    joint = JointDistribution.from_dataframe(made(kind, columns))
    cells = list(zip(*columns.values(), strict=True))
    for cell in set(cells[:50]):
        index = tuple(domain.index(label) for domain, label in zip(joint.domains, cell, strict=True))
        assert joint.counts[index] == cells.count(cell)
    assert joint.domains[-1] == tuple(dict.fromkeys(columns["word"]))


def test_objects_of_python_are_compared_as_python_compares_them():
    mixed = pd.DataFrame({"a": pd.Series([1, "1", 1.0, "1"], dtype=object)})
    assert JointDistribution.from_dataframe(mixed).counts.tolist() == [2, 2]
    with pytest.raises(DomainError, match="numbers beside true or false"):
        JointDistribution.from_dataframe(pd.DataFrame({"a": pd.Series([1, True], dtype=object)}))


def test_other_columns_of_one_name_do_no_harm():
    frame = pd.DataFrame([[1, 2, "x"]], columns=["a", "a", "b"])
    assert JointDistribution.from_dataframe(frame, ["b"]).domains == (("x",),)
    with pytest.raises(DomainError, match="two columns named a"):
        JointDistribution.from_dataframe(frame)


def test_names_that_are_used_inside_are_free():
    columns = {"count": [0, 1, 1], "first": ["x", "y", "x"], "total": [0, 0, 1], "least": [1, 1, 1]}
    for kind in (*EAGER, *LAZY):
        joint = JointDistribution.from_dataframe(made(kind, columns), list(columns))
        assert joint.records == 3


@each([*EAGER, *LAZY])
def test_frames_without_rows_are_refused(kind):
    frame = made(kind, {"a": pa.array([], pa.int64()) if kind == "duckdb" else []})
    with pytest.raises(PdpError, match="no rows"):
        JointDistribution.from_dataframe(frame)


@each([*EAGER, *LAZY])
def test_counted_records_are_as_many(kind):
    once = {name: PEOPLE[name] for name in ("age", "ill", "many")}
    listed = {name: np.repeat(PEOPLE[name], PEOPLE["many"]).tolist() for name in ("age", "ill")}
    for bins in (None, {"age": 2}, {"age": ("quantiles", 2)}):
        counted = AttributeTable.from_dataframe(made(kind, once), bins=bins, weight="many")
        assert counted == AttributeTable.from_dataframe(listed, bins=bins)
    assert Microdata(made(kind, once), weight="many") == Microdata(listed)
    assert Microdata.from_dataframe(made(kind, once), weight="many").records == 9


@each([*EAGER, *LAZY])
def test_there_are_no_parts_of_records(kind):
    for read in (AttributeTable.from_dataframe, Microdata):
        with pytest.raises(TableError, match=r"weight, row 0: the weight is 1\.5, and there are only whole"):
            read(made(kind, PEOPLE), weight="weight")
        with pytest.raises(DomainError, match="no column wight"):
            read(made(kind, PEOPLE), weight="wight")


class Table(dict):
    """Columns that know which of them says what, as a file that was read does."""

    weight, time, id = "many", "day", "who"


def test_a_table_names_its_columns_of_weights_times_and_ids():
    columns = {"who": ["a", "a", "b"], "day": [2, 1, 1], "many": [3, 1, 2], "mood": ["x", "y", "x"]}
    table = Table(columns)
    joint = JointDistribution.from_dataframe(table)
    assert (joint.names, joint.counts.tolist()) == (("mood",), [5, 1])
    assert SparseJoint.from_dataframe(table).probabilities.tolist() == pytest.approx([5 / 6, 1 / 6])
    assert AttributeTable.from_dataframe(table).counts("mood").tolist() == [5, 1]
    assert Microdata(table).names == ("mood",)
    # What a caller names goes first.
    assert JointDistribution.from_dataframe(table, ["who", "mood"], "day").records == 4
    streams = StreamData.from_dataframe(table, "mood", states=["x", "y"])
    assert [codes.tolist() for codes in streams] == [[1, 0], [0]]
    # Columns of frames are attributes of them too, and say nothing.
    loose = pd.DataFrame({"weight": [1, 2], "time": [0, 1], "id": [5, 6]})
    assert JointDistribution.from_dataframe(loose, ["weight", "time", "id"]).n_tuples == 3


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "duckdb", "dict"])
def test_decimals_are_numbers(kind):
    columns = {"price": [Decimal("2.50"), Decimal("0.10"), Decimal("2.50")]}
    frame = made(kind, columns)
    assert JointDistribution.from_dataframe(frame).domains == ((0.1, 2.5),)
    assert AttributeTable.from_dataframe(frame).domains == ((0.1, 2.5),)
    assert Microdata(frame).column("price").values.tolist() == [2.5, 0.1, 2.5]
    with pytest.raises(DomainError, match="of type Decimal"):
        # Two of them would be one number.
        JointDistribution.from_dataframe({"a": [Decimal(2**60), Decimal(2**60 + 1)]})


# Dask has no columns of lists.
@each([kind for kind in (*EAGER, *LAZY) if kind != "dask"])
def test_values_that_are_no_labels_are_named(kind):
    columns = {"a": [[1], [2]], "b": [1, 2]}
    with pytest.raises(DomainError, match=r"A label of a is of type (list|ndarray)"):
        JointDistribution.from_dataframe(made(kind, columns))


def test_names_are_only_names():
    # Quotes and code in a name of a column reach no engine as code.
    name = 'a"; drop table people; --<b>'
    for kind in (*EAGER, *LAZY):
        joint = JointDistribution.from_dataframe(made(kind, {name: ["x", "y"], "n": [1, 2]}), [name], "n")
        assert (joint.names, joint.counts.tolist()) == ((name,), [1, 2])


@each([*EAGER, *LAZY])
def test_many_different_rows_are_refused(kind):
    frame = made(kind, {"key": list(range(1500))})
    with pytest.raises(PdpError, match="key has 1,500 different"):
        JointDistribution.from_dataframe(frame)


@pytest.mark.parametrize("index", [[5, 3, 1, 0, 2, 9], [0] * 6, list("fedcba")])
def test_the_index_of_pandas_moves_nothing(index):
    frame = pd.DataFrame(PEOPLE, index=index)
    for weight in (None, "many"):
        joint = JointDistribution.from_dataframe(frame, ["smokes", "ill"], weight)
        assert joint == JointDistribution.from_dataframe(PEOPLE, ["smokes", "ill"], weight)
    assert Microdata(frame, ["smokes", "age"], weight="many").records == 9


def test_a_name_with_a_point_is_that_of_a_column():
    columns = {"a.b": [1, 0, 1], 'c."d': ["x", "y", "x"], "n.": [2, 3, 4]}
    relation = duckdb.connect().from_arrow(pa.table(columns))
    names = ["a.b", 'c."d']
    assert JointDistribution.from_dataframe(relation, names, "n.") == JointDistribution.from_dataframe(
        pa.table(columns), names, "n."
    )
    assert AttributeTable.from_dataframe(relation, names) == AttributeTable.from_dataframe(columns, names)
