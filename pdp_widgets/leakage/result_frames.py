"""Node arrays, and other columns of results, as a pandas data frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pdp_widgets.leakage.adversary import known_of, layers
from pdp_widgets.models.pandas_frames import pandas_frame

__all__ = ["as_dataframe", "node_columns", "node_dataframe"]


def as_dataframe(columns: Mapping[str, Any], attrs: Mapping[str, Any]) -> Any:
    """Return a pandas data frame."""
    frame = pandas_frame(columns)
    # A result made from given numbers has no source of its own.
    frame.attrs.update({**attrs, "source": attrs["source"] or "given numbers"})
    return frame


def node_dataframe(
    names: Sequence[str],
    columns: Mapping[str, Any],
    source: str = "",
    status: Mapping[str, str] | None = None,
) -> Any:
    """Return a pandas data frame with one adversary a row, by target, then by column of the node arrays."""
    # Columns are node arrays of shape (n, 2**(n-1)), or one value for all rows. They follow ``target``,
    # ``known`` (names joined by a comma) and ``layer``.
    about = {"unit": "nats", "source": source, "status": dict(status or {})}
    return as_dataframe(node_columns(names, columns), about)


def node_columns(names: Sequence[str], columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of `node_dataframe` without pandas."""
    n = len(names)
    width = 1 << (n - 1)
    return {
        "target": [name for name in names for _ in range(width)],
        "known": [", ".join(names[k] for k in known_of(n, i, c)) for i in range(n) for c in range(width)],
        "layer": np.tile(layers(n), n),
        **{name: c.ravel() if isinstance(c, np.ndarray) else c for name, c in columns.items()},
    }
