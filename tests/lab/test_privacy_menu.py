"""The "Privacy" menu in JupyterLab: explorers on data frames and files, their code, and exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import pdp_widgets as pdp
from tests.lab.test_documents import LIMIT, TAB, shown
from tests.lab.test_launcher import ON_A_FOLDER

CSV = "smokes,ill,age\n" + "yes,yes,61\nyes,no,47\nno,no,33\nno,no,58\nno,yes,70\n" * 20
FRAMES = """import pandas as pd
people = pd.DataFrame({"a": [1, 2, 1, 1] * 9, "b": list("xyxx") * 9})
other = people[["a"]]"""
CARD = ".jp-MainAreaWidget:not(.lm-mod-hidden) .jp-LauncherCard[data-category=Privacy]"
#: How many kernels run.
RUNNING = """() => {
    const { sessions } = window.jupyterapp.serviceManager;
    return sessions.refreshRunning().then(() => [...sessions.running()].length);
}"""
WORDS = {
    "explore-frame": "No notebook is open",
    "explore-file": "Select a table in the file browser",
    "insert-code": "No leakage document is open",
    "export-html": "No leakage document is open",
    "export-svg": "No leakage document is open",
    "export-tex": "No leakage document is open",
}
#: A file of the file browser that is dropped at a place, as Lumino tells of it.
DROP = """([selector, path]) => {
    const target = document.querySelector(selector);
    const taken = {};
    for (const type of ['lm-dragenter', 'lm-dragover', 'lm-drop']) {
        const event = new Event(type, { bubbles: true, cancelable: true });
        const getData = (kind) => kind === 'application/x-jupyter-icontents' ? [path] : undefined;
        const mimeData = { getData, hasData: (kind) => getData(kind) !== undefined };
        Object.assign(event, { mimeData, dropAction: 'none', proposedAction: 'move' });
        target.dispatchEvent(event);
        taken[type] = event.defaultPrevented;
    }
    return taken;
}"""


#: A file of the desktop that is dropped at a place, and whether the page took it from the browser.
DROP_FILE = """([selector, name, text]) => {
    const target = document.querySelector(selector);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    const taken = {};
    for (const type of ['dragover', 'drop']) {
        const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
        target.dispatchEvent(event);
        taken[type] = event.defaultPrevented;
    }
    return taken;
}"""


def toast(lab: Any, words: str) -> None:
    """Wait for a word of JupyterLab's, and close it."""
    said = lab.page.locator(".Toastify__toast", has_text=words)
    expect(said.first).to_be_visible(timeout=LIMIT)
    lab.page.evaluate(
        "() => window.jupyterapp.commands.execute('apputils:dismiss-notification').catch(() => null)"
    )


def started(lab: Any, command: str, args: dict[str, Any] | None = None) -> None:
    """Begin a command that asks something."""
    lab.page.evaluate(
        "([name, args]) => { window.jupyterapp.commands.execute(name, args); }",
        [f"pdp-widgets:{command}", args or {}],
    )


def asked(lab: Any) -> Locator:
    """Wait for the dialog that shows columns."""
    dialog = lab.page.locator(".jp-Dialog", has=lab.page.locator(".pdp-Columns"))
    expect(dialog).to_be_visible(timeout=LIMIT)
    return dialog


def dragged(lab: Any, source: Locator, target: Locator) -> None:
    """Drag by the mouse from the middle of one to the middle of another."""
    mouse = lab.page.mouse
    (x, y), (left, top) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for box in (source.bounding_box(), target.bounding_box())
    )
    mouse.move(x, y)
    mouse.down()
    mouse.move(left, top, steps=12)
    mouse.up()


def opened(lab: Any, path: Path) -> Any:
    """Wait for the tab of a document, and return its explorer."""
    expect(lab.page.locator(f"{TAB} .px-title")).to_be_visible(timeout=LIMIT)
    assert lab.ask("tab => tab.context.path") == f"{lab.folder}/{path.name}"
    return pdp.open(path)


@pytest.fixture
def votes(desk: Any) -> Path:
    """A table of a hundred people, in the folder of the test."""
    path = Path(desk.path / "people.csv")
    path.write_text(CSV)
    return path


