"""The local explorer without a screen: inputs, requests, late numbers, limits, figures."""

from __future__ import annotations

import gc
import json
import math
import time
import weakref
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from traitlets import link

from pdp_widgets import (
    GRR,
    OUE,
    RAPPOR,
    SS,
    AttributeTable,
    BudgetError,
    DomainError,
    JointDistribution,
    LimitError,
    LocalAnalysis,
    PdpError,
    TableError,
    anes96,
    titanic,
)
from pdp_widgets.local import AnyMechanism
from pdp_widgets.models.joint_examples import parity
from pdp_widgets.widgets import local_late, local_state
from pdp_widgets.widgets.local_explorer import LocalExplorer

from .conftest import Ask


@pytest.fixture
def explorer() -> LocalExplorer:
    return LocalExplorer(titanic(), "GRR", 1.0, source="class", secret="survived", noun="person")


def floats(sent: bytes) -> Any:
    return np.frombuffer(sent, dtype="<f8")


def forty(records: int = 300) -> AttributeTable:
    return AttributeTable(np.random.default_rng(4).integers(0, 2, (records, 40)))


# What there is at first


def test_the_sketch_in_numbers(explorer: LocalExplorer) -> None:
    results = explorer._view["results"]
    assert floats(results["matrix"]).reshape(4, 4)[0].round(3).tolist() == [0.0, 0.538, 0.546, 0.268]
    assert floats(results["totals"]["exact"]).round(3).tolist() == [2.022, 2.079, 1.968, 1.834]
    assert floats(results["totals"]["sum"]).round(3).tolist() == [2.086, 2.132, 1.994, 1.808]
    assert round(floats(results["totals"]["bound"])[3], 3) == 2.882
    assert floats(results["kept"]).round(3).tolist() == [0.475, 0.731, 0.731, 0.731]
    pair = results["pair"]
    assert (pair["source"], pair["secret"], pair["supports"]) == (0, 3, [711, 1490])
    assert [round(chance, 3) for chance in pair["worst"]["probability"]] == [0.261, 0.199]
    assert (round(pair["limit"], 3), round(pair["mirror_limit"], 3)) == (1.249, 0.958)
    assert explorer._view["epsilon"] == 1.0
    assert explorer.error is None


def test_without_a_pair_the_one_that_leaks_most() -> None:
    explorer = LocalExplorer(titanic())
    assert (explorer.source, explorer.secret) == ("class", "age")
    assert explorer.results.largest.value == explorer.results.matrix[0, 2]


def test_results_are_those_of_the_analysis(explorer: LocalExplorer) -> None:
    explorer.mechanism = "oue"
    assert explorer.mechanism == OUE(1.0)
    explorer.mechanism = "SS"
    explorer.epsilon = 0.3
    expected = LocalAnalysis(titanic(), "SS", 0.3)
    np.testing.assert_array_equal(explorer.results.matrix, expected.matrix)
    np.testing.assert_array_equal(floats(explorer._view["results"]["matrix"]), expected.matrix.ravel())


@pytest.mark.parametrize("name", ["GRR", "EXP", "OUE", "SUE", "BLH", "OLH", "SHE", "SS", "generic"])
def test_every_mechanism_at_every_budget(name: str) -> None:
    explorer = LocalExplorer(titanic(), name, 0.0)
    for epsilon in (0.0, 1e-9, 710.0, math.inf):
        explorer.epsilon = epsilon
        assert not np.isnan(explorer.results.matrix).any()
        view = {k: v for k, v in explorer._view.items() if k not in ("results", "attributes")}
        json.dumps(view, allow_nan=False)
        assert (floats(explorer._view["results"]["own"]) >= 0).all()
    # Pictures of the other budgets are looked at in test_extreme_budgets.py.
    explorer.snapshot()


def test_a_frame_becomes_records() -> None:
    frame = {"smokes": ["yes", "no", "yes", None], "ill": ["no", "no", "yes", "yes"]}
    explorer = LocalExplorer(frame)
    assert isinstance(explorer.value, AttributeTable)
    assert explorer._view["records"] == 4
    assert explorer._view["missing"] == {"rule": "left out pair by pair", "count": 1}


