"""What is in the JupyterLite site, and what a browser shows of it before any kernel runs."""

from __future__ import annotations

import hashlib
import json

import lite
import lite_wheels
import pyodide_folder
import pytest
from playwright.sync_api import expect

import pdp_widgets
from tests.lite.conftest import ROOT

NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
FIRST = NOTEBOOKS[0]
FOLDERS = ["course", "reproduce"]
WITHIN = sorted(
    f"{folder}/{path.name}" for folder in FOLDERS for path in (ROOT / "notebooks" / folder).glob("*.ipynb")
)


def settings_of(site):
    return json.loads((site / "jupyter-lite.json").read_text())["jupyter-config-data"]


def test_every_notebook_is_listed(site):
    listing = json.loads((site / "api/contents/all.json").read_text())
    assert sorted(entry["name"] for entry in listing["content"]) == [*NOTEBOOKS, *FOLDERS]
    assert FIRST == "01-prior-knowledge.ipynb"


@pytest.mark.parametrize("name", [*NOTEBOOKS, *WITHIN])
def test_a_notebook_is_as_saved_behind_the_cell_that_installs_the_package(site, name):
    copy = json.loads((site / "files" / name).read_text(encoding="utf-8"))
    saved = json.loads((ROOT / "notebooks" / name).read_text(encoding="utf-8"))
    assert 'piplite.install("pdp-widgets")' in copy["cells"][0]["source"]
    assert copy["cells"][1:] == saved["cells"]


def test_files_beside_the_notebooks_go_along_and_what_is_left_out_is_named(tmp_path, monkeypatch, capsys):
    notebooks = tmp_path / "notebooks"
    (notebooks / "data").mkdir(parents=True)
    (notebooks / ".ipynb_checkpoints").mkdir()
    saved = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    for name in ("own.ipynb", ".ipynb_checkpoints/own-checkpoint.ipynb"):
        (notebooks / name).write_text(json.dumps(saved))
    for name in ("survey.csv", "data/Picture.PNG", "script.sh", ".secret.csv", "large.csv"):
        (notebooks / name).write_bytes(b"a,b\n1,2\n")
    monkeypatch.setattr(lite, "LARGEST", 100)
    (notebooks / "large.csv").write_bytes(b"1" * 101)
    (tmp_path / "private.csv").write_text("mine")
    (notebooks / "link.csv").symlink_to(tmp_path / "private.csv")
    monkeypatch.setattr(lite, "NOTEBOOKS", notebooks)
    lite.write_notebooks(tmp_path / "files")
    copied = {path.relative_to(tmp_path / "files").as_posix() for path in (tmp_path / "files").rglob("*.*")}
    assert copied == {"own.ipynb", "survey.csv", "data/Picture.PNG"}
    assert (tmp_path / "files/survey.csv").read_bytes() == b"a,b\n1,2\n"
    said = capsys.readouterr().out.splitlines()
    assert [line.split(" is left out: ")[0].removeprefix("JupyterLite: ") for line in said] == [
        "notebooks/large.csv",
        "notebooks/link.csv",
        "notebooks/script.sh",
    ]
    assert "leads out of the folder" in said[1]


@pytest.mark.parametrize(("pyodide", "said"), [((), "over the network"), (("--pyodide", "."), "in the site")])
def test_the_build_says_where_the_kernel_comes_from(tmp_path, monkeypatch, capsys, pyodide, said):
    monkeypatch.delenv(lite.VARIABLE, raising=False)
    monkeypatch.setattr(lite, "build", lambda *_: True)
    assert lite.main([str(tmp_path / "site"), *pyodide]) == 0
    assert f"Its kernel {'comes ' if not pyodide else 'is '}{said}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["pdp-widgets", "anywidget", "@jupyter-widgets/jupyterlab-manager", lite.KERNEL]
)
def test_an_extension_is_loaded_with_the_page(site, name):
    entries = [e for e in settings_of(site)["federated_extensions"] if e["name"] == name]
    assert len(entries) == 1
    assert (site / "extensions" / name / entries[0]["load"]).is_file()


def test_the_kernel_finds_the_wheel_of_these_sources_and_all_it_needs(site):
    index = json.loads((site / "pypi/all.json").read_text())
    (release,) = index["pdp-widgets"]["releases"].items()
    version, (wheel,) = release
    assert version == pdp_widgets.__version__
    data = (site / "pypi" / wheel["url"]).read_bytes()
    assert hashlib.sha256(data).hexdigest() == wheel["digests"]["sha256"]
    assert {"ipywidgets", "anywidget", "networkx", "bqplot", "traittypes", "comm"} <= index.keys()
    assert index.keys() - {"pdp-widgets"} == lite_wheels.closure().keys()
    urls = settings_of(site)["litePluginSettings"][f"{lite.KERNEL}:kernel"]["pipliteUrls"]
    assert urls[0].startswith("./pypi/all.json")


