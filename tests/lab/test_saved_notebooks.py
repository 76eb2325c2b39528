"""A notebook saved in JupyterLab, as the default settings save it, read where nothing runs any more."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Locator, expect

from pdp_widgets.publish import html as make_page
from pdp_widgets.publish.page_state import VIEW_TYPE
from tests.every_widget import CELLS, SETUP, printed
from tests.lab.conftest import Lab

VIEW = "application/vnd.jupyter.widget-view+json"
SOURCES = (SETUP, *(cell.source for cell in CELLS.values()))
SHOWN = range(1, len(SOURCES))


@dataclass(frozen=True)
class Saved:
    """The file, and the numbers a reader must find in each of its widget cells."""

    path: Path
    numbers: dict[int, list[str]]

    @property
    def notebook(self) -> dict[str, Any]:
        notebook: dict[str, Any] = json.loads(self.path.read_text())
        return notebook

    def copy_to(self, folder: Path, **metadata: Any) -> str:
        """Copy the file, with other metadata if given, and return its name."""
        notebook = self.notebook
        notebook["metadata"] |= metadata
        target = folder / "reopened.ipynb"
        if metadata:
            target.write_text(json.dumps(notebook))
        else:
            shutil.copyfile(self.path, target)
        return target.name


@pytest.fixture(scope="module")
def saved(
    at_desk: Callable[[], AbstractContextManager[Lab]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Saved]:
    """Run the cells in JupyterLab and save."""
    with at_desk() as lab:
        file = lab.write_notebook("made.ipynb", *SOURCES)
        lab.show("made.ipynb")
        lab.run_all()
        expect(lab.panel.locator(".pdp")).to_have_count(len(SHOWN))
        found = [lab.value(f"[float(v) for v in {cell.numbers}]") for cell in CELLS.values()]
        lab.save()
        kept = tmp_path_factory.mktemp("saved") / file.name
        shutil.copyfile(file, kept)
    return Saved(kept, {index: printed(numbers) for index, numbers in zip(SHOWN, found, strict=True)})


def text_of(html: str) -> str:
    """Return what a page says, without its scripts, styles, markup and attributes."""
    without = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", " ", without))


def assert_the_picture_is_seen(output: Locator, numbers: list[str]) -> None:
    """Check that the picture and the numbers are on the screen, and no apology of the notebook's."""
    # JupyterLab leaves out what is far from the screen, and moves what is on it while that comes in. The rest
    # of the numbers are folded away below the picture.
    for _ in range(100):
        output.scroll_into_view_if_needed()
        for details in output.locator("details").all():
            details.evaluate("details => { details.open = true; }")
        if numbers[0] in output.inner_text():
            break
        output.page.wait_for_timeout(100)
    drawings = output.locator("img[src^='data:image/svg+xml']")
    # A table alone is a picture too.
    expect(drawings.or_(output.locator(".pdp-static table")).first).to_be_visible()
    for drawing in drawings.all():
        expect(drawing).to_be_visible()
        assert drawing.evaluate("img => img.decode().then(() => img.naturalWidth)") > 100
    said = output.inner_text()
    missing = [number for number in numbers if number not in said]
    assert not missing, f"{missing} not in: {said}"
    for apology in ("model not found", "Loading widget", "Error:", "Traceback"):
        assert apology not in said


def test_w01_a_saved_notebook_has_the_numbers_without_widget_state(saved: Saved) -> None:
    notebook = saved.notebook
    assert "widgets" not in notebook["metadata"]
    for index in SHOWN:
        still, live = (output["data"] for output in notebook["cells"][index]["outputs"])
        assert set(live) == {VIEW}
        html = "".join(still["text/html"])
        said = text_of(html)
        assert [n for n in saved.numbers[index] if n not in said] == []
        assert "<script" not in html


def test_w05_a_reader_without_widgets_finds_plain_text_and_a_picture(saved: Saved) -> None:
    for index in SHOWN:
        still = saved.notebook["cells"][index]["outputs"][0]["data"]
        plain = "".join(still["text/plain"])
        assert re.search(r"\d\.\d{3}", plain), plain
        html = "".join(still["text/html"])
        drawings = [
            base64.b64decode(drawn).decode()
            for drawn in re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
        ]
        assert drawings or "<table" in html
        assert all(svg.startswith("<svg") for svg in drawings)
        seen = text_of(html + "".join(drawings))
        assert any(number in seen for number in saved.numbers[index])


