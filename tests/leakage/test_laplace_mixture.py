"""Mixtures of Laplace densities and their largest ratio."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets.leakage import laplace_mixture
from pdp_widgets.leakage.laplace_mixture import LaplaceMixture, ends, largest_log_ratio

CENTRES = st.lists(st.integers(-8, 8).map(lambda k: k / 2), min_size=1, max_size=6)


@st.composite
def mixtures(draw, scale):
    centres = draw(CENTRES)
    weights = draw(st.lists(st.integers(0, 5), min_size=len(centres), max_size=len(centres)).filter(any))
    return LaplaceMixture(centres, weights, scale)


@given(mixtures(0.8))
def test_a_mixture_is_a_density(mixture):
    r = np.linspace(-30, 30, 60_001)
    assert np.trapezoid(np.exp(mixture.log_density(r)), r) == pytest.approx(1, abs=1e-5)
    assert mixture.weights.sum() == pytest.approx(1)
    assert (np.diff(mixture.centres) > 0).all()


@given(st.data(), st.sampled_from([0.01, 0.5, 7.0]))
def test_the_largest_ratio_is_attained_where_it_says(data, scale):
    several = [data.draw(mixtures(scale)) for _ in range(data.draw(st.integers(2, 4)))]
    peak = largest_log_ratio(several)
    first, second = several[peak.more], several[peak.less]
    assert peak.more != peak.less
    at = peak.r + {"<=": -5.0, ">=": 5.0, "=": 0.0}[peak.side]
    assert float(first.log_density(at) - second.log_density(at)) == pytest.approx(
        peak.value, abs=1e-9, rel=1e-9
    )
    r = np.linspace(-6, 6, 2001)
    logs = np.stack([m.log_density(r) for m in several])
    assert (logs.max(axis=0) - logs.min(axis=0)).max() <= peak.value + 1e-9 * max(1, peak.value)
    assert max(ends(first, second)) <= peak.value + 1e-9 * max(1, peak.value)


@given(st.data(), st.sampled_from([0.01, 0.5, 7.0]))
def test_one_pass_each_way_equals_all_pairs(data, scale):
    several = [data.draw(mixtures(scale)) for _ in range(3)]
    points = np.unique(np.concatenate([m.centres for m in several]))
    pairs = [laplace_mixture._log_densities_at(points, m) for m in several]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(laplace_mixture, "_ALL_PAIRS", 0)
        passes = [laplace_mixture._log_densities_at(points, m) for m in several]
    np.testing.assert_allclose(passes, pairs, atol=1e-10, rtol=1e-12)


def test_equal_mixtures_have_ratio_zero():
    m = LaplaceMixture([0, 1], [1, 1], 1.0)
    peak = largest_log_ratio([m, m])
    assert peak.value == 0
    assert {peak.more, peak.less} == {0, 1}


def test_ends_of_two_points():
    low, high = ends(LaplaceMixture([0], [1], 2.0), LaplaceMixture([3], [1], 2.0))
    assert (low, high) == pytest.approx((1.5, -1.5))


def test_far_and_rare_centres_do_not_underflow():
    a = LaplaceMixture([0, 1e6], [1, 1e-300], 1.0)
    b = LaplaceMixture([1e6], [1e-300], 1.0)
    assert largest_log_ratio([a, b]).value == pytest.approx(1e6, rel=1e-12)
    assert largest_log_ratio([b, a]).value == pytest.approx(1e6, rel=1e-12)
    assert float(a.log_density(1e6)) == pytest.approx(math.log(1e-300) - math.log(2), rel=1e-12)


def test_a_scale_near_the_largest_float():
    assert float(LaplaceMixture([0], [1], 1.7e308).log_density(0)) == pytest.approx(
        -math.log(2) - math.log(1.7e308)
    )
