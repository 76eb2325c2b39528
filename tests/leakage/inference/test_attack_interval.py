"""The interval of what a release adds on average: it is over draws of the noise, which all users share."""

import numpy as np
import pytest
from scipy import stats

from pdp_widgets import InferenceAttack, synthetic_network
from pdp_widgets.leakage.inference.attack_means import attack_means, half_over_draws


@pytest.fixture(scope="module")
def attack():
    return InferenceAttack(synthetic_network(450, rng=1).city("New York"), epsilon=40.0, grid=10)


@pytest.fixture(scope="module")
def by_draw(attack):
    """Means over all users, attack 1 and attack 2, of 240 releases."""
    return np.array([attack.at(draw=k).all_users().mean("incremental") for k in range(1, 241)]).T


def test_the_half_width_is_that_of_students_t_over_draws(attack, by_draw):
    found = attack_means(attack, 4)
    for row in (0, 1):
        low, high = stats.t.interval(0.95, 3, by_draw[row, :4].mean(), stats.sem(by_draw[row, :4]))
        assert found.half_width[row] == pytest.approx((high - low) / 2, rel=1e-9)
        assert found.incremental[row] == pytest.approx((high + low) / 2, rel=1e-9)


def test_intervals_of_four_draws_hold_the_mean_of_many_about_as_often_as_said(by_draw):
    truth = by_draw.mean(axis=1)
    groups = by_draw.reshape(2, 60, 4)
    halves = np.array([half_over_draws(groups[:, k]) for k in range(60)]).T
    held = (np.abs(groups.mean(axis=2) - truth[:, None]) <= halves).mean(axis=1)
    # Of 60 intervals of 95 % fewer than 51 hold in about 1 of 1,000 cases.
    assert (held >= 51 / 60).all()
    # They are no wider than they need be: half as wide they miss more often than is said.
    half_as_wide = (np.abs(groups.mean(axis=2) - truth[:, None]) <= halves / 2).mean(axis=1)
    assert (half_as_wide < 0.95).all()


def test_intervals_of_draws_that_are_normal_hold_95_of_100():
    drawn = np.random.default_rng(5).normal(0.3, 2.0, (20_000, 4))
    held = np.abs(drawn.mean(axis=1) - 0.3) <= half_over_draws(drawn)
    assert held.mean() == pytest.approx(0.95, abs=0.006)


def test_one_draw_has_no_interval(attack):
    assert np.isnan(attack_means(attack, 1).half_width).all()
