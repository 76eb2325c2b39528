"""Light, dark and forced colours: every text can be read where it stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
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


@pytest.mark.parametrize("scheme", SCHEMES)
def test_w26_every_text_of_every_widget_has_contrast(bridge: Bridge, scheme: str) -> None:
    bridge.theme(**SCHEMES[scheme])
    names = setup()
    for module, cell in CELLS.items():
        view = bridge.show(eval(cell.source, names))
        bridge.settle()
        texts = view.root.evaluate(CONTRAST)
        assert len(texts) > 15, module
        assert [t for t in texts if t["ratio"] < 4.5] == [], module
        view.remove()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_w26_every_text_has_contrast(bridge: Bridge, scheme: str) -> None:
    bridge.theme(**SCHEMES[scheme])
    for name, make in widgets().items():
        view = bridge.show(make())
        bridge.settle()
        if name in ("table", "explorer"):
            row = "item 1 = 0, item 2 = 0, item 3 = 0"
            type_into(bridge, view, row if name == "table" else f"{row}, item 4 = 0, item 5 = 0", "-1")
            expect_said(view, "0 to 1")
        texts = view.root.evaluate(CONTRAST)
        assert len(texts) > (20 if name == "table" else 40), name
        poor = [t for t in texts if t["ratio"] < 4.5]
        assert poor == [], name
        view.remove()


def test_w26_the_measure_sees_white_on_white(bridge: Bridge) -> None:
    view = bridge.show(WHGGraph(PriorExplorer(three()).results))
    node = view.root.locator(".lg-node").first
    node.evaluate("node => node.style.setProperty('--face', 'rgb(250, 250, 250)')")
    node.evaluate("node => node.style.setProperty('--on', '#fff')")
    poor = [t for t in view.root.evaluate(CONTRAST) if t["ratio"] < 4.5]
    assert "none" in [t["text"] for t in poor]


def test_w26_a_theme_that_changes_is_followed(bridge: Bridge) -> None:
    view = bridge.show(PriorExplorer(three()))
    node = view.root.locator(".lg-face").first
    light = node.evaluate("el => getComputedStyle(el).fill")
    bridge.theme(dark=True)
    bridge.settle()
    expect(view.root).to_have_attribute("data-dark", "")
    assert node.evaluate("el => getComputedStyle(el).fill") != light
    assert [t for t in view.root.evaluate(CONTRAST) if t["ratio"] < 4.5] == []
    bridge.theme()
    bridge.settle()
    assert node.evaluate("el => getComputedStyle(el).fill") == light


def test_w26_in_forced_colours_leakage_is_not_told_by_colour_alone(bridge: Bridge) -> None:
    bridge.theme(forced_colors=True)
    view = bridge.show(WHGGraph(PriorExplorer(three()).results))
    bar = view.root.locator(".lg-node .lg-bar").first
    assert bar.evaluate("el => getComputedStyle(el).display") != "none"
    assert float(bar.get_attribute("width") or 0) > 0
