"""The extension of JupyterLab behind a prefix, as a hub starts it: it names no address.

That widgets run there is tested with those of all hosts (test_every_widget.py).
"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.hosts.conftest import WAIT, Jupyter, Watched

CARD = "Privacy under correlation"


def test_the_launcher_card_opens_the_first_notebook(jupyter: Jupyter, watch: Callable[..., Watched]) -> None:
    host = watch()
    # A workspace of its own has nothing open but the launcher.
    host.page.goto(jupyter.address("lab/workspaces/launcher"))
    host.page.locator(".jp-LauncherCard", has_text=CARD).click(timeout=WAIT)
    expect(host.page.locator(".jp-NotebookPanel")).to_be_visible(timeout=WAIT)
    expect(host.page.locator(".jp-NotebookPanel .jp-MarkdownCell h1")).to_be_visible(timeout=WAIT)
    assert (jupyter.folder / "01-prior-knowledge.ipynb").is_file()
