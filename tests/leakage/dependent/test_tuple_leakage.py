"""Exact leakage of dependent tuples: closed forms, sums over rows, and searches that know no grid."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import JointDistribution, LinearQuery, SparseJoint, TableQuery, dependent_leakage
from pdp_widgets.dependent import IdentityQuery
from pdp_widgets.errors import DomainError, LimitError, QueryError, ScaleError, TableError
from pdp_widgets.leakage.dependent import conditional_outputs, product_grid
from pdp_widgets.leakage.dependent.conditional_outputs import ConditionalOutputs
from pdp_widgets.leakage.dependent.product_grid import ProductGrid
from pdp_widgets.models.dependence import product
from pdp_widgets.models.joint_examples import (
    agreeing_bits,
    coupled_uniform,
    identical_tuples,
    mod_three,
    simplex_code,
    xor_bits,
)
from tests.conftest import few
from tests.leakage import dependent_reference as reference

seeds = st.integers(0, 2**32 - 1)
scales = st.floats(0.2, 5.0)


def drawn(seed, n=3, vectors=False):
    """A random joint distribution of two or three values each, some rows of probability 0."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 4, size=n)
    domains = [
        [list(point) for point in rng.permutation(np.array([[0, 0], [1, 0], [0, 2], [1, 2]]))[:size].tolist()]
        if vectors
        else np.sort(rng.choice([-1.5, 0.0, 0.25, 1.0, 3.0], size, replace=False)).tolist()
        for size in sizes
    ]
    index = np.indices(sizes).reshape(n, -1).T
    index = index[rng.permutation(len(index))[: rng.integers(2, len(index) + 1)]]
    chances = rng.dirichlet(np.full(len(index), 0.5))
    chances[rng.random(len(index)) < 0.2] = 0
    chances[0] += 0.1
    rows = [[domains[j][k] for j, k in enumerate(row)] for row in index]
    return SparseJoint(rows, chances / chances.sum())


def slow(joint, outputs, scale, known=(), places=None):
    rows = joint.codes.tolist()
    return [
        reference.leakage(rows, outputs, joint.probabilities, scale, j, [k for k in known if k != j], places)
        for j in range(joint.n)
    ]


def numbers(leakages):
    return [float(one) for one in leakages]


@given(seeds, scales, st.sampled_from(["sum", "identity", "table", "two numbers"]), st.booleans())
def test_agrees_with_sums_over_rows(seed, scale, kind, knows):
    joint = drawn(seed)
    rng = np.random.default_rng(seed)
    query = {
        "sum": [1, -2, 0.5],
        "identity": IdentityQuery(),
        "table": TableQuery(rng.integers(0, 3, len(joint.codes))),
        "two numbers": TableQuery(rng.integers(0, 3, (len(joint.codes), 2))),
    }[kind]
    known = [1] if knows else []
    found = dependent_leakage(joint, query, scale, known)
    if kind == "sum":
        outputs = np.array([np.dot([1, -2, 0.5], row) for row in joint.support])
    elif kind == "identity":
        outputs = np.array(joint.support, dtype=float)
    else:
        outputs = query.outputs(joint)
    assert numbers(found) == pytest.approx(slow(joint, outputs, scale, known), abs=1e-9)


@given(seeds, scales)
def test_vector_values_have_distances_of_all_coordinates(seed, scale):
    joint = drawn(seed, n=2, vectors=True)
    outputs = [np.concatenate(row) for row in joint.support]
    found = dependent_leakage(joint, "identity", scale)
    assert numbers(found) == pytest.approx(slow(joint, outputs, scale), abs=1e-9)


@few()
@given(seeds, scales)
def test_no_output_off_the_grid_says_more(seed, scale):
    joint = drawn(seed)
    outputs = np.array(joint.support, dtype=float)[:, :2]
    rng = np.random.default_rng(seed)
    anywhere = rng.uniform(-4, 5, size=(60, 2))
    found = numbers(dependent_leakage(joint, TableQuery(outputs), scale))
    elsewhere = slow(joint, outputs, scale, places=anywhere.tolist())
    assert all(a >= b - 1e-9 for a, b in zip(found, elsewhere, strict=True))


@few()
@given(seeds, scales, scales)
def test_more_noise_never_leaks_more_and_blocks_bound_it(seed, first, second):
    joint = drawn(seed)
    low, high = sorted([first, second])
    for query in ("sum", "identity"):
        quiet, loud = (numbers(dependent_leakage(joint, query, scale)) for scale in (low, high))
        assert all(a >= b - 1e-10 for a, b in zip(quiet, loud, strict=True))
        assert all(0 <= one <= joint.diameters.sum() / low + 1e-9 for one in quiet)


