"""The first notebook, run by Python in the browser: where a Pyodide is at hand, else reported as not run."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path

import lite
import pytest
from playwright.sync_api import Browser, expect

import pdp_widgets as pdp
from tests.lite.conftest import Visit, served, visiting

# A kernel is a download of some 40 MB, compiled in the page.
LONG = 180_000


@pytest.fixture(scope="module")
def own_address() -> Iterator[str]:
    """Where the site with its own Pyodide is served."""
    named = os.environ.get(lite.VARIABLE)
    if not named:
        pytest.skip(f"not run: {lite.VARIABLE} names no folder with a Pyodide distribution")
    site = lite.PLACE / "site-with-pyodide"
    lite.build(site, Path(named).resolve())
    with served(site) as url:
        yield url


@pytest.fixture
def own(chromium: Browser, own_address: str) -> Iterator[Visit]:
    """A page of that site."""
    with visiting(chromium, own_address) as page:
        yield page


def analysed(joint: pdp.JointDistribution) -> pdp.PriorAnalysis:
    """What the explorer computes in the browser, computed here."""
    return pdp.PriorAnalysis(joint, pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), scale=1.0))


def test_the_first_notebook_runs_in_the_browser_and_follows_an_edit(own: Visit) -> None:
    own.open("01-prior-knowledge.ipynb")
    # Else what is read could be what was saved.
    own.menu("Edit", "editmenu:clear-all")
    expect(own.notebook.get_by_text("1.49311 nats")).to_have_count(0)
    own.menu("Run", "runmenu:run-all")
    # The last cell shows the view of another explorer: all before it have run without an error.
    expect(own.notebook.locator(".pdp .px-lead").last).to_contain_text("1.809", timeout=LONG)

    own.page.evaluate("() => { document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0; }")
    lead = own.notebook.locator(".pdp .px-lead").first
    lsat = pdp.lsat6()
    before = float(analysed(lsat).largest)
    assert f"{before:.3f}" == "1.493"
    expect(lead).to_contain_text("learns up to 1.493")
    expect(own.notebook.get_by_text("1.49311 nats (exact): item 1, knowing none")).to_have_count(1)

    first = own.notebook.locator(".pdp td.gr-cell").first
    first.focus()
    first.press("Enter")
    own.page.keyboard.type("0.2")
    own.page.keyboard.press("Enter")
    table = lsat.table * (0.8 / (1 - lsat.table.flat[0]))
    table.flat[0] = 0.2
    edited = analysed(pdp.JointDistribution(table, names=lsat.names))
    assert float(edited.largest) > before + 0.5
    expect(lead).to_contain_text(f"learns up to {float(edited.largest):.3f}", timeout=LONG)
    # The scale that is enough comes later, though the kernel has no thread to look for it; it is rounded up.
    enough = math.ceil(edited.calibrate(1.0).scale * 100) / 100
    view = own.notebook.locator(".pdp").first
    expect(view.locator("section[aria-label='Release']")).to_contain_text(f"{enough:.2f}", timeout=LONG)
    expect(view.get_by_text("before the last edit").filter(visible=True)).to_have_count(0)
    assert own.elsewhere == []
