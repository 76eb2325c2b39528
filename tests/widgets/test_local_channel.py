"""A channel of one's own in the local explorer: for all attributes or for one, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pdp_widgets import LocalAnalysis, LocalExplorer, titanic
from pdp_widgets.errors import PdpError
from pdp_widgets.local import GRR, OUE, RAPPOR, SS, AttributeTable, Channel

CLASS = Channel([[0.7, 0.1, 0.2], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.3, 0.3, 0.4]])
BIT = Channel([[0.9, 0.1], [0.2, 0.8]])


def _asked(matrix: Any, attribute: int | None, others: Any = "GRR", epsilon: Any = 1.0) -> dict[str, Any]:
    own = {"matrix": matrix, "attribute": attribute, "others": others, "epsilon": epsilon}
    return {"mechanism": "channel", "parameters": {"channel": own}}


def _receive(explorer: LocalExplorer, request: dict[str, Any], seq: int = 1) -> None:
    explorer._receive(request | {"origin": "a", "seq": seq, "base": explorer._view["revision"]})


@pytest.mark.parametrize(
    ("given", "others"), [({}, OUE(0.5)), ({"sex": OUE(0.5)}, OUE(0.5)), ({"survived": "OUE"}, OUE(0.5))]
)
def test_a_channel_for_one_attribute_is_that_of_an_analysis(given: dict[str, Any], others: OUE) -> None:
    whole = {"class": CLASS} | dict.fromkeys(("sex", "age", "survived"), others)
    asked = {"class": CLASS} | (given or whole)
    explorer = LocalExplorer(titanic(), asked, None if given.get("sex") or not given else 0.5)
    analysis = LocalAnalysis(titanic(), whole)
    assert explorer.mechanism == whole
    assert np.array_equal(explorer.results.matrix, analysis.matrix)
    assert explorer.results.joint("class").exact.value == analysis.joint("class").exact.value
    assert explorer.epsilon == CLASS.epsilon
    again = LocalExplorer(titanic())
    again.mechanism = explorer.mechanism
    assert again.mechanism == whole
    again.mechanism = "GRR"
    again.mechanism = "channel"
    assert again.mechanism == whole


def test_the_budget_that_stood_before_comes_back_after_a_channel() -> None:
    explorer = LocalExplorer(titanic(), {"class": CLASS}, 3.0)
    explorer.mechanism = "OUE"
    assert explorer.epsilon == 3.0
    explorer = LocalExplorer(titanic(), "GRR", 2.0)
    explorer.mechanism = {"class": CLASS}
    assert explorer.mechanism["sex"] == GRR(2.0)
    explorer.mechanism = {"sex": BIT}
    assert explorer.mechanism["class"] == GRR(2.0)
    assert LocalExplorer(titanic(), {"sex": BIT}).mechanism["class"] == GRR(1.0)
    explorer.mechanism = SS(1.0, omega=1)
    explorer.mechanism = {"sex": BIT}
    assert explorer.mechanism["class"] == GRR(1.0)
    explorer = LocalExplorer(titanic().marginal(["sex", "age"]), "GRR", 2.0)
    explorer.mechanism = BIT
    explorer.mechanism = "GRR"
    assert explorer.epsilon == 2.0


def test_a_channel_for_all_attributes_needs_a_row_for_each_label() -> None:
    explorer = LocalExplorer(titanic(), BIT, attributes=["sex", "age", "survived"])
    assert explorer.mechanism == BIT
    assert np.array_equal(
        explorer.results.matrix, LocalAnalysis(titanic().marginal(["sex", "age", "survived"]), BIT).matrix
    )
    assert explorer.output == "raw"
    with pytest.raises(PdpError, match="The channel has 2 rows and class has 4 labels; give one row for"):
        explorer.attributes = ["class", "sex"]
    assert explorer.attributes == ("sex", "age", "survived")


@pytest.mark.parametrize(
    ("mechanism", "message"),
    [
        (BIT, "The channel has 2 rows and class has 4 labels"),
        ({"sex": CLASS}, "The channel has 4 rows and sex has 2 labels"),
        ({"nobody": BIT}, "Attribute 'nobody' does not exist"),
        ({"sex": "OUE"}, "give one attribute its Channel"),
        ({"sex": BIT, "age": BIT}, "give one attribute its Channel"),
        ({"sex": BIT, "age": OUE(1.0), "class": OUE(2.0)}, "give one attribute its Channel"),
        ({"sex": BIT, "age": SS(1.0, omega=2)}, "give one attribute its Channel"),
        ("channel", "There is no channel yet; give its matrix"),
        (Channel(np.full((4, 3000), 1 / 3000)), "The channel has 12,000 numbers; an explorer takes at most"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(mechanism: Any, message: str) -> None:
    explorer = LocalExplorer(titanic(), "OUE", 0.5)
    view = dict(explorer._view)
    with pytest.raises(PdpError, match=message):
        explorer.mechanism = mechanism
    assert explorer.mechanism == OUE(0.5)
    assert explorer._view["results"] == view["results"]
    with pytest.raises(PdpError, match=message):
        LocalExplorer(titanic(), mechanism)


def test_its_budget_follows_and_no_other_can_be_set() -> None:
    explorer = LocalExplorer(titanic(), {"class": CLASS}, budget=2.0)
    with pytest.raises(PdpError, match="A given channel has no budget to set"):
        explorer.epsilon = 1.0
    assert "no budget to set" in explorer._view["results"]["calibration"]["why"]
    with pytest.raises(PdpError, match="guess"):
        explorer.output = "inferred"
    assert explorer._view["results"]["reports"] is None


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (_asked([[0.4, 0.4]] * 4, 0), "row 0 sums to 0.8; every row must sum to 1"),
        (_asked([[0.5, 0.5]] * 3 + [[1.5, -0.5]], 0), "has -0.5 in row 3, column 1"),
        (_asked([[0.5, 0.5]] * 3, 0), "The channel has 3 rows and class has 4 labels"),
        (_asked([[0.5, 0.5]] * 4, None), "The channel has 4 rows and sex has 2 labels"),
        (_asked([[0.5, 0.5]] * 4, 0, epsilon=-1), "epsilon is -1"),
        (_asked([], 0), "at least one row and one column"),
    ],
)
def test_what_a_hand_sets_wrong_is_said_and_the_next_good_one_clears_it(
    request_: dict[str, Any], message: str
) -> None:
    explorer = LocalExplorer(titanic(), {"class": CLASS})
    before = explorer.results.matrix
    _receive(explorer, request_)
    assert message in explorer._view["fault"]["text"]
    assert not explorer.current
    assert np.array_equal(explorer.results.matrix, before)
    _receive(explorer, _asked([[0.5, 0.5]] * 4, 0, "OUE", "Infinity"), 2)
    assert explorer._view["fault"] is None
    assert explorer.mechanism["sex"] == OUE(math.inf)
    assert (explorer.results.matrix[0] == 0).all()


@pytest.mark.parametrize(
    "own",
    [
        None,
        3,
        {"matrix": 3},
        {"matrix": [3]},
        {"matrix": [[1.0]], "attribute": "class", "others": "GRR"},
        {"matrix": [[1.0]], "attribute": 0, "others": "RAPPOR"},
        {"matrix": [[1.0]], "attribute": 0, "others": "channel"},
        {"matrix": [[0.5] * 101] * 100, "attribute": 0, "others": "GRR"},
    ],
)
def test_strange_parameters_change_nothing(own: Any) -> None:
    explorer = LocalExplorer(titanic(), "OUE")
    _receive(explorer, {"mechanism": "channel", "parameters": {"channel": own}})
    assert explorer.mechanism == OUE(1.0)
    assert explorer._view["mechanism"] == "OUE"


def test_it_goes_along_with_its_attribute_to_another_table() -> None:
    explorer = LocalExplorer(titanic(), {"survived": BIT})
    explorer.value = titanic().marginal(["survived", "sex"])
    assert explorer.mechanism["survived"] == BIT
    explorer.value = titanic().marginal(["sex", "age"])
    assert explorer.mechanism.epsilon == 1.0
    _receive(explorer, _asked([[0.5, 0.5]] * 2, None))
    _receive(explorer, {"example": "xor"}, 2)
    assert explorer._view["fault"] is None
    explorer.value = titanic().marginal(["sex", "age"])
    with pytest.raises(PdpError, match="The channel has 2 rows and class has 4 labels"):
        explorer.value = titanic()


@pytest.mark.parametrize(
    "mechanism", [{"sex": BIT}, {"class": CLASS, "sex": OUE(1.0)}, RAPPOR(0.5, 0.5, 0.75)]
)
def test_a_goal_is_refused_where_no_budget_can_reach_it(mechanism: Any) -> None:
    explorer = LocalExplorer(titanic(), mechanism)
    with pytest.raises(PdpError, match=r"The budget is 1, a goal .* Choose one mechanism with a budget"):
        explorer.budget = 1.0
    assert explorer.budget is None
    explorer.mechanism = "GRR"
    explorer.budget = 1.0
    assert explorer.budget == 1.0


def test_rows_with_names_are_those_of_the_labels() -> None:
    frame = pd.DataFrame([[0.9, 0.1], [0.2, 0.8]], index=["female", "male"])
    shown = [titanic().domains[1].index(sex) for sex in frame.index]
    plain = Channel(frame.to_numpy()[np.argsort(shown)])
    expected = LocalExplorer(titanic(), {"sex": plain})
    for rows in (frame, frame[::-1]):
        explorer = LocalExplorer(titanic(), {"sex": Channel(rows)})
        assert explorer.mechanism == expected.mechanism
        explorer = LocalExplorer(titanic())
        explorer.mechanism = {"sex": Channel(rows)}
        assert explorer.results.pair("sex", "survived") == expected.results.pair("sex", "survived")
        explorer = LocalExplorer(titanic(), attributes=["sex"])
        explorer.mechanism = Channel(rows)
        assert explorer.mechanism == plain
    with pytest.raises(
        PdpError, match=r"named \['female', 'man'\] and the labels of sex are .*by the labels"
    ):
        LocalExplorer(titanic(), {"sex": Channel(frame.set_axis(["female", "man"]))})
    turned = AttributeTable.from_dataframe({"a": ["x", "y"], "b": ["y", "x"]})
    with pytest.raises(PdpError, match="labels in several orders"):
        LocalExplorer(turned, Channel(frame.set_axis(["x", "y"])))
