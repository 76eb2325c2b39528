"""Gaussian data, the least noise, intervals from counts, and the import."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.cases import analysed, gaussian, sizes
from benchmarks.timing import Row, measure
from pdp_widgets.leakage.gaussian.exact_all import gaussian_exact_all
from pdp_widgets.leakage.prior.calibration import calibrate
from pdp_widgets.leakage.prior.exact_all import exact_all
from pdp_widgets.leakage.prior.leakage_intervals import leakage_intervals
from pdp_widgets.leakage.prior.noise_comparison import compare_noise
from pdp_widgets.leakage.prior.uncertainty import leakage_interval
from pdp_widgets.mechanisms.laplace import LaplaceMechanism
from pdp_widgets.mechanisms.linear_query import LinearQuery
from pdp_widgets.models.counts import lsat6
from pdp_widgets.models.joint_distribution import JointDistribution

__all__ = ["gaussian_rows", "import_rows", "interval_rows", "noise_rows"]


def gaussian_rows(largest: int) -> Iterator[Row]:
    """Measure all adversaries of Gaussian data."""
    for n in sizes((5, 10, 15, 20), largest):
        first, warm = measure(partial(gaussian_exact_all, gaussian(n)))
        yield Row("all adversaries, Gaussian data", f"n = {n}", warm, first, most={15: 0.5}.get(n))


def noise_rows(largest: int) -> Iterator[Row]:
    """Measure the least noise for all adversaries, alone and in the table that compares rules."""
    for n in sizes((5, 10), largest):
        joint, mechanism = analysed(n)
        _, once = measure(partial(exact_all, joint, mechanism))
        first, warm = measure(partial(calibrate, joint, mechanism.query, 1.0))
        yield Row("calibrate, all adversaries", f"n = {n}", warm, first, once, "exact_all at one scale")
        first, warm = measure(partial(compare_noise, joint, mechanism.query, 1.0))
        yield Row("compare_noise, all adversaries", f"n = {n}", warm, first, once, "exact_all at one scale")


def interval_rows(largest: int) -> Iterator[Row]:
    """Measure intervals from 1,000 drawn tables of five answers."""
    if largest < 5:
        return
    joint = lsat6()
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    first, warm = measure(partial(leakage_interval, joint, mechanism, 0, rng=1))
    yield Row("interval of one adversary, 1,000 tables", "n = 5", warm, first)
    first, every = measure(partial(leakage_intervals, joint, mechanism, rng=1))
    yield Row("intervals of all adversaries, 1,000 tables", "n = 5", every, first, warm, "one adversary")
    if largest < 8:
        return
    joint = JointDistribution.from_counts(np.random.default_rng(8).integers(1, 50, (2,) * 8))
    mechanism = LaplaceMechanism(LinearQuery.sum(joint), 1.0)
    sweep = partial(leakage_intervals, joint, mechanism, rng=1)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as workers:
        first, two = measure(partial(sweep, executor=workers))
        _, alone = measure(sweep)
    yield Row("the same here", "n = 8", alone, first, two, "on two processes", least_ratio=1.7)


def import_rows(largest: int) -> Iterator[Row]:
    """Measure ``import pdp_widgets`` in fresh interpreters."""
    code = "import time; start = time.perf_counter(); import pdp_widgets; print(time.perf_counter() - start)"
    root = Path(__file__).resolve().parent.parent
    times = [
        float(
            subprocess.run(
                [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
            ).stdout
        )
        for _ in range(5)
    ]
    yield Row("import pdp_widgets", "", median(times), times[0], most=0.15)
