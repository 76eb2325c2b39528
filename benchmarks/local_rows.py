"""Local privacy: leakages of all pairs from records, one large pair, many budgets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.timing import Row, measure
from pdp_widgets.leakage.local.local_analysis import LocalAnalysis
from pdp_widgets.leakage.local.pair_leakage import pair_leakage
from pdp_widgets.mechanisms.local.finite_channel import AnyMechanism
from pdp_widgets.models.attribute_table import AttributeTable

__all__ = ["local_leakage_rows", "mixed_codes", "two_symbol_codes"]

_MIXED = (10, 7, 16, 16, 7, 14, 6, 5, 2, 10, 10, 10, 41, 2)
_BUDGETS = np.linspace(0.1, 5.0, 50)


def two_symbol_codes(records: int, attributes: int) -> np.ndarray:
    """Return records of attributes with two symbols that are correlated."""
    rng = np.random.default_rng(attributes)
    hidden = rng.random((records, 1)) < 0.5
    return ((rng.random((records, attributes)) < 0.3) ^ hidden).astype(np.int8)


def mixed_codes(records: int) -> np.ndarray:
    """Return records of 14 attributes with 2 to 41 symbols, as many as those of UCI Adult."""
    rng = np.random.default_rng(records)
    hidden = rng.random(records)
    columns = []
    for size in _MIXED:
        place = np.where(rng.random(records) < 0.4, hidden, rng.random(records) ** 1.5)
        columns.append(np.minimum((size * place).astype(np.int8), size - 1))
    return np.column_stack(columns)


def _matrix(codes: np.ndarray, sizes: list[int], mechanism: str) -> np.ndarray:
    return LocalAnalysis(AttributeTable(codes, sizes), mechanism, 1.0).matrix


def local_leakage_rows(largest: int) -> Iterator[Row]:
    """Measure leakages of all pairs, from records on; small ones only where sizes are limited."""
    small = largest < 20
    records, attributes = (20_000, 10) if small else (200_000, 40)
    codes, sizes = two_symbol_codes(records, attributes), [2] * attributes
    name = f"all pairs, {records:,} records, any mechanism"
    first, warm = measure(partial(_matrix, codes, sizes, "generic"))
    yield Row(name, f"n = {attributes}", warm, first, most=0.15)
    analysis = LocalAnalysis(AttributeTable(codes, sizes), "generic", 1.0)
    first, many = measure(partial(_several, analysis))
    yield Row(
        "  50 budgets, sorted once", f"n = {attributes}", many, first, warm, "one, with counting", most=0.2
    )
    again = analysis.at(2.0)
    first, one = measure(lambda: again.at(1.5).matrix)
    yield Row("  one more budget, as a slider asks", f"n = {attributes}", one, first, most=0.05)
    mixed = mixed_codes(4_000 if small else 40_000)
    name = f"all pairs, {len(mixed):,} records, 2 to 41 symbols"
    for mechanism in ("generic", "GRR", "SS"):
        first, warm = measure(partial(_matrix, mixed, list(_MIXED), mechanism))
        goal = 0.05 if mechanism == "generic" else None
        yield Row(f"{name}, {mechanism}", "n = 14", warm, first, most=goal)
    k = 60 if small else 300
    rows = np.random.default_rng(k).dirichlet(np.ones(k), k)
    for epsilon in (1.0, 50.0, 710.0):
        first, warm = measure(partial(pair_leakage, rows, AnyMechanism(epsilon), conditional=True))
        yield Row(f"one pair, any mechanism, budget {epsilon:g}", f"k = {k}", warm, first, most=0.4)


def _several(analysis: LocalAnalysis) -> np.ndarray:
    # A new analysis of the same records: the sort is part of what is measured, the counting is not.
    return LocalAnalysis(analysis.data, "generic", 1.0).matrices(_BUDGETS)