def test_pandas_and_polars() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [0, 1, 1, 0], "b": [1, 1, 0, 0]})
    assert LocalExplorer(frame).attributes == ("a", "b")


def test_one_attribute_has_no_pair() -> None:
    explorer = LocalExplorer(titanic(), attributes=["age"])
    view = explorer._view
    assert (view["source"], view["secret"], view["results"]["pair"]) == (None, None, None)
    assert floats(view["results"]["totals"]["exact"]).tolist() == [1.0]
    assert explorer.source is None
    with pytest.raises(DomainError, match="pair needs two"):
        explorer.source = "age"
    explorer.attributes = None
    assert (explorer.source, explorer.secret) == ("class", "age")


# Steps from Python


def test_steps_from_python(explorer: LocalExplorer) -> None:
    explorer.epsilon = 2.0
    assert explorer._view["epsilon"] == 2.0
    explorer.mechanism = OUE(0.5)
    assert (explorer.mechanism, explorer.epsilon) == (OUE(0.5), 0.5)
    explorer.output = "inferred"
    assert explorer.results.output == "inferred"
    explorer.mechanism = "generic"
    assert (explorer.mechanism, explorer.output) == (AnyMechanism(0.5), "raw")
    explorer.source, explorer.secret = "sex", "age"
    assert (explorer.source, explorer.secret) == ("sex", "age")
    explorer.min_count = 300
    assert explorer.results.min_count == 300
    assert explorer.results.matrix[1, 2] == 0


def test_choosing_the_other_end_turns_the_pair_around(explorer: LocalExplorer) -> None:
    explorer.source = "survived"
    assert (explorer.source, explorer.secret) == ("survived", "class")
    explorer.secret = "survived"
    assert (explorer.source, explorer.secret) == ("class", "survived")


def test_attributes_go_and_the_pair_follows(explorer: LocalExplorer) -> None:
    explorer.attributes = ["survived", "class", 1]
    assert explorer.attributes == ("class", "sex", "survived")
    assert (explorer.source, explorer.secret) == ("class", "survived")
    explorer.attributes = ["sex", "age", "survived"]
    assert {explorer.source, explorer.secret} <= {"sex", "age", "survived"}
    assert explorer.results.names == ("sex", "age", "survived")


def test_another_table_keeps_a_pair_of_the_same_names(explorer: LocalExplorer) -> None:
    explorer.value = titanic().marginal(["survived", "age", "class"])
    assert (explorer.source, explorer.secret) == ("class", "survived")
    explorer.value = parity()
    assert explorer.source in parity().names
    assert explorer.attributes == parity().names


@pytest.mark.parametrize(
    ("name", "value", "error", "words"),
    [
        ("epsilon", -1, BudgetError, "epsilon is -1; it must be a number of nats"),
        ("epsilon", "1", BudgetError, "epsilon is '1'"),
        ("epsilon", math.nan, BudgetError, "epsilon is nan"),
        ("mechanism", "RR", BudgetError, "The mechanism is 'RR'; give one of GRR, EXP"),
        ("output", "both", BudgetError, "it is 'raw'"),
        ("source", "cabin", DomainError, "Attribute 'cabin' does not exist; there are class, sex"),
        ("secret", 4, DomainError, "Attribute 4 does not exist"),
        ("attributes", [], DomainError, "No attribute is chosen"),
        ("attributes", ["cabin"], DomainError, "Attribute 'cabin' does not exist"),
        ("attributes", {"age"}, DomainError, "a set has no order"),
        ("min_count", -1, TableError, "min_count is -1"),
        ("budget", -2, BudgetError, "budget is -2"),
        ("value", 3, TypeError, "give an AttributeTable, a JointDistribution or a data frame"),
    ],
)
def test_wrong_input_from_python_changes_nothing(
    explorer: LocalExplorer, name: str, value: Any, error: type[Exception], words: str
) -> None:
    before = explorer._values()
    matrix = explorer.results.matrix
    with pytest.raises(error, match=words.replace("(", r"\(")):
        setattr(explorer, name, value)
    assert explorer._values() == before
    assert explorer.results.matrix is matrix
    assert explorer.error is None


