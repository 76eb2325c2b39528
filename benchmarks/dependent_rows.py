"""Dependent tuples: coefficients of all pairs, exact leakage, every set of known tuples, noise and blocks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.timing import Row, measure
from pdp_widgets.leakage.dependent.coefficients import dependence_coefficients
from pdp_widgets.leakage.dependent.dependent_scale import dependent_scale, least_scale
from pdp_widgets.leakage.dependent.tuple_leakage import dependent_leakage, every_known_set
from pdp_widgets.leakage.dependent.underestimated import underestimation_curve
from pdp_widgets.models.dependence import independent_blocks
from pdp_widgets.models.sparse_joint import SparseJoint

__all__ = ["dependent_rows"]

#: Rows, tuples and values of the wide distribution, whole and in tests.
_WIDE = (1_000, 200, 10)
_NARROW = (50, 5, 4)


def dependent_rows(largest: int) -> Iterator[Row]:
    """Measure a wide distribution of many values, and a block of binary tuples."""
    rng = np.random.default_rng(0)
    rows, tuples, values = _WIDE if largest >= 10 else _NARROW
    support = np.unique(rng.integers(0, values, (rows, tuples)), axis=0)
    chances = np.full(len(support), 1 / len(support))
    first, making = measure(lambda: SparseJoint(support, chances).pair_tables)
    yield Row(f"joint of {rows:,} rows, tables of all pairs", f"n = {tuples}", making, first)
    joint = SparseJoint(support, chances)
    for scale, goal in ((1.0, 0.3), (0.001, 3.0)):
        most = goal if largest >= 10 else None
        first, warm = measure(partial(dependence_coefficients, joint, scale))
        yield Row(f"coefficients of all pairs, scale {scale:g}", f"n = {tuples}", warm, first, most=most)
        for kind in ("mean", "eq18"):
            first, bound = measure(partial(dependence_coefficients, joint, scale, kind))
            yield Row(f"  {kind}", f"n = {tuples}", bound, first, warm, "exact")
    yield from _block(min(10, largest))
    yield from _curve(*((2_000, 60) if largest >= 10 else (50, 5)))


def _curve(rows: int, n: int) -> Iterator[Row]:
    """Measure coefficients that are too small at 13 budgets, beside each of them asked for by itself."""
    rng = np.random.default_rng(n)
    support = np.unique(rng.integers(0, 2, (rows, n)), axis=0)
    joint = SparseJoint(support, np.full(len(support), 1 / len(support)))
    _, alone = measure(partial(dependent_scale, joint, "sum", 1.0))
    first, warm = measure(partial(underestimation_curve, joint))
    yield Row(
        "curve of coefficients that are too small", f"n = {n}", warm, first, 13 * alone, "13 scales alone"
    )


def _block(n: int) -> Iterator[Row]:
    """Measure what is asked of a block of binary tuples of which every row is possible."""
    bits = np.arange(1 << n)[:, None] >> np.arange(n) & 1
    block = SparseJoint(bits, np.random.default_rng(n).dirichlet(np.ones(1 << n)))
    size = f"n = {n}"
    for query, goal, all_goal in (("sum", 0.05, 1.5), ("identity", None, None)):
        first, warm = measure(partial(dependent_leakage, block, query, 1.0))
        yield Row(f"exact leakage of dependent tuples, {query}", size, warm, first, most=goal)
        first, every = measure(partial(every_known_set, block, query, 1.0))
        yield Row("  every set of known tuples and its values", size, every, first, most=all_goal)
    for mechanism in ("dpm_exact", "dpm_eq18"):
        first, warm = measure(partial(dependent_scale, block, "sum", 1.0, mechanism))
        yield Row(f"scale of {mechanism}", size, warm, first)
    first, warm = measure(partial(least_scale, block, "sum", 1.0))
    yield Row("least scale that keeps the promise", size, warm, first)
    first, warm = measure(partial(independent_blocks, block))
    yield Row("independent blocks", size, warm, first)
