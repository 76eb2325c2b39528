"""The dependence explorer in Python: inputs, requests of a browser, faults, and what stays small."""

import gc
import json
import math
import weakref

import numpy as np
import pytest
from traitlets import link

from pdp_widgets import DependenceAnalysis, JointDistribution, PdpError, SparseJoint
from pdp_widgets.errors import CountColumnWarning, DomainError, FewRecordsWarning, QueryError
from pdp_widgets.leakage.dependent.dependence_results import DependenceInputs
from pdp_widgets.leakage.dependent.tuple_leakage import worst_adversary
from pdp_widgets.mechanisms.joint_query import as_joint_query
from pdp_widgets.models.joint_examples import bit_chain, covered_shift, identical_tuples, simplex_code
from pdp_widgets.widgets.dependence_explorer import DependenceExplorer
from pdp_widgets.widgets.dependence_solved import seconds_for
from pdp_widgets.widgets.dependence_state import PATIENCE


def ask(explorer, **parts):
    view = explorer._view
    seq = 1 + max(explorer._newest.values(), default=0)
    explorer.set_state({"_request": {"origin": "a", "seq": seq, "base": view["revision"], **parts}})
    return explorer._view


def numbers(data):
    return np.frombuffer(data, dtype="<f8")


def test_it_opens_on_the_shift_with_the_tuple_that_leaks_most():
    explorer = DependenceExplorer()
    view = explorer._view
    names = [one["name"] for one in view["model"]["tuples"]]
    assert (names[view["tuple"]], names[view["other"]], view["example"]) == ("Ann", "Ben", "shift")
    assert view["model"]["blocks"] == [0, 0, 0, 1, 1, 2]
    found = DependenceAnalysis(covered_shift(), "sum", 1.0)
    assert numbers(view["results"]["exact"]).tolist() == [float(one) for one in found.per_tuple]
    assert view["results"]["scale"] == found.scale
    chosen = view["results"]["chosen"]
    assert chosen["leakage"] == pytest.approx(1.126754, abs=1e-6)
    assert chosen["worst"] == {"leakage": pytest.approx(1.588858, abs=1e-6), "known": [1], "values": [0]}
    assert explorer.target == "Ann"
    assert explorer.busy is False


def test_every_input_is_a_trait_and_a_wrong_one_changes_nothing():
    explorer = DependenceExplorer(covered_shift(), epsilon=0.5)
    explorer.mechanism = "dpm_mean"
    assert (explorer.mechanism, explorer.coefficient) == ("dpm", "mean")
    explorer.known = ["Ben"]
    assert (explorer.knowing, explorer.known) == ("chosen", ("Ben",))
    explorer.target = "Cy"
    wrong = {
        "epsilon": -1,
        "mechanism": "gauss",
        "coefficient": "best",
        "known": ["Zoe"],
        "knowing": "all",
        "target": "Zoe",
        "other": "Cy",
        "alpha": -1,
        "show_paper": "no",
        "query": "median",
        "value": [[0.5, 0.5]],
    }
    before = {name: getattr(explorer, name) for name in wrong}
    scale = explorer.results.scale
    for name, value in wrong.items():
        with pytest.raises((PdpError, TypeError)):
            setattr(explorer, name, value)
    assert {name: getattr(explorer, name) for name in wrong} == before
    assert (explorer.results.scale, explorer.error) == (scale, None)


