"""Streams from data: labels, facts, frequencies, files, grids and the series that comes with the package."""

import datetime
import gzip
import math
import pickle
import re
import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    ChainError,
    DomainError,
    LimitError,
    MarkovChain,
    StreamData,
    StreamError,
    read_click_streams,
    seattle_weather,
)
from pdp_widgets.errors import DataRemark, SortedStreamsWarning
from pdp_widgets.models import stream_files
from pdp_widgets.models.stream_files import parse_click_streams, rain_states
from pdp_widgets.streams import grid_cells, grid_centres, quantised, transition_counts

LISTS = st.lists(st.lists(st.integers(0, 4), max_size=7), min_size=1, max_size=6)


def test_streams_are_a_value():
    data = StreamData([["dry", "wet"], ["wet"], []], title="rain")
    assert data == StreamData(iter([("dry", "wet"), ["wet"], []]), title="rain")
    assert data != StreamData([["dry", "wet"], ["wet"]], title="rain")
    assert pickle.loads(pickle.dumps(data)) == data
    assert hash(pickle.loads(pickle.dumps(data))) == hash(data)
    assert repr(data) == "StreamData('rain', 3 streams, 3 events, 2 symbols)"
    assert (len(data), data.n, data[-1].tolist(), data.labels(0)) == (3, 2, [], ("dry", "wet"))
    with pytest.raises(AttributeError, match="read-only"):
        data.title = "snow"
    with pytest.raises(ValueError, match="read-only"):
        data.codes[0] = 1
    with pytest.raises(IndexError):
        data[3]


def test_labels_are_in_a_natural_order():
    assert StreamData([[9, 10, 2]]).states == (2, 9, 10)
    assert StreamData([[9, 10, 2]])[0].tolist() == [1, 2, 0]
    assert StreamData([["b", "a"]]).states == ("b", "a")
    assert StreamData([["yes", "no"]]).states == ("no", "yes")
    assert StreamData([[True, False]]).states == (False, True)
    assert StreamData([["b"]], states=["a", "b"]).states == ("a", "b")
    assert StreamData(np.array([[1, 0], [0, 0]]))[0].tolist() == [1, 0]


@given(LISTS)
def test_facts_are_counts(lists):
    data = StreamData(lists, states=range(5))
    facts = data.facts
    some = [s for s in lists if s]
    pairs = {(a, b) for s in lists for a, b in pairwise(s) if a != b}
    assert facts.streams == len(some)
    assert facts.events == sum(map(len, lists))
    assert facts.symbols == len({x for s in lists for x in s})
    assert facts.shortest == min(map(len, some), default=0)
    assert facts.longest == max(map(len, some), default=0)
    assert facts.with_repeats == sum(len(set(s)) < len(s) for s in lists)
    assert facts.pairs_in_both_orders == sum((b, a) in pairs for a, b in pairs if a < b)


@given(LISTS, st.sampled_from([1, 2]), st.sampled_from([0.0, 0.2, 1.0]))
def test_frequencies_are_those_of_the_definition(lists, order, alpha):
    counts = transition_counts(StreamData(lists, states=range(5)), order=order)
    some = [s for s in lists if s]
    if not some and alpha == 0:
        with pytest.raises(StreamError, match="no frequencies"):
            counts.chain(alpha)
        return
    chain = counts.chain(alpha)
    for i in range(5):
        start = (sum(s[0] == i for s in some) + alpha) / (len(some) + 5 * alpha)
        assert chain.start[i] == pytest.approx(start)
        after = [b for s in lists for a, b in pairwise(s) if a == i]
        row = [
            (after.count(j) + alpha) / (len(after) + 5 * alpha) if after or alpha else 0.2 for j in range(5)
        ]
        assert (chain.transitions if order == 1 else chain.early)[i] == pytest.approx(row)
    for i, j in np.ndindex(*(5, 5) if order == 2 else (0, 0)):
        after = [c for s in lists for a, b, c in zip(s, s[1:], s[2:], strict=False) if (a, b) == (i, j)]
        row = [
            (after.count(k) + alpha) / (len(after) + 5 * alpha) if after or alpha else -1 for k in range(5)
        ]
        expected = chain.early[j] if row[0] == -1 else row
        assert chain.transitions[i, j] == pytest.approx(expected)


