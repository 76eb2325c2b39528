"""Releases of many users: beliefs, leakages and laws against the definitions."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from pdp_widgets import (
    BudgetError,
    ChainError,
    LimitError,
    MarkovChain,
    StreamData,
    StreamError,
    seattle_weather,
)
from pdp_widgets.core.progress import Progress
from pdp_widgets.errors import ModelMismatch
from pdp_widgets.leakage.sequence import following, many_users
from pdp_widgets.leakage.sequence.following import follow_conditional, has_closed_recursion
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.conditional_response import (
    ConditionalResponse,
    ShrunkResponse,
    TrimmedResponse,
)
from pdp_widgets.mechanisms.sequence.log_lift import log_lift
from pdp_widgets.mechanisms.sequence.optimal_response import BinaryOptimum
from pdp_widgets.mechanisms.sequence.randomised_symbols import RandomisedSymbols
from pdp_widgets.mechanisms.sequence.sequence_by_name import IdentityRelease
from pdp_widgets.mechanisms.sequence.temporal_response import SafeTemporalResponse, TemporalResponse
from pdp_widgets.streams import StreamBelief, look_back_releases, simulate_releases
from tests.leakage.sequence.belief_reference import random_laws, stream_weight

KINDS = [ConditionalResponse, ShrunkResponse, TrimmedResponse, BalancedResponse, RandomisedSymbols]


def random_chain(rng, n, order=1, zeros=0.0):
    early = random_laws(rng, (n, n), zeros) if order == 2 else None
    return MarkovChain(random_laws(rng, (n,) * (order + 1), zeros), random_laws(rng, n), early=early)


def checked(done, channel_of):
    """Check a record of releases step by step against the belief filter of one user."""
    for user in range(done.users):
        belief = StreamBelief.before(done.chain)
        for step in range(done.steps):
            assert done.beliefs[user, step] == pytest.approx(belief.predictive, abs=1e-12)
            channel = channel_of(belief.predictive, user, step)
            assert done.leakage[user, step] == pytest.approx(
                log_lift(channel, belief.predictive).leakage, rel=1e-9, abs=1e-9
            )
            belief = belief.after(channel, int(done.released[user, step]))
        assert done.last[user] == pytest.approx(belief.predictive, abs=1e-12)
        assert done.log_probability[user] == pytest.approx(belief.log_probability)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("zeros", [0.0, 0.4])
def test_the_record_is_what_the_filter_says(kind, n, order, zeros):
    chain = random_chain(np.random.default_rng(n), n, order, zeros)
    mechanism = kind(0.7)
    done = simulate_releases(chain, mechanism, 12, users=4, rng=2)
    checked(done, lambda belief, user, step: mechanism.channel(belief).matrix)


def test_the_optimum_of_two_symbols():
    mechanism = BinaryOptimum(0.5)
    done = simulate_releases(MarkovChain.symmetric(0.9), mechanism, 30, users=6, rng=2)
    checked(done, lambda belief, user, step: mechanism.channel(belief).matrix)
    assert done.over_budget == 0


def test_a_mechanism_that_looks_at_the_release_before():
    rng = np.random.default_rng(1)
    for order in (1, 2):
        chain = random_chain(rng, 4, order)
        mechanism = SafeTemporalResponse(0.7, random_laws(rng, (4, 4), 0.4))
        done = simulate_releases(chain, mechanism, 10, users=4, rng=2)

        def channel(belief, user, step, done=done, mechanism=mechanism):
            return mechanism.given(int(done.released[user, step - 1]) if step else None)

        checked(done, channel)


@pytest.mark.parametrize("order", [1, 2])
def test_a_mechanism_that_looks_at_the_true_symbol_before(order):
    rng = np.random.default_rng(4)
    n = 3
    chain = random_chain(rng, n, order)
    mechanism = TemporalResponse(0.7, random_laws(rng, (n, n), 0.3))
    done = simulate_releases(chain, mechanism, 4, users=3, rng=2)
    first, tables = mechanism.given(None), np.stack([mechanism.given(j) for j in range(n)])
    for user in range(3):
        for step in range(4):
            seen = done.released[user, :step]
            weights = {}
            for stream in product(range(n), repeat=step + 1):
                weight = stream_weight(chain, stream)
                for k, y in enumerate(seen):
                    weight *= first[stream[0], y] if k == 0 else tables[stream[k - 1], stream[k], y]
                weights[stream] = weight
            total = sum(weights.values())
            belief = np.zeros(n)
            output = np.zeros(n)
            rows = {}
            for stream, weight in weights.items():
                belief[stream[-1]] += weight / total
                row = first[stream[0]] if step == 0 else tables[stream[-2], stream[-1]]
                output += weight / total * row
                if weight > 0:
                    rows[stream] = row
            assert done.beliefs[user, step] == pytest.approx(belief, abs=1e-12)
            with np.errstate(divide="ignore"):
                worst = max(
                    np.abs(np.log(row[output > 0]) - np.log(output[output > 0])).max()
                    for row in rows.values()
                )
            assert done.leakage[user, step] == pytest.approx(worst)


@pytest.mark.parametrize("epsilon", [0.0, 1e-6, 0.5, 3.0, 50.0, 699.0])
@pytest.mark.parametrize("n", [2, 7])
def test_the_closed_recursion_is_the_filter(epsilon, n):
    rng = np.random.default_rng(n)
    chain = random_chain(rng, n)
    mechanism = ConditionalResponse(epsilon)
    assert has_closed_recursion(chain, mechanism)
    symbols, uniforms = chain.simulate(60, 30, rng=1).T, rng.random((60, 30))
    beliefs, expected = np.empty((60, 30, n)), np.empty((60, 30, n))
    released, leakage, totals, last = follow_conditional(chain, epsilon, symbols, uniforms, beliefs)
    general = following._follow_any(chain, mechanism, symbols, uniforms, expected, Progress(None))
    assert np.array_equal(released, general.released)
    assert beliefs == pytest.approx(expected, abs=1e-12)
    assert leakage == pytest.approx(general.leakage, rel=1e-7, abs=1e-12)
    assert np.log(totals).sum(axis=0) == pytest.approx(general.log_probability, rel=1e-7)
    assert last == pytest.approx(general.last, abs=1e-12)


def test_the_closed_recursion_is_left_to_what_it_fits():
    assert not has_closed_recursion(MarkovChain.symmetric(0.9), ShrunkResponse(1.0))
    assert not has_closed_recursion(MarkovChain.symmetric(0.9), ConditionalResponse(math.inf))
    assert not has_closed_recursion(MarkovChain.symmetric(0.9, start=[0, 1]), ConditionalResponse(1.0))
    assert not has_closed_recursion(MarkovChain([[[0.5, 0.5]] * 2] * 2), ConditionalResponse(1.0))


def exact_law(chain, mechanism, steps):
    """Return the probability of each pair of true and released streams."""
    found = {}
    for stream in product(range(chain.n), repeat=steps):
        for seen in product(range(chain.n), repeat=steps):
            belief, weight = StreamBelief.before(chain), stream_weight(chain, stream)
            for x, y in zip(stream, seen, strict=True):
                channel = mechanism.channel(belief.predictive).matrix
                weight *= channel[x, y]
                belief = belief.after(channel, y)
            found[stream + seen] = weight
    return found


@pytest.mark.parametrize("way", ["beliefs", "look back", "any"])
def test_the_joint_law_of_data_and_releases(way):
    chain = MarkovChain([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.3, 0.3, 0.4]], [0.2, 0.5, 0.3])
    mechanism = ShrunkResponse(1.0) if way == "any" else ConditionalResponse(0.8)
    users, steps = 20_000, 3
    if way == "look back":
        true, released = look_back_releases(chain, mechanism, steps, users, rng=3)
    else:
        done = simulate_releases(chain, mechanism, steps, users, rng=3)
        true, released = done.symbols, done.released
    law = exact_law(chain, mechanism, steps)
    assert sum(law.values()) == pytest.approx(1)
    codes = np.concatenate([true, released], axis=1) @ (3 ** np.arange(2 * steps)[::-1])
    expected = np.array([law[key] for key in product(range(3), repeat=2 * steps)])
    counts = np.bincount(codes, minlength=len(expected))
    often = expected * users >= 5
    seen = np.append(counts[often], counts[~often].sum())
    due = np.append(expected[often], expected[~often].sum()) * users
    assert chisquare(seen, due).pvalue > 1e-4


def test_looking_back_at_the_edges():
    chain = MarkovChain.symmetric(0.9, 30)
    true, released = look_back_releases(chain, ConditionalResponse(math.inf), 20, 10, rng=1)
    assert np.array_equal(true, released)
    true, released = look_back_releases(chain, ConditionalResponse(0.0), 20, 2000, rng=1)
    assert (true == released).mean() == pytest.approx(1 / 30, abs=0.01)
    assert look_back_releases(chain, ConditionalResponse(1.0), 0, 3)[1].shape == (3, 0)
    assert look_back_releases(chain, ConditionalResponse(1.0), 4, 0)[1].shape == (0, 4)
    with pytest.raises(BudgetError, match="property of ConditionalResponse alone"):
        look_back_releases(chain, BalancedResponse(1.0), 3)
    with pytest.raises(ChainError, match=r"chain\.pairs"):
        look_back_releases(MarkovChain([[[0.5, 0.5]] * 2] * 2), ConditionalResponse(1.0), 3)


@pytest.mark.parametrize("kind", [ConditionalResponse, BalancedResponse])
def test_blocks_of_users_change_nothing(kind, monkeypatch):
    chain = MarkovChain.symmetric(0.8, 3)
    whole = simulate_releases(chain, kind(1.0), 15, users=23, rng=4)
    monkeypatch.setattr(many_users, "_BLOCK", 12)
    monkeypatch.setattr(following, "_HELD", 40)
    parts = simulate_releases(chain, kind(1.0), 15, users=23, rng=4)
    assert np.array_equal(parts.released, whole.released)
    for name in ("leakage", "beliefs", "last", "log_probability"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name), abs=1e-12)
    bare = simulate_releases(chain, kind(1.0), 15, users=23, rng=4, keep_beliefs=False)
    assert bare.beliefs is None
    assert bare.leakage == pytest.approx(whole.leakage, abs=1e-12)


def test_mechanisms_share_random_numbers():
    chain = MarkovChain.symmetric(0.8, 3)
    streams = chain.simulate(300, users=40, rng=8)
    strong, weak = (
        simulate_releases(chain, RandomisedSymbols(epsilon), streams=streams, rng=9) for epsilon in (4.0, 1.0)
    )
    assert np.array_equal(strong.symbols, weak.symbols)
    again = simulate_releases(chain, RandomisedSymbols(1.0), streams=streams, rng=9)
    assert np.array_equal(again.released, weak.released)
    assert strong.error < weak.error


def test_budgets_at_the_edges():
    chain = MarkovChain.symmetric(0.8, 3)
    for kind in KINDS:
        open_ = simulate_releases(chain, kind(math.inf), 20, users=5, rng=1)
        assert np.array_equal(open_.symbols, open_.released)
        assert open_.error == 0
        closed = simulate_releases(chain, kind(0.0), 20, users=5, rng=1)
        assert closed.leakage.max() < 1e-9
        assert closed.beliefs == pytest.approx(np.tile(chain.laws(20), (5, 1, 1)), abs=1e-9)
    assert np.isinf(simulate_releases(chain, ConditionalResponse(math.inf), 20, rng=1).leakage).all()


def test_sizes_at_the_edges():
    chain = MarkovChain.symmetric(0.8)
    for kind in (ConditionalResponse, BalancedResponse):
        none = simulate_releases(chain, kind(1.0), 0, users=3, rng=1)
        assert (none.released.shape, none.beliefs.shape, none.error, none.over_budget) == (
            (3, 0),
            (3, 0, 2),
            0,
            0,
        )
        assert none.last.tolist() == [[0.5, 0.5]] * 3
        assert none.log_probability.tolist() == [0, 0, 0]
        assert simulate_releases(chain, kind(1.0), 4, users=0).leakage.shape == (0, 4)
        assert simulate_releases(chain, kind(1.0), 1, rng=1).leakage == pytest.approx(np.array([[1.0]]))
        only = simulate_releases(MarkovChain([[1.0]]), kind(1.0), 3, users=2)
        assert only.leakage.tolist() == [[0, 0, 0]] * 2
        assert only.released.tolist() == [[0, 0, 0]] * 2


def test_an_absorbing_state_is_followed():
    chain = MarkovChain([[0.9, 0.1], [0, 1]], [1, 0])
    for mechanism in (ConditionalResponse(1.0), BalancedResponse(1.0), BinaryOptimum(1.0)):
        done = simulate_releases(chain, mechanism, 1000, users=3, rng=1)
        assert done.beliefs[:, -1, 1] == pytest.approx(1)
        assert np.isfinite(done.leakage).all()
        assert done.leakage[:, 0].tolist() == [0, 0, 0]


def test_data_that_are_not_from_the_chain():
    chain = MarkovChain([[1, 0], [0, 1]], [1, 0])
    with pytest.raises(ModelMismatch, match="Symbol 1 of user 1 at step 2"):
        simulate_releases(chain, IdentityRelease(), streams=[[0, 0], [0, 1]], rng=1)
    # Conditional response publishes a draw instead.
    done = simulate_releases(chain, ConditionalResponse(1.0), streams=[[0, 1, 1]], rng=1)
    assert done.released.tolist() == [[0, 0, 0]]


def test_what_a_record_tells():
    chain = MarkovChain([[0.9, 0.1], [0.2, 0.8]], states=["dry", "wet"])
    done = simulate_releases(chain, ConditionalResponse(1.0), 30, users=4, rng=1)
    assert done.errors.sum() == (done.symbols != done.released).sum()
    assert done.distances("histogram") == pytest.approx(2 * done.errors)
    assert done.error == pytest.approx(done.errors.mean())
    assert done.total_leakage[:, -1] == pytest.approx(done.leakage.sum(axis=1))
    assert done.over_budget == pytest.approx((done.leakage > 1 + 1e-6).mean())
    frame = done.to_dataframe()
    assert frame.shape == (120, 8)
    assert frame.loc[33, "user"] == 1
    assert frame.loc[33, "step"] == 4
    assert frame.loc[33, "released"] == chain.states[done.released[1, 3]]
    assert frame.loc[33, "belief wet"] == done.beliefs[1, 3, 1]
    assert frame.attrs["mechanism"] == "crr"
    with pytest.raises(ValueError, match="read-only"):
        done.released[0, 0] = 1
    assert repr(done) == "SimulatedReleases(crr, epsilon=1, 4 users, 30 steps)"


def test_days_of_rain_are_released():
    days = seattle_weather()
    done = simulate_releases(MarkovChain.from_streams(days), BalancedResponse(2.0), streams=days, rng=1)
    assert done.steps == 1461
    assert done.over_budget == 0
    assert done.error < 0.3


def test_wrong_streams():
    chain, mechanism = MarkovChain.symmetric(0.8), ConditionalResponse(1.0)
    for streams, message in (
        (StreamData([[0, 1], [1]]), "from 1 to 2 symbols"),
        (StreamData([[0, 5]]), "is 5, which the model does not have"),
        ([[0, 2]], "step 2 is 2; a symbol is a position from 0 to 1"),
        ([0, 1], "one row for each user"),
        ([[0.5]], "one row for each user"),
    ):
        with pytest.raises(StreamError, match=message):
            simulate_releases(chain, mechanism, streams=streams)
    with pytest.raises(StreamError, match="leave steps out"):
        simulate_releases(chain, mechanism, 5, streams=[[0, 1]])
    with pytest.raises(StreamError, match="leave users out"):
        simulate_releases(chain, mechanism, users=5, streams=[[0, 1]])
    with pytest.raises(BudgetError, match="The mechanism is 'crr'"):
        simulate_releases(chain, "crr", 5)
    with pytest.raises(ChainError, match="The chain is 'c'; give a MarkovChain"):
        simulate_releases("c", mechanism, 5)
    with pytest.raises(LimitError, match="at most"):
        simulate_releases(chain, mechanism, 1 << 20, users=1 << 10)


def test_too_many_beliefs_are_left_out_or_refused(monkeypatch):
    monkeypatch.setattr(many_users, "_MOST_BELIEFS", 100)
    chain, mechanism = MarkovChain.symmetric(0.8), ConditionalResponse(1.0)
    assert simulate_releases(chain, mechanism, 60, rng=1).beliefs is None
    assert simulate_releases(chain, mechanism, 50, rng=1).beliefs is not None
    with pytest.raises(LimitError, match="keep_beliefs=False"):
        simulate_releases(chain, mechanism, 60, rng=1, keep_beliefs=True)


@pytest.mark.parametrize(
    ("epsilon", "share", "mean", "most", "error"),
    [
        (0.2, 0.723, 0.254, 0.968, 0.387),
        (0.5, 0.780, 0.748, 1.513, 0.239),
        (1.0, 0.814, 1.417, 1.900, 0.108),
        (2.0, 0.779, 2.046, 2.173, 0.029),
        (3.0, 0.0, 3.0, 3.0, 0.0095),
    ],
)
def test_the_strongly_correlated_chain_of_the_paper(epsilon, share, mean, most, error):
    # Case (b) of the published experiment, for 1,000 users and 1,000 steps.
    chain = MarkovChain.binary(0.9, 0.9, start=0.9)
    done = simulate_releases(chain, ConditionalResponse(epsilon), 1000, users=1000, rng=5, keep_beliefs=False)
    assert done.over_budget == pytest.approx(share, abs=2e-3)
    assert done.leakage.mean() == pytest.approx(mean, abs=2e-3)
    assert done.leakage.max() == pytest.approx(most, abs=2e-3)
    assert done.error == pytest.approx(error, abs=2e-3)


@pytest.mark.parametrize(
    ("n", "stay", "epsilon", "printed", "trimmed"),
    [(2, 0.9, 1.0, 0.107, 0.180), (4, 0.8, 1.0, 0.189, 0.407), (10, 0.8, 2.0, 0.057, 0.418)],
)
def test_errors_along_symmetric_chains(n, stay, epsilon, printed, trimmed):
    chain = MarkovChain.symmetric(stay, n)
    streams = chain.simulate(600, users=150, rng=3)
    for kind, error in ((ConditionalResponse, printed), (TrimmedResponse, trimmed)):
        done = simulate_releases(chain, kind(epsilon), streams=streams, rng=4, keep_beliefs=False)
        assert done.error == pytest.approx(error, abs=6e-3)
