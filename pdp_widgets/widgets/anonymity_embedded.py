"""What a page of a k-anonymous table needs to compute without a kernel, and its view does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pdp_widgets.widgets.anonymity_views import sent_rows
from pdp_widgets.widgets.wire import float_bytes

if TYPE_CHECKING:
    from pdp_widgets.widgets.anonymity_state import AnonymityState

__all__ = ["anonymity_embedded"]

_NAMES = (
    *("quasi", "secret", "k", "release", "neighbour", "group_change", "shift", "level", "known"),
    *("neighbours", "epsilon", "events", "delta1", "printed", "reading", "n"),
)


#: Different values of one column, and of all together: what a page carries is small.
_COLUMN, _TOGETHER = 4096, 8192


def anonymity_embedded(core: AnonymityState) -> dict[str, Any]:
    """Return the inputs that results belong to where others stand in the controls, and laws of records.

    Laws are there where not all records travel: how often every value occurs among the published records, by
    column. All that k, quasi-identifiers and the secret leave as it is follows from them.

    Examples
    --------
    >>> from pdp_widgets import AnonymityExplorer
    >>> explorer = AnonymityExplorer()
    >>> anonymity_embedded(explorer._core)
    {}
    >>> explorer._core.ask({"k": 500})
    >>> anonymity_embedded(explorer._core)["sound"]["k"]
    5
    """
    made: dict[str, Any] = {}
    sound = {name: getattr(core.inputs, name) for name in _NAMES}
    if any(core.asked[name] != sound[name] for name in _NAMES):
        made["sound"] = {**sound, "quasi": list(sound["quasi"])}
    if sent_rows(core.data, core.results) is not None and all(
        core.asked[name] == sound[name] for name in ("quasi", "secret", "k")
    ):
        made["laws"] = _laws(core)
    return made


def _laws(core: AnonymityState) -> dict[str, Any]:
    """Return the occurrences of values, those of columns with few of them first as far as there is room."""
    rows, secret = core.results.analysis.classes.rows, core.inputs.secret
    found: list[dict[str, bytes] | None] = [None] * len(core.data.names)
    counted = []
    for place, column in enumerate(core.data.columns):
        if column.labels is None or place == secret:
            values = column.values[rows]
            known, counts = np.unique(values[~np.isnan(values)] + 0.0, return_counts=True)
            counted.append((len(known), place, known, counts))
    left = _TOGETHER
    for size, place, known, counts in sorted(counted, key=lambda one: one[:2]):
        if size <= min(left, _COLUMN):
            left -= size
            found[place] = {"values": float_bytes(known), "counts": float_bytes(counts.astype(np.float64))}
    return {"published": len(rows), "columns": found}
