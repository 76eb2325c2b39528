"""A kernel that loops, restarts or dies while the page edits."""

from __future__ import annotations

import os
import signal
from typing import Any

from playwright.sync_api import Locator, expect

from tests.lab.conftest import Lab

MAKE = (
    "import pathlib, threading, time\nimport numpy as np\nimport pdp_widgets as pdp\n"
    "joint = pdp.lsat6().marginal(['item 1', 'item 2', 'item 5'])\n"
    "explorer = pdp.PriorExplorer(joint)\nexplorer"
)


def explorer(lab: Lab) -> Locator:
    """Make an explorer in a notebook and return its view."""
    lab.run_cell(0)
    view = lab.panel.locator(".pdp")
    expect(view.locator(".px-fact")).to_be_visible()
    return view


def scale_of(view: Locator) -> Locator:
    """The number entry of the scale."""
    return view.get_by_label("Scale λ as a number")


def grid_cell(view: Locator, index: int) -> Locator:
    """One cell of the joint table."""
    return view.locator("td.gr-cell").nth(index)


def type_into(cell: Locator, text: str) -> None:
    """Replace the value of a cell of the joint table."""
    # No click: Playwright would wait for a cell that moves, and beside a loop lines get longer and shorter.
    cell.focus()
    cell.press("Enter")
    cell.page.keyboard.type(text)
    cell.page.keyboard.press("Enter")


LOOP = """
threads, values = set(), []
def note(change):
    threads.add(threading.get_ident())
    values.append(change['new'])
explorer.observe(note, 'value')
wrong = []
k = 0
while not pathlib.Path('enough').exists():
    k += 1
    explorer.scale = 1 + k % 100 / 100
    with pdp.widgets.base.LOCK:
        state = explorer.results.mechanism.scale, explorer.results.promise, explorer.value
    if abs(state[1] - 1 / state[0]) > 1e-12 or abs(state[2].table.sum() - 1) > 1e-12:
        wrong.append(k)
    time.sleep(0.02)
seen = len(values)
"""
STATE = """{
    'wrong': wrong, 'seen': seen, 'main': threads <= {threading.main_thread().ident}, 'threads': len(threads),
    'scale': explorer.scale, 'sum': float(explorer.value.table.sum()), 'error': explorer.error,
    'cells': [float(p) for p in explorer.value.table.ravel()], 'current': explorer.current,
    'largest': float(explorer.results.largest),
    'again': float(pdp.PriorAnalysis(explorer.value, explorer.results.mechanism, explorer.instance).largest),
}"""


def test_w34_page_and_cell_change_one_explorer_at_once(desk: Lab) -> None:
    desk.write_notebook("loop.ipynb", MAKE, LOOP)
    desk.show("loop.ipynb")
    for subshells in ("perCommTarget", "perComm", "disabled"):
        assert_neither_is_lost(desk, subshells)


def assert_neither_is_lost(desk: Lab, subshells: str) -> None:
    """Type beside a cell that loops, with comms heard in its thread or in others, and compare both ends."""
    desk.ask(
        "(panel, how) => { panel.context.sessionContext.session.kernel.commsOverSubshells = how; }", subshells
    )
    view = explorer(desk)
    if subshells != "disabled":
        # JupyterLab asks for the second thread when a comm opens, and takes the first until it has it.
        desk.page.wait_for_function(
            """() => [...window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel
                ._comms.values()].every(comm => comm.subshellId)"""
        )
    desk.run_cell(1, wait=False)
    for k in range(3):
        type_into(grid_cell(view, k), f"0.{10 + k}")
    # The last edit of the page is the one that stands.
    type_into(grid_cell(view, 6), "0.2")
    desk.page.wait_for_timeout(200)
    (desk.path / "enough").touch()
    desk.wait_until_idle()
    expect(grid_cell(view, 6)).to_contain_text("0.200")
    desk.page.wait_for_timeout(300)
    desk.wait_until_idle()
    state: dict[str, Any] = desk.value(STATE)
    (desk.path / "enough").unlink()
    assert (subshells, state["wrong"], state["error"]) == (subshells, [], None)
    assert state["current"], subshells
    assert state["largest"] == state["again"], subshells
    assert abs(state["sum"] - 1) <= 1e-12, subshells
    # With subshells the loop met the edits; without them they waited for its end and lost nothing.
    assert (state["seen"] == 0) == (subshells == "disabled"), subshells
    assert state["threads"] >= 1, subshells
    assert state["main"] == (subshells == "disabled"), subshells
    shown = [cell.inner_text().strip() for cell in view.locator("td.gr-cell").all()]
    assert shown == [f"{p:.3f}" for p in state["cells"]], subshells
    assert f"{state['largest']:.3f}" in view.inner_text(), subshells


def lost(view: Locator) -> Locator:
    """The line that says that nobody answers."""
    return view.locator(".line[data-kind='disconnected']:not([hidden])")


