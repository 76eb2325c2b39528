"""Gaussian releases of any size: numbers that are right in every unit, or a refusal in words."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pdp_widgets import GaussianAnalysis, GaussianModel
from pdp_widgets.errors import PdpError, QueryError, ScaleError
from pdp_widgets.leakage.gaussian.comparison import Comparison
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.leakage.gaussian.release import LaplaceNormal
from pdp_widgets.leakage.target_leakage import scale_for
from pdp_widgets.publish.figures import figure
from tests.conftest import few

EXTREMES = [0.0, 5e-324, 1e-310, 1e-300, 1e-200, 1e-155, 1e-20, 1.0, 3.0, 1e18, 1e150, 1e200, 1e300, 1.7e308]
size = st.one_of(st.floats(0.1, 10), st.sampled_from(EXTREMES), st.floats(0, 1.7e308, allow_subnormal=True))
signed = st.builds(lambda x, negative: -x if negative else x, size, st.booleans())
correlation = st.sampled_from([0.0, 0.5, -0.5, 0.999, 1.0, -1.0])


@st.composite
def releases(draw):
    """Model, weights, scale and change, most of ordinary size and some of any."""
    n = draw(st.integers(1, 3))
    deviations = [min(draw(size), 1e150) for _ in range(n)]
    deviations = [d if d >= 1e-150 else 0.0 for d in deviations]
    # Each tuple is correlated with the first one.
    with_first = [1.0, *(draw(correlation) for _ in range(n - 1))]
    matrix = np.outer(with_first, with_first)
    np.fill_diagonal(matrix, 1.0)
    mean = [max(-1e150, min(1e150, draw(signed))) for _ in range(n)]
    cov = matrix * deviations * np.array(deviations)[:, None]
    weights = [draw(signed) for _ in range(n)]
    return mean, cov, weights, draw(size), draw(size)


def known(n, target, draw):
    return [k for k in range(n) if k != target and draw(st.booleans())]


@few()
@given(releases(), st.data())
def test_every_release_has_numbers_or_is_refused_in_words(case, data):
    mean, cov, weights, scale, change = case
    try:
        analysis = GaussianAnalysis(GaussianModel(mean, cov), weights, scale, change)
    except PdpError as fault:
        refused = str(fault)
    else:
        check_numbers(analysis, data)
        return
    assert any(word in refused for word in ("must be", "give a smaller one", "is too small", "at most 1e301"))


@pytest.mark.parametrize("heavy", [1e200, -1e150, 1.0])
def test_what_never_varies_takes_no_digits_from_others(heavy):
    deviation, weight, change, scale = 1e-149, 1e-200, 0.1, 6.2
    analysis = GaussianAnalysis(
        GaussianModel([0.1, -2.0], [[deviation**2, 0], [0, 0]]), [weight, heavy], scale, change
    )
    assert analysis.exact[0] == pytest.approx(weight * change / scale, rel=1e-12, abs=0)
    assert not analysis.exact[1].any()


@pytest.mark.parametrize("reach", [3e-40, 7e-60, 1e-36])
@pytest.mark.parametrize("target", [5e-324, 1.5e-323, 1e-320])
def test_a_target_next_to_nothing_has_a_scale(reach, target):
    scale = scale_for(reach, target)
    assert reach / scale <= target
    assert scale <= 2 * (reach / target)


def test_a_promise_next_to_nothing_is_kept():
    house = GaussianModel(None, [[1, 0.9], [0.9, 1]])
    for change in (1e-323, 3e-323, 1e-310):
        analysis = GaussianAnalysis(house, scale=2.0, max_change=change)
        kept = analysis.keeping_scale()
        assert float(analysis.exact.max()) * (2.0 / kept) <= analysis.promise


def check_numbers(analysis, data):
    n = analysis.model.n_tuples
    assert np.isfinite(analysis.exact).all()
    assert (analysis.exact >= 0).all()
    assert math.isfinite(analysis.promise)
    assert math.isfinite(float(analysis.largest))
    if analysis.promise > 0:
        # A scale beyond all numbers is refused in words.
        with contextlib.suppress(ScaleError):
            assert math.isfinite(analysis.keeping_scale())
    target = data.draw(st.integers(0, n - 1))
    adversary = GaussianAdversary(
        analysis.model,
        target,
        known(n, target, data.draw),
        weights=analysis.weights,
        scale=analysis.scale,
        max_change=analysis.max_change,
    )
    assert math.isfinite(float(adversary.leakage))
    assert math.isfinite(adversary.sigma0)
    if not adversary.determined:
        seen = Comparison(adversary)
        low, high = seen.ends
        assert math.isfinite(low)
        assert low <= high < math.inf
        r = [*np.linspace(low, high, 5), -math.inf, math.inf]
        ratios = seen.log_ratio(r)
        # A ratio near 1 has the rounding of 1.
        assert (np.abs(ratios) <= seen.limit * (1 + 1e-9) + 1e-15).all()
        assert not np.isnan(seen.densities(r)).any()
        for found in (seen.over, seen.nearly):
            assert found is None or np.isfinite(found).all()
    shown = figure(analysis._figures(target=target, known=adversary.adversary.known), "all")
    assert "nan" not in shown.svg.lower()


@given(
    st.floats(0, 1e3),
    st.floats(1e-3, 1e3),
    st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=5),
    st.floats(-1e3, 1e3),
    st.floats(-1e3, 1e3),
    st.sampled_from([-1000, -700, -500, 300, 500, 1000]),
)
def test_the_log_ratio_is_the_same_in_every_unit(deviation, scale, r, a, b, power):
    assume(all(x == 0 or abs(x) > 1e-6 for x in (deviation, a, b, *r)))
    unit = 2.0**power
    plain = LaplaceNormal(deviation, scale)
    scaled = LaplaceNormal(deviation * unit, scale * unit)
    at = np.array(r)
    # Squares of such units are no numbers, and ratios do not need them.
    assert (scaled.log_ratio(at * unit, a * unit, b * unit) == plain.log_ratio(at, a, b)).all()
    density = scaled.log_density(at * unit) + math.log(unit)
    np.testing.assert_allclose(density, plain.log_density(at), rtol=1e-11, atol=1e-11)


@given(
    st.sampled_from([0.0, 1e-300, 1e-150, 1.0, 1e100, 1e150]),
    st.sampled_from([1e-300, 1e-155, 1e-100, 1.0, 1e150, 1e300]),
    st.lists(signed.filter(lambda x: abs(x) < 1e300), min_size=1, max_size=5),
    st.floats(0, 1e100),
)
def test_densities_and_ratios_of_any_size_are_numbers(deviation, scale, r, distance):
    noise = LaplaceNormal(deviation, scale)
    limit = distance / scale
    # No release is made of more, see WeightedRelease.
    assume(limit < 1e300 and deviation / scale < 1e300 and deviation**2 / scale < 1e300)
    found = noise.log_ratio([*r, math.inf, -math.inf], distance / 2, -distance / 2)
    assert not np.isnan(found).any()
    assert (np.abs(found) <= limit * (1 + 1e-9) + 1e-12).all()
    assert not np.isnan(noise.log_density([*r, math.inf])).any()
    assert (noise.log_density(r) <= -math.log(scale) - math.log(2) + 1e-9).all()


def test_refusals_name_who_is_to_blame():
    model = GaussianModel(None, [[1, 0.5], [0.5, 1]], names=["Ann", "Bob"])
    still = GaussianModel(None, np.zeros((2, 2)))
    with pytest.raises(QueryError, match=r"The weight of Bob is 1e\+200: .*give a smaller one"):
        GaussianAnalysis(model, [1, 1e200])
    with pytest.raises(QueryError, match=r"The largest change is 1e\+300: .*give a smaller one"):
        GaussianAnalysis(model, max_change=1e300)
    with pytest.raises(ScaleError, match="The scale 1e-310 is too small"):
        GaussianAnalysis(model, [0, 0], scale=1e-310)
    with pytest.raises(ScaleError, match="The scale 1e-310 is too small"):
        GaussianAnalysis(still, scale=1e-310)
    with pytest.raises(ScaleError, match=r"The scale 1e\+308 is too large.*at most 1e301"):
        GaussianAnalysis(model, scale=1e308)
    assert GaussianAnalysis(still, scale=1e-300, max_change=1e-300).exact.tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1.0, 1e150])
def test_a_level_is_reached_whatever_the_unit(unit):
    noise = LaplaceNormal(unit**0.5, 1.0)
    level = 0.99 * unit
    reached = noise.reaches(level, unit)
    assert float(noise.log_ratio(reached, unit / 2, -unit / 2)) == pytest.approx(level, rel=1e-9)
