"""The covariance editor under a person's hands."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from ipywidgets import link
from playwright.sync_api import Locator, expect

from pdp_widgets.models.covariance import valid_range
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.widgets.covariance_editor import CovarianceEditor
from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer
from tests.ui.bridge import Bridge, View
from tests.ui.hands import drag, expect_said, expect_silence
from tests.ui.test_accessibility import press, start, stops_that_are_seen, tab_to

COV = [
    [1.44, 0.6, 0.32, -0.59],
    [0.6, 1.0, 0.36, -0.21],
    [0.32, 0.36, 0.81, 0.13],
    [-0.59, -0.21, 0.13, 1.96],
]
PAIR = "covariance of flat A and flat B"


def house() -> GaussianModel:
    return GaussianModel(
        [5, 4, 3, 6], COV, ["flat A", "flat B", "flat C", "solar"], title="House", unit="kWh"
    )


def random_model(n: int) -> GaussianModel:
    root = np.random.default_rng(n).normal(size=(n, n + 3))
    return GaussianModel(np.arange(n), root @ root.T / n, [f"item {k + 1}" for k in range(n)])


def cell(view: View, name: str) -> Locator:
    return view.root.get_by_role("gridcell", name=re.compile(f"^{re.escape(name)}: "))


def type_into(bridge: Bridge, view: View, name: str, text: str) -> None:
    cell(view, name).click()
    bridge.page.keyboard.type(text)
    press(bridge, "Enter")


def status(view: View) -> Locator:
    return view.root.locator(".mx-status")


def button(view: View, name: str) -> Locator:
    return view.root.get_by_role("button", name=name, exact=True)


def handle(view: View) -> Locator:
    return view.root.get_by_role("slider")


def test_the_story_from_a_matrix_to_an_invalid_one_and_back(bridge: Bridge) -> None:
    editor = CovarianceEditor(house(), weights=[1, 1, 1, -1])
    view = bridge.show(editor)
    bridge.settle()
    expect(status(view)).to_contain_text("smallest eigenvalue 0.491")
    expect(button(view, "Nearest valid")).to_be_disabled()
    type_into(bridge, view, PAIR, "0,7")
    assert editor.value.cov[0, 1] == editor.value.cov[1, 0] == 0.7
    expect(cell(view, "covariance of flat B and flat A")).to_have_text("0.70")
    type_into(bridge, view, PAIR, "1.4")
    expect(status(view)).to_contain_text("A, B too large")
    expect_said(view, "The results still belong to the last valid matrix.")
    assert editor.value.cov[0, 1] == 0.7
    assert "last valid matrix" in editor.error
    expect(view.root.locator(".jt-summaries")).to_contain_text("Correlation, last valid")
    button(view, "Nearest valid").click()
    bridge.settle()
    assert editor.error is None
    assert editor.value.smallest_eigenvalue == pytest.approx(0, abs=1e-9)
    expect(status(view)).to_contain_text("Valid")
    expect_silence(view)
    # One step back is the matrix that was not valid, another one the one before it.
    button(view, "Undo (Ctrl+Z)").click()
    bridge.settle()
    expect(status(view)).to_contain_text("A, B too large")
    button(view, "Undo (Ctrl+Z)").click()
    button(view, "Undo (Ctrl+Z)").click()
    bridge.settle()
    assert editor.value == house()
    expect(button(view, "Undo (Ctrl+Z)")).to_be_disabled()
    for _ in range(3):
        button(view, "Redo (Ctrl+Shift+Z)").click()
    bridge.settle()
    assert editor.current
    assert editor.value.cov[0, 1] < 1.2


@pytest.mark.parametrize("open_one", [CovarianceEditor, GaussianExplorer])
def test_undo_after_nearest_valid_is_what_was_typed(bridge: Bridge, open_one: Any) -> None:
    shown = open_one(house())
    view = bridge.show(shown)
    bridge.settle()
    cells = view.root.get_by_role("gridcell")
    # Answered, and not answered yet. The explorer has the same editor.
    steps = [(0, "1.4"), (0, "1,3333333333333333"), (0, "10/3"), (100, "10/3")]
    if open_one is GaussianExplorer:
        steps = steps[2:]
    for kind in ("covariance", "correlation"):
        view.root.get_by_text(kind, exact=True).first.click()
        bridge.settle()
        for wait, text in steps:
            case = kind, wait, text
            before = cells.all_inner_texts()
            type_into(bridge, view, PAIR.replace("covariance", kind), text)
            typed, matrix = cells.all_inner_texts(), as_sent(shown)
            assert typed != before, case
            bridge.latency(wait)
            button(view, "Nearest valid").click()
            if not wait:
                bridge.settle()
                assert cells.all_inner_texts() != typed, case
            bridge.page.keyboard.press("Control+Z")
            bridge.settle()
            assert cells.all_inner_texts() == typed, case
            assert as_sent(shown) == matrix, case
            bridge.page.keyboard.press("Control+Z")
            bridge.settle()
            assert cells.all_inner_texts() == before, case
            bridge.latency(0)


def as_sent(shown: Any) -> bytes:
    return bytes(shown._view["matrix"]["cov"])


def test_the_bracket_is_what_python_says(bridge: Bridge) -> None:
    editor = CovarianceEditor(house())
    view = bridge.show(editor)
    names = editor.value.names
    for i, j in ((0, 1), (2, 3), (1, 1)):
        name = f"variance of {names[i]}" if i == j else f"covariance of {names[i]} and {names[j]}"
        cell(view, name).click()
        found = valid_range(editor.value.cov, i, j)
        assert found is not None
        said = handle(view).get_attribute("aria-valuetext") or ""
        ends = [float(end.replace("−", "-")) for end in re.findall(r"−?\d+\.\d+", said.split("valid")[1])]
        # Rounded inwards.
        assert 0 <= ends[0] - found[0] <= 0.01
        if i != j:
            assert 0 <= found[1] - ends[1] <= 0.01
        else:
            assert found[1] == math.inf
            assert len(ends) == 1


def test_dragging_a_cell_moves_its_mirror_and_checks_live(bridge: Bridge) -> None:
    editor = CovarianceEditor(house())
    view = bridge.show(editor)
    text = cell(view, PAIR)
    drag(bridge, text, 40)
    assert editor.value.cov[0, 1] == editor.value.cov[1, 0] == pytest.approx(0.8)
    with bridge.held():
        drag(bridge, text, 160, release=False)
        # Python has not answered yet.
        expect(status(view)).to_contain_text("too large")
        bridge.page.keyboard.press("Escape")
        bridge.page.mouse.up()
        expect(status(view)).to_contain_text("Valid")
    bridge.settle()
    assert editor.value.cov[0, 1] == pytest.approx(0.8)
    press(bridge, "Control+z")
    assert editor.value == house()
    expect(button(view, "Undo (Ctrl+Z)")).to_be_disabled()


def test_w12_w13_the_handle_under_latency_never_snaps_back(bridge: Bridge) -> None:
    editor = CovarianceEditor(house())
    view = bridge.show(editor)
    bridge.settle()
    bridge.latency(300)
    before = bridge.sent(editor)
    drag(bridge, handle(view), 40, steps=60, release=False)
    at = handle(view).get_attribute("aria-valuenow")
    bridge.page.wait_for_timeout(400)
    assert handle(view).get_attribute("aria-valuenow") == at
    bridge.page.mouse.up()
    bridge.settle(timeout=10_000)
    assert editor.value.cov[0, 1] == float(at or "nan") > 0.6
    assert bridge.sent(editor) - before < 20


def test_correlations_keep_the_variances(bridge: Bridge) -> None:
    editor = CovarianceEditor(house())
    view = bridge.show(editor)
    view.root.get_by_text("correlation", exact=True).click()
    bridge.settle()
    assert editor.show_correlation
    expect(cell(view, "correlation of flat A and flat B")).to_have_text("0.50")
    type_into(bridge, view, "correlation of flat A and flat B", "0.25")
    assert editor.value.correlation[0, 1] == pytest.approx(0.25, abs=1e-15)
    assert np.array_equal(np.diag(editor.value.cov), np.diag(house().cov))
    diagonal = cell(view, "correlation of flat A and flat A")
    expect(diagonal).to_have_attribute("aria-readonly", "true")
    diagonal.click()
    bridge.page.keyboard.type("5")
    expect(view.root.locator(".gr-edit")).to_have_count(0)
    editor.show_correlation = False
    bridge.settle()
    expect(cell(view, PAIR)).to_have_text("0.30")


def test_w20_w24_zero_and_decimal_commas_in_every_row(bridge: Bridge) -> None:
    editor = CovarianceEditor(house(), weights=[1, 1, 1, -1])
    view = bridge.show(editor)
    type_into(bridge, view, PAIR, "0")
    assert editor.value.cov[0, 1] == 0
    type_into(bridge, view, "weight of solar", "-0,5")
    assert editor.weights == (1, 1, 1, -0.5)
    type_into(bridge, view, "mean of flat A", "1e-8")
    assert editor.value.mean[0] == 1e-8
    type_into(bridge, view, PAIR, "1.000,5")
    expect_said(view, "both a comma and a point")
    expect(cell(view, PAIR)).to_have_attribute("aria-invalid", "true")
    assert editor.value.cov[0, 1] == 0
    cell(view, PAIR).click()
    press(bridge, "Escape")
    expect_silence(view)


@pytest.fixture
def clipboard(open_bridge: Callable[..., Bridge]) -> Bridge:
    """A page that may use the clipboard."""
    return open_bridge(permissions=["clipboard-read", "clipboard-write"])


def paste(bridge: Bridge, text: str) -> None:
    bridge.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    press(bridge, "Control+v")


def test_w22_blocks_in_and_out(clipboard: Bridge) -> None:
    bridge = clipboard
    editor = CovarianceEditor(house())
    view = bridge.show(editor)
    cell(view, "variance of flat A").click()
    paste(bridge, "1\t0,5\r\n0,5\t2\r\n")
    assert editor.value.cov[:2, :2].tolist() == [[1, 0.5], [0.5, 2]]
    press(bridge, "Control+z")
    assert editor.value == house()
    paste(bridge, "1\t0.5\n0.4\t2")
    expect_said(view, "flat A, flat B is 0.5 and flat B, flat A is 0.4.")
    assert editor.value == house()
    view.root.get_by_role("button", name="More").click()
    view.root.get_by_text("Copy matrix").click()
    expect_said(view, "Copied.")
    text = bridge.page.evaluate("() => navigator.clipboard.readText()")
    assert [[float(t) for t in line.split("\t")] for line in text.splitlines()] == COV


def test_a_matrix_with_names_is_imported(clipboard: Bridge) -> None:
    bridge = clipboard
    editor = CovarianceEditor()
    view = bridge.show(editor)
    bridge.settle()
    expect(view.root.get_by_text("No matrix yet.")).to_be_visible()
    button(view, "Paste a matrix").click()
    view.root.get_by_role("textbox").fill("1 2\n3 4")
    button(view, "Set matrix").click()
    expect_said(view, "Row 1, column 2 and its mirror differ: 2 and 3.")
    button(view, "Independent, 3 tuples").click()
    bridge.settle()
    assert editor.value == GaussianModel(None, np.eye(3))
    button(view, "Import…").click()
    view.root.get_by_role("textbox").fill("\tAnn\tBob\nAnn\t1\t0.5\nBob\t0.5\t2")
    button(view, "Set matrix").click()
    bridge.settle()
    assert editor.value == GaussianModel(None, [[1, 0.5], [0.5, 2]], ["Ann", "Bob"])
    expect(cell(view, "covariance of Ann and Bob")).to_have_text("0.50")


def test_a_frame_from_python_and_two_views(bridge: Bridge) -> None:
    editor = CovarianceEditor(house())
    first, second = bridge.show(editor), bridge.show(editor)
    type_into(bridge, first, PAIR, "0.1")
    expect(cell(second, PAIR)).to_have_text("0.10")
    editor.value = GaussianModel.from_dataframe(pd.DataFrame({"a": [1.0, 2, 4], "b": [2.0, 1, 1]}))
    bridge.settle()
    for view in (first, second):
        expect(view.root.get_by_text("from 3 records")).to_be_visible()
        expect(cell(view, "covariance of a and b")).to_be_visible()


def test_w21_what_is_being_typed_survives_an_update(bridge: Bridge) -> None:
    editor = CovarianceEditor(house())
    view = bridge.show(editor)
    cell(view, PAIR).click()
    bridge.page.keyboard.type("0.4")
    editor.set_mean("solar", 9)
    bridge.settle()
    bridge.page.keyboard.type("5")
    press(bridge, "Enter")
    assert editor.value.cov[0, 1] == 0.45
    assert editor.value.mean[3] == 9


def test_w11_two_linked_editors_settle(bridge: Bridge) -> None:
    first, second = CovarianceEditor(house()), CovarianceEditor(house())
    link((first, "value"), (second, "value"))
    view, other = bridge.show(first), bridge.show(second)
    bridge.settle()
    before = len(bridge.messages)
    type_into(bridge, view, PAIR, "0.1")
    assert second.value == first.value
    expect(cell(other, PAIR)).to_have_text("0.10")
    assert len(bridge.messages) - before < 20


def test_w32_without_a_kernel_nothing_can_be_edited(bridge: Bridge) -> None:
    editor = CovarianceEditor(house())
    view = bridge.show(editor)
    bridge.settle()
    bridge.kill(editor)
    expect_said(view, "No kernel.")
    expect(button(view, "Independent")).to_be_disabled()
    bridge.revive(editor)
    type_into(bridge, view, PAIR, "0.1")
    assert editor.value.cov[0, 1] == 0.1


def test_w25_every_task_by_keyboard(bridge: Bridge) -> None:
    editor = CovarianceEditor(house())
    view = start(bridge, editor)
    tab_to(bridge, view, "covariance", "radio")
    press(bridge, "ArrowRight")
    assert editor.show_correlation
    press(bridge, "ArrowLeft")
    tab_to(bridge, view, re.compile(f"^{PAIR}"), "gridcell")
    press(bridge, "ArrowRight", "ArrowDown")
    bridge.page.keyboard.type("0.1")
    press(bridge, "Enter")
    assert editor.value.cov[1, 2] == 0.1
    press(bridge, "ArrowUp", "ArrowLeft", "ArrowUp")
    tab_to(bridge, view, re.compile("^Covariance of flat A and flat B"), "slider")
    press(bridge, "Shift+ArrowRight", "Shift+ArrowRight")
    expect(status(view)).to_contain_text("A, B too large")
    tab_to(bridge, view, "Nearest valid", "button")
    press(bridge, "Enter")
    assert editor.current
    tab_to(bridge, view, "Independent", "button")
    press(bridge, "Enter")
    assert np.array_equal(editor.value.cov, np.diag(np.diag(house().cov)))
    press(bridge, *["Control+z"] * 6)
    assert editor.value == house()


def test_w25_the_focus_is_seen(bridge: Bridge) -> None:
    for make in (lambda: CovarianceEditor(house(), weights=[1, 1, 1, -1]), CovarianceEditor):
        view = start(bridge, make())
        for dark in (False, True):
            bridge.theme(dark=dark)
            bridge.page.evaluate("() => document.activeElement?.blur()")
            assert stops_that_are_seen(bridge, view, 40) >= 2
        bridge.theme()
        view.remove()


def test_w26_in_forced_colours_a_variance_is_the_length_of_a_bar(bridge: Bridge) -> None:
    bridge.theme(forced_colors=True)
    view = bridge.show(CovarianceEditor(house(), weights=[1, 1, 1, -1]))
    bar = cell(view, "variance of solar").locator(".gr-bar")
    assert bar.evaluate("el => getComputedStyle(el).display") != "none"


def test_w36_strange_names_are_text(bridge: Bridge) -> None:
    names = ["<script>alert(1)</script>", "שלום", "x" * 10_000, "👩‍👩‍👧‍👦 'q' \"r\""]
    editor = CovarianceEditor(GaussianModel(None, COV, names))
    view = bridge.show(editor)
    bridge.settle()
    assert view.root.locator("script").count() == 0
    expect(view.root.get_by_role("rowheader").first).to_contain_text("<scr")
    chosen = view.root.locator("[data-kind~=chosen]")
    label = chosen.get_attribute("aria-label") or ""
    assert label.startswith("covariance of <script>alert(1)</script> and שלום: ")
    chosen.click()
    bridge.page.keyboard.type("9")
    press(bridge, "Enter")
    expect_said(view, "too large")
