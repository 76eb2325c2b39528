"""How an explorer stands in a page: this module is the only place that knows.

Every explorer of the site comes through here: one that a page makes while it is built through `embed`, the
saved output of a notebook through `from_saved`. Both give the picture with its numbers, and beside it the
state from which the script of the site draws the explorer itself. Without scripts, and on paper, the picture
stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from posixpath import relpath
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment

from extension.files import write
from extension.runs import Example
from pdp_widgets.publish import Snapshot
from pdp_widgets.publish.page_frame import SLOT_STYLE, site_scripts, slot
from pdp_widgets.publish.page_state import MODULES, VIEW_TYPE, checked_state, modules_within
from pdp_widgets.publish.snapshot import LAYOUT

__all__ = ["FOLDER", "PICTURE", "Explorer", "embed", "from_saved", "picture_address", "size_of"]

#: Where the pictures of the notebooks lie in the built site.
FOLDER = "_explorers"
#: The picture inside a saved output.
PICTURE = re.compile(r'src="data:image/svg\+xml;base64,([^"]+)"')
#: What pages with an explorer load: the style sheet, and of the scripts those that their explorers need.
_STYLE, _SCRIPTS = "explorers.css", "explorers"
#: Scripts by the widget that needs them, in their order; those of this build, whatever is built meanwhile.
_needed: dict[str, list[str]] = {}


def picture_address(env: BuildEnvironment, name: str, svg: str) -> str:
    """Store a picture in the built site and return its address, seen from the page that is being read."""
    write(Path(env.app.outdir) / FOLDER / f"{name}.svg", svg)
    page = env.app.builder.get_target_uri(env.docname)
    return relpath(f"{FOLDER}/{name}.svg", str(Path(page).parent.as_posix()))


def embed(shown: Any, name: str) -> nodes.raw:
    """Return what stands in the page for an explorer.

    Parameters
    ----------
    shown
        An explorer or a widget; or a `Snapshot` or a chart of ``.plot()``, which have no state for the script
        of the site and stay pictures.
    name
        Unique on the page.
    """
    # First what is saved: it may hold a number more, and the picture of the same state is drawn once.
    state = shown.saved_outputs()[VIEW_TYPE] if hasattr(shown, "saved_outputs") else None
    picture = shown if isinstance(shown, Snapshot) else shown.snapshot()
    # The drawings stand in the page itself: there they can be saved from a page that was opened from disk.
    html = (
        '<figure class="pdp-static pdp-embedded" tabindex="0" role="group" '
        f'aria-label="Picture, may scroll sideways">{picture.body}<figcaption></figcaption></figure>'
    )
    if state is not None:
        html = slot(html, checked_state(state))
    return nodes.raw("", f'<div id="explorer-{escape(name)}">{html}</div>', format="html")


def from_saved(data: Mapping[str, Any]) -> str:
    """Return what stands in the page for an output of a notebook cell.

    Parameters
    ----------
    data
        By media type: HTML, and the state of the explorer where it is one.
    """
    html = "".join(data["text/html"])
    if VIEW_TYPE in data:
        figure = html[html.index("<figure") :]
        return f'<div class="pdp-output">{slot(figure, checked_state(data[VIEW_TYPE]))}</div>'
    return f'<div class="pdp-output" tabindex="0">{html}</div>'


def size_of(svg: str) -> str:
    """Return the size as attributes of the image.

    The page keeps the place before the picture is there, and the style sheet knows how wide it may grow.
    """
    found = re.search(r' width="([\d.]+)" height="([\d.]+)"', svg)
    if found is None:
        return ""
    wide, high = (f"{float(length):.0f}" for length in found.groups())
    return f' width="{wide}" height="{high}" style="--wide:{wide}px"'


class Explorer(Example):
    """An explorer of its own: the code that makes it, run at build time, and what it shows.

    The argument is its name, unique on the page. ``:hide-code:`` leaves out the code. A chart of ``.plot()``
    stands there as its picture with its numbers.
    """

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"hide-code": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Make the explorer and embed it."""
        code, _, value = self.execute()
        if not (isinstance(value, Snapshot) or hasattr(value, "snapshot")):
            raise self.error("the last line makes no explorer")
        try:
            found: list[nodes.Node] = [embed(value, self.arguments[0])]
        finally:
            if hasattr(value, "close"):
                value.close()
        if "hide-code" not in self.options:
            found.insert(0, self.shown(code, "python", "example"))
        return found


def _write_parts(app: Sphinx, config: Config) -> None:
    """Make scripts and style sheet files of the site."""
    folder = Path(app.doctreedir) / "explorers"
    _needed.update({module: list(site_scripts({module})) for module in MODULES})
    scripts = {f"{name}.js": text for name, text in site_scripts(MODULES).items()}
    for name, text in scripts.items():
        write(folder / _SCRIPTS / name, text)
    # Parts of an older build have other names.
    for file in (folder / _SCRIPTS).iterdir():
        if file.name not in scripts:
            file.unlink()
    write(folder / _STYLE, SLOT_STYLE + LAYOUT)
    config.html_static_path.append(str(folder))


def _load_parts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Let a page load the scripts of the explorers that it shows; a page without any loads none."""
    modules = modules_within(context.get("body", ""))
    if not modules:
        return
    app.add_css_file(_STYLE)
    # Each once, after those it needs; the last one of each widget starts the page.
    names = dict.fromkeys(name for module in sorted(modules) for name in _needed[module][:-1])
    for name in (*names, _needed[min(modules)][-1]):
        app.add_js_file(f"{_SCRIPTS}/{name}.js", loading_method="defer")


def setup(app: Sphinx) -> None:
    """Add ``{explorer}``, and the script to the pages that have one."""
    app.connect("config-inited", _write_parts)
    app.connect("html-page-context", _load_parts)
    app.add_directive("explorer", Explorer)
