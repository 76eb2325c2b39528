"""Queries of dependent tuples: outputs of rows, and sensitivities against all pairs of databases."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import LinearQuery, SparseJoint, TableQuery
from pdp_widgets.dependent import IdentityQuery
from pdp_widgets.errors import DomainError, QueryError
from pdp_widgets.mechanisms.joint_query import LinearRows, as_joint_query
from pdp_widgets.models.joint_examples import agreeing_bits, xor_bits

AGES = SparseJoint([[20, "no"], [65, "yes"]], [0.5, 0.5], ["age", "smokes"])


def slow_sensitivities(joint, query):
    """The largest change over all pairs of rows of the full product that differ in one tuple."""
    full = joint.with_all_rows()
    outputs = query.outputs(full)
    found = np.zeros(full.n)
    for a, b in itertools.combinations(range(len(full.codes)), 2):
        differs = np.flatnonzero(full.codes[a] != full.codes[b])
        if len(differs) == 1:
            change = np.abs(outputs[a] - outputs[b]).sum()
            found[differs[0]] = max(found[differs[0]], change)
    return found


@given(st.integers(0, 2**32 - 1), st.sampled_from(["sum", "mean", "identity", "weights", "table", "pairs"]))
def test_sensitivities_are_those_of_all_databases(seed, kind):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 4, 3)
    codes = np.unique(rng.integers(0, sizes, (6, 3)), axis=0)
    values = [np.sort(rng.normal(size=size)) for size in sizes]
    rows = [[float(values[j][k]) for j, k in enumerate(row)] for row in codes]
    joint = SparseJoint(rows, np.full(len(rows), 1 / len(rows)), domains=[v.tolist() for v in values])
    full = joint.with_all_rows()
    query = {
        "weights": rng.normal(size=3).tolist(),
        "table": TableQuery(rng.normal(size=len(full.codes))),
        "pairs": TableQuery(rng.normal(size=(len(full.codes), 2))),
    }.get(kind, kind)
    query = as_joint_query(query, full)
    assert query.sensitivities(full) == pytest.approx(slow_sensitivities(joint, query), abs=1e-12)
    for points, change in zip(query.reach(full), query.sensitivities(full), strict=True):
        apart = np.abs(points[:, None] - points).sum(axis=2).max()
        # A table that changes with a tuple of one place cannot: it has one value.
        assert apart == pytest.approx(change, abs=1e-12)


def test_names_stand_for_queries():
    joint = agreeing_bits(0.9)
    for given_, name in (("sum", "sum"), ("mean", "mean"), ("identity", "identity"), ([1, 1], "sum")):
        assert as_joint_query(given_, joint).name == name
    assert as_joint_query((2, 1), joint).name == "weighted sum"
    assert as_joint_query("mean", joint).sensitivities(joint).tolist() == [0.5, 0.5]
    counted = as_joint_query("count:yes", AGES)
    assert counted.outputs(AGES).ravel().tolist() == [0, 1]
    assert counted.sensitivities(AGES).tolist() == [0, 1]
    assert as_joint_query("count:65", AGES).sensitivities(AGES).tolist() == [1, 0]
    query = LinearQuery([[0, 2], [1, 5]], name="own")
    assert as_joint_query(query, joint) == LinearRows(query)
    assert as_joint_query(LinearRows(query), joint).outputs(joint).ravel().tolist() == [1, 5, 3, 7]


def test_values_with_coordinates_stand_side_by_side():
    joint = SparseJoint([[[0, 1], 5], [[2, 3], 6]], [0.5, 0.5])
    assert IdentityQuery().outputs(joint).tolist() == [[0, 1, 5], [2, 3, 6]]
    assert IdentityQuery().sensitivities(joint).tolist() == [4, 1]
    assert pickle.loads(pickle.dumps(IdentityQuery("all"))) == IdentityQuery("all")


def test_a_table_is_a_value():
    query = TableQuery([0, 1, 1, 1], name="any")
    assert repr(query) == "TableQuery(4 outputs, name='any')"
    assert repr(TableQuery(np.zeros((2, 3)))) == "TableQuery(2 outputs, 3 numbers each, name='table')"
    assert pickle.loads(pickle.dumps(query)) == query
    assert hash(pickle.loads(pickle.dumps(query))) == hash(query)
    assert query != TableQuery([0, 1, 1, 0], name="any")
    assert (query == 3) is False
    with pytest.raises(AttributeError, match="cannot be changed"):
        query.name = "x"
    with pytest.raises(ValueError, match="read-only"):
        query.outputs(agreeing_bits())[0, 0] = 3


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("product", "give 'sum', 'mean', 'identity'"),
        (None, "The query is None"),
        ([1], "give 2 finite numbers"),
        ([1, float("nan")], "give 2 finite numbers"),
        (["a", "b"], "give 2 finite numbers"),
        ("count:7", "The value 7 is in no domain"),
    ],
)
def test_what_is_no_query_is_named(query, words):
    with pytest.raises(QueryError, match=words):
        as_joint_query(query, agreeing_bits())


def test_what_does_not_fit_is_named():
    named = "The values of smokes are text and cannot be added to one number; ask 'identity' or 'count:"
    with pytest.raises(QueryError, match=named + AGES.domains[1][0]):
        as_joint_query("sum", AGES)
    with pytest.raises(QueryError, match="have coordinates and cannot be added"):
        as_joint_query("sum", SparseJoint([[[0, 1]], [[1, 1]]], [0.5, 0.5]))
    with pytest.raises(DomainError, match="no finite number"):
        as_joint_query("identity", AGES).outputs(AGES)
    with pytest.raises(QueryError, match="contributions for 1 tuples and the distribution has 2"):
        as_joint_query(LinearQuery([[0, 1]]), AGES).outputs(AGES)
    with pytest.raises(QueryError, match="age has 2 values and 3 contributions"):
        as_joint_query(LinearQuery([[0, 1, 2], [0, 1]]), AGES).sensitivities(AGES)
    with pytest.raises(QueryError, match="has 3 outputs and the distribution 4 rows"):
        TableQuery([0, 1, 2]).outputs(agreeing_bits())
    with pytest.raises(QueryError, match="has 4 of 8 combinations of values"):
        TableQuery([0, 1, 2, 3]).sensitivities(xor_bits())
    for outputs in ([], 3, "ab", np.zeros((1, 1, 1)), None):
        with pytest.raises(QueryError, match="The outputs are"):
            TableQuery(outputs)
    with pytest.raises(QueryError, match="output of row 1 is not finite"):
        TableQuery([0, float("inf")])
    with pytest.raises(QueryError, match="name of the query"):
        TableQuery([0, 1], name=3)
