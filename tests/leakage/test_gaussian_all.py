"""All adversaries of Gaussian data at once: reference cases, both forms of Theorem 6, invariants, limits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import LimitError, QueryError, ScaleError
from pdp_widgets.leakage.adversary import column, known_of, layer
from pdp_widgets.leakage.gaussian import exact_all
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.models.gaussian_model import GaussianModel
from tests.leakage.gaussian_reference import (
    cases,
    known_sets,
    nearly_singular,
    random_model,
    theorem_6,
    variance_left,
)


def layer_max(values, n):
    columns = np.array([layer(n, c) for c in range(values.shape[1])])
    return [values[:, columns == k].max() for k in range(1, n + 1)]


@pytest.mark.parametrize("case", cases("gaussian_all"), ids=lambda case: case["id"])
def test_reference_cases(case):
    data, expected, tol = case["input"], case["expected"], case["tol"]
    model = GaussianModel(None, data["cov"])
    values, _ = gaussian_exact_all(model, data.get("weights"), data["lam"], data["M"])
    n = model.n_tuples
    for i, known, value in expected["nodes"]:
        assert values[i, column(n, i, known)] == pytest.approx(value, abs=tol, rel=tol)
    np.testing.assert_allclose(layer_max(values, n), expected["layer_max"], rtol=tol, atol=tol)
    assert values.max() == pytest.approx(expected["leakage"], abs=tol, rel=tol)


@pytest.mark.parametrize("seed", range(12))
def test_both_forms_of_theorem_6_agree(seed):
    """Schur complements against fractions, also where the covariance has lower rank."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    rank = int(rng.integers(1, n + 1))
    _, cov, weights = random_model(rng, n, rank)
    values, determined = gaussian_exact_all(GaussianModel(None, cov), weights, 0.7, 1.3)
    assert values.shape == determined.shape == (n, 1 << (n - 1))
    for i in range(n):
        for known in known_sets(n, i):
            c = column(n, i, known)
            fixed = variance_left(cov, i, known) < 1e-9
            assert determined[i, c] == fixed == (len(known) >= rank)
            expected = 0.0 if fixed else abs(theorem_6(cov, weights, i, known)) * 1.3 / 0.7
            assert values[i, c] == pytest.approx(expected, abs=1e-7, rel=1e-7)


@pytest.mark.parametrize("share", [1e-9, 10**-8.5, 1e-7, 1e-5])
def test_nearly_singular_covariances(share):
    """All at once, one alone and fractions: as many digits as the matrix leaves, and the same flags."""
    n = 6
    model, weights = nearly_singular(np.random.default_rng(1), n, 2, share)
    values, determined = gaussian_exact_all(model, weights)
    for i in range(n):
        for known in known_sets(n, i):
            c = column(n, i, known)
            alone = GaussianAdversary(model, i, known, weights=weights)
            left = variance_left(model.cov, i, known)
            assert determined[i, c] == alone.determined == alone.leakage.determined
            if abs(left / 1e-9 - 1) > 1e-6:
                assert alone.determined == (left < 1e-9)
            if not alone.determined:
                expected = abs(theorem_6(model.cov, weights, i, known))
                close = {"rel": 1e-14 / left, "abs": 1e-14 / left}
                assert float(alone.leakage) == pytest.approx(expected, **close)
                assert values[i, c] == pytest.approx(expected, **close)


def test_a_known_tuple_that_counts_as_fixed_moves_nothing():
    """Of x2 the others leave less than 1e-9: known all the same, it adds nothing, whatever its weight."""
    left, small = 0.9e-9, 2e-9
    own = np.array([[1, 0, 0], [0, left, 0.5 * left], [0, 0.5 * left, small]])
    mix = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1.0]])
    model = GaussianModel(None, mix @ own @ mix.T)
    for weight in (0.0, 100.0):
        values, determined = gaussian_exact_all(model, [1, weight, 3])
        assert not determined[2, column(3, 2, [0])]
        assert values[2, column(3, 2, [0, 1])] == 3.0
        alone = GaussianAdversary(model, 2, [0, 1], weights=[1, weight, 3])
        assert float(alone.leakage) == pytest.approx(3.0, rel=1e-6)
    four = np.pad(model.cov, (0, 1))
    four[3, 3] = 1.0
    values, _ = gaussian_exact_all(GaussianModel(None, four), [1, 100, 3, 1])
    assert values[2, column(4, 2, [0, 1])] == pytest.approx(3.0, rel=1e-5)


