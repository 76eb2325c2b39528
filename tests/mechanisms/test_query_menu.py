"""Queries that are picked by name."""

import numpy as np
import pytest

from pdp_widgets import JointDistribution, LinearQuery, QueryError, lsat6, titanic
from pdp_widgets.mechanisms.query_menu import queries_for, query_by_key


def of_labels(*domains):
    shape = [len(domain) for domain in domains]
    return JointDistribution(np.full(shape, 1 / np.prod(shape)), domains)


def keys(joint):
    return [choice.key for choice in queries_for(joint)]


def test_numbers_have_sum_and_mean_and_counts():
    choices = queries_for(lsat6())
    assert [(c.key, c.label) for c in choices] == [
        ("sum", "Sum"),
        ("mean", "Mean"),
        ("count:0", "Count of label 0"),
        ("count:1", "Count of label 1"),
    ]
    assert choices[0].query == LinearQuery.sum(lsat6())
    assert choices[3].query == LinearQuery.count(lsat6(), 1)


def test_text_has_counts_alone():
    assert keys(of_labels(["no", "yes"], ["yes", "maybe"])) == ["count:no", "count:yes", "count:maybe"]
    assert "count:crew" in keys(titanic())
    assert "sum" not in keys(titanic())


def test_many_labels_have_no_counts():
    assert keys(of_labels(range(12))) == ["sum", "mean", *(f"count:{k}" for k in range(12))]
    assert keys(of_labels(range(13))) == ["sum", "mean"]
    assert keys(of_labels([f"q{k}" for k in range(13)])) == []
    assert query_by_key(of_labels(range(13)), "count:7").contributions[0][7] == 1


@pytest.mark.parametrize(
    "joint",
    [lsat6(), titanic(), of_labels([0, "0", "'0'", '"0"', "True", True, 2.5, "2.5", "", "nan", "count:0"])],
)
def test_keys_are_distinct_and_lead_back(joint):
    choices = queries_for(joint)
    assert len({c.key for c in choices}) == len(choices)
    for choice in choices:
        assert query_by_key(joint, choice.key) == choice.query
        assert choice.label[:1].isupper()


def test_a_key_stays_when_labels_come_and_go():
    assert query_by_key(of_labels(["yes", "no"]), "count:yes").name == "count of yes"
    assert query_by_key(of_labels(["a", "yes", "b"], [0, 1]), "count:yes").name == "count of yes"


@pytest.mark.parametrize("key", ["median", "count:7", "count:", "Sum", "", None, 5])
def test_unknown_keys(key):
    with pytest.raises(
        QueryError, match=r"give 'sum', a list .* by name: sum, mean, count:0, count:1"
    ) as caught:
        query_by_key(lsat6(), key)
    assert caught.value.where.name == "query"


def test_what_cannot_be_added():
    with pytest.raises(QueryError, match="is text"):
        query_by_key(of_labels(["no", "yes"]), "sum")
    with pytest.raises(QueryError, match="is text"):
        query_by_key(of_labels(["no", "yes"]), "mean")
    with pytest.raises(QueryError, match="give 'count:no', a list of weights"):
        query_by_key(of_labels(["no", "yes"]), "median")
    with pytest.raises(QueryError, match=r"give 'count:\{label\}'"):
        query_by_key(of_labels([f"q{k}" for k in range(13)]), "median")
    assert keys(of_labels([0, 10**400])) == ["count:0", "count:an integer of about 401 digits"]
