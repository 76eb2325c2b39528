"""Widgets in a real kernel: what a cell shows, what a re-run leaves, what a later edit updates."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

ROOT = Path(__file__).resolve().parents[2]
VIEW = "application/vnd.jupyter.widget-view+json"


class Notebook:
    """A front end that runs cells under their ids, as JupyterLab does."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def run(self, code: str, cell: str | None = None) -> list[dict[str, Any]]:
        """Run a cell; return what the kernel published for it."""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": True,
        }
        message = self.client.session.msg("execute_request", content)
        if cell is not None:
            message["metadata"] = {"cellId": cell}
        self.client.shell_channel.send(message)
        published = self.published(message["header"]["msg_id"])
        errors = [m["content"] for m in published if m["msg_type"] == "error"]
        assert not errors, "\n".join(errors[0]["traceback"])
        return published

    def published(self, parent: str) -> list[dict[str, Any]]:
        """Return what is published until the kernel is idle again."""
        found: list[dict[str, Any]] = []
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") != parent:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return found
            found.append(message)

    def rest(self, seconds: float) -> list[dict[str, Any]]:
        """Return what is published on its own for a while."""
        found: list[dict[str, Any]] = []
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                found.append(self.client.get_iopub_msg(timeout=left))
            except Empty:
                break
        return found

    def value(self, expression: str) -> Any:
        """Return the value of an expression."""
        published = self.run(f"import json as _json; print(_json.dumps({expression}))")
        return json.loads(
            "".join(m["content"]["text"] for m in published if m["msg_type"] == "stream").splitlines()[-1]
        )

    def comms(self) -> int:
        """Return how many comms are open."""
        return int(self.value("len(__import__('comm').get_comm_manager().comms)"))


@pytest.fixture(scope="module")
def kernel() -> Iterator[Any]:
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(ROOT))
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture
def notebook(kernel: Any, front_end: Path) -> Notebook:
    """A notebook whose widgets have a module that draws nothing."""
    notebook = Notebook(kernel)
    notebook.run("%reset -f out")
    notebook.run("%reset -f")
    notebook.run(
        "import gc, pathlib, weakref, ipywidgets\n"
        "from pdp_widgets.widgets import base\n"
        f"base._STATIC = pathlib.Path({str(front_end)!r})\n"
        "from pdp_widgets import *\n"
        "ipywidgets.Widget.close_all()\n"
        "joint = lsat6().marginal(['item 1', 'item 2', 'item 5'])\n"
    )
    return notebook


SHOWN = {
    "last expression": "explorer = PriorExplorer(joint)\nexplorer",
    "without a name": "PriorExplorer(joint)",
    "display": "display(PriorExplorer(joint))",
    "only made": "explorer = PriorExplorer(joint)",
    "with parts": (
        "explorer = PriorExplorer(joint)\nexplorer.table.set_cell([0, 0, 0], 0.2)\nexplorer.graph\nexplorer"
    ),
    "a part": "explorer = PriorExplorer(joint)\nexplorer.table",
    "three widgets": (
        "explorer = PriorExplorer(joint)\n"
        "table = JointTable(joint)\n"
        "graph = WHGGraph(explorer.results)\n"
        "display(explorer, table)\ngraph"
    ),
}


@pytest.mark.parametrize("code", SHOWN.values(), ids=SHOWN)
def test_w16_running_a_cell_again_leaves_the_number_of_comms(notebook: Notebook, code: str) -> None:
    notebook.run(code, "cell-1")
    first = notebook.comms()
    assert first > 0
    counts = []
    for _ in range(4):
        notebook.run(code, "cell-1")
        counts.append(notebook.comms())
    assert counts == [first] * 4


def test_w16_a_picture_that_is_drawn_while_its_cell_runs_again_keeps_no_comm(notebook: Notebook) -> None:
    shown = "explorer = PriorExplorer(joint)\nexplorer.graph\nexplorer"
    notebook.run(f"import threading\n{shown}", "a")
    before = notebook.comms()
    # The picture of the change is begun, and not done before the cell has run again.
    notebook.run(
        "gc.disable()\n"
        "began, may_end, drawn = threading.Event(), threading.Event(), PriorExplorer._drawn\n"
        "def slow(self):\n"
        "    began.set()\n"
        "    may_end.wait()\n"
        "    return drawn(self)\n"
        "PriorExplorer._drawn = slow\n"
        "explorer.scale = 2.0\n"
        "assert began.wait(30)\n"
        "PriorExplorer._drawn = drawn",
        "b",
    )
    notebook.run(shown, "a")
    assert notebook.comms() > before
    notebook.run("may_end.set()")
    end = time.monotonic() + 30
    while notebook.comms() != before and time.monotonic() < end:
        time.sleep(0.1)
    notebook.run("gc.enable()")
    assert notebook.comms() == before


def test_what_another_cell_shows_or_a_variable_holds_stays_open(notebook: Notebook) -> None:
    notebook.run("explorer = PriorExplorer(joint)", "make")
    notebook.run("kept = [explorer]\nexplorer", "show-1")
    notebook.run("explorer", "show-2")
    notebook.run("1 + 1", "show-1")
    notebook.run("explorer = None", "make")
    assert notebook.value("kept[0].comm is not None")
    notebook.run("alive = weakref.ref(kept.pop())")
    assert notebook.value("alive() is not None and alive().comm is not None")
    notebook.run("1 + 1", "show-2")
    assert notebook.value("alive() is None")


