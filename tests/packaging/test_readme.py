"""What the README shows runs and prints what stands below it, and what it names is there."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.packaging.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_examples_print_what_stands_below_them(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    names: dict[str, Any] = {}
    for block in blocks:
        expected = [line[2:] for line in block.splitlines() if line.startswith("# ")]
        exec(block, names)
        assert capsys.readouterr().out.splitlines() == expected


def test_every_notebook_is_listed() -> None:
    listed = re.findall(r"\(notebooks/([^)]+)\)", README)
    there = (ROOT / "notebooks").rglob("[!.]*.ipynb")
    assert sorted(listed) == sorted(path.relative_to(ROOT / "notebooks").as_posix() for path in there)
