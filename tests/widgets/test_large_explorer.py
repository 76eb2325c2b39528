"""An explorer of more than can be sent to a browser: what it shows, and what it computes meanwhile."""

from __future__ import annotations

import ast
import json
import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    LimitError,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
)
from pdp_widgets.leakage.adversary import column
from pdp_widgets.leakage.prior.chain_rule import chain_all
from pdp_widgets.leakage.prior.exact_all import check_work
from pdp_widgets.prior import PriorAdversary
from pdp_widgets.widgets import late, prior_explorer, prior_results, prior_state, running
from pdp_widgets.widgets.graph_digest import GraphDigest
from pdp_widgets.widgets.prior_results import results_for
from pdp_widgets.widgets.table_edits import table_summary
from pdp_widgets.widgets.views import MOST_COMPONENTS, drawn_mixtures
from tests.conftest import few

from .conftest import Ask
from .test_explorer_convention import TILTED, who_learns_most
from .test_explorer_late import say, wait
from .test_wrong_requests import size


def dependent(n: int, seed: int = 0) -> JointDistribution:
    """Bits that are correlated, in which every row can occur."""
    rng = np.random.default_rng(seed)
    common = rng.random(4000) < 0.4
    rows = (rng.random((n, 4000)) < np.where(common, 0.7, 0.25)).astype(int)
    counts = np.zeros((2,) * n)
    np.add.at(counts, tuple(rows), 1)
    return JointDistribution.normalised(counts + 0.1, names=[f"q{j + 1}" for j in range(n)])


def results(explorer: PriorExplorer) -> dict[str, Any]:
    shown: dict[str, Any] = explorer._view["results"]
    return shown


# What is shown


@pytest.mark.parametrize("n", [11, 15])
def test_all_numbers_are_there_in_a_small_state(n: int, ask: Ask) -> None:
    joint = dependent(n)
    explorer = PriorExplorer(joint)
    exact = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1)).exact
    assert size(explorer) < 40_000
    shown = results(explorer)
    assert shown["graph"] is None
    assert shown["largest"]["value"] == exact.max()
    assert shown["digest"]["chosen"]["rank"] == 0
    assert shown["group_bound"] == n
    assert shown["chosen"]["grouped"] is None
    assert shown["above_promise"] == np.count_nonzero(exact > 1 + 1e-9)
    assert (explorer.target, explorer.known) == (
        joint.names[shown["largest"]["target"]],
        tuple(joint.names[k] for k in shown["largest"]["known"]),
    )
    ask(explorer, threshold=1.25, target=3, known=[0, 5])
    shown = results(explorer)
    assert shown["digest"]["above"] == np.count_nonzero(exact > 1.25 + 1.25e-9)
    assert shown["chosen"]["value"] == exact[3, column(n, 3, (0, 5))]
    assert shown["digest"]["chosen"]["target"] == 3


def test_the_filters_of_the_audit_strip_work_on_what_python_keeps(ask: Ask) -> None:
    explorer = PriorExplorer(dependent(11), show_paper=True)
    shown, analysis = results(explorer), explorer.results
    error = analysis.paper - analysis.exact
    assert (shown["too_low"], shown["too_high"]) == (
        np.count_nonzero(error < -1e-8),
        np.count_nonzero(error > 1e-8),
    )
    search = {**explorer._view["search"], "only": "high", "first": 0}
    ask(explorer, search=search)
    digest = results(explorer)["digest"]
    assert digest["count"] == shown["too_high"] > 0
    assert explorer._view["search"]["only"] == "high"
    assert all(error.flat[flat] > 0 for flat in digest["rows"])
    ask(explorer, show_paper=False, search={**search, "only": "all"})
    assert results(explorer)["digest"]["count"] == 11 << 10
    assert size(explorer) < 40_000


