"""What a leakage means: slacks of all adversaries, one adversary's panel, and the least noise for a slack."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.cases import analysed, sizes
from benchmarks.timing import Row, measure
from pdp_widgets.leakage.meaning.all_adversaries import measure_all
from pdp_widgets.leakage.meaning.calibration import calibrate_noise
from pdp_widgets.leakage.prior.analysis import PriorAnalysis
from pdp_widgets.mechanisms.noise import GaussianNoise, LaplaceNoise, Noise

__all__ = ["meaning_rows"]


def _curves(analysis: PriorAnalysis, noise: Noise) -> None:
    """Compute what a panel draws of one adversary: the curve of tests, slacks both ways, densities."""
    one = analysis.meaning(0, [1, 2], noise=noise)
    pair = tuple(one.labels.values())[:2]
    epsilons = np.linspace(0, 4, 100)
    one.roc(pair)
    one.tests(1.0, pair)
    for side in (None, pair, pair[::-1]):
        one.delta(epsilons, side)
    one.cases[0].laws.log_densities(np.linspace(-3, 13, 200))


def meaning_rows(largest: int) -> Iterator[Row]:
    """Measure slacks of all adversaries, what a panel draws, and the least noise."""
    for n in sizes((5, 10, 15), largest):
        joint, mechanism = analysed(n)
        for noise in (LaplaceNoise(1.0), GaussianNoise(1.0)):
            slacks = partial(measure_all, joint, mechanism.query, noise, "delta", epsilon=0.5)
            first, warm = measure(slacks)
            most = {"laplace": 1.0, "gaussian": 4.0}[noise.name] if n == 15 else None
            yield Row(f"delta of all adversaries, {noise.name}", f"n = {n}", warm, first, most=most)
        noise = LaplaceNoise(1.0)
        first, warm = measure(partial(measure_all, joint, mechanism.query, noise, "epsilon", delta=0.01))
        yield Row(
            "epsilon of all adversaries, laplace", f"n = {n}", warm, first, most=3.0 if n == 15 else None
        )
    for n in sizes((5, 10), largest):
        joint, mechanism = analysed(n)
        analysis = PriorAnalysis(joint, mechanism)
        for noise in (LaplaceNoise(1.0), GaussianNoise(1.0)):
            first, warm = measure(partial(_curves, analysis, noise))
            yield Row(f"curves of one adversary, {noise.name}", f"n = {n}", warm, first, most=0.03)
        least = partial(calibrate_noise, joint, mechanism.query, "gaussian", 1.0, 1e-5, convention="instance")
        first, warm = measure(least)
        yield Row("least normal noise for a slack, all", f"n = {n}", warm, first, most=1.0)
