"""Two values of a Gaussian tuple, M apart: what a release says about them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import AdversaryError
from pdp_widgets.leakage.gaussian.comparison import Comparison, seen_charts
from pdp_widgets.leakage.gaussian.exact_node import GaussianAdversary
from pdp_widgets.models.gaussian_model import GaussianModel


def adversary(seed: int, n: int, known: int, scale: float = 1.0, max_change: float = 1.0):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n + 2))
    model = GaussianModel(rng.normal(size=n) * 5, root @ root.T / n)
    return GaussianAdversary(
        model, 0, range(1, 1 + known), weights=rng.normal(size=n), scale=scale, max_change=max_change
    )


@given(st.integers(0, 10**6), st.integers(1, 5), st.data(), st.sampled_from([0.05, 1.0, 30.0]))
def test_the_levels_are_reached_where_it_says(seed, n, data, scale):
    who = adversary(seed, n, data.draw(st.integers(0, n - 1)), scale, 2.0)
    seen = Comparison(who)
    low, high = seen.pair
    assert (seen.expected, high - low) == (who.model.mean[0], pytest.approx(2.0))
    assert seen.limit == pytest.approx(abs(who.coefficient) * 2 / scale)
    # Far out the log ratio comes to the limit from below, on both sides alike.
    far = seen.log_ratio([-1e9, 1e9])
    np.testing.assert_allclose(far, np.array([-1, 1]) * np.sign(seen.shift) * seen.limit, rtol=1e-9)
    for found, level in ((seen.over, who.promise), (seen.nearly, 0.99 * seen.limit)):
        if found is None:
            assert level >= seen.limit * (1 - 1e-9)
            continue
        at = seen.log_ratio(found)
        np.testing.assert_allclose(np.abs(at), level, rtol=1e-6)
        inside = seen.log_ratio(np.linspace(*found, 9)[1:-1])
        assert (np.abs(inside) < level * (1 + 1e-9)).all()
    np.testing.assert_allclose(seen.log_ratio(seen.middle), 0, atol=1e-9 * max(1, seen.limit))


@pytest.mark.parametrize(("known", "scale"), [(0, 1.0), (2, 0.3), (3, 1.0)])
def test_the_densities_are_those_of_the_adversary(known, scale):
    who = adversary(5, 4, known, scale, 1.5)
    seen = Comparison(who)
    low, high = seen.pair
    r = np.linspace(*seen.ends, 20_001)
    lower, upper = seen.densities(r)
    np.testing.assert_allclose(lower, who.density(low, r), rtol=1e-9)
    np.testing.assert_allclose(upper, who.density(high, r), rtol=1e-9)
    np.testing.assert_allclose(seen.log_ratio(r), who.log_ratio(high, low, r), atol=1e-9)
    # The axis shows nearly all of both.
    for density in (lower, upper):
        assert 0.97 < np.trapezoid(density, r) <= 1 + 1e-6


def test_a_change_too_small_for_the_mean_still_has_its_leakage():
    model = GaussianModel([1e9, 0], [[1, 0.9], [0.9, 1]])
    seen = Comparison(GaussianAdversary(model, 0, max_change=1e-9, scale=1e-9))
    # In float64 the two values are one; their distance is known all the same.
    assert seen.pair[0] == seen.pair[1]
    assert seen.limit == pytest.approx(1.9)
    assert seen.log_ratio([-1e12, 1e12]).tolist() == pytest.approx([-1.9, 1.9])


def test_where_the_promise_holds_nothing_is_over():
    model = GaussianModel(None, [[1, -0.5], [-0.5, 1]])
    weak, strong = Comparison(GaussianAdversary(model, 0)), Comparison(GaussianAdversary(model, 0, [1]))
    assert weak.over is None
    assert weak.limit == 0.5
    # The strongest adversary learns exactly the promise: that is not over it.
    assert (strong.limit, strong.over) == (1, None)
    nothing = Comparison(GaussianAdversary(model, 0, max_change=0))
    assert (nothing.limit, nothing.over, nothing.nearly) == (0, None, None)
    assert nothing.log_ratio([-3, 0, 3]).tolist() == [0, 0, 0]


def test_a_determined_target_has_no_two_values():
    with pytest.raises(AdversaryError, match="no two values to compare"):
        Comparison(GaussianAdversary(GaussianModel(None, [[1, 1], [1, 1]]), 0, [1]))


@pytest.mark.parametrize("mean", [0.0, -2500000.0, 2500000.0, 1e20])
def test_both_densities_are_drawn_however_large_the_mean(mean):
    densities, ratio = seen_charts(GaussianAdversary(GaussianModel([mean, 1], [[1, 0.5], [0.5, 1]]), 0))
    first, second = (series.name for series in densities.series)
    assert first != second
    assert "-" not in first + second
    assert "e+" not in first + second
    assert not np.array_equal(densities.series[0].y, densities.series[1].y)
    assert ratio.title.startswith("Log ratio")
