"""What holds for every mechanism and every belief: rows, promises, samplers, closed forms."""

import math
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from pdp_widgets import (
    BalancedResponse,
    BudgetError,
    ConditionalResponse,
    DomainError,
    TableError,
)
from pdp_widgets.mechanisms.sequence.sequence_by_name import SEQUENCE_MECHANISMS
from pdp_widgets.streams import (
    BinaryOptimum,
    IdentityRelease,
    MutualInformationChannel,
    SafeTemporalResponse,
    TemporalResponse,
    TrimmedResponse,
    log_lift,
    sequence_mechanism_named,
)
from tests.mechanisms.sequence.stream_cases import BUDGETS, beliefs, keys, named, transitions

ALL = [kind.name for kind in SEQUENCE_MECHANISMS]


@pytest.mark.parametrize("epsilon", BUDGETS)
@pytest.mark.parametrize("key", ALL)
def test_matrices_leakages_rows_and_columns_agree(key, epsilon):
    for belief in beliefs(8, seed=7, symbols=None if key in keys(3) else 2):
        n = len(belief)
        mechanism = named(key, epsilon, n)
        step = mechanism.channel(belief)
        assert (step.matrix >= 0).all()
        assert step.matrix.sum(axis=1) == pytest.approx(1, abs=1e-12)
        assert step.leakage == max(step.upper, step.lower)
        if 700 < epsilon < math.inf:
            # Entries too small for a float are larger in the matrix.
            assert step.leakage >= log_lift(step.matrix, belief).leakage
        else:
            assert step.leakage == log_lift(step.matrix, belief).leakage
        assert step.output == pytest.approx(step.belief @ step.matrix, abs=1e-15)
        if mechanism.private:
            assert step.valid, (belief, step.leakage)
        many = np.repeat(belief[None], n, axis=0)
        assert mechanism.lifts(many) == pytest.approx(step.leakage, rel=1e-9, abs=1e-12)
        assert mechanism.matrices(many)[-1] == pytest.approx(step.matrix, abs=1e-14)
        columns = np.transpose(mechanism.likelihoods(np.arange(n), many))
        assert columns == pytest.approx(step.matrix, abs=1e-14)


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 1.5, 60.0, math.inf])
@pytest.mark.parametrize("key", ALL)
def test_releases_follow_the_matrix(key, epsilon):
    users = 4_001
    uniforms = np.linspace(0, 1, users, endpoint=False)
    for belief in beliefs(3, seed=3, symbols=4 if key in keys(4) else 2):
        mechanism = named(key, epsilon, len(belief))
        matrix = mechanism.channel(belief).matrix
        for symbol in range(len(belief)):
            released = mechanism.release(np.full(users, symbol), np.tile(belief, (users, 1)), uniforms)
            shares = np.bincount(released, minlength=len(belief)) / users
            assert shares == pytest.approx(matrix[symbol], abs=1e-3)
            assert (matrix[symbol][released] > 0).all()


@pytest.mark.parametrize("key", ["crr", "crr_shrunk", "crr_balanced", "crr_trimmed", "binary_optimum"])
def test_impossible_symbols_are_answered_with_possible_ones(key):
    for epsilon in (0.5, 5.0, math.inf):
        for belief in ([0.7, 0.3, 0.0], [0.98, 0.02, 0.0], [1.0, 0.0, 0.0]):
            short = belief if key != "binary_optimum" else [1.0, 0.0]
            mechanism = named(key, epsilon, len(short))
            step = mechanism.channel(short)
            assert (step.output > 0)[step.matrix[-1] > 0].all()
            assert step.matrix[-1] == pytest.approx(step.output, abs=1e-12)
            top = np.nextafter(1, 0)
            assert mechanism.release([len(short) - 1], [short], [top])[0] < len(short) - 1


