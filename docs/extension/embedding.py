"""How an explorer stands in a page: this module is the only place that knows.

Every explorer of the site comes through here: one that a page makes while it is built through `embed`, the
saved output of a notebook through `from_saved`. Both give the static picture with its numbers. A page that is
alive without a kernel belongs here as well, beside or in place of the picture, and then stands everywhere.
"""

from __future__ import annotations

import base64
import re
from html import escape
from pathlib import Path
from posixpath import relpath
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from extension.files import write
from extension.runs import Example
from pdp_widgets.publish import Snapshot

__all__ = ["FOLDER", "PICTURE", "Explorer", "embed", "from_saved", "picture_address", "size_of"]

#: Where pictures lie in the built site.
FOLDER = "_explorers"
#: The picture inside a saved output.
PICTURE = re.compile(r'src="data:image/svg\+xml;base64,([^"]+)"')


def picture_address(env: BuildEnvironment, name: str, svg: str) -> str:
    """Store a picture in the built site and return its address, seen from the page that is being read."""
    write(Path(env.app.outdir) / FOLDER / f"{name}.svg", svg)
    page = env.app.builder.get_target_uri(env.docname)
    return relpath(f"{FOLDER}/{name}.svg", str(Path(page).parent.as_posix()))


def embed(env: BuildEnvironment, shown: Any, name: str) -> nodes.raw:
    """Return what stands in the page for an explorer.

    Parameters
    ----------
    env
        The build, which knows the page.
    shown
        An explorer, a widget, or the `Snapshot` of one.
    name
        File name without an ending, unique on the site.
    """
    picture = shown if isinstance(shown, Snapshot) else shown.snapshot()
    source = picture_address(env, name, picture.svg)
    # The lead is said once more in words: without pictures the numbers are still there.
    numbers = f"{picture.summary}{picture.details}"
    html = (
        f'<figure class="pdp-static pdp-embedded" id="explorer-{escape(name)}">'
        f'<div class="pdp-scroll" tabindex="0" role="group" aria-label="Picture, may scroll sideways">'
        f'<img alt="{escape(picture.text)}" src="{escape(source)}"{size_of(picture.svg)}></div>'
        f"<details><summary>All numbers of this picture</summary>"
        f'<div class="pdp-numbers">{numbers}</div></details></figure>'
    )
    return nodes.raw("", html, format="html")


def from_saved(html: str) -> str:
    """Return what stands in the page for the output of a notebook cell, which is HTML."""

    def with_size(picture: re.Match[str]) -> str:
        return f"{picture[0]}{size_of(base64.b64decode(picture[1]).decode())}"

    return f'<div class="pdp-output" tabindex="0">{PICTURE.sub(with_size, html)}</div>'


def size_of(svg: str) -> str:
    """Return the size as attributes of the image.

    The page keeps the place before the picture is there, and the style sheet knows how wide it may grow.
    """
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    if found is None:
        return ""
    wide, high = (f"{float(length):.0f}" for length in found.groups())
    return f' width="{wide}" height="{high}" style="--wide:{wide}px"'


class Explorer(Example):
    """An explorer of its own: the code that makes it, run at build time, and what it shows.

    The argument is the name of its files. ``:hide-code:`` leaves out the code.
    """

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"hide-code": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Make the explorer and embed it."""
        code, _, value = self.execute()
        if not (isinstance(value, Snapshot) or hasattr(value, "snapshot")):
            raise self.error("the last line makes no explorer")
        try:
            found: list[nodes.Node] = [embed(self.env, value, self.arguments[0])]
        finally:
            if hasattr(value, "close"):
                value.close()
        if "hide-code" not in self.options:
            found.insert(0, self.shown(code, "python", "example"))
        return found


def setup(app: Sphinx) -> None:
    """Add ``{explorer}``."""
    app.add_directive("explorer", Explorer)
