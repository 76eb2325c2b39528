"""Makes slides of the lessons: `make slides`, or `python scripts/slides.py [FOLDER]`.

They lie in build/slides (or FOLDER), a page for each lesson. Every heading begins a slide; the questions,
pictures and tables below it are further down. The answers stay sealed. The pages fetch reveal.js, which moves
the slides, and MathJax from their public addresses: a hall without a network shows the page of a lesson.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbconvert import SlidesExporter
from traitlets.config import Config

ROOT = Path(__file__).resolve().parents[1]
LESSONS = ROOT / "notebooks" / "course"
PLACE = ROOT / "build" / "slides"
#: What a lecture hall does not read: sources at the end, and how to work alone.
_LEFT_OUT = ("## Further reading", "**How it works.**")
_ASKED = re.compile(r'^ask\["')
_HIDDEN = "slide-without-code"
_VIEW = "application/vnd.jupyter.widget-view+json"
_STYLE = """<style>
.reveal { font-size: 22px; } .reveal .slides { text-align: left; }
.reveal .slides > section, .reveal .slides > section > section { max-height: 100%; overflow-y: auto; }
</style>"""


def parts_of(text: str) -> list[str]:
    """Return a cell of words as one text for each heading in it, without what slides leave out."""
    parts = [part.strip() for part in re.split(r"(?m)^(?=#{1,3} )", text)]
    kept = []
    for part in parts:
        if not part.startswith(_LEFT_OUT[0]):
            kept.append("\n\n".join(one for one in part.split("\n\n") if not one.startswith(_LEFT_OUT)))
    return [part for part in kept if part.strip()]


def slides_of(notebook: Any) -> Any:
    """Return a copy of a notebook that says, cell by cell, how it is a slide."""
    made = nbformat.from_dict(notebook)
    made.cells = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for text in parts_of(cell.source):
                kind = "slide" if re.match(r"#{1,2} ", text) else "subslide"
                made.cells.append(_as_slide(nbformat.v4.new_markdown_cell(text), kind))
            continue
        copy = nbformat.from_dict(cell)
        copy.outputs = [one for one in copy.outputs if set(one.get("data", {"text": ""})) != {_VIEW}]
        if not copy.outputs:
            # Preparation and folded solutions: nothing to look at.
            made.cells.append(_as_slide(copy, "skip"))
            continue
        if _ASKED.match(copy.source) or copy.source.endswith(("explorer", "maps")):
            copy.metadata.tags = [*copy.metadata.get("tags", []), _HIDDEN]
        made.cells.append(_as_slide(copy, "subslide"))
    return made


def _as_slide(cell: Any, kind: str) -> Any:
    """Return a cell with the kind of slide that it begins."""
    cell.metadata.slideshow = {"slide_type": kind}
    return cell


def page_of(notebook: Any) -> str:
    """Return the slides of a notebook as a page."""
    config = Config()
    config.TagRemovePreprocessor.enabled = True
    config.TagRemovePreprocessor.remove_input_tags = {_HIDDEN}
    config.SlidesExporter.reveal_scroll = True
    page, _ = SlidesExporter(config=config).from_notebook_node(slides_of(notebook))
    return str(page).replace("</head>", f"{_STYLE}</head>", 1)


def main(folder: Path) -> None:
    """Write the slides of every lesson."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(LESSONS.glob("*.ipynb")):
        page = folder / f"{path.stem}.html"
        page.write_text(page_of(nbformat.read(path, as_version=4)), encoding="utf-8")
        print(page)


if __name__ == "__main__":
    main(Path(*sys.argv[1:]) if sys.argv[1:] else PLACE)