def test_a_widget_in_a_box_lives_as_long_as_the_box(notebook: Notebook) -> None:
    notebook.run("box = ipywidgets.VBox([PriorExplorer(joint)])\nbox", "boxed")
    notebook.run("gc.collect()")
    assert notebook.value("box.children[0].comm is not None")


def test_what_an_output_widget_shows_stays_when_the_cell_that_wrote_there_runs_again(
    notebook: Notebook,
) -> None:
    notebook.run("made, out = [], ipywidgets.Output()\nout", "out")
    for _ in range(2):
        notebook.run(
            "with out:\n    explorer = PriorExplorer(joint)\n    display(explorer)\n"
            "made.append(weakref.ref(explorer))\ndel explorer",
            "write",
        )
    notebook.run("gc.collect()", "other")
    assert notebook.value("[ref() is not None and ref().comm is not None for ref in made]") == [True, True]
    # Outside of it the cell's own output counts again.
    for _ in range(2):
        notebook.run("explorer = PriorExplorer(joint)\nmade.append(weakref.ref(explorer))\nexplorer", "own")
    assert notebook.value("[ref() is not None for ref in made]") == [True, True, False, True]


def test_a_widget_is_an_input_of_interact(notebook: Notebook) -> None:
    notebook.run(
        "seen = []\n"
        "box = ipywidgets.interactive(lambda joint: seen.append(joint.names), joint=JointTable(joint))\nbox",
        "interact",
    )
    notebook.run("table = box.children[0]\ntable.value = JointDistribution([[0.5, 0], [0, 0.5]])", "edit")
    notebook.run("del table")
    notebook.run("gc.collect()")
    assert notebook.value("box.children[0].comm is not None")
    assert notebook.value("seen[-1]") == ["x1", "x2"]


def test_the_static_picture_comes_first_then_the_view_without_plain_text(notebook: Notebook) -> None:
    published = notebook.run("explorer = PriorExplorer(joint)\nexplorer", "picture")
    still, live = [m["content"] for m in published if m["msg_type"] in ("display_data", "execute_result")]
    assert set(still["data"]) == {"text/html", "text/plain", "application/vnd.pdp-widgets.view+json"}
    assert set(live["data"]) == {VIEW}
    assert still["transient"]["display_id"]
    model_id = live["data"][VIEW]["model_id"]
    assert model_id == notebook.value("explorer.model_id")
    token = next(c for c in notebook.value("list(explorer._dom_classes)") if c.startswith("pdpl-"))[5:]
    assert f'class="pdp-static pdps-{token}"' in still["data"]["text/html"]
    assert "promise" in still["data"]["text/plain"]


def test_an_edit_refreshes_the_pictures_that_stand_once(notebook: Notebook) -> None:
    shown = [
        m["content"]
        for cell in ("one", "two", "two")
        for m in notebook.run(
            "explorer" if cell == "two" else "explorer = PriorExplorer(joint)\nexplorer", cell
        )
        if m["msg_type"] == "display_data" and "text/html" in m["content"]["data"]
    ]
    ids = [content["transient"]["display_id"] for content in shown]
    notebook.run("for k in range(5): explorer.scale = 2 + k")
    updates = [m["content"] for m in notebook.rest(5) if m["msg_type"] == "update_display_data"]
    # The second run of the cell "two" replaced its first picture.
    assert [u["transient"]["display_id"] for u in updates] == [ids[0], ids[2]]
    assert all("scale 6" in u["data"]["text/plain"] for u in updates)


def test_after_close_only_the_picture_is_shown(notebook: Notebook) -> None:
    published = notebook.run("explorer = PriorExplorer(joint)\nexplorer.close()\nexplorer", "closed")
    shown = [m["content"]["data"] for m in published if m["msg_type"] == "display_data"]
    assert [set(data) for data in shown] == [
        {"text/html", "text/plain", "application/vnd.pdp-widgets.view+json"}
    ]


def test_w14_an_exception_in_a_callback_reaches_the_log_of_the_notebook(notebook: Notebook) -> None:
    notebook.run("explorer = PriorExplorer(joint)\nexplorer.observe(lambda change: 1 / 0, 'scale')")
    model_id = notebook.value("explorer.model_id")
    view = notebook.value("{k: v for k, v in explorer._view.items() if k in ('scale', 'instance', 'target')}")
    request = {**view, "origin": "page", "seq": 1, "scale": 2.0, "known": [], "show_paper": False}
    request |= {"threshold": None, "keep_sum": True, "rows": [0, 1], "columns": [2]}
    notebook.run("entries, locks = explorer._view['table']['entries'], explorer._view['table']['locks']")
    data = {
        "method": "update",
        "state": {"_request": request},
        "buffer_paths": [["_request", "entries"], ["_request", "locks"]],
    }
    raw = notebook.value("[list(entries), list(locks)]")
    message = notebook.client.session.msg("comm_msg", {"comm_id": model_id, "data": data})
    message["buffers"] = [bytes(b) for b in raw]
    notebook.client.session.send(
        notebook.client.shell_channel.socket, message, buffers=[bytes(b) for b in raw]
    )
    published = notebook.published(message["header"]["msg_id"])
    errors = [m["content"]["ename"] for m in published if m["msg_type"] == "error"]
    assert errors == ["ZeroDivisionError"]
    assert notebook.value("explorer.scale") == 2
    assert "ZeroDivisionError" in notebook.value("explorer.error")
