"""Covariance matrices: checks, correlations, the nearest valid one, and what one entry may be."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pdp_widgets import DomainError, TableError
from pdp_widgets.models.covariance import (
    equicorrelation,
    from_correlation,
    nearest_covariance,
    to_correlation,
    valid_range,
)
from pdp_widgets.models.covariance_matrix import (
    Regression,
    as_covariance,
    as_symmetric,
    is_positive_semidefinite,
)


@st.composite
def symmetric(draw, least=2, most=5):
    n = draw(st.integers(least, most))
    entries = draw(st.lists(st.floats(-3, 3).map(lambda v: round(v, 3)), min_size=n * n, max_size=n * n))
    matrix = np.array(entries).reshape(n, n)
    matrix = (matrix + matrix.T) / 2
    matrix[np.diag_indices(n)] = np.abs(matrix.diagonal()) + draw(st.sampled_from([0.0, 0.5, 2.0]))
    return matrix


@st.composite
def valid(draw, most=5):
    n = draw(st.integers(2, most))
    rank = draw(st.integers(1, n))
    rows = draw(st.lists(st.integers(-3, 3), min_size=rank * n, max_size=rank * n))
    factor = np.array(rows, dtype=float).reshape(rank, n)
    return factor.T @ factor


class TestChecks:
    @given(valid())
    def test_products_of_factors_are_valid_and_kept(self, matrix):
        found = as_covariance(matrix)
        assert np.array_equal(found, matrix)
        assert not found.flags.writeable

    @pytest.mark.parametrize("scale", [1e-200, 1e-9, 1.0, 1e9, 1e200])
    def test_what_is_valid_does_not_depend_on_the_unit(self, scale):
        good = np.array([[1, 0.5], [0.5, 1]]) * scale
        assert np.array_equal(as_covariance(good), good)
        with pytest.raises(TableError, match="x1 and x2"):
            as_covariance(np.array([[1, 1.001], [1.001, 1]]) * scale)

    def test_a_tuple_in_large_units_hides_nothing(self):
        matrix = np.diag([1e12, 1.0, 1.0])
        matrix[1, 2] = matrix[2, 1] = 2.0
        with pytest.raises(TableError, match=r"covariance of x2 and x3 is too large\. It is 2") as caught:
            as_covariance(matrix)
        assert caught.value.where.index == (1, 2)

    def test_rounding_of_a_singular_matrix_is_accepted(self):
        rng = np.random.default_rng(3)
        for n in (3, 8, 15):
            factor = rng.normal(size=(2, n)) * np.exp(3 * rng.normal(size=n))
            as_covariance(factor.T @ factor)
            orthogonal = np.linalg.qr(rng.normal(size=(n, n)))[0]
            # Variances of single tuples may be pure rounding, and even negative.
            values = np.zeros(n)
            values[0] = 1.0
            found = as_covariance((orthogonal * values) @ orthogonal.T)
            assert (np.diag(found) >= 0).all()

    def test_partners_equal_within_rounding_become_equal(self):
        matrix = np.array([[1.0, 0.3], [0.3 + 1e-12, 1.0]])
        found = as_covariance(matrix)
        assert found[0, 1] == found[1, 0] == pytest.approx(0.3)

    @pytest.mark.parametrize(
        ("matrix", "message", "kind", "index"),
        [
            ([[1, 0.2], [0.3, 1]], "not symmetric: a and b has 0.2 and b and a has 0.3", "cell", (0, 1)),
            (
                [[1, 2], [2, 1]],
                "a and b is too large. It is 2; with variances 1 and 1 it must be from -1 to 1",
                "cell",
                (0, 1),
            ),
            ([[1, math.nan], [0, 1]], "a and b is nan; it must be a finite number", "cell", (0, 1)),
            ([[1, 0], [0, math.inf]], "b with itself is inf; it must be a finite", "cell", (1, 1)),
            ([[1, 0], [0, 1e305]], "b with itself is 1e.305; .*at most 1e301", "cell", (1, 1)),
            ([[1, 0], [0, -1]], "variance of b is -1; a variance is 0 or more", "cell", (1, 1)),
            ([[1, 0, 0], [0, 1, 0]], r"shape \(2, 3\)", "table", None),
            ([1, 2], r"shape \(2,\)", "table", None),
            ([], r"shape \(0,\)", "table", None),
            (3.0, "single number", "table", None),
            ("cov", "not an array of numbers", "table", None),
            ([[1, 2], [3]], "not an array of numbers", "table", None),
        ],
    )
    def test_what_is_refused_names_the_cell(self, matrix, message, kind, index):
        names = ["a", "b"] if kind == "cell" else None
        with pytest.raises(TableError, match=message) as caught:
            as_covariance(matrix, names)
        assert (caught.value.where.kind, caught.value.where.index) == (kind, index)

    def test_three_pairs_that_do_not_go_together(self):
        matrix = [[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]]
        smallest = np.linalg.eigvalsh(matrix)[0]
        with pytest.raises(TableError, match=f"smallest eigenvalue is {smallest:.6g}.*nearest_covariance"):
            as_covariance(matrix)


class TestCorrelation:
    @given(valid())
    def test_back_and_forth(self, matrix):
        correlation, deviations = to_correlation(matrix)
        assert (np.abs(correlation) <= 1 + 1e-12).all()
        assert (np.diag(correlation) == 1).all()
        np.testing.assert_allclose(from_correlation(correlation, deviations), matrix, atol=1e-12)

    def test_a_tuple_without_variance_is_correlated_with_none(self):
        correlation, deviations = to_correlation([[0, 0], [0, 4]])
        assert (correlation.tolist(), deviations.tolist()) == ([[1, 0], [0, 1]], [0, 2])

    def test_faults(self):
        with pytest.raises(TableError, match="correlation of a with itself is 2; it must be 1"):
            from_correlation([[2, 0], [0, 1]], 1.0, ["a", "b"])
        with pytest.raises(TableError, match=r"correlation of a and b is 1\.5; it must be from -1 to 1") as c:
            from_correlation([[1, 1.5], [1.5, 1]], 1.0, ["a", "b"])
        assert c.value.where.index == (0, 1)
        with pytest.raises(TableError, match="correlation matrix is not positive semi-definite"):
            from_correlation([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
        with pytest.raises(DomainError, match=r"standard deviation of b is -1; .* 0 or more") as c:
            from_correlation(np.eye(2), [1, -1], ["a", "b"])
        assert c.value.where.axis == 1
        with pytest.raises(DomainError, match=r"shape \(3,\) for 2 tuples"):
            from_correlation(np.eye(2), [1, 1, 1])
        with pytest.raises(DomainError, match="standard deviation is 'x'"):
            from_correlation(np.eye(2), "x")

    @pytest.mark.parametrize("n", [1, 2, 3, 15])
    def test_equal_correlations_have_a_least_value(self, n):
        least = -1 / (n - 1) if n > 1 else -1.0
        assert is_positive_semidefinite(equicorrelation(n, least))
        assert is_positive_semidefinite(equicorrelation(n, 1.0))
        with pytest.raises(DomainError, match=f"equal correlations of {n} tuples are from {least:.6g}"):
            equicorrelation(n, least - 0.001)
        with pytest.raises(DomainError, match=r"The correlation is 1\.1"):
            equicorrelation(n, 1.1)

    def test_the_setting_of_figure_4d_does_not_exist(self):
        with pytest.raises(DomainError, match=r"from -0\.0714286 "):
            equicorrelation(15, -0.8)


def certificate(given_, found):
    """Return how far a correlation matrix is from meeting the conditions of the nearest one.

    It is nearest exactly if found - given - diag(y) = Z with Z positive semi-definite and Z found = 0.
    """
    change = found - given_
    y = np.diag(change @ found)
    slack = change - np.diag(y)
    return max(np.abs(slack @ found).max(), -np.linalg.eigvalsh(slack)[0])


class TestNearest:
    @given(symmetric())
    def test_keeping_variances(self, matrix):
        assume((np.diag(matrix) > 0.1).all())
        found = nearest_covariance(matrix)
        assert np.array_equal(as_covariance(found), found)
        assert np.array_equal(np.diag(found), np.diag(matrix))
        assert certificate(to_correlation(matrix)[0], to_correlation(found)[0]) < 1e-6

    @given(symmetric())
    def test_not_keeping_them(self, matrix):
        found = nearest_covariance(matrix, keep_variances=False)
        assert np.array_equal(as_covariance(found), found)
        # No valid matrix is nearer: the change is orthogonal to the result and positive semi-definite.
        change = found - matrix
        assert np.linalg.eigvalsh(change)[0] > -1e-6
        assert abs((change * found).sum()) < 1e-6

    def test_the_example_of_the_paper(self):
        """Higham 2002, Section 4: unit diagonal, ones beside it; distance 0.5278."""
        given_ = np.array([[1.0, 1, 0], [1, 1, 1], [0, 1, 1]])
        found = nearest_covariance(given_)
        assert found.round(4).tolist() == [[1, 0.7607, 0.1573], [0.7607, 1, 0.7607], [0.1573, 0.7607, 1]]
        assert np.linalg.norm(found - given_) == pytest.approx(0.5278, abs=1e-4)

    @given(valid())
    def test_a_valid_matrix_stays(self, matrix):
        assert np.array_equal(nearest_covariance(matrix), matrix)
        assert np.array_equal(nearest_covariance(matrix, keep_variances=False), matrix)

    def test_it_does_not_depend_on_the_units(self):
        matrix = np.array([[1.0, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
        units = np.array([1e-3, 1.0, 1e3])
        found = nearest_covariance(matrix * units * units[:, None])
        np.testing.assert_allclose(found, nearest_covariance(matrix) * units * units[:, None], rtol=1e-9)

    def test_a_tuple_without_variance(self):
        found = nearest_covariance([[0, 1, 0], [1, 1, 3], [0, 3, 4]])
        assert found.round(9).tolist() == [[0, 0, 0], [0, 1, 2], [0, 2, 4]]

    def test_twenty_tuples(self):
        rng = np.random.default_rng(2)
        matrix = rng.uniform(-1, 1, (20, 20))
        matrix = (matrix + matrix.T) / 2
        np.fill_diagonal(matrix, 1.0)
        found = nearest_covariance(matrix)
        assert certificate(matrix, found) < 1e-6

    def test_a_negative_variance_cannot_be_kept(self):
        with pytest.raises(TableError, match="variance of b is -1 and cannot be kept") as caught:
            nearest_covariance([[1, 0], [0, -1]], names=["a", "b"])
        assert caught.value.where.index == (1, 1)
        assert nearest_covariance([[1, 0], [0, -1]], keep_variances=False).tolist() == [[1, 0], [0, 0]]

    def test_what_is_no_symmetric_matrix(self):
        with pytest.raises(TableError, match="not symmetric"):
            nearest_covariance([[1, 0.2], [0.3, 1]])


class TestRange:
    @given(valid(), st.data())
    def test_inside_is_valid_and_outside_is_not(self, matrix, data):
        n = matrix.shape[0]
        i, j = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
        low, high = valid_range(matrix, i, j)
        size = math.sqrt(matrix[i, i] * matrix[j, j]) if i != j else max(matrix.max(), 1.0)
        current = matrix[i, j]
        assert low - 1e-7 * size <= current <= high + 1e-7 * size

        def with_entry(value):
            changed = matrix.copy()
            changed[i, j] = changed[j, i] = value
            return changed

        for value in (low, high if math.isfinite(high) else 10 * low + 1, (low + min(high, low + 1)) / 2):
            as_covariance(with_entry(value))
        # The square of what is beyond shows in the eigenvalue of a singular matrix.
        step = 0.01 * max(size, 1.0)
        assert not is_positive_semidefinite(with_entry(low - step)) or with_entry(low - step)[i, i] < 0
        if math.isfinite(high):
            assert not is_positive_semidefinite(with_entry(high + step))

    @given(symmetric(3, 3))
    def test_three_tuples_by_the_determinant(self, matrix):
        a, b, c = np.diag(matrix)
        p, q = matrix[0, 2], matrix[1, 2]
        assume(c > 0.1 and a * c > p * p + 1e-3 and b * c > q * q + 1e-3)
        low, high = valid_range(matrix, 0, 1)
        # The determinant is -c x^2 + 2 p q x + a b c - b p^2 - a q^2.
        roots = np.roots([-c, 2 * p * q, a * b * c - b * p * p - a * q * q])
        np.testing.assert_allclose([low, high], np.sort(roots.real), atol=1e-7)

    def test_the_entry_itself_may_be_anything(self):
        assert valid_range([[1, 7.0], [7.0, 1]], 0, 1) == (-1, 1)
        low, high = valid_range([[1, 0.5], [0.5, -3]], 1, 1)
        assert (low, high) == (pytest.approx(0.25), math.inf)

    def test_none_where_the_others_are_at_fault(self):
        matrix = np.eye(4)
        matrix[0, 1] = matrix[1, 0] = 2.0
        assert valid_range(matrix, 2, 3) is None
        assert valid_range(matrix, 0, 2) is None
        assert valid_range(matrix, 2, 2) is None
        assert valid_range(matrix, 0, 1) == (-1, 1)
        # More variance of x1 makes room for the covariance of 2.
        assert valid_range(matrix, 0, 0) == (pytest.approx(4.0), math.inf)

    @pytest.mark.parametrize(("i", "j"), [(-1, 0), (0, 2), (True, 0), (0, "a")])
    def test_no_such_entry(self, i, j):
        with pytest.raises(DomainError, match=r"There is no entry .* positions are 0 to 1"):
            valid_range(np.eye(2), i, j)


class TestRegression:
    @given(valid(), st.data())
    def test_what_is_left_is_uncorrelated_with_what_is_given(self, matrix, data):
        n = matrix.shape[0]
        given_ = data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=n))
        found = Regression(matrix, given_)
        left = matrix[:, given_] - found.coefficients @ matrix[np.ix_(given_, given_)]
        np.testing.assert_allclose(left, 0, atol=1e-7 * max(1, matrix.max()))
        np.testing.assert_allclose(
            found.residual,
            matrix - matrix[:, given_] @ found.coefficients.T,
            atol=1e-7 * max(1, matrix.max()),
        )

    def test_values_that_can_occur(self):
        found = Regression(as_symmetric([[1, 1, 0], [1, 1, 0], [0, 0, 0]]), [0, 1, 2])
        assert found.can_occur(np.array([2.0, 2.0, 0.0]))
        assert not found.can_occur(np.array([2.0, 1.0, 0.0]))
        assert not found.can_occur(np.array([2.0, 2.0, 0.1]))
