"""The commands of the README do what it says."""

from __future__ import annotations

import re
import shutil
import subprocess

import chromium
import pytest
import run_tests
from hypothesis import settings
from run_tests import Outcome

from tests import browser
from tests.packaging.conftest import ROOT

README = (ROOT / "README.md").read_text()
GUIDE = (ROOT / "CONTRIBUTING.md").read_text()


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_every_make_command_that_is_named_exists():
    targets = set(re.findall(r"`make ([a-z]+)", README + GUIDE))
    assert {"lab", "test", "fuzz", "bench", "build", "clean"} <= targets
    for target in sorted(targets):
        done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip(), f"make {target} does nothing"


def test_every_path_that_is_named_exists():
    linked = re.findall(r"\]\((?!https?:)([^)#]+)\)", README + GUIDE)
    in_code = re.findall(
        r"`((?:pdp_widgets|js|tests|scripts|notebooks|benchmarks)/[\w./-]+)`", README + GUIDE
    )
    # Capitals stand for a name of the reader's choice, and static/ is made by the build.
    named = [name for name in linked + in_code if "NAME" not in name]
    assert len(named) > 8
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_numbers_of_the_readme_are_true():
    import pdp_widgets as pdp

    joint = pdp.lsat6()
    analysis = pdp.PriorAnalysis(joint, pdp.LaplaceMechanism(pdp.LinearQuery.sum(joint), scale=1))
    assert f"promise is {analysis.promise:.3f} nats" in README
    assert f"**{float(analysis.largest):.3f} nats**" in README
    assert f"{analysis.above_promise} of the {analysis.exact.size}" in README


def test_make_lab_check_starts_asks_and_stops_jupyterlab():
    done = subprocess.run(["make", "lab", "CHECK=1"], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    for line in (
        "the notebook 01-prior-knowledge.ipynb",
        "the extension pdp-widgets",
        "the extension's script",
    ):
        assert f"  ok  {line}" in done.stdout
    assert "started, answered and stopped" in done.stdout


def test_ci_runs_the_test_command_of_the_readme():
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o100
    assert "make test" in script.read_text()
    assert shutil.which("bash")
    assert subprocess.run(["bash", "-n", str(script)]).returncode == 0


def test_new_examples_are_drawn_until_one_fails_which_can_be_repeated(monkeypatch, capsys):
    """Rounds differ in their seed; the default run draws the same examples in every place."""
    rounds = []
    monkeypatch.setattr(run_tests, "call", lambda command, folder: rounds.append(command) or len(rounds) == 3)
    assert run_tests.fuzz(["--minutes", "60"]) == 1
    seeds = {part for command in rounds for part in command if part.startswith("--hypothesis-seed=")}
    assert len(seeds) == len(rounds) == 3
    last = next(part for part in rounds[-1] if part.startswith("--hypothesis-seed="))
    said = capsys.readouterr().out
    assert f"make fuzz SEED={last.partition('=')[2]}\n" in said
    assert run_tests.fuzz(["--seed", "7"]) == 0
    assert "--hypothesis-seed=7" in rounds[-1]
    assert settings.default.derandomize


def test_the_last_line_counts_every_part(capsys):
    outcomes = [Outcome("mypy", 1.0, 1, 0), Outcome("vitest", 2.0, 40, 0), Outcome("pytest", 3.0, 500, 0)]
    assert run_tests.summary(outcomes) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "541 passed, 0 failed"


@pytest.mark.parametrize(
    ("outcomes", "last"),
    [
        ([Outcome("mypy", 1.0, 0, 1), Outcome("pytest", 3.0, 500, 0)], "500 passed, 1 failed"),
        ([Outcome("pytest", 3.0, 0, 0)], "0 passed, 0 failed"),
        ([Outcome("pytest", 3.0, 4, 2, 1)], "4 passed, 2 failed, 1 skipped"),
    ],
)
def test_a_failure_and_an_empty_run_are_failures(outcomes, last, capsys):
    assert run_tests.summary(outcomes) == 1
    assert capsys.readouterr().out.splitlines()[-1] == last


def test_without_any_browser_the_command_fails_and_says_what_to_install(monkeypatch, capfd):
    monkeypatch.setattr(chromium, "version", lambda: None)
    monkeypatch.setattr(chromium, "from_debian", lambda: False)
    monkeypatch.setattr(chromium, "from_playwright", lambda: False)
    assert chromium.main() == 1
    assert "apt install chromium-headless-shell" in capfd.readouterr().err


def test_a_browser_that_is_named_but_missing_is_an_error(monkeypatch):
    monkeypatch.setenv("PDP_CHROMIUM", "no-such-browser")
    with pytest.raises(browser.NoBrowserError, match="no-such-browser"):
        browser.on_path()
