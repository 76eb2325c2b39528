"""Markov chains: values, long-run laws, reversal, simulation, and input that is wrong."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import ChainError, DomainError, LimitError, MarkovChain


def random_laws(rng, shape, zeros=0.0):
    """Return random laws along the last axis, some entries of which are exactly 0."""
    numbers = rng.random(shape) * (rng.random(shape) >= zeros)
    numbers[..., 0] += 1e-3
    return numbers / numbers.sum(axis=-1, keepdims=True)


SECOND = [[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]]


def test_a_chain_is_a_value():
    chain = MarkovChain([[0.9, 0.1], [0.3, 0.7]], states=["dry", "wet"])
    assert chain == MarkovChain(np.array([[0.9, 0.1], [0.3, 0.7]]), states=("dry", "wet"))
    assert (chain == MarkovChain([[0.9, 0.1], [0.3, 0.7]])) is False
    assert hash(chain) == hash(pickle.loads(pickle.dumps(chain)))
    assert pickle.loads(pickle.dumps(chain)) == chain
    assert repr(chain) == "MarkovChain(states=('dry', 'wet'), order=1)"
    assert (chain.n, chain.order, chain.early) == (2, 1, None)
    with pytest.raises(AttributeError, match="read-only"):
        chain.n = 3
    with pytest.raises(ValueError, match="read-only"):
        chain.transitions[0, 0] = 0.5
    with pytest.raises(AttributeError, match="cannot be changed"):
        chain.__init__([[1.0]])
    second = MarkovChain(SECOND)
    again = pickle.loads(pickle.dumps(second))
    assert again == second
    assert again.early.flags.writeable is False
    assert second != MarkovChain(SECOND, early=[[0.5, 0.5], [0.5, 0.5]])


def test_what_is_given_is_copied():
    table = np.array([[0.9, 0.1], [0.3, 0.7]])
    chain = MarkovChain(table)
    table[0] = 0.5
    assert chain.transitions[0, 0] == 0.9


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize("zeros", [0.0, 0.5])
def test_the_stationary_law_is_left_as_it_is(n, zeros):
    rng = np.random.default_rng(n)
    for _ in range(20):
        chain = MarkovChain(random_laws(rng, (n, n), zeros))
        assert np.allclose(chain.stationary @ chain.transitions, chain.stationary, atol=1e-15)
        assert chain.stationary.sum() == pytest.approx(1, abs=1e-14)
        assert np.array_equal(chain.start, chain.stationary)


def test_small_stationary_probabilities_have_full_accuracy():
    small = 1e-14
    chain = MarkovChain([[1 - small, small], [0.5, 0.5]])
    assert chain.stationary[1] == pytest.approx(small / (0.5 + small), rel=1e-12)


def test_the_smallest_transitions_give_a_law_or_an_error():
    for small in (1e-100, 1e-200, 1e-300):
        law = MarkovChain([[1 - small, small, 0], [0, 1 - small, small], [small, 0, 1 - small]]).stationary
        assert law == pytest.approx(np.full(3, 1 / 3))
        assert MarkovChain([[1, small], [1, 0]]).stationary[1] == pytest.approx(small, rel=1e-12)
    # From 1 to 0 it takes two rare steps.
    assert MarkovChain([[0, 1, 0], [0, 1, 1e-100], [1e-100, 1, 0]]).stationary[0] == pytest.approx(1e-200)
    with pytest.raises(ChainError, match="rarer than 1e-308; give a start law"):
        MarkovChain([[0, 1, 0], [0, 1, 1e-200], [1e-200, 1, 0]])


def test_states_that_are_left_for_good_have_probability_zero():
    chain = MarkovChain([[0.5, 0.5, 0], [0, 0.2, 0.8], [0, 0.4, 0.6]])
    assert chain.stationary[0] == 0
    assert chain.backward[0] == pytest.approx(chain.stationary)


def test_an_absorbing_state():
    chain = MarkovChain([[1, 0], [0.1, 0.9]], start=[0, 1])
    assert chain.stationary.tolist() == [1, 0]
    assert chain.laws(3)[2].tolist() == pytest.approx([0.19, 0.81])
    with pytest.raises(ChainError, match="2 sets of states that are never left"):
        MarkovChain([[1, 0], [0, 1]])
    two = MarkovChain([[1, 0], [0, 1]], start=[0.5, 0.5])
    assert two.mixing_time() == math.inf
    with pytest.raises(ChainError, match="stationary"):
        _ = two.stationary


def test_mixing_takes_as_many_steps_as_powers_say():
    rng = np.random.default_rng(5)
    for _ in range(20):
        chain = MarkovChain(random_laws(rng, (4, 4), 0.4))
        for tolerance in (0.3, 0.01, 1e-6):
            power, steps = np.eye(4), 0
            while np.abs(power - chain.stationary).sum(axis=1).max() / 2 > tolerance and steps < 2000:
                power, steps = power @ chain.transitions, steps + 1
            if steps < 2000:
                assert chain.mixing_time(tolerance) == steps
    assert MarkovChain.independent([0.2, 0.8]).mixing_time() == 1
    assert MarkovChain([[1.0]]).mixing_time() == 0
    slow = MarkovChain.symmetric(1 - 1e-9)
    assert slow.mixing_time(0.01) == pytest.approx(math.log(0.02) / math.log1p(-2e-9), rel=1e-6)
    with pytest.raises(ChainError, match="tolerance is 0"):
        slow.mixing_time(0)


def test_the_second_eigenvalue_of_a_symmetric_chain():
    assert MarkovChain.symmetric(0.8).second_eigenvalue == pytest.approx(0.6)
    assert MarkovChain.symmetric(0.8, 5).second_eigenvalue == pytest.approx(0.75)
    assert MarkovChain.symmetric(0).second_eigenvalue == pytest.approx(1)
    assert MarkovChain.independent([0.3, 0.7]).second_eigenvalue == pytest.approx(0, abs=1e-15)


@given(st.integers(2, 5), st.integers(0, 10_000))
def test_reversing_twice_gives_the_chain_back(n, seed):
    chain = MarkovChain(random_laws(np.random.default_rng(seed), (n, n)))
    back = MarkovChain(chain.backward)
    assert back.stationary == pytest.approx(chain.stationary)
    assert back.backward == pytest.approx(chain.transitions)


@given(st.integers(1, 4), st.integers(0, 10_000))
def test_second_order_is_first_order_on_pairs(n, seed):
    rng = np.random.default_rng(seed)
    chain = MarkovChain(random_laws(rng, (n, n, n)), random_laws(rng, n), early=random_laws(rng, (n, n)))
    pairs = chain.pairs.laws(4).reshape(4, n, n)
    laws = chain.laws(5)
    assert pairs.sum(axis=2) == pytest.approx(laws[:4])
    assert pairs.sum(axis=1) == pytest.approx(laws[1:])
    table = chain.joint(5).table
    for step in range(4):
        gone = tuple(axis for axis in range(5) if axis not in (step, step + 1))
        assert table.sum(axis=gone) == pytest.approx(pairs[step])


def test_second_order_starts_in_the_long_run():
    chain = MarkovChain(SECOND)
    assert chain.early == pytest.approx(np.array([[0.875, 0.125], [0.25, 0.75]]))
    assert chain.laws(6) == pytest.approx(np.tile([2 / 3, 1 / 3], (6, 1)))
    with pytest.raises(ChainError, match=r"pairs\.backward"):
        _ = chain.backward


def test_a_chain_of_first_order_has_the_joint_law_of_its_pairs():
    chain = MarkovChain.symmetric(0.8, 3)
    assert chain.pairs.laws(2)[1].reshape(3, 3) == pytest.approx(np.eye(3) * 0.7 / 3 + 0.1 / 3)
    joint = chain.joint(2)
    assert joint.names == ("step 1", "step 2")
    assert joint.table == pytest.approx(np.eye(3) * 0.7 / 3 + 0.1 / 3)


def test_constructors():
    assert MarkovChain.symmetric(0.5, ["a", "b"]).states == ("a", "b")
    assert MarkovChain.symmetric(1.0).start.tolist() == [0.5, 0.5]
    assert MarkovChain.symmetric(0.3, 1).transitions.tolist() == [[1]]
    assert MarkovChain.binary(0.9, 0.7, start=0.25).start.tolist() == [0.75, 0.25]
    assert MarkovChain.binary(0.9, 0.7).start == pytest.approx([0.75, 0.25])
    assert MarkovChain.independent([0.2, 0.8]).second_eigenvalue < 1e-12


@pytest.mark.parametrize("n", [2, 5, 24])
@pytest.mark.parametrize("order", [1, 2])
def test_simulated_streams_have_the_frequencies_of_the_chain(n, order):
    rng = np.random.default_rng(n)
    moves = random_laws(rng, (n,) * (order + 1), 0.3)
    chain = MarkovChain(moves, random_laws(rng, n))
    streams = chain.simulate(40, users=20_000 // n, rng=7)
    assert streams.shape == (20_000 // n, 40)
    late = streams[:, 10:]
    where = (late[:, :-1],) if order == 1 else (late[:, :-2], late[:, 1:-1])
    assert (moves[(*where, late[:, order:])] > 0).all()
    counts = np.zeros(moves.shape)
    np.add.at(counts, (*where, late[:, order:]), 1)
    rows = counts.sum(axis=-1, keepdims=True)
    spread = np.sqrt(moves * (1 - moves) / np.maximum(rows, 1))
    assert (np.abs(counts / np.maximum(rows, 1) - moves) <= 6 * spread + 1e-12 + 3 / np.maximum(rows, 1))[
        rows[..., 0] > 0
    ].all()


class Same(np.random.Generator):
    """The numbers of one user for everybody."""

    def __init__(self, seed):
        super().__init__(np.random.PCG64(seed))

    def random(self, size):
        return np.tile(np.random.Generator(np.random.PCG64(11)).random((size[0], 1)), (1, size[1]))


@pytest.mark.parametrize("n", [1, 2, 6, 23, 24])
@pytest.mark.parametrize("order", [1, 2])
def test_few_users_are_drawn_as_many_are(n, order):
    chain = MarkovChain(random_laws(np.random.default_rng(n), (n,) * (order + 1), 0.5))
    few, many = chain.simulate(30, 1, rng=Same(1)), chain.simulate(30, 20, rng=Same(1))
    assert (many == few[0]).all()


def test_streams_of_no_length():
    chain = MarkovChain.symmetric(0.8)
    assert chain.simulate(0, 3).shape == (3, 0)
    assert chain.simulate(4, 0).shape == (0, 4)
    assert chain.simulate(1, 2, rng=1).shape == (2, 1)
    assert MarkovChain(SECOND).simulate(1, 2).shape == (2, 1)
    assert MarkovChain(SECOND).simulate(2, 2).shape == (2, 2)
    assert chain.laws(0).shape == (0, 2)
    with pytest.raises(ChainError, match="There is no step"):
        chain.joint(0)


def test_rows_near_one_are_brought_to_one():
    chain = MarkovChain([[0.9, 0.1 + 5e-9], [0.3, 0.7]])
    assert chain.transitions.sum(axis=1) == pytest.approx([1, 1], abs=1e-15)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.9, 0.1], [0.3, 0.6]],), "The transitions: row 1 sums to 0.9; every row must sum to 1"),
        (([[0.9, 0.1], [0.3, 0.7 + 2e-8]],), r"row 1 sums to 1\.00000002"),
        (([[[0.5, 0.5]] * 2, [[0.5, 0.5], [0.5, 0.4]]],), r"row \(1, 1\) sums to 0.9"),
        (([[0.9, math.nan], [0.3, 0.7]],), "nan in row 0, column 1"),
        (([[1.1, -0.1], [0.3, 0.7]],), "-0.1 in row 0, column 1"),
        (([[math.inf, 0], [0.3, 0.7]],), "inf in row 0, column 0"),
        (([[0.9, 0.1]],), r"shape \(1, 2\)"),
        (([],), "shape"),
        (([0.5, 0.5],), r"shape \(2,\)"),
        (("abc",), "'abc'"),
        (([[0.9, 0.1], [1]],), "all of one length"),
        ((np.ma.masked_equal([[0.5, 0.5], [0.5, 0.5]], 0.5),), "masked"),
        (([[0.5, 0.5]] * 2, [0.5, 0.6]), "The start law sums to 1.1"),
        (([[0.5, 0.5]] * 2, [0.5, math.nan]), "start law has nan for state 1"),
        (([[0.5, 0.5]] * 2, [1]), r"start law has the shape \(1,\)"),
        (([[0.5, 0.5]] * 2, None, None, [[1, 0], [0, 1]]), "leave early out"),
        ((SECOND, None, None, [[1]]), "laws of the second symbol have the shape"),
    ],
)
def test_laws_that_are_none(arguments, message):
    with pytest.raises(ChainError, match=message):
        MarkovChain(*arguments)


def test_the_fault_has_a_place():
    with pytest.raises(ChainError) as caught:
        MarkovChain([[0.9, 0.1], [0.3, 0.6]])
    assert (caught.value.where.kind, caught.value.where.index) == ("row", (1,))


def test_other_wrong_input():
    with pytest.raises(DomainError, match="3 labels for 2 states"):
        MarkovChain.symmetric(0.5).__class__([[0.5, 0.5]] * 2, states=["a", "b", "c"])
    with pytest.raises(DomainError, match="twice"):
        MarkovChain.symmetric(0.5, ["a", "a"])
    with pytest.raises(DomainError, match="states are 0"):
        MarkovChain.symmetric(0.5, 0)
    with pytest.raises(ChainError, match=r"stay is 1\.5; it must be a probability"):
        MarkovChain.symmetric(1.5)
    with pytest.raises(ChainError, match="stay_1 is nan"):
        MarkovChain.binary(0.5, math.nan)
    with pytest.raises(ChainError, match=r"number of steps is 2\.5"):
        MarkovChain.symmetric(0.5).simulate(2.5)
    with pytest.raises(ChainError, match="number of users is -1"):
        MarkovChain.symmetric(0.5).simulate(2, -1)
    with pytest.raises(LimitError, match="take fewer steps"):
        MarkovChain.symmetric(0.5).joint(21)
    assert MarkovChain.symmetric(0.5).joint(20).table.size == 1 << 20
    with pytest.raises(LimitError, match="at most"):
        MarkovChain.symmetric(0.5).simulate(1 << 20, 1 << 10)
    with pytest.raises(LimitError, match="number of steps is 1000000000000; at most"):
        MarkovChain.symmetric(0.5).laws(10**12)
    with pytest.raises(LimitError, match="most frequent"):
        MarkovChain.symmetric(0.5, 10_000)


def test_an_alphabet_of_one():
    chain = MarkovChain([[1.0]], states=["only"])
    assert chain.simulate(4, 2, rng=1).tolist() == [[0] * 4] * 2
    assert (chain.mixing_time(), chain.second_eigenvalue) == (0, 0)
    assert chain.joint(30).table.size == 1
    assert chain.backward.tolist() == [[1]]


def test_a_chain_as_a_networkx_graph() -> None:
    moves = np.array([[0.5, 0.5, 0.0], [0.0, 0.25, 0.75], [1.0, 0.0, 0.0]])
    chain = MarkovChain(moves, [0.2, 0.3, 0.5], ["a", "b", "c"])
    graph = chain.to_networkx()
    back = np.zeros((3, 3))
    for before, after, probability in graph.edges(data="probability"):
        back[chain.states.index(before), chain.states.index(after)] = probability
    assert np.array_equal(back, moves)
    assert graph.number_of_edges() == 5
    assert dict(graph.nodes(data="start")) == {"a": 0.2, "b": 0.3, "c": 0.5}
    assert [p for _, p in graph.nodes(data="stationary")] == pytest.approx(chain.stationary.tolist())
    # Where nothing is forgotten there is no law in the long run.
    assert "stationary" not in MarkovChain(np.eye(2), [0.5, 0.5]).to_networkx().nodes[0]


def test_a_chain_of_second_order_is_a_graph_of_pairs() -> None:
    chain = MarkovChain([[[0.9, 0.1], [0.4, 0.6]], [[0.7, 0.3], [0.2, 0.8]]])
    graph = chain.to_networkx()
    assert graph.graph["order"] == 2
    assert graph.number_of_nodes() == 4
    assert graph.edges[(0, 1), (1, 0)]["probability"] == 0.4
    assert ((0, 1), (0, 0)) not in graph.edges


@pytest.mark.parametrize("states", [10**6, range(10**4), 10**400], ids=["number", "labels", "digits"])
def test_more_states_than_fit_are_refused_before_room_is_made(states):
    with pytest.raises(LimitError, match="at most 67,108,864") as refused:
        MarkovChain.symmetric(0.5, states)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("given", [[[1, 2], [3]], [], "law", [0.5, 0.25]])
def test_what_is_no_law_is_refused_by_every_constructor(given):
    with pytest.raises(ChainError, match="law"):
        MarkovChain.independent(given)
    with pytest.raises(ChainError, match=r"start"):
        MarkovChain.binary(0.5, 0.5, start=given)


@pytest.mark.parametrize("number", [10**18, 10**400])
def test_numbers_that_nobody_reads_are_refused_in_few_words(number):
    chain = MarkovChain.symmetric(0.9)
    for call in (chain.joint, chain.simulate, lambda users: chain.simulate(2, users)):
        with pytest.raises(LimitError) as refused:
            call(number)
        assert len(str(refused.value)) < 200
