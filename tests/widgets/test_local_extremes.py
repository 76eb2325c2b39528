"""Explorers and input at its ends: nouns with control characters, links to a mechanism of fixed budget."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from traitlets import link

from pdp_widgets import GRR, OLH, OUE, RAPPOR, SHE, SS, LocalExplorer, PdpError, titanic
from pdp_widgets.errors import QueryError
from pdp_widgets.local import AnyMechanism
from pdp_widgets.widgets.explorer_input import as_noun


@pytest.mark.parametrize("noun", ["a\x00b", "\x08x", "a\x1bb", "a\ufffeb", "x\x85y"])
def test_a_noun_with_control_characters_is_refused(noun):
    with pytest.raises(QueryError, match="noun"):
        as_noun(noun)


def test_a_noun_of_many_scripts_makes_an_image():
    picture = LocalExplorer(titanic(), noun="Fahrgast & <客>").snapshot()
    ElementTree.fromstring(picture.svg)
    assert "Fahrgast &amp; &lt;客&gt;" in picture.html


ALL = ("mechanism", "epsilon", "output", "source", "secret", "attributes", "min_count", "budget")
LINKS = [("mechanism",), ("mechanism", "epsilon", "output"), ("epsilon", "mechanism"), ALL, ALL[::-1]]
MECHANISMS = [
    RAPPOR(0.25, 0.3, 0.8),
    RAPPOR(0.5, 0.5, 0.75),
    OLH(2.0, g=5),
    SS(0.5, omega=1),
    AnyMechanism(1.5, delta=0.01),
    GRR(3.0),
    SHE(math.inf),
]


def linked(*names):
    first, second = LocalExplorer(titanic()), LocalExplorer(titanic())
    for name in names:
        link((first, name), (second, name))
    return first, second


def test_the_budget_that_a_mechanism_has_is_no_change():
    explorer = LocalExplorer(titanic(), RAPPOR(0.5, 0.5, 0.75))
    explorer.epsilon = explorer.epsilon * (1 + 1e-15)
    assert explorer.mechanism == RAPPOR(0.5, 0.5, 0.75)
    with pytest.raises(PdpError, match="no budget"):
        explorer.epsilon = 2.0


@pytest.mark.parametrize("names", LINKS)
@pytest.mark.parametrize("turn", [False, True])
def test_linked_explorers_take_a_mechanism_whole(names, turn):
    one, other = linked(*names)[:: -1 if turn else 1]
    for mechanism in MECHANISMS[:: -1 if turn else 1]:
        one.mechanism = mechanism
        assert one.mechanism == other.mechanism == mechanism
        assert one.epsilon == other.epsilon == mechanism.epsilon
        assert one._view["parameters"] == other._view["parameters"]
        assert np.array_equal(one.results.matrix, other.results.matrix)


@pytest.mark.parametrize("names", LINKS)
def test_a_hand_that_sets_mechanism_and_budget_at_once_moves_both(names, ask):
    one, other = linked(*names)
    wishes = [
        ({"mechanism": "RAPPOR", "parameters": {"f": 0.25, "p": 0.3, "q": 0.8}}, RAPPOR(0.25, 0.3, 0.8)),
        ({"mechanism": "GRR", "epsilon": 2.0}, GRR(2.0)),
        ({"mechanism": "OLH", "epsilon": 0.5, "parameters": {"g": 4}}, OLH(0.5, g=4)),
        ({"mechanism": "RAPPOR"}, RAPPOR(0.25, 0.3, 0.8)),
        ({"mechanism": "SS", "epsilon": 4.0, "parameters": {"omega": 1}}, SS(4.0, omega=1)),
    ]
    for wish, expected in wishes:
        ask(one, **wish)
        assert one.error is None
        assert one.mechanism == other.mechanism == expected
        assert one.epsilon == other.epsilon == expected.epsilon
    other.mechanism = OUE(1.0)
    assert one.mechanism == OUE(1.0)


def test_what_an_explorer_says_of_its_mechanism_makes_the_same_one():
    for mechanism in MECHANISMS:
        first = LocalExplorer(titanic(), mechanism)
        again = LocalExplorer(titanic(), first.mechanism)
        assert again.mechanism == mechanism
        assert np.array_equal(first.results.matrix, again.results.matrix)
        # A name leaves the budget and the parameters.
        again.mechanism = mechanism.name
        assert again.mechanism == mechanism


def test_a_mechanism_of_fixed_budget_leaves_the_budget_of_the_others(ask):
    explorer = LocalExplorer(titanic(), "GRR", 2.5)
    explorer.mechanism = "RAPPOR"
    explorer.mechanism = "GRR"
    assert explorer.mechanism == GRR(2.5)
    ask(explorer, mechanism="RAPPOR", epsilon=RAPPOR(0.5, 0.5, 0.75).epsilon)
    ask(explorer, mechanism="OUE")
    assert explorer.mechanism == OUE(2.5)
