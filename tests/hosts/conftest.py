"""Programs that show notebooks, each started as its users start it, and a browser that watches their pages.

One Jupyter server under the prefix of a hub serves JupyterLab, Notebook 7 and Voila's preview; Voila also
runs alone. A page fails its test when it logs an error or asks for anything off this machine.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Route, WebSocket, expect

import pdp_widgets as pdp
from tests import every_widget
from tests.ui.conftest import open_bridge  # noqa: F401 - a fixture

START_LIMIT = 240.0  # seconds, for what never comes; below the limit of a whole test
WAIT = 120_000  # milliseconds, for what never comes: a kernel that starts, a first widget that stands
ROOT = Path(__file__).resolve().parents[2]
#: As a hub gives it to a user called "a b".
PREFIX = "/user/a%20b/"

ITEMS = ["item 1", "item 2", "item 5"]
CELLS = (
    "import pdp_widgets as pdp\n"
    f"joint = pdp.lsat6().marginal({ITEMS!r})\n"
    "explorer = pdp.PriorExplorer(joint)\n"
    "explorer",
)


def largest(scale: float) -> str:
    """The largest leakage of the notebook's table at this scale, as the screen must show it."""
    joint = pdp.lsat6().marginal(ITEMS)
    analysis = pdp.PriorAnalysis(joint, pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), scale))
    return f"{float(analysis.largest):.3f}"


def levels() -> list[str]:
    """Every number that the notebook's graph must show, as made."""
    joint = pdp.lsat6().marginal(ITEMS)
    analysis = pdp.PriorAnalysis(joint, pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), 1.0))
    return sorted({f"{value:.3f}" for value in analysis.exact.ravel()})