def test_each_command_says_where_it_does_not_apply(desk):
    desk.page.evaluate("() => { for (const one of window.jupyterapp.shell.widgets('main')) one.dispose(); }")
    for command, words in WORDS.items():
        desk.command(f"pdp-widgets:{command}")
        toast(desk, words)


def test_the_menu_and_the_palette_have_every_command(desk):
    desk.page.locator(".jp-MenuBar, .lm-MenuBar").first.get_by_text("Privacy", exact=True).click()
    items = desk.page.locator(".lm-Menu .lm-Menu-item:not([data-type=separator])")
    # Beside them "Copy as Python" and "Explain", which apply to what is there.
    expect(items).to_have_count(len(WORDS) + 2)
    desk.page.keyboard.press("Escape")
    desk.command("apputils:activate-command-palette")
    desk.page.locator(".lm-CommandPalette-input").fill("explore")
    for name in ("Explore Data Frame of Notebook…", "Explore Table from File…", "Export Explorer as Page"):
        desk.page.locator(".lm-CommandPalette-input").fill(name)
        expect(desk.page.locator(".lm-CommandPalette-item", has_text=name).first).to_be_visible()


def test_an_explorer_opens_on_a_data_frame_and_its_code_goes_into_the_notebook(desk):
    desk.write_notebook("one.ipynb", FRAMES, "")
    desk.show("one.ipynb")
    desk.run_all()
    started(desk, "explore-frame")
    dialog = asked(desk)
    expect(dialog.get_by_label("Data frame").locator("option")).to_have_text(["people", "other"])
    expect(dialog).to_contain_text("36 rows, 2 columns. Nothing is computed yet.")
    expect(dialog).to_contain_text("numbers, 2 different, from 1 to 2")
    expect(dialog).to_contain_text("texts, 2 labels: x, y")
    expect(dialog).to_contain_text("a table of 2 × 2 = 4 cells")
    dialog.get_by_label("b", exact=True).uncheck()
    expect(dialog).to_contain_text("a table of 2 = 2 cells")
    dialog.get_by_label("b", exact=True).check()
    dialog.get_by_label("Data frame").select_option("other")
    expect(dialog).to_contain_text("36 rows, 1 columns")
    dialog.get_by_label("Data frame").select_option("people")
    expect(dialog).to_contain_text("a table of 2 × 2 = 4 cells")
    dialog.get_by_role("button", name="Open").click()
    explorer = opened(desk, desk.path / "people.leakage.json")
    assert explorer.value.names == ("a", "b")
    assert explorer.value.counts.sum() == 36

    desk.command("pdp-widgets:insert-code")
    toast(desk, "The code of people.leakage.json stands in the notebook")
    cell = desk.ask("tab => tab.content.activeCell.model.sharedModel.getSource()")
    names: dict[str, Any] = {}
    exec(cell.replace("\npdp.open", "\nfound = pdp.open"), names)
    assert names["found"].results.largest == explorer.results.largest


