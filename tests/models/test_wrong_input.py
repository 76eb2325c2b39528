"""What the models refuse: each message names the culprit, and nothing wrong is taken in silence."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

from pdp_widgets import DomainError, InstanceError, JointDistribution, LimitError, TableError
from pdp_widgets.models.labels import shown

A = [[0.4, 0.1], [0.2, 0.3]]
HALF = "\ud800"


class TestDataFrames:
    @pytest.mark.parametrize("choice", [{}, {"columns": ["a", "b"]}, {"columns": ["b"], "weight": "a"}])
    def test_two_columns_of_one_name(self, choice):
        frame = pd.DataFrame([[1, 2, 0], [3, 4, 1]], columns=["a", "a", "b"])
        with pytest.raises(DomainError, match="two columns named a"):
            JointDistribution.from_dataframe(frame, **choice)

    def test_two_columns_of_one_name_that_are_not_used(self):
        frame = pd.DataFrame([[1, 2, 0], [3, 4, 1]], columns=["a", "a", "b"])
        assert JointDistribution.from_dataframe(frame, columns=["b"]).records == 2

    @pytest.mark.parametrize(
        ("frame", "weight", "lengths"),
        [
            ({"a": [0, 1], "b": [0]}, None, "a has 2 rows and column b has 1"),
            ({"a": [0], "b": [0, 1, 1]}, None, "a has 1 rows and column b has 3"),
            ({"a": [0, 1, 1], "c": [5]}, "c", "a has 3 rows and column c has 1"),
            ({"a": [0, 1], "c": [1, 2, 3]}, "c", "a has 2 rows and column c has 3"),
        ],
    )
    def test_columns_of_unequal_length(self, frame, weight, lengths):
        with pytest.raises(TableError, match=lengths):
            JointDistribution.from_dataframe(frame, weight=weight)

    @pytest.mark.parametrize("column", [5, "xyx", {0, 1}])
    def test_a_column_that_is_no_list(self, column):
        with pytest.raises(DomainError, match="olumn a"):
            JointDistribution.from_dataframe({"a": column})

    def test_counts_are_added_exactly(self):
        frame = {"a": [0] * 2049 + [1], "c": [2**53] * 2050}
        with pytest.raises(TableError, match=f"a = 0\\) sum to {2049 * 2**53:,}"):
            JointDistribution.from_dataframe(frame, weight="c")
        whole = JointDistribution.from_dataframe({"a": [0, 0, 1], "c": [2**53 - 2, 1, 2]}, weight="c")
        assert whole.counts.tolist() == [2**53 - 1, 2]
        assert whole.records == 2**53 + 1

    def test_too_many_cells_or_tuples(self):
        with pytest.raises(LimitError, match=r"656,100,000,000 cells.*c0 has 30 labels"):
            JointDistribution.from_dataframe({f"c{k}": list(range(30)) for k in range(8)})
        with pytest.raises(LimitError, match="70 columns"):
            JointDistribution.from_dataframe({f"c{k}": [0] for k in range(70)})

    @pytest.mark.parametrize("wrong", [{"columns": 5}, {"columns": {"a"}}, {"domains": [[0, 1]]}])
    def test_arguments_of_another_kind(self, wrong):
        with pytest.raises(DomainError, match="give"):
            JointDistribution.from_dataframe({"a": [0, 1], "b": [0, 1]}, **wrong)


class TestSets:
    @pytest.mark.parametrize(
        "make",
        [
            lambda: JointDistribution(A, [{0, 1}, [0, 1]]),
            lambda: JointDistribution(A, {(0, 1), (2, 3)}),
            lambda: JointDistribution(A, names={"a", "b"}),
            lambda: JointDistribution(A, names=frozenset("ab")),
            lambda: JointDistribution.from_dataframe({"a": ["x", "y"]}, domains={"a": {"x", "y"}}),
            lambda: JointDistribution(A).marginal({"x1", "x2"}),
        ],
    )
    def test_a_set_has_no_order(self, make):
        with pytest.raises(DomainError, match="a set has no order; give a list"):
            make()

    def test_a_set_is_no_row(self):
        with pytest.raises(InstanceError, match="A row is a list of 2 labels"):
            JointDistribution(A).probability({0, 1})


@pytest.mark.parametrize(
    "make", [JointDistribution, JointDistribution.from_counts, JointDistribution.normalised]
)
def test_masked_entries(make):
    table = np.ma.array(A, mask=[[0, 0], [1, 0]])
    with pytest.raises(TableError, match=r"entry at \(1, 0\) of the table.* is masked") as caught:
        make(table)
    assert caught.value.where.index == (1, 0)


@pytest.mark.parametrize(
    "parts",
    [{"domains": [["a", HALF], [0, 1]]}, {"names": [HALF, "b"]}, {"title": HALF}, {"title": 5}],
)
def test_text_that_cannot_be_written(parts):
    with pytest.raises(DomainError, match=r"surrogate|title is 5|name of tuple 0") as caught:
        JointDistribution(A, **parts)
    str(caught.value).encode()


def test_no_title():
    assert JointDistribution(A, title=None).title == ""


@pytest.mark.parametrize("wrong", [{"domains": 5}, {"domains": "ab"}, {"names": 5}])
def test_lists_that_are_none(wrong):
    with pytest.raises(DomainError, match="give"):
        JointDistribution(A, **wrong)


def test_products_too_large_to_be_made():
    with pytest.raises(LimitError, match="1,099,511,627,776 cells"):
        JointDistribution.independent([[0.5, 0.5]] * 40)
    with pytest.raises(LimitError, match="70 axes"):
        JointDistribution.independent([[1]] * 70)
    with pytest.raises(TableError, match="marginals are 5"):
        JointDistribution.independent(5)


@pytest.mark.parametrize("wrong", ["x1", None, 5, ["x1"]])
def test_conditions_without_labels(wrong):
    with pytest.raises(DomainError, match=r"give them as \{tuple: label\}"):
        JointDistribution(A).condition(wrong)


def test_a_tuple_conditioned_on_twice():
    with pytest.raises(DomainError, match="x1 is named twice"):
        JointDistribution(A).condition({"x1": 0, 0: 1})


@pytest.mark.parametrize("wrong", [None, 5.5])
def test_marginal_of_no_list(wrong):
    with pytest.raises(DomainError, match="give a list of names or positions"):
        JointDistribution(A).marginal(wrong)


def test_text_labels_are_quoted():
    with pytest.raises(InstanceError, match="'0' is not a label of x1; its labels: 0, 1"):
        JointDistribution(A).probability(["0", 0])


def test_integers_of_thousands_of_digits():
    assert shown(10**5000) == "an integer of about 5001 digits"
    with pytest.raises(InstanceError, match="5001 digits"):
        JointDistribution(A).probability([10**5000, 0])
    assert "2 labels" in repr(JointDistribution(A, [[0, 10**5000], [0, 1]]))


def test_what_writes_several_lines_is_one_line_of_a_message():
    assert shown(np.eye(2)) == "array([[1., 0.], [0., 1.]])"
    assert shown("a\n  b") == repr("a\n  b")


def test_no_copy_can_be_written_to():
    joint = JointDistribution.from_counts([[3, 2], [2, 3]])
    for made in (joint, copy.copy(joint), copy.deepcopy(joint), pickle.loads(pickle.dumps(joint))):
        assert made == joint
        for array in (made.table, made.counts):
            assert not array.flags.writeable


def test_a_value_is_made_once():
    joint = JointDistribution(A)
    with pytest.raises(AttributeError, match="cannot be changed"):
        joint.__init__([0.5, 0.5])
    assert joint == JointDistribution(A)
