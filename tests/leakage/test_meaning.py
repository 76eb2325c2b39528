"""What a leakage means: invariants of tests, profiles, guesses and information, and every kind of release."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pdp_widgets as pdp
from pdp_widgets import meaning
from pdp_widgets.errors import PdpError
from pdp_widgets.leakage.adversary import known_of
from pdp_widgets.leakage.gaussian.release import LaplaceNormal
from pdp_widgets.meaning import (
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    GaussianNoise,
    LaplaceNoise,
    Meaning,
    NoNoise,
    channel_laws,
    leakage_bounds,
    noisy_laws,
)
from pdp_widgets.models.joint_examples import xor_bits

NOISES = (
    LaplaceNoise(0.8),
    GaussianNoise(0.9),
    DiscreteLaplaceNoise(0.8),
    DiscreteGaussianNoise(0.9),
    NoNoise(),
)


def rows_of(seed, many, outputs, zeros=0.0):
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(outputs, 0.7), many)
    rows = np.where(rng.random(rows.shape) < zeros, 0.0, rows) + 1e-300
    return rows / rows.sum(axis=1, keepdims=True)


@st.composite
def laws(draw):
    """Draw laws of two or three labels with a prior: noise of any kind on up to five values."""
    seed, many = draw(st.integers(0, 10_000)), draw(st.integers(2, 3))
    rng = np.random.default_rng(seed)
    centres = np.sort(rng.choice(8, 5, replace=False))
    prior = rng.dirichlet(np.ones(many) * 2)
    return noisy_laws(draw(st.sampled_from(NOISES)), centres, rows_of(seed, many, 5, 0.3), prior)


@settings(max_examples=12)
@given(laws(), st.floats(-2, 3))
def test_profile_and_trade_off_are_two_pictures_of_one_thing(found, epsilon):
    one = Meaning(found)
    there, back = one.delta([epsilon, -epsilon], (0, 1)).values, one.delta([epsilon, -epsilon], (1, 0)).values
    assert back[0] == pytest.approx(1 - math.exp(epsilon) * (1 - there[1]), abs=1e-9)
    alphas = np.linspace(0, 1, 9)
    missed = one.trade_off(alphas, (0, 1)).values
    assert (np.diff(missed) <= 1e-9).all()
    assert (missed <= 1 - alphas + 1e-12).all()
    # The line of a slack touches the trade-off function of the other direction from below.
    mirrored = one.trade_off(alphas, (1, 0)).values
    assert (mirrored >= 1 - there[0] - math.exp(epsilon) * alphas - 1e-8).all()
    assert float(one.epsilon(float(there[0]), (0, 1))) <= max(epsilon, 0) + 1e-6
    error = float(one.measure("equal_error", (0, 1)))
    assert one.trade_off(error, (0, 1)).value == pytest.approx(error, abs=1e-8)


@settings(max_examples=15)
@given(laws())
def test_measures_keep_their_order_and_stay_below_what_the_leakage_allows(found):
    one = Meaning(found)
    bounds = one.bounds()
    table = one.to_dataframe()
    assert (table["exact"] <= table["bound"].fillna(np.inf) * (1 + 1e-9) + 1e-9).all()
    measure = {name: float(one.measure(name)) for name in table["measure"]}
    slack = 1e-9
    assert measure["mutual_information"] <= measure["maximal_leakage"] + slack
    assert measure["maximal_leakage"] <= measure["largest_pointwise_leakage"] + slack
    assert measure["largest_pointwise_leakage"] <= measure["leakage"] + slack
    assert measure["advantage"] <= math.sqrt(measure["kl"] / 2) + slack
    assert measure["balanced_guess"] <= measure["auc"] + slack
    assert measure["auc"] <= 1 - (1 - measure["advantage"]) ** 2 / 2 + slack
    guess = one.vulnerability()
    assert guess.posterior**2 <= measure["expected_posterior"] + slack <= guess.posterior + 2 * slack
    assert guess.multiplicative <= measure["bayes_capacity"] + slack
    epsilons = np.linspace(0, 3, 7)
    assert (one.delta(epsilons).values <= bounds.delta(epsilons) + slack).all()
    orders = [0.5, 1, 2, 5]
    assert (
        one.measure("renyi_divergence", order=orders).values <= bounds.renyi(orders) * (1 + slack) + slack
    ).all()
    alphas = np.linspace(0, 1, 5)
    assert (one.trade_off(alphas).values >= bounds.missed(alphas) - slack).all()
    for place, label in one.labels.items():
        low, high = one.chance(label)
        allowed = bounds.chance(float(found.prior[place]))
        assert allowed[0] - slack <= low <= high <= allowed[1] + slack


@pytest.mark.parametrize("level", [0.0, 1e-9, 1.0, 40.0, 700.0, 800.0, math.inf])
@pytest.mark.parametrize("labels", [2, 4])
def test_what_a_leakage_allows_holds_at_every_level(level, labels):
    """Randomised response, in closed form where a channel cannot hold its chances."""
    bounds = leakage_bounds(level, np.full(labels, 1 / labels))
    small = math.exp(-level)
    alphas = np.array([0.0, 1e-300, 0.3, 1.0])
    # The points of its trade-off are (0, 1), (e, e) and (1, 0) with e = 1 / (1 + exp(L)), joined by lines.
    error = small / (1 + small)
    missed = (
        np.interp(alphas, [0.0, error, 1.0], [1.0, error, 0.0]) if error else np.where(alphas > 0, 0.0, 1.0)
    )
    assert bounds.missed(alphas) == pytest.approx(np.zeros(4) if level == math.inf else missed, abs=1e-12)
    assert ((bounds.missed(alphas) >= 0) & (bounds.missed(alphas) <= 1 - alphas)).all()
    assert bounds.delta(0.0)[0] == pytest.approx(math.tanh(level / 2))
    assert bounds.advantage + 2 * error == pytest.approx(1)
    orders = bounds.renyi([0.5, 1, 2, math.inf])
    assert sorted(orders) == pytest.approx(orders)
    assert bounds.renyi(math.inf)[0] == level
    assert bounds.chance(0.25)[0] <= 0.25 <= bounds.chance(0.25)[1] <= 1
    assert 0 <= bounds.mutual_information <= bounds.mutual_information_any <= math.log(labels) + 1e-12
    assert bounds.mutual_information <= bounds.maximal_leakage + 1e-12
    assert bounds.maximal_leakage <= bounds.largest_pointwise_leakage + 1e-12 <= level + 1e-9


def test_nothing_is_missed_of_laws_that_share_no_release():
    one = Meaning(channel_laws([[1, 0], [0, 1]], [0.5, 0.5]))
    alphas = [0.0, 0.5, 1.0]
    bounds = leakage_bounds(float(one.measure("leakage")), [0.5, 0.5])
    assert (one.trade_off(alphas).values >= bounds.missed(alphas)).all()
    assert (one.delta([0, 800, math.inf]).values <= bounds.delta([0, 800, math.inf])).all()


@pytest.mark.parametrize("level", [0.1, 1.0, 4.0])
def test_randomised_response_attains_every_bound(level):
    keep = 1 / (1 + math.exp(-level))
    one = Meaning(channel_laws([[keep, 1 - keep], [1 - keep, keep]], [0.6, 0.4]))
    table = one.to_dataframe().dropna().set_index("measure")
    assert set(table.index) >= {
        "advantage",
        "auc",
        "kl",
        "chi_squared",
        "mutual_information",
        "maximal_leakage",
    }
    assert np.allclose(table["exact"], table["bound"], rtol=1e-9)
    bounds = leakage_bounds(level, [0.6, 0.4])
    for got, allowed in (
        (one.delta([0, 0.3, 2]).values, bounds.delta([0, 0.3, 2])),
        (one.trade_off([0.1, 0.4, 0.7]).values, bounds.missed([0.1, 0.4, 0.7])),
        (one.measure("renyi_divergence", order=[0.5, 3]).values, bounds.renyi([0.5, 3])),
        (one.chance(1), bounds.chance(0.4)),
    ):
        assert np.allclose(got, allowed, rtol=1e-9)


@pytest.mark.parametrize("level", [0.3, 2.0, math.inf])
def test_the_curves_of_randomised_response_are_those_of_its_promise(level):
    keep = 1 / (1 + math.exp(-level))
    one = Meaning(channel_laws([[keep, 1 - keep], [1 - keep, keep]], [0.3, 0.7]), promise=level)
    figures = one._figures()
    for name in ("tests", "profile"):
        drawn = {series.name: series.y for series in figures[name]().series}
        np.testing.assert_allclose(drawn["exact"], drawn["the most that the promise allows"], atol=1e-6)
    before, after = figures["guesses"]().series
    assert before.x.tolist() == pytest.approx([0.7, 0.3, 0.7])
    assert after.x[0] == pytest.approx(float(one.measure("posterior_vulnerability")))
    for (low, high), label in zip(zip(after.low[1:], after.high[1:], strict=True), (0, 1), strict=True):
        assert (low, high) == pytest.approx(one.chance(label))


@pytest.mark.parametrize("noise", NOISES[:2])
@pytest.mark.parametrize("seed", range(3))
def test_smooth_noise_is_integrated_exactly(noise, seed):
    centres, rows = np.array([0.0, 1.0, 2.5, 6.0]), rows_of(seed, 3, 4)
    prior = np.array([0.5, 0.3, 0.2])
    one = Meaning(noisy_laws(noise, centres, rows, prior))
    r = np.linspace(-25, 31, 400_001)
    p = rows @ np.exp(noise.log_density(r - centres[:, None]))
    step = r[1] - r[0]

    def summed(values):
        return float(np.trapezoid(values, dx=step))

    t = np.exp([-0.5, 0.0, 0.7])
    wanted = [summed(np.maximum(p[0] - one_t * p[1], 0)) for one_t in t]
    assert np.allclose(one.delta(np.log(t), (0, 1)).values, wanted, atol=1e-8)
    weighted = prior[:, None] * p
    assert one.vulnerability().posterior == pytest.approx(summed(weighted.max(axis=0)), abs=1e-8)
    ordered = np.sort(weighted, axis=0)[::-1]
    assert one.vulnerability().guesses_after == pytest.approx(summed([1, 2, 3] @ ordered), abs=1e-7)
    assert float(one.measure("bayes_capacity")) == pytest.approx(summed(p.max(axis=0)), abs=1e-8)
    mixed = weighted.sum(axis=0)
    lift = np.log(p.max(axis=0) / mixed)
    assert one.measure("pointwise_tail", level=0.2).value == pytest.approx(
        summed(mixed * (lift > 0.2)), abs=1e-4
    )
    assert float(one.measure("largest_pointwise_leakage")) >= lift.max() - 1e-9
    gain = np.array([[1, 0, -1], [0.2, 0.5, 0.1]])
    assert one.gain(gain).posterior == pytest.approx(summed((gain @ weighted).max(axis=0)), abs=1e-8)
    both = summed(weighted[0] * np.log(p[0] / mixed)) + summed(weighted[1] * np.log(p[1] / mixed))
    both += summed(weighted[2] * np.log(p[2] / mixed))
    assert float(one.measure("mutual_information")) == pytest.approx(both, abs=1e-7)


TABLE = pdp.JointDistribution.normalised(np.random.default_rng(5).dirichlet(np.ones(12)).reshape(2, 3, 2))
QUERY = pdp.LinearQuery.sum(TABLE)


@pytest.mark.parametrize("noise", NOISES[:4])
@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_all_adversaries_at_once_are_those_one_by_one(noise, convention):
    analysis = pdp.PriorAnalysis(TABLE, pdp.LaplaceMechanism(QUERY, 1.0), convention=convention)
    for name, argument in (
        ("delta", {"epsilon": 0.4}),
        ("epsilon", {"delta": 0.05}),
        ("advantage", {}),
        ("posterior_vulnerability", {}),
        ("bayes_security_worst", {}),
    ):
        together = analysis.measure(name, noise=noise, **argument)
        for i, c in itertools.product(range(3), range(4)):
            alone = analysis.meaning(i, known_of(3, i, c), noise=noise).measure(name, **argument)
            assert together[i, c] == pytest.approx(float(alone), abs=1e-8), (name, i, c)
    assert np.allclose(analysis.measure("leakage"), analysis.exact, atol=1e-12)


@pytest.mark.parametrize("noise", [LaplaceNoise(1e-3), GaussianNoise(0.02)])
@pytest.mark.parametrize("delta", [1e-9, 0.5])
def test_epsilons_beyond_the_floats_are_those_one_by_one(noise, delta):
    bits = pdp.JointDistribution([[0.3, 0.2], [0.1, 0.4]])
    analysis = pdp.PriorAnalysis(bits, pdp.LaplaceMechanism(pdp.LinearQuery.sum(bits), 1.0))
    together = analysis.measure("epsilon", noise=noise, delta=delta)
    for i, c in itertools.product(range(2), range(2)):
        alone = analysis.meaning(i, known_of(2, i, c), noise=noise).measure("epsilon", delta=delta)
        assert together[i, c] == pytest.approx(float(alone), rel=1e-9), (i, c)
    assert (together > 700).any()


def test_rows_in_blocks_are_those_at_once(monkeypatch):
    from pdp_widgets.leakage.meaning import all_adversaries

    analysis = pdp.PriorAnalysis(TABLE, pdp.LaplaceMechanism(QUERY, 1.0), convention="sup")
    whole = analysis.measure("delta", epsilon=0.4)
    averaged = analysis.measure("advantage")
    monkeypatch.setattr(all_adversaries, "_ROWS_AT_ONCE", 1)
    assert np.array_equal(analysis.measure("delta", epsilon=0.4), whole)
    assert np.array_equal(analysis.measure("advantage"), averaged)


def test_a_query_without_a_common_step_is_taken_adversary_by_adversary():
    query = pdp.LinearQuery([[0, 1], [0, math.pi, 1], [0, math.e]])
    analysis = pdp.PriorAnalysis(TABLE, pdp.LaplaceMechanism(query, 1.0))
    found = analysis.measure("delta", epsilon=0.3)
    assert found[1, 0] == pytest.approx(analysis.meaning(1).delta(0.3).value)


@pytest.mark.parametrize("kind", ["laplace", "gaussian", "discrete_laplace", "discrete_gaussian"])
@pytest.mark.parametrize("adversary", [None, (0, [2])])
@pytest.mark.parametrize("convention", ["instance", "sup"])
def test_the_least_noise_keeps_the_slack_and_less_does_not(kind, adversary, convention):
    found = meaning.calibrate_noise(TABLE, QUERY, kind, 0.8, 0.01, adversary=adversary, convention=convention)
    analysis = pdp.PriorAnalysis(TABLE, pdp.LaplaceMechanism(QUERY, 1.0), convention=convention)

    def slack(scale):
        noise = meaning.noise_named(kind, scale)
        if adversary is not None:
            return float(analysis.meaning(*adversary, noise=noise).delta(0.8))
        return analysis.measure("delta", epsilon=0.8, noise=noise).max()

    assert slack(found.scale) <= 0.01 * (1 + 1e-9)
    assert slack(found.scale * 0.995) > 0.01
    assert found.slack == pytest.approx(slack(found.scale))


def test_no_noise_is_needed_where_nothing_is_told_apart():
    joint = pdp.JointDistribution([[0.25, 0.25], [0.25, 0.25]])
    query = pdp.LinearQuery.weighted(joint, [0, 1])
    found = meaning.calibrate_noise(joint, query, "gaussian", 1.0, 0.0, adversary=(0, []))
    assert (found.scale, found.status) == (0.0, "no noise needed")
    pure = meaning.calibrate_noise(TABLE, QUERY, "laplace", 0.8, 0.0)
    assert pure.scale == pytest.approx(pdp.calibrate(TABLE, QUERY, 0.8, convention="sup").scale, rel=1e-9)


def stream_by_enumeration(stream, mechanism, steps, target):
    """Return the laws of all releases given the symbol of one step, by going through all data sequences."""
    start, moves = np.asarray(stream.start), np.asarray(stream.transitions)
    laws = np.zeros((len(start), len(start) ** steps))
    for column, released in enumerate(itertools.product(range(len(start)), repeat=steps)):
        belief, channels = start, []
        for step in range(steps):
            belief = belief @ moves if step else belief
            channels.append(mechanism.matrices(belief[None])[0])
            belief = belief * channels[-1][:, released[step]]
            belief = belief / belief.sum()
        for data in itertools.product(range(len(start)), repeat=steps):
            chance = start[data[0]] * math.prod(moves[a, b] for a, b in itertools.pairwise(data))
            chance *= math.prod(c[x, y] for c, x, y in zip(channels, data, released, strict=True))
            laws[data[target], column] += chance
    return laws / laws.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("target", range(3))
def test_streams_say_of_a_symbol_what_all_sequences_say(target):
    stream = pdp.MarkovChain.symmetric(0.9, start=[0.05, 0.95])
    analysis = pdp.SequenceAnalysis(stream, "crr_balanced", 3, epsilon=1.0)
    one, other = stream_by_enumeration(stream, analysis.mechanisms[0], 3, target)
    found = analysis.meaning(target + 1)
    assert float(found.measure("advantage")) == pytest.approx(np.abs(one - other).sum() / 2, abs=1e-12)
    assert found.measure("kl", (0, 1)).value == pytest.approx(one @ np.log(one / other), abs=1e-12)


def test_analyses_agree_with_their_own_leakages():
    local = pdp.LocalAnalysis(pdp.titanic(), "GRR", 1.0)
    assert float(local.meaning("survived", ["sex"]).leakage) == pytest.approx(
        float(local.pair("sex", "survived"))
    )
    assert float(local.meaning("survived").leakage) == pytest.approx(float(local.joint("survived").exact))
    bits = pdp.DependenceAnalysis(xor_bits(), known=["x2"], scale=1.0)
    assert float(bits.meaning("x1").leakage) == pytest.approx(float(bits.per_tuple[0]))
    joint = pdp.JointDistribution([[0.45, 0.05], [0.05, 0.45]])
    sparse = pdp.DependenceAnalysis(joint, scale=1.5).meaning("x1")
    dense = pdp.PriorAnalysis(joint, pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), 1.5)).meaning("x1")
    assert np.allclose(sparse.to_dataframe()["exact"], dense.to_dataframe()["exact"])
    flats = pdp.GaussianModel(None, [[1.4, 0.6, 0.3], [0.6, 1, 0.4], [0.3, 0.4, 1]])
    analysis = pdp.GaussianAnalysis(flats, scale=2)
    assert np.allclose(analysis.measure("leakage"), analysis.exact)
    hidden = pdp.AnonymityAnalysis(
        pdp.anes96_records(), ["age", "education"], "vote", k=5, level="III", known=0.9
    )
    assert hidden.meaning().delta(0.5).value == pytest.approx(hidden.slack(0.5).delta)


def test_gaussian_data_with_normal_noise_are_mu_gdp():
    model = pdp.GaussianModel(None, [[1, 0.5, 0.3], [0.5, 1, 0.4], [0.3, 0.4, 1]])
    analysis = pdp.GaussianAnalysis(model)
    one = analysis.meaning(0, noise=GaussianNoise(1.0))
    exact = meaning.gaussian_composition(model, [[1, 1, 1]], [1.0], 0)
    assert np.allclose(one.delta([0, 0.7, 2]).values, exact.delta([0, 0.7, 2]), atol=1e-12)
    assert float(one.measure("auc")) == pytest.approx(exact.auc, abs=1e-9)
    assert one.measure("renyi_divergence", order=3.0).value == pytest.approx(1.5 * exact.mu**2, rel=1e-9)
    assert float(one.measure("mutual_information")) == pytest.approx(exact.mutual_information)
    determined = pdp.GaussianAnalysis(pdp.GaussianModel(None, [[1, 1], [1, 1]])).meaning(0, [1])
    assert determined.determined
    assert float(determined.measure("advantage")) == 0


@pytest.mark.parametrize("spread", [1e-6, 0.01, 1.0, 30.0, 1e4])
def test_the_spread_of_the_others_may_be_of_any_size(spread):
    model = pdp.GaussianModel(None, [[1, 0], [0, spread**2]])
    one = pdp.GaussianAnalysis(model, scale=1.0).meaning("x1")
    # The laws part in the middle: what one of them has more there is its mass within half a change.
    at = np.linspace(-0.5, 0.5, 200_001)
    within = float(np.trapezoid(np.exp(LaplaceNormal(spread, 1.0).log_density(at)), at))
    assert float(one.measure("advantage")) == pytest.approx(within, rel=1e-6)
    assert float(one.leakage) == pytest.approx(1.0)


@pytest.mark.parametrize("noise", [LaplaceNoise(1e-6), GaussianNoise(1e-3)])
def test_narrow_noise_tells_what_the_values_tell(noise):
    rows = rows_of(3, 2, 6)
    narrow = Meaning(noisy_laws(noise, np.arange(6) * 40.0, rows, [0.5, 0.5]))
    bare = Meaning(noisy_laws(NoNoise(), np.arange(6) * 40.0, rows, [0.5, 0.5]))
    for name in ("advantage", "maximal_leakage", "posterior_vulnerability", "largest_pointwise_leakage"):
        assert float(narrow.measure(name)) == pytest.approx(float(bare.measure(name)), abs=1e-9)
    assert np.allclose(narrow.delta([0.3, 1]).values, bare.delta([0.3, 1]).values)
    if isinstance(noise, LaplaceNoise):
        with pytest.raises(PdpError, match="so narrow"):
            narrow.measure("kl")
        return
    for name in ("auc", "kl", "squared_hellinger", "mutual_information", "expected_posterior"):
        assert float(narrow.measure(name)) == pytest.approx(float(bare.measure(name)), abs=1e-9)


@pytest.mark.parametrize("kind", [GaussianNoise, LaplaceNoise])
@pytest.mark.parametrize("gap", [1.0, 5.0, 8.0, 12.0, 40.0, 1000.0])
def test_trade_offs_are_those_of_fine_cells_however_narrow_the_noise(kind, gap):
    noise, reach = kind(1.0), 9.0 if kind is GaussianNoise else 25.0
    alphas, epsilons = np.array([1e-3, 0.01, 0.05, 0.1, 0.5, 0.9]), np.linspace(-4, 4, 41)
    for seed in range(3):
        centres = np.arange(3.0) * gap
        rows = np.array([[0.9, 0.1, 0], [0.2, 0.8, 0]]) if not seed else rows_of(seed, 2, 3)
        one = Meaning(noisy_laws(noise, centres, rows))
        cuts = np.unique(np.add.outer(centres, np.linspace(-reach, reach, 1201)))
        cuts = np.concatenate([[-np.inf], cuts, [np.inf]])
        cells = rows @ noise.mass(cuts[:-1] - centres[:, None], cuts[1:] - centres[:, None])
        fine = Meaning(channel_laws(cells / cells.sum(axis=1, keepdims=True)))
        for v, w in ((0, 1), (1, 0)):
            missed = one.trade_off(alphas, (v, w)).values
            assert np.allclose(missed, fine.trade_off(alphas, (v, w)).values, atol=1e-3)
            # No slack lets a test do better than its line.
            slack = one.delta(epsilons, (w, v)).values
            lines = 1 - slack[:, None] - np.exp(epsilons)[:, None] * alphas
            assert (missed >= lines - 1e-12).all()
            error = float(one.measure("equal_error", (v, w)))
            assert error == pytest.approx(float(fine.measure("equal_error", (v, w))), abs=1e-3)


@pytest.mark.parametrize(
    ("kind", "epsilon", "delta"),
    [
        ("laplace", 1.0, 1e-9),
        ("laplace", 1.0, 1e-12),
        ("laplace", 0.0, 1e-6),
        ("laplace", 1e-20, 0.0),
        ("discrete_laplace", 1.0, 1e-6),
        ("discrete_laplace", 0.5, 1e-5),
    ],
)
def test_the_least_noise_is_found_where_rounding_blurs_the_slack(kind, epsilon, delta):
    joint = pdp.JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    found = meaning.calibrate_noise(joint, pdp.LinearQuery.sum(joint), kind, epsilon, delta, limit=5)
    assert found.slack <= delta * (1 + 1e-9)
    if delta == 0:
        assert found.scale == pytest.approx(1.2 / epsilon, rel=1e-9)


def test_normal_noise_on_the_integers_has_any_scale():
    tiny = Meaning(noisy_laws(DiscreteGaussianNoise(1e-90), [0, 1], [[0.9, 0.1], [0.2, 0.8]]))
    assert float(tiny.measure("advantage")) == pytest.approx(0.7)
    for scale in (3.99, 4.01):
        noise = DiscreteGaussianNoise(scale)
        assert noise.pmf(np.arange(-200, 201)).sum() == pytest.approx(1, abs=1e-13)
        assert noise.variance == pytest.approx(scale**2, rel=1e-12)


@pytest.mark.parametrize("noise", NOISES[:4])
def test_several_answers_are_exact_where_nothing_is_unknown(noise):
    joint = pdp.JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    query = pdp.LinearQuery.sum(joint)
    known = Meaning(meaning.table_laws(joint, query, noise, 0, {1: 1}))
    found = known.compose(2, [0.0, 0.5], (0, 1))
    assert (found.exact, found.understates) == (True, False)
    assert np.allclose(found.joint, found.composed, atol=1e-7)
    open_ = Meaning(meaning.table_laws(joint, query, noise, 0)).compose(2, [0.0, 0.5], (0, 1))
    assert not open_.exact
    assert (
        open_.joint >= Meaning(meaning.table_laws(joint, query, noise, 0)).delta([0.0, 0.5], (0, 1)).values
    ).all()


def test_a_bound_stands_where_the_joint_slack_is_not_computed():
    joint = pdp.JointDistribution([[0.3, 0.2], [0.2, 0.3]])
    one = Meaning(meaning.table_laws(joint, pdp.LinearQuery.sum(joint), LaplaceNoise(1.0), 0))
    found = one.compose(4, [0.0, 1.0], (0, 1))
    assert (found.joint, found.composed) == (None, None)
    assert (found.bound >= one.compose(2, [0.0, 1.0], (0, 1)).joint).all()
    assert (found.bound < 1).all()


FLIP = channel_laws([[0.75, 0.25], [0.25, 0.75]], [0.5, 0.5])
REFUSED = {
    "The measure is 'delt'": lambda: Meaning(FLIP).measure("delt"),
    "give epsilon=": lambda: Meaning(FLIP).measure("delta"),
    "takes no order": lambda: Meaning(FLIP).measure("auc", order=2),
    "about no pair": lambda: Meaning(FLIP).measure("mutual_information", (0, 1)),
    "two different labels": lambda: Meaning(FLIP).delta(0.5, (0, 0)),
    "needs to know how likely": lambda: Meaning(channel_laws([[1, 0], [0, 1]])).vulnerability(),
    "one column for each": lambda: Meaning(FLIP).gain([[1, 0, 0]]),
    "whole values": lambda: noisy_laws(DiscreteLaplaceNoise(1.0), [0, 0.5], [[1, 0], [0, 1]]),
    "out of reach": lambda: meaning.calibrate_noise(TABLE, QUERY, "gaussian", 1.0, 0.0),
    "an epsilon of 0 is out of reach": lambda: meaning.calibrate_noise(TABLE, QUERY, "laplace", 0.0, 0.0),
    r"has the shape \(1, 2\)": lambda: Meaning(FLIP).delta([[0, 1]]),
    "scale 1e\\+08 on the integers": lambda: noisy_laws(DiscreteGaussianNoise(1e8), [0, 1], np.eye(2)),
    "scale is 1e\\+300": lambda: GaussianNoise(1e300),
    "so narrow": lambda: Meaning(noisy_laws(GaussianNoise(1e-9), [0, 1], np.eye(2) / 2 + 0.25)).measure("kl"),
    "scale is 1e-300": lambda: DiscreteGaussianNoise(1e-300),
    "several places": lambda: pdp.PriorAnalysis(TABLE, pdp.LaplaceMechanism(QUERY, 1.0)).measure(
        "delta", epsilon=[0, 1]
    ),
    "numbers are published": lambda: pdp.DependenceAnalysis(xor_bits(), "identity", scale=1.0).meaning("x1"),
    "several combinations": lambda: (
        pdp.PriorAnalysis(TABLE, pdp.LaplaceMechanism(QUERY, 1.0), convention="sup")
        .meaning(0, [2])
        .roc((0, 1))
    ),
    "combinations of outputs": lambda: Meaning(FLIP).compose(40, 0.5, (0, 1)),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_answered_is_refused_in_words(words):
    with pytest.raises(PdpError, match=words):
        REFUSED[words]()


def test_noise_is_a_value_and_no_name():
    analysis = pdp.PriorAnalysis(TABLE, pdp.LaplaceMechanism(QUERY, 1.0))
    for ask in (
        lambda: analysis.meaning(0, noise="gaussian"),
        lambda: analysis.measure("delta", epsilon=1, noise="gaussian"),
    ):
        with pytest.raises(TypeError, match="give one such as GaussianNoise"):
            ask()
