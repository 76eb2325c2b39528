"""What was saved before the house was rebuilt: two notebooks and a page, which must open, show and answer.

``python -m tests.golden.saved`` saves them with the package as it is. They are old on purpose: write them
anew only when a saved state of old is no longer to be read.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path

from pdp_widgets.publish.page import html
from tests.every_widget import CELLS, SETUP, setup
from tests.hosts.conftest import notebook_of, run
from tests.publish.notebooks import code, notebook, shown

FOLDER = Path(__file__).parent / "saved"
#: Outputs of all widgets; the page of that; one explorer, saved by Jupyter with the state of its model.
ALL, PAGE, ONE = "all.ipynb", "all.html", "one.ipynb"


def unpacked(name: str, folder: Path) -> Path:
    """Write a saved file into a folder, and return where."""
    path = folder / name
    path.write_bytes(gzip.decompress((FOLDER / f"{name}.gz").read_bytes()))
    return path


def main() -> None:
    """Save them anew."""
    with tempfile.TemporaryDirectory() as place:
        folder, names = Path(place), setup()
        cells = (code(cell.source, *shown(eval(cell.source, names))) for cell in CELLS.values())
        (folder / ALL).write_text(json.dumps(notebook(code(SETUP), *cells)))
        html(folder / ALL, folder / PAGE)
        (folder / ONE).write_text(json.dumps(notebook_of(SETUP, CELLS["prior_explorer"].source)))
        run(folder, "nbconvert", "--to=notebook", "--execute", "--inplace", ONE)
        for name in (ALL, PAGE, ONE):
            # Without the time of day in its head.
            (FOLDER / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes(), mtime=0))


if __name__ == "__main__":
    main()
