"""Joint distributions by their rows: what they hold, what they are made of, and what is refused."""

import math
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import JointDistribution, SparseJoint
from pdp_widgets.errors import (
    CountColumnWarning,
    DomainError,
    FewRecordsWarning,
    InstanceError,
    LimitError,
    TableError,
)
from pdp_widgets.models import support_rows
from pdp_widgets.models.sparse_joint import as_sparse_joint
from tests.conftest import few

BITS = [[0, 0], [0, 1], [1, 0], [1, 1]]


@st.composite
def joints(draw):
    """Rows over two to four tuples of numbers, text and places."""
    n = draw(st.integers(1, 4))
    kinds = draw(st.lists(st.sampled_from("ntv"), min_size=n, max_size=n))
    pools = {"n": [0, 1.5, -2], "t": ["no", "yes", "so"], "v": [[0, 0], [0, 1], [2.5, -1]]}
    row = st.tuples(*(st.sampled_from(range(3)) for _ in kinds))
    found = draw(st.lists(row, min_size=1, max_size=12, unique=True))
    weights = draw(st.lists(st.integers(0, 9), min_size=len(found), max_size=len(found)))
    weights[0] += 1
    rows = [[pools[kind][k] for kind, k in zip(kinds, codes, strict=True)] for codes in found]
    return rows, np.array(weights) / sum(weights)


@given(joints())
def test_rows_come_back_and_sums_are_sums(made):
    rows, chances = made
    joint = SparseJoint(rows, chances)
    assert [[list(v) if isinstance(v, tuple) else v for v in row] for row in joint.support] == rows
    assert joint.probabilities.tolist() == chances.tolist()
    for j in range(joint.n):
        for k, value in enumerate(joint.domains[j]):
            here = [p for row, p in zip(joint.support, chances, strict=True) if row[j] == value]
            assert joint.law(j)[k] == pytest.approx(sum(here), abs=1e-12)
        for i in range(joint.n):
            pair = joint.pair(i, j)
            o = joint.offsets
            assert pair == pytest.approx(joint.pair_tables[o[i] : o[i + 1], o[j] : o[j + 1]], abs=1e-12)
            sums = joint.conditional(i, j).sum(axis=1)
            assert np.all(np.isclose(sums, 1) | (sums == 0))
            assert np.all((sums > 0) == (joint.law(i) > 0))
    assert pickle.loads(pickle.dumps(joint)) == joint
    assert hash(pickle.loads(pickle.dumps(joint))) == hash(joint)


@few()
@given(joints())
def test_all_rows_and_marginals_are_the_same_distribution(made):
    joint = SparseJoint(*made)
    full = joint.with_all_rows()
    assert len(full.codes) == math.prod(map(len, joint.domains))
    held = {tuple(map(repr, row)): p for row, p in zip(joint.support, joint.probabilities, strict=True)}
    for row, p in zip(full.support, full.probabilities, strict=True):
        assert p == held.get(tuple(map(repr, row)), 0.0)
    kept = list(range(joint.n))[::-1]
    turned = full.marginal(kept)
    assert turned.tuples == joint.tuples[::-1]
    for place, j in enumerate(kept):
        assert turned.law(place) == pytest.approx(joint.law(j), abs=1e-12)


def test_a_table_goes_there_and_back():
    table = JointDistribution(
        [[[0.1, 0.2]], [[0.3, 0.4]]], [["no", "yes"], [7], [True, False]], ["a", "b", "c"], title="Three"
    )
    joint = SparseJoint.from_joint(table)
    assert joint.domains == (("no", "yes"), (7,), (True, False))
    assert (joint.tuples, joint.n, joint.title) == (("a", "b", "c"), 3, "Three")
    assert joint.to_joint() == table
    assert as_sparse_joint(table) == joint
    assert as_sparse_joint(joint) is joint


def test_domains_hold_values_of_rows_without_probability_and_declared_ones():
    joint = SparseJoint([[1, "b"], [0, "a"], [9, "b"]], [0.5, 0.5, 0], domains=[None, ["a", "b", "c"]])
    assert joint.domains == ((0, 1, 9), ("a", "b", "c"))
    assert joint.codes.tolist() == [[1, 1], [0, 0], [2, 1]]
    assert joint.diameter(0) == 9
    assert SparseJoint([["z"], ["a"]], [0.5, 0.5]).domains == (("z", "a"),)


def test_arrays_are_rows_too_also_of_values_with_coordinates():
    assert SparseJoint(np.array(BITS), [0.25] * 4) == SparseJoint(BITS, [0.25] * 4)
    places = np.array([[[0, 0], [1, 1]], [[2, 0], [1, 1]]])
    joint = SparseJoint(places, [0.5, 0.5])
    assert joint.domains == (((0.0, 0.0), (2.0, 0.0)), ((1.0, 1.0),))
    assert joint.points[0].tolist() == [[0, 0], [2, 0]]
    assert joint.diameters.tolist() == [2, 0]