@pytest.mark.parametrize("epsilon", BUDGETS)
def test_the_balanced_response_keeps_the_law_and_equals_the_closed_form_where_that_is_valid(epsilon):
    balanced, printed = BalancedResponse(epsilon), ConditionalResponse(epsilon)
    regimes = set()
    for belief in beliefs(60, seed=11):
        step, other = balanced.channel(belief), printed.channel(belief)
        assert step.output == pytest.approx(belief, abs=1e-12)
        if printed.valid(belief) and epsilon > 0:
            assert step.matrix == pytest.approx(other.matrix, abs=1e-12)
            assert step.regime == "crr"
        regimes.add(step.regime)
    if epsilon in (0.6, 1.0, 2.0):
        assert regimes == {"crr", "mixed", "pool"}


def test_the_optimum_for_two_symbols_costs_least():
    for epsilon in BUDGETS:
        for belief in beliefs(20, seed=5, symbols=2):
            best = BinaryOptimum(epsilon).channel(belief)
            for key in ("crr_balanced", "crr_trimmed", "crr_shrunk", "grr"):
                assert best.cost <= named(key, epsilon, 2).channel(belief).cost + 1e-12
            weight, m = math.exp(-epsilon), belief.min()
            cost = {
                "crr": 2 * m * (1 - m) * weight,
                "capped": (weight - m * (1 - weight)) / (1 + weight),
                "constant": m,
            }[best.regime]
            assert best.cost == pytest.approx(cost, abs=1e-14)
            assert best.leakage == pytest.approx(0 if best.regime == "constant" else epsilon)


def test_no_private_release_is_right_more_often_than_the_bound_allows():
    for epsilon in (0.2, 1.0, 2.0):
        for belief in beliefs(20, seed=13):
            for key in keys(len(belief)):
                mechanism = named(key, epsilon, len(belief))
                if mechanism.private:
                    hit = belief @ np.diag(mechanism.channel(belief).matrix)
                    assert hit <= math.exp(epsilon) * belief.max() + 1e-12


def test_no_mechanism_with_the_law_of_the_belief_beats_the_balanced_one_but_in_its_pool():
    from scipy.optimize import linprog

    for belief in beliefs(20, seed=17):
        n = len(belief)
        for epsilon in (0.5, 1.0, 2.0):
            step = BalancedResponse(epsilon).channel(belief)
            support = belief > 0
            low = np.where(support[:, None], math.exp(-epsilon) * step.belief, 0.0)
            high = np.where(support[:, None], np.minimum(math.exp(epsilon) * step.belief, 1.0), 1.0)
            best = linprog(
                (step.belief[:, None] * (1 - np.eye(n))).ravel(),
                A_eq=np.vstack([np.kron(np.eye(n), np.ones(n)), np.kron(step.belief, np.eye(n))]),
                b_eq=np.concatenate([np.ones(n), step.belief]),
                bounds=np.stack([low.ravel(), high.ravel()], axis=1),
            )
            if best.status == 0:
                assert step.cost >= best.fun - 1e-7
                if step.regime != "pool":
                    assert step.cost == pytest.approx(best.fun, abs=1e-7)


def test_trimming_suppresses_the_rarest():
    mechanism = TrimmedResponse(1.0)
    assert mechanism.outputs([0.5, 0.3, 0.15, 0.05]) == 2
    assert mechanism.outputs([0.25] * 4) == 4
    step = mechanism.channel([0.05, 0.5, 0.15, 0.3])
    assert (step.output > 0).tolist() == [False, True, False, True]
    assert step.regime == "the likeliest 2 of 4"
    assert TrimmedResponse(0.1).channel([0.7, 0.2, 0.1]).regime == "a constant"


def test_rounding_does_not_decide_which_of_equal_symbols_are_published():
    mechanism = TrimmedResponse(0.3)
    even = np.array([0.05, 0.25, 0.2, 0.2, 0.2, 0.1])
    published = mechanism.channel(even).output > 0
    assert published.tolist() == [False, True, True, True, False, False]
    rng = np.random.default_rng(2)
    for _ in range(50):
        near = even * (1 + rng.uniform(-4e-16, 4e-16, 6))
        assert ((mechanism.channel(near).output > 0) == published).all()


