"""Streams from frames of every library: ordered by time, one event or one stream a row."""

import warnings
from datetime import date, timedelta

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pdp_widgets import ChainError, MarkovChain, SequenceAnalysis, StreamData, StreamError
from pdp_widgets.errors import DataRemark, DomainError
from pdp_widgets.streams import transition_counts

KINDS = {
    "dict": dict,
    "pandas": pd.DataFrame,
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "arrow": pa.table,
    "polars, lazy": lambda columns: pl.LazyFrame(columns, strict=False),
    "duckdb": lambda columns: duckdb.connect().from_arrow(pa.table(columns)),
}
each = pytest.mark.parametrize("kind", KINDS)
FIRST = date(2021, 1, 1)
TIMES = {
    "numbers": [3, 1, 2, 1, 2, 3],
    "reals": [3.5, 1.5, 2.0, 1.5, 2.0, 3.5],
    "dates": [FIRST + timedelta(days) for days in (300, 1, 40, 1, 40, 300)],
    "text": ["2021-10-01", "2021-01-01", "2021-02-01", "2021-01-01", "2021-02-01", "2021-10-01"],
    "years": ["2003", "2001", "2002", "2001", "2002", "2003"],
}
WHO = ["a", "a", "a", "b", "b", "b"]
SEEN = ["z", "x", "y", "x", "x", None]


@each
@pytest.mark.parametrize("times", TIMES)
def test_a_column_of_times_orders_the_events(kind, times):
    columns = {"who": WHO, "seen": SEEN, "at": TIMES[times]}
    # Whatever the order of the rows.
    for order in (range(6), [5, 0, 3, 2, 4, 1]):
        frame = KINDS[kind]({name: [column[k] for k in order] for name, column in columns.items()})
        data = StreamData.from_dataframe(frame, "seen", "who", "at", states=["x", "y", "z"])
        assert sorted(codes.tolist() for codes in data) == [[0, 0], [0, 1, 2]]


def test_shuffled_rows_give_the_chain_of_those_in_order():
    # Persons stay in their fifth of incomes: shuffled rows without a time hide it.
    rng = np.random.default_rng(3)
    fifths = np.repeat(np.arange(1, 6), 40)[:, None] * np.ones(12, int)
    fifths[:, 6:] += (rng.random(200) < 0.15)[:, None] & (fifths[:, 6:] < 5)
    frame = pd.DataFrame(
        {"id": np.repeat(np.arange(200), 12), "year": np.tile(np.arange(12), 200), "fifth": fifths.ravel()}
    )
    wanted = MarkovChain.from_streams(StreamData.from_dataframe(frame, "fifth", "id", "year"))
    shuffled = frame.sample(frac=1, random_state=0)
    states = sorted(set(frame["fifth"]))
    found = StreamData.from_dataframe(shuffled, "fifth", "id", "year", states=states)
    assert MarkovChain.from_streams(found).transitions == pytest.approx(wanted.transitions)
    with pytest.warns(DataRemark, match=r"in the order of the rows.*time='year'"):
        loose = StreamData.from_dataframe(shuffled, "fifth", "id", states=states)
    assert np.diag(MarkovChain.from_streams(loose).transitions).min() < np.diag(wanted.transitions).min()


@each
def test_streams_that_need_no_time_are_taken_without_a_remark(kind):
    if kind == "duckdb":
        with pytest.raises(StreamError, match="have no order; name the column of times"):
            StreamData.from_dataframe(KINDS[kind]({"s": ["x"]}), "s")
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(StreamData.from_dataframe(KINDS[kind]({"who": WHO, "seen": SEEN}), "seen", "who")) == 2
        assert len(StreamData.from_dataframe(KINDS[kind]({"day": [2, 1], "seen": ["x", "y"]}), "seen")) == 1


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (["1/2/2021", "12/1/2020"], "text '1/2/2021', which does not say which time is earlier"),
        (["9", "10"], "does not say which time"),
        (["2021-01-01", "2021-01"], "does not say which time"),
        ([1, None], "row 1 is missing; every event needs its time"),
        ([1.0, float("nan")], "row 1 is missing"),
        ([1, "2021"], "times of several kinds"),
    ],
)
def test_times_without_an_order_are_refused(times, said):
    with pytest.raises(StreamError, match=f"Column at.*{said}"):
        StreamData.from_dataframe({"s": ["x", "y"], "at": times}, "s", time="at")


def test_ordered_categories_are_times():
    waves = pd.Categorical(["third", "first", "second"], ["first", "second", "third"], ordered=True)
    data = StreamData.from_dataframe(pd.DataFrame({"s": ["c", "a", "b"], "wave": waves}), "s", time="wave")
    assert data.labels(0) == ("a", "b", "c")


def test_two_events_of_one_time_are_remarked():
    with pytest.warns(DataRemark, match="1 events have the at of another event"):
        StreamData.from_dataframe({"s": ["x", "y"], "at": [1, 1]}, "s", time="at")


