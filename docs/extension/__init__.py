"""What this site adds to Sphinx: examples that run, explorers, tables of checked numbers, two kinds of pages.

`runs` executes the examples of a page, `embedding` is the one place where an explorer enters a page,
`story` lets the text of a page set its explorer, `checked` makes the tables whose numbers come from the
reference cases, `figures` the index of the papers' figures, `mathml` writes formulae that need no script,
`notebooks` and `reference` write the pages of the notebooks and of the public names, `accessible` completes
what the theme writes, and `reused` makes once what many pages share.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from extension import (
    accessible,
    checked,
    embedding,
    figures,
    mathml,
    notebooks,
    reference,
    reused,
    runs,
    story,
)

__all__ = ["setup"]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives, and write the pages before Sphinx looks which there are.

    Examples share a namespace from top to bottom of a page, so a page is read by one process.
    """
    for part in (
        accessible,
        reused,
        runs,
        embedding,
        story,
        checked,
        figures,
        mathml,
        notebooks,
        reference,
    ):
        part.setup(app)
    # A page depends on the library and on these modules: when one changes, every page is made again.
    return {"env_version": _version_of_the_code(), "parallel_read_safe": False, "parallel_write_safe": True}


def _version_of_the_code() -> int:
    here = Path(__file__).resolve().parent
    package = here.parents[1] / "pdp_widgets"
    files = sorted([*here.glob("*.py"), *package.rglob("*.py"), *package.glob("static/page.json")])
    total = 0
    for file in files:
        total = zlib.crc32(file.read_bytes(), total)
    return total