def test_no_information_is_no_leakage():
    for m in np.random.default_rng(4).random(300) / 2:
        step = MutualInformationChannel(0.0).channel([1 - m, m])
        assert step.leakage == 0
        assert step.cost == pytest.approx(m, abs=1e-15)
    assert MutualInformationChannel(0.0).channel([0.5, 0.5]).leakage == 0


def test_bounded_information_is_exhausted_and_bounds_no_worst_case():
    for epsilon in (0.01, 0.1, 0.3):
        for m in (0.2, 0.5, 0.05):
            mechanism = MutualInformationChannel(epsilon)
            belief = [1 - m, m]
            whole = -m * math.log(m) - (1 - m) * math.log(1 - m)
            assert mechanism.information(belief) == pytest.approx(min(epsilon, whole), abs=1e-9)
            assert mechanism.channel(belief).leakage > epsilon
    assert MutualInformationChannel(0.0).channel([0.8, 0.2]).leakage == 0
    assert MutualInformationChannel(math.inf).channel([0.8, 0.2]).cost == 0


def test_temporal_response_leaks_through_the_support_and_its_safe_variant_does_not():
    steps = [[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]]
    described, safe = TemporalResponse(1.0, steps), SafeTemporalResponse(1.0, steps)
    assert described.local_level == math.inf
    assert safe.local_level == pytest.approx(1)
    uniforms = np.linspace(0, 1, 5001, endpoint=False)
    for mechanism in (described, safe):
        for previous in (None, 0, 1, 2):
            matrix = mechanism.given(previous)
            for symbol in range(3):
                many = np.full((5001, 3), 1 / 3)
                before = None if previous is None else np.full(5001, previous)
                released = mechanism.release(np.full(5001, symbol), many, uniforms, before)
                assert np.bincount(released, minlength=3) / 5001 == pytest.approx(matrix[symbol], abs=1e-3)
                column = mechanism.likelihoods([symbol], many[:1], None if before is None else before[:1])
                assert column[0] == pytest.approx(matrix[:, symbol])
    # From 2 symbols that can follow, the third is changed into one of both.
    assert safe.given(0)[2].tolist() == [0.5, 0.5, 0]
    belief = [0.2, 0.5, 0.3]
    assert all(safe.channel(belief, previous=symbol).valid for symbol in (None, 0, 1, 2))


def test_one_symbol_says_nothing():
    for key in ALL:
        for epsilon in BUDGETS:
            step = named(key, epsilon, 1).channel([1.0])
            assert (step.matrix.tolist(), step.leakage, step.cost) == ([[1.0]], 0.0, 0.0)


@pytest.mark.parametrize("epsilon", [-1, -1e-300, math.nan, "1", None, True, [1]])
def test_budgets(epsilon):
    for kind in SEQUENCE_MECHANISMS:
        extra = (transitions(3),) if kind.name.startswith("temporal") else ()
        with pytest.raises(BudgetError, match=r"epsilon is .*0 or more; infinity is allowed"):
            kind(epsilon, *extra)


@pytest.mark.parametrize(
    ("belief", "message"),
    [
        ([0.5, 0.4], "The belief sums to 0.9; it must sum to 1"),
        ([0.5, math.nan], "The belief in symbol 1 is nan"),
        ([1.5, -0.5], "The belief in symbol 1 is -0.5"),
        ([math.inf, 0.5], "The belief in symbol 0 is inf"),
        ([], "no symbol"),
        (1.0, "no symbol"),
        ("x", "give one probability for each symbol"),
        ([[0.5, 0.5]], r"has the shape \(1, 2\)"),
    ],
)
def test_wrong_beliefs(belief, message):
    for key in keys(2):
        with pytest.raises(TableError, match=message):
            named(key, 1.0, 2).channel(belief)


