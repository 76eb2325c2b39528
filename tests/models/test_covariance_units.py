"""Which matrices are covariances does not depend on the units of the tuples; exact fractions judge."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pdp_widgets.errors import PdpError, TableError
from pdp_widgets.models.covariance import nearest_covariance, valid_range
from pdp_widgets.models.covariance_matrix import (
    SMALLEST,
    as_covariance,
    is_positive_semidefinite,
    smallest_eigenvalue,
)

CASES = json.loads((Path(__file__).parents[1] / "data" / "covariance-cases.json").read_text())["matrices"]

#: Standard deviations up to 1e15 apart, by powers of two: no entry is rounded.
powers = st.lists(st.integers(-25, 25), min_size=4, max_size=4).map(lambda k: [2.0**e for e in k])
small = st.integers(-3, 3)


def in_units(matrix, units):
    n = len(matrix)
    return np.array(matrix, dtype=float) * np.array(units[:n]) * np.array(units[:n])[:, None]


@st.composite
def grams(draw):
    """Covariances of integers, exact, of any rank."""
    n, rank = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    rows = [[draw(small) for _ in range(rank)] for _ in range(n)]
    return [[sum(a * b for a, b in zip(p, q, strict=True)) for q in rows] for p in rows]


@given(grams(), powers)
def test_every_covariance_of_whole_numbers_is_taken_in_any_units(matrix, units):
    made = in_units(matrix, units)
    assert is_positive_semidefinite(made)
    assert (as_covariance(made) == made).all()
    assert (nearest_covariance(made) == made).all()


@given(grams(), st.lists(st.floats(1e-8, 1e8), min_size=4, max_size=4))
def test_rounded_singular_matrices_are_taken_in_any_units(matrix, deviations):
    # Each entry is off by what a product of floats is off.
    assert is_positive_semidefinite(in_units(matrix, deviations))


@given(st.integers(0, 10**9), st.integers(2, 6), st.integers(1, 6))
def test_singular_matrices_put_together_from_eigenvectors_are_taken(seed, n, rank):
    rng = np.random.default_rng(seed)
    vectors = np.linalg.qr(rng.standard_normal((n, n)))[0]
    values = np.zeros(n)
    values[: min(rank, n)] = rng.uniform(0.1, 10.0, min(rank, n))
    matrix = (vectors * values) @ vectors.T
    assert is_positive_semidefinite(matrix / 2 + matrix.T / 2)


@given(st.floats(1 + 1e-5, 50), st.booleans(), powers, st.integers(0, 2), st.integers(-60, 60))
def test_no_units_hide_a_correlation_above_1(rho, negative, units, place, large):
    block = np.eye(3)
    i, j = [k for k in range(3) if k != place]
    block[i, j] = block[j, i] = -rho if negative else rho
    units[place] = 2.0**large
    made = in_units(block, units)
    assert not is_positive_semidefinite(made)
    with pytest.raises(TableError, match=f"covariance of x{i + 1} and x{j + 1} "):
        as_covariance(made)
    found = nearest_covariance(made)
    assert is_positive_semidefinite(found)
    assert np.allclose(np.diag(found), np.diag(made), rtol=1e-12)


@given(st.floats(0.51, 0.99), powers, st.integers(-60, 60))
def test_no_units_hide_three_correlations_that_do_not_fit(rho, units, large):
    # Every two of three tuples with correlation below -1/2: their sum would have a negative variance.
    block = np.full((4, 4), -rho)
    np.fill_diagonal(block, 1.0)
    block[3, :3] = block[:3, 3] = 0.0
    made = in_units(block, [*units[:3], 2.0**large])
    assert not is_positive_semidefinite(made)
    with pytest.raises(TableError, match="positive semi-definite"):
        as_covariance(made)
    assert is_positive_semidefinite(nearest_covariance(made))


def exactly_semidefinite(matrix):
    """Schur complements in exact fractions; every float is one."""
    left = [[Fraction(float(v)) for v in row] for row in matrix]
    n = len(left)
    for k in range(n):
        pivot = left[k][k]
        if pivot < 0 or (pivot == 0 and any(left[k][j] for j in range(k, n))):
            return False
        if pivot == 0:
            continue
        for i in range(k + 1, n):
            share = left[i][k] / pivot
            for j in range(k, n):
                left[i][j] -= share * left[k][j]
    return True


symmetric = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.integers(-4, 4), min_size=n * n, max_size=n * n).map(
        lambda flat: [[flat[min(i, j) * n + max(i, j)] for j in range(n)] for i in range(n)]
    )
)


@given(symmetric, powers)
def test_the_judgement_is_that_of_exact_fractions(matrix, units):
    # Entries of at most 4: an eigenvalue that is not 0 is far from the tolerance. A variance that is none is
    # judged by the largest: its units must not make it rounding of that.
    if min(matrix[i][i] for i in range(len(matrix))) <= 0:
        units = [2.0 ** (math.log2(unit) // 4) for unit in units]
    assert is_positive_semidefinite(in_units(matrix, units)) == exactly_semidefinite(matrix)


extreme = st.one_of(
    st.just(0.0),
    st.floats(-1e3, 1e3),
    st.floats(-(2.0**1000), 2.0**1000, allow_subnormal=True),
    st.sampled_from([5e-324, -5e-324, 1e-310, 2.0**1000, 1e16, 1e-16]),
)


@st.composite
def any_symmetric(draw):
    n = draw(st.integers(1, 4))
    flat = draw(st.lists(extreme, min_size=n * n, max_size=n * n))
    matrix = np.array(flat).reshape(n, n)
    return np.triu(matrix) + np.triu(matrix, 1).T


def fault_of(function, *given):
    """Return why input is refused, empty when it is not; nothing but a fault of input may be raised."""
    try:
        function(*given)
    except PdpError as fault:
        return str(fault)
    return ""


# The product of two roots of the largest variance was an ulp above it, and the result refused.
OF_THE_LARGEST = [[2.0**1000, 1e300, 2.0**1000], [1e300, 2.0**1000, 8.095974316609603e300]]


@given(any_symmetric())
@example(np.array([*OF_THE_LARGEST, [2.0**1000, 8.095974316609603e300, 1.0]]))
def test_any_symmetric_matrix_is_taken_or_refused_in_words(matrix):
    assert math.isfinite(smallest_eigenvalue(matrix))
    refused = fault_of(as_covariance, matrix)
    assert refused == "" or "must be" in refused or "a variance is 0 or more" in refused
    assert "eigenvalue is 0," not in refused
    variances = np.diag(matrix)
    keep = bool(((variances == 0) | (variances >= SMALLEST)).all())
    found = nearest_covariance(matrix, keep_variances=keep)
    assert np.isfinite(found).all()
    assert is_positive_semidefinite(found)


@given(any_symmetric(), st.integers(0, 3), st.integers(0, 3))
def test_a_range_is_two_numbers_in_order(matrix, i, j):
    n = len(matrix)
    found = valid_range(matrix, i % n, j % n)
    if found is None:
        return
    low, high = found
    assert math.isfinite(low)
    assert low <= high
    assert math.isfinite(high) or (i % n == j % n and high == math.inf)


@given(symmetric, st.integers(0, 3), st.integers(0, 3), powers)
def test_the_ends_of_a_range_are_where_matrices_begin_to_be_valid(matrix, i, j, units):
    n = len(matrix)
    i, j = i % n, j % n
    made = in_units(matrix, units)
    found = valid_range(made, i, j)
    size = units[i] * units[j]
    if found is None:
        other = np.array(matrix, dtype=float)
        # No value of this entry would do; large ones stand for the variances.
        for value in [0, 5, 50, 5000] if i == j else [-4, -1, 0, 1, 4]:
            other[i, j] = other[j, i] = value
            assert not exactly_semidefinite(other)
        return
    for end, outwards in ((found[0], -1e-3 * size), (found[1], 1e-3 * size)):
        if math.isinf(end):
            continue
        made[i, j] = made[j, i] = end - outwards
        assert is_positive_semidefinite(made) or found[1] - found[0] < 2e-3 * size
        made[i, j] = made[j, i] = end + outwards
        # Among those of large tuples an entry of one without variance counts as what rounding leaves.
        assert not is_positive_semidefinite(made) or 1e-3 * size <= 1e-8 * made.max()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_cases_shared_with_the_browser(case):
    matrix = np.array(case["matrix"], dtype=float)
    assert is_positive_semidefinite(matrix) == case["valid"]


@pytest.mark.parametrize("variance", [5e-324, 1e-310, 2.0**-1001])
def test_a_variance_without_digits_is_refused_by_name(variance):
    with pytest.raises(TableError, match=r"The variance of x2 is .*; it must be 0, or at least 1e-301\."):
        as_covariance([[1, 0], [0, variance]])
