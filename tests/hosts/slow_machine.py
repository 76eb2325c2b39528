"""Twelve explorers on a slow machine: two processes at full speed beside a browser throttled six times.

anywidget gives a model two seconds from its construction to the end of its `initialize`. One that takes
longer is drawn, but anywidget does not tell it what the kernel says. `make slow` runs these: they take the
whole machine for minutes, and whatever else runs beside them would be slow too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Locator, expect

from tests.every_widget import CELLS, SETUP, setup
from tests.hosts.conftest import Jupyter, Watched, bundle_widget_parts, notebook_of, run
from tests.hosts.test_every_widget import IDLE, LATE, LIVE, assert_it_answers
from tests.hosts.test_nbconvert import BESIDE

#: For what never comes: a page alone takes half a minute to open here.
NEVER = 600_000
TWELVE = ([module for module, cell in CELLS.items() if cell.entry] * 2)[:12]
SHOWN = "made = []\n\n\ndef shown(explorer):\n    made.append(explorer)\n    return explorer"
SOURCES = (f"{SETUP}\n\n{SHOWN}", *(f"shown({CELLS[module].source})" for module in TWELVE))
TELL = """async (code) => {
    const { sessionContext } = window.jupyterapp.shell.currentWidget.context;
    await sessionContext.session.kernel.requestExecute({ code }).done;
}"""
SAVE = "() => window.jupyterapp.shell.currentWidget.context.save().then(() => null)"
#: A test that is ended from outside must not leave them behind.
BUSY = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"


@contextmanager
def slowed(host: Watched) -> Iterator[None]:
    """Keep the machine busy with something else, and the browser slow."""
    host.page.set_default_timeout(NEVER)
    throttle = host.page.context.new_cdp_session(host.page)
    throttle.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(2)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
        throttle.send("Emulation.setCPUThrottlingRate", {"rate": 1})


def assert_all_stand(host: Watched) -> list[Locator]:
    """Check that every explorer is drawn, and return them."""
    expect(host.page.locator(".pdp .px-lead")).to_have_count(len(TWELVE), timeout=NEVER)
    expect(host.page.locator(".pdp-loading")).to_have_count(0, timeout=NEVER)
    return [host.view.nth(k) for k in range(len(TWELVE))]


def run_all(host: Watched, address: str) -> None:
    """Open a notebook and run it."""
    host.page.goto(address)
    host.page.wait_for_function(IDLE, timeout=NEVER)
    host.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")


def entries(views: list[Locator]) -> list[Locator]:
    """The entry of each explorer."""
    labels = [entry.label for module in TWELVE if (entry := CELLS[module].entry)]
    return [view.get_by_label(label, exact=True) for view, label in zip(views, labels, strict=True)]


@pytest.mark.parametrize("opened", ["run", "reopened"])
def test_in_jupyterlab(jupyter: Jupyter, watch: Callable[..., Watched], opened: str) -> None:
    path, of_the_host, *_ = LIVE["JupyterLab"]
    address = jupyter.address(f"{path}{jupyter.write(f'{opened}.ipynb', *SOURCES)}")
    if opened == "reopened":
        host = watch(of_the_host=of_the_host)
        run_all(host, address)
        assert_all_stand(host)
        host.page.evaluate(SAVE)
        host.page.context.close()
    host = watch(of_the_host=(*of_the_host, LATE))
    with slowed(host):
        if opened == "run":
            run_all(host, address)
        else:
            host.page.goto(address)
        views = assert_all_stand(host)
    host.page.evaluate(TELL, "for explorer in made:\n    explorer.disabled = True")
    for entry in entries(views):
        expect(entry).to_be_disabled(timeout=NEVER)


def test_in_voila(jupyter: Jupyter, watch: Callable[..., Watched]) -> None:
    path, of_the_host, *_ = LIVE["Voila"]
    host = watch(of_the_host=(*of_the_host, LATE))
    with slowed(host):
        host.page.goto(jupyter.address(f"{path}{jupyter.write('twelve.ipynb', *SOURCES)}"))
        views = assert_all_stand(host)
    names = setup()
    for view, module in zip(views, TWELVE, strict=True):
        assert_it_answers(host.page, view, module, names)


def test_in_a_page(tmp_path: Path, watch: Callable[..., Watched]) -> None:
    (tmp_path / "twelve.ipynb").write_text(json.dumps(notebook_of(*SOURCES)))
    run(tmp_path, "nbconvert", "--to=notebook", "--execute", "--inplace", "twelve.ipynb")
    bundle_widget_parts(tmp_path)
    html, _ = HTMLExporter(**BESIDE).from_filename(str(tmp_path / "twelve.ipynb"))
    (tmp_path / "twelve.html").write_text(html, encoding="utf-8")
    host = watch(of_the_host=(LATE,))
    with slowed(host):
        host.page.goto((tmp_path / "twelve.html").as_uri())
        views = assert_all_stand(host)
    for view in views:
        expect(view.locator(".line[data-kind='disconnected']")).to_contain_text("No kernel")