def assert_it_says_so(lab: Lab, view: Locator, what: str, first: str) -> None:
    """Check that the line says what happened and which cell to run, and that no control takes an edit."""
    expect(lost(view)).to_contain_text(what)
    expect(lost(view)).to_contain_text(f"To edit, {first} cell [1], after the cells that it needs.")
    expect(scale_of(view)).to_be_disabled()
    before = grid_cell(view, 0).inner_text()
    # Playwright would wait for the cell to be enabled.
    grid_cell(view, 0).click(force=True)
    lab.page.keyboard.type("0.9")
    lab.page.keyboard.press("Enter")
    assert grid_cell(view, 0).inner_text() == before
    expect(view.locator(".px")).to_contain_text("1.234")


#: What ends the kernel, what the widget says, and what to do before the cell is run.
ENDS = {
    "restart": ("The kernel was restarted.", "run"),
    "killed": ("The kernel died and was started again.", "run"),
    "shutdown": ("The kernel was shut down.", "start one and run"),
    "dead": ("The kernel has ended.", "start one and run"),
}


def test_w32_without_its_kernel_the_widget_says_what_became_of_it(desk: Lab) -> None:
    desk.write_notebook("end.ipynb", MAKE)
    desk.show("end.ipynb")
    context = "panel.context.sessionContext"
    for end, (what, first) in ENDS.items():
        view = explorer(desk)
        # Run again, the cell has a live explorer, and no picture beside it.
        expect(lost(view)).to_have_count(0)
        expect(scale_of(view)).to_be_enabled()
        expect(desk.panel.locator(".pdp-static")).to_be_hidden()
        if end == "restart":
            desk.ask(f"panel => {context}.restartKernel()")
        elif end == "killed":
            os.kill(desk.value("__import__('os').getpid()"), signal.SIGKILL)
        elif end == "shutdown":
            desk.ask(f"panel => {context}.shutdown()")
        else:
            # What the page hears of a kernel that dies at every start, or that is shut down elsewhere.
            desk.ask(f"panel => {{ {context}.session.kernel._updateStatus('dead'); }}")
        assert_it_says_so(desk, view, what, first)
        if end == "shutdown":
            desk.ask(f"panel => {context}.startKernel()")
        if end != "dead":
            desk.wait_for_notebook()


def test_w32_while_the_connection_is_lost_what_is_typed_waits(desk: Lab) -> None:
    desk.write_notebook("line.ipynb", MAKE)
    desk.show("line.ipynb")
    view = explorer(desk)
    desk.ask("""panel => {
        const kernel = panel.context.sessionContext.session.kernel;
        const real = window.realSocket = kernel.serverSettings.WebSocket;
        // Nothing listens at this port.
        const nobody = 'ws://127.0.0.1:9/';
        kernel.serverSettings.WebSocket = class extends real { constructor() { super(nobody); } };
        kernel._ws.close();
    }""")
    expect(lost(view)).to_contain_text("The connection to the kernel is lost. It is being tried again.")
    scale_of(view).fill("2")
    scale_of(view).press("Enter")
    expect(view.locator(".px")).to_contain_text("0.500 nats")
    desk.ask("""panel => {
        const kernel = panel.context.sessionContext.session.kernel;
        kernel.serverSettings.WebSocket = window.realSocket;
    }""")
    expect(lost(view)).to_have_count(0, timeout=60_000)
    desk.wait_for_notebook()
    assert desk.value("explorer.scale") == 2.0
    # Each attempt is logged by the browser, and what JupyterLab sends while the line is being closed.
    expected = ("ws://127.0.0.1:9/", "WebSocket is already in CLOSING or CLOSED state")
    desk.errors[:] = [error for error in desk.errors if not any(text in error for text in expected)]


def test_w32_what_is_typed_while_the_kernel_hangs_takes_effect_later(desk: Lab) -> None:
    desk.write_notebook("hang.ipynb", MAKE, "while not pathlib.Path('go').exists():\n    time.sleep(0.05)")
    desk.show("hang.ipynb")
    desk.ask("panel => { panel.context.sessionContext.session.kernel.commsOverSubshells = 'disabled'; }")
    view = explorer(desk)
    desk.run_cell(1, wait=False)
    scale_of(view).fill("2")
    scale_of(view).press("Enter")
    type_into(grid_cell(view, 0), "0.3")
    expect(view.locator(".line[data-kind='busy']:not([hidden])")).to_be_visible()
    expect(view.locator(".px")).to_contain_text("0.500 nats")
    (desk.path / "go").touch()
    expect(view.locator(".line[data-kind='busy']:not([hidden])")).to_have_count(0)
    expect(grid_cell(view, 0)).to_contain_text("0.300")
    desk.wait_until_idle()
    assert desk.value("[explorer.scale, float(explorer.value.table.flat[0])]") == [2.0, 0.3]
