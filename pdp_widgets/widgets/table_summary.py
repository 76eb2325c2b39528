"""What a browser shows of a table with too many cells to be sent: marginals, dependence, common rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.dependence import dependences, strongest
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["table_summary"]

#: Labels of one tuple, pairs of tuples and rows that are listed; the others are counted.
_LABELS, _PAIRS, _ROWS = 8, 8, 10

Floats = NDArray[np.float64]


def table_summary(distribution: JointDistribution) -> dict[str, Any]:
    """Return a table in a few numbers, less than 20 kB whatever its size.

    Returns
    -------
    state
        ``cells`` and how many of them can occur (``possible``); ``marginals``, for every tuple the positions
        of its most probable labels in the order of the domain, their probabilities and how many labels are
        left out; ``pairs``, the strongest of all ``pairs_count`` dependences, each with whether it is a
        correlation; ``rows``, the most probable ones as label positions, among equals in table order.

    Examples
    --------
    >>> state = table_summary(JointDistribution([[0.4, 0.1], [0.1, 0.4]]))
    >>> state["cells"], state["possible"], state["marginals"][0]
    (4, 4, {'labels': [0, 1], 'values': [0.5, 0.5], 'others': 0})
    >>> [(pair, round(value, 6)) for pair, value, _ in state["pairs"]], state["rows"][:1]
    ([((0, 1), 0.6)], [([0, 0], 0.4)])
    """
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
