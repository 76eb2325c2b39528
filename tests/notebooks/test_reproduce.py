"""Every figure and table of the papers has its section in a notebook, which says how it came out."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "docs"))

from extension.figures import REPRODUCED, STATUSES, sections  # noqa: E402

#: What the papers have. Table I of the first one is a list of symbols.
PAPERS = {
    "prior": "figure:1 figure:2 table:II figure:3 figure:4a figure:4b figure:4c figure:4d "
    "figure:5a figure:5b figure:5c figure:5d",
    "local": "figure:1 figure:2 figure:3 figure:4a figure:4b figure:4c figure:4d figure:5a figure:5b "
    "figure:6a figure:6b figure:6c figure:6d figure:6e figure:7a figure:7b figure:8a figure:8b "
    "table:I table:II table:III",
    "dependent": "figure:1 table:I figure:2 figure:3 figure:4 figure:5a figure:5b figure:6 figure:7 "
    "figure:8a figure:8b figure:9a figure:9b figure:9c figure:10a figure:10b",
    "anonymity": "figure:1a figure:1b figure:1c figure:2a figure:2b figure:2c figure:3a figure:3b "
    "figure:4a figure:4b figure:4c",
    "sequence": "figure:1 figure:2 table:I figure:3 figure:4 figure:5a figure:5b figure:6 figure:7 "
    "figure:8a figure:8b figure:9a figure:9b",
}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_figure_has_a_section_and_is_in_the_index(paper: str) -> None:
    found = sections(nbformat.read(REPRODUCED / f"{paper}.ipynb", as_version=4))
    tags = [tag for one in found for tag in one.tags]
    assert len(tags) == len(set(tags))
    assert set(tags) == set(PAPERS[paper].split())
    assert {one.status for one in found} <= set(STATUSES)
    index = (ROOT / "docs" / "papers" / "figures.md").read_text(encoding="utf-8")
    assert f"```{{figure-index}} {paper}\n" in index


@pytest.mark.parametrize("broken", ["", "**Status: in part.** a\n\n**Status: in part.** b"])
def test_a_section_says_once_how_it_came_out(broken: str) -> None:
    code = nbformat.v4.new_code_cell("1", metadata={"tags": ["figure:9"]})
    cells = [nbformat.v4.new_markdown_cell("## Fig. 9. Nine"), code, nbformat.v4.new_markdown_cell(broken)]
    with pytest.raises(ValueError, match=r"Fig\. 9"):
        sections(nbformat.v4.new_notebook(cells=cells))
