"""The JupyterLite site: built when its sources have changed, and served as files with nothing behind."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route

ROOT = Path(__file__).resolve().parents[2]
# Last, so that a script never stands in for a module of the same name.
sys.path.append(str(ROOT / "scripts"))


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that does not talk."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine; the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Visit:
    """A page of the site in a browser that reaches the site and nothing else."""

    page: Page
    address: str
    #: What was asked of other hosts, in vain.
    elsewhere: list[str] = field(default_factory=list)
    #: Faults of the page's scripts, and errors in its log.
    errors: list[str] = field(default_factory=list)

    def open(self, notebook: str | None = None) -> None:
        """Open JupyterLab, on a notebook or on its launcher."""
        self.page.goto(f"{self.address}lab/index.html{f'?path={notebook}' if notebook else ''}")
        self.page.locator(".jp-NotebookPanel" if notebook else ".jp-Launcher").wait_for(timeout=60_000)

    def menu(self, title: str, command: str) -> None:
        """Choose an item of a menu by its command."""
        self.page.locator(".lm-MenuBar-item", has_text=title).click()
        self.page.locator(f".lm-Menu-item[data-command='{command}']").click()

    @property
    def notebook(self) -> Locator:
        """The notebook in front."""
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")


@contextmanager
def visiting(chromium: Browser, address: str) -> Iterator[Visit]:
    """Open a page that may not leave the site."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000})
    visit = Visit(context.new_page(), address)

    def keep_in(route: Route) -> None:
        if route.request.url.startswith((address, "blob:", "data:")):
            route.continue_()
        else:
            visit.elsewhere.append(route.request.url)
            route.abort()

    context.route("**/*", keep_in)
    visit.page.on("pageerror", lambda error: visit.errors.append(str(error)))
    visit.page.on("console", lambda said: said.type == "error" and visit.errors.append(said.text))
    try:
        yield visit
    finally:
        context.close()


@pytest.fixture(scope="session")
def site() -> Path:
    """The site as `make lite` builds it, its kernel elsewhere."""
    import lite

    lite.build(lite.SITE)
    return lite.SITE


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    with served(site) as url:
        yield url


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Visit]:
    """A page of the site."""
    with visiting(chromium, address) as page:
        yield page