def test_smoothing_by_name():
    streams = [["a", "b", "a"], ["b"]]
    for name, number in (("one per row", 0.5), ("none", 0), ("jeffreys", 0.5), ("laplace", 1)):
        assert MarkovChain.from_streams(streams, smoothing=name) == MarkovChain.from_streams(
            streams, smoothing=number
        )
    assert MarkovChain.from_streams(streams) == MarkovChain.from_streams(streams, smoothing="one per row")
    assert MarkovChain.from_streams(streams).states == ("a", "b")
    assert MarkovChain.from_streams(streams, order=2).order == 2
    for wrong in ("much", -1, math.nan, math.inf, [1]):
        with pytest.raises(ChainError, match=r"smoothing is .* 'laplace'"):
            MarkovChain.from_streams(streams, smoothing=wrong)
    for wrong in (0, 3, True, "1", None):
        with pytest.raises(ChainError, match="The order is"):
            MarkovChain.from_streams(streams, order=wrong)


def test_a_chain_is_found_again_from_its_streams():
    chain = MarkovChain([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.5, 0.25, 0.25]], states=["a", "b", "c"])
    codes = chain.simulate(500, users=400, rng=5)
    data = StreamData.from_codes(codes.ravel(), np.arange(0, codes.size + 1, 500), chain.states)
    found = MarkovChain.from_streams(data)
    assert found.transitions == pytest.approx(chain.transitions, abs=0.01)
    assert found.start == pytest.approx(chain.start, abs=0.1)


def test_large_alphabets_are_counted_sparsely():
    data = StreamData.from_codes([0, 2999, 0, 2999], [0, 4], range(3000))
    counts = transition_counts(data)
    assert counts.pairs[0, 2999] == 2
    assert counts.pairs.nnz == 2
    assert counts.chain("none").transitions[0, 2999] == 1
    huge = StreamData.from_codes([0, 1], [0, 2], range(20_000))
    with pytest.raises(LimitError, match="Keep the most frequent"):
        transition_counts(huge).chain()
    with pytest.raises(LimitError, match="triples"):
        transition_counts(huge, order=2)


def test_the_most_frequent_symbols_are_kept():
    data = StreamData([["c", "a", "b", "a"], ["b", "d"]])
    small = data.most_frequent(2)
    assert small.states == ("a", "b", "other")
    assert [small.labels(k) for k in range(2)] == [("other", "a", "b", "a"), ("b", "other")]
    assert data.most_frequent(9, other="rest").states == ("a", "b", "c", "d", "rest")
    with pytest.raises(StreamError, match="'a', and a symbol that is kept has it"):
        data.most_frequent(2, other="a")
    with pytest.raises(ChainError, match="symbols that are kept is 0"):
        data.most_frequent(0)


def test_symbols_that_a_model_does_not_know():
    later = StreamData([["a"], ["b", "z", "z"]])
    assert later.for_states(["b", "other", "a"])[1].tolist() == [0, 1, 1]
    with pytest.raises(
        StreamError, match="Stream 1, step 2 is 'z', which the model does not have; it has 'a', 'b'"
    ):
        later.for_states(["a", "b"])
    assert StreamData([["a"]], states=["a", "z"]).for_states(["a"])[0].tolist() == [0]
    assert MarkovChain.from_streams(later, states=["a", "b", "other"]).n == 3


@pytest.mark.parametrize(
    ("streams", "message"),
    [
        ("abc", "'abc'; give one list of symbols for each user"),
        (7, "give one list"),
        ("clicks.dat", "Read a file first: read_click_streams"),
        ([1, 2, 3], "One stream of your own is StreamData"),
        (["ab"], "Stream 0 is 'ab'"),
        ([[1, None, 1]], r"Stream 0, step 2 is missing \(None\); cut the stream there"),
        ([[1], [2, math.nan, 2]], "Stream 1, step 2 is missing"),
        (np.array([[1.0, math.nan, 1.0]]), "Stream 0, step 2 is missing"),
        ([["a", pd.NaT, "a"]], "Stream 0, step 2 is missing"),
        ([pd.Series([1, None, 1], dtype="Int64")], r"Stream 0, step 2 is missing \(<NA>\)"),
        (np.ma.array([[1, 2]], mask=[[False, True]]), "masked"),
        ([[1, [2]]], "Stream 0, step 2 is a list"),
        ([["a", "\ud800"]], "half a character"),
        ([[], []], "no event"),
        ([], "no event"),
    ],
)
def test_streams_that_are_none(streams, message):
    with pytest.raises(StreamError, match=message):
        StreamData(streams)