def test_unknown_keywords() -> None:
    with pytest.raises(TypeError, match=r"no keyword 'eps'.*mean 'epsilon'"):
        LocalExplorer(titanic(), eps=1.0)
    with pytest.raises(TypeError, match="no keyword 'scale'; accepted are value, mechanism, epsilon"):
        LocalExplorer(titanic(), scale=1.0)
    with pytest.raises(BudgetError, match="follows from f, p and q"):
        LocalExplorer(titanic(), RAPPOR(0.5, 0.5, 0.75)).epsilon = 2.0
    with pytest.raises(DomainError, match="min_count needs records"):
        LocalExplorer(parity(), min_count=3)
    with pytest.raises(BudgetError, match="omega is 3 and there are k = 2 symbols"):
        LocalExplorer(titanic(), SS(1.0, omega=3))


def test_what_is_too_large_is_refused_with_advice() -> None:
    wide = AttributeTable(np.zeros((2, 41), dtype=int))
    with pytest.raises(LimitError, match=r"has 41 attributes; an explorer shows at most 40. Take"):
        LocalExplorer(wide)
    deep = AttributeTable([[0, 0], [899, 1]], sizes=[900, 101])
    with pytest.raises(LimitError, match=r"have 1,001 labels together.*x1 has 900: put numbers into bins"):
        LocalExplorer(deep)


# Requests of a browser


def test_a_hand_moves_the_budget(explorer: LocalExplorer, ask: Ask) -> None:
    ask(explorer, epsilon=2.5)
    assert explorer.epsilon == 2.5
    assert explorer.results.matrix.max() == LocalAnalysis(titanic(), "GRR", 2.5).matrix.max()
    ask(explorer, epsilon="Infinity")
    assert math.isinf(explorer.epsilon)
    assert explorer._view["epsilon"] == "Infinity"
    assert explorer._view["results"]["epsilon"] == "Infinity"


def test_a_wrong_budget_keeps_the_last_results(explorer: LocalExplorer, ask: Ask) -> None:
    ask(explorer, epsilon=-1)
    assert explorer.error is not None
    assert explorer.error.startswith("epsilon is -1")
    assert explorer._view["epsilon"] == -1
    assert (explorer.epsilon, explorer._view["results"]["epsilon"]) == (1.0, 1.0)
    assert not explorer._view["current"]
    # Another control goes on with the last budget that made sense.
    ask(explorer, mechanism="OUE")
    assert explorer.results.mechanisms[0] == OUE(1.0)
    ask(explorer, epsilon=0.5)
    assert explorer.error is None
    assert explorer.results.mechanisms[0] == OUE(0.5)


def test_a_hand_chooses_attributes_and_pair(explorer: LocalExplorer, ask: Ask) -> None:
    ask(explorer, attributes=[3, 1, 0], source=1, secret=3)
    assert explorer.attributes == ("class", "sex", "survived")
    assert (explorer.source, explorer.secret) == ("sex", "survived")
    assert explorer._view["results"]["names"] == [0, 1, 3]
    assert [a["chosen"] for a in explorer._view["attributes"]] == [True, True, False, True]
    # Nobody is both, and an attribute that is switched off is not chosen.
    ask(explorer, source=3, secret=3)
    assert (explorer.source, explorer.secret) == ("sex", "survived")
    ask(explorer, source=2)
    assert explorer.source == "sex"
    ask(explorer, attributes=[])
    assert explorer.error == "No attribute is chosen; choose one or more."
    assert explorer.results.names == ("class", "sex", "survived")


def test_a_hand_sets_parameters(explorer: LocalExplorer, ask: Ask) -> None:
    ask(explorer, mechanism="SS")
    assert explorer._view["parameters"] == {"omega": None}
    ask(explorer, mechanism="SS", parameters={"omega": 2})
    assert explorer.error is None
    # A set of both symbols of an attribute of two says nothing.
    assert explorer.results.dpl[1] == 0
    ask(explorer, mechanism="OLH", parameters={"g": 5})
    assert explorer.results.mechanisms[0].g == 5
    assert explorer._view["results"]["parameters"] == {"g": 5}
    ask(explorer, parameters={"g": None})
    assert explorer.results.mechanisms[0].g is None
    ask(explorer, parameters={"g": 1.5})
    assert explorer.error is not None
    assert explorer.error.startswith("g is 1.5")
    ask(explorer, mechanism="RAPPOR", parameters={"f": 0.25, "p": 0.5, "q": 0.75})
    assert explorer.results.mechanisms[0] == RAPPOR(0.25, 0.5, 0.75)
    assert explorer._view["epsilon"] == RAPPOR(0.25, 0.5, 0.75).epsilon
    ask(explorer, parameters={"q": 0.1})
    assert "below p" in (explorer.error or "")


