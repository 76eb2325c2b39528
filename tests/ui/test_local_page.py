"""The explorer of local privacy in a page without a kernel."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

from pdp_widgets import AttributeTable, LocalAnalysis, LocalExplorer, titanic
from pdp_widgets.local import all_reports
from tests.ui.test_local_explorer import people
from tests.ui.test_page import Opened, opened

__all__ = ["opened"]


def set_budget(page: Opened, text: str) -> None:
    before = page.changes()
    field = page.root().get_by_label("Budget ε as a number")
    field.fill(text)
    field.press("Enter")
    page.wait_for(before + 1)


def test_a_table_is_explored_without_kernel_and_network(opened):
    page = opened(LocalExplorer(titanic(), "GRR", 1.0, source="class", secret="survived"))
    root = page.root()
    lead = root.locator(".px-lead")
    expect(lead).to_contain_text("leak 1.834, more than the paper’s sum of pairs, 1.808.")
    set_budget(page, "2")
    analysis = LocalAnalysis(titanic(), "GRR", 2.0)
    np.testing.assert_allclose(
        page.numbers("results", "matrix"), analysis.matrix.ravel(), rtol=1e-9, atol=1e-12
    )
    exact = [analysis.joint(name).exact.value for name in analysis.names]
    np.testing.assert_allclose(page.numbers("results", "totals", "exact"), exact, rtol=1e-9)
    expect(lead).to_contain_text(f"{exact[3]:.3f}")

    root.get_by_role("combobox", name="Mechanism").select_option("Subset selection (SS)")
    page.wait_for(2)
    root.get_by_role("button", name="age").click()
    page.wait_for(3)
    some = titanic().marginal(["class", "sex", "survived"])
    np.testing.assert_allclose(
        page.numbers("results", "matrix"),
        LocalAnalysis(some, "SS", 2.0).matrix.ravel(),
        rtol=1e-9,
        atol=1e-12,
    )
    root.get_by_text("When the sum is too low").click()
    root.get_by_role("button", name="Show it here").click()
    page.wait_for(4)
    expect(lead).to_contain_text("more than the paper’s sum of pairs, 2.000")
    for _ in range(4):
        before = page.changes()
        page.page.keyboard.press("Control+z")
        page.wait_for(before + 1)
    expect(lead).to_contain_text("leak 1.834, more than the paper’s sum of pairs, 1.808.")


def test_a_large_table_has_budgets_and_pairs_and_says_what_needs_a_kernel(opened):
    table = people(14)
    page = opened(LocalExplorer(table, "GRR", 1.0))
    root = page.root()
    set_budget(page, "2")
    matrix = LocalAnalysis(table, "GRR", 2.0).matrix
    np.testing.assert_allclose(page.numbers("results", "matrix"), matrix.ravel(), rtol=1e-9, atol=1e-12)
    root.get_by_role("gridcell", name="Report of attribute 3 about attribute 5").click()
    page.wait_for(2)
    expect(root.locator(".px-big")).to_have_text(f"{matrix[2, 4]:.3f} nats")
    root.get_by_role("button", name="attribute 9").click()
    expect(root.locator(".px-slot .line").first).to_contain_text("it needs a kernel")
    np.testing.assert_allclose(page.numbers("results", "matrix"), matrix.ravel(), rtol=1e-9, atol=1e-12)


def test_numbers_of_complete_records_are_those_of_the_library_at_every_budget(opened):
    full = people(6, 3)
    codes = np.array(full.codes)
    codes[::17, 2] = -1
    table = AttributeTable(codes, domains=full.domains, names=full.names)
    page = opened(LocalExplorer(table, "GRR", 1.0))
    root = page.root()
    strip, lead = root.locator(".px-audit"), root.locator(".px-lead")
    expect(strip).to_contain_text("among 376 complete records")
    expect(lead).to_contain_text("Among the 376 complete records, all six reports together leak")
    before, said = strip.inner_text(), lead.inner_text()
    for count in (1, 2):
        root.get_by_role("button", name="swap").click()
        page.wait_for(count)
        expect(strip).to_contain_text("among 376 complete records")
    assert (strip.inner_text(), lead.inner_text()) == (before, said)
    set_budget(page, "2")
    exact = all_reports(LocalAnalysis(table, "GRR", 2.0)).exact
    expect(lead).to_contain_text(
        f"Among the 376 complete records, all six reports together leak {exact[3]:.3f}, more than"
    )
    expect(strip).to_contain_text(f"{exact[3]:.3f}")
    expect(strip).to_contain_text("among 376 complete records")
    expect(strip.get_by_text("needs a kernel")).to_have_count(0)
    set_budget(page, "1")
    assert (strip.inner_text(), lead.inner_text()) == (before, said)
