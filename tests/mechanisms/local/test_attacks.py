"""What is guessed from a report: closed forms against enumeration, limits and identities."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from pdp_widgets import BLH, EXP, GRR, OLH, OUE, RAPPOR, SHE, SS, SUE
from pdp_widgets.local import DeltaGRR
from pdp_widgets.mechanisms.local.attack import SymmetricChannel, mean_inverse
from pdp_widgets.mechanisms.local.histogram_encoding import _difference, attack_with_prior
from tests.mechanisms.local.local_cases import BUDGETED, EXTREME, finite, guesses


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0, 4.0, math.inf])
def test_closed_forms_are_the_exact_matrix_and_a_guess(epsilon, k):
    for mechanism in finite(epsilon):
        exact = mechanism.channel(k) @ guesses(mechanism, k)
        found = mechanism.inferred(k)
        assert np.abs(found.matrix() - exact).max() < 1e-13, mechanism
        assert found.error01 == pytest.approx(1 - exact[0, 0], abs=1e-13)


@pytest.mark.parametrize("j", [1, 2])
@pytest.mark.parametrize(
    ("n", "c"), [(0, 0.3), (1, 1.0), (5, 0.5), (300, 0.01), (300, 0.5), (10_000, 1e-6), (9, 0.0)]
)
def test_mean_inverse_is_that_of_a_binomial(j, n, c):
    trials = np.arange(n + 1)
    exact = float(np.sum(stats.binom.pmf(trials, n, c) / (j + trials)))
    assert mean_inverse(j, n, c) == pytest.approx(exact, rel=1e-11)


@pytest.mark.parametrize("n", [60, 5_000])
def test_both_ways_to_the_mean_inverse_meet(n):
    below, above = (50 - 1e-9) / n, (50 + 1e-9) / n
    for j in (1, 2):
        assert mean_inverse(j, n, below) == pytest.approx(mean_inverse(j, n, above), rel=1e-10)


def by_quadrature(epsilon, k):
    """P(the true symbol's number is the largest), from the densities of the numbers."""
    a = epsilon / 2
    other = stats.laplace(0, 1 / a)
    true = stats.laplace(1, 1 / a)
    parts = [-np.inf, 0, 1, np.inf]
    return sum(
        integrate.quad(lambda y: true.pdf(y) * other.cdf(y) ** (k - 1), low, high, epsabs=1e-13)[0]
        for low, high in pairwise(parts)
    )


@pytest.mark.parametrize("k", [2, 3, 9, 40])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 3.0, 10.0])
def test_noisy_histograms_by_quadrature(epsilon, k):
    assert SHE(epsilon).inferred(k).keep == pytest.approx(by_quadrature(epsilon, k), abs=1e-10)


@pytest.mark.parametrize("k", [2, 7, 41, 300])
@pytest.mark.parametrize("a", [0.01, 0.2, 0.5])
def test_the_gain_of_the_true_symbol_is_keep_less_other(a, k):
    found = SHE(2 * a).inferred(k)
    assert _difference(a, k) == pytest.approx(found.keep - found.other, abs=1e-13 + 1e-12 * found.keep)


@pytest.mark.parametrize("k", [2, 5, 60])
def test_noisy_histograms_where_the_closed_form_changes(k):
    if k > 12:
        epsilon = -2 * math.log(2 * 5 / (k - 2))
        below, above = SHE(epsilon - 1e-9).inferred(k), SHE(epsilon + 1e-9).inferred(k)
        assert below.keep == pytest.approx(above.keep, rel=1e-8)
    steps = [SHE(e).inferred(k).log_ratio for e in np.linspace(0, 8, 400)]
    assert (np.diff(steps) > 0).all()
    assert np.abs(np.diff(steps, 2)).max() < 1e-3


def test_identities():
    for epsilon in (0.2, 1.0, 3.0):
        two = SUE(epsilon).inferred(2)
        assert two.matrix() == pytest.approx(EXP(epsilon).inferred(2).matrix(), abs=1e-15)
        assert two.matrix() == pytest.approx(GRR(epsilon / 2).channel(2), abs=1e-15)
        assert OUE(epsilon).inferred(2).matrix() == pytest.approx(
            BLH(epsilon).inferred(2).matrix(), abs=1e-15
        )
        assert OUE(epsilon).inferred(2).keep == pytest.approx(0.75 - 0.5 / (math.exp(epsilon) + 1))
        assert SS(epsilon, omega=1).inferred(6).matrix() == pytest.approx(GRR(epsilon).channel(6), abs=1e-15)
        a = epsilon / 2
        assert SHE(epsilon).inferred(2).keep == pytest.approx(1 - math.exp(-a) * (1 + a / 2) / 2, abs=1e-14)


@pytest.mark.parametrize("k", [2, 5, 50])
def test_limits(k):
    inf = math.inf
    for mechanism in (GRR(inf), EXP(inf), SUE(inf), SHE(inf), SS(inf), RAPPOR(0, 0, 1)):
        assert mechanism.inferred(k) == SymmetricChannel(k, 1.0, 0.0, inf)
    for mechanism in (OUE(inf), OLH(inf), OLH(1000.0)):
        found = mechanism.inferred(k)
        assert found.keep == pytest.approx(0.5 + 0.5 / k, abs=1e-14)
        assert found.ratio == pytest.approx(k + 1, rel=1e-13)
    assert BLH(inf).inferred(k).keep == pytest.approx(2 * (1 - 2.0**-k) / k, abs=1e-14)
    assert OLH(inf, g=5).inferred(k).keep == pytest.approx(5 * (1 - 0.8**k) / k, abs=1e-14)
    sets = SS(inf, omega=2).inferred(k)
    assert sets.keep == 0.5
    assert sets.ratio == pytest.approx(k - 1, rel=1e-13)