def test_a_size_beyond_the_alphabet_is_named_and_the_last_results_stay(
    explorer: LocalExplorer, ask: Ask
) -> None:
    ask(explorer, mechanism="SS", parameters={"omega": 3})
    assert explorer.error == "omega is 3 and there are k = 2 symbols; it must be 1 to 2."
    assert explorer.results.mechanisms[0] == GRR(1.0)
    ask(explorer, parameters={"omega": 1})
    assert explorer.error is None
    assert explorer.results.mechanisms[0] == SS(1.0, omega=1)


def test_any_mechanism_has_no_guess(explorer: LocalExplorer, ask: Ask) -> None:
    ask(explorer, output="inferred")
    assert explorer.output == "inferred"
    ask(explorer, mechanism="generic", output="inferred")
    assert (explorer.mechanism, explorer.output) == (AnyMechanism(1.0), "raw")
    assert explorer.error is None


def test_the_counterexample_and_back(explorer: LocalExplorer, ask: Ask) -> None:
    ask(explorer, attributes=[0, 2, 3], min_count=5, source=0, secret=3)
    mine, since = explorer.value, explorer._view["since"]
    ask(explorer, example="xor")
    view = explorer._view
    assert view["example"] == "xor"
    assert view["since"] > since
    assert floats(view["results"]["matrix"]).tolist() == [0.0] * 9
    assert floats(view["results"]["totals"]["exact"]).round(6).tolist() == [1.433781] * 3
    assert floats(view["results"]["totals"]["sum"]).tolist() == [1.0] * 3
    # A click meant for the own table would name other attributes here.
    ask(explorer, base=since, source=0, secret=1)
    assert (explorer.source, explorer.secret) == ("bit 1", "parity")
    ask(explorer, example="")
    assert explorer.value is mine
    assert explorer.attributes == ("class", "age", "survived")
    assert (explorer.min_count, explorer.source, explorer.secret) == (5, "class", "survived")


def test_a_value_from_python_ends_the_counterexample(explorer: LocalExplorer, ask: Ask) -> None:
    ask(explorer, example="xor")
    explorer.value = titanic()
    assert explorer._view["example"] == ""
    ask(explorer, example="")
    assert explorer.value == titanic()


@pytest.mark.parametrize(
    "wish",
    [
        {"attributes": "all"},
        {"attributes": [True]},
        {"mechanism": "nothing"},
        {"mechanism": 3},
        {"output": None},
        {"example": "and"},
        {"parameters": [1]},
    ],
)
def test_a_request_that_makes_no_sense_changes_nothing(
    explorer: LocalExplorer, ask: Ask, wish: dict[str, Any]
) -> None:
    before = explorer._values()
    ask(explorer, **wish)
    assert explorer.error is not None
    assert "reload the page" in explorer.error
    assert explorer._values() == before


def test_a_disabled_explorer_takes_no_requests(explorer: LocalExplorer, ask: Ask) -> None:
    explorer.disabled = True
    ask(explorer, epsilon=3)
    assert explorer.epsilon == 1.0


# What takes longer


