"""A page as a format of nbconvert: the one that `html` writes."""

from __future__ import annotations

import base64
import json
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from nbconvert.exporters import get_exporter
from traitlets.config import Config

from pdp_widgets import JointDistribution, JointTable
from pdp_widgets.publish import PageError, html
from pdp_widgets.publish.exporter import PdpPageExporter
from pdp_widgets.publish.jupyter_book import StateIsSilent
from tests.publish.notebooks import ROOT, code, markdown, notebook, png, shown

PAIR = JointDistribution([[0.4, 0.1], [0.1, 0.4]], names=["Ann", "Bob"])


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    return code("table", *shown(JointTable(PAIR)))


def saved(path: Path, *cells: dict[str, Any]) -> Path:
    """Write a notebook to a file, of a format whose cells need no names."""
    path.write_text(json.dumps({**notebook(*cells), "nbformat_minor": 4}), encoding="utf-8")
    return path


def page_of(path: Path, **options: Any) -> str:
    """Return the page that is written without nbconvert."""
    return html(path, path.with_suffix(".html"), **options).read_text(encoding="utf-8")


def test_it_is_found_by_its_name() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ((name, place),) = project["entry-points"]["nbconvert.exporters"].items()
    assert name == "pdp_page"
    assert EntryPoint(name, place, "nbconvert.exporters").load() is PdpPageExporter
    assert get_exporter(place.replace(":", ".")) is PdpPageExporter


def test_it_is_the_page_that_html_writes(tmp_path: Path, table: dict[str, Any]) -> None:
    path = saved(tmp_path / "made.ipynb", markdown("# Two *people*\n\nOf $n$ one."), table, code("1 + 1"))
    made, resources = PdpPageExporter().from_filename(str(path))
    assert made == page_of(path)
    assert resources["output_extension"] == ".html"
    assert "<script>" in made


def test_without_a_heading_it_has_the_name_of_the_file(tmp_path: Path, table: dict[str, Any]) -> None:
    path = saved(tmp_path / "two people.ipynb", table)
    made, _ = PdpPageExporter().from_filename(str(path))
    assert "<title>two people</title>" in made
    assert made == page_of(path)
    unnamed, _ = PdpPageExporter().from_notebook_node(
        nbformat.from_dict({**notebook(table), "nbformat_minor": 4})
    )
    assert "<title>Notebook</title>" in unnamed


@pytest.mark.parametrize("here", [False, True])
def test_pictures_come_from_the_folder_of_the_file(
    here: bool, tmp_path: Path, table: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path / "made.ipynb", markdown("![one](one.png)"), table)
    (tmp_path / "one.png").write_bytes(base64.b64decode(png()))
    if here:
        # nbconvert names no folder then.
        monkeypatch.chdir(tmp_path)
        path = Path(path.name)
    made, _ = PdpPageExporter().from_filename(str(path))
    assert f"data:image/png;base64,{png()}" in made
    with (
        (tmp_path / "made.ipynb").open(encoding="utf-8") as file,
        pytest.raises(PageError, match="only the file"),
    ):
        PdpPageExporter().from_file(file)


def test_another_folder_of_pictures_is_named(tmp_path: Path, table: dict[str, Any]) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "one.png").write_bytes(base64.b64decode(png()))
    path = saved(tmp_path / "notes" / "made.ipynb", markdown("![one](../pictures/one.png)"), table)
    with pytest.raises(PageError, match="outside the folder of the notebook"):
        PdpPageExporter().from_filename(str(path))
    folder = tmp_path / "pictures"
    set_so = Config({"PdpPageExporter": {"pictures_from": str(folder)}})
    made, _ = PdpPageExporter(config=set_so).from_filename(str(path))
    assert made == page_of(path, pictures_from=folder)
    nowhere = PdpPageExporter(pictures_from=str(tmp_path / "none"))
    with pytest.raises(PageError, match="none is no folder; give the one that holds the pictures"):
        nowhere.from_filename(str(path))


def test_options_of_nbconvert_count(tmp_path: Path, table: dict[str, Any]) -> None:
    path = saved(tmp_path / "made.ipynb", table, code("left_out = 1", tags=("gone",)))
    without = Config({"TagRemovePreprocessor": {"enabled": True, "remove_cell_tags": ["gone"]}})
    made, _ = PdpPageExporter(config=without).from_filename(str(path))
    assert "left_out" not in made
    assert "left_out" in page_of(path)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([markdown("# Words alone")], "shows no widget of pdp_widgets, nor a chart of it"),
        ([code("table", count=None)], "was not run: its code cells have no outputs"),
        ([markdown("![one](none.png)"), "table"], "shows the picture none.png"),
    ],
)
def test_what_html_refuses_is_refused(
    cells: list[Any], words: str, tmp_path: Path, table: dict[str, Any]
) -> None:
    path = saved(tmp_path / "made.ipynb", *(table if cell == "table" else cell for cell in cells))
    for make in (page_of, lambda path: PdpPageExporter().from_filename(str(path))):
        with pytest.raises(PageError, match=words):
            make(path)


def test_a_book_draws_nothing_for_the_state_beside_a_picture() -> None:
    state, words = "application/vnd.pdp-widgets.view+json", "text/html"
    assert StateIsSilent.handle_mime(None, SimpleNamespace(mime_type=state), False) == []
    assert StateIsSilent.handle_mime(None, SimpleNamespace(mime_type=words), False) is None
