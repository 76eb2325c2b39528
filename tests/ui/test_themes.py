"""Light, dark and forced colours: every text can be read where it stands."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import expect

from pdp_widgets import PriorExplorer, WHGGraph
from tests.ui.bridge import Bridge
from tests.ui.hands import three

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")

SCHEMES = {
    "light": {},
    "dark": {"dark": True},
    "forced light": {"forced_colors": True},
    "forced dark": {"dark": True, "forced_colors": True},
}
LIGHT_AND_DARK = ("light", "dark")


def faint(bridge: Bridge, part: str = ".pdp") -> list[str]:
    """Return the texts with too little contrast in all widgets of the page, or in a part of them."""
    texts = [text for root in bridge.page.locator(part).all() for text in root.evaluate(CONTRAST)]
    return [f"{text['text']}: {text['ratio']}" for text in texts if text["ratio"] < 4.5]


def faint_in(bridge: Bridge, schemes: Iterable[str], least: int = 0, part: str = ".pdp") -> list[str]:
    """Return the texts of the one widget with too little contrast, by scheme; it has more than ``least``."""
    found: list[str] = []
    for name in schemes:
        bridge.theme(**SCHEMES[name])
        bridge.settle()
        texts = bridge.page.locator(part).evaluate(CONTRAST)
        assert len(texts) > least, name
        found += [f"{name}: {text}" for text in texts if text["ratio"] < 4.5]
    bridge.theme()
    bridge.settle()
    return found


def test_w26_the_measure_sees_white_on_white(bridge: Bridge) -> None:
    view = bridge.show(WHGGraph(PriorExplorer(three()).results))
    node = view.root.locator(".lg-node").first
    node.evaluate("node => node.style.setProperty('--face', 'rgb(250, 250, 250)')")
    node.evaluate("node => node.style.setProperty('--on', '#fff')")
    assert any(text.startswith("none: ") for text in faint(bridge))


def test_w26_a_theme_that_changes_is_followed(bridge: Bridge) -> None:
    view = bridge.show(PriorExplorer(three()))
    node = view.root.locator(".lg-face").first
    light = node.evaluate("el => getComputedStyle(el).fill")
    bridge.theme(dark=True)
    bridge.settle()
    expect(view.root).to_have_attribute("data-dark", "")
    assert node.evaluate("el => getComputedStyle(el).fill") != light
    assert faint(bridge) == []
    bridge.theme()
    bridge.settle()
    assert node.evaluate("el => getComputedStyle(el).fill") == light


def test_w26_in_forced_colours_leakage_is_not_told_by_colour_alone(bridge: Bridge) -> None:
    bridge.theme(forced_colors=True)
    view = bridge.show(WHGGraph(PriorExplorer(three()).results))
    bar = view.root.locator(".lg-node .lg-bar").first
    assert bar.evaluate("el => getComputedStyle(el).display") != "none"
    assert float(bar.get_attribute("width") or 0) > 0
