"""Reports follow the exact matrix, guesses the closed forms, estimates the true shares."""

import math

import numpy as np
import pytest
from scipy import stats

from pdp_widgets import BLH, EXP, GRR, OLH, OUE, RAPPOR, SHE, SS, SUE, Channel
from pdp_widgets.local import DeltaGRR
from pdp_widgets.mechanisms.local.frequency_estimation import (
    clipped_frequencies,
    expected_nmse,
    simplex_frequencies,
)
from pdp_widgets.mechanisms.local.reports import BitReports, SymbolReports, hashed
from tests.mechanisms.local.local_cases import BUDGETED, finite, output_of, supported

DRAWS = 20_000


def agrees(counts, probabilities, least=1e-5):
    """Chi-square test, cells that cannot happen apart and rare ones together."""
    assert counts[probabilities == 0].sum() == 0
    expected = probabilities * counts.sum()
    common = expected >= 5
    seen = np.append(counts[common], counts[~common].sum())
    due = np.append(expected[common], expected[~common].sum())
    if due[-1] == 0:
        seen, due = seen[:-1], due[:-1]
    return len(due) == 1 or stats.chisquare(seen, due * (seen.sum() / due.sum())).pvalue > least


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("epsilon", [0.0, 1.0, 3.0, math.inf])
def test_reports_follow_the_exact_matrix(epsilon, k):
    rng = np.random.default_rng(11)
    for mechanism in finite(epsilon):
        matrix = mechanism.channel(k)
        for true in range(k):
            reports = mechanism.release(np.full(DRAWS, true), k, rng)
            counts = np.bincount(output_of(mechanism, reports), minlength=matrix.shape[1])
            assert agrees(counts, matrix[true]), (mechanism, true)


def test_given_matrices_are_sampled():
    matrix = np.array([[0.5, 0.2, 0.2, 0.1, 0.0], [0.0, 0.4, 0.3, 0.2, 0.1]])
    channel = Channel(matrix)
    for true in range(2):
        reports = channel.release(np.full(DRAWS, true), 2, 3)
        assert agrees(np.bincount(reports.values, minlength=5), matrix[true])


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 4.0])
def test_noise_of_histograms(epsilon):
    codes = np.tile([0, 2, 1], 20_000)
    values = SHE(epsilon).release(codes, 3, 8).values
    truth = np.eye(3)[codes]
    if epsilon == 0:
        assert np.isinf(values).all()
        return
    found = stats.kstest((values - truth).ravel(), stats.laplace(0, 2 / epsilon).cdf)
    assert found.pvalue > 1e-4
    assert np.corrcoef((values - truth).T)[0, 1] == pytest.approx(0, abs=0.02)


def test_no_noise_at_all():
    for kind in (GRR, SUE, SHE, SS, EXP):
        reports = kind(math.inf).release([2, 0, 1], 3, 1)
        assert reports.inferred(2).tolist() == [2, 0, 1]
        assert kind(math.inf).frequencies(reports) == pytest.approx(1 / 3)


@pytest.mark.parametrize("k", [1, 2, 6])
@pytest.mark.parametrize("epsilon", [0.0, 1.5])
def test_guesses_follow_the_closed_forms(epsilon, k):
    rng = np.random.default_rng(21)
    mechanisms = [*(kind(epsilon) for kind in BUDGETED), RAPPOR(0.2, 0.1, 0.8), DeltaGRR(epsilon, 0.1)]
    for mechanism in mechanisms:
        reports = mechanism.release(np.full(DRAWS, k - 1), k, rng)
        guessed = np.bincount(reports.inferred(rng), minlength=k)
        assert agrees(guessed, mechanism.inferred(k).matrix()[k - 1]), mechanism


@pytest.mark.parametrize("k", [2, 4])
def test_rates_of_support_are_those_of_the_exact_matrix(k):
    for mechanism in finite(1.3):
        holds = supported(mechanism, k)
        rates = mechanism.support(k)
        shares = mechanism.channel(k) @ holds.T
        assert shares == pytest.approx(np.where(np.eye(k), rates.p, rates.q), abs=1e-13), mechanism
        assert rates.difference == pytest.approx(rates.p - rates.q, abs=1e-14)


def test_support_counts_are_those_of_every_report():
    for mechanism in finite(0.7):
        reports = mechanism.release(np.tile(np.arange(4), 50), 4, 6)
        outputs = output_of(mechanism, reports)
        assert reports.support_counts().tolist() == supported(mechanism, 4)[:, outputs].sum(axis=1).tolist()


@pytest.mark.parametrize("epsilon", [0.8, 2.0])
def test_estimates_are_unbiased_with_the_stated_variance(epsilon):
    k, n, repeats = 5, 400, 400
    codes = np.repeat(np.arange(k), [200, 100, 60, 40, 0])
    shares = np.bincount(codes, minlength=k) / n
    rng = np.random.default_rng(31)
    for mechanism in [*(kind(epsilon) for kind in BUDGETED), RAPPOR(0.2, 0.1, 0.9)]:
        found = np.array([mechanism.frequencies(mechanism.release(codes, k, rng)) for _ in range(repeats)])
        variance = mechanism.variance(shares, k, n)
        z = (found.mean(axis=0) - shares) / np.sqrt(variance / repeats)
        assert np.abs(z).max() < 4.5, mechanism
        ratio = found.var(axis=0, ddof=1) / variance
        assert np.abs(ratio - 1).max() < 0.35, mechanism


