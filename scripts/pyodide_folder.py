"""A Pyodide distribution in a folder: whether it is whole, and which kernel fits it.

The way to such a folder is the archive `pyodide-VERSION.tar.bz2` of a Pyodide release, unpacked.
"""

from __future__ import annotations

import json
from pathlib import Path

#: The line of JupyterLite and its kernel that runs on the Python of a Pyodide.
LINES = {"3.12": "0.6", "3.13": "0.7", "3.14": "0.8"}
#: What the notebooks import, and what the kernel and its installer are made of.
NEEDED = ("numpy", "scipy", "pandas", "ipython", "jedi", "micropip")


class PyodideError(RuntimeError):
    """A folder is no Pyodide that the site can use; the message says why."""


def packages(folder: Path) -> dict[str, dict[str, object]]:
    """The packages that a distribution lists."""
    return lock(folder)["packages"]  # type: ignore[return-value]


def lock(folder: Path) -> dict[str, dict[str, object]]:
    """The list of packages of a distribution; an error names what is missing in the folder."""
    for name in ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"):
        if not (folder / name).is_file():
            raise PyodideError(
                f"{folder} is no Pyodide distribution: it has no {name}. The folder 'pyodide' in the archive "
                "pyodide-VERSION.tar.bz2 of a Pyodide release is one."
            )
    held: dict[str, dict[str, object]] = json.loads((folder / "pyodide-lock.json").read_text())
    return held


def missing(folder: Path) -> list[str]:
    """The files that the notebooks need and the folder does not hold."""
    listed = packages(folder)
    wanted, seen = list(NEEDED), set[str]()
    gone: list[str] = []
    while wanted:
        name = wanted.pop().lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        if name not in listed:
            gone.append(name)
            continue
        wanted += listed[name]["depends"]  # type: ignore[arg-type]
        file = str(listed[name]["file_name"])
        if not (folder / file).is_file():
            gone.append(file)
    return sorted(gone)


def kernel_line(folder: Path) -> str:
    """Return the line of JupyterLite that fits a distribution, which must be complete."""
    python = ".".join(str(lock(folder)["info"]["python"]).split(".")[:2])
    if python not in LINES:
        raise PyodideError(
            f"{folder} runs Python {python}; there is a kernel for {', '.join(LINES)}. Take another Pyodide."
        )
    gone = missing(folder)
    if gone:
        raise PyodideError(
            f"{folder} lists packages that it does not hold: {', '.join(gone)}. Take the full archive of the "
            "Pyodide release, not its core."
        )
    return LINES[python]
