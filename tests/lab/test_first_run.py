"""A notebook that runs as soon as it is open, or while the page still asks the kernel for its widgets."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.lab.conftest import Lab

MAKE = """
import ipywidgets as w
import pdp_widgets as pdp
joint = pdp.lsat6().marginal(["item 1", "item 2", "item 5"])
a = pdp.PriorExplorer(joint, scale=2)
a
"""
BOX = "b = pdp.PriorExplorer(joint, scale=2)\nw.VBox([b])"
WEIGHTED = "c = pdp.PriorExplorer(joint, query=[1, 2, 0.5], scale=2)\nc"
CHANGE = "a.scale = 4; b.scale = 4; c.scale = 4"


def _expect_scales(lab: Lab, scale: str) -> None:
    leads = lab.panel.locator(".px-lead")
    expect(leads).to_have_count(3)
    for k in range(3):
        expect(leads.nth(k)).to_contain_text(f"scale {scale}")
    expect(lab.panel.locator(".px-lead", has_text="…")).to_have_count(0)


def test_values_of_a_later_cell_are_shown_on_the_first_run_and_while_a_reloaded_page_restores(
    lab: Lab,
) -> None:
    lab.write_notebook("first.ipynb", MAKE, BOX, WEIGHTED, CHANGE)
    lab.open("first.ipynb")
    lab.run_all()
    _expect_scales(lab, "4.00")
    # Nothing may have gone wrong so far; what follows replaces models that were not drawn yet.
    assert lab.errors == []
    lab.save()
    lab.open("first.ipynb")
    lab.command("notebook:run-all-cells")
    lab.wait_until_idle()
    _expect_scales(lab, "4.00")
    lab.value("[setattr(e, 'scale', 5.0) for e in (a, b, c)] and None")
    _expect_scales(lab, "5.00")
    lab.overlook_replaced_models()
