"""An explorer of more adversaries than can be sent, and computations that take longer than a moment."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from pdp_widgets import JointDistribution, PriorExplorer
from pdp_widgets.widgets import prior_explorer, prior_state
from pdp_widgets.widgets.prior_results import results_for
from tests.ui.axe import audit
from tests.ui.bridge import Bridge, View
from tests.ui.hands import WAITING, expect_silence, lead, three, type_scale, until
from tests.ui.test_large_graph import first_drawing


def dependent(n: int) -> JointDistribution:
    rng = np.random.default_rng(n)
    common = rng.random(3000) < 0.4
    rows = (rng.random((n, 3000)) < np.where(common, 0.7, 0.25)).astype(int)
    counts = np.zeros((2,) * n)
    np.add.at(counts, tuple(rows), 1)
    return JointDistribution.normalised(counts + 0.1, names=[f"q{j + 1}" for j in range(n)])


class Held:
    """Computations that stop at a share until they may go on."""

    def __init__(self) -> None:
        self.share = 0.37
        self.go_on = threading.Event()

    def __call__(self, inputs: Any, last: Any = None, progress: Any = None, **limits: Any) -> Any:
        while not self.go_on.wait(0.02):
            progress(self.share)
        return results_for(inputs, last, progress, **limits)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Let every edit in the page take long."""
    held = Held()
    monkeypatch.setattr(prior_state, "LONG", -1.0)
    monkeypatch.setattr(prior_explorer, "results_for", held)
    yield held
    held.go_on.set()


def percent(view: View) -> str:
    shown = view.root.locator(".px-running:visible .px-percent")
    return shown.inner_text() if shown.count() else ""


def test_fifteen_attributes_are_explored(bridge: Bridge) -> None:
    explorer = PriorExplorer(dependent(15))
    view, spent = first_drawing(bridge, explorer)
    assert spent < 1000
    bridge.settle()
    summary = view.root.get_by_role("region", name="Joint distribution")
    expect(summary).to_contain_text("15 tuples, 32,768 cells, all can occur.")
    expect(summary).to_contain_text("8 largest of 105 pairs")
    assert view.root.locator(".jt-bars").first.locator("tr").count() == 15
    expect(view.root).to_contain_text("of 245,760 above")
    assert audit(bridge) == []
    # Another adversary, found by what they know.
    view.root.get_by_label("Who knows").fill("q2, q4")
    bridge.page.keyboard.press("Enter")
    bridge.settle()
    row = view.root.locator(".lg-page .lg-row").nth(2)
    row.click()
    bridge.settle()
    assert {"q2", "q4"} <= set(explorer.known)
    assert f"About {explorer.target}" in view.root.locator(".px-fact h3").inner_text()
    # Noise changes all numbers, and quickly.
    type_scale(bridge, view, "2")
    assert explorer.results.promise == 0.5
    assert "0.500 nats" in lead(view)


def test_the_counts_of_wrong_estimates_filter_the_table(bridge: Bridge) -> None:
    explorer = PriorExplorer(dependent(12), show_paper=True)
    view = bridge.show(explorer)
    bridge.settle()
    low = view.root.locator(".px-filter").first
    count = explorer.results.too_low
    assert low.inner_text().strip() == f"too low at {count:,}"
    low.click()
    bridge.settle()
    expect(low).to_have_attribute("aria-pressed", "true")
    table = view.root.locator(".lg-table")
    expect(table).to_contain_text(f"{count:,} of 24,576 adversaries")
    assert set(
        table.locator(".lg-page .lg-difference").evaluate_all("all => all.map(e => e.textContent[0])")
    ) == {"▼"}
    low.click()
    bridge.settle()
    expect(table).to_contain_text("All 24,576 adversaries")