def test_a_file_is_explored_by_open_with_and_by_a_drop_on_a_card(desk, votes):
    path = f"{desk.folder}/{votes.name}"
    desk.command("docmanager:open", {"path": path, "factory": "Leakage explorer"})
    dialog = asked(desk)
    expect(dialog).to_contain_text(
        "100 rows, 3 columns. Nothing is computed yet. The whole file is read by Python"
    )
    # By keys alone: the explorer, then columns, then "Open".
    dialog.get_by_label("Explorer").focus()
    desk.page.keyboard.press("k")
    expect(dialog.get_by_label("Explorer")).to_have_value("AnonymityExplorer")
    expect(dialog).to_contain_text("Chosen: 100 rows of 3 columns.")
    desk.page.keyboard.press("Tab")
    expect(dialog.get_by_label("smokes", exact=True)).to_be_focused()
    desk.page.keyboard.press("Space")
    expect(dialog).to_contain_text("Chosen: 100 rows of 2 columns.")
    dialog.get_by_role("button", name="Open").press("Enter")
    explorer = opened(desk, desk.path / "people.leakage.json")
    assert [column.name for column in explorer.value.columns] == ["ill", "age"]
    # The tab that stood there is gone, and so is the kernel that read the file.
    desk.page.wait_for_function(
        "() => [...window.jupyterapp.shell.widgets('main')].every(one => !one.context?.path.endsWith('.csv'))"
    )
    assert desk.page.evaluate(RUNNING) == 0

    desk.page.evaluate(ON_A_FOLDER, desk.folder)
    card = desk.page.locator(f"{CARD}[title*='Local privacy']")
    expect(card).to_be_visible()
    dragged(desk, desk.page.locator(".jp-DirListing-item", has_text=votes.name), card)
    dialog = asked(desk)
    expect(dialog.get_by_label("Explorer")).to_have_value("LocalExplorer")
    dialog.get_by_role("button", name="Open").click()
    # The first document stays.
    explorer = opened(desk, desk.path / "people-1.leakage.json")
    assert isinstance(explorer, pdp.LocalExplorer)
    # On an explorer too, and on nothing else.
    assert not any(desk.page.evaluate(DROP, [".jp-SideBar", path]).values())
    assert all(desk.page.evaluate(DROP, [f"{TAB} .px-title", path]).values())
    dialog = asked(desk)
    expect(dialog.get_by_label("Explorer")).to_have_value("LocalExplorer")
    dialog.get_by_role("button", name="Cancel").click()
    expect(desk.page.locator(".jp-Dialog")).to_have_count(0)
    # From the desktop: the file is put into the folder on show, and what is no table is left alone.
    assert desk.page.evaluate(DROP_FILE, [f"{TAB} .px-title", "from desk.csv", CSV]) == {
        "dragover": True,
        "drop": True,
    }
    dialog = asked(desk)
    expect(dialog).to_contain_text("100 rows, 3 columns")
    assert (desk.path / "from desk.csv").read_text() == CSV
    dialog.get_by_role("button", name="Cancel").click()
    expect(desk.page.locator(".jp-Dialog")).to_have_count(0)
    assert desk.page.evaluate(DROP_FILE, [f"{TAB} .px-title", "words.txt", "a"])["drop"]
    assert not desk.page.evaluate(DROP_FILE, [".jp-SideBar", "other.csv", CSV])["drop"]
    desk.page.wait_for_timeout(300)
    assert sorted(file.name for file in desk.path.glob("*.[ct]*")) == ["from desk.csv", votes.name]
    assert len(list(desk.path.glob("*.leakage.json"))) == 2


def test_a_file_that_is_no_table_is_refused_in_words(desk):
    (desk.path / "torn.csv").write_text("a,b\n1,2\n3\n")
    started(desk, "explore-file", {"path": f"{desk.folder}/torn.csv"})
    toast(desk, "torn.csv")


def test_a_document_is_exported_as_page_picture_and_latex(desk):
    pdp.PriorExplorer(pdp.lsat6(), scale=2.0).save(desk.path / "lsat.leakage.json")
    shown(desk, "lsat.leakage.json")
    for ending, begin in (("html", "<!doctype html"), ("svg", "<svg"), ("tex", "\\begin{tabular}")):
        with desk.page.expect_download(timeout=LIMIT) as download:
            started(desk, f"export-{ending}")
        assert download.value.suggested_filename == f"lsat.{ending}"
        text = Path(download.value.path()).read_text()
        assert begin in text[:2000].lower()
        assert "0.73" in text
    # What stands at a number is explained beside it: under the pointer, by a key, by the context menu.
    number = desk.page.locator(f"{TAB} .px-audit-value").nth(1)
    explained = desk.page.locator(".pdp-Explained")
    number.hover()
    desk.command("pdp-widgets:explain")
    expect(explained.get_by_role("heading", name="Exact leakage", exact=False)).to_be_visible(timeout=LIMIT)
    expect(explained.locator("mjx-container").first).to_be_attached(timeout=LIMIT)
    # Both may scroll: the pointer comes last.
    desk.page.locator(f"{TAB}").get_by_label("Scale λ as a number").focus()
    desk.page.locator(f"{TAB} .px-audit-value").first.hover()
    desk.page.keyboard.press("F1")
    expect(explained.get_by_role("heading", name="Promise", exact=False).first).to_be_visible()
    number.click(button="right")
    desk.page.locator(".lm-Menu").get_by_text("Explain This Number").click()
    expect(explained.locator("h1")).to_contain_text("Exact worst")
    assert json.loads((desk.path / "lsat.leakage.json").read_text())["settings"]["scale"] == 2
