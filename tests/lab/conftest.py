"""A real JupyterLab in a real browser: for what only the host can show.

The server is started once. A test takes a page of its own (`lab`), or a notebook in the page that such tests
share (`desk`), and fails when the page logs an error.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, expect

ROOT = Path(__file__).resolve().parents[2]
# For what never comes, not for how fast it comes: below the limit of a whole test (pyproject.toml).
START_LIMIT = 240.0
CELL_LIMIT = 60_000

# Said by JupyterLab itself, with or without this package.
# anywidget's clock of two seconds may run out on a busy machine. Such a widget is drawn and heard all the
# same, which has a test of its own, and a widget that is not fails whatever test looks at it.
FOREIGN = ("favicon.ico", "[anywidget] Failed to initialize model")
# The widget manager of JupyterLab asks a notebook without a kernel for its kernel.
FOREIGN_FAULT = ("reading 'kernel'", "@jupyter-widgets/jupyterlab-manager/static")


@dataclass(frozen=True)
class Server:
    """A running JupyterLab: where it listens and which folder it serves."""

    url: str
    folder: Path


def _wait_for_address(process: subprocess.Popen[bytes], runtime: Path, log: Path) -> str:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + START_LIMIT
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"JupyterLab ended at once:\n{log.read_text()}")
        for file in runtime.glob("jpserver-*.json"):
            try:
                url: str = json.loads(file.read_text())["url"]
                with direct.open(f"{url}api/status", timeout=10):
                    return url
            except (json.JSONDecodeError, urllib.error.URLError):
                pass  # The file is being written, or the port does not answer yet.
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not answer within {START_LIMIT:.0f} s:\n{log.read_text()}")


@contextmanager
def serving(place: Path, beside: Path | None = None) -> Iterator[Server]:
    """Run a JupyterLab on a free port of this machine, with empty settings and no token.

    ``beside`` is an environment whose packages and extensions it has too.
    """
    runtime, folder, log = place / "runtime", place / "notebooks", place / "server.log"
    runtime.mkdir()
    folder.mkdir()
    # JupyterLab would ask whether to fetch news and look for updates.
    settings = place / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    # The extension of this tree, whatever the environment has installed.
    extensions = place / "labextensions"
    extensions.mkdir()
    (extensions / "pdp-widgets").symlink_to(ROOT / "pdp_widgets" / "labextension")
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    env = os.environ | {
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "JUPYTER_CONFIG_DIR": str(place / "config"),
        "JUPYTER_DATA_DIR": str(place / "data"),
        "IPYTHONDIR": str(place / "ipython"),
        # The kernel's current folder is the test's, so the package is named to it.
        "PYTHONPATH": str(ROOT),
    }
    if beside is not None:
        more = [str(ROOT), *map(str, beside.glob("[Ll]ib/**/site-packages"))]
        env |= {
            "PYTHONPATH": os.pathsep.join(more),
            "JUPYTER_PATH": str(beside / "share" / "jupyter"),
            "JUPYTER_CONFIG_PATH": str(beside / "etc" / "jupyter"),
        }
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *("--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", "--IdentityProvider.token="),
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.extra_labextensions_path={extensions}",
        f"--LabApp.workspaces_dir={place / 'workspaces'}",
        f"--LabApp.user_settings_dir={place / 'settings'}",
        "--LabApp.expose_app_in_browser=True",
    ]
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield Server(_wait_for_address(process, runtime, log), folder)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def lab_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One JupyterLab for the tests."""
    with serving(tmp_path_factory.mktemp("jupyterlab")) as server:
        yield server


