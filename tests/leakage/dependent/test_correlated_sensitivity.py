"""The correlated sensitivity of Zhu et al.: its sum, its ends, and that it promises nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.errors import BudgetError, DomainError, TableError
from pdp_widgets.leakage.dependent.correlated_sensitivity import correlated_sensitivity, pearson_degrees
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage
from pdp_widgets.models.sparse_joint import SparseJoint


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.floats(0, 1))
def test_rows_add_up_what_passes_the_threshold(seed, n, threshold):
    rng = np.random.default_rng(seed)
    degrees, reach = rng.uniform(-1, 1, (n, n)), rng.exponential(size=n)
    found = correlated_sensitivity(degrees, reach, threshold, 2.0)
    for i in range(n):
        by_hand = reach[i] + sum(
            abs(degrees[i, j]) * reach[j] for j in range(n) if j != i and abs(degrees[i, j]) >= threshold
        )
        assert found.rows[i] == pytest.approx(by_hand)
    assert found.scale == pytest.approx(found.rows.max() / 2)


def test_without_correlation_it_is_plain_laplace_noise_and_with_all_of_it_the_sum():
    assert correlated_sensitivity(np.eye(3), [1, 2, 3]).sensitivity == 3.0
    assert correlated_sensitivity(-np.ones((3, 3)), [1, 2, 3]).sensitivity == 6.0
    assert correlated_sensitivity(np.ones((2, 2)), [0, 0]).scale == 0.0


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([[1, 2], [0, 1]], [1, 1]), TableError, "degree of tuples 0 and 1 is 2"),
        (([[1, np.nan], [0, 1]], [1, 1]), TableError, "degree of tuples 0 and 1 is nan"),
        (([1, 0], [1, 1]), TableError, r"the shape \(2,\)"),
        (([], []), TableError, "the shape"),
        ((np.eye(2), [1]), TableError, "one finite number for each of the 2 tuples"),
        ((np.eye(2), [1, -1]), BudgetError, "sensitivities holds -1"),
        ((np.eye(2), [1, 1], -0.1), BudgetError, "threshold is -0.1"),
        ((np.eye(2), [1, 1], 0, 0), BudgetError, "epsilon is 0"),
        (("ab", [1, 1]), TableError, "no table of numbers"),
    ],
)
def test_what_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        correlated_sensitivity(*arguments)


def test_without_correlation_a_tuple_can_still_be_told():
    folded = SparseJoint([[-1, 2], [0, 0], [1, 2]], [0.25, 0.5, 0.25])
    degrees = pearson_degrees(folded)
    assert degrees.tolist() == [[1, 0], [0, 1]]
    scale = correlated_sensitivity(degrees, folded.diameters).scale
    assert scale == 2.0
    table = correlated_sensitivity(degrees, folded.diameters)
    assert table.to_dataframe().sensitivity.tolist() == [2.0, 2.0]
    assert "no guarantee" in table.to_latex()
    assert max(float(one) for one in dependent_leakage(folded, "sum", scale)) == pytest.approx(1.5)


def test_correlations_are_those_of_records():
    records = np.random.default_rng(2).integers(0, 4, (30, 3))
    records[:, 2] = 7
    rows, counts = np.unique(records, axis=0, return_counts=True)
    found = pearson_degrees(SparseJoint(rows, counts / counts.sum()))
    assert found[:2, :2] == pytest.approx(np.corrcoef(records[:, :2].T))
    assert found[2].tolist() == [0.0, 0.0, 1.0]
    with pytest.raises(DomainError, match="have 2 coordinates"):
        pearson_degrees(SparseJoint([[[0, 1]], [[1, 1]]], [0.5, 0.5]))
