"""Additive queries."""

import pickle

import numpy as np
import pytest

from pdp_widgets import JointDistribution, LinearQuery, QueryError

JOINT = JointDistribution(np.full((2, 3), 1 / 6), [[0, 1], [2, -1.5, True]], ["a", "b"])


def test_sum_of_labels():
    query = LinearQuery.sum(JOINT)
    assert [y.tolist() for y in query.contributions] == [[0, 1], [2, -1.5, 1]]
    assert query.local_sensitivities.tolist() == [1, 3.5]
    assert query.global_sensitivity == 3.5
    assert query.values().tolist() == [[2, -1.5, 1], [3, -0.5, 2]]


def test_weights():
    query = LinearQuery.weighted(JOINT, [-1, 0])
    assert [y.tolist() for y in query.contributions] == [[0, -1], [0, 0, 0]]
    assert query.global_sensitivity == 1


def test_mean_is_a_weighted_sum():
    n = JOINT.n_tuples
    mean, total = LinearQuery.weighted(JOINT, [1 / n] * n), LinearQuery.sum(JOINT)
    np.testing.assert_allclose(mean.values(), total.values() / n)


def test_equal_contributions_are_allowed():
    assert LinearQuery([[1, 1, 0], [3, 3]]).local_sensitivities.tolist() == [1, 0]


def test_text_needs_contributions():
    joint = JointDistribution([[0.5, 0], [0, 0.5]], [[0, 1], ["no", "yes"]], ["a", "ill"])
    with pytest.raises(QueryError, match=r"label no of ill is text .* give contributions") as caught:
        LinearQuery.sum(joint)
    assert caught.value.where.axis == 1
    with pytest.raises(QueryError, match="is text"):
        LinearQuery.weighted(joint, [1, 0])
    LinearQuery([[0, 1], [0, 1]]).check_fits(joint)


@pytest.mark.parametrize(
    ("weights", "message", "axis"),
    [
        ([1, float("nan")], "weight of b is nan", 1),
        ([float("inf"), 1], "weight of a is inf", 0),
        ([1], "1 weights for 2 tuples", None),
        ([1, 2, 3], "3 weights for 2 tuples", None),
        (["x", 1], "not a list of numbers", None),
        (5, "not a list of numbers", None),
    ],
)
def test_faulty_weights(weights, message, axis):
    with pytest.raises(QueryError, match=message) as caught:
        LinearQuery.weighted(JOINT, weights)
    assert caught.value.where.axis == axis


@pytest.mark.parametrize(
    ("contributions", "message"),
    [
        ([], "There are no contributions"),
        ([[0, 1], []], "contributions of tuple 1 are not a list"),
        ([[0, 1], 5], "contributions of tuple 1 are not a list"),
        ([[0, "x"]], "contributions of tuple 0 are not a list"),
        ([[[0, 1]]], "contributions of tuple 0 are not a list"),
        ([[0, 1], [0, float("nan")]], "contribution of label 1 of tuple 1 is nan"),
        ([[float("inf"), 1]], "contribution of label 0 of tuple 0 is inf"),
        ([[0, 1.7e308], [-1.7e308, 0]], "too large to be added"),
    ],
)
def test_faulty_contributions(contributions, message):
    with pytest.raises(QueryError, match=message):
        LinearQuery(contributions)


def test_label_beyond_floats():
    joint = JointDistribution([0.5, 0.5], [[0, 10**400]])
    with pytest.raises(QueryError, match="too large to be added"):
        LinearQuery.sum(joint)


def test_value():
    query = LinearQuery([[0, 1], [0, 5]], name="score")
    assert query == LinearQuery([[0, 1], [0, 5]], name="score")
    assert query != LinearQuery([[0, 1], [0, 5]])
    assert query != LinearQuery([[0, 1]], name="score")
    assert query != LinearQuery([[0, 1], [0, 6]], name="score")
    assert query != 3
    assert hash(query) == hash(pickle.loads(pickle.dumps(query)))
    assert pickle.loads(pickle.dumps(query)) == query
    assert repr(query) == "LinearQuery([[0, 1], [0, 5]], name='score')"
    with pytest.raises(ValueError, match="read-only"):
        query.contributions[0][0] = 3
    with pytest.raises(AttributeError, match="read-only"):
        query.name = "other"
    with pytest.raises(AttributeError):
        del query.name


def test_a_long_query_has_a_short_repr():
    assert len(repr(LinearQuery([list(range(100))] * 50))) < 300
