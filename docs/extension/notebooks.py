"""One page for each notebook, from the outputs that are saved in it: nothing is executed here."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from extension.embedding import PICTURE, from_saved, picture_address, size_of
from extension.files import write_folder
from pdp_widgets.publish.notebook_body import NEEDS_KERNEL

__all__ = ["page_of", "setup"]

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
_VIEW = "application/vnd.jupyter.widget-view+json"
# Longer than any fence inside a cell.
_FENCE = "`" * 9
# Pages of notebooks lie in one folder, the notebooks themselves in several.
_TO_NOTEBOOK = re.compile(r"\]\((?:[\w.-]+/)*([\w-]+)\.ipynb\)")


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def _block(kind: str, text: str) -> str:
    return f"{_FENCE}{kind}\n{text.rstrip()}\n{_FENCE}\n"


def _outputs(outputs: list[dict[str, Any]]) -> list[str]:
    """Return the blocks of one cell's outputs: pictures and tables before plain text."""
    blocks, pictured = [], False
    for output in outputs:
        data = output.get("data", {})
        if output["output_type"] == "stream":
            if blocks and blocks[-1].startswith(f"{_FENCE}{{code-block}} text"):
                # Lines printed one after the other belong together.
                blocks[-1] = blocks[-1].removesuffix(f"{_FENCE}\n")
                blocks[-1] += f"{_joined(output['text']).rstrip()}\n{_FENCE}\n"
            else:
                blocks.append(_block("{code-block} text\n:class: output\n", _joined(output["text"])))
        elif output["output_type"] == "error":
            raise ValueError(f"a cell ends in {output['ename']}: {output['evalue']}")
        elif "text/html" in data:
            pictured = True
            blocks.append(_block("{raw} html", from_saved(data)))
        elif _VIEW in data:
            if not pictured:
                blocks.append(_block("{note}", NEEDS_KERNEL))
        elif "text/plain" in data:
            blocks.append(_block("{code-block} text\n:class: output\n", _joined(data["text/plain"])))
    return blocks


def page_of(notebook: dict[str, Any], name: str) -> str:
    """Return a notebook as the text of a page.

    Parameters
    ----------
    notebook
        The parsed file, executed.
    name
        Its file, which a reader may download, seen from the folder of notebooks.

    Raises
    ------
    ValueError
        A cell ended in an error, or was not executed.
    """
    parts = ["---\nhide-toc: true\n---\n"]
    for cell in notebook["cells"]:
        source = _joined(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(_TO_NOTEBOOK.sub(r"](\1.md)", source) + "\n")
            if len(parts) == 2:
                parts.append(f"{{download}}`Download this notebook <../../notebooks/{name}>`\n")
        elif cell["cell_type"] == "code":
            if source.strip() and cell.get("execution_count") is None:
                raise ValueError(f"{name}: a cell was not executed: {source[:60]!r}")
            parts += [_block("{code-block} python\n:class: example\n", source), *_outputs(cell["outputs"])]
    return "\n".join(parts)


def _read(file: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return notebook


def _write_pages(app: Sphinx, config: Config) -> None:
    pages = {}
    for file in (*NOTEBOOKS.glob("*.ipynb"), *NOTEBOOKS.glob("*/[!.]*.ipynb")):
        name = file.relative_to(NOTEBOOKS).as_posix()
        pages[f"{file.stem}.md"] = page_of(_read(file), name)
    write_folder(Path(app.srcdir) / "notebooks", pages)


class NotebookPictures(SphinxDirective):
    """The first picture of every notebook, each with a link to its page."""

    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """Draw one figure for each notebook that has a picture."""
        found: list[nodes.Node] = []
        for file in sorted(NOTEBOOKS.glob("*.ipynb")):
            self.env.note_dependency(str(file))
            picture = PICTURE.search(json.dumps(_read(file)).replace('\\"', '"'))
            if picture is None:
                continue
            svg = base64.b64decode(picture[1]).decode()
            source = picture_address(self.env, f"notebook-{file.stem}", svg)
            link = f"{{doc}}`/notebooks/{file.stem}`"
            found += self.parse_text_to_nodes(f"{link}\n")
            image = f'<img alt="First picture of the notebook {file.stem}" src="{source}"{size_of(svg)}>'
            framed = f'<div class="pdp-scroll pdp-picture" tabindex="0">{image}</div>'
            found.append(nodes.raw("", framed, format="html"))
        return found


def setup(app: Sphinx) -> None:
    """Write the pages as soon as the settings are read, and add ``{notebook-pictures}``."""
    app.connect("config-inited", _write_pages)
    app.add_directive("notebook-pictures", NotebookPictures)
