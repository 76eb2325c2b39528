"""Densities, log ratios, their limits and posteriors of one adversary of Gaussian data."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.gaussian.release import LaplaceNormal
from pdp_widgets.models.gaussian_model import GaussianModel
from tests.leakage.gaussian_reference import (
    adversaries,
    adversary_of,
    cases,
    density_by_quadrature,
    theorem_6,
)


class TestDensity:
    @pytest.mark.parametrize("case", cases("gaussian_log_ratio"), ids=lambda case: case["id"])
    def test_log_ratios(self, case):
        data = case["input"]
        found = adversary_of(data).log_ratio(*data["pair"], data["r"], data["known_values"])
        np.testing.assert_allclose(found, case["expected"]["log_ratio"], atol=case["tol"])

    @pytest.mark.parametrize("deviation", [1e-3, 0.1, 1.0, 3.0, 30.0])
    @pytest.mark.parametrize("scale", [0.5, 2.0])
    def test_laplace_normal_against_quadrature(self, deviation, scale):
        noise = LaplaceNormal(deviation, scale)
        for t in (0.0, 0.3 * deviation, -deviation, 4 * deviation, 3 * scale, -9.0):
            expected = math.log(density_by_quadrature(t, 0.0, deviation, scale))
            assert float(noise.log_density(t)) == pytest.approx(expected, abs=1e-9)

    @given(adversaries(least=2, most=4), st.data())
    def test_densities_and_log_ratios_against_quadrature(self, adversary, data):
        if not 0.05 < adversary.sigma0 < 50:
            return
        known = [data.draw(st.floats(-2, 2)) for _ in adversary.known]
        i, listed = adversary.adversary.target, list(adversary.adversary.known)
        weights = adversary.release.array
        x, other = 1.0, -0.5

        def density(value, r):
            # Definition: f is the known part plus a normal of mean mu_0 and deviation sigma_0.
            mean = adversary.mu00 + adversary.mu0i * value + float(adversary.mu0k @ known)
            centre = mean + weights[i] * value + float(weights[listed] @ known)
            return density_by_quadrature(r, centre, adversary.sigma0, adversary.release.scale)

        for r in adversary.centre(x, known) + np.array([-3.0, 0.4]) * adversary.release.scale:
            p, q = density(x, r), density(other, r)
            assert float(adversary.density(x, r, known)) == pytest.approx(p, rel=1e-8)
            assert float(adversary.log_ratio(x, other, r, known)) == pytest.approx(math.log(p / q), abs=1e-8)

    @given(adversaries(least=2))
    def test_the_leakage_is_approached_and_never_exceeded(self, adversary):
        change, scale = adversary.release.max_change, adversary.release.scale
        x, other = 0.7 + change, 0.7
        middle = (adversary.centre(x) + adversary.centre(other)) / 2
        reach = adversary.sigma0**2 / scale + 12 * adversary.sigma0 + abs(adversary.coefficient) * change
        at = middle + np.linspace(-2, 2, 801) * max(reach, 1.0)
        ratios = adversary.log_ratio(x, other, at)
        top = float(adversary.leakage)
        assert np.abs(ratios).max() <= top * (1 + 1e-12) + 1e-12
        assert np.abs(ratios).max() == pytest.approx(top, abs=1e-9)
        # Smaller changes show less; the log ratio is monotone and odd about the middle.
        assert np.abs(adversary.log_ratio(x, (x + other) / 2, at)).max() <= top / 2 + 1e-9
        steps = np.diff(ratios) * np.sign(adversary.coefficient)
        assert (steps >= -1e-10 * max(1.0, top)).all()
        np.testing.assert_allclose(ratios, -ratios[::-1], atol=1e-8 * max(1.0, top))
        low, high = adversary.limits(x, other)
        assert (low, high) == (-high, -low)
        assert abs(high) == pytest.approx(top, abs=1e-12)
        ends = adversary.log_ratio(x, other, [-math.inf, math.inf])
        np.testing.assert_allclose(ends, [low, high], rtol=1e-12, atol=1e-15)

    @pytest.mark.parametrize("r", [1e3, 1e9, 1e16, 1e100, 1e300])
    def test_far_out_nothing_is_lost(self, r):
        adversary = GaussianAdversary(GaussianModel.equicorrelated(3, 0.4), 0)
        np.testing.assert_allclose(adversary.log_ratio(1, 0, [-r, r]), [-1.8, 1.8], rtol=1e-13)
        assert adversary.density(1, r) >= 0

    @pytest.mark.parametrize("deviation", [1e4, 1e8, 1e12])
    def test_wide_normals_hide_the_noise(self, deviation):
        noise = LaplaceNormal(deviation, 1.0)
        t = np.array([0.0, 0.5, 3.0]) * deviation
        normal = -((t / deviation) ** 2) / 2 - math.log(math.sqrt(2 * math.pi) * deviation)
        np.testing.assert_allclose(noise.log_density(t), normal, atol=2 / deviation**2 * 5 + 1e-12)
        expected = t * 1.9 / deviation**2
        np.testing.assert_allclose(noise.log_ratio(t, 0.95, -0.95), expected, rtol=1e-6, atol=1e-14)
        assert float(noise.log_ratio(10 * deviation**2, 0.95, -0.95)) == pytest.approx(1.9, rel=1e-12)

    def test_without_spread_it_is_laplace(self):
        adversary = GaussianAdversary(GaussianModel(None, np.eye(2)), 0, [1], scale=2.0)
        r = np.array([-5.0, 0.2, 0.8, 7.0])
        np.testing.assert_allclose(adversary.density(1, r, [0.0]), np.exp(-np.abs(r - 1) / 2) / 4)
        np.testing.assert_allclose(
            adversary.log_ratio(1, 0, r, [0.0]), (np.abs(r) - np.abs(r - 1)) / 2, atol=1e-15
        )
        # A little spread changes little.
        near = LaplaceNormal(1e-9, 2.0)
        np.testing.assert_allclose(near.log_ratio(r, 1, 0), (np.abs(r) - np.abs(r - 1)) / 2, atol=1e-8)
        assert near.log_density(0.0) == pytest.approx(-math.log(4), abs=1e-8)

    def test_known_values_by_name_or_in_order(self):
        model = GaussianModel([1, 2, 3], [[1, 0.3, 0.2], [0.3, 1, 0.1], [0.2, 0.1, 1]], names=list("abc"))
        adversary = GaussianAdversary(model, "b", ["c", "a"])
        assert adversary.known == ("a", "c")
        at = adversary.density(2.5, [1.0, 7.0], [0.5, 4.0])
        assert np.array_equal(at, adversary.density(2.5, [1.0, 7.0], {"c": 4.0, 0: 0.5}))
        # Without values the known tuples are at their means.
        assert np.array_equal(adversary.density(2.5, 4.0), adversary.density(2.5, 4.0, [1.0, 3.0]))
        assert adversary.centre(2.0) == pytest.approx(6.0)


class TestWhereLevelsAreReached:
    @given(adversaries(least=2), st.floats(0.01, 0.999))
    def test_reached_from_there_on(self, adversary, share):
        x, other = 1.0 + adversary.release.max_change, 1.0
        limit = abs(adversary.limits(x, other)[1])
        if limit < 1e-6:
            return
        low, high = adversary.share_reached(share, x, other)
        at = adversary.log_ratio(x, other, [low, high])
        np.testing.assert_allclose(np.abs(at), share * limit, rtol=1e-8, atol=1e-9)
        assert low <= high
        step = 0.01 * (high - low) + 1e-6
        beyond = np.abs(adversary.log_ratio(x, other, [low - step, high + step]))
        assert (beyond >= share * limit - 1e-9).all()
        assert adversary.reaches(share * limit, x, other) == pytest.approx((low, high))

    def test_the_limit_is_reached_without_spread_alone(self):
        model = GaussianModel(None, [[1, 0.5], [0.5, 1]])
        weak, strong = GaussianAdversary(model, 0), GaussianAdversary(model, 0, [1])
        assert weak.share_reached(1.0, 1, 0) is None
        assert weak.reaches(1.6, 1, 0) is None
        assert strong.share_reached(1.0, 1, 0) == pytest.approx((0.0, 1.0))
        assert strong.reaches(1.1, 1, 0) is None
        assert (weak.is_limit, strong.is_limit) == (True, False)
        low, high = weak.reaches(weak.promise, 1, 0)
        assert weak.log_ratio(1, 0, [low, high]).round(9).tolist() == [-1.0, 1.0]
        assert weak.reaches(0.0, 1, 0) == (0.75, 0.75)

    def test_the_house_of_the_explorer(self):
        correlation = np.eye(4)
        for i, j, value in (
            (0, 1, 0.5), (0, 2, 0.3), (0, 3, -0.35), (1, 2, 0.4), (1, 3, -0.15), (2, 3, 0.1),
        ):  # fmt: skip
            correlation[i, j] = correlation[j, i] = value
        names = ["flat A", "flat B", "flat C", "solar"]
        model = GaussianModel.from_correlation(correlation, [1.2, 1, 0.9, 1.4], [5, 4, 3, 6], names)
        adversary = GaussianAdversary(model, "flat B", ["solar"], weights=[1, 1, 1, -1])
        assert float(adversary.leakage) == pytest.approx(theorem_6(model.cov, [1, 1, 1, -1], 1, [3]))
        assert adversary.sigma0 == pytest.approx(1.3932, abs=1e-4)
        assert adversary.reaches(1.0, 5.0, 4.0) == pytest.approx((5.257, 8.674), abs=1e-3)


class TestBayes:
    @given(adversaries(least=2, most=4), st.floats(-3, 3))
    def test_posterior_is_prior_times_likelihood(self, adversary, shift):
        i = adversary.adversary.target
        mean = float(adversary.model.mean[i])
        deviation = math.sqrt(adversary._variance)
        r = adversary.centre(mean) + shift
        # Means of the known tuples: the prior of the target is centred at its mean.
        x = mean + np.linspace(-12, 12, 20_001) * deviation
        likelihood = np.array([float(adversary.density(v, r)) for v in x[::2000]])
        posterior, prior = adversary.posterior(x, r), adversary.prior(x)
        step = x[1] - x[0]
        assert prior.sum() * step == pytest.approx(1.0, abs=1e-9)
        assert posterior.sum() * step == pytest.approx(1.0, abs=1e-3)
        ratio = posterior[::2000][4:7] / (prior[::2000][4:7] * likelihood[4:7])
        np.testing.assert_allclose(ratio, ratio[0], rtol=1e-8)

    def test_the_normalisation_against_quadrature(self):
        from scipy.integrate import quad

        adversary = GaussianAdversary(GaussianModel(None, [[1, 0.5], [0.5, 1]]), 0, scale=0.7)
        total, _ = quad(lambda x: float(adversary.posterior(x, 2.3)), -12, 12, epsabs=1e-12, points=[0, 1.5])
        assert total == pytest.approx(1.0, abs=1e-9)

    def test_far_releases(self):
        adversary = GaussianAdversary(GaussianModel(None, [[1, 0.5], [0.5, 1]]), 0)
        posterior = adversary.posterior([0.0, 1.5, 3.0], 1e6)
        # Far out the likelihood is exp(1.5 x): the mean of the posterior is 1.5.
        np.testing.assert_allclose(
            posterior, np.exp(-(np.array([1.5, 0, 1.5]) ** 2) / 2) / 2.5066283, rtol=1e-6
        )
