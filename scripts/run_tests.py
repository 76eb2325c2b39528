"""All checks and all tests, with one line of counts at the end.

Every part runs even when another one failed, so that one run tells everything. While pytest waits for pages,
the checks and the front end's tests run beside it; what they print comes after it. The last line counts each
static check as one test: "N passed, N failed". Words after the command go to pytest alone:
`python3 scripts/run_tests.py tests/models -k lsat6` makes the environment and runs only that.

`make check` (`--check`) is the quick part: the static checks and the tests that compute, without a browser.

The examples that Hypothesis draws are the same in every run. `make fuzz` draws new ones, round by round:
`python3 scripts/run_tests.py --fuzz --minutes 60`, and `--fuzz --seed 7` repeats one round.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import environment
import frontend

#: The tests of `make check`: what is computed, and how the package is built.
QUICK = (
    "tests/models",
    "tests/mechanisms",
    "tests/leakage",
    "tests/test_amounts.py",
    "tests/test_imports.py",
    "tests/test_circles.py",
)


@dataclass
class Outcome:
    """What one part of the run came to."""

    name: str
    seconds: float
    passed: int
    failed: int
    skipped: int = 0


def call(command: list[str], folder: Path, said: list[str] | None = None) -> int:
    """Run a part in the environment and show what it prints, or gather it in ``said``."""
    kept = None if said is None else subprocess.PIPE
    error = None if said is None else subprocess.STDOUT
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment.environ(),
        stdin=subprocess.DEVNULL,
        stdout=kept,
        stderr=error,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    if said is not None:
        said.append(done.stdout)
    return done.returncode


def static_check(name: str, *command: str, folder: Path = frontend.ROOT) -> Callable[[list[str]], Outcome]:
    """A check that passes or fails as a whole."""

    def run(said: list[str]) -> Outcome:
        said.append(f"\n== {name}\n")
        begin = time.monotonic()
        bad = call(list(command), folder, said) != 0
        return Outcome(name, time.monotonic() - begin, int(not bad), int(bad))

    return run


def vitest(scratch: Path) -> Callable[[list[str]], Outcome]:
    """The tests of the front end's parts."""

    def run(said: list[str]) -> Outcome:
        said.append("\n== vitest\n")
        begin = time.monotonic()
        report = scratch / "vitest.json"
        reporters = ["--reporter=default", "--reporter=json", f"--outputFile.json={report}"]
        # With more room for what is young, node looks for garbage less often.
        command = ["node", "--max-semi-space-size=64", "node_modules/vitest/vitest.mjs", "run"]
        status = call([*command, *reporters], frontend.JS, said)
        found = json.loads(report.read_text()) if report.exists() else {}
        passed, failed = found.get("numPassedTests", 0), found.get("numFailedTests", 0)
        skipped = found.get("numPendingTests", 0) + found.get("numTodoTests", 0)
        # A file that does not load counts no test, and still is a failure.
        return Outcome("vitest", time.monotonic() - begin, passed, failed or int(status != 0), skipped)

    return run


def pytest(scratch: Path, *arguments: str) -> Outcome:
    """The tests of the library, the widgets in a browser, JupyterLab, the notebooks and the packaging."""
    environment.say("\n== pytest")
    begin = time.monotonic()
    report = scratch / "pytest.xml"
    command = [str(environment.PYTHON), "-m", "pytest", f"--junitxml={report}", "--durations=8", *arguments]
    if arguments in ((), QUICK) and (os.cpu_count() or 1) > 1:
        # Two processes, each with a browser of its own: a host gives a widget two seconds to load, and with a
        # third process some took longer.
        command += ["--numprocesses=2"]
    status = call(command, frontend.ROOT)
    passed = failed = skipped = 0
    if report.exists():
        for suite in ET.parse(report).getroot().iter("testsuite"):
            count = {key: int(suite.get(key, "0")) for key in ("tests", "failures", "errors", "skipped")}
            failed += count["failures"] + count["errors"]
            skipped += count["skipped"]
            passed += count["tests"] - count["failures"] - count["errors"] - count["skipped"]
    return Outcome("pytest", time.monotonic() - begin, passed, failed or int(status != 0), skipped)


def fuzz(arguments: list[str]) -> int:
    """Try new examples until the time is over or a test fails, and say how the failure is repeated."""
    parser = argparse.ArgumentParser(prog="run_tests.py --fuzz")
    parser.add_argument("--minutes", type=float, default=10.0, help="a round that has begun is ended")
    parser.add_argument("--seed", type=int, help="one round with this seed")
    asked = parser.parse_args(arguments)
    end = time.monotonic() + 60 * asked.minutes
    while True:
        seed = random.SystemRandom().randrange(2**32) if asked.seed is None else asked.seed
        drawn = ("-m", "pytest", "--hypothesis-profile=fuzz", f"--hypothesis-seed={seed}")
        environment.say(f"\n== new examples, seed {seed}")
        several = ("--numprocesses=2",) if (os.cpu_count() or 1) > 1 else ()
        if call([str(environment.PYTHON), *drawn, "-q", "-m", "hypothesis", *several], frontend.ROOT):
            environment.say(
                f"\nTo repeat this round: make fuzz SEED={seed}\nTo repeat one test of it, named above: "
                f".venv/bin/python {' '.join(drawn)} TEST"
            )
            return 1
        if asked.seed is not None or time.monotonic() > end:
            return 0


def summary(outcomes: list[Outcome]) -> int:
    """Print the table and the last line; the exit status."""
    environment.say("")
    for part in outcomes:
        left_out = f", {part.skipped} skipped" if part.skipped else ""
        counts = f"{part.passed:6} passed, {part.failed} failed{left_out}"
        environment.say(
            f"{'FAILED' if part.failed else 'ok':7} {part.name:20} {part.seconds:6.1f} s {counts}"
        )
    passed, failed, skipped = (
        sum(getattr(part, key) for part in outcomes) for key in ("passed", "failed", "skipped")
    )
    environment.say(f"\n{passed} passed, {failed} failed{f', {skipped} skipped' if skipped else ''}")
    return 1 if failed or not passed else 0


def main(arguments: list[str]) -> int:
    """Make the environment with a browser, run the parts, count."""
    begin = time.monotonic()
    status = environment.main(["test"])
    if status:
        return status
    python = str(environment.PYTHON)
    quick = arguments == ["--check"]
    if not quick and call([python, "scripts/chromium.py"], frontend.ROOT):
        return 1
    environment.say(f"Set-up: {time.monotonic() - begin:.0f} s.")
    if arguments[:1] == ["--fuzz"]:
        return fuzz(arguments[1:])
    with tempfile.TemporaryDirectory(prefix="pdp-test-") as folder:
        scratch = Path(folder)
        if arguments and not quick:
            return summary([pytest(scratch, *arguments)])
        said: list[str] = []
        beside = [
            static_check("ruff check", python, "-m", "ruff", "check", "."),
            static_check("ruff format", python, "-m", "ruff", "format", "--check", "."),
            static_check("mypy", python, "-m", "mypy"),
            static_check("import contract", "lint-imports", "--no-cache"),
            static_check("tsc", "npm", "run", "--silent", "check", folder=frontend.JS),
        ]
        beside += [] if quick else [vitest(scratch)]
        with ThreadPoolExecutor(1) as one_by_one:
            running = [one_by_one.submit(part, said) for part in beside]
            tests = pytest(scratch, *(QUICK if quick else ()))
            outcomes = [part.result() for part in running]
        environment.say("".join(said))
        return summary([*outcomes, tests])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
