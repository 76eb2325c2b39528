"""Several views of one model, linked widgets, tables seen from another side, places that are hidden."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect
from traitlets import link

from pdp_widgets import (
    JointDistribution,
    JointTable,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
    WHGGraph,
)
from pdp_widgets.leakage.adversary import known_of
from tests.ui.bridge import Bridge
from tests.ui.hands import cell, lead, pair, sums_to_one, three, type_into, type_scale


def test_w10_observers_hear_each_edit_once_and_the_parts_of_an_explorer_follow_it(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    heard: list[str] = []
    explorer.observe(lambda change: heard.append(change["name"]), ["value", "scale", "target", "known"])
    type_into(bridge, view, "item 1 = 0, item 2 = 0, item 3 = 0", "0.1")
    assert heard == ["value"]
    type_into(bridge, view, "item 1 = 0, item 2 = 0, item 3 = 0", "0.1")
    assert heard == ["value"]
    explorer.value = JointDistribution(explorer.value.table, names=explorer.value.names)
    assert heard == ["value"] or explorer.value.title == ""
    heard.clear()
    type_scale(bridge, view, "2")
    assert heard == ["scale"]
    with pytest.raises(ValueError, match="read-only"):
        explorer.value.table[0, 0, 0] = 1
    # Its table and its graph, each in a view of its own.
    whole, table, graph = view, bridge.show(explorer.table), bridge.show(explorer.graph)
    type_into(bridge, table, "item 1 = 0, item 2 = 0, item 3 = 0", "0.2")
    assert "0.200" in cell(whole, "item 1 = 0, item 2 = 0, item 3 = 0").inner_text()
    largest = f"{float(explorer.results.largest):.3f}"
    assert largest[:5] in lead(whole)
    expect(graph.root.locator(".lg-max").locator("..").first).to_contain_text(largest[:5])
    graph.root.get_by_role("button", name="about item 2, knows item 1: ").click()
    bridge.settle()
    expect(whole.root.get_by_role("heading", name="About item 2, knowing item 1")).to_be_visible()
    expect(table.root.get_by_role("grid")).to_be_visible()


def test_w11_two_explorers_linked_both_ways_settle(bridge: Bridge) -> None:
    left, right = PriorExplorer(three()), PriorExplorer(three())
    for name in ("value", "scale", "target", "known"):
        link((left, name), (right, name))
    first, second = bridge.show(left), bridge.show(right)
    bridge.settle()
    before = len(bridge.messages)
    type_scale(bridge, first, "2")
    type_into(bridge, second, "item 1 = 0, item 2 = 0, item 3 = 0", "0.1")
    node = first.root.get_by_role("button", name="about item 2, knows item 3: ")
    node.click()
    bridge.settle()
    # What is computed late asks once more when all is quiet.
    spent = -1
    for _ in range(10):
        if spent == len(bridge.messages) - before:
            break
        spent = len(bridge.messages) - before
        bridge.page.wait_for_timeout(400)
        bridge.settle()
    assert len(bridge.messages) - before == spent
    # Three edits, two widgets: one state for each, a second where two traits change.
    assert spent <= 20
    assert left.scale == right.scale == 2
    assert left.value == right.value
    assert (left.target, left.known) == (right.target, right.known) == ("item 2", ("item 3",))
    assert lead(first) == lead(second)


def test_w17_an_edit_or_a_choice_in_one_view_shows_in_the_other(bridge: Bridge) -> None:
    for kind in (JointTable, PriorExplorer):
        widget: Any = kind(pair())
        a, b = bridge.show(widget), bridge.show(widget)
        type_into(bridge, a, "Ann = 0, Bob = 1", "0.25")
        assert "0.25" in cell(b, "Ann = 0, Bob = 1").inner_text()
        type_into(bridge, b, "Ann = 1, Bob = 1", "0.125")
        assert "0.125" in cell(a, "Ann = 1, Bob = 1").inner_text()
        assert widget.value.probability((1, 1)) == 0.125
        # A bad entry in one view is marked in both, and a good one in the other clears it.
        type_into(bridge, a, "Ann = 0, Bob = 0", "2")
        for view in (a, b):
            expect(cell(view, "Ann = 0, Bob = 0")).to_have_attribute("aria-invalid", "true")
        type_into(bridge, b, "Ann = 0, Bob = 0", "0.3")
        for view in (a, b):
            expect(cell(view, "Ann = 0, Bob = 0")).not_to_have_attribute("aria-invalid", "true")
        assert sums_to_one(widget.value.table)
        a.remove()
        type_into(bridge, b, "Ann = 0, Bob = 0", "0.2")
        assert widget.value.probability((0, 0)) == 0.2
        b.remove()
    graph = WHGGraph(PriorExplorer(three()).results)
    a, b = bridge.show(graph), bridge.show(graph)
    a.root.get_by_role("button", name="about item 3, knows item 1: ").click()
    bridge.settle()
    chosen = b.root.locator(".lg-node[aria-pressed=true]")
    expect(chosen).to_have_attribute(
        "aria-label", re.compile(r"about item 3, knows item 1: 1\.109 nats, 0\.109 over the promise$")
    )
    assert (graph.target, graph.known) == ("item 3", ("item 1",))


def test_w18_after_a_pivot_the_right_cell_changes(bridge: Bridge) -> None:
    for kind in (JointTable, PriorExplorer):
        widget: Any = kind(three())
        view = bridge.show(widget)
        row = "item 1 = 0, item 2 = 1, item 3 = 1"
        # What was typed before the pivot goes to the cell where it was typed.
        cell(view, "item 1 = 1, item 2 = 0, item 3 = 1").click()
        bridge.page.keyboard.type("0.2")
        view.root.get_by_role("button", name="Swap rows and columns").click()
        bridge.settle()
        assert widget.value.probability((1, 0, 1)) == 0.2
        type_into(bridge, view, row, "0.125")
        assert widget.value.probability((0, 1, 1)) == 0.125
        view.root.get_by_role("button", name="item 2, on columns").click()
        view.root.get_by_role("menuitem", name="Move to rows").click()
        bridge.settle()
        type_into(bridge, view, row, "0.25")
        assert widget.value.probability((0, 1, 1)) == 0.25
        # The third cell of the first column, wherever that is now.
        at = view.root.locator("tbody tr:not(.gr-gap)").nth(2).locator("td.gr-cell").first
        name = (at.get_attribute("aria-label") or "").split(":")[0]
        at.click()
        bridge.page.keyboard.type("0.0625")
        bridge.page.keyboard.press("Enter")
        bridge.settle()
        labels = tuple(int(part.split(" = ")[1]) for part in name.split(", "))
        assert widget.value.probability(labels) == 0.0625
        assert sums_to_one(widget.value.table)
        view.remove()


def test_w18_choosing_in_a_sorted_table_of_adversaries_takes_that_one(bridge: Bridge) -> None:
    joint = JointDistribution.independent([[0.5, 0.5]] * 8)
    graph = WHGGraph(PriorExplorer(joint).results)
    view = bridge.show(graph)
    rows = view.root.locator(".lg-row[data-node]")
    for header in ("Knows", "About"):
        view.root.get_by_role("button", name=header, exact=True).click()
        bridge.settle()
        at = rows.nth(3)
        sentence = at.inner_text()
        flat = int(at.get_attribute("data-node") or -1)
        at.click()
        bridge.settle()
        target, column = divmod(flat, 2**7)
        assert graph.target == f"x{target + 1}"
        assert graph.known == tuple(graph.value.names[k] for k in known_of(8, target, column))
        assert graph.target in sentence
        expect(rows.and_(view.root.locator("[aria-selected=true]"))).to_have_attribute("data-node", str(flat))


def test_w19_labels_of_all_types_stay_what_they_are(bridge: Bridge) -> None:
    domains = [(0, 1), (0.5, 1.5), (False, True), ("low", "1")]
    joint = JointDistribution(np.full((2, 2, 2, 2), 1 / 16), domains, names=["i", "f", "b", "s"])
    table = JointTable(joint)
    view = bridge.show(table)
    type_into(bridge, view, "i = 1, f = 0.5, b True, s = 1", "0.5")
    assert table.value.probability((1, 0.5, True, "1")) == 0.5
    assert table.value.domains == joint.domains
    assert [[type(v) for v in d] for d in table.value.domains] == [
        [type(v) for v in d] for d in joint.domains
    ]
    most = table.value.most_probable()
    assert [type(v) for v in most] == [int, float, bool, str]
    query = [[0, 1], [0.5, 1.5], [0, 1], [2, 3]]
    explorer = PriorExplorer(joint, LinearQuery(query), target="i", known=["f", "b", "s"])
    shown = bridge.show(explorer)
    shown.root.get_by_label("Value of b").select_option("True")
    shown.root.get_by_label("Value of s").select_option("1")
    bridge.settle()
    assert explorer.instance[2] is True
    assert explorer.instance[3] == "1"


def test_w29_drawn_in_a_hidden_place_it_has_the_right_size_once_shown(bridge: Bridge) -> None:
    for kind in (JointTable, PriorExplorer):
        box = bridge.container("display: none; width: 760px")
        hidden = bridge.show(kind(three()), box)
        bridge.settle()
        plain = bridge.show(kind(three()), bridge.container("width: 760px"))
        bridge.restyle(box, "width: 760px")
        bridge.settle()
        boxes: Any = [v.root.bounding_box() for v in (hidden, plain)]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[0]["width"] == boxes[1]["width"] == 760
        assert abs(boxes[0]["height"] - boxes[1]["height"]) <= 1
        for selector in ("svg", "table"):
            widths = [
                v.root.locator(selector).evaluate_all(
                    "all => all.map((el) => Math.round(el.getBoundingClientRect().width))"
                )
                for v in (hidden, plain)
            ]
            assert widths[0] == widths[1]
        hidden.remove()
        plain.remove()


def test_an_explorers_table_says_which_rows_fit_and_follows(bridge: Bridge) -> None:
    joint = JointDistribution.normalised(np.arange(1.0, 9).reshape(2, 2, 2), names=["Ann", "Bob", "Cy"])
    explorer = PriorExplorer(joint, target="Ann", known=["Bob"])
    view = bridge.show(explorer.table)
    caption = view.root.locator(".jt-fit")
    expect(caption).to_contain_text("fit")
    explorer.known = ()
    bridge.settle()
    expect(caption).to_be_hidden()
    explorer.value = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["p", "q"])
    explorer.target, explorer.known = "p", ("q",)
    bridge.settle()
    expect(caption).to_be_visible()


def test_a_large_graph_of_its_own_has_the_increments_beside_the_chosen_adversary(bridge: Bridge) -> None:
    joint = JointDistribution.normalised(np.random.default_rng(8).gamma(0.5, size=(2,) * 8))
    results = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
    graph = WHGGraph(results, target=0, known=[1, 2], show_paper=True)
    view = bridge.show(graph)
    expect(view.root.locator(".lg-caption")).to_contain_text("increments")
