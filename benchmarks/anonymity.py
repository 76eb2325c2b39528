"""Releases without noise: exact slacks of counts and of sums of many records."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Row, measure
from pdp_widgets.leakage.noiseless.count_slack import count_slack
from pdp_widgets.leakage.noiseless.record_law import RecordLaw
from pdp_widgets.leakage.noiseless.record_sum import LatticeLaw, Records, RecordSum, sum_law
from pdp_widgets.leakage.noiseless.sum_slack import sum_slack
from pdp_widgets.mechanisms.anonymity.selected_count import SelectedCount

__all__ = ["anonymity_rows"]


def random_laws(size: int) -> list[tuple[RecordLaw, int]]:
    """Return records on 0 to 10, each with a law of its own."""
    weights = np.random.default_rng(1).random((size, 11))
    return [(RecordLaw(np.arange(11), row / row.sum()), 1) for row in weights]


def one_by_one(records: Records) -> np.ndarray:
    """Convolve the laws one after the other: what a tree is compared with."""
    found = np.ones(1)
    for law, _ in records:
        found = np.convolve(found, law.probabilities)
    return found


def anonymity_rows(largest: int) -> Iterator[Row]:
    """Measure curves of a count and laws of sums; short sums only where sizes are limited."""
    full = largest >= 20
    n = 10_000 if full else 1_000
    release, levels = SelectedCount(n, n // 20, 0.1), np.linspace(0.0, 2.5, 200)
    first, warm = measure(lambda: count_slack(release, levels))
    yield Row("exact slack of a count, 200 epsilons", f"n = {n}", warm, first, most=0.2)

    size = 2_000 if full else 200
    records = random_laws(size)
    first, warm = measure(lambda: sum_law(records))
    _, chained = measure(lambda: one_by_one(records))
    what = "law of a sum of different laws on 0 to 10"
    yield Row(what, f"n = {size}", warm, first, chained, "one after the other", most=0.3)

    size = 10_000 if full else 1_000
    for what, many in (
        ("  law of a sum, all different", random_laws(size)),
        ("  law of a sum, all alike", [(records[0][0], size)]),
    ):

        def law(many: Records = many) -> LatticeLaw:
            return sum_law(many)

        first, warm = measure(law)
        yield Row(what, f"n = {size}", warm, first, most=2.0)
    others = RecordSum.equal(records[0][0], size)
    first, warm = measure(lambda: sum_slack(others, 10.0, levels))
    yield Row("  exact slack of that sum, 200 epsilons", f"n = {size}", warm, first)
