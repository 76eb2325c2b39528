"""What a leakage means, under a person's hands: two lines, two labels and a table, in all explorers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from pdp_widgets import (
    AnonymityExplorer,
    DependenceExplorer,
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    LaplaceMechanism,
    LinearQuery,
    LocalAnalysis,
    LocalExplorer,
    MarkovChain,
    PriorAnalysis,
    PriorExplorer,
    StreamSimulator,
    titanic,
)
from tests.ui.axe import violations
from tests.ui.bridge import Bridge
from tests.ui.hands import drag
from tests.ui.test_local_page import set_budget
from tests.ui.test_page import opened

__all__ = ["opened"]

_MOODS = JointDistribution(
    [[0.2, 0.05], [0.15, 0.2], [0.05, 0.35]], [["ill", "tired", "well"], [0, 1]], ["mood", "sleep"]
)
_QUERY = LinearQuery([[0, 1, 3], [0, 1]])
_CHAIN = MarkovChain([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.3, 0.2, 0.5]], [0.2, 0.3, 0.5])
_MAKERS = {
    "prior": lambda: PriorExplorer(_MOODS, query=_QUERY, target="mood"),
    "gaussian": lambda: GaussianExplorer(GaussianModel(None, [[1, 0.5], [0.5, 1]])),
    "local": lambda: LocalExplorer(titanic(), source="class", secret="survived"),
    "stream": lambda: StreamSimulator(_CHAIN, 0.7, ["crr", "crr_balanced"], steps=3),
    "dependence": DependenceExplorer,
    "anonymity": AnonymityExplorer,
}


def _words(panel: Locator) -> list[str]:
    """Return what is said below both charts."""
    return [text.replace("\u00a0", " ") for text in panel.locator(".wm-words").all_inner_texts()]


@pytest.mark.parametrize("kind", _MAKERS)
def test_both_lines_are_moved_by_keys_and_by_the_hand(bridge: Bridge, kind: str) -> None:
    view = bridge.show(_MAKERS[kind]())
    bridge.settle()
    panel = view.root.get_by_role("region", name="What it means")
    for place, name in enumerate(["False alarms", "Budget at which δ is read"]):
        line = panel.get_by_role("slider", name=name)
        before, at = _words(panel), float(line.get_attribute("aria-valuenow") or "nan")
        line.focus()
        bridge.page.keyboard.press("PageUp")
        moved = float(line.get_attribute("aria-valuenow") or "nan")
        assert moved > at
        after = _words(panel)
        assert after[place] != before[place]
        assert after[1 - place] == before[1 - place]
        drag(bridge, line.locator(".density-grip"), 40)
        assert float(line.get_attribute("aria-valuenow") or "nan") > moved
        assert _words(panel)[place] != after[place]
    assert violations(bridge) == []


def test_two_of_three_labels_are_told_apart_as_python_does(bridge: Bridge) -> None:
    view = bridge.show(PriorExplorer(_MOODS, query=_QUERY, target="mood"))
    panel = view.root.get_by_role("region", name="What it means")
    panel.get_by_label("Label looked for").select_option("tired")
    panel.get_by_label("Label mistaken for it").select_option("well")
    found = PriorAnalysis(_MOODS, LaplaceMechanism(_QUERY, 1)).meaning("mood")
    hits = 1 - float(found.measure("trade_off", ("well", "tired"), alpha=0.05))
    assert f"finds {100 * hits:.1f} % of tired" in _words(panel)[0]
    panel.get_by_text("All measures").click()
    row = panel.locator("tr[data-key=advantage] td").first
    expect(row).to_have_text(f"{float(found.measure('advantage', ('well', 'tired'))):.3f}")
    # One of both cannot be the other: they change places.
    panel.get_by_label("Label looked for").select_option("well")
    expect(panel.get_by_label("Label mistaken for it")).to_have_value("tired")
    assert re.search(r"of well; the promise allows", _words(panel)[0])
    assert violations(bridge) == []


def test_the_panel_of_a_stream_is_about_the_mechanism_that_is_chosen(bridge: Bridge) -> None:
    view = bridge.show(_MAKERS["stream"]())
    panel = view.root.get_by_role("region", name="What it means")
    before = _words(panel)
    panel.get_by_label("Release").select_option("Balanced")
    assert _words(panel) != before
    expect(panel.get_by_text("step 3", exact=True)).to_be_visible()


def test_a_page_without_a_kernel_says_what_another_budget_means(opened):
    page = opened(LocalExplorer(titanic(), "GRR", 1.0, source="sex", secret="survived"))
    panel = page.root().get_by_role("region", name="What it means")
    set_budget(page, "2")
    found = LocalAnalysis(titanic(), "GRR", 2.0).meaning("survived", ["sex"])
    chances = [float(found.measure(name)) for name in ("prior_vulnerability", "posterior_vulnerability")]
    for chance in chances:
        expect(panel.locator(".wm-lead")).to_contain_text(
            f" {100 * chance:.1f}".removesuffix(".0") + "\u00a0%"
        )
    panel.get_by_role("slider", name="Budget at which δ is read").press("Home")
    expect(panel.locator(".wm-words").last).to_contain_text(f"δ is {float(found.delta(0.0)):.3f}")
