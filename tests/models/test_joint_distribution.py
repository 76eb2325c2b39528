"""The joint distribution as a value: validation, making, parts, equality."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import DomainError, InstanceError, JointDistribution, LimitError, PdpError, TableError

A = [[0.3, 0.2], [0.2, 0.3]]


class TestValidation:
    """Section 13: every fault of a table and its domains, with its place."""

    @pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
    def test_entry_that_is_no_number(self, bad):
        with pytest.raises(
            TableError, match=r"x1 = 0, x2 = 1\) is (nan|inf|-inf); it must be a finite"
        ) as caught:
            JointDistribution([[0.3, bad], [0.2, 0.3]])
        assert (caught.value.where.kind, caught.value.where.index) == ("cell", (0, 1))

    def test_negative_entry(self):
        with pytest.raises(TableError, match=r"\(ill = yes, old = 7\) is -0.1; it must not be neg") as caught:
            JointDistribution([[0.5, 0.2], [0.4, -0.1]], [["no", "yes"], [3, 7]], ["ill", "old"])
        assert (caught.value.where.kind, caught.value.where.index) == ("cell", (1, 1))

    def test_wrong_length_of_an_axis(self):
        with pytest.raises(TableError, match="3 entries along x2, whose domain has 2 labels") as caught:
            JointDistribution([[0.3, 0.2, 0], [0.2, 0.3, 0]], [[0, 1], [0, 1]])
        assert (caught.value.where.kind, caught.value.where.axis) == ("axis", 1)

    def test_wrong_number_of_axes(self):
        with pytest.raises(TableError, match="2 axes and there are 3 domains") as caught:
            JointDistribution(A, [[0, 1], [0, 1], [0, 1]])
        assert caught.value.where.kind == "table"

    @pytest.mark.parametrize("table", [[[0.5], [0.2, 0.3]], [["a", "b"]], [[1j, 0]], 1.0, None, [{}]])
    def test_not_an_array_of_numbers(self, table):
        with pytest.raises(TableError, match=r"not an array of numbers|single number") as caught:
            JointDistribution(table)
        assert caught.value.where.kind == "table"

    @pytest.mark.parametrize(
        ("entry", "total"), [(0.2, "0.9"), (0.3 + 2e-9, "1.000000002"), (1e308, "1e\\+308")]
    )
    def test_sum(self, entry, total):
        with pytest.raises(TableError, match=f"sum to {total}.*JointDistribution.normalised") as caught:
            JointDistribution([[0.3, 0.2], [0.2, entry]])
        assert caught.value.where.kind == "table"

    def test_sum_beyond_the_largest_float(self):
        with pytest.raises(TableError, match="sum to inf"):
            JointDistribution([1.7e308, 1.7e308])

    def test_sum_within_tolerance_is_kept_as_it_is(self):
        joint = JointDistribution([[0.3, 0.2], [0.2, 0.3 + 5e-10]])
        assert joint.table[1, 1] == 0.3 + 5e-10

    def test_empty_domain(self):
        with pytest.raises(DomainError, match="domain of x2 is empty") as caught:
            JointDistribution(np.ones((2, 0)), [[0, 1], []])
        assert (caught.value.where.kind, caught.value.where.axis) == ("axis", 1)
        with pytest.raises(DomainError, match="domain of x1 is empty"):
            JointDistribution([])

    @pytest.mark.parametrize(
        "domain", [[1, 1], ["a", "a"], [1, True], [0, False], [1, 1.0], [np.int64(1), 1]]
    )
    def test_duplicate_labels(self, domain):
        with pytest.raises(DomainError, match=r"domain of x2 has the label .* twice") as caught:
            JointDistribution(A, [[0, 1], domain])
        assert caught.value.where.axis == 1

    @pytest.mark.parametrize("label", [float("nan"), None, (1, 2), b"x", np.array([1])])
    def test_labels_of_other_kinds(self, label):
        with pytest.raises(DomainError, match="A label of x1 is") as caught:
            JointDistribution(A, [[0, label], [0, 1]])
        assert caught.value.where.axis == 0

    @pytest.mark.parametrize("domains", [["ab", [0, 1]], [5, [0, 1]]])
    def test_domain_that_is_no_list(self, domains):
        with pytest.raises(DomainError, match=r"domain of x1 is (one text|not a list)"):
            JointDistribution(A, domains)

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (["a"], "1 names for 2 tuples"),
            (["a", "a"], "Two tuples have the name a"),
            (["a", ""], "name of tuple 1 is ''"),
            (["a", 3], "name of tuple 1 is 3"),
            ("ab", "one text"),
        ],
    )
    def test_names(self, names, message):
        with pytest.raises(DomainError, match=message):
            JointDistribution(A, names=names)

    def test_long_and_odd_labels_are_cut_in_messages_only(self):
        long = "x" * 10_000
        joint = JointDistribution(A, [[long, "<script>alert(1)</script>"], ["🙂", "שלום"]], [long[:-1], '"'])
        assert joint.domains[0][0] == long
        with pytest.raises(InstanceError) as caught:
            joint.position(["y" * 10_000, "🙂"])
        assert len(str(caught.value)) < 300
        assert len(repr(joint)) < 300

    def test_all_errors_are_value_errors(self):
        assert issubclass(PdpError, ValueError)


class TestLabels:
    def test_types_are_kept(self):
        joint = JointDistribution(
            np.full((2, 2, 2, 2), 1 / 16),
            [[0, 1], [0.5, 1.5], [False, True], ["a", "b"]],
        )
        assert [type(d[1]) for d in joint.domains] == [int, float, bool, str]
        numpy_labels = JointDistribution(A, [np.array([1, 2]), np.array(["u", "v"])])
        assert [type(d[0]) for d in numpy_labels.domains] == [int, str]

    def test_default_labels_and_names(self):
        joint = JointDistribution(np.full((2, 3), 1 / 6))
        assert joint.domains == ((0, 1), (0, 1, 2))
        assert joint.names == ("x1", "x2")

    def test_mixed_types_in_one_domain(self):
        joint = JointDistribution([0.25, 0.25, 0.5], [["1", 1, 2.5]])
        assert joint.probability(["1"]) == 0.25
        assert joint.position([1]) == (1,)
        assert joint.position([np.float64(2.5)]) == (2,)


class TestPlaces:
    joint = JointDistribution(
        [[0.1, 0.2, 0.1], [0.1, 0.3, 0.2]], [["no", "yes"], [10, 20, 30]], ["ill", "age"]
    )

    def test_axis(self):
        assert [self.joint.axis(t) for t in ("ill", "age", 0, 1, np.int64(1))] == [0, 1, 0, 1, 1]

    @pytest.mark.parametrize("bad", ["sick", 2, -1, 1.0, True, None])
    def test_axis_that_does_not_exist(self, bad):
        with pytest.raises(DomainError, match="There is no tuple"):
            self.joint.axis(bad)

    def test_position_and_probability(self):
        assert self.joint.position(["yes", 20]) == (1, 1)
        assert self.joint.probability(("yes", 20)) == 0.3

    @pytest.mark.parametrize("row", ["yes", ["yes"], ["yes", 20, 1], 5, {"ill": "yes", "age": 20}])
    def test_rows_of_another_length(self, row):
        with pytest.raises(InstanceError, match="A row is a list of 2 labels"):
            self.joint.position(row)

    def test_label_that_does_not_exist(self):
        with pytest.raises(InstanceError, match="25 is not a label of age; its labels: 10, 20, 30") as caught:
            self.joint.position(["yes", 25])
        assert caught.value.where.axis == 1
        with pytest.raises(InstanceError):
            self.joint.position(["yes", [20]])

    def test_most_probable_row(self):
        assert self.joint.most_probable() == ("yes", 20)
        assert JointDistribution([[0.25, 0.25], [0.25, 0.25]]).most_probable() == (0, 0)


class TestParts:
    joint = JointDistribution.from_counts(
        [[[1, 2], [3, 4]], [[5, 6], [7, 8]]],
        [[0, 1], ["a", "b"], [False, True]],
        ["p", "q", "r"],
        "eight cells",
    )

    def test_marginals_sum_to_one(self):
        for found, axis in zip(self.joint.marginals(), range(3), strict=True):
            others = tuple(k for k in range(3) if k != axis)
            np.testing.assert_allclose(found, self.joint.table.sum(axis=others))

    def test_marginal_keeps_order_counts_and_labels(self):
        part = self.joint.marginal(["r", "p"])
        assert part.names == ("r", "p")
        assert part.domains == ((False, True), (0, 1))
        assert part.counts.tolist() == [[4, 12], [6, 14]]
        np.testing.assert_allclose(part.table, part.counts / 36)
        assert part.title == "eight cells"

    def test_reorder(self):
        back = self.joint.reorder([2, 0, 1]).reorder(["p", "q", "r"])
        assert back == self.joint
        with pytest.raises(DomainError, match="Name all 3 tuples"):
            self.joint.reorder([0, 1])
        with pytest.raises(DomainError, match="none twice"):
            self.joint.reorder([0, 1, 1])
        with pytest.raises(DomainError, match="at least one"):
            self.joint.marginal([])

    def test_condition(self):
        part = self.joint.condition({"q": "b"})
        assert part.names == ("p", "r")
        assert part.counts.tolist() == [[3, 4], [7, 8]]
        assert part.records == 22

    def test_condition_on_what_cannot_happen(self):
        joint = JointDistribution([[0.5, 0], [0.5, 0]])
        with pytest.raises(InstanceError, match="x2 = 1 have probability 0"):
            joint.condition({"x2": 1})
        with pytest.raises(InstanceError, match="2 is not a label"):
            joint.condition({"x2": 2})
        with pytest.raises(DomainError, match="No tuple is left"):
            joint.condition({"x1": 0, "x2": 0})

    def test_condition_on_a_tiny_event(self):
        joint = JointDistribution([[1.0, 0.0], [1e-320, 3e-320]])
        np.testing.assert_allclose(joint.condition({0: 1}).table, [0.25, 0.75], rtol=1e-2)

    def test_data_frame_and_back(self):
        frame = self.joint.to_dataframe()
        assert list(frame.columns) == ["p", "q", "r", "probability", "count"]
        assert frame["probability"].sum() == pytest.approx(1)
        again = JointDistribution.from_dataframe(
            frame.drop(columns="probability"), weight="count", title="eight cells"
        )
        assert again == self.joint

    def test_data_frame_of_a_tuple_named_like_a_result(self):
        with pytest.raises(DomainError, match="A tuple is named count"):
            JointDistribution(A, names=["a", "count"]).to_dataframe()


class TestMaking:
    def test_counts(self):
        joint = JointDistribution.from_counts([[3, 2], [2, 3]])
        np.testing.assert_allclose(joint.table, A)
        assert joint.records == 10
        assert joint.counts.dtype == np.int64

    @pytest.mark.parametrize(
        ("counts", "message", "kind"),
        [
            ([[1, -1]], r"count of \(x1 = 0, x2 = 1\) is -1", "cell"),
            ([[1, 0.5]], r"is 0.5; a count is a whole number", "cell"),
            ([[1, float("nan")]], "is nan", "cell"),
            ([[1, 2**60]], "whole number up to", "cell"),
            ([[0, 0]], "All counts are 0", "table"),
        ],
    )
    def test_faulty_counts(self, counts, message, kind):
        with pytest.raises(TableError, match=message) as caught:
            JointDistribution.from_counts(counts)
        assert caught.value.where.kind == kind

    @given(st.lists(st.floats(0, 1.7e308), min_size=1, max_size=8).filter(any))
    def test_normalised_sums_to_one(self, weights):
        assert abs(JointDistribution.normalised(weights).table.sum() - 1) < 1e-12

    def test_normalised_tiny_weights(self):
        assert JointDistribution.normalised([5e-324, 5e-324]).table.tolist() == [0.5, 0.5]

    @pytest.mark.parametrize(("weights", "message"), [([0, 0], "All weights are 0"), ([1, -1], "weight of")])
    def test_normalised_faults(self, weights, message):
        with pytest.raises(TableError, match=message):
            JointDistribution.normalised(weights)

    def test_independent(self):
        joint = JointDistribution.independent([[0.5, 0.5], [0.2, 0.8]], names=["a", "b"])
        np.testing.assert_allclose(joint.table, [[0.1, 0.4], [0.1, 0.4]])

    @pytest.mark.parametrize(
        ("marginals", "message"),
        [
            ([], "There are no marginals"),
            ([[0.5, 0.5], [0.5, 0.6]], "marginal of tuple 1 sums to 1.1"),
            ([[1.5, -0.5]], "tuple 0 is not a list of prob"),
            ([[[0.5, 0.5]]], "tuple 0 is not a list of prob"),
        ],
    )
    def test_independent_faults(self, marginals, message):
        with pytest.raises(TableError, match=message):
            JointDistribution.independent(marginals)


def frames(columns):
    return [pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns), columns]


class TestDataFrames:
    @pytest.mark.parametrize("kind", range(4), ids=["pandas", "polars", "arrow", "mapping"])
    def test_records(self, kind):
        frame = frames(
            {"smokes": ["no", "yes", "no", "no"], "age": [30, 20, 20, 30], "ill": [True, False, True, False]}
        )[kind]
        joint = JointDistribution.from_dataframe(frame)
        assert joint.names == ("smokes", "age", "ill")
        assert joint.domains == (("no", "yes"), (20, 30), (False, True))
        assert [type(d[0]) for d in joint.domains] == [str, int, bool]
        assert joint.records == 4
        assert joint.counts[0, 1].tolist() == [1, 1]

    @pytest.mark.parametrize("kind", range(4), ids=["pandas", "polars", "arrow", "mapping"])
    def test_counts_columns_and_domains(self, kind):
        frame = frames({"a": ["x", "y", "x"], "b": [1.5, 0.5, 1.5], "n": [2, 3, 5], "other": [1, 2, 3]})[kind]
        joint = JointDistribution.from_dataframe(
            frame, columns=["b", "a"], weight="n", domains={"a": ["y", "z", "x"]}, title="t"
        )
        assert joint.domains == ((0.5, 1.5), ("y", "z", "x"))
        assert joint.counts.tolist() == [[3, 0, 0], [0, 0, 7]]
        assert joint.title == "t"

    @pytest.mark.parametrize("kind", range(3), ids=["pandas", "polars", "arrow"])
    @pytest.mark.parametrize("values", [["no", None, "yes"], [1.0, None, 2.0]])
    def test_missing_values(self, kind, values):
        frame = frames({"a": [1, 2, 3], "smokes": values})[kind]
        with pytest.raises(DomainError, match="Column smokes has 1 missing value, first in row 1") as caught:
            JointDistribution.from_dataframe(frame)
        assert (caught.value.where.axis, caught.value.where.name) == (1, "smokes")

    def test_missing_values_of_pandas(self):
        frame = pd.DataFrame({"a": pd.array([1, None, None], dtype="Int64")})
        with pytest.raises(DomainError, match="2 missing values"):
            JointDistribution.from_dataframe(frame)

    def test_categories(self):
        frame = pd.DataFrame({"a": pd.Categorical(["lo", "hi", "lo"])})
        assert JointDistribution.from_dataframe(frame).domains == (("lo", "hi"),)

    @pytest.mark.parametrize("counts", [[1, None], [1, -2], [1, float("inf")], [1, "many"]])
    def test_faulty_counts(self, counts):
        with pytest.raises(TableError, match=r"Column n, row 1(: the count is| is missing)"):
            JointDistribution.from_dataframe({"a": [0, 1], "n": counts}, weight="n")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"columns": ["a", "z"]}, "no column z; the columns are a, n"),
            ({"weight": "z"}, "no column z"),
            ({"domains": {"z": [1]}}, "no column z"),
            ({"columns": []}, "No column is left"),
            ({"columns": ["a", "a"]}, "named twice"),
            ({"columns": ["a", "n"], "weight": "n"}, "cannot be both"),
            ({"domains": {"a": [0]}}, "Column a, row 1: 1 is not in the given domain"),
        ],
    )
    def test_faulty_arguments(self, arguments, message):
        with pytest.raises(DomainError, match=message):
            JointDistribution.from_dataframe({"a": [0, 1], "n": [1, 2]}, **arguments)

    def test_no_rows_and_no_frame(self):
        with pytest.raises(TableError, match="has no rows"):
            JointDistribution.from_dataframe(pd.DataFrame({"a": []}))
        with pytest.raises(DomainError, match="A list is not a data frame"):
            JointDistribution.from_dataframe([1, 2])
        with pytest.raises(DomainError, match=r"names of columns must be text.*columns\.astype\(str\)"):
            JointDistribution.from_dataframe(pd.DataFrame([[1, 2]], columns=[0.5, ("a", "b")]))

    def test_columns_with_too_many_labels(self):
        wide = {name: list(range(300)) for name in "abc"}
        with pytest.raises(LimitError, match=r"27,000,000 cells.*column a has 300"):
            JointDistribution.from_dataframe(wide)

    def test_one_column_by_name(self):
        assert JointDistribution.from_dataframe({"ab": [1, 2], "a": [0, 0]}, columns="ab").names == ("ab",)


class TestValue:
    joint = JointDistribution(A, names=["a", "b"], title="t")

    def test_read_only(self):
        with pytest.raises(ValueError, match="read-only"):
            self.joint.table[0, 0] = 1
        counted = JointDistribution.from_counts([[1, 2]])
        with pytest.raises(ValueError, match="read-only"):
            counted.counts[0, 0] = 5
        with pytest.raises(AttributeError, match="title is read-only"):
            self.joint.title = "x"
        with pytest.raises(AttributeError, match="read-only"):
            self.joint.something = 1
        with pytest.raises(AttributeError):
            del self.joint.title

    def test_input_is_copied(self):
        source, counts = np.array(A), np.array([[1, 2]])
        joint, counted = JointDistribution(source), JointDistribution.from_counts(counts)
        source[0, 0], counts[0, 0] = 9, 9
        assert joint.table[0, 0] == 0.3
        assert counted.counts[0, 0] == 1
        assert joint.table.flags.c_contiguous
        assert JointDistribution(np.asfortranarray(A)).table.flags.c_contiguous

    def test_equality_is_a_scalar(self):
        same = JointDistribution(A, names=["a", "b"], title="t")
        assert (self.joint == same) is True
        assert hash(self.joint) == hash(same)
        for other in (
            JointDistribution([[0.2, 0.3], [0.3, 0.2]], names=["a", "b"], title="t"),
            JointDistribution(A, names=["a", "c"], title="t"),
            JointDistribution(A, names=["a", "b"]),
            JointDistribution(A, [[0, 2], [0, 1]], names=["a", "b"], title="t"),
            JointDistribution.from_counts([[3, 2], [2, 3]], names=["a", "b"], title="t"),
        ):
            assert (self.joint == other) is False
        assert self.joint != 5
        assert JointDistribution([0.0, 1.0]) == JointDistribution([-0.0, 1.0])
        assert hash(JointDistribution([0.0, 1.0])) == hash(JointDistribution([-0.0, 1.0]))

    def test_copies(self):
        counted = JointDistribution.from_counts([[1, 2]], [["a"], [True, 0.5]], title="u")
        for value in (self.joint, counted):
            for made in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
                assert made == value
                assert not made.table.flags.writeable
                assert made.counts is None or not made.counts.flags.writeable

    def test_repr_shows_the_structure(self):
        assert repr(self.joint) == "JointDistribution('t', a: 2 labels, b: 2 labels)"
        assert repr(JointDistribution.from_counts([1, 2])) == "JointDistribution(x1: 2 labels, records=3)"


def test_columns_of_things_that_are_no_labels():
    for values in ([[1], [2]], [pd.Timestamp("2020-01-01"), 1]):
        with pytest.raises(DomainError, match="A label of a is of type"):
            JointDistribution.from_dataframe({"a": values})


def test_a_million_records_are_counted_in_time():
    import time

    rng = np.random.default_rng(1)
    frame = pd.DataFrame({name: rng.integers(0, 3, 1_000_000) for name in "abc"})
    start = time.process_time()
    joint = JointDistribution.from_dataframe(frame)
    assert joint.records == 1_000_000
    assert time.process_time() - start < 5


def test_a_column_of_counts_that_became_a_tuple_is_named():
    frame = pd.DataFrame({"Ann": [0, 1], "n": [3, 5]})
    with pytest.warns(UserWarning, match="Column n is taken as a tuple, .*weight='n'.*columns="):
        JointDistribution.from_dataframe(frame)
