"""The table and the graph of an explorer as widgets of their own."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

from pdp_widgets import (
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
    WHGGraph,
)

from .bridge import Bridge


def test_an_explorers_table_says_which_rows_fit_and_follows(bridge: Bridge) -> None:
    joint = JointDistribution.normalised(np.arange(1.0, 9).reshape(2, 2, 2), names=["Ann", "Bob", "Cy"])
    explorer = PriorExplorer(joint, target="Ann", known=["Bob"])
    view = bridge.show(explorer.table)
    caption = view.root.locator(".jt-fit")
    expect(caption).to_contain_text("fit")
    explorer.known = []
    bridge.settle()
    expect(caption).to_be_hidden()
    explorer.value = JointDistribution([[0.3, 0.2], [0.2, 0.3]], names=["p", "q"])
    explorer.target, explorer.known = "p", ["q"]
    bridge.settle()
    expect(caption).to_be_visible()


def test_a_large_graph_of_its_own_has_the_increments_beside_the_chosen_adversary(bridge: Bridge) -> None:
    joint = JointDistribution.normalised(np.random.default_rng(8).gamma(0.5, size=(2,) * 8))
    results = PriorAnalysis(joint, LaplaceMechanism(LinearQuery.sum(joint), 1))
    graph = WHGGraph(results, target=0, known=[1, 2], show_paper=True)
    view = bridge.show(graph)
    expect(view.root.locator(".lg-caption")).to_contain_text("increments")