def test_other_wrong_streams():
    with pytest.raises(StreamError, match="Stream 0, step 2 is 3, which is none of the states 1, 2"):
        StreamData([[1, 3]], states=[1, 2])
    with pytest.raises(DomainError, match="twice"):
        StreamData([[1]], states=[1, 1])
    for codes, offsets in (
        ([0, 2], [0, 2]),
        ([-1], [0, 1]),
        ([0], [0, 2]),
        ([0], [1, 1]),
        ([0, 0], [0, 2, 1, 2]),
    ):
        with pytest.raises(StreamError):
            StreamData.from_codes(codes, offsets, ["a", "b"])
    with pytest.raises(StreamError, match="positions of symbols"):
        StreamData.from_codes([0.5], [0, 1], ["a"])
    assert StreamData([], states=["a"]).facts.streams == 0


def test_the_mark_before_a_first_line_is_no_part_of_it(tmp_path):
    file = tmp_path / "clicks.dat"
    file.write_bytes(b"\xef\xbb\xbf3 1 3\r\n1 \xe9\n1\xc2\xa03\n1 3\n")
    data = read_click_streams(file)
    assert [data.labels(k) for k in range(len(data))] == [(3, 1, 3), (1, 3)]
    assert data.facts.malformed == 2


@pytest.mark.parametrize(
    ("held", "why"),
    [
        (b"3 1 3\n1 3\n", "it is no sound gzip file"),
        (gzip.compress(b"3 1 3\n" * 5000)[:60], "it ends too early"),
        (gzip.compress(b"3 1 3\n")[:10] + b"\xff" * 40, "it is no sound gzip file"),
    ],
    ids=["plain", "cut", "damaged"],
)
def test_what_cannot_be_unpacked_is_told_by_name(tmp_path, held, why):
    file = tmp_path / "clicks.dat.gz"
    file.write_bytes(held)
    with pytest.raises(StreamError, match=rf"clicks\.dat\.gz cannot be unpacked: {why}"):
        read_click_streams(file)


def test_a_line_that_is_too_long_is_refused_by_its_number(tmp_path, monkeypatch):
    monkeypatch.setattr(stream_files, "_MOST_PAGES", 1000)
    monkeypatch.setattr(stream_files, "_LONGEST_LINE", 20_000)
    file = tmp_path / "clicks.dat"
    for line in ("7 " * 1001, "7" * 30_000, " " * 30_000, "7 " * 10**6):
        file.write_text(f"1 2\n{line}\n3\n", encoding="ascii")
        with pytest.raises(LimitError, match=r"[Ll]ine 2 is too long: a line has at most"):
            read_click_streams(file)
    file.write_text(f"1 2\n{'7 8 ' * 500}\n", encoding="ascii")
    assert read_click_streams(file).facts.events == 1002
    with pytest.raises(LimitError, match="Line 1 is too long"):
        parse_click_streams(["7 " * 1001])


def test_reading_clicks(tmp_path):
    text = "3 1 3\n2 x 5\n1 3\n\n  7   8 \n1 -2\n1 ²\n"
    file = tmp_path / "clicks.dat"
    file.write_text(text, encoding="utf-8")
    data = read_click_streams(file)
    assert data.title == "clicks"
    assert [data.labels(k) for k in range(len(data))] == [(3, 1, 3), (1, 3), (7, 8)]
    facts = data.facts
    assert (facts.malformed, facts.with_repeats, facts.pairs_in_both_orders, facts.symbols) == (3, 1, 1, 4)
    packed = tmp_path / "clicks.dat.gz"
    with gzip.open(packed, "wt", encoding="utf-8") as stream:
        stream.write(text)
    assert read_click_streams(packed) == data
    assert parse_click_streams(["007 7"]).states == (7,)
    small = read_click_streams(file, most_frequent=1)
    assert small.labels(2) == ("other", "other")
    file.write_text("a b\n\n", encoding="utf-8")
    with pytest.raises(StreamError, match=r"No line holds a stream.*'a b'.*from_dataframe\(pandas.read_csv"):
        read_click_streams(file)


def test_a_file_of_two_bytes_a_character_is_read_where_it_says_so(tmp_path):
    file = tmp_path / "clicks.dat"
    file.write_bytes("3 1 3\r\n1 3\r\n".encode("utf-16"))
    assert [codes.tolist() for codes in read_click_streams(file)] == [[1, 0, 1], [0, 1]]
    packed = tmp_path / "clicks.dat.gz"
    packed.write_bytes(gzip.compress("3 1 3\n1 3\n".encode("utf-16")))
    assert len(read_click_streams(packed)) == 2


