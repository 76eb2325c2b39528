"""The wheels that the JupyterLite site offers to its kernel: this package's, and what it needs."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import frontend
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

#: Compiled for the browser by Pyodide, or put in their place by JupyterLite's kernel; with what they need.
PROVIDED = frozenset({"numpy", "scipy", "pandas", "ipython", "ipykernel", "widgetsnbextension"})
#: What the kernel itself asks for, and Pyodide does not hold.
FOR_THE_KERNEL = ("comm",)
#: The markers of a requirement are read as in the browser.
BROWSER = {"sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix", "extra": ""}


class WheelError(RuntimeError):
    """A wheel cannot be had; the message says which."""


def project() -> dict[str, object]:
    """The table [project] of pyproject.toml."""
    table: dict[str, object] = tomllib.loads((frontend.ROOT / "pyproject.toml").read_text())["project"]
    return table


def extra(name: str) -> list[str]:
    """The requirements of an extra of pyproject.toml."""
    return list(project()["optional-dependencies"][name])  # type: ignore[index]


def closure() -> dict[str, str]:
    """All pure Python packages that pdp_widgets needs in a browser, with the versions installed here."""
    found: dict[str, str] = {}
    wanted = [*project()["dependencies"], *FOR_THE_KERNEL]  # type: ignore[misc]
    while wanted:
        need = Requirement(wanted.pop())
        name = canonicalize_name(need.name)
        if name in PROVIDED or name in found or (need.marker and not need.marker.evaluate(BROWSER)):
            continue
        there = importlib.metadata.distribution(name)
        found[name] = there.version
        wanted += there.requires or []
    return dict(sorted(found.items()))


def pip(arguments: Sequence[str | Path], what: str) -> None:
    """Run pip without its talk; what it says is a part of the error."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, arguments)]
    done = subprocess.run(command, cwd=frontend.ROOT, capture_output=True, text=True)
    if done.returncode:
        raise WheelError(f"{done.stdout}{done.stderr}\n{what} failed with exit status {done.returncode}.")


def own(folder: Path) -> Path:
    """Build the wheel of the sources as they are."""
    pip(
        ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, frontend.ROOT],
        "Building the wheel",
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def needed(folder: Path) -> list[Path]:
    """Return the wheels of `closure`, which are downloaded once."""
    wants = [f"{name}=={version}" for name, version in closure().items()]
    stamp = folder / "wheels.json"
    if not stamp.exists() or json.loads(stamp.read_text()) != wants:
        print("JupyterLite: fetching the wheels of what pdp_widgets needs.", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        # Without an ABI only wheels that run on any machine fit, and so in a browser.
        pure = ("--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none")
        pip(["download", "--quiet", "--no-deps", *pure, "--dest", folder, *wants], "Fetching the wheels")
        stamp.write_text(json.dumps(wants))
    return sorted(folder.glob("*.whl"))
