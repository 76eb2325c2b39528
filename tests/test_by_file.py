"""A test process that dies fails one test; all others run, and the run ends."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = """
from tests.by_file import ByFile

def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False
    return ByFile(config, log)
"""
TESTS = """
import os
import pytest

@pytest.mark.parametrize("number", range(3))
def test_one(number):
    if {dies} and number == {dies} - 1:
        os._exit(1)
"""
# Four tests a file: a process asks for more work when it has two left.
WHERE = """
import os
import pathlib
import time
import pytest

@pytest.mark.parametrize("number", range(4))
def test_where(number):
    time.sleep(0.02)
    with pathlib.Path(__file__).with_suffix(".txt").open("a") as file:
        file.write(f"{os.getpid()} ")
"""


def run_in_two(folder):
    """Run the tests of a folder in two processes, with this scheduler alone."""
    (folder / "conftest.py").write_text(CONFTEST)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "-c", "/dev/null", "--rootdir", ".", "."],
        cwd=folder,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(Path(__file__).resolve().parent.parent),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_PLUGINS": "xdist.plugin",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(("file", "number"), [(1, 2), (3, 3)])
def test_a_process_that_dies_fails_one_test(tmp_path, file, number):
    for k in range(4):
        (tmp_path / f"test_{k}.py").write_text(TESTS.format(dies=number if k == file else 0))
    done = run_in_two(tmp_path)
    assert done.returncode == 1
    assert f"test_{file}.py::test_one[{number - 1}]" in done.stdout
    assert "1 failed, 11 passed" in done.stdout


def test_what_is_made_for_a_folder_is_made_in_one_process(tmp_path):
    names = ["tests/site/test_a", "tests/site/test_b", "tests/lite/test_c", "tests/packaging/test_d"]
    names += ["tests/ui/test_e", "tests/ui/test_f"]
    for name in names:
        file = tmp_path / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(WHERE)
    done = run_in_two(tmp_path)
    assert "24 passed" in done.stdout
    ran_in = {name: (tmp_path / f"{name}.txt").read_text().split() for name in names}
    assert all(len(set(processes)) == 1 for processes in ran_in.values())
    together = [("tests/site/test_a", "tests/site/test_b"), ("tests/lite/test_c", "tests/packaging/test_d")]
    assert all(ran_in[a] == ran_in[b] for a, b in together)
    # Other files are shared out.
    assert len({process for processes in ran_in.values() for process in processes}) == 2
