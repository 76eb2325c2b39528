"""Every widget that a page knows, in every host: one notebook of all, one page for each host."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Locator, Page, expect

from pdp_widgets.publish.page_state import MODULES
from tests.every_widget import CELLS, SETUP, printed, setup
from tests.hosts.conftest import (
    FOREIGN_STYLES,
    PREFIX,
    ROOT,
    WAIT,
    Jupyter,
    Watched,
    bundle_widget_parts,
)
from tests.hosts.test_foreign_hosts import CONTRAST, DARK, HOSTS, BarePage, bare  # noqa: F401 - a fixture
from tests.hosts.test_nbconvert import BESIDE
from tests.hosts.test_voila import OWN_PARTS
from tests.ui.conftest import open_bridge  # noqa: F401 - a fixture

#: anywidget logs it of a model that was late, which is heard all the same.
LATE = r"\[anywidget\] Failed to initialize model"
#: A notebook's cells do nothing before its kernel is ready.
IDLE = """() => {
    const context = window.jupyterapp?.shell.currentWidget?.context?.sessionContext;
    return context?.isReady && context.session?.kernel?.status === 'idle';
}"""


def test_a_page_knows_every_module_of_the_front_end() -> None:
    assert {path.stem for path in (ROOT / "js" / "src" / "widgets").glob("*.ts")} == MODULES


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the notebook's first cell defines."""
    return setup()


def assert_it_stands(view: Locator, module: str, names: dict[str, Any]) -> None:
    """Check that a widget is seen in light with its numbers, and no style of the host has moved its parts."""
    expect(view.locator("section").first).to_be_visible(timeout=WAIT)
    expect(view).not_to_have_attribute("data-dark", "")
    view.scroll_into_view_if_needed()
    for number in printed(eval(CELLS[module].numbers, names)):
        expect(view).to_contain_text(number)
    found = view.evaluate(FOREIGN_STYLES)
    assert found["parts"] > 0
    assert found["wrong"] == [], module


def assert_it_answers(page: Page, view: Locator, module: str, names: dict[str, Any]) -> None:
    """Type into the widget's entry, if it has one, and check what its sentence says then."""
    if entry := CELLS[module].entry:
        view.get_by_label(entry.label, exact=True).click()
        page.keyboard.press("Control+A")
        page.keyboard.type(entry.typed)
        (then,) = printed(eval(entry.then, names))
        lead = view.locator(".px-lead")
        expect(lead).not_to_contain_text(then)
        page.keyboard.press("Enter")
        expect(lead).to_contain_text(then, timeout=WAIT)
        if module == "prior_explorer":
            expect(view.locator(".px-fact")).to_contain_text(then)


def test_in_a_page_of_the_colours_of_every_host(
    bare: BarePage,  # noqa: F811 - the fixture
    names: dict[str, Any],
) -> None:
    assert bare.page.evaluate("() => [typeof require, typeof define, typeof requirejs]") == ["undefined"] * 3
    for module, cell in CELLS.items():
        bare.dress(**HOSTS["bare light"])
        view = bare.show(eval(cell.source, names))
        bare.settle()
        assert_it_stands(view.root, module, names)
        # The host's colours change under the widget, as when a reader chooses another theme.
        for host, colours in HOSTS.items():
            bare.dress(**colours)
            dark = expect(view.root)
            (dark.to_have_attribute if host in DARK else dark.not_to_have_attribute)("data-dark", "")
            # Only VS Code brings colours of its own; tests/ui looks at the others.
            if "variables" in colours:
                faint = [text for text in view.root.evaluate(CONTRAST) if text["ratio"] < 4.5]
                assert faint == [], (module, host)
            if told := colours.get("variables", {}).get("--vscode-editor-background"):
                background = "rgb({}, {}, {})".format(*bytes.fromhex(told[1:]))
                assert view.root.evaluate("v => getComputedStyle(v).backgroundColor") == background, module
        assert_it_answers(bare.page, view.root, module, names)
        bare.settle()
        view.remove()
    assert bare.page.evaluate("() => window.refused") == []


@pytest.fixture
def page_of_nbconvert(all_executed: Path, tmp_path: Path) -> Path:
    """The page with its parts."""
    bundle_widget_parts(tmp_path)
    html, _ = HTMLExporter(**BESIDE).from_filename(str(all_executed))
    (tmp_path / "all.html").write_text(html, encoding="utf-8")
    return tmp_path / "all.html"


@pytest.fixture
def page_of_a_book(built_book: Path) -> Path:
    """The page of all widgets."""
    return built_book / "all.html"


@pytest.mark.parametrize("made", ["page_of_nbconvert", "page_of_a_book"])
def test_in_a_page_of_the_saved_notebook(
    request: pytest.FixtureRequest, made: str, names: dict[str, Any], watch: Callable[..., Watched]
) -> None:
    host = watch()
    host.page.goto(request.getfixturevalue(made).as_uri())
    expect(host.view).to_have_count(len(CELLS), timeout=WAIT)
    for k, module in enumerate(CELLS):
        assert_it_stands(host.view.nth(k), module, names)
        expect(host.view.nth(k).locator(".line[data-kind='disconnected']")).to_contain_text("No kernel")
        expect(host.page.locator(".pdp-static").nth(k)).to_be_hidden()
    # On paper they are the pictures, with the numbers as text.
    host.page.emulate_media(media="print")
    for k, module in enumerate(CELLS):
        expect(host.view.nth(k)).to_be_hidden()
        picture = host.page.locator(".pdp-static").nth(k)
        expect(picture).to_be_visible()
        said = picture.text_content() or ""
        assert [n for n in printed(eval(CELLS[module].numbers, names)) if n not in said] == [], module


