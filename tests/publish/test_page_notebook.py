"""From a notebook that Jupyter ran and saved to its page, without running it again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from pdp_widgets.publish.page_state import VIEW_TYPE
from tests.publish.notebooks import ROOT, WIDGET_VIEW

RUNS = 50
CELLS = (
    "from pdp_widgets import JointDistribution, JointTable\n"
    "joint = JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=['Ann', 'Bob'])",
    "table = JointTable(joint)\ntable",
    "table.set_cell({'Ann': 0, 'Bob': 0}, 0.3)\ntable._picture.refresh()",
)


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    """Run a notebook, one of its cells 50 times; return the file, and its size after each."""
    path = tmp_path_factory.mktemp("executed") / "table.ipynb"
    content = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell("# Ann and Bob"), *map(nbformat.v4.new_code_cell, CELLS)]
    )
    client = NotebookClient(content, timeout=60, store_widget_state=False)
    paths = os.pathsep.join(part for part in (os.environ.get("PYTHONPATH", ""), str(ROOT)) if part)
    sizes = []
    with client.setup_kernel(env={**os.environ, "PYTHONPATH": paths}):
        client.execute_cell(content.cells[1], 1)
        for _ in range(RUNS):
            client.execute_cell(content.cells[2], 2)
            nbformat.write(content, path)
            sizes.append(path.stat().st_size)
        client.execute_cell(content.cells[3], 3)
        nbformat.write(content, path)
    return path, sizes


def test_w06_fifty_runs_leave_the_file_as_large_as_one(executed):
    path, sizes = executed
    # The number of the run gets a digit more.
    assert sizes[-1] - sizes[0] <= 4
    still, live = nbformat.read(path, as_version=4).cells[2].outputs
    assert set(still.data) == {"text/html", "text/plain", VIEW_TYPE}
    assert set(live.data) == {WIDGET_VIEW}
    assert len(str(still.data[VIEW_TYPE])) < 2_000


def test_the_file_is_valid_and_the_state_in_it_follows_the_last_change(executed):
    content = nbformat.read(executed[0], as_version=4)
    nbformat.validate(content)
    state = content.cells[2].outputs[0].data[VIEW_TYPE]
    assert "0.300" in re.sub(r"<[^>]*>", " ", content.cells[2].outputs[0].data["text/html"])
    entries = state["traits"]["_view"]["table"]["entries"]["base64"]
    assert entries != state["traits"]["_view"]["table"]["loaded"]["base64"]


def test_the_command_makes_a_page_of_it(executed, tmp_path):
    page = tmp_path / "page.html"
    command = [sys.executable, "-W", "error", "-m", "pdp_widgets.publish", str(executed[0]), "-o", str(page)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(rf"{re.escape(str(page))}: \d+ kB, 1 widget\n", done.stdout)
    text = page.read_text(encoding="utf-8")
    assert "<title>Ann and Bob</title>" in text
    assert WIDGET_VIEW not in text
    again = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert again.returncode == 1
    assert "nothing was written. Give --overwrite" in again.stderr
