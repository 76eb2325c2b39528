"""Environments beside the one of the tests: for packages that would show in every JupyterLab of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def python_of(place: Path) -> Path:
    """Return the Python of an environment."""
    return place / ("Scripts" if os.name == "nt" else "bin") / "python"


def beside(extra: str) -> Path:
    """Return an environment with what an extra of the project names; all else it has from here."""
    place = ROOT / "build" / extra
    python = python_of(place)
    wants = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][extra]
    stamp = place / "installed.json"
    if not stamp.exists() or json.loads(stamp.read_text()) != [wants, sys.version]:
        venv.create(place, clear=True, with_pip=False, symlinks=os.name != "nt")
        there = subprocess.check_output(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
        )
        # All else is there already.
        Path(there.strip(), "environment.pth").write_text(
            sysconfig.get_path("purelib") + "\n", encoding="utf-8"
        )
        pip = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
        subprocess.run([*pip, *wants], check=True)
        stamp.write_text(json.dumps([wants, sys.version]))
    return place
