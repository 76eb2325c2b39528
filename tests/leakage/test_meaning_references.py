"""What a leakage means, beside two libraries that compute parts of it: dp-accounting and qif."""

import math

import numpy as np
import pytest
import qif
from dp_accounting.pld import privacy_loss_distribution as pld

import pdp_widgets as pdp
from pdp_widgets.leakage.meaning.information import shannon_capacity
from pdp_widgets.meaning import (
    DiscreteLaplaceNoise,
    GaussianNoise,
    LaplaceNoise,
    Meaning,
    channel_laws,
    noisy_laws,
)

#: The other library rounds losses up to multiples of this: its slacks are upper bounds.
INTERVAL = 1e-4
EPSILONS = [0.0, 0.2, 0.5, 1.0, 2.0]


@pytest.mark.parametrize(
    ("noise", "made"),
    [
        (LaplaceNoise(2.0), pld.from_laplace_mechanism),
        (GaussianNoise(2.0), pld.from_gaussian_mechanism),
        (
            DiscreteLaplaceNoise(2.0),
            lambda scale, **kept: pld.from_discrete_laplace_mechanism(1 / scale, **kept),
        ),
    ],
)
@pytest.mark.parametrize("shift", [1, 3])
def test_one_shift(noise, made, shift):
    one = Meaning(noisy_laws(noise, [0, shift], np.eye(2)))
    other = made(2.0, sensitivity=shift, value_discretization_interval=INTERVAL)
    wanted = np.array([other.get_delta_for_epsilon(e) for e in EPSILONS])
    got = one.delta(EPSILONS).values
    assert (got <= wanted + 1e-12).all()
    assert (wanted - got <= 2 * INTERVAL).all()
    least = other.get_epsilon_for_delta(0.01)
    assert -1e-12 <= least - one.epsilon(0.01).value <= 2 * INTERVAL


@pytest.mark.parametrize("seed", range(3))
def test_two_laws_and_several_uses(seed):
    rows = np.random.default_rng(seed).dirichlet(np.ones(4), 2)
    one = Meaning(channel_laws(rows))
    both = [dict(enumerate(np.log(row))) for row in rows]
    other = pld.from_two_probability_mass_functions(
        both[1], both[0], value_discretization_interval=INTERVAL, symmetric=False
    )
    for times in (1, 3):
        wanted = np.array([other.self_compose(times).get_delta_for_epsilon(e) for e in EPSILONS])
        got = np.maximum(*(one.compose(times, EPSILONS, pair).joint for pair in ((0, 1), (1, 0))))
        assert (got <= wanted + 1e-12).all()
        assert (wanted - got <= 2 * times * INTERVAL).all()


@pytest.mark.parametrize("seed", range(5))
def test_channels_and_guesses(seed):
    rng = np.random.default_rng(seed)
    rows, prior = rng.dirichlet(np.ones(5) * 0.6, 3), rng.dirichlet(np.ones(3))
    gain = rng.normal(size=(4, 3))
    one = Meaning(channel_laws(rows, prior))
    bayes, gains, shannon, guessing = (
        qif.measure.bayes_vuln,
        qif.measure.g_vuln,
        qif.measure.shannon,
        qif.measure.guessing,
    )
    guess, found = one.vulnerability(), one.gain(gain)
    for got, wanted in (
        (guess.prior, bayes.prior(prior)),
        (guess.posterior, bayes.posterior(prior, rows)),
        (guess.multiplicative, bayes.mult_leakage(prior, rows)),
        (guess.additive, bayes.add_leakage(prior, rows)),
        (guess.min_entropy_leakage_bits, bayes.min_entropy_leakage(prior, rows)),
        (float(one.measure("bayes_capacity")), bayes.mult_capacity(rows)),
        (found.prior, gains.prior(gain, prior)),
        (found.posterior, gains.posterior(gain, prior, rows)),
        (guess.guesses_before, guessing.prior(prior)),
        (guess.guesses_after, guessing.posterior(prior, rows)),
        (
            float(one.measure("mutual_information")) / math.log(2),
            shannon.prior(prior) - shannon.posterior(prior, rows),
        ),
    ):
        assert got == pytest.approx(wanted, abs=1e-12)


def test_capacity_is_that_of_the_best_prior():
    rows = np.random.default_rng(1).dirichlet(np.ones(4), 2)
    grid = np.linspace(0.001, 0.999, 999)
    found = [float(Meaning(channel_laws(rows, [p, 1 - p])).measure("mutual_information")) for p in grid]
    assert shannon_capacity(rows) == pytest.approx(max(found), abs=1e-5)
    assert shannon_capacity(rows) >= max(found)


def test_the_adversary_of_a_table_beside_its_discretised_losses():
    joint = pdp.lsat6()
    analysis = pdp.PriorAnalysis(joint, pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), 1))
    one = analysis.meaning("item 1", noise=DiscreteLaplaceNoise(1.0))
    rows = np.exp(one.cases[0].laws.nodes()[1])
    losses = [dict(enumerate(np.log(row))) for row in rows]
    other = pld.from_two_probability_mass_functions(
        *losses, value_discretization_interval=INTERVAL, symmetric=False
    )
    wanted = np.array([other.get_delta_for_epsilon(e) for e in EPSILONS])
    assert np.abs(wanted - one.delta(EPSILONS).values).max() <= 2 * INTERVAL
