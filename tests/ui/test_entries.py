"""Numbers as people type them: what is taken, what is refused, and what stays on screen."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from pdp_widgets import (
    CovarianceEditor,
    GaussianExplorer,
    GaussianModel,
    JointDistribution,
    JointTable,
    MarkovChain,
    PriorExplorer,
    StreamSimulator,
)
from tests.ui.bridge import Bridge
from tests.ui.hands import (
    cell,
    drag,
    entries,
    expect_said,
    expect_silence,
    lead,
    menu,
    pair,
    said,
    sums_to_one,
    three,
    type_into,
    type_scale,
)

FIRST = "item 1 = 0, item 2 = 0, item 3 = 0"


# What is taken


def test_w09_w20_w24_a_cell_takes_its_ends_tiny_numbers_and_a_decimal_comma(bridge: Bridge) -> None:
    table = JointTable(pair())
    view = bridge.show(table)
    for text in ("0", "1e-8", "1", "1/3", "25 %", ".5", "0,25", "0.1234567890123456"):
        type_into(bridge, view, "Ann = 0, Bob = 0", text)
        wanted = {"1/3": 1 / 3, "25 %": 0.25, "0,25": 0.25}.get(text) or float(text)
        assert table.value.probability((0, 0)) == wanted, text
        assert sums_to_one(table.value.table), text
        expect_silence(view)
        bridge.page.keyboard.press("Control+z")
        bridge.settle()
        assert table.value == pair(), text
    # What could be two numbers, or is none, is refused and stays in its cell.
    row = "Ann = 0, Bob = 1"
    for text in ("1,234.5", "0,2,5", "25"):
        type_into(bridge, view, row, text)
        expect_said(view, "Ann is 0, Bob is 1" if "is 0" in said(view) else row)
        assert table.value == pair(), text
        assert text in cell(view, row).inner_text()


def test_w09_the_sum_stays_1_after_every_edit(bridge: Bridge) -> None:
    table = JointTable(three())
    view = bridge.show(table)
    rows = [f"item 1 = {a}, item 2 = {b}, item 3 = {c}" for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    texts = ["1e-8", "0.3", "0.017", "0.00001", "0.2", "0.333333333", "0.07", "1e-12", "0.11", "0.6"]
    for k, text in enumerate(texts):
        type_into(bridge, view, rows[(3 * k) % 8], text)
        assert table.value.table.ravel()[(3 * k) % 8] == float(text)
        assert sums_to_one(table.value.table)
        if k == 4:
            cell(view, rows[1]).click()
            bridge.page.keyboard.press("Alt+l")
            bridge.settle()
    assert table.error is None


def test_w09_both_ends_of_every_handle_are_reached(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    for name in ("Threshold", "Published value r", "Laplace noise, scale λ"):
        handle = view.root.get_by_role("slider", name=name)
        for key, attribute in (("Home", "aria-valuemin"), ("End", "aria-valuemax")):
            handle.focus()
            bridge.page.keyboard.press(key)
            bridge.settle()
            low_or_high = handle.get_attribute(attribute)
            assert low_or_high is not None
            expect(handle).to_have_attribute("aria-valuenow", low_or_high)
            if name.startswith("Laplace"):
                assert explorer.scale == {"Home": 0.1, "End": 10.0}[key]
    slider = view.root.get_by_role("slider", name="Laplace noise, scale λ")
    for way, end in ((-900, 0.1), (900, 10.0)):
        drag(bridge, slider, way, steps=3)
        assert explorer.scale == end
        expect(view.root.get_by_label("Scale λ as a number")).to_have_value(f"{end:.2f}")


# What is refused


BAD = {
    "abc": "abc",
    "-0.1": "0 to 1",
    "nan": "0 to 1",
    "1.5": "0 to 1",
    "inf": "0 to 1",
    "1/0": "0",
    "0.1.2": "0.1.2",
    "<b>0.1</b>": "<b>0.1</b>",
}


def test_w08_a_bad_cell_is_marked_and_the_last_results_stay(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    bad = cell(view, FIRST)
    results, sentence = explorer.results, lead(view)
    for k, (text, words) in enumerate(BAD.items()):
        type_into(bridge, view, FIRST, text)
        expect(bad).to_have_attribute("aria-invalid", "true")
        assert text in bad.inner_text()
        expect_said(view, words)
        assert "last valid table" in said(view), text
        assert explorer.results is results, text
        assert lead(view) == sentence, text
        assert explorer.error is not None, text
        assert not explorer.current, text
        expect(view.root.get_by_text("Results belong to the last valid table.").first).to_be_visible()
        # The first ones follow each other, the others stand between good ones.
        if k >= 4:
            good = 0.2 + k / 100
            type_into(bridge, view, FIRST, str(good))
            expect(bad).not_to_have_attribute("aria-invalid", "true")
            expect_silence(view)
            assert explorer.error is None, text
            assert explorer.current, text
            assert explorer.value.probability((0, 0, 0)) == good, text
            assert sums_to_one(explorer.value.table), text
            results, sentence = explorer.results, lead(view)


def test_what_is_no_number_gives_way_to_what_is_typed_over_it(bridge: Bridge) -> None:
    model = GaussianModel([0, 0], [[2, 0.5], [0.5, 1]])
    chain = MarkovChain([[0.9, 0.1], [0.2, 0.8]])
    widgets = (
        *(JointTable(pair()), PriorExplorer(pair()), CovarianceEditor(model), GaussianExplorer(model)),
        StreamSimulator(chain, 0.5, steps=5),
    )
    for widget in widgets:
        view = bridge.show(widget)
        bridge.settle()
        first = view.root.get_by_role("gridcell").first
        for text in ("abc", "xyz", "1/0"):
            first.click()
            bridge.page.keyboard.type(text)
            bridge.page.keyboard.press("Enter")
            bridge.settle()
            expect(first).to_contain_text(text, timeout=15_000)
            expect(view.root.get_by_text(text).first).to_be_visible()
        view.remove()


def test_a_bad_scale_is_refused_and_the_results_stay(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    field = view.root.get_by_label("Scale λ as a number")
    results = explorer.results
    for text in ("0", "-1", "inf", "nan", "much"):
        type_scale(bridge, view, text)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_value(text)
        expect_said(view, "The scale stays 1.00")
        assert explorer.results is results, text
    type_scale(bridge, view, "2")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect_silence(view)
    assert explorer.results.promise == 0.5
    # One outside the track of the slider is taken.
    for text in ("1e-8", "250", "0,25"):
        type_scale(bridge, view, text)
        assert explorer.scale == float(text.replace(",", "."))
        expect_silence(view)
        slider = view.root.get_by_role("slider", name="Laplace noise, scale λ")
        assert float(slider.get_attribute("aria-valuenow") or "nan") == explorer.scale
    # One in the sentence is refused beside it.
    number = view.root.get_by_role("spinbutton", name="Laplace noise, scale")
    number.focus()
    bridge.page.keyboard.press("Enter")
    bridge.page.keyboard.type("0")
    bridge.page.keyboard.press("Enter")
    expect(view.root.get_by_role("alert")).to_contain_text("above 0")
    assert explorer.scale == 0.25
    bridge.page.keyboard.press("Control+A")
    bridge.page.keyboard.type("0,5")
    bridge.page.keyboard.press("Enter")
    bridge.settle()
    assert explorer.scale == 0.5
    assert "2.000 nats" in lead(view)


def test_a_lock_that_leaves_no_room_refuses_the_edit_in_words_and_a_locked_cell_takes_none(
    bridge: Bridge,
) -> None:
    table = JointTable(pair())
    view = bridge.show(table)
    for row in ("Ann = 0, Bob = 0", "Ann = 1, Bob = 1"):
        cell(view, row).click()
        bridge.page.keyboard.press("Alt+l")
        bridge.settle()
    before = table.value
    type_into(bridge, view, "Ann = 0, Bob = 1", "0.5")
    expect_said(view, re.compile("lock", re.IGNORECASE))
    assert table.value == before
    assert np.array_equal(entries(table), before.table)
    type_into(bridge, view, "Ann = 0, Bob = 1", "0.05")
    expect_silence(view)
    assert table.value.probability((0, 0)) == 0.4
    assert table.value.probability((0, 1)) == 0.05
    assert sums_to_one(table.value.table)
    before = table.value
    menu(bridge, view, "Lock all cells")
    type_into(bridge, view, "Ann = 0, Bob = 1", "0.5")
    assert table.value == before
    assert table.locks.all()
    assert "locked" in (cell(view, "Ann = 0, Bob = 1").get_attribute("aria-label") or "")


def test_keep_others_fixed_leaves_the_sum_off_and_offers_to_normalise(bridge: Bridge) -> None:
    explorer = PriorExplorer(three())
    view = bridge.show(explorer)
    # Two bad cells are both marked, and each good edit clears one.
    second = "item 1 = 1, item 2 = 0, item 3 = 1"
    type_into(bridge, view, FIRST, "x")
    type_into(bridge, view, second, "-3")
    expect(view.root.locator("[aria-invalid=true]")).to_have_count(2)
    expect_said(view, "1 more cell is marked")
    type_into(bridge, view, FIRST, "0.1")
    expect(view.root.locator("[aria-invalid=true]")).to_have_count(1)
    type_into(bridge, view, second, "0.1")
    expect(view.root.locator("[aria-invalid=true]")).to_have_count(0)
    explorer.value = three()
    bridge.settle()
    results, others = explorer.results, explorer.value.table.ravel()[1:].copy()
    menu(bridge, view, "Keep others fixed")
    type_into(bridge, view, FIRST, "0.2")
    assert np.array_equal(entries(explorer).ravel()[1:], others)
    assert explorer.results is results
    expect_said(view, "sums to 1.178")
    expect(view.root.get_by_text("Results belong to the last valid table.").first).to_be_visible()
    view.root.locator(".line:visible").get_by_role("button", name="Normalise").click()
    bridge.settle()
    expect_silence(view)
    assert sums_to_one(explorer.value.table)
    assert explorer.results is not results
    assert explorer.value.probability((0, 0, 0)) == pytest.approx(0.2 / 1.178)


def test_an_impossible_row_is_named_and_the_last_results_stay(bridge: Bridge) -> None:
    explorer = PriorExplorer(three(), target="item 1", known=["item 2"])
    view = bridge.show(explorer)
    results = explorer.results
    type_into(bridge, view, "item 1 = 1, item 2 = 1, item 3 = 1", "0")
    expect_said(view, "item 1 = 1, item 2 = 1, item 3 = 1 has probability 0")
    assert explorer.results is results
    assert explorer.value.probability((1, 1, 1)) == 0
    view.root.get_by_label("Value of item 2").select_option("0")
    bridge.settle()
    expect_silence(view)
    assert explorer.instance == (1, 0, 1)
    assert explorer.results.distribution == explorer.value


def test_a_tuple_that_is_determined_leaks_0(bridge: Bridge) -> None:
    explorer = PriorExplorer(JointDistribution([[0.5, 0], [0, 0.5]], names=["Ann", "Bob"]))
    view = bridge.show(explorer)
    node = view.root.get_by_role("button", name=re.compile("[aA]bout Ann, knows Bob: 0 nats, determined"))
    node.click()
    bridge.settle()
    assert "determined" in (node.text_content() or "")
    expect(view.root.get_by_text("Only one label is possible")).to_be_visible()


# What is refused stays in its cell and goes nowhere else.

PAIR = "Ann = 0, Bob = 0"


@pytest.mark.parametrize("make", [JointTable, PriorExplorer])
def test_the_actions_build_on_probabilities_alone_and_escape_brings_the_last_good_value(
    bridge: Bridge, make: Any
) -> None:
    widget = make(pair())
    view = bridge.show(widget)
    before = widget.value
    for text in ("60", "-0.1", "abc"):
        type_into(bridge, view, PAIR, text)
        typed = entries(widget)
        expect(view.root.get_by_role("button", name="Normalise").first).to_be_disabled()
        view.root.get_by_role("button", name="Independent").first.click()
        bridge.settle()
        expect_said(view, "Correct the marked cells first")
        assert np.array_equal(entries(widget), typed, equal_nan=True), text
        assert widget.value == before, text
        cell(view, "Ann = 0, Bob = 1").focus()
        bridge.page.keyboard.press("Control+z")
        bridge.settle()
        assert widget.value == before, text
        assert np.array_equal(entries(widget), before.table), text
        expect_silence(view)
    type_into(bridge, view, PAIR, "60")
    expect(cell(view, PAIR)).to_have_attribute("aria-invalid", "true")
    cell(view, PAIR).click()
    bridge.page.keyboard.press("Escape")
    bridge.settle()
    expect_silence(view)
    assert np.array_equal(entries(widget), before.table)
    assert widget.value == before
    assert widget.error is None
