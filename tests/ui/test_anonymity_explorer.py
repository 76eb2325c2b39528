"""The explorer of k-anonymity under a person's hands."""

from __future__ import annotations

import re
from threading import Event

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pdp_widgets import AnonymityExplorer, Microdata
from pdp_widgets.core.progress import ProgressHook
from pdp_widgets.widgets import anonymity_solved
from pdp_widgets.widgets.anonymity_solved import AnonymityTask
from tests.ui.axe import audit
from tests.ui.bridge import Bridge, View
from tests.ui.hands import expect_said, expect_silence, lead, slack_text, until
from tests.ui.test_accessibility import press, tab_to


def table(n: int, quasi: int, *, long: bool = False) -> Microdata:
    """Return made-up records: numbers, labels, and a secret of three values."""
    rng = np.random.default_rng([n, quasi])
    word = "a rather long name of the column number" if long else "q"
    columns = {f"{word} {j}": rng.integers(0, 5 + 9 * j, n).tolist() for j in range(quasi)}
    town = ["a town by the river in the far north" if long else "Ulm", "Bonn", "Kiel"]
    return Microdata(
        {
            **columns,
            "town": [str(one) for one in rng.choice(town, n)],
            "illness": [str(one) for one in rng.choice(["none", "cold", "flu"], n, p=[0.7, 0.2, 0.1])],
        },
        title="Made up",
    )


def show(bridge: Bridge, explorer: AnonymityExplorer) -> View:
    explorer.wait()
    view = bridge.show(explorer)
    bridge.settle()
    return view


def settled(bridge: Bridge, explorer: AnonymityExplorer) -> None:
    """Wait for Python, and for what it computes beside."""
    bridge.settle()
    explorer.wait()
    bridge.settle()


def type_into(bridge: Bridge, view: View, label: str, text: str) -> None:
    view.root.get_by_label(label, exact=True).fill(text)
    press(bridge, "Enter")


def row(view: View, letter: str) -> Locator:
    return view.root.locator(f"tr[data-class='{letter}']")


def test_the_story_in_one_look(bridge: Bridge) -> None:
    view = show(bridge, AnonymityExplorer())
    assert lead(view) == (
        "Every patient shares a class with at least 4 others, yet in 8 of 14 classes nobody has diabetes, so "
        "knowing the class reveals it. The published count does better: to an adversary who knows 30 % of "
        "the records it moves the odds on anyone else by at most a factor of 2.72 (ε = 1.00), up to a slack "
        "δ of 0.0098."
    )
    strip, facts = view.root.locator(".px-audit"), view.root.locator(".kx-fact")
    for words in ("0.0098", "0.173", "thresholds only: 0.493", "off", "tick “as printed” above"):
        expect(strip).to_contain_text(words)
    for words in ("18 times exact", "50 times exact", "0.0027", "exact, 99 others"):
        expect(facts).to_contain_text(words)
    # Nothing printed is shown to who has not asked for it.
    expect(facts).not_to_contain_text("printed")
    expect(view.root.locator(".kx-paper")).to_be_hidden()
    view.root.get_by_label("as printed", exact=True).check()
    bridge.settle()
    for words in ("0.133", "violated from ε = 1.42"):
        expect(strip).to_contain_text(words)
    for words in ("Theorem 1, printed", "holds here", "9.880", "vacuous"):
        expect(facts).to_contain_text(words)
    expect(view.root.locator(".kx-sensitivity")).to_contain_text("worst, s = 8")
    # A class that gives its secret away is the first in sight, and a mixed one near to it.
    expect(row(view, "G")).to_have_attribute("aria-expanded", "true")
    expect(row(view, "G")).to_contain_text("all no")
    expect(row(view, "G")).to_be_in_viewport()
    expect(row(view, "J")).to_have_attribute("aria-expanded", "true")


def test_the_budget_is_dragged_typed_and_undone_and_the_hand_does_not_wait_for_the_kernel(
    bridge: Bridge,
) -> None:
    explorer = AnonymityExplorer()
    view = show(bridge, explorer)
    box = view.root.locator(".kx-curve").bounding_box()
    assert box is not None
    mouse = bridge.page.mouse
    mouse.move(box["x"] + 200, box["y"] + 300)
    mouse.down()
    mouse.move(box["x"] + 320, box["y"] + 300, steps=4)
    mouse.up()
    bridge.settle()
    dragged = explorer.epsilon
    assert 1.2 < dragged < 2
    press(bridge, "Control+z")
    assert explorer.epsilon == 1
    type_into(bridge, view, "Budget ε as a number", "0,5")
    assert explorer.epsilon == 0.5
    expect(view.root.locator(".px-big")).to_have_text(f"{explorer.analysis.slack(0.5).delta:.3f} δ")
    type_into(bridge, view, "Budget ε as a number", "-1")
    expect_said(view, "The budget -1 is refused.")
    assert explorer.epsilon == 0.5
    press(bridge, "Escape")
    expect_silence(view)
    # The screen goes ahead of what is computed.
    explorer.epsilon = 1.0
    bridge.settle()
    with bridge.held():
        view.root.get_by_role("slider", name="Least class size k").press("ArrowRight")
        expect(view.root.locator(".kx-table h3")).to_contain_text("classes of at least 6")
        view.root.get_by_role("slider", name="Budget ε").press("End")
        expect(view.root.locator(".px-lead")).to_contain_text("ε = 2.50")
    settled(bridge, explorer)
    assert (explorer.k, explorer.epsilon) == (6, 2.5)
    expect(view.root.locator(".kx-table h3")).to_contain_text(f"{len(explorer.analysis.classes)} classes")
    # Python moves the screen.
    explorer.k = 12
    settled(bridge, explorer)
    expect(view.root.locator(".kx-table h3")).to_contain_text("classes of at least 12")
    explorer.known = 1.0
    settled(bridge, explorer)
    expect(view.root.locator(".px-lead")).to_contain_text("hides nobody")