def test_a_data_frame_with_fifteen_attributes() -> None:
    rng = np.random.default_rng(3)
    columns = {f"attribute {k}": rng.integers(0, 2, 500) for k in range(15)}
    explorer = PriorExplorer(JointDistribution.from_dataframe(pd.DataFrame(columns)))
    table = explorer._view["table"]
    assert (table["spec"]["records"], table["summary"]["cells"]) == (500, 32_768)
    assert (table["entries"], table["locks"], table["loaded"]) == (b"", b"", b"")
    assert explorer.results.exact.shape == (15, 1 << 14)


def test_a_summary_says_what_the_table_says() -> None:
    rng = np.random.default_rng(5)
    records = pd.DataFrame({"a": rng.integers(0, 9, 4000), "b": rng.integers(0, 40, 4000)})
    records["c"] = records["a"] * 2 + rng.integers(0, 4, 4000)
    joint = JointDistribution.from_dataframe(records, ["a", "b", "c"])
    summary = table_summary(joint)
    assert summary["cells"] == joint.table.size > 1024
    assert summary["possible"] == len(records.drop_duplicates())
    found = {pair: value for pair, value, _ in summary["pairs"]}
    expected = records.corr().to_numpy()
    assert all(found[i, j] == pytest.approx(expected[i, j]) for i, j in [(0, 1), (0, 2), (1, 2)])
    assert summary["pairs"][0][0] == (0, 2)
    assert [m["others"] for m in summary["marginals"]] == [1, 32, joint.shape[2] - 8]
    common = records.value_counts()
    assert [round(p * 4000) for _, p in summary["rows"]] == common.to_numpy()[:10].tolist()
    assert all(joint.table[tuple(index)] == p for index, p in summary["rows"])
    [(pair, value, signed)] = table_summary(JointDistribution([[0.5, 0.5]]))["pairs"]
    assert (pair, math.isnan(value), signed) == ((0, 1), True, True)


def test_up_to_1024_cells_are_edited_and_more_are_not(ask: Ask) -> None:
    explorer = PriorExplorer(dependent(10))
    assert explorer._view["table"]["summary"] is None
    ask(explorer, entries=np.full(1024, 1 / 1024))
    assert explorer.value.table[(0,) * 10] == 1 / 1024
    table = explorer.table
    wide = JointDistribution(np.full((40, 30), 1 / 1200))
    explorer.value = wide
    assert explorer._view["table"]["summary"]["cells"] == 1200
    # A hand that undoes an edit of another kind sends the cells it has: none.
    ask(explorer, entries=[], locks=np.zeros(0), scale=2.0)
    assert explorer.error is None
    assert (explorer.value, explorer.scale, table.value) == (wide, 2.0, wide)
    explorer.value = dependent(12)
    assert (table.value, table._leader) == (wide, None)
    with pytest.raises(LimitError, match="4,096 cells"):
        _ = explorer.table


def test_a_small_table_of_many_tuples_is_edited(ask: Ask) -> None:
    table = np.full((2,) * 8 + (1,) * 4, 1 / 256)
    explorer = PriorExplorer(JointDistribution(table))
    entries = np.full(256, 1 / 256)
    entries[:2] = 0, 2 / 256
    ask(explorer, entries=entries)
    assert explorer.value.table.ravel()[1] == 2 / 256
    assert results(explorer)["digest"]["names"][11] == "x12"


@pytest.mark.parametrize("shape", [(1,) * 21, (2,) * 21])
def test_more_than_twenty_tuples_are_refused_with_memory_and_time(shape: tuple[int, ...]) -> None:
    explorer = PriorExplorer(dependent(3))
    big = JointDistribution(np.full(shape, 1 / math.prod(shape)))
    for attempt in (lambda: PriorExplorer(big), lambda: setattr(explorer, "value", big)):
        with pytest.raises(
            LimitError, match=r"21 tuples and 22,020,096 adversaries.* s and 661 MB.*20 tuples"
        ):
            attempt()
    assert explorer.value.n_tuples == 3


#: What belongs into a cell of a notebook, and into no sentence on a screen.
PYTHON = re.compile(r"\b\w+=\S|\w\(|math\.|convention '")


