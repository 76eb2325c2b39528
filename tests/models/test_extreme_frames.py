"""Columns at the ends of what columns can be: integers beyond floats, masks, mixed types, nothing at all."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from pdp_widgets import AttributeTable, GaussianModel, JointDistribution, PdpError
from pdp_widgets.errors import DomainError, LimitError, TableError
from pdp_widgets.models.binning import Bins

BIG = 2**53
read = AttributeTable.from_dataframe


@pytest.mark.parametrize("kind", ["Int64", "UInt64", "int64[pyarrow]"])
def test_nullable_integers_stay_integers(kind):
    if "pyarrow" in kind:
        pytest.importorskip("pyarrow")
    column = pd.array([BIG, BIG + 1, None, 1], dtype=kind)
    table = read(pd.DataFrame({"a": column, "b": [0, 1, 1, 0]}))
    assert table.domains[0] == (1, BIG, BIG + 1)
    assert all(type(label) is int for label in table.domains[0])
    assert table.codes[:, 0].tolist() == [1, 2, -1, 0]


def test_nullable_truth_and_reals_stay_what_they_are():
    frame = pd.DataFrame(
        {
            "a": pd.array([True, None, False], dtype="boolean"),
            "b": pd.array([1.5, None, 2.5], dtype="Float64"),
        }
    )
    table = read(frame)
    assert table.domains == ((False, True), (1.5, 2.5))
    assert all(type(label) is bool for label in table.domains[0])
    assert table.missing.tolist() == [1, 1]


def test_nullable_integers_go_into_bins():
    table = read(pd.DataFrame({"a": pd.array([1, 9, None], dtype="Int64"), "b": [0, 1, 1]}), bins={"a": 2})
    assert table.codes[:, 0].tolist() == [0, 1, -1]


@pytest.mark.parametrize("values", [[1, 2, 3], ["x", "y", "z"], [1.5, 2.5, 3.5]])
def test_masked_values_of_a_column_are_missing(values):
    column = np.ma.array(values, mask=[0, 1, 0])
    table = read({"a": column, "b": [0, 1, 1]})
    assert table.domains[0] == (values[0], values[2])
    assert table.codes[:, 0].tolist() == [0, -1, 1]


def test_masked_numbers_go_into_bins_as_missing():
    table = read({"a": np.ma.array([1, 500, 3], mask=[0, 1, 0]), "b": [0, 1, 1]}, bins={"a": 2})
    assert table.domains[0] == ("[1, 2]", "(2, 3]")
    assert table.codes[:, 0].tolist() == [0, -1, 1]


def test_masked_codes_are_refused():
    codes = np.ma.array([[0, 1], [1, 0]], mask=[[0, 1], [0, 0]])
    with pytest.raises(TableError, match=r"entry at \(0, 1\).* masked"):
        AttributeTable(codes)


def test_masked_bins_are_refused():
    with pytest.raises(PdpError):
        Bins(np.ma.array([0.0, 1.0, 2.0], mask=[0, 1, 0]))


def test_a_domain_of_a_thousand_million_labels_is_refused_before_it_is_listed():
    with pytest.raises(LimitError, match="1,000,000,000 labels"):
        read({"a": ["x", "y"], "b": [0, 1]}, domains={"a": range(10**9)})
    with pytest.raises(LimitError, match="labels"):
        AttributeTable([[0], [1]], domains=[range(10**400)])


def test_codes_beyond_the_range_of_integers_are_refused():
    with pytest.raises(PdpError, match="is 9,223,372,036,854,775,808; a code"):
        AttributeTable(np.array([[2**63]], dtype="u8"))


@pytest.mark.parametrize("many", [10**400, 10**5000, 2**62], ids=["400", "5000", "62"])
def test_too_many_drawn_records_are_refused(many):
    with pytest.raises(LimitError, match="number of records"):
        AttributeTable.drawn(JointDistribution([[0.5, 0], [0, 0.5]]), many, rng=1)


def test_bins_between_the_largest_numbers():
    bins = Bins.equal_width([-1.7e308, 1.7e308, 0], 2)
    assert bins.edges == (-1.7e308, 0.0, 1.7e308)
    assert len(Bins.equal_width([1.7976931348623157e308] * 3, 2)) >= 1
    assert len(Bins.quantiles([-1.7e308, 1.7e308], 2)) == 2


@pytest.mark.parametrize("bins", [0, 5e-324])
def test_bins_around_one_tiny_number(bins):
    assert Bins.equal_width([bins], 2).codes([bins]).tolist() in ([0], [1])


@pytest.mark.parametrize("bins", [True, np.True_, b"1", "12"])
def test_numbers_of_bins_that_are_none_are_refused(bins):
    with pytest.raises(DomainError, match=r"Column a: The (edges|bins)"):
        read({"a": [1, 2, 3], "b": [0, 1, 0]}, bins={"a": bins})


def test_an_option_given_as_an_array_is_refused():
    with pytest.raises(DomainError, match="Missing values"):
        read({"a": [1, 2], "b": [0, 1]}, missing=np.array(["drop", "listwise"]))
    with pytest.raises(DomainError, match="closed"):
        Bins([0, 1], closed=np.array(["left", "right"]))


def test_a_column_without_values_is_a_category_of_its_own():
    frame = {"a": [None, None], "b": [0, 1]}
    assert read(frame, missing="category").domains[0] == ("missing",)
    assert read(pd.DataFrame({"a": [np.nan] * 2, "b": [0, 1]}), missing="category").domains[0] == ("missing",)
    assert read(frame, missing="category").codes[:, 0].tolist() == [0, 0]
    with pytest.raises(TableError, match="no value"):
        read(frame)


@pytest.mark.parametrize("column", [[1, "1", 1.0, True], [True, 1, False, 0], [0, False, 1, 2]])
def test_labels_of_different_types_are_not_merged(column):
    with pytest.raises(DomainError, match="true"):
        read({"a": column, "b": [0, 1, 0, 1]})


@pytest.mark.parametrize("table", [[["1", "2"], ["3", "4"]], np.array([["1", "2"], ["3", "4"]])])
def test_a_table_of_text_is_no_table_of_numbers(table):
    from pdp_widgets import LocalAnalysis

    with pytest.raises(PdpError):
        LocalAnalysis(table, "GRR", 1.0)


READERS = [
    AttributeTable.from_dataframe,
    JointDistribution.from_dataframe,
    GaussianModel.from_dataframe,
    lambda frame: AttributeTable.from_dataframe(frame, bins={"a": 2}),
]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ({"a": [0, 1, 1], "\ud800": [0, 1, 1]}, "half a character"),
        ({"a": np.array(3)}, "Column a is 3; a column is a list of labels"),
        ({"a": [1, 2], "b": np.array("x")}, "Column b is 'x'; a column is a list of labels"),
        ({"a": ["x\ud800", "y"]}, "half a character|cannot be put into bins|finite numbers"),
        (pd.DataFrame({"a": [Decimal("sNaN"), Decimal("sNaN")]}), "Column a"),
    ],
)
def test_what_is_no_column_is_refused_by_its_name(read, frame, said):
    with pytest.raises(PdpError, match=said):
        read(frame)


@pytest.mark.parametrize("lost", [Decimal("sNaN"), Decimal("NaN"), None, float("nan")])
def test_a_decimal_that_is_no_number_is_a_missing_value(lost):
    table = AttributeTable.from_dataframe({"a": [lost, "x", "y", "x"]})
    assert table.domains == (("x", "y"),)
    assert table.missing.sum() == 1
