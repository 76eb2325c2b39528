"""Every explorer is drawn at every budget, scale and goal that it takes: no number overflows on the way."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from pdp_widgets import (
    AnonymityExplorer,
    AttackExplorer,
    DependenceExplorer,
    GaussianExplorer,
    GaussianModel,
    LocalExplorer,
    MarkovChain,
    PdpError,
    PriorExplorer,
    StreamSimulator,
    lsat6,
    synthetic_network,
    titanic,
)

MODEL = GaussianModel([0, 0], [[1, 0.5], [0.5, 1]])
CITY = synthetic_network(60, rng=1).city("New York")
CHAIN = MarkovChain([[0.9, 0.1], [0.2, 0.8]])
MAKES: dict[str, Callable[[float], Any]] = {
    "prior": lambda e: PriorExplorer(lsat6(), scale=e),
    "prior goal": lambda e: PriorExplorer(lsat6(), goal=e),
    "gaussian": lambda e: GaussianExplorer(MODEL, scale=e),
    "gaussian change": lambda e: GaussianExplorer(MODEL, max_change=e),
    "gaussian weights": lambda e: GaussianExplorer(MODEL, [e, e]),
    "stream": lambda e: StreamSimulator(CHAIN, e),
    "dependence": lambda e: DependenceExplorer(epsilon=e),
    "dependence weights": lambda e: DependenceExplorer(query=[e] * 6),
    "dependence error": lambda e: DependenceExplorer(alpha=e),
    "attack": lambda e: AttackExplorer(CITY, epsilon=e, clusters=3, grid=8),
    "attack weight": lambda e: AttackExplorer(CITY, weight=e, clusters=3, grid=8),
    "attack reach": lambda e: AttackExplorer(CITY, radius=e, clusters=3, grid=8),
    "anonymity": lambda e: AnonymityExplorer(epsilon=e),
    "anonymity sum": lambda e: AnonymityExplorer(epsilon=e, release="sum:weight", level="IV", neighbours=3),
    "anonymity shift": lambda e: AnonymityExplorer(shift=e),
    "anonymity change": lambda e: AnonymityExplorer(group_change=e, release="sum:age", level="II"),
    "local GRR": lambda e: LocalExplorer(titanic(), "GRR", e),
    "local SS": lambda e: LocalExplorer(titanic(), "SS", e),
    "local SHE": lambda e: LocalExplorer(titanic(), "SHE", e),
    "local generic": lambda e: LocalExplorer(titanic(), "generic", e),
    "local guess": lambda e: LocalExplorer(titanic(), "OUE", e, output="inferred"),
    "local goal": lambda e: LocalExplorer(titanic(), "GRR", 1.0, budget=e),
}
#: They take every budget from 0 to infinity.
ALL = {"stream", "anonymity", "anonymity sum", *(name for name in MAKES if name.startswith("local "))} - {
    "local goal"
}
EXTREMES = [0.0, 5e-324, 1e160, sys.float_info.max, math.inf]


@pytest.mark.parametrize("budget", EXTREMES)
@pytest.mark.parametrize("name", MAKES)
def test_a_picture_at_an_extreme_has_places_for_all_it_shows(name: str, budget: float) -> None:
    try:
        explorer = MAKES[name](budget)
    except PdpError:
        assert name not in ALL
        return
    # The picture, and the state that a notebook keeps.
    drawing = explorer._drawn()[0].svg
    ElementTree.fromstring(drawing)
    places = re.findall(r' (?:d|x|y|x1|x2|y1|y2|cx|cy|r|width|height|transform)="([^"]*)"', drawing)
    assert places
    assert not [place for place in places if re.search(r"nan|inf|\d{7}|e\d", place, re.IGNORECASE)]


@pytest.mark.parametrize("name", ["stream", "local SHE"])
def test_an_explorer_is_taken_through_the_extremes(name: str) -> None:
    explorer = MAKES[name](1.0)
    for budget in [*EXTREMES, 1.0]:
        explorer.epsilon = budget
        assert explorer.epsilon == budget
        explorer.snapshot()
    assert explorer.error is None
