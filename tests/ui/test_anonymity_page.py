"""The explorer of k-anonymity in a published page: alive without a kernel and without a network."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import expect

from pdp_widgets import AnonymityAnalysis, AnonymityExplorer, clinic
from pdp_widgets.publish.page import html
from tests.ui.test_page import Opened, opened  # noqa: F401

#: Bytes of a page with one explorer.
_LARGEST = 450_000


def test_a_page_computes_another_class_size_and_another_budget(opened):  # noqa: F811
    explorer = AnonymityExplorer()
    explorer.wait()
    page: Opened = opened(explorer)
    field = page.root().get_by_label("Least class size k as a number")
    field.fill("9")
    field.press("Enter")
    # At once the classes, and a moment later what changes without each record.
    page.wait_for(2)
    found = AnonymityAnalysis(clinic(), ["age", "weight"], "diabetes", 9, level="III", known=0.3)
    classes = f"{len(found.classes)} classes of at least 9"
    expect(page.root().locator(".kx-table h3")).to_contain_text(classes)
    worst = f"worst, s = {int(found.sensitivity().largest)}"
    expect(page.root().locator(".kx-sensitivity")).to_contain_text(worst)
    before = page.changes()
    page.root().get_by_role("slider", name="Budget ε").press("End")
    page.wait_for(before + 1)
    shown = page.root().locator(".px-big").inner_text()
    np.testing.assert_allclose(
        float(shown.split(" ")[0].replace("−", "-")), found.slack(2.5).delta, rtol=0.05
    )
    page.root().get_by_role("radiogroup", name="Level of the adversary").get_by_text("I", exact=True).click()
    page.wait_for(before + 2)
    expect(page.root().locator(".px-lead")).to_contain_text("to someone who knows no record")


def test_a_page_of_one_explorer_is_small(tmp_path: Path):
    explorer = AnonymityExplorer()
    explorer.wait()
    page = html(explorer, tmp_path / "clinic.html")
    size = page.stat().st_size
    assert size < _LARGEST, size
    assert not re.search(r"(src|href)=.https?:", page.read_text("utf-8"))
