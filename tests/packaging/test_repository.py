"""Facts that stand in several files agree, and no file tells where it was written."""

from __future__ import annotations

import json
import re
import tomllib

import environment

import pdp_widgets
from tests.packaging.conftest import ROOT

PAPERS = (
    "Impact of Prior Knowledge and Data Correlation on Privacy Leakage",
    "Dependence Makes You Vulnerable",
    "The Hidden Cost of Correlation",
    "Non-Asymptotic Bound on the Performance of k-Anonymity",
    "Online Context-aware Data Release with Sequence Information Privacy",
)


def test_the_version_is_the_same_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    lock = json.loads((ROOT / "js/package-lock.json").read_text())
    found = {
        "pdp_widgets": pdp_widgets.__version__,
        "package.json": json.loads((ROOT / "js/package.json").read_text())["version"],
        "package-lock.json": lock["version"],
        "package-lock.json, root package": lock["packages"][""]["version"],
        "CITATION.cff": re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.M)[1],
        "CHANGELOG.md": re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)[1],
    }
    assert found == dict.fromkeys(found, version)


def test_an_extra_that_names_others_needs_what_they_need():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wants, extras = environment.requirements(["test"]), project["optional-dependencies"]
    assert {*project["dependencies"], *extras["engines"], *extras["lab"]} <= set(wants)
    assert [want for want in wants if want.startswith(project["name"]) or want in extras["lite"]] == []


def test_the_five_papers_are_named_with_their_authors():
    references = (ROOT / "CITATION.cff").read_text().split("references:")[1].split("\n  - type: ")[1:]
    assert len(references) == 5
    for reference, title in zip(references, PAPERS, strict=True):
        assert title in reference
        assert reference.count("family-names:") >= 3


def test_the_license_is_in_every_place_the_same():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "BSD-3-Clause"
    assert json.loads((ROOT / "js/package.json").read_text())["license"] == "BSD-3-Clause"
    assert "license: BSD-3-Clause" in (ROOT / "CITATION.cff").read_text()
    assert (ROOT / "LICENSE").read_text().startswith("BSD 3-Clause License")


def test_no_file_holds_a_path_of_the_machine_it_was_written_on(tracked):
    homes = "|".join(("work", "root", "home", "Users"))
    path = re.compile(rf"(?<![\w.-])/(?:{homes})/[\w.-]")
    found = []
    for name in tracked():
        data = (ROOT / name).read_bytes()
        if b"\0" not in data:
            text = data.decode()
            found += [f"{name}: {text[m.start() : m.start() + 40]!r}" for m in path.finditer(text)]
    assert found == []


def test_what_is_built_is_not_in_git(tracked):
    built = re.compile(r"^(js/(lib|node_modules)|pdp_widgets/(static|labextension)|dist|\.venv)/")
    assert [name for name in tracked() if built.match(name)] == []


def test_no_line_of_typescript_is_too_long_to_read(tracked):
    files = [name for name in tracked() if name.startswith("js/src/") and name.endswith(".ts")]
    assert len(files) > 100
    long = [
        f"{name}:{number}"
        for name in files
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 160
    ]
    assert long == []
