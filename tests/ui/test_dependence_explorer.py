"""The explorer of dependent tuples under a person's hands."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pdp_widgets import DependenceExplorer
from pdp_widgets.models.sparse_joint import SparseJoint
from tests.ui.bridge import Bridge, View
from tests.ui.hands import drag, expect_said, expect_silence, lead, sums_to_one
from tests.ui.test_accessibility import press, tab_to


def made_up(n: int, rows: int = 40, *, long: bool = False) -> SparseJoint:
    """Return bits of which some rows occur, so that all depend on each other."""
    rng = np.random.default_rng(n)
    codes = np.unique(rng.integers(0, 2, size=(rows, n)), axis=0)
    word = "a rather long name of the person number" if long else "P"
    names = [f"{word} {j + 1}" for j in range(n)]
    return SparseJoint(codes.tolist(), rng.dirichlet(np.ones(len(codes))), names, "Made up")


def show(bridge: Bridge, explorer: DependenceExplorer) -> View:
    view = bridge.show(explorer)
    bridge.settle()
    return view


def card(view: View, name: str) -> Locator:
    # What is read on it comes first in its name.
    return view.root.get_by_role("button", name=re.compile(rf"\. {re.escape(name)}: "))


def cell(view: View, row: str) -> Locator:
    return view.root.get_by_role("gridcell", name=re.compile(f"^{re.escape(row)}: "))


def type_into(bridge: Bridge, view: View, row: str, text: str) -> None:
    cell(view, row).click()
    bridge.page.keyboard.type(text)
    press(bridge, "Enter")


def type_budget(bridge: Bridge, view: View, text: str) -> None:
    view.root.get_by_label("Budget ε as a number").fill(text)
    press(bridge, "Enter")


def pair(explorer: DependenceExplorer, *names: str) -> list[float]:
    """Return the probabilities of a few tuples in the order of their values."""
    places = [explorer.value.axis(name) for name in names]
    found: dict[tuple[int, ...], float] = {}
    for codes, p in zip(explorer.value.codes.tolist(), explorer.value.probabilities.tolist(), strict=True):
        at = tuple(codes[k] for k in places)
        found[at] = found.get(at, 0.0) + p
    return [found[at] for at in sorted(found)]


def test_the_story_in_one_look_and_nothing_moves_when_another_tuple_is_chosen(bridge: Bridge) -> None:
    view = show(bridge, DependenceExplorer())
    assert lead(view) == (
        "With ε = 1.00 the noisy sum promises that no person leaks more than 1.000 nats. Ann is independent "
        "of every other person, pair by pair, so all exact coefficients of Ann are 0. Yet the noisy sum "
        "leaks 1.127 about Ann: 13 % more than promised."
    )
    expect(view.root.locator(".px-big")).to_have_text("1.127 nats")
    expect(view.root.locator(".dx-card")).to_have_count(6)
    expect(view.root.locator(".dx-frame")).to_have_count(3)
    strip = view.root.locator(".px-audit")
    for words in ("1.127", "0.841", "too low by 0.286; low at 3 of 6", "1.842", "any block, linear query"):
        expect(strip).to_contain_text(words)
    facts = view.root.locator(".dx-fact")
    for words in ("0.286 too low", "1.682", "1.589", "knows Ben is 0", "r ≤ 0"):
        expect(facts).to_contain_text(words)
    rows = view.root.locator(".dx-mechanisms tbody tr")
    expect(rows).to_have_count(6)
    expect(rows.nth(0)).to_contain_text("1.389")
    expect(rows.nth(1)).to_have_attribute("data-on", "")
    places = """root => [
        [...root.querySelectorAll("section.panel")].map((el) =>
            [el.getAttribute("aria-label"), Math.round(el.getBoundingClientRect().y)]),
        [...root.querySelectorAll(".dx-card-back")].map((el) => el.getAttribute("x")),
    ]"""
    before = view.root.evaluate(places)
    assert len(before[1]) == 6
    for name in ("Ben", "Dia", "Fay", "Ann"):
        card(view, name).click()
        bridge.settle()
        assert view.root.evaluate(places) == before, name


def test_a_tuple_is_chosen_in_the_graph_by_hand_and_by_keys_and_then_what_is_known(bridge: Bridge) -> None:
    explorer = DependenceExplorer()
    view = show(bridge, explorer)
    card(view, "Dia").click()
    bridge.settle()
    assert (explorer.target, explorer.other) == ("Dia", "Eli")
    expect(
        view.root.get_by_role("button", name=re.compile("^Dia → Eli: this σ 0.189, any σ 0.600, paper"))
    ).to_be_visible()
    about = view.root.locator(".dx-fact h3")
    expect(about).to_have_text("About Dia, knowing no other person")
    tab_to(bridge, view, re.compile(r"\. Dia: "), "button")
    press(bridge, "ArrowLeft", "ArrowUp", "Enter")
    assert (explorer.target, explorer.other) == ("Ben", "Cy")
    # The focus stays where it was, on the card that is chosen now.
    assert bridge.page.evaluate("document.activeElement.dataset.tuple") == "1"
    press(bridge, "Home", "Space")
    assert (explorer.target, explorer.other) == ("Ann", "Ben")
    view.root.locator(".dx-coefficient", has_text="this σ").nth(1).click()
    bridge.settle()
    assert (explorer.target, explorer.other) == ("Ann", "Cy")
    # Known is what is chosen, and then the worst that there is.
    view.root.get_by_role("group", name="Tuples that are known").get_by_role("button", name="Ben").click()
    bridge.settle()
    assert (explorer.knowing, explorer.known) == ("chosen", ("Ben",))
    sentence = view.root.locator(".px-lead")
    expect(sentence).to_contain_text("Someone who knows Ben learns up to 1.595 about Cy")
    expect(about).to_have_text("About Ann, knowing Ben")
    view.root.get_by_role("radiogroup", name="Knows the joint table and").get_by_text("worst").click()
    bridge.settle()
    assert explorer.knowing == "worst"
    expect(sentence).to_contain_text("Whoever knows the most telling others")
    expect(view.root.locator(".px-audit")).to_contain_text("worst adversary")
    view.root.get_by_label("Chosen tuple, on rows").select_option("Cy")
    bridge.settle()
    assert (explorer.target, explorer.other) == ("Cy", "Ann")
    view.root.locator(".dx-rows .dx-row").nth(5).click()
    bridge.settle()
    assert explorer.target == "Fay"


def test_a_cell_of_the_pair_is_typed_dragged_and_pasted_and_comes_back_exactly(bridge: Bridge) -> None:
    explorer = DependenceExplorer(other="Cy")
    view = show(bridge, explorer)
    before = explorer.value.probabilities.copy()
    type_into(bridge, view, "Ann = 0, Cy = 0", "0,4")
    assert pair(explorer, "Ann", "Cy")[0] == pytest.approx(0.4, abs=1e-12)
    assert sums_to_one(explorer.value.probabilities)
    # What has nothing to do with the pair is as before, and still a block of its own.
    assert pair(explorer, "Dia", "Eli") == pytest.approx([0.3, 0.2, 0.2, 0.3], abs=1e-12)
    assert [len(block) for block in explorer.results.blocks] == [3, 2, 1]
    expect(view.root.locator(".px-title")).to_contain_text("Edited from Who is at work")
    edited = explorer.value.probabilities.copy()
    press(bridge, "Control+z")
    assert (explorer.value.probabilities == before).all()
    press(bridge, "Control+Shift+z")
    assert (explorer.value.probabilities == edited).all()
    press(bridge, "Control+z")
    # A drag is one step, and so is a block that is pasted.
    drag(bridge, cell(view, "Ann = 0, Cy = 0").locator(".gr-text"), 40)
    assert pair(explorer, "Ann", "Cy")[0] == pytest.approx(0.3, abs=1e-12)
    press(bridge, "Control+z")
    assert (explorer.value.probabilities == before).all()
    cell(view, "Ann = 0, Cy = 0").click()
    bridge.page.evaluate(
        """() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "1\\t2\\n3\\t4");
            const how = { clipboardData, bubbles: true, cancelable: true };
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", how));
        }"""
    )
    bridge.settle()
    assert pair(explorer, "Ann", "Cy") == pytest.approx([0.1, 0.2, 0.3, 0.4], abs=1e-12)
    expect_said(view, "were scaled to sum to 1")
    press(bridge, "Control+z")
    assert (explorer.value.probabilities == before).all()


def test_what_is_no_probability_is_refused_in_words(bridge: Bridge) -> None:
    explorer = DependenceExplorer(other="Cy")
    view = show(bridge, explorer)
    before = explorer.value
    for text, reason in (
        ("1.2", "1.2 is not a probability"),
        ("lots", "is not a number"),
        ("-0.1", "not a probability"),
    ):
        type_into(bridge, view, "Ann = 0, Cy = 0", text)
        expect_said(view, reason)
    assert explorer.value == before
    press(bridge, "Escape")
    expect_silence(view)
    type_budget(bridge, view, "0")
    expect_said(view, "The budget 0 is refused.")
    expect_said(view, "The budget stays 1.00.")
    assert explorer.epsilon == 1
    type_budget(bridge, view, "1e-8")
    assert explorer.epsilon == 1e-8
    expect_silence(view)


def test_the_block_is_opened_and_its_rows_are_edited(bridge: Bridge) -> None:
    explorer = DependenceExplorer()
    view = show(bridge, explorer)
    view.root.get_by_role("button", name=re.compile("^All 8 rows")).click()
    expect(view.root.locator("td.gr-cell")).to_have_count(8)
    type_into(bridge, view, "Ann = 1, Ben = 1, Cy = 1", "0.25")
    assert pair(explorer, "Ann", "Ben", "Cy")[7] == pytest.approx(0.25, abs=1e-12)
    view.root.get_by_role("button", name="Independent").click()
    bridge.settle()
    assert sorted(len(block) for block in explorer.results.blocks) == [1, 1, 1, 1, 2]
    expect(view.root.locator(".dx-frame")).to_have_count(5)
    press(bridge, "Control+z", "Control+z")
    assert [len(block) for block in explorer.results.blocks] == [3, 2, 1]


def test_examples_come_and_go_with_undo_and_their_rows_that_never_occur_stay_out(bridge: Bridge) -> None:
    own = made_up(3, 30)
    explorer = DependenceExplorer(own)
    view = show(bridge, explorer)
    first = view.root.locator("td.gr-cell").first
    first.click()
    bridge.page.keyboard.type("0.5")
    press(bridge, "Enter")
    edited = explorer.value.probabilities.copy()
    view.root.get_by_role("button", name="More", exact=True).click()
    view.root.get_by_role("menuitemcheckbox", name="Three bits, one the XOR of the others").click()
    bridge.settle()
    assert explorer.value.tuples == ("x1", "x2", "x3")
    expect(view.root.locator(".px-lead")).to_contain_text("43 % more than promised")
    # Half of the rows of three bits never occur.
    view.root.get_by_role("button", name=re.compile("^All 4 rows")).click()
    expect(view.root.locator("td.gr-cell")).to_have_count(4)
    view.root.get_by_role("button", name="Independent").click()
    expect_said(view, "Not all values occur together.")
    type_into(bridge, view, "x1 x2 x3 = 0 1 1", "0.4")
    assert pair(explorer, "x1", "x2", "x3") == pytest.approx([0.2, 0.4, 0.2, 0.2], abs=1e-12)
    type_budget(bridge, view, "2")
    press(bridge, "Control+z", "Control+z", "Control+z")
    assert explorer.value.tuples == own.tuples
    assert (explorer.value.probabilities == edited).all()
    assert explorer.epsilon == 1
    press(bridge, "Control+z")
    assert (explorer.value.probabilities == own.probabilities).all()


def test_mechanisms_coefficients_queries_and_the_noise_that_is_enough(bridge: Bridge) -> None:
    explorer = DependenceExplorer()
    view = show(bridge, explorer)
    view.root.get_by_role("button", name="DPM, any σ").click()
    bridge.settle()
    assert (explorer.mechanism, explorer.coefficient) == ("dpm", "mean")
    expect(view.root.locator(".px-lead")).to_contain_text("the promise holds")
    # At the edges the coefficient in use is the bold one.
    assert view.root.locator(".dx-coefficient text[font-weight='600']").first.text_content() == "any σ"
    view.root.get_by_role("radiogroup", name="Mechanism").get_by_text("LPM").click()
    bridge.settle()
    assert explorer.mechanism == "lpm"
    expect(view.root.get_by_role("radio", name="paper")).to_be_disabled()
    view.root.get_by_role("button", name=re.compile("^At scale 1.32 no more than 1.000 nats leak")).click()
    bridge.settle()
    assert explorer.mechanism == "calibrated"
    assert explorer.results.largest.value == pytest.approx(1, abs=1e-6)
    view.root.get_by_role("combobox", name="Query").select_option("All values")
    bridge.settle()
    assert explorer.query == "identity"
    expect(view.root.locator(".dx-accuracy h3")).to_contain_text("P(|error of one number| > α)")
    press(bridge, "Control+z", "Control+z", "Control+z", "Control+z")
    assert (explorer.query, explorer.mechanism, explorer.coefficient) == ("sum", "dpm", "exact")


def test_alpha_is_dragged_and_stepped_and_what_python_sets_is_shown(bridge: Bridge) -> None:
    explorer = DependenceExplorer()
    view = show(bridge, explorer)
    curve = view.root.locator(".dx-curve")
    curve.scroll_into_view_if_needed()
    box = curve.bounding_box()
    assert box is not None
    bridge.page.mouse.move(box["x"] + 130, box["y"] + 60)
    bridge.page.mouse.down()
    bridge.page.mouse.move(box["x"] + 220, box["y"] + 60, steps=3)
    bridge.page.mouse.up()
    bridge.settle()
    moved = explorer.alpha
    assert moved > 4
    row = view.root.locator(".dx-mechanisms tbody tr").nth(1)
    expect(row.locator("td").nth(2)).to_have_text(f"{np.exp(-moved / explorer.results.scale):.3f}")
    curve.get_by_role("slider", name="Error α").focus()
    press(bridge, "Home")
    assert explorer.alpha == 0
    press(bridge, "Control+z")
    assert explorer.alpha == moved
    press(bridge, "Control+z")
    assert explorer.alpha == 3
    explorer.epsilon = 2.0
    explorer.mechanism = "baseline"
    explorer.target = "Eli"
    explorer.show_paper = False
    bridge.settle()
    assert view.root.get_by_label("Budget ε as a number").input_value() == "2.00"
    expect(view.root.get_by_role("radio", name="baseline")).to_be_checked()
    expect(card(view, "Eli")).to_have_attribute("aria-pressed", "true")
    expect(view.root.get_by_role("checkbox", name="paper’s estimate")).not_to_be_checked()
    assert "estimate" not in view.root.locator(".dx-fact .px-facts").inner_text()


def test_the_budget_is_one_in_sentence_slider_and_field_and_late_answers_do_not_move_it(
    bridge: Bridge,
) -> None:
    explorer = DependenceExplorer()
    view = show(bridge, explorer)
    drag(bridge, view.root.get_by_role("spinbutton", name="Budget ε"), 80, steps=4)
    assert explorer.epsilon == pytest.approx(10**0.5, rel=0.01)
    press(bridge, "Control+z")
    assert explorer.epsilon == 1
    thumb = view.root.get_by_role("slider", name="Budget ε, nats")
    field = view.root.get_by_label("Budget ε as a number")
    thumb.focus()
    press(bridge, "End")
    assert explorer.epsilon == 10
    press(bridge, "Home")
    assert explorer.epsilon == 0.1
    assert field.input_value() == "0.10"
    # A drag is not snapped back by what comes late.
    bridge.latency(150)
    drag(bridge, thumb, 60, steps=12, release=False)
    held = float(thumb.get_attribute("aria-valuenow") or 0)
    assert held > 0.1
    bridge.page.wait_for_timeout(350)
    assert float(thumb.get_attribute("aria-valuenow") or 0) == held
    bridge.page.mouse.up()
    bridge.latency(0)
    bridge.settle()
    assert explorer.epsilon == held
    assert field.input_value() == f"{held:.2f}"


def test_a_step_of_a_drag_costs_the_page_little_and_without_a_kernel_it_can_be_read(bridge: Bridge) -> None:
    large = show(bridge, DependenceExplorer(made_up(20)))
    assert 0 < large.root.get_by_role("slider", name="Budget ε, nats").evaluate(CHANGES) <= 40
    bridge.settle()
    large.remove()
    explorer = DependenceExplorer()
    view = show(bridge, explorer)
    assert 0 < view.root.get_by_role("slider", name="Budget ε, nats").evaluate(CHANGES) <= 40
    bridge.settle()
    bridge.kill(explorer)
    expect_said(view, "No kernel.")
    expect(view.root.locator(".px-big")).to_have_text("1.127 nats")
    for control in view.root.locator("input:visible, .dx-release select, .dx-pair select").all():
        expect(control).to_be_disabled()
    expect(view.root.get_by_role("spinbutton", name="Budget ε")).to_have_attribute("aria-disabled", "true")
    card(view, "Dia").click(force=True)
    expect(card(view, "Ann")).to_have_attribute("aria-pressed", "true")


#: How many changes of the page one step of a drag makes before the next frame: of twelve steps the third
#: cheapest, since one after an answer that took long marks all that is old as well.
CHANGES = """async (thumb) => {
    const root = thumb.closest(".pdp");
    const watch = new MutationObserver(() => {});
    watch.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const made = [];
    for (let k = 0; k < 12; k++) {
        watch.takeRecords();
        const key = k % 2 ? "ArrowLeft" : "ArrowRight";
        thumb.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        made.push(watch.takeRecords().length);
        await new Promise((done) => setTimeout(done, 20));
    }
    return made.sort((a, b) => a - b)[2];
}"""
