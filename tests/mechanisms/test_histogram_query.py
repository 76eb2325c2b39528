"""Whole histograms."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import JointDistribution, LinearQuery, QueryError
from pdp_widgets.mechanisms.histogram_query import (
    HistogramQuery,
    as_queries,
    is_histogram,
    joint_sensitivities,
)

JOINT = JointDistribution(np.full((3, 2), 1 / 6), [[20, 35, 50], [35, 66.5]], ["Ann", "Bob"])
WORDS = JointDistribution(np.full((2, 3), 1 / 6), [["no", "yes"], ["yes", "maybe", "no"]])


def test_one_bin_for_each_label():
    histogram = HistogramQuery.of_labels(WORDS)
    assert [query.name for query in histogram] == ["count of no", "count of yes", "count of maybe"]
    assert histogram.bins[1] == LinearQuery.count(WORDS, "yes")
    assert histogram.local_sensitivities.tolist() == [2, 2]
    assert histogram.global_sensitivity == 2
    assert (len(histogram), histogram.name) == (3, "histogram")


def test_groups_of_labels():
    histogram = HistogramQuery.of_labels(WORDS, [["yes", "maybe"]], name="interest")
    assert [y.tolist() for y in histogram.bins[0].contributions] == [[0, 1], [1, 1, 0]]
    assert histogram.local_sensitivities.tolist() == [1, 1]
    assert histogram.name == "interest"


def test_edges():
    histogram = HistogramQuery.of_edges(JOINT, [20, 35, 50])
    assert [query.name for query in histogram] == ["count in [20, 35)", "count in [35, 50]"]
    assert [[y.tolist() for y in query.contributions] for query in histogram] == [
        [[1, 0, 0], [0, 0]],
        [[0, 1, 1], [1, 0]],
    ]


@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=7, unique=True),
    st.lists(st.integers(-7, 7), min_size=2, max_size=5, unique=True).map(sorted),
)
def test_bins_are_those_of_numpy(labels, edges):
    joint = JointDistribution(np.full(len(labels), 1 / len(labels)), [labels])
    histogram = HistogramQuery.of_edges(joint, edges)
    counts = [int(query.contributions[0].sum()) for query in histogram]
    assert counts == np.histogram(labels, edges)[0].tolist()


@given(
    st.lists(st.lists(st.sampled_from([0.0, 1.0, -2.0, 0.5]), min_size=4, max_size=4), min_size=1, max_size=4)
)
def test_joint_sensitivity_is_the_largest_change(rows):
    queries = [LinearQuery([row, row[:2]]) for row in rows]
    expected = [
        max(sum(abs(row[v] - row[w]) for row in rows) for v in range(d) for w in range(d)) for d in (4, 2)
    ]
    assert joint_sensitivities(queries).tolist() == expected
    assert all(
        one <= total
        for query in queries
        for one, total in zip(query.local_sensitivities, joint_sensitivities(queries), strict=True)
    )


def test_what_is_a_histogram():
    assert is_histogram(HistogramQuery.of_labels(WORDS).bins)
    assert not is_histogram([LinearQuery.sum(JOINT)])
    assert not is_histogram([LinearQuery.count(JOINT, 35)] * 2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: HistogramQuery([LinearQuery.sum(JOINT)]), r"Bin 0 \(sum\) is no count: .* tuple 0"),
        (
            lambda: HistogramQuery.of_labels(WORDS, ["yes", ["no", "yes"]]),
            "Label 1 of tuple 0 is in two bins",
        ),
        (lambda: HistogramQuery.of_labels(WORDS, ["yes", "never"]), "'never' is not a label of any tuple"),
        (lambda: HistogramQuery.of_labels(WORDS, "yes"), "groups are 'yes'; give a list"),
        (lambda: HistogramQuery.of_labels(WORDS, 5), "groups are 5; give a list"),
        (lambda: HistogramQuery.of_labels(WORDS, []), "There are no queries"),
        (lambda: HistogramQuery([]), "There are no queries"),
        (
            lambda: HistogramQuery([LinearQuery([[0, 1]]), LinearQuery([[0, 1], [0, 1]])]),
            r"Query 1 .* labels and query 0 for \[2\]",
        ),
        (lambda: HistogramQuery([LinearQuery([[0, 1]])], name=5), "name of the histogram is 5"),
        (lambda: HistogramQuery.of_edges(JOINT, [20]), r"edges are \[20\]; give at least two"),
        (lambda: HistogramQuery.of_edges(JOINT, {20, 35}), "give at least two"),
        (lambda: HistogramQuery.of_edges(JOINT, 20), "edges are 20"),
        (lambda: HistogramQuery.of_edges(JOINT, [20, 20]), "from 20 to 20"),
        (lambda: HistogramQuery.of_edges(JOINT, [20, float("nan")]), "edge of a bin is nan"),
        (lambda: HistogramQuery.of_edges(WORDS, [0, 1]), "is text and lies in no interval"),
    ],
)
def test_faults(make, message):
    with pytest.raises(QueryError, match=message):
        make()


@pytest.mark.parametrize("queries", ["sum", 5, None, [1], [LinearQuery.sum(JOINT), "sum"]])
def test_queries_of_another_kind(queries):
    with pytest.raises(TypeError, match=r"give a (LinearQuery|HistogramQuery)"):
        HistogramQuery(queries)


@pytest.mark.parametrize("make", [HistogramQuery.of_labels, lambda d: HistogramQuery.of_edges(d, [0, 1])])
def test_the_distribution_is_one(make):
    with pytest.raises(TypeError, match="give a JointDistribution"):
        make([[0.5, 0.5]])


def test_one_query_is_a_list_of_one():
    query = LinearQuery.sum(JOINT)
    assert as_queries(query) == (query,)
    assert as_queries(iter([query, query])) == (query, query)


def test_value():
    histogram = HistogramQuery.of_labels(WORDS)
    assert histogram == HistogramQuery.of_labels(WORDS)
    assert histogram != HistogramQuery.of_labels(WORDS, name="other")
    assert histogram != HistogramQuery.of_labels(WORDS, ["yes"])
    assert histogram != 3
    for twin in (pickle.loads(pickle.dumps(histogram)), copy.deepcopy(histogram)):
        assert twin == histogram
        assert hash(twin) == hash(histogram)
        assert not twin.bins[0].contributions[0].flags.writeable
    assert repr(histogram) == (
        "HistogramQuery(3 bins: count of no, count of yes, count of maybe; name='histogram')"
    )
    with pytest.raises(AttributeError, match="read-only"):
        histogram.name = "x"
    with pytest.raises(AttributeError, match="cannot be changed"):
        histogram.__init__([])
    histogram.check_fits(WORDS)
    with pytest.raises(QueryError, match="labels and"):
        histogram.check_fits(JOINT)
    many = HistogramQuery.of_labels(JointDistribution(np.full(20, 0.05)))
    assert len(repr(many)) < 300
