"""Leakage documents in JupyterLab: made, edited, saved, taken back, shared, broken, and with a kernel."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import pdp_widgets as pdp
from tests.ui.axe import violations
from tests.ui.test_themes import faint

LIMIT = 30_000
#: Colours of another theme have come, ms.
SETTLED = 500
EXPLORERS = {
    "Prior knowledge": "PriorExplorer",
    "Gaussian data": "GaussianExplorer",
    "Local privacy": "LocalExplorer",
    "Dependent tuples": "DependenceExplorer",
    "Inferred places": "AttackExplorer",
    "k-anonymity": "AnonymityExplorer",
    "Networks": "NetworkExplorer",
    "Streams": "StreamSimulator",
}
#: The tab in front: of others there may be several.
TAB = ".jp-MainAreaWidget:not(.lm-mod-hidden) .pdp-Document"


def shown(lab: Any, name: str) -> Locator:
    """Open a document, and return its tab once the explorer is drawn."""
    lab.command("docmanager:open", {"path": f"{lab.folder}/{name}"})
    tab = lab.page.locator(TAB)
    expect(tab.locator(".px-title")).to_be_visible(timeout=LIMIT)
    return tab


def set_scale(tab: Locator, value: str) -> None:
    """Type another scale."""
    entry = tab.get_by_label("Scale λ as a number")
    entry.fill(value)
    entry.press("Enter")


def is_dirty(lab: Any) -> bool:
    """Whether the current tab has changes that are not saved."""
    return bool(lab.ask("tab => tab.context.model.dirty"))


def wait_for(lab: Any, condition: str, arg: Any = None) -> None:
    """Wait until a function of the current tab returns true."""
    lab.page.wait_for_function(f"(arg) => ({condition})(window.jupyterapp.shell.currentWidget, arg)", arg=arg)


def says(lab: Any, scale: str) -> None:
    """Wait until the document says that the scale is this."""
    wait_for(
        lab, "(tab, line) => tab.context.model.sharedModel.getSource().includes(line)", f'"scale": {scale},'
    )


def save(lab: Any, scale: str) -> None:
    """Save by JupyterLab's own command, once the edit has come to the document."""
    says(lab, scale)
    assert is_dirty(lab)
    lab.command("docmanager:save")
    wait_for(lab, "tab => !tab.context.model.dirty")


def changed_outside(path: Path, text: str, seconds: int) -> None:
    """Write a file as another program would, so many seconds later than now."""
    path.write_text(text)
    later = time.time() + seconds
    os.utime(path, (later, later))


def answered(lab: Any, command: str, button: str, text: str | None = None) -> None:
    """Execute a command that asks something, and answer."""
    lab.page.evaluate("(name) => { window.jupyterapp.commands.execute(name); }", command)
    dialog = lab.page.locator(".jp-Dialog")
    if text is not None:
        dialog.locator("input").fill(text)
    dialog.get_by_role("button", name=button, exact=True).click(timeout=LIMIT)
    expect(dialog).to_have_count(0)


def is_sound(lab: Any) -> None:
    """What is in front is legible, and axe finds nothing wrong in it, in the dark and in the light."""
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.set_theme(theme)
        lab.page.wait_for_timeout(SETTLED)
        assert violations(lab, TAB) == [], theme
        assert faint(lab, TAB) == [], theme


@pytest.fixture
def lsat(desk: Any) -> Path:
    """A document of five answers, in the folder of the test."""
    return pdp.PriorExplorer(pdp.lsat6()).save(desk.path / "lsat.leakage.json")


def test_an_edit_is_saved_undone_and_reverted_by_jupyterlab_itself(desk, lsat):
    before = lsat.read_text()
    tab = shown(desk, lsat.name)
    assert not is_dirty(desk)
    set_scale(tab, "2.5")
    save(desk, "2.5")
    # One line is another one, and the numbers are those of the tab.
    after = lsat.read_text()
    lines = zip(before.split("\n"), after.split("\n"), strict=True)
    assert [new for old, new in lines if old != new] == ['    "scale": 2.5,', '    "goal": 2,'][:1]
    largest = pdp.open(lsat).results.largest
    assert largest == pdp.PriorExplorer(pdp.lsat6(), scale=2.5).results.largest
    expect(tab.locator(".px-fact")).to_contain_text(f"{float(largest):.3f}")

    desk.command("editmenu:undo")
    expect(tab.get_by_label("Scale λ as a number")).to_have_value("1.00")
    desk.command("editmenu:redo")
    expect(tab.get_by_label("Scale λ as a number")).to_have_value("2.50")
    set_scale(tab, "4")
    says(desk, "4")
    answered(desk, "docmanager:reload", "Reload")
    expect(tab.get_by_label("Scale λ as a number")).to_have_value("2.50")
    wait_for(desk, "tab => !tab.context.model.dirty")
    # A file that was emptied is taken as it is too, and what was lost comes back by undo.
    text = lsat.read_text()
    changed_outside(lsat, "", 10)
    # Where nothing was typed JupyterLab does not ask.
    desk.command("docmanager:reload")
    expect(desk.page.locator(f"{TAB} .pdp-Document-fault")).to_contain_text("empty")
    assert not is_dirty(desk)
    desk.command("editmenu:undo")
    expect(tab.get_by_label("Scale λ as a number")).to_have_value("2.50")
    changed_outside(lsat, text, 20)
    desk.ask("tab => tab.context.revert()")