def notebook_of(*cells: str, title: str | None = None) -> dict[str, Any]:
    """A notebook of these code cells, nothing of it run yet."""
    code = [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for source in cells
    ]
    text = [{"cell_type": "markdown", "metadata": {}, "source": f"# {title}"}] if title else []
    made: list[dict[str, Any]] = [*text, *code]
    return {
        "cells": [{**cell, "id": f"cell-{k}"} for k, cell in enumerate(made)],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def environment_of(place: Path) -> dict[str, str]:
    """Variables of a Jupyter program with settings and data of its own."""
    (place / "runtime").mkdir(exist_ok=True)
    return os.environ | {
        "JUPYTER_RUNTIME_DIR": str(place / "runtime"),
        "JUPYTER_CONFIG_DIR": str(place / "config"),
        "JUPYTER_DATA_DIR": str(place / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(place / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(place / "workspaces"),
        "IPYTHONDIR": str(place / "ipython"),
        # The kernel's current folder is the test's, so the package is named to it.
        "PYTHONPATH": str(ROOT),
    }


@contextmanager
def serving(place: Path, module: str, *options: str, asked: str) -> Iterator[None]:
    """Run ``python -m module`` while the address ``asked`` answers."""
    log = place / "server.log"
    command = [sys.executable, "-m", module, *options]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=place, env=environment_of(place), stdout=out, stderr=subprocess.STDOUT
        )
    # A proxy set for the outside must not be asked for a server on this machine.
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + START_LIMIT
    try:
        while True:
            if process.poll() is not None:
                raise RuntimeError(f"{module} ended at once:\n{log.read_text()}")
            try:
                with direct.open(asked, timeout=10):
                    break
            except (urllib.error.URLError, ConnectionError):
                if time.monotonic() > end:
                    raise RuntimeError(f"{module} did not answer:\n{log.read_text()}") from None
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run(place: Path, module: str, *options: str) -> str:
    """Run ``python -m module`` to its end and return what it said."""
    done = subprocess.run(
        [sys.executable, "-m", module, *options],
        cwd=place,
        env=environment_of(place),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def both_executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two notebooks as ``nbconvert --execute`` saves them: outputs and the state of widgets."""
    place = tmp_path_factory.mktemp("executed")
    every = (every_widget.SETUP, *(cell.source for cell in every_widget.CELLS.values()))
    for name, cells, title in (("one", CELLS, "One explorer"), ("all", every, "All widgets")):
        (place / f"{name}.ipynb").write_text(json.dumps(notebook_of(*cells, title=title)))
    run(place, "nbconvert", "--to=notebook", "--execute", "--inplace", "one.ipynb", "all.ipynb")
    return place


@pytest.fixture(scope="session")
def executed(both_executed: Path) -> Path:
    """The notebook of one explorer."""
    return both_executed / "one.ipynb"


@pytest.fixture(scope="session")
def all_executed(both_executed: Path) -> Path:
    """The notebook of all widgets."""
    return both_executed / "all.ipynb"


# By default a book names the addresses of CDNs for the scripts.
BOOK = """
project = "Book"
extensions = ["myst_nb"]
html_theme = "furo"
html_static_path = ["parts"]
nb_execution_mode = "off"
nb_ipywidgets_js = {"require.min.js": {}, "embed-amd.js": {}}
suppress_warnings = ["toc.not_included"]
"""


@pytest.fixture(scope="session")
def built_book(executed: Path, all_executed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a book of Sphinx: ``index.html`` of one explorer, ``all.html`` of all widgets.

    A warning would have been an error.
    """
    place = tmp_path_factory.mktemp("book")
    parts = place / "parts"
    parts.mkdir()
    bundle_widget_parts(parts)
    (place / "conf.py").write_text(BOOK)
    shutil.copyfile(executed, place / "index.ipynb")
    shutil.copyfile(all_executed, place / "all.ipynb")
    run(place, "sphinx", "-q", "-W", "-b", "html", ".", "made")
    # The widgets' own part is looked for beside the page.
    shutil.copyfile(parts / "anywidget.js", place / "made" / "anywidget.js")
    return place / "made"


def bundle_widget_parts(folder: Path) -> None:
    """Put what draws widgets in a page without a notebook beside the page: no network is asked for it."""
    share = Path(sys.prefix) / "share" / "jupyter"
    for part, name in (
        (share / "voila/templates/base/static/require.min.js", "require.min.js"),
        (ROOT / "js/node_modules/@jupyter-widgets/html-manager/dist/embed-amd.js", "embed-amd.js"),
        (share / "nbextensions/anywidget/index.js", "anywidget.js"),
    ):
        shutil.copyfile(part, folder / name)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
        return port


@dataclass(frozen=True)
class Jupyter:
    """A Jupyter server as a hub starts it: behind a prefix, with a token."""

    url: str
    token: str
    folder: Path

    def address(self, path: str) -> str:
        """Where a page of the server is."""
        return f"{self.url}{path}?token={self.token}"

    def write(self, name: str, *cells: str) -> str:
        """Put a notebook of these code cells on the server; its kernel is its own."""
        (self.folder / name).write_text(json.dumps(notebook_of(*cells)))
        return name


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jupyter]:
    """One server of JupyterLab, Notebook 7 and Voila's preview."""
    place = tmp_path_factory.mktemp("jupyter")
    folder = place / "notebooks"
    folder.mkdir()
    # JupyterLab would ask whether to fetch news and look for updates.
    quiet = place / "settings" / "@jupyterlab" / "apputils-extension"
    quiet.mkdir(parents=True)
    said = {"fetchNews": "false", "checkForUpdates": False}
    (quiet / "notification.jupyterlab-settings").write_text(json.dumps(said))
    port, token = free_port(), secrets.token_hex(16)
    url = f"http://127.0.0.1:{port}{PREFIX}"
    options = (
        *("--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}"),
        *(
            "--ServerApp.port_retries=0",
            f"--ServerApp.base_url={PREFIX}",
            f"--IdentityProvider.token={token}",
        ),
        *(f"--ServerApp.root_dir={folder}", "--LabApp.expose_app_in_browser=True"),
        "--JupyterNotebookApp.expose_app_in_browser=True",
    )
    with serving(place, "jupyterlab", *options, asked=f"{url}api/status?token={token}"):
        yield Jupyter(url, token, folder)


# Parts that themes of notebooks and books style by the name of the element.
FOREIGN_STYLES = """view => {
    const parts = [...view.querySelectorAll('h2, dl, dt, dd, dd > *')].filter(part => part.checkVisibility());
    const wrong = [];
    for (const part of parts) {
        const style = getComputedStyle(part);
        const spaces = ['marginTop', 'marginBottom'];
        if (!part.matches('dd > *')) spaces.push('marginLeft', 'paddingLeft', 'paddingTop', 'paddingBottom');
        // These the widget itself moves to the end of their line.
        const own = part.matches(':is(.lx, .sx) .px-promise dd') ? 'marginLeft' : '';
        const changed = spaces.filter(name => name !== own && style[name] !== '0px');
        if (part.matches('dt') && style.fontWeight !== '400') changed.push('fontWeight');
        if (changed.length) wrong.push(`${part.outerHTML.slice(0, 80)}: ${changed}`);
    }
    return { parts: parts.length, wrong };
}"""


@dataclass
class Watched:
    """A page, what it asked for off this machine and what went wrong in it."""

    page: Page
    abroad: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    #: Addresses that the host itself asks for and faults that it logs, whatever the notebook holds.
    of_the_host: tuple[str, ...] = ()

    def note(self, kind: list[str], said: str) -> None:
        """Keep what was asked for or what went wrong, unless the host does that by itself."""
        if not any(re.search(pattern, said) for pattern in self.of_the_host):
            kind.append(said)

    @property
    def view(self) -> Locator:
        """The explorer on the screen."""
        return self.page.locator(".pdp")

    def run_first_cell(self) -> None:
        """Wait for the kernel of the notebook in front, click into its first cell and run that by key."""
        self.page.wait_for_function(
            """() => window.jupyterapp?.shell.currentWidget?.context?.sessionContext
                ?.session?.kernel?.status === 'idle'""",
            timeout=WAIT,
        )
        self.page.locator(".jp-CodeCell .cm-content").first.click()
        self.page.keyboard.press("Control+Enter")

    def shows(self, leakage: str) -> None:
        """Wait until the explorer's sentence and its audit strip say this number."""
        expect(self.view.locator(".px-lead")).to_contain_text(leakage, timeout=WAIT)
        expect(self.view.locator(".px-fact")).to_contain_text(leakage)

    def type_scale(self, text: str) -> None:
        """Type the scale as a person does."""
        entry = self.view.get_by_label("Scale λ as a number")
        entry.click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def says(self, place: Locator, numbers: list[str]) -> None:
        """Check that every one of these numbers stands in this part of the page."""
        said = place.inner_text()
        assert [number for number in numbers if number not in said] == [], said

    def has_no_kernel(self) -> None:
        """Check that the view says so, waits for nothing, and takes no edit."""
        expect(self.view.locator(".line[data-kind='disconnected']")).to_contain_text("No kernel")
        expect(self.view.get_by_label("Scale λ as a number")).to_be_disabled()
        # The interval of the sample was computed before the notebook was saved.
        expect(self.view.locator(".px-facts")).to_contain_text(re.compile(r"\d to \d.*1,000 records"))
        said = self.view.locator(".px-promise, .px-facts").all_inner_texts()
        assert not any("…" in text for text in said)

    def looks_like_itself(self) -> None:
        """Check that the styles of the host have moved and emboldened nothing in the widget."""
        found = self.view.evaluate(FOREIGN_STYLES)
        assert found["parts"] > 12
        assert found["wrong"] == []

    def no_picture_beside(self) -> None:
        """Check that the picture for readers without widgets has given way to the live view."""
        expect(self.page.locator(".pdp-static")).to_be_hidden()


def _here(url: str) -> bool:
    return urlsplit(url).hostname in (None, "127.0.0.1")


def _watch(page: Page, of_the_host: tuple[str, ...]) -> Watched:
    watched = Watched(page, of_the_host=of_the_host)

    def pass_or_stop(route: Route) -> None:
        if _here(route.request.url):
            route.continue_()
        else:
            watched.note(watched.abroad, route.request.url)
            route.abort()

    def socket_opened(socket: WebSocket) -> None:
        if not _here(socket.url):
            watched.note(watched.abroad, socket.url)

    def said(message: ConsoleMessage) -> None:
        where = message.location.get("url", "")
        # What was stopped is counted by its address.
        if message.type == "error" and _here(where) and "favicon.ico" not in where:
            watched.note(watched.faults, f"{message.text} ({where})")

    page.route(re.compile(r"^https?:"), pass_or_stop)
    page.on("websocket", socket_opened)
    page.on("console", said)
    page.on("pageerror", lambda error: watched.note(watched.faults, f"{error}\n{error.stack}"))
    # A changed notebook asks before the page goes; nobody is there to answer.
    page.on("dialog", lambda dialog: dialog.accept())
    return watched


@pytest.fixture
def watch(chromium: Browser) -> Iterator[Callable[..., Watched]]:
    """Make pages that are watched; at the end none may have asked abroad or logged an error."""
    made: list[Watched] = []

    def make(*, of_the_host: tuple[str, ...] = (), **context: Any) -> Watched:
        page = chromium.new_context(**{"viewport": {"width": 1200, "height": 900}, **context}).new_page()
        made.append(_watch(page, of_the_host))
        return made[-1]

    yield make
    abroad = [url for watched in made for url in watched.abroad]
    faults = [fault for watched in made for fault in watched.faults]
    for watched in made:
        watched.page.context.close()
    assert abroad == [], "asked for off this machine"
    assert not faults, "the page logged errors:\n" + "\n".join(faults)
