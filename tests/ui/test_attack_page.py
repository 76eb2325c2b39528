"""The explorer of inferred places in a page without a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from playwright.sync_api import expect

from pdp_widgets import AttackExplorer, InferenceAttack, synthetic_network
from pdp_widgets.widgets.attack_input import simulated_city
from tests.ui.test_page import CLOSE, Opened, opened

__all__ = ["opened"]


SETTLED = """(wanted) => {
    const view = window.views.at(-1);
    const asked = ([name, value]) => view[name] === value;
    return view && view.running === null && Object.entries(wanted).every(asked);
}"""


def _settled(page: Opened, **wanted: Any) -> None:
    """Wait until the page has answered for these controls, and computed what takes longer."""
    page.page.wait_for_function(SETTLED, arg=wanted)


def _set_budget(page: Opened, text: str) -> None:
    field = page.root().get_by_label("Budget ε as a number")
    field.fill(text)
    field.press("Enter")
    _settled(page, epsilon=float(text))


def _compare(page: Opened, attack: InferenceAttack) -> None:
    for place, found in enumerate((attack.attack_1, attack.attack_2)):
        belief = page.numbers("results", "attacks", place, "posterior")  # type: ignore[arg-type]
        np.testing.assert_allclose(belief, found.posterior, rtol=CLOSE, atol=1e-15)


def _printed(page: Opened) -> Any:
    return page.numbers("results", "curves", "printed")


def test_places_are_inferred_without_kernel_and_network(opened):
    explorer = AttackExplorer(synthetic_network(60, rng=1).city("New York"), clusters=4)
    explorer.wait()
    attack = explorer.results
    page = opened(explorer)
    root = page.root()
    lead, curves = root.locator(".px-lead"), root.get_by_text("The curves over all users").first
    said = lead.inner_text()
    _set_budget(page, "25")
    _compare(page, attack := attack.at(epsilon=25.0))
    expect(lead).not_to_have_text(said)
    root.get_by_role("button", name="New noise").click()
    _settled(page, draw=2)
    _compare(page, attack := attack.at(draw=2))
    # Means over all users depend on neither the budget, nor the draw.
    expect(curves).to_be_hidden()
    root.get_by_text("baseline", exact=True).click()
    _settled(page, mechanism="baseline")
    _compare(page, attack := attack.at(mechanism="baseline"))
    np.testing.assert_allclose(_printed(page), attack.by_epsilon(draws=4).leaked[1], rtol=CLOSE, atol=1e-12)
    expect(curves).to_be_hidden()
    for _ in range(3):
        page.page.keyboard.press("Control+z")
    _settled(page, epsilon=40.0, draw=1, mechanism="lpm")
    expect(lead).to_have_text(said)


def test_what_was_not_there_when_it_was_saved_is_computed_in_the_page(opened):
    city = simulated_city()
    explorer = AttackExplorer(city, epsilon=3.0)
    explorer.cancel()
    page = opened(explorer)
    _settled(page)
    expected = InferenceAttack(city, epsilon=3.0).by_epsilon(draws=4)
    found = _printed(page)
    np.testing.assert_allclose(found, expected.leaked[1], rtol=CLOSE, atol=1e-12)
    _set_budget(page, "2")
    assert _printed(page).tolist() == found.tolist()


def test_a_large_network_is_shown_as_it_was_published(opened):
    explorer = AttackExplorer(synthetic_network(2001, rng=1), grid=5, clusters=3)
    explorer.cancel()
    page = opened(explorer)
    expect(page.slot().locator(".pdp-note")).to_contain_text(
        "This page computes cities of up to 2,000 users and 16,000 friendships"
    )
    expect(page.root().get_by_label("Budget ε as a number")).to_be_disabled()
    expect(page.root().get_by_text("The curves over all users need a kernel.").first).to_be_visible()
