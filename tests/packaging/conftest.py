"""The scripts of the commands, and what they build, as a user would get it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Last, so that a script never stands in for a module of the same name.
sys.path.append(str(ROOT / "scripts"))


def build(*command: str, **options: object) -> None:
    """Run a build step; on failure show what it said."""
    done = subprocess.run(command, capture_output=True, text=True, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the sources as they are."""
    place = tmp_path_factory.mktemp("wheel")
    pip_wheel = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation")
    build(*pip_wheel, "--wheel-dir", str(place), ".", cwd=ROOT)
    (found,) = place.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def sizes_in_wheel(wheel: Path) -> dict[str, int]:
    """The size in bytes of each file of the wheel, by its name."""
    with zipfile.ZipFile(wheel) as archive:
        return {entry.filename: entry.file_size for entry in archive.infolist()}


@pytest.fixture(scope="session")
def tracked() -> Callable[..., list[str]]:
    """List the files git knows, new ones that are not ignored included, below the given paths."""

    def listed(*paths: str) -> list[str]:
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *paths]
        out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return [name for name in out.split("\0") if name and (ROOT / name).exists()]

    return listed
