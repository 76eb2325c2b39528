"""The main job from beginning to end, on the answers of the test takers."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from playwright.sync_api import expect

from pdp_widgets import (
    JointTable,
    LaplaceMechanism,
    LinearQuery,
    PriorAnalysis,
    PriorExplorer,
    WHGGraph,
    lsat6,
)
from tests.ui.bridge import Bridge, View
from tests.ui.hands import cell, drag, lead, three, type_into, type_scale


def agrees(view: View, explorer: PriorExplorer) -> None:
    """Every number on screen is that of a fresh computation in Python."""
    mechanism = LaplaceMechanism(LinearQuery.sum(explorer.value), explorer.scale)
    fresh = PriorAnalysis(explorer.value, mechanism, explorer.instance)
    assert np.allclose(fresh.exact, explorer.results.exact, rtol=1e-12)
    rows = view.root.get_by_role("table", name="Leakage of every adversary").locator("tbody tr")

    def off() -> list[tuple[str, float]]:
        """What stands in the table for screen readers, where it is not the number of Python."""
        shown = rows.evaluate_all("rows => rows.map((row) => row.querySelectorAll('td')[1].innerText)")
        assert len(shown) == fresh.exact.size
        pairs = zip(shown, fresh.exact.ravel(), strict=True)
        return [(t, v) for t, v in pairs if abs(float(t) - v) > 0.51 * 10 ** -len(t.partition(".")[2])]

    # It follows after a pause, so that a drag does not chatter.
    for _ in range(40):
        if not off():
            break
        view.root.page.wait_for_timeout(50)
    assert off() == []
    promise = f"{fresh.promise:.3f}"
    assert promise in lead(view)
    largest = re.search(r"learns up to ([\d.]+)", lead(view).replace("\n", " "))
    assert largest is not None
    assert abs(float(largest[1].rstrip(".")) - float(fresh.largest)) < 6e-4
    chosen = fresh.node(explorer.target, explorer.known)
    fact = view.root.get_by_role("region", name="Chosen adversary")
    assert f"{float(chosen):.3f}" in fact.inner_text()


def test_the_picture_tells_the_story_before_anything_is_touched(bridge: Bridge) -> None:
    view = bridge.show(PriorExplorer(lsat6()))
    bridge.settle()
    sentence = lead(view).replace("\n", " ")
    assert "no " in sentence
    assert "1.000 nats" in sentence
    assert "learns up to 1.493 about item 1: 49 % more than promised" in sentence
    expect(view.root.locator(".lg-max:visible").first).to_be_visible()


def test_the_main_job_from_beginning_to_end(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    bridge.settle()
    agrees(view, explorer)
    # One cell moves every number.
    type_into(bridge, view, "item 1 = 0, item 2 = 0, item 3 = 0", "0.15")
    agrees(view, explorer)
    # The scale: in the sentence by dragging, by the slider, by typing.
    drag(bridge, view.root.locator(".drag-number"), 30)
    assert explorer.scale > 1.4
    agrees(view, explorer)
    type_scale(bridge, view, "0,5")
    agrees(view, explorer)
    # Another adversary: click a node, and the curves are about that one.
    view.root.get_by_role("button", name=re.compile("[aA]bout item 2, knows item 3:")).click()
    bridge.settle()
    assert (explorer.target, explorer.known) == ("item 2", ("item 3",))
    expect(
        view.root.get_by_role("group", name="Densities of r given item 2, and their log ratio")
    ).to_be_visible()
    agrees(view, explorer)
    # Know one more, attack another one, know other values.
    view.root.get_by_role("button", name="item 1, known").click()
    bridge.settle()
    assert explorer.known == ("item 1", "item 3")
    view.root.get_by_label("Attacked tuple").select_option("item 3")
    bridge.settle()
    assert (explorer.target, explorer.known) == ("item 3", ("item 1",))
    view.root.get_by_label(re.compile("^Value of item 1")).select_option("0")
    bridge.settle()
    assert explorer.instance[0] == 0
    agrees(view, explorer)
    # The marked rows of the table fit what is known.
    expect(view.root.get_by_text("that fit what the adversary knows")).to_be_visible()
    # Threshold: how many are above it.
    handle = view.root.get_by_role("slider", name="Threshold")
    handle.focus()
    bridge.page.keyboard.press("PageDown")
    bridge.settle()
    assert explorer.threshold is not None
    above = int((explorer.results.exact > explorer.threshold).sum())
    assert f"{above} of 12" in (handle.get_attribute("aria-valuetext") or "")
    # Independent tuples leak the promise and no more.
    type_scale(bridge, view, "1")
    view.root.get_by_role("button", name="Independent").click()
    bridge.settle()
    assert np.allclose(explorer.results.exact, 1)
    assert "the promise holds" in lead(view)
    agrees(view, explorer)


def test_the_posterior_follows_r_and_is_python_s(bridge: Bridge) -> None:
    explorer = PriorExplorer(three(), target="item 1", known=["item 2"])
    view = bridge.show(explorer)
    handle = view.root.get_by_role("slider", name="Published value r")
    for key in ("Home", "End", "PageDown"):
        handle.focus()
        bridge.page.keyboard.press(key)
        r = float(handle.get_attribute("aria-valuenow") or "nan")
        adversary = explorer.results.adversary("item 1", ["item 2"])
        picture = view.root.get_by_role("img", name=re.compile("^Probability of item 1"))
        after = re.findall(r"([\d.]+) after", picture.get_attribute("aria-label") or "")
        assert [float(p) for p in after] == [
            round(float(p), 3) for p in np.ravel(list_of(adversary.posterior(r)))
        ]


def list_of(posterior: object) -> list[float]:
    return list(posterior.values()) if isinstance(posterior, dict) else list(posterior)  # type: ignore[call-overload]


def test_hovering_an_edge_or_a_node_says_its_numbers(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    graph = WHGGraph(explorer.results)
    view = bridge.show(graph)
    node = view.root.get_by_role("button", name=re.compile("[aA]bout item 2, knows item 1:"))
    node.hover()
    readout = view.root.locator(".lg-readout")
    expect(readout).to_contain_text("about item 2, knows item 1")
    expect(readout).to_contain_text("1.110")
    view.root.get_by_role("checkbox", name="paper’s estimate").check()
    bridge.settle()
    assert graph.show_paper
    expect(view.root.locator(".lg-badge").first).to_be_visible()
    node.hover()
    # The increment from knowing all the others to knowing item 1.
    increment = f"{explorer.results.node('item 2', ['item 1']).value - 1:+.3f}"
    expect(view.root.locator(".lg-increments .lg-middle", has_text=increment).first).to_be_visible()


def test_a_data_frame_loaded_in_python_is_shown(bridge: Bridge) -> None:
    frame = pd.DataFrame({"smoker": ["no", "no", "yes", "no"], "ill": [0, 0, 1, 1]})
    table = JointTable(three())
    view = bridge.show(table)
    table.load(frame)
    bridge.settle()
    assert "0.5" in cell(view, "smoker no, ill = 0").inner_text()
    expect(view.root.get_by_text("4 records")).to_be_visible()
    type_into(bridge, view, "smoker no, ill = 0", "0.25")
    assert table.value.probability(("no", 0)) == 0.25