@pytest.mark.parametrize("line", ["1,2,3", "1;2", "nan", "-1 2", "<b>1</b>"])
def test_the_first_line_that_is_no_stream_is_named(tmp_path, line):
    file = tmp_path / "clicks.dat"
    file.write_text(f"\n{line}\nx\n", encoding="utf-8")
    with pytest.raises(StreamError, match=f"first line that has something else is {re.escape(repr(line))}"):
        read_click_streams(file)


def test_a_sorted_file_is_warned_of(tmp_path):
    rng = np.random.default_rng(2)
    lines = [" ".join(map(str, sorted(rng.choice(50, 8, replace=False).tolist()))) for _ in range(200)]
    file = tmp_path / "sets.dat"
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.warns(SortedStreamsWarning, match=r"sets\.dat: not one of 1,600 events"):
        read_click_streams(file, most_frequent=5)
    # A thousand events are no evidence, and one pair in both orders is none either.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        file.write_text("\n".join(lines[:125]), encoding="utf-8")
        assert read_click_streams(file).facts.events == 1000
        file.write_text("\n".join([*lines, "49 0", "0 49"]), encoding="utf-8")
        assert read_click_streams(file).facts.pairs_in_both_orders == 1


def test_numbers_in_public_intervals():
    data = quantised([[0, 2.5, 4.999, 5, 9, -1], [1]], 0, 5, 4)
    assert [codes.tolist() for codes in data] == [[0, 2, 3, 3, 3, 0], [0]]
    assert data.states == ("0 to 1.25", "1.25 to 2.5", "2.5 to 3.75", "3.75 to 5")
    assert quantised(np.array([[1, 2], [3, 4]]), 0, 5, 1).codes.tolist() == [0] * 4
    assert len(quantised(np.array([[1, 2], [3, 4]]), 0, 5, 1)) == 2
    assert quantised([1, 2], 3, 3, 4).codes.tolist() == [0, 0]
    assert quantised([-math.inf, math.inf], 0, 1, 4).codes.tolist() == [0, 3]
    assert quantised([[], [1]], 0, 2, 2).codes.tolist() == [1]


def test_what_is_missing_is_no_bridge():
    data = quantised([1, None, math.nan, 2, 3, None], 0, 4, 4)
    assert [codes.tolist() for codes in data] == [[1], [2, 3]]
    track = grid_cells([[[0, 0], [math.nan, 0], [1, 1]], [[0, None], [0, 0]]], ((0, 0), (1, 1)), 2)
    assert [codes.tolist() for codes in track] == [[0], [3], [0]]
    assert transition_counts(track).pairs.sum() == 0


def test_points_on_a_public_grid():
    points = [[0, 0], [1, 1], [0.5, 0.25], [0.999, 0.001], [1.2, -0.3]]
    data = grid_cells(points, ((0, 0), (1, 1)), 4)
    assert data[0].tolist() == [0, 15, 9, 12, 12]
    assert grid_centres(4)[9].tolist() == [0.625, 0.375]
    assert data.states[12] == "column 3, row 0"
    assert grid_cells(np.array([points, points]), ((0, 0), (1, 1)), 4)[1].tolist() == [0, 15, 9, 12, 12]
    assert grid_cells([(3, 5)], ((3, 5), (3, 9)), 4)[0].tolist() == [0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quantised([1, "a"], 0, 1, 2), "Series 0 has an entry that is not a number"),
        (lambda: quantised("abc", 0, 1, 2), "give a series"),
        (lambda: quantised([math.nan], 0, 1, 2), "all are missing"),
        (lambda: quantised([], 0, 1, 2), "no value"),
        (lambda: quantised([1], 2, 1, 2), "The bounds are 2 and 1"),
        (lambda: quantised([1], 0, math.inf, 2), "finite"),
        (lambda: quantised([1], -1e308, 1e308, 2), "finite"),
        (lambda: quantised([1], "a", 1, 2), "low is 'a'"),
        (lambda: quantised([1], 0, 1, 10_001), "at most 10,000"),
        (lambda: grid_cells([[0, 0, 0]], ((0, 0), (1, 1)), 2), r"not a point \(x, y\)"),
        (lambda: grid_cells([[0, 0]], (0, 1), 2), "lower and the upper corner"),
        (lambda: grid_cells([[0, 0]], ((0, 1), (1, 0)), 2), "The bounds are 1 and 0"),
        (lambda: grid_cells([[0, 0]], ((0, 0), (1, 1)), 101), "10,201 cells"),
        (
            lambda: grid_cells([[0, 0]], ((0, 0), (1, 1)), 10**400),
            "about 401 digits cells a side has far more",
        ),
        (lambda: rain_states([datetime.date(2012, 1, 1)], [-1]), "0 or more"),
        (lambda: rain_states([datetime.date(2012, 1, 1)] * 2, [1, 1]), "ascending"),
        (lambda: seattle_weather(["a", "b"]), "2 labels; give three"),
        (lambda: seattle_weather(heavy_from=0), "heavy_from is 0"),
    ],
)
def test_wrong_numbers(call, message):
    with pytest.raises(StreamError, match=message):
        call()


