"""The index of the papers' figures and tables, from the notebooks that reproduce them: nothing is said twice.

A section of such a notebook has a heading ``## Fig. 5(d). Computing time``, cells of code that are tagged
``figure:5d``, and one paragraph ``**Status: in part.** What differs, and why.``
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

__all__ = ["REPRODUCED", "STATUSES", "Section", "sections", "setup"]

REPRODUCED = Path(__file__).resolve().parents[2] / "notebooks" / "reproduce"
#: What a section may say of itself; the page says what each of them means.
STATUSES = ("reproduced", "in part", "not reproduced", "stand-in data")

_HEADING = re.compile(r"## ((?:Fig|Table)s?\.? .+?)\. (.+)")
_STATUS = re.compile(r"\*\*Status: ([^.]+)\.\*\* ?(.*)")


@dataclass(frozen=True)
class Section:
    """One figure or table, or a few that are drawn together."""

    label: str
    about: str
    tags: tuple[str, ...]
    status: str
    why: str

    @property
    def anchor(self) -> str:
        """The address of its heading within the page of the notebook."""
        words = re.sub(r"[^\w\- ]", "", f"{self.label}. {self.about}".lower())
        return words.replace(" ", "-")


def sections(notebook: dict[str, Any]) -> list[Section]:
    """Return the sections of a notebook that are about figures and tables, in their order.

    Raises
    ------
    ValueError
        A section has no status, more than one, or no tagged cell.
    """
    found: list[dict[str, Any]] = []
    open_section: dict[str, Any] | None = None
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and open_section is not None:
            open_section["tags"] += [tag for tag in cell["metadata"].get("tags", []) if ":" in tag]
        if cell["cell_type"] != "markdown":
            continue
        for line in "".join(cell["source"]).split("\n"):
            if line.startswith("## "):
                heading = _HEADING.fullmatch(line)
                open_section = heading and {"heading": heading, "tags": [], "said": []}
                if open_section is not None:
                    found.append(open_section)
            elif open_section is not None and (said := _STATUS.fullmatch(line)):
                open_section["said"].append(said)
    for one in found:
        if len(one["said"]) != 1 or not one["tags"]:
            raise ValueError(f"{one['heading'][0]}: {len(one['said'])} statuses, cells tagged {one['tags']}")
    return [
        Section(one["heading"][1], one["heading"][2], tuple(one["tags"]), *one["said"][0].groups())
        for one in found
    ]


class FigureIndex(SphinxDirective):
    """The sections of one notebook as a table, each with a link to its place there."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """Read the notebook and build the table."""
        name = self.arguments[0]
        file = REPRODUCED / f"{name}.ipynb"
        self.env.note_dependency(str(file))
        lines = ["| In the paper | Status | What differs, and why |", "|---|---|---|"]
        for one in sections(json.loads(file.read_text(encoding="utf-8"))):
            link = f"[{one.label}](../notebooks/{name}.md#{one.anchor})"
            lines.append(f"| {link}<br>{one.about} | {one.status} | {one.why} |")
        return list(self.parse_text_to_nodes("\n".join(lines)))


def setup(app: Sphinx) -> None:
    """Add ``{figure-index}``."""
    app.add_directive("figure-index", FigureIndex)