def test_classes_are_chosen_and_records_read_in_table_and_map(bridge: Bridge) -> None:
    view = show(bridge, AnonymityExplorer())
    corner = view.root.locator("rect[data-class='N']").bounding_box()
    assert corner is not None
    # The upper right corner of the box of N is a record.
    bridge.page.mouse.move(corner["x"] + corner["width"] - 4, corner["y"] + corner["height"] - 4)
    expect(view.root.locator(".kx-readout")).to_contain_text(
        re.compile(r"Record \d+, class N: age 88, weight 81")
    )
    row(view, "D").click()
    expect(row(view, "D")).to_have_attribute("aria-selected", "true")
    expect(view.root.locator("rect[data-class='D']")).to_have_attribute("aria-selected", "true")
    press(bridge, "ArrowDown")
    expect(row(view, "E")).to_be_focused()
    expect(view.root.locator(".kx-readout")).to_contain_text(
        "Class E, 8 patients: age 38–45, weight 60–69; 1 yes"
    )
    press(bridge, "Escape")
    expect(view.root.locator("tr[aria-selected=true]")).to_have_count(0)
    picture = view.root.locator(".kx-map")
    place = picture.bounding_box()
    tile = view.root.locator("rect[data-class='A']").bounding_box()
    assert place is not None
    assert tile is not None
    picture.click(position={"x": tile["x"] - place["x"] + 4, "y": tile["y"] - place["y"] + 4})
    expect(row(view, "A")).to_have_attribute("aria-expanded", "true")
    tab_to(bridge, view, re.compile("^Classes by age and weight"), "listbox", 60)
    press(bridge, "ArrowRight")
    expect(row(view, "A")).to_have_attribute("aria-selected", "false")
    expect(view.root.locator("tr[aria-selected=true]")).to_have_count(1)


def test_terms_levels_releases_and_readings_are_chosen(bridge: Bridge) -> None:
    explorer = AnonymityExplorer(show_paper=True)
    view = show(bridge, explorer)
    terms = view.root.get_by_role("group", name="Terms of the comparison")
    said = terms.locator("summary")
    expect(said).to_have_text("Terms: a record’s value may differ; bound for thresholds")
    said.click()
    terms.get_by_text("being there", exact=True).click()
    bridge.settle()
    assert explorer.neighbour == "presence"
    expect(view.root.locator(".px-lead")).to_contain_text("the odds that anyone else is in the data")
    terms.get_by_text("intervals", exact=True).click()
    bridge.settle()
    assert explorer.events == "interval"
    expect(said).to_have_text("Terms: whether a record is there may differ; bound for intervals")
    expect(view.root.locator(".px-audit")).to_contain_text("Bound, intervals")
    terms.get_by_text("its value", exact=True).click()
    type_into(bridge, view, "Change in released sum", "2")
    assert explorer.shift == 2
    type_into(bridge, view, "Change in released sum", "")
    assert explorer.shift is None
    type_into(bridge, view, "Change in group size, s", "8")
    assert explorer.group_change == 8
    expect(terms).to_contain_text("Theorem 6 as printed only")
    type_into(bridge, view, "Slack of the Gaussian step, δ₁", "1.5")
    expect_said(view, "The slack 1.5 is refused.")
    assert explorer.delta1 is None
    press(bridge, "Escape")
    levels = view.root.get_by_role("radiogroup", name="Level of the adversary")
    levels.get_by_text("Dependence", exact=True).click()
    bridge.settle()
    assert explorer.level == "II"
    type_into(bridge, view, "Largest neighbourhood as a number", "3")
    assert explorer.neighbours == 3
    expect(view.root.locator(".kx-fact")).to_contain_text("Theorem 5")
    view.root.get_by_label("Published beside the table").select_option("Sum, weight")
    bridge.settle()
    assert explorer.release == "sum:weight"
    expect(view.root.locator(".kx-curves h3")).to_contain_text("How the sum hides one patient")
    view.root.locator(".kx-reading").click()
    view.root.get_by_role("menuitemcheckbox", name="Theorem 5, proof").click()
    bridge.settle()
    assert explorer.reading == "t5:proof"
    view.root.get_by_label("as printed", exact=True).uncheck()
    bridge.settle()
    assert explorer.show_paper is False
    press(bridge, "Control+z", "Control+z", "Control+z")
    assert (explorer.release, explorer.show_paper) == ("count:yes", True)


