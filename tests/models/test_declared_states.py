"""Streams whose symbols are categories with an order of their own."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pdp_widgets import MarkovChain, StreamData, StreamError


def declared(kind, labels):
    """A column of sizes with an order of its own, of several makes."""
    order = ["small", "middle", "big"]
    if kind == "pandas":
        return pd.DataFrame({"size": pd.Categorical(labels, order, ordered=True)})
    if kind == "polars":
        return pl.DataFrame({"size": pl.Series(labels, dtype=pl.Enum(order))})
    codes = pa.array([None if label is None else order.index(label) for label in labels], pa.int8())
    return pa.table({"size": pa.DictionaryArray.from_arrays(codes, pa.array(order), ordered=True)})


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_a_declared_order_of_categories_is_that_of_the_states(kind):
    frame = declared(kind, ["big", "small", None, "big"])
    data = StreamData.from_dataframe(frame, "size")
    assert data.states == ("small", "middle", "big")
    assert [codes.tolist() for codes in data] == [[2, 0], [2]]
    # A state that nobody has been in has a law too.
    assert MarkovChain.from_streams(data).states == data.states
    assert StreamData.from_dataframe(frame, "size", states=["big", "small"]).states == ("big", "small")
    whole = declared(kind, ["big", "small"])["size"]
    assert StreamData([whole, whole]).states == data.states
    # Where some streams declare nothing, the labels that occur are the states.
    assert StreamData([whole, ["small"]]).states == ("big", "small")
    assert StreamData([whole, ["small", "huge"]]).n == 3


def test_categories_without_an_order_are_those_that_occur():
    loose = pd.Series(pd.Categorical(["big", "small"], ["small", "middle", "big"]))
    assert StreamData([loose]).states == ("big", "small")
    numbers = pd.Categorical([3, 1], [3, 2, 1], ordered=True)
    assert StreamData([numbers]).states == (3, 2, 1)
    assert StreamData([pl.Series(["b", "a"], dtype=pl.Categorical)]).states == ("b", "a")


def test_streams_that_declare_other_orders_are_refused():
    one = pd.Categorical(["a"], ["a", "b"], ordered=True)
    other = pd.Categorical(["a"], ["b", "a"], ordered=True)
    with pytest.raises(StreamError, match="Streams 0 and 2 declare other categories"):
        StreamData([one, one, other])
    assert StreamData([one, one, other], states=["a", "b"]).n == 2
    nobody = pd.Categorical([], ["a", "b"], ordered=True)
    assert StreamData([nobody]).states == ("a", "b")
