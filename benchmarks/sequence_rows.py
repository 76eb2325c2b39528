"""Streams: releases of many users with the belief about each, without beliefs, and one filter step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.references import every_set_at_every_step
from benchmarks.timing import Row, measure
from pdp_widgets.leakage.sequence.belief import StreamBelief
from pdp_widgets.leakage.sequence.look_back import look_back_releases
from pdp_widgets.leakage.sequence.many_users import simulate_releases
from pdp_widgets.leakage.sequence.stream_run import StreamRun
from pdp_widgets.leakage.sequence.temporal_leakage import temporal_leakage
from pdp_widgets.mechanisms.sequence.balanced_response import BalancedResponse
from pdp_widgets.mechanisms.sequence.conditional_response import ConditionalResponse, TrimmedResponse
from pdp_widgets.mechanisms.sequence.optimal_response import BinaryOptimum
from pdp_widgets.models.markov_chain import MarkovChain

__all__ = ["sequence_rows"]

#: Seconds for a million steps of users: four million a second for two symbols, two million for ten.
_GOALS = {2: 0.25, 10: 0.5}
#: Mechanisms beside conditional response, and how many symbols they are measured for.
_OTHERS = ((BinaryOptimum, 2), (BalancedResponse, 2), (BalancedResponse, 10), (TrimmedResponse, 10))
#: What a screen shows at once.
_SHOWN = (100, 200)


def sequence_rows(largest: int) -> Iterator[Row]:
    """Measure many users under conditional response, beside drawing the streams, and a few under others."""
    users, steps = (1_000, 1_000) if largest >= 10 else (100, 50)
    what = f"{users:,} users, {steps:,} steps"
    for n in (2, 10, 100) if largest >= 10 else (2, 10):
        chain = MarkovChain.symmetric(0.8, n)
        first, drawing = measure(partial(chain.simulate, steps, users, 1))
        yield Row(f"streams of {what}", f"n = {n}", drawing, first)
        streams = chain.simulate(steps, users, 1)
        release = partial(simulate_releases, chain, rng=1, streams=streams)
        first, warm = measure(partial(release, ConditionalResponse(1.0)))
        goal = _GOALS.get(n) if largest >= 10 else None
        yield Row(
            "  conditional response, with beliefs", f"n = {n}", warm, first, drawing, "drawing", most=goal
        )
        back = partial(look_back_releases, chain, ConditionalResponse(1.0), steps, users, 1)
        first, warm = measure(back)
        yield Row("  by looking back, drawing included", f"n = {n}", warm, first, drawing, "drawing")
    few, short = _SHOWN if largest >= 10 else (20, 20)
    for kind, n in _OTHERS:
        chain = MarkovChain.symmetric(0.8, n)
        streams = chain.simulate(short, few, 1)
        first, warm = measure(partial(simulate_releases, chain, kind(1.0), rng=1, streams=streams))
        yield Row(f"{few} users, {short} steps, {kind.name}", f"n = {n}", warm, first)
    chain = MarkovChain.symmetric(0.8, 10)
    belief, channel = StreamBelief.before(chain), np.full((10, 10), 0.1)
    first, warm = measure(partial(belief.after, channel, 0))
    yield Row("belief of one user, one release", "n = 10", warm, first)
    yield from _temporal(20 if largest >= 10 else 5)
    yield from _simulator()


def _temporal(n: int) -> Iterator[Row]:
    """Measure temporal leakage, beside all sets of symbols for every pair of rows at every step."""
    chain, size = np.random.default_rng(n).dirichlet(np.ones(n), n), f"n = {n}"
    _, plainly = measure(partial(every_set_at_every_step, chain, 0.5, 50))
    first, warm = measure(partial(temporal_leakage, chain, 0.5, 50))
    yield Row("temporal leakage of 50 steps", size, warm, first, plainly, "all sets at every step")


def _simulator() -> Iterator[Row]:
    """Measure what the kernel does for a simulator: steps ahead, an edit that cuts some off, the record."""
    lanes = ["crr", "optimum", "crr_balanced", "grr"]
    chain = MarkovChain.symmetric(0.8)
    first, warm = measure(partial(StreamRun.of, chain, 0.5, lanes, 60, seed=1))
    yield Row("four mechanisms, 60 steps ahead", "n = 2", warm, first, most=0.02)
    run = StreamRun.of(chain, 0.5, lanes, 2_030, seed=1)
    edited = run.script.changed(2_000, epsilon=0.6)
    first, warm = measure(lambda: run.cut(2_000).changed(edited))
    yield Row("  an edit within 2,030 steps", "n = 2", warm, first, most=0.005)
    first, warm = measure(partial(run.record, 1_900, 120))
    yield Row("  the record of 120 of them", "n = 2", warm, first, most=0.005)
