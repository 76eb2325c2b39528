"""The cells of a notebook as the body of a page: words, code, and what the code said and showed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from pdp_widgets.publish.notebook import Cell, Notebook, joined
from pdp_widgets.publish.notebook_clean import clean, missing_packages
from pdp_widgets.publish.notebook_pictures import LinkedPictures, PageRoom, drawing_address, saved_picture
from pdp_widgets.publish.notebook_words import words
from pdp_widgets.publish.page_frame import slot
from pdp_widgets.publish.page_state import VIEW_TYPE, checked_state
from pdp_widgets.publish.svg_clean import SvgError

__all__ = ["NEEDS_KERNEL", "notebook_body"]

_WIDGET = "application/vnd.jupyter.widget-view+json"
#: Stands for controls and charts of other packages, and for live charts: they have no picture.
NEEDS_KERNEL = "This part needs a running kernel: open the notebook to use it."
#: Stands for a widget until scripts draw it, where the notebook holds no picture of it.
_NO_PICTURE = (
    "The picture of this widget is missing: the notebook was saved without it. Run the cell again and save."
)
#: Signs of one cell of code that are coloured.
_MOST_COLOURED = 100_000
#: Empty lines after one another beyond which they are not shown to the reader of the language: some of these
#: look at all of them from each.
_MOST_EMPTY = 20
#: What a terminal reads as colour and movement.
_TERMINAL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f]")


def notebook_body(notebook: Notebook, pictures_from: Path | None = None) -> tuple[str, set[str]]:
    """Return the body of a page, safe to stand in one, and the modules of the widgets with slots in it."""
    # PageError names a picture that is missing or cannot be taken in, or says that the page would be too
    # large; ImportError names a package that is not installed.
    parts: list[str] = []
    modules: set[str] = set()
    room = PageRoom()
    pictures = LinkedPictures(notebook.folder, pictures_from, room)
    numbers = {"markdown": 0, "code": 0}
    for cell in notebook.cells:
        if cell.kind in numbers:
            numbers[cell.kind] += 1
        if "remove-cell" in cell.tags or cell.kind not in numbers:
            continue
        where = f"{cell.kind.capitalize()} cell {numbers[cell.kind]}"
        room.begin(where)
        before = len(parts)
        if cell.kind == "markdown":
            parts.append(_framed(words(cell.source, cell.attachments, pictures.address, room)))
        elif cell.kind == "code":
            if cell.source.strip() and "remove-input" not in cell.tags:
                parts.append(_code(cell, notebook.language))
            if not cell.tags & {"remove-output", "hide-output"}:
                shown = [_output(output, pictures, room) for output in cell.outputs]
                parts += [part for part in shown if part]
                modules |= {
                    data[VIEW_TYPE]["module"] for data in map(_data, cell.outputs) if VIEW_TYPE in data
                }
        pictures.check(where)
        room.keep(*parts[before:])
    return "\n".join(parts), modules


def _framed(words_: str) -> str:
    return f'<div class="pdp-words">{words_}</div>'


def _code(cell: Cell, language: str) -> str:
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import TextLexer, get_lexer_by_name
        from pygments.util import ClassNotFound
    except ImportError as error:
        raise missing_packages(error) from None
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        lexer = TextLexer()
    source = cell.source.strip("\n")
    # Nobody reads so much code, and to colour it takes longer than all the rest.
    coloured = len(source) <= _MOST_COLOURED
    formatter = HtmlFormatter(nowrap=True)
    text = (
        "\n".join(
            escape(part) if empty else highlight(part, lexer, formatter).rstrip("\n")
            for empty, part in _between_empty(source)
        )
        if coloured
        else escape(source)
    )
    # Code that is wider than the page is scrolled, with the keyboard too.
    block = f'<pre tabindex="0" aria-label="Code"><code>{text}</code></pre>'
    if "hide-input" in cell.tags:
        return f'<details class="pdp-code"><summary>Code</summary>{block}</details>'
    return f'<div class="pdp-code">{block}</div>'


def _between_empty(source: str) -> list[tuple[bool, str]]:
    """Return the parts of a text between long runs of empty lines, and these runs."""
    parts: list[tuple[bool, list[str]]] = []
    for blank, lines in groupby(source.split("\n"), lambda line: not line.strip()):
        run = list(lines)
        empty = blank and len(run) > _MOST_EMPTY
        if empty or not parts or parts[-1][0]:
            parts.append((empty, run))
        else:
            parts[-1][1].extend(run)
    return [(empty, "\n".join(run)) for empty, run in parts]


def _data(output: Mapping[str, Any]) -> Mapping[str, Any]:
    data = output.get("data")
    return data if isinstance(data, Mapping) else {}


def _output(output: Mapping[str, Any], pictures: LinkedPictures, room: PageRoom) -> str:
    kind = output.get("output_type")
    if kind == "stream":
        return _said(joined(output.get("text")))
    if kind == "error":
        lines = output.get("traceback")
        trace = "\n".join(line for line in lines if isinstance(line, str)) if isinstance(lines, list) else ""
        return _said(trace or f"{output.get('ename')}: {output.get('evalue')}")
    data = _data(output)
    if VIEW_TYPE in data:
        picture = clean(joined(data.get("text/html")))
        instead = f'<figure class="pdp-static"><p>{_NO_PICTURE}</p></figure>'
        return slot(picture if _is_seen(picture) else instead, checked_state(data[VIEW_TYPE]))
    return _shown(data, pictures, room)


def _shown(data: Mapping[str, Any], pictures: LinkedPictures, room: PageRoom) -> str:
    """Return the richest form of an output that is safe and needs nothing else."""
    markup = joined(data.get("text/html"))
    # HTML that works by scripts would be an empty frame here.
    still = clean(markup) if markup and "<script" not in markup.lower() else ""
    if "pdp-static" in still:
        return still
    address = saved_picture(data)
    if address:
        return f'<img src="{address}" alt="{escape(joined(data.get("text/plain")), quote=True)}">'
    address = _drawing(joined(data.get("image/svg+xml")))
    if address:
        return f'<img src="{address}" alt="{escape(joined(data.get("text/plain")), quote=True)}">'
    # A corner of a table is no heading.
    still = still.replace("<th></th>", "<td></td>")
    if _is_seen(still):
        return f'<div class="pdp-table" tabindex="0" role="group" aria-label="Output">{still}</div>'
    if joined(data.get("text/markdown")).strip():
        return _framed(words(joined(data["text/markdown"]), None, pictures.address, room))
    plain = joined(data.get("text/plain"))
    if plain.strip():
        return f'<p class="pdp-note">{NEEDS_KERNEL}</p>' if _WIDGET in data else _said(plain)
    # The live view after a picture says nothing of its own; neither does an output without any words.
    return ""


def _is_seen(markup: str) -> bool:
    """Whether HTML that was made safe has words or a picture."""
    return bool(re.sub(r"<[^>]*>", "", markup).strip()) or "<img src" in markup


def _drawing(text: str) -> str | None:
    """Return the address of a saved drawing; another form of the output stands for one that is none."""
    try:
        return drawing_address(text.encode()) if text.strip() else None
    except SvgError:
        return None


def _said(text: str) -> str:
    clear = _TERMINAL.sub("", text).strip("\n")
    if not clear.strip():
        return ""
    return f'<div class="pdp-said"><pre tabindex="0" aria-label="Output">{escape(clear)}</pre></div>'
