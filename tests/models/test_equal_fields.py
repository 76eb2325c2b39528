"""Results are values: equal after pickling and alike in hash, and different where a number is."""

import pickle
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from pdp_widgets import BalancedResponse, InferenceAttack, MarkovChain, sequence_leakage, synthetic_network
from pdp_widgets.dependent import (
    accuracy_curve,
    budget_curve,
    correlated_sensitivity,
    graph_sensitivity,
    promise_report,
    separation_curve,
    underestimated,
    underestimation_curve,
)
from pdp_widgets.leakage.inference.attack_means import attack_means
from pdp_widgets.models.friendship_graph import FriendshipGraph
from pdp_widgets.models.immutable import EqualByFields
from pdp_widgets.models.joint_examples import identical_tuples
from pdp_widgets.streams import (
    batch_errors,
    pointwise_leakages,
    sequence_mutual_information,
    simulate_releases,
    simulated_violation_share,
    temporal_leakage,
    two_points_curve,
)

CHAIN, ONE = MarkovChain.symmetric(0.9), BalancedResponse(0.5)


@dataclass(frozen=True, eq=False)
class Held(EqualByFields):
    part: Any


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan])),
        (np.array([0.0]), np.array([-0.0])),
        (np.array([1, 2]), np.array([1.0, 2.0])),
        (np.array(["a"]), np.array(["a"])),
        (float("nan"), float("nan")),
        ((np.zeros(2), ("a", float("nan"))), (np.zeros(2), ("a", float("nan")))),
    ],
)
def test_what_is_equal_hashes_alike(one, other):
    assert Held(one) == Held(other)
    assert hash(Held(one)) == hash(Held(other))
    assert len({Held(one), Held(other)}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.zeros(2), np.zeros(3)),
        (np.zeros(2), np.zeros((1, 2))),
        (np.zeros(2), (0.0, 0.0)),
        (np.array(["1"]), np.array([1.0])),
        (np.arange(20.0), np.r_[np.arange(19.0), 20]),
        (float("nan"), 1.0),
        ((1, 2), (1, 2, 3)),
        (1, "1"),
    ],
)
def test_what_differs_differs(one, other):
    assert (Held(one) == Held(other)) is False
    assert Held(one) != Held(other)


def test_of_another_class_nothing_is_equal():
    @dataclass(frozen=True, eq=False)
    class Other(EqualByFields):
        part: Any

    assert Held(1) != Other(1)
    assert Held(1) != 1


MOVES = [[0.9, 0.1], [0.1, 0.9]]


@cache
def attack():
    return InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)


RESULTS = {
    "accuracy": lambda: accuracy_curve({"lpm": 1.0}, [1.0, 2.0]),
    "all attacks": lambda: attack().all_users(),
    "attack curves": lambda: attack().by_epsilon([1.0, 2.0], draws=1),
    # One draw has no interval, and its half is NaN.
    "attack means": lambda: attack_means(attack(), 1),
    "attack result": lambda: attack().attack_2,
    "batches": lambda: batch_errors(CHAIN, 1.0, [1, 2], steps=4, users=1, rng=1),
    "budgets": lambda: budget_curve({"lpm": 1.0}, [0.1, 0.5]),
    "correlated": lambda: correlated_sensitivity(np.eye(3), [1, 1, 1]),
    "drawn attacks": lambda: attack().by_draw(3),
    "graph": lambda: graph_sensitivity(FriendshipGraph(4, [(0, 1)]), 0.5),
    "information": lambda: sequence_mutual_information(CHAIN, ONE, 3),
    "pointwise": lambda: pointwise_leakages(CHAIN, ONE, 3),
    "promises": lambda: promise_report(identical_tuples(2), "sum", 1.0),
    "releases": lambda: simulate_releases(CHAIN, ONE, 3, 2, rng=1),
    "separation": lambda: separation_curve([1.0, 2.0]),
    "sequence": lambda: sequence_leakage(CHAIN, ONE, 3),
    "share": lambda: simulated_violation_share(CHAIN, 1.0, 3, 10, rng=1),
    "temporal": lambda: temporal_leakage(MOVES, 1.0, 3),
    "two points": lambda: two_points_curve(phis=[0.5, 0.9]),
    "underestimated": lambda: underestimated(identical_tuples(2)),
    "underestimation": lambda: underestimation_curve(identical_tuples(2), epsilons=[1.0, 2.0]),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_values(name):
    made = RESULTS[name]()
    again = pickle.loads(pickle.dumps(made))
    assert (made == again) is True
    assert hash(made) == hash(again)
    assert made != 3


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_with_another_number_is_another(name):
    made = RESULTS[name]()
    arrays = [
        field.name
        for field in fields(made)
        if isinstance(getattr(made, field.name), np.ndarray) and getattr(made, field.name).dtype.kind in "if"
    ]
    for part in arrays:
        numbers = getattr(made, part).copy()
        numbers.flat[-1] = 0.5 if np.isnan(numbers.flat[-1]) else numbers.flat[-1] + 1
        assert (made == replace(made, **{part: numbers})) is False
