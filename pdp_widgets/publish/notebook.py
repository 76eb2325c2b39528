"""A saved notebook as it is read for publication: run to its end, with pictures of this package in it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pdp_widgets.errors import Where
from pdp_widgets.models.labels import shown
from pdp_widgets.models.text_files import file_bytes
from pdp_widgets.publish.page_state import VIEW_TYPE, PageError, checked_state

__all__ = ["Cell", "Notebook", "joined", "read_notebook", "saved_states"]

_WHERE = Where("parameter", name="source")
_FORMAT = 4
_LONGEST_TITLE = 200
_HEADING = re.compile(r"[ ]{0,3}#[ \t]+(.*)")
#: Halves of signs, which JSON can spell and no file can hold.
_HALVES = re.compile("[\ud800-\udfff]")
#: How a picture of a widget is known whose state was not saved with it.
# A plotted figure is a picture and a figure of bqplot: it has no state of ours.
_PICTURE = re.compile(r"""class="[^"]*\bpdps-(?!plot-)[\w-]+""")
#: A chart, or a picture that was asked for: it has no state, and needs none.
_CHART = re.compile(r"""<figure class="pdp-static[ "]""")
_AGAIN = "Run all cells, save, and publish again."


@dataclass(frozen=True)
class Cell:
    """One cell: what was typed, what it put out, pictures that came with it, and its tags."""

    #: ``"markdown"``, ``"code"`` or ``"raw"``.
    kind: str
    source: str
    outputs: tuple[Mapping[str, Any], ...] = ()
    #: By name, then by media type.
    attachments: Mapping[str, Any] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Notebook:
    """A notebook that was run."""

    #: The first heading, or the name of the file.
    title: str
    cells: tuple[Cell, ...]
    language: str = "python"
    #: None when it did not come from one.
    folder: Path | None = None


def joined(text: Any) -> str:
    """Return text that a notebook may hold as lines."""
    if isinstance(text, list):
        return "".join(part for part in text if isinstance(part, str))
    return text if isinstance(text, str) else ""


def read_notebook(
    source: str | os.PathLike[str] | Mapping[str, Any], called: str = "Notebook", lying: Path | None = None
) -> Notebook:
    """Read a notebook and make sure that it can be published; PageError says why it cannot."""
    # What ``nbformat.read`` returns has no file: ``called`` is its title where it has no heading, ``lying``
    # the folder of its pictures.
    if isinstance(source, Mapping):
        name, content, folder = "The notebook", dict(source), lying
    else:
        path = Path(source)
        name, content, folder = path.name, _loaded(path), path.parent
    try:
        content = _whole(content)
    except RecursionError:
        raise PageError(f"{name} is no notebook: it is nested without end. {_GIVE}", _WHERE) from None
    cells = _cells(content, name)
    _check_run(cells, name)
    _check_shown(cells, name)
    stem = called if isinstance(source, Mapping) else Path(name).stem
    language = _within(_within(content, "metadata"), "language_info").get("name", "python")
    return Notebook(_title(cells, stem), tuple(cells), str(language), folder)


def saved_states(path: Path) -> list[dict[str, Any]]:
    """Return the states of all widgets in a saved notebook, run to its end or not."""
    cells = _cells(_whole(_loaded(path)), path.name)
    found = (_within(output, "data").get(VIEW_TYPE) for cell in cells for output in cell.outputs)
    return [checked_state(state) for state in found if state is not None]


def _within(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a part that should hold others; an empty one for anything else."""
    part = content.get(name)
    return part if isinstance(part, Mapping) else {}


def _loaded(path: Path) -> dict[str, Any]:
    if path.is_dir():
        raise PageError(f"{path.name} is a folder; give the path of a notebook (.ipynb).", _WHERE)
    if path.exists() and not path.is_file():
        raise PageError(f"{path.name} is a device or a pipe, which may never end. {_GIVE}", _WHERE)
    text = _text(path)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise PageError(f"{path.name} is no notebook: it holds no JSON. {_GIVE}", _WHERE) from None
    if not isinstance(content, dict):
        raise PageError(f"{path.name} is no notebook: it holds no cells. {_GIVE}", _WHERE)
    return content


def _text(path: Path) -> str:
    """Return what a file holds, or raise in which other way its text is written."""
    data = file_bytes(path, PageError)
    try:
        encoding = _wide_encoding(data)
        text = None if encoding else data.decode("utf-8-sig")
    except UnicodeDecodeError:
        encoding, text = "another encoding", None
    if text is None:
        raise PageError(
            f"{path.name} is written in {encoding}; a notebook is read in UTF-8. Save it as UTF-8 in an "
            "editor, or give a file that Jupyter saved (.ipynb).",
            _WHERE,
        )
    return text


def _wide_encoding(data: bytes) -> str | None:
    """Return the encoding of text in units of two or four bytes: by its mark, or by its null bytes."""
    signs = tuple(map(bool, data[:4]))
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")) or signs in (_FIRST_OF_FOUR, _LAST_OF_FOUR):
        return "UTF-32"
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff")) or signs in (_FIRST_OF_TWO, _LAST_OF_TWO)
    return "UTF-16" if wide else None


#: Which bytes of JSON in wide units are not null: it begins with two signs of ASCII.
_FIRST_OF_FOUR, _LAST_OF_FOUR = (True, False, False, False), (False, False, False, True)
_FIRST_OF_TWO, _LAST_OF_TWO = (True, False, True, False), (False, True, False, True)


