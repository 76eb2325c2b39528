"""Exact matrices, families of sets, and what each mechanism promises."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import BLH, EXP, GRR, OLH, OUE, RAPPOR, SHE, SS, SUE, Channel, LimitError
from pdp_widgets.local import LOSUE, THE, AnyMechanism, DeltaGRR
from pdp_widgets.mechanisms.local.attack import SubsetFamily
from tests.mechanisms.local.local_cases import BUDGETED, EXTREME, finite


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("epsilon", [0.0, 1e-9, 1.0, 5.0, 100.0, math.inf])
def test_rows_are_probabilities_and_columns_keep_the_promise(epsilon, k):
    for mechanism in finite(epsilon):
        if k == 1 and isinstance(mechanism, SS) and mechanism.omega == 2:
            continue
        matrix = mechanism.channel(k)
        assert np.abs(matrix.sum(axis=1) - 1).max() < 1e-12, mechanism
        assert (matrix >= 0).all()
        most, least = matrix.max(axis=0), matrix.min(axis=0)
        with np.errstate(divide="ignore"):
            ratios = np.log(most[most > 0]) - np.log(least[most > 0])
        assert ratios.max() == pytest.approx(mechanism.promise(k), abs=1e-9), mechanism


@pytest.mark.parametrize("k", [3, 4])
def test_likelihoods_have_two_levels_on_the_sets_of_the_family(k):
    for mechanism in finite(1.2):
        columns = mechanism.channel(k).T
        low = columns.min(axis=1, keepdims=True)
        raised = np.isclose(columns, low * mechanism.ratio(k), rtol=1e-12, atol=0)
        assert (raised | np.isclose(columns, low, rtol=1e-12, atol=0)).all(), mechanism
        sets = {tuple(row) for row in raised if 0 < row.sum() < k}
        sizes = {sum(one) for one in sets}
        family = mechanism.family(k)
        assert len(sets) == family.count(k), mechanism
        if family.kind != "all":
            assert sizes == {1 if family.kind == "singletons" else family.size}


def test_published_ratios():
    k = 7
    assert {kind(1.0).promise(k) for kind in (GRR, OUE, SUE, BLH, OLH, SHE, SS)} == {1.0}
    assert EXP(1.0).promise(k) == 0.5
    assert RAPPOR(0.5, 0.5, 0.75).ratio(k) == pytest.approx(77 / 45, rel=1e-14)
    delta = DeltaGRR(1.0, 0.05)
    assert delta.ratio(3) == pytest.approx(math.e + 0.05 * (math.e + 2) / 0.95, rel=1e-14)
    assert delta.ratio(9) > delta.ratio(3)
    assert AnyMechanism(1.0, 0.1).ratio(k) == math.e
    assert OLH(1.0).name == "OLH"


def test_families():
    assert GRR(1).family(5) == EXP(1).family(5) == DeltaGRR(1, 0.1).family(5) == SubsetFamily("singletons")
    for mechanism in (OUE(1), SUE(1), RAPPOR(0.5, 0.5, 0.75), BLH(1), OLH(1), SHE(1), AnyMechanism(1)):
        assert mechanism.family(5) == SubsetFamily("all")
    assert SS(1).family(16) == SubsetFamily("exactly", 4)
    assert SubsetFamily("exactly", 2).count(3) == 3
    assert SubsetFamily("exactly", 3).count(3) == 0
    assert SubsetFamily("singletons").count(1) == SubsetFamily("all").count(1) == 0


def test_one_symbol_promises_nothing():
    for mechanism in [*finite(2.0), SHE(2.0), AnyMechanism(2.0)]:
        if not isinstance(mechanism, SS):
            assert mechanism.promise(1) == 0
            assert mechanism.ratio(1) == 1
    assert SS(2.0).promise(1) == 0
    assert SS(2.0, omega=3).promise(3) == 0


@pytest.mark.parametrize("epsilon", EXTREME)
def test_promises_of_extreme_budgets(epsilon):
    for kind in BUDGETED:
        expected = epsilon / 2 if kind is EXP else epsilon
        assert kind(epsilon).promise(5) == expected
        assert kind(epsilon).ratio(5) == (math.inf if expected > 709.7 else math.exp(expected))
        assert kind(1.0).with_epsilon(epsilon) == kind(epsilon)
    odds = DeltaGRR(epsilon, 0.5).promise(4)
    assert odds == (
        math.inf
        if epsilon == math.inf
        else pytest.approx(epsilon + math.log1p(1 + 3 * math.exp(-epsilon)), rel=1e-14)
    )


@given(st.floats(0, 3), st.integers(2, 8))
def test_delta_randomised_response_is_private_up_to_delta(epsilon, k):
    delta = 0.03
    matrix = DeltaGRR(epsilon, delta).channel(k)
    excess = np.maximum(matrix[0] - math.exp(epsilon) * matrix[1], 0).sum()
    assert excess == pytest.approx(delta, abs=1e-12)


def test_published_parameters_of_rappor():
    one = RAPPOR(0.5, 0.5, 0.75)
    assert (one.p_star, one.q_star) == (11 / 16, 9 / 16)
    assert one.epsilon == pytest.approx(0.537142932083364, abs=1e-14)
    assert one.permanent_epsilon == pytest.approx(2.197224577336220, abs=1e-14)
    assert one.most_epsilon == pytest.approx(math.log(3), abs=1e-14)
    assert RAPPOR(0, 0, 1).epsilon == RAPPOR(0, 0.5, 1).epsilon == math.inf
    assert RAPPOR(0, 0.3, 0.4).permanent_epsilon == math.inf
    assert RAPPOR(1, 0.2, 0.9).epsilon == RAPPOR(0.3, 0.4, 0.4).epsilon == 0
    assert RAPPOR(0, 0, 0).epsilon == RAPPOR(0, 1, 1).epsilon == 0


def test_default_numbers_of_groups_and_sizes_of_sets():
    assert [OLH(e).groups for e in (0, 0.5, 1, 2, 3, 5)] == [2, 3, 4, 8, 21, 149]
    assert OLH(math.inf).groups == math.inf
    assert BLH(3).groups == 2
    cases = [(7, 1.0), (14, 1.0), (16, 1.0), (41, 1.0), (41, 3.0), (2, 0.0), (10, math.inf)]
    assert [SS(e).subset_size(k) for k, e in cases] == [1, 3, 4, 11, 1, 1, 1]
    assert [SS(e).nearest_subset_size(k) for k, e in cases][:5] == [2, 4, 4, 11, 2]


def test_given_matrices():
    channel = Channel([[0.5, 0.2, 0.2, 0.1, 0.0], [0.1, 0.4, 0.2, 0.2, 0.1]])
    assert channel.epsilon == channel.promise(2) == math.inf
    assert Channel([[0.7, 0.3, 0], [0.3, 0.7, 0]]).epsilon == pytest.approx(math.log(7 / 3))
    assert channel.channel(2).tolist() == [[0.5, 0.2, 0.2, 0.1, 0.0], [0.1, 0.4, 0.2, 0.2, 0.1]]
    assert not channel.two_level
    assert all(mechanism.two_level for mechanism in finite(1))
    assert Channel([[1.0]]).epsilon == 0


def test_only_subset_selection_and_matrices_keep_unseen_symbols():
    assert SS.keeps_unseen
    assert Channel.keeps_unseen
    assert not any(kind.keeps_unseen for kind in (GRR, EXP, OUE, SUE, RAPPOR, BLH, OLH, SHE, AnyMechanism))


@pytest.mark.parametrize("mechanism", [OUE(1), OLH(1), OLH(1000), SS(0.1, omega=20), GRR(1)], ids=str)
def test_matrices_too_large_to_be_made(mechanism):
    k = 3000 if isinstance(mechanism, GRR) else 40
    with pytest.raises(LimitError, match=f"exact matrix of {mechanism.name} for {k:,} symbols"):
        mechanism.channel(k)


def test_noisy_histograms_have_no_matrix():
    with pytest.raises(LimitError, match="SHE reports real numbers"):
        SHE(1).channel(3)


def test_bits_above_a_threshold_leak_less_than_the_numbers_they_are_made_of():
    for epsilon in (1e-6, 0.5, 1.0, 3.0, 20.0):
        best = THE(epsilon)
        for theta in (best.threshold - 1e-3, best.threshold + 1e-3, 0.5, 0.9):
            assert THE(epsilon, theta=theta).promise(4) < epsilon
            # Its estimates have the least variance that small shares can have.
            one, least = (made.variance([0.0, 1.0], 2, 100)[0] for made in (THE(epsilon, theta=theta), best))
            assert one >= least
    numbers = np.random.default_rng(2).laplace([1, 0], 2, (400_000, 2))
    seen = (numbers > THE(1.0).threshold).mean(axis=0)
    rates = THE(1.0).rates()
    assert seen == pytest.approx([rates.p, rates.q], abs=0.005)


def test_two_rounds_release_what_one_round_of_the_same_budget_does():
    for epsilon, alpha in ((1e-9, 0.5), (0.5, 0.25), (2.0, 1.0), (30.0, 0.9)):
        mechanism = LOSUE(epsilon, alpha=alpha)
        memoised = OUE(mechanism.permanent_epsilon).rates()
        kept = mechanism.kept
        shown = [bit * kept + (1 - bit) * (1 - kept) for bit in (memoised.p, memoised.q)]
        assert shown == pytest.approx([mechanism.rates().p, mechanism.rates().q], rel=1e-9)
        assert mechanism.permanent_epsilon >= mechanism.epsilon