def test_all_reports_are_computed_beside(monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    explorer = LocalExplorer(anes96(), source="party", secret="vote")
    exact = floats(explorer._view["results"]["totals"]["exact"])
    assert exact.round(3)[6] == 2.843
    ask(explorer, epsilon=0.5)
    assert explorer.busy
    view = explorer._view
    # The pairs are there at once, and no old total is shown as new.
    assert view["results"]["epsilon"] == 0.5
    assert view["results"]["totals"] is None
    assert view["running"] is not None
    end = time.monotonic() + 60
    while explorer.busy and time.monotonic() < end:
        time.sleep(0.02)
    assert not explorer.busy
    totals = explorer._view["results"]["totals"]
    expected = LocalAnalysis(anes96(), "GRR", 0.5).joint("vote")
    assert expected.exact is not None
    assert floats(totals["exact"])[6] == pytest.approx(expected.exact.value, abs=1e-12)
    assert explorer.current


def test_cancel_and_resume(ask: Ask) -> None:
    explorer = LocalExplorer(anes96())
    ask(explorer, epsilon=0.7)
    assert explorer.busy
    explorer.cancel()
    assert not explorer.busy
    assert explorer._view["stopped"] == "Cancelled."
    assert explorer._view["results"]["totals"] is None
    assert not explorer.current
    explorer._handle_custom_msg({"resume": True}, [])
    assert explorer.busy
    explorer.close()


def test_going_back_needs_no_new_computation(ask: Ask) -> None:
    explorer = LocalExplorer(anes96())
    late = explorer._core.late
    assert late is not None
    # Another secret has another curve of all reports; the reports about all attributes are the same.
    ask(explorer, source=0, secret=1)
    wait(explorer)
    assert explorer._core.late.totals is late.totals
    ask(explorer, epsilon=0.7)
    ask(explorer, epsilon=1.0)
    assert not explorer.busy
    assert explorer._core.late is not None
    assert explorer._core.late.totals is late.totals


def test_exact_values_that_take_too_long_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = LocalExplorer(anes96(), "OUE")
    totals = explorer._view["results"]["totals"]
    assert totals["exact"] is None
    assert totals["why"].startswith("Not computed: the reports have too many combinations")
    monkeypatch.setattr(local_late, "LONGEST", 1e-6)
    totals = LocalExplorer(anes96(), "GRR")._view["results"]["totals"]
    assert totals["exact"] is None
    assert "explorer.results.joint('TV news')" in totals["why"]
    assert (floats(totals["bound"]) <= 7).all()


def test_a_goal_is_calibrated(explorer: LocalExplorer, ask: Ask) -> None:
    ask(explorer, budget=1.0)
    end = time.monotonic() + 60
    while explorer.busy and time.monotonic() < end:
        time.sleep(0.02)
    found = explorer._view["results"]["calibration"]
    methods = {one["key"]: one for one in found["methods"]}
    assert methods["spl"]["epsilon"] == 0.25
    assert methods["joint"]["epsilon"] == pytest.approx(explorer.results.calibrate(1.0).epsilon)
    assert methods["joint"]["leak"] == pytest.approx(1.0)
    assert methods["spl"]["leak"] < 1.0
    assert methods["spl"]["error"] > methods["joint"]["error"]
    assert not methods["pairwise"]["safe"]
    ask(explorer, budget=None)
    assert explorer._view["results"]["calibration"] is None
    ask(explorer, budget="NaN")
    assert "budget is nan" in (explorer.error or "")


def test_a_pairwise_budget_can_leak_more_than_the_goal() -> None:
    explorer = LocalExplorer(parity(), budget=1.0)
    methods = {one["key"]: one for one in explorer._view["results"]["calibration"]["methods"]}
    assert methods["pairwise"]["epsilon"] == 1.0
    assert methods["pairwise"]["leak"] == pytest.approx(1.433781, abs=1e-6)
    assert methods["joint"]["epsilon"] == pytest.approx(0.744940, abs=1e-6)


@pytest.mark.parametrize(
    ("mechanism", "words"), [(SS(1.0), "does not grow evenly"), (RAPPOR(0.5, 0.5, 0.75), "no budget")]
)
def test_what_cannot_be_calibrated_says_why(mechanism: Any, words: str) -> None:
    found = LocalExplorer(titanic(), mechanism, budget=1.0)._view["results"]["calibration"]
    assert words in found["why"]
    assert [one["key"] for one in found["methods"]] in ([], ["spl"])


def test_mechanisms_are_compared_both_ways(explorer: LocalExplorer) -> None:
    compared = {one["key"]: one for one in explorer._view["results"]["compared"]}
    assert compared["OUE"]["raw"] == 1.0
    # Raw reports of OUE leak more than those of GRR, its guesses leak less.
    assert compared["OUE"]["raw"] > compared["GRR"]["raw"]
    assert compared["OUE"]["inferred"] < compared["GRR"]["inferred"]


# Sizes


@pytest.mark.parametrize("name", ["GRR", "OUE", "SS"])
def test_the_state_stays_small(name: str, comms: list[Any]) -> None:
    explorer = LocalExplorer(forty(), name)
    assert len(explorer._view["attributes"]) == 40
    largest = max(message["size"] for opened in comms for message in opened.messages)
    assert largest < 200_000


def wait(explorer: LocalExplorer) -> None:
    end = time.monotonic() + 120
    while explorer.busy and time.monotonic() < end:
        time.sleep(0.02)
    assert not explorer.busy


def two_of_many(labels: int) -> AttributeTable:
    codes = np.random.default_rng(6).integers(0, labels, (4000, 2))
    return AttributeTable(codes, sizes=[labels, labels])


@pytest.mark.parametrize("mechanism", ["GRR", "OUE", "SS", "generic"])
@pytest.mark.parametrize(("at_once", "longest", "budgets"), [(9e9, 9e9, 41), (0.0, 9e9, 41), (0.0, 0.0, 9)])
def test_a_pair_of_many_labels_has_a_curve(
    monkeypatch: pytest.MonkeyPatch, mechanism: str, at_once: float, longest: float, budgets: int
) -> None:
    monkeypatch.setattr(local_late, "_AT_ONCE", at_once)
    monkeypatch.setattr(local_late, "_LONGEST", longest)
    monkeypatch.setattr(local_state, "PATIENCE", 0.0)
    explorer = LocalExplorer(two_of_many(101), mechanism)
    wait(explorer)
    pair = explorer._view["results"]["pair"]
    assert pair["table"] is None
    # What favours single symbols takes next to nothing.
    quick = mechanism == "GRR"
    assert pair["curve"]["coarse"] == (budgets == 9 and not quick)
    levels, values = floats(pair["curve"]["epsilon"]), floats(pair["curve"]["pair"])
    assert len(levels) == (41 if quick else budgets)
    place = int(np.flatnonzero(levels == 1.0)[0])
    assert values[place] == pytest.approx(pair["leakage"], rel=1e-12)
    assert floats(pair["curve"]["mirror"])[place] == pytest.approx(pair["mirror"], rel=1e-12)
    picture = explorer.snapshot()
    assert ("9 budgets" in picture.html) == pair["curve"]["coarse"]
    assert "too many labels" not in picture.html
    assert "Leakage against ε" in picture.html
    assert explorer.current


def test_a_curve_that_takes_long_is_computed_beside_and_sorted_once(
    monkeypatch: pytest.MonkeyPatch, ask: Ask
) -> None:
    monkeypatch.setattr(local_late, "_AT_ONCE", 0.0)
    monkeypatch.setattr(local_state, "PATIENCE", 0.0)
    explorer = LocalExplorer(two_of_many(120), "OUE")
    # The pairs are there at once.
    assert explorer.results.matrix.max() > 0
    assert explorer.busy
    assert explorer._view["results"]["pair"]["curve"] is None
    wait(explorer)
    first = floats(explorer._view["results"]["pair"]["curve"]["pair"])

    def never(*_: Any) -> None:
        raise AssertionError("sorted again")

    # Those of the pair's curve alone: all reports together sort what is theirs.
    monkeypatch.setattr(local_late, "Fronts", SimpleNamespace(all_subsets=never))
    for wish in ({"epsilon": 2.0}, {"mechanism": "SUE"}, {"mechanism": "generic"}):
        ask(explorer, **wish)
        wait(explorer)
        assert explorer._view["stopped"] is None
        assert floats(explorer._view["results"]["pair"]["curve"]["pair"]) == pytest.approx(first, abs=1e-15)


def test_a_curve_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_late, "_AT_ONCE", 0.0)
    monkeypatch.setattr(local_state, "PATIENCE", 0.0)
    explorer = LocalExplorer(two_of_many(300), "OUE")
    assert explorer.busy
    explorer.cancel()
    assert not explorer.busy
    assert explorer._view["stopped"] == "Cancelled."
    assert explorer._view["results"]["pair"]["curve"] is None
    explorer.close()


