"""Streams: the optimum of a step or a batch by a linear program, and releases of many users at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.timing import Row, measure
from pdp_widgets.mechanisms.sequence import linear_program
from pdp_widgets.mechanisms.sequence.batch_release import BatchRelease
from pdp_widgets.mechanisms.sequence.optimal_response import OptimalResponse
from pdp_widgets.mechanisms.sequence.sequence_by_name import sequence_mechanism_named

__all__ = ["sequence_lp_rows"]


def _chain_belief(length: int, first: float, stay: float) -> np.ndarray:
    """Return the law of a batch of a symmetric chain of two symbols."""
    belief = np.array([1 - first, first])
    steps = np.array([[stay, 1 - stay], [1 - stay, stay]])
    for _ in range(length - 1):
        belief = (belief[:, None] * steps[np.arange(len(belief)) % 2]).reshape(-1)
    return belief


def _solved(batches: BatchRelease, belief: np.ndarray) -> float:
    # Solutions are kept; here each is to be found again.
    linear_program._solution.cache_clear()
    step = batches.channel(belief)
    assert step.valid
    return step.cost


def sequence_lp_rows(largest: int) -> Iterator[Row]:
    """Measure optima of one step and of batches, and releases; small ones only where sizes are limited."""
    rng = np.random.default_rng(6)
    for n in (5, 10, 50):
        belief = rng.dirichlet(np.ones(n))
        one = BatchRelease(OptimalResponse(1.0, "absolute"), 1, n)
        first, warm = measure(partial(_solved, one, belief))
        yield Row(
            "optimum of one step, absolute distance", f"n = {n}", warm, first, most=0.005 if n <= 10 else 0.1
        )
    lengths = (6,) if largest < 20 else (6, 7)
    for length in lengths:
        for stay, budget in ((0.9, 0.5), (0.6, 0.1)):
            batches = BatchRelease(OptimalResponse(budget), length, 2)
            call = partial(_solved, batches, _chain_belief(length, 0.9, stay))
            first, warm = measure(call)
            what = f"optimum of a batch, stay {stay:g}, {budget:g} nats a step"
            yield Row(what, f"N = {2**length}", warm, first, most=1.0 if length == 6 else 4.0)
    few = BatchRelease(OptimalResponse(0.5, outputs=32), 8, 2)
    first, warm = measure(partial(_solved, few, _chain_belief(8, 0.9, 0.9)))
    yield Row("  with the 32 likeliest outputs alone", "N = 256", warm, first, most=2.0)
    yield from _releases()


def _releases() -> Iterator[Row]:
    rng = np.random.default_rng(7)
    users = 1_000
    for key, n, most in (
        ("crr", 10, 0.002),
        ("binary_optimum", 2, 0.001),
        ("crr_balanced", 10, 0.02),
        ("crr_trimmed", 10, 0.005),
        ("grr", 10, 0.001),
    ):
        mechanism = sequence_mechanism_named(key, 1.0)
        beliefs = rng.dirichlet(np.ones(n), users)
        symbols, uniforms = rng.integers(0, n, users), rng.random(users)
        first, warm = measure(partial(mechanism.release, symbols, beliefs, uniforms))
        yield Row(f"one step of 1,000 users, {key}", f"n = {n}", warm, first, most=most)
