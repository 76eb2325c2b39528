"""Strict Mondrian and the classes it makes: against the paper's algorithm row by row, and the clinic."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, DomainError, PdpError, TableError
from pdp_widgets.leakage.noiseless.anonymity_analysis import AnonymityAnalysis
from pdp_widgets.mechanisms.anonymity.class_map import class_colours
from pdp_widgets.mechanisms.anonymity.equivalence_classes import (
    EquivalenceClasses,
    anonymise,
    classes_as_given,
    letters_of,
)
from pdp_widgets.mechanisms.anonymity.mondrian import as_given, mondrian
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.surveys import clinic

#: The classes of the clinic by age and weight with k = 5, from the design of the explorer.
CLINIC = json.loads((Path(__file__).parents[1] / "data" / "anonymity-clinic.json").read_text())


def by_hand(rows, k):
    """Strict Mondrian part by part, in the words of the algorithm."""
    table = np.asarray(rows, dtype=float)
    spans, found = np.ptp(table, axis=0), []

    def split(part):
        usable = [j for j in range(table.shape[1]) if spans[j] > 0]
        for j in sorted(usable, key=lambda j: -np.ptp(table[part, j]) / spans[j]):
            median = np.median(table[part, j])
            left = [row for row in part if table[row, j] < median]
            right = [row for row in part if table[row, j] >= median]
            if len(left) >= k and len(right) >= k:
                split(left)
                split(right)
                return
        found.append(tuple(part))

    split(list(range(len(table))))
    return tuple(sorted(found))


@st.composite
def tables(draw):
    n, d, most = draw(st.integers(1, 40)), draw(st.integers(1, 4)), draw(st.integers(0, 12))
    rows = draw(st.lists(st.lists(st.integers(0, most), min_size=d, max_size=d), min_size=n, max_size=n))
    return rows, draw(st.integers(1, n))


@given(tables())
def test_classes_are_those_of_the_algorithm_row_by_row(given_):
    rows, k = given_
    assert mondrian(rows, k) == by_hand(rows, k)


def test_classes_of_the_clinic_are_those_of_the_design():
    assert [list(group) for group in mondrian(clinic().values(["age", "weight"]), 5)] == CLINIC["groups"]


def test_classes_do_not_depend_on_units_nor_on_huge_numbers():
    rows = np.random.default_rng(3).integers(0, 50, (60, 3)).astype(float)
    assert mondrian(rows, 4) == mondrian(rows * [1e-200, 2.0**60, 1.0] + [0, 0, 7], 4)
    assert mondrian(rows, 4) == mondrian((rows - 25) * 2.0**1018, 4)


def test_a_constant_column_never_splits():
    assert mondrian([[1], [1], [1], [1]], 2) == ((0, 1, 2, 3),)
    assert mondrian([[1, 5], [1, 6], [1, 7], [1, 8]], 2) == ((0, 1), (2, 3))


@pytest.mark.parametrize(
    ("rows", "k", "error", "culprit"),
    [
        ([[1], [2]], 3, TableError, "fewer than k = 3"),
        ([[1], [2]], 0, BudgetError, "k is 0"),
        ([[1], [2]], 1.5, BudgetError, "k is 1.5"),
        ([[1], [2]], True, BudgetError, "k is True"),
        ([[1], [float("nan")]], 1, TableError, "Row 1, column 0 is nan"),
        ([[1], [float("inf")]], 1, TableError, "Row 1, column 0 is inf"),
        ([1, 2], 1, TableError, "one record a row"),
        ([["a"], ["b"]], 1, TableError, "one record a row"),
        ([], 1, TableError, "one record a row"),
        ([[], []], 1, TableError, "one record a row"),
        (None, 1, TableError, "one record a row"),
    ],
)
def test_wrong_input_is_named(rows, k, error, culprit):
    with pytest.raises(error, match=culprit):
        mondrian(rows, k)


@pytest.mark.parametrize(
    ("groups", "culprit"),
    [
        ([[0, 1], [2]], "Group 1 of the anonymiser has 1 row, and k is 2"),
        ([[0, 1]], "put row 2 into no group"),
        ([[0, 1, 2], [2, 1]], "put row 1 into 2 groups"),
        ([[0, 1], [2, 3]], "put row 3 into a group"),
        ([[-1, 1], [2, 0]], "put row -1 into a group"),
        ([[0, 1, 2], []], "Group 1 of the anonymiser has 0 rows"),
        ([["a", 1], [2]], "must return lists of positions"),
        ([[0.0, 1.0, 2.0]], "must return lists of positions"),
        ([[True, 1, 2]], "must return lists of positions"),
        (7, "must return lists of positions"),
        (None, "must return lists of positions"),
        ([3, 4], "must return lists of positions"),
        ([], "into no group"),
    ],
)
def test_an_anonymiser_of_ones_own_is_checked(groups, culprit):
    with pytest.raises(TableError, match=culprit):
        anonymise({"age": [1, 2, 3]}, "age", 2, lambda rows, k: groups)
    with pytest.raises(PdpError):
        EquivalenceClasses({"age": [1, 2, 3]}, "age", 2, groups)


def test_an_anonymiser_of_ones_own_gets_complete_rows_and_k():
    seen = []

    def whole(rows, k):
        seen.append((rows.tolist(), k))
        return [range(len(rows))]

    data = Microdata({"pain": ["high", None, "low"], "age": [3, 4, 5]}, orders={"pain": ["low", "high"]})
    classes = anonymise(data, ["pain", "age"], 2, whole)
    assert seen == [([[1.0, 3.0], [0.0, 5.0]], 2)]
    assert classes.groups == ((0, 2),)
    assert classes.suppressed.tolist() == [1]
    assert classes.ranges == (("low – high", "3–5"),)
    with pytest.raises(BudgetError, match="The anonymiser is 'mondrian'"):
        anonymise(data, ["age"], 2, "mondrian")


def test_classes_stand_by_the_lower_ends_of_their_ranges():
    classes = anonymise(clinic(), ["age", "weight"], 5)
    assert classes.letters == tuple("ABCDEFGHIJKLMN")
    lows = [tuple(row) for row in classes.low.tolist()]
    assert lows == sorted(lows)
    assert sorted(map(list, classes.groups)) == CLINIC["groups"]
    assert classes.achieved == 5
    assert classes.sizes.sum() == 100
    single = classes.secret_counts("diabetes")[:, 1] == 0
    assert int(single.sum()) == 8
    assert all(classes.of(row) == place for place, group in enumerate(classes.groups) for row in group)


def test_the_released_table_has_ranges_in_place_of_values():
    frame = anonymise(clinic(), ["age", "weight"], 5).to_dataframe()
    assert list(frame.columns) == ["class", "age", "weight", "diabetes"]
    assert frame.groupby(["age", "weight"]).size().min() >= 5
    assert frame["diabetes"].value_counts()["yes"] == 10


def test_classes_are_values():
    classes = anonymise({"age": [3, None, 1, 2], "ill": ["no", "yes", "no", None]}, "age", 1)
    again = pickle.loads(pickle.dumps(classes))
    assert again == classes
    assert hash(again) == hash(classes)
    assert again.groups == EquivalenceClasses(classes.data, "age", 1, classes.groups).groups
    assert classes != anonymise(classes.data, "age", 2)
    with pytest.raises(ValueError, match="read-only"):
        classes.sizes[0] = 9
    with pytest.raises(AttributeError, match="cannot be changed"):
        classes.k = 3
    with pytest.raises(TableError, match="Record 1 in a group has a missing"):
        EquivalenceClasses(classes.data, "age", 1, [[0, 1, 2, 3]])


@pytest.mark.parametrize(
    ("quasi", "k", "error", "culprit"),
    [
        ([], 2, DomainError, "names no column"),
        (["age", "age"], 2, DomainError, "age is named twice"),
        (["height"], 2, DomainError, "There is no column height"),
        ({"age"}, 2, DomainError, "give a list"),
        (None, 2, DomainError, "give a list"),
        (["age"], 4, TableError, "3 records with all quasi-identifiers"),
    ],
)
def test_wrong_columns_and_sizes_are_named(quasi, k, error, culprit):
    with pytest.raises(error, match=culprit):
        anonymise({"age": [3, None, 1, 2]}, quasi, k)


def test_a_table_of_too_many_classes_and_values_is_refused():
    data = {"age": np.arange(9000), "income": np.arange(9000) * 7}
    with pytest.raises(PdpError, match="income has 9,000 different values in 4,096 classes"):
        anonymise(data, "age", 2).secret_counts("income")


@pytest.mark.parametrize(
    ("groups", "culprit"),
    [
        ([[0, 0, 2, 3]], "The groups have record 0 in 2 groups"),
        ([[0, 2]], "The groups have record 3 in no group; every record with all quasi-identifiers"),
        ([[0, 2, 3, 4]], "The groups have record 4; records are 0 to 3"),
        ([[-1, 0, 2, 3]], "The groups have record -1"),
        ([[0, 2, 3], []], "Group 1 has 0 records, and k is 1"),
        ([[0.0, 2, 3]], "give lists of positions of records"),
        ([], "The groups have record 0 in no group"),
        (7, "The groups are 7"),
        ("abc", "The groups are 'abc'"),
    ],
)
def test_given_groups_are_named_by_records_and_not_by_an_anonymiser(groups, culprit):
    with pytest.raises(TableError, match=culprit):
        EquivalenceClasses({"age": [3, None, 1, 2]}, "age", 1, groups)


def test_a_class_has_a_colour_of_its_own_among_those_near_it():
    boxes = [(0, 1, 0, 1), (2, 3, 0, 1), (0, 1, 1, 2), (8, 9, 0, 1), (0, 1, 4, 5)]
    assert class_colours(boxes) == [0, 1, 2, 3, 0]
    assert class_colours([None, (0, 1, 0, 1)]) == [0, 1]
    # Where all four colours are near, a class has that of its number.
    assert class_colours([(0, 1, 0, 1)] * 6) == [0, 1, 2, 3, 0, 1]


def test_names_of_classes_go_on_after_the_alphabet():
    assert letters_of(28)[-3:] == ("Z", "AA", "AB")


def test_a_range_from_a_negative_number_is_told_in_words():
    assert EquivalenceClasses({"age": [-5, 31]}, "age", 2, [[0, 1]]).ranges == (("−5 to 31",),)


def test_a_published_table_has_the_classes_it_was_made_with():
    made = anonymise(clinic(), ["age", "weight"], 5)
    published = Microdata.of(made.to_dataframe())
    found = classes_as_given(published, ["age", "weight"])
    assert (found.k, found.achieved, len(found)) == (made.achieved, made.achieved, len(made))
    groups = {frozenset(made.rows[list(group)].tolist()) for group in found.groups}
    assert groups == {frozenset(group) for group in made.groups}
    # Regrouped, ranges count as labels: another table is measured.
    assert len(anonymise(published, ["age", "weight"], 5)) != len(made)
    analysis = AnonymityAnalysis(published, ["age", "weight"], "diabetes", found.k, anonymiser=as_given)
    assert np.array_equal(analysis.classes.number, found.number)


def test_who_can_be_found_is_counted():
    classes = classes_as_given({"age": [20, 40, 20, 30, None, 20], "ill": list("ynnyyn")}, "age")
    assert (classes.unique.tolist(), classes.below(3).tolist(), classes.below(4).tolist()) == (
        [1, 3],
        [1, 3],
        [0, 1, 2, 3, 5],
    )
    assert (float(classes.highest_risk), float(classes.average_risk)) == (1.0, 3 / 5)
    assert (classes.average_risk.unit, classes.average_risk.status) == ("probability", "exact")
    with pytest.raises(PdpError, match="k is 0"):
        classes.below(0)
    with pytest.raises(TableError, match=r"Group 1 of the anonymiser has 1 row, and k is 2"):
        anonymise({"age": [20, 40, 20]}, "age", 2, as_given)
