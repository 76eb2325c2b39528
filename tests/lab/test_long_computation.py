"""A computation of more than 20 seconds in a real kernel, which answers others meanwhile."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.lab.conftest import Lab

BIG = """
import numpy as np
import pdp_widgets as pdp
from pdp_widgets.leakage.prior.exact_all import check_work
rng = np.random.default_rng(1)
table = pdp.JointDistribution(rng.dirichlet(np.ones(2 ** 14)).reshape((2,) * 14))
big = pdp.PriorExplorer(table, query=[1 + k / 7 for k in range(14)])
big
"""
SMALL = "small = pdp.PriorExplorer(pdp.lsat6().marginal(['item 1', 'item 2', 'item 5']))\nsmall"
EXPECTED = """[
    f'{float(pdp.PriorAnalysis(small.value, pdp.LaplaceMechanism(query, scale)).largest):.3f}'
    for query in [small.results.mechanism.query] for scale in (1, 2, 4)
]"""


def percent(bar: Locator) -> int:
    """How far the computation is."""
    return int(bar.get_attribute("aria-valuenow") or 0)


def test_w33_others_are_answered_while_it_runs_and_it_can_be_cancelled(desk: Lab) -> None:
    desk.write_notebook("long.ipynb", BIG, SMALL, "ran = 1")
    desk.show("long.ipynb")
    # The harder case: every message waits for the one thread that also runs cells.
    desk.ask("panel => { panel.context.sessionContext.session.kernel.commsOverSubshells = 'disabled'; }")
    desk.run_cell(0)
    desk.run_cell(1)
    big, small = desk.panel.locator(".pdp").first, desk.panel.locator(".pdp").last
    first, second, third = desk.value(EXPECTED)
    assert desk.value("check_work(big.value, big.results.mechanism, 'sup')") > 20
    before = desk.value("float(big.results.largest)")
    expect(small.locator(".px-lead")).to_contain_text(first)
    big.get_by_role("radio", name="worst case").click()
    bar = big.get_by_role("progressbar", name="Computing")
    expect(bar).to_be_visible()
    # The other explorer answers, twice, and a cell runs, all while this one goes on.
    for scale, leakage in (("2", second), ("4", third)):
        done = percent(bar)
        small.get_by_label("Scale λ as a number").fill(scale)
        small.get_by_label("Scale λ as a number").press("Enter")
        expect(small.locator(".px-lead")).to_contain_text(leakage, timeout=8000)
        desk.page.wait_for_function(
            "([bar, done]) => bar.ariaValueNow > done", arg=[bar.element_handle(), done]
        )
    desk.run_cell(2)
    expect(desk.panel.locator(".jp-CodeCell .jp-InputPrompt").nth(2)).to_contain_text("[3]")
    assert desk.value("[ran, small.scale, big.busy]") == [1, 4.0, True]
    expect(bar).to_be_visible()
    big.get_by_role("button", name="Cancel").click()
    expect(bar).to_be_hidden()
    expect(big.locator(".line:visible")).to_contain_text("Cancelled.")
    assert desk.value("[big.busy, big.current, float(big.results.largest)]") == [False, False, before]