def test_w01_reopened_with_another_kernel_pictures_and_numbers_stay(desk: Lab, saved: Saved) -> None:
    # JupyterLab takes another kernel of the language by itself: one that knows nothing of the widgets.
    dead = {"name": "long-gone", "display_name": "Long gone", "language": "python"}
    desk.show(saved.copy_to(desk.path, kernelspec=dead))
    desk.wait_until_idle()
    outputs = desk.panel.locator(".jp-CodeCell .jp-OutputArea")
    for index in SHOWN:
        assert_the_picture_is_seen(outputs.nth(index), saved.numbers[index])


def open_without_kernel(lab: Lab, name: str) -> None:
    """Open a notebook and start nothing."""
    path = f"{lab.folder}/{name}"
    none = {"shouldStart": False, "canStart": False, "autoStartDefault": False}
    lab.command("docmanager:open", {"path": path, "kernelPreference": none})
    lab.page.wait_for_function(
        """(path) => {
            const panel = window.jupyterapp.shell.currentWidget;
            // Until the context is ready the file may still replace what was changed.
            return panel?.context?.path === path && panel.context.isReady && panel.content.widgets.length > 0;
        }""",
        arg=path,
    )
    assert lab.ask("panel => panel.context.sessionContext.session") is None


def test_w01_an_untrusted_notebook_keeps_picture_and_numbers(desk: Lab, saved: Saved) -> None:
    notebook = saved.notebook
    # Nobody on this server has signed this text: JupyterLab cleans what it shows.
    notebook["cells"][0]["source"] += "\n# changed elsewhere"
    for index in SHOWN:
        for output in notebook["cells"][index]["outputs"]:
            output["metadata"] = {"from": "elsewhere"}
    (desk.path / "foreign.ipynb").write_text(json.dumps(notebook))
    open_without_kernel(desk, "foreign.ipynb")
    assert desk.panel.locator(".jp-mod-trusted").count() == 0
    outputs = desk.panel.locator(".jp-CodeCell .jp-OutputArea")
    for index in SHOWN:
        assert_the_picture_is_seen(outputs.nth(index), saved.numbers[index])


def test_w03_saved_again_without_a_kernel_nothing_is_lost(desk: Lab, saved: Saved) -> None:
    name = saved.copy_to(desk.path)
    before = saved.notebook
    for _ in range(2):
        open_without_kernel(desk, name)
        desk.ask("panel => { panel.content.widgets[0].model.sharedModel.setSource('import pdp_widgets'); }")
        # What is saved is what the document says: it hears of the change a moment later.
        desk.page.wait_for_function(
            """() => window.jupyterapp.shell.currentWidget.context.model.toJSON().cells[0].source
                .toString() === 'import pdp_widgets'"""
        )
        desk.save()
        desk.command("application:close")
        expect(desk.page.locator(".jp-NotebookPanel")).to_have_count(0)
    again = json.loads((desk.path / name).read_text())
    assert again["cells"][0]["source"] in ("import pdp_widgets", ["import pdp_widgets"])
    assert [c["outputs"] for c in again["cells"]] == [c["outputs"] for c in before["cells"]]
    open_without_kernel(desk, name)
    outputs = desk.panel.locator(".jp-CodeCell .jp-OutputArea")
    for index in SHOWN:
        assert_the_picture_is_seen(outputs.nth(index), saved.numbers[index])


def test_w01_reopened_without_a_kernel_the_style_hides_the_node_that_stands_for_a_dead_view(
    desk: Lab, saved: Saved
) -> None:
    """JupyterLab's own class names are in the style of the picture; they are not promised to stay."""
    open_without_kernel(desk, saved.copy_to(desk.path))
    for index in SHOWN:
        output = desk.panel.locator(".jp-CodeCell .jp-OutputArea").nth(index)
        assert_the_picture_is_seen(output, saved.numbers[index])
        children = output.locator("> .jp-OutputArea-child")
        expect(children).to_have_count(2)
        expect(children.nth(0).locator("figure[class*='pdps-']")).to_be_visible()
        dead = children.nth(1).locator("> .jp-OutputArea-output.lm-Panel")
        expect(dead).to_have_count(1)
        expect(dead.locator("> *")).to_have_count(0)
        expect(dead).to_be_hidden()
        # Only the style hides it: without the rule it would stand there and speak.
        dead.evaluate("node => node.style.setProperty('display', 'block', 'important')")
        # JupyterLab leaves out what is far from the screen.
        dead.scroll_into_view_if_needed()
        expect(dead).to_contain_text(re.compile(r"\S"), use_inner_text=True)


