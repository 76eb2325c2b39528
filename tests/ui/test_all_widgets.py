"""What holds of every widget: it is legible, its tools stay in view, and axe finds nothing wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from pdp_widgets import (
    AnonymityExplorer,
    AttackExplorer,
    CovarianceEditor,
    DependenceExplorer,
    JointTable,
    LocalExplorer,
    PriorExplorer,
    WHGGraph,
    lsat6,
)
from tests.every_widget import CELLS, setup
from tests.ui import test_anonymity_explorer as anonymity
from tests.ui import test_attack_explorer as attack
from tests.ui import test_covariance_editor as covariance
from tests.ui import test_dependence_explorer as dependence
from tests.ui import test_gaussian_explorer as gaussian
from tests.ui import test_large_graph as large_graph
from tests.ui import test_local_explorer as local
from tests.ui import test_stream_simulator as stream
from tests.ui.axe import violations
from tests.ui.bridge import Bridge, View
from tests.ui.hands import expect_said, three, type_into
from tests.ui.test_themes import LIGHT_AND_DARK, SCHEMES, faint_in

#: Longer than a phone is wide, in words and without a place to break it.
TITLES = ("Answers to a question of the survey of every household in town in 2019", "x" * 90)


@pytest.mark.parametrize("module", CELLS)
def test_every_widget_is_legible_and_fits_a_phone_and_axe_finds_nothing(bridge: Bridge, module: str) -> None:
    view = bridge.show(eval(CELLS[module].source, setup()))
    bridge.settle()
    assert faint_in(bridge, SCHEMES, least=5 if module == "question" else 15) == []
    bridge.page.set_viewport_size({"width": 390, "height": 800})
    bridge.settle()
    assert violations(bridge) == []
    title = view.root.locator(".px-title")
    for words in TITLES if title.count() else ():
        # The title is a text of the data: what is asked is the room that it leaves to what stands beside it.
        title.evaluate("(el, words) => { el.textContent = words }", words)
        for name in ("Redo", "Save the picture", "What is this?"):
            expect(view.root.get_by_role("button", name=name).first).to_be_in_viewport(ratio=1)
    across = bridge.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert across <= 0 or not title.count()
    hint = view.root.locator(".px-hint")
    if hint.count():
        close = hint.get_by_role("button", name="Got it").bounding_box()
        assert close is not None
        assert close["height"] <= 24 >= hint.evaluate("el => el.scrollHeight - el.clientHeight")


Act = Callable[[Bridge, View], None]


def click(name: str | re.Pattern[str]) -> Act:
    return lambda _, view: view.root.get_by_role("button", name=name, exact=True).click()


def choose(text: str) -> Act:
    return lambda _, view: view.root.get_by_text(text, exact=True).click()


def wrong_and_editing(row: str) -> Act:
    """Leave something that is no probability in a cell, and begin to type in another one."""

    def act(bridge: Bridge, view: View) -> None:
        bridge.page.keyboard.press("Escape")
        type_into(bridge, view, row, "-1")
        expect_said(view, "0 to 1")
        view.root.locator("td.gr-cell").last.click()
        bridge.page.keyboard.type("x")

    return act


def search(*texts: str) -> Act:
    def act(bridge: Bridge, view: View) -> None:
        field = view.root.get_by_label("Who knows")
        for text in texts:
            field.fill(text)
            field.press("Enter")
            bridge.settle()

    return act


def invalid(bridge: Bridge, view: View) -> None:
    bridge.page.keyboard.press("Escape")
    covariance.type_into(bridge, view, covariance.PAIR, "1.4")


def nothing(bridge: Bridge, view: View) -> None:
    pass


def large(n: int) -> WHGGraph:
    return WHGGraph(large_graph.analysis(n), show_paper=True)


ROW = "item 1 = 0, item 2 = 0, item 3 = 0"
#: What people do with a widget of which something comes to stand there that is there nowhere else; all is
#: looked at after each.
STATES: dict[str, tuple[Callable[[], Any], list[Act]]] = {
    "table": (lambda: JointTable(three()), [click("More"), wrong_and_editing(ROW)]),
    "explorer": (
        lambda: PriorExplorer(lsat6(), show_paper=True, target="item 3", known=["item 1"]),
        [click("More"), wrong_and_editing(f"{ROW}, item 4 = 0, item 5 = 0")],
    ),
    "graph": (lambda: WHGGraph(PriorExplorer(lsat6()).results, show_paper=True, threshold=1.2), [nothing]),
    "graph of 8": (lambda: large(8), [search("x2, not x4", "x99")]),
    "graph of 11": (lambda: large(11), [search("x2, not x4", "x99"), click(re.compile(": 9 unknown"))]),
    "no matrix": (CovarianceEditor, [nothing]),
    "matrix": (
        lambda: CovarianceEditor(covariance.house(), weights=[1, 1, 1, -1]),
        [click("Import…"), invalid],
    ),
    "gaussian": (gaussian.flats, [invalid, click("What is this?")]),
    "anonymity": (lambda: AnonymityExplorer(anonymity.table(150, 12), None, "illness"), [choose("Columns")]),
    # Its list of victims.
    "attack": (
        lambda: AttackExplorer(attack.city(40), grid=6, clusters=4),
        [lambda bridge, view: view.root.get_by_role("combobox", name="Victim").click()],
    ),
    "dependence": (
        lambda: DependenceExplorer(known=["Ben", "Dia"], mechanism="baseline"),
        [click("More")],
    ),
    "dependence of 20": (lambda: DependenceExplorer(dependence.made_up(20)), [nothing]),
    "local": (
        local.titanics,
        [choose(tab) for tab in ("Mechanisms", "Find a budget", "When the sum is too low")],
    ),
    "local of 40": (lambda: LocalExplorer(local.people(40)), [nothing]),
    "stream": (lambda: stream.simulator(3, lanes=stream.ALL_OVER), [nothing]),
    "stream of 20": (lambda: stream.simulator(20, lanes="grr"), [nothing, click("more")]),
}
#: In the end with marks of what is wrong or estimated: those are looked at in forced colours too.
MARKED = ("table", "explorer", "graph", "matrix", "stream")
#: The part that changes, where that is not all.
PARTS = {"local": ".lx-more"}


@pytest.mark.parametrize("name", STATES)
def test_states_that_people_bring_about_are_legible_and_axe_finds_nothing(bridge: Bridge, name: str) -> None:
    make, acts = STATES[name]
    widget = make()
    if hasattr(widget, "wait"):
        widget.wait()
    view = bridge.show(widget)
    part = PARTS.get(name, ".pdp")
    for k, act in enumerate(acts):
        act(bridge, view)
        bridge.settle()
        schemes = SCHEMES if name in MARKED and act is acts[-1] else LIGHT_AND_DARK
        assert violations(bridge, part) == [], k
        assert faint_in(bridge, schemes, least=3, part=part) == [], k


def test_axe_finds_what_is_wrong(bridge: Bridge) -> None:
    view = bridge.show(JointTable(three()))
    view.root.get_by_role("button", name="Swap").evaluate(
        "b => { b.removeAttribute('aria-label'); b.title = '' }"
    )
    assert any(line.startswith("button-name") for line in violations(bridge))