@pytest.mark.parametrize("m", [1, 2, 3, 8, 9, 12])
def test_diameters_are_the_largest_distance(m):
    rng = np.random.default_rng(m)
    points = rng.normal(size=(15, m))
    joint = SparseJoint([[point.tolist()] for point in points], [1 / 15] * 15)
    apart = np.abs(points[:, None] - points).sum(axis=2)
    assert joint.diameters[0] == pytest.approx(apart.max(), rel=1e-12)


def test_frames_are_counted():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"Ann": [0, 0, 1, 1], "n": [3, 1, 2, 2], "Bob": ["x", "y", "x", "x"]})
    joint = SparseJoint.from_dataframe(frame, weight="n", domains={"Bob": ["x", "y", "z"]})
    assert (joint.tuples, joint.domains) == (("Ann", "Bob"), ((0, 1), ("x", "y", "z")))
    assert joint.probabilities.tolist() == [0.375, 0.125, 0.5]
    back = joint.to_dataframe()
    assert back["probability"].sum() == 1
    assert back["Bob"].tolist() == ["x", "y", "x"]
    again = SparseJoint.from_dataframe(back, weight="probability", domains={"Bob": ["x", "y", "z"]})
    assert again == joint
    with pytest.raises(TableError, match="no rows"):
        SparseJoint.from_dataframe(frame.iloc[:0])
    with pytest.raises(TableError, match="all 0"):
        SparseJoint.from_dataframe(frame.assign(n=0), weight="n")


def test_fewer_records_than_combinations_are_warned_of_by_the_rule_of_tables():
    pytest.importorskip("pandas")
    few = {"Ann": [0, 1, 0], "Bob": ["a", "b", "a"]}
    with pytest.warns(FewRecordsWarning) as told:
        SparseJoint.from_dataframe(few)
    said = JointDistribution.from_dataframe(few).caution
    assert said == "3 records in 4 cells: 2 cells are empty; the largest leakages are mostly chance"
    assert str(told[0].message).startswith(f"{said}. Take more records")
    many = {f"x{k}": [0, 1, 1] for k in range(60)}
    with pytest.warns(FewRecordsWarning, match=r"3 records in about 10\^18 cells: nearly all are empty"):
        SparseJoint.from_dataframe(many)
    with pytest.warns(FewRecordsWarning, match="3 records in 4 cells"):
        SparseJoint.from_dataframe({"Ann": [0, 1], "Bob": [0, 1], "n": [1, 2]}, weight="n")
    # None of these says how many records there are, or says enough.
    SparseJoint.from_dataframe({"Ann": [0, 1], "Bob": [0, 1], "p": [0.25, 0.75]}, weight="p")
    SparseJoint.from_dataframe({"Ann": [0, 1], "Bob": [0, 1], "p": [1.0, 0.0]}, weight="p")
    SparseJoint.from_dataframe({"Ann": [0, 1], "Bob": [0, 1], "n": [3, 1]}, weight="n")


@pytest.mark.parametrize("name", ["n", "count", "Weights", " freq "])
def test_a_column_that_looks_like_counts_is_told(name):
    frame = {"Ann": [0, 1], "Bob": [0, 1], name: [30, 5]}
    for make in (SparseJoint.from_dataframe, JointDistribution.from_dataframe):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert make(frame).n_tuples == 3
        assert f"weight={name!r}" in str(
            next(one.message for one in told if one.category is CountColumnWarning)
        )
        assert make(frame, weight=name).n_tuples == 2


def test_what_is_no_count_is_not_told():
    full = {"Ann": [0, 1, 0, 1], "n": [0, 1, 1, 0]}
    for frame in (
        full,
        {"n": [3, 4]},
        {"Ann": [0, 1, 0, 1], "n": ["3", "4", "4", "3"]},
        {"Ann": [0, 1, 0, 1], "n": [0.5, 1.5, 1.5, 0.5]},
        {"Ann": [0, 1, 0, 1], "visits": [3, 4, 4, 3]},
    ):
        assert SparseJoint.from_dataframe(frame).n == len(frame)
    assert SparseJoint.from_dataframe({"Ann": [0, 1] * 3, "n": [2, 3, 3, 2, 2, 3]}, ["Ann", "n"]).n == 2


def test_it_is_a_value_that_cannot_be_changed():
    joint = SparseJoint(BITS, [0.25] * 4, ["Ann", "Bob"], "Two")
    assert repr(joint) == "SparseJoint('Two', Ann: 2 values, Bob: 2 values, rows=4)"
    assert joint != SparseJoint(BITS, [0.25] * 4, ["Ann", "Eve"], "Two")
    assert (joint == 3) is False
    for change in (
        lambda: setattr(joint, "tuples", ()),
        lambda: joint.codes.__setitem__((0, 0), 1),
        lambda: joint.probabilities.__setitem__(0, 1),
        lambda: joint.pair_tables.__setitem__((0, 0), 1),
        lambda: joint.points[0].__setitem__((0, 0), 1),
        lambda: joint.diameters.__setitem__(0, 1),
        lambda: joint.__init__(BITS, [0.25] * 4),
    ):
        with pytest.raises((AttributeError, ValueError), match=r"changed|read-only"):
            change()
    given = np.array([0.25] * 4)
    own = SparseJoint(np.array(BITS), given)
    given[0] = 9
    assert own.probabilities[0] == 0.25