def test_sets_of_one_size_among_many_equal_numbers_take_a_moment() -> None:
    begin = time.process_time()
    analysis = LocalAnalysis(two_of_many(400), "SS", 1.0)
    assert analysis.matrix.max() <= 1.0
    assert time.process_time() - begin < 15


# What takes long from Python


def test_a_goal_set_in_python_does_not_hold_the_kernel_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_state, "PATIENCE", 0.0)
    explorer = LocalExplorer(titanic(), "GRR")
    wait(explorer)
    explorer.budget = 1.0
    assert explorer.budget == 1.0
    assert explorer.busy
    assert not explorer.current
    wait(explorer)
    assert explorer.current
    found = {one["key"]: one for one in explorer._view["results"]["calibration"]["methods"]}
    assert found["joint"]["epsilon"] == pytest.approx(explorer.results.calibrate(1.0).epsilon)
    # The next edit takes the place of what runs.
    explorer.budget = 0.5
    explorer.budget = 0.25
    wait(explorer)
    assert explorer._view["results"]["calibration"]["goal"] == 0.25


def test_twenty_attributes_of_twenty_labels_have_a_goal_within_seconds() -> None:
    rng = np.random.default_rng(0)
    base = rng.random((10_000, 1))
    codes = (20 * (0.5 * rng.random((10_000, 20)) + 0.5 * base)).astype(int)
    begin = time.process_time()
    explorer = LocalExplorer(AttributeTable(codes, sizes=[20] * 20), "OUE", budget=1.0)
    wait(explorer)
    assert time.process_time() - begin < 15
    assert [one["key"] for one in explorer._view["results"]["calibration"]["methods"]] == [
        "spl",
        "pairwise",
        "joint",
    ]