@given(seeds, scales)
def test_who_knows_all_others_learns_what_differential_privacy_allows(seed, scale):
    joint = drawn(seed)
    for j, one in enumerate(dependent_leakage(joint, "sum", scale, known=range(joint.n))):
        assert float(one) <= joint.diameters[j] / scale + 1e-10


@pytest.mark.parametrize("n", [1, 2, 20])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e9])
def test_copies_leak_their_number(n, scale):
    assert numbers(dependent_leakage(identical_tuples(n), "sum", scale)) == pytest.approx(
        [n / scale] * n, rel=1e-9
    )


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_simplex_codes_have_a_closed_form(k, scale):
    expected = math.log(1 + 2.0 ** (1 - k) * (math.exp(2 ** (k - 1) / scale) - 1))
    found = numbers(dependent_leakage(simplex_code(k), "sum", scale))
    assert found == pytest.approx([expected] * (2**k - 1), abs=1e-9)


def test_example_1_leaks_more_about_the_other_tuple():
    for points in (3, 5, 9):
        found = dependent_leakage(coupled_uniform(0.5, points), "sum", 1.0)
        assert numbers(found) == pytest.approx([1.5, 2.0], abs=1e-9)


def test_bits_that_never_agree():
    assert numbers(dependent_leakage(agreeing_bits(0.0), "sum", 1.0)) == [0, 0]
    assert numbers(dependent_leakage(agreeing_bits(0.0), "identity", 1.0)) == pytest.approx([2, 2])


def test_a_sum_modulo_three_says_nothing():
    joint = mod_three()
    query = TableQuery.of(joint, lambda a, b: (a + b) % 3)
    assert numbers(dependent_leakage(joint, query, 0.01)) == pytest.approx([0, 0], abs=1e-12)


def test_what_is_attained_is_attained():
    joint = coupled_uniform(0.5, 5)
    for one in dependent_leakage(joint, "identity", 0.7):
        at = one.attained
        j = joint.axis(one.about.target)
        rows = [tuple(row) for row in joint.support]
        more, less = (
            reference.density(rows, rows, joint.probabilities, 0.7, {j: value}, at.output)
            for value in at.pair
        )
        assert math.log(more / less) == pytest.approx(float(one), abs=1e-9)
    known = dependent_leakage(xor_bits(), "sum", 1.0, ["x2"])[0]
    assert known.about.known == (("x2", None),)
    assert known.attained.known in ((("x2", 0),), (("x2", 1),))
    assert known.attained.side == "<="
    assert known.attained.r == known.attained.output[0]


def test_a_value_that_is_certain_leaks_nothing():
    joint = SparseJoint([[0, 0], [1, 0], [2, 1]], [0, 0.5, 0.5])
    found = dependent_leakage(SparseJoint([[7, 0], [7, 1]], [0.5, 0.5]), "sum", 1.0)
    assert (float(found[0]), found[0].determined, found[0].attained) == (0.0, True, None)
    # The value 0 of the first tuple cannot occur: it is in no pair.
    assert dependent_leakage(joint, "identity", 1.0)[0].attained.pair in ((1, 2), (2, 1))


def test_a_table_and_its_rows_leak_the_same():
    table = JointDistribution([[0.4, 0.1], [0.2, 0.3]], names=["Ann", "Bob"])
    query = LinearQuery([[0, 1], [0, 5]])
    first = dependent_leakage(table, query, 2.0)
    second = dependent_leakage(SparseJoint.from_joint(table), [1, 5], 2.0)
    assert numbers(first) == pytest.approx(numbers(second), abs=1e-12)
    assert str(first[1].about) == "Bob, knowing none"


def test_independent_tuples_leak_what_each_says_alone():
    joint = product(agreeing_bits(0.8), SparseJoint([[0], [4]], [0.5, 0.5]))
    whole = numbers(dependent_leakage(joint, "identity", 1.5))
    pair = numbers(dependent_leakage(agreeing_bits(0.8), "identity", 1.5))
    assert whole == pytest.approx([*pair, 4 / 1.5], abs=1e-9)