def test_wrong_users_and_symbols():
    mechanism = ConditionalResponse(1.0)
    many = [[0.5, 0.5], [0.2, 0.8]]
    with pytest.raises(DomainError, match="Symbol 1 is 2; it must be 0 to 1"):
        mechanism.release([0, 2], many, [0.1, 0.2])
    with pytest.raises(DomainError, match="give 2 whole numbers, one for each belief"):
        mechanism.release([0], many, [0.1, 0.2])
    with pytest.raises(TableError, match="uniforms must be 2 numbers, at least 0 and below 1"):
        mechanism.release([0, 1], many, [0.1, 1.0])
    with pytest.raises(TableError, match=r"The belief of user 1 sums to 1\.1"):
        mechanism.lifts([[0.5, 0.5], [0.3, 0.8]])
    with pytest.raises(TableError, match=r"shape \(2,\); give one row for each user"):
        mechanism.lifts([0.5, 0.5])
    with pytest.raises(DomainError, match="Optimum for two symbols is for 2 symbols, and the belief has 3"):
        BinaryOptimum(1.0).channel([0.2, 0.3, 0.5])
    with pytest.raises(DomainError, match="The belief has 2 symbols and the transitions 3"):
        TemporalResponse(1.0, transitions(3)).channel([0.5, 0.5])


def test_no_users():
    none = np.empty((0, 2))
    for key in keys(2):
        mechanism = named(key, 1.0, 2)
        assert mechanism.lifts(none).shape == (0,)
        assert mechanism.release(np.empty(0, int), none, []).shape == (0,)
        assert mechanism.likelihoods(np.empty(0, int), none).shape == (0, 2)
        assert mechanism.matrices(none).shape == (0, 2, 2)


def test_mechanisms_and_steps_are_values():
    mechanisms = [named(key, 1.0, 2) for key in keys(2)]
    for mechanism in mechanisms:
        assert pickle.loads(pickle.dumps(mechanism)) == mechanism
        assert hash(pickle.loads(pickle.dumps(mechanism))) == hash(mechanism)
        assert sum(mechanism == other for other in mechanisms) == 1
        assert mechanism.with_epsilon(2.0).epsilon == 2.0
        assert mechanism.with_epsilon(2.0).with_epsilon(1.0) == mechanism
        with pytest.raises(FrozenInstanceError):
            mechanism.epsilon = 2.0
        step = mechanism.channel([0.4, 0.6])
        again = pickle.loads(pickle.dumps(step))
        assert again == step
        assert hash(again) == hash(step)
        assert step != mechanism.channel([0.3, 0.7])
        with pytest.raises(ValueError, match="read-only"):
            again.matrix[0, 0] = 1


def test_mechanisms_by_key():
    assert sequence_mechanism_named("CRR", 1.0) == ConditionalResponse(1.0)
    assert sequence_mechanism_named("identity") == IdentityRelease()
    with pytest.raises(BudgetError, match="There is no mechanism 'x' for streams; give one of crr_balanced"):
        sequence_mechanism_named("x", 1.0)
    with pytest.raises(BudgetError, match="Balanced response needs epsilon"):
        sequence_mechanism_named("crr_balanced")
    with pytest.raises(BudgetError, match="as described needs transitions; it takes epsilon, transitions"):
        sequence_mechanism_named("temporal", 1.0)
    with pytest.raises(BudgetError, match="has no parameter 'g'; it takes epsilon"):
        sequence_mechanism_named("crr", 1.0, g=2)
    with pytest.raises(TableError, match=r"The transitions: row 0 sums to 0\.9"):
        TemporalResponse(1.0, [[0.9, 0.0], [0.0, 1.0]])
    with pytest.raises(DomainError, match=r"transitions have the shape \(1, 2\)"):
        TemporalResponse(1.0, [[0.5, 0.5]])
    assert len({kind.label for kind in SEQUENCE_MECHANISMS}) == len(SEQUENCE_MECHANISMS)
