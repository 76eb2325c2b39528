"""What the panel that finds a budget promises, and for which records."""

from __future__ import annotations

import re

import numpy as np
from playwright.sync_api import expect

from pdp_widgets import AttributeTable, LocalExplorer
from tests.ui.bridge import Bridge
from tests.ui.test_local_explorer import people


def test_a_budget_says_for_which_records_it_holds(bridge: Bridge) -> None:
    table = people(3, 3)
    codes = np.array(table.codes)
    codes[::4, 1] = -1
    with_gaps = AttributeTable(codes, domains=table.domains, names=table.names)
    view = bridge.show(LocalExplorer(with_gaps, "GRR", 1.0, budget=1.5))
    bridge.settle()
    view.root.get_by_text("Find a budget").click()
    bridge.settle()
    panel = view.root.locator(".lx-more")
    expect(panel.get_by_role("row", name=re.compile("^Goal split evenly holds always"))).to_be_visible()
    expect(panel).to_contain_text("All reports together holds for 300 complete records")
    expect(panel).to_contain_text("Counted from 300 complete records of 400.")
