"""Numbers put into bins."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import AttributeTable, DomainError
from pdp_widgets.local import Bins

NUMBERS = st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=2, max_size=60)


@given(NUMBERS, st.integers(1, 12), st.sampled_from(["left", "right"]))
def test_equal_width_as_pandas_cuts(values, bins, closed):
    found = Bins.equal_width(values, bins, closed)
    edges = np.array(found.edges)
    # pandas moves the outermost edge a little; inside that is the same.
    expected = pd.cut(values, edges, right=closed == "right", labels=False, include_lowest=True)
    inner = ~pd.isna(expected)
    assert (found.codes(values)[inner] == np.asarray(expected)[inner]).all()
    assert edges[0] <= min(values)
    assert edges[-1] >= max(values)
    assert len(found) == bins


def test_equal_width_is_the_default_of_pandas_on_adult_ages():
    ages = np.array([17, 24, 25, 31, 32, 39, 90, 46, 53, 54])
    expected = pd.cut(ages, 10, labels=False)
    assert Bins.equal_width(ages, 10).codes(ages).tolist() == expected.tolist()


@given(NUMBERS, st.integers(1, 12), st.sampled_from(["left", "right"]))
def test_quantiles_share_the_values_out(values, bins, closed):
    found = Bins.quantiles(values, bins, closed)
    codes = found.codes(values)
    assert ((codes >= 0) & (codes < len(found))).all()
    assert len(found) <= bins
    if len(set(values)) == len(values) and len(found) == bins:
        counts = np.bincount(codes, minlength=bins)
        assert counts.max() - counts.min() <= 2


def test_which_bin_an_edge_belongs_to():
    edges = [0, 10, 20, 30]
    assert Bins(edges).codes(edges).tolist() == [0, 0, 1, 2]
    assert Bins(edges, "left").codes(edges).tolist() == [0, 1, 2, 2]
    assert Bins(edges).labels == ("[0, 10]", "(10, 20]", "(20, 30]")
    assert Bins(edges, "left").labels == ("[0, 10)", "[10, 20)", "[20, 30]")


def test_labels_keep_edges_apart():
    assert Bins([1.00001, 1.00002, 1.00003]).labels == ("[1.00001, 1.00002]", "(1.00002, 1.00003]")
    assert Bins([-np.inf, 0, np.inf]).labels == ("[-inf, 0]", "(0, inf]")
    assert len(set(Bins.equal_width([0, 1], 300).labels)) == 300


def test_missing_and_equal_values():
    assert Bins([0, 1]).codes([float("nan"), 0.5]).tolist() == [-1, 0]
    assert Bins.equal_width([float("nan"), 1, 3], 2).edges == (1, 2, 3)
    assert Bins.equal_width([5, 5], 2).codes([5]).tolist() == [0]
    assert Bins.equal_width([0], 1).edges == (-0.001, 0.001)
    assert Bins.quantiles([5, 5, 5], 3).codes([5]).tolist() == [0]
    assert Bins.quantiles([1, 1, 1, 1, 9], 4).edges == (1, 9)


def test_bins_are_values():
    bins = Bins([0, 1, 2])
    assert bins == Bins((0.0, 1.0, 2.0))
    assert bins != Bins([0, 1, 2], "left")
    assert pickle.loads(pickle.dumps(bins)) == bins
    assert hash(bins) == hash(Bins([0, 1, 2]))
    assert repr(bins) == "Bins([0, 1, 2], closed='right')"
    with pytest.raises(AttributeError):
        bins.edges = (1, 2)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([1], "There are 1 edges"),
        ([], "There are 0 edges"),
        ([1, 1], "Edge 1 follows 1"),
        ([2, 1], "Edge 1 follows 2"),
        ([0, float("nan")], "edges must ascend"),
        ("ab", "The edges are 'ab'"),
        ([1, "x"], "give at least two numbers"),
        (None, "The edges are None"),
        ({1, 2}, "are a set"),
        (range(2000), "at most 1,001"),
    ],
)
def test_wrong_edges(edges, message):
    with pytest.raises(DomainError, match=message):
        Bins(edges)


@pytest.mark.parametrize("bins", [0, -1, 1.5, "3", True, None, 1001])
def test_wrong_numbers_of_bins(bins):
    for make in (Bins.equal_width, Bins.quantiles):
        with pytest.raises(DomainError, match=r"number of bins is .*1 to 1,000"):
            make([1, 2, 3], bins)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "no value to find bins from"),
        ([float("nan")], "no value to find bins from"),
        ([1, float("inf")], "A value is infinite"),
        (["a"], "bins are for numbers"),
        (["1", "2"], "bins are for numbers"),
        ([[1]], "2 axes"),
    ],
)
def test_wrong_values(values, message):
    for make in (Bins.equal_width, Bins.quantiles):
        with pytest.raises(DomainError, match=message):
            make(values, 2)


def test_values_outside_and_sides():
    with pytest.raises(
        DomainError, match=r"The value of row 1 is 3.5, outside the bins; they go from 0 to 3"
    ):
        Bins([0, 1, 3]).codes([1, 3.5])
    with pytest.raises(DomainError, match="'left' or 'right'"):
        Bins([0, 1], "both")


@pytest.mark.parametrize(
    ("edges", "labels"),
    [
        ([0, 12200, 31000], ("[0, 12,200]", "(12,200, 31,000]")),
        ([950, 9100, 14325.25], ("[950, 9,100]", "(9,100, 14,325]")),
        ([-20000, -1500.5, 0.25], ("[-20,000, -1,500]", "(-1,500, 0.25]")),
        ([12200.25, 12200.5, np.inf], ("[12,200.2, 12,200.5]", "(12,200.5, inf]")),
        ([9999.6, 20000], ("[10,000, 20,000]",)),
        ([1900, 1950, 2000], ("[1900, 1950]", "(1950, 2000]")),
        ([0, 1e14, 1e16], ("[0, 100,000,000,000,000]", "(100,000,000,000,000, 1e+16]")),
        ([1e-7, 2e-7], ("[1e-07, 2e-07]",)),
    ],
)
def test_large_numbers_are_written_in_full(edges, labels):
    assert Bins(edges).labels == labels


def test_labels_of_near_numbers_of_any_size_differ():
    rng = np.random.default_rng(1)
    for size in 10.0 ** np.arange(-8, 19):
        edges = np.unique(size * (1 + 1e-9 * rng.random(12)))
        assert len(set(Bins(edges).labels)) == len(edges) - 1


AGES = [20, 21, 22, 30, 31, 60, 61, 99]


@pytest.mark.parametrize(("bins", "many"), [("quantiles", 4), (("quantiles", 2), 2), (["quantiles", 3], 3)])
def test_quantiles_are_asked_for_by_name(bins, many):
    table = AttributeTable.from_dataframe({"age": AGES}, bins={"age": bins})
    wanted = Bins.quantiles(AGES, many)
    assert table.domains[0] == wanted.labels
    assert table.codes[:, 0].tolist() == wanted.codes(AGES).tolist()


@pytest.mark.parametrize("bins", ["quantile", "five", ("quantile", 4), ["a", "b"], ("quantiles", 4, 5)])
def test_other_words_for_bins_are_answered_with_what_is_accepted(bins):
    with pytest.raises(DomainError, match=r"Column age: The bins are .*\('quantiles', 4\).*Bins\.quantiles"):
        AttributeTable.from_dataframe({"age": AGES}, bins={"age": bins})


def test_a_number_of_quantiles_is_checked():
    with pytest.raises(DomainError, match="Column age: The number of bins is 0"):
        AttributeTable.from_dataframe({"age": AGES}, bins={"age": ("quantiles", 0)})
