"""Adversaries who know some tuples: every set of them against sums over rows."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import SparseJoint, TableQuery, dependent_leakage
from pdp_widgets.dependent import KnownSets, every_known_set, worst_adversary
from pdp_widgets.errors import LimitError, ScaleError
from pdp_widgets.leakage.dependent import tuple_leakage as module
from pdp_widgets.models.joint_examples import (
    agreeing_bits,
    bit_chain,
    covered_shift,
    identical_tuples,
    xor_bits,
)
from tests.conftest import few
from tests.leakage import dependent_reference as reference


def drawn(seed):
    rng = np.random.default_rng(seed)
    index = np.indices((2, 3, 2)).reshape(3, -1).T[rng.permutation(12)[: rng.integers(3, 13)]]
    chances = rng.dirichlet(np.full(len(index), 0.5))
    return SparseJoint(index, chances)


@few()
@given(
    st.integers(0, 2**32 - 1), st.floats(0.3, 3.0), st.sampled_from(["sum", "identity", "weights", "table"])
)
def test_every_set_agrees_with_sums_over_rows(seed, scale, kind):
    joint = drawn(seed)
    rng = np.random.default_rng(seed)
    values = np.array(joint.support, dtype=float)
    weights = [1.0, 0.3, -2.1]
    outputs = {
        "sum": values.sum(axis=1, keepdims=True),
        "identity": values,
        "weights": values @ np.array(weights)[:, None],
        "table": rng.normal(size=(len(values), 1)),
    }[kind]
    query = {"weights": weights, "table": TableQuery(outputs)}.get(kind, kind)
    found = every_known_set(joint, query, scale)
    for j in range(3):
        others = [k for k in range(3) if k != j]
        sets = [known for many in range(3) for known in itertools.combinations(others, many)]
        expected = [
            reference.leakage(joint.codes.tolist(), outputs, joint.probabilities, scale, j, known)
            for known in sets
        ]
        assert [float(one) for one in found.leakages[j]] == pytest.approx(expected, abs=1e-9)
        names = [tuple(joint.tuples[k] for k in known) for known in sets]
        assert [tuple(name for name, _ in one.about.known) for one in found.leakages[j]] == names
    worst = worst_adversary(joint, query, scale)
    assert float(worst) == pytest.approx(float(found.worst), abs=1e-9)
    assert float(worst) == pytest.approx(max(map(float, itertools.chain(*found.leakages))), abs=1e-9)


def test_xor_is_worst_with_one_known():
    found = every_known_set(xor_bits(), "sum", 1.0)
    for leakages in found.leakages:
        assert [float(one) for one in leakages] == pytest.approx([1.4338, 2, 2, 0], abs=5e-5)
        assert leakages[-1].determined
    assert [len(one.about.known) for one in found.worst_of_each] == [1, 1, 1]
    assert str(found.worst) == "2 nats (exact): x1, knowing x2"


def test_among_equal_ones_the_smaller_set_is_named():
    found = every_known_set(agreeing_bits(0.5), "sum", 1.0)
    assert [one.about.known for one in found.worst_of_each] == [(), ()]
    assert worst_adversary(identical_tuples(3), "sum", 1.0).about.known == ()


def test_the_sets_of_the_shift_are_those_computed_by_hand():
    found = every_known_set(covered_shift(), "sum", 1.189395)
    worst = [float(one) for one in found.worst_of_each]
    assert worst == pytest.approx([1.588858, 1.595317, 1.595317, 1.0, 1.0, 0.840764], abs=5e-6)
    assert found.worst_of_each[0].attained.known == (("Ben", 0),)


def test_the_empty_set_is_the_leakage_itself():
    for query in ("sum", "identity"):
        found = every_known_set(bit_chain(4, 0.8), query, 0.8)
        plain = dependent_leakage(bit_chain(4, 0.8), query, 0.8)
        assert [float(one[0]) for one in found.leakages] == pytest.approx(
            [float(one) for one in plain], abs=1e-12
        )


def test_they_are_a_table():
    pytest.importorskip("pandas")
    frame = every_known_set(xor_bits(), "sum", 1.0).to_dataframe()
    assert len(frame) == 12
    assert frame["known"].tolist()[:4] == ["", "x2", "x3", "x2, x3"]
    assert frame["determined"].sum() == 3
    assert isinstance(hash(KnownSets(("a",), ((),))), int)


def test_too_many_sets_are_refused(monkeypatch):
    with pytest.raises(LimitError, match="30 tuples have 1,073,741,824 sets"):
        worst_adversary(identical_tuples(30), "sum", 1.0)
    monkeypatch.setattr(module, "_MOST_WORK", 10)
    with pytest.raises(LimitError, match="take the tuples of one block"):
        every_known_set(xor_bits(), "sum", 1.0)
    with pytest.raises(ScaleError):
        worst_adversary(agreeing_bits(), "sum", -1)
