"""marimo, alone: every widget in an app, and what a hand sets there is what its cells read."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.every_widget import CELLS, SETUP, setup
from tests.hosts.conftest import WAIT, Watched, free_port, largest, serving
from tests.hosts.test_every_widget import assert_it_answers, assert_it_stands

#: Reads the explorer again whenever the button is pressed: marimo knows nothing of what it holds.
READS = (
    "import marimo as mo\nbutton = mo.ui.button(value=0, on_click=lambda n: n + 1, label='Read')\nbutton",
    "f'Read {button.value}: {float(prior_explorer.results.largest):.3f}'",
)


def app_of(*cells: str) -> str:
    """The file of an app: what all cells stand on, and the cells."""
    parts = ["import marimo\n\napp = marimo.App()\n\nwith app.setup:\n" + textwrap.indent(SETUP, "    ")]
    for source in cells:
        parts.append("@app.cell\ndef _():\n" + textwrap.indent(source, "    ") + "\n    return\n")
    return "\n\n".join([*parts, 'if __name__ == "__main__":\n    app.run()\n'])


@pytest.fixture
def app(tmp_path: Path) -> Iterator[str]:
    """The address of an app of all widgets, each under the name of its module."""
    shown = (f"{module} = {cell.source}\n{module}" for module, cell in CELLS.items())
    (tmp_path / "app.py").write_text(app_of(*shown, *READS))
    port = free_port()
    options = ("-y", "run", "app.py", "--headless", "--no-token", "--host=127.0.0.1", f"--port={port}")
    url = f"http://127.0.0.1:{port}/"
    with serving(tmp_path, "marimo", *options, asked=f"{url}health"):
        yield url


def test_every_widget_runs_and_what_is_edited_is_there_in_python(
    app: str, watch: Callable[..., Watched]
) -> None:
    names = setup()
    host = watch()
    host.page.goto(app)
    expect(host.view).to_have_count(len(CELLS), timeout=WAIT)
    host.page.get_by_text(f"Read 0: {largest(1.0)}").wait_for(timeout=WAIT)
    for k, module in enumerate(CELLS):
        assert_it_stands(host.view.nth(k), module, names)
        assert_it_answers(host.page, host.view.nth(k), module, names)
        expect(host.page.locator(".pdp-static").nth(k)).to_be_hidden()
    host.page.get_by_role("button", name="Read").click()
    host.page.get_by_text(f"Read 1: {largest(2.0)}").wait_for(timeout=WAIT)
