"""What JupyterLab's extension asks of a kernel: explorers of its tabs, data frames and files, and exports."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pdp_widgets.core.checks import shown
from pdp_widgets.errors import DataRemark, DomainError, Where
from pdp_widgets.models.attribute_table import AttributeTable
from pdp_widgets.models.frames import column_names, columns_of, is_frame, labelled_values, number_array
from pdp_widgets.models.gaussian_model import GaussianModel
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.models.labels import short
from pdp_widgets.models.microdata import Microdata
from pdp_widgets.models.read_table import read_table
from pdp_widgets.models.sparse_joint import SparseJoint
from pdp_widgets.models.stream_data import StreamData
from pdp_widgets.models.table import Table
from pdp_widgets.publish.page import html
from pdp_widgets.widgets.anonymity_explorer import AnonymityExplorer
from pdp_widgets.widgets.computed_beside import ComputedBeside
from pdp_widgets.widgets.dependence_explorer import DependenceExplorer
from pdp_widgets.widgets.document import document_text, opened
from pdp_widgets.widgets.gaussian_explorer import GaussianExplorer
from pdp_widgets.widgets.local_explorer import LocalExplorer
from pdp_widgets.widgets.prior_explorer import PriorExplorer
from pdp_widgets.widgets.stream_simulator import StreamSimulator

__all__ = [
    "Told",
    "close_tab",
    "described",
    "exported",
    "file_described",
    "frames",
    "made",
    "made_of_file",
    "open_tab",
]

#: Labels of a column of texts that are named; of numbers it is the least and the largest.
_NAMED = 4


class Told:
    """What JupyterLab is told, as JSON."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def _repr_json_(self) -> Any:
        return self.data


# Tabs with this kernel. Nothing else holds their explorers.

_TABS: dict[str, ComputedBeside] = {}


def open_tab(text: str) -> str:
    """Make the explorer of a tab, and return the id of its model; what takes long comes later."""
    explorer = opened(text, wait=False)
    _TABS[explorer.model_id] = explorer
    return explorer.model_id


def close_tab(model: str) -> None:
    """End the explorer of a tab that was closed, or has another document."""
    explorer = _TABS.pop(model, None)
    if explorer is not None:
        explorer.close()


# Tables: what is in a notebook or a file, before anything is computed.


def frames(names: Mapping[str, Any]) -> Told:
    """Return the data frames among the names of a notebook, and how large they are."""
    found = []
    for name, value in list(names.items()):
        # A dict or an explorer has columns as well; nobody means it by a data frame.
        ours = type(value).__module__.startswith("pdp_widgets.") and not isinstance(value, Table)
        if name.startswith("_") or ours or isinstance(value, type | type(sys) | dict) or not is_frame(value):
            continue
        rows = value.rows if isinstance(value, Table) else getattr(value, "shape", (None,))[0]
        found.append({"name": name, "rows": rows, "columns": len(column_names(value))})
    return Told(found)


def described(frame: Any) -> Told:
    """Return rows and columns of a data frame: of each its type, its labels and how many cells are empty."""
    names = column_names(frame)
    read = columns_of(frame, names)
    remarks = list(getattr(frame, "remarks", ())) if isinstance(frame, Table) else []
    rows = len(read[0]) if read else 0
    return Told({"rows": rows, "columns": list(map(_described, names, read)), "remarks": remarks})


def _described(name: str, column: Any) -> dict[str, Any]:
    numbers = number_array(column)
    try:
        if numbers is None:
            # In columns of objects a gap is a number that is none.
            known: Any = [one for one in labelled_values(column, name)[0] if one is not None and one == one]
            labels = list(dict.fromkeys(known))
            first = [short(str(label)) for label in labels[:_NAMED]]
        else:
            known = numbers[~np.isnan(numbers)] if numbers.dtype.kind == "f" else numbers
            labels = np.unique(known).tolist()
            first = [f"{label:g}" for label in labels[:: max(1, len(labels) - 1)][:2]]
    except (DomainError, TypeError):
        return {"name": name, "type": "other", "labels": 0, "first": [], "missing": 0}
    return {
        "name": name,
        "type": "texts" if numbers is None else "numbers",
        "labels": len(labels),
        "first": first,
        "missing": len(column) - len(known),
    }


def file_described(path: str) -> Told:
    """Return what is in a file, as `read_table` reads it."""
    return described(_read(path))


def _read(path: str) -> Table:
    with warnings.catch_warnings():
        # They are said beside the columns.
        warnings.simplefilter("ignore", DataRemark)
        return read_table(path)


def _of_records(frame: Any, columns: Sequence[str], title: str) -> AnonymityExplorer:
    chosen = dict(zip(columns, columns_of(frame, columns), strict=True))
    return AnonymityExplorer(Microdata(chosen, title=title))


def _of_stream(frame: Any, columns: Sequence[str], title: str) -> StreamSimulator:
    symbol = columns[0] if len(columns) == 1 else columns
    return StreamSimulator(StreamData.from_dataframe(frame, symbol, title=title))


#: The explorers that open on a table: of a frame, the names of columns and a title.
_OPENS: Mapping[str, Callable[[Any, Sequence[str], str], ComputedBeside]] = {
    "PriorExplorer": lambda frame, names, title: PriorExplorer(
        JointDistribution.from_dataframe(frame, names, title=title)
    ),
    "GaussianExplorer": lambda frame, names, title: GaussianExplorer(
        GaussianModel.from_dataframe(frame, names, title=title)
    ),
    "LocalExplorer": lambda frame, names, title: LocalExplorer(
        AttributeTable.from_dataframe(frame, names, title=title)
    ),
    "DependenceExplorer": lambda frame, names, title: DependenceExplorer(
        SparseJoint.from_dataframe(frame, names, title=title)
    ),
    "AnonymityExplorer": _of_records,
    "StreamSimulator": _of_stream,
}


def made(explorer: str, frame: Any, columns: Sequence[str], title: str) -> Told:
    """Return the document of an explorer that opens on columns of a data frame."""
    if explorer not in _OPENS:
        raise DomainError(
            f"The explorer is {shown(explorer)}; on a table opens one of {', '.join(_OPENS)}.",
            Where("parameter", name="explorer"),
        )
    if not columns:
        raise DomainError("No column is chosen; choose at least one.", Where("parameter", name="columns"))
    opened_on = _OPENS[explorer](frame, list(columns), title)
    try:
        opened_on.wait()
        return Told({"text": document_text(opened_on)})
    finally:
        opened_on.close()


def made_of_file(explorer: str, path: str, columns: Sequence[str]) -> Told:
    """Return the document of an explorer that opens on columns of a file."""
    table = _read(path)
    return made(explorer, table, columns, table.title)


# A document as another file.


def _latex(explorer: Any, path: Path) -> None:
    write = getattr(explorer, "to_latex", None) or explorer.results.to_latex
    path.write_text(write(), encoding="utf-8")


_EXPORTS: Mapping[str, Callable[[Any, Path], object]] = {
    "html": html,
    "svg": lambda explorer, path: explorer.save(path, "all", width="page", theme="light"),
    "tex": _latex,
}


def exported(text: str, ending: str) -> Told:
    """Return a document as a page (``"html"``), a picture (``"svg"``) or a LaTeX table (``"tex"``)."""
    explorer = opened(text)
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(os.path.join(folder, f"explorer.{ending}"))
            _EXPORTS[ending](explorer, path)
            return Told({"text": path.read_text(encoding="utf-8")})
    finally:
        explorer.close()