def test_too_much_work_is_computed_anyway_for_who_asks_once_told_its_cost(ask: Ask) -> None:
    explorer = PriorExplorer(JointDistribution(np.full((2,) * 4 + (1,) * 12, 1 / 16)))
    before = explorer.results
    ask(explorer, convention="sup")
    view = explorer._view
    assert re.fullmatch(r"about [\d,]+ s and [\d,]+ MB", view["cost"])
    assert f"16 tuples takes {view['cost']}. The limit is 15 tuples." in view["stopped"]
    assert not PYTHON.search(view["stopped"])
    assert (explorer.results, explorer.current, explorer.convention) == (before, False, "instance")
    with pytest.raises(LimitError, match=r"15 tuples.*limit=math\.inf"):
        explorer.convention = "sup"
    ask(explorer, convention="instance")
    assert explorer.current
    ask(explorer, convention="sup")
    say(explorer, {"resume": True})
    explorer.wait()
    assert (explorer.convention, explorer.current) == ("sup", True)
    ask(explorer, known=[])
    assert explorer.current


def test_no_refusal_on_a_screen_names_what_only_python_can_do() -> None:
    # A screen shows the first argument; what is said to who calls is another one.
    package = Path(late.__file__).parents[1]
    named = []
    for file in package.rglob("*.py"):
        if file.parent.name == "verify":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "LimitError" and node.args:
                parts = ast.walk(node.args[0])
                said = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
                named += [
                    f"{file.name}: {text}"
                    for text in said
                    if re.search(r"\b\w+=|math\.inf|convention '", text)
                ]
    assert named == []


def test_too_long_an_estimate_is_refused_and_nothing_else_is(ask: Ask) -> None:
    table = np.full((2,) * 4 + (1,) * 13, 1 / 16)
    explorer = PriorExplorer(JointDistribution(table))
    ask(explorer, show_paper=True)
    assert "estimate for 17 tuples takes about" in explorer.error
    assert (explorer.current, explorer.show_paper, explorer._view["show_paper"]) == (True, False, False)
    with pytest.raises(LimitError, match="16 tuples"):
        explorer.show_paper = True
    with pytest.raises(LimitError, match="16 tuples"):
        PriorExplorer(JointDistribution(table), show_paper=True)
    ask(explorer, scale=2.0)
    assert explorer.error is None


# Densities


def test_densities_of_very_many_centres_are_grouped_and_say_so() -> None:
    joint = dependent(13)
    query = LinearQuery.weighted(joint, [2**0.5 * (k + 1) ** 1.7 for k in range(13)])
    adversary = PriorAdversary(joint, LaplaceMechanism(query, 1), 0)
    state = drawn_mixtures(adversary)
    drawn = sum(len(mixture["centres"]) for mixture in state["mixtures"])
    assert state["grouped"] == {"of": 8192, "drawn": drawn}
    assert 500 < drawn <= MOST_COMPONENTS
    assert len(json.dumps(state)) < 60_000
    for mixture, exact in zip(state["mixtures"], adversary.mixtures().values(), strict=True):
        centres, masses = np.array(mixture["centres"]), np.array(mixture["weights"])
        assert masses.sum() == pytest.approx(1)
        assert centres @ masses == pytest.approx(exact.centres @ exact.weights)
        assert (centres[0], centres[-1]) == (exact.centres[0], exact.centres[-1])
        assert (np.diff(centres) > 0).all()


def test_equal_centres_are_one(joint: JointDistribution) -> None:
    adversary = PriorAdversary(joint, LaplaceMechanism(LinearQuery.sum(joint), 1), "Ann")
    (first, _) = drawn_mixtures(adversary)["mixtures"]
    assert first["centres"] == [0, 1, 2]
    assert first["weights"] == pytest.approx([4 / 10, 3 / 10, 3 / 10])


# Numbers that come late


