"""One built site for all tests, and the script that builds it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

# Last, so that a script never stands in for a module of the same name.
sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

import docs


@dataclass(frozen=True)
class Site:
    """The built site, its pages read once."""

    root: Path
    pages: dict[Path, docs.Page]
    #: What the build has computed, whatever else the machine did.
    seconds: float

    def text(self, name: str) -> str:
        return (self.root / f"{name}.html").read_text(encoding="utf-8")


def time_of_children() -> float:
    """Seconds of computing by the programs that this process started and that have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Build everything, in a folder of its own; a warning is a failure."""
    root = tmp_path_factory.mktemp("site") / "html"
    begin = time_of_children()
    assert docs.build(root) == 0, "Sphinx says above what is wrong"
    return Site(root, docs.pages_of(root), time_of_children() - begin)
