"""Keys typed in a widget are the widget's: the notebook around it does not hear them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.lab.conftest import Lab

CELLS = (
    "import pdp_widgets as pdp\njoint = pdp.lsat6().marginal(['item 1', 'item 2', 'item 5'])",
    "explorer = pdp.PriorExplorer(joint, show_paper=True)\nexplorer",
    "1 + 1",
)
# Cut, delete, insert, copy, paste, undo, change the kind of a cell, merge, run, restart, save, find.
KEYS = (
    *("x", "d", "d", "a", "b", "c", "v", "z", "y", "m", "r", "j", "k", "l", "o", "0", "0", "1", "i", "i"),
    *("Shift+Enter", "Control+Enter", "Alt+Enter", "Shift+M", "Shift+ArrowDown", "Control+Shift+ArrowUp"),
    *("Control+s", "Control+Shift+c", "Delete", "Backspace", "Enter", "Escape", "Space", "Escape"),
)
#: One root hears the keys of all controls, so that what a control adds is tried with a few.
FEW = ("x", "d", "d", "b", "Shift+Enter", "Control+Enter", "Delete", "Enter", "Escape")
ALL_KEYS = ("grid cell", "editor of a grid cell", "lattice")
CONTROLS = {
    "grid cell": "td.gr-cell >> nth=0",
    "editor of a grid cell": "td.gr-cell >> nth=1",
    "button": "button:has-text('Independent')",
    "number entry": "section[aria-label='Release'] input >> nth=-1",
    "slider": "section[aria-label='Release'] [role=slider], section[aria-label='Release'] input[type=range]",
    "number in the sentence": "[role=spinbutton] >> nth=0",
    "chip": "button.chip >> nth=0",
    "menu of values": "select.chip-value >> nth=1",
    "menu of the attacked one": "select.chip-choose",
    "lattice": "svg [tabindex='0'] >> nth=0",
    "check box": "input[type=checkbox] >> nth=0",
    "r": ".px-curves [role=slider], [role=slider][aria-label*='r'] >> nth=-1",
    "explanation": "button.icon-button[aria-label='What is this?']",
}

#: One question in place of two: it is asked for every key in every control.
FOCUSED = """control => {
    control.focus();
    return !!document.activeElement.closest('.pdp');
}"""
NOTEBOOK = """panel => ({
    sources: panel.content.widgets.map(cell => cell.model.sharedModel.getSource()),
    kinds: panel.content.widgets.map(cell => cell.model.type),
    counts: panel.content.widgets.map(cell => cell.model.executionCount ?? null),
    outputs: panel.content.widgets.map(cell => cell.outputArea?.widgets.length ?? 0),
    active: panel.content.activeCellIndex,
    dialogs: document.querySelectorAll('.jp-Dialog').length,
    selected: panel.content.selectedCells.length,
    status: panel.context.sessionContext.session.kernel.status === 'dead',
})"""


@pytest.fixture(scope="module")
def opened(at_desk: Any) -> Any:
    """A notebook with an explorer, for all controls."""
    with at_desk() as lab:
        lab.write_notebook("keys.ipynb", *CELLS)
        lab.show("keys.ipynb")
        lab.run_all()
        expect(lab.panel.locator(".pdp .px-fact")).to_be_visible()
        yield lab


def test_w35_keys_in_a_control_do_not_reach_the_notebook(opened: Lab) -> None:
    view = opened.panel.locator(".pdp")
    # The cell of the widget is the one that shortcuts of the notebook would act on.
    opened.ask("panel => { panel.content.activeCellIndex = 1; panel.content.mode = 'command'; }")
    before = opened.ask(NOTEBOOK)
    for control, selector in CONTROLS.items():
        target = view.locator(selector).first
        for key in KEYS if control in ALL_KEYS else FEW:
            inside = target.evaluate(FOCUSED)
            if control.startswith("editor") and key != "Enter":
                opened.page.keyboard.press("Enter")
                inside = opened.page.evaluate("() => !!document.activeElement.closest('.pdp')")
            assert inside, (control, key)
            opened.page.keyboard.press(key)
        # Whatever a key started would have to show by now.
        opened.page.evaluate("() => new Promise(done => setTimeout(done, 30))")
        assert opened.ask(NOTEBOOK) == before, control


def test_w35_the_same_keys_do_act_on_the_notebook_outside_of_the_widget(opened: Lab) -> None:
    """Without this the test above could pass because nothing listens."""
    opened.ask("panel => { panel.content.activeCellIndex = 2; panel.content.mode = 'command'; }")
    opened.panel.locator(".jp-InputPrompt").nth(2).click()
    before = opened.ask("panel => panel.content.widgets.length")
    opened.page.keyboard.press("b")
    assert opened.ask("panel => panel.content.widgets.length") == before + 1
    opened.page.keyboard.press("d")
    opened.page.keyboard.press("d")
    assert opened.ask("panel => panel.content.widgets.length") == before
