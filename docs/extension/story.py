"""Stories: pages of prose that set an explorer, and whose numbers are its numbers.

``{story} name`` embeds the explorer that its code makes. After it the role ``{set}`` is a button that sets
the explorer, ``{set}`twice the noise <{"scale": 2}>``, with settings by their names in a leakage document;
and the role ``{shows}`` is a number that stands in its view, ``{shows}`results.largest.value .3f``. A number
belongs to the button before it. While the page is built the explorer is set by one button after the other, so
that each number is what the explorer gives there. In the page the numbers of the button that was pressed last
follow the hand.
"""

from __future__ import annotations

import base64
import json
from functools import partial
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

from extension.embedding import Explorer, embed
from pdp_widgets.widgets import document

__all__ = ["Setting", "Shown", "Story", "as_read"]

_KEY = "pdp_story"


def as_read(value: Any, form: str) -> str:
    """Return a number as the text of a story has it; story.js writes it in the same way.

    Examples
    --------
    >>> as_read(-1.4931, ".3f"), as_read(0.924, ".1%"), as_read(69, "d"), as_read("sum", "s")
    ('−1.493', '92.4 %', '69', 'sum')
    """
    if form == "s":
        return str(value)
    said = format(int(value) if form == "d" else value, form)
    return said.replace("-", "−").replace("%", " %")


class _Told:
    """An explorer of a page while the page is read, and the buttons and numbers found so far."""

    def __init__(self, explorer: Any) -> None:
        self.explorer = explorer
        self.table = document._settable(document._kind(explorer))
        self.steps: list[tuple[nodes.raw, str, dict[str, Any]]] = []
        self.touched: set[str] = set()

    def shows(self, path: str) -> Any:
        found: Any = self.explorer._view
        for name in path.split("."):
            found = found[int(name)] if isinstance(found, list) else found[name]
        return found

    def set(self, wanted: dict[str, Any]) -> None:
        """Set the explorer as a document does; what cannot be set is an error."""
        unknown = wanted.keys() - self.table.keys()
        if unknown:
            raise ValueError(
                f"no such setting: {', '.join(sorted(unknown))}; there are {', '.join(self.table)}"
            )
        for _ in range(document._ROUNDS):
            if request := document._asked(self.explorer, wanted, self.table):
                self.explorer._step(partial(self.explorer._answer, request))
        if self.explorer.error:
            raise ValueError(str(self.explorer.error))
        self.explorer._state()
        self.touched |= wanted.keys()

    def request(self) -> dict[str, Any]:
        """Return where all that some button sets stands now, as a view says it."""
        found = {}
        for name, (path, kind, *_) in self.table.items():
            value = document._at(self.explorer._view, path)
            if kind == "chosen":
                value = [place for place, one in enumerate(value) if one["chosen"]]
            elif kind == "keys":
                value = [one["key"] for one in value]
            elif isinstance(value, bytes | memoryview):
                value = {"base64": base64.b64encode(value).decode()}
            found[name] = value
        return found

    def finish(self) -> None:
        """Write into each button all that the buttons of the page set, as it stands at this one."""
        for node, said, request in self.steps:
            wish = {name: request[name] for name in self.table if name in self.touched}
            data = f'type="button" data-set="{escape(json.dumps(wish, ensure_ascii=False))}"'
            node += nodes.Text(f'<button class="pdp-set" {data}>{escape(said)}</button>')
        self.explorer.close()


class Story(Explorer):
    """The explorer of a story; its argument is the name, unique on the page."""

    def run(self) -> list[nodes.Node]:
        """Make the explorer and keep it for the roles that follow."""
        value = self.execute()[2]
        found = embed(value, self.arguments[0])
        self.env.current_document[_KEY] = _Told(value)
        begin, end = (nodes.raw("", html, format="html") for html in ('<div class="pdp-story">', "</div>"))
        return [begin, found, end]


def _told(role: SphinxRole) -> _Told:
    if _KEY not in role.env.current_document:
        raise ValueError("no {story} stands above it")
    found: _Told = role.env.current_document[_KEY]
    return found


class Setting(SphinxRole):
    """A button that sets the explorer."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Set the explorer, and keep a place for the button."""
        said, _, wanted = self.text.removesuffix(">").rpartition(" <")
        told, node = _told(self), nodes.raw("", "", format="html")
        told.set(json.loads(wanted))
        told.steps.append((node, said, told.request()))
        return [node], []


class Shown(SphinxRole):
    """A number of the explorer."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the number as it stands after the buttons so far."""
        told = _told(self)
        path, form = self.text.split()
        said = as_read(told.shows(path), form)
        data = f'data-path="{escape(path)}" data-form="{escape(form)}" data-step="{len(told.steps)}"'
        return [nodes.raw("", f'<span class="pdp-shows" {data}>{escape(said)}</span>', format="html")], []


def _finish(app: Sphinx, doctree: nodes.document) -> None:
    told = app.env.current_document.get(_KEY)
    if told is not None:
        told.finish()


def _load(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    if 'class="pdp-story"' in context.get("body", ""):
        app.add_js_file("story.js", loading_method="defer")


def setup(app: Sphinx) -> None:
    """Add ``{story}``, ``{set}`` and ``{shows}``."""
    app.add_directive("story", Story)
    app.add_role("set", Setting())
    app.add_role("shows", Shown())
    app.connect("doctree-read", _finish)
    app.connect("html-page-context", _load)
