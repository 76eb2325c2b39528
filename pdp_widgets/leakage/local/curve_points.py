"""The points that decide every pair's leakage at every budget, for those who evaluate them elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pdp_widgets.leakage.local.hull import upper_left_hull
from pdp_widgets.leakage.local.pairwise_leakages import MatrixValues

if TYPE_CHECKING:
    from pdp_widgets.leakage.local.local_analysis import LocalAnalysis

__all__ = ["CurvePoints", "curve_points", "points_work"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CurvePoints:
    """Points (A, B) of all ordered pairs: a leakage is the largest ln (1 + lam A) / (1 + lam B)."""

    #: Where the points of pair ``source * n + secret`` begin; one more entry than there are pairs.
    starts: Ints
    a: Floats
    b: Floats


def curve_points(analysis: LocalAnalysis) -> CurvePoints | None:
    """Return the points of all pairs; None where sets of one size or a matrix decide."""
    values = analysis.matrix_values
    n = values.tables.n
    kinds = {reading.kind for reading in analysis.readings}
    if n < 2:
        return CurvePoints(np.zeros(n * n + 1, dtype=np.int64), np.zeros(0), np.zeros(0))
    if kinds == {"singletons"}:
        return _joined(n, *_of_symbols(values))
    if kinds == {"all"}:
        return _joined(n, *_of_subsets(values))
    return None


def points_work(analysis: LocalAnalysis) -> float:
    """Return how many numbers are sorted for the points; those of single symbols need next to nothing."""
    if any(reading.kind != "all" for reading in analysis.readings):
        return 0.0
    return analysis.matrix_values.points_work


def _of_symbols(values: MatrixValues) -> tuple[Ints, Floats, Floats]:
    """Return pairs and points of reports that favour one symbol."""
    high, low = values.extremes
    tables, n = values.tables, values.tables.n
    pairs, above, below = [], [], []
    for size in sorted(set(tables.sizes.tolist())):
        at = np.flatnonzero(tables.sizes == size)
        columns = tables.starts[at][:, None] + np.arange(size)
        # [source, secret, symbol]
        a, b = high[:, columns].swapaxes(0, 1), low[:, columns].swapaxes(0, 1)
        made = upper_left_hull(
            a.reshape(-1, size), b.reshape(-1, size), np.zeros((len(at) * n, size), dtype=np.int64)
        )
        kept = made.a > 0
        pair = (at[:, None] * n + np.arange(n)).ravel()
        pairs.append(np.broadcast_to(pair[:, None], made.a.shape)[kept])
        above.append(made.a[kept])
        below.append(made.b[kept])
    return np.concatenate(pairs), np.concatenate(above), np.concatenate(below)


def _of_subsets(values: MatrixValues) -> tuple[Ints, Floats, Floats]:
    """Return pairs and points of reports that favour any set."""
    n, fronts = values.tables.n, values.fronts
    secret, source = np.nonzero(~np.eye(n, dtype=np.bool_))
    kept = fronts.a > 0
    pair = np.broadcast_to((source * n + secret)[:, None], fronts.a.shape)
    return pair[kept], fronts.a[kept], fronts.b[kept]


def _joined(n: int, pairs: Ints, a: Floats, b: Floats) -> CurvePoints:
    order = np.argsort(pairs, kind="stable")
    starts = np.zeros(n * n + 1, dtype=np.int64)
    starts[1:] = np.cumsum(np.bincount(pairs, minlength=n * n))
    return CurvePoints(starts, a[order], b[order])
