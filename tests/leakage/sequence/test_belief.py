"""Belief filters against the enumeration of all streams."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import ChainError, DomainError, LimitError, MarkovChain, TableError
from pdp_widgets.errors import ModelMismatch
from pdp_widgets.streams import BatchBelief, LogStreamBelief, StreamBelief, batch_index
from tests.conftest import few
from tests.leakage.sequence.belief_reference import law_given, law_of, random_laws

SEEDS = st.integers(0, 100_000)


def random_chain(rng, n, order, zeros=0.0):
    early = random_laws(rng, (n, n), zeros) if order == 2 else None
    return MarkovChain(random_laws(rng, (n,) * (order + 1), zeros), random_laws(rng, n), early=early)


@pytest.mark.parametrize("kind", [StreamBelief, LogStreamBelief])
@given(st.integers(1, 3), st.sampled_from([1, 2]), st.sampled_from([0.0, 0.4]), SEEDS)
def test_the_filter_is_what_enumeration_says(kind, n, order, zeros, seed):
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, n, order, zeros)
    belief, factors = kind.before(chain), []
    for step in range(4):
        streams, weights, _ = law_given(chain, step + 1, factors)
        expected = law_of(streams, weights, lambda s: s[-1], n)
        assert belief.predictive == pytest.approx(expected, abs=1e-12)
        channel, symbol = random_laws(rng, (n, 3)), int(rng.integers(3))
        factors.append(lambda s, step=step, a=channel, y=symbol: a[s[step], y])
        streams, weights, total = law_given(chain, step + 1, factors)
        belief = belief.after(channel, symbol)
        expected = law_of(streams, weights, lambda s: s[-1], n)
        assert belief.posterior == pytest.approx(expected, abs=1e-12)
        assert belief.log_probability == pytest.approx(math.log(total), abs=1e-12)
        assert belief.released == step + 1


@given(st.integers(1, 3), SEEDS)
def test_a_mechanism_that_looks_at_the_symbol_before(n, seed):
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, n, 2)
    first = random_laws(rng, (n, 2))
    belief, factors = StreamBelief.before(chain).after(first, 0), [lambda s: first[s[0], 0]]
    for step in range(1, 4):
        channel, symbol = random_laws(rng, (n, n, 2)), int(rng.integers(2))
        factors.append(lambda s, step=step, a=channel, y=symbol: a[s[step - 1], s[step], y])
        belief = belief.after(channel, symbol, previous=True)
        streams, weights, total = law_given(chain, step + 1, factors)
        assert belief.posterior == pytest.approx(law_of(streams, weights, lambda s: s[-1], n), abs=1e-12)
        assert belief.log_probability == pytest.approx(math.log(total), abs=1e-12)


@given(st.integers(2, 4), st.floats(0, 6), SEEDS)
def test_conditional_response_has_a_closed_recursion(n, epsilon, seed):
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, n, 1)
    share = math.exp(-epsilon)
    belief, expected = StreamBelief.before(chain), chain.start
    for _ in range(12):
        channel = share * belief.predictive + (1 - share) * np.eye(n)
        symbol = int(rng.integers(n))
        belief = belief.after(channel, symbol)
        assert belief.posterior == pytest.approx(
            share * expected + (1 - share) * np.eye(n)[symbol], abs=1e-12
        )
        expected = share * expected @ chain.transitions + (1 - share) * chain.transitions[symbol]
        assert belief.predictive == pytest.approx(expected, abs=1e-12)


@given(st.integers(2, 3), SEEDS)
def test_second_order_is_first_order_on_pairs(n, seed):
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, n, 2)
    single, paired = StreamBelief.before(chain), StreamBelief.before(chain.pairs)
    # Step t of the pairs shows symbols t and t + 1: what is released at step t + 1 is about the second.
    first = random_laws(rng, (n, n))
    single = single.after(first, 0)
    paired_first = np.repeat(first[:, 0], n)
    for step in range(4):
        channel, symbol = random_laws(rng, (n, n)), int(rng.integers(n))
        single = single.after(channel, symbol)
        column = np.tile(channel[:, symbol], n)
        paired = paired.after_likelihood(column * paired_first if step == 0 else column)
        assert paired.posterior.reshape(n, n).sum(axis=0) == pytest.approx(single.posterior, abs=1e-12)
        assert paired.log_probability == pytest.approx(single.log_probability, abs=1e-12)


@pytest.mark.parametrize("kind", [StreamBelief, LogStreamBelief])
@pytest.mark.parametrize("order", [1, 2])
def test_many_users_are_followed_as_one_is(kind, order):
    rng = np.random.default_rng(3)
    chain = random_chain(rng, 3, order)
    many, single = kind.before(chain, users=5), [kind.before(chain) for _ in range(5)]
    for step in range(5):
        symbols = rng.integers(3, size=5)
        shared = step % 2 == 0
        channels = random_laws(rng, (3, 3) if shared else (5, 3, 3))
        many = many.after(channels, symbols)
        single = [b.after(channels if shared else channels[u], int(symbols[u])) for u, b in enumerate(single)]
        assert many.predictive == pytest.approx(np.array([b.predictive for b in single]), abs=1e-13)
        assert many.posterior == pytest.approx(np.array([b.posterior for b in single]), abs=1e-13)
    assert many.log_probability == pytest.approx([b.log_probability for b in single])
    pairs = StreamBelief.before(chain, users=5)
    if order == 2:
        looking, symbols = random_laws(rng, (3, 3, 2)), rng.integers(2, size=5)
        start = random_laws(rng, (3, 2))
        common = pairs.after(start, symbols).after(looking, symbols, previous=True)
        each = pairs.after(start, symbols).after(np.tile(looking, (5, 1, 1, 1)), symbols, previous=True)
        assert np.array_equal(common.predictive, each.predictive)


@few()
@given(st.integers(1, 3), st.sampled_from([1, 2]), st.sampled_from([0.0, 0.4]), SEEDS)
def test_batches_are_what_enumeration_says(n, order, zeros, seed):
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, n, order, zeros)
    sizes = [int(s) for s in rng.integers(1, 4, size=3)]
    while sum(sizes) > 6:
        sizes.pop()
    belief, factors, begun = BatchBelief.before(chain, sizes[0]), [], 0
    for turn, size in enumerate(sizes):
        streams, weights, _ = law_given(chain, begun + size, factors)

        def pattern(stream, begun=begun, size=size):
            return batch_index(stream[begun : begun + size], n)

        expected = law_of(streams, weights, pattern, n**size)
        assert belief.size == size
        assert belief.predictive == pytest.approx(expected, abs=1e-12)
        channel, symbol = random_laws(rng, (n**size, 2)), int(rng.integers(2))
        factors.append(lambda s, a=channel, y=symbol, p=pattern: a[p(s), y])
        streams, weights, total = law_given(chain, begun + size, factors)
        belief = belief.after(channel, symbol, sizes[turn + 1] if turn + 1 < len(sizes) else None)
        assert belief.posterior == pytest.approx(law_of(streams, weights, pattern, n**size), abs=1e-12)
        assert belief.log_probability == pytest.approx(math.log(total), abs=1e-12)
        begun += size


def test_batches_of_one_are_single_symbols():
    rng = np.random.default_rng(1)
    for order in (1, 2):
        chain = random_chain(rng, 3, order)
        batch, single = BatchBelief.before(chain, 1, users=4), StreamBelief.before(chain, users=4)
        for _ in range(4):
            channel, symbols = random_laws(rng, (4, 3, 3)), rng.integers(3, size=4)
            batch, single = batch.after(channel, symbols), single.after(channel, symbols)
            assert batch.predictive == pytest.approx(single.predictive, abs=1e-13)


def test_a_release_that_cannot_be_is_no_belief():
    chain = MarkovChain([[1, 0], [0.5, 0.5]], [1, 0])
    for kind in (StreamBelief, LogStreamBelief):
        with pytest.raises(ModelMismatch, match="Symbol 1 at step 1 has probability 0"):
            kind.before(chain).after(np.eye(2), 1)
        with pytest.raises(ModelMismatch, match="Symbol 1 of user 2 at step 1"):
            kind.before(chain, users=3).after(np.eye(2), np.array([0, 0, 1]))
        with pytest.raises(ModelMismatch, match="What was released at step 1"):
            kind.before(chain).after_likelihood([0, 1])
    with pytest.raises(ModelMismatch, match="Symbol 3 at step 1"):
        BatchBelief.before(chain, 2).after(np.eye(4), 3)
    second = MarkovChain([[[1, 0], [1, 0]], [[1, 0], [1, 0]]], [1, 0], early=[[1, 0], [1, 0]])
    for kind in (StreamBelief, LogStreamBelief):
        with pytest.raises(ModelMismatch, match="Symbol 1 at step 2"):
            kind.before(second).after(np.eye(2), 0).after(np.eye(2), 1)


def test_logarithms_go_on_where_floats_end():
    chain = MarkovChain([[1, 0], [0.5, 0.5]], [0.5, 0.5])
    channel = [[0.9, 0.1], [0.1, 0.9]]
    plain, logs = StreamBelief.before(chain), LogStreamBelief.before(chain)
    odds = 0.0
    for _ in range(600):
        plain, logs = plain.after(channel, 0), logs.after(channel, 0)
        # Odds of the other state, exactly: times 1/9 by the release, half of it goes.
        after = odds - math.log(9)
        odds = after - math.log(2) - math.log1p(math.exp(after) / 2)
    assert plain.predictive.tolist() == [1, 0]
    assert logs.log_predictive[1] - logs.log_predictive[0] == pytest.approx(odds, rel=1e-12)
    assert logs.log_probability == pytest.approx(plain.log_probability)
    # And from there a release that says "the other state" moves it back without any jump.
    assert logs.after(channel, 1).log_predictive[1] > logs.log_predictive[1]


def test_an_alphabet_of_one_and_nothing_released():
    belief = StreamBelief.before(MarkovChain([[1.0]]))
    assert belief.posterior is None
    assert (belief.log_probability, belief.released) == (0, 0)
    assert belief.after([[1.0]], 0).predictive.tolist() == [1]
    assert repr(belief) == "StreamBelief(1 symbol, 0 released)"
    assert StreamBelief.before(MarkovChain([[1.0]]), users=0).predictive.shape == (0, 1)


def test_beliefs_are_read_only():
    belief = StreamBelief.before(MarkovChain.symmetric(0.9), users=2).after(np.eye(2), np.array([0, 1]))
    with pytest.raises(ValueError, match="read-only"):
        belief.predictive[0, 0] = 1
    with pytest.raises(AttributeError):
        belief.released = 3


@pytest.mark.parametrize(
    ("channel", "released", "error", "message"),
    [
        ([[1, 0]], 0, TableError, r"shape \(1, 2\)"),
        ("abc", 0, TableError, "give a matrix"),
        ([[0.5, 0.5], [math.nan, 1]], 0, TableError, "no probability"),
        ([[1.5, -0.5], [0.5, 0.5]], 1, TableError, "no probability"),
        (np.eye(2), 2, DomainError, "is 2; it is a position from 0 to 1"),
        (np.eye(2), -1, DomainError, "is -1"),
        (np.eye(2), "a", DomainError, "is 'a'"),
        (np.full((3, 2, 2), 0.5), 0, TableError, "shape"),
    ],
)
def test_wrong_channels(channel, released, error, message):
    belief = StreamBelief.before(MarkovChain.symmetric(0.9))
    with pytest.raises(error, match=message):
        belief.after(channel, released)


def test_other_wrong_input():
    belief = StreamBelief.before(MarkovChain.symmetric(0.9), users=2)
    with pytest.raises(DomainError, match="give 2 whole numbers"):
        belief.after(np.eye(2), 0)
    with pytest.raises(DomainError, match="user 1 is 5"):
        belief.after(np.eye(2), [0, 5])
    with pytest.raises(TableError, match=r"or \(2, 2\) with an axis of users"):
        belief.after_likelihood([0.5])
    with pytest.raises(ChainError, match="no symbol before"):
        belief.after(np.eye(2), [0, 0], previous=True)
    with pytest.raises(ChainError, match="number of users"):
        StreamBelief.before(MarkovChain.symmetric(0.9), users=1.5)
    for kind in (StreamBelief, LogStreamBelief):
        with pytest.raises(ChainError, match="give a MarkovChain"):
            kind.before([[0.5, 0.5]] * 2)
        with pytest.raises(LimitError, match="number of users"):
            kind.before(MarkovChain.symmetric(0.9), users=10**12)
    with pytest.raises(LimitError, match="number of users"):
        BatchBelief.before(MarkovChain.symmetric(0.9), 3, users=10**10)
    with pytest.raises(LimitError, match=r"2\^21 patterns"):
        BatchBelief.before(MarkovChain.symmetric(0.9), 21)
    with pytest.raises(ChainError, match="symbols of a batch is 0; it must be a whole number, 1 or more"):
        BatchBelief.before(MarkovChain.symmetric(0.9), 0)
