"""What streams leak for budgets from 1e-6 to 1e4, against arithmetic of 60 digits."""

import math

import numpy as np
import pytest

from pdp_widgets import MarkovChain, OptimalResponse, sequence_leakage
from pdp_widgets.mechanisms.sequence.sequence_by_name import sequence_mechanism_named
from pdp_widgets.streams import BatchRelease, BinaryOptimum, TwoPoints
from tests import sixty_digits

BUDGETS = [1e-6, 1e-3, 0.5, 2.0, 12.47, 20.0, 36.5, 37.42, 60.0, 300.0, 707.3, 709.5, 745.5, 1000.0, 1e4]
BELIEFS = {
    "even": [0.5, 0.5],
    "skewed": [0.93, 0.07],
    "tiny": [1 - 1e-9, 1e-9],
    "tinier": [1.0, 3e-300],
    "three": [0.6, 0.3, 0.1],
    "impossible": [0.6, 0.0, 0.4],
    "rare": [0.5, 1e-5, 2e-9, 0.5 - 1e-5 - 2e-9, 1e-200],
}
CHAINS = {
    "every": ([0.5, 0.5], [[0.6, 0.4], [0.3, 0.7]]),
    "one way": ([0.3, 0.7], [[0.8, 0.2], [0.0, 1.0]]),
    "copies": ([0.2, 0.8], [[1.0, 0.0], [0.0, 1.0]]),
    "three": ([0.2, 0.3, 0.5], [[0.7, 0.3, 0.0], [0.0, 0.9, 0.1], [0.2, 0.0, 0.8]]),
}


def names(n):
    return [name for name in sixty_digits.CHANNELS if n == 2 or name != "binary_optimum"]


def agrees(found, right, off=4e-15):
    """Beside what logarithms of floats are off by at most; of very small ones that is more."""
    return found == pytest.approx(right, rel=1e-12, abs=off)


@pytest.mark.parametrize("epsilon", BUDGETS)
@pytest.mark.parametrize("belief", BELIEFS.values(), ids=BELIEFS)
def test_every_mechanism_leaks_what_sixty_digits_say(belief, epsilon):
    for name in names(len(belief)):
        right = sixty_digits.step_leakage(name, belief, epsilon)
        mechanism = sequence_mechanism_named(name, epsilon)
        step = mechanism.channel(belief)
        assert agrees(step.leakage, right), name
        assert agrees(mechanism.lifts([belief])[0], right), name
        assert agrees(
            sequence_leakage((belief, np.eye(len(belief))), mechanism, 1).leakage.value, right, 1e-13
        ), name


@pytest.mark.parametrize("epsilon", BUDGETS[::2])
@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
def test_every_stream_leaks_what_sixty_digits_say(chain, epsilon):
    steps = 3 if len(chain[0]) == 2 else 2
    for name in names(len(chain[0])):
        right = sixty_digits.stream_leakage(name, *chain, epsilon, steps)
        mechanism = sequence_mechanism_named(name, epsilon)
        source = MarkovChain(chain[1], chain[0])
        for method in ("tree", "enumeration"):
            assert agrees(sequence_leakage(source, mechanism, steps, method).leakage.value, right, 2e-14), (
                name
            )
        if min(map(min, chain[1])) > 0:
            assert agrees(sequence_leakage(source, mechanism, steps).leakage.value, right, 2e-14), name


@pytest.mark.parametrize("epsilon", [e for e in BUDGETS if e > 2])
def test_what_equals_conditional_response_leaks_the_budget(epsilon):
    even = ([0.25] * 4, np.full((4, 4), 0.25))
    pair = ([0.5, 0.5], [[0.6, 0.4], [0.3, 0.7]])
    assert agrees(sequence_leakage(even, OptimalResponse(epsilon), 2).leakage.value, 2 * epsilon)
    assert agrees(sequence_leakage(pair, BinaryOptimum(epsilon), 2).leakage.value, 2 * epsilon)
    batches = BatchRelease(sequence_mechanism_named("crr", epsilon), 3, 2)
    assert agrees(sequence_leakage(pair, batches, 6).leakage.value, 6 * epsilon)
    points = TwoPoints(0.5, 0.1, epsilon, epsilon)
    assert agrees(points.leakage.leakage.value, 2 * epsilon)


def test_an_infinite_budget_is_an_ordinary_one():
    for name in names(2):
        found = sequence_leakage(MarkovChain.symmetric(0.9), sequence_mechanism_named(name, math.inf), 2)
        assert found.leakage.value == math.inf
