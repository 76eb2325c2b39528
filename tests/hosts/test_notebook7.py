"""Notebook 7, behind the prefix of a hub."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.hosts.conftest import CELLS, Jupyter, Watched, largest

# Notebook 7.6 logs it while it loads its settings, without any extension and with an empty notebook.
OWN_FAULT = r"reading 'schema'[\s\S]*/static/notebook/notebook_core"
# It now and then restores the folder of its file browser before there is the command for that.
BROWSER_FAULT = r"'filebrowser:open-path' not registered[\s\S]*/static/notebook/notebook_core"


def test_an_explorer_runs_and_answers_an_edit(jupyter: Jupyter, watch: Callable[..., Watched]) -> None:
    host = watch(of_the_host=(OWN_FAULT, BROWSER_FAULT))
    name = jupyter.write("notebook7.ipynb", *CELLS)
    host.page.goto(jupyter.address(f"notebooks/{name}"))
    host.run_first_cell()
    host.shows(largest(1.0))
    host.no_picture_beside()
    host.looks_like_itself()
    host.type_scale("2")
    host.shows(largest(2.0))
    # What was typed stayed in the widget: no cell was cut, inserted or run again.
    expect(host.page.locator(".jp-CodeCell")).to_have_count(1)
    expect(host.page.locator(".jp-InputPrompt").first).to_contain_text("[1]")