def test_minus_zero_is_zero():
    assert SparseJoint([[-0.0], [1.0]], [0.5, 0.5]) == SparseJoint([[0.0], [1.0]], [0.5, 0.5])


@pytest.mark.parametrize(
    ("support", "chances", "error", "words"),
    [
        (BITS, [1.2, -0.2, 0, 0], TableError, "row 1 is -0.2; it must not be negative"),
        (BITS, [0.5, 0.4, 0, 0], TableError, "sum to 0.9; they must sum to 1"),
        (BITS, [0.25] * 3, TableError, "one number for each row"),
        (BITS, [0.5, math.nan, 0.5, 0], TableError, "must be a finite number"),
        (BITS, [0] * 4, TableError, "all 0"),
        (BITS, ["a"] * 4, TableError, "not an array of numbers"),
        ([[0, 0], [0, 0]], [0.5, 0.5], TableError, "Row 1 of the support repeats row 0"),
        ([[0, 0], [1]], [0.5, 0.5], TableError, "Row 1 of the support has 1 values and row 0 has 2"),
        ([], [], TableError, "no rows"),
        ("ab", [1], TableError, "give a list of rows"),
        ([0, 1], [0.5, 0.5], TableError, "Row 0 of the support is 0"),
        ({(0,), (1,)}, [0.5, 0.5], DomainError, "a set has no order"),
        (np.zeros((2, 0)), [0.5, 0.5], TableError, "has the shape"),
        ([[True], [1]], [0.5, 0.5], DomainError, "true equals 1"),
        ([[[0, 1]], [2]], [0.5, 0.5], DomainError, "have .0, 2. coordinates"),
        ([[[0, math.inf]], [[1, 1]]], [0.5, 0.5], DomainError, "a list of finite numbers"),
        ([[math.nan], [1]], [0.5, 0.5], DomainError, "is NaN"),
        ([[None], [1]], [0.5, 0.5], DomainError, "label of .* is missing"),
        ([[[]], [[]]], [0.5, 0.5], DomainError, "a list of finite numbers"),
    ],
)
def test_rows_that_are_none_are_refused(support, chances, error, words):
    with pytest.raises(error, match=words):
        SparseJoint(support, chances)


@pytest.mark.parametrize(
    ("domains", "error", "words"),
    [
        ([[0, 1]], DomainError, "1 domains for 2 tuples"),
        ([[0], None], InstanceError, "1 is not in the domain of x1: 0"),
        ([[0, 1, 1], None], DomainError, "has 1 twice"),
        ([[], None], DomainError, "is empty"),
        ([{0, 1}, None], DomainError, "a set has no order"),
        ("ab", DomainError, "give one list of values"),
        ([5, None], DomainError, "give a list of values"),
        ([[False, True], None], DomainError, "true equals 1"),
    ],
)
def test_domains_that_do_not_fit_are_refused(domains, error, words):
    with pytest.raises(error, match=words):
        SparseJoint(BITS, [0.25] * 4, domains=domains)


def test_what_has_no_distance_and_what_is_too_large_is_named(monkeypatch):
    joint = SparseJoint([["a", 0], ["b", 2]], [0.5, 0.5], ["word", "age"])
    with pytest.raises(DomainError, match="The value a of word is no finite number"):
        _ = joint.diameters
    assert joint.diameter("age") == 2
    with pytest.raises(DomainError, match="no finite number"):
        _ = SparseJoint([[math.inf], [0]], [0.5, 0.5]).points
    with pytest.raises(DomainError, match="no finite number"):
        _ = SparseJoint([[10**400], [0]], [0.5, 0.5]).points
    with pytest.raises(DomainError, match="have coordinates"):
        SparseJoint([[[0, 1]], [[1, 1]]], [0.5, 0.5]).to_joint()
    with pytest.raises(DomainError, match="named probability"):
        SparseJoint([[0], [1]], [0.5, 0.5], ["probability"]).to_dataframe()
    with pytest.raises(LimitError, match="cells"):
        SparseJoint([[0] * 40, [1] * 40], [0.5, 0.5]).to_joint()
    with pytest.raises(LimitError, match="rows; at most 2,000,000"):
        SparseJoint([[0] * 40, [1] * 40], [0.5, 0.5]).with_all_rows()
    monkeypatch.setattr(support_rows, "MOST_ROWS", 3)
    with pytest.raises(LimitError, match="has 4 rows"):
        SparseJoint(BITS, [0.25] * 4)
    with pytest.raises(TableError, match="give a SparseJoint or a JointDistribution"):
        as_sparse_joint([0.5, 0.5])
