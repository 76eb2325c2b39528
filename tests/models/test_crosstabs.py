"""Crosstabs and series of counts keep the labels and names of their sides."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pdp_widgets import AttributeTable, JointDistribution, Microdata, SparseJoint
from pdp_widgets.errors import DataRemark, TableError

PEOPLE = pd.DataFrame(
    {
        "town": ["Bonn", "Ulm", "Bonn", "Köln", "Bonn", "Ulm"],
        "ill": ["yes", "no", "no", "yes", "yes", "no"],
        "age": [30, 20, 30, 30, 20, 20],
    }
)
PAIR = pd.crosstab(PEOPLE["town"], PEOPLE["ill"])
TRIPLE = pd.crosstab([PEOPLE["town"], PEOPLE["age"]], PEOPLE["ill"])
TABLES = {
    "crosstab": (PAIR, ["town", "ill"]),
    "two names down": (TRIPLE, ["town", "age", "ill"]),
    "two names across": (TRIPLE.T, ["ill", "town", "age"]),
    "counted values": (PEOPLE.value_counts(), ["town", "ill", "age"]),
    "sizes of groups": (PEOPLE.groupby(["age", "ill"]).size(), ["age", "ill"]),
    "one column": (PEOPLE["town"].value_counts(), ["town"]),
}


def in_order(joint, names):
    """Counts by label, whatever the order of labels."""
    return {
        tuple(joint.domains[axis][k] for axis, k in enumerate(place)): int(many)
        for place, many in np.ndenumerate(joint.reorder(names).counts if len(names) > 1 else joint.counts)
        if many
    }


@pytest.mark.parametrize("what", TABLES)
def test_a_table_of_counts_keeps_its_labels_and_names(what):
    table, names = TABLES[what]
    wanted = in_order(JointDistribution.from_dataframe(PEOPLE, names), names)
    for read in (JointDistribution.from_counts, JointDistribution.from_dataframe):
        joint = read(table)
        assert list(joint.names) == names
        assert in_order(joint, names) == wanted
    shares = JointDistribution(table / table.to_numpy().sum())
    assert (list(shares.names), shares.counts) == (names, None)
    assert SparseJoint.from_dataframe(table, names[:1]).names == tuple(names[:1])
    records = AttributeTable.from_dataframe(table)
    assert (records.n_records, records.names) == (6, tuple(names))
    data = Microdata(table)
    assert (data.records, data.names) == (6, tuple(names))


def test_given_labels_and_names_go_before_those_of_the_sides():
    joint = JointDistribution.from_counts(PAIR, [[1, 2, 3], [0, 1]], ["a", "b"])
    assert (joint.names, joint.domains) == (("a", "b"), ((1, 2, 3), (0, 1)))


def test_sides_without_a_name_are_numbered():
    joint = JointDistribution.from_counts(pd.DataFrame([[3, 1], [0, 2]], ["f", "m"], ["no", "yes"]))
    assert (joint.names, joint.domains) == (("x1", "x2"), (("f", "m"), ("no", "yes")))


def test_intervals_on_a_side_are_labels_in_their_order():
    table = pd.crosstab(pd.cut(PEOPLE["age"], [0, 25, 60]), PEOPLE["ill"])
    assert JointDistribution.from_dataframe(table).domains[0] == ("(0, 25]", "(25, 60]")
    assert JointDistribution.from_counts(table).domains[0] == ("(0, 25]", "(25, 60]")


def test_margins_are_refused():
    for read in (JointDistribution.from_counts, JointDistribution.from_dataframe):
        with pytest.raises(TableError, match="All stands for the sum"):
            read(pd.crosstab(PEOPLE["town"], PEOPLE["ill"], margins=True))


def test_a_label_that_stands_twice_is_refused():
    twice = pd.DataFrame([[1, 2], [3, 4]], ["f", "f"], ["no", "yes"])
    with pytest.raises(TableError, match="the label 'f' twice"):
        JointDistribution.from_counts(twice)


def test_records_with_an_index_are_records():
    frame = PEOPLE.set_index("town")
    with pytest.warns(DataRemark, match=r"index of the frame holds labels, such as 'Bonn', and is left out"):
        assert JointDistribution.from_dataframe(frame).names == ("ill", "age")
    assert JointDistribution.from_dataframe(frame, ["ill", "age"]).names == ("ill", "age")


WIDE = {"town": ["Bonn", "Ulm"], "no": [1, 3], "yes": [2, 0]}


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pa.table, pl.LazyFrame], ids=["pandas", "polars", "arrow", "lazy"]
)
def test_a_wide_frame_of_counts_has_its_labels_in_the_first_column(make):
    joint = JointDistribution.from_counts(make(WIDE))
    assert (joint.names, joint.domains) == (("town", "x2"), (("Bonn", "Ulm"), ("no", "yes")))
    assert joint.counts.tolist() == [[1, 2], [3, 0]]
    shares = JointDistribution.normalised(make({**WIDE, "no": [0.5, 0.5]}), names=["town", "ill"])
    assert (shares.names, shares.table.tolist()) == (("town", "ill"), [[1 / 6, 4 / 6], [1 / 6, 0]])
    twice = make({**WIDE, "town": ["Ulm", "Ulm"]})
    with pytest.raises(TableError, match="records"):
        JointDistribution.from_counts(twice)
