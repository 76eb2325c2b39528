"""Explorers and input at its ends: nouns with control characters, links to a mechanism of fixed budget."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from traitlets import link

from pdp_widgets import GRR, RAPPOR, LocalExplorer, PdpError, titanic
from pdp_widgets.errors import QueryError
from pdp_widgets.widgets.explorer_input import as_noun


@pytest.mark.parametrize("noun", ["a\x00b", "\x08x", "a\x1bb", "a\ufffeb", "x\x85y"])
def test_a_noun_with_control_characters_is_refused(noun):
    with pytest.raises(QueryError, match="noun"):
        as_noun(noun)


def test_a_noun_of_many_scripts_makes_an_image():
    picture = LocalExplorer(titanic(), noun="Fahrgast & <客>").snapshot()
    assert "Fahrgast & <客>" in "".join(ElementTree.fromstring(picture.svg).itertext())


def linked():
    first, second = LocalExplorer(titanic()), LocalExplorer(titanic())
    for name in ("mechanism", "epsilon", "output"):
        link((first, name), (second, name))
    return first, second


def test_the_budget_that_a_mechanism_has_is_no_change():
    explorer = LocalExplorer(titanic(), RAPPOR(0.5, 0.5, 0.75))
    explorer.epsilon = explorer.epsilon * (1 + 1e-15)
    assert explorer.mechanism == "RAPPOR"
    with pytest.raises(PdpError, match="no budget"):
        explorer.epsilon = 2.0


def test_linked_explorers_follow_to_a_mechanism_of_fixed_budget_and_back():
    first, second = linked()
    first.mechanism = "RAPPOR"
    assert second.mechanism == "RAPPOR"
    assert first.epsilon == second.epsilon == RAPPOR(0.5, 0.5, 0.75).epsilon
    first.mechanism = "GRR"
    first.epsilon = 2.0
    assert (second.mechanism, second.epsilon) == ("GRR", 2.0)


def test_linked_explorers_take_mechanism_and_budget_of_one_assignment():
    first, second = linked()
    first.mechanism = GRR(3.0)
    assert (second.mechanism, second.epsilon) == ("GRR", 3.0)
    assert np.array_equal(first.results.matrix, second.results.matrix)