@dataclass
class Lab:
    """A page with JupyterLab in it, and what a person does there."""

    server: Server
    page: Page
    folder: str
    errors: list[str] = field(default_factory=list)
    #: What is not counted as an error when it is logged, now or later.
    overlooked: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The folder of this test on disk."""
        return self.server.folder / self.folder

    def write_notebook(self, name: str, *cells: str, metadata: dict[str, Any] | None = None) -> Path:
        """Put a notebook with these code cells into the folder of the test."""
        notebook = {
            "cells": [
                {
                    "cell_type": "code",
                    "id": uuid.uuid4().hex[:8],
                    "metadata": {},
                    "execution_count": None,
                    "outputs": [],
                    "source": source,
                }
                for source in cells
            ],
            "metadata": {
                "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
                **(metadata or {}),
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        path = self.path / name
        path.write_text(json.dumps(notebook))
        return path

    def open(self, name: str | None = None) -> None:
        """Open JupyterLab on a file of the test's folder, or on the folder with its launcher."""
        # A workspace of its own for each page: none restores what another test had open.
        workspace = f"{self.server.url}lab/workspaces/{uuid.uuid4().hex}"
        self.page.goto(f"{workspace}/tree/{self.folder}" + (f"/{name}" if name else ""))
        self.page.wait_for_function("() => window.jupyterapp !== undefined")
        self.page.evaluate("() => window.jupyterapp.restored.then(() => null)")
        expect(self.page.locator(".jp-FileBrowser .jp-BreadCrumbs")).to_contain_text(self.folder)
        if name is not None:
            self.wait_for_notebook()

    def show(self, name: str) -> None:
        """Open a notebook of the test's folder in the page as it is."""
        path = f"{self.folder}/{name}"
        self.command("docmanager:open", {"path": path})
        self.page.wait_for_function(
            "(path) => window.jupyterapp.shell.currentWidget?.context?.path === path", arg=path
        )
        self.wait_for_notebook()

    @property
    def panel(self) -> Locator:
        """The notebook in front."""
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")

    def ask(self, script: str, arg: Any = None) -> Any:
        """Evaluate a function of the current notebook panel (and an argument) in the page."""
        return self.page.evaluate(f"(arg) => ({script})(window.jupyterapp.shell.currentWidget, arg)", arg)

    def value(self, expression: str) -> Any:
        """Return the value of a Python expression in the kernel, which must be idle."""
        text: str = self.ask(
            """async (panel, code) => {
                const kernel = panel.context.sessionContext.session.kernel;
                const future = kernel.requestExecute({
                    code: '', silent: true, store_history: false, user_expressions: { value: code },
                });
                const said = (await future.done).content.user_expressions.value;
                return said.status === 'ok' ? said.data['text/plain'] : JSON.stringify(said);
            }""",
            f"__import__('json').dumps({expression})",
        )
        return json.loads(ast.literal_eval(text))

    def run_cell(self, index: int, *, wait: bool = True) -> None:
        """Run one cell, and wait for the end unless told not to."""
        self.ask("(panel, index) => { panel.content.activeCellIndex = index; }", index)
        # The command itself ends with the cell.
        if wait:
            self.command("notebook:run-cell")
            self.wait_until_idle()
        else:
            self.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-cell'); }")

    def wait_for_notebook(self) -> None:
        """Wait until the current notebook is shown and its kernel is connected and idle.

        Asked to run before that, JupyterLab does nothing and says nothing.
        """
        self.page.wait_for_function(
            """() => {
                const panel = window.jupyterapp.shell.currentWidget;
                const context = panel?.context?.sessionContext;
                const kernel = context?.session?.kernel;
                return panel?.content?.widgets?.length > 0 && context.isReady
                    && kernel?.connectionStatus === 'connected' && kernel.status === 'idle';
            }""",
            timeout=CELL_LIMIT,
        )

    def wait_until_idle(self) -> None:
        """Wait until every cell has ended and the kernel is idle."""
        self.page.wait_for_function(
            """() => {
                const panel = window.jupyterapp.shell.currentWidget;
                const prompts = [...panel.node.querySelectorAll('.jp-InputPrompt')];
                return !prompts.some(prompt => prompt.textContent.includes('*'))
                    && panel.context.sessionContext.session.kernel.status === 'idle';
            }""",
            timeout=CELL_LIMIT,
        )

    def command(self, name: str, args: dict[str, Any] | None = None) -> None:
        """Execute a JupyterLab command by its id."""
        self.page.evaluate(
            "([name, args]) => window.jupyterapp.commands.execute(name, args).then(() => null)",
            [name, args or {}],
        )

    def run_all(self) -> None:
        """Run all cells and wait for the end."""
        self.command("notebook:run-all-cells")
        self.wait_until_idle()

    def save(self) -> None:
        """Save the current notebook until the file has the cells that the page has.

        What JupyterLab saves at once may be of before a change that it has just been told of.
        """
        self.page.wait_for_function(
            """async () => {
                const { context } = window.jupyterapp.shell.currentWidget;
                await context.save();
                const { contents } = window.jupyterapp.serviceManager;
                const file = await contents.get(context.path, { type: 'notebook', content: true });
                const said = notebook => JSON.stringify(notebook.cells.map(
                    ({ source, outputs = [] }) => [[source].flat().join(''), outputs.length]
                ));
                return said(file.content) === said(context.model.toJSON());
            }""",
            polling=200,
        )

    def set_theme(self, name: str) -> None:
        """Change the theme, "JupyterLab Dark" for one."""
        self.command("apputils:change-theme", {"theme": name})
        self.page.wait_for_function(
            "(light) => document.body.dataset.jpThemeLight === light", arg=str("Dark" not in name).lower()
        )
        # JupyterLab removes its splash screen twice, and logs that, where another theme comes while it fades.
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)

    def overlook_replaced_models(self) -> None:
        """Take back what is logged of views whose models another run replaced: nobody sees those."""
        self.overlooked = ("widget model not found",)

    def logged(self) -> list[str]:
        """What the page logged that counts as an error."""
        # anywidget's clock says so on a busy machine; what was late comes all the same, or a test misses it.
        overlooked = (*self.overlooked, "[anywidget] Failed to initialize model")
        return [error for error in self.errors if not any(text in error for text in overlooked)]

    def expected(self, text: str) -> None:
        """Take back the logged errors with this text, of which there must be one: the test made them."""
        kept = [error for error in self.errors if text not in error]
        assert len(kept) < len(self.errors), f"no error with {text!r} was logged: {self.errors}"
        self.errors[:] = kept


