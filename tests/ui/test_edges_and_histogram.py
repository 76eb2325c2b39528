"""Edges of the chosen adversary and a whole histogram, in the page."""

from __future__ import annotations

from playwright.sync_api import expect

from pdp_widgets import PriorExplorer, lsat6

from .bridge import Bridge


def test_a_whole_histogram_is_picked_without_curves_and_edges_open_by_key_and_follow(bridge: Bridge) -> None:
    explorer = PriorExplorer(lsat6(), noun="answer")
    view = bridge.show(explorer)
    bridge.settle()
    view.root.get_by_label("Query").select_option("Whole histogram")
    bridge.settle()
    assert len(explorer.query) == 2
    expect(view.root.locator(".px-lead")).to_contain_text("2.000 nats")
    expect(view.root.locator(".px-big")).to_contain_text(f"{explorer.results.largest.value:.3f}")
    densities = view.root.get_by_role("region", name="Densities")
    expect(densities).to_contain_text("2 numbers released together: no curve over one r can show")
    expect(densities.locator(".density-svg")).to_be_hidden()
    view.root.get_by_label("Query").select_option("Sum")
    bridge.settle()
    expect(densities.locator(".density-svg")).to_be_visible()
    # The edges of another adversary.
    explorer.target, explorer.known = "item 1", ["item 2"]
    bridge.settle()
    summary = view.root.locator("details.px-edges > summary")
    summary.focus()
    bridge.page.keyboard.press("Enter")
    table = view.root.locator(".px-edges-table")
    weight = explorer.results.edge("item 1", "item 2")
    row = table.locator("tbody tr").first
    expect(row).to_contain_text("without item 2")
    shown = [f"+{weight.ic_range[0]:.3f}", f"+{weight.ir_range[0]:.3f}", f"{weight.rho:.3f}"]
    expect(row.locator("td")).to_have_text(shown)
    explorer.known = ["item 2", "item 3"]
    bridge.settle()
    expect(table.locator("tbody tr").nth(1)).to_contain_text("without item 3")
    expect(view.root.locator("details.px-edges")).to_have_attribute("open", "")