def test_a_document_is_renamed_duplicated_and_saved_under_another_name(desk, lsat):
    tab = shown(desk, lsat.name)
    desk.ask("(tab, name) => tab.context.rename(name)", "renamed.leakage.json")
    set_scale(tab, "3")
    save(desk, "3")
    assert not lsat.exists()
    renamed = desk.path / "renamed.leakage.json"
    assert pdp.open(renamed).scale == 3

    desk.command("docmanager:duplicate")
    copies = set(desk.path.glob("*.json")) - {renamed}
    assert [copy.read_text() for copy in copies] == [renamed.read_text()]
    # A copy, by whatever name, opens as the explorer that it holds.
    shown(desk, copies.pop().name)
    answered(desk, "docmanager:save-as", "Save", f"{desk.folder}/other.leakage.json")
    wait_for(desk, "tab => tab.context.path.endsWith('/other.leakage.json')")
    # JupyterLab asks whether the name is taken.
    desk.expected("404")
    set_scale(desk.page.locator(TAB), "4")
    save(desk, "4")
    assert [pdp.open(desk.path / name).scale for name in ("other.leakage.json", renamed.name)] == [4, 3]


def test_two_tabs_agree_and_a_change_on_disk_is_noticed(desk, lsat):
    first = shown(desk, lsat.name)
    desk.command("docmanager:clone")
    both = desk.page.locator(".pdp-Document .px-title")
    expect(both).to_have_count(2, timeout=LIMIT)
    set_scale(desk.page.locator(".pdp-Document").last, "2")
    for k in range(2):
        expect(desk.page.locator(".pdp-Document").nth(k).get_by_label("Scale λ as a number")).to_have_value(
            "2.00"
        )
    save(desk, "2")
    desk.command("application:close")
    expect(both).to_have_count(1)

    # Nothing typed here: the file is loaded.
    text = lsat.read_text()
    changed_outside(lsat, text.replace('"scale": 2', '"scale": 5'), 10)
    desk.page.evaluate("() => window.dispatchEvent(new Event('focus'))")
    expect(first.get_by_label("Scale λ as a number")).to_have_value("5.00")
    # Something typed here: it stays, and the tab says so.
    set_scale(first, "7")
    says(desk, "7")
    changed_outside(lsat, text.replace('"scale": 2', '"scale": 6'), 20)
    desk.page.evaluate("() => window.dispatchEvent(new Event('focus'))")
    expect(first.locator(".pdp-Document-line")).to_contain_text("changed on disk")
    expect(first.get_by_label("Scale λ as a number")).to_have_value("7.00")
    first.get_by_role("button", name="Load the file").click()
    expect(first.get_by_label("Scale λ as a number")).to_have_value("6.00")


BROKEN = {
    "cut": (lambda text: text[:400], "Line"),
    "empty": (lambda text: "", "empty"),
    "newer": (lambda text: text.replace('"version": 1', '"version": 2'), "Line 3, version: it is 2"),
    "kind": (lambda text: text.replace('"scale": 1', '"scale": [1]'), "settings.scale: it is [1]"),
    "name": (
        lambda text: text.replace('"keep_sum"', '"keep"'),
        "settings.keep: PriorExplorer has no such setting",
    ),
    "damaged": (
        lambda text: text.replace('"state": "H4s', '"state": "AAA'),
        "page in the document is damaged",
    ),
    "other": (lambda text: text.replace('"counts"', '"count"'), "holds no page of its model"),
    "script": (
        lambda text: text.replace(
            '"explorer": "PriorExplorer"', '"explorer": "<img src=x onerror=alert(1)>"'
        ),
        "explorer: it is one of",
    ),
}


def test_a_broken_document_says_where_and_stays_as_it_is(desk, lsat):
    text = lsat.read_text()
    for name, (breaks, said) in BROKEN.items():
        file = desk.path / f"{name}.leakage.json"
        broken = breaks(text)
        assert broken != text, name
        file.write_text(broken)
        desk.command("docmanager:open", {"path": f"{desk.folder}/{file.name}"})
        fault = desk.page.locator(f"{TAB} .pdp-Document-fault")
        expect(fault).to_contain_text(said, timeout=LIMIT)
        expect(fault.locator("img")).to_have_count(0)
        assert not is_dirty(desk)
        assert file.read_text() == broken
        if name == "kind":
            # Mended beside it, it comes back.
            fault.get_by_role("button", name="Open as text").click()
            wait_for(desk, "tab => tab.content.editor !== undefined")
            desk.ask("(tab, text) => tab.context.model.sharedModel.setSource(text)", text)
            desk.command(
                "docmanager:open", {"path": f"{desk.folder}/{file.name}", "factory": "Leakage document"}
            )
            expect(desk.page.locator(f"{TAB} .px-title")).to_be_visible(timeout=LIMIT)
            desk.command("docmanager:save")
        desk.command("application:close")