def test_estimates_from_counts_and_from_reports_are_the_same():
    for mechanism in [*finite(1.0), SHE(1.0)]:
        reports = mechanism.release(np.tile(np.arange(4), 25), 4, 2)
        counts = reports.support_counts()
        assert mechanism.frequencies(counts, 4, 100).tolist() == mechanism.frequencies(reports).tolist()
        assert mechanism.frequencies(reports, 4, 100).tolist() == mechanism.frequencies(reports).tolist()


def test_nothing_can_be_estimated_without_a_budget():
    for kind in BUDGETED:
        reports = kind(0.0).release([0, 1, 2], 3, 1)
        assert np.isnan(kind(0.0).frequencies(reports)).all()
        assert np.isnan(kind(0.0).variance([0.5, 0.5, 0], 3, 10)).all()
    assert np.isnan(SS(1.0, omega=3).frequencies([1, 1, 1], n=1)).all()


@pytest.mark.parametrize("kind", BUDGETED)
@pytest.mark.parametrize("epsilon", [1e-9, 700.0, 710.0, 1000.0, math.inf])
def test_extreme_budgets_are_sampled_and_estimated(kind, epsilon):
    mechanism = kind(epsilon)
    reports = mechanism.release(np.arange(50) % 5, 5, 4)
    assert np.isfinite(mechanism.frequencies(reports)).all()
    variance = mechanism.variance(np.full(5, 0.2), 5, 50)
    assert ((variance >= 0) & np.isfinite(variance)).all()
    assert ((reports.inferred(1) >= 0) & (reports.inferred(1) < 5)).all()


def test_seeds_repeat():
    for mechanism in [*finite(1.0), SHE(1.0)]:
        first, second, third = (mechanism.release(np.arange(4).repeat(20), 4, seed) for seed in (5, 5, None))
        assert (first.values == second.values).all()
        assert not np.array_equal(first.values, third.values) or isinstance(mechanism, BLH)
        assert first.n == len(first) == 80
        with pytest.raises(ValueError, match="read-only"):
            first.values[0] = first.values[1]


@pytest.mark.parametrize("mechanism", [*finite(1.0), SHE(1.0)], ids=str)
def test_nobody_reports_nothing(mechanism):
    reports = mechanism.release(np.zeros(0, np.int64), 4, 1)
    assert reports.n == 0
    assert reports.support_counts().tolist() == [0] * 4
    assert reports.inferred(1).tolist() == []


def test_codes_of_any_whole_type():
    for codes in (np.array([0, 3], np.int8), np.array([0, 3], np.uint64), [0, 3], (0, 3)):
        assert GRR(math.inf).release(codes, 4, 1).values.tolist() == [0, 3]


def test_large_alphabets_are_sampled_in_blocks():
    k = 3000
    codes = np.random.default_rng(1).integers(0, k, 1500)
    for mechanism in (OUE(2.0), SS(2.0), OLH(2.0), SHE(2.0)):
        reports = mechanism.release(codes, k, 2)
        assert reports.support_counts().shape == (k,)
        right = (reports.inferred(3) == codes).sum()
        assert stats.binomtest(int(right), codes.size, mechanism.inferred(k).keep).pvalue > 1e-4, mechanism
    sets = SS(2.0).release(codes, k, 1).values
    assert (np.diff(sets, axis=1) > 0).all()


def test_hash_functions_spread_symbols_independently():
    seeds = np.random.default_rng(2).integers(0, 1 << 64, 60_000, dtype=np.uint64)
    groups = hashed(seeds[:, None], np.arange(3), 3)
    counts = np.bincount(groups @ [9, 3, 1], minlength=27)
    assert stats.chisquare(counts).pvalue > 1e-4
    assert hashed(seeds, np.zeros(60_000, np.int64), 3).tolist() == groups[:, 0].tolist()


def test_every_set_of_symbols_is_a_group_of_some_seed():
    """Which is what makes the leakage of hashing that of all sets, with few seeds already."""
    found = hashed(np.arange(2_000, dtype=np.uint64)[:, None], np.arange(8), 2) == 1
    assert len({tuple(row) for row in found.tolist()}) == 256


def test_post_processing():
    estimates = np.array([0.7, 0.5, -0.1, -0.05])
    assert clipped_frequencies(estimates).tolist() == [0.7, 0.5, 0, 0]
    found = simplex_frequencies(estimates)
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()
    rng = np.random.default_rng(3)
    others = rng.dirichlet(np.ones(4), 2000)
    assert ((others - estimates) ** 2).sum(axis=1).min() >= ((found - estimates) ** 2).sum()
    assert simplex_frequencies([0.2, 0.8]).tolist() == [0.2, 0.8]


def test_expected_errors():
    shares = [0.5, 0.25, 0.15, 0.1]
    expected = {
        GRR(1.0): 0.02190209533123927,
        OUE(1.0): 0.045596456542970065,
        OLH(1.0, g=4): 0.04633397977240084,
        SS(1.0, omega=2): 0.02836539810976846,
        SHE(1.0): 0.09275362318840578,
        RAPPOR(0.5, 0.5, 0.75): 0.17681159420289852,
    }
    for mechanism, value in expected.items():
        assert expected_nmse(mechanism.variance(shares, 4, 1000), shares) == pytest.approx(value, rel=1e-12)
    assert math.isnan(expected_nmse([0.1], [0.0]))


def test_reports_describe_themselves():
    assert repr(SymbolReports(np.array([0, 1]), 2)) == "SymbolReports(2 reports, k=2)"
    assert repr(OLH(1.0).release([0, 1], 2, 1)) == "HashedReports(2 reports, k=2)"
    ties = BitReports(np.zeros((9000, 3), bool), 3).inferred(4)
    assert stats.chisquare(np.bincount(ties, minlength=3)).pvalue > 1e-4