def _whole(value: Any) -> Any:
    """Return what was read with a sign for the unreadable where there is half of one."""
    if isinstance(value, str):
        return _HALVES.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value


_GIVE = "Give a file that Jupyter saved (.ipynb)."


def _cells(content: Mapping[str, Any], name: str) -> list[Cell]:
    listed = content.get("cells")
    version = content.get("nbformat")
    # Without a version it is read as the present one.
    if version is not None and type(version) is not int:
        raise PageError(
            f"{name} is no notebook: its nbformat is {shown(version)}, and that is a whole number such as "
            f"{_FORMAT}. {_GIVE}",
            _WHERE,
        )
    if "worksheets" in content or version not in (None, _FORMAT):
        raise PageError(
            f"{name} is saved in the notebook format {shown(version)}; format {_FORMAT} is read. Open it in "
            "Jupyter and save it again, or use `jupyter nbconvert --to notebook`.",
            _WHERE,
        )
    if not isinstance(listed, list) or not all(isinstance(cell, Mapping) for cell in listed):
        raise PageError(f"{name} is no notebook: it holds no cells. {_GIVE}", _WHERE)
    return [_cell(cell) for cell in listed]


def _cell(cell: Mapping[str, Any]) -> Cell:
    metadata = _within(cell, "metadata")
    tags = metadata.get("tags")
    named = {tag for tag in tags if isinstance(tag, str)} if isinstance(tags, list) else set()
    hidden = _within(metadata, "jupyter")
    named |= {tag for key, tag in _HIDDEN.items() if hidden.get(key)}
    listed = cell.get("outputs")
    outputs = listed if isinstance(listed, list) else []
    return Cell(
        str(cell.get("cell_type")),
        joined(cell.get("source")),
        tuple(output for output in outputs if isinstance(output, Mapping)),
        _within(cell, "attachments"),
        frozenset(named | ({_RUN} if cell.get("execution_count") is not None else set())),
    )


#: Marks of Jupyter's own for what tags say elsewhere.
_HIDDEN = {"source_hidden": "hide-input", "outputs_hidden": "hide-output"}
#: Stands among the tags of a cell that has a number.
_RUN = "pdp-run"


def _check_run(cells: list[Cell], name: str) -> None:
    code = [cell for cell in cells if cell.kind == "code"]
    written = [(k, cell) for k, cell in enumerate(code, 1) if _has_code(cell.source)]
    missing = [k for k, cell in written if not cell.outputs and _RUN not in cell.tags]
    if missing and len(missing) == len(written):
        raise PageError(f"{name} was not run: its code cells have no outputs. {_AGAIN}", _WHERE)
    if missing:
        listed = f"{'cell' if len(missing) == 1 else 'cells'} {', '.join(map(str, missing[:8]))}"
        more = f" and {len(missing) - 8} more" if len(missing) > 8 else ""
        raise PageError(
            f"{name} was run in part: of its {len(code)} code cells, {listed}{more} did not run "
            f"({_first_line(code[missing[0] - 1])}). {_AGAIN}",
            _WHERE,
        )
    for k, cell in enumerate(code, 1):
        for output in cell.outputs:
            if output.get("output_type") == "error" and "raises-exception" not in cell.tags:
                error = str(output.get("ename") or "an error")[:60]
                raise PageError(
                    f"{name} was run in part: code cell {k} ended with {error} ({_first_line(cell)}). "
                    "Mend it, or give the cell the tag raises-exception if the error is meant to be shown.",
                    _WHERE,
                )


def _has_code(source: str) -> bool:
    """Whether a cell has anything to run: some editors give one of comments alone no number."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in source.splitlines())


def _first_line(cell: Cell) -> str:
    lines = [line.strip() for line in cell.source.splitlines() if line.strip()]
    line = next((line for line in lines if not line.startswith("#")), lines[0] if lines else "")
    return f"`{line if len(line) <= 50 else line[:49] + '…'}`"


def _check_shown(cells: list[Cell], name: str) -> None:
    found = 0
    for k, cell in enumerate((cell for cell in cells if cell.kind == "code"), 1):
        for output in cell.outputs:
            data = output.get("data")
            if not isinstance(data, Mapping):
                continue
            if VIEW_TYPE in data:
                checked_state(data[VIEW_TYPE])
                found += 1
            elif _PICTURE.search(joined(data.get("text/html"))):
                raise PageError(
                    f"{name} was saved by an older version of pdp_widgets: code cell {k} shows the picture "
                    f"of a widget without its state. {_AGAIN}",
                    _WHERE,
                )
            elif _CHART.search(joined(data.get("text/html"))):
                found += 1
    if not found:
        raise PageError(
            f"{name} shows no widget of pdp_widgets, nor a chart of it. Show one as the last line of a cell, "
            "for example PriorExplorer(joint); a widget in a box or an Output leaves no picture. "
            f"{_AGAIN}",
            _WHERE,
        )


def _title(cells: list[Cell], stem: str) -> str:
    for cell in cells:
        if cell.kind != "markdown":
            continue
        for line in cell.source.splitlines():
            heading = _HEADING.match(line)
            # As a title it is plain text: marks of Markdown would be read as they are.
            text = re.sub(r"[*_`]", "", heading[1].strip().rstrip("#").strip()) if heading else ""
            if text:
                return text[:_LONGEST_TITLE]
    return stem
