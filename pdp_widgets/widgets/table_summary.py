"""What a browser shows of a table with too many cells to be sent: marginals, dependence, common rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["correlations", "table_summary"]

#: Labels of one tuple, pairs of tuples and rows that are listed; the others are counted.
_LABELS, _PAIRS, _ROWS = 8, 8, 10
#: Cells whose labels are held at a time.
_BLOCK = 1 << 16

Floats = NDArray[np.float64]


def table_summary(distribution: JointDistribution) -> dict[str, Any]:
    """Return a table in a few numbers, less than 20 kB whatever its size.

    Returns
    -------
    state
        ``cells`` and how many of them can occur (``possible``); ``marginals``, for every tuple the positions
        of its most probable labels in the order of the domain, their probabilities and how many labels are
        left out; ``pairs``, the strongest of all ``pairs_count`` correlations; ``rows``, the most probable
        ones as label positions, among equals in table order.

    Examples
    --------
    >>> state = table_summary(JointDistribution([[0.4, 0.1], [0.1, 0.4]]))
    >>> state["cells"], state["possible"], state["marginals"][0]
    (4, 4, {'labels': [0, 1], 'values': [0.5, 0.5], 'others': 0})
    >>> [(pair, round(value, 6)) for pair, value in state["pairs"]], state["rows"][:1]
    ([((0, 1), 0.6)], [([0, 0], 0.4)])
    """
    table = distribution.table
    pairs = correlations(distribution)
    strongest = sorted(pairs, key=lambda pair: (-abs(pair[1]) if math.isfinite(pair[1]) else 1.0, pair[0]))
    return {
        "cells": table.size,
        "possible": int(np.count_nonzero(table)),
        "marginals": [_marginal(values) for values in distribution.marginals()],
        "pairs": strongest[:_PAIRS],
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


def correlations(distribution: JointDistribution) -> list[tuple[tuple[int, int], float]]:
    """Return Pearson's correlation of every pair of tuples, NaN where one has no variance.

    Labels count as the numbers they are; where one of a tuple is no number, all of them count by position.
    """
    n = distribution.n_tuples
    scores = [np.array(_scores(domain)) for domain in distribution.domains]
    centred = [x - float(p @ x) for x, p in zip(scores, distribution.marginals(), strict=True)]
    flat = distribution.table.ravel()
    cells = np.flatnonzero(flat)
    moments = np.zeros((n, n))
    for start in range(0, cells.size, _BLOCK):
        block = cells[start : start + _BLOCK]
        positions = np.unravel_index(block, distribution.shape)
        values = np.stack([x[at] for x, at in zip(centred, positions, strict=True)])
        moments += (values * flat[block]) @ values.T
    spread = np.sqrt(np.diagonal(moments))
    found = []
    for i in range(n):
        for j in range(i + 1, n):
            size = float(spread[i] * spread[j])
            value = max(-1.0, min(1.0, float(moments[i, j]) / size)) if size > 0 else math.nan
            found.append(((i, j), value))
    return found


def _scores(domain: tuple[Any, ...]) -> list[float]:
    """Return the number behind each label, as the table on screen does."""
    try:
        numbers = [float(str(label)) for label in domain]
    except ValueError:
        numbers = [math.nan]
    return numbers if all(map(math.isfinite, numbers)) else [float(k) for k in range(len(domain))]
