"""What is in the wheel and in the source archive, and whether JupyterLab takes it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT, build

KB = 1000
# An explorer says what its leakage means, which takes 9 kB: best tests, profiles, guesses, their charts. Its
# graph shows chances or delta in the place of leakages, which takes 2 kB.
WIDGET_LIMIT, EXPLORER_LIMIT = 60 * KB, 134 * KB
LABEXTENSION = "share/jupyter/labextensions/pdp-widgets"
ENTRIES = sorted(path.stem for path in (ROOT / "js" / "src" / "widgets").glob("*.ts"))
# Widgets with parts side by side, which may be larger.
EXPLORERS = {entry for entry in ENTRIES if entry.endswith("_explorer")} | {"stream_simulator"}
ANSWERED = [e for e in ENTRIES if (ROOT / "js" / "src" / "page" / f"{e.replace('_', '-')}.ts").exists()]


def test_there_are_widgets_to_measure():
    assert {"joint_table", "whg_graph", "prior_explorer"} <= set(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES)
def test_w07_each_module_with_its_styles_stays_under_its_budget(entry, sizes_in_wheel):
    limit = EXPLORER_LIMIT if entry in EXPLORERS else WIDGET_LIMIT
    assert sizes_in_wheel[f"pdp_widgets/static/{entry}.js"] < limit


@pytest.mark.parametrize("entry", ANSWERED)
def test_the_script_of_a_page_leaves_room_for_a_notebook(entry, wheel):
    # Plain text under a hash, never packed: one explorer, its parts, and what answers for Python. What a
    # leakage means is one part of them, the same in all: 27 kB; measures of all adversaries take 4 kB more.
    with zipfile.ZipFile(wheel) as archive:
        built = json.loads(archive.read("pdp_widgets/static/page.json"))
    parts = {*built["needs"][entry], *built["needs"]["entry"]}
    assert sum(len(built["parts"][part].encode()) for part in parts) < 380 * KB


def test_the_wheel_holds_the_package_and_one_module_per_widget_and_nothing_else(sizes_in_wheel, tracked):
    python = {name for name in tracked("pdp_widgets") if "__pycache__" not in name}
    shared = {"pdp_widgets/static/page.json", "pdp_widgets/static/still.js"}
    modules = {f"pdp_widgets/static/{entry}.js" for entry in ENTRIES} | shared
    inside = {name for name in sizes_in_wheel if name.startswith("pdp_widgets/")}
    assert inside == python | modules
    assert {"pdp_widgets/py.typed", "pdp_widgets/data/lsat6.csv"} <= inside
    others = {name.split("/")[0] for name in sizes_in_wheel.keys() - inside}
    assert others == {"pdp_widgets-0.1.0.data", "pdp_widgets-0.1.0.dist-info"}


def test_the_script_that_draws_without_a_browser_stays_under_its_budget(sizes_in_wheel):
    # It is in no notebook and no page: only Python reads it.
    assert sizes_in_wheel["pdp_widgets/static/still.js"] < 1120 * KB


def test_the_jupyterlab_extension_is_there_exactly_once(sizes_in_wheel):
    found = [name for name in sizes_in_wheel if "labextension" in name]
    assert all(f".data/data/{LABEXTENSION}/" in name for name in found)
    assert sum(name.endswith("/package.json") for name in found) == 1
    assert sum("/static/remoteEntry." in name for name in found) == 1
    assert sum(name.endswith("/install.json") for name in found) == 1


def test_the_modules_are_minified(wheel):
    with zipfile.ZipFile(wheel) as archive:
        for entry in ENTRIES:
            text = archive.read(f"pdp_widgets/static/{entry}.js").decode()
            lines = text.count("\n") + 1
            assert len(text) / lines > 1000, f"{entry}.js has {lines} lines"
            assert "sourceMappingURL" not in text


def test_an_installed_wheel_is_listed_by_jupyterlab(wheel, tmp_path):
    # --ignore-installed: else pip would remove the package from the environment the tests run in.
    install = (sys.executable, "-m", "pip", "install", "--no-deps", "--ignore-installed")
    build(*install, f"--prefix={tmp_path}", str(wheel))
    assert (tmp_path / LABEXTENSION / "package.json").exists()
    # Only what the wheel brought may answer: the environment's own extensions are out of sight.
    env = os.environ | {
        "JUPYTER_PATH": str(tmp_path / "share" / "jupyter"),
        "JUPYTER_DATA_DIR": str(tmp_path / "none"),
        "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
    }
    command = [sys.executable, "-m", "jupyter", "labextension", "list"]
    listing = subprocess.run(command, env=env, capture_output=True, text=True)
    said = listing.stdout + listing.stderr
    ours = said.split(str(tmp_path / "share" / "jupyter" / "labextensions"))[1]
    line = next(line for line in ours.splitlines() if "pdp-widgets" in line)
    assert "v0.1.0" in line, said
    assert "enabled" in line, said
    assert "OK" in line, said


def test_the_source_archive_needs_no_node(tmp_path):
    build(
        sys.executable,
        "-m",
        "build",
        "--sdist",
        "--no-isolation",
        "--skip-dependency-check",
        "--outdir",
        str(tmp_path),
        ".",
        cwd=ROOT,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    bare = tmp_path / "bin"
    bare.mkdir()
    assert shutil.which("node", path=str(bare)) is None
    command = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation")
    build(
        *command,
        "--wheel-dir",
        str(tmp_path),
        str(archive),
        cwd=tmp_path,
        env=os.environ | {"PATH": str(bare)},
    )
    (rebuilt,) = tmp_path.glob("*.whl")
    package = {name: data for name, data in contents(rebuilt).items() if name.startswith("pdp_widgets/")}
    assert {f"pdp_widgets/static/{entry}.js" for entry in ENTRIES} <= package.keys()
    with tarfile.open(archive) as sources:
        top = archive.name.removesuffix(".tar.gz")
        for name, data in package.items():
            file = sources.extractfile(f"{top}/{name}")
            assert file is not None
            assert file.read() == data, name
    extension = [name for name in contents(rebuilt) if f"{LABEXTENSION}/static/remoteEntry." in name]
    assert len(extension) == 1


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
