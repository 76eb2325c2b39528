"""What is cut off has its full words at hand, and nothing jumps or collides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from pdp_widgets import JointDistribution, LinearQuery, PriorExplorer, lsat6
from pdp_widgets.widgets import prior_explorer, prior_state
from tests.ui.bridge import Bridge, View
from tests.ui.hands import type_scale, until
from tests.ui.test_large_explorer import Held, percent

NAMES = [
    *("age over 60", "smoker", "diabetes", "hypertension", "symptomatic at admission", "asthma"),
    *("vaccinated", "contact with a case", "fever", "cough", "male", "obese", "immunosuppressed"),
    *("hospitalised", "positive test"),
]
# Words that are cut off, unless pointing at them tells them in full.
CUT_OFF = """root => {
    const out = [];
    for (const el of root.querySelectorAll("*")) {
        const style = getComputedStyle(el);
        if (style.textOverflow !== "ellipsis" || style.visibility === "hidden") continue;
        if (el.tagName === "SELECT" || el.scrollWidth <= el.clientWidth || el.clientWidth === 0) continue;
        el.scrollIntoView({ block: "center" });
        const box = el.getBoundingClientRect();
        let at = el.getRootNode().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const words = el.textContent.trim();
        let told = "";
        for (; at; at = at.parentElement) told += " " + (at.getAttribute("title") ?? "");
        if (!told.includes(words)) out.push(el.className + ": " + words);
    }
    return out;
}"""
# Between the lead, whose sentence may have another length, and the panels.
TOP = """root => root.querySelector('.px-columns').getBoundingClientRect().top
    - root.querySelector('.px-lead').getBoundingClientRect().bottom"""


def patients(n: int) -> JointDistribution:
    rng = np.random.default_rng(n)
    ill = rng.random(5000) < 0.4
    rows = (rng.random((n, 5000)) < np.where(ill, 0.7, 0.25)).astype(int)
    counts = np.zeros((2,) * n)
    np.add.at(counts, tuple(rows), 1)
    return JointDistribution.from_counts(counts, [["no", "yes"]] * n, NAMES[:n])


def test_what_is_cut_off_is_told_in_full_and_the_chosen_adversary_stands_beside_a_long_graph(
    bridge: Bridge,
) -> None:
    chosen: Any = {"target": "symptomatic at admission", "known": ["hypertension"]}
    few = bridge.show(PriorExplorer(patients(5), **chosen))
    bridge.settle()
    assert few.root.evaluate(CUT_OFF) == []
    few.remove()
    view = bridge.show(PriorExplorer(patients(15), **chosen))
    bridge.settle()
    expect(view.root.locator(".chip-target")).to_be_visible()
    assert view.root.evaluate(CUT_OFF) == []
    # Many names are counted in the head.
    expect(view.root.locator(".px-title")).to_have_text("15 tuples, 5,000 records")
    table, middle, fact, posterior, densities, graph = side_by_side(view)
    # Two columns beside the graph, filled to within the height of a few lines.
    left = densities["y"] + densities["height"]
    assert abs(left - graph["y"] - graph["height"]) < 200
    assert fact["y"] >= max(table["y"] + table["height"], middle["y"] + middle["height"])
    assert fact["x"] == table["x"]
    assert posterior["x"] == middle["x"]
    assert all(part["x"] + part["width"] <= graph["x"] for part in (fact, posterior, densities))
    bridge.page.set_viewport_size({"width": 860, "height": 900})
    bridge.settle()
    *_, densities, graph = side_by_side(view)
    assert densities["y"] > graph["y"] + graph["height"]


def test_the_panels_stay_where_they_are_whatever_is_said(
    bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in (1100, 760):
        bridge.page.set_viewport_size({"width": width, "height": 900})
        view = bridge.show(PriorExplorer(lsat6().marginal(["item 1", "item 2", "item 5"])))
        bridge.settle()
        tops = {"nothing": view.root.evaluate(TOP)}
        type_scale(bridge, view, "-1")
        tops["an error"] = view.root.evaluate(TOP)
        bridge.page.keyboard.press("Escape")
        held = Held()
        with monkeypatch.context() as slow:
            slow.setattr(prior_state, "LONG", -1.0)
            slow.setattr(prior_explorer, "results_for", held)
            type_scale(bridge, view, "2")
            until(bridge, lambda view=view: percent(view) == "37 %")  # type: ignore[misc]
            tops["progress"] = view.root.evaluate(TOP)
            view.root.get_by_role("button", name="Cancel").click()
            bridge.settle()
            tops["a way on"] = view.root.evaluate(TOP)
        held.go_on.set()
        assert len(set(tops.values())) == 1, (width, tops)
        view.remove()


def side_by_side(view: View) -> list[dict[str, float]]:
    parts = (".px-table", ".px-middle", ".px-fact", ".px-posterior", ".px-densities", ".px-leak")
    return [view.root.locator(part).bounding_box() for part in parts]


LABELS = """svg => [...svg.querySelectorAll("text")].map(e => {
    const b = e.getBoundingClientRect();
    return [e.textContent, b.left, b.top, b.right, b.bottom];
})"""
SYMPTOMS = ["no symptoms at all", "mild symptoms", "severe symptoms"]


def test_words_in_the_density_keep_clear_of_each_other_and_of_the_handle(bridge: Bridge) -> None:
    weights = np.random.default_rng(1).random((3, 3, 3))
    joint = JointDistribution.normalised(weights, domains=[SYMPTOMS] * 3)
    query = LinearQuery([[0, 1, 2], [0, 2, 4], [0, 1, 2]])
    explorer = PriorExplorer(joint, query=query, show_paper=True)
    view = bridge.show(explorer)
    for scale in (0.2, 1.0, 5.0):
        explorer.scale = scale
        bridge.settle()
        picture = view.root.locator(".density-svg")
        texts = picture.evaluate(LABELS)
        for k, (one, x0, y0, x1, y1) in enumerate(texts):
            for other, u0, v0, u1, v1 in texts[k + 1 :]:
                apart = max(u0 - x1, x0 - u1)
                assert apart > 0 or max(v0 - y1, y0 - v1) > -4, (scale, one, other)
                # Words in one line are not read as one.
                if one.startswith("if ") and other.startswith("if ") and abs(v0 - y0) < 4:
                    assert apart >= 8, (scale, one, other)
        (title,) = [text for text in texts if text[0].startswith("log ratio")]
        line = view.root.locator(".density-svg .density-line")
        handle = view.root.get_by_role("slider", name="Published value r")
        for key in ("Home", "ArrowRight", "End"):
            handle.press(key)
            bridge.settle()
            box = line.bounding_box()
            if title[1] - 3 < box["x"] < title[3] + 3:
                assert line.get_attribute("d").count("M") == 2
        assert line.get_attribute("d").count("M") == 1