@each
def test_a_wide_frame_has_one_stream_a_row(kind):
    frame = KINDS[kind]({"w1": ["x", "y", None], "w2": ["x", None, "y"], "w3": ["y", None, "x"]})
    data = StreamData.from_dataframe(frame, ["w1", "w2", "w3"], states=["x", "y"])
    assert sorted(codes.tolist() for codes in data) == [[0, 0, 1], [1], [1, 0]]
    with pytest.raises(StreamError, match="leave id and time out"):
        StreamData.from_dataframe(frame, ["w1", "w2"], "w3")
    with pytest.raises(DomainError, match="no column w9"):
        StreamData.from_dataframe(frame, ["w1", "w9"])


def test_what_is_missing_at_the_end_of_a_list_ends_the_stream():
    for gone in (None, float("nan"), pd.NA, pd.NaT):
        data = StreamData([["a", "b", gone], ["b", gone, gone], [gone]])
        assert [codes.tolist() for codes in data] == [[0, 1], [1], []]
    rows = np.array([[1.0, 2.0], [2.0, np.nan]])
    assert [codes.tolist() for codes in StreamData(rows)] == [[0, 1], [1]]
    with pytest.raises(StreamError, match="Stream 0, step 2 is missing"):
        StreamData([["a", None, "b"]])


TURNS = {
    "now": ["well", "well", "ill", "well", "dead"],
    "then": ["well", "ill", "dead", "dead", "dead"],
    "n": [8, 2, 3, 1, 2],
}


@each
def test_a_chain_of_counted_transitions(kind):
    states = ["well", "ill", "dead"]
    chain = MarkovChain.from_dataframe(
        KINDS[kind](TURNS), weight="n", states=states, smoothing="none", absorbing=["dead"], start=[1, 0, 0]
    )
    assert chain.transitions == pytest.approx(np.array([[8, 2, 1], [0, 0, 11], [0, 0, 11]]) / 11)
    weights = KINDS[kind]({**TURNS, "n": [many / 4 for many in TURNS["n"]]})
    again = MarkovChain.from_dataframe(
        weights, ["now", "then"], "n", states, "none", absorbing=["dead"], start=[1, 0, 0]
    )
    assert again == chain
    with pytest.raises(DomainError, match="There are 3 columns of states"):
        MarkovChain.from_dataframe(KINDS[kind](TURNS))
    with pytest.raises(DomainError, match="dead is none of the given states"):
        MarkovChain.from_dataframe(KINDS[kind](TURNS), ["now", "then"], states=["well", "ill"])


def test_a_chain_of_a_crosstab():
    rows = pd.DataFrame(TURNS).loc[lambda frame: frame.index.repeat(frame["n"])]
    table = pd.crosstab(rows["now"], rows["then"])
    chain = MarkovChain.from_dataframe(table, states=["well", "ill", "dead"])
    assert chain == MarkovChain.from_dataframe(rows, ["now", "then"], states=["well", "ill", "dead"])


def test_absorbing_states_are_never_left():
    streams = [["well", "ill", "dead"], ["well", "well", "dead"]]
    states = ["well", "ill", "dead"]
    # Without a word smoothing makes all states equally likely behind the end of a stream.
    loose = MarkovChain.from_streams(streams, states)
    assert loose.transitions[2] == pytest.approx([1 / 3] * 3)
    for order in (1, 2):
        for smoothing in ("none", "laplace", None):
            chain = MarkovChain.from_streams(streams, states, order, smoothing, absorbing=["dead"])
            counts = transition_counts(streams, states, order).chain(smoothing, ["dead"])
            assert counts == chain
            assert np.all(chain.transitions[..., 2, :] == [0, 0, 1])
            assert order == 1 or np.all(chain.early[2] == [0, 0, 1])
    with pytest.raises(ChainError, match="'ill' is declared absorbing, and the data leave it"):
        MarkovChain.from_streams(streams, absorbing=["ill"])
    with pytest.raises(ChainError, match="no state 'gone' to be absorbing"):
        MarkovChain.from_streams(streams, absorbing=["gone"])
    with pytest.raises(ChainError, match="give a list of states"):
        MarkovChain.from_streams(streams, absorbing="dead")


def test_what_leaks_where_a_state_is_never_left():
    # What the guide says: a uniform row behind the end of streams is another law, and leaks another number.
    visits = StreamData(
        [list("wwiwwid"), list("iwww"), list("wiid")],
        states=list("wid"),
    )
    leaks = [
        float(
            SequenceAnalysis(MarkovChain.from_streams(visits, absorbing=gone), "crr", 5, epsilon=0.5).sequence
        )
        for gone in (None, ["d"])
    ]
    assert leaks == pytest.approx([4.83496, 3.97842], abs=1e-5)