def test_rows_edited_in_a_browser_are_computed_and_undone():
    explorer = DependenceExplorer(JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"]))
    before = explorer.results.scale
    view = ask(explorer, probabilities=[0.25, 0.25, 0.25, 0.25])
    assert view["fault"] is None
    assert view["model"]["blocks"] == [0, 1]
    assert before > explorer.results.scale == 1.0
    assert explorer.value.probabilities.tolist() == [0.25] * 4
    view = ask(explorer, probabilities=None)
    assert explorer.results.scale == before
    assert numbers(view["model"]["probabilities"]).tolist() == [0.4, 0.1, 0.1, 0.4]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([0.4, 0.1, 0.1, 0.1], "sum to 0.7"),
        ([0.4, -0.1, 0.3, 0.4], "The probability of Ann 0, Bob 1 is -0.1"),
        (["NaN", 0.1, 0.1, 0.4], "Ann 0, Bob 0"),
    ],
)
def test_wrong_rows_are_said_and_the_results_stay(rows, said):
    explorer = DependenceExplorer(JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"]))
    before = explorer.results.largest
    view = ask(explorer, probabilities=rows)
    assert said in view["fault"]["text"]
    assert said in explorer.error
    assert (view["current"], explorer.current) == (False, False)
    assert explorer.results.largest == before
    # A wrong table stands in the way of nothing else.
    view = ask(explorer, epsilon=2)
    assert (explorer.epsilon, view["results"]["epsilon"]) == (2.0, 2.0)
    explorer.value = identical_tuples(2)
    assert explorer.error is None


@pytest.mark.parametrize(
    "parts",
    [
        {"probabilities": [1.0]},
        {"probabilities": "all"},
        {"example": "shift2"},
        {"example": ["shift"]},
        {"mechanism": "__class__"},
        {"coefficient": 3},
        {"query": "x" * 400},
        {"query": "count:7"},
        {"known": [True]},
        {"known": [0] * 99},
        {"known": "all"},
        {"tuple": "Ann"},
        {"other": 1.5},
        {"paper": 1},
        {"knowing": None},
    ],
)
def test_what_no_browser_sends_is_refused_with_a_sentence(parts):
    explorer = DependenceExplorer()
    before = explorer.results.largest
    view = ask(explorer, **parts)
    assert view["fault"]["text"]
    assert explorer.results.largest == before
    assert ask(explorer, epsilon=1.0)["fault"] is None


@pytest.mark.parametrize(
    "parts", [{"tuple": 77}, {"tuple": -1}, {"other": 99}, {"known": [77]}, {"alpha": "NaN"}]
)
def test_positions_that_do_not_exist_name_nothing(parts):
    explorer = DependenceExplorer()
    before = {name: explorer._view[name] for name in ("tuple", "other", "known", "alpha")}
    view = ask(explorer, **parts)
    assert {name: view[name] for name in before} == before
    assert view["fault"] is None


def test_a_negative_alpha_is_refused_and_the_last_one_stays():
    explorer = DependenceExplorer()
    view = ask(explorer, alpha=-2)
    assert (view["alpha"], explorer.alpha) == (3.0, 3.0)
    assert view["fault"]["text"] == "alpha is -2; it must be a finite number, 0 or more."


def test_an_example_stands_in_and_the_own_table_comes_back_as_it_was():
    explorer = DependenceExplorer(JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"]))
    ask(explorer, probabilities=[0.3, 0.2, 0.2, 0.3])
    view = ask(explorer, example="xor")
    assert view["example"] == "xor"
    assert len(view["model"]["tuples"]) == 3
    assert view["results"]["mechanisms"][0]["holds"] == "no"
    assert "two bits tell the third" in view["model"]["note"]
    view = ask(explorer, example="")
    assert view["example"] == ""
    assert explorer.value.probabilities.tolist() == [0.3, 0.2, 0.2, 0.3]


def test_the_worst_adversary_is_named_with_what_is_known():
    explorer = DependenceExplorer(knowing="worst")
    chosen = explorer._view["results"]["chosen"]
    assert chosen["leakage"] == chosen["worst"]["leakage"]
    assert explorer._view["results"]["chosen"]["known"] != []
    with pytest.raises(PdpError, match="too many sets"):
        DependenceExplorer(identical_tuples(30), knowing="worst")
    assert explorer.results == DependenceAnalysis(covered_shift(), "sum", 1.0, worst=True)
    assert float(explorer.results.largest) == max(numbers(explorer._view["results"]["exact"]))
    assert "that tell most" in explorer.to_latex()


def test_too_many_tuples_are_refused_with_what_to_do():
    with pytest.raises(PdpError, match=r"at most 60\. Take some of them"):
        DependenceExplorer(identical_tuples(61))


@pytest.mark.parametrize(
    "joint",
    [
        identical_tuples(60),
        simplex_code(5),
        SparseJoint([[k] for k in range(1000)], [0.001] * 1000),
        SparseJoint([[k, "é" * 300] for k in range(900)], [1 / 900] * 900, ["x" * 500, "y"]),
    ],
    ids=["60 tuples", "31 tuples", "1000 values", "long labels"],
)
def test_the_state_stays_below_200_kB(joint):
    text = any(isinstance(domain[0], str) for domain in joint.domains)
    explorer = DependenceExplorer(joint, "count:5" if text else "sum")

    def size(value):
        if isinstance(value, bytes):
            return len(value)
        if isinstance(value, dict):
            return sum(len(key) + 4 + size(one) for key, one in value.items())
        if isinstance(value, list):
            return sum(1 + size(one) for one in value)
        return len(json.dumps(value))

    assert size(explorer._view) < 200_000
    assert len(explorer.snapshot().svg.encode()) < 60_000


def test_what_takes_long_is_computed_beside_and_the_newest_question_wins():
    explorer = DependenceExplorer(bit_chain(9))
    before = explorer.results.largest
    view = ask(explorer, knowing="worst")
    assert explorer.busy
    assert view["running"]["number"] == explorer._core.running.number
    assert (view["results"]["epsilon"], view["knowing"], explorer.results.largest) == (1.0, "worst", before)
    first = view["running"]["number"]
    view = ask(explorer, knowing="worst", epsilon=0.5)
    assert view["running"]["number"] > first
    explorer._core.take(first, None)
    assert explorer.results.largest == before
    explorer.wait()
    assert (explorer.busy, explorer.current, explorer.epsilon) == (False, True, 0.5)
    assert explorer._view["results"]["epsilon"] == 0.5


def test_a_computation_is_cancelled_and_asked_for_again():
    explorer = DependenceExplorer(bit_chain(9))
    view = ask(explorer, knowing="worst")
    explorer._handle_custom_msg({"cancel": view["running"]["number"]}, None)
    assert (explorer.busy, explorer.current) == (False, False)
    assert explorer._view["stopped"] == "Cancelled. The results belong to the values as last computed."
    explorer._handle_custom_msg({"resume": True}, None)
    assert explorer.busy
    explorer.cancel()
    ask(explorer, knowing="nobody")
    assert (explorer.current, explorer._view["stopped"]) == (True, None)


def test_a_locked_explorer_takes_nothing_from_a_browser():
    explorer = DependenceExplorer(disabled=True)
    before = explorer.results.largest
    view = ask(explorer, epsilon=0.1, probabilities=None, example="xor")
    assert (view["disabled"], view["epsilon"], view["example"]) == (True, 1.0, "shift")
    assert explorer.results.largest == before
    explorer.epsilon = 0.5
    assert explorer.results.epsilon == 0.5


def test_an_undo_takes_all_of_an_earlier_state_in_one_request():
    explorer = DependenceExplorer(JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"]))
    rows = [0.3, 0.2, 0.2, 0.3]
    ask(explorer, probabilities=rows, epsilon=0.5, knowing="chosen", known=[1], tuple=0)
    ask(explorer, example="chain")
    ask(explorer, example="", probabilities=rows, knowing="chosen", known=[1], tuple=0, other=1)
    assert explorer.value.probabilities.tolist() == rows
    assert (explorer.known, explorer.knowing, explorer.target, explorer.epsilon) == (
        ("Bob",),
        "chosen",
        "Ann",
        0.5,
    )
    assert explorer.error is None


def test_a_table_of_its_own_query_keeps_it_beside_the_menu():
    explorer = DependenceExplorer(identical_tuples(2), [1, -2])
    view = explorer._view
    assert view["query"] == "given"
    assert view["queries"][-1] == {"key": "given", "label": "weighted sum"}
    assert view["subject"] == "the noisy weighted sum"
    ask(explorer, query="sum")
    assert [query["key"] for query in explorer._view["queries"]] == [
        "sum",
        "mean",
        "identity",
        "count:0",
        "count:1",
    ]
    assert explorer.query == "sum"


def test_the_same_numbers_leave_by_every_door(tmp_path):
    explorer = DependenceExplorer()
    frame = explorer.to_dataframe()
    assert frame["leakage"].tolist() == numbers(explorer._view["results"]["exact"]).tolist()
    graph = explorer.to_networkx()
    table = numbers(explorer._view["results"]["coefficients"]["mean"]).reshape(6, 6)
    assert graph.edges["Ann", "Ben"]["mean"] == table[0, 1]
    assert not graph.has_edge("Ann", "Dia")
    assert table[0, 3] == 0
    assert "1.127" in explorer.snapshot().text
    assert "\\begin{tabular}" in explorer.to_latex()
    for part in (None, "graph", "tuples", "curves", "table", "all"):
        assert explorer.save(tmp_path / f"{part}.svg", part).stat().st_size > 1000
    assert len(explorer.plot().marks) > 1


def test_text_of_a_stranger_stays_text():
    joint = SparseJoint(
        [["<img src=x>", "a"], ["b", "a"]], [0.5, 0.5], ["<script>alert(1)</script>", "\u202eb"], "<b>"
    )
    explorer = DependenceExplorer(joint, "count:a", noun="<i>")
    saved = explorer.saved_outputs()["text/html"]
    for element in ("<script", "<img src=x", "<i>"):
        assert element not in saved
    # Its title, in our own bold type.
    assert "<b>Dependence: &lt;b&gt;</b>" in saved
    assert "<img src=x>" in [one for row in explorer._view["model"]["tuples"] for one in row["labels"]]


def test_a_data_frame_becomes_the_distribution_of_its_rows():
    import pandas as pd

    explorer = DependenceExplorer(pd.DataFrame({"Ann": [0, 0, 1, 1], "Bob": [0, 0, 1, 0]}))
    assert explorer.value.probabilities.tolist() == [0.5, 0.25, 0.25]


def test_linked_explorers_settle_and_equal_values_notify_once():
    first, second = DependenceExplorer(identical_tuples(2)), DependenceExplorer(identical_tuples(2))
    seen = []
    first.observe(lambda change: seen.append(change["new"]), "value")
    for name in ("value", "epsilon", "mechanism", "known", "knowing"):
        link((first, name), (second, name))
    first.value = covered_shift()
    first.value = covered_shift()
    assert len(seen) == 1
    assert second.value == covered_shift()
    sent = first._view["revision"], second._view["revision"]
    second.known = ["Ben"]
    assert (first.known, first.knowing) == (("Ben",), "chosen")
    assert first._view["revision"] - sent[0] <= 4
    assert second._view["revision"] - sent[1] <= 4
    with pytest.raises(ValueError, match="read-only"):
        first.value.probabilities[0] = 0.5


def test_a_callback_that_fails_is_told_and_the_next_edit_clears_it():
    explorer = DependenceExplorer(identical_tuples(2))

    def fail(change):
        raise ZeroDivisionError("of the user's")

    explorer.observe(fail, "epsilon")
    view = ask(explorer, epsilon=0.5)
    assert "Your callback on" in view["fault"]["text"]
    assert explorer.epsilon == 0.5
    explorer.unobserve(fail, "epsilon")
    assert ask(explorer, epsilon=0.25)["fault"] is None


def test_a_closed_explorer_is_collected_while_it_computes():
    explorer = DependenceExplorer(bit_chain(9))
    ask(explorer, knowing="worst")
    assert explorer.busy
    gone = weakref.ref(explorer)
    explorer.close()
    del explorer
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("value", ["NaN", "Infinity", 0, -1, "1", None, 1e400, [1]])
def test_a_budget_that_is_none_is_said_and_kept_in_its_control(value):
    explorer = DependenceExplorer(identical_tuples(2))
    view = ask(explorer, epsilon=value)
    assert view["fault"]["where"] == {"kind": "parameter", "name": "epsilon"}
    assert (explorer.epsilon, view["results"]["epsilon"]) == (1.0, 1.0)
    json.dumps(view["epsilon"], allow_nan=False)


def test_labels_keep_their_kind_and_examples_have_notes_of_their_own():
    joint = SparseJoint([[True, "1"], [False, "2"]], [0.5, 0.5])
    explorer = DependenceExplorer(joint, "count:1")
    assert explorer.value.domains == joint.domains
    assert [type(one) for one in explorer.results.joint.domains[0]] == [bool, bool]
    notes = {ask(explorer, example=one["key"])["model"]["note"] for one in explorer._view["examples"]}
    assert len(notes) == len(explorer._view["examples"]) == 7


@pytest.mark.parametrize("query", ["sum", "identity"])
@pytest.mark.parametrize("rare", [1e-12, 1e-13, 1e-200])
def test_what_is_said_to_hold_always_leaks_no_more_than_promised(rare, query):
    rows = [[0, 0], [1, 1], [2, 0], [2, 1]]
    chances = [rare / 2, rare / 2, (1 - rare) / 2, (1 - rare) / 2]
    for joint in (SparseJoint([[0, 0], [1, 1]], [1 - rare, rare]), SparseJoint(rows, chances)):
        explorer = DependenceExplorer(joint, query, mechanism="baseline")
        assert explorer._view["model"]["blocks"] == [0, 0]
        shown = explorer._view["results"]["mechanisms"]
        assert all(row["largest"] <= 1 + 1e-9 for row in shown if row["holds"] == "always")
        assert [row["key"] for row in shown if row["holds"] == "no"] == ["lpm"]
        explorer.close()


def test_few_records_are_warned_of_whatever_they_come_in():
    frame = {"Ann": [0, 1, 0], "Bob": [0, 1, 0]}
    for value in (frame, JointDistribution.from_dataframe(frame)):
        with pytest.warns(FewRecordsWarning, match="3 records in 4 cells: 2 cells are empty"):
            DependenceExplorer(value)
    with pytest.warns(CountColumnWarning, match="weight='n'"):
        DependenceExplorer({"Ann": [0, 1] * 4, "n": [2, 3] * 4})


def test_what_takes_longer_is_foretold_to_take_longer():
    def told(joint, query="sum", knowing="nobody"):
        return seconds_for(DependenceInputs(joint, as_joint_query(query, joint), 1.0, "dpm_exact", knowing))

    # Twelve copies have two rows and 4,096 sets of known tuples: seconds, which are not waited for.
    worst = [told(identical_tuples(n), knowing="worst") for n in (4, 8, 12, 16)]
    assert worst == sorted(worst)
    assert worst[0] < PATIENCE < worst[2]
    assert worst[3] > 10 * worst[2]
    assert told(identical_tuples(12)) < 0.2 * worst[2]
    assert told(bit_chain(7), "identity", "worst") > told(bit_chain(7), "sum", "worst") > told(bit_chain(7))
    wide = SparseJoint([[k] * 5 for k in range(10)], [0.1] * 10)
    assert told(wide, "identity") > PATIENCE > told(wide)


def test_the_worst_of_every_mechanism_is_that_of_its_own_scale():
    solved = DependenceExplorer(knowing="worst", epsilon=0.7)._core.solved
    for scale, largest in zip(solved.scales, solved.largest, strict=True):
        assert largest == pytest.approx(float(worst_adversary(covered_shift(), "sum", scale)), rel=1e-12)


def test_what_one_tuple_is_called_follows_the_table():
    explorer = DependenceExplorer()
    assert explorer._view["noun"] == "person"
    view = ask(explorer, example="xor")
    assert view["noun"] == "bit"
    assert "nats per bit" in explorer.snapshot().text
    assert ask(explorer, example="coupled")["noun"] == "tuple"
    assert ask(explorer, example="shift")["noun"] == "person"
    assert DependenceExplorer(bit_chain(3))._view["noun"] == "bit"
    named = DependenceExplorer(bit_chain(3), noun="meter")
    assert named._view["noun"] == ask(named, example="shift")["noun"] == "meter"
    assert (explorer.noun, named.noun) == ("person", "meter")
    embedded = named._embedded()
    assert {embedded["table"]["noun"], *(one["noun"] for one in embedded["examples"].values())} == {"meter"}
    named.noun = None
    assert (named.noun, named._view["noun"]) == ("person", "person")


@pytest.mark.parametrize(
    "alpha", [bytearray(b"3"), np.timedelta64(3, "s"), np.array([3.0]), "3", True, math.inf]
)
def test_the_size_of_an_error_is_a_plain_number(alpha):
    with pytest.raises(QueryError, match=r"alpha is .*; it must be a finite number, 0 or more"):
        DependenceExplorer(alpha=alpha)


def test_the_graph_shows_another_measure_of_every_tuple() -> None:
    explorer = DependenceExplorer(measure="delta", known=["Ben"])
    shown = explorer._view["results"]["measured"]
    found = explorer.results.measure("delta", epsilon=1.0)
    assert shown["measure"] == {"name": "delta", "epsilon": 1.0}
    assert shown["promise"] == 0
    np.testing.assert_allclose(np.frombuffer(shown["values"]), found, atol=1e-14)
    assert ((found > 1e-14) == [float(one) > 1 + 1e-9 for one in explorer.results.per_tuple]).all()
    # What cannot be had in another measure is refused from Python, and said to a hand, which gets leakages.
    with pytest.raises(DomainError, match="Who learns most"):
        DependenceExplorer(measure="advantage", knowing="worst")
    explorer._receive({"origin": "a", "seq": 1, "base": explorer._view["revision"], "knowing": "worst"})
    explorer.wait()
    assert (explorer.measure, "measured" in explorer._view["results"]) == ("leakage", False)
    explorer.knowing = "nobody"
    explorer.query = "identity"
    with pytest.raises(DomainError, match="6 numbers"):
        explorer.measure = "advantage"
