"""Invariants of the specification (section 15) for every adversary of random models."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    exact_all,
    prior_leakage,
)
from pdp_widgets.leakage.adversary import column, known_of
from pdp_widgets.prior import PriorAdversary
from tests.conftest import few
from tests.leakage.prior_reference import binary_models, known_sets, models

DISTINCT = st.integers(-400, 400).map(lambda k: k / 8)


def nodes(joint, mechanism, row):
    return exact_all(joint, mechanism, row)[0]


def chain(joint, mechanism, row):
    return PriorAnalysis(joint, mechanism, row).paper


@given(models(min_tuples=2), st.randoms(use_true_random=False))
def test_1_permuting_tuples_permutes_the_nodes(model, random):
    joint, mechanism, row = model
    n = joint.n_tuples
    order = random.sample(range(n), n)
    other = joint.reorder(order)
    moved = LaplaceMechanism(LinearQuery([mechanism.query.contributions[j] for j in order]), mechanism.scale)
    for compute in (nodes, chain):
        before = compute(joint, mechanism, row)
        after = compute(other, moved, [row[j] for j in order])
        for i in range(n):
            for c in range(2 ** (n - 1)):
                known = [order[k] for k in known_of(n, i, c)]
                expected = before[order[i], column(n, order[i], known)]
                assert after[i, c] == pytest.approx(expected, abs=1e-10, rel=1e-10)


@given(models(contributions=DISTINCT), st.randoms(use_true_random=False))
def test_1_reordering_labels_changes_nothing(model, random):
    joint, mechanism, row = model
    table, contributions, moved_row = joint.table, [], []
    for axis, y in enumerate(mechanism.query.contributions):
        order = random.sample(range(len(y)), len(y))
        table = np.take(table, order, axis=axis)
        contributions.append(y[order])
        moved_row.append(order.index(row[axis]))
    moved = LaplaceMechanism(LinearQuery(contributions), mechanism.scale)
    other = JointDistribution(table)
    np.testing.assert_allclose(
        nodes(other, moved, moved_row), nodes(joint, mechanism, row), atol=1e-10, rtol=1e-10
    )
    if all(len(set(y.tolist())) == len(y) for y in mechanism.query.contributions):
        np.testing.assert_allclose(
            chain(other, moved, moved_row), chain(joint, mechanism, row), atol=1e-10, rtol=1e-10
        )


@given(models(), st.lists(st.integers(-100, 100), min_size=4, max_size=4))
def test_2_an_offset_changes_nothing(model, offsets):
    joint, mechanism, row = model
    shifted = LaplaceMechanism(
        LinearQuery([y + d for y, d in zip(mechanism.query.contributions, offsets, strict=False)]),
        mechanism.scale,
    )
    for compute in (nodes, chain):
        np.testing.assert_allclose(
            compute(joint, shifted, row), compute(joint, mechanism, row), atol=1e-9, rtol=1e-9
        )


@given(models(), st.sampled_from([1e-6, 0.25, 3.0, 1e6]))
def test_3_one_unit_for_contributions_and_scale(model, factor):
    joint, mechanism, row = model
    scaled = LaplaceMechanism(
        LinearQuery([y * factor for y in mechanism.query.contributions]), mechanism.scale * factor
    )
    for compute in (nodes, chain):
        np.testing.assert_allclose(
            compute(joint, scaled, row), compute(joint, mechanism, row), atol=1e-9, rtol=1e-9
        )


@given(models())
def test_4_negating_contributions_leaves_the_exact_leakage(model):
    joint, mechanism, row = model
    negated = LaplaceMechanism(LinearQuery([-y for y in mechanism.query.contributions]), mechanism.scale)
    np.testing.assert_allclose(
        nodes(joint, negated, row), nodes(joint, mechanism, row), atol=1e-10, rtol=1e-10
    )


def test_4_negating_contributions_changes_the_chain_rule():
    """Erratum E7, table over3."""
    joint = JointDistribution.from_counts([[[1, 1], [1, 10]], [[1, 3], [2, 1]]])
    plain = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    negated = LaplaceMechanism(LinearQuery.weighted(joint, [-1, -1, -1]), 1.0)
    assert chain(joint, plain, [0, 0, 0])[0, 0] == pytest.approx(0.8133, abs=5e-5)
    assert chain(joint, negated, [0, 0, 0])[0, 0] == pytest.approx(0.8620, abs=5e-5)
    assert nodes(joint, negated, [0, 0, 0])[0, 0] == pytest.approx(0.4187, abs=5e-5)


@given(models(zeros=False))
def test_5_independent_tuples(model):
    joint, mechanism, row = model
    independent = JointDistribution.independent(joint.marginals())
    shares = mechanism.query.local_sensitivities / mechanism.scale
    for compute in (nodes, chain):
        found = compute(independent, mechanism, row)
        np.testing.assert_allclose(found, np.broadcast_to(shares[:, None], found.shape), atol=1e-9, rtol=1e-9)
    increments = PriorAnalysis(independent, mechanism, row).increments
    np.testing.assert_allclose(increments[~np.isnan(increments)], 0, atol=1e-9)


@given(models(max_tuples=3))
def test_6_bounds(model):
    """Exact and chain values obey the group bound; exact is at least each end, at most the worst case."""
    joint, mechanism, row = model
    analysis = PriorAnalysis(joint, mechanism, row)
    slack = 1e-9 * np.maximum(1, analysis.group_bounds)
    assert (analysis.exact <= analysis.group_bounds + slack).all()
    assert (analysis.paper <= analysis.group_bounds + slack).all()
    n = joint.n_tuples
    for i in range(n):
        for known in known_sets(n, i):
            value = analysis.exact[i, column(n, i, known)]
            adversary = analysis.adversary(i, known)
            for v in adversary.feasible:
                for w in adversary.feasible:
                    assert max(adversary.ends(v, w)) <= value + 1e-9 * max(1, value)
            worst = float(prior_leakage(joint, mechanism, i, known, convention="sup"))
            assert worst >= value - 1e-9 * max(1, value)


@given(binary_models(max_tuples=2, zeros=False))
def test_8_two_tuples_binary_target(model):
    """The chain value is the absolute left end, so it never overstates."""
    joint, mechanism, row = model
    analysis = PriorAnalysis(joint, mechanism, row)
    for i in range(2):
        low, _ = analysis.adversary(i).ends(0, 1)
        assert analysis.paper[i, 0] == pytest.approx(abs(low), abs=1e-9, rel=1e-9)
        assert analysis.paper[i, 0] <= analysis.exact[i, 0] + 1e-9 * max(1, analysis.exact[i, 0])


@given(models(), st.data())
def test_9_a_dense_grid_of_releases_never_exceeds_the_leakage(model, data):
    joint, mechanism, row = model
    i = data.draw(st.integers(0, joint.n_tuples - 1))
    known = {k: row[k] for k in data.draw(st.sampled_from(list(known_sets(joint.n_tuples, i))))}
    adversary = PriorAdversary(joint, mechanism, i, known)
    value = float(adversary.leakage)
    if adversary.leakage.determined:
        return
    centres = np.concatenate([m.centres for m in adversary.mixtures().values()])
    grid = np.linspace(centres.min() - 1, centres.max() + 1, 400)
    logs = np.stack([adversary.mixtures()[v].log_density(grid) for v in adversary.feasible])
    largest = float((logs.max(axis=0) - logs.min(axis=0)).max())
    assert largest <= value + 1e-9 * max(1, value)
    assert largest >= value - (grid[1] - grid[0]) / mechanism.scale - 1e-9 * max(1, value)


@given(models(max_tuples=3), st.lists(st.integers(1, 5), min_size=2, max_size=2))
def test_10_an_independent_tuple(model, weights):
    """Known, it changes nothing; unknown, it can only help to hide."""
    joint, mechanism, row = model
    n = joint.n_tuples
    extra = np.array(weights) / sum(weights)
    larger = JointDistribution(np.multiply.outer(joint.table, extra))
    more = LaplaceMechanism(LinearQuery([*mechanism.query.contributions, [0, 1.5]]), mechanism.scale)
    without, with_ = nodes(joint, mechanism, row), nodes(larger, more, [*row, 1])
    for i in range(n):
        for known in known_sets(n, i):
            value = without[i, column(n, i, known)]
            slack = 1e-9 * max(1, value)
            assert with_[i, column(n + 1, i, (*known, n))] == pytest.approx(value, abs=slack)
            hidden = with_[i, column(n + 1, i, known)]
            assert hidden <= value + slack
            one = PriorAdversary(joint, mechanism, i, {k: row[k] for k in known}).leakage
            if one.attained is not None and one.attained.side != "=":
                assert hidden == pytest.approx(value, abs=slack)


@few()
@given(st.lists(st.integers(1, 9), min_size=8, max_size=8), st.integers(0, 127))
def test_11_exchangeable_tables_depend_on_two_numbers(weights, bits):
    n = 7
    ones = np.indices((2,) * n).sum(axis=0)
    joint = JointDistribution.normalised(np.array(weights)[ones])
    row = [bits >> j & 1 for j in range(n)]
    values = nodes(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0), row)
    seen = {}
    for i in range(n):
        for c in range(2 ** (n - 1)):
            known = known_of(n, i, c)
            key = (len(known), sum(row[k] for k in known))
            assert values[i, c] == pytest.approx(seen.setdefault(key, values[i, c]), abs=1e-12)


def test_12_the_strongest_adversary_learns_the_share_of_one_tuple():
    """Theorem 4 where both extreme labels can occur, and errata E8 where they cannot."""
    joint = JointDistribution([[0.5, 0], [0, 0.5]])
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    assert nodes(joint, mechanism, [1, 1])[:, 1].tolist() == [0.0, 0.0]
    assert chain(joint, mechanism, [1, 1])[:, 1].tolist() == [1.0, 1.0]


def test_equal_tuples_attain_the_group_bound():
    table = np.zeros((2, 2, 2))
    table[0, 0, 0] = table[1, 1, 1] = 0.5
    joint = JointDistribution(table)
    analysis = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1.0), [1, 1, 1])
    np.testing.assert_allclose(analysis.exact[:, 0], 3.0, atol=1e-13)
    np.testing.assert_allclose(analysis.paper[:, 0], 2.0, atol=1e-12)
    assert not analysis.exact[:, 1:].any()