# Notebook 7.6 logs it while it loads its settings, without any extension and with an empty notebook.
OWN_FAULT = r"reading 'schema'[\s\S]*/static/notebook/notebook_core"
# It now and then restores the folder of its file browser before there is the command for that.
BROWSER_FAULT = r"'filebrowser:open-path' not registered[\s\S]*/static/notebook/notebook_core"
COUNTS = (
    """() => window.jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model.executionCount)"""
)
LIVE = {
    # A workspace of its own: the common one opens the notebooks of other tests again.
    "JupyterLab": ("lab/workspaces/every-widget/tree/", (), tuple(CELLS)),
    # Its cells, its widget manager and its style sheets are JupyterLab's.
    "Notebook 7": ("notebooks/", (OWN_FAULT, BROWSER_FAULT), ("covariance_editor", "prior_explorer")),
    "Voila": ("voila/render/", (*OWN_PARTS, "@jupyterlab/docregistry"), tuple(CELLS)),
}


@pytest.mark.parametrize("host", LIVE)
def test_with_a_kernel(
    host: str, jupyter: Jupyter, names: dict[str, Any], watch: Callable[..., Watched]
) -> None:
    path, of_the_host, modules = LIVE[host]
    sources = (SETUP, *(CELLS[module].source for module in modules))
    watched = watch(of_the_host=of_the_host)
    asked: list[str] = []
    watched.page.on("request", lambda request: asked.append(request.url))
    watched.page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:", 1)))
    name = jupyter.write(f"all-{host.replace(' ', '-')}.ipynb", *sources)
    watched.page.goto(jupyter.address(f"{path}{name}"))
    if host != "Voila":
        watched.run_first_cell()
        # A command that comes while the first cell still runs may be lost.
        expect(watched.page.locator(".jp-CodeCell .jp-InputPrompt").first).to_have_text(
            re.compile(r"^\[\d+\]:"), timeout=WAIT
        )
        watched.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    expect(watched.view).to_have_count(len(modules), timeout=WAIT)
    for k, module in enumerate(modules):
        assert_it_stands(watched.view.nth(k), module, names)
        assert_it_answers(watched.page, watched.view.nth(k), module, names)
        expect(watched.page.locator(".pdp-static").nth(k)).to_be_hidden()
    if host != "Voila":
        # What was typed stayed in the widgets: no cell was cut, inserted or run again.
        first, *rest = watched.page.evaluate(COUNTS)
        assert first in (1, 2)
        assert rest == list(range(first + 1, first + len(sources)))
    if host == "Notebook 7":
        # Its commands are there, and what they show has a place.
        expect(watched.page.locator(".lm-MenuBar").first).to_contain_text("Privacy")
        watched.view.last.locator(".px-audit-value").first.hover()
        watched.page.evaluate("() => { window.jupyterapp.commands.execute('pdp-widgets:explain'); }")
        expect(watched.page.locator(".pdp-Explained h2").first).to_contain_text("Promise", timeout=WAIT)
    if host == "JupyterLab":
        assert_all_lies_behind_the_prefix(asked, jupyter)


def assert_all_lies_behind_the_prefix(asked: list[str], jupyter: Jupyter) -> None:
    """Check that a page of a hub asked for nothing but its user's part, extension and kernel included."""
    outside = [
        url for url in asked if url.startswith("http") and not url.split("?")[0].startswith(jupyter.url)
    ]
    assert outside == []
    behind = [urlsplit(url).path for url in asked]
    assert any(path.startswith(f"{PREFIX}lab/extensions/pdp-widgets") for path in behind), behind
    assert any(re.fullmatch(rf"{PREFIX}api/kernels/[\w-]+/channels", path) for path in behind), behind


@pytest.mark.parametrize("host", ["JupyterLab", "Voila"])
def test_a_model_that_comes_too_late_hears_of_its_kernel(
    host: str, jupyter: Jupyter, watch: Callable[..., Watched]
) -> None:
    path, of_the_host, _ = LIVE[host]
    watched = watch(of_the_host=(*of_the_host, LATE))
    # anywidget's clock has run out before it starts.
    watched.page.add_init_script("AbortSignal.timeout = () => AbortSignal.abort();")
    # A workspace keeps the notebooks of the test before, and one of them may come to the front again.
    path = path.replace("every-widget", "late")
    address = jupyter.address(f"{path}{jupyter.write('late.ipynb', SETUP, CELLS['prior_explorer'].source)}")
    watched.page.set_default_timeout(WAIT)
    watched.page.goto(address)
    if host == "JupyterLab":
        watched.page.wait_for_function(IDLE)
        watched.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    expect(watched.view).to_have_count(1, timeout=WAIT)
    assert_it_answers(watched.page, watched.view, "prior_explorer", setup())