def test_how_many_records_are_released_and_which_columns_are_set(bridge: Bridge) -> None:
    explorer = AnonymityExplorer()
    view = show(bridge, explorer)
    field = view.root.get_by_label("Records in the release, n", exact=True)
    expect(field).to_have_attribute("placeholder", "100")
    type_into(bridge, view, "Records in the release, n", "1000")
    assert explorer.n == 1000
    shown = view.root.locator(".px-big")
    expect(shown).to_have_text(f"{slack_text(explorer.analysis.slack(1.0).delta)} δ")
    expect(view.root.locator(".kx-adversary")).to_contain_text("Unknown others m699")
    expect(view.root.locator(".kx-fact")).to_contain_text("exact, 999 others")
    # Classes are those of the table.
    expect(view.root.locator(".kx-table h3")).to_contain_text("14 classes of at least 5")
    type_into(bridge, view, "Records in the release, n", "4")
    expect_said(view, "The number of records 4 is refused. Enter a whole number from k = 5")
    assert explorer.n == 1000
    press(bridge, "Escape")
    expect_silence(view)
    press(bridge, "Control+z")
    bridge.settle()
    assert explorer.n is None
    expect(shown).to_have_text("0.0098 δ")
    explorer.n = 20
    settled(bridge, explorer)
    expect(field).to_have_value("20")
    type_into(bridge, view, "Least class size k as a number", "30")
    expect_said(view, "The class size 30 is refused. Enter a whole number from 1 to 20,")
    assert (explorer.k, explorer.n) == (5, 20)
    explorer.n = None
    settled(bridge, explorer)
    view.root.get_by_text("Columns", exact=True).click()
    view.root.get_by_label("weight", exact=True).uncheck()
    settled(bridge, explorer)
    assert explorer.quasi == ("age",)
    expect(view.root.locator(".kx-map")).to_have_attribute("aria-label", re.compile("^Classes by age: "))
    view.root.get_by_label("Secret", exact=True).select_option("none")
    settled(bridge, explorer)
    assert explorer.secret is None
    assert "diabetes" not in lead(view)
    view.root.get_by_label("age", exact=True).click()
    expect_said(view, "The last quasi-identifier stays.")
    assert explorer.quasi == ("age",)


def test_headings_have_the_room_that_there_is_and_names_are_text(bridge: Bridge) -> None:
    rng = np.random.default_rng(4)
    few = {name: rng.integers(1, 9, 60).tolist() for name in ("schooling", "rooms", "children")}
    long = {
        "years at this address": rng.integers(1, 9, 60).tolist(),
        "age": rng.integers(20, 60, 60).tolist(),
    }
    bridge.page.set_viewport_size({"width": 1320, "height": 900})
    cut = """() => [...document.querySelectorAll('.kx-classes th')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""
    for columns, known in ((few, list(few)), (long, list(long))):
        view = show(bridge, AnonymityExplorer(columns, known, k=4))
        assert bridge.page.evaluate(cut) == []
        assert view.root.locator(".kx-classes th").all_inner_texts() == ["class", *known]
        frame = view.root.locator(".kx-classes-frame")
        assert frame.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        view.remove()
    data = Microdata({"<img src=x onerror=alert(1)>": list(range(12)), "s": ["<b>", "yes"] * 6})
    view = show(bridge, AnonymityExplorer(data, ["<img src=x onerror=alert(1)>"], "s", k=3, noun="<i>"))
    assert view.root.locator("img, i, td b").count() == 0
    expect(view.root.locator(".kx-classes thead")).to_contain_text("<img")


def test_it_opens_while_the_law_of_a_sum_is_computed(bridge: Bridge, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, run = Event(), AnonymityTask.run

    def held(self: AnonymityTask, progress: ProgressHook | None = None) -> object:
        gate.wait(60)
        return run(self, progress)

    monkeypatch.setattr(AnonymityTask, "run", held)
    monkeypatch.setattr(anonymity_solved, "PATIENCE", 0.0)
    ages = np.random.default_rng(3).integers(0, 60, 300).tolist()
    explorer = AnonymityExplorer({"age": ages, "visits": [k % 7 for k in range(300)]}, release="sum:age")
    view = bridge.show(explorer)
    bridge.settle()
    expect(view.root.locator(".kx-curves")).to_contain_text("not there yet")
    expect(view.root.locator(".kx-known")).to_contain_text("not there yet")
    expect(view.root.locator(".px-lead")).to_contain_text("the exact slack is not computed")
    expect(view.root.locator(".px-audit")).not_to_contain_text("last valid")
    assert audit(bridge) == []
    view.root.get_by_role("button", name="Cancel").click()
    bridge.settle()
    expect(view.root).to_contain_text("Cancelled. The exact slack is missing.")
    gate.set()
    view.root.get_by_role("button", name="Compute").click()
    curves = view.root.locator(".kx-curves")
    until(bridge, lambda: explorer.current and "not there yet" not in curves.inner_text())
