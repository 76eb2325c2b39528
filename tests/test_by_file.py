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


@pytest.mark.parametrize(("file", "number"), [(1, 2), (3, 3)])
def test_a_process_that_dies_fails_one_test(tmp_path, file, number):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    for k in range(4):
        (tmp_path / f"test_{k}.py").write_text(TESTS.format(dies=number if k == file else 0))
    root = str(Path(__file__).resolve().parent.parent)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "-c", "/dev/null", "--rootdir", ".", "."],
        cwd=tmp_path,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": root,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_PLUGINS": "xdist.plugin",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert f"test_{file}.py::test_one[{number - 1}]" in done.stdout
    assert "1 failed, 11 passed" in done.stdout