@pytest.mark.parametrize("kind", [*BUDGETED, lambda e: DeltaGRR(e, 0.0)])
def test_no_budget_is_a_blind_guess(kind):
    for k in (1, 2, 17):
        found = kind(0.0).inferred(k)
        assert found.keep == pytest.approx(1 / k, abs=1e-14)
        assert found.log_ratio == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize("epsilon", EXTREME)
@pytest.mark.parametrize("k", [1, 2, 3, 41, 300, 5000])
def test_extreme_budgets(epsilon, k):
    for kind in BUDGETED:
        found = kind(epsilon).inferred(k)
        assert found.keep + (k - 1) * found.other == pytest.approx(1, abs=1e-11), kind
        assert 0 <= found.log_ratio <= kind(epsilon).promise(k) * (1 + 1e-12), kind
        if 0 < epsilon < math.inf and k > 1:
            assert 0 < found.log_ratio < math.inf, kind


@pytest.mark.parametrize("kind", BUDGETED)
@pytest.mark.parametrize("k", [2, 3, 41])
def test_small_budgets_have_the_slope_at_zero(kind, k):
    """Half the budget gives half the ratio: nothing is lost to rounding at 1e-9."""
    small, tiny = kind(1e-5).inferred(k), kind(1e-9).inferred(k)
    assert tiny.log_ratio / 1e-9 == pytest.approx(small.log_ratio / 1e-5, rel=3e-5)


def test_ratios_of_what_is_too_small_for_a_float():
    for epsilon in (3000.0, 1e6):
        assert SUE(epsilon).inferred(9).other == 0
        # Lost and wrong bits are equally rare; then one of nine symbols is guessed, or one of two.
        assert SUE(epsilon).inferred(9).log_ratio == pytest.approx(
            epsilon / 2 - math.log(0.5 + 1 / 9), rel=1e-12
        )
        assert SHE(epsilon).inferred(9).log_ratio < epsilon / 2
        assert SS(epsilon).inferred(9).log_ratio == epsilon


@given(st.floats(0, 6), st.integers(2, 30), st.floats(0, 1))
def test_guesses_never_tell_more_than_reports(epsilon, k, f):
    for mechanism in [*(kind(epsilon) for kind in BUDGETED), RAPPOR(f, 0.3, 0.8), DeltaGRR(epsilon, 0.2)]:
        assert mechanism.inferred(k).log_ratio <= mechanism.promise(k) + 1e-12


@pytest.mark.parametrize("k", [2, 5, 12])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.0, 100.0, 1000.0])
def test_a_uniform_prior_gives_the_symmetric_channel(epsilon, k):
    found = attack_with_prior(epsilon, np.full(k, 1 / k))
    exact = SHE(epsilon).inferred(k).matrix()
    assert np.abs(found / exact - 1).max() < 1e-9


def test_the_published_prior():
    found = SHE(1.0).attack_with_prior([0.7, 0.3])
    assert found == pytest.approx(np.array([[0.893154, 0.106846], [0.712553, 0.287447]]), abs=1e-6)


@pytest.mark.parametrize(
    "prior", [[0.5, 0.3, 0.2], [0.4, 0.4, 0.2], [0.6, 0.25, 0.15, 0.0], [0.97, 0.02, 0.01]]
)
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.5, 12.0])
def test_priors_against_simulation(epsilon, prior):
    k, draws = len(prior), 60_000
    rng = np.random.default_rng(5)
    found = attack_with_prior(epsilon, prior)
    assert found.sum(axis=1) == pytest.approx(1, abs=1e-10)
    logs = np.log(np.maximum(prior, 1e-300))
    for true in range(k):
        values = SHE(epsilon).release(np.full(draws, true), k, rng).values
        scores = logs + epsilon / 2 * np.clip(2 * values - 1, -1, 1)
        best = np.isclose(scores, scores.max(axis=1, keepdims=True), rtol=0, atol=1e-12)
        shares = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
        assert np.abs(shares - found[true]).max() < 4.5 * 0.5 / math.sqrt(draws), true


def test_symbols_that_are_never_guessed():
    assert attack_with_prior(1.0, [0.8, 0.2])[:, 1].tolist() == [0, 0]
    assert attack_with_prior(1.5, [0.8, 0.2])[:, 1].min() > 0
    edge = math.e / (1 + math.e)
    # At a ratio of exp(epsilon) the rare symbol is at best level, where both numbers are extreme.
    found = attack_with_prior(1.0, [edge, 1 - edge])
    assert found[1, 1] == pytest.approx(0.5 * 0.5 * 0.5, abs=1e-12)
    assert attack_with_prior(0.0, [0.4, 0.4, 0.2]).tolist() == [[0.5, 0.5, 0.0]] * 3
    assert attack_with_prior(math.inf, [0.9, 0.1]).tolist() == [[1, 0], [0, 1]]
    assert attack_with_prior(2.0, [1.0]).tolist() == [[1.0]]


def test_symmetric_channels_are_values():
    found = SymmetricChannel.of(3, 0.5, 0.25)
    assert found.ratio == pytest.approx(2)
    assert found.error01 == 0.5
    assert found.matrix().sum(axis=1).tolist() == [1, 1, 1]
    assert SymmetricChannel.of(1, 0.3, 0.7) == SymmetricChannel(1, 1.0, 0.0, 0.0)
    assert SymmetricChannel.of(2, 1.0, 0.0).ratio == math.inf