def test_the_adversary_takes_known_tuples_up_as_the_blocks_do():
    """Which of two tuples is left out for telling nothing more depends on the order: the same everywhere."""
    n = 14
    model, weights = nearly_singular(np.random.default_rng(5), n, 3, 3e-9)
    values, determined = gaussian_exact_all(model, weights)
    rng = np.random.default_rng(6)
    for i in range(n):
        for c in rng.integers(0, 1 << (n - 1), 20).tolist():
            alone = GaussianAdversary(model, i, known_of(n, i, c), weights=weights)
            assert determined[i, c] == alone.determined
            if not alone.determined:
                assert values[i, c] == pytest.approx(float(alone.leakage), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("rank", [3, 14])
def test_blocks_of_many_tuples(rank):
    """More tuples than one block holds: a sample of nodes against the adversary by itself."""
    n = 14
    rng = np.random.default_rng(rank)
    _, cov, weights = random_model(rng, n, rank)
    model = GaussianModel(None, cov)
    values, determined = gaussian_exact_all(model, weights)
    for i in range(n):
        for c in [0, (1 << (n - 1)) - 1, *rng.integers(0, 1 << (n - 1), 12).tolist()]:
            alone = GaussianAdversary(model, i, known_of(n, i, c), weights=weights)
            assert determined[i, c] == alone.determined
            assert values[i, c] == pytest.approx(float(alone.leakage), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("inner", [1, 2, 3, 5])
def test_the_size_of_a_block_changes_nothing(inner, monkeypatch):
    rng = np.random.default_rng(8)
    _, cov, weights = random_model(rng, 5)
    expected, _ = gaussian_exact_all(GaussianModel(None, cov), weights)
    monkeypatch.setattr(exact_all, "_INNER", inner)
    found, _ = gaussian_exact_all(GaussianModel(None, cov), weights)
    np.testing.assert_allclose(found, expected, rtol=1e-11)


@pytest.mark.parametrize("rho", [-0.1, -1 / 7, 0.0, 0.4, 0.999])
def test_equal_correlations(rho):
    """Section 8.3: k known and u unknown others give abs(1 + u rho / (1 + k rho)) M / lambda."""
    n = 8
    model = GaussianModel.equicorrelated(n, rho, variance=3.0)
    values, determined = gaussian_exact_all(model, None, 2.0, 0.5)
    for c in range(1 << (n - 1)):
        k = c.bit_count()
        left = 1 + k * rho
        # With the least correlation all others determine the last one.
        fixed = abs(left) < 1e-9
        assert determined[:, c].tolist() == [fixed] * n or (k == n - 1 and determined[:, c].all())
        if not determined[0, c]:
            expected = abs(1 + (n - 1 - k) * rho / left) * 0.25
            np.testing.assert_allclose(values[:, c], expected, rtol=1e-8, atol=1e-9)


def test_figure_4c():
    """Fig. 4(c): fifteen tuples, by layer."""
    for rho, top, eighth in ((0.2, 3.8, 1.583), (0.8, 12.2, 1.848)):
        by_layer = layer_max(gaussian_exact_all(GaussianModel.equicorrelated(15, rho))[0], 15)
        assert by_layer[0] == 1.0
        assert by_layer[14] == pytest.approx(top)
        assert by_layer[7] == pytest.approx(eighth, abs=1e-3)
        assert by_layer == sorted(by_layer)


def test_figure_4d_decreases_with_the_layer():
    by_layer = layer_max(gaussian_exact_all(GaussianModel.equicorrelated(15, -0.05))[0], 15)
    assert by_layer == sorted(by_layer, reverse=True)
    assert by_layer[14] == pytest.approx(0.30)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_the_weakest_and_the_strongest(seed, n):
    """Corollary 2, and the strongest adversary sees the target alone."""
    _, cov, weights = random_model(np.random.default_rng(seed), n)
    values, _ = gaussian_exact_all(GaussianModel(None, cov), weights, 0.5, 2.0)
    if n > 1:
        np.testing.assert_allclose(
            values[:, 0], 4 * np.abs(cov @ weights) / np.diag(cov), rtol=1e-9, atol=1e-12
        )
    np.testing.assert_array_equal(values[:, -1], np.abs(weights) * (2.0 / 0.5))


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_permuting_tuples_permutes_the_nodes(seed, n):
    rng = np.random.default_rng(seed)
    _, cov, weights = random_model(rng, n)
    order = rng.permutation(n)
    model = GaussianModel(None, cov)
    before, _ = gaussian_exact_all(model, weights)
    after, _ = gaussian_exact_all(model.reorder(order.tolist()), weights[order])
    for i in range(n):
        for c in range(1 << (n - 1)):
            known = [int(order[k]) for k in known_of(n, i, c)]
            there = before[order[i], column(n, int(order[i]), known)]
            assert after[i, c] == pytest.approx(there, rel=1e-7, abs=1e-8)


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.floats(-60, 60))
def test_the_unit_of_a_tuple_changes_nothing(seed, n, power):
    """Invariant 12: x_i and M scaled by c, a_i by 1/c."""
    rng = np.random.default_rng(seed)
    _, cov, weights = random_model(rng, n)
    units = np.ones(n)
    i = int(rng.integers(n))
    units[i] = c = 10.0**power
    base, _ = gaussian_exact_all(GaussianModel(None, cov), weights)
    scaled, _ = gaussian_exact_all(
        GaussianModel(None, cov * units * units[:, None]), weights / units, 1.0, float(c)
    )
    np.testing.assert_allclose(scaled[i], base[i], rtol=1e-7, atol=1e-9)


@given(st.integers(0, 2**32 - 1))
def test_an_independent_tuple_adds_nothing(seed):
    """Invariant 10, here with equality whether the tuple is known or not."""
    _, cov, weights = random_model(np.random.default_rng(seed), 4)
    wide = np.zeros((5, 5))
    wide[:4, :4], wide[4, 4] = cov, 2.0
    alone, _ = gaussian_exact_all(GaussianModel(None, cov), weights)
    beside, _ = gaussian_exact_all(GaussianModel(None, wide), [*weights, 3.0])
    # Slopes are quotients of what known tuples leave: rounding grows as the matrix comes close to singular.
    close = max(1e-9, 1e-12 * float(np.linalg.cond(cov)))
    for known in (slice(0, 8), slice(8, 16)):
        np.testing.assert_allclose(beside[:4, known], alone, rtol=close, atol=1e-12)
    np.testing.assert_allclose(beside[4], 3.0, rtol=1e-8)


def test_weights_of_zero_and_no_change():
    model = GaussianModel.equicorrelated(3, 0.5)
    assert not gaussian_exact_all(model, [0, 0, 0])[0].any()
    assert not gaussian_exact_all(model, max_change=0)[0].any()


def test_determined_targets():
    values, determined = gaussian_exact_all(GaussianModel(None, [[1, 1, 0], [1, 1, 0], [0, 0, 0]]))
    # x3 has no variance; x1 and x2 determine each other.
    assert determined.tolist() == [[False, True, False, True], [False, True, False, True], [True] * 4]
    assert values.tolist() == [[2, 0, 2, 0], [2, 0, 2, 0], [0] * 4]


def test_one_tuple():
    values, determined = gaussian_exact_all(GaussianModel(None, [[4.0]]), [-3], 2.0, 1.0)
    assert (values.tolist(), determined.tolist()) == ([[1.5]], [[False]])


def test_too_many_tuples():
    model = GaussianModel.equicorrelated(21, 0.1)
    with pytest.raises(LimitError, match=r"22,020,096 adversaries: 198 MB of results, about 1\.5 s"):
        gaussian_exact_all(model)
    with pytest.raises(LimitError, match=r"The limit is 20 tuples and 1e-06 s\. limit=math\.inf goes ahead"):
        gaussian_exact_all(GaussianModel.equicorrelated(10, 0.1), limit=1e-6)


def test_faulty_input():
    model = GaussianModel.equicorrelated(3, 0.1)
    with pytest.raises(QueryError, match="2 weights for 3 tuples"):
        gaussian_exact_all(model, [1, 2])
    with pytest.raises(ScaleError, match="The scale is -1"):
        gaussian_exact_all(model, scale=-1)
    with pytest.raises(QueryError, match="largest change is nan"):
        gaussian_exact_all(model, max_change=math.nan)
    with pytest.raises(TypeError, match="give a GaussianModel"):
        gaussian_exact_all([[1.0]])
