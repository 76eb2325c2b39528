"""Mean, counts and bins of a histogram as linear queries."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import DomainError, JointDistribution, LaplaceMechanism, LinearQuery, QueryError, exact_all

AGES = JointDistribution(np.full((3, 2), 1 / 6), [[20, 35, 50], [35, 66.5]], ["Ann", "Bob"])
MIXED = JointDistribution(np.full((2, 3), 1 / 6), [["no", "yes"], [0, 1, 40]], ["smokes", "visits"])
ITEMS = JointDistribution(np.full((2, 2), 1 / 4), [["no", "yes"]] * 2)


def contributions(query):
    return [y.tolist() for y in query.contributions]


def test_mean():
    query = LinearQuery.mean(AGES)
    assert contributions(query) == [[10, 17.5, 25], [17.5, 33.25]]
    assert query.name == "mean"
    with pytest.raises(QueryError, match="label no of smokes is text") as caught:
        LinearQuery.mean(MIXED)
    assert caught.value.where.axis == 0


@given(st.lists(st.integers(1, 9), min_size=16, max_size=16), st.floats(0.05, 20))
def test_the_mean_leaks_what_the_sum_leaks_at_n_times_the_scale(weights, scale):
    joint = JointDistribution.from_counts(np.reshape(weights, (2, 2, 2, 2)))
    of_sum, _ = exact_all(joint, LaplaceMechanism(LinearQuery.sum(joint), scale))
    of_mean, _ = exact_all(joint, LaplaceMechanism(LinearQuery.mean(joint), scale / 4))
    np.testing.assert_allclose(of_mean, of_sum, atol=1e-11, rtol=1e-11)


@pytest.mark.parametrize(
    ("joint", "what", "expected", "name"),
    [
        (AGES, lambda v: v > 34, [[0, 1, 1], [1, 1]], "count of labels 35, 50 and 66.5"),
        (AGES, lambda v: np.bool_(v > 65), [[0, 0, 0], [0, 1]], "count of label 66.5"),
        (AGES, lambda v: v > 99, [[0, 0, 0], [0, 0]], "count of no label"),
        (AGES, lambda v: v > 0, [[1, 1, 1], [1, 1]], "count of 4 labels"),
        (AGES, 35, [[0, 1, 0], [1, 0]], "count of label 35"),
        (AGES, 35.0, [[0, 1, 0], [1, 0]], "count of label 35"),
        (AGES, np.int64(35), [[0, 1, 0], [1, 0]], "count of label 35"),
        (AGES, [20, 35], [[1, 1, 0], [1, 0]], "count of labels 20 and 35"),
        (AGES, {35, 20}, [[1, 1, 0], [1, 0]], "count of labels 20 and 35"),
        (AGES, np.array([20, 35]), [[1, 1, 0], [1, 0]], "count of labels 20 and 35"),
        (AGES, {"Ann": 35}, [[0, 1, 0], [0, 0]], "count of chosen labels"),
        (AGES, {"Ann": 50}, [[0, 0, 1], [0, 0]], "count of label 50"),
        (AGES, {0: lambda v: v < 50, "Bob": [35]}, [[1, 1, 0], [1, 0]], "count of labels 20 and 35"),
        (ITEMS, "yes", [[0, 1], [0, 1]], "count of yes"),
        (ITEMS, ("no", "yes"), [[1, 1], [1, 1]], "count of no and yes"),
        (MIXED, "yes", [[0, 1], [0, 0, 0]], "count of yes"),
        (MIXED, {"smokes": "yes", "visits": bool}, [[0, 1], [0, 1, 1]], "count of labels yes, 1 and 40"),
        (MIXED, {"visits": True}, [[0, 0], [0, 1, 0]], "count of label 1"),
    ],
)
def test_counts(joint, what, expected, name):
    query = LinearQuery.count(joint, what)
    assert contributions(query) == expected
    assert query.name == name
    assert LinearQuery.count(joint, what, name="sick").name == "sick"


def test_labels_that_are_no_plain_words():
    joint = JointDistribution([0.25, 0.25, 0.25, 0.25], [["", "1", "ill", "1st"]])
    assert LinearQuery.count(joint, "").name == "count of label ''"
    assert LinearQuery.count(joint, "1").name == "count of label 1"
    assert LinearQuery.count(joint, "1st").name == "count of 1st"
    assert LinearQuery.count(joint, ["1", "ill"]).name == "count of labels 1 and ill"
    often = JointDistribution([0.25, 0.25, 0.25, 0.25], [["never", "very often", "not at all", "type 2"]])
    assert LinearQuery.count(often, "very often").name == "count of “very often”"
    assert LinearQuery.count(often, "type 2").name == "count of type 2"
    assert LinearQuery.count(often, ["never", "not at all"]).name == "count of never and “not at all”"


def fails(v):
    raise ZeroDivisionError("no such age")


@pytest.mark.parametrize(
    ("joint", "what", "message", "axis"),
    [
        (MIXED, lambda v: v > 1, r"fails at the label no of smokes \(TypeError", 0),
        (AGES, fails, r"fails at the label 20 of Ann \(ZeroDivisionError: no such age\)", 0),
        (AGES, {"Bob": fails}, r"fails at the label 35 of Bob", 1),
        (AGES, lambda v: 1, r"returns 1 at the label 20 of Ann; it must return true or false", 0),
        (AGES, lambda v: None if v == 66.5 else True, r"returns None at the label 66\.5 of Bob", 1),
        (AGES, lambda v: np.array([True]), r"returns array", 0),
        (AGES, 36, r"36 is not a label of any tuple; the labels are 20, 35, 50, 66\.5\.", None),
        (AGES, "35", r"'35' is not a label of any tuple", None),
        (AGES, float("nan"), r"nan is not a label", None),
        (AGES, [20, [35]], r"\[35\] is not a label", None),
        (AGES, {"Bob": 20}, r"20 is not a label of Bob; the labels are 35, 66\.5", 1),
        (AGES, {"Bob": {"Ann": 20}}, r"What counts of Bob is", 1),
        (AGES, {}, r"No tuple is named", None),
        (AGES, [], r"No label is named", None),
        (AGES, None, r"What to count is None; give a predicate", None),
        (AGES, b"35", r"What to count is b'35'", None),
        (AGES, [lambda v: True, fails], r"A list holds a predicate; give \{tuple: predicate\}", None),
        (JointDistribution(np.full(20, 0.05)), 99, r"label of x1; the labels are 0, .*, 11, \.\.\.", 0),
    ],
)
def test_faulty_counts(joint, what, message, axis):
    with pytest.raises(QueryError, match=message) as caught:
        LinearQuery.count(joint, what)
    assert caught.value.where.axis == axis


def test_counts_of_tuples_that_do_not_exist():
    with pytest.raises(DomainError, match="no tuple named Cid"):
        LinearQuery.count(AGES, {"Cid": 35})
    with pytest.raises(DomainError, match="named twice"):
        LinearQuery.count(AGES, {"Ann": 35, 0: 20})


@pytest.mark.parametrize(
    ("low", "high", "closed", "expected", "name"),
    [
        (20, 50, False, [[1, 1, 0], [1, 0]], "count in [20, 50)"),
        (20, 50, True, [[1, 1, 1], [1, 0]], "count in [20, 50]"),
        (35.5, np.float64(66.5), False, [[0, 0, 1], [0, 0]], "count in [35.5, 66.5)"),
        (-math.inf, 35, False, [[1, 0, 0], [0, 0]], "count in [-∞, 35)"),
        (np.int64(35), math.inf, False, [[0, 1, 1], [1, 1]], "count in [35, ∞)"),
        (35, math.inf, True, [[0, 1, 1], [1, 1]], "count in [35, ∞]"),
        (51, 52, False, [[0, 0, 0], [0, 0]], "count in [51, 52)"),
    ],
)
def test_bins(low, high, closed, expected, name):
    query = LinearQuery.bin(AGES, low, high, closed=closed)
    assert contributions(query) == expected
    assert query.name == name
    assert LinearQuery.bin(AGES, low, high, name="young").name == "young"


def test_bins_compare_large_integers_exactly():
    joint = JointDistribution([0.5, 0.5], [[2**60, 2**60 + 1]])
    assert contributions(LinearQuery.bin(joint, 2**60 + 1, 10**400)) == [[0, 1]]


@pytest.mark.parametrize(
    ("low", "high", "message", "name"),
    [
        (35, 35, "from 35 to 35; the first edge must be below the second", "high"),
        (50, 20, "from 50 to 20", "high"),
        (float("nan"), 35, "edge of a bin is nan; it must be a number", "low"),
        (20, "35", "edge of a bin is '35'", "high"),
        (False, 35, "edge of a bin is False", "low"),
        (20, None, "edge of a bin is None", "high"),
    ],
)
def test_faulty_bins(low, high, message, name):
    with pytest.raises(QueryError, match=message) as caught:
        LinearQuery.bin(AGES, low, high)
    assert caught.value.where.name == name


def test_text_lies_in_no_bin():
    with pytest.raises(QueryError, match=r"label no of smokes is text .* LinearQuery\.count") as caught:
        LinearQuery.bin(MIXED, 0, 1)
    assert caught.value.where.axis == 0


@pytest.mark.parametrize(
    "make", [LinearQuery.mean, lambda d: LinearQuery.count(d, 1), lambda d: LinearQuery.bin(d, 0, 1)]
)
def test_the_distribution_is_one(make):
    with pytest.raises(TypeError, match="give a JointDistribution"):
        make([[0.5, 0.5]])


@given(
    st.lists(st.integers(-5, 5), min_size=1, max_size=6, unique=True), st.integers(-6, 5), st.integers(1, 6)
)
def test_bins_are_counts_of_a_predicate(labels, low, width):
    joint = JointDistribution(np.full(len(labels), 1 / len(labels)), [labels])
    same = LinearQuery.count(joint, lambda v: low <= v < low + width)
    assert contributions(LinearQuery.bin(joint, low, low + width)) == contributions(same)
