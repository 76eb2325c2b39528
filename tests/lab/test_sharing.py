"""Two people on one leakage document, through the shared documents of jupyter-collaboration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import expect

import pdp_widgets as pdp
from tests.environments import beside
from tests.lab.conftest import Lab, new_page, serving
from tests.lab.test_documents import TAB, set_scale, shown

SCALE = "Scale λ as a number"
#: What a page says to the others waits while it is apart: so edits meet that knew nothing of each other.
APART = """(() => {
    const { send } = WebSocket.prototype;
    const waiting = [];
    window.apart = false;
    window.together = () => {
        window.apart = false;
        for (const say of waiting.splice(0)) say();
    };
    WebSocket.prototype.send = function (data) {
        if (window.apart && this.url.includes('/collaboration/')) waiting.push(() => send.call(this, data));
        else send.call(this, data);
    };
})()"""
#: The settings of the current tab, or nothing while its text is not valid.
SETTINGS = """tab => {
    try { return JSON.parse(tab.context.model.sharedModel.getSource()).settings; } catch { return null; }
}"""
SOURCE = "tab => tab.context.model.sharedModel.getSource()"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[tuple[Lab, Lab]]:
    """Two browsers on one JupyterLab with shared documents."""
    with serving(tmp_path_factory.mktemp("sharing"), beside("sharing")) as server:
        one = new_page(server, chromium)
        two = new_page(server, chromium, one.folder)
        for lab in (one, two):
            lab.page.set_default_timeout(20_000)
            lab.page.add_init_script(APART)
            lab.open()
        yield one, two
        logged = [error for lab in (one, two) for error in lab.logged()]
        for lab in (one, two):
            lab.page.context.close()
        assert not logged, "a page logged errors:\n" + "\n".join(logged)


@contextmanager
def apart(pair: tuple[Lab, Lab]) -> Iterator[None]:
    """Let both edit without hearing of each other; then they hear all at once."""
    for lab in pair:
        lab.page.evaluate("() => { window.apart = true; }")
    yield
    for lab in pair:
        # A hand's edit is in the text, and so on its way.
        lab.page.wait_for_timeout(400)
        lab.page.evaluate("() => window.together()")


def agree(pair: tuple[Lab, Lab], **wanted: Any) -> dict[str, Any]:
    """Wait until both have one valid text that says this, each thing one of a list; return its settings."""
    for _ in range(100):
        found = [lab.ask(SETTINGS) for lab in pair]
        same = found[0] is not None and pair[0].ask(SOURCE) == pair[1].ask(SOURCE)
        if same and all(found[0].get(name) in values for name, values in wanted.items()):
            return dict(found[0])
        pair[0].page.wait_for_timeout(100)
    raise AssertionError(f"no agreement on {wanted}: {[lab.ask(SOURCE)[-3000:] for lab in pair]}")


def set_cell(lab: Lab, place: int, text: str) -> None:
    """Type another probability."""
    lab.page.locator(TAB).get_by_role("gridcell").nth(place).click()
    lab.page.keyboard.type(text)
    lab.page.keyboard.press("Enter")


def test_two_people_edit_one_document(pair):
    one, two = pair
    made = pdp.PriorExplorer(
        pdp.JointDistribution([[0.1, 0.2], [0.3, 0.4]], [["a", "b"], ["c", "d"]], ["Ann", "Bob"])
    )
    file = made.save(one.path / "shared.leakage.json")
    file.write_text(file.read_text().replace('"keep_sum": true', '"keep_sum": false'))
    tabs = [shown(lab, file.name) for lab in pair]
    before = one.ask(SOURCE)

    # Each other's edits are seen.
    set_scale(tabs[0], "2.5")
    expect(tabs[1].get_by_label(SCALE)).to_have_value("2.50")
    lines = zip(before.split("\n"), one.ask(SOURCE).split("\n"), strict=True)
    assert [new for old, new in lines if old != new] == ['    "scale": 2.5,']
    # Different ones at once: both stand, cells of a table that nobody had edited before too.
    with apart(pair):
        set_scale(tabs[0], "3")
        set_cell(one, 0, "0.15")
        tabs[1].get_by_text("worst case", exact=True).click()
        set_cell(two, 4, "0.45")
    agree(pair, scale=[3], convention=["sup"], entries=[[0.15, 0.2, 0.3, 0.45]])
    # The same one at once: one of the two, the same for both, and no digits of both.
    with apart(pair):
        set_scale(tabs[0], "4")
        set_scale(tabs[1], "5")
        set_cell(one, 0, "0.11")
        set_cell(two, 0, "0.12")
    said = agree(pair, scale=[4, 5], entries=[[cell, 0.2, 0.3, 0.45] for cell in (0.11, 0.12)])
    for tab in tabs:
        expect(tab.get_by_label(SCALE)).to_have_value(f"{said['scale']:.2f}")

    # Undo takes back one's own edit alone, and not where the other has edited it since.
    set_scale(tabs[0], "6")
    expect(tabs[1].get_by_label(SCALE)).to_have_value("6.00")
    set_cell(two, 1, "0.25")
    edited = [[said["entries"][0], 0.25, 0.3, 0.45]]
    agree(pair, scale=[6], entries=edited)
    one.command("editmenu:undo")
    agree(pair, scale=[said["scale"]], entries=edited)
    one.command("editmenu:redo")
    agree(pair, scale=[6])
    set_scale(tabs[1], "7")
    expect(tabs[0].get_by_label(SCALE)).to_have_value("7.00")
    one.command("editmenu:undo")
    agree(pair, scale=[7])

    # A text that is not valid while somebody types in it: the last one stays, and the next edit mends it.
    two.ask("tab => tab.context.model.sharedModel.updateSource(0, 1, '')")
    for tab in tabs:
        expect(tab.locator(".pdp-Document-line")).to_contain_text("not valid now")
        expect(tab.get_by_label(SCALE)).to_have_value("7.00")
    set_scale(tabs[0], "8")
    expect(tabs[1].get_by_label(SCALE)).to_have_value("8.00")
    agree(pair, scale=[8])
    for lab in pair:
        expect(lab.page.locator(f"{TAB} .pdp-Document-line")).not_to_contain_text("not valid")

    # The server writes it.
    for _ in range(100):
        if '"scale": 8' in file.read_text():
            break
        one.page.wait_for_timeout(100)
    assert pdp.open(file).scale == 8
    assert file.read_text() == one.ask(SOURCE)
