"""A wrong entry in a browser stands in the way of nothing that Python sets on another control."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from pdp_widgets import (
    AnonymityExplorer,
    AttackExplorer,
    AttributeTable,
    DependenceExplorer,
    GaussianExplorer,
    GaussianModel,
    InferenceAttack,
    JointDistribution,
    LocalExplorer,
    MarkovChain,
    PriorExplorer,
    SparseJoint,
    StreamSimulator,
    clinic,
    lsat6,
    synthetic_network,
    titanic,
)
from pdp_widgets.leakage.inference.attack_curves import AttackCurves, attack_curves
from pdp_widgets.local import mechanism_named
from pdp_widgets.widgets import local_late
from pdp_widgets.widgets.wire import float_bytes
from tests.widgets.conftest import Ask

CHAIN = MarkovChain([[0.9, 0.1], [0.2, 0.8]])
OTHER_CHAIN = MarkovChain([[0.6, 0.4], [0.5, 0.5]])
THREE_STATES = MarkovChain([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
MODEL = GaussianModel([0, 0, 0], np.eye(3) + 0.3 * (1 - np.eye(3)))
OTHER_MODEL = GaussianModel([0, 0, 0], np.eye(3) + 0.1 * (1 - np.eye(3)))
TWO = GaussianModel([0, 0], [[1, 0.2], [0.2, 1]])
SMALL = JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"])

CITY = synthetic_network(60, rng=1).city("New York")
OTHER_CITY = synthetic_network(60, rng=2).city("New York")


def numbers(values: Any) -> memoryview:
    return memoryview(float_bytes(np.asarray(values, dtype=float)))


#: By explorer: how it is made, what a browser may send that is wrong, and what Python sets.
EXPLORERS: dict[str, tuple[Callable[[], Any], list[dict[str, Any]], list[tuple[str, Any]]]] = {
    "local": (
        lambda: LocalExplorer(titanic(), "GRR", 1.0),
        [
            {"min_count": -5},
            {"min_count": "NaN"},
            {"epsilon": -1},
            {"epsilon": "NaN"},
            {"budget": -1},
            {"mechanism": "SS", "parameters": {"omega": 99}},
            {"mechanism": "SS", "parameters": {"omega": -2}},
            {"mechanism": "OLH", "parameters": {"g": 0}},
            {"attributes": []},
            {"attributes": [], "epsilon": -1, "min_count": -5, "budget": "NaN"},
        ],
        [
            ("epsilon", 2.0),
            ("mechanism", "OUE"),
            ("mechanism", "SS"),
            ("mechanism", "OLH"),
            ("mechanism", mechanism_named("SS", 0.7)),
            ("value", lsat6()),
            ("value", AttributeTable([[0, 1], [1, 0], [1, 1]])),
            ("source", "age"),
            ("secret", "class"),
            ("attributes", ("class", "sex")),
            ("min_count", 3.0),
            ("budget", 2.5),
            ("output", "inferred"),
            ("disabled", True),
        ],
    ),
    "dependence": (
        lambda: DependenceExplorer(SMALL),
        [
            {"epsilon": -1},
            {"epsilon": "NaN"},
            {"probabilities": [0.4, 0.1, 0.1, 0.1]},
            {"probabilities": ["NaN", 0.1, 0.1, 0.4]},
            {"probabilities": [-0.4, 0.1, 0.1, 0.4], "epsilon": 0},
        ],
        [
            ("epsilon", 2.0),
            ("mechanism", "baseline"),
            ("coefficient", "mean"),
            ("query", "identity"),
            ("known", ("Bob",)),
            ("knowing", "worst"),
            ("target", "Bob"),
            ("alpha", 1.0),
            ("show_paper", False),
            ("value", SparseJoint([[0, 0, 0], [1, 1, 0], [1, 0, 1]], [0.5, 0.25, 0.25])),
            ("disabled", True),
        ],
    ),
    "attack": (
        lambda: AttackExplorer(CITY, clusters=3, grid=8),
        [
            {"epsilon": -1},
            {"epsilon": "NaN"},
            {"epsilon": 5e-324, "sensitivity": "worst_case"},
            {"weight": 0},
            {"known": 1.5, "weight": -1, "epsilon": 0},
        ],
        [
            ("epsilon", 2.0),
            ("mechanism", "baseline"),
            ("mechanism", "dpm"),
            ("sensitivity", "worst_case"),
            ("victim", int(CITY.users[3])),
            ("weight", 5.0),
            ("known", 0.5),
            ("draw", 7),
            ("grid", 5),
            ("clusters", 2),
            ("radius", 0.2),
            ("value", OTHER_CITY),
            ("disabled", True),
        ],
    ),
    "anonymity": (
        AnonymityExplorer,
        [
            {"k": 500},
            {"k": "NaN", "epsilon": -1, "known": 2},
            {"epsilon": "NaN"},
            {"known": 1.5},
            {"neighbours": 0},
            {"delta1": 1},
            {"shift": "Infinity"},
            {"group_change": 0},
            {"n": 4},
        ],
        [
            ("k", 7),
            ("epsilon", 2.0),
            ("known", 0.5),
            ("neighbours", 2),
            ("level", "IV"),
            ("delta1", 0.1),
            ("shift", 2.0),
            ("group_change", 3.0),
            ("neighbour", "presence"),
            ("events", "interval"),
            ("release", "sum:weight"),
            ("reading", "t1:proof"),
            ("show_paper", True),
            ("n", 300),
            ("quasi", ("weight",)),
            ("secret", None),
            ("value", clinic().take(range(60))),
            ("disabled", True),
        ],
    ),
    "prior": (
        lambda: PriorExplorer(lsat6()),
        [
            {"scale": -1.0},
            {"scale": "NaN"},
            {"query": "weights", "weights": numbers([math.nan] * 5)},
            {"entries": numbers([-1.0] + [1.0] * 31)},
            {"entries": numbers([math.nan] * 32)},
        ],
        [
            ("scale", 2.0),
            ("threshold", 0.5),
            ("goal", 0.5),
            ("target", "item 2"),
            ("known", ("item 3",)),
            ("query", "mean"),
            ("convention", "sup"),
            ("instance", (0, 0, 0, 0, 0)),
            ("show_paper", True),
            ("value", SMALL),
            ("disabled", True),
        ],
    ),
    "gaussian": (
        lambda: GaussianExplorer(MODEL),
        [
            {"scale": -1.0},
            {"scale": "NaN"},
            {"max_change": -1.0},
            {"max_change": "NaN"},
            {"weights": numbers([math.nan, 1, 1])},
            {"cov": numbers([[1, 2, 0], [2, 1, 0], [0, 0, 1]])},
            {"cov": numbers([[math.nan, 0, 0], [0, 1, 0], [0, 0, 1]])},
        ],
        [
            ("scale", 2.0),
            ("max_change", 0.5),
            ("threshold", 0.5),
            ("goal", 0.5),
            ("target", 1),
            ("known", (1,)),
            ("query", "mean"),
            ("weights", (1.0, 2.0, 1.0)),
            ("show_correlation", True),
            ("value", OTHER_MODEL),
            ("value", TWO),
            ("disabled", True),
        ],
    ),
    "stream": (
        lambda: StreamSimulator(CHAIN, 1.0),
        [
            {"epsilon": -1.0},
            {"epsilon": "NaN"},
            {"delta": 2.0},
            {"delta": "NaN"},
            {"speed": -1.0},
            {"seed": -3},
            {"lanes": ["nobody"]},
            {"lanes": []},
            {"distance": "miles"},
            {"transitions": numbers([[0.5, 0.6], [0.5, 0.5]])},
            {"start": numbers([0.5, math.nan])},
        ],
        [
            ("epsilon", 2.0),
            ("delta", 1e-5),
            ("speed", 5.0),
            ("seed", 7),
            ("lanes", ("grr",)),
            ("distance", "hamming"),
            ("position", 20),
            ("position", 80),
            ("value", OTHER_CHAIN),
            ("value", THREE_STATES),
            ("playing", True),
            ("disabled", True),
        ],
    ),
}
#: Each wrong entry stands beside every third of what Python sets, each time beside others.
CASES = [
    pytest.param(kind, wrong, j, id=f"{kind}-{sorted(wrong)}-{k}-{name}-{j}")
    for kind, (_, wrongs, sets) in EXPLORERS.items()
    for k, wrong in enumerate(wrongs)
    for j, (name, _) in enumerate(sets)
    if (k + j) % 3 == 0
]


def same(a: Any, b: Any) -> bool:
    return a == b or (isinstance(a, tuple) and list(a) == list(b))


def stands(explorer: Any, name: str) -> Any:
    """What stands in a control, as Python reads it."""
    found = getattr(explorer, name)
    return getattr(found, "name", found) if name == "mechanism" else found


@cache
def without_a_wrong_entry(kind: str, j: int) -> Any:
    """What stands in a control once Python has set it in an explorer that nobody else has touched."""
    make, _, sets = EXPLORERS[kind]
    name, value = sets[j]
    explorer = make()
    setattr(explorer, name, value)
    return stands(explorer, name)


def shorten_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have curves of few budgets, and mechanisms not compared, as where data are large."""

    def by_epsilon(attack: InferenceAttack, draws: int, progress: Any, **_: Any) -> AttackCurves:
        return attack_curves(attack, [2.0], draws, progress)

    monkeypatch.setattr(InferenceAttack, "by_epsilon", by_epsilon)
    monkeypatch.setattr(local_late, "_REPORT_BUDGETS", 3)
    monkeypatch.setattr(local_late, "_compared", lambda results: None)


@pytest.mark.parametrize(("kind", "wrong", "j"), CASES)
def test_python_sets_one_control_while_another_holds_a_wrong_entry(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, kind: str, wrong: dict[str, Any], j: int
) -> None:
    make, wrongs, sets = EXPLORERS[kind]
    name, value = sets[j]
    # Curves know nothing of what was not taken: beside the first and the last wrong entry they are whole.
    if wrong not in (wrongs[0], wrongs[-1]):
        shorten_curves(monkeypatch)
    explorer = make()
    ask(explorer, **wrong)
    refused = explorer.error
    assert refused is not None
    setattr(explorer, name, value)
    assert same(stands(explorer, name), without_a_wrong_entry(kind, j))
    # What was wrong is still shown as wrong, or there is nothing wrong any more. Of several the next is
    # named, and a new table may have another limit, as a new size of classes has for their number of records.
    limits = ("value", "data", "attributes", "k")
    assert explorer.error in (None, refused) or len(wrong) > 2 or name in limits
