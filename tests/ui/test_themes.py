"""Light, dark and forced colours: every text can be read where it stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from pdp_widgets import JointTable, PriorExplorer, WHGGraph, lsat6
from tests.every_widget import CELLS, setup
from tests.ui.bridge import Bridge
from tests.ui.hands import expect_said, three, type_into

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")

SCHEMES = {
    "light": {},
    "dark": {"dark": True},
    "forced light": {"forced_colors": True},
    "forced dark": {"dark": True, "forced_colors": True},
}


def widgets() -> dict[str, Callable[[], Any]]:
    return {
        "table": lambda: JointTable(three()),
        "graph of 3": lambda: WHGGraph(PriorExplorer(three()).results, show_paper=True),
        "graph of 5": lambda: WHGGraph(PriorExplorer(lsat6()).results, show_paper=True, threshold=1.2),
        "explorer": lambda: PriorExplorer(lsat6(), show_paper=True, target="item 3", known=["item 1"]),
    }


def faint(bridge: Bridge, part: str = ".pdp") -> list[str]:
    """Return the texts with too little contrast in all widgets of the page, or in a part of them."""
    texts = [text for root in bridge.page.locator(part).all() for text in root.evaluate(CONTRAST)]
    return [f"{text['text']}: {text['ratio']}" for text in texts if text["ratio"] < 4.5]


def faint_in_any_scheme(bridge: Bridge, least: int) -> list[str]:
    """Return the texts of the one widget with too little contrast, by scheme; it has more than ``least``."""
    found: list[str] = []
    for name, scheme in SCHEMES.items():
        bridge.theme(**scheme)
        bridge.settle()
        texts = bridge.page.locator(".pdp").evaluate(CONTRAST)
        assert len(texts) > least, name
        found += [f"{name}: {text}" for text in texts if text["ratio"] < 4.5]
    bridge.theme()
    return found


def test_w26_every_text_of_every_widget_has_contrast(bridge: Bridge) -> None:
    names = setup()
    for module, cell in CELLS.items():
        view = bridge.show(eval(cell.source, names))
        bridge.settle()
        assert faint_in_any_scheme(bridge, least=15) == [], module
        view.remove()


def test_w26_every_text_beside_a_wrong_entry_and_an_estimate_has_contrast(bridge: Bridge) -> None:
    for name, make in widgets().items():
        view = bridge.show(make())
        bridge.settle()
        if name in ("table", "explorer"):
            row = "item 1 = 0, item 2 = 0, item 3 = 0"
            type_into(bridge, view, row if name == "table" else f"{row}, item 4 = 0, item 5 = 0", "-1")
            expect_said(view, "0 to 1")
        assert faint_in_any_scheme(bridge, least=20 if name == "table" else 40) == [], name
        view.remove()


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
