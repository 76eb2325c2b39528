"""A declared order of labels is the order of the table, and a label that nobody has is one of it."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pdp_widgets import AttributeTable, JointDistribution, LocalAnalysis
from pdp_widgets.errors import DomainError, LimitError
from pdp_widgets.local import association

ORDER = ["lo", "mid", "hi", "top"]
FOUND = ["hi", "lo", "mid", "hi", "lo", "mid"]


def _pandas(values=FOUND, order=ORDER):
    return pd.DataFrame({"level": pd.Categorical(values, order, ordered=True), "x": range(len(values))})


def _polars(values=FOUND, order=ORDER):
    return pl.DataFrame({"level": pl.Series(values, dtype=pl.Enum(order)), "x": range(len(values))})


def _arrow(values=FOUND, order=ORDER):
    codes = [None if value is None else order.index(value) for value in values]
    column = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), order, ordered=True)
    return pa.table({"level": column, "x": list(range(len(values)))})


def _chunks(values=FOUND, order=ORDER):
    whole = _arrow(values, order)
    return pa.concat_tables([whole.slice(0, 2), whole.slice(2)])


KINDS = [_pandas, _polars, _arrow, _chunks, lambda *args: _polars(*args).to_arrow()]


@pytest.mark.parametrize("frame", KINDS)
def test_a_declared_order_is_kept_with_labels_that_do_not_occur(frame):
    table = AttributeTable.from_dataframe(frame())
    assert table.domains[0] == tuple(ORDER)
    assert table.codes[:, 0].tolist() == [ORDER.index(value) for value in FOUND]
    joint = JointDistribution.from_dataframe(frame())
    assert joint.domains[0] == tuple(ORDER)
    assert joint.table[3].sum() == 0


@pytest.mark.parametrize("frame", KINDS)
def test_a_given_domain_goes_before_a_declared_one(frame):
    given = {"level": ["mid", "lo", "hi"]}
    assert AttributeTable.from_dataframe(frame(), domains=given).domains[0] == ("mid", "lo", "hi")
    assert JointDistribution.from_dataframe(frame(), domains=given).domains[0] == ("mid", "lo", "hi")


@pytest.mark.parametrize("frame", KINDS)
def test_missing_values_of_a_declared_column_stay_missing(frame):
    table = AttributeTable.from_dataframe(frame(["hi", None, "lo"]))
    assert table.domains[0] == tuple(ORDER)
    assert table.codes[:, 0].tolist() == [2, -1, 0]


def test_a_column_without_any_value_has_its_declared_labels():
    assert AttributeTable.from_dataframe(_pandas([None, None])).domains[0] == tuple(ORDER)


def test_without_a_declared_order_labels_stand_as_before():
    unordered = pd.DataFrame({"level": pd.Categorical(FOUND, ORDER), "x": range(6)})
    shared = pl.DataFrame({"level": pl.Series(FOUND, dtype=pl.Categorical), "x": range(6)})
    for frame in (unordered, shared, {"level": FOUND, "x": list(range(6))}):
        assert AttributeTable.from_dataframe(frame).domains[0] == ("hi", "lo", "mid")
        assert JointDistribution.from_dataframe(frame).domains[0] == ("hi", "lo", "mid")


def test_the_correlation_follows_the_declared_order_and_the_reports_the_declared_number():
    dose = ["hi", "hi", "lo", "lo", "mid", "mid", "hi", "lo"]
    ill = [0, 0, 2, 2, 1, 1, 0, 1]
    frame = pd.DataFrame({"dose": pd.Categorical(dose, ORDER, ordered=True), "ill": ill})
    table = AttributeTable.from_dataframe(frame)
    expected = np.corrcoef([ORDER.index(one) for one in dose], ill)[0, 1]
    assert association(table.marginal(["dose", "ill"])).correlation == pytest.approx(expected)
    assert expected < -0.8
    codes = np.column_stack([[ORDER.index(one) for one in dose], ill])
    for name in ("OUE", "OLH", "SS"):
        found = LocalAnalysis(frame, name, 1.0).matrix
        assert np.array_equal(found, LocalAnalysis(AttributeTable(codes, [4, 3]), name, 1.0).matrix)
    four, three = (LocalAnalysis(t, "OUE", 1.0, output="inferred") for t in (table, table.without_unseen()))
    assert four.matrix[0, 1] != three.matrix[0, 1]


def test_too_many_declared_labels_are_named():
    order = [f"label {i}" for i in range(2000)]
    with pytest.raises(LimitError, match=r"level.*2,000"):
        AttributeTable.from_dataframe(_pandas(order[:3], order))
    with pytest.raises(LimitError, match=r"level.*2,000"):
        JointDistribution.from_dataframe(_pandas(order[:3], order))


def _loose_pandas():
    return pd.DataFrame({"level": pd.Categorical(FOUND, ORDER), "x": range(len(FOUND))})


def _loose_arrow():
    return pa.table({"level": pa.array(_loose_pandas()["level"]), "x": list(range(len(FOUND)))})


@pytest.mark.parametrize("read", [AttributeTable.from_dataframe, JointDistribution.from_dataframe])
def test_unused_categories_are_kept_where_they_are_wanted(read):
    for frame in (
        *(kind() for kind in KINDS),
        _loose_pandas(),
        _loose_arrow(),
        {"level": _loose_pandas()["level"]},
    ):
        assert read(frame, ["level"], unused=True).domains == (tuple(ORDER),)
    for frame in (kind() for kind in KINDS):
        assert read(frame, ["level"], unused=False).domains == (("lo", "mid", "hi"),)
    assert read(_loose_pandas(), ["level"], unused=False).domains == (("hi", "lo", "mid"),)
    with pytest.raises(DomainError, match="unused is 'yes'; give True or False"):
        read(_pandas(), ["level"], unused="yes")


def test_empty_intervals_of_a_cut_can_be_left_out():
    frame = pd.DataFrame({"age": pd.cut(np.array([5, 35, 36]), [0, 10, 20, 40])})
    assert JointDistribution.from_dataframe(frame).domains == (("(0, 10]", "(10, 20]", "(20, 40]"),)
    assert JointDistribution.from_dataframe(frame, unused=False).domains == (("(0, 10]", "(20, 40]"),)
