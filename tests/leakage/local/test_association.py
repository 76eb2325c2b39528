"""Measures of association: the published values of Appendix K, and what they do at the edges."""

import math

import numpy as np
import pytest

from pdp_widgets.errors import TableError
from pdp_widgets.leakage.local.association import association
from pdp_widgets.models.counts import titanic

FORWARD = np.array([[0.2, 0, 0, 0], [0, 0.2, 0, 0], [0.1, 0.15, 0.03, 0.02], [0.1, 0.15, 0.03, 0.02]])


def test_appendix_k():
    found = association(FORWARD)
    assert found.correlation == pytest.approx(0.35716, abs=5e-6)
    wanted = {"joint": 0.16493, "sqrt": 0.28638, "mean": 0.28316, "min": 0.33296, "max": 0.24632}
    assert found.nmi == pytest.approx(wanted, abs=5e-6)


def test_measures_are_the_same_in_both_directions():
    there, back = association(FORWARD), association(FORWARD.T)
    assert there.mutual_information == pytest.approx(back.mutual_information, abs=1e-15)
    assert there.correlation == pytest.approx(back.correlation, abs=1e-15)


def test_correlation_depends_on_the_order_of_labels_and_information_does_not():
    rng = np.random.default_rng(1)
    found = [association(FORWARD[rng.permutation(4)][:, rng.permutation(4)]) for _ in range(200)]
    correlations = [abs(one.correlation) for one in found]
    assert min(correlations) < 0.05
    assert max(correlations) > 0.6
    assert [one.mutual_information for one in found] == pytest.approx(
        [association(FORWARD).mutual_information] * 200
    )


def test_correlation_is_that_of_records():
    counts = titanic().marginal(["class", "survived"])
    rows, columns = np.nonzero(counts.counts)
    many = counts.counts[rows, columns]
    x, y = np.repeat(rows, many), np.repeat(columns, many)
    assert association(counts).correlation == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)
    assert association(counts.counts).correlation == pytest.approx(association(counts).correlation, abs=1e-15)


@pytest.mark.parametrize("table", [[[0.3, 0.7]], [[3], [4]], [[2, 0], [5, 0]], [[1.0]]])
def test_constant_attributes_say_nothing(table):
    found = association(table)
    assert (found.mutual_information, found.correlation) == (0, 0)
    assert set(found.nmi.values()) == {0}


def test_copies_and_independence():
    copies = association(np.diag([0.2, 0.3, 0.5]))
    assert copies.nmi == pytest.approx(dict.fromkeys(copies.nmi, 1.0))
    assert copies.correlation == pytest.approx(1.0)
    independent = association(np.outer([0.1, 0.2, 0.7], [0.4, 0.6]))
    assert independent.mutual_information == pytest.approx(0, abs=1e-15)
    assert independent.mutual_information >= 0
    assert abs(independent.correlation) < 1e-15


def test_information_in_nats():
    assert association([[1, 0], [0, 1]]).mutual_information == pytest.approx(math.log(2))


def test_wrong_tables_are_named():
    with pytest.raises(TableError, match="has 3 axes"):
        association(np.ones((2, 2, 2)))
    with pytest.raises(TableError, match="is -1"):
        association([[1, -1], [1, 1]])
