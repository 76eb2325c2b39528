"""JupyterLab behind a prefix, as a hub starts it: widgets and extension name no address."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.hosts.conftest import CELLS, PREFIX, WAIT, Jupyter, Watched, largest

CARD = "Privacy under correlation"


def test_an_explorer_runs_and_answers_an_edit(jupyter: Jupyter, watch: Callable[..., Watched]) -> None:
    host = watch()
    asked: list[str] = []
    host.page.on("request", lambda request: asked.append(request.url))
    host.page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:", 1)))
    name = jupyter.write("lab.ipynb", *CELLS)
    host.page.goto(jupyter.address(f"lab/tree/{name}"))
    host.run_first_cell()
    host.shows(largest(1.0))
    host.no_picture_beside()
    host.looks_like_itself()
    host.type_scale("2")
    host.shows(largest(2.0))
    outside = [
        url for url in asked if url.startswith("http") and not url.split("?")[0].startswith(jupyter.url)
    ]
    assert outside == []
    # The extension and the kernel that answered were asked for there, behind the prefix as the hub writes it.
    behind = [urlsplit(url).path for url in asked]
    assert any(path.startswith(f"{PREFIX}lab/extensions/pdp-widgets") for path in behind), behind
    assert any(re.fullmatch(rf"{PREFIX}api/kernels/[\w-]+/channels", path) for path in behind), behind


def test_the_launcher_card_opens_the_first_notebook(jupyter: Jupyter, watch: Callable[..., Watched]) -> None:
    host = watch()
    # A workspace of its own has nothing open but the launcher.
    host.page.goto(jupyter.address("lab/workspaces/launcher"))
    host.page.locator(".jp-LauncherCard", has_text=CARD).click(timeout=WAIT)
    expect(host.page.locator(".jp-NotebookPanel")).to_be_visible(timeout=WAIT)
    expect(host.page.locator(".jp-NotebookPanel .jp-MarkdownCell h1")).to_be_visible(timeout=WAIT)
    assert (jupyter.folder / "01-prior-knowledge.ipynb").is_file()