def test_progress_is_shown_and_cancel_keeps_the_last_results(bridge: Bridge, held: Held) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    bridge.settle()
    before = lead(view)
    type_scale(bridge, view, "2")
    until(bridge, lambda: percent(view) == "37 %")
    bar = view.root.get_by_role("progressbar", name="Computing")
    expect(bar).to_have_attribute("aria-valuenow", "37")
    assert WAITING in lead(view)
    assert view.root.locator(".px-big").inner_text().startswith(WAITING)
    assert audit(bridge) == []
    # A newer edit takes its place, and the kernel answers meanwhile.
    held.share = 0.62
    type_scale(bridge, view, "3")
    until(bridge, lambda: percent(view) == "62 %")
    assert explorer._view["scale"] == 3
    assert explorer.scale == 1
    cancel = view.root.get_by_role("button", name="Cancel")
    cancel.focus()
    bridge.page.keyboard.press("Enter")
    until(bridge, lambda: not explorer.busy)
    line = view.root.locator(".line:visible")
    last = "esults belong to the values as last computed (scale 1.00)."
    expect(line).to_contain_text(f"Cancelled. The r{last}")
    # Promise and truth of one sentence belong together; the numbers below are the last ones, and say so.
    assert lead(view).replace("\n", " ").endswith(f"0.333 nats. R{last}")
    for part in ("Chosen adversary", "Audit: published against exact", "Densities"):
        expect(view.root.get_by_role("region", name=part)).to_contain_text(f"R{last}")
    for part in (".px-fact", ".px-audit"):
        expect(view.root.locator(f"{part} .px-stale svg")).to_be_visible()
    assert before.split("learns up to ")[1][:5] in view.root.locator(".px-audit").inner_text()
    # What was pressed is gone: its counterpart has the focus.
    expect(view.root.get_by_role("button", name="Compute", exact=True)).to_be_focused()
    assert audit(bridge) == []
    held.go_on.set()
    bridge.page.keyboard.press("Enter")
    until(bridge, lambda: explorer.scale == 3)
    expect_silence(view)
    assert "0.333 nats" in lead(view)


WATCH = r"""view => {
    // Every pair of scale and leakage that a sentence or the facts ever showed together.
    window.pairs = new Set();
    const root = document.querySelector(`[data-view="${view}"]`).querySelector(".pdp");
    const part = selector => root.querySelector(selector)?.textContent ?? "";
    const look = () => {
        const [, scale] = /scale ([\d.]+) promises/.exec(part(".px-lead")) ?? [];
        const [, learnt] = /learns up to ([\d.…]+)/.exec(part(".px-lead")) ?? [];
        const audit = [...root.querySelectorAll(".px-audit-value")].map(e => e.textContent);
        const big = (/[\d.…]+/.exec(part(".px-big")) ?? [])[0];
        window.pairs.add(JSON.stringify([scale, learnt, audit[0], audit[1], big]));
    };
    look();
    new MutationObserver(look).observe(root, { subtree: true, childList: true, characterData: true });
}"""


@pytest.mark.parametrize("wait", [0, 60], ids=["at once", "slow line"])
def test_what_stands_together_belongs_together(bridge: Bridge, held: Held, wait: int) -> None:
    explorer = PriorExplorer(dependent(11))
    view = bridge.show(explorer)
    bridge.settle()
    bridge.latency(wait)
    bridge.page.evaluate(WATCH, view.id)
    before = float(explorer.results.largest)
    type_scale(bridge, view, "2")
    until(bridge, lambda: WAITING in lead(view))
    held.go_on.set()
    until(bridge, lambda: explorer.scale == 2)
    after, chosen = float(explorer.results.largest), explorer._view["results"]["chosen"]["value"]
    assert after < before
    until(bridge, lambda: f"{after:.3f}" in lead(view))
    pairs = {tuple(json.loads(pair)) for pair in bridge.page.evaluate("[...window.pairs]")}
    old, new = f"{before:.3f}", f"{after:.3f}"
    # Parts are written one after the other within a task; an observer hears of whole tasks.
    assert pairs == {
        ("1.00", old, "1.000", old, old),
        ("2.00", WAITING, "0.500", WAITING, WAITING),
        ("2.00", new, "0.500", new, f"{chosen:.3f}"),
    }


def test_the_estimate_alone_leaves_the_exact_numbers(bridge: Bridge, held: Held) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    bridge.settle()
    before = lead(view)
    view.root.get_by_label("paper’s estimate").check()
    until(bridge, lambda: percent(view) == "37 %")
    assert lead(view) == before
    held.go_on.set()
    until(bridge, lambda: not explorer.busy)
    assert explorer.show_paper
    expect(view.root.locator(".px-audit")).to_contain_text("too low at")


def test_a_quick_computation_is_not_announced(bridge: Bridge, held: Held) -> None:
    held.go_on.set()
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    bridge.settle()
    bridge.page.evaluate(
        """view => {
            window.seen = 0;
            const line = document.querySelector(`[data-view="${view}"] .px-running`);
            new MutationObserver(() => { if (!line.hidden) window.seen += 1; })
                .observe(line, { attributes: true });
        }""",
        view.id,
    )
    type_scale(bridge, view, "2")
    until(bridge, lambda: explorer.scale == 2)
    assert bridge.page.evaluate("window.seen") == 0
    assert "0.500 nats" in lead(view)
