"""Notebooks for tests of publication: run in this process, without a kernel, into what Jupyter would save."""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
from pathlib import Path
from typing import Any

from pdp_widgets.publish import Snapshot
from pdp_widgets.publish.page_state import VIEW_TYPE

ROOT = Path(__file__).resolve().parents[2]
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
Json = dict[str, Any]


def markdown(source: str, **more: Any) -> Json:
    """Return a cell of words."""
    return {"cell_type": "markdown", "metadata": {}, "source": source, **more}


def code(source: str, *outputs: Json, count: int | None = 1, tags: tuple[str, ...] = ()) -> Json:
    """Return a cell of code with what it put out."""
    metadata = {"tags": list(tags)} if tags else {}
    return {
        "cell_type": "code",
        "metadata": metadata,
        "source": source,
        "outputs": list(outputs),
        "execution_count": count,
    }


def output(data: Json) -> Json:
    """Return what a cell displayed, by media type."""
    return {"output_type": "display_data", "metadata": {}, "data": data}


def shown(widget: Any) -> list[Json]:
    """Return the two outputs of a widget: its picture with the state, and the live view."""
    view = {"version_major": 2, "version_minor": 0, "model_id": "0" * 32}
    return [output(widget.saved_outputs()), output({WIDGET_VIEW: view})]


def notebook(*cells: Json) -> Json:
    """Return a notebook as it is saved."""
    metadata = {"language_info": {"name": "python"}}
    return json.loads(
        json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)})
    )


def saved(path: Path, *cells: Json) -> Path:
    """Write a notebook to a file."""
    path.write_text(json.dumps(notebook(*cells)), encoding="utf-8")
    return path


def run(name: str) -> tuple[Json, Json]:
    """Run one of the project's notebooks; return it with fresh outputs, and its variables."""
    content = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    variables: Json = {}
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = _outputs("".join(cell["source"]), variables)
    return content, variables


def _outputs(source: str, variables: Json) -> list[Json]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(tree, "cell", "exec"), variables)
        value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), variables)
    outputs = (
        [{"output_type": "stream", "name": "stdout", "text": said.getvalue()}] if said.getvalue() else []
    )
    if value is None:
        return outputs
    if hasattr(value, "saved_outputs"):
        return [*outputs, *shown(value)]
    data = value._repr_mimebundle_() if isinstance(value, Snapshot) else {"text/plain": repr(value)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_()
    return [*outputs, output(data)]


def damaged(widget: Any, **changes: Any) -> Json:
    """Return the picture of a widget with another state beside it."""
    bundle = widget.saved_outputs()
    bundle[VIEW_TYPE] = {**bundle[VIEW_TYPE], **changes}
    return output(bundle)


def png() -> str:
    """Return the smallest picture, as base64."""
    data = (
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
        b"\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82"
    )
    return base64.b64encode(data).decode()
