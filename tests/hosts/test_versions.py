"""A front end and a Python of different versions, as after an update while the kernel runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

import pdp_widgets as pdp
from pdp_widgets.publish import html as make_page
from tests.hosts.conftest import ITEMS, Watched, largest
from tests.ui.bridge import Bridge


def table() -> pdp.JointDistribution:
    """Three answers of the test takers."""
    return pdp.lsat6().marginal(ITEMS)


MODEL = pdp.GaussianModel([5, 4], [[1.4, 0.6], [0.6, 1]])
WIDGETS: dict[str, Callable[[], Any]] = {
    "JointTable": lambda: pdp.JointTable(table()),
    "WHGGraph": lambda: pdp.WHGGraph(pdp.PriorExplorer(table()).results),
    "CovarianceEditor": lambda: pdp.CovarianceEditor(MODEL),
    "PriorExplorer": lambda: pdp.PriorExplorer(table()),
    "GaussianExplorer": lambda: pdp.GaussianExplorer(MODEL),
    "LocalExplorer": lambda: pdp.LocalExplorer(table()),
    "AnonymityExplorer": pdp.AnonymityExplorer,
    "AttackExplorer": lambda: pdp.AttackExplorer(grid=8),
    "DependenceExplorer": lambda: pdp.DependenceExplorer(table()),
}


def place_with_picture(bridge: Bridge, widget: Any) -> str:
    """Put the widget's picture into the page as the first output of a cell; return where its view goes."""
    place = bridge.container("")
    bridge.page.locator(place).evaluate(
        """(box, picture) => {
            box.innerHTML = `<div class="jp-OutputArea-child"><div>${picture}</div></div>`;
        }""",
        widget.saved_outputs()["text/html"],
    )
    return place


def test_w27_every_widget_names_both_versions_and_keeps_its_picture(
    open_bridge: Callable[..., Bridge],
) -> None:
    bridge = open_bridge()
    for name, make in WIDGETS.items():
        widget = make()
        widget._package = "9.1"
        place = place_with_picture(bridge, widget)
        view = bridge.show(widget, place)
        line = view.root.get_by_role("status")
        expect(line, name).to_contain_text(f"Python runs 9.1, this front end is of {pdp.__version__}.")
        expect(line, name).to_contain_text("Restart the kernel")
        expect(view.root.locator("section, input, table"), name).to_have_count(0)
        picture = bridge.page.locator(f"{place} .pdp-static")
        expect(picture, name).to_be_visible()
        view.remove()
        # With Python's own version it is drawn, and the picture gives way.
        widget._package = pdp.__version__
        view = bridge.show(widget, place)
        expect(view.root.locator("section").first, name).to_be_visible()
        expect(picture, name).to_be_hidden()


def test_w27_a_page_names_both_versions_and_keeps_its_picture(
    tmp_path: Path, watch: Callable[..., Watched]
) -> None:
    # Python refuses to make such a page (tests/publish), so its state is changed afterwards.
    file = make_page(pdp.PriorExplorer(table()), tmp_path / "page.html")
    text = file.read_text(encoding="utf-8")
    block = re.search(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    assert block
    state = json.loads(block[1]) | {"version": 99, "package": "9.1"}
    file.write_text(text.replace(block[1], json.dumps(state)), encoding="utf-8")
    host = watch(of_the_host=("It was saved by pdp_widgets",))
    host.page.goto(file.as_uri())
    note = host.page.locator(".pdp-note")
    expect(note).to_contain_text("saved by pdp_widgets 9.1")
    expect(note).to_contain_text(f"this page is of pdp_widgets {pdp.__version__}")
    expect(host.page.locator("figure.pdp-static")).to_be_visible()
    assert largest(1.0) in host.page.locator("figure.pdp-static").inner_text()
    assert host.view.count() == 0
