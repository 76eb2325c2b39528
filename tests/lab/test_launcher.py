"""The launcher card and the palette entry open the first notebook, never overwrite one, need no network."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import expect

FIRST = "01-prior-knowledge.ipynb"
LABEL = "Privacy under correlation"
#: Bytes that the extension adds to the start of JupyterLab, before a document is opened.
FIRST_LOAD = 30_000
LOADED = """() => Object.fromEntries(performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/pdp-widgets/'))
    .map(({ name, decodedBodySize }) => [name.split('/').pop(), decodedBodySize]))"""
OURS = Path(__file__).resolve().parents[2] / "notebooks" / FIRST


# As JupyterLab opens on a folder: the folder in the file browser, its launcher alone in front.
ON_A_FOLDER = """async (folder) => {
    const { commands, shell } = window.jupyterapp;
    await commands.execute('filebrowser:open-path', { path: folder });
    const launcher = await commands.execute('launcher:create', { cwd: folder });
    for (const widget of [...shell.widgets('main')]) if (widget.id !== launcher.id) widget.dispose();
}"""


def open_launcher(desk):
    """Show the launcher of the test's folder in the shared page, and return our card in it."""
    desk.page.evaluate(ON_A_FOLDER, desk.folder)
    expect(desk.page.locator(".jp-FileBrowser .jp-BreadCrumbs")).to_contain_text(desk.folder)
    card = desk.page.locator(".jp-LauncherCard", has_text=LABEL)
    expect(card).to_be_visible()
    return card


def sources(notebook: dict) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"]]


def test_the_card_opens_a_copy_of_the_first_notebook_which_w31_asks_nobody_outside(lab):
    asked = []
    lab.page.on("request", lambda request: asked.append(request.url))
    lab.page.on("websocket", lambda socket: asked.append(socket.url))
    lab.open()
    card = lab.page.locator(".jp-LauncherCard", has_text=LABEL)
    expect(card).to_be_visible()
    lab.page.wait_for_function("() => window.jupyterapp.docRegistry.getFileType('pdp-leakage')")
    first = lab.page.evaluate(LOADED)
    assert 0 < sum(first.values()) <= FIRST_LOAD, first
    expect(card.locator("svg circle")).to_have_count(4)
    card.click()
    lab.wait_for_notebook()
    written = json.loads((lab.path / FIRST).read_text())
    assert sources(written) == sources(json.loads(OURS.read_text()))
    assert all(not cell.get("outputs") for cell in written["cells"])
    assert "widgets" not in written["metadata"]
    # From the launcher to an edit of what it shows, nothing off this server is needed.
    lab.run_all()
    view = lab.panel.locator(".pdp").first
    view.scroll_into_view_if_needed()
    expect(view.locator(".px-fact")).to_be_visible()
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lab.set_theme(theme)
    scale = view.get_by_label("Scale λ as a number")
    scale.fill("2")
    scale.press("Enter")
    expect(view.locator(".px")).to_contain_text("0.500 nats")
    lab.wait_until_idle()
    here = urlsplit(lab.server.url).netloc
    assert any(url.startswith("ws:") for url in asked)
    abroad = [u for u in asked if urlsplit(u).scheme not in ("data", "blob") and urlsplit(u).netloc != here]
    assert abroad == []
    # A style or font that waits for its turn would not have asked yet.
    fetching = "v => [...v.querySelectorAll('style')].some(s => /@import|url\\(/.test(s.textContent))"
    assert view.evaluate(fetching) is False


def test_the_palette_opens_it_in_the_folder_on_show(desk):
    open_launcher(desk)
    desk.command("apputils:activate-command-palette")
    desk.page.locator(".lm-CommandPalette-input").fill(LABEL)
    desk.page.locator(".lm-CommandPalette-item", has_text=LABEL).first.click()
    desk.wait_for_notebook()
    assert (desk.path / FIRST).exists()


def test_a_notebook_of_that_name_is_opened_as_it_is(desk):
    mine = desk.write_notebook(FIRST, "1 + 1")
    before = mine.read_bytes()
    open_launcher(desk).click()
    desk.wait_for_notebook()
    expect(desk.page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(1)
    assert mine.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_named(desk):
    card = open_launcher(desk)
    desk.page.route(
        "**/api/contents/**", lambda route: route.fulfill(status=403, json={"message": "Forbidden"})
    )
    card.click()
    dialog = desk.page.locator(".jp-Dialog")
    expect(dialog).to_contain_text(f'The first notebook could not be opened in the folder "{desk.folder}"')
    expect(dialog).to_contain_text("Forbidden")
    desk.page.locator(".jp-Dialog button").click()
    desk.page.unroute("**/api/contents/**")
    desk.expected("403")


def test_two_cells_run_and_an_error_in_the_page_is_noticed(desk):
    desk.write_notebook("two.ipynb", "a = 20", "print(a + 1)")
    desk.show("two.ipynb")
    desk.run_all()
    expect(desk.page.locator(".jp-OutputArea-output").last).to_contain_text("21")
    with desk.page.expect_console_message(lambda message: "a fault of the page" in message.text):
        desk.page.evaluate("() => console.error('a fault of the page')")
    desk.expected("a fault of the page")