def test_the_series_that_comes_with_the_package():
    data = seattle_weather()
    assert data == seattle_weather()
    assert data.states == ("dry", "light", "heavy")
    assert len(data) == 1
    assert data.facts.events == 1461
    assert not data.facts.looks_sorted
    assert data.counts.tolist() == [838, 360, 263]
    chain = MarkovChain.from_streams(data, smoothing="none")
    assert chain.transitions.round(3).tolist() == [
        [0.756, 0.177, 0.067],
        [0.389, 0.339, 0.272],
        [0.243, 0.342, 0.414],
    ]
    assert seattle_weather(heavy_from=10).counts.tolist()[2] == 144


def test_days_that_are_missing_cut_the_series():
    day = datetime.date(2012, 2, 27).toordinal()
    days = [datetime.date.fromordinal(day + k) for k in (0, 1, 2, 4, 5, 6)]
    data = rain_states(days, [0, 4.9, 5, 0.3, math.nan, 0])
    assert [codes.tolist() for codes in data] == [[0, 1, 2], [1], [0]]
    assert rain_states([], []).facts.events == 0


def test_data_frames_of_events():
    columns = {"who": ["a", "b", "a", "a", "b"], "page": ["x", "y", None, "y", "x"]}
    expected = StreamData([["x"], ["y", "x"], ["y"]], title="log")
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), columns):
        with pytest.warns(DataRemark, match="in the order of the rows"):
            assert StreamData.from_dataframe(frame, "page", "who", title="log") == expected
    one = StreamData.from_dataframe(pd.DataFrame({"level": [2, 2, 1]}), "level", states=[1, 2, 3])
    assert one[0].tolist() == [1, 1, 0]
    with pytest.raises(StreamError, match="row 1 is missing; every event needs its user"):
        StreamData.from_dataframe({"who": ["a", None], "page": [1, 2]}, "page", "who")
    with pytest.raises(DomainError, match="side"):
        StreamData.from_dataframe({"page": [1, 2]}, "side")
    with pytest.raises(StreamError, match=r"StreamData\.from_dataframe"):
        StreamData(pd.DataFrame(columns))


def test_columns_of_data_frames_are_series():
    values = [0.5, None, 1.5, 9.0]
    for series in (pd.Series(values), pl.Series(values)):
        assert [codes.tolist() for codes in quantised(series, 0, 2, 2)] == [[0], [1, 1]]
    assert StreamData([pd.Series(["a", "b"]), pl.Series(["b"])]).codes.tolist() == [0, 1, 1]
    frame = pd.DataFrame([[0.9, 0.1], [0.3, 0.7]], columns=["dry", "wet"])
    assert MarkovChain(frame, states=frame.columns).states == ("dry", "wet")


@pytest.mark.parametrize("user", [2, -3, 10**400, "anna", None, 0.0, True, [0], np.zeros(2)])
def test_a_stream_that_does_not_exist_is_named(user):
    data = StreamData([["a", "b"], ["b"]])
    with pytest.raises(StreamError, match=r"There is no stream .*; there are positions from 0 to 1"):
        data.labels(user)
    with pytest.raises(StreamError, match="there are no stream"):
        StreamData([], ["a"]).labels(0)
    assert data.labels(-1) == data.labels(np.int64(1)) == ("b",)


@pytest.mark.parametrize("other", [[], {}, np.zeros(2), math.nan])
def test_the_others_have_a_label(other):
    with pytest.raises(DomainError, match="A label of the model"):
        StreamData([["a", "b"]]).for_states(["a"], other)


def test_without_others_every_symbol_is_a_state():
    with pytest.raises(StreamError, match="which the model does not have"):
        StreamData([["a", "b"]]).for_states(["a"], None)


@pytest.mark.parametrize("cells", [101, 10**7, 10**400])
def test_centres_of_more_cells_than_a_grid_has_are_refused(cells):
    with pytest.raises(LimitError, match="at most 100"):
        grid_centres(cells)
