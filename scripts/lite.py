"""Builds the JupyterLite site: `make lite`, or `python scripts/lite.py [FOLDER] [--pyodide PATH]` in .venv.

The site is JupyterLab in a browser, with no server behind it: the notebooks, the widgets and this package's
wheel are files of the site in build/lite/site (or FOLDER). The Python that runs them is Pyodide. It comes
from its own network address, or out of a folder: PATH, or the variable PDP_PYODIDE. Then the site asks for
nothing that is not its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import frontend
import lite_wheels
import pyodide_folder

ROOT = frontend.ROOT
PLACE = ROOT / "build" / "lite"
SITE = PLACE / "site"
NOTEBOOKS = ROOT / "notebooks"
VARIABLE = "PDP_PYODIDE"
#: Marks a folder of unfinished work as this command's.
MARK = ".pdp-lite"

#: Extensions of JupyterLab that the widgets need, beside the package's own.
EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "anywidget", "bqplot", "bqscales")
KERNEL = "@jupyterlite/pyodide-kernel-extension"

#: The first cell of a notebook in the site: its kernel starts with nothing installed.
FIRST_CELL = """\
# This copy runs in your browser. Choose Run > Run All Cells; the first time takes about a minute.
import piplite

await piplite.install("pdp-widgets")"""

TABLES = {".csv", ".json", ".md", ".parquet", ".py", ".tsv", ".txt", ".xlsx"}
#: Files beside the notebooks that go into the site, and how large one may be, bytes: readers load them.
BESIDE = frozenset({".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"} | TABLES)
LARGEST = 5_000_000

#: What the site depends on, beside the tools and the Pyodide.
INPUTS = (
    ROOT / "pyproject.toml",
    ROOT / "pdp_widgets",
    NOTEBOOKS,
    Path(__file__),
    Path(lite_wheels.__file__),
    Path(pyodide_folder.__file__),
)


class LiteError(RuntimeError):
    """The site cannot be built; the message says what to do."""


def run(command: Sequence[str | Path], folder: Path, what: str, **environment: str) -> None:
    """Run one step in a folder, silent unless it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise LiteError(f"{done.stdout}\n{what} failed with exit status {done.returncode}.")


def tools(line: str | None) -> Path:
    """Return the folder with JupyterLite, of a line such as "0.8" or the newest that the project allows.

    It is no part of .venv: an ordinary JupyterLab would load the kernel's extension, and log an error.
    """
    place = PLACE / f"tools-{line or 'newest'}"
    wants = [f"{want},=={line}.*" if line else want for want in lite_wheels.extra("lite")]
    stamp = place / "installed.json"
    if not stamp.exists() or json.loads(stamp.read_text()) != wants:
        print("JupyterLite: installing it into build/lite.", flush=True)
        shutil.rmtree(place, ignore_errors=True)
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
        run([*pip, "--target", place, *wants], ROOT, "Installing JupyterLite")
        stamp.write_text(json.dumps(wants))
    return place


def labextensions(place: Path) -> list[Path]:
    """Return the folders of the extensions that the site loads, the package's own first."""
    installed = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
    found = [frontend.LABEXTENSION, *(installed / name for name in EXTENSIONS)]
    found.append(place / "share" / "jupyter" / "labextensions" / KERNEL)
    missing = [folder for folder in found if not (folder / "package.json").exists()]
    if missing:
        raise LiteError(f"No JupyterLab extension in {missing[0]}. Make the environment first: make lite")
    return found


def write_notebooks(folder: Path) -> None:
    """Copy the notebooks as saved, behind a cell that installs the package, and the files beside them."""
    folder.mkdir(parents=True)
    for source in notebooks_in(NOTEBOOKS):
        notebook = json.loads(source.read_text(encoding="utf-8"))
        first = {
            "cell_type": "code",
            "execution_count": None,
            "id": "install-package",
            "metadata": {},
            "outputs": [],
            "source": FIRST_CELL,
        }
        notebook["cells"].insert(0, first)
        # Named as the browser's kernel is: else JupyterLab would ask which one to take.
        notebook["metadata"]["kernelspec"] = {
            "display_name": "Python (Pyodide)",
            "language": "python",
            "name": "python",
        }
        copy = folder / source.relative_to(NOTEBOOKS)
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
    for source, reason in beside(NOTEBOOKS):
        place = source.relative_to(NOTEBOOKS)
        if reason:
            print(f"JupyterLite: {NOTEBOOKS.name}/{place.as_posix()} is left out: {reason}.", flush=True)
            continue
        (folder / place.parent).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / place)


