"""The explorer of dependent tuples in a published page: alive without a kernel and without a network."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import expect

from pdp_widgets import DependenceAnalysis, DependenceExplorer
from pdp_widgets.models.joint_examples import covered_shift, xor_bits
from pdp_widgets.publish.page import html
from tests.ui.test_page import Opened, opened  # noqa: F401

#: Bytes of a page with one explorer.
_LARGEST = 450_000


def test_a_page_computes_another_budget_and_another_mechanism(opened):  # noqa: F811
    page: Opened = opened(DependenceExplorer())
    field = page.root().get_by_label("Budget ε as a number")
    field.fill("2")
    field.press("Enter")
    page.wait_for(1)
    found = DependenceAnalysis(covered_shift(), "sum", 2.0)
    exact = [float(one) for one in found.per_tuple]
    np.testing.assert_allclose(page.numbers("results", "exact"), exact, rtol=1e-9)
    expect(page.root().locator(".px-big")).to_have_text(f"{max(exact):.3f} nats")
    before = page.changes()
    page.root().get_by_role("button", name="DPM, any σ").click()
    page.wait_for(before + 1)
    bounded = DependenceAnalysis(covered_shift(), "sum", 2.0, "dpm_mean")
    means = [float(one) for one in bounded.per_tuple]
    np.testing.assert_allclose(page.numbers("results", "exact"), means, rtol=1e-9)


def test_a_page_of_one_explorer_is_small(tmp_path: Path):
    for name, source in (("shift", None), ("xor", xor_bits())):
        page = html(DependenceExplorer(source), tmp_path / f"{name}.html")
        size = page.stat().st_size
        assert size < _LARGEST, size
        assert not re.search(r"(src|href)=.https?:", page.read_text("utf-8"))
