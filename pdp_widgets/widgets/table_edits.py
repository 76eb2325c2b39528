"""What stands in a joint table while it is edited, valid or not, and the last valid distribution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdp_widgets.errors import LimitError, PdpError, TableError, Where
from pdp_widgets.models import editing
from pdp_widgets.models.dependence import dependences, strongest
from pdp_widgets.models.editing import edited_title
from pdp_widgets.models.joint_distribution import JointDistribution
from pdp_widgets.widgets.wire import (
    flag_bytes,
    flags,
    float_bytes,
    floats,
    label_texts,
    sent_flag,
    sent_positions,
)

#: Labels of one tuple, pairs of tuples and rows that are listed; the others are counted.
_LABELS, _PAIRS, _ROWS = 8, 8, 10

Floats = NDArray[np.float64]


def table_summary(distribution: JointDistribution) -> dict[str, Any]:
    """Return a table in a few numbers, less than 20 kB whatever its size."""
    table = distribution.table
    pairs = dependences(distribution)
    return {
        "cells": table.size,
        "possible": int(np.count_nonzero(table)),
        "marginals": [_marginal(values) for values in distribution.marginals()],
        "pairs": [(one.pair, one.value, one.signed) for one in strongest(pairs, _PAIRS)],
        "pairs_count": len(pairs),
        "rows": _rows(table),
    }


def _marginal(values: Floats) -> dict[str, Any]:
    most = np.argsort(-values, kind="stable")[:_LABELS]
    listed = sorted(most.tolist())
    return {"labels": listed, "values": values[listed].tolist(), "others": values.size - len(listed)}


def _rows(table: Floats) -> list[tuple[list[int], float]]:
    flat = table.ravel()
    count = min(_ROWS, int(np.count_nonzero(flat)))
    # All that are as probable as the last one listed, so that among equals the first ones stand.
    least = np.partition(flat, flat.size - count)[flat.size - count]
    candidates = np.flatnonzero(flat >= least)
    most = candidates[np.argsort(-flat[candidates], kind="stable")][:count]
    return [([int(p) for p in np.unravel_index(int(at), table.shape)], float(flat[at])) for at in most]


#: All cells travel with every edit; this many keep the state shared with a browser well under 200 kB.
MOST_CELLS = 2048
#: Columns of cells that fit beside the rest of an explorer.
_WIDEST = 4


def default_pivot(shape: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return which tuples stand in rows and which in columns: at most half of them, and 4 columns."""
    n = len(shape)
    first = n
    width = 1
    while first > 1 and n - first < n // 2 and width * shape[first - 1] <= _WIDEST:
        first -= 1
        width *= shape[first]
    if first == n and n > 1:
        first = n - 1
    return list(range(first)), list(range(first, n))