def notebooks_in(folder: Path) -> list[Path]:
    """Return the notebooks of a folder and of those in it, without the copies that Jupyter hides."""
    found = sorted(folder.rglob("*.ipynb"))
    return [
        path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def beside(notebooks: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files that lie beside the notebooks, each with the reason why the site leaves it out, if any.

    What is hidden, and the notebooks themselves, are passed over.
    """
    for file in sorted(notebooks.rglob("*")):
        parts = file.relative_to(notebooks).parts
        if not file.is_file() or any(part.startswith(".") or part == "__pycache__" for part in parts):
            continue
        if file.suffix == ".ipynb":
            continue
        # A link could lead to what was not meant for everyone.
        if not file.resolve().is_relative_to(notebooks.resolve()):
            yield file, "it leads out of the folder"
        elif file.suffix.lower() not in BESIDE:
            yield file, f"only {', '.join(sorted(BESIDE))} are copied"
        elif file.stat().st_size > LARGEST:
            yield file, f"it is larger than {LARGEST / 1e6:g} MB"
        else:
            yield file, ""


def write_settings(work: Path, place: Path, wheels: Sequence[Path], pyodide: Path | None) -> None:
    """Write the files that JupyterLite's builder reads."""
    # Newer Pyodides would hand the page's null on as an object of its own instead of None.
    kernel: dict[str, object] = {"loadPyodideOptions": {"convertNullToNone": True}}
    if pyodide is not None:
        kernel["disablePyPIFallback"] = True
    site = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "pdp_widgets",
            "litePluginSettings": {f"{KERNEL}:kernel": kernel},
        },
    }
    # JupyterLab would ask whether to fetch news.
    overrides = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
    build = {
        "LiteBuildConfig": {
            "apps": ["lab"],
            "contents": [str(work / "files")],
            # The builder's own list leaves out all that lies below a folder "build".
            "ignore_contents": [r"/\.ipynb_checkpoints"],
            "federated_extensions": [str(folder) for folder in labextensions(place)],
            "ignore_sys_prefix": ["federated_extensions"],
            "no_sourcemaps": True,
        },
        "PipliteAddon": {"piplite_urls": [str(wheel) for wheel in wheels]},
    }
    for name, content in (
        ("jupyter-lite.json", site),
        ("overrides.json", overrides),
        ("jupyter_lite_config.json", build),
    ):
        (work / name).write_text(json.dumps(content, indent=1))
    if pyodide is not None:
        target = work / "static" / "pyodide"
        target.parent.mkdir()
        try:
            target.symlink_to(pyodide, target_is_directory=True)
        except OSError:  # Windows lets only some users make links.
            shutil.copytree(pyodide, target)


def state(pyodide: Path | None) -> dict[str, object]:
    """What a built site was built of."""
    held = [] if pyodide is None else [(p.name, p.stat().st_size) for p in frontend.files_of([pyodide])]
    return {
        "sources": frontend.digest(p for p in frontend.files_of(INPUTS) if "__pycache__" not in p.parts),
        "products": frontend.digest([frontend.STATIC, frontend.LABEXTENSION]),
        "python": sys.version,
        "pyodide": json.loads(json.dumps(held)),
    }


def build(site: Path = SITE, pyodide: Path | None = None) -> bool:
    """Build the site unless it is up to date; return whether anything was built."""
    line = None if pyodide is None else pyodide_folder.kernel_line(pyodide)
    frontend.build()
    # Beside the site: what is in the site is for everyone to see.
    stamp = site.with_name(f"{site.name}-built.json")
    current = state(pyodide)
    if stamp.exists() and (site / "index.html").exists() and json.loads(stamp.read_text()) == current:
        return False
    work = site.with_name(f"{site.name}-work")
    mark = work / MARK
    for folder, ours in ((site, stamp), (work, mark)):
        if folder.exists() and not ours.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            raise LiteError(
                f"{folder} is there and was not built by this command; nothing was changed. Name another "
                "folder, or remove this one."
            )
    place = tools(line)
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(site, ignore_errors=True)
    # A build that is broken off is no site, and still this command's.
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text("{}")
    work.mkdir()
    mark.touch()
    write_notebooks(work / "files")
    wheels = [lite_wheels.own(work / "wheel"), *lite_wheels.needed(PLACE / "wheels")]
    write_settings(work, place, wheels, pyodide)
    command = (sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", work, "--output-dir", site)
    # JupyterLite 0.6 looks for its settings in the current folder alone.
    run(command, work, "Building the site", PYTHONPATH=str(place))
    shutil.rmtree(work)
    stamp.write_text(json.dumps(current))
    return True


def main(arguments: list[str]) -> int:
    """Build, say how long it took, and how to look at the site."""
    words = list(arguments)
    path = os.environ.get(VARIABLE, "")
    if "--pyodide" in words[:-1]:
        at = words.index("--pyodide")
        path = words[at + 1]
        del words[at : at + 2]
    if len(words) > 1 or any(word.startswith("-") for word in words):
        print(__doc__, file=sys.stderr)
        return 2
    site = Path(words[0]).resolve() if words else SITE
    begin = time.monotonic()
    try:
        build(site, Path(path).resolve() if path else None)
    except (LiteError, lite_wheels.WheelError, pyodide_folder.PyodideError, frontend.BuildError) as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    print(f"JupyterLite: {site} ({time.monotonic() - begin:.0f} s).")
    if path:
        print(f"Its kernel is in the site, copied from {path}; it asks nothing of the network.")
    else:
        print("Its kernel comes over the network, from Pyodide's address (cdn.jsdelivr.net).")
        print("With a Pyodide in a folder it is part of the site: make lite PYODIDE=FOLDER")
    print(f"To look at it: {sys.executable} -m http.server --bind 127.0.0.1 --directory {site}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