def test_what_a_site_is_built_of_tells_of_every_change(tmp_path, monkeypatch):
    monkeypatch.setattr(lite.frontend, "ROOT", tmp_path)
    source = tmp_path / "pdp_widgets" / "cell.py"
    source.parent.mkdir()
    monkeypatch.setattr(lite, "INPUTS", (source.parent,))
    monkeypatch.setattr(lite.frontend, "STATIC", tmp_path / "static")
    monkeypatch.setattr(lite.frontend, "LABEXTENSION", tmp_path / "labextension")
    seen = []
    for text in ("a = 1", "a = 2"):
        source.write_text(text)
        seen.append(lite.state(None))
        assert lite.state(None) == seen[-1]
    pyodide = tmp_path / "pyodide"
    pyodide.mkdir()
    (pyodide / "pyodide.mjs").write_text("")
    seen.append(lite.state(pyodide))
    assert seen[0] != seen[1] != seen[2]


def test_a_site_is_built_when_something_has_changed_and_only_then(tmp_path, monkeypatch):
    class Built(Exception):
        """The build went on."""

    def go_on(_line):
        raise Built

    state = {"sources": "a"}
    monkeypatch.setattr(lite.frontend, "build", lambda: False)
    monkeypatch.setattr(lite, "state", lambda _pyodide: state)
    monkeypatch.setattr(lite, "tools", go_on)
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("")
    (tmp_path / "site-built.json").write_text(json.dumps(state))
    assert lite.build(site) is False
    state = {"sources": "b"}
    with pytest.raises(Built):
        lite.build(site)


def test_the_page_opens_without_any_other_host(visit):
    visit.open()
    for name in NOTEBOOKS:
        expect(visit.page.locator(f".jp-DirListing-item[title^='Name: {name}']")).to_be_visible()
    expect(visit.page.locator(".jp-LauncherCard", has_text="Privacy under correlation")).to_be_visible()
    assert visit.elsewhere == []
    assert visit.errors == []


def test_a_notebook_shows_its_picture_with_the_numbers_before_any_kernel_runs(visit):
    visit.open(FIRST)
    picture = visit.notebook.locator(".pdp-static").first
    expect(picture).to_be_visible()
    expect(picture).to_contain_text("Exact worst: 1.493, item 1")
    expect(picture.get_by_role("img", name="Leakage of all 80 adversaries")).to_be_visible()
    expect(picture.get_by_role("row", name="item 1 0.924")).to_have_count(1)
    expect(visit.notebook.locator(".pdp")).to_have_count(0)
    # The kernel starts with the notebook, and is the one thing that is elsewhere.
    visit.page.wait_for_timeout(1000)
    assert all("/pyodide/" in url for url in visit.elsewhere), visit.elsewhere
    assert all("pyodide" in error or "ERR_FAILED" in error for error in visit.errors), visit.errors


def made_up_pyodide(folder, python, packages, without=()):
    """Write a folder that looks like a Pyodide distribution."""
    listed = {
        name: {"file_name": f"{name}.whl", "depends": list(depends), "sha256": ""}
        for name, depends in packages.items()
    }
    for name in ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip", *(f"{p}.whl" for p in packages)):
        if name not in without:
            (folder / name).write_text("")
    (folder / "pyodide-lock.json").write_text(json.dumps({"info": {"python": python}, "packages": listed}))
    return folder


WHOLE = dict.fromkeys(pyodide_folder.NEEDED, ()) | {"pandas": ("numpy", "six"), "six": ()}


def test_the_kernel_is_chosen_by_the_python_of_the_pyodide(tmp_path):
    assert pyodide_folder.kernel_line(made_up_pyodide(tmp_path, "3.12.7", WHOLE)) == "0.6"
    assert pyodide_folder.kernel_line(made_up_pyodide(tmp_path, "3.14.2", WHOLE)) == "0.8"


@pytest.mark.parametrize(
    ("python", "without", "said"),
    [
        ("3.12.7", ("pyodide.mjs",), "has no pyodide.mjs"),
        ("3.12.7", ("six.whl",), "does not hold: six.whl"),
        ("3.9.1", (), "runs Python 3.9; there is a kernel for 3.12, 3.13, 3.14"),
    ],
)
def test_a_folder_that_will_not_do_is_refused_with_its_reason(
    tmp_path, monkeypatch, capsys, python, without, said
):
    made_up_pyodide(tmp_path, python, WHOLE, without)
    assert lite.main([str(tmp_path / "site"), "--pyodide", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert str(tmp_path) in error
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("name", ["site", "site-work"])
def test_a_folder_of_somebody_elses_is_left_alone(tmp_path, monkeypatch, capsys, name):
    monkeypatch.setattr(lite.frontend, "build", lambda: False)
    kept = tmp_path / name / "thesis.txt"
    kept.parent.mkdir()
    kept.write_text("years")
    assert lite.main([str(tmp_path / "site")]) == 1
    assert f"{kept.parent} is there and was not built by this command" in capsys.readouterr().err
    assert kept.read_text() == "years"


def test_a_build_that_was_broken_off_is_begun_again(tmp_path, monkeypatch):
    monkeypatch.setattr(lite.frontend, "build", lambda: False)
    monkeypatch.setattr(lite, "tools", lambda _line: tmp_path)

    def broken_off(*_, **__):
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "half.html").write_text("")
        raise lite.LiteError("broken off")

    monkeypatch.setattr(lite, "write_notebooks", broken_off)
    for _ in range(2):
        with pytest.raises(lite.LiteError, match=r"^broken off$"):
            lite.build(tmp_path / "site")


def test_an_unknown_word_is_refused(capsys):
    assert lite.main(["--fast"]) == 2
    assert "--pyodide PATH" in capsys.readouterr().err
