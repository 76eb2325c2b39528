"""The explorer of local privacy under a person's hands."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from pdp_widgets import EXP, GRR, AttributeTable, LocalAnalysis, LocalExplorer, titanic
from pdp_widgets.local import Channel
from tests.ui.bridge import Bridge, View
from tests.ui.hands import expect_said, expect_silence, lead
from tests.ui.test_accessibility import press, tab_to


def titanics(**more: object) -> LocalExplorer:
    return LocalExplorer(titanic(), "GRR", 1.0, source="class", secret="survived", noun="person", **more)


def people(n: int, k: int = 2, records: int = 400, long: bool = False) -> AttributeTable:
    """Return attributes that are correlated."""
    rng = np.random.default_rng(n)
    base = rng.normal(size=records)
    columns = [base * rng.uniform(0, 1) + rng.normal(size=records) for _ in range(n)]
    codes = np.stack([np.digitize(c, np.quantile(c, np.arange(1, k) / k)) for c in columns], 1)
    word = "a rather long name of attribute number" if long else "attribute"
    label = "quite a long label for the value" if long else "v"
    return AttributeTable(
        codes, domains=[[f"{label} {v}" for v in range(k)]] * n, names=[f"{word} {j + 1}" for j in range(n)]
    )


def cell(view: View, source: str, secret: str) -> Locator:
    return view.root.get_by_role("gridcell", name=re.compile(f"^Report of {source} about {secret}:"))


def big(view: View) -> Locator:
    return view.root.locator(".px-big")


def budget(view: View) -> Locator:
    return view.root.get_by_label("Budget ε as a number")


def type_budget(bridge: Bridge, view: View, text: str) -> None:
    budget(view).fill(text)
    press(bridge, "Enter")


def fact(view: View, term: str) -> str:
    return view.root.locator(f".lx-fact dt:text-is('{term}') + dd").inner_text().replace("\n", " ")


def test_the_story_in_one_look_and_the_chosen_cell_its_mirror_and_those_pointed_at_are_ringed(
    bridge: Bridge,
) -> None:
    view = bridge.show(titanics())
    bridge.settle()
    assert lead(view) == (
        "Each report promises to leak at most 1.000 nats about its own attribute, at ε = 1.00. Class alone "
        "leaks 0.268 about survived. All four reports together leak 1.834, more than the paper’s sum of "
        "pairs, 1.808."
    )
    expect(big(view)).to_have_text("0.268 nats")
    assert fact(view, "Worst report") == "1st"
    assert fact(view, "Told apart") == "yes from no"
    assert fact(view, "Any ε-LDP").split() == ["0.287", "bound"]
    assert fact(view, "Limit, large ε").split() == ["1.249", "saturates"]
    expect(view.root.locator(".lx-rows .lx-words")).to_have_text(
        "“1st” is reported with chance 0.261 if yes and 0.199 if no. Their ratio is 1.307 = e0.268."
    )
    expect(cell(view, "class", "survived")).to_have_attribute("aria-selected", "true")
    strip = view.root.locator(".px-audit")
    for words in ("1.834", "1.808", "too low by 0.026", "not a bound", "2.882", "never too low"):
        expect(strip).to_contain_text(words)
    expect(view.root.locator(".lx-curve")).to_contain_text("equal at 2.44")
    chosen = {("Report of class about survived", False), ("Report of survived about class", True)}
    assert set(rings(view, ".lx-rings:not(.lx-pointed)")) >= chosen
    assert len({name for name, _ in rings(view, ".lx-rings:not(.lx-pointed)")}) == 2
    assert rings(view, ".lx-pointed") == []
    cell(view, "sex", "age").hover()
    assert rings(view, ".lx-pointed") == [
        ("Report of age about sex", True),
        ("Report of sex about age", False),
    ]
    # Pointing chooses nothing.
    assert set(rings(view, ".lx-rings:not(.lx-pointed)")) >= chosen
    bridge.page.mouse.move(2, 2)
    assert rings(view, ".lx-pointed") == []
    cell(view, "sex", "age").click()
    bridge.settle()
    names = {name for name, _ in rings(view, ".lx-rings:not(.lx-pointed)")}
    assert names == {"Report of sex about age", "Report of age about sex"}


def test_a_budget_moves_every_pair_before_python_answers_and_is_one_in_slider_curve_and_sentence(
    bridge: Bridge,
) -> None:
    explorer = titanics()
    view = bridge.show(explorer)
    bridge.settle()
    with bridge.held():
        budget(view).click()
        bridge.page.keyboard.type("2")
        bridge.page.keyboard.press("Enter")
        expect(big(view)).to_have_text("0.617 nats")
        expect(cell(view, "survived", "class")).to_have_attribute("aria-label", re.compile("0.679 nats$"))
        # What all reports say together is awaited, not shown as new.
        expect(view.root.locator(".px-audit")).to_contain_text("…")
        ahead = view.root.locator(".lx-map").text_content() or ""
    bridge.settle()
    assert explorer.epsilon == 2
    exact = explorer.results.joint("survived").exact
    assert exact is not None
    expect(view.root.locator(".px-audit")).to_contain_text(f"{exact.value:.3f}")
    assert explorer.results.matrix[0, 3] == pytest.approx(0.617, abs=5e-4)
    after = view.root.locator(".lx-map").text_content() or ""
    # All but what comes late.
    assert after.split("all four")[0] == ahead.split("all four")[0]
    press(bridge, "Control+z")
    assert explorer.epsilon == 1
    press(bridge, "Control+Shift+z")
    assert explorer.epsilon == 2
    handle = view.root.locator(".lx-curve").get_by_role("slider", name="Budget ε")
    handle.focus()
    press(bridge, "End")
    assert explorer.epsilon == 4
    view.root.get_by_role("slider", name="Budget ε, nats per report").focus()
    press(bridge, "Home")
    assert explorer.epsilon == 0
    expect(big(view)).to_have_text("0 nats")
    box = view.root.locator(".lx-curve").bounding_box()
    assert box is not None
    bridge.page.mouse.move(box["x"] + 60, box["y"] + 60)
    bridge.page.mouse.down()
    bridge.page.mouse.move(box["x"] + 150, box["y"] + 60, steps=4)
    bridge.page.mouse.up()
    bridge.settle()
    assert 0.5 < explorer.epsilon < 3
    # One drag is one step.
    press(bridge, "Control+z")
    assert explorer.epsilon == 0
    number = view.root.get_by_role("spinbutton", name="Budget ε")
    number.focus()
    press(bridge, "Enter")
    bridge.page.keyboard.type("1,5")
    press(bridge, "Enter")
    assert explorer.epsilon == 1.5


def test_infinity_is_a_budget_what_is_none_is_refused_and_a_goal_has_one(bridge: Bridge) -> None:
    explorer = titanics()
    view = bridge.show(explorer)
    bridge.settle()
    type_budget(bridge, view, "inf")
    assert explorer.epsilon == np.inf
    expect(big(view)).to_have_text("1.249 nats")
    assert budget(view).input_value() == "∞"
    type_budget(bridge, view, "-1")
    expect_said(view, "The budget -1 is refused.")
    assert explorer.epsilon == np.inf
    bridge.page.keyboard.press("Escape")
    expect_silence(view)
    type_budget(bridge, view, "lots")
    expect_said(view, "no budget. Enter a number of nats, or inf.")
    bridge.page.keyboard.press("Escape")
    expect_silence(view)
    # The range of budgets follows up, and down again.
    slider = view.root.get_by_role("slider", name="Budget ε, nats per report")
    type_budget(bridge, view, "50")
    expect(slider).to_have_attribute("aria-valuemax", "80")
    type_budget(bridge, view, "1")
    expect(slider).to_have_attribute("aria-valuemax", "4")
    # The budget that a goal has is taken over.
    view.root.get_by_text("Find a budget").click()
    goal = view.root.get_by_label("Goal for all reports together, nats")
    goal.fill("1.5")
    press(bridge, "Enter")
    assert explorer.budget == 1.5
    rows = view.root.locator(".lx-more .lx-numbers:visible tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("0.375")
    expect(rows.nth(1)).to_contain_text("an estimate: it can leak more than the goal")
    rows.nth(2).get_by_role("button", name=re.compile("^Set ε to")).click()
    bridge.settle()
    worst = max(
        explorer.results.joint(name).exact.value  # type: ignore[union-attr]
        for name in explorer.results.names
    )
    assert 1.49 < worst <= 1.5


def test_a_pair_is_chosen_by_keyboard_in_the_table_the_menus_by_swapping_and_by_python(
    bridge: Bridge,
) -> None:
    explorer = titanics()
    view = bridge.show(explorer)
    bridge.settle()
    tab_to(bridge, view, re.compile("^Report of class about survived"), "gridcell")
    press(bridge, "ArrowDown", "ArrowLeft")
    assert (explorer.source, explorer.secret) == ("class", "survived")
    focused = bridge.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "Report of sex about age: 0.237 nats"
    press(bridge, "Enter")
    assert (explorer.source, explorer.secret) == ("sex", "age")
    press(bridge, "Home", "Space")
    assert (explorer.source, explorer.secret) == ("sex", "class")
    press(bridge, "PageDown", "End", "ArrowLeft", "Enter")
    assert (explorer.source, explorer.secret) == ("survived", "age")
    cell(view, "sex", "survived").click()
    bridge.settle()
    assert (explorer.source, explorer.secret) == ("sex", "survived")
    expect(big(view)).to_have_text("0.469 nats")
    view.root.get_by_role("button", name="swap").click()
    bridge.settle()
    assert (explorer.source, explorer.secret) == ("survived", "sex")
    view.root.get_by_label("The adversary wants").select_option("age")
    bridge.settle()
    assert (explorer.source, explorer.secret) == ("survived", "age")
    # Who takes the attribute at the other end turns the pair around.
    view.root.get_by_label("The adversary sees the report of").select_option("age")
    bridge.settle()
    assert (explorer.source, explorer.secret) == ("age", "survived")
    # The diagonal is no pair.
    view.root.get_by_role("gridcell", name=re.compile("^sex, own:")).click(force=True)
    bridge.settle()
    assert (explorer.source, explorer.secret) == ("age", "survived")
    # What Python sets is shown.
    explorer.epsilon = 2.0
    explorer.mechanism = "SS"
    explorer.source = "sex"
    bridge.settle()
    assert budget(view).input_value() == "2.00"
    expect(view.root.get_by_role("combobox", name="Mechanism")).to_have_value("Subset selection (SS)")
    expect(cell(view, "sex", "survived")).to_have_attribute("aria-selected", "true")


def test_attributes_and_an_example_go_and_come_back_with_undo(bridge: Bridge) -> None:
    explorer = titanics()
    view = bridge.show(explorer)
    bridge.settle()
    chips = view.root.get_by_role("group", name="Attributes that are released")
    chips.get_by_role("button", name="class").click()
    bridge.settle()
    assert explorer.attributes == ("sex", "age", "survived")
    assert explorer.source != "class"
    assert explorer.secret == "survived"
    expect(view.root.get_by_role("gridcell")).to_have_count(9)
    for name in ("sex", "age"):
        chips.get_by_role("button", name=name).click()
        bridge.settle()
    assert explorer.attributes == ("survived",)
    expect(view.root.locator(".px-lead")).to_contain_text("One attribute has no other to leak about.")
    # The last one stays.
    chips.get_by_role("button", name="survived").click(force=True)
    bridge.settle()
    assert explorer.attributes == ("survived",)
    press(bridge, "Control+z", "Control+z", "Control+z")
    assert explorer.attributes == ("class", "sex", "age", "survived")
    expect(view.root.get_by_role("gridcell")).to_have_count(16)
    # The sum of pairs is too low one click away.
    chosen = (explorer.source, explorer.secret)
    view.root.get_by_text("When the sum is too low").click()
    view.root.get_by_role("button", name="Show it here").click()
    bridge.settle()
    assert explorer.results.names == ("bit 1", "bit 2", "parity")
    expect(view.root.locator(".px-lead")).to_contain_text(
        "together leak 1.434, more than the paper’s sum of pairs, 1.000."
    )
    type_budget(bridge, view, "2")
    assert explorer.epsilon == 2
    press(bridge, "Control+z", "Control+z")
    assert explorer.results.names == ("class", "sex", "age", "survived")
    assert (explorer.source, explorer.secret, explorer.epsilon) == (*chosen, 1)
    press(bridge, "Control+Shift+z")
    expect(view.root.get_by_role("button", name="Back to your data")).to_be_visible()
    view.root.get_by_role("button", name="Back to your data").click()
    bridge.settle()
    assert explorer.results.names[0] == "class"


def test_mechanisms_are_compared_both_ways_chosen_and_read(bridge: Bridge) -> None:
    explorer = titanics()
    view = bridge.show(explorer)
    bridge.settle()
    view.root.get_by_text("Mechanisms", exact=True).click()
    row = view.root.locator(".lx-more tbody tr", has_text="(OUE)")
    expect(row.locator("td").nth(0)).to_have_text("1")
    inferred = LocalAnalysis(titanic(), "OUE", 1.0, output="inferred").total
    share = inferred / LocalAnalysis(titanic(), "generic", 1.0).total
    expect(row.locator("td").nth(1)).to_have_text(f"{share:.3f}")
    # Bars start at one line and share a scale.
    for kind in ("raw", "inferred"):
        boxes = view.root.locator(f".lx-bar-{kind}").evaluate_all(
            "bars => bars.map((bar) => [bar.getBoundingClientRect().left, bar.getBoundingClientRect().width, "
            "Number(bar.parentElement.nextElementSibling.textContent)])"
        )
        assert len(boxes) == 9
        assert len({round(left, 1) for left, _, _ in boxes}) == 1
        for _, width, share in boxes:
            assert width == pytest.approx(90 * share, abs=0.1)
    menu = view.root.get_by_role("combobox", name="Mechanism")
    menu.select_option("Unary, optimised (OUE)")
    bridge.settle()
    assert explorer.mechanism.name == "OUE"
    expect(big(view)).to_have_text("0.287 nats")
    view.root.get_by_text("inferred", exact=True).click()
    bridge.settle()
    assert explorer.output == "inferred"
    expect(big(view)).to_have_text("0.149 nats")
    # A guess is a lower bound and no promise.
    expect(view.root.locator(".lx-reading")).to_have_text("value of one attack, a lower bound")
    expect(view.root.locator(".px-leak h3")).to_have_text(
        "What a guess from one report says about another attribute a lower bound, nats"
    )
    expect(view.root.locator(".px-audit > div").first).to_contain_text(
        "Promise, own report1.000the guess of it leaks 0.471"
    )
    menu.select_option("Any mechanism")
    bridge.settle()
    assert (explorer.mechanism.name, explorer.output) == ("generic", "raw")
    expect(view.root.get_by_role("radio", name="inferred")).to_be_disabled()
    menu.focus()
    press(bridge, "Control+z")
    assert (explorer.mechanism.name, explorer.output) == ("OUE", "inferred")
    menu.select_option("RAPPOR, one report")
    bridge.settle()
    q = view.root.get_by_label("q: Probability of reporting 1 for a memoised 1")
    q.fill("0.4")
    press(bridge, "Enter")
    expect_said(view, "q 0.4 is refused. q must not be below p.")
    bridge.page.keyboard.press("Escape")
    q.fill("0.9")
    press(bridge, "Enter")
    assert explorer.results.mechanisms[0].q == 0.9
    expect(budget(view)).to_be_disabled()


def test_labels_stand_by_their_curves_and_rare_values_are_ignored_on_request(bridge: Bridge) -> None:
    explorer = LocalExplorer(titanic(), "GRR", 1.0, source="class", secret="age")
    view = bridge.show(explorer)
    bridge.settle()
    plot = view.root.locator(".lx-curves")
    upper = plot.get_by_text("class about age").bounding_box()
    lower = plot.get_by_text("age about class").bounding_box()
    assert upper is not None
    assert lower is not None
    # Class says more about age than age about class.
    assert (upper["y"], upper["x"]) < (lower["y"], lower["x"])
    explorer.source = "sex"
    bridge.settle()
    least = view.root.get_by_role("spinbutton", name="Ignore rows with fewer records than")
    least.focus()
    press(bridge, "ArrowUp", "Shift+ArrowUp")
    assert explorer.min_count == 11
    press(bridge, "Enter")
    bridge.page.keyboard.type("200")
    press(bridge, "Enter")
    assert explorer.min_count == 200
    # 109 children are too few: nothing is left to tell apart.
    expect(big(view)).to_have_text("0 nats")
    assert fact(view, "Left out").startswith("1")
    press(bridge, "Control+z", "Control+z")
    assert explorer.min_count == 0


#: What steps of a slider change in the table of pairs: elements made, attributes set, and pixels of colour.
REDRAWN = """(thumb, steps) => {
    const map = thumb.closest(".pdp").querySelector(".lx-map-frame");
    const canvas = map.querySelector("canvas");
    const pixels = () => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const watcher = new MutationObserver(() => null);
    watcher.observe(map, { subtree: true, childList: true, attributes: true });
    return Array.from({ length: steps }, () => {
        watcher.takeRecords();
        const before = pixels();
        thumb.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        const after = pixels();
        let [drawn, changed] = [0, 0];
        for (let k = 0; k < after.length; k += 4) {
            if (after[k + 3] > 0) drawn += 1;
            if ([0, 1, 2].some((part) => after[k + part] !== before[k + part])) changed += 1;
        }
        const records = watcher.takeRecords();
        return { touched: records.length, drawn: drawn / (after.length / 4), changed };
    });
}"""


def rings(view: View, group: str) -> list[tuple[str, bool]]:
    """Return the cells that are ringed, by name, and whether the ring is dashed."""
    found = view.root.locator(".lx-map").evaluate(
        """(map, group) => [...map.querySelectorAll(`${group} > rect`)].map((ring) => {
            const box = ring.getBoundingClientRect();
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            const inside = (cell) => {
                const at = cell.querySelector("rect").getBoundingClientRect();
                return at.left < x && x < at.right && at.top < y && y < at.bottom;
            };
            const cell = [...map.querySelectorAll("[data-cell]")].find(inside);
            return [cell.getAttribute("aria-label").split(":")[0], ring.hasAttribute("stroke-dasharray")];
        })""",
        group,
    )
    return [tuple(ring) for ring in found]


def test_forty_attributes_follow_a_drag_and_another_pair_redraws_its_cells_alone(bridge: Bridge) -> None:
    explorer = LocalExplorer(people(40))
    view = bridge.show(explorer)
    bridge.settle()
    thumb = view.root.get_by_role("slider", name="Budget ε, nats per report")
    before = cell(view, "attribute 1", "attribute 2").get_attribute("aria-label")
    assert before is not None
    with bridge.held():
        redrawn = thumb.evaluate(REDRAWN, 8)
        # Said before anything is answered.
        expect(cell(view, "attribute 1", "attribute 2")).not_to_have_attribute("aria-label", before)
    bridge.settle()
    assert explorer.epsilon > 1
    for step in redrawn:
        # Colours are painted below the cells: no element is made, and the chosen cell alone says its number.
        assert step["touched"] <= 1
        assert step["changed"] > 1000
        assert 0.5 < step["drawn"] < 1
    readout = view.root.locator(".lx-readout")
    cell(view, "attribute 3", "attribute 5").hover()
    expect(readout).to_contain_text("Report of attribute 3 about attribute 5:")
    view.root.locator(".lx-map").evaluate(
        """map => {
            window.drawn = new Set();
            const note = ({ target }) => {
                const cell = target.closest("[data-cell]");
                if (cell) window.drawn.add(cell);
            };
            const watcher = new MutationObserver((records) => records.forEach(note));
            watcher.observe(map, { subtree: true, childList: true, attributes: true });
        }"""
    )
    cell(view, "attribute 3", "attribute 5").click()
    bridge.settle()
    # The one that was chosen, and the one that is.
    assert 1 <= bridge.page.evaluate("() => window.drawn.size") <= 3


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


def test_a_channel_of_ones_own_is_chosen_typed_refused_and_undone(bridge: Bridge) -> None:
    explorer = titanics()
    view = bridge.show(explorer)
    bridge.settle()
    view.root.get_by_label("Mechanism", exact=True).select_option("Your own channel")
    bridge.settle()
    # Attributes have different numbers of labels: it begins with the one that is seen.
    rows = view.root.get_by_label("Your own channel: a row of probabilities for each label")
    expect(rows).to_have_value("0.7 0.1 0.1 0.1\n0.1 0.7 0.1 0.1\n0.1 0.1 0.7 0.1\n0.1 0.1 0.1 0.7")
    assert explorer.mechanism["sex"] == GRR(1.0)
    rows.fill("0.9 0.1\n1/2 1/2\n0.2, 0.8\n[0 1]")
    press(bridge, "Control+Enter")
    bridge.settle()
    assert explorer.mechanism["class"] == Channel([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [0, 1]])
    expect(big(view)).to_have_text(f"{explorer.results.matrix[0, 3]:.3f} nats")
    assert fact(view, "Worst report") == "output 1"
    expect(view.root.locator(".lx-rows .lx-words")).to_contain_text("Output 1 is")
    expect(view.root.get_by_role("table", name="probability of each output, class")).to_contain_text("0.900")
    kept = explorer.mechanism
    for wrong, said in (
        ("0.9 0.2\n1 0\n1 0\n1 0", "row 0 sums to 1.1; every row must sum to 1."),
        ("1 0\n1 0", "The channel has 2 rows; give 4, one for each label."),
        ("1 0\n1\n1 0\n1 0", "rows of different lengths"),
        ("1 0\n1 x\n1 0\n1 0", "in row 1, column 1; an entry is a probability, 0 or more."),
    ):
        rows.fill(wrong)
        press(bridge, "Control+Enter")
        expect_said(view, said)
        assert explorer.mechanism == kept
    rows.fill("0.9 0.1\n1/2 1/2\n0.2, 0.8\n0 1")
    press(bridge, "Control+Enter")
    expect_silence(view)
    view.root.get_by_label("Others are released by").select_option("Exponential (EXP)")
    bridge.settle()
    assert explorer.mechanism["age"] == EXP(1.0)
    view.root.get_by_label("Your own channel is for").select_option("all attributes")
    expect_said(view, "have other numbers of labels")
    view.root.get_by_label("Your own channel is for").select_option("sex")
    bridge.settle()
    expect(rows).to_have_value("0.7 0.3\n0.3 0.7")
    press(bridge, "Control+z")
    bridge.settle()
    assert explorer.mechanism["class"] == kept["class"]
