"""Columns of a printed table that are none are named, whatever holds them."""

import numpy as np
import pytest

from pdp_widgets import InferenceAttack, synthetic_network
from pdp_widgets.errors import DomainError


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (np.array([["attack", "leaked"]]), "There is no column"),
        (np.array([1, 2]), "There is no column"),
        ([["attack"]], "There is no column"),
        (np.array([], dtype=str), "Name at least one column"),
        (np.array(5), "The columns are array"),
        (5, "The columns are 5; give a list of their names"),
    ],
)
def test_columns_that_are_none(columns, said):
    found = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    with pytest.raises(DomainError, match=said):
        found.to_latex(columns)


def test_an_array_of_names_is_a_list_of_names():
    found = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    assert found.to_latex(np.array(["attack", "leaked"])) == found.to_latex(["attack", "leaked"])


def test_kilometres_are_a_unit():
    found = InferenceAttack(synthetic_network(60, rng=1).city("New York"), clusters=4)
    for made in (found, found.by_draw(2), found.by_epsilon([1.0], draws=1)):
        heading = made.to_latex().split("\\midrule")[0]
        assert "error (km)" in heading or "error, estimate (km)" in heading
        assert " km" not in heading
        assert ("epsilon" in heading) == ("epsilon (nats)" in heading)
