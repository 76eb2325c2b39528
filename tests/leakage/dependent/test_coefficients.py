"""Dependence coefficients: their definitions, their order, and what holds and what does not hold of them."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import SparseJoint, dependent_leakage
from pdp_widgets.dependent import dependence_coefficients
from pdp_widgets.errors import DomainError, ScaleError
from pdp_widgets.leakage.dependent import coefficients as module
from pdp_widgets.leakage.dependent.coefficients import dependent_ratios
from pdp_widgets.models.joint_examples import (
    agreeing_bits,
    coupled_uniform,
    covered_shift,
    identical_tuples,
    simplex_code,
)
from tests.leakage import dependent_reference as reference

KINDS = ("exact", "mean", "eq18", "eq18_per_term")
seeds = st.integers(0, 2**32 - 1)
scales = st.one_of(st.floats(0.05, 20.0), st.sampled_from([1e-3, 1e5]))


def pairs(conditional, values):
    """Two tuples with given conditionals of the second."""
    rows = np.asarray(conditional, float)
    return SparseJoint([[a, value] for a in range(len(rows)) for value in values], (rows / len(rows)).ravel())


def drawn(seed, n=3):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 4, n)
    index = np.indices(sizes).reshape(n, -1).T
    chances = rng.dirichlet(np.full(len(index), 0.3))
    values = [np.sort(rng.choice(np.arange(-6, 7) / 3, size, replace=False)) for size in sizes]
    rows = [[float(values[j][k]) for j, k in enumerate(row)] for row in index]
    return SparseJoint(rows, chances / chances.sum())


def largest(joint, scale, kind, i=0, j=1):
    return float(dependence_coefficients(joint, scale, kind)[i, j])


@given(seeds, st.floats(0.1, 8.0), st.integers(1, 2))
def test_agree_with_their_definitions(seed, scale, m):
    rng = np.random.default_rng(seed)
    points = np.unique(rng.integers(0, 4, (5, m)) / 2, axis=0)
    law = rng.dirichlet(np.full(len(points), 0.4), 3)
    law[rng.random(law.shape) < 0.3] = 0
    law[:, 0] += 0.05
    law /= law.sum(axis=1, keepdims=True)
    joint = pairs(law, points.tolist() if m > 1 else points[:, 0].tolist())
    span = joint.diameters[1]
    if not span:
        return
    expected = reference.coefficient_bounds(law.tolist(), points.tolist(), scale)
    for kind, value in zip(KINDS, expected, strict=True):
        found = dependent_ratios(joint, joint.points, scale, kind)[0, 1]
        assert found == pytest.approx(value, abs=1e-9)
        assert largest(joint, scale, kind) == pytest.approx(min(1.0, value * scale / span), abs=1e-9)


@given(seeds, scales)
def test_never_decrease_from_kind_to_kind(seed, scale):
    joint = drawn(seed)
    found = [dependence_coefficients(joint, scale, kind).values for kind in KINDS]
    for low, high in itertools.pairwise(found):
        assert (low <= high + 1e-9).all()
    assert found[0].min() >= 0
    assert found[-1].max() <= 1
    assert all((np.diag(one) == 1).all() for one in found)
    apart = ~np.eye(joint.n, dtype=bool)
    assert all(one[apart].min() >= 0.5 - 1e-9 for one in found[1:])


@given(seeds, st.floats(0.05, 20.0), st.floats(1.0, 4.0))
def test_ratios_fall_with_the_scale_and_so_does_the_paper_s_bound(seed, scale, factor):
    joint = drawn(seed)
    low, high = (dependent_ratios(joint, joint.points, s, "exact") for s in (scale, scale * factor))
    assert (high <= low + 1e-9).all()
    low, high = (dependence_coefficients(joint, s, "eq18").values for s in (scale, scale * factor))
    assert (high <= low + 1e-9).all()
    low, high = (dependence_coefficients(joint, s, "mean").values for s in (scale, scale * factor))
    assert high == pytest.approx(low, abs=1e-12)


@given(seeds, st.floats(0.1, 5.0))
def test_two_tuples_in_full_leak_the_own_distance_and_the_ratio_at_most(seed, scale):
    joint = drawn(seed, n=2)
    ratios = dependent_ratios(joint, joint.points, scale, "exact")
    for j, one in enumerate(dependent_leakage(joint, "identity", scale)):
        bound = joint.diameters[j] / scale + ratios[j, 1 - j]
        assert float(one) <= bound + 1e-9
        if len(joint.domains[j]) == 2:
            assert float(one) == pytest.approx(bound, abs=1e-9)


@pytest.mark.parametrize("p", [0.5, 0.6, 0.9, 1.0])
@pytest.mark.parametrize("scale", [0.1, 1.0, 30.0])
def test_bits_have_a_closed_form(p, scale):
    u = math.exp(-1 / scale)
    expected = scale * math.log((p + (1 - p) * u) / ((1 - p) + p * u))
    assert largest(agreeing_bits(p), scale, "exact") == pytest.approx(expected, abs=1e-9)
    assert largest(agreeing_bits(1 - p), scale, "exact") == pytest.approx(expected, abs=1e-9)


def test_what_the_paper_says_of_zero_and_one_and_what_holds():
    # 0 exactly under independence: the definition only.
    fair = agreeing_bits(0.5)
    assert largest(fair, 1.0, "exact") == pytest.approx(0, abs=1e-12)
    assert largest(fair, 1.0, "eq18") == pytest.approx(0.620114507)
    assert largest(fair, 0.25, "eq18") == pytest.approx(0.831, abs=5e-4)
    # Example 1: a half at every scale by the definition, more by the bounds.
    coupled = coupled_uniform(0.5, 9)
    for scale in (0.1, 1.0, 10.0):
        assert largest(coupled, scale, "exact") == pytest.approx(0.5, abs=1e-9)
    assert largest(coupled, 1.0, "mean") == pytest.approx(0.75)
    # Determined but not 1; 1 but not determined.
    half = pairs([[1, 0, 0], [0, 1, 0]], [0, 0.5, 1])
    assert largest(half, 1.0, "exact") == pytest.approx(0.5)
    assert largest(pairs([[1, 0], [0, 1], [0.5, 0.5]], [0, 1]), 1.0, "exact") == pytest.approx(1)
    # Not symmetric.
    joint = SparseJoint([[0, 0], [1, 0], [1, 1]], [0.5, 0.25, 0.25])
    found = dependence_coefficients(joint, 1.0)
    assert (found[0, 1], found[1, 0]) == pytest.approx((0.6201, 0.7634), abs=5e-5)
    # Not monotone in the scale.
    odd = pairs([[0.01, 0.98, 0.01], [0, 0.9999, 0.0001]], [0, 0.5, 1])
    seen = [largest(odd, scale, "exact") for scale in (0.01, 0.5, 50)]
    assert seen == pytest.approx([0.4539, 0.0063, 0.0099], abs=5e-5)


def test_pairs_do_not_see_what_three_say():
    for k in (2, 3, 4):
        for scale in (0.1, 1.0, 10.0):
            found = dependence_coefficients(simplex_code(k), scale).values
            assert found == pytest.approx(np.eye(2**k - 1), abs=1e-9)


def test_without_two_values_there_is_nothing_to_tell():
    joint = SparseJoint([[0, 5, 0], [0, 5, 1]], [0.5, 0.5])
    for kind in KINDS:
        found = dependence_coefficients(joint, 1.0, kind)
        assert found[0].tolist() == [1, 0, 0]
        assert found[2].tolist()[:2] == [0, 0]
    # A value without probability is in no pair but spans the domain.
    joint = SparseJoint([[0, 0], [1, 1], [2, 3]], [0.5, 0.5, 0])
    assert largest(joint, 1.0, "exact") == pytest.approx(1 / 3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scale", [1e-3, 0.3, 1e4])
def test_ways_of_computing_agree(monkeypatch, kind, scale):
    joint = covered_shift()
    whole = dependence_coefficients(joint, scale, kind).values
    monkeypatch.setattr(module, "_MOST_NUMBERS", 1)
    monkeypatch.setattr(module, "_LOST", np.inf)
    assert dependence_coefficients(joint, scale, kind).values == pytest.approx(whole, abs=1e-12)


def test_narrow_noise_needs_logarithms_of_sums():
    odd = pairs([[0.01, 0.98, 0.01], [0, 0.9999, 0.0001]], [0, 0.5, 1])
    assert largest(odd, 1e-3, "exact") == pytest.approx(0.5 - 1e-3 * math.log(0.9999 / 0.01), abs=1e-6)
    assert largest(odd, 1e-3, "eq18") == pytest.approx(1 + 1e-3 * math.log(0.01), abs=1e-9)
    assert largest(odd, 1e-3, "eq18_per_term") == pytest.approx(1 + 1e-3 * math.log(0.02), abs=1e-9)
    assert largest(identical_tuples(2), 1e-5, "exact") == pytest.approx(1, abs=1e-12)


def test_narrow_noise_where_the_farthest_value_cannot_be():
    joint = pairs([[0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0]], [0, 1, 2, 10])
    # One row reaches from 10 to 0, the other from 10 to 1.
    assert largest(joint, 1e-3, "eq18") == pytest.approx(1 + 1e-4 * math.log(0.5), abs=1e-9)
    far = pairs([[0, 1, 0, 0], [0, 0.5, 0.5, 0]], [0, 1, 2, 10])
    assert largest(far, 1e-3, "eq18") == pytest.approx(0.9, abs=1e-9)


def test_kinds_and_scales_that_are_none_are_refused():
    for kind in ("Exact", None, 3):
        with pytest.raises(DomainError, match="it is 'exact', 'mean', 'eq18' or 'eq18_per_term'"):
            dependence_coefficients(agreeing_bits(), 1.0, kind)
    with pytest.raises(ScaleError, match="positive"):
        dependence_coefficients(agreeing_bits(), 0)
    with pytest.raises(DomainError, match="no finite number"):
        dependence_coefficients(SparseJoint([["a"], ["b"]], [0.5, 0.5]), 1.0)