def test_w04_the_leakages_are_text_in_the_page_of_nbconvert(
    saved: Saved, tmp_path: Path, chromium: Browser
) -> None:
    """One executed by nbconvert itself is tested with the hosts."""
    # The notebook holds no state of its widgets: nbconvert says so, and takes the picture.
    with pytest.warns(UserWarning, match="is not able to be represented"):
        html, _ = HTMLExporter().from_filename(str(saved.path))
    page_file = tmp_path / "saved.html"
    page_file.write_text(html, encoding="utf-8")
    said = text_of(html)
    assert [n for index in SHOWN for n in saved.numbers[index] if n not in said] == []
    # Where the page's own scripts cannot be fetched, what is seen is the picture.
    page = chromium.new_context(viewport={"width": 1200, "height": 900}).new_page()
    page.route(re.compile(r"^https?:"), lambda route: route.abort())
    page.goto(page_file.as_uri())
    outputs = page.locator(".jp-CodeCell .jp-OutputArea")
    expect(outputs).to_have_count(len(SHOWN))
    for place, index in enumerate(SHOWN):
        assert_the_picture_is_seen(outputs.nth(place), saved.numbers[index])
    page.context.close()


def test_jupyterlab_keeps_the_state_and_a_page_can_be_made_of_it(saved: Saved, tmp_path: Path) -> None:
    for index in SHOWN:
        still = saved.notebook["cells"][index]["outputs"][0]["data"]
        assert set(still) == {"text/html", "text/plain", VIEW_TYPE}
    text = make_page(saved.path, tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.count('<div class="pdp-slot">') == len(SHOWN)
    said = text_of(text)
    assert [n for index in SHOWN for n in saved.numbers[index] if n not in said] == []


HOSTILE = "window.pdpStrange = true; export default { render() {} };"


def test_a_module_that_a_notebook_brings_runs_unless_its_state_is_taken_out(desk: Lab) -> None:
    """What docs/hosts.md says of notebooks from somebody else, with the command that it gives."""
    module = {
        **{"model_module": "anywidget", "model_module_version": "~0.11.*", "model_name": "AnyModel"},
        "state": {
            **{"_model_module": "anywidget", "_model_module_version": "~0.11.*", "_model_name": "AnyModel"},
            **{"_view_module": "anywidget", "_view_module_version": "~0.11.*", "_view_name": "AnyView"},
            **{"_esm": HOSTILE, "_anywidget_id": "strange"},
        },
    }
    state = {"version_major": 2, "version_minor": 0, "state": {"0" * 32: module}}
    widgets = {"application/vnd.jupyter.widget-state+json": state}
    strange = desk.write_notebook("strange.ipynb", "1 + 1", metadata={"widgets": widgets})
    clear = ("--to=notebook", "--ClearMetadataPreprocessor.enabled=True", "--output=clean.ipynb")
    subprocess.run([sys.executable, "-m", "nbconvert", *clear, str(strange)], check=True, capture_output=True)
    clean = strange.with_name("clean.ipynb")
    assert "widgets" not in json.loads(clean.read_text())["metadata"]
    # Without its kernel's name JupyterLab asks for one.
    content = json.loads(clean.read_text())
    content["metadata"]["kernelspec"] = json.loads(strange.read_text())["metadata"]["kernelspec"]
    clean.write_text(json.dumps(content))
    desk.show("clean.ipynb")
    desk.run_cell(0)
    assert desk.page.evaluate("window.pdpStrange") is None
    desk.show("strange.ipynb")
    # Nothing was run, and nobody was asked.
    desk.page.wait_for_function("window.pdpStrange === true")