def test_what_would_take_long_by_itself_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = PriorExplorer(dependent(11))
    assert late.enough_scale(explorer.results, 1.0)["scale"] > 1
    monkeypatch.setattr(late, "check_work", lambda *_: 5.0)
    found = late.enough_scale(explorer.results, 1.0)
    assert found["scale"] is None
    assert "about 60 s. You can calibrate the results in a cell." in found["why"]


# Computations beside the kernel's own work


class Held:
    """Computations that tell how far they are and then wait until they may go on."""

    def __init__(self) -> None:
        self.begun: list[Any] = []
        self.ended: list[Any] = []
        self.go_on = threading.Event()

    def __call__(self, inputs: Any, last: Any = None, progress: Any = None, **limit: Any) -> Any:
        scale = inputs.mechanism.scale
        self.begun.append(scale)
        try:
            while not self.go_on.wait(0.02):
                progress(0.25)
        finally:
            self.ended.append(scale)
        return results_for(inputs, last, progress, **limit)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Let every edit in a browser take long."""
    held = Held()
    monkeypatch.setattr(prior_state, "LONG", -1.0)
    monkeypatch.setattr(prior_explorer, "results_for", held)
    yield held
    held.go_on.set()
    wait(lambda: not any(t.name == "pdp-widgets-run" for t in threading.enumerate()))


LAST = "the values as last computed (scale 1.00)."


def told(explorer: PriorExplorer) -> Callable[[], bool]:
    return lambda: explorer._progress.get("share") == 0.25


def test_the_automatic_choice_follows_the_convention_when_its_results_are_there(ask: Ask, held: Held) -> None:
    explorer = PriorExplorer(TILTED, instance=[1, 1, 1])
    before = explorer.target, explorer.known
    ask(explorer, convention="sup")
    assert (explorer.target, explorer.known) == before
    held.go_on.set()
    wait(lambda: not explorer.busy)
    assert (explorer.target, explorer.known) == who_learns_most(explorer) != before


def test_an_edit_that_takes_long_is_answered_at_once_and_computed_beside(
    joint: JointDistribution, ask: Ask, held: Held
) -> None:
    explorer = PriorExplorer(joint)
    before = explorer.results
    scales: list[float] = []
    explorer.observe(lambda change: scales.append(change.new), "scale")
    started = time.thread_time()
    ask(explorer, scale=2.0)
    assert time.thread_time() - started < 1
    view = explorer._view
    assert (view["scale"], view["ack"]["seq"], view["current"]) == (2.0, 1, True)
    assert view["running"] == {"number": explorer._progress["of"], "paper": False}
    assert (explorer.results, explorer.scale, explorer.busy, explorer.current) == (before, 1.0, True, False)
    wait(told(explorer))
    # The kernel answers other questions meanwhile, and they change nothing of it.
    ask(explorer, target=1, known=[0], threshold=2.0)
    assert (explorer.target, explorer.threshold) == ("Bob", 2.0)
    explorer.target = "Cy"
    assert explorer._view["running"] == view["running"]
    held.go_on.set()
    # Those who observe it are told once all has taken its place.
    wait(lambda: scales)
    assert not explorer.busy
    assert explorer.results == PriorAnalysis(
        joint, LaplaceMechanism(LinearQuery.sum(joint), 2), before.instance
    )
    assert (explorer.scale, explorer.current, explorer.target, scales) == (2.0, True, "Cy", [2.0])
    assert explorer._view["running"] is None
    assert held.begun == [2.0]


def test_the_newest_edit_takes_the_place_of_what_runs(joint: JointDistribution, ask: Ask, held: Held) -> None:
    explorer = PriorExplorer(joint)
    ask(explorer, scale=2.0)
    wait(told(explorer))
    for scale in (3.0, 4.0, 5.0):
        ask(explorer, scale=scale)
    wait(lambda: 5.0 in held.begun)
    # Never two at a time; whether one in between begins depends on how soon the first one ends.
    assert held.begun == sorted(set(held.begun))
    assert held.begun[0] == 2.0
    assert held.ended == held.begun[:-1]
    # Back at what is there: nothing to compute.
    ask(explorer, scale=1.0)
    assert (explorer.busy, explorer.current) == (False, True)
    wait(lambda: held.ended == held.begun)
    assert (explorer.scale, explorer._view["running"]) == (1.0, None)


def test_cancel_keeps_the_last_results_and_says_what_they_belong_to(
    joint: JointDistribution, ask: Ask, held: Held
) -> None:
    explorer = PriorExplorer(joint)
    before = explorer.results
    ask(explorer, scale=2.0, query="mean")
    wait(told(explorer))
    say(explorer, {"cancel": -1})
    assert explorer.busy
    say(explorer, {"cancel": explorer._view["running"]["number"]})
    assert (explorer.busy, explorer.results, explorer.current) == (False, before, False)
    view = explorer._view
    assert view["stopped"] == (
        "Cancelled. The results belong to the values as last computed (the query sum, scale 1.00)."
    )
    assert view["kept"] == "the query sum, scale 1.00"
    assert (view["running"], view["current"], view["scale"], view["query"]["key"]) == (
        None,
        False,
        2.0,
        "mean",
    )
    wait(lambda: held.ended == [2.0])
    # A choice begins nothing anew; what was given up can be asked for again, or undone.
    ask(explorer, known=[1])
    assert explorer._view["stopped"] == view["stopped"]
    say(explorer, {"resume": True})
    assert explorer.busy
    explorer.cancel()
    assert not explorer.busy
    ask(explorer, scale=1.0, query="sum")
    assert (explorer._view["stopped"], explorer._view["kept"], explorer.current) == (None, "", True)
    explorer.cancel()
    assert explorer.current


def test_cancelling_the_estimate_takes_nothing_away(joint: JointDistribution, ask: Ask, held: Held) -> None:
    explorer = PriorExplorer(joint)
    ask(explorer, show_paper=True)
    assert explorer._view["running"]["paper"]
    assert explorer._view["results"]["too_low"] is None
    explorer.cancel()
    assert (explorer.show_paper, explorer.current) == (False, True)
    assert explorer.error == "Cancelled. The paper's estimate was not computed."
    held.go_on.set()
    ask(explorer, show_paper=True)
    wait(lambda: not explorer.busy)
    assert explorer._view["results"]["too_low"] is not None


def test_a_step_from_python_is_computed_at_once(joint: JointDistribution, ask: Ask, held: Held) -> None:
    explorer = PriorExplorer(joint)
    ask(explorer, convention="sup")
    wait(told(explorer))
    explorer.scale = 4
    assert (explorer.results.promise, explorer.convention, explorer.busy) == (0.25, "sup", False)
    wait(lambda: len(held.ended) == 1)
    assert explorer.results.promise == 0.25


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), f"There is not enough memory for this. The results belong to {LAST}"),
        (ValueError("a bug"), f"Something went wrong: ValueError: a bug. The results belong to {LAST}"),
    ],
)
def test_a_failure_is_said_and_the_next_edit_works(
    joint: JointDistribution, ask: Ask, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    reported: list[str] = []
    monkeypatch.setattr(PriorExplorer, "_report", lambda self, error, what: reported.append(what))
    monkeypatch.setattr(prior_state, "LONG", -1.0)

    def fails(*_: Any, **_limit: Any) -> Any:
        raise error

    explorer = PriorExplorer(joint)
    with monkeypatch.context() as broken:
        broken.setattr(prior_explorer, "results_for", fails)
        ask(explorer, scale=2.0)
        wait(lambda: not explorer.busy)
    assert explorer._view["stopped"] == words
    assert reported == (["a computation"] if isinstance(error, ValueError) else [])
    ask(explorer, scale=3.0)
    wait(lambda: not explorer.busy)
    assert explorer.results.promise == pytest.approx(1 / 3)


def test_a_closed_explorer_hears_nothing_more(joint: JointDistribution, ask: Ask, held: Held) -> None:
    explorer = PriorExplorer(joint)
    ask(explorer, scale=2.0)
    wait(told(explorer))
    explorer.close()
    wait(lambda: held.ended == [2.0])
    assert explorer.results.promise == 1


def test_a_small_table_is_computed_at_once_without_an_estimate(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = PriorExplorer(dependent(10), show_paper=True)
    monkeypatch.setattr(running.Runner, "start", lambda *_: pytest.fail("handed over"))
    monkeypatch.setattr(prior_results, "check_work", lambda *_: pytest.fail("estimated"))
    ask(explorer, scale=2.0)
    assert explorer.results.promise == 0.5
    assert check_work(dependent(18), LaplaceMechanism(LinearQuery.sum(dependent(18)), 1)) > prior_state.LONG


@pytest.mark.parametrize(
    ("tuples", "labels", "scale"), [(9, 4, 2.0), (10, 3, 2.0), (5, 12, 2.0), (9, 2, 1e-9), (10, 2, 1e-9)]
)
def test_few_tuples_that_take_long_are_handed_over(
    tuples: int, labels: int, scale: float, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = np.full((labels,) * tuples, 1.0 / labels**tuples)
    explorer = PriorExplorer(JointDistribution(table))
    handed: list[int] = []
    monkeypatch.setattr(running.Runner, "start", lambda self, number, work: handed.append(number))
    started = time.thread_time()
    ask(explorer, scale=scale)
    assert time.thread_time() - started < 1
    assert explorer.busy
    assert handed == [explorer._view["running"]["number"]]
    # A choice is no reason to compute.
    explorer.cancel()
    ask(explorer, scale=1.0, target=1)
    assert (explorer.target, explorer.current, len(handed)) == ("x2", True, 1)


def test_a_page_cancels_nothing_while_it_is_disabled(joint: JointDistribution, ask: Ask, held: Held) -> None:
    explorer = PriorExplorer(joint)
    ask(explorer, scale=2.0)
    wait(told(explorer))
    number = explorer._view["running"]["number"]
    explorer.disabled = True
    say(explorer, {"cancel": number})
    assert explorer.busy
    explorer.disabled = False
    say(explorer, {"cancel": number})
    assert not explorer.busy
    explorer.disabled = True
    say(explorer, {"resume": True})
    assert not explorer.busy


def test_the_share_done_grows_to_the_end() -> None:
    joint = dependent(12)
    explorer = PriorExplorer(joint)
    inputs = prior_state.Inputs(
        joint, LaplaceMechanism(LinearQuery.sum(joint), 2), (0,) * 12, "instance", True
    )
    shares: list[float] = []
    solved = results_for(inputs, explorer._core.solved, shares.append)
    assert shares == sorted(shares)
    assert (shares[-1], len(shares) > 10) == (1.0, True)
    assert solved.view.graph.paper is not None

    class Enough(Exception):
        pass

    def stop(share: float) -> None:
        if share > 0.5:
            raise Enough

    with pytest.raises(Enough):
        chain_all(joint.table, LinearQuery.sum(joint).contributions, 1.0, (0,) * 12, progress=stop)


# Too low, too high


@few()
@given(st.integers(0, 10_000), st.floats(-8, 1), st.booleans())
def test_rounding_is_never_called_a_wrong_estimate(seed: int, power: float, large: bool) -> None:
    """Of independent tuples the estimate is exact; beside one large contribution rounding is large."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    joint = JointDistribution.independent([rng.dirichlet(np.full(2, 0.7)) * 0.98 + 0.01 for _ in range(n)])
    contributions = [[0.0, float(x)] for x in rng.normal(size=n)]
    if large:
        contributions[0][1] = 1e6
    mechanism = LaplaceMechanism(LinearQuery(contributions), 10**power)
    for convention in ("instance", "sup"):
        found = PriorAnalysis(joint, mechanism, convention=convention)
        assert GraphDigest(found.graph(with_paper=True)).apart == (0, 0)
