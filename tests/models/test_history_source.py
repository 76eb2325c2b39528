"""Streams given by a function of the history."""

import math
import pickle

import numpy as np
import pytest

from pdp_widgets import ChainError, LimitError, MarkovChain
from pdp_widgets.streams import HistorySource


def urn(history):
    """Draw balls: each one drawn goes back with another of its colour."""
    red = 1 + history.count("red")
    return [red / (2 + len(history)), 1 - red / (2 + len(history))]


def test_an_urn():
    source = HistorySource(urn, 4, ["red", "blue"])
    # The number of red balls is uniform.
    counts = np.zeros(5)
    for index, probability in np.ndenumerate(source.probabilities):
        counts[4 - sum(index)] += probability
    assert counts == pytest.approx(np.full(5, 0.2))
    assert source.laws() == pytest.approx(np.full((4, 2), 0.5))
    assert source.start.tolist() == [0.5, 0.5]
    assert source.after(["red", "red"]) == pytest.approx([0.75, 0.25])
    assert source.joint().probability(["red"] * 4) == pytest.approx(0.2)
    assert source.joint().names[3] == "step 4"


@pytest.mark.parametrize("order", [1, 2])
def test_a_chain_as_a_function(order):
    chain = MarkovChain.symmetric(0.8, 3)
    if order == 2:
        chain = MarkovChain(np.random.default_rng(1).dirichlet(np.ones(3), (3, 3)))

    def law(history):
        if not history:
            return chain.start
        if len(history) == 1:
            return (chain.transitions if order == 1 else chain.early)[history[0]]
        return chain.transitions[history[-order:]]

    source = HistorySource(law, 5, 3)
    assert source.probabilities == pytest.approx(chain.joint(5).table)
    assert source.laws() == pytest.approx(chain.laws(5))


def test_it_is_a_value():
    source = HistorySource(urn, 3, ["red", "blue"])
    assert source == pickle.loads(pickle.dumps(source))
    assert hash(source) == hash(HistorySource(urn, 3, ["red", "blue"]))
    assert source != HistorySource(urn, 2, ["red", "blue"])
    assert repr(source) == "HistorySource(states=('red', 'blue'), steps=3)"
    with pytest.raises(ValueError, match="read-only"):
        source.probabilities[0] = 1
    with pytest.raises(AttributeError, match="read-only"):
        source.states = ()


def test_simulated_streams_have_its_law():
    source = HistorySource(urn, 3, ["red", "blue"])
    streams = source.simulate(40_000, rng=2)
    shares = np.bincount(streams @ [4, 2, 1], minlength=8) / 40_000
    assert shares == pytest.approx(source.probabilities.ravel(), abs=0.01)
    assert source.simulate(0).shape == (0, 3)


def test_impossible_histories_are_not_asked_for():
    asked = []

    def law(history):
        asked.append(history)
        return [1.0, 0.0]

    source = HistorySource(law, 3, 2)
    assert asked == [(), (0,), (0, 0)]
    with pytest.raises(ChainError, match="The history 1 has probability 0"):
        source.after([1])


def test_sizes_at_the_edges():
    assert HistorySource(lambda past: [1.0], 60, 1).probabilities.size == 1
    assert HistorySource(lambda past: [0.5, 0.5], 1).probabilities.tolist() == [0.5, 0.5]
    for steps, states in ((21, 2), (61, 1), (7, 10)):
        with pytest.raises(LimitError, match="too many to list"):
            HistorySource(lambda past: [1.0], steps, states)


@pytest.mark.parametrize(
    ("law", "message"),
    [
        (lambda past: [0.5, 0.6], r"The law of the first symbol sums to 1\.1"),
        (lambda past: [0.5, 0.5] if len(past) < 2 else [1.0], r"law after 'a', 'a' has the shape \(1,\)"),
        (lambda past: [math.nan, 1], "has nan for state a"),
        (lambda past: None, "law of the first symbol is None; give one probability for each state"),
        ([0.5, 0.5], "give a function of the history"),
    ],
)
def test_functions_that_are_no_law(law, message):
    with pytest.raises(ChainError, match=message):
        HistorySource(law, 3, ["a", "b"])


def test_other_wrong_input():
    source = HistorySource(lambda past: [0.5, 0.5], 2)
    with pytest.raises(ChainError, match="nothing comes after"):
        source.after([0, 1])
    with pytest.raises(ChainError, match="There is no symbol 7; there are 0, 1"):
        source.after([7])
    with pytest.raises(LimitError, match="number of users"):
        source.simulate(10**12)
    with pytest.raises(ChainError, match="number of steps is 0"):
        HistorySource(lambda past: [1.0], 0)
