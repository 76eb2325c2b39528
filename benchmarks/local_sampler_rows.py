"""Local privacy: reports of many people, what is counted and guessed from them, and all pairs of a table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Row, measure
from pdp_widgets.mechanisms.local.mechanism_by_name import mechanism_named
from pdp_widgets.models.pair_counts import count_pairs

__all__ = ["local_sampler_rows"]

_PEOPLE = 100_000
_SYMBOLS = 16
_GOALS = {"GRR": 0.02, "OUE": 0.1}
#: Records, numbers of labels: answers with two labels, and a survey with few and many.
_TABLES = (
    ("40 binary", 200_000, [2] * 40),
    ("14 mixed", 40_000, [10, 7, 16, 16, 7, 14, 6, 5, 2, 6, 10, 10, 41, 2]),
)


def local_sampler_rows(largest: int) -> Iterator[Row]:
    """Measure the samplers of all mechanisms, and counting pairs."""
    people = _PEOPLE if largest >= 10 else 1_000
    rng = np.random.default_rng(1)
    codes = rng.integers(0, _SYMBOLS, people)
    size = f"{people:,}"
    for name in ("GRR", "EXP", "OUE", "SUE", "BLH", "OLH", "SHE", "SS"):
        mechanism = mechanism_named(name, 1.0)
        first, warm = measure(lambda m=mechanism: m.release(codes, _SYMBOLS, rng))
        yield Row(f"local reports, {name}, k = {_SYMBOLS}", size, warm, first, most=_GOALS.get(name))
        reports = mechanism.release(codes, _SYMBOLS, rng)
        first, warm = measure(lambda m=mechanism, r=reports: m.frequencies(r))
        yield Row("  frequencies from them", size, warm, first)
        first, warm = measure(lambda r=reports: r.inferred(rng))
        yield Row("  a guess from each", size, warm, first)
    for what, records, sizes in _TABLES:
        many = records if largest >= 10 else 1_000
        table = np.asfortranarray(np.column_stack([rng.integers(0, k, many) for k in sizes]).astype(np.int8))
        first, warm = measure(lambda t=table, s=sizes: count_pairs(t, s))
        yield Row(f"tables of all pairs of attributes, {what}", f"{many:,}", warm, first)