class TestWays:
    """Large and narrow problems are computed in other ways; all give the same."""

    @pytest.mark.parametrize("seed", range(6))
    @pytest.mark.parametrize("scale", [2e-3, 0.05, 0.7, 40.0])
    def test_filters_agree_with_all_pairs(self, monkeypatch, seed, scale):
        rng = np.random.default_rng(seed)
        points = np.unique(rng.integers(0, 4, (14, 1 + seed % 3)) ** 1.5, axis=0)
        weights = rng.dirichlet(np.full(len(points), 0.4), 3)
        weights[0, : len(points) // 2] = 0
        grid = ProductGrid(points)
        apart = np.abs(points[:, None] - np.stack([grid.place(k) for k in range(grid.size)])).sum(axis=2)
        expected = np.logaddexp.reduce(
            np.log(np.maximum(weights, 1e-300))[:, :, None] - apart / scale, axis=1
        )
        for name, value in (("_MOST_PAIRS", 1 << 20), ("_MOST_PAIRS", 0), ("_ONE_PASS", 0), ("_LONG", 0)):
            monkeypatch.setattr(product_grid, name, value)
            found = grid.log_densities(weights / weights.sum(axis=1, keepdims=True), scale)
            shift = np.log(weights.sum(axis=1))[:, None]
            finite = expected > -500
            assert np.abs(found + shift - expected)[finite].max() < 1e-8
        assert (np.diff(product_grid._doubled(np.zeros((1, 9)), np.arange(9.0))) > 0).all()

    @pytest.mark.parametrize("scale", [1e-3, 0.5, 1e3])
    def test_lines_of_groups_agree_with_one_grid(self, monkeypatch, scale):
        rng = np.random.default_rng(3)
        bits = np.arange(32)[:, None] >> np.arange(5) & 1
        joint = SparseJoint(bits, rng.dirichlet(np.ones(32)))
        query = np.sqrt(np.arange(1, 6)).tolist()
        short = numbers(dependent_leakage(joint, query, scale, [0, 3]))
        monkeypatch.setattr(conditional_outputs, "_MOST_PAIRS", 0)
        stepped = numbers(dependent_leakage(joint, query, scale, [0, 3]))
        monkeypatch.setattr(ConditionalOutputs, "_lines", None)
        whole = numbers(dependent_leakage(joint, query, scale, [0, 3]))
        assert short == pytest.approx(whole, rel=1e-9, abs=1e-12)
        assert stepped == pytest.approx(whole, rel=1e-9, abs=1e-12)

    def test_tuples_in_parts_agree_with_all_at_once(self, monkeypatch):
        joint = simplex_code(3)
        whole = numbers(dependent_leakage(joint, "identity", 1.0, [2]))
        monkeypatch.setattr(conditional_outputs, "_MOST_NUMBERS", 1)
        assert numbers(dependent_leakage(joint, "identity", 1.0, [2])) == pytest.approx(whole, abs=1e-12)

    def test_a_small_scale_takes_logarithms_of_sums(self):
        joint = SparseJoint([[0, 0], [0, 1], [1, 0], [1, 1]], [0.45, 0.05, 0.05, 0.45])
        found = numbers(dependent_leakage(joint, "sum", 0.002))
        assert found == pytest.approx([500 + math.log(9)] * 2, abs=1e-9)

    def test_a_large_scale_keeps_its_digits(self):
        found = float(dependent_leakage(agreeing_bits(0.9), "sum", 1e12)[0])
        assert found == pytest.approx(1.8e-12, rel=1e-9)

    def test_twenty_thousand_outputs(self):
        rng = np.random.default_rng(0)
        values = rng.random(20_000)
        joint = SparseJoint(np.stack([np.arange(20_000) % 2, values], axis=1), np.full(20_000, 1 / 20_000))
        one = ConditionalOutputs.of(joint, values[:, None] * 50)
        (peaks,) = one.peaks([0], 1.0)
        assert 0 < peaks.values[0] < 1


def test_codes_without_gaps_are_found_for_any_number_of_digits():
    rng = np.random.default_rng(1)
    digits = rng.integers(0, 50, (200, 12))
    found = conditional_outputs.compact([(column, 50) for column in digits.T], 200)
    _, expected = np.unique(digits, axis=0, return_inverse=True)
    assert len(set(zip(found.tolist(), expected.reshape(-1).tolist(), strict=True))) == found.max() + 1


@pytest.mark.parametrize("scale", [0, -1, math.nan, math.inf, "1", None, True])
def test_scales_that_are_none_are_refused(scale):
    with pytest.raises(ScaleError, match="scale"):
        dependent_leakage(xor_bits(), "sum", scale)


def test_other_input_that_is_none_is_refused():
    with pytest.raises(TableError, match="give a SparseJoint or a JointDistribution"):
        dependent_leakage([[0.5, 0.5]], "sum", 1.0)
    with pytest.raises(QueryError, match="The query is"):
        dependent_leakage(xor_bits(), "product", 1.0)
    with pytest.raises(DomainError, match="no tuple named"):
        dependent_leakage(xor_bits(), "sum", 1.0, ["Ann"])
    with pytest.raises(ScaleError, match="too small beside outputs"):
        dependent_leakage(xor_bits(), "sum", 1e-320)


def test_too_large_grids_are_refused_with_their_size():
    rng = np.random.default_rng(0)
    joint = SparseJoint(rng.random((200, 3)), np.full(200, 1 / 200))
    with pytest.raises(LimitError, match=r"200 x 200 x 200 = 8,000,000 points; at most 2,000,000"):
        dependent_leakage(joint, "identity", 1.0)
