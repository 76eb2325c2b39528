"""The explorer of k-anonymity in a published page: alive without a kernel and without a network."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import expect

from pdp_widgets import AnonymityAnalysis, AnonymityExplorer, clinic
from pdp_widgets.publish.page import html
from tests.ui.hands import slack_text
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
    page.root().get_by_role("radiogroup", name="Level of the adversary").get_by_text(
        "Nothing", exact=True
    ).click()
    page.wait_for(before + 2)
    expect(page.root().locator(".px-lead")).to_contain_text("to an adversary who knows no record")


def test_a_page_of_many_records_computes_all_but_other_classes(opened):  # noqa: F811
    rng = np.random.default_rng(8)
    data = {
        "age": rng.integers(18, 90, 5000).tolist(),
        "pay": np.round(rng.gamma(3.0, 900.0, 5000)).tolist(),
        "ill": [str(one) for one in rng.choice(["no", "yes"], 5000, p=[0.9, 0.1])],
    }
    explorer = AnonymityExplorer(data, ["age"], "ill", k=20)
    explorer.wait()
    page: Opened = opened(explorer)
    root = page.root()
    expect(root.get_by_label("Least class size k as a number")).to_be_disabled()
    expect(root.locator(".kx-kept")).to_have_text("k and columns stay as saved.")
    expect(root.locator(".kx-table .px-fold")).to_have_attribute(
        "title", re.compile("does not have all 5,000 records")
    )
    for name, text, changed in (
        ("Share known in per cent", "99", {"known": 0.99}),
        ("Records in the release, n", "300", {"known": 0.99, "n": 300}),
    ):
        before = page.changes()
        root.get_by_label(name, exact=True).fill(text)
        root.get_by_label(name, exact=True).press("Enter")
        page.wait_for(before + 1)
        found = AnonymityAnalysis(data, ["age"], "ill", 20, level="III", **changed).slack(1.0).delta
        expect(root.locator(".px-big")).to_have_text(f"{slack_text(found)} δ")
    before = page.changes()
    root.locator(".kx-terms > summary").click()
    root.get_by_text("being there", exact=True).click()
    page.wait_for(before + 1)
    expect(root.locator(".px-lead")).to_contain_text("the odds that anyone else is in the data")


def test_what_many_records_embed_is_small():
    rng = np.random.default_rng(9)
    columns = {f"c{k}": rng.integers(0, 10**k, 20_000).tolist() for k in range(1, 8)}
    explorer = AnonymityExplorer(columns, ["c1"], k=50)
    explorer.wait()
    laws = explorer._embedded()["laws"]["columns"]
    assert [one is not None for one in laws] == [True, True, True, False, False, False, False]
    assert sum(len(one["values"]) + len(one["counts"]) for one in laws if one) < 140_000


def test_a_page_of_one_explorer_is_small(tmp_path: Path):
    explorer = AnonymityExplorer()
    explorer.wait()
    page = html(explorer, tmp_path / "clinic.html")
    size = page.stat().st_size
    assert size < _LARGEST, size
    assert not re.search(r"(src|href)=.https?:", page.read_text("utf-8"))
