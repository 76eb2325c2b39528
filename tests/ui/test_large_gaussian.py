"""A Gaussian explorer whose numbers take longer than a moment."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from pdp_widgets import GaussianAnalysis, GaussianExplorer, GaussianModel
from pdp_widgets.widgets import gaussian_explorer, gaussian_state
from pdp_widgets.widgets.gaussian_results import results_for
from tests.ui.axe import audit
from tests.ui.bridge import Bridge
from tests.ui.hands import type_scale, until
from tests.ui.test_gaussian_explorer import OLD_SAY_SO


class Held:
    """Computations that stop at a share until they may go on."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def __call__(self, inputs: Any, progress: Any = None) -> Any:
        while not self.go_on.wait(0.02):
            progress(0.37)
        return results_for(inputs, progress)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Let every edit in the page take long."""
    held = Held()
    monkeypatch.setattr(gaussian_state, "LONG", -1.0)
    monkeypatch.setattr(gaussian_explorer, "results_for", held)
    yield held
    held.go_on.set()


def test_progress_is_shown_and_cancel_keeps_the_last_results(bridge: Bridge, held: Held) -> None:
    explorer = GaussianExplorer(GaussianModel.equicorrelated(4, 0.3))
    before = explorer.results
    view = bridge.show(explorer)
    bridge.settle()
    root = view.root
    line, exact = root.locator(".px-running"), root.locator(".px-audit")
    slot = root.locator(".px-slot")
    height = slot.bounding_box()["height"]  # type: ignore[index]
    root.get_by_label("Query").select_option(label="Mean")
    until(bridge, lambda: "37 %" in line.inner_text())
    expect(exact).to_contain_text("Exact worst, a limit")
    expect(exact).to_contain_text("…")
    assert slot.bounding_box()["height"] == pytest.approx(height, abs=1)  # type: ignore[index]
    assert audit(bridge) == []
    # Another scale needs nothing new: what runs goes on.
    number = explorer._view["running"]["number"]
    type_scale(bridge, view, "2")
    until(bridge, lambda: explorer._view["scale"] == 2)
    assert explorer._view["running"]["number"] == number
    line.get_by_role("button", name="Cancel").click()
    until(bridge, lambda: explorer._view["stopped"] is not None)
    last = "esults belong to the values as last computed (the weights before the last edit, scale 1.00)."
    expect(slot).to_contain_text(f"Cancelled. The r{last}")
    # The new promise does not stand in one sentence with what leaks of another query.
    expect(root.locator(".px-lead")).to_contain_text(f"at most 0.125 nats. R{last}")
    # The numbers below are those of scale 1, and say so.
    expect(exact).to_contain_text(f"{float(before.largest):.3f}")
    assert before.scale == 1
    for part in OLD_SAY_SO:
        expect(root.locator(f"{part} .px-stale")).to_have_text(f"R{last}")
    expect(line).to_be_hidden()
    assert audit(bridge) == []
    assert explorer.results is before
    held.go_on.set()
    root.get_by_role("button", name="Compute").click()
    until(bridge, lambda: explorer.current)
    assert explorer.results == GaussianAnalysis(explorer.value, [0.25] * 4, 2)
    expect(slot).not_to_contain_text("belong")


def test_a_scale_that_is_dragged_waits_for_nobody(bridge: Bridge) -> None:
    root = np.random.default_rng(0).normal(size=(17, 20))
    explorer = GaussianExplorer(GaussianModel(None, root @ root.T / 17))
    exact = explorer.results.exact
    view = bridge.show(explorer)
    bridge.settle()
    type_scale(bridge, view, "4")
    until(bridge, lambda: explorer.scale == 4)
    assert explorer._progress == {}
    np.testing.assert_allclose(explorer.results.exact, exact / 4)
    expect(view.root.locator(".px-slot > .line:visible")).to_have_count(0)