def _note(lab: Lab, message: ConsoleMessage) -> None:
    where = message.location.get("url", "")
    if message.type == "error" and not any(part in where or part in message.text for part in FOREIGN):
        lab.errors.append(f"{message.text} ({where})")


def _note_fault(lab: Lab, error: Error) -> None:
    said = f"{error}\n{error.stack}"
    if not all(part in said for part in FOREIGN_FAULT):
        lab.errors.append(said)


def new_page(server: Server, chromium: Browser, folder: str | None = None, **context: Any) -> Lab:
    """Return a page of its own, whose errors are noted, on a folder that may be of another page."""
    page = chromium.new_context(**{"viewport": {"width": 1400, "height": 900}, **context}).new_page()
    lab = Lab(server, page, folder or uuid.uuid4().hex[:12])
    lab.path.mkdir(exist_ok=True)
    page.on("console", lambda message: _note(lab, message))
    page.on("pageerror", lambda error: _note_fault(lab, error))
    # A changed notebook asks before the page goes; nobody is there to answer.
    page.on("dialog", lambda dialog: dialog.accept())
    return lab


@pytest.fixture
def new_lab(lab_server: Server, chromium: Browser) -> Iterator[Callable[..., Lab]]:
    """Make pages of JupyterLab; at the end of the test none of them may have logged an error."""
    made: list[Lab] = []

    def make(folder: str | None = None, **context: Any) -> Lab:
        """Open another page, on a folder of another page if named."""
        made.append(new_page(lab_server, chromium, folder, **context))
        return made[-1]

    yield make
    # What is logged while the kernels are stopped is JupyterLab's own and of no interest.
    logged = [error for lab in made for error in lab.logged()]
    for lab in made:
        lab.page.evaluate(
            "() => window.jupyterapp?.serviceManager.sessions.shutdownAll().then(() => null, () => null)"
        )
        lab.page.context.close()
    assert not logged, "the page logged errors:\n" + "\n".join(logged)


@pytest.fixture
def lab(new_lab: Callable[..., Lab]) -> Lab:
    """One page of JupyterLab with an empty folder."""
    return new_lab()


@pytest.fixture(scope="session")
def window(lab_server: Server, chromium: Browser) -> Iterator[Lab]:
    """One page of JupyterLab for all tests that need no page of their own."""
    lab = new_page(lab_server, chromium)
    lab.open()
    yield lab
    lab.page.context.close()


@pytest.fixture(scope="session")
def at_desk(window: Lab) -> Callable[[], AbstractContextManager[Lab]]:
    """Lend the shared page with a fresh folder; afterwards its notebooks are closed and kernels stopped."""

    @contextmanager
    def lend() -> Iterator[Lab]:
        window.errors.clear()
        window.overlooked = ()
        window.folder = uuid.uuid4().hex[:12]
        window.path.mkdir()
        window.page.set_viewport_size({"width": 1400, "height": 900})
        yield window
        logged = window.logged()
        # A dialog that a failed test left open would hold up the next one.
        for _ in range(5):
            if window.page.locator(".jp-Dialog").count():
                window.page.keyboard.press("Escape")
                window.page.wait_for_timeout(100)
        window.page.evaluate(
            """async () => {
                const { shell, serviceManager } = window.jupyterapp;
                for (const widget of [...shell.widgets('main')]) widget.dispose();
                await serviceManager.sessions.shutdownAll().catch(() => null);
            }"""
        )
        assert not logged, "the page logged errors:\n" + "\n".join(logged)

    return lend


@pytest.fixture
def desk(at_desk: Callable[[], AbstractContextManager[Lab]]) -> Iterator[Lab]:
    """The shared page with an empty folder."""
    with at_desk() as lab:
        yield lab