class TableEdits:
    """The cells of a joint table under edit."""

    def __init__(self, distribution: JointDistribution, *, summary_beyond: int | None = None) -> None:
        self.keep_sum = True
        self._summary_beyond = summary_beyond
        self._summarised: tuple[JointDistribution, dict[str, Any]] | None = None
        self.load(distribution)

    def load(self, distribution: JointDistribution) -> None:
        """Start afresh from a distribution."""
        if self._summary_beyond is None:
            check_size(distribution)
        self.loaded = distribution
        self.locks: NDArray[np.bool_] = np.zeros(distribution.shape, dtype=bool)
        self.rows, self.columns = default_pivot(distribution.shape)
        self._take(distribution)

    def replace(self, distribution: JointDistribution) -> None:
        """Take another distribution: as an edit with the same name, tuples and labels, else as new."""
        title = self.loaded.title
        named_alike = distribution.title in (title, edited_title(title))
        if named_alike and same_rows(distribution, self.distribution):
            self._take(distribution)
        else:
            self.load(distribution)

    def _take(self, distribution: JointDistribution) -> None:
        self.distribution = distribution
        self.entries: NDArray[np.float64] = distribution.table
        self.fault: PdpError | None = None

    @property
    def on_screen(self) -> bool:
        """Whether all cells are sent to the browser and can be edited there."""
        return self._summary_beyond is None or self.distribution.table.size <= self._summary_beyond

    @property
    def current(self) -> bool:
        """Whether the last valid distribution is what stands in the cells."""
        return self.fault is None

    def put(self, entries: ArrayLike) -> None:
        """Put numbers into all cells; if they are no distribution, ``fault`` says why, the last one stays."""
        numbers = np.array(entries, dtype=np.float64).reshape(self.distribution.shape)
        try:
            made = self._made(numbers)
        except PdpError as fault:
            self.entries, self.fault = numbers, fault
        else:
            self._take(made)

    def _made(self, numbers: NDArray[np.float64]) -> JointDistribution:
        # Back at the numbers that were loaded it is that distribution again, counts included.
        for known in (self.distribution, self.loaded):
            if np.array_equal(numbers, known.table):
                return known
        now = self.distribution
        return JointDistribution(numbers, now.domains, now.names, title=edited_title(self.loaded.title))

    def ask(self, request: Mapping[str, Any]) -> None:
        """Take what the hand set in a browser; what the request does not carry stays."""
        shape, size = self.distribution.shape, self.distribution.table.size
        sent = request if self.on_screen else {}
        entries = floats(sent["entries"], size) if "entries" in sent else None
        locks = flags(sent["locks"], size) if "locks" in sent else None
        rows, columns = (
            sent_positions(request, name, len(shape), getattr(self, name)) for name in ("rows", "columns")
        )
        if sorted(rows + columns) == list(range(len(shape))):
            self.rows, self.columns = rows, columns
        self.keep_sum = sent_flag(request, "keep_sum", self.keep_sum)
        if locks is not None:
            self.locks = locks.reshape(shape)
        if entries is not None and not np.array_equal(entries, self.entries.ravel(), equal_nan=True):
            self.put(entries)

    def cell(self, cell: Mapping[str | int, Any] | Sequence[Any]) -> tuple[int, ...]:
        """Return the positions of a cell given as ``{tuple: label}`` or as a row of labels."""
        now = self.distribution
        if not isinstance(cell, Mapping):
            return now.position(cell)
        labels = now.by_axis(cell, "cell's")
        missing = [now.names[j] for j in range(now.n_tuples) if j not in labels]
        if missing:
            raise TableError(
                f"A cell has one label for each tuple; {', '.join(missing)} is missing.", Where("table")
            )
        return now.position([labels[j] for j in range(now.n_tuples)])

    def set_cell(self, cell: Mapping[str | int, Any] | Sequence[Any], p: float) -> None:
        """Set one cell, and in the mode that keeps the sum rescale the other unlocked ones."""
        index = self.cell(cell)
        if self.keep_sum:
            self.put(editing.set_cell(self.entries, index, p, self.locks))
            return
        entries = np.array(self.entries)
        entries[index] = p
        self.put(entries)

    def lock(self, cells: Iterable[Any], locked: bool) -> None:
        """Lock or unlock cells."""
        indices = [self.cell(cell) for cell in cells]
        locks = self.locks.copy()
        for index in indices:
            locks[index] = locked
        self.locks = locks

    def normalise(self) -> None:
        """Rescale the unlocked cells so that the sum is 1."""
        self.put(editing.normalise(self.entries, self.locks))

    def independent(self) -> None:
        """Replace the entries by the product of their marginals."""
        self.put(editing.independent(self.entries))

    def _summary(self) -> dict[str, Any]:
        if self._summarised is None or self._summarised[0] is not self.distribution:
            self._summarised = self.distribution, table_summary(self.distribution)
        return self._summarised[1]

    def state(self, disabled: bool) -> dict[str, Any]:
        """Return what the browser shows of the table: without its cells when they are too many."""
        now = self.distribution
        if self.on_screen:
            cells = (float_bytes(self.entries), flag_bytes(self.locks), float_bytes(self.loaded.table))
        else:
            cells = (b"", b"", b"")
        entries, locks, loaded = cells
        # The browser sees an edit before Python does, and says so itself.
        name = self.loaded.title
        title = name if now.title == edited_title(name) else now.title
        return {
            "spec": {
                "title": label_texts([title])[0],
                "names": label_texts(now.names),
                "labels": [label_texts(domain, count=sum(now.shape)) for domain in now.domains],
                "records": now.records,
            },
            "entries": entries,
            "locks": locks,
            "loaded": loaded,
            "summary": None if self.on_screen else self._summary(),
            "keep_sum": self.keep_sum,
            "rows": self.rows,
            "columns": self.columns,
            "disabled": disabled,
        }


def labelled(d: JointDistribution) -> Any:
    """Return what a position in the table stands for: names and labels, types and order included."""
    return d.names, [[(type(label), label) for label in domain] for domain in d.domains]


def same_rows(a: JointDistribution, b: JointDistribution) -> bool:
    """Whether two distributions have the same tuples and the same labels."""
    return bool(labelled(a) == labelled(b))


def check_size(distribution: JointDistribution) -> None:
    """Raise LimitError for a table with too many cells to be shown."""
    size = distribution.table.size
    if size > MOST_CELLS:
        raise LimitError(
            f"The table has {size:,} cells; a table on screen has at most {MOST_CELLS:,}. "
            "Show some of the tuples with marginal(...), or compute without a widget.",
            Where("table"),
        )
