"""The explorer of networks under a person's hands: pointer, keys, and bars."""

from __future__ import annotations

import time

import numpy as np
from playwright.sync_api import expect

from pdp_widgets import MarkovChain, NetworkExplorer
from pdp_widgets.networks import BayesianNetwork
from tests.ui.axe import audit
from tests.ui.bridge import Bridge, View
from tests.ui.hands import lead
from tests.ui.test_accessibility import press


def shown(bridge: Bridge, explorer: NetworkExplorer) -> View:
    explorer.wait()
    view = bridge.show(explorer)
    bridge.settle()
    return view


def settled(bridge: Bridge, explorer: NetworkExplorer) -> None:
    """Wait for Python, and for what it computes beside."""
    bridge.settle()
    explorer.wait()
    bridge.settle()


def test_a_network_under_pointer_and_keys(bridge: Bridge) -> None:
    never = [[0.7, 0.3, 0.0], [0.3, 0.4, 0.3], [0.0, 0.3, 0.7]]
    explorer = NetworkExplorer(BayesianNetwork.chain(never, 9, start=[1, 0, 0]), target=4)
    view = shown(bridge, explorer)
    node = view.root.locator("[data-tuple]")
    assert audit(bridge) == []
    # A click attacks; Shift and a click know, and what cannot occur is off.
    node.nth(6).click()
    settled(bridge, explorer)
    assert explorer.target == "step 7"
    node.nth(1).click(modifiers=["Shift"])
    expect(bridge.page.get_by_role("menuitemcheckbox", name="2")).to_have_attribute("aria-disabled", "true")
    bridge.page.get_by_role("menuitemcheckbox", name="1").click()
    settled(bridge, explorer)
    assert (explorer.known, explorer.adversary) == ({"step 2": 1}, "mine")
    assert "Someone who knows that step 2 is 1" in lead(view)
    expect(view.root.locator(".nw-note")).to_contain_text("beyond")
    # Keys do the same: along the line, know, choose the first label that can occur.
    node.nth(6).focus()
    press(bridge, "ArrowRight")
    press(bridge, "k")
    press(bridge, "Enter")
    settled(bridge, explorer)
    assert explorer.known == {"step 2": 1, "step 8": 0}
    press(bridge, "Enter")
    settled(bridge, explorer)
    assert (explorer.target, explorer.known) == ("step 8", {"step 2": 1})
    view.root.get_by_role("button", name="Undo (Ctrl Z)").click()
    settled(bridge, explorer)
    assert (explorer.target, explorer.known) == ("step 7", {"step 2": 1, "step 8": 0})
    # The worst adversary is named, and zooming keeps the names.
    view.root.get_by_text("Worst", exact=True).first.click()
    settled(bridge, explorer)
    assert lead(view).split(". ")[1].startswith("The worst adversary, who knows")
    view.root.get_by_role("button", name="Zoom in").click()
    expect(view.root.locator(".nw-picture")).to_have_attribute("data-zoomed", "")
    view.root.get_by_role("button", name="Show all").click()
    expect(view.root.locator(".nw-picture")).not_to_have_attribute("data-zoomed", "")


def test_budgets_are_dragged_and_filled(bridge: Bridge) -> None:
    explorer = NetworkExplorer(MarkovChain.symmetric(0.8), show="temporal", budgets=0.2, noun="hour")
    view = shown(bridge, explorer)
    bars = view.root.locator("[data-step]")
    bars.nth(3).scroll_into_view_if_needed()
    box = bars.nth(3).bounding_box()
    assert box is not None
    x = box["x"] + box["width"] / 2
    bridge.page.mouse.move(x, box["y"] + box["height"] - 4)
    bridge.page.mouse.down()
    bridge.page.mouse.move(x, box["y"] + box["height"] / 2, steps=4)
    bridge.page.mouse.up()
    settled(bridge, explorer)
    assert explorer.budgets[3] > 0.3
    assert explorer.budgets[2] == 0.2
    expect(view.root.locator(".nw-wide")).to_contain_text("above the goal")
    view.root.get_by_role("button", name="Fill to the goal").click()
    settled(bridge, explorer)
    expect(view.root.locator(".nw-wide")).to_contain_text("The goal is kept.")
    bars.nth(0).focus()
    press(bridge, "End")
    settled(bridge, explorer)
    assert explorer.budgets[0] > explorer.budgets[1]


def test_two_hundred_tuples_are_there_and_a_changed_table_soon(bridge: Bridge) -> None:
    rng = np.random.default_rng(3)

    def tree(n: int) -> BayesianNetwork:
        above = [int(rng.integers(max(0, j - 5), j)) for j in range(1, n)]
        tables = {f"n{j}": rng.dirichlet([2, 2], size=2) for j in range(1, n)}
        edges = [(f"n{p}", f"n{j}") for j, p in enumerate(above, 1)]
        return BayesianNetwork(edges, {"n0": [0.4, 0.6], **tables})

    explorer = NetworkExplorer(tree(200))
    view = bridge.show(explorer)
    bridge.settle()
    assert view.root.locator("[data-tuple]").count() == 200
    small = tree(40)
    explorer.value = small
    explorer.cancel()
    tables = {name: small.table(name) for name in small.names}
    tables["n7"] = 1 - tables["n7"]
    before = time.thread_time()
    explorer.value = BayesianNetwork(small.edges(), tables)
    # What every screen needs; noise follows on another thread. Far more than it takes.
    assert time.thread_time() - before < 0.5
    assert explorer.results.network.table("n7").tolist() == tables["n7"].tolist()
    explorer.cancel()
