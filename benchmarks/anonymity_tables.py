"""Tables made k-anonymous: classes of many records, without each of them, counted ones, a step of epsilon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle

import numpy as np

from benchmarks.timing import Row, measure
from pdp_widgets.leakage.noiseless.anonymity_inputs import AnonymityInputs
from pdp_widgets.leakage.noiseless.anonymity_results import anonymity_results
from pdp_widgets.leakage.noiseless.syntactic_measures import l_diversity, t_closeness
from pdp_widgets.leakage.noiseless.syntactic_sensitivity import syntactic_sensitivity
from pdp_widgets.mechanisms.anonymity.equivalence_classes import anonymise
from pdp_widgets.mechanisms.anonymity.mondrian import mondrian
from pdp_widgets.models.microdata import Microdata

__all__ = ["anonymity_table_rows"]


class Stopped(Exception):
    """Ends a computation that tells how far it is."""


def anonymity_table_rows(largest: int) -> Iterator[Row]:
    """Measure strict Mondrian, sensitivity with progress and its end, and one step of epsilon."""
    full = largest >= 20
    n, rng = 50_000 if full else 5_000, np.random.default_rng(1)
    rows = rng.integers(0, 100, (n, 5)).astype(np.float64)
    first, warm = measure(lambda: mondrian(rows, 5))
    yield Row("strict Mondrian, 5 quasi-identifiers, k = 5", f"n = {n}", warm, first, most=3.0)

    few = 2_000 if full else 300
    told: list[float] = []
    some = rows[:few, :2]
    first, warm = measure(lambda: syntactic_sensitivity(some, 5, progress=told.append))
    yield Row("  without each row, progress told", f"n = {few}", warm, first)

    def stop(share: float) -> None:
        raise Stopped

    def stopped() -> None:
        try:
            syntactic_sensitivity(some, 5, progress=stop)
        except Stopped:
            return
        raise SystemExit("The sensitivity did not end when it was told to.")

    first, warm = measure(stopped)
    yield Row("  until it ends when told to", f"n = {few}", warm, first)

    ill = rng.choice(["no", "yes"], n, p=[0.9, 0.1])
    data = Microdata({**{f"q{j}": rows[:, j] for j in range(5)}, "ill": ill})
    inputs = AnonymityInputs(data, (0, 1, 2, 3, 4), 5, 5, "count:yes", level="III", known=0.3)
    anonymity_results(inputs)
    levels = cycle(0.5 + step / 997 for step in range(997))
    first, warm = measure(lambda: anonymity_results(replace(inputs, epsilon=next(levels))))
    yield Row("  all results at another epsilon", f"n = {n}", warm, first, most=0.05)
    yield from counted_rows(full)


def counted_rows(full: bool) -> Iterator[Row]:
    """Measure classes and what they give away of counted records, beside listed ones and as many rows."""
    rng = np.random.default_rng(2)
    rows, often = (100_000, 1000) if full else (1_000, 10)

    def table(size: int) -> dict[str, np.ndarray]:
        places = rng.choice(100**3, size, replace=False)
        quasi = {f"q{j}": places // 100**j % 100 for j in range(3)}
        return {**quasi, "ill": rng.integers(0, 10, size)}

    def asked(frame: dict[str, np.ndarray], k: int, weight: str | None = None) -> None:
        classes = anonymise(Microdata(frame, weight=weight), ["q0", "q1", "q2"], k)
        l_diversity(classes, "ill")
        t_closeness(classes, "ill")

    few = rows // 5
    frame, counts = table(few), rng.integers(1, 100, few)
    listed = {name: np.repeat(column, counts) for name, column in frame.items()}
    _, apart = measure(lambda: asked(listed, 250))
    first, warm = measure(lambda: asked({**frame, "n": counts}, 250, "n"))
    size = f"n = {counts.sum() / 1e6:.2g}M" if full else f"n = {counts.sum():,}"
    yield Row("classes and what they give away, counted", size, warm, first, apart, "the same records listed")

    frame, counts = table(rows), rng.integers(1, 2 * often, rows)
    _, plain = measure(lambda: asked(frame, 5))
    first, warm = measure(lambda: asked({**frame, "n": counts}, 5 * often, "n"))
    size = f"n = {counts.sum() / 1e6:.3g}M" if full else f"n = {counts.sum():,}"
    yield Row(f"  of {rows:,} rows", size, warm, first, plain, "as many records, not counted")
