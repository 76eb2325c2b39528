"""Best linear prediction against elimination in fractions, up to matrices that are nearly singular."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import GaussianModel
from pdp_widgets.models.covariance import valid_range
from pdp_widgets.models.covariance_matrix import Regression
from tests.leakage.gaussian_reference import conditional, nearly_singular


def exact_coefficients(cov, known, target):
    """Slopes of one tuple in the known ones: the normal equations, solved in fractions."""
    k = len(known)
    rows = [[Fraction(float(cov[a, b])) for b in (*known, target)] for a in known]
    for p in range(k):
        rows[p] = [value / rows[p][p] for value in rows[p]]
        for q in range(k):
            if q != p:
                rows[q] = [v - rows[q][p] * w for v, w in zip(rows[q], rows[p], strict=True)]
    return [float(row[k]) for row in rows]


@pytest.mark.parametrize("share", [5e-9, 1e-8, 1e-7, 1e-6, 1e-4, 1e-2, 1.0])
def test_no_digits_are_lost_beyond_those_of_the_matrix(share):
    """Few factors and a small variance of their own, in any units: what is left, and the slopes."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 7))
        model, _ = nearly_singular(rng, n, int(rng.integers(1, 3)), share)
        units = 10.0 ** rng.integers(-40, 40, n)
        cov = GaussianModel(None, model.cov * units * units[:, None]).cov
        known = rng.permutation(n)[: rng.integers(1, n)].tolist()
        found, expected = Regression(cov, known), conditional(cov, known)
        sizes = np.sqrt(np.diag(cov))
        left = np.array([[float(value) for value in row] for row in expected])
        assert (np.abs(found.residual - left) <= 1e-14 * sizes * sizes[:, None]).all()
        for i in set(range(n)) - set(known):
            slopes = np.array(exact_coefficients(cov, known, i))
            error = np.abs(found.coefficients[i] - slopes) / (sizes[i] / sizes[known] + np.abs(slopes))
            assert (error <= 2e-15 / share).all()


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_given_tuples_predict_themselves(seed, n):
    """Also where one of them is fixed by the others: it tells nothing more."""
    rng = np.random.default_rng(seed)
    model, _ = nearly_singular(rng, n, int(rng.integers(1, n)), 0.0)
    known = rng.permutation(n)[: rng.integers(1, n + 1)].tolist()
    found = Regression(model.cov, known)
    np.testing.assert_array_equal(found.coefficients[known], np.eye(len(known)))
    assert not found.residual[known].any()
    assert np.array_equal(found.residual, found.residual.T)
    values = model.sample(1, rng=seed)[0] - model.mean
    assert found.can_occur(values[known])


def test_the_order_decides_which_of_two_equal_tuples_speaks():
    cov = np.array([[1.0, 1, 0.5], [1, 1, 0.5], [0.5, 0.5, 1]])
    assert Regression(cov, [0, 1]).coefficients[2].tolist() == [0.5, 0.0]
    assert Regression(cov, [0, 1], order=[1, 0]).coefficients[2].tolist() == [0.0, 0.5]


def test_what_follows_from_it_keeps_the_digits():
    """Conditioning of a model, and what an entry may be, next to a singular matrix."""
    a, b = 1.0, 1.0 - 2.0**-20
    cov = np.array([[1, a * 0.5, b * 0.5], [a * 0.5, 1, b], [b * 0.5, b, 1]])
    left = GaussianModel(None, cov).condition({1: 0.0, 2: 0.0}).cov[0, 0]
    assert left == pytest.approx(float(conditional(cov, [1, 2])[0][0]), rel=1e-10)
    low, high = valid_range(cov, 0, 1)
    middle, half = 0.5 * b * b, np.sqrt(1 - b * b) * np.sqrt(1 - 0.25 * b * b)
    assert (low, high) == pytest.approx((middle - half, middle + half), rel=1e-10)