def test_many_records_are_there_at_once() -> None:
    rng = np.random.default_rng(0)
    codes = (rng.random((200_000, 40)) < 0.3 + 0.4 * rng.random((200_000, 1))).astype(np.int8)
    table = AttributeTable(codes)
    begin = time.process_time()
    explorer = LocalExplorer(table)
    assert time.process_time() - begin < 2
    # All reports together come later.
    assert explorer.busy
    assert explorer._view["results"]["totals"] is None
    wait(explorer)
    assert (floats(explorer._view["results"]["totals"]["bound"]) <= 40).all()


def test_the_facts_of_a_pair_are_computed_once(explorer: LocalExplorer, ask: Ask) -> None:
    before = explorer._core.solved.pairs[0, 3]
    ask(explorer, budget=1.0)
    assert explorer._core.solved.pairs[0, 3] is before
    ask(explorer, source=1)
    assert explorer._view["results"]["pair"]["source"] == 1


def test_hostile_names_are_text() -> None:
    table = AttributeTable(
        [[0, 0], [1, 1], [0, 1]],
        names=["<script>", "x" * 2000],
        domains=[["<b>", "&amp;"], ["y" * 5000, "\u202e"]],
        title="</script>" * 100,
    )
    explorer = LocalExplorer(table)
    view = explorer._view
    assert view["attributes"][0]["name"] == "<script>"
    assert len(view["attributes"][1]["name"]) <= 300
    assert len(view["title"]) <= 300
    shot = explorer.snapshot()
    assert "<script>" not in shot.html


def test_pages_get_what_they_compute_with(explorer: LocalExplorer) -> None:
    embedded = explorer._embedded()
    assert floats(embedded["blocks"]).reshape(10, 10)[:4, 8:].tolist() == [
        [122, 203],
        [167, 118],
        [528, 178],
        [673, 212],
    ]
    assert floats(embedded["joint"]["cells"]).sum() == 2201
    assert LocalExplorer(forty())._embedded() == {
        "blocks": None,
        "joint": None,
        "gaps": None,
        "counted": True,
    }
    missing = AttributeTable([[0, 1], [1, -1], [1, 0]])
    embedded = LocalExplorer(missing)._embedded()
    assert embedded["joint"] is None
    assert embedded["gaps"]["shape"] == [2, 3]
    assert floats(embedded["gaps"]["cells"]).tolist() == [0, 1, 0, 1, 0, 1]


# Figures, and the end