def test_the_launcher_makes_a_document_of_each_explorer(desk):
    for label, name in EXPLORERS.items():
        desk.command("launcher:create", {"cwd": desk.folder})
        desk.page.locator(".jp-Launcher:visible .jp-LauncherCard", has_text=label).first.click()
        tab = desk.page.locator(TAB)
        expect(tab.locator(".px-title")).to_be_visible(timeout=LIMIT)
        file = Path(desk.server.folder, desk.ask("tab => tab.context.path"))
        document = json.loads(file.read_text())
        assert document["explorer"] == name
        expect(tab.locator(".pdp-Document-line")).to_contain_text("without a kernel")
        desk.page.wait_for_timeout(400)
        # What was not edited is not written.
        assert not is_dirty(desk), name
        desk.command("application:close")


def test_with_a_kernel_python_answers_and_the_document_follows(desk, lsat):
    tab = shown(desk, lsat.name)
    desk.ask("tab => tab.context.sessionContext.changeKernel({ name: 'python3' }).then(() => null)")
    expect(tab.locator(".pdp-Document-line")).to_be_empty(timeout=LIMIT)
    expect(tab.locator(".px-title")).to_be_visible(timeout=LIMIT)
    set_scale(tab, "2.5")
    expect(tab.locator(".px-fact")).to_contain_text(
        f"{float(pdp.PriorExplorer(pdp.lsat6(), scale=2.5).results.largest):.3f}"
    )
    save(desk, "2.5")
    assert pdp.open(lsat).scale == 2.5
    # What it writes runs, and gives the explorer that is shown.
    cell = desk.ask("tab => tab.view.python()")
    names: dict[str, Any] = {}
    exec(cell.replace("\npdp.open", "\nfound = pdp.open"), names)
    assert names["found"].results.largest == pdp.open(lsat).results.largest
    # A restarted kernel gets the explorer again, as the document has it.
    desk.ask("tab => tab.context.sessionContext.session.kernel.restart().then(() => null)")
    set_scale(tab, "3")
    expect(tab.get_by_label("Scale λ as a number")).to_have_value("3.00", timeout=LIMIT)
    save(desk, "3")
    # One that dies comes back by itself, and so does the explorer; what was edited meanwhile stays.
    desk.ask(
        """tab => {
            const { kernel } = tab.context.sessionContext.session;
            window.heard = [];
            kernel.statusChanged.connect((_, status) => window.heard.push(status));
            kernel.requestExecute({ code: "import os; os._exit(1)", silent: true });
        }"""
    )
    wait_for(desk, "tab => window.heard.includes('autorestarting')")
    set_scale(tab, "3.5")
    wait_for(desk, "tab => tab.context.sessionContext.session.kernel.status === 'idle'")
    expect(tab.get_by_label("Scale λ as a number")).to_have_value("3.50", timeout=LIMIT)
    expect(tab.locator(".pdp-Document-line")).to_be_empty()
    save(desk, "3.5")
    set_scale(tab, "3")
    save(desk, "3")
    is_sound(desk)
    desk.ask("tab => tab.context.sessionContext.shutdown().then(() => null)")
    expect(tab.locator(".pdp-Document-line")).to_contain_text("without a kernel", timeout=LIMIT)
    expect(tab.get_by_label("Scale λ as a number")).to_have_value("3.00")


def test_a_widget_of_a_notebook_is_copied_as_python(desk):
    desk.write_notebook("one.ipynb", "import pdp_widgets as pdp\npdp.PriorExplorer(pdp.lsat6(), scale=2.0)")
    desk.show("one.ipynb")
    desk.run_all()
    view = desk.panel.locator(".pdp").first
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    view.get_by_role("button", name="Copy as Python").click()
    expect(view).to_contain_text("Copied as Python", timeout=LIMIT)
    names: dict[str, Any] = {}
    cell = desk.page.evaluate("() => navigator.clipboard.readText()")
    exec(cell.replace("\npdp.open", "\nfound = pdp.open"), names)
    assert names["found"].scale == 2.0


def test_axe_finds_nothing_wrong_in_a_tab_light_and_dark(desk, lsat):
    shown(desk, lsat.name)
    is_sound(desk)
    broken = desk.path / "broken.leakage.json"
    broken.write_text("{")
    desk.command("docmanager:open", {"path": f"{desk.folder}/{broken.name}"})
    expect(desk.page.locator(f"{TAB} .pdp-Document-fault")).to_be_visible(timeout=LIMIT)
    is_sound(desk)
