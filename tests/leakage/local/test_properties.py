"""Properties that hold for every table and every budget."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pdp_widgets.leakage.local.conditionals import Conditionals, conditional_rows
from pdp_widgets.leakage.local.joint_privacy_loss import joint_privacy_loss
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.leakage.local.subsets import singletons
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism, Channel
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.mechanisms.local.randomised_response import EXP, GRR, SS

NAMES = ("GRR", "EXP", "OUE", "SUE", "BLH", "OLH", "SHE", "SS")
ROOM = 1e-10

budgets = st.one_of(st.floats(1e-9, 12.0), st.sampled_from([0.0, 0.5, 40.0, 699.0, 701.0, 1000.0, math.inf]))
moderate = st.floats(0.01, 8.0)
seeds = st.integers(0, 2**32 - 1)


@st.composite
def tables(draw, least=1):
    shape = draw(st.tuples(st.integers(2, 5), st.integers(2, 5)))
    table = draw(arrays(np.int64, shape, elements=st.integers(0, 30)))
    assume((table.sum(axis=1) > 0).sum() >= least)
    return table


def leak(table, mechanism, output="raw"):
    return pair_leakage(table, mechanism, output).value


def rows_of(table):
    return conditional_rows(table).source(0)


def below(small, large):
    return small <= large + ROOM * max(1.0, large if math.isfinite(large) else 1.0)


@given(tables(), budgets)
def test_every_mechanism_lies_between_nothing_and_the_generic_bound(table, epsilon):
    bound = leak(table, AnyMechanism(epsilon))
    largest = float(singletons(conditional_rows(table), math.inf).value[0])
    assert below(bound, min(epsilon, largest))
    for name in NAMES:
        mechanism = mechanism_named(name, epsilon)
        raw, inferred = leak(table, mechanism), leak(table, mechanism, "inferred")
        assert inferred >= 0
        assert below(inferred, raw), name
        assert below(raw, bound), name
        if name in ("OUE", "SUE", "BLH", "OLH", "SHE"):
            assert raw == pytest.approx(bound, rel=1e-12, abs=1e-22), name


@given(tables(), budgets, budgets)
def test_the_generic_bound_never_falls_with_the_budget(table, a, b):
    low, high = sorted((a, b))
    assert below(leak(table, AnyMechanism(low)), leak(table, AnyMechanism(high)))


@given(tables(), moderate, seeds, st.booleans())
def test_splitting_a_symbol_never_lowers_the_generic_bound(table, epsilon, seed, secret):
    rng = np.random.default_rng(seed)
    part = table if not secret else table.T
    first = rng.binomial(part[:, -1], rng.random())
    split = np.column_stack([part[:, :-1], first, part[:, -1] - first])
    split = split if not secret else split.T
    assert below(leak(table, AnyMechanism(epsilon)), leak(split, AnyMechanism(epsilon)))


@given(tables(), moderate, seeds, st.integers(2, 4))
def test_processing_never_adds_leakage(table, epsilon, seed, outputs):
    k = table.shape[1]
    matrix = GRR(epsilon).channel(k)
    after = matrix @ np.random.default_rng(seed).dirichlet(np.ones(outputs), k)
    assert below(leak(table, Channel(after / after.sum(axis=1, keepdims=True))), leak(table, Channel(matrix)))


@given(tables(), budgets, seeds, st.sampled_from(NAMES), st.sampled_from(["raw", "inferred"]))
def test_the_order_of_symbols_does_not_matter(table, epsilon, seed, name, output):
    rng = np.random.default_rng(seed)
    shuffled = table[rng.permutation(len(table))][:, rng.permutation(table.shape[1])]
    mechanism = mechanism_named(name, epsilon)
    assert leak(shuffled, mechanism, output) == pytest.approx(
        leak(table, mechanism, output), rel=1e-12, abs=1e-15
    )


@given(tables(), budgets, st.floats(0.001, 0.9))
def test_delta_changes_no_leakage_and_its_own_bounds_are_in_order(table, epsilon, delta):
    found = pair_leakage(table, AnyMechanism(epsilon, delta))
    assert found.value == leak(table, AnyMechanism(epsilon))
    assert 0 <= found.delta_tight <= found.delta_paper * (1 + 1e-9) + 1e-15
    assert found.delta_paper <= delta


@given(tables(), moderate, st.floats(0.001, 0.9))
def test_delta_is_valid_for_every_event_and_attained(table, epsilon, delta):
    """P(W|x) <= e^L P(W|x') + delta' for the mechanism that reveals a set with probability delta."""
    found = pair_leakage(table, AnyMechanism(epsilon, delta))
    rows = rows_of(table)
    excess = (
        np.maximum(rows[:, None] - math.exp(found.value) * rows[None], 0).sum(axis=2).max()
        if len(rows) > 1
        else 0
    )
    assert found.delta_tight == pytest.approx(delta * excess, abs=1e-12)


@given(arrays(np.int64, (3, 2), elements=st.integers(0, 30)), budgets)
def test_binary_sources_leave_one_family(table, epsilon):
    assume(table.any())
    wanted = leak(table, AnyMechanism(epsilon))
    for mechanism in (GRR(epsilon), SS(epsilon, omega=1)):
        assert leak(table, mechanism) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


@given(tables(), st.floats(0.0, 1500.0))
def test_exp_is_randomised_response_at_half_the_budget(table, epsilon):
    for output in ("raw", "inferred"):
        assert leak(table, EXP(epsilon), output) == leak(table, GRR(epsilon / 2), output)


@given(tables(), moderate)
def test_saturation_is_the_limit_and_zero_the_start(table, epsilon):
    found = pair_leakage(table, AnyMechanism(epsilon))
    assert below(found.value, found.saturation)
    assert leak(table, AnyMechanism(0.0)) == 0
    rows = rows_of(table)
    distance = max(np.maximum(a - b, 0).sum() for a in rows for b in rows)
    assert leak(table, AnyMechanism(1e-9)) == pytest.approx(1e-9 * distance, rel=1e-7, abs=1e-22)


@given(tables(), moderate)
def test_the_whole_budget_leaks_where_supports_are_disjoint_and_only_there(table, epsilon):
    rows = rows_of(table)
    disjoint = any((a * b).sum() == 0 for a in rows for b in rows)
    value = leak(table, AnyMechanism(epsilon))
    assert (abs(value - epsilon) < 1e-12) == disjoint or min((a * b).sum() for a in rows for b in rows) < 1e-9


@given(tables(), moderate, seeds)
def test_mixing_secret_values_never_adds_leakage(table, epsilon, seed):
    rows = rows_of(table)
    mixed = np.random.default_rng(seed).dirichlet(np.ones(len(rows)), 3) @ rows
    mixed /= mixed.sum(axis=1, keepdims=True)
    for name in ("generic", "GRR", "SS"):
        mechanism = mechanism_named(name, epsilon)
        assert below(pair_leakage(mixed, mechanism, conditional=True).value, leak(table, mechanism))


@given(tables(), budgets)
def test_unseen_symbols_change_nothing_but_subset_selection(table, epsilon):
    wider = np.column_stack([table, np.zeros(len(table), int)])
    taller = np.vstack([table, np.zeros(table.shape[1], int)])
    for name in ("generic", "GRR", "OUE"):
        mechanism = mechanism_named(name, epsilon)
        assert leak(wider, mechanism) == leak(table, mechanism)
    for name in ("generic", "GRR", "SS"):
        mechanism = mechanism_named(name, epsilon)
        assert leak(taller, mechanism) == pytest.approx(leak(table, mechanism), rel=1e-13)


def test_a_filler_of_subset_selection_matters():
    rows = np.array([[0.6, 0.4], [0.1, 0.9]])
    mechanism = SS(1.0, omega=2)
    assert pair_leakage(rows, mechanism, conditional=True).value == 0
    wider = np.column_stack([rows, [0.0, 0.0]])
    assert pair_leakage(wider, mechanism, conditional=True).value == pytest.approx(0.549948, abs=1e-6)


@given(
    seeds,
    st.floats(0.05, 4.0),
    st.sampled_from(["GRR", "OUE", "SS", "EXP"]),
    st.sampled_from(["raw", "inferred"]),
)
def test_bounds_of_all_reports_are_in_order(seed, epsilon, name, output):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(2, 4, 3))
    joint = rng.dirichlet(np.full(int(np.prod(shape)), 0.5)).reshape(shape)
    found = joint_privacy_loss(joint, 0, mechanism_named(name, epsilon), output)
    assert float(found.exact) == pytest.approx(found.dpl + float(found.others), rel=1e-12)
    assert below(float(found.lower), float(found.exact))
    assert below(float(found.exact), float(found.joint_bound))
    assert below(float(found.joint_bound), float(found.composition))
    statuses = [one.status for one in (found.lower, found.pairwise_sum, found.joint_bound, found.composition)]
    assert statuses == ["lower bound", "as printed", "bound", "bound"]


@given(seeds, st.floats(0.05, 3.0))
def test_the_printed_sum_holds_for_conditionally_independent_sources(seed, epsilon):
    rng = np.random.default_rng(seed)
    prior, *rows = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(2), 3), rng.dirichlet(np.ones(3), 3)
    joint = np.einsum("x,xa,xb->xab", prior, *rows)
    found = joint_privacy_loss(joint, 0, GRR(epsilon))
    assert found.sum_holds


@given(seeds, st.floats(0.05, 3.0))
def test_more_sources_never_leak_less(seed, epsilon):
    joint = np.random.default_rng(seed).dirichlet(np.full(16, 0.4)).reshape(2, 2, 2, 2)
    fewer = joint_privacy_loss(joint.sum(axis=3), 0, GRR(epsilon))
    assert below(float(fewer.others), float(joint_privacy_loss(joint, 0, GRR(epsilon)).others))


@given(tables(), st.floats(0.05, 6.0))
def test_rows_as_one_source_or_as_many_agree(table, epsilon):
    one = conditional_rows(table)
    twice = Conditionals.from_counts(
        np.concatenate([table, table], axis=1).astype(float), [table.shape[1]] * 2
    )
    assert singletons(twice, epsilon).value.tolist() == [float(singletons(one, epsilon).value[0])] * 2