def test_frames_graphs_figures(explorer: LocalExplorer, tmp_path: Path) -> None:
    assert len(explorer.to_dataframe()) == 12
    assert explorer.to_networkx().number_of_edges() == 12
    assert explorer.plot().marks
    explorer.save(tmp_path / "heat.svg")
    explorer.save(tmp_path / "rows.svg", "rows")
    text = (tmp_path / "rows.svg").read_text(encoding="utf-8")
    assert "1st" in text
    assert "0.286" in text
    assert "0.268" in (tmp_path / "heat.svg").read_text(encoding="utf-8")


def test_observers_hear_of_results(explorer: LocalExplorer, ask: Ask) -> None:
    heard: list[float] = []
    explorer.observe(lambda change: heard.append(change["new"]), "epsilon")
    ask(explorer, epsilon=3.0)
    explorer.epsilon = 4.0
    assert heard == [3.0, 4.0]


def test_equal_assignments_notify_once(explorer: LocalExplorer) -> None:
    heard: list[Any] = []
    explorer.observe(heard.append, ["value", "attributes", "epsilon"])
    explorer.epsilon = 2.0
    explorer.epsilon = 2.0
    explorer.value = titanic()
    explorer.attributes = list(explorer.attributes)
    assert [change["name"] for change in heard] == ["epsilon"]


def test_linked_explorers_settle(explorer: LocalExplorer, ask: Ask) -> None:
    other = LocalExplorer(parity(), "OUE")
    link((explorer, "epsilon"), (other, "epsilon"))
    ask(explorer, epsilon=2.0)
    assert (explorer.epsilon, other.epsilon) == (2.0, 2.0)
    revision = explorer._view["revision"]
    other.epsilon = 0.5
    assert explorer.epsilon == 0.5
    assert explorer._view["revision"] - revision <= 2


def test_a_callback_that_raises_is_told_and_the_edit_stays(explorer: LocalExplorer, ask: Ask) -> None:
    def wrong(_change: Any) -> None:
        raise ValueError("not today")

    explorer.observe(wrong, "epsilon")
    ask(explorer, epsilon=2.0)
    assert explorer.epsilon == 2.0
    assert "Your callback on 'epsilon' failed: ValueError: not today" in (explorer.error or "")
    explorer.unobserve_all("epsilon")
    ask(explorer, epsilon=3.0)
    assert explorer.error is None


def test_a_newer_request_takes_the_place_of_an_older_one(explorer: LocalExplorer, ask: Ask) -> None:
    ask(explorer, seq=500, epsilon=2.0)
    ask(explorer, seq=499, epsilon=3.0)
    assert explorer.epsilon == 2.0


@pytest.mark.parametrize("column", [["x"] * 4, [0, 0, None, 0]])
def test_an_attribute_of_one_value_leaks_nothing(column: list[Any]) -> None:
    explorer = LocalExplorer({"same": column, "other": [0, 1, 1, 0]})
    assert explorer.results.matrix.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert explorer.results.dpl.tolist() == [0.0, 1.0]
    assert explorer._view["results"]["pair"]["worst"] is None
    assert "alone leaks 0 about" in explorer.snapshot().text


@pytest.mark.parametrize(
    ("frame", "error", "words"),
    [
        ({"a": [None, None], "b": [0, 1]}, TableError, "Column a has no value"),
        ({"a": list(range(1200)), "b": [0] * 1200}, LimitError, "1,200 different values"),
        ({1.5: [0, 1], "b": [0, 1]}, DomainError, "A column is named 1.5"),
    ],
)
def test_frames_that_make_no_table(frame: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        LocalExplorer(frame)


def test_it_is_collected() -> None:
    explorer = LocalExplorer(titanic())
    gone = weakref.ref(explorer)
    explorer.close()
    del explorer
    gc.collect()
    assert gone() is None


def test_a_state_can_be_taken_back() -> None:
    state = LocalExplorer(titanic())._core
    with pytest.raises(PdpError):
        state.accept({"epsilon": 2.0, "source": "nobody"})
    counted = JointDistribution.from_counts([[3, 1], [2, 4]])
    assert LocalExplorer(counted, source=1, secret=0, min_count=2)._core.pair == (1, 0)


def test_the_docstring_names_all_mechanisms_of_the_menu() -> None:
    text = LocalExplorer.__doc__ or ""
    assert [
        one["key"] for one in LocalExplorer(titanic())._view["mechanisms"] if f'"{one["key"]}"' not in text
    ] == []
